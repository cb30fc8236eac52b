"""How finding and reading of small things are scored, and the pictures that they are scored on."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.chip_looks import draw_felt
from datasets.chip_pictures import PinholeView
from datasets.real_split import is_for_tuning, is_held_out
from vision.objects import overlap
from vision.seen import Box, Image

Named = tuple[str, Box]
FELT = "drawn felt"
_RIGHT_OVERLAP = 0.5
_BINS = 10


@dataclass(slots=True)
class Tally:
    """How many were there, were said to be there, and were right."""

    truths: int = 0
    said: int = 0
    right: int = 0

    def add(self, truths: Sequence[Named], said: Sequence[Named], unsure: Sequence[Box] = ()) -> list[bool | None]:
        """Counts one picture: every truth is found once at most, by the surest that overlaps it and says the same.

        Returns for each that was said whether it was right. What lies on something `unsure` (cut off, hidden) does not
        count: None.
        """
        left, answers = list(truths), list[bool | None]()
        self.truths += len(truths)
        for name, box in said:
            match = max(
                (each for each in left if each[0] == name), key=lambda each: overlap(each[1], box), default=None
            )
            if match is not None and overlap(match[1], box) >= _RIGHT_OVERLAP:
                left.remove(match)
                answers.append(True)
            else:
                answers.append(None if any(_mostly_in(box, other) for other in unsure) else False)
        self.said += sum(answer is not None for answer in answers)
        self.right += sum(answer is True for answer in answers)
        return answers

    def __str__(self) -> str:
        precision, recall = self.right / max(self.said, 1), self.right / max(self.truths, 1)
        return f"precision {precision:.3f} recall {recall:.3f} ({self.truths} there, {self.said} said)"


@dataclass(slots=True)
class Reliability:
    """What confidence was given, and whether it was right."""

    confs: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)

    def add(self, confs: Sequence[float], answers: Sequence[bool | None]) -> None:
        for conf, answer in zip(confs, answers, strict=True):
            if answer is not None:
                self.confs.append(conf)
                self.right.append(answer)

    def error(self) -> float:
        """Expected calibration error: by how much confidence and share of right answers differ, in ten bins.

        >>> round(Reliability(confs=[0.95] * 4, right=[True, True, True, False]).error(), 2)
        0.2
        """
        confs, right = np.array(self.confs), np.array(self.right, float)
        bins = np.minimum((confs * _BINS).astype(int), _BINS - 1)
        gaps = [abs((confs - right)[bins == each].sum()) for each in np.unique(bins)]
        return float(np.sum(gaps) / max(len(bins), 1))


def _mostly_in(box: Box, other: Box) -> bool:
    wide, high = min(box[2], other[2]) - max(box[0], other[0]), min(box[3], other[3]) - max(box[1], other[1])
    return wide > 0 and high > 0 and wide * high > 0.3 * (box[2] - box[0]) * (box[3] - box[1])


def real_pictures(
    folder: Path, names: Sequence[str], wanted: Callable[[int], bool] = is_held_out
) -> Iterator[tuple[Image, list[Named]]]:
    """Pictures of a real set with their labelled boxes: the held-out third, or those for tuning."""
    for position, path in enumerate(sorted((folder / "images").iterdir())):
        if wanted(position):
            image = np.asarray(cv2.imread(str(path)), np.uint8)
            rows = np.loadtxt(folder / "labels" / f"{path.stem}.txt", ndmin=2).reshape(-1, 5)
            yield image, [(names[int(row[0])], _box(image, row[1:])) for row in rows]


def without_things(real: Path | None, felts: int, seed: int, *, tuning: bool = False) -> Iterator[tuple[str, Image]]:
    """Pictures with none of the things: card photographs, and drawn felts with print, which have no cards either."""
    for name in ("cards", "card-ranks") if real is not None else ():
        assert real is not None
        for position, path in enumerate(sorted((real / name / "images").iterdir())):
            if (is_for_tuning if tuning else is_held_out)(position):
                yield f"real/{name}", np.asarray(cv2.imread(str(path)), np.uint8)
    rng = np.random.default_rng(seed)
    for _ in range(felts):
        view = PinholeView(
            elevation_deg=float(rng.uniform(32, 88)),
            azimuth_deg=float(rng.uniform(0, 360)),
            distance_mm=2000.0,
            px_per_mm=float(rng.uniform(1, 4)),
            middle_px=(240.0, 240.0),
        )
        yield FELT, draw_felt(rng, view.all_to_px, 480, 1)


def _box(image: Image, part: NDArray[np.float64]) -> Box:
    height, width = image.shape[:2]
    x, y, wide, high = part * (width, height, width, height)
    return float(x - wide / 2), float(y - high / 2), float(x + wide / 2), float(y + high / 2)
