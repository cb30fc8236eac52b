"""The hand evaluator: every example of the rulebooks, the open points, and other evaluators on random hands."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, strategies as st

from auditor.cards import JOKER
from auditor.hand_tables import Tables, tables_of
from auditor.hands import (
    ACT_REDUCED, CANBERRA, FULL, TAS_HOLDEM, TAS_REDUCED, TAS_STUD, UTH, Category, Order,
    at_least, best_five, category, describe, describe_low, faro_best_five, faro_low_strength, faro_strength,
    has_ace_king, low_strength, read_cards, showing_strength, strength, strengths,
)  # fmt: skip
from datasets import evaluate_hands as evaluation

ORDERS = [FULL, *ACT_REDUCED.values(), UTH, CANBERRA, TAS_HOLDEM, TAS_STUD, TAS_REDUCED]

# Where the rulebook gives ranks only, the suits are chosen so that no flush comes about.
FULL_EXAMPLES = """
As Ks Qs Js Ts | royal flush
Ac Ad Ah As Jkr | five of a kind, aces
Jh Th 9h 8h 7h | straight flush, jack high
5h 4h 3h 2h Ah | straight flush, five high
Ac Ad Ah As 4c | four of a kind, aces, four
Kc Kd Kh Js Jc | full house, kings and jacks
Kd Jd 9d 7d 5d | flush, king, jack, nine, seven, five
Kh Qc Jc Ts 9d | straight, king high
5h 4c 3c 2s Ad | straight, five high
Qc Qd Qh 8s 5c | three of a kind, queens, eight, five
Qc Qd 4h 4s Jc | two pairs, queens and fours, jack
Tc Td Kh 6s 2c | one pair, tens, king, six, two
Qh Tc 7c 4d 3s | high card, queen, ten, seven, four, three
"""
REDUCED_EXAMPLES = """
As Ks Qs Js Ts | royal flush
Ac Ad Ah As Jkr | five of a kind, aces
Jh Th 9h 8h 7h | straight flush, jack high
Ac Ad Ah As 4c | four of a kind, aces, four
Kd Jd 9d 7d 5d | flush, king, jack, nine, seven, five
Kc Kd Kh Js Jc | full house, kings and jacks
Kh Qc Jc Ts 9d | straight, king high
Qc Qd Qh 8s 5c | three of a kind, queens, eight, five
Qc Qd 4h 4s Jc | two pairs, queens and fours, jack
Tc Td Kh 6s 5c | one pair, tens, king, six, five
Qh Tc 9c 7d 4s | high card, queen, ten, nine, seven, four
"""
TAS_STUD_EXAMPLES = """
As Ks Qs Js Ts | royal flush
8h 7h 6h 5h 4h | straight flush, eight high
9c 9d 9h 9s Qc | four of a kind, nines, queen
Ac Ad Ah 8s 8c | full house, aces and eights
5h 4c 3c 2s Ad | straight, five high
Qc Qd 7h 7s 6c | two pairs, queens and sevens, six
Qc Qd 7h 7s 4c | two pairs, queens and sevens, four
"""
TAS_REDUCED_ROWS = """
As Ks Qs Js Ts | royal flush
Ks Qs Js Ts 9s | straight flush, king high
Ts 9s 8s 7s As | straight flush, ten high
Ks Js Ts 9s 7s | flush, king, jack, ten, nine, seven
Ac Ad Ah As Kc | four of a kind, aces, king
7c 7d 7h As Ac | full house, sevens and aces
Jc Td 9h 8s 7c | straight, jack high
Tc 9d 8h 7s Ac | straight, ten high
Ac Ad Ah Ks Qc | three of a kind, aces, king, queen
Ac Ad Kh Ks Qc | two pairs, aces and kings, queen
Ac Ad Kh Qs Jc | one pair, aces, king, queen, jack
Ac Kd Qh Js 9c | high card, ace, king, queen, jack, nine
"""


def without_joker(examples: str) -> str:
    return "\n".join(line for line in examples.splitlines() if "Jkr" not in line)


def power(text: str, order: Order = FULL) -> int:
    return strength(read_cards(text), order)


@pytest.mark.parametrize(
    ("order", "examples"),
    [
        pytest.param(FULL, FULL_EXAMPLES, id="ACT 3.3"),
        pytest.param(ACT_REDUCED[48], REDUCED_EXAMPLES, id="ACT 3.4 with 48"),
        pytest.param(ACT_REDUCED[44], REDUCED_EXAMPLES, id="ACT 3.4 with 44"),
        pytest.param(TAS_STUD, TAS_STUD_EXAMPLES, id="Tas stud 14.1"),
        pytest.param(TAS_REDUCED, TAS_REDUCED_ROWS, id="Tas stud 14.2"),
        pytest.param(TAS_HOLDEM, without_joker(FULL_EXAMPLES), id="Tas hold'em 4.3"),
        pytest.param(UTH, without_joker(FULL_EXAMPLES), id="UTH 3.1"),
        pytest.param(CANBERRA, without_joker(FULL_EXAMPLES), id="Canberra 2.6"),
    ],
)
def test_the_rulebooks_examples_fall_in_their_order(order: Order, examples: str) -> None:
    rows = [line.split(" | ") for line in examples.strip().splitlines()]
    values = [power(cards, order) for cards, _ in rows]
    assert [describe(value, order) for value in values] == [words for _, words in rows]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


def test_every_row_can_be_cited() -> None:
    assert FULL.clause_of(Category.HIGH_CARD) == "3.3(k)"
    assert ACT_REDUCED[32].clause_of(Category.FLUSH) == "3.4(e)"
    assert UTH.clause_of(Category.FOURS) == "3.1(c)"
    assert CANBERRA.clause_of(Category.TWO_PAIRS) == "2.6(h)"
    assert (
        TAS_STUD.clause_of(Category.STRAIGHT) == TAS_REDUCED.clause_of(Category.STRAIGHT).replace("2", "1") == "14.1(f)"
    )
    assert TAS_HOLDEM.clause_of(Category.HIGH_CARD) == "4.3(j)"
    assert all(order.level(Category.HIGH_CARD) == 0 for order in ORDERS)


def test_act_3_2_all_cards_count() -> None:
    assert power("Qs Qh Js Jh Td") > power("Qs Qh Js Jh 9d")
    assert power("Kc Kd Kh Qs Qc") > power("Kc Kd Kh Js Jc"), "the pair decides between equal threesomes"


@pytest.mark.parametrize(
    ("deck", "straight"),
    [
        (48, "6s 5d 4h 3c As"),
        (44, "7s 6d 5h 4c As"),
        (40, "8s 7d 6h 5c As"),
        (36, "9s 8d 7h 6c As"),
        (32, "Ts 9d 8h 7c As"),
    ],
)
def test_act_3_5a_ace_below_the_lowest_card(deck: int, straight: str) -> None:
    order = ACT_REDUCED[deck]
    value = power(straight, order)
    assert category(value, order) is Category.STRAIGHT
    assert len(order.deck) == deck
    next_straight = [card if card >> 2 < 12 else 4 * order.lowest + 8 for card in read_cards(straight)]
    assert strength(next_straight, order) > value
    ace_high_only = replace(order, ace_low=False)
    assert category(power(straight, ace_high_only), ace_high_only) is Category.HIGH_CARD
    suited = [card | 3 for card in read_cards(straight)]
    assert category(strength(suited, order), order) is Category.STRAIGHT_FLUSH
    assert category(strength(suited, ace_high_only), ace_high_only) is Category.FLUSH


def test_suited_ace_low_is_an_option() -> None:
    as_flush = replace(TAS_REDUCED, suited_ace_low=False)
    assert describe(power("Ts 9s 8s 7s As", as_flush), as_flush) == "flush, ace, ten, nine, eight, seven"
    assert describe(power("Ts 9d 8s 7s As", as_flush), as_flush) == "straight, ten high"


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("As Ks Qs Jkr Ts Qc 4d", "royal flush"),
        ("Qd Qh Qs Jkr Ts Qc 4d", "five of a kind, queens"),
        ("9s 8s 7s 6s Jkr", "straight flush, ten high"),
        ("5s 4s 3s 2s Jkr", "straight flush, six high"),
        ("4s 3s 2s As Jkr", "straight flush, five high"),
        ("As Ks 9s 7s Jkr", "flush, ace, king, queen, nine, seven"),
        ("Ks Kd Qs Qd Jkr", "full house, kings and queens"),
        ("Ks Kd Kh Qd Jkr", "four of a kind, kings, queen"),
        ("As Kd Qs Jd Jkr", "straight, ace high"),
        ("Ks Kd Qs 9d Jkr", "three of a kind, kings, queen, nine"),
        ("As Kd 9s 5d Jkr", "one pair, aces, king, nine, five"),
    ],
)
def test_act_3_7_joker_counts_as_the_card_it_substitutes_for(cards: str, words: str) -> None:
    assert describe(power(cards), FULL) == words


def test_joker_duplicates_is_an_option() -> None:
    order = replace(FULL, joker_duplicates=True)
    assert describe(power("As Ks 9s 7s Jkr", order), order) == "flush, ace, ace, king, nine, seven"
    assert describe(power("Ks 9s 7s 5s Jkr", order), order) == "flush, ace, king, nine, seven, five"


def test_act_3_5d_low_hands_qualify_with_an_eight() -> None:
    assert low_strength(read_cards("8h 6c 4c 3d 2s"), FULL, 8) is not None
    assert low_strength(read_cards("9h 6c 4c 3d 2s"), FULL, 8) is None
    assert low_strength(read_cards("8h 8c 4c 3d 2s"), FULL, 8) is None, "five odd cards"


def test_act_3_6_straights_and_flushes_do_not_count_in_low_hands() -> None:
    low = low_strength(read_cards("6h 5h 4h 3h 2h"), FULL)
    other = low_strength(read_cards("7h 5c 4h 3h 2h"), FULL)
    assert low is not None
    assert other is not None
    assert low > other
    assert describe_low(low, FULL) == "high card, six, five, four, three, two"


def test_the_ace_in_low_hands_is_an_option() -> None:
    wheel = read_cards("5h 4c 3c 2d As Ks")
    assert low_strength(wheel, FULL, 8) is None
    order = replace(FULL, low_ace="low")
    low = low_strength(wheel, order, 8)
    assert low is not None
    assert describe_low(low, order) == "high card, five, four, three, two, ace"


@given(st.lists(st.sampled_from(FULL.deck), min_size=4, max_size=6, unique=True), st.sampled_from(["high", "low"]))
def test_the_joker_makes_the_lowest_hand(cards: list[int], low_ace: str) -> None:
    order = replace(FULL, low_ace="low") if low_ace == "low" else FULL
    substitutes = [low_strength([*cards, card], order) for card in FULL.deck if card not in cards]
    assert low_strength([*cards, JOKER], order) == max(low for low in substitutes if low is not None)


def test_faro_9_1_takes_two_hole_cards_and_three_communal_cards() -> None:
    hole, board = read_cards("As Ks Qs Js 2d"), read_cards("Ts 9s 4h 4d 4c")
    assert describe(faro_strength(hole, board, FULL), FULL) == "three of a kind, fours, ace, king"
    assert faro_best_five(hole, board, FULL) == tuple(read_cards("4h 4d 4c As Ks"))
    low = faro_low_strength(read_cards("2s 3s Ks Kd Kh"), read_cards("4d 5d 8d Qd Qs"), FULL, 8)
    assert low is not None
    assert describe_low(low, FULL) == "high card, eight, five, four, three, two"
    assert faro_low_strength(read_cards("2s 3s 4s 5s 7s"), read_cards("Kd Qd Jd Td 2h"), FULL, 8) is None


@given(st.lists(st.sampled_from([*FULL.deck, JOKER]), min_size=10, max_size=10, unique=True))
def test_faro_is_the_best_of_its_hundred_hands(cards: list[int]) -> None:
    hole, board = cards[:5], cards[5:]
    fives = [[*pair, *three] for pair in combinations(hole, 2) for three in combinations(board, 3)]
    assert faro_strength(hole, board, FULL) == max(strengths(fives, FULL))
    lows = [low_strength(five, FULL) for five in fives]
    assert faro_low_strength(hole, board, FULL) == max(low for low in lows if low is not None)
    assert strength(faro_best_five(hole, board, FULL), FULL) == faro_strength(hole, board, FULL)


def test_uth_dealer_qualifies_with_one_pair() -> None:
    assert at_least(power("2s 2d 9h 7c 5d", UTH), Category.PAIR, UTH)
    assert not at_least(power("As Kd 9h 7c 5d", UTH), Category.PAIR, UTH)
    assert not at_least(power("Ks Kd Kh 7c 7d", TAS_REDUCED), Category.FLUSH, TAS_REDUCED), "by the order's own rows"


@pytest.mark.parametrize(
    ("cards", "qualifies"),
    [("As Kd 4h 3c 2d", True), ("As Qd Jh Tc 9d", False), ("Ks Qd Jh Tc 8d", False), ("2s 2d 5h 4c 3d", True),
     ("5s 4d 3h 2c Ad", True), ("7s 5s 4s 3s 2s", True)],
)  # fmt: skip
def test_canberra_9_2_ace_and_king_or_higher(cards: str, qualifies: bool) -> None:
    assert has_ace_king(power(cards, CANBERRA), CANBERRA) is qualifies


@pytest.mark.parametrize(
    "rising",
    [
        ["2c", "Kc", "As"],
        ["3c 2c", "Kc Qc", "Ac 2c", "Ac Kc", "2s 2d", "As Ad"],
        ["Ac Kc Jc", "Ac Kc Qc", "2s 2d 3c", "2s 2d 4c", "Ks Kd 2c", "As Ah 2d", "2s 2d 2c"],
        ["Ks Qs Js Ts", "Ad 9c 8c 7c", "As Ah Kd Qd", "3s 3d 2s 2d", "As Ah 2s 2d", "2s 2d 2c 3c", "2s 2d 2c 2h"],
    ],
)
def test_tas_stud_11_2_hands_showing(rising: list[str]) -> None:
    values = [showing_strength(read_cards(cards), TAS_STUD) for cards in rising]
    assert values == sorted(set(values)), "four cards make neither a flush nor a straight"


def test_tas_stud_12_3_five_cards_against_four_open_ones() -> None:
    showing = showing_strength(read_cards("Ks Kd 9h 5c"), TAS_STUD)
    assert power("Kh Kc 8h 7c 6d", TAS_STUD) < showing < power("Kh Kc 9c 5d 2s", TAS_STUD)


@pytest.mark.parametrize(
    ("cards", "order", "message"),
    [
        ("4s 6d 7h 8c 9d", ACT_REDUCED[40], "4s is not in the deck"),
        ("As Kd Qh Jc Jkr", UTH, "Jkr is not in the deck"),
        ("As As Qh Jc Td", FULL, "the same card twice"),
        ("As Kd Qh Jc", FULL, "not 4"),
        ("As Kd Qh Jc Td 9s 8s 7s", FULL, "not 8"),
    ],
)
def test_what_is_no_hand_is_an_error(cards: str, order: Order, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        power(cards, order)


def test_faro_and_showing_refuse_other_numbers_of_cards() -> None:
    with pytest.raises(ValueError, match="not 4 and 5"):
        faro_strength([0, 1, 2, 3], [4, 5, 6, 7, 8], FULL)
    with pytest.raises(ValueError, match="not 5"):
        showing_strength([0, 1, 2, 3, 4], TAS_STUD)


hands_of_an_order = st.sampled_from(ORDERS).flatmap(
    lambda order: st.tuples(
        st.just(order),
        st.lists(
            st.sampled_from([*order.deck, JOKER] if order.admits_joker else order.deck),
            min_size=5,
            max_size=7,
            unique=True,
        ),
    )
)


@given(hands_of_an_order, st.permutations(range(4)), st.randoms())
def test_neither_sequence_nor_suits_matter(dealt: tuple[Order, list[int]], suits: list[int], rng: Random) -> None:
    order, cards = dealt
    other = [card if card == JOKER else card & ~3 | suits[card & 3] for card in cards]
    rng.shuffle(other)
    assert strength(other, order) == strength(cards, order)


@given(hands_of_an_order)
def test_the_best_five_cards_are_the_hand(dealt: tuple[Order, list[int]]) -> None:
    order, cards = dealt
    five = best_five(cards, order)
    assert set(five) <= set(cards)
    assert strength(five, order) == strength(cards, order) == max(strengths(combinations(cards, 5), order))
    assert describe(strength(five, order), order).startswith(category(strength(five, order), order))


@given(hands_of_an_order)
def test_a_joker_is_never_worse_than_a_card(dealt: tuple[Order, list[int]]) -> None:
    order, cards = dealt
    if order.admits_joker and JOKER not in cards:
        assert strength([*cards[1:], JOKER], order) >= strength(cards, order)


def test_best_five_in_the_order_they_count() -> None:
    assert best_five(read_cards("4s Qd 4d 2h Qc Jc 3d"), FULL) == tuple(read_cards("Qd Qc 4s 4d Jc"))
    assert best_five(read_cards("Ad 2c 3h Kd 5s 4s Kc"), FULL) == tuple(read_cards("5s 4s 3h 2c Ad"))
    assert best_five(read_cards("Jkr Ad As 7h 7d"), FULL) == tuple(read_cards("Ad As 7h 7d Jkr"))


def test_every_hand_of_the_32_cards() -> None:
    """The counts are combinatorics: e.g. 5 straights of 4^5 - 4 hands each."""
    counted = Counter(value >> 20 for value in strengths(combinations(TAS_REDUCED.deck, 5), TAS_REDUCED))
    assert [counted[level] for level in range(9, -1, -1)] == [4, 16, 204, 224, 1344, 5100, 10752, 24192, 107520, 52020]


def test_tables_start_empty_and_are_shared() -> None:
    fresh = Tables(FULL)
    assert not fresh.unsuited
    assert not fresh.suited
    assert tables_of(FULL) is tables_of(replace(FULL))


def test_against_phevaluator() -> None:
    assert evaluation.against_phevaluator(3000).differences == 0
    assert evaluation.faro_against_phevaluator(200).differences == 0


@pytest.mark.parametrize("case", evaluation.CASES, ids=lambda case: case.title)
def test_against_pokerkit(case: evaluation.Case) -> None:
    assert evaluation.against_pokerkit(case, 500).differences == 0


@pytest.mark.parametrize("case", evaluation.LOW_CASES, ids=lambda case: case.title)
def test_low_against_pokerkit(case: evaluation.Case) -> None:
    assert evaluation.low_against_pokerkit(case, 500).differences == 0
    assert evaluation.faro_low_against_pokerkit(case, 50).differences == 0


@pytest.mark.parametrize("case", evaluation.JOKER_CASES, ids=lambda case: case.title)
def test_joker_by_brute_force(case: evaluation.Case) -> None:
    assert evaluation.jokers_by_brute_force(case, 100).differences == 0


def test_the_comparison_notices_a_wrong_order() -> None:
    wrong = replace(evaluation.CASES[3], order=TAS_REDUCED, lowest=7)
    assert evaluation.against_pokerkit(wrong, 3000).differences > 0
