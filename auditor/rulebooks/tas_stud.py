"""Tasmanian 5 Card Stud (variation 2/18, part B): one card down, four up, the highest hand showing opens."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta

from auditor import log
from auditor.findings import Finding
from auditor.hands import TAS_REDUCED, TAS_STUD, Order, showing_strength, strength
from auditor.log import cents
from auditor.poker import Clauses, Limit, OutOfTurn, PokerHouse, PokerRules
from auditor.poker_betting import showing
from auditor.poker_deal import Deal
from auditor.poker_game import PokerGame
from auditor.poker_hole_cards import dealt_wrong
from auditor.poker_pots import Charge, Taking
from auditor.poker_up_cards import UpCardDeal
from auditor.places import box_number

DOLLAR = 100
STEP = 50 * DOLLAR  # 15: both scales go by $50
PER_STEP = 2 * DOLLAR
CAP = 15 * DOLLAR  # 15.2
REDUCED_PLAYERS = (3, 5)  # 3.4


class TasStudHouse(PokerHouse, frozen=True, kw_only=True):
    """Options of Tasmanian 5 Card Stud."""

    deck: Annotated[Literal[52, 32], Meta(description="full deck, or reduced deck without 2 to 6 (3.4)")] = 52
    commission: Annotated[Literal["normal", "capped"], Meta(description="scale of commission (15)")] = "normal"
    freeze_out: Annotated[bool, Meta(description="the alternative conditions of play (16)")] = False
    chip: Annotated[
        Annotated[float, Meta(gt=0)],
        Meta(description="smallest chip; what it leaves undivided may go to any winner (11.3)"),
    ] = 1

    half_pot_with_call: Annotated[
        bool,
        Meta(description="half the pot limits the raise beyond the call, which counts in the pot (5.4 does not say)"),
    ] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.freeze_out and self.deck == 32:
            raise ValueError("freeze_out is always played with a full deck, not deck 32 (16.8)")

    @property
    def ante_level(self) -> int | None:
        return self.min_cents

    def ante_after(self, eliminated: int) -> int | None:
        """5.4; 16.5: a freeze-out's ante rises by the original minimum with every player eliminated."""
        return self.min_cents * (1 + eliminated) if self.freeze_out else self.min_cents

    @property
    def limit_kind(self) -> Limit:
        return "half"

    @property
    def limit_includes_call(self) -> bool:
        return self.half_pot_with_call

    @property
    def unit(self) -> int:
        return cents(self.chip)

    @property
    def hand_order(self) -> Order:
        return TAS_STUD if self.deck == 52 else TAS_REDUCED

    @property
    def opener_fold_rule(self) -> str:
        return "11.1(b)"

    @property
    def frozen_stakes(self) -> bool:
        return self.freeze_out

    def player_bounds(self, least: int) -> tuple[int, int | None]:
        if self.freeze_out:
            return 2, None
        return REDUCED_PLAYERS if self.deck == 32 else (least, None)


CLAUSES = Clauses(
    one_deck="3.1", deck="3.4", shuffle="4.2", cut="10.2(c)", cut_exposed="10.2(a)", button="9.1", blind="5.4",
    ante="5.4", deal="9.2", board=("9.2",), betting_first="9.2", burn="17.6", opens=("11.1(a)", "11.2(a)"),
    in_turn=("11.3(g)",), no_first_check="12.1", no_check="12.2", late=("11.1(c)ii",), least_bet="11.1(b)",
    most_bet="6.1", pot_limit="5.4", least_raise="11.1(b)ii", raises="11.1(b)ii", multiple="6.1", under_raise="13.1",
    short_raise="", short_call="11.1(b)i", tapped_out="13.1", clock="", last_player=("11.1(c)i",), played_out="11.3(a)",
    show="11.3(a)", split="11.3(c)", side_pot="13.1", wrong_count="17.3", missed="17.4", extra="17.4", stranger="17.4",
    exposed="17.7", misdeal="10.1", premature="17.6", stake="8.2", stake_between="8.3", stake_bounds="8.1",
    players="2.4", most_players="3.4", frozen_stake="16.2",
)  # fmt: skip

RULES = PokerRules(
    clauses=CLAUSES,
    out_of_turn=OutOfTurn("17.1(a)", "17.1", raise_after_smaller=False, raise_after_bigger=True, returned=None),
    hole_cards=2,
    board=(),
    clock_s=float("inf"),
    checks_on_time=True,
    short_call_returned=False,
    raise_at_least_call=True,
    shows="all",
    rounds=4,
    least_players=3,
    commission_in_float=True,
    burns_known=False,
    last_call_may_go_back=True,
    up_cards=True,
)


def pot_commission(amount: int, scale: str) -> int:
    """15: the commission of one pot.

    >>> [pot_commission(amount, "normal") for amount in (5000, 5001, 25100)]
    [200, 400, 1200]
    >>> [pot_commission(amount, "capped") for amount in (5000, 35000, 35001)]
    [0, 1400, 1500]
    """
    by_steps = -(-amount // STEP) * PER_STEP
    if scale == "normal":
        return by_steps
    return 0 if amount <= STEP else min(by_steps, CAP)


class TasStud(PokerGame[TasStudHouse]):
    """The rulebook."""

    id = "tas-stud"
    citation = "Tasmania 2/18 Five Card Stud"
    house_type = TasStudHouse
    rules = RULES
    deal_type = UpCardDeal
    hand_size = 5
    odd_chip_rule = False

    def commission(self, house: PokerHouse, pots: Sequence[int], taking: Taking) -> Charge:
        assert isinstance(house, TasStudHouse)
        rule = "15.1" if house.commission == "normal" else "15.2"
        return Charge(rule, [pot_commission(amount, house.commission) for amount in pots])

    def misdeals(self, deal: Deal) -> Iterator[tuple[str, str]]:
        yield from super().misdeals(deal)
        yield from dealt_wrong(deal)
        cutter = wrong_cutter(deal)
        if cutter is not None:
            yield "10.2(b)", f"{cutter} cut the cards, who does not sit on the right of the first to receive a card"
        for slot in deal.exposed_hole():
            second = [each for each in deal.initial if each.dealt_to == slot.dealt_to and each is not slot]
            if second and second[0].dealt_up:
                yield "17.7", f"{slot.dealt_to} was dealt two exposed cards"

    def extra_findings(self, deal: Deal) -> Iterator[Finding]:
        yield from facing_findings(deal)
        yield from late_cut(deal)
        yield from hopeless_checks(deal)


def wrong_cutter(deal: Deal) -> str | None:
    """4.2: the player on the right of the first to receive a card cuts, or the dealer for him."""
    table = deal.table
    for event in table.round.events[: table.opened_n]:
        if isinstance(event, log.Cut) and event.at and box_number(event.at) and event.by != "dealer":
            return None if not table.seats or event.at == table.seats[-1] else event.at
    return None


def late_cut(deal: Deal) -> Iterator[Finding]:
    """4.3: never a cut after the deal has commenced."""
    table = deal.table
    for event in table.round.events[table.opened_n : min(table.end_n, len(table.round.events))]:
        if isinstance(event, log.Cut):
            yield Finding(
                kind="deal.order",
                rule="4.3",
                t=event.t,
                at="shoe",
                message="The cards were cut after the deal had commenced.",
            )


def facing_findings(deal: Deal) -> Iterator[Finding]:
    """9.2, 17.7: the second card comes face up, but face down to a player whose first was exposed."""
    exposed = {slot.dealt_to for slot in deal.exposed_hole()}
    for slot in deal.initial[len(deal.table.seats) :]:
        if (
            not slot.dealt_up
            and slot.dealt_to not in exposed
            and sum(each.dealt_to == slot.dealt_to for each in deal.initial[: deal.initial.index(slot)]) == 1
        ):
            yield Finding(
                kind="deal.facing",
                rule="9.2",
                t=slot.t,
                at=slot.dealt_to,
                expected="up",
                observed="down",
                message=f"The second card of {slot.dealt_to} was dealt face down.",
            )


def hopeless_checks(deal: Deal) -> Iterator[Finding]:
    """12.3: who checks behind a check in the last betting round must be able to beat the checker's open cards."""
    table, order = deal.table, deal.house.hand_order
    if deal.street != RULES.rounds - 1:
        return
    start = max((slot.n for box in table.dealt for slot in table.round.hand(box)), default=0)
    checks = [step for step in table.steps if step.kind == "check" and step.n > start]
    for step in checks[1:]:
        try:
            to_beat = showing_strength(showing(table.round.hand(checks[0].box))[:4], order)
            own = table.round.hand(step.box)
            if len(own) != 5 or any(slot.card is None or slot.seen_n is None for slot in own):
                continue
            if strength([slot.card for slot in own if slot.card is not None], order) > to_beat:
                continue
        except ValueError:
            continue
        yield Finding(
            kind="bet.invalid",
            rule="12.3",
            t=step.t,
            at=f"{step.box}/bet",
            message=f"{step.box} checked, but cannot beat the open cards of {checks[0].box}, who checked first.",
        )
