"""Whole cards: their outlines, faces and backs, and which outline belongs to the indices that were read."""

import numpy as np
from numpy.typing import NDArray

from vision.card_finder import Found
from vision.card_merge import Corners
from vision.seen import Box, Quad

BACK = 1  # the outlining network's second class; its first is a card that shows its face
_NEAR_CORNER = 0.45  # an index is at least so far from the middle of its card, in halves of its width and height


def quad_of(found: Found) -> Quad:
    """The card's four corners, clockwise from the one at its top left."""
    centre, right, up = found.frame
    first, second, third, fourth = (
        (centre + x * right + y * up).tolist() for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))
    )
    return (first[0], first[1]), (second[0], second[1]), (third[0], third[1]), (fourth[0], fourth[1])


def box_of(quad: Quad) -> Box:
    """The upright box around a quadrilateral."""
    points = np.array(quad)
    (x1, y1), (x2, y2) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return x1, y1, x2, y2


def within(found: Found, point: NDArray[np.float32]) -> NDArray[np.float64]:
    """A point as the outline sees it: -1 to 1 across and up, when it is inside."""
    axes = found.frame[1:].T.astype(np.float64)
    if abs(np.linalg.det(axes)) < 1e-6:
        return np.full(2, np.inf)
    return np.asarray(np.linalg.solve(axes, (point - found.frame[0]).astype(np.float64)))


def holds_index(found: Found, card: Corners) -> bool:
    """Whether the card's indices lie where a card of this outline has its own: towards corners, along its sides."""
    for reading in card.readings:
        across, along = np.abs(within(found, reading.frame[0]))
        if not (_NEAR_CORNER < across < 1.1 and _NEAR_CORNER < along < 1.1):
            return False
        turn = within(found, found.frame[0] + reading.frame[2])  # the index's up, as the outline sees it
        if abs(turn[0]) > abs(turn[1]):
            return False
    return True


def covers_any(found: Found, card: Corners) -> bool:
    """Whether any of the card's indices lies within the outline."""
    return any(bool(np.all(np.abs(within(found, reading.frame[0])) < 1.0)) for reading in card.readings)
