"""A knocked camera: noticed, found again, its pictures moved back; an arm over the table is no knock."""

import av
import cv2
import numpy as np
import pytest

from vision.camera import Image
from vision.frames import Frame
from vision.knocks import Knock, Knocks

SIZE, SCALE = (960, 540), 3
MIDDLE = [(300.0, 200.0), (660.0, 200.0), (660.0, 340.0), (300.0, 340.0)]
TO_THE_EDGE = [(4.0, 4.0), (956.0, 4.0), (956.0, 536.0), (4.0, 536.0)]


def _table() -> Image:
    """Printed frames and words on felt."""
    chance = np.random.default_rng(3)
    picture = np.full((SIZE[1], SIZE[0], 3), 80, np.uint8)
    for _ in range(40):
        x, y = int(chance.integers(20, 900)), int(chance.integers(20, 480))
        across, along = int(chance.integers(15, 60)), int(chance.integers(15, 50))
        cv2.rectangle(picture, (x, y), (x + across, y + along), (200, 200, 200), 3)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)


def _moved(picture: Image, turn_deg: float, right: float, down: float) -> Image:
    matrix = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn_deg, 1.0)
    matrix[:, 2] += np.array([right, down])
    return np.asarray(cv2.warpAffine(picture, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


class _Camera:
    """Feeds pictures of a table to the watch for knocks."""

    def __init__(self, outline: list[tuple[float, float]]) -> None:
        self.table, self.t = _table(), 0.0
        self.knocks = Knocks(SCALE, [outline])
        self.known = self._small(self.frame(self.table))
        self.chance = np.random.default_rng(1)

    def frame(self, picture: Image) -> Frame:
        decoded = av.VideoFrame.from_ndarray(picture, format="bgr24").reformat(format="yuv420p")
        return Frame(index=round(self.t * 10), t=self.t, decoded=decoded)

    def _small(self, frame: Frame) -> Image:
        size = (SIZE[0] // SCALE, SIZE[1] // SCALE)
        return np.asarray(cv2.resize(frame.luma, size, interpolation=cv2.INTER_AREA), np.uint8)

    def take(self, picture: Image, seconds: float) -> list[Knock]:
        told = []
        for _ in range(round(seconds * 10)):
            self.t += 0.1
            noisy = np.clip(picture + self.chance.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
            frame = self.knocks.straight(self.frame(noisy))
            knock = self.knocks.look(frame, self._small(frame), self.known, self.table)
            told += [] if knock is None else [knock]
        return told


@pytest.mark.parametrize("knock", [(0.0, 12.0, -5.0), (1.2, -20.0, 8.0), (-0.8, 0.0, 3.0)])
def test_a_knocked_camera_is_noticed_at_once_and_found_again(knock: tuple[float, float, float]) -> None:
    camera = _Camera(MIDDLE)
    assert camera.take(camera.table, 4.0) == []
    aside = _moved(camera.table, *knock)
    lost, found = camera.take(aside, 2.0)
    assert (lost.is_found, found.is_found) == (False, True)
    assert lost.t == pytest.approx(4.1)
    assert found.t - lost.t < 0.5
    assert not camera.knocks.is_blind
    inner = np.s_[60:-60, 60:-60]
    before, after = camera.frame(camera.table).luma[inner], camera.frame(aside)
    assert cv2.absdiff(camera.knocks.straight(after).luma[inner], before).mean() < 1.0
    assert cv2.absdiff(after.luma[inner], before).mean() > 5


def test_a_camera_knocked_twice_is_followed_and_evidence_lies_in_the_picture_of_its_time() -> None:
    camera = _Camera(MIDDLE)
    camera.take(camera.table, 1.0)
    camera.take(_moved(camera.table, 0, 10, 0), 1.0)
    camera.take(_moved(camera.table, 0, 10, 14), 1.0)
    assert [round(float(value)) for value in camera.knocks.memory.moved[-1][1][:2, 2]] == [10, 14]
    for t, corner in ((0.5, (300, 200)), (1.9, (310, 200)), (3.0, (310, 214))):
        assert camera.knocks.in_picture(MIDDLE, t)[0] == pytest.approx(corner, abs=0.5)


def test_a_camera_that_does_not_see_all_of_the_table_any_more_stays_lost() -> None:
    camera = _Camera(TO_THE_EDGE)
    camera.take(camera.table, 1.0)
    assert [knock.is_found for knock in camera.take(_moved(camera.table, 0, 30, 0), 1.0)] == [False, True]
    assert camera.knocks.is_blind


def test_arms_over_a_third_of_the_table_are_no_knock() -> None:
    camera = _Camera(MIDDLE)
    camera.take(camera.table, 1.0)
    for right in range(0, 600, 40):
        reached = camera.table.copy()
        cv2.line(reached, (right, 0), (right + 200, 400), (150, 160, 190), 150)
        assert camera.take(reached, 0.2) == []
