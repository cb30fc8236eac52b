"""The auditor: a table log goes in, audited rounds come out, one at a time."""

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from auditor.findings import AuditedRound
from auditor.game import Game
from auditor.gaps import through_gaps
from auditor.house import House, read_house
from auditor.log import AnyEvent, FairdealError, Header, LogError
from auditor.log_reader import LogReader
from auditor.boundaries import split
from auditor.rounds import Round
from auditor.rulebooks import RULEBOOKS
from auditor.weak_events import proved_by_sure_reads, proved_without


@dataclasses.dataclass(frozen=True)
class Audit:
    """A log under audit: what it says of itself, and its rounds as they are found."""

    header: Header
    game: Game[Any]
    rounds: Iterator[AuditedRound]


def audit(stream: BinaryIO, name: str) -> Audit:
    """Audit a table log. Raises LogError for a log, or options, that cannot be read."""
    reader = LogReader(stream, name)
    game, house = rules_of(reader.header, name)
    rounds = (audited for _, audited in audited_rounds(reader, game, house) if audited is not None)
    return Audit(reader.header, game, rounds)


def rules_of(header: Header, name: str) -> tuple[Game[Any], House]:
    """The rulebook and the house options that a log's header names."""
    game = RULEBOOKS.get(header.rulebook)
    if game is None:
        known = ", ".join(RULEBOOKS)
        raise LogError(name, 1, "rulebook", f"unknown rulebook {header.rulebook!r} (known: {known})")
    try:
        return game, read_house(header.house, game.house_type)
    except FairdealError as error:
        raise LogError(name, 1, "", str(error)) from None


def audited_rounds(
    events: Iterable[AnyEvent], game: Game[Any], house: House
) -> Iterator[tuple[Round, AuditedRound | None]]:
    """Every round of the events, with what there is to report of it: None where nothing was wagered or done."""
    number = 0
    for round in split(events, game.boundary, house.weak, game.readings):
        is_printed = game.printed(round)
        number += is_printed
        yield round, audit_round(round, game, house, number) if is_printed else None


def audit_round(round: Round, game: Game[Any], house: House, number: int) -> AuditedRound:
    """Audit one round."""
    judgement = proved_without(game.audit(round, house), round, game, house)
    judgement = proved_by_sure_reads(judgement, round, game, house)
    findings = through_gaps(judgement, round, game)
    findings.sort(key=lambda finding: finding.t)
    opened, closed = game.span(round)
    return AuditedRound(
        number=number,
        opened=opened,
        closed=closed,
        status=game.status(round),
        hands={place: [slot.text for slot in slots] for place, slots in round.hands.items() if slots},
        wagers=judgement.wagers,
        findings=findings,
        pots=judgement.pots,
        spin=judgement.spin,
        dealer=round.dealer,
    )
