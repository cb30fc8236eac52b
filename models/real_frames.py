"""Finds out how the indices in labelled photographs lie: their labels are upright boxes, training wants frames.

`python -m models.real_frames PHOTOS OUT.json` runs the card eye on the training two thirds. Every box gets the frame
found in it, the way up that reads as its label; indices without a box, read surely as a card of the picture, are added.
"""

import sys
from pathlib import Path

import msgspec
import numpy as np

from datasets.importers import LabelledBox, LabelledPhoto, read_yolo
from datasets.real_cards import RealFrame
from datasets.real_split import is_held_out
from vision.card_finder import Found, FrameFinder
from vision.card_reader import JOKER, RANKS, SUITS, IndexReader, Reading
from vision.cards import FINDER_FILE
from vision.seen import Image

_SURE = 0.85
_READ_AT_ALL = 0.02


def likelihood(reading: Reading, label: str) -> float:
    """How likely the reading makes the label."""
    rank = float(reading.ranks[RANKS.index(label if label == JOKER else label[0])])
    return reading.is_index * rank * (1.0 if label == JOKER else float(reading.suits[SUITS.index(label[1])]))


def fits(found: Found, box: LabelledBox) -> bool:
    """Whether a found index may be what the box was drawn around."""
    x, y = found.frame[0]
    inside = abs(x - box.x) < box.width / 2 and abs(y - box.y) < box.height / 2
    return bool(inside and 0.5 < found.height_px / max(box.width, box.height) < 1.4)


def frames_of(photo: LabelledPhoto, finder: FrameFinder, reader: IndexReader) -> list[RealFrame]:
    """One entry per labelled index, and per index that somebody forgot to label."""
    image = photo.read()
    found = finder.find(image)
    turned = [
        msgspec.structs.replace(each, frame=each.frame * np.array([[1], [-1], [-1]], np.float32)) for each in found
    ]
    both = [(each, reader.read_once(image, [each])[0]) for each in found + turned]
    entries = []
    for box in photo.boxes:
        if box.name == "back":
            continue
        if box.name == JOKER:
            entries.append(_joker(box, image, reader))
            continue
        fitting = [(likelihood(reading, box.name), each) for each, reading in both if fits(each, box)]
        likely, best = max(fitting, key=lambda pair: pair[0], default=(0.0, None))
        if likely < _READ_AT_ALL:  # then rather the way up it was found: the finder seldom mistakes up for down
            best = max((each for each in found if fits(each, box)), key=lambda each: each.conf, default=None)
        frame = best.frame.tolist() if best is not None else None
        entries.append(
            RealFrame(label=box.name, x=box.x, y=box.y, half_px=max(box.width, box.height) * 0.46, frame=frame)
        )
    labels = {box.name for box in photo.boxes if box.name != "back"}
    for each, reading in both:
        if any(
            fits(each, box) or abs(each.frame[0][0] - box.x) < box.width / 2 > abs(each.frame[0][1] - box.y)
            for box in photo.boxes
        ):
            continue
        label = max(labels, key=lambda name: likelihood(reading, name), default=None)
        x, y = (float(part) for part in each.frame[0])
        if label is not None and likelihood(reading, label) > _SURE:
            entries.append(RealFrame(label=label, x=x, y=y, half_px=each.height_px / 2, frame=each.frame.tolist()))
        elif reading.is_index > _SURE and each.conf > _SURE:  # somebody else's card: neither right nor wrong
            entries.append(RealFrame(label="", x=x, y=y, half_px=each.height_px / 2, frame=None))
    return entries


def _joker(box: LabelledBox, image: Image, reader: IndexReader) -> RealFrame:
    """A joker's word may stand or lie: its frame is as high as the word is long, turned as it reads best."""
    half = max(box.width, box.height) * 0.46
    ways = [(0, -half), (half, 0), (0, half), (-half, 0)]  # where up may be
    turned = [np.array([(box.x, box.y), (-y, x), (x, y)], np.float32) for x, y in ways]
    readings = reader.read_once(image, [Found(kind=0, conf=1.0, frame=frame) for frame in turned])
    best = max(readings, key=lambda reading: likelihood(reading, JOKER))
    return RealFrame(label=JOKER, x=box.x, y=box.y, half_px=half, frame=best.frame.tolist())


def main(folder: str, out: str) -> None:
    """Write the frames of all training photographs of a set."""
    finder, reader = FrameFinder(FINDER_FILE), IndexReader()
    held = {
        photo.path.name: frames_of(photo, finder, reader)
        for photo in read_yolo(Path(folder))
        if not is_held_out(photo.position)
    }
    Path(out).write_bytes(msgspec.json.encode(held))
    entries = [entry for each in held.values() for entry in each]
    known = sum(entry.frame is not None for entry in entries)
    print(f"{len(held)} photographs, {len(entries)} indices, {known} of them with a frame")


if __name__ == "__main__":
    main(*sys.argv[1:])
