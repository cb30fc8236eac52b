"""The wagers of Canberra Poker: rules 3, 4, 7 and 15.14."""

from collections.abc import Iterator

from auditor.ledgers import Change, Ledger
from auditor.marker_checks import changed_after_turn, marker_moved, marker_order
from auditor.outcomes import amount_text
from auditor.wager_checks import LimitRules, Stake, after_decision, frozen, may_grow, stray_wagers, table_limits
from auditor.findings import Finding
from auditor.house import House
from auditor.places import box_of
from auditor.rulebooks.canberra_play import ANTE, BET, Act, Bet, Seat


def wager_findings(act: Act, house: House, *, voided: bool) -> Iterator[Finding]:
    """Everything wrong with antes and bets; `voided`: the round does not count, so chips may go back at any time."""
    round = act.round
    antes = [seat.ante for seat in act.seats if seat.ante is not None]
    for ante in antes:
        yield from table_limits(ante, house, house.max_cents, LimitRules("3.3", "3.4", "3.2", tournament="15.13"))
    yield from map(_stray, stray_wagers(round, ANTE | BET))
    yield from changed_after_turn(round, house, ANTE, "15.14")
    yield from marker_order(round, house, antes, "15.14")
    yield from marker_moved(round, house, antes, "def. Marker")
    may_go_back = voided or act.dealer_miscounted
    may_touch = MayTouch(act, house.max_cents, voided=may_go_back)
    yield from frozen(round, ANTE, act.opened_n, len(round.events), "4.4", may_touch)
    for seat in act.seats:
        if seat.bet is not None:
            yield from _bet_findings(act, seat, seat.bet, voided=may_go_back)
    if act.reveal_n is not None and not voided:
        yield from frozen(round, BET, act.decided_n, len(round.events), "4.4", _taken_up)


def _stray(stake: Stake) -> Finding:
    at = stake.ledger.at
    return Finding(
        kind="bet.invalid", rule="4.1", t=stake.t, at=at, colour=stake.ledger.colour, expected=0, observed=stake.amount,
        message=f"{amount_text(stake.amount)} was placed at {at}: there are no wagers but antes and bets.",
        verdict="breach" if stake.there else "unsure", reads=() if stake.sure else (f"chips at {at}",),
    )


def _taken_up(ledger: Ledger, change: Change) -> bool:
    """Of a bet on a hand that was shown: it may be picked up, but not lowered before the dealer settles the rest."""
    left_to_dealer = change.after and any(later.by == "dealer" for later in ledger.changes if later.n > change.n)
    return change.rise < 0 and not left_to_dealer


class MayTouch:
    """4.4: what players may do with their antes after the first card."""

    def __init__(self, act: Act, most: int | None, *, voided: bool) -> None:
        self.act, self.voided = act, voided
        self.seats = {seat.box: seat for seat in act.seats}
        self.decided = after_decision(act.round, act.decided_n, most)

    def __call__(self, ledger: Ledger, change: Change) -> bool:
        """A void hand's chips go back; of a hand without a bet the ante is lost, and its fate settlement's business."""
        if change.n > self.act.stop_n:
            return True
        seat = self.seats.get(box_of(ledger.at))
        if change.rise < 0 and seat is not None:
            if self.voided or seat.void is not None or seat.out_of_order:
                return True
            if seat.bet is None and change.n > self.act.deal_end_n:
                return True
        return self.decided(ledger, change)


def _bet_findings(act: Act, seat: Seat, bet: Bet, *, voided: bool) -> Iterator[Finding]:
    """7.1-7.3: twice the ante, after the dealer's last card, by a player who has not folded."""
    if bet.left or (seat.void is not None and seat.ante is not None):
        return
    stake, problem = bet.stake, None
    if seat.ante is None:
        problem = "bet.invalid", "7.2", 0, "without an ante"
    elif bet.n < act.opened_n:
        problem = "bet.invalid", "7.1", 0, "before any card was dealt"
    elif bet.n < act.deal_end_n:
        problem = "bet.late", "4.4", 0, "between the first card and the dealer's last"
    elif seat.fold_n is not None and seat.fold_n < bet.n:
        problem = "bet.invalid", "7.3", 0, "after the player had folded"
    elif stake != bet.due and not (stake < bet.due and may_grow(act.round, bet.last_n)):
        problem = "bet.amount", "7.2", bet.due, f"where exactly twice the ante is due, {amount_text(bet.due)}"
    if problem is not None:
        kind, rule, expected, why = problem
        sure = bet.sure and (seat.ante is None or seat.ante.sure)
        if kind != "bet.amount":
            sure = bet.sure or bet.ledger.there_at(bet.t)
        yield _finding(kind, rule, bet.ledger.at, (expected, stake), bet.t, f"was placed {why}", sure=sure)
    elif bet.changed is not None and not (bet.changed.rise < 0 and (voided or _settled_unseen(act, bet.changed))):
        after, t, sure = bet.changed.after, bet.changed.t, bet.changed.sure
        words = f"was changed to {amount_text(after)} after it had been placed"
        yield _finding("bet.moved", "4.4", bet.ledger.at, (stake, after), t, words, sure=sure)


def _settled_unseen(act: Act, change: Change) -> bool:
    """Whether a bet was picked up in a round that was played out, though the dealer's hand was never seen shown."""
    return act.reveal_n is None and act.round.ended and not change.after


def _finding(
    kind: str, rule: str, at: str, amounts: tuple[int, int], t: float, words: str, *, sure: bool
) -> Finding:
    expected, observed = amounts
    stake = expected if kind == "bet.moved" else observed
    return Finding(
        kind=kind, rule=rule, t=t, at=at, expected=expected, observed=observed,
        message=f"The bet of {amount_text(stake)} {words}.",
        verdict="breach" if sure else "unsure", reads=() if sure else (f"chips at {at}",),
    )
