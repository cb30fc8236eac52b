"""From indices to cards, where the scale is known: every index says where its card's middle must be.

In a flattened zone a millimetre is so many pixels, so one index and its direction fix the whole card. Indices that say
the same middle and can be of one name are of one card; a fan's cards are told apart by where they must lie. Some decks
have an index in all four corners: one that is no upper left or lower right corner is told by the others of its card.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

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
"""So close to another index's middle must an index in an upper right or lower left corner say that its card's is."""
CLEARLY = 2.0
"""So many times better must it fit in an unusual corner."""
AGREEMENT, SAME_NAME = 0.08, 0.25
"""How likely two indices must say the same to be of one card where they say the same middle, and where they do not:
of an index whose suit is in doubt a like one beside it is still the likelier explanation."""
NEARLY_STRAIGHT = math.radians(18)
"""Dealt cards lie along their zone: a direction is measured less well than they are laid."""

Lies = Callable[[Quad], float]
"""How much of an outline, in pixels, is no bare felt."""
Witness = Callable[[Sequence[Corners], Sequence[Quad]], Sequence[Corners]]
"""Asks the faces of cards with such outlines, in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRead:
    """A card in a flattened zone: its name, its middle and its outline in millimetres from the upper left."""

    label: str
    conf: float
    rank_conf: float
    twin_conf: float
    maybe: tuple[str, ...]
    middle: Point
    outline: tuple[Point, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """An index, the middle of the card it is of, and which way that card's right is."""

    reading: Reading
    middle: NDArray[np.float64]
    right: NDArray[np.float64]

    @property
    def elsewhere(self) -> "_Placed":
        """The same index in the other upper or lower corner of a card that lies beside."""
        return replace(self, middle=self.middle - self.right * (CARD_MM[0] - 2 * INSET_MM[0]))

    def meets(self, other: "_Placed", within_mm: float) -> float:
        """How well two indices say the same card; 0 where they do not."""
        agreement = _agreement(self.reading, other.reading)
        apart = float(np.linalg.norm(self.middle - other.middle))
        return agreement * max(0.0, 1 - apart / within_mm) if agreement > SAME_NAME else 0.0


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
        return _outline(self.middle, self.right, px_per_mm)

    def holds(self, reading: Reading, middle: NDArray[np.float64]) -> bool:
        """Whether another index can be of this card: nearly the same middle, or about the same and an agreeing name."""
        apart = float(np.linalg.norm(middle - self.middle))
        if apart < SAME_SPOT_MM:
            return True
        return apart < ONE_CARD_MM and _agreement(self.readings[0], reading) > AGREEMENT


def read_cards(
    readings: Sequence[Reading], px_per_mm: float, trust: Trust, witness: Witness = lambda cards, outlines: cards,
    lies: Lies = lambda outline: 1.0,
) -> list[CardRead]:  # fmt: skip
    """The cards that the indices of a flattened zone belong to; `trust` says how sure a card's name is."""
    heaps: list[_Heap] = []
    placed = [_Placed(each, *_card_of(each, px_per_mm)) for each in sorted(readings, key=lambda each: -each.is_index)]
    for index in _in_their_corners(placed, lambda each: lies(_outline(each.middle, each.right, px_per_mm))):
        heap = next((heap for heap in heaps if heap.holds(index.reading, index.middle)), None)
        if heap is None:
            heaps.append(_Heap([index.reading], [index.middle], index.right))
        else:
            heap.readings.append(index.reading)
            heap.middles.append(index.middle)
    heaps = _without_halves(heaps)
    cards = [Corners(readings=tuple(heap.readings)) for heap in heaps]
    seen = witness(cards, [heap.outline(px_per_mm) for heap in heaps])
    read = [_read(heap, card, trust) for heap, card in zip(heaps, seen, strict=True)]
    return [card for card in read if card.label != UNREAD]


def _in_their_corners(placed: Sequence[_Placed], lies: Callable[[_Placed], float]) -> list[_Placed]:
    """The indices, those moved to their card that are an upper right or lower left one of it.

    Of a card of a fan both corners of one side may show alone. Then either may be the usual one, and the card lies to
    the right or to the left: the cards of a fan lie alike, and not on bare felt.
    """
    others = [each for each in placed if _beside(each, placed) > CLEARLY * _as_usual(each, placed)]
    settled = [each for each in placed if each not in others]
    lone = [each for each in others if not _beside(each, settled)]
    rights = [each for each in lone if each.right.sum() > 0]
    lefts = [each for each in lone if each not in rights]
    usual = rights if sum(map(lies, rights)) >= sum(map(lies, lefts)) else lefts
    return [each.elsewhere if each in others and each not in usual else each for each in placed]


def _as_usual(index: _Placed, placed: Sequence[_Placed]) -> float:
    """How well the corner opposite of a usual index, or the one beside it, says the same card."""
    ways = [(each, float(each.right @ index.right)) for each in placed if each is not index]
    opposite = [index.meets(each, ONE_CARD_MM) for each, way in ways if way < 0]
    return max(opposite + [index.meets(each.elsewhere, OTHER_CORNER_MM) for each, way in ways if way > 0], default=0.0)


def _beside(index: _Placed, placed: Sequence[_Placed]) -> float:
    """How well the index, in an unusual corner, says the same card as another in a usual one."""
    return max((index.elsewhere.meets(each, OTHER_CORNER_MM) for each in placed if each is not index), default=0.0)


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
        label=corners.label, conf=round(trust.conf(corners), 4), rank_conf=round(trust.rank_conf(corners), 4),
        twin_conf=round(trust.twin_conf(corners), 6), maybe=trust.maybe(corners), middle=_point(heap.middle),
        outline=heap.outline(),
    )  # fmt: skip


def _outline(middle: NDArray[np.float64], right: NDArray[np.float64], px_per_mm: float) -> Quad:
    across, along = right * CARD_MM[0] / 2, np.array([-right[1], right[0]]) * CARD_MM[1] / 2
    steps = (-across - along, across - along, across + along, along - across)
    first, second, third, fourth = ((middle + step) * px_per_mm for step in steps)
    return _point(first), _point(second), _point(third), _point(fourth)


def _point(place: NDArray[np.float64]) -> Point:
    x, y = place.tolist()
    return x, y
