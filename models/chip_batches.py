"""What the counter of chips learns from at a step: samples in light and colours of their own, and palettes by lot."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.chip_samples import Lessons
from vision.chip_colours import Palette
from vision.chip_stance import TALLEST
from vision.chip_strip import CHANNELS, COLUMNS, PICTURES, ROWS

COLOURS = 7
"""Colours of the largest palette that chips are held against in training."""
_NO_EMPTY = 0.2
"""So often the view of the empty table is kept from the network: a photograph has none."""
_FEWEST_COLOURS = 3
_OTHER_COLOUR = 45.0
"""Two chips of a house are at least so far apart (levels of 255)."""
_OWN_SHADE, _SHADE = 6.0, 0.06
"""How far the palette's colour may be from the clay's: levels of 255, and a share of its light."""
_NEAR_ROWS = 1
_SWAPPED, _USUAL = 0.2, 0.8
"""So often colours are exchanged, and the others of a house are those that have names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Some samples as the network sees them, and what is true of them."""

    seen: Tensor
    palettes: Tensor
    """Samples x COLOURS x 3: houses whose chips may be there."""
    is_there: Tensor
    """Samples x COLOURS: a house has fewer."""
    count: Tensor
    own: Tensor
    """Samples x TALLEST: which colour of its house each chip has, bottom to top."""
    allowed: Tensor
    """Samples x TALLEST + 1 x rows: 1 where the chain's foot, joints and top are, 0 elsewhere."""
    is_followed: Tensor
    """Samples whose chain and colours are known row by row."""
    clay: Tensor
    """Samples x 3 x rows: the clay's own colour."""
    has_clay: Tensor
    """Samples x rows."""


def batch(of: Lessons, chosen: NDArray[np.intp], rng: np.random.Generator) -> Batch:
    """Samples in light and colours of their own."""
    size = len(chosen)
    seen, bare = (np.empty((size, ROWS, COLUMNS, PICTURES), np.float32) for _ in range(2))
    has_bare = of.has_bare[chosen] & (rng.random(size) > _NO_EMPTY)
    allowed = np.zeros((size, TALLEST + 1, ROWS))
    palettes, is_there = np.zeros((size, COLOURS, 3), np.float32), np.zeros((size, COLOURS), np.bool_)
    own = np.zeros((size, TALLEST), np.int64)
    is_followed = np.zeros(size, np.bool_)
    clay, has_clay = np.zeros((size, 3, ROWS), np.float32), of.clay[chosen, 3] > 0
    for i, sample in enumerate(chosen):
        swap = rng.permutation(3) if rng.random() < _SWAPPED else np.arange(3)
        _show(of, int(sample), has_bare[i], swap, rng, seen[i], bare[i])
        clay[i] = of.clay[sample, swap] / np.float32(255) - np.float32(0.5)
        joints = np.flatnonzero(of.edge[sample] == 1)
        # Where bands are less than a row two joints fall together.
        is_followed[i] = of.count[sample] > 0 and len(joints) == of.count[sample] + 1
        joints = joints if is_followed[i] else joints[:0]
        middles = (joints[:-1] + joints[1:]) // 2
        house, colours = _house(of.clay[sample, :3, middles].astype(np.float64), rng)
        palettes[i, : len(house)], is_there[i, : len(house)] = house[:, swap], True
        own[i, : len(colours)] = colours
        for level, row in enumerate(joints):
            allowed[i, level, max(row - _NEAR_ROWS, 0) : row + _NEAR_ROWS + 1] = 1
    planes = np.zeros((size, CHANNELS, ROWS, COLUMNS), np.float32)
    planes[:, :PICTURES] = seen.transpose(0, 3, 1, 2) - 0.5
    planes[:, PICTURES:-3] = (seen - bare).transpose(0, 3, 1, 2) * has_bare[:, None, None, None]
    planes[:, -3:-1] = of.known[chosen][:, :, None, None]
    planes[:, -1] = has_bare[:, None, None]
    arrays = planes, palettes, is_there, of.count[chosen], own, allowed, is_followed, clay, has_clay
    return Batch(**dict(zip(Batch.__slots__, map(torch.from_numpy, arrays), strict=True)))


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


_NAMED = Palette.named().bgr


def _house(clay: NDArray[np.float64], rng: np.random.Generator) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """A house (colours x 3) that has a stack's chips and others, and which of its colours each chip has. Half of the
    others are those that are most like the stack's. A house's colours are never quite those of the clay."""
    own, colours = np.unique(clay.reshape(-1, 3), axis=0, return_inverse=True)
    others = _NAMED if rng.random() < _USUAL else rng.uniform(10, 245, (24, 3))
    others = others[rng.permutation(len(others))]
    if len(own) and rng.random() < 0.5:
        others = others[np.linalg.norm(others[:, None] - own, axis=2).min(axis=1).argsort()]
    house, size = list(own), int(rng.integers(_FEWEST_COLOURS, COLOURS + 1))
    for colour in others:
        apart = min((float(np.linalg.norm(colour - each)) for each in house), default=255.0)
        if len(house) < size and apart > _OTHER_COLOUR:
            house.append(colour)
    shown = np.array(house) * rng.normal(1, _SHADE, (len(house), 1)) + rng.normal(0, _OWN_SHADE, (len(house), 3))
    order = rng.permutation(len(house))
    return (np.clip(shown[order], 0, 255) / 255 - 0.5).astype(np.float32), order.argsort()[colours.ravel()]
