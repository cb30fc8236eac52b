"""Textures of the room: the printed felt, its weave, leather and carpet."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from datasets.casino.lettering import letters, stamp
from vision.plan import Plan, Text

Picture = npt.NDArray[np.uint8]
Field = npt.NDArray[np.float32]
Colour = tuple[int, int, int]
FELT_PX_PER_MM = 2.0
FELT_MARGIN_MM = 20.0

INKS: dict[str, Colour] = {  # BGR of the colours that plans name
    "white": (225, 232, 235), "yellow": (70, 200, 240), "gold": (80, 175, 215), "red": (40, 36, 190),
    "black": (34, 30, 30), "green": (60, 120, 40), "blue": (150, 80, 40), "grey": (150, 150, 150),
    "orange": (50, 130, 235),
}  # fmt: skip


def noise(rng: np.random.Generator, size: tuple[int, int], scale_px: float) -> Field:
    """Soft noise of mean 0 and deviation 1; `scale_px` is the size of its blobs."""
    height, width = size
    small = rng.normal(0, 1, (max(2, round(height / scale_px) + 2), max(2, round(width / scale_px) + 2))).astype(
        np.float32
    )
    field = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)
    return np.asarray((field - field.mean()) / max(float(field.std()), 1e-6), np.float32)


def felt(plan: Plan, ground: Colour, seed: int) -> tuple[Picture, tuple[float, float, float, float]]:
    """The felt with its print (BGRA, alpha 0 outside it), and the left, top, right, bottom it covers (mm)."""
    left, top, right, bottom = plan.bounds()
    left, top, right, bottom = (
        left - FELT_MARGIN_MM,
        top - FELT_MARGIN_MM,
        right + FELT_MARGIN_MM,
        bottom + FELT_MARGIN_MM,
    )
    size = round((bottom - top) * FELT_PX_PER_MM), round((right - left) * FELT_PX_PER_MM)
    picture = np.empty((*size, 3), np.uint8)
    picture[:] = ground
    for mark in plan.marks:
        if isinstance(mark, Text):
            _print_text(picture, mark, (left, top))
            continue
        path = (np.asarray(mark.path()) - [left, top]) * FELT_PX_PER_MM
        points = [np.round(path * 16).astype(np.int32)]
        if mark.fill:
            cv2.fillPoly(picture, points, INKS[mark.fill], cv2.LINE_AA, 4)
        cv2.polylines(
            picture, points, False, INKS[mark.colour], max(1, round(mark.width * FELT_PX_PER_MM)), cv2.LINE_AA, 4
        )
    rng = np.random.default_rng(seed)
    printed = _worn(picture, ground, rng)
    inside = np.zeros(size, np.uint8)
    outline = (np.asarray(plan.felt) - [left, top]) * FELT_PX_PER_MM
    cv2.fillPoly(inside, [np.round(outline).astype(np.int32)], 255)
    cv2.polylines(inside, [np.round(outline).astype(np.int32)], True, 255, 41)  # it runs on below the rail
    return np.asarray(cv2.merge([printed, inside]), np.uint8), (left, top, right, bottom)


def _worn(picture: Picture, ground: Colour, rng: np.random.Generator) -> Picture:
    """Cloth that was brushed by sleeves for months: its nap lies this way and that, its print has faded unevenly."""
    height, width = picture.shape[0] // 4, picture.shape[1] // 4
    nap = 128 + 5.0 * noise(rng, (height, width), 110) + 3.2 * noise(rng, (height, width), 34)
    streaks = noise(rng, (height, max(2, width // 9)), 7)  # wiped along the table more than across it
    nap += 2.2 * np.asarray(cv2.resize(streaks, (width, height), interpolation=cv2.INTER_CUBIC))
    nap += 1.6 * noise(rng, (height, width), 10)
    faded = 232 + 12 * noise(rng, (height, width), 26)
    nap_px, left_px = (
        cv2.merge([cv2.resize(np.clip(each, 0, 255).astype(np.uint8), picture.shape[1::-1])] * 3)
        for each in (nap, faded)
    )
    bare = np.empty_like(picture)
    bare[:] = ground
    kept = cv2.add(cv2.multiply(picture, left_px, scale=1 / 255), cv2.multiply(bare, 255 - left_px, scale=1 / 255))
    return np.asarray(cv2.multiply(kept, nap_px, scale=1 / 128), np.uint8)


def _print_text(picture: Picture, mark: Text, origin: tuple[float, float]) -> None:
    height_px = mark.height * FELT_PX_PER_MM
    mask = letters(mark.text, "sans", 620)
    scale = height_px / letters("H", "sans", 620).shape[0]
    size = max(1, round(mask.shape[1] * scale)), max(1, round(mask.shape[0] * scale))
    small = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)
    centre = (mark.at[0] - origin[0]) * FELT_PX_PER_MM, (mark.at[1] - origin[1]) * FELT_PX_PER_MM
    stamp(picture, small, centre, INKS[mark.colour], mark.yaw)


def weave(seed: int, size_px: int = 256) -> Picture:
    """A tile of cloth: grey around 128, threads crossing, a little fuzz; repeats without a seam."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:size_px, 0:size_px].astype(np.float32) * (2 * np.pi / size_px)
    threads = np.sin(x * 64) * np.sin(y * 64) + 0.5 * np.sin((x + y) * 32)
    fuzz = cv2.GaussianBlur(np.tile(rng.normal(0, 1, (size_px, size_px)).astype(np.float32), (3, 3)), (0, 0), 1.3)
    fuzz = fuzz[size_px : 2 * size_px, size_px : 2 * size_px]
    field = 9 * threads + 22 * fuzz / fuzz.std() * 0.6
    return np.asarray(np.clip(128 + field, 0, 255), np.uint8)


def leather(seed: int) -> Picture:
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (256, 256)).astype(np.float32), (0, 0), 2.0)
    field = 205 + 9 * grain / grain.std() + 7 * noise(rng, (256, 256), 60)
    return np.repeat(np.clip(field, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def carpet(ground: Colour, seed: int, size_px: int = 512) -> Picture:
    """A casino carpet: dark, with rosettes in rows that are shifted by half, repeating without a seam."""
    rng = np.random.default_rng(seed)
    rows, petals = int(rng.choice([2, 4])), int(rng.integers(4, 9))
    cell = size_px / rows
    y, x = np.mgrid[0:size_px, 0:size_px].astype(np.float32)
    row = np.floor(y / cell)
    x, y = (x / cell + 0.5 * (row % 2)) % 1.0 - 0.5, (y / cell) % 1.0 - 0.5
    out, turn = 2 * np.hypot(x, y), np.arctan2(y, x)
    wave = 1 + 0.22 * np.cos(petals * turn)
    flower = (out < 0.62 * wave).astype(np.float32) - (out < 0.50 * wave) + (out < 0.36 / wave)
    vine = (np.abs(np.sin(2 * np.pi * (x + 0.16 * np.sin(2 * np.pi * y))) - 0.2) < 0.12) * (out > 0.72)
    own = np.asarray(ground, np.float32)
    ink = 0.55 * own + 0.45 * own.mean() * rng.uniform(0.7, 1.9, 3)  # related to the ground, as dyers choose them
    picture = own * 0.9 + (ink * 1.45 - own * 0.9) * flower[..., None] + (ink - own) * 0.8 * vine[..., None]
    picture *= 1 + 0.10 * noise(rng, (size_px, size_px), 6)[..., None]  # the pile lies this way and that
    soft = cv2.GaussianBlur(np.tile(picture.astype(np.float32), (3, 3, 1)), (0, 0), 1.6)
    return np.asarray(np.clip(soft[size_px : 2 * size_px, size_px : 2 * size_px], 0, 255), np.uint8)
