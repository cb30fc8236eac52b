"""What a rulebook must bring so that the auditor can hold a table to it."""

import functools
from typing import ClassVar, Generic, TypeVar

from auditor import cards, log
from auditor.findings import Finding, Judgement, Status
from auditor.house import House
from auditor.ledgers import Gap
from auditor.log import AnyEvent
from auditor.boundaries import Boundary, CardsCollected
from auditor.outcomes import Outcome, voids
from auditor.rounds import Round
from auditor.slots import Slot
from auditor.worlds import Doubt, judge_all

HouseType = TypeVar("HouseType", bound=House)


class Game(Generic[HouseType]):
    """One rulebook: its options, its definition of a round, and what it says of a round.

    `judge` is pure: it is asked again for every reading of the cards named by `doubts`.
    """

    id: ClassVar[str]
    citation: ClassVar[str]
    house_type: ClassVar[type[House]]
    boundary: ClassVar[Boundary] = CardsCollected()
    one_deck: ClassVar[bool] = True
    """Whether a card can be seen but once in a round."""
    boxes_apart: ClassVar[bool] = False
    """Whether every box plays against the dealer alone."""
    opening_spots: ClassVar[frozenset[str] | None] = None
    """The spots of wagers placed before the first card, where others are placed during the round; None: all."""

    def readings(self, text: str) -> tuple[int, ...] | None:
        """The cards (or tiles) that a reading leaves open; None: every one."""
        return cards.readings(text)

    def judge(self, round: Round, house: HouseType) -> Judgement:
        """What the rules say of the round, taking every slot's `card` for granted."""
        raise NotImplementedError

    def doubts(self, round: Round, house: HouseType) -> list[Doubt]:
        """The cards that matter and were not surely read: by default every card that lay face up at some time."""
        seen = frozenset(slot.card for slot in round.slots if slot.sure)
        return [
            Doubt(slot, open_cards(slot, seen), cards.name)
            for slot in round.slots
            if not slot.sure and slot.seen_n is not None
        ]

    def printed(self, round: Round) -> bool:
        """Whether there is anything to report of the round."""
        return not round.is_remnant

    def status(self, round: Round) -> Status:
        """What the table did with the round."""
        return status_of(round)

    def span(self, round: Round) -> tuple[float, float]:
        """When the round was opened and closed."""
        return round.opened, round.closed

    def hides(self, round: Round, gap: Gap, finding: Finding) -> bool:
        """Whether what went unseen in a gap may explain what was found; unless the rulebook knows better, it may.

        What a gap may hide that was over before play began is not asked here: that hangs on wagers alone.
        """
        hidden = gap.since <= finding.t or _may_be_put_right(round, gap, finding)
        return hidden and not self.is_over_before_play(round, gap)

    def is_over_before_play(self, round: Round, gap: Gap) -> bool:
        """Whether the view was back before anything of the round had begun but wagers."""
        if gap.until_n is None or gap.until_n >= self.untouched_n(round):
            return False
        return not any(_is_of_play(event) for event in round.events[max(gap.until_n, 0) : round.opened_n])

    def untouched_n(self, round: Round) -> int:
        """The last event up to which nothing of the round had begun but wagers: a gap before it hides no play."""
        return round.undealt_n(self.opening_spots)

    def audit(self, round: Round, house: HouseType) -> Judgement:
        """The judgement that holds whatever the weak and missing reads are."""
        doubts = [] if all(slot.sure for slot in round.slots) else self.doubts(round, house)
        judge = functools.partial(self.judge, round, house)
        return judge_all(judge, doubts, one_deck=self.one_deck, boxes_apart=self.boxes_apart)


def _may_be_put_right(round: Round, gap: Gap, finding: Finding) -> bool:
    """Whether chips may have been added unseen to a wager of the wrong size, or taken back from it: to one that is too
    small until the dealer settles it, else until the next card binds the player to what stands there."""
    if finding.kind not in ("bet.amount", "bet.multiple"):
        return False
    ledger = round.chips.get((finding.at or "", finding.colour))
    if ledger is not None and any(change.by == "dealer" and change.n < gap.n for change in ledger.changes):
        return False
    is_too_small = finding.kind == "bet.amount" and finding.observed < finding.expected
    return is_too_small or not any(
        isinstance(event, (log.Card, log.Tile, log.Turn)) and event.t > finding.t for event in round.events[: gap.n]
    )


def _is_of_play(event: AnyEvent) -> bool:
    """Whether it tells that cards lay on the table already which nobody saw dealt."""
    if isinstance(event, log.Call):
        return event.at is not None  # a player's decision
    return isinstance(event, (log.Turn, log.Gone, log.Set))


def open_cards(slot: Slot, seen: frozenset[int | None], deck: tuple[int, ...] = cards.FULL_DECK) -> tuple[int, ...]:
    """The cards a slot can hold, in a game where each card exists once."""
    options = deck if slot.options is None else slot.options
    return tuple(card for card in options if card not in seen) or options


def status_of(round: Round) -> Status:
    """What the table did with the round."""
    for _, call in round.calls_off():
        return "misdeal" if call.what == "misdeal" else "void"
    return "complete" if round.ended else "unfinished"


def declared_void(round: Round, rule: str) -> Outcome | None:
    """The outcome of every wager when the table declared the whole round void or a misdeal."""
    status = status_of(round)
    if status in ("void", "misdeal"):
        return voids(rule, f"The round was declared {'a misdeal' if status == 'misdeal' else 'void'}")
    return None


def not_voided(round: Round, rule: str, why: str, *, is_compared: bool = False) -> list[Finding]:
    """The rules demand that the round be voided, and the table settled it all the same. Where the dealer moved nothing,
    it may have been: by a word that nobody heard; unless hands were compared that should never have been dealt. Chips
    that somebody not known adds to others are a payment; those that go may be what a player has back."""
    if status_of(round) in ("void", "misdeal") or not round.ended:
        return []
    opened_n = round.opened_n or 0
    changes = (change for ledger in round.chips.values() for change in ledger.changes if change.n > opened_n)
    settled = is_compared or any(
        change.by == "dealer" or (change.by is None and change.before and change.rise > 0) for change in changes
    )
    return [
        Finding(
            kind="round.not_voided", rule=rule, t=round.closed, message=f"{why}: the round must not count.",
            verdict="breach" if settled else "unsure", reads=() if settled else ("whether it was declared void",),
        )
    ]  # fmt: skip
