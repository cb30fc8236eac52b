"""The room's file: opened, brought up to date, and written to so that every transaction ends with a signed head."""

import contextlib
import datetime
import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec
from sqlite_utils import Database

from auditor.chain import GENESIS, Head, Keys, Mark, SignedHead, link
from auditor.log import FairdealError
from auditor.schema import LEDGERS, migrations

BUSY_S = 10.0


def now() -> str:
    """The present moment, as the store writes it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


class Room:
    """An open room. Not to be shared between threads; several may be open on one file."""

    def __init__(self, db: Database, keys: Keys, room: str) -> None:
        self.db, self.keys, self.room = db, keys, room

    @classmethod
    @contextlib.contextmanager
    def open(cls, path: Path, keys: Keys, *, create: bool = False) -> Iterator[Self]:
        """Open a room; one that is not there is made, if it may be."""
        if create:
            _make(path, keys)
        with _told(path), contextlib.closing(_connected(path, mode="rw")) as db:
            yield cls(db, keys, _prepared(db, path, keys, create=create))

    @classmethod
    @contextlib.contextmanager
    def open_to_read(cls, path: Path, keys: Keys) -> Iterator[Self]:
        """Open a room without changing a byte of it, not even to bring an older one up to date."""
        with _told(path), contextlib.closing(_connected(path, mode="ro")) as db:
            yield cls(db, keys, _room_of(db, path))

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """The rows of a query."""
        cursor = self.db.conn.cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(sql, values).fetchall()

    # ---- writing ----

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: it ends with a newly signed head, in the database and beside the key."""
        connection = self.db.conn
        connection.execute("BEGIN IMMEDIATE")
        try:
            self._refuse_older_copy()
            yield connection
            signed = self.keys.sign(Head(room=self.room, marks=marks(connection)))
            connection.execute("UPDATE room SET head = ?", [msgspec.json.encode(signed).decode()])
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        # After the commit: a head that is behind is harmless, one that is ahead would look like a removal.
        self.keys.keep(signed)

    def _refuse_older_copy(self) -> None:
        """Writing on top of an older copy would sign away what is missing from it."""
        newest = self.keys.newest(self.room)
        if newest is None:
            raise FairdealError("the room's newest head is not beside its key: run `fairdeal verify`, see to it first")
        for table, mark in newest.head.marks.items():
            if self._hash_at(table, mark.count) != mark.hash:
                raise FairdealError("the room is not what was last signed: run `fairdeal verify`, see to it first")

    def _hash_at(self, table: str, count: int) -> str | None:
        if table not in LEDGERS or count == 0:
            return GENESIS.hex() if table in LEDGERS else None
        row = self.db.conn.execute(f"SELECT hash FROM {table} WHERE id = ?", [count]).fetchone()
        return row[0].hex() if row else None

    def append(self, table: str, **values: Any) -> int:
        """Add a row to a ledger, inside a transaction; its number."""
        row = [values[column] for column in LEDGERS[table]]
        mark = mark_of(self.db.conn, table)
        columns = ", ".join(("id", *LEDGERS[table], "hash"))
        places = ", ".join("?" * (len(row) + 2))
        hash = link(bytes.fromhex(mark.hash), row)
        self.db.conn.execute(f"INSERT INTO {table} ({columns}) VALUES ({places})", [mark.count + 1, *row, hash])
        return mark.count + 1

    def note(self, who: str, what: str, detail: str = "") -> None:
        """Write down in the activity log what somebody did."""
        with self.writing():
            self.append("activity", at=now(), who=who, what=what, detail=detail)


def mark_of(connection: sqlite3.Connection, ledger: str) -> Mark:
    """How far a ledger goes at present."""
    row = connection.execute(f"SELECT id, hash FROM {ledger} ORDER BY id DESC LIMIT 1").fetchone()
    return Mark(row[0], row[1].hex()) if row else Mark(0, GENESIS.hex())


def marks(connection: sqlite3.Connection) -> dict[str, Mark]:
    """How far each ledger goes at present."""
    return {table: mark_of(connection, table) for table in LEDGERS}


# ---- opening -----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """What SQLite complains of, in one line that names the room."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise FairdealError(f"{path}: {error}") from None


def _make(path: Path, keys: Keys) -> None:
    """An empty file that nobody else can read (people's password hashes will be in it), and the key."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        keys.make()
    except OSError as error:
        raise FairdealError(f"{error.filename or path}: {error.strerror}") from None


def _connected(path: Path, *, mode: str) -> Database:
    """The file, open to read (`ro`) or to write (`rw`)."""
    if not path.is_file():
        raise FairdealError(f"{path}: there is no such room")
    return Database(sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, timeout=BUSY_S))


def _room_of(db: Database, path: Path) -> str:
    """The room's id."""
    if "room" not in db.table_names():
        raise FairdealError(f"{path}: this is not a room of fairdeal's")
    return str((db.conn.execute("SELECT id FROM room").fetchone() or [""])[0])


def _furnish(db: Database) -> None:
    """The tables of this version, in a new room or an older one."""
    if migrations.pending(db):
        db.enable_wal()
        migrations.apply(db)
    db.conn.execute("PRAGMA foreign_keys = ON")


def _prepared(db: Database, path: Path, keys: Keys, *, create: bool) -> str:
    """The room's id; a new room is furnished, one of an older version brought up to date."""
    is_new = create and not db.table_names()
    if not is_new:
        _room_of(db, path)
    _furnish(db)
    if not is_new:
        return _room_of(db, path)
    room = secrets.token_hex(8)
    signed: SignedHead = keys.sign(Head(room=room, marks=marks(db.conn)))
    with db.atomic():
        db.conn.execute("INSERT INTO room VALUES (?, ?, ?)", [room, now(), msgspec.json.encode(signed).decode()])
    keys.keep(signed)
    return room
