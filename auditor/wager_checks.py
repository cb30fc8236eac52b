"""Checks on wagers that several rulebooks share: which stood, limits, wagers touched after betting closed.

Each check takes the clause it enforces, so that the finding cites the rulebook at hand.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from auditor import log
from auditor.findings import Finding
from auditor.house import House
from auditor.ledgers import Change, Ledger
from auditor.log import cents
from auditor.outcomes import amount_text
from auditor.places import box_number, box_of
from auditor.rounds import Round


class Stake(NamedTuple):
    """A wager as it stood when betting closed."""

    ledger: Ledger
    amount: int
    sure: bool
    t: float
    in_view: bool = True
    """Whether it was, from when it was last read until betting closed: else chips may have been added or taken back."""

    @property
    def proved(self) -> bool:
        """Whether so much stood there for sure when betting closed."""
        return self.sure and self.in_view

    @property
    def there(self) -> bool:
        """Whether chips stood there for sure, however many; what was out of view did if somebody moved it later."""
        later = (change for change in self.ledger.changes if change.t > self.t)
        stood = self.in_view or any(change.by == "dealer" or change.rise < 0 for change in later)
        return stood and (self.sure or self.ledger.there_at(self.t))


def stake_at(round: Round, n: int, ledger: Ledger) -> Stake:
    """The wager at a spot as it stood when event `n` closed betting."""
    placed = [change.t for change in ledger.changes if change.n < n]
    t = placed[-1] if placed else round.opened
    return Stake(ledger, ledger.before(n), ledger.read_before(n), t, ledger.in_view_until(n))


def stakes_at(round: Round, n: int, spots: frozenset[str]) -> list[Stake]:
    """The wagers standing just before event `n` on spots of these names, by box."""
    found = []
    for ledger in round.chips.values():
        if ledger.spot in spots and ledger.before(n):
            placed = any(change.n < n for change in ledger.changes)
            if not placed and not ledger.carried_sure and box_of(ledger.at) not in round.hands:
                continue  # left standing when the view was lost, and nothing since says that it still does
            found.append(stake_at(round, n, ledger))
    found.sort(key=lambda stake: box_number(stake.ledger.at))
    return found


def taken_back_n(ledger: Ledger, opened_n: int, until_n: int) -> int | None:
    """The event after the first card by which a player, and nobody else, had taken up a wager, to leave it at that
    until another event: he may be dealt no further cards."""
    taken_n = None
    for change in ledger.changes:
        if opened_n < change.n < until_n:
            if change.by != "player":
                return None
            taken_n = None if change.after else change.n
    return taken_n


def stray_wagers(round: Round, spots: frozenset[str]) -> list[Stake]:
    """Chips on spots of a box that are no wager of the game; a player's own stack is none."""
    found = []
    for ledger in round.chips.values():
        if not ledger.spot or ledger.spot in spots or ledger.spot == "stack" or not box_number(ledger.at):
            continue
        placed = [change for change in ledger.changes if change.by != "dealer" and change.after]
        if placed:
            found.append(Stake(ledger, placed[-1].after, placed[-1].sure, placed[-1].t))
        elif ledger.carried:
            found.append(Stake(ledger, ledger.carried, ledger.carried_sure, round.opened))
    return found


def may_grow(round: Round, n: int) -> bool:
    """Whether the log ends while the wager of event `n` may still be being laid: only players have moved since."""
    return not round.ended and all(
        isinstance(event, log.Hand) or (isinstance(event, (log.Chips, log.Call)) and event.by != "dealer")
        for event in round.events[n + 1 :]
    )


class LimitRules(NamedTuple):
    """The clauses on wagers below the minimum, above the maximum, of no permitted multiple.

    `tournament`: what is said of the minimum in a tournament.
    """

    below: str
    above: str
    multiple: str
    tournament: str


def table_limits(stake: Stake, house: House, most: int | None, rules: LimitRules) -> list[Finding]:
    """An opening wager against the limits on the table's sign; `most` is the maximum at its spot."""
    if house.tournament:
        rules = rules._replace(below=rules.tournament)
    return limits(stake, house.min_cents, most, house.multiple, rules)


def limits(stake: Stake, least: int, most: int | None, multiple: float | None, rules: LimitRules) -> list[Finding]:
    """A wager against limits."""
    found = []
    amount, at = stake.amount, stake.ledger.at
    verdict = "breach" if stake.proved else "unsure"
    reads = () if stake.proved else (f"chips at {at}",)
    if amount < least or (most is not None and amount > most):
        small = amount < least
        side, bound = ("below the minimum", least) if small else ("above the maximum", most or 0)
        found.append(
            Finding(
                kind="bet.limit", rule=rules.below if small else rules.above,
                t=stake.t, at=at, colour=stake.ledger.colour,
                expected=bound, observed=amount, verdict=verdict, reads=reads,  # type: ignore[arg-type]
                message=f"A wager of {amount_text(amount)} is {side} of {amount_text(bound)}.",
            )
        )
    if multiple is not None and amount % cents(multiple):
        found.append(
            Finding(
                kind="bet.multiple", rule=rules.multiple, t=stake.t, at=at, colour=stake.ledger.colour,
                expected=cents(multiple), observed=amount, verdict=verdict, reads=reads,  # type: ignore[arg-type]
                message=f"A wager of {amount_text(amount)} is not a multiple of {amount_text(cents(multiple))}.",
            )
        )
    return found


def frozen(
    round: Round,
    spots: frozenset[str],
    closed_n: int,
    decided_n: int,
    rule: str,
    allowed: Callable[[Ledger, Change], bool] | None = None,
) -> Iterator[Finding]:
    """No wager may be placed or changed by a player between the closing of bets and the settlement of it."""
    for ledger in round.chips.values():
        if ledger.spot not in spots or not ledger.changes:
            continue
        found = touched(ledger, closed_n, decided_n, rule, allowed) or _past_posted(ledger, closed_n, decided_n, rule)
        if found is not None:
            yield found


def touched(
    ledger: Ledger,
    closed_n: int,
    decided_n: int,
    rule: str,
    allowed: Callable[[Ledger, Change], bool] | None = None,
) -> Finding | None:
    """The first change of one wager that was no longer allowed, if any."""
    standing = ledger.before(closed_n)
    moved_by_nobody_known = False
    for change in ledger.changes:
        if change.n <= closed_n or change.n >= decided_n:
            continue
        if change.by == "dealer" or (moved_by_nobody_known and not change.before):
            return None  # the decision on this wager was implemented, or may have been
        moved_by_nobody_known |= change.by is None
        if change.after == change.before or (allowed is not None and allowed(ledger, change)):
            continue
        if change.by is None and (standing or change.rise < 0):
            continue
        return _frozen_finding(ledger, _whole_move(ledger, change, decided_n), standing, rule)
    return None


def _whole_move(ledger: Ledger, change: Change, decided_n: int) -> Change:
    """A change with those that follow it in the same direction and by the same hand: chips laid or taken in steps."""
    last = change
    for later in ledger.changes:
        if change.n < later.n < decided_n:
            if later.by != change.by or later.rise * change.rise <= 0:
                break
            last = later
    if last is change:
        return change
    sure = change.sure and last.sure
    return Change(change.n, change.t, change.before, last.after, change.by, sure=sure, there=change.there or last.there)


def is_taken_up(ledger: Ledger, change: Change) -> bool:
    """Whether a player picks all chips up, with this change or with those that follow it."""
    for later in ledger.changes:
        if later.n >= change.n:
            if later.by == "dealer" or later.rise > 0:
                return False
            if not later.after:
                return True
    return False


def _past_posted(ledger: Ledger, closed_n: int, decided_n: int, rule: str) -> Finding | None:
    """Chips put on a known result: a player laid them down (or left some) and the dealer then settled them.

    A player who takes all his chips up, or wagers for the next round, does no wrong.
    """
    earlier: Change | None = None
    standing = ledger.before(closed_n)
    for change in ledger.changes:
        if change.n <= closed_n:
            continue
        if change.by == "dealer":
            return None if earlier is None else _frozen_finding(ledger, earlier, standing, rule)
        if earlier is None and change.n >= decided_n and change.by == "player" and change.after not in (0, standing):
            earlier = change  # chips seen once more as they stood, or put back, are the old wager
    return None


def _frozen_finding(ledger: Ledger, change: Change, standing: int, rule: str) -> Finding:
    changed_sure = ledger.surely_changed(change) if standing else change.there
    sure = change.by == "player" and changed_sure
    what = "chips" if change.by == "player" else "who moved the chips"
    if standing:
        words = f"was changed from {amount_text(change.before)} to {amount_text(change.after)} after betting closed"
    else:
        words = f"of {amount_text(change.after)} was placed after betting closed"
    return Finding(
        kind="bet.moved" if standing else "bet.late", rule=rule, t=change.t, at=ledger.at, colour=ledger.colour,
        expected=standing, observed=change.after, message=f"The wager at {ledger.at} {words}.",
        verdict="breach" if sure else "unsure", reads=() if sure else (f"{what} at {ledger.at}",),
    )


def settling_since(round: Round, decided_n: int) -> int:
    """The event with which settlement began after the decision: the dealer moved chips, or had collected the cards. A
    dealer who moves none has none to settle."""
    moves = (each.n for ledger in round.chips.values() for each in ledger.changes if each.by == "dealer")
    first_n = min((n for n in moves if n > decided_n), default=decided_n)
    gone = [] if round.on_table else [slot.gone_n for slot in round.slots if slot.gone_n is not None]
    return min(first_n, max(gone, default=first_n))


def after_decision(round: Round, decided_n: int, most: int | None = None) -> Callable[[Ledger, Change], bool]:
    """What `frozen` allows players once the cards have decided: to pick up, and to wager anew when settlement began.

    A wager that is raised, lowered or placed between the last card and its settlement profits from what the cards
    showed. What lies above the maximum, `most`, does not count and may go back at any time.
    """
    settling_n = settling_since(round, decided_n)

    def allowed(ledger: Ledger, change: Change) -> bool:
        if most is not None and change.after == most < change.before:
            return True
        if change.n <= decided_n or change.after == 0:
            return change.n > decided_n
        if change.rise > 0 and not ledger.before(round.opened_n or 0):
            return change.n > settling_n
        return all(later.by != "dealer" for later in ledger.changes if later.n > change.n)

    return allowed
