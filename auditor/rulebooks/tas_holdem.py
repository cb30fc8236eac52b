"""Tasmanian Hold'em (variation 2/18, part C): the full deck, at least three players, commission pot by pot."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta

from auditor.hands import TAS_HOLDEM, Order
from auditor.log import cents
from auditor.poker import BettingHouse, Clauses, OutOfTurn, PokerHouse, PokerRules
from auditor.poker_deal import Deal
from auditor.poker_game import PokerGame
from auditor.poker_hole_cards import dealt_wrong
from auditor.poker_pots import Charge, Taking

MAX_RAISES = 3  # 7.1
CAPPED_ROUNDS = 3  # 7.1, 7.2
SMALL_POT = 2000  # 17.2(a)iii, 17.2(b)ii
DOLLAR = 100


class TasHoldemHouse(BettingHouse, frozen=True, kw_only=True):
    """Options of Tasmanian Hold'em."""

    burn: Annotated[
        Annotated[int, Meta(ge=0, le=9)], Meta(description="cards burnt before flop, turn and river (5.2(g))")
    ] = 1
    commission: Annotated[
        Literal["one", "two", "none"], Meta(description="method of commission, pot by pot (17.2); none: no commission")
    ] = "one"
    chip: Annotated[
        Annotated[float, Meta(gt=0)] | None,
        Meta(description="table minimum, the unit pots are divided in (15.3); without it `min`, else 1"),
    ] = None

    @property
    def unit(self) -> int:
        return cents(self.chip or self.min or 1)

    @property
    def burns(self) -> int:
        return self.burn

    @property
    def hand_order(self) -> Order:
        return TAS_HOLDEM

    def raise_cap(self, street: int) -> int | None:
        """7.1, 7.2, 7.5."""
        return MAX_RAISES if self.limit == "fixed" and street < CAPPED_ROUNDS else None


CLAUSES = Clauses(
    one_deck="2.1", deck="2.2", shuffle="9.2", cut="19.1(b)", cut_exposed="19.1(a)", button="10.1", blind="10.2",
    ante="5.2(b)", deal="11.3", board=("11.5", "11.7", "11.8"), betting_first="11.4", burn="5.2(g)",
    opens=("12.1", "12.4"), opens_for_absent="12.5", in_turn=("12.2", "14.3"), no_first_check="13.1", no_check="13.2",
    late=("12.3(b)", "14.4(b)"), least_bet="7.4", least_bet_after_antes="8.1", most_bet="5.2(f)", pot_limit="5.2(f)",
    least_raise="7.3", raises="7.1", multiple="7.4", under_raise="16.3", under_raise_fixed="16.2", short_raise="19.13",
    short_call="19.14", tapped_out="16.1", clock="5.7", last_player=("12.3(a)", "14.4(a)"), played_out="11.9",
    show="15.1", split="15.3", side_pot="16.1", wrong_count="19.15", exchange="18.8(a) (first)", missed="19.1(e)",
    extra="19.1(e)", stranger="19.1(e)", exposed="19.1(c)", replaced="19.4", misdeal="19.6", premature="19.2",
    stake="5.4", stake_between="5.5", stake_bounds="5.3", stake_bounds_later="5.2(h)", missed_blind="19.10",
    new_player="19.7", shown_first="19.3", over_blind="5.2(e)", players="3.4", dead_small_blind="19.9",
    tournament_stake="20.11",
)  # fmt: skip

RULES = PokerRules(
    clauses=CLAUSES,
    out_of_turn=OutOfTurn("19.11", "19.12", raise_after_smaller=False, raise_after_bigger=False, returned=True),
    hole_cards=2,
    board=(0, 3, 1, 1),
    clock_s=90,
    checks_on_time=True,
    short_call_returned=False,
    raise_at_least_call=False,
    shows="aggressor",
    rounds=4,
    least_players=3,
    commission_in_float=True,
    joins_at_big_blind=True,
)


def pot_commission(amount: int, method: str) -> int:
    """17.2: the commission of one pot.

    >>> pot_commission(15100, "one"), pot_commission(4800, "one"), pot_commission(5001, "two")
    (1500, 400, 500)
    """
    if method == "one":
        return 0 if amount <= SMALL_POT else min(amount // 10 // DOLLAR * DOLLAR, 15 * DOLLAR)
    if method == "two":
        return DOLLAR if amount <= SMALL_POT else -(-amount // 5000) * 250
    return 0


class TasHoldem(PokerGame[TasHoldemHouse]):
    """The rulebook."""

    id = "tas-holdem"
    citation = "Tasmania 2/18 Hold'em"
    house_type = TasHoldemHouse
    rules = RULES
    hand_size = 2

    def commission(self, house: PokerHouse, pots: Sequence[int], taking: Taking) -> Charge:
        assert isinstance(house, TasHoldemHouse)
        rule = {"one": "17.2(a)", "two": "17.2(b)"}.get(house.commission, "17.2")
        return Charge(rule, [pot_commission(amount, house.commission) for amount in pots])

    def misdeals(self, deal: Deal) -> Iterator[tuple[str, str]]:
        yield from super().misdeals(deal)
        yield from dealt_wrong(deal)
        exposed = deal.exposed_hole()
        if exposed and not deal.house.burns:
            yield "19.5", "A hole card was exposed in the initial deal of a game without burn cards"
        elif len(exposed) > 1:
            yield "19.1(c)", f"{len(exposed)} hole cards were exposed in the initial deal"
