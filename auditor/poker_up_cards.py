"""Dealing with open cards (stud): betting after a card face up to each player, the best hand showing first."""

from collections.abc import Sequence

import msgspec

from auditor.deal_checks import DealRules, deal_findings
from auditor.findings import Finding
from auditor.hands import Order, showing_strength
from auditor.poker_betting import Betting
from auditor.poker_deal import Deal
from auditor.poker_chips import NEVER
from auditor.poker_table import Step, Table
from auditor.slots import Slot


class UpCardDeal(Deal):
    """A round of stud."""

    def __init__(self, table: Table, betting: Betting, sequence: Sequence[str], hand_size: int) -> None:
        super().__init__(table, betting, sequence, hand_size)
        self.street_slots: list[Slot] = []
        self.early_slots: list[Slot] = []
        """Cards that came into a betting round that went on after them."""
        self.street_n = 0
        """When the dealing of the street began."""

    def opener(self) -> str | None:
        """Stud 11.1(a), 11.2(a): the highest card or hand showing opens, the first after the button among equals."""
        best, opener, able, able_best = -1, None, None, -1
        dealt_n = max((slot.n for slot in (self.street_slots if self.street else self.initial)), default=0)
        begins = next(self.table.acts_after(dealt_n), None)
        first = begins.box if begins is not None else None
        for player in self.betting.in_hand:
            if begins is not None and self.table.voided(player.box, begins.n):
                continue
            cards = self._open_cards(player.box, dealt_n, begins.n if begins is not None else dealt_n)
            strength = _showing(cards, self.house.hand_order) if len(cards) == self.street + 1 else None
            if strength is None:
                return first  # what shows cannot be compared
            if strength > best:
                best, opener = strength, player.box
            if strength > able_best and not player.all_in:
                able_best, able = strength, player.box
        # Who may begin where a tapped-out player shows the highest hand is not laid down: the next, or the next best.
        return able if able == first else opener

    def _open_cards(self, box: str, dealt_n: int, begins: int) -> list[int]:
        """What a player shows when the betting begins; a card dealt face down by mistake shows once it is turned."""
        hand = [slot for slot in self.table.round.hand(box) if slot.n <= dealt_n]
        shown = [
            slot for index, slot in enumerate(hand)
            if slot.dealt_up or (index and slot.turned_n is not None and slot.turned_n < begins)
        ]  # fmt: skip
        return [slot.card for slot in shown if slot.card is not None]

    def checked_unseen(self, step: Step) -> bool:
        """Whether those who had still to act may have checked by voice; any of them may open the next round."""
        betting = self.betting
        waiting = [player for player in betting.in_hand if not player.all_in and not player.acted]
        met = all(player.all_in or player.put >= betting.to_call for player in betting.in_hand)
        acted = bool(betting.actions) or not self.table.checks_seen
        return acted and met and all(betting.may_check(player) for player in waiting)

    def hand_card(self, step: Step, slot: Slot) -> None:
        full = len(self.initial) >= len(self.sequence)
        if self.first_action_n == NEVER and not (full and self.betting.due() is None):
            self.initial.append(slot)
            return
        if self._opens_street(slot):
            complete = self.betting.complete(step.n)
            silent = not complete and self.checked_unseen(step)
            if not complete and not silent:
                if not self.early_slots:
                    self.premature(step, slot.dealt_to)
                if self.goes_on(step):
                    self.early_slots.append(slot)
                    return
            self._begin_street(step)
        self.street_slots.append(slot)
        if not slot.dealt_up:
            why = "was dealt face down; it is due face up"
            self.report("deal.facing", self.clauses.deal, step, slot.dealt_to, why)

    def _after_early_cards(self, step: Step) -> None:
        if self.early_slots and self.betting.complete(step.n):
            self._begin_street(step)
            self.begin()

    def _begin_street(self, step: Step) -> None:
        """The betting before is over: cards that came into it are the first of the street."""
        self._street_dealt(last=False)
        self.next_street(step.n)
        self.street_slots, self.early_slots, self.street_n = self.early_slots, [], step.n
        self._check_burnt_off(step)

    def finish(self) -> None:
        self._street_dealt(last=True)

    def _opens_street(self, slot: Slot) -> bool:
        """Stud: a card after betting opens the next street; so does a second one to a box when no betting need be seen.

        That is when nobody can bet, or when all may have checked by voice. After the last street one is one too many.
        """
        if self.street == self.rules.rounds - 1:
            return False
        if not self.street or (self.begun and self.betting.actions):
            self.begin()
            return True
        if all(slot.dealt_to != each.dealt_to for each in self.street_slots):
            return False
        if sum(not player.all_in for player in self.betting.in_hand) < 2:
            return True
        served = {each.dealt_to for each in self.street_slots} >= {player.box for player in self.betting.in_hand}
        if served and not self.table.checks_seen and self._all_served_from(slot):
            self.begin()
            return True
        return False

    def _all_served_from(self, slot: Slot) -> bool:
        """Whether the others get a card as well before anybody acts: one that comes alone is one too many."""
        acts = next(self.table.acts_after(slot.n, past_cards=True), None)
        cards = (step for step in self.table.steps if step.kind == "card" and step.n >= slot.n)
        coming = {step.box for step in cards if acts is None or step.n < acts.n}
        return len(coming) > 1

    def _street_dealt(self, *, last: bool) -> None:
        """9.2: every active player gets one card of the street, in order."""
        slots, self.street_slots = self.street_slots, []
        if not slots:
            return
        twice = any(slot.dealt_to == slots[-1].dealt_to for slot in slots[:-1])
        if last and twice and not self.table.round.ended and self.table.steps[-1].slot is slots[-1]:
            slots = slots[:-1]  # with the first card of which street the log ends cannot be told
        expected = [p.box for p in self.betting.order if p.folded_n is None or p.folded_n > self.street_n]
        if last and len(slots) < len(expected) and not (self.table.round.ended or self.begun):
            return
        rules = DealRules(sequence=self.clauses.deal, number=self.clauses.deal, stranger=self.clauses.deal)
        self.findings += [self._extra_if_folded(each) for each in deal_findings(expected, slots, rules)]

    def _extra_if_folded(self, finding: Finding) -> Finding:
        """A card dealt to a player who has folded is one too many: he was in the round with a wager."""
        if finding.kind != "deal.no_wager" or finding.at not in self.betting.players:
            return finding
        message = f"A card was dealt to {finding.at}, who had folded."
        return msgspec.structs.replace(finding, kind="deal.extra", expected=0, observed=1, message=message)

    def _check_burnt_off(self, step: Step) -> None:
        """Stud 17.6: after a card was shown too early, as many cards are burnt as there are active players."""
        if not self.exposed_at_shoe:
            return
        lying = [slot for slot in self.table.round.off_table if slot.dealt_to == "burn" and slot.n < step.n]
        moved = sum(slot.gone_n is not None for slot in self.exposed_at_shoe)
        burnt, due = len(lying), len(self.betting.in_hand)
        shown = {slot.card for slot in self.exposed_at_shoe}
        among = any(slot.card is not None and slot.card in shown for slot in lying)  # with the one shown told again
        if burnt not in ((due,) if among else (due, due - 1 - moved, due - 1)):
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
