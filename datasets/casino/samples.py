"""Samples: pictures of random scenes with the exact place of everything in them, to teach and to measure eyes.

>>> sample(3, "dice", (320, 240)).labels[0].kind  # doctest: +SKIP
'die'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from datasets.casino.cameras import Camera, random_camera
from datasets.casino.decks import STYLES, DeckStyle, installed_styles
from datasets.casino.installed_decks import Split
from datasets.casino.labels import card_quad, index_quads
from datasets.casino.lens import Lens, random_optics
from datasets.casino.looks import Look, random_look
from datasets.casino.scatter import scatter
from datasets.casino.stage import Stage
from datasets.casino.things import Button, Card, ChipStack, Die, Dolly, Hand, Moment, Thing, Tile
from datasets.importers import LabelledBox
from vision.plan import Plan, load_plan

Picture = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]
What = Literal["cards", "chips", "tiles", "dice"]
PLANS: dict[What, tuple[str, ...]] = {
    "cards": ("act-blackjack", "act-baccarat", "act-uth", "act-canberra-poker", "act-holdem", "tas-stud"),
    "chips": ("act-blackjack", "act-baccarat", "act-uth", "act-holdem", "act-roulette", "act-canberra-poker"),
    "tiles": ("act-paigow",),
    "dice": ("act-paigow",),
}
KINDS: dict[What, type[Card] | type[ChipStack] | type[Tile] | type[Die]] = {
    "cards": Card, "chips": ChipStack, "tiles": Tile, "dice": Die,
}  # fmt: skip
VALID_FAMILIES = ("own-serif", "own-slim")  # decks that are only ever measured on
INDEX_PX = (8.0, 60.0)  # height of a corner index, rank and sign together
INDEX_MM = 17.0
SLIVER_PX = 3.0  # what the picture's edge leaves less of than this is told by nobody
SHOWS = 0.6  # share of an index or a thing that must be seen for it to be labelled


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Label:
    """One thing, or one corner index, as it is seen."""

    kind: str  # "card", "back", "index", "chips", "tile", "die", "dolly", "button", "hand"
    label: str = ""  # the card, tile or face
    quad: Points  # four corners, pixels; of a thing that is not flat, its upright box
    stack: tuple[str, ...] = ()  # colours, bottom to top
    shows: float = 1.0  # share that nothing hides

    @property
    def box(self) -> tuple[float, float, float, float]:
        low, high = self.quad.min(0), self.quad.max(0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    image: Picture
    labels: tuple[Label, ...]
    moment: Moment
    look: Look
    camera: Camera


def sample(
    seed: int, what: What, size: tuple[int, int], split: Split = "train", *, without_faces: bool = False
) -> Sample:
    """A random table with random things on it before a random camera; `without_faces`, no card among them lies open."""
    rng = np.random.default_rng((seed, {"train": 0, "valid": 1, "tune": 2}[split]))
    plan = load_plan(str(rng.choice(PLANS[what])))
    look = random_look(rng, decks_of(split))
    moment = scatter(rng, plan, what)
    if without_faces:
        moment = tuple(thing for thing in moment if not (isinstance(thing, Card) and thing.up))
    camera = _camera(rng, plan, size, _aim(rng, moment, what))
    stage = Stage(plan, look, camera)
    image = Lens(random_optics(rng), size).record(stage.draw(moment))
    labels = tuple(labels_of(stage, moment, look, camera))
    return Sample(image=image, labels=labels, moment=moment, look=look, camera=camera)


LABELLED: dict[What, tuple[str, ...]] = {
    "cards": ("index", "back"), "chips": ("chips",), "tiles": ("tile",), "dice": ("die",),
}  # fmt: skip
"""What a set of each kind teaches; everything else in its pictures is there to be mistaken for it."""


def pictures(
    what: What, number: int, seed: int, *, size: tuple[int, int] = (640, 480), split: Split = "train"
) -> Iterator[tuple[Picture, list[LabelledBox]]]:
    """Samples with upright boxes, as `fairdeal dataset` writes them: `As` round an index, `back`, `die-4`, `chips`."""
    for place in range(number):
        made = sample(seed * 1_000_003 + place, what, size, split)
        told = [label for label in made.labels if label.kind in LABELLED[what] and label.shows >= SHOWS]
        boxes = [_as_box(label, size) for label in told]
        yield made.image, [box for box in boxes if min(box.width, box.height) >= SLIVER_PX]


def _as_box(label: Label, size: tuple[int, int]) -> LabelledBox:
    """The upright box around what lies in the picture."""
    x0, y0 = (max(low, 0.0) for low in label.box[:2])
    x1, y1 = (min(high, float(most)) for high, most in zip(label.box[2:], size, strict=True))
    named = label.label if label.kind == "index" else "-".join(filter(None, (label.kind, label.label)))
    return LabelledBox(named, (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0)


def decks_of(split: Split) -> tuple[DeckStyle, ...]:
    """Our own decks and those installed here, split by family: what is measured was never taught."""
    own = [style for style in STYLES.values() if (style.family in VALID_FAMILIES) == (split == "valid")]
    return (*(own if split != "tune" else ()), *installed_styles(split))


def _aim(rng: np.random.Generator, moment: Moment, what: What) -> tuple[float, float] | None:
    """Mostly at something of what is asked for; sometimes at nothing, as most of a felt is empty."""
    wanted = [thing.pose for thing in moment if isinstance(thing, KINDS[what])]
    if not wanted or rng.random() < 0.1:
        return None
    pose = wanted[int(rng.integers(len(wanted)))]
    return pose.x + float(rng.normal(0, 40)), pose.y + float(rng.normal(0, 40))


def _camera(rng: np.random.Generator, plan: Plan, size: tuple[int, int], aim: tuple[float, float] | None) -> Camera:
    """Zoomed so that corner indices would be between 8 and 60 pixels high, small ones as often as large."""
    index_px = float(np.exp(rng.uniform(np.log(INDEX_PX[0]), np.log(INDEX_PX[1]))))
    left, _, right, _ = plan.bounds()
    whole_px = INDEX_MM * size[0] / (right - left)
    return random_camera(rng, plan.felt, size, zoom=max(1.0, index_px / whole_px), aim=aim)


def labels_of(stage: Stage, moment: Moment, look: Look, camera: Camera) -> Iterator[Label]:
    """Everything in a picture that shows enough of itself."""
    ids = stage.ids(moment)
    for thing in moment:
        match thing:
            case Card():
                quad = card_quad(thing, look, camera)
                corners = index_quads(thing, look, camera)
                yield from _seen(
                    ids, thing.id, "card" if corners else "back", thing.card if corners else "", quad, 0.02
                )
                for corner in corners:
                    yield from _seen(ids, thing.id, "index", thing.card, corner, SHOWS)
            case ChipStack():
                yield from _whole(ids, stage, thing, "chips", "", thing.chips)
            case Tile():
                yield from _whole(ids, stage, thing, "tile", thing.tile if thing.up else "")
            case Die():
                yield from _whole(ids, stage, thing, "die", str(thing.face))
            case Dolly() | Button() | Hand():
                yield from _whole(ids, stage, thing, type(thing).__name__.lower(), "")
            case _:
                pass


def _seen(
    ids: npt.NDArray[np.int32], number: int, kind: str, label: str, quad: Points, least: float
) -> Iterator[Label]:
    """A flat label, when enough of its quad shows the thing it belongs to."""
    mask = np.zeros(ids.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    area = abs(cv2.contourArea(quad.astype(np.float32)))
    shows = float((ids[mask > 0] == number).sum()) / max(area, 1.0)
    if shows >= least:
        yield Label(kind=kind, label=label, quad=quad, shows=min(shows, 1.0))


def _whole(
    ids: npt.NDArray[np.int32], stage: Stage, thing: Thing, kind: str, label: str, stack: tuple[str, ...] = ()
) -> Iterator[Label]:  # fmt: skip
    """The box of what is seen of a thing, when enough of it is."""
    rows, columns = np.nonzero(ids == thing.id)
    if len(rows) < 12:
        return
    alone = (stage.ids((thing,)) == thing.id).sum()
    x0, y0, x1, y1 = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    shows = len(rows) / max(int(alone), 1)
    if shows >= (SHOWS if kind != "hand" else 0.1):
        quad = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64)
        yield Label(kind=kind, label=label, quad=quad, stack=stack, shows=shows)
