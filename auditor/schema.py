"""The room's tables by name. What is chained may only grow: triggers refuse every change and removal.

Two kinds of chain. The *ledgers* (runs, reviews, exports and the like) are chained from the room's first row to its
last, and the signed head says where they end. The *parts* of a run (events, rounds, wagers, findings) are chained from
its own first row; the run's row, or for a run that grows the newest row of `growths`, carries how many there are and
their last hash, and so the ledger vouches for them.

The `queue`, the `tallies`, the `spans` and the `shifts` are derived from rounds, findings and reviews, by triggers:
what the review site sorts, filters and counts by.
"""

import sqlite3
from collections.abc import Iterable

from sqlite_utils import Database, Migrations

from auditor import schema_sql

LEDGERS: dict[str, tuple[str, ...]] = {
    "runs": (
        "sha256", "name", "table_name", "rulebook", "citation", "started", "started_at", "house", "header", "tail",
        "code", "kept_at", "events", "events_hash", "rounds", "rounds_hash", "wagers", "wagers_hash", "findings",
        "findings_hash",
    ),
    "reviews": ("run", "finding", "who", "at", "decision", "note", "state"),
    "activity": ("at", "who", "what", "detail"),
    "growths": (
        "run", "sha256", "tail", "at", "events", "events_hash", "rounds", "rounds_hash", "wagers", "wagers_hash",
        "findings", "findings_hash",
    ),
    "sources": ("run", "what", "name", "sha256"),
    "footage": ("run", "camera", "path", "sha256", "bytes", "t0", "duration_s"),
    "removals": ("footage", "at", "who", "why"),
    "releases": ("run", "finding", "at", "who", "note"),
    "exports": ("run", "finding", "at", "who", "name", "sha256"),
}  # fmt: skip
PARTS: dict[str, tuple[str, ...]] = {
    "events": ("raw",),
    "rounds": ("opened", "closed", "status", "dealer", "first_event", "last_event", "answer"),
    "wagers": ("round", "at", "colour", "stake", "result", "due", "paid", "rule", "why"),
    "findings": (
        "round", "kind", "verdict", "rule", "t", "at", "colour", "expected", "observed", "message", "reads", "gain",
    ),
}  # fmt: skip
"""The chained columns of each table, in the order of its canonical row."""

migrations = Migrations("fairdeal-room")


def guards(tables: Iterable[str]) -> set[str]:
    """The names of the triggers that a room with these tables must have."""
    chained = {*LEDGERS, *PARTS} & set(tables)
    kept = {f"{table}_no_{word}" for table in chained for word in ("change", "removal")}
    counted = {"rounds_shift", "findings_shift", "reviews_dismiss"} if "shifts" in tables else set[str]()
    return kept | counted | {"findings_enter_queue", "reviews_move_queue"}


def _run_script(db: Database, script: str) -> None:
    """Statement by statement: `executescript` would end the migration's transaction."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""


def _guard(db: Database, tables: Iterable[str]) -> None:
    for table in tables:
        for word, verb in (("change", "UPDATE"), ("removal", "DELETE")):
            _run_script(db, schema_sql.GUARD.format(table=table, word=word, verb=verb))


@migrations()
def the_first_room(db: Database) -> None:
    """Logs, what was found in them, what was decided about it."""
    _run_script(db, schema_sql.FIRST_ROOM)
    _run_script(db, schema_sql.QUEUE)
    _guard(db, ("runs", "reviews", "activity", *PARTS))


@migrations()
def people(db: Database) -> None:
    """Who may log in, who is logged in, and the one-time links by which people come."""
    _run_script(db, schema_sql.PEOPLE)


@migrations()
def evidence(db: Database) -> None:
    """Where a log came from, its footage, what was exported; logs that grow while they are watched."""
    _run_script(db, schema_sql.EVIDENCE)
    _guard(db, ("growths", "sources", "footage", "removals", "releases", "exports"))


@migrations()
def wider_queue(db: Database) -> None:
    """The dealer in the queue, and counts per log."""
    _run_script(db, schema_sql.WIDER_QUEUE)


@migrations()
def wider_people(db: Database) -> None:
    """Supervisors, tables somebody is kept to, log-ins counted over a restart, saved filters, feeds."""
    _run_script(db, schema_sql.WIDER_PEOPLE)


@migrations()
def shifts(db: Database) -> None:
    """Counts and money per half hour and dealer, without what was dismissed."""
    _run_script(db, schema_sql.SHIFTS)
