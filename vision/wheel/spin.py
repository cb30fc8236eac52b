"""Spins: from the launch of the ball to its end, as `fairdeal spin` tells them and as the table log wants them."""

import math
from collections.abc import Iterable, Iterator

from auditor import log
from vision.frames import Frame
from vision.wheel.attempt import Attempt, Moment, Still, moment_of
from vision.wheel.ball import Chase, Run
from vision.wheel.conclusion import conclude, conclude_rest
from vision.wheel.eye import FEWEST, Sighting, WheelEye, sightings
from vision.wheel.places import Places
from vision.wheel.planes import Planes, planes_of
from vision.wheel.told import Spin
from vision.wheel.verdict import LEAST_LAPS

LEAST_WAY_LAPS = 0.5
"""A ball that goes less far was never let go: a hand carries it along the rim before it sends it."""
UNHEARD_CONF = 0.3
"""No camera hears the dealer: that he did not call a spin off which was none is never certain."""
_EARLY_S, _CAME_LATER_S, _CONFIRMING_S, _BALL_LIGHT = 6.0, 0.25, 2.0, 0.25


class Watch:
    """Watches a wheel: follows the ball, and says of every launch what became of it."""

    def __init__(self) -> None:
        self._chase = Chase()
        self._on_rotor = Places(0.56, 1.02)
        self._on_stator = Places(0.98, 2.1)
        self._attempt: Attempt | None = None
        self._told: Run | None = None
        self._eye: WheelEye | None = None
        self._pictures = 0
        self._early: list[Moment] | None = []

    def spins(self, pictures: Iterable[Planes]) -> Iterator[Spin]:
        """The spins that pictures of a wheel show, each as soon as it is over."""
        for eye, seen in sightings(self._counted(pictures)):
            yield from self.look(eye, seen)
        yield from self.finish()

    def _counted(self, pictures: Iterable[Planes]) -> Iterator[Planes]:
        for picture in pictures:
            self._pictures += 1
            yield picture

    @property
    def why_nothing(self) -> str:
        """In a few words, why no spin was told."""
        if self._pictures < FEWEST:
            return f"{self._pictures} pictures are too few to find a turning wheel in"
        return "no turning wheel was found" if self._eye is None else "the wheel turns, but no ball was sent round it"

    @property
    def since(self) -> float | None:
        """When the launch that is being followed began; nothing earlier will be told any more."""
        run = self._chase.run
        begun = [] if run is None or run is self._told else [run.hits[0].t]
        return min(begun + ([] if self._attempt is None else [self._attempt.hits[0].t]), default=None)

    def look(self, eye: WheelEye, seen: Sighting) -> Iterator[Spin]:
        """Take in the next picture; give the spin that is over with it."""
        self._eye = eye
        run = self._chase.look(seen, self._on_stator)
        self._on_rotor.look(seen.t, seen.glints, seen.turn.angle_deg)
        self._on_stator.look(seen.t, seen.glints, 0.0)
        if run is not None and run is not self._told:
            known = self._attempt is not None and self._attempt.goes_on_with(run)
            if not known and run.way_laps >= LEAST_WAY_LAPS:
                yield from self.finish(run.hits[0].t)
                self._attempt, self._told = Attempt(run, self._chase.memory), None
        if self._attempt is None and self._early is not None:
            yield from self._only_the_end(eye, seen)
        if self._attempt is not None:
            self._early = None
        still = Still(on_rotor=self._on_rotor, on_stator=self._on_stator)
        if self._attempt is not None and self._attempt.look(seen, still):
            yield from self.finish()

    def _only_the_end(self, eye: WheelEye, seen: Sighting) -> Iterator[Spin]:
        """A view that begins after the ball left the track still shows it come to rest."""
        early = self._early or []
        early.append(moment_of(seen))
        began = early[0].t
        for place in self._on_rotor.settled():
            confirmed = place.light > _BALL_LIGHT and place.last_t - place.first_t > _CONFIRMING_S
            if confirmed and place.first_t - began > _CAME_LATER_S:
                self._early = None
                yield conclude_rest(place, early, eye)
                return
        if seen.t - began > _EARLY_S:
            self._early = None

    def finish(self, next_t: float = math.inf) -> Iterator[Spin]:
        """Conclude the spin that is under way, if there is one; what is seen from the next launch on is not of it."""
        attempt, self._attempt = self._attempt, None
        if attempt is not None:
            self._told = attempt.run  # another ball may be on its way already
            attempt.end_before(next_t)
        if attempt is not None and self._eye is not None:
            yield conclude(attempt, self._eye)


def spins(frames: Iterable[Frame]) -> Iterator[Spin]:
    """The spins that the frames of a wheel camera show, each as soon as it is over."""
    return Watch().spins(map(planes_of, frames))


def spin_events(spin: Spin) -> list[log.AnyEvent]:
    """The spin as events of the table log, in time order."""
    conf = round(spin.conf, 3)
    ball, wheel = spin.ball, spin.wheel
    events: list[log.AnyEvent] = []
    if ball.dir is not None and wheel.dir is not None:
        t = spin.opened if ball.launch is None else ball.launch
        events.append(log.Spin(t=t, ball=ball.dir, wheel=wheel.dir, rpm=wheel.rpm, rps=ball.rps, conf=conf))
    if ball.leave_track is not None:
        if ball.laps is not None and ball.laps < LEAST_LAPS:
            events.append(log.Call(t=ball.leave_track, what="no_spin", conf=UNHEARD_CONF))
        events.append(log.Ball(t=ball.leave_track, event="leave_track", laps=ball.laps, deg=ball.drop_deg, conf=conf))
    events += [log.Wheel(t=t, event=trouble, conf=conf) for t, trouble in wheel.events]
    if ball.end != "unseen":
        t = ball.rest if ball.rest is not None else spin.closed
        events.append(log.Ball(t=t, event=ball.end, pocket=ball.pocket, conf=conf))
    return sorted(events, key=lambda event: event.t)
