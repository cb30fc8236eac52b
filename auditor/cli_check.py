"""`check`: the audit of table logs, and how rounds and faults are printed."""

import contextlib
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

import click
import msgspec

from auditor import report
from auditor.audit import Audit, audit
from auditor.cli_room import KEYS, keeper
from auditor.findings import round_object
from auditor.inputs import opened
from auditor.log import FairdealError

BREACH_FOUND, BAD_INPUT = 1, 2
Auditing = Callable[[BinaryIO, str], AbstractContextManager[Audit]]


def complain(problem: object) -> None:
    """One line about what was wrong with the input."""
    click.echo(f"fairdeal: {problem}", err=True)


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per round.")
@click.option("--store", "room", type=click.Path(path_type=Path), metavar="ROOM.db", help="Keep what was audited.")
@KEYS
def check(logs: tuple[str, ...], as_json: bool, room: Path | None, keys: Path | None) -> int:
    """Audit table logs («-» reads standard input).

    \b
    Example:
      fairdeal check evening.jsonl
      fairdeal check --json tables/*.jsonl > rounds.jsonl
      fairdeal check --store room.db evening.jsonl
    """
    return check_logs({path: path for path in logs}, as_json, room, keys)


def check_logs(named: Mapping[str, str], as_json: bool, room: Path | None, keys: Path | None) -> int:
    """Audit logs, each under the name it is to be known by, and print what is found; the exit code."""
    if room is None:
        return _check(named, as_json, lambda stream, name: contextlib.nullcontext(audit(stream, name)))
    with keeper(room, keys) as kept:
        return _check(named, as_json, kept)


def _check(named: Mapping[str, str], as_json: bool, audited_by: Auditing) -> int:
    code = 0
    for path, name in named.items():
        try:
            with opened(path) as stream, audited_by(stream, name) as audited:
                told = name if len(named) > 1 else None
                found = print_json(audited, told) if as_json else print_report(audited, name)
        except FairdealError as error:
            complain(error)
            code = BAD_INPUT
        except BrokenPipeError:
            raise
        except OSError as error:
            complain(f"{path}: {error.strerror or error}")
            code = BAD_INPUT
        else:
            code = max(code, BREACH_FOUND if found else 0)
    return code


def print_json(audited: Audit, path: str | None) -> bool:
    """One JSON object per round; whether a breach was found."""
    found = False
    encode = msgspec.json.Encoder().encode
    out = sys.stdout.buffer
    for each in audited.rounds:
        answer = round_object(each, audited.game.citation)
        out.write(encode(answer if path is None else {"log": path} | answer) + b"\n")
        out.flush()
        found = found or each.breached
    return found


def print_report(audited: Audit, path: str) -> bool:
    """The readable report; whether a breach was found."""
    totals = report.Totals()
    for line in report.report(audited.header, audited.game.citation, path, audited.rounds, totals):
        click.echo(line)
    return totals.breaches > 0


COMMANDS = (check,)
