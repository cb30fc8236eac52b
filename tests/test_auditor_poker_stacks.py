"""Poker logs that read the stacks only now and then, begin or end in the middle of a round, or tell no button."""

from collections.abc import Callable
from typing import Any

import pytest

from playing import breaches
from poker_hands import Hand, is_stack, kept, limped, table

FLOP, TURN, RIVER = "Kc 9d 4s", "2h", "7c"
CARDS = {1: "Ks Kd", 2: "Qs Qd", 3: "Js Jd"}
HOLDEM = ["act-holdem", "tas-holdem"]


def settled(hand: Hand, first: int = 1, **paid: Any) -> Hand:
    """Checked down and shown; box1, who holds the best hand, is paid unless told otherwise."""
    hand.check_around(FLOP, TURN, RIVER)
    for box in sorted(hand.in_hand, key=lambda box: (box != first, box)):
        hand.show(box, CARDS[box])
    return (hand.award(**paid) if paid else hand.award(1)).collect()


def read_when_paid(hand: Hand) -> Hand:
    """Stacks are read before the cards and when the dealer pays them."""
    first_card = next(event["t"] for event in hand.events if event["e"] == "card")
    return kept(hand, lambda event: not is_stack(event) or event["by"] == "dealer" or event["t"] < first_card)


def told_as_rises(hand: Hand) -> Hand:
    """Stacks are read at the start, and an award is told as so much more than was said last."""
    stood: dict[str, float] = {}
    said: dict[str, float] = {}
    for event in filter(is_stack, hand.events):
        rise, stood[event["at"]] = event["amount"] - stood.get(event["at"], 0), event["amount"]
        if not (event["at"] in said and event["by"] == "player"):
            said[event["at"]] = event["amount"] = said.get(event["at"], 0) + rise
    start = {at: next(e["t"] for e in hand.events if e.get("at") == at) for at in said}
    return kept(hand, lambda e: not is_stack(e) or e["by"] == "dealer" or e["t"] == start[e["at"]])


# ---- stacks read now and then ----


@pytest.mark.parametrize("rulebook", HOLDEM)
@pytest.mark.parametrize("written", [read_when_paid, told_as_rises])
def test_13_2_an_award_to_a_stack_not_read_while_its_player_bet(
    rulebook: str, written: Callable[[Hand], Hand]
) -> None:
    def called() -> Hand:
        return table(rulebook).blinds().deal().bet(3, 10).bet(1, 10).bet(2, 10).sweep()

    assert written(settled(called(), first=3)).breaches() == []
    assert written(settled(called(), first=3, box2=30)).breaches() == [("pot.winner", "pot")]


def test_13_2_an_award_that_brings_a_stack_to_what_the_log_said_last() -> None:
    hand = limped(table()).check_around("As Ks Qs", "Js", "Ts")
    hand.show(1, "2h 2c").show(2, "3h 3c").show(3, "4h 4c").award(box1=2, box2=2, box3=2).collect()
    assert read_when_paid(hand).breaches() == []
    assert hand.pots()[0]["winners"] == {"box1": 2, "box2": 2, "box3": 2}


def test_4_6_what_was_lost_unread_is_no_stake_reduced_between_rounds() -> None:
    hand = settled(limped(table()))
    for box in (2, 3):
        hand.chips(f"box{box}/stack", 198, "player")
    hand.next_round(1)
    hand = settled(limped(hand))
    first_card = next(event["t"] for event in hand.events if event["e"] == "card")
    dealt = [event["t"] for event in hand.events if event["e"] == "button"][1]
    kept(hand, lambda e: not (is_stack(e) and e["by"] == "player" and first_card < e["t"] < dealt - 2))
    assert hand.breaches() == []


def test_14_2_who_tapped_out_is_known_though_his_stack_was_not_read() -> None:
    hand = Hand("act-holdem", stack=100, commission="none")
    hand.chips("box1/stack", 40, "player").blinds().deal().bet(3, 100).bet(1, 40).bet(2, 100)
    hand.sweep(("pot2", 120)).board(FLOP).board(TURN).board(RIVER).show(3, CARDS[3]).show(1, CARDS[1]).show(2, CARDS[2])
    hand = read_when_paid(hand.award(1).award(2, pot="pot2").collect())
    assert hand.breaches() == []
    assert [pot["winners"] for pot in hand.pots()] == [{"box1": 120}, {"box2": 120}]


def test_13_2_a_stack_first_read_when_it_is_paid_does_not_say_how_much() -> None:
    def only_paid(hand: Hand) -> Hand:
        return kept(hand, lambda event: not is_stack(event) or event["by"] == "dealer")

    assert only_paid(settled(limped(table()))).breaches() == []
    assert only_paid(settled(limped(table()), box2=6)).breaches() == [("pot.winner", "pot")]


def test_13_2_chips_bought_unread_make_an_award_unsure() -> None:
    hand = limped(table()).check_around(FLOP, TURN, RIVER)
    for box, cards in CARDS.items():
        hand.show(box, cards)
    hand.chips("pot", 0, "dealer").chips("box1/stack", 260, "dealer").collect()
    assert (read_when_paid(hand).breaches(), hand.unsure()) == ([], [("pot.split", "pot")])


def test_13_2_a_share_that_equals_the_last_bet_is_no_bet_given_back_where_no_pot_is_read() -> None:
    hand = limped(table()).check_around("As Ks Qs", "Js", "Ts")
    hand.show(1, "2h 2c").show(2, "3h 3c").show(3, "4h 4c").award(box1=2, box2=2, box3=2).collect()
    kept(hand, lambda event: event.get("at") != "pot")
    assert (hand.breaches(), [pot["amount"] for pot in hand.pots()]) == ([], [6])


# ---- chips that go back ----


@pytest.mark.parametrize(("rulebook", "wrong"), [("act-faro", False), ("tas-holdem", False), ("act-holdem", True)])
@pytest.mark.parametrize("before", [True, False])
def test_17_6_19_12_a_wager_out_of_turn_goes_back_before_or_after_the_fold(
    rulebook: str, wrong: bool, before: bool
) -> None:
    hand = table(rulebook).blinds().deal()
    hand = (hand.board("Kc") if rulebook == "act-faro" else hand).bet(3, 2).bet(1, 2).check(2).sweep()
    hand.board("9d" if rulebook == "act-faro" else FLOP).bet(2, 10).bet(1, 20)
    hand = hand.back(2, 0).fold(2) if before else hand.fold(2).back(2, 0)
    hand.bet(3, 20).sweep()
    assert hand.breaches() == [("action.order", "box2"), *([("bet.moved", "box2/bet")] if wrong else [])]


def test_17_6_a_wager_out_of_turn_goes_back_where_no_stack_is_read() -> None:
    hand = table("act-faro").blinds().deal().board("Kc").bet(3, 2).bet(1, 2).check(2).sweep().board("9d")
    hand.bet(2, 10).bet(1, 20).fold(2).back(2, 0).bet(3, 20).sweep().board("4s")
    assert kept(hand, lambda event: not is_stack(event)).breaches() == [("action.order", "box2")]
    hand = table("act-faro").blinds().deal().board("Kc").bet(3, 2).bet(1, 2).check(2).sweep().board("9d")
    hand.bet(2, 10).bet(1, 20).fold(2).bet(3, 20).sweep().board("4s")
    assert kept(hand, lambda e: not is_stack(e)).breaches() == [("action.order", "box2"), ("bet.amount", "box2/bet")]


@pytest.mark.parametrize(("rulebook", "found"), [("act-holdem", []), ("tas-holdem", [("bet.moved", "box1/bet")])])
def test_17_8_19_14_a_short_call_given_back_before_the_fold(rulebook: str, found: list[tuple[str, str]]) -> None:
    hand = table(rulebook).blinds().deal().bet(3, 10).bet(1, 4).back(1, 1).fold(1).bet(2, 10).sweep()
    assert hand.breaches() == found


@pytest.mark.parametrize("rulebook", HOLDEM)
def test_17_8_19_14_a_short_call_then_cards_passed_in_without_a_word(rulebook: str) -> None:
    hand = table(rulebook).blinds().deal().bet(3, 10).bet(1, 4)
    hand = hand.back(1, 1) if rulebook == "act-holdem" else hand
    hand.add("gone", at="box1", to="discard").bet(2, 10).sweep()
    assert hand.breaches() == []


def test_10_2_a_the_opening_player_calls_and_passes_his_cards_in() -> None:
    hand = table(blind_option="A").blinds().deal().bet(3, 2).add("gone", at="box3", to="discard").bet(1, 2).check(2)
    assert hand.sweep().breaches() == []


def test_17_2_a_hopeless_last_call_given_back_is_no_short_call() -> None:
    hand = Hand("tas-stud", min=2).antes(2).deal("As Qs 6h").bet(1, 3).bet(2, 3).fold(3).sweep().up("Kd Jd")
    hand.check(1, 2).up("8h 7c").check(1, 2).up("4c 3h").bet(1, 2).bet(2, 2).back(2, 0).fold(2).back(1, 0)
    assert hand.drop(2).award(1).collect().breaches() == []


# ---- logs that begin or end in the middle of a round ----


@pytest.mark.parametrize("rulebook", HOLDEM)
def test_def_round_of_play_a_log_that_begins_anywhere_accuses_nobody(rulebook: str) -> None:
    hand = settled(limped(table(rulebook)), first=1 if rulebook == "act-holdem" else 2)
    events = hand.events
    assert hand.breaches() == []
    for start in range(len(events)):
        hand.events = events[start:]
        assert hand.breaches() == [], events[start]


def two_rounds(rulebook: str, *posts: tuple[int, float]) -> tuple[Hand, int]:
    """A round to the showdown and one in which everybody folds to the last blind, and how many events the first has."""
    hand = limped(table(rulebook)).board(FLOP).bet(1, 6).bet(2, 6).fold(3).sweep().check_around(TURN, RIVER)
    count = len(hand.show(1, CARDS[1]).show(2, CARDS[2]).award(1).collect().events)
    hand.next_round(1)
    for box, amount in posts:
        hand.bet(box, amount)
    return hand.deal().fold(1, 2).sweep().award(3).collect(), count


@pytest.mark.parametrize("rulebook", HOLDEM)
def test_def_round_of_play_a_log_that_begins_in_a_round_accuses_nobody_in_the_next(rulebook: str) -> None:
    hand, count = two_rounds(rulebook, (2, 1), (3, 2))
    events = hand.events
    for start in range(count):
        hand.events = events[start:]
        assert hand.breaches() == [], events[start]


@pytest.mark.parametrize("rulebook", HOLDEM)
def test_8_5_what_the_next_round_proves_is_proved_wherever_the_log_begins_in_the_one_before(rulebook: str) -> None:
    hand, count = two_rounds(rulebook, (3, 2))
    events = hand.events
    for start in range(count):
        hand.events = events[start:]
        assert hand.breaches() == [("blind.missing", "box2")], events[start]


def test_17_1_a_player_whose_stack_the_log_has_not_told_yet_is_somebody() -> None:
    hand = limped(table()).board(FLOP).bet(1, 6).fold(2, 3).back(1, 0).award(1).collect()
    end = len(hand.events) - 6  # box1 is paid and the cards go; what box2 and box3 have is told when they post
    hand.next_round(2).blinds().deal().add("call", what="misdeal", by="dealer").collect()
    hand.events = hand.events[end:]
    assert hand.breaches() == []


def test_17_3_hands_that_all_go_back_to_the_shoe_after_a_misdeal_were_dealt_to_players() -> None:
    hand = table(boxes=(1, 2, 3, 4)).blinds().deal().card("box1").add("call", what="misdeal", by="dealer")
    for box in hand.boxes:
        hand.add("gone", at=f"box{box}", to="shoe")
    assert kept(hand, lambda event: not is_stack(event)).breaches() == [("deal.extra", "box1")]


def test_9_2_a_stud_log_that_begins_with_an_open_card() -> None:
    hand = Hand("tas-stud", min=2).antes(2).deal("As Qs 6h").bet(1, 3).bet(2, 3).fold(3).sweep().up("Kd Jd")
    hand.check(1, 2).up("8h 7c").check(1, 2).up("4c 3h").bet(1, 2).bet(2, 2).sweep().show(1, "9s").show(2, "2d")
    events = hand.drop(2).award(1).collect().events
    start = next(n for n, event in enumerate(events) if event.get("card") == "As")
    hand.events = events[start:]
    assert hand.breaches() == []


def test_2_1_a_card_seen_twice_is_one_too_many_wherever_the_log_begins() -> None:
    hand = settled(limped(table()))
    start = next(n for n, event in enumerate(hand.events) if event.get("at") == "board")
    hand.events = [event | ({"card": "Kc"} if event.get("card") == TURN else {}) for event in hand.events[start:]]
    assert hand.breaches() == [("card.duplicate", "board")]


@pytest.mark.parametrize("rulebook", HOLDEM)
def test_17_7_17_8_a_log_that_ends_on_a_short_raise_or_a_short_call(rulebook: str) -> None:
    assert table(rulebook).blinds().deal().bet(3, 3).breaches() == []
    assert table(rulebook).blinds().deal().bet(3, 10).bet(1, 4).breaches() == []
    assert table(rulebook).blinds().deal().bet(3, 3).bet(1, 3).breaches() == [("bet.amount", "box3/bet")]


def test_9_2_a_log_that_ends_in_the_deal_and_shows_no_button() -> None:
    hand = kept(table().blinds(), lambda event: event["e"] != "button").card("box1").card("box2")
    assert hand.breaches() == []


def test_17_3_blinds_put_straight_into_the_pot_stand_over_a_misdeal() -> None:
    hand = table().chips("box1/stack", 199, "player").chips("pot", 1, "player")
    hand.chips("box2/stack", 198, "player").chips("pot", 3, "player").deal().card("box1")
    hand.add("call", what="misdeal", by="dealer").collect().ready().deal()
    for box, stack, pot in ((3, 198, 5), (1, 198, 6)):
        hand.chips(f"box{box}/stack", stack, "player").chips("pot", pot, "player")
    hand = settled(hand.check(2))
    assert breaches(hand.rounds()[:1]) == [("deal.extra", "box1")]
    assert breaches(hand.rounds()[1:]) == []


def test_15_2_the_drop_held_chips_before_the_log_began() -> None:
    def raked(dropped: int, of_pot: int) -> Hand:
        hand = table(commission="5").blinds().deal().bet(3, 20).bet(1, 20).bet(2, 20).sweep()
        hand.check_around(FLOP, TURN, RIVER).show(3, CARDS[3]).show(1, CARDS[1]).show(2, CARDS[2])
        hand.chips("drop", dropped, "dealer").chips("pot", 60 - of_pot, "dealer")
        return hand.award(1).collect()

    assert raked(3, 3).breaches() == raked(41, 3).breaches() == []
    assert raked(5, 5).breaches() == raked(43, 5).breaches() == [("commission.over", "pot")]


def test_4_3_a_stack_first_read_after_its_players_blind_was_not_brought_then() -> None:
    hand = settled(limped(table(table_stake=200)))
    hand.events = [event for event in hand.events if not is_stack(event) or event["t"] > hand.events[2]["t"]]
    assert hand.breaches() == []


def test_8_5_a_a_log_that_begins_with_everybodys_stack_begins_before_the_blinds() -> None:
    hand = kept(table().bet(2, 2).deal(), lambda event: event["e"] not in ("button", "shuffle", "cut"))
    assert (hand.bet(3, 2).breaches(), hand.unsure()) == ([("blind.missing", "box1")], [])
    hand.events = [event for event in hand.events if event.get("at") != "box1/stack"]
    assert hand.breaches() == []


@pytest.mark.parametrize("rulebook", ["act-holdem", "act-faro", "tas-holdem"])
def test_4_4_a_stack_may_be_laid_down_and_drawn_on_in_steps(rulebook: str) -> None:
    """Chips that one hand moves with nothing else in between are one move, however many readings tell of it."""
    hand = table(rulebook, table_stake=200) if rulebook != "tas-holdem" else table(rulebook)
    hand.blinds().deal()
    hand = (hand.board("Kc") if rulebook == "act-faro" else hand).bet(3, 20).bet(1, 20).bet(2, 20).sweep()
    assert hand.breaches() == []
    told: list[dict[str, Any]] = []
    for event in hand.events:
        before = [each["amount"] for each in told if each.get("at") == event.get("at") and is_stack(each)] or [0]
        if is_stack(event) and abs(event["amount"] - before[-1]) > 1:
            told.append(event | {"amount": (event["amount"] + before[-1]) // 2, "by": "player"})
            event = event | {"by": "player"}
        told.append(event)
    hand.events = told
    assert hand.breaches() == []
