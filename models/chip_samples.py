"""Straightened stacks with what is true of them, cut from rendered scenes and drawn pictures, to teach the counter.

`python -m models.chip_samples --seed N --out RUN` writes RUN/lessons-N.npz; it needs the renderer (extra `[simulate]`).
Several with seeds of their own may be made at a time.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.chip_pictures import chip_pictures
from datasets.chip_scenes import chip_scenes
from vision.chip_stance import CHIP_THICK_MM, Floats, Stance, ToPx
from vision.chip_strip import COLUMNS, FOOT_ROW, PICTURES, ROWS, ROWS_PER_CHIP, cut_strips, known
from vision.seen import Image

Bytes = NDArray[np.uint8]
LEAST_VISIBLE = 0.55
_NOTHING = 0.12
"""So many places without a foot for each stack."""
_SECOND = 0.3
"""So often a stack is cut out twice, its foot taken for elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One stack, or a place where none stands."""

    seen: Bytes
    bare: Bytes | None
    known: tuple[float, float]
    """Band height and aspect, as the network is told them."""
    joints: Floats
    """The rows of foot, joints and top; empty where no stack stands."""
    clay: Floats
    """Chips x 3, BGR."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stack:
    at_mm: Floats
    clay: Floats
    visible: float


def rendered_samples(seed: int, moments: int, by_lot: float) -> Iterator[Sample]:
    """Stacks of the scenes made for training, with the empty table."""
    rng = np.random.default_rng(seed)
    for scene in chip_scenes(seed, moments, by_lot):
        stacks = [_Stack(at_mm=each.at_mm, clay=each.clay, visible=each.visible) for each in scene.stacks]
        yield from _samples(rng, scene.image, scene.empty, scene.camera.project, stacks)


def drawn_samples(seed: int) -> Iterator[Sample]:
    """Stacks of drawn pictures: another hand, other chips, no empty table."""
    rng = np.random.default_rng(seed)
    for picture in chip_pictures(10**9, seed, high_deg=76.0, most_px=64.0):
        stacks = [
            _Stack(
                at_mm=np.repeat([[each.x_mm, each.y_mm]], len(each.chips), axis=0),
                clay=np.array([chip.bgr for chip in each.chips], float), visible=each.visible,
            )
            for each in picture.stacks
        ]  # fmt: skip
        yield from _samples(rng, picture.image, None, picture.view.all_to_px, stacks)


def _samples(
    rng: np.random.Generator, image: Image, empty: Image | None, to_px: ToPx, stacks: Sequence[_Stack]
) -> Iterator[Sample]:
    for stack in stacks:
        stance = Stance.at(to_px, *stack.at_mm[0])
        if stack.visible < LEAST_VISIBLE or not _is_inside(image, stance, len(stack.clay)):
            continue
        for _ in range(1 + int(rng.random() < _SECOND)):
            moved = _taken_for_elsewhere(rng, stance)
            yield _sample(image, empty, moved, _true_rows(to_px, stack, moved), stack.clay)
        if rng.random() < _NOTHING:
            place = stack.at_mm[0] + rng.normal(0, 30, 2)
            there = Stance.at(to_px, *place)
            feet = [Stance.at(to_px, *other.at_mm[0]).foot for other in stacks]
            if all(_is_elsewhere(foot - there.foot, there) for foot in feet):
                yield _sample(image, empty, there, np.zeros(0), np.zeros((0, 3)))


def _sample(image: Image, empty: Image | None, stance: Stance, joints: Floats, clay: Floats) -> Sample:
    seen, bare = cut_strips(image, stance, empty)
    return Sample(seen=seen, bare=bare, known=known(stance), joints=joints, clay=clay)


def _is_inside(image: Image, stance: Stance, chips: int) -> bool:
    left, top, right, bottom = stance.box(chips)
    return left > 2 and top > 2 and right < image.shape[1] - 2 and bottom < image.shape[0] - 2


def _taken_for_elsewhere(rng: np.random.Generator, stance: Stance) -> Stance:
    """The stance as a rough look would have it: mostly right, sometimes a chip's width aside."""
    spread = 0.03 if rng.random() < 0.6 else 0.08
    up = np.clip(rng.normal(0, spread) * stance.width_px, -3 * stance.chip_px, 3 * stance.chip_px)
    aside = rng.normal(0, spread * 0.6) * stance.width_px
    return stance.moved(stance.rise / stance.chip_px * up + stance.across / stance.width_px * 2 * aside)


def _is_elsewhere(away: Floats, stance: Stance) -> bool:
    """Whether a foot so far away (pixels) is not what a look from this stance would find."""
    beside = abs(float(away @ stance.across)) / (stance.width_px / 2) / stance.width_px
    behind = abs(float(away @ stance.rise)) / stance.chip_px**2
    return beside > 0.35 or behind > 5.5


def _true_rows(to_px: ToPx, stack: _Stack, stance: Stance) -> Floats:
    """The rows at which chips begin, and at which the last ends, each where it slipped to."""
    chips = len(stack.clay)
    at_mm = np.vstack([stack.at_mm, stack.at_mm[-1:]])
    px = to_px(np.column_stack([at_mm, np.arange(chips + 1) * CHIP_THICK_MM]))
    up = (px - stance.foot) @ stance.rise / stance.chip_px**2
    return np.asarray(FOOT_ROW + ROWS_PER_CHIP * up / (1 + stance.growth * up))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lessons:
    """Many samples as arrays that fit into memory."""

    seen: Bytes
    bare: Bytes
    has_bare: NDArray[np.bool_]
    known: NDArray[np.float32]
    count: NDArray[np.int64]
    foot: NDArray[np.int64]
    clay: Bytes
    """Per row the chip's own colour, and whether there is one."""
    edge: Bytes
    """1 where a joint is, 2 where it cannot be told (beside one)."""

    def save(self, path: Path) -> None:
        np.savez(path, **{name: getattr(self, name) for name in self.__slots__})

    @classmethod
    def load(cls, path: Path) -> "Lessons":
        with np.load(path) as arrays:
            return cls(**arrays)

    @classmethod
    def joined(cls, parts: Sequence["Lessons"]) -> "Lessons":
        return cls(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__})

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> "Lessons":
        rows = [_rows_of(each) for each in samples]
        nothing = np.zeros((ROWS, COLUMNS, PICTURES), np.uint8)
        return cls(
            seen=np.stack([each.seen for each in samples]),
            bare=np.stack([nothing if each.bare is None else each.bare for each in samples]),
            has_bare=np.array([each.bare is not None for each in samples]),
            known=np.array([each.known for each in samples], np.float32),
            count=np.array([len(each.clay) for each in samples], np.int64),
            foot=np.array([round(each.joints[0]) if len(each.joints) else FOOT_ROW for each in samples], np.int64),
            clay=np.stack([clay for clay, _ in rows]), edge=np.stack([edge for _, edge in rows]),
        )  # fmt: skip


def lessons(seed: int, rendered: int, drawn: int, moments: int, by_lot: float = 0.0) -> Lessons:
    """So many samples of either kind."""
    made: list[Sample] = []
    for source, number in ((rendered_samples(seed, moments, by_lot), rendered), (drawn_samples(seed), drawn)):
        for sample in islice(source, number):
            made.append(sample)
            if len(made) % 500 == 0:
                print(f"{len(made)} samples", flush=True)
    return Lessons.of(made)


def _rows_of(sample: Sample) -> tuple[Bytes, Bytes]:
    clay, edge = np.zeros((4, ROWS), np.uint8), np.zeros(ROWS, np.uint8)
    ends = np.clip(np.round(sample.joints).astype(int), 0, ROWS - 1)
    for level, bgr in enumerate(sample.clay):
        clay[:, ends[level] : max(ends[level + 1], ends[level] + 1)] = np.array([*bgr, 255], np.uint8)[:, None]
    for row in ends:
        edge[max(row - 1, 0) : row + 2] = np.maximum(edge[max(row - 1, 0) : row + 2], 2)
    edge[ends] = 1
    return clay, edge


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--rendered", type=int, default=4500, help="stacks of rendered scenes")
    parser.add_argument("--drawn", type=int, default=500, help="stacks of drawn pictures")
    parser.add_argument("--moments", type=int, default=2, help="times the stacks of one rendered table are set anew")
    parser.add_argument("--by-lot", type=float, default=0.0, help="share of houses with clays and spots of their own")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    asked.out.mkdir(parents=True, exist_ok=True)
    made = lessons(asked.seed, asked.rendered, asked.drawn, asked.moments, asked.by_lot)
    made.save(asked.out / f"lessons-{asked.seed}.npz")


if __name__ == "__main__":
    main()
