"""Stacks that a log reads only now and then: the chips a player puts forward leave his stack whether or not it is read.

A log may show a stack when the player sits down and again when he is paid. What he bet in between is told by his bets.
"""

from collections.abc import Mapping, Sequence

from auditor import log
from auditor.ledgers import Change, Ledger
from auditor.rounds import Round

_NEAR = 2
"""A stack may be read so many events before the bet that left it."""


def rebased(stack: Ledger, unread: int) -> Ledger:
    """The same stack, of which that much had left before the round without being read."""
    if not unread:
        return stack
    return _written(stack, stack.carried - unread, stack.changes)


def with_unread_moves(stack: Ledger, bet: Ledger | None, round: Round) -> Ledger:
    """The same stack with every bet taken out of it, and every bet given back put on it, as it was made."""
    readings = [*stack.changes, *_read_again(stack, round)]
    moves = [] if bet is None else _unread([change for change in bet.changes if _moves(change)], readings, stack)
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


def _unread(moves: Sequence[Change], readings: Sequence[Change], stack: Ledger) -> list[Change]:
    """The moves that no reading of the stack tells, each by itself; one before the log has shown it is not followed."""
    shown_n = -1 if stack.carried else min((change.n for change in stack.changes), default=None)
    if shown_n is None:
        return []
    coming = [change for change in moves if change.n > shown_n]
    found: list[Change] = []
    since: list[Change] = []  # moves since the last reading
    amount = stack.carried
    for reading in sorted(readings, key=lambda change: change.n):
        while coming and coming[0].n < reading.n:
            since.append(coming.pop(0))
            amount -= since[-1].rise
        told = len(since) == 1 and reading.after == amount
        if coming and coming[0].n <= reading.n + _NEAR and reading.after == amount - coming[0].rise:
            coming.pop(0)  # the stack is read before the bet
        found += since if not told else ()
        since, amount = [], reading.after
    return [*found, *since, *coming]


def _written(stack: Ledger, carried: int, changes: Sequence[Change], moves: Sequence[Change] = ()) -> Ledger:
    """The stack change by change: a reading tells what stands there, one of the `moves` by how much it changed."""
    copy = Ledger(stack.at, stack.colour, stack.gaps, carried, sure=stack.carried_sure)
    for each in changes:
        after = copy.amount + each.rise if each in moves else each.after
        if after != copy.amount:
            copy.changes.append(Change(each.n, each.t, copy.amount, after, each.by, sure=each.sure, there=each.there))
            copy.amount = after
    return copy


def unread_of(read: Mapping[str, Ledger], stacks: Mapping[str, Ledger]) -> dict[str, int]:
    """By how much each stack is less than the log last said."""
    return {box: read[box].amount - stack.amount for box, stack in stacks.items() if read[box].amount != stack.amount}
