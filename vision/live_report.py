"""What a live camera's worker reports to its site: how the camera does, what was seen, what was kept."""

import threading
from dataclasses import dataclass, field
from typing import Literal

from auditor.log import AnyEvent
from vision.live_ring import Segment

State = Literal["starting", "live", "lost", "blocked", "ended"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """How a camera does. `passed_over` pictures were like the last one; `lost` ones came in and were never seen."""

    state: State = "starting"
    detail: str = ""
    fps: float = 0.0
    behind_s: float = 0.0
    frames: int = 0
    passed_over: int = 0
    lost: int = 0
    broken: int = 0
    reconnects: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a worker has to say: events, finished footage, a line for people; no event before `horizon_t` will come."""

    horizon_t: float
    vitals: Vitals
    events: tuple[AnyEvent, ...] = ()
    segments: tuple[Segment, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(slots=True)
class Outlet:
    """What waits to be reported; both threads of a worker put things in."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    events: list[AnyEvent] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def tell(self, line: str) -> None:
        """A line for people."""
        with self.lock:
            self.lines.append(line)

    def filmed(self, segment: Segment | None) -> None:
        """A finished segment, if it is one."""
        if segment is not None:
            with self.lock:
                self.segments.append(segment)

    def emptied(self) -> tuple[tuple[AnyEvent, ...], tuple[Segment, ...], tuple[str, ...]]:
        """All of it, once."""
        with self.lock:
            taken = tuple(self.events), tuple(self.segments), tuple(self.lines)
            self.events, self.segments, self.lines = [], [], []
            return taken
