"""Backs of cards by lot: lattices, rosettes, stripes, words, pictures or nothing, in any colours, framed or not.

Real backs differ more than anything else about cards, so that an eye must not learn patterns but what a card is.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.backdrops import random_backdrop
from datasets.pip_art import draw_pip
from datasets.typefaces import draw_text, random_font
from vision.seen import Image

Floats = NDArray[np.float32]
_USUAL_INKS = np.array([[40, 30, 170], [140, 60, 20], [30, 30, 30], [60, 110, 30], [110, 30, 90], [40, 90, 200]])
_WORDS = ("CASINO", "Royal", "ACE", "CLUB 7", "fairdeal", "GRAND", "No. 808", "LUCKY", "M", "Palace", "100% PLASTIC")


def random_back_art(rng: Generator, width: int, height: int) -> Image:
    """The back of a card, mostly the same both ways round."""
    paper, ink = _colours(rng)
    y, x = np.mgrid[-1 : 1 : height * 1j, -width / height : width / height : width * 1j].astype(np.float32)
    if rng.random() < 0.1:
        picture = np.asarray(cv2.resize(random_backdrop(height, rng), (width, height)), np.float32)
    else:
        picture = _printed(_PATTERNS[rng.integers(len(_PATTERNS))](rng, x, y), paper, ink)
    if rng.random() < 0.4:
        _put_emblem(picture, rng, paper, ink)
    if rng.random() < 0.85:
        picture[height - height // 2 :] = picture[: height // 2][::-1, ::-1]
    if rng.random() < 0.75:
        _frame(picture, rng, paper, ink)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _colours(rng: Generator) -> tuple[Floats, Floats]:
    """Mostly one of the usual inks on white paper, sometimes light on dark, sometimes any two."""
    draw = rng.random()
    if draw < 0.2:
        paper, ink = rng.uniform(0, 255, (2, 3))
    elif draw < 0.35:
        paper, ink = rng.uniform(0, 60, 3), rng.uniform(20, 255, 3)
    else:
        paper, ink = np.full(3, rng.uniform(200, 255)), _USUAL_INKS[rng.integers(6)] + rng.uniform(-25, 45, 3)
    return paper.astype(np.float32), ink.astype(np.float32)


def _printed(share: Floats, paper: Floats, ink: Floats) -> Floats:
    return np.asarray(paper * (1 - share[..., None]) + ink * share[..., None], np.float32)


# ---- patterns: how much ink lies where, x and y in halves of the card's height ---------------------------------------


def _waves(rng: Generator, x: Floats, y: Floats) -> Floats:
    """Ornaments: waves of several directions and rings, one upon the other."""
    wave = np.zeros_like(x)
    for _ in range(int(rng.integers(1, 5))):
        fx, fy, phase = rng.uniform(3, 60), rng.uniform(3, 60), rng.uniform(0, 6)
        match rng.integers(3):
            case 0:
                wave += np.cos(fx * np.hypot(x, y) + phase)
            case 1:
                wave += np.cos(fx * np.abs(x)) * np.cos(fy * np.abs(y))
            case _:
                wave += np.cos(fx * np.abs(x) + fy * np.abs(y))
    return _sharpened(wave + rng.uniform(-1, 1), rng)


def _lattice(rng: Generator, x: Floats, y: Floats) -> Floats:
    """Lines that cross, aslant or upright: diamonds, checks, a weave."""
    turn, often, thin = rng.uniform(0, np.pi / 2), rng.uniform(12, 70), rng.uniform(0.1, 0.7)
    along, across = x * np.cos(turn) + y * np.sin(turn), x * np.cos(turn) - y * np.sin(turn)
    lines = np.minimum(np.abs(np.sin(often * along)), np.abs(np.sin(often * across)))
    return _sharpened((lines - thin) * rng.choice([-3, 3]), rng)


def _rosette(rng: Generator, x: Floats, y: Floats) -> Floats:
    """Petals about the middle, or about the middles of both halves."""
    middle = rng.choice([0.0, 0.45])
    radius, angle = np.hypot(x, np.abs(y) - middle), np.arctan2(np.abs(y) - middle, x)
    petals = np.sin(radius * rng.uniform(8, 40) + rng.uniform(0.5, 3) * np.sin(int(rng.integers(3, 16)) * angle))
    return _sharpened(petals + rng.uniform(-0.6, 0.6), rng)


def _stripes(rng: Generator, x: Floats, y: Floats) -> Floats:
    turn, often = rng.uniform(0, np.pi), rng.uniform(6, 80)
    return _sharpened(np.sin(often * (x * np.cos(turn) + y * np.sin(turn))) + rng.uniform(-0.6, 0.6), rng)


def _dots(rng: Generator, x: Floats, y: Floats) -> Floats:
    apart = rng.uniform(0.05, 0.25)
    shifted = x + (np.floor(y / apart) % 2) * apart / 2 * rng.integers(2)
    away = np.hypot(shifted % apart - apart / 2, y % apart - apart / 2) / apart
    return _sharpened((rng.uniform(0.15, 0.42) - away) * 6, rng)


def _plain(rng: Generator, x: Floats, y: Floats) -> Floats:
    """One colour, or one that fades to another."""
    fade = rng.choice([0.0, 0.0, rng.uniform(-0.5, 0.5)])
    return np.asarray(np.clip(1 - np.abs(y) * fade, 0, 1), np.float32)


def _words(rng: Generator, x: Floats, y: Floats) -> Floats:
    """A word or a sign again and again, row upon row."""
    height, width = x.shape
    high = int(rng.uniform(0.04, 0.16) * height)
    mask = _sign(rng, max(high, 8))
    gap = int(high * rng.uniform(0.3, 1.2))
    share = np.zeros((height, width), np.float32)
    for number, top in enumerate(range(0, height - mask.shape[0], mask.shape[0] + gap)):
        for left in range(number % 2 * -mask.shape[1] // 2, width, mask.shape[1] + gap):
            part = mask[:, max(0, -left) : width - left]
            share[top : top + mask.shape[0], max(0, left) : max(0, left) + part.shape[1]] = part / 255
    return share if rng.random() < 0.5 else 1 - share


_PATTERNS: tuple[Callable[[Generator, Floats, Floats], Floats], ...] = (
    _waves, _waves, _lattice, _lattice, _rosette, _stripes, _dots, _plain, _words,
)  # fmt: skip


def _sharpened(wave: Floats, rng: Generator) -> Floats:
    """From soft shades to hard edges."""
    return np.asarray(np.clip(wave * rng.uniform(0.6, 6) + 0.5, 0, 1), np.float32)


# ---- what is printed over the pattern --------------------------------------------------------------------------------


def _sign(rng: Generator, height: int) -> Image:
    if rng.random() < 0.4:
        return draw_pip(str(rng.choice(list("cdhs"))), height, int(rng.integers(1 << 30)))
    return draw_text(str(rng.choice(_WORDS)), random_font(rng), height)


def _put_emblem(picture: Floats, rng: Generator, paper: Floats, ink: Floats) -> None:
    """A medallion or a word, in the middle or in each half."""
    height, width = picture.shape[:2]
    middle = (width // 2, int(height * rng.choice([0.5, 0.27])))
    ground, print_ink = (paper, ink) if rng.random() < 0.5 else (ink, paper)
    axes = (rng.uniform(0.15, 0.42, 2) * width).astype(int).tolist()
    if rng.random() < 0.7:
        cv2.ellipse(picture, middle, axes, 0, 0, 360, ground.tolist(), -1, cv2.LINE_AA)
    mask = _sign(rng, int(width * rng.uniform(0.12, 0.4)))
    mask = mask[:, : width - 4]
    top, left = max(0, middle[1] - mask.shape[0] // 2), middle[0] - mask.shape[1] // 2
    there = picture[top : top + mask.shape[0], left : left + mask.shape[1]]
    share = mask[: there.shape[0], :, None].astype(np.float32) / 255
    there[:] = there * (1 - share) + print_ink * share


def _frame(picture: Floats, rng: Generator, paper: Floats, ink: Floats) -> None:
    """A border of paper, rarely of ink; often with a line within."""
    height, width = picture.shape[:2]
    border = int(height * rng.uniform(0.015, 0.08))
    colour = (paper if rng.random() < 0.85 else ink).tolist()
    cv2.rectangle(picture, (0, 0), (width - 1, height - 1), colour, 2 * border)
    if rng.random() < 0.5:
        inset = border + int(height * rng.uniform(0.0, 0.04))
        line = (ink if rng.random() < 0.7 else paper).tolist()
        cv2.rectangle(picture, (inset, inset), (width - 1 - inset, height - 1 - inset), line, int(rng.integers(1, 6)))
