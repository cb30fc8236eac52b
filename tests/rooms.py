"""Rooms for tests: a store with two logs of blackjack in it."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playing import GOOD, SHORT, written

from auditor.chain import Keys
from auditor.store import Store

UNREAD = GOOD.replace("card dealer 8c", "card dealer ?? up=true")


def keep(store: Store, table_log: bytes, name: str = "evening.jsonl") -> int:
    """Keep a log; its run."""
    with store.keeping(io.BytesIO(table_log), name) as kept:
        pass
    return kept.run


@contextmanager
def opened(folder: Path) -> Iterator[Store]:
    """The room in that folder; its key lies beside it."""
    with Store.open(folder / "room.db", Keys(folder / "keys"), create=True) as store:
        yield store


def furnish(folder: Path) -> Path:
    """A room with three logs: a breach in three rounds, two breaches in two, two unsure findings in one."""
    with opened(folder) as store:
        keep(store, written("act-blackjack", GOOD + SHORT + GOOD))
        keep(store, written("act-blackjack", SHORT + SHORT))
        keep(store, written("act-blackjack", UNREAD))
    return folder / "room.db"
