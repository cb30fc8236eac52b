"""Arms: what reaches from outside over the felt, and whose side it comes from.

Whatever is new in the picture and hangs together with something beyond the felt's edge is taken for an arm with what
it holds. That needs no skin colour: sleeves, gloves and heads are found alike, a card that was let go is not.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import View
from vision.plan import Plan, Point

Mask = NDArray[np.bool_]
NOBODY, DEALER = 0, 1
DEALER_EDGE_MM = 75.0
"""This strip of the felt is the dealer's: what reaches out of it is his arm, however dark his sleeves are beyond it."""
PLAYERS_EDGE_MM = 18.0
"""And this one all around is the players', where nothing is put down."""
DEALER_WIDTH = 0.88
"""So much of the table's width: beyond, the sleeves of those who sit at its ends are seen above it."""
LIKELY_SHARE, HOME_MM = 0.15, 200.0
BESIDE_MM = 20.0  # so far beyond its zone a piece may lie
TALL_MM = 70.0  # a stack of twenty chips, the shoe
TRAY_FRONT_MM = 60.0
"""A dark sleeve is not seen before the dark front of float and rack: so long a piece of an arm may be missing."""
FLOAT_WIDE_MM = 300.0  # no shoe or discard rack is as wide
SMALLEST_MM2 = 900.0  # a finger tip; what is smaller is noise


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The arms over a table at one moment: for each small pixel, the number of the owner whose arm it is; and each
    arm's owner with the place (mm) to which its fingers reach."""

    owners: NDArray[np.uint8]
    tips: tuple[tuple[int, Point], ...] = ()
    doubtful: tuple[int, ...] = ()
    """Owners one of whose arms comes in where the dealer's side meets a player's: it may be the other's."""

    def is_at(self, owner: int, at: Point, within_mm: float) -> bool:
        """Whether one of somebody's hands, not only his arm, is at a place."""
        return any(each == owner and math.dist(tip, at) <= within_mm for each, tip in self.tips)

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
        left, top, right, bottom = plan.bounds()
        middle = view.px_per_mm((left + right) / 2, (top + bottom) / 2) / scale
        edge_px = max(1, round(PLAYERS_EDGE_MM * middle))
        self._felt = cv2.erode(self._felt, np.ones((2 * edge_px + 1,) * 2, np.uint8))
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
        self._homes: list[Point] = [(0.0, 0.0), ((left + right) / 2, top - HOME_MM)]
        self._homes += [zone.from_middle(0.0, zone.size[1] / 2 + HOME_MM) for zone in boxes]
        self._homes += [((left + right) / 2, bottom + HOME_MM)] * (len(self.names) - len(self._homes))
        from_middle = np.abs(mm[:, 0] - (left + right) / 2)
        is_dealers = (mm[:, 1] < DEALER_EDGE_MM) & (from_middle < DEALER_WIDTH * (right - left) / 2)
        self._sides[is_dealers] = DEALER
        self._felt[is_dealers.reshape(self._felt.shape)] = 0
        self._sides = self._sides.reshape(size[::-1])
        for zone in plan.of_kind("fixture"):  # shoe and rack are the dealer's, and as dark as his sleeves
            outline = np.round(np.array(view.outline(zone, TALL_MM)) / scale).astype(np.int32)
            cv2.fillConvexPoly(self._felt, outline, 0)
            cv2.fillConvexPoly(self._sides, outline, DEALER)
        for zone in plan.zones:  # what stands here may be seen above the felt's edge
            if zone.kind in ("fixture", "shuffle"):
                continue
            tall_mm = TALL_MM if zone.kind in ("cards", "tiles", "chips") else 0.0
            outline = np.round(np.array(view.outline(zone, tall_mm, BESIDE_MM)) / scale).astype(np.int32)
            cv2.fillConvexPoly(self._felt, outline, 1)
        gap_px = max(5, round(TRAY_FRONT_MM * middle))
        self._across_front = np.ones((gap_px, 5), np.uint8)
        dealers = (self._sides == DEALER) & (self._felt == 0)
        self._at_front = cv2.dilate(dealers.astype(np.uint8), np.ones((2 * gap_px + 1, 1), np.uint8))
        for zone in plan.of_kind("fixture"):
            if zone.size[0] >= FLOAT_WIDE_MM:  # what is beyond its front, seen aslant, still has to be reached
                float_ = np.zeros_like(self._felt)
                cv2.fillConvexPoly(float_, np.round(np.array(view.outline(zone, 0.0)) / scale).astype(np.int32), 1)
                reached = cv2.dilate(float_, np.ones((4 * gap_px + 1, 1), np.uint8))
                self._at_front = cv2.bitwise_or(self._at_front, reached)
        self._smallest_px = max(3.0, SMALLEST_MM2 * middle * middle)

    @property
    def felt(self) -> Mask:
        """Which small pixels show felt, apart from the dealer's own strip."""
        return self._felt > 0

    def find(self, new: NDArray[np.uint8], before: Reach | None = None) -> Reach:
        """The arms among what is new in a small picture (1 where it is); `before`: the arms a moment ago."""
        reached = np.zeros(new.shape, np.uint8)
        if not new.any():
            return Reach(owners=reached)
        # A cuff, a ring or a printed line may cut an arm in two: what is nearly connected is.
        joined = cv2.morphologyEx(new, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        at_front = cv2.bitwise_and(new, self._at_front)
        joined = cv2.bitwise_or(joined, cv2.morphologyEx(at_front, cv2.MORPH_CLOSE, self._across_front))
        count, labels = cv2.connectedComponents(joined, connectivity=8)
        pixels = np.flatnonzero(joined.view(np.bool_))
        numbers, is_inside = labels.ravel()[pixels], self._felt.ravel()[pixels] > 0
        inside = np.bincount(numbers[is_inside], minlength=count)
        outside = pixels[~is_inside]
        beyond = numbers[~is_inside].astype(np.intp) * len(self.names) + self._sides.ravel()[outside]
        by_side = np.bincount(beyond, minlength=count * len(self.names)).reshape(count, len(self.names))
        is_arm = (inside >= self._smallest_px) & (by_side.sum(axis=1) >= 2)
        tips, doubtful = [], []
        for number in np.flatnonzero(is_arm):
            for arm in self._parted(pixels[numbers == number], before):
                (tip, entry), likely = self._ends(arm), self._likely(arm)
                owner = self._owner(likely, tip, entry) if len(likely) > 1 else int(likely[0])
                reached.ravel()[arm] = owner
                tips.append((owner, tip))
                doubtful += [owner] if len(likely) > 1 and DEALER in likely else []
        return Reach(owners=reached, tips=tuple(tips), doubtful=tuple(doubtful))

    def _likely(self, arm: NDArray[np.intp]) -> NDArray[np.intp]:
        """Beyond whose edges much of an arm (its pixels) is; nobody's for what lies wholly on the felt."""
        outside = arm[self._felt.ravel()[arm] == 0]
        by_side = np.bincount(self._sides.ravel()[outside], minlength=len(self.names))
        return np.flatnonzero(by_side > min(LIKELY_SHARE * by_side.sum(), max(0, by_side.max() - 1)))

    def _parted(self, arm: NDArray[np.intp], before: Reach | None) -> list[NDArray[np.intp]]:
        """The dealer's hand beside a player's that rests there looks like one arm with it: what was a player's a moment
        ago still is, if what is left comes from the dealer alone."""
        if before is None:
            return [arm]
        was_player = cv2.dilate((before.owners > DEALER).view(np.uint8), np.ones((5, 5), np.uint8)) > 0
        is_player = was_player.ravel()[arm]
        (player, dealer) = (set(map(int, self._likely(part))) for part in (arm[is_player], arm[~is_player]))
        is_clear = bool(player) and DEALER not in player and dealer == {DEALER}
        return [arm[is_player], arm[~is_player]] if is_clear else [arm]

    def _ends(self, arm: NDArray[np.intp]) -> tuple[Point, Point]:
        """Where an arm (its pixels) comes in, and the place on it that is farthest from there: first the latter."""
        over = self.mm[arm]
        entry = over[self._felt.ravel()[arm] == 0].mean(axis=0)
        right, down = (over - entry).T
        tip = over[(right * right + down * down).argmax()]
        return (float(tip[0]), float(tip[1])), (float(entry[0]), float(entry[1]))

    def _owner(self, likely: NDArray[np.intp], tip: Point, entry: Point) -> int:
        """Whose arm it is of those beyond whose edges it is, where two sides meet: his from whom it points."""
        way = np.subtract(entry, tip)
        homes = [np.subtract(self._homes[owner], tip) for owner in likely]
        ahead = [float(way @ home) / max(1e-6, float(np.linalg.norm(home))) for home in homes]
        return int(likely[int(np.argmax(ahead))])
