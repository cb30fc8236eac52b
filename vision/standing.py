"""Things that stand on the felt, as a camera sees them: which way is up, and where a thing has its foot."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Array, Image, View
from vision.plan import Point

Mask = NDArray[np.bool_]
RING_PX = 15


def upright(view: View, at: Point) -> tuple[Array, Array, float]:
    """In the picture at a place: which way is up, which across, and how many millimetres across a pixel is."""
    aside = _away(view, at) @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    marks = [(*at, 0.0), (at[0] + 20 * aside[0], at[1] + 20 * aside[1], 0.0), (*at, 60.0)]
    foot, beside, above = view.all_to_px(np.array(marks, np.float64))
    up = (above - foot) / max(1e-6, float(np.linalg.norm(above - foot)))
    return up, np.array([-up[1], up[0]]), 20 / float(np.linalg.norm(beside - foot))


def foot_of(view: View, points: Array, at: Point, *, radius_mm: float, z: float = 0.0) -> Point:
    """The middle of the foot of a thing near `at`, given its pixels, how wide its foot is and how high that stands."""
    up, across, _ = upright(view, at)
    lowest = up * np.percentile(points @ up, 1) + across * np.median(points @ across)
    edge = view.to_mm(float(lowest[0]), float(lowest[1]), z)
    x, y = np.array(edge) + radius_mm * _away(view, edge)
    return float(x), float(y)


def is_barer(one: Image, other: Image, thing: Mask) -> bool:
    """Whether the first of two looks is more like the felt around, where in the other a thing stands."""
    ring = (cv2.dilate(thing.astype(np.uint8), np.ones((RING_PX, RING_PX), np.uint8)) > 0) & ~thing
    felt = np.median(other[ring].astype(np.float32), axis=0) if ring.any() else np.zeros(3, np.float32)
    unlike = [float(np.abs(look[thing].astype(np.float32) - felt).max(axis=1).mean()) for look in (one, other)]
    return unlike[0] < unlike[1]


def pixels_of(mask: Mask, corner: tuple[int, int]) -> Array:
    """The pixels of a part of the picture that are set, as rows of x, y."""
    rows, columns = np.nonzero(mask)
    return np.asarray(np.column_stack([columns, rows]) + np.array(corner), np.float64)


def _away(view: View, at: Point) -> Array:
    """The direction on the felt that leads away from the camera."""
    eye = view.eye_mm
    away = np.array([at[0] - eye[0], at[1] - eye[1]])
    return np.asarray(away / max(1e-6, float(np.linalg.norm(away))))
