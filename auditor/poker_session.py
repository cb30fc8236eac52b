"""From round to round: what is remembered of the rounds before, where the button must be, how many players there are.

A log may begin in mid-session, so the first round's button place and its players' past are not judged.
"""

import dataclasses
from collections.abc import Iterator

from auditor import log
from auditor.findings import Finding
from auditor.game import status_of
from auditor.poker_betting import Betting
from auditor.poker_rounds import first_seen
from auditor.poker_table import Checks, Reading, Table
from auditor.places import box_number
from auditor.rounds import Round


@dataclasses.dataclass(frozen=True, kw_only=True)
class Session:
    """What is remembered of the rounds before."""

    rounds: int = 0
    button: str | None = None
    counted: bool = True
    """Whether the last round was a round of play: a misdeal is none."""
    void: bool = False
    first_seats: frozenset[str] = frozenset()
    eliminated: frozenset[str] = frozenset()
    """Boxes of the first round that have run out of chips since, though they may have bought in again."""
    known: frozenset[str] = frozenset()
    dealt: frozenset[str] = frozenset()
    """Boxes dealt in the round before."""
    missed: frozenset[str] = frozenset()
    """Boxes with a stake that sat out when a blind was due from them."""
    passed: frozenset[int] = frozenset()
    """Seats that the button has passed over."""
    standing: tuple[tuple[str, int], ...] = ()
    """Antes, or blinds, of a misdealt round that are still in the pot."""
    unowned: bool = False
    """Whether such a round left chips in the pot that nobody is known to have put there."""
    unread: tuple[tuple[str, int], ...] = ()
    """What has left each stack since the log last read it."""
    unpaid: int = 0
    """What was won in the rounds before and not seen to come to any stack: a later reading may show it."""
    blurred: bool = False
    """Whether the view was interrupted in the round before."""
    checks: Checks = "unknown"
    partial: bool = False
    """Whether the log begins in the round before: who else was in it, and where the button was, is not known."""
    midway: bool = False
    """Whether the log begins in a round, this one's or one before."""
    cut_off: bool = False
    """Whether the end of the round before was not seen for it: what stood on the table then is not known."""


def session_of(round: Round) -> Session:
    """What the rounds before left behind."""
    legacy = round.previous.legacy if round.previous is not None else None
    return legacy if isinstance(legacy, Session) else Session()


def reading_of(round: Round, session: Session) -> Reading:
    """How the round is to be read, as far as the log says."""
    begins_behind = first_seen(round) and round.previous is not None
    midway = session.midway or begins_behind
    return Reading(round.calls, session.checks, midway=midway, unowned=session.unowned)


def button_at(round: Round) -> str | None:
    """Where the log surely shows the button before the first card of this round."""
    for event in reversed(round.events[: round.opened_n]):
        if isinstance(event, log.Button) and not round.is_weak(event.conf):
            return event.at
    return None


def button_now(round: Round, session: Session) -> str | None:
    """The button's place: as seen, or where it was left, unless the deal shows that it was moved unseen."""
    seen = button_at(round)
    if seen is not None or session.button is None:
        return seen
    if not session.counted:
        return session.button  # after a misdeal it stays
    order = [box_number(slot.dealt_to) for slot in round.slots if box_number(slot.dealt_to)]
    dealt = set(order)
    if order and not any(slot.dealt_to == "board" for slot in round.slots) and not round.ended:
        dealt |= {box_number(box) for box in session.dealt}  # the deal may not have come to all
    first = order[0] if order else 0
    return session.button if first == _next_after(box_number(session.button), dealt) else None


def _next_after(number: int, boxes: set[int]) -> int:
    return min(boxes, key=lambda box: (box <= number, box), default=0)


def remember(
    table: Table, session: Session, *, counted: bool, void: bool, partial: bool, betting: Betting
) -> Session:
    """The session after this round."""
    seated = {box for box in {*table.stacks, *table.dealt} if table.has_stake(box) or box in table.dealt}
    levels = table.house.blind_levels
    due = table.clockwise(seated)[: len(levels)]
    absent = {box for box in due if box not in table.seats and box in session.known and counted}
    swept = sum(ledger.amount for ledger in table.round.chips.values() if ledger.at.startswith("pot"))
    return Session(
        rounds=session.rounds + 1,
        button=None if partial else table.button,
        counted=counted,
        void=void,
        first_seats=session.first_seats or frozenset(table.seats),
        eliminated=eliminated(table, session),
        known=session.known | frozenset(table.dealt) | table.newly_seated,
        dealt=frozenset(table.dealt),
        missed=(session.missed - frozenset(table.dealt)) | absent,
        passed=session.passed | _passed(session.button, table.button),
        standing=_standing(betting, swept) if void or not counted else (),
        unowned=(void or not counted) and table.whose_unknown,
        # A stack that is read while its player bets will be read again, whatever moved out of sight.
        unread=tuple(
            (box, left) for box, left in table.unread.items() if not (table.round.gaps and table.read[box].changes)
        ),
        unpaid=session.unpaid + max(table.unpaid, 0) if counted and not void and table.stacks else session.unpaid,
        checks=table.checks_shown,
        partial=partial,
        midway=table.reading.midway or partial,
        blurred=bool(table.round.gaps),
        cut_off=bool(table.round.gaps) and (not table.round.ended or any(bet.amount for bet in table.bets.values())),
    )


def eliminated(table: Table, session: Session) -> frozenset[str]:
    """Who of the log's first round has run out of chips by the first card of this one."""
    gone = {box for box in session.first_seats if box not in table.dealt and not table.has_stake(box)}
    settled = session.counted and not session.void and not session.unpaid
    empty = {box for box in session.first_seats if settled and table.ran_out(box)}
    return session.eliminated | gone | empty


def _standing(betting: Betting, swept: int) -> tuple[tuple[str, int], ...]:
    """Whose antes, or blinds, the pots still hold after a round that was called off; bets beside them go back."""
    if swept == sum(player.posted for player in betting.order):
        return tuple((player.box, player.posted) for player in betting.order)
    known = swept and (betting.house.ante_level is not None or betting.only_forced)
    return tuple((player.box, player.total) for player in betting.order) if known else ()


def _passed(before: str | None, now: str | None) -> frozenset[int]:
    if before is None or now is None or before == now:
        return frozenset()
    start, end = box_number(before), box_number(now)
    return frozenset(range(start + 1, end)) if end > start else frozenset([*range(start + 1, 20), *range(1, end)])


# ---- the button --------------------------------------------------------------------------------------------------


def button_findings(table: Table, session: Session) -> Iterator[Finding]:
    """The button moves to the next player after a round of play, and stays after a misdeal."""
    before, now = session.button, table.button
    if before is None or now is None or session.blurred or table.round.gaps:
        return
    seated = {box_number(box) for box in table.stacks if table.has_stake(box)}
    dealt = {box_number(box) for box in table.seats}
    start = box_number(before)
    # Nobody comes (back) into the game on the button.
    joining = {box_number(box) for box in table.seats if box in session.missed or box not in session.dealt}
    right = {_next_after(start, dealt), _next_after(start, seated | dealt), _next_after(start, dealt - joining)}
    if table.rules.clauses.dead_small_blind:
        # A round was played without the small blind of a seat that was left: the next may go on as if it were taken.
        right.add(_next_after(start, {box_number(box) for box in session.known} | dealt))
    if session.void:
        right.add(start)
    if not session.counted:
        right = {start}
    if box_number(now) in right:
        return
    should = f"box{_next_after(start, dealt) if session.counted else start}"
    rule = table.rules.clauses.button if session.counted else table.rules.clauses.misdeal
    verb = "must move on to" if session.counted else "stays after a misdeal at"
    yield Finding(
        kind="button.move",
        rule=rule,
        t=table.round.opened,
        expected=should,
        observed=now,
        message=f"The button {verb} {should}; it is at {now}.",
    )


# ---- players -------------------------------------------------------------------------------------------------------


def player_findings(table: Table, session: Session) -> Iterator[Finding]:
    """A game needs its number of players, and a freeze-out takes no new ones."""
    rules = table.rules
    # Who posted, or has just sat down, and got no card was passed over: he is a player, and that is another fault.
    count = len({*table.seats, *(table.passed_over & table.newly_seated)})
    least, most = table.house.player_bounds(rules.least_players)
    if table.round.gaps:
        return
    # Who would still have been dealt in is not known of a deal that was called off.
    counts = bool(rules.clauses.players) and status_of(table.round) not in ("misdeal", "void")
    if counts and (count < least or (most is not None and count > most)):
        yield Finding(
            kind="table.players",
            rule=rules.clauses.players if count < least else rules.clauses.most_players,
            t=table.round.opened,
            expected=least if count < least else most,
            observed=count,
            message=f"{count} players were in the round; {least} {f'to {most}' if most else 'or more'} are required.",
        )
    strangers = [box for box in table.dealt if session.first_seats and box not in session.first_seats]
    if table.house.frozen_stakes and strangers:
        yield Finding(
            kind="table.players",
            rule="16.3",
            t=table.round.opened,
            observed=strangers[0],
            message=f"{strangers[0]} joined a freeze-out after play had commenced.",
        )
