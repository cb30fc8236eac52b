"""Checks on dealing that several rulebooks share: sequence and number of cards, shuffles, the deck.

Each check takes the clause it enforces, so that the finding cites the rulebook at hand.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from auditor.cards import NAMES
from auditor.findings import Finding
from auditor.places import box_number
from auditor.rounds import Round
from auditor.slots import Slot


class DealRules(NamedTuple):
    """The clauses a dealing sequence is held against."""

    sequence: str
    number: str
    stranger: str


def deal_findings(
    expected: Sequence[str], slots: Sequence[Slot], rules: DealRules, *, ended: bool = True
) -> list[Finding]:
    """Compare the places that got cards with those that should have, in order.

    Where the log ends in the deal (`ended` false) cards may still come, and those after the first wrong one may belong
    to whatever the dealer made of it: only that one is told. It is one too many, passes a box over, or is out of turn.
    """
    if [slot.dealt_to for slot in slots] == list(expected):
        return []
    found = []
    entitled = set(expected)
    strangers = {slot.dealt_to: slot for slot in reversed(slots) if slot.dealt_to not in entitled}
    for place, slot in sorted(strangers.items(), key=lambda item: item[1].n):
        found.append(
            Finding(
                kind="deal.no_wager", rule=rules.stranger, t=slot.t, at=place,
                message=f"A card was dealt to {place}, which holds no wager.",
            )
        )
    known = [slot for slot in slots if slot.dealt_to in entitled]
    if ended:
        return found + _compare_deal(expected, known, rules)
    right = sum(1 for _ in takewhile(lambda pair: pair[0].dealt_to == pair[1], zip(known, expected, strict=False)))
    known, due = known[: right + 1], expected[right : right + 2]
    if known[right:] and [known[right].dealt_to] == list(due[1:]) and box_number(due[0]):  # a box was passed over
        return found + _miscounted(expected[: right + 2], known, rules)
    surplus = [each for each in _miscounted(expected, known, rules) if each.observed > each.expected]
    return found + (surplus or _out_of_turn(expected, known, rules))


def so_far(expected: Sequence[str], slots: Sequence[Slot]) -> Sequence[str]:
    """The part of the sequence that a deal which was called off had got to: the one that the cards fit best."""
    got = Counter(slot.dealt_to for slot in slots if slot.dealt_to in expected)

    def misfit(length: int) -> tuple[int, int]:
        due = Counter(expected[:length])
        return (due - got).total() + (got - due).total(), -length

    return expected[: min(range(len(expected) + 1), key=misfit)]


def _compare_deal(expected: Sequence[str], slots: Sequence[Slot], rules: DealRules) -> list[Finding]:
    same = Counter(expected) == Counter(slot.dealt_to for slot in slots)
    return (_out_of_turn if same else _miscounted)(expected, slots, rules)


def _out_of_turn(expected: Sequence[str], slots: Sequence[Slot], rules: DealRules) -> list[Finding]:
    """The first card that another place was to have got."""
    for slot, place in zip(slots, expected, strict=False):
        if slot.dealt_to != place:
            return [
                Finding(
                    kind="deal.order", rule=rules.sequence, t=slot.t, at=slot.dealt_to,
                    expected=place, observed=slot.dealt_to,
                    message=f"The card was due to {place}, but {slot.dealt_to} got it.",
                )
            ]
    return []


def _miscounted(expected: Sequence[str], slots: Sequence[Slot], rules: DealRules) -> list[Finding]:
    """The places that got too many cards, or too few."""
    should, got = Counter(expected), Counter(slot.dealt_to for slot in slots)
    found = []
    for place in should:
        surplus = got[place] - should[place]
        if not surplus:
            continue
        own = [slot for slot in slots if slot.dealt_to == place]
        kind = "deal.count"
        if box_number(place) and (surplus in (1, -1) or not got[place]):
            kind = "deal.extra" if surplus > 0 else "deal.missed"
        t = own[should[place]].t if surplus > 0 else (slots[-1].t if slots else 0.0)
        found.append(
            Finding(
                kind=kind, rule=rules.number, t=t, at=place, expected=should[place], observed=got[place],
                message=f"{place} is dealt {should[place]} cards here, it got {got[place]}.",
            )
        )
    return found


def initial_deal(expected: Sequence[str], slots: Sequence[Slot]) -> int:
    """How many of the cards best make up the expected sequence, where more cards (draws) may follow it.

    Edit distance; a swap of neighbours costs as much as a card too many or too few. Cards for places that are not in
    the sequence count as part of the deal up to its end.
    """
    if [slot.dealt_to for slot in slots[: len(expected)]] == list(expected):
        return len(expected)
    entitled = set(expected)
    known = [index for index, slot in enumerate(slots) if slot.dealt_to in entitled]
    observed = [slots[index].dealt_to for index in known]
    columns = min(len(observed), len(expected) + 2) + 1
    cost = [[row + column for column in range(columns)] for row in range(len(expected) + 1)]
    for row in range(1, len(expected) + 1):
        for column in range(1, columns):
            best = min(cost[row - 1][column], cost[row][column - 1]) + 1
            if expected[row - 1] == observed[column - 1]:
                best = min(best, cost[row - 1][column - 1])
            if row > 1 and column > 1 and expected[row - 2 : row] == [observed[column - 1], observed[column - 2]]:
                best = min(best, cost[row - 2][column - 2] + 1)
            cost[row][column] = best
    if Counter(observed[: len(expected)]) == Counter(expected):
        cost[-1][len(expected)] = min(cost[-1][len(expected)], 2)  # right counts, however mixed up
    length = min(range(columns), key=lambda column: (cost[-1][column], abs(column - len(expected)), -column))
    return known[length - 1] + 1 if length else 0


def shuffle_missing(round: Round, rule: str, why: str) -> list[Finding]:
    """No shuffle between this round and the one before, though the rules demand one."""
    before = round.previous
    if before is None or before.opened_n is None or round.shuffled():
        return []
    if round.gaps or any(gap.since != before.log_began for gap in before.gaps):  # none was before the log
        return []
    return [Finding(kind="shuffle.missing", rule=rule, t=round.opened, message=f"No shuffle was seen {why}.")]


def deck_findings(
    round: Round, decks: int, rule: str, *, joker: bool = False, whole_shoe: bool = False
) -> list[Finding]:
    """Cards that cannot be there: strangers to the deck, and more copies than the decks hold.

    With `whole_shoe`, copies count since the last shuffle; else within the round.
    """
    found = []
    seen: Counter[int] = Counter()
    in_order = round.slots
    if not whole_shoe:
        in_order = sorted(round.slots, key=lambda slot: slot.n if slot.seen_n is None else slot.seen_n)
    for slot in in_order:
        if not slot.sure:
            continue
        card = slot.card
        assert card is not None
        seen[card] += 1
        copies = slot.copy if whole_shoe else seen[card]
        if card == 52 and not joker:
            found.append(
                Finding(
                    kind="card.foreign", rule=rule, t=slot.turned_t or slot.t, at=slot.dealt_to, observed=NAMES[card],
                    message="A joker came up; the game is played without jokers.",
                )
            )
        elif copies > decks:
            found.append(
                Finding(
                    kind="card.duplicate", rule=rule, t=slot.turned_t or slot.t, at=slot.dealt_to, expected=decks,
                    observed=copies, message=f"{NAMES[card]} was seen {copies} times; there are {decks} in play.",
                )
            )
    return found
