"""Stacks that a log reads only now and then: the chips a player puts forward leave his stack whether or not it is read.

A log may show a stack when the player sits down and again when he is paid. What he bet in between is told by his bets.
"""

import itertools
from collections.abc import Mapping, Sequence

from auditor import log
from auditor.ledgers import Change, Ledger
from auditor.poker_straight import Beside
from auditor.rounds import Round


def rebased(stack: Ledger, unread: int) -> Ledger:
    """The same stack, of which that much had left before the round without being read."""
    if not unread:
        return stack
    return _written(stack, stack.carried - unread, stack.changes)


def with_unread_moves(stack: Ledger, of_bet: Sequence[Change], round: Round, beside: Beside) -> Ledger:
    """The same stack with every bet taken out of it, and every bet given back put on it, as it was made.

    `of_bet`: the changes of the player's bet, those that are known to be sweeps apart.
    """
    readings = [*stack.changes, *_read_again(stack, round)]
    moves = _unread([change for change in of_bet if _moves(change)], readings, stack, beside)
    if not moves:
        return stack
    unread = [Change(c.n, c.t, c.rise, 0, c.by, sure=c.sure) for c in moves]  # falls by as much as the bet rises
    return _written(stack, stack.carried, sorted([*readings, *unread], key=lambda change: change.n), unread)


def _read_again(stack: Ledger, round: Round) -> list[Change]:
    """Readings of what the log had said last, which are no change to it, but one since the chips left unread."""
    known = {change.n for change in stack.changes}
    again = [
        (n, event) for n, event in enumerate(round.events)
        if isinstance(event, log.Chips) and event.at == stack.at and n not in known
    ]  # fmt: skip
    return [
        Change(n, event.t, amount, amount, event.by, sure=True)
        for n, event in again for amount in (log.cents(event.amount),)
    ]  # fmt: skip


def _moves(change: Change) -> bool:
    """Whether chips went between a bet and its player: swept they go to the pot."""
    return change.by != "dealer" if change.rise > 0 else change.by == "player" or change.after > 0


def _unread(moves: Sequence[Change], readings: Sequence[Change], stack: Ledger, beside: Beside) -> list[Change]:
    """The moves that no reading of the stack tells, each by itself; one before the log has shown it is not followed."""
    shown_n = -1 if stack.carried else min((change.n for change in stack.changes), default=None)
    if shown_n is None:
        return []
    coming = [change for change in moves if change.n > shown_n]
    found: list[Change] = []
    since: list[Change] = []  # moves since the last reading
    # What stood there when the log began, or came and went out of sight, is not known.
    amount: int | None = stack.carried if stack.carried and stack.stale_since is None else None
    readings = sorted(readings, key=lambda change: change.n)
    last_n = -1
    for reading, following in itertools.zip_longest(readings, readings[1:]):
        if any(last_n < gap.n < reading.n for gap in stack.gaps):
            amount = None
        while coming and coming[0].n < reading.n:
            since.append(coming.pop(0))
            amount = None if amount is None else amount - since[-1].rise
        told = amount is None or (len(since) == 1 and reading.after == amount)
        if coming and beside(coming[0].n, reading.n) and _read_first(reading, coming[0], amount, following):
            coming.pop(0)
        found += since if not told else ()
        since, amount, last_n = [], reading.after, reading.n
    return [*found, *since, *coming]


def _read_first(reading: Change, bet: Change, amount: int | None, following: Change | None) -> bool:
    """Whether a stack is read before the bet that left it, and without it.

    Where it is not known what stood there, the next reading tells: it would be less by that bet alone.
    """
    if amount is not None:
        return reading.after == amount - bet.rise
    return following is not None and following.after != reading.after - bet.rise


def _written(stack: Ledger, carried: int, changes: Sequence[Change], moves: Sequence[Change] = ()) -> Ledger:
    """The stack change by change: a reading tells what stands there, one of the `moves` by how much it changed."""
    copy = Ledger(stack.at, stack.colour, stack.gaps, carried, sure=stack.carried_sure)
    copy.stale_since = stack.stale_since
    for each in changes:
        after = copy.amount + each.rise if each in moves else each.after
        if after != copy.amount:
            copy.changes.append(Change(each.n, each.t, copy.amount, after, each.by, sure=each.sure, there=each.there))
            copy.amount = after
    return copy


def unread_of(read: Mapping[str, Ledger], stacks: Mapping[str, Ledger]) -> dict[str, int]:
    """By how much each stack is less than the log last said."""
    return {box: read[box].amount - stack.amount for box, stack in stacks.items() if read[box].amount != stack.amount}
