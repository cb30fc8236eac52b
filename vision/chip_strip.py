"""A stack's outline made straight: every chip a band of equal height, whatever the camera's height over the table.

Three strips follow the chips' near rim, their middle and their far rim upwards from the foot. In all three the stack
begins at its foot's row and ends at its top's row: felt turns into side, side into face, face into felt at rows that
count chips.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chip_stance import Floats, Stance
from vision.seen import Image

ROWS_PER_CHIP = 4
BELOW, ABOVE = 4, 26
"""Chips that a strip reaches below the foot and above it."""
ROWS = (BELOW + ABOVE) * ROWS_PER_CHIP
COLUMNS = 32
FOOT_ROW = BELOW * ROWS_PER_CHIP
HEIGHTS: Floats = np.arange(ROWS) / ROWS_PER_CHIP - BELOW
SIDES: Floats = np.linspace(-1.25, 1.25, COLUMNS)
PICTURES = 9
"""Planes of one picture: three strips of three colours."""
CHANNELS = 2 * PICTURES + 3
_WIDEST_PX = 56.0
"""Wider chips are scaled down first: the strip would skip pixels, and the network has not seen more."""


def cut_strips(image: Image, stance: Stance, empty: Image | None) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
    """Near, middle and far strip of the picture (rows x columns x three colours each), and of the empty view."""
    part, there = _scaled(image, stance)
    maps = [_xy(points - 0.5) for points in strip_maps(there)]  # remap counts from the middle of the first pixel
    bare = None if empty is None else _cut(_scaled(empty, stance)[0], maps)
    return _cut(part, maps), bare


def network_input(seen: NDArray[np.uint8], bare: NDArray[np.uint8] | None, stance: Stance) -> NDArray[np.float32]:
    """What the network is given of a stance's strips."""
    return network_planes(seen, bare, known(stance))


def network_planes(
    seen: NDArray[np.uint8], bare: NDArray[np.uint8] | None, told: tuple[float, float]
) -> NDArray[np.float32]:
    """The picture's strips, what differs from the empty view, and three constants: what is known, is there a view."""
    rows, columns = seen.shape[:2]
    planes = np.zeros((CHANNELS, rows, columns), np.float32)
    planes[:PICTURES] = seen.transpose(2, 0, 1) / np.float32(255) - np.float32(0.5)
    if bare is not None:
        planes[PICTURES:-3] = (seen.astype(np.float32) - bare).transpose(2, 0, 1) / np.float32(255)
        planes[-1] = 1.0
    planes[-3], planes[-2] = told
    return planes


def known(stance: Stance) -> tuple[float, float]:
    """What the network is told of a view: how high a chip's band is in what it sees, and how round a chip looks."""
    chip_px = stance.chip_px * min(1.0, _WIDEST_PX / stance.width_px)
    return float(np.log(max(chip_px, 0.2)) / 2), stance.aspect - 0.7


def strip_maps(stance: Stance) -> tuple[Floats, Floats, Floats]:
    """Pixels (rows x columns x 2) of the near, middle and far strip."""
    scale = (1 + stance.growth * HEIGHTS)[:, None, None]
    depth = np.sqrt(np.clip(1 - SIDES**2, 0, None))
    middle = stance.centres(HEIGHTS)[:, None] + scale * np.multiply.outer(SIDES, stance.across)[None]
    bow = scale * np.multiply.outer(depth, stance.away)[None]
    return middle - bow, middle, middle + bow


def _cut(image: Image, maps: list[tuple[NDArray[np.float32], NDArray[np.float32]]]) -> NDArray[np.uint8]:
    parts = [cv2.remap(image, *xy, cv2.INTER_LANCZOS4, borderMode=cv2.BORDER_REPLICATE) for xy in maps]
    return np.concatenate(parts, axis=2).astype(np.uint8)


def _xy(points: Floats) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    return points[..., 0].astype(np.float32), points[..., 1].astype(np.float32)


def _scaled(image: Image, stance: Stance) -> tuple[Image, Stance]:
    if stance.width_px <= _WIDEST_PX:
        return image, stance
    scale = _WIDEST_PX / stance.width_px
    left, top, right, bottom = stance.box(ABOVE)
    height, width = image.shape[:2]
    margin = stance.width_px
    x1, y1 = int(np.clip(left - margin, 0, width - 1)), int(np.clip(top - margin, 0, height - 1))
    x2, y2 = int(np.clip(right + margin, x1 + 1, width)), int(np.clip(bottom + margin, y1 + 1, height))
    part = cv2.resize(image[y1:y2, x1:x2], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8)
    foot = (stance.foot - (x1, y1)) * scale
    rise, across, away = stance.rise * scale, stance.across * scale, stance.away * scale
    return part, Stance(foot=foot, rise=rise, across=across, away=away, growth=stance.growth)
