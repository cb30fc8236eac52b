"""What moves over the wheel besides the rotor: the ball with its shadow, the turret's arms, things fallen in."""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from datasets.casino.wheel_paint import linear
from datasets.casino.wheel_scene import WheelScene, around, place, shade
from datasets.casino.wheel_shape import Array, Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A thing that does not belong on a wheel."""

    kind: Literal["chip", "coin"]
    colour: tuple[float, float, float]

    @property
    def radius_mm(self) -> float:
        """A gaming chip's, or a coin's."""
        return 19.5 if self.kind == "chip" else 12.5


def draw_ball(scene: WheelScene, centres: Array) -> float:
    """The ball at its places (n, 3) during one exposure. Returns how much of it is to be seen, 0 to 1."""
    camera, ball_mm = scene.camera, scene.shape.ball_mm
    pixels = camera.pixels(centres)
    radius = max(1.0, ball_mm * camera.scale_px(centres[0]))
    shadow_px = camera.pixels(_shadow_points(scene, centres))
    rect = around(np.concatenate([pixels, shadow_px]), 2.5 * radius + 2, camera.size)
    if rect.empty:
        return 0.0
    x, y = np.meshgrid(np.arange(rect.x1, rect.x2) + 0.5, np.arange(rect.y1, rect.y2) + 0.5)
    x, y, spots, shadows = (
        part.astype(np.float32) for part in (x, y, pixels[..., None, None], shadow_px[..., None, None])
    )
    patch = scene.canvas[rect.slices]
    off = np.hypot(x - shadows[:, 0], y - shadows[:, 1]) / np.float32(radius)
    patch *= (1 - 0.6 * np.clip(1.35 - off, 0, 0.9).mean(0))[..., None]
    dx, dy = (x - spots[:, 0]) / np.float32(radius), (y - spots[:, 1]) / np.float32(radius)
    beyond = np.hypot(dx, dy)
    depths = ((centres - camera.centre) @ camera.axes[2]).astype(np.float32)
    free = scene.seen.depth[rect.slices][None] > depths[:, None, None] - 0.35 * ball_mm
    cover = np.clip((1 - beyond) * np.float32(radius) + 0.5, 0, 1) * free
    falling = scene.light_at(pixels.mean(0))
    matt, shine = _sphere(scene, dx, dy, beyond)
    light = (cover * matt).mean(0)[..., None] * shade(scene.look.ball, falling)
    light += (cover * shine).mean(0)[..., None] * falling
    patch += light - patch * cover.mean(0)[..., None]
    scene.touched(rect)
    return float(min(1.0, cover.sum() / (np.pi * radius**2 * len(centres))))


def _sphere(scene: WheelScene, dx: Floats, dy: Floats, beyond: Floats) -> tuple[Floats, Floats]:
    """Matt and mirrored light over a ball's disc."""
    up = np.sqrt(np.clip(1 - beyond**2, 0, 1))
    # The lens's axis looks down, so a lamp overhead is at negative depth.
    lamp = (scene.camera.axes @ scene.lamp()).astype(np.float32)
    facing = np.clip(dx * lamp[0] + dy * lamp[1] - up * lamp[2], 0, 1)
    matt = 0.5 + 0.8 * facing
    half = np.array([lamp[0], lamp[1], lamp[2] - 1], np.float32)
    half /= np.linalg.norm(half)
    shine = 2.0 * np.clip(dx * half[0] + dy * half[1] - up * half[2], 0, 1) ** 40
    return matt, shine


def _shadow_points(scene: WheelScene, centres: Array) -> Array:
    """Where the strongest lamp throws the ball's shadow."""
    lamp = scene.lamp()
    radius = np.hypot(centres[:, 0], centres[:, 1])
    floor = np.array([scene.shape.height_mm(float(r)) for r in radius])
    over = np.clip(centres[:, 2] - floor, 0, 400)[:, None]
    return np.asarray(centres - over * lamp / max(float(lamp[2]), 0.3))


def draw_arms(scene: WheelScene, zero: float) -> None:
    """The handles of the turret, with knobs."""
    shape, camera = scene.shape, scene.camera
    if not shape.arms:
        return
    height = shape.turret_mm * 0.7
    angles = [zero + 0.3 + 2 * np.pi * n / shape.arms for n in range(shape.arms)]
    ends = camera.pixels(np.array([place(58, angle, height) for angle in angles]))
    roots = camera.pixels(np.array([place(8, angle, height + 6) for angle in angles]))
    scale = camera.scale_px(place(0, 0, height))
    rect = around(np.concatenate([ends, roots]), 14 * scale + 2, camera.size)
    if rect.empty:
        return
    patch = scene.canvas[rect.slices]
    metal = linear(scene.look.metal)
    falling = scene.light_at(camera.pixels(place(70, 0.0, 0.0))[0])
    cover, level = np.zeros((2, *patch.shape[:2]), np.uint8)
    strokes = ((cover, 9.0, 255, 0.0), (level, 9.0, 50, 0.0), (level, 5.0, 110, -0.8), (level, 1.6, 255, -1.6))
    for layer, thick_mm, brightness, lift in strokes:
        for root, end in zip(roots, ends, strict=True):
            a, b = (((point - (rect.x1, rect.y1) + lift * scale) * 16).astype(int).tolist() for point in (root, end))
            cv2.line(layer, a, b, brightness, max(1, round(thick_mm * scale)), cv2.LINE_AA, 4)
            cv2.circle(layer, b, int(thick_mm * 1.1 * scale * 16), brightness, -1, cv2.LINE_AA, 4)
    lit = (level * np.float32(1.5 / 255))[..., None] * (metal * falling)
    patch += (cover * np.float32(1 / 255))[..., None] * (lit - patch)
    scene.touched(rect)


def draw_foreign(scene: WheelScene, thing: Foreign, radius: float, angle: float, height: float) -> None:
    """A chip or coin lying flat, or falling."""
    camera = scene.camera
    centre = place(radius, angle, height)
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    rim = np.stack([np.cos(turns), np.sin(turns), np.zeros_like(turns)], 1) * thing.radius_mm
    top = camera.pixels(centre + rim + np.array([0, 0, 3.3]))
    base = camera.pixels(centre + rim)
    rect = around(np.concatenate([top, base]), 3, camera.size)
    if rect.empty:
        return
    patch = scene.canvas[rect.slices]
    falling = scene.light_at(top.mean(0))
    corner = np.array([rect.x1, rect.y1])
    colour = shade(thing.colour, falling)
    _fill(patch, base - corner, colour * 0.4)
    _fill(patch, top - corner, colour)
    middle = top.mean(0)
    if thing.kind == "chip":
        for spot in range(6):
            wedge = top[spot * 8 : spot * 8 + 4]
            inner = middle + 0.72 * (wedge[::-1] - middle)
            _fill(patch, np.concatenate([wedge, inner]) - corner, falling * 0.75)
    _fill(patch, middle + 0.5 * (top - middle) - corner, colour * 1.3)
    scene.touched(rect)


def _fill(patch: Floats, outline: Array, colour: Floats) -> None:
    """A smooth-edged polygon on the canvas."""
    mask = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, (outline * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    share = mask[..., None].astype(np.float32) / 255
    patch += share * (colour - patch)
