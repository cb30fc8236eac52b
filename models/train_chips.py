"""Trains the two small networks for chips: the finder (where stacks stand) and the counter (how many chips one has).

`python -m models.train_chips counter|finder --out RUN [--minutes N] [--resume]` needs torch (extra `[train]`). All pictures are
drawn as they are needed (`datasets.chip_pictures`); nothing is read from disk.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from datasets.chip_pictures import ChipPicture, chip_pictures
from models.chip_networks import Counter, Finder
from vision.chip_crop import CROP_PX, STRIDE, Crop, as_input
from vision.chip_stance import Stance
from vision.chip_strip import FOOT_ROW, ROWS, ROWS_PER_CHIP, strips

Batch = tuple[Tensor, ...]
Sample = tuple[NDArray[np.float32] | int, ...]
_POOL = 6000


def counter_samples(seed: int) -> Iterator[tuple[NDArray[np.float32], int, int]]:
    """Strips, how many chips they show (0: no stack's foot is there), and the foot's row."""
    rng = np.random.default_rng(seed)
    for picture in chip_pictures(10**9, seed, high_deg=76.0, most_px=64.0):
        for stack in picture.stacks:
            stance = Stance.at(picture.view.all_to_px, stack.x_mm, stack.y_mm)
            if stack.visible < 0.75:
                continue
            up, right = stance.rise / stance.chip_px, stance.across / stance.width_px * 2
            slip = rng.normal(0, 0.05) * stance.width_px
            slip = float(np.clip(slip, -3 * stance.chip_px, 3 * stance.chip_px))
            moved = stance.moved(up * slip + right * rng.normal(0, 0.03) * stance.width_px)
            row = round(FOOT_ROW - slip / stance.chip_px * ROWS_PER_CHIP)
            yield strips(picture.image, moved), len(stack.chips), row
        if rng.random() < 0.4:
            empty = _empty_place(picture, rng)
            if empty is not None:
                yield strips(picture.image, empty), 0, FOOT_ROW


def _empty_place(picture: ChipPicture, rng: np.random.Generator) -> Stance | None:
    x_mm, y_mm = rng.normal(0, 40, 2)
    if min(np.hypot(x_mm - stack.x_mm, y_mm - stack.y_mm) for stack in picture.stacks) < 30:
        return None
    return Stance.at(picture.view.all_to_px, x_mm, y_mm)


def counter_loss(model: Counter, batch: Batch) -> tuple[Tensor, float]:
    seen, count, row = batch
    scores, foot, _ = model(seen)
    loss = functional.cross_entropy(scores, count, label_smoothing=0.01)
    standing = count > 0
    if standing.any():
        loss = loss + 0.1 * functional.cross_entropy(foot[standing], row[standing])
    return loss, float((scores.argmax(1) == count).float().mean())


def finder_samples(seed: int) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]]:
    """Crops, the heat of top faces, and at each top its offset, size, aspect and height."""
    rng = np.random.default_rng(seed)
    for picture in chip_pictures(10**9, seed):
        known = Stance.at(picture.view.all_to_px, 0.0, 0.0)
        middle = known.foot + rng.normal(0, 0.8, 2) * known.width_px
        crop = Crop.around(middle, up=known.rise, scale=24.0 / known.width_px * float(np.exp(rng.normal(0, 0.15))))
        yield as_input(crop.cut(picture.image)), *_finder_truth(picture, crop)


def _finder_truth(picture: ChipPicture, crop: Crop) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    cells = CROP_PX // STRIDE
    heat, maps = np.zeros((cells, cells), np.float32), np.zeros((6, cells, cells), np.float32)
    grid = np.stack(np.meshgrid(np.arange(cells), np.arange(cells)), axis=-1)
    for stack in picture.stacks:
        stance = Stance.at(picture.view.all_to_px, stack.x_mm, stack.y_mm)
        top = stance.centres(np.array([float(len(stack.chips))]))[0]
        at = crop.to_crop(top) / STRIDE - 0.5
        column, row = np.round(at).astype(int)
        if not (0 <= column < cells and 0 <= row < cells) or stack.visible < 0.3:
            continue
        heat = np.maximum(heat, np.exp(-((grid - at) ** 2).sum(-1) / (2 * 0.8**2)).astype(np.float32))
        heat[row, column] = 1
        drop = crop.scale * float(np.linalg.norm(top - stance.foot))
        width = crop.scale * stance.width_px * (1 + stance.growth * len(stack.chips))
        maps[:, row, column] = (*(at - (column, row)), np.log(width / 24), stance.aspect, drop / 24, 1)
    return heat, maps


def finder_loss(model: Finder, batch: Batch) -> tuple[Tensor, float]:
    seen, heat, maps = batch
    raw = model(seen)
    guess = raw[:, 0].sigmoid().clamp(1e-4, 1 - 1e-4)
    is_top = maps[:, 5] > 0
    hit = -((1 - guess) ** 2 * guess.log())[is_top].sum()
    miss = -((1 - heat) ** 4 * guess**2 * (1 - guess).log())[~is_top].sum()
    tops = is_top.sum().clamp(min=1)
    near = functional.l1_loss(raw[:, 1:6].permute(0, 2, 3, 1)[is_top], maps[:, :5].permute(0, 2, 3, 1)[is_top])
    return (hit + miss) / tops + 2 * near, float(near.detach())


def batches(samples: Iterator[Sample], size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """Drawing is dearer than learning: every batch is drawn from a pool of which only a third of a batch is replaced."""
    pool: list[Sample] = []
    while True:
        pool.extend(next(samples) for _ in range(size if len(pool) < 4 * size else size // 3))
        del pool[: max(0, len(pool) - _POOL)]
        chosen = [pool[i] for i in rng.integers(0, len(pool), size)]
        seen, *truth = (torch.from_numpy(np.stack([np.asarray(each) for each in column])) for column in zip(*chosen, strict=True))
        yield _recoloured(seen, rng), *truth


def _recoloured(seen: Tensor, rng: np.random.Generator) -> Tensor:
    """The three colours of every picture in another order, and the whole a little brighter or darker."""
    seen = seen.clone()
    colours = min(9, seen.shape[1])
    for each in seen:
        order = np.tile(rng.permutation(3), colours // 3) + np.repeat(np.arange(0, colours, 3), 3)
        each[:colours] = (each[order.tolist()] + 0.5) * float(rng.uniform(0.75, 1.2)) - 0.5
    return seen


def train(which: str, out: Path, minutes: float, resume: bool, seed: int) -> None:
    """Trains for so many processor minutes, keeping a checkpoint twice a minute."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    model = Counter() if which == "counter" else Finder()
    kept = out / f"{which}.pt"
    if resume:
        model.load_state_dict(torch.load(kept))
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-4)
    feed = batches(counter_samples(seed) if which == "counter" else finder_samples(seed), 48 if which == "counter" else 24, np.random.default_rng(seed))
    started, saved, step, shown = time.process_time(), time.monotonic(), 0, [0.0, 0.0, 0]
    while (spent := (time.process_time() - started) / 60 / minutes) < 1:
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * min(1.0, (step + 1) / 50) * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * spent)))
        loss, figure = counter_loss(model, next(feed)) if isinstance(model, Counter) else finder_loss(model, next(feed))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        step += 1
        shown = [shown[0] + float(loss.detach()), shown[1] + figure, shown[2] + 1]
        if time.monotonic() - saved > 30:
            print(f"{which} step {step} loss {shown[0] / shown[2]:.4f} figure {shown[1] / shown[2]:.4f}", flush=True)
            torch.save(model.state_dict(), kept)
            saved, shown = time.monotonic(), [0.0, 0.0, 0]
    torch.save(model.state_dict(), kept)
    export(model, which, out)


def export(model: nn.Module, which: str, out: Path) -> None:
    """Writes the network as ONNX, with a free batch size (and for the finder a free picture size)."""
    model.eval()
    example = torch.zeros(1, 11, ROWS, 32) if which == "counter" else torch.zeros(1, 3, CROP_PX, CROP_PX)
    free = {"seen": {0: "n"}} if which == "counter" else {"seen": {0: "n", 2: "h", 3: "w"}}
    torch.onnx.export(model, (example,), str(out / f"chip-{which}.onnx"), input_names=["seen"], dynamic_axes=free, dynamo=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=("counter", "finder"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    train(asked.which, asked.out, asked.minutes, asked.resume, asked.seed)


if __name__ == "__main__":
    main()
