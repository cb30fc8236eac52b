"""Dividing chips: which pots the contributions make, and how a pot is shared."""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

Shares = dict[str, int]


class Layer(NamedTuple):
    """One pot: what is in it, and who can win it."""

    amount: int
    eligible: list[str]


def uncalled(put_in: Mapping[str, int], live: Sequence[str]) -> tuple[str, int] | None:
    """The part of the biggest contribution that nobody matched; whoever folded has left his to the pot.

    >>> uncalled({"box1": 500, "box2": 200, "box3": 100}, ["box1", "box2"])
    ('box1', 300)
    """
    if not put_in:
        return None
    box = max(put_in, key=lambda each: put_in[each])
    second = max((amount for other, amount in put_in.items() if other != box), default=0)
    return (box, put_in[box] - second) if box in live and put_in[box] > second else None


def layers(put_in: Mapping[str, int], live: Sequence[str], all_in: Sequence[str]) -> list[Layer]:
    """The main pot and the side pots: a new one begins where a player tapped out, though he may have folded since.

    >>> layers({"box1": 500, "box2": 200, "box3": 500, "box4": 100}, ["box1", "box2", "box3"], ["box2"])
    [Layer(amount=700, eligible=['box1', 'box2', 'box3']), Layer(amount=600, eligible=['box1', 'box3'])]
    """
    top = max((put_in[box] for box in live), default=0)
    levels = sorted({min(put_in[box], top) for box in all_in} | {top})
    found: list[Layer] = []
    below, formed = 0, set[str]()
    for level in levels:
        ceiling = level if level < top else 1 << 60
        amount = sum(min(max(each - below, 0), ceiling - below) for each in put_in.values())
        eligible = [box for box in live if box not in all_in or put_in[box] >= level]
        below, before = level, formed
        formed = {box for box in (*live, *all_in) if box not in all_in or put_in[box] >= level}
        if found and formed == before:
            found[-1] = Layer(found[-1].amount + amount, eligible)
        elif amount:
            found.append(Layer(amount, eligible))
    return found


def divide(amount: int, winners: Sequence[str], unit: int) -> Shares:
    """Equal shares in whole units; what cannot be divided goes to the first of the winners.

    >>> divide(4500, ["box3", "box1"], 200)
    {'box3': 2300, 'box1': 2200}
    """
    each = amount // (len(winners) * unit) * unit
    shares = dict.fromkeys(winners, each)
    shares[winners[0]] += amount - each * len(winners)
    return shares


def divisions(amount: int, winners: tuple[list[str], list[str]], unit: int, *, odd_chip_rule: bool) -> list[Shares]:
    """Every division of a pot that the rules admit, the usual one first.

    The chip that cannot be halved between high and low may go to either; without an odd-chip rule, to any winner.
    """
    high, low = winners
    if low:
        half = amount // 2 // unit * unit
        found = []
        for top in dict.fromkeys((amount - half, half)):
            shares: Counter[str] = Counter(divide(top, high, unit))
            shares.update(divide(amount - top, low, unit))
            found.append(dict(shares))
        return found
    if odd_chip_rule:
        return [divide(amount, high, unit)]
    found = [divide(amount, high[turn:] + high[:turn], unit) for turn in range(len(high))]
    if amount % len(high) == 0:
        found.append(dict.fromkeys(high, amount // len(high)))
    return found


def sums(options: Sequence[Sequence[Shares]]) -> list[Shares]:
    """The totals that the admissible divisions of several pots make together."""
    found = []
    for choice in itertools.islice(itertools.product(*options), 256):
        total: Counter[str] = Counter()
        for shares in choice:
            total.update(shares)
        found.append(dict(total))
    return found
