"""The signs of the suits as many decks print them: drawn in endless shapes, or taken from a typeface."""

import cv2
import numpy as np
from numpy.random import Generator

from datasets.typefaces import draw_text, one_of_families, sign_fonts, trimmed
from vision.seen import Image

_SIGNS = {"s": "\u2660", "c": "\u2663", "h": "\u2665", "d": "\u2666"}
_OF_A_TYPEFACE = 0.3  # share of the decks whose pips are a typeface's
_HOLLOW = 0.05  # share of the decks whose pips are outlines
_SHADED = 0.15  # share of the decks whose pips are paler towards one end, as if lit
_BIG_PX = 160


def draw_pip(suit: str, height_px: int, pip_seed: int) -> Image:
    """A mask of a suit pip, one of endlessly many shapes; the same seed draws the same deck's pips."""
    rng = np.random.default_rng(pip_seed)
    draw, typefaces = rng.random(), sign_fonts()
    if draw < _OF_A_TYPEFACE and typefaces:
        pip = draw_text(_SIGNS[suit], one_of_families(typefaces, rng), _BIG_PX)
        pip = pip if pip.size else _shaped(suit, rng)  # not all that a typeface says it holds can be drawn
    else:
        pip = _shaped(suit, rng)
    if draw > 1 - _HOLLOW:
        pip = _outlined(pip, rng)
    if rng.random() < _SHADED:
        shade = np.linspace(rng.uniform(0.3, 0.8), 1.0, pip.shape[0])[:: rng.choice([1, 1, -1]), None]
        pip = np.asarray(pip * shade, np.uint8)
    width_px = max(2, round(pip.shape[1] * height_px / pip.shape[0] * rng.uniform(0.75, 1.15)))
    return np.asarray(cv2.resize(pip, (width_px, max(2, height_px)), interpolation=cv2.INTER_AREA), np.uint8)


def _shaped(suit: str, rng: Generator) -> Image:
    canvas = np.zeros((_BIG_PX + 80, _BIG_PX + 80), np.uint8)
    outline = {"h": _heart, "d": _diamond, "s": _spade, "c": _club}[suit]
    for part in outline(rng):
        corners = (part * _BIG_PX / 2 * 16 + (_BIG_PX / 2 + 40) * 16).astype(np.int32)
        cv2.fillPoly(canvas, [corners], (255,), cv2.LINE_AA, 4)
    return trimmed(canvas)


def _outlined(pip: Image, rng: Generator) -> Image:
    """The rim of a pip alone."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (int(rng.integers(17, 35)),) * 2)
    padded = cv2.copyMakeBorder(pip, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    return np.asarray(padded - cv2.erode(padded, kernel), np.uint8)


def _heart(rng: Generator) -> list[np.ndarray]:
    t = np.linspace(0, 2 * np.pi, 60)
    sharp, drop = rng.uniform(2.4, 3.4), rng.uniform(0.7, 1.15)
    x = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** sharp
    y = -(13 * np.cos(t) - rng.uniform(4, 6) * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 16
    return [np.stack([x * rng.uniform(0.85, 1.0), np.where(y > 0, y * drop, y)], axis=1)]


def _diamond(rng: Generator) -> list[np.ndarray]:
    t = np.linspace(0, 2 * np.pi, 80)
    power = rng.uniform(1.7, 2.5)  # two is straight sides, more is hollow ones
    x, y = np.cos(t), np.sin(t)
    return [
        np.stack([np.sign(x) * np.abs(x) ** power * rng.uniform(0.68, 1.0), np.sign(y) * np.abs(y) ** power], axis=1)
    ]


def _spade(rng: Generator) -> list[np.ndarray]:
    leaf = (_heart(rng)[0] if rng.random() < 0.5 else _drop(rng)) * (1, -1)
    return [leaf * (rng.uniform(0.75, 1.05), rng.uniform(0.75, 0.9)) - (0, 0.12), _stem(rng)]


def _drop(rng: Generator) -> np.ndarray:
    """A heart of two swung lines: from its point out to the side, and round into the notch."""
    t = np.linspace(0, 1, 16)[:, None]
    side, notch = np.array([rng.uniform(0.75, 1.0), rng.uniform(-0.5, -0.15)]), np.array([0, rng.uniform(-0.65, -0.35)])
    belly, top = (rng.uniform(0.15, 0.7), rng.uniform(0.15, 0.5)), rng.uniform(-1.05, -0.8)
    swung = (1 - t) ** 2 * (0, 1.0) + 2 * t * (1 - t) * belly + t**2 * side
    round_over = ((1 - t) ** 3 * side + 3 * t * (1 - t) ** 2 * (side[0] * 1.05, top) + 3 * t**2 * (1 - t) * (0.1, top)
                  + t**3 * notch)  # fmt: skip
    half = np.concatenate([swung, round_over])
    return np.concatenate([half, half[::-1] * (-1, 1)])


def _club(rng: Generator) -> list[np.ndarray]:
    t = np.linspace(0, 2 * np.pi, 40)
    radius, low = rng.uniform(0.22, 0.5), rng.uniform(0.0, 0.32)  # small leaves make a slim club, all but a spade
    spread = max(radius * rng.uniform(1.05, 1.7), 0.36)
    ring = np.stack([np.cos(t) * rng.uniform(0.85, 1.15), np.sin(t)], axis=1) * radius
    middle = np.array([[-spread, low], [0, -0.5], [spread, low], [0, low + 0.1]]) * rng.uniform(0.5, 0.9)
    head = ring * rng.uniform(0.85, 1.15) + np.array([0, rng.uniform(-0.7, -0.42)])
    return [head, *(ring + np.array([side, low]) for side in (-spread, spread)), middle, _stem(rng)]


def _stem(rng: Generator) -> np.ndarray:
    """Flared, a wedge, or a plain bar."""
    waist, curve = rng.uniform(0.03, 0.12), rng.uniform(1, 6)
    foot = rng.choice([0.05, 0.25, 0.5]) * rng.uniform(0.6, 1.1)
    y = np.linspace(0, rng.uniform(0.85, 1.0), 12)
    x = waist + foot * (y / y[-1]) ** curve
    return np.concatenate([np.stack([x, y], 1), np.stack([-x, y], 1)[::-1]])
