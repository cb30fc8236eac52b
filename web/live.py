"""News for pages that are open: server-sent events whenever something was kept, decided or exported, or a camera died.

One thread looks into the room once a second, however many people are listening.
"""

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec
from flask import Blueprint, Flask, Response, current_app
from flask.typing import ResponseReturnValue

from auditor.chain import Keys
from auditor.feeds import feeds
from auditor.log import FairdealError
from auditor.store import Store
from web.access import person, token
from web.people import person_of

pages = Blueprint("live", __name__)
EVERY_S, HEARTBEAT_S, LONGEST_S = 1.0, 15.0, 600.0
MOST_LISTENERS = 40
_TROUBLE = ("lost", "silent", "blocked")


class News(msgspec.Struct, frozen=True, kw_only=True):
    """What is new: a number for everything that was kept or decided, and the cameras that do not see."""

    room: str
    down: tuple[tuple[str, str, str], ...]


class Pulse:
    """The thread that looks, while anybody listens."""

    def __init__(self, room: Path, keys: Path | None) -> None:
        self._room, self._keys = room, keys
        self._changed = threading.Condition()
        self._news: News | None = None
        self._thread: threading.Thread | None = None
        self.listeners = 0
        self.is_over = False

    def join(self) -> bool:
        """Listen; False if too many do already."""
        with self._changed:
            if self.is_over or self.listeners >= MOST_LISTENERS:
                return False
            self.listeners += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="pulse", daemon=True)
                self._thread.start()
            return True

    def leave(self) -> None:
        """Listen no longer."""
        with self._changed:
            self.listeners -= 1
            self._changed.notify_all()

    def stop(self, patience_s: float = 5.0) -> None:
        """End every stream, before the server that writes them is gone."""
        with self._changed:
            self.is_over = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self.listeners == 0, patience_s)

    def wait(self, known: News | None, timeout_s: float) -> News | None:
        """What is new since then, or the same when nothing was for so long."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_over or self._news != known, timeout_s)
            return self._news

    def _look(self) -> None:
        while True:
            fresh = self._fresh()
            with self._changed:
                if fresh is not None and fresh != self._news:
                    self._news = fresh
                    self._changed.notify_all()
                if self.listeners == 0:
                    self._thread = None
                    return
                self._changed.wait_for(lambda: self.listeners == 0, EVERY_S)

    def _fresh(self) -> News | None:
        try:
            with Store.open_to_read(self._room, Keys(self._keys)) as store:
                now = time.time()
                known = ((each, each.health(now)) for each in feeds(store))
                down = tuple((feed.table_name, feed.camera, state) for feed, state in known if state in _TROUBLE)
                ledgers = ("runs", "growths", "reviews", "exports")
                ends = [store.rows(f"SELECT coalesce(max(id), 0) FROM {ledger}")[0][0] for ledger in ledgers]
                return News(room="-".join(map(str, ends)), down=down)
        except (FairdealError, sqlite3.Error):
            return None  # locked for a moment, or gone: the pages themselves say so


def prepare(app: Flask) -> None:
    """Give the site its pulse."""
    app.extensions["pulse"] = Pulse(app.config["ROOM"], app.config["KEYS"])


@pages.get("/live")
def live() -> ResponseReturnValue:
    """The news, as they come, for ten minutes; then the browser asks again."""
    pulse = cast(Pulse, current_app.extensions["pulse"])
    if not pulse.join():
        return Response("", status=204)  # browsers give up then, and the page is as it was before there were news
    room, keys = current_app.config["ROOM"], current_app.config["KEYS"]
    answer = Response(_told(pulse, room, keys, person().tables, token()), mimetype="text/event-stream")
    answer.call_on_close(pulse.leave)
    return answer


def _told(pulse: Pulse, room: Path, keys: Path | None, tables: tuple[str, ...], key: str) -> Iterator[str]:
    known: News | None = None
    until = time.monotonic() + LONGEST_S
    yield "retry: 3000\n\n"
    while time.monotonic() < until:
        fresh = pulse.wait(known, HEARTBEAT_S)
        if pulse.is_over:
            return
        with Store.open_to_read(room, Keys(keys)) as store:
            if person_of(store, key) is None:
                return  # shut out or logged out meanwhile
        if fresh == known or fresh is None:
            yield ": still here\n\n"
            continue
        known = fresh
        down = [each for each in fresh.down if not tables or each[0] in tables]
        yield f"data: {msgspec.json.encode({'room': fresh.room, 'down': down}).decode()}\n\n"
