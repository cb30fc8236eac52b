"""The room's store: what was audited, what was decided about it, and by whom, in one SQLite file.

Nothing that was kept is ever changed or removed; :meth:`Store.verify` proves it. A log is kept whole or not at all, and
once: it is recognised by its sha256.

>>> import datetime, io, pathlib, tempfile
>>> from auditor.chain import Keys
>>> from auditor.log import Dealer, Header, log_bytes
>>> header = Header(log="fairdeal/1", table="BJ-04", rulebook="act-blackjack", started=datetime.datetime(2026, 11, 15))
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> with Store.open(folder / "room.db", Keys(folder / "keys"), create=True) as store:
...     with store.keeping(io.BytesIO(log_bytes(header, [Dealer(t=1.0, who="Kim")])), "evening.jsonl") as kept:
...         rounds = list(kept.audit.rounds)
...     kept.run, rounds, store.verify()
(1, [], [])
"""

import contextlib
import dataclasses
import sqlite3
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import msgspec

from auditor.decisions import ConflictError, Decision, Review, state_after
from auditor.findings import AuditedRound
from auditor.intake import Intake, Kept
from auditor.log import FairdealError
from auditor.provenance import Origin, Registered, Source, registered, rulebook_source
from auditor.room import Room, now
from auditor.schema import PARTS
from auditor.verify import Fault, extent_of, verify

UNKNOWN = Origin()


class Store(Room):
    """One room, with what is kept in it."""

    # ---- keeping logs ----

    @contextlib.contextmanager
    def keeping(self, stream: BinaryIO, name: str, origin: Origin = UNKNOWN) -> Iterator[Kept]:
        """Audit a log and keep it: `kept.audit.rounds` is to be read to its end inside the block.

        Until then nothing is in the room, and nobody who writes to it has to wait; then all of it is, at once.
        """
        footage = [registered(each) for each in origin.footage]
        try:
            intake = Intake(self.db.conn, stream, name)
            kept = Kept(audit=intake.audit)
            yield kept
            run = intake.finish()
        finally:
            self.db.conn.rollback()  # what was staged of a log that could not be read to its end
        with self.writing() as connection:
            kept.run = self._known(run["sha256"])
            kept.is_new = kept.run == 0
            if kept.is_new:
                kept.run = self.append("runs", **run, kept_at=now())
                for table in PARTS:
                    _move(connection, table, kept.run, after=0)
                self._noted_kept(kept.run, name)
            self._attach(kept.run, footage, (*origin.sources, rulebook_source(run["rulebook"])))

    @contextlib.contextmanager
    def growing(self, stream: BinaryIO, name: str, origin: Origin = UNKNOWN) -> Iterator[Kept]:
        """Audit a log while it is being written: a round is in the room before `kept.audit.rounds` gives it.

        A log that was broken off and is read again from its start goes on where it was.
        """
        footage = [registered(each) for each in origin.footage]
        try:
            intake = Intake(self.db.conn, stream, name)
            first = intake.beginning()
            self.db.conn.commit()
            with self.writing():
                run = self._known(first["sha256"])
                kept = Kept(audit=intake.audit, run=run, is_new=run == 0)
                kept.run = run or self.append("runs", **first, kept_at=now())
                if kept.is_new:
                    self._noted_kept(kept.run, name)
                self._attach(kept.run, footage, (*origin.sources, rulebook_source(first["rulebook"])))
            kept.audit = dataclasses.replace(intake.audit, rounds=self._as_they_end(intake, kept.run))
            yield kept
            for _ in kept.audit.rounds:
                pass
            self._grow(intake, kept.run, is_over=True)
        finally:
            self.db.conn.rollback()

    def _as_they_end(self, intake: Intake, run: int) -> Iterator[AuditedRound]:
        for audited in intake.audit.rounds:
            self._grow(intake, run)
            yield audited

    def _grow(self, intake: Intake, run: int, *, is_over: bool = False) -> None:
        """Bring into the room what has been staged since the last time."""
        extent = intake.extent()
        with self.writing() as connection:
            before = extent_of(connection, run).marks
            for table, stage in intake.stages.items():
                if stage.count >= before[table].count and not stage.follows_on(before[table]):
                    raise FairdealError(f"run {run}: the log goes on otherwise than what was kept of it ({table})")
            if any(stage.count < before[table].count for table, stage in intake.stages.items()):
                if is_over:
                    raise FairdealError(f"run {run}: more was kept of this log than is in it now")
                return  # a log that is read again: it has not caught up yet
            for table in PARTS:
                _move(connection, table, run, after=before[table].count)
            if extent["events"] > before["events"].count:
                self.append("growths", run=run, at=now(), **extent)
        for stage in intake.stages.values():
            stage.forget()
        self.db.conn.commit()

    def _known(self, sha256: str) -> int:
        """The run of a log that was kept already, 0 if there is none."""
        sql = "SELECT id FROM runs WHERE sha256 = ? UNION SELECT run FROM growths WHERE sha256 = ?"
        return next((int(row[0]) for row in self.rows(sql, [sha256, sha256])), 0)

    def _noted_kept(self, run: int, name: str) -> None:
        self.append("activity", at=now(), who="fairdeal", what="kept a log", detail=f"run {run}: {name}")

    def _attach(self, run: int, footage: Sequence[Registered], sources: Sequence[Source]) -> None:
        """Write down where a log came from, unless that is written already."""
        for table, rows in (("footage", footage), ("sources", sources)):
            known = {(row["run"], row["sha256"]) for row in self.rows(f"SELECT * FROM {table} WHERE run = ?", [run])}
            for each in rows:
                if (run, each.sha256) not in known:
                    self.append(table, run=run, **msgspec.structs.asdict(each))

    # ---- decisions ----

    def reviews(self, run: int, finding: int) -> list[Review]:
        """Every decision about a finding, the first one first."""
        sql = "SELECT id, who, at, decision, note, state FROM reviews WHERE run = ? AND finding = ? ORDER BY id"
        return [msgspec.convert(dict(row), Review) for row in self.rows(sql, [run, finding])]

    def decide(self, run: int, finding: int, *, who: str, decision: Decision, note: str = "", seen: int) -> Review:
        """Add a decision. `seen` is the number of the newest decision its author knew of, 0 for none."""
        with self.writing():
            before = self.reviews(run, finding)
            if before and before[-1].id != seen:
                last = before[-1]
                raise ConflictError(f"{last.who} was quicker: the finding is {last.state}")
            state = state_after(decision, before)
            at = now()
            values = {"who": who, "at": at, "decision": decision, "note": note, "state": state}
            id = self.append("reviews", run=run, finding=finding, **values)
            return Review(id=id, who=who, at=at, decision=decision, note=note, state=state)

    def verify(self) -> list[Fault]:
        """What was altered, added or removed; nothing if the room is whole."""
        return verify(self.db.conn, self.keys)


def _move(connection: sqlite3.Connection, table: str, run: int, *, after: int) -> None:
    """Copy what is staged into the room, from the row after that one."""
    names = ", ".join(("n", *PARTS[table], "hash"))
    staged = f"SELECT ?, {names} FROM temp.staged_{table} WHERE n > ? ORDER BY n"
    connection.execute(f"INSERT INTO {table} (run, {names}) {staged}", [run, after])
