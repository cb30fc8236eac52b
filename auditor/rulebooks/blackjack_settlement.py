"""Blackjack's settlement (7, 8, 13, 18): what each hand and side wager is due, and when."""

from auditor.cards import RED_SUITS, name
from auditor.findings import Finding
from auditor.ledgers import Change, Ledger
from auditor.log import cents
from auditor.outcomes import Outcome, loses, pays, pushes, undecided, voids
from auditor.places import box_of
from auditor.rulebooks.blackjack_deal import DEALER, NEVER
from auditor.rulebooks.blackjack_hands import VALUE, PlayedHand, total
from auditor.rulebooks.blackjack_play import Act, DealerHand
from auditor.rulebooks.blackjack_wagers import Insurance
from auditor.settlement import Settlement, settled_at_wrong_time

BLACKJACK_ODDS = (3, 2)  # 8.1(a), 13.2(a)
EVEN_MONEY = (1, 1)  # 8.1(b), 13.2(b)
INSURANCE_ODDS = (2, 1)  # 7.4
PAIR_ODDS = {  # 18.13, by the pair's kind (18.4-18.6)
    "mixed pair": ((6, 1), "18.13(a)"),
    "coloured pair": ((12, 1), "18.13(b)"),
    "perfect pair": ((25, 1), "18.13(c)"),
}
# A wager that should not have stood as it did: it is reported as such, and settled either way.
UNSETTLED = ("bet.late", "bet.moved", "bet.invalid")


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


def settle_pairs(act: Act, settlement: Settlement, reported: dict[str | None, str]) -> None:
    """18.9-18.13; 18.12: before the subsequent deal."""
    most = None if act.house.pairs_max is None else cents(act.house.pairs_max)
    for stake in act.pairs:
        ledger, box = stake.ledger, box_of(stake.ledger.at)
        risk = stake.amount if most is None else min(stake.amount, most)
        tampered = reported.get(ledger.at) == "bet.moved" or not act.house.pairs
        outcome = _pairs_outcome(act, box, risk)
        outcomes = [outcome, voids("def. Void", "The hand was declared void")] if act.is_void(box) else [outcome]
        found = settlement.wager(ledger, stake.amount, *outcomes, sure=stake.sure, reported=tampered)
        moves = _dealer_moves(act, ledger)
        if found is not None or not moves or settlement.voided is not None or outcome.result in (None, "void"):
            continue
        if not act.initial_n < moves[0].n < act.subsequent_n:
            when = "after the initial deal and before the subsequent one"
            settlement.findings.append(
                _out_of_time(act, ledger, moves[0], "18.12", f"Perfect Pairs is settled {when}")
            )


def _pairs_outcome(act: Act, box: str, risk: int) -> Outcome:
    if not act.house.pairs or box not in act.boxes:
        return voids("18.9" if act.house.pairs else "18.1", "Not a valid Perfect Pairs wager")
    first_two = [slot.card or 0 for slot in act.initial if box_of(slot.place) == box][:2]
    if len(first_two) < 2:
        return undecided("18.10", "The first two cards were not seen")
    kind = pair_kind(*first_two)
    if kind is None:
        return loses(risk, "18.10(d)", f"{name(first_two[0])} {name(first_two[1])} are no pair")
    odds, rule = PAIR_ODDS[kind]
    return pays(risk, odds, rule, f"A {kind} pays {odds[0]} to 1")


def _dealer_moves(act: Act, ledger: Ledger) -> list[Change]:
    opened_n = act.opened_n
    return [each for each in ledger.changes if each.by == "dealer" and each.n > opened_n and each.after != each.before]


def _out_of_time(act: Act, ledger: Ledger, change: Change, rule: str, why: str) -> Finding:
    return settled_at_wrong_time(ledger, change, rule, why, reads=("feed",) if act.unseen else ())


def settle_hand(
    act: Act, settlement: Settlement, hand: PlayedHand, dealers: list[DealerHand], reported: str | None
) -> None:
    """8.1, 13.1, 13.2 for one hand."""
    assert hand.ledger is not None
    most = act.house.max_cents
    factor = 1 if hand.double is None else 2
    risk = hand.stake if most is None else min(hand.stake, most * factor)
    dealer = dealers[0]
    outcomes = [hand_outcome(act, hand, each, risk) for each in dealers]
    outcome = outcomes[0]
    if reported == "bet.amount" or (hand.double is not None and hand.natural):
        original = act.original(box_of(hand.place))
        stakes = (original.amount, 2 * original.amount) if original is not None else ()
        outcomes += [hand_outcome(act, hand, dealer, each) for each in stakes]
    if len(act.initial) > len(act.expected) and (without := _without_extra(act, hand)) is not None:
        outcomes.append(hand_outcome(act, without, dealer, risk))
    found = settlement.wager(
        hand.ledger, hand.stake, *outcomes, sure=hand.sure, since=hand.since,
        reported=reported in UNSETTLED,
    )
    if found is None and settlement.voided is None and outcome.result not in (None, "void"):
        settlement.findings += _hand_timing(act, hand, dealer)
    elif found is None and settlement.voided is None and len(dealer.cards) == 1:
        settlement.findings += _unentitled(act, hand)


def _without_extra(act: Act, hand: PlayedHand) -> PlayedHand | None:
    """The hand without what it was dealt too much in the initial deal: the rules do not say if that stays."""
    extra = [slot for slot in hand.slots if slot in act.initial][2:]
    if not extra:
        return None
    kept = [slot.card or 0 for slot in hand.slots if slot not in extra]
    points, _ = total(kept)
    return hand._replace(counted=kept, points=points, natural=len(kept) == 2 and points == 21)


def hand_outcome(act: Act, hand: PlayedHand, dealer: DealerHand, risk: int) -> Outcome:
    """How one hand is settled with so much at risk."""
    if act.is_void(hand.place):
        return voids("def. Void", "The hand was declared void")
    if len(hand.counted) < 2 or (hand.fault is not None and hand.fault.kind == "draw.missing"):
        return undecided("13.1", "The hand was not completed")
    count = hand.points
    if count > 21:
        return loses(risk, "13.1(d)", f"{count} is over 21")
    if hand.natural and act.even_money(hand):
        return pays(risk, EVEN_MONEY, "8.1(b)", "Even money was taken on a blackjack against an ace")
    if act.settled_at_once(hand):
        return pays(risk, BLACKJACK_ODDS, "13.2(a)", "Blackjack pays 3 to 2")
    if not dealer.complete:
        return undecided("13.1", "The dealer's hand was not completed")
    points, _ = total(dealer.cards)
    if len(dealer.cards) == 2 and points == 21:
        if hand.natural:
            return pushes("13.1(g)", "Blackjack against blackjack is a stand-off")
        if act.house.dealer_blackjack == "original" and ("#" in hand.place or hand.double is not None):
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


def _hand_timing(act: Act, hand: PlayedHand, dealer: DealerHand) -> list[Finding]:
    """8.1: a blackjack is paid at once when the dealer cannot match it, and not before when he can."""
    assert hand.ledger is not None
    moves = _dealer_moves(act, hand.ledger)
    if not moves or hand.points > 21:
        return []
    first = moves[0]
    at_once, even_money = act.settled_at_once(hand), act.even_money(hand)
    if at_once or even_money:
        dealt_in_time = hand.slots[1].n <= act.initial_n
        # Cards that this very hand or the dealer should not have had are reported as such.
        out = (hand.place, DEALER) if len(dealer.cards) == 1 else (hand.place,)
        draws_n = next((slot.n for slot in act.draws if slot.dealt_to not in out), NEVER)
        if dealt_in_time and not act.initial_n < first.n < min(draws_n, act.split_n):
            rule, when = "8.1(a)" if at_once else "8.1(b)", "after the initial deal and before the subsequent one"
            return [_out_of_time(act, hand.ledger, first, rule, f"This blackjack is paid {when}")]
    elif first.n < dealer.decided_n:
        rule = "8.1" if hand.natural else "13.1"
        return [_out_of_time(act, hand.ledger, first, rule, "The dealer's hand was not complete")]
    return []


def _unentitled(act: Act, hand: PlayedHand) -> list[Finding]:
    """8.1: a blackjack paid at once, and the dealer's hand left at that, though he shows a ten or an ace."""
    assert hand.ledger is not None
    if not hand.natural or act.settled_at_once(hand):
        return []
    rule, why = "8.1", "A blackjack is paid at once only where the dealer shows neither a ten nor an ace"
    if not act.shows_ace and act.round.called("even_money", hand.place) is not None:
        rule, why = "8.1(b)", "Even money is paid only against a dealer's ace"
    paid = [change for change in _dealer_moves(act, hand.ledger) if change.rise > 0]
    return [_out_of_time(act, hand.ledger, first, rule, why) for first in paid[:1]]


def settle_insurance(act: Act, settlement: Settlement, wager: Insurance, dealer: DealerHand) -> None:
    """7.4, 7.5."""
    ledger, stake, since = wager.ledger, wager.stake, wager.since
    kind = wager.fault.kind if wager.fault is not None else None
    void = voids("7.1", "The insurance was not valid")
    if kind == "bet.invalid":
        settlement.wager(ledger, stake, void, loses(stake, "7.5(a)", ""), since=since, reported=True)
        return
    original = act.original(box_of(ledger.at))
    half = min(stake, original.amount // 2) if original is not None else stake
    second = dealer.cards[1] if len(dealer.cards) > 1 else None
    if second is None:
        outcomes = [undecided("7.5", "The dealer's second card was not seen")]
    elif VALUE[second] == 10:
        why = "Insurance against the dealer's blackjack pays 2 to 1"
        outcomes = [pays(each, INSURANCE_ODDS, "7.4", why) for each in (half, stake)]
    else:
        outcomes = [loses(each, "7.5(a)", "The dealer has no blackjack") for each in (stake, half)]
    if kind is not None or act.is_void(box_of(ledger.at)):
        outcomes.append(void)
    late = kind in ("bet.late", "bet.moved")
    found = settlement.wager(ledger, stake, *outcomes, sure=wager.sure, since=since, reported=late)
    moves = _dealer_moves(act, ledger)
    if found is None and kind is None and second is not None and settlement.voided is None:
        why = "Insurance is settled by the dealer's second card, which had not come"
        early = [_out_of_time(act, ledger, change, "7.5", why) for change in moves[:1] if change.n < dealer.second_n]
        settlement.findings += early
