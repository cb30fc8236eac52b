"""Scenes by lot: things put about a table as play might leave them, and some that do not belong there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np

from datasets.casino.decks import CARDS
from datasets.casino.small_art import TILES
from datasets.casino.things import (
    CARD_THICK_MM, CHIP_COLOURS, CHIP_WIDTH_MM, Button, Card, ChipStack, Cup, CuttingCard, Die, Dolly, Hand, Marker,
    Moment, Pose, Prop, Thing, Tile,
)  # fmt: skip
from vision.plan import Plan, Zone

PROPS = ("phone", "glass", "pen", "napkin")


def scatter(rng: np.random.Generator, plan: Plan, what: str) -> Moment:
    """A random moment at a table, with what is asked for in most places."""
    ids = count(1)
    things: list[Thing] = []
    for zone in plan.zones:
        if zone.kind == "cards" and rng.random() < (0.85 if what == "cards" else 0.4):
            things += _hand_of_cards(rng, zone, ids)
        elif zone.kind == "chips" and rng.random() < _chip_chance(zone, what):
            things += _bet(rng, zone, ids)
        elif zone.kind == "tiles" and rng.random() < 0.9:
            things += _tiles(rng, zone, ids)
        elif zone.kind == "dice":
            things += _dice(rng, zone, ids)
    things += _strays(rng, plan, ids)
    return tuple(things)


def _chip_chance(zone: Zone, what: str) -> float:
    chance = 0.65 if what == "chips" else 0.25
    return chance * 0.15 if zone.name.startswith(("layout", "track")) else chance


def _jitter(rng: np.random.Generator, zone: Zone, spread_mm: float) -> tuple[float, float]:
    return zone.from_middle(float(rng.normal(0, spread_mm)), float(rng.normal(0, spread_mm)))


def _hand_of_cards(rng: np.random.Generator, zone: Zone, ids: Iterator[int]) -> Iterator[Thing]:
    """Cards fanned, in a row, or thrown down anyhow."""
    number = int(rng.integers(1, 6))
    manner = rng.choice(["fan", "row", "thrown"], p=[0.5, 0.3, 0.2])
    deck, turn = int(rng.integers(2)), zone.yaw + float(rng.normal(0, 6))
    step = {"fan": (17.0, -17.0), "row": (float(rng.uniform(14, 70)), 0.0), "thrown": (0.0, 0.0)}[str(manner)]
    for place in range(number):
        off = np.array([(place - (number - 1) / 2) * step[0], (place - (number - 1) / 2) * step[1]])
        off += rng.normal(0, 2.5 if manner != "thrown" else 38, 2)
        x, y = zone.from_middle(float(off[0]), float(off[1]))
        yaw = turn + float(rng.normal(0, 3 if manner != "thrown" else 60)) + (180 if rng.random() < 0.25 else 0)
        pose = Pose(x, y, place * CARD_THICK_MM * 1.3, yaw)
        yield Card(id=next(ids), card=CARDS[int(rng.integers(53 if rng.random() < 0.1 else 52))], deck=deck, pose=pose,
                   up=bool(rng.random() < 0.85), bend=float(rng.uniform(0, 2.5)) if number == 1 else 0.0)  # fmt: skip


def _chips(rng: np.random.Generator) -> tuple[str, ...]:
    number = int(
        rng.choice([1, 2, 3, 4, 5, 6, 8, 10, 14, 20], p=[0.16, 0.14, 0.14, 0.12, 0.12, 0.1, 0.08, 0.06, 0.05, 0.03])
    )
    colours = rng.choice(CHIP_COLOURS, int(rng.integers(1, 4)), replace=False)
    if rng.random() < 0.5:
        return (str(colours[0]),) * number
    return tuple(sorted((str(rng.choice(colours)) for _ in range(number)), key=CHIP_COLOURS.index))


def _bet(rng: np.random.Generator, zone: Zone, ids: Iterator[int]) -> Iterator[Thing]:
    x, y = _jitter(rng, zone, 5)
    spread = float(rng.uniform(8, 22)) if rng.random() < 0.08 else 0.0
    yield ChipStack(
        id=next(ids),
        chips=_chips(rng),
        pose=Pose(x, y, 0.0, float(rng.uniform(0, 360))),
        seed=int(rng.integers(1 << 30)),
        spread_mm=spread,
    )
    if rng.random() < 0.2 and min(zone.size) > 60:
        angle = float(rng.uniform(0, 2 * np.pi))
        away = CHIP_WIDTH_MM + float(rng.uniform(0, 6))
        pose = Pose(x + away * float(np.cos(angle)), y + away * float(np.sin(angle)), 0.0, float(rng.uniform(0, 360)))
        yield ChipStack(id=next(ids), chips=_chips(rng), pose=pose, seed=int(rng.integers(1 << 30)))


def _tiles(rng: np.random.Generator, zone: Zone, ids: Iterator[int]) -> Iterator[Thing]:
    names = list(TILES)
    turned = 90 if rng.random() < 0.3 else 0
    for place in range(int(rng.integers(2, 5))):
        x, y = zone.from_middle(
            (place - 1.5) * (28 if not turned else 66) + float(rng.normal(0, 1.5)), float(rng.normal(0, 4))
        )
        yaw = zone.yaw + turned + (180 if rng.random() < 0.3 else 0) + float(rng.normal(0, 4))
        yield Tile(
            id=next(ids),
            tile=names[int(rng.integers(len(names)))],
            pose=Pose(x, y, 0.0, yaw),
            up=bool(rng.random() < 0.8),
        )


def _dice(rng: np.random.Generator, zone: Zone, ids: Iterator[int]) -> Iterator[Thing]:
    for place in range(3):
        x, y = zone.from_middle((place - 1) * 26 + float(rng.normal(0, 4)), float(rng.normal(0, 14)))
        yield Die(id=next(ids), face=int(rng.integers(1, 7)), pose=Pose(x, y, 0.0, float(rng.uniform(0, 360))))
    if rng.random() < 0.5:
        x, y = zone.from_middle(float(rng.uniform(70, 110)), float(rng.normal(0, 20)))
        yield Cup(id=next(ids), pose=Pose(x, y))


def _strays(rng: np.random.Generator, plan: Plan, ids: Iterator[int]) -> Iterator[Thing]:
    """Hands, a button, a cutting card, and what guests leave on a table."""
    left, top, right, bottom = plan.bounds()
    for who, edge, turn in (("dealer", top, 180.0), ("box2", bottom, 0.0), ("box4", bottom, 0.0)):
        if rng.random() < 0.45:
            x, reach = float(rng.uniform(left * 0.6, right * 0.6)), float(rng.uniform(150, 420))
            y = edge + (reach if who == "dealer" else -reach)
            back = -1 if who == "dealer" else 1
            pose = Pose(x, y, float(rng.uniform(5, 70)), turn + float(rng.normal(0, 25)))
            elbow = (x + float(rng.normal(0, 60)), y + back * 310.0, float(rng.uniform(60, 160)))
            yield Hand(
                id=next(ids),
                who=who,
                side="right" if rng.random() < 0.5 else "left",
                pose=pose,
                grip=float(rng.random()),
                elbow=elbow,
            )
    for make in (_button, _marker, _cutting_card, _dolly):
        if rng.random() < 0.15:
            yield make(next(ids), _anywhere(rng, plan))
    if rng.random() < 0.4:
        place = _anywhere(rng, plan)
        kind = PROPS[int(rng.integers(len(PROPS)))]
        yield Prop(id=next(ids), kind=kind, pose=place)  # type: ignore[arg-type]  # a literal by construction


def _anywhere(rng: np.random.Generator, plan: Plan) -> Pose:
    left, top, right, bottom = plan.bounds()
    return Pose(
        float(rng.uniform(left * 0.7, right * 0.7)),
        float(rng.uniform(top + 150, bottom - 150)),
        0.0,
        float(rng.uniform(0, 360)),
    )


def _button(number: int, pose: Pose) -> Thing:
    return Button(id=number, pose=pose)


def _marker(number: int, pose: Pose) -> Thing:
    return Marker(id=number, pose=pose)


def _cutting_card(number: int, pose: Pose) -> Thing:
    return CuttingCard(id=number, pose=pose)


def _dolly(number: int, pose: Pose) -> Thing:
    return Dolly(id=number, pose=pose)
