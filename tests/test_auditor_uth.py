"""Ultimate Texas Hold-em (NI2025-411), clause by clause: cards, wagers, dealing, betting, misdeals, tournaments."""

import random

import pytest

from playing import Answer, breaches, cited, unsure, wager
from uth_script import (
    BOARD, FIVES, GONE, KNOCK, WON, aces_win, back, bet, bets, cards, check, dealt, flop, fold, gathered,
    one_player, river, shown, taken, turned, uth,
)  # fmt: skip

# ---- the round as a whole ----------------------------------------------------------------------------------------


def test_a_clean_round() -> None:
    rounds = uth(aces_win())
    assert breaches(rounds) == unsure(rounds) == []
    assert [(each["at"], each["result"], each["due"], each["paid"], each["rule"]) for each in rounds[0]["wagers"]] == [
        ("box1/ante", "win", 10, 10, "9.5(a)"),
        ("box1/blind", "push", 0, 0, "9.6(c)(ii)"),
        ("box1/play", "win", 40, 40, "9.8(a)"),
    ]
    assert rounds[0]["status"] == "complete"


def test_rounds_follow_each_other_and_chips_left_standing_are_the_next_stake() -> None:
    second = "shuffle\n" + dealt() + "call fold box1 player\n" + taken("box1/ante", "box1/blind") + gathered("box1")
    first = aces_win(after=turned("box1", *FIVES) + taken("box1/play") + "chips box1/ante 0 dealer\n"
                     "chips box1/blind 0 dealer\nchips box1/ante 25 player\nchips box1/blind 25 player\n")  # fmt: skip
    rounds = uth(first + second)
    assert breaches(rounds) == []
    assert [round["round"] for round in rounds] == [1, 2]
    assert wager(rounds, "box1/ante", 1)["stake"] == 25
    assert wager(rounds, "box1/ante", 1)["result"] == "lose"


def test_the_log_ends_in_mid_round() -> None:
    script = aces_win().splitlines()
    for end in range(len(script)):
        rounds = uth("\n".join(script[:end]))
        assert breaches(rounds) == unsure(rounds) == [], script[end - 1]
        settled_all = end > script.index("chips box1/play 0 player")
        assert all(round["status"] == ("complete" if settled_all else "unfinished") for round in rounds)


def test_def_round_of_play_ends_with_the_last_wager() -> None:
    """Nobody was seen to gather the cards in: the next board is the next round's."""
    bare = aces_win().replace(gathered("box1"), "")
    rounds = uth(bare + bare)
    assert [round["status"] for round in rounds] == ["complete", "complete"]
    assert breaches(rounds) == []
    left_standing = bare.replace("chips box1/blind 0 player\n", "")
    rounds = uth(left_standing + left_standing.replace("chips box1/blind 10 player\n", ""))
    assert len(rounds) == 2
    assert breaches(rounds) == []


def test_def_round_of_play_ends_when_every_push_was_taken_up() -> None:
    tie = turned("box1", "9s", "Jc") + back("box1/ante", "box1/blind", "box1/play")
    rounds = uth(aces_win(after=tie).replace(gathered("box1"), "") + aces_win())
    assert [round["status"] for round in rounds] == ["complete", "complete"]
    assert breaches(rounds) == []


def test_def_round_of_play_a_machine_may_shuffle_meanwhile() -> None:
    """6.2(a): another deck, while this one is in play."""
    script = aces_win().replace("chips box1/play 80 dealer", "shuffle\nchips box1/play 80 dealer")
    rounds = uth(script.replace(dealt(), dealt(shoe="auto")), shoe="auto")
    assert len(rounds) == 1
    assert breaches(rounds) == []


def test_def_round_of_play_a_misdeal_is_a_round_of_its_own() -> None:
    misdealt = "shuffle\n" + bets() + cards("board") + "card board As\ncall misdeal dealer\n"
    for rest in (aces_win(), aces_win().removeprefix("shuffle\n")):
        rounds = uth(misdealt + rest)
        assert [round["status"] for round in rounds] == ["misdeal", "complete"]


@pytest.mark.parametrize("seed", range(60))
def test_events_in_any_order_are_survived(seed: int) -> None:
    chance = random.Random(seed)
    script = aces_win() + bets("box2", 10, 5) + dealt("box1", "box2") + check("box2") + "call misdeal dealer\n"
    lines = script.splitlines()
    lines += ["feed lost", "feed back", "card box1 Jkr", "turn board A?", "gone box2"]
    lines += ["call void box2", "hand box1 true", "turn dealer ?s conf=0.2", "chips box1/play 7"]
    chance.shuffle(lines)
    uth("\n".join(lines[: chance.randint(1, len(lines))]), tournament=seed % 2 == 0, max=5, max_payout=10)


# ---- cards (rule 2, 13.7) ----------------------------------------------------------------------------------------


def test_2_1_a_card_seen_twice() -> None:
    rounds = uth(aces_win(after=WON.replace("Ad", "9c")))
    assert breaches(rounds) == [("card.duplicate", "box1"), ("round.not_voided", None)]
    assert {each["result"] for each in rounds[0]["wagers"]} == {"void"}


def test_13_7_a_foreign_card_voids_the_round() -> None:
    joker = turned("box1", "As", "Jkr") + "call void dealer\n" + back("box1/ante", "box1/blind", "box1/play")
    rounds = uth(aces_win(after=joker))
    assert breaches(rounds) == [("card.foreign", "box1")]
    assert rounds[0]["status"] == "void"
    assert [(each["result"], each["due"]) for each in rounds[0]["wagers"]] == [("void", 0)] * 3
    assert breaches(uth(aces_win(after=WON.replace("Ad", "Jkr")))) == [
        ("card.foreign", "box1"), ("round.not_voided", None),
    ]  # fmt: skip


def test_13_7_an_earlier_round_stands() -> None:
    rounds = uth(aces_win() + aces_win(after=WON.replace("Ad", "Jkr")))
    assert [bool(round["findings"]) for round in rounds] == [False, True]


# ---- wagers (rules 4 and 5) --------------------------------------------------------------------------------------


def test_4_2_a_play_wager_before_the_cards() -> None:
    script = "shuffle\n" + bets() + bet("box1", 40) + dealt() + flop() + river() + shown() + WON + gathered("box1")
    assert breaches(uth(script)) == [("bet.invalid", "box1/play")]


def test_4_2_a_play_wager_without_a_hand() -> None:
    assert breaches(uth(aces_win(play_at=bet("box1", 40) + bet("box2", 40)))) == [("bet.invalid", "box2/play")]


def test_4_3_trips_alone() -> None:
    alone = "chips box2/trips 5 player\n"
    assert breaches(uth(aces_win(alone, WON + back("box2/trips")))) == [("bet.invalid", "box2/trips")]
    assert breaches(uth(aces_win(alone, WON + taken("box2/trips")))) == [("bet.invalid", "box2/trips")]
    with_ante = alone + "chips box2/ante 5 player\n"
    rounds = uth(aces_win(with_ante, WON + back("box2/trips", "box2/ante")))
    assert breaches(rounds) == [("bet.invalid", "box2/trips")]
    assert wager(rounds, "box2/trips")["result"] == "void"


def test_4_3_trips_with_ante_and_blind() -> None:
    loses = WON.replace("chips box1/blind", "chips box1/trips 0 dealer\nchips box1/blind")
    assert breaches(uth(aces_win("chips box1/trips 5 player\n", loses))) == []


@pytest.mark.parametrize(
    ("late", "finding"),
    [
        ("chips box1/trips 5 player\n", ("bet.late", "box1/trips")),
        ("chips box1/ante 20 player\n", ("bet.moved", "box1/ante")),
        ("chips box1/blind 0 player\n", ("bet.moved", "box1/blind")),
    ],
)
def test_4_6_wagers_are_not_touched_after_the_first_card(late: str, finding: tuple[str, str]) -> None:
    settles = turned("box1", *FIVES) + taken("box1/ante", "box1/blind", "box1/play", "box1/trips")
    assert breaches(uth(aces_win(after=settles, play_at=late + bet("box1", 40)))) == [finding]


def test_4_6_a_box_that_wagers_late_and_is_dealt_in() -> None:
    script = "shuffle\n" + bets() + cards("board") + bets("box2", 5) + cards("board", "board", "board", "board")
    script += cards("box1", "box2", "dealer", "box1", "box2", "dealer") + bet("box1", 40) + "call fold box2 player\n"
    script += taken("box2/ante", "box2/blind") + "gone box2\n" + flop() + river() + shown() + WON + gathered("box1")
    assert breaches(uth(script)) == [("bet.late", "box2/ante"), ("bet.late", "box2/blind")]


@pytest.mark.parametrize("shoe", ["card", "auto"])
def test_4_6_a_box_that_its_player_left_is_dealt_no_hand(shoe: str) -> None:
    left = "chips box2/ante 0 player\nchips box2/blind 0 player\n"
    script = "shuffle\n" + bets() + bets("box2") + dealt("box1", shoe=shoe).replace("card box1", left + "card box1", 1)
    script += bet("box1", 40) + flop() + river() + shown() + WON + gathered("box1")
    rounds = uth(script, shoe=shoe)
    assert breaches(rounds) == [("bet.moved", "box2/ante"), ("bet.moved", "box2/blind")]
    assert (rounds[0]["status"], wager(rounds, "box1/play")["result"]) == ("complete", "win")


@pytest.mark.parametrize("shoe", ["card", "auto"])
def test_4_6_wagers_moved_to_another_box_in_the_deal_begin_no_new_round(shoe: str) -> None:
    moved = "chips box1/ante 0 player\nchips box1/blind 0 player\n" + bets("box2")
    won = WON.replace("box1", "box2")
    script = "shuffle\n" + bets() + dealt("box2", shoe=shoe).replace("card box2", moved + "card box2", 1)
    rounds = uth(script + bet("box2", 40) + flop() + river() + shown() + won + gathered("box2"), shoe=shoe)
    assert len(rounds) == 1
    assert {kind for kind, _ in breaches(rounds)} == {"bet.moved", "bet.late"}


def test_4_6_chips_seen_again_as_they_stood_are_not_moved() -> None:
    again = "chips box1/ante 10 player\nchips box1/play 40 player\n"
    put_back = "chips box1/ante 0 player\nchips box1/ante 10 player\n"
    for more in (again, put_back):
        rounds = uth(aces_win(after=more + WON))
        assert breaches(rounds) == unsure(rounds) == []


@pytest.mark.parametrize(("spot", "raised"), [("ante", 20), ("play", 80)])
def test_4_6_chips_put_on_a_known_hand(spot: str, raised: int) -> None:
    """The dealer's hand lies open when the wager is raised, and it is paid as raised."""
    stands = {"ante": "ante 20 dealer", "play": "play 80 dealer"}[spot]
    paid = WON.replace(stands, f"{spot} {2 * raised} dealer")
    assert breaches(uth(aces_win(after=f"chips box1/{spot} {raised} player\n" + paid))) == [
        ("bet.moved", f"box1/{spot}")
    ]


def test_4_6_what_is_no_wager_may_go_back() -> None:
    """4.3, 13.6(b): void from the start, or declared so."""
    alone = "shuffle\n" + bets() + "chips box2/trips 5 player\n" + dealt()
    folds = "call fold box1 player\n" + taken("box1/ante", "box1/blind")
    for when in (back("box2/trips") + folds, folds + back("box2/trips")):
        assert breaches(uth(alone + when + gathered("box1"))) == [("bet.invalid", "box2/trips")]
    no_blind = "shuffle\n" + bets() + "chips box2/ante 10 player\n" + dealt("box1", "box2") + bet("box1", 40)
    no_blind += "call void box2 dealer\ngone box2\n" + back("box2/ante") + flop() + river() + shown() + WON
    assert breaches(uth(no_blind + gathered("box1"))) == [("deal.no_wager", "box2")]


def test_4_6_chips_moved_by_nobody_known_are_not_a_breach() -> None:
    assert breaches(uth(aces_win(play_at="chips box1/trips 5\n" + bet("box1", 40)))) == []


def test_blind_equals_the_ante() -> None:
    def with_blind(blind: float) -> list[Answer]:
        return uth("shuffle\n" + bets(blind=blind) + dealt() + bet("box1", 40) + flop() + river() + shown() + WON
                   + gathered("box1"))  # fmt: skip

    assert breaches(with_blind(10)) == []
    for blind in (5, 15):
        rounds = with_blind(blind)
        assert breaches(rounds) == [("bet.amount", "box1/blind")]
        assert rounds[0]["findings"][0]["expected"] == 10


def test_5_2_a_marker_beside_the_box_lifts_the_maximum() -> None:
    marked = aces_win("chips box1/ante 10 player marker=true\n")
    assert breaches(uth(marked, max=5)) == breaches(uth("marker box1\n" + aces_win(), max=5)) == []
    elsewhere = uth("marker box2\n" + aces_win(after=WON.replace("ante 20", "ante 15")), max=5)
    assert breaches(elsewhere) == [("bet.limit", "box1/ante"), ("bet.limit", "box1/blind")]


def test_5_3_multiples() -> None:
    assert breaches(uth(aces_win(), multiple=5)) == []
    assert breaches(uth(aces_win(), multiple=4)) == [("bet.multiple", "box1/ante"), ("bet.multiple", "box1/blind")]


def test_5_4_under_the_minimum_is_reported_and_settled_in_full() -> None:
    both = [("bet.limit", "box1/ante"), ("bet.limit", "box1/blind")]
    assert breaches(uth(aces_win(), min=25)) == both
    unpaid = WON.replace("chips box1/ante 20 dealer\n", "")
    assert breaches(uth(aces_win(after=unpaid), min=25)) == [*both, ("payout.missed", "box1/ante")]
    assert breaches(uth(aces_win(), min=10, max=10)) == []


def test_5_5_over_the_maximum_is_settled_to_the_maximum() -> None:
    both = [("bet.limit", "box1/ante"), ("bet.limit", "box1/blind")]
    to_the_maximum = WON.replace("box1/ante 20", "box1/ante 15")
    rounds = uth(aces_win(after=to_the_maximum), max=5)
    assert breaches(rounds) == both
    assert wager(rounds, "box1/ante") | {"rule": ""} == {
        "at": "box1/ante", "stake": 10, "result": "win", "due": 5, "paid": 5, "rule": "",
    }  # fmt: skip
    assert breaches(uth(aces_win(), max=5)) == [*both, ("payout.over", "box1/ante")]
    lost = turned("box1", *FIVES) + "chips box1/ante 5 dealer\nchips box1/blind 5 dealer\n" + taken("box1/play")
    assert breaches(uth(aces_win(after=lost + back("box1/ante", "box1/blind")), max=5)) == both


# ---- shuffle (rule 6) --------------------------------------------------------------------------------------------


def test_6_1_a_shuffle_for_each_round() -> None:
    assert breaches(uth(aces_win() + aces_win())) == []
    assert breaches(uth(aces_win() + aces_win().removeprefix("shuffle\n"))) == [("shuffle.missing", None)]
    assert breaches(uth(aces_win() + "feed lost\nfeed back\n" + aces_win().removeprefix("shuffle\n"))) == []


def test_6_1_a_shuffle_after_a_misdeal() -> None:
    misdealt = "shuffle\n" + bets() + cards("board", "board") + "card board As\ncall misdeal dealer\ngone board\n"
    assert breaches(uth(misdealt + aces_win())) == [("deal.exposed", "board")]
    rounds = uth(misdealt + aces_win().removeprefix("shuffle\n" + bets()))
    assert breaches(rounds) == [("deal.exposed", "board"), ("shuffle.missing", None)]
    assert rounds[1]["findings"][0]["rule"] == "NI2025-411 6.1(b)"


def test_6_1_a_machine_is_held_to_it_only_where_its_shuffles_are_logged() -> None:
    first = aces_win().replace(dealt(), dealt(shoe="auto"))
    silent = first.removeprefix("shuffle\n")
    assert breaches(uth(silent + silent, shoe="auto")) == []
    assert breaches(uth(first + silent, shoe="auto")) == [("shuffle.missing", None)]


# ---- dealing (rule 7) --------------------------------------------------------------------------------------------


def two_players(deal_lines: str, **house: object) -> list[Answer]:
    script = "shuffle\n" + bets() + bets("box2") + deal_lines + bet("box2", 40) + bet("box1", 40) + flop() + river()
    script += shown() + turned("box2", *FIVES) + taken("box2/ante", "box2/blind", "box2/play") + "gone box2\n"
    return uth(script + WON + gathered("box1"), **house)


def test_7_2_two_cards_at_a_time_from_a_machine() -> None:
    assert breaches(two_players(dealt("box1", "box2", shoe="auto"), shoe="auto")) == []
    assert breaches(two_players(dealt("box2", "box1", shoe="auto"), shoe="auto")) == []
    assert breaches(two_players(dealt("box1", "box2"), shoe="auto")) == [("deal.order", "box2")]


def test_7_2_a_the_board_first() -> None:
    late = cards("box1", "box1", "box2", "box2", "dealer", "dealer", *["board"] * 5)
    assert breaches(two_players(late, shoe="auto")) == [("deal.order", "box1")]


def test_7_2_d_the_dealer_last() -> None:
    early = cards(*["board"] * 5, "dealer", "dealer", "box1", "box1", "box2", "box2")
    assert breaches(two_players(early, shoe="auto")) == [("deal.order", "dealer")]


def test_7_3_one_card_each_and_the_dealer_twice_over() -> None:
    assert breaches(two_players(dealt("box1", "box2"))) == []
    assert breaches(two_players(dealt("box2", "box1"))) == []
    assert breaches(two_players(dealt("box1", "box2", shoe="auto"))) == [("deal.order", "box1")]


def test_7_3_a_the_board_first() -> None:
    late = cards("box1", "box2", "dealer", *["board"] * 5, "box1", "box2", "dealer")
    assert breaches(two_players(late)) == [("deal.order", "box1")]


def test_7_3_d_the_dealer_after_the_boxes() -> None:
    assert breaches(two_players(cards(*["board"] * 5, "box1", "dealer", "box2", "box1", "box2", "dealer"))) == [
        ("deal.order", "dealer")
    ]


# ---- misdeals (13.1 to 13.3) -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("places", "finding"),
    [
        (["board"] * 4 + ["box1", "box2", "dealer"] * 2, ("deal.count", "board")),
        (["board"] * 6 + ["box1", "box2", "dealer"] * 2, ("deal.count", "board")),
        (["board"] * 5 + ["box1", "box2", "dealer"] * 2 + ["dealer"], ("deal.count", "dealer")),
        (["board"] * 5 + ["box1", "box2", "dealer", "box1", "dealer"], ("deal.missed", "box2")),
        (["board"] * 5 + ["box1", "dealer"] * 2, ("deal.missed", "box2")),
        (["board"] * 5 + ["box1", "box2", "dealer"] * 2 + ["box1"], ("deal.extra", "box1")),
    ],
)
def test_13_1_a_wrong_number_of_cards_is_a_misdeal(places: list[str], finding: tuple[str, str]) -> None:
    start = "shuffle\n" + bets() + bets("box2") + cards(*places)
    returned = back("box1/ante", "box1/blind", "box2/ante", "box2/blind")
    rounds = uth(start + "call misdeal dealer\n" + returned + gathered("box1", "box2"))
    assert breaches(rounds) == [finding]
    assert rounds[0]["status"] == "misdeal"
    assert {each["result"] for each in rounds[0]["wagers"]} == {"void"}
    rounds = two_players(cards(*places))
    assert breaches(rounds) == [finding, ("round.not_voided", None)]
    assert {each["result"] for each in rounds[0]["wagers"]} == {"void"}


def test_13_1_four_communal_cards_overlooked() -> None:
    """That the fifth was never shown needs no finding of its own."""
    script = aces_win().replace(dealt(), dealt().removeprefix("card board ??\n")).replace("turn board 2s\n", "")
    assert breaches(uth(script)) == [("deal.count", "board"), ("round.not_voided", None)]


def test_13_1_the_last_card_is_missing() -> None:
    start = "shuffle\n" + bets() + cards(*["board"] * 5, "box1", "dealer", "box1")
    assert breaches(uth(start + "call misdeal dealer\n" + gathered("box1"))) == [("deal.count", "dealer")]
    assert breaches(uth(start + "call void dealer\n" + gathered("box1"))) == []
    assert breaches(uth(start)) == []


def test_13_2_a_card_revealed_in_the_deal_is_a_misdeal() -> None:
    for place in ("board", "box1", "dealer"):
        script = "shuffle\n" + bets() + dealt().replace(f"card {place} ??", f"card {place} 7c", 1)
        for end in (10, 12):
            lines = script.splitlines()[:end]
            stopped = "\n".join(lines) + "\ncall misdeal dealer\n" + back("box1/ante", "box1/blind") + gathered("box1")
            rounds = uth(stopped)
            assert breaches(rounds) == ([("deal.exposed", place)] if " 7c" in stopped else [])
            assert rounds[0]["status"] == "misdeal"


@pytest.mark.parametrize("place", ["box1", "dealer", "board"])
def test_13_2_a_card_turned_in_a_deal_that_is_then_broken_off(place: str) -> None:
    begun = "shuffle\n" + bets() + cards(*["board"] * 5, "box1", "dealer") + f"turn {place} Ac\n"
    rounds = uth(begun + "call misdeal dealer\n" + back("box1/ante", "box1/blind") + gathered("box1"))
    assert breaches(rounds) == [("deal.exposed", place)]
    assert rounds[0]["status"] == "misdeal"


def test_13_2_not_declared() -> None:
    up = aces_win().replace("card box1 ??", "card box1 As", 1).replace("turn box1 As\n", "")
    rounds = uth(up)
    assert breaches(rounds) == [("deal.exposed", "box1"), ("round.not_voided", None)]
    assert {each["result"] for each in rounds[0]["wagers"]} == {"void"}
    turned_early = aces_win().replace("card box1 ??\n", "card box1 ??\nturn box1 As\n", 1).replace("\nturn box1 Ad", "")
    assert ("deal.exposed", "box1") in breaches(uth(turned_early))


def test_13_3_money_moved_in_a_misdeal_is_not_reported_again() -> None:
    script = "shuffle\n" + bets() + cards("board") + "card board As\ncall misdeal dealer\n" + taken("box1/ante")
    rounds = uth(script + "chips box1/blind 20 dealer\n" + gathered())
    assert breaches(rounds) == [("deal.exposed", "board")]


# ---- betting (rule 8) --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stake", [30, 40, 10, 20, 35, 50])
def test_8_1_c_three_or_four_times_before_the_flop(stake: float) -> None:
    found = breaches(one_player(first=bet("box1", stake), stake=stake))
    assert found == ([] if stake in (30, 40) else [("bet.amount", "box1/play")])


@pytest.mark.parametrize(("stake", "right"), [(20, True), (10, False), (30, False), (40, False)])
def test_8_3_c_twice_after_the_flop(stake: float, right: bool) -> None:
    found = breaches(one_player(first=KNOCK, second=bet("box1", stake), stake=stake))
    assert found == ([] if right else [("bet.amount", "box1/play")])


@pytest.mark.parametrize(("stake", "right"), [(10, True), (20, False), (30, False), (5, False)])
def test_8_5_b_once_on_the_river(stake: float, right: bool) -> None:
    found = breaches(one_player(first=KNOCK, second=KNOCK, third=bet("box1", stake), stake=stake))
    assert found == ([] if right else [("bet.amount", "box1/play")])


def test_8_1_a_check_that_was_not_seen_is_taken_for_granted() -> None:
    assert breaches(one_player(second=bet("box1", 20), stake=20)) == []
    assert breaches(one_player(second=KNOCK, third=bet("box1", 10), stake=10)) == []
    assert breaches(one_player(third=bet("box1", 10), stake=10)) == []
    assert breaches(one_player(first=KNOCK + KNOCK, second=KNOCK + KNOCK, third=bet("box1", 10), stake=10)) == []


def test_8_1_chips_laid_in_two_goes_are_one_wager() -> None:
    rounds = one_player(first=bet("box1", 20) + "hand box1/play false\n" + bet("box1", 40), stake=40)
    assert breaches(rounds) == []
    assert wager(rounds, "box1/play")["stake"] == 40


@pytest.mark.parametrize("stage", ["second", "third"])
def test_8_3_no_further_wager_after_a_play_wager(stage: str) -> None:
    rounds = one_player(first=bet("box1", 30), stake=40, **{stage: bet("box1", 40)})
    assert breaches(rounds) == [("bet.moved", "box1/play")]


def test_8_5_a_play_wager_after_the_dealers_hand() -> None:
    after = "chips box1/play 10 player\n" + taken("box1/ante", "box1/blind") + back("box1/play")
    assert breaches(uth(aces_win(after=after, play_at=KNOCK))) == [("bet.late", "box1/play")]


def test_8_2_the_flop_waits_for_every_decision() -> None:
    early = [("deal.exposed", "board")]
    assert breaches(one_player(first=KNOCK, second=KNOCK, third=bet("box1", 10), stake=10)) == []
    # two decisions after the flop and none before it: the first was still owed
    assert breaches(one_player(second=KNOCK + KNOCK, third=bet("box1", 10), stake=10)) == early
    assert breaches(one_player(second=KNOCK + bet("box1", 20), stake=20)) == early
    # between the cards of the flop
    script = aces_win(play_at=turned("board", BOARD[0]) + bet("box1", 40)).replace(flop(), turned("board", *BOARD[1:3]))
    rounds = uth(script)
    assert breaches(rounds) == early
    assert rounds[0]["findings"][0]["rule"] == "NI2025-411 8.2"
    assert rounds[0]["findings"][0]["t"] == 13


def test_8_4_the_last_two_cards_wait_for_every_decision() -> None:
    early = [("deal.exposed", "board")]
    rounds = one_player(first=KNOCK, third=KNOCK + bet("box1", 10), stake=10)
    assert breaches(rounds) == early
    assert rounds[0]["findings"][0]["rule"] == "NI2025-411 8.4"
    between = aces_win(play_at=KNOCK).replace(river(), turned("board", "4c") + bet("box1", 20) + turned("board", "2s"))
    assert breaches(uth(between.replace("play 80", "play 40"))) == early


def test_8_4_the_last_two_cards_are_revealed_together() -> None:
    script = aces_win(play_at=KNOCK, after=WON.replace("play 80", "play 20")).replace(
        river(), KNOCK + turned("board", "4c") + KNOCK + turned("board", "2s") + bet("box1", 10)
    )
    assert breaches(uth(script)) == [("deal.facing", "board")]


def test_13_5_a_misdeal_declared_for_a_communal_card() -> None:
    script = "shuffle\n" + bets() + dealt() + turned("board", "9h") + "call misdeal dealer\n" + gathered("box1")
    assert breaches(uth(script)) == [("deal.exposed", "board")]
    decided = script.replace(turned("board", "9h"), KNOCK + turned("board", "9h"))
    assert breaches(uth(decided)) == []  # the flop was due; what it was declared for is not seen
    joker = script.replace("turn board 9h", "turn board 9h\nturn board Jkr")
    assert breaches(uth(joker)) == [("card.foreign", "board")]


def test_a_turn_that_was_missed_accuses_nobody() -> None:
    clean = "shuffle\n" + bets() + dealt() + KNOCK + flop() + KNOCK + river() + bet("box1", 10) + shown() + WON
    clean = clean.replace("play 80", "play 20") + gathered("box1")
    assert breaches(uth(clean)) == []
    for line in (line for line in clean.splitlines(keepends=True) if line.startswith("turn")):
        assert breaches(uth(clean.replace(line, ""))) == [], line


def test_13_5_a_card_turned_back_down() -> None:
    script = aces_win(play_at=turned("board", "9h") + "turn board 9h up=false\n" + bet("box1", 40))
    assert breaches(uth(script.replace(flop(), turned("board", "8d", "9h", "6d")))) == [("deal.exposed", "board")]


def test_13_5_the_only_player_folds_after_a_card_too_soon() -> None:
    script = "shuffle\n" + bets() + dealt() + KNOCK + flop() + turned("board", BOARD[3]) + "call fold box1 player\n"
    rounds = uth(script + taken("box1/ante", "box1/blind") + gathered("box1"))
    assert breaches(rounds) == [("deal.exposed", "board")]


def test_13_5_who_was_not_asked_keeps_every_choice() -> None:
    early = [("deal.exposed", "board")]
    assert breaches(one_player(second=bet("box1", 40), stake=40)) == early
    assert breaches(one_player(first=KNOCK, third=bet("box1", 20), stake=20)) == early
    assert breaches(one_player(third=bet("box1", 30), stake=30)) == [*early, *early]


def test_8_6_a_folded_hand_does_not_come_back() -> None:
    folded = "call fold box1 player\n" + bet("box1", 40)
    found = breaches(uth(aces_win(play_at=folded)))
    assert ("bet.invalid", "box1/play") in found
    assert ("payout.loser_paid", "box1/ante") in found


def test_8_6_folded_cards_passed_towards_the_dealer_are_not_the_dealers() -> None:
    all_three = taken("box2/ante", "box2/blind", "box2/trips")
    rounds = fold(all_three, before=GONE.replace("to=discard", "to=dealer"))
    assert breaches(rounds) == []
    assert wager(rounds, "box1/ante")["result"] is not None


def test_def_fold_loses_every_wager() -> None:
    all_three = taken("box2/ante", "box2/blind", "box2/trips")
    rounds = fold(all_three, before=GONE)
    assert breaches(rounds) == []
    assert [wager(rounds, f"box2/{spot}")["result"] for spot in ("ante", "blind", "trips")] == ["lose"] * 3
    assert wager(rounds, "box2/trips")["rule"] == "def. Fold"
    assert breaches(fold("", before="gone box2 to=discard\n" + all_three)) == []
    for spot in ("ante", "blind", "trips"):
        wrong = all_three.replace(f"chips box2/{spot} 0 dealer", f"chips box2/{spot} 0 player")
        assert breaches(fold(wrong, before=GONE)) == [("payout.loser_paid", f"box2/{spot}")]
        assert breaches(fold("", before=GONE + wrong)) == [("payout.loser_paid", f"box2/{spot}")]


def test_def_fold_trips_by_hand_is_an_option() -> None:
    rest = taken("box2/ante", "box2/blind")
    rounds = fold(rest + back("box2/trips"), before=GONE, fold_trips="by_hand")
    assert breaches(rounds) == []
    assert wager(rounds, "box2/trips")["result"] is None


def test_everybody_folds() -> None:
    script = "shuffle\n" + bets() + dealt() + "call fold box1 player\n" + taken("box1/ante", "box1/blind")
    rounds = uth(script + gathered("box1"))
    assert breaches(rounds) == []
    assert {each["result"] for each in rounds[0]["wagers"]} == {"lose"}


def test_13_8_no_play_wager_when_the_dealer_shows_is_a_fold() -> None:
    rounds = fold(taken("box2/ante", "box2/blind", "box2/trips"))
    assert breaches(rounds) == []
    assert wager(rounds, "box2/ante")["rule"] == "13.8 (second)"
    kept = fold(taken("box2/ante", "box2/blind") + back("box2/trips"))
    assert breaches(kept) == [("payout.loser_paid", "box2/trips")]


def test_13_8_a_play_wager_of_the_wrong_size_is_settled_as_it_stands() -> None:
    assert breaches(one_player(first=bet("box1", 50), stake=50)) == [("bet.amount", "box1/play")]
    unpaid = one_player(first=bet("box1", 50), stake=100)
    assert breaches(unpaid) == [("bet.amount", "box1/play"), ("payout.over", "box1/play")]


# ---- the dealer's cards (8.8, 13.4) ------------------------------------------------------------------------------


def test_8_8_the_dealers_cards_wait_for_the_whole_board() -> None:
    after_the_flop = aces_win(play_at=bet("box1", 40), dealer="").replace(river(), shown() + river())
    rounds = uth(after_the_flop)
    assert breaches(rounds) == [("deal.exposed", "dealer")]
    assert rounds[0]["findings"][0]["rule"] == "NI2025-411 13.4(b)"


def test_8_8_the_dealers_cards_wait_for_the_last_decision() -> None:
    early = turned("dealer", "9c") + bet("box1", 10) + "call dealer_hand dealer\n" + turned("dealer", "Jd")
    rounds = uth(aces_win(play_at=KNOCK, dealer=early, after=WON.replace("play 80", "play 20")))
    assert breaches(rounds) == [("deal.exposed", "dealer")]
    assert rounds[0]["findings"][0]["rule"] == "NI2025-411 8.8(b)"


def test_13_4_a_no_play_wager_made_is_a_misdeal() -> None:
    early = aces_win(play_at=KNOCK + turned("dealer", "9c") + "call misdeal dealer\n", dealer="", after=back(
        "box1/ante", "box1/blind"))  # fmt: skip
    rounds = uth(early)
    assert breaches(rounds) == [("deal.exposed", "dealer")]
    assert rounds[0]["findings"][0]["rule"] == "NI2025-411 13.4(a)"
    goes_on = aces_win(play_at=turned("dealer", "9c") + bet("box1", 40), dealer=turned("dealer", "Jd"))
    rounds = uth(goes_on)
    assert breaches(rounds) == [("deal.exposed", "dealer"), ("round.not_voided", None)]
    assert {each["result"] for each in rounds[0]["wagers"]} == {"void"}


def test_13_4_b_with_a_play_wager_play_goes_on() -> None:
    goes_on = aces_win(play_at=bet("box1", 40) + turned("dealer", "9c"), dealer=turned("dealer", "Jd"))
    rounds = uth(goes_on)
    assert breaches(rounds) == [("deal.exposed", "dealer")]
    assert wager(rounds, "box1/play")["result"] == "win"


def test_13_4_after_the_flop_without_play_wagers_is_an_option() -> None:
    script = aces_win(play_at=KNOCK, dealer=turned("dealer", "Jd"), after=WON.replace("play 80", "play 20")).replace(
        river(), turned("dealer", "9c") + KNOCK + river() + bet("box1", 10)
    )
    assert breaches(uth(script)) == [("deal.exposed", "dealer")]
    assert breaches(uth(script, late_reveal="misdeal")) == [("deal.exposed", "dealer"), ("round.not_voided", None)]


def test_13_4_cards_turned_after_a_misdeal_was_declared_are_nothing() -> None:
    called_off = aces_win(play_at="call misdeal dealer\n", after=back("box1/ante", "box1/blind"))
    assert breaches(uth(called_off)) == []


# ---- hands without a wager (13.6) --------------------------------------------------------------------------------


def stranger(before: str, end: str, *, wagers: str = "") -> list[Answer]:
    start = "shuffle\n" + bets() + wagers + dealt("box1", "box2")
    return uth(start + before + end)


REST = bet("box1", 40) + flop() + river() + shown() + WON
TOUCHED = "hand box1 true by=player\n"


def test_13_6_a_the_whole_round_is_void_while_nobody_has_handled_cards() -> None:
    void = "call void dealer\n" + back("box1/ante", "box1/blind") + gathered("box1", "box2")
    rounds = stranger("", void)
    assert breaches(rounds) == [("deal.no_wager", "box2")]
    assert rounds[0]["status"] == "void"
    rounds = stranger("call void box2 dealer\ngone box2\n", REST + gathered("box1"))
    assert breaches(rounds) == [("deal.no_wager", "box2"), ("round.not_voided", None)]
    assert breaches(stranger("gone box2\n", REST + gathered("box1"))) == [
        ("deal.no_wager", "box2"), ("round.not_voided", None),
    ]  # fmt: skip


def test_13_6_b_else_only_that_hand_is() -> None:
    rounds = stranger(TOUCHED + "call void box2 dealer\ngone box2\n", REST + gathered("box1"))
    assert breaches(rounds) == [("deal.no_wager", "box2")]
    assert wager(rounds, "box1/play")["result"] == "win"
    ante = "chips box2/ante 10 player\n"
    rounds = stranger(TOUCHED + "gone box2\n", REST + back("box2/ante") + gathered("box1"), wagers=ante)
    assert breaches(rounds) == [("deal.no_wager", "box2")]
    assert wager(rounds, "box2/ante")["result"] == "void"
    lost = stranger(TOUCHED + "gone box2\n", REST + taken("box2/ante") + gathered("box1"), wagers=ante)
    assert breaches(lost) == [("deal.no_wager", "box2"), ("payout.push_taken", "box2/ante")]


def test_13_6_b_any_decision_counts_as_handling() -> None:
    rounds = stranger(bet("box1", 40) + "gone box2\n", REST.removeprefix(bet("box1", 40)) + gathered("box1"))
    assert breaches(rounds) == [("deal.no_wager", "box2")]


def test_def_void_a_single_hand_declared_void() -> None:
    end = flop() + river() + shown() + WON + "gone box1\n"
    script = "shuffle\n" + bets() + bets("box2") + dealt("box1", "box2") + bet("box1", 40) + "call void box2 dealer\n"
    rounds = uth(script + end + back("box2/ante", "box2/blind") + gathered("box2"))
    assert breaches(rounds) == []
    assert wager(rounds, "box2/ante")["result"] == "void"
    assert wager(rounds, "box1/ante")["result"] == "win"
    assert breaches(uth(script + end + taken("box2/ante") + back("box2/blind") + gathered("box2"))) == [
        ("payout.push_taken", "box2/ante")
    ]


# ---- tournament (rule 16) ----------------------------------------------------------------------------------------


def tournament(first: str, second: str, *, extra: str = "", **house: object) -> list[Answer]:
    script = "shuffle\nmarker box2\n" + bets(first) + bets(second) + extra + dealt("box1", "box2")
    script += "call fold box1 player\ncall fold box2 player\n" + taken("box1/ante", "box1/blind")
    return uth(script + taken("box2/ante", "box2/blind") + gathered("box1", "box2"), **house)


def test_16_16_wagers_are_laid_from_the_marker_on() -> None:
    assert breaches(tournament("box2", "box1", tournament=True)) == []
    assert breaches(tournament("box1", "box2", tournament=True)) == [("bet.order", "box1/ante")]
    assert breaches(tournament("box1", "box2")) == []


def test_16_16_a_wager_is_not_changed_after_its_turn() -> None:
    change = "chips box2/ante 15 player\nchips box2/ante 10 player\n"
    assert breaches(tournament("box2", "box1", extra=change, tournament=True)) == [("bet.moved", "box2/ante")]
    assert breaches(tournament("box2", "box1", extra=change)) == []


def test_16_15_the_table_minimum_is_staked() -> None:
    assert breaches(tournament("box2", "box1", tournament=True, min=10)) == []
    assert set(cited(tournament("box2", "box1", tournament=True, min=20), "bet.limit")) == {"16.15"}
