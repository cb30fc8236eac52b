"""The feed: a picture that is stuck is told from a quiet table, and from an encoder that repeats pictures."""

import cv2
import numpy as np

from vision.feed import FeedChange, FeedWatch, steep_steps

FPS = 8


def _watched(stillness_s: list[tuple[float, bool]]) -> list[FeedChange]:
    """Stretches of pictures that are noisy (False) or stuck (True)."""
    chance = np.random.default_rng(0)
    watch = FeedWatch(np.ones((18, 32), bool))
    picture = np.full((18, 32), 100, np.uint8)
    table, changes, number = picture.copy(), [], 0
    for seconds, is_stuck in stillness_s:
        for _ in range(round(seconds * FPS)):
            if not is_stuck:
                picture = np.asarray(100 + chance.integers(-2, 3, picture.shape), np.uint8)
            changes += watch.look(picture, table, number / FPS, fine=picture, is_reached=False)
            number += 1
    return changes


def test_a_picture_that_is_stuck_is_lost_from_its_first_repetition_until_it_moves() -> None:
    lost, back = _watched([(12, False), (4, True), (2, False)])
    assert (lost.state, back.state) == ("lost", "back")
    assert abs(lost.t - 12) <= 2 / FPS
    assert abs(back.t - 16) <= 2 / FPS


def test_an_encoder_that_often_repeats_pictures_is_not_stuck() -> None:
    assert _watched([(6, False), (1.5, True), (3, False), (1.5, True), (3, False), (5, True), (3, False)]) == []


def test_a_camera_that_was_only_just_opened_may_be_quiet() -> None:
    assert _watched([(3, False), (4, True), (3, False)]) == []


def test_a_keyframe_of_a_frozen_picture_is_not_the_view_come_back() -> None:
    """An arm in the picture that stands still is frozen; a camera's noise, look after look, is the view."""
    chance = np.random.default_rng(0)
    watch = FeedWatch(np.ones((18, 32), bool))
    table = np.full((18, 32), 100, np.uint8)
    changes, picture = [], table
    for number in range(40):
        if number < 9 or number == 20 or number >= 32:
            picture = np.asarray(table + chance.integers(-2, 3, table.shape), np.uint8)
        changes += watch.look(picture, table, number / FPS, fine=picture, is_reached=True)
    assert [(change.state, change.t) for change in changes] == [("lost", 9 / FPS), ("back", 33 / FPS)]


def test_nothing_is_read_while_the_light_comes_back() -> None:
    """Half as bright as usual and getting brighter: an index may be taken for another. Dim for good is no reason."""
    watch = FeedWatch(np.ones((20, 30), bool))
    table = np.full((20, 30), 100, np.uint8)
    doubtful = []
    for number, grey in enumerate([100, 100, 70, 40, 5, 5, 5, 5, 40, 60, 80, 100, 100, 75, 75, 75]):
        small, fine = np.full_like(table, grey), np.full((4, 4), number, np.uint8)
        watch.look(small, table, number * 0.08, fine=fine, is_reached=False)
        doubtful.append(watch.is_doubtful)
    assert doubtful == [False] * 2 + [True] * 9 + [False] * 2 + [True] + [False] * 2


def test_a_picture_out_of_focus_or_full_of_grain_shows_nothing() -> None:
    chance = np.random.default_rng(1)
    sharp = np.full((320, 400), 90, np.uint8)
    sharp[:, ::40] = 200
    grain = np.asarray(np.clip(sharp + chance.normal(0, 20, sharp.shape), 0, 255), np.uint8)
    blurred = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 6), np.uint8)
    watch, small = FeedWatch(np.ones((20, 30), bool)), np.full((20, 30), 100, np.uint8)
    told: list[FeedChange] = []
    for number, picture in enumerate([sharp] * 10 + [blurred] * 10 + [sharp] * 10 + [grain] * 10 + [sharp] * 10):
        fine, steps = np.full((4, 4), number, np.uint8), steep_steps(picture)
        told += watch.look(small, small, number * 0.1, fine=fine, is_reached=False, steps=steps)
    assert [(change.state, round(change.t, 1)) for change in told] == [
        ("blocked", 1.0), ("back", 2.1), ("blocked", 3.0), ("back", 4.1)
    ]  # fmt: skip


def test_nothing_is_read_while_the_picture_goes_out_of_focus_and_comes_back() -> None:
    """Print that is half blurred looks like something that left the felt, and sharp again like something that came."""
    watch, small = FeedWatch(np.ones((20, 30), bool)), np.full((20, 30), 100, np.uint8)
    doubtful = []
    for number, share in enumerate([1.0, 0.95, 1.0, 0.8, 0.5, 0.3, 0.1, 0.3, 0.5, 0.8, 1.0, 1.0, 0.95]):
        fine = np.full((4, 4), number, np.uint8)
        watch.look(small, small, number * 0.08, fine=fine, is_reached=False, steps=0.03 * share)
        doubtful.append(watch.is_doubtful)
    assert doubtful == [False] * 3 + [True] * 8 + [False] * 2
