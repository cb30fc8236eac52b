"""How bets come to the pot: swept, pushed together at one spot first, or put straight there by nobody knows whom."""

import pytest

from poker_hands import Hand, is_stack, kept, limped, table

FLOP, TURN, RIVER = "Kc 9d 4s", "2h", "7c"
CARDS = {1: "Ks Kd", 2: "Qs Qd", 3: "Js Jd"}
HOLDEM = ["act-holdem", "tas-holdem"]
of_holdem = pytest.mark.parametrize("rulebook", HOLDEM)


def called(rulebook: str) -> Hand:
    """Everybody has called the big blind, the last of them by a check; nothing is swept yet."""
    return table(rulebook).blinds().deal().bet(3, 2).bet(1, 2).check(2)


def shown(hand: Hand, *order: int) -> Hand:
    """The rest is checked; box1 is paid."""
    for box in order:
        hand.show(box, CARDS[box])
    return hand.award(1).collect()


@of_holdem
@pytest.mark.parametrize("by", ["dealer", None])
@pytest.mark.parametrize("rise_first", [True, False])
@pytest.mark.parametrize("stacks", [True, False])
def test_10_3_bets_pushed_together_before_the_sweep_are_no_late_bets(
    rulebook: str, by: str | None, rise_first: bool, stacks: bool
) -> None:
    hand = called(rulebook)
    for box, pile in ((1, 4), (3, 6)):
        told = [("box2/bet", pile), (f"box{box}/bet", 0)]
        for at, amount in told if rise_first else reversed(told):
            hand.chips(at, amount, by)
    hand.chips("box2/bet", 0, by).chips("pot", 6, by)
    shown(hand.check_around(FLOP, TURN, RIVER), 2, 1, 3)
    assert (hand if stacks else kept(hand, lambda event: not is_stack(event))).breaches() == []
    assert [(pot["amount"], pot["winners"]) for pot in hand.pots()] == [(6, {"box1": 6})]


@of_holdem
@pytest.mark.parametrize("by", ["dealer", None])
@pytest.mark.parametrize("pot_between", [True, False])
@pytest.mark.parametrize("stacks", [True, False])
def test_10_3_a_bet_swept_bit_by_bit_did_not_go_back(
    rulebook: str, by: str | None, pot_between: bool, stacks: bool
) -> None:
    hand = called(rulebook).sweep().board(FLOP).bet(1, 10).bet(2, 12).back(2, 10).bet(3, 10)
    pot = 6.0
    for box in (2, 3, 1):
        half = hand.amount(f"box{box}/bet") / 2
        for left in (half, 0):
            hand.chips(f"box{box}/bet", left, by)
            pot += half
            if pot_between or (box, left) == (1, 0):
                hand.chips("pot", pot, by)
    shown(hand.check_around(TURN, RIVER), 1, 2, 3)
    assert (hand if stacks else kept(hand, lambda event: not is_stack(event))).breaches() == []


@of_holdem
@pytest.mark.parametrize("by", ["player", None])
def test_12_4_a_bet_on_top_of_the_own_one_before_the_sweep_is_late(rulebook: str, by: str | None) -> None:
    hand = called(rulebook).sweep().board(FLOP).bet(1, 10).bet(2, 10).fold(3)
    hand.chips("box2/bet", 20, by).chips("box2/stack", 178, by).sweep()
    assert shown(hand.check_around(TURN, RIVER), 1, 2).breaches() == [("bet.late", "box2/bet")]


@of_holdem
@pytest.mark.parametrize("by", ["player", None])
def test_4_4_5_4_chips_added_to_a_stack_before_the_sweep_are_no_award(rulebook: str, by: str | None) -> None:
    hand = called(rulebook).chips("box3/stack", 298, by).sweep()
    assert shown(hand.check_around(FLOP, TURN, RIVER), 2, 1, 3).breaches() == [("bet.moved", "box3/stack")]


@of_holdem
@pytest.mark.parametrize("stack", [True, False])
@pytest.mark.parametrize("checked", [True, False])
def test_10_3_a_call_put_straight_into_the_pot_by_nobody_known_before_a_sweep(
    rulebook: str, stack: bool, checked: bool
) -> None:
    hand = table(rulebook).blinds().deal().bet(3, 2).chips("pot", 1, None)
    if stack:
        hand.chips("box1/stack", 198, None)
    if checked:
        hand.check(2)
    assert shown(hand.sweep().check_around(FLOP, TURN, RIVER), 2, 1, 3).breaches() == []


@of_holdem
def test_10_3_a_call_is_no_pile_though_a_sweep_follows_at_once(rulebook: str) -> None:
    hand = limped(table(rulebook)).board(FLOP).bet(1, 10).chips("box2/bet", 6, None).bet(3, 10)
    hand.chips("box2/bet", 10, None)
    for at, amount in (("box1/bet", 0), ("box2/bet", 0), ("box3/bet", 0), ("pot", 36)):
        hand.chips(at, amount, None)
    kept(shown(hand.check_around(TURN, RIVER), 1, 2, 3), lambda event: not is_stack(event))
    assert hand.breaches() == []


def test_tas_5_5_bets_into_the_pot_by_nobody_known_after_antes_that_were_swept() -> None:
    hand = Hand("tas-stud", min=2, commission="capped").antes(2).deal("As Qs 6h")
    hand.chips("pot", 8, None).chips("pot", 10, None).fold(3)
    for cards in ("Kd Jd", "8h 7c", "4c 3h"):
        hand.up(cards).check(1, 2)
    hand.show(1, "9s").show(2, "Qd").award(2).collect()
    hand.events = [
        {name: value for name, value in event.items() if name != "by"} for event in hand.events if not is_stack(event)
    ]
    assert hand.breaches() == []
    assert hand.pots()[0]["amount"] == 10
