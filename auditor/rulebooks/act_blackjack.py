"""Tournament Blackjack with Perfect Pairs (ACT, NI2002-45): no hole card, dealer stands on all 17s.

The way through the file: tables, options, the players' hands as they were played, the dealer's hand, the judge.
"""

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from auditor import log
from auditor.cards import ACE, RED_SUITS, name
from auditor.checks import (
    DealRules, Stake, deal_findings, deck_findings, frozen, initial_deal, limits, marker_order, shuffle_missing,
    stakes_at,
)  # fmt: skip
from auditor.findings import Finding, Judgement
from auditor.game import Game, declared_void
from auditor.house import House, Money
from auditor.log import cents
from auditor.rounds import Change, Ledger, Round, Slot, box_number, box_of, hand_of
from auditor.settlement import Outcome, Settlement, amount_text, loses, pays, pushes, undecided, voids
from auditor.worlds import Doubt

# 2.5: an ace counts 1 or 11, pictures 10. Index: the card; a joker counts nothing.
VALUE = (*(min(rank + 2, 10) for rank in range(12) for _ in range(4)), 11, 11, 11, 11, 0)
BLACKJACK_ODDS = (3, 2)  # 8.1(a), 13.2(a)
EVEN_MONEY = (1, 1)  # 8.1(b), 13.2(b)
INSURANCE_ODDS = (2, 1)  # 7.4
PAIR_ODDS = {  # 18.13, by the pair's kind (18.4-18.6)
    "mixed pair": ((6, 1), "18.13(a)"),
    "coloured pair": ((12, 1), "18.13(b)"),
    "perfect pair": ((25, 1), "18.13(c)"),
}
MAX_HANDS = 4  # 10.2
DEALER_STANDS = 17  # 12.1(a)
PLAYER_MUST_REACH = 12  # 9.2(b)

DEAL = DealRules(sequence="6.2", number="6.2", stranger="6.2")
MAIN, PAIRS = frozenset({"main"}), frozenset({"pairs"})
OPENING = MAIN | PAIRS
NEVER = 1 << 60


class BlackjackHouse(House, frozen=True, kw_only=True):
    """Options of Tournament Blackjack."""

    decks: Annotated[Annotated[int, Meta(ge=5, le=8)], Meta(description="decks in play (2.1)")] = 6
    pairs: Annotated[bool, Meta(description="Perfect Pairs is offered (18.1)")] = False
    pairs_min: Annotated[Money | None, Meta(description="smallest Perfect Pairs wager (18.8)")] = None
    pairs_max: Annotated[Money | None, Meta(description="largest Perfect Pairs wager (18.8)")] = None
    shoe: Annotated[
        Literal["card", "auto"], Meta(description="card shoe, or automated shuffling shoe (20.1: rule 5 falls away)")
    ] = "card"
    chip: Annotated[
        Annotated[float, Meta(gt=0)], Meta(description="smallest chip; insurance comes in halves of it (7.3)")
    ] = 1
    dealer_blackjack: Annotated[
        Literal["all", "original"],
        Meta(description="what a dealer's blackjack takes of split and doubled hands (13.1(f) does not say)"),
    ] = "all"


def total(cards: list[int]) -> tuple[int, bool]:
    """The best count of a hand, and whether an ace counts eleven in it.

    >>> total([51, 0, 50])  # ace, two, ace
    (14, True)
    """
    count = aces = 0
    for card in cards:
        value = VALUE[card]
        count += value
        aces += value == 11
    while count > 21 and aces:
        count -= 10
        aces -= 1
    return count, aces > 0


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


class PlayedHand(NamedTuple):
    """A player's hand as it was played; `counted` leaves out cards drawn against the rules."""

    place: str
    slots: list[Slot]
    counted: list[int]
    stake: int
    ledger: Ledger | None
    doubled: bool
    natural: bool
    fault: Finding | None

    @property
    def points(self) -> int:
        """What the counted cards add up to."""
        return total(self.counted)[0]


class Act:
    """One round, seen through the rules: what was dealt first, what drawn after, and which hands came of it."""

    def __init__(self, round: Round, house: BlackjackHouse) -> None:
        assert round.opened_n is not None
        self.round, self.house, self.opened_n = round, house, round.opened_n
        self.mains = stakes_at(round, self.opened_n, MAIN)
        self.pairs = stakes_at(round, self.opened_n, PAIRS)
        boxes = [box_of(stake.ledger.at) for stake in self.mains]
        self.expected = [*boxes, "dealer", *boxes]
        dealt = initial_deal(self.expected, round.slots)
        self.initial, self.draws = round.slots[:dealt], round.slots[dealt:]
        self.initial_n = self.initial[-1].n if self.initial else self.opened_n
        self.subsequent_n = self.draws[0].n if self.draws else NEVER
        self.dealer = round.hand("dealer")
        self.up_card = self.dealer[0].card if self.dealer else None
        self.hands = [hand for stake in self.mains for hand in self._hands_of(stake)]

    def _hands_of(self, stake: Stake) -> Iterator[PlayedHand]:
        box = box_of(stake.ledger.at)
        places = [box]
        if len(self.round.hands) > len(self.mains) + 1:
            places += sorted(place for place in self.round.hands if place.startswith(box + "#"))
        for place in places:
            ledger = stake.ledger
            if place != box:
                ledger = next((each for each in self.round.chips.values() if each.at == place + "/main"), None)  # type: ignore[assignment]
            yield self._played(place, ledger, stake.amount, is_split=len(places) > 1)

    def _played(self, place: str, ledger: Ledger | None, original: int, *, is_split: bool) -> PlayedHand:
        slots = self.round.hand(place)
        doubled_n = self._doubled_n(place, ledger, original)
        stake = original
        if doubled_n is not None or place != box_of(place):
            stake = max((c.after for c in ledger.changes if c.by != "dealer"), default=0) if ledger else 0
        counted, fault = self._count(place, slots, doubled_n, is_split=is_split)
        natural = not is_split and len(slots) >= 2 and total(counted[:2])[0] == 21
        return PlayedHand(place, slots, counted, stake, ledger, doubled_n is not None, natural, fault)

    def _doubled_n(self, place: str, ledger: Ledger | None, original: int) -> int | None:
        """When the player doubled: he raised the wager of a hand of two cards (11.1, 11.3)."""
        for change in ledger.changes if ledger else ():
            if change.n > self.initial_n and change.by == "player" and change.before >= original > 0 < change.rise:
                return change.n if self._is_double(place, change) else None
        return None

    def _is_double(self, place: str, change: Change) -> bool:
        return sum(slot.n < change.n for slot in self.round.hand(place)) == 2

    def _count(
        self, place: str, slots: list[Slot], doubled_n: int | None, *, is_split: bool
    ) -> tuple[list[int], Finding | None]:
        """9.2, 10.4, 11.2: the cards that count, and the first draw that the rules forbid or demand."""
        counted = [slot.card or 0 for slot in slots[:2]]
        aces_split = is_split and bool(slots) and counted[0] >> 2 == ACE
        for slot in slots[2:]:
            count, _ = total(counted)
            if count > 21:
                rule, why = "13.1(d)", f"has {count} and is out"
            elif count == 21:
                rule, why = "9.2(a)", "has 21"
            elif aces_split:
                rule, why = "10.4", "is a split ace, which gets one card"
            elif doubled_n is not None and slot.n > doubled_n and len(counted) > 2:
                rule, why = "11.2", "was doubled and has its card"
            else:
                counted.append(slot.card or 0)
                continue
            return counted, Finding(
                kind="draw.excess", rule=rule, t=slot.t, at=place, observed=slot.text,
                message=f"{place} {why}: it may not be dealt another card.",
            )
        if not self.round.ended or any(gap.n > self.opened_n for gap in self.round.gaps):
            return counted, None
        return counted, self._short(place, counted, doubled=doubled_n is not None)

    def _short(self, place: str, counted: list[int], *, doubled: bool) -> Finding | None:
        count, soft = total(counted)
        if doubled and len(counted) == 2 and count != 21:
            rule, why = "11.2", "was doubled: it must be dealt one card"
        elif not doubled and not soft and count < PLAYER_MUST_REACH and len(counted) >= 2:
            rule, why = "9.2(b)", f"stood on a hard {count}: it must draw to {PLAYER_MUST_REACH} or more"
        else:
            return None
        return Finding(
            kind="draw.missing", rule=rule, t=self.round.closed, at=place, expected=PLAYER_MUST_REACH,
            observed=count, message=f"{place} {why}.",
        )

    # ---- the dealer's hand (12.1) ----

    def even_money(self, hand: PlayedHand) -> bool:
        """8.1(b): a blackjack against an ace was paid even at the player's request, before the dealer's next card."""
        if not hand.natural or self.up_card is None or self.up_card >> 2 != ACE:
            return False
        second_n = self.dealer[1].n if len(self.dealer) > 1 else NEVER
        early = [c for c in hand.ledger.changes if c.by == "dealer" and self.initial_n < c.n < second_n] if hand.ledger else []
        return self.round.called("even_money", hand.place) is not None or sum(c.rise for c in early) == hand.stake

    def settled_at_once(self, hand: PlayedHand) -> bool:
        """8.1(a): a blackjack against neither a ten nor an ace."""
        return hand.natural and self.up_card is not None and VALUE[self.up_card] < 10

    def dealer_count(self, insured: bool) -> tuple[list[int], Finding | None, bool]:
        """The dealer's cards that count, the first wrong draw, and whether the hand is complete."""
        waiting = [
            hand for hand in self.hands
            if hand.points <= 21 and not self.settled_at_once(hand) and not self.even_money(hand)
            and self.round.called("void", hand.place) is None
        ]
        full_hand = any(not hand.natural for hand in waiting)
        cards = [slot.card or 0 for slot in self.dealer]
        count = 1
        while True:
            points, _ = total(cards[:count])
            needed = (bool(waiting) or insured) if count == 1 else full_hand and points < DEALER_STANDS
            if not needed or count > len(cards):
                break
            count += 1
        if count > len(cards) >= 1:
            return cards, self._dealer_missing(cards), False
        fault = None
        if len(cards) > count:
            why = f"has {points} and stands" if count > 1 else "needs no card, nothing hangs on it"
            rule = "12.1(a)" if points >= DEALER_STANDS and count > 1 else "12.1(b)"
            fault = Finding(
                kind="draw.excess", rule=rule, t=self.dealer[count].t, at="dealer", expected=count,
                observed=len(cards), message=f"The dealer {why}: {name(cards[count])} was drawn all the same.",
            )
        return cards[:count], fault, bool(cards)

    def _dealer_missing(self, cards: list[int]) -> Finding | None:
        if not self.round.ended or any(gap.n > self.opened_n for gap in self.round.gaps):
            return None
        points, _ = total(cards)
        return Finding(
            kind="draw.missing", rule="12.1(a)", t=self.round.closed, at="dealer", expected=DEALER_STANDS,
            observed=points, message=f"The dealer must draw to {DEALER_STANDS}, but stood on {points}.",
        )


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
        insured = any(_player_stake(ledger) for ledger in insurance) and act.up_card is not None and act.up_card >> 2 == ACE
        cards, dealer_fault, complete = act.dealer_count(insured)
        decided = act.dealer[-1].n if len(act.dealer) > 1 else max(act.initial_n, act.draws[-1].n if act.draws else 0)

        settlement = Settlement(round, house, since=act.opened_n, decided=decided, voided=declared_void(round, "16.4"))
        findings = settlement.findings
        findings += shuffle_findings(round, house)
        findings += deck_findings(round, house.decks, "2.1", whole_shoe=house.shoe == "card")
        findings += wager_findings(act)
        findings += deal_findings(act.expected, act.initial, DEAL)
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


def _player_stake(ledger: Ledger) -> int:
    return max((change.after for change in ledger.changes if change.by != "dealer"), default=0)


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
    last = round.slots[-1].n if round.slots else act.opened_n
    closed_for_good = act.dealer[-1].n if len(act.dealer) > 1 else last
    yield from frozen(round, OPENING, act.opened_n, closed_for_good, "4.3", lambda *move: _provided_for(act, *move))
    for hand in act.hands:
        yield from _double_findings(act, hand)
        if hand.place != box_of(hand.place):
            yield from _split_findings(act, hand)
    for ledger in round.chips.values():
        if ledger.at.endswith("/insurance"):
            yield from _insurance_findings(act, ledger)


def _provided_for(act: Act, ledger: Ledger, change: Change) -> bool:
    """4.3: the changes that rules 10 and 11 provide for."""
    place = hand_of(ledger.at)
    if not ledger.at.endswith("/main") or change.rise <= 0 or change.n < act.initial_n:
        return False
    return "#" in place or act._is_double(place, change)


def _double_findings(act: Act, hand: PlayedHand) -> Iterator[Finding]:
    original = next((s.amount for s in act.mains if box_of(s.ledger.at) == box_of(hand.place)), 0)
    if hand.doubled and hand.stake != 2 * original and hand.ledger is not None:
        yield Finding(
            kind="bet.amount", rule="11.1", t=hand.ledger.changes[-1].t, at=hand.ledger.at, expected=2 * original,
            observed=hand.stake,
            message=f"A double adds exactly the original {amount_text(original)}; {amount_text(hand.stake)} stood there.",
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
        if slot is not moved and slot.n < (moved.moved_n or 0)
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
    stake, change = _player_stake(ledger), placed[-1]
    main = next((s.amount for s in act.mains if box_of(s.ledger.at) == box_of(ledger.at)), 0)
    half_chip = cents(act.house.chip) / 2
    if act.up_card is None or act.up_card >> 2 != ACE or change.n < act.dealer[0].n:
        kind, rule, bound, why = "bet.invalid", "7.1", 0, "the dealer shows no ace"
    elif change.n > act.subsequent_n:
        kind, rule, bound, why = "bet.late", "7.2", 0, "the subsequent deal had begun"
    elif 2 * stake > main:
        kind, rule, bound, why = "bet.amount", "7.1", main // 2, f"at most half of {amount_text(main)} may be insured"
    elif stake % half_chip:
        kind, rule, bound, why = "bet.multiple", "7.3", round_cents(half_chip), "it comes in halves of the smallest chip"
    else:
        return
    yield Finding(
        kind=kind, rule=rule, t=change.t, at=ledger.at, expected=bound, observed=stake,
        message=f"Insurance of {amount_text(stake)} was placed: {why}.",
    )


def round_cents(value: float) -> int:
    """Half of an odd number of cents is shown rounded down."""
    return int(value)


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
            settlement.wager(stake.ledger, stake.amount, voids("18.9", "Not a valid Perfect Pairs wager"), sure=stake.sure)
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
        if first.n > act.subsequent_n:
            return [_out_of_time(hand.ledger, first, "8.1(a)", "This blackjack is paid before the subsequent deal")]
    elif not act.even_money(hand) and first.n < decided:
        rule = "8.1" if hand.natural else "13.1"
        return [_out_of_time(hand.ledger, first, rule, "The dealer's hand was not complete")]
    return []


def settle_insurance(act: Act, settlement: Settlement, ledger: Ledger, dealer: list[int], *, complete: bool) -> None:
    """7.4, 7.5."""
    stake = _player_stake(ledger)
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
