"""ACT Poker Faro (NI2005-67), where it differs from ACT Hold-em."""

from typing import Any

import pytest

from auditor.hands import read_cards, strength
from auditor.house import read_house
from auditor.log import FairdealError
from auditor.rulebooks.act_faro import FaroHouse
from poker_hands import Hand

BOARD = ("9h", "Jd", "4d", "7s")
CARDS = {1: "Qh Ts 8s 8h 2c", 2: "8d 6s 8c As 7d", 3: "5d Qc 6h Jc 3h"}
# box1 makes a straight with T-8 and J-9-7; box2 has two pairs, aces and sevens; box3 a pair of jacks.


def table(boxes: tuple[int, ...] = (1, 2, 3), stack: float = 200, **house: Any) -> Hand:
    """A cash table without commission."""
    return Hand("act-faro", boxes, stack, **({"commission": "none"} | house))


def dealt(hand: Hand) -> Hand:
    """Blinds, hole cards, the first communal card."""
    return hand.blinds().deal().card("board", "Ah")


def limped(hand: Hand) -> Hand:
    """Everybody calls, the last blind checks."""
    dealt(hand)
    for box in hand.seats[2:]:
        hand.bet(box, 2)
    return hand.bet(hand.seats[0], 2).check(hand.seats[1]).sweep()


def finished(hand: Hand, winner: int = 1) -> Hand:
    """Showdown, award, collection."""
    for box, cards in CARDS.items():
        if box in hand.in_hand:
            hand.show(box, cards)
    return hand.award(winner).collect()


def test_9_1_two_of_the_hand_and_three_of_the_board() -> None:
    assert finished(limped(table()).check_around(*BOARD)).breaches() == []
    assert finished(limped(table()).check_around(*BOARD), 2).breaches() == [("pot.winner", "pot")]


def test_9_1_four_of_a_suit_in_the_hand_are_no_flush() -> None:
    hand = limped(table()).check_around("Ks", "Qs", "2d", "7c")
    hand.show(1, "9s 8s 6s 5s 3s").show(2, "Ad Kd 4c 4h 6d").show(3, "Tc 9c 9d 8c 5d")
    assert hand.award(2).collect().breaches() == []


FULL_ROWS = (
    "As Ks Qs Js Ts", "9s 9h 9d 9c Jkr", "Js Ts 9s 8s 7s", "5s 4s 3s 2s As", "9s 9h 9d 9c 2s", "Ks Kh Kd Js Jh",
    "Kd Jd 9d 7d 5d", "Kh Qc Jc Ts 9d", "5h 4c 3c 2s Ad", "Qs Qh Qd 8c 5c", "Qs Qh 4d 4c Jc", "Ts Th Kd 6c 2c",
    "Qs Th 7d 4c 3c",
)  # fmt: skip
REDUCED_ROWS = (
    "As Ks Qs Js Ts", "9s 9h 9d 9c Jkr", "Js Ts 9s 8s 7s", "8s 7s 6s 5s As", "9s 9h 9d 9c 5s", "Kd Jd 9d 7d 5d",
    "Ks Kh Kd Js Jh", "Kh Qc Jc Ts 9d", "8h 7c 6c 5s Ad", "Qs Qh Qd 8c 5c", "Qs Qh 6d 6c Jc", "Ts Th Kd 6c 5c",
    "Qs Th 9d 7c 5c",
)  # fmt: skip


@pytest.mark.parametrize(("deck", "rows"), [(52, FULL_ROWS), (40, REDUCED_ROWS)])
def test_3_3_and_3_4_order_of_hands(deck: int, rows: tuple[str, ...]) -> None:
    house = read_house({"deck": deck, "joker": True}, FaroHouse)
    strengths = [strength(read_cards(row), house.hand_order) for row in rows]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == len(rows)


def test_3_5_low_ball_and_split() -> None:
    low = limped(table(win="low")).check_around("Ks", "Qs", "6d", "4c")
    low.show(1, "9s 8s Ts Js 3s").show(2, "3d 2d Tc Jc Qh").show(3, "Kc Kd 9c 9d 8c")
    assert low.award(2).collect().breaches() == []
    split = limped(table(win="split")).check_around("7s", "Qs", "6d", "4c")
    split.show(1, "9s 8s Ts Js 3s").show(2, "3d 2d Tc Jc Qh").show(3, "Kc Kd 9c 9d 8c")
    assert split.award(box2=3, box3=3).collect().breaches() == []


def test_2_2_and_2_3_the_deck() -> None:
    hand = limped(table(deck=44)).check_around("9h", "Jd", "3d", "7s")
    assert ("card.foreign", "board") in finished(hand).breaches()


def test_9_2_dealing_two_two_one_or_one_at_a_time() -> None:
    def order(*boxes: int, **house: Any) -> list[tuple[str, str | None]]:
        hand = table(**house).blinds()
        for box in boxes:
            hand.card(f"box{box}")
        return hand.card("board", "Ah").fold(3, 1).sweep().award(2).collect().breaches()

    pairs = (1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3, 1, 2, 3)
    single = (1, 2, 3) * 5
    assert order(*pairs) == order(*single, deal="1") == []
    assert [kind for kind, _ in order(*single)] == ["deal.order"]
    assert [kind for kind, _ in order(*pairs, deal="1")] == ["deal.order"]
    assert set(order(*pairs, 3)) == {("deal.extra", "box3"), ("round.not_voided", None)}
    assert set(order(*pairs[:-1])) == {("deal.missed", "box3"), ("round.not_voided", None)}


def test_9_2_17_1_d_a_misdeal_called_at_a_card_out_of_turn() -> None:
    hand = table().blinds().card("box1").card("box3").add("call", what="misdeal", by="dealer")
    hand.add("gone", at="box1", to="shoe").add("gone", at="box3", to="shoe").ready()
    assert hand.breaches() == [("deal.order", "box3")]  # box3 is in the round, though its turn had not come
    assert [each["status"] for each in hand.rounds()] == ["misdeal"]


def test_9_4_a_betting_round_after_each_communal_card() -> None:
    hand = limped(table()).check_around(*BOARD[:2]).card("board", BOARD[2]).card("board", BOARD[3]).check(1, 2, 3)
    assert finished(hand.check(1, 2, 3)).breaches() == [("deal.exposed", "board")]


def test_9_4_the_first_betting_round_held_before_its_card_is_one_fault() -> None:
    hand = table().blinds().deal().bet(3, 2).bet(1, 2).check(2).sweep().card("board", "Ah")
    assert finished(hand.check_around(*BOARD)).breaches() == [("deal.order", "board")]


def test_9_5_faro_knows_no_burn() -> None:
    hand = limped(table()).card("burn")
    assert finished(hand.check_around(*BOARD)).breaches() == [("deal.burn", "burn")]


def test_5_1_three_raises_unless_two_players_are_left() -> None:
    hand = dealt(table()).bet(3, 4).bet(1, 6).bet(2, 8).bet(3, 10).bet(1, 10).bet(2, 10).sweep()
    assert finished(hand.check_around(*BOARD)).breaches() == [("bet.invalid", "box3/bet")]
    hand = dealt(table()).bet(3, 4).bet(1, 6).bet(2, 8).bet(3, 8).bet(1, 8).sweep()
    assert finished(hand.check_around(*BOARD)).breaches() == []
    hand = dealt(table()).fold(3).bet(1, 4).bet(2, 6).bet(1, 8).bet(2, 10).bet(1, 12).bet(2, 12).sweep()
    assert finished(hand.check_around(*BOARD)).breaches() == []


def test_5_1_no_cap_in_ante_betting() -> None:
    hand = table(ante=1).antes(1).deal().card("board", "Ah").bet(1, 2).bet(2, 4).bet(3, 6).bet(1, 8).bet(2, 10)
    hand.bet(3, 10).bet(1, 10).sweep()
    assert finished(hand.check_around(*BOARD)).breaches() == []


def test_4_6_ninety_seconds_to_act() -> None:
    for seconds, faults in ((80, []), (91, [("action.time", "box3")])):
        hand = dealt(table()).add("call", what="clock", at="box3", by="dealer").wait(seconds)
        assert hand.bet(3, 2).fold(1, 2).sweep().award(3).collect().breaches() == faults


def test_4_4_between_rounds_a_stake_may_shrink() -> None:
    hand = dealt(table()).fold(3, 1).sweep().award(2).collect().chips("box3/stack", 100, "player").next_round(1)
    assert dealt(hand).fold(1, 2).sweep().award(3).collect().breaches() == []


def test_17_1_c_an_exposed_hole_card_is_a_misdeal() -> None:
    hand = table().blinds().card("box1", "9h")
    for box in (1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3, 1, 2, 3):
        hand.card(f"box{box}")
    found = hand.card("board", "Ah").fold(3, 1).sweep().award(2).collect().breaches()
    assert set(found) == {("deal.exposed", "box1"), ("round.not_voided", None)}


def test_17_5_and_17_6_a_bet_out_of_turn() -> None:
    def start() -> Hand:
        return limped(table()).card("board", BOARD[0])

    stands = start().bet(2, 4).bet(1, 4).bet(3, 4).sweep()
    assert finished(stands.check_around(*BOARD[1:])).breaches() == [("action.order", "box2")]
    raised = start().bet(2, 4).bet(1, 10).bet(2, 20).fold(3).bet(1, 20).sweep()
    assert finished(raised.check_around(*BOARD[1:])).breaches() == [("action.order", "box2")]
    returned = start().bet(2, 4).bet(1, 10).fold(2).back(2, 0).fold(3).back(1, 0).award(1).collect()
    assert returned.breaches() == [("action.order", "box2")]
    kept = start().bet(2, 4).bet(1, 10).fold(2).fold(3).back(1, 4).sweep().award(1).collect()
    assert kept.breaches() == [("action.order", "box2"), ("bet.amount", "box2/bet")]


def test_17_17_after_an_early_card_no_bet_above_the_largest_made() -> None:
    def played(bet: float) -> list[tuple[str, str | None]]:
        hand = limped(table()).card("board", BOARD[0]).bet(1, 4).card("board", BOARD[1]).bet(2, bet).bet(3, bet)
        if bet > 4:
            hand.bet(1, bet)
        return finished(hand.sweep().check(1, 2, 3).check_around(*BOARD[2:])).breaches()

    assert played(4) == [("deal.exposed", "board")]
    assert played(10) == [("deal.exposed", "board"), ("bet.limit", "box2/bet")]


def test_17_18_a_card_before_the_betting_on_the_one_before() -> None:
    def played(bet: float) -> list[tuple[str, str | None]]:
        hand = limped(table(min=2)).card("board", BOARD[0]).card("board", BOARD[1]).bet(1, bet).bet(2, bet).bet(3, bet)
        return finished(hand.sweep().check(1, 2, 3).check_around(*BOARD[2:])).breaches()

    assert played(2) == [("deal.exposed", "board")]
    assert played(8) == [("deal.exposed", "board"), ("bet.limit", "box1/bet")]


def test_13_1_the_player_called_shows_first() -> None:
    def river() -> Hand:
        hand = limped(table()).check_around(*BOARD[:3]).card("board", BOARD[3])
        return hand.check(1).bet(2, 10).fold(3).bet(1, 10).sweep()

    assert river().show(2, CARDS[2]).show(1, CARDS[1]).award(1).collect().breaches() == []
    assert river().show(1, CARDS[1]).show(2, CARDS[2]).award(1).collect().breaches() == [("show.order", "box1")]


def test_20_heads_up_in_a_tournament_follows_rule_8() -> None:
    hand = table((1, 2), tournament=True)
    assert dealt(hand).fold(1).back(2, 1).sweep().award(2).collect().breaches() == []


@pytest.mark.parametrize("options", [{"burn": True}, {"deal": "2-1-2"}])
def test_impossible_options(options: dict[str, Any]) -> None:
    with pytest.raises(FairdealError):
        read_house(options, FaroHouse)


# ---- what Faro shares with Hold-em, under its own numbers ----


def test_4_2_g_pot_and_half_pot_limits() -> None:
    def raised(limit: str, to: float) -> list[tuple[str, str | None]]:
        return dealt(table(limit=limit)).bet(3, to).fold(1, 2).back(3, 2).sweep().award(3).collect().breaches()

    assert raised("pot", 7) == raised("half", 4) == []
    assert raised("pot", 8) == raised("half", 5) == [("bet.limit", "box3/bet")]


def test_4_2_e_over_blinds() -> None:
    def over(**house: Any) -> list[tuple[str, str | None]]:
        hand = table((1, 2, 3, 4), **house).blinds().bet(3, 4).deal().card("board", "Ah").fold(4, 1, 2)
        return hand.back(3, 2).sweep().award(3).collect().breaches()

    assert over(over_blind=True) == []
    assert over() == [("bet.invalid", "box3/bet")]


def test_4_3_and_14_3_the_least_stake() -> None:
    found = dealt(table(table_stake=250)).fold(3, 1).sweep().award(2).collect().breaches()
    assert found == [("bet.limit", f"box{box}/stack") for box in (1, 2, 3)]


def test_4_4_no_chips_added_during_a_round() -> None:
    hand = limped(table()).chips("box1/stack", 298, "player")
    assert finished(hand.check_around(*BOARD)).breaches() == [("bet.moved", "box1/stack")]


def test_6_1_and_6_2_ante_betting() -> None:
    def played(first: float, second: float) -> list[tuple[str, str | None]]:
        hand = table(ante=1, min=4).antes(1).deal().card("board", "Ah").bet(1, first).bet(2, second).fold(3)
        return finished(hand.bet(1, second).sweep().check_around(*BOARD)).breaches()

    assert played(4, 8) == []
    assert played(3, 8) == [("bet.limit", "box1/bet")]
    assert played(4, 7) == [("bet.amount", "box2/bet")]


def test_7_1_and_8_3_shuffle_and_button() -> None:
    def second(button: int, **ready: Any) -> list[tuple[str, str | None]]:
        hand = dealt(table()).fold(3, 1).sweep().award(2).collect().next_round(button, **ready)
        last = dealt(hand).seats
        return hand.fold(last[2], last[0]).sweep().award(last[1]).collect().breaches()

    assert second(1) == []
    assert second(1, shuffle=False) == [("shuffle.missing", None)]
    assert second(1, cut=False) == [("round.not_voided", None)]
    assert second(2) == [("button.move", None)]


def test_8_4_and_8_5_blinds_and_antes() -> None:
    missing = table().bet(2, 2).deal().card("board", "Ah").fold(3, 1).sweep().award(2).collect()
    assert missing.breaches() == [("blind.missing", "box1")]
    small = table().blinds(1, 1).deal().card("board", "Ah").fold(3, 1).sweep().award(2).collect()
    assert small.breaches() == [("bet.amount", "box2/bet")]
    ante = table(ante=2).bet(1, 2).bet(2, 2).sweep().deal().card("board", "Ah").bet(1, 2).fold(2, 3).back(1, 0)
    assert ante.award(1).collect().breaches() == [("blind.missing", "box3")]


def test_9_3_a_communal_card_face_down() -> None:
    hand = limped(table()).card("board").check(1, 2, 3).check_around(*BOARD[1:])
    assert ("deal.facing", "board") in finished(hand).breaches()


def test_9_6_play_goes_on_to_the_fifth_card() -> None:
    assert ("deal.count", "board") in finished(limped(table()).check_around(*BOARD[:3])).breaches()


def test_10_1_and_10_3_in_turn() -> None:
    wrong = dealt(table((1, 2, 3, 4))).bet(4, 2).fold(3, 1).check(2).sweep().check_around(*BOARD)
    found = wrong.show(2, CARDS[2]).show(4, CARDS[3]).award(2).collect().breaches()
    assert found == [("action.order", "box4")]
    later = limped(table()).card("board", BOARD[0]).check(2, 1, 3).check_around(*BOARD[1:])
    assert finished(later).breaches() == [("action.order", "box2")]


def test_10_2_blind_options() -> None:
    fold = dealt(table(blind_option="A")).fold(3, 1).sweep().award(2).collect()
    assert fold.breaches() == [("bet.invalid", "box3/bet")]
    call = dealt(table(blind_option="C")).bet(3, 2).fold(1, 2).sweep().award(3).collect()
    assert call.breaches() == [("bet.invalid", "box3/bet")]
    ante = table(ante=2).antes(2).deal().card("board", "Ah").check(1).bet(2, 4).fold(3, 1).back(2, 0)
    assert ante.award(2).collect().breaches() == [("bet.invalid", "box1/bet")]


def test_11_2_no_check_facing_a_bet() -> None:
    hand = limped(table()).card("board", BOARD[0]).bet(1, 4).check(2).bet(3, 4).bet(2, 4).sweep()
    assert finished(hand.check_around(*BOARD[1:])).breaches() == [("bet.invalid", "box2/bet")]


def test_12_4_b_no_bet_after_the_betting_round() -> None:
    hand = limped(table()).card("board", BOARD[0]).check(1, 2, 3).bet(2, 4).sweep().check_around(*BOARD[1:])
    assert finished(hand).breaches() == [("bet.late", "box2/bet")]


def test_12_4_a_the_last_player_wins() -> None:
    assert dealt(table()).fold(3, 1).back(2, 1).sweep().award(1).collect().breaches() == [("pot.winner", "pot")]


def test_13_2_the_odd_chip_goes_left_of_the_button() -> None:
    def shared(**shares: Any) -> list[tuple[str, str | None]]:
        hand = dealt(table()).bet(3, 2).fold(1).check(2).sweep().check_around("Kh", "Qh", "2d", "3c")
        return hand.show(2, "Js Ts 4c 4h 5s").show(3, "Jc Tc 6c 6h 7s").award(**shares).collect().breaches()

    assert shared(box2=3, box3=2) == []
    assert shared(box2=2, box3=3) == [("pot.odd_chip", "pot")]
    assert shared(box2=4, box3=1) == [("pot.split", "pot")]


def test_14_1_and_14_2_tapping_out() -> None:
    hand = table().chips("box1/stack", 10, None)
    dealt(hand).bet(3, 40).bet(1, 10).bet(2, 40).sweep(("pot2", 60))
    for card in BOARD:
        hand.card("board", card).check(2, 3)
    for box, cards in CARDS.items():
        hand.show(box, cards)
    assert hand.award(1).award(2, "pot2").collect().breaches() == []


def test_14_5_no_raise_on_an_all_in_that_is_none() -> None:
    hand = dealt(table((1, 2, 3, 4)).chips("box1/stack", 8, None)).bet(3, 6).bet(4, 6).bet(1, 8).fold(2).bet(3, 20)
    hand.fold(4).back(3, 8).sweep()
    for card in BOARD:
        hand.card("board", card)
    assert hand.show(1, CARDS[1]).show(3, CARDS[3]).award(1).collect().breaches() == [("bet.invalid", "box3/bet")]


@pytest.mark.parametrize(
    ("scale", "bet", "due"), [("5", 9, 0), ("5", 10, 1), ("10", 4, 0), ("10", 5, 1), ("time", 50, 0)]
)
def test_15_2_and_15_3_commission(scale: str, bet: float, due: float) -> None:
    def taken(amount: float) -> list[tuple[str, str | None]]:
        hand = dealt(table(commission=scale)).bet(3, bet).fold(1).bet(2, bet).sweep().check_around(*BOARD)
        hand.show(2, CARDS[2]).show(3, CARDS[3])
        if amount:
            hand.drop(amount)
        return hand.award(2).collect().breaches()

    assert taken(due) == []
    assert taken(due + 1) == [("commission.over" if due else "commission.not_due", "pot")]


def test_15_2_b_c_and_d_exemptions() -> None:
    uncalled = limped(table(commission="10")).card("board", BOARD[0]).bet(1, 50).fold(2, 3).back(1, 0)
    assert uncalled.award(1).collect().breaches() == []
    forced = table(commission="10", blinds=[10, 20]).blinds(10, 20).deal().card("board", "Ah").fold(3, 1).back(2, 10)
    assert forced.sweep().drop(2).award(2).collect().breaches() == [("commission.not_due", "pot")]
    tied = dealt(table(commission="5")).bet(3, 40).bet(1, 40).bet(2, 40).sweep().check_around("Kh", "Qh", "2d", "3c")
    tied.show(1, "Jd Td 4c 4h 5s").show(2, "Js Ts 4s 4d 5c").show(3, "Jc Tc 6c 6h 7s").drop(6)
    assert tied.award(box1=38, box2=38, box3=38).collect().breaches() == [("commission.not_due", "pot")]


def test_16_8_and_17_9_cards_that_change_hands_or_are_lost() -> None:
    swapped = limped(table()).card("board", BOARD[0]).add("gone", at="box1", n=1, to="box2").check(1, 2, 3)
    found = swapped.breaches()
    assert ("deal.count", "box1") in found
    assert ("deal.count", "box2") in found
    lost = limped(table()).card("board", BOARD[0]).add("gone", at="box1", n=1, to="discard").check(1, 2, 3)
    lost.check_around(*BOARD[1:]).show(1, "Qh Ts 8s 8h").show(2, CARDS[2]).show(3, CARDS[3])
    assert sorted(lost.award(1).collect().breaches()) == [("deal.count", "box1"), ("pot.winner", "pot")]


def test_17_1_a_a_card_exposed_in_the_cut() -> None:
    hand = dealt(table().card("shoe", "2h")).fold(3, 1).sweep().award(2).collect()
    assert set(hand.breaches()) == {("deal.exposed", "shoe"), ("round.not_voided", None)}


def test_17_3_after_a_misdeal_the_button_stays() -> None:
    def again(button: int) -> list[tuple[str, str | None]]:
        hand = table().blinds().deal().add("call", what="misdeal", by="dealer").back(1, 0).back(2, 0).collect()
        seats = dealt(hand.next_round(button)).seats
        return hand.fold(seats[2], seats[0]).sweep().award(seats[1]).collect().breaches()

    assert again(3) == []
    assert again(1) == [("button.move", None)]


def test_17_4_and_17_11_who_comes_in_posts() -> None:
    def back(posts: float) -> list[tuple[str, str | None]]:
        hand = dealt(table((1, 2, 3, 4, 5))).fold(3, 4, 5, 1).sweep().award(2).collect()
        dealt(hand.next_round(1, (1, 3, 4, 5))).fold(5, 1, 3).sweep().award(4).collect()
        hand.next_round(3, (1, 2, 3, 4, 5)).blinds()
        if posts:
            hand.bet(2, posts)
        return hand.deal().breaches()

    assert back(0) == [("blind.missing", "box2")]
    assert back(2) == []
    new = dealt(table((1, 3, 4, 5))).fold(4, 5, 1).sweep().award(3).collect()
    dealt(new.next_round(1)).fold(5, 1, 3).sweep().award(4).collect()
    dealt(new.next_round(3)).fold(1, 3, 4).sweep().award(5).collect()
    new.chips("box2/stack", 200, "player").next_round(4, (1, 2, 3, 4, 5)).blinds()
    assert new.deal().breaches() == [("blind.missing", "box2")]


def test_17_7_and_17_8_short_raise_and_short_call() -> None:
    raised = dealt(table()).bet(3, 6).bet(1, 8).fold(2).bet(3, 8).sweep().check_around(*BOARD)
    assert finished(raised).breaches() == [("bet.amount", "box1/bet")]
    kept = dealt(table()).bet(3, 6).bet(1, 4).fold(1).fold(2).back(3, 4).sweep().award(3).collect()
    assert kept.breaches() == [("bet.amount", "box1/bet")]


def test_20_14_no_chips_come_or_go_in_a_tournament() -> None:
    hand = dealt(table(tournament=True)).fold(3, 1).sweep().award(2).collect().chips("box3/stack", 250, "player")
    assert dealt(hand.next_round(1)).fold(1, 2).sweep().award(3).collect().breaches() == [("bet.moved", "box3/stack")]


def test_2_1_and_2_3_the_same_card_twice_and_a_joker_too_many() -> None:
    hand = limped(table()).check_around("9h", "Jd", "4d", "As")
    assert ("card.duplicate", "box2") in finished(hand).breaches()
    joker = limped(table()).check_around(*BOARD).show(1, "Jkr Ts 8s 8h 2c").show(2, CARDS[2]).award(2).collect()
    assert ("card.foreign", "box1") in joker.breaches()


def test_3_7_the_joker_is_wild() -> None:
    hand = limped(table(joker=True)).check_around("9h", "9d", "4d", "7s").show(1, "Jkr 9s 8s 8h 2c").show(2, CARDS[2])
    assert hand.show(3, CARDS[3]).award(1).collect().breaches() == []


@pytest.mark.parametrize(("deck", "low"), [(48, "2c"), (44, "3c"), (40, "4c"), (36, "5c"), (32, "6c")])
def test_2_2_b_to_f_the_lowest_card_of_each_deck(deck: int, low: str) -> None:
    hand = dealt(table(deck=deck)).bet(3, 2).fold(1).check(2).sweep().check_around(low, "Jd", "9d", "7s")
    hand.show(2, "8d Ts 8c As 7d").show(3, "Qd Qc Kh Jc Kc").award(3).collect()
    assert [each for each in hand.breaches() if each[0] == "card.foreign"] == [("card.foreign", "board")]


def test_5_2_the_smallest_bet_and_multiples() -> None:
    def opened(to: float, **house: Any) -> list[tuple[str, str | None]]:
        hand = limped(table(**house)).card("board", BOARD[0]).bet(1, to).fold(2, 3).back(1, 0)
        return hand.award(1).collect().breaches()

    assert opened(4, min=5) == opened(51, max=50) == [("bet.limit", "box1/bet")]
    assert opened(7, multiple=5) == [("bet.multiple", "box1/bet")]


def test_13_3_a_pot_is_not_divided_by_agreement() -> None:
    hand = limped(table()).check_around(*BOARD)
    for box, cards in CARDS.items():
        hand.show(box, cards)
    assert hand.award(box1=3, box2=3).collect().breaches() == [("pot.winner", "pot")]


def test_17_2_found_after_the_first_betting_round_it_is_no_misdeal() -> None:
    hand = table().blinds().deal().card("box3").card("board", "Ah").bet(3, 2).bet(1, 2).check(2).sweep()
    hand.card("board", BOARD[0]).check(1, 2).fold(3).check_around(*BOARD[1:])
    assert finished(hand).breaches() == [("deal.extra", "box3")]


def test_17_10_discarded_cards_are_out() -> None:
    hand = limped(table()).check_around(*BOARD).show(2, CARDS[2]).show(3, CARDS[3])
    assert ("pot.winner", "pot") in hand.add("gone", at="box1", to="discard").award(1).collect().breaches()


def test_17_17_a_bet_put_forward_in_two_movements_after_a_card_shown_too_early() -> None:
    hand = dealt(table()).bet(3, 2).card("board", BOARD[0]).bet(1, 2).bet(2, 4).bet(3, 3).bet(3, 4).bet(1, 4).sweep()
    hand.check(1, 2, 3).check_around(*BOARD[1:])
    assert finished(hand).breaches() == [("deal.exposed", "board"), ("bet.limit", "box2/bet")]


# ---- further rounds written from the text alone ----


def test_4_2_c_and_10_1_one_blind_or_three() -> None:
    one = table(blinds=[2]).blinds(2).deal().card("board", "Ah").bet(2, 2).bet(3, 2).check(1).sweep()
    assert finished(one.check_around(*BOARD)).breaches() == []

    def three() -> Hand:
        hand = table((1, 2, 3, 4, 5), blinds=[1, 2, 4]).blinds(1, 2, 4).deal().card("board", "Ah")
        return hand.bet(4, 4).bet(5, 4).bet(1, 4).bet(2, 4)

    raised = three().bet(3, 8).fold(4, 5, 1).bet(2, 8).sweep().check_around(*BOARD)
    assert finished(raised, 2).breaches() == []  # the last blind raises, since nobody has
    assert three().check(3).bet(2, 8).breaches() == [("bet.late", "box2/bet")]
    missing = table((1, 2, 3, 4), blinds=[1, 2, 4]).blinds(1, 2).deal().card("board", "Ah").fold(4, 1, 2)
    assert missing.breaches() == [("blind.missing", "box3")]


def test_13_2_a_low_half_that_two_share() -> None:
    def shared(**shares: Any) -> list[tuple[str, str | None]]:
        hand = limped(table(win="split")).check_around("7s", "2c", "8d", "Ks")
        hand.show(1, "3c 5c 9c 9d Tc").show(2, "Kd Kc 8c 8h 9h").show(3, "3d 5d Js Jh Qc")
        return hand.award(**shares).collect().breaches()

    assert shared(box1=2, box2=3, box3=1) == []
    assert shared(box1=1, box2=3, box3=2) == [("pot.odd_chip", "pot")]
    assert shared(box2=6) == shared(box1=3, box2=3) == [("pot.split", "pot")]


def test_3_4_e_and_3_5_a_what_the_deck_and_the_house_change() -> None:
    def flush_or_full_house(deck: int, winner: int) -> list[tuple[str, str | None]]:
        hand = limped(table(deck=deck)).check_around("Kh", "Kd", "9h", "7h")
        hand.show(1, "Th 8h 5c 5s 6c").show(2, "Ks 9c 6s 5d Tc").show(3, "Qc Qd Jc Js 8c")
        return hand.award(winner).collect().breaches()

    def wheel(winner: int, **house: Any) -> list[tuple[str, str | None]]:
        hand = limped(table(**house)).check_around("2d", "3c", "9s", "9d")
        hand.show(1, "4c 5h Kd Qs 6s").show(2, "As Qd Jc Th 8c").show(3, "Kc Qh Js Tc 7c")
        return hand.award(winner).collect().breaches()

    wrong = [("pot.winner", "pot")]
    assert flush_or_full_house(40, 1) == flush_or_full_house(52, 2) == []
    assert flush_or_full_house(40, 2) == flush_or_full_house(52, 1) == wrong
    assert wheel(1) == wheel(2, ace_low=False) == []
    assert wheel(1, ace_low=False) == wrong


def test_15_2_c_and_d_commission_where_a_third_has_contributed_and_on_antes_alone() -> None:
    def tied(commission: float, **shares: Any) -> Hand:
        hand = dealt(table(commission="5")).bet(3, 20).bet(1, 20).bet(2, 20).sweep().card("board", "Kh")
        hand.check(1, 2).fold(3).check_around("Qh", "2d", "3c").show(1, "Js Ts 4c 4h 5s").show(2, "Jc Tc 6c 6h 7s")
        return (hand.drop(commission) if commission else hand).award(**shares).collect()

    assert tied(3, box1=29, box2=28).breaches() == []
    assert tied(0, box1=30, box2=30).breaches() == [("commission.short", "pot")]
    antes = table(ante=5, commission="10").antes(5).deal().card("board", "Ah").bet(1, 10).fold(2, 3).back(1, 0)
    assert antes.award(1).collect().breaches() == []
    assert antes.pots() == [{"at": "pot", "amount": 15, "commission": 0, "winners": {"box1": 15}, "rule": "10.4(a)"}]


def test_17_9_where_no_hand_is_right_the_last_to_fold_wins() -> None:
    def played(winner: int) -> list[tuple[str, str | None]]:
        hand = limped(table()).check_around(BOARD[0]).card("board", BOARD[1])
        for box in (1, 2):
            hand.add("gone", at=f"box{box}", n=1, to="discard").check(box)
        hand.check(3).check_around(BOARD[2]).card("board", BOARD[3]).check(1, 2).fold(3)
        return hand.show(1, "Qh Ts 8s 8h").show(2, "8d 6s 8c As").award(winner).collect().breaches()

    fouled = [("deal.count", "box1"), ("deal.count", "box2")]
    assert played(3) == fouled
    assert sorted(played(1)) == [*fouled, ("pot.winner", "pot")]


def test_14_2_three_stakes_three_pots() -> None:
    hand = table((1, 2, 3, 4)).chips("box1/stack", 10, None).chips("box2/stack", 30, None)
    dealt(hand).bet(3, 60).bet(4, 60).bet(1, 10).bet(2, 30).sweep(("pot2", 60), ("pot3", 60))
    for card in BOARD:
        hand.card("board", card).check(3, 4)
    for box, cards in {**CARDS, 4: "Kd Kc 9c 5s 2h"}.items():
        hand.show(box, cards)
    assert hand.award(1).award(2, "pot2").award(4, "pot3").collect().breaches() == []


def test_4_2_g_fixed_limits_change_with_the_third_betting_round() -> None:
    def played(bet: float) -> list[tuple[str, str | None]]:
        hand = limped(table(limit="fixed", fixed=[2, 4])).card("board", BOARD[0])
        hand.bet(1, 2).bet(2, 4).bet(3, 4).bet(1, 4).sweep().card("board", BOARD[1])
        return finished(hand.bet(1, bet).bet(2, bet).bet(3, bet).sweep().check_around(*BOARD[2:])).breaches()

    assert played(4) == []
    assert played(2) == played(8) == [("bet.limit", "box1/bet")]
