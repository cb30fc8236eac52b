"""The wheel eye on drawn wheels: what happened is known, so every answer can be held to it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from drawn_wheel import DOUBLE_ZERO, Act, Camera, DrawnWheel, film

from auditor import log
from auditor.cli import main
from vision.wheel.find import find_wheel
from vision.wheel.planes import Planes, planes_of_image
from vision.wheel.pockets import ORDER, POCKET_DEG, pocket_at
from vision.wheel.rotor import Rotor
from vision.wheel.shape import wrapped
from vision.wheel.spin import Watch, spin_events
from vision.wheel.told import BallSeen, Spin, WheelSeen
from vision.wheel.verdict import judge

FPS = 20
OVERHEAD, ASLANT = Camera((400, 300)), Camera((400, 300), tilt_deg=35)


def pictures(act: Act, camera: Camera = OVERHEAD) -> list[Planes]:
    return [planes_of_image(t, image) for t, image in DrawnWheel(act, camera).frames(FPS)]


def told(act: Act, camera: Camera = OVERHEAD) -> Spin:
    (only,) = Watch().spins(pictures(act, camera))
    return only


@cache
def good_spin() -> Spin:
    return told(Act(seconds=11, laps=4.3))


@pytest.mark.parametrize("camera", [OVERHEAD, ASLANT], ids=["overhead", "aslant"])
def test_the_wheel_is_found_and_its_angle_read_within_a_fraction_of_a_pocket(camera: Camera) -> None:
    act = Act(seconds=3, wheel_dps=110, ball_dps=None)
    reel = pictures(act, camera)
    found = find_wheel(reel[:45])
    assert found is not None
    assert found.shape.axes_px[0] == pytest.approx(camera.radius_px, rel=0.05)
    rotor = Rotor(found.shape, reel[:45])
    turns = [rotor.look(picture) for picture in reel]
    zero = rotor.zero()
    off = [wrapped(turn.angle_deg + zero.angle_deg - act.zero_at(p.t)) for turn, p in zip(turns, reel, strict=True)]
    assert float(np.abs(off).max()) < POCKET_DEG / 5
    assert turns[-1].speed_dps == pytest.approx(110, rel=0.02)


def test_a_wheel_that_is_turned_round_is_followed() -> None:
    acts = Act(seconds=3, wheel_dps=110, ball_dps=None), Act(seconds=2, wheel_dps=-120, ball_dps=None)
    reel, back = (pictures(act) for act in acts)
    found = find_wheel(reel[:45])
    assert found is not None
    rotor = Rotor(found.shape, reel[:45])
    turns = [rotor.look(picture) for picture in [*reel, *_later(back, 3.0)]]
    assert turns[-1].speed_dps == pytest.approx(-120, rel=0.03)


def test_a_spin_is_over_before_the_next_launch() -> None:
    taken = Act(seconds=6, lifted_at=4.2)
    again = Act(seconds=11, laps=4.3, launch=1.0, zero_deg=taken.zero_at(6.0))
    first, second = Watch().spins([*pictures(taken), *_later(pictures(again), 6.0)])
    assert second.ball.launch is not None
    assert first.closed < second.ball.launch == pytest.approx(7.0, abs=0.3)


def _later(reel: Sequence[Planes], seconds: float) -> list[Planes]:
    return [replace(picture, t=picture.t + seconds) for picture in reel]


def test_a_good_spin_is_told_whole() -> None:
    act, seen = Act(seconds=11, laps=4.3), good_spin()
    assert (seen.wheel.dir, seen.ball.dir, seen.ball.pocket, seen.ball.end) == ("ccw", "cw", 17, "rest")
    assert (seen.valid, seen.rule) == (True, None)
    assert seen.conf > 0.9
    assert seen.ball.laps == pytest.approx(act.laps, abs=0.2)
    assert seen.ball.launch == pytest.approx(act.launch, abs=0.1)
    assert seen.ball.leave_track == pytest.approx(act.leave, abs=0.3)
    assert seen.wheel.rpm == pytest.approx(140 / 6, rel=0.03)
    for t, ball, zero in seen.track[::10]:
        place = act.ball_at(t)
        assert zero is not None
        assert abs(wrapped(zero - act.zero_at(t))) < POCKET_DEG / 2
        if ball is not None and place is not None and t < act.leave:
            assert abs(wrapped(ball - place[0])) < 15  # half the way it goes in a picture


def test_a_spin_becomes_events_of_the_table_log() -> None:
    launch, leave, rest = spin_events(good_spin())
    assert isinstance(launch, log.Spin)
    assert (launch.ball, launch.wheel) == ("cw", "ccw")
    assert isinstance(leave, log.Ball)
    assert isinstance(rest, log.Ball)
    assert (leave.event, leave.laps, rest.event, rest.pocket) == ("leave_track", good_spin().ball.laps, "rest", 17)


def test_that_nobody_called_a_short_spin_off_is_never_certain() -> None:
    good = good_spin()
    short = msgspec.structs.replace(good, ball=msgspec.structs.replace(good.ball, laps=2.6))
    ((call, conf),) = [(event.what, event.conf) for event in spin_events(short) if isinstance(event, log.Call)]
    assert call == "no_spin"
    assert conf is not None
    assert conf < 0.5


@pytest.mark.parametrize(
    ("order", "layout"), [(DOUBLE_ZERO, "double-zero"), (ORDER[:1] + ORDER[:0:-1], "mirrored")], ids=["00", "mirror"]
)
def test_on_a_wheel_of_another_order_no_pocket_is_named(order: Sequence[int | str], layout: str) -> None:
    reel = DrawnWheel(Act(seconds=8, laps=3.4), OVERHEAD, order=order).frames(FPS)
    (seen,) = Watch().spins(planes_of_image(t, image) for t, image in reel)
    assert (seen.wheel.layout, seen.ball.end, seen.ball.pocket) == (layout, "rest", None)
    assert (seen.ball.dir, seen.wheel.dir, seen.valid) == ("cw", "ccw", True)


@pytest.mark.parametrize(
    ("act", "rule", "end"),
    [
        (Act(seconds=8, laps=3.4, ball_dps=-620), "9.1", "rest"),
        (Act(seconds=9, laps=2.3, ball_dps=400), "5.2", "rest"),
        (Act(seconds=8, laps=3.4, out=True), "9.5", "out"),
        (Act(seconds=8, laps=3.4, stuck=True), "9.4", "stuck"),
        (Act(seconds=7, laps=9, lifted_at=4.5, covered=(4.2, 5.0)), "9.4", "lifted"),
        (Act(seconds=9, laps=4.4, object_at=3.0), "9.3", "rest"),
        (Act(seconds=9, laps=4.4, stops_at=3.0), "5.1", "rest"),
    ],
    ids=["same direction", "short", "out", "stuck", "lifted", "object", "stopped"],
)
def test_a_bad_spin_is_found_with_its_clause(act: Act, rule: str, end: str) -> None:
    seen = told(act)
    assert (seen.valid, seen.rule, seen.ball.end) == (False, rule, end)


def test_what_the_clip_does_not_show_is_not_guessed() -> None:
    whole = pictures(Act(seconds=8, laps=4.3))
    (cut,) = Watch().spins(whole[: round(4.5 * FPS)])
    assert (cut.ball.end, cut.valid) == ("unseen", None)
    assert (cut.ball.rest, cut.ball.pocket, cut.ball.laps) == (None, None, None)
    (begun,) = Watch().spins(whole[round(2.5 * FPS) :])
    assert (begun.ball.launch, begun.ball.laps) == (None, None)
    assert (begun.ball.dir, begun.wheel.dir) == ("cw", "ccw")
    assert begun.ball.laps_seen < 3
    assert begun.valid is None


def test_a_view_that_has_only_just_begun_shows_no_launch() -> None:
    act = Act(seconds=8, laps=1.6)
    (short,) = Watch().spins(pictures(act))
    assert (short.valid, short.rule) == (False, "5.2")
    (begun,) = Watch().spins([each for each in pictures(act) if each.t > act.launch - 0.4])
    assert (begun.ball.launch, begun.ball.laps, begun.valid) == (None, None, None)  # it may have run before


def test_a_hand_over_the_wheel_neither_voids_the_spin_nor_breaks_it_in_two() -> None:
    seen = told(Act(seconds=9, laps=5.0, covered=(3.0, 4.0)))
    assert (seen.valid, seen.ball.pocket) == (True, 17)
    assert seen.ball.laps == pytest.approx(5.0, abs=0.25)


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (Act(seconds=3, wheel_dps=0, ball_dps=None), "no turning wheel"),
        (Act(seconds=3, ball_dps=None), "no ball was sent"),
        (Act(seconds=0.2), "too few"),
    ],
    ids=["still wheel", "no ball", "still picture"],
)
def test_where_nothing_is_spun_nothing_is_told(act: Act, why: str) -> None:
    watch = Watch()
    assert list(watch.spins(pictures(act))) == []
    assert why in watch.why_nothing


def answer_of(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `fairdeal spin`."""
    monkeypatch.setattr("sys.argv", ["fairdeal", "spin", "--json", str(path)])
    with pytest.raises(SystemExit) as left:
        main()
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


def test_the_command_is_honest_about_what_it_cannot_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small, noise = Camera((160, 120)), np.random.default_rng(1)
    still = film(tmp_path / "still.mp4", DrawnWheel(Act(seconds=1, wheel_dps=0, ball_dps=None), small), 20)
    picture, room, broken = tmp_path / "wheel.png", tmp_path / "room.mp4", tmp_path / "broken.mp4"
    cv2.imwrite(str(picture), DrawnWheel(Act(), small).picture(1.0, 0.01))
    wandering = DrawnWheel(Act(seconds=2, wheel_dps=0, ball_dps=None), small)
    wandering.picture = lambda t, shutter_s: np.roll(noisy, round(90 * t), axis=1)  # type: ignore[method-assign]
    noisy = cv2.GaussianBlur(noise.integers(0, 255, (120, 160, 3), np.uint8), (15, 15), 0)
    film(room, wandering, 20)
    broken.write_bytes(still.read_bytes()[:200])
    for path, code, why in (
        (still, 0, "no turning wheel was found"),
        (picture, 0, "too few to find a turning wheel"),
        (room, 0, "no turning wheel was found"),
        (broken, 2, str(broken)),
        (tmp_path / "none.mp4", 2, "none.mp4"),
    ):
        left, out, err = answer_of(path, monkeypatch, capsys)
        assert (left, out) == (code, ""), path
        assert why in err


def test_laps_too_near_to_three_are_not_decided() -> None:
    wheel = WheelSeen(centre=(0, 0), axes=(1, 1), dir="cw", rpm=20.0)

    def ball(laps: float) -> BallSeen:
        return BallSeen(
            dir="ccw", laps=laps, launch=1.0, leave_track=5.0, rest=8.0, pocket=5, end="rest", laps_seen=laps
        )

    assert [judge(wheel, ball(laps), 0.1) for laps in (2.8, 2.95, 3.05, 3.2)] == [
        (False, "5.2"), (None, None), (None, None), (True, None),
    ]  # fmt: skip


def test_pockets_are_named_clockwise_from_zero() -> None:
    assert [pocket_at(place * POCKET_DEG + 3)[0] for place in range(37)] == list(ORDER)
