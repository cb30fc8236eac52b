"""Chips that nobody could read: what stands in a spot and is not explained by any stack that was read there.

An amount next to which something else stands is not certain, whatever its reader says; and a spot in which something
stands that was not read at all is not empty.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.camera import Image, View
from vision.plan import CHIP_MM, Point, Zone
from vision.standing import foot_of, is_barer, pixels_of
from vision.window import unlike

BESIDE_PX = 3
"""An outline that was read may be off by so much."""
AROUND_MM, TALL_MM = 30.0, 70.0
LEAST_CHIPS = 0.4
"""What is smaller than so much of a chip is none."""


def stands_unread(image: Image, bare: Image, view: View, zone: Zone, outlines: Sequence[Sequence[Point]]) -> bool:
    """Whether something outside the outlines has its foot in a zone. Where `bare` itself showed something that has gone
    since, it is brought up to date."""
    hull = np.array(view.outline(zone, TALL_MM, AROUND_MM))
    low = np.clip(np.floor(hull.min(axis=0)).astype(int), 0, np.array(view.size) - 1)
    high = np.clip(np.ceil(hull.max(axis=0)).astype(int), 1, view.size)
    now, was = (each[low[1] : high[1], low[0] : high[0]] for each in (image, bare))
    left = unlike(now, was).astype(np.uint8)
    for outline in outlines:
        points = np.round(np.array(outline) - low).astype(np.int32)
        cv2.fillConvexPoly(left, points, 0)
        cv2.polylines(left, [points], True, 0, 2 * BESIDE_PX)
    chip_px = np.pi / 4 * CHIP_MM**2 * view.px_per_mm(*zone.at) * view.px_per_mm(*zone.at, in_best_direction=True)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(left, connectivity=8)
    is_unread = False
    for number in range(1, count):
        if stats[number, cv2.CC_STAT_AREA] < LEAST_CHIPS * chip_px:
            continue
        thing = labels == number
        points = pixels_of(thing, (int(low[0]), int(low[1])))
        if not zone.holds(*foot_of(view, points, zone.at, radius_mm=CHIP_MM / 2)):
            continue
        if is_barer(now, was, thing):
            was[thing] = now[thing]
        else:
            is_unread = True
    return is_unread
