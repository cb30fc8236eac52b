"""The wagers of a roulette round: which are permitted (3, 4), and what each is due (6, 7)."""

from collections.abc import Callable, Iterator

import msgspec

from auditor import log
from auditor.ledgers import Change, Ledger
from auditor.outcomes import Outcome, amount_text, loses, pays, pushes, undecided, voids
from auditor.settlement import Settlement, flow_since, settled_at_wrong_time
from auditor.wager_checks import LimitRules, table_limits, touched
from auditor.findings import Finding
from auditor.log import cents
from auditor.rounds import Round
from auditor.rulebooks.roulette_layout import Spot
from auditor.rulebooks.roulette_piles import settle_pile
from auditor.rulebooks.roulette_play import NEVER, Bet, Play
from auditor.rulebooks.roulette_spins import Attempt, sure, wagers

# ---- what may be wagered -----------------------------------------------------------------------------------------


def bet_findings(play: Play, bet: Bet) -> Iterator[Finding]:
    """3.1-3.4, 4.3, 4.6-4.8 for one wager; those after which it is not settled by the book come first."""
    stake, spot, house = bet.stake, bet.spot, play.house
    ledger, amount, most = stake.ledger, stake.amount, house.max_cents
    if spot is None:
        marker = ledger.marker and play.spot_at(ledger.at) is not None
        rule = "4.7" if marker else "4.8" if ledger.at.startswith("track/") else "4.3"
        why = "a maximum marker stands on a single number" if marker else "the rules permit no such wager"
        yield _bet(bet, "bet.invalid", rule, 0, f"{amount_text(amount)} was wagered on {ledger.at}: {why}.")
        return
    chip = play.chip_value(ledger.colour)
    if spot.pieces > 1 and amount % (spot.pieces * chip):
        pieces = f"{amount_text(amount)} does not make {spot.pieces} equal pieces"
        yield _bet(bet, "bet.amount", spot.rule, spot.pieces * chip, f"{spot.why}: {pieces}.")
    elif amount % chip and (house.multiple is None or amount % cents(house.multiple) == 0):
        words = f"{amount_text(amount)} cannot be laid in {ledger.colour} chips of {amount_text(chip)}."
        yield _bet(bet, "bet.multiple", "4.6", chip, words)
    if ledger.marker and spot.pieces == 1 and most is not None and amount < most:
        words = f"A maximum marker stands for {amount_text(most)}, not for {amount_text(amount)}."
        yield _bet(bet, "bet.amount", "4.7", most, words)
    most_here = None if most is None else most * spot.pieces
    yield from table_limits(stake, house, most_here, LimitRules("3.3", "3.4", "3.2", tournament="12.13"))


def not_by_the_book(bet: Bet, found: Finding) -> bool:
    """Whether the rules leave open what the wager is then due: no such wager, uneven pieces, chips of a marker that
    are neither one maximum nor the maximum for all combinations of its number.
    """
    if found.kind == "bet.limit":
        return bet.stake.ledger.marker and bet.stake.amount > int(found.expected)
    return found.kind in ("bet.invalid", "bet.amount") and (bet.spot is None or bet.spot.pieces > 1)


def _bet(bet: Bet, kind: str, rule: str, expected: int, message: str) -> Finding:
    stake = bet.stake
    is_proved = stake.there if kind == "bet.invalid" else stake.proved
    return Finding(
        kind=kind, rule=rule, t=stake.t, at=stake.ledger.at, colour=stake.ledger.colour, expected=expected,
        observed=stake.amount, message=message, verdict="breach" if is_proved else "unsure",
        reads=() if stake.proved else (f"chips at {stake.ledger.at}",),
    )  # fmt: skip


def frozen_findings(play: Play, attempt: Attempt, next_n: int) -> Iterator[tuple[Ledger, Finding]]:
    """4.4: nobody touches a wager between NO MORE BETS and its settlement, or the end of a spin that does not count."""
    if attempt.closed_n is None:
        return
    counts = attempt is play.last and (play.valid or not play.resolved)
    until = _payouts_complete(play) if counts else next_n if attempt.over_n is None else attempt.over_n
    call = attempt.no_more_bets[1] if attempt.no_more_bets else None
    weak = ("call of NO MORE BETS",) if call is not None and not sure(play.round, call) else ()
    unseen_end = not counts and attempt.over_n is None  # so from when on wagers were free again is not known
    allowed = _free_after_result(play) if counts else None
    voided = {call.at: n for n, call in play.round.calls if call.what == "void" and call.at is not None}
    for ledger in wagers(play.round):
        given_back_n = voided.get(ledger.at, NEVER)  # 10.3
        found = touched(ledger, attempt.closed_n, min(until, given_back_n), "4.4", allowed)
        if found is not None:
            unknown = (*weak, *(("how the spin ended",) if unseen_end and found.t > attempt.last_seen_t else ()))
            verdict = "unsure" if unknown else found.verdict
            yield ledger, msgspec.structs.replace(found, verdict=verdict, reads=(*found.reads, *unknown))


def _payouts_complete(play: Play) -> int:
    """The last movement of the dealer: chips laid down after it are the next round's.

    Where no wager stood and no number was marked, they are so from the result on.
    """
    moves = play.dealer_moves(play.decided_n) if play.decided_n is not None else []
    if moves:
        return moves[-1][1].n
    idle = play.decided_n is not None and play.last is not None and not play.bets and not play.last.dollies
    return play.decided_n if idle and play.decided_n is not None else NEVER


def _free_after_result(play: Play) -> Callable[[Ledger, Change], bool]:
    """Once the number is marked, chips that go are for settlement to judge; so are those of a colour paid in a pile."""
    shown_n = NEVER if play.decided_n is None else play.decided_n
    if play.last is not None and play.last.rest is not None:
        marked = [n for n, _ in play.last.dollies if n > shown_n]
        moves = play.dealer_moves(shown_n)
        if marked and (not moves or marked[0] < moves[0][1].n):
            shown_n = marked[0]

    def free(ledger: Ledger, change: Change) -> bool:
        if change.n > play.piles.get(ledger.colour, NEVER):
            return True
        return change.n > shown_n and (change.rise < 0 or _wagers_anew(play, ledger, change, shown_n))

    return free


def _wagers_anew(play: Play, ledger: Ledger, change: Change, shown_n: int) -> bool:
    """4.4 binds a player until his own wagers are settled: what he then lays down and leaves is for the next round."""
    own = [bet.stake.ledger for bet in play.bets if bet.stake.ledger.colour == ledger.colour]
    if not own or not ledger.amount or any(each.by == "dealer" and each.n > change.n for each in ledger.changes):
        return False
    return all(any(each.by == "dealer" and shown_n < each.n < change.n for each in mine.changes) for mine in own)


# ---- what a wager is due -----------------------------------------------------------------------------------------


def outcome_of(play: Play, spot: Spot, risk: int, at: str) -> Outcome:
    """6.1, 7.1, 7.3: what the pocket brings a wager of so much."""
    pocket = play.pocket.card
    if not play.resolved or pocket is None:
        return undecided("7.1", "The ball was not seen to rest")
    gain = spot.gains[pocket]
    if gain == -spot.pieces:
        return loses(risk, "7.3(b)" if pocket == 0 else "7.1", f"{pocket} is not on {at}")
    if spot.pieces == 1:
        return pays(risk, (gain, 1), "7.3(a)" if pocket == 0 else spot.rule, spot.why)
    why = f"On {pocket}, {spot.name} gains {gain} for every {spot.pieces} staked"
    if gain > 0:
        return pays(risk, (gain, spot.pieces), spot.rule, why)
    if gain == 0:
        return pushes(spot.rule, why)
    why = f"On {pocket}, {spot.name} loses {-gain} of every {spot.pieces} staked"
    return loses(risk * -gain // spot.pieces, spot.rule, why)


def outcomes_of(play: Play, bet: Bet) -> list[Outcome]:
    """The outcome of a wager; where the wager itself was at fault, every one that the table may have acted on."""
    ledger = bet.stake.ledger
    if play.round.called("void", ledger.at) is not None:
        return [voids("10.3", f"The wager at {ledger.at} was declared void")]
    if bet.spot is None:
        rule = "4.8" if ledger.at.startswith("track/") else "4.3"
        return [voids(rule, f"{ledger.at} is not a wager that the rules permit")]
    due = outcome_of(play, bet.spot, play.risk(bet), ledger.at)
    if bet.reported is None:
        return [due]
    if bet.reported.kind == "bet.limit":
        return [due]
    if bet.reported.kind == "bet.amount":
        return [due._replace(due=None)] if due.result == "win" and bet.spot.pieces > 1 else [due]
    returned = voids("4.4", f"The wager at {ledger.at} was not placed in time")
    if bet.reported.kind == "bet.late":
        return [returned, due]
    changed = outcome_of(play, bet.spot, int(bet.reported.observed), ledger.at)
    return [due, changed, returned]


def settle(play: Play, settlement: Settlement, bets: list[Bet]) -> None:
    """Hold every wager against what the dealer did; a colour that was paid in a pile, against the sum."""
    outcomes = [outcomes_of(play, bet) for bet in bets]
    piled = set()
    if settlement.voided is None and play.resolved:
        for colour in play.piles:
            pairs = zip(bets, outcomes, strict=True)
            group = [(bet, each) for bet, each in pairs if bet.stake.ledger.colour == colour]
            piled |= settle_pile(play, settlement, colour, group)
        _paid_for_nothing(play, settlement, bets)
    for bet, each in zip(bets, outcomes, strict=True):
        stake = bet.stake
        if stake.ledger in piled:
            continue
        corrected = play.decided_n is not None and stake.ledger.before(play.decided_n) == play.risk(bet)
        found = settlement.wager(
            stake.ledger, stake.amount, *each, sure=stake.sure, reported=bet.reported is not None,
            since=play.decided_n if corrected else None,  # what lay wrong before was put right, and settles nothing
        )  # fmt: skip
        if found is None and settlement.voided is None and bet.reported is None and not corrected:
            _before_rest(play, settlement, stake.ledger)
    settlement.view_gap("7.1")


def _before_rest(play: Play, settlement: Settlement, ledger: Ledger) -> None:
    """7.2: wagers are settled as they lie when the ball comes to rest, so not before it."""
    if play.last is None or play.last.rest is None or play.decided_n is None:
        return
    for change in ledger.changes:
        if change.by == "dealer" and change.rise and play.closed_n < change.n < play.decided_n:
            why = f"The ball came to rest at {play.last.rest.t:.1f} s"
            settlement.findings.append(settled_at_wrong_time(ledger, change, "7.2", why))
            return


def _seen_empty(round: Round, ledger: Ledger) -> bool:
    """Whether no chips can have been left at a spot when the view was lost in an earlier round."""
    first_read = round.first_reads.get((ledger.at, ledger.colour), round.opened)
    return round.blind_since is None or first_read < round.opened


def _paid_for_nothing(play: Play, settlement: Settlement, bets: list[Bet]) -> None:
    """6.1: only wagers are paid. Said only if the layout was seen from the lifting of the dolly on."""
    first = play.round.events[0]
    from_the_start = play.round.previous is not None or (isinstance(first, log.Dolly) and first.at is None)
    if play.round.gaps or not from_the_start:
        return
    known = {bet.stake.ledger for bet in bets}
    for ledger in wagers(play.round):
        if ledger in known or ledger.before(play.closed_n) or not _seen_empty(play.round, ledger):
            continue
        flow = flow_since(ledger, play.closed_n)
        own = any(change.by != "dealer" and change.rise > 0 and change.n > play.closed_n for change in ledger.changes)
        if own or flow.net <= 0:
            continue
        settlement.findings.append(
            Finding(
                kind="payout.over", rule="6.1", t=flow.t, at=ledger.at, colour=ledger.colour, expected=0,
                observed=flow.net, message=f"{amount_text(flow.net)} was paid at {ledger.at}, where no wager stood.",
                verdict="breach" if flow.sure else "unsure", reads=() if flow.sure else (f"chips at {ledger.at}",),
            )
        )
