"""Poker money: side pots, commission scales and how a pot is divided."""

from collections.abc import Collection, Iterable, Sequence
from math import ceil, floor


def pots_of(
    put: dict[int, float], live: Collection[int], tapped: Collection[int]
) -> list[tuple[float, list[int]]]:
    """What each pot holds and who may win it, from what everybody has put in: a pot ends where a player tapped out.

    >>> pots_of({1: 20, 2: 50, 3: 50, 4: 10}, [1, 2, 3], [1])
    [(70, [1, 2, 3]), (60, [2, 3])]
    """
    top = max(put.values(), default=0)
    levels = sorted({put[box] for box in tapped if box in live} | {top})
    pots: list[tuple[float, list[int]]] = []
    below: float = 0
    for level in levels:
        amount = sum(min(chips, level) - min(chips, below) for chips in put.values())
        if amount:
            pots.append((amount, [box for box in put if box in live and (put[box] > below or not below)]))
        below = level
    return pots


def act_commission(pots: Iterable[float], rate: str, cap: float | None) -> float:
    """ACT 15.2(a): nothing from pots of at most 19 (at 10 %: 9); else the rate on all pots, in whole dollars.

    >>> act_commission([19], "5", None), act_commission([120, 15], "5", None), act_commission([120], "10", 10)
    (0, 6, 10)
    """
    amounts = list(pots)
    if rate not in ("5", "10") or max(amounts, default=0) <= (19 if rate == "5" else 9):
        return 0
    due = floor(sum(amounts) * int(rate) / 100)
    return due if cap is None else min(due, cap)


def tas_holdem_commission(pot: float, method: str) -> float:
    """Tasmania C 17.2, from each pot.

    >>> [tas_holdem_commission(pot, "one") for pot in (20, 48, 151)]
    [0, 4, 15]
    >>> [tas_holdem_commission(pot, "two") for pot in (20, 50, 51)]
    [1, 2.5, 5.0]
    """
    if method == "one":
        return 0 if pot <= 20 else min(15, floor(pot / 10))
    if method == "two":
        return 1 if pot <= 20 else 2.5 * ceil(pot / 50)
    return 0


def tas_stud_commission(pot: float, scale: str) -> float:
    """Tasmania B 15, from each pot.

    >>> [tas_stud_commission(pot, "normal") for pot in (50, 51, 400)]
    [2, 4, 16]
    >>> [tas_stud_commission(pot, "capped") for pot in (50, 51, 350, 351)]
    [0, 4, 14, 15]
    """
    due = 2 * ceil(pot / 50)
    if scale == "capped":
        return 0 if pot <= 50 else min(due, 15)
    return due


def shares(amount: float, winners: Sequence[int], unit: float) -> tuple[dict[int, float], float]:
    """Equal shares in whole units, and the rest, which the first winner gets on top.

    >>> shares(47, [3, 1], 2)
    ({3: 25, 1: 22}, 3)
    """
    each = floor(amount / (unit * len(winners)) + 1e-9) * unit
    rest = round(amount - each * len(winners), 2)
    parts = dict.fromkeys(winners, each)
    parts[winners[0]] += rest
    return parts, rest
