"""Canberra Poker as it was played: who was in, what was dealt and shown, and what is wrong with the deal.

Nothing here hangs on which card was read: a round is taken apart once, however many readings are then judged.
"""

from collections import Counter
from collections.abc import Iterator

from auditor.cards import JOKER
from auditor.deal_checks import DealRules, deal_findings, so_far
from auditor.ledgers import Change, Ledger
from auditor.slots import Slot
from auditor.wager_checks import Stake, stakes_at
from auditor.findings import Finding
from auditor.game import status_of
from auditor.places import box_number, box_of
from auditor.rounds import Round

HAND = 5  # 2.5, 6.3(c)
EXPOSED_VOID = 3  # 11.1
TWICE = 2  # 7.2
ANTE, BET = frozenset({"ante"}), frozenset({"bet"})
DEAL = DealRules(sequence="6.3", number="6.3(c)", stranger="11.7")
DEALER = "dealer"
NEVER = 1 << 60


class Bet:
    """The second wager of a box: `stake` is what stood there when the dealer's hand was shown.

    `n` is the event that placed it, `last_n` the last that brought it to `stake`; chips `left` from the round before
    that nobody touched may or may not be meant as one. Once it is what is `due`, it may not be `changed`.
    """

    def __init__(self, ledger: Ledger, due: int, decided_n: int) -> None:
        self.ledger, self.due = ledger, due
        self.stake, self.sure, self.left = ledger.carried, ledger.carried_sure, bool(ledger.carried)
        self.n = self.last_n = -1
        self.t = 0.0
        self.changed: Change | None = None
        for change in ledger.changes:
            if change.n >= decided_n or (change.by == "dealer" and self.n >= 0):
                break
            if self.n >= 0 and (due == self.stake or (not due and change.rise < 0)):
                self.changed = change if change.by == "player" and change.rise else None
                break
            self.left = False
            self.stake, self.last_n, self.t, self.sure = change.after, change.n, change.t, change.sure
            self.n = -1 if change.by == "dealer" or not change.after else change.n if self.n < 0 else self.n


class Seat:
    """One box in the round: its ante, its hand, its bet."""

    def __init__(self, box: str, ante: Stake | None, hand: list[Slot], *, late: bool) -> None:
        self.box, self.ante, self.hand, self.late = box, ante, hand, late
        self.bet: Bet | None = None
        self.fold_n: int | None = None
        self.void: tuple[str, str] | None = None
        """The clause and the reason for which this hand does not count."""
        self.out_of_order = False

    @property
    def shown(self) -> bool:
        """Whether any of its cards was ever turned up."""
        return any(slot.seen_n is not None for slot in self.hand)


class Act:
    """One round, seen through the rules."""

    def __init__(self, round: Round) -> None:
        self.round, self.opened_n = round, round.opened_n or 0
        self.stop_n = min((n for n, _ in round.calls_off()), default=NEVER)
        self.cards = _without_replaced_jokers(round)
        self.hands: dict[str, list[Slot]] = {}
        for slot in self.cards:
            self.hands.setdefault(slot.dealt_to, []).append(slot)
        self.dealer = self._hand(DEALER)
        last = self.dealer[: HAND][-1:] or self.cards[-1:]
        self.deal_end_n = last[0].n if last else self.opened_n
        self.reveal_n = self._reveal()
        self.decided_n = self._decided()
        self.seats = self._seats()
        self.boxes = [seat.box for seat in self.seats if seat.ante is not None]
        gap = round.gap_after(self.opened_n)
        self.deal_over = self._was_over()
        unseen = round.gap_after(round.undealt_n()) if round.gaps else None
        self.unseen_deal = unseen is not None and unseen.n < self.deal_end_n
        self.unseen_play = gap is not None and gap.n < self.decided_n
        self.dealt = self._deal_findings()
        self.exposed = list(self._exposed())
        self._void_hands()

    def _hand(self, place: str) -> list[Slot]:
        return self.hands.get(place, [])

    def _reveal(self) -> int | None:
        """The event with which all the dealer's cards lay open."""
        seen = [slot.seen_n for slot in self.dealer]
        return max(n for n in seen if n is not None) if seen and None not in seen else None

    def _decided(self) -> int:
        """From when on the wagers are decided: the dealer's hand is shown, or found miscounted, or gathered in."""
        shown = max((slot.seen_n or 0 for slot in self.dealer), default=0)
        if self.reveal_n is not None or (len(self.dealer) != HAND and shown > self.deal_end_n):
            return max(shown, self.deal_end_n)
        return min((slot.gone_n for slot in self.dealer if slot.gone_n is not None), default=len(self.round.events))

    @property
    def dealer_miscounted(self) -> bool:
        """11.5: the dealer's hand has a wrong number of cards."""
        return len(self.dealer) != HAND and not self.unseen_deal and self.deal_over

    # ---- who is in ----

    def _seats(self) -> list[Seat]:
        round = self.round
        antes = {box_of(stake.ledger.at): stake for stake in stakes_at(round, self.opened_n, ANTE)}
        bets = {box_of(ledger.at): ledger for ledger in round.chips.values() if ledger.at.endswith("/bet")}
        hands = {place for place in self.hands if box_number(place)}
        seats = []
        for box in sorted(antes.keys() | hands | bets.keys(), key=box_number):
            hand, ante = self._hand(box), antes.get(box)
            late = ante is None and bool(hand)
            if late:  # an ante laid after the first card, but before the box got its own: late, not missing
                ante = next((each for each in stakes_at(round, hand[0].n, ANTE) if box_of(each.ledger.at) == box), None)
            seat = Seat(box, ante, hand, late=late and ante is not None)
            if box in bets:
                bet = Bet(bets[box], TWICE * ante.amount if ante else 0, min(self.decided_n, self.stop_n))
                seat.bet = bet if bet.stake else None
            seat.fold_n = round.called("fold", box)
            seats.append(seat)
        return seats

    # ---- the deal ----

    def _deal_findings(self) -> list[Finding]:
        """6.3, 11.7: who got cards, how many, in which order."""
        expected = [*self.boxes, DEALER] * HAND
        if self.deal_over or status_of(self.round) == "unfinished":
            return deal_findings(expected, self.cards, DEAL, ended=self.deal_over)
        return deal_findings(so_far(expected, self.cards), self.cards, DEAL)

    def _was_over(self) -> bool:
        """Whether anything shows that the dealer had done dealing: the round was played on, or played out."""
        last_n = self.cards[-1].n if self.cards else 0
        if status_of(self.round) == "complete" or (self.reveal_n or 0) > last_n or len(self.dealer) >= HAND:
            return True
        return any((seat.bet and seat.bet.n > last_n) or (seat.fold_n or 0) > last_n for seat in self.seats)

    def _void_hands(self) -> None:
        """11.3, 11.4, 11.7: hands dealt wrongly."""
        misplaced = self._misplaced()
        too_soon = {each.at for each in self.dealt if each.kind == "deal.order"}
        for seat in self.seats:
            if self.round.called("void", seat.box) is not None:
                seat.void = "14.3", "The hand was declared void"
            elif seat.ante is None:
                seat.void = "11.7", "The box held no ante"
            elif len(seat.hand) != HAND and self.deal_over and not self.unseen_deal:
                seat.void = "11.4", f"The hand was dealt {len(seat.hand)} cards"
            elif too_soon == misplaced - {DEALER} == {seat.box} and not self.unseen_deal:
                seat.void = "11.3", "The hand was dealt out of order"
            else:
                seat.out_of_order = seat.box in misplaced

    def _misplaced(self) -> set[str]:
        """The places that got a card when it was another's turn."""
        if all(each.kind != "deal.order" for each in self.dealt):
            return set()
        entitled = {*self.boxes, DEALER}
        got = [slot.dealt_to for slot in self.cards if slot.dealt_to in entitled]
        due = [*self.boxes, DEALER] * HAND
        return {place for pair in zip(got, due, strict=False) if pair[0] != pair[1] for place in pair}

    # ---- facing ----

    def _exposed(self) -> Iterator[Slot]:
        """6.2, 11.1, 11.2: cards that lay open in the deal and should not have; the dealer's fifth may."""
        early = False
        open_from = min(HAND, len(self.dealer) if self.deal_over else HAND) - 1
        for slot in self.cards:
            in_deal = slot.dealt_up or (slot.turned_n is not None and slot.turned_n < self.deal_end_n)
            if not in_deal:
                continue
            if slot.dealt_to != DEALER or self.dealer.index(slot) < open_from:
                early = early or slot.dealt_to == DEALER
                yield slot
            elif early and self.dealer.index(slot) == HAND - 1:
                yield slot

    def facing_findings(self) -> Iterator[Finding]:
        """6.2, 11.2."""
        for slot in self.exposed:
            if slot.dealt_to == DEALER and self.dealer.index(slot) == HAND - 1:
                rule, words = "11.2", "The dealer's fifth card is dealt face down when an earlier one was exposed"
            else:
                rule, words = "6.2", f"A card at {slot.dealt_to} is dealt face down"
            yield Finding(
                kind="deal.exposed", rule=rule, t=slot.t if slot.dealt_up else slot.turned_t or slot.t,
                at=slot.dealt_to, expected="down", observed="up", message=f"{words}; it lay open.",
            )
        early = any(slot.dealt_to == DEALER for slot in self.exposed)
        last = self.dealer[HAND - 1 :]
        if last and self.deal_over and not early and all(not slot.dealt_up for slot in last):
            yield Finding(
                kind="deal.facing", rule="6.2", t=last[0].t, at=DEALER, expected="up", observed="down",
                message="The dealer's last card is dealt face up; it came face down.",
            )


def _without_replaced_jokers(round: Round) -> list[Slot]:
    """The cards dealt; a joker is taken out where another card came in its stead."""
    if all(slot.card != JOKER for slot in round.slots):
        return round.slots
    held = Counter(slot.dealt_to for slot in round.slots)
    return [slot for slot in round.slots if slot.card != JOKER or held[slot.dealt_to] <= HAND]
