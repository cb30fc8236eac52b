"""Auditing again: the stored events under the rulebooks as they are now, and what is judged otherwise than then."""

import datetime
import sqlite3
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

import msgspec

from auditor.intake import staged
from auditor.log import LogError
from auditor.outcomes import amount_text
from auditor.schema import PARTS
from auditor.store import Store

# What makes a row the same one as before, and what may then differ.
_KEYS = {
    "rounds": ("n",),
    "wagers": ("round", "at", "colour"),
    "findings": ("round", "kind", "at", "colour"),
}
_CENTS = ("stake", "due", "paid")
_SIGNS = {"new": "+", "gone": "−", "changed": "~"}


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that would be judged otherwise now: `before` is None if it is new, `after` if it is gone."""

    table: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None

    def __str__(self) -> str:
        row = self.after or self.before or {}
        sign = _SIGNS["new" if self.before is None else "gone" if self.after is None else "changed"]
        place = f"round {row.get('round', row.get('n'))}"
        named = " ".join(str(row[key]) for key in _KEYS[self.table] if key not in ("round", "n") and row[key])
        told = self._differences() if self.before and self.after else _told(self.table, row)
        return f"{sign} {place} · {' · '.join(filter(None, [named, told]))}"

    def _differences(self) -> str:
        before, after = self.before or {}, self.after or {}
        changed = [name for name in before if before[name] != after[name]]
        return "; ".join(f"{name} {_shown(name, before[name])} → {_shown(name, after[name])}" for name in changed)


def _shown(name: str, value: Any) -> str:
    if name in _CENTS and isinstance(value, int):
        return amount_text(value)
    return "none" if value is None else str(value)


def _told(table: str, row: dict[str, Any]) -> str:
    if table == "findings":
        return f"{row['verdict']}: {row['message']} (rule {row['rule']})"
    if table == "wagers":
        return f"{amount_text(row['stake'])}, {row['result'] or 'undecided'}"
    return str(row["status"])


class _Lines:
    """The lines of a stored log, as a stream."""

    def __init__(self, connection: sqlite3.Connection, run: int) -> None:
        self._lines = self._read(connection, run)

    @staticmethod
    def _read(connection: sqlite3.Connection, run: int) -> Iterator[bytes]:
        yield str(connection.execute("SELECT header FROM runs WHERE id = ?", [run]).fetchone()[0]).encode()
        for (raw,) in connection.execute("SELECT raw FROM events WHERE run = ? ORDER BY n", [run]):
            yield str(raw).encode()

    def readline(self, limit: int) -> bytes:
        return next(self._lines, b"")


def reaudit(store: Store, run: int, name: str) -> Iterator[Change]:
    """What the present rulebooks judge otherwise in a stored log. Raises LogError if they cannot read it."""
    connection = store.db.conn
    with staged(connection, cast(BinaryIO, _Lines(connection, run)), name) as intake:
        intake.finish()
    for table, keys in _KEYS.items():
        columns = tuple(column for column in PARTS[table] if column not in ("first_event", "last_event"))
        columns = ("n", *columns) if table == "rounds" else columns
        names = ", ".join(columns)
        now, then = f"SELECT {names} FROM temp.staged_{table}", f"SELECT {names} FROM {table} WHERE run = {int(run)}"
        after = _by_key(connection.execute(f"{now} EXCEPT {then}"), columns, keys)
        before = _by_key(connection.execute(f"{then} EXCEPT {now}"), columns, keys)
        for key in sorted({*after, *before}, key=lambda key: (key[0], str(key))):
            yield from _paired(table, before.get(key, []), after.get(key, []))


def _by_key(
    rows: sqlite3.Cursor, columns: tuple[str, ...], keys: tuple[str, ...]
) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    answer: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        named = dict(zip(columns, row, strict=True))
        answer.setdefault(tuple(named[key] for key in keys), []).append(named)
    return answer


def _paired(table: str, before: list[dict[str, Any]], after: list[dict[str, Any]]) -> Iterator[Change]:
    for number in range(max(len(before), len(after))):
        old = before[number] if number < len(before) else None
        new = after[number] if number < len(after) else None
        yield Change(table=table, before=old, after=new)


def reaudit_report(store: Store) -> Iterator[tuple[str, str]]:
    """Line by line, each with what it is: `run`, `changed`, `same` or `unreadable`."""
    for row in store.rows("SELECT id, name, table_name, rulebook, started FROM runs ORDER BY id"):
        started = datetime.datetime.fromisoformat(row["started"])
        told = [f"run {row['id']}", row["table_name"], row["rulebook"], f"{started:%Y-%m-%d %H:%M}", row["name"]]
        yield "run", " · ".join(told)
        same = True
        try:
            for change in reaudit(store, row["id"], row["name"]):
                same = False
                yield "changed", f"  {change}"
        except LogError as error:
            same = False
            yield "unreadable", f"  cannot be audited under the present rulebooks: {error}"
        if same:
            yield "same", "  judged the same as then"
