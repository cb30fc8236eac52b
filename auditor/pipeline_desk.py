"""The desk of one watched table: its cameras' reports become its log, its log is audited, its breaches are told."""

import datetime
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO, cast

from auditor.alerts import Alert, Alerts
from auditor.growing import Writer, growing
from auditor.health import CameraHealth, TableHealth
from auditor.herald import Herald
from auditor.live_log import LiveLog, Merge, Tail
from auditor.log import FORMAT, AnyEvent, FairdealError, Feed, Header
from auditor.pipeline_site import Site, SiteTable
from auditor.provenance import Origin, source
from vision.live_report import Report, Vitals
from vision.live_source import SiteClock

AGAIN_S = 2.0
Tell = Callable[[str], None]


@dataclass(slots=True, kw_only=True)
class CameraDesk:
    """What is known of one camera."""

    vitals: Vitals = field(default_factory=Vitals)
    restarts: int = 0
    was_restarted: bool = False
    horizon_t: float = 0.0


class Desk:
    """One table while it is watched. Reports are taken by the site's own thread; the audit has a thread here."""

    def __init__(
        self, site: Site, table: SiteTable, clock: SiteClock, writer: Writer, alerts: Alerts, tell: Tell
    ) -> None:
        self.table, self._clock, self._writer, self._alerts = table, clock, writer, alerts
        self.started_at = time.time() - clock.now()
        started = datetime.datetime.fromtimestamp(self.started_at, datetime.UTC)
        self.stem = f"{table.file.table}.{started:%Y%m%dT%H%M%S}{started.microsecond // 1000:03}Z"
        self._tell: Tell = lambda line: tell(f"{table.file.table}: {line}")
        header = Header(
            log=FORMAT, table=table.file.table, rulebook=table.file.rulebook, started=started,
            house=table.file.house_as_seen,
        )
        self.log = LiveLog(site.logs / f"{self.stem}.jsonl", header)
        watched = [camera for camera in (table.file.camera("table"), table.file.camera("wheel")) if camera is not None]
        self.cameras = {camera.name: CameraDesk() for camera in watched}
        self._merge = Merge(self.cameras)
        self._run = 0
        self._events = self._rounds = self._breaches = 0
        self._trouble = ""
        self._herald = Herald(
            table.file.table, alerts, self._tell, started_at=self.started_at, tells_unsure=site.alerts.unsure,
            run=self.run,
        )  # fmt: skip
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._audit, self._proclaim)]
        for thread in self._threads:
            thread.start()

    # ---- what the cameras say ----

    def take(self, name: str, report: Report) -> None:
        """A worker's report: into the log first, then to people."""
        camera = self.cameras[name]
        before, camera.vitals = camera.vitals, report.vitals
        events = list(report.events)
        if camera.was_restarted and report.vitals.state == "live":
            camera.was_restarted = False
            events.append(Feed(t=round(max(report.horizon_t, 0.0), 3), state="back", cam=name))
        self._write(name, camera, events, report.horizon_t)
        for line in report.lines:
            self._tell(f"camera {name}: {line}")
        self._tell_state(name, before, report.vitals)

    def died(self, name: str) -> None:
        """A worker's process is gone without a word."""
        camera = self.cameras[name]
        now = round(self._clock.now(), 3)
        camera.restarts += 1
        camera.was_restarted = True
        before, camera.vitals = camera.vitals, Vitals(state="lost", detail="its worker died and is started again")
        gone = Feed(t=max(0.0, min(now, camera.horizon_t)), state="lost", cam=name)
        self._write(name, camera, [gone], now)
        self._tell_state(name, before, camera.vitals)

    def _write(self, name: str, camera: CameraDesk, events: list[AnyEvent], horizon_t: float) -> None:
        camera.horizon_t = horizon_t
        due = self._merge.add(name, events, horizon_t)
        self._events += len(due)
        had_trouble = bool(self.log.trouble)
        self.log.append(due)
        if self.log.trouble and not had_trouble:
            self._warn(self.log.trouble)
        elif had_trouble and not self.log.trouble:
            self._tell("the log is written again, nothing is missing from it")

    def _warn(self, line: str) -> None:
        self._tell(line)
        self._alerts.put(Alert(what="watch", table=self.table.file.table, message=line))

    def _tell_state(self, name: str, before: Vitals, now: Vitals) -> None:
        if before.state == now.state or now.state not in ("live", "lost", "blocked"):
            return
        if now.state == "live" and before.state == "starting":
            return
        message = f"camera {name} is back" if now.state == "live" else f"camera {name} is {now.state}: {now.detail}"
        self._tell(message)
        self._alerts.put(
            Alert(
                what="feed", table=self.table.file.table, camera=name, state=now.state, message=message,
                t=round(self._clock.now(), 3),
            )
        )  # fmt: skip

    # ---- what the auditor says ----

    def _audit(self) -> None:
        """Audit the log as it grows; where the room refuses, begin again: what is kept already is recognised."""
        while True:
            tail = Tail(self.log)
            try:
                origin = Origin(sources=(source("table file", self.table.path),))
                with growing(self._writer, cast(BinaryIO, tail), self.log.path.name, origin) as kept:
                    self._run = kept.run
                    self._rounds = self._breaches = 0
                    for audited in kept.audit.rounds:
                        self._trouble = ""
                        self._rounds += 1
                        self._breaches += sum(finding.verdict == "breach" for finding in audited.findings)
                return
            except (sqlite3.Error, OSError, FairdealError) as error:
                if not self._trouble:
                    self._tell(f"the room does not take it: {error}; trying again")
                self._trouble = str(error)
                if self.log.is_closed:
                    return
                time.sleep(AGAIN_S)
            except Exception as error:  # a fault of ours: the log goes on, and can be audited when it is mended
                self._trouble = f"the audit failed: {error!r}"
                self._warn(self._trouble)
                return
            finally:
                tail.close()

    def _proclaim(self) -> None:
        """Tell people what the log proves; they are told even while the room refuses."""
        tail = Tail(self.log)
        try:
            self._herald.follow(tail, self.log.path.name)
        except Exception as error:  # a fault of ours; the audit itself goes on
            self._trouble = f"alerts failed: {error!r}"
            self._warn(self._trouble)
        finally:
            tail.close()

    def close(self) -> None:
        """No report comes any more: the log is closed, and audited to its end."""
        self.log.close()
        if self.log.unwritten:
            self._warn(f"{self.log.unwritten} lines could not be written: {self.log.trouble}")
        for thread in self._threads:
            thread.join()

    # ---- how it goes ----

    def run(self) -> int:
        """The number of the log in the room; 0 while it has none yet."""
        return self._run

    @property
    def breaches(self) -> int:
        """How many were found."""
        return self._breaches

    def health(self) -> tuple[TableHealth, list[CameraHealth]]:
        """The table's health and its cameras'."""
        file = self.table.file
        table = TableHealth(
            table=file.table, rulebook=file.rulebook, events=self._events, rounds=self._rounds,
            breaches=self._breaches, unwritten=self.log.unwritten, trouble=self.log.trouble or self._trouble,
        )  # fmt: skip
        cameras = [
            CameraHealth(
                table=file.table, camera=name, state=each.vitals.state, detail=each.vitals.detail,
                fps=each.vitals.fps, behind_s=each.vitals.behind_s, frames=each.vitals.frames,
                passed_over=each.vitals.passed_over, lost=each.vitals.lost, broken=each.vitals.broken,
                reconnects=each.vitals.reconnects, restarts=each.restarts,
            )
            for name, each in self.cameras.items()
        ]  # fmt: skip
        return table, cameras
