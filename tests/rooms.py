"""Rooms for tests: a store with logs of blackjack in it, with footage where it is asked for."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playing import GOOD, SHORT, written

from auditor.chain import Keys
from auditor.provenance import Footage, Origin
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


def filmed_log(table: str = "T-1") -> bytes:
    """Two rounds, the second paid short; every event says where in the picture it was seen."""
    header, _, events = written("act-blackjack", GOOD + SHORT).replace(b'"T-1"', f'"{table}"'.encode()).partition(b"\n")
    region = b',"cam":"table","region":[[10,60],[60,60],[60,120],[10,120]]}\n'
    return header + b"\n" + events.replace(b"}\n", region)


def keep_filmed(store: Store, video: Path, table: str = "T-1") -> int:
    """Keep that log with its film, of which the camera ran two seconds before the log began; its run."""
    origin = Origin(footage=(Footage(camera="table", path=video, t0=-2.0),))
    with store.keeping(io.BytesIO(filmed_log(table)), "filmed.jsonl", origin) as kept:
        pass
    return kept.run


def fairdeal(folder: Path, *arguments: str | Path) -> tuple[int, str, str]:
    """The command line, with the keys in a folder: exit code, standard output and standard error."""
    run = subprocess.run(
        [sys.executable, "-c", "from auditor.cli import main; main()", *map(str, arguments)],
        capture_output=True, check=False, text=True, env=os.environ | {"FAIRDEAL_KEYS": str(folder / "keys")},
    )  # fmt: skip
    return run.returncode, run.stdout, run.stderr
