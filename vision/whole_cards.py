"""Cards as wholes: backs, and faces that were not read, among the cards whose indices were."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.objects import overlap
from vision.seen import UNREAD, Box, Eye, Image, Seen

_SAME = 0.6  # of its box, within the outline of a card that was read: it is that card, or print on it
_BESIDE = 0.3  # less than this, and it lies apart
_SAME_THING = 0.5  # overlap of a back with a stack, a die or a tile: it is that thing, whose detector knows it better
_READABLE_PX = 60.0  # a card whose longer side is shorter is too small for its index to be expected


class TableEye:
    """Sees all that lies on a table: cards by their indices, the things, and the cards that no index tells of."""

    def __init__(self, cards: Eye, objects: Eye) -> None:
        self._cards, self._objects = cards, objects

    def look(self, image: Image) -> list[Seen]:
        """Everything in the picture, each physical card once."""
        return settled(self._cards.look(image), self._objects.look(image))


def settled(cards: Sequence[Seen], things: Sequence[Seen]) -> list[Seen]:
    """One entry per physical thing: what an index says comes before what the detector says of the whole card, and a
    thing that has its own kind before a back that it was taken for.

    >>> back = Seen(kind="back", conf=0.9, box=(0, 0, 60, 90))
    >>> [each.kind for each in settled([Seen(kind="card", label="As", conf=0.9, box=(5, 5, 15, 25))], [back])]
    ['card']
    """
    others = [each for each in things if each.kind not in ("back", "card")]
    solid = [each.box for each in others if each.kind in ("chips", "die", "tile")]
    wholes = [each for each in things if not any(overlap(each.box, box) > _SAME_THING for box in solid)]
    faces = [each for each in wholes if each.kind == "card"]
    named = [card for card in cards if card.label != UNREAD]
    backs = [each for each in wholes if each.kind == "back" and not any(_is_on(card, each, faces) for card in named)]
    unread = [each for each in faces if _is_readable(each) and all(_is_apart(card, each) for card in cards)]
    # A piece of a back's ornament may look like an index, but cannot be read as one.
    read = [card for card in cards if card.label != UNREAD or not any(_holds(back, card) for back in backs)]
    return read + backs + unread + others


def _is_on(card: Seen, back: Seen, faces: Sequence[Seen]) -> bool:
    """Whether an index that was read lies on what was taken for a back, and not on a face that lies over it."""
    if card.quad is not None:
        return _share_within(back, card) > _SAME
    return _holds(back, card) and not any(_holds(face, card) for face in faces)


def _is_apart(card: Seen, face: Seen) -> bool:
    return not _holds(face, card) and _share_within(face, card) < _BESIDE


def _share_within(whole: Seen, card: Seen) -> float:
    """The share of a box that lies within what was seen of a card."""
    box, outline = _corners(whole.box), np.array(card.quad, np.float32) if card.quad else _corners(card.box)
    shared, _ = cv2.intersectConvexConvex(box, outline)
    return float(shared / max(cv2.contourArea(box), 1.0))


def _corners(box: Box) -> NDArray[np.float32]:
    left, top, right, bottom = box
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)


def _is_readable(face: Seen) -> bool:
    left, top, right, bottom = face.box
    return max(right - left, bottom - top) >= _READABLE_PX


def _holds(whole: Seen, card: Seen) -> bool:
    """Whether the middle of what was seen of the card lies in the box."""
    left, top, right, bottom = card.box
    x, y = (left + right) / 2, (top + bottom) / 2
    return whole.box[0] < x < whole.box[2] and whole.box[1] < y < whole.box[3]
