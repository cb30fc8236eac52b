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

from auditor import report
from auditor.audit import Audit, audit
from auditor.findings import round_object
from auditor.house import describe_options
from auditor.inputs import opened
from auditor.log import FairdealError
from auditor.rulebooks import RULEBOOKS

BREACH_FOUND, BAD_INPUT = 1, 2
Auditing = Callable[[BinaryIO, str], AbstractContextManager[Audit]]

_room = click.argument("room", type=click.Path(path_type=Path), metavar="ROOM.db")
_keys = click.option(
    "--keys", type=click.Path(path_type=Path), metavar="FOLDER",
    help="Where the room's signing key lies (default: $FAIRDEAL_KEYS, else ~/.local/share/fairdeal/keys).",
)  # fmt: skip


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
@_keys
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
    from auditor.cli_room import keeper

    with keeper(room, keys) as kept:
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
@click.option("--game", required=True, type=click.Choice(list(RULEBOOKS)), help="The rulebook to play by.")
@click.option("--rounds", default=10, show_default=True, type=click.IntRange(1), help="How many rounds.")
@click.option("--seed", default=1, show_default=True, help="The same seed deals the same rounds.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder to write to.")
@click.option("--errors", default="", metavar="KIND=N,…", help="Mistakes to make, at most one a round.")
@click.option("--no-video", is_flag=True, help="The table log alone.")
def simulate(game: str, rounds: int, seed: int, out: Path, errors: str, no_video: bool) -> int:
    """Deal rounds at a simulated table, with seeded mistakes on request.

    \b
    Example:
      fairdeal simulate --no-video --game act-blackjack --rounds 50 --errors payout.short=2,draw.excess=1 --out night
      fairdeal check night/truth.jsonl
    """
    from datasets.simulate import parse_errors, simulate_log

    if not no_video:
        raise FairdealError("simulate: footage cannot be rendered yet; add --no-video for the table log alone")
    simulate_log(game, rounds=rounds, seed=seed, errors=parse_errors(errors), out=out)
    click.echo(f"{out}/truth.jsonl: {rounds} rounds of {game}; seeded mistakes in {out}/seeded.jsonl")
    return 0


@cli.command()
@_room
@_keys
def verify(room: Path, keys: Path | None) -> int:
    """Prove that nothing in a room was altered, added or removed (exit code 1: something was).

    \b
    Example:
      fairdeal verify room.db
    """
    from auditor.cli_room import print_verification

    return print_verification(room, keys)


@cli.command()
@_room
@_keys
def reaudit(room: Path, keys: Path | None) -> int:
    """Audit a room's stored events again and print what is judged otherwise (exit code 1: something is).

    \b
    Example:
      fairdeal reaudit room.db
    """
    from auditor.cli_room import print_reaudit

    return print_reaudit(room, keys)


@cli.command()
@_room
@_keys
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
