"""ACT Poker Faro (NI2005-67): five hole cards and five communal cards, of which a hand takes two and three."""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta

from auditor.hands import faro_low_strength, faro_strength
from auditor.poker import OutOfTurn, PokerHouse, PokerRules
from auditor.poker_deal import Deal
from auditor.rulebooks.act_holdem import CLAUSES as HOLDEM_CLAUSES
from auditor.rulebooks.act_poker import ActPokerGame, ActPokerHouse

MAX_RAISES = 3  # 5.1


class FaroHouse(ActPokerHouse, frozen=True, kw_only=True):
    """Options of ACT Poker Faro."""

    deal: Annotated[
        Literal["2-2-1", "1"], Meta(description="hole cards two, two and one at a time, or one at a time (9.2)")
    ] = "2-2-1"

    def raise_cap(self, street: int) -> int | None:
        return MAX_RAISES if self.ante is None else None


CLAUSES = dataclasses.replace(
    HOLDEM_CLAUSES,
    button="8.3", board=("9.5",), betting_first="9.4", burn="9.3", clock="4.6", exposed="17.1(c)", exposed_unburnt="",
    missed="17.1(e)", extra="17.1(f)", stranger="17.1(e)", premature="17.17", early_unstarted="17.18",
    stake_between="4.4", stake_bounds_later="14.3", largest_stake="", heads_up="", shown_first="9.5",
)  # fmt: skip

RULES = PokerRules(
    clauses=CLAUSES,
    out_of_turn=OutOfTurn("17.5", "17.6", raise_after_smaller=True, raise_after_bigger=True, returned=True),
    hole_cards=5,
    board=(1, 1, 1, 1, 1),
    clock_s=90,
    checks_on_time=False,
    short_call_returned=True,
    misdeal_lapses=True,
    raise_at_least_call=False,
    shows="called",
    rounds=5,
    stake_may_shrink=True,
    early_card_stays=True,
    burns_known=False,
)


class ActFaro(ActPokerGame[FaroHouse]):
    """The rulebook."""

    id = "act-faro"
    citation = "NI2005-67"
    house_type = FaroHouse
    rules = RULES
    hand_size = 5

    def sequence(self, seats: Sequence[str], house: FaroHouse) -> list[str]:
        """9.2(a), (b)."""
        if house.deal == "1":
            return [*seats] * 5
        pairs = [box for box in seats for _ in range(2)]
        return [*pairs, *pairs, *seats]

    def ranking(self, hole: Sequence[int], board: Sequence[int], house: PokerHouse) -> tuple[int | None, int | None]:
        """9.1: exactly two of the hole cards and three of the communal cards."""
        order = house.hand_order
        low = None if house.wins == "high" else faro_low_strength(hole, board, order, house.low_limit)
        return faro_strength(hole, board, order), low

    def misdeals(self, deal: Deal) -> Iterator[tuple[str, str]]:
        yield from super().misdeals(deal)
        if deal.exposed_hole():
            yield "17.1(c)", "A hole card was exposed in the initial deal"
