"""Blackjack as it was played: the players' hands after splits, doubles and draws, and the dealer's hand."""

from collections.abc import Iterator
from typing import NamedTuple

from auditor.cards import ACE, JOKER, name
from auditor.checks import Stake
from auditor.findings import Finding
from auditor.rounds import Ledger, Round, Slot, box_number, box_of
from auditor.rulebooks.blackjack_deal import DEALER, NEVER, BlackjackHouse, Deal, burnt_cards

# 2.5: an ace counts 1 or 11, pictures 10. Index: the card; a joker counts nothing.
VALUE = (*(min(rank + 2, 10) for rank in range(12) for _ in range(4)), 11, 11, 11, 11, 0)
DEALER_STANDS = 17  # 12.1(a)
PLAYER_MUST_REACH = 12  # 9.2(b)


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


class Raise(NamedTuple):
    """Chips a player put to a wager between two cards, in one move or in several."""

    first_n: int
    last_n: int
    t: float
    before: int
    after: int
    known: bool
    sure: bool

    @property
    def exact(self) -> bool:
        """Whether it doubled what stood there."""
        return self.after == 2 * self.before


class PlayedHand(NamedTuple):
    """A player's hand as it was played; `counted` leaves out cards drawn against the rules.

    `stake` is what stood on it in the end, `since` the event that put it there.
    """

    place: str
    ledger: Ledger | None
    slots: list[Slot]
    counted: list[int]
    stake: int
    sure: bool
    since: int
    double: Raise | None
    natural: bool
    fault: Finding | None

    @property
    def points(self) -> int:
        """What the counted cards add up to."""
        return total(self.counted)[0]


class DealerHand(NamedTuple):
    """The dealer's cards that count, the first wrong draw, and since when the hand stands."""

    cards: list[int]
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
        burnt = burnt_cards(self.dealer)
        self.dealer_burnt = burnt
        self.dealer_n = next((slot.n for slot in self.dealer if slot.n > self.initial_n and slot not in burnt), NEVER)
        self.unseen = any(gap.until_n is None or gap.until_n > self.opened_n for gap in round.gaps)
        split_boxes = {box_of(place) for place in round.hands if "#" in place}
        self.hands = [hand for stake in (*self.mains, *self.late) for hand in self._hands_of(stake, split_boxes)]

    def original(self, box: str) -> Stake | None:
        """The wager of a box as it stood when betting closed, or as it was put down too late."""
        return next((stake for stake in (*self.mains, *self.late) if box_of(stake.ledger.at) == box), None)

    def is_void(self, place: str) -> bool:
        """Whether this hand was declared void."""
        return bool(self.round.calls) and self.round.called("void", place) is not None

    # ---- the players' hands ----

    def _hands_of(self, stake: Stake, split_boxes: set[str]) -> Iterator[PlayedHand]:
        box = box_of(stake.ledger.at)
        if box not in split_boxes:
            yield self._played(box, stake.ledger, stake, is_split=False)
            return
        for place in [box, *sorted(place for place in self.round.hands if place.startswith(box + "#"))]:
            ledger: Ledger | None = stake.ledger
            if place != box:
                ledger = self.round.chips.get((place + "/main", stake.ledger.colour))
            yield self._played(place, ledger, stake, is_split=True)

    def _played(self, place: str, ledger: Ledger | None, original: Stake, *, is_split: bool) -> PlayedHand:
        slots = [slot for slot in self.round.hand(place) if slot.card != JOKER]
        double = self._double(place, ledger, slots) if ledger is not None else None
        stake, sure, since = original.amount, original.sure, self.opened_n
        if self.late:
            since = self.late.get(original, since)
        if place != original.ledger.at.partition("/")[0]:
            placed = self.split_stake(ledger, slots)
            stake, sure, since = (placed.after, placed.sure, placed.last_n) if placed else (0, True, self.opened_n)
        if double is not None:
            stake, sure, since = double.after, double.sure, double.last_n
        counted, fault = self._count(place, slots, double, is_split=is_split)
        natural = not is_split and len(counted) >= 2 and total(counted[:2])[0] == 21
        return PlayedHand(place, ledger, slots, counted, stake, sure, since, double, natural, fault)

    def split_stake(self, ledger: Ledger | None, slots: list[Slot]) -> Raise | None:
        """What was staked on a hand made by a split, if anything."""
        return next(raises(ledger, slots, self.dealer_n), None) if ledger is not None else None

    def _double(self, place: str, ledger: Ledger, slots: list[Slot]) -> Raise | None:
        """11.1: the player's raise that doubles the hand, if he made one."""
        if not any(c.n > self.initial_n and c.by != "dealer" and c.after > c.before for c in ledger.changes):
            return None
        found = (each for each in raises(ledger, slots, self.dealer_n) if each.first_n > self.initial_n and each.before)
        raised = next(found, None)
        if raised is None:
            return None
        cards = sum(slot.n < raised.last_n for slot in slots)
        following = len(slots) - cards
        if cards < 2 or (cards > 2 and not (raised.exact and following and self.house.double_on == "any")):
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
        self, place: str, slots: list[Slot], double: Raise | None, *, is_split: bool
    ) -> tuple[list[int], Finding | None]:
        """9.2, 10.4, 11.2: the cards that count, and the first draw that the rules forbid or demand."""
        burnt = burnt_cards(slots)
        counted = [slot.card or 0 for slot in slots[:2]] if not burnt else []
        aces_split = is_split and bool(slots) and (slots[0].card or 0) >> 2 == ACE
        doubled = False
        fault = None
        for slot in slots[len(counted) :]:
            against = _no_more(counted, aces_split=aces_split, doubled=doubled) if len(counted) > 1 else None
            if against is not None:
                if fault is None and slot not in self.first_cards:
                    fault = Finding(
                        kind="draw.excess", rule=against[0], t=slot.t, at=place, observed=slot.text,
                        message=f"{place} {against[1]}: it may not be dealt another card.",
                    )
            elif slot not in burnt:
                counted.append(slot.card or 0)
                doubled = double is not None and slot.n > double.last_n
        if fault is None and not self.stopped and not self.unseen and not self.is_void(place):
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
        called = self.round.called("even_money", hand.place)
        if called is not None and called < self.dealer_n:
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

    def dealer_hands(self, *, insured: bool) -> list[DealerHand]:
        """What the dealer had to draw, against what was drawn; the first is the likelier of two readings.

        A card dealt to the dealer before the players had finished should have been burnt (14.3): if it was not, the
        table may have counted it or not.
        """
        last_n = max((slot.n for slot in self.draws if slot.dealt_to != DEALER), default=0)
        early = [
            slot for slot in self.dealer[1:]
            if slot not in self.dealer_burnt and (slot.n <= self.initial_n or slot.n < last_n)
        ]
        hands = [self._dealer_hand([], insured=insured)]
        if early and (without := self._dealer_hand(early, insured=insured)).complete:
            hands.insert(0 if hands[0].fault is not None else 1, without)
        return hands

    def _dealer_hand(self, ignored: list[Slot], *, insured: bool) -> DealerHand:
        waiting = [
            hand for hand in self.hands
            if hand.points <= 21 and not self.settled_at_once(hand) and not self.even_money(hand)
            and not self.is_void(hand.place)
        ]
        late = {stake.ledger.at for stake in self.late}
        must = [hand for hand in waiting if f"{box_of(hand.place)}/main" not in late]
        # Boxes that should not be in play: the dealer may draw for them, but need not.
        others = len(must) < len(waiting) or self._strangers_play()
        full_hand, any_hand = any(not hand.natural for hand in must), bool(must) or insured
        cards: list[int] = []
        last_n, fault = 0, None
        for slot in self.dealer:
            wanted = not cards or others or (any_hand if len(cards) == 1 else full_hand)
            if not wanted or (len(cards) > 1 and total(cards)[0] >= DEALER_STANDS):
                if fault is None and slot not in self.initial:
                    fault = _needless(cards, slot)
            elif slot not in self.dealer_burnt and slot not in ignored:
                cards.append(slot.card or 0)
                last_n = slot.n
        short = not cards or (any_hand if len(cards) == 1 else full_hand and total(cards)[0] < DEALER_STANDS)
        if short and fault is None and cards and not self.stopped and not self.unseen:
            fault = self._dealer_missing(cards)
        decided_n = max([last_n, self.initial_n, *(slot.n for slot in self.draws if slot.dealt_to != DEALER)])
        return DealerHand(cards, fault, not short, decided_n)

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
        return Finding(
            kind="draw.missing", rule="12.1(a)", t=self.round.closed, at=DEALER, expected=DEALER_STANDS,
            observed=points, message=f"The dealer must draw to {DEALER_STANDS}, but stood on {points}.",
        )


def _no_more(counted: list[int], *, aces_split: bool, doubled: bool) -> tuple[str, str] | None:
    """Why a hand of two cards or more may not be dealt another one: the clause and the reason."""
    count, _ = total(counted)
    if count > 21:
        return "13.1(d)", f"has {count} and is out"
    if count == 21:
        return "9.2(a)", "has 21"
    if aces_split:
        return "10.4", "is a split ace, which gets one card"
    if doubled:
        return "11.2", "was doubled and has its card"
    return None


def _needless(cards: list[int], slot: Slot) -> Finding:
    points, _ = total(cards)
    stands = len(cards) > 1 and points >= DEALER_STANDS
    why = f"stands on {points}" if stands else f"has {points} and no hand's result hangs on another card"
    return Finding(
        kind="draw.excess", rule="12.1(a)" if stands else "12.1(b)", t=slot.t, at=DEALER, observed=slot.text,
        message=f"The dealer {why}: {name(slot.card or 0)} was drawn all the same.",
    )


def raises(ledger: Ledger, slots: list[Slot], until_n: int) -> Iterator[Raise]:
    """What players put to a wager before it was settled: one raise for all the chips between two cards of the hand."""
    found: Raise | None = None
    cards = -1
    for change in ledger.changes:
        if change.n > until_n or (change.by == "dealer" and slots and change.n > slots[0].n):
            break
        if change.by == "dealer":
            continue
        now = sum(slot.n < change.n for slot in slots)
        known = change.by == "player"
        if found is not None and now == cards:
            found = found._replace(last_n=change.n, after=change.after, known=found.known and known, sure=change.sure)
        else:
            if found is not None and found.after > found.before:
                yield found
            found = Raise(change.n, change.n, change.t, change.before, change.after, known, change.sure)
        cards = now
    if found is not None and found.after > found.before:
        yield found
