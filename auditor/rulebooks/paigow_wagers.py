"""Pai gow's rules on wagers (5, 7, 17): limits, the house's box, the closing of bets, order; and when they are paid."""

from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from auditor.ledgers import Change, Ledger
from auditor.marker_checks import changed_after_turn, marker_moved, marker_order
from auditor.outcomes import amount_text
from auditor.settlement import settled_at_wrong_time
from auditor.wager_checks import LimitRules, Stake, frozen, table_limits
from auditor.findings import Finding, Result
from auditor.places import box_number, box_of
from auditor.rulebooks.paigow_play import BANK, HAND_TILES, MAIN, NEVER, Act

Results = Callable[[str], set[Result | None]]


def bets(act: Act) -> Iterator[Finding]:
    """5: limits; 7.3: no wager on the house's box; 17: order of wagers and the marker in a tournament."""
    house = act.house
    for stake in act.stakes:
        yield from table_limits(stake, house, house.max_cents, LimitRules("5.3", "5.4", "5.2", tournament="17.13"))
    for stake in act.on_bank:
        yield Finding(
            kind="bet.invalid", rule="7.3", t=stake.t, at=stake.ledger.at, expected=0, observed=stake.amount,
            message=f"A wager of {amount_text(stake.amount)} stands on box one, the house's box.",
            verdict="breach" if stake.there else "unsure", reads=() if stake.sure else (f"chips at {stake.ledger.at}",),
        )  # fmt: skip
    yield from marker_order(act.round, house, act.stakes, "17.14", closed_n=act.closed_n)
    yield from marker_moved(act.round, house, act.stakes, "def. Marker", house_box=box_number(BANK))


def changed_wagers(act: Act, results: Results) -> Iterator[Finding]:
    """7.1, 7.4: wagers placed or changed after betting closed; 17.14: or, in a tournament, after the player's turn."""
    reported = set()
    allowed = partial(_settled_move, act, results)
    for finding in frozen(act.round, MAIN, act.closed_n, NEVER, "7.4", allowed):
        reported.add(finding.at)
        if finding.at is not None and box_of(finding.at) == BANK:
            yield msgspec.structs.replace(finding, kind="bet.invalid", rule="7.3")
        elif finding.kind == "bet.late" and act.closed_n == act.opened_n:  # closed by the cup, not by the call
            yield msgspec.structs.replace(finding, rule="7.1")
        else:
            yield finding
    for finding in changed_after_turn(act.round, act.house, MAIN, "17.14", house_box=box_number(BANK)):
        if finding.at not in reported:
            yield finding


def _settled_move(act: Act, results: Results, ledger: Ledger, change: Change) -> bool:
    """7.4: once a decision was rendered and implemented, the chips are the player's again."""
    box = box_of(ledger.at)
    if change.n > min(act.void_n, act.hand_voided_n(box)) or any(stake.ledger is ledger for stake in act.on_bank):
        return True
    open_n = act.readable_n(BANK)
    if box not in act.staked:
        return change.n > open_n
    collected = [slot.gone_n for slot in act.round.hand(box) if slot.gone_n is not None and slot.gone_n > act.dealt_n]
    shown_n = act.readable_n(box)
    if open_n >= NEVER and not change.after:
        return True  # picked up, and the Bank's hand was never read: it may have been decided
    read_n = max(open_n, shown_n) if shown_n < NEVER else open_n  # a hand never read may have been shown all the same
    if change.n < min([read_n, *collected]):
        return False
    # More chips on a wager that wins or loses, before the dealer has paid or taken it, are added to that wager.
    return change.rise < 0 or change.before == 0 or not {*results(box)} & {"win", "lose"}


def paid_early(act: Act, stake: Stake) -> Iterator[Finding]:
    """11.1: a hand wins by comparison with the Bank's, so it is not paid before all four tiles of that lie open.

    What was taken before then may have been given up (11.7); what was paid and taken back again was not settled.
    """
    open_n = act.readable_n(BANK)
    turned = [slot for slot in act.round.hand(BANK) if slot.seen_n is not None]
    unseen = any(gap.n < open_n and (gap.until_n is None or gap.until_n > act.opened_n) for gap in act.round.gaps)
    if unseen or len(turned) < HAND_TILES:
        return
    moves = [c for c in stake.ledger.changes if act.closed_n < c.n < open_n and c.by == "dealer"]
    if sum(change.rise for change in moves) <= 0:
        return
    first = next(change for change in moves if change.rise > 0)
    yield settled_at_wrong_time(stake.ledger, first, "11.1", "The Bank's tiles were not turned up yet")
