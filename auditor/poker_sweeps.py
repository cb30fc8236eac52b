"""Sweeps: how bets come from the players' spots to the pots, all at once, or pushed together at one spot first.

Of a log that does not tell whose hand it was, a sweep is known by its sums: the pots grow by what the spots lose.
"""

import bisect
from collections.abc import Iterator, Mapping, Sequence

from auditor.ledgers import Change, Ledger
from auditor.poker_straight import Beside, with_changes


def unswept(pots: Sequence[Ledger], bets: Sequence[Ledger], cards: Sequence[int]) -> list[Change]:
    """Rises of the pots by a player, or by nobody known where no bets were cleared for them.

    The spots may be told before the pot they were swept to, or after it, but before the next of the `cards` comes or
    anybody bets anew. Where the pots grow by more than that, the sweep comes last: chips put straight there came while
    the betting was on.
    """
    changes = [change for bet in bets for change in bet.changes]
    starts = sorted([*cards, *(change.n for change in changes if change.rise > 0)])
    rises = sorted((change for pot in pots for change in pot.changes if change.rise > 0), key=lambda change: change.n)
    found: list[Change] = []
    cleared = 0
    for start in range(len(starts) + 1):
        cleared -= sum(c.rise for c in changes if c.rise < 0 and bisect.bisect(starts, c.n) == start)
        for change in reversed([c for c in rises if bisect.bisect(starts, c.n) == start]):
            if change.by == "player" or (change.by is None and not cleared):
                found.append(change)
            else:
                cleared = max(cleared - change.rise, 0)
    return sorted(found, key=lambda change: change.n)


def swept(
    bets: Mapping[str, Ledger],
    stacks: Mapping[str, Ledger],
    pots: Sequence[Ledger],
    cards: Sequence[int],
    beside: Beside,
) -> list[Change]:
    """Falls of bets that came to the pots, whole or bit by bit: those of a stretch between bets and cards in which the
    pots grow by all that left the spots and came to no stack, or by all but one fall, which then went back."""
    changes = [change for bet in bets.values() for change in bet.changes]
    starts = sorted([*cards, *(change.n for change in changes if change.rise > 0)])
    back = [c for box, bet in bets.items() if box in stacks for c in _from_stack(bet, stacks[box], beside)]
    found: list[Change] = []
    for start in range(len(starts) + 1):
        falls = [c for c in changes if c.rise < 0 and c.by != "player" and bisect.bisect(starts, c.n) == start]
        falls = [change for change in falls if change not in back]
        grown = (c.rise for pot in pots for c in pot.changes if c.rise > 0 and bisect.bisect(starts, c.n) == start)
        over = -sum(change.rise for change in falls) - sum(grown)
        spared = [change for change in falls if -change.rise == over]
        if over <= 0 or len(spared) == 1:
            found += [change for change in falls if change not in spared]
    return found


def without_piles(
    bets: dict[str, Ledger],
    stacks: Mapping[str, Ledger],
    pots: Sequence[Ledger],
    cards: Sequence[int],
    beside: Beside,
) -> None:
    """Take bets that were pushed to another spot, to be swept from there, as swept where they lay.

    They come to chips that lie there already, no stack has to do with it, and the pots grow by less than the spots lose
    in all, for the same chips leave two of them. `cards` part the betting rounds.
    """
    changes = sorted((change for bet in bets.values() for change in bet.changes), key=lambda change: change.n)
    grown = [change for pot in pots for change in pot.changes if change.rise > 0]
    own = [c for box, bet in bets.items() if box in stacks for c in _from_stack(bet, stacks[box], beside)]
    cleared = [c for c in changes if c.rise < 0 and not c.after and c.by != "player" and c not in own]
    added = [c for c in changes if c.rise > 0 and c.before and c.by != "player" and c not in own]
    piled: list[Change] = []
    for rise in reversed(added):  # the last call may stand next to the first bet that is pushed
        fall = next((c for c in reversed(cleared) if -c.rise == rise.rise and beside(c.n, rise.n)), None)
        betting = bisect.bisect(cards, rise.n)
        lost = -sum(c.rise for c in changes if c.rise < 0 and bisect.bisect(cards, c.n) == betting)
        swept = sum(c.rise for c in grown if bisect.bisect(cards, c.n) == betting)
        twice = sum(c.rise for c in piled if bisect.bisect(cards, c.n) == betting)
        if fall is not None and swept and lost - swept - twice >= rise.rise:
            cleared.remove(fall)
            piled.append(rise)
    for box, bet in bets.items():
        if any(change in piled for change in bet.changes):
            bets[box] = with_changes(bet, _without(bet.changes, piled))


def _from_stack(bet: Ledger, stack: Ledger, beside: Beside) -> list[Change]:
    """Changes of a bet that its player's stack answers, each change of the stack the nearest one."""
    fitting = sorted(
        (abs(put.n - left.n), i, j)
        for i, put in enumerate(bet.changes)
        for j, left in enumerate(stack.changes)
        if left.rise == -put.rise and beside(left.n, put.n)
    )
    found: dict[int, int] = {}
    for _, i, j in fitting:
        if i not in found and j not in found.values():
            found[i] = j
    return [bet.changes[i] for i in found]


def _without(changes: Sequence[Change], piled: Sequence[Change]) -> Iterator[Change]:
    """The changes of a spot without the chips that were only pushed there, until it is cleared."""
    others = 0
    for change in changes:
        before = change.before - others
        if change in piled:
            others += change.rise
            continue
        others = others if change.after else 0
        yield Change(change.n, change.t, before, change.after - others, change.by, sure=change.sure, there=change.there)
