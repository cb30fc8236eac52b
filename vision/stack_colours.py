"""The colours of a stack whose foot and height are known: every chip's edge is looked at where it must be."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image, View
from vision.chip_colours import Palette, lab_of
from vision.plan import CHIP_HEIGHT_MM, CHIP_MM
from vision.stack_fit import Standing

LOOKS = np.radians(np.linspace(-62, 62, 25))  # along the edge, from where the camera stands
RING = 0.86  # of the radius: outside the inlay, inside the rim
SHADES = (1.15, 1.4, 1.9, 2.6)
"""How much darker an edge may look than its chip's face: it is lit from above, and others stand in its light."""
DARK_COST = 3.0
EDGE_HEIGHT = 0.62  # where on its edge a chip is looked at: the lower half may be in the shade of the gap below


def stack_colours(image: Image, view: View, stack: Standing, palette: Palette) -> tuple[tuple[str, ...], float]:
    """The chips of a stack bottom to top, and how sure the least sure is."""
    x, y = stack.at
    eye = view.eye_mm
    towards = np.arctan2(eye[1] - y, eye[0] - x) + LOOKS
    radius = CHIP_MM / 2
    levels = (np.arange(stack.chips) + EDGE_HEIGHT) * CHIP_HEIGHT_MM
    rows = [_ring(x, y, radius, towards, z) for z in levels]
    around = np.linspace(0, 2 * np.pi, len(LOOKS), endpoint=False)
    rows.append(_ring(x, y, radius * RING, around, stack.chips * CHIP_HEIGHT_MM))
    seen = _sampled(image, view.all_to_px(np.vstack(rows))).reshape(stack.chips + 1, len(LOOKS), 3)
    bodies = np.array([_body(samples) for samples in seen])
    sides = np.array([_in_light(body, palette) for body in bodies[:-1]])
    sides[-1] = (sides[-1] + bodies[-1]) / 2  # the uppermost chip shows its face as well
    return palette.match(sides)


def _in_light(body: NDArray[np.float64], palette: Palette) -> NDArray[np.float64]:
    """An edge's colour as it would be in full light: in that of several shades which makes it most like a chip."""
    lit = np.clip(body[None] * np.array(SHADES)[:, None], 0, 255)
    apart = lab_of(lit)[:, None] - np.array([chip.lab for chip in palette.chips.values()])
    nearest = np.linalg.norm(apart, axis=2).min(axis=1) + DARK_COST * np.arange(len(SHADES))
    return np.asarray(lit[int(nearest.argmin())])


def _ring(x: float, y: float, radius: float, angles: NDArray[np.float64], z: float) -> NDArray[np.float64]:
    return np.column_stack([x + radius * np.cos(angles), y + radius * np.sin(angles), np.full(len(angles), z)])


def _sampled(image: Image, px: NDArray[np.float64]) -> NDArray[np.float64]:
    at = (px - 0.5).astype(np.float32)
    return np.asarray(cv2.remap(image, at[:, :1], at[:, 1:], cv2.INTER_LINEAR)[:, 0, :], np.float64)


def _body(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """The colour of most of the edge: its spots are fewer than its body."""
    middle = np.median(samples, axis=0)
    near = np.linalg.norm(samples - middle, axis=1)
    return np.asarray(np.median(samples[near <= np.percentile(near, 60)], axis=0))
