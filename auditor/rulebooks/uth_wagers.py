"""The wagers of Ultimate Texas Hold-em: rules 4, 5 and 16.16, the blind, and the play wager of rule 8."""

from collections.abc import Iterator

from auditor.ledgers import Change, Ledger
from auditor.marker_checks import changed_after_turn, marker_order
from auditor.outcomes import amount_text
from auditor.wager_checks import LimitRules, frozen, may_grow, table_limits
from auditor.findings import Finding
from auditor.places import box_of
from auditor.rulebooks.uth_play import Act
from auditor.rulebooks.uth_seats import AFTER_FLOP, BEFORE_FLOP, MULTIPLES, ON_RIVER, OPENING, Play, Seat
from auditor.rulebooks.uth_stages import Decisions, play_sizes

STAGE_RULES = {BEFORE_FLOP: "8.1(c)", AFTER_FLOP: "8.3(c)", ON_RIVER: "8.5(b)"}
STAGE_WORDS = {BEFORE_FLOP: "before the flop", AFTER_FLOP: "after the flop", ON_RIVER: "on the river"}


def wager_findings(act: Act, decided: dict[str, Decisions], decided_n: int) -> Iterator[Finding]:
    """Everything wrong with the wagers; `decided_n` is the event from which they are no longer bound by 4.6."""
    for seat in act.seats:
        yield from _opening_findings(act, seat)
        if seat.play is not None:
            yield from _play_findings(act, seat, seat.play, decided.get(seat.box), decided_n)
    folds = {seat.box: seat.fold_n for seat in act.seats if seat.fold_n is not None}
    void = {seat.box for seat in act.seats if seat.void or not seat.wagered}

    def allowed(ledger: Ledger, change: Change) -> bool:
        # A fold is the decision on the player's wagers: chips he takes back after it are the settlement's business.
        # What stands without ante and blind (4.3, 13.6), or on a hand declared void, is no wager: it may go back.
        box = box_of(ledger.at)
        return change.n > folds.get(box, change.n) or (box in void and change.after == 0)

    most = {seat.box: seat.most for seat in act.seats}
    for found in frozen(act.round, OPENING, act.opened_n, decided_n, "4.6", allowed):
        if found.observed != most.get(box_of(found.at or "")):  # 5.5: what is above the maximum may go back
            yield found
    if act.house.tournament:
        stakes = [stake for seat in act.seats for stake in seat.stakes.values()]
        yield from marker_order(act.round, act.house, stakes, "16.16")
        yield from changed_after_turn(act.round, act.house, OPENING, "16.16")


def _opening_findings(act: Act, seat: Seat) -> Iterator[Finding]:
    """5.1-5.5, the definition of Blind, 4.3."""
    house = act.house
    for stake in seat.stakes.values():
        yield from table_limits(stake, house, seat.most, LimitRules("5.4", "5.5", "5.3", tournament="16.15"))
    ante, blind, trips = (seat.stakes.get(spot) for spot in ("ante", "blind", "trips"))
    if ante is not None and blind is not None and ante.amount != blind.amount:
        sure = ante.sure and blind.sure
        yield Finding(
            kind="bet.amount", rule="def. Blind", t=blind.t, at=blind.ledger.at, expected=ante.amount,
            observed=blind.amount, verdict="breach" if sure else "unsure",
            reads=() if sure else (f"chips at {seat.box}",),
            message=f"The blind equals the ante of {amount_text(ante.amount)}; {amount_text(blind.amount)} was placed.",
        )
    if trips is not None and (ante is None or blind is None):
        lacking = " and ".join(name for name, stake in (("ante", ante), ("blind", blind)) if stake is None)
        yield Finding(
            kind="bet.invalid", rule="4.3", t=trips.t, at=trips.ledger.at, expected=0, observed=trips.amount,
            message=f"Trips of {amount_text(trips.amount)} was placed without {lacking}.",
        )


def _play_findings(
    act: Act, seat: Seat, play: Play, decided: Decisions | None, decided_n: int
) -> Iterator[Finding]:
    """8.1, 8.3, 8.5: one play wager, by a player who is in, in its time, of its stage's size."""
    problem = _out_of_place(act, seat, play)
    if problem is None and not seat.dealt_in:
        return
    if problem is not None:
        kind, rule, why = problem
        message = f"A play wager of {amount_text(play.stake)} was placed {why}."
        is_there = play.sure or play.ledger.there_at(play.t)
        yield _finding(kind, rule, play, 0, message, sure=is_there and play.own)
        return
    stages = decided.stages if decided is not None else (BEFORE_FLOP,)
    allowed = [size for stage in stages for size in play_sizes(seat, stage)]
    if play.stake not in allowed and not (play.stake < min(allowed) and may_grow(act.round, play.last_n)):
        stage = stages[-1]
        times = " or ".join(map(str, MULTIPLES[stage]))
        nearest = min(play_sizes(seat, stage), key=lambda size: abs(size - play.stake))
        yield _finding(
            "bet.amount", STAGE_RULES[stage], play, nearest,
            f"A play wager {STAGE_WORDS[stage]} is {times} times the ante of {amount_text(seat.ante)}; "
            f"{amount_text(play.stake)} was placed.",
            sure=play.sure and seat.stakes["ante"].sure,
        )  # fmt: skip
    yield from _touched(act, play, decided_n)


def _out_of_place(act: Act, seat: Seat, play: Play) -> tuple[str, str, str] | None:
    if not seat.dealt_in:
        return None if seat.hand else ("bet.invalid", "8.1", "without a hand")  # a hand dealt wrongly is void: 13.6
    if play.n < act.deal_end_n:
        return "bet.invalid", "8.1", "before the hole cards were dealt"
    if seat.folded_early:
        return "bet.invalid", "8.6", "on a folded hand"
    if act.late(seat):
        return "bet.late", "8.5", "after the dealer's hand was announced and shown"
    return None


def _touched(act: Act, play: Play, decided_n: int) -> Iterator[Finding]:
    """8.3, 8.5, 4.6: once placed, a play wager stays as it is, until the dealer has settled it.

    When it is decided, the player may take up what is his; chips that the dealer then settles were put on a known hand.
    """
    later = [change for change in play.ledger.changes if change.n > play.last_n]
    settled_n = max((change.n for change in later if change.by == "dealer"), default=0)
    for change in later:
        if change.by == "dealer":
            return
        bound = change.n < decided_n or (change.n < settled_n and change.after not in (0, play.stake))
        if change.by == "player" and change.rise and bound:
            rule = ("4.6", "8.3", "8.5")[min(act.seen_before(change.n) // 2, 2)] if change.rise > 0 else "4.6"
            yield Finding(
                kind="bet.moved", rule=rule, t=change.t, at=play.ledger.at, expected=play.stake, observed=change.after,
                message=f"The play wager was changed from {amount_text(change.before)} to {amount_text(change.after)}: "
                "no further wager is permitted.",
                verdict="breach" if change.sure else "unsure",
                reads=() if change.sure else (f"chips at {play.ledger.at}",),
            )
            return


def _finding(kind: str, rule: str, play: Play, expected: int, message: str, *, sure: bool) -> Finding:
    return Finding(
        kind=kind, rule=rule, t=play.t, at=play.ledger.at, expected=expected, observed=play.stake, message=message,
        verdict="breach" if sure else "unsure", reads=() if sure else (f"chips at {play.ledger.at}",),
    )
