"""Court cards: jack, queen and king as our own geometric figures, drawn for the upper half and turned for the lower."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from datasets.casino.suits import draw_suit

Picture = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

GOLD, SKIN, INK, WHITE = (70, 190, 240), (190, 215, 243), (40, 32, 30), (245, 247, 248)
ROBES: dict[str, tuple[Colour, Colour]] = {  # suit: robe and sleeve
    "s": ((120, 50, 30), (60, 50, 200)),
    "h": ((50, 40, 200), (130, 60, 35)),
    "d": ((60, 60, 190), (60, 120, 40)),
    "c": ((60, 110, 40), (60, 50, 190)),
}
HAIR: dict[str, Colour] = {"J": (60, 130, 190), "Q": (50, 90, 150), "K": (120, 120, 125)}


def draw_court(picture: Picture, rank: str, suit: str, colour: Colour) -> None:
    """Draw a court figure with its frame and two signs into a card's art."""
    height, width = picture.shape[:2]
    left, top = round(width * 0.215), round(height * 0.085)
    field = np.full((height // 2 - top, width - 2 * left, 3), WHITE, np.uint8)
    _draw_figure(field, rank, suit)
    draw_suit(field, suit, (field.shape[1] * 0.16, 44), 62, colour)
    picture[top : height // 2, left : width - left] = field
    picture[height - height // 2 : height - top, left : width - left] = field[::-1, ::-1]
    cv2.rectangle(picture, (left, top), (width - left, height - top), INK, 3, cv2.LINE_AA)


def _fill(picture: Picture, points: list[tuple[float, float]], colour: Colour) -> None:
    height, width = picture.shape[:2]
    scaled = np.round(np.asarray(points) * [width, height]).astype(np.int32)
    cv2.fillPoly(picture, [scaled], colour, cv2.LINE_AA)
    cv2.polylines(picture, [scaled], True, INK, 2, cv2.LINE_AA)


def _draw_figure(field: Picture, rank: str, suit: str) -> None:
    robe, sleeve = ROBES[suit]
    _fill(field, [(0.08, 1.0), (0.16, 0.66), (0.34, 0.54), (0.72, 0.54), (0.90, 0.66), (0.96, 1.0)], robe)
    _fill(field, [(0.40, 0.55), (0.66, 0.55), (0.60, 1.0), (0.44, 1.0)], GOLD)
    for step in range(5):
        y = 0.62 + 0.085 * step
        _fill(field, [(0.52, y - 0.035), (0.565, y), (0.52, y + 0.035), (0.475, y)], sleeve)
    _fill(field, [(0.02, 1.0), (0.05, 0.80), (0.30, 0.70), (0.36, 0.84), (0.16, 1.0)], sleeve)
    _fill(field, [(0.98, 1.0), (0.99, 0.80), (0.76, 0.70), (0.68, 0.84), (0.86, 1.0)], sleeve)
    for stripe in np.linspace(0.14, 0.34, 4):
        _fill(field, [(stripe, 0.98), (stripe + 0.03, 0.72), (stripe + 0.045, 0.72), (stripe + 0.02, 0.98)], GOLD)
        _fill(
            field, [(1.06 - stripe, 0.98), (1.03 - stripe, 0.72), (1.015 - stripe, 0.72), (1.04 - stripe, 0.98)], WHITE
        )
    _draw_head(field, rank)
    held = {
        "J": [(0.80, 0.98), (0.80, 0.20), (0.84, 0.12), (0.88, 0.20), (0.84, 0.98)],
        "Q": [(0.82, 0.80), (0.84, 0.50), (0.86, 0.50), (0.86, 0.80)],
        "K": [(0.84, 0.98), (0.83, 0.16), (0.87, 0.06), (0.91, 0.16), (0.89, 0.98)],
    }[rank]
    _fill(field, held, GOLD if rank != "K" else (205, 205, 200))  # fmt: skip
    if rank == "Q":
        for dx, dy in ((0, -0.05), (0.07, 0), (-0.07, 0), (0, 0.05), (0, 0)):
            centre = round((0.85 + dx) * field.shape[1]), round((0.46 + dy) * field.shape[0])
            cv2.circle(field, centre, 9, sleeve if (dx, dy) != (0, 0) else GOLD, -1, cv2.LINE_AA)


def _draw_head(field: Picture, rank: str) -> None:
    height, width = field.shape[:2]
    centre = round(width * 0.53), round(height * 0.37)
    axes = round(width * 0.125), round(height * 0.145)
    hair = HAIR[rank]
    long = 1.55 if rank == "Q" else 1.2
    cv2.ellipse(
        field,
        (centre[0], centre[1] + 8),
        (round(axes[0] * 1.45), round(axes[1] * long)),
        0,
        0,
        360,
        hair,
        -1,
        cv2.LINE_AA,
    )
    cv2.ellipse(field, centre, axes, 0, 0, 360, SKIN, -1, cv2.LINE_AA)
    cv2.ellipse(field, centre, axes, 0, 0, 360, INK, 2, cv2.LINE_AA)
    for side in (-1, 1):
        eye = centre[0] + side * round(axes[0] * 0.42), centre[1] - 6
        cv2.ellipse(field, eye, (7, 4), 0, 0, 360, INK, -1, cv2.LINE_AA)
        cv2.ellipse(field, (eye[0], eye[1] - 9), (10, 3), 0, 180, 360, INK, 2, cv2.LINE_AA)
    cv2.line(field, (centre[0], centre[1] - 4), (centre[0] - 4, centre[1] + 12), INK, 2, cv2.LINE_AA)
    cv2.ellipse(field, (centre[0], centre[1] + 22), (9, 3), 0, 0, 360, (70, 70, 190), -1, cv2.LINE_AA)
    if rank == "K":
        _fill(field, [(0.42, 0.44), (0.64, 0.44), (0.60, 0.56), (0.53, 0.60), (0.46, 0.56)], hair)
    brim = 0.245
    if rank == "J":
        _fill(field, [(0.36, brim + 0.02), (0.40, 0.13), (0.64, 0.13), (0.72, brim + 0.02)], (60, 50, 170))
        _fill(field, [(0.62, 0.16), (0.76, 0.05), (0.70, 0.18)], WHITE)
    else:
        points = [(0.38, brim), (0.36, 0.09), (0.45, 0.17), (0.53, 0.06), (0.61, 0.17), (0.70, 0.09), (0.68, brim)]
        _fill(field, points, GOLD)
