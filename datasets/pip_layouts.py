"""Where a card's pips lie: as practically every deck has them, and as few do."""

import numpy as np
from numpy.random import Generator

_SPOTS: dict[str, tuple[tuple[float, float], ...]] = {
    "A": ((0, 0),), "2": ((0, -1), (0, 1)), "3": ((0, -1), (0, 0), (0, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)), "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": tuple((x, y) for x in (-1, 1) for y in (-1, 0, 1)),
    "7": (*((x, y) for x in (-1, 1) for y in (-1, 0, 1)), (0, -0.5)),
    "8": (*((x, y) for x in (-1, 1) for y in (-1, 0, 1)), (0, -0.5), (0, 0.5)),
    "9": (*((x, y) for x in (-1, 1) for y in (-1, -1 / 3, 1 / 3, 1)), (0, 0)),
    "T": (*((x, y) for x in (-1, 1) for y in (-1, -1 / 3, 1 / 3, 1)), (0, -2 / 3), (0, 2 / 3)),
}  # fmt: skip
"""The pips of a face, as practically every deck lays them: from the middle, in columns and rows of one."""
_UNUSUAL = 0.3  # share of the cards with pips that lay them otherwise: then they have to be counted
_OTHER_ROWS: dict[str, tuple[tuple[int, ...], ...]] = {
    "2": ((2,),), "3": ((1, 2), (3,)), "4": ((1, 2, 1),), "5": ((1, 3, 1), (2, 3)), "6": ((1, 2, 2, 1), (3, 3)),
    "7": ((1, 2, 1, 2, 1), (2, 3, 2), (2, 1, 1, 1, 2)), "8": ((2, 2, 2, 2), (3, 2, 3), (1, 2, 2, 2, 1)),
    "9": ((3, 3, 3), (1, 2, 3, 2, 1), (2, 1, 2, 2, 2)), "T": ((2, 2, 2, 2, 2), (3, 2, 2, 3), (1, 2, 2, 2, 2, 1)),
}  # fmt: skip
"""How many pips each row has where a deck has rows of its own."""


def spots(rank: str, rng: Generator) -> tuple[tuple[float, float], ...]:
    """Where the pips of a rank are: as usual, in other rows, or a ten's without one of the two in its midst."""
    if rank == "A" or rng.random() > _UNUSUAL:
        return _SPOTS[rank]
    if rank == "9" and rng.random() < 0.5:
        return _SPOTS["T"][:-1]
    ways = _OTHER_ROWS[rank]
    rows = ways[rng.integers(len(ways))]
    heights = np.linspace(-1, 1, len(rows)) if len(rows) > 1 else (0.0,)
    columns = {1: (0.0,), 2: (-1.0, 1.0), 3: (-1.0, 0.0, 1.0)}
    return tuple((x, float(y)) for y, count in zip(heights, rows, strict=True) for x in columns[count])
