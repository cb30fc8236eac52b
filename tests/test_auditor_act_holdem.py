"""ACT Hold-em (NI2015-405), clause by clause."""

from typing import Any

import pytest

from auditor.house import read_house
from auditor.log import FairdealError
from auditor.rulebooks.act_holdem import HoldemHouse
from poker_hands import Hand, limped

FLOP, TURN, RIVER = "5c 4d 2h", "Ks", "Kd"


def table(boxes: tuple[int, ...] = (1, 2, 3), stack: float = 200, **house: Any) -> Hand:
    """A cash table without commission."""
    return Hand("act-holdem", boxes, stack, **({"commission": "none"} | house))


def checked_down(hand: Hand, board: tuple[str, str, str] = (FLOP, TURN, RIVER)) -> Hand:
    """No further bet."""
    return hand.check_around(*board)


def shown(hand: Hand, cards: dict[int, str], winner: int | None = None, **shares: Any) -> Hand:
    """Showdown, award, collection."""
    for box, hole in cards.items():
        hand.show(box, hole)
    return hand.award(winner, **shares).collect()


# ---- who wins ----


def test_9_1_any_five_of_seven() -> None:
    cards = {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}
    right = shown(checked_down(limped(table())), cards, 2)
    assert right.breaches() == []
    assert right.pots()[0] | {"rule": ""} == {
        "at": "pot",
        "amount": 6,
        "commission": 0,
        "winners": {"box2": 6},
        "rule": "",
    }
    assert shown(checked_down(limped(table())), cards, 1).breaches() == [("pot.winner", "pot")]


def test_3_3_the_full_deck_ranks_a_full_house_over_a_flush() -> None:
    cards = {1: "Kc 5d", 2: "9h 7h", 3: "3c 8c"}
    board = ("Kh 5h 2h", "Ks", "9c")
    assert shown(checked_down(limped(table()), board), cards, 1).breaches() == []
    assert shown(checked_down(limped(table()), board), cards, 2).breaches() == [("pot.winner", "pot")]


def test_3_4_a_reduced_deck_ranks_the_flush_over_a_full_house() -> None:
    cards = {1: "Kc 8d", 2: "9h Th", 3: "Jc 8c"}
    board = ("Kh 8h 7h", "Ks", "9c")
    assert shown(checked_down(limped(table(deck=32)), board), cards, 2).breaches() == []
    assert shown(checked_down(limped(table(deck=32)), board), cards, 1).breaches() == [("pot.winner", "pot")]


@pytest.mark.parametrize(
    ("cards", "board", "winner"),
    [
        ({1: "As Ks", 2: "9s 8s"}, ("Qs Js Ts", "2c", "3d"), 1),  # (a) over (c)
        ({1: "9s 8s", 2: "Jc Jd"}, ("Qs Js Ts", "Jh", "3d"), 1),  # (c) over (d)
        ({1: "Jc Jd", 2: "Qc Qd"}, ("Qs Js Ts", "Jh", "3d"), 1),  # (d) over (e)
        ({1: "Qc Qd", 2: "As 2s"}, ("Qs Js Ts", "Jh", "3d"), 1),  # (e) over (f)
        ({1: "As 2s", 2: "Kc 9d"}, ("Qs Js Ts", "4h", "3d"), 1),  # (f) over (g)
        ({1: "Kc 9d", 2: "Qc Qd"}, ("Qs Js Th", "4h", "3d"), 1),  # (g) over (h)
        ({1: "Qc Qd", 2: "Ac Ad"}, ("Qs Js 7h", "4h", "3d"), 1),  # (h) over (j)
        ({1: "Jc 7d", 2: "Ac Ad"}, ("Qs Js 7h", "4h", "3d"), 1),  # (i) over (j)
        ({1: "2c 2d", 2: "Ac Kd"}, ("Qs Js 7h", "4h", "3d"), 1),  # (j) over (k)
        ({1: "Ac 9d", 2: "Ad 8d"}, ("Qs Js 7h", "4h", "3d"), 1),  # (k), 3.2: all cards count
    ],
)  # fmt: skip
def test_3_3_a_to_k(cards: dict[int, str], board: tuple[str, str, str], winner: int) -> None:
    for taker, faults in ((winner, []), (3 - winner, [("pot.winner", "pot")])):
        hand = table().blinds().deal().fold(3).bet(1, 2).check(2).sweep()
        assert shown(hand.check_around(*board), cards, taker).breaches() == faults


@pytest.mark.parametrize(
    ("cards", "board", "winner"),
    [
        ({1: "As Ks", 2: "9s 8s"}, ("Qs Js Ts", "5c", "6d"), 1),  # (a) over (c)
        ({1: "Jkr Jc", 2: "Ts 9s"}, ("Js Jd 8s", "Jh", "7s"), 1),  # (b) over (c)
        ({1: "9s 8s", 2: "Jc Jd"}, ("Qs Js Ts", "Jh", "6d"), 1),  # (c) over (d)
        ({1: "Jc Jd", 2: "As 6s"}, ("Qs Js Ts", "Jh", "6d"), 1),  # (d) over (e)
        ({1: "As 6s", 2: "Qc Qd"}, ("Qs Js Ts", "Jh", "6d"), 1),  # (e) over (f)
        ({1: "Qc Qd", 2: "Kc 9d"}, ("Qs Js Th", "Jh", "6d"), 1),  # (f) over (g)
        ({1: "Kc 9d", 2: "Qc Qd"}, ("Qs Js Th", "7h", "6d"), 1),  # (g) over (h)
        ({1: "Qc Qd", 2: "Ac Ad"}, ("Qs Js 8h", "7h", "6d"), 1),  # (h) over (j)
        ({1: "Jc 8d", 2: "Ac Ad"}, ("Qs Js 8h", "7h", "6d"), 1),  # (i) over (j)
        ({1: "6c 5c", 2: "Ac Kd"}, ("Qs Js 8h", "7h", "6d"), 1),  # (j) over (k)
        ({1: "Ac Td", 2: "Ad 9d"}, ("Ks Js 8h", "7h", "5d"), 1),  # (k)
    ],
)
def test_3_4_a_to_k(cards: dict[int, str], board: tuple[str, str, str], winner: int) -> None:
    for taker, faults in ((winner, []), (3 - winner, [("pot.winner", "pot")])):
        hand = table(deck=40, joker=True).blinds().deal().fold(3).bet(1, 2).check(2).sweep()
        assert shown(hand.check_around(*board), cards, taker).breaches() == faults


def test_3_3_b_five_of_a_kind_over_a_straight_flush() -> None:
    for taker, faults in ((1, []), (2, [("pot.winner", "pot")])):
        hand = table(joker=True).blinds().deal().fold(3).bet(1, 2).check(2).sweep()
        hand.check_around("Js Jd 8s", "Jh", "7s")
        assert shown(hand, {1: "Jkr Jc", 2: "Ts 9s"}, taker).breaches() == faults


def test_3_5_a_the_ace_low_in_a_straight() -> None:
    cards = {1: "As 3c", 2: "Kc 8d"}
    for option, winner in ((True, 1), (False, 2)):
        hand = table(ace_low=option).blinds().deal().fold(3).bet(1, 2).check(2).sweep()
        assert shown(hand.check_around("5c 4d 2h", "Ks", "9d"), cards, winner).breaches() == []


def test_3_4_g_the_ace_below_the_decks_lowest_card() -> None:
    hand = table(deck=40).blinds().deal().fold(3).bet(1, 2).check(2).sweep()
    assert shown(hand.check_around("8c 7d 6h", "Ks", "9d"), {1: "As 5c", 2: "Kc 9h"}, 1).breaches() == []


def test_3_5_b_low_ball() -> None:
    cards = {1: "7c 6c", 2: "Kc Kh"}
    hand = table(win="low").blinds().deal().fold(3).bet(1, 2).check(2).sweep()
    assert shown(hand.check_around("5c 4d 2h", "9s", "Td"), cards, 1).breaches() == []
    hand = table(win="low").blinds().deal().fold(3).bet(1, 2).check(2).sweep()
    assert shown(hand.check_around("5c 4d 2h", "9s", "Td"), cards, 2).breaches() == [("pot.winner", "pot")]


def test_3_5_c_and_d_high_and_low_share_the_pot() -> None:
    cards = {1: "8h 7c", 2: "Kc Kh"}
    for shares, faults in (
        ({"box1": 2, "box2": 2}, []),
        ({"box2": 4}, [("pot.split", "pot")]),
        ({"box1": 1, "box2": 3}, [("pot.split", "pot")]),
    ):
        hand = table(win="split").blinds().deal().fold(3).bet(1, 2).check(2).sweep()
        assert shown(hand.check_around("5c 4d 2h", "9s", "Td"), cards, **shares).breaches() == faults
    hand = table(win="split").blinds().deal().fold(3).bet(1, 2).check(2).sweep()
    no_low = shown(hand.check_around("5c 4d 2h", "9s", "Td"), {1: "Jh Qc", 2: "Kc Kh"}, 2)
    assert no_low.breaches() == []


def test_3_7_the_joker_is_wild() -> None:
    cards = {1: "Jkr 9c", 2: "Kc Kh"}
    hand = table(joker=True).blinds().deal().fold(3).bet(1, 2).check(2).sweep()
    assert shown(hand.check_around("9s 9d 2h", "Ks", "9h"), cards, 1).breaches() == []


def test_def_high_low_split_odd_dollar_may_go_either_way() -> None:
    for shares in ({"box1": 3, "box2": 2}, {"box1": 2, "box2": 3}):
        hand = table(win="split").blinds().deal().bet(3, 2).fold(1).check(2).sweep()
        hand.check_around("5c 4d 2h", "9s", "Td").show(2, "8h 7c").show(3, "Kc Kh")
        shifted: dict[str, Any] = {f"box{int(name[3:]) + 1}": amount for name, amount in shares.items()}
        assert hand.award(**shifted).collect().breaches() == []


# ---- 2 cards ----


def test_2_1_the_same_card_twice() -> None:
    cards = {1: "Ah Kc", 2: "5d 5c", 3: "9c 8c"}
    assert ("card.duplicate", "box2") in shown(checked_down(limped(table())), cards, 1).breaches()


def test_2_2_a_card_below_the_reduced_deck() -> None:
    hand = limped(table(deck=40))
    hand.check_around("8c 4d 6h", "Ks", "Kd")
    found = shown(hand, {1: "Ah Qc", 2: "5d 5h", 3: "9c 8d"}, 1).breaches()
    assert found == [("card.foreign", "board")]


@pytest.mark.parametrize(("deck", "low"), [(48, "2c"), (44, "3c"), (40, "4c"), (36, "5c"), (32, "6c")])
def test_2_2_b_to_f_the_lowest_card_of_each_deck(deck: int, low: str) -> None:
    hand = limped(table(deck=deck)).check_around(f"{low} Tc 9h", "8h", "Jd")
    assert shown(hand, {1: "Ah Kc", 2: "7d 7h", 3: "9c 8c"}, 1).breaches() == [("card.foreign", "board")]


def test_2_3_a_joker_where_none_is_in_the_deck() -> None:
    assert ("card.foreign", "box1") in shown(checked_down(limped(table())), {1: "Jkr Kc", 2: "5d 5h"}, 1).breaches()


# ---- 4, 14 stakes ----


def test_4_4_nobody_adds_to_his_stake_during_a_round() -> None:
    hand = limped(table()).chips("box1/stack", 298, "player")
    assert shown(checked_down(hand), {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches() == [
        ("bet.moved", "box1/stack")
    ]


def test_4_4_a_standing_bet_is_not_taken_back() -> None:
    hand = limped(table()).board(FLOP).bet(1, 10).bet(2, 10)
    hand.chips("box1/bet", 4, "player").chips("box1/stack", 194, "player").bet(3, 10).sweep()
    hand.check_around(TURN, RIVER)
    assert shown(hand, {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches() == [("bet.moved", "box1/bet")]


def test_4_5_a_stake_is_brought_within_its_bounds() -> None:
    assert table(table_stake=200, max_buy_in=200).blinds().deal().fold(3, 1).sweep().award(2).collect().breaches() == []
    low = table(table_stake=250).blinds().deal().fold(3, 1).sweep().award(2).collect().breaches()
    assert low == [("bet.limit", f"box{box}/stack") for box in (1, 2, 3)]
    high = table(max_buy_in=150).blinds().deal().fold(3, 1).sweep().award(2).collect().breaches()
    assert high == [("bet.limit", f"box{box}/stack") for box in (1, 2, 3)]


def test_4_6_a_stake_is_not_reduced_between_rounds() -> None:
    def two_rounds(after: float) -> Hand:
        hand = table().blinds().deal().fold(3, 1).sweep().award(2).collect()
        hand.chips("box3/stack", after, "player").next_round(1)
        return hand.blinds().deal().fold(1, 2).sweep().award(3).collect()

    assert two_rounds(150).breaches() == [("bet.moved", "box3/stack")]
    assert two_rounds(250).breaches() == []


def test_4_5_chips_bought_from_the_dealer_between_rounds_are_no_award() -> None:
    hand = table().blinds().deal().fold(3, 1).back(2, 1).sweep().award(2).collect()
    hand.chips("box3/stack", 400, "dealer").next_round(1).blinds().deal().fold(1, 2).back(3, 1).sweep().award(
        3
    ).collect()
    assert hand.breaches() == []


def test_13_1_a_bet_called_all_in_for_less_is_called_too() -> None:
    def river(*order: int) -> list[tuple[str, str | None]]:
        hand = table().chips("box3/stack", 8, None)
        limped(hand).check_around(FLOP, TURN).board(RIVER).bet(1, 50).fold(2).bet(3, 6).back(1, 6).sweep()
        for box in order:
            hand.show(box, {1: "Ah Kc", 3: "9c 8c"}[box])
        return hand.award(1).collect().breaches()

    assert river(1, 3) == []
    assert river(3, 1) == [("show.order", "box3")]


def test_20_14_no_chips_come_or_go_in_a_tournament() -> None:
    hand = table(tournament=True).blinds().deal().fold(3, 1).sweep().award(2).collect()
    hand.chips("box3/stack", 250, "player").next_round(1)
    assert hand.blinds().deal().fold(1, 2).sweep().award(3).collect().breaches() == [("bet.moved", "box3/stack")]


def test_4_8_forty_seconds_to_act() -> None:
    for seconds, faults in ((30, []), (41, [("action.time", "box3")])):
        hand = table().blinds().deal().add("call", what="clock", at="box3", by="dealer").wait(seconds)
        assert hand.bet(3, 2).fold(1, 2).sweep().award(3).collect().breaches() == faults
    folded = table().blinds().deal().add("call", what="clock", at="box3", by="dealer").wait(45).fold(3, 1)
    assert folded.sweep().award(2).collect().breaches() == []


# ---- 5 to 12: betting ----


def test_5_1_a_raise_is_at_least_the_opening_bet_or_an_earlier_raise() -> None:
    def raised(to: float) -> Hand:
        return table().blinds().deal().bet(3, 6).bet(1, to).fold(2).bet(3, to).sweep()

    assert shown(checked_down_two(raised(10)), {1: "Ah Kc", 3: "5d 5h"}, 3).breaches() == []
    assert shown(checked_down_two(raised(9)), {1: "Ah Kc", 3: "5d 5h"}, 3).breaches() == [("bet.amount", "box1/bet")]


def checked_down_two(hand: Hand) -> Hand:
    return hand.check_around(FLOP, TURN, RIVER)


def test_17_7_the_excess_of_a_short_raise_goes_back() -> None:
    hand = table().blinds().deal().bet(3, 6).bet(1, 8).back(1, 6).fold(2).sweep()
    assert shown(checked_down_two(hand), {1: "Ah Kc", 3: "5d 5h"}, 3).breaches() == []


def test_14_1_a_player_tapping_out_may_bet_any_rest() -> None:
    hand = table().chips("box1/stack", 8, None).blinds().deal().bet(3, 6).bet(1, 8).fold(2).bet(3, 8).sweep()
    hand.board(FLOP).board(TURN).board(RIVER)
    assert shown(hand, {1: "Ah Kc", 3: "5d 5h"}, 3).breaches() == []


def test_14_1_whoever_tapped_out_takes_no_more_turns() -> None:
    hand = table(stack=6).blinds().deal().bet(3, 6).bet(1, 6).fold(2).sweep().board(FLOP)
    hand.check(1).board(TURN).board(RIVER)
    assert shown(hand, {1: "Ah Kc", 3: "5d 5h"}, 3).breaches() == [("action.order", "box1")]


def test_14_5_no_raise_on_an_all_in_that_is_none() -> None:
    def played(last: float) -> Hand:
        hand = table((1, 2, 3, 4)).chips("box1/stack", 8, None)
        hand.blinds().deal().bet(3, 6).bet(4, 6).bet(1, 8).fold(2).bet(3, last).fold(4)
        if last > 8:
            hand.back(3, 8)
        return hand.sweep().board(FLOP).board(TURN).board(RIVER)

    assert shown(played(8), {1: "Ah Kc", 3: "5d 5h"}, 3).breaches() == []
    assert shown(played(20), {1: "Ah Kc", 3: "5d 5h"}, 3).breaches() == [("bet.invalid", "box3/bet")]


def test_17_8_a_bet_short_of_the_call() -> None:
    made_up = table().blinds().deal().bet(3, 6).bet(1, 4).bet(1, 6).fold(2).sweep()
    assert shown(checked_down_two(made_up), {1: "Ah Kc", 3: "5d 5h"}, 3).breaches() == []
    standing = table().blinds().deal().bet(3, 6).bet(1, 4).fold(2).sweep()
    assert shown(checked_down_two(standing), {1: "Ah Kc", 3: "5d 5h"}, 3).breaches() == [("bet.amount", "box1/bet")]
    standing = table().blinds().deal().bet(3, 6).bet(1, 4).fold(2).sweep()
    assert shown(checked_down_two(standing), {1: "5s 5h", 3: "Ah Qc"}, 1).breaches() == [("bet.amount", "box1/bet")]
    returned = table().blinds().deal().bet(3, 6).bet(1, 4).fold(1).back(1, 1).fold(2).back(3, 2).sweep()
    assert returned.award(3).collect().breaches() == []
    kept = table().blinds().deal().bet(3, 6).bet(1, 4).fold(1).fold(2).back(3, 4).sweep()
    assert kept.award(3).collect().breaches() == [("bet.amount", "box1/bet")]


def test_4_2_g_pot_and_half_pot_limits_include_the_call() -> None:
    def raised(limit: str, to: float) -> list[tuple[str, str | None]]:
        hand = table(limit=limit).blinds().deal().bet(3, to).fold(1, 2).back(3, 2).sweep()
        return hand.award(3).collect().breaches()

    # Blinds 1 and 2, the call 2: a pot of 5.
    assert raised("pot", 7) == []
    assert raised("pot", 8) == [("bet.limit", "box3/bet")]
    assert raised("half", 4) == []
    assert raised("half", 5) == [("bet.limit", "box3/bet")]


def test_4_2_g_fixed_bets() -> None:
    def played(first: float, river: float) -> Hand:
        hand = table(limit="fixed", fixed=[2, 4]).blinds().deal().bet(3, first).fold(1).bet(2, first).sweep()
        hand.check_around(FLOP, TURN).board(RIVER).bet(2, river).bet(3, river).sweep()
        return shown(hand, {2: "Ah Kc", 3: "5d 5h"}, 3)

    assert played(4, 4).breaches() == []
    assert played(6, 4).breaches() == [("bet.limit", "box3/bet")]
    assert played(4, 2).breaches() == [("bet.limit", "box2/bet")]


def test_5_2_the_smallest_bet_and_multiples() -> None:
    def opened(to: float, **house: Any) -> list[tuple[str, str | None]]:
        hand = limped(table(**house)).board(FLOP).bet(1, to).fold(2, 3).back(1, 0)
        return hand.award(1).collect().breaches()

    assert opened(5, min=5) == []
    assert opened(4, min=5) == [("bet.limit", "box1/bet")]
    assert opened(50, max=50) == []
    assert opened(51, max=50) == [("bet.limit", "box1/bet")]
    assert opened(7, multiple=5) == [("bet.multiple", "box1/bet")]


def test_6_1_and_6_2_ante_betting() -> None:
    def played(first: float, second: float) -> list[tuple[str, str | None]]:
        hand = table(ante=1, min=4).antes(1).deal().bet(1, first).bet(2, second).fold(3).bet(1, second).sweep()
        return shown(hand.check_around(FLOP, TURN, RIVER), {1: "Ah Kc", 2: "5d 5h"}, 2).breaches()

    assert played(4, 8) == []
    assert played(3, 8) == [("bet.limit", "box1/bet")]
    assert played(4, 7) == [("bet.amount", "box2/bet")]


def test_7_1_shuffle_for_each_round() -> None:
    hand = table().blinds().deal().fold(3, 1).sweep().award(2).collect().next_round(1, shuffle=False)
    assert hand.blinds().deal().fold(1, 2).sweep().award(3).collect().breaches() == [("shuffle.missing", None)]


def test_8_4_the_button_moves_to_the_next_player() -> None:
    def second(button: int) -> list[tuple[str, str | None]]:
        hand = table().blinds().deal().fold(3, 1).sweep().award(2).collect().next_round(button).blinds().deal()
        first, last = hand.seats[2], hand.seats[0]
        return hand.fold(first, last).sweep().award(hand.seats[1]).collect().breaches()

    assert second(1) == []
    assert second(2) == [("button.move", None)]
    assert second(3) == [("button.move", None)]


def test_8_5_a_blinds_before_the_first_card() -> None:
    missing = table().bet(2, 2).deal().fold(3, 1).sweep().award(2).collect().breaches()
    assert missing == [("blind.missing", "box1")]
    late = table().bet(2, 2).card("box1").bet(1, 1)
    for box in (2, 3, 1, 2, 3):
        late.card(f"box{box}")
    assert late.fold(3, 1).sweep().award(2).collect().breaches() == [("blind.missing", "box1")]
    small = table().blinds(1, 1).deal().fold(3, 1).sweep().award(2).collect().breaches()
    assert small == [("bet.amount", "box2/bet")]
    misplaced = table((1, 2, 3, 4)).bet(2, 2).bet(3, 1).deal().fold(3, 4, 1).sweep().award(2).collect().breaches()
    assert misplaced == [("blind.missing", "box1")]
    three = table((1, 2, 3, 4), blinds=[1, 2, 4]).blinds(1, 2, 4).deal().bet(4, 4).fold(1, 2).check(3).sweep()
    assert shown(three.check_around(FLOP, TURN, RIVER), {3: "Ah Kc", 4: "5d 5h"}, 4).breaches() == []


def test_8_5_b_every_players_ante() -> None:
    hand = table(ante=2).bet(1, 2).bet(2, 2).sweep().deal().bet(1, 2).fold(2, 3).back(1, 0)
    assert hand.award(1).collect().breaches() == [("blind.missing", "box3")]
    short = table(ante=2).bet(1, 2).bet(2, 1).bet(3, 2).sweep().deal().bet(1, 2).fold(2, 3).back(1, 0)
    assert short.award(1).collect().breaches() == [("bet.amount", "box2/bet")]


def test_over_blind_only_where_it_is_offered() -> None:
    def over(**house: Any) -> list[tuple[str, str | None]]:
        hand = table((1, 2, 3, 4), **house).blinds().bet(3, 4).deal().fold(4, 1, 2)
        return hand.back(3, 2).sweep().award(3).collect().breaches()

    assert over(over_blind=True) == []
    assert over() == [("bet.invalid", "box3/bet")]


def test_9_2_dealing_order_and_number() -> None:
    def dealt(*boxes: int) -> Hand:
        hand = table().blinds()
        for box in boxes:
            hand.card(f"box{box}")
        return hand.fold(3, 1).sweep().award(2).collect()

    assert dealt(1, 2, 3, 1, 2, 3).breaches() == []
    assert dealt(1, 3, 2, 1, 2, 3).breaches() == [("deal.order", "box3")]
    assert dealt(3, 1, 2, 3, 1, 2).breaches() == [("deal.order", "box3")]
    assert set(dealt(1, 2, 3, 1, 2, 3, 3).breaches()) == {("deal.extra", "box3"), ("round.not_voided", None)}
    assert set(dealt(1, 2, 3, 1, 2).breaches()) == {("deal.missed", "box3"), ("round.not_voided", None)}
    assert set(dealt(1, 2, 1, 2).breaches()) == {("deal.missed", "box3"), ("round.not_voided", None)}


def test_17_1_e_a_declared_misdeal_is_in_order_and_no_pot_is_judged() -> None:
    hand = table().blinds()
    for box in (1, 2, 3, 1, 2, 3, 3):
        hand.card(f"box{box}")
    hand.add("call", what="misdeal", by="dealer").back(1, 0).back(2, 0).collect()
    [answer] = hand.rounds()
    assert answer["status"] == "misdeal"
    assert hand.breaches() == [("deal.extra", "box3")]


def test_17_1_d_reconstructed_in_time() -> None:
    hand = table().blinds()
    for box in (1, 2, 2, 1, 2, 3):
        hand.card(f"box{box}")
    hand.add("gone", at="box2", n=1, to="box3").fold(3, 1).sweep().award(2).collect()
    assert ("round.not_voided", None) not in hand.breaches()
    assert hand.breaches() != []


def test_17_2_found_after_the_first_betting_round_it_is_no_misdeal() -> None:
    def dealt() -> Hand:
        hand = table().blinds()
        for box in (1, 2, 3, 1, 2, 3, 3):
            hand.card(f"box{box}")
        return hand.bet(3, 2).bet(1, 2).check(2).sweep().board(FLOP)

    found_late = (
        dealt().check(1, 2).fold(3).check_around(TURN, RIVER).show(1, "Ah Kc").show(2, "5d 5h").award(2).collect()
    )
    assert found_late.breaches() == [("deal.extra", "box3")]
    played_on = dealt().check(1, 2, 3).check_around(TURN, RIVER).show(1, "Ah Kc").show(3, "9c 8c 7c").award(1).collect()
    assert set(played_on.breaches()) == {("deal.extra", "box3"), ("round.not_voided", None)}


def test_17_1_e_put_right_in_time_or_a_misdeal_as_the_house_reads_it() -> None:
    for option, faults in (("reconstruct", set()), ("misdeal", {("round.not_voided", None)})):
        hand = table(excess_card=option).blinds()
        for box in (1, 2, 3, 1, 2, 3, 3):
            hand.card(f"box{box}")
        hand.add("gone", at="box3", n=1, to="shoe").fold(3, 1).sweep().award(2).collect()
        assert set(hand.breaches()) == {("deal.extra", "box3")} | faults


def test_17_1_b_no_cut() -> None:
    hand = table().blinds().deal().fold(3, 1).sweep().award(2).collect().next_round(1, cut=False)
    assert hand.blinds().deal().fold(1, 2).sweep().award(3).collect().breaches() == [("round.not_voided", None)]


def test_17_1_a_a_card_exposed_in_the_cut() -> None:
    hand = table().card("shoe", "Ah").blinds().deal().fold(3, 1).sweep().award(2).collect()
    assert set(hand.breaches()) == {("deal.exposed", "shoe"), ("round.not_voided", None)}


def test_17_3_after_a_misdeal_the_button_stays_and_the_cards_are_shuffled() -> None:
    def again(button: int, *, shuffle: bool = True) -> list[tuple[str, str | None]]:
        hand = table().blinds()
        for box in (1, 2, 3, 1, 2, 3, 3):
            hand.card(f"box{box}")
        hand.add("call", what="misdeal", by="dealer").collect().next_round(button, shuffle=shuffle)
        if button == 1:
            hand.back(1, 0).blinds()
        found = hand.deal().fold(hand.seats[2], hand.seats[0]).sweep().award(hand.seats[1]).collect().breaches()
        return [each for each in found if each[0] != "deal.extra"]

    assert again(3) == []
    assert again(1)[:1] == [("button.move", None)]
    assert again(3, shuffle=False) == [("shuffle.missing", None)]


def test_17_20_an_exposed_hole_card_is_replaced_by_the_first_burn() -> None:
    def dealt(burns: int) -> Hand:
        hand = table().blinds().card("box1").card("box2", "9h").card("box3").card("box1").card("box2").card("box3")
        hand.add("gone", at="box2", cards=["9h"], to="discard").card("box2").bet(3, 2).fold(1).check(2).sweep()
        hand.board(FLOP, burn=burns).check(2, 3)
        return shown(hand.check_around(TURN, RIVER), {2: "Ah Kc", 3: "5d 5h"}, 3)

    assert dealt(0).breaches() == [("deal.exposed", "box2")]
    assert dealt(1).breaches() == [("deal.exposed", "box2"), ("deal.burn", "burn")]


def test_17_20_the_burn_card_itself_is_moved() -> None:
    hand = (
        table()
        .blinds()
        .card("box1")
        .card("box2", "9h")
        .card("box3")
        .card("box1")
        .card("box2")
        .card("box3")
        .card("burn")
    )
    hand.add("gone", at="box2", cards=["9h"], to="discard").add("gone", at="burn", to="box2", n=1)
    hand.bet(3, 2).fold(1).check(2).sweep().board(FLOP, burn=0).check(2, 3)
    assert shown(hand.check_around(TURN, RIVER), {2: "Ah Kc", 3: "5d 5h"}, 3).breaches() == [("deal.exposed", "box2")]


def test_17_21_without_burns_an_exposed_hole_card_is_a_misdeal() -> None:
    hand = (
        table(burn=False).blinds().card("box1").card("box2", "9h").card("box3").card("box1").card("box2").card("box3")
    )
    found = hand.fold(3, 1).sweep().award(2).collect().breaches()
    assert set(found) == {("deal.exposed", "box2"), ("round.not_voided", None)}


def test_4_2_h_one_burn_before_flop_turn_and_river() -> None:
    def played(*burns: int, **house: Any) -> list[tuple[str, str | None]]:
        hand = limped(table(**house))
        for cards, burn in zip((FLOP, TURN, RIVER), burns, strict=True):
            hand.board(cards, burn=burn).check(1, 2, 3)
        return shown(hand, {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches()

    assert played(1, 1, 1) == []
    assert played(1, 0, 1) == [("deal.burn", "burn")]
    assert played(2, 1, 1) == [("deal.burn", "burn")]
    assert played(0, 0, 0, burn=False) == []
    assert played(0, 1, 0, burn=False) == [("deal.burn", "burn")]


def test_9_4_the_flop_has_three_cards() -> None:
    def played(*streets: str) -> list[tuple[str, str | None]]:
        return shown(limped(table()).check_around(*streets), {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches()

    assert played("5c 4d 2h", "Ks", "Kd") == []
    assert played("5c 4d 2h 7d", "Ks")[:1] == [("deal.count", "board")]
    assert played("5c 4d", "2h", "Ks")[:1] == [("deal.count", "board")]
    assert ("deal.count", "board") in played("5c 4d 2h", "Ks", "Kd", "7d")


def test_9_3_no_flop_before_the_betting_is_complete() -> None:
    hand = table().blinds().deal().bet(3, 2).board(FLOP).bet(1, 2).check(2).sweep().check(1, 2, 3)
    shows = {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}
    assert shown(hand.check_around(TURN, RIVER), shows, 2).breaches() == [("deal.exposed", "board")]
    unseen = table().blinds().deal().bet(3, 2).bet(1, 2).sweep()
    assert shown(unseen.check_around(FLOP, TURN, RIVER), shows, 2).breaches() == []  # a check may be given by voice


def test_17_17_a_premature_card_is_shuffled_back() -> None:
    hand = limped(table()).board(FLOP).check(1).card("board", "Ks").add("gone", at="board", cards=["Ks"], to="shoe")
    hand.add("shuffle", by="dealer").check(2, 3).check_around("9s", "Ks")
    assert shown(hand, {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches() == [("deal.exposed", "board")]
    assert len(hand.rounds()) == 1


def test_17_19_a_card_shown_after_the_betting_is_the_next_one_used() -> None:
    def played(first: str) -> list[tuple[str, str | None]]:
        hand = limped(table(burn=False)).card("shoe", "5c").board(f"{first} 4d 2h", burn=0).check(1, 2, 3)
        return shown(hand.check_around(TURN, RIVER), {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches()

    assert played("5c") == []
    assert played("5s") == [("deal.order", "board")]


def test_9_4_a_communal_card_face_down() -> None:
    hand = (
        limped(table()).board(FLOP).check(1, 2, 3).card("burn").card("board").check(1, 2, 3).board(RIVER).check(1, 2, 3)
    )
    assert ("deal.facing", "board") in shown(hand, {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches()


def test_9_6_play_goes_on_to_the_fifth_card() -> None:
    hand = limped(table()).check_around(FLOP, TURN)
    assert ("deal.count", "board") in shown(hand, {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches()


def test_10_1_who_opens() -> None:
    wrong = table((1, 2, 3, 4)).blinds().deal().bet(4, 2).fold(3, 1).check(2).sweep()
    found = shown(wrong.check_around(FLOP, TURN, RIVER), {2: "Ah Kc", 4: "5d 5h"}, 4).breaches()
    assert found == [("action.order", "box4")]
    later = limped(table()).board(FLOP).check(2, 1, 3).check_around(TURN, RIVER)
    assert shown(later, {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches() == [("action.order", "box2")]


def test_10_2_blind_options() -> None:
    def opened(option: str, action: str) -> list[tuple[str, str | None]]:
        hand = table(blind_option=option).blinds().deal()
        if action == "fold":
            return hand.fold(3, 1).sweep().award(2).collect().breaches()
        to = 2 if action == "call" else 6
        return hand.bet(3, to).fold(1, 2).back(3, 2).sweep().award(3).collect().breaches()

    assert opened("B", "fold") == opened("B", "call") == opened("B", "raise") == []
    assert opened("A", "fold") == [("bet.invalid", "box3/bet")]
    assert opened("A", "call") == opened("A", "raise") == []
    assert opened("C", "call") == [("bet.invalid", "box3/bet")]
    assert opened("C", "fold") == opened("C", "raise") == []


def test_10_2_d_an_ante_game_is_opened_with_a_bet() -> None:
    def opened(action: str) -> list[tuple[str, str | None]]:
        hand = table(ante=2).antes(2).deal()
        hand = hand.check(1).bet(2, 4) if action == "check" else hand.fold(1).bet(2, 4)
        hand.fold(3)
        if action == "check":
            hand.fold(1)
        return hand.back(2, 0).award(2).collect().breaches()

    assert opened("check") == opened("fold") == [("bet.invalid", "box1/bet")]


def test_10_3_in_turn() -> None:
    hand = table((1, 2, 3, 4)).blinds().deal().bet(3, 2).bet(1, 2).bet(4, 2).check(2).sweep()
    cards = {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c", 4: "7c 7h"}
    assert shown(hand.check_around(FLOP, TURN, RIVER), cards, 2).breaches() == [("action.order", "box1")]


def test_11_2_no_check_facing_a_bet() -> None:
    hand = limped(table()).board(FLOP).bet(1, 4).check(2).bet(3, 4).bet(2, 4).sweep().check_around(TURN, RIVER)
    assert shown(hand, {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches() == [("bet.invalid", "box2/bet")]


def test_12_4_b_no_bet_after_the_betting_round() -> None:
    hand = limped(table()).board(FLOP).check(1, 2, 3).bet(2, 4).sweep().check_around(TURN, RIVER)
    assert shown(hand, {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches() == [("bet.late", "box2/bet")]


def test_17_6_a_wager_out_of_turn() -> None:
    def start() -> Hand:
        return limped(table()).board(FLOP)

    cards = {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}
    # (d) those before fold: it stands.
    stands = start().bet(2, 4).fold(1).fold(3).back(2, 0)
    assert stands.award(2).collect().breaches() == [("action.order", "box2")]
    # (b) those before bet no more: no raise.
    raised = start().bet(2, 4).bet(1, 4).bet(3, 4).sweep().check_around(TURN, RIVER)
    assert shown(raised, cards, 2).breaches() == [("action.order", "box2")]
    # (a) those before check: he checks too, his chips go back.
    checks = start().bet(2, 4).check(1).back(2, 0).check(2, 3).check_around(TURN, RIVER)
    assert shown(checks, cards, 2).breaches() == [("action.order", "box2")]
    # (b) those before bet less: no short call of theirs.
    less = start().bet(2, 10).bet(1, 4).back(2, 4).bet(3, 4).sweep().check_around(TURN, RIVER)
    assert shown(less, cards, 2).breaches() == [("action.order", "box2")]
    # (c) those before bet more, he folds: it stays in.
    stays = start().bet(2, 4).bet(1, 10).fold(2).fold(3).back(1, 4).sweep().award(1).collect()
    assert stays.breaches() == [("action.order", "box2")]
    returned = start().bet(2, 4).bet(1, 10).fold(2).back(2, 0).fold(3).back(1, 0).award(1).collect()
    assert returned.breaches() == [("action.order", "box2"), ("bet.moved", "box2/bet")]


# ---- 13 to 15: the pot ----


def called_on_the_river(**house: Any) -> Hand:
    hand = limped(table(**house)).check_around(FLOP, TURN).board(RIVER)
    return hand.check(1).bet(2, 10).bet(3, 10).fold(1).sweep()


def test_13_1_the_player_called_shows_first() -> None:
    assert called_on_the_river().show(2, "Ah Kc").show(3, "5d 5h").award(3).collect().breaches() == []
    wrong = called_on_the_river().show(3, "5d 5h").show(2, "Ah Kc").award(3).collect().breaches()
    assert wrong == [("show.order", "box3")]
    mucked = called_on_the_river().show(2, "Ah Kc").add("gone", at="box3", to="discard").award(2).collect()
    assert mucked.breaches() == []


def test_13_1_a_winner_must_show() -> None:
    assert called_on_the_river().show(2, "Ah Kc").award(3).collect().breaches() == [("show.order", "box3")]


def test_13_2_equal_hands_share_and_the_odd_chip_goes_left_of_the_button() -> None:
    def shared(**shares: Any) -> list[tuple[str, str | None]]:
        hand = table((1, 2, 3, 4)).blinds().deal().bet(3, 2).bet(4, 2).fold(1).check(2).sweep()
        hand.check_around("Ac Kd Qh", "Js", "Td").show(2, "2c 3c").show(3, "2d 3d").show(4, "4c 4d")
        return hand.award(**shares).collect().breaches()

    assert shared(box2=3, box3=2, box4=2) == []
    assert shared(box2=2, box3=3, box4=2) == [("pot.odd_chip", "pot")]
    assert shared(box2=4, box3=2, box4=1) == [("pot.split", "pot")]
    assert shared(box2=7) == [("pot.split", "pot")]


def test_13_2_units_of_the_smallest_chip() -> None:
    def shared(chip: float, **shares: Any) -> list[tuple[str, str | None]]:
        hand = table((1, 2, 3), chip=chip).blinds().deal().bet(3, 2).fold(1).check(2).sweep()
        hand.check_around("Ac Kd Qh", "Js", "Td").show(2, "2c 3c").show(3, "2d 3d")
        return hand.award(**shares).collect().breaches()

    assert shared(0.5, box2=2.5, box3=2.5) == []
    assert shared(1, box2=3, box3=2) == []
    assert shared(1, box2=2.5, box3=2.5) == [("pot.odd_chip", "pot")]


def test_13_3_a_pot_is_not_divided_by_agreement() -> None:
    hand = checked_down(limped(table())).show(1, "Ah Kc").show(2, "5d 5h").show(3, "9c 8c")
    assert hand.award(box1=3, box2=3).collect().breaches() == [("pot.winner", "pot")]


def side_pot_hand() -> Hand:
    hand = table().chips("box1/stack", 10, None).blinds().deal().bet(3, 40).bet(1, 10).bet(2, 40)
    return _side(hand.sweep(("pot2", 60)))


def _side(hand: Hand) -> Hand:
    for cards in (FLOP, TURN, RIVER):
        hand.board(cards).check(2, 3)
    return hand


def test_14_2_side_pots() -> None:
    cards = {1: "Ah Kc", 2: "Qd Qh", 3: "9c 8c"}
    right = side_pot_hand()
    for box, hole in cards.items():
        right.show(box, hole)
    assert right.award(1).award(2, "pot2").collect().breaches() == []
    assert [(pot["at"], pot["amount"], pot["winners"]) for pot in right.pots()] == [
        ("pot", 30, {"box1": 30}),
        ("pot2", 60, {"box2": 60}),
    ]
    wrong = side_pot_hand()
    for box, hole in cards.items():
        wrong.show(box, hole)
    assert wrong.award(1).award(1, "pot2").collect().breaches() == [("pot.winner", "pot2")]


def test_15_2_b_an_uncalled_bet_is_no_part_of_the_pot() -> None:
    hand = limped(Hand("act-holdem", commission="10")).board(FLOP).bet(1, 50).fold(2, 3).back(1, 0)
    assert hand.award(1).collect().breaches() == []
    assert hand.pots()[0]["amount"] == 6


@pytest.mark.parametrize(
    ("scale", "bet", "due"),
    [
        ("5", 9, 0),
        ("5", 10, 1),
        ("5", 29, 2),
        ("10", 4, 0),
        ("10", 5, 1),
        ("10", 29, 5),
        ("time", 50, 0),
        ("none", 50, 0),
    ],
)
def test_15_2_a_scales(scale: str, bet: float, due: float) -> None:
    def taken(amount: float) -> list[tuple[str, str | None]]:
        hand = Hand("act-holdem", commission=scale).blinds().deal().bet(3, bet).fold(1).bet(2, bet).sweep()
        hand.check_around(FLOP, TURN, RIVER).show(2, "Ah Kc").show(3, "5d 5h")
        if amount:
            hand.drop(amount)
        return hand.award(3).collect().breaches()

    assert taken(due) == []
    assert taken(due + 1) == [("commission.over" if due else "commission.not_due", "pot")]
    if due:
        assert taken(due - 1) == [("commission.short", "pot")]


def test_15_2_a_cap() -> None:
    hand = Hand("act-holdem", commission="5", commission_cap=4).blinds().deal().bet(3, 60).fold(1).bet(2, 60).sweep()
    hand.check_around(FLOP, TURN, RIVER).show(2, "Ah Kc").show(3, "5d 5h").drop(4).award(3).collect()
    assert hand.breaches() == []


def test_15_2_c_no_commission_when_all_contributors_tie() -> None:
    def tied(drop: float, *, third: bool) -> list[tuple[str, str | None]]:
        hand = Hand("act-holdem", commission="5").blinds().deal()
        hand = (
            hand.bet(3, 40).bet(1, 40).bet(2, 40).sweep() if not third else hand.bet(3, 40).bet(1, 40).fold(2).sweep()
        )
        hand.check_around("Ac Kd Qh", "Js", "Td")
        for box, cards in ((1, "2c 3c"), (2, "2d 3d"), (3, "4c 4d")):
            if box in hand.in_hand:
                hand.show(box, cards)
        if drop:
            hand.drop(drop)
        each: Any = hand.amount("pot") / len(hand.in_hand)
        return hand.award(**{f"box{box}": each for box in hand.in_hand}).collect().breaches()

    assert tied(0, third=False) == []
    assert tied(6, third=False) == [("commission.not_due", "pot")]
    assert tied(4, third=True) == []
    assert tied(0, third=True) == [("commission.short", "pot")]


def test_15_2_d_no_commission_on_blinds_alone() -> None:
    hand = Hand("act-holdem", commission="10", blinds=[10, 20]).blinds(10, 20).deal().fold(3, 1)
    assert hand.sweep().award(2).collect().breaches() == []
    hand = Hand("act-holdem", commission="10", blinds=[10, 20]).blinds(10, 20).deal().fold(3, 1).sweep().drop(2)
    assert hand.award(2).collect().breaches() == [("commission.not_due", "pot")]


def test_15_2_one_commission_on_all_pots() -> None:
    def taken(amount: float) -> list[tuple[str, str | None]]:
        hand = Hand("act-holdem", commission="5").chips("box1/stack", 10, None).blinds().deal()
        hand.bet(3, 40).bet(1, 10).bet(2, 40).sweep(("pot2", 60))
        _side(hand).show(1, "Ah Kc").show(2, "Qd Qh").show(3, "9c 8c").drop(amount)
        return hand.award(1).award(2, "pot2").collect().breaches()

    assert taken(4) == []
    assert taken(3) == [("commission.short", "pot")]


# ---- 16, 17 ----


def test_16_8_a_no_cards_change_hands() -> None:
    hand = limped(table()).board(FLOP).add("gone", at="box1", n=1, to="box2").check(1, 2, 3).check_around(TURN, RIVER)
    found = hand.show(3, "9c 8c").award(3).collect().breaches()
    assert ("deal.count", "box1") in found
    assert ("deal.count", "box2") in found


def test_17_9_a_hand_with_a_wrong_number_of_cards_is_folded() -> None:
    hand = (
        limped(table()).board(FLOP).add("gone", at="box2", n=1, to="discard").check(1, 2, 3).check_around(TURN, RIVER)
    )
    hand.show(1, "Ah Kc").show(2, "5d").show(3, "9c 8c")
    assert sorted(hand.award(2).collect().breaches()) == [("deal.count", "box2"), ("pot.winner", "pot")]


def test_17_10_discarded_cards_are_out() -> None:
    hand = limped(table()).check_around(FLOP, TURN, RIVER).show(1, "Ah Kc").show(3, "9c 8c")
    hand.add("gone", at="box2", to="discard").award(2).collect()
    assert ("pot.winner", "pot") in hand.breaches()


def test_12_4_a_the_last_player_wins_without_a_showdown() -> None:
    hand = table().blinds().deal().fold(3).bet(1, 10).fold(2).back(1, 2).sweep()
    assert hand.award(1).collect().breaches() == []
    wrong = table().blinds().deal().fold(3).bet(1, 10).fold(2).back(1, 2).sweep().award(2).collect()
    assert wrong.breaches() == [("pot.winner", "pot")]


def test_17_4_a_missed_blind_is_made_up() -> None:
    def back(posts: float) -> list[tuple[str, str | None]]:
        hand = table((1, 2, 3, 4, 5)).blinds().deal().fold(3, 4, 5, 1).sweep().award(2).collect()
        hand.next_round(1, (1, 3, 4, 5)).blinds().deal().fold(5, 1, 3).sweep().award(4).collect()
        hand.next_round(3, (1, 2, 3, 4, 5)).blinds()
        if posts:
            hand.bet(2, posts)
        return hand.deal().breaches()

    assert back(0) == [("blind.missing", "box2")]
    assert back(2) == back(3) == []


def test_17_11_a_new_player_posts_the_big_blind() -> None:
    def joins(posts: float, passed: bool) -> list[tuple[str, str | None]]:
        hand = table((1, 3, 4, 5)).blinds().deal().fold(4, 5, 1).sweep().award(3).collect()
        hand.next_round(1).blinds().deal().fold(5, 1, 3).sweep().award(4).collect()
        if passed:
            hand.next_round(3).blinds().deal().fold(1, 3, 4).sweep().award(5).collect()
        hand.chips("box2/stack", 200, "player").next_round(4 if passed else 3, (1, 2, 3, 4, 5)).blinds()
        if posts:
            hand.bet(2, posts)
        return hand.deal().breaches()

    assert joins(0, passed=True) == [("blind.missing", "box2")]
    assert joins(2, passed=True) == []


def test_17_11_a_new_player_does_not_come_in_on_the_button() -> None:
    def joins(button: int) -> list[tuple[str, str | None]]:
        hand = table((1, 3, 4, 5)).blinds().deal().fold(4, 5, 1).sweep().award(3).collect()
        hand.next_round(1).blinds().deal().fold(5, 1, 3).sweep().award(4).collect()
        hand.chips("box2/stack", 200, "player").next_round(button, (1, 2, 3, 4, 5)).blinds()
        return hand.bet(2, 2).deal().breaches()

    assert joins(2) == [("blind.missing", "box2")]  # whatever he posts
    assert joins(3) == []


def test_17_12_no_post_before_the_button_has_passed_the_seat() -> None:
    hand = table((1, 2, 3)).blinds().deal().fold(3, 1).sweep().award(2).collect()
    hand.chips("box4/stack", 200, "player").next_round(1, (1, 2, 3, 4)).blinds().deal()
    assert hand.breaches() == []


def test_20_19_heads_up_the_button_posts_first_and_acts_first() -> None:
    hand = table((1, 2), tournament=True).bet(2, 1).bet(1, 2).card("box1").card("box2").card("box1").card("box2")
    hand.bet(2, 2).check(1).sweep()
    for cards in (FLOP, TURN, RIVER):
        hand.board(cards).check(1, 2)
    assert shown(hand, {1: "Ah Kc", 2: "5d 5h"}, 2).breaches() == []
    cash = table((1, 2)).blinds().deal().bet(1, 2).check(2).sweep()
    assert shown(cash.check_around(FLOP, TURN, RIVER), {1: "Ah Kc", 2: "5d 5h"}, 2).breaches() == []


# ---- reads and gaps ----


def test_a_weak_card_that_decides_is_unsure() -> None:
    hand = checked_down(limped(table())).show(1, "Ah Kc").show(3, "9c 8c")
    hand.add("turn", at="box2", card="5d").add("turn", at="box2", card="5h", conf=0.4)
    hand.award(1).collect()
    assert hand.breaches() == []
    assert hand.unsure() == [("pot.winner", "pot")]


def test_a_weak_card_that_does_not_matter_proves_nothing_away() -> None:
    hand = checked_down(limped(table())).show(1, "Ah Qc").show(3, "9c 8c")
    hand.add("turn", at="box2", card="5d").add("turn", at="box2", card="5h", conf=0.4)
    assert hand.award(3).collect().breaches() == [("pot.winner", "pot")]


def test_a_pot_keeps_its_winner_where_the_weak_card_does_not_decide() -> None:
    hand = checked_down(limped(table())).show(2, "5d 5h").show(3, "9c 8c")
    hand.add("turn", at="box1", card="Ah").add("turn", at="box1", card="Qc", conf=0.4).award(2).collect()
    assert hand.breaches() == []
    kings = checked_down(limped(table())).show(1, "Ah Kc").show(3, "9c 8c")
    kings.add("turn", at="box2", card="3d").add("turn", at="box2", card="7h", conf=0.4).award(1).collect()
    assert kings.pots()[0]["winners"] is None
    pair = checked_down(limped(table()), ("5c 4d 2h", "Ks", "9d")).show(1, "Kc Kh").show(3, "9c 8c")
    pair.add("turn", at="box2", card="Qd").add("turn", at="box2", card="?h").award(1).collect()
    assert pair.pots()[0]["winners"] == {"box1": 6}


def test_a_gap_during_the_award() -> None:
    hand = checked_down(limped(table())).show(1, "Ah Kc").show(2, "5d 5h").show(3, "9c 8c")
    hand.add("feed", state="lost").add("feed", state="back").award(1).collect()
    assert hand.breaches() == []
    assert ("view.gap", None) in hand.unsure()


def test_an_unfinished_hand_says_nothing_of_the_pot() -> None:
    hand = checked_down(limped(table())).show(1, "Ah Kc")
    [answer] = hand.rounds()
    assert answer["status"] == "unfinished"
    assert answer["findings"] == []


def test_a_void_round_is_not_judged() -> None:
    hand = checked_down(limped(table())).add("call", what="void", by="dealer").award(1).collect()
    [answer] = hand.rounds()
    assert answer["status"] == "void"
    assert answer["findings"] == []


# ---- options ----


@pytest.mark.parametrize(
    "options",
    [
        {"blinds": [1, 2], "ante": 1},
        {"fixed": [2, 4]},
        {"blinds": []},
        {"blinds": [1, 2, 3, 4]},
        {"deck": 50},
        {"commission": "10", "table_stake": 200},
        {"limit": "straddle"},
        {"deal": "1"},
    ],
)
def test_impossible_options(options: dict[str, Any]) -> None:
    with pytest.raises(FairdealError):
        read_house(options, HoldemHouse)


# ---- what a stranger wrote ----


def test_10_2_a_the_opening_player_calls_and_folds_in_one_turn() -> None:
    hand = table(blind_option="A").blinds().deal().bet(3, 2).fold(3).bet(1, 2).check(2).sweep()
    assert shown(checked_down(hand), {1: "Ah Kc", 2: "5d 5h"}, 2).breaches() == []


def test_11_2_a_check_left_standing_is_one_fault() -> None:
    hand = limped(table()).board(FLOP).bet(1, 10).check(2).bet(3, 10).sweep().check_around(TURN, RIVER)
    assert shown(hand, {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches() == [("bet.invalid", "box2/bet")]


def test_11_2_who_mends_his_check_at_once_does_not_act_out_of_turn() -> None:
    cards = {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}
    called = limped(table()).board(FLOP).bet(1, 10).check(2).bet(2, 10).bet(3, 10).sweep().check_around(TURN, RIVER)
    assert shown(called, cards, 2).breaches() == [("bet.invalid", "box2/bet")]
    opened = table(ante=2).antes(2).deal().check(1).bet(1, 4).bet(2, 4).bet(3, 4).sweep()
    assert shown(checked_down(opened), cards, 2).breaches() == [("bet.invalid", "box1/bet")]


def test_17_21_a_misdeal_called_in_the_middle_of_the_deal_passes_nobody_over() -> None:
    hand = table(burn=False).blinds().card("box1").card("box2", "9h").add("call", what="misdeal", by="dealer")
    rounds = hand.back(1, 0).back(2, 0).collect().rounds()
    assert [(each["kind"], each["at"]) for each in rounds[0]["findings"]] == [("deal.exposed", "box2")]


def test_17_1_d_a_player_passed_over_when_the_deal_was_called_off() -> None:
    hand = table().blinds().card("box1").card("box3").add("call", what="misdeal", by="dealer")
    assert hand.back(1, 0).back(2, 0).collect().breaches() == [("deal.missed", "box2")]


def test_2_2_no_rule_ranks_a_hand_with_a_card_that_cannot_be_there() -> None:
    board = ("5c 4d 6h", "Ks", "Kd")
    cards = {1: "Ah Kc", 2: "2d 5h", 3: "9c 8s"}
    assert shown(checked_down(limped(table(deck=48)), board), cards, 2).breaches() == [("card.foreign", "box2")]
    twice = {1: "Ah Kc", 2: "5d 5c", 3: "9c 8s"}
    assert shown(checked_down(limped(table())), twice, 1).breaches() == [("card.duplicate", "box2")]


def test_4_4_a_standing_bet_moved_after_the_betting_round() -> None:
    hand = limped(table()).board(FLOP).bet(1, 10).bet(2, 10).bet(3, 10).bet(3, 9).bet(3, 10).sweep()
    hand.check_around(TURN, RIVER)
    assert shown(hand, {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches() == [("bet.moved", "box3/bet")]
    change = limped(table()).board(FLOP).bet(1, 10).bet(2, 10).bet(3, 25).bet(3, 10).sweep().check_around(TURN, RIVER)
    assert shown(change, {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches() == []


def test_12_4_b_chips_put_forward_at_the_showdown() -> None:
    hand = checked_down(limped(table())).show(1, "Ah Kc").bet(3, 5).bet(3, 0).show(2, "5d 5h").show(3, "9c 8c")
    assert hand.award(2).collect().breaches() == [("bet.late", "box3/bet")]


@pytest.mark.parametrize("collected_first", [True, False])
def test_13_2_an_award_put_right_by_the_dealer(collected_first: bool) -> None:
    hand = checked_down(limped(table())).show(1, "Ah Qc").show(2, "Ac Qd").show(3, "9c 8c").award(1)
    hand = hand.collect() if collected_first else hand
    hand.chips("box1/stack", hand.amount("box1/stack") - 3, "dealer")
    hand.chips("box2/stack", hand.amount("box2/stack") + 3, "dealer")
    assert (hand if collected_first else hand.collect()).breaches() == []


def test_15_2_d_an_uncalled_opening_bet_leaves_antes_alone() -> None:
    hand = Hand("act-holdem", ante=10, commission="5").antes(10).deal().bet(1, 20).fold(2, 3).back(1, 0)
    assert hand.award(1).collect().breaches() == []


def test_15_3_time_is_paid_from_the_stake() -> None:
    hand = shown(checked_down(limped(table(commission="time", time_charge=5))), {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2)
    hand.chips("box1/stack", hand.amount("box1/stack") - 5, "player").chips("drop", 5, "dealer")
    hand = checked_down(limped(hand.next_round(1)))
    assert shown(hand, {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}, 2).breaches() == []


def test_17_11_the_big_blind_is_the_second_of_three() -> None:
    house = table(blinds=[5, 10, 20]).house
    assert read_house(house, HoldemHouse).big_blind == 1000


def test_20_11_the_dealer_posts_for_an_absent_player() -> None:
    hand = table(tournament=True).chips("box1/bet", 1, "dealer").chips("box1/stack", 199, "dealer")
    hand.bet(2, 2).deal().bet(3, 2).fold(1).check(2).sweep()
    assert shown(checked_down(hand), {2: "5d 5h", 3: "9c 8c"}, 2).breaches() == []


def test_10_4_a_an_uncalled_bet_that_comes_back_after_the_pot() -> None:
    hand = limped(table()).board(FLOP).bet(1, 10).fold(2, 3).award(1).back(1, 0)
    assert hand.collect().breaches() == []


def test_a_gap_between_rounds_hides_nothing_of_the_next_round() -> None:
    cards = {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c"}
    hand = shown(checked_down(limped(table())), cards, 2).add("feed", state="lost").wait(9).add("feed", state="back")
    hand = shown(checked_down(limped(hand.next_round(1))), cards, 1)
    assert hand.breaches() == [("pot.winner", "pot")]
