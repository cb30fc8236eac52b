"""Attempts to log in, counted in the room itself: whoever is guessing gains nothing by a restart of the site."""

import time

import msgspec

from auditor.store import Store


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """How many attempts are let through within a sliding window."""

    attempts: int
    window_s: float


BY_NAME = Limit(attempts=5, window_s=300.0)
BY_ADDRESS = Limit(attempts=30, window_s=300.0)


def allow(store: Store, key: str, limit: Limit, at: float | None = None) -> bool:
    """Whether one more is allowed now; it is counted if so.

    It counts before it is known whether it succeeds: many at the same time do not slip through.
    """
    moment = time.time() if at is None else at
    connection = store.db.conn
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("DELETE FROM attempts WHERE at <= ?", [moment - limit.window_s])
        made = connection.execute("SELECT count(*) FROM attempts WHERE key = ?", [key]).fetchone()[0]
        if made < limit.attempts:
            connection.execute("INSERT INTO attempts VALUES (?, ?)", [key, moment])
    finally:
        connection.execute("COMMIT")
    return bool(made < limit.attempts)


def forget(store: Store, key: str) -> None:
    """It was the right person."""
    store.db.conn.execute("DELETE FROM attempts WHERE key = ?", [key])
    store.db.conn.commit()


def take_back(store: Store, key: str) -> None:
    """One attempt succeeded: behind a proxy a whole shift comes from one address, and none of them is guessing."""
    newest = "SELECT max(rowid) FROM attempts WHERE key = ?"
    store.db.conn.execute(f"DELETE FROM attempts WHERE rowid = ({newest})", [key])
    store.db.conn.commit()
