"""The ball on its way: glints that follow each other as a ball does are one run.

A ball on the track keeps its direction and slows a little. Every pair of glints might be the beginning of a run; the
pair whose prediction keeps coming true is one. Where the ball is hidden the run goes on by its own motion for a while.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.wheel.eye import Sighting
from vision.wheel.glints import BALL_RADIUS, Glint
from vision.wheel.places import Places
from vision.wheel.shape import wrapped

SLOWEST_DPS, FASTEST_DPS = 60.0, 1200.0
OUTSIDE = 1.04
"""The rotor ends below this radius."""
INSIDE = 0.97
"""Below this radius the ball is on the rotor, and moves as the rotor and its frets will have it."""
_LEAST_LIGHT = 0.06
_BRIGHTEST = 2.5  # times as bright as it was, it is no longer the ball but a hand behind it
_FADED = 0.1  # times as bright, the ball may still be seen where it must be
_FAINTEST = 0.25  # times as bright, no new run is begun, and none is followed back
_GLEAM_HITS = 6  # so often at one place of the stator, it is a gleam of the stator
_CONFIRMING_HITS = 6
_CONFIRMING_LAPS = 1 / 6
_KNOWN_HITS = 30  # of a run tell how bright the ball is
_PATIENCE_S = 0.9
_YOUTH_PATIENCE_S, _BACK_PATIENCE_S = 0.15, 0.25
_SPEED_SPAN_S = 0.3
_MEMORY_S = 4.0
_MOST_GUESSES = 40
_WITH_ROTOR_DPS = 30.0
_SOFT_DEG = 5.0  # by so much a lens and a codec may lengthen a streak


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """The ball where it was seen; the angle is clockwise and never wrapped."""

    t: float
    angle_deg: float
    radius: float
    light: float


def _longest(glint: Glint, moved_deg: float) -> float:
    """How long a streak may be of a ball that moved so far since the last picture: no shutter is open for longer.

    What gleams along half a ring because the camera sways, or because a lamp moves, is no ball.
    """
    return float(np.degrees(2 * BALL_RADIUS / glint.radius)) + 1.15 * abs(moved_deg) + _SOFT_DEG


def pace(hits: Sequence[Hit]) -> float:
    """Degrees a second over all of the hits."""
    times = np.array([hit.t - hits[0].t for hit in hits])
    times -= times.mean()
    return float((times * [hit.angle_deg for hit in hits]).sum() / max(1e-9, float((times**2).sum())))


@dataclass(slots=True)
class Run:
    """A ball, or what may be one, from glint to glint."""

    hits: list[Hit]
    looks: int = 0
    speed_dps: float = field(init=False)

    def __post_init__(self) -> None:
        self.speed_dps = self._slope()

    @property
    def last(self) -> Hit:
        return self.hits[-1]

    @property
    def way_laps(self) -> float:
        """How far it has gone."""
        return abs(self.last.angle_deg - self.hits[0].angle_deg) / 360

    @property
    def confirmed(self) -> bool:
        """Whether chance can no longer explain it."""
        far = self.way_laps > _CONFIRMING_LAPS
        return len(self.hits) >= _CONFIRMING_HITS and far and 2 * len(self.hits) > self.looks

    def expected(self, t: float) -> float:
        """Where it should be by now."""
        return self.last.angle_deg + self.speed_dps * (t - self.last.t)

    def take(self, t: float, glints: Sequence[Glint], faintest: float = _FADED) -> bool:
        """Go on with the glint that lies where the ball must be, if there is one as bright, or somewhat fainter."""
        self.looks += 1
        guess = self.expected(t)
        reach = 6.0 + 0.12 * abs(self.speed_dps * (t - self.last.t))
        usual = float(np.median([hit.light for hit in self.hits[-15:]]))
        least, most = max(_LEAST_LIGHT, faintest * usual), _BRIGHTEST * usual
        best: tuple[float, Glint, float] | None = None
        for glint in glints:
            off = wrapped(glint.angle_deg - guess)
            if abs(off) > reach or abs(glint.radius - self.last.radius) > 0.16 or not least < glint.light < most:
                continue
            if glint.length_deg > _longest(glint, guess + off - self.last.angle_deg):
                continue
            merit = min(glint.light, 1.0) * (1 - 0.6 * abs(off) / reach)
            if best is None or merit > best[0]:
                best = (merit, glint, off)
        if best is None:
            return False
        _, glint, off = best
        self.hits.append(Hit(t=t, angle_deg=guess + off, radius=glint.radius, light=glint.light))
        self.speed_dps = self._slope()
        return True

    def _slope(self) -> float:
        near = [hit for hit in self.hits[-12:] if abs(hit.t - self.last.t) <= _SPEED_SPAN_S] or self.hits[-2:]
        if len(near) < 3:
            near = self.hits[-3:]
        return pace(near)


class Chase:
    """Finds runs among the glints and follows them."""

    def __init__(self) -> None:
        self.memory: deque[Sighting] = deque()
        self._guesses: list[Run] = []
        self._outer: list[Glint] = []  # of the picture before
        self._ball_light: float | None = None  # not known yet
        self.run: Run | None = None

    def look(self, seen: Sighting, on_stator: Places) -> Run | None:
        """The run there is after this picture; a new one is told from the last by being another object.

        What gleams again and again at one place of the stator begins no run.
        """
        gleams = [place for place in on_stator.known if place.hits >= _GLEAM_HITS]
        outer = [
            glint for glint in seen.glints
            if glint.radius > OUTSIDE and self._like_a_ball(glint)
            and not any(place.holds(glint.angle_deg, glint.radius) for place in gleams)
        ]  # fmt: skip
        if self.run is not None:
            if len(self.run.hits) == _KNOWN_HITS:
                self._ball_light = float(np.median([hit.light for hit in self.run.hits]))
            if self.run.take(seen.t, seen.glints):
                self._guesses.clear()
            if seen.t - self.run.last.t > _PATIENCE_S or self.run.last.radius < INSIDE:
                self.run = None  # hidden for too long, or fallen into the rotor
        if self.run is None or self.run.last.t < seen.t:
            self._guess(seen, outer)
        self._outer = outer
        self.memory.append(seen)
        while seen.t - self.memory[0].t > _MEMORY_S:
            self.memory.popleft()
        return self.run

    def _guess(self, seen: Sighting, outer: list[Glint]) -> None:
        kept = []
        for guess in self._guesses:
            guess.take(seen.t, outer)
            if seen.t - guess.last.t <= _YOUTH_PATIENCE_S:
                kept.append(guess)
        for guess in kept:
            if guess.confirmed and not self._with_rotor(guess, seen):
                self.run = self._from_the_start(guess)
                self._guesses.clear()
                return
        kept += self._pairs(seen, outer)
        kept.sort(key=lambda guess: (-len(guess.hits), -guess.last.light))
        self._guesses = kept[:_MOST_GUESSES]

    def _pairs(self, seen: Sighting, outer: list[Glint]) -> Iterator[Run]:
        if not self.memory:
            return
        before = self.memory[-1]
        gap_s = seen.t - before.t
        for first in self._outer:
            for second in outer:
                step = wrapped(second.angle_deg - first.angle_deg)
                alike = 0.3 < second.light / first.light < 3.3 and abs(second.radius - first.radius) < 0.1
                alike = alike and max(first.length_deg, second.length_deg) < _longest(second, step)
                if alike and SLOWEST_DPS < abs(step) / max(gap_s, 1e-3) < FASTEST_DPS:
                    hits = [(before.t, first, first.angle_deg), (seen.t, second, first.angle_deg + step)]
                    yield Run([Hit(t=t, angle_deg=a, radius=g.radius, light=g.light) for t, g, a in hits], looks=2)

    def _like_a_ball(self, glint: Glint) -> bool:
        if self._ball_light is None:
            return glint.light > _LEAST_LIGHT
        return max(_LEAST_LIGHT, _FAINTEST * self._ball_light) < glint.light < _BRIGHTEST * self._ball_light

    def _with_rotor(self, guess: Run, seen: Sighting) -> bool:
        """A gleam of the rotor goes round with it; a ball sent the same way is much faster."""
        return abs(guess.speed_dps - seen.turn.speed_dps) < _WITH_ROTOR_DPS

    def _from_the_start(self, guess: Run) -> Run:
        """Follow a run that is sure by now back to where it was first seen."""
        back = Run(hits=guess.hits[:8][::-1])
        for seen in reversed(self.memory):
            if seen.t >= back.last.t:
                continue
            outer = [glint for glint in seen.glints if glint.radius > OUTSIDE]
            if not back.take(seen.t, outer, _FAINTEST) and back.last.t - seen.t > _BACK_PATIENCE_S:
                break
        earlier = back.hits[len(guess.hits[:8]) :][::-1]
        return Run(hits=[*earlier, *guess.hits], looks=guess.looks + len(earlier))
