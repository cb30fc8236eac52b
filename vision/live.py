"""The worker of one live camera: its packets are kept and decoded, its pictures watched, its events reported.

One thread takes packets in and keeps them; another decodes and watches. Between them stands the backlog. A worker that
has fallen behind passes over pictures that are like the last one, while nothing stirs and nothing is being read; the
others it looks at, however late.
"""

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal

from auditor.log import FairdealError
from vision.frames import Frame
from vision.live_backlog import Backlog
from vision.live_eyes import LiveEye, ReaderOf, TableEye, WheelEye
from vision.live_report import Outlet, Report, State, Vitals
from vision.live_ring import Ring
from vision.live_sight import Sight
from vision.live_source import Arrival, Decoder, LiveSource, SiteClock, is_recording
from vision.table_file import Camera, TableFile

TICK_S = 0.25
REPORT_EVERY_S = 1.0
STALLED_S, NEVER_SEEN_S = 2.0, 4.0
BEHIND_S, LOOK_EVERY_S = 0.4, 0.5
TOLD = {"lost": "the picture is dark or frozen", "blocked": "the view is covered"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Which camera a worker watches, and where its footage is kept."""

    table: TableFile
    camera: Camera
    source: str
    clock: SiteClock
    ring: Path
    stem: str
    segment_s: float


class Worker:
    """Watches one camera until it is stopped or its recording is over."""

    def __init__(self, order: Order, wire: Connection, eye: LiveEye) -> None:
        self._order, self._wire, self._eye = order, wire, eye
        self._clock = order.clock
        self._stopped = threading.Event()
        self._is_alone = False
        self._outlet, self._backlog = Outlet(), Backlog()
        self._source, self._decoder, self._sight = LiveSource(order.source, order.clock), Decoder(), Sight()
        self._state: State = "starting"
        self._detail = self._why = ""
        self._frames = self._passed_over = self._reconnects = 0
        self._seen_t = self._last_fed_t = 0.0
        self._heard_t = self._clock.now() + NEVER_SEEN_S - STALLED_S
        self._reported_t = self._counted_t = self._clock.now()
        self._counted_frames, self._fps = 0, 0.0

    def run(self) -> None:
        """Watch, to the end."""
        reader = threading.Thread(target=self._take_in, name="reader", daemon=True)
        listener = threading.Thread(target=self._listen, name="listener", daemon=True)
        reader.start()
        listener.start()
        try:
            for events in self._eye.watch(self._worth_seeing()):
                self._outlet.events += events
                if events:
                    self._report()
        finally:
            self._stopped.set()
            reader.join()
        self._outlet.events += self._eye.released(float("inf"))
        self._state, self._detail = "ended", ""
        self._report(float("inf"))

    def _listen(self) -> None:
        """Whatever comes from the site means stop. If it died, nobody hears the rest: the ring has the footage."""
        try:
            self._wire.recv()
        except (EOFError, OSError):
            self._is_alone = True
        self._stopped.set()

    def _take_in(self) -> None:
        order = self._order
        ring = Ring(order.ring, order.stem, order.camera.name, order.segment_s, self._outlet.tell)
        try:
            for item in self._source.arrivals(self._stopped):
                lost = self._backlog.lost
                self._backlog.put(item)
                if self._backlog.lost > lost:
                    self._outlet.tell(f"too far behind: {self._backlog.lost - lost} pictures will not be seen")
                if isinstance(item, Arrival):
                    self._heard_t, self._why = self._clock.now(), ""
                    self._outlet.filmed(ring.write(item))
                else:
                    self._reconnects += 1
                    self._why = item.why
                    self._outlet.tell(f"{item.why}; trying again in {item.pause_s:g} s")
        finally:
            self._outlet.filmed(ring.close())
            self._backlog.end()

    # ---- frames ----

    def _worth_seeing(self) -> Iterator[Frame]:
        """The frames the eye should look at. In between, the feed is minded and reports are sent."""
        while not self._backlog.is_done and not self._is_alone:
            item = self._backlog.get(TICK_S)
            if isinstance(item, Arrival):
                self._eye.fps = item.stretch.fps
                for frame in self._decoder.frames(item):
                    if self._is_worth(frame):
                        self._last_fed_t = frame.t
                        self._sight.taken_in()
                        yield frame
                        if not self._is_silent:
                            self._judge(self._eye.state)
            if self._is_silent:
                self._mind_silence(is_all_seen=item is None)
            if self._clock.now() - self._reported_t >= REPORT_EVERY_S:
                self._report()

    def _is_worth(self, frame: Frame) -> bool:
        self._frames += 1
        self._seen_t = frame.t
        trouble = self._sight.look(frame)
        if trouble is not None:
            self._eye.interrupted(frame.t)
            self._judge("lost", f"the picture is {trouble}")
            return False
        is_behind = self._clock.now() - frame.t > BEHIND_S
        if is_behind and not self._sight.is_new and frame.t - self._last_fed_t < LOOK_EVERY_S and not self._eye.is_busy:
            self._passed_over += 1
            return False
        return True

    @property
    def _is_silent(self) -> bool:
        """Whether a camera that should has sent nothing for a while, whatever still waits to be looked at."""
        is_over = self._stopped.is_set() or is_recording(self._order.source)
        return not is_over and self._clock.now() - self._heard_t >= STALLED_S

    def _mind_silence(self, *, is_all_seen: bool) -> None:
        """People are told at once; the log when all that came before was looked at."""
        if is_all_seen:
            self._eye.interrupted(self._seen_t)
            self._seen_t = self._clock.now()
        self._judge("lost", self._why or "it sends nothing")

    def _judge(self, state: Literal["lost", "blocked"] | None, detail: str = "") -> None:
        judged: State = state or "live"
        if judged == self._state:
            return
        self._state = judged
        self._detail = detail or TOLD.get(judged, "")
        self._report()

    # ---- reports ----

    def _report(self, horizon_t: float | None = None) -> None:
        now = self._clock.now()
        self._outlet.events += self._eye.released(self._seen_t)
        if now - self._counted_t >= REPORT_EVERY_S:
            self._fps = (self._frames - self._counted_frames) / (now - self._counted_t)
            self._counted_frames, self._counted_t = self._frames, now
        events, segments, lines = self._outlet.emptied()
        horizon = self._eye.horizon(self._seen_t) if horizon_t is None else horizon_t
        self._reported_t = now
        try:
            self._wire.send(
                Report(horizon_t=horizon, vitals=self._vitals(), events=events, segments=segments, lines=lines)
            )
        except OSError:
            self._is_alone = True

    def _vitals(self) -> Vitals:
        behind_s = max(0.0, self._clock.now() - self._seen_t) if self._state == "live" else 0.0
        return Vitals(
            state=self._state, detail=self._detail, fps=round(self._fps, 2), behind_s=round(behind_s, 3),
            frames=self._frames, passed_over=self._passed_over, lost=self._backlog.lost,
            broken=self._decoder.broken_packets, reconnects=self._reconnects,
        )  # fmt: skip


def watch_camera(order: Order, wire: Connection, reader_of: ReaderOf) -> None:
    """A worker's whole life; in a process of its own."""
    import signal

    import cv2

    if threading.current_thread() is threading.main_thread():
        for each in (signal.SIGINT, signal.SIGTERM):  # the site says when to stop, so that nothing is lost
            signal.signal(each, signal.SIG_IGN)
        os.environ.setdefault("FAIRDEAL_THREADS", "1")
        cv2.setNumThreads(1)
    is_wheel = order.camera.watches == "wheel"
    eye: LiveEye = WheelEye(order.camera) if is_wheel else TableEye(order.table, order.camera, reader_of)
    worker = Worker(order, wire, eye)
    try:
        worker.run()
    except FairdealError as error:
        wire.send(Report(horizon_t=0.0, vitals=Vitals(state="lost", detail=str(error)), lines=(str(error),)))
    finally:
        wire.close()
