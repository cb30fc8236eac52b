"""The log on its way out: events wait here until nothing earlier can come any more, then leave in order of time.

A card can be read better a moment after it was first seen: while its event waits, it can be amended or taken back.
"""

from collections.abc import Iterable

import msgspec

from auditor.log import AnyEvent


class WaitingRoom:
    """Events that were seen and not yet written. Each has a ticket by which it can be changed while it waits."""

    def __init__(self) -> None:
        self._waiting: dict[int, AnyEvent] = {}
        self._tickets = 0
        self._written_t = 0.0

    def add(self, event: AnyEvent) -> int:
        """Let an event wait; returns its ticket."""
        self._tickets += 1
        self._waiting[self._tickets] = event
        return self._tickets

    def waiting(self, ticket: int) -> AnyEvent | None:
        """The event of a ticket, if it was not written yet."""
        return self._waiting.get(ticket)

    def amend(self, ticket: int, event: AnyEvent) -> bool:
        """Put another event in place of a waiting one; False when it is too late."""
        if ticket not in self._waiting:
            return False
        self._waiting[ticket] = event
        return True

    def withdraw(self, ticket: int) -> bool:
        """Take a waiting event back; False when it is too late."""
        return self._waiting.pop(ticket, None) is not None

    def release(self, until: float) -> list[AnyEvent]:
        """The events up to a time, in order. One that comes too late for its time is written at once, and says so."""
        due = [ticket for ticket, event in self._waiting.items() if event.t <= until]
        due.sort(key=lambda ticket: (self._waiting[ticket].t, ticket))
        return list(self._in_time(self._waiting.pop(ticket) for ticket in due))

    def _in_time(self, events: Iterable[AnyEvent]) -> Iterable[AnyEvent]:
        for event in events:
            late = event.t < self._written_t
            self._written_t = max(self._written_t, event.t)
            yield msgspec.structs.replace(event, t=self._written_t) if late else event
