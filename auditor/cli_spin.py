"""The command that says what happened on a wheel."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vision.wheel.planes import Planes
    from vision.wheel.told import Spin

VOID_SPIN = 1


@click.command()
@click.argument("video", metavar="VIDEO")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per spin.")
@click.option("--table", type=click.Path(path_type=Path), help="The table file the camera belongs to.")
def spin(video: str, as_json: bool, table: Path | None) -> int:
    """Say what happened on a roulette wheel.

    Directions, laps, the pocket, and whether the spin counts.

    \b
    Example:
      fairdeal spin wheel.mp4
      fairdeal spin --json wheel.mp4 > spins.jsonl
    """
    import msgspec

    from vision.wheel.planes import read_planes
    from vision.wheel.spin import Watch

    if table is not None:
        from vision.table_file import load_table

        load_table(table)  # the wheel is found in the picture; a table file that is given must still be a good one
    watch, void, seen = Watch(), False, 0
    for told in watch.spins(_with_bar(read_planes(video), video)):
        seen += 1
        void = void or told.valid is False
        answer = {"source": video} | msgspec.to_builtins(told)
        click.echo(msgspec.json.encode(answer).decode() if as_json else _sentence(told))
    if not seen:
        click.echo(f"fairdeal: {video}: {watch.why_nothing}", err=True)
    return VOID_SPIN if void else 0


def _with_bar(pictures: Iterator["Planes"], video: str) -> Iterator["Planes"]:
    """The pictures, with a bar on a terminal that shows how far the footage is looked through."""
    if not sys.stderr.isatty():
        yield from pictures
        return
    from rich.console import Console
    from rich.progress import Progress

    from vision.frames import Footage

    with Footage(video) as footage:
        total_s = footage.duration_s
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(video, total=total_s)
        for picture in pictures:
            bar.update(task, completed=picture.t)
            yield picture


def _sentence(told: "Spin") -> str:
    """One spin in words."""
    ball, wheel = told.ball, told.wheel
    laps = f"{ball.laps:.1f} laps" if ball.laps is not None else f"at least {ball.laps_seen:.1f} laps"
    pocket = f"{ball.pocket}" if ball.pocket is not None else f"a pocket that cannot be named{_why_unnamed(told)}"
    came_to = {
        "rest": f"at rest in {pocket}", "stuck": "stuck outside the pockets", "out": "out of the wheel",
        "lifted": "lifted before it came to rest", "unseen": "not seen to come to rest",
    }[ball.end]  # fmt: skip
    verdict = {True: "valid", False: f"not valid (rule {told.rule})", None: "cannot be decided"}[told.valid]
    turning = f"wheel {wheel.dir or 'not turning'}" + (f" at {wheel.rpm:.1f} rpm" if wheel.rpm is not None else "")
    return (
        f"{told.opened:.1f}–{told.closed:.1f} s: {turning}, ball {ball.dir or 'not seen to run'}, {laps}, {came_to}; "
        f"{verdict}; confidence {told.conf:.2f}"
    )


def _why_unnamed(told: "Spin") -> str:
    layout = told.wheel.layout
    return "" if layout in (None, "single-zero") else f" (its order fits a {layout} wheel)"


COMMANDS = (spin,)
