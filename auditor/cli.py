"""The command line. Exit codes: 0 nothing wrong, 1 a breach was found, 2 bad input, told in one line."""

import contextlib
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

import click
import msgspec

from auditor import cli_casino, cli_chips, cli_eyes, cli_footage, cli_room, cli_spin, report
from auditor.audit import Audit, audit
from auditor.findings import round_object
from auditor.house import describe_options
from auditor.inputs import opened
from auditor.log import FairdealError
from auditor.rulebooks import RULEBOOKS

BREACH_FOUND, BAD_INPUT = 1, 2
Auditing = Callable[[BinaryIO, str], AbstractContextManager[Audit]]

@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="fairdeal")
def cli() -> None:
    """Audit casino rounds against the official rulebooks."""


def _complain(problem: object) -> None:
    click.echo(f"fairdeal: {problem}", err=True)


@cli.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per round.")
@click.option("--store", "room", type=click.Path(path_type=Path), metavar="ROOM.db", help="Keep what was audited.")
@cli_room.KEYS
def check(logs: tuple[str, ...], as_json: bool, room: Path | None, keys: Path | None) -> int:
    """Audit table logs («-» reads standard input).

    \b
    Example:
      fairdeal check evening.jsonl
      fairdeal check --json tables/*.jsonl > rounds.jsonl
      fairdeal check --store room.db evening.jsonl
    """
    if room is None:
        return _check(logs, as_json, lambda stream, path: contextlib.nullcontext(audit(stream, path)))
    with cli_room.keeper(room, keys) as kept:
        return _check(logs, as_json, kept)


def _check(logs: tuple[str, ...], as_json: bool, audited_by: Auditing) -> int:
    code = 0
    for path in logs:
        try:
            with opened(path) as stream, audited_by(stream, path) as audited:
                named = path if len(logs) > 1 else None
                found = _print_json(audited, named) if as_json else _print_report(audited, path)
        except FairdealError as error:
            _complain(error)
            code = BAD_INPUT
        except BrokenPipeError:
            raise
        except OSError as error:
            _complain(f"{path}: {error.strerror or error}")
            code = BAD_INPUT
        else:
            code = max(code, BREACH_FOUND if found else 0)
    return code


def _print_json(audited: Audit, path: str | None) -> bool:
    found = False
    encode = msgspec.json.Encoder().encode
    out = sys.stdout.buffer
    for each in audited.rounds:
        answer = round_object(each, audited.game.citation)
        out.write(encode(answer if path is None else {"log": path} | answer) + b"\n")
        out.flush()
        found = found or each.breached
    return found


def _print_report(audited: Audit, path: str) -> bool:
    totals = report.Totals()
    for line in report.report(audited.header, audited.game.citation, path, audited.rounds, totals):
        click.echo(line)
    return totals.breaches > 0


@cli.command()
@click.argument("rulebook", type=click.Choice(list(RULEBOOKS)))
@click.option("--text", type=click.Path(path_type=Path), help="Your copy of the official text, to be shown beside.")
@click.option("--markdown", is_flag=True, help="As the page in docs/rulebooks.")
def rules(rulebook: str, text: Path | None, markdown: bool) -> int:
    """Show every clause of a rulebook and what holds the table to it.

    \b
    Example:
      fairdeal rules act-blackjack
      fairdeal rules act-blackjack --text NI2002-45.txt
    """
    from auditor import coverage, official_text

    clauses = coverage.load(rulebook)
    options = describe_options(RULEBOOKS[rulebook].house_type)
    if markdown:
        click.echo(coverage.render_markdown(clauses, options=options), nl=False)
    else:
        official = None if text is None else official_text.read_official(text, clauses)
        click.echo(coverage.render_text(clauses, official=official, options=options))
    return 0


@cli.command()
def demo() -> int:
    """Audit the shipped table logs of every game, print what is wrong, and serve the review site on a terminal.

    \b
    Example:
      fairdeal demo
    """
    from datasets.demo import demo_logs

    for path in demo_logs():
        with path.open("rb") as stream:
            audited = audit(stream, path.name)
            _print_report(audited, path.name)
        click.echo()
    if sys.stdout.isatty():
        from web.serve import serve_demo

        serve_demo(demo_logs())
    return 0


for _module in (cli_footage, cli_eyes, cli_chips, cli_spin, cli_casino, cli_room):
    for _command in _module.COMMANDS:
        cli.add_command(_command)


def main() -> None:
    """Run the command line; every fault of the input is one line and exit code 2."""
    try:
        code = cli.main(standalone_mode=False)
        sys.stdout.flush()
    except FairdealError as error:
        _complain(error)
        code = BAD_INPUT
    except click.UsageError as error:
        where = f" (see: {error.ctx.command_path} --help)" if error.ctx else ""
        _complain(f"{error.format_message()}{where}")
        code = BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:
        # The reader went away: nothing is left to say, and the interpreter must not try again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)
