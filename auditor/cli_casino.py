"""The commands of the simulated casino: rounds dealt at a table that never was, as a table log or as footage."""

import re
from pathlib import Path

import click

from auditor.log import FairdealError
from auditor.rulebooks import RULEBOOKS

CAMERAS = ("dome45", "dome60", "overhead", "random")


@click.command()
@click.option("--game", required=True, type=click.Choice(list(RULEBOOKS)), help="The rulebook to play by.")
@click.option("--rounds", default=10, show_default=True, type=click.IntRange(1), help="How many rounds.")
@click.option("--seed", default=1, show_default=True, help="The same seed deals the same rounds.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder to write to.")
@click.option("--errors", default="", metavar="KIND=N,…", help="Mistakes to make, at most one a round.")
@click.option("--size", default="1280x720", show_default=True, metavar="WxH", help="The picture, in pixels.")
@click.option("--fps", default=25.0, show_default=True, type=click.FloatRange(1, 120), help="Frames per second.")
@click.option("--camera", default="dome60", show_default=True, type=click.Choice(CAMERAS), help="Where it hangs.")
@click.option("--decks", default="house", show_default=True, metavar="NAME", help="The deck that is dealt.")
@click.option("--pace", default="real", show_default=True, type=click.Choice(["real", "fast"]), help="How quickly.")
@click.option("--faults", default="", metavar="KIND,…", help="What goes wrong with the camera (blur, dark, head, …).")
@click.option("--no-video", is_flag=True, help="The table log alone.")
def simulate(
    game: str, rounds: int, seed: int, out: Path, errors: str, size: str, fps: float, camera: str, decks: str,
    pace: str, faults: str, no_video: bool,
) -> int:  # fmt: skip
    """Deal rounds at a simulated table and film them.

    Mistakes are seeded on request.

    \b
    Example:
      fairdeal simulate --game act-blackjack --rounds 5 --errors payout.short=1 --out night
      fairdeal simulate --no-video --game act-blackjack --rounds 50 --errors payout.short=2,draw.excess=1 --out night
      fairdeal check night/truth.jsonl
    """
    from datasets.simulate import parse_errors, simulate_log

    mistakes = parse_errors(errors)
    if no_video:
        simulate_log(game, rounds=rounds, seed=seed, errors=mistakes, out=out)
        click.echo(f"{out}/truth.jsonl: {rounds} rounds of {game}; seeded mistakes in {out}/seeded.jsonl")
        return 0
    pixels = _size(size)
    try:
        from datasets.casino.faults import parse_faults
        from datasets.casino.footage import Shoot, simulate_footage
    except ImportError as error:
        raise FairdealError(
            f"simulate: footage needs the simulate extra ({error.name} is missing): pip install 'fairdeal[simulate]'"
        ) from None
    shoot = Shoot(size=pixels, fps=fps, camera=camera, decks=decks, pace=pace, faults=parse_faults(faults))
    with _Bar() as bar:
        take = simulate_footage(
            game, rounds=rounds, seed=seed, errors=mistakes, out=out, shoot=shoot, progress=bar.advance
        )
    click.echo(f"{out}/footage.mp4: {take.duration_s:.0f} s, {rounds} rounds of {game}; truth in {out}/truth.jsonl")
    return 0


def _size(text: str) -> tuple[int, int]:
    """`1280x720` in pixels; H.264 wants even numbers."""
    given = re.fullmatch(r"(\d+)x(\d+)", text)
    width, height = (int(given[1]), int(given[2])) if given else (0, 0)
    if not (64 <= width <= 7680 and 64 <= height <= 4320) or width % 2 or height % 2:
        raise FairdealError(f"--size: {text!r} is not WIDTHxHEIGHT in even pixels, such as 1280x720")
    return width, height


class _Bar:
    """A progress bar on a terminal, nothing elsewhere."""

    def __enter__(self) -> "_Bar":
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total} frames"),
            TimeRemainingColumn(), console=console, transient=True, disable=not console.is_terminal,
        )  # fmt: skip
        self._progress.start()
        self._task = self._progress.add_task("filming", total=None)
        return self

    def advance(self, done: int, of: int) -> None:
        """So many frames are done."""
        self._progress.update(self._task, completed=done, total=of)

    def __exit__(self, *failure: object) -> None:
        self._progress.stop()


COMMANDS = (simulate,)
