"""Tasmanian Hold'em (variation 2/18, part C), clause by clause where it differs from the ACT's."""

from typing import Any

import pytest

from auditor.house import read_house
from auditor.log import FairdealError
from auditor.rulebooks.tas_holdem import TasHoldemHouse
from poker_hands import Hand, limped

FLOP, TURN, RIVER = "5c 4d 2h", "Ks", "Kd"
CARDS = {1: "Ah Kc", 2: "5d 5h", 3: "9c 8c", 4: "7c 7h"}


def table(boxes: tuple[int, ...] = (1, 2, 3), stack: float = 200, **house: Any) -> Hand:
    """A cash table without commission."""
    return Hand("tas-holdem", boxes, stack, **({"commission": "none"} | house))


def shown(hand: Hand, *order: int, winner: int = 2, **shares: Any) -> Hand:
    """Showdown in that order, award, collection."""
    for box in order:
        hand.show(box, CARDS[box])
    return hand.award(winner, **shares).collect()


def test_4_3_order_of_hands() -> None:
    assert shown(limped(table()).check_around(FLOP, TURN, RIVER), 2, 1, 3).breaches() == []
    wrong = shown(limped(table()).check_around(FLOP, TURN, RIVER), 2, 1, 3, winner=1)
    assert wrong.breaches() == [("pot.winner", "pot")]


@pytest.mark.parametrize(
    ("hands", "board"),
    [
        (("As Ks", "9s 8s"), ("Qs Js Ts", "2c", "3d")),  # (a) over (b)
        (("9s 8s", "Jc Jd"), ("Qs Js Ts", "Jh", "3d")),  # (b) over (c)
        (("Jc Jd", "Qc Qd"), ("Qs Js Ts", "Jh", "3d")),  # (c) over (d)
        (("Qc Qd", "As 2s"), ("Qs Js Ts", "Jh", "3d")),  # (d) over (e)
        (("As 2s", "Kc 9d"), ("Qs Js Ts", "4h", "3d")),  # (e) over (f)
        (("Kc 9d", "Qc Qd"), ("Qs Js Th", "4h", "3d")),  # (f) over (g)
        (("5c 2d", "Qc Qd"), ("Qs 4s 3h", "Ah", "8d")),  # (f) the ace low
        (("Qc Qd", "Jc 7d"), ("Qs Js 7h", "4h", "3d")),  # (g) over (h)
        (("Jc 7d", "Ac Ad"), ("Qs Js 7h", "4h", "3d")),  # (h) over (i)
        (("2c 2d", "Ac Kd"), ("Qs Js 7h", "4h", "3d")),  # (i) over (j)
        (("Ac 9d", "Ad 8d"), ("Qs Js 7h", "4h", "3d")),  # (j), 4.2: all cards count
    ],
)
def test_4_3_a_to_j(hands: tuple[str, str], board: tuple[str, str, str]) -> None:
    for taker, faults in ((2, []), (3, [("pot.winner", "pot")])):
        hand = table().blinds().deal().bet(3, 2).fold(1).check(2).sweep().check_around(*board)
        hand.show(2, hands[0]).show(3, hands[1])
        assert hand.award(taker).collect().breaches() == faults


def test_2_2_no_joker() -> None:
    hand = limped(table()).check_around(FLOP, TURN, RIVER).show(2, "5d 5h").show(1, "Jkr Kc")
    assert ("card.foreign", "box1") in hand.award(2).collect().breaches()


def test_3_4_at_least_three_players() -> None:
    hand = table((1, 2)).blinds().deal().fold(1).back(2, 1).sweep().award(2).collect()
    assert hand.breaches() == [("table.players", None)]


@pytest.mark.parametrize(("count", "faults"), [(2, []), (1, [("deal.burn", "burn")]), (3, [("deal.burn", "burn")])])
def test_5_2_g_so_many_burns(count: int, faults: list[tuple[str, str | None]]) -> None:
    hand = limped(table(burn=2)).board(FLOP, burn=count).check(1, 2, 3).check_around(TURN, RIVER)
    assert shown(hand, 2, 1, 3).breaches() == faults


def test_5_2_b_the_ante() -> None:
    hand = table(ante=2).bet(1, 2).bet(2, 2).sweep().deal().bet(1, 2).fold(2, 3).back(1, 0)
    assert hand.award(1).collect().breaches() == [("blind.missing", "box3")]


def test_5_4_and_5_5_stakes() -> None:
    hand = limped(table()).chips("box1/stack", 150, "player").check_around(FLOP, TURN, RIVER)
    assert shown(hand, 2, 1, 3).breaches() == [("bet.moved", "box1/stack")]
    between = table().blinds().deal().fold(3, 1).sweep().award(2).collect().chips("box3/stack", 100, "player")
    between.next_round(1).blinds().deal().fold(1, 2).sweep().award(3).collect()
    assert between.breaches() == [("bet.moved", "box3/stack")]


def test_5_7_ninety_seconds_then_a_fold_or_a_check() -> None:
    late = table().blinds().deal().add("call", what="clock", at="box3", by="dealer").wait(91).bet(3, 2).fold(1, 2)
    assert late.sweep().award(3).collect().breaches() == [("action.time", "box3")]
    check = limped(table()).board(FLOP).add("call", what="clock", at="box1", by="dealer").wait(95).check(1, 2, 3)
    assert shown(check.check_around(TURN, RIVER), 2, 1, 3).breaches() == []


def test_7_1_three_raises_in_the_first_three_rounds_of_fixed_betting() -> None:
    hand = (
        table(limit="fixed", fixed=[2, 4])
        .blinds()
        .deal()
        .bet(3, 4)
        .bet(1, 6)
        .bet(2, 8)
        .bet(3, 10)
        .bet(1, 10)
        .bet(2, 10)
    )
    assert shown(hand.sweep().check_around(FLOP, TURN, RIVER), 3, 1, 2).breaches() == [("bet.invalid", "box3/bet")]


def test_7_2_no_cap_in_the_last_round() -> None:
    hand = limped(table(limit="fixed", fixed=[2, 4])).check_around(FLOP, TURN).board(RIVER)
    hand.bet(1, 4).bet(2, 8).bet(3, 12).bet(1, 16).bet(2, 20).bet(3, 20).bet(1, 20).sweep()
    assert shown(hand, 2, 1, 3).breaches() == []


def test_7_5_no_cap_without_limit() -> None:
    hand = table().blinds().deal().bet(3, 4).bet(1, 6).bet(2, 8).bet(3, 10).bet(1, 10).bet(2, 10).sweep()
    assert shown(hand.check_around(FLOP, TURN, RIVER), 3, 1, 2).breaches() == []


def test_7_3_a_raise_is_at_least_an_earlier_one() -> None:
    hand = table().blinds().deal().bet(3, 6).bet(1, 9).fold(2).bet(3, 9).sweep().check_around(FLOP, TURN, RIVER)
    assert shown(hand, 1, 3, winner=1).breaches() == [("bet.amount", "box1/bet")]


def test_10_1_the_button_moves_on() -> None:
    hand = table().blinds().deal().fold(3, 1).sweep().award(2).collect().next_round(2).blinds().deal()
    assert hand.fold(2, 3).sweep().award(1).collect().breaches() == [("button.move", None)]


def test_10_2_blinds() -> None:
    assert table().bet(1, 1).deal().fold(3, 1).sweep().award(2).collect().breaches() == [("blind.missing", "box2")]


def test_11_3_dealing_starts_with_the_small_blind() -> None:
    hand = table().blinds()
    for box in (2, 3, 1, 2, 3, 1):
        hand.card(f"box{box}")
    assert [kind for kind, _ in hand.fold(3, 1).sweep().award(2).collect().breaches()] == ["deal.order"]


def test_12_4_and_12_5_the_small_blind_opens_later_rounds() -> None:
    hand = table().blinds().deal().bet(3, 2).fold(1).check(2).sweep().board(FLOP).check(3, 2).check_around(TURN, RIVER)
    assert shown(hand, 2, 3).breaches() == [("action.order", "box3")]


def test_12_6_no_flop_before_the_big_blind_has_spoken() -> None:
    unseen = table().blinds().deal().bet(3, 2).bet(1, 2).sweep().check_around(FLOP, TURN, RIVER)
    assert shown(unseen, 2, 1, 3).breaches() == []  # he may have checked by voice
    after = table().blinds().deal().bet(3, 2).bet(1, 2).board(FLOP).check(2).sweep().check(1, 2, 3)
    assert shown(after.check_around(TURN, RIVER), 2, 1, 3).breaches() == [("deal.exposed", "board")]


def test_13_2_no_check_facing_a_bet() -> None:
    hand = limped(table()).board(FLOP).bet(1, 4).check(2).bet(3, 4).bet(2, 4).sweep().check_around(TURN, RIVER)
    assert shown(hand, 1, 2, 3).breaches() == [("bet.invalid", "box2/bet")]


def test_15_1_the_last_aggressor_of_the_round_shows_first() -> None:
    def raised() -> Hand:
        return table().blinds().deal().bet(3, 6).fold(1).bet(2, 6).sweep().check_around(FLOP, TURN, RIVER)

    assert shown(raised(), 3, 2).breaches() == []
    assert shown(raised(), 2, 3).breaches() == [("show.order", "box2")]
    assert shown(limped(table()).check_around(FLOP, TURN, RIVER), 1, 2, 3).breaches() == [("show.order", "box1")]


def test_15_3_units_of_the_table_minimum_and_the_rest_to_the_left() -> None:
    def shared(**shares: Any) -> list[tuple[str, str | None]]:
        hand = table((1, 2, 3), chip=2).blinds().deal().bet(3, 2).fold(1).check(2).sweep()
        hand.check_around("Ac Kd Qh", "Js", "Td").show(2, "2c 3c").show(3, "2d 3d")
        return hand.award(**shares).collect().breaches()

    assert shared(box2=3, box3=2) == []
    assert shared(box2=2, box3=3) == [("pot.odd_chip", "pot")]


def test_16_1_and_17_2_every_pot_for_itself() -> None:
    def played(first: float, second: float) -> list[tuple[str, str | None]]:
        hand = Hand("tas-holdem", commission="one").chips("box1/stack", 10, None).blinds().deal()
        hand.bet(3, 40).bet(1, 10).bet(2, 40).sweep(("pot2", 60))
        for cards in (FLOP, TURN, RIVER):
            hand.board(cards).check(2, 3)
        hand.show(3, CARDS[3]).show(1, CARDS[1]).show(2, "Qd Qh")
        if first:
            hand.drop(first)
        hand.award(1)
        if second:
            hand.drop(second, "pot2")
        return hand.award(2, "pot2").collect().breaches()

    assert played(3, 6) == []
    assert played(3, 0) == [("commission.short", "pot2")]
    assert played(9, 0) == [("commission.over", "pot"), ("commission.short", "pot2")]


@pytest.mark.parametrize(
    ("method", "bet", "due"),
    [("one", 9, 0), ("one", 10, 2), ("one", 90, 15), ("two", 9, 1), ("two", 10, 2.5), ("two", 25, 5)],
)
def test_17_2_methods(method: str, bet: float, due: float) -> None:
    def taken(amount: float) -> list[tuple[str, str | None]]:
        hand = Hand("tas-holdem", commission=method).blinds().deal().bet(3, bet).fold(1).bet(2, bet).sweep()
        hand.check_around(FLOP, TURN, RIVER).show(3, CARDS[3]).show(2, CARDS[2])
        if amount:
            hand.drop(amount)
        return hand.award(2).collect().breaches()

    assert taken(due) == []
    assert taken(due + 1) == [("commission.over" if due else "commission.not_due", "pot")]
    if due:
        assert taken(due - 0.5) == [("commission.short", "pot")]


def test_17_2_even_a_pot_without_a_showdown_is_charged() -> None:
    hand = Hand("tas-holdem", commission="two").blinds().deal().fold(3, 1).back(2, 1).sweep().award(2).collect()
    assert hand.breaches() == [("commission.short", "pot")]


def test_19_1_misdeals() -> None:
    def dealt(*boxes: int) -> list[tuple[str, str | None]]:
        hand = table().blinds()
        for box in boxes:
            hand.card(f"box{box}")
        return hand.fold(3, 1).sweep().award(2).collect().breaches()

    assert set(dealt(1, 2, 3, 1, 2, 3, 3)) == {("deal.extra", "box3"), ("round.not_voided", None)}
    assert set(dealt(1, 2, 3, 1, 2)) == {("deal.missed", "box3"), ("round.not_voided", None)}


def test_19_1_c_two_exposed_cards_are_a_misdeal_one_is_replaced() -> None:
    def exposed(*boxes: int, burn: int = 1) -> set[tuple[str, str | None]]:
        hand = table(burn=burn).blinds()
        for box in (1, 2, 3):
            hand.card(f"box{box}", f"{box + 5}s" if box in boxes else "??")
        for box in (1, 2, 3):
            hand.card(f"box{box}")
        for box in boxes:
            hand.add("gone", at=f"box{box}", n=None, cards=[f"{box + 5}s"], to="discard").card(f"box{box}")
        return set(hand.fold(3, 1).sweep().award(2).collect().breaches())

    assert exposed(2) == {("deal.exposed", "box2")}
    assert exposed(1, 2) == {("deal.exposed", "box1"), ("deal.exposed", "box2"), ("round.not_voided", None)}
    assert exposed(2, burn=0) == {("deal.exposed", "box2"), ("round.not_voided", None)}


@pytest.mark.parametrize("burn", [0, 1])
def test_19_4_says_nothing_of_the_burn_where_two_cards_were_exposed(burn: int) -> None:
    hand = table().blinds().card("box1", "6s").card("box2", "7s").card("box3")
    for box in (1, 2, 3):
        hand.card(f"box{box}")
    hand.bet(3, 2).bet(1, 2).check(2).sweep().board("Kc 9d 4s", burn=burn).check(1, 2).bet(3, 4).fold(1, 2)
    found = hand.back(3, 0).award(3).collect().breaches()
    assert found == [("deal.exposed", "box1"), ("deal.exposed", "box2"), ("round.not_voided", None)]


def test_19_2_a_premature_card_is_shuffled_back() -> None:
    hand = limped(table()).board(FLOP).check(1).card("board", "Ks").add("gone", at="board", cards=["Ks"], to="shoe")
    hand.add("shuffle", by="dealer").check(2, 3).check_around("9s", "Ks")
    assert shown(hand, 2, 1, 3).breaches() == [("deal.exposed", "board")]


def test_19_7_a_new_player_pays_the_big_blind() -> None:
    def joins(posts: float) -> list[tuple[str, str | None]]:
        hand = table((1, 2, 3)).blinds().deal().fold(3, 1).sweep().award(2).collect()
        hand.chips("box5/stack", 200, "player").next_round(1, (1, 2, 3, 5)).blinds()
        if posts:
            hand.bet(5, posts)
        return hand.deal().breaches()

    assert joins(2) == []
    assert joins(0) == [("blind.missing", "box5")]


def test_19_9_without_a_small_blind_when_he_has_left() -> None:
    hand = table((1, 2, 3, 4, 5)).blinds().deal().fold(3, 4, 5, 1).sweep().award(2).collect()
    hand.chips("box2/stack", 0, "player").next_round(1, (1, 3, 4, 5)).bet(3, 2).deal()
    hand.fold(4, 5, 1).sweep().award(3).collect()
    assert hand.breaches() == []


def test_19_10_a_missed_blind() -> None:
    def back(posts: float) -> list[tuple[str, str | None]]:
        hand = table((1, 2, 3, 4, 5)).blinds().deal().fold(3, 4, 5, 1).sweep().award(2).collect()
        hand.next_round(1, (1, 3, 4, 5)).blinds().deal().fold(5, 1, 3).sweep().award(4).collect()
        hand.next_round(3, (1, 2, 3, 4, 5)).blinds()
        if posts:
            hand.bet(2, posts)
        return hand.deal().breaches()

    assert back(0) == [("blind.missing", "box2")]
    assert back(2) == []


def test_19_11_and_19_12_out_of_turn_call_or_fold_only() -> None:
    def start() -> Hand:
        return limped(table()).board(FLOP)

    called = start().bet(2, 4).bet(1, 10).bet(2, 10).fold(3).sweep().check_around(TURN, RIVER)
    assert shown(called, 1, 2).breaches() == [("action.order", "box2")]
    raised = start().bet(2, 4).bet(1, 10).bet(2, 20).fold(3).bet(1, 20).sweep().check_around(TURN, RIVER)
    assert shown(raised, 2, 1).breaches() == [("action.order", "box2"), ("bet.invalid", "box2/bet")]
    returned = start().bet(2, 4).bet(1, 10).fold(2).back(2, 0).fold(3).back(1, 0).award(1).collect()
    assert returned.breaches() == [("action.order", "box2")]
    kept = start().bet(2, 4).bet(1, 10).fold(2).fold(3).back(1, 4).sweep().award(1).collect()
    assert kept.breaches() == [("action.order", "box2"), ("bet.amount", "box2/bet")]


def test_19_13_the_excess_of_a_short_raise_goes_back() -> None:
    hand = table().blinds().deal().bet(3, 6).bet(1, 8).back(1, 6).fold(2).sweep().check_around(FLOP, TURN, RIVER)
    assert shown(hand, 3, 1, winner=1).breaches() == []


def test_19_14_a_short_call_is_surrendered() -> None:
    lost = table().blinds().deal().bet(3, 6).bet(1, 4).fold(1).fold(2).back(3, 4).sweep().award(3).collect()
    assert lost.breaches() == []
    returned = table().blinds().deal().bet(3, 6).bet(1, 4).fold(1).back(1, 1).fold(2).back(3, 2).sweep()
    assert returned.award(3).collect().breaches() == [("bet.moved", "box1/bet")]


def test_16_3_no_raise_on_an_all_in_that_is_none() -> None:
    hand = table((1, 2, 3, 4)).chips("box1/stack", 8, None).blinds().deal().bet(3, 6).bet(4, 6).bet(1, 8).fold(2)
    hand.bet(3, 20).fold(4).back(3, 8).sweep().board(FLOP).board(TURN).board(RIVER)
    assert shown(hand, 3, 1, winner=1).breaches() == [("bet.invalid", "box3/bet")]


def test_20_11_no_chips_come_or_go_in_a_competition() -> None:
    hand = table(tournament=True).blinds().deal().fold(3, 1).sweep().award(2).collect()
    hand.chips("box3/stack", 250, "player").next_round(1).blinds().deal().fold(1, 2).sweep().award(3).collect()
    assert hand.breaches() == [("bet.moved", "box3/stack")]


@pytest.mark.parametrize("options", [{"deck": 52}, {"commission": "5"}, {"blinds": [1, 2], "ante": 1}, {"burn": -1}])
def test_impossible_options(options: dict[str, Any]) -> None:
    with pytest.raises(FairdealError):
        read_house(options, TasHoldemHouse)


# ---- what it shares with the ACT's, under its own numbers ----


def test_2_1_the_same_card_twice() -> None:
    hand = limped(table()).check_around(FLOP, TURN, RIVER).show(2, "5d 5c").show(1, "Ah Kc").show(3, "9c 8c")
    assert ("card.duplicate", "box2") in hand.award(1).collect().breaches()


def test_5_2_f_limits() -> None:
    def raised(to: float, **house: Any) -> list[tuple[str, str | None]]:
        return table(**house).blinds().deal().bet(3, to).fold(1, 2).back(3, 2).sweep().award(3).collect().breaches()

    assert raised(7, limit="pot") == raised(4, limit="half") == []
    assert raised(8, limit="pot") == raised(5, limit="half") == [("bet.limit", "box3/bet")]


def test_7_4_the_smallest_bet_and_multiples() -> None:
    def opened(to: float, **house: Any) -> list[tuple[str, str | None]]:
        hand = limped(table(**house)).board(FLOP).bet(1, to).fold(2, 3).back(1, 0)
        return hand.award(1).collect().breaches()

    assert opened(4, min=5) == opened(51, max=50) == [("bet.limit", "box1/bet")]
    assert opened(7, multiple=5) == [("bet.multiple", "box1/bet")]


def test_8_1_and_8_2_ante_betting() -> None:
    def played(first: float, second: float) -> list[tuple[str, str | None]]:
        hand = table(ante=1, min=4).antes(1).deal().bet(1, first).bet(2, second).fold(3).bet(1, second).sweep()
        return shown(hand.check_around(FLOP, TURN, RIVER), 2, 1).breaches()

    assert played(4, 8) == []
    assert played(3, 8) == [("bet.limit", "box1/bet")]
    assert played(4, 7) == [("bet.amount", "box2/bet")]


def test_9_2_and_9_4_shuffle_and_cut() -> None:
    def second(**ready: Any) -> list[tuple[str, str | None]]:
        hand = table().blinds().deal().fold(3, 1).sweep().award(2).collect().next_round(1, **ready)
        return hand.blinds().deal().fold(1, 2).sweep().award(3).collect().breaches()

    assert second() == []
    assert second(shuffle=False) == [("shuffle.missing", None)]
    assert second(cut=False) == [("round.not_voided", None)]


def test_11_5_to_11_9_the_communal_cards() -> None:
    def played(*streets: str) -> list[tuple[str, str | None]]:
        return shown(limped(table()).check_around(*streets), 2, 1, 3).breaches()

    assert played(FLOP, TURN, RIVER) == []
    assert ("deal.count", "board") in played("5c 4d", "2h", "Ks")
    assert ("deal.count", "board") in played(FLOP, TURN)
    assert ("deal.count", "board") in played(FLOP, TURN, RIVER, "9d")


def test_11_5_a_communal_card_face_down() -> None:
    hand = limped(table()).board(FLOP).check(1, 2, 3).card("burn").card("board").check(1, 2, 3).board(RIVER)
    assert ("deal.facing", "board") in shown(hand.check(1, 2, 3), 2, 1, 3).breaches()


def test_12_1_and_12_2_in_turn() -> None:
    wrong = table((1, 2, 3, 4)).blinds().deal().bet(4, 2).fold(3, 1).check(2).sweep().check_around(FLOP, TURN, RIVER)
    assert shown(wrong, 2, 4).breaches() == [("action.order", "box4")]


def test_13_1_no_check_in_the_first_round_of_an_ante_game() -> None:
    hand = table(ante=2).antes(2).deal().check(1).bet(2, 4).fold(3, 1).back(2, 0).award(2).collect()
    assert hand.breaches() == [("bet.invalid", "box1/bet")]


def test_14_4_a_the_last_player_wins() -> None:
    assert table().blinds().deal().fold(3, 1).back(2, 1).sweep().award(1).collect().breaches() == [
        ("pot.winner", "pot")
    ]


def test_14_4_b_no_bet_after_the_betting_round() -> None:
    hand = limped(table()).board(FLOP).check(1, 2, 3).bet(2, 4).sweep().check_around(TURN, RIVER)
    assert ("bet.late", "box2/bet") in shown(hand, 2, 1, 3).breaches()


def test_15_4_a_pot_is_not_divided_by_agreement() -> None:
    hand = limped(table()).check_around(FLOP, TURN, RIVER).show(2, CARDS[2]).show(1, CARDS[1]).show(3, CARDS[3])
    assert hand.award(box1=3, box2=3).collect().breaches() == [("pot.winner", "pot")]


def test_16_2_an_under_raise_in_fixed_betting() -> None:
    def answered(to: float) -> list[tuple[str, str | None]]:
        hand = table((1, 2, 3, 4), limit="fixed", fixed=[4, 8], blinds=[2, 4]).chips("box4/stack", 6, None)
        hand.blinds(2, 4).deal().bet(3, 4).bet(4, 6).bet(1, to)
        hand.fold(2)
        hand = hand.bet(3, to).sweep()
        for cards in (FLOP, TURN, RIVER):
            hand.board(cards).check(1, 3)
        return shown(hand, 4 if to == 6 else 1, 1 if to == 6 else 4, 3, winner=1).breaches()

    assert answered(6) == []  # a call for less than the structured bet
    assert answered(8) == []  # a raise to the structured level


def test_18_8_and_19_15_cards_that_change_hands_or_are_lost() -> None:
    swapped = limped(table()).board(FLOP).add("gone", at="box1", n=1, to="box2").check(1, 2, 3).breaches()
    assert ("deal.count", "box1") in swapped
    assert ("deal.count", "box2") in swapped
    lost = limped(table()).board(FLOP).add("gone", at="box2", n=1, to="discard").check(1, 2, 3)
    lost.check_around(TURN, RIVER).show(2, "5d").show(1, CARDS[1]).show(3, CARDS[3])
    assert sorted(lost.award(2).collect().breaches()) == [("deal.count", "box2"), ("pot.winner", "pot")]


def test_19_1_a_a_card_exposed_in_the_cut() -> None:
    hand = table().card("shoe", "Ah").blinds().deal().fold(3, 1).sweep().award(2).collect()
    assert set(hand.breaches()) == {("deal.exposed", "shoe"), ("round.not_voided", None)}


def test_19_3_a_card_shown_after_the_betting_is_used() -> None:
    hand = limped(table(burn=0)).card("shoe", "5c").board("5s 4d 2h", burn=0).check(1, 2, 3).check_around(TURN, RIVER)
    assert shown(hand, 2, 1, 3).breaches() == [("deal.order", "board")]


def test_19_4_no_burn_before_the_flop_after_an_exposed_card() -> None:
    hand = table().blinds().card("box1").card("box2", "9h").card("box3").card("box1").card("box2").card("box3")
    hand.add("gone", at="box2", cards=["9h"], to="discard").card("box2").bet(3, 2).fold(1).check(2).sweep()
    assert shown(hand.check_around(FLOP, TURN, RIVER), 2, 3).breaches() == [
        ("deal.exposed", "box2"),
        ("deal.burn", "burn"),
    ]


def test_19_6_after_a_misdeal_the_button_stays() -> None:
    def again(button: int) -> list[tuple[str, str | None]]:
        hand = table().blinds().deal().add("call", what="misdeal", by="dealer").back(1, 0).back(2, 0).collect()
        seats = hand.next_round(button).blinds().deal().seats
        return hand.fold(seats[2], seats[0]).sweep().award(seats[1]).collect().breaches()

    assert again(3) == []
    assert again(1) == [("button.move", None)]


def test_19_16_and_19_17_discarded_cards_are_out() -> None:
    hand = limped(table()).check_around(FLOP, TURN, RIVER).show(1, CARDS[1]).show(3, CARDS[3])
    hand.add("gone", at="box2", to="discard").award(2).collect()
    assert ("pot.winner", "pot") in hand.breaches()


# ---- what a stranger's logs taught ---------------------------------------------------------------------------------


def test_13_1_a_check_by_voice_is_not_in_the_log() -> None:
    hand = limped(table()).board(FLOP).check(2, 3).check_around(TURN, RIVER)
    assert shown(hand, 2, 1, 3).breaches() == []
    last = limped(table()).board(FLOP).check(1, 2).check_around(TURN, RIVER)
    assert shown(last, 2, 1, 3).breaches() == []
    proved = limped(table()).board(FLOP).check(2, 1, 3).check_around(TURN, RIVER)
    assert shown(proved, 2, 1, 3).breaches() == [("action.order", "box2")]
    given = limped(table()).board(FLOP).bet(2, 4).bet(1, 4).bet(3, 4).sweep().check_around(TURN, RIVER)
    assert shown(given, 2, 1, 3).breaches() == [("action.order", "box2")]


def test_19_2_a_premature_card_left_on_the_board() -> None:
    hand = limped(table()).board(FLOP).bet(1, 4).board(TURN).bet(2, 4).bet(3, 4).sweep().check(1, 2, 3)
    assert shown(hand.check_around(RIVER), 1, 2, 3).breaches() == [("deal.exposed", "board")]
    flop = table().blinds().deal().bet(3, 2).board(FLOP).bet(1, 2).check(2).sweep().check(1, 2, 3)
    assert shown(flop.check_around(TURN, RIVER), 2, 1, 3).breaches() == [("deal.exposed", "board")]


def test_19_2_a_premature_card_taken_away() -> None:
    for place in ("shoe", "discard"):
        hand = limped(table()).board(FLOP).bet(1, 4).board("9h")
        hand.add("gone", at="board", cards=["9h"], to=place).bet(2, 4).bet(3, 4).sweep().check_around(TURN, RIVER)
        assert shown(hand, 1, 2, 3).breaches() == [("deal.exposed", "board")]
    flop = table().blinds().deal().bet(3, 2).board("9h 9d Th").add("gone", at="board", to="shoe")
    flop.add("shuffle", by="dealer").bet(1, 2).check(2).sweep().check_around(FLOP, TURN, RIVER)
    assert shown(flop, 2, 1, 3).breaches() == [("deal.exposed", "board")]


@pytest.mark.parametrize("flop", ["5c 4d", "5c 4d 2h 9h"])
def test_11_5_a_flop_of_two_or_four(flop: str) -> None:
    folded = limped(table()).board(flop).bet(1, 4).fold(2, 3).back(1, 0).award(1).collect()
    assert folded.breaches() == [("deal.count", "board")]


def test_11_7_two_cards_on_the_turn() -> None:
    hand = shown(limped(table()).check_around(FLOP, "Ks Qh", RIVER), 2, 1, 3)
    assert hand.breaches() == [("deal.count", "board")]


def test_16_1_a_tapped_out_player_who_folds_leaves_his_pot_apart() -> None:
    hand = table((1, 2, 3, 4), commission="one").chips("box1/stack", 20, "player").blinds().deal()
    hand.bet(3, 30).bet(4, 30).bet(1, 20).bet(2, 30).sweep(("pot2", 30))
    for cards in (FLOP, TURN, RIVER):
        hand.board(cards).check(2, 3, 4)
    hand.show(3, CARDS[3]).add("gone", at="box1", to="discard").show(2, CARDS[2]).show(4, CARDS[4])
    hand.drop(3, "pot2").award(2, "pot2").drop(8).award(2).collect()
    assert hand.breaches() == []
    assert [pot["amount"] for pot in hand.pots()] == [80, 30]


def test_19_1_e_a_box_passed_over_is_no_new_player_after_the_misdeal() -> None:
    hand = table((1, 2, 3, 4)).blinds()
    for box in (1, 2, 4, 1, 2, 4):
        hand.card(f"box{box}")
    hand.add("call", what="misdeal", by="dealer")
    for box in (1, 2, 4):
        hand.add("gone", at=f"box{box}", to="shoe")
    hand.back(1, 0).back(2, 0).next_round(4)
    assert limped(hand).breaches() == [("deal.missed", "box3")]


def test_19_1_e_a_card_moved_on_is_one_error() -> None:
    passed = table().blinds().card("box1").card("box3").add("gone", at="box3", n=1, to="box2").card("box3")
    for box in (1, 2, 3):
        passed.card(f"box{box}")
    assert passed.bet(3, 2).bet(1, 2).check(2).breaches() == [("deal.missed", "box2")]


def test_19_1_a_a_misdeal_before_the_first_card() -> None:
    hand = table().card("shoe", "Qd", up=True).add("call", what="misdeal", by="dealer")
    hand.add("gone", at="shoe").add("shuffle", by="dealer").add("cut", by="dealer")
    hand = shown(limped(hand).check_around(FLOP, TURN, RIVER), 2, 1, 3)
    assert hand.breaches() == [("deal.exposed", "shoe")]
    assert [each["status"] for each in hand.rounds()] == ["complete"]


def test_5_7_out_of_time_with_nothing_bet_is_a_check() -> None:
    hand = limped(table()).board(FLOP).check(1).add("call", what="clock", at="box2").wait(95).check(3)
    assert hand.breaches() == []


def test_15_1_without_a_big_blind_nobody_must_show_first() -> None:
    hand = table().bet(1, 1).deal().bet(3, 2).bet(1, 2).bet(2, 2).sweep().check_around(FLOP, TURN, RIVER)
    assert shown(hand, 3, 1, 2).breaches() == [("blind.missing", "box2")]


def test_16_1_chips_given_back_after_the_sweep() -> None:
    hand = table().chips("box2/stack", 60, "player").blinds().deal().bet(3, 200).fold(1).bet(2, 60).sweep()
    hand.chips("pot", 121, "dealer").chips("box3/stack", 140, "dealer").board(FLOP).board(TURN).board(RIVER)
    assert shown(hand, 3, 2).breaches() == []
