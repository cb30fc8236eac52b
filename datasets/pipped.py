"""Dice and tiles of any make: what they look like is drawn by lot, then traced (`datasets.traced_bodies`).

Nothing is shared with the rendered casino, so that an eye taught on these and measured there is measured on something
new.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from datasets.object_looks import TILE_PIPS
from datasets.traced_bodies import Body, Floats, Pip, Sprite, traced
from vision.seen import UNREAD

DieLook = Literal["any", "white", "casino"]
"""Any die; white ones with black pips; red clear ones with sharp edges and white pips."""
_INKS = ((235.0, 238.0, 240.0), (22.0, 20.0, 20.0), (40.0, 34.0, 196.0), (60.0, 200.0, 225.0), (60.0, 160.0, 205.0))
_WHITE_INK, _BLACK_INK, _RED_INK = range(3)
_DIE_PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)), 6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}  # fmt: skip
_UNLIKE_BODY = 70.0
_SMOKY = 0.15  # share of the dice whose dark clear body shows its pips by little but their colour
_TILE_HALF = (0.4, 1.0, 0.16)


def random_die(
    rng: np.random.Generator, side_px: int = 72, low_deg: float = 25.0, high_deg: float = 90.0, look: DieLook = "any"
) -> Sprite:
    """A die with pips, seen from anywhere above."""
    face = int(rng.integers(1, 7))
    body = _looking(_die(rng, face), look, rng)
    return traced(body, str(face), rng, side_px, float(rng.uniform(low_deg, high_deg)))


def random_tile(rng: np.random.Generator, side_px: int = 100, low_deg: float = 30.0) -> Sprite:
    """A pai gow tile, face up or (one in eight) its back."""
    name = UNREAD if rng.random() < 0.12 else str(rng.choice(list(TILE_PIPS)))
    return traced(_tile(rng, name), name, rng, side_px, float(rng.uniform(low_deg, 90)))


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
