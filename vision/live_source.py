"""Live sources: a camera's packets as they arrive, on the site's clock. A source that goes away is opened again.

A file given as a source plays at its own pace, for rehearsals. Only a recording ever ends.
"""

import contextlib
import math
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import av.container
import av.video.stream

from auditor.log import FairdealError
from vision.frames import STREAMS, Frame

OPEN_TIMEOUT_S, READ_TIMEOUT_S = 8.0, 4.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 5.0
JUMP_BACK_S, JUMP_AHEAD_S = 1.0, 5.0
FOLLOW_S = 2e-5
"""A camera's clock is followed by so much a packet: it may drift, the steps between its pictures stay its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteClock:
    """Seconds since the log began. All processes of a site count from the same moment; nobody can set it."""

    zero: float = field(default_factory=time.monotonic)

    def now(self) -> float:
        """The present."""
        return time.monotonic() - self.zero


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """One connection to a camera, from when it answered until it went away, and what is needed to decode it."""

    codec: str
    extradata: bytes | None
    size: tuple[int, int]
    pix_fmt: str | None
    time_base: Fraction
    fps: float
    video: av.video.stream.VideoStream = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A packet that arrived: `t` is the site's time of it, `offset_s` what makes the source's times the site's."""

    packet: "av.Packet[av.video.stream.VideoStream]" = field(repr=False)
    data: bytes = field(repr=False)
    pts: int
    dts: int
    is_key: bool
    t: float
    offset_s: float
    stretch: Stretch


@dataclass(frozen=True, slots=True, kw_only=True)
class Interruption:
    """The source went away or did not answer; it is tried again after a pause."""

    why: str
    pause_s: float


class Retimer:
    """Lays the times of one connection on the site's clock."""

    def __init__(self) -> None:
        self._last_s: float | None = None
        self._offset_s = 0.0
        self.jumps = 0

    def offset_s(self, source_s: float, now: float) -> float:
        """What to add to the source's times, for a packet of that time that arrives now.

        A packet may come late, but never before its time: the first ones come in a burst, held back while the
        connection was made, and whoever trusted their arrival would think every later picture was of the future.

        >>> retimer = Retimer()
        >>> retimer.offset_s(7000.0, 10.0), round(retimer.offset_s(7000.04, 10.07), 3)
        (-6990.0, -6990.0)
        >>> round(retimer.offset_s(7000.54, 10.1), 3)  # the burst is over: what was first had come 0.44 s late
        -6990.44
        >>> round(retimer.offset_s(20.0, 10.1), 3), retimer.jumps  # its clock was set back
        (-9.9, 1)
        """
        t = source_s + self._offset_s
        if self._last_s is None:
            self._offset_s = now - source_s
        elif source_s < self._last_s - JUMP_BACK_S or t > now + JUMP_AHEAD_S:
            self.jumps += 1
            self._offset_s = now - source_s
        else:
            self._offset_s = min(self._offset_s + FOLLOW_S, now - source_s)
        self._last_s = source_s
        return self._offset_s


def is_recording(source: str) -> bool:
    """Whether a source is a file, which plays once, and not a camera."""
    return not source.startswith((*STREAMS, "device:"))


class LiveSource:
    """One camera. `arrivals` goes on until it is stopped, or its recording has been played."""

    def __init__(self, source: str, clock: SiteClock) -> None:
        self.source, self._clock = source, clock
        self.clock_jumps = 0

    def arrivals(self, stopped: threading.Event) -> Iterator[Arrival | Interruption]:
        """Packets and interruptions, as they come."""
        pause_s = FIRST_PAUSE_S
        while not stopped.is_set():
            why = "the stream ended"
            try:
                with contextlib.closing(_connected(self.source)) as container:
                    for arrival in self._packets(container, stopped):
                        pause_s = FIRST_PAUSE_S
                        yield arrival
            except (av.error.FFmpegError, FairdealError) as error:
                why = getattr(error, "strerror", None) or str(error)
            if is_recording(self.source) or stopped.is_set():
                return
            yield Interruption(why=_calmly(why), pause_s=pause_s)
            stopped.wait(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _packets(self, container: av.container.InputContainer, stopped: threading.Event) -> Iterator[Arrival]:
        stretch = _stretch(container, self.source)
        retimer, offset_s = Retimer(), -math.inf
        for packet in container.demux(stretch.video):
            if stopped.is_set():
                return
            stamp = packet.dts if packet.dts is not None else packet.pts
            if stamp is None or not packet.size:
                continue
            source_s = float(stamp * stretch.time_base)
            if is_recording(self.source) and stopped.wait(max(0.0, source_s + offset_s - self._clock.now())):
                return
            offset_s = retimer.offset_s(source_s, self._clock.now())
            if retimer.jumps:
                self.clock_jumps, retimer.jumps = self.clock_jumps + retimer.jumps, 0
            yield Arrival(
                packet=packet, data=bytes(packet), pts=stamp if packet.pts is None else packet.pts, dts=stamp,
                is_key=packet.is_keyframe, t=source_s + offset_s, offset_s=offset_s, stretch=stretch,
            )  # fmt: skip


class Decoder:
    """Turns arrived packets into frames. It is its own, so that packets outlive the connection they came by."""

    def __init__(self) -> None:
        self.broken_packets = 0
        self._stretch: Stretch | None = None
        self._codec: av.VideoCodecContext | None = None
        self._last_t = -1.0

    def frames(self, arrival: Arrival) -> list[Frame]:
        """The frames that a packet completes, if any; their times never run backwards."""
        stretch = arrival.stretch
        if stretch is not self._stretch or self._codec is None:
            self._stretch, self._codec = stretch, _codec(stretch)
        packet = av.Packet(arrival.data)
        packet.pts, packet.dts, packet.time_base = arrival.pts, arrival.dts, stretch.time_base
        try:
            decoded = self._codec.decode(packet)
        except av.error.FFmpegError:
            self.broken_packets += 1
            return []
        return [self._frame(each, arrival) for each in decoded]

    def _frame(self, decoded: av.VideoFrame, arrival: Arrival) -> Frame:
        stretch = arrival.stretch
        stamp = arrival.pts if decoded.pts is None else decoded.pts
        t = max(float(stamp * stretch.time_base) + arrival.offset_s, self._last_t + 0.5 / stretch.fps, 0.0)
        self._last_t = t
        return Frame(index=round(t * stretch.fps), t=t, decoded=decoded)


def _connected(source: str) -> av.container.InputContainer:
    if is_recording(source) and not Path(source).is_file():
        raise FairdealError(f"{source}: no such file")
    device = source.removeprefix("device:")
    options = {"rtsp_transport": "tcp"} if source.startswith("rtsp") else {}
    kind = "v4l2" if device != source else None
    return av.open(device, format=kind, options=options, timeout=(OPEN_TIMEOUT_S, READ_TIMEOUT_S))


def _stretch(container: av.container.InputContainer, source: str) -> Stretch:
    if not container.streams.video:
        raise FairdealError(f"{source}: there is no video in it")
    video = container.streams.video[0]
    codec = video.codec_context
    return Stretch(
        codec=codec.name, extradata=codec.extradata, size=(codec.width, codec.height), pix_fmt=codec.pix_fmt,
        time_base=video.time_base or Fraction(1, 90000), fps=float(video.average_rate or 25), video=video,
    )  # fmt: skip


def _codec(stretch: Stretch) -> av.VideoCodecContext:
    codec = av.CodecContext.create(stretch.codec, "r")
    assert isinstance(codec, av.VideoCodecContext)
    if stretch.extradata:
        codec.extradata = stretch.extradata
    if stretch.size[0]:
        codec.width, codec.height = stretch.size
    if stretch.pix_fmt:
        codec.pix_fmt = stretch.pix_fmt
    codec.thread_count = 1  # many cameras share few cores
    return codec


def _calmly(why: str) -> str:
    """FFmpeg's word for a read that took too long is about itself."""
    return "it sends nothing any more" if "exit" in why.lower() else why
