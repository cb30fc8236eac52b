"""Ultimate Texas Hold-em (NI2025-411), rules 9 and 10: results, odds, the order of settlement, doubtful reads."""

import pytest

from datasets.uth_oracle import deal
from playing import Answer, answers, breaches, event, unsure, wager, written
from uth_script import (
    ACES, BOARD, FIVES, KINGS, ODD, PAIR, WON, aces_win, back, bet, bets, cards, dealt, flop, fold, gathered, river,
    settled, shown, taken, turned, uth,
)  # fmt: skip

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


@pytest.mark.parametrize("by", ["", " dealer"])
def test_9_9_the_last_wager_is_paid_after_the_player_has_taken_it_up(by: str) -> None:
    """Nobody lays a play wager before the next cards: chips that come there are this round's, whoever brought them."""
    beside = f"chips box1/play 0 player\nchips box1/play 40{by}\nchips box1/play 0 player\n"
    paid = uth(aces_win(after=WON.replace("chips box1/play 80 dealer\nchips box1/play 0 player\n", beside)))
    assert (breaches(paid), unsure(paid), len(paid)) == ([], [], 1)
    assert wager(paid, "box1/play")["paid"] == 40


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
    by_nobody_known = uth(start + every.replace("blind 0 dealer", "blind 0") + gathered("box1"))
    assert breaches(by_nobody_known) == unsure(by_nobody_known) == []
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


def test_hands_never_turned_leave_other_findings_proven() -> None:
    """Hundreds of readings cannot cast doubt on what does not hang on the cards, nor on another's trips."""
    start = "shuffle\n" + bets() + bets("box2", trips=5) + dealt("box1", "box2") + bet("box1", 50) + bet("box2", 40)
    paid = "chips box1/ante 20 dealer\nchips box1/play 100 dealer\n" + settled("box2", ("9s", "9d"), trips=15)
    rounds = uth(start + flop() + river() + paid + gathered("box1"))
    assert breaches(rounds) == [("bet.amount", "box1/play"), ("payout.short", "box2/trips")]
    assert wager(rounds, "box1/ante")["result"] is None


def test_a_hand_turned_when_the_chips_had_gone_still_counts() -> None:
    start = "shuffle\n" + bets() + dealt() + bet("box1", 40) + flop() + river() + shown()
    every = taken("box1/ante", "box1/blind", "box1/play")
    rounds = uth(start + every + turned("box1", *FIVES) + gathered("box1"))
    assert breaches(rounds) == unsure(rounds) == []
    assert breaches(uth(start + every + turned("box1", *ACES) + gathered("box1"))) == [
        ("payout.winner_taken", "box1/ante"), ("payout.push_taken", "box1/blind"), ("payout.winner_taken", "box1/play"),
    ]  # fmt: skip


def test_a_hand_read_face_down_is_settled_by_its_cards() -> None:
    start = "shuffle\n" + bets() + dealt() + bet("box1", 40) + flop() + river() + shown()
    for place, hand in (("As", "Ad"), ("5s", "5d")):
        known = start.replace("card box1 ??", f"card box1 {place} up=false", 1)
        known = known.replace("card box1 ??", f"card box1 {hand} up=false", 1)
        rounds = uth(known + taken("box1/ante", "box1/blind", "box1/play") + gathered("box1"))
        wins = [("payout.winner_taken", "box1/ante"), ("payout.push_taken", "box1/blind"), (
            "payout.winner_taken", "box1/play")]  # fmt: skip
        assert breaches(rounds) == (wins if place == "As" else [])


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
    rest = "chips box2/play 0 dealer\nchips box2/play 0 player\n"
    begun = TWO.replace(rest, "").replace("gone box2 to=discard\n", "")
    assert breaches(two_hands(begun, ONE, rest)) == [("payout.order", "box1/ante")]
    script = "shuffle\n" + bets(trips=5) + bets("box2", trips=5) + dealt("box1", "box2")
    script += bet("box1", 40) + bet("box2", 40) + flop() + river() + shown() + taken("box2/trips", "box1/trips")
    script += settled("box2", ACES, ante=20, play=80) + settled("box1", KINGS, ante=20, play=80) + gathered()
    assert breaches(uth(script)) == [("payout.order", "box1/trips")]


def test_9_3_cards_may_be_gathered_at_the_end_and_turned_at_once() -> None:
    """Only the order in which wagers were settled is held against the dealer."""
    one, two = ONE.replace("gone box1 to=discard\n", ""), TWO.replace("gone box2 to=discard\n", "")
    assert breaches(two_hands(two, one, "gone box1\ngone box2\n")) == []
    turns = "".join(f"{line}\n" for line in (one + two).splitlines() if line.startswith("turn"))
    chips = "".join(f"{line}\n" for line in (two + one).splitlines() if not line.startswith("turn"))
    assert breaches(two_hands(turns, chips, "gone box1\ngone box2\n")) == []


def test_9_3_pushes_are_picked_up_when_the_player_likes() -> None:
    tie = turned("box1", "9s", "Jc")
    up = back("box1/ante", "box1/blind", "box1/play")
    won = settled("box2", ACES, ante=20, play=80).replace("gone", "chips box2/blind 0 player\ngone")
    for settlement in ((tie, up, won), (won, tie, up), (tie, won, up)):
        assert breaches(two_hands(*settlement, "gone box1\n")) == []


def test_9_3_a_forgotten_payment_is_not_out_of_turn() -> None:
    first = settled("box2", KINGS, ante=20).replace("gone", "chips box2/blind 0 player\ngone")
    late = "chips box2/play 80 dealer\nchips box2/play 0 player\n"
    rounds = two_hands(first, ONE, late)
    assert breaches(rounds) == []
    assert wager(rounds, "box2/play")["paid"] == 40


def test_9_3_a_late_correction_is_not_out_of_turn() -> None:
    short = settled("box1", ACES, ante=20, play=80).replace("gone", "chips box1/blind 0 player\ngone")
    first = settled("box2", KINGS, ante=15, play=80).replace("gone", "chips box2/blind 0 player\ngone")
    first = first.replace("chips box2/ante 0 player\n", "")
    assert breaches(two_hands(first, short, "chips box2/ante 20 dealer\n")) == []


def test_9_3_not_before_the_dealers_hand() -> None:
    early = "chips box1/trips 0 dealer\ncall dealer_hand"
    script = aces_win("chips box1/trips 5 player\n").replace("call dealer_hand", early)
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
