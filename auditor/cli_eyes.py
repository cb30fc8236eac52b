"""The commands of the eyes: what the detectors read, own decks, training, training pictures."""

from pathlib import Path
from typing import cast

import click

from auditor.log import FairdealError

_BAD_INPUT = 2


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per picture.")
@click.option(
    "--every", "every_s", default=1.0, show_default=True, type=click.FloatRange(0), help="Seconds between frames."
)
@click.option(
    "--table", type=click.Path(path_type=Path), metavar="T.toml", help="The table file: chips get their values."
)
@click.option("--deck", type=click.Path(path_type=Path), metavar="FILE", help="A deck learnt with «deck learn».")
@click.option("--draw", type=click.Path(path_type=Path), metavar="OUT",
              help="Annotated copies: a folder, or for one picture a file.")
def see(sources: tuple[str, ...], as_json: bool, every_s: float, table: Path | None, deck: Path | None,
        draw: Path | None) -> int:  # fmt: skip
    """Say what the detectors read in pictures and videos.

    \b
    Example:
      fairdeal see hand.jpg
      fairdeal see --json --every 2 evening.mp4 > seen.jsonl
      fairdeal see hand.jpg --draw hand-seen.png
    """
    from vision import see as seeing
    from vision.seen import to_json

    alone = len(sources) == 1 and seeing.is_picture(sources[0])
    if draw is not None and seeing.is_picture(draw) and not alone and not draw.is_dir():
        raise FairdealError(f"--draw {draw}: is the name of one picture, and there will be several: name a folder")
    eye = seeing.open_eyes(deck=deck, table=table)
    code = 0
    for source in sources:
        try:
            for sight, image in seeing.see(source, eye, every_s=every_s):
                click.echo(to_json(sight) if as_json else seeing.sentence(sight))
                if draw is not None:
                    seeing.write_drawn(sight, image, draw, alone=alone)
        except FairdealError as error:
            click.echo(f"fairdeal: {error}", err=True)
            code = _BAD_INPUT
    return code


@click.group()
def deck() -> None:
    """Teach the card eye a casino's own deck, without training."""


@deck.command("learn")
@click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PHOTO...")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file to keep the deck in.")
def deck_learn(photos: tuple[Path, ...], out: Path) -> int:
    """Learn how a deck's indices look, from photographs named after the card they show (As.jpg, 10h-2.png).

    \b
    Example:
      fairdeal deck learn our-deck/*.jpg --out our.deck
      fairdeal see --deck our.deck hand.jpg
    """
    from vision import card_decks
    from vision.card_lessons import examples

    known = examples(photos)
    card_decks.save(card_decks.learn(known), out)
    click.echo(f"{out}: {len({label for label, _ in known})} cards from {len(known)} indices")
    return 0


@click.command()
@click.option("--what", default="cards", show_default=True, metavar="KIND", help="cards, chips, tiles, dice, ball, …")
@click.option("--n", "count", default=1000, show_default=True, type=click.IntRange(1), help="How many pictures.")
@click.option("--seed", default=1, show_default=True, help="The same seed makes the same pictures.")
@click.option(
    "--how", default="both", show_default=True, type=click.Choice(["rendered", "drawn", "both"]),
    help="Rendered before a camera (needs the simulate extra), drawn flat, or half and half.",
)
@click.option("--valid", "share", default=0.1, show_default=True, type=click.FloatRange(0, 0.9),
              help="The share of them that is for validation, of other decks.")
@click.option("--crops", is_flag=True, help="Also cut out every box, into a folder per name.")
@click.option("--from", "form", metavar="FORM", help="Import instead of making: yolo, coco or voc.")
@click.option("--folder", type=click.Path(path_type=Path), help="What to import.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder to write to.")
def dataset(
    what: str, count: int, seed: int, how: str, share: float, crops: bool, form: str | None, folder: Path | None,
    out: Path,
) -> int:  # fmt: skip
    """Make labelled training pictures, or import them.

    Writes images, labels and data.yaml in YOLO's form.

    \b
    Example:
      fairdeal dataset --what cards --n 500 --out cards
      fairdeal dataset --what chips --n 200 --how rendered --crops --out chips
      fairdeal dataset --from coco --folder downloaded --out cards
    """
    from datasets import dataset as making

    writer = making.YoloWriter(out, with_crops=crops)
    if form is not None:
        if folder is None:
            raise FairdealError("dataset: --from needs --folder")
        made = writer.write(making.imported(form, folder))
    else:
        valid, chosen = round(count * share), cast(making.How, how)
        made = writer.write(making.make(what, count - valid, seed, "train", chosen))
        made += writer.write(making.make(what, valid, seed, "valid", chosen), "valid") if valid else 0
    writer.close()
    click.echo(f"{out}: {made} pictures")
    return 0


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("net", type=click.Choice(["finder", "reader"]))
@click.option("--minutes", default=30.0, show_default=True, help="Processor minutes.")
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint in --out.")
@click.option("--real", type=click.Path(path_type=Path), help="A folder of real photographs to train on as well.")
@click.option("--frames", type=click.Path(path_type=Path), help="How their indices lie: what models.real_frames wrote.")
@click.option(
    "--out", default=Path("runs"), show_default=True, type=click.Path(path_type=Path), help="Checkpoints, logs, ONNX."
)
def train(net: str, minutes: float, resume: bool, real: Path | None, frames: Path | None, out: Path) -> int:
    """Train one of the card eye's networks.

    Needs the extra: pip install 'fairdeal[train]'.

    \b
    Example:
      fairdeal train finder --minutes 40
      fairdeal train finder --resume --minutes 20
    """
    try:
        from models import train_cards
    except ImportError as error:
        raise FairdealError(f"train: {error.name} is not installed; pip install 'fairdeal[train]'") from error
    given = [net, "--minutes", str(minutes), "--out", str(out), *(["--resume"] if resume else [])]
    given += [*(["--real", str(real)] if real else []), *(["--frames", str(frames)] if frames else [])]
    train_cards.main(given)
    return 0


COMMANDS: tuple[click.Command, ...] = (see, deck, train, dataset)
