"""What the dealer of Ultimate Texas Hold-em dealt and showed: rules 6 and 7, the openings of rule 8, misdeals."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from auditor import log
from auditor.deal_checks import DealRules, deal_findings, deck_findings, shuffle_missing, so_far
from auditor.findings import Finding
from auditor.game import not_voided, status_of
from auditor.places import box_number, box_of, spot_of
from auditor.rulebooks.uth_play import Act
from auditor.rulebooks.uth_seats import AFTER_FLOP, BOARD, FLOP, NEVER, ON_RIVER, Seat
from auditor.rulebooks.uth_stages import Decisions
from auditor.slots import Slot


class Cause(NamedTuple):
    """Why the round must not count, and the event that showed it."""

    n: int
    rule: str
    why: str


def deal_verdict(act: Act, decided: dict[str, Decisions]) -> tuple[list[Finding], list[Cause]]:
    """Everything wrong with the cards on the table, and what of it calls for a misdeal or a void round."""
    round, exposed = act.round, _exposed_in_deal(act)
    in_deal = {slot.dealt_to for slot in exposed}
    dealt = _dealt(act, explained=bool(exposed))
    strange = deck_findings(round, 1, "2.1")
    dealer, dealer_cause = ([], None) if "dealer" in in_deal else _dealer_exposed(act)
    causes = [Cause(slot.seen_n or 0, "13.2", _exposure(slot).message.rstrip(".")) for slot in exposed]
    causes += [
        Cause(act.deal_end_n, "13.1", each.message.rstrip("."))
        for each in dealt if each.rule == "13.1" and not act.unseen_before(NEVER)
    ]  # fmt: skip
    causes += [Cause(act.deal_end_n, "13.7(b)", each.message.rstrip(".")) for each in strange]
    causes += [cause for cause in (dealer_cause, _unwagered_hand(act)) if cause is not None]
    findings = [*_shuffle(act), *strange, *dealt, *map(_exposure, exposed), *dealer]
    if "board" not in in_deal:
        findings += _board_exposed(act, decided)
    if causes:
        findings += not_voided(round, causes[0].rule, causes[0].why)
    elif status_of(round) == "misdeal" and len(act.board_shown) not in (0, FLOP, BOARD) and _undecided(act):
        findings.append(_called_off_for_the_board(act))
    return findings, causes


def _shuffle(act: Act) -> list[Finding]:
    """6.1(a), (b). A shuffling machine's silence counts only in a log that told of its last shuffle."""
    before = act.round.previous
    if act.house.shoe == "auto" and (
        before is None or not any(isinstance(event, log.Shuffle) for event in before.events[: before.opened_n])
    ):
        return []
    after_misdeal = before is not None and status_of(before) == "misdeal"
    why = "after the misdeal" if after_misdeal else "in preparation for the round"
    return shuffle_missing(act.round, "6.1(b)" if after_misdeal else "6.1(a)", why)


# ---- dealing -----------------------------------------------------------------------------------------------------


def _dealt(act: Act, *, explained: bool) -> list[Finding]:
    """7.2, 7.3, 13.1, 13.6: who got cards, how many, in which order."""
    sequence = "7.2" if act.house.shoe == "auto" else "7.3"
    expected: Sequence[str] = act.expected_deal()
    slots = act.round.slots
    if [slot.dealt_to for slot in slots] == expected:
        return []
    over, cut_off = _deal_was_over(act), status_of(act.round) == "unfinished"
    if not over and not cut_off:
        expected = _until_called_off(act, expected, explained=explained)
    rules = DealRules(sequence=sequence, number="13.1", stranger="13.6")
    found = deal_findings(expected, slots, rules, ended=over or not cut_off)
    gap = act.round.gap_after(act.opened_n)
    for index, each in enumerate(found):
        if each.kind == "deal.no_wager":
            message = f"A card was dealt to {each.at}, which does not hold both an ante and a blind."
            found[index] = replace(each, message=message)
        elif gap is not None:  # cards may have been dealt unseen
            found[index] = replace(each, t=max(each.t, gap.since))
    return found


def _deal_was_over(act: Act) -> bool:
    """Whether anything shows that the dealer had done dealing: the round was played on, or played out."""
    last_n = act.round.slots[-1].n
    opened = sum((slot.seen_n or 0) > last_n for slot in act.board_shown) >= FLOP
    decided = any(seat.play or seat.checks or seat.fold_n is not None for seat in act.seats)
    return opened or decided or status_of(act.round) == "complete"


def _until_called_off(act: Act, expected: Sequence[str], *, explained: bool) -> Sequence[str]:
    """The part of the sequence that a deal had got to when it was called off.

    A misdeal that nothing else explains was declared because of the one card that is missing at the end.
    """
    missing = Counter(expected) - Counter(slot.dealt_to for slot in act.round.slots)
    if status_of(act.round) == "misdeal" and not explained and missing.total() == 1:
        return expected
    return so_far(expected, act.round.slots)


def _unwagered_hand(act: Act) -> Cause | None:
    """13.6(a): a hand dealt without ante and blind voids the whole round as long as nobody has handled cards.

    Handling is a player's hand at a box, or any decision. The dealer «realises» it when the hand is called void or
    gathered in; where neither is seen the round was played on, and so somebody had handled cards.
    """
    for seat in act.seats:
        if seat.dealt_in or not seat.hand:
            continue
        called = [n for n, call in act.round.calls if call.what in ("void", "misdeal") and _concerns(call, seat)]
        gathered = [slot.gone_n for slot in seat.hand if slot.gone_n is not None]
        realised_n = min([*called, *gathered], default=len(act.round.events))
        if not _handled_before(act, realised_n):
            return Cause(seat.hand[0].n, "13.6(a)", f"{seat.box} was dealt a hand without ante and blind, and nobody "
                         "had handled cards yet")  # fmt: skip
    return None


def _concerns(call: log.Call, seat: Seat) -> bool:
    return call.at is None or box_of(call.at) == seat.box


def _handled_before(act: Act, n: int) -> bool:
    for event in act.round.events[act.opened_n : n]:
        match event:
            case log.Hand(by="player", inside=True) if box_number(event.at):
                return True
            case log.Call(what="check" | "fold"):
                return True
            case log.Chips() if spot_of(event.at) == "play" and event.by != "dealer":
                return True
    return False


# ---- showing -----------------------------------------------------------------------------------------------------


def _exposed_in_deal(act: Act) -> list[Slot]:
    """13.2: the first card of each place that was revealed during the deal."""
    found: dict[str, Slot] = {}
    broken_off = not act.all_dealt and not _deal_was_over(act)
    end_n = NEVER if broken_off else act.deal_end_n
    for slot in act.round.slots:
        seen_n = slot.seen_n
        if seen_n is not None and seen_n < act.stop_n and (slot.dealt_up or seen_n < end_n):
            found.setdefault(slot.dealt_to, slot)
    return list(found.values())


def _exposure(slot: Slot) -> Finding:
    return Finding(
        kind="deal.exposed", rule="13.2", t=slot.t if slot.dealt_up else slot.turned_t or slot.t, at=slot.dealt_to,
        expected="down", observed="up", message=f"A card at {slot.dealt_to} was revealed during the deal.",
    )


def _dealer_exposed(act: Act) -> tuple[list[Finding], Cause | None]:
    """8.8(b), 13.4: the dealer's cards are shown after the whole board, and when nobody has a decision left."""
    if not act.dealer_shown:
        return [], None
    first = act.dealer_shown[0]
    shown_n = first.seen_n or 0
    undecided = [seat.box for seat in act.players if _decided_after(act, seat, shown_n)]
    if act.board_full_n is None or shown_n < act.board_full_n:
        if not _shown_too_soon(act, shown_n):
            return [], None
        why = f"{act.seen_before(shown_n)} of the {BOARD} communal cards lay open"
    elif undecided:
        why = f"{undecided[0]} had not decided yet"
    else:
        return [], None
    played = any(seat.play is not None and seat.play.n < shown_n for seat in act.players)
    flop_shown = act.seen_before(shown_n) > 0
    misdeal = not played and (not flop_shown or act.house.late_reveal == "misdeal")
    rule = "13.4(a)" if misdeal else "13.4(b)" if played else "8.8(b)"
    finding = Finding(
        kind="deal.exposed", rule=rule, t=first.turned_t or first.t, at="dealer", expected="down", observed="up",
        message=f"A card of the dealer's was revealed when {why}.",
    )
    cause = Cause(shown_n, rule, "The dealer's card was revealed before any play wager was made") if misdeal else None
    return [finding], cause


def _shown_too_soon(act: Act, shown_n: int) -> bool:
    """Whether a reveal before the whole board was seen matters: somebody is in, and the board was not just missed."""
    if all(seat.fold_n is not None and seat.fold_n < shown_n for seat in act.players):
        return False
    went_on = act.seen_before(shown_n) < len(act.board_shown)
    return went_on or act.stop_n < NEVER or not act.round.ended


def _decided_after(act: Act, seat: Seat, n: int) -> bool:
    """Whether the player's last decision came after that event, and before betting was over."""
    if seat.play is not None:
        return n < seat.play.n < act.close_n
    return seat.fold_n is not None and n < seat.fold_n < act.close_n < NEVER


def _undecided(act: Act) -> list[Seat]:
    """Who had not been seen to decide when the communal cards last began to be revealed."""
    shown = [slot.seen_n or 0 for slot in act.board_shown]
    since, begun = (shown[FLOP - 1], shown[FLOP]) if len(shown) > FLOP else (act.deal_end_n, shown[0])
    return [
        seat for seat in act.players
        if not any(since < n < begun for n in seat.checks)
        and (seat.play is None or seat.play.n > begun) and (seat.fold_n is None or seat.fold_n > begun)
    ]  # fmt: skip


def _called_off_for_the_board(act: Act) -> Finding:
    """13.5: a misdeal that only a communal card seen too soon explains, though play should have gone on."""
    slot = act.board_shown[-1]
    return Finding(
        kind="deal.exposed", rule="13.5", t=slot.turned_t or slot.t, at="board", expected="down", observed="up",
        message=f"{len(act.board_shown)} of the communal cards had been revealed when a misdeal was declared.",
    )


def _board_exposed(act: Act, decided: dict[str, Decisions]) -> Iterator[Finding]:
    """8.2, 8.4: communal cards shown while a player still owed a decision (13.5: he keeps all his choices), or one by
    one with a decision between them.
    """
    for stage, first, rule, what in ((AFTER_FLOP, 0, "8.2", "The flop"), (ON_RIVER, FLOP, "8.4", "The last two cards")):
        if first >= len(act.board_shown):
            return
        slot = act.board_shown[first]
        rushed = [box for box, made in decided.items() if stage in made.rushed]
        halved = [box for box, made in decided.items() if stage in made.halved]
        if rushed:
            message = f"{what} began to be revealed before {rushed[0]} had decided to bet, check or fold."
            kind, should, was = "deal.exposed", "down", "up"
        elif halved:
            message = f"{what} were not all revealed when {halved[0]} was asked again."
            kind, should, was = "deal.facing", "up", "down"
        else:
            continue
        yield Finding(
            kind=kind, rule=rule, t=slot.turned_t or slot.t, at="board", expected=should, observed=was, message=message
        )
