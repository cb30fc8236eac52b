"""Tournament Blackjack with Perfect Pairs (ACT, NI2002-45): no hole card, the dealer stands on all 17s.

In the order of the round: the deal is `blackjack_deal` and `blackjack_shoe`, the hands as they were played are
`blackjack_hands` and `blackjack_play`, the rules on wagers `blackjack_wagers`, the odds `blackjack_settlement`.
"""

from auditor import log
from auditor.cards import JOKER, name
from auditor.deal_checks import deck_findings
from auditor.findings import Finding, Judgement
from auditor.game import Game, declared_void
from auditor.boundaries import CardsCollected
from auditor.ledgers import Gap
from auditor.log import AnyEvent
from auditor.places import box_of, hand_of, spot_of
from auditor.rounds import Round
from auditor.rulebooks.blackjack_deal import DEALER, MAIN, PAIRS, BlackjackHouse, dealing_findings
from auditor.rulebooks.blackjack_hands import VALUE, total
from auditor.rulebooks.blackjack_play import DEALER_STANDS, Act
from auditor.rulebooks.blackjack_settlement import UNSETTLED, settle_hand, settle_insurance, settle_pairs
from auditor.rulebooks.blackjack_shoe import drawn_in_error, shuffle_findings
from auditor.rulebooks.blackjack_wagers import insurances, wager_findings
from auditor.settlement import Settlement
from auditor.slots import Slot
from auditor.worlds import Doubt


class BlackjackRounds(CardsCollected):
    """Who is out loses his cards before the others: where some may lie unseen, only the dealer's going ends a round."""

    def starts_next(self, round: Round, event: AnyEvent) -> bool:
        """As in every card game; but while hands wait for cards a shuffle is that of an empty shoe (14.6), and a call
        of no more bets closes the insurance (7.2)."""
        return super().starts_next(round, event) and (bool(round.gaps) or not _is_dealt_on(round))

    def ended(self, round: Round) -> bool:
        """All cards are in the discard rack."""
        if round.on_table or not super().ended(round):
            return False
        return not round.gaps or any(isinstance(event, log.Gone) and event.at == DEALER for event in round.events)

    def tells_of_the_past(self, round: Round, event: AnyEvent) -> bool:
        """As in every card game; or a wager that was never seen laid is doubled, on a hand of two cards or on one of
        which only the last was seen; or the first hand of the log has but one card, and is settled, or picked up after
        the dealer's draws."""
        if super().tells_of_the_past(round, event):
            return True
        if not isinstance(event, log.Chips) or spot_of(event.at) not in MAIN:
            return False
        cards = len(round.hand(hand_of(event.at)))
        if isinstance(round.first_event, (log.Card, log.Chips)) and round.previous is None and cards == 1:
            picked_up = not event.amount and len(round.hand(DEALER)) > 1
            return event.by == "dealer" or round.opened_n == 0 or picked_up
        return cards > 1 and not round.tells_of(event.at, event.colour)


def _is_dealt_on(round: Round) -> bool:
    """Whether the dealer's hand is not complete yet, and a wager stands that he has not settled."""
    dealer = [slot for slot in round.hand(DEALER) if slot.gone_n is None]
    if not dealer or not all(slot.sure for slot in dealer):
        return False
    count, _ = total([slot.card or 0 for slot in dealer])
    return count < DEALER_STANDS and any(
        ledger.spot in MAIN and ledger.amount and all(
            change.by == "player" for change in ledger.changes if change.n > (round.opened_n or 0)
        )
        for ledger in round.chips.values()
    )


class Blackjack(Game[BlackjackHouse]):
    """The rulebook."""

    id = "act-blackjack"
    citation = "NI2002-45 Blackjack"
    house_type = BlackjackHouse
    boundary = BlackjackRounds()
    one_deck = False
    boxes_apart = True
    opening_spots = MAIN | PAIRS

    def doubts(self, round: Round, house: BlackjackHouse) -> list[Doubt]:
        """Only the count of a card matters, but for the first two of a box with a Perfect Pairs wager."""
        act = Act(round, house)
        paired = {box_of(stake.ledger.at) for stake in act.pairs}
        return [
            _doubt(slot, by_suit=slot.dealt_to in paired and slot in act.initial)
            for slot in round.slots if not slot.sure
        ]

    def hides(self, round: Round, gap: Gap, finding: Finding) -> bool:
        """As in every game; and whether the dealer needed a card (12.1(b)) hangs on all that the players were dealt: of
        which what came after a gap may be the next round's."""
        by_later_cards = finding.rule == "12.1(b)" and any(slot.n > gap.n for slot in round.slots)
        return by_later_cards or super().hides(round, gap, finding)

    def judge(self, round: Round, house: BlackjackHouse) -> Judgement:
        for slot in round.slots:
            if slot.card is None:
                slot.card = 0
        act = Act(round, house)
        insured = list(insurances(act))
        invalid = [each.fault is not None and each.fault.kind in UNSETTLED for each in insured]
        dealer, *others = act.dealer_hands(insured=not all(invalid), doubtful=any(invalid))
        voided = declared_void(round, "16.4")
        settlement = Settlement(round, house, since=act.undealt_n, decided=dealer.decided_n, voided=voided)
        wrong_wagers = [*wager_findings(act, dealer.decided_n), *(each.fault for each in insured if each.fault)]
        findings = settlement.findings
        findings += shuffle_findings(round, house)
        findings += deck_findings(round, house.decks, "2.1", whole_shoe=house.shoe == "card")
        findings += wrong_wagers
        findings += dealing_findings(act)
        findings += drawn_in_error(round)
        findings += {hand.place: hand.fault for hand in act.hands if hand.fault is not None}.values()
        if dealer.fault is not None:
            findings.append(dealer.fault)
        reported = {each.at: each.kind for each in wrong_wagers if each.kind not in ("bet.limit", "bet.multiple")}
        settle_pairs(act, settlement, reported)
        for hand in act.hands:
            if hand.ledger is not None:
                settle_hand(act, settlement, hand, [dealer, *others], reported.get(hand.ledger.at))
        for wager in insured:
            settle_insurance(act, settlement, wager, dealer)
        settlement.refuse_late(wrong_wagers)
        settlement.view_gap("13.2")
        return Judgement(wagers=settlement.wagers, findings=findings)


def _doubt(slot: Slot, *, by_suit: bool) -> Doubt:
    options = tuple(range(52)) if slot.options is None else slot.options
    if slot.text == "Jkr":
        options = (JOKER, *options)
    if by_suit:
        return Doubt(slot, options, name)
    one_each = {VALUE[card]: card for card in reversed(options)}
    return Doubt(slot, tuple(one_each[value] for value in sorted(one_each)), _value_name)


def _value_name(card: int) -> str:
    """How a card's count is spoken of.

    >>> _value_name(0), _value_name(24), _value_name(51)
    ('a 2', 'an 8', 'an ace')
    """
    value = VALUE[card]
    return {0: "a joker", 8: "an 8", 11: "an ace"}.get(value, f"a {value}")
