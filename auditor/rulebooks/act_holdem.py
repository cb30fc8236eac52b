"""ACT Hold-em (NI2015-405): two hole cards, a flop of three, a turn and a river, four betting rounds."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from auditor.poker import Clauses, OutOfTurn, PokerRules
from auditor.poker_deal import Deal
from auditor.rulebooks.act_poker import ActPokerGame, ActPokerHouse


class HoldemHouse(ActPokerHouse, frozen=True, kw_only=True):
    """Options of ACT Hold-em."""

    burn: Annotated[bool, Meta(description="a card is burnt before flop, turn and river (4.2(h))")] = True
    max_raises: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="cap on raises in fixed-limit betting (not stated in 5.1)")
    ] = None

    @property
    def burns(self) -> int:
        return int(self.burn)

    def raise_cap(self, street: int) -> int | None:
        return self.max_raises if self.limit == "fixed" else None


CLAUSES = Clauses(
    one_deck="2.1", deck="2.2", shuffle="7.1", cut="17.1(b)", cut_exposed="17.1(a)", button="8.4", blind="8.5(a)",
    ante="8.5(b)", deal="9.2", board=("9.4",), betting_first="9.3", burn="4.2(h)", opens=("10.1",),
    in_turn=("10.3", "12.3"), no_first_check="11.1", no_check="11.2", late=("10.4(b)", "12.4(b)"), least_bet="5.2",
    least_bet_after_antes="6.1", most_bet="4.2(g)", pot_limit="4.2(g)", least_raise="5.1", raises="5.1", multiple="5.2",
    under_raise="14.5", short_raise="17.7", short_call="17.8", tapped_out="14.1", clock="4.8",
    last_player=("10.4(a)", "12.4(a)"), played_out="9.6", show="13.1", split="13.2", side_pot="14.2",
    wrong_count="17.9", exchange="16.8(a)", missed="17.1(d)", extra="17.1(e)", stranger="17.1(d)", exposed="17.20",
    exposed_unburnt="17.21", replaced="17.20", misdeal="17.3", premature="17.17", shown_first="17.19", stake="4.4",
    stake_between="4.6", stake_bounds="4.3", stake_bounds_later="4.5", largest_stake="4.2(i)", missed_blind="17.4",
    new_player="17.11", over_blind="4.2(e)", heads_up="20.19", tournament_stake="20.14",
)  # fmt: skip

RULES = PokerRules(
    clauses=CLAUSES,
    out_of_turn=OutOfTurn("17.6(b)", "17.6(c)", raise_after_smaller=False, raise_after_bigger=True, returned=False),
    hole_cards=2,
    board=(0, 3, 1, 1),
    clock_s=40,
    checks_on_time=False,
    short_call_returned=True,
    misdeal_lapses=True,
    raise_at_least_call=False,
    shows="called",
    rounds=4,
)


class ActHoldem(ActPokerGame[HoldemHouse]):
    """The rulebook."""

    id = "act-holdem"
    citation = "NI2015-405"
    house_type = HoldemHouse
    rules = RULES
    hand_size = 2

    def misdeals(self, deal: Deal) -> Iterator[tuple[str, str]]:
        yield from super().misdeals(deal)
        if deal.exposed_hole() and not deal.house.burns:
            yield "17.21", "A hole card was exposed in the initial deal of a game without burn cards"
