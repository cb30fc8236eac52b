"""Blackjack's rules on wagers (3, 4, 7, 10, 11): limits, side wagers, frozen stakes, doubles, splits, insurance."""

from collections.abc import Iterator

from auditor.cards import ACE, JOKER
from auditor.checks import frozen, limits, marker_moved, marker_order
from auditor.findings import Finding
from auditor.log import cents
from auditor.rounds import Change, Ledger, box_of, hand_of
from auditor.rulebooks.blackjack_play import MAIN, PAIRS, VALUE, Act, PlayedHand, player_stake
from auditor.settlement import amount_text

MAX_HANDS = 4  # 10.2


def wager_findings(act: Act) -> Iterator[Finding]:
    """Limits, lone and unoffered side wagers, wagers touched after the first card, doubles, splits, insurance."""
    round, house = act.round, act.house
    for stake in act.mains:
        yield from limits(stake, house.min_cents, house.max_cents, house.multiple, ("3.1", "3.2"))
    most = None if house.pairs_max is None else cents(house.pairs_max)
    boxes = {box_of(stake.ledger.at) for stake in act.mains}
    for stake in act.pairs:
        yield from limits(stake, cents(house.pairs_min or 0), most, None, ("18.8", "3.2"))
        if not house.pairs or box_of(stake.ledger.at) not in boxes:
            rule, why = ("18.9", "without a Blackjack wager") if house.pairs else ("18.1", "where it is not offered")
            yield Finding(
                kind="bet.invalid", rule=rule, t=stake.t, at=stake.ledger.at, expected=0, observed=stake.amount,
                message=f"A Perfect Pairs wager of {amount_text(stake.amount)} was placed {why}.",
            )
    if house.tournament:
        yield from marker_order(round, house, act.mains, "19.14")
        yield from marker_moved(round, house, act.mains, "def. Marker")
    last = round.slots[-1].n if round.slots else act.opened_n
    closed_for_good = act.dealer[-1].n if len(act.dealer) > 1 else last
    yield from frozen(round, MAIN, act.opened_n, closed_for_good, "4.3", lambda *move: _provided_for(act, *move))
    yield from frozen(round, PAIRS, act.opened_n, act.initial_n, "4.3", lambda side, _: box_of(side.at) not in boxes)
    for hand in act.hands:
        yield from _double_findings(act, hand)
        if hand.place != box_of(hand.place):
            yield from _split_findings(act, hand)
    for ledger in round.chips.values():
        if ledger.at.endswith("/insurance"):
            yield from _insurance_findings(act, ledger)


def _provided_for(act: Act, ledger: Ledger, change: Change) -> bool:
    """4.3: the changes that rules 10 and 11 provide for, and whatever follows the decision on the wager."""
    place = hand_of(ledger.at)
    if change.n < act.initial_n:
        return False
    if change.rise > 0:
        return "#" in place or act.is_double(place, change)
    hand = next((hand for hand in act.hands if hand.place == place), None)
    if hand is None or change.after:
        return False
    is_out = hand.points > 21 and hand.slots[-1].n < change.n
    return is_out or act.settled_at_once(hand) or act.even_money(hand)


def _double_findings(act: Act, hand: PlayedHand) -> Iterator[Finding]:
    original = next((s.amount for s in act.mains if box_of(s.ledger.at) == box_of(hand.place)), 0)
    if hand.doubled and hand.stake != 2 * original and hand.ledger is not None:
        yield Finding(
            kind="bet.amount", rule="11.1", t=hand.ledger.changes[-1].t, at=hand.ledger.at, expected=2 * original,
            observed=hand.stake,
            message=f"A double adds exactly {amount_text(original)}; {amount_text(hand.stake)} stood there in all.",
        )


def _split_findings(act: Act, hand: PlayedHand) -> Iterator[Finding]:
    """10.1, 10.2 and the definition of Split."""
    round, box, at = act.round, box_of(hand.place), hand.place + "/main"
    moved = next((slot for slot in hand.slots if slot.moved_n is not None), None)
    original = next((s.amount for s in act.mains if box_of(s.ledger.at) == box), 0)
    first = next((c for c in hand.ledger.changes if c.by != "dealer"), None) if hand.ledger else None
    placed = first.after if first else 0
    t = moved.t if moved is not None else round.opened
    if placed != original:
        yield Finding(
            kind="bet.amount", rule="def. Split", t=first.t if first else t, at=at, expected=original, observed=placed,
            message=f"A split hand is staked with the original {amount_text(original)}, not {amount_text(placed)}.",
        )
    if moved is None or moved.moved_from is None:
        return
    rest = [
        slot for slot in round.slots
        if slot is not moved and slot.card != JOKER and slot.n < (moved.moved_n or 0)
        and (slot.moved_from if (slot.moved_n or -1) > (moved.moved_n or 0) else slot.place) == moved.moved_from
    ]
    hands_made = 1 + sum(1 for place in round.hands if place.startswith(box + "#"))
    number = int(hand.place.partition("#")[2])
    problem = None
    if len(rest) != 1 or VALUE[rest[0].card or 0] != VALUE[moved.card or 0]:
        problem = ("10.1", "only the two initial cards, of equal value, may be split")
    elif number > MAX_HANDS:
        problem = ("10.2", f"at most {MAX_HANDS} hands may be formed, this is number {hands_made}")
    elif number > 2 and (moved.card or 0) >> 2 == ACE:
        problem = ("10.2", "aces may be split only once")
    if problem is not None:
        yield Finding(
            kind="bet.invalid", rule=problem[0], t=t, at=at, observed=placed, message=f"Illegal split: {problem[1]}."
        )


def _insurance_findings(act: Act, ledger: Ledger) -> Iterator[Finding]:
    """7.1-7.3."""
    placed = [change for change in ledger.changes if change.by != "dealer" and change.rise > 0]
    if not placed:
        return
    stake, change = player_stake(ledger), placed[-1]
    main = next((s.amount for s in act.mains if box_of(s.ledger.at) == box_of(ledger.at)), 0)
    if act.up_card is None or act.up_card >> 2 != ACE or change.n < act.dealer[0].n:
        kind, rule, bound, why = "bet.invalid", "7.1", 0, "the dealer shows no ace"
    elif change.n > act.subsequent_n:
        kind, rule, bound, why = "bet.late", "7.2", 0, "the subsequent deal had begun"
    elif 2 * stake > main:
        kind, rule, bound, why = "bet.amount", "7.1", main // 2, f"at most half of {amount_text(main)} may be insured"
    elif 2 * stake % cents(act.house.chip):
        kind, rule, why = "bet.multiple", "7.3", "it comes in halves of the smallest chip"
        bound = cents(act.house.chip) // 2
    else:
        return
    yield Finding(
        kind=kind, rule=rule, t=change.t, at=ledger.at, expected=bound, observed=stake,
        message=f"Insurance of {amount_text(stake)} was placed: {why}.",
    )

