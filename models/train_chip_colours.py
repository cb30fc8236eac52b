"""Trains the small judge of chip colours (`vision/chip_clay.py`), once the counter is trained.

`python -m models.train_chip_colours --lessons RUN/lessons-*.npz --counter RUN/chip-counter.onnx --out RUN` needs torch
(extra `[train]`) and five minutes. Chips are judged against palettes drawn by lot, so that a house may have any, with
the rows and the clay that the counter says.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from onnxruntime import InferenceSession, SessionOptions
from torch import Tensor, nn

from datasets.casino.chip_designs import COLOURS
from models.chip_batches import relit
from models.chip_samples import Lessons
from vision.chip_clay import FEATURES, clay_of, features
from vision.chip_colours import Palette
from vision.chip_count import looks_from
from vision.chip_stance import Stance
from vision.chip_strip import network_planes

_STACKS = 16_000
_HELD_OUT = 0.1
_LEAST_BAND_PX = 1.2
_FEWEST = 4
_EPOCHS, _BATCH, _RATE = 20, 512, 4e-3
_NEVER = -1e4
_NO_EMPTY = 0.2
_ANYWHERE = Stance.guessed(np.zeros(2), 40.0, 0.7)

Judged = tuple[NDArray[np.float32], list[int]]


def judged(known: Lessons, counter: InferenceSession, rng: np.random.Generator) -> Iterator[Judged]:
    """Stacks as the judge sees them (levels x colours x features), and which colour each level has."""
    palette = Palette.named()
    usual = np.array([COLOURS[name] for name in palette.chips], float)
    for sample in range(len(known.count)):
        joints = np.flatnonzero(known.edge[sample] == 1)
        is_whole = known.count[sample] > 0 and len(joints) == known.count[sample] + 1
        is_legible = np.exp(2 * known.known[sample, 0]) > _LEAST_BAND_PX
        if not is_whole or not is_legible or not known.has_bare[sample]:  # drawn chips have colours without names
            continue
        clay = known.clay[sample, :3, (joints[:-1] + joints[1:]) // 2].astype(float)
        own = np.linalg.norm(clay[:, None] - usual, axis=2).argmin(axis=1)
        others = np.setdiff1d(np.arange(len(usual)), own)
        most = int(rng.integers(_FEWEST, len(usual) + 1))
        chosen = rng.permutation([*np.unique(own), *rng.permutation(others)[: max(0, most - len(np.unique(own)))]])
        swap = rng.permutation(3) if rng.random() < 0.25 else np.arange(3)
        seen, bare = relit(known, sample, swap, rng)
        has_bare = rng.random() > _NO_EMPTY
        told = (float(known.known[sample, 0]), float(known.known[sample, 1]))
        look = looks_from(counter, network_planes(seen, bare if has_bare else None, told)[None], [(_ANYWHERE, seen)])[0]
        stack = look.stack(int(known.count[sample]))
        clay_said = clay_of(counter, look.planes)
        made = features(seen, stack.rows, told[1] + 0.7, clay_said, palette.bgr[chosen][:, swap])
        where = {int(colour): place for place, colour in enumerate(chosen)}
        yield made, [where[int(colour)] for colour in (*own, own[-1])]


def table(stacks: Sequence[Judged]) -> tuple[Tensor, Tensor, Tensor]:
    """All levels, palettes filled up to the largest: features, which colours there are, which is right."""
    widest = len(Palette.named().chips)
    filled = [np.pad(seen, ((0, 0), (0, widest - seen.shape[1]), (0, 0))) for seen, _ in stacks]
    there = [np.tile(np.arange(widest) < seen.shape[1], (len(seen), 1)) for seen, _ in stacks]
    right = np.concatenate([np.array(right) for _, right in stacks])
    return torch.from_numpy(np.concatenate(filled)), torch.from_numpy(np.concatenate(there)), torch.from_numpy(right)


def train(lessons: Sequence[Path], counter: Path, out: Path, seed: int) -> None:
    """Trains and writes the judge, and a log of its progress; a tenth of each part is held out."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    options = SessionOptions()
    options.intra_op_num_threads = 1
    session = InferenceSession(str(counter), options, providers=["CPUExecutionProvider"])
    learnt, held = [], []
    for path in lessons:
        part = list(islice(judged(Lessons.load(path), session, rng), _STACKS // len(lessons)))
        held += part[: int(_HELD_OUT * len(part))]
        learnt += part[int(_HELD_OUT * len(part)) :]
        print(f"{len(learnt)} stacks", flush=True)
    (seen, there, right), others = table(learnt), table(held)
    judge = nn.Sequential(
        nn.Linear(FEATURES, 96), nn.ReLU(), nn.Dropout(0.1), nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, 1)
    )  # fmt: skip
    optimiser = torch.optim.AdamW(judge.parameters(), lr=_RATE, weight_decay=1e-2)
    steps, lines = _EPOCHS * len(right) // _BATCH, ["step,loss,right,held_out_right"]
    for step in range(1, steps + 1):
        for group in optimiser.param_groups:
            group["lr"] = _RATE * (0.02 + 0.49 * (1 + np.cos(np.pi * step / steps)))
        chosen = torch.randint(0, len(right), (_BATCH,))
        scores = _scores(judge, seen[chosen], there[chosen])
        loss = nn.functional.cross_entropy(scores, right[chosen])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % (steps // 10) == 0:
            share = float((scores.argmax(1) == right[chosen]).float().mean())
            lines.append(f"{step},{float(loss.detach()):.4f},{share:.4f},{_right_on(judge, *others):.4f}")
            print(lines[-1], flush=True)
    judge.eval()
    (out / "chip-colours.csv").write_text("\n".join(lines) + "\n")
    torch.onnx.export(
        judge, (torch.zeros(1, FEATURES),), str(out / "chip-colours.onnx"), input_names=["seen"], dynamo=False,
        dynamic_axes={"seen": {0: "n"}},
    )  # fmt: skip


def _scores(judge: nn.Module, seen: Tensor, there: Tensor) -> Tensor:
    scores: Tensor = judge(seen)[..., 0].masked_fill(~there, _NEVER)
    return scores


def _right_on(judge: nn.Module, seen: Tensor, there: Tensor, right: Tensor) -> float:
    judge.eval()
    with torch.no_grad():
        share = float((_scores(judge, seen, there).argmax(1) == right).float().mean())
    judge.train()
    return share


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=Path, nargs="+", required=True)
    parser.add_argument("--counter", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    train(asked.lessons, asked.counter, asked.out, asked.seed)


if __name__ == "__main__":
    main()
