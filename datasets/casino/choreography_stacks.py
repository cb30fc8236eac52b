"""Stacks of chips: which stand at which spot, where there is room for more, and which chips go when some are taken."""

import random
from dataclasses import dataclass, replace

from auditor import log
from auditor.log import cents
from datasets.casino.motion import Timeline
from datasets.casino.motion_chips import STACK_CHIPS, Bank, stacks_of, without
from datasets.casino.motion_places import Places
from datasets.casino.things import CHIP_THICK_MM, ChipStack, Pose

JITTER_MM = 1.2
SMALL_CHANGE_SPOTS = ("stack",)
MOST_CHIPS = 4 * STACK_CHIPS
"""Nobody is paid more at a time."""


@dataclass(slots=True)
class Standing:
    """A stack at a spot: whose colour it counts for, and on which of the spot's places it stands."""

    id: int
    colour: str | None
    slot: int
    chips: tuple[str, ...]


class Stacks:
    """All chips on the table."""

    def __init__(self, timeline: Timeline, places: Places, bank: Bank, chance: random.Random) -> None:
        self.timeline, self.places, self.bank, self.chance = timeline, places, bank, chance
        self.spots: dict[str, list[Standing]] = {}

    def amount(self, at: str, colour: str | None) -> int:
        """Cents that stand at a spot for a colour."""
        return sum(self.bank.value(stack.chips) for stack in self.spots.get(at, ()) if stack.colour == colour)

    def difference(self, event: log.Chips) -> int:
        """By how much an event raises what stands."""
        return cents(event.amount) - self.amount(event.at, event.colour)

    def height_mm(self, at: str) -> float:
        """How high chips stand in the middle of a spot."""
        return sum(CHIP_THICK_MM * len(stack.chips) for stack in self.spots.get(at, ()) if stack.slot == 0)

    def chips_for(self, event: log.Chips, amount: int) -> tuple[str, ...]:
        """Chips that somebody would make an amount of at a spot."""
        if event.at.rpartition("/")[2] in SMALL_CHANGE_SPOTS:
            return self.bank.small_change(amount)
        slots = len(self.places.stack_spots(event.at))
        room = slots * STACK_CHIPS - sum(len(stack.chips) for stack in self.spots.get(event.at, ()))
        return self.bank.make(amount, self.chance, colour=event.colour, room=max(min(room, MOST_CHIPS), 1))

    def stand(self, event: log.Chips, chips: tuple[str, ...]) -> list[Standing]:
        """Stacks for chips on the free places of a spot, on top of the others where there is none left."""
        standing = self.spots.setdefault(event.at, [])
        placed = []
        for stack in stacks_of(chips):
            while stack:
                slot, below = self._lowest(event.at)
                here = STACK_CHIPS - below if below < STACK_CHIPS else len(stack)  # no room at all: higher still
                standing.append(Standing(self.timeline.new_id(), event.colour, slot, stack[:here]))
                placed.append(standing[-1])
                stack = stack[here:]
        return placed

    def _lowest(self, at: str) -> tuple[int, int]:
        """The first of the spot's places on which fewest chips stand, and how many."""
        heights = [0] * len(self.places.stack_spots(at))
        for stack in self.spots[at]:
            heights[stack.slot] += len(stack.chips)
        lowest = min(heights)
        return heights.index(lowest), lowest

    def pose(self, at: str, stack: Standing) -> Pose:
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

    def thing(self, stack: Standing, pose: Pose) -> ChipStack:
        return ChipStack(id=stack.id, chips=stack.chips, pose=pose, seed=stack.id)

    def lift(self, event: log.Chips, fall: int, t: float) -> list[int]:
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
        here = self.pose(event.at, own[0])
        for stack in own:
            self.timeline.remove(stack.id, t)
        self.spots[event.at] = [stack for stack in standing if stack not in own]
        if taken is None or stay is None:
            taken = self.chips_for(event, fall)
            stay = self.chips_for(event, self.bank.value(held) - fall)
        for stack in self.stand(event, stay):
            self.timeline.put(self.thing(stack, self.pose(event.at, stack)), t)
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
            pose = self.pose(at, stack)
            if self.timeline.latest(stack.id).pose.z > pose.z:
                self.timeline.change(stack.id, t, pose=pose)

    def appear(self, event: log.Chips, t: float) -> None:
        """What changed while nobody could see it."""
        for stack in [stack for stack in self.spots.get(event.at, ()) if stack.colour == event.colour]:
            self.timeline.remove(stack.id, t)
            self.spots[event.at].remove(stack)
        if event.amount:
            for stack in self.stand(event, self.chips_for(event, cents(event.amount))):
                self.timeline.put(self.thing(stack, self.pose(event.at, stack)), t)
