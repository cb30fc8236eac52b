"""Blackjack's cards as they were dealt: who was to get them, the initial deal, the draws, and what is wrong with them."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from auditor import log
from auditor.cards import JOKER
from auditor.checks import DealRules, Stake, deal_findings, initial_deal, shuffle_missing, stakes_at
from auditor.findings import Finding
from auditor.game import declared_void
from auditor.house import House, Money
from auditor.rounds import OFF_TABLE, Ledger, Round, Slot, box_number, box_of

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
    """Which cards make up the initial deal, and which were drawn after it. Jokers are left out: they are replaced."""

    def __init__(self, round: Round) -> None:
        assert round.opened_n is not None
        self.round, self.opened_n = round, round.opened_n
        self.stopped = not round.ended or declared_void(round, "16.4") is not None
        """The round broke off: a card that did not come may still have been due to come."""
        self.mains = [stake for stake in stakes_at(round, self.opened_n, MAIN) if "#" not in stake.ledger.at]
        self.pairs = stakes_at(round, self.opened_n, PAIRS)
        self.boxes = list(dict.fromkeys(box_of(stake.ledger.at) for stake in self.mains))
        self.late = self._late_wagers()
        late_boxes = {box_of(stake.ledger.at) for stake in self.late}
        slots = [slot for slot in round.slots if slot.card != JOKER]
        known = [slot for slot in slots if slot.dealt_to not in late_boxes] if late_boxes else slots
        self.expected = [*self.boxes, DEALER, *self.boxes]
        if self.stopped and len(known) < len(self.expected):
            self.expected = self.expected[: _reached(self.expected, known)]
        self.initial = known[: initial_deal(self.expected, known)]
        self.first_cards = self.initial + [
            slot for box in late_boxes for slot in [each for each in slots if each.dealt_to == box][:2]
        ]
        self.initial_n = max((slot.n for slot in self.first_cards), default=self.opened_n)
        self.draws = slots[len(self.initial) :]
        if late_boxes:
            self.draws = [slot for slot in slots if slot not in self.first_cards]
        splits = [slot.moved_n for slot in slots if slot.moved_n is not None and "#" in slot.place]
        self.subsequent_n = min([slot.n for slot in self.draws[:1]] + splits, default=NEVER)

    def _late_wagers(self) -> list[Stake]:
        """Wagers put down too late on boxes that were dealt in all the same: reported once, then played like others."""
        found = []
        for ledger in self.round.chips.values():
            box = box_of(ledger.at)
            if ledger.spot == "main" and box not in self.boxes and box in self.round.hands and "#" not in ledger.at:
                for change in ledger.changes:
                    if change.n > self.opened_n and change.by != "dealer" and change.rise > 0:
                        found.append(Stake(ledger, change.after, change.sure, change.t))
                        break
        return found

    def home(self, slot: Slot) -> str:
        """The box a card was dealt to, or was put right to (14.4)."""
        return box_of(slot.place)

    def misplaced(self, slot: Slot) -> bool:
        """Whether the card was dealt to one box and moved to another; a split moves a card within its box."""
        return slot.moved_n is not None and box_of(slot.place) != box_of(slot.dealt_to)


def _reached(expected: list[str], slots: list[Slot]) -> int:
    """How far the initial deal had come when the round broke off: the part of it that the cards fit best."""
    got = Counter(slot.dealt_to for slot in slots)

    def misfit(length: int) -> int:
        should = Counter(expected[:length])
        return (should - got).total() + (got - should).total()

    return min(range(len(expected) + 1), key=lambda length: (misfit(length), -length))


def burnt_cards(round: Round, slots: list[Slot]) -> list[Slot]:
    """The cards of a hand that were taken out of it again (14.2-14.4) while the others stayed."""
    times = {slot.gone_n for slot in slots}
    if len(times) < 2:
        return []
    burnt: list[Slot] = []
    run: list[Slot] = []
    for n in sorted(each for each in times if each is not None):
        run += [slot for slot in slots if slot.gone_n == n]
        if n + 1 not in times:  # cards picked up one after the other are collected, if they are the last
            burnt += run
            run = []
    return burnt if None in times else [slot for slot in burnt if slot.gone_n != max(_known(times))][: len(slots) - 1]


def _known(times: set[int | None]) -> list[int]:
    return [each for each in times if each is not None]
