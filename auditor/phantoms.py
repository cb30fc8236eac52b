"""Phantoms: a card of which a camera is not sure that it came at all. What falls without it is not proved.

Only `there` says so. A card whose name was weakly read is a card: what is wrong whatever it shows stays proved.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from auditor.findings import Judgement
from auditor.game import Game
from auditor.house import House
from auditor.poker_doubt import as_well_if
from auditor.rounds import Round, Slot


def judged(round: Round, game: Game[Any], house: House) -> Judgement:
    """The round as read, with only that proved which holds as well if any one card that may be none was none."""
    otherwise = []
    for slot in [slot for slot in (*round.slots, *round.off_table) if may_be_none(slot, round.weak)]:
        with _without(slot, round):
            otherwise.append((slot, game.audit(round, house)))
    judgement = game.audit(round, house)  # the last: it leaves with the round what the next one asks of it
    for slot, other in otherwise:
        judgement = as_well_if(judgement, other, f"a card at {slot.dealt_to} of {slot.t:.1f} s ({_read(slot)})")
    return judgement


def may_be_none(slot: Slot, weak: float) -> bool:
    """Whether what was taken for a card may have been something else."""
    return slot.there is not None and slot.there < weak


@contextmanager
def _without(slot: Slot, round: Round) -> Iterator[None]:
    """The round as if the card had never come."""
    whole = round.hands, round.slots, round.off_table, round.on_table
    round.on_table -= slot in round.slots and slot.gone_n is None
    round.slots, round.off_table = _others(slot, round.slots), _others(slot, round.off_table)
    round.hands = {place: left for place, cards in round.hands.items() if (left := _others(slot, cards)) or not cards}
    try:
        yield
    finally:
        round.hands, round.slots, round.off_table, round.on_table = whole


def _others(slot: Slot, slots: list[Slot]) -> list[Slot]:
    return [each for each in slots if each is not slot]


def _read(slot: Slot) -> str:
    return f"{slot.text}, there at {slot.there:.0%}"
