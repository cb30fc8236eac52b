"""From indices to cards, where the scale is known: every index says where its card's middle must be.

In a flattened zone a millimetre is so many pixels, so one index and its direction fix the whole card. Indices that say
the same middle and can be of one name are of one card; a fan's cards are told apart by where they must lie.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.card_merge import Corners
from vision.card_reader import Reading
from vision.card_trust import Trust
from vision.lying import UNREAD
from vision.plan import CARD_MM, Point
from vision.seen import Quad

INSET_MM = (6.5, 13.0)
"""The middle of a usual index, from its card's edges."""
ONE_CARD_MM = 20.0
"""So far apart the two indices of one card may say its middle is."""
SAME_SPOT_MM = 15.0
"""No two cards' middles are so close: two indices that say they are, are of one card, whatever they read."""
HALVES_MM = 36.0
OTHER_CORNER_MM = 12.0
"""Some decks have an index in all four corners: so close to another card's middle must it be that one is taken for."""
AGREEMENT, SAME_NAME = 0.08, 0.25
"""How likely two indices must say the same to be of one card where they say the same middle, and where they do not:
of an index whose suit is in doubt a like one beside it is still the likelier explanation."""
NEARLY_STRAIGHT = math.radians(18)
"""Dealt cards lie along their zone: a direction is measured less well than they are laid."""

Witness = Callable[[Sequence[Corners], Sequence[Quad]], Sequence[Corners]]
"""Asks the faces of cards with such outlines, in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRead:
    """A card in a flattened zone: its name, its middle and its outline in millimetres from the upper left."""

    label: str
    conf: float
    rank_conf: float
    middle: Point
    outline: tuple[Point, ...]


@dataclass(slots=True)
class _Heap:
    """Indices of what seems to be one card."""

    readings: list[Reading]
    middles: list[NDArray[np.float64]]
    right: NDArray[np.float64]
    """Which way the card's right is, by its first index."""

    @property
    def middle(self) -> NDArray[np.float64]:
        return np.asarray(np.mean(self.middles, axis=0))

    def outline(self, px_per_mm: float = 1.0) -> Quad:
        """The card's corners, from its upper left on."""
        across, along = self.right * CARD_MM[0] / 2, np.array([-self.right[1], self.right[0]]) * CARD_MM[1] / 2
        steps = (-across - along, across - along, across + along, along - across)
        first, second, third, fourth = ((self.middle + step) * px_per_mm for step in steps)
        return _point(first), _point(second), _point(third), _point(fourth)

    def holds(self, reading: Reading, middle: NDArray[np.float64]) -> bool:
        """Whether another index can be of this card: nearly the same middle, or about the same and an agreeing name."""
        apart = float(np.linalg.norm(middle - self.middle))
        if apart < SAME_SPOT_MM:
            return True
        return apart < ONE_CARD_MM and _agreement(self.readings[0], reading) > AGREEMENT


def read_cards(
    readings: Sequence[Reading], px_per_mm: float, trust: Trust, witness: Witness = lambda cards, outlines: cards
) -> list[CardRead]:
    """The cards that the indices of a flattened zone belong to; `trust` says how sure a card's name is."""
    heaps: list[_Heap] = []
    for reading in sorted(readings, key=lambda each: -each.is_index):
        middle, right = _card_of(reading, px_per_mm)
        heap = next((heap for heap in heaps if heap.holds(reading, middle)), None)
        if heap is None:
            heaps.append(_Heap([reading], [middle], right))
        else:
            heap.readings.append(reading)
            heap.middles.append(middle)
    heaps = _without_other_corners(_without_halves(heaps))
    cards = [Corners(readings=tuple(heap.readings)) for heap in heaps]
    seen = witness(cards, [heap.outline(px_per_mm) for heap in heaps])
    read = [_read(heap, card, trust) for heap, card in zip(heaps, seen, strict=True)]
    return [card for card in read if card.label != UNREAD]


def _without_halves(heaps: list[_Heap]) -> list[_Heap]:
    """Two opposite corners that alone say nearly the same card are one card whose middle was measured badly."""
    whole: list[_Heap] = []
    for heap in heaps:
        half = next((other for other in whole if _are_halves(heap, other)), None)
        if half is None:
            whole.append(heap)
        else:
            half.readings += heap.readings
            half.middles += heap.middles
    return whole


def _are_halves(one: _Heap, other: _Heap) -> bool:
    if len(one.readings) > 1 or len(other.readings) > 1 or float(one.right @ other.right) > -0.8:
        return False
    is_near = float(np.linalg.norm(one.middle - other.middle)) < HALVES_MM
    return is_near and _agreement(one.readings[0], other.readings[0]) > SAME_NAME


def _without_other_corners(heaps: list[_Heap]) -> list[_Heap]:
    """An index alone that says the same as a card beside it, and that would be its upper right one, is that card's."""
    return [heap for heap in heaps if not any(_is_other_corner(heap, other) for other in heaps)]


def _is_other_corner(heap: _Heap, card: _Heap) -> bool:
    if heap is card or len(heap.readings) > 1 or abs(float(heap.right @ card.right)) < 0.9:
        return False
    middle = heap.middle - heap.right * (CARD_MM[0] - 2 * INSET_MM[0])
    is_there = float(np.linalg.norm(middle - card.middle)) < OTHER_CORNER_MM
    return is_there and _agreement(heap.readings[0], card.readings[0]) > SAME_NAME


def _agreement(one: Reading, other: Reading) -> float:
    """How likely two indices say the same."""
    return float(one.ranks @ other.ranks) * float(one.suits @ other.suits)


def _card_of(reading: Reading, px_per_mm: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the card of an index has its middle, and which way its right is."""
    centre, right, up = (row.astype(np.float64) / px_per_mm for row in reading.frame)
    # Both axes say which way the card lies; the patch is flat, so they are at right angles.
    turn = math.atan2(right[1] + up[0], right[0] - up[1])
    straight = round(turn / (math.pi / 2)) * math.pi / 2
    if abs(turn - straight) < NEARLY_STRAIGHT:
        turn = straight
    right, down = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    return centre + right * (CARD_MM[0] / 2 - INSET_MM[0]) + down * (CARD_MM[1] / 2 - INSET_MM[1]), right


def _read(heap: _Heap, card: Corners, trust: Trust) -> CardRead:
    """The surest index names the card, with those that agree and its face; one that does not agree is left out."""
    first = max(heap.readings, key=lambda each: trust.conf(Corners(readings=(each,), face=card.face)))
    agreeing = [each for each in heap.readings if _agreement(first, each) > AGREEMENT]
    corners = Corners(readings=tuple(agreeing[:2]) or (first,), face=card.face)
    return CardRead(
        label=corners.label, conf=round(trust.conf_in_zone(corners), 4), rank_conf=round(trust.rank_conf(corners), 4),
        middle=_point(heap.middle), outline=heap.outline(),
    )  # fmt: skip


def _point(place: NDArray[np.float64]) -> Point:
    x, y = place.tolist()
    return x, y
