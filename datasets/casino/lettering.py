"""Lettering for all that is printed: cards, chips, layouts. Only the typefaces built into OpenCV are used."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.uint8]
Picture = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]
TYPEFACES = ("sans", "uni", "italic", "heavy", "block")  # heavy: uni, thickened
_DRAWN_PX = 160  # height at which letters are drawn before they are scaled to what is asked


@lru_cache(maxsize=512)
def letters(text: str, typeface: str = "sans", weight: int = 600) -> Mask:
    """The text as a mask (255 = ink), cropped to its ink."""
    if typeface not in ("uni", "heavy"):
        text = text.replace("0", "O")  # this face strikes its zero through, which no printer of cards and layouts does
    canvas = np.zeros((_DRAWN_PX * 2, _DRAWN_PX * (len(text) + 2)), np.uint8)
    if typeface == "block":
        cv2.putText(canvas, text, (40, 220), cv2.FONT_HERSHEY_TRIPLEX, 5.4, 255, max(3, weight // 55), cv2.LINE_AA)
    else:
        face = cv2.FontFace("uni" if typeface in ("uni", "heavy") else typeface)
        cv2.putText(canvas, text, (60, 230), (255, 255, 255), face, _DRAWN_PX, weight)
    if typeface == "heavy":
        canvas = np.asarray(cv2.dilate(canvas, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (11, 7))), np.uint8)
    rows, columns = np.flatnonzero(canvas.max(1)), np.flatnonzero(canvas.max(0))
    if len(rows) == 0:
        return np.zeros((4, 4), np.uint8)
    return canvas[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def stamp(
    picture: Picture,
    mask: Mask,
    centre: tuple[float, float],
    colour: Colour,
    turn_deg: float = 0.0,
    mirror: bool = False,
) -> None:
    """Ink the mask into the picture round `centre`, turned clockwise."""
    if mirror:
        mask = mask[:, ::-1]
    height, width = mask.shape
    rotation = cv2.getRotationMatrix2D((width / 2, height / 2), -turn_deg, 1.0)
    reach = int(np.ceil(np.hypot(height, width))) + 2
    left, top = int(np.floor(centre[0])) - reach // 2, int(np.floor(centre[1])) - reach // 2
    rotation[:, 2] += np.array([centre[0] - left, centre[1] - top]) - np.array([width / 2, height / 2])
    ink = cv2.warpAffine(mask, rotation, (reach, reach), flags=cv2.INTER_LINEAR).astype(np.float32) / 255.0
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + reach, picture.shape[1]), min(top + reach, picture.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    share = ink[y0 - top : y1 - top, x0 - left : x1 - left, None]
    under = picture[y0:y1, x0:x1].astype(np.float32)
    picture[y0:y1, x0:x1] = np.round(under + (np.asarray(colour, np.float32) - under) * share).astype(np.uint8)


def write(
    picture: Picture,
    text: str,
    centre: tuple[float, float],
    height_px: float,
    colour: Colour,
    *,
    typeface: str = "sans",
    weight: int = 600,
    turn_deg: float = 0.0,
    width_px: float | None = None,
) -> tuple[float, float]:
    """Write `text` round `centre`, `height_px` high and no wider than `width_px`; the width and height it took."""
    mask = letters(text, typeface, weight)
    scale = height_px / mask.shape[0]
    wide = mask.shape[1] * scale if width_px is None else min(width_px, mask.shape[1] * scale)
    size = max(1, round(wide)), max(1, round(height_px))
    stamp(picture, np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8), centre, colour, turn_deg)
    return wide, height_px
