"""Where a roulette round ends: when the dolly is lifted and the chips are settled."""

from auditor import log
from auditor.boundaries import is_settled_unlaid
from auditor.ledgers import Ledger
from auditor.log import AnyEvent
from auditor.rounds import Round
from auditor.rulebooks.roulette_layout import spot_at
from auditor.rulebooks.roulette_spins import PILE, Attempt, attempts_of, gap_between, wagers


def piles(round: Round, n: int) -> dict[str | None, int]:
    """Per colour, the event after `n` that first paid it in a pile."""
    found: dict[str | None, int] = {}
    for ledger in round.chips.values():
        if ledger.at == PILE:
            for change in ledger.changes:
                if change.n > n and change.rise > 0 and change.by != "player":
                    found.setdefault(ledger.colour, change.n)
    return found


def unsettled(round: Round, attempt: Attempt) -> bool:
    """Whether a wager still stands as it stood when betting closed, and nothing was paid for it."""
    closed = attempt.closed_n
    if closed is None:
        return True
    pocket = attempt.rest.pocket if attempt.rest is not None else None
    paid = piles(round, closed)
    for ledger in wagers(round):
        if not ledger.amount or not ledger.before(closed) or not (ledger.changes or ledger.carried_sure):
            continue
        if any(change.n > closed and change.rise and change.by != "player" for change in ledger.changes):
            continue
        spot = spot_at(ledger.at)
        if ledger.colour not in paid or (pocket is not None and spot is not None and pocket not in spot.covered):
            return True
    return False


class DollyLifted:
    """«Commences when the Dealer removes the dolly and concludes when the Dealer has completed all payouts.»

    If the dolly is lifted with wagers unsettled, chips that the dealer still moves settle the old round.
    """

    def opens(self, round: Round, event: AnyEvent) -> bool:
        """The lifting, or whatever the log begins with."""
        return True

    def starts_next(self, round: Round, event: AnyEvent) -> bool:
        """The lifting; after an early one, the first sign of a new round. Without a dolly, the next wager or spin."""
        if not round.wheel:
            return False
        if isinstance(event, log.Chips):
            ledger = round.chips.get((event.at, event.colour))
            rises = log.cents(event.amount) > (ledger.amount if ledger else 0)
            if event.by == "dealer" or not rises or (event.by is None and _may_pay(round, event, ledger)):
                return False
            if lifted_n(round) is not None:
                return True
            return self._settled_without_dolly(round) and not _awaits_dolly(round)
        if lifted_n(round) is not None:
            if isinstance(event, log.Dolly):
                return not _put_back(round, event)
            is_call = isinstance(event, log.Call) and event.what in ("no_more_bets", "no_spin")
            return is_call or isinstance(event, log.Spin)
        if isinstance(event, log.Dolly) and event.at is None:
            return self.ended(round) if played(round) else False
        if isinstance(event, log.Call) and event.what == "no_more_bets":
            return self._settled_without_dolly(round)
        return isinstance(event, log.Spin) and self._stood(round)

    def ended(self, round: Round) -> bool:
        """The dolly was lifted, or nothing is left to settle."""
        if lifted_n(round) is not None:
            return True
        attempts = attempts_of(round)
        if not attempts or attempts[-1].decided_n(round) is None:
            return False
        return attempts[-1].valid is False or not unsettled(round, attempts[-1])

    def tells_of_the_past(self, round: Round, event: AnyEvent) -> bool:
        """Chips are settled that were never seen laid; or the ball runs, or a number is marked, with no launch seen."""
        if isinstance(event, log.Chips) and event.at == PILE:  # it may be for wagers that still stand
            return round.previous is None and not isinstance(round.first_event, log.Dolly)
        if isinstance(event, log.Chips):
            return _is_decided(round) and is_settled_unlaid(round, event)
        is_of_spin = isinstance(event, log.Ball) or (isinstance(event, log.Dolly) and event.at is not None)
        return is_of_spin and round.previous is None and not round.wheel

    def _settled_without_dolly(self, round: Round) -> bool:
        if not any(isinstance(event, log.Ball) and event.event == "rest" for _, event in round.wheel):
            return False
        last = attempts_of(round)[-1]
        return last.valid is not False and last.rest is not None and not last.dollies and not unsettled(round, last)

    def _stood(self, round: Round) -> bool:
        """Whether the last spin stood, so that the next launch belongs to another round."""
        attempts = attempts_of(round)
        if not attempts or attempts[-1].valid is False:
            return False
        last = attempts[-1]
        # With no lap counted, no number marked and every wager as it stood it was called off, whoever heard that.
        is_shown = last.laps is not None or last.dollies or not unsettled(round, last)
        if last.rest is not None and last.valid and is_shown:
            return True
        start = last.closed_n or 0
        return any(change.by == "dealer" and change.n > start for ledger in wagers(round) for change in ledger.changes)


def _may_pay(round: Round, event: log.Chips, ledger: Ledger | None) -> bool:
    """Whether chips from nobody known are a payment: a pile, or just what a standing winner gains."""
    if event.at == PILE:
        return True
    attempts, spot = attempts_of(round), spot_at(event.at)
    rest = attempts[-1].rest if attempts else None
    if ledger is None or spot is None or rest is None or rest.pocket is None:
        return False
    gain = ledger.amount * spot.gains[rest.pocket] // spot.pieces
    return gain > 0 and log.cents(event.amount) == ledger.amount + gain


def _awaits_dolly(round: Round) -> bool:
    """Whether chips laid down now may be laid on a number before it is marked: this table has a dolly, or may have one,
    for no wager stood whose settlement would have shown that it has none."""
    rounds = (round, round.previous) if round.previous is not None else (round,)
    if any(isinstance(event, log.Dolly) for each in rounds for _, event in each.wheel):
        return True
    closed = attempts_of(round)[-1].closed_n
    return closed is None or not any(ledger.before(closed) for ledger in wagers(round))


def _is_decided(round: Round) -> bool:
    return any(isinstance(event, log.Ball | log.Dolly) and _is_play(event) for _, event in round.wheel)


def played(round: Round) -> bool:
    """Whether the ball was launched, or a number marked, since the dolly was lifted."""
    return any(_is_play(event) for _, event in round.wheel)


def lifted_n(round: Round) -> int | None:
    """The event with which the dolly was lifted after this round's play, if it was not put back since."""
    lifted: int | None = None
    seen = False
    for n, event in round.wheel:
        if _is_play(event):
            seen, lifted = True, None
        elif isinstance(event, log.Dolly) and seen and lifted is None and not _of_the_last_round(round, n):
            lifted = n
    return lifted


def _put_back(round: Round, dolly: log.Dolly) -> bool:
    """Whether a dolly that was lifted stands on its number again: nothing was wagered or spun in between."""
    if dolly.at is None:
        return False
    last = attempts_of(round)[-1]
    stood = last.dollies[-1][1].at if last.dollies else None
    return dolly.at == (last.rest.pocket if last.rest is not None and last.rest.pocket is not None else stood)


def _of_the_last_round(round: Round, n: int) -> bool:
    """Whether the dolly lifted at `n` is the last round's, forgotten there until the ball ran again."""
    before = [(each, event) for each, event in round.wheel if each < n]
    last_n, last = before[-1]
    lifted_before = any(isinstance(event, log.Dolly) for _, event in before)
    if lifted_before or not isinstance(last, log.Spin) or gap_between(round, last_n, n):
        return False
    return not any(
        change.by == "dealer" and last_n < change.n < n for ledger in wagers(round) for change in ledger.changes
    )


def _is_play(event: AnyEvent) -> bool:
    if isinstance(event, log.Ball):
        return event.event != "lifted"
    return isinstance(event, log.Spin) or (isinstance(event, log.Dolly) and event.at is not None)
