"""Trains the reader of dice and tiles.

`python -m models.train_faces --real DIR --out RUN [--steps N] [--minutes M]` needs torch (extra `[train]`); with
`--start small-faces.onnx` it goes on from the weights of an earlier run. What it learns from is in
`models.face_batches`; with the detector's `--out` it uses the sprites and frames that were made for that.
"""

import argparse
import csv
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from models.face_batches import Squares, batch
from models.small_onnx import halved
from models.warm_start import take_up
from vision.object_faces import FACE_PX, FACES

_BATCH = 64
_RATE = 3e-3
_KEEP = 0.998  # of the mean of the weights at each step: what ships is less restless than the last step's
_EVERY = 50


def convolution(inside: int, outside: int, stride: int = 1) -> nn.Sequential:
    layer = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outside), nn.ReLU(inplace=True))


class Twice(nn.Module):
    """Two convolutions beside a way past them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = convolution(width, width), convolution(width, width)

    def forward(self, seen: Tensor) -> Tensor:
        changed: Tensor = self.second(self.first(seen))
        return seen + changed


class FaceReader(nn.Sequential):
    """A square around a die or tile to a score for every face."""

    def __init__(self) -> None:
        super().__init__(
            convolution(3, 24, 2), convolution(24, 48, 2), Twice(48), convolution(48, 96, 2), Twice(96),
            convolution(96, 160, 2), Twice(160),
            nn.Flatten(), nn.Dropout(0.3), nn.Linear(160 * (FACE_PX // 16) ** 2, len(FACES)),
        )  # fmt: skip


def train(
    real: Path, out: Path, steps: int, minutes: float, seed: int, rate: float, start: Path | None, *, tuning: bool
) -> None:
    """Trains so many steps, or minutes by the clock if these end first; writes `small-faces.onnx` and the run's log."""
    begin(out, seed)
    squares = Squares.gathered(real, out, seed, tuning=tuning)
    print(f"{len(squares.real)} real dice, {len(squares.rendered)} rendered dice and tiles", flush=True)
    rng, model = np.random.default_rng(seed), FaceReader()
    if start is not None:
        take_up(model, start, batch(squares, _BATCH, rng)[0])
    learn(model, lambda: batch(squares, _BATCH, rng), out / "small-faces.onnx", steps, minutes, rate)


def begin(out: Path, seed: int) -> None:
    """One core, numbers by lot that come again, a folder for what is made."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)


def learn(
    model: nn.Module,
    draw: Callable[[], tuple[Tensor, Tensor]],
    path: Path,
    steps: int,
    minutes: float,
    rate: float,
) -> None:
    """Learns squares and their faces as they are drawn; writes the network, and its log beside it."""
    model = model.train().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    averaged = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(_KEEP), use_buffers=True)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    seen, log = list[tuple[float, float]](), list[tuple[str, ...]]()
    step, done, begun, started = 0, 0.0, time.monotonic(), time.process_time()
    while done < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * (0.005 + 0.4975 * (1 + np.cos(np.pi * done)))
        images, faces = draw()
        with torch.autocast("cpu", torch.bfloat16):
            scores = model(images)
        loss = functional.cross_entropy(scores.float(), faces, label_smoothing=0.03)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        averaged.update_parameters(model)
        step += 1
        done = max(step / steps, (time.monotonic() - begun) / 60 / minutes)
        seen.append((loss.item(), (scores.argmax(1) == faces).float().mean().item()))
        if step % _EVERY == 0:
            mean, right = np.mean(seen[-_EVERY:], axis=0)
            log.append((str(step), f"{mean:.4f}", f"{right:.4f}", f"{(time.process_time() - started) / 60:.1f}"))
            print(*log[-1], flush=True)
            with path.with_suffix(".csv").open("w", newline="") as file:
                csv.writer(file).writerows([("step", "loss", "right", "cpu_minutes"), *log])
        if step % (10 * _EVERY) == 0 or done >= 1:
            export(averaged.module, path)


def export(model: nn.Module, path: Path) -> None:
    """Writes the network as ONNX for any number of squares (both readers' are of one size)."""
    model.eval()
    example, axes = torch.zeros(1, 3, FACE_PX, FACE_PX), {"seen": {0: "n"}, "scores": {0: "n"}}
    torch.onnx.export(
        model, (example,), str(path), input_names=["seen"], output_names=["scores"], dynamic_axes=axes, dynamo=False
    )
    halved(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path)
    parser.add_argument(
        "--tuning", action="store_true", help="the last steps: real dice kept for tuning are learnt too"
    )
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--rate", type=float, default=_RATE)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    train(
        asked.real, asked.out, asked.steps, asked.minutes, asked.seed, asked.rate, asked.start, tuning=asked.tuning
    )  # fmt: skip


if __name__ == "__main__":
    main()
