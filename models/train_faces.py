"""Trains the reader of dice and tiles: real dice (two thirds of the set), drawn dice and drawn tiles.

`python -m models.train_faces --real DIR --out RUN [--minutes N]` needs torch (extra `[train]`).
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from datasets.object_pictures import face_scene
from models.chip_networks import conv
from models.train_chips import batches, rate_at
from models.train_objects import real_pictures
from vision.object_faces import FACE_PX, FACES, face_square
from vision.seen import Box


_REAL_PER_SCENE = 8


class FaceReader(nn.Sequential):
    """A square around a die or tile to a score for every face."""

    def __init__(self) -> None:
        super().__init__(
            conv(3, 16), conv(16, 24, 2), conv(24, 32), conv(32, 48, 2), conv(48, 48), conv(48, 64, 2), conv(64, 64),
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(64 * (FACE_PX // 8) ** 2, len(FACES)),
        )  # fmt: skip


def samples(real: Path, seed: int) -> Iterator[tuple[NDArray[np.float32], int]]:
    """Squares and their faces: for every drawn picture of dice and of tiles some real dice, which cost little."""
    rng = np.random.default_rng(seed)
    pictures = list(real_pictures(real / "dice", held_out=False))
    while True:
        for _ in range(_REAL_PER_SCENE):
            image, rows = pictures[rng.integers(len(pictures))]
            face, x, y, width, height = rows[rng.integers(len(rows))]
            yield turned_square(image, _box(image, x, y, width, height), rng), int(face)
        for what in ("die", "tile"):
            image, seen = face_scene(rng, what)
            for each in seen:
                yield _square(image, each.box, rng), FACES.index(each.label or "")


def _box(image: NDArray[np.uint8], x: float, y: float, width: float, height: float) -> Box:
    high, wide = image.shape[:2]
    return (x - width / 2) * wide, (y - height / 2) * high, (x + width / 2) * wide, (y + height / 2) * high


def _square(image: NDArray[np.uint8], box: Box, rng: np.random.Generator) -> NDArray[np.float32]:
    """As the detector would give it: not quite in the middle, not quite the right size."""
    left, top, right, bottom = np.array(box) + rng.normal(0, 0.04, 4) * max(box[2] - box[0], box[3] - box[1])
    square = face_square(image, (float(left), float(top), float(right), float(bottom)))
    return square[:, :, ::-1].copy() if rng.random() < 0.5 else square


def turned_square(image: NDArray[np.uint8], box: Box, rng: np.random.Generator) -> NDArray[np.float32]:
    """The same, turned by any angle: there are few real dice."""
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    side = int(max(box[2] - box[0], box[3] - box[1]) * 2) + 8
    angle, scale = float(rng.uniform(0, 360)), float(rng.uniform(0.8, 1.1))
    turn = np.array(cv2.getRotationMatrix2D(middle, angle, scale), np.float64)
    turn[:, 2] += side / 2 - np.array(middle)
    part = cv2.warpAffine(image, turn, (side, side), borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)
    if rng.random() < 0.3:
        part = cv2.GaussianBlur(part, (0, 0), float(rng.uniform(0.3, 1.0))).astype(np.uint8)
    half = np.array([box[2] - box[0], box[3] - box[1]]) / 2
    return _square(part, (side / 2 - half[0], side / 2 - half[1], side / 2 + half[0], side / 2 + half[1]), rng)


def train(real: Path, out: Path, minutes: float, resume: bool, seed: int) -> None:
    """Trains for so many processor minutes, keeping a checkpoint twice a minute."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    model = FaceReader()
    if resume:
        model.load_state_dict(torch.load(out / "faces.pt"))
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)
    feed = batches(samples(real, seed), 48, np.random.default_rng(seed))
    started, saved, step, right = time.process_time(), time.monotonic(), 0, []
    while (spent := (time.process_time() - started) / 60 / minutes) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate_at(step, spent)
        seen, face = next(feed)
        scores = model(seen)
        loss = functional.cross_entropy(scores, face, label_smoothing=0.02)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        step += 1
        right.append(float((scores.argmax(1) == face).float().mean()))
        if time.monotonic() - saved > 30:
            print(f"faces step {step} loss {float(loss.detach()):.4f} right {np.mean(right):.4f}", flush=True)
            torch.save(model.state_dict(), out / "faces.pt")
            saved, right = time.monotonic(), []
    torch.save(model.state_dict(), out / "faces.pt")
    model.eval()
    example = torch.zeros(1, 3, FACE_PX, FACE_PX)
    torch.onnx.export(
        model,
        (example,),
        str(out / "small-faces.onnx"),
        input_names=["seen"],
        dynamic_axes={"seen": {0: "n"}},
        dynamo=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    train(asked.real, asked.out, asked.minutes, asked.resume, asked.seed)


if __name__ == "__main__":
    main()
