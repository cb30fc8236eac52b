"""Fits the numbers that turn what the eye for chips says into a probability (`vision/chip_trust.py`).

`python -m models.calibrate_chips [--frames N]` reads stacks in rendered frames of its own seeds, large and small, sharp
and blurred, and prints the line for the manifest. What `models.evaluate_rendered_chips` reports is of other seeds.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np

from datasets.casino.things import ChipStack
from models.evaluate_rendered_chips import HOUSE, TableView, stacks_read, table_views
from models.logistic import Reals, regressed
from vision.chip_colours import Palette
from vision.chip_trust import Evidence, Trust
from vision.chips import ChipEye, Stack

_HD = (1920, 1080)
_VIEWS = (
    (7001, 9, _HD, "footage", 60.0, 1.0), (7002, 9, _HD, "footage", 60.0, 1.0), (9301, 7, _HD, "footage", 60.0, 1.0),
    (9601, 7, _HD, "footage", 60.0, 1.0), (9602, 7, _HD, "footage", 60.0, 1.0), (9701, 7, _HD, "footage", 60.0, 1.0),
    (9702, 7, _HD, "footage", 60.0, 1.0), (20_000, 8, _HD, "footage", 60.0, 1.0), (20_002, 8, _HD, "any", 75.0, 1.0),
    (20_001, 8, (1280, 720), "footage", 60.0, 1.0),
    (8801, 9, _HD, "footage", 60.0, 1.5), (8802, 12, _HD, "footage", 60.0, 2.2),
)  # fmt: skip
"""Seed, frames, their size, optics, the cameras' greatest height, and zoom."""
_SAME_PLACE_MM = 20.0
_RIDGE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A stack that was read at a table. Where one of a spot's stacks was missed, none is right."""

    evidence: Evidence
    are_all_found: bool
    is_number_right: bool
    is_right: bool


def judged(table: TableView, eye: ChipEye) -> Iterator[Judged]:
    """Every stack that was read at a table."""
    for (_, stacks), found in zip(table.spots, stacks_read(table, eye), strict=True):
        for read in found:
            there = [stack.chips for stack in stacks if _is_near(read, stack)] if len(found) == len(stacks) else []
            yield Judged(
                evidence=read.evidence, are_all_found=len(found) >= len(stacks),
                is_number_right=any(len(chips) == len(read.chips) for chips in there),
                is_right=any(sorted(chips) == sorted(read.chips) for chips in there),
            )  # fmt: skip


def _is_near(read: Stack, stack: ChipStack) -> bool:
    return math.dist(read.place_mm, (stack.pose.x, stack.pose.y)) < _SAME_PLACE_MM


def fitted(results: Sequence[Judged]) -> Trust:
    """What makes probabilities of the evidence: whether all stacks were found, where they were whether the number is
    right, and where it is whether the colours are."""
    found = [each for each in results if each.are_all_found]
    counted = [each for each in found if each.is_number_right]
    parts = (
        _regressed([(each.evidence.of_stacks, each.are_all_found) for each in results]),
        _regressed([(each.evidence.of_number, each.is_number_right) for each in found]),
        _regressed([(each.evidence.of_colours, each.is_right) for each in counted]),
    )
    weights = (round(float(weight), 3) for part in parts for weight in part)
    return Trust(**dict(zip(Trust.__struct_fields__, weights, strict=True)))


def _regressed(cases: Sequence[tuple[tuple[float, ...], bool]]) -> Reals:
    evidence, right = zip(*cases, strict=True)
    return regressed(np.array(evidence), np.array(right, np.float64), _RIDGE)


def settings(most: int) -> str:
    """The line for the manifest, from at most so many frames of each seed."""
    eye = ChipEye(Palette.named().only(HOUSE))
    results = [
        each
        for seed, frames, size, optics, high_deg, zoom in _VIEWS
        for table in table_views(min(frames, most), size, seed, high_deg=high_deg, optics=optics, zoom=zoom)
        for each in judged(table, eye)
    ]
    print(f"{np.mean([each.is_right for each in results]):.3f} right of {len(results)}")
    weights = msgspec.structs.asdict(fitted(results))
    return f"settings = {{ {', '.join(f'trust_{name} = {value}' for name, value in weights.items())} }}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=12, help="at most so many frames of each seed")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    print(settings(asked.frames))


if __name__ == "__main__":
    main()
