"""One deck: no card lies on the table twice. Of two that are read alike, one is rather the other suit of its colour."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from vision.lying import Piece
from vision.suit_balance import twin_of

DUPLICATE = 0.001
"""How much less likely than its suit taken for the other of its colour it is, before either is looked at, that a card
lies there twice."""


def doubled(lying: Mapping[str, Sequence[Piece]]) -> Iterator[tuple[str, Piece]]:
    """Where cards of one name lie twice: all but the surest of them, with their places.

    >>> three = Piece(label="3s", up=True, conf=0.99, at=(0, 0), region=())
    >>> [piece.conf for _, piece in doubled({"box1": [three, replace(three, conf=0.97)], "dealer": [three]})]
    [0.99, 0.97]
    >>> list(doubled({"box1": [replace(three, label="?s")] * 2}))  # two spades need not be one card
    []
    """
    by_name: dict[str, list[tuple[str, Piece]]] = {}
    for place, pieces in lying.items():
        for piece in pieces:
            if piece.up and twin_of(piece.label) is not None:
                by_name.setdefault(piece.label, []).append((place, piece))
    for alike in by_name.values():
        yield from sorted(alike, key=lambda each: -each[1].conf)[1:]


def told_apart(piece: Piece) -> Piece:
    """A card whose name another has: what it is then, by what the eyes say of both suits.

    >>> three = Piece(label="3s", up=True, conf=0.969, rank_conf=0.99, twin_conf=0.03, at=(0, 0), region=())
    >>> [(each.label, each.conf) for each in (told_apart(three), told_apart(replace(three, twin_conf=0.0001)))]
    [('3c', 0.959), ('3s', 0.8784)]
    """
    is_twin = piece.twin_conf / (piece.twin_conf + DUPLICATE * piece.conf + 1e-9)
    twin = twin_of(piece.label)
    if twin is None or is_twin <= 0.5:
        return replace(piece, conf=round(piece.conf * (1 - is_twin), 4))
    return replace(piece, label=twin, conf=round(is_twin * max(piece.conf, piece.rank_conf), 4), twin_conf=0.0)
