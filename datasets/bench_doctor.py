"""How small may cards and chips be? `python -m datasets.bench_doctor DIR...`: what the doctor's limits are taken from.

Zones of simulated footage at rest are read in pictures made smaller step by step, and held against what lies there.
Prints how many cards and amounts were right, and how many were wrong and yet called certain, by their height in pixels.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from auditor.log import Chips
from auditor.pipeline import prepared
from datasets.casino.knowing import KnowingEyes
from datasets.score import account
from vision.camera import Image, View
from vision.doctor import zone_reports
from vision.frames import Recording
from vision.lying import Piece
from vision.reading import Eyes, Pile
from vision.registration import enlarged
from vision.table_chips import elected
from vision.table_file import TableFile, load_table
from vision.window import Difference

SCALES = (1.0, 0.85, 0.7, 0.6, 0.5, 0.42, 0.35)
EVERY_S = 4.0
CERTAIN = 0.9
STEPS = {"cards": (6, 7, 8, 9, 10, 11, 12, 13, 15, 18, 99), "chips": (0.8, 1.1, 1.4, 1.7, 2.0, 2.4, 2.8, 3.4, 99)}


@dataclass(slots=True)
class Tally:
    """Of things so high: how many there were, were read right, and were read wrongly with certainty."""

    there: int = 0
    right: int = 0
    wrong: int = 0


def tallied(folders: list[Path]) -> dict[tuple[str, float], Tally]:
    """The readings of all folders, by kind and by the step of pixels that they fall under."""
    tallies: dict[tuple[str, float], Tally] = defaultdict(Tally)
    for folder in folders:
        table = load_table(folder / "table.toml")
        job = prepared(table, [folder / "footage.mp4"])
        recording = Recording(job.files)
        camera = table.camera("table")
        assert camera is not None
        whole = camera.view(recording.size)
        knowing = KnowingEyes(folder, whole)
        bare: Image | None = None
        for t, image in _moments(folder, recording):
            bare = image if bare is None else bare
            knowing.t = t
            for scale in SCALES:
                _read(tallies, table, knowing, image, bare, whole, scale)
    return tallies


def _moments(folder: Path, recording: Recording) -> Iterator[tuple[float, Image]]:
    """The first picture, and those some while after chips were put down, when hands have gone."""
    wanted, last = [0.0], 0.0
    for event in account(folder / "truth.jsonl").events:
        if isinstance(event, Chips) and event.t - last >= EVERY_S:
            last = event.t
            wanted.append(event.t + 0.1)
    for frame in recording.frames():
        if wanted and frame.t >= wanted[0]:
            wanted.pop(0)
            yield frame.t, frame.image


def _read(
    tallies: dict[tuple[str, float], Tally], table: TableFile, knowing: KnowingEyes, image: Image, bare: Image,
    whole: View, scale: float,
) -> None:  # fmt: skip
    size = (round(whole.size[0] * scale), round(whole.size[1] * scale))
    view = enlarged(whole, size)
    small, empty = (cv2.resize(each, size, interpolation=cv2.INTER_AREA).astype(np.uint8) for each in (image, bare))
    eyes, everything = Eyes(view, table), Difference(corner=(0, 0), pixels=np.ones(size[::-1], np.bool_))
    heights = {report.zone: report.size_px for report in zone_reports(view, table.plan)}
    for zone in table.plan.of_kind("cards", "chips"):
        step = next(limit for limit in STEPS[zone.kind] if heights[zone.name] < limit)
        tally = tallies[zone.kind, step]
        if zone.kind == "cards":
            true = knowing.pieces(image, zone, everything, everything)
            if any(piece.up for piece in true):
                _count_cards(tally, true, eyes.pieces(small, zone, everything, everything))
        elif stacks := knowing.piles(image, zone, image, ()):
            _count_chips(tally, stacks, eyes.piles(small, zone, empty, ()))


def _count_cards(tally: Tally, true: list[Piece], seen: list[Piece]) -> None:
    left = [piece.label for piece in true if piece.up]
    tally.there += len(left)
    for piece in sorted(seen, key=lambda each: -each.conf):
        if piece.label in left:
            left.remove(piece.label)
            tally.right += 1
        elif piece.conf >= CERTAIN and "?" not in piece.label:
            tally.wrong += 1


def _count_chips(tally: Tally, true: list[Pile], seen: list[Pile]) -> None:
    piles, conf = elected([seen])
    seen_chips, true_chips = (sorted(chip for pile in each for chip in pile.chips) for each in (piles, true))
    is_right = seen_chips == true_chips
    tally.there += 1
    tally.right += is_right
    tally.wrong += not is_right and conf >= CERTAIN


def main(folders: list[str]) -> None:
    """Print one table."""
    tallies = tallied([Path(folder) for folder in folders])
    print("| | under px | read | right | wrong and certain |\n|---|---:|---:|---:|---:|")
    for (kind, step), tally in sorted(tallies.items()):
        if tally.there:
            share = f"{100 * tally.right / tally.there:.0f} %"
            print(f"| {kind} | {step if step < 99 else '…'} | {tally.there} | {share} | {tally.wrong} |")


if __name__ == "__main__":
    cv2.setNumThreads(1)
    main(sys.argv[1:])
