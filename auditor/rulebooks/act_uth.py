"""Poker – Ultimate Texas Hold-em (ACT, NI2025-411): players against the dealer, with five communal cards.

The seats are in `uth_seats`, the round as it was played in `uth_play`, its stages in `uth_stages`, its bounds in
`uth_rounds`. `uth_deal` checks what was dealt and shown, `uth_wagers` what was wagered, `uth_order` the order of
settlement, `uth_odds` what a hand is worth; here the wagers are settled.
"""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from auditor.cards import JOKER, name
from auditor.findings import Finding, Judgement
from auditor.game import Game, declared_void, open_cards, status_of
from auditor.hands import UTH, Category, at_least, category, strength
from auditor.outcomes import Outcome, loses, pushes, undecided, voids
from auditor.rounds import Round
from auditor.rulebooks.uth_deal import Cause, deal_verdict
from auditor.rulebooks.uth_odds import ante_outcome, blind_outcome, play_outcome, trips_outcome
from auditor.rulebooks.uth_order import order_findings
from auditor.rulebooks.uth_play import Act
from auditor.rulebooks.uth_rounds import LastWagerSettled
from auditor.rulebooks.uth_seats import BOARD, HOLE, OPENING, Seat, UthHouse
from auditor.rulebooks.uth_stages import Decisions, decisions, play_sizes
from auditor.rulebooks.uth_wagers import wager_findings
from auditor.settlement import Settlement
from auditor.slots import Slot
from auditor.worlds import Doubt, judge_all

GUESSES = 40  # readings tried of hands that were never shown: enough to name what may be wrong, it proves nothing
NOT_IN_ORDER = ("bet.late", "bet.moved", "bet.invalid", "bet.amount")


class Case(NamedTuple):
    """A round, and what can be said of it whatever its cards are."""

    act: Act
    findings: list[Finding]
    decided: dict[str, Decisions]
    voided: Outcome | None
    faulty: frozenset[str | None]
    """The spots whose wager was reported: they may be settled, or given back."""


class UltimateHoldem(Game[UthHouse]):
    """The rulebook."""

    id = "act-uth"
    citation = "NI2025-411"
    house_type = UthHouse
    boundary = LastWagerSettled()
    opening_spots = OPENING

    def judge(self, round: Round, house: UthHouse) -> Judgement:
        case = _case(round, house)
        settled = _settle(case)
        return replace(settled, findings=[*case.findings, *settled.findings])

    def doubts(self, round: Round, house: UthHouse) -> list[Doubt]:
        """Only cards that meet in settlement: the board, the dealer's, and the hands that continue against them."""
        return _doubts(_case(round, house))

    def audit(self, round: Round, house: UthHouse) -> Judgement:
        case = _case(round, house)
        doubts = _doubts(case)
        unshown = _never_shown(case.act)
        judge = _settler(case) if doubts else lambda: _settle(case)
        shown = [doubt for doubt in doubts if doubt.slot not in unshown]
        settled = judge_all(judge, shown, one_deck=True, boxes_apart=True)
        if any(doubt.slot in unshown for doubt in doubts):
            # Nothing decides such a hand: its results stay open, and what could be wrong with it is unsure at most.
            guessed = judge_all(judge, doubts, one_deck=True, samples=GUESSES)
            said = {(each.kind, each.at) for each in settled.findings}
            more = [each for each in guessed.findings if (each.kind, each.at) not in said]
            settled = replace(settled, findings=[*settled.findings, *more])
        # What was dealt and wagered wrongly does not hang on the cards, so no reading casts doubt on it.
        return replace(settled, findings=[*case.findings, *settled.findings])


def _case(round: Round, house: UthHouse) -> Case:
    act = Act(round, house)
    decided = {seat.box: decisions(act, seat) for seat in act.players}
    findings, causes = deal_verdict(act, decided)
    decided_n = _decided_n(act, causes)
    wagers = list(wager_findings(act, decided, decided_n))
    faulty = frozenset(each.at for each in wagers if each.kind in NOT_IN_ORDER)
    return Case(act, [*findings, *wagers], decided, _voided(act, causes), faulty)


def _voided(act: Act, causes: list[Cause]) -> Outcome | None:
    """The outcome of every wager where the round was called off, or should have been."""
    rule = causes[0].rule if causes else "13.3" if status_of(act.round) == "misdeal" else "15.4"
    return declared_void(act.round, rule) or (voids(rule, causes[0].why) if causes else None)


def _decided_n(act: Act, causes: list[Cause]) -> int:
    """From when on players may touch their chips again: the showdown, or a round called off."""
    in_time = [seat.play.last_n for seat in act.players if seat.play is not None and not act.late(seat)]
    return min([act.stop_n, *(cause.n for cause in causes), max([act.end_n, *in_time])])


def _doubts(case: Case) -> list[Doubt]:
    act = case.act
    continuing = act.continuing
    met = bool(act.dealer_shown) or (act.round.ended and bool(continuing))
    if case.voided is not None or not met or not any(seat.play for seat in act.players):
        return []
    slots = [*act.board, *act.dealer, *(slot for seat in continuing for slot in seat.hand)]
    if not act.round.ended:
        slots = [slot for slot in slots if slot.seen_n is not None]
    if all(slot.sure for slot in slots):
        return []
    seen = frozenset(slot.card for slot in act.round.slots if slot.sure)
    return [Doubt(slot, open_cards(slot, seen), name) for slot in slots if not slot.sure]


def _never_shown(act: Act) -> list[Slot]:
    """The cards of hands that stayed face down and unread: trying every pair they could be would decide nothing."""
    found = []
    for hand in (act.board, act.dealer, *(seat.hand for seat in act.continuing)):
        unseen = [slot for slot in hand if slot.seen_n is None and slot.options is None]
        found += unseen if len(unseen) >= HOLE else []
    return found


# ---- settlement --------------------------------------------------------------------------------------------------


def _settle(case: Case) -> Judgement:
    act = case.act
    folds = [seat.fold_n for seat in act.players if seat.fold_n is not None]
    decided = act.showdown_n if act.showdown_n is not None else max([act.deal_end_n, *folds])
    settlement = Settlement(act.round, act.house, since=act.opened_n, decided=decided, voided=case.voided)
    dealer = _strength(act.board, act.dealer)
    for seat in act.seats:
        own = _strength(act.board, seat.hand)
        for spot, ledger, stake, since in seat.ledgers:
            outcomes = _admissible(case, seat, spot, stake, dealer, own)
            sure = seat.stakes[spot].sure if spot in seat.stakes else seat.play is None or seat.play.sure
            settlement.wager(ledger, stake, *outcomes, sure=sure, since=max(since, act.opened_n))
    if case.voided is None and settlement.gap is None:
        settlement.findings += order_findings(act, qualified=dealer is None or at_least(dealer, Category.PAIR, UTH))
    settlement.refuse_late(case.findings)
    settlement.view_gap("9.3")
    return Judgement(wagers=settlement.wagers, findings=settlement.findings)


def _settler(case: Case) -> Callable[[], Judgement]:
    """Settles the round for one reading after another; readings that come to the same are settled once."""
    known: dict[tuple[object, ...], Judgement] = {}
    continuing = case.act.continuing

    def settle() -> Judgement:
        dealer = _strength(case.act.board, case.act.dealer)
        alike: list[object] = [dealer is None or at_least(dealer, Category.PAIR, UTH)]
        for seat in continuing:
            own = _strength(case.act.board, seat.hand)
            beats = None if own is None or dealer is None else (own > dealer) - (own < dealer)
            alike += [beats, None if own is None else category(own, UTH)]
        key = (dealer is None, *alike)
        if key not in known:
            known[key] = _settle(case)
        return known[key]

    return settle


def _strength(board: list[Slot], hole: list[Slot]) -> int | None:
    """The best five of a hand and the board; None while a card is not known."""
    cards = [slot.card for slot in (*board, *hole) if slot.card is not None]
    if len(board) != BOARD or len(hole) != HOLE or len(set(cards)) != BOARD + HOLE or JOKER in cards:
        return None
    return strength(cards, UTH)


def _admissible(case: Case, seat: Seat, spot: str, stake: int, dealer: int | None, own: int | None) -> list[Outcome]:
    """The outcomes a wager may have: one, unless something was wrong with it, or with its time (9.1 before 9.2)."""
    act = case.act
    outcomes = [_outcome(act, seat, spot, risk, dealer, own) for risk in _risks(case, seat, spot, stake)]
    at = f"{seat.box}/{spot}"
    if at in case.faulty:
        outcomes.append(voids("4.6", "The wager was not in order"))
        if not seat.dealt_in:
            outcomes.append(loses(stake, "4.3", "The wager was not in order"))
    if spot == "ante" and seat.conceded and dealer is not None and not at_least(dealer, Category.PAIR, UTH):
        outcomes.append(pushes("9.5(c)(ii)", "The dealer does not qualify"))
    return outcomes


def _risks(case: Case, seat: Seat, spot: str, stake: int) -> list[int]:
    """The part of the stake that counts (5.5), and, of a wager not in order, what else the table may have acted on."""
    act, most = case.act, seat.most
    ledger = seat.play.ledger if spot == "play" and seat.play is not None else seat.stakes[spot].ledger
    risks = [stake if most is None or spot == "play" else min(stake, most)]
    if f"{seat.box}/{spot}" in case.faulty:
        risks += [
            change.after for change in ledger.changes
            if change.n > act.opened_n and change.by == "player" and change.after
        ]  # fmt: skip
        if spot == "blind":
            risks.append(min(stake, seat.ante))
        if spot == "play" and seat.box in case.decided:
            stages = case.decided[seat.box].stages
            risks += [size for stage in stages for size in play_sizes(seat, stage) if size < stake]
    if spot == "play" and most is not None and seat.ante > most:
        risks.append(stake * most // seat.ante)
    return list(dict.fromkeys(risks))


def _outcome(act: Act, seat: Seat, spot: str, risk: int, dealer: int | None, own: int | None) -> Outcome:
    """One wager under 9.1 to 9.8."""
    if not seat.dealt_in:
        rule = "13.6(b)" if seat.hand else "4.3" if spot == "trips" else "4.2"
        return voids(rule, "There is no ante and blind to go with it")
    if seat.void:
        return voids("15.3", "The hand was declared void")
    given_up = _given_up(act, seat)
    if given_up is not None:
        if spot == "trips" and act.house.fold_trips == "by_hand":
            return trips_outcome(risk, own)
        return loses(risk, *given_up)
    if spot == "trips" and seat.play is not None:
        return trips_outcome(risk, own)
    if dealer is None or own is None or seat.play is None:
        return undecided("9.4", "The hands were not all seen")
    if spot == "ante":
        return ante_outcome(risk, dealer, own)
    if spot == "blind":
        return blind_outcome(risk, dealer, own, act.house.max_payout)
    return play_outcome(risk, dealer, own)


def _given_up(act: Act, seat: Seat) -> tuple[str, str] | None:
    """Def. Fold, 9.1, 13.8: the clause and the reason if the player gave up all wagers."""
    if seat.folded_early:
        return "def. Fold", "The player folded"
    if seat.conceded:
        after = act.showdown_n is None or seat.fold_n is None or seat.fold_n > act.showdown_n
        return ("9.1", "The player conceded") if after else ("def. Fold", "The player folded")
    if act.out(seat):
        return "13.8 (second)", "No play wager was made in time, so the hand counts as folded"
    shown_n = act.showdown_n
    if seat.play is not None or shown_n is None or act.unseen_before(shown_n):
        return None
    if act.round.ended or any(act.settling()):
        return "13.8 (second)", "No play wager was made, so the hand counts as folded"
    return None
