"""Ultimate Texas Hold-em (NI2025-411), clause by clause: the right way, and the ways to get it wrong."""

import random

import pytest

from datasets.uth_oracle import deal
from playing import Answer, answers, breaches, event, play, unsure, wager, written

BOARD = ("9h", "8d", "6d", "4c", "2s")
PAIR = ("9c", "Jd")  # with BOARD: a pair of nines, the dealer qualifies
ODD = ("Qs", "Jd")  # with BOARD: queen high, the dealer does not
ACES, KINGS, FIVES, NOTHING = ("As", "Ad"), ("Ks", "Kd"), ("5s", "5d"), ("3h", "Kc")


def uth(script: str, **house: object) -> list[Answer]:
    return play("act-uth", script, **house)


def bets(box: str = "box1", ante: float = 10, trips: float = 0, blind: float | None = None) -> str:
    lines = [f"chips {box}/ante {ante:g} player", f"chips {box}/blind {ante if blind is None else blind:g} player"]
    return "\n".join([*lines, f"chips {box}/trips {trips:g} player"] if trips else lines) + "\n"


def cards(*places: str) -> str:
    return "".join(f"card {place} ??\n" for place in places)


def dealt(*boxes: str, shoe: str = "card") -> str:
    boxes = boxes or ("box1",)
    board = ["board"] * 5
    if shoe == "auto":
        return cards(*board, *(box for box in boxes for _ in range(2)), "dealer", "dealer")
    return cards(*board, *boxes, "dealer", *boxes, "dealer")


def turned(place: str, *names: str) -> str:
    return "".join(f"turn {place} {name}\n" for name in names)


def flop(board: tuple[str, ...] = BOARD) -> str:
    return turned("board", *board[:3])


def river(board: tuple[str, ...] = BOARD) -> str:
    return turned("board", *board[3:])


def shown(hand: tuple[str, ...] = PAIR) -> str:
    return "call dealer_hand dealer\n" + turned("dealer", *hand)


def bet(box: str, stake: float) -> str:
    return f"chips {box}/play {stake:g} player\n"


def check(*boxes: str) -> str:
    return "".join(f"call check {box} player\n" for box in boxes)


def settled(box: str, hand: tuple[str, ...], **spots: float) -> str:
    """Cards turned, then at each spot what stands there when the dealer is done; then the player's chips and cards go."""
    lines = [*(f"turn {box} {card}" for card in hand)]
    for spot, amount in spots.items():
        lines += [f"chips {box}/{spot} {amount:g} dealer", f"chips {box}/{spot} 0 player"]
    return "\n".join([*lines, f"gone {box} to=discard"]) + "\n"


def back(*spots: str) -> str:
    return "".join(f"chips {spot} 0 player\n" for spot in spots)


def taken(*spots: str) -> str:
    return "".join(f"chips {spot} 0 dealer\n" for spot in spots)


def gathered(*boxes: str) -> str:
    return "".join(f"gone {place} to=discard\n" for place in (*boxes, "dealer", "board"))


WON = turned("box1", *ACES) + (
    "chips box1/ante 20 dealer\nchips box1/ante 0 player\nchips box1/blind 0 player\n"
    "chips box1/play 80 dealer\nchips box1/play 0 player\n"
)
"""Aces against a pair, 10 on ante and blind and 40 on play."""


def aces_win(before: str = "", after: str = WON, *, play_at: str = bet("box1", 40), dealer: str = shown()) -> str:
    """A whole round of one player, four times the ante before the flop."""
    return "shuffle\n" + bets() + before + dealt() + play_at + flop() + river() + dealer + after + gathered("box1")


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
    lines = (aces_win() + bets("box2", 10, 5) + dealt("box1", "box2") + check("box2") + "call misdeal dealer\n").splitlines()
    lines += ["feed lost", "feed back", "card box1 Jkr", "turn board A?", "gone box2", "call void box2", "hand box1 true"]
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
    marked = aces_win("chips box1/ante 10 player marker=true\n")
    assert breaches(uth(marked, max=5)) == breaches(uth("marker box1\n" + aces_win(), max=5)) == []
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
    end = "call misdeal dealer\n" + back("box1/ante", "box1/blind", "box2/ante", "box2/blind") + gathered("box1", "box2")
    rounds = uth(start + end)
    assert breaches(rounds) == [finding]
    assert rounds[0]["status"] == "misdeal"
    assert {each["result"] for each in rounds[0]["wagers"]} == {"void"}
    rounds = two_players(cards(*places))
    assert breaches(rounds) == [finding, ("round.not_voided", None)]
    assert {each["result"] for each in rounds[0]["wagers"]} == {"void"}


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


def one_player(*, first: str = "", second: str = "", third: str = "", stake: float = 0, **house: object) -> list[Answer]:
    """What box1 does before the flop, after it and on the river; then aces win and everything is paid in full."""
    script = "shuffle\n" + bets() + dealt() + first + flop() + second + river() + third + shown() + turned("box1", *ACES)
    script += "chips box1/ante 20 dealer\n" + back("box1/ante", "box1/blind")
    return uth(script + f"chips box1/play {2 * stake:g} dealer\n" + back("box1/play") + gathered("box1"), **house)


KNOCK = check("box1")


@pytest.mark.parametrize(("stake", "right"), [(30, True), (40, True), (10, False), (20, False), (35, False), (50, False)])
def test_8_1_c_three_or_four_times_before_the_flop(stake: float, right: bool) -> None:
    found = breaches(one_player(first=bet("box1", stake), stake=stake))
    assert found == ([] if right else [("bet.amount", "box1/play")])


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
    rounds = one_player(first=bet("box1", 30), stake=40, **{stage: bet("box1", 40)})  # type: ignore[arg-type]
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


def test_13_5_a_card_turned_back_down() -> None:
    script = aces_win(play_at=turned("board", "9h") + "turn board 9h up=false\n" + bet("box1", 40))
    assert breaches(uth(script.replace(flop(), turned("board", "8d", "9h", "6d")))) == [("deal.exposed", "board")]


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


def fold(after: str, *, trips: float = 5, before: str = "", **house: object) -> list[Answer]:
    """box2 folds after the deal, box1's aces win."""
    script = "shuffle\n" + bets() + bets("box2", trips=trips) + dealt("box1", "box2") + bet("box1", 40) + before
    script += flop() + river() + shown() + WON + "gone box1\n" + after
    return uth(script + gathered("box2"), **house)


GONE = "call fold box2 player\ngone box2 to=discard\n"


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
    assert breaches(fold(taken("box2/ante", "box2/blind") + back("box2/trips"))) == [("payout.loser_paid", "box2/trips")]


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


# ---- settlement (rules 9 and 10) ---------------------------------------------------------------------------------


def showdown(
    own: tuple[str, ...], dealer: tuple[str, ...] = PAIR, board: tuple[str, ...] = BOARD, **house: object
) -> list[Answer]:
    """Ante and blind of 10, trips of 5, play of 40, nothing moved: only what is due."""
    script = "shuffle\n" + bets(trips=5) + dealt() + bet("box1", 40) + flop(board) + river(board) + shown(dealer)
    return uth(script + turned("box1", *own), **house)


def due(rounds: list[Answer]) -> dict[str, tuple[str, float]]:
    return {each["at"].removeprefix("box1/"): (each["result"], each["due"]) for each in rounds[0]["wagers"]}


@pytest.mark.parametrize(
    ("board", "own", "dealer", "expected"),
    [
        ("Ks Qs Js 4d 2h", "As Ts", "Kd Kh", {"blind": ("win", 5000), "trips": ("win", 250)}),
        ("9s 8s 7s 4d 2h", "6s 5s", "Kd Kh", {"blind": ("win", 500), "trips": ("win", 200)}),
        ("9s 9d 7s 4d 2h", "9h 9c", "Kd Kh", {"blind": ("win", 100), "trips": ("win", 150)}),
        ("9s 9d 7s 4d 2h", "9h 7c", "Kd Kh", {"blind": ("win", 30), "trips": ("win", 40)}),
        ("9s 8s 3s 4d 2h", "Ks 5s", "Kd Kh", {"blind": ("win", 15), "trips": ("win", 35)}),
        ("9s 8s 7d 4d 2h", "Jd Tc", "Kd Kh", {"blind": ("win", 10), "trips": ("win", 20)}),
        ("5s 4s 3d Kc 9h", "Ad 2c", "Kd Qh", {"blind": ("win", 10), "trips": ("win", 20)}),
        ("9s 8s 7d 4d 2h", "9d 9c", "Kd Kh", {"blind": ("push", 0), "trips": ("win", 15)}),
        ("9s 8s 7d 4d 2h", "9d 8c", "Kd Kh", {"blind": ("push", 0), "trips": ("lose", 0)}),
        ("9s 8s 7d 4d 2h", "Jd Tc", "Ks Qs", {"ante": ("push", 0), "blind": ("win", 10), "play": ("win", 40)}),
        ("9s 8s 7s 4d 2h", "Jd Tc", "Ks Qs", {"ante": ("lose", 0), "blind": ("lose", 0), "trips": ("win", 20)}),
    ],
)
def test_10_1_odds(board: str, own: str, dealer: str, expected: dict[str, tuple[str, float]]) -> None:
    found = due(showdown(tuple(own.split()), tuple(dealer.split()), tuple(board.split())))
    assert {spot: found[spot] for spot in expected} == expected


def test_10_1_the_blind_is_capped_by_the_maximum_payout() -> None:
    royal, kings, board = ("As", "Ts"), ("Kd", "Kh"), ("Ks", "Qs", "Js", "4d", "2h")
    assert due(showdown(royal, kings, board, max_payout=100)) == {
        "ante": ("win", 10), "blind": ("win", 100), "trips": ("win", 250), "play": ("win", 40),
    }  # fmt: skip
    start = "shuffle\n" + bets() + dealt() + bet("box1", 40) + flop(board) + river(board) + shown(kings)
    for paid, found in ((100, []), (5000, [("payout.cap", "box1/blind")]), (90, [("payout.short", "box1/blind")])):
        script = start + settled("box1", royal, ante=20, blind=10 + paid, play=80) + gathered()
        assert breaches(uth(script, max_payout=100)) == found


def test_9_5_a_the_ante_wins() -> None:
    assert due(showdown(ACES))["ante"] == ("win", 10)


def test_9_5_b_the_ante_loses() -> None:
    assert due(showdown(FIVES))["ante"] == ("lose", 0)


def test_9_5_c_the_ante_pushes() -> None:
    assert due(showdown(("9s", "Jc")))["ante"] == ("push", 0)
    assert due(showdown(FIVES, ODD))["ante"] == ("push", 0)
    assert due(showdown(("3h", "Tc"), ODD))["ante"] == ("push", 0)


def test_9_6_the_blind() -> None:
    straight = ("7s", "5s")
    assert due(showdown(straight))["blind"] == ("win", 10)
    assert due(showdown(FIVES))["blind"] == ("lose", 0)
    assert due(showdown(("3h", "Tc"), ODD))["blind"] == ("lose", 0)
    assert due(showdown(straight, ("7c", "5c")))["blind"] == ("push", 0)
    assert due(showdown(ACES))["blind"] == ("push", 0)
    assert due(showdown(straight, ("Tc", "7c")))["blind"] == ("lose", 0)


def test_9_7_trips_looks_at_the_players_hand_alone() -> None:
    assert due(showdown(("4s", "4d"), ("6h", "6s")))["trips"] == ("win", 15)
    assert due(showdown(ACES))["trips"] == ("lose", 0)


def test_9_8_play() -> None:
    assert due(showdown(ACES))["play"] == ("win", 40)
    assert due(showdown(FIVES, ODD))["play"] == ("win", 40)
    assert due(showdown(("3h", "Tc"), ODD))["play"] == ("lose", 0)
    assert due(showdown(("9s", "Jc")))["play"] == ("push", 0)


@pytest.mark.parametrize(
    ("spot", "stands", "kind"),
    [
        ("ante", 15, "payout.short"),
        ("ante", 30, "payout.over"),
        ("ante", 0, "payout.winner_taken"),
        ("ante", 10, "payout.missed"),
        ("blind", 0, "payout.push_taken"),
        ("blind", 20, "payout.over"),
        ("trips", 5, "payout.loser_paid"),
        ("trips", 10, "payout.loser_paid"),
        ("play", 60, "payout.short"),
        ("play", 0, "payout.winner_taken"),
    ],
)
def test_9_9_paid_by_the_table(spot: str, stands: float, kind: str) -> None:
    start = "shuffle\n" + bets(trips=5) + dealt() + bet("box1", 40) + flop() + river() + shown()
    right: dict[str, float] = {"ante": 20, "trips": 0, "blind": 10, "play": 80}
    assert breaches(uth(start + settled("box1", ACES, **right) + gathered())) == []
    wrong = uth(start + settled("box1", ACES, **right | {spot: stands}) + gathered())
    assert breaches(wrong) == [(kind, f"box1/{spot}")]


def test_9_10_lost_wagers_are_collected() -> None:
    start = "shuffle\n" + bets(trips=5) + dealt() + bet("box1", 40) + flop() + river() + shown()
    assert breaches(uth(start + settled("box1", FIVES, ante=0, trips=0, blind=0, play=0) + gathered())) == []
    left = start + settled("box1", FIVES, ante=0, trips=0, blind=0) + back("box1/play") + gathered()
    assert breaches(uth(left)) == [("payout.loser_paid", "box1/play")]


def test_9_1_conceding_costs_every_wager() -> None:
    start = "shuffle\n" + bets(trips=5) + dealt() + bet("box1", 40) + flop() + river() + shown()
    every = taken("box1/ante", "box1/blind", "box1/trips", "box1/play")
    called = uth(start + "call fold box1 player\n" + every + gathered("box1"))
    assert breaches(called) == unsure(called) == []
    assert {each["rule"] for each in called[0]["wagers"]} == {"9.1"}
    silent = uth(start + every + gathered("box1"))
    assert breaches(silent) == unsure(silent) == []
    assert {each["result"] for each in silent[0]["wagers"]} == {"lose"}
    kept = start + "call fold box1 player\n" + every.replace("trips 0 dealer", "trips 0 player") + gathered("box1")
    assert breaches(uth(kept)) == [("payout.loser_paid", "box1/trips")]


def test_9_1_conceding_after_the_ante_went_back() -> None:
    start = "shuffle\n" + bets() + dealt() + bet("box1", 40) + flop() + river()
    rest = "call fold box1 player\n" + taken("box1/blind", "box1/play") + gathered("box1")
    assert breaches(uth(start + shown(ODD) + back("box1/ante") + rest)) == []
    assert breaches(uth(start + shown(ODD) + taken("box1/ante") + rest)) == []
    assert breaches(uth(start + shown(PAIR) + back("box1/ante") + rest)) == [("payout.loser_paid", "box1/ante")]


def test_a_hand_never_turned_is_settled_by_what_it_could_be() -> None:
    start = "shuffle\n" + bets() + dealt() + bet("box1", 40) + flop() + river() + shown()
    rounds = uth(start + "chips box1/ante 20 dealer\nchips box1/play 80 dealer\n" + gathered("box1"))
    assert breaches(rounds) == []
    assert {at for _, at in unsure(rounds)} == {"box1/ante", "box1/blind", "box1/play"}
    assert {each["result"] for each in rounds[0]["wagers"]} == {None}


# ---- the order of settlement (9.2, 9.3) --------------------------------------------------------------------------


def two_hands(*settlement: str, dealer: tuple[str, ...] = PAIR) -> list[Answer]:
    script = "shuffle\n" + bets() + bets("box2") + dealt("box1", "box2") + bet("box1", 40) + bet("box2", 40)
    return uth(script + flop() + river() + shown(dealer) + "".join(settlement) + gathered())


ONE = settled("box1", ACES, ante=20, play=80).replace("gone", "chips box1/blind 0 player\ngone")
TWO = settled("box2", FIVES, ante=0, blind=0, play=0)


def test_9_3_from_the_dealers_right() -> None:
    assert breaches(two_hands(TWO, ONE)) == []
    rounds = two_hands(ONE, TWO)
    assert breaches(rounds) == [("payout.order", "box1/ante")]
    assert rounds[0]["findings"][0]["rule"] == "NI2025-411 9.3"


def test_9_3_one_player_at_a_time() -> None:
    assert breaches(two_hands(TWO.replace("gone box2 to=discard\n", ""), ONE, "gone box2\n")) == [
        ("payout.order", "box1/ante")
    ]
    rest = "chips box2/play 0 dealer\nchips box2/play 0 player\n"
    assert breaches(two_hands(TWO.replace(rest, ""), ONE, rest)) == [("payout.order", "box1/ante")]


def test_9_3_a_late_correction_is_not_out_of_turn() -> None:
    short = settled("box1", ACES, ante=20, play=80).replace("gone", "chips box1/blind 0 player\ngone")
    first = settled("box2", KINGS, ante=15, play=80).replace("gone", "chips box2/blind 0 player\ngone")
    first = first.replace("chips box2/ante 0 player\n", "")
    assert breaches(two_hands(first, short, "chips box2/ante 20 dealer\n")) == []


def test_9_3_not_before_the_dealers_hand() -> None:
    script = aces_win("chips box1/trips 5 player\n").replace("call dealer_hand", "chips box1/trips 0 dealer\ncall dealer_hand")
    assert breaches(uth(script)) == [("payout.order", "box1/trips")]


def test_9_2_antes_go_back_first() -> None:
    one = settled("box1", ACES, play=80).replace("gone", "chips box1/blind 0 player\ngone")
    two = settled("box2", FIVES, play=80).replace("gone", "chips box2/blind 0 player\ngone")
    assert breaches(two_hands(back("box2/ante", "box1/ante"), two, one, dealer=ODD)) == []
    assert breaches(two_hands(back("box1/ante", "box2/ante"), two, one, dealer=ODD)) == []
    rounds = two_hands(back("box2/ante"), two, back("box1/ante"), one, dealer=ODD)
    assert breaches(rounds) == [("payout.order", "box1/ante")]
    assert rounds[0]["findings"][0]["rule"] == "NI2025-411 9.2"
    assert breaches(two_hands(back("box2/ante") + taken("box1/ante"), two, one, dealer=ODD)) == [
        ("payout.push_taken", "box1/ante")
    ]


# ---- tournament (rule 16) ----------------------------------------------------------------------------------------


def tournament(first: str, second: str, *, extra: str = "", **house: object) -> list[Answer]:
    script = "shuffle\nmarker box2\n" + bets(first) + bets(second) + extra + dealt("box1", "box2")
    script += "call fold box1 player\ncall fold box2 player\n" + taken("box1/ante", "box1/blind", "box2/ante", "box2/blind")
    return uth(script + gathered("box1", "box2"), **house)


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
    assert {kind for kind, _ in breaches(tournament("box2", "box1", tournament=True, min=20))} == {"bet.limit"}


# ---- weak reads and interruptions --------------------------------------------------------------------------------


def test_a_weak_card_that_decides_is_unsure() -> None:
    wrong = turned("box1", "As") + "turn box1 3d conf=0.4\n" + WON.partition("Ad\n")[2]
    rounds = uth(aces_win(after=wrong))
    assert breaches(rounds) == []
    assert {at for _, at in unsure(rounds)} == {"box1/ante", "box1/blind", "box1/play"}
    assert wager(rounds, "box1/play")["result"] is None


def test_a_weak_card_that_does_not_matter_leaves_the_proof() -> None:
    weak_board = aces_win(after=WON.replace("ante 20", "ante 10")).replace("turn board 2s", "turn board 2?")
    assert breaches(uth(weak_board)) == [("payout.missed", "box1/ante")]
    rounds = uth(aces_win().replace("turn board 2s", "turn board 2?"))
    assert breaches(rounds) == unsure(rounds) == []


def test_cards_of_a_folded_hand_do_not_matter() -> None:
    script = "shuffle\n" + bets() + bets("box2") + dealt("box1", "box2") + bet("box1", 40) + "call fold box2 player\n"
    script += "turn box2 5? conf=0.3\ngone box2\n" + flop() + river() + shown() + WON
    rounds = uth(script + taken("box2/ante", "box2/blind") + gathered("box1"))
    assert breaches(rounds) == unsure(rounds) == []


def test_half_read_cards_that_cannot_both_be_are_survived() -> None:
    aces = "turn box1 A?\nturn box1 A?\n" + WON.partition("Ad\n")[2]
    board = ("Ac", "Ad", "Ah", "4c", "2s")
    assert uth("shuffle\n" + bets() + dealt() + bet("box1", 40) + flop(board) + river(board) + shown() + aces
               + gathered("box1"))[0]["status"] == "complete"  # fmt: skip


def test_settlement_unseen() -> None:
    rounds = uth(aces_win(after="feed lost\nfeed back\n"))
    assert breaches(rounds) == []
    assert unsure(rounds) == [("view.gap", None)]
    assert {each["paid"] for each in rounds[0]["wagers"]} == {None}


def test_a_gap_in_the_betting_leaves_an_unseen_decision_open() -> None:
    rounds = fold(back("box2/ante", "box2/blind", "box2/trips"), before="feed blocked\nfeed back\n")
    assert breaches(rounds) == []
    assert wager(rounds, "box2/ante")["result"] is None


def test_a_gap_in_the_deal_leaves_the_count_open() -> None:
    script = aces_win().replace(dealt(), cards("board", "board", "board") + "feed lost\nfeed back\n")
    rounds = uth(script)
    assert breaches(rounds) == []


def test_weak_chips_are_unsure() -> None:
    weak = aces_win(after=WON.replace("ante 20 dealer", "ante 30 dealer conf=0.5"))
    rounds = uth(weak)
    assert breaches(rounds) == []
    assert unsure(rounds) == [("payout.over", "box1/ante")]


# ---- against an independent settlement ---------------------------------------------------------------------------


@pytest.mark.parametrize("mistaken", [False, True])
def test_whole_rounds_agree_with_phevaluator(mistaken: bool) -> None:
    for seed in range(1500):
        round = deal(seed, mistaken=mistaken)
        rounds = answers(round.log())
        assert len(rounds) == 1
        found = {each["at"]: (each["result"], each["due"]) for each in rounds[0]["wagers"]}
        assert found == round.expected, seed
        assert [(each["kind"], each["at"]) for each in rounds[0]["findings"]] == (
            [round.mistake] if round.mistake else []
        ), seed  # fmt: skip


def test_the_script_language_writes_what_is_meant() -> None:
    assert event("hand box1 true by=player", 1) == {"t": 1, "e": "hand", "at": "box1", "in": True, "by": "player"}
    assert b'"by":"dealer"' in written("act-uth", "call dealer_hand dealer")
