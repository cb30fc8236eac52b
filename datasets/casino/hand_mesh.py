"""Hands: a body of rounded bones melted into one skin, from which the mesh is taken; and the sleeve with its arm."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from datasets.casino.meshes import Mesh, grid, smooth_normals

Array = npt.NDArray[np.float64]
GRIPS = 9  # meshes between open (0) and closed (1)
CELL_MM = 4.2
# Of a right hand, palm down, fingers to -y: roots (x, y), lengths of the three bones, thickness, splay in degrees.
FINGERS = (
    (-31.0, -40.0, (42.0, 25.0, 20.0), 8.6, -9.0),
    (-10.5, -46.0, (46.0, 29.0, 22.0), 8.9, -2.5),
    (10.0, -43.0, (43.0, 27.0, 21.0), 8.5, 4.0),
    (29.0, -34.0, (34.0, 20.0, 18.0), 7.5, 12.0),
)


Bone = tuple[Array, Array, float, float]  # from, to, radius at either end


def _bones(grip: float) -> tuple[list[Bone], list[list[Bone]]]:
    """All tapered bones, and those of each finger from its knuckle to its tip, the thumb last."""
    bones: list[Bone] = []
    fingers: list[list[Bone]] = []
    for x, y, lengths, thick, splay in FINGERS:
        point, bend = np.array([x, y, 15.0]), np.radians(8 + 48 * grip)
        turn = np.radians(splay * (1.05 - 0.9 * grip))
        finger: list[Bone] = []
        for joint, length in enumerate(lengths):
            way = np.array([np.sin(turn) * np.cos(bend), -np.cos(turn) * np.cos(bend), -np.sin(bend)])
            end = point + way * length
            end[2] = max(end[2], thick * 0.62)
            finger.append((point, end, thick * (1.06 - 0.09 * joint), thick * (0.98 - 0.1 * joint)))
            point, bend = end, bend + np.radians(4 + 40 * grip)
        fingers.append(finger)
        bones.append((np.array([x * 0.8, 34.0, 17.0]), np.array([x, y, 15.0]), 13.5, thick * 1.18))  # through the palm
    base, knuckle = np.array([-26.0, 26.0, 16.0]), np.array([-47.0 + 10 * grip, -2.0 - 6 * grip, 12.0])
    middle = knuckle + np.array([-18.0 + 20 * grip, -24.0 - 3 * grip, -1.5])
    tip = middle + np.array([-4.0 + 12 * grip, -24.0, -2.0])
    fingers.append([(base, knuckle, 15.0, 11.5), (knuckle, middle, 11.0, 9.6), (middle, tip, 9.6, 7.4)])
    bones.append((np.array([0.0, 34.0, 17.0]), np.array([0.0, 92.0, 20.0]), 24.0, 23.5))  # wrist
    return [*bones, *(bone for finger in fingers for bone in finger)], fingers


def _marks(points: Array, normals: Array, fingers: list[list[Bone]]) -> Array:
    """What the back of a finger shows: from 0.5 up to 1 into a nail, down to 0 where a joint folds the skin.

    Both are slopes, not steps: the mesh is coarse, and the skin's shader cuts a clean edge out of a slope.
    """
    marks = np.full(len(points), 0.5)
    for number, finger in enumerate(fingers):
        for start, end, _, thick in finger:
            way = (end - start) / np.linalg.norm(end - start)
            # The nail of a thumb looks aside, those of the fingers up.
            back = np.array([0.0, 0.0, 1.0]) if number < 4 else np.array([-0.55, -0.1, 0.8])
            back = back - way * (back @ way)
            back /= np.linalg.norm(back)
            side = np.cross(way, back)
            on_back = (normals @ back > 0.25) & (np.abs((points - start) @ side) < 1.3 * thick)
            along = (points - start) @ way
            fold = np.clip(np.abs(along) / 7.0, 0.0, 1.0)
            marks = np.where(on_back & (fold < 1), np.minimum(marks, 0.5 * fold), marks)
        off = points - (end - 0.1 * thick * way + back * thick * 0.7)
        around = np.hypot(off @ way / 6.8, off @ side / (0.72 * thick)) - 1.0
        marks = np.where(normals @ back > 0.1, np.maximum(marks, np.clip(0.7 - 0.6 * around, 0.0, 1.0)), marks)
    return marks


def _distance(points: Array, bones: list[Bone]) -> Array:
    """Signed distance to the bones, melted into one another."""
    total = np.zeros(points.shape[:-1])
    for start, end, first, second in bones:
        way = end - start
        share = np.clip(((points - start) @ way) / (way @ way), 0.0, 1.0)
        distance = np.linalg.norm(points - (start + share[..., None] * way), axis=-1) - (
            first + (second - first) * share
        )
        total += np.exp(np.clip(-distance / 2.4, -60.0, 30.0))
    return np.asarray(-2.4 * np.log(np.maximum(total, 1e-26)), np.float64)


def _surface(field: Array, low: Array, cell: float) -> tuple[Array, npt.NDArray[np.int64]]:
    """Surface nets: one vertex for each cell that the surface crosses, one quad for each crossed edge."""
    inside = field < 0
    counts = sum(
        inside[i : inside.shape[0] - 1 + i, j : inside.shape[1] - 1 + j, k : inside.shape[2] - 1 + k].astype(np.int8)
        for i in (0, 1) for j in (0, 1) for k in (0, 1)
    )  # fmt: skip
    cells = np.argwhere((np.asarray(counts) > 0) & (np.asarray(counts) < 8))
    number = np.full(np.asarray(counts).shape, -1, np.int64)
    number[tuple(cells.T)] = np.arange(len(cells))
    total, hits = np.zeros((len(cells), 3)), np.zeros((len(cells), 1))
    quads, unit = [], np.eye(3, dtype=np.int64)
    for axis in range(3):
        others = [other for other in range(3) if other != axis]
        step = unit[axis]
        for first in (0, 1):
            for second in (0, 1):
                corner = cells + first * unit[others[0]] + second * unit[others[1]]
                a, b = field[tuple(corner.T)], field[tuple((corner + step).T)]
                crossed = (a < 0) != (b < 0)
                share = np.where(crossed, a / np.where(crossed, a - b, 1.0), 0.0)
                total += np.where(crossed[:, None], corner + share[:, None] * step, 0.0)
                hits += crossed[:, None]
        lower = tuple(slice(1, -1) if other != axis else slice(0, -1) for other in range(3))
        upper = tuple(slice(1, -1) if other != axis else slice(1, None) for other in range(3))
        edges = np.argwhere(inside[lower] != inside[upper]) + (1 - step)
        around = [edges - i * unit[others[0]] - j * unit[others[1]] for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
        quads.append(np.stack([number[tuple(corner.T)] for corner in around], axis=1))
    return low + total / hits * cell, np.concatenate(quads)


@lru_cache(maxsize=2 * GRIPS)
def hand(step: int, side: str = "right") -> Mesh:
    """A hand, palm down, its middle at the origin, closed by `step` of `GRIPS`.

    u tells ridges (1) from hollows (0), v nails (1) from bare skin (0.5) and folds (0).
    """
    if side == "left":
        return Mesh(hand(step).vertices * np.array([-1, 1, 1, -1, 1, 1, 1, 1, 1], np.float32))
    bones, fingers = _bones(step / (GRIPS - 1))
    low, high = np.array([-92.0, -168.0, -6.0]), np.array([62.0, 96.0, 50.0])
    axes = [np.arange(low[i], high[i] + CELL_MM, CELL_MM) for i in range(3)]
    field = _distance(np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1), bones)
    field[:, -2:, :] = np.abs(field[:, -2:, :]) + 0.5  # cut through the wrist: the sleeve hides it
    points, quads = _surface(field, low, CELL_MM)
    slope = np.stack([_distance(points + d, bones) - _distance(points - d, bones) for d in 1.2 * np.eye(3)], axis=1)
    normals = slope / np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-9)
    open_sky = np.clip(_distance(points + normals * 9.0, bones) / 9.0, 0.0, 1.0)  # 1 on a ridge, less in a hollow
    marks = _marks(points, normals, fingers)
    rows = np.column_stack([points, normals, open_sky, marks, np.zeros(len(points))]).astype(np.float32)
    return Mesh(rows[quads[:, [0, 1, 2, 0, 2, 3]]].reshape(-1, 9))


def sleeve() -> Mesh:
    """A sleeve with its folds along z: 0 at the wrist, 1 at the elbow; radii in millimetres."""
    turn, along = np.linspace(0, 2 * np.pi, 29), np.linspace(0, 1, 25)
    angle, way = np.meshgrid(turn, along)
    folds = np.sin(way * 31 + 2.2 * np.sin(angle)) * 1.6 + np.sin(way * 17 - 3 * np.sin(angle + 1.3)) * 2.0
    folds *= np.clip((way - 0.08) * 4, 0, 1) * (0.4 + 0.9 * way)
    radius = 31 + 17 * way**0.8 + folds
    radius = np.where(way < 0.045, 32.5, radius)  # the cuff
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle) * 0.92, way], axis=2)
    stretched = points * [1, 1, 250.0]
    uv = np.stack([angle / (2 * np.pi), way], axis=2)
    return grid(points, -smooth_normals(stretched.astype(np.float32)), uv)
