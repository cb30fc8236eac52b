"""Measures what `fairdeal see` says of cards as wholes: backs, and cards that it sees and does not read.

`python -m models.evaluate_backs [--real DIR] [--scenes N] [--frames N]`: composited scenes and rendered frames, their
decks held back, and the held-out third of the real photographs.
"""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2

from datasets.importers import LabelledBox, read_yolo
from datasets.real_split import is_held_out
from models.composited_cards import composited_cards
from models.rendered_objects import is_whole, rendered_objects
from models.score_objects import Tally
from vision.see import open_eyes
from vision.seen import UNREAD, Box, Eye, Image, Kind, Seen

_TABLES = ("act-blackjack", "act-baccarat", "act-holdem", "act-uth")


def photographs(folder: Path) -> Iterator[tuple[Image, list[Seen]]]:
    """Held-out photographs: the backs among the boxes of real/cards, the faces of real/card-ranks."""
    for photo in read_yolo(folder):
        if is_held_out(photo.position):
            wholes = [box for box in photo.boxes if folder.name == "card-ranks" or box.name == "back"]
            kinds: list[Kind] = ["back" if box.name == "back" else "card" for box in wholes]
            seen = [Seen(kind=kind, conf=1.0, box=_corners(box)) for kind, box in zip(kinds, wholes, strict=True)]
            yield photo.read(), seen


def measured(eye: Eye, pictures: Iterable[tuple[Image, list[Seen]]], *, faces_known: bool = True) -> str:
    """Backs found and false; cards said to be unread, and how many of those are none (where faces are labelled)."""
    backs, number, without, false_in, unread, phantoms = Tally(), 0, 0, 0, 0, 0
    for image, truths in pictures:
        seen = eye.look(image)
        number += 1
        mine = [("back", each.box) for each in seen if each.kind == "back"]
        there = [each for each in truths if each.kind == "back"]
        whole = [each for each in there if is_whole(each, image)]
        backs.add([("back", each.box) for each in whole], mine, [each.box for each in there if each not in whole])
        without, false_in = without + (not there), false_in + bool(mine and not there)
        claims = [each for each in seen if each.kind == "card" and each.label == UNREAD]
        unread += len(claims)
        phantoms += sum(not any(_is_on(each.box, card.box) for card in truths) for each in claims)
    told = f"backs {backs}; in {without} of {number} pictures without a back said in {false_in}; {unread} cards unread"
    return f"{told}, {phantoms} of them no card" if faces_known else told


def _is_on(box: Box, card: Box) -> bool:
    """Whether a box's middle lies in a card's: of a card that is not read, often only an index was seen."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return card[0] < x < card[2] and card[1] < y < card[3]


def _corners(box: LabelledBox) -> Box:
    half_w, half_h = box.width / 2, box.height / 2
    return box.x - half_w, box.y - half_h, box.x + half_w, box.y + half_h


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path)
    parser.add_argument("--scenes", type=int, default=150)
    parser.add_argument("--frames", type=int, default=16)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    eye = open_eyes()
    if asked.real:
        print(f"real/cards, held-out third: {measured(eye, photographs(asked.real / 'cards'), faces_known=False)}")
        print(f"real/card-ranks, held-out third: {measured(eye, photographs(asked.real / 'card-ranks'))}", flush=True)
    scenes = composited_cards(asked.scenes, asked.seed, "valid")
    print(f"composited, decks held back: {measured(eye, scenes)}", flush=True)
    width, height = (int(side) for side in asked.size.split("x"))
    frames = rendered_objects(asked.frames, asked.seed, (width, height), "valid", _TABLES, most_zoom=2.0)
    print(f"rendered {asked.size}, decks held back: {measured(eye, frames)}")


if __name__ == "__main__":
    main()
