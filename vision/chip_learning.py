"""Teaches the eye a house's own chip from one photograph: the colour of its edge, told apart from its spots."""

from pathlib import Path

import cv2
import msgspec
import numpy as np

from auditor.log import FairdealError
from vision.chip_colours import ChipColour, Palette, lab_of, load_palette, top_ring
from vision.chips import ChipEye
from vision.objects import detect
from vision.see import read_picture
from vision.seen import Image

_LIKE_ONE = 18.0  # two colours nearer than this in Lab are light and shade of one


def learn_chip(photo: Path, colour: str, value: float | None, known: Path) -> ChipColour:
    """Measures the surest stack (or single chip) in a photograph and writes it to the file of known chips."""
    chip = measured(read_picture(photo), str(photo))
    chip = msgspec.structs.replace(chip, value=value)
    chips = load_palette(known).chips if known.exists() else {}
    known.write_bytes(msgspec.toml.encode(Palette(chips=chips | {colour: chip})))
    return chip


def measured(image: Image, name: str) -> ChipColour:
    """The colour of the surest chip in a picture; `name` is what complaints call the picture."""
    eye = ChipEye()
    for found in detect(image):
        stack = eye.stack_in_box(image, found.box) if found.kind == "chips" else None
        if stack is not None:
            return ChipColour(lab=_main_colour(lab_of(top_ring(image, stack.stance, len(stack.chips)))))
    raise FairdealError(f"{name}: no chip was found; photograph one stack on plain felt, from 30 to 60 degrees above the table")


def _main_colour(pixels: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> tuple[float, float, float]:
    """The colour of most of the pixels: an edge is its clay and, for less than half, its spots."""
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.5)
    cv2.setRNGSeed(1)
    _, owners, middles = cv2.kmeans(pixels.astype(np.float32), 2, np.empty(0), stop, 3, cv2.KMEANS_PP_CENTERS)
    alike = np.linalg.norm(middles[0] - middles[1]) < _LIKE_ONE
    most = pixels if alike else pixels[owners.ravel() == np.bincount(owners.ravel(), minlength=2).argmax()]
    lightness, a, b = np.median(most, axis=0)
    return round(float(lightness), 1), round(float(a), 1), round(float(b), 1)
