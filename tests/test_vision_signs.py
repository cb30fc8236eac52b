"""Signs that no camera sees: what players may have said is told as such."""

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from auditor.log import Call, Marker, Shuffle
from playing import breaches, play
from vision.arms import DEALER, Arms, Reach
from vision.plan import load_plan
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


@pytest.mark.parametrize(("pictures", "is_told"), [(12, True), (3, False)])
def test_hands_that_every_other_picture_loses_still_shuffle(pictures: int, is_told: bool) -> None:
    plan = load_plan("act-canberra-poker")
    place = plan.of_kind("shuffle")[0]
    signs, room = Signs(plan, cast(Arms, SimpleNamespace(mm=np.array([place.at]))), "table"), WaitingRoom()
    for picture in range(pictures):
        seen = np.array([DEALER if picture % 2 == 0 else 0], np.uint8)
        reach = cast(Reach, SimpleNamespace(owners=seen))
        signs.reached(reach, 5 + 0.08 * picture, picture, room, is_shuffling=True, is_dealt=False)
    rest = cast(Rest, SimpleNamespace(zone=place, t=7.0, stirred_from=5.0, is_different=False, touched={}))
    signs.rested(rest, pictures, room, is_occupied=False)
    assert any(isinstance(event, Shuffle) for event in room.release(99.0)) is is_told


def _markers(*rests: tuple[str, bool, float]) -> list[tuple[str, bool]]:
    """What is told of the marker as its places come to rest: whether it stands there, and for how long he was there."""
    room, plan = WaitingRoom(), load_plan("act-baccarat")
    signs = Signs(plan, cast(Arms, SimpleNamespace(mm=np.zeros((1, 2)))), "table")
    for number, (name, is_occupied, dealer_s) in enumerate(rests):
        touched = {"dealer": dealer_s} if dealer_s else {}
        rest = Rest(zone=plan.zone(name), t=number, stirred_from=number - 0.3, touched=touched, is_different=True)
        signs.rested(rest, number, room, is_occupied=is_occupied)
    return [(event.at, event.conf is None) for event in room.release(99.0) if isinstance(event, Marker)]


def test_a_marker_that_a_resting_hand_hides_may_be_where_the_dealer_put_something_down() -> None:
    assert _markers(("box7/marker", True, 0.3), ("box7/marker", False, 0.3), ("box3/marker", False, 0.2)) == [
        ("box7", True), ("box3", False)
    ]  # fmt: skip
    assert _markers(("box7/marker", True, 0.3), ("box3/marker", False, 0.2)) == [("box7", True)]  # there it stands
    assert _markers(("box7/marker", False, 0.0), ("box3/marker", False, 0.05)) == []  # nobody put it down
