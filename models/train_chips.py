"""Trains the network that counts a stack's chips and tells their colours.

`python -m models.train_chips --out RUN [--minutes N] [--resume]` needs torch (extra `[train]`). All pictures are drawn
as they are needed (`datasets.chip_pictures`); nothing is read from disk.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from datasets.chip_looks import ChipLook
from datasets.chip_pictures import ChipPicture, chip_pictures
from models.chip_networks import Counter
from vision.chip_stance import Stance
from vision.chip_strip import CHANNELS, COLUMNS, FOOT_ROW, ROWS, ROWS_PER_CHIP, strips

Batch = tuple[Tensor, ...]
Sample = tuple[NDArray[np.float32] | int, ...]
_POOL = 6000
_BATCH = 48
_RATE = 2e-3


def samples(seed: int) -> Iterator[tuple[NDArray[np.float32], int, int, NDArray[np.float32]]]:
    """Strips, how many chips they show (0: no stack's foot is there), the foot's row, and each row's colour."""
    rng = np.random.default_rng(seed)
    for picture in chip_pictures(10**9, seed, high_deg=76.0, most_px=64.0):
        for stack in picture.stacks:
            stance = Stance.at(picture.view.all_to_px, stack.x_mm, stack.y_mm)
            if stack.visible < 0.75:
                continue
            up, right = stance.rise / stance.chip_px, stance.across / stance.width_px * 2
            slip = rng.normal(0, 0.06) * stance.width_px
            slip = float(np.clip(slip, -3 * stance.chip_px, 3 * stance.chip_px))
            moved = stance.moved(up * slip + right * rng.normal(0, 0.04) * stance.width_px)
            row = round(FOOT_ROW - slip / stance.chip_px * ROWS_PER_CHIP)
            yield strips(picture.image, moved), len(stack.chips), row, _clay(stack.chips, row)
        if rng.random() < 0.6:
            empty = _empty_place(picture, rng)
            if empty is not None:
                yield strips(picture.image, empty), 0, FOOT_ROW, _clay((), FOOT_ROW)


def _clay(chips: Sequence[ChipLook], foot_row: int) -> NDArray[np.float32]:
    """The chips' own colours by row, and a last line that says which rows have one."""
    rows = np.zeros((4, ROWS), np.float32)
    for level, chip in enumerate(chips):
        start = foot_row + level * ROWS_PER_CHIP
        rows[:, start : start + ROWS_PER_CHIP] = np.array([*(np.array(chip.bgr) / 255 - 0.5), 1.0], np.float32)[:, None]
    return rows


def _empty_place(picture: ChipPicture, rng: np.random.Generator) -> Stance | None:
    """A place where no stack has its foot, though one may stand close by, or its body be in front."""
    near = picture.stacks[rng.integers(len(picture.stacks))]
    x_mm, y_mm = rng.normal((near.x_mm, near.y_mm), 30)
    stance = Stance.at(picture.view.all_to_px, x_mm, y_mm)
    for stack in picture.stacks:
        away = Stance.at(picture.view.all_to_px, stack.x_mm, stack.y_mm).foot - stance.foot
        beside = abs(float(away @ stance.across)) / (stance.width_px / 2) / stance.width_px
        behind = abs(float(away @ stance.rise)) / stance.chip_px**2
        if beside < 0.35 and behind < 5.5:
            return None
    return stance


def loss_of(model: Counter, batch: Batch) -> tuple[Tensor, float]:
    seen, count, row, clay = batch
    scores, foot, _, colour = model(seen)
    loss = functional.cross_entropy(scores, count, label_smoothing=0.01)
    standing = count > 0
    if standing.any():
        loss = loss + 0.1 * functional.cross_entropy(foot[standing], row[standing])
        has = clay[:, 3:].expand(-1, 3, -1) > 0
        loss = loss + 3 * functional.smooth_l1_loss(colour[has], clay[:, :3][has], beta=0.05)
    return loss, float((scores.argmax(1) == count).float().mean())


def batches(source: Iterator[Sample], size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """Drawing is dearer than learning: every batch comes from a pool of which a third of a batch is replaced."""
    pool: list[Sample] = []
    while True:
        pool.extend(next(source) for _ in range(size if len(pool) < 4 * size else size // 3))
        del pool[: max(0, len(pool) - _POOL)]
        chosen = [pool[i] for i in rng.integers(0, len(pool), size)]
        seen, *truth = (
            torch.from_numpy(np.stack([np.asarray(each) for each in column])) for column in zip(*chosen, strict=True)
        )
        _recolour(seen, truth[-1], rng)
        yield seen, *truth


def _recolour(seen: Tensor, truth: Tensor, rng: np.random.Generator) -> None:
    """The three colours of every picture (and of its chips) in another order, and the picture brighter or darker."""
    colours = min(9, seen.shape[1])
    for each, rows in zip(seen, truth, strict=True):
        swap = rng.permutation(3)
        order = np.tile(swap, colours // 3) + np.repeat(np.arange(0, colours, 3), 3)
        each[:colours] = (each[order.tolist()] + 0.5) * float(rng.uniform(0.75, 1.2)) - 0.5
        if rows.shape == (4, ROWS):
            rows[:3] = rows[swap.tolist()]


def train(out: Path, minutes: float, resume: bool, seed: int) -> None:
    """Trains for so many processor minutes, keeping a checkpoint twice a minute."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    model, kept = Counter(), out / "counter.pt"
    if resume:
        model.load_state_dict(torch.load(kept))
    optimiser = torch.optim.AdamW(model.parameters(), lr=_RATE, weight_decay=1e-4)
    feed = batches(samples(seed), _BATCH, np.random.default_rng(seed))
    started, saved, step, shown = time.process_time(), time.monotonic(), 0, [(0.0, 0.0)]
    while (spent := (time.process_time() - started) / 60 / minutes) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate_at(step, spent)
        loss, right = loss_of(model, next(feed))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        step += 1
        shown.append((float(loss.detach()), right))
        if time.monotonic() - saved > 30:
            mean_loss, mean_right = np.mean(shown[1:], axis=0)
            print(f"step {step} loss {mean_loss:.4f} right {mean_right:.4f}", flush=True)
            torch.save(model.state_dict(), kept)
            saved, shown = time.monotonic(), [(0.0, 0.0)]
    torch.save(model.state_dict(), kept)
    export(model, out / "chip-counter.onnx")


def rate_at(step: int, spent: float) -> float:
    """The learning rate: a short rise, then down along a cosine as the time is spent (0 to 1)."""
    return _RATE * min(1.0, (step + 1) / 50) * (0.02 + 0.49 * (1 + float(np.cos(np.pi * spent))))


def export(model: Counter, path: Path) -> None:
    """Writes the network as ONNX, for any number of stacks at a time."""
    model.eval()
    example = torch.zeros(1, CHANNELS, ROWS, COLUMNS)
    torch.onnx.export(model, (example,), str(path), input_names=["seen"], dynamic_axes={"seen": {0: "n"}}, dynamo=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    train(asked.out, asked.minutes, asked.resume, asked.seed)


if __name__ == "__main__":
    main()
