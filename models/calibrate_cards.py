"""Fits what the card eye's confidence is worth: on scenes and rendered frames of decks that were neither taught nor are
measured on, and on the photographs for tuning.

`python -m models.calibrate_cards` prints four settings for `card-reader.onnx` in the manifest: how much the naming
counts, and for a card being there its reading, its finding and an offset; and by how much the temperature of
`card-face.onnx` is off, to be set first.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from datasets import deck_art
from datasets.card_faces import Pool
from datasets.composites import Sizes, compose
from datasets.importers import LabelledBox, read_yolo
from datasets.real_cards import rendered_frames
from datasets.real_split import is_for_tuning
from models.logistic import likely, stepped
from vision.card_face import Face
from vision.card_finder import FrameArray
from vision.card_merge import Corners, merge
from vision.card_reader import JOKER, RANKS, SUITS, Shares
from vision.card_trust import Trust, evidence
from vision.cards import CardEye
from vision.seen import Image


Judged = tuple[Corners, frozenset[str]]
"""A card as it was read, and the names of what lies there."""
_TEMPERATURES = np.geomspace(0.7, 2.0, 22)
_ROUNDS, _HELD_BACK = 500, 1e-3
_UNLABELLED = {"0132": "6c", "0314": "4c", "0316": "3s"}  # cards in photographs for tuning that nobody labelled


def from_scenes(eye: CardEye, rng: np.random.Generator, scenes: int) -> Iterator[Judged]:
    """Readings of composited scenes, of decks to tune by."""
    pool = Pool(rng, drawn=1, art=deck_art.load_decks(deck_art.TUNING), art_share=1.0)
    for _ in range(scenes):
        scene = compose(pool, rng, size_px=320, sizes=Sizes(least_px=12, most_px=48))
        for card in named(eye, scene.image):
            yield card, _names(card, [(index.label, index.frame[0], index.frame[2]) for index in scene.indices])


def from_photos(eye: CardEye, folder: Path) -> Iterator[Judged]:
    """Readings of the photographs for tuning, which are neither trained on nor held out."""
    for photo in read_yolo(folder):
        if not is_for_tuning(photo.position):
            continue
        for card in named(eye, photo.read()):
            places = [reading.frame[0] for reading in card.readings]
            labels = {box.name for box in photo.boxes for place in places if _is_in_box(place, box)}
            forgotten = _UNLABELLED.get(photo.path.stem)
            yield card, frozenset(labels | {forgotten} if forgotten == card.label else labels)


def from_rendered(eye: CardEye, folder: Path) -> Iterator[Judged]:
    """Readings of rendered frames of such decks; what lies on an index that is partly hidden is left out."""
    for image, indices in rendered_frames(folder):
        for card in named(eye, image):
            there = [(index.label, np.array([index.x, index.y]), np.array([0, index.half_px])) for index in indices]
            names = _names(card, there)
            if "" not in names:
                yield card, names


def named(eye: CardEye, image: Image) -> list[Corners]:
    """The cards that are read in full."""
    cards = merge(eye.read(image))
    seen = eye.witnessed(image, cards, [card.quad for card in cards])
    return [card for card in seen if "?" not in card.label]


def _is_in_box(place: FrameArray, box: LabelledBox) -> bool:
    return bool(abs(place[0] - box.x) < box.width / 2 and abs(place[1] - box.y) < box.height / 2)


def _names(card: Corners, indices: Sequence[tuple[str, NDArray[np.floating], NDArray[np.floating]]]) -> frozenset[str]:
    """The names of the indices (each with its middle, and the way up to its top) under one of the card's readings."""
    return frozenset(
        label
        for label, middle, up in indices
        for reading in card.readings
        if np.linalg.norm(middle - reading.frame[0]) < np.linalg.norm(up) * 1.2
    )


def face_temperature(sources: Sequence[Sequence[Judged]]) -> float:
    """By how much faces are too sure of themselves: what they are to be divided by to be least surprised."""
    told = [(card.face, name) for judged in sources for card, names in judged for name in names if len(names) == 1]
    shares = [pair for face, name in told if face is not None for pair in _of_name(face, name)]

    def surprise(temperature: float) -> float:
        tempered = (share ** (1 / temperature) / (share ** (1 / temperature)).sum() for share, _ in shares)
        return -float(sum(np.log(each[at] + 1e-6) for each, (_, at) in zip(tempered, shares, strict=True)))

    return float(min(_TEMPERATURES, key=surprise))


def _of_name(face: Face, name: str) -> list[tuple[Shares, int]]:
    ranks = (face.ranks, RANKS.index(name if name == JOKER else name[0]))
    return [ranks] if name == JOKER else [ranks, (face.suits, SUITS.index(name[1]))]


def fitted(sources: Sequence[Sequence[Judged]]) -> Trust:
    """The likeliest numbers, every source counting alike.

    A name is right where a card is there and is named right; which of the two a wrong one lacks is not known, but how
    likely it is (expectation maximisation: both are fitted to that, and it is reckoned anew).
    """
    evidences = np.array([evidence(card, card.label) for judged in sources for card, _ in judged])
    right = np.array([card.label in names for judged in sources for card, names in judged])
    counts = np.concatenate([np.full(len(judged), len(right) / len(sources) / len(judged)) for judged in sources])
    naming, being = evidences[:, :1], np.c_[evidences[:, 1:], np.ones(len(evidences))]
    of_name, of_being = np.ones(1), np.array([0.5, 0.5, 0.0])
    for _ in range(_ROUNDS):
        named, there = likely(naming, of_name), likely(being, of_being)
        wrong = np.maximum(1 - named * there, 1e-9)
        of_name = stepped(naming, of_name, np.where(right, 1.0, named * (1 - there) / wrong), _HELD_BACK, counts)
        of_being = stepped(being, of_being, np.where(right, 1.0, there * (1 - named) / wrong), _HELD_BACK, counts)
    reading, finding, offset = of_being.tolist()
    return Trust(naming=float(of_name[0]), reading=reading, finding=finding, offset=offset)


def main() -> None:
    """Look, fit, and print the settings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=150)
    parser.add_argument("--real", type=Path, help="the folder of real photographs")
    parser.add_argument("--rendered", type=Path, help="what models.rendered_frames --split tune wrote")
    parser.add_argument("--seed", type=int, default=99)
    args = parser.parse_args()
    eye = CardEye()
    sources = [list(from_scenes(eye, np.random.default_rng(args.seed), args.scenes))]
    sources += [list(from_rendered(eye, args.rendered))] if args.rendered is not None else []
    sources += [list(from_photos(eye, args.real / "cards"))] if args.real is not None else []
    trust = fitted(sources)
    for judged in sources:
        print(f"{len(judged)} readings, {np.mean([card.label in names for card, names in judged]):.3f} of them right")
    print(f"card-face.onnx: the temperature should be {face_temperature(sources):.2f} times what it is")
    given = msgspec.structs.asdict(trust)
    print("card-reader.onnx: " + ", ".join(f"trust_{name} = {number:.3f}" for name, number in given.items()))


if __name__ == "__main__":
    main()
