"""The pictures of a wheel camera: luma and half-size chroma planes, as video carries them, with their time.

The wheel eye works on these planes and never asks for a colour picture: converting one costs more than tracking.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from auditor.log import FairdealError
from vision.frames import Footage, Frame

Plane = NDArray[np.uint8]
WORKING_WIDTH_PX = 640  # a picture is shrunk by the largest whole factor that keeps it so wide


@dataclass(frozen=True, slots=True, kw_only=True)
class Planes:
    """One picture, shrunk by `shrink`; `u` and `v` have half the size of `luma`."""

    t: float
    luma: Plane
    u: Plane
    v: Plane
    shrink: int = 1


def planes_of_image(t: float, image: Plane) -> Planes:
    """The planes of a BGR picture."""
    height, width = image.shape[0] // 2 * 2, image.shape[1] // 2 * 2
    yuv = np.asarray(cv2.cvtColor(image[:height, :width], cv2.COLOR_BGR2YUV), np.uint8)
    half = (width // 2, height // 2)
    colour = _resized(np.ascontiguousarray(yuv[:, :, 1:]), half)
    return _shrunk(t, yuv[:, :, 0], colour[:, :, 0], colour[:, :, 1])


def planes_of(frame: Frame) -> Planes:
    """The planes of a frame."""
    tints = frame.tints
    if not tints:
        return planes_of_image(frame.t, frame.image)
    return _shrunk(frame.t, frame.luma, *tints)


def read_planes(source: str | Path) -> Iterator[Planes]:
    """The pictures of a video, decoded on one core."""
    with Footage(source, threads=1) as footage:
        frame = None
        for frame in footage.frames():
            yield planes_of(frame)
        if frame is None:
            raise FairdealError(f"{source}: no picture in it can be decoded; is the file damaged?")


def _shrunk(t: float, luma: Plane, u: Plane, v: Plane) -> Planes:
    """Copies at the size the eye works at: the decoder will use its own memory again."""
    factor = max(1, luma.shape[1] // WORKING_WIDTH_PX)
    if factor == 1:
        return Planes(t=t, luma=luma.copy(), u=u.copy(), v=v.copy())
    height, width = luma.shape[0] // factor // 2 * 2, luma.shape[1] // factor // 2 * 2
    half = (width // 2, height // 2)
    return Planes(t=t, luma=_resized(luma, (width, height)), u=_resized(u, half), v=_resized(v, half), shrink=factor)


def _resized(plane: Plane, size: tuple[int, int]) -> Plane:
    return np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), np.uint8)
