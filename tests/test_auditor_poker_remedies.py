"""Poker rounds in which something goes wrong once and is put right, or is written in yet another way."""

import pytest

from poker_hands import Hand, is_stack, kept, limped, table

STREETS = ("2c 7d 9h", "Js", "4s")
HANDS = {1: "As Ad", 2: "Ks Kd", 3: "Qs Qd", 4: "Ts Td"}


def shown(hand: Hand, *boxes: int) -> Hand:
    """Those players show, in that order, and the lowest box, which has the best hand, is paid."""
    for box in boxes:
        hand.show(box, HANDS[box])
    return hand.award(min(boxes)).collect()


def with_stacks(hand: Hand, **stacks: float) -> Hand:
    """The same table with other stacks at the start."""
    for place, amount in stacks.items():
        hand.standing[f"{place}/stack"] = amount
        for event in hand.events:
            if event.get("at") == f"{place}/stack":
                event["amount"] = amount
    return hand


# ---- betting --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [3, 1])
def test_15_1_an_all_in_under_a_raise_leaves_open_who_acted_aggressively_last(first: int) -> None:
    hand = with_stacks(Hand("tas-holdem", (1, 2, 3, 4), commission="none"), box1=30)
    hand.blinds().deal().bet(3, 20).fold(4).bet(1, 30).bet(2, 30).bet(3, 30).sweep()
    for cards in STREETS:
        hand.board(cards).check(2, 3)
    others = [box for box in (1, 2, 3) if box != first]
    assert shown(hand, first, *others).breaches() == []


def test_15_1_who_only_called_an_all_in_under_a_raise_does_not_show_first() -> None:
    hand = with_stacks(Hand("tas-holdem", (1, 2, 3, 4), commission="none"), box1=30)
    hand.blinds().deal().bet(3, 20).fold(4).bet(1, 30).bet(2, 30).bet(3, 30).sweep()
    for cards in STREETS:
        hand.board(cards).check(2, 3)
    assert shown(hand, 2, 1, 3).breaches() == [("show.order", "box2")]


def test_12_4_b_a_late_bet_left_standing_is_no_part_of_the_award() -> None:
    hand = limped(table()).board(STREETS[0]).check(1, 2, 3).bet(1, 5)
    hand.check_around(*STREETS[1:])
    assert shown(hand, 1, 2, 3).breaches() == [("bet.late", "box1/bet")]


@pytest.mark.parametrize("rulebook", ["act-holdem", "tas-holdem"])
def test_12_3_who_has_folded_and_bets_again_acts_out_of_turn_and_nobody_need_call(rulebook: str) -> None:
    hand = table(rulebook).blinds().deal().bet(3, 2).fold(1).check(2).sweep().board(STREETS[0]).bet(1, 5).check(2, 3)
    hand.in_hand = [2, 3]
    hand.check_around(*STREETS[1:])
    assert shown(hand, 2, 3).breaches() == [("action.order", "box1")]


@pytest.mark.parametrize("rulebook", ["act-holdem", "tas-holdem"])
def test_17_8_19_14_what_is_missing_of_a_call_may_come_after_the_next_player_has_acted(rulebook: str) -> None:
    hand = table(rulebook).blinds().deal().bet(3, 10).bet(1, 8).fold(2).bet(1, 10).sweep()
    hand.check_around(*STREETS)
    assert shown(hand, 3, 1).breaches() == []
    assert hand.pots()[0]["amount"] == 22


def test_9_2_stud_cards_dealt_into_the_betting_are_the_next_rounds_once_it_is_over() -> None:
    stud = Hand("tas-stud", stack=1000, min=5).antes(5).deal("As Qs 6h")
    stud.bet(1, 5).bet(2, 5).up("Kd Jd 5c").bet(3, 5).sweep().check(1, 2, 3)
    stud.up("8h 7c 4c").check(1, 2, 3).up("4d 3h 2d").bet(1, 5).bet(2, 5).bet(3, 5).sweep()
    stud.show(1, "9s").show(2, "2h").show(3, "9d").drop(2).award(1).collect()
    assert stud.breaches() == [("deal.exposed", "box1")]


# ---- pots -----------------------------------------------------------------------------------------------------


def test_15_2_commission_above_the_main_pot_comes_out_of_the_next() -> None:
    hand = with_stacks(Hand("act-holdem", (1, 2, 3), stack=1000, commission="10"), box1=10)
    hand.blinds().deal().bet(3, 1000).bet(1, 10).bet(2, 1000).sweep(("pot2", 1980))
    for cards in STREETS:
        hand.board(cards)
    hand.show(3, HANDS[3]).show(1, HANDS[1]).show(2, HANDS[2]).chips("drop", 201, "dealer").chips("pot", 0, "dealer")
    hand.chips("pot2", 0, "dealer").chips("box2/stack", 1809, "dealer").collect()
    assert hand.breaches() == []
    assert [pot["winners"].get("box2", 0) for pot in hand.pots()] == [0, 1809]


def test_16_1_a_tapped_out_player_who_gives_up_at_the_showdown_parts_pots_kept_in_one_pile() -> None:
    hand = with_stacks(Hand("tas-holdem", (1, 2, 3), stack=400), box1=100)
    hand.blinds().deal().bet(3, 400).bet(1, 100).bet(2, 400).sweep()
    for cards in STREETS:
        hand.board(cards)
    hand.show(3, HANDS[3]).show(2, HANDS[2]).add("gone", at="box1", to="discard").drop(30).award(2).collect()
    assert hand.breaches() == []
    assert [(pot["amount"], pot["commission"]) for pot in hand.pots()] == [(300, 15), (600, 15)]


# ---- ways of writing ------------------------------------------------------------------------------------------


def test_13_1_bets_swept_after_the_pot_is_told_did_not_go_back_where_no_stack_is_read() -> None:
    stud = Hand("tas-stud", min=5)
    for amount, cards in ((5, ""), (15, "As Qs 6h"), (10, "Kd Jd 5c"), (5, "8h 7c 4c"), (5, "4d 3h 2d")):
        stud.deal(cards) if stud.amount("pot") == 15 else cards and stud.up(cards)
        for box in (1, 2, 3):
            stud.bet(box, amount)
        stud.chips("pot", stud.amount("pot") + 3 * amount, "dealer")
        for box in (1, 2, 3):
            stud.chips(f"box{box}/bet", 0, "dealer")
    stud.show(1, "9s").show(2, "2h").show(3, "9d").drop(6).chips("pot", 0, "dealer").collect()
    hand = kept(stud, lambda event: not is_stack(event))
    assert hand.pots()[0]["amount"] == 120
    assert ("commission.over", "pot") not in hand.breaches()


def two_rounds(first: Hand, keep_stack: float) -> Hand:
    """A round won without cards being collected, then another; stacks are read up to that time only."""
    first.next_round(1).blinds().deal().bet(1, 2).bet(2, 2).check(3).sweep().check_around(*STREETS)
    shown(first, 1, 2, 3)
    return kept(first, lambda event: not is_stack(event) or event["t"] < keep_stack)


def test_def_round_of_play_it_ends_with_the_pot_though_stacks_are_read_only_at_the_start() -> None:
    hand = limped(table()).check_around(*STREETS)
    for box in (1, 2, 3):
        hand.show(box, HANDS[box])
    hand.award(1)
    assert [round["status"] for round in two_rounds(hand, 4).rounds()] == ["complete", "complete"]
    assert hand.breaches() == []


def test_def_round_of_play_it_ends_where_all_fold_to_the_only_blind_and_it_goes_back() -> None:
    hand = Hand("act-faro", (1, 2), commission="none", blinds=[2], stack=200).blinds(2).deal().board("2c").fold(2)
    hand.back(1, 0)
    hand.next_round(1).blinds(2).deal().board("3c").fold(1).back(2, 0).collect()
    assert len(hand.rounds()) == 2
    assert hand.breaches() == []


# ---- from round to round --------------------------------------------------------------------------------------


@pytest.mark.parametrize("button", [2, 3])
def test_19_9_after_a_round_without_small_blind_the_button_may_come_to_the_seat_that_was_left(button: int) -> None:
    hand = Hand("tas-holdem", (1, 2, 3, 4, 5), commission="none")
    hand.blinds().deal().fold(3, 4, 5).bet(1, 2).bet(2, 4).fold(1).back(2, 2).sweep().award(2).collect()
    hand.chips("box2/stack", 0, "player").next_round(1, (1, 3, 4, 5)).bet(3, 2).deal().fold(4, 5).bet(1, 4).fold(3)
    hand.back(1, 2).sweep().award(1).collect()
    hand.next_round(button, (1, 3, 4, 5)).blinds().deal()
    hand.fold(*hand.seats[2:]).bet(hand.seats[0], 2).bet(hand.seats[1], 4).fold(hand.seats[0])
    last = hand.seats[1]
    assert hand.back(last, 2).sweep().award(last).collect().breaches() == []


def test_12_1_blinds_that_come_after_the_first_card_are_called_like_blinds_in_time() -> None:
    hand = table("tas-holdem").card("box1").bet(1, 1).bet(2, 2)
    for box in (2, 3, 1, 2, 3):
        hand.card(f"box{box}")
    hand.bet(3, 2).bet(1, 2).check(2).sweep().check_around(*STREETS)
    assert shown(hand, 2, 1, 3).breaches() == [("blind.missing", "box1"), ("blind.missing", "box2")]


def test_4_3_stacks_that_nobody_is_told_to_bring_may_have_stood_there_before_the_log_began() -> None:
    hand = limped(table(table_stake=300))
    for event in hand.events:
        event.pop("by", None)
    assert hand.breaches() == []
    assert hand.unsure() == [("bet.limit", f"box{box}/stack") for box in (1, 2, 3)]


def test_13_1_who_was_called_and_passes_his_cards_in_has_not_shown_and_the_caller_may_show() -> None:
    hand = limped(table()).check_around(*STREETS[:2]).board(STREETS[2]).bet(1, 10).bet(2, 10).fold(3).sweep()
    hand.add("gone", at="box1", to="discard").show(2, HANDS[2]).award(2).collect()
    assert hand.breaches() == [("show.order", "box1")]


# ---- gaps and logs cut short ----------------------------------------------------------------------------------


def test_4_4_chips_that_leave_a_stake_just_before_a_gap_may_have_gone_into_a_bet() -> None:
    hand = table().blinds().deal().bet(3, 2)
    hand.chips("box1/stack", 150, "player").add("feed", state="lost").add("feed", state="back")
    assert ("bet.moved", "box1/stack") not in hand.check(2).board(STREETS[0]).check(1, 2, 3).breaches()


def test_4_4_a_log_that_tells_of_stakes_before_bets_and_ends_between_the_two_accuses_nobody() -> None:
    hand = table()
    for box, amount in ((1, 1), (2, 2)):
        hand.chips(f"box{box}/stack", 200 - amount, "player").chips(f"box{box}/bet", amount, "player")
    assert hand.deal().chips("box3/stack", 150, "player").breaches() == []


def test_13_2_hands_and_gaps_between_a_stack_and_its_bet_leave_them_one_movement() -> None:
    hand = limped(table()).check_around(*STREETS)
    events = []
    for event in shown(hand, 1, 2, 3).events:
        hand_there = {"t": event["t"], "e": "hand", "by": "player", "at": "box1"}
        comes, goes = hand_there | {"in": True}, hand_there | {"in": False}
        events += [comes, event, goes] if event["e"] == "chips" else [event]
    hand.events = events
    assert (hand.breaches(), hand.unsure()) == ([], [])
    assert hand.pots()[0]["winners"] == {"box1": 6}


def test_9_2_a_log_that_ends_with_the_first_card_and_shows_no_button_accuses_nobody() -> None:
    hand = limped(table()).check_around(*STREETS)
    shown(hand, 1, 2, 3).next_round(1).bet(2, 1).bet(3, 2).card("box2")
    assert kept(hand, lambda event: event["e"] != "button").breaches() == []


def test_10_3_a_stack_first_read_while_there_is_betting_is_no_award() -> None:
    hand = Hand("tas-holdem", (1, 2, 3), commission="none", stack=20).blinds().deal().bet(3, 8).bet(1, 8).bet(2, 8)
    shown(hand.sweep().check_around(*STREETS), 3, 1, 2)
    for event in hand.events:
        event.pop("by", None)
    assert kept(hand, lambda event: not (is_stack(event) and event["t"] < 4)).breaches() == []


@pytest.mark.parametrize("rulebook", ["act-holdem", "tas-holdem"])
def test_17_7_19_13_a_short_raise_whose_excess_goes_back_after_others_acted_is_put_right(rulebook: str) -> None:
    hand = with_stacks(Hand(rulebook, (1, 2, 3, 4), commission="none"), box1=30, box2=60).blinds().deal()
    hand.bet(3, 100).bet(4, 150).bet(1, 30).bet(2, 60).back(4, 100).sweep(("pot2", 90), ("pot3", 80))
    for cards in STREETS:
        hand.board(cards).check(3, 4)
    for box in (3, 4, 1, 2):
        hand.show(box, HANDS[box])
    assert hand.award(3, "pot3").award(2, "pot2").award(1).collect().breaches() == []
    called = table(rulebook).blinds().deal().bet(3, 10).bet(1, 12).bet(2, 12).back(1, 10).back(2, 10).sweep()
    assert ("bet.amount", "box1/bet") in called.board(STREETS[0]).breaches()  # another had to call it


@pytest.mark.parametrize("fold_first", [True, False])
def test_17_8_a_short_call_that_goes_back_where_stacks_are_read_at_the_start_only(fold_first: bool) -> None:
    hand = limped(table()).board(STREETS[0]).bet(1, 10).bet(2, 6)
    hand = hand.fold(2).back(2, 0) if fold_first else hand.back(2, 0).fold(2)
    shown(hand.bet(3, 10).sweep().check_around(*STREETS[1:]), 1, 3)
    first_card = next(event["t"] for event in hand.events if event["e"] == "card")
    assert kept(hand, lambda event: not is_stack(event) or event["t"] < first_card).breaches() == []


# ---- time -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", ["act-holdem", "tas-holdem"])
def test_4_8_5_7_the_table_goes_on_past_a_player_whose_time_is_over(rulebook: str) -> None:
    first = 1 if rulebook == "act-holdem" else 2

    def told(hand: Hand, box: int) -> Hand:
        return hand.add("call", what="clock", at=f"box{box}", by="dealer").wait(95)

    def two_play_on() -> Hand:
        hand = told(table(rulebook).blinds().deal(), 3).bet(1, 2).check(2).sweep()
        for cards in STREETS:
            hand.board(cards).check(1, 2)
        return shown(hand, first, 3 - first)

    assert two_play_on().breaches() == []  # folded by the rule, though nobody was seen to take the hand
    last = limped(table(rulebook)).board(STREETS[0]).check(1).bet(2, 6).bet(3, 6)
    told(last, 1).sweep().board(STREETS[1]).check(2, 3).board(STREETS[2]).check(2, 3)
    assert shown(last, 2, 3).breaches() == []
    back = told(table(rulebook).blinds().deal(), 3).bet(1, 2).bet(3, 2).check(2).sweep().check_around(*STREETS)
    assert shown(back, first, 3 - first, 3).breaches() == [("action.time", "box3")]


def test_4_8_5_7_on_time_a_player_facing_no_bet_is_folded_or_checks_as_the_rulebook_says() -> None:
    for rulebook, still_in in (("act-holdem", (2, 3)), ("tas-holdem", (2, 1, 3))):
        hand = limped(table(rulebook)).board(STREETS[0]).add("call", what="clock", at="box1").wait(95).check(2, 3)
        for cards in STREETS[1:]:
            hand.board(cards).check(*sorted(still_in))
        assert shown(hand, *still_in).breaches() == []
