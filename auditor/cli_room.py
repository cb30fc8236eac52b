"""The commands that work on a room: what they print, and their exit codes. The store is loaded only when asked for."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click
import msgspec

from auditor.audit import Audit
from auditor.log import FairdealError

if TYPE_CHECKING:
    from auditor.provenance import Origin

ROOM = click.argument("room", type=click.Path(path_type=Path), metavar="ROOM.db")
KEYS = click.option(
    "--keys", type=click.Path(path_type=Path), metavar="FOLDER",
    help="Where the room's signing key lies (default: $FAIRDEAL_KEYS, else ~/.local/share/fairdeal/keys).",
)  # fmt: skip
TEXTS = click.option(
    "--texts", type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder with the official texts, RULEBOOK.txt each.",
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


def must_take(room: Path, keys: Path | None) -> None:
    """Complain now of a room that could not keep anything, rather than after long work. None is made."""
    from auditor.chain import Keys
    from auditor.store import Store

    if room.exists():
        with Store.open(room, Keys(keys)):
            pass
    elif not os.access(room.parent, os.W_OK):
        raise FairdealError(f"{room}: cannot be made in {room.parent}")


def keep_origin(room: Path, keys: Path | None, log: Path, origin: "Origin") -> None:
    """Write down where a log that `check --store` kept came from: its footage, and what read it."""
    from auditor.chain import Keys
    from auditor.provenance import sha256_of
    from auditor.store import Store

    with Store.open(room, Keys(keys)) as store:
        store.add_origin(sha256_of(log), origin)


@contextlib.contextmanager
def _working(what: str) -> Iterator[None]:
    """Show on a terminal that something is going on: a large room takes a while."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def _print_verification(room: Path, keys: Path | None, *, with_footage: bool) -> int:
    """Whether the room is whole: the faults, or how much was proved."""
    from auditor.chain import Keys
    from auditor.retention import footage_faults
    from auditor.store import Store

    with Store.open_to_read(room, Keys(keys)) as store, _working("walking the chains"):
        faults = [*store.verify(), *(footage_faults(store) if with_footage else [])]
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


def _print_pack(path: Path, key: str) -> int:
    """Whether a pack is whole and right: the faults, or what it proves and who says so."""
    from auditor.pack import NotAPackError, fingerprint, read_pack
    from auditor.pack_proof import pack_faults

    try:
        pack = read_pack(path.read_bytes())
        faults = pack_faults(pack)
    except NotAPackError as error:
        click.echo(f"{path}: {error}")
        return ALTERED
    mark = fingerprint(pack.key)
    if key and key.replace(" ", "").lower() not in (pack.key, mark.replace(" ", "")):
        faults.append(f"it is signed with another key than {key}: with {mark}")
    for fault in faults:
        click.echo(f"{path}: {fault}")
    if faults:
        return ALTERED
    told = msgspec.json.decode(pack.files["finding.json"])["finding"]
    about = f"run {pack.manifest.run}, finding {pack.manifest.finding}"
    click.echo(f"{path}: intact: {about}, exported by {pack.manifest.exported_by} at {pack.manifest.exported_at}")
    click.echo(f"  judged again from its events: {told['verdict']} {told['kind']}: {told['message']}")
    click.echo(f"  signed with the key {mark}" + ("" if key else ": compare it with the one the casino gave you"))
    return 0


@click.command()
@click.argument("path", type=click.Path(path_type=Path), metavar="ROOM.db|PACK.zip")
@KEYS
@click.option("--key", default="", metavar="FINGERPRINT", help="For a pack: the key that must have signed it.")
@click.option("--footage", is_flag=True, help="For a room: also read all its footage, and compare.")
def verify(path: Path, keys: Path | None, key: str, footage: bool) -> int:
    """Prove that nothing in a room or a pack was altered.

    Exit code 1: something was.

    A pack is checked anywhere, without its room: its round is judged again from the events it holds.

    \b
    Example:
      fairdeal verify room.db
      fairdeal verify T-1-run3-finding2.zip --key "6668 7aad f862 bd77"
    """
    from auditor.pack import is_pack

    if path.is_file() and is_pack(path):
        return _print_pack(path, key)
    return _print_verification(path, keys, with_footage=footage)


@click.command()
@ROOM
@click.argument("findings", nargs=-1, required=True, metavar="RUN/NUMBER...")
@KEYS
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="The folder to write to.")
@TEXTS
@click.option("--as", "who", default="", metavar="NAME", help="Who takes the packs (default: this user).")
def export(room: Path, findings: tuple[str, ...], keys: Path | None, out: Path, texts: Path | None, who: str) -> int:
    """Make evidence packs of findings.

    Clip, stills, events, clause, report and proof, sealed; who made them is written down.

    \b
    Example:
      fairdeal export room.db 3/2 3/4 --out packs
      fairdeal verify packs/T-1-run3-finding2.zip
    """
    import getpass

    from auditor.chain import Keys
    from auditor.exports import export as made, finding_named
    from auditor.store import Store

    named = [finding_named(each) for each in findings]
    with Store.open(room, Keys(keys)) as store:
        for run, n in named:
            if not store.rows("SELECT 1 FROM findings WHERE run = ? AND n = ?", [run, n]):
                raise FairdealError(f"{room}: there is no such finding: {run}/{n}")
        out.mkdir(parents=True, exist_ok=True)
        for run, n in named:
            pack = made(store, run, n, who=who or f"{getpass.getuser()} on the command line", texts=texts)
            (out / pack.name).write_bytes(pack.content)
            click.echo(f"{out / pack.name}: run {run}, finding {n}")
            for without in pack.without:
                click.echo(f"fairdeal: {out / pack.name}: left out: {without}", err=True)
    return 0


@click.command()
@ROOM
@KEYS
def reaudit(room: Path, keys: Path | None) -> int:
    """Audit a room's stored events again.

    Prints what is judged otherwise; exit code 1: something is.

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
@click.option("--zone", metavar="NAME", help="The casino's zone, as Australia/Sydney (default: this machine's).")
@TEXTS
def serve(room: Path, keys: Path | None, host: str, port: int, zone: str | None, texts: Path | None) -> int:
    """Serve the review site of a room.

    The first start prints a one-time link for the first person.

    \b
    Example:
      fairdeal check --store room.db evening.jsonl
      fairdeal serve room.db
    """
    from web.serve import serve_room

    serve_room(room, keys, host=host, port=port, zone=zone, texts=texts)
    return 0


@click.command()
@ROOM
@KEYS
@click.option("--routine-days", required=True, type=click.FloatRange(0), help="How long routine footage is kept.")
@click.option("--remove", "is_meant", is_flag=True, help="Remove it; without this, only say what would go.")
def retention(room: Path, keys: Path | None, routine_days: float, is_meant: bool) -> int:
    """Remove footage whose routine days are over.

    What belongs to an open or confirmed finding stays until released.

    \b
    Example:
      fairdeal retention room.db --routine-days 30
      fairdeal retention room.db --routine-days 30 --remove
    """
    from auditor.chain import Keys
    from auditor.retention import old_footage, remove
    from auditor.store import Store

    with Store.open(room, Keys(keys)) as store:
        for old in old_footage(store, routine_days):
            if is_meant and not old.held_by:
                remove(store, old, who="fairdeal", why=f"older than {routine_days:g} routine days")
            told = f"held back by finding {old.held_by}" if old.held_by else "removed" if is_meant else "would go"
            click.echo(f"{old.path}: run {old.run}, camera {old.camera}: {told}")
    return 0


COMMANDS = (verify, reaudit, serve, export, retention)
