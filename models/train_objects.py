"""Trains the object detectors (stacks, dice, tiles, dolly, button, hands, whole cards).

`python -m models.train_objects --real DIR --start yolov5n-coco-backbone.safetensors --out RUN [--steps N]` needs torch
(extra `[train]`); with `--start objects.onnx` it goes on from weights that ship. It learns from real pictures (a third
of every set is never touched: `datasets.real_split`), from sprites on any ground, from felts with print and from frames
of the rendered casino: `models.object_batches`.
"""

import argparse
import copy
import csv
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.object_batches import SIDE_PX, Sources, batch
from models.object_network import STRIDES, Exported, ObjectNetwork, boxes, centres
from models.small_onnx import halved
from vision.objects import CLASSES

_BATCH = 10
_RATE, _RESUMED_RATE = 2e-3, 8e-4
_BEST = 10  # cells that answer for one thing
_BOX_WEIGHT = 5.0
_EVERY = 50
_KEEP = 0.998  # of the averaged weights, at each step


class Loss:
    """Each thing is learnt by the cells in it whose box and score fit it best already (task-aligned assignment)."""

    def __init__(self) -> None:
        sides = [SIDE_PX // stride for stride in STRIDES]
        levels = list(zip(sides, STRIDES, strict=True))
        self.cells = torch.cat([centres(side, side, stride) for side, stride in levels])
        self.strides = torch.cat([torch.full((side * side, 1), float(stride)) for side, stride in levels])

    def __call__(
        self, said: list[tuple[Tensor, Tensor]], truths: list[Tensor], taught: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The loss of the scores and of the boxes."""
        scores = torch.cat([kinds.float().transpose(1, 2) for kinds, _ in said], 1)
        sides = torch.cat([sides.float().transpose(1, 2) for _, sides in said], 1)
        found = boxes(self.cells, sides, self.strides)
        wanted, off = torch.zeros_like(scores), scores.new_zeros(())
        for index, rows in enumerate(truths):
            if len(rows):
                cell, owner, fit = self._assigned(scores[index].detach(), found[index].detach(), rows)
                wanted[index, cell, rows[owner, 0].long()] = fit
                off = off + (fit * (1 - overlaps(found[index, cell], rows[owner, 1:], giou=True))).sum()
        total = wanted.sum().clamp(min=1.0)
        loss = functional.binary_cross_entropy_with_logits(scores, wanted, reduction="none") * taught[:, None]
        return loss.sum() / total, off / total

    def _assigned(self, scores: Tensor, found: Tensor, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Cells that answer for a thing, which thing that is, and the score that each should have."""
        low, high = self.cells[None] - rows[:, None, 1:3], rows[:, None, 3:5] - self.cells[None]
        inside = torch.minimum(low, high).amin(2) > 0
        nearest = (low - high).square().sum(2).argmin(1)  # small things may have no cell's middle in them
        inside[torch.arange(len(rows)), nearest] = True
        overlap = overlaps(found[None], rows[:, None, 1:]).clamp(min=1e-4) * inside
        metric = scores.sigmoid()[:, rows[:, 0].long()].T.sqrt() * overlap**4
        best = metric.topk(_BEST, 1)
        chosen = torch.zeros_like(metric).scatter_(1, best.indices, best.values)
        mine, owner = chosen.max(0)
        cell = (mine > 0).nonzero()[:, 0]
        owner = owner[cell]
        top_metric, top_overlap = metric.amax(1).clamp(min=1e-9), overlap.amax(1)
        return cell, owner, mine[cell] / top_metric[owner] * top_overlap[owner]


def overlaps(one: Tensor, other: Tensor, *, giou: bool = False) -> Tensor:
    """Intersection over union; `giou` also counts how far apart boxes are, so that there is always a way to improve."""
    low, high = torch.maximum(one[..., :2], other[..., :2]), torch.minimum(one[..., 2:], other[..., 2:])
    both = (high - low).clamp(min=0).prod(-1)
    either = (one[..., 2:] - one[..., :2]).prod(-1) + (other[..., 2:] - other[..., :2]).prod(-1) - both + 1e-6
    if not giou:
        return both / either
    around = torch.maximum(one[..., 2:], other[..., 2:]) - torch.minimum(one[..., :2], other[..., :2])
    hull = around.prod(-1) + 1e-6
    return both / either - (hull - either) / hull


def train(
    real: Path, start: Path, out: Path, steps: int, seed: int, minutes: float, *, only_cards: bool = False
) -> None:
    """Trains so many steps, or minutes by the clock if these end first; writes `objects.onnx` and `objects.csv`."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    sources = Sources.gathered(real, out, seed, only_cards=only_cards)
    model = ObjectNetwork(len(CLASSES))
    resumed = start.suffix == ".onnx"
    taken = model.resume_from(start) if resumed else model.start_from(start)
    rate = _RESUMED_RATE if resumed else _RATE
    print(f"{taken} layers or tensors taken from {start.name}", flush=True)
    model = model.to(memory_format=torch.channels_last).learning()  # type: ignore[call-overload]
    averaged = copy.deepcopy(model)
    learnt = [weights for weights in model.parameters() if weights.requires_grad]
    optimiser = torch.optim.AdamW(learnt, lr=rate, weight_decay=5e-3)
    loss_of, rng, log, started = Loss(), np.random.default_rng(seed), [], time.process_time()
    seen: list[tuple[float, float]] = []
    step, begun, done = 0, time.monotonic(), 0.0
    while done < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * (0.01 + 0.495 * (1 + np.cos(np.pi * done)))
        images, truths, taught = batch(sources, _BATCH, rng)
        with torch.autocast("cpu", torch.bfloat16):
            said = model(images)
        of_scores, of_boxes = loss_of(said, truths, taught)
        optimiser.zero_grad()
        (of_scores + _BOX_WEIGHT * of_boxes).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(learnt, 10.0)
        optimiser.step()
        step += 1
        done = max(step / steps, (time.monotonic() - begun) / 60 / minutes)
        _average(averaged, model, min(_KEEP, step / (step + 10)))
        seen.append((of_scores.item(), of_boxes.item()))
        if step % _EVERY == 0:
            scores, off = np.mean(seen[-_EVERY:], axis=0)
            log.append((step, f"{scores:.4f}", f"{off:.4f}", f"{(time.process_time() - started) / 60:.1f}"))
            print(*log[-1], flush=True)
            _write_log(out / "objects.csv", log)
        if step % (6 * _EVERY) == 0 or done >= 1:
            export(averaged, out / "objects.onnx")


def _average(averaged: ObjectNetwork, model: ObjectNetwork, keep: float) -> None:
    with torch.no_grad():
        for mean, now in zip(averaged.state_dict().values(), model.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.lerp_(now, 1 - keep)
            else:
                mean.copy_(now)


def _write_log(path: Path, log: list[tuple[int, str, str, str]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("step", "scores", "boxes", "cpu_minutes"), *log])


def export(model: ObjectNetwork, path: Path) -> None:
    """Writes the network as ONNX for pictures of any size, its weights in half precision on disk."""
    shipped = Exported(copy.deepcopy(model)).eval()
    example = torch.zeros(1, 3, 64, 96)
    axes = {"seen": {2: "height", 3: "width"}, "found": {2: "cells"}}
    torch.onnx.export(
        shipped, (example,), str(path), input_names=["seen"], output_names=["found"], dynamic_axes=axes, dynamo=False
    )
    halved(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=1600)
    parser.add_argument("--minutes", type=float, default=np.inf, help="by the clock; the rate falls in time for it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-cards", action="store_true", help="mostly whole cards: for whole-cards.onnx")
    asked = parser.parse_args()
    train(
        asked.real, asked.start, asked.out, asked.steps, asked.seed, asked.minutes, only_cards=asked.only_cards
    )


if __name__ == "__main__":
    main()
