"""What stands on a table at one moment: the border between those who move things and the renderer that draws them.

Millimetres and degrees in the plan frame: seen from above with the dealer at the top of the page, x runs to the right,
y down the page towards the players, z up from the felt; the origin is the middle of the dealer's edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

CARD_THICK_MM = 0.32
CHIP_WIDTH_MM, CHIP_THICK_MM = 39.0, 3.3
TILE_SIZE_MM = (25.0, 63.0, 10.0)  # wide, long, thick
DIE_SIDE_MM = 16.0
POKER_CARD_MM, BRIDGE_CARD_MM = (63.5, 88.9), (57.2, 88.9)

Point = tuple[float, float, float]
CHIP_COLOURS = ("white", "red", "green", "black", "blue", "purple", "yellow", "orange", "pink", "brown", "grey", "lime")


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a thing is: the centre of its lower face, and how it is turned.

    `yaw` is clockwise seen from above; at 0 a card's top edge (and a hand's fingers) point to the dealer (-y).
    `pitch` lifts the top edge, `roll` lifts the edge at its right hand; they turn about the centre, before the yaw.
    """

    x: float
    y: float
    z: float = 0.0
    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One playing card. `up`: its face is on the upper side at pitch and roll 0, so a card half way through a turn is
    `up=False, roll=90`, and at the end `up=False, roll=180` looks the same as `up=True, roll=0`."""

    id: int
    card: str  # "As", "Td", "Jkr"
    deck: int = 0  # which of the look's decks
    pose: Pose
    up: bool = True
    bend: float = 0.0  # mm its ends stand above (below, when negative) its middle


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """Many cards held or lying as one block, face down: a stub, a shuffled deck, a stack of discards."""

    id: int
    count: int
    deck: int = 0
    pose: Pose


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipStack:
    """Chips one on another; a chip on its way is a stack of one. `seed` decides how crooked the stack stands."""

    id: int
    chips: tuple[str, ...]  # colours, bottom to top
    pose: Pose
    seed: int = 0
    spread_mm: float = 0.0  # each chip lies this much further along the stack's yaw than the one below: a spread bet


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One pai gow tile, by the table log's name; `up` as for a card."""

    id: int
    tile: str
    pose: Pose
    up: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    id: int
    face: int  # the number on its upper side at pitch and roll 0
    pose: Pose


@dataclass(frozen=True, slots=True, kw_only=True)
class Cup:
    """The dice cup, upside down over the dice at pitch 0."""

    id: int
    pose: Pose


@dataclass(frozen=True, slots=True, kw_only=True)
class Dolly:
    id: int
    pose: Pose


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """The dealer button of the players' games."""

    id: int
    pose: Pose


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A tournament's starting marker, or with another text another plaque ("MAX")."""

    id: int
    pose: Pose
    text: str = "START"


@dataclass(frozen=True, slots=True, kw_only=True)
class CuttingCard:
    id: int
    pose: Pose


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A hand, palm down at pitch and roll 0, and its forearm to the elbow. The pose is of the middle of the palm."""

    id: int
    who: str  # "dealer", "box3": the look gives each their skin and sleeve
    side: Literal["left", "right"]
    pose: Pose
    grip: float = 0.3  # 0 flat and open, 1 closed
    elbow: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Prop:
    """Something that has no business in the log: it only stands about, or in the way."""

    id: int
    kind: Literal["phone", "glass", "pen", "napkin", "head"]
    pose: Pose


Thing: TypeAlias = Card | Pack | ChipStack | Tile | Die | Cup | Dolly | Button | Marker | CuttingCard | Hand | Prop
Moment: TypeAlias = tuple[Thing, ...]
