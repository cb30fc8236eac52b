"""Chips that nobody could read: what stands in a spot and is not explained by any stack that was read there.

An amount next to which something else stands is not certain, whatever its reader says; and a spot in which something
stands that was not read at all is not empty.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.beginning import BROAD_MM, is_broad
from vision.camera import Image, View
from vision.plan import CHIP_MM, Point, Zone
from vision.standing import Mask, foot_of, is_barer, pixels_of
from vision.window import different, unlike

BESIDE_PX = 3
"""An outline that was read may be off by so much."""
AROUND_MM, TALL_MM = 30.0, 70.0
LEAST_CHIPS = 0.4
"""What is smaller than so much of a chip is none."""
SPECKLED_SHARE, SPECKLED_CHIPS = 0.2, 3.0
"""A dark chip darkens dark felt as a shadow does, but for the bright marks on it: what has so many of them, and is not
larger than some chips, is no shadow."""


def stands_unread(image: Image, bare: Image, view: View, zone: Zone, outlines: Sequence[Sequence[Point]]) -> bool:
    """Whether something outside the outlines has its foot in a zone. Where `bare` itself showed something that has gone
    since, it is brought up to date."""
    hull = np.array(view.outline(zone, TALL_MM, AROUND_MM))
    low = np.clip(np.floor(hull.min(axis=0)).astype(int), 0, np.array(view.size) - 1)
    high = np.clip(np.ceil(hull.max(axis=0)).astype(int), 1, view.size)
    now, was = (each[low[1] : high[1], low[0] : high[0]] for each in (image, bare))
    beyond = np.ones(now.shape[:2], np.uint8)
    for outline in outlines:
        points = np.round(np.array(outline) - low).astype(np.int32)
        cv2.fillConvexPoly(beyond, points, 0)
        cv2.polylines(beyond, [points], True, 0, 2 * BESIDE_PX)
    px_per_mm = view.px_per_mm(*zone.at)
    chip_px = np.pi / 4 * CHIP_MM**2 * px_per_mm * view.px_per_mm(*zone.at, in_best_direction=True)
    is_unread = False
    for thing in _things(now, was, beyond > 0, chip_px):
        points = pixels_of(thing, (int(low[0]), int(low[1])))
        if not zone.holds(*foot_of(view, points, zone.at, radius_mm=CHIP_MM / 2)):
            continue
        if not is_barer(now, was, thing):
            is_unread = True
        elif is_broad(thing, BROAD_MM * px_per_mm):  # else it is print that a sleeve in the felt's colour hides
            was[thing] = now[thing]
    return is_unread


def _things(now: Image, was: Image, beyond: Mask, chip_px: float) -> Iterator[Mask]:
    """What is there now and was not, as large as a chip: by its colours, or by the marks on it where it is dark."""
    coloured = unlike(now, was) & beyond
    yield from _parts(coloured, LEAST_CHIPS * chip_px)
    for thing in _parts(different(now, was) & beyond, LEAST_CHIPS * chip_px):
        size_px = np.count_nonzero(thing)
        if size_px < SPECKLED_CHIPS * chip_px and np.count_nonzero(coloured & thing) > SPECKLED_SHARE * size_px:
            yield thing


def _parts(mask: Mask, least_px: float) -> Iterator[Mask]:
    """The parts of a mask that hang together, but for the smallest."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    yield from (labels == number for number in range(1, count) if stats[number, cv2.CC_STAT_AREA] >= least_px)
