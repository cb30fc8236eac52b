"""Teaches the eye a house's own chip from one photograph of a stack of it."""

from pathlib import Path

import msgspec
import numpy as np

from auditor.log import FairdealError
from vision.chip_colours import ChipColour, Palette, lab_of, load_palette
from vision.chips import count_in_box
from vision.objects import detect
from vision.see import read_picture
from vision.seen import Image


def learn_chip(photo: Path, colour: str, value: float | None, known: Path) -> ChipColour:
    """Measures the surest stack (or single chip) in a photograph and writes it to the file of known chips."""
    chip = msgspec.structs.replace(measured(read_picture(photo), str(photo)), value=value)
    chips = load_palette(known).chips if known.exists() else {}
    known.write_bytes(msgspec.toml.encode(Palette(chips=chips | {colour: chip})))
    return chip


def measured(image: Image, name: str) -> ChipColour:
    """The colour of the surest stack in a picture, as the eye sees it; `name` is what complaints call the picture."""
    for found in detect(image):
        counted = count_in_box(image, found.box) if found.kind == "chips" else None
        if counted is not None:
            lightness, a, b = np.median(lab_of(counted.bgr), axis=0).round(1).tolist()
            return ChipColour(lab=(lightness, a, b))
    raise FairdealError(f"{name}: no chip was found; photograph one stack on plain felt, from 30 to 60 degrees up")
