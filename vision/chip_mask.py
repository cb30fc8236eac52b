"""Finds stacks on felt by their outlines: what is not felt is compared with what a stack would cover, seen by this camera."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chip_stance import Floats, Stance
from vision.seen import Image

Mask = NDArray[np.float32]
"""1 where something stands, 0 where it is not known, -1 where the felt is seen."""

_HEIGHTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20)
_LEAST_COVER = 0.6  # of a stack's outline that is covered more than not
_HUE_APART, _BRIGHTER, _DARKER = 11.0, 14.0, 0.45
_PRINT_PX = 5  # lines of the layout's print are thinner than this, at the size chips are looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A stack by its outline: where its foot is, about how many chips, and how much of the outline is covered."""

    foot: Floats
    chips: int
    cover: float


def not_felt(image: Image, empty: Image | None = None) -> Mask:
    """What is not felt: unlike the empty table where a picture of it is given, else unlike most of the picture."""
    lab = _lab(image)
    felt = np.median(lab.reshape(-1, 3), axis=0)[None, None] if empty is None else _lab(empty)
    light = lab[..., 0] / np.maximum(felt[..., 0], 1.0)
    # Felt in shade keeps its hue and loses lightness and colour together.
    hue = np.linalg.norm(lab[..., 1:] - felt[..., 1:] * np.clip(light, 0, 1)[..., None], axis=2)
    other = (hue > _HUE_APART) | (lab[..., 0] - felt[..., 0] > _BRIGHTER) | (light < _DARKER)
    opened = cv2.morphologyEx(other.astype(np.uint8), cv2.MORPH_OPEN, np.ones((_PRINT_PX, _PRINT_PX), np.uint8))
    whole = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    return np.where(whole > 0, 1, -1).astype(np.float32)


def standing(mask: Mask, stance: Stance) -> Iterator[Outline]:
    """Stacks whose outlines explain the mask, the largest first; `stance` gives their shape, its foot does not matter."""
    shapes = [(chips, *_shape(stance, chips)) for chips in _HEIGHTS]
    left = mask.copy()
    least = _LEAST_COVER * float(shapes[0][1].sum())
    margin = max(max(shape.shape) for _, shape, _ in shapes)
    while float((left > 0).sum()) >= least:
        best: tuple[float, int, NDArray[np.float32], Floats, tuple[int, int]] | None = None
        padded = cv2.copyMakeBorder(left, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(-0.5,))
        for chips, shape, foot in shapes:
            gain = cv2.matchTemplate(padded, shape, cv2.TM_CCORR)
            _, most, _, (column, row) = cv2.minMaxLoc(gain)
            if best is None or most > best[0]:
                best = most, chips, shape, foot, (column - margin, row - margin)
        if best is None or best[0] < least:
            return
        most, chips, shape, foot, (column, row) = best
        if most >= _LEAST_COVER * shape.sum():
            yield Outline(foot=foot + (column, row), chips=chips, cover=float(most / shape.sum()))
        _clear(left, shape, column, row)


def _shape(stance: Stance, chips: int) -> tuple[NDArray[np.float32], Floats]:
    """A stack's outline as a picture of ones, and where the foot is in it."""
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    rim = np.multiply.outer(np.cos(angles), stance.across) + np.multiply.outer(np.sin(angles), stance.away)
    rise = stance.centres(np.array([float(chips)]))[0] - stance.foot
    points = np.vstack([rim, rim * (1 + stance.growth * chips) + rise])
    low = np.floor(points.min(axis=0))
    width, height = (np.ceil(points.max(axis=0)) - low).astype(int) + 1
    shape = np.zeros((height, width), np.float32)
    hull = cv2.convexHull((points - low).astype(np.float32))
    cv2.fillConvexPoly(shape, np.round(hull).astype(np.int32), 1.0)
    return shape, -low


def _clear(mask: Mask, shape: NDArray[np.float32], column: int, row: int) -> None:
    """What one stack explains, no other needs to."""
    height, width = mask.shape
    x1, y1, x2, y2 = max(column, 0), max(row, 0), min(column + shape.shape[1], width), min(row + shape.shape[0], height)
    part = shape[y1 - row : y2 - row, x1 - column : x2 - column]
    mask[y1:y2, x1:x2] = np.where(part > 0, -0.25, mask[y1:y2, x1:x2])


def _lab(image: Image) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(image.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)
