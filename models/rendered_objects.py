"""Frames of the rendered casino with the true boxes of a table's things, to teach eyes and to measure them.

What is measured (`split="valid"`) has other seeds, looks and cameras than what is taught.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.casino.cameras import random_camera
from datasets.casino.labels import bare_hand_box, card_quad, face_shows
from datasets.casino.lens import Lens, random_optics
from datasets.casino.looks import random_look
from datasets.casino.installed_decks import Split
from datasets.casino.samples import decks_of, labels_of
from datasets.casino.scatter import scatter
from datasets.casino.small_art import TILES
from datasets.casino.stage import Stage
from datasets.casino.things import Button, Card, Die, Dolly, Hand, Moment, Pose, Thing, Tile
from vision.plan import Plan, load_plan
from vision.seen import UNREAD, Box, Image, Kind, Seen

_TABLES = ("act-paigow", "act-roulette", "act-holdem", "act-paigow", "act-blackjack", "act-baccarat")
_KINDS: dict[str, Kind] = {kind: kind for kind in ("chips", "die", "tile", "dolly", "button", "hand")}  # type: ignore[misc]
_WHOLE = 0.85
_SHOWN_CARD = 0.05  # a card of which less than this shows is not there


def rendered_objects(
    number: int, seed: int, size: tuple[int, int], split: Split, tables: Sequence[str] = _TABLES, most_zoom: float = 4.0
) -> Iterator[tuple[Image, list[Seen]]]:
    """Tables by lot with things on them, each with another look before another camera."""
    for place in range(number):
        rng = np.random.default_rng((seed, place, 0 if split == "train" else 1))
        plan = load_plan(tables[place % len(tables)])
        moment = _turned_over(rng, _with_strays(rng, plan, scatter(rng, plan, "tiles")))
        look = random_look(rng, decks_of(split))
        zoom = float(np.exp(rng.uniform(0, np.log(most_zoom))))
        aimed = moment[int(rng.integers(len(moment)))].pose
        camera = random_camera(rng, plan.felt, size, zoom=zoom, aim=(aimed.x, aimed.y))
        stage = Stage(plan, look, camera)
        image = Lens(random_optics(rng), size).record(stage.draw(moment))
        seen = [
            Seen(kind=_KINDS[each.kind], label=_label(each.kind, each.label), conf=each.shows, box=each.box)
            for each in labels_of(stage, moment, look, camera)
            if each.kind in _KINDS and each.kind != "hand"
        ]
        ids = stage.ids(moment)
        for thing in moment:
            if isinstance(thing, Hand):
                seen += _bare_hand(bare_hand_box(thing, look, camera), ids == thing.id)
            elif isinstance(thing, Card):
                kind: Kind = "card" if face_shows(thing, camera) else "back"
                seen += _whole_card(kind, card_quad(thing, look, camera), ids == thing.id)
        yield image, seen


def is_whole(seen: Seen, image: Image) -> bool:
    """Whether a thing's box does not touch the picture's border, and nearly nothing hides it: it can be read."""
    left, top, right, bottom = seen.box
    height, width = image.shape[:2]
    return left > 1 and top > 1 and right < width - 1 and bottom < height - 1 and seen.conf > _WHOLE


def _label(kind: str, label: str) -> str | None:
    return label or (UNREAD if kind == "tile" else None)


def _with_strays(rng: np.random.Generator, plan: Plan, moment: Moment) -> Moment:
    """Dolly, button, loose dice and tiles more often than chance leaves them about."""
    ids = count(max((thing.id for thing in moment), default=0) + 1)
    left, top, right, bottom = plan.bounds()
    names = list(TILES)
    more: list[Thing] = []
    for _ in range(int(rng.integers(3, 9))):
        x, y = rng.uniform((left * 0.7, top + 150), (right * 0.7, bottom - 150))
        pose = Pose(float(x), float(y), 0.0, float(rng.uniform(0, 360)))
        if any(np.hypot(other.pose.x - x, other.pose.y - y) < 75 for other in (*moment, *more)):
            continue
        match rng.choice(["dolly", "button", "die", "tile"], p=[0.3, 0.25, 0.25, 0.2]):
            case "dolly":
                more.append(Dolly(id=next(ids), pose=pose))
            case "button":
                more.append(Button(id=next(ids), pose=pose))
            case "die":
                more.append(Die(id=next(ids), face=int(rng.integers(1, 7)), pose=pose))
            case _:
                more.append(Tile(id=next(ids), tile=names[int(rng.integers(len(names)))], pose=pose))
    return moment + tuple(more)


def _turned_over(rng: np.random.Generator, moment: Moment) -> Moment:
    """Backs nearly as often as faces."""
    return tuple(
        replace(thing, up=bool(rng.random() < 0.6)) if isinstance(thing, Card) else thing for thing in moment
    )


def _whole_card(kind: Kind, quad: NDArray[np.float64], pixels: NDArray[np.bool_]) -> Iterator[Seen]:
    """The box of what shows of a card, if anything does."""
    x, y, width, height = cv2.boundingRect(pixels.astype(np.uint8))
    shows = np.count_nonzero(pixels) / max(cv2.contourArea(quad.astype(np.float32)), 1.0)
    if shows > _SHOWN_CARD:
        yield Seen(kind=kind, conf=min(shows, 1.0), box=(float(x), float(y), float(x + width), float(y + height)))


def _bare_hand(box: Box, pixels: NDArray[np.bool_]) -> Iterator[Seen]:
    """A hand without its sleeve, when most of its box is in the picture and enough of it shows."""
    height, width = pixels.shape
    left, top, right, bottom = np.clip(box, 0, (width, height, width, height))
    shown = (right - left) * (bottom - top) / max((box[2] - box[0]) * (box[3] - box[1]), 1.0)
    if shown > 0.5 and pixels[int(top) : int(bottom), int(left) : int(right)].mean() > 0.3:
        yield Seen(kind="hand", conf=1.0, box=(float(left), float(top), float(right), float(bottom)))
