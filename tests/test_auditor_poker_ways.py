"""Ways to write the same poker round: chips in one pile, straight into the pot, stacks read by chance, rounds that
overlap."""

from typing import Any

import pytest

from poker_hands import Hand, is_stack, kept, limped, table

FLOP, TURN, RIVER = "Kc 9d 4s", "2h", "7c"
CARDS = {1: "Ks Kd", 2: "Qs Qd", 3: "Js Jd"}


def nobodys(hand: Hand) -> Hand:
    """The same hand, and not who moved which chips."""
    hand.events = [{name: value for name, value in event.items() if name != "by"} for event in hand.events]
    return hand


def won_by_two(hand: Hand) -> Hand:
    """Limped, then box2 bets the flop and is paid."""
    return limped(hand).board(FLOP).check(1).bet(2, 4).fold(3, 1).back(2, 0).award(2)


# ---- straight into the pot ----


@pytest.mark.parametrize("stack_first", [True, False])
def test_10_3_equal_bets_straight_into_the_pot_each_meet_their_own_stack(stack_first: bool) -> None:
    hand = limped(table()).board(FLOP).check(1, 2)
    for box, pot in ((3, 10), (1, 14)):
        told = [(f"box{box}/stack", 194), ("pot", pot)]
        for at, amount in told if stack_first else reversed(told):
            hand.chips(at, amount, "player")
    hand.fold(2).board(TURN).check(1, 3).board(RIVER).check(1, 3).show(1, CARDS[1]).show(3, CARDS[3]).award(1).collect()
    assert hand.breaches() == []
    assert hand.pots()[0]["amount"] == 14


def into_the_pot(hand: Hand, *amounts: float) -> Hand:
    """What stands in the pot, bet by bet; nobody tells whose chips they are."""
    for amount in amounts:
        hand.chips("pot", amount, None)
    return hand


@pytest.mark.parametrize("stacks", [True, False])
def test_8_5_a_chips_in_the_pot_that_nobody_is_told_to_have_put_there_accuse_nobody(stacks: bool) -> None:
    hand = into_the_pot(table(), 1, 3).deal()
    into_the_pot(hand, 23, 42, 60).board(FLOP).check(1, 2, 3).board(TURN).check(1, 2, 3).board(RIVER).check(1, 2, 3)
    hand.show(1, CARDS[1]).show(2, CARDS[2]).show(3, CARDS[3]).chips("pot", 0, None)
    hand = nobodys(hand.collect())
    assert (hand if stacks else kept(hand, lambda event: not is_stack(event))).breaches() == []
    hand.house["commission"] = "5"  # more than blinds is in
    assert [(pot["amount"], pot["commission"]) for pot in hand.pots()] == [(60, 3)]


# ---- stacks read by chance ----


def test_4_4_a_stack_read_lower_by_several_bets_was_not_reduced() -> None:
    def raised() -> Hand:
        hand = table().blinds().deal().bet(3, 6).bet(1, 6).bet(2, 20).bet(3, 20).bet(1, 20).sweep()
        return hand.check_around(FLOP, TURN, RIVER).show(2, CARDS[2]).show(1, CARDS[1]).show(3, CARDS[3])

    # Box1's stack is read once, after the second raise; who was paid is not read at all.
    hand = raised().award(1).collect()
    bets = [event["t"] for event in hand.events if event.get("at") == "box1/stack"]
    assert (
        kept(hand, lambda event: event.get("at") != "box1/stack" or event["t"] in (bets[0], bets[3])).breaches() == []
    )


def test_13_2_an_award_that_is_not_read_where_stacks_are_read_only_at_the_start() -> None:
    hand = won_by_two(table()).collect()
    first_card = next(event["t"] for event in hand.events if event["e"] == "card")
    assert kept(hand, lambda event: not is_stack(event) or event["t"] < first_card).breaches() == []
    assert hand.unsure() == [("pot.split", "pot")]
    unpaid = won_by_two(table()).collect()
    unpaid.events = [
        event for event in unpaid.events if event["t"] != max(e["t"] for e in unpaid.events if is_stack(e))
    ]
    assert unpaid.breaches() == [("pot.split", "pot")]  # every stack is read, and this one did not rise


@pytest.mark.parametrize(("by", "proved"), [(None, []), ("dealer", [("pot.winner", "pot")])])
def test_4_5_chips_that_come_to_a_loser_where_payments_are_unread_may_be_bought(by: str | None, proved: Any) -> None:
    hand = won_by_two(table()).collect()
    first_card = next(event["t"] for event in hand.events if event["e"] == "card")
    kept(hand, lambda event: not is_stack(event) or event["t"] < first_card)
    assert hand.chips("box3/stack", 300, by).breaches() == proved


@pytest.mark.parametrize(("added", "proved"), [(0, []), (50, [("bet.moved", "box2/stack")])])
def test_4_4_an_award_read_late_was_not_added_to_the_stake(added: float, proved: list[tuple[str, str]]) -> None:
    hand = won_by_two(table()).collect().next_round(1).blinds().deal().bet(1, 2)
    sat_down = next(event["t"] for event in hand.events if event.get("at") == "box2/stack")
    kept(hand, lambda event: event.get("at") != "box2/stack" or event["t"] == sat_down)
    hand.standing["box2/stack"] += added
    hand.bet(2, 2).check(3).sweep().board(FLOP).check(2).bet(3, 4).fold(1, 2).back(3, 0).award(3).collect()
    assert hand.breaches() == proved


def test_14_1_who_won_unread_has_chips_to_bet_though_he_lost_all_that_was_read() -> None:
    hand = table("tas-holdem").blinds().deal().bet(3, 2).bet(1, 200).bet(2, 200).fold(3).sweep()
    for cards in (FLOP, TURN, RIVER):
        hand.board(cards)
    hand.show(1, CARDS[1]).show(2, CARDS[2]).award(1).collect().chips("box2/stack", 200, "player")
    hand.next_round(1).blinds().deal().bet(1, 2).bet(2, 2).check(3).sweep().board(FLOP).check(2, 3).bet(1, 4)
    hand.fold(2, 3).back(1, 0).award(1).collect()
    first_card = next(event["t"] for event in hand.events if event["e"] == "card")
    assert kept(hand, lambda event: event.get("at") != "box1/stack" or event["t"] < first_card).breaches() == []


def test_4_4_chips_that_come_to_a_stack_in_mid_play_though_nobody_is_told_to_bring_them() -> None:
    hand = Hand("tas-stud", min=2).antes(2).deal("Kd Qs 4h").bet(1, 2).bet(2, 2).bet(3, 2).sweep().up("5c 6d 7h")
    hand.chips("box3/stack", 250, "player").check(1, 2).bet(3, 4).fold(1, 2).back(3, 0).drop(2).award(3)
    assert nobodys(hand.collect()).breaches() == [("bet.moved", "box3/stack")]


@pytest.mark.parametrize("by", ["player", "dealer", None])
def test_4_5_a_stake_added_to_above_the_largest_whoever_hands_the_chips(by: str | None) -> None:
    hand = won_by_two(table(max_buy_in=200)).collect().chips("box3/stack", 201, by)
    hand.next_round(1).blinds().deal().fold(1, 2).back(3, 1).sweep().award(3).collect()
    assert hand.breaches() == [("bet.limit", "box3/stack")]


# ---- commission of pots kept in one pile ----


def in_one_pile(rulebook: str, taken: float, **house: Any) -> Hand:
    """Box1 taps out with 9; the others go to 20. All chips stay in one pot: 27 and 22."""
    hand = Hand(rulebook, **house)
    hand.events[0]["amount"] = hand.standing["box1/stack"] = 9
    hand.blinds().deal().bet(3, 9).bet(1, 9).bet(2, 20).bet(3, 20).sweep()
    for cards in (FLOP, TURN, RIVER):
        hand.board(cards).check(2, 3)
    hand.show(2, CARDS[2]).show(1, CARDS[1]).show(3, CARDS[3]).drop(taken)
    return hand


def test_17_2_pots_kept_in_one_pile_are_charged_each_and_dropped_together() -> None:
    # 10 % of 27 and of 22, each rounded down: 2 + 2.
    assert in_one_pile("tas-holdem", 4).award(box1=25, box2=20).collect().breaches() == []
    assert in_one_pile("tas-holdem", 3).award(box1=25, box2=21).collect().breaches() == [("commission.short", "pot")]


# ---- rounds that overlap ----


@pytest.mark.parametrize("stacks", [True, False])
def test_8_5_the_next_blinds_are_posted_while_the_pot_is_pushed(stacks: bool) -> None:
    hand = limped(table()).board(FLOP).check(1).bet(2, 4).fold(3, 1).back(2, 0).chips("pot", 0, "dealer")
    hand.bet(2, 1).chips("box2/stack", hand.amount("box2/stack") + 6, "dealer").bet(3, 2).collect()
    hand.next_round(1).deal().fold(1, 2).back(3, 1).sweep().award(3).collect()
    if not stacks:
        kept(hand, lambda event: not is_stack(event))
    assert hand.breaches() == []
    assert [[pot["amount"] for pot in round["pots"]] for round in hand.rounds()] == [[6], [2]]


def test_17_11_who_was_not_reached_by_a_misdeal_is_not_new() -> None:
    hand = table().blinds().card("box1").card("box2").add("call", what="misdeal", by="dealer").collect()
    hand.add("shuffle", by="dealer").add("cut", by="dealer").deal().fold(3, 1).back(2, 1).sweep().award(2).collect()
    assert kept(hand, lambda event: not is_stack(event)).breaches() == []


# ---- cards ----


def test_9_2_a_card_dealt_open_may_be_named_again_when_the_hand_is_shown() -> None:
    hand = table("act-faro").blinds()
    for box in (1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3, 1, 2, 3):
        hand.card(f"box{box}", "Ah" if box == 3 and len(hand.events) == 15 else "??")
    hand.board("Kc").bet(3, 2).bet(1, 2).check(2).sweep().check_around("9d", "4s", TURN, RIVER)
    hand.show(1, "Ks Kd 2c 3c 8c").show(2, "Qs Qd 5c 6c 8d").show(3, "Ah Js Jd 5h 6h").award(1).collect()
    assert hand.breaches() == [("deal.exposed", "box3"), ("round.not_voided", None)]


def test_17_1_c_the_second_communal_card_face_up_in_the_shoe_is_cited_by_its_own_clause() -> None:
    hand = (
        table("act-faro").blinds().deal().board("Kc").bet(3, 2).card("shoe", "9d", up=True).bet(1, 2).check(2).sweep()
    )
    hand.board("9d").check(1).bet(2, 4).fold(3, 1).back(2, 0).award(2).collect()
    found = hand.rounds()[0]["findings"]
    assert {(each["kind"], each["rule"]) for each in found} == {
        ("deal.exposed", "NI2005-67 17.1(c)"), ("round.not_voided", "NI2005-67 17.1(c)"),
    }  # fmt: skip


def test_9_4_burns_laid_with_the_discards_part_flop_and_turn_where_checks_are_only_spoken() -> None:
    hand = table("tas-holdem", burn=2).blinds().deal().bet(3, 2).bet(1, 2).sweep()
    for cards in (FLOP, TURN, RIVER):
        hand.card("discard").card("discard").board(cards, burn=0)
    hand.show(2, CARDS[2]).show(1, CARDS[1]).show(3, CARDS[3]).award(1).collect()
    assert hand.breaches() == []


# ---- nothing left to decide, nothing to call ----


@pytest.mark.parametrize("rulebook", ["act-holdem", "tas-holdem"])
def test_9_5_11_6_who_alone_has_chips_left_may_check_what_nobody_can_bet_against(rulebook: str) -> None:
    hand = table(rulebook).chips("box3/stack", 20, "player").blinds().deal().bet(3, 20).fold(1).bet(2, 20).sweep()
    for cards in (FLOP, TURN, RIVER):
        hand.board(cards).check(2)
    assert hand.show(3, CARDS[3]).show(2, CARDS[2]).award(2).collect().breaches() == []
    twice = limped(table(rulebook)).board(FLOP).check(1, 2, 3, 1)
    assert twice.board(TURN).breaches() == [("action.order", "box1")]  # his turn was over


@pytest.mark.parametrize(("method", "charge"), [("one", 3), ("two", 2.5)])
def test_10_3_17_2_blinds_that_all_others_fold_to_are_swept_and_won_whole(method: str, charge: float) -> None:
    house = {"blinds": [10, 20], "commission": method}
    hand = table("tas-holdem", **house).blinds(10, 20).deal().fold(3, 1).sweep().drop(charge).award(2).collect()
    assert hand.breaches() == []
    assert [(pot["amount"], pot["winners"]) for pot in hand.pots()] == [(30, {"box2": 30 - charge})]
    back = table("tas-holdem", **house | {"commission": "one"}).blinds(10, 20).deal().fold(3, 1).back(2, 10)
    assert back.sweep().award(2).collect().breaches() == []  # what nobody called went back: 20 pays nothing
    assert back.pots()[0]["amount"] == 20


# ---- a fault that is left standing is one fault ----


@pytest.mark.parametrize("rulebook", ["act-holdem", "tas-holdem"])
def test_17_8_19_14_who_called_short_and_then_calls_a_raise_has_called(rulebook: str) -> None:
    hand = limped(table(rulebook)).board(FLOP).bet(1, 10).bet(2, 5).bet(3, 30).bet(1, 30).bet(2, 30).sweep()
    hand.check_around(TURN, RIVER).show(3, CARDS[3]).show(1, CARDS[1]).show(2, CARDS[2]).award(1).collect()
    assert hand.breaches() == [("bet.amount", "box2/bet")]


@pytest.mark.parametrize("answer", [lambda hand: hand.check(2), lambda hand: hand.bet(2, 4)])
@pytest.mark.parametrize("by", ["player", "dealer"])
def test_11_2_17_8_what_a_check_or_a_short_call_let_stand_leaves_uncalled_may_go_back(answer: Any, by: str) -> None:
    hand = answer(limped(table()).board(FLOP).check(1, 2).fold(3).board(TURN).bet(1, 10))
    hand.chips("box1/bet", put := hand.amount("box2/bet"), by).chips("box1/stack", 198 - put, by).sweep()
    hand.check_around(RIVER).show(1, CARDS[1]).show(2, CARDS[2]).award(1).collect()
    assert [at for _, at in hand.breaches()] == ["box2/bet"]
    assert hand.pots()[0]["amount"] == 6 + 2 * put


def test_15_2_17_8_chips_over_a_short_call_are_won_and_charged_with_the_pot_they_were_swept_to() -> None:
    hand = limped(table(commission="10")).board(FLOP).bet(1, 20).bet(2, 6).fold(3).sweep().check_around(TURN, RIVER)
    hand.show(1, CARDS[1]).show(2, CARDS[2]).drop(3).award(1).collect()
    assert hand.breaches() == [("bet.amount", "box2/bet")]
    assert [(pot["amount"], pot["commission"]) for pot in hand.pots()] == [(32, 3)]


# ---- cards passed in without a word ----


@pytest.mark.parametrize("called", [True, False])
def test_def_fold_a_hand_seen_whole_that_leaves_while_the_play_goes_on_is_folded(called: bool) -> None:
    hand = Hand("tas-stud", min=2, commission="capped").antes(2).card("box1").card("box2").card("box3", "6h")
    hand.card("box1", "As").card("box2", "Qs").card("box3", "6d").bet(1, 3).bet(2, 3).fold(3).sweep()
    for cards in ("Kd Jd", "8h 7c", "4c 3h"):
        hand.up(cards).check(1, 2)
    hand.show(1, "9s").show(2, "Qd").award(2).collect()
    hand = hand if called else kept(hand, lambda event: event.get("what") != "fold")
    assert hand.breaches() == [("deal.exposed", "box3"), ("round.not_voided", None)]


@pytest.mark.parametrize("called", [True, False])
@pytest.mark.parametrize("rulebook", ["act-holdem", "tas-holdem"])
def test_def_fold_a_hand_that_leaves_between_two_betting_rounds_is_folded(rulebook: str, called: bool) -> None:
    hand = limped(table(rulebook)).fold(3).check_around(FLOP).board(TURN).bet(1, 10).fold(2).back(1, 0)
    hand = hand.award(1).collect() if called else kept(hand.award(1).collect(), lambda e: e.get("what") != "fold")
    assert hand.breaches() == []
    assert hand.pots()[0]["winners"] == {"box1": 6}


@pytest.mark.parametrize("by", ["player", "dealer"])
@pytest.mark.parametrize("others", [(3,), ()])
def test_17_7_the_excess_of_the_last_raise_comes_out_of_the_pot_it_was_put_straight_into(
    by: str, others: tuple[int, ...]
) -> None:
    hand = limped(table()).check_around(FLOP, TURN)
    hand = hand.board(RIVER) if others else hand.fold(3).board(RIVER)
    for box, put, pot in ((1, 10, 16), (2, 14, 30)):
        hand.chips("pot", pot, "player").chips(f"box{box}/stack", 198 - put, "player")
    hand.chips("pot", 26, by).chips("box2/stack", 188, by).fold(*others)
    hand.show(1, CARDS[1]).show(2, CARDS[2]).award(1).collect()
    assert hand.breaches() == []


def test_14_1_of_two_faults_of_one_kind_the_one_that_a_stake_explains_is_unsure() -> None:
    hand = table().blinds().deal().bet(3, 6).bet(1, 6).bet(2, 8).bet(3, 8).bet(1, 8).sweep().board(FLOP)
    hand.bet(1, 50).bet(2, 20).fold(3).sweep(("pot2", 30)).board(TURN).board(RIVER)
    hand.show(1, CARDS[1]).show(2, CARDS[2]).award(1).award(1, "pot2").collect()
    kept(hand, lambda event: not is_stack(event))
    assert hand.breaches() == hand.unsure() == [("bet.amount", "box2/bet")]
