"""Arms: what reaches from outside over the felt, and whose side it comes from.

Whatever is new in the picture and hangs together with something beyond the felt's edge is taken for an arm with what
it holds. That needs no skin colour: sleeves, gloves and heads are found alike, a card that was let go is not.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import View
from vision.plan import Plan

Mask = NDArray[np.bool_]
NOBODY, DEALER = 0, 1
DEALER_EDGE_MM = 75.0
"""This strip of the felt is the dealer's: what reaches out of it is his arm, however dark his sleeves are beyond it."""
TALL_MM = 70.0  # a stack of twenty chips, the shoe
SMALLEST_MM2 = 900.0  # a finger tip; what is smaller is noise


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The arms over a table at one moment: for each small pixel, the number of the owner whose arm it is."""

    owners: NDArray[np.uint8]

    def over(self, pixels: NDArray[np.intp]) -> NDArray[np.intp]:
        """How many of these pixels (flat indices) each owner's arm covers; entry 0 counts the free ones."""
        return np.bincount(self.owners.ravel()[pixels], minlength=2)


class Arms:
    """Finds arms in small pictures. Owners are numbers: 1 is the dealer, the rest are places of `names`.

    `mm` is the plan position of every small pixel, row by row.
    """

    def __init__(self, view: View, plan: Plan, scale: int, size: tuple[int, int]) -> None:
        boxes = [zone for zone in plan.zones if zone.name.startswith("box") and not set("#/") & set(zone.name)]
        self.names: tuple[str, ...] = ("", "dealer", *(zone.name for zone in boxes))
        felt = view.all_to_px(np.array([(x, y, 0.0) for x, y in plan.felt])) / scale
        self._felt = np.zeros(size[::-1], np.uint8)
        cv2.fillPoly(self._felt, [np.round(felt).astype(np.int32)], 1)
        # Where the felt runs out of the picture, an arm comes in at the picture's edge.
        self._felt[[0, -1], :] = self._felt[:, [0, -1]] = 0
        rows, columns = np.mgrid[0 : size[1], 0 : size[0]]
        pixels = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64) * scale + scale / 2
        self.mm = mm = view.all_to_mm(pixels)
        self._sides = np.full(len(mm), DEALER, np.uint8)
        if boxes:
            middles = np.array([zone.at for zone in boxes])
            nearest = ((mm[:, None, :] - middles[None]) ** 2).sum(axis=2).argmin(axis=1)
            self._sides[:] = nearest + 2
        elif len(self.names) == 2:  # no boxes: whoever is not the dealer is a player
            self.names = (*self.names, "player")
            self._sides[:] = 2
        self._sides[mm[:, 1] < DEALER_EDGE_MM] = DEALER
        self._felt[(mm[:, 1] < DEALER_EDGE_MM).reshape(self._felt.shape)] = 0
        self._sides = self._sides.reshape(size[::-1])
        for zone in plan.of_kind("fixture"):  # shoe and rack are the dealer's, and as dark as his sleeves
            outline = np.round(np.array(view.outline(zone, TALL_MM)) / scale).astype(np.int32)
            cv2.fillConvexPoly(self._felt, outline, 0)
            cv2.fillConvexPoly(self._sides, outline, DEALER)
        for zone in plan.of_kind("cards", "tiles", "chips"):  # what stands here may be seen above the felt's edge
            outline = np.round(np.array(view.outline(zone, TALL_MM)) / scale).astype(np.int32)
            cv2.fillConvexPoly(self._felt, outline, 1)
        left, top, right, bottom = plan.bounds()
        middle = view.px_per_mm((left + right) / 2, (top + bottom) / 2) / scale
        self._smallest_px = max(3.0, SMALLEST_MM2 * middle * middle)

    @property
    def felt(self) -> Mask:
        """Which small pixels show felt, apart from the dealer's own strip."""
        return self._felt > 0

    def find(self, new: NDArray[np.uint8]) -> Reach:
        """The arms among what is new in a small picture (nonzero where it is)."""
        # A cuff, a ring or a printed line may cut an arm in two: what is nearly connected is.
        joined = cv2.morphologyEx(new, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        owners = np.zeros(count, np.uint8)
        inside = np.bincount(labels.ravel(), weights=self._felt.ravel(), minlength=count)
        for number in range(1, count):
            area = stats[number, cv2.CC_STAT_AREA]
            if inside[number] < self._smallest_px or area - inside[number] < 2:
                continue
            beyond = self._sides[(labels == number) & (self._felt == 0)]
            owners[number] = np.bincount(beyond).argmax()
        return Reach(owners=owners[labels])
