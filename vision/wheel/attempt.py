"""One launch of the ball, followed until it is clear what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from vision.wheel.ball import Hit, Run, pace
from vision.wheel.eye import SECTORS, Sighting
from vision.wheel.glints import Glint
from vision.wheel.places import Place, Places
from vision.wheel.shape import Floats, wrapped
from vision.wheel.told import Trouble

STOPPED_DPS = 4.0
"""A rotor slower than this stands."""
_CONFIRMING_S, _CONFIRMING_TURN_DEG = 5.0, 400.0  # so long, or so far, a ball is carried before its pocket is told
_GONE_S = 1.0
_GIVEN_UP_S = 6.0
_STUCK_S, _STUCK_NEAR_DEG = 2.0, 30.0
_LONGEST_S = 120.0
_ON_ITS_WAY_S = 2.0  # after a launch; from then on the wheel must keep on turning as it does
_STOPPED_S = 0.6
_REVERSED_DPS, _REVERSED_S = 8.0, 0.4
_RESUMED_S = 4.0
_PACE_HITS, _STEADY_HITS = 10, 100
_NEVER_FASTER, _PACE_OFF_DPS = 1.2, 40.0  # a ball does not gain speed by itself
_ON_TRACK, _STRAY_DEG = 0.15, 12.0
_LOST_S = 0.3
_LEAST_REST_LIGHT, _RIVAL_LIGHT = 0.2, 0.6  # a pocket lies in the shade, but a gleam of the rotor is fainter still
_HIDING = 0.25  # of a sector is covered: a ball may run behind
_BACK_S, _WATCHED_S = 1.0, 0.8  # so far back an empty track is looked for, and so long it must have been in view
_EMPTY_BEFORE = 3  # pictures that show the track empty before the ball: then its launch was seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One picture of the attempt."""

    t: float
    rotor_deg: float
    rotor_dps: float
    rotor_seen: bool
    covered_around: Floats
    clear: bool
    glints: tuple[Glint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Still:
    """What keeps its place in the wheel."""

    on_rotor: Places
    on_stator: Places


class Attempt:
    """Gathers what is seen of one launch."""

    def __init__(self, run: Run, before: Sequence[Sighting]) -> None:
        self.hits: list[Hit] = run.hits
        self.moments = [moment_of(seen) for seen in before if seen.t >= run.hits[0].t]
        self._before = [seen for seen in before if 0 < run.hits[0].t - seen.t < _BACK_S]
        self._launch_dps = _median_speed(before, run.hits[0].t)
        self.troubles: list[tuple[float, Trouble]] = []
        self.rest: Place | None = None
        self.rivals: list[Place] = []
        self.stuck: Place | None = None
        self.laps_in_doubt = 0.0
        self.run = run
        self._track_radius = float(np.median([hit.radius for hit in run.hits]))

    @property
    def wheel_dps(self) -> float:
        """How fast the wheel turned, clockwise positive: by the first seconds after the launch. At the launch itself it
        may not turn its way yet: a dealer sends both in one go, often the wheel the other way than before."""
        on_its_way_t = self.hits[0].t + _ON_ITS_WAY_S
        first = takewhile(lambda moment: moment.t < on_its_way_t, self.moments)
        speeds = [moment.rotor_dps for moment in first if moment.rotor_seen]
        return float(np.median(speeds)) if speeds else self._launch_dps

    @property
    def ball_light(self) -> float:
        """How bright the ball was on its way."""
        return float(np.median([hit.light for hit in self.hits[-_STEADY_HITS:]]))

    @property
    def launch_seen(self) -> bool:
        """Whether the ball was not there before its first hit: it is nowhere on its way back, at places where it is
        seen on later laps. Else it may have run before; so it may in a view that has only just begun.
        """
        if not self._before or self.hits[0].t - self._before[0].t < _WATCHED_S:
            return False
        start, speed = self.hits[0], pace(self.hits[:_PACE_HITS])
        seen_at = np.zeros(SECTORS, bool)
        seen_at[[_sector(hit.angle_deg) for hit in self.hits]] = True
        empty = 0
        for seen in self._before:
            sector = _sector(start.angle_deg + speed * (seen.t - start.t))
            empty += bool(seen.view == "clear" and seen_at[sector] and seen.covered_around[sector] < _HIDING)
        return empty >= _EMPTY_BEFORE

    def goes_on_with(self, run: Run) -> bool:
        """Whether a run is this ball: the same run, or one that begins no faster soon after that one was lost."""
        if run is self.run:
            return True
        if self.rest is not None:
            return False
        trimmed = _without_stray_end(self.hits)
        last = trimmed[-1]
        new = [hit for hit in run.hits if hit.t > last.t]
        before, after = pace(trimmed[-_PACE_HITS:]), pace(run.hits[-_PACE_HITS:])
        slower = abs(after) < _NEVER_FASTER * abs(before) + _PACE_OFF_DPS
        if not (new and slower and new[0].t - last.t < _RESUMED_S):
            return False
        self.run = run
        if abs(last.radius - self._track_radius) < _ON_TRACK and before * after > 0:
            self._splice(trimmed, new, (before + after) / 2 * (new[0].t - last.t))
            run.hits = self.hits  # the run goes on growing the one list
        return True

    def _splice(self, trimmed: list[Hit], new: list[Hit], turned_deg: float) -> None:
        """Count on through the gap: the ball's pace before and after it tells how far it went meanwhile."""
        landed = trimmed[-1].angle_deg + turned_deg
        off = wrapped(new[0].angle_deg - landed)
        self.laps_in_doubt += abs(off) / 360
        shift = landed + off - new[0].angle_deg
        moved = [Hit(t=hit.t, angle_deg=hit.angle_deg + shift, radius=hit.radius, light=hit.light) for hit in new]
        self.hits = trimmed + moved

    def look(self, seen: Sighting, still: Still) -> bool:
        """Take in one picture; True when nothing more is to come."""
        self.moments.append(moment_of(seen))
        self._watch_rotor()
        self._watch_for_the_end(seen.t, still)
        if self.rest is not None:
            lain_s = self.rest.last_t - self.rest.first_t
            carried_deg = lain_s * abs(seen.turn.speed_dps)
            gone = seen.t - self.rest.last_t > _GONE_S
            return gone or lain_s > _CONFIRMING_S or carried_deg > _CONFIRMING_TURN_DEG
        too_long = seen.t - self.moments[0].t > _LONGEST_S
        return too_long or self.stuck is not None or seen.t - self.run.last.t > _GIVEN_UP_S

    def end_before(self, t: float) -> None:
        """Forget the pictures from a time on: another ball runs in them."""
        self.moments = [moment for moment in self.moments if moment.t < t] or self.moments[:1]

    def _watch_for_the_end(self, now: float, still: Still) -> None:
        last = self.hits[-1]
        if now - last.t > _LOST_S:
            least = _LEAST_REST_LIGHT * self.ball_light
            settled = [p for p in still.on_rotor.settled() if p.first_t > last.t - 1.0 and p.light > least]
            self.rest = settled[0] if settled else self.rest
            self.rivals = [place for place in settled[1:] if place.light > _RIVAL_LIGHT * settled[0].light]
        stuck = [place for place in still.on_stator.settled() if self._ended_at(place)]
        self.stuck = stuck[0] if stuck and self.rest is None else None

    def _ended_at(self, place: Place) -> bool:
        """Whether the ball has lain there for a while: it was last seen near, and not elsewhere since."""
        since = [hit for hit in self.hits[-200:] if hit.t > place.first_t + 0.3] or self.hits[-1:]
        beside = [abs(wrapped(place.angle_deg - hit.angle_deg)) < _STUCK_NEAR_DEG for hit in since]
        as_high = [abs(place.radius - hit.radius) < _ON_TRACK for hit in since]
        as_bright = 0.4 < place.light / self.ball_light < 2.5
        return all(beside) and all(as_high) and as_bright and place.last_t - place.first_t > _STUCK_S

    def _watch_rotor(self) -> None:
        """5.1, 9.1: the wheel goes on turning, the same way."""
        now = self.moments[-1].t
        known = {trouble for _, trouble in self.troubles}
        begun = self.hits[0].t + _ON_ITS_WAY_S
        recent = [each for each in self.moments[-40:] if each.rotor_seen and each.clear and each.t >= begun]
        still = [moment for moment in recent if now - moment.t <= _STOPPED_S]
        if not known and len(still) > 8 and all(abs(moment.rotor_dps) < STOPPED_DPS for moment in still):
            self.troubles.append((still[0].t, "stopped"))
        way = 1 if self.wheel_dps > 0 else -1
        back = [moment for moment in recent if now - moment.t <= _REVERSED_S]
        if "reversed" not in known and len(back) > 6 and all(m.rotor_dps * way < -_REVERSED_DPS for m in back):
            self.troubles.append((back[0].t, "reversed"))


def _without_stray_end(hits: list[Hit]) -> list[Hit]:
    """A run that is lost under a hand may have gone on with the hand for a few pictures."""
    if len(hits) < 2 * _PACE_HITS:
        return hits
    sure = hits[-2 * _PACE_HITS : -_PACE_HITS]
    speed, start = pace(sure), sure[-1]

    def goes_on(hit: Hit) -> bool:
        ahead = hit.angle_deg - start.angle_deg - speed * (hit.t - start.t)
        return abs(ahead) < _STRAY_DEG and abs(hit.radius - start.radius) < _ON_TRACK

    return hits[:-_PACE_HITS] + [hit for hit in hits[-_PACE_HITS:] if goes_on(hit)]


def moment_of(seen: Sighting) -> Moment:
    """What is remembered of a picture."""
    return Moment(
        t=seen.t, rotor_deg=seen.turn.angle_deg, rotor_dps=seen.turn.speed_dps, rotor_seen=seen.turn.seen,
        covered_around=seen.covered_around, clear=seen.view == "clear", glints=seen.glints,
    )  # fmt: skip


def _median_speed(before: Sequence[Sighting], t: float) -> float:
    near = [seen.turn.speed_dps for seen in before if abs(seen.t - t) < 0.5]
    return float(np.median(near or [seen.turn.speed_dps for seen in before]))


def _sector(angle_deg: float) -> int:
    return int(angle_deg % 360 // (360 / SECTORS))
