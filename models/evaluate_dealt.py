"""How surely cards are misread at a table: one deck after another is dealt before a camera, and read as footage is.

`python -m models.evaluate_dealt --out runs/dealt.json` deals the decks that confidence is tuned by, and says how many
names are wrong, how many of those count as sure, and what is left of that when what came lately at the table is asked
too (`vision/suit_balance.py`). Cards lie flat and alone, so that nothing but deck, lens and distance is measured.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from datasets import deck_art
from datasets.casino.cameras import Camera
from datasets.casino.decks import RANKS, SUITS, DeckStyle, card_art
from datasets.casino.labels import card_quad
from datasets.casino.lens import Lens, random_optics
from datasets.casino.looks import Look, random_look
from datasets.casino.things import Card, Pose
from models.dealt_tables import PLANS, SIZE, camera_over, draw_card, in_light, photographed, zones_of
from vision import weights
from vision.camera import View
from vision.card_reader import FILE
from vision.card_trust import Trust
from vision.cards import CardEye
from vision.indices import read_cards
from vision.plan import Plan, Zone, load_plan
from vision.reading import INDEX_MM, PATCH_MARGIN_MM, PATCH_ZOOM
from vision.seen import Image
from vision.suit_balance import kept_by_suit, remembered

INDEX_PX = (8.5, 12.5)  # how high indices are in the middle zone of a table: where a reader is put to the test
SURE = 0.9
_SAME_CARD_MM = 18.0
_JPEG_QUALITY = 72


class Dealt(msgspec.Struct, frozen=True):
    """A card that was dealt, and how it was read: its name and confidence, alone and beside what came lately."""

    card: str
    label: str
    conf: float
    beside_others: float


def dealt(eye: CardEye, style: DeckStyle, plan: Plan, cards: int, rng: np.random.Generator) -> Iterator[Dealt]:
    """So many cards of a deck at one table, in order; those that are not read in full are left out."""
    look, zones = random_look(rng, (style,)), zones_of(plan)
    camera, view = camera_over(plan, zones, INDEX_PX, rng)
    lens, lately = Lens(random_optics(rng), SIZE), list[str]()
    trust = Trust.of(weights.entry(FILE).settings)
    for shot in range(math.ceil(cards / len(zones))):
        lying = [_laid(zone, rng) for zone in zones]
        image = photographed(_picture(lying, style, look, camera), lens, shot, _JPEG_QUALITY)
        for card, zone in zip(lying, zones, strict=True):
            label, conf = _read(eye, trust, view, image, zone, (card.pose.x, card.pose.y))
            if "?" not in label:
                yield Dealt(card.card, label, conf, conf * kept_by_suit(label, lately))
                lately = remembered(lately, [label])


def _laid(zone: Zone, rng: np.random.Generator) -> Card:
    x, y = zone.from_middle(*rng.normal(0, 6, 2).tolist())
    name = str(rng.choice(list(RANKS))) + str(rng.choice(list(SUITS)))
    return Card(id=1, card=name, pose=Pose(x, y, 0.0, zone.yaw + float(rng.normal(0, 3))))


def _picture(cards: Sequence[Card], style: DeckStyle, look: Look, camera: Camera) -> Image:
    """Cards on felt, in the table's light; without shadows, prints or hands."""
    picture = np.full((SIZE[1], SIZE[0], 3), look.felt, np.float32)
    for card in cards:
        draw_card(picture, card_art(style, card.card), card_quad(card, look, camera))
    return in_light(picture, look)


def _read(
    eye: CardEye, trust: Trust, view: View, image: Image, zone: Zone, at: tuple[float, float]
) -> tuple[str, float]:
    """The name of the card whose middle is there, as footage has it."""
    px_per_mm = max(1.0, PATCH_ZOOM * view.px_per_mm(*zone.at, in_best_direction=True))
    patch = view.cut_out(image, zone, px_per_mm, PATCH_MARGIN_MM)
    readings = eye.read(patch.image, index_px=INDEX_MM * px_per_mm)
    middle = np.array(zone.to_middle(*at)) + np.array(zone.size) / 2 + PATCH_MARGIN_MM
    for card in read_cards(readings, px_per_mm, trust, partial(eye.witnessed, patch.image)):
        if math.dist(card.middle, middle) < _SAME_CARD_MM:
            return card.label, card.conf
    return "??", 0.0


def table_of(name: str, cards: Sequence[Dealt]) -> str:
    """A line about the readings of a deck."""
    wrong = [each for each in cards if each.label != each.card]
    right = [each for each in cards if each.label == each.card]
    sure = [sum(each.conf >= SURE for each in some) for some in (wrong, right)]
    beside = [sum(each.beside_others >= SURE for each in some) for some in (wrong, right)]
    return (
        f"{name:28} {len(cards):4} read, {len(wrong):3} wrong; sure: {sure[0]:2} wrong, {sure[1]:4} right; "
        f"beside what came lately: {beside[0]:2} wrong, {beside[1]:4} right"
    )


def main() -> None:
    """Deal every deck at some tables, and print what was made of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=3, help="for each deck")
    parser.add_argument("--cards", type=int, default=48, help="at each table")
    parser.add_argument("--out", type=Path, help="where every reading is kept")
    args = parser.parse_args()
    eye, every = CardEye(), dict[str, list[Dealt]]()
    for number, name in enumerate(deck_art.TUNING):
        style = DeckStyle(name=name, installed=name)
        for table in range(args.tables):
            rng, plan = np.random.default_rng((number, table)), load_plan(PLANS[(number + table) % len(PLANS)])
            every.setdefault(name, []).extend(dealt(eye, style, plan, args.cards, rng))
        print(table_of(name, every[name]), flush=True)
        if args.out is not None:
            args.out.write_bytes(msgspec.json.encode(every))
    print(table_of("together", [each for cards in every.values() for each in cards]))


if __name__ == "__main__":
    main()
