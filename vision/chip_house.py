"""How a table's own chips look in its own light, learnt from stacks that were read surely, to judge the others by.

A palette says what colour a clay has, not what its edge shows: spots, of whatever colour, are up to half of it, and
lens and lamp do the rest. White with blue spots and blue with white ones can hardly be told apart by one who has seen
neither; beside each other they can.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec
import numpy as np

from vision.chip_edges import bands
from vision.chip_count import Counted
from vision.chip_stance import Floats

_PIXELS = 48
_SHARES = (0.2, 0.5, 0.8)
_BRIGHTEST = 0.94
_LIGHT_SPREAD, _TINT_SPREAD = 0.1, 0.05  # how much edges of one colour differ at one table
_OPINIONS = 6.0  # the 24 numbers of a look say much the same: together they weigh as much as so many
_LEAST_LIKE = -2.0  # a look is no proof: log chance of the colour that an edge is least like
_NEVER_SEEN = 1.2  # squared spreads: as far from an edge a colour is taken to be that has not been seen here
_MOST = 60.0  # chips of a colour that are remembered: light changes in the course of an evening


class EdgeLook(msgspec.Struct, frozen=True):
    """How the edges of so many chips of one colour look, on average."""

    chips: float
    mean: tuple[float, ...]


HouseLooks = Mapping[str, EdgeLook]
"""The looks of a house's chips by the names of their colours."""
NO_LOOKS: HouseLooks = MappingProxyType({})


def edge_looks(counted: Counted) -> Floats:
    """Each chip of a stack (bottom to top) in 24 numbers: mean, dark, middle and bright of its edge's pixels, each as
    light and two tints, first held against the brightest around it, then as they are."""
    parts = bands(counted.strips, counted.rows, counted.stance.aspect, counted.hidden)[:-1]
    pixels = np.stack([part[np.linspace(0, len(part) - 1, _PIXELS).astype(int)] for part in parts])
    ordered = np.sort(pixels, axis=1)
    bright = ordered[:, int(_BRIGHTEST * _PIXELS)]
    around = np.stack([bright[max(0, level - 2) : level + 3].max(axis=0) for level in range(len(parts))])
    shades = [pixels.mean(axis=1), *(ordered[:, int(share * _PIXELS)] for share in _SHARES)]
    bgr = np.stack([each / white for white in (np.maximum(around, 8), 255) for each in shades], axis=1)
    blue, green, red = np.moveaxis(bgr, 2, 0)
    return np.stack([bgr.mean(axis=2), blue - green, red - green], axis=2).reshape(len(parts), -1)


def lesson(edges: Floats, chips: Sequence[str]) -> dict[str, EdgeLook]:
    """What a stack of which the colours are known teaches."""
    named = np.array(chips)
    own = {colour: edges[named == colour] for colour in dict.fromkeys(chips)}
    return {colour: EdgeLook(len(each), tuple(each.mean(axis=0).tolist())) for colour, each in own.items()}


def learnt(known: HouseLooks, new: HouseLooks) -> dict[str, EdgeLook]:
    """What is known with what is new; the longer ago, the less it counts."""
    looks = dict(known)
    for colour, other in new.items():
        own = looks.get(colour)
        chips = other.chips + (own.chips if own else 0)
        share = other.chips / chips
        before = own.mean if own else other.mean
        mean = tuple(a + share * (b - a) for a, b in zip(before, other.mean, strict=True))
        looks[colour] = EdgeLook(min(chips, _MOST), mean)
    return looks


def likeness(edges: Floats, looks: HouseLooks, colours: Sequence[str]) -> Floats:
    """How much each colour's chance grows (log; chips x colours) by how its chips have looked here. A colour that was
    never seen here may look like anything: an edge that is like none of those seen is more likely of such a colour."""
    like = np.full((len(edges), len(colours)), -0.5 * _OPINIONS * _NEVER_SEEN)
    spread = np.tile([_LIGHT_SPREAD, _TINT_SPREAD, _TINT_SPREAD], edges.shape[1] // 3)
    for index, look in enumerate(looks.get(colour) for colour in colours):
        if look is not None:
            apart = (((edges - look.mean) / spread) ** 2).mean(axis=1)
            like[:, index] = -0.5 * _OPINIONS * apart / (1 + 1 / look.chips)
    like = np.maximum(like - like.max(axis=1, keepdims=True), _LEAST_LIKE)
    return np.asarray(like - np.log(np.exp(like).mean(axis=1, keepdims=True)))
