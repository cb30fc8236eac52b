"""Rounds: one round of play as it was seen, rebuilt from its events.

A :class:`Round` is fed events and keeps what the rules ask about: which card lay where and when it could be read
(:class:`Slot`), how the chips at each spot changed and by whose hand (:class:`Ledger`), calls, shuffles, gaps in the
view. It knows no game; where a round begins and ends is the business of `auditor/boundaries.py`.

Order is told by `n`, the event's number within the round, because several events may share one time.
"""

from collections.abc import Callable
from typing import NamedTuple

from auditor import log
from auditor.log import AnyEvent
from auditor.places import OFF_TABLE, spot_of

Readings = Callable[[str], tuple[int, ...] | None]


class Slot:
    """One physical card or tile: where it lay, and what could be read of it.

    `options` are the cards it can be (None: any); `card` is the one assumed while a reading is judged.
    """

    __slots__ = (
        "card", "conf", "copy", "dealt_to", "dealt_up", "down_n", "gone_n", "gone_to",
        "moved_from", "moved_n", "n", "options", "place", "t", "text", "turned_n", "turned_t", "up",
    )  # fmt: skip

    def __init__(self, place: str, n: int, t: float, *, up: bool) -> None:
        self.place = self.dealt_to = place
        self.n, self.t = n, t
        self.up = self.dealt_up = up
        self.turned_n: int | None = None
        self.turned_t: float | None = None
        self.down_n: int | None = None
        self.gone_n: int | None = None
        self.gone_to: str | None = None
        self.moved_n: int | None = None
        self.moved_from: str | None = None
        self.options: tuple[int, ...] | None = None
        self.card: int | None = None
        self.text = "??"
        self.conf: float | None = None
        self.copy = 0

    @property
    def sure(self) -> bool:
        """Read, and not weakly."""
        return self.options is not None and len(self.options) == 1

    @property
    def seen_n(self) -> int | None:
        """When its face could first be seen; None if never."""
        return self.n if self.dealt_up else self.turned_n

    def __repr__(self) -> str:
        return f"<{self.text} at {self.place}>"


class Change:
    """The chips at one spot went from one amount to another, which is `sure`; `there`: chips are there for sure,
    however many."""

    __slots__ = ("after", "before", "by", "n", "sure", "t", "there")

    def __init__(
        self, n: int, t: float, before: int, after: int, by: str | None, *, sure: bool, there: bool = False
    ) -> None:
        self.n, self.t, self.before, self.after, self.by, self.sure = n, t, before, after, by, sure
        self.there = there or sure

    @property
    def rise(self) -> int:
        """By how much the amount grew; negative for a fall."""
        return self.after - self.before


class Ledger:
    """The chips at one spot (of one colour), change by change. Amounts are cents; `amount` is what stands there now."""

    __slots__ = (
        "amount", "at", "carried", "carried_sure", "changes", "colour", "gaps", "marker", "spot", "stale_since",
    )  # fmt: skip

    def __init__(
        self, at: str, colour: str | None, gaps: "list[Gap]", carried: int = 0, *, sure: bool = True
    ) -> None:
        self.at, self.colour, self.gaps, self.carried, self.carried_sure = at, colour, gaps, carried, sure
        self.stale_since: float | None = None
        """When the view was lost, if the carried chips were not read since: they may be long gone."""
        self.spot = spot_of(at)
        self.amount = carried
        self.changes: list[Change] = []
        self.marker = False

    @property
    def sure(self) -> bool:
        """Whether what stands there now was read surely."""
        return self.changes[-1].sure if self.changes else self.carried_sure

    def before(self, n: int) -> int:
        """What stood there just before event `n`."""
        amount = self.carried
        for change in self.changes:
            if change.n >= n:
                break
            amount = change.after
        return amount

    def read_before(self, n: int) -> bool:
        """Whether that was read surely."""
        return self._last_read(n)[0]

    def there_at(self, t: float) -> bool:
        """Whether the chips that were seen to change at that time are there for sure, however many."""
        return any(change.t == t and change.there for change in self.changes)

    def sure_before(self, n: int) -> bool:
        """Whether that was read surely, and the view not lost since."""
        sure, read_n = self._last_read(n)
        return sure and not any(read_n < gap.n < n for gap in self.gaps)

    def knows(self, amount: int, n: int) -> bool:
        """Whether event `n` tells no more, if it shows that amount: it was surely read, and not out of sight since."""
        return bool(self.changes) and amount == self.amount and self.sure_before(n)

    def _last_read(self, n: int) -> tuple[bool, int]:
        sure, read_n = self.carried_sure, -2  # what was carried over was read before any gap
        for change in self.changes:
            if change.n >= n:
                break
            sure, read_n = change.sure, change.n
        return sure, read_n


class Gap:
    """The view was interrupted from event `n` on, until `until` (None: it did not come back)."""

    __slots__ = ("n", "since", "until", "until_n")

    def __init__(self, n: int, since: float) -> None:
        self.n, self.since = n, since
        self.until: float | None = None
        self.until_n: int | None = None

    def over(self) -> "Gap":
        """The same gap as the next round has it: over before its first event."""
        gap = Gap(-1, self.since)
        gap.until, gap.until_n = self.until, -1
        return gap


class _Known(NamedTuple):
    """What a lost view puts in doubt."""

    blind_since: float | None
    first_reads: dict[tuple[str, str | None], float]
    copies: list[int]
    marker: str | None


class Round:
    """One round of play, from the end of the one before to its own end."""

    def __init__(self, number: int, weak: float, readings: Readings, previous: "Round | None" = None) -> None:
        self.number, self.weak, self.readings, self.previous = number, weak, readings, previous
        self.events: list[AnyEvent] = []
        self.opened_n: int | None = None
        self.opened = self.closed = 0.0
        self.ended = False
        self.hands: dict[str, list[Slot]] = {}
        self.slots: list[Slot] = []
        self.off_table: list[Slot] = []
        self.on_table = 0
        self.chips: dict[tuple[str, str | None], Ledger] = {}
        self.calls: list[tuple[int, log.Call]] = []
        self.wheel: list[tuple[int, log.Spin | log.Ball | log.Wheel | log.Dolly]] = []
        self.gaps: list[Gap] = []
        self.shadow_since: float | None = None
        """When the view was lost in a round before this one, if the table was not seen cleared since."""
        self.blind_since: float | None = None
        """When the view was last lost, in this round or before; `first_reads` says when chips were first read since."""
        self.first_reads: dict[tuple[str, str | None], float] = {}
        self._known: _Known | None = None
        self.settling = False
        self.dealer: str | int | None = None
        self.marker: str | None = None
        self.opening_marker: str | None = None
        self.copies = [0] * 53
        self.legacy: object = None
        """What the rulebook wants to know of this round when it judges the next one; set by `Game.audit`."""
        self.memo: tuple[int, object] = (0, None)
        """What the rulebook has worked out of so many events, lest it do so again."""
        if previous is not None:
            self._take_over(previous)

    def _take_over(self, previous: "Round") -> None:
        """What stays on the table: standing chips, cards known to have left the shoe, an unhealed gap, the dealer."""
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
        self.copies = [*previous.copies]
        self.dealer, self.marker = previous.dealer, previous.marker
        self.blind_since, self.first_reads = previous.blind_since, dict(previous.first_reads)
        self._take_over_gaps(previous)

    def _take_over_gaps(self, previous: "Round") -> None:
        if previous.gaps and previous.gaps[-1].until is None:
            self.gaps.append(Gap(0, previous.gaps[-1].since))
        elif previous.gaps and previous.cleared_before(previous.gaps[-1].n):
            self.gaps.append(previous.gaps[-1].over())
        elif previous.gaps and not previous.cleared_after(previous.gaps[-1].until_n or 0):
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
        sure = event.conf is None or event.conf >= self.weak
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

    def _take_card(self, n: int, event: log.Card | log.Tile) -> None:
        text = event.card if isinstance(event, log.Card) else event.tile
        up = event.up if event.up is not None else text != "??"
        slot = Slot(event.at, n, event.t, up=up)
        if up or text != "??":
            self._read(slot, text, event.conf, event.rank_conf if isinstance(event, log.Card) else None)
        if event.at in OFF_TABLE:
            self.off_table.append(slot)
            return
        self.hands.setdefault(event.at, []).append(slot)
        self.slots.append(slot)
        self.on_table += 1

    def _read(self, slot: Slot, text: str, conf: float | None, rank_conf: float | None = None) -> None:
        slot.text, slot.conf = text, conf
        options = self.readings(text)
        slot.card = options[0] if options else None
        weak = conf is not None and conf < self.weak
        if weak and rank_conf is not None and rank_conf >= self.weak and len(text) == 2:  # a joker has no suit to doubt
            slot.options = self.readings(f"{text[0]}?")
        else:
            slot.options = None if weak else options
        if options and len(options) == 1 and not weak:
            self.copies[options[0]] += 1
            slot.copy = self.copies[options[0]]

    def _take_turn(self, n: int, event: log.Turn) -> None:
        text = event.card if event.card is not None else event.tile or "??"
        lying = [slot for slot in self.hands.get(event.at, ()) if slot.gone_n is None]
        if not event.up:
            for slot in lying:
                if slot.up and slot.text == text:
                    slot.up, slot.down_n = False, n
                    return
            return
        down = [slot for slot in lying if not slot.up]
        # Any one of them: the one already known as that card, else one not read yet. A card that was turned down and
        # up again keeps what was read of it the first time. With none face down, one that was not surely read lies
        # open and is read once more.
        turned = down or [slot for slot in lying if not slot.sure]
        same = [slot for slot in turned if slot.text == text] or [slot for slot in turned if slot.text == "??"]
        for slot in (same or turned)[:1]:
            slot.up = True
            if slot in down and slot.turned_n is None:
                slot.turned_n, slot.turned_t = n, event.t
            if not slot.sure:
                self._read(slot, text, event.conf, event.rank_conf)

    def _take_gone(self, n: int, event: log.Gone) -> None:
        lying = [slot for slot in self.hands.get(event.at, ()) if slot.gone_n is None]
        if not lying and brings_cards(event):
            self._take_back(n, event)
        elif event.at == "shoe" and event.to == "burn":
            for slot in _chosen([slot for slot in self.off_table if slot.place == "shoe"], event):
                slot.place = "burn"
        for slot in _chosen(lying, event):
            if event.to is not None and event.to not in OFF_TABLE:
                self.hands[event.at].remove(slot)
                slot.moved_n, slot.moved_from, slot.place = n, event.at, event.to
                self.hands.setdefault(event.to, []).append(slot)
            else:
                slot.gone_n, slot.gone_to = n, event.to
                self.on_table -= 1
                if event.to == "shoe" and slot.copy and slot.card is not None:
                    self.copies[slot.card] -= 1  # it will be dealt again

    def _take_back(self, n: int, event: log.Gone) -> None:
        """Cards that lay aside, or were left over from the round before, come to a hand."""
        if self._restore(event):
            return
        left = [slot for slot in self.previous.slots if slot.gone_n is None] if self.previous else []
        aside = [*(self.previous.off_table if self.previous else ()), *self.off_table]
        waiting = _chosen([slot for slot in (*left, *aside) if slot.place == event.at], event)
        for text in (event.cards or ["??"] * (event.n or 1))[len(waiting) :]:
            slot = Slot(event.at, n, event.t, up=text != "??")
            self._read(slot, text, event.conf)
            waiting.append(slot)
        for slot in waiting:
            if slot in self.off_table:
                self.off_table.remove(slot)
            slot.place = slot.dealt_to = str(event.to)
            slot.n, slot.t, slot.gone_n = n, event.t, None
            self.hands.setdefault(slot.place, []).append(slot)
            self.slots.append(slot)
            self.on_table += 1

    def _restore(self, event: log.Gone) -> bool:
        """A hand of this round that was put away comes back to where it lay (a hand reconstructed, say)."""
        put_away = [slot for slot in self.hands.get(str(event.to), ()) if slot.gone_n is not None]
        restored = _chosen([slot for slot in put_away if slot.gone_to == event.at], event)
        for slot in restored:
            slot.gone_n = slot.gone_to = None
            self.on_table += 1
        return bool(restored)

    def _take_call(self, n: int, event: log.Call) -> None:
        self.calls.append((n, event))

    def _take_wheel(self, n: int, event: log.Spin | log.Ball | log.Wheel | log.Dolly) -> None:
        self.wheel.append((n, event))

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
            gap.until, gap.until_n = event.t, n

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
        self.marker = event.at if event.conf is None or event.conf >= self.weak else None

    # ---- asking ----

    def hand(self, place: str) -> list[Slot]:
        """The cards of a place, in the order they came."""
        return self.hands.get(place, [])

    def called(self, what: str, at: str | None = None) -> int | None:
        """The number of the first such call (at that place), or None."""
        for n, call in self.calls:
            if call.what == what and (at is None or call.at == at):
                return n
        return None

    def shuffled(self) -> bool:
        """Whether the cards were shuffled for this round: since the round before was opened."""
        if any(isinstance(event, log.Shuffle) for event in self.events[: self.opened_n]):
            return True
        before = self.previous
        return before is not None and any(
            isinstance(event, log.Shuffle) for event in before.events[before.opened_n or 0 :]
        )

    def settled_up(self) -> bool:
        """Whether every wager that stood when the round opened was seen to leave its spot."""
        opened_n = self.opened_n or 0
        stood = [ledger for ledger in self.chips.values() if ledger.spot and ledger.before(opened_n)]
        return bool(stood) and all(
            any(change.n > opened_n and not change.after for change in ledger.changes) for ledger in stood
        )

    def staked_anew(self) -> bool:
        """Whether chips were laid since on a spot that was empty, and not for a split."""
        opened_n = self.opened_n or 0
        spots = [ledger for ledger in self.chips.values() if ledger.spot and "#" not in ledger.at]
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


def _lifts_dolly(event: AnyEvent) -> bool:
    return isinstance(event, log.Dolly) and event.at is None


_UNDEALT = (log.Shuffle, log.Cut, log.Card)


def brings_cards(event: AnyEvent) -> bool:
    """Whether cards that were laid aside come to a hand: nothing but their going tells of it."""
    if not isinstance(event, log.Gone) or event.to is None or event.to in OFF_TABLE:
        return False
    return event.at in OFF_TABLE or bool(event.cards)


def _chosen(lying: list[Slot], event: log.Gone) -> list[Slot]:
    if event.cards is not None:
        chosen: list[Slot] = []
        for text in event.cards:
            matching = [slot for slot in lying if slot not in chosen and slot.text == text]
            unread = [slot for slot in lying if slot not in chosen and not slot.sure]
            chosen += (matching or unread)[-1:]
        return chosen
    return lying if event.n is None else lying[len(lying) - min(event.n, len(lying)) :]


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
