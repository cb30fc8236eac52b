"""The layout, the race track and the wheel as the roulette dealer knows them, and what a wager gains.

>>> gain("layout/17-20", 10, 20), gain("track/orphelins", 50, 17), gain("layout/red", 10, 0)
(170, 310, None)
"""

import random

WHEEL = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18,
    29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
RED = frozenset((1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36))
# 6.1: what a wager on so many numbers pays to one.
ODDS = {1: 35, 2: 17, 3: 11, 4: 8, 6: 5, 12: 2, 18: 1}
OUTSIDE: dict[str, frozenset[int]] = {
    "low": frozenset(range(1, 19)), "high": frozenset(range(19, 37)),
    "even": frozenset(range(2, 37, 2)), "odd": frozenset(range(1, 37, 2)),
    "red": RED, "black": frozenset(range(1, 37)) - RED,
    **{f"dozen{k}": frozenset(range(12 * k - 11, 12 * k + 1)) for k in (1, 2, 3)},
    **{f"column{k}": frozenset(range(k, 37, 3)) for k in (1, 2, 3)},
}  # fmt: skip
ROWS = tuple(range(1, 37, 3))
Numbers = list[tuple[int, ...]]
_BESIDE: Numbers = [(n, n + 1) for n in range(1, 36) if n % 3]
_ABOVE: Numbers = [(n, n + 3) for n in range(1, 34)]
_ROW: Numbers = [(n, n + 1, n + 2) for n in ROWS]
INSIDE: dict[str, Numbers] = {
    "straight": [(n,) for n in range(37)],
    "split": _BESIDE + _ABOVE + [(0, 1), (0, 2), (0, 3)],
    "street": [*_ROW, (0, 1, 2), (0, 2, 3)],
    "corner": [(n, n + 1, n + 3, n + 4) for n in range(1, 33) if n % 3],
    "line": [tuple(range(n, n + 6)) for n in ROWS[:-1]],
}
# 4.8: the pieces of the race track's wagers.
TRACK: dict[str, Numbers] = {
    "tier": [(5, 8), (10, 11), (13, 16), (23, 24), (27, 30), (33, 36)],
    "orphelins": [(1,), (6, 9), (14, 17), (17, 20), (31, 34)],
    "voisins-zero": [
        (0, 2, 3), (0, 2, 3), (4, 7), (12, 15), (18, 21), (19, 22), (25, 26, 28, 29), (25, 26, 28, 29), (32, 35),
    ],
    "zero-game": [(0, 3), (12, 15), (26,), (32, 35)],
}  # fmt: skip
TRACK |= {f"neighbours-{n}": [(WHEEL[(i + k) % 37],) for k in range(-2, 3)] for i, n in enumerate(WHEEL)}


def spot(numbers: tuple[int, ...]) -> str:
    """The place of a wager on these numbers.

    >>> spot((16, 17, 19, 20))
    'layout/16-17-19-20'
    """
    return f"layout/{'-'.join(map(str, numbers))}"


def pieces(at: str) -> list[frozenset[int]]:
    """The numbers that each piece of a wager covers."""
    table, _, name = at.partition("/")
    if table == "track":
        return [frozenset(numbers) for numbers in TRACK[name]]
    return [OUTSIDE[name] if name in OUTSIDE else frozenset(map(int, name.split("-")))]


def around(number: int) -> Numbers:
    """A number and all its combinations: what a maximum marker covers (4.7).

    >>> len(around(17)), len(around(35))
    (12, 8)
    """
    return [numbers for kind in INSIDE.values() for numbers in kind if number in numbers]


def gain(at: str, stake: float, pocket: int, covers: list[frozenset[int]] | None = None) -> float | None:
    """What the house owes beyond the stake; None for a wager that loses."""
    covers = covers or pieces(at)
    won = [numbers for numbers in covers if pocket in numbers]
    if not won:
        return None
    return (sum(ODDS[len(numbers)] for numbers in won) - (len(covers) - len(won))) * stake // len(covers)


def illegal(chance: random.Random) -> tuple[int, ...]:
    """Numbers that are no wager of 4.3, though a chip might be meant for them (0-1-2-3 is left open by the rules)."""
    row, n = 3 * chance.randint(1, 9), chance.randint(1, 30)
    return chance.choice((
        (row, row + 1), (n, n + 5), (0, n + 3), (row, row + 1, row + 2), (0, 1, 3), (n, n + 3, n + 6),
        (row, row + 1, row + 3, row + 4), (n, n + 1, n + 2, n + 3), tuple(range(n, n + 5)), tuple(range(row, row + 6)),
    ))  # fmt: skip
