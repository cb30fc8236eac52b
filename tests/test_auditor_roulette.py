"""Tournament American Roulette against its rulebook, clause by clause."""

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest

from auditor.rulebooks.roulette_layout import NAMED, ODDS, RED, TRACK, WHEEL, complete, neighbours, spot_at
from playing import Answer, breaches, findings, play, unsure, wager

GAME = "act-roulette"


def spun(pocket: Any = 17, *, dolly: Any = None, laps: float = 10.4, launch: str = "spin cw ccw dealer") -> str:
    """A spin from its launch to the dolly."""
    return f"""
        {launch}
        call no_more_bets dealer
        ball leave_track laps={laps}
        ball rest pocket={pocket}
        dolly {pocket if dolly is None else dolly}
    """


def bet(at: str, amount: float, colour: str = "blue") -> str:
    return f"chips {at} {amount} player colour={colour}\n"


def pay(at: str, amount: float, colour: str = "blue") -> str:
    """The dealer leaves so much at a spot: the stake with its gain, or nothing."""
    return f"chips {at} {amount} dealer colour={colour}\n"


def pick(at: str, colour: str = "blue") -> str:
    return f"chips {at} 0 player colour={colour}\n"


def roulette(*parts: str, **house: Any) -> list[Answer]:
    return play(GAME, "dolly null\n" + "\n".join(parts), **house)


def won(at: str, stake: float, due: float, pocket: int, **house: Any) -> list[Answer]:
    return roulette(bet(at, stake), spun(pocket), pay(at, stake + due), pick(at), **house)


# ---- the wheel and the layout, by arithmetic of their own --------------------------------------------------------


def test_2_1_the_wheel_holds_every_number_once_and_its_colours_alternate() -> None:
    assert sorted(WHEEL) == list(range(37))
    colours = ["green" if number == 0 else "red" if number in RED else "black" for number in WHEEL]
    assert colours[0] == "green"
    assert all(a != b for a, b in pairwise([*colours, colours[0]]))


def test_4_8_the_sectors_partition_the_wheel_in_arcs() -> None:
    sector = {}
    for name in ("tier", "orphelins", "voisins-zero"):
        for spot in TRACK[name][1]:
            for number in map(int, spot.split("-")):
                assert sector.setdefault(number, name) == name
    assert sorted(sector) == list(range(37))
    around = [sector[number] for number in WHEEL]
    arcs = [name for name, before in zip(around, [around[-1], *around], strict=False) if name != before]
    assert sorted(arcs) == ["orphelins", "orphelins", "tier", "voisins-zero"]


def geometry() -> dict[str, set[str]]:
    """Every inside spot, from where a chip can lie: a number is a square, zero a bar across the head of the layout.

    Squares are two units wide. A chip lies at whole coordinates, and covers the areas it touches; on the long edge it
    stands for the whole rows it touches.
    """
    areas = {0: (-2, 0, 0, 6)} | {
        number: (2 * row, 2 * row + 2, 2 * column, 2 * column + 2)
        for number, (row, column) in enumerate(product(range(12), range(3)), 1)
    }
    kinds = {1: "straight up", 2: "split", 3: "street", 4: "corner", 6: "six-line"}
    found: dict[str, set[str]] = {kind: set() for kind in kinds.values()}
    for y, x in product(range(-1, 25), range(7)):
        touched = {n for n, (top, bottom, left, right) in areas.items() if top <= y <= bottom and left <= x <= right}
        if x == 0 and y > 0:
            touched = {n + step for n in touched for step in (0, 1, 2)}
        elif x == 0 and y == 0:
            touched = {0, 1, 2, 3}
        elif x == 6 or y == 24:
            continue
        found[kinds[len(touched)]].add("-".join(map(str, sorted(touched))))
    return found


def test_4_3_exactly_the_spots_of_the_layout_are_wagers() -> None:
    legal = geometry()
    assert {kind: len(spots) for kind, spots in legal.items()} == {
        "straight up": 37, "split": 60, "street": 14, "corner": 23, "six-line": 11,
    }  # fmt: skip
    names = {name for spots in legal.values() for name in spots}
    assert len(names) + len(NAMED) == 157
    for kind, spots in legal.items():
        for name in spots:
            spot = spot_at(f"layout/{name}")
            assert spot is not None
            assert spot.name == kind
    for size in (1, 2, 3):
        for numbers in product(range(38), repeat=size):
            if sorted(set(numbers)) == list(numbers):
                name = "-".join(map(str, numbers))
                assert (spot_at(f"layout/{name}") is not None) == (name in names), name


def test_4_3_no_other_four_or_six_numbers_are_a_wager() -> None:
    legal = geometry()
    for first in range(34):
        for steps in product((1, 2, 3, 4), repeat=3):
            numbers = [first, first + steps[0], first + sum(steps[:2]), first + sum(steps)]
            name = "-".join(map(str, numbers))
            assert (spot_at(f"layout/{name}") is not None) == (name in legal["corner"]), name
    for first in range(1, 32):
        name = "-".join(map(str, range(first, first + 6)))
        assert (spot_at(f"layout/{name}") is not None) == (name in legal["six-line"]), name
    for odd in ("17-17", "37", "1-2-3-4-5", "paid", "green", "", "1-"):
        assert spot_at(f"layout/{odd}") is None


def all_spots() -> list[str]:
    inside = [f"layout/{name}" for spots in geometry().values() for name in spots]
    track = [f"track/{name}" for name in TRACK] + [f"track/neighbours-{number}" for number in range(37)]
    return inside + [f"layout/{name}" for name in NAMED] + track


def test_6_1_the_house_edge_is_one_thirty_seventh_on_every_wager() -> None:
    spots = [spot_at(at) for at in all_spots()]
    spots += [complete(number) for number in range(37)]
    spots.append(spot_at("track/voisins-zero", voisins_pieces=7))
    for spot in spots:
        assert spot is not None
        assert Fraction(sum(spot.gains), 37 * spot.pieces) == Fraction(-1, 37), spot.name


def test_6_1_odds_follow_from_the_numbers_covered() -> None:
    for at in all_spots():
        spot = spot_at(at)
        assert spot is not None
        if spot.pieces == 1:
            assert ODDS[spot.name][0] == Fraction(36, len(spot.covered)) - 1
            assert spot.gains == tuple(ODDS[spot.name][0] if n in spot.covered else -1 for n in range(37))


@pytest.mark.parametrize(
    ("name", "pieces", "gains"),
    [
        ("tier", 6, {5: 12, 36: 12, 0: -6}),
        ("orphelins", 5, {1: 31, 17: 31, 6: 13, 20: 13, 2: -5}),
        ("voisins-zero", 9, {0: 15, 2: 15, 3: 15, 4: 9, 25: 9, 29: 9, 35: 9, 5: -9}),
        ("zero-game", 4, {26: 32, 0: 14, 12: 14, 35: 14, 2: -4}),
        ("neighbours-17", 5, {17: 31, 2: 31, 25: 31, 34: 31, 6: 31, 27: -5}),
    ],
)
def test_4_8_net_gains_of_the_race_track(name: str, pieces: int, gains: dict[int, int]) -> None:
    spot = spot_at(f"track/{name}")
    assert spot is not None
    assert spot.pieces == pieces
    assert {pocket: spot.gains[pocket] for pocket in gains} == gains


def test_4_8_e_neighbours_reach_across_the_zero() -> None:
    assert set(neighbours(26)) == {35, 3, 26, 0, 32}
    assert spot_at("track/neighbours-37") is None


# ---- settlement --------------------------------------------------------------------------------------------------

WINS = [
    ("layout/17", 17, 35, "6.1(a)"), ("layout/0", 0, 35, "7.3(a)"), ("layout/17-20", 20, 17, "6.1(b)"),
    ("layout/0-3", 0, 17, "7.3(a)"), ("layout/16-17-18", 18, 11, "6.1(c)"), ("layout/0-1-2", 2, 11, "6.1(c)"),
    ("layout/0-2-3", 0, 11, "7.3(a)"), ("layout/16-17-19-20", 19, 8, "6.1(d)"),
    ("layout/13-14-15-16-17-18", 13, 5, "6.1(e)"), ("layout/column2", 17, 2, "6.1(f)"), ("layout/dozen2", 24, 2, "6.1(g)"),
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


@pytest.mark.parametrize("at", ["layout/red", "layout/even", "layout/low", "layout/column1", "layout/dozen1", "layout/4-5"])
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
    assert breaches(won("layout/17", 2, 70, 17, min=5, tournament=True)) == [("bet.limit", "layout/17")]


@pytest.mark.parametrize(
    "at", ["layout/1-5", "layout/3-4", "layout/0-4", "layout/1-2-4", "layout/2-3-4-5", "layout/1-2-3-7-8-9", "layout/37"]
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
    assert breaches(roulette(bet("track/finale", 40), spun(8), pick("track/finale"))) == [("bet.invalid", "track/finale")]


# ---- NO MORE BETS ------------------------------------------------------------------------------------------------


def closed(*late: str, after: str = "") -> str:
    return "\n".join(
        ["spin cw ccw dealer", "call no_more_bets dealer", *late, "ball leave_track laps=9", "ball rest pocket=17"]
    ) + f"\n{after}\ndolly 17\n"


@pytest.mark.parametrize("settled", [pick("layout/18"), pay("layout/18", 0)])
def test_4_1_a_wager_after_no_more_bets_is_late(settled: str) -> None:
    rounds = roulette(bet("layout/red", 10), closed(bet("layout/18", 5)), pay("layout/red", 0), settled)
    assert breaches(rounds) == [("bet.late", "layout/18")]


def test_4_4_a_late_winner_may_be_refused_or_paid() -> None:
    for settled in (pick("layout/17"), pay("layout/17", 180) + pick("layout/17")):
        rounds = roulette(bet("layout/red", 10), closed(bet("layout/17", 5)), pay("layout/red", 0), settled)
        assert breaches(rounds) == [("bet.late", "layout/17")]


def test_4_4_a_wager_slipped_in_after_the_ball_rests_is_late() -> None:
    for slipped in (closed(after=bet("layout/17", 5)), closed() + bet("layout/17", 5)):
        rounds = roulette(bet("layout/red", 10), slipped, pay("layout/red", 0), pay("layout/17", 180), pick("layout/17"))
        assert breaches(rounds) == [("bet.late", "layout/17")]


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
    ("spin cw ccw\ncall no_more_bets\nwheel stopped\nball rest pocket=17 laps=9", "5.1"),
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
    rounds = roulette(bet("layout/17", 10), script, bet("layout/5", 5), spun(5), pay("layout/17", 0), pay("layout/5", 180))
    assert breaches(rounds) == own_faults(script, rule)
    assert [each["status"] for each in rounds] == ["complete"]
    assert rounds[0]["spin"] == {"valid": True, "pocket": 5, "laps": 10.4, "rule": None}
    assert (wager(rounds, "layout/5")["due"], wager(rounds, "layout/17")["result"]) == (175, "lose")


def test_9_settling_a_void_spin_is_found_in_a_round_spun_again() -> None:
    rounds = roulette(bet("layout/17", 10), bet("layout/5", 5), VOID_SPINS[6][0], pay("layout/17", 0), spun(5), pay("layout/5", 180))
    assert breaches(rounds) == [("spin.void_settled", None)]
    assert wager(rounds, "layout/5")["paid"] == 175


def test_9_chips_that_go_back_and_forth_settle_nothing() -> None:
    rounds = roulette(bet("layout/17", 10), VOID_SPINS[6][0], pay("layout/17", 360), pay("layout/17", 10), pick("layout/17"))
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
    assert breaches(roulette(bet("layout/17", 10), early, spun(17), pay("layout/17", 720))) == [("bet.moved", "layout/17")]


def test_5_1_direction_is_reported_even_when_the_spin_is_done_again() -> None:
    rounds = roulette(bet("layout/17", 10), "spin ccw ccw\ncall no_spin\nball lifted", spun(17), pay("layout/17", 360))
    assert breaches(rounds) == [("spin.direction", None)]


def test_5_2_laps_three_are_enough() -> None:
    assert breaches(roulette(bet("layout/17", 10), spun(17, laps=3), pay("layout/17", 360))) == []
    assert breaches(roulette(bet("layout/17", 10), spun(17, laps=2.99), pick("layout/17"))) == [("spin.laps", None)]


def test_9_2_a_short_spin_that_was_called_is_no_breach() -> None:
    script = "spin cw ccw\ncall no_spin dealer\nball lifted laps=2"
    assert breaches(roulette(bet("layout/17", 10), script, spun(17), pay("layout/17", 360))) == []


def test_9_5_a_ball_that_flies_out_early_is_not_a_short_spin() -> None:
    assert breaches(roulette(bet("layout/17", 10), "spin cw ccw\nball out laps=1", spun(17), pay("layout/17", 360))) == []


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
    early = roulette(start, "dolly null", pay("layout/17", 360), pick("layout/17"), bet("layout/5", 5), spun(5), pay("layout/5", 180))
    assert breaches(early) == [("spin.dolly", None)]
    assert [(each["status"], each["opened"]) for each in early] == [("complete", 1), ("complete", 10)]
    assert early[0]["closed"] == 11
    right = roulette(start, pay("layout/17", 360), pick("layout/17"), "dolly null")
    assert (breaches(right), len(right)) == ([], 1)
    never = roulette(start, "dolly null", bet("layout/5", 5), spun(5), pay("layout/5", 180))
    assert breaches(never)[:1] == [("payout.missed", "layout/17")]


def test_def_round_of_play_rounds_are_cut_where_the_dolly_is_lifted() -> None:
    one = bet("layout/17", 10) + spun(17) + pay("layout/17", 360) + pick("layout/17") + "dolly null\n"
    rounds = roulette(one, "dolly null\n", one, bet("layout/17", 10) + VOID_SPINS[5][0] + "\n" + pick("layout/17"), "dolly null\n", one)
    assert breaches(rounds) == []
    assert [(each["round"], each["status"]) for each in rounds] == [
        (1, "complete"), (2, "complete"), (3, "void"), (4, "complete"),
    ]  # fmt: skip
    assert [(each["opened"], each["closed"]) for each in rounds[:2]] == [(1, 8), (10, 18)]


def test_def_round_of_play_chips_left_standing_are_the_next_stake() -> None:
    rounds = roulette(bet("layout/17", 1), spun(17), pay("layout/17", 36), "dolly null", spun(17), pay("layout/17", 1296))
    assert breaches(rounds) == []
    assert [wager(rounds, "layout/17", number)["stake"] for number in (0, 1)] == [1, 36]
    left = roulette(bet("layout/red", 10), spun(17), "dolly null", spun(17), pay("layout/red", 0))
    assert breaches(left) == [("payout.loser_paid", "layout/red")]


def test_def_round_of_play_without_a_dolly_the_next_wager_or_spin_begins_a_round() -> None:
    one = bet("layout/17", 10) + "spin cw ccw\ncall no_more_bets\nball rest pocket=17 laps=9\n"
    one += pay("layout/17", 360) + pick("layout/17")
    rounds = play(GAME, one + one + "spin cw ccw\ncall no_more_bets\nball rest pocket=3 laps=9\n")
    assert breaches(rounds) == []
    assert [(each["status"], len(each["wagers"])) for each in rounds] == [("complete", 1), ("complete", 1), ("complete", 0)]


@pytest.mark.parametrize("trailing", ["", "dolly null\n", "dolly null\ndolly 5\ndolly null\n"])
def test_def_round_of_play_a_round_without_wager_or_spin_is_not_printed(trailing: str) -> None:
    assert play(GAME, "dolly 5\ndolly null\n" + trailing) == []
    rounds = roulette(bet("layout/17", 10), spun(17), pay("layout/17", 360), pick("layout/17"), trailing)
    assert [each["round"] for each in rounds] == [1]


def test_def_void_unfinished_rounds_accuse_nobody() -> None:
    script = (bet("layout/17", 10) + bet("layout/red", 10) + spun(17) + pay("layout/red", 0) + pay("layout/17", 360)).split("\n")
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
    rounds = roulette(bet("layout/17", 10), bet("layout/red", 10), spun(17), pay("layout/red", 0), "feed lost", "feed back", pick("layout/17"))
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
        "dolly null", "chips layout/17 10 player", "chips track/tier 60", "spin cw cw", "call no_more_bets", "wheel object",
        "ball leave_track laps=2", "ball rest pocket=17", "dolly 17", "chips layout/paid 5 dealer", "chips layout/17 0 dealer",
        "feed lost", "call no_spin", "ball out", "feed back", "call void", "spin cw ccw", "ball rest", "dolly null",
    ]  # fmt: skip
    for start, step in product(range(len(script)), (1, 2, 5, 7, 11)):
        order = [script[(start + step * place) % len(script)] for place in range(len(script))]
        for end in range(1, len(order) + 1, 3):
            play(GAME, "\n".join(order[:end]))


def test_a_colour_must_have_a_value() -> None:
    with pytest.raises(Exception, match="colours"):
        roulette(colours={"blue": 0})
