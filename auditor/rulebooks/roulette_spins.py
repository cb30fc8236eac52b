"""The spins of a roulette round: each launch of the ball to its end, and what speaks against its validity.

A round may hold several launches, because a NO SPIN or a void spin does not close it.
"""

from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from auditor import log
from auditor.ledgers import Ledger
from auditor.log import AnyEvent
from auditor.rounds import Round

LEAST_LAPS = 3  # 5.2
SURE_LAPS = 2 * LEAST_LAPS  # a weak read of so many is still surely enough
PILE = "layout/paid"
"""Where a player is paid in one pile for all wagers of his colour."""


class Fault(NamedTuple):
    """What makes a spin not valid, and the finding it is if the dealer is to blame.

    `certain` says that the spin is not valid whatever the weak reads are, `proven` that the finding is, `as_read` that
    the reads, taken at their word, speak against the spin.
    """

    rule: str
    why: str
    t: float
    certain: bool
    kind: str | None = None
    clause: str = ""
    proven: bool = True
    as_read: bool = True
    expected: object = None
    observed: object = None


class Attempt:
    """One launch of the ball, as far as it was seen."""

    def __init__(self, since_n: int) -> None:
        self.since_n = since_n
        self.launch: tuple[int, log.Spin] | None = None
        self.moves: list[tuple[int, log.Ball]] = []
        self.end: tuple[int, log.Ball] | None = None
        self.trouble: list[log.Wheel] = []
        self.dollies: list[tuple[int, log.Dolly]] = []
        self.no_more_bets: tuple[int, log.Call] | None = None
        self.no_spin: tuple[int, log.Call] | None = None
        self.void: tuple[int, log.Call] | None = None
        self.faults: list[Fault] = []

    @property
    def begun(self) -> bool:
        """Whether anything was seen of the ball."""
        return self.launch is not None or bool(self.moves)

    @property
    def over_n(self) -> int | None:
        """When it was plain to the table that this launch is over: the ball's end, or a call before it."""
        seen = [found[0] for found in (self.end, self.no_spin, self.void) if found is not None]
        return min(seen, default=None)

    @property
    def last_seen_t(self) -> float:
        """Until when the ball was seen to run."""
        seen = [event.t for _, event in self.moves] + ([self.launch[1].t] if self.launch is not None else [])
        return max(seen, default=0.0)

    @property
    def closed_n(self) -> int | None:
        """4.4: when betting closed; where nobody closed it, when the launch was over."""
        if self.no_more_bets is not None:
            return self.no_more_bets[0]
        return self.over_n if self.over_n is not None or not self.dollies else self.dollies[0][0]

    @property
    def rest(self) -> log.Ball | None:
        """The ball in its pocket."""
        return self.end[1] if self.end is not None and self.end[1].event == "rest" else None

    @property
    def laps(self) -> log.Ball | None:
        """The event that tells the revolutions round the track: of the ball leaving it, if that was seen."""
        told = [ball for _, ball in self.moves if ball.laps is not None]
        return next((ball for ball in told if ball.event == "leave_track"), told[-1] if told else None)

    @property
    def valid(self) -> bool | None:
        """Sections 5 and 9; None where it hangs on a weak read."""
        if any(fault.certain for fault in self.faults):
            return False
        return None if self.faults else True

    @property
    def reason(self) -> Fault | None:
        """The fault that is named when the spin does not count: the surest."""
        return max(self.faults, key=lambda fault: (fault.certain, fault.as_read), default=None)

    def decided_n(self, round: Round) -> int | None:
        """When the result stood; where the ball's rest was not seen, as far as the dolly or the chips tell."""
        if self.end is not None:
            return self.end[0]
        if self.over_n is not None:
            return self.over_n
        if self.dollies:
            return self.dollies[0][0]
        start = self.launch[0] if self.launch else 0
        if any(change.by == "dealer" and change.n > start for ledger in wagers(round) for change in ledger.changes):
            return self.no_more_bets[0] if self.no_more_bets else start
        return None


class Attempts(list[Attempt]):
    """The launches of a round, in order."""


def attempts_of(round: Round) -> Attempts:
    """The launches seen so far. Without a view of the wheel, the dolly alone tells that there was one."""
    count, known = round.memo
    if count != len(round.events) or not isinstance(known, Attempts):
        known = _read_attempts(round)
        round.memo = (len(round.events), known)
    return known


def _read_attempts(round: Round) -> Attempts:
    found = Attempts()
    current = Attempt(-1)
    early: tuple[int, log.Call] | None = None
    for n, event in sorted((*round.wheel, *round.calls), key=itemgetter(0)):
        if isinstance(event, log.Spin):
            if current.begun or current.no_spin is not None:  # unless begun, NO SPIN was for a launch that nobody saw
                found += [current] if current.begun else []
                current = Attempt(current.over_n or n)
                current.no_more_bets, early = early, None
            current.launch = (n, event)
        elif isinstance(event, log.Call):
            if event.what == "no_more_bets" and current.over_n is not None:
                early = early or (n, event)
            else:
                _take_call(current, n, event)
        elif isinstance(event, log.Dolly):
            if event.at is not None:
                current.dollies.append((n, event))
        else:
            _take_ball(current, n, event)
    if current.begun or current.no_more_bets is not None or (current.dollies and not found):
        found.append(current)
    for attempt in found:
        attempt.faults = list(_faults(round, attempt))
    return found


def _take_call(attempt: Attempt, n: int, call: log.Call) -> None:
    if call.what == "no_more_bets" and attempt.no_more_bets is None:
        attempt.no_more_bets = (n, call)
    elif call.what == "no_spin" and attempt.no_spin is None:
        attempt.no_spin = (n, call)
    elif call.what == "void" and call.at is None and attempt.begun and attempt.void is None:
        attempt.void = (n, call)


def _take_ball(attempt: Attempt, n: int, event: AnyEvent) -> None:
    """The first end of the ball counts: what follows is the ball being taken out of its pocket."""
    if attempt.end is not None:
        return
    if isinstance(event, log.Wheel) and attempt.begun:
        attempt.trouble.append(event)
    elif isinstance(event, log.Ball) and (attempt.begun or event.event != "lifted"):
        attempt.moves.append((n, event))
        if event.event != "leave_track":
            attempt.end = (n, event)


# ---- validity ----------------------------------------------------------------------------------------------------

_WHEEL_FAULTS = {
    "object": ("9.3", "A foreign object came into the wheel"),
    "stopped": ("5.1", "The wheel did not turn against the ball: it stopped"),
    "reversed": ("9.1", "The wheel was reversed, so that the ball ran with it"),
}
_END_FAULTS = {
    "out": ("9.5", "The ball left the wheel"),
    "stuck": ("9.4", "The ball fell into no compartment"),
    "lifted": ("9.4", "The ball was taken out before it fell into a compartment"),
}


def _faults(round: Round, attempt: Attempt) -> Iterator[Fault]:
    if attempt.launch is not None:
        yield from _direction_fault(round, attempt.launch[1])
    if attempt.no_spin is not None:
        yield Fault("9.2", "NO SPIN was called", attempt.no_spin[1].t, sure(round, attempt.no_spin[1]))
    yield from _laps_fault(round, attempt)
    for wheel in attempt.trouble:
        if wheel.event == "stopped" and attempt.dollies:
            continue  # section 9 does not name it: the table decides, and a dolly says that the spin stands
        rule, why = _WHEEL_FAULTS[wheel.event]
        yield Fault(rule, why, wheel.t, sure(round, wheel))
    if attempt.end is not None and attempt.rest is None:
        ball = attempt.end[1]
        rule, why = _END_FAULTS[ball.event]
        yield Fault(rule, why, ball.t, sure(round, ball))
    if attempt.void is not None:
        yield Fault("10.4", "The spin was declared void", attempt.void[1].t, sure(round, attempt.void[1]))


def _direction_fault(round: Round, spin: log.Spin) -> Iterator[Fault]:
    """5.1, 9.1: against the wheel."""
    known, same = sure(round, spin), spin.ball == spin.wheel
    if same or not known:
        why = f"The ball was spun {spin.ball}, the wheel turned {spin.wheel}"
        against = "ccw" if spin.wheel == "cw" else "cw"
        yield Fault("9.1", why, spin.t, known, "spin.direction", "5.1", known, same, against, spin.ball)


def _laps_fault(round: Round, attempt: Attempt) -> Iterator[Fault]:
    """5.2, 9.2: at least three revolutions; the dealer calls NO SPIN before fewer come to count."""
    ball = attempt.laps
    if ball is None or ball.laps is None:
        return
    short = ball.laps < LEAST_LAPS
    if not short and (sure(round, ball) or ball.laps >= SURE_LAPS):
        return
    start = attempt.launch[0] if attempt.launch else attempt.since_n
    known = sure(round, ball) and not gap_between(round, start, attempt.moves[-1][0])
    why = f"The ball went round the track {ball.laps:g} times, at least {LEAST_LAPS} make a valid spin"
    flew_out = attempt.end is not None and attempt.end[1].event == "out"
    called = attempt.no_spin
    if flew_out or (called is not None and sure(round, called[1])):
        yield Fault("5.2", why, ball.t, known, as_read=short)
    else:
        proven = known and called is None
        yield Fault("5.2", why, ball.t, known, "spin.laps", "5.2", proven, short, LEAST_LAPS, ball.laps)


def sure(round: Round, event: AnyEvent) -> bool:
    """Whether the event was read surely."""
    return not round.is_weak(event.conf)


def gap_between(round: Round, n: int, until_n: int) -> bool:
    """Whether the view was interrupted at any time between two events, or since before the round's first (-1)."""
    return any(gap.n < until_n and (gap.until_n is None or gap.until_n > n or n < 0) for gap in round.gaps)


def wagers(round: Round) -> Iterator[Ledger]:
    """The chips on the layout and on the race track, without what was paid in a pile."""
    for ledger in round.chips.values():
        if ledger.at.startswith(("layout/", "track/")) and ledger.at != PILE:
            yield ledger
