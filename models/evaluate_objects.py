"""Measures the eyes for chips, dice and tiles on what they were not taught: real held-out thirds, the rendered casino.

`python -m models.evaluate_objects [--real DIR] [--frames N] [--size 1920x1080]` prints every table of the model card.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.real_split import is_held_out
from vision.objects import ObjectEye, detect, overlap
from vision.seen import Box, Image

_RIGHT_OVERLAP = 0.5


@dataclass(slots=True)
class Tally:
    """How many were there, were said to be there, and were right."""

    truths: int = 0
    said: int = 0
    right: int = 0

    def add(self, truths: Sequence[tuple[str, Box]], said: Sequence[tuple[str, Box]]) -> None:
        """Counts one picture: every truth is found once at most, by the surest that overlaps it and says the same."""
        left = list(truths)
        self.truths, self.said = self.truths + len(truths), self.said + len(said)
        for name, box in said:
            match = max(
                (each for each in left if each[0] == name), key=lambda each: overlap(each[1], box), default=None
            )
            if match is not None and overlap(match[1], box) >= _RIGHT_OVERLAP:
                left.remove(match)
                self.right += 1

    def __str__(self) -> str:
        precision, recall = self.right / max(self.said, 1), self.right / max(self.truths, 1)
        return f"precision {precision:.3f} recall {recall:.3f} ({self.truths} there, {self.said} said)"


def held_out(folder: Path, names: Sequence[str]) -> Iterator[tuple[Image, list[tuple[str, Box]]]]:
    """The held-out third of a real set: pictures with their labelled boxes."""
    for position, path in enumerate(sorted((folder / "images").iterdir())):
        if is_held_out(position):
            image = np.asarray(cv2.imread(str(path)), np.uint8)
            rows = np.loadtxt(folder / "labels" / f"{path.stem}.txt", ndmin=2).reshape(-1, 5)
            yield image, [(names[int(row[0])], _box(image, row[1:])) for row in rows]


def _box(image: Image, part: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Box:
    height, width = image.shape[:2]
    x, y, wide, high = part * (width, height, width, height)
    return float(x - wide / 2), float(y - high / 2), float(x + wide / 2), float(y + high / 2)


def real_stacks(real: Path) -> Tally:
    """Stacks of chips, where they are: real/chip-stacks."""
    tally = Tally()
    for image, truths in held_out(real / "chip-stacks", ["chips"]):
        tally.add(truths, [(found.kind, found.box) for found in detect(image) if found.kind == "chips"])
    return tally


def real_dice(real: Path) -> Tally:
    """Dice and their faces: real/dice."""
    tally, eye = Tally(), ObjectEye()
    for image, truths in held_out(real / "dice", ["1", "2", "3", "4", "5", "6"]):
        tally.add(truths, [(seen.label or "", seen.box) for seen in eye.look(image) if seen.kind == "die"])
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path)
    parser.add_argument("--frames", type=int, default=0)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    if asked.real:
        print(f"real/chip-stacks, held-out third, IoU 0.5: {real_stacks(asked.real)}")
        print(f"real/dice, held-out third, face and IoU 0.5: {real_dice(asked.real)}")
    if asked.frames:
        from models.evaluate_rendered_chips import rendered_stacks

        width, height = (int(side) for side in asked.size.split("x"))
        results: dict[str, list[bool]] = defaultdict(list)
        for reading in rendered_stacks(asked.frames, (width, height), asked.seed):
            for name in reading.groups:
                results[name].append(reading.right)
        for name, right in sorted(results.items()):
            print(f"rendered stacks {asked.size}, {name}: {np.mean(right):.3f} exactly right of {len(right)}")


if __name__ == "__main__":
    main()
