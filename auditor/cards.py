"""Cards: what they are called, and which cards a (possibly half-read) name can stand for.

A card is an int: ``rank * 4 + suit``, rank 0 for the two to 12 for the ace, suit in the order ``cdhs``;
the joker is 52. Ints keep the evaluators fast; names are for people and for the table log.

>>> [name(card) for card in readings("A?")]
['Ac', 'Ad', 'Ah', 'As']
>>> readings("??") is None
True
"""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
ACE = 12
JOKER = 52

NAMES: tuple[str, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), "Jkr")
FULL_DECK: tuple[int, ...] = tuple(range(52))
RED_SUITS = (1, 2)

_READINGS: dict[str, tuple[int, ...] | None] = {text: (card,) for card, text in enumerate(NAMES)}
_READINGS |= {rank + "?": tuple(4 * r + s for s in range(4)) for r, rank in enumerate(RANKS)}
_READINGS |= {"?" + suit: tuple(4 * r + s for r in range(13)) for s, suit in enumerate(SUITS)}
_READINGS["??"] = None


def name(card: int) -> str:
    """The card's name in the table log.

    >>> name(51), name(JOKER)
    ('As', 'Jkr')
    """
    return NAMES[card]


def card(text: str) -> int:
    """The card with that name.

    >>> card("Td")
    33
    """
    return NAMES.index(text)


def rank_of(card: int) -> int:
    """0 for a two … 12 for an ace."""
    return card >> 2


def readings(text: str) -> tuple[int, ...] | None:
    """The cards a reading leaves open; None when it leaves every card open."""
    return _READINGS[text]
