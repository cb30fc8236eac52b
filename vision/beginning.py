"""What lies on a table when its footage begins: nobody has seen the felt under it, so it is told by not being felt.

Felt has the tint of most of the table, and about the brightness of the felt around. What is printed on it is narrow:
where something broader shows, a thing lies there, and the felt under it is thought to look like the rest of its zone's.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plan import Plan
from vision.window import ORNAMENT_MM, Difference, Look, Window, closed

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]
FELT_TINT = 14.0
FELT_LIGHT = (0.4, 1.5)
"""Felt in shade, and felt under a lamp, by the felt around."""
BROAD_MM, BROAD_CARD_MM = 27.0, 32.0
"""Lines and letters are narrower than a chip. The ornament of a back may have the colour of felt: what is so close is
one thing where cards lie, a word too, but that is not as broad as a card."""
EDGE_MM = 3.0
BARER, MOSTLY = 15.0, 0.6
WHOLE_SHARE = 0.9
"""A zone that is no felt nearly everywhere is printed so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt:
    """Brightness and tints of most of a table."""

    luma: float
    tints: tuple[float, ...]

    @classmethod
    def of(cls, small: Image, felt: Mask, plan: Plan) -> "Felt | None":
        """The felt in a small picture of three planes; None for a layout that is printed in colours all over."""
        if plan.of_kind("dolly"):
            return None
        luma, *tints = (float(np.median(plane[felt])) for plane in small)
        return cls(luma=luma, tints=tuple(tints))

    def barer(self, first: Look, now: Look, differs: Mask, broad_px: float = 1.0) -> Mask | None:
        """Where felt is seen now and was not when a zone was first seen: something lay there unnoticed. Only where that
        is most of what differs: a card that hides a printed line is nearer to felt as well. How bright felt is, is told
        by what does not differ: backs may cover most of a zone, and be no brighter than felt under a lamp. A printed
        line in the shade of an arm is nearer to felt, but none; nor is what is nowhere so broad, where print may be
        that is narrower: a sleeve in the felt's own colour lies on it."""
        light = self._light(now.luma[~differs])
        is_felt = (self._unlike(now, light) + BARER < self._unlike(first, light)) & differs & self._is_felt(now, light)
        is_most = np.count_nonzero(is_felt) > MOSTLY * np.count_nonzero(differs)
        return is_felt if is_most and is_broad(is_felt, broad_px) else None

    def _unlike(self, look: Look, light: float) -> NDArray[np.float32]:
        """How far every pixel of a look is from felt."""
        far: NDArray[np.float32] = np.abs(look.luma - np.float32(light))
        for plane, tint in zip(look.tints, self.tints, strict=False):
            far += np.repeat(np.repeat(np.abs(plane - np.float32(tint)), 2, axis=0), 2, axis=1)
        return far

    def covered(self, look: Look, window: Window, px_per_mm: float, *, is_card: bool) -> Difference | None:
        """Where something lies in a zone (`is_card`: one for cards) that is first seen; None where all is felt."""
        foreign = ~self._is_felt(look, self._light(look.luma[self._is_tinted(look)])) & window.mask
        filled = closed(foreign, ORNAMENT_MM * px_per_mm) & window.mask if is_card else foreign
        broad_px = (BROAD_CARD_MM if is_card else BROAD_MM) * px_per_mm
        filled = filled if is_card else _inside(filled, window.mask)
        broad = cv2.morphologyEx(filled.view(np.uint8), cv2.MORPH_OPEN, _square(broad_px))
        around = cv2.dilate(broad, _square(2 * BROAD_MM * px_per_mm)) > 0
        things = cv2.dilate((filled & around).view(np.uint8), _square(2 * EDGE_MM * px_per_mm)) > 0
        if not broad.any() or np.count_nonzero(things) > WHOLE_SHARE * things.size:
            return None
        return Difference(corner=(window.columns.start, window.rows.start), pixels=things)

    def _is_felt(self, look: Look, light: float) -> Mask:
        """Which pixels of a look have the felt's tint, and the light of felt so bright, in shade or under a lamp."""
        part = look.luma / light
        return np.asarray(self._is_tinted(look) & (part > FELT_LIGHT[0]) & (part < FELT_LIGHT[1]))

    def _is_tinted(self, look: Look) -> Mask:
        is_tinted = np.ones(look.luma.shape, bool)
        for plane, tint in zip(look.tints, self.tints, strict=False):
            like = np.abs(plane.astype(np.float32) - tint) <= FELT_TINT
            is_tinted &= np.repeat(np.repeat(like, 2, axis=0), 2, axis=1)
        return is_tinted

    def _light(self, luma: NDArray[np.uint8]) -> float:
        """How bright the felt of a zone is, by those of its pixels that can be felt."""
        felt = luma[(luma > self.luma / 2) & (luma < self.luma * 2)]
        return max(1.0, float(np.median(felt)) if len(felt) else self.luma)


def is_broad(mask: Mask, broad_px: float) -> bool:
    """Whether a mask is so broad anywhere."""
    return bool(cv2.morphologyEx(mask.view(np.uint8), cv2.MORPH_OPEN, _square(broad_px)).any())


def mended(first: Look, now: Look, is_felt: Mask) -> Look:
    """The first look at a zone, with the felt that is seen now."""
    planes = [np.where(is_felt[::2, ::2], new, old) for new, old in zip(now.tints, first.tints, strict=True)]
    return Look(luma=np.where(is_felt, now.luma, first.luma), tints=tuple(planes))


def bared(look: Look, covered: Difference) -> Look:
    """The look of a zone without what lies in it."""
    rows, columns = covered.pixels.shape
    halved = np.asarray(covered.pixels.reshape(rows // 2, 2, columns // 2, 2).any(axis=(1, 3)))
    return Look(
        luma=_painted(look.luma, covered.pixels), tints=tuple(_painted(plane, halved) for plane in look.tints)
    )


def paint_bare(image: Image, covered: Difference) -> None:
    """Paint felt where something lies, in a picture in colour."""
    image[covered.here] = _painted(image[covered.here], covered.pixels)


def _painted(plane: Image, covered: Mask) -> Image:
    painted = plane.copy()
    if not covered.all():
        painted[covered] = np.median(plane[~covered], axis=0).astype(np.uint8)
    return painted


def _inside(things: Mask, mask: Mask) -> Mask:
    """The things that lie wholly within a mask: a hand and the rail reach in from beyond it."""
    _, labels = cv2.connectedComponents(things.view(np.uint8))
    rim = cv2.erode(mask.view(np.uint8), np.ones((3, 3), np.uint8), borderValue=0) == 0
    return things & ~np.isin(labels, np.unique(labels[rim & things]))


def _square(side_px: float) -> Image:
    side = max(1, round(side_px))
    return np.ones((side, side), np.uint8)
