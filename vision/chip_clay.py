"""How likely each chip of a counted stack has each colour of a palette, from what its edge and the top face show.

An edge shows clay and spots, in a light that is not known: weaker the lower the chip stands, weaker than on the face.
Two opinions are held against each colour of the house: how far the pixels of the edge are from it, and what a network
that has seen all of the stack says in a few numbers about the clay of each row.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import weights
from vision.chip_count import Counted
from vision.chip_stance import Floats
from vision.chip_strip import COLUMNS, ROWS, ROWS_PER_CHIP, SIDES

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

COLOUR_JUDGE, CLAY_TELLER = "chip-colours.onnx", "chip-clay.onnx"
CLAY = 32
"""Numbers that are said about the clay of a row; the first three are its own colour, as far as that can be told."""
_SEEN = 32
FEATURES = _SEEN + 3 * CLAY + 9
_LEAST = -12.0  # nothing is impossible: log chance of the least likely colour
_LIGHTS = np.geomspace(0.3, 1.2, 7)
_USUAL_LIGHT = 0.7
_SHARES = (0.3, 0.45, 0.6, 0.75, 0.9)
"""Of an edge's pixels: so many may be clay, the others are spots, or a neighbour's."""
_LIGHTNESS_WEIGHT = 0.7
_UNLIKE = 60.0
_EDGE_COLUMNS = np.flatnonzero(np.abs(SIDES) < 0.85)
_FACE_RING = (0.64, 0.68)  # of the radius: outside most inlays, inside the spots
_PIXELS, _FEWEST_PIXELS = 48, 8
_LEAST_SHOWN = 0.25  # of an edge: less may as well be the neighbour's outline
_ABOVE_JOINT = 0.9  # rows: near its joint an edge is in shade, and blurred into the chip below
_PALE_BGR = np.array([226.0, 236.0, 240.0])
_PALE, _LEAST_SPOTS = 0.15, 0.1
_CHIP_LOWER = 39.0 / 2 / 3.3


def colour_scores(counted: Counted, palette_bgr: Floats) -> Floats:
    """Log chances (chips x colours), bottom to top; the top chip shows its face as well."""
    judge = weights.load(COLOUR_JUDGE)
    clay = clay_of(weights.load(CLAY_TELLER).session, counted.planes)
    seen = features(counted.strips, counted.rows, counted.stance.aspect, clay, palette_bgr, counted.hidden)
    scores = judge.session.run(None, {"seen": seen.reshape(-1, FEATURES)})[0].reshape(seen.shape[:2])
    chances = np.maximum(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True), _LEAST)
    edges: Floats = chances[:-1].astype(np.float64) * is_shown(counted.rows, counted.hidden)[:, None]
    edges[-1] += chances[-1]
    return edges


def clay_of(teller: "InferenceSession", planes: NDArray[np.float32]) -> Floats:
    """How the clay of each row looks (rows x CLAY); said twice, as the chips are counted: the other time mirrored."""
    said = teller.run(["clay"], {"seen": np.stack([planes, planes[..., ::-1]])})[0]
    return np.asarray(said.mean(axis=0).T)


def bands(
    strips: NDArray[np.uint8], rows: Floats, aspect: float, hidden: NDArray[np.bool_] | None = None
) -> list[Floats]:
    """The pixels of every chip's edge, bottom to top, then those of the top chip's face (each n x 3, BGR)."""
    near, middle = strips[..., :3], strips[..., 3:6]
    parts = []
    for band in _edges(rows):
        edge = near[band, _EDGE_COLUMNS].reshape(-1, 3).astype(np.float64)
        if hidden is not None:
            own = ~hidden[band, _EDGE_COLUMNS].ravel()
            edge = edge[own] if own.sum() >= _FEWEST_PIXELS else edge
        parts.append(edge)
    rows = rows + _ABOVE_JOINT
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    radius = np.repeat(_FACE_RING, len(angles))
    side, depth = radius * np.cos(np.tile(angles, 2)), radius * np.sin(np.tile(angles, 2))
    slope = aspect / np.sqrt(max(1 - aspect**2, 0.01))
    at_rows = rows[-1] + ROWS_PER_CHIP * depth * slope * _CHIP_LOWER
    at_columns = (side - SIDES[0]) / (SIDES[-1] - SIDES[0]) * (COLUMNS - 1)
    face = cv2.remap(middle, at_columns.astype(np.float32), at_rows.astype(np.float32), cv2.INTER_LINEAR)
    parts.append(face.reshape(-1, 3).astype(np.float64))
    return parts


def is_shown(rows: Floats, hidden: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Of which chips (bottom to top) enough of the edge is seen; of the others only their neighbours tell."""
    if hidden is None:
        return np.ones(len(rows) - 1, np.bool_)
    return np.array([(~hidden[band, _EDGE_COLUMNS]).mean() > _LEAST_SHOWN for band in _edges(rows)])


def _edges(rows: Floats) -> Iterator[slice]:
    """The rows in which each chip's edge shows best."""
    for low, high in pairwise(rows + _ABOVE_JOINT):
        first = int(np.clip(np.floor(low + 0.8), 0, ROWS - 1))
        yield slice(first, max(first + 1, int(np.ceil(high - 0.3))))


def face_colour(counted: Counted) -> Floats:
    """The top chip's colour as its face shows it (BGR)."""
    return np.asarray(np.median(bands(counted.strips, counted.rows, counted.stance.aspect)[-1], axis=0))


def features(
    strips: NDArray[np.uint8], rows: Floats, aspect: float, clay: Floats, palette_bgr: Floats,
    hidden: NDArray[np.bool_] | None = None,
) -> NDArray[np.float32]:  # fmt: skip
    """What the judge is told: levels x colours x features; the last level is the top chip's face."""
    seen = _pixel_features(bands(strips, rows, aspect, hidden), palette_bgr)
    ends = rows.astype(int)
    said = np.array([clay[low : max(high, low + 1)].mean(axis=0) for low, high in pairwise(ends)])
    said = np.vstack([said, said[-1:]])  # of the face what is said of its edge
    below, above = np.vstack([said[:1], said[:-1]]), np.vstack([said[1:], said[-1:]])
    said = np.hstack([said, below, above])[:, None].repeat(len(palette_bgr), axis=1)
    wanted = np.broadcast_to(palette_bgr / 255 - 0.5, (*said.shape[:2], 3))
    off = said[..., :3] - wanted
    return np.concatenate([seen, said, wanted, off, np.abs(off)], axis=2).astype(np.float32)


def _pixel_features(parts: list[Floats], palette_bgr: Floats) -> NDArray[np.float32]:
    """How far the pixels of each level are from each colour in any light, and how mixed they are."""
    pixels = np.stack([part[np.linspace(0, len(part) - 1, _PIXELS).astype(int)] for part in parts])
    lab = _lab(pixels.reshape(-1, 3)).reshape(*pixels.shape)
    lit = palette_bgr[:, None] * _LIGHTS[:, None]
    wanted = _lab(lit.reshape(-1, 3)).reshape(*lit.shape)
    weight = np.array([_LIGHTNESS_WEIGHT, 1, 1], np.float32)
    apart = _apart(lab, wanted.reshape(-1, 3), weight).reshape(*pixels.shape[:2], len(palette_bgr), len(_LIGHTS))
    ordered = np.cumsum(np.sort(np.minimum(apart, _UNLIKE), axis=1), axis=1)
    dim = 2 * np.abs(np.log(_LIGHTS / _USUAL_LIGHT))
    levels = len(parts)
    made = np.zeros((levels, len(palette_bgr), _SEEN), np.float32)
    for number, share in enumerate(_SHARES):
        count = int(share * _PIXELS)
        costs = ordered[:, count - 1] / count + dim
        best = costs.min(axis=2)
        made[..., number] = best / 10
        made[..., number + 5] = (best - best.min(axis=1, keepdims=True)) / 10
        if share == 0.45:
            light = costs.argmin(axis=2)
    own = np.take_along_axis(apart, light[:, None, :, None], axis=3)[..., 0]
    made[..., 10] = np.log(_LIGHTS[light])
    made[..., 12] = np.minimum(own.mean(axis=1), _UNLIKE) / 10
    of_palette = _lab(palette_bgr)
    made[..., 13], made[..., 14] = of_palette[:, 0] / 100, np.hypot(of_palette[:, 1], of_palette[:, 2]) / 50
    middle, spread = np.median(lab, axis=1), lab.std(axis=1)
    made[..., 15] = middle[:, None, 0] / 100
    made[..., 16] = np.hypot(middle[:, 1], middle[:, 2])[:, None] / 50
    made[..., 17] = spread[:, None, 0] / 30
    made[..., 18] = np.percentile(lab[..., 0], 85, axis=1)[:, None] / 100
    made[..., 19] = np.percentile(lab[..., 0], 15, axis=1)[:, None] / 100
    from_top = levels - 2 - np.arange(levels)
    made[..., 20] = np.minimum(np.arange(levels), 5)[:, None] / 5
    made[..., 21] = np.clip(from_top, 0, 5)[:, None] / 5
    made[-1, :, 22] = 1
    face = np.median(lab[-1], axis=0)
    made[..., 23] = np.linalg.norm((of_palette - face) * (0.3, 1, 1), axis=1) / 30
    made[:-1, :, 24:] = _mixed(parts[:-1], palette_bgr)
    return made


def _mixed(parts: list[Floats], palette_bgr: Floats) -> NDArray[np.float32]:
    """Each level (not the face) as clay mixed with pale spots: by colour the spots' share, and how far off that is.

    What is brightest on the chips around shows how bright pale is there. Blur mixes clay and spots, and leaves their
    shares as they are: of a pale chip with spots of a colour most is pale, of that colour's chip with pale spots less.
    """
    bright = np.array([np.percentile(part, 94, axis=0) for part in parts])
    around = [bright[max(0, level - 2) : level + 3].max(axis=0) for level in range(len(parts))]
    mean = np.array([(part / np.maximum(white, 8)).mean(axis=0) for part, white in zip(parts, around, strict=True)])
    clay = palette_bgr / _PALE_BGR
    way = 1 - clay
    off = mean[:, None] - clay
    share = (off * way).sum(axis=2) / np.maximum((way**2).sum(axis=1), 0.05)
    apart = np.linalg.norm(off - share[..., None] * way, axis=2)
    made = np.zeros((*share.shape, 8), np.float32)
    pale = (way**2).sum(axis=1) < _PALE
    doubt = apart + np.where(share < _LEAST_SPOTS, _LEAST_SPOTS - share, 0) + np.where(pale, 10.0, 0.0)
    likeliest = doubt.argmin(axis=1)
    level = np.arange(len(parts))
    made[..., 0], made[..., 1] = np.clip(share, -0.5, 1.5), apart * 3
    made[:, pale, :2] = 0
    made[..., 2] = np.clip(share[level, likeliest], -0.5, 1.5)[:, None]
    made[..., 3] = (doubt - doubt[level, likeliest][:, None]).clip(max=1.0)
    made[..., 4:7] = mean[:, None]
    made[..., 7] = pale
    return made


def _apart(lab: Floats, wanted: Floats, weight: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far every pixel (levels x pixels) is from every colour."""
    own, other = (lab * weight).astype(np.float32), (wanted * weight).astype(np.float32)
    return np.asarray(np.linalg.norm(own[:, :, None] - other, axis=3))


def _lab(bgr: Floats) -> Floats:
    scaled = (np.clip(bgr, 0, 255) / 255).astype(np.float32)[None]
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGR2Lab)[0], np.float64)
