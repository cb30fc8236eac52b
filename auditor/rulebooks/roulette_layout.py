"""The roulette wheel, layout and race track: which numbers a spot covers, and what every pocket brings it.

A wager is made of equal pieces, each on one spot of the layout; a spot of the layout is a wager of one piece. So one
table of net gains per pocket, counted in pieces, settles all of them.

>>> [spot_at("layout/17-20").gains[pocket] for pocket in (17, 20, 21)]
[17, 17, -1]
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

POCKETS = 37

# 2.1, Appendix A: clockwise.
WHEEL = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
RED = frozenset({1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36})

# 6.1: the odds to one, and the clause that sets them.
ODDS = {
    "straight up": (35, "6.1(a)"),
    "split": (17, "6.1(b)"),
    "street": (11, "6.1(c)"),
    "corner": (8, "6.1(d)"),
    "six-line": (5, "6.1(e)"),
    "column": (2, "6.1(f)"),
    "dozen": (2, "6.1(g)"),
    "low": (1, "6.1(h)"),
    "high": (1, "6.1(i)"),
    "even": (1, "6.1(j)"),
    "odd": (1, "6.1(k)"),
    "red": (1, "6.1(l)"),
    "black": (1, "6.1(m)"),
}

# 4.3(f)-(m): the spots with a name of their own.
NAMED: dict[str, tuple[str, frozenset[int]]] = {
    "column1": ("column", frozenset(range(1, 37, 3))),
    "column2": ("column", frozenset(range(2, 37, 3))),
    "column3": ("column", frozenset(range(3, 37, 3))),
    "dozen1": ("dozen", frozenset(range(1, 13))),
    "dozen2": ("dozen", frozenset(range(13, 25))),
    "dozen3": ("dozen", frozenset(range(25, 37))),
    "low": ("low", frozenset(range(1, 19))),
    "high": ("high", frozenset(range(19, 37))),
    "even": ("even", frozenset(range(2, 37, 2))),
    "odd": ("odd", frozenset(range(1, 37, 2))),
    "red": ("red", RED),
    "black": ("black", frozenset(range(1, 37)) - RED),
}

# 4.8: the pieces of each race-track wager; 4.8(c) names seven spots for nine pieces, so two of them take two.
TRACK: dict[str, tuple[str, tuple[str, ...]]] = {
    "tier": ("4.8(a)", ("5-8", "10-11", "13-16", "23-24", "27-30", "33-36")),
    "orphelins": ("4.8(b)", ("1", "6-9", "14-17", "17-20", "31-34")),
    "voisins-zero": (
        "4.8(c)", ("0-2-3", "0-2-3", "4-7", "12-15", "18-21", "19-22", "25-26-28-29", "25-26-28-29", "32-35"),
    ),
    "zero-game": ("4.8(d)", ("0-3", "12-15", "26", "32-35")),
}  # fmt: skip


def _inside() -> Iterator[tuple[str, frozenset[int]]]:
    """4.3(a)-(e): numbers, and the combinations that touch on twelve rows of three with zero at their head."""
    for number in range(POCKETS):
        yield "straight up", frozenset({number})
    for number in range(1, 37):
        if number % 3:
            yield "split", frozenset({number, number + 1})
        if number <= 33:
            yield "split", frozenset({number, number + 3})
        if number % 3 and number <= 33:
            yield "corner", frozenset({number, number + 1, number + 3, number + 4})
    for first in range(1, 37, 3):
        yield "street", frozenset({first, first + 1, first + 2})
        if first <= 31:
            yield "six-line", frozenset(range(first, first + 6))
    for number in (1, 2, 3):
        yield "split", frozenset({0, number})
    yield "street", frozenset({0, 1, 2})
    yield "street", frozenset({0, 2, 3})


FIRST_FOUR = frozenset({0, 1, 2, 3})  # not named in 4.3; 7.3(a) speaks of zero «with 1, 2 or 3»
INSIDE: dict[frozenset[int], str] = {numbers: kind for kind, numbers in _inside()} | {FIRST_FOUR: "corner"}


class Spot(NamedTuple):
    """A wager that the rules permit: its name, its number of pieces, and its net gain per pocket, in pieces."""

    name: str
    pieces: int
    gains: tuple[int, ...]
    rule: str
    why: str

    @property
    def covered(self) -> frozenset[int]:
        """The numbers on which at least one piece wins."""
        return frozenset(pocket for pocket, gain in enumerate(self.gains) if gain > -self.pieces)


@cache
def spot_at(at: str, *, first_four: bool = True, voisins_pieces: int = 9) -> Spot | None:
    """The wager made by chips at that place; None where the rules permit none.

    >>> spot_at("layout/0-1-2").why, spot_at("layout/1-5"), spot_at("track/tier").gains[8]
    ('A street pays 11 to 1', None, 12)
    """
    area, _, name = at.partition("/")
    if area == "track":
        return _track_spot(name, voisins_pieces)
    if area != "layout":
        return None
    if name in NAMED:
        return _spot((NAMED[name],))
    numbers = _numbers(name)
    kind = INSIDE.get(numbers) if numbers is not None else None
    if numbers is None or kind is None or (numbers == FIRST_FOUR and not first_four):
        return None
    return _spot(((kind, numbers),))


def _numbers(name: str) -> frozenset[int] | None:
    parts = name.split("-")
    numbers = frozenset(int(part) for part in parts if part.isdecimal())
    return numbers if len(numbers) == len(parts) else None


def _spot(pieces: tuple[tuple[str, frozenset[int]], ...], name: str = "", rule: str = "") -> Spot:
    gains = [-len(pieces)] * POCKETS
    for kind, numbers in pieces:
        for number in numbers:
            gains[number] += ODDS[kind][0] + 1
    if name:
        return Spot(name, len(pieces), tuple(gains), rule, f"{name} is a wager of {len(pieces)} pieces")
    kind = pieces[0][0]
    odds, rule = ODDS[kind]
    article = {"straight up": "A straight-up wager", "six-line": "A six-line"}.get(kind, f"A {kind}")
    words = article if odds > 1 else kind.capitalize()
    return Spot(kind, 1, tuple(gains), rule, f"{words} pays {odds} to 1")


def _track_spot(name: str, voisins_pieces: int) -> Spot | None:
    if name in TRACK:
        rule, spots = TRACK[name]
        if name == "voisins-zero" and voisins_pieces == 7:
            spots = tuple(dict.fromkeys(spots))
        return _spot(tuple(_piece(spot) for spot in spots), f"track/{name}", rule)
    word, _, number = name.partition("-")
    if word == "neighbours" and number.isdecimal() and int(number) < POCKETS:
        return _spot(tuple(_piece(str(each)) for each in neighbours(int(number))), f"track/{name}", "4.8(e)")
    return None


def _piece(name: str) -> tuple[str, frozenset[int]]:
    numbers = _numbers(name) or frozenset()
    return INSIDE[numbers], numbers


def neighbours(number: int) -> tuple[int, ...]:
    """4.8(e): a number with the two on either side of it on the wheel.

    >>> neighbours(0)
    (3, 26, 0, 32, 15)
    """
    place = WHEEL.index(number)
    return tuple(WHEEL[(place + step) % POCKETS] for step in (-2, -1, 0, 1, 2))


@cache
def complete(number: int, *, first_four: bool = True) -> Spot:
    """4.7: one piece on a number and on every combination that holds it.

    >>> complete(17).pieces, complete(17).gains[17]
    (12, 156)
    """
    pieces = tuple(
        (kind, numbers) for numbers, kind in INSIDE.items()
        if number in numbers and (first_four or numbers != FIRST_FOUR)
    )  # fmt: skip
    return _spot(pieces, f"the maximum on {number} and its combinations", "4.7")
