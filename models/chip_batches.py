"""What the counter of chips learns from at a step: samples in light and colours of their own, and palettes by lot."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.chip_networks import NEVER
from models.chip_samples import Lessons
from vision.chip_colours import Palette
from vision.chip_stance import TALLEST
from vision.chip_strip import CHANNELS, COLUMNS, PICTURES, ROWS

COLOURS = 10
"""Colours of the largest palette that chips are held against in training."""
_NO_EMPTY = 0.35
"""So often the view of the empty table is kept from the network: a photograph has none."""
_FEWEST_COLOURS = 3
_OTHER_COLOUR = 50.0
"""Two chips of a house are at least so far apart (levels of 255)."""
_OWN_SHADE, _SHADE = 6.0, 0.06
"""How far the palette's colour may be from the clay's: levels of 255, and a share of its light."""
_NEAR_ROWS = 1
_ROW_ERROR = 0.12
"""So often the chain that the judge is asked with is a row off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Some samples as the networks see them, and what is true of them."""

    seen: Tensor
    count: Tensor
    allowed: Tensor
    """Samples x TALLEST + 1 x rows: 0 where the chain's foot, joints and top are, NEVER elsewhere."""
    is_followed: Tensor
    """Samples whose chain is known row by row."""
    bands: Tensor
    """Chips x 3: sample, first row, row behind the last."""
    palettes: Tensor
    """Chips x COLOURS x 3, of which the first is the chip's own."""
    is_there: Tensor
    """Chips x COLOURS."""


def batch(of: Lessons, chosen: NDArray[np.intp], rng: np.random.Generator) -> Batch:
    """Samples in light and colours of their own."""
    size = len(chosen)
    seen, bare = (np.empty((size, ROWS, COLUMNS, PICTURES), np.float32) for _ in range(2))
    has_bare = of.has_bare[chosen] & (rng.random(size) > _NO_EMPTY)
    allowed = np.full((size, TALLEST + 1, ROWS), NEVER, np.float32)
    is_followed = np.zeros(size, bool)
    bands: list[tuple[int, int, int]] = []
    palettes: list[NDArray[np.float32]] = []
    there: list[NDArray[np.bool_]] = []
    for i, sample in enumerate(chosen):
        swap = rng.permutation(3) if rng.random() < 0.5 else np.arange(3)
        _show(of, int(sample), has_bare[i], swap, rng, seen[i], bare[i])
        joints = np.flatnonzero(of.edge[sample] == 1)
        if of.count[sample] == 0 or len(joints) != of.count[sample] + 1:
            continue  # where bands are less than a row two joints fall together
        is_followed[i] = True
        for level, row in enumerate(joints):
            allowed[i, level, max(row - _NEAR_ROWS, 0) : row + _NEAR_ROWS + 1] = 0
        middles = (joints[:-1] + joints[1:]) // 2
        own, is_there = _palettes(of.clay[sample, :3, middles].astype(np.float64), rng)
        palettes.append(own[..., swap])
        there.append(is_there)
        off = joints + (rng.random(len(joints)) < _ROW_ERROR) * rng.choice([-1, 1], len(joints))
        off = np.maximum.accumulate(np.clip(off, 0, ROWS - 1))
        bands += [(i, int(low), max(int(high), int(low) + 1)) for low, high in pairwise(off)]
    planes = np.zeros((size, CHANNELS, ROWS, COLUMNS), np.float32)
    planes[:, :PICTURES] = seen.transpose(0, 3, 1, 2) - 0.5
    planes[:, PICTURES:-3] = (seen - bare).transpose(0, 3, 1, 2) * has_bare[:, None, None, None]
    planes[:, -3:-1] = of.known[chosen][:, :, None, None]
    planes[:, -1] = has_bare[:, None, None]
    return Batch(
        seen=torch.from_numpy(planes), count=torch.from_numpy(of.count[chosen]), allowed=torch.from_numpy(allowed),
        is_followed=torch.from_numpy(is_followed), bands=torch.tensor(bands).reshape(-1, 3),
        palettes=torch.from_numpy(np.concatenate(palettes or [np.zeros((0, COLOURS, 3), np.float32)])),
        is_there=torch.from_numpy(np.concatenate(there or [np.zeros((0, COLOURS), bool)])),
    )  # fmt: skip


def _show(
    of: Lessons, sample: int, has_bare: bool, swap: NDArray[np.intp], rng: np.random.Generator,
    seen: NDArray[np.float32], bare: NDArray[np.float32],
) -> None:  # fmt: skip
    """A sample mirrored by lot, its colours exchanged, in another light and by a camera with another curve."""
    order = np.tile(swap, 3) + np.repeat([0, 3, 6], 3)
    way = -1 if rng.random() < 0.5 else 1
    light, gamma = rng.uniform(0.8, 1.2) * rng.normal(1, 0.04, 3), rng.uniform(0.85, 1.2)
    levels = np.arange(256, dtype=np.float32)[:, None] / 255
    for shown, lit, pictures in ((seen, light, of.seen), (bare, light * rng.normal(1, 0.02), of.bare)):
        if pictures is of.bare and not has_bare:
            shown[:] = 0
            continue
        curves = (np.clip(levels * np.maximum(lit, 0.1), 0, 1) ** gamma).astype(np.float32)
        picture = pictures[sample][:, ::way][..., order]
        for plane in range(PICTURES):
            shown[..., plane] = curves[:, plane % 3][picture[..., plane]]


def relit(
    of: Lessons, sample: int, swap: NDArray[np.intp], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """One sample's strips, and those of the empty table, in light and colours of their own."""
    seen, bare = (np.empty((ROWS, COLUMNS, PICTURES), np.float32) for _ in range(2))
    _show(of, sample, True, swap, rng, seen, bare)
    return np.round(255 * seen).astype(np.uint8), np.round(255 * bare).astype(np.uint8)


_NAMED = Palette.named().bgr


def _palettes(clay: NDArray[np.float64], rng: np.random.Generator) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Palettes (chips x COLOURS x 3) that one stack's chips are held against: the same for all of them, the chip's own
    colour first. A palette's colours are never quite those of the clay."""
    own = np.unique(clay, axis=0)
    others = _NAMED[rng.permutation(len(_NAMED))] if rng.random() < 0.8 else rng.uniform(10, 245, (24, 3))
    house = list(own)
    for colour in others[: int(rng.integers(_FEWEST_COLOURS, COLOURS + 1))]:
        if len(house) < COLOURS and min(float(np.linalg.norm(colour - each)) for each in house) > _OTHER_COLOUR:
            house.append(colour)
    house = house[:COLOURS]
    shown = np.array(house) * rng.normal(1, _SHADE, (len(house), 1)) + rng.normal(0, _OWN_SHADE, (len(house), 3))
    made = np.zeros((len(clay), COLOURS, 3), np.float32)
    for level, colour in enumerate(clay):
        first = next(index for index, each in enumerate(house) if np.array_equal(each, colour))
        order = [first, *(index for index in range(len(house)) if index != first)]
        made[level, : len(house)] = np.clip(shown[order], 0, 255) / 255 - 0.5
    return made, np.tile(np.arange(COLOURS) < len(house), (len(clay), 1))
