"""Cameras: where they hang, what their lens does, and where a point of the table falls in their picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from auditor.log import FairdealError

Array = npt.NDArray[np.float64]
Point2 = tuple[float, float]
Point3 = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """A camera over a table, in the table's plan frame (millimetres)."""

    name: str
    eye: Point3
    target: Point3
    size: tuple[int, int]  # px, width and height
    focal_px: float
    k1: float = 0.0  # radial distortion as OpenCV has it, on coordinates divided by the focal length
    k2: float = 0.0
    roll_deg: float = 0.0

    def axes(self) -> Array:
        """The picture's right, its down and the way it looks, as rows."""
        return _axes(self)

    def project(self, points: npt.ArrayLike) -> Array:
        """Pixels (n x 2) of points in millimetres (n x 3), through the lens."""
        seen = (np.asarray(points, np.float64).reshape(-1, 3) - self.eye) @ self.axes().T
        flat = seen[:, :2] / np.maximum(seen[:, 2:], 1.0)
        r2 = np.minimum((flat**2).sum(1, keepdims=True), self.fold_r2())
        bent = flat * (1 + self.k1 * r2 + self.k2 * r2 * r2)
        return np.asarray(bent * self.focal_px + np.asarray(self.size) / 2, np.float64)

    def fold_r2(self) -> float:
        """Beyond this the distortion is held: the polynomial would fold the picture back into itself."""
        return _fold_r2(self.k1, self.k2)

    def on_felt(self, pixel: Point2, z: float = 0.0) -> Point2:
        """The plan position at height z that is seen at a pixel."""
        bent = (np.asarray(pixel) - np.asarray(self.size) / 2) / self.focal_px
        flat = bent.copy()
        for _ in range(12):
            r2 = float(flat @ flat)
            flat = bent / (1 + self.k1 * r2 + self.k2 * r2 * r2)
        ray = np.array([*flat, 1.0]) @ self.axes()
        reach = (z - self.eye[2]) / ray[2]
        return float(self.eye[0] + ray[0] * reach), float(self.eye[1] + ray[1] * reach)

    def resized(self, size: tuple[int, int]) -> Camera:
        return replace(self, size=size, focal_px=self.focal_px * size[0] / self.size[0])


@lru_cache(maxsize=64)
def _axes(camera: Camera) -> Array:
    ahead = np.subtract(camera.target, camera.eye) * [1, -1, 1]  # mirrored: cross products need a right-handed frame
    ahead /= np.linalg.norm(ahead)
    above = np.array([0.0, 0.0, 1.0]) if math.hypot(ahead[0], ahead[1]) > 1e-3 else np.array([0.0, 1.0, 0.0])
    right = np.cross(ahead, above)
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    turn = math.radians(camera.roll_deg)
    rolled = right * math.cos(turn) + down * math.sin(turn), down * math.cos(turn) - right * math.sin(turn)
    return np.asarray(np.stack([*rolled, ahead]) * [1, -1, 1], np.float64)


@lru_cache(maxsize=64)
def _fold_r2(k1: float, k2: float) -> float:
    roots = np.roots([5 * k2, 3 * k1, 1.0]) if k1 or k2 else np.array([])
    real = [root.real for root in roots if abs(root.imag) < 1e-9 and root.real > 0]
    return 0.9 * min(real, default=100.0)


# Height of the line of sight above the felt, the way it comes from (0 = from the players' side), and the lens.
_PRESETS: dict[str, tuple[float, float, float, float]] = {  # elevation, bearing, distance (mm), k1
    "dome45": (45.0, 0.0, 2300.0, -0.10),
    "dome60": (60.0, 24.0, 2300.0, -0.08),
    "overhead": (86.0, 0.0, 2100.0, -0.12),
}
PRESETS = tuple(_PRESETS)


def preset(name: str, felt: Sequence[Point2], size: tuple[int, int]) -> Camera:
    """One of the presets, aimed and zoomed so that the whole felt is in the picture."""
    if name not in _PRESETS:
        raise FairdealError(f"no camera is called {name!r}: choose one of {', '.join(PRESETS)}")
    elevation, bearing, distance, k1 = _PRESETS[name]
    return framed(name, felt, size, elevation_deg=elevation, bearing_deg=bearing, distance_mm=distance, k1=k1)


def framed(
    name: str, felt: Sequence[Point2], size: tuple[int, int], *, elevation_deg: float, bearing_deg: float,
    distance_mm: float, k1: float = 0.0, k2: float = 0.0, margin: float = 0.04,
) -> Camera:  # fmt: skip
    """A camera that sees the felt from the given side, with the focal length that just frames it."""
    corners = np.array([(x, y, 0.0) for x, y in felt])
    centre = (corners.min(0) + corners.max(0)) / 2
    lift, turn = math.radians(elevation_deg), math.radians(bearing_deg)
    way = np.array([math.sin(turn) * math.cos(lift), math.cos(turn) * math.cos(lift), math.sin(lift)])
    camera = Camera(
        name=name,
        eye=_point(centre + way * distance_mm),
        target=_point(centre),
        size=size,
        focal_px=float(size[0]),
        k1=k1,
        k2=k2,
    )
    for _ in range(12):  # aim at the middle of what is seen, then zoom until it fits
        seen = camera.project(corners)
        low, high = seen.min(0), seen.max(0)
        aim = camera.on_felt((float((low + high)[0] / 2), float((low + high)[1] / 2)))
        fill = float(((high - low) / np.asarray(size)).max())
        camera = replace(camera, target=(*aim, 0.0), focal_px=camera.focal_px * (1 - 2 * margin) / fill)
    return camera


def random_camera(
    rng: np.random.Generator,
    felt: Sequence[Point2],
    size: tuple[int, int],
    zoom: float = 1.0,
    aim: Point2 | None = None,
) -> Camera:
    """A camera as somebody might have hung it; `zoom` above 1 shows only a part of the felt, round `aim`."""
    camera = framed(
        "random", felt, size, elevation_deg=float(rng.uniform(35, 88)), bearing_deg=float(rng.uniform(-60, 60)),
        distance_mm=float(rng.uniform(1500, 3200)), k1=float(rng.uniform(-0.16, 0.03)),
        k2=float(rng.uniform(-0.01, 0.02)), margin=float(rng.uniform(0.0, 0.08)),
    )  # fmt: skip
    roll_deg = float(rng.normal(0, 2))
    low, high = np.asarray(felt).min(0), np.asarray(felt).max(0)
    anywhere = rng.uniform(low + (high - low) * 0.2, high - (high - low) * 0.2)
    if zoom <= 1.0:
        return replace(camera, roll_deg=roll_deg)
    x, y = aim or (float(anywhere[0]), float(anywhere[1]))
    return replace(camera, target=(x, y, 0.0), focal_px=camera.focal_px * zoom, roll_deg=roll_deg)


def _point(values: npt.ArrayLike) -> Point3:
    x, y, z = (float(value) for value in np.asarray(values))
    return x, y, z
