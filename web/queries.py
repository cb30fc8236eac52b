"""What the pages of rounds and findings ask of the room. All values go in as parameters."""

import msgspec

from auditor.store import Store


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
