"""Finds the feet of stacks: what stands on the felt is told from bare felt and from felt in shade, by an empty view."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chip_stance import Floats, Stance
from vision.seen import Image

Evidence = NDArray[np.float32]
"""1 where something stands, -1 where bare felt is seen, 0 where it may be either or is explained already."""

_BLUR_PX = 0.7
_DARK = 2.0  # added to all levels: in the dark, shares of light mean little
_OTHER_COLOUR, _OTHER_THAN_NOISE = 7.0, 5.0
_BRIGHTER = 1.1
_BLACK, _SHADE = 0.4, 0.65  # what has less light than the first is no shade, what has more than the second no chip
_BETWEEN_MARKS_PX, _BLURRED_EDGE_PX = 17, 3  # of a chip that is 26 pixels wide
_EDGE_PX, _RING_PX = 1.0, 4.0  # an edge is blurred: felt is looked for a little below it
_LEAST_INSIDE = 0.3
_MOST_FELT, _LEAST_LEFT, _WHOLLY_HIDDEN = 0.12, 0.12, 0.9
_FURTHER, _MOST_ABOVE = 2, 0.5  # chips above a stack; and how much of their outline may be anything but felt
_LEAST_BELOW = 0.25  # a chip of the felt's colour shows its spots


def standing(image: Image, empty: Image) -> Evidence:
    """What stands there. Felt in shade keeps its colour and loses light, down to a certain depth; a chip of the felt's
    own colour has spots, an inlay and a lit face."""
    colour, light = off_felt(*(cv2.GaussianBlur(each, (0, 0), _BLUR_PX) for each in (image, empty)))
    is_other = colour > max(_OTHER_COLOUR, _OTHER_THAN_NOISE * float(np.median(colour)))
    is_other |= (light > _BRIGHTER) | (light < _BLACK)
    # A dark chip darkens dark felt as shade does, but its dark lies between its marks.
    is_other |= _closed(is_other, _BETWEEN_MARKS_PX) & (light < _SHADE)
    is_other = _closed(is_other, _BLURRED_EDGE_PX)
    return np.where(is_other, 1, -np.clip((light - _BLACK) / (_SHADE - _BLACK), 0, 1)).astype(np.float32)


def off_felt(
    now: NDArray[np.generic], empty: NDArray[np.generic]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How far each pixel's colour is from that of the felt there in any light (levels), and its share of the light."""
    here, bare = now.astype(np.float32) + _DARK, empty.astype(np.float32) + _DARK
    light = (here * bare).sum(axis=2) / (bare * bare).sum(axis=2)
    return np.sqrt(((here - light[..., None] * bare) ** 2).sum(axis=2)), light


def _closed(mask: NDArray[np.bool_], gap_px: int) -> NDArray[np.bool_]:
    """The mask, gaps of that width filled."""
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (gap_px, gap_px))
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, disc) > 0)


class Feet:
    """Where stacks may have their feet in what stands there, the foremost first."""

    def __init__(self, evidence: Evidence, stance: Stance) -> None:
        """`stance` gives the shape of stacks in this picture, wherever it stands."""
        self.evidence = evidence.copy()
        self._inside, self._ring, self._foot = _kernels(stance)
        self._margin = max(self._inside.shape)

    def next(self, allowed: NDArray[np.bool_]) -> tuple[Floats, float] | None:
        """The likeliest foot among the allowed pixels, and how like one it looks: 2 on bare felt, 1 behind another."""
        # Beyond the picture nothing is known.
        wide = cv2.copyMakeBorder(self.evidence, *(self._margin,) * 4, cv2.BORDER_CONSTANT, value=(0.0,))
        column, row = (round(float(value)) for value in self._margin - self._foot)
        height, width = self.evidence.shape
        inside, ring = (
            cv2.matchTemplate(wide, kernel, cv2.TM_CCORR)[row : row + height, column : column + width]
            for kernel in (self._inside, self._ring)
        )
        fit = np.where(allowed & (inside > _LEAST_INSIDE), inside - ring, -2.0)
        y, x = np.unravel_index(int(fit.argmax()), fit.shape)
        best = float(fit[y, x])
        return (np.array([x, y], float), best) if best > -2 else None

    def explain(self, stance: Stance, chips: int) -> NDArray[np.bool_]:
        """What a stack covers is explained by it: these pixels."""
        covered = self._covered(stance, chips)
        self.evidence[covered] = 0.0
        return covered

    def felt_under(self, stance: Stance, chips: int) -> float:
        """The share of a stack's outline in which bare felt is seen."""
        covered = self.evidence[self._covered(stance, chips)]
        return float(np.clip(-covered, 0, 1).mean()) if covered.size else 0.0

    def stands_below(self, stance: Stance, chips: int, above: Stance) -> bool:
        """Whether something stands where so many chips would be, below a stack that seems to have its foot on them."""
        below = self.evidence[self._covered(stance, chips) & ~self._covered(above, 1)]
        return bool(below.size and (below > 0).mean() > _LEAST_BELOW)

    def stands_above(self, stance: Stance, chips: int) -> bool:
        """Whether something stands where more chips would be than these."""
        above = self.evidence[self._covered(stance, chips + _FURTHER) & ~self._covered(stance, chips)]
        return bool(above.size and (above > 0).mean() > _MOST_ABOVE)

    def may_hide(self, stance: Stance, chips: int) -> bool:
        """Whether a stack that others hide may still stand there: no felt shows, and something is left over, unless
        they hide all of it."""
        covered = self.evidence[self._covered(stance, chips)]
        if not covered.size or (covered < -0.5).mean() >= _MOST_FELT:
            return False
        return bool((covered > 0).mean() > _LEAST_LEFT or (covered == 0).mean() > _WHOLLY_HIDDEN)

    def _covered(self, stance: Stance, chips: int) -> NDArray[np.bool_]:
        """The pixels of a stack's outline."""
        covered = np.zeros(self.evidence.shape, np.uint8)
        hull = cv2.convexHull((stance.outline(chips) - 0.5).astype(np.float32))
        cv2.fillConvexPoly(covered, np.round(hull).astype(np.int32), 1)
        return covered > 0


def _kernels(stance: Stance) -> tuple[NDArray[np.float32], NDArray[np.float32], Floats]:
    """Where a foot's lowest chip is and what lies just below it, as means; and where its middle is."""
    points = stance.outline(1) - stance.foot
    down = -stance.rise / stance.chip_px
    low, high = np.floor(points.min(axis=0)) - 2 * _RING_PX, np.ceil(points.max(axis=0)) + 2 * _RING_PX
    width, height = (high - low).astype(int)
    inside, edge, below = (_filled(points + down * by - low, width, height) for by in (0.0, _EDGE_PX, _RING_PX))
    ring = (below > 0) & (inside == 0) & (edge == 0)
    inside_mean, ring_mean = ((part / max(int(part.sum()), 1)).astype(np.float32) for part in (inside, ring))
    return inside_mean, ring_mean, -low


def _filled(points: Floats, width: int, height: int) -> NDArray[np.uint8]:
    picture = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(picture, np.round(cv2.convexHull((points - 0.5).astype(np.float32))).astype(np.int32), 1)
    return picture
