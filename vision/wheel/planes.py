"""The pictures of a wheel camera: luma and half-size chroma planes, as video carries them, with their time.

The wheel eye works on these planes and never asks for a colour picture: converting one costs more than tracking.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import av
import av.error
import cv2
import numpy as np
from numpy.typing import NDArray

from auditor.log import FairdealError

Plane = NDArray[np.uint8]
WORKING_WIDTH_PX = 800  # a picture is shrunk by the whole factor that keeps it at least so wide


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
    luma, u, v = cv2.split(cv2.cvtColor(image[:height, :width], cv2.COLOR_BGR2YUV))
    half = (width // 2, height // 2)
    return shrunk(t, luma, _resized(u, half), _resized(v, half))


def shrunk(t: float, luma: Plane, u: Plane, v: Plane) -> Planes:
    """Planes at the size the eye works at."""
    factor = max(1, luma.shape[1] // WORKING_WIDTH_PX)
    if factor == 1:
        return Planes(t=t, luma=luma, u=u, v=v)
    height, width = luma.shape[0] // factor // 2 * 2, luma.shape[1] // factor // 2 * 2
    half = (width // 2, height // 2)
    return Planes(t=t, luma=_resized(luma, (width, height)), u=_resized(u, half), v=_resized(v, half), shrink=factor)


def _resized(plane: Plane, size: tuple[int, int]) -> Plane:
    return np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), np.uint8)


def read_planes(source: str | Path) -> Iterator[Planes]:
    """The pictures of a video, on one core; a source that cannot be read is told in one line."""
    try:
        with av.open(str(source)) as container:
            if not container.streams.video:
                raise FairdealError(f"{source}: holds no video")
            stream = container.streams.video[0]
            stream.codec_context.thread_count = 1
            start = float((stream.start_time or 0) * (stream.time_base or 0))
            for frame in container.decode(stream):
                if frame.time is not None:
                    yield _planes_of_frame(frame, frame.time - start)
    except av.error.FFmpegError as error:
        raise FairdealError(f"{source}: not readable as video: {error.strerror or error}") from None


def _planes_of_frame(frame: av.VideoFrame, t: float) -> Planes:
    if frame.format.name not in ("yuv420p", "yuvj420p"):
        frame = frame.reformat(format="yuv420p")
    luma, u, v = (
        np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[: plane.height, : plane.width]
        for plane in frame.planes
    )
    # The buffers belong to the decoder, which will use them again.
    return shrunk(t, luma.copy() if luma.shape[1] < 2 * WORKING_WIDTH_PX else luma, u.copy(), v.copy())
