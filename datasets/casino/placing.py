"""Placing: poses turned into matrices, and matrices put one after another."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from datasets.casino.things import Pose

Matrix = npt.NDArray[np.float64]  # 3 x 4: turn and scale, then the place


def placed(pose: Pose, lift: float = 0.0) -> Matrix:
    """The matrix of a pose: pitch and roll about the centre, then yaw, then the place."""
    yaw, pitch, roll = (math.radians(angle) for angle in (pose.yaw, pose.pitch, pose.roll))
    cy, sy, cp, sp, cr, sr = (
        math.cos(yaw),
        math.sin(yaw),
        math.cos(pitch),
        math.sin(pitch),
        math.cos(roll),
        math.sin(roll),
    )
    about_z = np.array([[cy, -sy, 0.0], [sy, cy, 0.0], [0.0, 0.0, 1.0]])
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, cp, sp], [0.0, -sp, cp]])  # lifts the edge at -y
    about_y = np.array([[cr, 0.0, -sr], [0.0, 1.0, 0.0], [sr, 0.0, cr]])  # lifts the edge at +x
    return np.column_stack([about_z @ about_x @ about_y, [pose.x, pose.y, pose.z + lift]])


def times(matrix: Matrix, inner: Matrix) -> Matrix:
    """A matrix applied after another."""
    return np.column_stack([matrix[:, :3] @ inner[:, :3], matrix[:, :3] @ inner[:, 3] + matrix[:, 3]])


def scaled(x: float, y: float, z: float, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Matrix:
    return np.column_stack([np.diag([x, y, z]), at])


def turned_over(thick: float) -> Matrix:
    """Face down: half a turn about the long axis, still standing on z = 0."""
    return np.array([[-1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, thick]])


def along(start: npt.NDArray[np.float64], end: npt.NDArray[np.float64], width: float) -> Matrix:
    """A matrix that lays a unit body along z from start to end."""
    way = end - start
    length = float(np.linalg.norm(way))
    ahead = way / max(length, 1e-6)
    across = np.cross(ahead, [0.0, 0.0, 1.0] if abs(ahead[2]) < 0.95 else [1.0, 0.0, 0.0])
    across /= np.linalg.norm(across)
    above = np.cross(across, ahead)
    return np.column_stack([across * width, above * width, way, start])
