"""What the reader learns from: indices stood upright with a margin, out of which crops are cut anew for every use."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn

from datasets.composites import NONE, FrameArray, IndexTruth, Scene
from datasets.index_art import JOKER, JOKER_PART
from models.card_batches import SHOWN
from models.card_nets import FRAME_NUMBERS, RANK_CLASSES, SUIT_CLASSES
from models.scene_supply import Bank, Supply
from vision.index_crops import CLOSE, Cut, upright_crop
from vision.seen import Image

PATCH = Cut(88, 100, CLOSE.half_index_px)  # the wider of the two readers' crops, and a margin
NO_RANK, NO_SUIT = len(RANK_CLASSES) - 1, len(SUIT_CLASSES) - 1
_UNKNOWN_SUIT = -1  # does not count
_PLAIN = 12.0  # a spread of grey below which there is nothing to learn
_MISPLACED = 0.14  # share of the crops that are cut the wrong way up, on their side, beside the index, or a piece of it


class Patch(NamedTuple):
    """An index with its margin; `exact` where its frame is true and not itself found by a network."""

    image: Image
    rank: int
    suit: int
    exact: bool


def patches_of(scene: Scene, rng: Generator) -> list[Patch]:
    """Every index that shows, and a few places that are none."""
    patches = []
    for index in scene.indices:
        if index.label == NONE:
            if _is_inside(index.frame, scene):
                patches.append(Patch(upright_crop(scene.image, index.frame, PATCH), NO_RANK, NO_SUIT, False))
        elif index.visible >= SHOWN and not np.isnan(index.frame).any():
            image = upright_crop(scene.image, index.frame, PATCH)
            patches.append(Patch(image, *classes_of(index.label), scene.complete))
            if index.label == JOKER and scene.complete:
                beginning = upright_crop(scene.image, _beginning_of(index, rng), PATCH)
                patches.append(Patch(beginning, *classes_of(index.label), False))
    if rng.random() < (0.5 if scene.complete else 0.15):
        elsewhere = upright_crop(scene.image, _anywhere(scene, rng), PATCH)
        if elsewhere.std() > _PLAIN or rng.random() < 0.1:
            patches.append(Patch(elsewhere, NO_RANK, NO_SUIT, False))
    return patches


def _beginning_of(joker: IndexTruth, rng: Generator) -> FrameArray:
    """A joker's first letters: taken for a jack's index, were it not for the letter below or beside."""
    centre, right, up = joker.frame
    along, across, half = rng.uniform(0.55, 0.85), rng.normal(0, 0.08), rng.uniform(0.42, 0.6)
    start = up * across - right * along if joker.lies else up * along + right * across
    return np.stack([centre + start, right * half, up * half]).astype(np.float32)


def _is_inside(frame: FrameArray, scene: Scene) -> bool:
    return bool(np.all((frame[0] > 0) & (frame[0] < scene.image.shape[0])))


def classes_of(label: str) -> tuple[int, int]:
    """The numbers of a card's rank and suit."""
    if label == JOKER:
        return RANK_CLASSES.index(JOKER), _UNKNOWN_SUIT
    suit = SUIT_CLASSES.index(label[1]) if len(label) > 1 else _UNKNOWN_SUIT
    return RANK_CLASSES.index(label[0]), suit


def _anywhere(scene: Scene, rng: Generator) -> FrameArray:
    """A frame where no index is near: mostly on a card, where pips and courts look most like one."""
    size, half = scene.image.shape[0], float(np.exp(rng.uniform(np.log(4), np.log(24))))
    for _ in range(8):
        centre, angle = rng.uniform(0, size, 2), rng.uniform(0, 2 * np.pi)
        if scene.cards and rng.random() < 0.6:
            card = scene.cards[rng.integers(len(scene.cards))].frame
            centre = card[0] + rng.uniform(-1, 1, 2) @ card[1:]
            angle = np.arctan2(card[1][1], card[1][0]) + rng.choice([0, np.pi]) + rng.normal(0, 0.2)
        if all(
            np.linalg.norm(centre - index.frame[0]) > half + np.linalg.norm(index.frame[2]) for index in scene.indices
        ):
            break
    else:
        centre = np.full(2, -4 * half)
    c, s = np.cos(angle) * half, np.sin(angle) * half
    return np.array([centre, [c, s], [s, -c]], np.float32)


class PatchBank(Bank):
    """The patches at hand."""

    def __init__(self, supply: Supply, rng: Generator, *, size: int, first: int) -> None:
        def cut(scene: Scene) -> Iterator[tuple[Image, tuple[float, ...]]]:
            return ((each.image, (each.rank, each.suit, each.exact)) for each in patches_of(scene, rng))

        patch_px = PATCH.width_px, PATCH.height_px
        super().__init__(supply, rng, cut, patch_px=patch_px, numbers=3, size=size, first=first)

    def draw(self, count: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Pictures of 0..255, ranks, suits, and whose frames are exact."""
        images, numbers = map(torch.from_numpy, self.drawn(count))
        rank, suit, exact = numbers.long().unbind(1)
        return images, rank, suit, exact.bool()


class Crops(NamedTuple):
    """Crops as a finder would have them cut: rank and suit, and how they should have been cut (NaN: not known)."""

    images: Tensor
    rank: Tensor
    suit: Tensor
    adjust: Tensor


def cut(images: Tensor, rank: Tensor, suit: Tensor, exact: Tensor, *, shown: Cut = CLOSE) -> Crops:
    """Cut every patch once, well or badly, as large as the reader wants it."""
    centres, axes = _jitter(len(images))
    part = torch.empty(len(images)).uniform_(JOKER_PART * 0.85, 1.0)
    axes = axes * torch.where(rank == RANK_CLASSES.index(JOKER), part, 1.0)[:, None, None]
    wrong = torch.rand(len(images)) < _MISPLACED
    centres[wrong], axes[wrong] = _misplaced(centres[wrong], axes[wrong])
    rank = torch.where(wrong, NO_RANK, rank)
    suit = torch.where(wrong, NO_SUIT, suit)
    adjust = adjustments(centres, axes)
    adjust[~exact | wrong] = float("nan")
    grid = _grid(centres, axes, shown)
    return Crops(nn.functional.grid_sample(images, grid, padding_mode="border", align_corners=True), rank, suit, adjust)


def adjustments(centres: Tensor, axes: Tensor) -> Tensor:
    """The true frames as those that were taken see them, less those themselves: what the reader is to put right."""
    inverse = torch.linalg.inv(axes)
    return torch.cat([-centres[:, None] @ inverse, inverse - torch.eye(2)], dim=1).reshape(-1, FRAME_NUMBERS)


def _jitter(count: int) -> tuple[Tensor, Tensor]:
    """Frames as a finder might have found them, as the true ones see them: shifted, turned, too large, askew."""
    amount = torch.tensor([0.5, 1.0, 1.0, 2.0, 3.0])[torch.randint(5, (count,))]
    centres = (torch.randn(count, 2) * 0.08 * amount[:, None]).clamp(-0.45, 0.45)
    angle, scale = torch.randn(count) * torch.pi / 28 * amount, (torch.randn(count) * 0.1 * amount).exp()
    turn = torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()], dim=1).reshape(-1, 2, 2)
    askew = torch.eye(2) + torch.randn(count, 2, 2) * 0.05 * amount[:, None, None]
    return centres, turn @ askew * scale[:, None, None]


def _misplaced(centres: Tensor, axes: Tensor) -> tuple[Tensor, Tensor]:
    turns = torch.tensor([[[-1.0, 0], [0, -1]], [[0, 1], [-1, 0]], [[0, -1], [1, 0]], *[[[1, 0], [0, 1]]] * 2])
    count = len(centres)
    way = torch.tensor([0, 0, 1, 2, 3, 4, 4])[torch.randint(7, (count,))]
    beside = (torch.randint(0, 2, (count, 2)) * 2 - 1.0) * torch.empty(count, 2).uniform_(0.9, 1.5)
    within, piece = torch.empty(count, 2).uniform_(-0.8, 0.8), torch.empty(count, 1, 1).uniform_(0.15, 0.42)
    away = beside * (way == 3)[:, None] + within * (way == 4)[:, None]
    return centres + away, turns[way] @ axes * torch.where(way[:, None, None] == 4, piece, 1.0)


def _grid(centres: Tensor, axes: Tensor, shown: Cut) -> Tensor:
    """Where in the patch every pixel of the crop is taken from, as `grid_sample` wants it."""
    width, height, half = shown
    right = (torch.arange(width) - (width - 1) / 2) / half
    up = ((height - 1) / 2 - torch.arange(height)) / half
    places = torch.stack(torch.meshgrid(right, up, indexing="xy"), dim=-1).reshape(1, -1, 2)
    there = centres[:, None] + places @ axes
    scale = PATCH.half_index_px / torch.tensor([(PATCH.width_px - 1) / 2, -(PATCH.height_px - 1) / 2])
    return (there * scale).reshape(-1, height, width, 2)


def weathered(images: Tensor, *, without_colour: float = 0.15) -> Tensor:
    """Other inks, papers, light and cameras, cheaply: dark cards with pale print among them."""
    count = len(images)
    images = images.clone()
    dark = torch.rand(count) < 0.15
    images[dark] = _as_dark_card(images[dark])
    grey = torch.rand(count) < without_colour  # then the suit's shape has to tell
    images[grey] = images[grey].mean(1, keepdim=True).expand(-1, 3, -1, -1)
    inverted = torch.rand(count) < 0.05
    images[inverted] = 255 - images[inverted]
    for _ in range(4):  # four sizes to a batch, seen aslant: below some eight pixels nothing is left to read
        small = torch.randperm(count)[: max(1, count // 10)]
        share = torch.empty(2).uniform_(0.22, 0.8).tolist()
        coarse = nn.functional.interpolate(images[small], scale_factor=share, mode="area")
        images[small] = nn.functional.interpolate(
            coarse, size=images.shape[2:], mode="bilinear", align_corners=False
        )
    for _ in range(3):  # and three ways of being out of focus, or moved
        soft = torch.randperm(count)[: max(1, count // 16)]
        images[soft] = _blurred(images[soft])
    each = (count, 1, 1, 1)
    tint = torch.randn(count, 3, 1, 1) * 0.06 + 1
    images = images * tint * torch.empty(each).uniform_(0.6, 1.25) + torch.randn(each) * 12
    noise = torch.empty(each).uniform_(0, 8) * (torch.rand(each) < 0.6)
    return (images + torch.randn_like(images) * noise).clamp(0, 255)


def _blurred(images: Tensor) -> Tensor:
    """Out of focus, or drawn out along a line, by up to a sixth of an index's height."""
    at = torch.stack(torch.meshgrid(torch.arange(-3.0, 4.0), torch.arange(-3.0, 4.0), indexing="ij"), dim=-1)
    angle = torch.rand(1) * torch.pi
    along, across = at @ torch.cat([angle.cos(), angle.sin()]), at @ torch.cat([-angle.sin(), angle.cos()])
    long, wide = torch.empty(2).uniform_(0.5, 2.2).tolist()
    wide = wide if torch.rand(1) < 0.4 else 0.4
    kernel = torch.exp(-((along / long) ** 2 + (across / wide) ** 2) / 2)
    kernel = (kernel / kernel.sum()).expand(3, 1, 7, 7)
    padded = nn.functional.pad(images, (3, 3, 3, 3), mode="replicate")
    return nn.functional.conv2d(padded, kernel, groups=3).to(images.dtype)  # learning reckons in half precision


def _as_dark_card(images: Tensor) -> Tensor:
    """The same print, pale or golden, on dark paper."""
    pale = 255 - images.mean(1, keepdim=True)
    each = (len(images), 1, 1, 1)
    ink = torch.stack([torch.empty(len(images)).uniform_(low, 255) for low in (60, 130, 170)], dim=1)[..., None, None]
    return pale / 255 * ink * torch.empty(each).uniform_(0.5, 1) + torch.empty(each).uniform_(5, 50)
