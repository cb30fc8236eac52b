"""A window on a zone in full resolution: how it looks, and where it looks different from before."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import View
from vision.frames import Frame, Image
from vision.plan import Point

DIFFERENT_GREY = 22
DIFFERENT_TINT = 12
DIFFERENT_COLOUR = 26  # in the channel that differs most
ALIKE, AS_BRIGHT_SHARE = 0.04, 0.25
"""Where so much of what kept its tint is as bright as before, the light is: what became darker or lighter is something
else, as backs in the felt's own tint are that cover most of a place."""
SHADE_UNEVEN = 0.22
"""A shadow darkens all channels alike: by so much they may differ in their share of the light."""
ORNAMENT_MM = 5.0
"""Gaps so wide in what lies at a place for cards are the ornament of a back in the felt's own colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a window looks: brightness, a little blurred against noise, and both tints at half resolution."""

    luma: Image
    tints: tuple[Image, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Which pixels of a window of the picture differ; `corner` is the window's upper left."""

    corner: tuple[int, int]
    pixels: NDArray[np.bool_]

    @property
    def count(self) -> int:
        """How many differ."""
        return int(np.count_nonzero(self.pixels))

    @property
    def here(self) -> tuple[slice, slice]:
        """The rows and columns of the picture that the window has."""
        (left, top), (rows, columns) = self.corner, self.pixels.shape
        return slice(top, top + rows), slice(left, left + columns)

    def without(self, other: "Difference") -> "Difference":
        """What differs here and not in another window of the same picture."""
        left, top = (int(step) for step in np.subtract(other.corner, self.corner))
        pixels = self.pixels.copy()
        first, past = np.maximum(0, (top, left)), np.minimum(pixels.shape, np.add(other.pixels.shape, (top, left)))
        if (first < past).all():
            here = slice(first[0], past[0]), slice(first[1], past[1])
            there = slice(first[0] - top, past[0] - top), slice(first[1] - left, past[1] - left)
            pixels[here] &= ~other.pixels[there]
        return Difference(corner=self.corner, pixels=pixels)

    def within(self, other: "Difference") -> "Difference":
        """What differs here and in another look through the same window."""
        return Difference(corner=self.corner, pixels=self.pixels & other.pixels)

    def closed(self, gap_px: float) -> "Difference":
        """With gaps so narrow filled."""
        return Difference(corner=self.corner, pixels=closed(self.pixels, gap_px))

    def outside(self, outlines: Sequence[Sequence[Point]]) -> "Difference":
        """What differs beyond some outlines (pixels of the picture)."""
        return Difference(corner=self.corner, pixels=self.pixels & (self._inside(outlines) == 0))

    def near(self, outlines: Sequence[Sequence[Point]], reach_px: float) -> "Difference":
        """What differs in some outlines (pixels of the picture) or so near to them."""
        wide = 2 * max(1, round(reach_px)) + 1
        reached = cv2.dilate(self._inside(outlines), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide)))
        return Difference(corner=self.corner, pixels=self.pixels & (reached > 0))

    def share(self, outline: Sequence[Point]) -> float:
        """The part of an outline (pixels of the picture) that differs, of what of it lies in the window."""
        inside = self._inside([outline]) > 0
        return int(np.count_nonzero(self.pixels & inside)) / max(1, int(np.count_nonzero(inside)))

    def _inside(self, outlines: Sequence[Sequence[Point]]) -> NDArray[np.uint8]:
        """1 where the window shows one of the outlines."""
        inside = np.zeros(self.pixels.shape, np.uint8)
        for outline in outlines:
            cv2.fillConvexPoly(inside, np.round(np.array(outline) - self.corner).astype(np.int32), 1)
        return inside


    def beyond(self, outline: Sequence[Point]) -> float:
        """The part of an outline that lies beyond the window, of which nothing is known here."""
        (left, top), (rows, columns) = self.corner, self.pixels.shape
        window = np.array([(left, top), (left + columns, top), (left + columns, top + rows), (left, top + rows)])
        hull = cv2.convexHull(np.array(outline, np.float32))
        shared, _ = cv2.intersectConvexConvex(window.astype(np.float32), hull)
        return 1 - min(1.0, shared / max(cv2.contourArea(hull), 1e-6))


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The pixels of the picture around an outline; `mask` is set inside it."""

    rows: slice
    columns: slice
    mask: NDArray[np.bool_]

    @classmethod
    def around(cls, hull: NDArray[np.float64], view: View) -> "Window | None":
        """The window of an outline in pixels; None where it is not in the picture."""
        low = np.clip(np.floor(hull.min(axis=0)).astype(int), 0, view.size)
        high = np.clip(np.ceil(hull.max(axis=0)).astype(int), 0, view.size)
        # Even corners: the tint planes have half the resolution.
        left, top, right, bottom = low[0] & ~1, low[1] & ~1, (high[0] + 1) & ~1, (high[1] + 1) & ~1
        if right - left < 8 or bottom - top < 8:
            return None
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillConvexPoly(mask, np.round(hull - [left, top]).astype(np.int32), 1)
        return cls(rows=slice(top, bottom), columns=slice(left, right), mask=mask > 0)

    def look(self, frame: Frame) -> Look:
        """How it looks in a frame."""
        luma = cv2.blur(frame.luma[self.rows, self.columns], (3, 3))
        rows, columns = (slice(side.start // 2, side.stop // 2) for side in (self.rows, self.columns))
        tints = tuple(np.ascontiguousarray(plane[rows, columns]) for plane in frame.tints)
        return Look(luma=np.asarray(luma, np.uint8), tints=tints)

    def difference(self, before: Look | None, frame: Frame, *, counts_shade: bool = True) -> Difference:
        """Where it looks different from before. Shade is what only became darker and kept its tint."""
        if before is None:
            return Difference(corner=(self.columns.start, self.rows.start), pixels=self.mask)
        return self.between(before, self.look(frame), counts_shade=counts_shade)

    def between(self, before: Look, now: Look, *, counts_shade: bool = True) -> Difference:
        """Where one look differs from another."""
        other = [cv2.absdiff(tint, was) > DIFFERENT_TINT for tint, was in zip(now.tints, before.tints, strict=True)]
        half = np.logical_or.reduce(other) if other else np.zeros(np.array(self.mask.shape) // 2, bool)
        tinted = np.repeat(np.repeat(half, 2, axis=0), 2, axis=1)
        # How much lighter it has become is told by what kept its tint, also around: cards may cover most of a zone.
        kept = ~tinted if not tinted.all() else self.mask
        lighter = before.luma[kept].astype(np.float32) / np.maximum(now.luma[kept], 1)
        is_lit_alike = np.mean(np.abs(lighter - 1) < ALIKE) > AS_BRIGHT_SHARE
        gain = 1.0 if is_lit_alike else min(1.3, max(0.7, float(np.median(lighter))))
        luma = cv2.convertScaleAbs(now.luma, alpha=gain)
        change = cv2.absdiff(luma, before.luma) if counts_shade else cv2.subtract(luma, before.luma)
        pixels = ((change > DIFFERENT_GREY) | tinted) & self.mask
        return Difference(corner=(self.columns.start, self.rows.start), pixels=pixels)


def closed(mask: NDArray[np.bool_], gap_px: float) -> NDArray[np.bool_]:
    """A mask with narrow gaps filled."""
    side = 2 * round(gap_px / 2) + 1
    return cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)) > 0


def different(image: Image, before: Image) -> NDArray[np.bool_]:
    """Where a picture in colour differs from an earlier one, if only by a shadow."""
    mask = (cv2.absdiff(image, before).max(axis=2) > DIFFERENT_COLOUR).astype(np.uint8)
    return cv2.morphologyEx(cv2.medianBlur(mask, 3), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)) > 0


def unlike(image: Image, before: Image) -> NDArray[np.bool_]:
    """Where a picture in colour differs from an earlier one by more than a shadow that fell."""
    mask = (cv2.absdiff(image, before).max(axis=2) > DIFFERENT_COLOUR).astype(np.uint8)
    different = mask > 0
    light = (image[different].astype(np.float32) + 4) / (before[different].astype(np.float32) + 4)
    most = light.max(axis=1)
    mask[different] = (most - light.min(axis=1) >= SHADE_UNEVEN) | (most >= 1.02)  # the others are only shaded
    return cv2.morphologyEx(cv2.medianBlur(mask, 3), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)) > 0
