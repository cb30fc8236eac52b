"""Parts of the wheel eye by themselves: what is a ball's glint, what rides on the rotor, how a camera sways."""

import cv2
import numpy as np
import pytest
from drawn_wheel import Act, Camera, DrawnWheel

from vision.wheel.attempt import Attempt
from vision.wheel.ball import Hit, Run
from vision.wheel.eye import RADII, SECTORS, Sighting
from vision.wheel.glints import Glint
from vision.wheel.lingering import Lingering
from vision.wheel.planes import planes_of_image
from vision.wheel.rotor import Turn
from vision.wheel.shape import BIN_DEG, BINS, Unroller, beside_turret, ellipse
from vision.wheel.spin import Watch
from vision.wheel.steady import Steady

ROTOR_ROWS = int(np.searchsorted(RADII, 1.02))
NOISE = np.full((len(RADII), 1), 2.0, np.float32)
EVERYWHERE = np.ones((len(RADII), BINS), bool)


def glint(angle_deg: float, length_deg: float) -> Glint:
    return Glint(angle_deg=angle_deg, radius=1.5, length_deg=length_deg, light=1.0)


@pytest.mark.parametrize(("length_deg", "taken"), [(4.0, True), (16.0, True), (60.0, False)])
def test_a_streak_is_no_longer_than_the_ball_went(length_deg: float, taken: bool) -> None:
    hits = [Hit(t=n / 25, angle_deg=12.0 * n, radius=1.5, light=1.0) for n in range(6)]
    assert Run(hits=hits).take(6 / 25, [glint(72.0, length_deg)]) is taken


def things_after(seconds: float, *, rides: bool) -> Lingering:
    """A patch as large as a chip comes in while the rotor turns at 90 degrees a second."""
    lingering = Lingering(RADII, ROTOR_ROWS, BINS)
    for n in range(int(seconds * 25)):
        rotor_deg = 90.0 * n / 25
        beyond = np.zeros((len(RADII), BINS), np.float32)
        middle = round((100 + rotor_deg * rides) / BIN_DEG)
        rows = np.abs(RADII - 0.5) < 0.07
        beyond[np.ix_(rows, np.arange(middle - 8, middle + 9) % BINS)] = 60
        lingering.look(n / 25, beyond, rotor_deg, NOISE, EVERYWHERE)
    return lingering


def test_only_what_turns_with_the_rotor_is_a_thing_on_it() -> None:
    assert things_after(4, rides=False).things == []
    (thing,) = things_after(4, rides=True).things
    assert thing.angle_deg == pytest.approx(100, abs=2)
    assert thing.radius == pytest.approx(0.5, abs=0.02)
    assert thing.carried_deg > 150
    assert 2 < thing.balls < 6


@pytest.mark.parametrize("moved_px", [(1.4, 0.0), (-0.6, 0.9), (0.0, 0.0)])
def test_a_swaying_camera_is_followed_to_a_fraction_of_a_pixel(moved_px: tuple[float, float]) -> None:
    camera = Camera((400, 300))
    picture = DrawnWheel(Act(), camera, noise=1.0).picture(0.0, 0.01)
    shape = ellipse(*camera.middle, (camera.radius_px, camera.radius_px), 0)
    unroller = Unroller(shape, RADII)
    steady = Steady(unroller.luma(planes_of_image(0, picture).luma), RADII, shape)
    move = np.array([[1, 0, moved_px[0]], [0, 1, moved_px[1]]])
    moved = np.asarray(cv2.warpAffine(picture, move, camera.size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    shift = steady.shift_px(unroller.luma(planes_of_image(0, moved).luma))
    assert shift == pytest.approx([part / 2 for part in moved_px], abs=0.2)  # half of it at a time


def test_arms_are_looked_past_further_out_the_more_the_camera_slants() -> None:
    overhead, aslant = (beside_turret(ellipse(0, 0, (100, short), 0), RADII) for short in (100, 77))
    assert overhead[RADII > 0.4].all()
    assert not aslant[RADII > 0.4].all()
    assert aslant[RADII > 0.68].all()


def test_a_ball_that_is_sent_while_the_last_one_is_confirmed_is_not_lost() -> None:
    """The hand that took the ball out of its pocket sends it again before the first spin is told."""
    lay, sent = (Run([Hit(t=t + k / 25, angle_deg=20.0 * k, radius=1.3, light=1.0) for k in range(3)]) for t in (1, 9))
    turn = Turn(angle_deg=0.0, speed_dps=-90.0, likeness=1.0, seen=True)
    around = np.zeros(SECTORS, np.float32)
    before = Sighting(t=0.9, turn=turn, glints=(), view="clear", covered=0.0, covered_around=around)
    watch = Watch()
    watch._attempt, watch._chase.run = Attempt(lay, [before]), sent
    assert list(watch.finish()) == []  # nothing is concluded where no wheel was seen
    assert watch._told is lay
    assert watch.since == sent.hits[0].t
