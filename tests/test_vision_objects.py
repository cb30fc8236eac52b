"""The detector of a table's small things and the reader of dice and tiles."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.object_looks import TILE_PIPS
from datasets.object_pictures import WRITERS, printed_felt
from datasets.pipped import random_die, random_tile
from datasets.traced_bodies import Sprite
from datasets.real_split import is_for_tuning, is_held_out
from datasets.sprites import paste
from models.calibrate_objects import SIZES, best_threshold, growth
from models.score_objects import Tally, real_pictures
from vision.die_witness import DIE_MARGIN, DIE_PX, agreed, parted, witnessed
from vision.object_faces import DIE_FACES, TILE_FACES, cut_square, levelled, read_faces
from vision.objects import Found, ObjectEye, detect, overlap
from vision.seen import Kind

REAL = Path(__file__).parents[2] / "shared" / "data" / "real"


def test_every_tile_of_the_log_has_a_face_to_read() -> None:
    assert set(TILE_PIPS) == set(TILE_FACES) - {"??"}
    assert len({tuple(sorted(pips)) for pips in TILE_PIPS.values()}) == 21


@pytest.mark.parametrize(
    ("kind", "make", "side_px", "least"), [("die", random_die, 40, 0.6), ("tile", random_tile, 70, 0.6)]
)
def test_traced_faces_that_the_reader_never_saw_are_read_far_better_than_by_chance(
    kind: Kind, make: Callable[[np.random.Generator], Sprite], side_px: float, least: float
) -> None:
    rng = np.random.default_rng(77)
    right = []
    for _ in range(40):
        sprite = make(rng)
        felt = np.full((110, 110, 3), rng.uniform(20, 200, 3), np.float32)
        box = paste(felt, sprite, (55.0, 55.0), side_px, 0)
        label, sure = read_faces(felt.clip(0, 255).astype(np.uint8), [(kind, box)])[0]
        right.append(label == sprite.label)
        assert 0 < sure <= 1
    assert np.mean(right) > least, np.mean(right)


def test_red_pips_on_a_brown_die_stand_out_as_much_as_black_ones_on_a_white_die() -> None:
    x, y = np.meshgrid(np.arange(64), np.arange(64))
    pip = np.hypot(x - 32, y - 32) < 8
    dim, clear = (
        levelled(np.where(pip, np.array(ink)[:, None, None], np.array(body)[:, None, None]).astype(np.float32))
        for body, ink in (((0.2, 0.2, 0.25), (0.2, 0.2, 0.5)), ((0.9, 0.9, 0.9), (0.1, 0.1, 0.1)))
    )
    assert np.abs(dim[:, pip]).max() == pytest.approx(np.abs(clear[:, pip]).max(), rel=0.8)
    assert np.abs(levelled(np.full((3, 64, 64), 0.4, np.float32))).max() < 0.01


def test_a_gleam_changes_light_and_leaves_the_colours_of_a_die_alone() -> None:
    x, y = np.meshgrid(np.arange(DIE_PX), np.arange(DIE_PX))
    pip, gleam = np.hypot(x - 32, y - 32) < 8, np.abs(y - 20) < 2
    die = np.where(pip, np.array([0.2, 0.2, 0.5])[:, None, None], 0.2).astype(np.float32)
    dull, shining = parted(np.stack([die, die + 0.4 * gleam]).astype(np.float32))
    assert shining[1:] == pytest.approx(dull[1:], abs=1e-3)
    assert np.abs(shining[0] - dull[0]).max() > 0.3
    assert (dull[1][pip] > dull[1][~pip].max()).all()  # red against blue: the pip stands out


def test_the_second_witness_reads_traced_dice_alone_and_does_not_decide_alone() -> None:
    rng, right = np.random.default_rng(78), []
    for _ in range(40):
        sprite = random_die(rng)
        felt = np.full((110, 110, 3), rng.uniform(20, 200, 3), np.float32)
        box = paste(felt, sprite, (55.0, 55.0), 40, 0)
        shares = witnessed([cut_square(felt.clip(0, 255).astype(np.uint8), box, DIE_PX, DIE_MARGIN)])[0]
        assert shares.sum() == pytest.approx(1, abs=1e-3)
        right.append((*DIE_FACES, "nothing")[int(shares.argmax())] == sprite.label)
    assert np.mean(right) > 0.75, np.mean(right)
    sure, torn = np.eye(7, dtype=np.float32)[2], np.array([0, 0.5, 0, 0.5, 0, 0, 0], np.float32)
    both = agreed(sure, np.eye(7, dtype=np.float32)[4])
    assert both[2] == pytest.approx(both[4])
    assert both.max() < 0.6
    assert agreed(torn, np.array([0, 0.9, 0, 0.1, 0, 0, 0], np.float32)).argmax() == 1


@pytest.mark.parametrize("side_px", [60, 150, 280])
def test_a_die_is_found_and_read_whether_it_is_far_or_fills_the_picture(side_px: int) -> None:
    rng = np.random.default_rng(11)
    right = 0
    for _ in range(6):
        felt = rng.normal((60, 110, 40), 4, (480, 640, 3)).astype(np.float32)
        sprite = random_die(rng, 160, 45.0, 75.0, "white")
        box = paste(felt, sprite, (300.0, 240.0), side_px, 0)
        seen = ObjectEye().look(felt.clip(0, 255).astype(np.uint8), {"die"})
        right += [each.label for each in seen if overlap(each.box, box) > 0.5] == [sprite.label]
    assert right >= 5


def test_a_pasted_sprite_lies_in_its_box_whichever_way_it_is_turned() -> None:
    sprite = random_tile(np.random.default_rng(3), side_px=60)
    for turns in range(4):
        felt = np.full((120, 120, 3), 200, np.float32)
        left, top, right, bottom = paste(felt, sprite, (60.0, 60.0), 50.0, turns)
        assert max(right - left, bottom - top) == pytest.approx(50.0)
        dark = np.argwhere(felt.max(axis=2) < 90)
        assert dark.size
        low, high = dark.min(axis=0), dark.max(axis=0)
        assert low[1] == pytest.approx(left, abs=6)
        assert high[1] == pytest.approx(right, abs=6)
        assert low[0] >= top - 2


def test_pictures_for_tuning_are_not_held_out() -> None:
    assert any(is_for_tuning(position) for position in range(100))
    assert not any(is_for_tuning(position) and is_held_out(position) for position in range(1000))


def test_boxes_drawn_a_little_wider_than_they_are_found_are_met_best_by_boxes_grown_as_much() -> None:
    found = [
        Found(kind="die", conf=0.9, box=(10.0, 10.0, 30.0, 30.0)),
        Found(kind="die", conf=0.9, box=(50, 10, 80, 40)),
    ]
    met = growth(found, [("3", (9.0, 9.0, 31.0, 31.0)), ("5", (48.5, 8.5, 81.5, 41.5))])
    assert SIZES[int(np.argmax(met))] == pytest.approx(1.1)
    assert max(met) == pytest.approx(2.0, abs=1e-4)


def test_the_detector_finds_most_drawn_things_and_nothing_on_bare_felt() -> None:
    hits, truths = 0, 0
    for image, seen in WRITERS["chips"](8, 5):
        found = [each.box for each in detect(image) if each.kind == "chips"]
        truths += len(seen)
        hits += sum(any(overlap(each.box, box) > 0.5 for box in found) for each in seen)
    assert hits > 0.5 * truths  # half of these stacks are under 30 px, which the detector often misses
    felt = np.random.default_rng(1).normal((40, 90, 30), 4, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    assert ObjectEye().look(felt) == []


@pytest.mark.skipif(not REAL.exists(), reason="needs the real photographs beside the repository")
def test_real_held_out_dice_are_read() -> None:
    tally, eye = Tally(), ObjectEye()
    for number, (image, truths) in enumerate(real_pictures(REAL / "dice", DIE_FACES)):
        if number % 10 == 0:
            tally.add(truths, [(seen.label or "", seen.box) for seen in eye.look(image) if seen.kind == "die"])
    assert tally.right > 0.9 * tally.truths
    assert tally.right > 0.9 * tally.said


def test_dense_print_on_felt_is_mostly_not_taken_for_a_thing() -> None:
    rng = np.random.default_rng(901)
    assert sum(bool(detect(printed_felt(rng))) for _ in range(24)) <= 6  # it is in three: dice where numbers are


def test_a_threshold_is_raised_over_what_is_seen_in_nothing_unless_too_much_would_be_lost() -> None:
    scored = [(0.9, True)] * 199 + [(0.5, True), (0.3, False)]
    assert best_threshold(scored, 200, [])[0] == pytest.approx(0.4)
    assert best_threshold(scored, 200, [0.6])[0] == pytest.approx(0.7)
    assert best_threshold(scored, 200, [0.95])[2] > 0.98


def test_a_picture_of_any_shape_can_be_looked_at() -> None:
    for shape in ((7, 5), (33, 800), (1500, 90)):
        image = np.full((*shape, 3), 90, np.uint8)
        cv2.rectangle(image, (1, 1), (4, 4), (255, 255, 255), -1)
        ObjectEye().look(image)
