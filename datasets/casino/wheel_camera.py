"""The wheel camera: a lens that looks at the wheel from above or aslant, and what each of its pixels sees of it."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from datasets.casino.wheel_shape import TABLE_MM, Array, Floats, WheelShape

MARCH = 80
"""Levels at which a ray is held against the surface: every two millimetres."""


@dataclass(frozen=True, kw_only=True)
class WheelCamera:
    """Where the camera hangs: so far from the vertical, on a side (clockwise from twelve), turned by its roll."""

    size: tuple[int, int] = (640, 640)
    tilt_deg: float = 12.0
    side_deg: float = 180.0
    roll_deg: float = 0.0
    distance_mm: float = 1500.0
    zoom: float = 0.92
    """The wheel's diameter against the picture's height: above 1 the picture cuts the rim."""
    aim_mm: tuple[float, float] = (0.0, 0.0)
    k1: float = 0.0

    @cached_property
    def focal_px(self) -> float:
        """The focal length, so that the wheel fills as much of the picture as `zoom` says."""
        return self.zoom * self.size[1] * self.distance_mm / 828

    @cached_property
    def centre(self) -> Array:
        """Where the lens is, in the wheel frame."""
        tilt, side = math.radians(self.tilt_deg), math.radians(self.side_deg)
        out = self.distance_mm * math.sin(tilt)
        up = self.distance_mm * math.cos(tilt)
        return np.array([self.aim_mm[0] + out * math.sin(side), self.aim_mm[1] - out * math.cos(side), up])

    @cached_property
    def axes(self) -> Array:
        """The rows are the picture's right, its down and the way the lens looks, in the wheel frame.

        The picture is turned so that the camera's own side is below: a person standing there sees it so.
        """
        look = np.array([*self.aim_mm, 0.0]) - self.centre
        look /= np.linalg.norm(look)
        side = math.radians(self.side_deg + self.roll_deg)
        near = np.array([math.sin(side), -math.cos(side), 0.0])
        down = near - look * (near @ look)
        down /= np.linalg.norm(down)
        return np.stack([np.cross(look, down), down, look])

    def pixels(self, points: Array) -> Array:
        """Where points (n, 3) of the wheel frame are in the picture."""
        seen = (np.atleast_2d(points) - self.centre) @ self.axes.T
        flat = seen[:, :2] / seen[:, 2:]
        flat = flat * (1 + self.k1 * (flat**2).sum(1, keepdims=True))
        return np.asarray(flat * self.focal_px + np.array(self.size) / 2)

    def scale_px(self, point: Array) -> float:
        """Pixels per millimetre at a point."""
        return float(self.focal_px / ((point - self.centre) @ self.axes[2]))

    def rays(self) -> Floats:
        """The way every pixel looks (h, w, 3), not normed: one unit along the lens's axis."""
        x, y = ((np.arange(side) + 0.5 - side / 2) / self.focal_px for side in self.size)
        u, v = np.meshgrid(x, y)
        bent_u, bent_v = u, v
        for _ in range(4 if self.k1 else 0):
            stretch = 1 + self.k1 * (u**2 + v**2)
            u, v = bent_u / stretch, bent_v / stretch
        right, down, look = self.axes.astype(np.float32)
        flat = np.stack([u, v], axis=2).astype(np.float32)
        return np.asarray(flat[..., :1] * right + flat[..., 1:] * down + look)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What each pixel sees: the point of the wheel's surface, and its distance along the lens's axis."""

    x: Floats
    y: Floats
    z: Floats
    depth: Floats

    @property
    def radius(self) -> Floats:
        """Distance from the spindle."""
        return np.hypot(self.x, self.y)

    @property
    def angle(self) -> Floats:
        """Clockwise from twelve, 0 to 2 pi."""
        return np.mod(np.arctan2(self.x, -self.y), np.float32(2 * np.pi))


def sight(camera: WheelCamera, shape: WheelShape) -> Sight:
    """March down every ray to the first place below the turned surface."""
    rays = camera.rays()
    start = camera.centre.astype(np.float32)
    way = rays.reshape(-1, 3)
    top, bottom = np.float32(shape.turret_mm + 2), np.float32(TABLE_MM - 1)
    step = (top - bottom) / (MARCH - 1)
    found = (bottom - start[2]) / way[:, 2]
    going = np.arange(len(way))  # the rays that have not met anything yet
    dx, dy = way[:, 0] / way[:, 2], way[:, 1] / way[:, 2]
    before = np.full(len(way), step)
    for level in np.linspace(top, bottom, MARCH, dtype=np.float32):
        drop = level - start[2]
        over = level - shape.heights(np.hypot(start[0] + drop * dx, start[1] + drop * dy))
        hit = over <= 0
        if hit.any():
            back = step * over[hit] / (over[hit] - before[hit] - np.float32(1e-6))  # the crossing since the last level
            found[going[hit]] = (drop + back) / way[going[hit], 2]
            kept = ~hit
            going, dx, dy, over = going[kept], dx[kept], dy[kept], over[kept]
        before = over
    x, y, z = (start + found[:, None] * way).T.reshape(3, *rays.shape[:2])
    return Sight(x=x, y=y, z=z, depth=found.reshape(rays.shape[:2]))
