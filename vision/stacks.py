"""Stacks in the picture: what of a change is theirs, and what is ground to them."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.camera import Image, View
from vision.plan import Point, Zone
from vision.reading import Pile, stack_outline
from vision.table_chips import ChipTable
from vision.window import Difference, Window

SLIGHT_MM2, SLIGHT_BESIDE_MM2 = 45.0, 350.0
"""One chip more or less changes more of a stack's picture than that; one put down beside it covers more felt."""
MARKS_MM, MARKED_MM2 = 12.0, 600.0
"""Of a dark chip on dark felt only the bright marks are new: with gaps so wide filled they cover half a chip."""
RIM_MM, RIM_MM2 = 6.0, 80.0
"""Of chips that a stack hides but for their rim so much shows right beside it: 280 and more where there were some, none
in what else changed little around stacks that the dealer's hand was at (15 times, development footage)."""
MORE_CHIPS = 4
"""By so many chips a stack may have grown that stands before cards."""


class Stacks:
    """The stacks that are known to stand on a table, as its camera sees them."""

    def __init__(self, view: View, chips: ChipTable) -> None:
        self._view, self._chips = view, chips

    def is_slight(self, zone: Zone, new: Difference) -> bool:
        """Whether so little of a spot's stacks changed, and so little beside them, that no chip came or went."""
        own, px_per_mm2 = _outlines(self._chips.piles(zone.place)), self._px_per_mm2(zone)
        beside = new.outside(own)
        if not self.is_touched(zone, new):
            return True
        is_chip = beside.count >= SLIGHT_BESIDE_MM2 * px_per_mm2 or self._is_marked(zone, beside)
        is_chip = is_chip or self._is_rim(zone, beside.near(own, RIM_MM * self._view.px_per_mm(*zone.at)))
        return not is_chip and new.count - beside.count < SLIGHT_MM2 * px_per_mm2

    def _is_marked(self, zone: Zone, beside: Difference) -> bool:
        """Whether what is new beside the stacks can be the marks of a dark chip."""
        marked = beside.closed(MARKS_MM * self._view.px_per_mm(*zone.at))
        return marked.count >= MARKED_MM2 * self._px_per_mm2(zone)

    def _is_rim(self, zone: Zone, near: Difference) -> bool:
        """Whether what is new right beside the stacks, and no other spot's, can be the rim of chips they hide."""
        others = _outlines(self._chips.all_piles(but=zone.place))
        return near.outside(others).count >= RIM_MM2 * self._px_per_mm2(zone)

    def is_touched(self, zone: Zone, new: Difference) -> bool:
        """Whether something changed on a spot's own ground, or on or above its stacks: what is seen behind them, cards
        that are turned and stacks of other spots, is none of it."""
        near = new.outside(_outlines(self._chips.all_piles(but=zone.place)))
        beyond = near.outside([self._view.outline(zone), *map(self._grown, self._chips.piles(zone.place))])
        return near.count - beyond.count > SLIGHT_MM2 * self._px_per_mm2(zone)

    def beside(self, new: Difference) -> Difference:
        """What is new but for stacks that stand before the cards: chips that come and go there are no card."""
        return new.outside([self._grown(pile) for pile in self._chips.all_piles()])

    def refresh(self, bare: Image, image: Image, window: Window) -> None:
        """Cards as they lie now are ground to the stacks that stand before them; the stacks themselves are not."""
        fresh = window.mask.astype(np.uint8)
        for outline in _outlines(self._chips.all_piles()):
            points = np.array(outline) - [window.columns.start, window.rows.start]
            cv2.fillConvexPoly(fresh, np.round(points).astype(np.int32), 0)
        ground, now = (each[window.rows, window.columns] for each in (bare, image))
        np.copyto(ground, now, where=(fresh > 0)[:, :, None])

    def _grown(self, pile: Pile) -> list[Point]:
        return stack_outline(self._view, pile.at, len(pile.chips) + MORE_CHIPS)

    def _px_per_mm2(self, zone: Zone) -> float:
        return self._view.px_per_mm(*zone.at) * self._view.px_per_mm(*zone.at, in_best_direction=True)


def _outlines(piles: Sequence[Pile]) -> list[Sequence[Point]]:
    return [pile.region for pile in piles if pile.region]
