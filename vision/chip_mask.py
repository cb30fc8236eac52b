"""Finds stacks on felt by their outlines: what is not felt is compared with what a stack would cover in this view."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chip_stance import Floats, Stance
from vision.seen import Image

Mask = NDArray[np.float32]
"""1 where something stands, -1 where the felt is seen."""

_HEIGHTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20)
_LEAST_COVER = 0.3  # of a chip's face: with less covered there is nothing
_LEAST_FIT = 0.45  # 2 is a perfect outline, 1 one whose foot another stack hides, 0 the middle of a stack
_SAME_FOOT = 0.4  # of a chip's width: nearer feet are one
_EDGE_PX = 3.0
_HUE_APART, _BRIGHTER, _DARKER = 11.0, 14.0, 0.45
_SMOOTH = 14.0  # felt's lightness changes no more than this from pixel to pixel
_GAP_PX, _PRINT_PX = 3, 9  # gaps in a stack are narrower, and so are the lines of a layout's print


def not_felt(image: Image, empty: Image | None = None) -> Mask:
    """What is not felt: unlike the empty table where a picture of it is given, else unlike most of the picture."""
    lab = _lab(image)
    felt = np.median(lab.reshape(-1, 3), axis=0)[None, None] if empty is None else _lab(empty)
    light = lab[..., 0] / np.maximum(felt[..., 0], 1.0)
    # Felt in shade keeps its hue and loses lightness and colour together.
    hue = np.linalg.norm(lab[..., 1:] - felt[..., 1:] * np.clip(light, 0, 1)[..., None], axis=2)
    other = (hue > _HUE_APART) | (lab[..., 0] - felt[..., 0] > _BRIGHTER) | (light < _DARKER)
    if empty is None:  # chips of the felt's own colour are still spotted and banded, and felt is smooth
        contrast = cv2.morphologyEx(lab[..., 0], cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        other |= contrast > _SMOOTH
    closed = cv2.morphologyEx(other.astype(np.uint8), cv2.MORPH_CLOSE, _disc(_GAP_PX))
    whole = cv2.morphologyEx(closed, cv2.MORPH_OPEN, _disc(_PRINT_PX))
    return np.where(whole > 0, 1, -1).astype(np.float32)


def _disc(width: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)), np.uint8)


def possible_feet(mask: Mask, stance: Stance) -> list[Floats]:
    """Where in the mask stacks may stand, the likeliest first; `stance` gives their shape, wherever it stands."""
    if float((mask > 0).sum()) < _LEAST_COVER * stance.width_px**2 * stance.aspect:
        return []
    found: list[tuple[float, Floats]] = []
    for chips in _HEIGHTS:
        kernel, foot = _kernel(stance, chips)
        margin = max(kernel.shape)
        fit = cv2.matchTemplate(_widened(mask, margin), kernel, cv2.TM_CCORR)
        peaks = np.argwhere((fit > _LEAST_FIT) & (fit == cv2.dilate(fit, np.ones((5, 5), np.uint8))))
        found += [(float(fit[row, column]), foot + (np.array([column, row]) - margin)) for row, column in peaks]
    kept: list[Floats] = []
    for _, foot in sorted(found, key=lambda each: -each[0]):
        if all(np.linalg.norm(foot - other) > _SAME_FOOT * stance.width_px for other in kept):
            kept.append(foot)
    return kept


def outline_fit(mask: Mask, stance: Stance, chips: int) -> tuple[float, float]:
    """How much the mask looks like a stack of so many chips that stands there, and how much of its outline is covered.

    The first is 2 for a perfect outline on bare felt; the second is 1 where no felt shows inside, -1 where all is felt.
    """
    kernel, foot = _kernel(stance, chips)
    margin = max(kernel.shape)
    column, row = np.round(stance.foot - foot + margin).astype(int)
    height, width = kernel.shape
    part = _widened(mask, margin)[max(row, 0) : max(row, 0) + height, max(column, 0) : max(column, 0) + width]
    if part.shape != kernel.shape:
        return 0.0, -1.0
    return float((part * kernel).sum()), float(part[kernel > 0].mean())


def _widened(mask: Mask, margin: int) -> Mask:
    bare = cv2.copyMakeBorder(mask, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(-1.0,))
    return np.asarray(bare, np.float32)


def _kernel(stance: Stance, chips: int) -> tuple[NDArray[np.float32], Floats]:
    """What such a stack makes of the mask (covered inside, felt just below and above it), and where its foot is."""
    points = stance.outline(chips) - stance.foot
    edge = stance.rise / stance.chip_px * _EDGE_PX
    low, high = np.floor(points.min(axis=0)) - _EDGE_PX, np.ceil(points.max(axis=0)) + _EDGE_PX + 1
    width, height = (high - low).astype(int)
    inside, below, above = (_filled(points + shift - low, width, height) for shift in (edge * 0, -edge, edge))
    felt = _mean_over((below > 0) & (inside == 0)) + _mean_over((above > 0) & (inside == 0))
    return (_mean_over(inside > 0) - felt / 2).astype(np.float32), -low


def _filled(points: Floats, width: int, height: int) -> NDArray[np.uint8]:
    picture = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(picture, np.round(cv2.convexHull(points.astype(np.float32))).astype(np.int32), 1)
    return picture


def _mean_over(part: NDArray[np.bool_]) -> Floats:
    return np.asarray(part / max(int(part.sum()), 1), dtype=np.float64)


def _lab(image: Image) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)
