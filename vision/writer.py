"""The log on its way out: events wait here until nothing earlier can come any more, then leave in order of time.

A card can be read better a moment after it was first seen: while its event waits, it can be amended or taken back.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from auditor.log import AnyEvent, By, Chips, cents, money


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Where an event can be seen: the camera, the frame, the time, and who did it where that is known; `since` when it
    may have happened before that."""

    t: float
    cam: str
    frame: int
    by: By | None = None
    since: float | None = None


@dataclass(slots=True, kw_only=True)
class WaitingMemory:
    """Who waits, by ticket; how many tickets were given out; up to when events were written."""

    events: dict[int, AnyEvent] = field(default_factory=dict)
    tickets: int = 0
    written_t: float = 0.0


class WaitingRoom:
    """Events that were seen and not yet written. Each has a ticket by which it can be changed while it waits."""

    def __init__(self) -> None:
        self.memory = WaitingMemory()

    def add(self, event: AnyEvent) -> int:
        """Let an event wait; returns its ticket."""
        self.memory.tickets += 1
        self.memory.events[self.memory.tickets] = event
        return self.memory.tickets

    def waiting(self, ticket: int) -> AnyEvent | None:
        """The event of a ticket, if it was not written yet."""
        return self.memory.events.get(ticket)

    def since(self, t: float) -> list[tuple[int, AnyEvent]]:
        """The waiting events of a time and later, with their tickets."""
        return [(ticket, event) for ticket, event in self.memory.events.items() if event.t >= t]

    def amend(self, ticket: int, event: AnyEvent) -> bool:
        """Put another event in place of a waiting one; False when it is too late."""
        if ticket not in self.memory.events:
            return False
        self.memory.events[ticket] = event
        return True

    def withdraw(self, ticket: int) -> bool:
        """Take a waiting event back; False when it is too late."""
        return self.memory.events.pop(ticket, None) is not None

    def release(self, until: float) -> list[AnyEvent]:
        """The events up to a time, in order. One that comes too late for its time is written at once, and says so."""
        due = [ticket for ticket, event in self.memory.events.items() if event.t <= until]
        due.sort(key=lambda ticket: (self.memory.events[ticket].t, ticket))
        return list(self._in_time(self.memory.events.pop(ticket) for ticket in due))

    def _in_time(self, events: Iterable[AnyEvent]) -> Iterable[AnyEvent]:
        for event in events:
            late = event.t < self.memory.written_t
            self.memory.written_t = max(self.memory.written_t, event.t)
            if isinstance(event, Chips):  # written alike whether it came through a checkpoint or not
                event = msgspec.structs.replace(event, amount=money(cents(event.amount)))
            yield _told_late(event, self.memory.written_t) if late else event


def _told_late(event: AnyEvent, t: float) -> AnyEvent:
    """The event at the time at which it can still be told, with when it happened."""
    return msgspec.structs.replace(event, t=t, since=event.t if event.since is None else event.since)
