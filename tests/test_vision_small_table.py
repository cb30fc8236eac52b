"""The small picture of a table: what is shrunk quickly is what OpenCV shrinks."""

import cv2
import numpy as np
import pytest

from vision.small_table import MOST_SUMMED, _shrink


@pytest.mark.parametrize("brightest", [1, 2, 9, 255])
@pytest.mark.parametrize("side", [*range(1, MOST_SUMMED + 3), 2.5])
def test_what_is_shrunk_is_the_same_to_the_last_bit(side: float, brightest: int) -> None:
    width, height = 12, 8
    shape = (round(height * side), round(width * side) + 7)  # a decoder's rows are longer than the picture's
    plane = np.random.default_rng(brightest).integers(0, brightest, shape, np.uint8, endpoint=True)[:, :-7]
    small = np.empty((height, width), np.uint8)
    _shrink(plane, small)
    assert np.array_equal(small, cv2.resize(plane, (width, height), interpolation=cv2.INTER_AREA))
