"""Outcomes: how the rules settle a wager, and what is wrong with it when the dealer moved something else."""

from typing import NamedTuple

from auditor.findings import Result


class Outcome(NamedTuple):
    """How the rules settle a wager.

    `due` is what the house owes beyond the stake, `uncapped` what it would owe without a displayed maximum payout,
    `charged` the part of the stake that a loss costs.
    """

    result: Result | None
    due: int | None
    rule: str
    why: str
    uncapped: int | None = None
    charged: int = 0

    def scaled(self, stake: int, from_stake: int) -> "Outcome":
        """The same outcome on another stake."""
        due = None if self.due is None else self.due * stake // from_stake
        return self._replace(due=due, uncapped=None, charged=self.charged * stake // from_stake)


def amount_text(cents: int) -> str:
    """Money in a sentence.

    >>> amount_text(1500)
    '15.00'
    """
    return f"{cents // 100}.{cents % 100:02d}"


def pays(stake: int, odds: tuple[int, int], rule: str, why: str, cap: int | None = None) -> Outcome:
    """A win at odds of so much to so much, up to a displayed maximum.

    >>> pays(1000, (3, 2), "13.2(a)", "Blackjack pays 3 to 2").due
    1500
    """
    full = stake * odds[0] // odds[1]
    return Outcome("win", full if cap is None else min(full, cap), rule, why, full)


def loses(stake: int, rule: str, why: str) -> Outcome:
    """The stake goes to the house."""
    return Outcome("lose", 0, rule, why, charged=stake)


def pushes(rule: str, why: str) -> Outcome:
    """Neither wins."""
    return Outcome("push", 0, rule, why)


def voids(rule: str, why: str) -> Outcome:
    """The stake goes back."""
    return Outcome("void", 0, rule, why)


def undecided(rule: str, why: str) -> Outcome:
    """The reads do not say."""
    return Outcome(None, None, rule, why)


def fault(outcome: Outcome, net: int) -> str | None:
    """The kind of payout finding, if any, when the dealer's net movement at the spot was `net`.

    >>> fault(pays(1000, (3, 2), "13.2(a)", ""), 1000)
    'payout.short'
    """
    due = outcome.due or 0
    if outcome.result == "win":
        if net == due:
            return None
        if net < 0:
            return "payout.winner_taken"
        if net == 0:
            return "payout.missed"
        if net < due:
            return "payout.short"
        return "payout.cap" if net == outcome.uncapped else "payout.over"
    if outcome.result == "lose":
        if net == -outcome.charged:
            return None
        return "payout.loser_paid" if net > -outcome.charged else "payout.push_taken"
    if net == 0:
        return None
    return "payout.push_taken" if net < 0 else "payout.over"
