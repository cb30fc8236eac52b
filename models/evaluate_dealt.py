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

import cv2
import msgspec
import numpy as np

from datasets import deck_art
from datasets.casino.cameras import Camera, random_camera
from datasets.casino.decks import ART_PX, RANKS, SUITS, DeckStyle, card_art
from datasets.casino.labels import Points, card_quad
from datasets.casino.lens import Lens, random_optics
from datasets.casino.looks import Look, random_look
from datasets.casino.things import Card, Pose
from vision import weights
from vision.camera import CalibrationPoint, View
from vision.card_reader import FILE
from vision.card_trust import Trust
from vision.cards import CardEye
from vision.indices import read_cards
from vision.plan import Plan, Zone, load_plan
from vision.reading import INDEX_MM, PATCH_MARGIN_MM, PATCH_ZOOM
from vision.seen import Image
from vision.suit_balance import kept_by_suit, remembered

PLANS = ("act-blackjack", "act-uth", "act-holdem")
SIZE = (1920, 1080)
INDEX_PX = (8.5, 12.5)  # how high indices are in the middle zone of a table: where a reader is put to the test
SURE = 0.9
_FINER = 3  # cards are drawn so much larger, then shrunk
_SAME_CARD_MM = 18.0
_JPEG = (cv2.IMWRITE_JPEG_QUALITY, 72)


class Dealt(msgspec.Struct, frozen=True):
    """A card that was dealt, and how it was read: its name and confidence, alone and beside what came lately."""

    card: str
    label: str
    conf: float
    beside_others: float


def dealt(eye: CardEye, style: DeckStyle, plan: Plan, cards: int, rng: np.random.Generator) -> Iterator[Dealt]:
    """So many cards of a deck at one table, in order; those that are not read in full are left out."""
    look, zones = random_look(rng, (style,)), _zones(plan)
    camera = _camera(plan, zones, rng)
    view, lens, lately = _view(plan, camera), Lens(random_optics(rng), SIZE), list[str]()
    trust = Trust.of(weights.entry(FILE).settings)
    for shot in range(math.ceil(cards / len(zones))):
        lying = [_laid(zone, rng) for zone in zones]
        image = _photographed(_picture(lying, style, look, camera), lens, shot)
        for card, zone in zip(lying, zones, strict=True):
            label, conf = _read(eye, trust, view, image, zone, (card.pose.x, card.pose.y))
            if "?" not in label:
                yield Dealt(card.card, label, conf, conf * kept_by_suit(label, lately))
                lately = remembered(lately, [label])


def _zones(plan: Plan) -> list[Zone]:
    return [zone for zone in plan.of_kind("cards") if zone.place != "burn" and "#" not in zone.name]


def _camera(plan: Plan, zones: Sequence[Zone], rng: np.random.Generator) -> Camera:
    while True:
        camera = random_camera(rng, plan.felt, SIZE)
        view = _view(plan, camera)
        if INDEX_PX[0] < np.median([INDEX_MM * view.px_per_mm(*zone.at) for zone in zones]) < INDEX_PX[1]:
            return camera


def _view(plan: Plan, camera: Camera) -> View:
    left, top, right, bottom = plan.bounds()
    places = [(float(x), float(y)) for x in np.linspace(left, right, 5) for y in np.linspace(top, bottom, 4)]
    pixels = camera.project([(x, y, 0.0) for x, y in places]).tolist()
    points = [CalibrationPoint(mm=mm, px=(px[0], px[1])) for mm, px in zip(places, pixels, strict=True)]
    return View.from_points(points, SIZE)


def _laid(zone: Zone, rng: np.random.Generator) -> Card:
    x, y = zone.from_middle(*rng.normal(0, 6, 2).tolist())
    name = str(rng.choice(list(RANKS))) + str(rng.choice(list(SUITS)))
    return Card(id=1, card=name, pose=Pose(x, y, 0.0, zone.yaw + float(rng.normal(0, 3))))


def _picture(cards: Sequence[Card], style: DeckStyle, look: Look, camera: Camera) -> Image:
    """Cards on felt, in the table's light; without shadows, prints or hands."""
    picture = np.full((SIZE[1], SIZE[0], 3), look.felt, np.float32)
    for card in cards:
        _draw(picture, card_art(style, card.card), card_quad(card, look, camera))
    light = look.light
    shade = np.array(light.lamp_colour) * light.lamp_strength * 0.6 + np.array(light.room) * 0.9
    lit = picture * np.clip(shade * light.exposure * np.array(light.balance), 0.35, 1.15)
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def _draw(picture: np.ndarray, art: Image, quad: Points) -> None:
    low = np.floor(quad.min(axis=0)).astype(int) - 2
    size = tuple((np.ceil(quad.max(axis=0)).astype(int) + 2 - low).tolist())
    if low.min() < 0 or np.any(low + size > SIZE):
        return
    corners = np.array([(0, 0), (ART_PX[0], 0), ART_PX, (0, ART_PX[1])], np.float32)
    onto = cv2.getPerspectiveTransform(corners, ((quad - low) * _FINER).astype(np.float32))
    drawn = np.dstack([cv2.GaussianBlur(art, (0, 0), 0.8), np.full(art.shape[:2], 255, np.uint8)])
    large = cv2.warpPerspective(drawn, onto, (size[0] * _FINER, size[1] * _FINER))
    card = cv2.resize(large.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    part = picture[low[1] : low[1] + size[1], low[0] : low[0] + size[0]]
    part += card[:, :, :3] - part * card[:, :, 3:] / 255


def _photographed(picture: Image, lens: Lens, shot: int) -> Image:
    stored = cv2.imencode(".jpg", lens.record(picture, shot), _JPEG)[1]
    return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)


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
