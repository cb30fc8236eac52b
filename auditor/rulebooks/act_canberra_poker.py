"""Tournament Canberra Poker (ACT, NI2002-45): five cards each, a bet of twice the ante, a dealer who must qualify.

The round as it was played and dealt is `canberra_play`, what is wrong with its wagers `canberra_wagers`; here are the
odds and the results.
"""

from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from auditor.cards import JOKER, name
from auditor.deal_checks import deck_findings, shuffle_missing
from auditor.findings import Finding, Judgement
from auditor.game import Game, declared_void, not_voided, open_cards
from auditor.hands import CANBERRA, Category, category, describe, has_ace_king, strength
from auditor.house import House
from auditor.ledgers import Ledger
from auditor.log import cents
from auditor.outcomes import Outcome, loses, pays, undecided, voids
from auditor.rounds import Round
from auditor.rulebooks.canberra_play import EXPOSED_VOID, HAND, Act, Bet, Seat
from auditor.rulebooks.canberra_wagers import wager_findings
from auditor.settlement import Settlement, flow_since, settled_early
from auditor.slots import Slot
from auditor.worlds import Doubt, judge_all

EVEN_MONEY = (1, 1)  # 8.1: all antes
BET_ODDS = {  # 8.1: to one, up to the displayed maximum payout
    Category.HIGH_CARD: 1,
    Category.PAIR: 1,
    Category.TWO_PAIRS: 2,
    Category.THREES: 3,
    Category.STRAIGHT: 4,
    Category.FLUSH: 5,
    Category.FULL_HOUSE: 7,
    Category.FOURS: 20,
    Category.STRAIGHT_FLUSH: 50,
    Category.ROYAL_FLUSH: 250,
}
NOT_IN_ORDER = ("bet.late", "bet.moved", "bet.invalid", "bet.amount")


class CanberraHouse(House, frozen=True, kw_only=True):
    """Options of Tournament Canberra Poker."""

    unqualified_tie: Annotated[
        Literal["ante_wins", "void"],
        Meta(
            description="a dealer without ace and king holds the same hand as a player: 9.3 (the ante wins) goes first,"
            " or 9.6 (the ante is void)"
        ),
    ] = "ante_wins"


class Case(NamedTuple):
    """A round, and what can be said of it whatever its cards are."""

    act: Act
    house: CanberraHouse
    findings: list[Finding]
    voided: Outcome | None
    faulty: dict[str | None, str]
    """The spots whose wager was reported, and as what: however it was settled is not reported again."""


class CanberraPoker(Game[CanberraHouse]):
    """The rulebook."""

    id = "act-canberra-poker"
    citation = "NI2002-45 Canberra Poker"
    house_type = CanberraHouse

    def judge(self, round: Round, house: CanberraHouse) -> Judgement:
        """What the rules say of the round, taking every slot's `card` for granted."""
        return _judge(_case(round, house))

    def doubts(self, round: Round, house: CanberraHouse) -> list[Doubt]:
        """Only cards that meet in settlement: the dealer's, and those of hands with a bet that were shown at all."""
        return _doubts(_case(round, house))

    def audit(self, round: Round, house: CanberraHouse) -> Judgement:
        """As `Game.audit`, but the round is taken apart once for all readings."""
        case = _case(round, house)
        return judge_all(lambda: _judge(case), _doubts(case), one_deck=True, boxes_apart=True)


def _case(round: Round, house: CanberraHouse) -> Case:
    act = Act(round)
    exposed = len(act.exposed)
    voided = declared_void(round, "11.1" if exposed >= EXPOSED_VOID else "14.4")
    findings = [
        *shuffle_missing(round, "5.1", "in preparation for the round"), *deck_findings(round, 1, "2.1"), *act.dealt,
        *act.facing_findings(),
    ]  # fmt: skip
    if exposed >= EXPOSED_VOID:
        why = f"{exposed} cards were wrongly exposed"
        findings += not_voided(round, "11.1", why)
        voided = voided or voids("11.1", why)
    wagers = list(wager_findings(act, house, voided=voided is not None))
    faulty = {each.at: each.kind for each in wagers if each.kind in NOT_IN_ORDER}
    return Case(act, house, [*findings, *wagers], voided, faulty)


def _doubts(case: Case) -> list[Doubt]:
    act = case.act
    met = [seat for seat in act.seats if seat.bet is not None and seat.void is None and seat.shown]
    if case.voided is not None or not met or all(slot.seen_n is None for slot in act.dealer[: HAND - 1]):
        return []
    if case.house.unqualified_tie == "ante_wins" and all(slot.sure for slot in act.dealer):
        dealer = _strength(act.dealer)
        if dealer is not None and not has_ace_king(dealer, CANBERRA):
            return []  # 9.3: whatever the players hold
    slots = [slot for slot in (*act.dealer, *(slot for seat in met for slot in seat.hand)) if not slot.sure]
    seen = frozenset(slot.card for slot in act.round.slots if slot.sure)
    return [Doubt(slot, open_cards(slot, seen), name) for slot in slots]


# ---- settlement --------------------------------------------------------------------------------------------------


def _judge(case: Case) -> Judgement:
    act = case.act
    decided = act.decided_n if act.reveal_n is not None else act.deal_end_n
    settlement = Settlement(act.round, case.house, since=act.opened_n, decided=decided, voided=case.voided)
    dealer = _strength(act.dealer)
    for seat in act.seats:
        own = _strength(seat.hand)
        ante_fault, bet_fault = case.faulty.get(f"{seat.box}/ante"), case.faulty.get(f"{seat.box}/bet")
        if seat.ante is not None:
            most = case.house.max_cents
            risk = seat.ante.amount if most is None else min(seat.ante.amount, most)
            outcomes = _ante_outcomes(case, seat, risk, dealer, own)
            # A bet that should not be there leaves open whether the table took the player for folded.
            reported = ante_fault is not None or bet_fault in ("bet.late", "bet.invalid", "bet.moved")
            found = settlement.wager(
                seat.ante.ledger, seat.ante.amount, *outcomes, sure=seat.ante.sure, reported=reported
            )
            if found is None and not reported and seat.bet is not None and seat.fold_n is None:
                _settled_in_time(case, settlement, seat.ante.ledger, act.opened_n, outcomes[0])
        if seat.bet is not None:
            outcomes = _bet_outcomes(case, seat, seat.bet, dealer, own)
            since = max(act.opened_n, seat.bet.last_n)
            reported = ante_fault is not None or bet_fault is not None or seat.bet.left
            found = settlement.wager(
                seat.bet.ledger, seat.bet.stake, *outcomes, sure=seat.bet.sure, since=since, reported=reported
            )
            if found is None and not reported and seat.fold_n is None:
                _settled_in_time(case, settlement, seat.bet.ledger, since, outcomes[0])
    settlement.refuse_late(case.findings)
    settlement.view_gap("9.4")
    return Judgement(wagers=settlement.wagers, findings=[*case.findings, *settlement.findings])


def _settled_in_time(case: Case, settlement: Settlement, ledger: Ledger, since: int, outcome: Outcome) -> None:
    """9.2-9.5: the dealer's hand decides, so nothing of those who bet is settled before all of it lies open."""
    act = case.act
    if act.reveal_n is None or act.dealer_miscounted or case.voided is not None or outcome.result in (None, "void"):
        return
    why = "Antes and bets are settled by the dealer's hand, which was not shown yet"
    early = settled_early(ledger, since, act.reveal_n, outcome.rule, why, case.house.max_cents)
    if early is not None:
        settlement.findings.append(early)


def _strength(hand: list[Slot]) -> int | None:
    """What five cards are worth; None while one is not known, or cannot be there."""
    cards = [slot.card for slot in hand if slot.card is not None]
    if len(hand) != HAND or len(set(cards)) != HAND or JOKER in cards:
        return None
    return strength(cards, CANBERRA)


def _ante_outcomes(case: Case, seat: Seat, risk: int, dealer: int | None, own: int | None) -> list[Outcome]:
    outcomes = [_outcome(case, seat, dealer, own, win=pays(risk, EVEN_MONEY, "", ""), stake=risk, is_bet=False)]
    is_folded = seat.void is not None and seat.bet is None and seat.fold_n is not None
    if is_folded or (seat.bet is not None and seat.bet.left):
        outcomes.append(loses(risk, "7.3", "The player folded"))
    return _or_void(case, seat, "ante", outcomes)


def _bet_outcomes(case: Case, seat: Seat, bet: Bet, dealer: int | None, own: int | None) -> list[Outcome]:
    cap = None if case.house.max_payout is None else cents(case.house.max_payout)
    risks = [bet.stake]
    most = case.house.max_cents
    if most is not None and seat.ante is not None and seat.ante.amount > most:
        risks.append(bet.stake * most // seat.ante.amount)  # the ante counts to the maximum only, and the bet with it
    odds = BET_ODDS[category(own, CANBERRA)] if own is not None else 1
    outcomes = [
        _outcome(case, seat, dealer, own, win=pays(risk, (odds, 1), "", "", cap), stake=risk, is_bet=True)
        for risk in risks
    ]
    return _or_void(case, seat, "bet", outcomes)


def _or_void(case: Case, seat: Seat, spot: str, outcomes: list[Outcome]) -> list[Outcome]:
    """11.3: a hand dealt against 6.3 is void. Which of several a slip in the sequence spoils is the director's to say.

    Where the cards do not tell how the hand would settle, the dealer leaving its wager alone does.
    """
    if not seat.out_of_order:
        return outcomes
    void = voids("11.3", "The hand was dealt out of order")
    if outcomes[0].result is not None:
        return [void, *outcomes]
    ledger = case.act.round.chips[f"{seat.box}/{spot}", None]
    return outcomes if flow_since(ledger, case.act.opened_n).net else [void]


def _outcome(
    case: Case, seat: Seat, dealer: int | None, own: int | None, *, win: Outcome, stake: int, is_bet: bool
) -> Outcome:
    """7.3, 9.2-9.6, 11.3-11.5, 11.7 for one wager; `win` is what it is paid if it wins."""
    act = case.act
    if seat.void is not None:
        return voids(*seat.void)
    if not is_bet and seat.bet is None:
        return _without_bet(act, seat, stake)
    if act.dealer_miscounted:
        why = f"The dealer's hand was dealt {len(act.dealer)} cards"
        return voids("11.5", why) if is_bet else win._replace(rule="11.5", why=f"{why}: the ante wins")
    if dealer is None:
        return undecided("9.2", "The dealer's hand was not seen")
    if not has_ace_king(dealer, CANBERRA):
        if case.house.unqualified_tie == "void" and own is None:
            return undecided("9.6", "The player's hand was not seen")
        if case.house.unqualified_tie == "ante_wins" or own != dealer:
            why = f"The dealer's {_named(dealer)} is less than ace and king"
            return voids("9.3", why) if is_bet else win._replace(rule="9.3", why=f"{why}: the ante wins 1 to 1")
    if own is None:
        return undecided("9.4", "The player's hand was not seen")
    if own == dealer:
        return voids("9.6", f"{_named(own)} equals the dealer's hand")
    if own < dealer:
        return loses(stake, "9.5", f"{_named(own)} loses to the dealer's {_named(dealer)}")
    odds = f"pays {BET_ODDS[category(own, CANBERRA)] if is_bet else 1} to 1"
    why = f"{_named(own)} beats the dealer's {_named(dealer)} and {odds}"
    return win._replace(rule="8.1" if is_bet else "9.4", why=why)


def _without_bet(act: Act, seat: Seat, stake: int) -> Outcome:
    """7.3: whoever lays no bet has folded, once the round is over or the cards are passed in."""
    passed_in = seat.fold_n is not None or any(slot.gone_n is not None for slot in seat.hand)
    if act.unseen_play or not (act.round.ended or passed_in or act.reveal_n is not None):
        return undecided("7.3", "Whether the player bet was not seen")
    return loses(stake, "7.3", "The player folded")


@lru_cache(maxsize=4096)
def _named(value: int) -> str:
    return describe(value, CANBERRA)
