"""The shoe of Mini-Baccarat from round to round: new shoes, the cutting card, and cards drawn in excess.

What one round leaves to the next is a :class:`Legacy`: a shuffle that is due (5.6), or a card that must open the next
round (9.2, 9.3).
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from auditor import log
from auditor.cards import JOKER, readings
from auditor.deal_checks import shuffle_missing
from auditor.findings import Finding
from auditor.game import status_of
from auditor.rounds import Round
from auditor.rulebooks.baccarat_deal import BANKER, HANDS, PLAYER, POINTS, Hands
from auditor.slots import Slot

TEN = 10  # 5.5: tens and court cards count ten here
INITIAL_CARDS = 4  # 6.2
SecondTie = Literal["shuffle", "continue"]


class Legacy(NamedTuple):
    """What a round leaves to the next one."""

    shuffle_due: bool = False
    one_more: bool = False
    cutting_card_first: bool = False
    excess: tuple[Slot, ...] = ()
    exposed: bool = False
    left: Slot | None = None


NOTHING = Legacy()


def legacy_of(round: Round) -> Legacy:
    """What the round before left to this one."""
    before = round.previous
    return before.legacy if before is not None and isinstance(before.legacy, Legacy) else NOTHING


def bequeath(round: Round, hands: Hands | None, second_tie: SecondTie) -> Legacy:
    """What this round leaves to the next; `hands` is None where the reads do not decide them."""
    inherited = NOTHING if round.shuffled() else legacy_of(round)
    came, came_after = _cutting_card(round)
    came = came or inherited.cutting_card_first
    tie: bool | None = None
    if status_of(round) != "complete":
        tie = False
    elif hands is not None:
        tie = hands.points[0] == hands.points[1]
        if tie and not hands.decided:
            tie = None  # a card is missing, so what the table took for a tie may have been none
    last_round = came or inherited.one_more
    more_after_tie = came or second_tie == "continue"
    excess: tuple[Slot, ...] = ()
    if hands is not None and status_of(round) == "complete" and not round.gaps:
        excess = (*hands.excess, *at_shoe(round))
    return Legacy(
        shuffle_due=last_round and tie is not None and not (tie and more_after_tie),
        one_more=last_round and bool(tie) and more_after_tie,
        cutting_card_first=came_after,
        excess=excess,
        exposed=any(slot.seen_n is not None for slot in excess),  # by now: the next round turns it in any case
        left=next((slot for slot in round.slots if slot.gone_n is None), None) if round.on_table == 1 else None,
    )


def _cutting_card(round: Round) -> tuple[bool, bool]:
    """Whether the cutting card came as the first card of the round or during it; and whether it came after it."""
    came = came_after = fresh = False
    lies_until = max((len(round.events) if slot.gone_n is None else slot.gone_n for slot in round.slots), default=0)
    for n, event in enumerate(round.events):
        if isinstance(event, (log.Shuffle, log.Cut)):
            came = came_after = False
            fresh = True
        elif isinstance(event, log.Card):
            fresh = False
        elif isinstance(event, log.CuttingCard) and not fresh:  # before a new shoe's first card 5.3 puts it in
            came, came_after = came or n < lies_until, n > lies_until
    return came, came_after


def at_shoe(round: Round) -> list[Slot]:
    """Cards drawn after the last card of the hands, and not placed."""
    last_n = max((slot.n for slot in round.slots), default=0)
    return [slot for slot in round.off_table if slot.dealt_to == "shoe" and slot.n > last_n]


def dealt_cards(round: Round) -> list[Slot]:
    """The cards of the two hands in the order they came; a joker is taken out and replaced.

    An excess card of the round before that was left lying as the Player's first card counts as such.
    """
    dealt = (slot for slot in round.slots if slot.dealt_to in HANDS and slot.card != JOKER)
    cards = [slot for slot in dealt if not _written_twice(round, slot)]
    left = legacy_of(round).left
    if left is not None and left.place == left.dealt_to == PLAYER and cards and cards[0].dealt_to == BANKER:
        return [left, *cards]
    return cards


def _written_twice(round: Round, slot: Slot) -> bool:
    """Whether a card drawn in error and moved (9.1, 9.2) was reported at its new place once more.

    After cards of the initial deal were exchanged (9.4), an equal card is another one of the eight decks.
    """
    move = round.events[slot.n - 1] if slot.n else None
    if not isinstance(move, log.Gone) or move.at == slot.dealt_to or move.to not in (None, slot.dealt_to):
        return False
    return any(
        slot.n - 1 in (other.n, other.moved_n, other.gone_n) and slot.sure and other.card == slot.card
        for other in round.slots[INITIAL_CARDS:]
    )


# ---- checks ------------------------------------------------------------------------------------------------------


def shuffle_findings(round: Round) -> list[Finding]:
    """5.1, 5.6: the cards are shuffled once the cutting card has come, and for every new shoe."""
    if legacy_of(round).shuffle_due:
        return shuffle_missing(round, "5.6", "after the cutting card, before this round was dealt")
    burnt, _ = _burnt(round)
    if len(burnt) > 1 and burnt[0].up and burnt[0].sure and len(burnt) - 1 in _counts(burnt[0]):
        return shuffle_missing(round, "5.1", "for the new shoe whose first card was displayed")
    return []


def burn_findings(round: Round) -> Iterator[Finding]:
    """5.4, 5.5: a new shoe's first card is displayed, and as many as it is worth are discarded face down."""
    burnt, shuffled = _burnt(round)
    displayed_first = round.previous is None and bool(burnt) and burnt[0].up
    if not (shuffled or displayed_first) or round.gaps:
        return
    if not burnt or not burnt[0].up:
        seen = "was not displayed" if burnt else "was not drawn and displayed"
        t = burnt[0].t if burnt else round.opened
        yield _burn("5.4", t, f"The first card of the new shoe {seen} before the first round.")
        return
    first, discarded = burnt[0], burnt[1:]
    counts = _counts(first)
    as_read = {_count(card) for card in readings(first.text) or ()} or counts
    if len(discarded) not in as_read:
        sure = len(discarded) not in counts
        due = " or ".join(map(str, sorted(as_read)))
        yield _burn(
            "5.5" if as_read == {TEN} else "5.4", first.t,
            f"{first.text} was displayed, so {due} cards are discarded; {len(discarded)} were.",
            expected=due, observed=len(discarded), read=None if sure else f"the displayed card ({first.text})",
        )
    for slot in discarded:
        if slot.up:
            yield _burn("5.4", slot.t, f"{slot.text} was discarded face up; after the first card they stay face down.")
            return


def _burn(
    rule: str, t: float, message: str, *, expected: str | None = None, observed: int | None = None,
    read: str | None = None,
) -> Finding:
    return Finding(
        kind="deal.burn", rule=rule, t=t, at="burn", expected=expected, observed=observed, message=message,
        verdict="unsure" if read else "breach", reads=(read,) if read else (),
    )


def _burnt(round: Round) -> tuple[list[Slot], bool]:
    """The cards burnt before the round, since the shuffle if there was one; and whether there was one."""
    opened_n = round.opened_n or 0
    shuffles = [n for n, event in enumerate(round.events[:opened_n]) if isinstance(event, log.Shuffle)]
    shuffled_n = shuffles[-1] if shuffles else -1
    burnt = [slot for slot in round.off_table if slot.place == "burn" and shuffled_n < slot.n < opened_n]
    return burnt, bool(shuffles)


def _count(card: int) -> int:
    return POINTS[card] or TEN


def _counts(slot: Slot) -> set[int]:
    return {_count(card) for card in slot.options} if slot.options else set(range(1, TEN + 1))


def excess_findings(round: Round) -> Iterator[Finding]:
    """9.2, 9.3: cards drawn in excess and not placed."""
    if status_of(round) == "unfinished":
        return
    for slot in at_shoe(round):
        rule, seen = ("9.2", f"{slot.text} was exposed") if slot.up else ("9.3", "A card")
        words = "by a draw in excess of the round's cards" if slot.up else "was drawn in excess of the round's cards"
        message = f"{seen} {words}."
        yield Finding(kind="draw.excess", rule=rule, t=slot.t, at="shoe", observed=slot.text, message=message)


def non_betting(round: Round) -> bool:
    """9.2: the round that an exposed excess card opens is played without wagers."""
    inherited = legacy_of(round)
    owed = _owed(round)
    return bool(owed) and (inherited.exposed or any(slot.dealt_up for slot in owed if slot not in inherited.excess))


def opening_findings(round: Round, cards: list[Slot]) -> Iterator[Finding]:
    """9.2, 9.3: the excess card is the first card of the next round."""
    owed = _owed(round)
    if not owed or not cards or not all(slot.sure for slot in (*owed, cards[0])):
        return
    if all(slot.card != cards[0].card for slot in owed):
        rule = "9.2" if non_betting(round) else "9.3"
        yield Finding(
            kind="deal.order", rule=rule, t=cards[0].t, at=cards[0].dealt_to, expected=owed[0].text,
            observed=cards[0].text,
            message=f"{owed[0].text} was drawn in excess and is the first card of this round; it was {cards[0].text}.",
        )


def _owed(round: Round) -> tuple[Slot, ...]:
    if round.previous is None or round.gaps or round.shuffled():
        return ()
    # A card drawn before anybody has wagered again was still one too many for the round before.
    wagered = (change.n for ledger in round.chips.values() for change in ledger.changes)
    first_n = min([round.opened_n or 0, *wagered])
    late = [slot for slot in round.off_table if slot.place == "shoe" and slot.n < first_n]
    return (*legacy_of(round).excess, *late)
