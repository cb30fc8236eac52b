"""Decks drawn by others, where they are installed on this machine, brought to the size of our own art."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from datasets import deck_art
from datasets.card_faces import CardFace

Picture = npt.NDArray[np.uint8]
Split = Literal["train", "tune", "valid"]
_WHOLE = 53  # 52 faces and a back


def installed_names(split: Split) -> tuple[str, ...]:
    """The names of the whole decks that can be had, by the families of datasets/deck_art.py."""
    names = {"train": deck_art.TRAINING, "tune": deck_art.TUNING, "valid": deck_art.VALIDATION}[split]
    return tuple(name for name in names if len(_faces(name)) >= _WHOLE)


@lru_cache(maxsize=32)
def _faces(name: str) -> Mapping[str, CardFace]:
    return {face.label or "back": face for face in deck_art.load_decks((name,))}


def installed_art(name: str, card: str, size_px: tuple[int, int]) -> Picture:
    """One face (or the "back") of a deck."""
    return np.asarray(cv2.resize(_faces(name)[card].picture, size_px, interpolation=cv2.INTER_CUBIC), np.uint8)


def installed_corners(name: str) -> int:
    """On how many corners its indices stand."""
    return _faces(name)["As"].corners


def installed_index(name: str, size_mm: tuple[float, float]) -> tuple[float, float, float, float]:
    """Where the upper left index lies: left, top, right, bottom in millimetres from the card's corner."""
    face = _faces(name)["As"]
    height_px, width_px = face.picture.shape[:2]
    left, top, right, bottom = face.index or (0.0, 0.0, 0.0, 0.0)
    across, down = size_mm[0] / width_px, size_mm[1] / height_px
    return left * across, top * down, right * across, bottom * down
