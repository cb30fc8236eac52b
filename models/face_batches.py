"""What the reader of dice and tiles is taught on: squares of real and rendered pictures, sprites on any ground."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from datasets.backdrops import random_backdrop
from datasets.pipped import Sprite
from datasets.sprites import paste
from models.object_batches import SIDE_PX, Sources, corners, taught
from vision.object_faces import FACES, NOTHING, face_square
from vision.seen import Box, Image

_OFTEN = {"real dice": 0.3, "dice": 0.25, "tiles": 0.27, "rendered": 0.1, "nothing": 0.08}
_DIE_PX, _TILE_PX = (11.0, 90.0), (24.0, 130.0)
_SPREAD = 0.045  # of a box's side, by which a detector's box is off


@dataclass(slots=True)
class Squares:
    """Squares and their faces, as the detector would give them."""

    sources: Sources
    real: list[tuple[Image, Box, str]]
    rendered: list[tuple[Image, Box, str]]

    @classmethod
    def gathered(cls, real: Path, kept: Path, seed: int) -> "Squares":
        sources = Sources.gathered(real, kept, seed)
        dice = [
            (image, _box(box), str(int(row[0]) + 1))
            for image, rows in taught(real / "dice")
            for row, box in zip(rows, corners(image, rows), strict=True)
        ]
        return cls(sources, dice, sources.faces)

    def square(self, rng: np.random.Generator) -> tuple[NDArray[np.float32], int]:
        """One square and the number of what it shows."""
        make = _MAKERS[str(rng.choice(list(_OFTEN), p=list(_OFTEN.values())))]
        image, box, label = make(self, rng)
        wide, high = box[2] - box[0], box[3] - box[1]
        off = rng.normal(0, _SPREAD, 4) * np.array([wide, high, wide, high])
        grown = rng.uniform(-0.04, 0.1) * np.array([-wide, -high, wide, high])
        square = face_square(image, _box(np.array(box) + off + grown))
        return _lit(square, rng), FACES.index(label)

    def _real_die(self, rng: np.random.Generator) -> tuple[Image, Box, str]:
        image, box, label = self.real[rng.integers(len(self.real))]
        return *_turned(image, box, rng), label

    def _rendered(self, rng: np.random.Generator) -> tuple[Image, Box, str]:
        return self.rendered[rng.integers(len(self.rendered))]

    def _die(self, rng: np.random.Generator) -> tuple[Image, Box, str]:
        return self._pasted(self.sources.dice, _DIE_PX, rng)

    def _tile(self, rng: np.random.Generator) -> tuple[Image, Box, str]:
        return self._pasted(self.sources.tiles, _TILE_PX, rng)

    def _pasted(
        self, pool: list[Sprite], sizes: tuple[float, float], rng: np.random.Generator
    ) -> tuple[Image, Box, str]:
        """A sprite with others about it: neighbours lie close, and a few hide a little of it."""
        side = float(np.exp(rng.uniform(*np.log(sizes))))
        canvas = self._ground(int(side * 1.8) + 4, rng).astype(np.float32)
        middle = canvas.shape[0] / 2
        neighbours = [(pool[rng.integers(len(pool))], rng.uniform(0, 2 * np.pi)) for _ in range(rng.integers(0, 3))]
        for other, angle in neighbours:
            away = side * rng.uniform(0.75, 1.1)
            paste(canvas, other, (middle + away * np.cos(angle), middle + away * np.sin(angle)), side, 0)
        sprite = pool[rng.integers(len(pool))]
        turns = int(rng.integers(4)) if sprite.elevation_deg > 60 else 0
        box = paste(canvas, sprite, (middle, middle), side, turns)
        return np.clip(canvas, 0, 255).astype(np.uint8), box, sprite.label

    def _ground(self, side: int, rng: np.random.Generator) -> Image:
        if rng.random() < 0.6:
            return random_backdrop(side, rng)
        photo = self.sources.plain[rng.integers(len(self.sources.plain))]
        part = min(int(side * rng.uniform(0.6, 2)), *photo.shape[:2])
        top, left = (int(rng.integers(0, length - part + 1)) for length in photo.shape[:2])
        cut = photo[top : top + part, left : left + part]
        return np.asarray(cv2.resize(cut, (side, side), interpolation=cv2.INTER_AREA), np.uint8)

    def _nothing(self, rng: np.random.Generator) -> tuple[Image, Box, str]:
        """A square of a picture with neither dice nor tiles: cards, stacks, felt."""
        if rng.random() < 0.5:
            image = self.sources.plain[rng.integers(len(self.sources.plain))]
        elif rng.random() < 0.6:
            stacks = self.sources.pictures["stacks"]
            image = stacks[rng.integers(len(stacks))].image
        else:
            image = random_backdrop(SIDE_PX, rng)
        side = float(np.exp(rng.uniform(np.log(12), np.log(150))))
        x, y = rng.uniform(0, 1, 2) * (image.shape[1] - side, image.shape[0] - side)
        return image, (float(x), float(y), float(x + side), float(y + side)), NOTHING


_MAKERS: dict[str, Callable[[Squares, np.random.Generator], tuple[Image, Box, str]]] = {
    "real dice": Squares._real_die, "dice": Squares._die, "tiles": Squares._tile, "rendered": Squares._rendered,
    "nothing": Squares._nothing,
}  # fmt: skip


def batch(squares: Squares, size: int, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    seen, faces = zip(*(squares.square(rng) for _ in range(size)), strict=True)
    images = torch.from_numpy(np.stack(seen)).contiguous(memory_format=torch.channels_last)
    return images, torch.tensor(faces)


def _box(values: NDArray[np.float64]) -> Box:
    left, top, right, bottom = (float(value) for value in values)
    return left, top, right, bottom


def _turned(image: Image, box: Box, rng: np.random.Generator) -> tuple[Image, Box]:
    """A real die turned by any angle, larger or smaller, a little askew: there are few real dice."""
    middle = np.array([box[0] + box[2], box[1] + box[3]]) / 2
    half = max(box[2] - box[0], box[3] - box[1]) / 2
    scale = float(np.exp(rng.uniform(np.log(0.4), np.log(1.6))))
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * scale
    turn = (np.eye(2) + rng.normal(0, 0.06, (2, 2))) @ turn
    side = int(half * scale * 3.2) + 4
    matrix = np.column_stack([turn, np.full(2, side / 2) - turn @ middle])
    if scale < 0.7:
        image = np.asarray(cv2.GaussianBlur(image[_around(image, middle, half)], (0, 0), 0.35 / scale), np.uint8)
        matrix[:, 2] += turn @ np.maximum(middle - 3 * half, 0).astype(int)
    part = cv2.warpAffine(image, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    reach = half * scale
    return np.asarray(part, np.uint8), (side / 2 - reach, side / 2 - reach, side / 2 + reach, side / 2 + reach)


def _around(image: Image, middle: NDArray[np.float64], half: float) -> tuple[slice, slice]:
    left, top = np.maximum(middle - 3 * half, 0).astype(int)
    right, bottom = (middle + 3 * half).astype(int) + 1
    return slice(top, bottom), slice(left, right)


def _lit(square: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Mirrored, in another light, the colours in another order, blurred or noisy."""
    lit = square + 0.5
    if rng.random() < 0.5:
        lit = lit[:, :, ::-1]
    if rng.random() < 0.5:
        lit = lit[rng.permutation(3)]
    if rng.random() < 0.1:
        lit = np.repeat(lit.mean(axis=0, keepdims=True), 3, axis=0)
    if rng.random() < 0.1:
        lit = 1 - lit  # dark pips on light dice are as good as light ones on dark
    lit = lit * (rng.uniform(0.5, 1.3) * rng.uniform(0.85, 1.15, (3, 1, 1)))
    lit = (lit - lit.mean()) * rng.uniform(0.6, 1.4) + lit.mean()
    if rng.random() < 0.25:
        lit = cv2.GaussianBlur(lit.transpose(1, 2, 0), (0, 0), float(rng.uniform(0.5, 1.6))).transpose(2, 0, 1)
    if rng.random() < 0.4:
        lit = lit + rng.normal(0, rng.uniform(0.005, 0.04), lit.shape)
    return np.asarray(np.clip(lit, 0, 1) - 0.5, np.float32)
