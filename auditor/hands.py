"""Poker hands: how strong a hand is under a rulebook's own order, and what it is called.

A strength is an int: bigger is better, equal is a tie. Strengths compare only within one order. A card that is not in
the order's deck, or twice in a hand, is a ValueError: such a hand has no rank, and the card is a finding of its own.

>>> royal = strength(read_cards("As Ks Qs Jkr Ts Qc 4d"), FULL)
>>> describe(royal, FULL), FULL.clause_of(category(royal, FULL))
('royal flush', '3.3(a)')
>>> royal > strength(read_cards("Qd Qh Qs Jkr Ts Qc 4d"), FULL)
True
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from auditor.cards import JOKER, card, rank_of
from auditor.hand_orders import (
    ACT_REDUCED,
    CANBERRA,
    FULL,
    TAS_HOLDEM,
    TAS_REDUCED,
    TAS_STUD,
    UTH,
    Category,
    Order,
)
from auditor.hand_tables import RANK_BITS, encode, of_a_kind, tables_of

__all__ = [
    "ACT_REDUCED", "CANBERRA", "FULL", "TAS_HOLDEM", "TAS_REDUCED", "TAS_STUD", "UTH", "Category", "Order",
    "at_least", "best_five", "category", "describe", "describe_low", "faro_best_five", "faro_low_strength",
    "faro_strength", "has_ace_king", "low_strength", "read_cards", "showing_strength", "strength", "strengths",
]  # fmt: skip

_LOW_PIPS = ("", "ace", "two", "three", "four", "five", "six", "seven")
_PIP_NAMES = (*_LOW_PIPS, "eight", "nine", "ten", "jack", "queen", "king", "ace")
# How many of a strength's digits name groups of equal cards rather than single ones.
_GROUPS = {
    Category.FIVE_OF_A_KIND: 1,
    Category.FOURS: 1,
    Category.FULL_HOUSE: 2,
    Category.THREES: 1,
    Category.TWO_PAIRS: 2,
    Category.PAIR: 1,
}


def read_cards(text: str) -> list[int]:
    """The cards of a hand written as in the table log, with spaces between."""
    return [card(word) for word in text.split()]


def strength(cards: Sequence[int], order: Order) -> int:
    """How strong the best five of 5, 6 or 7 cards are.

    >>> flush, full_house = read_cards("Kd Jd 9d 7d 5d"), read_cards("Ks Kh Kc Js Jd")
    >>> strength(flush, ACT_REDUCED[40]) > strength(full_house, ACT_REDUCED[40])
    True
    """
    return tables_of(order).strength(cards)


def strengths(hands: Iterable[Sequence[int]], order: Order) -> list[int]:
    """The strengths of many hands."""
    return list(map(tables_of(order).strength, hands))


def faro_strength(hole: Sequence[int], board: Sequence[int], order: Order) -> int:
    """How strong the best hand of exactly two hole cards and three communal cards is (Faro 9.1).

    >>> describe(faro_strength(read_cards("As Ks Qs Js 2d"), read_cards("Ts 9s 4h 4d 4c"), FULL), FULL)
    'three of a kind, fours, ace, king'
    """
    tables = tables_of(order)
    return max(tables.value(total, five) for total, five in tables.faro(hole, board))


def low_strength(cards: Sequence[int], order: Order, qualifier: int | None = None) -> int | None:
    """How good the lowest five cards are, bigger is better; None when they do not qualify (ACT 3.5(d), 3.6).

    The joker stands for the card that makes the lowest hand.

    >>> low_strength(read_cards("8h 6c 4c 3d 2s"), FULL, 8) > low_strength(read_cards("8h 7c 4c 3d 2s"), FULL, 8)
    True
    >>> low_strength(read_cards("9h 6c 4c 3d 2s"), FULL, 8) is None
    True
    """
    tables = tables_of(order)
    return _qualified(tables.low[tables.total(cards) & RANK_BITS], qualifier)


def faro_low_strength(
    hole: Sequence[int], board: Sequence[int], order: Order, qualifier: int | None = None
) -> int | None:
    """As `low_strength`, of exactly two hole cards and three communal cards (Faro 9.1)."""
    tables = tables_of(order)
    return _qualified(min(tables.low[total & RANK_BITS] for total, _ in tables.faro(hole, board)), qualifier)


def _qualified(height: int, qualifier: int | None) -> int | None:
    # Five odd cards are the lowest row of every order, so a paired hand is above any limit.
    if qualifier is not None and height >= qualifier + 1 << 16:
        return None
    return -height


def showing_strength(cards: Sequence[int], order: Order) -> int:
    """How strong one to four open cards are (Tas stud 11.1, 11.2): fours, threes, pairs, then every card in turn.

    A straight or a flush takes five cards, so none shows. The scale is that of `strength`: whether a hand beats
    another's four open cards (12.3) is a plain comparison.

    >>> showing_strength(read_cards("2s 2d"), TAS_STUD) > showing_strength(read_cards("As Ks"), TAS_STUD)
    True
    """
    if not 1 <= len(cards) <= 4:
        raise ValueError(f"one to four cards show, not {len(cards)}")
    tables_of(order).total(cards)
    return of_a_kind(order, [rank_of(card) + 2 for card in cards])


def category(strength: int, order: Order) -> Category:
    """The kind of hand a strength stands for."""
    return order.ranking[-1 - (strength >> 20)]


def at_least(strength: int, least: Category, order: Order) -> bool:
    """Whether the hand is of that category or a higher one (UTH: the dealer qualifies with one pair)."""
    return strength >> 20 >= order.level(least)


def has_ace_king(strength: int, order: Order) -> bool:
    """Whether the hand has "an Ace and King or higher" (Canberra 9.2).

    >>> [has_ace_king(strength(read_cards(text), CANBERRA), CANBERRA) for text in ("Ah Kd 4c 3c 2c", "Ah Qd Jc Tc 9c")]
    [True, False]
    """
    return strength >= encode(order, Category.HIGH_CARD, [14, 13])


def best_five(cards: Sequence[int], order: Order) -> tuple[int, ...]:
    """The five cards that make the hand, in the order they count, the joker last."""
    return _in_order(max(combinations(cards, 5), key=tables_of(order).strength), order)


def faro_best_five(hole: Sequence[int], board: Sequence[int], order: Order) -> tuple[int, ...]:
    """The two hole cards and three communal cards that make the hand, in the order they count, the joker last."""
    tables = tables_of(order)
    return _in_order(max(tables.faro(hole, board), key=lambda hand: tables.value(*hand))[1], order)


def _in_order(five: tuple[int, ...], order: Order) -> tuple[int, ...]:
    value = strength(five, order)
    straight = category(value, order) in (Category.STRAIGHT, Category.STRAIGHT_FLUSH)
    top = (value >> 16 & 15) - 2 if straight else 12
    ranks = [rank_of(card) for card in five]

    def place(card: int) -> tuple[bool, bool, int, int]:
        # In a straight only a low ace is above the top card: it goes to the end.
        rank = rank_of(card)
        return card == JOKER, rank > top, -ranks.count(rank), -rank

    return tuple(sorted(five, key=place))


def describe(strength: int, order: Order) -> str:
    """The hand in words.

    >>> describe(strength(read_cards("Qs Qh 4s 4d Jc 3d 2d"), FULL), FULL)
    'two pairs, queens and fours, jack'
    >>> describe(strength(read_cards("8s 7d 6h 5c As"), ACT_REDUCED[40]), ACT_REDUCED[40])
    'straight, eight high'
    """
    kind = category(strength, order)
    names = [_PIP_NAMES[strength >> shift & 15] for shift in range(16, -1, -4) if strength >> shift & 15]
    if kind is Category.ROYAL_FLUSH:
        return str(kind)
    if kind in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        return f"{kind}, {names[0]} high"
    groups = _GROUPS.get(kind, 0)
    plurals = " and ".join(name + ("es" if name == "six" else "s") for name in names[:groups])
    return ", ".join([str(kind), *([plurals] if plurals else []), *names[groups:]])


def describe_low(low: int, order: Order) -> str:
    """The low hand in words.

    >>> describe_low(low_strength(read_cards("8h 6c 4c 3d 2s Kd Ks"), FULL, 8), FULL)
    'high card, eight, six, four, three, two'
    """
    return describe(-low, order)
