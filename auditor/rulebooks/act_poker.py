"""What ACT Hold-em (NI2015-405) and ACT Poker Faro (NI2005-67) have in common: options, order of hands, commission."""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta

from auditor.hands import ACT_REDUCED, FULL, Order
from auditor.house import Money
from auditor.log import cents
from auditor.poker import BettingHouse, PokerHouse, Win
from auditor.poker_deal import Deal
from auditor.poker_game import PokerGame, PokerHouseType
from auditor.poker_hole_cards import dealt_wrong, initial_findings
from auditor.poker_pots import Charge, Taking

# 15.2(a): the scale's clause, its threshold and its rate in per cent, by the house option.
SCALES = {"5": ("15.2(a)(i)", 1900, 5), "10": ("15.2(a)(ii)", 900, 10)}
DOLLAR = 100
LOWER_SCALE_STAKE = 100  # 15.2(e)


class ActPokerHouse(BettingHouse, frozen=True, kw_only=True):
    """Options of the two ACT poker games."""

    deck: Annotated[Literal[52, 48, 44, 40, 36, 32], Meta(description="cards in the deck, without the joker (2.2)")] = (
        52
    )
    joker: Annotated[bool, Meta(description="a joker is added as a wild card (2.3)")] = False
    ace_low: Annotated[bool, Meta(description="the ace also counts low in straights (3.5(a))")] = True
    win: Annotated[Win, Meta(description="the hand that wins: high, low or both halves (3.5(b), (c))")] = "high"
    low_qualifier: Annotated[
        Annotated[int, Meta(ge=5, le=13)] | None,
        Meta(description="highest card of a low hand in a split game (3.5(d))"),
    ] = 8
    blind_option: Annotated[
        Literal["B", "A", "C"], Meta(description="what the opening player may do in the first betting round (10.2)")
    ] = "B"
    commission: Annotated[
        Literal["5", "10", "time", "none"],
        Meta(description="commission scale in per cent, by time, or none (15.2, 15.3)"),
    ] = "5"
    commission_cap: Annotated[Money | None, Meta(description="approved maximum commission of a round (15.2(a))")] = None
    table_stake: Annotated[Money | None, Meta(description="least stake of a player (4.2(a))")] = None
    max_buy_in: Annotated[Money | None, Meta(description="largest stake bought (4.2(i))")] = None
    over_blind: Annotated[bool, Meta(description="over-blinds may be posted (4.2(e))")] = False
    time_charge: Annotated[Money | None, Meta(description="charge of a time-based commission (15.3)")] = None
    chip: Annotated[
        Annotated[float, Meta(gt=0)], Meta(description="smallest chip in play; pots are divided in it (13.2)")
    ] = 1
    low_ace: Annotated[
        Literal["high", "low"], Meta(description="the ace in low hands (3.5(a) speaks of straights only)")
    ] = "high"
    joker_duplicates: Annotated[
        bool, Meta(description="the joker may double a card of a flush (not stated in 2.3, 3.7)")
    ] = False
    excess_card: Annotated[
        Literal["reconstruct", "misdeal"],
        Meta(description="one card too many put right before the betting: play on, or a misdeal all the same (17.1)"),
    ] = "reconstruct"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.commission == "10" and self.table_stake is not None and self.table_stake > LOWER_SCALE_STAKE:
            raise ValueError(
                f"commission 10 needs a table_stake of {LOWER_SCALE_STAKE} or less, not {self.table_stake}"
            )
        if self.table_stake is not None and self.max_buy_in is not None and self.table_stake > self.max_buy_in:
            raise ValueError(f"table_stake {self.table_stake} is above max_buy_in {self.max_buy_in}")
        if self.ante is not None and self.over_blind:
            raise ValueError("over_blind needs blinds, not an ante")

    @property
    def unit(self) -> int:
        return cents(self.chip)

    @property
    def hand_order(self) -> Order:
        return _order(self.deck, self.ace_low, self.joker_duplicates, self.low_ace)

    @property
    def wins(self) -> Win:
        return self.win

    @property
    def low_limit(self) -> int | None:
        return self.low_qualifier if self.win == "split" else None

    @property
    def allows_over_blind(self) -> bool:
        return self.over_blind

    @property
    def stake_bounds(self) -> tuple[int | None, int | None]:
        least, most = self.table_stake, self.max_buy_in
        return None if least is None else cents(least), None if most is None else cents(most)

    @property
    def charged_by_time(self) -> bool:
        return self.commission == "time"

    @property
    def has_joker(self) -> bool:
        return self.joker

    @property
    def opener_fold_rule(self) -> str:
        if self.ante is not None:
            return "10.2(d)"
        return "10.2(a)" if self.blind_option == "A" else ""

    @property
    def opener_call_rule(self) -> str:
        return "10.2(c)" if self.ante is None and self.blind_option == "C" else ""


_ORDERS: dict[tuple[object, ...], Order] = {}


def _order(deck: int, ace_low: bool, joker_duplicates: bool, low_ace: Literal["high", "low"]) -> Order:
    key = (deck, ace_low, joker_duplicates, low_ace)
    if key not in _ORDERS:
        base = FULL if deck == 52 else ACT_REDUCED[deck]
        _ORDERS[key] = dataclasses.replace(base, ace_low=ace_low, joker_duplicates=joker_duplicates, low_ace=low_ace)
    return _ORDERS[key]


def act_commission(house: PokerHouse, pots: Sequence[int], taking: Taking) -> Charge:
    """15.2: once any pot exceeds the threshold, a share of the sum of all pots, listed on the first.

    >>> act_commission(ActPokerHouse(), [4500, 1200], Taking(only_forced=False, shared_by_all=False))
    Charge(rule='15.2(a)(i)', of_pots=[200, 0])
    """
    assert isinstance(house, ActPokerHouse)
    nothing = [0] * len(pots)
    if house.commission not in SCALES:
        return Charge("15.3" if house.charged_by_time else "15.2", nothing)
    if taking.only_forced or taking.shared_by_all:
        return Charge("15.2(d)" if taking.only_forced else "15.2(c)", nothing)
    rule, threshold, rate = SCALES[house.commission]
    if not pots or max(pots) <= threshold:
        return Charge(rule, nothing)
    due = sum(pots) * rate // 100 // DOLLAR * DOLLAR
    if house.commission_cap is not None:
        due = min(due, cents(house.commission_cap))
    return Charge(rule, [due, *nothing[1:]])


class ActPokerGame(PokerGame[PokerHouseType]):
    """What both ACT rulebooks say of commission and misdeals."""

    one_commission = True

    def commission(self, house: PokerHouse, pots: Sequence[int], taking: Taking) -> Charge:
        return act_commission(house, pots, taking)

    def misdeals(self, deal: Deal) -> Iterator[tuple[str, str]]:
        yield from super().misdeals(deal)
        yield from dealt_wrong(deal)
        yield from _excess_card(deal)


def _excess_card(deal: Deal) -> Iterator[tuple[str, str]]:
    """17.1: one card too many is a misdeal even when it was put right, if the house reads the last part so."""
    house = deal.house
    if isinstance(house, ActPokerHouse) and house.excess_card == "misdeal":
        for finding in initial_findings(deal):
            if finding.kind == "deal.extra":
                yield finding.rule, finding.message.rstrip(".")
