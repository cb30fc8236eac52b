"""The readable report of an audit: what was wrong, with the arithmetic; then what it comes to."""

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator

from auditor.findings import AuditedRound, Finding
from auditor.log import Header
from auditor.outcomes import amount_text

_SUITS = str.maketrans({"c": "♣", "d": "♦", "h": "♥", "s": "♠"})


def card_text(name: str) -> str:
    """A card for human eyes.

    >>> card_text("Td"), card_text("Jkr"), card_text("teen")
    ('T♦', 'Jkr', 'teen')
    """
    return name[0] + name[1:].translate(_SUITS) if len(name) == 2 else name


class Totals:
    """What the rounds of one log come to."""

    def __init__(self) -> None:
        self.rounds = self.unsure = 0
        self.kinds: Counter[str] = Counter()
        self.statuses: Counter[str] = Counter()
        self.underpaid = self.overpaid = 0

    def add(self, audited: AuditedRound) -> None:
        """Count one round."""
        self.rounds += 1
        self.statuses[audited.status] += 1
        stakes = {(wager.at, wager.colour): wager.stake for wager in audited.wagers}
        for finding in audited.findings:
            if finding.verdict == "unsure":
                self.unsure += 1
                continue
            self.kinds[finding.kind] += 1
            gain = wrongly_gained(finding, stakes.get((finding.at or "", finding.colour), 0))
            self.overpaid += max(gain, 0)
            self.underpaid += max(-gain, 0)

    @property
    def breaches(self) -> int:
        """How many breaches the log proves."""
        return self.kinds.total()

    def lines(self) -> Iterator[str]:
        """The summary."""
        statuses = ", ".join(f"{count} {status}" for status, count in self.statuses.items())
        yield f"{_plural(self.rounds, 'round')} ({statuses or 'none found'}), " + (
            f"{_plural(self.breaches, 'breach', 'breaches')}, {self.unsure} unsure"
        )
        if self.kinds:
            yield "by kind: " + ", ".join(f"{kind} {count}" for kind, count in self.kinds.most_common())
        if self.underpaid or self.overpaid:
            yield f"players underpaid {amount_text(self.underpaid)}, overpaid {amount_text(self.overpaid)}"


def wrongly_gained(finding: Finding, stake: int) -> int:
    """What a player got beyond what was due; negative for what was kept from him, his stake included."""
    if finding.family != "payout" or not isinstance(finding.expected, int) or not isinstance(finding.observed, int):
        return 0
    kept = {"payout.loser_paid": stake, "payout.winner_taken": -stake, "payout.push_taken": -stake}
    return finding.observed - finding.expected + kept.get(finding.kind, 0)


def _plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def report(header: Header, citation: str, name: str, rounds: Iterable[AuditedRound], totals: Totals) -> Iterator[str]:
    """The report, line by line, as the rounds are audited; rounds without findings are only counted."""
    yield f"{header.table} · {header.rulebook} · {header.started:%Y-%m-%d %H:%M} · {name}"
    for audited in rounds:
        totals.add(audited)
        if audited.findings:
            yield from _round_lines(audited, header.started, citation)
    for line in totals.lines():
        yield f"  {line}"


def _round_lines(audited: AuditedRound, started: datetime.datetime, citation: str) -> Iterator[str]:
    heading = [f"round {audited.number}", _clock(started, audited.opened), audited.status]
    if audited.spin is not None and audited.spin.pocket is not None:
        heading.append(f"ball in {audited.spin.pocket}")
    shown = {place: cards for place, cards in audited.hands.items() if set(cards) != {"??"}}
    heading += [f"{place} {' '.join(map(card_text, cards))}" for place, cards in shown.items()]
    yield "  " + " · ".join(heading)
    for finding in audited.findings:
        yield f"    {_mark(finding)} {finding.kind:<20} {finding.at or '':<12} {finding.message}"
        yield f"      {_clock(started, finding.t)}, rule {citation} {finding.rule}"


def _mark(finding: Finding) -> str:
    return "✗" if finding.verdict == "breach" else "?"


def _clock(started: datetime.datetime, t: float) -> str:
    return f"{started + datetime.timedelta(seconds=t):%H:%M:%S}"
