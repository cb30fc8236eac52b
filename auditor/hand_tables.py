"""Lookup tables of the hand evaluator: they start empty and fill as hands ask, so a log without poker pays nothing.

A strength is an int, bigger is better, equal is a tie: the category's place in the order, then five hexadecimal digits,
the pips (2 to 14) of what counts, in the order it counts.

>>> from auditor.hand_orders import FULL
>>> hex(encode(FULL, Category.TWO_PAIRS, [12, 4, 11]))
'0x2c4b00'
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations

from auditor.cards import JOKER, name, rank_of
from auditor.hand_orders import Category, Order

ACE_PIPS = 14

# The sum of the keys of a hand's cards counts its ranks (3 bits each), the joker (1 bit) and its suits (4 bits each,
# the joker in all four; they start at 3, so five of a suit set the top bit). Only then are the cards looked at again.
_JOKER_BIT = 1 << 39
RANK_BITS = (1 << 40) - 1
_ONE_OF_EACH_SUIT = sum(1 << 40 + 4 * suit for suit in range(4))
_SUIT_STARTS = 3 * _ONE_OF_EACH_SUIT
_FLUSH_BITS = 8 * _ONE_OF_EACH_SUIT
_WILD_BIT = 1 << 13  # the joker in a suit's set of ranks, one place above the ace


def encode(order: Order, category: Category, pips: Iterable[int]) -> int:
    """The strength of a hand of that category whose cards count in that order."""
    value = order.level(category)
    for digit in [*pips, 0, 0, 0, 0, 0][:5]:
        value = value << 4 | digit
    return value


def of_a_kind(order: Order, pips: Sequence[int]) -> int:
    """The best hand in one to seven cards when straights and flushes do not count."""
    singles = sorted(set(pips), reverse=True)
    pairs = [pip for pip in singles if pips.count(pip) >= 2]
    threes = [pip for pip in pairs if pips.count(pip) >= 3]
    fours = [pip for pip in threes if pips.count(pip) >= 4]
    fives = [pip for pip in fours if pips.count(pip) == 5]
    if fives:
        category, group, kickers = Category.FIVE_OF_A_KIND, fives, 0
    elif fours:
        category, group, kickers = Category.FOURS, fours[:1], 1
    elif threes and len(pairs) > 1:
        second = next(pip for pip in pairs if pip != threes[0])
        category, group, kickers = Category.FULL_HOUSE, [threes[0], second], 0
    elif threes:
        category, group, kickers = Category.THREES, threes, 2
    elif len(pairs) > 1:
        category, group, kickers = Category.TWO_PAIRS, pairs[:2], 1
    elif pairs:
        category, group, kickers = Category.PAIR, pairs, 3
    else:
        category, group, kickers = Category.HIGH_CARD, [], 5
    return encode(order, category, group + [pip for pip in singles if pip not in group][:kickers])


def _sequences(order: Order, *, ace_low: bool) -> list[tuple[int, int]]:
    """The straights of the deck, highest first: (set of ranks, pips of the highest card)."""
    found = [(0b11111 << top - 6, top) for top in range(ACE_PIPS, order.lowest + 3, -1)]
    if ace_low:
        found.append((1 << ACE_PIPS - 2 | 0b1111 << order.lowest - 2, order.lowest + 3))
    return found


def _pips(key: int) -> list[int]:
    """The pips of the cards that the rank bits count, lowest first."""
    pips = [pip for pip in range(2, ACE_PIPS + 1) for _ in range(key >> 3 * pip - 6 & 7)]
    if not 5 <= len(pips) <= 7:
        raise ValueError(f"a hand is made from 5, 6 or 7 cards, not {len(pips)}")
    return pips


class _RankTable(dict[int, int]):
    """Something about a hand by its counts of ranks, suits apart; worked out when first asked for."""

    def __init__(self, order: Order) -> None:
        super().__init__()
        self.order = order

    def with_joker(self, key: int) -> list[int]:
        """The values for every card of the deck that the joker may substitute for (3.7)."""
        return [self[(key ^ _JOKER_BIT) + (1 << 3 * pip - 6)] for pip in range(self.order.lowest, ACE_PIPS + 1)]


class _Unsuited(_RankTable):
    """The best hand that is not a flush."""

    def __init__(self, order: Order) -> None:
        super().__init__(order)
        self._straights = [
            (ranks, encode(order, Category.STRAIGHT, [top])) for ranks, top in _sequences(order, ace_low=order.ace_low)
        ]

    def __missing__(self, key: int) -> int:
        if key & _JOKER_BIT:
            value = max(self.with_joker(key))
        else:
            pips = _pips(key)
            held = sum([1 << pip - 2 for pip in set(pips)])
            straights = [straight for ranks, straight in self._straights if ranks & held == ranks]
            value = max([of_a_kind(self.order, pips), *straights])
        self[key] = value
        return value


class _Low(_RankTable):
    """The lowest hand; straights and flushes do not count (3.6)."""

    def __missing__(self, key: int) -> int:
        if key & _JOKER_BIT:
            value = min(self.with_joker(key))
        else:
            pips = _pips(key)
            if self.order.low_ace == "low":
                pips = [1 if pip == ACE_PIPS else pip for pip in pips]
            value = min(of_a_kind(self.order, five) for five in set(combinations(pips, 5)))
        self[key] = value
        return value


class _Suited(dict[int, int]):
    """The best flush by the set of ranks held in the suit, the joker among them or not."""

    def __init__(self, order: Order) -> None:
        super().__init__()
        self._order = order
        self._sequences = _sequences(order, ace_low=order.ace_low and order.suited_ace_low)

    def __missing__(self, held: int) -> int:
        pips = [pip for pip in range(ACE_PIPS, 1, -1) if held >> pip - 2 & 1]
        if held & _WILD_BIT:
            free = [pip for pip in range(self._order.lowest, ACE_PIPS + 1) if pip not in pips]
            value = max(self[held ^ _WILD_BIT | 1 << pip - 2] for pip in free)
            if self._order.joker_duplicates:
                value = max(value, encode(self._order, Category.FLUSH, [ACE_PIPS, *pips]))
        else:
            tops = [top for ranks, top in self._sequences if ranks & held == ranks]
            if not tops:
                value = encode(self._order, Category.FLUSH, pips)
            elif tops[0] == ACE_PIPS:
                value = encode(self._order, Category.ROYAL_FLUSH, tops[:1])
            else:
                value = encode(self._order, Category.STRAIGHT_FLUSH, tops[:1])
        self[held] = value
        return value


class Tables:
    """The three tables of one order and the way into them."""

    def __init__(self, order: Order) -> None:
        self.keys = {card: 1 << 3 * rank_of(card) | 1 << 40 + 4 * (card & 3) for card in order.deck}
        if order.admits_joker:
            self.keys[JOKER] = _JOKER_BIT | _ONE_OF_EACH_SUIT
        self.unsuited, self.suited, self.low = _Unsuited(order), _Suited(order), _Low(order)

    def total(self, cards: Sequence[int]) -> int:
        """The sum of the cards' keys; ValueError for a card that is not in the deck, or there twice."""
        if len(set(cards)) != len(cards):
            raise ValueError(f"the same card twice in {' '.join(map(name, cards))}")
        try:
            return sum(map(self.keys.__getitem__, cards), _SUIT_STARTS)
        except KeyError as error:
            raise ValueError(f"{name(error.args[0])} is not in the deck of this order") from None

    def strength(self, cards: Sequence[int]) -> int:
        """The strength of the best five cards."""
        return self.value(self.total(cards), cards)

    def value(self, total: int, cards: Sequence[int]) -> int:
        """The strength of the best five cards, the sum of whose keys is known."""
        value = self.unsuited[total & RANK_BITS]
        flush = total & _FLUSH_BITS
        if flush:
            suit = flush.bit_length() - 44 >> 2
            held = 0
            for card in cards:
                if card & 3 == suit or card == JOKER:
                    held |= 1 << rank_of(card)
            value = max(value, self.suited[held])
        return value

    def faro(self, hole: Sequence[int], board: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Every hand of two hole cards and three communal cards (Faro 9.1), after the sum of its keys."""
        if len(hole) != 5 or len(board) != 5:
            raise ValueError(f"Faro 9.1 has five hole cards and five communal cards, not {len(hole)} and {len(board)}")
        self.total([*hole, *board])
        threes = [(self.total(three), three) for three in combinations(board, 3)]
        for first, second in combinations(hole, 2):
            keys = self.keys[first] + self.keys[second]
            for total, three in threes:
                yield keys + total, (first, second, *three)


@cache
def tables_of(order: Order) -> Tables:
    """The tables of that order, shared by everybody who asks."""
    return Tables(order)
