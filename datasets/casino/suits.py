"""Suit signs as outlines: drawn once in a unit square, filled at any size."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Outline = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]
SHIFT = 4  # sub-pixel bits of cv2's polygon drawing


def _heart() -> Outline:
    t = np.linspace(0, 2 * np.pi, 80)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    return np.stack([x / 34, (y - 2.5) / 31], axis=1)


def _stem() -> Outline:
    y = np.linspace(0.05, 0.5, 20)
    half = 0.025 + 0.17 * ((y - 0.05) / 0.45) ** 2.6
    return np.concatenate([np.stack([half, y], 1), np.stack([-half[::-1], y[::-1]], 1)])


def _diamond() -> Outline:
    t = np.linspace(0, 1, 12)[:, None]
    corners = np.array([[0, -0.5], [0.37, 0], [0, 0.5], [-0.37, 0]])
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        middle = (start + end) / 2 * 0.88  # a little hollow, as printers like it
        sides.append((1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end)
    return np.concatenate(sides)


def _disc(x: float, y: float, radius: float) -> Outline:
    t = np.linspace(0, 2 * np.pi, 40)
    return np.stack([x + radius * np.cos(t), y + radius * np.sin(t)], axis=1)


def _spade() -> Outline:
    return np.asarray(_heart() * [0.97, -0.86] - [0.0, 0.06], np.float64)


SHAPES: dict[str, tuple[Outline, ...]] = {
    "h": (_heart(),),
    "d": (_diamond(),),
    "s": (_spade(), _stem()),
    "c": (_disc(0, -0.26, 0.225), _disc(-0.245, 0.08, 0.225), _disc(0.245, 0.08, 0.225), _disc(0, 0, 0.12), _stem()),
}


def draw_suit(
    picture: Picture,
    suit: str,
    centre: tuple[float, float],
    size_px: float,
    colour: tuple[int, int, int],
    turned: bool = False,
) -> None:
    """Fill the sign of `suit`, `size_px` high, into the picture; `turned` stands it on its head."""
    sign = -1.0 if turned else 1.0
    for outline in SHAPES[suit]:
        points = (outline * sign * size_px + np.asarray(centre)) * (1 << SHIFT)
        cv2.fillPoly(picture, [np.round(points).astype(np.int32)], colour, cv2.LINE_AA, SHIFT)
