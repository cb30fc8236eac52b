"""Teaches the eye for chips from nothing to what ships, in one command: lessons, reader, trust.

`python -m models.teach_chips --out RUN` needs the extras `[simulate]` and `[train]`, and two hours of one core. What
is in RUN already is not made again. The weights then lie in `models/`; what is printed last belongs into the manifest.
"""

import argparse
from pathlib import Path

import cv2

from models import calibrate_chips, train_chips
from models.chip_samples import lessons
from models.ship import ship
from vision.chip_count import READER

_USUAL_SEED, _BY_LOT_SEED = 14_000, 12_000
_RENDERED, _DRAWN, _MOMENTS = 3000, 300, 1
_RATE = 2.5e-3


def taught(out: Path, parts: int, steps: int, start: Path | None) -> str:
    """Trains and ships the network; the settings that belong to it."""
    out.mkdir(parents=True, exist_ok=True)
    made = []
    for seed, by_lot in ((_USUAL_SEED, 0.0), (_BY_LOT_SEED, 1.0)):
        for part in range(seed, seed + parts):
            made.append(out / f"lessons-{part}.npz")
            if not made[-1].exists():
                lessons(part, _RENDERED, _DRAWN, _MOMENTS, by_lot).save(made[-1])
    if not (out / READER).exists():
        train_chips.train(made, out, seed=1, steps=steps, rate=_RATE, start=start)
    ship(out / READER)
    return calibrate_chips.settings(most=12)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--parts", type=int, default=8, help="files of lessons with usual spots, and by lot")
    parser.add_argument("--steps", type=int, default=12_000)
    parser.add_argument("--start", type=Path, help="go on from a reader that shipped")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    print(taught(asked.out, asked.parts, asked.steps, asked.start))


if __name__ == "__main__":
    main()
