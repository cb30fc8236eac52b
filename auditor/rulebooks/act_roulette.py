"""Tournament American Roulette (ACT, NI2002-45): one zero, 37 pockets, a layout and a race track.

The way through the files: `roulette_layout` (wheel, spots, odds), `roulette_spins` (launches and their validity),
`roulette_rounds` (where a round ends), `roulette_play` (one round, its options and its doubts), `roulette_wagers`
(permitted wagers and their settlement), `roulette_piles` (a player paid in one pile); here the dealer's duties at
wheel and dolly, and the judge.
"""

from collections.abc import Iterator

from auditor import log
from auditor.ledgers import Gap, Ledger
from auditor.log import AnyEvent
from auditor.settlement import Settlement
from auditor.wager_checks import Stake
from auditor.findings import Finding, Judgement, Status
from auditor.game import Game
from auditor.rounds import Round
from auditor.rulebooks.roulette_play import NEVER, Bet, Play, RouletteHouse
from auditor.rulebooks.roulette_rounds import DollyLifted, lifted_n, played
from auditor.rulebooks.roulette_spins import PILE, Attempt, Fault, attempts_of, gap_between, sure, wagers
from auditor.rulebooks.roulette_wagers import bet_findings, frozen_findings, not_by_the_book, settle
from auditor.worlds import judge_all


def _stops(event: AnyEvent) -> bool | None:
    """Whether an event ends a spin (True) or begins one (False); None: neither."""
    if isinstance(event, log.Call):
        return True if event.what in ("no_spin", "void") else None
    if isinstance(event, log.Ball):
        return True if event.event != "leave_track" else None
    return False if isinstance(event, log.Spin) else None


class Roulette(Game[RouletteHouse]):
    """The rulebook."""

    id = "act-roulette"
    citation = "NI2002-45 Roulette"
    house_type = RouletteHouse
    boundary = DollyLifted()
    one_deck = False

    def printed(self, round: Round) -> bool:
        """A round in which something was wagered or spun."""
        if any(attempt.begun for attempt in attempts_of(round)):
            return True
        placed = any(change.by != "dealer" and change.rise > 0 for ledger in wagers(round) for change in ledger.changes)
        return placed or (played(round) and any(ledger.carried for ledger in wagers(round)))

    def status(self, round: Round) -> Status:
        """Void if no spin was valid; complete when the dolly was lifted or all is settled."""
        play = _seen_as(round)
        called_off = play.voided is not None and (play.last is None or not play.last.begun)
        if called_off or (play.resolved and play.voided is not None and play.validity.sure):
            return "void"
        return "complete" if round.ended and play.resolved else "unfinished"

    def span(self, round: Round) -> tuple[float, float]:
        """From the lifting of the dolly to the last payout."""
        before = round.previous
        early_lift = lifted_n(before) if before is not None else None
        opened = before.events[early_lift].t if before is not None and early_lift is not None else round.opened
        play = _seen_as(round)
        if not round.ended or play.decided_n is None:
            return opened, round.closed
        moves = play.dealer_moves(play.decided_n)
        return opened, moves[-1][1].t if moves else round.closed

    def hides(self, round: Round, gap: Gap, finding: Finding) -> bool:
        """A wager is judged as it was last seen; for one that is late, only the time since betting closed matters."""
        if finding.kind not in ("bet.late", "bet.moved"):
            return False
        closed = [n for n, call in round.calls if call.what == "no_more_bets" and call.t <= finding.t]
        if gap.until_n is None or not closed or gap.until_n > closed[-1]:
            return gap.since <= finding.t
        # Betting was seen closed since; but if the ball was launched unseen, that may have been on another spin.
        before = sorted((n, _stops(event)) for n, event in (*round.wheel, *round.calls) if n < closed[-1])
        stops = [stop for _, stop in before if stop is not None]
        return gap.since <= finding.t and stops[-1:] != [False]

    def untouched_n(self, round: Round) -> int:
        """Until the ball is launched nothing but wagers."""
        return next((n for n, event in round.wheel if isinstance(event, log.Spin)), -1)

    def judge(self, round: Round, house: RouletteHouse) -> Judgement:
        return judge_play(Play(round, house))

    def audit(self, round: Round, house: RouletteHouse) -> Judgement:
        """The judgement that holds wherever the ball may lie, if that was not surely read."""
        round.legacy = play = Play(round, house)
        return judge_all(lambda: judge_play(play), play.doubts(), one_deck=False)


def _seen_as(round: Round) -> Play:
    return round.legacy if isinstance(round.legacy, Play) else Play(round, RouletteHouse())


def judge_play(play: Play) -> Judgement:
    """What the rules say of the round, for the pocket and the validity that are assumed."""
    findings: list[Finding] = []
    at_fault: dict[Ledger, Finding] = {}
    for number, attempt in enumerate(play.attempts):
        following = play.attempts[number + 1] if attempt is not play.last else None
        next_n = following.launch[0] if following is not None and following.launch is not None else NEVER
        findings += fault_findings(play, attempt)
        findings += void_settled(play, attempt, next_n)
        for ledger, found in frozen_findings(play, attempt, next_n):
            findings.append(found)
            if attempt is play.last:
                at_fault[ledger] = found
    findings += dealer_findings(play)
    for bet in play.bets if play.is_closed else ():
        for found in bet_findings(play, bet):
            findings.append(found)
            if not_by_the_book(bet, found):
                at_fault.setdefault(bet.stake.ledger, found)
    bets = [bet._replace(reported=at_fault.get(bet.stake.ledger)) for bet in play.bets]
    bets += [
        Bet(Stake(ledger, int(found.observed), found.verdict == "breach", found.t), play.spot_at(ledger.at), found)
        for ledger, found in at_fault.items() if found.kind == "bet.late"
    ]  # fmt: skip
    decided = play.closed_n if play.decided_n is None else play.decided_n
    settlement = Settlement(play.round, play.house, since=play.closed_n, decided=decided, voided=play.voided)
    if play.marked:
        settlement.blind = False  # whatever went unseen while the ball ran, the table took this number for the result
    settle(play, settlement, bets)
    return Judgement(wagers=settlement.wagers, findings=findings + settlement.findings, spin=play.spin_result())


# ---- spins that do not count -------------------------------------------------------------------------------------


def fault_findings(play: Play, attempt: Attempt) -> Iterator[Finding]:
    """5.1, 5.2: the dealer spins the ball against the wheel, and calls NO SPIN before a short spin comes to count."""
    in_doubt = attempt is play.last and not play.validity.sure
    if in_doubt and play.valid:
        return
    for fault in attempt.faults:
        if fault.kind is not None and (fault.as_read or in_doubt):
            yield Finding(
                kind=fault.kind, rule=fault.clause, t=fault.t, expected=fault.expected, observed=fault.observed,
                message=f"{fault.why}.",
                verdict="breach" if fault.proven else "unsure", reads=() if fault.proven else ("the spin",),
            )  # fmt: skip


def void_settled(play: Play, attempt: Attempt, next_n: int) -> Iterator[Finding]:
    """Nobody wins on a spin that is not valid: nothing may be paid or taken on it before the next launch."""
    valid = play.valid if attempt is play.last else attempt.valid
    fault = attempt.reason
    if valid or fault is None or fault.rule == "10.4":
        return  # a spin that is only called off is the director's business (10.5)
    start = attempt.launch[0] if attempt.launch is not None else attempt.moves[0][0]
    net: dict[Ledger, int] = {}
    moves = play.dealer_moves(start, next_n)
    for ledger, change in moves:
        net[ledger] = net.get(ledger, 0) + change.rise
    settled = [(ledger, change) for ledger, change in moves if net[ledger]]
    if settled:
        ledger, change = settled[0]
        certain = valid is False and change.sure and not gap_between(play.round, start, change.n)  # a new launch, say
        yield _settled_finding(fault, ledger, change.t, "paid" if change.rise > 0 else "taken", certain=certain)


def _settled_finding(fault: Fault, ledger: Ledger, t: float, done: str, *, certain: bool) -> Finding:
    return Finding(
        kind="spin.void_settled", rule=fault.rule, t=t, observed=ledger.at,
        message=f"{fault.why}: the spin is not valid, but chips were {done} at {ledger.at} on it.",
        verdict="breach" if certain else "unsure", reads=() if certain else ("the spin",),
    )  # fmt: skip


# ---- NO MORE BETS and the dolly ----------------------------------------------------------------------------------


def dealer_findings(play: Play) -> Iterator[Finding]:
    """What the dealer owes a spin that counts; NO MORE BETS may stand from a spin before it in the same round."""
    if play.last is not None and play.valid:
        if all(attempt.no_more_bets is None for attempt in play.attempts[:-1]):
            yield from _no_more_bets(play.round, play.last)
        yield from _dolly_placed(play, play.last)
        yield from _dolly_lifted(play)


def _no_more_bets(round: Round, attempt: Attempt) -> Iterator[Finding]:
    """5.3: called before the ball comes to rest."""
    if attempt.rest is None or attempt.end is None or attempt.launch is None:
        return  # where the launch was not seen, the call may not have been either
    call = attempt.no_more_bets
    if call is not None and sure(round, call[1]):
        return
    certain = call is None and not gap_between(round, attempt.since_n, attempt.end[0])
    yield Finding(
        kind="spin.no_more_bets", rule="5.3", t=attempt.rest.t,
        message=f"The ball came to rest at {attempt.rest.t:.1f} s, and NO MORE BETS had not been called.",
        verdict="breach" if certain else "unsure", reads=() if certain else ("call of NO MORE BETS",),
    )  # fmt: skip


def _dolly_placed(play: Play, attempt: Attempt) -> Iterator[Finding]:
    """The dolly indicates the winning number, so it is put there, and not before the ball tells which it is."""
    if attempt.rest is None or attempt.end is None:
        return
    for n, dolly in attempt.dollies:
        early = n < attempt.end[0] and attempt.launch is not None and n > attempt.launch[0]
        wrong = n > attempt.end[0] and dolly.at != play.pocket.card and dolly.at != attempt.rest.pocket
        if not early and (not wrong or attempt.rest.pocket is None):
            continue
        when = "before the ball came to rest" if early else f"but the ball lies in {play.pocket.card}"
        certain = sure(play.round, dolly)
        yield Finding(
            kind="spin.dolly", rule="def. Dolly", t=dolly.t, expected=None if early else play.pocket.card,
            observed=dolly.at, message=f"The dolly was put on {dolly.at}, {when}.",
            verdict="breach" if certain else "unsure", reads=() if certain else ("dolly",),
        )  # fmt: skip


def _dolly_lifted(play: Play) -> Iterator[Finding]:
    """The round lasts until all is paid; the dolly stays on the number so long, and putting it back undoes nothing."""
    pocket = play.pocket.card
    lifts = list(_liftings(play))
    if not lifts or pocket is None:
        return
    lifted, event = lifts[0]
    winning = {bet.stake.ledger for bet in play.bets if bet.spot is not None and bet.spot.gains[pocket] > 0}
    for ledger, change in play.dealer_moves(lifted):
        if change.rise > 0 and (ledger in winning or ledger.at == PILE):
            certain = sure(play.round, event) and change.sure
            yield Finding(
                kind="spin.dolly", rule="def. Round of Play", t=event.t, observed=ledger.at,
                message=f"The dolly was lifted at {event.t:.1f} s, {ledger.at} was paid at {change.t:.1f} s.",
                verdict="breach" if certain else "unsure", reads=() if certain else ("dolly",),
            )  # fmt: skip
            return


def _liftings(play: Play) -> Iterator[tuple[int, log.Dolly]]:
    """When the dolly left the number; one that stood on a wrong number has to leave it."""
    standing: int | None = None
    for n, event in play.round.wheel:
        if not isinstance(event, log.Dolly) or play.decided_n is None or n < play.decided_n:
            continue
        if event.at is None and (standing == play.pocket.card or n == play.lifted_n):
            yield n, event
        standing = event.at
