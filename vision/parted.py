"""A pai gow hand as it was set: two of four tiles lie across (the low part), two upright beside them.

>>> lying = {"teen": (-60, -14), "day": (-60, 14), "bon": (20, 0), "foo": (48, 1)}
>>> parted([Piece(label=name, up=True, conf=0.9, at=at, region=()) for name, at in lying.items()], lambda x, y: (x, y))
(['teen', 'day'], ['bon', 'foo'])
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.lying import Piece
from vision.plan import Point

PAIRINGS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
CLEARLY = 1.5
"""So much farther along one side than the other must two tiles be apart to lie beside or below each other; and so much
farther must the two parts be from each other than the tiles of a part."""


def parted(tiles: Sequence[Piece], to_zone: Callable[[float, float], Point]) -> tuple[list[str], list[str]] | None:
    """The names of the low and of the high part; None where the tiles do not lie in two clear parts.

    `to_zone` tells a place as whoever sits there sees it: right and down from the middle of his tiles.
    """
    if len(tiles) != 4 or any(not tile.up or "?" in tile.label for tile in tiles):
        return None
    at = np.array([to_zone(*tile.at) for tile in tiles])
    best = min(PAIRINGS, key=lambda pairs: sum(math.dist(at[one], at[other]) for one, other in pairs))
    middles = [at[list(pair)].mean(axis=0) for pair in best]
    widest = max(math.dist(at[one], at[other]) for one, other in best)
    across = [pair for pair in best if _is_below(at[pair[1]] - at[pair[0]])]
    upright = [pair for pair in best if _is_below((at[pair[1]] - at[pair[0]])[::-1])]
    if len(across) != 1 or len(upright) != 1 or math.dist(*middles) < CLEARLY * widest:
        return None
    low, high = ([tiles[index].label for index in pair] for pair in (across[0], upright[0]))
    return low, high


def _is_below(apart: NDArray[np.float64]) -> bool:
    return bool(abs(apart[1]) > CLEARLY * abs(apart[0]))
