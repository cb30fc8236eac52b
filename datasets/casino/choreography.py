"""The choreography: a dealer's events become movements on a table, and get the times at which a camera could see them.

The order is the dealer's. An event's new time is that at which its thing lies at rest and the hand that brought it is
no longer above it; the next gesture begins then. At real pace people also pause, as the dealer's own pauses ask.
"""

import random
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from auditor import log
from auditor.log import AnyEvent
from datasets.casino.choreography_cards import CardPlay
from datasets.casino.choreography_chips import ChipPlay
from datasets.casino.choreography_signs import Signs
from datasets.casino.choreography_supply import Supply
from datasets.casino.hands_motion import PACES, Hands, Pace
from datasets.casino.motion import Timeline
from datasets.casino.motion_chips import Bank
from datasets.casino.motion_places import Places
from vision.plan import Plan

FIRST_GESTURE_S, GESTURE_S, LAUNCH_S = 1.0, 0.6, 1.2
SEEN_S = 0.3
MAX_TRANSFER = 16
FeedState = Literal["lost", "back", "blocked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A stretch of time in which the table cannot be seen; `state` as the log calls it."""

    start: float
    end: float
    state: FeedState


@dataclass(slots=True, kw_only=True)
class Performance:
    """What was choreographed: all movements, the events with the times at which they can be seen, lost views.

    `things` are the ids of what each event tells of, `dealt` its time by the dealer's own clock.
    """

    timeline: Timeline = field(default_factory=Timeline)
    events: list[AnyEvent] = field(default_factory=list)
    things: list[tuple[int, ...]] = field(default_factory=list)
    unseen: list[Interval] = field(default_factory=list)
    dealt: list[float] = field(default_factory=list)

    def when(self, dealt_t: float) -> float:
        """The time of the footage for a time of the dealer's: that of the last event before it, and as long after."""
        number = bisect_right(self.dealt, dealt_t) - 1
        if number < 0:
            return dealt_t
        last = number + 1 == len(self.dealt)
        seen = self.events[number].t + dealt_t - self.dealt[number]
        return round(seen if last else min(seen, self.events[number + 1].t), 2)


class Choreographer:
    """Performs the events of one table one after another."""

    def __init__(self, plan: Plan, bank: Bank, *, pace: str, seed: int) -> None:
        self.performance = Performance()
        self.pace: Pace = PACES[pace]
        timeline, places = self.performance.timeline, Places(plan)
        self.hands = Hands(timeline, places, self.pace)
        self.supply = Supply(timeline, places, self.hands)
        self.cards = CardPlay(timeline, places, self.hands, self.supply)
        self.chips = ChipPlay(timeline, places, self.hands, bank, random.Random(f"chips {seed}"))
        self.signs = Signs(timeline, places, self.hands, self.chips.stacks)
        self.carries_chips = places.has("pot")
        self.t, self.dealt_t = FIRST_GESTURE_S, 0.0
        self.spin: tuple[float, float] | None = None  # the launch by the dealer's clock and by the footage's

    def perform(self, events: list[AnyEvent]) -> None:
        """Go through events in their order."""
        waiting = list(events)
        while waiting:
            group = self._gesture(waiting)
            del waiting[: len(group)]
            first = group[0]
            if isinstance(first, log.Feed) and first.state != "back":
                self._lose_view(first, waiting)
                continue
            start = max(self.t + self._pause(first), self._on_wheel_clock(first) - GESTURE_S)
            for event, seen in zip(group, self._perform(group, start), strict=True):
                self._note(event, seen)

    def _gesture(self, waiting: list[AnyEvent]) -> list[AnyEvent]:
        """The events one hand brings about in one go: chips that leave some spots and come to others, where none are
        left over (poker tables); else the first event alone."""
        first = waiting[0]
        if not self.carries_chips or not isinstance(first, log.Chips):
            return waiting[:1]
        total = 0
        for number, event in enumerate(waiting[:MAX_TRANSFER]):
            if not isinstance(event, log.Chips) or event.by != first.by or event.by is None:
                break
            if event.by == "player" and event.at.partition("/")[0] != first.at.partition("/")[0]:
                break
            total += self.chips.stacks.difference(event)
            if total == 0 and number:
                return waiting[: number + 1]
        return waiting[:1]

    def _pause(self, event: AnyEvent) -> float:
        gap = event.t - self.dealt_t
        pause = min(gap * self.pace.waiting, self.pace.longest_wait_s)
        # What one hand put down lies there to be seen before the next hand comes to the same box.
        last = self.performance.events[-1] if self.performance.events else None
        is_same = last is not None and _box_of(last) is not None and _box_of(last) == _box_of(event)
        return max(pause, SEEN_S) if is_same else pause

    def _note(self, event: AnyEvent, seen: float) -> None:
        self.t = max(self.t, round(seen, 2))
        self.performance.events.append(msgspec.structs.replace(event, t=self.t))
        self.performance.things.append(self._told_of(event))
        self.performance.dealt.append(event.t)
        self.dealt_t = event.t

    def _told_of(self, event: AnyEvent) -> tuple[int, ...]:
        """The things whose state an event tells; none where it tells that they are gone."""
        match event:
            case log.Card() | log.Tile() | log.Turn() | log.Set():
                return self.cards.touched
            case log.Chips(at=at, colour=colour):
                return tuple(stack.id for stack in self.chips.stacks.spots.get(at, ()) if stack.colour == colour)
            case _:
                return ()

    def _perform(self, group: list[AnyEvent], t: float) -> list[float]:
        moved = [event for event in group if isinstance(event, log.Chips)]
        if len(moved) > 1:
            return self.chips.transfer(moved, t)
        return [self._perform_one(group[0], t)]

    def _perform_one(self, event: AnyEvent, t: float) -> float:
        match event:
            case log.Chips():
                return self.chips.change(event, t)
            case log.Card() | log.Tile():
                return self.cards.deal(event, t)
            case log.Turn():
                return self.cards.turn(event, t)
            case log.Gone():
                return self.cards.gone(event, t)
            case log.Set():
                return self.cards.set_hand(event, t)
            case log.Shuffle():
                return self.supply.shuffle(t, min(1.0 + self._pause(event), 8.0))
            case log.Cut():
                return self.supply.cut(self._cutter(event), t)
            case log.CuttingCard():
                return self.supply.cutting_card(t)
            case log.Call():
                return self.signs.call(event, t)
            case log.Marker():
                return self.signs.put_marker(event, t)
            case log.Button():
                return self.signs.put_button(event, t)
            case log.Dolly():
                return self.signs.put_dolly(event, t)
            case log.Dice():
                return self.signs.throw(event, t)
            case log.Spin() | log.Ball() | log.Wheel():
                return self._wheel(event)
            case _:
                return t

    def _cutter(self, event: log.Cut) -> int:
        if event.by == "player":
            box = event.at or "box1"
            return self.hands.player(box, self.cards.places.player_seat(box))
        return self.hands.dealer("right")

    def _wheel(self, event: log.Spin | log.Ball | log.Wheel) -> float:
        """A wheel keeps its own time at any pace; a launch takes the dealer's hand."""
        if isinstance(event, log.Spin):
            self.signs.at_wheel(self.t + 0.2)
            self.spin = (event.t, round(self.t + LAUNCH_S, 2))
            return self.spin[1]
        t = max(self.t, self._on_wheel_clock(event))
        if isinstance(event, log.Ball) and event.event != "leave_track":
            self.spin = None
        return t

    def _on_wheel_clock(self, event: AnyEvent) -> float:
        """When an event is due while the ball rolls: as long after the launch as the dealer has it."""
        return 0.0 if self.spin is None else self.spin[1] + event.t - self.spin[0]

    def _lose_view(self, lost: log.Feed, waiting: list[AnyEvent]) -> None:
        """Until the view is back nothing is seen; what stands otherwise then has changed in between."""
        self._note(lost, self.t + 0.4)
        start = self.t
        while waiting and not (isinstance(waiting[0], log.Feed) and waiting[0].state == "back"):
            waiting.pop(0)
        if not waiting:
            return
        back = waiting.pop(0)
        end = start + max(2.0, min(back.t - lost.t, 6.0))
        self._note(back, end)
        self.performance.unseen.append(Interval(start=start, end=end, state=lost.state))
        while waiting and isinstance(waiting[0], log.Chips) and waiting[0].by is None and waiting[0].t == back.t:
            event = waiting.pop(0)
            assert isinstance(event, log.Chips)
            self.chips.stacks.appear(event, (start + end) / 2)
            self._note(event, self.t)


def choreograph(events: Iterator[list[AnyEvent]], plan: Plan, bank: Bank, *, pace: str, seed: int) -> Performance:
    """Perform rounds of events on a table."""
    choreographer = Choreographer(plan, bank, pace=pace, seed=seed)
    for each in events:
        choreographer.perform(each)
    return choreographer.performance


def _box_of(event: AnyEvent) -> str | None:
    at = getattr(event, "at", None)
    return at.partition("/")[0].partition("#")[0] if isinstance(at, str) else None
