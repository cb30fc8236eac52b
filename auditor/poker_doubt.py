"""What a poker finding is worth where it hangs on reads that are weak, or on what a gap in the view hid."""

from collections.abc import Iterator, Sequence

import msgspec

from auditor import log
from auditor.findings import Finding, Judgement, hanging, unsure
from auditor.ledgers import Ledger
from auditor.places import box_number, box_of, spot_of
from auditor.poker_rounds import first_seen
from auditor.poker_session import Session, button_at
from auditor.poker_table import Calls, Table
from auditor.rounds import Round

_MONEY = ("bet", "pot", "commission", "blind")
_BETTING = ("action", "show")
_DEALING = ("deal", "round")
_AT_THE_BEGINNING = ("blind.missing", "deal.no_wager", "deal.missed", "table.players")
_OTHER_WORD = {"check": "fold", "fold": "check"}


def weak_chips(finding: Finding, table: Table) -> Finding:
    """A finding about money, or about whose turn it was, that hangs on chips weakly or not read proves nothing."""
    money, clauses = finding.family in _MONEY, table.rules.clauses
    premature = finding.kind == "deal.exposed" and finding.rule in (clauses.premature, clauses.early_unstarted)
    betting = money or premature or finding.family in _BETTING
    # Cards dealt between the bets, to the board or in stud to whoever is in, and who is in hang on the bets as well.
    between = table.rules.up_cards or finding.at == "board" or finding.rule == clauses.wrong_count
    dealt_by_bets = table.whose_unknown and between and finding.family in _DEALING
    if finding.verdict == "unsure" or not (betting or dealt_by_bets):
        return finding
    if table.whose_unknown:
        return unsure(finding, "whose chips are in the pot")
    ledgers, weak = [*table.bets.values()], []
    if money:
        ledgers += [*table.pots, *([table.drop] if table.drop else [])]
    if finding.family in ("pot", "commission"):
        # Only what a stack rose by matters, and where there are side pots whether it was empty.
        parted = len(table.pots) > 1
        weak += [
            stack.at for stack in table.stacks.values()
            if not _surely_paid(stack, table.opened_n) or (parted and not stack.read_before(table.end_n))
        ]  # fmt: skip
    else:
        ledgers += table.stacks.values()
    weak += [
        ledger.at for ledger in ledgers if not ledger.carried_sure or any(not change.sure for change in ledger.changes)
    ]
    return unsure(finding, f"chips at {weak[0]}") if weak else finding


def _surely_paid(stack: Ledger, opened_n: int) -> bool:
    paid = [change for change in stack.changes if change.n > opened_n and change.by != "player"]
    return all(change.sure and stack.sure_before(change.n) for change in paid)


def begins_unseen(round: Round, session: Session, findings: Sequence[Finding]) -> bool:
    """Whether the log begins when its first round is on, or tells of no deal.

    Nothing is told before the first card, or the first card is one of the board; or there are chips only, and what the
    round begins with is amiss. What follows may still be of the same round.
    """
    if round.slots and round.slots[0].dealt_to == "board" and not round.shuffled():
        return True
    if not (first_seen(round) or session.partial) or button_at(round) is not None:
        return False
    before = round.events[: round.opened_n]
    if any(isinstance(event, log.Shuffle | log.Cut | log.Button) for event in before) or _sat_down(round):
        return False
    first_t = min((slot.t for slot in round.slots), default=round.opened)
    told = any(isinstance(event, log.Chips) for event in before)
    return not told or any(each.kind in _AT_THE_BEGINNING or each.t < first_t for each in findings)


def _sat_down(round: Round) -> bool:
    """Whether the stack of everybody who is dealt in is read before he bets and before the cards: it begins there."""
    first: dict[str, str] = {}
    for event in round.events[: round.opened_n]:
        if isinstance(event, log.Chips):
            first.setdefault(box_of(event.at), spot_of(event.at))
    boxes = {slot.dealt_to for slot in round.slots if box_number(slot.dealt_to)}
    return bool(boxes) and all(first.get(box) == "stack" for box in boxes)


def unless_begun(finding: Finding) -> Finding:
    """What hangs on the beginning of a round that is not in the log; a card that cannot be there does not."""
    known = finding.verdict == "unsure" or finding.family == "card"
    return finding if known else unsure(finding, "the beginning of the round, which is not in the log")


def unless_paid_before(finding: Finding) -> Finding:
    """What hangs on who tapped out, where stacks are read in part and what was won before was not seen to be paid."""
    by_stakes = finding.family in (*_MONEY, *_BETTING) or finding.at == "board"
    return unsure(finding, "what was paid in the rounds before") if by_stakes else finding


def heard_otherwise(round: Round) -> list[Calls]:
    """The round's calls without those of players that were weakly heard, and with the other word in their place."""
    weak = {n for n, call in round.calls if call.at is not None and round.is_weak(call.conf)}
    if not weak:
        return []
    swapped = [
        (n, msgspec.structs.replace(call, what=_OTHER_WORD.get(call.what, call.what)) if n in weak else call)
        for n, call in round.calls
    ]
    return [[(n, call) for n, call in round.calls if n not in weak], swapped]


def as_well_if(judgement: Judgement, otherwise: Judgement, read: str) -> Judgement:
    """What is found otherwise as well is proved; the rest hangs on what tells the two apart, `read`."""
    findings, pots = hanging(judgement.findings, otherwise, read), judgement.pots
    if pots and otherwise.pots != pots:
        same = otherwise.pots or []
        pots = [pot if pot in same else msgspec.structs.replace(pot, winners=None) for pot in pots]
    return msgspec.structs.replace(judgement, findings=findings, pots=pots)


def unless(judgement: Judgement, others: Sequence[Judgement], read: str) -> Judgement:
    """The likeliest of some judgements that `read` tells apart, and what is wrong first by the others alone.

    What else is wrong by them comes of it.
    """
    findings, rest = judgement.findings, []
    for otherwise in others:
        only = otherwise.breaches - judgement.breaches
        new = (each for each in otherwise.findings if each not in judgement.findings)
        rest += [each for each in new if (each.kind, each.at) in only]
        findings = hanging(findings, otherwise, read)
    first = [unsure(each, read) for each in sorted(rest, key=lambda each: each.t)[:1]]
    return msgspec.structs.replace(judgement, findings=[*findings, *first])


def blurred(findings: Iterator[Finding], session: Session) -> Iterator[Finding]:
    """Who has chips and who sits where may have changed behind a gap in the round before."""
    return (unsure(each, "feed") if session.blurred and each.verdict == "breach" else each for each in findings)


def hidden_shuffle(finding: Finding) -> Finding:
    """Behind a gap the cards may have been shuffled for another round; a card that is not in the deck never is."""
    return unsure(finding, "feed") if finding.kind == "card.duplicate" else finding
