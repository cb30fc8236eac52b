"""Training batches for the finders: scenes turned by quarters, and what the network should answer to them."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from datasets.composites import FrameArray
from models.card_nets import FRAME_NUMBERS, FRAME_UNIT_PX, STRIDE
from vision.seen import Image

SHOWN, HIDDEN = 0.7, 0.25  # an index that shows less than the first and more than the second is neither right nor wrong
_NEARLY = 1.25  # what is so little too large may be found or not
Things = Sequence[tuple[int, FrameArray, float]]
"""Class, frame and visible share of what a finder should find."""


def quarter_turned(image: Image, things: Things, turns: int) -> tuple[Image, Things]:
    """The picture turned by quarters; mirrored ones are not to be had: no deck prints them."""
    size = image.shape[0]
    image = np.ascontiguousarray(np.rot90(image, turns))
    for _ in range(turns % 4):
        things = [(kind, np.stack([_quarter(frame[0], size - 1), _quarter(frame[1]), _quarter(frame[2])]), visible)
                  for kind, frame, visible in things]  # fmt: skip
    return image, things


def _quarter(point: np.ndarray, offset: float = 0.0) -> np.ndarray:
    """A quarter turn to the left, as `rot90` turns."""
    return np.array([point[1], offset - point[0]], np.float32)


def finder_targets(
    things: Things, size_px: int, classes: int, most_px: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Heat, its weight, frames, and where frames count, on the finder's grid.

    What is larger than `most_px` is found in a smaller copy of the picture; in this one, parts of it are nothing.
    """
    cells = size_px // STRIDE
    heat, weight = np.zeros((classes, cells, cells), np.float32), np.ones((1, cells, cells), np.float32)
    frames, counts = np.zeros((FRAME_NUMBERS, cells, cells), np.float32), np.zeros((1, cells, cells), np.float32)
    ys, xs = np.mgrid[0:cells, 0:cells].astype(np.float32)
    for kind, frame, visible in sorted(things, key=lambda thing: thing[2]):
        centre = frame[0] / STRIDE - 0.5
        distance = np.hypot(xs - centre[0], ys - centre[1])
        height_px = 2 * float(np.linalg.norm(frame[2]))
        if visible < SHOWN or height_px > most_px:
            if visible > HIDDEN and height_px < most_px * _NEARLY:
                weight[0][distance < 3.0] = 0
            continue
        sigma = 0.6 + 0.04 * float(np.linalg.norm(frame[2])) / STRIDE
        heat[kind] = np.maximum(heat[kind], np.exp(-(distance**2) / (2 * sigma**2)))
        near = distance < 1.5
        if np.isnan(frame).any():  # a real photograph's label: where it is, not how it lies
            near &= False
        frames[0][near] = (centre[0] - xs[near]) * STRIDE / FRAME_UNIT_PX
        frames[1][near] = (centre[1] - ys[near]) * STRIDE / FRAME_UNIT_PX
        frames[2:][:, near] = frame[1:].reshape(4, 1) / FRAME_UNIT_PX
        counts[0][near] = 1
        peak = np.unravel_index(int(distance.argmin()), distance.shape)
        if distance[peak] < 1.0:
            heat[kind][peak] = 1.0
    return heat, weight, frames, counts


def to_tensor(images: Sequence[Image]) -> Tensor:
    """Pictures of one size as the networks take them: blue, green, red of 0..255."""
    return torch.from_numpy(np.stack(images).astype(np.float32)).permute(0, 3, 1, 2)  # channels last: a fifth faster
