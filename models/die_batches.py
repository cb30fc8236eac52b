"""What the second witness of dice is taught on: real, rendered and traced dice, and what detectors take for dice.

Each is kept once, as a square twice as wide as its box; every use cuts it anew, turned, lit and photographed otherwise.
All of that is done for a batch at once, which is quicker than the network learns.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from datasets.backdrops import random_backdrop
from datasets.pipped import random_die
from datasets.traced_bodies import Sprite
from datasets.sprites import paste, traced_sprites
from models.object_batches import corners, kept_in, readable, rendered_frames, taught
from models.rendered_objects import rendered_objects
from vision import weights
from vision.die_witness import DIE_MARGIN, DIE_PX, parted
from vision.object_faces import DIE_FACES, NOTHING, cut_square
from vision.objects import DETECTOR, found_by, overlap
from vision.seen import Box, Image

WITNESSED = (*DIE_FACES, NOTHING)
_PATCH_PX, _PATCH_MARGIN = 112, 2.0
_OFTEN = {"real": 0.36, "traced": 0.47, "rendered": 0.05, "nothing": 0.12}
_SPRITES, _TRACED = 2400, 9000
_DIE_PX = (11.0, 120.0)
_FRAMES, _FRAME_SIZE = 24, (1280, 720)
_LOOKS_LIKE_A_DIE = 0.1  # what a detector scores so much is worth learning as nothing where no die can be
_ANY_WAY_DEG = 62.0  # seen from above, the face that is up is the largest whichever way the picture is turned
_SAME = 0.3


class Patch(NamedTuple):
    """A die with what lies about it."""

    image: Image
    face: int
    any_way: bool
    """Whether it may be turned by any angle: of a die seen aslant the picture's top tells which face is up."""


@dataclass(slots=True)
class Dice:
    """All patches, by where they are from."""

    patches: dict[str, list[Patch]]

    @classmethod
    def gathered(cls, real: Path, kept: Path, seed: int, *, tuning: bool = False, folds: Sequence[int] = ()) -> "Dice":
        """Reads, renders and traces them (what takes minutes is kept in a folder); `folds` are left out, of five."""
        frames = rendered_frames(
            kept / "die-frames.pkl",
            lambda: rendered_objects(_FRAMES, seed, _FRAME_SIZE, "train", ("act-paigow",)),
        )
        rendered = [
            _patch(image, box, label, any_way=False) for image, box, label in readable(frames) if label in DIE_FACES
        ]
        photos = [image for name in ("cards", "card-ranks", "chip-stacks") for image, _ in taught(real / name)]
        rng = np.random.default_rng(seed)
        return cls({
            "real": _real(real / "dice", tuning=tuning, folds=folds),
            "rendered": rendered,
            "nothing": kept_in(kept / "no-dice.pkl", lambda: list(_nothing(photos, rng))),
            "traced": kept_in(kept / "die-traced.pkl", lambda: _traced(photos, rng, seed)),
        })  # fmt: skip

    def batch(self, size: int, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
        """Squares as the witness is shown them, and their faces."""
        sources = rng.choice(list(_OFTEN), size, p=list(_OFTEN.values()))
        drawn = [self.patches[source][rng.integers(len(self.patches[source]))] for source in sources]
        whole = torch.from_numpy(np.stack([each.image for each in drawn])).permute(0, 3, 1, 2).float() / 255
        any_way = torch.tensor([each.any_way for each in drawn])
        squares = photographed(cut(whole, any_way))
        seen = torch.from_numpy(parted(squares.numpy())).contiguous(memory_format=torch.channels_last)
        return seen, torch.tensor([each.face for each in drawn])


def _patch(image: Image, box: Box, label: str, *, any_way: bool) -> Patch:
    square = cut_square(image, box, _PATCH_PX, _PATCH_MARGIN).transpose(1, 2, 0)
    return Patch((square * 255).round().astype(np.uint8), WITNESSED.index(label), any_way)


def _real(folder: Path, *, tuning: bool, folds: Sequence[int]) -> list[Patch]:
    """Real dice in the boxes that the detector gives them: labels are drawn loosely."""
    patches = []
    for place, (image, rows) in enumerate(taught(folder, tuning=tuning)):
        if place // 10 % 5 in folds:
            continue
        found = [each.box for each in found_by(DETECTOR, image, weights.entry(DETECTOR).settings)]
        for row, corner in zip(rows, corners(image, rows), strict=True):
            labelled: Box = tuple(float(each) for each in corner)  # type: ignore[assignment]
            best = max(found, key=lambda box: overlap(box, labelled), default=labelled)
            box = best if overlap(best, labelled) > _SAME else labelled
            patches.append(_patch(image, box, DIE_FACES[int(row[0])], any_way=True))
    return patches


def _nothing(photos: Sequence[Image], rng: np.random.Generator) -> Iterator[Patch]:
    """What a detector takes for a die, however little, where there is none; and any other square."""
    lowered = {**weights.entry(DETECTOR).settings, "threshold_die": _LOOKS_LIKE_A_DIE}
    for image in photos:
        for each in found_by(DETECTOR, image, lowered):
            if each.kind == "die":
                yield _patch(image, each.box, NOTHING, any_way=True)
        side = float(np.exp(rng.uniform(np.log(14), np.log(150))))
        x, y = rng.uniform(0, 1, 2) * (image.shape[1] - side, image.shape[0] - side)
        yield _patch(image, (float(x), float(y), float(x + side), float(y + side)), NOTHING, any_way=True)


def _traced(photos: list[Image], rng: np.random.Generator, seed: int) -> list[Patch]:
    sprites = traced_sprites(random_die, _SPRITES, seed)
    return [_among_others(sprites, photos, rng) for _ in range(_TRACED)]


def _among_others(sprites: list[Sprite], photos: list[Image], rng: np.random.Generator) -> Patch:
    """A traced die on any ground, others beside it, as some camera stores it."""
    side = float(np.exp(rng.uniform(*np.log(_DIE_PX))))
    canvas = _ground(int(side * 2.2) + 4, photos, rng).astype(np.float32)
    middle = canvas.shape[0] / 2
    for _ in range(int(rng.choice(4, p=[0.5, 0.25, 0.15, 0.1]))):
        angle, away = rng.uniform(0, 2 * np.pi), side * rng.uniform(0.8, 1.3)
        at = middle + away * np.cos(angle), middle + away * np.sin(angle)
        paste(canvas, sprites[rng.integers(len(sprites))], at, side * rng.uniform(0.8, 1.2), 0)
    sprite = sprites[rng.integers(len(sprites))]
    box = paste(canvas, sprite, (middle, middle), side, 0)
    image = np.clip(canvas, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 96))]
        image = np.asarray(cv2.imdecode(cv2.imencode(".jpg", image, quality)[1], cv2.IMREAD_COLOR), np.uint8)
    loose = rng.uniform(0, 0.16) * side  # boxes of real dice are larger than the dice
    left, top, right, bottom = box
    grown = left - loose, top - loose, right + loose, bottom + loose
    return _patch(image, grown, sprite.label, any_way=sprite.elevation_deg > _ANY_WAY_DEG)


def _ground(side: int, photos: list[Image], rng: np.random.Generator) -> Image:
    if rng.random() < 0.7:
        return random_backdrop(side, rng)
    photo = photos[rng.integers(len(photos))]
    part = min(int(side * rng.uniform(0.6, 2)), *photo.shape[:2])
    top, left = (int(rng.integers(0, length - part + 1)) for length in photo.shape[:2])
    return np.asarray(cv2.resize(photo[top : top + part, left : left + part], (side, side)), np.uint8)


# ---- a batch at once -----------------------------------------------------------------------------------------------


def cut(whole: Tensor, any_way: Tensor) -> Tensor:
    """A square out of each patch: turned, mirrored, larger or smaller, askew, aside."""
    count = len(whole)
    turn = torch.where(any_way, torch.rand(count) * 2 * torch.pi, (torch.randn(count) * 0.12).clamp(-0.35, 0.35))
    size = DIE_MARGIN / _PATCH_MARGIN * torch.empty(count).uniform_(-0.14, 0.14).exp()
    mirror = torch.randint(0, 2, (count,)) * 2.0 - 1
    turned = torch.stack([turn.cos() * mirror, -turn.sin(), turn.sin() * mirror, turn.cos()], 1).reshape(-1, 2, 2)
    askew = torch.eye(2) + torch.randn(count, 2, 2) * 0.05
    aside = torch.randn(count, 2, 1) * 0.05 / _PATCH_MARGIN
    matrix = torch.cat([turned @ askew * size[:, None, None], aside], 2)
    places = functional.affine_grid(matrix, [count, 3, DIE_PX, DIE_PX], align_corners=False)
    return functional.grid_sample(whole, places, padding_mode="border", align_corners=False)


def photographed(squares: Tensor) -> Tensor:
    """In another light and other colours, with a lamp mirrored in some, as a worse camera or file has them."""
    lit = _some(0.4, squares, lambda some: torch.gather(some, 1, _orders(some)))
    lit = _some(0.25, lit, _mixed)
    lit = _some(0.08, lit, lambda some: some.mean(1, keepdim=True).expand_as(some))
    lit = _some(0.1, lit, lambda some: 1 - some)
    lit = _some(0.3, lit, _faint)
    lit = _some(0.35, lit, _with_gleam)
    light = torch.empty(len(lit), 1, 1, 1).uniform_(0.5, 1.3) * torch.empty(len(lit), 3, 1, 1).uniform_(0.85, 1.15)
    lit = lit * light
    lit = _some(0.35, lit, _coarsely_coloured)
    lit = _some(0.35, lit, _coarse)
    return _some(0.4, lit, _noisy).clamp(0, 1)


def _some(share: float, squares: Tensor, change: Callable[[Tensor], Tensor]) -> Tensor:
    chosen = (torch.rand(len(squares)) < share).nonzero()[:, 0]
    if not len(chosen):
        return squares
    return squares.index_copy(0, chosen, change(squares[chosen]))


def _orders(squares: Tensor) -> Tensor:
    order = torch.rand(len(squares), 3).argsort(1)
    return order[:, :, None, None].expand_as(squares)


def _mixed(squares: Tensor) -> Tensor:
    mixed = torch.eye(3) + torch.randn(len(squares), 3, 3) * 0.25
    mixed = mixed / mixed.sum(2, keepdim=True).clamp(min=0.5)
    return torch.einsum("nij,njyx->niyx", mixed, squares)


def _faint(squares: Tensor) -> Tensor:
    """Pips that differ from their die in one colour more than in the others."""
    own = squares.mean((2, 3), keepdim=True)
    shares = torch.rand(len(squares), 3, 1, 1)
    shares[:, 0] = torch.empty(len(squares), 1, 1).uniform_(0.4, 1)
    shares = torch.gather(shares, 1, torch.rand(len(squares), 3).argsort(1)[:, :, None, None])
    return torch.empty(len(squares), 1, 1, 1).uniform_(0.1, 0.9) * own + (squares - own) * shares


def _with_gleam(squares: Tensor) -> Tensor:
    """A bright spot, ring or arc, as a lamp makes on glossy things."""
    count, side = len(squares), squares.shape[-1]
    span = torch.linspace(-1, 1, side)
    down, across = torch.meshgrid(span, span, indexing="ij")
    x = across - torch.empty(count, 1, 1).uniform_(-0.6, 0.6)
    y = down - torch.empty(count, 1, 1).uniform_(-0.6, 0.6)
    turn = torch.rand(count, 1, 1) * torch.pi
    along, aside = x * turn.cos() + y * turn.sin(), y * turn.cos() - x * turn.sin()
    away = torch.hypot(along, aside * torch.empty(count, 1, 1).uniform_(1, 3))
    ring = torch.empty(count, 1, 1).uniform_(0, 0.6) * (torch.rand(count, 1, 1) < 0.6)
    gleam = (-(((away - ring) / torch.empty(count, 1, 1).uniform_(0.03, 0.12)) ** 2)).exp()
    arc = torch.atan2(aside, along).cos() > torch.empty(count, 1, 1).uniform_(-1.2, 0.6)
    gleam = (gleam * (arc | (ring == 0)))[:, None] * torch.empty(count, 1, 1, 1).uniform_(0.2, 1)
    return squares + (1 - squares) * gleam


def _coarsely_coloured(squares: Tensor) -> Tensor:
    """Light as it was, its colours in fewer pixels: pictures are stored so."""
    light = squares.mean(1, keepdim=True)
    return light + _resampled(squares - light, int(torch.randint(12, 33, ())))


def _coarse(squares: Tensor) -> Tensor:
    return _resampled(squares, int(torch.randint(14, 45, ())))


def _noisy(squares: Tensor) -> Tensor:
    return squares + torch.randn_like(squares) * torch.empty(len(squares), 1, 1, 1).uniform_(0, 0.04)


def _resampled(squares: Tensor, side: int) -> Tensor:
    small = functional.interpolate(squares, size=(side, side), mode="bilinear", antialias=True, align_corners=False)
    return functional.interpolate(small, size=squares.shape[2:], mode="bilinear", align_corners=False)
