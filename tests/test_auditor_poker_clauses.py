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


@pytest.mark.parametrize(("rulebook", "clause"), [(ACT, "14.2"), (TAS, "16.1")])
@pytest.mark.parametrize("pots_first", [True, False])
def test_a_side_pot_paid_to_a_player_who_tapped_out_below_it(rulebook: str, clause: str, pots_first: bool) -> None:
    hand = Hand(rulebook, stack=100, commission="none").chips("box1/stack", 40, "player").blinds().deal()
    hand.bet(3, 100).bet(1, 40).bet(2, 100).sweep(("pot2", 120)).board(FLOP).board(TURN).board(RIVER)
    hand.show(3, CARDS[3]).show(1, CARDS[1]).show(2, CARDS[2]).award(1).award(1, pot="pot2").collect()
    if not pots_first:  # the stack is read before the pot it was paid from
        paid = [n for n, event in enumerate(hand.events) if event.get("at") in ("pot", "pot2") and not event["amount"]]
        for n in paid:
            pot, stack = hand.events[n], hand.events[n + 1]
            hand.events[n : n + 2] = [stack | {"t": pot["t"]}, pot | {"t": stack["t"]}]
    assert (hand.breaches(), clauses(hand, "pot.winner")) == ([("pot.winner", "pot2")], [clause])


def test_12_5_who_opens_where_the_small_blind_has_folded() -> None:
    hand = Hand(TAS, (1, 2, 3, 4), commission="none").blinds().deal().bet(3, 2).bet(4, 2).fold(1).check(2).sweep()
    assert clauses(hand.board(FLOP).check(3, 4, 2).board(TURN), "action.order") == ["12.5"]
    hand = limped(table(TAS)).board(FLOP).check(2, 3, 1)
    assert clauses(hand.board(TURN), "action.order") == ["12.4"]


def test_20_19_blinds_and_turns_of_the_last_two_of_a_tournament() -> None:
    def two(first: int, second: int) -> Hand:
        return Hand(ACT, (1, 3), commission="none", tournament=True).bet(first, 1).bet(second, 2).deal()

    assert two(3, 1).bet(3, 2).check(1).sweep().breaches() == []
    assert clauses(two(1, 3), "bet.amount") == ["20.19", "20.19"]
    assert clauses(two(3, 1).check(1).bet(3, 2).sweep(), "action.order") == ["20.19"]


def test_11_1_b_and_10_2_a_who_folds_out_of_turn_does_not_open_the_betting() -> None:
    hand = Hand("tas-stud", min=2).antes(2).deal("As Qs 6h").fold(3).bet(1, 3).bet(2, 3).sweep()
    assert hand.breaches() == [("action.order", "box3")]
    hand = Hand("tas-stud", min=2).antes(2).deal("As Qs 6h").fold(1)
    assert (hand.breaches(), clauses(hand, "bet.invalid")) == ([("bet.invalid", "box1/bet")], ["11.1(b)"])
    hand = table(ACT, blind_option="A").blinds().deal().fold(1).bet(3, 2).check(2).sweep()
    assert hand.breaches() == [("action.order", "box1")]


def test_9_2_an_open_card_to_a_stud_player_who_has_folded_is_one_too_many() -> None:
    hand = Hand("tas-stud", min=2).antes(2).deal("As Qs 6h").bet(1, 3).bet(2, 3).fold(3).sweep().up("Kd Jd")
    hand.card("box3", "Jh").check(1, 2).up("8h 7c")
    assert (hand.breaches(), clauses(hand, "deal.extra")) == ([("deal.extra", "box3")], ["9.2"])


@pytest.mark.parametrize("by", ["dealer", None])
def test_17_20_a_hole_card_turned_in_the_deal_is_exposed_if_it_is_replaced(by: str | None) -> None:
    hand = table(ACT).blinds().card("box1").card("box2").add("turn", at="box2", card="8d", by=by).card("box3")
    hand.card("box1").card("box2").card("box3").card("box2").add("gone", at="box2", cards=["8d"], to="discard")
    hand.bet(3, 2).bet(1, 2).check(2).sweep().board(FLOP, burn=0).check(1, 2, 3)
    assert shown(hand, TURN, RIVER).breaches() == [("deal.exposed", "box2")]


@pytest.mark.parametrize("by", ["dealer", None])
def test_17_7_a_stud_hole_card_turned_before_the_second_comes_face_down(by: str | None) -> None:
    hand = Hand("tas-stud", min=2).antes(2).card("box1").card("box2").add("turn", at="box2", card="Kc", by=by)
    hand.card("box3").card("box1", "As").card("box2").card("box3", "6h").bet(1, 3).bet(2, 3).fold(3).sweep()
    assert (hand.breaches(), clauses(hand, "deal.exposed")) == ([("deal.exposed", "box2")], ["17.7"])


@pytest.mark.parametrize(("more", "found"), [(0, ["17.6"]), (1, []), (2, ["17.6"])])
def test_17_6_the_card_shown_is_counted_among_the_burnt_where_it_is_told_again(more: int, found: list[str]) -> None:
    hand = Hand("tas-stud", min=2).antes(2).deal("As Qs 6h").bet(1, 3).card("shoe", "Kd", up=True)
    hand.bet(2, 3).fold(3).sweep().card("burn", "Kd")
    for _ in range(more):
        hand.card("burn")
    assert clauses(hand.up("Qd Jd").check(1, 2).up("8h 7c"), "deal.burn") == found


def test_11_3_d_commission_of_one_size_dropped_after_each_of_two_pots_was_emptied() -> None:
    hand = Hand("tas-stud", stack=100, min=2).chips("box3/stack", 5, "player").antes(2).deal("As Qs 6h")
    hand.bet(1, 3).bet(2, 3).bet(3, 3).sweep().up("Kd Jd 9h").check(1, 2).up("8h 7c 5h").check(1, 2).up("4c 3h 2c")
    hand.bet(1, 2).bet(2, 2).sweep(("pot2", 4)).show(1, "9s").show(2, "2d").show(3, "Tc")
    for pot, amount, dropped in (("pot", 15, 2), ("pot2", 4, 4)):
        hand.chips(pot, amount - 2, "dealer").chips(pot, 0, "dealer").chips("drop", dropped, "dealer")
        hand.chips("box1/stack", hand.amount("box1/stack") + amount - 2, "dealer")
    assert hand.collect().breaches() == []


def test_17_4_a_hand_taken_back_to_the_shoe_was_dealt_to_nobody() -> None:
    hand = Hand("tas-stud", min=2).antes(2).card("box1").card("box2").card("box3").card("box4")
    hand.add("gone", at="box4", to="shoe").up("As Qs 6h").bet(1, 3).bet(2, 3).fold(3).sweep().up("Kd Jd")
    assert hand.breaches() == [("deal.no_wager", "box4")]
    hand.events = [event for event in hand.events if not str(event.get("at")).endswith("/stack")]
    assert hand.breaches() == [("deal.no_wager", "box4")]
