"""Small bright things that belong neither to the stator nor to the rotor: one of them may be the ball.

A moving ball is a streak along its ring. Its light is spread but not lost, so the light gathered over the streak tells
a fast ball as well as a slow one, and a streak is as narrow across as the ball. A hand is wide in both directions.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.wheel.shape import BIN_DEG, Floats

BALL_RADIUS = 0.037  # 2.2: 17 to 22 mm in diameter, of a number ring about 540 mm across
_MOST = 8
_LEAST_GREY = 5.0
_LEAST_NOISE = 4.0
_LEAST_CELLS = 5
_PAD = 30  # columns repeated at the end of the strip, so that nothing is cut at twelve o'clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Glint:
    """A bright spot or streak: its middle, its length along the ring, its light in still balls of full white."""

    angle_deg: float
    radius: float
    length_deg: float
    light: float


def glints_in(beyond: Floats, noise: Floats, radii: Floats) -> tuple[Glint, ...]:
    """The brightest few, brightest first."""
    step = float(radii[1] - radii[0])
    tall = max(3, round(2 * BALL_RADIUS / step) | 1)
    padded = np.concatenate([beyond, beyond[:, :_PAD]], axis=1)
    core = cv2.blur(padded, (3, tall), borderType=cv2.BORDER_REPLICATE)
    far = tall + 1
    above, below = np.zeros_like(core), np.zeros_like(core)
    above[far:], below[:-far] = core[:-far], core[far:]
    narrow = core - np.maximum(0, np.maximum(above, below))
    limit = np.maximum(_LEAST_GREY, _LEAST_NOISE * noise / np.sqrt(3 * tall) * 2)
    mask = (narrow > limit).astype(np.uint8)
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    weights = radii[:, None] * step * np.radians(BIN_DEG) / (np.pi * BALL_RADIUS**2) / 200
    found = []
    largest = 1 + np.argsort(-boxes[1:count, cv2.CC_STAT_AREA])[: 2 * _MOST]
    for label in largest:
        x, y, width, height = (int(side) for side in boxes[label][:4])
        if boxes[label][cv2.CC_STAT_AREA] < _LEAST_CELLS:
            break
        if x >= beyond.shape[1] or x + width > padded.shape[1] - 1:
            continue  # seen whole at the other end
        window = (slice(y, y + height), slice(x, x + width))
        inside = np.where(labels[window] == label, narrow[window], 0)
        light = float((inside * weights[window[0]]).sum())
        rows, columns = inside.sum(axis=1), inside.sum(axis=0)
        total = float(rows.sum())
        middle = x + float((columns * np.arange(width)).sum()) / total
        radius = float((rows * radii[window[0]]).sum()) / total
        found.append((light, middle, radius, width))
    found.sort(reverse=True)
    return tuple(
        Glint(angle_deg=middle * BIN_DEG % 360, radius=radius, length_deg=float(width * BIN_DEG), light=light)
        for light, middle, radius, width in found[:_MOST]
    )
