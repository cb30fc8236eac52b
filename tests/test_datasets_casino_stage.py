"""The rendered casino: what is drawn is where it was put, and drawing only what moved changes no pixel."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("moderngl", reason="rendering needs moderngl")

from auditor.log import FairdealError
from datasets.casino import gl
from datasets.casino.cameras import preset
from datasets.casino.labels import card_quad, index_quads
from datasets.casino.looks import Light, Look
from datasets.casino.samples import What, decks_of, sample
from datasets.casino.stage import Stage
from datasets.casino.things import Card, ChipStack, Hand, Moment, Pose
from datasets.dataset import YoloWriter, make
from datasets.importers import read_yolo
from vision.plan import load_plan

SIZE = (480, 270)
PLAN = load_plan("act-blackjack")


@pytest.fixture(scope="module", autouse=True)
def _context() -> None:
    try:
        gl.context()
    except FairdealError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(PLAN, Look(), preset("dome60", PLAN.felt, SIZE))


CARD = Card(id=1, card="Ks", pose=Pose(-200.0, 400.0, 0.0, 30.0))
CHIPS = ChipStack(id=2, chips=("red",) * 6, pose=Pose(250.0, 420.0), seed=4)
HAND = Hand(id=3, who="dealer", side="right", pose=Pose(20.0, 300.0, 25.0, 170.0), grip=0.4, elbow=(-40.0, 0.0, 120.0))
MOMENT: Moment = (CARD, CHIPS, HAND)


def test_drawing_only_what_moved_gives_the_same_picture_as_drawing_all(stage: Stage) -> None:
    stage.draw(MOMENT)
    later: Moment = (
        replace(CARD, pose=Pose(-150.0, 380.0, 8.0, 60.0)),
        replace(HAND, pose=Pose(-20.0, 360.0, 40.0, 150.0), grip=0.9),
    )
    moved = stage.draw(later)
    afresh = Stage(PLAN, stage.look, stage.camera).draw(later)
    np.testing.assert_array_equal(moved, afresh)
    assert (moved != stage.draw(MOMENT)).any()


def test_things_are_seen_where_they_are_labelled(stage: Stage) -> None:
    ids = stage.ids(MOMENT)
    assert set(np.unique(ids)) == {0, 1, 2, 3}
    for thing in MOMENT[:2]:
        rows, columns = np.nonzero(ids == thing.id)
        seen = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
        np.testing.assert_allclose(seen, stage.project(thing), atol=1.5)
    inside = np.zeros(ids.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(card_quad(CARD, stage.look, stage.camera)).astype(np.int32), 1)
    covered = (inside > 0) & (ids == CARD.id)
    assert covered.sum() > 0.9 * (ids == CARD.id).sum()


def test_a_cards_index_is_printed_where_its_quad_says() -> None:
    """Seen from straight above a dark index stands on light paper, upright in its quad; a card face down has none."""
    corner = [(-260.0, 340.0), (-140.0, 340.0), (-140.0, 460.0), (-260.0, 460.0)]
    camera = replace(preset("overhead", corner, SIZE), k1=0.0)
    close = Stage(PLAN, Look(light=Light(lamp=(900.0, 900.0, 1700.0))), camera)  # no glare on the card
    picture = close.draw((CARD,))
    quad = index_quads(CARD, close.look, camera)[0]
    assert index_quads(replace(CARD, up=False), close.look, camera) == ()
    square = np.array([(0, 0), (40, 0), (40, 80), (0, 80)], np.float32)
    index = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(quad.astype(np.float32), square), (40, 80))
    dark = index.max(axis=2) < 110
    assert 0.15 < dark.mean() < 0.6
    assert dark[:36].mean() > 0.1  # the rank above
    assert dark[46:].mean() > 0.1  # the sign below
    assert dark[36:44].mean() < 0.25  # and paper between them


def test_a_felt_point_projects_and_comes_back() -> None:
    camera = preset("dome45", PLAN.felt, (1280, 720))
    for point in PLAN.felt:
        x, y = camera.project([(*point, 0.0)])[0]
        assert 0 <= x <= 1280
        assert 0 <= y <= 720
        assert camera.on_felt((float(x), float(y))) == pytest.approx(point, abs=0.5)


def test_unknown_camera_is_said_in_one_line() -> None:
    with pytest.raises(FairdealError, match="no camera is called 'attic'"):
        preset("attic", PLAN.felt, SIZE)


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "moderngl", None)
    with pytest.raises(
        FairdealError, match=r"^rendering needs the simulate extra: pip install 'fairdeal\[simulate\]'$"
    ):
        gl.context.__wrapped__()


def test_an_exposure_blurs_what_moves_and_nothing_else(stage: Stage) -> None:
    aside = (replace(CARD, pose=Pose(-140.0, 400.0, 0.0, 30.0)), CHIPS)
    still, moved = stage.draw((CARD, CHIPS)).astype(int), stage.draw(aside).astype(int)
    blurred = stage.expose([(CARD, CHIPS), aside])
    assert np.abs(blurred - (still + moved) // 2).max() <= 1
    assert ((still == moved).mean()) > 0.8


def test_samples_repeat_and_split_decks_by_family() -> None:
    first, again = (sample(11, "cards", (320, 240)) for _ in range(2))
    np.testing.assert_array_equal(first.image, again.image)
    assert first.labels
    train, tune, valid = ({deck.family for deck in decks_of(split)} for split in ("train", "tune", "valid"))
    assert not train & valid
    assert not tune & (train | valid)


@pytest.mark.parametrize(("what", "name"), [("cards", "[2-9TJQKA][cdhs]|back"), ("chips", "chips"), ("dice", "die-.")])
def test_a_dataset_is_rendered_with_boxes_of_what_was_asked_for(tmp_path: Path, what: What, name: str) -> None:
    """Train and validation lie apart; every box lies in its picture and shows what its name says."""
    writer = YoloWriter(tmp_path, with_crops=True)
    for split in ("train", "valid"):
        assert writer.write(make(what, 2, 5, split, "rendered"), split) == 2
    writer.close()
    photos = list(read_yolo(tmp_path))
    assert len(photos) == 4
    boxes = [box for photo in photos for box in photo.boxes]
    assert boxes
    assert all(re.fullmatch(name, box.name) for box in boxes)
    assert all(box.width >= 3 and 0 <= box.x <= 640 and 0 <= box.y <= 480 for box in boxes)
    assert len(list((tmp_path / "crops").rglob("*.png"))) == len(boxes)
    assert "train: images/train\nval: images/valid" in (tmp_path / "data.yaml").read_text()
