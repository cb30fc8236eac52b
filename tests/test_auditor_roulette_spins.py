"""The spins, the dolly and the rounds of roulette: sections 5 and 9, and what weak reads leave open."""

from itertools import product

import pytest

from playing import breaches, play, unsure, wager
from spinning import GAME, bet, pay, pick, roulette, spun


# ---- spins that do not count -------------------------------------------------------------------------------------

SAME = "spin cw cw dealer"
VOID_SPINS = [
    ("spin cw cw\ncall no_more_bets\nball leave_track laps=9\nball rest pocket=17", "9.1"),
    ("spin cw ccw\ncall no_more_bets\nball leave_track laps=2.5\nball rest pocket=17", "5.2"),
    ("spin cw ccw\ncall no_spin\nball rest pocket=17 laps=2.5", "9.2"),
    ("spin cw ccw\ncall no_more_bets\nwheel object\nball rest pocket=17 laps=9", "9.3"),
    ("spin cw ccw\ncall no_more_bets\nball stuck laps=9", "9.4"),
    ("spin cw ccw\ncall no_more_bets\nball lifted laps=9", "9.4"),
    ("spin cw ccw\ncall no_more_bets\nball out laps=9", "9.5"),
    ("spin cw ccw\ncall no_more_bets\nwheel reversed\nball rest pocket=17 laps=9", "9.1"),
]
OWN_FAULT = {"9.1": "spin.direction", "5.2": "spin.laps"}


def own_faults(script: str, rule: str) -> list[tuple[str, None]]:
    """What the spin itself is reported for."""
    return [(OWN_FAULT[rule], None)] if rule in OWN_FAULT and "wheel" not in script else []


@pytest.mark.parametrize(("script", "rule"), VOID_SPINS)
def test_9_a_void_spin_returns_the_wagers(script: str, rule: str) -> None:
    rounds = roulette(bet("layout/17", 10), script, pick("layout/17"))
    assert breaches(rounds) == own_faults(script, rule)
    assert rounds[0]["status"] == "void"
    assert (rounds[0]["spin"]["valid"], rounds[0]["spin"]["rule"]) == (False, rule)
    assert (wager(rounds, "layout/17")["result"], wager(rounds, "layout/17")["due"]) == ("void", 0)


@pytest.mark.parametrize(("script", "rule"), VOID_SPINS)
@pytest.mark.parametrize("settled", [pay("layout/17", 360) + pick("layout/17"), pay("layout/17", 0)])
def test_9_nothing_is_paid_or_taken_on_a_void_spin(script: str, rule: str, settled: str) -> None:
    rounds = roulette(bet("layout/17", 10), script, "dolly 17", settled, "dolly null")
    assert breaches(rounds) == [*own_faults(script, rule), ("spin.void_settled", None)]
    assert rounds[0]["findings"][-1]["rule"] == f"NI2002-45 Roulette {rule}"
    assert [each["status"] for each in rounds] == ["void"]


@pytest.mark.parametrize(("script", "rule"), VOID_SPINS)
def test_9_a_void_spin_does_not_close_the_round(script: str, rule: str) -> None:
    rounds = roulette(
        bet("layout/17", 10), script, bet("layout/5", 5), spun(5), pay("layout/17", 0), pay("layout/5", 180)
    )
    assert breaches(rounds) == own_faults(script, rule)
    assert [each["status"] for each in rounds] == ["complete"]
    assert rounds[0]["spin"] == {"valid": True, "pocket": 5, "laps": 10.4, "rule": None}
    assert (wager(rounds, "layout/5")["due"], wager(rounds, "layout/17")["result"]) == (175, "lose")


def test_9_settling_a_void_spin_is_found_in_a_round_spun_again() -> None:
    rounds = roulette(
        bet("layout/17", 10), bet("layout/5", 5), VOID_SPINS[6][0], pay("layout/17", 0), spun(5), pay("layout/5", 180)
    )
    assert breaches(rounds) == [("spin.void_settled", None)]
    assert wager(rounds, "layout/5")["paid"] == 175


def test_9_chips_that_go_back_and_forth_settle_nothing() -> None:
    rounds = roulette(
        bet("layout/17", 10), VOID_SPINS[6][0], pay("layout/17", 360), pay("layout/17", 10), pick("layout/17")
    )
    assert breaches(rounds) == []


def test_9_3_an_object_after_the_ball_rests_changes_nothing() -> None:
    rounds = roulette(bet("layout/17", 10), spun(17), "wheel object\nwheel stopped", pay("layout/17", 360))
    assert (breaches(rounds), rounds[0]["status"]) == ([], "complete")


def test_9_the_ball_is_taken_out_of_its_pocket_for_the_next_spin() -> None:
    rounds = roulette(bet("layout/17", 10), spun(17), "ball lifted", pay("layout/17", 360))
    assert (breaches(rounds), rounds[0]["spin"]["valid"]) == ([], True)


def test_9_4_4_wagers_are_free_between_a_void_spin_and_the_next_call() -> None:
    no_spin = "spin cw ccw\ncall no_more_bets\ncall no_spin\nball lifted laps=1.5\n"
    changed = bet("layout/17", 20) + bet("layout/5", 5)
    settled = pay("layout/17", 0) + pay("layout/5", 180)
    assert breaches(roulette(bet("layout/17", 10), no_spin, changed, spun(5), settled)) == []
    early = "spin cw ccw\ncall no_more_bets\n" + bet("layout/17", 20) + "call no_spin\nball lifted\n"
    assert breaches(roulette(bet("layout/17", 10), early, spun(17), pay("layout/17", 720))) == [
        ("bet.moved", "layout/17")
    ]


def test_5_1_direction_is_reported_even_when_the_spin_is_done_again() -> None:
    rounds = roulette(bet("layout/17", 10), "spin ccw ccw\ncall no_spin\nball lifted", spun(17), pay("layout/17", 360))
    assert breaches(rounds) == [("spin.direction", None)]
    assert (rounds[0]["findings"][0]["expected"], rounds[0]["findings"][0]["observed"]) == ("cw", "ccw")


def test_5_2_laps_three_are_enough() -> None:
    assert breaches(roulette(bet("layout/17", 10), spun(17, laps=3), pay("layout/17", 360))) == []
    rounds = roulette(bet("layout/17", 10), spun(17, laps=2.99), pick("layout/17"))
    assert breaches(rounds) == [("spin.laps", None)]
    assert (rounds[0]["findings"][0]["expected"], rounds[0]["findings"][0]["observed"]) == (3, 2.99)


def test_5_3_one_call_may_stand_for_a_spin_done_again() -> None:
    again = "call no_spin\nball lifted\nspin cw ccw\nball rest pocket=17 laps=9\n"
    called = "spin cw ccw\ncall no_more_bets\n" + again
    assert breaches(roulette(bet("layout/17", 10), called, pay("layout/17", 360))) == []
    silent = "spin cw ccw\n" + again
    assert breaches(roulette(bet("layout/17", 10), silent, pay("layout/17", 360))) == [("spin.no_more_bets", None)]


@pytest.mark.parametrize("laps", ["", " laps=9"])
def test_def_round_of_play_a_spin_called_off_unheard_does_not_close_it(laps: str) -> None:
    """Nothing was marked, paid or taken before the next launch; where its laps were counted, the spin stood."""
    unheard = f"spin cw ccw\ncall no_more_bets\nball rest pocket=20{laps}"
    rounds = roulette(bet("layout/17", 10), unheard, spun(17), pay("layout/17", 360))
    assert [each["status"] for each in rounds] == (["unfinished", "complete"] if laps else ["complete"])
    assert (breaches(rounds), rounds[-1]["spin"]["pocket"]) == ([], 17)


def test_9_2_a_short_spin_that_was_called_is_no_breach() -> None:
    script = "spin cw ccw\ncall no_spin dealer\nball lifted laps=2"
    assert breaches(roulette(bet("layout/17", 10), script, spun(17), pay("layout/17", 360))) == []


def test_9_5_a_ball_that_flies_out_early_is_not_a_short_spin() -> None:
    assert (
        breaches(roulette(bet("layout/17", 10), "spin cw ccw\nball out laps=1", spun(17), pay("layout/17", 360))) == []
    )


def test_10_4_a_round_called_off_is_void() -> None:
    rounds = roulette(bet("layout/17", 10), spun(17), "call void dealer", pick("layout/17"))
    assert (breaches(rounds), rounds[0]["status"]) == ([], "void")
    assert wager(rounds, "layout/17")["result"] == "void"
    before = roulette(bet("layout/17", 10), "call void dealer", pick("layout/17"))
    assert (breaches(before), before[0]["status"]) == ([], "void")


def test_10_4_a_void_call_on_a_spin_that_is_done_again_does_not_void_the_round() -> None:
    rounds = roulette(bet("layout/17", 10), VOID_SPINS[0][0], "call void dealer", spun(17), pay("layout/17", 360))
    assert (breaches(rounds), rounds[0]["status"]) == ([("spin.direction", None)], "complete")


def test_10_3_one_wager_may_be_declared_void() -> None:
    start = bet("layout/17", 10) + bet("layout/red", 10) + spun(17) + "call void at=layout/17 dealer\n"
    fair = roulette(start, pick("layout/17"), pay("layout/red", 0))
    assert (breaches(fair), wager(fair, "layout/17")["result"], fair[0]["status"]) == ([], "void", "complete")
    assert breaches(roulette(start, pay("layout/17", 0), pay("layout/red", 0))) == [("payout.push_taken", "layout/17")]


# ---- the dolly and the round -------------------------------------------------------------------------------------


def test_def_dolly_it_stands_on_the_winning_number() -> None:
    rounds = roulette(bet("layout/17", 10), spun(17, dolly=20), pay("layout/17", 360))
    assert breaches(rounds) == [("spin.dolly", None)]
    assert (rounds[0]["findings"][0]["expected"], rounds[0]["findings"][0]["observed"]) == (17, 20)


def test_def_dolly_wagers_go_by_the_pocket() -> None:
    rounds = roulette(bet("layout/17", 10), spun(17, dolly=20), pay("layout/17", 0))
    assert breaches(rounds) == [("spin.dolly", None), ("payout.winner_taken", "layout/17")]


def test_def_dolly_it_is_not_put_down_before_the_ball_rests() -> None:
    script = "spin cw ccw\ncall no_more_bets\ndolly 17\nball rest pocket=17 laps=9\n"
    assert breaches(roulette(bet("layout/17", 10), script, pay("layout/17", 360))) == [("spin.dolly", None)]


def test_def_round_of_play_the_dolly_stays_until_all_is_paid() -> None:
    start = bet("layout/17", 10) + bet("layout/red", 10) + spun(17) + pay("layout/red", 0)
    early = roulette(
        start, "dolly null", pay("layout/17", 360), pick("layout/17"), bet("layout/5", 5), spun(5), pay("layout/5", 180)
    )
    assert breaches(early) == [("spin.dolly", None)]
    assert [(each["status"], each["opened"]) for each in early] == [("complete", 1), ("complete", 10)]
    assert early[0]["closed"] == 11
    right = roulette(start, pay("layout/17", 360), pick("layout/17"), "dolly null")
    assert (breaches(right), len(right)) == ([], 1)
    never = roulette(start, "dolly null", bet("layout/5", 5), spun(5), pay("layout/5", 180))
    assert breaches(never)[:1] == [("payout.missed", "layout/17")]


def test_def_round_of_play_rounds_are_cut_where_the_dolly_is_lifted() -> None:
    one = bet("layout/17", 10) + spun(17) + pay("layout/17", 360) + pick("layout/17") + "dolly null\n"
    rounds = roulette(
        one,
        "dolly null\n",
        one,
        bet("layout/17", 10) + VOID_SPINS[5][0] + "\n" + pick("layout/17"),
        "dolly null\n",
        one,
    )
    assert breaches(rounds) == []
    assert [(each["round"], each["status"]) for each in rounds] == [
        (1, "complete"), (2, "complete"), (3, "void"), (4, "complete"),
    ]  # fmt: skip
    assert [(each["opened"], each["closed"]) for each in rounds[:2]] == [(1, 8), (10, 18)]


def test_def_round_of_play_chips_left_standing_are_the_next_stake() -> None:
    rounds = roulette(
        bet("layout/17", 1), spun(17), pay("layout/17", 36), "dolly null", spun(17), pay("layout/17", 1296)
    )
    assert breaches(rounds) == []
    assert [wager(rounds, "layout/17", number)["stake"] for number in (0, 1)] == [1, 36]
    left = roulette(bet("layout/red", 10), spun(17), "dolly null", spun(17), pay("layout/red", 0))
    assert breaches(left) == [("payout.loser_paid", "layout/red")]


def test_def_round_of_play_without_a_dolly_the_next_wager_or_spin_begins_a_round() -> None:
    one = bet("layout/17", 10) + "spin cw ccw\ncall no_more_bets\nball rest pocket=17 laps=9\n"
    one += pay("layout/17", 360) + pick("layout/17")
    rounds = play(GAME, one + one + "call no_more_bets\nspin cw ccw\nball rest pocket=3 laps=9\n")
    assert breaches(rounds) == []
    assert [(each["status"], len(each["wagers"])) for each in rounds] == [
        ("complete", 1),
        ("complete", 1),
        ("complete", 0),
    ]


@pytest.mark.parametrize("trailing", ["", "dolly null\n", "dolly null\ndolly 5\ndolly null\n"])
def test_def_round_of_play_a_round_without_wager_or_spin_is_not_printed(trailing: str) -> None:
    assert play(GAME, "dolly 5\ndolly null\n" + trailing) == []
    rounds = roulette(bet("layout/17", 10), spun(17), pay("layout/17", 360), pick("layout/17"), trailing)
    assert [each["round"] for each in rounds] == [1]


def test_def_void_unfinished_rounds_accuse_nobody() -> None:
    script = (
        bet("layout/17", 10) + bet("layout/red", 10) + spun(17) + pay("layout/red", 0) + pay("layout/17", 360)
    ).split("\n")
    for end in range(1, len(script)):
        rounds = roulette(*script[:end])
        assert breaches(rounds) == unsure(rounds) == []
        assert rounds[-1]["status"] == ("complete" if end == len(script) - 1 else "unfinished")


# ---- weak and missing reads --------------------------------------------------------------------------------------


@pytest.mark.parametrize("read", ["ball rest", "ball rest pocket=17 conf=0.4"])
def test_weak_pocket_payouts_are_unsure_and_results_open(read: str) -> None:
    script = f"spin cw ccw\ncall no_more_bets\nball leave_track laps=9\n{read}\ndolly 17\n"
    rounds = roulette(bet("layout/17", 10), bet("layout/1-5", 10), script, pay("layout/17", 0), pick("layout/1-5"))
    assert breaches(rounds) == [("bet.invalid", "layout/1-5")]
    assert unsure(rounds) == [("payout.winner_taken", "layout/17")]
    assert (wager(rounds, "layout/17")["result"], wager(rounds, "layout/17")["due"]) == (None, None)
    found = next(each for each in rounds[0]["findings"] if each["verdict"] == "unsure")
    assert "it is wrong only if that was 17" in found["message"]
    assert found["reads"][0].startswith("the ball's pocket at")


def test_weak_pocket_what_is_wrong_for_every_pocket_is_proved() -> None:
    script = "spin cw ccw\ncall no_more_bets\nball rest laps=9\ndolly 17\n"
    rounds = roulette(bet("layout/black", 10), script, pay("layout/black", 25), pick("layout/black"))
    assert breaches(rounds) == [("payout.over", "layout/black")]
    untouched = roulette(bet("layout/17", 10), script, pick("layout/17"))
    assert breaches(untouched) == [("payout.missed", "layout/17")]


def test_weak_pocket_a_dolly_on_another_number_is_unsure() -> None:
    script = "spin cw ccw\ncall no_more_bets\nball rest pocket=17 conf=0.4 laps=9\ndolly 18\n"
    rounds = roulette(bet("layout/18", 10), script, pay("layout/18", 360))
    assert (breaches(rounds), ("spin.dolly", None) in unsure(rounds)) == ([], True)
    agreeing = roulette(bet("layout/18", 10), script.replace("dolly 18", "dolly 17"), pay("layout/18", 0))
    assert unsure(agreeing) == [("payout.winner_taken", "layout/18")]


def test_weak_dolly_is_no_proof() -> None:
    rounds = roulette(bet("layout/17", 10), spun(17, dolly="20 conf=0.5"), pay("layout/17", 360))
    assert (breaches(rounds), unsure(rounds)) == ([], [("spin.dolly", None)])


def test_weak_direction_leaves_the_spin_open() -> None:
    rounds = roulette(bet("layout/17", 10), spun(17, launch="spin cw cw conf=0.5"), pay("layout/17", 350))
    assert breaches(rounds) == []
    assert set(unsure(rounds)) == {("spin.direction", None), ("spin.void_settled", None), ("payout.short", "layout/17")}
    assert (rounds[0]["spin"]["valid"], wager(rounds, "layout/17")["result"]) == (None, None)


@pytest.mark.parametrize("laps", [2.8, 3.4])
def test_weak_laps_near_three_leave_the_spin_open(laps: float) -> None:
    script = f"spin cw ccw\ncall no_more_bets\nball leave_track laps={laps} conf=0.5\nball rest pocket=17\ndolly 17\n"
    rounds = roulette(bet("layout/17", 10), script, pay("layout/17", 360))
    assert breaches(rounds) == []
    assert set(unsure(rounds)) == {("spin.laps", None), ("spin.void_settled", None)}
    assert rounds[0]["spin"] == {"valid": None, "pocket": 17, "laps": laps, "rule": None}
    many = roulette(bet("layout/17", 10), script.replace(str(laps), "12"), pay("layout/17", 360))
    assert (unsure(many), many[0]["spin"]["valid"]) == ([], True)


def test_weak_laps_counted_across_a_gap_are_no_proof() -> None:
    script = "spin cw ccw\ncall no_more_bets\nfeed blocked\nfeed back\nball leave_track laps=1\nball rest pocket=17\n"
    rounds = roulette(bet("layout/17", 10), script, pay("layout/17", 360))
    assert (breaches(rounds), ("spin.laps", None) in unsure(rounds)) == ([], True)


def test_weak_no_spin_call_on_a_short_spin() -> None:
    script = "spin cw ccw\ncall no_spin conf=0.5\nball rest laps=2 pocket=17\n"
    rounds = roulette(bet("layout/17", 10), script, pick("layout/17"))
    assert (breaches(rounds), unsure(rounds), rounds[0]["status"]) == ([], [("spin.laps", None)], "void")


def test_weak_chips_make_a_payout_unsure() -> None:
    rounds = roulette("chips layout/17 10 player conf=0.5", spun(17), "chips layout/17 350 dealer")
    assert (breaches(rounds), unsure(rounds)) == ([], [("payout.short", "layout/17")])
    illegal = roulette("chips layout/1-5 10 player conf=0.5", spun(17), "chips layout/1-5 0 player")
    assert (breaches(illegal), unsure(illegal)) == ([], [("bet.invalid", "layout/1-5")])


def test_a_payment_by_an_unknown_hand_counts_for_the_table() -> None:
    rounds = roulette("chips layout/17 10", spun(17), "chips layout/17 360", "chips layout/17 0")
    assert (breaches(rounds), wager(rounds, "layout/17")["paid"]) == ([], 350)
    taken = roulette("chips layout/17 10", spun(17), "chips layout/17 300", "chips layout/17 0")
    assert breaches(taken) != []


def test_a_gap_during_settlement_hides_it() -> None:
    rounds = roulette(
        bet("layout/17", 10),
        bet("layout/red", 10),
        spun(17),
        pay("layout/red", 0),
        "feed lost",
        "feed back",
        pick("layout/17"),
    )
    assert (breaches(rounds), unsure(rounds)) == ([], [("view.gap", None)])
    assert (wager(rounds, "layout/17")["paid"], wager(rounds, "layout/17")["due"]) == (None, 350)
    pile = roulette(bet("layout/17", 10), spun(17), pay("layout/paid", 300), "feed lost", "feed back", "dolly null")
    assert (breaches(pile), unsure(pile)) == ([], [("view.gap", None)])


def test_a_gap_over_the_balls_rest_leaves_the_result_to_the_dolly() -> None:
    script = "spin cw ccw\ncall no_more_bets\nfeed lost\nfeed back\ndolly 17\n"
    rounds = roulette(bet("layout/17", 10), script, pay("layout/17", 360), "dolly null")
    assert (breaches(rounds), rounds[0]["status"]) == ([], "complete")
    assert wager(rounds, "layout/17")["result"] is None


def test_without_a_wheel_camera_the_round_is_found_but_nothing_is_proved() -> None:
    script = "call no_more_bets\ndolly 17\n"
    rounds = roulette(bet("layout/17", 10), script, pay("layout/17", 0), "dolly null")
    assert (breaches(rounds), unsure(rounds)) == ([], [("payout.winner_taken", "layout/17")])
    assert "spin" not in rounds[0]


# ---- robustness --------------------------------------------------------------------------------------------------


def test_no_order_of_events_breaks_the_auditor() -> None:
    script = [
        "dolly null", "chips layout/17 10 player", "chips track/tier 60", "spin cw cw", "call no_more_bets",
        "wheel object", "ball leave_track laps=2", "ball rest pocket=17", "dolly 17",
        "chips layout/paid 5 dealer", "chips layout/17 0 dealer",
        "feed lost", "call no_spin", "ball out", "feed back", "call void", "spin cw ccw", "ball rest", "dolly null",
    ]  # fmt: skip
    for start, step in product(range(len(script)), (1, 2, 5, 7, 11)):
        order = [script[(start + step * place) % len(script)] for place in range(len(script))]
        for end in range(1, len(order) + 1, 3):
            play(GAME, "\n".join(order[:end]))


def test_a_colour_must_have_a_value() -> None:
    with pytest.raises(Exception, match="colours"):
        roulette(colours={"blue": 0})


@pytest.mark.parametrize(
    ("before", "after", "verdict"), [(bet("layout/5", 5), "", "breach"), ("", bet("layout/5", 5), "unsure")]
)
def test_4_4_a_spin_whose_end_nobody_saw_may_have_freed_the_wagers(before: str, after: str, verdict: str) -> None:
    cut_short = ("spin cw ccw\ncall no_more_bets", before, "ball leave_track laps=9", after)
    rounds = roulette(bet("layout/17", 10), *cut_short, spun(5), pay("layout/17", 0), pay("layout/5", 180))
    late = [each["verdict"] for each in rounds[0]["findings"] if each["kind"] == "bet.late"]
    assert late == [verdict]
