"""People: who may come in, how they prove it, and what each role may do. Knows the store, not the web.

Tokens are kept as hashes only: whoever reads the database cannot log in with what is in it.
"""

import hashlib
import secrets
import time
from collections.abc import Sequence
from typing import Any, Literal, get_args

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from auditor.log import FairdealError
from auditor.room import now
from auditor.store import Store

Role = Literal["viewer", "reviewer", "supervisor", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
"""Each may do what those before it may."""

SHIFT_S = 12 * 3600.0
INVITATION_S = 24 * 3600.0
SHORTEST_PASSWORD = 10
LONGEST_NAME, LONGEST_PASSWORD = 60, 500

_hasher = PasswordHasher()
# Checked when a name is not known, so that the answer takes as long as for one that is.
_NOBODY = _hasher.hash(secrets.token_hex())


class PeopleError(FairdealError):
    """What somebody typed cannot be done; told to him."""


class Person(msgspec.Struct, frozen=True):
    """Somebody who is logged in."""

    id: int
    name: str
    role: Role
    tables: tuple[str, ...] = ()

    def sees(self, table: str) -> bool:
        """Whether this person may see what happened at that table; without a list, all of them."""
        return not self.tables or table in self.tables

    def may(self, role: Role) -> bool:
        """Whether this person may do what that role may."""
        return ROLES.index(self.role) >= ROLES.index(role)


def _person(row: Any) -> Person:
    return Person(row["id"], row["name"], row["role"], msgspec.json.decode(row["tables"], type=tuple[str, ...]))


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# ---- coming in ---------------------------------------------------------------------------------------------------


def authenticate(store: Store, name: str, password: str) -> Person | None:
    """The person with that name and password."""
    row = next(iter(store.rows("SELECT * FROM people WHERE name = ? AND is_active", [name])), None)
    try:
        _hasher.verify(row["password"] if row else _NOBODY, password[:LONGEST_PASSWORD])
    except (VerificationError, InvalidHashError):
        return None
    return _person(row) if row else None


def log_in(store: Store, person: Person) -> str:
    """Begin a session; its token. A token that was there before is never taken over."""
    token = secrets.token_urlsafe(32)
    with store.writing() as connection:
        connection.execute("DELETE FROM sessions WHERE expires < ?", [time.time()])
        values = [_hashed(token), person.id, time.time() + SHIFT_S]
        connection.execute("INSERT INTO sessions VALUES (?, ?, ?)", values)
        _noted(store, person.name, "logged in")
    return token


def log_out(store: Store, token: str, person: Person) -> None:
    """End a session."""
    with store.writing() as connection:
        connection.execute("DELETE FROM sessions WHERE token_hash = ?", [_hashed(token)])
        _noted(store, person.name, "logged out")


def person_of(store: Store, token: str) -> Person | None:
    """Whose session that is."""
    sql = """SELECT people.* FROM sessions JOIN people ON people.id = person
             WHERE token_hash = ? AND expires > ? AND is_active"""
    row = next(iter(store.rows(sql, [_hashed(token), time.time()])), None)
    return _person(row) if row else None


# ---- invitations -------------------------------------------------------------------------------------------------


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody is invited to be, and the tables he is kept to (none: all of them)."""

    role: Role
    tables: tuple[str, ...] = ()


def invite(store: Store, role: Role, invited_by: str, tables: Sequence[str] = ()) -> str:
    """A one-time token with which somebody can choose a name and a password."""
    token = secrets.token_urlsafe(32)
    with store.writing() as connection:
        connection.execute("DELETE FROM invitations WHERE expires < ?", [time.time()])
        values = [_hashed(token), role, time.time() + INVITATION_S, invited_by, msgspec.json.encode(tables).decode()]
        connection.execute("INSERT INTO invitations VALUES (?, ?, ?, ?, ?)", values)
        _noted(store, invited_by, "invited somebody", " ".join([role, *tables]))
    return token


def invitation(store: Store, token: str) -> Invitation | None:
    """What an invitation is for; None if it was used, has expired or never was."""
    rows = store.rows("SELECT * FROM invitations WHERE token_hash = ? AND expires > ?", [_hashed(token), time.time()])
    for row in rows:
        return Invitation(role=row["role"], tables=msgspec.json.decode(row["tables"], type=tuple[str, ...]))
    return None


def accept(store: Store, token: str, name: str, password: str) -> Person:
    """Use an invitation."""
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise PeopleError(f"A name has 1 to {LONGEST_NAME} characters.")
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise PeopleError(f"A password has at least {SHORTEST_PASSWORD} characters.")
    hashed = _hasher.hash(password)  # slow on purpose: not while others wait for the room
    with store.writing() as connection:
        invited = invitation(store, token)
        if invited is None:
            raise PeopleError("This link was used already, or has expired.")
        if name.lower() == "fairdeal" or store.rows("SELECT 1 FROM people WHERE name = ?", [name]):
            raise PeopleError("That name is taken.")
        connection.execute("DELETE FROM invitations WHERE token_hash = ?", [_hashed(token)])
        insert = "INSERT INTO people (name, role, password, tables) VALUES (?, ?, ?, ?)"
        values = [name, invited.role, hashed, msgspec.json.encode(invited.tables).decode()]
        id = connection.execute(insert, values).lastrowid or 0
        _noted(store, name, "came to the room", invited.role)
    return Person(id, name, invited.role, invited.tables)


def shut_out(store: Store, id: int, by: Person) -> None:
    """Take somebody's access away, at once; what he did stays on record."""
    if id == by.id:
        raise PeopleError("Nobody can shut himself out.")
    with store.writing() as connection:
        rows = store.rows("SELECT name FROM people WHERE id = ? AND is_active", [id])
        if not rows:
            raise PeopleError("There is no such person.")
        connection.execute("UPDATE people SET is_active = 0 WHERE id = ?", [id])
        connection.execute("DELETE FROM sessions WHERE person = ?", [id])
        _noted(store, by.name, "shut somebody out", rows[0]["name"])


def is_empty(store: Store) -> bool:
    """Whether nobody has come to the room yet."""
    return not store.rows("SELECT 1 FROM people LIMIT 1")


def _noted(store: Store, who: str, what: str, detail: str = "") -> None:
    store.append("activity", at=now(), who=who, what=what, detail=detail)
