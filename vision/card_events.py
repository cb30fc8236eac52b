"""What happened to a card or a tile, as an event of the table log: with where it can be seen, and how sure it is."""

from dataclasses import replace
from typing import TypeVar

import msgspec

from auditor.log import By, Card, Event, Tile, Turn
from vision.card_piles import PILED, PILED_CONF
from vision.lying import UNREAD, Piece
from vision.plan import Zone
from vision.writer import Evidence

E = TypeVar("E", bound=Event)
CERTAIN = 0.99
"""Of a card that is read more surely, and whole, no other names are told."""
WHOLE_SHARE, STRIP_SHARE, STRIP_CONF = 0.7, 0.35, 0.5
"""Where so much of a card's outline looks different, a card came, whatever it is called; where less does, the reading
alone says so, which may have taken a part of another card for one. A card that was not read was found by what changed:
a strip that came, and half of the rest of its outline, where one back was put on another, are enough."""


def named(event: Card | Tile | Turn, piece: Piece) -> Card | Tile | Turn:
    """The event with the name that the piece has by now."""
    is_tile = isinstance(event, Tile) or (isinstance(event, Turn) and event.tile is not None)
    better = msgspec.structs.replace(_sure(event, piece), **{"tile" if is_tile else "card": piece.label})
    is_doubted = isinstance(better, Card) and better.there is not None
    return msgspec.structs.replace(better, there=max(piece.conf, piece.rank_conf)) if is_doubted else better


def outline(piece: Piece) -> list[tuple[float, float]] | None:
    """Its pixels, as evidence."""
    return [(round(x, 1), round(y, 1)) for x, y in piece.region] or None


def laid(zone: Zone, piece: Piece, evidence: Evidence, changed: float, *, is_piled: bool) -> Card | Tile:
    """A card or tile that came; `changed` is how much of the picture where it lies."""
    up = None if piece.up == (piece.label != UNREAD) else piece.up
    event: Card | Tile
    if piece.up and (is_piled or (zone.place in PILED and piece.label == UNREAD)):
        piece = replace(piece, conf=min(piece.conf, PILED_CONF), rank_conf=0.0, maybe=())
    if zone.kind == "tiles":
        event = Tile(at=zone.place, tile=piece.label, up=up, t=evidence.t)
    else:
        there = _there(zone, piece, changed, evidence.by)
        event = Card(at=zone.place, card=piece.label, up=up, t=evidence.t, there=there)
    return witnessed(event, piece, evidence)


def _there(zone: Zone, piece: Piece, changed: float, by: By | None) -> float | None:
    """How sure it is that a card came at all; None where that is certain. No player deals: an open card that nobody
    reads and he put down is rather his chips, moved."""
    if piece.label == UNREAD and piece.up and by == "player":
        return STRIP_CONF
    if zone.place in PILED and piece.conf <= PILED_CONF:
        return piece.conf
    if piece.label == UNREAD:
        return None if changed >= STRIP_SHARE else STRIP_CONF
    return None if changed >= WHOLE_SHARE else max(piece.conf, piece.rank_conf)


def turned(zone: Zone, piece: Piece, evidence: Evidence) -> Turn:
    """One that was turned over."""
    is_tile = zone.kind == "tiles"
    turn = Turn(
        at=zone.place, t=evidence.t, up=piece.up, card=None if is_tile else piece.label,
        tile=piece.label if is_tile else None,
    )  # fmt: skip
    return witnessed(turn, piece, evidence)


def witnessed(event: E, piece: Piece, evidence: Evidence) -> E:
    """The event with where it can be seen, and how sure it is."""
    return msgspec.structs.replace(
        _sure(event, piece), since=evidence.since, cam=evidence.cam, frame=evidence.frame, region=outline(piece)
    )


def _sure(event: E, piece: Piece) -> E:
    """The event with how sure the piece's name is, a card's rank where that is surer, and its other names if it may
    have some."""
    if isinstance(event, Card) or (isinstance(event, Turn) and event.card is not None):
        if piece.label == UNREAD:
            return msgspec.structs.replace(event, conf=piece.conf, rank_conf=None, maybe=None)
        rank_conf = piece.rank_conf if piece.rank_conf > piece.conf else None
        is_doubtful = piece.conf < CERTAIN or "?" in piece.label
        maybe = list(piece.maybe) if is_doubtful and piece.maybe else None
        return msgspec.structs.replace(event, conf=piece.conf, rank_conf=rank_conf, maybe=maybe)
    return msgspec.structs.replace(event, conf=piece.conf)
