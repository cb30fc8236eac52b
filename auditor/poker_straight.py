"""Bets that a player puts straight into a pot: chips leave his stack and the pot rises by as much, at no `boxN/bet`."""

import itertools
from collections.abc import Iterable, Mapping, Sequence

from auditor import log
from auditor.ledgers import Change, Ledger

_NEAR = 2
"""One movement of chips is told at most so many events from the other end of it."""


class Beside:
    """Which events stand next to each other; hands that come and go and news of the view come in between."""

    def __init__(self, events: Sequence[log.AnyEvent]) -> None:
        told = (not isinstance(event, log.Hand | log.Feed) for event in events)
        self._place = list(itertools.accumulate(told))

    def __call__(self, n: int, other: int, near: int = _NEAR) -> bool:
        """Whether the events of these numbers are so near."""
        return abs(self._place[n] - self._place[other]) <= near


def move_to_bets(
    bets: dict[str, Ledger], stacks: Mapping[str, Ledger], pots: list[Ledger], beside: Beside, showdown_n: int
) -> None:
    """Write bets put straight into a pot as bets, so that the betting is read in one way only.

    What goes from a pot to a stack before the showdown, or before a bet, is part of a bet given back; later it is won.
    """
    moved: list[Change] = []
    changes = [change for pot in pots for change in pot.changes]
    _pair(bets, stacks, [change for change in changes if change.rise > 0 and change.by != "dealer"], beside, moved)
    over_n = max((showdown_n, *(change.n for change in moved))) if moved else 0
    _pair(bets, stacks, [change for change in changes if change.rise < 0 and change.n < over_n], beside, moved)
    for place, pot in enumerate(pots):
        if any(change in moved for change in pot.changes):
            pots[place] = with_changes(pot, [change for change in pot.changes if change not in moved])


def _pair(
    bets: dict[str, Ledger],
    stacks: Mapping[str, Ledger],
    of_pots: Sequence[Change],
    beside: Beside,
    moved: list[Change],
) -> None:
    """Changes of the pots that a stack's change meets become the player's bet, and are listed as `moved`.

    They are met in the order in which they came: of two players who bet as much one after the other, each meets his.
    """
    found = [(change, box) for box, stack in stacks.items() for change in _unanswered(stack, bets.get(box), beside)]
    for change, box in sorted(found, key=lambda each: each[0].n):
        met = next((each for each in of_pots if _meets(each, change, beside) and each not in moved), None)
        if met is not None:
            moved.append(met)
            _add(bets, box, change, stacks[box])


def _meets(change: Change, other: Change, beside: Beside) -> bool:
    return change.rise == -other.rise and beside(change.n, other.n)


def _unanswered(stack: Ledger, bet: Ledger | None, beside: Beside) -> list[Change]:
    """Changes of a stack that no change of the player's bet answers."""
    answers = bet.changes if bet is not None else ()
    return [change for change in stack.changes if not any(_meets(each, change, beside) for each in answers)]


def _add(bets: dict[str, Ledger], box: str, moved: Change, stack: Ledger) -> None:
    bet = bets.get(box) or Ledger(f"{box}/bet", None, stack.gaps)
    standing = bet.before(moved.n)
    put = Change(moved.n, moved.t, standing, standing - moved.rise, moved.by, sure=moved.sure)
    bets[box] = with_changes(bet, sorted([*bet.changes, put], key=lambda change: change.n))


def with_changes(ledger: Ledger, changes: Iterable[Change]) -> Ledger:
    """The same spot with other changes."""
    copy = Ledger(ledger.at, ledger.colour, ledger.gaps, ledger.carried, sure=ledger.carried_sure)
    copy.changes = [*changes]
    copy.amount = copy.changes[-1].after if copy.changes else ledger.carried
    return copy
