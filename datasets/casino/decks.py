"""Our own deck, drawn: 52 cards, a joker and several backs, in the variants that casinos use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from datasets.casino.courts import draw_court
from datasets.casino.installed_decks import Split, installed_art, installed_corners, installed_index, installed_names
from datasets.casino.lettering import write
from datasets.casino.suits import draw_suit
from datasets.casino.things import BRIDGE_CARD_MM, POKER_CARD_MM

Picture = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]  # BGR
ART_PX = (384, 536)  # every card's art, whatever the card's width
PX_PER_MM = ART_PX[1] / 88.9
RANKS, SUITS = "A23456789TJQK", "cdhs"
CARDS = (*(rank + suit for suit in SUITS for rank in RANKS), "Jkr")

BLACK, RED, BLUE, GREEN = (28, 24, 22), (42, 30, 200), (170, 80, 20), (50, 120, 25)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckStyle:
    """How one deck is printed."""

    name: str
    size_mm: tuple[float, float] = POKER_CARD_MM
    four_colours: bool = False
    index_mm: float = 9.0  # height of the rank's letter in the corner
    typeface: str = "heavy"
    weight: int = 600
    index_inset_mm: tuple[float, float] = (6.0, 8.6)  # middle of the rank's letter from the card's corner
    corners: int = 2  # indices on two corners or on all four
    faces: str = "pips"  # "pips", or "bare": one large sign, as on jumbo cards
    back: str = "lattice"
    back_colour: Colour = (38, 34, 165)
    paper: Colour = (248, 250, 251)
    installed: str = ""  # the name of somebody else's deck, found on this machine, instead of our own drawing
    family: str = "own"  # decks of one family never stand on both sides of training and validation

    def suit_colour(self, suit: str) -> Colour:
        if self.four_colours:
            return {"c": GREEN, "d": BLUE, "h": RED, "s": BLACK}[suit]
        return RED if suit in "dh" else BLACK


STYLES: dict[str, DeckStyle] = {
    style.name: style
    for style in (
        DeckStyle(name="house"),
        DeckStyle(name="house-blue", back="rosette", back_colour=(140, 60, 25)),
        DeckStyle(
            name="four-colour", four_colours=True, back="weave", back_colour=(60, 100, 20), typeface="sans", weight=650
        ),
        DeckStyle(
            name="jumbo",
            index_mm=15.5,
            index_inset_mm=(9.2, 11.5),
            faces="bare",
            back="bordered",
            typeface="sans",
            weight=700,
        ),
        DeckStyle(
            name="jumbo-four",
            index_mm=14.5,
            index_inset_mm=(8.8, 11.0),
            faces="bare",
            four_colours=True,
            back="bordered",
            back_colour=(45, 45, 45),
            typeface="heavy",
        ),
        DeckStyle(
            name="bridge",
            size_mm=BRIDGE_CARD_MM,
            index_mm=8.2,
            index_inset_mm=(5.6, 8.0),
            back="lattice",
            back_colour=(120, 45, 25),
            typeface="block",
            weight=500,
            corners=4,
        ),
        DeckStyle(
            name="serif",
            index_mm=8.6,
            typeface="block",
            weight=700,
            back="rosette",
            back_colour=(30, 30, 130),
            paper=(238, 245, 248),
            corners=4,
            family="own-serif",
        ),
        DeckStyle(
            name="slim", index_mm=10.0, typeface="uni", back="weave", back_colour=(90, 30, 90), family="own-slim"
        ),
    )
}


def installed_styles(split: Split) -> tuple[DeckStyle, ...]:
    """Decks of others that are installed here: those to teach with, to tune by, or held back to measure on."""
    return tuple(
        DeckStyle(name=name, installed=name, corners=installed_corners(name), family=f"art-{split}")
        for name in installed_names(split)
    )


def index_boxes_mm(style: DeckStyle) -> tuple[tuple[float, float, float, float], ...]:
    """The corner indices (rank and sign together) as boxes x0, y0, x1, y1 on the face, from the card's middle."""
    half_w, half_h = style.size_mm[0] / 2, style.size_mm[1] / 2
    if style.installed:
        left, top, right, bottom = installed_index(style.installed, style.size_mm)
    else:
        (x, y), reach_x = style.index_inset_mm, style.index_mm * 0.44
        left, top, right, bottom = x - reach_x, y - style.index_mm / 2, x + reach_x, y + style.index_mm * 1.42
    first = (left - half_w, top - half_h, right - half_w, bottom - half_h)
    boxes = [first, (-first[2], -first[3], -first[0], -first[1])]
    if style.corners == 4:
        boxes += [(-first[2], first[1], -first[0], first[3]), (first[0], -first[3], first[2], -first[1])]
    return tuple(boxes)


@lru_cache(maxsize=120)
def card_art(style: DeckStyle, card: str) -> Picture:
    """The face of one card, `ART_PX` large."""
    if style.installed and card != "Jkr":
        return installed_art(style.installed, card, ART_PX)
    picture = np.full((ART_PX[1], ART_PX[0], 3), style.paper, np.uint8)
    if card == "Jkr":
        _draw_joker(picture, style)
        return picture
    rank, suit = card[0], card[1]
    if style.faces == "bare":
        _draw_bare(picture, style, rank, suit)
    elif rank in "JQK":
        draw_court(picture, rank, suit, style.suit_colour(suit))
    else:
        _draw_pips(picture, style, rank, suit)
    _draw_indices(picture, style, rank, suit)
    return picture


def _draw_indices(picture: Picture, style: DeckStyle, rank: str, suit: str) -> None:
    """The indices are drawn upright at the left, then the upper half is turned onto the lower."""
    squeeze = style.size_mm[0] * PX_PER_MM / ART_PX[0]  # a bridge card's art is stretched to the common width
    colour = style.suit_colour(suit)
    size = style.index_mm * PX_PER_MM
    x, y = style.index_inset_mm[0] * PX_PER_MM / squeeze, style.index_inset_mm[1] * PX_PER_MM
    sides = (x, ART_PX[0] - x) if style.corners == 4 else (x,)
    ink = np.full_like(picture, 255)
    for side in sides:
        write(
            ink,
            "10" if rank == "T" else rank,
            (side, y),
            size,
            (0, 0, 0),
            typeface=style.typeface,
            weight=style.weight,
            width_px=size * 0.86,
        )
        draw_suit(ink, suit, (side, y + size * 1.0), size * 0.78, (0, 0, 0))
    share = (255 - np.minimum(ink, ink[::-1, ::-1]).astype(np.float32)) / 255.0
    picture[:] = np.round(picture * (1 - share) + np.asarray(colour, np.float32) * share).astype(np.uint8)


# Rows of pips: how far down the card (0 top, 1 bottom), and where across.
_LEFT, _MID, _RIGHT = 0.30, 0.5, 0.70
_PIPS: dict[str, tuple[tuple[float, float], ...]] = {
    "A": ((_MID, 0.5),),
    "2": ((_MID, 0.17), (_MID, 0.83)),
    "3": ((_MID, 0.17), (_MID, 0.5), (_MID, 0.83)),
    "4": ((_LEFT, 0.17), (_RIGHT, 0.17), (_LEFT, 0.83), (_RIGHT, 0.83)),
}
_PIPS["5"] = (*_PIPS["4"], (_MID, 0.5))
_PIPS["6"] = (*_PIPS["4"], (_LEFT, 0.5), (_RIGHT, 0.5))
_PIPS["7"] = (*_PIPS["6"], (_MID, 0.335))
_PIPS["8"] = (*_PIPS["7"], (_MID, 0.665))
_FOUR_ROWS = tuple((side, row) for side in (_LEFT, _RIGHT) for row in (0.17, 0.39, 0.61, 0.83))
_PIPS["9"] = (*_FOUR_ROWS, (_MID, 0.5))
_PIPS["T"] = (*_FOUR_ROWS, (_MID, 0.28), (_MID, 0.72))


def _draw_pips(picture: Picture, style: DeckStyle, rank: str, suit: str) -> None:
    size = 17.5 * PX_PER_MM if rank != "A" else (36 if suit == "s" else 24) * PX_PER_MM
    for x, y in _PIPS[rank]:
        draw_suit(picture, suit, (x * ART_PX[0], y * ART_PX[1]), size, style.suit_colour(suit), turned=y > 0.5)
    if rank == "A" and suit == "s":
        write(picture, "FAIRDEAL", (ART_PX[0] / 2, ART_PX[1] * 0.51), 17, style.paper, weight=700)


def _draw_bare(picture: Picture, style: DeckStyle, rank: str, suit: str) -> None:
    centre = ART_PX[0] * 0.58, ART_PX[1] * 0.5
    draw_suit(picture, suit, centre, 40 * PX_PER_MM, style.suit_colour(suit))
    if rank in "JQK":
        write(picture, {"J": "JACK", "Q": "QUEEN", "K": "KING"}[rank], centre, 24, style.paper, weight=700)


def _draw_joker(picture: Picture, style: DeckStyle) -> None:
    draw_court(picture, "J", "s", (120, 40, 120))
    for x, y, turn in ((5.5, 22.0, 0.0), (style.size_mm[0] - 5.5, 66.9, 180.0)):
        for step, letter in enumerate("JOKER"):
            offset = (step - 2) * 6.4 * (1 if turn == 0 else -1)
            centre = x / style.size_mm[0] * ART_PX[0], (y + offset) * PX_PER_MM
            write(picture, letter, centre, 5.4 * PX_PER_MM, BLACK, typeface=style.typeface, turn_deg=turn)
