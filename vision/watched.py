"""A zone as it is watched: how it looks against how it was last understood, and against its bare felt."""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.beginning import BROAD_MM, Felt, bared, mended
from vision.camera import View
from vision.frames import Frame
from vision.plan import Zone
from vision.window import Difference, Look, Window

DIFFERENT_MM2 = 40.0
PIECE_MM2 = {"marker": 1000.0, "button": 600.0, "cutting_card": 2500.0}
"""So much of a piece must be seen, where a shadow may fall into its zone."""
MARGIN_MM = {"cards": 6.0, "tiles": 6.0}
HEIGHT_MM = {"chips": 28.0, "dolly": 50.0, "dice": 16.0, "tiles": 10.0}
HAND_MM = 75.0
GLIMPSES = 6
"""So many looks at a zone between arms are kept: whoever works there longer is not told from when."""
BEGINS_WITH = ("cards", "tiles", "chips")
MAY_BEGIN_WITH = (*BEGINS_WITH, "marker", "button")
"""A piece that is first seen when an arm withdraws may be the hand of that arm."""


@dataclass(slots=True, kw_only=True)
class Doing:
    """What a zone looked like when last accepted, and what has gone on there since."""

    first: Look | None = None
    look: Look | None = None
    still_since: float | None = None
    stirred_from: float | None = None
    moved_t: float = -math.inf
    touched: dict[str, float] = field(default_factory=dict)
    doubtful_s: float = 0.0
    dealer_s: float = 0.0
    dealer_t: float = -math.inf
    """For how long, and when last, the dealer's arm was over it."""
    glimpses: list[tuple[float, Look]] = field(default_factory=list)
    """How it looked between arms since it last rested, and when."""
    has_gap: bool = False
    lay: Difference | None = None
    is_lost: bool = False
    """Whether it has been hidden for so long that what happens there is not seen."""
    part_t: float = -math.inf
    """When a part of it was last looked at while the rest stirred."""
    is_doubted: bool = False
    """Whether it was told that something may have come and gone there since it last rested."""


@dataclass(slots=True, kw_only=True)
class Watched:
    """A zone as the gate knows it: its pixels in the small picture, its window in the large one, what it is doing."""

    zone: Zone
    small: NDArray[np.intp]
    window: Window
    px_per_mm: float
    doing: Doing = field(default_factory=Doing)

    @classmethod
    def of(cls, zone: Zone, view: View, scale: int, size: tuple[int, int]) -> "Watched | None":
        """A zone seen in a small picture of this scale and size; None for one that is not in the picture."""
        hull = np.array(view.outline(zone, HEIGHT_MM.get(zone.kind, 3.0), MARGIN_MM.get(zone.kind, 0.0)))
        window = Window.around(hull, view)
        if window is None:
            return None
        small = np.zeros(size[::-1], np.uint8)
        cv2.fillConvexPoly(small, np.round(hull / scale).astype(np.int32), 1)
        return cls(zone=zone, small=np.flatnonzero(small), window=window, px_per_mm=view.px_per_mm(*zone.at))

    @property
    def different_px(self) -> float:
        """The zone looks different where more pixels do."""
        return max(10.0, DIFFERENT_MM2 * self.px_per_mm * self.px_per_mm)

    @property
    def reach_mm(self) -> float:
        """A hand whose fingers reach no farther from the zone's middle is at the zone."""
        return math.hypot(*self.zone.size) / 2 + HAND_MM

    @property
    def is_still(self) -> bool:
        """Whether nothing has stirred in the zone since its rest was told."""
        return self.doing.still_since is not None and self.doing.stirred_from is None

    def accept(self, frame: Frame) -> None:
        """What the zone looks like now has been understood: it is compared with this from now on."""
        self.doing.look = self.window.look(frame)
        self.doing.first = self.doing.first or self.doing.look

    def accept_part(self, frame: Frame, part: Difference) -> None:
        """What these pixels of the window show now has been understood."""
        assert self.doing.look is not None
        self.doing.look = mended(self.doing.look, self.window.look(frame), part.pixels)

    def begin(self, frame: Frame, felt: Felt | None) -> None:
        """The zone is seen for the first time: what lies in it came while nobody looked."""
        self.accept(frame)
        doing, kind = self.doing, self.zone.kind
        was_hidden = doing.stirred_from is not None
        if felt is None or doing.look is None or kind not in (BEGINS_WITH if was_hidden else MAY_BEGIN_WITH):
            return
        doing.lay = felt.covered(doing.look, self.window, self.px_per_mm, is_card=kind == "cards")
        if doing.lay is not None:
            doing.first = doing.look = bared(doing.look, doing.lay)
            doing.stirred_from, doing.has_gap = doing.still_since, True

    def mend(self, frame: Frame, felt: Felt | None) -> Difference | None:
        """Where felt shows now on which something lay unnoticed when the zone was first seen; that is mended."""
        first = self.doing.first
        if felt is None or first is None:
            return None
        now, differs = self.window.look(frame), self.occupied(frame)
        broad_px = BROAD_MM * self.px_per_mm if self.zone.kind == "chips" else 1.0  # rings and words are printed there
        is_felt = felt.barer(first, now, differs.pixels, broad_px)
        if is_felt is None:
            return None
        self.doing.first = mended(first, now, is_felt)
        return Difference(corner=differs.corner, pixels=is_felt)

    def difference(self, frame: Frame) -> Difference:
        """Where it looks different from when it was last accepted."""
        return self.window.difference(self.doing.look, frame)

    def occupied(self, frame: Frame) -> Difference:
        """Where it looks different from the first time it was seen at rest: where something lies on its felt."""
        return self.window.difference(self.doing.first, frame)

    def covered(self, frame: Frame) -> Difference:
        """Where something came to lie on the felt since the zone was last accepted: a shadow that falls covers nothing,
        and one that goes bares what was seen before."""
        since = self.window.difference(self.doing.look, frame, counts_shade=False)
        return Difference(corner=since.corner, pixels=since.pixels & self.occupied(frame).pixels)

    def is_occupied(self, frame: Frame, share: float = 1.0) -> bool:
        """Whether something lies or stands in a zone that was bare at first; of a piece, so much of what is asked."""
        piece_mm2 = PIECE_MM2.get(self.zone.kind, DIFFERENT_MM2)
        standing = self.window.difference(self.doing.first, frame, counts_shade=False)
        return standing.count > share * self.different_px * piece_mm2 / DIFFERENT_MM2

    def glimpse(self, frame: Frame) -> None:
        """Keep in mind how it looks for a moment, before it rests."""
        if len(self.doing.glimpses) < GLIMPSES:
            self.doing.glimpses.append((frame.t, self.window.look(frame)))

    def first_seen(self, frame: Frame) -> float | None:
        """The first glimpse of a place for cards that shows it as it lies now: so it lay while arms were over it."""
        for t, glimpse in self.doing.glimpses if self.zone.kind != "chips" else ():
            if self.window.difference(glimpse, frame).count <= self.different_px:
                return t
        return None

    def was_otherwise(self, frame: Frame) -> bool:
        """Whether a glimpse of a spot shows it neither as it was nor as it is: something stood there in between."""
        window, known = self.window, self.doing.look
        looks = (window.look(frame), known) if self.zone.kind == "chips" and known is not None else ()
        return bool(looks) and any(
            all(window.between(look, glimpse).count > self.different_px for look in looks)
            for _, glimpse in self.doing.glimpses
        )
