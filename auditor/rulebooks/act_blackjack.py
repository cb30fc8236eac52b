"""Tournament Blackjack with Perfect Pairs (ACT, NI2002-45): no hole card, the dealer stands on all 17s.

The round as it was played is in `blackjack_play`, the rules on wagers are in `blackjack_wagers`; here are the odds,
the dealing, the order of play and the settlement.
"""

from collections.abc import Iterator

from auditor import log
from auditor.cards import ACE, RED_SUITS, name
from auditor.checks import DealRules, deal_findings, deck_findings, shuffle_missing
from auditor.findings import Finding, Judgement
from auditor.game import Game, declared_void
from auditor.log import cents
from auditor.rounds import Change, Ledger, Round, Slot, box_number, box_of
from auditor.rulebooks.blackjack_play import VALUE, Act, BlackjackHouse, PlayedHand, player_stake, total
from auditor.rulebooks.blackjack_wagers import wager_findings
from auditor.settlement import Outcome, Settlement, loses, pays, pushes, undecided, voids
from auditor.worlds import Doubt

BLACKJACK_ODDS = (3, 2)  # 8.1(a), 13.2(a)
EVEN_MONEY = (1, 1)  # 8.1(b), 13.2(b)
INSURANCE_ODDS = (2, 1)  # 7.4
PAIR_ODDS = {  # 18.13, by the pair's kind (18.4-18.6)
    "mixed pair": ((6, 1), "18.13(a)"),
    "coloured pair": ((12, 1), "18.13(b)"),
    "perfect pair": ((25, 1), "18.13(c)"),
}
DEAL = DealRules(sequence="6.2", number="6.2", stranger="6.2")
def pair_kind(first: int, second: int) -> str | None:
    """18.3-18.6: what kind of pair two cards make.

    >>> pair_kind(0, 0), pair_kind(1, 2), pair_kind(0, 1), pair_kind(0, 4)
    ('perfect pair', 'coloured pair', 'mixed pair', None)
    """
    if first >> 2 != second >> 2:
        return None
    if first == second:
        return "perfect pair"
    same_colour = (first & 3 in RED_SUITS) == (second & 3 in RED_SUITS)
    return "coloured pair" if same_colour else "mixed pair"


class Blackjack(Game[BlackjackHouse]):
    """The rulebook."""

    id = "act-blackjack"
    citation = "NI2002-45 Blackjack"
    house_type = BlackjackHouse
    one_deck = False

    def doubts(self, round: Round, house: BlackjackHouse) -> list[Doubt]:
        """Only the count of a card matters, but for the first two of a box with a Perfect Pairs wager."""
        act = Act(round, house)
        paired = {box_of(stake.ledger.at) for stake in act.pairs}
        return [
            _doubt(slot, by_suit=slot.dealt_to in paired and slot in act.initial)
            for slot in round.slots if not slot.sure
        ]

    def judge(self, round: Round, house: BlackjackHouse) -> Judgement:
        for slot in round.slots:
            if slot.card is None:
                slot.card = 0
        act = Act(round, house)
        insurance = [ledger for ledger in round.chips.values() if ledger.at.endswith("/insurance")]
        shows_ace = act.up_card is not None and act.up_card >> 2 == ACE
        insured = shows_ace and any(player_stake(ledger) for ledger in insurance)
        cards, dealer_fault, complete = act.dealer_count(insured)
        decided = act.dealer[-1].n if len(act.dealer) > 1 else max(act.initial_n, act.draws[-1].n if act.draws else 0)

        settlement = Settlement(round, house, since=act.opened_n, decided=decided, voided=declared_void(round, "16.4"))
        findings = settlement.findings
        findings += shuffle_findings(round, house)
        findings += deck_findings(round, house.decks, "2.1", whole_shoe=house.shoe == "card")
        findings += wager_findings(act)
        findings += deal_findings(act.expected, act.initial, DEAL, ended=round.ended)
        findings += facing_findings(round)
        findings += order_findings(act)
        findings += [hand.fault for hand in act.hands if hand.fault is not None]
        if dealer_fault is not None:
            findings.append(dealer_fault)
        settle_pairs(act, settlement)
        for hand in act.hands:
            if hand.ledger is not None:
                settle_hand(act, settlement, hand, cards, decided, complete=complete)
        for ledger in insurance:
            settle_insurance(act, settlement, ledger, cards, complete=complete)
        settlement.view_gap("13.2")
        return Judgement(wagers=settlement.wagers, findings=findings)


def _doubt(slot: Slot, *, by_suit: bool) -> Doubt:
    options = tuple(range(52)) if slot.options is None else slot.options
    if by_suit:
        return Doubt(slot, options, name)
    one_each = {VALUE[card]: card for card in reversed(options)}
    return Doubt(slot, tuple(one_each[value] for value in sorted(one_each)), _value_name)


def _value_name(card: int) -> str:
    return "an ace" if VALUE[card] == 11 else f"a {VALUE[card]}"


# ---- checks ------------------------------------------------------------------------------------------------------


def shuffle_findings(round: Round, house: BlackjackHouse) -> list[Finding]:
    """5.4: a shuffle follows the cutting card; 20.1 waives it for an automated shuffling shoe."""
    if house.shoe == "auto":
        return []
    for event in reversed(round.events[: round.opened_n]):
        if isinstance(event, log.Shuffle):
            return []
        if isinstance(event, log.CuttingCard):
            message = "The cutting card came first, but the cards were not shuffled before the deal."
            return [Finding(kind="shuffle.missing", rule="5.4", t=round.opened, message=message)]
    before = round.previous
    if before is None or before.opened_n is None:
        return []
    if any(isinstance(event, log.CuttingCard) for event in before.events[before.opened_n :]):
        return shuffle_missing(round, "5.4", "after the round in which the cutting card came")
    return []


def facing_findings(round: Round) -> Iterator[Finding]:
    """6.1: all cards are dealt face up."""
    for slot in round.slots:
        if not slot.dealt_up:
            yield Finding(
                kind="deal.facing", rule="6.1", t=slot.t, at=slot.dealt_to, expected="up", observed="down",
                message=f"A card at {slot.dealt_to} was dealt face down; all cards are dealt face up.",
            )


def order_findings(act: Act) -> Iterator[Finding]:
    """9.1, 10.3, 12.1: boxes clockwise, a split hand finished before the next, the dealer last."""
    current, left = "", set()
    for slot in act.draws:
        place = slot.dealt_to
        if place == current:
            continue
        behind = box_number(place) and box_number(current) > box_number(place)
        if place in left or behind or current == "dealer":
            rule = "12.1(a)" if current == "dealer" else "10.3" if box_of(place) == box_of(current) else "9.1"
            yield Finding(
                kind="deal.order", rule=rule, t=slot.t, at="dealer" if current == "dealer" else place, observed=place,
                message=f"{place} was dealt a card after {current} had been: hands are completed in turn.",
            )
            return
        left.add(current)
        current = place


# ---- settlement --------------------------------------------------------------------------------------------------


def settle_pairs(act: Act, settlement: Settlement) -> None:
    """18.9-18.13; 18.12: before the subsequent deal."""
    boxes = {box_of(stake.ledger.at) for stake in act.mains}
    most = None if act.house.pairs_max is None else cents(act.house.pairs_max)
    for stake in act.pairs:
        box = box_of(stake.ledger.at)
        if not act.house.pairs or box not in boxes:
            lone = voids("18.9", "Not a valid Perfect Pairs wager")
            settlement.wager(stake.ledger, stake.amount, lone, sure=stake.sure)
            continue
        first_two = [slot.card or 0 for slot in act.initial if slot.dealt_to == box][:2]
        risk = stake.amount if most is None else min(stake.amount, most)
        if len(first_two) < 2:
            outcome = undecided("18.10", "The first two cards were not seen")
        elif kind := pair_kind(*first_two):
            odds, rule = PAIR_ODDS[kind]
            outcome = pays(risk, odds, rule, f"A {kind} pays {odds[0]} to 1")
        else:
            outcome = loses(risk, "18.10(d)", f"{name(first_two[0])} {name(first_two[1])} are no pair")
        found = settlement.wager(stake.ledger, stake.amount, outcome, sure=stake.sure)
        moves = [change for change in stake.ledger.changes if change.by == "dealer" and change.n > act.opened_n]
        if found is None and moves and moves[0].n > act.subsequent_n and settlement.voided is None:
            settlement.findings.append(
                _out_of_time(stake.ledger, moves[0], "18.12", "Perfect Pairs is settled before the subsequent deal")
            )


def _out_of_time(ledger: Ledger, change: Change, rule: str, why: str) -> Finding:
    return Finding(
        kind="payout.order", rule=rule, t=change.t, at=ledger.at, colour=ledger.colour,
        message=f"{why}; {ledger.at} was settled at {change.t:.1f} s.",
    )


def settle_hand(
    act: Act, settlement: Settlement, hand: PlayedHand, dealer: list[int], decided: int, *, complete: bool
) -> None:
    """8.1, 13.1, 13.2 for one hand."""
    assert hand.ledger is not None
    most = act.house.max_cents
    factor = 2 if hand.doubled else 1
    risk = hand.stake if most is None else min(hand.stake, most * factor)
    outcome = _hand_outcome(act, hand, dealer, risk, complete=complete)
    outcomes = [outcome]
    moved = [c.after for c in hand.ledger.changes if act.opened_n < c.n < decided and c.by == "player" and c.after]
    if moved and moved[-1] != hand.stake:
        # Reported as bet.moved; the dealer may have acted on the wager as it stood before or after.
        outcomes.append(_hand_outcome(act, hand, dealer, moved[-1], complete=complete))
    found = settlement.wager(hand.ledger, hand.stake, *outcomes)
    if found is None and settlement.voided is None and outcome.result is not None:
        settlement.findings += _hand_timing(act, hand, decided)


def _hand_outcome(act: Act, hand: PlayedHand, dealer: list[int], risk: int, *, complete: bool) -> Outcome:
    if act.round.called("void", hand.place) is not None:
        return voids("14.4", "The hand was declared void")
    if len(hand.counted) < 2 or (hand.fault is not None and hand.fault.kind == "draw.missing"):
        return undecided("13.1", "The hand was not completed")
    count = hand.points
    if count > 21:
        return loses(risk, "13.1(d)", f"{count} is over 21")
    if hand.natural and act.even_money(hand):
        return pays(risk, EVEN_MONEY, "8.1(b)", "Even money was taken on a blackjack against an ace")
    if act.settled_at_once(hand):
        return pays(risk, BLACKJACK_ODDS, "13.2(a)", "Blackjack pays 3 to 2")
    if not complete:
        return undecided("13.1", "The dealer's hand was not completed")
    points, _ = total(dealer)
    if len(dealer) == 2 and points == 21:
        if hand.natural:
            return pushes("13.1(g)", "Blackjack against blackjack is a stand-off")
        if act.house.dealer_blackjack == "original" and ("#" in hand.place or hand.doubled):
            own = 0 if "#" in hand.place else risk // 2
            return loses(own, "13.1(f)", "The dealer's blackjack takes the original wager only")
        return loses(risk, "13.1(f)", f"The dealer's blackjack beats {count}")
    if hand.natural:
        return pays(risk, BLACKJACK_ODDS, "13.2(a)", "Blackjack pays 3 to 2")
    if points > 21:
        return pays(risk, EVEN_MONEY, "13.2(b)", f"The dealer's {points} is over 21, {count} pays 1 to 1")
    if count > points:
        return pays(risk, EVEN_MONEY, "13.2(b)", f"{count} beats {points} and pays 1 to 1")
    if count < points:
        return loses(risk, "13.1(e)", f"The dealer's {points} beats {count}")
    return pushes("13.1(g)", f"{count} against {points} is a stand-off")


def _hand_timing(act: Act, hand: PlayedHand, decided: int) -> list[Finding]:
    """8.1: a blackjack is paid at once when the dealer cannot match it, and not before when he can."""
    assert hand.ledger is not None
    moves = [change for change in hand.ledger.changes if change.by == "dealer" and change.n > act.opened_n]
    if not moves or hand.points > 21:
        return []
    first = moves[0]
    if act.settled_at_once(hand):
        if hand.slots[1].n <= act.initial_n and first.n > act.subsequent_n:
            return [_out_of_time(hand.ledger, first, "8.1(a)", "This blackjack is paid before the subsequent deal")]
    elif not act.even_money(hand) and first.n < decided:
        rule = "8.1" if hand.natural else "13.1"
        return [_out_of_time(hand.ledger, first, rule, "The dealer's hand was not complete")]
    return []


def settle_insurance(act: Act, settlement: Settlement, ledger: Ledger, dealer: list[int], *, complete: bool) -> None:
    """7.4, 7.5."""
    stake = player_stake(ledger)
    if not stake:
        return
    main = next((s.amount for s in act.mains if box_of(s.ledger.at) == box_of(ledger.at)), 0)
    if act.up_card is None or act.up_card >> 2 != ACE:
        settlement.wager(ledger, stake, voids("7.1", "Insurance needs a dealer's ace"), loses(stake, "7.5(a)", ""))
        return
    if len(dealer) < 2 or not complete:
        settlement.wager(ledger, stake, undecided("7.5", "The dealer's second card was not seen"))
    elif VALUE[dealer[1]] == 10:
        why = "Insurance against the dealer's blackjack pays 2 to 1"
        allowed = pays(min(stake, main // 2), INSURANCE_ODDS, "7.4", why)
        settlement.wager(ledger, stake, allowed, pays(stake, INSURANCE_ODDS, "7.4", why))
    else:
        settlement.wager(ledger, stake, loses(stake, "7.5(a)", "The dealer has no blackjack"))
