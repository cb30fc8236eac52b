"""Gaps in the view: what may have happened unseen, and so may explain what was found.

A short gap hides a card, a bet or a payment; what that explains is the rulebook's to say (:meth:`Game.hides`). A long
one may hide the end of one round and the beginning of another: then nothing that hangs on it is proof. Its shadow falls
on the rounds after it as well, until the table is seen cleared. A log that begins in the middle of a round leaves as
much unseen as a gap up to there.
"""

from typing import Any

import msgspec

from auditor.findings import Finding, Judgement
from auditor.game import Game, status_of
from auditor.ledgers import Gap, Ledger
from auditor.places import LAID_IN_PLAY, box_number, box_of, spot_of
from auditor.rounds import Round

# What a short gap can hide the reason for; money is dealt with where it is settled.
_SEEN_THROUGHOUT = ("deal", "draw", "bet", "action", "blind", "round", "set", "show", "button")
# What hangs on who had wagered how much and in what order: a gap while wagers were placed may hide that.
_BY_WAGERS = (
    "deal.no_wager", "deal.missed", "deal.count", "bet.order", "bet.amount", "button.move", "payout.order",
    "round.not_voided",
)  # fmt: skip
# What hangs on the other wagers of the same box.
_BY_THE_BOX = ("bet.invalid", "bet.late")
# What is told by all that came until the round's end, also by what came after the finding's own time.
_BY_THE_WHOLE_ROUND = (
    "deal.no_wager", "deal.missed", "deal.count", "deal.extra", "bet.order", "card.duplicate", "payout.order",
    "round.not_voided",
)  # fmt: skip
# What is wrong because the cards had not decided yet: because more of them came.
_BY_THE_CARDS_TO_COME = ("bet.moved", "bet.late")
_DEALT_AND_DECIDED = 3
"""No hand of cards is decided by fewer of them."""
# What a wager's own amount tells, or a hand as it was set, whoever else plays.
_BY_ITSELF = ("bet.limit", "bet.multiple", "set.house_way", "set.foul")
# What hangs on who sits at the table with chips.
_BY_SEATS = ("deal", "action", "blind", "button", "round", "table", "bet")


def through_gaps(judgement: Judgement, round: Round, game: Game[Any]) -> list[Finding]:
    """The findings of a round; those that something unseen may explain are `unsure`, and say since when."""
    if round.blind_since is None:
        return judgement.findings
    view = _View(round, game, judgement)
    told = []
    for finding in judgement.findings:
        since = None if finding.verdict == "unsure" else view.hidden_since(finding)
        told.append(finding if since is None else _unsure(finding, _why(round, since)))
    return told


def _why(round: Round, since: float) -> str:
    if since == round.log_began:
        return f"the log begins in the middle of a round, at {since:.1f} s"
    return f"the view was lost at {since:.1f} s"


def _unsure(finding: Finding, why: str) -> Finding:
    if finding.verdict == "unsure":
        return finding
    message = f"{finding.message} Unsure: {why}."
    return msgspec.structs.replace(finding, verdict="unsure", reads=(*finding.reads, "feed"), message=message)


class _View:
    """What of a round may have gone unseen."""

    def __init__(self, round: Round, game: Game[Any], judgement: Judgement) -> None:
        self.round, self.game = round, game
        on_others = game.opening_spots is not None and status_of(round) not in ("void", "misdeal")
        void_spots = {wager.at for wager in judgement.wagers if wager.result == "void"}
        self.void_spots = void_spots if on_others else set()
        """Wagers that do not count because others, which may have been placed unseen, are missing."""
        self.is_deal_unseen = any(self._may_be_in(each) for each in judgement.findings)
        """Cards do not fit the wagers, and some of either went unseen: who plays and whose turn it was is not known."""
        self.stale = {each.at: each.stale_since for each in round.chips.values() if _is_stale(each)}
        self.stale_seats = [since for at, since in self.stale.items() if spot_of(at) in ("stack", "bet")]

    def hidden_since(self, finding: Finding) -> float | None:
        """When the view was lost, if what went unseen then may explain the finding."""
        if self.round.shadow_since is not None:
            return self.round.shadow_since
        for gap in self.round.gaps:
            if self._hides(gap, finding):
                return gap.since
        before = self.round.previous
        if finding.kind == "button.move" and before is not None and (before.gaps or before.shadow_since is not None):
            return self.round.blind_since
        if self.stale_seats and finding.family in _BY_SEATS:
            return self.stale_seats[0]
        if self.is_deal_unseen and finding.family in _SEEN_THROUGHOUT and finding.kind not in _BY_ITSELF:
            return self.round.blind_since
        if finding.kind == "bet.invalid" and self._may_hold_chips(finding):
            return self.round.blind_since
        return self.stale.get(finding.at or "")

    def _may_be_in(self, misfit: Finding) -> bool:
        """Whether a box with cards and no wager in time, or with a wager and no cards, was seen only in part."""
        if misfit.kind == "deal.no_wager":
            return self._may_hold_chips(misfit)
        is_late = misfit.kind == "bet.late" and box_number(misfit.at or "") > 0
        return (is_late or misfit.kind in ("deal.missed", "deal.count")) and bool(self.round.gaps)

    def _may_hold_chips(self, finding: Finding) -> bool:
        """Whether chips laid down at a box while the view was lost may still have lain there unread."""
        box = box_of(finding.at or "")
        reads = [
            t for (at, _), t in self.round.first_reads.items()
            if box_of(at) == box and at != finding.at and spot_of(at) not in LAID_IN_PLAY
        ]  # fmt: skip
        return self.round.blind_since is not None and box_number(box) > 0 and not any(t < finding.t for t in reads)

    def _hides(self, gap: Gap, finding: Finding) -> bool:
        if finding.family in _SEEN_THROUGHOUT and self.game.hides(self.round, gap, finding):
            return True
        if self.game.is_over_before_play(self.round, gap):
            at_a_box = finding.kind in _BY_THE_BOX and box_number(finding.at or "") > 0
            return at_a_box or finding.kind in _BY_WAGERS or finding.at in self.void_spots
        if finding.kind in _BY_THE_WHOLE_ROUND or finding.at in self.void_spots:
            return True
        if finding.kind in _BY_THE_CARDS_TO_COME and self._may_have_ended(gap, finding):
            return True
        return gap.is_long and self._may_span_rounds(gap, finding)

    def _may_have_ended(self, gap: Gap, finding: Finding) -> bool:
        """Whether the cards may have decided when chips were moved, and those after the gap be the next round's."""
        slots = self.round.slots
        dealt = sum(slot.t < finding.t for slot in slots)
        return finding.t <= gap.since and dealt >= _DEALT_AND_DECIDED and any(slot.n > gap.n for slot in slots)

    def _ledgers(self, finding: Finding) -> list[Ledger]:
        at = finding.at, finding.colour
        return [ledger for ledger in self.round.chips.values() if (ledger.at, ledger.colour) == at]

    def _may_span_rounds(self, gap: Gap, finding: Finding) -> bool:
        """Whether a long gap leaves open which round the finding's evidence belongs to."""
        ledgers = self._ledgers(finding)
        settled = all(not each.amount and each.changes and each.changes[-1].n < gap.n for each in ledgers)
        return not (ledgers and settled) or any(slot.n > gap.n for slot in self.round.slots)


def _is_stale(ledger: Ledger) -> bool:
    return ledger.stale_since is not None and not ledger.changes
