"""What an attempt comes to: the spin that is told of it, and how sure it is."""

from collections.abc import Sequence

import msgspec
import numpy as np

from vision.wheel.attempt import STOPPED_DPS, Attempt, Moment
from vision.wheel.ball import Hit
from vision.wheel.ending import end_of, foreign_things
from vision.wheel.eye import WheelEye
from vision.wheel.path import Path, path_of
from vision.wheel.places import Place
from vision.wheel.pockets import Zero, pocket_at
from vision.wheel.told import BallSeen, End, Spin, Trouble, Turning, WheelSeen
from vision.wheel.verdict import LEAST_LAPS, judge

_LONGEST_FALL_S = 6.0  # from the track into a pocket: a few bounces
_LAPS_OFF = 0.1  # laps may be so wrong even where all went well
_IN_DOUBT = 0.8
_WITH_RIVAL = 0.6
_NUMBER_RING = 0.93
_SURE_MARGIN, _LEAST_MARGIN = 0.06, 0.02
_MOST_OFF = 0.42  # pockets from a pocket's middle: frets keep a ball nearer


def conclude(attempt: Attempt, eye: WheelEye) -> Spin:
    """Tell the spin."""
    path = path_of(attempt.hits)
    zero = eye.rotor.zero()
    end, end_t = end_of(attempt, path)
    pocket, off = None, 0.0
    if end == "rest" and attempt.rest is not None:
        pocket, off = _named(attempt.rest, zero)
    ball = _ball(attempt, path, end, end_t, pocket)
    if path.leave is not None:
        drop_deg = round(eye.shape.picture_deg(path.leave.angle_deg, path.leave.radius), 1)
        ball = msgspec.structs.replace(ball, drop_deg=drop_deg)
    troubles = sorted(attempt.troubles + foreign_things(attempt, eye))
    wheel = _wheel(eye, zero, attempt.wheel_dps, tuple((t, what) for t, what in troubles if t < (end_t or np.inf)))
    laps_off = _LAPS_OFF + attempt.laps_in_doubt
    valid, rule = judge(wheel, ball, laps_off)
    conf = _confidence(attempt, zero, off, end)
    if ball.laps is not None and abs(ball.laps - LEAST_LAPS) < laps_off:
        conf = min(conf, _IN_DOUBT)
    return Spin(
        opened=round(path.launch.t, 3), closed=round(attempt.moments[-1].t, 3), wheel=wheel, ball=ball, valid=valid,
        rule=rule, conf=round(conf, 3), track=_track(attempt.hits, attempt.rest, attempt.moments, eye, zero.angle_deg),
    )  # fmt: skip


def conclude_rest(place: Place, moments: Sequence[Moment], eye: WheelEye) -> Spin:
    """Tell a spin of which only the end was seen: the ball had left the track when the view began."""
    zero = eye.rotor.zero()
    pocket, off = _named(place, zero)
    ball = BallSeen(
        dir=None, laps=None, launch=None, leave_track=None, rest=round(place.first_t, 3), pocket=pocket, end="rest"
    )
    wheel = _wheel(eye, zero, moments[0].rotor_dps, ())
    lain = min(1.0, 0.6 + 0.2 * (place.last_t - place.first_t))
    conf = lain * min(1.0, zero.margin / _SURE_MARGIN) * (1.0 if abs(off) < 0.3 else 0.6)
    return Spin(
        opened=round(moments[0].t, 3), closed=round(moments[-1].t, 3), wheel=wheel, ball=ball, valid=None, rule=None,
        conf=round(conf, 3), track=_track([], place, moments, eye, zero.angle_deg),
    )  # fmt: skip


def _named(place: Place, zero: Zero) -> tuple[int | None, float]:
    """The pocket there and how far from its middle, no number where the wheel's order or the place leaves it open."""
    pocket, off = pocket_at(place.angle_deg - zero.angle_deg)
    named = zero.layout == "single-zero" and zero.margin > _LEAST_MARGIN and abs(off) < _MOST_OFF
    return (pocket if named else None), off


def _ball(attempt: Attempt, path: Path, end: End, end_t: float | None, pocket: int | None) -> BallSeen:
    laps = abs(path.turned_deg) / 360
    # It came down somewhere, or lay still long after it was last seen to run: the laps until then were not seen.
    late = path.leave is not None and end_t is not None and end_t - path.leave.t > _LONGEST_FALL_S
    lost = end == "rest" and (path.leave is None or late)
    whole = attempt.launch_seen and not lost and (path.leave is not None or end != "unseen")
    return BallSeen(
        dir=_way(path.turned_deg), laps=round(laps, 2) if whole else None,
        launch=round(path.launch.t, 3) if attempt.launch_seen else None,
        leave_track=round(path.leave.t, 3) if path.leave is not None else None,
        rest=round(end_t, 3) if end == "rest" and end_t is not None else None, pocket=pocket, end=end,
        laps_seen=round(laps, 2), rps=round(abs(path.speed_dps) / 360, 3),
    )  # fmt: skip


def _confidence(attempt: Attempt, zero: Zero, off: float, end: End) -> float:
    """How sure the pocket (the weakest of the reads) is; without one, how sure the run is."""
    run = min(1.0, len(attempt.hits) / 20)
    if end != "rest" or attempt.rest is None:
        return 0.95 * run
    lain = min(1.0, 0.7 + 0.3 * (attempt.rest.last_t - attempt.rest.first_t) / 2.0)
    centred = 1.0 if abs(off) < 0.3 else max(0.0, 1 - 2.5 * (abs(off) - 0.3))
    alone = 1.0 if not attempt.rivals else _WITH_RIVAL
    return run * lain * min(1.0, zero.margin / _SURE_MARGIN) * centred * alone


def _track(
    hits: Sequence[Hit], rest: Place | None, moments: Sequence[Moment], eye: WheelEye, zero_deg: float
) -> tuple[tuple[float, float | None, float | None], ...]:
    """Where ball and zero were in every picture, as the picture shows them."""
    running = {hit.t: (hit.angle_deg, hit.radius) for hit in hits}
    rows = []
    for moment in moments:
        ball = running.get(moment.t)
        if ball is None and rest is not None and rest.first_t <= moment.t <= rest.last_t:
            ball = (rest.angle_deg + moment.rotor_deg, rest.radius)
        zero = (moment.rotor_deg + zero_deg, _NUMBER_RING) if moment.rotor_seen else None
        seen = [None if place is None else round(eye.shape.picture_deg(*place), 1) for place in (ball, zero)]
        rows.append((round(moment.t, 3), seen[0], seen[1]))
    return tuple(rows)


def _way(turned_deg: float) -> Turning:
    return "cw" if turned_deg > 0 else "ccw"


def _wheel(eye: WheelEye, zero: Zero, dps: float, troubles: tuple[tuple[float, Trouble], ...]) -> WheelSeen:
    shape = eye.shape.scaled(eye.shrink)
    long, short = shape.axes_px
    return WheelSeen(
        centre=(round(shape.x, 1), round(shape.y, 1)), axes=(round(long, 1), round(short, 1)),
        dir=_way(dps) if abs(dps) > STOPPED_DPS else None, rpm=round(abs(dps) / 6, 2), events=troubles,
        layout=zero.layout if zero.margin > _LEAST_MARGIN else None,
    )  # fmt: skip
