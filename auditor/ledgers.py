"""Ledgers: the chips at each spot, change by change and by whose hand, and the gaps in which nobody saw them."""

from auditor.places import spot_of


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

    def least_before(self, n: int) -> int:
        """The least that stood there before event `n`: so much of what was carried over stayed."""
        return min([self.carried, *(change.after for change in self.changes if change.n < n)])

    def read_before(self, n: int) -> bool:
        """Whether that was read surely."""
        return self._last_read(n)[0]

    def there_at(self, t: float) -> bool:
        """Whether the chips that were seen to change at that time are there for sure, however many."""
        return any(change.t == t and change.there for change in self.changes)

    def sure_before(self, n: int) -> bool:
        """Whether that was read surely, and the view not lost since."""
        return self.read_before(n) and self.in_view_until(n)

    def surely_changed(self, change: Change) -> bool:
        """Whether chips came or went then for sure, and the log does not merely read otherwise what was read weakly:
        both what stood there and what stands there was read surely, or nothing does any more."""
        return change.sure and (not change.after or self.sure_before(change.n))

    def in_view_until(self, n: int) -> bool:
        """Whether the view was not lost between the last read before event `n` and that event."""
        read_n = self._last_read(n)[1]
        return not any(read_n < gap.n < n for gap in self.gaps)

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


def in_whole_moves(ledger: Ledger) -> Ledger:
    """The same chips, with what a player laid or took in steps, nothing else being seen in between, as one move."""
    whole = Ledger(ledger.at, ledger.colour, ledger.gaps, ledger.carried, sure=ledger.carried_sure)
    whole.stale_since, whole.amount, whole.marker = ledger.stale_since, ledger.amount, ledger.marker
    last_n = -1
    for change in ledger.changes:
        last = whole.changes[-1] if whole.changes else None
        if last is not None and change.n == last_n + 1 and _goes_on(last, change):
            whole.changes[-1] = Change(last.n, last.t, last.before, change.after, last.by, sure=True)
        else:
            whole.changes.append(change)
        last_n = change.n
    return whole if len(whole.changes) < len(ledger.changes) else ledger


def _goes_on(last: Change, change: Change) -> bool:
    """Whether a player goes on with what he was doing. Of what is weakly read each step stands for itself."""
    by_one_player = change.by == last.by == "player"
    return by_one_player and change.sure and last.sure and change.rise * last.rise > 0


LONG_GAP_S = 10.0
"""No round is settled, cleared, wagered on and dealt anew in less."""


class Gap:
    """The view was interrupted from event `n` on, until `until` (None: it did not come back); or it is the time before
    the log began, of any length."""

    __slots__ = ("is_long", "n", "since", "until", "until_n")

    def __init__(self, n: int, since: float) -> None:
        self.n, self.since = n, since
        self.until: float | None = None
        self.until_n: int | None = None
        self.is_long = True
        """Whether more than one round may have been played in it."""

    def end(self, until: float, until_n: int) -> None:
        """The view is back."""
        self.until, self.until_n = until, until_n
        self.is_long = until - self.since > LONG_GAP_S

    @classmethod
    def before_the_log(cls, t: float) -> "Gap":
        """What was before the log began."""
        gap = cls(-1, t)
        gap.until, gap.until_n = t, -1
        return gap

    def over(self) -> "Gap":
        """The same gap as the next round has it: over before its first event."""
        gap = Gap(-1, self.since)
        gap.until, gap.until_n, gap.is_long = self.until, -1, self.is_long
        return gap
