"""Hole cards and the deck: the initial deal in order and number, what makes a misdeal, cards that cannot be there."""

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from auditor.cards import JOKER, NAMES
from auditor.deal_checks import DealRules, deal_findings
from auditor.findings import Finding
from auditor.game import status_of
from auditor.poker_deal import Deal
from auditor.poker_chips import NEVER
from auditor.poker_table import Table
from auditor.places import box_number
from auditor.slots import Slot


def initial_findings(deal: Deal) -> list[Finding]:
    """Order and number of the first cards, and cards that lay open among them."""
    if deal.faults is None:
        deal.faults = list(_initial_findings(deal))
    return deal.faults


def _initial_findings(deal: Deal) -> Iterator[Finding]:
    clauses = deal.clauses
    rules = DealRules(sequence=clauses.deal, number=clauses.missed, stranger=clauses.stranger)
    first = _without_replacements(deal)
    if not deal.dealt_out:
        first_places = [slot.dealt_to for slot in first]
        playing = [place for place in deal.sequence if place not in deal.table.passed_over]  # others may sit out
        right = (list(deal.sequence[: len(first)]), playing[: len(first)])
        if first_places in right or deal.table.button is None:
            first = []
    sequence = deal.sequence
    status = status_of(deal.table.round)
    # One hole card short of all, a misdeal, and nothing else amiss: the last player was passed over. An open card that
    # is missing (stud) makes no misdeal: the deal was called off for something else before it came.
    one_short = len(first) == len(sequence) - 1 and not deal.rules.up_cards
    all_but_one = status == "misdeal" and one_short and not deal.exposed_hole()
    if status in ("misdeal", "void") and deal.first_action_n == NEVER and not all_but_one:
        sequence = _as_far_as_dealt(sequence, [slot.dealt_to for slot in first])
    # A card for somebody the deal had not come to was out of turn, and nobody else is passed over yet.
    out_of_turn = not set(deal.sequence).intersection(slot.dealt_to for slot in first) <= set(sequence)
    if out_of_turn:
        sequence = deal.sequence
    if first:
        found = deal_findings(sequence, first, rules, ended=not out_of_turn)
        found = _once_if_moved(found, sequence, first, deal.first_action_n)
        yield from (_as_named(finding, deal) for finding in found)
    unburnt = clauses.exposed_unburnt if not deal.house.burns else ""
    for slot in deal.exposed_hole():
        yield Finding(
            kind="deal.exposed",
            rule=unburnt or clauses.exposed,
            t=slot.turned_t or slot.t,
            at=slot.dealt_to,
            message=f"A hole card of {slot.dealt_to} was dealt face up.",
        )


def _as_far_as_dealt(sequence: Sequence[str], dealt: Sequence[str]) -> Sequence[str]:
    """The part of the deal that was meant to have come when it was called off: whichever is least wrong.

    >>> _as_far_as_dealt(["box1", "box2", "box3"] * 2, ["box1", "box3"])
    ['box1', 'box2', 'box3']
    >>> _as_far_as_dealt(["box1", "box2", "box3"] * 2, ["box1", "box2", "box2"])
    ['box1', 'box2']
    """
    count = len(dealt)
    rest, places = iter(dealt), iter(enumerate(sequence, 1))
    whole = next((n for n, place in enumerate(sequence) if place not in rest), len(sequence))
    reached = [next((n for n, place in places if place == each), None) for each in dealt]
    found = [(2 * (count - whole) + 1, whole)]  # all in order up to there, and cards too many
    if (last := reached[-1] if reached else 0) is not None:
        found.append((2 * (last - count), last))  # some passed over
    if Counter(sequence[:count]) == Counter(dealt):
        found.append((0 if [*sequence[:count]] == [*dealt] else 4, count))
    return sequence[: min(found)[1]]


def _once_if_moved(found: list[Finding], sequence: Sequence[str], first: Sequence[Slot], until: int) -> list[Finding]:
    """A card moved on before the betting puts one error right: a box passed over, or one dealt a card too many."""
    moved = [(slot.dealt_to, slot.place) for slot in first if slot.moved_n is not None and slot.moved_n < until]
    pairs = [(a, b) for a in found for b in found if a.kind == "deal.extra" and b.kind == "deal.missed"]
    for extra, missed in pairs:
        if (extra.at, missed.at) not in moved:
            continue
        n = next((n for n, slot in enumerate(first) if n >= len(sequence) or slot.dealt_to != sequence[n]), 0)
        twice = n > 0 and first[n].dealt_to == first[n - 1].dealt_to
        found = [finding for finding in found if finding is not (missed if twice else extra)]
    return found


def _as_named(finding: Finding, deal: Deal) -> Finding:
    """The clause on cards too many, and the right word for a box that got nothing at all."""
    if finding.kind in ("deal.count", "deal.missed") and finding.observed == 0:
        sat_out = not deal.table.posted.get(finding.at or "") and finding.at not in deal.table.newly_seated
        verdict, reads = ("unsure", ("whether the player sat out",)) if sat_out else ("breach", ())
        return msgspec.structs.replace(finding, kind="deal.missed", verdict=verdict, reads=reads)
    return msgspec.structs.replace(finding, rule=deal.clauses.extra) if finding.kind == "deal.extra" else finding


def _without_replacements(deal: Deal) -> list[Slot]:
    """The initial deal without the cards that replaced one taken away."""
    gone: Counter[str] = Counter()
    kept, exposed = [], deal.exposed_hole()
    for slot in deal.initial:
        own = [each for each in deal.initial if each.dealt_to == slot.dealt_to]
        # An exposed card may leave only after the one that replaces it has come.
        one_more = own.index(slot) >= deal.sequence.count(slot.dealt_to) and deal.first_action_n != NEVER
        until = max(slot.n, deal.first_action_n) if one_more else slot.n
        taken = [
            each for each in own
            if (each.gone_n or NEVER) < (until if each in exposed and each.n < slot.n else slot.n)
        ]  # fmt: skip
        if len(taken) > gone[slot.dealt_to]:
            gone[slot.dealt_to] += 1
        else:
            kept.append(slot)
    return kept


def counts_right(deal: Deal) -> bool:
    """Whether every hand had its number of cards when the betting started: an error put right in time."""
    need = len(deal.sequence) // max(len(set(deal.sequence)), 1)
    for box in {*deal.sequence, *deal.table.dealt, *deal.table.strangers}:
        lying = [
            slot for slot in deal.table.round.hand(box)
            if slot.n < deal.first_action_n and (slot.gone_n is None or slot.gone_n >= deal.first_action_n)
            and (slot.moved_n is None or slot.moved_n < deal.first_action_n)
        ]  # fmt: skip
        nobody = box in deal.table.strangers or (deal.table.lacks_stake(box) and not deal.table.posted.get(box))
        due = 0 if nobody else need
        if len(lying) != due and box_number(box):
            return False
    return True


def dealt_wrong(deal: Deal) -> Iterator[tuple[str, str]]:
    """A player missed, or hole cards too many, and not put right before the betting: a misdeal.

    Where the rulebook lets a misdeal lapse with the first betting round, a hand that was folded for it later shows that
    it was found too late.
    """
    clauses = deal.rules.clauses
    for finding in initial_findings(deal):
        wrong = finding.kind in ("deal.missed", "deal.extra", "deal.count", "deal.no_wager")
        player = deal.betting.players.get(finding.at or "")
        folded_n = player.folded_n if player is not None else None
        lapsed = deal.rules.misdeal_lapses and folded_n is not None and folded_n > deal.second_round_n
        if wrong and finding.verdict == "breach" and not counts_right(deal) and not lapsed:
            yield clauses.extra if finding.kind == "deal.extra" else clauses.missed, finding.message.rstrip(".")
            return


def later_findings(deal: Deal) -> Iterator[Finding]:
    """Communal cards left face down, cards that changed hands, and hands with a wrong number of cards."""
    table, clauses = deal.table, deal.clauses
    for slot in table.board:
        if (slot.seen_n is None and slot.gone_n is None) or (slot.seen_n is None and table.round.ended):
            yield Finding(
                kind="deal.facing",
                rule=clauses.board[0],
                t=slot.t,
                at="board",
                expected="up",
                observed="down",
                message="A communal card was dealt face down and left so.",
            )
    reported = set()
    for slot in table.round.slots:
        if slot.moved_n is not None and slot.moved_from and slot.moved_n > deal.first_action_n:
            for box in (slot.moved_from, slot.place):
                if box_number(box) and box not in reported:
                    reported.add(box)
                    yield Finding(
                        kind="deal.count",
                        rule=clauses.exchange or clauses.wrong_count,
                        at=box,
                        t=table.round.events[slot.moved_n].t,
                        message=f"A card went from {slot.moved_from} to {slot.place} during the round.",
                    )
    already = {
        finding.at for finding in (*initial_findings(deal), *deal.findings) if finding.family == "deal"
    } | reported
    for player in deal.betting.in_hand if table.round.ended and status_of(table.round) == "complete" else ():
        count = len(deal.hand_at_end(player.box))
        if count != deal.hand_size and player.box not in already and len(deal.betting.in_hand) > 1:
            yield Finding(
                kind="deal.count",
                rule=clauses.wrong_count,
                t=table.round.closed,
                at=player.box,
                expected=deal.hand_size,
                observed=count,
                message=f"{player.box} held {count} cards at the end; a hand has {deal.hand_size}.",
            )


# ---- the deck ----------------------------------------------------------------------------------------------------


def deck_findings(table: Table) -> Iterator[Finding]:
    """Cards that are not in the deck in use, and cards seen twice; a card shuffled back may well come again."""
    seen: Counter[int] = Counter()
    deck, clauses = table.house.hand_order.deck, table.rules.clauses
    burnt = [slot for slot in table.round.off_table if slot.dealt_to in ("burn", "discard")]
    for slot in sorted([*table.round.slots, *burnt], key=lambda slot: slot.turned_n or slot.n):
        if not slot.sure or slot.card is None or slot.gone_to == "shoe":
            continue
        seen[slot.card] += 1
        t, text = slot.turned_t or slot.t, NAMES[slot.card]
        if slot.card not in deck and not (slot.card == JOKER and table.house.has_joker):
            yield Finding(
                kind="card.foreign",
                rule=clauses.deck,
                t=t,
                at=slot.dealt_to,
                observed=text,
                message=f"{text} came up, which is not in the deck of {len(deck)} cards.",
            )
        elif seen[slot.card] > 1:
            yield Finding(
                kind="card.duplicate",
                rule=clauses.one_deck,
                t=t,
                at=slot.dealt_to,
                expected=1,
                observed=seen[slot.card],
                message=f"{text} was seen {seen[slot.card]} times; there is one in the deck.",
            )
