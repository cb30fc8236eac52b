"""The commands that teach a table its chips."""

from pathlib import Path

import click


@click.group()
def chips() -> None:
    """Teach the eye a house's own chips, without training."""


@chips.command("learn")
@click.argument("photo", type=click.Path(path_type=Path))
@click.option("--colour", required=True, help="The name that the table file gives this chip.")
@click.option("--value", type=click.FloatRange(0, min_open=True), help="What it is worth.")
@click.option(
    "--out",
    default=Path("chips.toml"),
    show_default=True,
    type=click.Path(path_type=Path),
    help="Where known chips are kept.",
)
def chips_learn(photo: Path, colour: str, value: float | None, out: Path) -> int:
    """Learn one chip from a photograph of a stack of it (a single chip will do).

    \b
    Example:
      fairdeal chips learn coral-stack.jpg --colour coral --value 2.5
    """
    from vision.chip_learning import learn_chip

    chip = learn_chip(photo, colour, value, out)
    lightness, a, b = chip.lab
    click.echo(f"{out}: {colour} is L {lightness:.0f}, a {a:.0f}, b {b:.0f}" + (f", worth {value:g}" if value else ""))
    return 0


COMMANDS: tuple[click.Command, ...] = (chips,)
