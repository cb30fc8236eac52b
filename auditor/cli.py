"""The command line. Exit codes: 0 nothing wrong, 1 a breach was found, 2 bad input, told in one line."""

import os
import sys
from pathlib import Path

import click
from click.exceptions import NoArgsIsHelpError

from auditor import cli_casino, cli_check, cli_chips, cli_eyes, cli_footage, cli_room, cli_spin, cli_watch
from auditor.audit import audit
from auditor.cli_check import BAD_INPUT, complain, print_report
from auditor.house import describe_options
from auditor.log import FairdealError
from auditor.rulebooks import RULEBOOKS


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="fairdeal")
def cli() -> None:
    """Audit casino rounds against the official rulebooks."""


@cli.command(epilog=f"Rulebooks: {', '.join(RULEBOOKS)}")
@click.argument("rulebook", type=click.Choice(list(RULEBOOKS)), metavar="RULEBOOK")
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
    """Audit the shipped table logs and serve the review site.

    Prints what is wrong in a short evening at every game; the site is served on a terminal only.

    \b
    Example:
      fairdeal demo
    """
    from datasets.demo import demo_logs, furnish

    for path in demo_logs():
        with path.open("rb") as stream:
            audited = audit(stream, path.name)
            print_report(audited, path.name)
        click.echo()
    if sys.stdout.isatty():
        from web.serve import serve_demo

        serve_demo(furnish)
    else:
        complain("the review site is served on a terminal only: run `fairdeal demo` there")
    return 0


for _module in (cli_check, cli_footage, cli_eyes, cli_chips, cli_spin, cli_casino, cli_room, cli_watch):
    for _command in _module.COMMANDS:
        cli.add_command(_command)


def main() -> None:
    """Run the command line; every fault of the input is one line and exit code 2."""
    try:
        code = cli.main(standalone_mode=False)
        sys.stdout.flush()
    except FairdealError as error:
        complain(error)
        code = BAD_INPUT
    except NoArgsIsHelpError as error:  # a group named without a command: its help is the answer, line by line
        click.echo(error.format_message(), err=True)
        code = BAD_INPUT
    except click.UsageError as error:
        where = f" (see: {error.ctx.command_path} --help)" if error.ctx else ""
        complain(" ".join(f"{error.format_message()}{where}".split()))  # choices come one to a line
        code = BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:
        # The reader went away: nothing is left to say, and the interpreter must not try again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:  # a folder that cannot be made, a file that cannot be written, a disk that is full
        complain(f"{error.filename}: {error.strerror}" if error.filename else error.strerror or error)
        code = BAD_INPUT
    sys.exit(code)


if __name__ == "__main__":
    main()
