"""Tournament Blackjack, clause by clause: limits, wagers, deal, insurance, play and settlement.

A test's name begins with the clause it holds the auditor to. Perfect Pairs, the shoe, irregularities, tournaments,
doubtful reads and rounds in a row are in test_auditor_blackjack_table.py.
"""

import pytest
from blackjack_scripts import back, bets, blackjack, cards, clean, collect, deal, one, pays, split, takes
from playing import breaches, unsure, wager

from auditor.cards import card
from auditor.rulebooks.blackjack_hands import total

MAIN = "box1/main"

# ---- 2.5: what cards count ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("As", (11, True)), ("As Ah", (12, True)), ("As Ah Ac Ad", (14, True)), ("As Kd", (21, True)),
        ("Ts Jd", (20, False)), ("Qs Kd 2c", (22, False)), ("As 6d", (17, True)), ("As 6d 9c", (16, False)),
        ("5s 6d Tc", (21, False)), ("As Ah 9c", (21, True)), ("As Ah 9c Td", (21, False)), ("2c 3c 4c", (9, False)),
    ],
)  # fmt: skip
def test_2_5_ace_counts_one_or_eleven_and_pictures_ten(hand: str, expected: tuple[int, bool]) -> None:
    assert total([card(text) for text in hand.split()]) == expected


@pytest.mark.parametrize("picture", ["Tc", "Jd", "Qh", "Ks"])
def test_2_5_pictures_count_ten_in_settlement(picture: str) -> None:
    assert clean(one(f"{picture} 9h", "8c Td", 10))
    assert breaches(blackjack(one(f"{picture} 7h", "8c Td", 10))) == [("payout.loser_paid", MAIN)]


def test_2_5_soft_hand_counts_its_ace_as_one_when_eleven_is_too_much() -> None:
    assert clean(one("As 5d | Kh", "7c Td", "taken"))  # 16 against 17
    assert clean(one("As 5d | 2h", "7c Td", 10))  # soft 18


# ---- 3: limits ---------------------------------------------------------------------------------------------------


def test_3_1_3_2_a_wager_within_the_limits_is_right() -> None:
    for stake in (5, 25, 500):
        assert clean(one("Ts 9h", "7c Td", stake, stake=stake), min=5, max=500, multiple=5)


def test_3_1_3_3_stake_below_the_minimum_is_reported_and_settled_in_full() -> None:
    rounds = blackjack(one("Ts 9h", "7c Td", 3, stake=3), min=5)
    assert breaches(rounds) == [("bet.limit", MAIN)]
    assert wager(rounds, MAIN)["due"] == 3
    assert breaches(blackjack(one("Ts 9h", "7c Td", 2, stake=3), min=5)) == [
        ("bet.limit", MAIN), ("payout.short", MAIN)
    ]
    assert breaches(blackjack(one("Ts 6h", "7c Td", "taken", stake=3), min=5)) == [("bet.limit", MAIN)]
    assert breaches(blackjack(one("Ts 6h", "7c Td", "back", stake=3), min=5)) == [
        ("bet.limit", MAIN), ("payout.loser_paid", MAIN)
    ]


def test_3_1_3_4_stake_above_the_maximum_is_paid_to_the_maximum() -> None:
    rounds = blackjack(one("Ts 9h", "7c Td", 500, stake=600), max=500)
    assert breaches(rounds) == [("bet.limit", MAIN)]
    assert wager(rounds, MAIN) | {"due": 500, "paid": 500} == wager(rounds, MAIN)
    assert breaches(blackjack(one("Ts 9h", "7c Td", 600, stake=600), max=500)) == [
        ("bet.limit", MAIN), ("payout.over", MAIN)
    ]
    assert breaches(blackjack(one("As Kh", "7c", 750, stake=600), max=500)) == [("bet.limit", MAIN)]


def test_3_4_stake_above_the_maximum_is_collected_to_the_maximum() -> None:
    by_dealer = "chips box1/main 100 dealer\nchips box1/main 0 player\n"
    by_player = "chips box1/main 500 player\nchips box1/main 0 dealer\n"
    for settled in (by_dealer, by_player):
        assert breaches(blackjack(one("Ts 6h", "7c Td", settled, stake=600), max=500)) == [("bet.limit", MAIN)]
    assert breaches(blackjack(one("Ts 6h", "7c Td", "taken", stake=600), max=500)) == [
        ("bet.limit", MAIN), ("payout.push_taken", MAIN)
    ]


def test_3_4_a_double_of_a_maximum_wager_may_exceed_the_maximum() -> None:
    script = one("5s 6h | Td", "7c Td", pays(MAIN, 1000, 1000), stake=500, before_draws="chips box1/main 1000 player\n")
    assert clean(script, max=500)


def test_3_2_stake_that_is_no_permitted_multiple() -> None:
    assert breaches(blackjack(one("Ts 9h", "7c Td", 12, stake=12), multiple=5)) == [("bet.multiple", MAIN)]


def test_3_1_a_weakly_read_stake_outside_the_limits_is_unsure() -> None:
    script = one("Ts 9h", "7c Td", 600, stake=600).replace("600 player", "600 player conf=0.5", 1)
    rounds = blackjack(script, max=500)
    assert breaches(rounds) == []
    assert ("bet.limit", MAIN) in unsure(rounds)


# ---- 4: wagers ---------------------------------------------------------------------------------------------------

TWO = bets(box1=10, box2=10)


def test_4_1_wager_placed_after_the_first_card_and_dealt_in_is_late_and_nothing_else() -> None:
    for settled in (pays("box2/main", 10, 10), takes("box2/main"), back("box2/main")):
        script = (
            bets(box1=10) + "card box1 Ts\nchips box2/main 10 player\ncard box2 9s\ncard dealer 7c\n"
            "card box1 9h\ncard box2 Tc\n" + cards("dealer", "Td") + pays(MAIN, 10, 10) + settled
            + collect("box1", "box2", "dealer")
        )  # fmt: skip
        assert breaches(blackjack(script)) == [("bet.late", "box2/main")]


def test_4_1_wager_placed_after_the_first_card_and_not_dealt_in() -> None:
    script = one("Ts 9h", "7c Td", 10, before_draws="chips box2/main 25 player\n")
    assert breaches(blackjack(script)) == [("bet.late", "box2/main")]
    assert breaches(blackjack(script + back("box2/main"))) == [("bet.late", "box2/main")]


def test_4_1_card_dealt_to_a_box_without_a_wager() -> None:
    script = bets(box1=10) + deal("7c", box1="Ts 9h", box2="4s 5s") + cards("dealer", "Td")
    rounds = blackjack(script + pays(MAIN, 10, 10) + collect("box1", "box2", "dealer"))
    assert breaches(rounds) == [("deal.no_wager", "box2")]
    between = bets(box1=10, box3=10) + deal("7c", **NINETEENS) + cards("dealer", "Td") + pays(MAIN, 10, 10)
    rounds = blackjack(between + pays("box3/main", 10, 10) + collect("box1", "box2", "box3", "dealer"))
    assert breaches(rounds) == [("deal.no_wager", "box2")]


def test_4_3_wager_raised_or_reduced_or_removed_during_the_deal() -> None:
    for amount in (5, 20, 30):
        script = bets(box1=10) + f"card box1 Ts\nchips box1/main {amount} player\ncard dealer 7c\ncard box1 9h\n"
        for stake in (10, amount):
            end = cards("dealer", "Td") + f"chips box1/main {amount + stake} dealer\n" + back(MAIN)
            assert breaches(blackjack(script + end + collect("box1", "dealer"))) == [("bet.moved", MAIN)]
    script = bets(box1=10) + "card box1 Ts\nchips box1/main 0 player\ncard dealer 7c\ncard box1 9h\n"
    assert breaches(blackjack(script + cards("dealer", "Td") + collect("box1", "dealer"))) == [("bet.moved", MAIN)]


@pytest.mark.parametrize("amount", [5, 15, 25])
def test_4_3_wager_changed_after_the_initial_deal_without_a_double(amount: int) -> None:
    script = one("Ts 9h", "7c Td", f"chips box1/main {2 * amount} dealer\n" + back(MAIN),
                 before_draws=f"chips box1/main {amount} player\n")  # fmt: skip
    assert breaches(blackjack(script)) == [("bet.moved", MAIN)]


def test_4_3_stake_doubled_after_standing_is_no_double() -> None:
    for raised in ("call stand box1\nchips box1/main 20 player\n", "chips box1/main 20 player\ncall stand box1\n"):
        script = one("Ts 9h", "7c Td", pays(MAIN, 20, 20), before_draws=raised)
        assert breaches(blackjack(script)) == [("bet.moved", MAIN)]


def test_4_3_stake_raised_between_hits_is_no_double() -> None:
    script = one("2s 3h | 4d 5d 6d", "7c Td", pays(MAIN, 15, 15), before_draws="chips box1/main 15 player\n")
    assert breaches(blackjack(script)) == [("bet.moved", MAIN)]


def test_4_3_stake_raised_while_the_dealer_draws() -> None:
    script = (
        bets(box1=10) + deal("6c", box1="Ts 9h") + "card dealer 5d\nchips box1/main 20 player\ncard dealer 7d\n"
        + pays(MAIN, 20, 20) + collect("box1", "dealer")
    )  # fmt: skip
    assert breaches(blackjack(script)) == [("bet.moved", MAIN)]


def test_4_3_winning_stake_raised_before_it_is_paid() -> None:
    for due in (10, 30):
        script = one("Ts 9h", "7c Td", "chips box1/main 30 player\n" + pays(MAIN, 30, due))
        assert breaches(blackjack(script)) == [("bet.moved", MAIN)]


@pytest.mark.parametrize("total", [40, 30])
def test_4_3_a_changed_wager_is_listed_as_it_stood_when_betting_closed(total: int) -> None:
    """Whether the dealer pays on 20 or on 10, what is due is due on the 10 that stood there."""
    raised = "call stand box1\nchips box1/main 20 player\n"
    rounds = blackjack(one("Ts 9h|", "7c Td", f"chips {MAIN} {total} dealer\n" + back(MAIN), before_draws=raised))
    assert breaches(rounds) == [("bet.moved", MAIN)]
    listed = rounds[0]["wagers"][0]
    assert (listed["stake"], listed["due"], listed["paid"]) == (10, 10, total - 20)


def test_4_3_losing_stake_reduced_before_it_is_taken() -> None:
    script = one("Ts 6h", "7c Td", "chips box1/main 50 player\nchips box1/main 0 dealer\n", stake=100)
    assert breaches(blackjack(script)) == [("bet.moved", MAIN)]


def test_4_3_the_only_stake_lifted_and_laid_anew_before_a_card_begins_no_new_round() -> None:
    anew = "chips box1/main 0 player\nchips box1/main 20 player\n"
    rounds = blackjack(one("Ts 6h | 5h", "6c Tc Td", pays(MAIN, 20, 20), before_draws=anew))
    assert len(rounds) == 1
    assert breaches(rounds) == [("bet.moved", MAIN)]


@pytest.mark.parametrize(
    "cards_out",
    [
        "card box1 Ts\nFLED\ncard dealer 7c\ncard box1 9h\n",
        "card box1 Ts\ncard box2 3s\ncard dealer 7c\nFLED\ncard box1 9h\n",
        "card box1 Ts\ncard box2 3s\ncard dealer 7c\ncard box1 9h\ncard box2 5h\nFLED\n",
    ],
)
def test_4_3_a_box_that_its_player_left_is_dealt_no_further_card(cards_out: str) -> None:
    rest = cards("dealer", "Td") + pays(MAIN, 10, 10) + collect("box1", "box2", "dealer")
    rounds = blackjack(TWO + cards_out.replace("FLED", "chips box2/main 0 player") + rest)
    assert breaches(rounds) == [("bet.moved", "box2/main")]
    assert unsure(rounds) == []
    # left only after the dealer went on, it had been passed over
    passed = "card box1 Ts\ncard dealer 7c\nchips box2/main 0 player\ncard box1 9h\n" + rest
    assert ("deal.missed", "box2") in breaches(blackjack(TWO + passed))


def test_4_3_next_wager_may_be_placed_once_this_one_is_settled() -> None:
    for own, settled in (
        ("Ts 9h", pays(MAIN, 10, 10)), ("Ts 6h", takes(MAIN)), ("Ts 7h", ""), ("Ts 7h", back(MAIN))
    ):  # fmt: skip
        script = one(own, "7c Td", settled + "chips box1/main 25 player\nchips box3/main 5 player\n")
        assert clean(script)


def test_4_3_winnings_may_be_picked_up_while_others_play() -> None:
    script = (
        TWO + deal("7c", box1="As Kh", box2="Ts 5h") + pays(MAIN, 10, 15) + cards("box2", "Kd") + takes("box2/main")
        + "gone box2\nchips box1/main 10 player\n" + collect("box1", "dealer")
    )  # fmt: skip
    assert clean(script)


def test_4_3_chips_may_be_picked_up_in_steps_once_they_are_decided() -> None:
    in_steps = "chips {0} 5 player\nchips {0} 0 player\n"
    unpaid = bets(box1=10, box2=10) + deal("6c", box1="As Kh", box2="Ts 9d") + in_steps.format("box1/main")
    rest = cards("dealer", "Td Ks") + pays("box2/main", 10, 10) + collect("box1", "box2", "dealer")
    assert breaches(blackjack(unpaid + rest)) == [("payout.missed", "box1/main")]
    void = "chips box3/pairs 10 player\n" + bets(box2=10) + deal("6c", box2="Ts 9d") + in_steps.format("box3/pairs")
    rest = cards("dealer", "Td Ks") + pays("box2/main", 10, 10) + collect("box2", "dealer")
    assert breaches(blackjack(void + rest, pairs=True)) == [("bet.invalid", "box3/pairs")]


@pytest.mark.parametrize("up", ["Tc", "Kc", "Ac"])
def test_8_1_a_blackjack_paid_at_once_against_a_ten_or_an_ace_though_the_dealer_never_draws(up: str) -> None:
    found = breaches(blackjack(one("As Kh", up, 15)))
    assert set(found) == {("payout.order", "box1/main"), ("draw.missing", "dealer")}


def test_7_1_too_large_an_insurance_wins_whoever_paid_it() -> None:
    paid = "chips box1/main 0 dealer\nchips box1/insurance 32 {}\nchips box1/insurance 0 player\n"
    for by in ("dealer", ""):
        script = one("Ts 9h", "Ac Kd", paid.format(by), stake=20, before_draws="chips box1/insurance 12 player\n")
        rounds = blackjack(script)
        insurance = wager(rounds, "box1/insurance")
        assert breaches(rounds) == [("bet.amount", "box1/insurance")]
        assert (insurance["result"], insurance["due"], insurance["paid"]) == ("win", 20, 20)


def test_4_3_somebody_unknown_who_changes_a_wager_is_not_accused() -> None:
    script = one("Ts 9h", "7c Td", pays(MAIN, 20, 20), before_draws="chips box1/main 20\n")
    assert breaches(blackjack(script)) == []


# ---- 6: the initial deal -----------------------------------------------------------------------------------------

THREE = bets(box1=10, box2=10, box3=10)
NINETEENS = {"box1": "Ts 9h", "box2": "Js 9d", "box3": "Qs 9c"}
THREE_PAID = cards("dealer", "Td") + "".join(pays(f"box{n}/main", 10, 10) for n in (1, 2, 3))
THREE_END = THREE_PAID + collect("box1", "box2", "box3", "dealer")


def dealt(order: str) -> list[tuple[str, str | None]]:
    """What is said of an initial deal in this order: `1 2 3 d 1 2 3` is right."""
    texts = {place: iter([*hand.split(), "2h", "3h", "4h"]) for place, hand in NINETEENS.items()}
    texts |= {"dealer": iter(["7c", "2d"]), "box4": iter(["5s", "6s"])}
    places = ["dealer" if word == "d" else f"box{word}" for word in order.split()]
    return breaches(blackjack(THREE + "".join(f"card {place} {next(texts[place])}\n" for place in places) + THREE_END))


def test_6_2_boxes_clockwise_then_the_dealer_then_the_boxes_again() -> None:
    assert dealt("1 2 3 d 1 2 3") == []


def test_6_2_a_first_cards_out_of_order() -> None:
    assert dealt("2 1 3 d 1 2 3") == [("deal.order", "box2")]
    assert dealt("1 3 2 d 1 2 3") == [("deal.order", "box3")]
    assert dealt("3 2 1 d 1 2 3") == [("deal.order", "box3")]


def test_6_2_b_dealers_card_out_of_order() -> None:
    assert dealt("1 2 d 3 1 2 3") == [("deal.order", "dealer")]
    assert dealt("d 1 2 3 1 2 3") == [("deal.order", "dealer")]
    assert dealt("1 2 3 1 d 2 3") == [("deal.order", "box1")]
    assert dealt("1 2 3 1 2 3 d") == [("deal.order", "box1")]


def test_6_2_b_dealer_gets_one_card_only() -> None:
    assert dealt("1 2 3 d d 1 2 3") == [("deal.count", "dealer")]
    hole_card = bets(box1=10) + deal("7c", box1="Ts 9h") + "card dealer Td\ncard box1 2d\n"
    assert breaches(blackjack(hole_card + pays(MAIN, 10, 10) + collect("box1", "dealer"))) == [("deal.order", "dealer")]


def test_6_2_c_second_cards_out_of_order() -> None:
    assert dealt("1 2 3 d 2 1 3") == [("deal.order", "box2")]
    assert dealt("1 1 2 2 3 3 d") == [("deal.order", "box1")]


def test_6_2_box_passed_over() -> None:
    for order in ("1 3 d 1 2 3", "1 2 3 d 2 3"):
        assert len(found := dealt(order)) == 1
        assert found[0][0] == "deal.missed"


def test_6_2_box_dealt_one_too_many() -> None:
    assert dealt("1 1 2 3 d 1 2 3") == [("deal.extra", "box1")]
    assert dealt("1 2 3 d 1 2 2 3") == [("deal.extra", "box2")]


def test_6_2_card_to_a_box_without_a_wager() -> None:
    assert dealt("1 2 3 4 d 1 2 3") == [("deal.no_wager", "box4")]
    assert dealt("1 2 3 4 d 1 2 3 4") == [("deal.no_wager", "box4")]


def test_6_2_card_drawn_to_a_box_without_a_wager() -> None:
    script = THREE + deal("7c", **NINETEENS) + "card box4 2d\ngone box4\n" + THREE_END
    assert breaches(blackjack(script)) == [("deal.no_wager", "box4")]


def test_6_1_card_dealt_face_down() -> None:
    script = one("Ts 9h", "7c Td", 10)
    for dealt_down in ("card box1 ??\nturn box1 9h", "card box1 9h up=false"):
        assert breaches(blackjack(script.replace("card box1 9h", dealt_down))) == [("deal.facing", "box1")]
    hole_card = script.replace("card dealer Td", "card dealer ??\nturn dealer Td")
    assert breaches(blackjack(hole_card)) == [("deal.facing", "dealer")]


# ---- 7: insurance ------------------------------------------------------------------------------------------------

INSURANCE = "box1/insurance"


def insured(amount: float, own: str, dealer: str, end: str, *, stake: int = 10, after: str = "") -> str:
    """A round with insurance on box1, placed in time; `after` comes before the draws."""
    placed = f"chips {INSURANCE} {amount} player\n" if amount else ""
    return one(own, dealer, end, stake=stake, before_draws=placed + after)


def test_7_1_insurance_up_to_half_against_an_ace() -> None:
    for amount in (1, 4.5, 5):
        rounds = blackjack(insured(amount, "Ts 9h", "Ac 9d", takes(INSURANCE) + takes(MAIN)))
        assert breaches(rounds) == []
        assert wager(rounds, INSURANCE) | {"result": "lose", "stake": amount} == wager(rounds, INSURANCE)


def test_7_1_insurance_over_half() -> None:
    for end in (takes(INSURANCE), "chips box1/insurance 1 dealer\n" + back(INSURANCE), back(INSURANCE)):
        rounds = blackjack(insured(6, "Ts 9h", "Ac 9d", end + takes(MAIN)))
        assert breaches(rounds) == [("bet.amount", INSURANCE)]
    assert rounds[0]["findings"][0] | {"expected": 5, "observed": 6} == rounds[0]["findings"][0]
    for due in (10, 12):
        script = insured(6, "Ts 9h", "Ac Kd", takes(MAIN) + pays(INSURANCE, 6, due))
        assert breaches(blackjack(script)) == [("bet.amount", INSURANCE)]


@pytest.mark.parametrize("dealer", ["Kc Kd", "Tc Kd", "2c Kd 8d", "Kc Ad"])
def test_7_1_insurance_without_an_ace(dealer: str) -> None:
    for end in (takes(INSURANCE), back(INSURANCE), pays(INSURANCE, 5, 10)):
        script = insured(5, "Ts 9h", dealer, takes(MAIN) + end)
        assert breaches(blackjack(script)) == [("bet.invalid", INSURANCE)]
    at_once = insured(5, "Ts 9h", dealer, takes(MAIN), after=back(INSURANCE))
    assert breaches(blackjack(at_once)) == [("bet.invalid", INSURANCE)]


def test_7_1_insurance_before_the_dealers_card_is_not_against_an_ace() -> None:
    script = f"chips {INSURANCE} 5 player\n" + one("Ts 9h", "Ac 9d", takes(INSURANCE) + takes(MAIN))
    assert breaches(blackjack(script)) == [("bet.invalid", INSURANCE)]


def test_7_1_insurance_without_a_wager() -> None:
    script = insured(0, "Ts 9h", "Ac 9d", takes(MAIN), after="chips box2/insurance 5 player\n" + back("box2/insurance"))
    assert breaches(blackjack(script)) == [("bet.invalid", "box2/insurance")]


def test_7_2_insurance_after_the_draws_have_begun() -> None:
    ends = (takes(INSURANCE), back(INSURANCE))
    for end in ends:
        late = one("Ts 5h | 2d", "Ac 9d", end + takes(MAIN)).replace(
            "card box1 2d\n", f"card box1 2d\nchips {INSURANCE} 5 player\n"
        )
        assert breaches(blackjack(late)) == [("bet.late", INSURANCE)]
        after_standing = insured(0, "Ts 9h", "Ac 9d", end + takes(MAIN),
                                 after=f"call stand box1 player\nchips {INSURANCE} 5 player\n")  # fmt: skip
        assert breaches(blackjack(after_standing)) == [("bet.late", INSURANCE)]


def test_7_2_insurance_after_the_dealers_second_card() -> None:
    for due in (0, 10):
        end = f"chips {INSURANCE} 5 player\n" + takes(MAIN) + (pays(INSURANCE, 5, due) if due else back(INSURANCE))
        assert breaches(blackjack(one("Ts 9h", "Ac Kd", end))) == [("bet.late", INSURANCE)]


def test_7_2_insurance_raised_after_the_draws_have_begun() -> None:
    script = insured(2, "Ts 5h | 2d", "Ac Kd", takes(MAIN) + pays(INSURANCE, 5, 10)).replace(
        "card box1 2d\n", f"card box1 2d\nchips {INSURANCE} 5 player\n"
    )
    assert breaches(blackjack(script)) == [("bet.moved", INSURANCE)]


def test_7_2_insurance_may_be_taken_back_before_the_draws() -> None:
    assert clean(insured(5, "Ts 9h", "Ac 9d", takes(MAIN), after=back(INSURANCE)))


def test_7_3_insurance_in_halves_of_the_smallest_chip() -> None:
    right = insured(2.5, "Ts 9h", "Ac 9d", takes(INSURANCE) + takes(MAIN))
    assert clean(right, chip=5)
    assert breaches(blackjack(right, chip=2)) == [("bet.multiple", INSURANCE)]
    assert breaches(blackjack(insured(4.2, "Ts 9h", "Ac 9d", takes(INSURANCE) + takes(MAIN)))) == [
        ("bet.multiple", INSURANCE)
    ]


@pytest.mark.parametrize(
    ("end", "kind"),
    [
        (pays(INSURANCE, 5, 10), None), (pays(INSURANCE, 5, 5), "short"), (pays(INSURANCE, 5, 15), "over"),
        (back(INSURANCE), "missed"), (takes(INSURANCE), "winner_taken"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("ten", ["Td", "Jd", "Qd", "Kd"])
def test_7_4_7_5_b_insurance_wins_two_to_one(end: str, kind: str | None, ten: str) -> None:
    rounds = blackjack(insured(5, "Ts 9h", f"Ac {ten}", takes(MAIN) + end))
    assert breaches(rounds) == ([(f"payout.{kind}", INSURANCE)] if kind else [])
    assert wager(rounds, INSURANCE) | {"result": "win", "due": 10, "rule": "7.4"} == wager(rounds, INSURANCE)


@pytest.mark.parametrize(
    ("dealer", "main"),
    [
        ("Ac 9d", takes(MAIN)), ("Ac 8d", ""), ("Ac Ad 6d", pays(MAIN, 10, 10)), ("Ac 5d Td Ks", pays(MAIN, 10, 10)),
        ("Ac 2d 8d", takes(MAIN)),
    ],
)  # fmt: skip
def test_7_5_a_insurance_loses_when_the_second_card_is_no_ten(dealer: str, main: str) -> None:
    rounds = blackjack(insured(5, "Ts 9h", dealer, takes(INSURANCE) + main))
    assert breaches(rounds) == []
    assert wager(rounds, INSURANCE) | {"result": "lose", "rule": "7.5(a)"} == wager(rounds, INSURANCE)
    for end in (back(INSURANCE), pays(INSURANCE, 5, 10)):
        assert breaches(blackjack(insured(5, "Ts 9h", dealer, end + main))) == [("payout.loser_paid", INSURANCE)]


def test_7_5_insurance_settled_before_the_dealers_second_card() -> None:
    taken = insured(5, "Ts 9h", "Ac 9d", takes(MAIN), after=takes(INSURANCE))
    assert breaches(blackjack(taken)) == [("payout.order", INSURANCE)]
    paid = insured(5, "Ts 9h", "Ac Kd", takes(MAIN), after=pays(INSURANCE, 5, 10))
    assert breaches(blackjack(paid)) == [("payout.order", INSURANCE)]


def test_7_5_insurance_alone_makes_the_dealer_draw_his_second_card() -> None:
    bust = bets(box1=10) + deal("Ac", box1="Ts 6h") + f"chips {INSURANCE} 5 player\n" + cards("box1", "Kd")
    bust += takes(MAIN) + "gone box1\n"
    for second, end in (("9d", takes(INSURANCE)), ("Kd", pays(INSURANCE, 5, 10))):
        assert clean(bust + cards("dealer", second) + end + collect("dealer"))
    assert breaches(blackjack(bust + takes(INSURANCE) + collect("dealer"))) == [("draw.missing", "dealer")]
    needless = bust + cards("dealer", "2d 9d") + takes(INSURANCE) + collect("dealer")
    assert breaches(blackjack(needless)) == [("draw.excess", "dealer")]


def test_7_5_insurance_and_a_blackjack_of_ones_own() -> None:
    assert clean(insured(5, "As Kh", "Ac Kd", pays(INSURANCE, 5, 10)))
    assert clean(insured(5, "As Kh", "Ac 9d", takes(INSURANCE) + pays(MAIN, 10, 15)))


# ---- 8: interim settlement ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("up", ["2c", "5c", "9c"])
def test_8_1_a_blackjack_is_paid_at_once_when_the_dealer_cannot_match_it(up: str) -> None:
    assert clean(one("As Kh", up, 15))
    assert clean(one("Th Ad", up, 15))
    rounds = blackjack(TWO + deal(up, box1="As Kh", box2="Ts 6h") + cards("box2", "Kd") + takes("box2/main")
                       + "gone box2\n" + pays(MAIN, 10, 15) + collect("box1", "dealer"))  # fmt: skip
    assert breaches(rounds) == [("payout.order", MAIN)]


@pytest.mark.parametrize("dealer", ["6c", "Tc 9d", "Kc 7d", "Ac 9d"])
def test_8_1_a_13_2_a_blackjack_pays_three_to_two(dealer: str) -> None:
    for end, kind in ((10, "short"), (20, "over"), ("back", "missed"), ("taken", "winner_taken")):
        rounds = blackjack(one("As Kh", dealer, end))
        assert breaches(rounds) == [(f"payout.{kind}", MAIN)]
        assert wager(rounds, MAIN) | {"result": "win", "due": 15, "rule": "13.2(a)"} == wager(rounds, MAIN)


def test_8_1_a_blackjack_paid_after_the_dealer_drew_for_others() -> None:
    script = TWO + deal("6c", box1="As Kh", box2="Ts 9h") + cards("dealer", "Td 2h") + pays(MAIN, 10, 15)
    rounds = blackjack(script + pays("box2/main", 10, 10) + collect("box1", "box2", "dealer"))
    assert breaches(rounds) == [("payout.order", MAIN)]


def test_8_1_blackjack_paid_before_the_initial_deal_was_complete() -> None:
    script = (
        TWO + "card box1 As\ncard box2 Ts\ncard dealer 6c\ncard box1 Kh\n" + pays(MAIN, 10, 15) + "card box2 9h\n"
        + cards("dealer", "Td 2h") + pays("box2/main", 10, 10) + collect("box1", "box2", "dealer")
    )  # fmt: skip
    assert breaches(blackjack(script)) == [("payout.order", MAIN)]


@pytest.mark.parametrize("up", ["Tc", "Jc", "Qc", "Kc"])
def test_8_1_a_blackjack_against_any_ten_value_waits_for_the_dealer(up: str) -> None:
    assert clean(one("As Kh", f"{up} 9d", 15))
    assert clean(one("As Kh", f"{up} 5d", 15))  # 15, but only a blackjack waits
    assert clean(one("As Kh", f"{up} Ad", "back"))
    early = one("As Kh", f"{up} 9d", "", before_draws=pays(MAIN, 10, 15))
    assert breaches(blackjack(early)) == [("payout.order", MAIN)]


def test_8_1_b_even_money_at_the_players_request() -> None:
    called = "call even_money box1 player\n"
    rounds = blackjack(one("As Kh", "Ac", "", before_draws=called + pays(MAIN, 10, 10)))
    assert breaches(rounds) == []
    assert wager(rounds, MAIN) | {"result": "win", "due": 10, "rule": "8.1(b)"} == wager(rounds, MAIN)
    assert clean(one("As Kh", "Ac", "", before_draws=pays(MAIN, 10, 10)))  # the request need not be seen


@pytest.mark.parametrize(
    ("end", "kind"), [(15, "over"), (5, "short"), ("back", "missed"), ("taken", "winner_taken")]
)  # fmt: skip
def test_8_1_b_even_money_is_one_to_one(end: object, kind: str) -> None:
    script = one("As Kh", "Ac", end, before_draws="call even_money box1 player\n")
    assert breaches(blackjack(script)) == [(f"payout.{kind}", MAIN)]


def test_8_1_b_even_money_paid_late() -> None:
    for second in ("9d", "Kd"):
        script = TWO + deal("Ac", box1="As Kh", box2="Ts 8h") + "call even_money box1 player\n"
        script += cards("dealer", second) + pays(MAIN, 10, 10) + takes("box2/main") + collect("box1", "box2", "dealer")
        assert breaches(blackjack(script)) == [("payout.order", MAIN)]


def test_8_1_b_no_even_money_against_a_ten() -> None:
    script = one("As Kh", "Tc 9d", "", before_draws="call even_money box1 player\n" + pays(MAIN, 10, 10))
    assert breaches(blackjack(script)) == [("payout.short", MAIN)]
    no_card = one("As Kh", "Tc", "", before_draws="call even_money box1 player\n" + pays(MAIN, 10, 10))
    assert sorted(breaches(blackjack(no_card))) == [("draw.missing", "dealer"), ("payout.order", MAIN)]


def test_8_1_b_blackjack_against_an_ace_without_a_request_waits_for_the_dealer() -> None:
    assert clean(one("As Kh", "Ac 9d", 15))
    assert clean(one("As Kh", "Ac Kd", "back"))
    assert breaches(blackjack(one("As Kh", "Ac 9d", "", before_draws=pays(MAIN, 10, 15)))) == [("payout.order", MAIN)]
    assert breaches(blackjack(one("As Kh", "Ac Kd", 15))) == [("payout.over", MAIN)]
    assert breaches(blackjack(one("As Kh", "Ac Kd", "taken"))) == [("payout.push_taken", MAIN)]


def test_8_1_b_after_even_money_the_dealer_needs_no_card() -> None:
    script = one("As Kh", "Ac 9d", "", before_draws="call even_money box1 player\n" + pays(MAIN, 10, 10))
    assert breaches(blackjack(script)) == [("draw.excess", "dealer")]


# ---- 9: the players' draws ---------------------------------------------------------------------------------------


def test_9_1_boxes_draw_clockwise() -> None:
    start = TWO + deal("7c", box1="Ts 4h", box2="Js 3h")
    end = cards("dealer", "Td") + pays(MAIN, 10, 10) + pays("box2/main", 10, 10) + collect("box1", "box2", "dealer")
    assert clean(start + cards("box1", "5d") + cards("box2", "6d") + end)
    assert breaches(blackjack(start + cards("box2", "6d") + cards("box1", "5d") + end)) == [("deal.order", "box2")]
    torn = start + cards("box1", "2d") + cards("box2", "6d") + cards("box1", "3d") + end
    assert breaches(blackjack(torn)) == [("deal.order", "box2")]


def test_9_1_box_that_had_stood_draws_again() -> None:
    script = TWO + deal("7c", box1="Ts 4h", box2="Js 3h") + "call stand box1 player\n" + cards("box2", "6d")
    script += cards("box1", "5d") + cards("dealer", "Td") + pays(MAIN, 10, 10) + pays("box2/main", 10, 10)
    assert breaches(blackjack(script + collect("box1", "box2", "dealer"))) == [("deal.order", "box1")]


@pytest.mark.parametrize("own", ["As Kh | 5d", "Ts 5h | 6d 2c", "As 4h | 6d 2c", "As 9h | Ac 9c"])
def test_9_2_a_no_card_on_21(own: str) -> None:
    dealer, paid = ("9c", 15) if own.startswith("As Kh") else ("9c Td", 10)
    rounds = blackjack(one(own, dealer, paid))
    assert breaches(rounds) == [("draw.excess", "box1")]
    assert wager(rounds, MAIN)["result"] == "win"  # the hand counts without the card


def test_9_2_a_no_card_after_going_over_21() -> None:
    rounds = blackjack(one("Ts 5h | Kd 2c", "9c", "taken"))
    assert breaches(rounds) == [("draw.excess", "box1")]


@pytest.mark.parametrize("own", ["5s 6h", "2s 3h", "2s 3h | 4d", "2s 2h | 2d 2c"])
def test_9_2_b_no_standing_below_a_hard_12(own: str) -> None:
    rounds = blackjack(one(own, "9c Td", "taken"))
    assert breaches(rounds) == [("draw.missing", "box1")]
    assert wager(rounds, MAIN) | {"result": None, "due": None} == wager(rounds, MAIN)


def test_9_2_b_standing_on_a_hard_12_or_on_any_soft_total_is_free() -> None:
    for own in ("Ts 2h", "5s 6h | Ad", "As Ah", "As 2h", "As Ah | 2c"):
        assert clean(one(own, "9c Td", "taken"))


def test_9_2_b_14_7_drawing_up_to_12_satisfies_the_rule_for_an_absent_player_too() -> None:
    assert clean(one("2s 3h | 4d 2c Ac", "9c Td", "taken"))
    assert breaches(blackjack(one("2s 3h | 4d 2c", "9c Td", "taken"))) == [("draw.missing", "box1")]


# ---- 10: splitting -----------------------------------------------------------------------------------------------


def test_10_1_cards_of_equal_value_may_be_split() -> None:
    for own in ("8s 8h", "Ts Kh", "Qs Jh", "As Ad"):
        script = split(own, "9d", "9c", "7c Td")
        assert clean(script + settled_pair(own) + collect("box1", "box1#2", "dealer"))


def settled_pair(own: str) -> str:
    """8+9 = 17 stands off against 17; 19 and 20 are paid."""
    return "" if own.startswith("8") else pays(MAIN, 10, 10) + pays("box1#2/main", 10, 10)


@pytest.mark.parametrize("own", ["8s 9h", "As Kh", "Ts 9h"])
def test_10_1_unequal_cards_may_not_be_split(own: str) -> None:
    script = split(own, "7d 2d" if own == "8s 9h" else "8d", "9c", "6c Td Tc")
    ends = pays(MAIN, 10, 10) + pays("box1#2/main", 10, 10), pays(MAIN, 10, 10) + back("box1#2/main")
    for end in ends:
        rounds = blackjack(script + end + collect("box1", "box1#2", "dealer"))
        assert breaches(rounds) == [("bet.invalid", "box1#2/main")]


def test_10_1_three_cards_may_not_be_split() -> None:
    script = bets(box1=10) + deal("6c", box1="4s 4h") + cards("box1", "4d") + "chips box1#2/main 10 player\n"
    script += "gone box1 cards=4d to=box1#2\n" + cards("box1", "Tc") + cards("box1#2", "Td 5h")
    script += cards("dealer", "Td Tc") + pays(MAIN, 10, 10) + pays("box1#2/main", 10, 10)
    script += collect("box1", "box1#2", "dealer")
    assert breaches(blackjack(script)) == [("bet.invalid", "box1#2/main")]


def four_hands(extra: str = "") -> str:
    """Eights split to four hands; each ends with 18 against the dealer's 17."""
    lines = bets(box1=10) + deal("7c", box1="8s 8h")
    for number, (kept, moved) in enumerate((("8d", "8h"), ("8c", "8d"), ("Ts", "8c")), 2):
        lines += f"chips box1#{number}/main 10 player\ngone box1 cards={moved} to=box1#{number}\ncard box1 {kept}\n"
    lines += extra
    for number in (2, 3, 4):
        lines += f"card box1#{number} Tc\n"
    return lines


FOUR = ("box1", "box1#2", "box1#3", "box1#4")


def test_10_2_up_to_four_hands() -> None:
    script = four_hands() + cards("dealer", "Td") + "".join(pays(f"{place}/main", 10, 10) for place in FOUR)
    assert clean(script + collect(*FOUR, "dealer"))


def test_10_2_a_fifth_hand_is_illegal() -> None:
    lines = bets(box1=10) + deal("7c", box1="8s 8h")
    for number, (kept, moved) in enumerate((("8d", "8h"), ("8c", "8d"), ("8s", "8c"), ("Ts", "8s")), 2):
        lines += f"chips box1#{number}/main 10 player\ngone box1 cards={moved} to=box1#{number}\ncard box1 {kept}\n"
    places = (*FOUR, "box1#5")
    lines += "".join(f"card {place} Tc\n" for place in places[1:]) + cards("dealer", "Td")
    lines += "".join(pays(f"{place}/main", 10, 10) for place in places) + collect(*places, "dealer")
    assert breaches(blackjack(lines)) == [("bet.invalid", "box1#5/main")]


def test_10_2_aces_are_split_only_once() -> None:
    lines = bets(box1=10) + deal("7c", box1="As Ah") + "chips box1#2/main 10 player\ngone box1 cards=Ah to=box1#2\n"
    lines += "card box1 Ad\nchips box1#3/main 10 player\ngone box1 cards=Ad to=box1#3\n"
    lines += "card box1 9d\ncard box1#2 9h\ncard box1#3 9s\n" + cards("dealer", "Td")
    places = ("box1", "box1#2", "box1#3")
    lines += "".join(pays(f"{place}/main", 10, 10) for place in places) + collect(*places, "dealer")
    assert breaches(blackjack(lines)) == [("bet.invalid", "box1#3/main")]


def test_def_split_is_staked_like_the_original() -> None:
    for amount in (5, 15):
        script = split("8s 8h", "Ts", "Tc", "7c Td", stake=amount) + pays(MAIN, 10, 10)
        for stake in (amount, 10):
            rounds = blackjack(script + pays("box1#2/main", amount, stake) + collect("box1", "box1#2", "dealer"))
            assert breaches(rounds) == [("bet.amount", "box1#2/main")]
    script = split("8s 8h", "Ts", "Tc", "7c Td", stake=0) + pays(MAIN, 10, 10) + collect("box1", "box1#2", "dealer")
    assert breaches(blackjack(script)) == [("bet.amount", "box1#2/main")]


def test_def_split_stake_may_be_built_up_and_may_follow_the_cards() -> None:
    start = bets(box1=10) + deal("7c", box1="8s 8h")
    moved = "gone box1 cards=8h to=box1#2\n"
    end = cards("box1", "Ts") + cards("box1#2", "Tc") + cards("dealer", "Td") + pays(MAIN, 10, 10)
    end += pays("box1#2/main", 10, 10) + collect("box1", "box1#2", "dealer")
    staked = "chips box1#2/main 5 player\nchips box1#2/main 10 player\n"
    assert clean(start + staked + moved + end)
    assert clean(start + moved + staked + end)


def test_10_3_first_hand_is_completed_first() -> None:
    start = split("8s 8h", "", "", "7c")
    end = cards("dealer", "Td") + pays(MAIN, 10, 10) + pays("box1#2/main", 10, 10) + collect("box1", "box1#2", "dealer")
    assert clean(start + cards("box1", "Ts") + cards("box1#2", "Tc") + end)
    assert breaches(blackjack(start + cards("box1#2", "Tc") + cards("box1", "Ts") + end)) == [("deal.order", "box1#2")]
    torn = start + cards("box1", "2s") + cards("box1#2", "Tc") + cards("box1", "9s") + end
    assert breaches(blackjack(torn)) == [("deal.order", "box1#2")]


def test_10_3_resplit_hands_are_played_in_either_order() -> None:
    start = split("8s 8h", "8d", "", "7c") + "chips box1#3/main 10 player\ngone box1 cards=8d to=box1#3\n"
    end = cards("dealer", "Td") + "".join(pays(f"{place}/main", 10, 10) for place in FOUR[:3])
    end += collect(*FOUR[:3], "dealer")
    assert clean(start + "card box1 Ts\ncard box1#2 Tc\ncard box1#3 Th\n" + end)
    assert clean(start + "card box1 Ts\ncard box1#3 Th\ncard box1#2 Tc\n" + end)


def test_10_4_split_aces_get_one_card_each() -> None:
    end = pays(MAIN, 10, 10) + pays("box1#2/main", 10, 10) + collect("box1", "box1#2", "dealer")
    assert clean(split("As Ah", "9d", "8d", "7c Td") + end)
    assert breaches(blackjack(split("As Ah", "9d", "5d 4c", "6c Td Ts") + end)) == [("draw.excess", "box1#2")]
    assert breaches(blackjack(split("As Ah", "4d 5s", "8d", "6c Td Ts") + end)) == [("draw.excess", "box1")]
    assert breaches(blackjack(split("As Ah", "9d", "", "7c Td") + end)) == [("draw.missing", "box1#2")]


def test_10_5_split_hands_follow_rule_9() -> None:
    end = pays(MAIN, 10, 10) + pays("box1#2/main", 10, 10) + collect("box1", "box1#2", "dealer")
    assert breaches(blackjack(split("8s 8h", "3d Ks 2s", "Td", "7c Ts") + end)) == [("draw.excess", "box1")]
    assert breaches(blackjack(split("2s 2h", "Kd 7d", "3d 4s", "6c Ts Tc") + end)) == [("draw.missing", "box1#2")]
    assert breaches(blackjack(split("8s 8h", "Td", "", "7c Ts") + end)) == [("draw.missing", "box1#2")]


@pytest.mark.parametrize(("own", "first", "second"), [("As Ad", "Kd", "Tc"), ("Ks Td", "Ad", "Ac")])
def test_10_6_ace_and_ten_after_a_split_are_no_blackjack(own: str, first: str, second: str) -> None:
    script = split(own, first, second, "9c Td")
    rounds = blackjack(script + pays(MAIN, 10, 10) + pays("box1#2/main", 10, 10) + collect("box1", "box1#2", "dealer"))
    assert breaches(rounds) == []
    assert wager(rounds, MAIN) | {"due": 10, "rule": "13.2(b)"} == wager(rounds, MAIN)
    over = script + pays(MAIN, 10, 15) + pays("box1#2/main", 10, 15) + collect("box1", "box1#2", "dealer")
    assert breaches(blackjack(over)) == [("payout.over", MAIN), ("payout.over", "box1#2/main")]


def test_10_6_split_21_loses_to_the_dealers_blackjack_and_stands_off_with_21() -> None:
    collected = collect("box1", "box1#2", "dealer")
    assert clean(split("As Ad", "Kd", "Tc", "Kc Ac") + takes(MAIN) + takes("box1#2/main") + collected)
    assert clean(split("As Ad", "Kd", "Tc", "5c 6c Tc") + collected)


# ---- 11: doubling ------------------------------------------------------------------------------------------------


def doubled(own: str, dealer: str, end: object, *, to: float = 20) -> str:
    return one(own, dealer, end, before_draws=f"chips box1/main {to} player\n")


def test_11_1_11_2_double_pays_on_twice_the_wager() -> None:
    rounds = blackjack(doubled("5s 6h | Td", "7c Td", pays(MAIN, 20, 20)))
    assert breaches(rounds) == []
    assert wager(rounds, MAIN) | {"stake": 20, "due": 20, "paid": 20} == wager(rounds, MAIN)
    assert breaches(blackjack(doubled("5s 6h | Td", "7c Td", pays(MAIN, 20, 10)))) == [("payout.short", MAIN)]
    assert clean(doubled("5s 6h | 2d", "7c Td", takes(MAIN)))
    half = "chips box1/main 10 dealer\n" + back(MAIN)
    assert breaches(blackjack(doubled("5s 6h | 2d", "7c Td", half))) == [("payout.loser_paid", MAIN)]


def test_11_1_chips_of_a_double_may_come_one_by_one() -> None:
    script = one("5s 6h | Td", "7c Td", pays(MAIN, 20, 20),
                 before_draws="chips box1/main 15 player\nchips box1/main 20 player\n")  # fmt: skip
    assert clean(script)


@pytest.mark.parametrize("to", [15, 25, 30])
def test_def_double_11_1_wrong_amount(to: int) -> None:
    for end in (pays(MAIN, to, to), pays(MAIN, to, 20)):
        rounds = blackjack(doubled("5s 6h | Td", "7c Td", end, to=to))
        assert breaches(rounds) == [("bet.amount", MAIN)]
        assert rounds[0]["findings"][0] | {"expected": 20, "observed": to, "t": 5.0} == rounds[0]["findings"][0]


def test_11_1_double_on_any_two_cards_but_21() -> None:
    assert clean(doubled("Ts 5h | 4d", "9c Td", back(MAIN)))
    assert clean(doubled("As 6h | 3d", "9c Td", pays(MAIN, 20, 20)))
    assert clean(doubled("2s 3h | 4d", "9c Td", takes(MAIN)))
    assert breaches(blackjack(doubled("As Kh | 4d", "9c", pays(MAIN, 20, 15)))) == [("draw.excess", "box1")]


def test_11_1_double_on_three_cards_is_an_option() -> None:
    script = bets(box1=10) + deal("7c", box1="2s 3h") + "card box1 4d\nchips box1/main 20 player\ncard box1 Ts\n"
    script += cards("dealer", "Td") + pays(MAIN, 20, 20) + collect("box1", "dealer")
    assert clean(script)
    assert breaches(blackjack(script, double_on="two")) == [("bet.moved", MAIN)]


@pytest.mark.parametrize("own", ["5s 6h | 2d 8c", "2s 3h | 4d Tc"])
def test_11_2_doubled_hand_gets_one_card_only(own: str) -> None:
    rounds = blackjack(doubled(own, "7c Td", takes(MAIN)))
    assert breaches(rounds) == [("draw.excess", "box1")]
    assert wager(rounds, MAIN)["result"] == "lose"


def test_11_2_doubled_hand_without_its_card() -> None:
    rounds = blackjack(doubled("5s 6h", "7c Td", takes(MAIN)))
    assert breaches(rounds) == [("draw.missing", "box1")]
    assert wager(rounds, MAIN)["result"] is None


def test_11_2_doubled_hand_need_not_reach_12() -> None:
    assert clean(doubled("2s 3h | 4d", "7c Td", takes(MAIN)))


def test_11_3_split_hand_may_be_doubled() -> None:
    start = split("8s 8h", "3d", "", "7c") + "chips box1/main 20 player\ncard box1 Ts\ncard box1#2 3s\n"
    for to, kinds in ((20, []), (15, [("bet.amount", "box1#2/main")])):
        script = start + f"chips box1#2/main {to} player\ncard box1#2 Tc\n" + cards("dealer", "Td")
        script += pays(MAIN, 20, 20) + pays("box1#2/main", to, to) + collect("box1", "box1#2", "dealer")
        assert breaches(blackjack(script)) == kinds


def test_11_3_doubled_split_hand_gets_one_card_only() -> None:
    script = split("8s 8h", "3d", "", "7c") + "chips box1/main 20 player\ncard box1 2s\ncard box1 5s\ncard box1#2 Ts\n"
    script += cards("dealer", "Td") + takes(MAIN) + pays("box1#2/main", 10, 10) + collect("box1", "box1#2", "dealer")
    assert breaches(blackjack(script)) == [("draw.excess", "box1")]


# ---- 12: the dealer's draws --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dealer", ["7c Td", "Ac 6d", "6c 5d 6s", "Ac 2d 4c", "Ac 5d Td Ah", "9c 9d", "Tc 6d 5s", "6c 5d Ks"]
)  # fmt: skip
def test_12_1_a_dealer_draws_to_16_and_stands_on_every_17(dealer: str) -> None:
    points = total([card(text) for text in dealer.split()])[0]
    end = pays(MAIN, 10, 10) if points < 20 else "" if points == 20 else takes(MAIN)
    assert clean(one("Ts Jh", dealer, end))


def test_12_1_a_8_1_dealer_owes_a_second_card_to_a_blackjack_he_can_match() -> None:
    rounds = blackjack(one("As Kh", "Tc", 15))  # 8.1 lets it be paid at once against neither a ten nor an ace
    assert breaches(rounds) == [("payout.order", "box1/main"), ("draw.missing", "dealer")]
    assert wager(rounds, MAIN)["result"] is None


@pytest.mark.parametrize("dealer", ["6c Td", "9c 7d", "Ac 5d", "Tc 2d", "2c", "Ac"])
def test_12_1_a_dealer_stands_too_early(dealer: str) -> None:
    rounds = blackjack(one("Ts Jh", dealer, 10))
    assert breaches(rounds) == [("draw.missing", "dealer")]
    assert wager(rounds, MAIN) | {"result": None, "due": None} == wager(rounds, MAIN)


@pytest.mark.parametrize("dealer", ["7c Td 4s", "Ac 6d 2s", "9c 9d 5s", "Tc 6d Ac 3d"])
def test_12_1_a_14_3_dealer_draws_too_often_and_the_card_does_not_count(dealer: str) -> None:
    rounds = blackjack(one("Ts Jh", dealer, 10))
    assert breaches(rounds) == [("draw.excess", "dealer")]
    assert wager(rounds, MAIN)["result"] == "win"
    burnt = one("Ts Jh", dealer, f"gone dealer cards={dealer[-2:]} to=discard\n" + pays(MAIN, 10, 10))
    assert breaches(blackjack(burnt)) == [("draw.excess", "dealer")]
    assert wager(blackjack(burnt), MAIN)["result"] == "win"


def test_12_1_a_14_3_wager_settled_before_a_card_too_many_was_in_time() -> None:
    script = bets(box1=10) + deal("7c", box1="Ts Jh") + cards("dealer", "Td") + pays(MAIN, 10, 10)
    script += cards("dealer", "4s") + collect("box1", "dealer")
    assert breaches(blackjack(script)) == [("draw.excess", "dealer")]


def test_12_1_a_14_3_settling_with_a_card_that_does_not_count_is_wrong_too() -> None:
    assert breaches(blackjack(one("Ts 6h", "7c Td 9s", 10))) == [("draw.excess", "dealer"), ("payout.loser_paid", MAIN)]


def test_12_1_a_dealer_draws_before_the_players_have_finished() -> None:
    start = bets(box1=10) + deal("7c", box1="Ts 4h")
    early = start + "card dealer 8d\ncard box1 5d\n"
    rounds = blackjack(early + "card dealer 3c\n" + pays(MAIN, 10, 10) + collect("box1", "dealer"))
    assert breaches(rounds) == [("deal.order", "dealer")]
    burnt = early.replace("8d\n", "8d\ngone dealer cards=8d to=discard\n") + "card dealer Kc\n"
    rounds = blackjack(burnt + pays(MAIN, 10, 10) + collect("box1", "dealer"))
    assert breaches(rounds) == [("deal.order", "dealer")]
    assert wager(rounds, MAIN)["result"] == "win"  # 19 against 7 and king: the burnt card does not count


def test_12_1_b_dealer_draws_though_all_players_are_out() -> None:
    script = one("Ts 5h | Kd", "7c Td", "taken")
    assert breaches(blackjack(script)) == [("draw.excess", "dealer")]
    assert clean(one("Ts 5h | Kd", "7c", "taken"))


def test_12_1_b_dealer_draws_though_all_are_paid() -> None:
    paid_before = one("As Kh", "7c Td", "", before_draws=pays(MAIN, 10, 15))
    for script in (paid_before, one("As Kh", "7c Td", 15)):
        assert breaches(blackjack(script)) == [("draw.excess", "dealer")]


def test_12_1_b_dealer_draws_on_though_only_blackjacks_wait() -> None:
    assert breaches(blackjack(one("As Kh", "Tc 5d 2s", 15))) == [("draw.excess", "dealer")]
    assert clean(one("As Kh", "Tc 5d", 15))


def test_12_1_b_dealer_draws_for_one_hand_that_still_waits() -> None:
    script = TWO + deal("7c", box1="Ts 5h", box2="Js 9h") + cards("box1", "Kd") + takes(MAIN) + "gone box1\n"
    script += cards("dealer", "Td") + pays("box2/main", 10, 10) + collect("box2", "dealer")
    assert clean(script)
    bust = split("8s 8h", "7d Ks", "Ts", "7c Td") + takes(MAIN) + pays("box1#2/main", 10, 10)
    assert clean(bust + collect("box1", "box1#2", "dealer"))


# ---- 13: final settlement ----------------------------------------------------------------------------------------

WINS = [("Ts 9h", "8c Td", 10), ("Ts 2h", "6c 8d Tc", 10), ("5s 5h | Kd Ac", "Tc Td", 10)]
LOSSES = [("Ts 7h", "8c Td"), ("Ts 2h", "Tc 7d"), ("Ts 5h | Kd", "8c")]
PUSHES = [("Ts 8h", "8c Td"), ("Ts 5h | 6d", "5c 6c Tc"), ("As Kh", "Tc Ad")]


@pytest.mark.parametrize(("own", "dealer", "due"), WINS)
def test_13_1_a_13_1_b_13_2_b_win_pays_one_to_one(own: str, dealer: str, due: int) -> None:
    rounds = blackjack(one(own, dealer, due))
    assert breaches(rounds) == []
    assert wager(rounds, MAIN) | {"result": "win", "due": 10, "paid": 10, "rule": "13.2(b)"} == wager(rounds, MAIN)
    faults = {5: "short", 15: "over", 20: "over", "back": "missed", "": "missed", "taken": "winner_taken"}
    for end, kind in faults.items():
        rounds = blackjack(one(own, dealer, end))
        assert breaches(rounds) == [(f"payout.{kind}", MAIN)]
        paid = end if isinstance(end, int) else 0
        assert rounds[0]["findings"][0] | {"expected": 10, "observed": paid} == rounds[0]["findings"][0]


@pytest.mark.parametrize(("own", "dealer"), LOSSES)
def test_13_1_d_13_1_e_loss_is_taken(own: str, dealer: str) -> None:
    rounds = blackjack(one(own, dealer, "taken"))
    assert breaches(rounds) == []
    assert wager(rounds, MAIN) | {"result": "lose", "due": 0} == wager(rounds, MAIN)
    for end in ("back", "", 10, "chips box1/main 5 dealer\nchips box1/main 0 player\n"):
        rounds = blackjack(one(own, dealer, end))
        assert breaches(rounds) == [("payout.loser_paid", MAIN)]
        finding = rounds[0]["findings"][0]
        assert finding | {"expected": 0, "observed": 10 if end == 10 else 0} == finding


@pytest.mark.parametrize(("own", "dealer"), PUSHES)
def test_13_1_g_stand_off(own: str, dealer: str) -> None:
    for end in ("back", ""):
        rounds = blackjack(one(own, dealer, end))
        assert breaches(rounds) == []
        assert wager(rounds, MAIN) | {"result": "push", "due": 0, "rule": "13.1(g)"} == wager(rounds, MAIN)
    assert breaches(blackjack(one(own, dealer, "taken"))) == [("payout.push_taken", MAIN)]
    for paid in (5, 10, 15):
        rounds = blackjack(one(own, dealer, paid))
        assert breaches(rounds) == [("payout.over", MAIN)]
        assert rounds[0]["findings"][0] | {"expected": 0, "observed": paid} == rounds[0]["findings"][0]


def test_13_1_a_dealer_over_21_does_not_save_a_hand_that_is_out() -> None:
    script = TWO + deal("6c", box1="Ts 5h", box2="Js 2h") + cards("box1", "Kd") + "{}" + cards("dealer", "Td Tc")
    end = pays("box2/main", 10, 10) + collect("box1", "box2", "dealer")
    assert clean(script.format(takes(MAIN)) + end)
    assert clean(script.format("") + takes(MAIN) + end)  # taken at the end instead of at once
    assert breaches(blackjack(script.format("") + pays(MAIN, 10, 10) + end)) == [("payout.loser_paid", MAIN)]


def test_13_1_c_blackjack_beats_21() -> None:
    assert clean(TWO + deal("Tc", box1="As Kh", box2="Ts 9h") + cards("dealer", "5d 6d") + pays(MAIN, 10, 15)
                 + takes("box2/main") + collect("box1", "box2", "dealer"))  # fmt: skip


def test_13_1_f_dealers_blackjack_beats_21() -> None:
    for dealer in ("Ac Kd", "Kc Ad", "Tc Ad"):
        assert clean(one("Ts 5h | 6d", dealer, "taken"))
        assert breaches(blackjack(one("Ts 5h | 6d", dealer, "back"))) == [("payout.loser_paid", MAIN)]
        assert wager(blackjack(one("Ts 5h | 6d", dealer, "back")), MAIN)["rule"] == "13.1(f)"


def test_13_1_f_dealers_blackjack_takes_split_and_doubled_stakes_unless_the_house_exempts_them() -> None:
    double = doubled("5s 6h | Td", "Ac Kd", takes(MAIN))
    pair = split("8s 8h", "Ts", "Tc", "Ac Kd") + "{}" + collect("box1", "box1#2", "dealer")
    taken = pair.format(takes(MAIN) + takes("box1#2/main"))
    assert clean(double)
    assert clean(taken)
    assert breaches(blackjack(double, dealer_blackjack="original")) == [("payout.push_taken", MAIN)]
    assert breaches(blackjack(taken, dealer_blackjack="original")) == [("payout.push_taken", "box1#2/main")]
    half = doubled("5s 6h | Td", "Ac Kd", "chips box1/main 10 dealer\n" + back(MAIN))
    assert clean(half, dealer_blackjack="original")
    assert clean(pair.format(takes(MAIN) + back("box1#2/main")), dealer_blackjack="original")
    assert breaches(blackjack(half)) == [("payout.loser_paid", MAIN)]


def test_13_1_wager_settled_before_the_dealers_hand_was_complete() -> None:
    for own, settled in (("Ts 9h", pays(MAIN, 10, 10)), ("Ts 5h", takes(MAIN))):
        script = bets(box1=10) + deal("6c", box1=own) + "card dealer 2d\n" + settled + "card dealer 9d\n"
        rounds = blackjack(script + collect("box1", "dealer"))
        assert breaches(rounds) == [("payout.order", MAIN)]


def test_13_2_several_boxes_one_fault_each() -> None:
    script = THREE + deal("8c", box1="Ts 9h", box2="Js 8h", box3="Qs 7h") + cards("dealer", "Td")
    script += pays(MAIN, 10, 15) + takes("box2/main") + back("box3/main") + collect("box1", "box2", "box3", "dealer")
    assert breaches(blackjack(script)) == [
        ("payout.over", MAIN), ("payout.push_taken", "box2/main"), ("payout.loser_paid", "box3/main")
    ]


def test_13_2_halves_are_paid_to_the_cent() -> None:
    assert clean(one("As Kh", "7c", 7.5, stake=5))
    assert breaches(blackjack(one("As Kh", "7c", 7, stake=5))) == [("payout.short", MAIN)]
