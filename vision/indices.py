"""From indices to cards, where the scale is known: every index says where its card's middle must be.

In a flattened zone a millimetre is so many pixels, so one index and its direction fix the whole card. Indices that say
the same middle and can be of one name are of one card; a fan's cards are told apart by where they must lie.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.card_merge import Corners
from vision.card_reader import Reading
from vision.plan import CARD_MM, Point

INSET_MM = (6.5, 13.0)
"""The middle of a usual index, from its card's edges."""
ONE_CARD_MM = 20.0
"""So far apart the two indices of one card may say its middle is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRead:
    """A card in a flattened zone: its name, its middle and its outline in millimetres from the upper left."""

    label: str
    conf: float
    middle: Point
    outline: tuple[Point, ...]


@dataclass(slots=True)
class _Heap:
    """Indices of what seems to be one card."""

    readings: list[Reading]
    middles: list[NDArray[np.float64]]
    right: NDArray[np.float64]

    @property
    def middle(self) -> NDArray[np.float64]:
        return np.asarray(np.mean(self.middles, axis=0))

    def holds(self, reading: Reading, middle: NDArray[np.float64]) -> bool:
        """Whether another index can be of this card: the same middle, names that agree."""
        if len(self.readings) > 1 or np.linalg.norm(middle - self.middle) > ONE_CARD_MM:
            return False
        first = self.readings[0]
        return float(first.ranks @ reading.ranks) * float(first.suits @ reading.suits) > 0.08


def read_cards(corners: Sequence[Corners], px_per_mm: float) -> list[CardRead]:
    """The cards that the indices of a flattened zone belong to."""
    heaps: list[_Heap] = []
    readings = sorted((each for card in corners for each in card.readings), key=lambda each: -each.is_index)
    for reading in readings:
        middle, right = _card_of(reading, px_per_mm)
        heap = next((heap for heap in heaps if heap.holds(reading, middle)), None)
        if heap is None:
            heaps.append(_Heap([reading], [middle], right))
        else:
            heap.readings.append(reading)
            heap.middles.append(middle)
    return [_read(heap) for heap in heaps]


def _card_of(reading: Reading, px_per_mm: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the card of an index has its middle, and which way its right is."""
    centre, right, up = (row.astype(np.float64) / px_per_mm for row in reading.frame)
    right /= max(float(np.linalg.norm(right)), 1e-9)
    down = -up / max(float(np.linalg.norm(up)), 1e-9)
    return centre + right * (CARD_MM[0] / 2 - INSET_MM[0]) + down * (CARD_MM[1] / 2 - INSET_MM[1]), right


def _read(heap: _Heap) -> CardRead:
    label, conf = Corners(readings=tuple(heap.readings)).label_and_conf
    doubt = float(np.prod([1 - reading.is_index for reading in heap.readings]))
    across, (x, y) = heap.right * CARD_MM[0] / 2, heap.middle
    along = np.array([-heap.right[1], heap.right[0]]) * CARD_MM[1] / 2
    steps = (-across - along, across - along, across + along, along - across)
    return CardRead(
        label=label, conf=round(conf * (1 - doubt), 4), middle=(float(x), float(y)),
        outline=tuple((float(x + step[0]), float(y + step[1])) for step in steps),
    )  # fmt: skip
