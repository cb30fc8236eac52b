"""Everything a page shows of one round, gathered once for the finding's page and the round's."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from flask import current_app

from auditor.coverage import Clause
from auditor.decisions import Review
from auditor.exports import official_words
from auditor.log import FairdealError
from auditor.store import Store
from web import queries
from web.arrivals import arrivals
from web.blind_spots import WEAK, BlindSpot, blind_spots
from web.footage import RemovalRow, is_filmed, removed
from web.layout import Layout, layout
from web.plan import Plan, plan
from web.queries import FindingRow, RoundRow, WagerRow
from web.shown import clause
from web.timeline import Tick, Timeline, timeline

MOST_READS = 8


class SourceRow(msgspec.Struct, frozen=True, kw_only=True):
    """Something a log was made with."""

    what: str
    name: str
    sha256: str


class ExportRow(msgspec.Struct, frozen=True, kw_only=True):
    """A pack that left the room."""

    at: str
    who: str


class RoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A round, ready to be drawn; `plan` or `layout`, whichever the game has."""

    round: RoundRow
    wagers: list[WagerRow]
    findings: list[FindingRow]
    timeline: Timeline
    plan: Plan | None
    layout: Layout | None
    sources: list[SourceRow]
    is_filmed: bool
    removed: list[RemovalRow]
    blind: list[BlindSpot]


class FindingView(msgspec.Struct, frozen=True, kw_only=True):
    """A finding with its round."""

    finding: FindingRow
    clause: Clause | None
    official: str
    reads: list[str]
    weak: list[Tick]
    crops: list[Tick]
    reviews: list[Review]
    exports: list[ExportRow]
    is_released: bool
    view: RoundView


def round_view(store: Store, run: int, n: int, finding: FindingRow | None = None) -> RoundView | None:
    """A round, with the place and the moment of a finding marked."""
    round = queries.round_row(store, run, n)
    if round is None:
        return None
    wagers, findings = queries.wagers_of(store, run, n), queries.findings_of(store, run, n)
    seen = [(row, msgspec.json.decode(row.raw)) for row in queries.events_of(store, round)]
    came = arrivals([event for _, event in seen])
    is_roulette = "spin" in msgspec.json.decode(round.answer)
    sources = store.rows("SELECT what, name, sha256 FROM sources WHERE run = ? ORDER BY id", [run])
    return RoundView(
        round=round,
        wagers=wagers,
        findings=findings,
        timeline=timeline(round, seen, findings, finding),
        plan=None if is_roulette else plan(round, wagers, finding, came),
        layout=layout(round, wagers, finding, came) if is_roulette else None,
        sources=[msgspec.convert(dict(row), SourceRow) for row in sources],
        is_filmed=is_filmed(store, round),
        removed=removed(store, round),
        blind=blind_spots([event for _, event in seen], wagers),
    )


def finding_view(store: Store, run: int, n: int) -> FindingView | None:
    """A finding, with all that it stands on."""
    finding = queries.finding_row(store, run, n)
    view = round_view(store, run, finding.round, finding) if finding else None
    if finding is None or view is None:
        return None
    reads = msgspec.json.decode(finding.reads, type=list[str])
    found = clause(view.round.rulebook, finding.rule)
    weak = _weak(view.timeline.ticks) if reads else []
    exports = store.rows("SELECT at, who FROM exports WHERE run = ? AND finding = ? ORDER BY id", [run, n])
    return FindingView(
        finding=finding,
        clause=found,
        official=_official(current_app.config["TEXTS"], view.round.rulebook).get(found.number, "") if found else "",
        reads=reads,
        weak=weak,
        crops=_crops(view, finding, weak) if view.is_filmed else [],
        reviews=store.reviews(run, n),
        exports=[msgspec.convert(dict(row), ExportRow) for row in exports],
        is_released=bool(store.rows("SELECT 1 FROM releases WHERE run = ? AND finding = ?", [run, n])),
        view=view,
    )


@functools.cache
def _official(texts: Path | None, rulebook: str) -> Mapping[str, str]:
    """The official words, where the casino gave its copy; a copy that cannot be read is as good as none here."""
    try:
        return official_words(texts, rulebook)
    except FairdealError:
        return {}


def _weak(ticks: Sequence[Tick]) -> list[Tick]:
    """The events of the round that were read weakly, half or not at all."""
    return [tick for tick in ticks if (tick.conf is not None and tick.conf < WEAK) or "?" in tick.said]


def _crops(view: RoundView, finding: FindingRow, weak: Sequence[Tick]) -> list[Tick]:
    """The reads worth looking at: the weak ones, and what was last read where the finding is, up to its moment."""
    place = (finding.at or "").partition("/")[0]
    own = [tick for tick in view.timeline.ticks if place and tick.place.startswith(place) and tick.t <= finding.t]
    chosen = {tick.n: tick for tick in (*weak, *reversed(own)) if tick.region}
    return [chosen[n] for n in sorted(list(chosen)[:MOST_READS])]
