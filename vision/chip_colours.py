"""What colours chips have: a house's palette, taught or by name."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import cv2
import msgspec
import numpy as np

from auditor.log import FairdealError
from vision.chip_stance import Floats

_BY_NAME_RGB = {
    "white": (228, 226, 222), "red": (184, 32, 40), "green": (26, 112, 60), "black": (34, 33, 36),
    "blue": (28, 76, 164), "purple": (96, 40, 124), "yellow": (232, 196, 44), "orange": (234, 116, 28),
    "pink": (232, 126, 164), "brown": (104, 64, 40), "grey": (128, 128, 128), "lime": (134, 202, 62),
}  # fmt: skip

_CLAY_DIFFERS = (25.0, 12.0, 12.0)
"""How much light and the two colours (Lab) of a chip's clay differ from what its name says."""
_UNLIKE = 8.0


class ChipColour(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One chip of a house: its colour as the eye sees it, and what it is worth."""

    lab: tuple[float, float, float]
    value: float | None = None


class Palette(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The chips that may lie on a table, by the names their colours have in the table file."""

    chips: dict[str, ChipColour]

    @classmethod
    def named(cls, names: Iterable[str] = _BY_NAME_RGB) -> "Palette":
        """Chips known only by the English names of their colours."""
        names = list(names)
        for name in names:
            if name not in _BY_NAME_RGB:
                known = ", ".join(_BY_NAME_RGB)
                raise FairdealError(f"chip colour {name!r}: not one of {known}; teach it with `fairdeal chips learn`")
        bgr = np.array([_BY_NAME_RGB[name][::-1] for name in names], dtype=np.float64).reshape(-1, 3)
        labs = [(float(light), float(a), float(b)) for light, a, b in lab_of(bgr)]
        return cls(chips={name: ChipColour(lab=lab) for name, lab in zip(names, labs, strict=True)})

    def only(self, values: Mapping[str, float]) -> "Palette":
        """The chips of one table, with their values there; what was not taught is taken by its name."""
        taught = {name: chip for name, chip in self.chips.items() if name in values}
        known = self.named(name for name in values if name not in taught).chips | taught
        valued = {name: msgspec.structs.replace(known[name], value=value) for name, value in values.items()}
        return Palette(chips=valued)

    def likeness(self, bgr: Floats) -> Floats:
        """How like each chip's clay a colour is (log), whatever light falls on it.

        >>> chips = Palette.named(["white", "green", "red"])
        >>> chips.likeness(np.array([45.0, 90.0, 20.0])).round().tolist()
        [-7.0, -0.0, -8.0]
        """
        labs = np.array([chip.lab for chip in self.chips.values()])
        off = (lab_of(bgr[None]) - labs) / _CLAY_DIFFERS
        return np.asarray(np.maximum(-(off**2).sum(axis=1) / 2, -_UNLIKE))

    @property
    def bgr(self) -> Floats:
        """The chips' own colours (n x 3, 0 to 255)."""
        labs = np.array([[chip.lab for chip in self.chips.values()]], np.float32)
        return np.asarray(cv2.cvtColor(labs, cv2.COLOR_Lab2BGR)[0], np.float64) * 255


def load_palette(path: Path) -> Palette:
    """The chips that `fairdeal chips learn` wrote."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Palette)
    except (OSError, msgspec.DecodeError) as error:
        raise FairdealError(f"{path}: {error}; write it with `fairdeal chips learn`") from error


def lab_of(bgr: Floats) -> Floats:
    """Lab of BGR colours (n x 3, 0 to 255)."""
    scaled = (np.clip(bgr, 0, 255) / 255).astype(np.float32)[None]
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGR2Lab)[0] if len(bgr) else bgr, dtype=np.float64)
