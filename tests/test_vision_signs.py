"""Signs that no camera sees: what players may have said is told as such."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from auditor.log import Call, Cut, Marker, Shuffle
from playing import breaches, play
from vision.arms import DEALER, Arms, Reach
from vision.plan import Zone, load_plan
from vision.rests import Rest
from vision.signs import Signs
from vision.writer import WaitingRoom


def _calls(rulebook: str, *, chips_t: float, second_t: float) -> list[tuple[str, str | None, bool]]:
    """What is told of players when two communal cards come, the first at 10 s."""
    room = WaitingRoom()
    signs = Signs(load_plan(rulebook), cast(Arms, SimpleNamespace(mm=np.zeros((1, 2)))), "table")
    for t in (10.0, second_t):
        signs.communal(["box2", "box5"], chips_t, t, 1, room)
    calls = [event for event in room.release(99.0) if isinstance(event, Call)]
    assert all(call.t < second_t for call in calls)
    return [(call.what, call.at, (call.conf or 1.0) < 0.5) for call in calls]


@pytest.mark.parametrize("rulebook", ["act-holdem", "tas-holdem", "act-faro"])
def test_players_may_have_checked_between_two_communal_cards(rulebook: str) -> None:
    assert _calls(rulebook, chips_t=8.0, second_t=13.0) == [("check", "box2", True), ("check", "box5", True)]


def test_nobody_spoke_where_there_was_no_time_or_chips_say_what_happened() -> None:
    assert _calls("act-holdem", chips_t=8.0, second_t=10.8) == []
    assert _calls("act-holdem", chips_t=12.0, second_t=13.0) == []
    assert _calls("act-uth", chips_t=8.0, second_t=13.0) == []  # there a check is seen, or none was made


def test_a_street_on_which_all_may_have_checked_is_no_proof_of_a_card_too_many() -> None:
    cards = "\n".join(f"card {box} ??" for box in ("box1", "box2", "box3") * 2)
    script = f"""
        button box3
        shuffle
        cut
        chips box1/bet 1 player
        chips box2/bet 2 player
        {cards}
        chips box3/bet 2 player
        chips box1/bet 2 player
        call check box2
        chips box1/bet 0 dealer
        chips box2/bet 0 dealer
        chips box3/bet 0 dealer
        chips pot 6 dealer
        card burn ??
        card board Js
        card board Ad
        card board Qh
        call check box1
        call check box2
        call check box3
        card burn ??
        card board Th
        {{}}
        card board 8s
        turn box1 As
        turn box1 Kd
        gone box2
        gone box3
        chips pot 0 dealer
        chips box1/stack 6 dealer
        gone box1
        gone board
    """
    unseen = "\n".join(f"call check box{box} conf=0.3" for box in (1, 2, 3))
    assert ("deal.count", "board") in breaches(play("act-holdem", script.format("")))
    assert ("deal.count", "board") not in breaches(play("act-holdem", script.format(unseen)))


def _worked(game: str, is_seen: Sequence[bool], *, is_dealt: bool = False) -> tuple[Zone, Signs, WaitingRoom]:
    """The dealer's hands where cards are shuffled, picture by picture: whether they are seen there."""
    plan = load_plan(game)
    place = plan.of_kind("shuffle")[0]
    signs, room = Signs(plan, cast(Arms, SimpleNamespace(mm=np.array([place.at]))), "table"), WaitingRoom()
    for picture, seen in enumerate(is_seen):
        reach = cast(Reach, SimpleNamespace(owners=np.array([DEALER if seen else 0], np.uint8)))
        signs.reached(reach, 5 + 0.08 * picture, picture, room, is_shuffling=True, is_dealt=is_dealt)
    return place, signs, room


@pytest.mark.parametrize(("pictures", "is_told"), [(12, True), (3, False)])
def test_hands_that_every_other_picture_loses_still_shuffle(pictures: int, is_told: bool) -> None:
    place, signs, room = _worked("act-canberra-poker", [picture % 2 == 0 for picture in range(pictures)])
    rest = cast(Rest, SimpleNamespace(zone=place, t=7.0, stirred_from=5.0, is_different=False, touched={}))
    signs.rested(rest, pictures, room, is_occupied=False)
    assert any(isinstance(event, Shuffle) for event in room.release(99.0)) is is_told


@pytest.mark.parametrize(("is_held", "conf"), [(False, None), (True, 0.5)])
def test_a_shuffle_while_players_hold_tiles_is_hardly_one(is_held: bool, conf: float | None) -> None:
    place, signs, room = _worked("act-paigow", [True] * 20, is_dealt=is_held)
    rest = cast(Rest, SimpleNamespace(zone=place, t=7.0, stirred_from=5.0, is_different=False, touched={}))
    signs.rested(rest, 20, room, is_occupied=False, is_held=is_held)
    assert [event.conf for event in room.release(99.0) if isinstance(event, Shuffle)] == [conf]


@pytest.mark.parametrize(("is_held", "told"), [(False, [(9.0, None)]), (True, [(7.0, 0.5)])])
def test_a_pack_that_is_dealt_from_was_not_cut_then(is_held: bool, told: list[tuple[float, float | None]]) -> None:
    """A cut that was not told from the shuffle was withdrawn for one in mid-deal, and a breach hung on it."""
    place, signs, room = _worked("act-faro", [True] * 20, is_dealt=False)
    for t, held in ((7.0, False), (9.0, is_held)):
        rest = cast(Rest, SimpleNamespace(zone=place, t=t, stirred_from=t - 1, is_different=True, touched={}))
        signs.rested(rest, 20, room, is_occupied=False, is_held=held)
    assert [(event.t, event.conf) for event in room.release(99.0) if isinstance(event, Cut)] == told


# ---- the marker --------------------------------------------------------------------------------------------------


def _markers(
    *rests: tuple[float, str, bool, bool] | tuple[float, str], by: str = "dealer"
) -> list[tuple[float, str, float | None]]:
    """What is told of the marker: when which box's place rested after the dealer's hand, or the last of them after
    another's, and whether the marker was seen there, or half of it at least; or when it was hidden after the dealer's
    hand was there."""
    room, plan = WaitingRoom(), load_plan("act-baccarat")
    signs = Signs(plan, cast(Arms, SimpleNamespace(mm=np.zeros((1, 2)))), "table")
    for t, box, *seen in rests:
        zone = plan.zone(f"{box}/marker")
        if not seen:
            signs.may_have_moved(zone, t, 1, room)
            continue
        is_seen, is_partly = seen
        touched = {by if t == rests[-1][0] else "dealer": 0.3}
        rest = Rest(zone=zone, t=t, stirred_from=t - 0.3, touched=touched, is_different=True)
        signs.rested(rest, 1, room, is_occupied=is_seen, is_partly=is_partly)
    return [(event.t, event.at, event.conf) for event in room.release(99.0) if isinstance(event, Marker)]


def test_a_marker_that_a_resting_hand_hides_stands_nobody_knows_where() -> None:
    """Once it was thought to stand where it had been: two false moves, and a wager out of turn."""
    stood = (1.0, "box7", True, True)
    left = (2.0, "box7", False, False)
    assert _markers(stood, left) == [(1.0, "box7", None), (2.0, "box7", 0.5)]
    assert _markers(stood, left, (3.0, "box3", False, True)) == [(1.0, "box7", None), (3.0, "box3", 0.5)]


def test_a_marker_that_is_seen_after_all_came_when_it_was_hardly_seen() -> None:
    moved = ((1.0, "box7", True, True), (2.0, "box7", False, False), (3.0, "box3", False, True))
    assert _markers(*moved, (4.0, "box3", True, True)) == [(1.0, "box7", None), (3.0, "box3", None)]
    assert _markers((1.0, "box7", True, True), (2.0, "box7", False, True)) == [(1.0, "box7", None)]  # a hand beside it
    assert _markers((1.0, "box7", True, True), (2.0, "box3", True, True), (2.1, "box7", False, False)) == [
        (1.0, "box7", None), (2.0, "box3", None)
    ]  # fmt: skip


def test_a_marker_that_is_seen_late_at_its_new_place_may_have_stood_there_since_it_was_taken_away() -> None:
    """Once it was thought to have stood at its old place until then: a false move, though the round had begun."""
    moved = ((1.0, "box7", True, True), (2.0, "box7", False, False))
    assert _markers(*moved, (8.0, "box3", True, True)) == [
        (1.0, "box7", None), (2.0, "box3", 0.5), (8.0, "box3", None)
    ]  # fmt: skip
    assert _markers(*moved, (2.6, "box3", True, True)) == [(1.0, "box7", None), (2.6, "box3", None)]


def test_a_marker_may_stand_where_something_lies_since_the_dealer_s_hand_was_there() -> None:
    """Put down at the table's edge it looked like a hand that rests there, and both its places like hands: it was told
    six seconds late, and a round seemed to have begun with it at its old place."""
    moved = ((1.0, "box7", True, True), (2.0, "box3"), (7.0, "box7", False, False))
    assert _markers(*moved) == [(1.0, "box7", None), (2.0, "box3", 0.5)]
    assert _markers(*moved, (8.0, "box3", True, True)) == [(1.0, "box7", None), (2.0, "box3", None)]


def test_a_marker_that_is_seen_where_it_stood_is_in_doubt_no_longer() -> None:
    assert _markers((1.0, "box7", True, True), (2.0, "box3"), (4.0, "box7", True, True)) == [
        (1.0, "box7", None), (2.0, "box7", 0.5), (4.0, "box7", None)
    ]  # fmt: skip


def test_what_a_player_puts_down_is_no_second_marker_while_the_first_is_seen() -> None:
    stood, other = (1.0, "box7", True, True), (9.0, "box3", True, True)
    assert _markers(stood, other, by="box3") == [(1.0, "box7", None)]
    assert _markers(stood, other) == [(1.0, "box7", None), (9.0, "box3", None)]
    assert _markers(other, by="box3") == [(9.0, "box3", None)]  # nobody saw where it came from


def test_a_hand_over_cards_that_may_give_them_up_is_no_certain_check() -> None:
    """At Ultimate Texas Hold-em it looks the same; told as certain, a check after the last card accused the dealer."""
    for rulebook, what, conf in (("act-uth", "check", 0.5), ("act-blackjack", "stand", None)):
        plan, room = load_plan(rulebook), WaitingRoom()
        signs = Signs(plan, cast(Arms, SimpleNamespace(mm=np.zeros((1, 2)))), "table")
        rest = Rest(zone=plan.zone("box2"), t=9.0, stirred_from=8.2, touched={"box2": 0.5}, is_different=False)
        signs.rested(rest, 1, room, is_occupied=True)
        ((_, call),) = room.since(0)
        assert isinstance(call, Call)
        assert (call.what, call.at, call.conf) == (what, "box2", conf)
