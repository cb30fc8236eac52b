"""What the reader of dice and tiles is taught on: squares of real and rendered pictures, sprites on any ground."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from datasets.backdrops import print_mask, random_backdrop
from datasets.pip_art import draw_pip
from datasets.traced_bodies import Sprite
from datasets.sprites import paste
from datasets.typefaces import draw_text, random_font
from models.object_batches import SIDE_PX, Sources, corners, readable, rendered_frames, taught
from models.rendered_objects import rendered_objects
from vision.object_faces import DIE_FACES, FACES, NOTHING, cut_square, levelled, without_shine
from vision.seen import Box, Image

_OFTEN = {"real dice": 0.35, "pasted": 0.4, "rendered": 0.13, "nothing": 0.08, "print": 0.04}
_TILES = 0.58  # of what is pasted
_TABLES, _TABLE_SIZE, _TABLE_ZOOM = 30, (1920, 1080), 1.6  # frames of whole pai gow tables, as a camera has them
_DIE_PX, _TILE_PX, _SIGN_PX = (9.0, 90.0), (18.0, 130.0), (12.0, 60.0)
_LETTERS = "ABCDEGHKMNOPQRSTUVXZabdeghkqt0123456789"
_POOL, _AGAIN = 4000, 0.75  # pasted pictures that are kept, and how often one of them is used again
_LEANING_RAD = 0.2
_SPREAD = 0.045  # of a box's side, by which a detector's box is off


@dataclass(slots=True)
class Squares:
    """Squares and their faces, as the detector would give them."""

    sources: Sources
    real: list[tuple[Image, Box, str]]
    rendered: list[tuple[Image, Box, str]]
    pool: list[tuple[Image, Box, str]] = field(default_factory=list)
    """Pasting takes longer than learning: a picture is cut, turned and lit anew several times."""

    @classmethod
    def gathered(cls, real: Path, kept: Path, seed: int, *, tuning: bool = False) -> "Squares":
        sources = Sources.gathered(real, kept, seed)
        dice = [
            (image, _box(box), str(int(row[0]) + 1))
            for image, rows in taught(real / "dice", tuning=tuning)
            for row, box in zip(rows, corners(image, rows), strict=True)
        ]
        tables = rendered_frames(
            kept / "pai-gow.pkl",
            lambda: rendered_objects(_TABLES, seed, _TABLE_SIZE, "train", ("act-paigow",), most_zoom=_TABLE_ZOOM),
        )
        return cls(sources, dice, sources.faces + readable(tables))

    def square(self, rng: np.random.Generator) -> tuple[NDArray[np.float32], int]:
        """One square and the number of what it shows."""
        source = str(rng.choice(list(_OFTEN), p=list(_OFTEN.values())))
        if source == "pasted" and len(self.pool) > _POOL // 4 and rng.random() < _AGAIN:
            image, box, label = self.pool[rng.integers(len(self.pool))]
        else:
            image, box, label = _MAKERS[source](self, rng)
        wide, high = box[2] - box[0], box[3] - box[1]
        off = rng.normal(0, _SPREAD, 4) * np.array([wide, high, wide, high])
        grown = rng.uniform(-0.04, 0.1) * np.array([-wide, -high, wide, high])
        square = cut_square(image, _box(np.array(box) + off + grown))
        return levelled(_lit(square, rng)), FACES.index(label)

    def _real_die(self, rng: np.random.Generator) -> tuple[Image, Box, str]:
        image, box, label = self.real[rng.integers(len(self.real))]
        return *_turned(image, box, rng), label

    def _rendered(self, rng: np.random.Generator) -> tuple[Image, Box, str]:
        image, box, label = self.rendered[rng.integers(len(self.rendered))]
        upright = label in DIE_FACES  # seen aslant, a die shows several faces: which is up, the picture's top tells
        return *_turned(image, box, rng, most_rad=_LEANING_RAD if upright else np.pi), label

    def _pasted(self, rng: np.random.Generator) -> tuple[Image, Box, str]:
        tiles = rng.random() < _TILES
        made = self._among_others(*((self.sources.tiles, _TILE_PX) if tiles else (self.sources.dice, _DIE_PX)), rng)
        if len(self.pool) < _POOL:
            self.pool.append(made)
        else:
            self.pool[rng.integers(_POOL)] = made
        return made

    def _among_others(
        self, pool: list[Sprite], sizes: tuple[float, float], rng: np.random.Generator
    ) -> tuple[Image, Box, str]:
        """A sprite with others about it: neighbours lie close, and a few hide a little of it."""
        side = float(np.exp(rng.uniform(*np.log(sizes))))
        canvas = self._ground(int(side * 1.8) + 4, rng).astype(np.float32)
        middle = canvas.shape[0] / 2
        neighbours = [(pool[rng.integers(len(pool))], rng.uniform(0, 2 * np.pi)) for _ in range(rng.integers(0, 3))]
        for other, angle in neighbours:
            away = side * rng.uniform(0.55, 1.1)
            paste(canvas, other, (middle + away * np.cos(angle), middle + away * np.sin(angle)), side, 0)
        sprite = pool[rng.integers(len(pool))]
        turns = int(rng.integers(4)) if sprite.elevation_deg > 60 else 0
        box = paste(canvas, sprite, (middle, middle), side, turns)
        return np.clip(canvas, 0, 255).astype(np.uint8), box, sprite.label

    def _ground(self, side: int, rng: np.random.Generator) -> Image:
        if rng.random() < 0.6:
            return random_backdrop(side, rng)
        photo = self.sources.photos[rng.integers(len(self.sources.photos))].image
        part = min(int(side * rng.uniform(0.6, 2)), *photo.shape[:2])
        top, left = (int(rng.integers(0, length - part + 1)) for length in photo.shape[:2])
        cut = photo[top : top + part, left : left + part]
        return np.asarray(cv2.resize(cut, (side, side), interpolation=cv2.INTER_AREA), np.uint8)

    def _nothing(self, rng: np.random.Generator) -> tuple[Image, Box, str]:
        """A square of a picture with neither dice nor tiles: a whole card, or any part of cards, stacks, felt."""
        if rng.random() < 0.5:
            photo = self.sources.photos[rng.integers(len(self.sources.photos))]
            if len(photo.rows) and rng.random() < 0.4:
                return photo.image, _box(photo.rows[rng.integers(len(photo.rows)), 1:]), NOTHING
            image = photo.image
        elif rng.random() < 0.6:
            stacks = self.sources.pictures["stacks"]
            image = stacks[rng.integers(len(stacks))].image
        else:
            image = random_backdrop(SIDE_PX, rng)
        side = float(np.exp(rng.uniform(np.log(12), np.log(150))))
        x, y = rng.uniform(0, 1, 2) * (image.shape[1] - side, image.shape[0] - side)
        return image, (float(x), float(y), float(x + side), float(y + side)), NOTHING

    def _print(self, rng: np.random.Generator) -> tuple[Image, Box, str]:
        """A letter or a card's pip: what detectors most often take for a die."""
        side = float(np.exp(rng.uniform(*np.log(_SIGN_PX))))
        image = self._ground(int(side * 1.8) + 4, rng)
        middle = image.shape[0] // 2
        if rng.random() < 0.4:
            sign = draw_pip(str(rng.choice(list("cdhs"))), int(side), int(rng.integers(1 << 30)))
        else:
            sign = draw_text(str(rng.choice(list(_LETTERS))), random_font(rng), int(side))
        print_mask(image, sign, rng, at=(middle, middle))
        return image, (middle - side / 2, middle - side / 2, middle + side / 2, middle + side / 2), NOTHING


_MAKERS: dict[str, Callable[[Squares, np.random.Generator], tuple[Image, Box, str]]] = {
    "real dice": Squares._real_die, "pasted": Squares._pasted, "rendered": Squares._rendered,
    "nothing": Squares._nothing, "print": Squares._print,
}  # fmt: skip


def batch(squares: Squares, size: int, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    seen, faces = zip(*(squares.square(rng) for _ in range(size)), strict=True)
    images = torch.from_numpy(np.stack(seen)).contiguous(memory_format=torch.channels_last)
    return images, torch.tensor(faces)


def _box(values: NDArray[Any]) -> Box:
    left, top, right, bottom = (float(value) for value in values)
    return left, top, right, bottom


def _turned(image: Image, box: Box, rng: np.random.Generator, most_rad: float = np.pi) -> tuple[Image, Box]:
    """A thing turned by any angle up to one, larger or smaller, a little askew: there are few real dice."""
    middle = np.array([box[0] + box[2], box[1] + box[3]]) / 2
    half = max(box[2] - box[0], box[3] - box[1]) / 2
    scale = float(np.exp(rng.uniform(np.log(0.4), np.log(1.6))))
    angle = rng.uniform(-most_rad, most_rad)
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
    """Mirrored, in another light, the colours in another order or mixed, a lamp mirrored in it, blurred or noisy."""
    lit: NDArray[Any] = square
    if rng.random() < 0.5:
        lit = lit[:, :, ::-1]
    if rng.random() < 0.5:
        lit = lit[rng.permutation(3)]
    if rng.random() < 0.3:
        mixed = np.eye(3) + rng.normal(0, 0.25, (3, 3))
        lit = np.einsum("ij,jyx->iyx", mixed / mixed.sum(axis=1, keepdims=True).clip(0.5), lit)
    if rng.random() < 0.1:
        lit = np.repeat(lit.mean(axis=0, keepdims=True), 3, axis=0)
    if rng.random() < 0.1:
        lit = 1 - lit  # dark pips on light dice are as good as light ones on dark
    if rng.random() < 0.35:  # pips that differ from their die in one colour more than in the others
        own = lit.mean(axis=(1, 2), keepdims=True)
        lit = (
            rng.uniform(0.1, 0.9) * own
            + (lit - own) * rng.permutation([rng.uniform(0.4, 1), *rng.uniform(0, 1, 2)])[:, None, None]
        )
    for _ in range(int(rng.choice(3, p=[0.6, 0.25, 0.15]))):
        lit = _with_gleam(lit, rng)
    if rng.random() < 0.3:
        lit = without_shine(np.clip(lit, 0, 1), float(rng.uniform(0.3, 1)))
    lit = lit * (rng.uniform(0.5, 1.3) * rng.uniform(0.85, 1.15, (3, 1, 1)))
    if rng.random() < 0.3:
        lit = _coarsely_coloured(lit, float(rng.uniform(0.8, 4.0)))
    if rng.random() < 0.25:
        lit = cv2.GaussianBlur(lit.transpose(1, 2, 0), (0, 0), float(rng.uniform(0.5, 1.6))).transpose(2, 0, 1)
    if rng.random() < 0.4:
        lit = lit + rng.normal(0, rng.uniform(0.005, 0.04), lit.shape)
    return np.asarray(np.clip(lit, 0, 1), np.float32)


def _coarsely_coloured(square: NDArray[np.float32], blur_px: float) -> NDArray[np.float32]:
    """Light as it was, its colours blurred: pictures are stored so, and red pips on smoke differ in colour alone."""
    light = square.mean(axis=0, keepdims=True)
    colour = cv2.GaussianBlur(np.ascontiguousarray((square - light).transpose(1, 2, 0)), (0, 0), blur_px)
    return np.asarray(light + colour.transpose(2, 0, 1), np.float32)


def _with_gleam(square: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """A bright spot or arc, as a lamp makes on glossy things."""
    side = square.shape[-1]
    gleam = np.zeros((side, side), np.float32)
    middle, axes = rng.integers(side // 5, 4 * side // 5, 2).tolist(), rng.integers(2, side // 4, 2).tolist()
    turn, start = rng.uniform(0, 360, 2)
    if rng.random() < 0.4:
        cv2.ellipse(gleam, middle, axes, turn, 0, 360, 1.0, -1)
    else:
        cv2.ellipse(gleam, middle, axes, turn, start, start + rng.uniform(40, 200), 1.0, int(rng.integers(1, 3)))
    soft = cv2.GaussianBlur(gleam, (0, 0), float(rng.uniform(0.6, 2.0))) * rng.uniform(0.3, 1.0)
    return np.asarray(square + (1 - square) * soft, np.float32)
