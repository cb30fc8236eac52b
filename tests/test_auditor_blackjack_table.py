"""Tournament Blackjack around the hands: Perfect Pairs, the shoe, irregularities, tournaments, rounds in a row, doubts.

The hands themselves are in test_auditor_blackjack.py.
"""

import io
import random

import msgspec
import pytest
from blackjack_scripts import back, bets, blackjack, cards, clean, collect, deal, one, pays, split, takes
from playing import Answer, breaches, cited, play, unsure, wager, written

from auditor import log
from auditor.audit import audit
from datasets.dealers.blackjack import BlackjackDealer

MAIN = "box1/main"
PAIRS = "box1/pairs"
TWO = bets(box1=10, box2=10)
WON = one("Ts 9h", "7c Td", 10)

# ---- 18: Perfect Pairs -------------------------------------------------------------------------------------------


def paired(own: str, end: str, *, stake: float = 5, is_late: bool = False) -> str:
    """A round with a Perfect Pairs wager; the main wager beats the dealer's 17."""
    draws = " | 8d" if own.startswith("A") else " | 4d" if own.startswith("8") and own[3] == "8" else ""
    script = one(own + draws, "7c Td", 10, before_draws="" if is_late else end)
    if is_late:
        script = script.replace("card dealer Td\n", "card dealer Td\n" + end)
    return f"chips {PAIRS} {stake} player\n" + script


KINDS = [
    ("8s 8h", 6, "18.13(a)"), ("8c 8d", 6, "18.13(a)"), ("8d 8c", 6, "18.13(a)"), ("8h 8c", 6, "18.13(a)"),
    ("8s 8c", 12, "18.13(b)"), ("8d 8h", 12, "18.13(b)"), ("Ks Kc", 12, "18.13(b)"),
    ("8s 8s", 25, "18.13(c)"), ("Ad Ad", 25, "18.13(c)"),
]  # fmt: skip


@pytest.mark.parametrize(("own", "odds", "rule"), KINDS)
def test_18_4_18_5_18_6_18_10_a_18_10_b_18_10_c_18_13_pairs_pay_by_kind(own: str, odds: int, rule: str) -> None:
    rounds = blackjack(paired(own, pays(PAIRS, 5, 5 * odds)), pairs=True)
    assert breaches(rounds) == []
    assert wager(rounds, PAIRS) | {"result": "win", "due": 5 * odds, "rule": rule} == wager(rounds, PAIRS)
    for end, kind in (
        (pays(PAIRS, 5, 5 * odds - 5), "short"), (pays(PAIRS, 5, 5 * odds + 5), "over"), (back(PAIRS), "missed"),
        (takes(PAIRS), "winner_taken"),
    ):  # fmt: skip
        assert breaches(blackjack(paired(own, end), pairs=True)) == [(f"payout.{kind}", PAIRS)]


@pytest.mark.parametrize("own", ["Ts Kh", "Ts Js", "8s Ad"])
def test_18_2_18_3_18_10_d_18_12_a_no_pair_loses(own: str) -> None:
    rounds = blackjack(paired(own, takes(PAIRS)), pairs=True)
    assert breaches(rounds) == []
    assert wager(rounds, PAIRS) | {"result": "lose", "due": 0, "rule": "18.10(d)"} == wager(rounds, PAIRS)
    for end in (back(PAIRS), pays(PAIRS, 5, 30)):
        assert breaches(blackjack(paired(own, end), pairs=True)) == [("payout.loser_paid", PAIRS)]


def test_18_11_only_the_highest_payout_is_paid() -> None:
    assert breaches(blackjack(paired("8s 8s", pays(PAIRS, 5, 5 * (25 + 12))), pairs=True)) == [("payout.over", PAIRS)]


def test_18_12_18_14_pairs_settled_after_the_draws_began() -> None:
    for own, end in (("8s 8h", pays(PAIRS, 5, 30)), ("Ts Kh", takes(PAIRS))):
        assert breaches(blackjack(paired(own, end, is_late=True), pairs=True)) == [("payout.order", PAIRS)]


def test_18_12_pairs_settled_after_a_split() -> None:
    script = f"chips {PAIRS} 5 player\n" + split("8s 8h", "", "", "7c") + pays(PAIRS, 5, 30) + "card box1 Ts\n"
    script += cards("box1#2", "Tc") + cards("dealer", "Td") + pays(MAIN, 10, 10) + pays("box1#2/main", 10, 10)
    assert breaches(blackjack(script + collect("box1", "box1#2", "dealer"), pairs=True)) == [("payout.order", PAIRS)]
    in_time = script.replace(pays(PAIRS, 5, 30), "").replace("chips box1#2", pays(PAIRS, 5, 30) + "chips box1#2", 1)
    assert clean(in_time + collect("box1", "box1#2", "dealer"), pairs=True)


def test_18_12_pairs_settled_before_the_initial_deal_was_complete() -> None:
    script = f"{TWO}chips {PAIRS} 5 player\ncard box1 Ts\ncard box2 Js\ncard dealer 7c\ncard box1 9h\n" + takes(PAIRS)
    script += "card box2 9c\n" + cards("dealer", "Td") + pays(MAIN, 10, 10) + pays("box2/main", 10, 10)
    rounds = blackjack(script + collect("box1", "box2", "dealer"), pairs=True)
    assert breaches(rounds) == [("payout.order", PAIRS)]


def test_18_1_pairs_where_it_is_not_offered() -> None:
    for end in (takes(PAIRS), back(PAIRS)):
        assert breaches(blackjack(paired("Ts Kh", end))) == [("bet.invalid", PAIRS)]


def test_18_9_pairs_without_a_blackjack_wager_is_void() -> None:
    alone = "chips box2/pairs 5 player\n" + WON
    for script in (alone + back("box2/pairs"), alone.replace("card dealer Td", back("box2/pairs") + "card dealer Td")):
        rounds = blackjack(script, pairs=True)
        assert breaches(rounds) == [("bet.invalid", "box2/pairs")]
        assert wager(rounds, "box2/pairs") | {"result": "void", "due": 0} == wager(rounds, "box2/pairs")
    taken = blackjack(alone + takes("box2/pairs"), pairs=True)
    assert breaches(taken) == [("bet.invalid", "box2/pairs"), ("payout.push_taken", "box2/pairs")]
    paid = blackjack(alone + pays("box2/pairs", 5, 30), pairs=True)
    assert breaches(paid) == [("bet.invalid", "box2/pairs"), ("payout.over", "box2/pairs")]


def test_18_8_limits_of_pairs() -> None:
    right = paired("8s 8h", pays(PAIRS, 5, 30))
    assert clean(right, pairs=True, pairs_min=5, pairs_max=5, min=10, max=10)
    assert breaches(blackjack(right, pairs=True, pairs_min=10)) == [("bet.limit", PAIRS)]
    over = blackjack(paired("8s 8h", pays(PAIRS, 50, 120), stake=50), pairs=True, pairs_max=20)
    assert breaches(over) == [("bet.limit", PAIRS)]
    full = blackjack(paired("8s 8h", pays(PAIRS, 50, 300), stake=50), pairs=True, pairs_max=20)
    assert breaches(full) == [("bet.limit", PAIRS), ("payout.over", PAIRS)]


def test_18_7_pairs_placed_or_raised_too_late() -> None:
    during_deal = WON.replace("card dealer 7c", f"chips {PAIRS} 5 player\ncard dealer 7c")
    after_deal = WON.replace("card dealer Td", f"chips {PAIRS} 5 player\ncard dealer Td")
    for script in (during_deal, after_deal):
        assert breaches(blackjack(script, pairs=True)) == [("bet.late", PAIRS)]
    raised = f"chips {PAIRS} 5 player\n" + one("8s 8h | 4d", "7c Td", 10, before_draws=f"chips {PAIRS} 10 player\n"
                                               + pays(PAIRS, 10, 60))  # fmt: skip
    assert breaches(blackjack(raised, pairs=True)) == [("bet.moved", PAIRS)]


def test_18_7_next_pairs_wager_may_be_placed_after_the_dealers_hand() -> None:
    script = paired("Ts Kh", takes(PAIRS)).replace("gone box1", f"chips {PAIRS} 5 player\ngone box1")
    assert clean(script, pairs=True)
    assert clean(WON.replace("gone box1", f"chips {PAIRS} 5 player\ngone box1"), pairs=True)


def test_18_10_pairs_go_by_the_hand_as_it_was_put_right() -> None:
    script = f"{TWO}chips {PAIRS} 5 player\ncard box1 8s\ncard box2 Js\ncard dealer 7c\n"
    script += "card box2 8h\ngone box2 cards=8h to=box1\ncard box2 9c\n" + pays(PAIRS, 5, 30) + cards("box1", "3s")
    script += cards("dealer", "Td") + pays(MAIN, 10, 10) + pays("box2/main", 10, 10) + collect("box1", "box2", "dealer")
    assert breaches(blackjack(script, pairs=True)) == [("deal.order", "box2")]


# ---- 2.1, 5.4, 20.1: the shoe ------------------------------------------------------------------------------------


def test_2_1_joker_is_foreign_and_is_replaced() -> None:
    script = WON.replace("card box1 9h", "card box1 Jkr\ngone box1 cards=Jkr to=discard\ncard box1 9h")
    assert breaches(blackjack(script)) == [("card.foreign", "box1")]
    first = WON.replace("card box1 Ts", "card box1 Jkr\ngone box1 cards=Jkr\ncard box1 Ts")
    assert breaches(blackjack(first)) == [("card.foreign", "box1")]
    drawn = WON.replace("card dealer Td", "card dealer Jkr\ngone dealer cards=Jkr\ncard dealer Td")
    assert breaches(blackjack(drawn)) == [("card.foreign", "dealer")]


def tens_of_spades(shuffled: bool = False) -> str:
    """Seven rounds, each with one ten of spades."""
    return ("shuffle\n" if shuffled else "").join([WON] * 7)


def test_2_1_seventh_copy_of_a_card_from_six_decks() -> None:
    rounds = blackjack(tens_of_spades())
    assert [len(breaches([each])) for each in rounds] == [0] * 6 + [4]
    assert ("card.duplicate", "box1") in breaches(rounds)
    assert breaches(blackjack(tens_of_spades(), decks=7)) == []
    assert breaches(blackjack(tens_of_spades(shuffled=True))) == []


def test_2_1_copies_are_counted_per_round_with_an_automated_shoe() -> None:
    assert breaches(blackjack(tens_of_spades(), shoe="auto")) == []
    seven = bets(box1=10) + deal("2c", box1="2s 2s") + cards("box1", "2s 2s 2s 2s 2s 5d")
    rounds = blackjack(seven + cards("dealer", "Tc 5c") + pays(MAIN, 10, 10) + collect("box1", "dealer"), shoe="auto")
    assert breaches(rounds) == [("card.duplicate", "box1")]


def test_2_1_a_gap_or_a_weak_read_breaks_the_count() -> None:
    gap = [WON] * 6 + ["feed lost\nfeed back\n", WON]
    assert breaches(blackjack("".join(gap))) == []
    weak = tens_of_spades().replace("card box1 Ts", "card box1 Ts conf=0.5", 1)
    assert breaches(blackjack(weak)).count(("card.duplicate", "box1")) == 1  # 9h is surely a seventh, Ts is not


def test_5_4_cutting_card_during_a_round_then_shuffle() -> None:
    with_card = WON.replace("card box1 9h", "cutting_card at=shoe\ncard box1 9h")
    assert clean(with_card + "shuffle dealer\ncut player\n" + WON)
    rounds = blackjack(with_card + WON + WON)
    assert [breaches([each]) for each in rounds] == [[], [("shuffle.missing", None)], []]


def test_5_4_cutting_card_while_the_cards_are_collected() -> None:
    last = WON.replace("gone dealer", "cutting_card\ngone dealer")
    assert breaches(blackjack(last + WON)) == [("shuffle.missing", None)]
    assert breaches(blackjack(WON + "cutting_card\n" + WON)) == [("shuffle.missing", None)]


def test_5_4_cutting_card_as_the_first_card_of_a_round() -> None:
    first = WON + bets(box1=10) + "cutting_card\n{}" + WON.partition("\n")[2]
    assert breaches(blackjack(first.format(""))) == [("shuffle.missing", None)]
    assert clean(first.format("shuffle dealer\ncut player\n"))


def test_5_4_5_1_cutting_card_going_into_a_new_shoe_is_no_sign() -> None:
    assert clean("shuffle dealer\ncut player\ncutting_card\n" + WON + WON)
    assert clean("cut player\ncutting_card\n" + WON + WON)


def test_5_4_a_gap_may_hide_the_shuffle() -> None:
    with_card = WON.replace("card box1 9h", "cutting_card\ncard box1 9h")
    assert clean(with_card + "feed lost\nfeed back\n" + WON)
    assert breaches(blackjack(bets(box1=10) + "cutting_card\nfeed lost\nfeed back\n" + WON.partition("\n")[2])) == []


def test_20_1_automated_shoe_needs_no_shuffle() -> None:
    with_card = WON.replace("card box1 9h", "cutting_card\ncard box1 9h")
    assert clean(with_card + WON, shoe="auto")


# ---- 14: irregularities ------------------------------------------------------------------------------------------


def test_14_2_card_drawn_in_error_is_the_next_card() -> None:
    moved = WON.replace("card dealer Td", "card shoe Td\ngone shoe cards=Td to=dealer")
    assert clean(moved)
    seen_again = WON.replace("card dealer Td", "card shoe Td\ncard dealer Td")
    assert clean(seen_again)
    unseen = WON.replace("card dealer Td", "card shoe ??\ncard dealer Td")
    assert clean(unseen)
    for drawn in ("card shoe 5d", "card shoe ??\nturn shoe 5d"):
        wrong = WON.replace("card dealer Td", f"{drawn}\ncard dealer Td")
        assert breaches(blackjack(wrong)) == [("deal.order", "dealer")]


def test_14_2_card_drawn_in_error_opens_the_next_round() -> None:
    extra = WON + "card shoe 5d\n" + bets(box1=10)
    used = "gone shoe cards=5d to=box1\ncard dealer 7c\ncard box1 6h\ncard box1 9h\n"
    end = cards("dealer", "Td") + pays(MAIN, 10, 10) + collect("box1", "dealer")
    assert clean(extra + used + end)
    rounds = blackjack(extra + deal("7c", box1="Ts 9h") + end)
    assert breaches(rounds) == [("deal.order", "box1")]
    assert len(rounds) == 2


def test_14_2_burnt_card_stays_out() -> None:
    burnt = WON.replace("card dealer Td", "card shoe 5d\ngone shoe to=discard\ncard dealer Td")
    assert clean(burnt)
    assert clean(WON.replace("card dealer Td", "card burn 5d\ncard dealer Td"))
    back_in_play = WON.replace("card dealer Td", "card burn Td\ngone burn cards=Td to=dealer")
    assert breaches(blackjack(back_in_play)) == [("deal.burn", "dealer")]


def test_14_4_card_put_right_within_the_initial_deal_is_reported_once_and_counts_where_it_went() -> None:
    script = TWO + "card box1 Ts\ncard box1 Js\ngone box1 cards=Js to=box2\ncard dealer 7c\ncard box1 9h\n"
    script += "card box2 6c\n" + cards("dealer", "Td") + pays(MAIN, 10, 10) + takes("box2/main")
    script += collect("box1", "box2", "dealer")
    rounds = blackjack(script)
    assert breaches(rounds) == [("deal.order", "box1")]
    assert rounds[0]["hands"] == {"box1": ["Ts", "9h"], "box2": ["Js", "6c"], "dealer": ["7c", "Td"]}


def test_14_4_card_drawn_for_the_wrong_box_and_put_right() -> None:
    script = TWO + deal("7c", box1="Ts 4h", box2="Js 9c") + "card box2 5d\ngone box2 cards=5d to=box1\n"
    script += cards("dealer", "Td") + pays(MAIN, 10, 10) + pays("box2/main", 10, 10) + collect("box1", "box2", "dealer")
    assert breaches(blackjack(script)) == [("deal.order", "box2")]
    dealt_to_dealer = script.replace("card box2 5d\ngone box2 cards=5d", "card dealer 5d\ngone dealer cards=5d")
    assert breaches(blackjack(dealt_to_dealer)) == [("deal.order", "dealer")]


def test_14_4_extra_card_burnt_does_not_count() -> None:
    script = TWO + "card box1 Ts\ncard box2 Js\ncard dealer 7c\ncard box1 9h\ncard box1 2d\n{}card box2 6c\n"
    script += cards("dealer", "Td") + pays(MAIN, 10, 10) + takes("box2/main") + collect("box1", "box2", "dealer")
    rounds = blackjack(script.format("gone box1 cards=2d to=discard\n"))
    assert breaches(rounds) == [("deal.extra", "box1")]
    assert rounds[0]["wagers"][0]["result"] == "win"
    assert breaches(blackjack(script.format(""))) == [("deal.extra", "box1")]  # left there: 19 or 21, paid either way


def test_14_4_def_burn_a_hand_gathered_in_card_by_card_is_not_burnt() -> None:
    script = TWO + deal("7c", box1="4s 3h", box2="Js 9c") + cards("box1", "5d Kd") + takes(MAIN)
    script += "gone box1 n=1\nhand box1 true by=dealer\ngone box1 n=3\n" + cards("dealer", "Td")
    script += pays("box2/main", 10, 10) + "gone box2 n=1\ngone dealer n=1\ngone box2\ngone dealer\n"
    assert clean(script)


def test_14_3_early_dealer_card_left_in_the_hand_is_counted_or_not() -> None:
    script = bets(box1=10) + deal("7c", box1="Ts 4h") + "card dealer 3d\ncard box1 5d\ncard dealer Td\n{}"
    for settled in (pays(MAIN, 10, 10), takes(MAIN)):  # 19 against 17, or against 20
        assert breaches(blackjack(script.format(settled) + collect("box1", "dealer"))) == [("deal.order", "dealer")]


def test_14_5_16_4_def_void_round_declared_void() -> None:
    for call in ("void", "misdeal"):
        for settled in (back(MAIN), takes(MAIN), pays(MAIN, 10, 10)):
            script = bets(box1=10) + "card box1 Ts\ncard dealer 7c\ncard dealer 8c\n" + f"call {call} dealer\n"
            rounds = blackjack(script + settled + collect("box1", "dealer") + WON)
            assert [each["status"] for each in rounds] == [call, "complete"]
            assert breaches(rounds) == [("deal.count", "dealer")]
            assert wager(rounds, MAIN) | {"result": "void", "due": 0} == wager(rounds, MAIN)


def test_14_5_round_declared_void_after_its_cards_were_collected() -> None:
    wrong = TWO + "card box1 Ts\ncard dealer 7c\ncard box1 9h\ncard box2 Jc\ncard dealer Td\n" + back(MAIN)
    rounds = blackjack(wrong + back("box2/main") + collect("box1", "box2", "dealer") + "call void dealer\n" + WON)
    assert [each["status"] for each in rounds] == ["void", "complete"]
    assert breaches(rounds) == [("deal.missed", "box2")]


@pytest.mark.parametrize("paid_first", [pays("box2/main", 10, 15), ""], ids=["one was settled", "none was"])
@pytest.mark.parametrize("after", ["card box1 4d", "card dealer 5d"])
def test_14_6_a_shuffle_of_the_discards_in_the_middle_of_a_round_does_not_end_it(paid_first: str, after: str) -> None:
    script = TWO + deal("7c", box1="Ts 6h", box2="As Kh") + paid_first + cards("box1", "4d") + cards("dealer", "5d Tc")
    script += pays(MAIN, 10, 10) + collect("box1", "box2", "dealer")
    rounds = blackjack(script.replace(after, f"shuffle dealer\ncut player\n{after}"))
    assert len(rounds) == 1
    assert breaches(rounds) == ([] if paid_first else [("payout.missed", "box2/main")])
    assert wager(rounds, MAIN)["result"] == "win"


def test_7_2_18_12_no_more_bets_called_for_the_insurance_does_not_end_the_round() -> None:
    insured = takes("box1/pairs") + "chips box1/insurance 5 player\ncall no_more_bets dealer\n"
    settled = takes("box1/insurance") + takes(MAIN)
    assert clean("chips box1/pairs 5 player\n" + one("Ts 9h", "Ac 9d", settled, before_draws=insured), pairs=True)


def test_16_4_def_void_round_broken_off_in_the_deal_is_no_misdeal_of_the_dealer() -> None:
    full = ["card box1 Ts", "card box2 Js", "card dealer 7c", "card box1 9h", "card box2 6c", "card box2 4c"]
    for length in range(1, len(full) + 1):
        script = TWO + "\n".join(full[:length]) + "\ncall void dealer\n" + back(MAIN) + back("box2/main")
        rounds = blackjack(script + collect("box1", "box2", "dealer"))
        assert (breaches(rounds), rounds[0]["status"]) == ([], "void")


def test_def_void_hand_declared_void() -> None:
    script = TWO + deal("7c", box1="2s 3h", box2="Js 9c") + "call void box1 dealer\n{}" + cards("dealer", "Td")
    end = pays("box2/main", 10, 10) + collect("box1", "box2", "dealer")
    rounds = blackjack(script.format(back(MAIN)) + end)
    assert breaches(rounds) == []
    assert rounds[0]["status"] == "complete"
    assert wager(rounds, MAIN) | {"result": "void", "due": 0} == wager(rounds, MAIN)
    assert wager(rounds, "box2/main")["result"] == "win"
    assert breaches(blackjack(script.format(takes(MAIN)) + end)) == [("payout.push_taken", MAIN)]
    assert breaches(blackjack(script.format(pays(MAIN, 10, 10)) + end)) == [("payout.over", MAIN)]


def test_def_void_dealer_needs_no_card_for_a_void_hand() -> None:
    script = bets(box1=10) + deal("7c", box1="Ts 9h") + "call void box1 dealer\n" + back(MAIN)
    assert clean(script + collect("box1", "dealer"))


# ---- 19: tournaments ---------------------------------------------------------------------------------------------


def tournament(*turns: tuple[str, str]) -> str:
    """Rounds of three boxes; each: where the marker stands, and in which order they wager."""
    lines = ""
    for marker, order in turns:
        lines += f"marker {marker}\n" + "".join(f"chips box{box}/main 10 player\n" for box in order.split())
        lines += deal("7c", box1="Ts 9h", box2="Js 9c", box3="Qs 9d") + cards("dealer", "Td")
        lines += "".join(pays(f"box{box}/main", 10, 10) for box in (1, 2, 3))
        lines += collect("box1", "box2", "box3", "dealer")
    return lines


def test_19_14_wagers_go_clockwise_from_the_marker() -> None:
    assert clean(tournament(("box2", "2 3 1")), tournament=True)
    assert breaches(blackjack(tournament(("box2", "1 2 3")), tournament=True)) == [("bet.order", "box1/main")]
    assert breaches(blackjack(tournament(("box2", "3 2 1")), tournament=True)) == [("bet.order", "box3/main")]
    assert clean(tournament(("box2", "1 2 3")))  # no tournament


def test_def_marker_moves_on_one_player_each_round() -> None:
    assert clean(tournament(("box2", "2 3 1"), ("box3", "3 1 2"), ("box1", "1 2 3")), tournament=True)
    stayed = blackjack(tournament(("box2", "2 3 1"), ("box2", "2 3 1")), tournament=True)
    assert breaches(stayed) == [("button.move", None)]
    skipped = blackjack(tournament(("box2", "2 3 1"), ("box1", "1 2 3")), tournament=True)
    assert breaches(skipped) == [("button.move", None)]


def test_19_14_wager_changed_after_the_turn() -> None:
    script = tournament(("box1", "1 2 3"))
    changed = script.replace("chips box3/main 10 player", "chips box1/main 20 player\nchips box3/main 10 player", 1)
    changed = changed.replace("chips box1/main 20 dealer", "chips box1/main 40 dealer")
    assert breaches(blackjack(changed, tournament=True)) == [("bet.moved", MAIN)]
    assert clean(changed)
    built = script.replace("chips box1/main 10 player", "chips box1/main 5 player\nchips box1/main 10 player", 1)
    assert clean(built, tournament=True)


@pytest.mark.parametrize("meanwhile", [
    "chips box2/main 0 player\n", "chips box2/main 20\n", "chips box3/main 0\n",
])  # fmt: skip
def test_19_14_winnings_taken_up_and_chips_read_once_more_are_no_wager_of_the_next_player(meanwhile: str) -> None:
    left = tournament(("box3", "3 1 2")).replace("chips box2/main 0 player\n", "")
    turn = "marker box1\nchips box1/main 5 player\n" + meanwhile + "chips box1/main 10 player\n"
    script = tournament(("box1", "1 2 3")).replace("marker box1\nchips box1/main 10 player\n", turn)
    assert clean(left + script, tournament=True)


def test_19_13_stake_below_the_table_minimum() -> None:
    rounds = blackjack(tournament(("box1", "1 2 3")), tournament=True, min=20)
    assert breaches(rounds) == [("bet.limit", f"box{box}/main") for box in (1, 2, 3)]
    assert cited(rounds, "bet.limit") == ["19.13"] * 3


# ---- several rounds in one log -----------------------------------------------------------------------------------


def test_def_round_of_play_rounds_are_told_apart() -> None:
    rounds = blackjack(WON + one("Ts 6h", "7c Td", "back") + WON)
    assert [each["round"] for each in rounds] == [1, 2, 3]
    assert [breaches([each]) for each in rounds] == [[], [("payout.loser_paid", MAIN)], []]


def test_chips_left_standing_are_the_next_stake() -> None:
    stand_off = one("Ts 7h", "7c Td", "")
    rounds = blackjack(stand_off + WON.partition("\n")[2])
    assert breaches(rounds) == []
    assert [wager(rounds, MAIN, n)["stake"] for n in (0, 1)] == [10, 10]
    winnings = one("Ts 9h", "7c Td", "chips box1/main 20 dealer\n") + deal("7c", box1="Ts 9h") + cards("dealer", "Td")
    rounds = blackjack(winnings + pays(MAIN, 20, 20) + collect("box1", "dealer"))
    assert breaches(rounds) == []
    assert wager(rounds, MAIN, 1)["stake"] == 20


def test_next_wager_before_the_cards_are_collected() -> None:
    first = one("Ts 9h", "7c Td", pays(MAIN, 10, 10) + "chips box1/main 50 player\n")
    second = deal("7c", box1="Ts 9h") + cards("dealer", "Td") + pays(MAIN, 50, 50) + collect("box1", "dealer")
    rounds = blackjack(first + second)
    assert breaches(rounds) == []
    assert wager(rounds, MAIN, 1) | {"stake": 50, "paid": 50} == wager(rounds, MAIN, 1)


def test_settlement_after_the_cards_are_collected() -> None:
    late = one("Ts 9h", "7c Td", "") + pays(MAIN, 10, 10) + WON
    assert clean(late)
    assert breaches(blackjack(one("Ts 9h", "7c Td", "") + pays(MAIN, 10, 5) + WON)) == [("payout.short", MAIN)]


def test_split_chips_left_standing_do_not_disturb_the_next_round() -> None:
    script = split("8s 8h", "9s", "9c", "7c Td") + collect("box1", "box1#2", "dealer")  # both stand off and stay
    rounds = blackjack(script + deal("7c", box1="Ts 9h") + cards("dealer", "Td") + pays(MAIN, 10, 10)
                       + collect("box1", "dealer"))  # fmt: skip
    assert breaches(rounds) == []
    assert len(rounds) == 2


# ---- unfinished logs ---------------------------------------------------------------------------------------------

LONG = (
    f"{TWO}chips {PAIRS} 5 player\ncall no_more_bets dealer\n" + deal("Ac", box1="8s 8h", box2="As Kd")
    + pays(PAIRS, 5, 30) + "chips box1/insurance 5 player\ncall even_money box2 player\n" + pays("box2/main", 10, 10)
    + "chips box1#2/main 10 player\ngone box1 cards=8h to=box1#2\ncard box1 3s\nchips box1/main 20 player\n"
    + "card box1 Ts\ncard box1#2 5s\ncard box1#2 Kc\n" + takes("box1#2/main") + collect("box1#2") + "card dealer 2d\n"
    + takes("box1/insurance") + "card dealer 5d\n" + pays(MAIN, 20, 20) + collect("box1", "box2", "dealer")
)  # fmt: skip


def test_unfinished_log_accuses_nobody_wherever_it_ends() -> None:
    assert clean(LONG, pairs=True)
    lines = LONG.splitlines(keepends=True)
    for length in range(len(lines)):
        rounds = blackjack("".join(lines[:length]), pairs=True)
        assert breaches(rounds) == [], lines[:length]
        assert all(each["status"] == "unfinished" for each in rounds)


def test_unfinished_log_of_a_deal_that_began_wrong() -> None:
    three = bets(box1=10, box2=10, box3=10)
    assert breaches(blackjack(three + "card dealer 7c\n")) == [("deal.order", "dealer")]
    assert breaches(blackjack(three + "card box1 7c\ncard box3 8c\n")) == [("deal.missed", "box2")]


def test_unfinished_log_still_tells_what_is_proved() -> None:
    script = bets(box1=10) + deal("7c", box1="Ts Jh") + cards("dealer", "Td 4s")
    rounds = blackjack(script)
    assert breaches(rounds) == [("draw.excess", "dealer")]
    assert rounds[0]["status"] == "unfinished"
    taken = blackjack(bets(box1=10) + deal("7c", box1="Ts Jh") + cards("dealer", "Td") + takes(MAIN))
    assert breaches(taken) == [("payout.winner_taken", MAIN)]


def test_shuffled_and_thinned_logs_never_crash() -> None:
    chance = random.Random(3)
    script = LONG + tournament(("box2", "2 3 1"))
    header, *lines = written("act-blackjack", script, pairs=True, tournament=True).splitlines()
    for _ in range(150):
        some = chance.sample(lines, chance.randint(1, len(lines)))
        timed = [b'{"t":%d,' % n + line.partition(b",")[2] for n, line in enumerate(some)]
        list(audit(io.BytesIO(b"\n".join([header, *timed])), "shuffled").rounds)


# ---- who did it is not known -------------------------------------------------------------------------------------


def anonymous(script: str) -> str:
    return "".join(
        line.removesuffix(" player").removesuffix(" dealer") + "\n" if line.startswith("chips") else line + "\n"
        for line in script.splitlines()
    )


@pytest.mark.parametrize(
    "script",
    [
        WON, one("As Kh", "6c", 15), one("Ts 6h", "7c Td", "taken"), one("Ts 7h", "7c Td", "back"), LONG,
        one("As Kh", "Ac", "", before_draws=pays(MAIN, 10, 10)),
        one("5s 6h | Td", "7c Td", pays(MAIN, 20, 20), before_draws="chips box1/main 20 player\n"),
        split("8s 8h", "Ts", "Tc", "7c Td") + pays(MAIN, 10, 10) + pays("box1#2/main", 10, 10)
        + collect("box1", "box1#2", "dealer"),
        one("Ts 9h", "Ac Kd", takes(MAIN) + pays("box1/insurance", 5, 10),
            before_draws="chips box1/insurance 5 player\n"),
    ],
)  # fmt: skip
def test_chips_moved_by_nobody_known_are_no_breach(script: str) -> None:
    assert breaches(blackjack(anonymous(script), pairs=True)) == []


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (one("As Kh", "6c", 10), "payout.short"), (one("Ts 9h", "7c Td", 15), "payout.over"),
        (one("As Kh", "6c", "back"), "payout.missed"), (one("As Kh", "6c", "taken"), "payout.missed"),
    ],
)  # fmt: skip
def test_chips_moved_by_nobody_known_are_a_breach_when_wrong_whoever_did_it(script: str, kind: str) -> None:
    assert breaches(blackjack(anonymous(script))) == [(kind, MAIN)]


# ---- the view was lost -------------------------------------------------------------------------------------------

GAP = "feed lost\nfeed back\n"


def test_gap_before_the_round_hides_nothing_of_it() -> None:
    assert clean(GAP + WON)
    assert breaches(blackjack(GAP + one("Ts 9h", "7c Td", 5))) == [("payout.short", MAIN)]
    assert breaches(blackjack(GAP + one("Ts Jh", "7c Td 4s", 10))) == [("draw.excess", "dealer")]
    assert breaches(blackjack(GAP + one("5s 6h", "7c Td", "taken"))) == [("draw.missing", "box1")]
    assert breaches(blackjack(GAP + WON, min=20)) == [("bet.limit", MAIN)]


def test_gap_while_wagers_are_placed_hides_who_wagered() -> None:
    rounds = blackjack(bets(box1=10) + GAP + bets(box3=10) + deal("7c", box1="Ts 9h", box2="Js 9c", box3="Qs 9d")
                       + cards("dealer", "Td") + pays(MAIN, 10, 10) + pays("box3/main", 10, 10)
                       + collect("box1", "box2", "box3", "dealer"))  # fmt: skip
    assert (breaches(rounds), unsure(rounds)) == ([], [("deal.no_wager", "box2")])


def test_gap_just_before_the_first_card_seen_may_hide_the_first_ones() -> None:
    script = bets(box1=10) + GAP + "card dealer 7c\ncard box1 9h\n" + cards("dealer", "Td") + takes(MAIN)
    assert breaches(blackjack(script + collect("box1", "dealer"))) == []


def test_gap_in_the_deal_makes_a_missing_card_unsure() -> None:
    for place in ("card dealer 7c\n", "card box1 9h\n"):
        before, _, after = one("Ts 9h", "7c Td", 10).partition(place)
        kept = place if place.startswith("card dealer") else ""
        script = before + kept + GAP + after.replace("card box1 9h\n", "")
        rounds = blackjack(script)
        assert breaches(rounds) == []
        assert ("deal.missed", "box1") in unsure(rounds)


def test_gap_during_the_draws_makes_draws_and_payouts_unsure() -> None:
    for own, end in (("Ts 5h", 10), ("5s 6h", 10), ("Ts 9h", "taken")):
        script = one(own, "7c Td", end).replace("card dealer Td", GAP + "card dealer Td")
        rounds = blackjack(script)
        assert breaches(rounds) == []
        assert ("payout.winner_taken" if end == "taken" else "payout.loser_paid", MAIN) in unsure(rounds)


def test_gap_before_the_dealers_cards_hides_his_draws() -> None:
    script = one("Ts Jh", "7c", 10).replace("chips box1/main 20", GAP + "chips box1/main 20")
    assert breaches(blackjack(script)) == []


def test_gap_during_settlement() -> None:
    script = one("Ts 9h", "7c Td", GAP)
    rounds = blackjack(script)
    assert breaches(rounds) == []
    assert ("view.gap", None) in unsure(rounds)
    assert wager(rounds, MAIN) | {"result": "win", "due": 10, "paid": None} == wager(rounds, MAIN)


def test_gap_after_settlement_hides_nothing() -> None:
    rounds = blackjack(one("Ts 9h", "7c Td", pays(MAIN, 10, 5) + GAP))
    assert breaches(rounds) == [("payout.short", MAIN)]
    assert unsure(rounds) == []


def test_no_gap_in_a_legal_round_accuses_anybody() -> None:
    """Events are dropped between «lost» and «back»; when the view is back, the chips are seen as they stand."""
    chance, dealer = random.Random(5), BlackjackDealer(21)
    for events, _ in dealer.rounds(60):
        start = chance.randrange(len(events))
        end = min(len(events), start + chance.randint(1, 10))
        hidden, until = events[start:end], events[end - 1].t
        if any(isinstance(event, log.Marker) for event in hidden):
            continue
        states = {event.at: event for event in hidden if isinstance(event, log.Chips)}
        seen = [msgspec.structs.replace(event, t=until, by=None) for event in states.values()]
        gap = [log.Feed(t=hidden[0].t, state="lost"), log.Feed(t=until, state="back")]
        table_log = log.log_bytes(dealer.header(), [*events[:start], *gap, *seen, *events[end:]])
        for each in audit(io.BytesIO(table_log), "gap").rounds:
            assert not each.breached, each.findings


def test_view_lost_for_good_leaves_the_round_unfinished() -> None:
    rounds = blackjack(bets(box1=10) + deal("7c", box1="5s 6h") + "feed lost\n")
    assert (breaches(rounds), rounds[0]["status"]) == ([], "unfinished")


# ---- weak and half-read cards ------------------------------------------------------------------------------------


def doubtful(script: str, *cards: str) -> list[Answer]:
    """The round with these cards read weakly."""
    for text in cards:
        script = script.replace(f" {text}\n", f" {text} conf=0.5\n", 1)
    return blackjack(script)


def test_weak_card_on_which_a_payout_hangs() -> None:
    rounds = doubtful(one("Ts 9h", "Tc 8d", "taken"), "9h")
    assert (breaches(rounds), unsure(rounds)) == ([], [("payout.winner_taken", MAIN)])
    assert wager(rounds, MAIN) | {"result": None, "due": None} == wager(rounds, MAIN)
    finding = rounds[0]["findings"][0]
    assert finding["reads"] == ["the card at box1 of 4.0 s (9h, read at 50%)"]
    assert "it is right only if that was a 2 or a 3 or a 4 or a 5 or a 6 or a 7" in finding["message"]


def test_weak_card_that_does_not_matter_stays_proof() -> None:
    rounds = doubtful(one("Ts 5h | Kd", "8c", "back"), "8c")
    assert breaches(rounds) == [("payout.loser_paid", MAIN)]
    rounds = doubtful(TWO + deal("8c", box1="Ts 9h", box2="Js 7h") + cards("dealer", "Td") + takes(MAIN)
                      + takes("box2/main") + collect("box1", "box2", "dealer"), "7h")  # fmt: skip
    assert breaches(rounds) == [("payout.winner_taken", MAIN)]


def test_half_read_card_stays_proof_where_the_hidden_half_does_not_matter() -> None:
    for own in ("A? Kh", "As K?", "A? T?"):
        assert breaches(blackjack(one(own, "6?", 10))) == [("payout.short", MAIN)]
        assert clean(one(own, "6?", 15))


def test_half_read_suit_leaves_the_count_open() -> None:
    rounds = blackjack(one("Ts ?h", "Tc 8d", "taken"))
    assert (breaches(rounds), [at for _, at in unsure(rounds)]) == ([], [MAIN])


def test_half_read_card_matters_for_pairs() -> None:
    rounds = blackjack(paired("8s 8?", pays(PAIRS, 5, 60)), pairs=True)
    assert (breaches(rounds), unsure(rounds)) == ([], [("payout.over", PAIRS)])
    lost = blackjack(paired("8s 8?", takes(PAIRS)), pairs=True)
    assert breaches(lost) == [("payout.winner_taken", PAIRS)]  # a pair it is, whatever its suit


def test_unread_card_on_which_draws_hang() -> None:
    rounds = blackjack(one("5s ??", "8c Td", "taken").replace("??", "?? up=true"))
    assert (breaches(rounds), set(unsure(rounds))) == ([], {("draw.missing", "box1")})


def test_unread_card_fixed_by_everything_else_seen_is_said_so() -> None:
    script = TWO + deal("6c", box1="As ??", box2="Ts 9h").replace("??", "?? up=true") + pays(MAIN, 10, 15)
    script += cards("dealer", "Td 2h") + pays("box2/main", 10, 10) + collect("box1", "box2", "dealer")
    rounds = blackjack(script)
    assert breaches(rounds) == []
    assert any("everything else seen fits only a 10 there" in each["message"] for each in rounds[0]["findings"])


def test_weak_dealers_ace_makes_insurance_unsure() -> None:
    script = one("Ts 9h", "9c Td", takes("box1/insurance"), before_draws="chips box1/insurance 5 player\n")
    rounds = doubtful(script, "9c")
    assert breaches(rounds) == []
    assert ("bet.invalid", "box1/insurance") in unsure(rounds)


def test_weak_card_makes_a_split_unsure() -> None:
    script = split("8s 9h", "Td", "8c", "6c Td Tc") + pays(MAIN, 10, 10) + pays("box1#2/main", 10, 10)
    rounds = doubtful(script + collect("box1", "box1#2", "dealer"), "9h")
    assert breaches(rounds) == []
    assert ("bet.invalid", "box1#2/main") in unsure(rounds)


def test_weak_joker_accuses_nobody() -> None:
    script = WON.replace("card box1 9h", "card box1 Jkr conf=0.5\ngone box1 cards=Jkr\ncard box1 9h")
    assert breaches(blackjack(script)) == []


# ---- weakly read chips -------------------------------------------------------------------------------------------


def weak_chips(script: str, at: str) -> str:
    """The script with the first chips at that spot read weakly."""
    first = next(line for line in script.splitlines() if line.startswith(f"chips {at} "))
    return script.replace(first, first + " conf=0.5", 1)


def test_weak_stake_makes_a_wrong_payment_unsure() -> None:
    for end in (5, 15):
        rounds = blackjack(weak_chips(one("Ts 9h", "7c Td", end), MAIN))
        assert (breaches(rounds), len(unsure(rounds))) == ([], 1)
        assert wager(rounds, MAIN) | {"result": "win", "due": None} == wager(rounds, MAIN)


def test_weak_stake_does_not_excuse_what_is_wrong_for_any_stake() -> None:
    for end, kind in (("taken", "payout.winner_taken"), ("back", "payout.missed")):
        assert breaches(blackjack(weak_chips(one("Ts 9h", "7c Td", end), MAIN))) == [(kind, MAIN)]
    assert breaches(blackjack(weak_chips(one("Ts 6h", "7c Td", "back"), MAIN))) == [("payout.loser_paid", MAIN)]
    assert breaches(blackjack(weak_chips(one("Ts 7h", "7c Td", "taken"), MAIN))) == [("payout.push_taken", MAIN)]


def test_weak_payment_is_unsure() -> None:
    script = one("Ts 9h", "7c Td", 5).replace("chips box1/main 15 dealer", "chips box1/main 15 dealer conf=0.5")
    rounds = blackjack(script)
    assert (breaches(rounds), unsure(rounds)) == ([], [("payout.short", MAIN)])


def test_weak_double_split_and_insurance_stakes_are_unsure() -> None:
    double = one("5s 6h | Td", "7c Td", pays(MAIN, 15, 15), before_draws="chips box1/main 15 player conf=0.5\n")
    rounds = blackjack(double)
    assert (breaches(rounds), unsure(rounds)) == ([], [("bet.amount", MAIN)])
    pair = split("8s 8h", "Ts", "Tc", "7c Td", stake=5) + pays(MAIN, 10, 10) + pays("box1#2/main", 5, 5)
    rounds = blackjack(weak_chips(pair + collect("box1", "box1#2", "dealer"), "box1#2/main"))
    assert (breaches(rounds), unsure(rounds)) == ([], [("bet.amount", "box1#2/main")])
    over = one("Ts 9h", "Ac 9d", takes("box1/insurance") + takes(MAIN), before_draws="chips box1/insurance 6 player\n")
    rounds = blackjack(weak_chips(over, "box1/insurance"))
    assert (breaches(rounds), unsure(rounds)) == ([], [("bet.amount", "box1/insurance")])
    rounds = blackjack(weak_chips(over, MAIN))
    assert (breaches(rounds), unsure(rounds)) == ([], [("bet.amount", "box1/insurance")])


# ---- equal times -------------------------------------------------------------------------------------------------


def test_equal_times_keep_the_order_of_the_file() -> None:
    header, *lines = written("act-blackjack", LONG, pairs=True).splitlines()
    at_once = [b'{"t":5.0,' + line.partition(b",")[2] for line in lines]
    rounds = list(audit(io.BytesIO(b"\n".join([header, *at_once])), "at once").rounds)
    assert [each.findings for each in rounds] == [[]]
    wrong = written("act-blackjack", TWO + deal("6c", box1="As Kh", box2="Ts 6h") + cards("box2", "Kd")
                    + takes("box2/main") + pays(MAIN, 10, 15) + collect("box1", "box2", "dealer"))  # fmt: skip
    header, *lines = wrong.splitlines()
    at_once = [b'{"t":5.0,' + line.partition(b",")[2] for line in lines]
    rounds = list(audit(io.BytesIO(b"\n".join([header, *at_once])), "at once").rounds)
    assert [(each.kind, each.at) for each in rounds[0].findings] == [("payout.order", MAIN)]


def test_12_1_a_who_first_stands_after_the_dealer_drew_had_not_decided() -> None:
    script = """
        chips box1/main 10 player
        card box1 Ts
        card dealer 7c
        card box1 9h
        card dealer Td
        call stand box1 player
        chips box1/main 20 dealer
        chips box1/main 0 player
        gone box1
        gone dealer
    """
    assert breaches(play("act-blackjack", script)) == [("deal.order", "dealer")]
    stood = script.replace("card dealer Td", "call stand box1 player\ncard dealer Td")
    assert breaches(play("act-blackjack", stood)) == []


def test_2_1_a_joker_that_nobody_replaced_is_a_card_of_the_deal() -> None:
    rounds = play("act-blackjack", """
        chips box1/main 10 player
        chips box2/main 10 player
        card box1 Ts
        card box2 9s
        card dealer 7c
        card box1 Jkr
        card box2 9d
        card dealer Tc
        chips box1/main 0 player
        chips box2/main 20 dealer
        chips box2/main 0 player
        gone box1
        gone box2
        gone dealer
    """)  # fmt: skip
    assert breaches(rounds) == [("card.foreign", "box1")]
    assert wager(rounds, "box1/main")["result"] is None


def test_18_8_perfect_pairs_limits_the_wrong_way_round_are_impossible() -> None:
    with pytest.raises(log.LogError, match=r"pairs_min .* is above pairs_max"):
        play("act-blackjack", "shuffle", pairs=True, pairs_min=10, pairs_max=5)


# ---- where a round ends when settlement goes on --------------------------------------------------------------------

DRAWN = "card box1 9s\ncard box2 8s\ncard dealer 7h\ncard box1 8d\ncard box2 Td\ncard dealer Ts\n"
GATHERED = "gone box1\ngone box2\ngone dealer\n"


def test_a_hand_of_a_split_is_dealt_on_after_an_insured_first_hand_is_out() -> None:
    script = """
        chips box1/main 10 player
        card box1 8s
        card dealer Ah
        card box1 8d
        chips box1/insurance 5 player
        chips box1#2/main 10 player
        gone box1 cards=8d to=box1#2
        card box1 6c
        card box1 9c
        chips box1/main 0 dealer
        gone box1
        card box1#2 Tc
        card dealer 6d
        chips box1/insurance 0 dealer
        chips box1#2/main 20 dealer
        chips box1#2/main 0 player
        gone box1#2
        gone dealer
    """
    rounds = play("act-blackjack", script)
    assert (len(rounds), breaches(rounds)) == (1, [])
    assert wager(rounds, "box1#2/main")["paid"] == 10


def test_a_wager_laid_anew_does_not_end_a_settlement_that_goes_on_after_the_cards_are_gathered() -> None:
    bets = "chips box1/main 10 player\nchips box2/main 10 player\n"
    late = "chips box3/main 5 player\nchips box2/main {} dealer\nchips box2/main 0 player\ncard box1 9s\ncard box3 8s\n"
    rounds = play("act-blackjack", bets + DRAWN + GATHERED + late.format(20))
    assert (len(rounds), breaches(rounds)) == (2, [])
    assert wager(rounds, "box2/main")["paid"] == 10
    assert breaches(play("act-blackjack", bets + DRAWN + GATHERED + late.format(15))) == [("payout.short", "box2/main")]


def test_chips_from_nobody_known_may_pay_a_wager_after_the_cards_are_gathered() -> None:
    script = "chips box1/main 10\nchips box2/main 10\n" + DRAWN + GATHERED + "chips box2/main 20\nchips box2/main 0\n"
    assert breaches(play("act-blackjack", script + "chips box2/main 10\ncard box1 9s\n")) == []


def test_a_player_who_may_have_been_paid_by_nobody_known_may_wager_anew() -> None:
    script = "chips box1/main 10 player\nchips box2/main 10 player\ncard box1 As\ncard box2 9s\ncard dealer 6c\n"
    script += "card box1 Kd\ncard box2 2d\nchips box1/main 25\nchips box1/main 0\nchips box1/main 15 player\n"
    script += "card box2 Tc\ncard dealer Td\ncard dealer 5h\nchips box2/main 0 player\n" + GATHERED
    assert breaches(play("act-blackjack", script)) == []


def test_what_is_called_before_the_first_card_calls_off_no_round() -> None:
    script = "shuffle\nchips box1/ante 10 player\nchips box1/blind 10 player\ncall void\n" + 5 * "card board ??\n"
    rounds = play("act-uth", script + 2 * "card box1 ??\ncard dealer ??\n" + "call fold box1\ngone box1\n")
    assert (len(rounds), breaches(rounds)) == (1, [])
