"""Art of the small things: tiles, dice, the button, markers and what else stands about; each a square of pixels."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from datasets.casino.lettering import write

Picture = npt.NDArray[np.uint8]
ART_PX = 256
WHITE, RED, BLACK = (238, 240, 240), (40, 34, 196), (26, 24, 24)

# The two numbers of every tile, upper half first; a one and a four are red, as is half of each six of «teen».
TILES: dict[str, tuple[int, int]] = {
    "teen": (6, 6), "day": (1, 1), "yun": (4, 4), "gor": (3, 1), "mooy": (5, 5), "chong": (3, 3), "bon": (2, 2),
    "foo": (6, 5), "ping": (6, 4), "tit": (6, 1), "look": (5, 1), "gow63": (6, 3), "gow54": (5, 4), "bot62": (6, 2),
    "bot53": (5, 3), "chit52": (5, 2), "chit43": (4, 3), "ng41": (4, 1), "ng32": (3, 2), "gj6": (4, 2), "gj3": (2, 1),
}  # fmt: skip

# Where a tile's pips lie in its half: x across the tile, y from its end, both -1 to 1.
_TILE_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-0.5, -0.55), (0.5, 0.55)),
    3: ((-0.55, -0.7), (0, 0), (0.55, 0.7)),
    4: ((-0.5, -0.55), (0.5, -0.55), (-0.5, 0.55), (0.5, 0.55)),
    5: ((-0.5, -0.65), (0.5, -0.65), (0, 0), (-0.5, 0.65), (0.5, 0.65)),
    6: ((-0.5, -0.72), (0.5, -0.72), (-0.5, 0), (0.5, 0), (-0.5, 0.72), (0.5, 0.72)),
}
_DIE_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    **_TILE_PIPS, 2: ((-0.5, -0.5), (0.5, 0.5)), 3: ((-0.55, -0.55), (0, 0), (0.55, 0.55)),
    6: ((-0.5, -0.55), (0.5, -0.55), (-0.5, 0), (0.5, 0), (-0.5, 0.55), (0.5, 0.55)),
}  # fmt: skip


def tile_art(tile: str) -> Picture:
    """The face of a tile, stretched to a square (a tile is 25 x 63 mm)."""
    picture = np.full((ART_PX, ART_PX, 3), BLACK, np.uint8)
    upper, lower = TILES[tile]
    for half, number in ((0, upper), (1, lower)):
        for place, (x, y) in enumerate(_TILE_PIPS[number]):
            if half == 1:
                x, y = -x, -y
            red = number in (1, 4) or (tile == "teen" and place % 2 == half)
            size = 1.5 if number == 1 else 1.0
            centre = round(128 + 92 * x * 0.82), round(64 + 128 * half + 46 * y)
            axes = round(25 * size), round(10 * size)  # round on the tile itself
            cv2.ellipse(picture, centre, axes, 0, 0, 360, RED if red else WHITE, -1, cv2.LINE_AA)
    return picture


def die_art() -> Picture:
    """Six faces of a die in a sheet of 3 x 2; pips of one and four are red, as on dice from Asia."""
    picture = np.full((ART_PX, ART_PX, 3), (232, 240, 243), np.uint8)
    cell_w, cell_h = ART_PX / 3, ART_PX / 2
    for face in range(1, 7):
        left, top = (face - 1) % 3 * cell_w, (face - 1) // 3 * cell_h
        for x, y in _DIE_PIPS[face]:
            centre = round(left + cell_w * (0.5 + 0.5 * x)), round(top + cell_h * (0.5 + 0.5 * y))
            size = 1.7 if face == 1 else 1.0
            cv2.ellipse(
                picture,
                centre,
                (round(9 * size), round(13 * size)),
                0,
                0,
                360,
                RED if face in (1, 4) else BLACK,
                -1,
                cv2.LINE_AA,
            )
    return picture


def disc_art(text: str, ground: tuple[int, int, int], ink: tuple[int, int, int]) -> Picture:
    """A round plaque seen from above: the dealer button, a marker."""
    picture = np.full((ART_PX, ART_PX, 3), ground, np.uint8)
    cv2.circle(picture, (128, 128), 104, ink, 5, cv2.LINE_AA)
    write(picture, text, (128, 128), 52, ink, weight=800, width_px=176)
    return picture


def phone_art() -> Picture:
    picture = np.full((ART_PX, ART_PX, 3), (18, 16, 15), np.uint8)
    cv2.rectangle(picture, (14, 10), (242, 246), (52, 40, 30), -1)
    for row in range(5):
        for column in range(4):
            colour = ((60, 160, 230), (90, 190, 90), (200, 140, 60), (80, 80, 220))[(row * 3 + column) % 4]
            left, top = 30 + 52 * column, 30 + 40 * row
            cv2.rectangle(picture, (left, top), (left + 34, top + 22), colour, -1)
    return picture
