"""Fits thresholds and what confidence is worth, on pictures that are neither trained on nor held out.

`python -m models.calibrate_objects --real DIR [--frames N]` prints settings for the manifest, those of `objects.onnx`,
`whole-cards.onnx`, `small-faces.onnx` (its trust is that of tiles) and `die-faces.onnx` (that of dice).
"""

import argparse
from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.real_split import is_for_tuning
from models.composited_cards import composited_cards
from models.die_pictures import LOOKS, VIEWS_DEG, die_pictures
from models.logistic import regressed
from models.rendered_objects import is_whole, rendered_objects
from models.score_objects import FELT, Named, Tally, real_pictures, without_things
from vision import weights
from vision.object_faces import DIE_FACES, FACES, NOTHING, READER, TILE_FACES, face_square, read_faces
from vision.objects import (
    CARD_DETECTOR, CLASSES, DETECTOR, THINGS, WHOLE_CARDS, Found, detect, found_by, grown, overlap,
)  # fmt: skip
from vision.seen import Box, Image, Kind, Seen

_LOW = 0.08
_SIZE = (1280, 720)
_SEED = 79
_DICE = 20  # pictures with traced dice of each look, from each height
_LOST = 0.01
_WITH_FACES: tuple[Kind, ...] = ("die", "tile")
SIZES = np.arange(0.9, 1.15, 0.01)
_CARDS_RECALL = 0.5  # a card that is none is worse than one that is missed
_NOT_CARDS = tuple(kind for kind in CLASSES if kind != "card")  # card photographs show faces
Judged = dict[str, list[tuple[float, bool]]]


def judge(
    judged: Judged, there: dict[str, int], image: Image, truths: list[Named], unsure: list[Box], kinds: tuple[str, ...]
) -> list[Found]:
    """What is found in one picture at a low threshold; judged by kind, each with its score and whether it is right."""
    found = [
        each
        for file, known in ((DETECTOR, THINGS), (CARD_DETECTOR, WHOLE_CARDS))
        if any(kind in kinds for kind in known)
        for each in found_by(file, image, _lowered(file, known))
    ]
    for kind in kinds:
        mine = [(each.conf, each.box) for each in found if each.kind == kind]
        wanted = [each for each in truths if each[0] == kind]
        there[kind] += len(wanted)
        answers = Tally().add(wanted, [(kind, box) for _, box in mine], unsure)
        judged[kind] += [(conf, answer) for (conf, _), answer in zip(mine, answers, strict=True) if answer is not None]
    return found


def _lowered(file: str, kinds: tuple[Kind, ...]) -> dict[str, float]:
    return {"scale": weights.entry(file).settings["scale"]} | {f"threshold_{kind}": _LOW for kind in kinds}


def judge_wholes(
    judged: Judged, there: dict[str, int], image: Image, seen: list[Seen], kinds: tuple[Kind, ...]
) -> list[Seen]:
    """Judges by what can be seen as a whole, which is returned; what is cut off or hidden does not count."""
    whole = [each for each in seen if is_whole(each, image)]
    unsure = [each.box for each in seen if each not in whole]
    judge(judged, there, image, [(each.kind, each.box) for each in whole], unsure, kinds)
    return whole


def best_threshold(
    scored: list[tuple[float, bool]], there: int, nothings: list[float], *, recall_counts: float = 1.0
) -> tuple[float, float, float]:
    """The threshold with the best mean of precision and recall (van Rijsbergen's F), and these two.

    It is raised while what it finds in pictures without things (their scores: `nothings`) costs more than it gives:
    until none is left, or a hundredth of the things would be lost.
    """
    scores, right = (np.array(column, float) for column in zip(*sorted(scored, reverse=True), strict=True))
    hits = np.cumsum(right)
    precision, recall = hits / np.arange(1, len(hits) + 1), hits / max(there, 1)
    square = recall_counts**2
    best = int(((1 + square) * precision * recall / np.maximum(square * precision + recall, 1e-9)).argmax())
    least = recall[best] - _LOST
    while best > 0 and scores[best] <= max(nothings, default=0.0) and recall[best - 1] >= least:
        best -= 1
    following = scores[best + 1] if best + 1 < len(scores) else scores[best]
    return float(scores[best] + following) / 2, float(precision[best]), float(recall[best])


def growth(found: list[Found], truths: list[Named]) -> list[float]:
    """For each size that boxes may be given, `SIZES` times what the detector says, how well each thing's is met."""
    pairs = [(max(found, key=lambda each: overlap(each.box, box)).box, box) for _, box in truths if found]
    return [sum(overlap(grown(mine, by), box) for mine, box in pairs) for by in SIZES]


def trust(judged: list[tuple[float, float, bool]]) -> tuple[float, float, float]:
    """Logistic regression of a read face's being right on the log odds of finding and reading."""
    found, read, right = (np.array(column, float) for column in zip(*judged, strict=True))
    shares = np.clip(np.column_stack([found, read]), 1e-4, 1 - 1e-4)
    finding, reading, offset = regressed(np.log(shares / (1 - shares)), right, held_back=1e-3).tolist()
    return finding, reading, offset


def read_things(
    image: Image, truths: list[Named], kind: Kind, unsure: Sequence[Box] = ()
) -> list[tuple[float, float, bool]]:
    """The dice or tiles of a picture: how sure each was found, how sure it was read, and whether that was right."""
    found = [each for each in detect(image) if each.kind == kind]
    faces = read_faces(image, [(kind, each.box) for each in found])
    answers = Tally().add(truths, [(face, each.box) for each, (face, _) in zip(found, faces, strict=True)], unsure)
    triples = zip(found, faces, answers, strict=True)
    return [
        (each.conf, sure, answer) for each, (face, sure), answer in triples if answer is not None and face != NOTHING
    ]


def temperature(squares: list[NDArray[np.float32]], labels: list[str]) -> tuple[float, float]:
    """By what the reader's scores are divided so that its probabilities are honest; and how much it reads right."""
    session = weights.load(READER).session
    seen = np.stack(squares)
    rows = np.concatenate([session.run(None, {"seen": seen[at : at + 64]})[0] for at in range(0, len(seen), 64)])
    truth = np.array([FACES.index(label) for label in labels])
    for index, label in enumerate(labels):
        rivals = (*DIE_FACES, NOTHING) if label in DIE_FACES else (*TILE_FACES, NOTHING)
        rows[index, [face not in rivals for face in FACES]] = -1e3
    losses = []
    candidates = np.arange(0.3, 2.01, 0.05)
    for divisor in candidates:
        powers = np.exp((rows - rows.max(axis=1, keepdims=True)) / divisor)
        losses.append(-np.log(powers[np.arange(len(truth)), truth] / powers.sum(axis=1)).mean())
    return float(candidates[int(np.argmin(losses))]), float((rows.argmax(axis=1) == truth).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, required=True)
    parser.add_argument("--frames", type=int, default=36)
    parser.add_argument("--scenes", type=int, default=150)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    judged, there = Judged(), defaultdict[str, int](int)
    judged = defaultdict(list)
    read: dict[Kind, list[tuple[float, float, bool]]] = {kind: [] for kind in _WITH_FACES}
    squares, labels, met = list[NDArray[np.float32]](), list[str](), np.zeros(len(SIZES))
    for image, truths in real_pictures(asked.real / "dice", DIE_FACES, is_for_tuning):
        found = judge(judged, there, image, [("die", box) for _, box in truths], [], ("die", "tile"))
        met += growth([each for each in found if each.kind == "die"], truths)
        read["die"] += read_things(image, truths, "die")
        squares += [face_square(image, box) for _, box in truths]
        labels += [label for label, _ in truths]
    for image, truths in real_pictures(asked.real / "chip-stacks", ["chips"], is_for_tuning):
        judge(judged, there, image, truths, [], ("chips",))
    for look, view_deg in product(LOOKS, VIEWS_DEG):
        for image, truths in die_pictures(_DICE, _SEED, look, view_deg):
            read["die"] += read_things(image, truths, "die")
    for image, seen in rendered_objects(asked.frames, _SEED, _SIZE, "valid"):
        whole = judge_wholes(judged, there, image, seen, CLASSES[1:])
        for kind in _WITH_FACES:
            unsure = [each.box for each in seen if each.kind == kind and each not in whole]
            named = [(each.label or "", each.box) for each in whole if each.kind == kind]
            read[kind] += read_things(image, named, kind, unsure)
        readable = [each for each in whole if each.label is not None]
        squares += [face_square(image, each.box) for each in readable]
        labels += [each.label or "" for each in readable]
    for image, seen in composited_cards(asked.scenes, _SEED, "train"):  # held-back decks are for measuring alone
        judge_wholes(judged, there, image, seen, WHOLE_CARDS)
    for image, truths in real_pictures(asked.real / "card-ranks", ["card"] * 6, is_for_tuning):
        judge(judged, there, image, truths, [], ("card",))
    nothings: Judged = defaultdict(list)
    for sort, image in without_things(asked.real, 150, _SEED, tuning=True):
        judge(nothings, there, image, [], [], CLASSES if sort == FELT else _NOT_CARDS)
    for kind in CLASSES:
        scores = [score for score, _ in nothings[kind]]
        counts = _CARDS_RECALL if kind in WHOLE_CARDS else 1.0
        limit, precision, recall = best_threshold(judged[kind], there[kind], scores, recall_counts=counts)
        print(f"threshold_{kind} = {limit:.2f}  # precision {precision:.3f} recall {recall:.3f} of {there[kind]}")
    print(f"grown_die = {SIZES[met.argmax()]:.2f}")
    for kind in _WITH_FACES:
        finding, reading, offset = trust(read[kind])
        print(f"{kind}: trust_finding = {finding:.3f}, trust_reading = {reading:.3f}, trust_offset = {offset:.3f}")
    divisor, right = temperature(squares, labels)
    print(f"temperature = {divisor:.2f}  # {right:.3f} of {len(labels)} faces right, their boxes known")


if __name__ == "__main__":
    main()
