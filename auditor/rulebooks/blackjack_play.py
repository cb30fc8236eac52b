"""Blackjack as it was played: the players' hands after splits, doubles and draws, and the dealer's hand."""

from typing import NamedTuple

import msgspec

from auditor.cards import ACE, JOKER, name
from auditor.ledgers import Ledger
from auditor.slots import Slot
from auditor.wager_checks import Stake
from auditor.findings import Finding
from auditor.places import box_number, box_of, hand_of
from auditor.rounds import Round
from auditor.rulebooks.blackjack_deal import DEALER, MAIN, NEVER, PAIRS, BlackjackHouse, Deal, burnt_cards
from auditor.rulebooks.blackjack_hands import VALUE, PlayedHand, Raise, no_more, raised_weakly, raises, total

DEALER_STANDS = 17  # 12.1(a)
PLAYER_MUST_REACH = 12  # 9.2(b)


class DealerHand(NamedTuple):
    """The dealer's cards that count, when the second came, the first wrong draw, and since when the hand stands."""

    cards: list[int]
    second_n: int
    fault: Finding | None
    complete: bool
    decided_n: int


class Act(Deal):
    """One round, seen through the rules: the deal, the hands that came of it, and the dealer's."""

    def __init__(self, round: Round, house: BlackjackHouse) -> None:
        super().__init__(round)
        self.house = house
        self.dealer = [slot for slot in round.hand(DEALER) if slot.card != JOKER]
        self.up_card = self.dealer[0].card if self.dealer else None
        self.shows_ace = self.up_card is not None and self.up_card >> 2 == ACE
        burnt = burnt_cards(round, self.dealer)
        self.dealer_burnt = burnt
        self.dealer_n = next((slot.n for slot in self.dealer if slot.n > self.initial_n and slot not in burnt), NEVER)
        self.undealt_n = round.undealt_n(MAIN | PAIRS) if round.gaps else self.opened_n
        self.unseen = round.gap_after(self.undealt_n) is not None
        self.void_hands = {hand_of(call.at) for _, call in round.calls if call.at is not None and call.what == "void"}
        split = {place: box_of(place) for place in round.hands if "#" in place}
        self.hands: list[PlayedHand] = []
        for stake in (*self.mains, *self.late):
            box = box_of(stake.ledger.at)
            made = sorted(place for place in split if split[place] == box)
            self.hands.append(self._played(box, stake.ledger, stake, is_split=bool(made)))
            for place in made:
                ledger = round.chips.get((place + "/main", stake.ledger.colour))
                self.hands.append(self._played(place, ledger, stake, is_split=True))

    def original(self, box: str) -> Stake | None:
        """The wager of a box as it stood when betting closed, or as it was put down too late."""
        return next((stake for stake in (*self.mains, *self.late) if box_of(stake.ledger.at) == box), None)

    def is_void(self, place: str) -> bool:
        """Whether this hand was declared void."""
        return place in self.void_hands

    # ---- the players' hands ----

    def _played(self, place: str, ledger: Ledger | None, original: Stake, *, is_split: bool) -> PlayedHand:
        slots = [slot for slot in self.round.hand(place) if slot.card != JOKER]
        burnt = burnt_cards(self.round, slots)
        kept = [slot for slot in slots if slot not in burnt] if burnt else slots
        double = self._double(place, ledger, kept) if ledger is not None else None
        stake, sure, since = original.amount, original.sure, self.opened_n
        if self.late:
            since = self.late.get(original, since)
        if "#" in place:
            placed = self.split_stake(ledger, slots)
            stake, sure, since = (placed.after, placed.sure, placed.last_n) if placed else (0, True, self.opened_n)
        if double is not None:
            stake, sure, since = double.after, double.sure, double.last_n
        counted, fault = self._count(place, slots, burnt, double, is_split=is_split)
        is_raised_weakly = raised_weakly(ledger, self.initial_n, self.dealer_n)
        if fault is not None and fault.rule in ("9.2(b)", "11.2") and is_raised_weakly:
            fault = msgspec.structs.replace(fault, verdict="unsure", reads=(f"chips at {place}/main",))
        points, _ = total(counted)
        natural = not is_split and len(counted) >= 2 and total(counted[:2])[0] == 21
        return PlayedHand(place, ledger, slots, counted, points, stake, sure, since, double, natural, fault)

    def split_stake(self, ledger: Ledger | None, slots: list[Slot]) -> Raise | None:
        """What was staked on a hand made by a split, if anything."""
        return next(raises(ledger, slots, self.dealer_n), None) if ledger is not None else None

    def _double(self, place: str, ledger: Ledger, slots: list[Slot]) -> Raise | None:
        """11.1: the player's raise that doubles the hand, if he made one."""
        for change in ledger.changes:
            if change.n > self.initial_n and change.after != change.before:
                break
        else:
            return None
        if change.by == "dealer" or change.after < change.before:
            return None
        found = (each for each in raises(ledger, slots, self.dealer_n) if each.first_n > self.initial_n and each.before)
        raised = next(found, None)
        if raised is None:
            return None
        cards = sum(slot.n < raised.last_n for slot in slots)
        following = len(slots) - cards
        drawn = following or self.unseen or self.stopped
        if cards < 2 or (cards > 2 and not (raised.exact and drawn and self.house.double_on == "any")):
            return None
        if following:
            # A raise of another size is a double that went wrong if one card came of it, else a wager tampered with.
            return raised if raised.exact or (following == 1 and raised.known) else None
        return raised if raised.exact and self._may_double(place, slots, raised) else None

    def _may_double(self, place: str, slots: list[Slot], raised: Raise) -> bool:
        """Whether chips put to a hand that got no card after it can be meant for a double."""
        in_turn = not any(
            slot.n < raised.last_n and box_number(slot.dealt_to) > box_number(place) for slot in self.draws
        )
        has_21 = total([slot.card or 0 for slot in slots])[0] >= 21
        return raised.known and in_turn and not has_21 and self.round.called("stand", place) is None

    def _count(
        self, place: str, slots: list[Slot], burnt: list[Slot], double: Raise | None, *, is_split: bool
    ) -> tuple[list[int], Finding | None]:
        """9.2, 10.4, 11.2: the cards that count, and the first draw that the rules forbid or demand."""
        counted = [slot.card or 0 for slot in slots[:2]] if not burnt else []
        aces_split = is_split and bool(slots) and (slots[0].card or 0) >> 2 == ACE
        doubled = False
        fault = None
        for slot in slots[len(counted) :]:
            against = no_more(counted, aces_split=aces_split, doubled=doubled) if len(counted) > 1 else None
            if against is not None:
                if fault is None and slot not in self.first_cards:
                    fault = Finding(
                        kind="draw.excess", rule=against[0], t=slot.t, at=place, observed=slot.text,
                        message=f"{place} {against[1]}: it may not be dealt another card.",
                    )
            elif slot not in burnt:
                counted.append(slot.card or 0)
                doubled = double is not None and slot.n > double.last_n
        if fault is None and not (self.stopped or self.unseen or self.is_void(place) or place in self.fled):
            fault = self._short(place, counted, None if double is None else doubled, is_split=is_split)
        return counted, fault

    def _short(self, place: str, counted: list[int], doubled: bool | None, *, is_split: bool) -> Finding | None:
        """What the hand should still have been dealt; one passed over in the initial deal is reported there.

        `doubled` is None for a hand that was not doubled, else it tells whether the double's card came.
        """
        count, soft = total(counted)
        if len(counted) < 2:
            if not is_split:
                return None
            rule, why = ("10.4", "is a split ace") if soft else ("9.2(b)", f"was split and has {count}")
            why += ": it must be dealt a card"
        elif doubled is False and count < 21:
            rule, why = "11.2", "was doubled: it must be dealt one card"
        elif doubled is None and not soft and count < PLAYER_MUST_REACH:
            rule, why = "9.2(b)", f"stood on a hard {count}: it must draw to {PLAYER_MUST_REACH} or more"
        else:
            return None
        return Finding(
            kind="draw.missing", rule=rule, t=self.round.closed, at=place, expected=PLAYER_MUST_REACH,
            observed=count, message=f"{place} {why}.",
        )

    def even_money(self, hand: PlayedHand) -> bool:
        """8.1(b): a blackjack against an ace was paid even at the player's request, before the dealer's next card."""
        if not hand.natural or not self.shows_ace or hand.ledger is None:
            return False
        for n, call in self.round.calls:
            if call.what == "even_money" and n < self.dealer_n and (call.at is None or hand_of(call.at) == hand.place):
                return True
        most = self.house.max_cents
        paid = sum(
            change.rise for change in hand.ledger.changes
            if change.rise > 0 and change.by != "player" and self.initial_n < change.n < self.dealer_n
        )
        return paid == (hand.stake if most is None else min(hand.stake, most))

    def settled_at_once(self, hand: PlayedHand) -> bool:
        """8.1(a): a blackjack against neither a ten nor an ace."""
        return hand.natural and self.up_card is not None and VALUE[self.up_card] < 10

    # ---- the dealer's hand (12.1) ----

    def dealer_hands(self, *, insured: bool, doubtful: bool) -> list[DealerHand]:
        """What the dealer had to draw, against what was drawn; the first is the likelier of two readings.

        A card dealt to the dealer before the players had finished should have been burnt (14.3): if it was not, the
        table may have counted it or not. `insured` and `doubtful`: there are insurance wagers, valid ones or others.
        """
        last_n = max((slot.n for slot in self.draws if slot.dealt_to != DEALER), default=0)
        early = [
            slot for slot in self.dealer[1:]
            if slot not in self.dealer_burnt and (slot.n <= self.initial_n or slot.n < last_n)
        ]
        hands = [self._dealer_hand([], insured=insured, doubtful=doubtful)]
        if early and (without := self._dealer_hand(early, insured=insured, doubtful=doubtful)).complete:
            hands.insert(0 if hands[0].fault is not None else 1, without)
        return hands

    def _dealer_hand(self, ignored: list[Slot], *, insured: bool, doubtful: bool) -> DealerHand:
        waiting = [
            hand for hand in self.hands
            if hand.points <= 21 and not self.settled_at_once(hand) and not self.even_money(hand)
            and not self.is_void(hand.place)
        ]
        late = {box_of(stake.ledger.at) for stake in self.late}
        must = [hand for hand in waiting if box_of(hand.place) not in late and hand.place not in self.fled]
        # For what should not be in play the dealer may draw, but need not.
        others = doubtful or len(must) < len(waiting) or self._strangers_play()
        full_hand, any_hand = any(not hand.natural for hand in must), bool(must) or insured
        cards: list[int] = []
        came: list[int] = []
        fault = None
        for slot in self.dealer:
            wanted = not cards or others or (any_hand if len(cards) == 1 else full_hand)
            if not wanted or (len(cards) > 1 and total(cards)[0] >= DEALER_STANDS):
                if fault is None and slot not in self.initial:
                    fault = _needless(cards, slot)
            elif slot not in self.dealer_burnt and slot not in ignored:
                cards.append(slot.card or 0)
                came.append(slot.n)
        short = not cards or (any_hand if len(cards) == 1 else full_hand and total(cards)[0] < DEALER_STANDS)
        if short and fault is None and cards and not self.stopped and not self.unseen:
            fault = self._dealer_missing(cards)
        decided_n = max([*came[1:], self.initial_n, *(slot.n for slot in self.draws if slot.dealt_to != DEALER)])
        return DealerHand(cards, came[1] if len(came) > 1 else NEVER, fault, not short, decided_n)

    def _strangers_play(self) -> bool:
        """Whether cards still lay at a place that holds no wager when the dealer drew."""
        if len(self.round.hands) <= len(self.hands) + 1:
            return False
        played = {DEALER, *(hand.place for hand in self.hands)}
        return any(
            slots and place not in played and (slots[-1].gone_n or NEVER) > self.dealer_n
            for place, slots in self.round.hands.items()
        )

    def _dealer_missing(self, cards: list[int]) -> Finding:
        points, _ = total(cards)
        due = f"draw to {DEALER_STANDS}" if len(cards) > 1 else "draw a second card"
        return Finding(
            kind="draw.missing", rule="12.1(a)", t=self.round.closed, at=DEALER, expected=DEALER_STANDS,
            observed=points, message=f"The dealer must {due}, but stood on {points}.",
        )


def _needless(cards: list[int], slot: Slot) -> Finding:
    points, _ = total(cards)
    stands = len(cards) > 1 and points >= DEALER_STANDS
    why = f"stands on {points}" if stands else f"has {points} and no hand's result hangs on another card"
    return Finding(
        kind="draw.excess", rule="12.1(a)" if stands else "12.1(b)", t=slot.t, at=DEALER, observed=slot.text,
        message=f"The dealer {why}: {name(slot.card or 0)} was drawn all the same.",
    )
