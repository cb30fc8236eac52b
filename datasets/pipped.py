"""Dice and tiles by sphere tracing: rounded bodies with pips, gloss, marbling, translucency and a soft shadow.

Each is a small picture with opacity, to be pasted on any ground at any size. Nothing is shared with the rendered
casino, so that an eye taught on these and measured there is measured on something new.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from datasets.object_looks import TILE_PIPS
from vision.seen import UNREAD

Floats = NDArray[np.float32]
DieLook = Literal["any", "white", "casino"]
"""Any die; white ones with black pips; red clear ones with sharp edges and white pips."""
_STEPS = 18
_INKS = ((235.0, 238.0, 240.0), (22.0, 20.0, 20.0), (40.0, 34.0, 196.0), (60.0, 200.0, 225.0), (60.0, 160.0, 205.0))
_WHITE_INK, _BLACK_INK, _RED_INK = range(3)
_DIE_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)), 6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}  # fmt: skip
_UNLIKE_BODY = 70.0
_SMOKY = 0.15  # share of the dice whose dark clear body shows its pips by little but their colour
_TILE_HALF = (0.4, 1.0, 0.16)


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
    gloss: float
    hollow: bool
    pips: tuple[Pip, ...]


def random_die(
    rng: np.random.Generator, side_px: int = 72, low_deg: float = 25.0, high_deg: float = 90.0, look: DieLook = "any"
) -> Sprite:
    """A die with pips, seen from anywhere above."""
    face = int(rng.integers(1, 7))
    body = _looking(_die(rng, face), look, rng)
    return _traced(body, str(face), rng, side_px, float(rng.uniform(low_deg, high_deg)))


def random_tile(rng: np.random.Generator, side_px: int = 100, low_deg: float = 30.0) -> Sprite:
    """A pai gow tile, face up or (one in eight) its back."""
    name = UNREAD if rng.random() < 0.12 else str(rng.choice(list(TILE_PIPS)))
    return _traced(_tile(rng, name), name, rng, side_px, float(rng.uniform(low_deg, 90)))


def _die(rng: np.random.Generator, face: int) -> Body:
    hue = rng.random()
    smoky = rng.random() < _SMOKY
    if smoky:
        bgr = rng.uniform(25, 90) * rng.uniform(0.8, 1.2, 3)
    elif hue < 0.3:
        bgr = np.array([232.0, 238, 240]) * rng.uniform(0.75, 1.05) * rng.uniform((0.8, 0.95, 1.0), 1.0)
    elif hue < 0.45:
        bgr = rng.uniform(12, 55, 3)
    elif hue < 0.65:
        bgr = np.array([35.0, 25, 190]) * rng.uniform(0.6, 1.2) + rng.uniform(0, 25, 3)
    else:
        bgr = rng.uniform(5, 235, 3)
    bright = float(bgr @ (0.11, 0.59, 0.3))
    ink = _BLACK_INK if bright > 150 else _WHITE_INK if bright < 90 else int(rng.integers(2))
    inked = _INKS[ink] if rng.random() < 0.6 and not smoky else _other_ink(rng, bgr.astype(np.float32))
    apart, radius = float(rng.uniform(0.46, 0.62)), float(rng.uniform(0.13, 0.23))
    red_ones = bright > 150 and rng.random() < 0.4
    large_one = float(rng.uniform(1.3, 2.0)) if rng.random() < 0.35 else 1.0
    beside = int(rng.choice([number for number in range(1, 7) if number not in (face, 7 - face)]))
    third = int(rng.choice([number for number in range(1, 7) if number not in (face, 7 - face, beside, 7 - beside)]))
    pips = []
    for axis, number in ((2, face), (0, beside), (1, third)):
        for side, shown in ((1, number), (-1, 7 - number)):
            bgr_pip = _INKS[_RED_INK] if red_ones and shown in (1, 4) else inked
            size = radius * (large_one if shown == 1 else 1.0)
            turn, mirror = bool(rng.integers(2)), int(rng.choice([-1, 1]))
            for x, y in _DIE_PIPS[shown]:
                u, v = (y, x) if turn else (x, y)
                pips.append(Pip(axis=axis, side=side, u=u * apart * mirror, v=v * apart, radius=size, bgr=bgr_pip))
    sharp = rng.random() < 0.35
    return Body(
        half=(1.0, 1.0, 1.0),
        rounding=float(rng.uniform(0.02, 0.08) if sharp else rng.uniform(0.1, 0.4)),
        ball=9.0 if sharp or rng.random() < 0.4 else float(rng.uniform(1.3, 1.6)),
        bgr=bgr.astype(np.float32),
        veins=rng.uniform(0, 220, 3).astype(np.float32),
        marbled=float(rng.uniform(0.2, 1.0)) if rng.random() < 0.3 else 0.0,
        clear=float(rng.uniform(0.1, 0.45)) if smoky or rng.random() < 0.3 else 0.0,
        gloss=float(rng.uniform(0.6 if smoky else 0.0, 1)),
        hollow=bool(rng.random() < 0.08),
        pips=tuple(pips),
    )


def _looking(body: Body, look: DieLook, rng: np.random.Generator) -> Body:
    if look == "any":
        return body
    bgr = np.array([232.0, 238, 240] if look == "white" else [35.0, 25, 190]) * rng.uniform(0.75, 1.05)
    ink = _INKS[_BLACK_INK if look == "white" else _WHITE_INK]
    pips = tuple(replace(pip, bgr=ink) for pip in body.pips)
    plain = replace(body, bgr=bgr.astype(np.float32), marbled=0.0, clear=0.0, hollow=False, pips=pips)
    if look == "white":
        return plain
    return replace(plain, clear=float(rng.uniform(0.1, 0.4)), rounding=float(rng.uniform(0.015, 0.05)), ball=9.0)


def _other_ink(rng: np.random.Generator, bgr: Floats) -> tuple[float, float, float]:
    """Any colour that is not the body's; red on smoke differs from it by little more than one of three colours."""
    while True:
        blue, green, red = _INKS[rng.integers(len(_INKS))] if rng.random() < 0.5 else rng.uniform(10, 240, 3)
        if np.abs(bgr - (blue, green, red)).max() > _UNLIKE_BODY:
            return float(blue), float(green), float(red)


def _tile(rng: np.random.Generator, name: str) -> Body:
    width, length, _ = _TILE_HALF
    radius, pips = float(rng.uniform(0.055, 0.085)), []
    across, along = float(rng.uniform(0.4, 0.6)) * width, float(rng.uniform(0.5, 0.72)) * length / 2
    for end, number in zip((-1, 1), TILE_PIPS.get(name, ()), strict=False):
        lay = _tile_pips(rng, number)
        for place, (x, y) in enumerate(lay):
            red = number in (1, 4) or (name == "teen" and (place % 2 == 0) == (end < 0))
            size = radius * (float(rng.uniform(1.2, 1.7)) if number == 1 else 1.0)
            u, v = end * x * across, end * (length / 2 + y * along)
            bgr = np.array(_INKS[_RED_INK if red else _WHITE_INK]) * rng.uniform(0.8, 1.0)
            pips.append(Pip(axis=2, side=1, u=u, v=v, radius=size, bgr=(float(bgr[0]), float(bgr[1]), float(bgr[2]))))
    body = rng.uniform(14, 60) * rng.uniform(0.85, 1.15, 3)
    return Body(
        half=(width, length, float(rng.uniform(0.8, 1.2)) * _TILE_HALF[2]),
        rounding=float(rng.uniform(0.03, 0.09)),
        ball=9.0,
        bgr=body.astype(np.float32),
        veins=body.astype(np.float32),
        marbled=0.0,
        clear=0.0,
        gloss=float(rng.uniform(0, 1)),
        hollow=False,
        pips=tuple(pips),
    )


def _tile_pips(rng: np.random.Generator, number: int) -> Sequence[tuple[float, float]]:
    """A half of a tile: twos lie across or aslant, threes always aslant."""
    if number == 2 and rng.random() < 0.4:
        return ((-1, 0.0), (1, 0.0)) if rng.random() < 0.5 else ((-1, 0.8), (1, 0.8))
    mirror = -1 if number in (2, 3) and rng.random() < 0.3 else 1
    return [(x * mirror, y) for x, y in _DIE_PIPS[number]]


# ---- tracing -------------------------------------------------------------------------------------------------------


def _distance(at: Floats, body: Body) -> Floats:
    """How far points are from the body's surface, below zero inside."""
    beyond = np.abs(at) - (np.array(body.half, np.float32) - body.rounding)
    outside = np.sqrt((np.maximum(beyond, 0) ** 2).sum(-1))
    box = outside + np.minimum(beyond.max(-1), 0) - body.rounding
    return np.asarray(box if body.ball > 5 else np.maximum(box, np.sqrt((at**2).sum(-1)) - body.ball), np.float32)


def _traced(body: Body, label: str, rng: np.random.Generator, side_px: int, elevation_deg: float) -> Sprite:
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
    colour[close[met]] = _lit(at[met], rays[close[met]], body, lamp, pixel, rng)
    shadow = _shadow(eye, rays, body, lamp, rng)
    solid = hit * (1 - body.clear)
    opacity = solid + (1 - solid) * np.where(hit > 0, 0.0, shadow)
    rows, columns = np.nonzero(hit.reshape(size, size) > 0.5)
    return Sprite(
        colour=np.clip(colour * solid[:, None], 0, 255).reshape(size, size, 3).astype(np.float32),
        opacity=opacity.reshape(size, size).astype(np.float32),
        box=(float(columns.min()), float(rows.min()), float(columns.max() + 1), float(rows.max() + 1)),
        label=label,
        elevation_deg=elevation_deg,
    )


def _lit(at: Floats, rays: Floats, body: Body, lamp: Floats, pixel: float, rng: np.random.Generator) -> Floats:
    """The colour of points on the surface: body, marbling, pips, then light and gloss."""
    small = np.eye(3, dtype=np.float32) * 0.01
    normal = np.stack([_distance(at + step, body) - _distance(at - step, body) for step in small], -1)
    normal /= np.sqrt((normal**2).sum(-1, keepdims=True)) + 1e-6
    colour = np.broadcast_to(body.bgr, at.shape).copy()
    if body.marbled:
        waves = rng.normal(0, 2.2, (3, 3)).astype(np.float32)
        swirl = np.sin(at @ waves[0] + 2 * np.sin(at @ waves[1] + 1.5 * np.sin(at @ waves[2])))
        colour += (body.veins - colour) * (body.marbled * np.clip(swirl * 1.5, 0, 1))[:, None]
    depth = np.abs(at) / np.array(body.half, np.float32)
    facing, sign = depth.argmax(-1), np.sign(at)
    for pip in body.pips:
        others = [axis for axis in range(3) if axis != pip.axis]
        away = np.hypot(at[:, others[0]] - pip.u, at[:, others[1]] - pip.v)
        share = (
            np.clip((pip.radius - away) / pixel + 0.5, 0, 1) * (facing == pip.axis) * (sign[:, pip.axis] == pip.side)
        )
        if body.hollow:
            share = share * (away > pip.radius * 0.55)
        colour += (np.array(pip.bgr, np.float32) - colour) * share[:, None]
        dent = share * 0.35 / pip.radius  # a drilled pip: its near wall turns away from the light
        normal[:, others[0]] -= dent * (at[:, others[0]] - pip.u)
        normal[:, others[1]] -= dent * (at[:, others[1]] - pip.v)
    ambient = float(rng.uniform(0.35, 0.85))
    sheen = float(rng.uniform(8, 90))
    half_way = lamp - rays
    half_way /= np.sqrt((half_way**2).sum(-1, keepdims=True))
    diffuse = ambient + (1 - ambient) * np.maximum(normal @ lamp, 0) * 1.2
    glint = np.maximum((normal * half_way).sum(-1), 0) ** sheen * body.gloss * 255
    rim = (1 - np.abs((normal * rays).sum(-1))) ** 3 * body.gloss * 70
    return np.asarray(colour * diffuse[:, None] + (glint + rim)[:, None], np.float32)


def _shadow(eye: Floats, rays: Floats, body: Body, lamp: Floats, rng: np.random.Generator) -> Floats:
    """How dark the ground is: the light's way up is followed, and what comes close to it takes some away."""
    ground = eye + rays * ((-body.half[2] - eye[2]) / np.minimum(rays[:, 2], -0.05))[:, None]
    soft, strong = float(rng.uniform(2, 12)), float(rng.uniform(0.1, 0.7))
    light = np.ones(len(rays), np.float32)
    for gone in (0.05, 0.2, 0.5, 0.9, 1.4, 2.0):
        away = _distance(ground + lamp * gone, body)
        light = np.minimum(light, np.clip(0.5 + soft * away / gone * 0.5, 0, 1))
    return strong * (1 - light)
