"""A round that is called off by a word: told where all players take their stakes back and cards lie as they came."""

import pytest

from auditor.log import By, Call
from vision.called_off import CalledOff
from vision.lying import Piece
from vision.plan import load_plan
from vision.reading import Pile
from vision.table_cards import CardTable
from vision.table_chips import ChipTable
from vision.writer import Evidence, WaitingRoom

PLAN = load_plan("act-uth")
SPOTS = ("box2/ante", "box2/blind", "box4/ante")


def told(*takers: By | None, is_turned: bool = False, word: str | None = "misdeal") -> list[tuple[str, float]]:
    """What is told of a call when stakes are taken up one after the other, a second apart from 10 s on."""
    room = WaitingRoom()
    cards, chips = CardTable(room), ChipTable(room, {"red": 5.0}, frozenset())
    called_off = CalledOff(word, cards, chips, room)

    def changed(spot: str, count: int, t: float, by: By | None) -> None:
        zone, before = PLAN.zone(spot), sum(chips.standing(spot).values())
        piles = [Pile(chips=("red",) * count, conf=0.99, at=zone.at, region=())] if count else []
        evidence = Evidence(t=t, cam="table", frame=1, by=by)
        chips.conclude(zone, [piles] * 2, evidence)
        called_off.changed(spot, before, evidence)

    for spot in SPOTS:
        changed(spot, 3, 1.0, "player")
    box = PLAN.zone("box2")
    card = Piece(label="As" if is_turned else "??", up=is_turned, conf=0.9, at=box.at, region=())
    cards.conclude(box, [[card]], Evidence(t=5.0, cam="table", frame=1))
    for number, (spot, by) in enumerate(zip(SPOTS, takers, strict=False)):
        changed(spot, 0, 10.0 + number, by)
    return [(event.what, event.t) for event in room.release(99.0) if isinstance(event, Call)]


def test_all_stakes_taken_back_over_unturned_cards_tell_of_a_call_just_before() -> None:
    assert told("player", "player", "player") == [("misdeal", 9.9)]


@pytest.mark.parametrize("takers", [("player", "player"), ("dealer", "player", "player"), ("player", None, "player")])
def test_a_wager_that_stands_or_that_the_dealer_may_have_taken_tells_of_none(takers: tuple[By | None, ...]) -> None:
    assert told(*takers) == []


def test_a_stand_off_is_none_nor_is_anything_where_the_plan_knows_no_word() -> None:
    assert told("player", "player", "player", is_turned=True) == []
    assert told("player", "player", "player", word=None) == []
