"""Fits what the card eye's confidence is worth, on unknown decks, rendered frames and the photographs for tuning.

On decks that were taught readings are surer than elsewhere: scenes are of other ones, and of typefaces that were not
installed while training (where fontconfig is shown those alone). `python -m models.calibrate_cards` prints three
settings for `card-reader.onnx` in the manifest: how much the reading and the finding count, and an offset.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets import deck_art
from datasets.card_faces import Pool
from datasets.composites import Scene, Sizes, compose
from datasets.importers import LabelledBox, read_yolo
from datasets.real_cards import RealFrame, rendered_frames
from datasets.real_split import is_for_tuning
from vision.card_merge import Corners, merge
from vision.card_trust import Trust, evidence
from vision.cards import CardEye
from vision.seen import Image


Judged = tuple[tuple[float, float], bool]
"""What speaks for a reading, and whether it was right."""


def from_scenes(eye: CardEye, rng: np.random.Generator, scenes: int) -> Iterator[Judged]:
    """Readings of composited scenes, of decks that were not taught."""
    pool = Pool(rng, drawn=300, art=deck_art.load_decks(deck_art.CALIBRATION))
    for _ in range(scenes):
        scene = compose(pool, rng, size_px=320, sizes=Sizes(least_px=12, most_px=48))
        for card in named(eye, scene.image):
            yield evidence(card), _is_in_scene(card, scene)


def from_photos(eye: CardEye, folder: Path) -> Iterator[Judged]:
    """Readings of the photographs for tuning, which are neither trained on nor held out."""
    for photo in read_yolo(folder):
        if not is_for_tuning(photo.position):
            continue
        boxes = photo.boxes
        for card in named(eye, photo.read()):
            places = [reading.frame[0] for reading in card.readings]
            label, _ = card.label_and_conf
            yield evidence(card), any(box.name == label and _is_in_box(place, box) for box in boxes for place in places)


def from_rendered(eye: CardEye, folder: Path) -> Iterator[Judged]:
    """Readings of rendered frames that were not trained on; what lies on an index that is partly hidden is left out."""
    for image, indices in rendered_frames(folder):
        for card in named(eye, image):
            label, _ = card.label_and_conf
            at = [index.label for index in indices for reading in card.readings if _is_near(reading.frame[0], index)]
            if "" not in at:
                yield evidence(card), label in at


def named(eye: CardEye, image: Image) -> list[Corners]:
    """The cards that are read in full."""
    return [card for card in merge(eye.read(image)) if "?" not in card.label_and_conf[0]]


def _is_in_box(place: NDArray[np.float32], box: LabelledBox) -> bool:
    return bool(abs(place[0] - box.x) < box.width / 2 and abs(place[1] - box.y) < box.height / 2)


def _is_near(place: NDArray[np.float32], index: RealFrame) -> bool:
    return bool(np.hypot(place[0] - index.x, place[1] - index.y) < index.half_px * 1.2)


def _is_in_scene(card: Corners, scene: Scene) -> bool:
    """Whether an index of this label lies under one of the card's readings."""
    label, _ = card.label_and_conf
    return any(
        index.label == label
        and np.linalg.norm(index.frame[0] - reading.frame[0]) < np.linalg.norm(index.frame[2]) * 1.2
        for index in scene.indices
        for reading in card.readings
    )


def fitted(sources: Sequence[Sequence[Judged]]) -> Trust:
    """Logistic regression by Newton's method, a little held back towards nothing; every source counts alike."""
    evidences = np.array([evidence for judged in sources for evidence, _ in judged])
    right = np.array([right for judged in sources for _, right in judged], float)
    counts = np.concatenate([np.full(len(judged), len(right) / len(sources) / len(judged)) for judged in sources])
    design = np.c_[evidences, np.ones(len(evidences))]
    given = np.zeros(design.shape[1])
    for _ in range(30):
        likely = 1 / (1 + np.exp(-design @ given))
        slope = design.T @ (counts * (right - likely)) - 1e-3 * given
        curve = (design * (counts * likely * (1 - likely))[:, None]).T @ design + 1e-3 * np.eye(len(given))
        given = given + np.linalg.solve(curve, slope)
    return Trust(reading=float(given[0]), finding=float(given[1]), offset=float(given[2]))


def main() -> None:
    """Look, fit, and print the settings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=150)
    parser.add_argument("--real", type=Path, help="the folder of real photographs")
    parser.add_argument("--rendered", type=Path, help="frames of models.rendered_frames, not trained on")
    parser.add_argument("--seed", type=int, default=99)
    args = parser.parse_args()
    eye = CardEye()
    sources = [list(from_scenes(eye, np.random.default_rng(args.seed), args.scenes))]
    sources += [list(from_rendered(eye, args.rendered))] if args.rendered is not None else []
    sources += [list(from_photos(eye, args.real / "cards"))] if args.real is not None else []
    trust = fitted(sources)
    for judged in sources:
        print(f"{len(judged)} readings, {np.mean([right for _, right in judged]):.3f} of them right")
    print(
        f"trust_reading = {trust.reading:.3f}, trust_finding = {trust.finding:.3f}, trust_offset = {trust.offset:.3f}"
    )


if __name__ == "__main__":
    main()
