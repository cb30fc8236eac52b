"""What the reader of faces learns from: cards stood upright with a margin, out of which crops are cut for every use."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn

from datasets.composites import NONE, FrameArray, IndexTruth, Scene
from models.card_batches import SHOWN
from models.card_nets import FACE_HEIGHT_PX, FACE_WIDTH_PX
from models.reader_patches import NO_RANK, NO_SUIT, classes_of
from models.scene_supply import Bank, Supply
from vision.card_face import CROP_HALF_PX, INDEX_REACH, card_frame, upright_card
from vision.card_merge import lies_opposite, outline_of
from vision.seen import Image

PATCH_WIDTH_PX, PATCH_HEIGHT_PX = 96, 128
_VISIBLE = (0.1, 0.9)  # of what shows less there are many and they teach little: one as often as so much of it shows
_PIPPED = 0.5  # of the cards with pips only so many teach: the suit of a court is harder to tell
_MISPLACED = 0.08  # share of the crops that are cut beside the card, across it, or out of its midst
_COVERED = 0.2  # share of the crops of which a part is covered by another card
_ONE_INDEX = 0.4  # how often only one of a card's indices is known: then the other corner is wiped where it should be
_USUAL_INDEX = (0.8, 0.72, 0.17, 0.21)


class FacePatch(NamedTuple):
    """A card with its margin; `corner` tells where on it an index is and how far it reaches, in halves of the card."""

    image: Image
    rank: int
    suit: int
    corner: tuple[float, float, float, float]


def face_patches_of(scene: Scene, rng: Generator) -> Iterator[FacePatch]:
    """Every card that shows, and now and then a place where none is."""
    cards = list(_laid(scene, rng)) if scene.cards else list(_between_indices(scene))
    for label, frame, index in cards:
        if label is not None and label[0] in "23456789T" and rng.random() > _PIPPED:
            continue
        rank, suit = (NO_RANK, NO_SUIT) if label is None else classes_of(label)
        yield FacePatch(_cut_out(scene, frame), rank, suit, _USUAL_INDEX if index is None else _place(frame, index))
    if not scene.cards and not scene.indices:
        half, turn = float(np.exp(rng.uniform(np.log(15), np.log(80)))), rng.uniform(0, 2 * np.pi)
        across = np.array([np.cos(turn), np.sin(turn)]) * half
        anywhere = np.stack([rng.uniform(0.2, 0.8, 2) * len(scene.image), across * 0.7, across[::-1] * (1, -1)])
        yield FacePatch(_cut_out(scene, anywhere.astype(np.float32)), NO_RANK, NO_SUIT, _USUAL_INDEX)


def _laid(scene: Scene, rng: Generator) -> Iterator[tuple[str | None, FrameArray, FrameArray | None]]:
    for number, card in enumerate(scene.cards):
        if card.visible > rng.uniform(*_VISIBLE):
            index = next((index.frame for index in scene.indices if index.card == number), None)
            yield card.label, card.frame, index


def _between_indices(scene: Scene) -> Iterator[tuple[str, FrameArray, FrameArray]]:
    """Of a photograph only the indices are known: two that are opposite corners of a card tell its outline."""
    shown = [index for index in scene.indices if _is_known(index)]
    for one, other in itertools.combinations(shown, 2):
        frames = one.frame, other.frame
        if one.label == other.label and min(lies_opposite(*frames), lies_opposite(*frames[::-1])) > 0:
            yield one.label, card_frame(outline_of(*frames)), one.frame


def _is_known(index: IndexTruth) -> bool:
    return index.visible >= SHOWN and index.label not in (NONE, "Jkr") and not np.isnan(index.frame).any()


def _cut_out(scene: Scene, frame: FrameArray) -> Image:
    return upright_card(scene.image, frame, (PATCH_WIDTH_PX, PATCH_HEIGHT_PX))


def _place(frame: FrameArray, index: FrameArray) -> tuple[float, float, float, float]:
    middle, right, up = np.abs(np.linalg.solve(frame[1:].T, (index - np.stack([frame[0], *np.zeros((2, 2))])).T)).T
    return float(middle[0]), float(middle[1]), float(right[0] * INDEX_REACH[0]), float(up[1] * INDEX_REACH[1])


class FaceBank(Bank):
    """The patches at hand."""

    def __init__(self, supply: Supply, rng: Generator, *, size: int, first: int) -> None:
        def cut(scene: Scene) -> Iterator[tuple[Image, tuple[float, ...]]]:
            return ((each.image, (each.rank, each.suit, *each.corner)) for each in face_patches_of(scene, rng))

        patch_px = PATCH_WIDTH_PX, PATCH_HEIGHT_PX
        super().__init__(supply, rng, cut, patch_px=patch_px, numbers=6, size=size, first=first)

    def draw(self, count: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Pictures of 0..255, ranks, suits, and where their indices are."""
        images, numbers = map(torch.from_numpy, self.drawn(count))
        rank, suit = numbers[:, :2].long().unbind(1)
        return images, rank, suit, numbers[:, 2:]


class FaceCrops(NamedTuple):
    """Crops as an outline that is a little off has them cut, and what is to be wiped of them."""

    images: Tensor
    rank: Tensor
    suit: Tensor
    wiped: Tensor


def cut_faces(images: Tensor, rank: Tensor, suit: Tensor, indices: Tensor) -> FaceCrops:
    """Cut every patch once, well or badly; cover some."""
    centres, axes = _jitter(len(images))
    wiped = _wiped(centres, axes, indices)
    wrong = torch.rand(len(images)) < _MISPLACED
    centres[wrong], axes[wrong] = _misplaced(centres[wrong], axes[wrong])
    rank, suit = torch.where(wrong, NO_RANK, rank), torch.where(wrong, NO_SUIT, suit)
    half = torch.tensor([(PATCH_WIDTH_PX - 1) / 2, (PATCH_HEIGHT_PX - 1) / 2])
    places = _pixels().reshape(1, -1, 2)
    grid = ((centres[:, None] + places @ axes) / half).reshape(-1, FACE_HEIGHT_PX, FACE_WIDTH_PX, 2)
    crops = nn.functional.grid_sample(images, grid, padding_mode="border", align_corners=True)
    return FaceCrops(_covered(crops), rank, suit, wiped)


def wipe(images: Tensor, wiped: Tensor) -> Tensor:
    """The corners painted over with what the rest looks like on average."""
    kept = ~wiped[:, None]
    mean = (images * kept).sum((2, 3), keepdim=True) / kept.sum((2, 3), keepdim=True).clamp(min=1)
    return torch.where(kept, images, mean)


def _pixels() -> Tensor:
    """Where every pixel of a crop is, from its middle."""
    across, along = (torch.arange(size) - (size - 1) / 2 for size in (FACE_WIDTH_PX, FACE_HEIGHT_PX))
    return torch.stack(torch.meshgrid(across, along, indexing="xy"), dim=-1)


def _jitter(count: int) -> tuple[Tensor, Tensor]:
    """How an outline may be off: shifted, turned, too large or narrow, askew; in pixels of the crop. Either index may
    have been taken for the upper one: an ace then stands on its head."""
    amount = torch.tensor([0.5, 1.0, 1.0, 2.0])[torch.randint(4, (count,))]
    centres = (torch.randn(count, 2) * torch.tensor(CROP_HALF_PX) * 0.06 * amount[:, None]).clamp(-9, 9)
    angle, scale = torch.randn(count) * 0.03 * amount, (torch.randn(count) * 0.05 * amount).clamp(-0.2, 0.2).exp()
    turn = torch.stack([angle.cos(), -angle.sin(), angle.sin(), angle.cos()], dim=1).reshape(-1, 2, 2)
    askew = torch.eye(2) + (torch.randn(count, 2, 2) * 0.04 * amount[:, None, None]).clamp(-0.15, 0.15)
    way_up = torch.randint(0, 2, (count,)) * 2 - 1
    return centres, turn @ askew * (way_up * scale)[:, None, None]


def _misplaced(centres: Tensor, axes: Tensor) -> tuple[Tensor, Tensor]:
    """Across the card, beside it, or a piece of it."""
    count, half = len(centres), torch.tensor(CROP_HALF_PX)
    way = torch.randint(3, (count,))
    across = torch.tensor([[0.0, 1.0], [-1.0, 0.0]])
    beside = (torch.randint(0, 2, (count, 2)) * 2 - 1.0) * torch.empty(count, 2).uniform_(0.8, 1.2) * half
    piece = torch.empty(count, 1, 1).uniform_(0.25, 0.5)
    axes = torch.where((way == 0)[:, None, None], axes @ across, axes)
    return centres + beside * (way == 1)[:, None], torch.where((way == 2)[:, None, None], axes * piece, axes)


def _wiped(centres: Tensor, axes: Tensor, indices: Tensor) -> Tensor:
    """The corners in which an index stands as the crop sees them: of one index, or of both that are opposite."""
    half = torch.tensor(CROP_HALF_PX)
    inverse = torch.linalg.inv(axes)
    ways = torch.stack([indices[:, :2] * half, -indices[:, :2] * half])
    seen = ((ways - centres)[:, :, None] @ inverse)[:, :, 0].abs()
    seen[1] = torch.where((torch.rand(len(centres)) < _ONE_INDEX)[:, None], seen[0], seen[1])
    reach = indices[:, 2:] * half * torch.empty(len(centres), 1).uniform_(0.9, 1.2)
    inner = (seen.amin(0) - reach).clamp(min=0.1 * half)
    return (_pixels().abs() > inner[:, None, None]).all(-1)


def _covered(crops: Tensor) -> Tensor:
    """Some with another card over a part of them, on one side of a line."""
    count = len(crops)
    turn, offset = torch.rand(count) * 2 * torch.pi, torch.empty(count).uniform_(-0.2, 0.9)
    places = _pixels() / torch.tensor(CROP_HALF_PX)
    along = places[..., 0] * turn.cos()[:, None, None] + places[..., 1] * turn.sin()[:, None, None]
    covered = (along > offset[:, None, None]) & (torch.rand(count) < _COVERED)[:, None, None]
    return torch.where(covered[:, None], crops.roll(1, 0).flip(3), crops)
