"""A roulette player paid in one pile: the pile is held against the sum of what the wagers of his colour are due."""

from auditor.findings import Finding
from auditor.ledgers import Change, Ledger
from auditor.outcomes import Outcome, amount_text
from auditor.rulebooks.roulette_play import Bet, Play
from auditor.rulebooks.roulette_spins import PILE
from auditor.settlement import Settlement, flow_since

Settled = tuple[Bet, Outcome]


def settle_pile(
    play: Play, settlement: Settlement, colour: str | None, group: list[tuple[Bet, list[Outcome]]]
) -> set[Ledger]:
    """Settle one colour's wagers, given with the outcomes the table may have acted on; answers which that settles."""
    pile = play.round.chips[PILE, colour]
    moves = [change for change in pile.changes if change.n > play.closed_n and _is_payment(change)]
    paid = sum(change.rise for change in moves)
    winners = [(bet, each[0]) for bet, each in group if each[0].result == "win" and bet.reported is None]
    nets = [flow_since(bet.stake.ledger, play.closed_n).net for bet, _ in winners]
    # A wager that was itself at fault may have been paid or not.
    at_fault = _sums([(bet, each) for bet, each in group if bet.reported is not None])
    due = sum(outcome.due or 0 for _, outcome in winners)
    also = at_fault.get(paid + sum(nets) - due)
    if also is None:
        # Wagers that were paid or taken at their own spots are held against that, the rest against the pile.
        unpaid = sum(outcome.due or 0 for (_, outcome), net in zip(winners, nets, strict=True) if net <= 0)
        winners = [winner for winner, net in zip(winners, nets, strict=True) if net == 0]
        due = sum(outcome.due or 0 for _, outcome in winners)
        also = at_fault.get(paid - due, [] if paid == unpaid else None)
    if also is None and any(each[0].due is None for _, each in group):
        also = []  # what uneven pieces are due is open
    fits = also is not None
    if settlement.gap is not None:
        settlement.hidden = True
    elif play.round.ended and not fits:
        all_read = all(change.sure and pile.sure_before(change.n) for change in moves)
        all_read = all_read and all(bet.stake.sure for bet, _ in winners)
        certain = all_read and not _may_hide_wagers(play, more=paid > due)
        settlement.findings.append(_pile_finding(play, colour, winners, due, paid, moves[-1].t, certain=certain))
    moved = {bet: each[0] for bet, each in group if bet.reported is not None and bet.reported.kind == "bet.moved"}
    for bet, outcome in (*winners, *(also or ())):
        share = outcome.due if fits else paid if len(winners) == 1 else None
        seen = settlement.gap is None and play.round.ended
        listed = moved.get(bet, outcome)  # as it stood when betting closed, whatever the pile pays on
        settlement.record(bet.stake.ledger, bet.stake.amount, listed, share if seen else None, sure=bet.stake.sure)
    return {bet.stake.ledger for bet, _ in (*winners, *(also or ()))}


def _sums(faulty: list[tuple[Bet, list[Outcome]]]) -> dict[int, list[Settled]]:
    """Every sum that wagers at fault may have been paid together, with those that it pays."""
    sums: dict[int, list[Settled]] = {0: []}
    for bet, outcomes in faulty:
        for total, chosen in list(sums.items()):
            for outcome in outcomes:
                if outcome.due:
                    sums.setdefault(total + outcome.due, [*chosen, (bet, outcome)])
    return sums


def _may_hide_wagers(play: Play, *, more: bool) -> bool:
    """Whether wagers may have been placed unseen; or, where the pile holds `more` than is due, been left standing
    since the round before, in which nobody touched them because they won."""
    before = play.round.previous
    return bool(play.round.gaps) or (more and before is not None and bool(before.gaps))


def _is_payment(change: Change) -> bool:
    return change.by == "dealer" or (change.by is None and change.rise > 0)


def _pile_finding(
    play: Play, colour: str | None, winners: list[Settled], due: int, paid: int, t: float, *, certain: bool
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
