"""Tournaments and freeze-outs at the poker tables: chips come and go by play alone, no matter who moves them."""

from typing import Any

import pytest

from poker_hands import Hand

HOUSES: dict[str, dict[str, Any]] = {
    "act-holdem": {"tournament": True, "commission": "none"},
    "act-faro": {"tournament": True, "commission": "none"},
    "tas-holdem": {"tournament": True, "commission": "none"},
    "tas-stud": {"freeze_out": True, "commission": "capped", "min": 2},
}
of_each = pytest.mark.parametrize("rulebook", list(HOUSES))
UP = {1: "As", 2: "Qs", 3: "6h"}


def won_at_once(hand: Hand) -> Hand:
    """All fold but one: to the big blind, in stud to the ace that opens."""
    if hand.rulebook == "tas-stud":
        hand.antes(2).deal(" ".join(UP[box] for box in hand.seats))
        return hand.bet(1, 2).fold(2, 3).back(1, 0).award(1).collect()
    small, big, button = hand.seats
    hand.blinds().deal()
    if hand.rulebook == "act-faro":
        hand.card("board", "Ah")
    return hand.fold(button, small).sweep().award(big).collect()


def started(rulebook: str) -> Hand:
    """The first round is over."""
    return won_at_once(Hand(rulebook, **HOUSES[rulebook]))


@of_each
@pytest.mark.parametrize("by", ["player", "dealer", None])
def test_20_14_20_11_16_2_chips_that_come_between_rounds(rulebook: str, by: str | None) -> None:
    hand = started(rulebook)
    hand.chips("box3/stack", hand.amount("box3/stack") + 50, by)
    assert won_at_once(hand.next_round(1)).breaches() == [("bet.moved", "box3/stack")]


@of_each
def test_20_14_20_11_16_2_chips_changed_for_others_are_the_same_stake(rulebook: str) -> None:
    hand = started(rulebook)
    stake = hand.amount("box3/stack")
    hand.chips("box3/stack", 0, "dealer").chips("box3/stack", stake, "dealer")
    assert won_at_once(hand.next_round(1)).breaches() == []


@pytest.mark.parametrize("rulebook", ["act-holdem", "act-faro", "tas-holdem"])
def test_20_14_20_11_blinds_given_back_after_the_next_shuffle_are_not_added(rulebook: str) -> None:
    hand = Hand(rulebook, **HOUSES[rulebook]).blinds().deal().add("call", what="misdeal", by="dealer").collect()
    assert won_at_once(hand.next_round(3).back(1, 0).back(2, 0)).breaches() == []


def test_8_3_stud_has_no_tournament_clauses_and_a_bank_may_grow_between_hands() -> None:
    hand = won_at_once(Hand("tas-stud", tournament=True, commission="capped", min=2))
    hand.chips("box3/stack", 400, "player")
    assert won_at_once(hand.next_round(1)).breaches() == []
