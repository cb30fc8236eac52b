"""Teaches the eye a house's own chip from one photograph of a stack of it."""

import json
from pathlib import Path

import msgspec

from auditor.log import FairdealError
from vision.chip_edges import face_colour
from vision.chip_colours import ChipColour, Palette, lab_of, load_palette
from vision.chips import count_in_box
from vision.objects import detect
from vision.see import read_picture
from vision.seen import Image


def learn_chip(photo: Path, colour: str, value: float | None, known: Path) -> ChipColour:
    """Measures the surest stack (or single chip) in a photograph and writes it to the file of known chips."""
    chip = msgspec.structs.replace(measured(read_picture(photo), str(photo)), value=value)
    chips = load_palette(known).chips if known.exists() else {}
    known.write_text("\n".join(_written(name, each) for name, each in (chips | {colour: chip}).items()))
    return chip


def _written(name: str, chip: ChipColour) -> str:
    """One chip as the file of known chips has it."""
    lines = [f"[chips.{json.dumps(name)}]", f"lab = {list(chip.lab)}"]
    return "\n".join(lines if chip.value is None else [*lines, f"value = {chip.value}"]) + "\n"


def measured(image: Image, name: str) -> ChipColour:
    """The colour of the surest stack in a picture, as the eye sees it; `name` is what complaints call the picture."""
    for found in detect(image):
        counted = count_in_box(image, found.box, Palette.named().bgr) if found.kind == "chips" else None
        if counted is not None:
            lightness, a, b = lab_of(face_colour(counted)[None])[0].round(1).tolist()
            return ChipColour(lab=(lightness, a, b))
    raise FairdealError(f"{name}: no chip was found; photograph one stack on plain felt, from 30 to 60 degrees up")
