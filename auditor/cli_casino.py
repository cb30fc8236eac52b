"""The commands of the simulated casino: rounds dealt at a table that never was."""

from pathlib import Path

import click

from auditor.log import FairdealError
from auditor.rulebooks import RULEBOOKS


@click.command()
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


COMMANDS = (simulate,)
