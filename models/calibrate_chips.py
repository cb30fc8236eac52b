"""Fits the numbers that turn what the eye for chips says into a probability (`vision/chip_trust.py`).

`python -m models.calibrate_chips [--frames N]` reads stacks in rendered frames of its own seeds, large and small, sharp
and blurred, and prints the line for the manifest. What `models.evaluate_rendered_chips` reports is of other seeds.
"""

import argparse
import math
from collections.abc import Iterator

import cv2
import numpy as np

from datasets.casino.things import ChipStack
from models.evaluate_rendered_chips import HOUSE, TableView, stacks_read, table_views
from models.logistic import regressed
from vision.chip_colours import Palette
from vision.chips import ChipEye, Stack

_VIEWS = (
    (7001, 9, (1920, 1080), "footage", 60.0), (7002, 9, (1920, 1080), "footage", 60.0),
    (9301, 7, (1920, 1080), "footage", 60.0), (20_000, 8, (1920, 1080), "footage", 60.0),
    (20_001, 8, (1280, 720), "footage", 60.0), (20_002, 8, (1920, 1080), "any", 75.0),
)  # fmt: skip
"""Seed, frames, their size, optics, and the cameras' greatest height."""
_SAME_PLACE_MM = 20.0
_RIDGE = 0.1


def judged(table: TableView, eye: ChipEye) -> Iterator[tuple[Stack, bool]]:
    """Every stack that was read at a table, and whether it is right: where one was missed, none is."""
    for (_, stacks), found in zip(table.spots, stacks_read(table, eye), strict=True):
        for read in found:
            yield read, len(found) == len(stacks) and any(_is_right(read, stack) for stack in stacks)


def _is_right(read: Stack, stack: ChipStack) -> bool:
    apart = math.dist(read.place_mm, (stack.pose.x, stack.pose.y))
    return apart < _SAME_PLACE_MM and sorted(read.chips) == sorted(stack.chips)


def settings(most: int) -> str:
    """The line for the manifest, from at most so many frames of each seed."""
    eye = ChipEye(Palette.named().only(HOUSE))
    results = [
        each
        for seed, frames, size, optics, high_deg in _VIEWS
        for table in table_views(min(frames, most), size, seed, high_deg=high_deg, optics=optics)
        for each in judged(table, eye)
    ]
    right = np.array([is_right for _, is_right in results], np.float64)
    weights = regressed(np.array([stack.evidence for stack, _ in results]), right, _RIDGE)
    names = ("trust_count", "trust_colour", "trust_size", "trust_left", "trust_offset")
    print(f"{right.mean():.3f} right of {len(results)}")
    return f"settings = {{ {', '.join(f'{name} = {value:.3f}' for name, value in zip(names, weights, strict=True))} }}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=9, help="at most so many frames of each seed")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    print(settings(asked.frames))


if __name__ == "__main__":
    main()
