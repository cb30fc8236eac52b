"""Housekeeping while a site is watched: cameras' heartbeats, finished footage into the room, old footage out of it."""

import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from auditor.chain import Keys
from auditor.feeds import Beat, State, beat
from auditor.growing import Writer
from auditor.log import FairdealError
from auditor.provenance import Footage, Registered, registered
from auditor.retention import old_footage, remove
from auditor.store import Store

BEAT_EVERY_S, RING_EVERY_S = 2.0, 60.0
BEATEN: tuple[State, ...] = ("live", "lost", "blocked", "ended")


class Named(Protocol):
    """A table, as far as a heartbeat tells."""

    @property
    def table(self) -> str:
        """Its name."""

    @property
    def rulebook(self) -> str:
        """What is played there."""


class Housekeeper:
    """One thread with its own connection to the room, so that no camera ever waits for the disk."""

    def __init__(
        self, room: Path, keys: Keys, writer: Writer, ring: Path, ring_hours: float, tell: Callable[[str], None]
    ) -> None:
        self._room, self._keys, self._writer, self._ring, self._ring_hours = room, keys, writer, ring, ring_hours
        self._tell = tell
        self._beats: dict[tuple[str, str], Beat] = {}
        self._films: queue.SimpleQueue[tuple[Callable[[], int], Footage]] = queue.SimpleQueue()
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._work, name="housekeeper", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leaving.set()
        self._thread.join()

    def beat(self, table: Named, camera: str, state: str, fps: float, detail: str) -> None:
        """How a camera is; written down at the next occasion."""
        for known in BEATEN:
            if known == state:
                self._beats[table.table, camera] = Beat(
                    table=table.table, camera=camera, rulebook=table.rulebook, state=known, fps=fps, detail=detail
                )

    def filmed(self, run: Callable[[], int], footage: Footage) -> None:
        """A piece of footage is finished; it belongs to that run, once that has its number."""
        self._films.put((run, footage))

    def _work(self) -> None:
        ring_at = 0.0
        while True:
            is_last = self._leaving.wait(BEAT_EVERY_S)
            try:
                with Store.open(self._room, self._keys) as store:
                    self._register()
                    beat(store, *self._beats.values())
                    if time.monotonic() >= ring_at:
                        ring_at = time.monotonic() + RING_EVERY_S
                        self._turn_ring(store)
            except (FairdealError, OSError, sqlite3.Error) as error:
                self._tell(f"housekeeping: {error}")
            if is_last:
                return

    def _register(self) -> None:
        for _ in range(self._films.qsize()):
            run, footage = self._films.get()
            if run() == 0:
                self._films.put((run, footage))
                continue
            try:
                self._attach(run(), registered(footage))
            except FairdealError as error:
                self._tell(f"footage: {error}")

    def _attach(self, run: int, film: Registered) -> None:
        self._writer.transact(lambda store: store.attach(run, [film], ()))

    def _turn_ring(self, store: Store) -> None:
        """Only what lies in the ring is ours to remove, and not what belongs to a finding."""
        ring = self._ring.absolute()
        for old in old_footage(store, self._ring_hours / 24):
            if not old.held_by and old.path.parent == ring:
                remove(store, old, who="fairdeal", why=f"older than the ring's {self._ring_hours:g} hours")
