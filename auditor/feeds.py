"""The health of the cameras: what each said last, and which are not heard of any more."""

import time
from typing import Literal

import msgspec

from auditor.store import Store

SILENT_AFTER_S = 15.0
State = Literal["live", "lost", "blocked", "ended"]


class Feed(msgspec.Struct, frozen=True, kw_only=True):
    """What a camera said last. Times are seconds since 1970; `since` is when its state began."""

    table_name: str
    camera: str
    rulebook: str
    state: str
    since: float
    at: float
    fps: float | None = None
    detail: str = ""

    def health(self, now: float) -> str:
        """Its state, or `silent` where it has not been heard of for too long.

        >>> feed = Feed(table_name="BJ-04", camera="table", rulebook="act-blackjack", state="live", since=0, at=100)
        >>> feed.health(110), feed.health(200)
        ('live', 'silent')
        """
        return "silent" if self.state == "live" and now - self.at > SILENT_AFTER_S else self.state


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """A camera's heartbeat: how it is; `at` is now where nothing else is said."""

    table: str
    camera: str
    rulebook: str
    state: State
    fps: float | None = None
    detail: str = ""
    at: float | None = None


_BEAT = """
INSERT INTO feeds VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (table_name, camera) DO UPDATE SET
    rulebook = excluded.rulebook, since = iif(state = excluded.state, since, excluded.since), state = excluded.state,
    at = excluded.at, fps = excluded.fps, detail = excluded.detail
"""


def beat(store: Store, *beats: Beat) -> None:
    """Say how cameras are, together; every few seconds while they are watched. Not chained: the log's own `feed` events
    are."""
    now = time.time()
    moments = [now if each.at is None else each.at for each in beats]
    with store.db.conn as connection:
        connection.executemany(_BEAT, [
            (each.table, each.camera, each.rulebook, each.state, moment, moment, each.fps, each.detail)
            for each, moment in zip(beats, moments, strict=True)
        ])  # fmt: skip


def feeds(store: Store) -> list[Feed]:
    """Every camera that was ever watched."""
    rows = store.rows("SELECT * FROM feeds ORDER BY table_name, camera")
    return [msgspec.convert(dict(row), Feed) for row in rows]
