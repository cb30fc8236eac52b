"""The wagers of Tournament American Roulette and their settlement, clause by clause."""

import pytest

from auditor.rulebooks.roulette_layout import complete, spot_at
from playing import Answer, breaches, cited, findings, play, unsure, wager
from spinning import bet, pay, pick, roulette, spun, won


# ---- settlement --------------------------------------------------------------------------------------------------

WINS = [
    ("layout/17", 17, 35, "6.1(a)"), ("layout/0", 0, 35, "7.3(a)"), ("layout/17-20", 20, 17, "6.1(b)"),
    ("layout/0-3", 0, 17, "7.3(a)"), ("layout/16-17-18", 18, 11, "6.1(c)"), ("layout/0-1-2", 2, 11, "6.1(c)"),
    ("layout/0-2-3", 0, 11, "7.3(a)"), ("layout/16-17-19-20", 19, 8, "6.1(d)"),
    ("layout/13-14-15-16-17-18", 13, 5, "6.1(e)"),
    ("layout/column2", 17, 2, "6.1(f)"), ("layout/dozen2", 24, 2, "6.1(g)"),
    ("layout/low", 18, 1, "6.1(h)"), ("layout/high", 19, 1, "6.1(i)"), ("layout/even", 36, 1, "6.1(j)"),
    ("layout/odd", 35, 1, "6.1(k)"), ("layout/red", 36, 1, "6.1(l)"), ("layout/black", 35, 1, "6.1(m)"),
]  # fmt: skip


@pytest.mark.parametrize(("at", "pocket", "odds", "rule"), WINS)
def test_6_1_winners_are_paid_at_their_odds(at: str, pocket: int, odds: int, rule: str) -> None:
    rounds = won(at, 10, 10 * odds, pocket)
    assert findings(rounds, "breach") == findings(rounds, "unsure") == []
    expected = {"stake": 10, "result": "win", "due": 10 * odds, "paid": 10 * odds, "rule": rule, "colour": "blue"}
    assert wager(rounds, at) == {"at": at} | expected
    assert rounds[0]["status"] == "complete"
    assert rounds[0]["spin"] == {"valid": True, "pocket": pocket, "laps": 10.4, "rule": None}


@pytest.mark.parametrize(("at", "pocket", "odds", "rule"), WINS)
def test_6_1_every_wrong_payment_is_found(at: str, pocket: int, odds: int, rule: str) -> None:
    assert breaches(won(at, 10, 10 * odds - 5, pocket)) == [("payout.short", at)]
    assert breaches(won(at, 10, 10 * odds + 10, pocket)) == [("payout.over", at)]
    assert breaches(roulette(bet(at, 10), spun(pocket), pick(at))) == [("payout.missed", at)]
    assert breaches(roulette(bet(at, 10), spun(pocket), pay(at, 0))) == [("payout.winner_taken", at)]


@pytest.mark.parametrize(("at", "pocket", "odds", "rule"), WINS)
def test_7_1_a_number_that_is_not_covered_loses(at: str, pocket: int, odds: int, rule: str) -> None:
    spot = spot_at(at)
    assert spot is not None
    other = next(number for number in range(36, 0, -1) if number not in spot.covered)
    clean = roulette(bet(at, 10), spun(other), pay(at, 0))
    assert breaches(clean) == []
    assert (wager(clean, at)["result"], wager(clean, at)["due"], wager(clean, at)["rule"]) == ("lose", 0, "7.1")
    paid = roulette(bet(at, 10), spun(other), pay(at, 10 + 10 * odds), pick(at))
    assert breaches(paid) == [("payout.loser_paid", at)]
    assert breaches(roulette(bet(at, 10), spun(other), pick(at))) == [("payout.loser_paid", at)]


def test_6_1_the_finding_states_what_is_due_and_what_was_paid() -> None:
    found = won("layout/17", 10, 340, 17)[0]["findings"][0]
    assert (found["expected"], found["observed"], found["at"]) == (350, 340, "layout/17")
    assert found["rule"] == "NI2002-45 Roulette 6.1(a)"
    assert found["message"] == "A straight-up wager pays 35 to 1: 350.00 is due on 10.00, 340.00 was paid."


def test_6_1_no_wager_is_paid_twice() -> None:
    twice = roulette(bet("layout/17", 10), spun(17), pay("layout/17", 360), pay("layout/17", 710), pick("layout/17"))
    assert breaches(twice) == [("payout.over", "layout/17")]


def test_6_1_chips_paid_where_no_wager_stood() -> None:
    rounds = roulette(bet("layout/17", 10), spun(17), pay("layout/18", 350), pick("layout/17"))
    assert breaches(rounds) == [("payout.over", "layout/18"), ("payout.missed", "layout/17")]


def test_6_1_another_colour_read_there_does_not_show_that_no_wager_stood() -> None:
    gap = "dolly null\nfeed lost\nfeed back\nchips layout/18 5 player colour=blue\n"
    lost = f"{gap}{spun(17)}\nchips layout/18 0 dealer colour=blue\n"
    lost += f"dolly null\n{bet('layout/1', 5)}{spun(17)}{pay('layout/1', 0)}"
    paid = f"dolly null\n{spun(18)}\nchips layout/18 350 dealer colour=red\n"
    assert breaches(play("act-roulette", lost + paid, colours={"blue": 1, "red": 1})) == []


@pytest.mark.parametrize(
    "at", ["layout/red", "layout/even", "layout/low", "layout/column1", "layout/dozen1", "layout/4-5"]
)
def test_7_3_b_on_zero_every_other_wager_loses(at: str) -> None:
    rounds = roulette(bet(at, 10), spun(0), pay(at, 0))
    assert breaches(rounds) == []
    assert wager(rounds, at)["rule"] == "7.3(b)"
    assert breaches(roulette(bet(at, 10), spun(0), pick(at))) == [("payout.loser_paid", at)]


def test_7_2_wagers_are_not_settled_before_the_ball_rests() -> None:
    script = """
        spin cw ccw dealer
        call no_more_bets dealer
        chips layout/red 0 dealer colour=blue
        ball rest pocket=17
        dolly 17
    """
    assert breaches(roulette(bet("layout/red", 10), script)) == [("payout.order", "layout/red")]


@pytest.mark.parametrize(("conf", "verdict"), [("", "breach"), (" conf=0.87", "unsure")])
def test_7_2_chips_read_again_otherwise_are_not_settled_for_sure(conf: str, verdict: str) -> None:
    script = f"chips layout/red 35 player{conf}\n" + """
        spin cw ccw dealer
        call no_more_bets dealer
        chips layout/red 10 dealer
        ball rest pocket=17
        dolly 17
        chips layout/red 0 dealer
    """
    found = roulette(bet("layout/1", 10), script, "chips layout/1 0 dealer")
    one = ("payout.order", "layout/red")
    assert [kind for kind in ("breach", "unsure") if one in findings(found, kind)] == [verdict]


def test_4_6_colours_are_wagers_of_their_own_and_amounts_are_money() -> None:
    rounds = roulette(
        bet("layout/17", 10), bet("layout/17", 20, "red"), spun(17),
        pay("layout/17", 360), pay("layout/17", 20, "red"), pick("layout/17", "red"), pick("layout/17"),
        colours={"blue": 5, "red": 5},
    )  # fmt: skip
    assert breaches(rounds) == [("payout.missed", "layout/17")]
    assert rounds[0]["findings"][0]["colour"] == "red"
    assert [(each["colour"], each["due"], each["paid"]) for each in rounds[0]["wagers"]] == [
        ("blue", 350, 350), ("red", 700, 0),
    ]  # fmt: skip


def test_4_6_a_wager_is_made_of_whole_colour_chips() -> None:
    assert breaches(won("layout/17", 7, 245, 17, colours={"blue": 5})) == [("bet.multiple", "layout/17")]
    assert breaches(won("layout/17", 7, 245, 17, colours={"red": 5})) == []


# ---- one pile for one player -------------------------------------------------------------------------------------

THREE = bet("layout/17", 10) + bet("layout/black", 20) + bet("layout/low", 30) + bet("layout/red", 40)


def piled(amount: float, *more: str) -> list[Answer]:
    return roulette(THREE, spun(17), pay("layout/red", 0), pay("layout/paid", amount), *more)


def test_6_1_a_pile_is_the_sum_of_what_the_colour_is_due() -> None:
    rounds = piled(400, pick("layout/paid"))
    assert breaches(rounds) == []
    assert {each["at"]: each["paid"] for each in rounds[0]["wagers"]} == {
        "layout/17": 350, "layout/black": 20, "layout/low": 30, "layout/red": 0,
    }  # fmt: skip
    assert rounds[0]["status"] == "complete"


def test_6_1_a_pile_too_small_or_too_large() -> None:
    rounds = piled(390)
    assert breaches(rounds) == [("payout.short", "layout/paid")]
    assert (rounds[0]["findings"][0]["expected"], rounds[0]["findings"][0]["observed"]) == (400, 390)
    assert wager(rounds, "layout/17")["paid"] is None
    assert breaches(piled(440)) == [("payout.over", "layout/paid")]


def test_6_1_a_pile_laid_on_chips_that_were_read_weakly_is_unsure() -> None:
    left = "chips layout/paid 5 player colour=blue conf=0.5\ndolly null\n"
    rounds = piled(400, left, THREE, spun(17), pay("layout/red", 0), pay("layout/paid", 400), pick("layout/paid"))
    assert (breaches(rounds), unsure(rounds)) == ([], [("payout.short", "layout/paid")])


def test_6_1_a_pile_for_a_colour_that_lost_or_did_not_play() -> None:
    lost = roulette(bet("layout/red", 10), spun(17), pay("layout/red", 0), pay("layout/paid", 10))
    assert breaches(lost) == [("payout.loser_paid", "layout/paid")]
    stranger = roulette(bet("layout/red", 10), spun(17), pay("layout/red", 0), pay("layout/paid", 10, "pink"))
    assert breaches(stranger) == [("payout.over", "layout/paid")]


def test_6_1_a_pile_beside_payments_at_the_spots() -> None:
    assert breaches(piled(370, pay("layout/low", 60))) == []
    assert breaches(piled(360, pay("layout/low", 60))) == [("payout.short", "layout/paid")]
    assert breaches(piled(410, pay("layout/17", 0))) == []
    assert breaches(piled(400, pay("layout/17", 0))) == [("payout.winner_taken", "layout/17")]
    assert breaches(piled(50, pay("layout/17", 0))) == [("payout.winner_taken", "layout/17")]


def test_6_1_a_loser_is_not_settled_by_its_colours_pile() -> None:
    left = roulette(THREE, spun(17), pay("layout/paid", 400), pick("layout/red"))
    assert breaches(left) == [("payout.loser_paid", "layout/red")]
    open_end = roulette(THREE, spun(17), pay("layout/paid", 400))
    assert (open_end[0]["status"], breaches(open_end)) == ("unfinished", [])


# ---- limits and permitted wagers ---------------------------------------------------------------------------------


def test_3_1_wagers_within_the_limits_pass() -> None:
    assert breaches(won("layout/17", 10, 350, 17, min=10, max=10)) == []


def test_3_2_wagers_come_in_multiples() -> None:
    assert breaches(won("layout/17", 12, 420, 17, multiple=5)) == [("bet.multiple", "layout/17")]
    assert breaches(won("layout/17", 15, 525, 17, multiple=5)) == []


def test_3_3_a_wager_below_the_minimum_is_settled_in_full() -> None:
    assert breaches(won("layout/17", 2, 70, 17, min=5)) == [("bet.limit", "layout/17")]
    missed = roulette(bet("layout/17", 2), spun(17), pick("layout/17"), min=5)
    assert breaches(missed) == [("bet.limit", "layout/17"), ("payout.missed", "layout/17")]


def test_3_4_a_wager_above_the_maximum_is_settled_on_the_maximum() -> None:
    assert breaches(won("layout/17", 20, 350, 17, max=10)) == [("bet.limit", "layout/17")]
    assert breaches(won("layout/17", 20, 700, 17, max=10)) == [("bet.limit", "layout/17"), ("payout.over", "layout/17")]
    lost = bet("layout/red", 20) + spun(17)
    half = roulette(lost, pay("layout/red", 10), pick("layout/red"), max=10)
    assert breaches(half) == [("bet.limit", "layout/red")]
    assert breaches(roulette(lost, pay("layout/red", 0), max=10))[1:] == [("payout.push_taken", "layout/red")]


def test_12_13_in_a_tournament_everybody_stakes_the_minimum() -> None:
    rounds = won("layout/17", 2, 70, 17, min=5, tournament=True)
    assert breaches(rounds) == [("bet.limit", "layout/17")]
    assert cited(rounds, "bet.limit") == ["12.13"]


@pytest.mark.parametrize(
    "at",
    ["layout/1-5", "layout/3-4", "layout/0-4", "layout/1-2-4", "layout/2-3-4-5", "layout/1-2-3-7-8-9", "layout/37"],
)
def test_4_3_an_illegal_combination_is_reported_once_however_it_is_settled(at: str) -> None:
    for settled in (pick(at), pay(at, 0), pay(at, 180) + pick(at)):
        rounds = roulette(bet(at, 10), spun(1), settled)
        assert breaches(rounds) == [("bet.invalid", at)]
        assert wager(rounds, at)["result"] == "void"


def test_4_3_d_zero_to_three_is_a_corner_unless_the_house_says_otherwise() -> None:
    assert breaches(won("layout/0-1-2-3", 10, 80, 0)) == []
    assert breaches(won("layout/0-1-2-3", 10, 80, 0, first_four=False)) == [("bet.invalid", "layout/0-1-2-3")]


def test_4_7_a_maximum_marker_is_the_maximum_on_its_number() -> None:
    marker = "chips layout/17 100 player colour=blue marker=true\n"
    clean = roulette(marker, spun(17), pay("layout/17", 3600), pick("layout/17"), max=100)
    assert breaches(clean) == []
    assert breaches(roulette(marker, spun(17), pick("layout/17"), max=100)) == [("payout.missed", "layout/17")]
    assert breaches(roulette(marker, spun(17), pay("layout/17", 3600), max=200)) == [("bet.amount", "layout/17")]


def test_4_7_a_maximum_marker_may_stand_for_all_combinations_of_its_number() -> None:
    marker = "chips layout/17 1200 player colour=blue marker=true\n"
    clean = roulette(marker, spun(17), pay("layout/17", 16800), pick("layout/17"), max=100)
    assert breaches(clean) == []
    assert wager(clean, "layout/17") | {"due": 15600, "rule": "4.7"} == wager(clean, "layout/17")
    assert breaches(roulette(marker, spun(18), pay("layout/17", 6000), pick("layout/17"), max=100)) == []
    assert breaches(roulette(marker, spun(1), pay("layout/17", 0), max=100)) == []


def test_4_7_a_marker_that_comes_back_with_less_than_it_staked() -> None:
    marker = "chips layout/1 900 player colour=blue marker=true\n"
    assert complete(1).gains[6] == -3
    assert breaches(roulette(marker, spun(6), pay("layout/1", 600), pick("layout/1"), max=100)) == []
    assert breaches(roulette(marker, spun(6), pay("layout/1", 0), max=100)) == [("payout.push_taken", "layout/1")]


def test_4_7_a_marker_stands_on_a_single_number() -> None:
    marker = "chips layout/17-20 100 player colour=blue marker=true\n"
    assert breaches(roulette(marker, spun(1), pay("layout/17-20", 0), max=100)) == [("bet.invalid", "layout/17-20")]


# ---- the race track ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "stake", "pocket", "due"),
    [
        ("track/tier", 60, 8, 120), ("track/orphelins", 50, 17, 310), ("track/orphelins", 50, 9, 130),
        ("track/voisins-zero", 90, 0, 150), ("track/voisins-zero", 90, 26, 90), ("track/voisins-zero", 90, 7, 90),
        ("track/zero-game", 40, 26, 320), ("track/zero-game", 40, 3, 140), ("track/neighbours-17", 50, 6, 310),
    ],
)  # fmt: skip
def test_4_8_a_track_wager_is_one_wager_and_pays_its_net_gain(at: str, stake: int, pocket: int, due: int) -> None:
    clean = won(at, stake, due, pocket)
    assert breaches(clean) == []
    assert (wager(clean, at)["due"], wager(clean, at)["paid"]) == (due, due)
    assert breaches(won(at, stake, due - 10, pocket)) == [("payout.short", at)]
    assert breaches(won(at, stake, due + 10, pocket)) == [("payout.over", at)]
    assert breaches(roulette(bet(at, stake), spun(pocket), pick(at))) == [("payout.missed", at)]
    assert breaches(roulette(bet(at, stake), spun(pocket), pay(at, 0))) == [("payout.winner_taken", at)]


@pytest.mark.parametrize(
    ("at", "stake", "rule"),
    [
        ("track/tier", 60, "4.8(a)"), ("track/orphelins", 50, "4.8(b)"), ("track/voisins-zero", 90, "4.8(c)"),
        ("track/zero-game", 40, "4.8(d)"), ("track/neighbours-17", 50, "4.8(e)"),
    ],
)  # fmt: skip
def test_4_8_a_track_wager_is_made_of_equal_pieces(at: str, stake: int, rule: str) -> None:
    spot = spot_at(at)
    assert spot is not None
    miss = next(number for number in range(37) if number not in spot.covered)
    assert breaches(roulette(bet(at, stake), spun(miss), pay(at, 0))) == []
    assert breaches(roulette(bet(at, stake), spun(miss), pick(at))) == [("payout.loser_paid", at)]
    uneven = roulette(bet(at, stake + 1), spun(miss), pay(at, 0), colours={"blue": 1})
    assert breaches(uneven) == [("bet.amount", at)]
    assert uneven[0]["findings"][0]["rule"].endswith(rule)


def test_4_8_the_pieces_of_voisins_are_an_option() -> None:
    assert breaches(won("track/voisins-zero", 70, 50, 0, voisins="seven")) == []
    assert breaches(won("track/voisins-zero", 70, 50, 0)) == [("bet.amount", "track/voisins-zero")]


def test_4_8_limits_hold_for_each_piece_and_unknown_sections_are_invalid() -> None:
    assert breaches(won("track/tier", 60, 120, 8, max=10, min=10)) == []
    assert breaches(won("track/tier", 120, 120, 8, max=10)) == [("bet.limit", "track/tier")]
    assert breaches(roulette(bet("track/finale", 40), spun(8), pick("track/finale"))) == [
        ("bet.invalid", "track/finale")
    ]


# ---- NO MORE BETS ------------------------------------------------------------------------------------------------


def closed(*late: str, after: str = "") -> str:
    return (
        "\n".join(
            ["spin cw ccw dealer", "call no_more_bets dealer", *late, "ball leave_track laps=9", "ball rest pocket=17"]
        )
        + f"\n{after}\ndolly 17\n"
    )


@pytest.mark.parametrize("settled", [pick("layout/18"), pay("layout/18", 0)])
def test_4_1_a_wager_after_no_more_bets_is_late(settled: str) -> None:
    rounds = roulette(bet("layout/red", 10), closed(bet("layout/18", 5)), pay("layout/red", 0), settled)
    assert breaches(rounds) == [("bet.late", "layout/18")]


def test_4_8_a_track_wager_after_no_more_bets_is_late() -> None:
    rounds = roulette(bet("layout/red", 10), closed(bet("track/tier", 60)), pay("layout/red", 0), pick("track/tier"))
    assert breaches(rounds) == [("bet.late", "track/tier")]


def test_4_4_a_late_winner_may_be_refused_or_paid() -> None:
    for settled in (pick("layout/17"), pay("layout/17", 180) + pick("layout/17")):
        rounds = roulette(bet("layout/red", 10), closed(bet("layout/17", 5)), pay("layout/red", 0), settled)
        assert breaches(rounds) == [("bet.late", "layout/17")]


def test_4_4_a_late_wager_laid_in_steps_is_told_whole() -> None:
    late = bet("layout/18", 5) + bet("layout/18", 15)
    rounds = roulette(bet("layout/red", 10), closed(late), pay("layout/red", 0), pick("layout/18"))
    assert breaches(rounds) == [("bet.late", "layout/18")]
    assert (wager(rounds, "layout/18")["stake"], rounds[0]["findings"][0]["observed"]) == (15, 15)


def test_4_4_a_wager_slipped_in_after_the_ball_rests_is_late() -> None:
    for slipped in (closed(after=bet("layout/17", 5)), closed() + bet("layout/17", 5)):
        rounds = roulette(
            bet("layout/red", 10), slipped, pay("layout/red", 0), pay("layout/17", 180), pick("layout/17")
        )
        assert breaches(rounds) == [("bet.late", "layout/17")]


def test_4_4_a_wager_on_a_known_number_where_no_other_stands_is_late() -> None:
    first = roulette(closed(after=bet("layout/17", 5)), pay("layout/17", 180), pick("layout/17"))
    assert (breaches(first), len(first)) == ([("bet.late", "layout/17")], 1)
    all_taken = bet("layout/4", 5) + closed(after=pay("layout/4", 0) + bet("layout/17", 5))
    later = roulette(closed(), "dolly null", all_taken, pay("layout/17", 180), pick("layout/17"))
    assert breaches(later) == [("bet.late", "layout/17")]
    unmarked = closed(after=bet("layout/4", 5)).replace("dolly 17\n", "") + closed() + pay("layout/4", 0)
    assert breaches(roulette(unmarked)) == []  # a table without a dolly: it is the next round's


@pytest.mark.parametrize("amount", [0, 5, 50])
def test_4_4_a_standing_wager_may_not_be_changed(amount: int) -> None:
    for settled in (pay("layout/17", amount + 350), pay("layout/17", 36 * amount)) if amount else ("",):
        rounds = roulette(bet("layout/17", 10), closed(bet("layout/17", amount)), settled, pick("layout/17"))
        assert breaches(rounds) == [("bet.moved", "layout/17")]


def test_4_4_chips_pulled_back_before_the_number_is_marked_were_moved() -> None:
    rounds = roulette(bet("layout/red", 10), closed(after=pick("layout/red")))
    assert breaches(rounds) == [("bet.moved", "layout/red")]


def test_4_4_once_all_is_paid_the_next_wager_may_lie_down() -> None:
    rounds = roulette(bet("layout/red", 10), spun(17), pay("layout/red", 0), bet("layout/5", 5), "dolly null", spun(5))
    assert breaches(rounds) == []
    assert [wager(rounds, "layout/5", 1)["stake"], len(rounds)] == [5, 2]


def test_4_4_chips_by_an_unknown_hand_are_no_proof() -> None:
    late = "chips layout/18 5 colour=blue"
    rounds = roulette(bet("layout/red", 10), closed(late), pay("layout/red", 0), pick("layout/18"))
    assert (breaches(rounds), unsure(rounds)) == ([], [("bet.late", "layout/18")])


def test_4_4_a_weakly_seen_call_proves_nothing() -> None:
    script = "spin cw ccw\ncall no_more_bets conf=0.5\n" + bet("layout/18", 5) + "ball rest pocket=17\ndolly 17\n"
    rounds = roulette(bet("layout/red", 10), script, pay("layout/red", 0), pick("layout/18"))
    assert breaches(rounds) == []
    assert set(unsure(rounds)) == {("bet.late", "layout/18"), ("spin.no_more_bets", None)}


def test_5_3_no_more_bets_is_called_before_the_ball_rests() -> None:
    silent = "spin cw ccw\nball leave_track laps=9\nball rest pocket=17\ndolly 17\n"
    assert breaches(roulette(bet("layout/red", 10), silent, pay("layout/red", 0))) == [("spin.no_more_bets", None)]
    tardy = "spin cw ccw\nball leave_track laps=9\nball rest pocket=17\ncall no_more_bets\ndolly 17\n"
    assert breaches(roulette(bet("layout/red", 10), tardy, pay("layout/red", 0))) == [("spin.no_more_bets", None)]
    early = "call no_more_bets\nspin cw ccw\nball leave_track laps=9\nball rest pocket=17\ndolly 17\n"
    assert breaches(roulette(bet("layout/red", 10), early, pay("layout/red", 0))) == []


def test_5_3_a_call_that_a_gap_may_hide_is_unsure() -> None:
    script = "spin cw ccw\nfeed lost\nfeed back\nball leave_track laps=9\nball rest pocket=17\ndolly 17\n"
    rounds = roulette(bet("layout/red", 10), script, pay("layout/red", 0))
    assert (breaches(rounds), unsure(rounds)) == ([], [("spin.no_more_bets", None)])


def test_7_3_b_half_of_a_wager_given_back_on_zero_is_given_to_a_loser() -> None:
    script = """
        dolly null
        chips layout/red 10 player colour=blue
        spin cw ccw
        call no_more_bets
        ball leave_track laps=9
        ball rest pocket=0
        dolly 0
        chips layout/red 5 player colour=blue
        chips layout/red 0 dealer colour=blue
    """
    assert breaches(play("act-roulette", script, colours={"blue": 1})) == [("payout.loser_paid", "layout/red")]
