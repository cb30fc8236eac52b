"""The detector of a table's small things and the reader of dice and tiles."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.object_looks import TILE_PIPS
from datasets.object_pictures import WRITERS, face_scene
from vision.object_faces import DIE_FACES, TILE_FACES, read_faces
from vision.objects import ObjectEye, detect, overlap

REAL = Path(__file__).parents[2] / "shared" / "data" / "real"


def test_every_tile_of_the_log_has_a_face_to_read() -> None:
    assert set(TILE_PIPS) == set(TILE_FACES) - {"??"}
    assert len({tuple(sorted(pips)) for pips in TILE_PIPS.values()}) == 21


@pytest.mark.parametrize(("what", "faces", "least"), [("die", DIE_FACES, 0.55), ("tile", TILE_FACES, 0.45)])
def test_most_drawn_faces_are_read(what: str, faces: tuple[str, ...], least: float) -> None:
    rng = np.random.default_rng(77)
    right = []
    for _ in range(20):
        image, seen = face_scene(rng, what)  # type: ignore[arg-type]
        whole = [each for each in seen if min(each.box) > 1 and max(each.box) < image.shape[0] - 1]
        for each, (label, _) in zip(whole, read_faces(image, [(each.kind, each.box) for each in whole]), strict=True):
            assert label in faces
            right.append(label == each.label)
    assert np.mean(right) > least


def test_the_detector_finds_most_drawn_things_and_nothing_on_bare_felt() -> None:
    hits, truths = 0, 0
    for image, seen in WRITERS["chips"](8, 5):
        found = [each.box for each in detect(image) if each.kind == "chips"]
        truths += len(seen)
        hits += sum(any(overlap(each.box, box) > 0.5 for box in found) for each in seen)
    assert hits > 0.6 * truths
    felt = np.random.default_rng(1).normal((40, 90, 30), 4, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    assert ObjectEye().look(felt) == []


@pytest.mark.skipif(not REAL.exists(), reason="needs the real photographs beside the repository")
def test_real_held_out_dice_are_read() -> None:
    from models.evaluate_objects import Tally, held_out

    tally, eye = Tally(), ObjectEye()
    for number, (image, truths) in enumerate(held_out(REAL / "dice", DIE_FACES)):
        if number % 10 == 0:
            tally.add(truths, [(seen.label or "", seen.box) for seen in eye.look(image) if seen.kind == "die"])
    assert tally.right > 0.65 * tally.truths
    assert tally.right > 0.65 * tally.said


def test_a_picture_of_any_shape_can_be_looked_at() -> None:
    for shape in ((7, 5), (33, 800), (1500, 90)):
        image = np.full((*shape, 3), 90, np.uint8)
        cv2.rectangle(image, (1, 1), (4, 4), (255, 255, 255), -1)
        ObjectEye().look(image)
