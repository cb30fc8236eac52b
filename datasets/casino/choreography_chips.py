"""Chips on the move: bets put down and taken back, losing bets swept, payouts cut, poker chips carried about."""

import random
from dataclasses import replace

from auditor import log
from datasets.casino.choreography_stacks import Stacks
from datasets.casino.hands_motion import Hands
from datasets.casino.motion import Timeline
from datasets.casino.motion_chips import Bank, without
from datasets.casino.motion_places import Places, Seat
from datasets.casino.things import Marker, Pose

STACK_REACH_MM = 22.0


class ChipPlay:
    """Which stacks stand where. Every gesture answers with the time at which its end can be seen."""

    def __init__(self, timeline: Timeline, places: Places, hands: Hands, bank: Bank, chance: random.Random) -> None:
        self.timeline, self.places, self.hands, self.bank = timeline, places, hands, bank
        self.stacks = Stacks(timeline, places, bank, chance)
        self.plaques: dict[str, int] = {}
        self.colours = sorted(bank.colours)

    # ---- one event ----

    def change(self, event: log.Chips, t: float) -> float:
        """The spot gets to stand at the event's amount."""
        if event.marker or event.at in self.plaques:
            return self._plaque(event, t)
        rise = self.stacks.difference(event)
        hand, purse = self.hand_of(event)
        if rise > 0:
            return self._bring(event, rise, hand, purse, t)
        if rise < 0:
            return self._take(event, -rise, hand, purse, t)
        return t

    def hand_of(self, event: log.Chips) -> tuple[int, Pose]:
        """Whose hand moves the chips, and where it has them from."""
        spot = self.places.stack_spots(event.at)[0]
        if event.by == "dealer":
            hand, rack = self.hands.dealer_for(spot), self.places.source("rack")
            return hand, replace(rack, x=max(-140.0, min(140.0, spot.x * 0.3)))
        hand = self.hands.player(*self._player(event))
        home = self.hands.home(hand)
        return hand, replace(home, z=home.z - 10.0)

    def _player(self, event: log.Chips) -> tuple[str, Seat]:
        box = event.at.partition("/")[0].partition("#")[0]
        if box.startswith("box"):
            return box, self.places.player_seat(box)
        number = self.colours.index(event.colour) + 1 if event.colour in self.colours else 0
        return event.colour or "cash", self.places.standing_seat((number + 0.5) / (len(self.colours) + 1))

    def _bring(self, event: log.Chips, rise: int, hand: int, purse: Pose, t: float) -> float:
        chips = self.stacks.chips_for(event, rise)
        placed = self.stacks.stand(event, chips)
        targets = [self.stacks.pose(event.at, stack) for stack in placed]
        near = targets[0]
        stacks = [
            self.stacks.thing(stack, replace(purse, x=purse.x + target.x - near.x, y=purse.y + target.y - near.y))
            for stack, target in zip(placed, targets, strict=True)
        ]
        t = self.hands.fetch(hand, t, list(stacks))
        rest = self.hands.carry(hand, t, [stack.id for stack in stacks], targets)
        return self.hands.leave(hand, rest, targets, STACK_REACH_MM)

    def _take(self, event: log.Chips, fall: int, hand: int, purse: Pose, t: float) -> float:
        own = [stack for stack in self.stacks.spots[event.at] if stack.colour == event.colour]
        left = [self.stacks.pose(event.at, stack) for stack in own]
        t = self.hands.go(hand, t, self.hands.holding(hand, left[0], 3.3 * len(own[0].chips)), grip=0.55)
        taken = self.stacks.lift(event, fall, t)
        targets = [replace(purse, x=purse.x + (number % 3 - 1) * 40, y=purse.y - 10) for number in range(len(taken))]
        rest = self.hands.carry(hand, t, taken, targets, lift_mm=30.0)
        for thing_id in taken:
            self.timeline.remove(thing_id, rest)
        if event.by == "dealer":
            self.hands.withdraw(hand, rest + self.hands.pace.hold_s)
        t = self.hands.gone_from(self.places.zone(event.at), taken, t)
        return self.hands.clear_of(hand, t, left, STACK_REACH_MM)

    # ---- many spots in one go ----

    def transfer(self, events: list[log.Chips], t: float) -> list[float]:
        """Chips leave some spots and come to rest at others: out of a stack, into the pot, to a winner."""
        hand, _ = self.hand_of(events[0])
        falls = [event for event in events if self.stacks.difference(event) < 0]
        held: tuple[str, ...] = ()
        bundle: list[int] = []
        since: dict[int, float] = {}
        lifted: list[int] = []
        for event in falls:
            fall, spot = -self.stacks.difference(event), self.places.stack_spots(event.at)[0]
            t = self._pass(hand, bundle, t, spot)
            since[id(event)] = t
            for thing_id in self.stacks.lift(event, fall, t):
                held += self.timeline.latest(thing_id).chips
                bundle.append(thing_id)
                lifted.append(thing_id)
        for event in events:
            if event not in falls:
                t, held = self._put_down(event, hand, bundle, held, t)
                since[id(event)] = t
        for thing_id in bundle:
            self.timeline.remove(thing_id, t)
        self.hands.withdraw(hand, t + self.hands.pace.hold_s)
        return self._seen(events, hand, since, {id(event): lifted for event in falls})

    def _seen(
        self, events: list[log.Chips], hand: int, since: dict[int, float], lifted: dict[int, list[int]]
    ) -> list[float]:
        """When each spot of a transfer can be seen as it then stands, in the order of the log."""
        seen = [0.0]
        for event in events:
            t = since[id(event)]
            left = self.hands.gone_from(self.places.zone(event.at), lifted.get(id(event), []), t)
            around = [self.stacks.pose(event.at, stack) for stack in self.stacks.spots.get(event.at, ())]
            around = around or self.places.stack_spots(event.at)[:1]
            clear = self.hands.clear_of(hand, max(left, t + self.hands.pace.hold_s), around, STACK_REACH_MM)
            seen.append(max(clear, seen[-1]))
        return seen[1:]

    def _pass(self, hand: int, bundle: list[int], t: float, spot: Pose) -> float:
        """On to the next spot with whatever the hand holds already."""
        if bundle:
            return self.hands.carry(hand, t, bundle, [replace(spot, z=20.0)] * len(bundle))
        return self.hands.go(hand, t, self.hands.holding(hand, spot, 15), grip=0.55)

    def _put_down(
        self, event: log.Chips, hand: int, bundle: list[int], held: tuple[str, ...], t: float
    ) -> tuple[float, tuple[str, ...]]:
        rise = self.stacks.difference(event)
        chips = self.bank.part(held, rise)
        if chips is None:
            chips = self.stacks.chips_for(event, rise)
        else:
            held = without(held, chips)
        chips = tuple(sorted(chips, key=lambda chip: -self.bank.value((chip,))))
        placed = self.stacks.stand(event, chips)
        t = self._pass(hand, bundle, t, self.stacks.pose(event.at, placed[0]))
        for stack in placed:
            self.timeline.put(self.stacks.thing(stack, self.stacks.pose(event.at, stack)), t)
        if bundle and held:
            self.timeline.change(bundle[0], t, chips=held[:20])
            for thing_id in bundle[1:]:
                self.timeline.remove(thing_id, t)
            del bundle[1:]
        return t, held

    def _plaque(self, event: log.Chips, t: float) -> float:
        """A maximum marker stands for chips that would not fit."""
        hand, purse = self.hand_of(event)
        if event.at in self.plaques:
            thing_id = self.plaques.pop(event.at)
            pose = self.timeline.latest(thing_id).pose
            t = self.hands.go(hand, t, self.hands.holding(hand, pose), grip=0.5)
            rest = self.hands.carry(hand, t, [thing_id], [purse])
            self.timeline.remove(thing_id, rest)
            self.hands.withdraw(hand, rest)
            return self.hands.clear_of(hand, t, [pose], STACK_REACH_MM)
        target = replace(self.places.stack_spots(event.at)[0], z=self.stacks.height_mm(event.at))
        plaque = Marker(id=self.timeline.new_id(), pose=purse, text="MAX")
        t = self.hands.fetch(hand, t, [plaque])
        self.plaques[event.at] = plaque.id
        rest = self.hands.carry(hand, t, [plaque.id], [target])
        return self.hands.leave(hand, rest, [target], STACK_REACH_MM)
