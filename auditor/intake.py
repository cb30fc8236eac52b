"""How a log comes into the store: audited as it is read, its rows chained and waiting until they are taken over.

Of a whole log they wait in temporary tables, on disk: a log of any length takes little memory, and the room itself is
not locked while somebody pages through the report.
"""

import contextlib
import datetime
import functools
import hashlib
import importlib.metadata
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from auditor.audit import Audit, audited_rounds, rules_of
from auditor.chain import GENESIS, link
from auditor.findings import AuditedRound, round_object
from auditor.log import AnyEvent
from auditor.log_reader import LogReader
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


class Waiting:
    """The rows of one part of a run, chained, on their way into the room: of a log that grows, a few at a time."""

    def __init__(self) -> None:
        self.count, self.hash = 0, GENESIS
        self.rows: list[tuple[Any, ...]] = []

    def add(self, row: Sequence[Any]) -> None:
        """One more row at the end."""
        self.count += 1
        self.hash = link(self.hash, row)
        self.rows.append((self.count, *row, self.hash))


class Staged(Waiting):
    """The same for a log of any length: the rows wait in a temporary table, on disk."""

    def __init__(self, connection: sqlite3.Connection, table: str) -> None:
        super().__init__()
        self._connection = connection
        columns = ("n", *PARTS[table], "hash")
        connection.execute(f"DROP TABLE IF EXISTS temp.staged_{table}")
        # The types of the real table, so that nothing changes its form when it is copied there.
        names = ", ".join(columns)
        connection.execute(f"CREATE TEMP TABLE staged_{table} AS SELECT {names} FROM main.{table} WHERE 0")
        self._insert = f"INSERT INTO temp.staged_{table} VALUES ({', '.join('?' * len(columns))})"

    def add(self, row: Sequence[Any]) -> None:
        """One more row at the end."""
        super().add(row)
        if len(self.rows) >= BATCH_ROWS:
            self.flush()

    def flush(self) -> None:
        """Everything that was added is in the temporary table."""
        self._connection.executemany(self._insert, self.rows)
        self.rows.clear()


class Intake:
    """One log on its way into the store."""

    def __init__(self, stages: Mapping[str, Waiting], stream: BinaryIO, name: str) -> None:
        self._hashed = _Hashed(stream)
        self._reader = LogReader(cast(BinaryIO, self._hashed), name)
        self._header_line = self._hashed.read_last.decode()
        self._name, self.stages = name, stages
        self._game, self._house = rules_of(self._reader.header, name)
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
            extent |= {table: stage.count, f"{table}_hash": stage.hash.hex()}
        return extent

    def finish(self) -> dict[str, Any]:
        """Read what is left; the run, as its row tells of it."""
        for _ in self.audit.rounds:
            pass
        return self.beginning() | self.extent()


@contextlib.contextmanager
def staged(connection: sqlite3.Connection, stream: BinaryIO, name: str) -> Iterator[Intake]:
    """A log whose rows wait in temporary tables of that connection; the room itself is not touched."""
    stages = {table: Staged(connection, table) for table in PARTS}
    try:
        yield Intake(stages, stream, name)
        for stage in stages.values():
            stage.flush()
        connection.commit()
    finally:
        connection.rollback()  # what was staged of a log that could not be read to its end


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _unix(moment: datetime.datetime) -> float:
    """Seconds since 1970; a log that names no zone is taken to be in UTC, which keeps its own order."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)).timestamp()
