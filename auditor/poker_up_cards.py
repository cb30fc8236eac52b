"""Dealing with open cards (stud): betting after a card face up to each player, the best hand showing first."""

from collections.abc import Sequence

from auditor.checks import DealRules, deal_findings
from auditor.hands import Order, showing_strength
from auditor.poker_betting import Betting, showing
from auditor.poker_deal import Deal
from auditor.poker_table import NEVER, Step, Table
from auditor.rounds import Slot


class UpCardDeal(Deal):
    """A round of stud."""

    def __init__(self, table: Table, betting: Betting, sequence: Sequence[str], hand_size: int) -> None:
        super().__init__(table, betting, sequence, hand_size)
        self.street_slots: list[Slot] = []

    def opener(self) -> str | None:
        """Stud 11.1(a), 11.2(a): the highest card or hand showing opens, the first after the button among equals."""
        best, opener = -1, None
        for player in self.betting.in_hand:
            cards = showing([s for s in self.table.round.hand(player.box) if s.n < self.first_action_n or self.street])
            cards = cards[: self.street + 1]
            strength = _showing(cards, self.house.hand_order)
            if strength is None:
                return None
            if strength > best:
                best, opener = strength, player.box
        return opener

    def hand_card(self, step: Step, slot: Slot) -> None:
        full = len(self.initial) >= len(self.sequence)
        if self.first_action_n == NEVER and not (full and self.betting.due() is None):
            self.initial.append(slot)
            return
        if self._opens_street(slot):
            if not self.betting.complete(step.n):
                self.premature(step, slot.dealt_to)
            self._street_dealt(last=False)
            self.next_street(step.n)
            self._check_burnt_off(step)
        self.street_slots.append(slot)
        if not slot.dealt_up:
            why = "was dealt face down; it is due face up"
            self.report("deal.facing", self.clauses.deal, step, slot.dealt_to, why)

    def finish(self) -> None:
        self._street_dealt(last=True)

    def _opens_street(self, slot: Slot) -> bool:
        """Stud: a card after betting opens the next street; so does a second one to a box when nobody can bet."""
        if not self.street or (self.begun and self.betting.actions):
            self.begin()
            return True
        if any(slot.dealt_to == each.dealt_to for each in self.street_slots):
            self.begin()
            return self.betting.due() is None
        return False

    def _street_dealt(self, *, last: bool) -> None:
        """9.2: every active player gets one card of the street, in order."""
        slots, self.street_slots = self.street_slots, []
        if not slots:
            return
        n = slots[0].n
        expected = [p.box for p in self.betting.order if p.folded_n is None or p.folded_n > n]
        if last and len(slots) < len(expected) and not (self.table.round.ended or self.begun):
            return
        rules = DealRules(sequence=self.clauses.deal, number=self.clauses.deal, stranger=self.clauses.deal)
        self.findings += deal_findings(expected, slots, rules)

    def _check_burnt_off(self, step: Step) -> None:
        """Stud 17.6: after a card was shown too early, as many cards are burnt as there are active players."""
        if not self.exposed_at_shoe:
            return
        lying = [slot for slot in self.table.round.off_table if slot.dealt_to == "burn" and slot.n < step.n]
        moved = sum(slot.gone_n is not None for slot in self.exposed_at_shoe)
        burnt, due = len(lying), len(self.betting.in_hand)
        if burnt not in (due, due - 1 - moved, due - 1):
            self.report(
                "deal.burn", self.clauses.burn, step, "burn",
                f"came after {burnt} burnt cards; {due} must be, with the one shown", expected=due, observed=burnt,
            )  # fmt: skip
        self.exposed_at_shoe = []


def _showing(cards: Sequence[int], order: Order) -> int | None:
    try:
        return showing_strength(cards, order)
    except ValueError:
        return None
