"""ACT Poker Faro (NI2005-67), where it differs from ACT Hold-em."""

from typing import Any

import pytest

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


def test_9_4_a_betting_round_after_each_communal_card() -> None:
    hand = limped(table()).check_around(*BOARD[:2]).card("board", BOARD[2]).card("board", BOARD[3]).check(1, 2, 3)
    assert finished(hand.check(1, 2, 3)).breaches() == [("deal.exposed", "board")]


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
