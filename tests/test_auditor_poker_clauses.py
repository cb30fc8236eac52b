"""Which clause a poker finding or pot is held to: the same fault has its own in the first betting round, with antes,
in a fixed-limit game, on another scale of commission."""

from typing import Any

import pytest

from playing import cited
from poker_hands import Hand, limped

FLOP, TURN, RIVER = "Kc 9d 4s", "2h", "7c"
CARDS = {1: "Ks Kd", 2: "Qs Qd", 3: "Js Jd"}
ACT, TAS = "act-holdem", "tas-holdem"


def table(rulebook: str, **house: Any) -> Hand:
    """A table of three without commission."""
    return Hand(rulebook, **({"commission": "none"} | house))


def shown(hand: Hand, *streets: str, first: int = 1) -> Hand:
    """Checked down and shown, box1 paid."""
    hand.check_around(*streets)
    for box in sorted(hand.in_hand, key=lambda box: (box != first, box)):
        hand.show(box, CARDS[box])
    return hand.award(1).collect()


def clauses(hand: Hand, kind: str) -> list[str]:
    """The clauses of the breaches of that kind."""
    return cited(hand.rounds(), kind)


@pytest.mark.parametrize(("rulebook", "first", "later"), [(ACT, "10.3", "12.3"), (TAS, "12.2", "14.3")])
def test_turns_in_the_first_and_in_later_betting_rounds(rulebook: str, first: str, later: str) -> None:
    hand = Hand(rulebook, (1, 2, 3, 4), commission="none").blinds().deal().bet(3, 2).bet(1, 2)
    assert clauses(hand.bet(4, 2).check(2).sweep(), "action.order") == [first]
    hand = limped(table(rulebook)).board(FLOP).check(1, 3, 2)
    assert clauses(hand.board(TURN), "action.order") == [later]


@pytest.mark.parametrize(("rulebook", "first", "later"), [(ACT, "10.4(a)", "12.4(a)"), (TAS, "12.3(a)", "14.4(a)")])
def test_a_pot_won_by_the_last_player_in_the_first_and_in_a_later_betting_round(
    rulebook: str, first: str, later: str
) -> None:
    hand = table(rulebook).blinds().deal().bet(3, 8).fold(1, 2).back(3, 2).sweep().award(3).collect()
    assert hand.pots()[0]["rule"] == first
    hand = limped(table(rulebook)).board(FLOP).bet(1, 8).fold(2, 3).back(1, 0).award(1).collect()
    assert hand.pots()[0]["rule"] == later


@pytest.mark.parametrize(("rulebook", "blinds", "antes"), [(ACT, "5.2", "6.1"), (TAS, "7.4", "8.1")])
def test_an_opening_bet_under_the_minimum_with_blinds_and_with_antes(rulebook: str, blinds: str, antes: str) -> None:
    hand = limped(table(rulebook, min=5)).board(FLOP).bet(1, 3).bet(2, 3).bet(3, 3).sweep()
    assert clauses(hand, "bet.limit") == [blinds]
    hand = table(rulebook, ante=2, min=5).antes(2).deal().bet(1, 3).bet(2, 3).bet(3, 3).sweep()
    assert clauses(hand, "bet.limit") == [antes]


@pytest.mark.parametrize(("house", "clause"), [({}, "16.3"), ({"limit": "fixed", "fixed": [4, 8]}, "16.2")])
def test_a_raise_on_an_all_in_under_a_raise_in_both_kinds_of_game(house: dict[str, Any], clause: str) -> None:
    hand = table(TAS, **house).chips("box2/stack", 8, None)
    hand.blinds().deal().bet(3, 2).bet(1, 2).check(2).sweep().board(FLOP).bet(1, 4).bet(2, 6).bet(3, 6).bet(1, 10)
    assert clauses(hand.bet(3, 10).sweep(), "bet.invalid") == [clause]


def test_a_hole_card_dealt_face_up_with_and_without_burn_cards() -> None:
    def exposed(rulebook: str, **house: Any) -> Hand:
        hand = table(rulebook, **house).blinds()
        for place, card in ((1, "??"), (2, "Qs"), (3, "??"), (1, "??"), (2, "??"), (3, "??")):
            hand.card(f"box{place}", card)
        return hand

    assert clauses(exposed(ACT), "deal.exposed") == ["17.20"]
    assert clauses(exposed(ACT, burn=False), "deal.exposed") == ["17.21"]
    for rulebook, clause in ((ACT, "17.20"), (TAS, "19.4")):
        hand = exposed(rulebook).add("gone", at="box2", cards=["Qs"], to="discard").card("box2")
        hand.bet(3, 2).bet(1, 2).check(2).sweep().board(FLOP)
        assert clauses(hand, "deal.burn") == [clause]  # the flop's burn card took its place


def test_communal_cards_of_a_wrong_number_street_by_street() -> None:
    hand = limped(table(TAS)).board("Kc 9d").check(1, 2, 3).board("2h 3h").check(1, 2, 3).board("7c 8c").check(1, 2, 3)
    for box in (2, 1, 3):
        hand.show(box, CARDS[box])
    assert clauses(hand.award(1).collect(), "deal.count") == ["11.5", "11.7", "11.8"]


@pytest.mark.parametrize(
    ("rulebook", "house", "clause"),
    [
        (ACT, {"commission": "5"}, "15.2(a)(i)"),
        (ACT, {"commission": "10"}, "15.2(a)(ii)"),
        (TAS, {"commission": "one"}, "17.2(a)"),
        (TAS, {"commission": "two"}, "17.2(b)"),
        ("tas-stud", {"commission": "normal", "min": 20}, "15.1"),
        ("tas-stud", {"commission": "capped", "min": 20}, "15.2"),
    ],
)
def test_commission_by_the_scale_in_force(rulebook: str, house: dict[str, Any], clause: str) -> None:
    hand = table(rulebook, **house)
    if rulebook == "tas-stud":
        hand.antes(20).deal("As Qs 6h").bet(1, 20).bet(2, 20).fold(3).sweep().up("Kd Jd").bet(1, 20).fold(2).back(1, 0)
    else:
        hand.blinds().deal().bet(3, 30).bet(1, 30).bet(2, 30).sweep().board(FLOP).bet(1, 30).fold(2, 3).back(1, 0)
    assert clauses(hand.award(1).collect(), "commission.short") == [clause]


def test_15_2_c_15_2_d_commission_where_none_is_due() -> None:
    blinds_only = table(ACT, commission="10", blinds=[10, 20]).blinds(10, 20).deal().fold(3, 1).back(2, 10).sweep()
    assert clauses(blinds_only.drop(2).award(2).collect(), "commission.not_due") == ["15.2(d)"]
    tied = table(ACT, commission="10").blinds().deal().bet(3, 20).bet(1, 20).bet(2, 20).sweep()
    tied.check_around("Ac Kc Qc", "Jc", "Tc")
    for box in (1, 2, 3):
        tied.show(box, {1: "2d 3d", 2: "4d 5d", 3: "6d 7d"}[box])
    assert clauses(tied.drop(6).award(box1=18, box2=18, box3=18).collect(), "commission.not_due") == ["15.2(c)"]


def test_4_2_i_4_3_4_5_stakes_at_the_start_and_later() -> None:
    assert clauses(limped(table(ACT, table_stake=300)), "bet.limit") == ["4.3"] * 3
    assert clauses(limped(table(ACT, max_buy_in=100)), "bet.limit") == ["4.2(i)"] * 3
    hand = shown(limped(table(ACT, max_buy_in=250)), FLOP, TURN, RIVER)
    assert clauses(hand.chips("box2/stack", 260, "player").next_round(1).blinds().deal(), "bet.limit") == ["4.5"]


@pytest.mark.parametrize(("rulebook", "clause"), [(ACT, "17.8"), (TAS, "19.14")])
def test_whoever_shows_a_hand_in_the_end_has_called(rulebook: str, clause: str) -> None:
    def river(*calls: int) -> Hand:
        hand = limped(table(rulebook)).check_around(FLOP, TURN).board(RIVER).bet(1, 10)
        for box in calls:
            hand.bet(box, 10)
        return shown(hand.sweep())

    assert river(2, 3).breaches() == []
    assert clauses(river(2), "bet.amount") == [clause]


def test_4_2_g_a_limit_is_told_as_the_bet_it_allows() -> None:
    hand = table(ACT, limit="pot").blinds().deal().bet(3, 8).bet(1, 8).bet(2, 8).sweep()
    (found,) = hand.rounds()[0]["findings"]
    assert (found["kind"], found["expected"], found["observed"]) == ("bet.limit", 7, 8)  # 2 to call, 5 in the pot then


def test_17_17_17_18_a_faro_card_too_early_once_and_before_anybody_bet() -> None:
    def second_card() -> Hand:
        hand = Hand("act-faro", commission="none", min=2).blinds().deal().card("board", "Kc")
        return hand.bet(3, 2).bet(1, 2).check(2).sweep().card("board", "9d")

    assert clauses(second_card().bet(1, 4).card("board", "4s"), "deal.exposed") == ["17.17"]
    assert clauses(second_card().card("board", "4s").check(1, 2, 3), "deal.exposed") == ["17.18"]
