"""Whether a table's suits are told apart at all: a deck has as many clubs as spades, and as many hearts as diamonds.

Of a deck that the reader does not know, one suit may be taken for the other of its colour, surely and card after card.
No look at a card shows that, and learning how the table's cards look would only make it surer. What was read at the
table lately shows it: a suit that never comes is there under its twin's name.
"""

from collections.abc import Sequence

LATELY = 40
"""So many names are remembered, each once and the last ones: decks are changed, and a card may be told twice."""
_TWIN = {"c": "s", "s": "c", "d": "h", "h": "d"}
_RARE = 0.01  # how likely a deck is one whose twin suits are not told apart
_MISNAMED = 0.8  # of such a deck: how much of the one suit is called by the other's name
_IS_TWIN = _MISNAMED / (1 + _MISNAMED)  # of such a deck: how much of what has that name is the twin


def twin_of(name: str) -> str | None:
    """The card of the same rank and colour for which a card may be taken; None for one that is not wholly read.

    >>> twin_of("3s"), twin_of("Td"), twin_of("?s"), twin_of("A?"), twin_of("Jkr")
    ('3c', 'Th', None, None, None)
    """
    suit = _suit(name)
    return name[0] + _TWIN[suit] if suit and name[0] != "?" else None


def remembered(lately: Sequence[str], names: Sequence[str]) -> list[str]:
    """The names that came lately, with those that came now, if their suits were read.

    >>> remembered(["As", "Kd", "7c"], ["Kd", "8?", "Jkr"])
    ['As', '7c', 'Kd']
    """
    new = [name for name in dict.fromkeys(names) if _suit(name)]
    return [*(name for name in lately if name not in new), *new][-LATELY:]


def kept_by_suit(name: str, lately: Sequence[str]) -> float:
    """How much of its confidence a card's name keeps, by how evenly its suit and the twin came.

    >>> spades = ["As", "2s", "3s", "4s", "5s", "6s"]
    >>> [round(kept_by_suit("7s", lately), 2) for lately in ([], spades[:3], spades, [*spades, "7c"])]
    [1.0, 0.98, 0.89, 0.98]
    >>> [kept_by_suit(name, spades) for name in ("7c", "7h", "7?", "Jkr")]
    [1.0, 1.0, 1.0, 1.0]
    """
    suit = _suit(name)
    if not suit:
        return 1.0
    others = [each[1] for each in lately if each != name]  # a card does not speak against itself
    own, twin = others.count(suit), others.count(_TWIN[suit])
    return min(1.0, _right(own, twin) / _right(0, 0))  # what may be wrong with any deck is in the confidence already


def _suit(name: str) -> str:
    return name[1] if len(name) == 2 and name[1] in _TWIN else ""


def _right(own: int, twin: int) -> float:
    """How likely a suit's name is right where it and its twin came so often."""
    odds = _RARE / (1 - _RARE) * (1 + _MISNAMED) ** own * (1 - _MISNAMED) ** twin
    return 1 - _IS_TWIN * odds / (1 + odds)
