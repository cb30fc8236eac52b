"""Where a round begins and ends: each rulebook's own definition, and the log cut into rounds by it."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from auditor import log
from auditor.log import AnyEvent
from auditor.places import LAID_IN_PLAY, OFF_TABLE, box_of, spot_of
from auditor.rounds import Round
from auditor.slots import Readings, brings_cards


class Boundary(Protocol):
    """A rulebook's definition of a round of play."""

    def opens(self, round: Round, event: AnyEvent) -> bool:
        """Whether the round of play commences with this event."""

    def starts_next(self, round: Round, event: AnyEvent) -> bool:
        """Whether this event, not fed yet, belongs to the next round."""

    def ended(self, round: Round) -> bool:
        """Whether the round of play was seen to its end."""

    def tells_of_the_past(self, round: Round, event: AnyEvent) -> bool:
        """Whether this event, not fed yet, shows that a log that may lack its beginning does not begin where a round
        does."""


_DECISIONS = frozenset({"stand", "check", "fold", "even_money"})


class CardsCollected:
    """«Commences when a card is first removed from the shoe and concludes when all the cards are collected.»

    Money that the dealer moves after the last card is gone still settles this round.
    """

    def opens(self, round: Round, event: AnyEvent) -> bool:
        """A card came to a hand; burns and cards at the shoe do not open a round."""
        return brings_cards(event) or (isinstance(event, log.Card) and event.at not in OFF_TABLE)

    def starts_next(self, round: Round, event: AnyEvent) -> bool:
        """After collection: whatever is not still settlement. Before it: signs that collection went unseen."""
        if round.opened_n is None:
            return False
        if self.ended(round):
            return not _still_settling(round, event)
        if isinstance(event, log.Card) and event.at not in (*OFF_TABLE, "dealer", "banker", "board"):
            return not round.gaps and round.may_be_decided() and round.settled_up() and round.staked_anew()
        if not isinstance(event, (log.Shuffle, log.Call)) or getattr(event, "what", "no_more_bets") != "no_more_bets":
            return False
        return round.settling or round.settled_up() or any(gap.n >= round.opened_n for gap in round.gaps)

    def ended(self, round: Round) -> bool:
        """All cards are collected; a lone first card taken away again (a joker, say) does not end the round, unless
        others may have come unseen."""
        if round.on_table or round.opened_n is None:
            return False
        return len(round.slots) > 1 or bool(round.gaps) or round.called_off()

    def tells_of_the_past(self, round: Round, event: AnyEvent) -> bool:
        """Chips are settled that were never seen laid; or cards are turned, set, taken or wagered on that were never
        seen dealt."""
        if isinstance(event, log.Chips) and spot_of(event.at) in LAID_IN_PLAY:
            return round.previous is None and not round.slots
        if isinstance(event, log.Chips):
            return round.opened_n is not None and is_settled_unlaid(round, event)
        if isinstance(event, log.Call):
            return round.previous is None and not round.slots and event.what in _DECISIONS
        if isinstance(event, log.Gone):  # hands that got nothing may be gathered in with the rest
            is_taken = not brings_cards(event) and event.at not in OFF_TABLE
            return round.previous is None and not round.slots and is_taken
        return isinstance(event, (log.Turn, log.Set)) and round.previous is None and event.at not in round.hands


def is_settled_unlaid(round: Round, event: log.Chips) -> bool:
    """Whether chips are taken from a spot of which the log never told, or the dealer pays there; or somebody not known
    does, where a hand was dealt."""
    is_paid = event.by == "dealer" or (event.by is None and box_of(event.at) in round.hands)
    is_settled = (not event.amount or is_paid) and spot_of(event.at) and "#" not in event.at
    return bool(is_settled) and not round.tells_of(event.at, event.colour)


def _still_settling(round: Round, event: AnyEvent) -> bool:
    """Only money that leaves the table or comes from the house, and news of the view, stay with a collected round; and
    what is wagered anew while the dealer has others still to settle."""
    if isinstance(event, log.Chips):
        return _may_settle(round, event) or (event.by == "player" and round.unsettled(but=(event.at, event.colour)))
    if isinstance(event, log.Call):
        return event.what in ("void", "misdeal")
    if brings_cards(event):
        return False
    return isinstance(event, (log.Gone, log.Feed, log.Hand, log.CuttingCard))


def _may_settle(round: Round, event: log.Chips) -> bool:
    """Whether chips leave the table, or come from the house: or from nobody known, to a wager that still stands as it
    was dealt to."""
    ledger = round.chips.get((event.at, event.colour))
    rises = log.cents(event.amount) > (ledger.amount if ledger else 0)
    stands = ledger is not None and ledger.before(round.opened_n or 0) == ledger.amount > 0
    return event.by == "dealer" or not rises or (event.by is None and stands)


def replayed(round: Round, boundary: Boundary, events: Iterable[AnyEvent]) -> Round:
    """The same round as it would be with other events."""
    again = Round(round.number, round.weak, round.readings, round.previous)
    for event in events:
        feed(again, event, boundary)
    if again.opened_n is None:
        again.open(again.events[-1])
    again.ended = round.ended
    return again


def feed(round: Round, event: AnyEvent, boundary: Boundary) -> None:
    """Feed a round the next event; the rulebook says whether the round of play commences with it."""
    if round.first_event is None:
        round.first_event = event
    midway = _may_be_cut_off(round.first_event, round, event) and boundary.tells_of_the_past(round, event)
    if midway:
        round.begin_unseen(round.first_event.t)
    round.feed(event)
    if round.opened_n is not None:
        round.closed = event.t
    elif boundary.opens(round, event):
        round.open(event)
    elif midway:
        round.opened_midway = True
        round.open(event)


def _may_be_cut_off(first: AnyEvent, round: Round, event: AnyEvent) -> bool:
    """Whether the log may lack its beginning; that it begins with a wager which is laid in play tells it of cards that
    are turned or taken then and were never dealt, but the wager alone may be laid too early."""
    laid_in_play = isinstance(first, log.Chips) and spot_of(first.at) in LAID_IN_PLAY
    return not round.is_of_whole_log or (laid_in_play and not isinstance(event, log.Chips))


def is_next(round: Round, event: AnyEvent, boundary: Boundary) -> bool:
    """Whether an event, not fed yet, belongs to the next round; what is left of a round that was not seen dealt lasts
    until there are wagers for the next one, or cards are prepared for it."""
    if not round.opened_midway or round.on_table:
        return round.opened_n is not None and boundary.starts_next(round, event)
    if isinstance(event, log.Chips):
        ledger = round.chips.get((event.at, event.colour))
        is_added = ledger is not None and ledger.amount > 0  # to a wager that stands: it may be doubled
        return event.by == "player" and event.amount > 0 and not is_added and spot_of(event.at) not in LAID_IN_PLAY
    is_call = isinstance(event, log.Call) and event.what == "no_more_bets"
    return is_call or isinstance(event, (log.Shuffle, log.Cut, log.Dice))


def end(round: Round, boundary: Boundary) -> None:
    """No more events belong to the round: say whether it was seen to its end."""
    is_cleared = not round.on_table and any(isinstance(event, log.Gone) for event in round.events)
    round.ended = (round.opened_midway and is_cleared) or boundary.ended(round)


def split(events: Iterable[AnyEvent], boundary: Boundary, weak: float, readings: Readings) -> Iterator[Round]:
    """The rounds of a log, one at a time; the last one may be unfinished.

    An unreadable line ends the log, but not before a round that was already over is given.
    """
    round = Round(1, weak, readings)
    try:
        for event in events:
            if is_next(round, event, boundary):
                end(round, boundary)
                yield round
                round = Round(round.number + 1, weak, readings, round)
            feed(round, event, boundary)
    except log.LogError:
        if round.opened_n is not None and boundary.ended(round):
            round.ended = True
            yield round
        raise
    if round.opened_n is not None:
        end(round, boundary)
        yield round
