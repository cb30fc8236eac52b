"""Proof that a room is whole: every chain is walked, and its end compared with what was signed."""

import hashlib
import sqlite3
from collections.abc import Iterator

import msgspec

from auditor.chain import GENESIS, Keys, Mark, SignedHead, is_signed, link
from auditor.log import FairdealError
from auditor.schema import LEDGERS, PARTS, guards

_ONE = {"runs": "run", "reviews": "review", "activity": "activity"} | {
    "events": "event", "rounds": "round", "wagers": "wager", "findings": "finding", "growths": "growth",
    "sources": "source", "footage": "footage", "removals": "removal", "releases": "release", "exports": "export",
}  # fmt: skip


class Fault(msgspec.Struct, frozen=True):
    """Something in the room that is not as it was written."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class Extent(msgspec.Struct, frozen=True, kw_only=True):
    """How far a run goes: the ends of its chains, and the sha256 of its log."""

    marks: dict[str, Mark]
    sha256: str
    tail: str


class _Walked(msgspec.Struct):
    """How far a chain has been walked."""

    count: int = 0
    hash: bytes = GENESIS


def verify(connection: sqlite3.Connection, keys: Keys) -> list[Fault]:
    """Everything that was altered, added or removed. Raises FairdealError where that cannot be told."""
    try:
        # One snapshot throughout: a log kept meanwhile must not look like a fault.
        connection.execute("BEGIN")
        room, head = connection.execute("SELECT id, head FROM room").fetchone() or ("", "")
        newest = keys.newest(room) if room else None
        return list(_faults(connection, keys, room, head, newest))
    except sqlite3.DatabaseError as error:
        raise FairdealError(f"the room cannot be read: {error}") from None
    finally:
        connection.rollback()


def _faults(
    connection: sqlite3.Connection, keys: Keys, room: str, head: str, newest: SignedHead | None
) -> Iterator[Fault]:
    if not room:
        yield Fault("room", "its own row is gone")
        return
    ends: dict[str, Mark] = {}
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table in LEDGERS:
        if table not in tables:  # a room of an older version; if it had rows, the head says so
            ends[table] = Mark(0, GENESIS.hex())
            continue
        walked = _Walked()
        yield from _walk(connection, table, None, walked)
        ends[table] = Mark(walked.count, walked.hash.hex())
    yield from _signed(keys, head, room, ends)
    yield from _newest(connection, keys, newest, room)
    for run in connection.execute("SELECT id FROM runs ORDER BY id").fetchall():
        yield from _run_faults(connection, run[0])
    yield from _strays(connection)
    if "shifts" in tables:  # a room of an older version counts otherwise, until it is opened to write
        yield from _miscounted(connection)
    names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    for name in sorted(guards(tables) - names):
        yield Fault(f"trigger {name}", "was removed")


def _walk(connection: sqlite3.Connection, table: str, run: int | None, walked: _Walked) -> Iterator[Fault]:
    """Follow a chain; after a bad row it goes on from what that row claims, so each fault is told once."""
    columns = LEDGERS.get(table) or PARTS[table]
    key, condition = ("id", "") if run is None else ("n", "WHERE run = ?")
    sql = f"SELECT {key}, hash, {', '.join(columns)} FROM {table} {condition} ORDER BY {key}"
    place = "" if run is None else f"run {run}, "
    for number, hash, *row in connection.execute(sql, [] if run is None else [run]):
        walked.count += 1
        if number != walked.count:
            missing = f"{walked.count}–{number - 1}" if number - 1 > walked.count else f"{walked.count}"
            yield Fault(f"{place}{_ONE[table]} {missing}", "was removed")
            walked.count = number
        elif hash != _link(walked.hash, row):
            yield Fault(f"{place}{_ONE[table]} {number}", "was altered, or does not follow on the one before it")
        walked.hash = hash if isinstance(hash, bytes) else GENESIS


def _link(previous: bytes, row: list[object]) -> bytes | None:
    try:
        return link(previous, row)
    except (TypeError, msgspec.MsgspecError):
        return None


def _signed(keys: Keys, head: str, room: str, ends: dict[str, Mark]) -> Iterator[Fault]:
    """The head in the database: signed by us, and where the ledgers end."""
    try:
        signed = msgspec.json.decode(head, type=SignedHead)
    except msgspec.MsgspecError:
        yield Fault("signed head", "was altered")
        return
    if not is_signed(signed, keys.public()) or signed.head.room != room:
        yield Fault("signed head", "is not signed with this key: it was altered, or the key is another room's")
        return
    for table, end in ends.items():
        said = signed.head.marks.get(table, Mark(0, GENESIS.hex()))
        if end.count < said.count:
            yield Fault(f"{table} {end.count + 1}–{said.count}", "the newest were removed")
        elif end.count > said.count:
            yield Fault(f"{table} {said.count + 1}–{end.count}", "were added without the key")
        elif end != said:
            yield Fault(f"{table} {end.count}", "is not what was signed")


def _newest(connection: sqlite3.Connection, keys: Keys, newest: SignedHead | None, room: str) -> Iterator[Fault]:
    """The head beside the key: the room may have gone on since (a power cut), but never back."""
    if newest is None or not is_signed(newest, keys.public()) or newest.head.room != room:
        told = "is missing" if newest is None else "is not signed with this key"
        yield Fault("head beside the key", f"{told}: the newest rows cannot be vouched for")
        return
    for table, mark in newest.head.marks.items():
        if table not in LEDGERS or mark.count == 0:
            continue
        row = connection.execute(f"SELECT hash FROM {table} WHERE id = ?", [mark.count]).fetchone()
        if row is None:
            have = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            told = "the newest were removed, or this is an older copy of the room"
            yield Fault(table, f"{mark.count} were signed, {have} are there: {told}")
        elif not isinstance(row[0], bytes) or row[0].hex() != mark.hash:
            yield Fault(f"{_ONE[table]} {mark.count}", "is not what was signed last")


def _run_faults(connection: sqlite3.Connection, run: int) -> Iterator[Fault]:
    """The parts of a run against its row (or how it has grown since), and its lines against the sha256 of the log."""
    extent = extent_of(connection, run)
    for table in PARTS:
        walked, said = _Walked(), extent.marks[table]
        yield from _walk(connection, table, run, walked)
        if walked.count != said.count:
            told = "the newest were removed" if walked.count < said.count else "some were added"
            yield Fault(f"run {run}, {table}", f"{walked.count} are there, {said.count} were kept: {told}")
        elif walked.hash.hex() != said.hash:
            yield Fault(f"run {run}, {table}", "do not end as they were kept")
    (header,) = connection.execute("SELECT header FROM runs WHERE id = ?", [run]).fetchone()
    digest = hashlib.sha256(str(header).encode())
    for (raw,) in connection.execute("SELECT raw FROM events WHERE run = ? ORDER BY n", [run]):
        digest.update(str(raw).encode())
    digest.update(extent.tail.encode())
    if digest.hexdigest() != extent.sha256:
        yield Fault(f"run {run}", "its lines are not those of the log that was read (sha256)")


def extent_of(connection: sqlite3.Connection, run: int) -> Extent:
    """As its row says, or, where the run has grown since, the newest row about that."""
    columns = ", ".join(["sha256", "tail", *(f"{table}, {table}_hash" for table in PARTS)])
    has_growths = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'growths'").fetchone()
    sql = f"SELECT {columns} FROM growths WHERE run = ? ORDER BY id DESC LIMIT 1"
    row = connection.execute(sql, [run]).fetchone() if has_growths else None
    row = row or connection.execute(f"SELECT {columns} FROM runs WHERE id = ?", [run]).fetchone()
    marks = {table: Mark(row[2 + 2 * place], row[3 + 2 * place]) for place, table in enumerate(PARTS)}
    return Extent(marks=marks, sha256=row[0], tail=row[1])


_STATES = """
SELECT findings.run, findings.n FROM findings
LEFT JOIN queue USING (run, n)
JOIN runs ON runs.id = findings.run
WHERE queue.state IS NOT coalesce(
        (SELECT state FROM reviews WHERE run = findings.run AND finding = findings.n ORDER BY id DESC LIMIT 1), 'open')
   OR queue.kind IS NOT findings.kind OR queue.verdict IS NOT findings.verdict OR queue.rule IS NOT findings.rule
   OR queue.table_name IS NOT runs.table_name OR queue.rulebook IS NOT runs.rulebook
   OR queue.happened IS NOT runs.started_at + findings.t OR queue.rank IS NOT (findings.verdict = 'unsure')
"""


def _strays(connection: sqlite3.Connection) -> Iterator[Fault]:
    """Rows of runs that do not exist, and a queue that does not say what findings and reviews say."""
    for table in PARTS:
        sql = f"SELECT DISTINCT run FROM {table} WHERE run NOT IN (SELECT id FROM runs)"
        for (run,) in connection.execute(sql):
            yield Fault(f"run {run}, {table}", "belong to no run")
    for run, number in connection.execute(_STATES):
        yield Fault(f"run {run}, finding {number}", "stands in the queue as something else than was found and decided")
    extra = connection.execute("SELECT count(*) FROM queue").fetchone()[0]
    if extra > connection.execute("SELECT count(*) FROM findings").fetchone()[0]:
        yield Fault("queue", "lists findings that there are not")


# What there is against what is kept, both ways: EXCEPT leaves the rows that differ.
_HELD = """
SELECT run, n, kind, round, state = 'open' AS open, state != 'dismissed' AND verdict = 'breach' AS breach,
       state != 'dismissed' AND verdict = 'unsure' AS unsure, iif(state != 'dismissed', max(gain, 0), 0) AS overpaid,
       iif(state != 'dismissed', max(-gain, 0), 0) AS underpaid
FROM findings JOIN (SELECT run, n, state FROM queue) USING (run, n)"""
_BY_KIND = f"""
SELECT run, kind, sum(breach), sum(unsure), sum(open), sum(overpaid), sum(underpaid)
FROM ({_HELD}) GROUP BY run, kind"""
_BY_SHIFT = f"""
SELECT run, half_hour, dealer, count(DISTINCT round), coalesce(sum(breach), 0), coalesce(sum(unsure), 0),
       coalesce(sum(overpaid), 0), coalesce(sum(underpaid), 0)
FROM round_shifts LEFT JOIN ({_HELD}) USING (run, round) GROUP BY run, half_hour, dealer"""
_COUNTS = " UNION ".join(
    f"SELECT run FROM (SELECT * FROM ({one}) EXCEPT SELECT * FROM ({other}))"
    for found, kept in (
        (_BY_KIND, "SELECT run, kind, breaches, unsure, open, overpaid, underpaid FROM tallies"),
        (_BY_SHIFT, "SELECT * FROM shifts"),
        ("SELECT run, count(*), max(closed) FROM rounds GROUP BY run", "SELECT run, rounds, closed FROM spans"),
    )
    for one, other in ((found, kept), (kept, found))
)
_DEALERS = """
SELECT queue.run, queue.n FROM queue JOIN findings USING (run, n)
JOIN rounds ON rounds.run = findings.run AND rounds.n = findings.round WHERE queue.dealer IS NOT rounds.dealer
"""


def _miscounted(connection: sqlite3.Connection) -> Iterator[Fault]:
    """Counts and dealers that the site shows, and that are not what findings and rounds say."""
    for (run,) in connection.execute(_COUNTS):
        yield Fault(f"run {run}", "is counted as something else than was found and decided")
    for run, number in connection.execute(_DEALERS):
        yield Fault(f"run {run}, finding {number}", "stands in the queue under another dealer")
