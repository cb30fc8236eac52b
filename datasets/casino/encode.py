"""Writing footage: pictures with their true times into an H.264 file that is there whole or not at all."""

import queue
import threading
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Self

import av
import numpy as np
from numpy.typing import NDArray

from auditor.log import FairdealError

Image = NDArray[np.uint8]
BITS_PER_PIXEL = 0.12  # a surveillance recorder's: 2.8 Mbit/s at 720p25
KEYFRAME_EVERY_S = 2
PRESET = "ultrafast"  # as near to the picture as "veryfast" (39.2 and 39.4 dB) in a third of the time
WAITING_FRAMES = 6


def time_base(fps: float) -> Fraction:
    """The clock one tick of which is one frame; 29.97 and the like are what broadcasters mean by them.

    >>> time_base(25), time_base(12.5), time_base(29.97)
    (Fraction(1, 25), Fraction(2, 25), Fraction(1001, 30000))
    """
    ntsc = Fraction(round(fps * 1001 / 1000) * 1000, 1001)
    return 1 / (ntsc if abs(float(ntsc) - fps) < 0.01 and fps % 1 else Fraction(fps).limit_denominator(100))


class FootageWriter:
    """Encodes on a thread of its own, so that the next picture can be drawn meanwhile."""

    def __init__(
        self, path: Path, *, size: tuple[int, int], fps: float, preset: str = PRESET,
        bits_per_pixel: float = BITS_PER_PIXEL,
    ) -> None:  # fmt: skip
        self.path, self._draft = path, path.with_name(path.name + ".part")
        self._waiting: queue.Queue[tuple[int, Image] | None] = queue.Queue(WAITING_FRAMES)
        self._failure: Exception | None = None
        try:
            self._container = av.open(str(self._draft), "w", format="mp4", options={"movflags": "faststart"})
        except OSError as error:
            raise FairdealError(f"{self._draft}: {error.strerror or error}") from None
        self._stream = self._container.add_stream("libx264", rate=1 / time_base(fps))
        self._stream.width, self._stream.height = size
        self._stream.pix_fmt = "yuv420p"
        self._stream.bit_rate = round(size[0] * size[1] * fps * bits_per_pixel)
        self._stream.codec_context.time_base = time_base(fps)
        self._stream.codec_context.gop_size = max(1, round(fps * KEYFRAME_EVERY_S))
        self._stream.codec_context.thread_count = 1
        self._stream.options = {"preset": preset, "tune": "fastdecode"}
        self._thread = threading.Thread(target=self._encode_all, name="encoder", daemon=True)
        self._thread.start()

    def write(self, index: int, image: Image) -> None:
        """Add the picture of a frame number; numbers left out are frames the camera dropped."""
        if self._failure is not None:
            raise FairdealError(f"{self.path}: cannot be encoded: {self._failure}")
        self._waiting.put((index, image))

    def _encode_all(self) -> None:
        while (item := self._waiting.get()) is not None:
            if self._failure is not None:
                continue  # drain, so that nobody waits for a dead encoder
            try:
                frame = av.VideoFrame.from_ndarray(item[1], format="bgr24")
                frame.pts, frame.time_base = item[0], self._stream.codec_context.time_base
                self._container.mux(self._stream.encode(frame))
            except Exception as error:
                self._failure = error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._waiting.put(None)
        self._thread.join()
        if kind is None and self._failure is None:
            self._container.mux(self._stream.encode(None))
        self._container.close()
        if kind is not None or self._failure is not None:
            self._draft.unlink(missing_ok=True)
        else:
            self._draft.replace(self.path)
        if kind is None and self._failure is not None:
            raise FairdealError(f"{self.path}: cannot be encoded: {self._failure}")
