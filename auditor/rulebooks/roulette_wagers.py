"""The wagers of a roulette round: which are permitted (3, 4), and what each is due (6, 7)."""

from collections.abc import Callable, Iterator

import msgspec

from auditor import log
from auditor.checks import limits, touched
from auditor.findings import Finding
from auditor.log import cents
from auditor.rounds import Change, Ledger
from auditor.rulebooks.roulette_layout import Spot
from auditor.rulebooks.roulette_play import NEVER, Bet, Play
from auditor.rulebooks.roulette_spins import PILE, Attempt, sure, wagers
from auditor.settlement import Outcome, Settlement, amount_text, flow_since, loses, pays, pushes, undecided, voids

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
    rule = "3.4" if most_here is not None and amount > most_here else "3.3"
    yield from limits(stake, house.min_cents, most_here, house.multiple, (rule, "3.2"))


def _bet(bet: Bet, kind: str, rule: str, expected: int, message: str) -> Finding:
    stake = bet.stake
    return Finding(
        kind=kind, rule=rule, t=stake.t, at=stake.ledger.at, colour=stake.ledger.colour, expected=expected,
        observed=stake.amount, message=message, verdict="breach" if stake.sure else "unsure",
        reads=() if stake.sure else (f"chips at {stake.ledger.at}",),
    )  # fmt: skip


def frozen_findings(play: Play, attempt: Attempt, next_n: int) -> Iterator[tuple[Ledger, Finding]]:
    """4.4: nobody touches a wager between NO MORE BETS and its settlement, or the end of a spin that does not count."""
    if attempt.closed_n is None:
        return
    counts = attempt is play.last and (play.valid or not play.resolved)
    until = _payouts_complete(play) if counts else next_n if attempt.over_n is None else attempt.over_n
    call = attempt.no_more_bets[1] if attempt.no_more_bets else None
    weak = call is not None and not sure(play.round, call)
    allowed = _free_after_result(play) if counts else None
    for ledger in wagers(play.round):
        found = touched(ledger, attempt.closed_n, until, "4.4", allowed)
        if found is not None:
            if weak:
                found = msgspec.structs.replace(found, verdict="unsure", reads=(*found.reads, "call of NO MORE BETS"))
            yield ledger, found


def _payouts_complete(play: Play) -> int:
    """The last movement of the dealer: chips laid down after it are the next round's."""
    moves = play.dealer_moves(play.decided_n) if play.decided_n is not None else []
    return moves[-1][1].n if moves else NEVER


def _free_after_result(play: Play) -> Callable[[Ledger, Change], bool]:
    """Once the number is marked, chips that go are for settlement to judge; so are those of a colour paid in a pile."""
    shown_n = NEVER if play.decided_n is None else play.decided_n
    if play.last is not None and play.last.rest is not None:
        marked = [n for n, _ in play.last.dollies if n > shown_n]
        moves = play.dealer_moves(shown_n)
        if marked and (not moves or marked[0] < moves[0][1].n):
            shown_n = marked[0]

    def free(ledger: Ledger, change: Change) -> bool:
        return (change.n > shown_n and change.rise < 0) or change.n > play.piles.get(ledger.colour, NEVER)

    return free


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
        return [voids("4.3", f"{ledger.at} is not a wager that the rules permit")]
    due = outcome_of(play, bet.spot, play.risk(bet), ledger.at)
    if bet.reported is None:
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
            group = [(bet, each[0]) for bet, each in pairs if bet.stake.ledger.colour == colour]
            piled |= _settle_pile(play, settlement, colour, group)
        _paid_for_nothing(play, settlement, bets)
    for bet, each in zip(bets, outcomes, strict=True):
        stake = bet.stake
        if stake.ledger in piled:
            continue
        found = settlement.wager(stake.ledger, stake.amount, *each, sure=stake.sure, reported=bet.reported is not None)
        if found is None and settlement.voided is None and bet.reported is None:
            _before_rest(play, settlement, stake.ledger)
    settlement.view_gap("7.1")


def _before_rest(play: Play, settlement: Settlement, ledger: Ledger) -> None:
    """7.2: wagers are settled as they lie when the ball comes to rest, so not before it."""
    if play.last is None or play.last.rest is None or play.decided_n is None:
        return
    rest_t = play.last.rest.t
    for change in ledger.changes:
        if change.by == "dealer" and change.rise and play.closed_n < change.n < play.decided_n:
            settlement.findings.append(
                Finding(
                    kind="payout.order", rule="7.2", t=change.t, at=ledger.at, colour=ledger.colour,
                    message=f"{ledger.at} was settled at {change.t:.1f} s; the ball came to rest at {rest_t:.1f} s.",
                    verdict="breach" if change.sure else "unsure",
                    reads=() if change.sure else (f"chips at {ledger.at}",),
                )
            )
            return


def _paid_for_nothing(play: Play, settlement: Settlement, bets: list[Bet]) -> None:
    """6.1: only wagers are paid. Said only if the layout was seen from the lifting of the dolly on."""
    first = play.round.events[0]
    from_the_start = play.round.previous is not None or (isinstance(first, log.Dolly) and first.at is None)
    if play.round.gaps or not from_the_start:
        return
    known = {bet.stake.ledger for bet in bets}
    for ledger in wagers(play.round):
        if ledger in known or ledger.before(play.closed_n):
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


def _settle_pile(
    play: Play, settlement: Settlement, colour: str | None, group: list[tuple[Bet, Outcome]]
) -> set[Ledger]:
    """One colour paid in one pile: the sum of what its wagers are due. Answers which wagers are thereby settled."""
    pile = play.round.chips[PILE, colour]
    moves = [change for change in pile.changes if change.n > play.closed_n and _is_payment(change)]
    paid = sum(change.rise for change in moves)
    winners = [(bet, outcome) for bet, outcome in group if outcome.result == "win" and bet.reported is None]
    nets = [flow_since(bet.stake.ledger, play.closed_n).net for bet, _ in winners]
    # A wager that was itself at fault may have been paid or not.
    faulty = [bet for bet, _ in group if bet.reported is not None]
    at_fault = sum(max(each.due or 0 for each in outcomes_of(play, bet)) for bet in faulty)
    due = sum(outcome.due or 0 for _, outcome in winners)
    fits = paid + sum(nets) in (due, due + at_fault)
    if not fits:
        # Wagers that were paid or taken at their own spots are held against that, the rest against the pile.
        fits = paid == sum(outcome.due or 0 for (_, outcome), net in zip(winners, nets, strict=True) if net <= 0)
        winners = [winner for winner, net in zip(winners, nets, strict=True) if net == 0]
        due = sum(outcome.due or 0 for _, outcome in winners)
        fits = fits or paid in (due, due + at_fault)
    if settlement.gap is not None:
        settlement.hidden = True
    elif play.round.ended and not fits:
        certain = all(change.sure for change in moves) and all(bet.stake.sure for bet, _ in winners)
        settlement.findings.append(_pile_finding(play, colour, winners, due, paid, moves[-1].t, certain=certain))
    for bet, outcome in winners:
        share = outcome.due if fits else paid if len(winners) == 1 else None
        seen = settlement.gap is None and play.round.ended
        settlement.record(bet.stake.ledger, bet.stake.amount, outcome, share if seen else None, sure=bet.stake.sure)
    return {bet.stake.ledger for bet, _ in winners}


def _is_payment(change: Change) -> bool:
    return change.by == "dealer" or (change.by is None and change.rise > 0)


def _pile_finding(
    play: Play, colour: str | None, winners: list[tuple[Bet, Outcome]], due: int, paid: int, t: float, *, certain: bool
) -> Finding:
    whose = f"{colour}'s wagers" if colour else "the wagers"
    terms = " + ".join(f"{amount_text(outcome.due or 0)} ({bet.stake.ledger.at})" for bet, outcome in winners)
    staked = any(bet.stake.ledger.colour == colour for bet in play.bets)
    kind = "payout.short" if paid < due else "payout.over" if due or not staked else "payout.loser_paid"
    rule = winners[0][1].rule if winners else "7.3(b)" if play.pocket.card == 0 else "7.1"
    return Finding(
        kind=kind, rule=rule, t=t, at=PILE, colour=colour, expected=due, observed=paid,
        message=f"On {play.pocket.card}, {whose} are due {terms or 'nothing'}, together {amount_text(due)}; "
        f"the pile holds {amount_text(paid)}.",
        verdict="breach" if certain else "unsure", reads=() if certain else (f"chips at {PILE}",),
    )  # fmt: skip
