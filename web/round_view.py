"""Everything a page shows of one round, gathered once for the finding's page and the round's."""

from collections.abc import Sequence

import msgspec

from auditor.coverage import Clause
from auditor.decisions import Review
from auditor.store import Store
from web import queries
from web.layout import Layout, layout
from web.plan import Plan, plan
from web.queries import FindingRow, RoundRow, WagerRow
from web.shown import clause
from web.timeline import Tick, Timeline, timeline


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A round, ready to be drawn; `plan` or `layout`, whichever the game has."""

    round: RoundRow
    wagers: list[WagerRow]
    findings: list[FindingRow]
    timeline: Timeline
    plan: Plan | None
    layout: Layout | None


class FindingView(msgspec.Struct, frozen=True, kw_only=True):
    """A finding with its round."""

    finding: FindingRow
    clause: Clause | None
    reads: list[str]
    weak: list[Tick]
    reviews: list[Review]
    view: RoundView


def round_view(store: Store, run: int, n: int, finding: FindingRow | None = None) -> RoundView | None:
    """A round, with the place and the moment of a finding marked."""
    round = queries.round_row(store, run, n)
    if round is None:
        return None
    wagers, findings = queries.wagers_of(store, run, n), queries.findings_of(store, run, n)
    is_roulette = "spin" in msgspec.json.decode(round.answer)
    return RoundView(
        round=round,
        wagers=wagers,
        findings=findings,
        timeline=timeline(round, queries.events_of(store, round), findings, finding),
        plan=None if is_roulette else plan(round, wagers, finding),
        layout=layout(round, wagers, finding) if is_roulette else None,
    )


def finding_view(store: Store, run: int, n: int) -> FindingView | None:
    """A finding, with all that it stands on."""
    finding = queries.finding_row(store, run, n)
    view = round_view(store, run, finding.round, finding) if finding else None
    if finding is None or view is None:
        return None
    reads = msgspec.json.decode(finding.reads, type=list[str])
    return FindingView(
        finding=finding,
        clause=clause(view.round.rulebook, finding.rule),
        reads=reads,
        weak=_weak(view.timeline.ticks) if reads else [],
        reviews=store.reviews(run, n),
        view=view,
    )


def _weak(ticks: Sequence[Tick]) -> list[Tick]:
    """The events of the round that were read weakly, half or not at all."""
    return [tick for tick in ticks if tick.conf is not None or "?" in tick.said]
