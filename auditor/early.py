"""Early judgement: what a round proves as soon as it is seen to be over, before the next one begins. For alerts.

The record is made when the round is closed for good: money that the dealer moves after the last card is gone still
settles it. Whoever waits for an alert cannot wait for thousands of readings of doubtful cards: what takes more than a
few to prove is told last of all, when the round is closed and all of them were tried.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from auditor.audit import audit_round
from auditor.boundaries import end, feed, is_next
from auditor.findings import AuditedRound
from auditor.game import Game
from auditor.house import House
from auditor.log import AnyEvent
from auditor.rounds import Round
from auditor.worlds import in_haste

EARLY_READINGS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A round as it stands; `is_closed` when nothing can be added to it any more, `is_final` when all is weighed."""

    audited: AuditedRound
    is_closed: bool
    is_final: bool


def judged_early(events: Iterable[AnyEvent], game: Game[Any], house: House) -> Iterator[Judged]:
    """Every round, as often as there is something new to say of it: each time it is seen to be over, and finally."""
    round = Round(1, house.weak, game.readings)
    printed = 0
    for event in events:
        if is_next(round, event, game.boundary):
            end(round, game.boundary)
            if game.printed(round):
                printed += 1
                yield from _closed(round, game, house, printed)
            round = Round(round.number + 1, house.weak, game.readings, round)
        feed(round, event, game.boundary)
        if round.opened_n is not None and game.boundary.ended(round) and game.printed(round):
            round.ended = True
            with in_haste(EARLY_READINGS):
                audited = audit_round(round, game, house, printed + 1)
            yield Judged(audited=audited, is_closed=False, is_final=False)
            round.ended = False
    if round.opened_n is not None and game.printed(round):
        end(round, game.boundary)
        yield from _closed(round, game, house, printed + 1)


def _closed(round: Round, game: Game[Any], house: House, number: int) -> Iterator[Judged]:
    with in_haste(EARLY_READINGS) as haste:
        at_once = audit_round(round, game, house, number)
    yield Judged(audited=at_once, is_closed=True, is_final=not haste.cut_short)
    if haste.cut_short:
        yield Judged(audited=audit_round(round, game, house, number), is_closed=True, is_final=True)
