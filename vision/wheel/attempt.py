"""One launch of the ball, followed until it is clear what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.wheel.ball import OUTSIDE, Hit, Run
from vision.wheel.eye import HAND, Sighting, WheelEye
from vision.wheel.lingering import Thing
from vision.wheel.path import Path, path_of
from vision.wheel.places import Place, Places
from vision.wheel.pockets import pocket_at
from vision.wheel.shape import wrapped
from vision.wheel.told import BallSeen, End, Spin, Trouble, Turning, WheelSeen
from vision.wheel.verdict import LEAST_LAPS, judge

_CONFIRMING_S, _CONFIRMING_TURN_DEG = 5.0, 400.0  # so long, or so far, a ball is carried before its pocket is told
_GIVEN_UP_S = 6.0
_STUCK_S = 2.0
_LONGEST_S = 120.0
_STOPPED_DPS, _STOPPED_S = 4.0, 0.6
_REVERSED_DPS, _REVERSED_S = 8.0, 0.4
_RESUMED_S = 3.0
_RIDING_S, _LYING_S = 1.0, 2.5  # a hand does not go round with the rotor, but it may rest on the rim
_LARGE_BALLS = 2.5
_SETTLING_S = 0.5  # after the launch the hand's own ghost must fade
_IN_DOUBT = 0.8
_EMPTY_BEFORE = 3  # pictures that show the track empty before the ball: then its launch was seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One picture of the attempt."""

    t: float
    rotor_deg: float
    rotor_dps: float
    rotor_seen: bool
    covered: float
    clear: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Still:
    """What keeps its place in the wheel."""

    on_rotor: Places
    on_stator: Places
    things: Sequence[Thing]


class Attempt:
    """Gathers what is seen of one launch."""

    def __init__(self, run: Run, before: Sequence[Sighting]) -> None:
        self.hits: list[Hit] = run.hits
        self._run = run
        self._moments = [_moment(seen) for seen in before if seen.t >= run.hits[0].t]
        self._launch_seen = _launch_seen(run.hits, before)
        self._dps = run.hits and _median_speed(before, run.hits[0].t)
        self._troubles: list[tuple[float, Trouble]] = []
        self._rest: Place | None = None
        self._stuck: Place | None = None
        self._doubt_laps = 0.0

    # ---- following ----

    def resume(self, run: Run) -> bool:
        """Take a run that begins where this one was lost for the same ball, if its motion fits."""
        last, first = self.hits[-1], run.hits[0]
        gap_s = first.t - last.t
        speed = self._run.speed_dps
        same_way = speed * run.speed_dps > 0 and abs(run.speed_dps) < 1.1 * abs(speed) + 20
        if not same_way or not 0 < gap_s < _RESUMED_S or last.radius < OUTSIDE or self._rest is not None:
            return False
        turned = (speed + run.speed_dps) / 2 * gap_s
        landed = last.angle_deg + turned
        off = wrapped(first.angle_deg - landed)
        self._doubt_laps += abs(off) / 360
        shift = landed + off - first.angle_deg
        moved = [
            Hit(t=hit.t, angle_deg=hit.angle_deg + shift, radius=hit.radius, light=hit.light) for hit in run.hits
        ]
        self.hits = run.hits = self.hits + moved  # the run goes on growing the one list
        self._run = run
        return True

    def look(self, seen: Sighting, run: Run | None, still: Still) -> bool:
        """Take in one picture; True when nothing more is to come."""
        self._moments.append(_moment(seen))
        self._watch_rotor()
        last = self.hits[-1]
        if run is None:
            settled = [place for place in still.on_rotor.settled() if place.first_t > last.t - 1.0]
            self._rest = settled[0] if settled else self._rest
        stuck = [
            place for place in still.on_stator.settled()
            if place.last_t - place.first_t > _STUCK_S and abs(place.radius - last.radius) < 0.15
            and abs(wrapped(place.angle_deg - last.angle_deg)) < 60
        ]  # fmt: skip
        self._stuck = stuck[0] if stuck and self._rest is None else None
        self._watch_for_objects(seen.t, still.things)
        if seen.t - self._moments[0].t > _LONGEST_S:
            return True
        if self._rest is not None:
            lain_s = self._rest.last_t - self._rest.first_t
            return lain_s > _CONFIRMING_S or lain_s * abs(seen.turn.speed_dps) > _CONFIRMING_TURN_DEG or (
                seen.t - self._rest.last_t > 1.0
            )
        return self._stuck is not None or seen.t - last.t > _GIVEN_UP_S

    def _watch_for_objects(self, t: float, things: Sequence[Thing]) -> None:
        """9.3: what comes in after the launch and stays, while the ball still runs (or is too large for a ball)."""
        if self._rest is not None or any(trouble == "object" for _, trouble in self._troubles):
            return
        last = self.hits[-1]
        running = t - last.t < 0.5 and last.radius > OUTSIDE
        for thing in things:
            lasted_s = thing.last_t - thing.first_t
            apart = abs(wrapped(thing.angle_deg - last.angle_deg)) > 20 or thing.on_rotor
            foreign = thing.balls > _LARGE_BALLS or running
            staying = lasted_s > (_RIDING_S if thing.on_rotor else _LYING_S) and not thing.at_border
            if staying and foreign and apart and thing.first_t > self.hits[0].t + _SETTLING_S:
                self._troubles.append((thing.first_t, "object"))
                return

    def _watch_rotor(self) -> None:
        now = self._moments[-1].t
        recent = [m for m in self._moments[-40:] if m.rotor_seen]
        way = 1 if self._dps > 0 else -1
        still = [m for m in recent if now - m.t <= _STOPPED_S]
        known = {trouble for _, trouble in self._troubles}
        if not known and len(still) > 8 and all(abs(m.rotor_dps) < _STOPPED_DPS for m in still):
            self._troubles.append((still[0].t, "stopped"))
        back = [m for m in recent if now - m.t <= _REVERSED_S]
        if "reversed" not in known and len(back) > 6 and all(m.rotor_dps * way < -_REVERSED_DPS for m in back):
            self._troubles.append((back[0].t, "reversed"))

    # ---- concluding ----

    def conclude(self, eye: WheelEye) -> Spin:
        """What the whole of it comes to."""
        path = path_of(self.hits)
        zero = eye.rotor.zero()
        end, end_t = self._end(path)
        pocket, off = None, 0.0
        if end == "rest" and self._rest is not None:
            pocket, off = pocket_at(self._rest.angle_deg - zero.angle_deg)
        laps = abs(path.turned_deg) / 360
        known = self._launch_seen and (path.leave is not None or end in ("rest", "stuck", "out", "lifted"))
        ball = BallSeen(
            dir=_way(path.turned_deg), laps=round(laps, 2) if known else None,
            launch=round(path.launch.t, 3) if self._launch_seen else None,
            leave_track=round(path.leave.t, 3) if path.leave is not None else None,
            rest=round(end_t, 3) if end == "rest" else None, pocket=pocket, end=end, laps_seen=round(laps, 2),
            rps=round(abs(path.speed_dps) / 360, 3),
        )  # fmt: skip
        before_end = tuple((t, trouble) for t, trouble in self._troubles if end_t is None or t < end_t)
        wheel = _wheel(eye, self._dps, before_end)
        laps_off = 0.1 + self._doubt_laps
        valid, rule = judge(wheel, ball, laps_off)
        conf = self._confidence(zero.margin, off, end)
        if ball.laps is not None and abs(ball.laps - LEAST_LAPS) < laps_off:
            conf = min(conf, _IN_DOUBT)
        closed = self._moments[-1].t if self._moments else self.hits[-1].t
        return Spin(
            opened=round(path.launch.t, 3), closed=round(closed, 3), wheel=wheel, ball=ball, valid=valid, rule=rule,
            conf=round(conf, 3), track=self._track(zero.angle_deg),
        )  # fmt: skip

    def _end(self, path: Path) -> tuple[End, float | None]:
        if self._rest is not None:
            return "rest", self._rest.first_t
        if self._stuck is not None:
            return "stuck", self._stuck.first_t
        last = self.hits[-1]
        after = [m for m in self._moments if m.t > last.t]
        line = float(path.line.radius(np.array([last.angle_deg]))[0])
        clear_s = len([m for m in after if m.clear]) and after[-1].t - last.t
        if clear_s < 1.5:
            return "unseen", None  # the clip or the view ended first
        if last.radius > line + 0.05:
            return "out", last.t
        if any(m.covered > HAND for m in self._moments if last.t - 0.4 < m.t < last.t + 1.0):
            return "lifted", last.t
        return "unseen", None

    def _confidence(self, margin: float, off: float, end: End) -> float:
        """How sure the pocket (the weakest of the reads) is; without one, how sure the run is."""
        run = min(1.0, len(self.hits) / 20)
        if end != "rest" or self._rest is None:
            return 0.95 * run
        lain = min(1.0, 0.7 + 0.3 * (self._rest.last_t - self._rest.first_t) / 2.0)
        return run * lain * min(1.0, margin * 6) * (1.0 if abs(off) < 0.3 else max(0.0, 1 - 2.5 * (abs(off) - 0.3)))

    def _track(self, zero_deg: float) -> tuple[tuple[float, float | None, float | None], ...]:
        seen = {hit.t: hit.angle_deg % 360 for hit in self.hits}
        rows = []
        for moment in self._moments:
            ball = seen.get(moment.t)
            rest = self._rest
            if ball is None and rest is not None and rest.first_t <= moment.t <= rest.last_t:
                ball = (rest.angle_deg + moment.rotor_deg) % 360
            zero = (moment.rotor_deg + zero_deg) % 360 if moment.rotor_seen else None
            rows.append((
                round(moment.t, 3), None if ball is None else round(float(ball), 1), None if zero is None else round(zero, 1)
            ))
        return tuple(rows)


def _moment(seen: Sighting) -> Moment:
    return Moment(
        t=seen.t, rotor_deg=seen.turn.angle_deg, rotor_dps=seen.turn.speed_dps, rotor_seen=seen.turn.seen,
        covered=seen.covered, clear=seen.view == "clear",
    )  # fmt: skip


def _way(turned_deg: float) -> Turning:
    return "cw" if turned_deg > 0 else "ccw"


def _median_speed(before: Sequence[Sighting], t: float) -> float:
    near = [seen.turn.speed_dps for seen in before if abs(seen.t - t) < 0.5]
    return float(np.median(near or [seen.turn.speed_dps for seen in before]))


def _launch_seen(hits: Sequence[Hit], before: Sequence[Sighting]) -> bool:
    """Whether the track was seen empty before the ball came: else the ball may have run before."""
    empty = [seen for seen in before if seen.t < hits[0].t and seen.view == "clear" and seen.covered < 0.2]
    return len(empty) >= _EMPTY_BEFORE


def _wheel(eye: WheelEye, dps: float, troubles: tuple[tuple[float, Trouble], ...]) -> WheelSeen:
    shape = eye.shape.scaled(eye.shrink)
    turning = abs(dps) > _STOPPED_DPS
    long, short = shape.axes_px
    return WheelSeen(
        centre=(round(shape.x, 1), round(shape.y, 1)), axes=(round(long, 1), round(short, 1)),
        dir=_way(dps) if turning else None, rpm=round(abs(dps) / 6, 2), events=troubles,
    )  # fmt: skip
