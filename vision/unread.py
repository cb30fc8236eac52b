"""Cards whose index nobody can read: backs, and faces too far away. Found by what changed, and by a card's size.

Whatever came into a zone and is not explained by cards that were read is a card if a rectangle of a card's size covers
it. A face is mostly white card, a back is not.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.plan import CARD_MM
from vision.window import ORNAMENT_MM, closed

Mask = NDArray[np.bool_]
SMALLEST_SHARE = 0.14  # of a card's area must be new: a card of a fan shows a narrow strip
FULL_SHARE = 0.72  # of the rectangle must be covered by something
EXPLAINED_SHARE = 0.55  # of what is new, or of a card where more than one is, must lie in the rectangle
EDGE_MM, CROSSED = 6.0, 0.5
"""What is new goes on so near around a rectangle that lies across several cards: it is worth so much less for that."""
MOST_CARDS = 6
PAPER_SHARE, PAPER_WHITE = 0.1, 0.85
"""So much of a face's inner part is about as white as its edge: 0.16 and more in 225 faces of development footage, half
covered ones too, and at most 0.03 in 246 backs."""
PRINT_CONTRAST, PRINT_BLUR = 0.08, 1 / 63
"""By so much of the paper's brightness print stands out from it, fine patterns blurred (in card widths): 0.13 and more
in 451 faces, pale ones too, and at most 0.04 in 112 even, pale backs."""
PIP_GREY, PIP_SHARE = 45.0, 0.06
INNER = 0.66
PAPER_PERCENT, EDGE_PERCENT = 90, 96


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectangle:
    """A card's outline in a flattened zone, upright or across: its middle and its sides in pixels."""

    middle: tuple[float, float]
    width: float
    height: float

    @property
    def corners(self) -> list[tuple[float, float]]:
        """Clockwise from the upper left."""
        x, y, across, along = *self.middle, self.width / 2, self.height / 2
        return [(x - across, y - along), (x + across, y - along), (x + across, y + along), (x - across, y + along)]

    @property
    def inner(self) -> "Rectangle":
        """Its inner part, without edges."""
        return replace(self, width=INNER * self.width, height=INNER * self.height)

    def window(self, shape: tuple[int, ...]) -> tuple[slice, slice]:
        """The pixels it covers."""
        (left, top), (right, bottom) = self.corners[0], self.corners[2]
        return (
            slice(max(0, round(top)), min(shape[0], round(bottom))),
            slice(max(0, round(left)), min(shape[1], round(right))),
        )


def unexplained(
    new: Mask, occupied: Mask, explained: Mask, px_per_mm: float, size_mm: tuple[float, float] = CARD_MM,
    least: float = SMALLEST_SHARE,
) -> list[Rectangle]:
    """Rectangles of a card's (or tile's) size that cover what is new and not explained, where something lies."""
    new, occupied = (closed(mask, ORNAMENT_MM * px_per_mm) for mask in (new, occupied))
    left_over = new & ~explained & occupied
    card_px = size_mm[0] * size_mm[1] * px_per_mm * px_per_mm
    found: list[Rectangle] = []
    while np.count_nonzero(left_over) > least * card_px and len(found) < MOST_CARDS:
        ways = [_best(left_over, occupied, size, px_per_mm) for size in (size_mm, size_mm[::-1])]
        rectangle = max(ways, key=lambda way: way[0])[1]
        if rectangle is None:
            break
        found.append(rectangle)
        left_over = left_over.copy()
        left_over[rectangle.window(left_over.shape)] = False
    return found


def _best(
    new: Mask, occupied: Mask, size_mm: tuple[float, float], px_per_mm: float
) -> tuple[float, Rectangle | None]:
    """The place for a card of that size that explains most, and how well it does; None where none does."""
    width, height = (max(3, round(side * px_per_mm)) for side in size_mm)
    if new.shape[0] < height or new.shape[1] < width:
        return 0.0, None
    edge = max(1, round(EDGE_MM * px_per_mm))
    new_sum, around = _sums(new, width, height, 0), _sums(new, width, height, edge)
    full = _sums(occupied, width, height, 0) / (width * height)
    explained = new_sum / max(1, min(int(np.count_nonzero(new)), width * height))
    goes_on = (around - new_sum) / (2 * edge * (width + height + 2 * edge))
    fits = slice(0, new.shape[0] - height + 1), slice(0, new.shape[1] - width + 1)
    is_card = (full > FULL_SHARE) & (explained > EXPLAINED_SHARE)
    worth = np.where(is_card, explained + full - CROSSED * goes_on, 0.0)[fits]
    row, column = np.unravel_index(int(worth.argmax()), worth.shape)
    score = float(worth[row, column])
    middle = (float(column) + width / 2, float(row) + height / 2)
    return score, Rectangle(middle=middle, width=width, height=height) if score > 0 else None


def _sums(mask: Mask, width: int, height: int, edge: int) -> NDArray[np.float32]:
    """How much of a mask lies in every rectangle, by its upper left corner, and in an edge so wide around it."""
    size, corner = (width + 2 * edge, height + 2 * edge), (edge, edge)
    sums = cv2.boxFilter(
        mask.astype(np.float32), -1, size, anchor=corner, normalize=False, borderType=cv2.BORDER_CONSTANT
    )
    return np.asarray(sums, np.float32)


def is_face(image: Image, rectangle: Rectangle, new: Mask) -> bool:
    """Whether white paper shows there, apart from the edge: most backs have a white one, too; and print on it: a pale
    back is even. A stack of chips that hides part of the card is not `new`; where little is, the edge of a card that
    was pushed is all of it."""
    paper = np.percentile(image[rectangle.window(image.shape)].min(axis=2), EDGE_PERCENT)
    inner = rectangle.inner.window(image.shape)
    shown = new[inner] if 2 * np.count_nonzero(new[inner]) > new[inner].size else np.ones_like(new[inner])
    is_white = _white(image[inner][shown], PAPER_WHITE * float(paper)) > PAPER_SHARE
    return is_white and _contrast(image[inner], PRINT_BLUR * rectangle.width) > PRINT_CONTRAST * float(paper)


def _contrast(part: Image, blur_px: float) -> float:
    """How much darker the darkest of a part is than most of it."""
    darkest, lightest = np.percentile(cv2.GaussianBlur(part, (0, 0), blur_px).min(axis=2), (2, 90))
    return float(lightest - darkest)


def is_pipped(image: Image, rectangle: Rectangle) -> bool:
    """Whether something brighter or redder than the rest of it shows there, as the pips of a tile do."""
    inner = rectangle.inner.window(image.shape)
    part = image[inner].reshape(-1, 3).max(axis=1).astype(np.float32)
    return bool(len(part)) and float((part > np.median(part) + PIP_GREY).mean()) > PIP_SHARE


def white_share(image: Image, rectangle: Rectangle) -> float:
    """How much of a rectangle shows white card, by the light of the brightest of it."""
    part = image[rectangle.window(image.shape)].reshape(-1, 3)
    return _white(part, 0.75 * float(np.percentile(part.min(axis=1), PAPER_PERCENT))) if len(part) else 0.0


def _white(pixels: Image, least: float) -> float:
    """The share of pixels that are without colour and at least so bright."""
    lightest, darkest = (side(axis=1).astype(np.float32) for side in (pixels.max, pixels.min))
    return float(((darkest > 0.72 * lightest) & (darkest > max(least, 60))).mean()) if len(pixels) else 0.0
