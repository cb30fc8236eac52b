"""Rounds: one round of play as it was seen, rebuilt from its events.

A :class:`Round` is fed events and keeps what the rules ask about: which card lay where and when it could be read
(`auditor/slots.py`), how the chips at each spot changed and by whose hand (`auditor/ledgers.py`), calls, shuffles, gaps
in the view. It knows no game; where a round begins and ends is the business of `auditor/boundaries.py`.

Order is told by `n`, the event's number within the round, because several events may share one time.
"""

from collections.abc import Callable
from typing import NamedTuple

from auditor import log
from auditor.ledgers import LONG_GAP_S, Change, Gap, Ledger
from auditor.log import AnyEvent
from auditor.places import LAID_IN_PLAY
from auditor.slots import CardsSeen, Readings, brings_cards


class _Known(NamedTuple):
    """What a lost view puts in doubt."""

    blind_since: float | None
    first_reads: dict[tuple[str, str | None], float]
    copies: list[int]
    marker: str | None


class Round(CardsSeen):
    """One round of play, from the end of the one before to its own end."""

    previous: "Round | None"

    def __init__(self, number: int, weak: float, readings: Readings, previous: "Round | None" = None) -> None:
        super().__init__(weak, readings, previous)
        self.number = number
        self.events: list[AnyEvent] = []
        self.opened_n: int | None = None
        self.opened_midway = False
        """Whether the first that was seen of the round was something that comes after its first card."""
        self.opened = self.closed = 0.0
        self.ended = False
        self.chips: dict[tuple[str, str | None], Ledger] = {}
        self.calls: list[tuple[int, log.Call]] = []
        self.wheel: list[tuple[int, log.Spin | log.Ball | log.Wheel | log.Dolly]] = []
        self.gaps: list[Gap] = []
        self.shadow_since: float | None = None
        """When the view was lost in a round before this one, if the table was not seen cleared since."""
        self._left_over = {slot.place for slot in previous.slots if slot.gone_n is None} if previous else set[str]()
        self.blind_since: float | None = None
        """When the view was last lost, in this round or before; `first_reads` says when chips were first read since."""
        self.first_reads: dict[tuple[str, str | None], float] = {}
        self._known: _Known | None = None
        self.first_event: AnyEvent | None = None
        """The log's, not only the round's."""
        self._told_before: frozenset[tuple[str, str | None]] = frozenset()
        self.settling = False
        self.dealer: str | int | None = None
        self.marker: str | None = None
        self.opening_marker: str | None = None
        self.legacy: object = None
        """What the rulebook wants to know of this round when it judges the next one; set by `Game.audit`."""
        self.memo: tuple[int, object] = (0, None)
        """What the rulebook has worked out of so many events, lest it do so again."""
        if previous is not None:
            self._take_over(previous)

    def _take_over(self, previous: "Round") -> None:
        """What stays on the table: standing chips, an unhealed gap, the dealer."""
        previous.previous = None
        for key, ledger in previous.chips.items():
            if ledger.amount or not ledger.sure:
                sure = ledger.sure and not previous.hides(ledger)
                self.chips[key] = Ledger(ledger.at, ledger.colour, self.gaps, ledger.amount, sure=sure)
                self.chips[key].marker = ledger.marker and not previous.hides(ledger)
                if previous.hides(ledger):
                    self.chips[key].stale_since = previous.gaps[-1].since
                elif not ledger.changes:
                    self.chips[key].stale_since = ledger.stale_since
        self.dealer, self.marker = previous.dealer, previous.marker
        self.first_event = previous.first_event
        self._told_before = previous._told_before | previous.chips.keys()
        self.blind_since, self.first_reads = previous.blind_since, dict(previous.first_reads)
        self._take_over_gaps(previous)

    def _take_over_gaps(self, previous: "Round") -> None:
        if previous.gaps and previous.gaps[-1].until is None:
            self.gaps.append(Gap(0, previous.gaps[-1].since))
        elif previous.gaps and previous.cleared_before(previous.gaps[-1].n):
            self.gaps.append(previous.gaps[-1].over())
        elif previous.gaps and not previous.cleared_after(max(previous.gaps[-1].until_n or 0, 0)):
            self.shadow_since = previous.gaps[-1].since
        elif not previous.gaps and not previous.cleared_after(0):
            self.shadow_since = previous.shadow_since

    # ---- feeding ----

    def feed(self, event: AnyEvent) -> None:
        """Take in the next event."""
        n = len(self.events)
        self.events.append(event)
        take = _TAKERS.get(type(event))
        if take is not None:
            take(self, n, event)

    def begin_unseen(self, began: float) -> None:
        """The event to come tells of cards or chips that nobody saw laid down: the log does not begin where a round
        does. What was before it began is as unseen as in a gap."""
        if not self.gaps or self.gaps[0].n >= 0:
            self.gaps.insert(0, Gap.before_the_log(began))
        if self.blind_since is None:
            reads = {key: ledger.changes[0].t for key, ledger in self.chips.items() if ledger.changes}
            self.blind_since, self.first_reads = began, dict.fromkeys(self._told_before, began) | reads

    def open(self, event: AnyEvent) -> None:
        """The rulebook says that the round of play commences with the event fed last."""
        self.opened_n = len(self.events) - 1
        self.opened = self.closed = event.t
        self.opening_marker = self.marker

    def _take_chips(self, n: int, event: log.Chips) -> None:
        key = (event.at, event.colour)
        ledger = self.chips.get(key)
        if ledger is None:
            ledger = self.chips[key] = Ledger(event.at, event.colour, self.gaps)
        sure = not self.is_weak(event.conf)
        amount = log.cents(event.amount)
        if not (sure and ledger.knows(amount, n)):
            there = event.there is not None and event.there >= self.weak
            ledger.changes.append(Change(n, event.t, ledger.amount, amount, event.by, sure=sure, there=there))
        ledger.amount = amount
        if event.marker:
            ledger.marker = True
        if self.blind_since is not None:
            self.first_reads.setdefault(key, event.t)
        if event.by == "dealer" and self.opened_n is not None:
            self.settling = True

    def _take_call(self, n: int, event: log.Call) -> None:
        self.calls.append((n, event))

    def _take_wheel(self, n: int, event: log.Spin | log.Ball | log.Wheel | log.Dolly) -> None:
        self.wheel.append((n, event))
        if n == 0 and _lifts_dolly(event):
            self.shadow_since = None  # the round before, in which the view was lost, is over

    def _take_gone(self, n: int, event: log.Gone) -> None:
        super()._take_gone(n, event)
        if self.opened_n is None and not brings_cards(event) and event.at in self._left_over:
            self._left_over.remove(event.at)
            if not self._left_over:
                self.shadow_since = None  # the cards of the round before lay until now

    def _take_feed(self, n: int, event: log.Feed) -> None:
        gap = self.gaps[-1] if self.gaps and self.gaps[-1].until is None else None
        if event.state != "back":
            if gap is None:
                self.gaps.append(Gap(n, event.t))
                self._known = _Known(self.blind_since, self.first_reads, self.copies, self.marker)
                self.blind_since, self.first_reads = event.t, {}
                self.copies = [0] * 53  # a shuffle may go unseen
                self.marker = None  # and so may the marker's move
            else:
                self._known = None  # lost twice: that the second time was brief says nothing of the first
        elif gap is not None and event.unbroken and self._known is not None:
            self.gaps.pop()
            self._recall(self._known)
        elif gap is not None:
            gap.end(event.t, n)

    def _recall(self, known: "_Known") -> None:
        """Nothing happened while the view was away: what was known is known again."""
        self.blind_since, self.first_reads = known.blind_since, known.first_reads
        self.copies = [before + since for before, since in zip(known.copies, self.copies, strict=True)]
        self.marker = self.marker or known.marker

    def _take_shuffle(self, n: int, event: log.Shuffle) -> None:
        self.copies = [0] * 53

    def _take_dealer(self, n: int, event: log.Dealer) -> None:
        self.dealer = event.who

    def _take_marker(self, n: int, event: log.Marker) -> None:
        self.marker = None if self.is_weak(event.conf) else event.at

    # ---- asking ----

    @property
    def log_began(self) -> float | None:
        """The time of the log's first event."""
        return None if self.first_event is None else self.first_event.t

    @property
    def is_of_whole_log(self) -> bool:
        """Whether the log tells of the table from its own start, and the first it tells is not of a round being played:
        then nothing lay there of which it does not tell."""
        first = self.first_event
        return first is not None and first.t <= LONG_GAP_S and not _is_of_play(first)

    @property
    def is_remnant(self) -> bool:
        """Whether the log begins in the middle of this round, and no card of it was seen dealt."""
        return self.opened_midway and not self.slots

    def tells_of(self, at: str, colour: str | None = None) -> bool:
        """Whether the log has told of the chips at a spot, in this round or before."""
        return (at, colour) in self.chips or (at, colour) in self._told_before

    def called(self, what: str, at: str | None = None) -> int | None:
        """The number of the first such call (at that place), or None."""
        for n, call in self.calls:
            if call.what == what and (at is None or call.at == at):
                return n
        return None

    def calls_off(self) -> list[tuple[int, log.Call]]:
        """The calls that declare it void, or a misdeal, as a whole; what came before its first card was not of it."""
        return [
            (n, call) for n, call in self.calls
            if call.at is None and call.what in ("void", "misdeal") and n >= (self.opened_n or 0)
        ]  # fmt: skip

    def called_off(self) -> bool:
        """Whether it was surely declared void, or a misdeal, as a whole."""
        return any(not self.is_weak(call.conf) for _, call in self.calls_off())

    def shuffled(self) -> bool:
        """Whether the cards were shuffled for this round: since the round before was opened."""
        if any(isinstance(event, log.Shuffle) for event in self.events[: self.opened_n]):
            return True
        before = self.previous
        return before is not None and any(
            isinstance(event, log.Shuffle) for event in before.events[before.opened_n or 0 :]
        )

    def may_be_decided(self) -> bool:
        """Whether no hand waits for its second card: the dealer's may, once he has moved chips."""
        hands = {place: len(hand) for place, hand in self.hands.items() if hand}
        enough = 1 if self.settling else 2
        house = hands.pop("dealer", 0) or hands.pop("banker", 0)
        return house >= enough and min(hands.values(), default=0) > 1

    def settled_up(self) -> bool:
        """Whether every wager that stood when the round opened was seen to leave its spot."""
        opened_n = self.opened_n or 0
        stood = [ledger for ledger in self.chips.values() if ledger.spot and ledger.before(opened_n)]
        return bool(stood) and all(
            any(change.n > opened_n and not change.after for change in ledger.changes) for ledger in stood
        )

    def unsettled(self, but: tuple[str, str | None]) -> bool:
        """Whether a wager, but for one, stands as when the round opened: it pushed, or is yet to be settled."""
        opened_n = self.opened_n or 0
        return any(
            ledger.spot and ledger.before(opened_n) and not any(change.n > opened_n for change in ledger.changes)
            for key, ledger in self.chips.items() if key != but
        )  # fmt: skip

    def staked_anew(self) -> bool:
        """Whether chips were laid since on a spot that was empty, and not for a split or an insurance."""
        opened_n = self.opened_n or 0
        spots = [
            ledger for ledger in self.chips.values()
            if ledger.spot and ledger.spot not in LAID_IN_PLAY and "#" not in ledger.at
        ]  # fmt: skip
        laid = [ledger.changes[-1] for ledger in spots if ledger.changes]
        return any(c.n > opened_n and c.after and not c.before and c.by != "dealer" for c in laid)

    def hides(self, ledger: Ledger) -> bool:
        """Whether chips at a spot may have changed unseen since they were last read."""
        if not self.gaps:
            return False
        until_n = self.gaps[-1].until_n
        return until_n is None or not ledger.changes or ledger.changes[-1].n < until_n

    def cleared_before(self, n: int) -> bool:
        """Whether the round was over, the table clear, when event `n` came."""
        last = max((slot.gone_n or 0 for slot in self.slots), default=0)
        return self.ended and not self.on_table and 0 < last < n

    def cleared_after(self, n: int) -> bool:
        """Whether the table was seen cleared after event `n`."""
        cleared = any(isinstance(event, log.Gone) or _lifts_dolly(event) for event in self.events[n:])
        return self.ended and not self.on_table and cleared

    def undealt_n(self, spots: frozenset[str] | None = None) -> int:
        """The last event that shows that no card was dealt yet: a gap in the view after it may hide the first cards.

        `spots` are those of the opening wagers, where the game has others that are placed during the round.
        """
        signs = [n for n, event in enumerate(self.events[: self.opened_n]) if isinstance(event, _UNDEALT)]
        signs += [n for n, call in self.calls if call.what == "no_more_bets"]
        # Chips that a player lays down are a wager; chips seen standing, added to (a double) or moved tell nothing.
        signs += [
            change.n for ledger in self.chips.values() for change in ledger.changes
            if change.by == "player" and change.rise > 0 and not change.before
            and "#" not in ledger.at and (spots is None or ledger.spot in spots)
        ]  # fmt: skip
        return max((n for n in signs if n < (self.opened_n or 0)), default=-1)

    def gap_after(self, n: int) -> Gap | None:
        """The first interruption of the view that was not over by event `n`."""
        for gap in self.gaps:
            if gap.until_n is None or gap.until_n > n:
                return gap
        return None


def _is_of_play(event: AnyEvent) -> bool:
    """Whether it comes only when a round is being played or settled."""
    if isinstance(event, log.Chips):
        return event.by == "dealer"
    if isinstance(event, log.Dolly):
        return event.at is not None
    if isinstance(event, log.Call):
        return event.at is not None
    return isinstance(event, _OF_PLAY)


def _lifts_dolly(event: AnyEvent) -> bool:
    return isinstance(event, log.Dolly) and event.at is None


_OF_PLAY = (log.Card, log.Tile, log.Turn, log.Gone, log.Set, log.Dice, log.Ball, log.Wheel)
_UNDEALT = (log.Shuffle, log.Cut, log.Card)
_TAKERS: dict[type, Callable[[Round, int, AnyEvent], None]] = {
    log.Chips: Round._take_chips,  # type: ignore[dict-item]
    log.Card: Round._take_card,  # type: ignore[dict-item]
    log.Tile: Round._take_card,  # type: ignore[dict-item]
    log.Turn: Round._take_turn,  # type: ignore[dict-item]
    log.Gone: Round._take_gone,  # type: ignore[dict-item]
    log.Call: Round._take_call,  # type: ignore[dict-item]
    log.Feed: Round._take_feed,  # type: ignore[dict-item]
    log.Shuffle: Round._take_shuffle,  # type: ignore[dict-item]
    log.Dealer: Round._take_dealer,  # type: ignore[dict-item]
    log.Marker: Round._take_marker,  # type: ignore[dict-item]
    log.Spin: Round._take_wheel,  # type: ignore[dict-item]
    log.Ball: Round._take_wheel,  # type: ignore[dict-item]
    log.Wheel: Round._take_wheel,  # type: ignore[dict-item]
    log.Dolly: Round._take_wheel,  # type: ignore[dict-item]
}
