"""Chips on the move: bets put down and taken back, losing bets swept, payouts cut, poker chips carried about."""

import random
from dataclasses import dataclass, replace

from auditor import log
from auditor.log import cents
from datasets.casino.hands_motion import Hands
from datasets.casino.motion import Timeline
from datasets.casino.motion_chips import Bank, stacks_of, without
from datasets.casino.motion_places import Places, Seat
from datasets.casino.things import CHIP_THICK_MM, ChipStack, Marker, Pose

STACK_REACH_MM = 22.0
JITTER_MM = 2.5
SMALL_CHANGE_SPOTS = ("stack",)


@dataclass(slots=True)
class Standing:
    """A stack at a spot: whose colour it counts for, and on which of the spot's places it stands."""

    id: int
    colour: str | None
    slot: int
    chips: tuple[str, ...]


class ChipPlay:
    """Which stacks stand where. Every gesture answers with the time at which its end can be seen."""

    def __init__(self, timeline: Timeline, places: Places, hands: Hands, bank: Bank, chance: random.Random) -> None:
        self.timeline, self.places, self.hands, self.bank, self.chance = timeline, places, hands, bank, chance
        self.spots: dict[str, list[Standing]] = {}
        self.plaques: dict[str, int] = {}
        self.colours = sorted(bank.colours)

    # ---- what stands ----

    def amount(self, at: str, colour: str | None) -> int:
        """Cents that stand at a spot for a colour."""
        return sum(self.bank.value(stack.chips) for stack in self.spots.get(at, ()) if stack.colour == colour)

    def difference(self, event: log.Chips) -> int:
        """By how much an event raises what stands."""
        return cents(event.amount) - self.amount(event.at, event.colour)

    def height_mm(self, at: str) -> float:
        """How high chips stand in the middle of a spot."""
        return sum(CHIP_THICK_MM * len(stack.chips) for stack in self.spots.get(at, ()) if stack.slot == 0)

    # ---- one event ----

    def change(self, event: log.Chips, t: float) -> float:
        """The spot gets to stand at the event's amount."""
        if event.marker or event.at in self.plaques:
            return self._plaque(event, t)
        rise = self.difference(event)
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
        return hand, replace(self.hands.home(hand), z=4.0)

    def _player(self, event: log.Chips) -> tuple[str, Seat]:
        box = event.at.partition("/")[0].partition("#")[0]
        if box.startswith("box"):
            return box, self.places.player_seat(box)
        number = self.colours.index(event.colour) + 1 if event.colour in self.colours else 0
        return event.colour or "cash", self.places.standing_seat((number + 0.5) / (len(self.colours) + 1))

    def _bring(self, event: log.Chips, rise: int, hand: int, purse: Pose, t: float) -> float:
        chips = self._chips_for(event, rise)
        placed = self._standings(event, chips)
        targets = [self._pose(event.at, stack) for stack in placed]
        near = targets[0]
        stacks = [
            self._thing(stack, replace(purse, x=purse.x + target.x - near.x, y=purse.y + target.y - near.y))
            for stack, target in zip(placed, targets, strict=True)
        ]
        t = self.hands.fetch(hand, t, list(stacks))
        rest = self.hands.carry(hand, t, [stack.id for stack in stacks], targets)
        return self.hands.leave(hand, rest, targets, STACK_REACH_MM).clear

    def _take(self, event: log.Chips, fall: int, hand: int, purse: Pose, t: float) -> float:
        own = [stack for stack in self.spots[event.at] if stack.colour == event.colour]
        left = [self._pose(event.at, stack) for stack in own]
        t = self.hands.go(hand, t, self.hands.holding(hand, left[0], 3.3 * len(own[0].chips)), grip=0.55)
        taken = self._lift(event, fall, t)
        targets = [replace(purse, x=purse.x + (number % 3 - 1) * 40, y=purse.y - 10) for number in range(len(taken))]
        rest = self.hands.carry(hand, t, taken, targets, lift_mm=30.0)
        for thing_id in taken:
            self.timeline.remove(thing_id, rest)
        if event.by == "dealer":
            self.hands.withdraw(hand, rest + self.hands.pace.hold_s)
        return self.hands.clear_of(hand, t, left, STACK_REACH_MM)

    # ---- many spots in one go ----

    def transfer(self, events: list[log.Chips], t: float) -> list[float]:
        """Chips leave some spots and come to rest at others: out of a stack, into the pot, to a winner."""
        hand, _ = self.hand_of(events[0])
        falls = [event for event in events if self.difference(event) < 0]
        held: tuple[str, ...] = ()
        bundle: list[int] = []
        since: dict[int, float] = {}
        for event in falls:
            fall, spot = -self.difference(event), self.places.stack_spots(event.at)[0]
            t = self._pass(hand, bundle, t, spot)
            since[id(event)] = t
            for thing_id in self._lift(event, fall, t):
                held += self.timeline.latest(thing_id).chips
                bundle.append(thing_id)
        for event in events:
            if event not in falls:
                t, held = self._put_down(event, hand, bundle, held, t)
                since[id(event)] = t
        for thing_id in bundle:
            self.timeline.remove(thing_id, t)
        self.hands.withdraw(hand, t + self.hands.pace.hold_s)
        seen: list[float] = []
        for event in events:
            around = [self._pose(event.at, stack) for stack in self.spots.get(event.at, ())]
            around = around or self.places.stack_spots(event.at)[:1]
            clear = self.hands.clear_of(hand, since[id(event)] + self.hands.pace.hold_s, around, STACK_REACH_MM)
            seen.append(max(clear, *seen) if seen else clear)
        return seen

    def _pass(self, hand: int, bundle: list[int], t: float, spot: Pose) -> float:
        """On to the next spot with whatever the hand holds already."""
        if bundle:
            return self.hands.carry(hand, t, bundle, [replace(spot, z=20.0)] * len(bundle))
        return self.hands.go(hand, t, self.hands.holding(hand, spot, 15), grip=0.55)

    def _put_down(
        self, event: log.Chips, hand: int, bundle: list[int], held: tuple[str, ...], t: float
    ) -> tuple[float, tuple[str, ...]]:
        rise = self.difference(event)
        chips = self.bank.part(held, rise)
        if chips is None:
            chips = self._chips_for(event, rise)
        else:
            held = without(held, chips)
        chips = tuple(sorted(chips, key=lambda chip: -self.bank.value((chip,))))
        placed = self._standings(event, chips)
        t = self._pass(hand, bundle, t, self._pose(event.at, placed[0]))
        for stack in placed:
            self.timeline.put(self._thing(stack, self._pose(event.at, stack)), t)
        if bundle and held:
            self.timeline.change(bundle[0], t, chips=held[:20])
            for thing_id in bundle[1:]:
                self.timeline.remove(thing_id, t)
            del bundle[1:]
        return t, held

    # ---- in the dark ----

    def appear(self, event: log.Chips, t: float) -> None:
        """What changed while nobody could see it."""
        for stack in [stack for stack in self.spots.get(event.at, ()) if stack.colour == event.colour]:
            self.timeline.remove(stack.id, t)
            self.spots[event.at].remove(stack)
        if event.amount:
            for stack in self._standings(event, self._chips_for(event, cents(event.amount))):
                self.timeline.put(self._thing(stack, self._pose(event.at, stack)), t)

    # ---- stacks ----

    def _chips_for(self, event: log.Chips, amount: int) -> tuple[str, ...]:
        if event.at.rpartition("/")[2] in SMALL_CHANGE_SPOTS:
            return self.bank.small_change(amount)
        return self.bank.make(amount, self.chance, colour=event.colour)

    def _standings(self, event: log.Chips, chips: tuple[str, ...]) -> list[Standing]:
        """Stacks for chips on the free places of a spot, on top of the others where there is none left."""
        standing = self.spots.setdefault(event.at, [])
        room = len(self.places.stack_spots(event.at))
        placed = []
        for stack in stacks_of(chips):
            free = [slot for slot in range(room) if slot not in {other.slot for other in standing}]
            slot = free[0] if free else min(range(room), key=lambda one: self._top_mm(event.at, one))
            standing.append(Standing(self.timeline.new_id(), event.colour, slot, stack))
            placed.append(standing[-1])
        return placed

    def _top_mm(self, at: str, slot: int) -> float:
        return sum(CHIP_THICK_MM * len(stack.chips) for stack in self.spots[at] if stack.slot == slot)

    def _pose(self, at: str, stack: Standing) -> Pose:
        """Where a stack stands: never quite in the middle, and upon those that were there before it."""
        pose = self.places.stack_spots(at)[stack.slot]
        below = 0.0
        for other in self.spots[at]:
            if other is stack:
                break
            if other.slot == stack.slot:
                below += CHIP_THICK_MM * len(other.chips)
        shake = random.Random(stack.id if not below else f"{at} {stack.slot}")
        jitter = (shake.uniform(-JITTER_MM, JITTER_MM), shake.uniform(-JITTER_MM, JITTER_MM))
        return replace(pose, x=pose.x + jitter[0], y=pose.y + jitter[1], z=below, yaw=shake.uniform(0, 360))

    def _thing(self, stack: Standing, pose: Pose) -> ChipStack:
        return ChipStack(id=stack.id, chips=stack.chips, pose=pose, seed=stack.id)

    def _lift(self, event: log.Chips, fall: int, t: float) -> list[int]:
        """Take chips worth `fall` off a spot under the hand; what they were is put into stacks of their own."""
        standing = self.spots[event.at]
        own = [stack for stack in standing if stack.colour == event.colour]
        held = tuple(chip for stack in own for chip in stack.chips)
        if fall == self.bank.value(held):
            self.spots[event.at] = [stack for stack in standing if stack not in own]
            self._settle_down(event.at, t)
            return [stack.id for stack in own]
        taken = self.bank.part(held, fall)
        stay = None if taken is None else without(held, taken)
        here = self._pose(event.at, own[0])
        for stack in own:
            self.timeline.remove(stack.id, t)
        self.spots[event.at] = [stack for stack in standing if stack not in own]
        if taken is None or stay is None:
            taken = self.bank.make(fall, self.chance, colour=event.colour)
            stay = self._chips_for(event, self.bank.value(held) - fall)
        for stack in self._standings(event, stay):
            self.timeline.put(self._thing(stack, self._pose(event.at, stack)), t)
        lifted = []
        for number, chips in enumerate(stacks_of(taken)):
            pose = replace(here, z=here.z + 12 + number)
            thing = ChipStack(id=self.timeline.new_id(), chips=chips, pose=pose, seed=number)
            self.timeline.put(thing, t)
            lifted.append(thing.id)
        self._settle_down(event.at, t)
        return lifted

    def _settle_down(self, at: str, t: float) -> None:
        """Stacks that stood on what was taken come down, under the same hand."""
        for stack in self.spots.get(at, ()):
            pose = self._pose(at, stack)
            if self.timeline.latest(stack.id).pose.z > pose.z:
                self.timeline.change(stack.id, t, pose=pose)

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
        target = replace(self.places.stack_spots(event.at)[0], z=self.height_mm(event.at))
        plaque = Marker(id=self.timeline.new_id(), pose=purse, text="MAX")
        t = self.hands.fetch(hand, t, [plaque])
        self.plaques[event.at] = plaque.id
        rest = self.hands.carry(hand, t, [plaque.id], [target])
        return self.hands.leave(hand, rest, [target], STACK_REACH_MM).clear
