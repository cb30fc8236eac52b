"""Cards followed from reading to reading, and events waiting for their turn."""

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from auditor.log import By, Card, Chips, Dice, Gone, Set, Turn
from vision.card_events import laid
from vision.rests import Rest
from vision.inquiry import Inquiry
from vision.lying import Piece, compare, voted
from vision.plan import Zone, load_plan
from vision.reading import Pile
from vision.table_cards import CardTable
from vision.table_chips import elected
from vision.window import Difference
from vision.writer import Evidence, WaitingRoom


def _piece(label: str, x: float, *, up: bool = True, conf: float = 0.95) -> Piece:
    return Piece(label=label, up=up, conf=conf, at=(x, 0.0), region=())


def _at(label: str, x: float, y: float) -> Piece:
    return Piece(label=label, up=True, conf=0.95, at=(x, y), region=())


def _pixels(mask: NDArray[np.bool_]) -> Difference:
    return Difference(corner=(0, 0), pixels=mask)


def test_votes_outweigh_one_bad_reading() -> None:
    readings = [[_piece("As", 0)], [_piece("Ah", 1, conf=0.6)], [_piece("As", 2)]]
    (card,) = voted(readings)
    assert card.label == "As"
    assert card.conf < 0.95  # somebody said otherwise


def test_what_only_one_of_three_readings_shows_is_not_there() -> None:
    readings = [[_piece("As", 0), _piece("9c", 60)], [_piece("As", 0)], [_piece("As", 1)]]
    assert [piece.label for piece in voted(readings)] == ["As"]


def test_a_covered_card_keeps_its_name() -> None:
    before = [_piece("As", 0), _piece("Kd", 25)]
    changes = compare(before, [_piece("Kd", 26), _piece("9c", 50)])
    assert [piece.label for piece in changes.kept] == ["As", "Kd", "9c"]
    assert [piece.label for piece in changes.came] == ["9c"]
    assert not changes.left


def test_what_lay_there_before_a_card_came_does_not_cover_it() -> None:
    """An arm was taken for a back, and all that is seen when it is gone are the cards that lay there before."""
    cards = [_piece("6d", 0), _piece("2c", 70)]
    phantom = _piece("??", 20, up=False)
    assert compare([*cards, phantom], cards).left == (phantom,)
    assert compare([phantom, *cards], cards).left == ()


def test_where_nothing_changed_nothing_left() -> None:
    before = [_piece("As", 0), _piece("Kd", 100)]
    assert not compare(before, [_piece("As", 0)], changed_share=lambda piece: 0.0).left
    assert [piece.label for piece in compare(before, [_piece("As", 0)]).left] == ["Kd"]


def test_a_half_read_card_is_the_one_that_lay_there() -> None:
    changes = compare([_piece("A?", 0, conf=0.5)], [_piece("As", 3)])
    assert [piece.label for piece in changes.kept] == ["As"]
    assert not changes.came


def test_two_equal_cards_of_two_decks_are_two() -> None:
    changes = compare([_piece("7d", 0)], [_piece("7d", 1), _piece("7d", 27)])
    assert [piece.at[0] for piece in changes.came] == [27]


def test_the_amount_most_readings_agree_on_is_elected() -> None:
    three, four = (Pile(chips=("red",) * count, conf=0.9, at=(0, 0), region=()) for count in (3, 4))
    piles, conf = elected([[three], [four], [three]])
    assert len(piles[0].chips) == 3
    assert conf < 0.7


def test_events_leave_in_order_and_can_be_mended_while_they_wait() -> None:
    room = WaitingRoom()
    late = room.add(Card(t=5.0, at="box1", card="??"))
    room.add(Chips(t=3.0, at="box1/main", amount=10))
    assert [event.t for event in room.release(4.0)] == [3.0]
    assert room.amend(late, Card(t=5.0, at="box1", card="As"))
    room.add(Card(t=2.0, at="box2", card="9c"))  # too late for its time
    assert [(event.t, getattr(event, "card", None)) for event in room.release(9.0)] == [(3.0, "9c"), (5.0, "As")]
    assert not room.amend(late, Card(t=5.0, at="box1", card="Ah"))


def test_tiles_that_are_set_were_not_dealt_anew() -> None:
    row = [_piece(name, x) for name, x in (("teen", -41), ("day", -14), ("bon", 14), ("foo", 41))]
    part = [_at("teen", -55, -14), _at("bon", -55, 14), _at("day", 20, 0), _at("foo", 47, 0)]
    changes = compare(row, part)
    assert not changes.came
    assert not changes.left
    assert [piece.label for piece in changes.kept] == ["teen", "day", "bon", "foo"]
    assert changes.was == tuple(row)


def test_a_back_that_is_overlooked_has_not_become_the_one_that_came() -> None:
    backs = [_piece("??", x, up=False) for x in (-41, -14)]
    came = _piece("??", 14, up=False)
    changes = compare(backs, [came], changed_share=lambda piece: 1.0 if piece.at[0] > 0 else 0.0)
    assert changes.came == (came,)
    assert len(changes.kept) == 3


def test_a_hand_of_tiles_is_told_as_it_was_set_and_again_when_it_is_set_otherwise() -> None:
    room = WaitingRoom()
    table = CardTable(room)
    box = load_plan("act-paigow").zone("box1")
    for names in (["teen", "bon", "day", "foo"], ["teen", "day", "bon", "foo"], ["teen", "day", "bon", "foo"]):
        places = [(-55, -14), (-55, 14), (20, 0), (47, 0)]
        tiles = [_at(name, *box.from_middle(*at)) for name, at in zip(names, places, strict=True)]
        table.conclude(box, [tiles, tiles], Evidence(t=1.0, cam="table", frame=12))
    told = [event for event in room.release(9.0) if isinstance(event, Set)]
    assert [(event.low, event.high) for event in told] == [
        (["teen", "bon"], ["day", "foo"]), (["teen", "day"], ["bon", "foo"])
    ]  # fmt: skip


def test_three_dice_are_told_and_two_are_not() -> None:
    room = WaitingRoom()
    table = CardTable(room)
    dice = [_piece("4", 0), _piece("??", 30), _piece("1", 60, conf=0.7)]
    table.thrown([dice[:2]], Evidence(t=1.0, cam="table", frame=12))
    table.thrown([dice, dice], Evidence(t=2.0, cam="table", frame=25))
    (thrown,) = room.release(9.0)
    assert isinstance(thrown, Dice)
    assert (thrown.faces, thrown.conf) == ([4, None, 1], 0.7)


def test_dice_are_not_thrown_while_tiles_lie_dealt() -> None:
    room, box = WaitingRoom(), load_plan("act-paigow").zone("box2")
    table = CardTable(room)
    tile = _at("??", *box.at)
    table.conclude(box, [[tile], [tile]], Evidence(t=1.0, cam="table", frame=12))
    table.thrown([[_piece(face, 30 * n) for n, face in enumerate("411")]], Evidence(t=2.0, cam="table", frame=25))
    assert not any(isinstance(event, Dice) for event in room.release(9.0))


def test_two_sure_names_side_by_side_are_two_cards_though_one_covers_the_other() -> None:
    for conf, came in ((0.99, ["Ad"]), (0.9, [])):
        before, now = [_piece("As", 0, conf=conf)], [_piece("Ad", 9, conf=conf)]
        assert [piece.label for piece in compare(before, now).came] == came


def test_a_card_that_nobody_reads_is_not_taken_away_by_its_player() -> None:
    zone = load_plan("tas-holdem").zone("box4")
    for by, gone in (("player", 0), ("dealer", 1)):
        room = WaitingRoom()
        table = CardTable(room)
        backs = [_at("??", *zone.from_middle(x, 0)) for x in (-40.0, 40.0)]
        for t, lying in ((1.0, backs), (5.0, backs[:1])):
            table.conclude(zone, [lying, lying], Evidence(t=t, cam="table", frame=1, by=cast(By, by)))
        assert sum(isinstance(event, Gone) for event in room.release(9.0)) == gone


def test_a_card_that_covers_no_bare_felt_is_a_misread_part_of_another() -> None:
    def square(piece: Piece) -> list[tuple[float, float]]:
        x, y = piece.at
        return [(x, y), (x + 40, y), (x + 40, y + 40), (x, y + 40)]

    covered = np.zeros((60, 200), np.bool_)
    covered[:40, 60:120] = True  # an older card ends at 60; the next of the fan covers what follows, and one more
    plan = load_plan("act-baccarat")
    rest = Rest(zone=plan.zone("player"), t=1.0, stirred_from=0.5, touched={}, is_different=True)
    inquiry = Inquiry(
        rest=rest, frame=1, new=_pixels(covered), occupied=_pixels(covered), covered=_pixels(covered)
    )  # fmt: skip
    older, next_one, beyond = _at("9c", 15, 0), _at("As", 40, 0), _at("Kd", 80, 0)
    phantom = replace(_at("T?", 45, 0), conf=0.5)
    shaded = replace(_at("??", 15, 0), up=False)
    assert inquiry.fresh([phantom, older, next_one, beyond, shaded], square) == [next_one, beyond]
    assert inquiry.fresh([older, shaded], square, is_pile=True) == [shaded]
    over_the_edge, as_far = _at("Qs", 175, 0), replace(_at("??", 175, 0), up=False)  # a third of them lies beyond
    assert inquiry.fresh([over_the_edge], square) == [over_the_edge]
    assert inquiry.fresh([as_far], square) == []


def test_a_card_that_was_turned_came_as_it_came() -> None:
    """Its face, read ever better, is told by the turn; the event of how it was dealt stays that of a back."""
    room, zone = WaitingRoom(), load_plan("act-canberra-poker").zone("dealer")
    table = CardTable(room)
    back, face = _piece("??", 0, up=False), _piece("Kc", 0, conf=0.8)
    for t, lying in enumerate([back, face, replace(face, conf=0.95)], start=1):
        table.conclude(zone, [[lying]], Evidence(t=float(t), cam="table", frame=t))
    dealt, turned = room.release(9.0)
    assert isinstance(dealt, Card)
    assert isinstance(turned, Turn)
    assert (dealt.card, dealt.t) == ("??", 1.0)
    assert (turned.card, turned.conf, turned.t) == ("Kc", 0.95, 2.0)


def test_a_back_put_on_a_back_is_one_more_where_cards_are_piled() -> None:
    room, burn = WaitingRoom(), load_plan("tas-holdem").zone("burn")
    table = CardTable(room)
    back = _piece("??", 0, up=False)
    for t, changed in enumerate([1.0, 0.25, 0.0, 0.25], start=1):
        changed_share = dict.fromkeys([back, replace(back, conf=0.5)], changed).__getitem__
        table.conclude(burn, [[back]], Evidence(t=float(t), cam="table", frame=t), changed_share, may_pile=t < 4)
    told = [event for event in room.release(9.0) if isinstance(event, Card)]
    assert [(event.t, event.there) for event in told] == [(1.0, None), (2.0, 0.5), (3.0, 0.5)], "a back changes little"


def test_a_card_that_changed_the_picture_came_for_certain_and_one_that_hardly_did_is_as_sure_as_its_reading() -> None:
    def told(changed: float, label: str = "As") -> float | None:
        room = WaitingRoom()
        card = [_piece(label, 0, conf=0.6)]
        place = load_plan("act-blackjack").zone("box1")
        CardTable(room).conclude(place, [card, card], Evidence(t=1.0, cam="table", frame=12), lambda piece: changed)
        (event,) = room.release(9.0)
        assert isinstance(event, Card)
        return event.there

    assert told(0.95) is None
    assert told(0.4) == 0.6
    assert told(0.4, "??") is None
    assert told(0.2, "??") == 0.5


def test_backs_that_are_held_over_a_place_for_a_moment_were_never_laid_there() -> None:
    for lay_s, told in ((0.3, []), (2.0, ["Card", "Gone"])):
        room, zone = WaitingRoom(), load_plan("act-blackjack").zone("box1#2")
        table = CardTable(room)
        table.conclude(zone, [[_piece("??", 0, up=False)]], Evidence(t=1.0, cam="table", frame=1))
        table.conclude(zone, [[]], Evidence(t=1.0 + lay_s, cam="table", frame=2))
        assert [type(event).__name__ for event in room.release(9.0)] == told


def test_readings_that_differ_in_the_suit_alone_leave_the_rank_sure() -> None:
    spade, club = (replace(_piece(label, 0, conf=0.55), rank_conf=0.98) for label in ("3s", "3c"))
    (three,) = voted([[spade], [spade], [club]])
    assert (three.label, three.conf < 0.5, three.rank_conf) == ("3s", True, 0.98)
    jack, joker = (replace(_piece(label, 0, conf=0.9), rank_conf=0.98) for label in ("Jh", "Jkr"))
    (either,) = voted([[jack], [jack], [joker]])
    assert (either.label, either.rank_conf < 0.8) == ("Jh", True)
    room = WaitingRoom()
    CardTable(room).conclude(load_plan("act-baccarat").zone("banker"), [[spade]] * 2, Evidence(t=1.0, cam="", frame=1))
    (event,) = room.release(9.0)
    assert isinstance(event, Card)
    assert (event.card, event.conf, event.rank_conf) == ("3s", 0.55, 0.98)


def test_what_any_look_at_a_card_leaves_open_stays_open() -> None:
    king, queen = (
        replace(_piece(label, 0, conf=0.7), maybe=(label, other)) for label, other in (("Kh", "Qh"), ("Qh", "Jh"))
    )
    assert set(voted([[king], [king], [queen]])[0].maybe) == {"Kh", "Qh", "Jh"}
    assert voted([[king], [king], [replace(queen, maybe=())]])[0].maybe == ()
    room = WaitingRoom()
    CardTable(room).conclude(load_plan("act-baccarat").zone("banker"), [[king]] * 2, Evidence(t=1.0, cam="", frame=1))
    (event,) = room.release(9.0)
    assert isinstance(event, Card)
    assert event.maybe == ["Kh", "Qh"]


def test_a_pile_that_looks_as_before_may_have_grown_by_a_card() -> None:
    room, burn = WaitingRoom(), load_plan("tas-holdem").zone("burn")
    table = CardTable(room)
    evidence = Evidence(t=1.0, cam="table", frame=1, by="dealer")
    table.may_have_grown(burn, evidence)
    assert room.release(9.0) == [], "where nothing lies, nothing is hidden"
    table.conclude(burn, [[_piece("??", 0, up=False)]], evidence)
    table.may_have_grown(burn, replace(evidence, t=2.0))
    first, second = room.release(9.0)
    assert isinstance(first, Card)
    assert isinstance(second, Card)
    assert (first.there, second.there) == (None, 0.5)


def test_a_row_of_burnt_cards_is_counted_until_it_has_reached_its_end() -> None:
    """Mini-Baccarat's lie side by side: one that comes shows, and the card that says how many is as sure as read."""
    room, burn = WaitingRoom(), load_plan("act-baccarat").zone("burn")
    table, lying = CardTable(room), []
    for number in range(12):
        card = _piece("??", 0, up=False) if number else _piece("5c", 0)
        lying.append(replace(card, at=burn.from_middle(24 * number - 133, 0)))
        evidence = Evidence(t=number + 0.5, cam="table", frame=number, by="dealer")
        table.conclude(burn, [lying], evidence, may_pile=True)
        table.may_have_grown(burn, replace(evidence, t=number + 0.9))
    told = [event for event in room.release(99.0) if isinstance(event, Card)]
    assert [event.t for event in told] == [*(number + 0.5 for number in range(12)), 11.9]
    assert [event.there for event in told] == [*(None for _ in range(12)), 0.5]
    assert told[0].conf == lying[0].conf


def test_what_only_seemed_to_lie_where_a_card_comes_later_is_told_when_that_comes() -> None:
    """A stack was pushed from before a hand: a strip of the card behind it looked like one more."""
    room = WaitingRoom()
    table = CardTable(room)
    strip, queen = replace(_piece("??", 0, conf=0.6), up=True), _piece("Qs", 10)
    zone = load_plan("tas-stud").zone("box6")
    for t, piece, changed in ((1.0, strip, 0.3), (4.0, queen, 0.6)):
        changed_share = dict.fromkeys([strip, queen], changed).__getitem__
        table.conclude(zone, [[piece]], Evidence(t=t, cam="table", frame=int(t)), changed_share)
    assert [(event.t, event.card) for event in room.release(9.0) if isinstance(event, Card)] == [(4.0, "Qs")]


@pytest.mark.parametrize(
    ("label", "came_s", "told"),
    [("4d", 0.3, [("Gone", "banker")]), ("4d", 3.0, [("Gone", None), ("Card", None)]),
     ("5d", 0.3, [("Gone", None), ("Card", None)])],
)  # fmt: skip
def test_a_card_that_is_put_right_is_moved_and_not_dealt_anew(
    label: str, came_s: float, told: list[tuple[str, str | None]]
) -> None:
    room, plan = WaitingRoom(), load_plan("act-baccarat")
    table, player, banker = CardTable(room), plan.zone("player"), plan.zone("banker")
    table.conclude(player, [[_piece("7s", 0), _piece("4d", 100)]] * 2, Evidence(t=1.0, cam="table", frame=1))
    table.conclude(player, [[_piece("7s", 0)]] * 2, Evidence(t=5.0, cam="table", frame=2))
    table.conclude(banker, [[_piece(label, 0)]] * 2, Evidence(t=5.0 + came_s, cam="table", frame=3))
    events = [event for event in room.release(99.0) if event.t > 1.0]
    assert [(type(event).__name__, getattr(event, "to", None)) for event in events] == told


@pytest.mark.parametrize(
    ("twin_conf", "is_one_deck", "told"),
    [(0.03, True, ["3c", "3s"]), (0.03, False, ["3s", "3s"]), (0.000001, True, ["3s", "3s"])],
)
def test_of_two_cards_of_one_name_and_one_deck_the_doubtful_one_is_the_other_suit_s(
    twin_conf: float, is_one_deck: bool, told: list[str]
) -> None:
    """Whichever came first; one that is surely there twice is."""
    first, second = (load_plan("act-canberra-poker").zone(name) for name in ("box1", "box2"))
    doubtful = replace(_at("3s", *first.at), conf=0.969, rank_conf=0.999, twin_conf=twin_conf)
    sure = replace(_at("3s", *second.at), conf=0.999, twin_conf=0.0005)
    for order in (((first, doubtful), (second, sure)), ((second, sure), (first, doubtful))):
        room = WaitingRoom()
        table = CardTable(room, is_one_deck=is_one_deck)
        for t, (zone, piece) in enumerate(order):
            table.conclude(zone, [[piece], [piece]], Evidence(t=float(t), cam="table", frame=12))
        cards = [event for event in room.release(9.0) if isinstance(event, Card)]
        assert sorted(event.card for event in cards) == told
        assert all(event.conf is not None and event.conf > 0.95 for event in cards)


def test_a_card_laid_beside_one_that_was_not_read_is_not_that_one() -> None:
    """A hole card taken for an unread face got the name of the open card that came beside it, as if dealt face up."""
    hole, open_card = replace(_piece("??", 0), conf=0.6), _piece("Qs", 24)
    changes = compare([hole], [open_card])
    assert changes.came == (open_card,)
    assert [piece.label for piece in changes.kept] == ["??", "Qs"]
    (read,) = compare([hole], [_piece("Qs", 6)]).kept  # the same, read at last
    assert read.label == "Qs"


def test_what_is_told_too_late_for_its_time_says_when_it_happened() -> None:
    room = WaitingRoom()
    room.add(Card(at="dealer", card="As", t=5.0))
    room.release(6.0)
    room.add(Card(at="box1", card="Kd", t=4.0))
    (late,) = room.release(6.0)
    assert (late.t, late.since) == (5.0, 4.0)


def test_a_card_over_which_an_arm_was_may_have_come_when_it_reached_there() -> None:
    rest = Rest(zone=load_plan("act-blackjack").zone("dealer"), t=9.0, stirred_from=8.0, touched={}, is_different=True)
    assert rest.since == 8.0
    assert replace(rest, stirred_from=9.0).since is None
    assert replace(rest, zone=load_plan("act-blackjack").zone("box1/main")).since is None


def test_a_card_put_exactly_where_another_lay_is_another_where_both_are_surely_read_and_the_print_changed() -> None:
    """Two cards dealt to each other's hand were exchanged: the second took the very place of the first."""
    lay, lies = (replace(_piece(name, 0), conf=1.0, rank_conf=1.0) for name in ("Ah", "2h"))
    changes = compare([lay], [lies], lambda piece: 0.2)
    assert (changes.left, changes.came, changes.kept) == ((lay,), (lies,), (lies,))
    for name, sure, share in (("2h", 1.0, 0.02), ("2h", 0.9, 0.2), ("?h", 1.0, 0.2)):  # or it was misread
        read = replace(lies, label=name, rank_conf=sure)
        (kept,) = compare([lay], [read], lambda piece, share=share: share).kept  # type: ignore[misc]
        assert kept.label == "Ah"
    over = replace(_piece("Kd", 15), conf=1.0, rank_conf=1.0)  # covered by what came, it is misread
    for before in ([lay], [lay, over]):  # or by what came before
        assert "Ah" in [piece.label for piece in compare(before, [lies, over], lambda piece: 0.2).kept]


def test_two_cards_that_were_exchanged_were_moved_and_not_dealt() -> None:
    """The first is seen at its new place before the other takes its old one."""
    room = WaitingRoom()
    table, plan = CardTable(room), load_plan("act-baccarat")
    player, banker = plan.zone("player"), plan.zone("banker")
    sure = {name: replace(_piece(name, at), conf=1.0, rank_conf=1.0) for name, at in (("Ah", 0), ("2h", 0), ("Kd", 80))}

    def lies(zone: Zone, t: float, *names: str) -> None:
        table.conclude(zone, [[sure[name] for name in names]], Evidence(t=t, by="dealer", cam="table", frame=1))

    lies(banker, 1.0, "Ah", "Kd")
    lies(player, 2.0, "2h", "Kd")
    lies(player, 3.0, "Ah", "Kd")
    lies(banker, 3.2, "2h", "Kd")
    moved = [(each.at, each.cards, each.to) for each in room.release(9.0) if isinstance(each, Gone)]
    assert moved == [("banker", ["Ah"], "player"), ("player", ["2h"], "banker")]


@pytest.mark.parametrize(("came_s", "left"), [(0.5, 0), (2.0, 1)])
def test_a_card_that_changes_its_place_within_its_hand_never_left_it(came_s: float, left: int) -> None:
    """It was exchanged for another of its name, and one of the two was not surely read."""
    room, banker = WaitingRoom(), load_plan("act-baccarat").zone("banker")
    table, six = CardTable(room), replace(_piece("6h", 80), conf=1.0)
    doubtful, sure = replace(_piece("2c", 0), conf=0.78), replace(_piece("2s", 160), conf=0.98)
    for t, lies in ((1.0, [doubtful, six]), (2.0, [six]), (2.0 + came_s, [six, sure])):
        table.conclude(banker, [lies], Evidence(t=t, by="dealer", cam="table", frame=1))
    events = room.release(9.0)
    assert sum(isinstance(event, Gone) for event in events) == left
    assert [event.card for event in events if isinstance(event, Card)] == (["2c", "6h", "2s"] if left else ["2s", "6h"])


def test_a_back_that_looks_as_before_was_not_turned() -> None:
    """An index of the card beside it was read as another card's, which then lay about where the back lies."""
    back, face = _piece("??", 60, up=False), _piece("9s", 45, conf=0.6)
    assert compare([back], [face], lambda piece: 0.05).turned == ()
    (turned,) = compare([back], [face], lambda piece: 0.8).turned
    assert turned.label == "9s"


def test_what_looks_like_an_open_card_that_a_player_put_down_is_hardly_one() -> None:
    """A stack that was pushed before the cards hid a part of them."""
    zone, face = load_plan("tas-stud").zone("box5"), replace(_piece("??", 0), conf=0.6)
    for by, there in (("player", 0.5), ("dealer", None)):
        card = laid(zone, face, Evidence(t=1.0, by=cast(By, by), cam="table", frame=1), 0.9, is_piled=False)
        assert isinstance(card, Card)
        assert card.there == there
