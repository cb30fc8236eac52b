"""Fits what the card eye's confidence is worth, on fresh scenes of training decks: `python -m models.calibrate_cards`.

Prints three settings for `card-reader.onnx` in the manifest: how much the reading and the finding count, and an offset.
"""

import argparse

import numpy as np
from numpy.typing import NDArray

from datasets import deck_art
from datasets.card_faces import Pool
from datasets.composites import Scene, Sizes, compose
from vision.card_merge import Corners, merge
from vision.card_trust import Trust, evidence
from vision.cards import CardEye


def is_right(card: Corners, scene: Scene) -> bool:
    """Whether an index of this label lies under one of the card's readings."""
    label, _ = card.label_and_conf
    return any(
        index.label == label
        and np.linalg.norm(index.frame[0] - reading.frame[0]) < np.linalg.norm(index.frame[2]) * 1.2
        for index in scene.indices
        for reading in card.readings
    )


def fitted(evidences: NDArray[np.float64], right: NDArray[np.float64]) -> Trust:
    """Logistic regression by Newton's method, a little held back towards nothing."""
    design = np.c_[evidences, np.ones(len(evidences))]
    given = np.zeros(design.shape[1])
    for _ in range(30):
        likely = 1 / (1 + np.exp(-design @ given))
        slope = design.T @ (right - likely) - 1e-3 * given
        curve = (design * (likely * (1 - likely))[:, None]).T @ design + 1e-3 * np.eye(len(given))
        given = given + np.linalg.solve(curve, slope)
    return Trust(reading=float(given[0]), finding=float(given[1]), offset=float(given[2]))


def main() -> None:
    """Look at scenes, fit, and print the settings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=400)
    parser.add_argument("--seed", type=int, default=99)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    pool = Pool(rng, drawn=200, art=deck_art.load_decks(deck_art.TRAINING))
    eye = CardEye()
    evidences, right = [], []
    for _ in range(args.scenes):
        scene = compose(pool, rng, size_px=320, sizes=Sizes(least_px=10, most_px=48))
        for card in merge(eye.read(scene.image)):
            if "?" not in card.label_and_conf[0]:
                evidences.append(evidence(card))
                right.append(is_right(card, scene))
    trust = fitted(np.array(evidences), np.array(right, float))
    print(f"{len(right)} readings, {np.mean(right):.3f} of them right")
    print(
        f"trust_reading = {trust.reading:.3f}, trust_finding = {trust.finding:.3f}, trust_offset = {trust.offset:.3f}"
    )


if __name__ == "__main__":
    main()
