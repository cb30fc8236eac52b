"""The three betting stages of Ultimate Texas Hold-em: which decision of a player belongs to which (rule 8, 13.5)."""

from collections.abc import Iterator
from typing import NamedTuple

from auditor.game import status_of
from auditor.rulebooks.uth_play import Act
from auditor.rulebooks.uth_seats import AFTER_FLOP, BEFORE_FLOP, BOARD, FLOP, MULTIPLES, NEVER, ON_RIVER, Seat


class Decisions(NamedTuple):
    """What a player's decisions show: openings of the board that came too soon for him (`AFTER_FLOP`: the flop,
    `ON_RIVER`: the rest) or that stopped half-way for a betting round of its own, and the stages to which his play
    wager may belong, that of its time last.
    """

    rushed: frozenset[int]
    halved: frozenset[int]
    stages: tuple[int, ...]


def decisions(act: Act, seat: Seat) -> Decisions:
    """Put a player's checks, and his fold or play wager, to the three stages of rule 8: one decision each.

    A check that was not seen is taken for granted. So an opening came too soon only where the decisions seen leave no
    other way: two in one stage with none in the one before, one between the cards of the flop, a check after the last
    card, a play wager of an earlier stage's size. A check between those cards by one who had decided is a betting round
    that rule 8 does not have.
    """
    rushed: set[int] = set()
    halved: set[int] = set()
    taken: list[list[str]] = [[], [], []]
    for n, what in _made(act, seat):
        seen = act.seen_before(n)
        stage = ON_RIVER if seen >= BOARD else AFTER_FLOP if seen >= FLOP else BEFORE_FLOP
        if 0 < seen < FLOP or FLOP < seen < BOARD:
            if not taken[stage]:
                rushed.add(stage + 1)
            else:
                stage += 1
                if what == "check":
                    halved.add(stage)
        taken[stage].append(what)
    if len(taken[AFTER_FLOP]) > 1 and not taken[BEFORE_FLOP]:
        rushed.add(AFTER_FLOP)
    if not taken[AFTER_FLOP] and (len(taken[ON_RIVER]) > 1 or "check" in taken[ON_RIVER]):
        rushed.add(ON_RIVER)
    stages = _play_stages(taken) if seat.play is not None else ()
    if act.board_full_n is None and (act.round.gaps or not all(each.folded_early for each in act.players)):
        # A card of the board was never seen turned, so how many lay open at a given time is not certain either; unless
        # nobody was left to turn the rest for, and the view was never lost.
        reach = len(MULTIPLES) if status_of(act.round) == "complete" else bool(rushed)
        later = range(stages[-1] + 1, min(stages[-1] + reach, ON_RIVER) + 1) if stages else ()
        return Decisions(frozenset(), frozenset(), (*stages, *later))
    fits = [stage for stage in stages if seat.play is not None and seat.play.stake in play_sizes(seat, stage)]
    if fits:
        rushed.update(range(max(fits) + 1, stages[-1] + 1))
    return Decisions(frozenset(rushed), frozenset(halved), stages)


def _made(act: Act, seat: Seat) -> Iterator[tuple[int, str]]:
    """The player's decisions in the order he made them; after a fold or a play wager there are none."""
    play_n = seat.play.n if seat.play is not None else NEVER
    fold_n = seat.fold_n if seat.fold_n is not None else NEVER
    last_n = min(play_n, fold_n)
    end_n = min(act.close_n, act.stop_n)
    for n in seat.checks:
        if act.deal_end_n < n < min(last_n, end_n):
            yield n, "check"
    if act.deal_end_n < last_n < end_n:
        yield last_n, "play" if play_n < fold_n else "fold"


def _play_stages(taken: list[list[str]]) -> tuple[int, ...]:
    """The stage in which the play wager was laid, and those right before it with no decision seen."""
    stage = next((stage for stage in (AFTER_FLOP, ON_RIVER) if "play" in taken[stage]), BEFORE_FLOP)
    owed = stage
    if len(taken[stage]) == 1:
        while owed and not taken[owed - 1]:
            owed -= 1
    return tuple(range(owed, stage + 1))


def play_sizes(seat: Seat, stage: int) -> list[int]:
    """8.1(c), 8.3(c), 8.5(b): what a play wager may be; of an ante over the maximum, the maximum may be what counts."""
    antes = {seat.ante, seat.ante if seat.most is None else min(seat.ante, seat.most)}
    return [multiple * ante for ante in sorted(antes) for multiple in MULTIPLES[stage]]
