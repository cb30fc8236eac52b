"""Poker rounds that were called off: what was put in goes back, at once or later, or stands for the new deal."""

from collections.abc import Callable

import pytest

from playing import breaches
from poker_hands import Hand, table

FLOP, TURN, RIVER = "Kc 9d 4s", "2h", "7c"
HOLDEM = ["act-holdem", "tas-holdem"]
BEFORE, AFTER, SHUFFLED = "before the cards are gathered", "after it", "after the shuffle"


def straight(hand: Hand, box: int, amount: float, by: str | None = "player") -> Hand:
    """Chips go from a stack straight into the pot; a negative amount is taken back."""
    hand.chips("pot", hand.amount("pot") + amount, by)
    return hand.chips(f"box{box}/stack", hand.amount(f"box{box}/stack") - amount, by)


def gathered(hand: Hand) -> Hand:
    for box in hand.boxes:
        hand.add("gone", at=f"box{box}")
    return hand


def in_one_heap(hand: Hand, by: str | None) -> None:
    hand.chips("pot", 0, "dealer").chips("box1/stack", 200, by).chips("box2/stack", 200, by)


def one_by_one(hand: Hand, by: str | None) -> None:
    straight(straight(hand, 1, -1, by), 2, -2, by)


@pytest.mark.parametrize("rulebook", HOLDEM)
@pytest.mark.parametrize("when", [BEFORE, AFTER, SHUFFLED])
@pytest.mark.parametrize("back", [in_one_heap, one_by_one])
@pytest.mark.parametrize("by", ["dealer", "player", None])
def test_17_3_19_6_blinds_put_straight_into_the_pot_go_back_after_a_misdeal(
    rulebook: str, when: str, back: Callable[[Hand, str | None], None], by: str | None
) -> None:
    hand = straight(straight(table(rulebook), 1, 1), 2, 2).deal().card("box2").add("call", what="misdeal", by="dealer")
    for now in (BEFORE, AFTER, SHUFFLED):
        if now == AFTER:
            gathered(hand)
        if now == SHUFFLED:
            hand.ready()
        if now == when:
            back(hand, by)
    straight(straight(straight(hand, 1, 1), 2, 2).deal().fold(3), 1, 1).check(2).check_around(FLOP, TURN, RIVER)
    hand.show(2, "Qs Qd").show(1, "Ks Kd").award(1).collect()
    for log in (hand, twice_told(hand)):
        assert [each["status"] for each in log.rounds()] == ["misdeal", "complete"]
        assert log.breaches() == [("deal.extra", "box2")]
        assert log.pots(1)[0]["winners"] == {"box1": 4}


def twice_told(hand: Hand) -> Hand:
    """The same hand, all chips read twice."""
    hand.events = [each for event in hand.events for each in ([event] * (2 if event["e"] == "chips" else 1))]
    return hand


@pytest.mark.parametrize("call", ["misdeal", "void"])
@pytest.mark.parametrize("when", [BEFORE, AFTER])
def test_tas_5_4_antes_stand_for_the_new_deal_though_a_bet_beside_them_goes_back(call: str, when: str) -> None:
    hand = Hand("tas-stud", min=2, commission="capped").antes(2).deal("As Qs 6h").bet(1, 2)
    hand.add("call", what=call, by="dealer")
    hand = gathered(hand.back(1, 0)) if when == BEFORE else gathered(hand).back(1, 0)
    hand.ready().deal("As Qs 6h").bet(1, 2).bet(2, 2).fold(3).sweep()
    for cards in ("Kd Jd", "8h 7c", "4c 3h"):
        hand.up(cards).check(1, 2)
    hand.show(1, "9s").show(2, "Qd").award(2).collect()
    assert hand.breaches() == []
    assert hand.pots(1)[0]["amount"] == 10


@pytest.mark.parametrize("rulebook", HOLDEM)
def test_17_3_19_6_blinds_in_the_pot_stand_for_the_new_deal_though_a_call_beside_them_goes_back(rulebook: str) -> None:
    def redealt() -> Hand:
        hand = straight(straight(table(rulebook), 1, 1), 2, 2).deal().card("box1").bet(3, 2)
        gathered(hand.add("call", what="misdeal", by="dealer").back(3, 0)).add("shuffle").add("cut").deal().bet(3, 2)
        straight(hand, 1, 1).check(2).sweep().check_around(FLOP, TURN, RIVER)
        return hand.show(2, "Qs Qd").show(3, "Js Jd").show(1, "Ks Kd").award(1).collect()

    assert redealt().breaches() == [("deal.extra", "box1")]
    assert redealt().pots(1)[0]["winners"] == {"box1": 6}
    nobodys = redealt()  # whose blinds stand in the pot is not told at all
    nobodys.events = [
        {name: value for name, value in event.items() if name != "by"}
        for event in nobodys.events if not str(event.get("at")).endswith("/stack")
    ]  # fmt: skip
    assert breaches(nobodys.rounds()) == [("deal.extra", "box1")]
