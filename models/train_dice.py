"""Trains the second witness of a die's face.

`python -m models.train_dice --real DIR --out RUN [--steps N] [--minutes M]` needs torch (extra `[train]`); with
`--start die-faces.onnx` it goes on from the weights of an earlier run. What it learns from is in `models.die_batches`.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from torch import nn

from models.die_batches import WITNESSED, Dice
from models.train_faces import Twice, begin, convolution, learn
from models.warm_start import take_up
from vision.die_witness import DIE_PX, DIE_WITNESS

_BATCH = 64
_RATE = 3e-3


class DieReader(nn.Sequential):
    """Light and colours of the square around a die to a score for every face, and for none."""

    def __init__(self) -> None:
        super().__init__(
            convolution(3, 24, 2), convolution(24, 56, 2), Twice(56), convolution(56, 112, 2), Twice(112), Twice(112),
            convolution(112, 160, 2), Twice(160),
            nn.Flatten(), nn.Dropout(0.3), nn.Linear(160 * (DIE_PX // 16) ** 2, len(WITNESSED)),
        )  # fmt: skip


def train(
    real: Path, out: Path, steps: int, minutes: float, seed: int, rate: float, start: Path | None, *,
    tuning: bool, folds: Sequence[int],
) -> None:  # fmt: skip
    """Trains so many steps, or minutes by the clock if these end first; writes the witness and the run's log."""
    begin(out, seed)
    dice = Dice.gathered(real, out, seed, tuning=tuning, folds=folds)
    print({source: len(patches) for source, patches in dice.patches.items()}, flush=True)
    rng, model = np.random.default_rng(seed), DieReader()
    if start is not None:
        take_up(model, start, dice.batch(_BATCH, rng)[0])
    learn(model, lambda: dice.batch(_BATCH, rng), out / DIE_WITNESS, steps, minutes, rate)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--tuning", action="store_true", help="real dice kept for tuning are learnt too")
    parser.add_argument("--without", type=int, nargs="*", default=[], help="fifths of the real dice, for a check")
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--rate", type=float, default=_RATE)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    train(
        asked.real, asked.out, asked.steps, asked.minutes, asked.seed, asked.rate, asked.start,
        tuning=asked.tuning, folds=asked.without,
    )  # fmt: skip


if __name__ == "__main__":
    main()
