"""Money as chips: which chips make an amount, how they stand in stacks, which of them must go when an amount falls."""

import random
from dataclasses import dataclass
from itertools import groupby

from auditor.log import FairdealError, cents

STACK_CHIPS = 20
"""Nobody builds higher: a stack of twenty is a casino's measure."""
HANDFUL = 12
CASH = {"pink": 0.5, "white": 1, "red": 5, "green": 25, "black": 100, "purple": 500}
ROULETTE_CASH = {"white": 1, "red": 5, "orange": 25, "black": 100, "purple": 500}
"""Roulette players have chips of their own colours; cash chips keep clear of them."""


def cash_chips(rulebook: str) -> dict[str, float]:
    """The colours and values of a table's cash chips."""
    return dict(ROULETTE_CASH if rulebook == "act-roulette" else CASH)


@dataclass(frozen=True, slots=True)
class Bank:
    """Values in cents of a table's cash chips, and of the players' own colours."""

    cash: dict[str, int]
    colours: dict[str, int]

    def value(self, chips: tuple[str, ...]) -> int:
        """What chips are worth."""
        return sum(self._value_of(chip) for chip in chips)

    def _value_of(self, chip: str) -> int:
        return self.colours[chip] if chip in self.colours else self.cash[chip]

    def make(
        self, amount: int, chance: random.Random, *, colour: str | None = None, room: int = STACK_CHIPS
    ) -> tuple[str, ...]:
        """Chips for an amount, highest at the bottom; a handful more than need be, as people do.

        A colour's owner is given as many of his own chips as there is room for beside cash chips for the rest.
        """
        own: tuple[str, ...] = ()
        if colour in self.colours:
            own = (colour,) * self._own(amount, self.colours[colour], room)
            amount -= self.value(own)
        tops = [value for value in self.cash.values() if 100 <= value <= amount] or [100]
        enough = [top for top in tops if amount / top <= min(HANDFUL, room - len(own))] or [max(tops)]
        return own + self._greedy(amount, chance.choice(enough))

    def _own(self, amount: int, value: int, room: int) -> int:
        """The most chips of a colour for an amount so that they and the cash chips for the rest fit."""
        least, most = min(self.cash.values()), min(amount // value, room)
        for chips in range(most, 0, -1):
            rest = amount - chips * value
            if rest % least == 0 and chips + len(self._greedy(rest, max(self.cash.values()))) <= room:
                return chips
        return 0

    def _greedy(self, amount: int, top: int) -> tuple[str, ...]:
        chips: list[str] = []
        for colour, value in sorted(self.cash.items(), key=lambda item: -item[1]):
            if value <= top:
                chips += [colour] * (amount // value)
                amount %= value
        if amount:
            raise FairdealError(f"simulate: {amount / 100:.2f} cannot be made of the table's chips {self.cash}")
        return tuple(chips)

    def small_change(self, amount: int) -> tuple[str, ...]:
        """Chips for a poker player's stake: as many small ones as two stacks hold, so that he can bet any amount."""
        chips: list[str] = []
        odd = amount % 100
        for colour, value in sorted(self.cash.items(), key=lambda item: item[1]):
            # Halves only where there is an odd one: nobody plays with heaps of them.
            count = min(amount // value, STACK_CHIPS) if value >= 100 else odd // value
            chips += [colour] * count
            amount -= count * value
        rest = self._greedy(amount, max(self.cash.values())) if amount else ()
        return tuple(sorted((*rest, *chips), key=lambda chip: -self.cash[chip]))

    def part(self, chips: tuple[str, ...], amount: int) -> tuple[str, ...] | None:
        """Which of these chips make an amount, or None where change is needed. Each value divides the next, so taking
        the highest first misses no way."""
        taken: list[str] = []
        for chip in sorted(chips, key=lambda chip: -self._value_of(chip)):
            if self._value_of(chip) <= amount:
                taken.append(chip)
                amount -= self._value_of(chip)
        return None if amount else tuple(taken)


def bank_of(cash: dict[str, float], house_colours: dict[str, float]) -> Bank:
    """A table's chips in cents."""
    return Bank(
        {colour: cents(value) for colour, value in cash.items()},
        {colour: cents(value) for colour, value in house_colours.items()},
    )


def stacks_of(chips: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Chips in stacks of at most twenty, a colour to a stack where there are many of it.

    >>> [len(stack) for stack in stacks_of(("red",) * 23 + ("white",) * 4)]
    [20, 7]
    """
    stacks: list[tuple[str, ...]] = [()]
    for _, run in groupby(chips):
        colour_run = tuple(run)
        if stacks[-1] and len(stacks[-1]) + len(colour_run) > STACK_CHIPS and len(colour_run) > HANDFUL:
            stacks.append(())
        for chip in colour_run:
            if len(stacks[-1]) == STACK_CHIPS:
                stacks.append(())
            stacks[-1] += (chip,)
    return stacks


def without(chips: tuple[str, ...], taken: tuple[str, ...]) -> tuple[str, ...]:
    """The chips that stay, in their order from the bottom; the topmost of each colour go.

    >>> without(("red", "red", "white"), ("red",))
    ('red', 'white')
    """
    left = list(reversed(chips))
    for chip in taken:
        left.remove(chip)
    return tuple(reversed(left))
