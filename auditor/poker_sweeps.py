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
    changes = [change for bet in bets.values() for change in bet.changes]
    grown = [change for pot in pots for change in pot.changes if change.rise > 0]
    for box, bet in bets.items():
        piled: list[Change] = []
        for rise, fall in _pushed(box, bets, stacks, beside):
            betting = bisect.bisect(cards, rise.n)
            lost = -sum(c.rise for c in changes if c.rise < 0 and bisect.bisect(cards, c.n) == betting)
            swept = sum(c.rise for c in grown if bisect.bisect(cards, c.n) == betting)
            twice = sum(c.rise for c in piled if bisect.bisect(cards, c.n) == betting)
            if swept and lost - swept - twice >= -fall.rise:
                piled.append(rise)
        if piled:
            bets[box] = with_changes(bet, _without(bet.changes, piled))


def _pushed(
    box: str, bets: Mapping[str, Ledger], stacks: Mapping[str, Ledger], beside: Beside
) -> Iterator[tuple[Change, Change]]:
    """Rises of a bet that stands already, each with the fall of another spot that was cleared of as much."""
    cleared = [
        fall for other, bet in bets.items() if other != box for fall in bet.changes
        if fall.rise < 0 and not fall.after and fall.by != "player" and not _from_stack(stacks.get(other), fall, beside)
    ]  # fmt: skip
    for rise in bets[box].changes:
        if rise.rise <= 0 or not rise.before or rise.by == "player" or _from_stack(stacks.get(box), rise, beside):
            continue
        met = next((fall for fall in cleared if -fall.rise == rise.rise and beside(fall.n, rise.n)), None)
        if met is not None:
            cleared.remove(met)
            yield rise, met


def _from_stack(stack: Ledger | None, change: Change, beside: Beside) -> bool:
    """Whether the player's own stack changes by as much, the other way."""
    return stack is not None and any(c.rise == -change.rise and beside(c.n, change.n) for c in stack.changes)


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
