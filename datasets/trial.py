"""Dealers on trial: what the auditor says of simulated rounds, against the mistakes that were seeded in them."""

import io
from collections.abc import Sequence
from typing import Any, NamedTuple

from auditor.audit import audit
from auditor.findings import AuditedRound
from datasets.dealer import Dealer, Seeded
from datasets.simulate import played

Place = tuple[str, str | None]


class Disagreement(NamedTuple):
    """A round of which the auditor says something else than was seeded."""

    round: AuditedRound
    wanted: list[Place]
    found: list[Place]


class Trial(NamedTuple):
    """How many rounds were played, how many mistakes made, and where the auditor disagreed."""

    rounds: int
    seeded: int
    disagreements: list[Disagreement]


def try_dealer(
    kind: type[Dealer], rounds: int, errors: dict[str, int] | None = None, *, seed: int = 1, house: Any = None
) -> Trial:
    """Play and audit; every seeded mistake must be found at its place, and nothing else."""
    table_log, seeded = played(kind(seed, house), rounds, errors or {})
    audited = list(audit(io.BytesIO(table_log), kind.rulebook).rounds)
    disagreements = compare(audited, seeded)
    if len(audited) != rounds:
        raise AssertionError(f"{kind.rulebook}: {rounds} rounds were played, {len(audited)} were found")
    return Trial(rounds, len(seeded), disagreements)


def compare(audited: Sequence[AuditedRound], seeded: Sequence[Seeded]) -> list[Disagreement]:
    """The rounds whose findings are not exactly the seeded ones."""
    wanted = {mistake.round: [(mistake.kind, mistake.at), *mistake.also] for mistake in seeded}
    disagreements = []
    for each in audited:
        # A gap is never more than unsure; everything else that was seeded is in plain sight.
        found = [(f.kind, f.at) for f in each.findings if f.verdict == "breach" or f.kind == "view.gap"]
        if sorted(found, key=str) != sorted(wanted.get(each.number, []), key=str):
            disagreements.append(Disagreement(each, wanted.get(each.number, []), found))
    return disagreements
