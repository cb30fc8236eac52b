"""The dealer's hand over the wheel: how it moves, and how it is drawn (rounded limbs, skin, sleeve, shadow)."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.casino.wheel_paint import linear
from datasets.casino.wheel_scene import WheelScene, around, place
from datasets.casino.wheel_shape import Array, Floats

OFF_MM = 950.0
"""So far from the spindle a hand is out of the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Where the fingertips are at a time (clip clock), in the wheel frame."""

    t: float
    radius: float
    angle: float
    z: float = 70.0


# Limbs in the hand's own frame, mm: from (along the arm, across), to, and the half width at either end.
_PINCH = (
    (0, 0, 42, -6, 8, 9), (42, -6, 85, 0, 9, 12), (2, 14, 40, 26, 9, 11), (40, 26, 85, 24, 11, 16),
    (28, -20, 85, -18, 8, 11), (38, -34, 88, -30, 8, 10),
)  # fmt: skip
_OPEN = (
    (-20, -6, 85, -4, 9, 11), (-12, 16, 85, 12, 9, 11), (-4, -28, 85, -20, 9, 11), (20, -48, 88, -32, 8, 10),
    (30, 52, 95, 28, 10, 14),
)  # fmt: skip
_PALM = ((85, -16, 130, -8, 20, 26), (85, 14, 135, 8, 20, 26), (130, 0, 175, 0, 30, 26))
_SLEEVE = (190.0, 0.0, 900.0, 0.0, 38.0, 62.0)


class HandPath:
    """A hand that goes from reach to reach, easing in and out."""

    def __init__(self, reaches: list[Reach], *, open_: bool = False) -> None:
        self.reaches = sorted(reaches, key=lambda reach: reach.t)
        self.open = open_

    def tip(self, t: float) -> Reach | None:
        """Where the fingertips are, None while the hand is away."""
        if not self.reaches[0].t <= t <= self.reaches[-1].t:
            return None
        for a, b in zip(self.reaches, self.reaches[1:], strict=False):
            if t <= b.t:
                part = (t - a.t) / max(b.t - a.t, 1e-6)
                ease = part * part * (3 - 2 * part)
                return Reach(
                    t=t,
                    radius=a.radius + ease * (b.radius - a.radius),
                    angle=a.angle + ease * (b.angle - a.angle),
                    z=a.z + ease * (b.z - a.z),
                )
        return None


def draw_hand(scene: WheelScene, tip: Reach, *, open_: bool) -> npt.NDArray[np.bool_] | None:
    """The hand with its forearm coming from the dealer's side; returns which pixels it hides."""
    camera = scene.camera
    point = place(tip.radius, tip.angle, tip.z)
    dealer = place(1150, np.radians(scene.look.dealer_deg), 120)
    along = dealer - point
    along /= np.linalg.norm(along)
    across = np.array([-along[1], along[0], 0.0])
    limbs = [*(_OPEN if open_ else _PINCH), *_PALM, _SLEEVE]
    ends = np.array(
        [[point + along * x1 + across * y1, point + along * x2 + across * y2] for x1, y1, x2, y2, *_ in limbs]
    )
    pixels = camera.pixels(ends.reshape(-1, 3)).reshape(-1, 2, 2)
    scale = camera.scale_px(point)
    margin = 75 * scale
    rect = around(pixels.reshape(-1, 2), margin, camera.size)
    if min(rect.x2 - rect.x1, rect.y2 - rect.y1) < 12:
        return None
    fine = max(1, round(((rect.x2 - rect.x1) * (rect.y2 - rect.y1) / 60_000) ** 0.5))  # limbs are smooth: a coarse grid
    x, y = np.meshgrid(np.arange(rect.x1, rect.x2, fine), np.arange(rect.y1, rect.y2, fine))
    widths = [(wide * scale, end_wide * scale) for *_, wide, end_wide in limbs]
    height, sleeve = _relief(x.astype(np.float32), y.astype(np.float32), pixels, widths)
    size = (rect.x2 - rect.x1, rect.y2 - rect.y1)
    colour = _shaded(scene, height, sleeve, fine, pixels[0, 0])
    cover = np.clip(height, 0, 1)
    cover, colour = cv2.resize(cover, size), cv2.resize(colour, size)
    patch = scene.canvas[rect.slices]
    soft = cv2.GaussianBlur(cover, (0, 0), max(1.0, 9 * scale))
    lamp = scene.camera.axes @ scene.lamp()
    moved = np.array([[1, 0, -lamp[0] * 70 * scale], [0, 1, -lamp[1] * 70 * scale]])
    patch *= (1 - 0.5 * cv2.warpAffine(soft, moved, size))[..., None]
    patch += cover[..., None] * (colour - patch)
    scene.touched(rect)
    hidden = np.zeros(scene.canvas.shape[:2], bool)
    hidden[rect.slices] = cover > 0.5
    return hidden


def _relief(
    x: Floats, y: Floats, ends: Array, widths: list[tuple[float, float]]
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """The height of the nearest limb's round surface over each pixel (px), and where that is the sleeve."""
    best = np.zeros_like(x)
    sleeve = np.zeros(x.shape, bool)
    for index, ((a, b), (wide_a, wide_b)) in enumerate(zip(ends, widths, strict=True)):
        ab = b - a
        along = np.clip(((x - a[0]) * ab[0] + (y - a[1]) * ab[1]) / max(float(ab @ ab), 1e-6), 0, 1)
        wide = wide_a + along * (wide_b - wide_a)
        away2 = (x - a[0] - along * ab[0]) ** 2 + (y - a[1] - along * ab[1]) ** 2
        height = np.sqrt(np.clip(wide**2 - away2, 0, None)).astype(np.float32)
        higher = height > best
        best[higher] = height[higher]
        sleeve[higher] = index == len(widths) - 1
    return best, sleeve


def _shaded(scene: WheelScene, height: Floats, sleeve: npt.NDArray[np.bool_], fine: int, tip: Array) -> Floats:
    """Skin and cloth under the strongest lamp."""
    smooth = cv2.GaussianBlur(height, (0, 0), 1.5)
    slope_y, slope_x = np.gradient(smooth, fine)
    lamp = scene.camera.axes @ scene.lamp()
    facing = (-slope_x * lamp[0] - slope_y * lamp[1] - lamp[2]) / np.sqrt(1 + slope_x**2 + slope_y**2)
    level = (0.3 + 0.8 * np.clip(facing, 0, 1))[..., None].astype(np.float32)
    base = np.where(sleeve[..., None], linear(scene.look.sleeve), linear(scene.look.skin)).astype(np.float32)
    return np.asarray(base * level * scene.light_at(tip).clip(0.25), np.float32)
