"""Frames: pictures with their own times, from a file, a stream or a device, through FFmpeg (PyAV)."""

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

import av
import av.container
import av.video.plane
import av.video.stream
import numpy as np
from numpy.typing import NDArray

from auditor.log import FairdealError

Image = NDArray[np.uint8]
STREAMS = ("rtsp://", "rtsps://", "http://", "https://")
OPEN_TIMEOUT_S = 10.0
SHORT_BY_S = 2.0
"""Footage that ends so much earlier than its container says was cut off."""
AHEAD_BYTES, AHEAD_FRAMES = 64 << 20, 4
"""At most so much is decoded ahead, at least so many frames."""


@dataclass(frozen=True, kw_only=True)
class Frame:
    """One picture: its number in the source, its time by the container's clock, its planes as they were decoded."""

    index: int
    t: float
    decoded: av.VideoFrame = field(repr=False)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return (self.decoded.width, self.decoded.height)

    @cached_property
    def luma(self) -> Image:
        """The brightness plane, without a copy where the codec has one."""
        if not self.decoded.format.name.startswith(("yuv", "nv12", "gray")):
            return np.asarray(self.decoded.to_ndarray(format="gray"), np.uint8)
        return _plane(self.decoded.planes[0])

    @cached_property
    def tints(self) -> tuple[Image, ...]:
        """The two colour planes at half resolution; none where the codec keeps them otherwise."""
        if self.decoded.format.name not in ("yuv420p", "yuvj420p"):
            return ()
        return tuple(_plane(plane) for plane in self.decoded.planes[1:3])

    @property
    def image(self) -> Image:
        """The picture as OpenCV has it: blue, green, red. Converted anew at each call."""
        return np.asarray(self.decoded.to_ndarray(format="bgr24"), np.uint8)

    @cached_property
    def small(self) -> dict[tuple[int, int], Image]:
        """Small pictures that were made of it, by their sizes."""
        return {}


class Footage:
    """A source of frames: a file, an RTSP or HTTP address, or a device (`device:/dev/video0`).

    Packets that cannot be decoded whole are counted in `broken_packets` and skipped; a file that ends in the middle of
    a frame ends there. Times never run backwards: where the source's clock jumps back, `clock_jumps` counts it and
    the times go on from where they were.
    """

    def __init__(self, source: str | Path, *, threads: int = 0) -> None:
        self.source = str(source)
        self.broken_packets = 0
        self.clock_jumps = 0
        self._container = _opened(self.source)
        videos = self._container.streams.video
        if not videos or not videos[0].width:  # what only has the name of a picture is opened as one without a size
            self._container.close()
            raise FairdealError(f"{self.source}: there is no video in it")
        self._video: av.video.stream.VideoStream = videos[0]
        self._video.thread_type = "AUTO"
        self._video.thread_count = threads

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return (self._video.width, self._video.height)

    @property
    def fps(self) -> float:
        """Frames per second as the container states them; 25 where it does not."""
        return float(self._video.average_rate or 25)

    @property
    def duration_s(self) -> float | None:
        """How long the footage is, where the container knows."""
        if self._video.duration is not None and self._video.time_base is not None:
            return float(self._video.duration * self._video.time_base)
        return self._container.duration / av.time_base if self._container.duration else None

    def frames(self, start_s: float = 0.0) -> Iterator[Frame]:
        """All frames from a time on, which is sought by keyframe. Their numbers count from the first of the file."""
        if start_s > 0:
            self._container.seek(int(start_s * av.time_base))
        last_t, offset = -1.0, 0.0
        for count, decoded in enumerate(self._decoded()):
            t = decoded.time if decoded.time is not None else count / self.fps
            if self._video.start_time and self._video.time_base:
                t -= float(self._video.start_time * self._video.time_base)
            if t + offset <= last_t:
                if t + offset < last_t - 1.0:
                    self.clock_jumps += 1
                offset = last_t + 1 / self.fps - t
            t += offset
            last_t = t
            if t >= start_s:
                yield Frame(index=round(t * self.fps), t=t, decoded=decoded)

    def _decoded(self) -> Iterator[av.VideoFrame]:
        packets = self._container.demux(self._video)
        while True:
            try:
                packet = next(packets)
            except StopIteration:
                return
            except av.error.FFmpegError:
                self.broken_packets += 1
                return
            try:
                decoded = packet.decode()
            except av.error.InvalidDataError:
                self.broken_packets += 1
                continue
            for frame in decoded:
                if frame.is_corrupt:  # patched up from what was left of it: nothing is read from such a picture
                    self.broken_packets += 1
                else:
                    yield frame

    def close(self) -> None:
        """Let go of the source."""
        self._container.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Recording:
    """Several files of one recording, one after another: their times and frame numbers run on."""

    def __init__(self, sources: Sequence[str | Path], *, threads: int = 0) -> None:
        if not sources:
            raise FairdealError("a recording needs at least one file")
        self._sources, self._threads = sources, threads
        self.faults: list[str] = []
        lengths = []
        for number, source in enumerate(sources):
            with Footage(source) as footage:
                if number == 0:
                    self.size, self.fps = footage.size, footage.fps
                elif footage.size != self.size:
                    sizes = f"{footage.size[0]}x{footage.size[1]}, not {self.size[0]}x{self.size[1]}"
                    raise FairdealError(f"{source}: its pictures are {sizes} as in the first file of the recording")
                lengths.append(footage.duration_s)
        self.duration_s = sum(length or 0.0 for length in lengths)
        self.is_length_known = None not in lengths
        self._lengths = lengths

    def frames(self, start_s: float = 0.0) -> Iterator[Frame]:
        """All frames from a time on."""
        begin = 0.0
        for source, length in zip(self._sources, self._lengths, strict=True):
            if length is not None and begin + length <= start_s and source is not self._sources[-1]:
                begin += length
                continue
            with Footage(source, threads=self._threads) as footage:
                last_t = first_t = max(0.0, start_s - begin)
                for frame in footage.frames(first_t):
                    last_t = frame.t
                    yield Frame(index=round((begin + frame.t) * self.fps), t=begin + frame.t, decoded=frame.decoded)
                self._note_faults(footage, begin + last_t)
                if length is not None and last_t + SHORT_BY_S < length:
                    self.faults.append(f"{source}: breaks off at {last_t:.1f} s; it should last {length:.1f} s")
                begin += length if length is not None else last_t + 1 / self.fps

    def frames_ahead(
        self, start_s: float = 0.0, foresee: Callable[[Frame], None] = lambda frame: None
    ) -> Iterator[Frame]:  # fmt: skip
        """The same, decoded ahead: a look takes from a millisecond, where nothing stirs, to a fifth of a second, where
        zones are read, and a decoder that waits so long leaves a core idle. `foresee` is shown each frame there."""
        frame_bytes = self.size[0] * self.size[1] * 3 // 2
        return _ahead(self.frames(start_s), max(AHEAD_FRAMES, AHEAD_BYTES // frame_bytes), foresee)

    def _note_faults(self, footage: Footage, t: float) -> None:
        if footage.broken_packets:
            self.faults.append(f"{footage.source}: {footage.broken_packets} packets were lost by {t:.1f} s")
        if footage.clock_jumps:
            self.faults.append(f"{footage.source}: its clock jumped back {footage.clock_jumps} times; times run on")


def _ahead(frames: Iterable[Frame], most: int, foresee: Callable[[Frame], None]) -> Iterator[Frame]:
    """The frames in their order, up to so many taken by another thread before their turn. What goes wrong there is
    raised when its turn comes."""
    ready: queue.SimpleQueue[Frame | BaseException | None] = queue.SimpleQueue()
    free: queue.SimpleQueue[None] = queue.SimpleQueue()
    for _ in range(most):
        free.put(None)
    is_left = threading.Event()

    def take() -> None:
        try:
            for frame in frames:
                free.get()
                if is_left.is_set():
                    return
                foresee(frame)
                ready.put(frame)
            ready.put(None)
        except BaseException as error:
            ready.put(error)

    taker = threading.Thread(target=take, name="ahead", daemon=True)
    taker.start()
    try:
        while (item := ready.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            free.put(None)
            yield item
    finally:
        is_left.set()
        free.put(None)
        taker.join()


def _plane(plane: av.video.plane.VideoPlane) -> Image:
    rows = np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, plane.line_size)
    return np.asarray(rows[:, : plane.width])


def _opened(source: str) -> av.container.InputContainer:
    device = source.removeprefix("device:")
    options = {"rtsp_transport": "tcp"} if source.startswith("rtsp") else {}
    try:
        if device != source:
            return av.open(device, format="v4l2", timeout=OPEN_TIMEOUT_S)
        if not source.startswith(STREAMS) and not Path(source).is_file():
            raise FairdealError(f"{source}: no such file")
        return av.open(source, options=options, timeout=OPEN_TIMEOUT_S)
    except av.error.FFmpegError as error:
        raise FairdealError(f"{source}: cannot be read as video ({error.strerror})") from None
