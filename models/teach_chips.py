"""Teaches the eye for chips from nothing to what ships, in one command: lessons, counter, colours, trust.

`python -m models.teach_chips --out RUN` needs the extras `[simulate]` and `[train]`, and half an hour of one core. What
is in RUN already is not made again. The weights then lie in `models/`; what is printed last belongs into the manifest.
"""

import argparse
from pathlib import Path

import cv2

from models import calibrate_chips, train_chip_colours, train_chips
from models.chip_samples import lessons
from models.ship import ship
from vision.chip_clay import CLAY_TELLER, COLOUR_JUDGE
from vision.chip_count import COUNTER

_FIRST_SEED = 11_000
_RENDERED, _DRAWN, _MOMENTS = 4500, 500, 2
_RATE = 2.5e-3


def taught(out: Path, parts: int, steps: int, start: Path | None) -> str:
    """Trains and ships the networks; the settings that belong to them."""
    out.mkdir(parents=True, exist_ok=True)
    paths = [out / f"lessons-{_FIRST_SEED + part}.npz" for part in range(parts)]
    for part, path in enumerate(paths):
        if not path.exists():
            lessons(_FIRST_SEED + part, _RENDERED, _DRAWN, _MOMENTS).save(path)
    if not (out / COUNTER).exists():
        train_chips.train(paths, out, seed=1, steps=steps, rate=_RATE, start=start)
    train_chip_colours.train(paths, out / COUNTER, out, seed=1)
    for name in (COUNTER, CLAY_TELLER, COLOUR_JUDGE):
        ship(out / name)
    return calibrate_chips.settings(most=9)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--parts", type=int, default=7, help="files of lessons")
    parser.add_argument("--steps", type=int, default=5900, help="of the counter")
    parser.add_argument("--start", type=Path, help="go on from a counter that shipped")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    print(taught(asked.out, asked.parts, asked.steps, asked.start))


if __name__ == "__main__":
    main()
