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
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import msgspec

from auditor.decisions import ConflictError, Decision, Review, state_after
from auditor.intake import Kept, staged
from auditor.log import FairdealError
from auditor.provenance import Origin, Registered, Source, registered, rulebook_source
from auditor.room import Room, now
from auditor.schema import PARTS
from auditor.verify import Fault, verify

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
        with staged(self.db.conn, stream, name) as intake:
            kept = Kept(audit=intake.audit)
            yield kept
            run = intake.finish()
        with self.writing() as connection:
            kept.run = self.known(run["sha256"])
            kept.is_new = kept.run == 0
            if kept.is_new:
                kept.run = self.begin(run)
                for table, columns in PARTS.items():
                    names = ", ".join(("n", *columns, "hash"))
                    copy = f"INSERT INTO {table} (run, {names}) SELECT ?, {names} FROM temp.staged_{table} ORDER BY n"
                    connection.execute(copy, [kept.run])
            self.attach(kept.run, footage, (*origin.sources, rulebook_source(run["rulebook"])))

    def known(self, sha256: str) -> int:
        """The run of a log that was kept already, 0 if there is none."""
        sql = "SELECT id FROM runs WHERE sha256 = ? UNION SELECT run FROM growths WHERE sha256 = ?"
        return next((int(row[0]) for row in self.rows(sql, [sha256, sha256])), 0)

    def begin(self, run: Mapping[str, Any]) -> int:
        """Add a run, inside a transaction; its number."""
        number = self.append("runs", **run, kept_at=now())
        self.append("activity", at=now(), who="fairdeal", what="kept a log", detail=f"run {number}: {run['name']}")
        return number

    def add_origin(self, sha256: str, origin: Origin) -> int:
        """Write down where a log that was kept came from; its run. Raises FairdealError if there is no such log."""
        footage = [registered(each) for each in origin.footage]
        run = self.known(sha256)
        if not run:
            raise FairdealError(f"no log with the sha256 {sha256[:16]}… is in the room")
        with self.writing():
            self.attach(run, footage, origin.sources)
        return run

    def attach(self, run: int, footage: Sequence[Registered], sources: Sequence[Source]) -> None:
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
