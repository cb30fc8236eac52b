"""The dolly: something narrower than a chip that comes to stand on a number of the layout, or leaves it.

No network is asked: whatever changed between two looks at the layout and is too narrow for a chip, with its foot on a
number, is the dolly; whether it came or left shows in which of the two looks the felt can be seen there. While it
stands it is painted out of the pictures that chips are read in.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image, View
from vision.plan import CHIP_MM, Plan, Zone
from vision.standing import foot_of, is_barer, pixels_of, upright
from vision.window import Difference, Window, unlike

Mask = NDArray[np.bool_]
WIDTH_MM = (9.0, 0.87 * CHIP_MM)
LENGTH_MM = (20.0, 110.0)  # along the line from its foot to its head, as it is seen
AROUND_MM, TALL_MM = 60.0, 90.0
FOOT_MM = 13.0
"""From the lowest pixel of its foot to the foot's middle, on the felt."""
NEAR_MM = 34.0
FULL_SHARE = 0.45
BESIDE_PX = 3
STANDS_SHARE = 0.5
"""Where less of a thing differs from the bare layout, nothing stands: chips have gone."""
SAME_SHARE = 0.4
"""So much of what changed and of what stood there must be one: then it is the dolly that left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """The dolly came to a number, or left (None); `pixels` is what of the picture changed with it."""

    at: int | None
    pixels: Difference


@dataclass(slots=True, kw_only=True)
class DollyMemory:
    """The layout as it was last understood, the dolly where it stands, and what can be seen there without it.

    `is_known` from its first move on: only then is it certain that it does not stand somewhere.
    """

    picture: Image | None = None
    is_known: bool = False
    number: int | None = None
    standing: Difference | None = None
    under: Image | None = field(default=None, repr=False)


class DollyWatch:
    """Follows the dolly from number to number."""

    def __init__(self, view: View, plan: Plan) -> None:
        self.memory = DollyMemory()
        self._view = view
        spots = [(zone.name.removeprefix("layout/"), zone) for zone in plan.of_kind("chips")]
        self._numbers = {int(name): zone for name, zone in spots if name.isdecimal()}

    def accept(self, window: Window, image: Image) -> None:
        """Chips of a zone came or went: it has been understood as it looks now. What else differs may be the dolly, of
        which a zone shows only a part."""
        assert self.memory.picture is not None
        here = window.rows, window.columns
        np.copyto(self.memory.picture[here], image[here], where=window.mask[:, :, None])

    def without(self, image: Image) -> Image:
        """A picture with what is behind the dolly in its place."""
        standing, under = self.memory.standing, self.memory.under
        if standing is None or under is None:
            return image
        clean = image.copy()
        np.copyto(clean[standing.here], under, where=standing.pixels[:, :, None])
        return clean

    def seen_anew(self, image: Image) -> None:
        """The camera was knocked and is found again: print lies a little aside in its pictures from now on, and is no
        dolly for that."""
        if self.memory.picture is not None:
            self.memory.picture = self.without(image).copy()

    def hides(self, place: str) -> bool:
        """Whether it stands on the chips of a place: then they cannot be counted surely."""
        return self.memory.number is not None and place == self._numbers[self.memory.number].place

    def rested(self, zone: Zone, image: Image, bare: Image, height_mm: Callable[[str], float]) -> Moved | None:
        """Whether the dolly is what changed in and around a zone; `height_mm` says how high chips stand at a place,
        `bare` is the layout without them."""
        memory = self.memory
        if memory.picture is None:
            return None
        corner, crop = self._crop(zone)
        before, now = memory.picture[crop], image[crop]
        thing = self._narrow_thing(zone, unlike(before, now) & unlike(now, before), corner)
        number = None if thing is None else self._number(thing, height_mm)
        if thing is None or number is None:
            return None
        if memory.standing is not None:
            if _overlap(memory.standing, thing) < SAME_SHARE:
                return None
            came = False
        elif unlike(now, bare[crop])[thing.pixels].mean() < STANDS_SHARE:
            return None  # chips have gone, of which print of their colour made a narrow thing
        else:
            is_first = not memory.is_known and not height_mm(self._numbers[number].place)
            came = not is_first or is_barer(before, now, thing.pixels)  # it may stand there from the first
        reach = cv2.dilate(thing.pixels.astype(np.uint8), np.ones((2 * BESIDE_PX + 1,) * 2, np.uint8)) > 0
        moved = Moved(at=number if came else None, pixels=Difference(corner=corner, pixels=reach))
        memory.is_known, memory.number = True, moved.at
        memory.standing, memory.under = (moved.pixels, before.copy()) if came else (None, None)
        np.copyto(memory.picture[crop], now, where=reach[:, :, None])
        return moved

    def _crop(self, zone: Zone) -> tuple[tuple[int, int], tuple[slice, slice]]:
        hull = np.array(self._view.outline(zone, TALL_MM, AROUND_MM))
        left, top = (max(0, math.floor(value)) for value in hull.min(axis=0))
        right, bottom = (math.ceil(value) for value in hull.max(axis=0))
        return (left, top), (slice(top, bottom), slice(left, right))

    def _narrow_thing(self, zone: Zone, change: Mask, corner: tuple[int, int]) -> Difference | None:
        """What changed at the zone, if it hangs together and is narrower than a chip."""
        up, across, mm_px = upright(self._view, zone.at)
        count, labels = cv2.connectedComponents(change.astype(np.uint8), connectivity=8)
        cut_off = set(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]).tolist())
        for number in sorted(set(range(1, count)) - cut_off):  # what is seen in part may be as wide as a chip
            points = pixels_of(labels == number, corner)
            width, length = (_extent(points @ way) * mm_px for way in (across, up))
            is_narrow = WIDTH_MM[0] <= width <= WIDTH_MM[1] and LENGTH_MM[0] <= length <= LENGTH_MM[1]
            if is_narrow and len(points) * mm_px * mm_px > FULL_SHARE * width * length:
                return Difference(corner=corner, pixels=labels == number)
        return None

    def _number(self, thing: Difference, height_mm: Callable[[str], float]) -> int | None:
        """The number on which a thing has its foot, given how high the chips are that it may stand on."""
        points = pixels_of(thing.pixels, thing.corner)
        best: tuple[float, int] | None = None
        for number, zone in self._numbers.items():
            z = height_mm(zone.place)
            apart = math.dist(foot_of(self._view, points, zone.at, radius_mm=FOOT_MM, z=z), zone.at)
            if apart < NEAR_MM and (best is None or apart < best[0]):
                best = (apart, number)
        return None if best is None else best[1]


def _overlap(one: Difference, other: Difference) -> float:
    """The part of both that both have."""
    both = one.count - one.without(other).count
    return both / max(1, one.count + other.count - both)


def _extent(values: NDArray[np.float64]) -> float:
    low, high = np.percentile(values, (2, 98))
    return float(high - low) / 0.96 + 1
