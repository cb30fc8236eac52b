"""How a log comes into the store: audited as it is read, and staged row by row until all of it is there.

The rows wait in temporary tables of this connection, on disk: a log of any length takes little memory, and the room
itself is not locked while somebody pages through the report.
"""

import datetime
import functools
import hashlib
import importlib.metadata
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from auditor.audit import Audit, audited_rounds, rules_of
from auditor.chain import GENESIS, Mark, link
from auditor.findings import AuditedRound, round_object
from auditor.log import AnyEvent, LogReader
from auditor.report import wrongly_gained
from auditor.schema import PARTS

BATCH_ROWS = 1000


class Kept(msgspec.Struct, kw_only=True):
    """A log that is being kept: its audit, and when that is through, its run."""

    audit: Audit
    run: int = 0
    is_new: bool = True


@functools.cache
def code_version() -> str:
    """The version of the code that judges: its number, and the sha256 of what rulebooks and auditor are made of."""
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("clauses/*.toml")]):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return f"{importlib.metadata.version('fairdeal')} {digest.hexdigest()}"


class _Hashed:
    """A stream whose lines are hashed as they are read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.digest = hashlib.sha256()
        self.read_last = b""
        self.tail = b""

    def readline(self, limit: int) -> bytes:
        line = self._stream.readline(limit)
        self.digest.update(line)
        self.read_last = line
        if not line.strip():
            self.tail += line
        return line


class _Stage:
    """The rows of one part of the run, chained, on their way."""

    def __init__(self, connection: sqlite3.Connection, table: str) -> None:
        self.count, self.hash = 0, GENESIS
        self._connection, self._table, self._rows = connection, table, list[tuple[Any, ...]]()
        columns = ("n", *PARTS[table], "hash")
        connection.execute(f"DROP TABLE IF EXISTS temp.staged_{table}")
        # The types of the real table, so that nothing changes its form when it is copied there.
        names = ", ".join(columns)
        connection.execute(f"CREATE TEMP TABLE staged_{table} AS SELECT {names} FROM main.{table} WHERE 0")
        self._insert = f"INSERT INTO temp.staged_{table} VALUES ({', '.join('?' * len(columns))})"

    def add(self, row: Sequence[Any]) -> None:
        self.count += 1
        self.hash = link(self.hash, row)
        self._rows.append((self.count, *row, self.hash))
        if len(self._rows) >= BATCH_ROWS:
            self.flush()

    def flush(self) -> None:
        self._connection.executemany(self._insert, self._rows)
        self._rows.clear()

    def follows_on(self, mark: Mark) -> bool:
        """Whether what is staged goes on from a row that was kept; a row that waits no longer was compared before."""
        sql = f"SELECT hash FROM temp.staged_{self._table} WHERE n = ?"
        row = self._connection.execute(sql, [mark.count]).fetchone()
        return row is None or row[0].hex() == mark.hash

    def forget(self) -> None:
        """Rows that are in the room need not wait any longer."""
        self._connection.execute(f"DELETE FROM temp.staged_{self._table}")


class Intake:
    """One log on its way into the store."""

    def __init__(self, connection: sqlite3.Connection, stream: BinaryIO, name: str) -> None:
        self._hashed = _Hashed(stream)
        self._reader = LogReader(cast(BinaryIO, self._hashed), name)
        self._header_line = self._hashed.read_last.decode()
        self._name, self._connection = name, connection
        self._game, self._house = rules_of(self._reader.header, name)
        self.stages = {table: _Stage(connection, table) for table in PARTS}
        self.audit = Audit(self._reader.header, self._game, self._rounds())

    def _events(self) -> Iterator[AnyEvent]:
        stage = self.stages["events"]
        for event in self._reader:
            stage.add([self._reader.raw.decode()])
            yield event

    def _rounds(self) -> Iterator[AuditedRound]:
        taken = 0
        for round, audited in audited_rounds(self._events(), self._game, self._house):
            first, taken = taken + 1, taken + len(round.events)
            if audited is not None:
                self._stage_round(audited, first, taken)
                yield audited

    def _stage_round(self, audited: AuditedRound, first: int, last: int) -> None:
        answer = round_object(audited, self._game.citation)
        rest = {name: answer[name] for name in ("hands", "pots", "spin") if name in answer}
        dealer = None if audited.dealer is None else str(audited.dealer)
        span = (float(audited.opened), float(audited.closed))
        self.stages["rounds"].add([*span, audited.status, dealer, first, last, _json(rest)])
        for each in audited.wagers:
            sums = (each.stake, each.result, each.due, each.paid)
            self.stages["wagers"].add([audited.number, each.at, each.colour, *sums, each.rule, each.why])
        stakes = {(each.at, each.colour): each.stake for each in audited.wagers}
        for finding, written in zip(audited.findings, answer["findings"], strict=True):
            stake = stakes.get((finding.at or "", finding.colour), 0)
            gain = wrongly_gained(finding, stake) if finding.verdict == "breach" else 0
            self.stages["findings"].add([
                audited.number, finding.kind, finding.verdict, finding.rule, float(finding.t), finding.at,
                finding.colour, _json(written["expected"]), _json(written["observed"]), finding.message,
                _json(finding.reads), gain,
            ])  # fmt: skip

    def beginning(self) -> dict[str, Any]:
        """The run as its row tells of it while nothing of it has been read but the header."""
        header = self._reader.header
        marks = dict.fromkeys(PARTS, 0) | {f"{table}_hash": GENESIS.hex() for table in PARTS}
        return marks | {
            "sha256": hashlib.sha256(self._header_line.encode()).hexdigest(), "name": self._name,
            "table_name": header.table, "rulebook": header.rulebook, "citation": self._game.citation,
            "started": header.started.isoformat(), "started_at": _unix(header.started), "house": _json(header.house),
            "header": self._header_line, "tail": "", "code": code_version(),
        }  # fmt: skip

    def extent(self) -> dict[str, Any]:
        """How far the log has been read: its sha256 so far, and where its chains end."""
        extent: dict[str, Any] = {"sha256": self._hashed.digest.hexdigest(), "tail": self._hashed.tail.decode()}
        for table, stage in self.stages.items():
            stage.flush()
            extent |= {table: stage.count, f"{table}_hash": stage.hash.hex()}
        self._connection.commit()  # of the temporary tables: the room itself has not been touched yet
        return extent

    def finish(self) -> dict[str, Any]:
        """Read what is left; the run, as its row tells of it."""
        for _ in self.audit.rounds:
            pass
        return self.beginning() | self.extent()


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _unix(moment: datetime.datetime) -> float:
    """Seconds since 1970; a log that names no zone is taken to be in UTC, which keeps its own order."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)).timestamp()
