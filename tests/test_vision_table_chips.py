"""The chips of a spot from reading to reading: what is told, and how sure."""

from typing import cast

import pytest

from auditor.log import By, Chips
from vision.plan import Zone
from vision.reading import Pile
from vision.table_chips import ChipTable
from vision.writer import Evidence, WaitingRoom

SPOT = Zone(name="box1/blind", kind="chips", at=(0, 0), size=(80, 80))
TEN = [[Pile(chips=("white",) * 10, conf=0.99, at=(0, 0), region=())]] * 2
"""Two readings of ten white chips."""
NONE: list[list[Pile]] = [[], []]


def told(*hands: By) -> list[tuple[float, By | None, bool]]:
    """Amount, who and whether it is certain, of every event: ten chips read after each hand was there."""
    room = WaitingRoom()
    table = ChipTable(room, {"white": 1.0}, frozenset())
    for t, by in enumerate(hands):
        table.conclude(SPOT, TEN, Evidence(t=float(t), cam="table", frame=t, by=by))
    events = [event for event in room.release(99.0) if isinstance(event, Chips)]
    return [(event.amount, event.by, (event.conf or 1.0) >= 0.9) for event in events]


def test_the_same_chips_read_again_are_no_news() -> None:
    assert told("player", "player") == [(10, "player", True)]


def test_where_the_dealer_changed_something_and_the_same_is_read_the_amount_is_in_doubt() -> None:
    """He may have paid with a stack behind the first: nobody is accused of not having paid."""
    assert told("player", "dealer") == [(10, "player", True), (10, "dealer", False)]


def test_where_nothing_changed_on_the_spot_itself_nothing_is_in_doubt() -> None:
    """The dealer turned the cards behind it."""
    room = WaitingRoom()
    table = ChipTable(room, {"white": 1.0}, frozenset())
    for t, by in ((1.0, "player"), (2.0, "dealer")):
        table.conclude(SPOT, TEN, Evidence(t=t, cam="table", frame=1, by=cast(By, by)), is_touched=by == "player")
    assert len(room.release(99.0)) == 1


def test_a_spot_that_both_sides_had_a_hand_at_may_have_held_winnings_before_it_was_empty() -> None:
    for is_shared in (True, False):
        room = WaitingRoom()
        table = ChipTable(room, {"white": 1.0}, frozenset())
        table.conclude(SPOT, TEN, Evidence(t=1.0, cam="table", frame=1, by="player"), is_shared=is_shared)
        table.conclude(SPOT, [[], []], Evidence(t=2.0, cam="table", frame=2, by="dealer"), is_shared=is_shared)
        stake, taken = (event.conf or 1.0 for event in room.release(99.0))
        assert stake >= 0.9
        assert (taken < 0.9) == is_shared


@pytest.mark.parametrize(
    ("colour", "conf", "changed", "there"),
    [("white", 0.6, 0.9, 0.97), ("white", 0.99, 0.9, None), ("white", 0.3, 0.9, 0.97), ("white", 0.05, 0.9, None),
     ("white", 0.6, 0.1, None), ("blue", 0.6, 0.9, None)],
)  # fmt: skip
def test_a_new_stack_of_which_only_the_number_is_weak_is_there(
    colour: str, conf: float, changed: float, there: float | None
) -> None:
    """Unless it hardly looks like chips, stood there before, or may be somebody else's."""
    room = WaitingRoom()
    table = ChipTable(room, {"white": 1.0, "blue": 5.0}, frozenset({"blue"}))
    reading = [Pile(chips=(colour,), conf=conf, at=(0, 0), region=())]
    hand = Evidence(t=1.0, cam="table", frame=1, by="player")
    table.conclude(SPOT, [reading] * 2, hand, changed_share=lambda pile: changed)
    (event,) = room.release(99.0)
    assert isinstance(event, Chips)
    assert event.there == there


def paid_before_a_stake_of(chips: int) -> bool:
    """Whether the amount is certain when winnings hide part of a stake that was read as ten, and now as so many."""
    room = WaitingRoom()
    table = ChipTable(room, {"white": 1.0}, frozenset())
    table.conclude(SPOT, TEN, Evidence(t=1.0, cam="table", frame=1, by="player"))
    stake = Pile(chips=("white",) * chips, conf=0.5, at=(4, 3), region=())
    winnings = Pile(chips=("white",) * 5, conf=0.99, at=(30, 30), region=())
    table.conclude(SPOT, [[winnings, stake]] * 2, Evidence(t=2.0, cam="table", frame=2, by="dealer"))
    paid = room.release(99.0)[-1]
    assert isinstance(paid, Chips)
    assert paid.amount == chips + 5
    return (paid.conf or 1.0) >= 0.9


def test_a_stake_half_hidden_by_winnings_is_as_sure_as_it_was_if_it_is_read_as_it_was() -> None:
    assert paid_before_a_stake_of(10)
    assert not paid_before_a_stake_of(9)


def test_an_empty_spot_that_a_hand_hid_may_have_held_the_chips_of_anybody_at_the_table() -> None:
    """Winnings put there and taken up behind a hand: nobody is accused of not having paid them."""
    room = WaitingRoom()
    table = ChipTable(room, {"white": 1.0, "blue": 5.0}, frozenset({"blue"}))
    blue = Pile(chips=("blue",), conf=0.99, at=(0, 0), region=())
    table.conclude(SPOT, [[blue]] * 2, Evidence(t=1.0, cam="table", frame=1, by="player"))
    for t, place in ((2.0, SPOT.place), (3.0, "layout/paid")):
        table.may_have_held(place, Evidence(t=t, cam="table", frame=2))
    _, doubt = room.release(99.0)
    assert isinstance(doubt, Chips)
    assert (doubt.at, doubt.amount, doubt.colour, doubt.conf) == ("layout/paid", 0, "blue", 0.5)


@pytest.mark.parametrize(("stood_s", "events"), [(0.2, 0), (0.48, 2)])
def test_chips_that_stood_longer_than_a_hand_needs_were_put_down(stood_s: float, events: int) -> None:
    room = WaitingRoom()
    table = ChipTable(room, {"white": 1.0}, frozenset())
    table.conclude(SPOT, TEN, Evidence(t=1.0, cam="table", frame=1, by="player"))
    table.conclude(SPOT, [[], []], Evidence(t=1.0 + stood_s, cam="table", frame=2, by="player"))
    assert len(room.release(99.0)) == events


@pytest.mark.parametrize(
    ("by", "amounts"), [("dealer", [("pink", 120)]), ("player", [(None, 100)])], ids=["winnings", "another's wager"]
)
def test_cash_beside_a_players_colour_is_his_if_the_dealer_put_it_there(
    by: By, amounts: list[tuple[str | None, float]]
) -> None:
    room = WaitingRoom()
    table = ChipTable(room, {"pink": 10.0, "black": 100.0}, frozenset({"pink"}))
    stake = Pile(chips=("pink",) * 2, conf=0.99, at=(0, 0), region=())
    cash = Pile(chips=("black",), conf=0.99, at=(50, 0), region=())
    table.conclude(SPOT, [[stake]] * 2, Evidence(t=1.0, cam="table", frame=1, by="player"))
    table.conclude(SPOT, [[stake, cash]] * 2, Evidence(t=2.0, cam="table", frame=2, by=by))
    more = Pile(chips=("pink",) * 3, conf=0.99, at=(0, 0), region=())
    table.conclude(SPOT, [[more, cash]] * 2, Evidence(t=3.0, cam="table", frame=3, by="player"))
    events = [(event.colour, event.amount) for event in room.release(99.0) if isinstance(event, Chips)]
    assert events == [("pink", 20), *amounts, ("pink", 130 if by == "dealer" else 30)]


def test_chips_that_something_hid_for_a_while_are_those_that_stood_there_before() -> None:
    """A head before the spot: nobody wagered more or less, but nobody knows what happened there either."""
    room = WaitingRoom()
    table = ChipTable(room, {"white": 1.0}, frozenset())
    for t, readings in ((1.0, TEN), (5.0, NONE), (7.0, TEN)):
        evidence = Evidence(t=t, cam="table", frame=1, by="player")
        table.conclude(SPOT, readings, evidence, unread=[readings is NONE] * 2)
    events = [event for event in room.release(99.0) if isinstance(event, Chips)]
    assert [(event.t, event.amount, event.conf) for event in events] == [(1.0, 10, 0.99), (5.0, 10, 0.5)]


def test_a_wager_beside_something_that_nobody_can_read_is_told_when_it_is_taken_up() -> None:
    room = WaitingRoom()
    table = ChipTable(room, {"white": 1.0}, frozenset())
    for t, readings in ((1.0, NONE), (5.0, TEN), (7.0, NONE)):
        table.conclude(SPOT, readings, Evidence(t=t, cam="table", frame=1, by="player"), unread=[True] * 2)
    assert [event.amount for event in room.release(99.0) if isinstance(event, Chips)] == [1, 11, 1]


def test_what_only_a_misreading_could_not_explain_is_no_thing_of_its_own() -> None:
    """Two looks take a foot for one too far aside, and leave a rim unexplained; the third, far surer, explains all."""
    off = [Pile(chips=("white",) * 9, conf=0.05, at=(-8, 0), region=())]
    for unread, amount in (([True, True, False], 10), ([False, False, True], 11)):
        room = WaitingRoom()
        table = ChipTable(room, {"white": 1.0}, frozenset())
        table.conclude(SPOT, [off, off, TEN[0]], Evidence(t=1.0, cam="table", frame=1, by="player"), unread=unread)
        assert [event.amount for event in room.release(99.0) if isinstance(event, Chips)] == [amount]


def test_nobody_changed_what_could_not_be_read_until_now() -> None:
    room = WaitingRoom()
    table = ChipTable(room, {"white": 1.0}, frozenset())
    for t, readings, is_unread in ((1.0, NONE, True), (9.0, TEN, False)):
        table.conclude(SPOT, readings, Evidence(t=t, cam="table", frame=1, by="dealer"), unread=[is_unread] * 2)
    told = [(event.amount, event.by, event.conf) for event in room.release(99.0) if isinstance(event, Chips)]
    assert told == [(1, "dealer", 0.05), (10, None, 0.5)]


def test_where_nobody_can_read_what_stands_the_chips_of_anybody_may_have_come_and_gone() -> None:
    room = WaitingRoom()
    table = ChipTable(room, {"white": 1.0, "blue": 5.0}, frozenset({"blue"}))
    blue = Pile(chips=("blue",), conf=0.99, at=(0, 0), region=())
    table.conclude(SPOT, [[blue]] * 2, Evidence(t=1.0, cam="table", frame=1, by="player"))
    paid = Zone(name="layout/paid", kind="chips", at=(0, 300), size=(80, 80))
    table.conclude(paid, NONE, Evidence(t=2.0, cam="table", frame=1, by="player"), unread=[True] * 2)
    table.may_have_held(paid.place, Evidence(t=3.0, cam="table", frame=2))
    doubts = [event for event in room.release(99.0) if isinstance(event, Chips) and event.t == 3.0]
    assert [(event.amount, event.colour, event.conf) for event in doubts] == [(1, None, 0.05), (0, "blue", 0.5)]


@pytest.mark.parametrize(("x", "told"), [(90, [(None, 300.0)]), (-40, [("blue", 205.0)])])
def test_what_the_dealer_puts_next_to_a_wager_in_cash_is_that_one_s(
    x: float, told: list[tuple[str | None, float]]
) -> None:
    room = WaitingRoom()
    table = ChipTable(room, {"black": 100.0, "blue": 5.0}, frozenset({"blue"}))
    stake = Pile(chips=("blue",), conf=0.99, at=(0, 0), region=())
    cash = Pile(chips=("black",), conf=0.99, at=(50, 0), region=())
    paid = Pile(chips=("black", "black"), conf=0.99, at=(x, 0), region=())
    table.conclude(SPOT, [[cash]] * 2, Evidence(t=1.0, cam="table", frame=1, by="player"))
    table.conclude(SPOT, [[stake, cash]] * 2, Evidence(t=2.0, cam="table", frame=2, by="player"))
    table.conclude(SPOT, [[stake, cash, paid]] * 2, Evidence(t=3.0, cam="table", frame=3, by="dealer"))
    events = [event for event in room.release(9.0) if isinstance(event, Chips) and event.t == 3.0]
    assert [(event.colour, event.amount) for event in events] == told


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_rim_of_winnings_that_a_stake_hides_is_no_chip_of_the_next_spot(order: tuple[int, int]) -> None:
    """Whichever spot is read first, and though the chip that is none is the surer reading."""
    spots = (Zone(name="box1/ante", kind="chips", at=(0, 100), size=(100, 100)), SPOT)
    stake, blind = (
        Pile(chips=("white",) * 5, conf=0.99, at=(0, 100), region=((0, 90), (30, 90), (30, 130), (0, 130))),
        Pile(chips=("white",), conf=0.99, at=(0, 0), region=((0, 0), (30, 0), (30, 20), (0, 20))),
    )
    winnings = Pile(chips=("white",) * 5, conf=0.5, at=(0, 58), region=((0, 50), (30, 50), (30, 90), (0, 90)))
    rim = Pile(chips=("white",), conf=0.7, at=(0, 40), region=((0, 46), (30, 46), (30, 66), (0, 66)))
    room = WaitingRoom()
    table = ChipTable(room, {"white": 5.0}, frozenset())
    for t, readings in ((1.0, ([stake], [blind])), (9.0, ([stake, winnings], [blind, rim]))):
        for at in order:
            table.conclude(spots[at], [readings[at]] * 2, Evidence(t=t, cam="table", frame=1, by="dealer"))
    assert table.standing("box1/ante") == {None: 5000}
    assert table.standing("box1/blind") == {None: 500}
    told = [(event.at, event.amount) for event in room.release(99.0) if isinstance(event, Chips) and event.t > 5]
    assert ("box1/ante", 50) in told
    assert ("box1/blind", 10) not in told


def test_a_tall_stack_that_is_hardly_read_takes_no_chip_from_the_spot_that_sees_it_well() -> None:
    ante = Zone(name="box1/ante", kind="chips", at=(0, 100), size=(100, 100))
    chip = Pile(chips=("white",), conf=0.7, at=(0, 40), region=((0, 46), (30, 46), (30, 66), (0, 66)))
    tall = Pile(chips=("white",) * 5, conf=0.2, at=(0, 58), region=((0, 40), (30, 40), (30, 90), (0, 90)))
    table = ChipTable(WaitingRoom(), {"white": 5.0}, frozenset())
    for zone, pile in ((ante, tall), (SPOT, chip)):
        table.conclude(zone, [[pile]] * 2, Evidence(t=9.0, cam="table", frame=1, by="dealer"))
    assert (table.standing("box1/ante"), table.standing("box1/blind")) == ({}, {None: 500})


@pytest.mark.parametrize(
    ("by", "conf", "is_told"), [("player", 0.1, False), ("player", 0.9, True), ("dealer", 0.1, True)]
)
def test_a_player_s_hand_that_looks_like_chips_for_a_moment_lays_no_wager(by: By, conf: float, is_told: bool) -> None:
    """Badly read and gone within a second: a late wager seemed laid and taken back. What the dealer puts down so
    briefly is winnings."""
    room = WaitingRoom()
    table = ChipTable(room, {"white": 1.0}, frozenset())
    seen = [[Pile(chips=("white",) * 10, conf=conf, at=(0, 0), region=())]] * 2
    for t, readings in ((1.0, seen), (1.4, NONE)):
        table.conclude(SPOT, readings, Evidence(t=t, cam="table", frame=1, by=by), changed_share=lambda pile: 1.0)
    assert bool(room.release(99.0)) == is_told
