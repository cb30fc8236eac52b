"""Training batches for the card eye's networks: scenes are used a few times, turned, and then replaced by new ones."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor

from datasets.composites import FrameArray, IndexTruth, Scene
from models.card_nets import FRAME_NUMBERS, FRAME_UNIT_PX, RANK_CLASSES, STRIDE, SUIT_CLASSES
from vision.card_reader import upright_crop
from vision.seen import Image

SHOWN, HIDDEN = 0.7, 0.25  # an index that shows less than the first and more than the second is neither right nor wrong
Things = Sequence[tuple[int, FrameArray, float]]
"""Class, frame and visible share of what a finder should find."""


class Replay:
    """A store of scenes: each is used several times before a new one takes its place."""

    def __init__(self, make: Callable[[], Scene], *, size: int, fresh: float) -> None:
        self._make, self._fresh = make, fresh
        self._scenes = [make() for _ in range(size)]
        self._next = 0

    def draw(self, count: int, rng: Generator) -> list[Scene]:
        """Scenes at random; a share of `fresh` new ones is made on the way."""
        for _ in range(int(rng.binomial(count, self._fresh))):
            self._scenes[self._next] = self._make()
            self._next = (self._next + 1) % len(self._scenes)
        return [self._scenes[at] for at in rng.integers(len(self._scenes), size=count)]


def quarter_turned(image: Image, things: Things, turns: int) -> tuple[Image, Things]:
    """The picture turned by quarters; mirrored ones are not to be had: no deck prints them."""
    size = image.shape[0]
    image = np.ascontiguousarray(np.rot90(image, turns))
    for _ in range(turns % 4):
        things = [(kind, np.stack([_quarter(frame[0], size - 1), _quarter(frame[1]), _quarter(frame[2])]), visible)
                  for kind, frame, visible in things]  # fmt: skip
    return image, things


def _quarter(point: np.ndarray, offset: float = 0.0) -> np.ndarray:
    """A quarter turn to the left, as `rot90` turns."""
    return np.array([point[1], offset - point[0]], np.float32)


def finder_targets(things: Things, size_px: int, classes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Heat, its weight, frames, and where frames count, on the finder's grid."""
    cells = size_px // STRIDE
    heat, weight = np.zeros((classes, cells, cells), np.float32), np.ones((1, cells, cells), np.float32)
    frames, counts = np.zeros((FRAME_NUMBERS, cells, cells), np.float32), np.zeros((1, cells, cells), np.float32)
    ys, xs = np.mgrid[0:cells, 0:cells].astype(np.float32)
    for kind, frame, visible in sorted(things, key=lambda thing: thing[2]):
        centre = frame[0] / STRIDE - 0.5
        distance = np.hypot(xs - centre[0], ys - centre[1])
        if visible < SHOWN:
            if visible > HIDDEN:
                weight[0][distance < 3.0] = 0
            continue
        sigma = 0.6 + 0.04 * float(np.linalg.norm(frame[2])) / STRIDE
        heat[kind] = np.maximum(heat[kind], np.exp(-(distance**2) / (2 * sigma**2)))
        near = distance < 1.5
        if np.isnan(frame).any():  # a real photograph's label: where it is, not how it lies
            near &= False
        frames[0][near] = (centre[0] - xs[near]) * STRIDE / FRAME_UNIT_PX
        frames[1][near] = (centre[1] - ys[near]) * STRIDE / FRAME_UNIT_PX
        frames[2:][:, near] = frame[1:].reshape(4, 1) / FRAME_UNIT_PX
        counts[0][near] = 1
        peak = np.unravel_index(int(distance.argmin()), distance.shape)
        if distance[peak] < 1.0:
            heat[kind][peak] = 1.0
    return heat, weight, frames, counts


def to_tensor(images: Sequence[Image]) -> Tensor:
    """Pictures of one size as the networks take them: blue, green, red of 0..255."""
    return torch.from_numpy(np.stack(images).astype(np.float32)).permute(0, 3, 1, 2)  # channels last: a fifth faster


# ---- the reader's crops --------------------------------------------------------------------------------------------


def jittered(frame: FrameArray, rng: Generator, amount: float = 1.0) -> FrameArray:
    """The frame as a finder might have found it: shifted, turned, too large or too small, a little askew."""
    centre, right, up = frame.astype(np.float64)
    shift = rng.normal(0, 0.09 * amount, 2).clip(-0.4, 0.4)
    angle, scale = np.radians(rng.normal(0, 7 * amount)), np.exp(rng.normal(0, 0.09 * amount))
    askew = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * scale
    askew = askew @ (np.eye(2) + rng.normal(0, 0.06 * amount, (2, 2)))
    new_right, new_up = askew @ np.stack([right, up])
    return np.stack([centre + shift[0] * right + shift[1] * up, new_right, new_up]).astype(np.float32)


def adjustment(true: FrameArray, taken: FrameArray) -> np.ndarray:
    """The true frame as the one that was taken sees it, less that one itself: what the reader is to put right."""
    seen = np.linalg.solve(taken[1:].T.astype(np.float64), (true - np.array([taken[0], (0, 0), (0, 0)])).T).T
    return np.asarray((seen - [(0, 0), (1, 0), (0, 1)]).reshape(FRAME_NUMBERS), np.float32)


class CropSample(NamedTuple):
    """A crop with its rank and suit (-1: does not count) and how it should have been cut (NaN: not known)."""

    crop: Image
    rank: int
    suit: int
    adjust: np.ndarray


_UNKNOWN = np.full(FRAME_NUMBERS, np.nan, np.float32)


def reader_samples(scene: Scene, rng: Generator) -> list[CropSample]:
    """Crops of a scene's indices, cut as well and as badly as a finder does, and crops that are no index."""
    samples = []
    for index in scene.indices:
        if index.visible < SHOWN or np.isnan(index.frame).any():
            continue
        rank, suit = _classes(index)
        taken = jittered(index.frame, rng, amount=float(rng.choice([0.5, 1.0, 2.0])))
        adjust = adjustment(index.frame, taken) if scene.complete else _UNKNOWN
        samples.append(CropSample(upright_crop(scene.image, taken), rank, suit, adjust))
        if rng.random() < 0.12:
            samples.append(_no_index(scene, _misplaced(index.frame, rng)))
    if scene.complete:
        samples += [_no_index(scene, _anywhere(scene, rng)) for _ in range(int(rng.integers(0, 3)))]
    return samples


def _no_index(scene: Scene, frame: FrameArray) -> CropSample:
    return CropSample(upright_crop(scene.image, frame), _NO_RANK, _NO_SUIT, _UNKNOWN)


_NO_RANK, _NO_SUIT = len(RANK_CLASSES) - 1, len(SUIT_CLASSES) - 1


def _classes(index: IndexTruth) -> tuple[int, int]:
    if index.label == "Jkr":
        return RANK_CLASSES.index("Jkr"), -1
    return RANK_CLASSES.index(index.label[0]), SUIT_CLASSES.index(index.label[1])


def _misplaced(frame: FrameArray, rng: Generator) -> FrameArray:
    """Upside down, on its side, or beside the index."""
    centre, right, up = frame
    way = rng.integers(5)
    if way < 2:
        return jittered(np.stack([centre, -right, -up]), rng)
    if way == 2:
        return jittered(np.stack([centre, up, -right]), rng)
    if way == 3:
        return jittered(np.stack([centre, -up, right]), rng)
    away = rng.choice([-1, 1], 2) * rng.uniform(0.9, 2.0, 2)
    return jittered(np.stack([centre + away[0] * right + away[1] * up, right, up]), rng)


def _anywhere(scene: Scene, rng: Generator) -> FrameArray:
    """A frame where no index is near: half of the time on a card, where pips and courts look most like one."""
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
