"""The truth of rendered spins, in the words of `fairdeal spin`: what happened, and the angles in every frame."""

import bisect
import math
from collections.abc import Collection, Sequence

import cv2
import msgspec
import numpy as np

from datasets.casino.wheel_camera import WheelCamera
from datasets.casino.wheel_scene import place
from datasets.casino.wheel_shape import WheelShape
from datasets.casino.wheel_spins import RULES, Tape


LEAST_LAPS = 3


class Angles(msgspec.Struct, frozen=True, kw_only=True):
    """One frame: degrees clockwise from twelve in the picture, around the number ring's centre; None when unseen."""

    t: float
    ball_deg: float | None = None
    zero_deg: float | None = None


class WheelTruth(msgspec.Struct, frozen=True, kw_only=True):
    """The number ring's ellipse, and how the wheel turned when the ball was launched."""

    centre: tuple[float, float]
    axes: tuple[float, float]
    dir: str
    rpm: float


class BallTruth(msgspec.Struct, frozen=True, kw_only=True):
    """The ball from the launch to its end."""

    dir: str
    laps: float
    launch: float
    leave_track: float | None
    rest: float | None
    pocket: int | None
    end: str


class SpinTruth(msgspec.Struct, frozen=True, kw_only=True):
    """One spin as it was."""

    source: str
    opened: float
    closed: float
    wheel: WheelTruth
    ball: BallTruth
    valid: bool
    rule: str | None
    bad: str | None
    mishap: float | None
    """When something happened to the ball or the wheel."""
    deflector: int | None
    faults: list[str]
    track: list[tuple[float, float | None, float | None]]


def ring_ellipse(camera: WheelCamera, shape: WheelShape) -> tuple[tuple[float, float], tuple[float, float]]:
    """Centre and half axes (long, short) of the number ring's outer edge in the picture."""
    radius = shape.numbers_mm[1]
    height = shape.height_mm(radius)
    rim = np.array([place(radius, turn, height) for turn in np.linspace(0, 2 * math.pi, 72, endpoint=False)])
    (x, y), axes, _ = cv2.fitEllipse(camera.pixels(rim).astype(np.float32))
    return (round(x, 2), round(y, 2)), (round(max(axes) / 2, 2), round(min(axes) / 2, 2))


def _rule(tape: Tape) -> str | None:
    """The clause that voids the spin; a ball taken out before its third lap is NO SPIN (9.2)."""
    bad = tape.plan.bad
    return "9.2" if bad == "lifted" and tape.laps < LEAST_LAPS else RULES[bad] if bad else None


def spin_truth(
    tape: Tape, camera: WheelCamera, shape: WheelShape, angles: Sequence[Angles], faults: Collection[str]
) -> SpinTruth:
    """What a perfect eye would say of a spin."""
    plan = tape.plan
    centre, axes = ring_ellipse(camera, shape)
    first = bisect.bisect_left(angles, plan.launch_s, key=lambda angle: angle.t)
    last = bisect.bisect_right(angles, tape.end_s + 1.0, key=lambda angle: angle.t)
    rpm = abs(float(tape.rate[0])) * 30 / math.pi
    return SpinTruth(
        source="wheel.mp4",
        opened=round(plan.launch_s, 3),
        closed=round(tape.end_s, 3),
        wheel=WheelTruth(centre=centre, axes=axes, dir=plan.wheel, rpm=round(rpm, 2)),
        ball=BallTruth(
            dir=plan.ball,
            laps=round(tape.laps, 3),
            launch=round(plan.launch_s, 3),
            leave_track=None if tape.leave_s is None else round(tape.leave_s, 3),
            rest=round(tape.end_s, 3) if tape.end == "rest" else None,
            pocket=tape.pocket,
            end=tape.end,
        ),
        valid=plan.bad is None,
        rule=_rule(tape),
        bad=plan.bad,
        mishap=None if tape.mishap_s is None else round(tape.mishap_s, 3),
        deflector=tape.deflector,
        faults=sorted(faults),
        track=[(angle.t, angle.ball_deg, angle.zero_deg) for angle in angles[first:last]],
    )
