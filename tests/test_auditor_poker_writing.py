"""The same poker round written in other ways the contract permits, and faults that reach into the rest of a round."""

from typing import Any

import pytest

from poker_hands import Hand, kept, limped

FLOP, TURN, RIVER = "Kc 9d 4s", "2h", "7c"
CARDS = {1: "Ks Kd", 2: "Qs Qd", 3: "Js Jd", 4: "Ts Td"}


def table(rulebook: str = "act-holdem", boxes: tuple[int, ...] = (1, 2, 3, 4), **house: Any) -> Hand:
    """A cash table without commission."""
    return Hand(rulebook, boxes, **({"commission": "none"} | house))


def to_the_end(hand: Hand, *first: int) -> Hand:
    """Checked down, shown, box1 paid."""
    hand.check_around(FLOP, TURN, RIVER)
    for box in first or [box for box in hand.seats if box in hand.in_hand]:
        hand.show(box, CARDS[box])
    return hand.award(1).collect()


def unspoken(hand: Hand) -> Hand:
    """The same without a check in the log."""
    hand.events = [event for event in hand.events if event.get("what") != "check"]
    return hand


def without_stacks(hand: Hand) -> Hand:
    """The same without a stack in the log."""
    hand.events = [event for event in hand.events if not str(event.get("at")).endswith("/stack")]
    return hand


# ---- checks that are only spoken ----


def test_11_1_a_betting_round_in_which_no_check_is_logged() -> None:
    assert unspoken(to_the_end(limped(table()))).breaches() == []
    assert unspoken(to_the_end(limped(table(burn=False)))).breaches() == []
    logged = limped(table()).board(FLOP).board(TURN).check(1, 2, 3, 4).board(RIVER).check(1, 2, 3, 4)
    for box in logged.seats:
        logged.show(box, CARDS[box])
    assert logged.award(1).collect().breaches() == [("deal.exposed", "board")]


def test_10_1_a_bet_after_checks_that_are_only_spoken() -> None:
    def bet_behind() -> Hand:
        hand = limped(table()).board(FLOP).check(1, 2, 3, 4).board(TURN).check(1, 2, 3).bet(4, 6).bet(1, 6)
        hand = hand.fold(2, 3).sweep().board(RIVER).check(1).bet(4, 9).bet(1, 9).sweep()
        return hand.show(4, CARDS[4]).show(1, CARDS[1]).award(1).collect()

    assert bet_behind().breaches() == []
    assert unspoken(bet_behind()).breaches() == []  # a silent flop shows that checks are not in this log
    out_of_turn = limped(table()).board(FLOP).bet(4, 6).bet(1, 6).fold(2, 3).sweep().check_around(TURN, RIVER)
    hand = out_of_turn.show(4, CARDS[4]).show(1, CARDS[1]).award(1).collect()
    assert hand.breaches() == [("action.order", "box4")]  # checks are, and box1 made none


def test_17_19_a_card_shown_at_the_shoe_after_checks_that_are_only_spoken() -> None:
    def shown_at_shoe(*, spoken: int) -> Hand:
        hand = limped(table()).board(FLOP).check(*(1, 2, 3, 4)[:spoken]).card("shoe", TURN, up=True)
        return hand.check(*(1, 2, 3, 4)[spoken:]).board(TURN).check(1, 2, 3).bet(4, 6).fold(1, 2, 3)

    assert shown_at_shoe(spoken=4).breaches() == []
    assert unspoken(shown_at_shoe(spoken=4)).breaches() == []
    assert shown_at_shoe(spoken=2).breaches() == [("deal.exposed", "shoe")]


def test_11_1_folds_are_called_and_checks_are_left_out() -> None:
    hand = table(boxes=(1, 2, 3)).blinds().deal().fold(3).bet(1, 2).sweep()
    hand.board(FLOP).bet(2, 4).bet(1, 4).sweep().board(TURN).bet(2, 8).fold(1).back(2, 0).award(2).collect()
    assert hand.breaches() == []
    assert ("action.order", "box2") in hand.unsure()
    once = table(boxes=(1, 2, 3)).blinds().deal().fold(3).bet(1, 4).bet(2, 4).sweep()
    once.board(FLOP).bet(2, 4).fold(1).back(2, 0).award(2).collect()
    assert once.breaches() == []  # he may have checked by voice: one check that is not in the log accuses nobody
    assert once.unsure() == [("action.order", "box2")]
    less = table(boxes=(1, 2, 3)).blinds().deal().fold(3).bet(1, 4).bet(2, 4).sweep()
    less.board(FLOP).bet(2, 6).bet(1, 4).bet(2, 4)
    assert ("action.order", "box2") in less.breaches()  # nobody answers a bet with less: he was given his own turn


def test_12_1_stud_streets_in_which_no_check_is_logged() -> None:
    hand = Hand("tas-stud", (1, 2, 3), min=2, commission="capped").antes(2).deal("As Qs 6h")
    hand.bet(1, 2).bet(2, 2).bet(3, 2).sweep().up("Kd Jd 5d").up("8h 7c 4d").up("4c 3h 2s")
    hand.bet(1, 4).bet(2, 4).bet(3, 4).sweep().show(1, "9s").show(2, "2d").show(3, "Qd")
    assert hand.award(1).collect().breaches() == []


# ---- antes ----


def test_8_5_b_antes_put_straight_into_the_pot() -> None:
    def opened(*paying: int, stacks: bool = True) -> Hand:
        hand = table(ante=1)
        for number, box in enumerate(paying, 1):
            if stacks:
                hand.chips(f"box{box}/stack", 199, "player")
            hand.chips("pot", number, "player")
        hand.deal()
        for box in (1, 2, 3, 4):
            hand.bet(box, 2)
        return to_the_end(hand.sweep())

    assert opened(1, 2, 3, 4).breaches() == opened(1, 2, 3, 4, stacks=False).breaches() == []
    assert opened(1, 2, 3, 4).pots()[0]["winners"] == {"box1": 12}
    missing = opened(1, 2, 4)
    assert missing.breaches() == [("blind.missing", "box3")]
    assert missing.pots()[0]["amount"] == 11
    nobody_knows = opened(1, 2, 4, stacks=False)
    assert (nobody_knows.breaches(), nobody_knows.pots()[0]["amount"]) == ([], 11)
    assert {kind for kind, _ in nobody_knows.unsure()} == {"blind.missing"}


def test_5_5_stud_antes_in_the_middle_of_the_table() -> None:
    hand = Hand("tas-stud", (1, 2, 3), min=2, commission="capped")
    for box in (1, 2, 3):
        hand.chips(f"box{box}/stack", 198, "player").chips("pot", 2 * box, "player")
    hand.deal("As Qs 6h").bet(1, 3).fold(2, 3).back(1, 0).award(1).collect()
    assert hand.breaches() == []
    assert hand.pots()[0]["amount"] == 6


# ---- chips ----


def test_4_4_chips_bought_from_the_dealer_during_a_round() -> None:
    hand = limped(table()).board(FLOP).check(1, 2, 3, 4).chips("box3/stack", 300, "dealer")
    hand.board(TURN).check(1, 2, 3, 4).board(RIVER).check(1, 2, 3, 4)
    for box in hand.seats:
        hand.show(box, CARDS[box])
    assert hand.award(1).collect().breaches() == [("bet.moved", "box3/stack")]


def test_15_3_the_dealer_takes_the_charge_for_time_from_the_stakes() -> None:
    hand = to_the_end(limped(table(commission="time", time_charge=5)))
    for number, box in enumerate((1, 2, 3, 4), 1):
        hand.chips(f"box{box}/stack", hand.amount(f"box{box}/stack") - 5, "dealer").chips("drop", 5 * number, "dealer")
    assert to_the_end(limped(hand.next_round(1))).breaches() == []
    from_the_pot = limped(table(commission="time", time_charge=5)).drop(1)
    assert to_the_end(from_the_pot).breaches() == [("commission.not_due", "pot")]
    lowered = next(event for event in reversed(from_the_pot.events) if event.get("at") == "pot" and event["amount"])
    unread = kept(from_the_pot, lambda event: event is not lowered)
    assert unread.breaches() == [("commission.not_due", "pot")]


def test_8_5_a_a_blind_above_its_level() -> None:
    hand = table().bet(1, 1).bet(2, 3).deal().bet(3, 3).bet(4, 3).bet(1, 3).check(2).sweep()
    assert to_the_end(hand).breaches() == [("bet.amount", "box2/bet")]


def test_12_4_b_a_late_raise_that_the_others_call_is_one_fault() -> None:
    hand = table().blinds().deal().bet(3, 2).bet(4, 2).bet(1, 2).check(2)
    hand.bet(2, 6).bet(3, 6).bet(4, 6).bet(1, 6).sweep()
    assert to_the_end(hand).breaches() == [("bet.late", "box2/bet")]


# ---- cards ----


def test_17_1_d_a_hand_dealt_where_nobody_sits() -> None:
    def dealt() -> Hand:
        return table().blinds().deal().card("box5").card("box5")

    played = dealt().bet(3, 2).bet(4, 2).bet(1, 2).check(2).sweep()
    played = to_the_end(played).add("gone", at="box5")
    assert played.breaches() == [("deal.no_wager", "box5"), ("round.not_voided", None)]
    off = dealt().add("call", what="misdeal", by="dealer").collect().add("gone", at="box5")
    assert (off.breaches(), off.rounds()[0]["status"]) == ([("deal.no_wager", "box5")], "misdeal")


def test_4_2_h_a_burn_card_laid_with_the_discards() -> None:
    hand = limped(table())
    for cards in (FLOP, TURN, RIVER):
        hand.card("discard").board(cards, burn=0).check(1, 2, 3, 4)
    for box in hand.seats:
        hand.show(box, CARDS[box])
    assert hand.award(1).collect().breaches() == []


def test_9_4_betting_before_the_first_communal_card() -> None:
    hand = table("act-faro", (1, 2, 3)).blinds().deal().bet(3, 2).bet(1, 2).check(2).sweep()
    for card in ("Kc", "9d", "4s", "2h", "7c"):
        hand.board(card).check(1, 2, 3)
    hand.show(1, "Ks Kd 3c 3d 5d").show(2, "Qs Qd 6c 6d 5h").show(3, "Js Jd Tc 8d 5s")
    assert hand.award(1).collect().breaches() == [("deal.order", "board")]


def test_17_4_missed_blinds_posted_together_are_no_uncalled_bet() -> None:
    def limp(hand: Hand, post: float = 0) -> Hand:
        hand.blinds()
        if post:
            hand.bet(3, post)
        hand.deal()
        for box in hand.seats[2:]:
            hand.check(box) if hand.amount(f"box{box}/bet") else hand.bet(box, 2)
        return to_the_end(hand.bet(hand.seats[0], 2).check(hand.seats[1]).sweep())

    hand = limp(limp(limp(table()).next_round(1, (1, 2, 4))).next_round(2, (1, 2, 4))).next_round(4, (1, 2, 3, 4))
    back = limp(hand, post=3)
    assert [finding for finding in back.breaches() if finding[0].startswith("pot")] == []
    assert back.pots(3)[0]["amount"] == 9


def test_2_1_a_card_seen_in_the_burn_and_on_the_board() -> None:
    hand = limped(table()).card("burn", "9d").board(FLOP, burn=0)
    assert hand.breaches() == [("card.duplicate", "board")]


# ---- weak reads ----


def test_a_call_weakly_heard_accuses_nobody() -> None:
    def folded(conf: float | None) -> Hand:
        hand = limped(table()).board(FLOP).check(1, 2).add("call", what="fold", at="box3", by="player", conf=conf)
        return hand.check(3, 4).board(TURN).check(1, 2, 3, 4).board(RIVER).check(1, 2, 3, 4)

    assert ("action.order", "box3") in folded(None).breaches()
    assert folded(0.4).breaches() == []
    checked = table().blinds().deal().add("call", what="check", at="box3", by="player", conf=0.4)
    assert checked.bet(4, 2).breaches() == []
    assert checked.unsure() == [("bet.invalid", "box3/bet")]


def test_a_bet_weakly_read_makes_no_card_early_and_no_turn_wrong() -> None:
    def raised(**read: Any) -> Hand:
        hand = table("tas-holdem").blinds().deal().chips("box3/bet", 3, "player", **read)
        return hand.bet(4, 2).bet(1, 2).check(2).sweep().board(FLOP).check(1, 2, 3, 4)

    assert raised().breaches() != []
    assert raised(conf=0.4).breaches() == []


def test_an_award_to_a_stack_weakly_read_before_it() -> None:
    def paid(**read: Any) -> Hand:
        hand = limped(table()).check_around(FLOP, TURN, RIVER)
        hand.add("chips", at="box1/stack", amount=190, by="player", **read)
        for box in hand.seats:
            hand.show(box, CARDS[box])
        return hand.award(1).collect()

    assert paid(conf=0.4).breaches() == []


def test_8_4_a_button_weakly_read_is_known_from_the_deal() -> None:
    hand = table()
    hand.events = [event | ({"at": "box2", "conf": 0.4} if event["e"] == "button" else {}) for event in hand.events]
    assert to_the_end(limped(hand)).breaches() == []


def test_4_8_a_player_told_to_act_in_the_middle_of_the_deal() -> None:
    hand = table().blinds().card("box1").card("box2").add("call", what="clock", at="box3")
    for box in (3, 4, 1, 2, 3, 4):
        hand.card(f"box{box}")
    assert hand.bet(3, 2).bet(4, 2).breaches() == []


def test_17_6_d_two_who_fold_before_a_wager_out_of_turn_are_in_their_turn() -> None:
    hand = limped(table()).board(FLOP).bet(3, 6).fold(1, 2).bet(4, 6).sweep().check_around(TURN, RIVER)
    hand.show(3, CARDS[3]).show(4, CARDS[4]).award(3).collect()
    assert hand.breaches() == [("action.order", "box3")]


# ---- commission ----


def raised_by_all(**house: Any) -> Hand:
    """Tasmanian Hold'em: a pot of 40, box1 with the best hand."""
    hand = Hand("tas-holdem", (1, 2, 3, 4), **house).blinds().deal()
    for box in (3, 4, 1, 2):
        hand.bet(box, 10)
    hand.sweep().check_around(FLOP, TURN, RIVER)
    for box in (3, 1, 2, 4):
        hand.show(box, CARDS[box])
    return hand


def test_1_1_commission_placed_in_the_float() -> None:
    kept = raised_by_all().chips("rack", 4, "dealer").chips("pot", 36, "dealer").award(1).collect()
    assert kept.breaches() == []
    short = raised_by_all().chips("rack", 3, "dealer").chips("pot", 37, "dealer").award(1).collect()
    assert short.breaches() == [("commission.short", "pot")]


def test_17_1_one_drop_for_two_pots() -> None:
    hand = Hand("tas-holdem", (1, 2, 3, 4))
    hand.events[0]["amount"] = hand.standing["box1/stack"] = 50
    hand.blinds().deal().bet(3, 100).bet(4, 100).bet(1, 50).bet(2, 100).sweep(("pot2", 150))
    for cards in (FLOP, TURN, RIVER):
        hand.board(cards).check(2, 3, 4)
    for box in (3, 1, 2, 4):
        hand.show(box, CARDS[box])
    hand.chips("pot", 185, "dealer").chips("pot2", 135, "dealer").chips("drop", 30, "dealer")
    assert hand.award(1).award(2, "pot2").collect().breaches() == []


def test_19_6_a_deal_from_the_wrong_place_after_a_misdeal() -> None:
    hand = table("tas-holdem").blinds().deal().card("box2").add("call", what="misdeal").collect()
    hand.add("shuffle").add("cut")
    for box in (2, 3, 4, 1) * 2:
        hand.card(f"box{box}")
    hand.bet(3, 2).bet(4, 2).bet(1, 2).check(2).sweep()
    assert to_the_end(hand, 2, 1, 3, 4).breaches() == [("deal.extra", "box2"), ("deal.order", "box2")]


def test_10_1_once_a_street_was_silent_later_rounds_are_read_with_spoken_checks() -> None:
    hand = unspoken(to_the_end(limped(table()))).next_round(1)
    hand.blinds().deal().bet(4, 6).bet(1, 6).fold(2, 3).sweep().board(FLOP).bet(1, 9).bet(4, 9).sweep()
    assert hand.breaches() == []  # box4 checked by voice


def test_8_5_b_a_player_whose_last_chips_are_the_ante_sits_there() -> None:
    def ante(hand: Hand) -> Hand:
        for number, box in enumerate((1, 2, 3, 4), 1):
            hand.chips(f"box{box}/stack", hand.amount(f"box{box}/stack") - 1, "player").chips("pot", number, "player")
        return hand.deal()

    first = table(ante=1)
    first.events[2]["amount"] = first.standing["box3/stack"] = 4
    for box in (1, 2, 3, 4):
        ante(first).bet(box, 2) if box == 1 else first.bet(box, 2)
    hand = to_the_end(first.sweep()).next_round(1)
    assert ante(hand).bet(2, 2).breaches() == []


def test_a_round_whose_beginning_went_unseen_is_not_judged_by_its_first_cards() -> None:
    hand = Hand("tas-stud", (1, 2, 3), min=2, commission="capped")
    start = len(hand.events)
    hand.antes(2).deal("As Qs 6h").bet(1, 2).bet(2, 2).bet(3, 2).sweep()
    t = hand.events[start]["t"]
    hand.events[start - 3 :] = [{"t": t, "e": "feed", "state": "lost"}, {"t": hand.t, "e": "feed", "state": "back"}]
    assert hand.up("Kd Jd 5d").check(1, 2, 3).breaches() == []


def test_4_4_a_stack_first_read_during_the_round_was_not_added_to() -> None:
    hand = table()
    hand.events = [event for event in hand.events if event.get("at") != "box3/stack"]
    hand.blinds().deal().bet(3, 2).bet(4, 2)
    assert hand.breaches() == []


def test_17_6_d_what_nobody_called_goes_back_though_the_call_came_out_of_turn() -> None:
    hand = table(boxes=(1, 2, 3))
    hand.events[0]["amount"] = hand.standing["box1/stack"] = 56
    hand.blinds().deal().bet(3, 24).bet(1, 24).bet(2, 58).bet(1, 56).fold(3)
    hand.chips("box2/bet", 56, "player").chips("box2/stack", 144, "player").sweep()
    for cards in (FLOP, TURN, RIVER):
        hand.board(cards)
    hand.show(2, CARDS[2]).show(1, CARDS[1]).award(1).collect()
    assert hand.breaches() == [("action.order", "box1")]


def test_chips_read_again_as_they_stand_have_not_moved() -> None:
    hand = table(boxes=(1, 2, 3)).blinds().deal().bet(3, 8).fold(1, 2).back(3, 2).sweep().award(3).collect()
    hand.events = [
        each for event in hand.events for each in ((event, event) if event["e"] == "chips" else (event,))
    ]  # fmt: skip
    assert hand.breaches() == []
    assert hand.pots()[0]["winners"] == {"box3": 5}


def test_a_winner_who_leaves_before_the_cards_are_seen_collected() -> None:
    hand = to_the_end(limped(table())).chips("box1/stack", 0, "player").next_round(2, boxes=(2, 3, 4))
    hand.events = [event for event in hand.events if event["e"] != "gone"]
    rounds = hand.blinds().deal().fold(2).bet(3, 2).check(4).rounds()
    assert [len(each["hands"].get("board", ())) for each in rounds] == [5, 0]


def test_tas_1_1_the_float_is_not_the_drop_box_where_commission_is_dropped() -> None:
    hand = limped(Hand("tas-holdem", (1, 2, 3), commission="two")).check_around(FLOP, TURN, RIVER)
    hand.show(2, CARDS[2]).show(3, CARDS[3]).show(1, CARDS[1])
    hand.chips("rack", 1000, "dealer").drop(1).chips("rack", 1005, "dealer").award(1).collect()
    assert hand.breaches() == []


def test_4_3_a_stack_first_read_after_a_gap_was_not_brought_then() -> None:
    hand = table(boxes=(1, 2, 3), table_stake=100)
    start = hand.t
    lost = [{"t": 0, "e": "feed", "state": "lost"}, {"t": start, "e": "feed", "state": "back"}]
    hand.blinds().deal().fold(3, 1).back(2, 1).sweep().award(2).collect().next_round(1)
    hand.events = lost + [event for event in hand.events if event["t"] >= start]
    assert hand.chips("box3/stack", 86, "player").blinds().deal().breaches() == []


def test_14_3_who_lost_all_and_comes_back_brings_the_least_stake() -> None:
    hand = table(boxes=(1, 2, 3), table_stake=100).blinds().deal().fold(3).bet(1, 200).bet(2, 200).sweep()
    for cards in (FLOP, TURN, RIVER):
        hand.board(cards)
    hand.show(1, CARDS[1]).show(2, CARDS[2]).award(1).collect().next_round(1)
    assert hand.chips("box2/stack", 86, "player").blinds().deal().breaches() == [("bet.limit", "box2/stack")]


@pytest.mark.parametrize("call", ["misdeal", "void"])
@pytest.mark.parametrize("rulebook", ["act-faro", "act-holdem", "tas-holdem", "tas-stud"])
def test_def_misdeal_a_deal_called_off_at_once_does_not_say_how_many_players_there_are(
    rulebook: str, call: str
) -> None:
    hand = Hand(rulebook, (1, 2, 3, 4), min=2).card("box1").card("box2").add("call", what=call, by="dealer").collect()
    assert ("table.players", None) not in hand.breaches()
    assert hand.rounds()[0]["status"] == call


@pytest.mark.parametrize("rulebook", ["act-faro", "act-holdem", "tas-holdem", "tas-stud"])
def test_def_void_a_round_declared_void_before_the_last_card_passed_nobody_over(rulebook: str) -> None:
    hand = Hand(rulebook, (1, 2, 3, 4), min=2)
    hand = hand.antes(2).deal("Ks Qd 2c 3c") if rulebook == "tas-stud" else hand.blinds().deal()
    hand.events.pop()
    hand.add("call", what="void", by="dealer").collect()
    assert [kind for kind, _ in hand.breaches() if kind.startswith("deal")] == []


def test_14_1_a_log_that_breaks_off_before_it_shows_what_a_player_has_left() -> None:
    hand = table(boxes=(1, 2, 3)).chips("box1/stack", 20, None).blinds().deal().bet(3, 40).bet(1, 20)
    at = next(n for n, event in enumerate(hand.events) if (event.get("at"), event.get("amount")) == ("box1/bet", 20))
    tapped_out = hand.events
    for events in (tapped_out[: at + 1], tapped_out):
        hand.events = events
        assert hand.breaches() == []
    hand = table(boxes=(1, 2, 3)).blinds().deal().bet(3, 40).bet(1, 20).fold(2)
    assert hand.breaches() == [("bet.amount", "box1/bet")]


@pytest.mark.parametrize("rulebook", ["act-holdem", "tas-holdem"])
def test_13_2_a_log_without_stacks_does_not_show_who_was_paid(rulebook: str) -> None:
    (answer,) = without_stacks(to_the_end(limped(table(rulebook)), 2, 3, 4, 1)).rounds()
    assert (answer["status"], answer["findings"]) == ("complete", [])
    assert answer["pots"][0]["winners"] == {"box1": 8}


@pytest.mark.parametrize("rulebook", ["act-holdem", "tas-holdem"])
def test_14_1_a_player_whose_stack_is_not_in_the_log_may_have_tapped_out(rulebook: str) -> None:
    def short_of_the_call(*, acts_again: bool) -> Hand:
        hand = table(rulebook, boxes=(1, 2, 3)).chips("box1/stack", 20, None).blinds().deal()
        hand.bet(3, 40).bet(1, 20).bet(2, 40).sweep(("pot2", 40)).board(FLOP).bet(2, 10)
        if acts_again:
            hand.chips("box1/stack", 10, None)
        hand = (hand.bet(3, 10).bet(1, 10) if acts_again else hand.bet(3, 10)).sweep(("pot2", 20))
        hand.board(TURN).check(2, 3).board(RIVER).check(2, 3)
        for box in (2, 3, 1):
            hand.show(box, CARDS[box])
        return without_stacks(hand.award(2, pot="pot2").award(1).collect())

    tapped_out = short_of_the_call(acts_again=False)
    assert tapped_out.breaches() == []
    assert tapped_out.unsure() == [("bet.amount", "box1/bet")]  # if he had chips left, it was too little
    assert [(pot["amount"], pot["winners"]) for pot in tapped_out.pots()] == [(60, {"box1": 60}), (60, {"box2": 60})]
    assert ("bet.amount", "box1/bet") in short_of_the_call(acts_again=True).breaches()  # and here he had
    whole = tapped_out.events
    for end in range(1, len(whole)):  # wherever the log breaks off, nobody is accused
        tapped_out.events = whole[:end]
        assert tapped_out.breaches() == []


def test_13_1_stud_hand_tapped_out_is_dealt_on_though_no_stack_is_in_the_log() -> None:
    hand = Hand("tas-stud", (1, 2, 3), min=10, commission="capped").chips("box3/stack", 20, None)
    hand.antes(10).deal("As Qs 6h").bet(1, 15).bet(2, 15).bet(3, 10).sweep(("pot2", 10))
    for cards in ("Kd Jd 5d", "8h 7c 4d"):
        hand.up(cards).check(1, 2)
    hand.up("4c 3h 2s").bet(1, 10).fold(2).back(1, 0).show(1, "9s").show(3, "Qd")
    hand.award(1, pot="pot2").drop(4).award(1).collect()
    assert without_stacks(hand).breaches() == []
    assert hand.unsure() == [("bet.amount", "box3/bet")]
    assert [pot["winners"] for pot in hand.pots()] == [{"box1": 56}, {"box1": 10}]


# ---- cards that are swept in unseen ----


def without_gone(hand: Hand, *places: str) -> list[tuple[str, list[str]]]:
    """The status and the breaches of each round, where the cards of these places are never seen to leave."""
    hand.events = [event for event in hand.events if event["e"] != "gone" or event["at"] not in places]
    return [(each["status"], [found["kind"] for found in each["findings"]]) for each in hand.rounds()]


@pytest.mark.parametrize("unseen", [("box3",), ("box1", "box2", "box3", "board")])
def test_def_round_of_play_it_concludes_with_the_winning_of_the_pot(unseen: tuple[str, ...]) -> None:
    def played(winner: int) -> Hand:
        hand = table(boxes=(1, 2, 3)).blinds().deal().fold(3).bet(1, 2).check(2).sweep().check_around(FLOP, TURN, RIVER)
        return hand.show(1, CARDS[1]).show(2, CARDS[2]).award(winner).collect()

    assert without_gone(played(1), *unseen) == [("complete", [])]
    assert without_gone(played(2), *unseen) == [("complete", ["pot.winner"])]
    uncalled = table(boxes=(1, 2, 3)).blinds().deal().bet(3, 8).fold(1, 2).back(3, 2).sweep().award(3).collect()
    assert without_gone(uncalled, *unseen) == [("complete", [])]
