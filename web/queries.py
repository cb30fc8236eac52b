"""What the pages ask of the room. All values go in as parameters; nothing a browser sends becomes SQL."""

from collections.abc import Mapping
from typing import Any

import msgspec

from auditor.store import Store

PAGE = 50
COUNT_UP_TO = 1000
STATES = ("open", "confirmed", "dismissed")
VERDICTS = ("breach", "unsure")
_RANKS = {verdict: rank for rank, verdict in enumerate(VERDICTS)}


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """What a reviewer wants to see; empty is everything."""

    state: str = "open"
    verdict: str = ""
    table: str = ""
    game: str = ""
    kind: str = ""
    clause: str = ""

    @classmethod
    def of(cls, values: Mapping[str, str]) -> "Filters":
        """As they stand in the address."""
        given = {name: values[name].strip() for name in cls.__struct_fields__ if name in values}
        return cls(**given)

    def conditions(self) -> tuple[str, list[Any]]:
        """The WHERE of the queue, and its parameters."""
        columns: dict[str, str | int | None] = {
            "state": self.state if self.state != "all" else None,
            "rank": _RANKS.get(self.verdict, -1) if self.verdict else None,  # by which the queue is sorted
            "table_name": self.table, "rulebook": self.game, "kind": self.kind, "rule": self.clause,
        }  # fmt: skip
        used = {column: value for column, value in columns.items() if value not in (None, "")}
        return " AND ".join(["1", *(f"queue.{column} = ?" for column in used)]), list(used.values())


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A finding in a list."""

    run: int
    n: int
    round: int
    state: str
    review: int
    rank: int
    happened: float
    table_name: str
    rulebook: str
    kind: str
    rule: str
    verdict: str
    t: float
    at: str | None
    message: str
    gain: int
    started: str

    @property
    def cursor(self) -> str:
        """Where in the queue it stands: what the next page goes on from."""
        return f"{self.rank}:{self.happened!r}:{self.run}:{self.n}"


_LISTED = """
SELECT queue.*, findings.round, findings.t, findings.at, findings.message, findings.gain, runs.started
FROM queue JOIN findings USING (run, n) JOIN runs ON runs.id = queue.run
"""


def listed(store: Store, filters: Filters, after: str = "") -> list[Listed]:
    """A page of the queue, worst first, then newest; one more than fits, if there is one."""
    where, values = filters.conditions()
    if after:
        rank, happened, run, n = _place(after)
        where += " AND rank >= ? AND (rank > ? OR happened < ? OR (happened = ? AND (run, n) > (?, ?)))"
        values += [rank, rank, happened, happened, run, n]
    sql = f"{_LISTED} WHERE {where} ORDER BY rank, happened DESC, queue.run, queue.n LIMIT {PAGE + 1}"
    return [msgspec.convert(dict(row), Listed) for row in store.rows(sql, values)]


def _place(cursor: str) -> tuple[int, float, int, int]:
    try:
        rank, happened, run, n = cursor.split(":")
        numbers = int(rank), int(run), int(n)
        if max(map(abs, numbers)) > 2**53:
            raise ValueError("not a place that we gave out")
        return numbers[0], float(happened), numbers[1], numbers[2]
    except ValueError:
        return -1, 0.0, 0, 0  # before everything


def count(store: Store, filters: Filters) -> int:
    """How many there are, up to `COUNT_UP_TO` + 1: beyond that the exact number helps nobody."""
    where, values = filters.conditions()
    sql = f"SELECT count(*) FROM (SELECT 1 FROM queue WHERE {where} LIMIT {COUNT_UP_TO + 1})"
    return int(store.rows(sql, values)[0][0])


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What can be filtered by: what there is in the room."""

    tables: list[str]
    games: list[str]
    kinds: list[str]


# Steps from one kind to the next in the index, however many findings there are of each.
_KINDS = """
WITH RECURSIVE each (kind) AS (
    SELECT min(kind) FROM queue
    UNION ALL SELECT (SELECT min(queue.kind) FROM queue WHERE queue.kind > each.kind) FROM each WHERE kind IS NOT NULL
) SELECT kind FROM each WHERE kind IS NOT NULL
"""


def choices(store: Store) -> Choices:
    """The tables, games and kinds of finding that there are."""
    return Choices(
        tables=[row[0] for row in store.rows("SELECT DISTINCT table_name FROM runs ORDER BY 1")],
        games=[row[0] for row in store.rows("SELECT DISTINCT rulebook FROM runs ORDER BY 1")],
        kinds=[row[0] for row in store.rows(_KINDS)],
    )


# ---- one round ---------------------------------------------------------------------------------------------------


class RoundRow(msgspec.Struct, frozen=True, kw_only=True):
    """A round, with what its run says of it."""

    run: int
    n: int
    opened: float
    closed: float
    status: str
    dealer: str | None
    first_event: int
    last_event: int
    answer: str
    table_name: str
    rulebook: str
    citation: str
    started: str
    name: str
    sha256: str
    code: str


class WagerRow(msgspec.Struct, frozen=True, kw_only=True):
    """A wager, in cents."""

    at: str
    colour: str | None
    stake: int
    result: str | None
    due: int | None
    paid: int | None
    rule: str
    why: str


class FindingRow(msgspec.Struct, frozen=True, kw_only=True):
    """A finding, with where it stands in the queue."""

    run: int
    n: int
    round: int
    kind: str
    verdict: str
    rule: str
    t: float
    at: str | None
    colour: str | None
    expected: str
    observed: str
    message: str
    reads: str
    gain: int
    state: str
    review: int


class EventRow(msgspec.Struct, frozen=True, kw_only=True):
    """An event, as it was read."""

    n: int
    raw: str


def round_row(store: Store, run: int, n: int) -> RoundRow | None:
    """One round."""
    sql = """SELECT rounds.*, table_name, rulebook, citation, started, name, sha256, code
             FROM rounds JOIN runs ON runs.id = rounds.run WHERE run = ? AND n = ?"""
    return next((msgspec.convert(dict(row), RoundRow) for row in store.rows(sql, [run, n])), None)


def wagers_of(store: Store, run: int, round: int) -> list[WagerRow]:
    """Its wagers."""
    names = ", ".join(WagerRow.__struct_fields__)
    sql = f"SELECT {names} FROM wagers INDEXED BY wagers_round WHERE run = ? AND round = ? ORDER BY n"
    return [msgspec.convert(dict(row), WagerRow) for row in store.rows(sql, [run, round])]


_FINDING = f"""
SELECT {", ".join(f"findings.{name}" for name in FindingRow.__struct_fields__[:-2])}, queue.state, queue.review
FROM findings {{by}} JOIN queue USING (run, n) WHERE"""


def findings_of(store: Store, run: int, round: int) -> list[FindingRow]:
    """Its findings."""
    by_round = _FINDING.format(by="INDEXED BY findings_round")
    rows = store.rows(f"{by_round} findings.run = ? AND findings.round = ? ORDER BY findings.n", [run, round])
    return [msgspec.convert(dict(row), FindingRow) for row in rows]


def finding_row(store: Store, run: int, n: int) -> FindingRow | None:
    """One finding."""
    rows = store.rows(f"{_FINDING.format(by='')} findings.run = ? AND findings.n = ?", [run, n])
    return next((msgspec.convert(dict(row), FindingRow) for row in rows), None)


def events_of(store: Store, round: RoundRow) -> list[EventRow]:
    """Its events."""
    sql = "SELECT n, raw FROM events WHERE run = ? AND n BETWEEN ? AND ? ORDER BY n"
    rows = store.rows(sql, [round.run, round.first_event, round.last_event])
    return [EventRow(n=row["n"], raw=row["raw"]) for row in rows]
