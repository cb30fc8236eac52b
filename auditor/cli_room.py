"""The commands that work on a room: what they print, and their exit codes."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

import click

from auditor.audit import Audit
from auditor.chain import Keys
from auditor.reaudit import reaudit_report
from auditor.store import Store

ALTERED, CHANGED, UNREADABLE = 1, 1, 2


@contextlib.contextmanager
def keeper(room: Path, keys: Path | None) -> Iterator[Callable[[BinaryIO, str], AbstractContextManager[Audit]]]:
    """Audits logs as `check` does, and keeps each that was read to its end."""
    with Store.open(room, Keys(keys), create=True) as store:

        @contextlib.contextmanager
        def kept_audit(stream: BinaryIO, path: str) -> Iterator[Audit]:
            gone: BrokenPipeError | None = None
            with store.keeping(stream, path) as kept:
                try:
                    yield kept.audit
                except BrokenPipeError as error:
                    gone = error  # whoever read the report has seen enough; the log is kept all the same
            told = f"kept as run {kept.run}" if kept.is_new else f"already kept, as run {kept.run}"
            click.echo(f"fairdeal: {path}: {told} in {room}", err=True)
            if gone is not None:
                raise gone

        yield kept_audit


@contextlib.contextmanager
def _working(what: str) -> Iterator[None]:
    """Show on a terminal that something is going on: a large room takes a while."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def print_verification(room: Path, keys: Path | None) -> int:
    """Whether the room is whole: the faults, or how much was proved."""
    with Store.open_to_read(room, Keys(keys)) as store, _working("walking the chains"):
        faults = store.verify()
        counts = {
            table: store.rows(f"SELECT count(*) FROM {table}")[0][0]
            for table in ("runs", "events", "rounds", "findings", "reviews")
        }
    for fault in faults:
        click.echo(f"{room}: {fault}")
    if faults:
        return ALTERED
    click.echo(f"{room}: intact: " + ", ".join(f"{count:,} {table}" for table, count in counts.items()))
    return 0


def print_reaudit(room: Path, keys: Path | None) -> int:
    """What the present rulebooks judge otherwise than when the logs were kept."""
    code = 0
    with Store.open_to_read(room, Keys(keys)) as store:
        for kind, line in reaudit_report(store):
            click.echo(line)
            code = max(code, {"changed": CHANGED, "unreadable": UNREADABLE}.get(kind, 0))
    return code
