"""The gate and the watcher on a paper table: cards, chips, hands and signs become the events they should."""

import math
from collections.abc import Sequence
from dataclasses import replace

import av
import numpy as np
import pytest

from auditor.log import Call, Card, Chips, Feed, Gone, Marker, Turn
from datasets.casino.cameras import preset
from paper_table import DEALER, PLAYER_3, Film, PaperTable
from vision.camera import CalibrationPoint, View
from vision.frames import Frame
from vision.plan import Zone
from vision.table_file import read_table
from vision.watcher import TableWatcher


def _of(events: Sequence[object], *kinds: type) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for event in events:
        if isinstance(event, kinds):
            value = getattr(event, "card", None) or getattr(event, "amount", None)
            found.append((type(event).__name__, getattr(event, "at", None), value))
    return found


def test_cards_dealt_one_after_another_keep_their_order_and_names() -> None:
    film = Film()
    cleared = []
    for label, box, right in (("As", "box3", -20), ("Kd", "dealer", -60), ("9c", "box3", 8)):
        film.reach(DEALER, film.zone(box).at)
        film.paper.lay(film.zone(box), label, right)
        film.still(0.1)
        cleared.append(film.withdraw())
    cards = [event for event in film.events() if isinstance(event, Card)]
    assert [(card.at, card.card) for card in cards] == [("box3", "As"), ("dealer", "Kd"), ("box3", "9c")]
    assert all(math.isclose(card.t, t, abs_tol=0.25) for card, t in zip(cards, cleared, strict=True))
    assert all(card.cam == "table" and card.frame is not None for card in cards)


def _dealers_second_card() -> tuple[Film, Zone]:
    """A card lies in the dealer's place, and his hand has just laid another."""
    film = Film()
    zone = film.zone("dealer")
    film.reach(DEALER, zone.from_middle(-60, 0))
    film.paper.lay(zone, "Kd", -60)
    film.withdraw()
    film.reach(DEALER, zone.from_middle(10, 0))
    film.paper.lay(zone, "8c", 10)
    return film, zone


def test_a_card_that_is_gathered_before_its_place_rests_is_told_if_two_glimpses_show_it_alike() -> None:
    film, zone = _dealers_second_card()
    for _ in range(3):  # for a picture at a time no arm is over it
        film.paper.arms = []
        film.still(1 / 12.5)
        for step in range(4):
            film.paper.arms = [(DEALER, zone.from_middle(10 + 12 * (step % 2), 30))]
            film.still(1 / 12.5)
    film.reach(DEALER, zone.from_middle(0, 0))
    film.paper.cards.clear()
    film.withdraw()
    assert _of(film.events(), Card) == [("Card", "dealer", "Kd"), ("Card", "dealer", "8c")]


def test_a_card_that_is_gathered_before_its_place_rests_is_told_if_it_lay_in_plain_sight() -> None:
    film, zone = _dealers_second_card()
    laid = film.t
    for step in range(20):  # his arm works over the other end of the place
        film.paper.arms = [(DEALER, zone.from_middle(150 + 12 * (step % 2), -20))]
        film.still(1 / 12.5)
    film.reach(DEALER, zone.from_middle(0, 0))
    film.paper.cards.clear()
    film.withdraw()
    events = film.events()
    assert _of(events, Card) == [("Card", "dealer", "Kd"), ("Card", "dealer", "8c")]
    told = [event.t for event in events if isinstance(event, Card)]
    assert math.isclose(told[1], laid, abs_tol=0.25)
    gone = [event for event in events if isinstance(event, Gone)]
    assert [(event.at, event.cards) for event in gone] == [("dealer", None)]


def test_a_card_that_an_arm_half_covers_is_not_read_before_its_place_rests() -> None:
    film = Film()
    zone = film.zone("dealer")
    film.reach(DEALER, zone.from_middle(10, 0))
    film.paper.lay(zone, "8c", 10)
    for step in range(20):
        film.paper.arms = [(DEALER, zone.from_middle(20 + 12 * (step % 2), -10))]
        film.still(1 / 12.5)
    assert zone not in film.paper.asked
    film.withdraw()
    assert _of(film.events(), Card) == [("Card", "dealer", "8c")]


def test_who_put_chips_down_is_told_from_where_the_arm_came() -> None:
    film = Film()
    spot = film.zone("box3/main")
    film.reach(PLAYER_3, spot.at)
    film.paper.chips["box3/main"] = ("red", "red")
    film.withdraw()
    film.reach(DEALER, spot.at)
    film.paper.chips["box3/main"] = ("red", "red", "red", "red", "red")
    film.withdraw()
    chips = [event for event in film.events() if isinstance(event, Chips)]
    assert [(event.at, event.amount, event.by) for event in chips] == [
        ("box3/main", 10, "player"), ("box3/main", 25, "dealer")
    ]  # fmt: skip


def test_an_arm_that_comes_in_where_dealer_and_player_meet_names_nobody() -> None:
    """The dealer's at the farthest box was once taken for the player's, who then seemed to keep a lost wager."""
    film = Film()
    spot = film.zone("box1/main")
    for start in ((750.0, -60.0), (spot.at[0] + 200, spot.at[1] + 100), (600.0, -60.0)):
        film.reach(start, spot.at)
        film.paper.chips["box1/main"] = ("red",) * (2 + len(film.paper.chips.get("box1/main", ())))
        film.withdraw()
    chips = [event for event in film.events() if isinstance(event, Chips)]
    assert [(event.at, event.amount, event.by) for event in chips] == [
        ("box1/main", 10, None), ("box1/main", 20, "player"), ("box1/main", 30, "dealer")
    ]  # fmt: skip


def test_chips_that_were_not_read_make_the_spot_uncertain_and_not_empty() -> None:
    film = Film()
    spot = film.zone("box3/main")
    film.reach(PLAYER_3, spot.at)
    film.paper.spots = {"box3/main": 230}  # something stands there that the reader does not know
    film.withdraw()
    film.reach(PLAYER_3, spot.at)
    film.paper.spots = {}
    film.withdraw()
    chips = [event for event in film.events() if isinstance(event, Chips)]
    assert [(event.at, event.amount > 0, (event.conf or 1) < 0.5) for event in chips] == [
        ("box3/main", True, True), ("box3/main", False, False)
    ]  # fmt: skip


def test_cards_behind_a_stack_are_no_question_for_its_spot() -> None:
    """They are seen in the part of the picture that a high stack would fill."""
    film = Film()
    film.reach(PLAYER_3, film.zone("box3/main").at)
    film.paper.chips["box3/main"] = ("red",)
    film.withdraw()
    film.reach(DEALER, film.zone("box3").at)
    film.paper.lay(film.zone("box3"), "As", 0)
    film.withdraw()
    asked = [zone.name for zone in film.paper.asked]
    events = film.events()
    assert _of(events, Card, Chips) == [("Chips", "box3/main", 5), ("Card", "box3", "As")]
    assert set(asked[asked.index("box3") :]) == {"box3"}


def test_a_dark_chip_on_dark_felt_is_told_from_a_shadow_by_its_marks() -> None:
    """Read by nobody, it makes the spot uncertain; a shadow that lies there does not."""
    for marks in (True, False):
        film = Film()
        film.reach(PLAYER_3, film.zone("box3/main").at)
        film.paper.spots = {"box3/main": 40}
        film.paper.marks = 5 if marks else 0
        film.withdraw()
        assert [event.at for event in film.events() if isinstance(event, Chips)] == ["box3/main"] * marks


def test_a_hand_that_rests_over_cards_hides_them_and_takes_none_away() -> None:
    film = Film()
    film.reach(DEALER, film.zone("box3").at)
    film.paper.lay(film.zone("box3"), "As", 0)
    film.withdraw()
    film.reach(PLAYER_3, film.zone("box3").from_middle(0, -60))
    film.still(2.0)
    film.withdraw()
    events = film.events()
    assert _of(events, Card, Gone) == [("Card", "box3", "As")]
    calls = [(event.what, event.at, event.by) for event in events if isinstance(event, Call)]
    assert calls == [("stand", "box3", "player")]


def laid_under_a_hand_of(seconds: float, *, is_card: bool = True) -> list[object]:
    """A player's hand lies over his cards for so long; meanwhile a card may come."""
    film = Film()
    film.reach(PLAYER_3, film.zone("box3").at)
    film.still(0.4)
    if is_card:
        film.paper.lay(film.zone("box3"), "As", 0)
    film.still(seconds - 0.8)
    film.withdraw()
    return film.events()


def test_cards_that_came_under_a_hand_that_lay_there_for_long_were_out_of_sight() -> None:
    """When they came, and what came before them, nobody saw."""
    blocked, back, card = [event for event in laid_under_a_hand_of(3.0) if isinstance(event, Feed | Card)]
    assert isinstance(blocked, Feed)
    assert isinstance(back, Feed)
    assert isinstance(card, Card)
    assert (blocked.state, back.state) == ("blocked", "back")
    assert blocked.t < 1.2
    assert back.t == card.t > 3.0


def test_a_hand_that_is_soon_gone_or_hid_nothing_blocks_no_view() -> None:
    for events in (laid_under_a_hand_of(1.2), laid_under_a_hand_of(4.0, is_card=False)):
        assert not [event for event in events if isinstance(event, Feed)]


def test_a_place_for_cards_that_a_hand_keeps_hidden_is_out_of_sight_whatever_comes() -> None:
    feeds = [event for event in laid_under_a_hand_of(8.0, is_card=False) if isinstance(event, Feed)]
    assert [feed.state for feed in feeds] == ["blocked", "back"]
    assert feeds[0].t < 1.2
    assert feeds[1].t > 8.0


def test_chips_under_a_hand_that_lay_there_for_long_are_told_from_when_it_came() -> None:
    """It may have come before betting closed, and the chips with it."""
    film = Film()
    film.reach(PLAYER_3, film.zone("box3/main").at)
    came = film.t
    film.paper.chips["box3/main"] = ("red",)
    film.still(3.0)
    film.withdraw()
    (chips,) = [event for event in film.events() if isinstance(event, Chips)]
    assert chips.t < came


def test_a_card_over_which_the_arm_passes_at_once_again_is_told_from_when_it_was_first_seen() -> None:
    """What the dealer does next, at a box beyond, is done after it."""
    film = Film()
    film.reach(DEALER, film.zone("dealer").at)
    film.paper.lay(film.zone("dealer"), "Kd", 0)
    film.still(0.2)
    film.paper.arms = []
    seen = film.t
    film.still(2 / 25)
    film.reach(DEALER, film.zone("box3/main").at, seconds=1.0)
    film.withdraw()
    (card,) = [event for event in film.events() if isinstance(event, Card)]
    assert math.isclose(card.t, seen, abs_tol=0.15)


def test_winnings_that_were_taken_up_at_once_leave_it_uncertain_that_the_stake_was_taken() -> None:
    """They lay there for two frames, which is too short to read them."""
    film = Film()
    spot = film.zone("box3/main")
    film.reach(PLAYER_3, spot.at)
    film.paper.chips["box3/main"] = ("red",)
    film.withdraw()
    film.reach(DEALER, spot.at)
    film.paper.chips["box3/main"] = ("red",) * 9
    film.paper.arms = []
    film.still(4 / 25)
    film.paper.arms = [(PLAYER_3, spot.at)]
    film.still(2 / 25)
    film.paper.chips["box3/main"] = ()
    film.withdraw()
    stake, taken = [event for event in film.events() if isinstance(event, Chips)]
    assert (stake.amount, taken.amount) == (5, 0)
    assert (taken.conf or 1) < 0.9


def test_that_something_may_have_come_and_gone_under_a_hand_is_told_once() -> None:
    """The dealer's hand stays where another lies: nothing new is to be told of it from look to look."""
    gate = Film().watcher.gate
    doing = gate.zones["box3/main"].doing
    doing.stirred_from = 0.0
    told = []
    for t in (1.0, 2.0, 2.2, 2.4):
        doing.touched["dealer"] = doing.touched.get("dealer", 0.0) + 0.2
        told += [(t, zone.name) for zone in gate.hidden(t)]
    assert told == [(2.0, "box3/main")]


def test_what_came_while_frames_were_missing_was_not_seen_to_come() -> None:
    film = Film()
    film.index += 10  # 0.4 s: long enough for a hand
    film.paper.lay(film.zone("box3"), "As", 0)
    film.paper.chips["box5/main"] = ("red",)
    film.still(1.0)
    events = film.events()
    assert [event.state for event in events if isinstance(event, Feed)] == ["blocked", "back"]
    assert [(event.conf or 1) < 0.9 for event in events if isinstance(event, Chips)] == [True]


def test_cards_that_came_to_rest_at_once_are_told_in_their_order_though_one_is_harder_to_read() -> None:
    film = Film()
    film.index += 10
    for place, conf in (("box2", 0.99), ("box3", 0.7), ("box4", 0.99)):
        film.paper.lay(film.zone(place), "As", 0)
        film.paper.cards[place] = [replace(card, conf=conf) for card in film.paper.cards[place]]
    film.still(1.0)
    cards = [event for event in film.events() if isinstance(event, Card)]
    assert len({card.t for card in cards}) == 1
    assert [card.at for card in cards] == ["box2", "box3", "box4"]


def test_a_face_down_card_is_turned_and_all_cards_leave() -> None:
    film = Film()
    dealer = film.zone("dealer")
    film.reach(DEALER, dealer.at)
    film.paper.lay(dealer, "??", -40, up=False)
    film.withdraw()
    film.reach(DEALER, dealer.at)
    film.paper.cards["dealer"] = [replace(film.paper.cards["dealer"][0], label="Qh", up=True)]
    film.withdraw()
    film.reach(DEALER, dealer.at)
    film.paper.cards["dealer"] = []
    film.withdraw()
    assert _of(film.events(), Card, Turn, Gone) == [
        ("Card", "dealer", "??"), ("Turn", "dealer", "Qh"), ("Gone", "dealer", None)
    ]  # fmt: skip


def _pair_of_eights() -> tuple[Film, Zone]:
    """A pair at box 3, the dealer's hand over it; and the place of its second hand."""
    film = Film()
    box = film.zone("box3")
    for label, right in (("8s", -20), ("8d", 8)):
        film.reach(DEALER, box.at)
        film.paper.lay(box, label, right)
        film.withdraw()
    film.reach(DEALER, box.at)
    return film, film.zone("box3#2")


def test_a_split_moves_a_card_and_deals_none() -> None:
    film, second = _pair_of_eights()
    film.paper.cards["box3"].pop()
    film.paper.lay(second, "8d", -20)
    film.withdraw()
    gone = [event for event in film.events() if isinstance(event, Gone)]
    assert [(event.at, event.cards, event.to) for event in gone] == [("box3", ["8d"], "box3#2")]


def test_a_split_is_told_once_though_the_card_is_seen_to_come_before_it_is_seen_to_leave() -> None:
    film, second = _pair_of_eights()
    film.paper.lay(second, "8d", -20)  # his hand hides the other place for longer
    film.withdraw()
    film.reach(DEALER, film.zone("box3").at)
    film.paper.cards["box3"].pop()
    film.withdraw()
    events = film.events()
    assert _of(events, Card) == [("Card", "box3", "8s"), ("Card", "box3", "8d")]
    gone = [event for event in events if isinstance(event, Gone)]
    assert [(event.at, event.cards, event.to) for event in gone] == [("box3", ["8d"], "box3#2")]


def test_the_same_card_of_another_deck_is_dealt_to_the_second_hand_and_not_moved_there() -> None:
    film = Film()
    box, second = film.zone("box3"), film.zone("box3#2")
    for zone, label, right in ((box, "3h", -20), (second, "3d", -20), (box, "Ks", 8), (second, "Ks", 8)):
        film.reach(DEALER, zone.at)
        film.paper.lay(zone, label, right)
        film.withdraw()
    assert _of(film.events(), Card, Gone) == [
        ("Card", "box3", "3h"), ("Card", "box3#2", "3d"), ("Card", "box3", "Ks"), ("Card", "box3#2", "Ks")
    ]  # fmt: skip


def test_winnings_beside_a_resting_hand_are_told_though_they_look_like_a_part_of_it() -> None:
    film = Film()
    spot = film.zone("box3/main")
    film.reach(PLAYER_3, spot.at)
    film.paper.chips["box3/main"] = ("red", "red")
    film.withdraw()
    resting = (PLAYER_3, spot.from_middle(0, 75))
    film.reach(*resting)
    film.still(0.4)
    film.paper.arms = [resting, (DEALER, spot.at)]
    film.still(0.2)
    film.paper.chips["box3/main"] = ("red",) * 4
    film.paper.spots = {}
    film.paper.arms = [(PLAYER_3, spot.from_middle(0, 62))]  # the stack hangs together with his hand
    film.still(0.6)
    film.paper.arms = [(PLAYER_3, spot.at)]
    film.still(0.2)
    del film.paper.chips["box3/main"]
    film.withdraw()
    told = [(event.amount, event.by) for event in film.events() if isinstance(event, Chips)]
    assert [amount for amount, _ in told] == [10, 20, 0]
    assert told[1][1] != "player"


def test_flickering_light_is_no_event() -> None:
    film = Film()
    film.reach(DEALER, film.zone("box3").at)
    film.paper.lay(film.zone("box3"), "As", 0)
    film.withdraw()
    for number in range(8):
        film.grey = 90 + 3 * (number % 2)
        film.still(0.3)
    assert _of(film.events(), Card, Gone, Chips) == [("Card", "box3", "As")]


def test_the_marker_is_told_where_it_comes_to_stand() -> None:
    film = Film()
    for box in ("box2", "box3"):
        film.reach(DEALER, film.zone(f"{box}/marker").at)
        film.paper.spots = {f"{box}/marker": 240}
        film.withdraw()
    assert [event.at for event in film.events() if isinstance(event, Marker)] == ["box2", "box3"]


def test_a_marker_over_which_a_hand_lies_since_the_dealer_s_was_there_may_have_gone() -> None:
    """Its place never rests, and nobody knows where it is; told once, from when the dealer's hand was there last."""
    film = Film()
    film.reach(DEALER, film.zone("box3/marker").at)
    film.paper.spots = {"box3/marker": 240}
    film.withdraw()
    doing, touched_t = film.watcher.gate.zones["box3/marker"].doing, film.t
    film.paper.arms = [(PLAYER_3, film.zone("box3/marker").at)]
    film.still(0.4)
    doing.touched["dealer"], doing.dealer_t = 0.3, touched_t
    film.still(2.0)
    markers = [event for event in film.events() if isinstance(event, Marker)]
    assert [(event.at, event.conf) for event in markers] == [("box3", None), ("box3", 0.5)]
    assert markers[1].t == touched_t


def test_the_dealer_s_hand_beside_one_that_rests_is_his() -> None:
    """Together they look like one arm from edge to edge: what was there before says where the one ends."""
    arms = Film().watcher.gate.arms
    across, down = (arms.mm[:, axis].reshape(arms.felt.shape) for axis in (0, 1))
    resting = (abs(across) < 50) & (down > 700) & (down < 1000)
    reaching = (abs(across - 20) < 50) & (down > 0) & (down < 720)
    before = arms.find(resting.astype(np.uint8))
    touching = (resting | reaching).astype(np.uint8)
    (player,), found = before.tips, arms.find(touching, before)
    assert sorted(owner for owner, _ in found.tips) == [1, player[0]]
    assert (dict(found.tips)[1][1] > 600, found.doubtful) == (True, ())
    assert [owner for owner, _ in arms.find(touching).tips] == [1]


def test_a_dark_sleeve_that_is_lost_before_the_dark_front_of_the_float_is_still_an_arm() -> None:
    """And a thing that lies on the felt by itself, farther from the dealer, is none."""
    arms = Film().watcher.gate.arms
    shape = arms.felt.shape
    across, down = arms.mm[:, 0].reshape(shape), arms.mm[:, 1].reshape(shape)
    sleeve = (abs(across - 100) < 40) & (down > -200) & (down < 400)
    hidden = (down > 55) & (down < 85)
    found = arms.find((sleeve & ~hidden).astype(np.uint8))
    assert [owner for owner, _ in found.tips] == [1]
    assert (found.owners[sleeve & (down > 85)] == 1).all()
    alone = arms.find((sleeve & (down > 200)).astype(np.uint8))
    assert alone.tips == ()


def test_a_dark_sleeve_is_an_arm_though_it_is_seen_again_only_beyond_the_front_of_the_float() -> None:
    arms = Film().watcher.gate.arms
    shape = arms.felt.shape
    across, down = arms.mm[:, 0].reshape(shape), arms.mm[:, 1].reshape(shape)
    sleeve = (abs(across - 100) < 40) & (down > -200) & (down < 400)
    for first, last in ((85, 118), (90, 125)):
        found = arms.find((sleeve & ~((down > first) & (down < last))).astype(np.uint8))
        assert [owner for owner, _ in found.tips] == [1]
        assert (found.owners[sleeve & (down > last)] == 1).all()


def _waved(film: Film) -> None:
    """Both of the dealer's arms go out to the sides and back."""
    for out in (120.0, 200.0, 280.0, 340.0, 340.0, 240.0, 120.0):
        film.paper.arms = [((side * 60.0, -60.0), (side * out, 300.0)) for side in (-1, 1)]
        film.still(0.1)
    film.paper.arms = []
    film.still(0.8)


def test_a_wave_closes_the_betting_and_arms_that_gather_dealt_cards_do_not() -> None:
    film = Film()
    _waved(film)
    film.reach(DEALER, film.zone("box3").at)
    film.paper.lay(film.zone("box3"), "As", 0)
    film.withdraw()
    film.still(2.5)
    _waved(film)
    calls = [event for event in film.events() if isinstance(event, Call) and event.what == "no_more_bets"]
    assert [call.t < 2 for call in calls] == [True]


def _begun_in_the_middle() -> Film:
    """A table that is first seen when cards and chips lie on it."""
    film = Film(seconds=0.0)
    film.paper.lay(film.zone("box3"), "As", -20)
    film.paper.lay(film.zone("dealer"), "??", 0, up=False)
    film.paper.chips["box3/main"] = ("red", "red")
    film.still(0.6)
    return film


def test_what_lies_there_when_the_footage_begins_came_while_nobody_looked() -> None:
    film = _begun_in_the_middle()
    events = film.events()
    assert sorted(_of(events, Card, Chips)) == [
        ("Card", "box3", "As"), ("Card", "dealer", "??"), ("Chips", "box3/main", 10),
    ]  # fmt: skip
    states = [event.state for event in events if isinstance(event, Feed)]
    assert set(states) == {"blocked", "back"}
    assert states[-1] == "back"
    assert all((event.conf or 1.0) <= 0.5 for event in events if isinstance(event, Chips))


def test_what_lay_there_when_the_footage_began_leaves_bare_felt() -> None:
    film = _begun_in_the_middle()
    film.reach(DEALER, film.zone("box3").at)
    film.paper.cards, film.paper.chips = {}, {}
    film.withdraw()
    film.reach(DEALER, film.zone("box3").at)
    film.paper.lay(film.zone("box3"), "9c", 10)
    film.withdraw()
    later = [event for event in film.events() if getattr(event, "t", 0.0) > 0.7]
    left, came = sorted(_of(later, Gone)), _of(later, Card)
    assert (left, came) == ([("Gone", "box3", None), ("Gone", "dealer", None)], [("Card", "box3", "9c")])


def test_felt_that_was_hidden_unnoticed_when_the_footage_began_is_no_card_when_it_shows() -> None:
    film = Film(seconds=0.0)
    film.paper.shade_of_backs = 110  # hardly brighter than felt
    film.paper.lay(film.zone("dealer"), "??", 0, up=False)
    film.still(0.6)
    film.reach(DEALER, film.zone("dealer").at)
    film.paper.cards = {}
    film.withdraw()
    before = len(film.paper.occupied_px["dealer"])
    film.reach(DEALER, film.zone("dealer").at)
    film.paper.lay(film.zone("dealer"), "9c", 100)
    film.withdraw()
    assert film.paper.occupied_px["dealer"][:before] == [0] * before
    assert _of(film.events(), Card) == [("Card", "dealer", "9c")]


def test_a_bare_table_begins_with_nothing() -> None:
    assert Film().events() == []


@pytest.mark.parametrize(("size", "told"), [((768, 432), ["blocked", "blocked"]), ((3840, 2160), ["blocked", "back"])])
def test_tiles_that_are_seen_from_too_far_to_be_counted_are_out_of_sight_for_good(
    size: tuple[int, int], told: list[str]
) -> None:
    """The table is dark for a while, in the middle."""
    table = read_table(b'table = "P"\nrulebook = "act-paigow"\n', "p.toml")
    camera, corners = preset("dome45", table.plan.felt, size), [(*corner, 0.0) for corner in table.plan.felt]
    pixels = camera.project(corners).tolist()
    points = [CalibrationPoint(px=(x, y), mm=mm) for (x, y), mm in zip(pixels, corners, strict=True)]
    view = View.from_points(points, size)
    watcher = TableWatcher(table, view, PaperTable(view), fps=12.5, hold_s=1000)
    for index, grey in enumerate([90] * 10 + [2] * 10 + [90] * 10):
        picture = np.full(size[::-1], grey + index % 2, np.uint8)
        decoded = av.VideoFrame.from_ndarray(picture, format="gray").reformat(format="yuv420p")
        watcher.feed(Frame(index=index, t=index / 12.5, decoded=decoded))
    assert [event.state for event in watcher.finish() if isinstance(event, Feed)] == told
