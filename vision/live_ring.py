"""The ring: a camera's packets kept on disk as they came, in segments that begin with a picture that stands alone."""

import errno
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import av
import av.container
import av.video.stream

from vision.live_source import Arrival, Stretch

ENDING = ".mkv"  # readable however it broke off
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A finished file of the ring, and the log's time at its first picture."""

    path: Path
    t0: float


def segment_path(folder: Path, stem: str, camera: str, t0: float) -> Path:
    """Its name says which log it belongs to, and when it begins.

    >>> segment_path(Path("ring"), "BJ-04.20261116T064000Z", "table", 61.5).name
    'BJ-04.20261116T064000Z.table.000061500.mkv'
    """
    return folder / f"{stem}.{camera}.{round(1000 * t0):09}{ENDING}"


def segments_of(folder: Path, stem: str) -> list[tuple[str, Segment]]:
    """The segments of a log that lie in a folder, each with its camera."""
    found = []
    for path in sorted(folder.glob(f"{stem}.*{ENDING}")):
        camera, _, began_ms = path.name.removeprefix(f"{stem}.").removesuffix(ENDING).rpartition(".")
        if camera and began_ms.isdigit():
            found.append((camera, Segment(path=path, t0=int(began_ms) / 1000)))
    return found


class Ring:
    """Writes one camera's segments. A disk that refuses is told of, and tried again with the next segment."""

    def __init__(self, folder: Path, stem: str, camera: str, segment_s: float, tell: Tell) -> None:
        self._folder, self._stem, self._camera, self._segment_s = folder, stem, camera, segment_s
        self._tell = tell
        self._out: av.container.OutputContainer | None = None
        self._video: av.video.stream.VideoStream | None = None
        self._stretch: Stretch | None = None
        self._segment: Segment | None = None
        self._first_dts = 0
        self._is_refused = False

    def write(self, arrival: Arrival) -> Segment | None:
        """Keep a packet; returns the segment that is finished with it, if one is."""
        finished = None
        is_due = self._segment is not None and arrival.t - self._segment.t0 >= self._segment_s
        if arrival.stretch is not self._stretch or (is_due and arrival.is_key):
            finished = self.close()
        try:
            if self._out is None and arrival.is_key:
                self._begin(arrival)
            if self._out is not None and self._video is not None:
                packet = arrival.packet
                packet.pts, packet.dts = arrival.pts - self._first_dts, arrival.dts - self._first_dts
                packet.stream = self._video
                self._out.mux(packet)
        except (OSError, av.error.FFmpegError) as error:
            self._refused(error)
        return finished

    def _begin(self, arrival: Arrival) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = segment_path(self._folder, self._stem, self._camera, arrival.t)
        self._out = av.open(str(path), "w", format="matroska")
        self._video = self._out.add_stream_from_template(arrival.stretch.video)
        self._stretch, self._first_dts = arrival.stretch, arrival.dts
        self._segment = Segment(path=path, t0=arrival.t)
        if self._is_refused:
            self._is_refused = False
            self._tell("footage is kept again")

    def _refused(self, error: OSError | av.error.FFmpegError) -> None:
        full = " (the disk is full)" if error.errno == errno.ENOSPC else ""
        if not self._is_refused:
            self._tell(f"footage cannot be kept: {error.strerror}{full}; watching goes on")
        self._is_refused = True
        self._out, self._video, self._segment = None, None, None

    def close(self) -> Segment | None:
        """End the present segment; returns it, if anything was kept."""
        out, segment = self._out, self._segment
        self._out, self._video, self._segment, self._stretch = None, None, None, None
        if out is None:
            return None
        try:
            out.close()
        except (OSError, av.error.FFmpegError) as error:
            self._refused(error)
            return None
        return segment
