"""Light on the wheel's standing surface: what falls on each pixel's place, and what it mirrors towards the camera.

The body is turned, so none of this moves while the rotor spins: it is worked out once per camera and look.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.casino.wheel_camera import Sight, WheelCamera
from datasets.casino.wheel_looks import Lamp, Look
from datasets.casino.wheel_shape import Floats, WheelShape


@dataclass(frozen=True, slots=True, kw_only=True)
class Lighting:
    """Per pixel, linear: light falling in, light mirrored by lacquer, light that a radial edge of metal throws."""

    falling: Floats
    mirrored: Floats
    glint: Floats


def lamp_direction(lamp: Lamp) -> npt.NDArray[np.float64]:
    """From the wheel to the lamp."""
    side, down = np.radians(lamp.side_deg), np.radians(lamp.down_deg)
    return np.array([np.sin(side) * np.sin(down), -np.cos(side) * np.sin(down), np.cos(down)])


def normals(shape: WheelShape, seen: Sight, bump_r: Floats | None = None, bump_t: Floats | None = None) -> Floats:
    """Unit normals (h, w, 3) of the turned surface, tipped by bumps (rise per mm outwards and clockwise) on it."""
    slopes = np.gradient(shape.profile[1], shape.profile[0]).astype(np.float32)
    radius = np.maximum(seen.radius, 1e-3)
    slope = slopes[np.minimum((radius * 2).astype(np.int32), len(slopes) - 1)]
    out_x, out_y = seen.x / radius, seen.y / radius
    rise_r = slope if bump_r is None else slope + bump_r
    normal = np.stack([-rise_r * out_x, -rise_r * out_y, np.ones_like(radius)], axis=2)
    if bump_t is not None:
        normal[..., 0] -= bump_t * -out_y
        normal[..., 1] -= bump_t * out_x
    return np.asarray(normal / np.linalg.norm(normal, axis=2, keepdims=True))


def light(camera: WheelCamera, shape: WheelShape, look: Look, seen: Sight, normal: Floats) -> Lighting:
    """All lamps and the room's own light."""
    eye = camera.centre.astype(np.float32) - np.stack([seen.x, seen.y, seen.z], axis=2)
    eye /= np.linalg.norm(eye, axis=2, keepdims=True)
    facing = np.clip((eye * normal).sum(2), 0, 1)
    mirror = 2 * facing[..., None] * normal - eye
    fresnel = 0.04 + 0.5 * (1 - facing) ** 4
    occluded = _occlusion(shape, seen)
    falling = np.repeat((look.ambient * occluded * (0.5 + 0.5 * normal[..., 2]))[..., None], 3, axis=2)
    mirrored = (0.10 * look.ambient * np.clip(mirror[..., 2], 0, 1))[..., None].repeat(3, axis=2) * fresnel[..., None]
    glint = 0.35 * falling
    radius = np.maximum(seen.radius, 1e-3)
    radial = np.stack([seen.x / radius, seen.y / radius, np.zeros_like(radius)], axis=2)
    for lamp in look.lamps:
        towards = lamp_direction(lamp).astype(np.float32)
        tint = np.array(lamp.tint, np.float32) * lamp.power
        lit = _unshadowed(shape, seen, towards)
        falling += (np.clip(normal @ towards, 0, 1) * lit)[..., None] * tint
        edge = np.cos(np.radians(lamp.wide_deg))
        blur = 0.012 + 0.05 * (1 - look.gloss)
        lobe = np.clip((mirror @ towards - edge + blur) / (2 * blur), 0, 1)
        halo = np.clip(mirror @ towards, 0, 1) ** 24
        strength = look.gloss * (12.0 * lobe * lobe * (3 - 2 * lobe) + 0.5 * halo) * fresnel * lit
        mirrored += strength[..., None] * tint
        half = eye + towards
        half /= np.linalg.norm(half, axis=2, keepdims=True)
        thrown = np.clip(1 - (half * radial).sum(2) ** 2, 0, 1) ** 40
        glint += (1.1 * thrown * (0.35 + 0.65 * lit))[..., None] * tint
    gain = np.float32(look.exposure) * np.array(look.tint, np.float32)  # the camera's, once for all
    return Lighting(falling=falling * gain, mirrored=mirrored * gain, glint=glint * gain)


def _occlusion(shape: WheelShape, seen: Sight) -> Floats:
    """How much of the room's light reaches down: little at the bottom of pockets and beside walls."""
    around = cv2.blur(shape.profile[1].astype(np.float32)[None], (81, 1))[0]
    depth = around - shape.profile[1].astype(np.float32)
    open_ = np.clip(1 - depth / 45, 0.35, 1.1).astype(np.float32)
    return np.asarray(open_[np.minimum((seen.radius * 2).astype(np.int32), len(open_) - 1)])


def _unshadowed(shape: WheelShape, seen: Sight, towards: Floats) -> Floats:
    """Soft shadows of rim and turret: march towards the lamp and see how far the body rises over the way there."""
    coarse = max(1, round((seen.x.size / 120_000) ** 0.5))  # shadows are soft: a coarse grid of pixels will do
    seen_x, seen_y, seen_z = (part[::coarse, ::coarse] for part in (seen.x, seen.y, seen.z))
    lit = np.ones_like(seen_x)
    for reach in np.geomspace(4, 260, 18).astype(np.float32):
        x, y = seen_x + reach * towards[0], seen_y + reach * towards[1]
        over = seen_z + 1.5 + reach * towards[2] - shape.heights(np.hypot(x, y))
        lit = np.minimum(lit, np.clip(0.5 + over / (0.10 * reach + 2), 0.12, 1))
    return cv2.resize(cv2.GaussianBlur(lit, (0, 0), 1.0), seen.x.shape[::-1])
