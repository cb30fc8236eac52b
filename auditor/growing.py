"""Logs that grow: a table that is being watched, in the room round by round.

Every transaction of a room is signed and written through to the disk, which takes its time. Where one process watches
many tables, a :class:`Clerk` takes what they have to write, and writes together what comes together.
"""

import contextlib
import dataclasses
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeVar

import msgspec

from auditor.chain import Keys
from auditor.findings import AuditedRound
from auditor.intake import Intake, Kept, Waiting
from auditor.log import FairdealError
from auditor.provenance import Origin, registered, rulebook_source
from auditor.room import now
from auditor.schema import PARTS
from auditor.store import UNKNOWN, Store
from auditor.verify import extent_of

Answer = TypeVar("Answer")
MOST_AT_ONCE = 500


class Writer(Protocol):
    """Whoever runs jobs inside the room's transactions: one of its own each, or many in one."""

    def transact(self, job: Callable[[Store], Answer]) -> Answer:
        """Run a job in a transaction; it is signed and on the disk when this comes back."""


class Direct:
    """A transaction for every job."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def transact(self, job: Callable[[Store], Answer]) -> Answer:
        """Run a job in a transaction of its own."""
        with self._store.writing():
            return job(self._store)


class Clerk:
    """One thread that writes for many: jobs that wait when it comes round share one transaction."""

    def __init__(self, room: Path, keys: Keys) -> None:
        self._room, self._keys = room, keys
        self._jobs: queue.SimpleQueue[tuple[Callable[[Store], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="clerk", daemon=True)

    def __enter__(self) -> "Clerk":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._jobs.put(None)
        self._thread.join()

    def transact(self, job: Callable[[Store], Answer]) -> Answer:
        """Hand a job over, and wait for it."""
        done: Future[Answer] = Future()
        self._jobs.put((job, done))
        return done.result()

    def _work(self) -> None:
        with Store.open(self._room, self._keys) as store:
            while (first := self._jobs.get()) is not None:
                batch = [first]
                is_last = False
                while len(batch) < MOST_AT_ONCE and not self._jobs.empty():
                    following = self._jobs.get()
                    if following is None:
                        is_last = True
                        break
                    batch.append(following)
                _write_together(store, batch)
                if is_last:
                    return


def _write_together(store: Store, batch: list[tuple[Callable[[Store], Any], Future[Any]]]) -> None:
    """All jobs in one transaction; one that fails takes only itself back."""
    answers: list[tuple[Future[Any], Any]] = []
    try:
        with store.writing() as connection:
            for job, done in batch:
                connection.execute("SAVEPOINT job")
                try:
                    answers.append((done, job(store)))
                except Exception as error:
                    connection.execute("ROLLBACK TO job")
                    done.set_exception(error)
                connection.execute("RELEASE job")
    except Exception as error:  # nothing of the batch was written: everybody who waits is told
        for _, done in batch:
            if not done.done():
                done.set_exception(error)
        return
    for done, answer in answers:
        done.set_result(answer)


class Growth(msgspec.Struct, frozen=True, kw_only=True):
    """What has been read of a log since the last time, and how far it goes with that."""

    run: int
    extent: dict[str, Any]
    rows: dict[str, list[tuple[Any, ...]]]
    is_over: bool

    def write(self, store: Store) -> bool:
        """Add it to the room; False where a log that is read again has not caught up yet."""
        before = extent_of(store.db.conn, self.run).marks
        for table, rows in self.rows.items():
            if any(row[0] == before[table].count and row[-1].hex() != before[table].hash for row in rows):
                raise FairdealError(f"run {self.run}: the log goes on otherwise than what was kept of it ({table})")
        if any(self.extent[table] < before[table].count for table in PARTS):
            if self.is_over:
                raise FairdealError(f"run {self.run}: more was kept of this log than is in it now")
            return False
        for table, rows in self.rows.items():
            places = ", ".join("?" * (len(PARTS[table]) + 3))
            fresh = [(self.run, *row) for row in rows if row[0] > before[table].count]
            store.db.conn.executemany(f"INSERT INTO {table} VALUES ({places})", fresh)
        if self.extent["events"] > before["events"].count:
            store.append("growths", run=self.run, at=now(), **self.extent)
        return True


@contextlib.contextmanager
def growing(writer: Writer, stream: BinaryIO, name: str, origin: Origin = UNKNOWN) -> Iterator[Kept]:
    """Audit a log while it is being written: a round is in the room before `kept.audit.rounds` gives it.

    A log that was broken off and is read again from its start goes on where it was.
    """
    footage = [registered(each) for each in origin.footage]
    intake = Intake({table: Waiting() for table in PARTS}, stream, name)
    first = intake.beginning()

    def begin(store: Store) -> tuple[int, bool]:
        known = store.known(first["sha256"])
        run = known or store.begin(first)
        store.attach(run, footage, (*origin.sources, rulebook_source(first["rulebook"])))
        return run, not known

    run, is_new = writer.transact(begin)
    rounds = _as_they_end(writer, intake, run)
    kept = Kept(audit=dataclasses.replace(intake.audit, rounds=rounds), run=run, is_new=is_new)
    yield kept
    for _ in rounds:
        pass


def _as_they_end(writer: Writer, intake: Intake, run: int) -> Iterator[AuditedRound]:
    for audited in intake.audit.rounds:
        _grow(writer, intake, run, is_over=False)
        yield audited
    _grow(writer, intake, run, is_over=True)


def _grow(writer: Writer, intake: Intake, run: int, *, is_over: bool) -> None:
    rows = {table: list(stage.rows) for table, stage in intake.stages.items()}
    growth = Growth(run=run, extent=intake.extent(), rows=rows, is_over=is_over)
    if writer.transact(growth.write):
        for stage in intake.stages.values():
            stage.rows.clear()
