"""The cut: a shuffle that no cut followed, and cards shown in it."""

from collections.abc import Iterator

from auditor import log
from auditor.findings import Finding
from auditor.rounds import Round
from auditor.slots import Slot


def cut_missing(round: Round) -> bool:
    """A shuffle before the first card, and no cut after it."""
    before = round.events[: round.opened_n]
    shuffled = max((n for n, event in enumerate(before) if isinstance(event, log.Shuffle)), default=None)
    return shuffled is not None and not round.gaps and not any(isinstance(event, log.Cut) for event in before)


def cut_exposed(round: Round) -> list[Slot]:
    """Cards face up beside the shoe before the first card was dealt."""
    opened = round.opened_n or 0
    shuffled = any(isinstance(event, log.Shuffle | log.Cut) for event in round.events[:opened])
    return [slot for slot in round.off_table if slot.n < opened and slot.dealt_up] if shuffled else []


def cut_findings(round: Round, rule: str) -> Iterator[Finding]:
    """A card shown in the cut."""
    for slot in cut_exposed(round):
        yield Finding(
            kind="deal.exposed",
            rule=rule,
            t=slot.t,
            at=slot.dealt_to,
            observed=slot.text,
            message=f"{slot.text} was exposed in the cut.",
        )
