"""Rounded bodies with pips by sphere tracing: marbling, translucency, pips seen through it, gloss and a soft shadow.

Each is a small picture with opacity, to be pasted on any ground at any size.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_STEPS = 18
_FAR_SHOWS = 2.5  # a body so clear that this makes 1 shows the pips on its far side as well as the near ones
_REFRACTION = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprite:
    """A thing on its own: colours weighed by opacity, opacity (with the shadow's), and the box of the thing itself."""

    colour: Floats
    opacity: Floats
    box: tuple[float, float, float, float]
    label: str
    elevation_deg: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pip:
    """A dot: on which face (axis and side), where on it, how large, of what colour."""

    axis: int
    side: int
    u: float
    v: float
    radius: float
    bgr: tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A rounded box, as wide as 2 at most, with its pips and what it is made of."""

    half: tuple[float, float, float]
    rounding: float
    ball: float
    """Radius of the ball that takes the corners off; large for sharp-cornered bodies."""
    bgr: Floats
    veins: Floats
    marbled: float
    clear: float
    """How much of the ground shows through the body, and of the pips on its far side, which hide the ground."""
    gloss: float
    hollow: bool
    pips: tuple[Pip, ...]


def traced(body: Body, label: str, rng: np.random.Generator, side_px: int, elevation_deg: float) -> Sprite:
    """Looks at the body, which lies on a level ground, from a camera that many degrees above it."""
    yaw, lift = rng.uniform(0, 2 * np.pi), np.radians(elevation_deg)
    reach = float(np.hypot(*body.half[:2])) * 1.35
    size = int(side_px * reach / max(body.half[:2]))
    span = np.linspace(-reach, reach, size, dtype=np.float32)
    across, down = np.meshgrid(span, span)
    near = float(rng.uniform(7, 40))  # from where the camera looks, in half widths
    forward = np.array([0, np.cos(lift), -np.sin(lift)], np.float32)
    up = np.array([0, np.sin(lift), np.cos(lift)], np.float32)
    right = np.array([1, 0, 0], np.float32)
    aim = right * across[..., None] - up * down[..., None]
    eye = -forward * near
    rays = aim - eye
    rays /= np.sqrt((rays**2).sum(-1, keepdims=True))
    spin = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]], np.float32)
    rays, eye = (rays @ spin).reshape(-1, 3), (eye @ spin).astype(np.float32)
    lamp = np.array([*rng.normal(0, 0.8, 2), 1.0], np.float32)
    lamp /= np.sqrt((lamp**2).sum())

    pixel = 2 * reach / size
    hit, colour = np.zeros(len(rays), np.float32), np.zeros((len(rays), 3), np.float32)
    close = np.flatnonzero(np.hypot(across, down).ravel() < np.sqrt(np.square(body.half).sum()) * 1.08)
    gone = np.full(len(close), near - 1.8, np.float32)
    for _ in range(_STEPS):
        gone += _distance(eye + rays[close] * gone[:, None], body)
    at = eye + rays[close] * gone[:, None]
    hit[close] = np.clip(1.5 - _distance(at, body) / pixel, 0, 1) * (gone < near + 3)
    met = hit[close] > 0
    through = np.full(len(rays), body.clear, np.float32)
    colour[close[met]], through[close[met]] = _lit(at[met], rays[close[met]], body, lamp, pixel, rng)
    shadow = _shadow(eye, rays, body, lamp, rng)
    solid = hit * (1 - through)
    opacity = solid + (1 - solid) * np.where(hit > 0, 0.0, shadow)
    rows, columns = np.nonzero(hit.reshape(size, size) > 0.5)
    return Sprite(
        colour=np.clip(colour * solid[:, None], 0, 255).reshape(size, size, 3).astype(np.float32),
        opacity=opacity.reshape(size, size).astype(np.float32),
        box=(float(columns.min()), float(rows.min()), float(columns.max() + 1), float(rows.max() + 1)),
        label=label,
        elevation_deg=elevation_deg,
    )


def _distance(at: Floats, body: Body) -> Floats:
    """How far points are from the body's surface, below zero inside."""
    beyond = np.abs(at) - (np.array(body.half, np.float32) - body.rounding)
    outside = np.sqrt((np.maximum(beyond, 0) ** 2).sum(-1))
    box = outside + np.minimum(beyond.max(-1), 0) - body.rounding
    return np.asarray(box if body.ball > 5 else np.maximum(box, np.sqrt((at**2).sum(-1)) - body.ball), np.float32)


def _lit(
    at: Floats, rays: Floats, body: Body, lamp: Floats, pixel: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """The colour of points on the surface (body, marbling, pips, then light and gloss), and how clear they are."""
    small = np.eye(3, dtype=np.float32) * 0.01
    normal = np.stack([_distance(at + step, body) - _distance(at - step, body) for step in small], -1)
    normal /= np.sqrt((normal**2).sum(-1, keepdims=True)) + 1e-6
    colour = np.broadcast_to(body.bgr, at.shape).copy()
    if body.marbled:
        waves = rng.normal(0, 2.2, (3, 3)).astype(np.float32)
        swirl = np.sin(at @ waves[0] + 2 * np.sin(at @ waves[1] + 1.5 * np.sin(at @ waves[2])))
        colour += (body.veins - colour) * (body.marbled * np.clip(swirl * 1.5, 0, 1))[:, None]
    through = np.full(len(at), body.clear, np.float32)
    if body.clear:
        far, shade = _far_side(at, rays, normal, body), float(rng.uniform(0.1, 0.9))
        seen = float(rng.uniform(0.2, 1)) * min(1.0, _FAR_SHOWS * body.clear)
        for pip in body.pips:
            share = seen * _pip_share(far, pip, body, 2 * pixel)
            colour += (np.array(pip.bgr, np.float32) * shade - colour) * share[:, None]
            through *= 1 - share
    for pip in body.pips:
        share = _pip_share(at, pip, body, pixel)
        colour += (np.array(pip.bgr, np.float32) - colour) * share[:, None]
        first, second = _along(pip)
        dent = share * 0.35 / pip.radius  # a drilled pip: its near wall turns away from the light
        normal[:, first] -= dent * (at[:, first] - pip.u)
        normal[:, second] -= dent * (at[:, second] - pip.v)
    ambient = float(rng.uniform(0.35, 0.85))
    sheen = float(rng.uniform(8, 90))
    half_way = lamp - rays
    half_way /= np.sqrt((half_way**2).sum(-1, keepdims=True))
    diffuse = ambient + (1 - ambient) * np.maximum(normal @ lamp, 0) * 1.2
    glint = np.maximum((normal * half_way).sum(-1), 0) ** sheen * body.gloss * 255
    rim = (1 - np.abs((normal * rays).sum(-1))) ** 3 * body.gloss * 70
    return np.asarray(colour * diffuse[:, None] + (glint + rim)[:, None], np.float32), through


def _along(pip: Pip) -> tuple[int, int]:
    """The two axes of a pip's face."""
    first, second = (axis for axis in range(3) if axis != pip.axis)
    return first, second


def _pip_share(at: Floats, pip: Pip, body: Body, pixel: float) -> Floats:
    """How much of the pip each point of the surface shows; its edge is a pixel wide."""
    facing, (first, second) = (np.abs(at) / np.array(body.half, np.float32)).argmax(-1), _along(pip)
    away = np.hypot(at[:, first] - pip.u, at[:, second] - pip.v)
    on_face = (facing == pip.axis) & (np.sign(at[:, pip.axis]) == pip.side)
    share = np.clip((pip.radius - away) / pixel + 0.5, 0, 1) * on_face
    return np.asarray(share * (away > pip.radius * 0.55) if body.hollow else share, np.float32)


def _far_side(at: Floats, rays: Floats, normal: Floats, body: Body) -> Floats:
    """Where rays that enter a clear body, bent as by acrylic glass, leave it: edges are taken for sharp."""
    facing = -(normal * rays).sum(-1, keepdims=True)
    bent = np.sqrt(1 - (1 - facing**2) / _REFRACTION**2)
    inside = rays / _REFRACTION + normal * (facing / _REFRACTION - bent)
    ways = (np.sign(inside) * np.array(body.half, np.float32) - at) / np.where(np.abs(inside) < 1e-4, 1e-4, inside)
    return np.asarray(at + inside * np.abs(ways).min(-1, keepdims=True), np.float32)


def _shadow(eye: Floats, rays: Floats, body: Body, lamp: Floats, rng: np.random.Generator) -> Floats:
    """How dark the ground is: the light's way up is followed, and what comes close to it takes some away."""
    ground = eye + rays * ((-body.half[2] - eye[2]) / np.minimum(rays[:, 2], -0.05))[:, None]
    soft, strong = float(rng.uniform(2, 12)), float(rng.uniform(0.1, 0.7))
    light = np.ones(len(rays), np.float32)
    for gone in (0.05, 0.2, 0.5, 0.9, 1.4, 2.0):
        away = _distance(ground + lamp * gone, body)
        light = np.minimum(light, np.clip(0.5 + soft * away / gone * 0.5, 0, 1))
    return strong * (1 - light)
