"""Finds out how the indices in labelled photographs lie: their labels are upright boxes, training wants frames.

`python -m models.real_frames PHOTOS OUT.json` runs the card eye on what is to be trained on of `cards`, `chip-stacks`
and `dice`. Every box gets the frame found in it, the way up that reads as its label; indices without a box, read surely
as a card of the picture, are added; so is what was taken for an index and is none: print amid a card, chips, dice.
"""

import sys
from pathlib import Path

import msgspec
import numpy as np

from datasets.composites import NONE
from datasets.index_art import JOKER_PART
from datasets.importers import LabelledBox, LabelledPhoto, read_yolo
from datasets.real_cards import RealFrame, is_taught, key_of
from vision.card_finder import Found, FrameFinder
from vision.card_reader import JOKER, RANKS, SUITS, IndexReader, Reading
from vision.cards import FINDER_FILE
from vision.seen import Image

WITHOUT_CARDS = ("chip-stacks", "dice")
_SURE = 0.85
_LEANS_DEG = (0, 12, 24, 36)  # how far the way to a joker's word, seen from the middle of its card, leans from its up
_READ_AT_ALL = 0.02
_PART_OF_WORD = 0.18  # of a joker's word: what is smaller is a piece of a letter, or an ornament


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
            others = [other for other in photo.boxes if other.name == JOKER and other is not box]
            joker = _joker(box, others, image, reader)
            entries += [joker, *_parts_of(joker, box, found)]
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
        if _is_amid(each, photo.boxes):
            entries.append(_stray(each))
            continue
        if label is not None and likelihood(reading, label) > _SURE:
            entries.append(RealFrame(label=label, x=x, y=y, half_px=each.height_px / 2, frame=each.frame.tolist()))
        elif reading.is_index > _SURE and each.conf > _SURE:  # somebody else's card: neither right nor wrong
            entries.append(RealFrame(label="", x=x, y=y, half_px=each.height_px / 2, frame=None))
    return entries


def _is_amid(found: Found, boxes: tuple[LabelledBox, ...]) -> bool:
    """Whether something lies in the midst of a card, between its two labelled corners: there is no index."""
    for box in boxes:
        pair = [other for other in boxes if other.name == box.name]
        if len(pair) != 2 or box.name == JOKER:
            continue
        one, other = (np.array([each.x, each.y]) for each in pair)
        way = other - one
        along = float((found.frame[0] - one) @ way / max(float(way @ way), 1.0))
        aside = float(np.linalg.norm(found.frame[0] - one - along * way))
        if 0.3 < along < 0.7 and aside < 0.3 * float(np.linalg.norm(way)):
            return True
    return False


def _stray(found: Found) -> RealFrame:
    """What a finder took for an index, and is none."""
    x, y = (float(part) for part in found.frame[0])
    return RealFrame(label=NONE, x=x, y=y, half_px=found.height_px / 2, frame=found.frame.tolist())


def strays_of(photo: LabelledPhoto, finder: FrameFinder) -> list[RealFrame]:
    """What is found on stacks and dice is none; what is found beside them may be a card and does not count."""
    entries = []
    for each in finder.find(photo.read()):
        x, y = (float(part) for part in each.frame[0])
        within = any(abs(x - box.x) < box.width / 2 and abs(y - box.y) < box.height / 2 for box in photo.boxes)
        entries.append(_stray(each) if within else RealFrame(label="", x=x, y=y, half_px=each.height_px / 2))
    return entries


def _joker(box: LabelledBox, others: list[LabelledBox], image: Image, reader: IndexReader) -> RealFrame:
    """A joker's word may stand or lie: its frame is as high as the word is long, turned as it reads best.

    Where the word in the opposite corner is labelled too, up is away from it, and a little to the right.
    """
    half = max(box.width, box.height) * 0.46
    ways = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)], np.float32)  # where up may be
    if len(others) == 1:
        away = np.array([box.x - others[0].x, box.y - others[0].y])
        leans = np.radians(_LEANS_DEG)
        turns = np.stack([np.cos(leans), -np.sin(leans), np.sin(leans), np.cos(leans)], axis=1).reshape(-1, 2, 2)
        ways = (turns @ away / max(float(np.linalg.norm(away)), 1.0)).astype(np.float32)
    frames = [np.array([(box.x, box.y), (-y * half, x * half), (x * half, y * half)], np.float32) for x, y in ways]
    readings = reader.read_once(image, [Found(kind=0, conf=1.0, frame=frame) for frame in frames])
    best = max(readings, key=lambda reading: likelihood(reading, JOKER))
    return RealFrame(label=JOKER, x=box.x, y=box.y, half_px=half, frame=best.frame.tolist())


def _parts_of(joker: RealFrame, box: LabelledBox, found: list[Found]) -> list[RealFrame]:
    """What the finder took for an index and is the beginning or the midst of a joker's word.

    A finder finds `JOKER_PART` of what is to be read as a joker: so much larger the parts are written down.
    """
    up, least_px = np.array(joker.frame)[2], _PART_OF_WORD * max(box.width, box.height)
    grown = np.array([[1], [1 / JOKER_PART], [1 / JOKER_PART]], np.float32)
    parts = []
    for each in found:
        x, y = (float(part) for part in each.frame[0])
        within = abs(x - box.x) < box.width / 2 and abs(y - box.y) < box.height / 2
        if within and each.height_px > least_px and float(each.frame[2] @ up) > 0:
            half_px, frame = each.height_px / 2 / JOKER_PART, (each.frame * grown).tolist()
            parts.append(RealFrame(label=JOKER, x=x, y=y, half_px=half_px, frame=frame))
    return parts


def main(folder: str, out: str) -> None:
    """Write the frames of all training photographs of the sets."""
    finder, reader = FrameFinder(FINDER_FILE), IndexReader()
    cards, held = Path(folder) / "cards", dict[str, list[RealFrame]]()
    for photo in filter(is_taught, read_yolo(cards)):
        held[key_of(photo, cards)] = frames_of(photo, finder, reader)
    for other in (Path(folder) / name for name in WITHOUT_CARDS if (Path(folder) / name).is_dir()):
        held |= {key_of(photo, other): strays_of(photo, finder) for photo in read_yolo(other) if is_taught(photo)}
    Path(out).write_bytes(msgspec.json.encode(held))
    entries = [entry for each in held.values() for entry in each]
    known = sum(entry.frame is not None and entry.label != NONE for entry in entries)
    strays = sum(entry.label == NONE for entry in entries)
    print(f"{len(held)} photographs, {known} indices with a frame, {strays} places that are none")


if __name__ == "__main__":
    main(*sys.argv[1:])
