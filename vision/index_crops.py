"""Indices stood upright and cut out of a picture, as the reading networks want to see them."""

import math
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_finder import FrameArray, frame_height_px
from vision.seen import Image

_MOST_ADJUSTED = 0.9  # in halves of an index's height: beyond that the network is guessing


class Cut(NamedTuple):
    """How large a crop is, and half an index's height in it."""

    width_px: int
    height_px: int
    half_index_px: float


CLOSE = Cut(40, 48, 18.0)
WIDE = Cut(44, 52, 15.0)  # a third more of what is around the index, less finely


class Layers:
    """A picture and its halves, quarters and so on: what is large is cropped from a small one, so that strokes hold."""

    def __init__(self, image: Image) -> None:
        self._halves = [image]

    def crop(self, frame: FrameArray, cut: Cut = CLOSE) -> Image:
        """An index stood upright."""
        return upright_crop(*self.fitting(frame, frame_height_px(frame) / (2 * cut.half_index_px)), cut)

    def fitting(self, frame: FrameArray, times: float) -> tuple[Image, FrameArray]:
        """The layer for a crop that many times smaller than what it shows, and the frame in that layer."""
        depth = max(0, int(math.log2(max(1.0, times / 1.2))))
        while len(self._halves) <= depth and min(self._halves[-1].shape[:2]) > 8:
            half = cv2.resize(self._halves[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            self._halves.append(np.asarray(half, np.uint8))
        depth = min(depth, len(self._halves) - 1)
        return self._halves[depth], np.asarray(frame / 2**depth, np.float32)


def adjusted(frame: FrameArray, adjust: NDArray[np.float32]) -> FrameArray:
    """The frame put right by what the network says is wrong with it."""
    by = np.clip(adjust.reshape(3, 2), -_MOST_ADJUSTED, _MOST_ADJUSTED)
    seen = np.array([(0, 0), (1, 0), (0, 1)], np.float32) + by
    onto = seen @ frame[1:]
    onto[0] += frame[0]
    return np.asarray(onto, np.float32)


def upright_crop(image: Image, frame: FrameArray, cut: Cut = CLOSE) -> Image:
    """The index stood upright, at a reading network's scale."""
    centre, right, up = frame.astype(np.float64)
    middle = np.array([cut.width_px / 2 - 0.5, cut.height_px / 2 - 0.5])
    source = np.array([centre, centre + right, centre + up], np.float32)
    half = np.array([cut.half_index_px, 0])
    target = np.array([middle, middle + half, middle - half[::-1]], np.float32)
    size = (cut.width_px, cut.height_px)
    crop = cv2.warpAffine(image, cv2.getAffineTransform(source, target), size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
