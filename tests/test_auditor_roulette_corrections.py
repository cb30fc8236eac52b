"""Roulette: what the table puts right, does early or leaves for later, and what a gap in the view excuses."""

import pytest

from playing import breaches, play, unsure, wager
from spinning import GAME, bet, pay, pick, roulette, spun

CLOSED = "spin cw ccw\ncall no_more_bets\n"
RESTS = "ball leave_track laps=9\nball rest pocket=17\n"
GAP = "feed lost\nfeed back\n"
PAID = pay("layout/17", 360) + pick("layout/17")
NEXT = bet("layout/4", 5) + spun(5) + pay("layout/4", 0)


# ---- the dolly ---------------------------------------------------------------------------------------------------


def test_def_round_of_play_a_dolly_put_back_does_not_end_the_round() -> None:
    rounds = roulette(bet("layout/17", 10), spun(17), "dolly null\ndolly 17", PAID, "dolly null", NEXT)
    assert breaches(rounds) == [("spin.dolly", None)]
    assert [each["status"] for each in rounds] == ["complete", "complete"]
    assert wager(rounds, "layout/17")["paid"] == 350
    settled = roulette(bet("layout/17", 10), spun(17), PAID, "dolly null\ndolly 17\ndolly null", NEXT)
    assert (breaches(settled), len(settled)) == ([], 2)


def test_def_dolly_a_wrong_one_may_be_put_right() -> None:
    rounds = roulette(bet("layout/17", 10), spun(17, dolly=18), "dolly null\ndolly 17", PAID)
    assert (breaches(rounds), len(rounds)) == ([("spin.dolly", None)], 1)


def test_def_round_of_play_a_dolly_forgotten_until_the_next_launch() -> None:
    launched = bet("layout/4", 5) + "spin cw ccw\ndolly null\ncall no_more_bets\nball rest pocket=5 laps=9\ndolly 5\n"
    rounds = roulette(bet("layout/17", 10), spun(17), PAID, launched, pay("layout/4", 0))
    assert (breaches(rounds), [each["status"] for each in rounds]) == ([], ["complete", "complete"])
    assert wager(rounds, "layout/4", 1)["result"] == "lose"


# ---- wagers put right --------------------------------------------------------------------------------------------


def test_4_4_a_wager_put_back_is_paid_as_it_stood() -> None:
    for back in (bet("layout/17", 10), pay("layout/17", 10)):
        start = (bet("layout/17", 10), bet("layout/17-20", 10), CLOSED, bet("layout/17", 50), back, RESTS, "dolly 17")
        for settled in (pay("layout/paid", 520), PAID + pay("layout/17-20", 180)):
            rounds = roulette(*start, settled, pick("layout/17"), pick("layout/17-20"))
            assert breaches(rounds) == [("bet.moved", "layout/17")]
            assert (wager(rounds, "layout/17")["due"], wager(rounds, "layout/17")["paid"]) == (350, 350)
        refused = roulette(*start, pay("layout/paid", 170), pick("layout/17"), pick("layout/17-20"))
        assert breaches(refused) == [("bet.moved", "layout/17")]


@pytest.mark.parametrize(("pocket", "left"), [(1, 200), (2, 0)])
def test_3_4_the_dealer_may_hand_the_excess_back_before_the_ball_rests(pocket: int, left: int) -> None:
    handed = CLOSED + pay("layout/red", 100) + f"ball rest pocket={pocket} laps=9\ndolly {pocket}\n"
    rounds = roulette(bet("layout/red", 150), handed, pay("layout/red", left), pick("layout/red"), max=100)
    assert breaches(rounds) == [("bet.limit", "layout/red")]
    assert wager(rounds, "layout/red")["paid"] == left // 2


def test_4_7_a_marker_between_one_maximum_and_all_of_them() -> None:
    marker = "chips layout/17 5900 dealer colour=blue marker=true\n"
    assert breaches(roulette(marker, spun(0), pay("layout/17", 0), max=500)) == [("bet.limit", "layout/17")]


def test_10_3_a_wager_declared_void_may_be_taken_up() -> None:
    void = CLOSED + "call void layout/17 dealer\n" + pick("layout/17") + RESTS + "dolly 17\n"
    rounds = roulette(bet("layout/17", 10), bet("layout/4", 5), void, pay("layout/4", 0))
    assert (breaches(rounds), wager(rounds, "layout/17")["result"]) == ([], "void")


# ---- the next wager ----------------------------------------------------------------------------------------------


def test_4_4_binds_a_player_until_his_own_wagers_are_settled() -> None:
    start = (bet("layout/4", 10), bet("layout/17", 5, "red"), spun(17))
    red_paid = pay("layout/17", 180, "red") + pick("layout/17", "red")
    taken, anew = pay("layout/4", 0), bet("layout/5", 5)
    rounds = roulette(*start, taken, anew, red_paid, "dolly null", spun(5), pay("layout/5", 180))
    assert (breaches(rounds), wager(rounds, "layout/5", 1)["due"]) == ([], 175)
    assert breaches(roulette(*start, anew, taken, red_paid)) == [("bet.late", "layout/5")]
    assert breaches(roulette(*start, taken, anew, red_paid, pick("layout/5"))) == [("bet.late", "layout/5")]
    past_posted = taken + bet("layout/17", 5) + red_paid + pay("layout/17", 180)
    assert breaches(roulette(*start, past_posted)) == [("bet.late", "layout/17")]


# ---- wheel and view ----------------------------------------------------------------------------------------------


def test_5_1_a_stopped_wheel_is_for_the_table_to_judge() -> None:
    stopped = CLOSED + "wheel stopped\n" + RESTS
    counted = roulette(bet("layout/17", 10), stopped, "dolly 17", PAID)
    assert (breaches(counted), counted[0]["status"]) == ([], "complete")
    given_back = roulette(bet("layout/17", 10), stopped, pick("layout/17"))
    assert (breaches(given_back), given_back[0]["status"]) == ([], "void")


def test_4_4_a_gap_before_betting_closed_excuses_no_late_wager() -> None:
    late, settled = bet("layout/4", 5), RESTS + "dolly 17\n" + pay("layout/4", 0) + PAID
    assert breaches(roulette(GAP, bet("layout/17", 10), CLOSED, late, settled)) == [("bet.late", "layout/4")]
    since = roulette(bet("layout/17", 10), CLOSED, GAP, late, settled)
    assert (breaches(since), unsure(since)) == ([], [("bet.late", "layout/4")])
    assert breaches(roulette(GAP, bet("layout/1-5", 10), spun(17), pay("layout/1-5", 0))) == [
        ("bet.invalid", "layout/1-5")
    ]


def test_7_1_a_gap_while_the_ball_ran_excuses_no_wrong_payment() -> None:
    unseen = CLOSED + GAP + RESTS
    assert breaches(roulette(bet("layout/17", 10), unseen, "dolly 17", pay("layout/17", 0))) == [
        ("payout.winner_taken", "layout/17")
    ]


def test_chips_last_seen_before_a_gap_keep_no_round_open() -> None:
    rounds = roulette(bet("layout/17", 10), CLOSED, GAP, "dolly null", NEXT)
    assert [(each["status"], [wager["at"] for wager in each["wagers"]]) for each in rounds] == [
        ("unfinished", ["layout/17"]), ("complete", ["layout/4"]),
    ]  # fmt: skip


def test_a_round_of_one_event_closes_when_it_opened() -> None:
    assert [(each["opened"], each["closed"]) for each in play(GAME, bet("layout/4", 5))] == [(1.0, 1.0)]


def test_def_round_of_play_a_payment_by_nobody_known_after_an_early_lift_is_the_old_rounds() -> None:
    unknown = [line.replace(" dealer", "") for line in (pay("layout/17", 360), pay("layout/paid", 350))]
    for paid in unknown:
        rounds = roulette(bet("layout/17", 10), spun(17), "dolly null", paid, pick("layout/17"), NEXT)
        assert (breaches(rounds), len(rounds)) == ([], 2)
    laid = roulette(bet("layout/17", 10), spun(17), "dolly null", "chips layout/17 20 colour=blue", spun(5))
    assert breaches(laid) == [("payout.missed", "layout/17")]
