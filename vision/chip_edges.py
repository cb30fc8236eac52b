"""The pixels that show the chips of a counted stack: their edges, and the top chip's face."""

from collections.abc import Iterator
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chip_count import Counted
from vision.chip_stance import Floats
from vision.chip_strip import COLUMNS, ROWS, ROWS_PER_CHIP, SIDES

_EDGE_COLUMNS = np.flatnonzero(np.abs(SIDES) < 0.85)
_FACE_RING = (0.64, 0.68)  # of the radius: outside most inlays, inside the spots
_FEWEST_PIXELS = 8
_LEAST_SHOWN, _ENOUGH_SHOWN = 0.25, 0.9  # of an edge: less than the first may as well be the neighbour's outline
_ABOVE_JOINT = 0.9  # rows: near its joint an edge is in shade, and blurred into the chip below
_CHIP_LOWER = 39.0 / 2 / 3.3


def bands(
    strips: NDArray[np.uint8], rows: Floats, aspect: float, hidden: NDArray[np.bool_] | None = None
) -> list[Floats]:
    """The pixels of every chip's edge, bottom to top, then those of the top chip's face (each n x 3, BGR)."""
    near, middle = strips[..., :3], strips[..., 3:6]
    parts = []
    for band in _edges(rows):
        edge = near[band, _EDGE_COLUMNS].reshape(-1, 3).astype(np.float64)
        if hidden is not None:
            own = ~hidden[band, _EDGE_COLUMNS].ravel()
            edge = edge[own] if own.sum() >= _FEWEST_PIXELS else edge
        parts.append(edge)
    rows = rows + _ABOVE_JOINT
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    radius = np.repeat(_FACE_RING, len(angles))
    side, depth = radius * np.cos(np.tile(angles, 2)), radius * np.sin(np.tile(angles, 2))
    slope = aspect / np.sqrt(max(1 - aspect**2, 0.01))
    at_rows = rows[-1] + ROWS_PER_CHIP * depth * slope * _CHIP_LOWER
    at_columns = (side - SIDES[0]) / (SIDES[-1] - SIDES[0]) * (COLUMNS - 1)
    face = cv2.remap(middle, at_columns.astype(np.float32), at_rows.astype(np.float32), cv2.INTER_LINEAR)
    parts.append(face.reshape(-1, 3).astype(np.float64))
    return parts


def shown(hidden: NDArray[np.bool_]) -> Floats:
    """How much each row tells of this stack's colours, 0 to 1: the less of the edge is seen, the less."""
    seen = (~hidden[:, _EDGE_COLUMNS]).mean(axis=1)
    return np.asarray(np.clip((seen - _LEAST_SHOWN) / (_ENOUGH_SHOWN - _LEAST_SHOWN), 0, 1))


def _edges(rows: Floats) -> Iterator[slice]:
    """The rows in which each chip's edge shows best."""
    for low, high in pairwise(rows + _ABOVE_JOINT):
        first = int(np.clip(np.floor(low + 0.8), 0, ROWS - 1))
        yield slice(first, max(first + 1, int(np.ceil(high - 0.3))))


def face_colour(counted: Counted) -> Floats:
    """The top chip's colour as its face shows it (BGR)."""
    return np.asarray(np.median(bands(counted.strips, counted.rows, counted.stance.aspect)[-1], axis=0))
