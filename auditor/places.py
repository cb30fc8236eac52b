"""Places: the names by which the table log tells boxes, hands and wager spots apart."""

from functools import cache

OFF_TABLE = frozenset({"burn", "shoe", "discard", "rack", "drop"})
LAID_IN_PLAY = frozenset({"insurance", "play", "bet"})
"""The spots of wagers that are laid when the cards are out; of their chips a round that was seen dealt tells all."""


@cache
def box_of(at: str) -> str:
    """The box (or place) of a spot or of a split hand.

    >>> box_of("box3#2/main"), box_of("dealer")
    ('box3', 'dealer')
    """
    return at.partition("/")[0].partition("#")[0]


@cache
def hand_of(at: str) -> str:
    """The hand a wager spot belongs to.

    >>> hand_of("box3#2/main")
    'box3#2'
    """
    return at.partition("/")[0]


@cache
def spot_of(at: str) -> str:
    """The last part of a wager spot.

    >>> spot_of("box3#2/main"), spot_of("pot")
    ('main', '')
    """
    return at.partition("/")[2]


@cache
def box_number(place: str) -> int:
    """3 for box3, box3#2 or box3/main; 0 for what is not a box.

    >>> box_number("box12/main"), box_number("dealer")
    (12, 0)
    """
    box = box_of(place)
    return int(box[3:]) if box.startswith("box") and box[3:].isdigit() else 0
