"""Slots: every card and tile of a round, where it lay, when it could be read, and where it went.

Order is told by `n`, the event's number within the round, because several events may share one time.
"""

from collections.abc import Callable, Iterable

from auditor import log
from auditor.log import AnyEvent
from auditor.places import OFF_TABLE

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


class CardsSeen:
    """The cards of one round as its events lay, turn and take them; what is left of the round before may come back."""

    def __init__(self, weak: float, readings: Readings, previous: "CardsSeen | None") -> None:
        self.weak, self.readings, self.previous = weak, readings, previous
        self.hands: dict[str, list[Slot]] = {}
        self.slots: list[Slot] = []
        self.off_table: list[Slot] = []
        self.on_table = 0
        self.copies: list[int] = [0] * 53 if previous is None else [*previous.copies]
        """How often each card was surely seen since the last shuffle."""

    def hand(self, place: str) -> list[Slot]:
        """The cards of a place, in the order they came."""
        return self.hands.get(place, [])

    def _take_card(self, n: int, event: log.Card | log.Tile) -> None:
        text = event.card if isinstance(event, log.Card) else event.tile
        up = event.up if event.up is not None else text != "??"
        slot = Slot(event.at, n, event.t, up=up)
        if up or text != "??":
            self._read(slot, text, event)
        if event.at in OFF_TABLE:
            self.off_table.append(slot)
            return
        self.hands.setdefault(event.at, []).append(slot)
        self.slots.append(slot)
        self.on_table += 1

    def is_weak(self, conf: float | None) -> bool:
        """Whether a read of that confidence is weak; one without any is certain."""
        return conf is not None and conf < self.weak

    def _read(self, slot: Slot, text: str, event: log.Card | log.Tile | log.Turn | log.Gone) -> None:
        slot.text, slot.conf = text, event.conf
        options, weak = self.readings(text), self.is_weak(event.conf)
        slot.card = options[0] if options else None
        slot.options = self._left_open(text, event) if weak or "?" in text else options
        if options and len(options) == 1 and not weak:
            self.copies[options[0]] += 1
            slot.copy = self.copies[options[0]]

    def _left_open(self, text: str, event: log.Card | log.Tile | log.Turn | log.Gone) -> tuple[int, ...] | None:
        """Which cards one may be that was weakly or half read; None where it may be any."""
        sure = None if self.is_weak(event.conf) else self.readings(text)
        if not isinstance(event, log.Card | log.Turn):
            return sure
        names = [*(event.maybe or ()), *(() if "?" in text else (text,))]
        if sure is None and event.rank_conf is not None and event.rank_conf >= self.weak and len(text) == 2:  # no joker
            sure = self.readings(f"{text[0]}?")
        named = [self.readings(name) for name in names]
        if event.maybe is None or None in named:
            return sure
        cards = dict.fromkeys(card for each in named for card in each or ())
        return tuple(card for card in cards if sure is None or card in sure) or sure

    def _take_turn(self, n: int, event: log.Turn) -> None:
        text = event.card if event.card is not None else event.tile or "??"
        lain = self.off_table if event.at in OFF_TABLE else self.hands.get(event.at, ())
        lying = [slot for slot in lain if slot.place == event.at and slot.gone_n is None]
        if not event.up:
            shown = [slot for slot in reversed(lying) if slot.up]
            named = [slot for slot in shown if slot.text == text]
            for slot in (named or [slot for slot in shown if self._may_be(slot, text)])[:1]:
                slot.up, slot.down_n = False, n
            return
        down = [slot for slot in lying if not slot.up]
        # Any one of them: the one already known as that card, else one not read yet. A card that was turned down and
        # up again keeps what was read of it the first time. With none face down, one that was not surely read lies
        # open and is read once more.
        turned = down or [slot for slot in lying if not slot.sure]
        if not turned:
            self._take_shown_whole(lying, text, event)
        same = [slot for slot in turned if slot.text == text] or [slot for slot in turned if slot.text == "??"]
        for slot in (same or turned)[:1]:
            slot.up = True
            if slot in down and slot.turned_n is None:
                slot.turned_n, slot.turned_t = n, event.t
            # A card known from before that is not this one was turned already, and only partly read then.
            read = slot if not slot.sure or self._may_be(slot, text) else _partly_read(lying, slot)
            if read is not None and not read.sure:
                self._read(read, text, event)

    def _take_shown_whole(self, lying: list[Slot], text: str, event: log.Turn) -> None:
        """A hand shown card by card, of which one lay open before and is named again: a card is left that has none to
        be, so the turn that named the open one was its own."""
        opened = {slot.text for slot in lying if slot.dealt_up}
        again = next((slot for slot in lying if not slot.dealt_up and slot.text in opened), None)
        if again is not None and again.card is not None and all(slot.text != text for slot in lying):
            self.copies[again.card] -= 1
            self._read(again, text, event)

    def _may_be(self, slot: Slot, text: str) -> bool:
        """Whether a reading may be of that card."""
        options = self.readings(text)
        return options is None or slot.options is None or not set(options).isdisjoint(slot.options)

    def _take_gone(self, n: int, event: log.Gone) -> None:
        lying = [slot for slot in self.hands.get(event.at, ()) if slot.gone_n is None]
        if not lying and brings_cards(event):
            self._take_back(n, event)
        elif event.at == "shoe" and event.to == "burn":
            for slot in _chosen([slot for slot in self.off_table if slot.place == "shoe"], event):
                slot.place = "burn"
        chosen = _chosen(lying, event)
        # A whole hand that goes to the dealer is passed in (a fold) or collected: no rule makes it the dealer's.
        passed_in = event.to == "dealer" and len(chosen) == len(lying) > 1
        for slot in chosen:
            if event.to is not None and event.to not in OFF_TABLE and not passed_in:
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
        unread = [slot for slot in waiting if slot.text == "??"]
        for slot, text in zip(unread, _without(event.cards or (), waiting), strict=False):
            self._read(slot, text, event)
        for text in (event.cards or ["??"] * (event.n or 1))[len(waiting) :]:
            slot = Slot(event.at, n, event.t, up=text != "??")
            self._read(slot, text, event)
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


def brings_cards(event: AnyEvent) -> bool:
    """Whether cards that were laid aside come to a hand: nothing but their going tells of it."""
    if not isinstance(event, log.Gone) or event.to is None or event.to in OFF_TABLE:
        return False
    return event.at in OFF_TABLE or bool(event.cards)


def _partly_read(lying: list[Slot], known: Slot) -> Slot | None:
    """A card lying open whose reading leaves open that it is the known one."""
    shown = (slot for slot in lying if slot.up and slot.turned_n is not None and not slot.sure)
    return next((slot for slot in shown if slot.options is None or known.card in slot.options), None)


def _without(names: Iterable[str], slots: list[Slot]) -> list[str]:
    """The names that are not those of cards read before."""
    left = [*names]
    for slot in slots:
        if slot.text in left:
            left.remove(slot.text)
    return left


def _chosen(lying: list[Slot], event: log.Gone) -> list[Slot]:
    if event.cards is not None:
        chosen: list[Slot] = []
        for text in event.cards:
            matching = [slot for slot in lying if slot not in chosen and slot.text == text]
            unread = [slot for slot in lying if slot not in chosen and not slot.sure]
            chosen += (matching or unread)[-1:]
        return chosen
    return lying if event.n is None else lying[len(lying) - min(event.n, len(lying)) :]
