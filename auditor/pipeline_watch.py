"""`fairdeal watch`: one process tree for a site. A worker process for every camera, everything else here.

Whatever is killed, the log on the disk is whole up to its last line: a worker that dies is started again, and a site
that died takes its last logs into the room when it is started again.
"""

import multiprocessing
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path

from auditor.alerts import Alerts
from auditor.chain import Keys
from auditor.growing import Clerk, Direct, growing
from auditor.health import ChannelHealth, HealthBoard, SiteHealth, site_health
from auditor.housekeeping import Housekeeper
from auditor.live_log import trimmed
from auditor.log import FairdealError
from auditor.pipeline_desk import Desk, Tell
from auditor.pipeline_site import Site
from auditor.provenance import Footage, Origin, sha256_of
from auditor.store import Store
from vision.live import Order, watch_camera
from vision.live_eyes import ReaderOf
from vision.live_report import Report
from vision.live_ring import segments_of
from vision.live_source import SiteClock
from vision.reading import Eyes

TICK_S = 0.2
FIRST_PAUSE_S, LONGEST_PAUSE_S, HEALTHY_S = 1.0, 30.0, 60.0
STOP_S = 60.0
"""A worker that is behind works off what it has, for as long as it takes; one that is silent for so long hangs."""
_spawn = multiprocessing.get_context("spawn")


@dataclass(slots=True, kw_only=True)
class Line:
    """The line to one camera's worker."""

    desk: Desk
    order: Order
    wire: Connection | None = None
    process: SpawnProcess | None = None
    begun: float = 0.0
    pause_s: float = FIRST_PAUSE_S
    again_at: float = 0.0
    is_over: bool = False

    def open(self, reader_of: ReaderOf) -> None:
        """Start the worker."""
        self.wire, theirs = _spawn.Pipe()
        self.process = _spawn.Process(target=watch_camera, args=(self.order, theirs, reader_of))
        self.process.start()
        theirs.close()
        self.begun = time.monotonic()

    def hang_up(self) -> None:
        """The worker has ended, or is dead."""
        if self.wire is not None:
            self.wire.close()
        if self.process is not None:
            self.process.join()
        self.wire, self.process = None, None


def watch_site(
    site: Site, stopped: threading.Event, tell: Callable[[str], None], *, reader_of: ReaderOf = Eyes,
    on_health: Callable[[SiteHealth], None] = lambda health: None,
) -> int:  # fmt: skip
    """Watch until `stopped`, or until every camera's recording was played; how many breaches were found."""
    for folder in (site.logs, site.footage):
        folder.mkdir(parents=True, exist_ok=True)
    keys = Keys(site.keys)
    with Store.open(site.room, keys, create=True) as store:
        _take_up(site, store, tell)
    board = HealthBoard(site.health_port) if site.health_port is not None else None
    alerts = Alerts(site.alerts.channels(), tell)
    health_at = "" if board is None else f"; health at http://127.0.0.1:{site.health_port}/health.json"
    tell(f"watching {', '.join(each.file.table for each in site.tables)}{health_at}")
    try:
        with Clerk(site.room, keys) as clerk:
            watch = _Watch(site, clerk, alerts, tell, reader_of)

            def show(health: SiteHealth) -> None:
                on_health(health)
                if board is not None:
                    board.show(health)

            watch.run(stopped, show)
    finally:
        alerts.close()
        if board is not None:
            board.close()
    return sum(desk.breaches for desk in watch.desks)


class _Watch:
    """The running tree."""

    def __init__(self, site: Site, clerk: Clerk, alerts: Alerts, tell: Tell, reader_of: ReaderOf) -> None:
        self._alerts, self._tell, self._reader_of = alerts, tell, reader_of
        self._clock = SiteClock()
        self._keeper = Housekeeper(site.room, Keys(site.keys), clerk, site.footage, site.ring.hours, tell)
        self.desks = [Desk(site, table, self._clock, clerk, alerts, tell) for table in site.tables]
        self._lines = [
            Line(
                desk=desk,
                order=Order(
                    table=desk.table.file, camera=camera, source=desk.table.source(camera), clock=self._clock,
                    ring=site.footage, stem=desk.stem, segment_s=site.ring.segment_s,
                ),
            )
            for desk in self.desks for camera in desk.table.file.cameras if camera.name in desk.cameras
        ]  # fmt: skip

    def run(self, stopped: threading.Event, show: Callable[[SiteHealth], None]) -> None:
        """Until everything is over."""
        with self._keeper:
            try:
                for line in self._lines:
                    line.open(self._reader_of)
                while not stopped.is_set() and not all(line.is_over for line in self._lines):
                    self._turn()
                    show(self._health())
            finally:
                self._stop()
                for desk in self.desks:
                    desk.close()
                show(self._health())

    def _turn(self) -> None:
        wires = {line.wire: line for line in self._lines if line.wire is not None}
        for wire in wait(list(wires), TICK_S) if wires else []:
            assert isinstance(wire, Connection)
            self._hear(wires[wire], wire)
        for line in self._lines:
            if line.wire is None and not line.is_over and time.monotonic() >= line.again_at:
                line.open(self._reader_of)
        for desk in self.desks:
            desk.log.flush()

    def _hear(self, line: Line, wire: Connection) -> None:
        name = line.order.camera.name
        try:
            report: Report = wire.recv()
        except (EOFError, OSError):
            line.hang_up()
            if line.is_over:
                return
            if time.monotonic() - line.begun > HEALTHY_S:
                line.pause_s = FIRST_PAUSE_S
            line.again_at = time.monotonic() + line.pause_s
            line.pause_s = min(2 * line.pause_s, LONGEST_PAUSE_S)
            line.desk.died(name)
            return
        line.is_over = report.vitals.state == "ended"
        line.desk.take(name, report)
        self._keeper.beat(line.desk.table.file, name, report.vitals.state, report.vitals.fps, report.vitals.detail)
        for segment in report.segments:
            self._keeper.filmed(line.desk.run, Footage(camera=name, path=segment.path, t0=segment.t0))

    def _stop(self) -> None:
        """Every worker brings its work to its end, and says so."""
        until = time.monotonic() + STOP_S
        for line in self._lines:
            if line.wire is not None and not line.is_over:
                try:
                    line.wire.send("stop")
                except OSError:
                    continue
        while any(line.wire is not None for line in self._lines) and time.monotonic() < until:
            wires = {line.wire: line for line in self._lines if line.wire is not None}
            for wire in wait(list(wires), TICK_S):
                assert isinstance(wire, Connection)
                until = time.monotonic() + STOP_S
                self._hear(wires[wire], wire)
        for line in self._lines:
            if line.process is not None:
                self._tell(f"{line.order.stem}: camera {line.order.camera.name}: its worker does not stop; it is ended")
                line.process.kill()
                line.hang_up()

    def _health(self) -> SiteHealth:
        told = [desk.health() for desk in self.desks]
        channels = tuple(
            ChannelHealth(channel=each.channel.name, sent=each.sent, failed=each.failed)
            for each in self._alerts.outboxes
        )
        cameras = tuple(camera for _, each in told for camera in each)
        return site_health(self._clock.now(), cameras, tuple(table for table, _ in told), channels)


def _take_up(site: Site, store: Store, tell: Tell) -> None:
    """Bring what an earlier watch left behind into the room: logs broken off, footage not registered."""
    for path in sorted(site.logs.glob("*.jsonl")):
        lost = trimmed(path)
        if lost:
            tell(f"{path.name}: its last line was broken off ({lost} bytes)")
        run = store.known(sha256_of(path))
        known = {Path(row["path"]) for row in store.rows("SELECT path FROM footage WHERE run = ?", [run])}
        films = tuple(
            Footage(camera=camera, path=segment.path, t0=segment.t0)
            for camera, segment in segments_of(site.footage, path.stem)
            if segment.path.absolute() not in known
        )
        if run and not films:
            continue
        try:
            with path.open("rb") as stream, growing(Direct(store), stream, path.name, Origin(footage=films)) as kept:
                rounds = sum(1 for _ in kept.audit.rounds)
            tell(f"{path.name}: taken up from an earlier watch: {rounds} rounds, {len(films)} pieces of footage")
        except FairdealError as error:
            tell(f"{path.name}: cannot be taken up: {error}")
