"""Settlement: what each wager is due, against what the dealer's hand did at its spot.

A rulebook decides an outcome per wager (`auditor/outcomes.py`); :class:`Settlement` compares it with the chips and
words the finding. The dealer's net movement at the spot tells everything: +due for a win, nothing for a push, minus the
stake for a loss.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from auditor.findings import Finding, Wager
from auditor.house import House
from auditor.ledgers import Change, Ledger
from auditor.outcomes import Outcome, amount_text, fault, voids
from auditor.rounds import Round


MAX_UNKNOWN = 10  # moves by nobody known at one spot; with more of them, nothing is said of it


def _changed_stake(ledger: Ledger, since: int, decided: int) -> int:
    """What a player last had standing there when the result fell, if he changed it after betting closed."""
    amount = 0
    for change in ledger.changes:
        if change.n > since:
            if change.by == "dealer" or (change.n > decided and change.rise < 0):
                break
            amount = change.after
    return amount


class Flow(NamedTuple):
    """What happened at a spot since betting closed: the dealer's net movement, moves by nobody known, proof of it."""

    net: int
    unknown: tuple[int, ...]
    sure: bool
    last_n: int | None
    t: float
    emptied_n: int | None
    left: bool
    """Whether chips stood there for sure, however many, when the dealer had last had his hand there, and before: of
    chips nobody made out more may have stood than the table allows, which are not all lost."""

    @property
    def paid(self) -> int:
        """What was seen paid, by the dealer or by nobody known."""
        return max(self.net_at_best, 0)

    @property
    def net_at_best(self) -> int:
        """What the dealer moved if he brought what nobody known brought, and took none of what nobody known took: those
        may have been the player's own chips, and nobody is said to have taken them from him."""
        return self.net + sum(move for move in self.unknown if move > 0)

    def possible_nets(self) -> set[int]:
        """What the dealer may have moved, whoever made the moves by nobody known."""
        nets = {self.net}
        for move in self.unknown:
            nets |= {net + move for net in nets}
        return nets


def flow_since(ledger: Ledger, n: int) -> Flow:
    """The movements at a spot after event `n`."""
    net = 0
    unknown: tuple[int, ...] = ()
    sure, last_n, t, emptied_n, left = True, None, 0.0, None, False
    stood_sure = ledger.sure_before(n + 1)
    stood_there = next((change.there for change in reversed(ledger.changes) if change.n <= n), ledger.carried_sure)
    for change in ledger.changes:
        if change.n <= n:
            continue
        rise = change.after - change.before
        if change.by != "player" and change.after:
            sure = sure and stood_sure  # how much was moved hangs on what stood there before
        stood_sure = change.sure
        if change.by == "dealer":
            net += rise
            left = bool(change.after) and change.there and stood_there
        elif change.by is None:
            unknown = (*unknown, rise)
            left = False
        elif rise > 0:
            # the player's own chips: his next wager once the old one is settled, else the wager check's business
            continue
        last_n, t = change.n, change.t
        sure = sure and change.sure
        if change.after == 0:
            emptied_n = change.n
    return Flow(net, unknown, sure, last_n, t, emptied_n, left)


def _acted_on(outcomes: Sequence[Outcome], flow: Flow) -> Outcome:
    """Of several admissible outcomes the one the table acted on, or may have, whoever made moves by nobody known."""
    if len(outcomes) > 1:
        maybe = flow.possible_nets() if len(flow.unknown) <= MAX_UNKNOWN else set()
        # Where only nobody known moved chips, those that came are a payment sooner than a player's own.
        for nets in ({flow.net or flow.paid}, {flow.net}, maybe):
            for outcome in outcomes:
                if any(fault(outcome, net) is None for net in nets):
                    return outcome
    return outcomes[0]


def _wrong_on_any_amount(outcome: Outcome, stake: int, flow: Flow) -> bool:
    """Whether a wager was lost whole and the dealer left chips there: wrong, however many they were then or before."""
    return outcome.result == "lose" and outcome.charged == stake and flow.left


def _wrong_on_any_stake(outcome: Outcome, stake: int, net: int, flow: Flow) -> bool:
    """Whether the dealer did all or nothing, which is wrong whatever the stake was that was there to be picked up."""
    took_all = net == -stake and outcome.result != "lose"  # a loss taken whole is wrong only above the maximum
    return flow.last_n is not None and (took_all or net == 0)


_FAULT_WORDS = {
    "payout.missed": "{why}: {due} is due on {stake}, nothing was paid.",
    "payout.short": "{why}: {due} is due on {stake}, {paid} was paid.",
    "payout.over": "{why}: {due} is due on {stake}, {paid} was paid.",
    "payout.cap": "{why}, up to the displayed maximum: {due} is due on {stake}, {paid} was paid.",
    "payout.winner_taken": "{why}: {due} is due on {stake}, but the stake was taken.",
    "payout.push_taken": "{why}: nothing of {stake} may be taken beyond {charged}, but {taken} was.",
}


def _words(kind: str, outcome: Outcome, stake: int, net: int) -> str:
    why = outcome.why[:1].upper() + outcome.why[1:]
    if kind == "payout.loser_paid":
        done = f"{amount_text(net)} was paid on it" if net > 0 else "it was left to the player"
        return f"{why}: the wager of {amount_text(stake)} loses, but {done}."
    return _FAULT_WORDS[kind].format(
        why=why,
        due=amount_text(outcome.due or 0),
        stake=amount_text(stake),
        paid=amount_text(max(net, 0)),
        taken=amount_text(max(-net, 0)),
        charged=amount_text(outcome.charged),
    )


def settled_early(
    ledger: Ledger, since: int, decided: int, rule: str, why: str, most: int | None = None
) -> Finding | None:
    """A wager that the dealer paid or took before the cards had decided on it; what he put right again does not count,
    nor what he gave back because it lay above the maximum, `most`.

    `since` is the event that placed it, or closed betting.
    """
    early = [change for change in ledger.changes if since < change.n < decided and change.by == "dealer"]
    if most is not None:
        early = [change for change in early if not change.after == most < change.before]
    if not sum(change.rise for change in early):
        return None
    return settled_at_wrong_time(ledger, next(change for change in early if change.rise), rule, why)


def settled_at_wrong_time(
    ledger: Ledger, change: Change, rule: str, why: str, reads: tuple[str, ...] = ()
) -> Finding:
    """A wager that was paid or taken before its time, or out of its turn. `reads`: what that hangs on besides."""
    reads = reads if ledger.surely_changed(change) else (*reads, f"chips at {ledger.at}")
    return Finding(
        kind="payout.order", rule=rule, t=change.t, at=ledger.at, colour=ledger.colour,
        message=f"{why}; {ledger.at} was settled at {change.t:.1f} s.",
        verdict="unsure" if reads else "breach", reads=reads,
    )  # fmt: skip


class Settlement:
    """Settles the wagers of one round, collecting wagers and findings.

    `since` is the event that closed betting; `decided` the event from which the results stand (a gap in the view
    after it hides settlement); `voided` says that the round does not count, so money moved in it is not reported.
    """

    def __init__(self, round: Round, house: House, *, since: int, decided: int, voided: Outcome | None = None) -> None:
        self.round, self.house, self.since, self.decided, self.voided = round, house, since, decided, voided
        self.wagers: list[Wager] = []
        self.findings: list[Finding] = []
        self.gap = round.gap_after(decided) if round.gaps else None
        self.blind = any(gap.n < decided and (gap.until_n is None or gap.until_n > since) for gap in round.gaps)
        """Play went on unseen before the decision: what is due hangs on what was not seen."""
        self.hidden = False

    def wager(
        self,
        ledger: Ledger,
        stake: int,
        *outcomes: Outcome,
        sure: bool = True,
        since: int | None = None,
        reported: bool = False,
    ) -> Finding | None:
        """Settle one wager. Of several admissible outcomes, the one the table acted on counts.

        `sure` says whether the stake was read surely; `since` is the event that placed it, if betting was closed then;
        `reported` that the wager itself was found wrong, so that however it was settled is not reported again.
        """
        outcome = self.voided or outcomes[0]
        since = self.since if since is None else since
        flow = flow_since(ledger, since)
        moved_to = _changed_stake(ledger, since, self.decided)
        changed: dict[Outcome, Outcome] = {}
        if moved_to and stake and moved_to != stake:
            # Reported as bet.moved; the dealer may have acted on the wager as it stood before or after.
            changed = {each.scaled(moved_to, stake): each for each in outcomes if each.due or each.charged}
            outcomes = (outcomes[0], *changed, *outcomes[1:])
        paid: int | None = flow.paid
        finding = None
        if not self._seen(flow):
            paid = flow.paid or None if self.gap is None else None  # cut off by the log's end: so far
        elif self.voided is None and outcome.result is not None:
            acted_on = _acted_on(outcomes, flow)
            settled = moved_to if acted_on in changed else stake
            stood_sure = sure and ledger.sure_before(since + 1)
            finding = None if reported else self._compare(ledger, settled, acted_on, flow, sure=stood_sure)
            outcome = changed.get(acted_on, acted_on)  # listed as it stood when betting closed
        self.record(ledger, stake, outcome, paid, sure=sure)
        if finding is not None:
            self.findings.append(finding)
        return finding

    def refuse_late(
        self, found: Iterable[Finding], settled_as: Callable[[str, int], Outcome] | None = None
    ) -> None:
        """List the wagers that were placed too late to play: they go back, unless the table settled them all the same,
        which `settled_as` tells the outcome of.
        """
        listed = {(wager.at, wager.colour) for wager in self.wagers}
        for finding in found:
            at = finding.at or ""
            if finding.kind != "bet.late" or (at, finding.colour) in listed:
                continue
            ledger, stake = self.round.chips[at, finding.colour], int(finding.observed)
            placed = next(change for change in ledger.changes if change.t == finding.t and change.rise > 0)
            outcomes = [voids(finding.rule, "The wager was not placed in time")]
            outcomes += [settled_as(at, stake)] if settled_as is not None else []
            self.wager(ledger, stake, *outcomes, sure=placed.sure, since=placed.n, reported=True)

    def record(self, ledger: Ledger, stake: int, outcome: Outcome, paid: int | None, *, sure: bool = True) -> None:
        """List a wager with its result and with what was paid on it."""
        if not sure and outcome.result == "win":
            outcome = outcome._replace(due=None)
        self.wagers.append(
            Wager(
                at=ledger.at, colour=ledger.colour, stake=stake, result=outcome.result, due=outcome.due,
                paid=paid, rule=outcome.rule, why=outcome.why,
            )
        )

    def _seen(self, flow: Flow) -> bool:
        """Whether this wager's settlement was seen through: not cut off by a gap or by the log's end."""
        if self.gap is not None and (flow.emptied_n is None or flow.emptied_n >= self.gap.n):
            self.hidden = True
            return False
        return self.round.ended or flow.emptied_n is not None

    def _compare(self, ledger: Ledger, stake: int, outcome: Outcome, flow: Flow, *, sure: bool) -> Finding | None:
        net = flow.net
        kind = fault(outcome, net)
        reads: tuple[str, ...] = ()
        if flow.unknown and kind is not None:
            # Somebody moved chips, the log does not say who: a fault only if it is one whoever did it.
            if len(flow.unknown) > MAX_UNKNOWN or any(fault(outcome, each) is None for each in flow.possible_nets()):
                if outcome.result == "win" or flow.unknown[0] < 0:
                    return None
                reads = (f"who moved the chips at {ledger.at}",)  # paid where nothing was due, and perhaps taken back
            net = flow.net_at_best
            kind = fault(outcome, net)
        if kind is None:
            return None
        is_proved = flow.sure and (sure or _wrong_on_any_stake(outcome, stake, net, flow))
        if not is_proved and not _wrong_on_any_amount(outcome, stake, flow):
            reads += (f"chips at {ledger.at}",)
        if self.blind:
            reads += ("feed",)
        return Finding(
            kind=kind, rule=outcome.rule, t=flow.t or self.round.closed, at=ledger.at, colour=ledger.colour,
            expected=outcome.due, observed=max(net, 0), message=_words(kind, outcome, stake, net),
            verdict="unsure" if reads else "breach", reads=reads,
        )

    def view_gap(self, rule: str) -> None:
        """Say it when settlement went on unseen."""
        if self.hidden and self.gap is not None:
            until = "it did not come back" if self.gap.until is None else f"until {self.gap.until:.1f} s"
            self.findings.append(
                Finding(
                    kind="view.gap", rule=rule, t=self.gap.since, verdict="unsure", reads=("feed",),
                    message=f"The view was lost at {self.gap.since:.1f} s ({until}): settlement was not seen.",
                )
            )
