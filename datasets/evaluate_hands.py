"""Evaluation of `auditor.hands` against phevaluator, pokerkit and brute force: `python -m datasets.evaluate_hands`.

Two evaluators agree when they sort hands alike: the same hands tie, the same hand wins. Each comparison counts the
places where they do not. The orders are written out here a second time, from the rulebooks, for the other evaluators.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations, pairwise
from typing import Any, cast

from phevaluator.evaluator import evaluate_5cards, evaluate_7cards
from pokerkit import Card
from pokerkit.lookups import Label, Lookup
from pokerkit.utilities import RankOrder

from auditor import hands
from auditor.cards import JOKER, name
from auditor.hands import Order

Hand = tuple[int, ...]

_COMMON = (Label.HIGH_CARD, Label.ONE_PAIR, Label.TWO_PAIR, Label.THREE_OF_A_KIND, Label.STRAIGHT)
_USUAL = (*_COMMON, Label.FLUSH, Label.FULL_HOUSE, Label.FOUR_OF_A_KIND, Label.STRAIGHT_FLUSH)
_ACT_REDUCED = (*_COMMON, Label.FULL_HOUSE, Label.FLUSH, Label.FOUR_OF_A_KIND, Label.STRAIGHT_FLUSH)
_TAS_REDUCED = (*_COMMON, Label.FULL_HOUSE, Label.FOUR_OF_A_KIND, Label.FLUSH, Label.STRAIGHT_FLUSH)
_LOW = (*_COMMON[:4], Label.FULL_HOUSE, Label.FOUR_OF_A_KIND)
_SHAPES = {
    Label.HIGH_CARD: {1: 5},
    Label.ONE_PAIR: {2: 1, 1: 3},
    Label.TWO_PAIR: {2: 2, 1: 1},
    Label.THREE_OF_A_KIND: {3: 1, 1: 2},
    Label.FLUSH: {1: 5},
    Label.FULL_HOUSE: {3: 1, 2: 1},
    Label.FOUR_OF_A_KIND: {4: 1, 1: 1},
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """An order of ours and the same order as the rulebook has it, lowest row first."""

    title: str
    order: Order
    rows: tuple[Label, ...]
    lowest: int = 2
    low_straight: bool = True
    low_straight_flush: bool = True
    low_ace: bool = False


@dataclass(frozen=True)
class Outcome:
    """One line of the table."""

    check: str
    compared: int
    differences: int


CASES = (
    Case(title="ACT 52", order=hands.FULL, rows=_USUAL),
    Case(title="ACT 48", order=hands.ACT_REDUCED[48], rows=_ACT_REDUCED, lowest=3),
    Case(title="ACT 44", order=hands.ACT_REDUCED[44], rows=_ACT_REDUCED, lowest=4),
    Case(title="ACT 40", order=hands.ACT_REDUCED[40], rows=_ACT_REDUCED, lowest=5),
    Case(title="ACT 36", order=hands.ACT_REDUCED[36], rows=_ACT_REDUCED, lowest=6),
    Case(title="ACT 32", order=hands.ACT_REDUCED[32], rows=_ACT_REDUCED, lowest=7),
    Case(title="ACT 52, ace_low off", order=replace(hands.FULL, ace_low=False), rows=_USUAL, low_straight=False,
         low_straight_flush=False),
    Case(title="ACT 40, ace_low off", order=replace(hands.ACT_REDUCED[40], ace_low=False), rows=_ACT_REDUCED, lowest=5,
         low_straight=False, low_straight_flush=False),
    Case(title="UTH", order=hands.UTH, rows=_USUAL),
    Case(title="Canberra", order=hands.CANBERRA, rows=_USUAL),
    Case(title="Tas hold'em", order=hands.TAS_HOLDEM, rows=_USUAL),
    Case(title="Tas stud 52", order=hands.TAS_STUD, rows=_USUAL),
    Case(title="Tas stud 32", order=hands.TAS_REDUCED, rows=_TAS_REDUCED, lowest=7),
    Case(title="Tas stud 32, suited_ace_low off", order=replace(hands.TAS_REDUCED, suited_ace_low=False),
         rows=_TAS_REDUCED, lowest=7, low_straight_flush=False),
)  # fmt: skip
LOW_CASES = (
    Case(title="low, ace high", order=hands.FULL, rows=_LOW),
    Case(title="low, ace low", order=replace(hands.FULL, low_ace="low"), rows=_LOW, low_ace=True),
    Case(title="low, 40 cards, ace low", order=replace(hands.ACT_REDUCED[40], low_ace="low"), rows=_LOW, lowest=5,
         low_ace=True),
)  # fmt: skip
JOKER_CASES = (
    *CASES[:6],
    Case(title="ACT 52, joker_duplicates", order=replace(hands.FULL, joker_duplicates=True), rows=_USUAL),
    Case(title="ACT 40, joker_duplicates", order=replace(hands.ACT_REDUCED[40], joker_duplicates=True),
         rows=_ACT_REDUCED, lowest=5),
)  # fmt: skip


class _CaseLookup(Lookup):
    """pokerkit's lookup for a case's deck and rows."""

    def __init__(self, case: Case) -> None:
        self.case = case
        ranks = RankOrder.STANDARD[case.lowest - 2 :]
        if case.low_ace:
            ranks = ranks[-1:] + ranks[:-1]
        # Any tuple of ranks will do; pokerkit's annotation asks for a member of its own enum.
        self.rank_order = cast(Any, ranks)  # type: ignore[misc]
        super().__init__()

    def _add_entries(self) -> None:
        straights_count = Label.STRAIGHT in self.case.rows
        for row in self.case.rows:
            if row is Label.STRAIGHT:
                self._add_straights(5, (False,), row, self.case.low_straight)
            elif row is Label.STRAIGHT_FLUSH:
                self._add_straights(5, (True,), row, self.case.low_straight_flush)
            else:
                odd = row is Label.HIGH_CARD and not straights_count
                suited = (True, False) if odd else (row is Label.FLUSH,)
                self._add_multisets(Counter(_SHAPES[row]), suited, row)


_lookup = cache(_CaseLookup)
_POKERKIT_CARDS = tuple(next(iter(Card.parse(name(card)))) for card in range(JOKER))


@cache
def _pokerkit_entry(case: Case, five: Hand) -> tuple[int, Label]:
    entry = _lookup(case).get_entry(tuple(_POKERKIT_CARDS[card] for card in five))
    return entry.index, entry.label


def _alike(five: Hand) -> Hand:
    """A hand of the same ranks that is suited or not as this one is: pokerkit is asked once for all of them."""
    ranks = sorted(card >> 2 for card in five)
    suited = len({card & 3 for card in five}) == 1
    return tuple(4 * rank + (0 if suited else place % 4) for place, rank in enumerate(ranks))


def _pokerkit(case: Case, cards: Hand) -> list[tuple[int, Label]]:
    return [_pokerkit_entry(case, _alike(five)) for five in combinations(cards, 5)]


@cache
def _naive(case: Case, pips: Sequence[int], suited: bool) -> tuple[int, ...]:
    """Five cards by the words of the rulebook; duplicates and five of a kind included."""
    counts = Counter(pips)
    in_order = sorted(pips, key=lambda pip: (counts[pip], pip), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    top = 0
    if len(counts) == 5 and in_order[0] - in_order[4] == 4:
        top = in_order[0]
    elif case.low_straight and in_order == [14, *range(case.lowest + 3, case.lowest - 1, -1)]:
        top = case.lowest + 3
    place = case.rows.index
    if suited and top:
        return (102 if top == 14 else 100, top)
    if shape == [5]:
        return (101, in_order[0])
    if suited:
        return (place(Label.FLUSH), *sorted(pips, reverse=True))
    if top:
        return (place(Label.STRAIGHT), top)
    label = next(label for label, form in _SHAPES.items() if Counter(form) == Counter(shape))
    return (place(label), *in_order)


def brute_force_joker(case: Case, cards: Hand) -> tuple[int, ...]:
    """The best of every five cards with every substitute for the joker."""
    best: tuple[int, ...] = ()
    for five in combinations(cards, 5):
        held = tuple(card for card in five if card != JOKER)
        for substitute in range(4 * (case.lowest - 2), JOKER) if JOKER in five else (None,):
            hand = held if substitute is None else (*held, substitute)
            pips = tuple(sorted((card >> 2) + 2 for card in hand))
            if substitute in held and pips[0] != pips[4] and not case.order.joker_duplicates:
                continue
            best = max(best, _naive(case, pips, len({card & 3 for card in hand}) == 1))
    return best


def disagreements(pairs: list[tuple[Any, Any]]) -> int:
    """How many neighbours, sorted by the first evaluator, the second one sorts otherwise.

    >>> disagreements([(1, 10), (1, 10), (2, 30)]), disagreements([(1, 30), (1, 10), (2, 20)])
    (0, 2)
    """
    pairs = sorted(pairs)
    return sum(a[1] > b[1] or (a[0] == b[0]) != (a[1] == b[1]) for a, b in pairwise(pairs))


def deals(cards: Sequence[int], count: int, seed: int) -> Iterator[Hand]:
    """Random hands of 5, 6 or 7 cards."""
    rng = random.Random(seed)
    for _ in range(count):
        yield tuple(rng.sample(cards, rng.choice((5, 6, 7))))


def against_phevaluator(count: int, seed: int = 1) -> Outcome:
    """Two players with a common board, as at the table: who wins?"""
    rng = random.Random(seed)
    differences = 0
    for _ in range(count):
        *board, a, b, c, d = rng.sample(range(JOKER), 9)
        first, second = (*board, a, b), (*board, c, d)
        ours = hands.strength(first, hands.FULL) - hands.strength(second, hands.FULL)
        theirs = evaluate_7cards(*second) - evaluate_7cards(*first)
        differences += (ours > 0) != (theirs > 0) or (ours < 0) != (theirs < 0)
    return Outcome("52 cards, pairs of 7-card hands, phevaluator", count, differences)


def against_pokerkit(case: Case, count: int, seed: int = 2) -> Outcome:
    """Strengths and categories of 5 to 7 cards."""
    pairs, misnamed = [], 0
    for cards in deals(range(4 * (case.lowest - 2), JOKER), count, seed):
        ours = hands.strength(cards, case.order)
        theirs, label = max(_pokerkit(case, cards))
        called = hands.category(ours, case.order).replace("royal", "straight").replace("pairs", "pair")
        misnamed += called != label.lower()
        pairs.append((ours, theirs))
    return Outcome(f"{case.title}, pokerkit", count, disagreements(pairs) + misnamed)


def low_against_pokerkit(case: Case, count: int, seed: int = 3) -> Outcome:
    """Low hands of 5 to 7 cards, and whether they qualify with an eight."""
    pairs, misjudged = [], 0
    for cards in deals(range(4 * (case.lowest - 2), JOKER), count, seed):
        ours = hands.low_strength(cards, case.order)
        theirs, label = min(_pokerkit(case, cards))
        small = {card >> 2 for card in cards if card >> 2 <= 6 or (case.low_ace and card >> 2 == 12)}
        qualifies = label is Label.HIGH_CARD and len(small) >= 5
        misjudged += qualifies != (hands.low_strength(cards, case.order, 8) is not None)
        pairs.append((ours, -theirs))
    return Outcome(f"{case.title}, pokerkit", count, disagreements(pairs) + misjudged)


def jokers_by_brute_force(case: Case, count: int, seed: int = 4) -> Outcome:
    """Hands with the joker against every substitution."""
    deck = range(4 * (case.lowest - 2), JOKER)
    dealt = ((*cards[1:], JOKER) for cards in deals(deck, count, seed))
    pairs = [(hands.strength(cards, case.order), brute_force_joker(case, cards)) for cards in dealt]
    return Outcome(f"{case.title} with joker, brute force", count, disagreements(pairs))


def _faro_fives(cards: Hand) -> Iterator[Hand]:
    return (pair + three for pair in combinations(cards[:5], 2) for three in combinations(cards[5:], 3))


def faro_against_phevaluator(count: int, seed: int = 5) -> Outcome:
    """Two of five hole cards and three of five communal cards."""
    rng = random.Random(seed)
    pairs = []
    for _ in range(count):
        cards = tuple(rng.sample(range(JOKER), 10))
        theirs = min(evaluate_5cards(*five) for five in _faro_fives(cards))
        pairs.append((hands.faro_strength(cards[:5], cards[5:], hands.FULL), -theirs))
    return Outcome("Faro, phevaluator", count, disagreements(pairs))


def faro_low_against_pokerkit(case: Case, count: int, seed: int = 6) -> Outcome:
    """The low hand of two hole cards and three communal cards."""
    rng = random.Random(seed)
    pairs = []
    for _ in range(count):
        cards = tuple(rng.sample(range(4 * (case.lowest - 2), JOKER), 10))
        theirs = min(_pokerkit_entry(case, _alike(five))[0] for five in _faro_fives(cards))
        pairs.append((hands.faro_low_strength(cards[:5], cards[5:], case.order), -theirs))
    return Outcome(f"Faro {case.title}, pokerkit", count, disagreements(pairs))


def evaluations_per_second(count: int = 300_000, seed: int = 7) -> tuple[int, int]:
    """Seven-card hands per second of one core's time: the tables empty, and filled."""
    rng = random.Random(seed)
    dealt = [tuple(rng.sample(range(JOKER), 7)) for _ in range(count)]
    order = replace(hands.FULL, clause="fresh tables")
    rates = []
    for _ in range(2):
        started = time.process_time()
        hands.strengths(dealt, order)
        rates.append(round(count / (time.process_time() - started)))
    return rates[0], rates[1]


def main() -> int:
    """Run everything, print one table, and answer with the number of differences."""
    empty, filled = evaluations_per_second()
    print(f"7-card evaluations per second, one core: {empty:,} from empty tables, {filled:,} once they are filled")
    print(f"{'check':50}{'hands':>10}{'differences':>13}{'seconds':>9}")
    checks: list[Callable[[], Outcome]] = [partial(against_phevaluator, 1_000_000)]
    checks += [partial(against_pokerkit, case, 100_000) for case in CASES]
    checks += [partial(low_against_pokerkit, case, 100_000) for case in LOW_CASES]
    checks += [partial(jokers_by_brute_force, case, 20_000) for case in JOKER_CASES]
    checks += [partial(faro_against_phevaluator, 100_000)]
    checks += [partial(faro_low_against_pokerkit, case, 10_000) for case in LOW_CASES]
    differences = 0
    for check in checks:
        started = time.perf_counter()
        outcome = check()
        seconds = time.perf_counter() - started
        differences += outcome.differences
        print(f"{outcome.check:50}{outcome.compared:>10,}{outcome.differences:>13,}{seconds:>9.1f}", flush=True)
    return differences


if __name__ == "__main__":
    raise SystemExit(1 if main() else 0)
