"""Backs of our own decks: a lattice, a rosette, a weave, or a word in a frame."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from datasets.casino.decks import ART_PX, PX_PER_MM, DeckStyle
from datasets.casino.installed_decks import installed_art
from datasets.casino.lettering import write

Picture = npt.NDArray[np.uint8]


@lru_cache(maxsize=32)
def back_art(style: DeckStyle) -> Picture:
    """The back of the deck."""
    if style.installed:
        return installed_art(style.installed, "back", ART_PX)
    width, height = ART_PX
    soft = cv2.GaussianBlur(_pattern(style.back).astype(np.float32), (0, 0), 0.8)[..., None]
    picture = np.asarray(style.back_colour, np.float32) * (1 - soft) + np.asarray(style.paper, np.float32) * soft
    margin = round(4.5 * PX_PER_MM) if style.back != "bordered" else round(6.5 * PX_PER_MM)
    framed = np.full((height, width, 3), style.paper, np.float32)
    framed[margin:-margin, margin:-margin] = picture[margin:-margin, margin:-margin]
    back = np.round(framed).astype(np.uint8)
    if style.back == "bordered":
        cv2.rectangle(
            back, (margin + 14, margin + 14), (width - margin - 15, height - margin - 15), style.paper, 4, cv2.LINE_AA
        )
        for turn in (0.0, 180.0):
            shift = -40 if turn == 0 else 40
            write(
                back,
                "fairdeal",
                (width / 2, height / 2 + shift),
                50,
                style.paper,
                typeface="italic",
                weight=700,
                turn_deg=turn,
            )
    else:
        cv2.rectangle(back, (margin, margin), (width - margin, height - margin), style.back_colour, 5, cv2.LINE_AA)
    return back


def _pattern(name: str) -> npt.NDArray[np.bool_]:
    """Where the paper shows through the ink."""
    width, height = ART_PX
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    u, v = (x - width / 2) / PX_PER_MM, (y - height / 2) / PX_PER_MM
    if name == "lattice":
        light = (np.abs(np.sin((u + v) * 0.85)) < 0.28) | (np.abs(np.sin((u - v) * 0.85)) < 0.28)
    elif name == "rosette":
        radius, angle = np.hypot(u, v), np.arctan2(v, u)
        light = np.sin(radius * 1.5 + 2.0 * np.sin(8 * angle)) > 0.45
    elif name == "weave":
        light = (np.sin(u * 1.6) * np.sin(v * 1.6) > 0.25) | (np.hypot(u % 7.85 - 3.9, v % 7.85 - 3.9) < 0.9)
    else:
        light = np.zeros(u.shape, bool)
    return np.asarray(light, np.bool_)
