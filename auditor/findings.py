"""What the auditor answers: findings, wagers and rounds, and how they are written as JSON.

Money is integer cents until the last moment; :func:`encode_round` turns it into the log's numbers.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from auditor.log import money

Verdict = Literal["breach", "unsure"]
Result = Literal["win", "lose", "push", "void"]
Status = Literal["complete", "void", "misdeal", "unfinished"]

KINDS = (
    "deal.order", "deal.count", "deal.facing", "deal.exposed", "deal.missed", "deal.extra", "deal.burn",
    "deal.no_wager", "deal.first_box",
    "card.duplicate", "card.foreign", "card.count", "draw.missing", "draw.excess",
    "bet.late", "bet.moved", "bet.limit", "bet.multiple", "bet.invalid", "bet.order", "bet.amount",
    "payout.short", "payout.over", "payout.missed", "payout.loser_paid", "payout.winner_taken",
    "payout.push_taken", "payout.order", "payout.cap",
    "pot.winner", "pot.split", "pot.odd_chip", "commission.over", "commission.short", "commission.not_due",
    "button.move", "blind.missing", "action.order", "action.time", "show.order", "table.players",
    "spin.direction", "spin.laps", "spin.void_settled", "spin.dolly", "spin.no_more_bets",
    "set.house_way", "set.foul", "round.not_voided", "shuffle.missing", "view.gap",
)  # fmt: skip


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something the log proves wrong, or would if a weak or missing read were sure.

    `rule` is the bare clause; the rulebook's citation is put before it when the round is written out.
    `expected` and `observed` are cents for money, else whatever the clause speaks of.
    """

    kind: str
    rule: str
    t: float
    message: str
    at: str | None = None
    expected: Any = None
    observed: Any = None
    verdict: Verdict = "breach"
    reads: tuple[str, ...] = ()
    colour: str | None = None

    @property
    def family(self) -> str:
        """`payout` of `payout.short`."""
        return self.kind.partition(".")[0]


def unsure(finding: Finding, read: str) -> Finding:
    """The finding, no longer proved: it hangs on a read."""
    message = f"{finding.message} Unsure, it hangs on {read}."
    return msgspec.structs.replace(finding, verdict="unsure", reads=(*finding.reads, read), message=message)


class Wager(msgspec.Struct, frozen=True, kw_only=True):
    """One wager as the rules settle it. `result` and `due` are None where the reads do not decide them."""

    at: str
    stake: int
    result: Result | None
    due: int | None
    rule: str
    why: str
    paid: int | None = None
    colour: str | None = None


class Pot(msgspec.Struct, frozen=True, kw_only=True):
    """One poker pot: what is due from it, and to whom."""

    at: str
    amount: int
    commission: int | None
    winners: dict[str, int] | None
    rule: str
    why: str = ""


class SpinResult(msgspec.Struct, frozen=True, kw_only=True):
    """What the round's last spin was worth."""

    valid: bool | None
    pocket: int | None
    laps: float | None
    rule: str | None


class Judgement(msgspec.Struct, kw_only=True):
    """What a rulebook says of one round, for one reading of it."""

    wagers: list[Wager] = []
    findings: list[Finding] = []
    pots: list[Pot] | None = None
    spin: SpinResult | None = None

    @property
    def breaches(self) -> Counter[tuple[str, str | None]]:
        """Kind and place of what is proved, and how often."""
        return Counter((each.kind, each.at) for each in self.findings if each.verdict == "breach")


def hanging(findings: Iterable[Finding], otherwise: Judgement, read: str) -> list[Finding]:
    """The findings; what is no breach otherwise as well hangs on `read`, which tells the two apart.

    Of several of one kind at one place those are proved that are found at the same time, if not as many are otherwise.
    """
    findings, left = [*findings], otherwise.breaches
    times = {(each.kind, each.at, each.t) for each in otherwise.findings if each.verdict == "breach"}
    proved: set[int] = set()
    for n, each in sorted(enumerate(findings), key=lambda item: (item[1].kind, item[1].at, item[1].t) not in times):
        if each.verdict == "breach" and left[each.kind, each.at]:
            left[each.kind, each.at] -= 1
            proved.add(n)
    return [
        each if each.verdict == "unsure" or n in proved else unsure(each, read) for n, each in enumerate(findings)
    ]


class AuditedRound(msgspec.Struct, frozen=True, kw_only=True):
    """One round, audited."""

    number: int
    opened: float
    closed: float
    status: Status
    hands: dict[str, list[str]]
    wagers: list[Wager]
    findings: list[Finding]
    pots: list[Pot] | None = None
    spin: SpinResult | None = None
    dealer: str | int | None = None

    @property
    def breached(self) -> bool:
        """Whether the log proves anything wrong."""
        return any(finding.verdict == "breach" for finding in self.findings)


MONEY_FAMILIES = ("payout", "pot", "commission", "bet", "blind")
"""Families of findings whose `expected` and `observed`, where they are integers, are cents."""


def _value(finding: Finding, value: Any) -> Any:
    is_cents = isinstance(value, int) and not isinstance(value, bool) and finding.family in MONEY_FAMILIES
    return money(value) if is_cents else value


def _cents(value: int | None) -> float | None:
    return None if value is None else money(value)


def round_object(audited: AuditedRound, citation: str) -> dict[str, Any]:
    """The round as the contract's JSON object."""
    answer: dict[str, Any] = {
        "round": audited.number,
        "opened": audited.opened,
        "closed": audited.closed,
        "status": audited.status,
        "hands": audited.hands,
        "wagers": [_wager_object(wager) for wager in audited.wagers],
    }
    if audited.pots is not None:
        answer["pots"] = [_pot_object(pot) for pot in audited.pots]
    if audited.spin is not None:
        answer["spin"] = audited.spin
    if audited.dealer is not None:
        answer["dealer"] = audited.dealer
    answer["findings"] = [_finding_object(finding, citation) for finding in audited.findings]
    return answer


def _wager_object(wager: Wager) -> dict[str, Any]:
    answer: dict[str, Any] = {"at": wager.at}
    if wager.colour is not None:
        answer["colour"] = wager.colour
    answer |= {"stake": money(wager.stake), "result": wager.result, "due": _cents(wager.due)}
    return answer | {"paid": _cents(wager.paid), "rule": wager.rule}


def _pot_object(pot: Pot) -> dict[str, Any]:
    winners = None if pot.winners is None else {place: money(share) for place, share in pot.winners.items()}
    answer = {"at": pot.at, "amount": money(pot.amount), "commission": _cents(pot.commission)}
    return answer | {"winners": winners, "rule": pot.rule}


def _finding_object(finding: Finding, citation: str) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "kind": finding.kind,
        "verdict": finding.verdict,
        "rule": f"{citation} {finding.rule}",
        "t": finding.t,
        "at": finding.at,
        "expected": _value(finding, finding.expected),
        "observed": _value(finding, finding.observed),
        "message": finding.message,
    }
    if finding.colour is not None:
        answer["colour"] = finding.colour
    if finding.reads:
        answer["reads"] = list(finding.reads)
    return answer
