"""The log of a table that is being watched: on the disk before anybody counts on it, and followed as it grows."""

import os
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from auditor.log import AnyEvent, Header

_encode = msgspec.json.Encoder().encode


class LiveLog:
    """Appended to, written through, and cut back to its last whole line where the disk refuses; then tried again."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self.is_closed = False
        self.size = 0
        """So many bytes are safe."""
        self.grown = threading.Condition()
        self.trouble = ""
        self._waiting: list[bytes] = [_encode(header) + b"\n"]
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
        self.flush()

    @property
    def unwritten(self) -> int:
        """How many lines wait for the disk."""
        return len(self._waiting)

    def append(self, events: Sequence[AnyEvent]) -> None:
        """Write events through to the disk, after those that still wait for it."""
        self._waiting += [_encode(event) + b"\n" for event in events]
        self.flush()

    def flush(self) -> None:
        """Try to write what waits."""
        if not self._waiting:
            return
        content = b"".join(self._waiting)
        try:
            written = 0
            while written < len(content):
                written += os.pwrite(self._file, content[written:], self.size + written)
            os.fsync(self._file)
        except OSError as error:
            self.trouble = f"{self.path}: {error.strerror}; {self.unwritten} lines wait"
            os.ftruncate(self._file, self.size)
            return
        self._waiting, self.trouble = [], ""
        with self.grown:
            self.size += len(content)
            self.grown.notify_all()

    def close(self) -> None:
        """Nothing comes any more."""
        self.flush()
        os.close(self._file)
        with self.grown:
            self.is_closed = True
            self.grown.notify_all()


class Tail:
    """Reads a log that grows, as a stream does: a line that is not there yet is waited for."""

    def __init__(self, log: LiveLog) -> None:
        self._log = log
        self._stream = log.path.open("rb")
        self.last_line = b""

    def readline(self, limit: int = -1) -> bytes:
        """The next line; nothing once the log is closed and read."""
        at = self._stream.tell()
        with self._log.grown:
            self._log.grown.wait_for(lambda: self._log.size > at or self._log.is_closed)
        line = self._stream.readline(limit)
        if line:
            self.last_line = line
        return line

    @property
    def last_t(self) -> float:
        """The time of the event last read; 0 before the first."""
        return float(msgspec.json.decode(self.last_line or b"{}").get("t", 0.0))

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()


class Merge:
    """Events of a table's cameras in one order: each waits until no camera can come with an earlier one."""

    def __init__(self, cameras: Iterable[str]) -> None:
        self._horizons = dict.fromkeys(cameras, 0.0)
        self._waiting: list[tuple[float, int, AnyEvent]] = []
        self._count = 0
        self._written_t = 0.0

    def add(self, camera: str, events: Sequence[AnyEvent], horizon_t: float) -> list[AnyEvent]:
        """Take a camera's events, and how far it has come; returns those whose turn it is. A late one comes at once,
        with the time it is told at: a log never runs backwards.

        >>> from auditor.log import Shuffle
        >>> merge = Merge(["table", "wheel"])
        >>> early, late = merge.add("table", [Shuffle(t=3.0)], 4.0), merge.add("wheel", [Shuffle(t=2.0)], 2.5)
        >>> early, [event.t for event in late]
        ([], [2.0])
        """
        for event in events:
            self._count += 1
            self._waiting.append((event.t, self._count, event))
        self._horizons[camera] = horizon_t
        self._waiting.sort(key=lambda each: each[:2])
        until = min(self._horizons.values())
        due = [event for t, _, event in self._waiting if t <= until]
        del self._waiting[: len(due)]
        return [self._in_time(event) for event in due]

    def _in_time(self, event: AnyEvent) -> AnyEvent:
        if event.t < self._written_t:
            return msgspec.structs.replace(event, t=self._written_t)
        self._written_t = event.t
        return event


def trimmed(path: Path) -> int:
    """Cut a log that was broken off back to its last whole line; how many bytes went."""
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.truncate(path, whole)
    return len(content) - whole
