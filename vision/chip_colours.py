"""What colours chips have: the house's palette, measured or by name, and the reading of a stack's colours bottom to top."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from auditor.log import FairdealError
from vision.chip_stance import Floats, Stance
from vision.chip_strip import ROWS_PER_CHIP, SIDES, FOOT_ROW, near_strip
from vision.seen import Image

_BY_NAME_RGB = {
    "white": (222, 220, 214), "red": (178, 34, 40), "green": (28, 112, 60), "black": (36, 36, 40), "blue": (32, 72, 160), "purple": (98, 44, 124),
    "yellow": (226, 196, 52), "orange": (226, 116, 36), "pink": (226, 130, 162), "brown": (104, 66, 42), "grey": (128, 128, 130), "lime": (142, 200, 62),
}  # fmt: skip
_LIGHTNESS_WEIGHT = 0.45  # a stack's side is in shade, its top in light: lightness tells less than hue
_FAR = 45.0  # beyond this Lab distance a pixel is simply not that colour
_CHANGE_COST = 0.06  # a house keeps colours together: a change between neighbours needs that much more evidence
_LIGHTS = (0.55, 0.65, 0.75, 0.87, 1.0, 1.15, 1.3)  # of the table, against the light the palette was measured in
_SHADES = (1.0, 0.8, 0.64, 0.5, 0.4, 0.32, 0.25)  # of a stack's side, against its top
_SHADE_COST = 0.04  # a step between neighbouring chips
_RING = (0.82, 0.95)  # of a top face's radius: outside every inlay, inside the rim


class ChipColour(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One chip of a house: its edge's colour as it was measured, and what it is worth."""

    lab: tuple[float, float, float]
    value: float | None = None


class Palette(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The chips that may lie on a table, by the names their colours have in the table file."""

    chips: dict[str, ChipColour]

    @classmethod
    def named(cls, names: Iterable[str] = _BY_NAME_RGB) -> "Palette":
        """Chips known only by the English names of their colours."""
        unknown = [name for name in names if name not in _BY_NAME_RGB]
        if unknown:
            known = ", ".join(_BY_NAME_RGB)
            raise FairdealError(f"chip colour {unknown[0]!r}: not one of {known}; teach it with `fairdeal chips learn`")
        return cls(chips={name: ChipColour(lab=_lab_of_rgb(_BY_NAME_RGB[name])) for name in names})

    def only(self, values: Mapping[str, float]) -> "Palette":
        """The chips of one table, with their values there; what was not taught is taken by its name."""
        taught = {name: chip for name, chip in self.chips.items() if name in values}
        known = self.named(name for name in values if name not in taught).chips | taught
        return Palette(chips={name: msgspec.structs.replace(known[name], value=value) for name, value in values.items()})

    @property
    def names(self) -> list[str]:
        return list(self.chips)

    @property
    def labs(self) -> Floats:
        return np.array([chip.lab for chip in self.chips.values()])


def load_palette(path: Path) -> Palette:
    """The chips that `fairdeal chips learn` wrote."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Palette)
    except (OSError, msgspec.DecodeError) as error:
        raise FairdealError(f"{path}: {error}; write it with `fairdeal chips learn`") from error


def stack_colours(image: Image, stance: Stance, count: int, palette: Palette) -> tuple[list[str], float]:
    """The colours of a stack of `count` chips that stands exactly at `stance`, bottom to top, and how sure they are.

    Its top lies in the light that falls on the table; its side in a shade of it that deepens slowly towards the felt.
    """
    labs = palette.labs
    ring, edges = top_ring(image, stance, count), level_pixels(image, stance, count)
    light, on_top = min(((light, _costs(ring / light, labs)) for light in _LIGHTS), key=lambda each: _with_light(each[1].min(), each[0]))
    costs = np.array([[_costs(edge / (light * shade), labs) for shade in _SHADES] for edge in edges])
    costs[-1] = on_top if count == 1 else (costs[-1] + 2 * on_top) / 3
    shades, chosen = _cheapest_way(costs)
    at_shade = costs[np.arange(count), shades]
    rivals = np.where(np.arange(len(labs)) == chosen[:, None], np.inf, at_shade).min(axis=1)
    margin = float((rivals - at_shade[np.arange(count), chosen]).min()) if len(labs) > 1 else 1.0
    return [palette.names[index] for index in chosen], float(np.clip(0.5 + 4 * margin, 0.05, 1.0))


def _with_light(cost: float, light: float) -> float:
    """Unusual light must explain the picture better than usual light by something."""
    return cost + 0.1 * abs(float(np.log(light)))


def level_pixels(image: Image, stance: Stance, count: int) -> list[Floats]:
    """For each chip, bottom to top, the pixels of its visible edge, without the joints."""
    strip = near_strip(image, stance)[:, np.abs(SIDES) < 0.8].astype(np.float64)
    middles = FOOT_ROW + ROWS_PER_CHIP * np.arange(count)
    return [strip[row + 1 : row + ROWS_PER_CHIP].reshape(-1, 3) for row in middles]


def top_ring(image: Image, stance: Stance, count: int) -> Floats:
    """The pixels of the top chip's face between inlay and rim."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    centre = stance.centres(np.array([float(count)]))[0]
    circle = np.multiply.outer(np.cos(angles), stance.across) + np.multiply.outer(np.sin(angles), stance.away)
    scale = 1 + stance.growth * count
    points = np.stack([centre + circle * scale * radius for radius in np.linspace(*_RING, 3)]).astype(np.float32)
    ring = cv2.remap(image, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return ring.astype(np.float64).reshape(-1, 3)


def _costs(pixels: Floats, labs: Floats) -> Floats:
    """For each colour of the palette the mean distance of the pixels, none counting more than 1."""
    difference = lab_of(pixels)[:, None] - labs[None]
    difference[..., 0] *= _LIGHTNESS_WEIGHT
    return np.asarray(np.minimum(np.linalg.norm(difference, axis=2) / _FAR, 1).mean(axis=0))


def _cheapest_way(costs: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Shade and colour of every level (costs: level x shade x colour) with the least cost in all (Viterbi).

    A house keeps colours together and light changes slowly: every change of colour and every step of shade costs a little.
    """
    levels, shades, colours = costs.shape
    shade, colour = np.divmod(np.arange(shades * colours), colours)
    step = _CHANGE_COST * (colour[:, None] != colour) + _SHADE_COST * np.abs(shade[:, None] - shade)
    flat = costs.reshape(levels, -1)
    total, back = flat[0], []
    for level in flat[1:]:
        ways = total[:, None] + step
        back.append(ways.argmin(axis=0))
        total = ways.min(axis=0) + level
    states = [int(total.argmin())]
    for origin in reversed(back):
        states.append(int(origin[states[-1]]))
    chosen = np.array(states[::-1])
    return shade[chosen], colour[chosen]


def lab_of(pixels: Floats) -> Floats:
    """Lab of BGR pixels (n x 3); what is brighter than white is white."""
    scaled = (np.clip(pixels, 0, 255) / 255).astype(np.float32)[None]
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGR2Lab)[0], dtype=np.float64)


def _lab_of_rgb(rgb: tuple[int, int, int]) -> tuple[float, float, float]:
    lightness, a, b = lab_of(np.array([rgb[::-1]], dtype=np.float64))[0]
    return float(lightness), float(a), float(b)
