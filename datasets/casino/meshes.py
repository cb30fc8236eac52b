"""Meshes: the shapes of all things, as triangles with normals and texture coordinates, in millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Profile = tuple[tuple[float, float], ...]  # (radius, height) from the outside bottom upwards


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles as rows of nine: position, normal, texture u and v, side.

    Side 0 takes the first layer of a piece's art, side 1 the second.
    """

    vertices: Array  # (3 * triangles, 9)

    def wound(self) -> Mesh:
        """The same with all corners in one order seen from outside, so that what faces away can be left out."""
        triangles = self.vertices.reshape(-1, 3, 9).copy()
        across = np.cross(triangles[:, 1, :3] - triangles[:, 0, :3], triangles[:, 2, :3] - triangles[:, 0, :3])
        inward = (across * triangles[..., 3:6].sum(1)).sum(1) < 0
        triangles[inward] = triangles[inward][:, [0, 2, 1]]
        return Mesh(triangles[np.linalg.norm(across, axis=1) > 1e-9].reshape(-1, 9))

    def bounds(self) -> tuple[Array, Array]:
        return self.vertices[:, :3].min(0), self.vertices[:, :3].max(0)


def joined(*meshes: Mesh) -> Mesh:
    return Mesh(np.concatenate([mesh.vertices for mesh in meshes]))


def moved(mesh: Mesh, offset: tuple[float, float, float]) -> Mesh:
    vertices = mesh.vertices.copy()
    vertices[:, :3] += np.asarray(offset, np.float32)
    return Mesh(vertices)


def grid(points: npt.ArrayLike, normals: npt.ArrayLike, uv: npt.ArrayLike, side: float = 0.0) -> Mesh:
    """A mesh over a rows x columns lattice of points."""
    rows, columns = np.shape(points)[:2]
    cells = np.concatenate([points, normals, uv, np.full((rows, columns, 1), side)], axis=2).astype(np.float32)
    a, b, c, d = cells[:-1, :-1], cells[:-1, 1:], cells[1:, 1:], cells[1:, :-1]
    return Mesh(np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 9))


def smooth_normals(points: Array) -> Array:
    """Normals of a lattice of points, from its own neighbours."""
    along = np.gradient(points, axis=1)
    down = np.gradient(points, axis=0)
    normals = np.cross(along, down)
    return np.asarray(normals / np.maximum(np.linalg.norm(normals, axis=2, keepdims=True), 1e-9), np.float32)


def plate(outline: Array, thick: float, sides_side: float = 1.0, back_side: float = 1.0) -> Mesh:
    """A flat thing with a convex outline (n x 2): face up at z = thick, back at 0, uv over its bounding box."""
    low, high = outline.min(0), outline.max(0)
    uv = (outline - low) / (high - low)
    middle, middle_uv = (low + high) / 2, np.array([0.5, 0.5])
    rows = []
    count = len(outline)
    for z, normal_z, side in ((thick, 1.0, 0.0), (0.0, -1.0, back_side)):
        for i in range(count):
            j = (i + 1) % count
            for point, at in ((middle, middle_uv), (outline[i], uv[i]), (outline[j], uv[j])):
                rows.append((*point, z, 0, 0, normal_z, at[0] if normal_z > 0 else 1 - at[0], at[1], side))
    for i in range(count):
        j = (i + 1) % count
        edge = outline[j] - outline[i]
        normal = np.array([edge[1], -edge[0]]) / max(float(np.hypot(*edge)), 1e-9)
        a, b, c, d = ((*outline[i], 0.0), (*outline[j], 0.0), (*outline[j], thick), (*outline[i], thick))
        rows += [(*point, *normal, 0.0, 0.01, 0.01, sides_side) for point in (a, b, c, a, c, d)]
    return Mesh(np.asarray(rows, np.float32))


def rounded_rectangle(width: float, height: float, radius: float, steps: int = 5) -> Array:
    """A rectangle with round corners round the origin, clockwise seen on the page."""
    turn = np.linspace(0, np.pi / 2, steps + 1)
    parts = []
    for quarter, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        angle = turn + quarter * np.pi / 2
        middle = np.array([x * (width / 2 - radius), y * (height / 2 - radius)])
        parts.append(middle + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    return np.concatenate(parts).astype(np.float32)


def card(width: float, height: float, thick: float) -> Mesh:
    """A card cut in bands along its length, so that it can bend; its face has side 0, its back side 1."""
    radius = 3.2
    corner = radius * (1 - np.cos(np.linspace(0, np.pi / 2, 5)))
    rows = np.concatenate([corner, np.linspace(radius, height - radius, 7)[1:-1], height - corner[::-1]])
    inset = np.minimum(rows, height - rows)
    half = width / 2 - radius + np.sqrt(np.maximum(radius**2 - np.maximum(radius - inset, 0) ** 2, 0))
    x = np.stack([-half, half], axis=1)
    y = np.repeat((rows - height / 2)[:, None], 2, axis=1)
    uv = np.stack([x / width + 0.5, y / height + 0.5], axis=2)
    up = np.zeros((len(rows), 2, 3))
    up[..., 2] = 1
    face = grid(np.stack([x, y, np.full_like(x, thick)], 2), up, uv)
    back = grid(np.stack([x, y, np.zeros_like(x)], 2), -up, np.stack([1 - uv[..., 0], uv[..., 1]], 2), side=1.0)
    rim = np.concatenate([np.stack([x[:, 1], y[:, 1]], 1), np.stack([x[::-1, 0], y[::-1, 0]], 1), [[x[0, 1], y[0, 1]]]])
    return joined(face, back, _rim(rim, thick))


def _rim(outline: Array, thick: float) -> Mesh:
    points = np.stack([np.column_stack([outline, np.full(len(outline), z)]) for z in (0.0, thick)])
    flat = outline - outline.mean(0)
    normals = np.column_stack([flat / np.linalg.norm(flat, axis=1, keepdims=True), np.zeros(len(outline))])
    uv = np.full((2, len(outline), 2), 0.02)
    return grid(points, np.stack([normals, normals]), uv)


def lathe(profile: Profile, segments: int = 32, disc_uv: bool = False) -> Mesh:
    """A body turned round z; uv are angle and way along the profile, or with `disc_uv` the whole seen from above."""
    turn = np.linspace(0, 2 * np.pi, segments + 1)
    path = np.asarray(profile, np.float64)
    radius, height = path[:, 0][:, None], np.repeat(path[:, 1][:, None], segments + 1, axis=1)
    points = np.stack([radius * np.cos(turn), radius * np.sin(turn), height], axis=2)
    parts = []
    for band in range(len(path) - 1):  # every band has its own normals: edges stay crisp
        step = path[band + 1] - path[band]
        out, up = step[1], -step[0]
        length = max(float(np.hypot(out, up)), 1e-9)
        normal = np.stack(
            [out / length * np.cos(turn), out / length * np.sin(turn), np.full_like(turn, up / length)], axis=1
        )
        lattice = points[band : band + 2]
        if disc_uv:
            uv = lattice[..., :2] / (2 * path[:, 0].max()) + 0.5
        else:
            along = np.array([band, band + 1]) / (len(path) - 1)
            uv = np.stack(np.broadcast_arrays(turn[None, :] / (2 * np.pi), along[:, None]), axis=2)
        parts.append(grid(lattice, np.stack([normal, normal]), uv))
    return joined(*parts)


def box(width: float, depth: float, height: float, layer_side: float = 0.0) -> Mesh:
    """A box standing on the felt round the origin; uv run over each side."""
    half = np.array([width / 2, depth / 2])
    faces = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            u, v = np.meshgrid([0.0, 1.0], [0.0, 1.0])
            p = np.zeros((2, 2, 3))
            others = [i for i in range(3) if i != axis]
            p[..., axis] = (sign + 1) / 2
            p[..., others[0]], p[..., others[1]] = u, v
            p = p * [width, depth, height] - [*half, 0.0]
            normal = np.zeros((2, 2, 3))
            normal[..., axis] = sign
            faces.append(grid(p, normal, np.stack([u, v], 2), layer_side))
    return joined(*faces)


def chip(under: bool = False) -> Mesh:
    """A chip 39 x 3.3 mm. Its layer holds the face above (v < 0.9) and the edge, unrolled, below.

    A chip `under` others shows no more of its face than a narrow ring: what is hidden need not be drawn.
    """
    radius, thick, bevel = 19.5, 3.3, 0.35
    turn = np.linspace(0, 2 * np.pi, 33)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    parts = []
    for z, normal_z in ((thick, 1.0),) if under else ((thick, 1.0), (0.0, -1.0)):
        radii = (radius * 0.72 if under else 0.0, radius - bevel)
        lattice = np.stack([np.column_stack([ring * r, np.full(33, z)]) for r in radii])
        uv = np.stack([ring * r / radius * 0.44 + 0.45 for r in radii])
        normal = np.broadcast_to([0.0, 0.0, normal_z], lattice.shape)
        parts.append(grid(lattice, normal, uv))
    profile = (
        (radius - bevel, 0.0, -0.6),
        (radius, bevel, -0.15),
        (radius, thick - bevel, 0.15),
        (radius - bevel, thick, 0.6),
    )
    lattice = np.stack([np.column_stack([ring * r, np.full(33, z)]) for r, z, _ in profile])
    normal = np.stack([np.column_stack([ring * np.sqrt(1 - n * n), np.full(33, n)]) for _, _, n in profile])
    across = np.linspace(0.985, 0.925, 4)
    uv = np.stack(np.broadcast_arrays(turn[None, :] / (2 * np.pi), across[:, None]), axis=2)
    return joined(*parts, grid(lattice, normal, uv))


@lru_cache(maxsize=1)
def capsule() -> Mesh:
    """A unit tube along z from 0 to 1 with round ends of radius 1 (scaled by its piece)."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, 9)
    profile = tuple((float(max(np.cos(a), 0.0)), float(np.sin(a) * 0.3 + (1.0 if a > 0 else 0.0))) for a in angle)
    return lathe(profile, 20)


def swept(path: npt.NDArray[np.float64], section: npt.NDArray[np.float64], closed: bool = False) -> Mesh:
    """A section (m x 2: outwards, up) drawn along a path round the felt (n x 2), clockwise on the page."""
    ahead = np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0)
    if not closed:
        ahead[0], ahead[-1] = path[1] - path[0], path[-1] - path[-2]
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    outward = np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
    if closed:
        path, outward = np.concatenate([path, path[:1]]), np.concatenate([outward, outward[:1]])
    lattice = np.zeros((len(section), len(path), 3), np.float32)
    lattice[..., :2] = path[None] + outward[None] * section[:, 0][:, None, None]
    lattice[..., 2] = section[:, 1][:, None]
    step = np.gradient(section, axis=0)
    flat = np.stack([-step[:, 1], step[:, 0]], axis=1)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-9)
    normals = np.zeros_like(lattice)
    normals[..., :2] = outward[None] * flat[:, 0][:, None, None]
    normals[..., 2] = flat[:, 1][:, None]
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))]) / 300.0
    uv = np.stack(np.broadcast_arrays(length[None, :], np.linspace(0, 1, len(section))[:, None]), axis=2).astype(
        np.float32
    )
    body = grid(lattice, normals, uv)
    if closed:
        return body
    return joined(body, *(_cap(lattice[:, end], way * ahead[end]) for end, way in ((0, -1.0), (-1, 1.0))))


def _cap(section: Array, outward: npt.NDArray[np.float64]) -> Mesh:
    """A flat end over a section of points."""
    fan = np.stack([np.broadcast_to(section.mean(0), section.shape), section])
    return grid(fan, np.broadcast_to([*outward, 0.0], fan.shape), np.zeros((2, len(section), 2)))
