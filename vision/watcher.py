"""The watcher of a table: frames of its camera go in, the events of the table log come out.

It knows no game: zones and what they hold come from the table's plan. Each zone that came to rest and looks different
is read a few times while it lies still; what the readings say against what was known there makes the events.
"""

from dataclasses import dataclass, replace
from typing import Literal

import msgspec
import numpy as np

from auditor.log import AnyEvent, Feed
from vision.camera import Image, View
from vision.doctor import zone_reports
from vision.feed import FeedMemory, FeedWatch, steep_steps
from vision.frames import Frame
from vision.gate import Gate, GateMemory
from vision.inquiries import Inquiries, InquiryMemory
from vision.knocks import KnockMemory, Knocks
from vision.reading import ZoneReader
from vision.rests import BRIEF_S
from vision.table_file import TableFile
from vision.trackers import TrackerMemory, Trackers
from vision.writer import Evidence

STILL_PER_S, BUSY_PER_S = 8.0, 12.5
"""How often a table is looked at on which nothing stirs, and on which something does."""
FINE_PX = 8
FeedState = Literal["lost", "blocked", "back"]
HOLD_S = 8.0
"""How long an event waits for an earlier one or a better reading, in recorded footage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """All that a watcher knows at one frame."""

    gate: GateMemory
    trackers: TrackerMemory
    inquiries: InquiryMemory
    feed: FeedMemory
    knocks: KnockMemory
    fed: int


class TableWatcher:
    """One table seen by one camera. `feed` it every frame, in order; what it returns is ready to be written."""

    def __init__(
        self, table: TableFile, view: View, reader: ZoneReader, *, cam: str = "table", fps: float = 25.0,
        hold_s: float = HOLD_S,
    ) -> None:  # fmt: skip
        self.view, self.reader, self.cam, self.hold_s = view, reader, cam, hold_s
        self.gate = Gate(view, table.plan)
        self.trackers = Trackers(table, view, self.gate.arms, cam=cam, hold_s=hold_s)
        self.room = self.trackers.room
        self.inquiries = Inquiries(view, reader, self.gate, self.trackers)
        self.view_state = FeedWatch(self.gate.arms.felt)
        self.knocks = Knocks(self.gate.small.scale, [view.outline(each.zone) for each in self.gate.zones.values()])
        self._every, self._busy_every = (max(1, round(fps / often)) for often in (STILL_PER_S, BUSY_PER_S))
        self._fed = self._foreseen = 0
        self._is_too_coarse = any(
            report.kind == "tiles" and report.verdict == "not enough" for report in zone_reports(view, table.plan)
        )  # tiles lie side by side: from too far nobody can tell how many there are

    @property
    def is_busy(self) -> bool:
        """Whether something stirs on the table, or is being read."""
        return self.gate.is_busy or bool(self.inquiries.memory.open)

    def foresee(self, frame: Frame) -> None:
        """Make what is asked first of a frame, if it is likely looked at. Where another thread shows every frame before
        it is fed, that one does the work: whoever looks at what nobody foresaw makes it himself."""
        self._foreseen += 1
        if self._is_due(self._foreseen) and not self.knocks.memory.moved:
            self.gate.small.shrunk(frame)

    def _is_due(self, number: int) -> bool:
        """Whether a frame, by its number, is looked at as things are now."""
        return number % (self._busy_every if self.gate.is_busy else self._every) == 0

    def feed(self, frame: Frame) -> list[AnyEvent]:
        """Look at a frame, or pass it over; returns events whose turn it is."""
        self._fed += 1
        if not self._is_due(self._fed):
            return []
        frame = self.knocks.straight(frame)
        small, last_t = self.gate.small.shrunk(frame), self.view_state.memory.last_t
        fine = np.ascontiguousarray(frame.luma[::FINE_PX, ::FINE_PX])
        changes = self.view_state.look(
            small[0], self.gate.small.bright, frame.t, fine=fine, is_reached=self.gate.is_reached,
            steps=steep_steps(frame.luma),
        )  # fmt: skip
        if self._is_too_coarse and last_t is None:
            self._tell("blocked", frame.t, frame)
        for change in changes:
            self._tell(change.state, change.t, frame)
        if not self.view_state.is_doubtful and not self._is_knocked(frame, small):
            self._look(frame, small, frame.t - (frame.t if last_t is None else last_t))
        return self.released(frame.t - self.hold_s)

    def finish(self) -> list[AnyEvent]:
        """The footage has ended: all that still waits."""
        self.inquiries.finish()
        return self.released(float("inf"))

    def released(self, until: float) -> list[AnyEvent]:
        """The events up to a time, with their evidence where the camera that took it has it."""
        events = self.room.release(until)
        if not self.knocks.memory.moved:
            return events
        return [self._located(event) if event.region else event for event in events]

    def memory(self) -> Memory:
        """All that is known of the table at this frame, for a checkpoint."""
        return Memory(
            gate=self.gate.memory(), trackers=self.trackers.memory(), inquiries=self.inquiries.memory,
            feed=self.view_state.memory, knocks=self.knocks.memory, fed=self._fed,
        )  # fmt: skip

    def recall(self, memory: Memory) -> None:
        """Go on from a checkpoint."""
        self.gate.recall(memory.gate)
        self.trackers.recall(memory.trackers)
        self.inquiries.memory, self.view_state.memory = memory.inquiries, memory.feed
        self.knocks.memory, self._fed = memory.knocks, memory.fed
        self._foreseen = memory.fed - 1  # it is shown the frame of the checkpoint again

    def _is_knocked(self, frame: Frame, small: Image) -> bool:
        """Whether it is not known where the camera looks, or it does not see all of the table any more."""
        knock = self.knocks.look(frame, small[0], self.gate.small.bright, self.inquiries.memory.bare)
        if knock is not None and (not knock.is_found or self.knocks.memory.sees_all):
            is_brief = knock.is_found and knock.t - knock.since < BRIEF_S
            if knock.is_found and self.trackers.dolly is not None:
                self.trackers.dolly.seen_anew(self.knocks.straight(frame).image)
            self._tell("back" if knock.is_found else "lost", knock.t, frame, unbroken=is_brief)
        return knock is not None or self.knocks.is_blind

    def _look(self, frame: Frame, small: Image, missing_s: float) -> None:
        """What the gate says came to rest is asked about, then all that rests is read."""
        self.inquiries.begin(frame)
        had_lost = self.gate.has_lost
        for rest in self.gate.feed(frame, small, missing_s):
            is_seen = rest.stirred_from >= self.view_state.memory.back_t  # else nobody saw whose hand was there
            self.inquiries.rested(rest if is_seen else replace(rest, touched={}, is_watched=False), frame)
        self._tell_hidden(frame, had_lost=had_lost)
        if self.gate.reach is not None:
            self.trackers.signs.reached(
                self.gate.reach, frame.t, frame.index, self.room,
                is_shuffling=self.gate.is_shuffling, is_dealt=self.trackers.cards.is_dealt,
            )  # fmt: skip
        self.inquiries.read(frame)
        for part in self.gate.parts:
            self.inquiries.read_part(part, frame)
        for zone in self.gate.hidden(frame.t):
            if zone.kind == "marker":
                last_t = self.gate.zones[zone.name].doing.dealer_t
                self.trackers.signs.may_have_moved(zone, last_t, frame.index, self.room)
            else:
                evidence = Evidence(t=round(frame.t, 3), cam=self.cam, frame=frame.index)
                self.trackers.chips.may_have_held(zone.place, evidence)

    def _tell_hidden(self, frame: Frame, *, had_lost: bool) -> None:
        """A place for cards over which a hand or a light lies for long is out of sight until it is seen again."""
        since = self.gate.lose(frame.t)
        if since is not None and not had_lost:
            self._tell("blocked", since, frame)
        elif had_lost and not self.gate.has_lost:
            self._tell("back", frame.t, frame)

    def _tell(self, state: FeedState, t: float, frame: Frame, *, unbroken: bool = False) -> None:
        if state == "back" and self._is_too_coarse:
            return
        self.room.add(Feed(t=round(t, 3), state=state, unbroken=unbroken, cam=self.cam, frame=frame.index))

    def _located(self, event: AnyEvent) -> AnyEvent:
        return msgspec.structs.replace(event, region=self.knocks.in_picture(event.region or [], event.t))
