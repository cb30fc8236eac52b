"""Trains the small judge of chip colours (`vision/chip_clay.py`) on the samples that `models.train_chips` made.

`python -m models.train_chip_colours --lessons RUN/lessons-*.npz --out RUN` needs torch (extra `[train]`) and half a
minute. Chips of every kind are judged against palettes drawn by lot, so that a house may have any.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from datasets.casino.chip_designs import COLOURS
from models.chip_samples import Lessons
from vision.chip_clay import FEATURES, bands, features
from vision.chip_colours import Palette

_STACKS = 6000
_LEAST_BAND_PX = 1.3
_ROW_ERROR = 0.3
_FEWEST = 4
_EPOCHS, _BATCH, _RATE = 40, 512, 4e-3
_NEVER = -1e4


def judged(known: Lessons, rng: np.random.Generator) -> Iterator[tuple[NDArray[np.float32], list[int]]]:
    """Stacks as the judge sees them (levels x colours x features), and which colour each level has."""
    palette = Palette.named()
    places: dict[tuple[int, ...], int] = {COLOURS[name]: index for index, name in enumerate(palette.chips)}
    for sample in rng.permutation(len(known.count)):
        joints = np.flatnonzero(known.edge[sample] == 1)
        clay = [tuple(int(c) for c in known.clay[sample, :3, (low + high) // 2]) for low, high in pairwise(joints)]
        is_whole = known.count[sample] > 0 and len(joints) == known.count[sample] + 1
        is_legible = np.exp(2 * known.known[sample, 0]) > _LEAST_BAND_PX
        if not is_whole or not is_legible or any(each not in places for each in clay):
            continue
        own = np.array([places[each] for each in clay])
        others = np.setdiff1d(np.arange(len(places)), own)
        most = int(rng.integers(_FEWEST, len(places) + 1))
        chosen = rng.permutation([*np.unique(own), *rng.permutation(others)[: max(0, most - len(np.unique(own)))]])
        rows = joints + rng.normal(0, _ROW_ERROR, len(joints))
        seen = features(bands(known.seen[sample], rows, float(known.known[sample, 1]) + 0.7), palette.bgr[chosen])
        where = {int(colour): place for place, colour in enumerate(chosen)}
        yield seen, [where[int(colour)] for colour in (*own, own[-1])]


def table(stacks: Sequence[tuple[NDArray[np.float32], list[int]]]) -> tuple[Tensor, Tensor, Tensor]:
    """All levels, palettes filled up to the largest: features, which colours there are, which is right."""
    widest = max(seen.shape[1] for seen, _ in stacks)
    filled = [np.pad(seen, ((0, 0), (0, widest - seen.shape[1]), (0, 0))) for seen, _ in stacks]
    there = [np.tile(np.arange(widest) < seen.shape[1], (len(seen), 1)) for seen, _ in stacks]
    right = np.concatenate([np.array(right) for _, right in stacks])
    return torch.from_numpy(np.concatenate(filled)), torch.from_numpy(np.concatenate(there)), torch.from_numpy(right)


def train(lessons: Sequence[Path], out: Path, seed: int) -> None:
    """Trains and writes the judge."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    each_part = _STACKS // len(lessons)
    stacks = [stack for path in lessons for stack in islice(judged(Lessons.load(path), rng), each_part)]
    seen, there, right = table(stacks)
    judge = nn.Sequential(
        nn.Linear(FEATURES, 48), nn.ReLU(), nn.Linear(48, 32), nn.ReLU(), nn.Linear(32, 1)
    )  # fmt: skip
    optimiser = torch.optim.AdamW(judge.parameters(), lr=_RATE, weight_decay=1e-3)
    steps = _EPOCHS * len(right) // _BATCH
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = _RATE * (0.02 + 0.49 * (1 + np.cos(np.pi * step / steps)))
        chosen = torch.randint(0, len(right), (_BATCH,))
        scores = judge(seen[chosen])[..., 0].masked_fill(~there[chosen], _NEVER)
        loss = nn.functional.cross_entropy(scores, right[chosen])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % (steps // 10) == 0:
            share = float((scores.argmax(1) == right[chosen]).float().mean())
            print(f"step {step} loss {float(loss.detach()):.4f} right {share:.4f}", flush=True)
    judge.eval()
    torch.onnx.export(
        judge, (torch.zeros(1, FEATURES),), str(out / "chip-colours.onnx"), input_names=["seen"], dynamo=False,
        dynamic_axes={"seen": {0: "n"}},
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    train(asked.lessons, asked.out, asked.seed)


if __name__ == "__main__":
    main()
