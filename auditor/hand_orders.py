"""Orders of hands: what each poker rulebook ranks above what, for which deck, with which house options.

The rows are the rulebook's own, in its own order, so that a finding can cite the row that decided.

>>> ACT_REDUCED[40].clause_of(Category.FLUSH), ACT_REDUCED[40].clause_of(Category.FULL_HOUSE)
('3.4(e)', '3.4(f)')
"""

from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property
from typing import Literal

from auditor.cards import JOKER


class Category(StrEnum):
    """The kinds of hand the rulebooks name; their order is the `Order`'s business."""

    ROYAL_FLUSH = "royal flush"
    FIVE_OF_A_KIND = "five of a kind"
    STRAIGHT_FLUSH = "straight flush"
    FOURS = "four of a kind"
    FULL_HOUSE = "full house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREES = "three of a kind"
    TWO_PAIRS = "two pairs"
    PAIR = "one pair"
    HIGH_CARD = "high card"


@dataclass(frozen=True, kw_only=True)
class Order:
    """An order of hands: the rows (a), (b), … of `clause`, highest first, and the lowest card of its deck.

    The other fields are house options and open points of the rulebooks; `dataclasses.replace` sets them:

    - ``ace_low``: the ace also counts below the deck's lowest card in a straight: 5-4-3-2-A with 52 cards, 8-7-6-5-A
      with 40. ACT 3.5(a) leaves it to the operator; the other rulebooks fix it: default true.
    - ``suited_ace_low``: so it does in a straight flush. Tas stud lowers the ace in row (f), straights, only; but what
      (f) makes a sequence is, suited, (b)'s "five cards of the same suit in sequence": default true. False: a flush.
    - ``joker_duplicates``: the joker may double a card of the hand in a flush (A-A-K-9-7). The dictionary has it
      substitute for "any *other* card": default false. Five of a kind always stands: row (b) names it.
    - ``low_ace``: where the ace stands in low hands. ACT 3.1 puts it highest, 3.5(a) lowers it in straights alone:
      default "high".
    """

    clause: str
    ranking: tuple[Category, ...]
    lowest: int = 2
    ace_low: bool = True
    suited_ace_low: bool = True
    joker_duplicates: bool = False
    low_ace: Literal["high", "low"] = "high"

    @property
    def deck(self) -> range:
        """The deck's cards, without the joker.

        >>> [len(order.deck) for order in ACT_REDUCED.values()]
        [48, 44, 40, 36, 32]
        """
        return range(4 * (self.lowest - 2), JOKER)

    @property
    def admits_joker(self) -> bool:
        """Whether the rulebook knows a wild card: then it says where five of a kind stand."""
        return Category.FIVE_OF_A_KIND in self.ranking

    def level(self, category: Category) -> int:
        """The category's place, 0 for the lowest; ValueError when the rulebook does not have it."""
        return len(self.ranking) - 1 - self.ranking.index(category)

    def clause_of(self, category: Category) -> str:
        """The row of the rulebook that describes the category."""
        return f"{self.clause}({'abcdefghijk'[self.ranking.index(category)]})"

    def __hash__(self) -> int:
        # An evaluation finds its tables by their order: hashing all the rows each time would cost more than the rest.
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, field.name) for field in fields(self)))


_TEN_ROWS = (
    Category.ROYAL_FLUSH,
    Category.STRAIGHT_FLUSH,
    Category.FOURS,
    Category.FULL_HOUSE,
    Category.FLUSH,
    Category.STRAIGHT,
    Category.THREES,
    Category.TWO_PAIRS,
    Category.PAIR,
    Category.HIGH_CARD,
)
_ACT_FULL_ROWS = (Category.ROYAL_FLUSH, Category.FIVE_OF_A_KIND, *_TEN_ROWS[1:])
_ACT_REDUCED_ROWS = (
    Category.ROYAL_FLUSH,
    Category.FIVE_OF_A_KIND,
    Category.STRAIGHT_FLUSH,
    Category.FOURS,
    Category.FLUSH,
    Category.FULL_HOUSE,
    *_TEN_ROWS[5:],
)
_TAS_REDUCED_ROWS = (
    Category.ROYAL_FLUSH,
    Category.STRAIGHT_FLUSH,
    Category.FLUSH,
    Category.FOURS,
    Category.FULL_HOUSE,
    *_TEN_ROWS[5:],
)

# ACT Hold-em (NI2015-405) and Faro (NI2005-67) have the same rules 2.2 and 3.
FULL = Order(clause="3.3", ranking=_ACT_FULL_ROWS)
ACT_REDUCED = {
    48: Order(clause="3.4", ranking=_ACT_REDUCED_ROWS, lowest=3),
    44: Order(clause="3.4", ranking=_ACT_REDUCED_ROWS, lowest=4),
    40: Order(clause="3.4", ranking=_ACT_REDUCED_ROWS, lowest=5),
    36: Order(clause="3.4", ranking=_ACT_REDUCED_ROWS, lowest=6),
    32: Order(clause="3.4", ranking=_ACT_REDUCED_ROWS, lowest=7),
}
UTH = Order(clause="3.1", ranking=_TEN_ROWS)
CANBERRA = Order(clause="2.6", ranking=_TEN_ROWS)
TAS_HOLDEM = Order(clause="4.3", ranking=_TEN_ROWS)
TAS_STUD = Order(clause="14.1", ranking=_TEN_ROWS)
TAS_REDUCED = Order(clause="14.2", ranking=_TAS_REDUCED_ROWS, lowest=7)
