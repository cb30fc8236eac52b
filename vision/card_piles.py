"""Piles: where cards are put on one another nobody can count them. Side by side, in a row that has room, each shows."""

from collections.abc import Sequence
from dataclasses import replace

from vision.lying import Changes, Piece
from vision.plan import CARD_MM, Zone

PILED = ("burn",)
"""Places where cards are put on one another, at the latest when a row of them has reached the end."""
PILED_CONF = 0.5
"""Piled cards cannot be counted: a card that says how many there must be is not certain."""
ROW_WIDTH = 2 * CARD_MM[0]
NEXT_MM = 12.0
"""A place as wide as that is one for a row of cards, where the next lies at least so much farther on than the last."""


def is_pile(zone: Zone, lying: Sequence[Piece]) -> bool:
    """Whether what is put at a place where these cards lie comes to lie on them."""
    if zone.place not in PILED or zone.size[0] < ROW_WIDTH:
        return zone.place in PILED
    edge = zone.size[0] / 2 - CARD_MM[0] / 2
    return any(zone.to_middle(*piece.at)[0] > edge - NEXT_MM for piece in lying)


def piled(changes: Changes) -> Changes:
    """A back on a pile that looks otherwise, though nothing came or left, is another one upon it, or was pushed."""
    if changes.came or changes.left or changes.turned or changes.kept[-1].up:
        return changes
    top = replace(changes.kept[-1], conf=PILED_CONF, maybe=())
    return replace(changes, came=(top,), kept=(*changes.kept, top), was=(*changes.was, None))
