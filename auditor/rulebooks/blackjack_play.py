"""Blackjack as it was played: the initial deal, the players' hands after splits and draws, the dealer's hand."""

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from auditor.cards import ACE, JOKER, name
from auditor.checks import Stake, initial_deal, stakes_at
from auditor.findings import Finding
from auditor.house import House, Money
from auditor.rounds import Change, Ledger, Round, Slot, box_of

# 2.5: an ace counts 1 or 11, pictures 10. Index: the card; a joker counts nothing.
VALUE = (*(min(rank + 2, 10) for rank in range(12) for _ in range(4)), 11, 11, 11, 11, 0)
DEALER_STANDS = 17  # 12.1(a)
PLAYER_MUST_REACH = 12  # 9.2(b)

MAIN, PAIRS = frozenset({"main"}), frozenset({"pairs"})
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


def player_stake(ledger: Ledger) -> int:
    """The most a player ever had standing there."""
    return max((change.after for change in ledger.changes if change.by != "dealer"), default=0)


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
        slots = [slot for slot in round.slots if slot.card != JOKER]  # a stranger is taken out and replaced
        dealt = initial_deal(self.expected, slots)
        self.initial, self.draws = slots[:dealt], slots[dealt:]
        self.initial_n = self.initial[-1].n if self.initial else self.opened_n
        self.subsequent_n = self.draws[0].n if self.draws else NEVER
        self.dealer = [slot for slot in round.hand("dealer") if slot.card != JOKER]
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
        slots = [slot for slot in self.round.hand(place) if slot.card != JOKER]
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
                return change.n if self.is_double(place, change) else None
        return None

    def is_double(self, place: str, change: Change) -> bool:
        """11.1: the wager of a hand of two cards is raised."""
        return sum(slot.n < change.n and slot.card != JOKER for slot in self.round.hand(place)) == 2

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
            if slot in self.initial:
                return counted, None  # reported as an error of the initial deal
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
        changes = hand.ledger.changes if hand.ledger else []
        early = sum(c.rise for c in changes if c.by == "dealer" and self.initial_n < c.n < second_n)
        return self.round.called("even_money", hand.place) is not None or early == hand.stake

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
        if len(cards) > count and self.dealer[count] not in self.initial:
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
