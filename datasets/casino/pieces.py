"""Pieces: what every thing is made of for the renderer, a mesh with its place, its art and its colour."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from datasets.casino import hand_mesh, meshes
from datasets.casino.decks import CARDS
from datasets.casino.looks import Look
from datasets.casino.meshes import Mesh
from datasets.casino.placing import Matrix, along, placed, scaled, times, turned_over
from datasets.casino.things import (
    CARD_THICK_MM, CHIP_THICK_MM, DIE_SIDE_MM, TILE_SIZE_MM, Button, Card, ChipStack, Cup, CuttingCard, Die, Dolly,
    Hand, Marker, Pack, Pose, Prop, Thing, Tile,
)  # fmt: skip

Shade = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Piece:
    """One mesh, placed. `art` names its layers (face and other side) in a sheet: cards, or all small things."""

    mesh: str
    matrix: Matrix
    art: tuple[str, str] = ("plain", "plain")
    tint: Shade = (1.0, 1.0, 1.0)
    gloss: float = 0.1
    bend: float = 0.0
    in_air: bool = False  # hands throw the lamp's shadow, but do not darken the felt as what stands on it does


def shade(colour: tuple[int, int, int]) -> Shade:
    return colour[0] / 255, colour[1] / 255, colour[2] / 255


WRIST_MM = np.array([0.0, 74.0, 20.0])
DOLLY = ((15, 0), (15, 3), (11, 7), (7, 16), (5, 30), (6, 36), (9.5, 42), (10, 48), (7, 54), (0, 56))  # radius, height


@lru_cache(maxsize=1)
def mesh_book() -> Mapping[str, Mesh]:
    """All meshes by name; hands are made when they are first asked for (`mesh`)."""
    tile_w, tile_l, tile_t = TILE_SIZE_MM
    disc = ((30.0, 0.0), (30.0, 5.0), (29.0, 6.0), (0.0, 6.0))
    return {
        "card/poker": meshes.card(63.5, 88.9, CARD_THICK_MM),
        "card/bridge": meshes.card(57.2, 88.9, CARD_THICK_MM),
        "chip": meshes.chip(),
        "chip-under": meshes.chip(under=True),
        "roll": meshes.lathe(((0.0, 0.0), (19.5, 0.0), (19.5, 53.0), (0.0, 53.0)), 28),
        "tile": meshes.plate(meshes.rounded_rectangle(tile_w, tile_l, 2.2), tile_t),
        "die": _die(),
        "disc": meshes.lathe(disc, 40, disc_uv=True),
        "box": meshes.box(1.0, 1.0, 1.0),
        "capsule": meshes.capsule(),
        "ball": meshes.lathe(tuple((math.cos(a), math.sin(a)) for a in np.linspace(-math.pi / 2, math.pi / 2, 13)), 24),
        "cylinder": meshes.lathe(((1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), 28),
        "cup": meshes.lathe(((44.0, 0.0), (44.0, 3.0), (41.0, 4.0), (37.0, 78.0), (33.0, 84.0), (0.0, 85.0)), 32),
        "dolly": meshes.lathe(DOLLY, 28),
        "glass": meshes.lathe(((30, 0), (33, 90), (36, 120), (34, 120), (31, 90), (29, 60), (0, 58)), 32),
        "sleeve": hand_mesh.sleeve(),
    }  # fmt: skip


def mesh(name: str) -> Mesh:
    if name.startswith("hand/"):
        _, step, side = name.split("/")
        return hand_mesh.hand(int(step), side)
    return mesh_book()[name]


def _die() -> Mesh:
    """A die whose upper side shows 1, 6 below; opposite faces add up to seven."""
    cube = meshes.box(1.0, 1.0, 1.0).vertices.reshape(6, 6, 9).copy()  # faces -x, +x, -y, +y, -z, +z
    cube[..., :3] *= DIE_SIDE_MM
    for face, number in enumerate((3, 4, 2, 5, 6, 1)):
        cube[face, :, 6] = (cube[face, :, 6] + (number - 1) % 3) / 3
        cube[face, :, 7] = (cube[face, :, 7] + (number - 1) // 3) / 2
    return Mesh(cube.reshape(-1, 9))


_DIE_TURNS: dict[int, tuple[float, float]] = {
    1: (0, 0),
    6: (180, 0),
    2: (90, 0),
    5: (-90, 0),
    3: (0, -90),
    4: (0, 90),
}  # pitch, roll


def pieces(thing: Thing, look: Look) -> tuple[Piece, ...]:
    """The pieces of one thing."""
    match thing:
        case Card():
            return (_card(thing, look),)
        case Pack():
            return _pack(thing, look)
        case ChipStack():
            return _stack(thing, look)
        case Tile():
            over = scaled(1, 1, 1) if thing.up else turned_over(TILE_SIZE_MM[2])
            art = (f"tile/{thing.tile}" if thing.tile != "??" else "tile/back", "tile/back")
            return (Piece(mesh="tile", matrix=times(placed(thing.pose), over), art=art, gloss=0.5),)
        case Die():
            return (_die_piece(thing),)
        case Cup():
            return (Piece(mesh="cup", matrix=placed(thing.pose), tint=(0.07, 0.09, 0.17), gloss=0.35),)
        case Dolly():
            return (Piece(mesh="dolly", matrix=placed(thing.pose), tint=(0.30, 0.62, 0.80), gloss=0.8),)
        case Button():
            return (Piece(mesh="disc", matrix=placed(thing.pose), art=("button", "plain"), gloss=0.3),)
        case Marker():
            name = "marker/max" if thing.text == "MAX" else "marker/start"
            small = times(placed(thing.pose), scaled(0.8, 0.8, 0.8))
            return (Piece(mesh="disc", matrix=small, art=(name, "plain"), gloss=0.3),)
        case CuttingCard():
            return (Piece(mesh="card/poker", matrix=placed(thing.pose), tint=(0.10, 0.62, 0.90), gloss=0.35),)
        case Hand():
            return _hand(thing, look)
        case Prop():
            return _prop(thing)


def _card(card: Card, look: Look) -> Piece:
    style = look.deck(card.deck)
    kind = "bridge" if style.size_mm[0] < 60 else "poker"
    over = scaled(1, 1, 1) if card.up else turned_over(CARD_THICK_MM)
    face = f"{style.name}/{card.card if card.card in CARDS else 'back'}"
    bend = card.bend if card.up else -card.bend
    art = (face, f"{style.name}/back")
    return Piece(mesh=f"card/{kind}", matrix=times(placed(card.pose), over), art=art, gloss=look.card_gloss, bend=bend)


def _pack(pack: Pack, look: Look) -> tuple[Piece, ...]:
    """The cards below the top one are one pale block, its sides a little darker as the gaps between cards are."""
    style = look.deck(pack.deck)
    kind = "bridge" if style.size_mm[0] < 60 else "poker"
    height = max(pack.count - 1, 0) * CARD_THICK_MM
    here = placed(pack.pose)
    block = times(here, scaled(style.size_mm[0] - 1.5, style.size_mm[1] - 1.5, max(height, 0.1)))
    top = times(here, times(scaled(1, 1, 1, (0.0, 0.0, height)), turned_over(CARD_THICK_MM)))
    art = (f"{style.name}/back", f"{style.name}/back")
    return (
        Piece(mesh="box", matrix=block, art=("edges", "edges"), gloss=0.1),
        Piece(mesh=f"card/{kind}", matrix=top, art=art, gloss=look.card_gloss),
    )


def stack_slips_mm(stack: ChipStack) -> npt.NDArray[np.float64]:
    """How far each chip of a stack lies beside the lowest, in the plan frame (chips x 2)."""
    return np.asarray(_slips(stack, np.random.default_rng(stack.seed)) @ placed(stack.pose)[:2, :2].T, np.float64)


def _slips(stack: ChipStack, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    slips = np.cumsum(rng.normal(0, 0.28, (len(stack.chips), 2)), axis=0) + rng.normal(0, 0.35, (len(stack.chips), 2))
    return np.asarray(slips - slips[0] if len(stack.chips) else slips)


def _stack(stack: ChipStack, look: Look) -> tuple[Piece, ...]:
    """Chips with the small slips and turns of a stack built by hand."""
    rng = np.random.default_rng(stack.seed)
    here = placed(stack.pose)
    slips = _slips(stack, rng)
    made = []
    for level, colour in enumerate(stack.chips):
        turn = placed(
            Pose(
                float(slips[level, 0]),
                float(slips[level, 1]) - stack.spread_mm * level,
                0.0,
                float(rng.uniform(0, 360)),
            )
        )
        lean = min(level, 1) * stack.spread_mm / 39.0  # a spread chip leans on the one below
        turn[2, 3] = level * CHIP_THICK_MM * max(0.0, 1.0 - 0.9 * min(lean * 1.1, 1.0))
        kind = "chip" if level == len(stack.chips) - 1 or stack.spread_mm else "chip-under"
        made.append(Piece(mesh=kind, matrix=times(here, turn), art=(f"chip/{colour}", "plain"), gloss=look.chips.gloss))
    return tuple(made)


def _die_piece(die: Die) -> Piece:
    pitch, roll = _DIE_TURNS[die.face]
    half = DIE_SIDE_MM / 2
    spin = times(placed(Pose(0.0, 0.0, half, 0.0, pitch, roll)), scaled(1, 1, 1, (0.0, 0.0, -half)))
    return Piece(mesh="die", matrix=times(placed(die.pose), spin), art=("die", "die"), gloss=0.45)


def _hand(hand: Hand, look: Look) -> tuple[Piece, ...]:
    """The hand itself, and the sleeve in two parts: to the elbow, and up to a shoulder away from the table."""
    step = round(min(max(hand.grip, 0.0), 1.0) * (hand_mesh.GRIPS - 1))
    here = placed(hand.pose)
    wrist, elbow = here[:, :3] @ WRIST_MM + here[:, 3], np.asarray(hand.elbow, np.float64)
    if hand.who == "dealer":
        shoulder = np.array([-175.0 if hand.side == "right" else 175.0, -270.0, 360.0])
    else:
        shoulder = elbow + np.array([0.0, 340.0, 150.0])
    x, y, z = hand.elbow
    cloth = shade(look.sleeve(hand.who))
    sleeves = (
        ("sleeve", along(wrist, elbow, 1.0)),
        ("ball", scaled(48, 48, 48, (x, y, z))),
        ("sleeve", along(elbow, shoulder, 1.45)),
    )
    return (
        Piece(
            mesh=f"hand/{step}/{hand.side}",
            matrix=here,
            art=("skin", "skin"),
            tint=shade(look.skin(hand.who)),
            gloss=0.16,
            in_air=True,
        ),
        *(
            Piece(mesh=name, matrix=matrix, art=("cloth", "cloth"), tint=cloth, gloss=0.04, in_air=True)
            for name, matrix in sleeves
        ),
    )


def _prop(prop: Prop) -> tuple[Piece, ...]:
    here = placed(prop.pose)
    match prop.kind:
        case "phone":
            return (Piece(mesh="box", matrix=times(here, scaled(72, 148, 8)), art=("phone", "plain"), gloss=0.9),)
        case "glass":
            inside = times(here, scaled(30, 30, 56, (0.0, 0.0, 2.0)))
            drink = Piece(mesh="cylinder", matrix=inside, tint=(0.10, 0.30, 0.52), gloss=0.8)
            return (Piece(mesh="glass", matrix=here, tint=(0.62, 0.66, 0.66), gloss=1.0), drink)
        case "pen":
            lying = along(
                here[:, :3] @ [0.0, -65.0, 5.0] + here[:, 3], here[:, :3] @ [0.0, 65.0, 5.0] + here[:, 3], 4.5
            )
            return (Piece(mesh="capsule", matrix=lying, tint=(0.30, 0.12, 0.10), gloss=0.6),)
        case "napkin":
            return (Piece(mesh="box", matrix=times(here, scaled(120, 120, 1.0)), tint=(0.82, 0.84, 0.84), gloss=0.02),)
        case "head":
            skull = times(here, scaled(78, 98, 120))
            return (Piece(mesh="capsule", matrix=skull, tint=(0.06, 0.09, 0.13), gloss=0.25, in_air=True),)
