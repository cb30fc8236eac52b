"""The commands that work on a room: what they print, and their exit codes. The store is loaded only when asked for."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

import click

from auditor.audit import Audit

ROOM = click.argument("room", type=click.Path(path_type=Path), metavar="ROOM.db")
KEYS = click.option(
    "--keys", type=click.Path(path_type=Path), metavar="FOLDER",
    help="Where the room's signing key lies (default: $FAIRDEAL_KEYS, else ~/.local/share/fairdeal/keys).",
)  # fmt: skip
ALTERED, CHANGED, UNREADABLE = 1, 1, 2


@contextlib.contextmanager
def keeper(room: Path, keys: Path | None) -> Iterator[Callable[[BinaryIO, str], AbstractContextManager[Audit]]]:
    """Audits logs as `check` does, and keeps each that was read to its end."""
    from auditor.chain import Keys
    from auditor.store import Store

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


def _print_verification(room: Path, keys: Path | None) -> int:
    """Whether the room is whole: the faults, or how much was proved."""
    from auditor.chain import Keys
    from auditor.store import Store

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


def _print_reaudit(room: Path, keys: Path | None) -> int:
    """What the present rulebooks judge otherwise than when the logs were kept."""
    from auditor.chain import Keys
    from auditor.reaudit import reaudit_report
    from auditor.store import Store

    code = 0
    with Store.open_to_read(room, Keys(keys)) as store:
        for kind, line in reaudit_report(store):
            click.echo(line)
            code = max(code, {"changed": CHANGED, "unreadable": UNREADABLE}.get(kind, 0))
    return code


@click.command()
@ROOM
@KEYS
def verify(room: Path, keys: Path | None) -> int:
    """Prove that nothing in a room was altered, added or removed (exit code 1: something was).

    \b
    Example:
      fairdeal verify room.db
    """
    return _print_verification(room, keys)


@click.command()
@ROOM
@KEYS
def reaudit(room: Path, keys: Path | None) -> int:
    """Audit a room's stored events again and print what is judged otherwise (exit code 1: something is).

    \b
    Example:
      fairdeal reaudit room.db
    """
    return _print_reaudit(room, keys)


@click.command()
@ROOM
@KEYS
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to serve at.")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(1, 65535))
def serve(room: Path, keys: Path | None, host: str, port: int) -> int:
    """Serve the review site of a room; the first start prints a one-time link for the first person.

    \b
    Example:
      fairdeal check --store room.db evening.jsonl
      fairdeal serve room.db
    """
    from web.serve import serve_room

    serve_room(room, keys, host=host, port=port)
    return 0


COMMANDS = (verify, reaudit, serve)
