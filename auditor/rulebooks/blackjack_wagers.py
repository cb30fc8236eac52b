"""Blackjack's rules on wagers (3, 4, 7, 10, 11): limits, side wagers, frozen stakes, doubles, splits, insurance."""

from collections.abc import Iterator
from typing import NamedTuple

from auditor.cards import ACE, JOKER
from auditor.ledgers import Change, Ledger
from auditor.marker_checks import changed_after_turn, marker_moved, marker_order
from auditor.outcomes import amount_text
from auditor.wager_checks import LimitRules, frozen, is_taken_up, limits, may_grow, settling_since, table_limits
from auditor.findings import Finding
from auditor.log import cents
from auditor.places import box_of, hand_of
from auditor.rulebooks.blackjack_deal import MAIN, PAIRS
from auditor.rulebooks.blackjack_hands import VALUE, PlayedHand
from auditor.rulebooks.blackjack_play import Act

MAX_HANDS = 4  # 10.2
PAIRS_LIMITS = LimitRules("18.8", "18.8", "3.2", tournament="18.8")


def wager_findings(act: Act, decided_n: int) -> Iterator[Finding]:
    """Limits, lone and unoffered side wagers, wagers touched after the first card, doubles, splits."""
    round, house = act.round, act.house
    for stake in act.mains:
        yield from table_limits(stake, house, house.max_cents, LimitRules("3.3", "3.4", "3.2", tournament="19.13"))
    most = None if house.pairs_max is None else cents(house.pairs_max)
    for stake in act.pairs:
        if house.pairs and box_of(stake.ledger.at) in act.boxes:
            yield from limits(stake, cents(house.pairs_min or 0), most, None, PAIRS_LIMITS)
            continue
        rule, why = ("18.9", "without a Blackjack wager") if house.pairs else ("18.1", "where it is not offered")
        yield Finding(
            kind="bet.invalid", rule=rule, t=stake.t, at=stake.ledger.at, expected=0, observed=stake.amount,
            message=f"A Perfect Pairs wager of {amount_text(stake.amount)} was placed {why}.",
        )
    if house.tournament:
        yield from marker_order(round, house, act.mains, "19.14")
        if any(len(changes := stake.ledger.changes) > 1 and changes[1].n < act.opened_n for stake in act.mains):
            yield from changed_after_turn(round, house, MAIN, "19.14")
        yield from marker_moved(round, house, act.mains, "def. Marker")
    yield from _touched(act, decided_n)
    for hand in act.hands:
        if hand.double is not None:
            yield from _double_findings(act, hand)
        if "#" in hand.place:
            yield from _split_findings(act, hand)


# ---- wagers touched after the first card (4.3) ---------------------------------------------------------------------


def _touched(act: Act, decided_n: int) -> Iterator[Finding]:
    round = act.round

    def main_may(ledger: Ledger, change: Change) -> bool:
        if change.n > act.initial_n and _provided_for(act, ledger, change):
            return True
        return change.n > decided_n and _after_cards(act, ledger, change, settling_since(round, decided_n))

    def pairs_may(ledger: Ledger, change: Change) -> bool:
        """The interim settlement decides on Perfect Pairs (18.12), and a void wager goes back at any time."""
        taken_up = is_taken_up(ledger, change) and (change.n > act.initial_n or box_of(ledger.at) not in act.boxes)
        return taken_up or (not ledger.before(act.opened_n) and change.n > settling_since(round, decided_n))

    yield from frozen(round, MAIN, act.opened_n, len(round.events), "4.3", main_may)
    yield from frozen(round, PAIRS, act.opened_n, len(round.events), "4.3", pairs_may)


def _after_cards(act: Act, ledger: Ledger, change: Change, settling_n: int) -> bool:
    """Once the cards have decided, a player may pick up, and wager anew where the dealer has nothing left to settle."""
    if change.after in (0, act.house.max_cents) and change.rise < 0:
        return True
    if not ledger.before(act.opened_n) and "#" not in ledger.at:
        return change.n > settling_n
    return all(later.by != "dealer" for later in ledger.changes if later.n > change.n)


def _provided_for(act: Act, ledger: Ledger, change: Change) -> bool:
    """The changes that rules 10 and 11 provide for, and a wager picked up once it is decided."""
    place = hand_of(ledger.at)
    hand = next((hand for hand in act.hands if hand.place == place and hand.ledger is ledger), None)
    if hand is None:
        return "#" in place and (act.stopped or act.unseen)  # chips for a split that was not seen
    if change.n <= hand.since and (hand.double is not None or "#" in place):
        return change.rise > 0
    if change.rise > 0:
        # In a round that broke off, a raise may have been a double's.
        return act.stopped and len(hand.slots) == 2 and hand.slots[-1].n < change.n
    is_out = hand.points > 21 and hand.slots[-1].n < change.n
    decided = is_out or act.settled_at_once(hand) or act.even_money(hand) or act.is_void(place)
    return decided and is_taken_up(ledger, change)


# ---- doubles and splits ------------------------------------------------------------------------------------------


def _wrong_amount(rule: str, at: str, t: float, expected: int, observed: int, why: str, *, sure: bool) -> Finding:
    return Finding(
        kind="bet.amount", rule=rule, t=t, at=at, expected=expected, observed=observed,
        message=f"{why}; {amount_text(observed)} stood there, not {amount_text(expected)}.",
        verdict="breach" if sure else "unsure", reads=() if sure else (f"chips at {at}",),
    )


def _double_findings(act: Act, hand: PlayedHand) -> Iterator[Finding]:
    original = act.original(box_of(hand.place))
    if original is None or hand.double is None or hand.ledger is None or hand.double.exact:
        return
    before = hand.double.before
    sure = hand.sure and original.sure and hand.ledger.read_before(hand.double.first_n)
    why = f"A double adds exactly {amount_text(before)}"
    yield _wrong_amount("11.1", hand.ledger.at, hand.double.t, 2 * before, hand.stake, why, sure=sure)


def _split_findings(act: Act, hand: PlayedHand) -> Iterator[Finding]:
    """10.1, 10.2 and the definition of Split."""
    original, at = act.original(box_of(hand.place)), hand.place + "/main"
    placed = act.split_stake(hand.ledger, hand.slots)
    amount = placed.after if placed else 0
    made_n = min((slot.n if slot.moved_n is None else slot.moved_n for slot in hand.slots), default=act.opened_n)
    t = placed.t if placed else act.round.events[made_n].t
    growing = amount < (original.amount if original else 0) and may_grow(act.round, placed.last_n if placed else made_n)
    if original is not None and amount != original.amount and not growing:
        why = f"A split hand is staked with the original {amount_text(original.amount)}"
        sure = original.sure and (placed is None or placed.sure)
        yield _wrong_amount("def. Split", at, t, original.amount, amount, why, sure=sure)
    problem = _illegal_split(act, hand)
    if problem is not None:
        yield Finding(
            kind="bet.invalid", rule=problem[0], t=t, at=at, observed=amount, message=f"Illegal split: {problem[1]}."
        )


def _illegal_split(act: Act, hand: PlayedHand) -> tuple[str, str] | None:
    """The clause a split breaks, and how; None if it is right."""
    moved = next((slot for slot in hand.slots if slot.moved_n is not None), None)
    if moved is None or moved.moved_n is None:
        return None
    rest = [
        slot for slot in act.round.slots
        if slot is not moved and slot.card != JOKER and slot.n < moved.moved_n
        and (slot.moved_from if (slot.moved_n or -1) > moved.moved_n else slot.place) == moved.moved_from
    ]
    number = int(hand.place.partition("#")[2])
    if len(rest) != 1 or VALUE[rest[0].card or 0] != VALUE[moved.card or 0]:
        return "10.1", "only two cards of equal value may be split"
    if number > MAX_HANDS:
        return "10.2", f"at most {MAX_HANDS} hands may be formed, this is number {number}"
    if number > 2 and (moved.card or 0) >> 2 == ACE:
        return "10.2", "aces may be split only once"
    return None


# ---- insurance (7) -----------------------------------------------------------------------------------------------


class Insurance(NamedTuple):
    """An insurance wager: what stood when the subsequent deal began, and what is wrong with it."""

    ledger: Ledger
    stake: int
    since: int
    sure: bool
    fault: Finding | None


def insurances(act: Act) -> Iterator[Insurance]:
    """The insurance wagers of the round."""
    ledgers = [ledger for ledger in act.round.chips.values() if ledger.spot == "insurance" and ledger.changes]
    if not ledgers:
        return
    stands = [n for n, call in act.round.calls if call.what == "stand" and n > act.initial_n]
    closed_n = min([act.subsequent_n, *stands])
    for ledger in ledgers:
        if (wager := _insurance(act, ledger, closed_n)) is not None:
            yield wager


def _insurance(act: Act, ledger: Ledger, closed_n: int) -> Insurance | None:
    stake, placed, touched = 0, None, None
    for change in ledger.changes:
        if change.by == "dealer":
            break
        if change.n < closed_n:
            stake = change.after
            placed = change if change.after or placed is None else placed
        elif change.by == "player" and (change.rise > 0 or change.n < act.dealer_n):
            touched = change
            break
    last = touched or placed
    if last is None or not max(last.before, last.after):
        return None
    fault = _insurance_fault(act, ledger, stake, last, is_late=touched is not None)
    if touched is None and not stake and (fault is None or fault.kind != "bet.invalid"):
        return None  # taken back in time
    return Insurance(ledger, stake or last.after, last.n, last.sure, fault)


def _insurance_fault(act: Act, ledger: Ledger, stake: int, change: Change, *, is_late: bool) -> Finding | None:
    """7.1-7.3. A wager that may not be there at all is wrong even if it was given back at once."""
    original = act.original(box_of(ledger.at))
    main = original.amount if original is not None else 0
    amount, bound, sure = change.after, 0, True
    if not act.shows_ace or change.n < act.dealer[0].n:
        kind, rule, why = "bet.invalid", "7.1", "the dealer shows no ace"
    elif original is None:
        kind, rule, why = "bet.invalid", "7.1", "there is no wager to insure"
    elif is_late:
        kind, rule, why = "bet.moved" if stake else "bet.late", "7.2", "the subsequent deal had begun"
    elif 2 * amount > main:
        kind, rule, bound, why = "bet.amount", "7.1", main // 2, f"at most half of {amount_text(main)} may be insured"
        sure = change.sure and original.sure
    elif 2 * amount % cents(act.house.chip):
        kind, rule, why = "bet.multiple", "7.3", "it comes in halves of the smallest chip"
        bound, sure = cents(act.house.chip) // 2, change.sure
    else:
        return None
    return Finding(
        kind=kind, rule=rule, t=change.t, at=ledger.at, expected=bound, observed=amount,
        message=f"Insurance of {amount_text(amount)} was placed: {why}.",
        verdict="breach" if sure else "unsure", reads=() if sure else (f"chips at {ledger.at}",),
    )
