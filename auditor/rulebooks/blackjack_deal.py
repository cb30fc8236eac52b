"""Blackjack as it was dealt: who was to get cards, the initial deal, the draws after it, and what is wrong with it."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from auditor.cards import JOKER
from auditor.deal_checks import DealRules, deal_findings, initial_deal, so_far
from auditor.slots import Slot
from auditor.wager_checks import Stake, stakes_at, taken_back_n
from auditor.findings import Finding
from auditor.game import declared_void
from auditor.house import House, Money
from auditor.places import box_number, box_of
from auditor.rounds import Round
from auditor.rulebooks.blackjack_hands import total

MAIN, PAIRS = frozenset({"main"}), frozenset({"pairs"})
NEVER = 1 << 60
DEALER = "dealer"
DEAL = DealRules(sequence="6.2", number="6.2", stranger="6.2")


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
    double_on: Annotated[
        Literal["any", "two"],
        Meta(description="hands that may be doubled: any, or only those of two cards (11.1 does not say)"),
    ] = "any"


class Deal:
    """Which cards make up the initial deal, and which were drawn after it; a joker that was replaced is left out."""

    def __init__(self, round: Round) -> None:
        assert round.opened_n is not None
        self.round, self.opened_n = round, round.opened_n
        self.stopped = not round.ended or declared_void(round, "16.4") is not None
        """The round broke off: a card that did not come may still have been due to come."""
        self.cut_off = False
        """The log ends in the initial deal."""
        self.mains = [stake for stake in stakes_at(round, self.opened_n, MAIN) if "#" not in stake.ledger.at]
        self.pairs = stakes_at(round, self.opened_n, PAIRS)
        self.boxes = list(dict.fromkeys(box_of(stake.ledger.at) for stake in self.mains))
        self.fled = self._fled()
        self.expected = self._due() if self.boxes else []
        others = [place for place in round.hands if place != DEALER and place not in self.boxes]
        self.late = self._late_wagers() if others else {}
        late_boxes = {box_of(stake.ledger.at) for stake in self.late}
        self.in_play = {DEALER, *self.boxes, *late_boxes}
        slots = _without_replaced_jokers(round.slots)
        in_time = [slot for slot in slots if slot.dealt_to not in late_boxes] if late_boxes else slots
        self.initial = self._initial(in_time)
        self.first_cards, self.draws = self.initial, slots[len(self.initial) :]
        for box in late_boxes:
            self.first_cards = self.first_cards + [slot for slot in slots if slot.dealt_to == box][:2]
            self.draws = [slot for slot in slots if slot not in self.first_cards]
        self.initial_n = max([self.opened_n, *(slot.n for slot in self.first_cards)])
        splits = [slot.moved_n for slot in slots if slot.moved_n is not None and "#" in slot.place] if others else []
        self.split_n = min(splits, default=NEVER)
        self.subsequent_n = min(self.draws[0].n, self.split_n) if self.draws else self.split_n

    def _fled(self) -> dict[str, int]:
        """Boxes whose player took his wager up again before the dealer drew (4.3), with the event."""
        own = [slot.n for slot in self.round.slots if slot.dealt_to == DEALER]
        if len(own) < 2:
            return {}
        taken = {box_of(stake.ledger.at): taken_back_n(stake.ledger, self.opened_n, own[1]) for stake in self.mains}
        return {box: n for box, n in taken.items() if n is not None}

    def _due(self) -> list[str]:
        """6.2: who gets a card. A box may be passed over that its player left before its turn."""
        got = Counter(slot.dealt_to for slot in self.round.slots)
        first_n = next((slot.n for slot in self.round.slots if slot.dealt_to == DEALER), NEVER)
        first = [box for box in self.boxes if got[box] or self.fled.get(box, NEVER) >= first_n]
        second = [box for box in self.boxes if got[box] > 1 or box not in self.fled]
        return [*first, DEALER, *second]

    def _initial(self, slots: list[Slot]) -> list[Slot]:
        length = len(self.expected)
        if self.stopped and len(slots) <= length:
            reached = so_far(self.expected, slots)
            self.cut_off = not self.round.ended and declared_void(self.round, "16.4") is None and not self._is_played()
            if self.cut_off:
                return slots
            if self._broke_off() or [slot.dealt_to for slot in slots] == reached:
                self.expected = list(reached)
                return slots
        counted = initial_deal(self.expected, slots)
        first = slots[:length]
        if counted == length or Counter(box_of(slot.place) for slot in first) != Counter(self.expected):
            return slots[:counted]
        # Right counts: a card was put right, or the dealer's came last. (A box passed over gets its card in its turn.)
        put_right = any(self.placed_right(slot) for slot in first)
        dealer_last = all(slot.dealt_to != DEALER for slot in slots[:counted])
        return first if put_right or dealer_last else slots[:counted]

    def _broke_off(self) -> bool:
        """Whether the round was declared void before its cards were collected."""
        collected_n = min((slot.gone_n for slot in self.round.slots if slot.gone_n is not None), default=NEVER)
        return min((n for n, _ in self.round.calls_off()), default=NEVER) < collected_n

    def _is_played(self) -> bool:
        """Whether a player's decision shows that the initial deal was over."""
        decided = any(call.what == "stand" and box_number(call.at or "") for _, call in self.round.calls)
        return decided or any("#" in slot.place for slot in self.round.slots)

    def _late_wagers(self) -> dict[Stake, int]:
        """Wagers put down during the deal on boxes that were dealt in all the same, with the event that placed them."""
        in_time = [slot for slot in self.round.slots if slot.dealt_to in self.expected]
        closed_n = in_time[min(len(in_time), len(self.expected)) - 1].n if in_time else NEVER
        found = {}
        for ledger in self.round.chips.values():
            box = box_of(ledger.at)
            if ledger.spot != "main" or box in self.boxes or "#" in ledger.at:
                continue
            last_n = max((slot.n for slot in self.round.slots if slot.dealt_to == box), default=0)
            for change in ledger.changes:
                if self.opened_n < change.n < min(last_n, closed_n) and change.by != "dealer":
                    found[Stake(ledger, change.after, change.sure, change.t)] = change.n
                    break
        return found

    def placed_right(self, slot: Slot) -> bool:
        """Whether a card dealt to one box was put right to another (14.4); a split moves it within its box."""
        return slot.moved_n is not None and box_of(slot.place) != box_of(slot.dealt_to)


def _without_replaced_jokers(slots: list[Slot]) -> list[Slot]:
    """The cards dealt; a joker is taken out where the next card came in its stead."""
    following = [*slots[1:], None]
    return [
        slot for slot, after in zip(slots, following, strict=True)
        if slot.card != JOKER or after is None or after.dealt_to != slot.dealt_to
    ]  # fmt: skip


def burnt_cards(round: Round, slots: list[Slot]) -> list[Slot]:
    """The cards that were taken out of a hand (14.2-14.4) while others stayed there and the deal went on.

    A hand that is gathered in may go card by card, with whatever else is done in between.
    """
    times = {slot.gone_n for slot in slots}
    if len(times) < 2:
        return []
    collected_n = NEVER if None in times else max(n for n in times if n is not None)
    last_n = max(each.n for each in round.slots if each.n < collected_n)
    return [slot for slot in slots if slot.gone_n is not None and slot.gone_n < last_n]


# ---- checks ------------------------------------------------------------------------------------------------------


def dealing_findings(deal: Deal) -> Iterator[Finding]:
    """6.1, 6.2, 9.1, 10.3, 12.1(a): face up, to the right boxes, in the right order."""
    yield from _initial_findings(deal)
    strangers = {slot.dealt_to for slot in deal.initial}
    for slot in deal.draws:
        if box_of(slot.dealt_to) not in deal.in_play and slot.dealt_to not in strangers:
            strangers.add(slot.dealt_to)
            yield Finding(
                kind="deal.no_wager", rule="6.2", t=slot.t, at=slot.dealt_to,
                message=f"A card was dealt to {slot.dealt_to}, which holds no wager.",
            )
    for slot in deal.round.slots:
        if not slot.dealt_up:
            yield Finding(
                kind="deal.facing", rule="6.1", t=slot.t, at=slot.dealt_to, expected="up", observed="down",
                message=f"A card at {slot.dealt_to} was dealt face down; all cards are dealt face up.",
            )
    yield from _turn_findings(deal)


def _initial_findings(deal: Deal) -> Iterator[Finding]:
    moved = [slot for slot in deal.initial if deal.placed_right(slot)]
    if moved and Counter(box_of(slot.place) for slot in deal.initial) == Counter(deal.expected):
        yield _put_right(moved[0], "6.2")
        return
    for finding in deal_findings(deal.expected, deal.initial, DEAL, ended=not deal.cut_off):
        if finding.kind == "deal.no_wager" and finding.at == DEALER:  # broken off before it was his turn
            message = "The dealer was dealt a card before the boxes were."
            finding = msgspec.structs.replace(finding, kind="deal.order", message=message)
        if deal.round.gaps and finding.kind in ("deal.missed", "deal.count"):
            # What did not come is proved only when play goes on without it: the view may have been lost until then.
            finding = msgspec.structs.replace(finding, t=deal.draws[0].t if deal.draws else deal.round.closed)
        yield finding


def _put_right(slot: Slot, rule: str) -> Finding:
    return Finding(
        kind="deal.order", rule=rule, t=slot.t, at=slot.dealt_to, expected=slot.place, observed=slot.dealt_to,
        message=f"{slot.text} was due to {slot.place}, but {slot.dealt_to} got it; it was moved afterwards.",
    )


def _turn_findings(deal: Deal) -> Iterator[Finding]:
    """9.1, 10.3, 12.1: boxes clockwise, a split hand finished before the next, the dealer last."""
    begun: dict[str, Slot] = {}
    current = ""
    for slot in deal.draws:
        place = slot.dealt_to
        if place == current or box_of(place) not in deal.in_play:
            continue
        if deal.placed_right(slot):
            yield _put_right(slot, "9.1")
            return
        early = next((begun[other] for other in begun if _goes_before(deal.round, place, other, begun)), None)
        if early is not None:
            yield _out_of_turn(deal.round, slot, early)
            return
        begun.setdefault(place, slot)
        current = place
    if DEALER in begun and begun[DEALER].dealt_up:  # a hole card is reported as dealt face down
        yield from _stood_late(deal, begun[DEALER])


def _stood_late(deal: Deal, drawn: Slot) -> Iterator[Finding]:
    """12.1(a): the dealer draws once every player has decided; one who first stands afterwards had not."""
    calls = [(n, call) for n, call in deal.round.calls if call.what == "stand" and call.by != "dealer"]
    stood = {call.at for n, call in calls if n < drawn.n}
    for n, call in calls:
        hand = deal.round.hand(call.at or "")
        if n < drawn.n or call.at in stood or box_of(call.at or "") not in deal.in_play or deal.round.gaps:
            continue
        if hand and total([slot.card or 0 for slot in hand])[0] < 21:
            yield Finding(
                kind="deal.order", rule="12.1(a)", t=drawn.t, at=DEALER, expected=call.at, observed=DEALER,
                message=f"dealer was dealt a card before {call.at} had decided, who stood at {call.t:.1f} s.",
            )
            return


def _goes_before(round: Round, place: str, other: str, begun: dict[str, Slot]) -> bool:
    """Whether a hand is to be completed before another one, which has drawn already."""
    if place in (other, DEALER):
        return False
    if other == DEALER or box_of(place) != box_of(other):
        return other == DEALER or box_number(other) > box_number(place)
    made_from = {slot.moved_from for slot in round.hand(other)}
    return place in made_from or (place in begun and begun[other].n > begun[place].n)


def _out_of_turn(round: Round, slot: Slot, early: Slot) -> Finding:
    place, other = slot.dealt_to, early.dealt_to
    rule = "12.1(a)" if other == DEALER else "10.3" if box_of(place) == box_of(other) else "9.1"
    stood = round.called("stand", place)
    if stood is not None and stood < early.n:
        return Finding(
            kind="deal.order", rule=rule, t=slot.t, at=place, expected=other, observed=place,
            message=f"{place} had stood and {other} had been dealt a card, when {place} was dealt another one.",
        )
    return Finding(
        kind="deal.order", rule=rule, t=slot.t if round.gaps else early.t, at=other, expected=place, observed=other,
        message=f"{other} was dealt a card before {place} was completed: hands are completed in turn.",
    )
