"""One hand of Blackjack: what its cards count, what is staked on it, when it may not be dealt another card."""

from collections.abc import Iterator
from typing import NamedTuple

from auditor.findings import Finding
from auditor.ledgers import Ledger
from auditor.slots import Slot

# 2.5: an ace counts 1 or 11, pictures 10. Index: the card; a joker counts nothing.
VALUE = (*(min(rank + 2, 10) for rank in range(12) for _ in range(4)), 11, 11, 11, 11, 0)


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
    points: int
    stake: int
    sure: bool
    since: int
    double: Raise | None
    natural: bool
    fault: Finding | None


def no_more(counted: list[int], *, aces_split: bool, doubled: bool) -> tuple[str, str] | None:
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


def raises(ledger: Ledger, slots: list[Slot], until_n: int) -> Iterator[Raise]:
    """What players put to a wager before it was settled: one raise for all the chips between two cards of the hand."""
    found: Raise | None = None
    cards = -1
    for change in ledger.changes:
        if not change.rise:
            continue
        settled = change.by == "dealer" or (change.rise < 0 and (change.by is None or not change.after))
        if change.n > until_n or (settled and slots and change.n > slots[0].n):
            break
        if change.by == "dealer":
            continue
        now = sum(slot.n < change.n for slot in slots)
        known = change.by == "player"
        if found is not None and now == cards:
            known = known and found.known
            found = found._replace(last_n=change.n, t=change.t, after=change.after, known=known, sure=change.sure)
        else:
            if found is not None and found.after > found.before:
                yield found
            found = Raise(change.n, change.n, change.t, change.before, change.after, known, change.sure)
        cards = now
    if found is not None and found.after > found.before:
        yield found


def raised_weakly(ledger: Ledger | None, after_n: int, until_n: int) -> bool:
    """Whether chips of which nobody knows how many were put to a hand: it may or may not have been doubled."""
    if ledger is None:
        return False
    moves = [change for change in ledger.changes if after_n < change.n < until_n and change.by != "dealer"]
    return any(not change.sure or not ledger.sure_before(change.n) for change in moves)
