"""Tournament Canberra Poker, clause by clause. A test's name begins with the clause it holds the auditor to."""

import random

import pytest
from playing import Answer, breaches, cited, play, unsure, wager

from datasets.evaluate_house_games import canberra_differences, rank_differences

GAME = "act-canberra-poker"
QUALIFIES = "Th Tc 6d 3h 2c"  # a pair of tens
NOT_QUALIFIED = "Ah Qc 6d 3h 2c"
BETTER, WORSE = "Qs Qh Qd 8c 5s", "Kd 9s 8d 7c 5h"
SHUFFLE = "shuffle dealer\ncut dealer\n"
NAMES = ("box1", "box2", "box3")


def antes(*amounts: int) -> str:
    return "".join(f"chips {box}/ante {amount} player\n" for box, amount in zip(NAMES, amounts, strict=False))


def dealing(boxes: int = 1, up: str = "2c") -> list[str]:
    """The events of a right deal."""
    lines = [f"card {place} ??" for _ in range(5) for place in (*NAMES[:boxes], "dealer")]
    lines[-1] = f"card dealer {up}"
    return lines


def text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def bets(*amounts: int) -> str:
    return "".join(f"chips {box}/bet {amount} player\n" for box, amount in zip(NAMES, amounts, strict=False) if amount)


def reveal(dealer: str, **hands: str) -> str:
    """The dealer's first four cards, then the players' hands."""
    lines = [f"turn dealer {card}" for card in dealer.split()[:4]]
    lines += [f"turn {box} {card}" for box, hand in hands.items() for card in hand.split()]
    return text(lines)


def settle(at: str, stake: int, net: int) -> str:
    """The dealer pays, takes or leaves, and the player picks up what is left."""
    if net == -stake:
        return f"chips {at} 0 dealer\n"
    paid = f"chips {at} {stake + net} dealer\n" if net else ""
    return paid + f"chips {at} 0 player\n"


def collect(boxes: int = 1) -> str:
    return text([f"gone {place} to=discard" for place in (*NAMES[:boxes], "dealer")])


def one(
    dealer: str = QUALIFIES, hand: str = BETTER, net: tuple[int, int] = (100, 600), ante: int = 100, bet: int = 200,
    deal: list[str] | None = None,
) -> str:
    """One player who bets: the round from the shuffle to the discard rack."""
    start = SHUFFLE + antes(ante) + text(deal or dealing(up=dealer.split()[4])) + bets(bet)
    money = settle("box1/ante", ante, net[0]) + settle("box1/bet", bet, net[1])
    return start + reveal(dealer, box1=hand) + money + collect()


def canberra(script: str, **house: object) -> list[Answer]:
    return play(GAME, script, **house)


# ---- an independent settlement -----------------------------------------------------------------------------------


def test_2_6_ranks_agree_with_phevaluator_and_pokerkit() -> None:
    assert rank_differences(3_000, seed=7) == 0


def test_9_whole_rounds_agree_with_a_second_settlement() -> None:
    assert canberra_differences(400, seed=11) == []


# ---- 2 and 3 -----------------------------------------------------------------------------------------------------


def test_2_1_a_card_seen_twice_and_a_joker() -> None:
    assert breaches(canberra(one(hand="Qs Qh Qd 8c 2c"))) == [("card.duplicate", "box1")]
    joker = canberra(one(hand="Qs Qh Qd 8c Jkr"))
    assert breaches(joker) == [("card.foreign", "box1")]
    assert wager(joker, "box1/bet")["result"] is None
    lines = dealing()
    lines[2:2] = ["card box1 Jkr", "gone box1 cards=Jkr"]
    assert breaches(canberra(one(deal=lines))) == [("card.foreign", "box1")]


def test_2_7_the_ace_is_low_in_a_straight_only() -> None:
    assert breaches(canberra(one(hand="5s 4s 3d 2d Ah", net=(100, 800)))) == []
    assert breaches(canberra(one(dealer="Kh Kc 6d 3h 2c", hand="As Ad 4d 5d 6c"))) == [("payout.over", "box1/bet")]
    # the lowest straight loses to the next
    straight = canberra(one(dealer="6h 5c 4d 3h 2c", hand="5s 4s 3d 2d Ah", net=(-100, -200)))
    assert breaches(straight) == []


def test_2_8_suits_are_equal() -> None:
    equal = one(dealer="Ah Kc 6d 3h 2c", hand="As Kd 6c 3s 2h", net=(0, 0))
    rounds = canberra(equal)
    assert breaches(rounds) == []
    assert wager(rounds, "box1/ante")["rule"] == "9.6"


def test_3_2_multiples() -> None:
    assert breaches(canberra(one(), multiple=30)) == [("bet.multiple", "box1/ante")]


def test_3_3_an_ante_below_the_minimum_is_settled_in_full() -> None:
    assert breaches(canberra(one(), min=150)) == [("bet.limit", "box1/ante")]
    unpaid = breaches(canberra(one(net=(0, 600)), min=150))
    assert unpaid == [("bet.limit", "box1/ante"), ("payout.missed", "box1/ante")]


def test_3_4_an_ante_above_the_maximum_counts_to_the_maximum() -> None:
    limit = ("bet.limit", "box1/ante")
    for bet_paid in (600, 300):  # the bet in full, or with the ante to the maximum
        assert breaches(canberra(one(net=(50, bet_paid)), max=50)) == [limit]
    assert breaches(canberra(one(), max=50)) == [limit, ("payout.over", "box1/ante")]
    lost = one(hand=WORSE, net=(-100, -200)).replace(
        "chips box1/ante 0 dealer", "chips box1/ante 50 dealer\nchips box1/ante 0 player"
    )
    assert breaches(canberra(lost, max=50)) == [limit]


# ---- 4 and 7: wagers ---------------------------------------------------------------------------------------------


def two(order: list[str] | None = None, opening: str = "", net1: tuple[int, int] = (100, 600)) -> str:
    """Two players who bet: the first wins, the second loses."""
    start = SHUFFLE + (opening or antes(100, 50)) + text(order or dealing(2)) + bets(200, 100)
    money = settle("box1/ante", 100, net1[0]) + settle("box1/bet", 200, net1[1])
    money += settle("box2/ante", 50, -50) + settle("box2/bet", 100, -100)
    return start + reveal(QUALIFIES, box1=BETTER, box2=WORSE) + money + collect(2)


def test_4_1_an_ante_after_the_first_card_is_late() -> None:
    lines = ["card box1 ??", "chips box2/ante 50 player", *dealing(2)[1:]]
    assert breaches(canberra(two(lines, antes(100)))) == [("bet.late", "box2/ante")]


def test_4_1_other_wagers_do_not_exist() -> None:
    rounds = canberra("chips box1/jackpot 5 player\n" + one() + "chips box1/jackpot 0 dealer\n")
    assert breaches(rounds) == [("bet.invalid", "box1/jackpot")]


@pytest.mark.parametrize("after", [0, 50, 200])
def test_4_4_the_ante_is_not_touched(after: int) -> None:
    lines = dealing()
    lines.insert(4, f"chips box1/ante {after} player")
    script = one(deal=lines)
    assert breaches(canberra(script)) == [("bet.moved", "box1/ante")]


def test_4_4_the_bet_is_not_touched() -> None:
    raised = one().replace("turn dealer Th", "chips box1/bet 300 player\nturn dealer Th")
    assert breaches(canberra(raised)) == [("bet.moved", "box1/bet")]
    withdrawn = one(hand=WORSE, net=(-100, -200)).replace("turn dealer Th", "chips box1/bet 0 player\nturn dealer Th")
    assert breaches(canberra(withdrawn)) == [("bet.moved", "box1/bet")]
    known = one().replace("turn box1 5s", "turn box1 5s\nchips box1/bet 400 player").replace("800", "1600")
    assert breaches(canberra(known)) == [("bet.moved", "box1/bet")]
    pieces = one().replace("chips box1/bet 200 player", "chips box1/bet 100 player\nchips box1/bet 200 player")
    assert breaches(canberra(pieces)) == []


@pytest.mark.parametrize("at", ["box1/ante", "box1/bet"])
def test_4_4_a_wager_lowered_once_the_hands_are_known(at: str) -> None:
    lost = one(hand=WORSE, net=(-100, -200))
    script = lost.replace(f"chips {at} 0 dealer", f"chips {at} 50 player\nchips {at} 0 dealer")
    assert breaches(canberra(script)) == [("bet.moved", at)]


@pytest.mark.parametrize(("at", "stake", "due"), [("box1/ante", 100, 100), ("box1/bet", 200, 600)])
def test_4_4_a_changed_wager_is_listed_as_it_stood_though_it_is_paid_as_it_was_changed(
    at: str, stake: int, due: int
) -> None:
    raised = one().replace("turn dealer Th", f"chips {at} {2 * stake} player\nturn dealer Th")
    rounds = canberra(raised.replace(f"chips {at} {stake + due} dealer", f"chips {at} {2 * (stake + due)} dealer"))
    assert breaches(rounds) == [("bet.moved", at)]
    told = wager(rounds, at)
    assert (told["stake"], told["due"], told["paid"]) == (stake, due, 2 * due)


def test_7_1_the_bet_follows_the_dealers_last_card() -> None:
    lines = dealing()
    lines.insert(6, "chips box1/bet 200 player")
    assert breaches(canberra(one(deal=lines).replace(bets(200), "", 2))) != []
    early = SHUFFLE + antes(100) + text(lines) + reveal(QUALIFIES, box1=BETTER)
    early += settle("box1/ante", 100, 100) + settle("box1/bet", 200, 600) + collect()
    assert breaches(canberra(early)) == [("bet.late", "box1/bet")]
    before_cards = early.replace("chips box1/bet 200 player\n", "").replace("card box1", bets(200) + "card box1", 1)
    assert breaches(canberra(before_cards)) == [("bet.invalid", "box1/bet")]


def test_7_1_a_bet_after_the_dealers_hand_is_shown_is_late() -> None:
    late = one().replace(bets(200), "").replace("turn dealer 3h", "turn dealer 3h\nchips box1/bet 200 player")
    assert breaches(canberra(late)) == [("bet.late", "box1/bet")]


@pytest.mark.parametrize("bet", [100, 199, 300])
def test_7_2_the_bet_is_twice_the_ante(bet: int) -> None:
    rounds = canberra(one(bet=bet, net=(100, 3 * bet)))
    assert breaches(rounds) == [("bet.amount", "box1/bet")]
    assert rounds[0]["findings"][0]["expected"] == 200
    corrected = one().replace("chips box1/bet 200", f"chips box1/bet {bet} player\nhand box1 false\nchips box1/bet 200")
    assert breaches(canberra(corrected.replace("hand box1 false", "call check box1"))) == []


def test_7_2_a_bet_without_an_ante() -> None:
    script = one().replace(bets(200), bets(200) + "chips box3/bet 100 player\n") + "chips box3/bet 0 player\n"
    assert breaches(canberra(script)) == [("bet.invalid", "box3/bet")]
    script = folded("0 dealer").replace("call fold", "chips box3/bet 100 player\nchips box3/bet 0 player\ncall fold")
    assert breaches(canberra(script)) == [("bet.invalid", "box3/bet")]


def folded(ante_move: str, call: str = "call fold box1 player\n") -> str:
    start = SHUFFLE + antes(100) + text(dealing()) + call + "gone box1 to=discard\n"
    return start + f"chips box1/ante {ante_move}\ngone dealer to=discard\n"


def test_7_3_a_fold_loses_the_ante() -> None:
    for call in ("", "call fold box1 player\n"):
        rounds = canberra(folded("0 dealer", call))
        assert breaches(rounds) == []
        assert wager(rounds, "box1/ante")["rule"] == "7.3"
        assert breaches(canberra(folded("0 player", call))) == [("payout.loser_paid", "box1/ante")]
        assert breaches(canberra(folded("200 dealer", call))) == [("payout.loser_paid", "box1/ante")]
    before_passing = folded("0 player").replace("gone box1", "chips box1/ante 0 player\ngone box1", 1)
    assert breaches(canberra(before_passing)) == [("payout.loser_paid", "box1/ante")]


def test_7_3_a_fold_loses_though_the_dealer_does_not_qualify() -> None:
    start = SHUFFLE + antes(100, 50) + text(dealing(2)) + "gone box1 to=discard\nchips box1/ante 0 dealer\n"
    start += "chips box2/bet 100 player\n" + reveal(NOT_QUALIFIED)
    rounds = canberra(start + settle("box2/ante", 50, 50) + settle("box2/bet", 100, 0) + collect(2))
    assert breaches(rounds) == []
    assert wager(rounds, "box1/ante")["result"] == "lose"
    assert wager(rounds, "box2/ante")["result"] == "win"


def test_7_3_a_bet_after_the_fold() -> None:
    script = one().replace(bets(200), "call fold box1 player\n" + bets(200))
    assert breaches(canberra(script)) == [("bet.invalid", "box1/bet")]


# ---- 5 and 6: shuffle and deal -----------------------------------------------------------------------------------


def test_5_1_a_shuffle_for_every_round() -> None:
    assert breaches(canberra(one() + one())) == []
    assert breaches(canberra(one() + one().removeprefix(SHUFFLE))) == [("shuffle.missing", None)]
    unseen = one() + "feed lost\nfeed back\n" + one().removeprefix(SHUFFLE)
    assert breaches(canberra(unseen)) == []


def test_6_2_all_cards_are_dealt_face_down_but_the_dealers_last() -> None:
    lines = dealing()
    lines[2] = "card box1 Qs"
    exposed = one(deal=lines, hand="Qh Qd 8c 5s")
    assert breaches(canberra(exposed)) == [("deal.exposed", "box1")]
    lines = dealing()
    lines[-1] = "card dealer ??"
    down = one(deal=lines).replace("turn dealer Th", "turn dealer 2c\nturn dealer Th")
    assert breaches(canberra(down)) == [("deal.facing", "dealer")]


@pytest.mark.parametrize(("swapped", "at"), [((0, 1), "box2"), ((1, 2), "dealer"), ((5, 6), "box1"), ((2, 3), "box1")])
def test_6_3_the_sequence(swapped: tuple[int, int], at: str) -> None:
    lines = dealing(2)
    first, second = swapped
    lines[first], lines[second] = lines[second], lines[first]
    dealt = [each for each in breaches(canberra(two(lines))) if each[0].startswith("deal.")]
    assert dealt == [("deal.order", at)]


def test_6_3_a_every_box_with_an_ante_is_dealt_to() -> None:
    passed_over = [line for line in dealing(2) if "box1" not in line]
    script = SHUFFLE + antes(100, 50) + text(passed_over) + bets(0, 100) + reveal(QUALIFIES, box2=WORSE)
    script += settle("box1/ante", 100, 0) + settle("box2/ante", 50, -50) + settle("box2/bet", 100, -100) + collect(2)
    rounds = canberra(script)
    assert breaches(rounds) == [("deal.missed", "box1")]
    assert wager(rounds, "box1/ante")["result"] == "void"


# ---- 8 and 9: settlement -----------------------------------------------------------------------------------------

ODDS = [
    ("Kd Ks 9d 7c 5h", 1), ("Kd Ks 9d 9c 5h", 2), (BETTER, 3), ("Ks Qh Jd 9c Ts", 4), ("Ks Js 9s 7s 5s", 5),
    ("Ks Kd Kh Js Jd", 7), ("As Ac Ah Ad 4d", 20), ("Js Ts 9s 8s 7s", 50), ("As Ks Qs Js Ts", 250),
]  # fmt: skip


@pytest.mark.parametrize(("hand", "odds"), ODDS)
def test_8_1_odds(hand: str, odds: int) -> None:
    rounds = canberra(one(hand=hand, net=(100, 200 * odds)))
    assert breaches(rounds) == []
    assert wager(rounds, "box1/bet")["due"] == 200 * odds
    assert breaches(canberra(one(hand=hand, net=(100, 200 * odds + 200)))) == [("payout.over", "box1/bet")]
    assert breaches(canberra(one(hand=hand, net=(100, 200 * odds - 50)))) == [("payout.short", "box1/bet")]
    assert breaches(canberra(one(hand=hand, net=(100, 0)))) == [("payout.missed", "box1/bet")]


def test_8_1_one_pair_or_less() -> None:
    high = one(dealer="Ah Kc 6d 3h 2c", hand="As Kd 7c 3s 2h", net=(100, 200))
    assert breaches(canberra(high)) == []


def test_8_2_the_maximum_payout_caps_the_bet_only() -> None:
    rounds = canberra(one(net=(100, 50)), max_payout=50)
    assert breaches(rounds) == []
    assert wager(rounds, "box1/bet")["due"] == 50
    assert wager(rounds, "box1/ante")["due"] == 100
    assert breaches(canberra(one(), max_payout=500)) == [("payout.cap", "box1/bet")]
    assert breaches(canberra(one(net=(100, 550)), max_payout=500)) == [("payout.over", "box1/bet")]


def test_9_2_ace_and_king_qualify() -> None:
    ace_king = one(dealer="Ah Kc 6d 3h 2c", net=(100, 600))
    assert breaches(canberra(ace_king)) == []
    rounds = canberra(one(dealer=NOT_QUALIFIED))
    assert breaches(rounds) == [("payout.over", "box1/bet")]


def test_9_3_without_them_the_ante_wins_and_the_bet_is_void() -> None:
    for hand in (BETTER, "Kd 9s 8d 7c 5h"):
        rounds = canberra(one(dealer=NOT_QUALIFIED, hand=hand, net=(100, 0)))
        assert breaches(rounds) == []
        assert wager(rounds, "box1/ante")["result"] == "win"
        assert (wager(rounds, "box1/bet")["result"], wager(rounds, "box1/bet")["due"]) == ("void", 0)
    taken = canberra(one(dealer=NOT_QUALIFIED, hand=WORSE, net=(-100, -200)))
    assert breaches(taken) == [("payout.winner_taken", "box1/ante"), ("payout.push_taken", "box1/bet")]


def test_9_3_an_unshown_hand_does_not_matter_then() -> None:
    script = one(dealer=NOT_QUALIFIED, hand="", net=(100, 0))
    rounds = canberra(script)
    assert breaches(rounds) == []
    assert wager(rounds, "box1/bet")["result"] == "void"
    assert breaches(canberra(one(dealer=NOT_QUALIFIED, hand="", net=(0, 0)))) == [("payout.missed", "box1/ante")]


def test_9_4_a_higher_hand_wins() -> None:
    taken = canberra(one(net=(-100, -200)))
    assert breaches(taken) == [("payout.winner_taken", "box1/ante"), ("payout.winner_taken", "box1/bet")]


def test_9_5_a_lower_hand_loses() -> None:
    assert breaches(canberra(one(hand=WORSE, net=(-100, -200)))) == []
    assert breaches(canberra(one(hand=WORSE, net=(0, 200)))) == [
        ("payout.loser_paid", "box1/ante"), ("payout.loser_paid", "box1/bet"),
    ]  # fmt: skip


def test_9_6_equal_hands_void_both() -> None:
    dealer, hand = "Ah Kc 6d 3h 2c", "As Kd 6c 3s 2h"
    rounds = canberra(one(dealer, hand, net=(0, 0)))
    assert [each["result"] for each in rounds[0]["wagers"]] == ["void", "void"]
    assert breaches(canberra(one(dealer, hand, net=(-100, 0)))) == [("payout.push_taken", "box1/ante")]
    assert breaches(canberra(one(dealer, hand, net=(0, 200)))) == [("payout.over", "box1/bet")]


def test_9_6_equal_hands_that_do_not_qualify_are_a_house_option() -> None:
    won, void = (one(NOT_QUALIFIED, "As Qd 6c 3s 2h", net) for net in ((100, 0), (0, 0)))
    assert breaches(canberra(won)) == []
    assert breaches(canberra(void)) == [("payout.missed", "box1/ante")]
    assert breaches(canberra(won, unqualified_tie="void")) == [("payout.over", "box1/ante")]
    assert breaches(canberra(void, unqualified_tie="void")) == []


# ---- 11: irregularities ------------------------------------------------------------------------------------------


def exposed(*numbers: int) -> str:
    """Cards of the deal to one box, by number, that came face up and were turned over again."""
    lines = dealing()
    faces = dict(zip((0, 2, 4, 6, 8), BETTER.split(), strict=True))
    for number in sorted(numbers, reverse=True):
        lines[number : number + 1] = [f"card box1 {faces[number]}", f"turn box1 {faces[number]} up=false"]
    return one(deal=lines)


def test_11_1_one_or_two_exposed_cards_do_not_stop_the_round() -> None:
    for numbers in ((4,), (2, 6)):
        rounds = canberra(exposed(*numbers))
        assert breaches(rounds) == [("deal.exposed", "box1")] * len(numbers)
        assert rounds[0]["hands"]["box1"] != []
        assert wager(rounds, "box1/bet")["due"] == 600


def test_11_1_an_unread_card_that_only_seems_to_lie_face_up_accuses_nobody() -> None:
    for conf, told in (("0.95", breaches), ("0.6", unsure)):
        lines = dealing()
        lines[4] = f"card box1 ?? up=true conf={conf}"
        rounds = canberra(one(deal=lines))
        assert ("deal.exposed", "box1") in told(rounds)
    assert breaches(rounds) == []


def test_11_1_three_exposed_cards_void_the_round() -> None:
    rounds = canberra(exposed(0, 2, 6))
    assert breaches(rounds) == [("deal.exposed", "box1")] * 3 + [("round.not_voided", None)]
    assert [each["result"] for each in rounds[0]["wagers"]] == ["void", "void"]
    deal = text(["card box1 Qs", "card dealer ??", "card box1 Qh", "card dealer ??", "card box1 Qd"])
    voided = canberra(SHUFFLE + antes(100) + deal + "call void\nchips box1/ante 0 player\n" + collect())
    assert breaches(voided) == [("deal.exposed", "box1")] * 3
    assert (voided[0]["status"], wager(voided, "box1/ante")["rule"]) == ("void", "11.1")
    dealt = exposed(0, 2, 6).partition("chips box1/bet")[0]
    for by in ("player", ""):  # the word was not heard, and the ante went: back to the player, for all that is known
        unheard = canberra(dealt + f"chips box1/ante 0 {by}\n" + collect())
        assert breaches(unheard) == [("deal.exposed", "box1")] * 3
        assert unsure(unheard) == [("round.not_voided", None)]


def dealer_exposed(fifth: str) -> str:
    lines = dealing()
    lines[5], lines[9] = "card dealer Tc", fifth
    return one(deal=lines)


def test_11_2_the_dealers_early_exposed_card_stays_up_and_the_fifth_comes_down() -> None:
    right = dealer_exposed("card dealer ??").replace("turn dealer Tc", "turn dealer 2c")
    rounds = canberra(right)
    assert breaches(rounds) == [("deal.exposed", "dealer")]
    assert wager(rounds, "box1/bet")["due"] == 600
    wrong = dealer_exposed("card dealer 2c").replace("turn dealer Tc\n", "")
    assert breaches(canberra(wrong)) == [("deal.exposed", "dealer")] * 2


def test_11_3_a_hand_dealt_out_of_order_is_void() -> None:
    lines = dealing(2)
    lines[0], lines[1] = lines[1], lines[0]
    given_back = two(lines).replace("chips box2/ante 0 dealer", "chips box2/ante 0 player")
    given_back = given_back.replace("chips box2/bet 0 dealer", "chips box2/bet 0 player")
    rounds = canberra(given_back)
    assert breaches(rounds) == [("deal.order", "box2")]
    assert wager(rounds, "box2/ante")["result"] == "void"
    half_paid = two(lines, net1=(100, 300))
    assert ("payout.over", "box1/bet") in breaches(canberra(half_paid))
    unshown = SHUFFLE + antes(100, 50) + text(lines) + bets(200, 100) + reveal(QUALIFIES)
    back = text([f"chips {box}/{spot} 0 player" for box in NAMES[:2] for spot in ("ante", "bet")])
    assert wager(canberra(unshown + back + collect(2)), "box1/bet")["result"] == "void"


def test_11_3_the_only_hand_out_of_order_is_void_for_certain() -> None:
    lines = dealing(2)
    lines[2], lines[3] = lines[3], lines[2]  # box1 gets its second card before the dealer's first
    assert breaches(canberra(two(lines, net1=(0, 0)))) == [("deal.order", "box1")]
    paid = [("deal.order", "box1"), ("payout.over", "box1/ante"), ("payout.over", "box1/bet")]
    assert breaches(canberra(two(lines))) == paid


@pytest.mark.parametrize(
    ("cards", "kind"), [(6, "deal.extra"), (4, "deal.missed"), (7, "deal.count"), (3, "deal.count")]
)
def test_11_4_a_hand_with_a_wrong_number_of_cards_is_void(cards: int, kind: str) -> None:
    lines = dealing(2)
    while sum("box1" in line for line in lines) > cards:
        lines.remove("card box1 ??")
    lines += ["card box1 ??"] * (cards - 5)
    rounds = canberra(two(lines, net1=(0, 0)))
    assert breaches(rounds) == [(kind, "box1")]
    assert wager(rounds, "box1/bet")["result"] == "void"
    assert wager(rounds, "box2/bet")["result"] == "lose"
    assert breaches(canberra(two(lines))) == [(kind, "box1"), ("payout.over", "box1/ante"), ("payout.over", "box1/bet")]


@pytest.mark.parametrize("cards", [4, 6])
def test_11_5_a_dealers_hand_with_a_wrong_number_of_cards(cards: int) -> None:
    lines = dealing()
    if cards == 4:
        lines.remove("card dealer ??")
    else:
        lines.insert(3, "card dealer ??")
    shown = "Th Tc 6d 3h" if cards == 6 else "Th Tc 6d"
    start = SHUFFLE + antes(100) + text(lines) + bets(200) + reveal(shown, box1=WORSE)
    right = start + settle("box1/ante", 100, 100) + settle("box1/bet", 200, 0) + collect()
    rounds = canberra(right)
    assert breaches(rounds) == [("deal.count", "dealer")]
    assert wager(rounds, "box1/ante")["rule"] == "11.5"
    wrong = start + settle("box1/ante", 100, -100) + settle("box1/bet", 200, -200) + collect()
    assert breaches(canberra(wrong)) == [
        ("deal.count", "dealer"), ("payout.winner_taken", "box1/ante"), ("payout.push_taken", "box1/bet"),
    ]  # fmt: skip


def test_11_6_a_hand_that_entered_the_discard_rack_is_brought_back() -> None:
    start = SHUFFLE + antes(100) + text(dealing())
    script = one().replace(start, start + "gone box1 to=discard\ngone discard n=5 to=box1\n")
    assert breaches(canberra(script)) == []


def test_7_2_a_bet_without_an_ante_laid_in_steps_is_told_whole() -> None:
    script = one().replace("chips box1/bet 200 player", "chips box1/bet 200 player\n" + bets(0, 25) + bets(0, 50))
    rounds = canberra(script.replace("gone dealer", "chips box2/bet 0 player\ngone dealer"))
    assert breaches(rounds) == [("bet.invalid", "box2/bet")]
    assert (wager(rounds, "box2/bet")["stake"], rounds[0]["findings"][0]["observed"]) == (50, 50)


def test_11_7_a_hand_for_a_box_without_an_ante() -> None:
    script = two(opening=antes(100)).replace("chips box2/bet 100 player\n", "")
    script = script.replace("chips box2/ante 0 dealer\nchips box2/bet 0 dealer\n", "")
    assert breaches(canberra(script)) == [("deal.no_wager", "box2")]


def test_14_3_a_hand_may_be_declared_void() -> None:
    rounds = canberra(one(net=(0, 0)).replace("turn dealer Th", "call void box1\nturn dealer Th"))
    assert breaches(rounds) == []
    assert wager(rounds, "box1/bet")["result"] == "void"


def test_def_void_chips_of_a_void_round_go_back() -> None:
    script = SHUFFLE + antes(100) + text(dealing()) + bets(200) + "call void\n"
    rounds = canberra(script + settle("box1/ante", 100, 0) + settle("box1/bet", 200, 0) + collect())
    assert breaches(rounds) == []
    assert [each["result"] for each in rounds[0]["wagers"]] == ["void", "void"]


# ---- 15: tournaments ---------------------------------------------------------------------------------------------


def test_def_marker_it_moves_on_by_one_player() -> None:
    first = "marker box1\n" + two()
    box2_first = "chips box2/ante 50 player\nchips box1/ante 100 player\n"
    assert breaches(canberra(first + "marker box2\n" + two(opening=box2_first), tournament=True)) == []
    assert breaches(canberra(first + two(), tournament=True)) == [("button.move", None)]


def test_15_13_an_ante_below_the_minimum() -> None:
    rounds = canberra(two(), tournament=True, min=60)
    assert breaches(rounds) == [("bet.limit", "box2/ante")]
    assert cited(rounds, "bet.limit") == ["15.13"]


def test_15_14_antes_in_order_from_the_marker() -> None:
    script = "marker box2\n" + two()
    assert breaches(canberra(script, tournament=True)) == [("bet.order", "box1/ante")]
    assert breaches(canberra(script)) == []


def test_15_14_a_finished_ante_is_not_changed() -> None:
    script = "marker box1\n" + two(opening="chips box1/ante 50 player\nchips box2/ante 50 player\n" + antes(100))
    assert breaches(canberra(script, tournament=True)) == [("bet.moved", "box1/ante")]
    assert breaches(canberra(script)) == []


# ---- weak and missing reads, gaps, broken logs -------------------------------------------------------------------


def test_a_hand_that_was_never_shown_decides_nothing() -> None:
    rounds = canberra(one(hand="", net=(-100, -200)))
    assert rounds[0]["findings"] == []
    assert wager(rounds, "box1/bet")["result"] is None


def test_a_hand_shown_in_part_is_judged_for_all_it_can_be() -> None:
    # three queens beat a pair of tens whatever the last card; what they pay hangs on it
    rounds = canberra(one(hand="Qs Qh Qd 8c", net=(-100, -200)))
    assert breaches(rounds) == [("payout.winner_taken", "box1/ante"), ("payout.winner_taken", "box1/bet")]
    assert wager(rounds, "box1/bet") | {"result": "win", "due": None} == wager(rounds, "box1/bet")
    rounds = canberra(one(hand="Kd 9s 8d 7c", net=(-100, -200)))
    assert breaches(rounds) == []
    assert ("payout.winner_taken", "box1/bet") in unsure(rounds)


def test_half_read_cards_name_the_fault_that_most_readings_give() -> None:
    script = one(dealer="A? K? 6? 3? 2c", net=(100, 500))  # short, or paid on a loss if the dealer had five clubs
    assert breaches(canberra(script)) == [("payout.short", "box1/bet")]


def test_a_weak_card_that_cannot_matter() -> None:
    weak = one(net=(-100, -200)).replace("turn box1 5s", "turn box1 5s conf=0.3")
    assert ("payout.winner_taken", "box1/ante") in breaches(canberra(weak))
    dealer = one(dealer="Ah Kc 6d 3h 2c", net=(-100, -200)).replace("turn dealer Kc", "turn dealer Kc conf=0.3")
    assert ("payout.winner_taken", "box1/ante") in breaches(canberra(dealer))
    assert ("payout.push_taken", "box1/bet") not in breaches(canberra(dealer))


def test_a_gap_hides_settlement_or_a_bet() -> None:
    unseen = canberra(one().replace("chips box1/ante 200 dealer", "feed lost\nfeed back\nchips box1/ante 200 dealer"))
    assert breaches(unseen) == []
    assert ("view.gap", None) in unsure(unseen)
    start = SHUFFLE + antes(100) + text(dealing()) + "feed lost\nfeed back\n"
    rounds = canberra(start + reveal(QUALIFIES, box1=BETTER) + settle("box1/ante", 100, 100) + collect())
    assert breaches(rounds) == []
    assert wager(rounds, "box1/ante")["result"] is None


def test_a_gap_in_the_deal_explains_a_wrong_number() -> None:
    lines = dealing(2)
    lines[3:5] = ["feed blocked", "feed back"]
    rounds = canberra(two(lines))
    assert breaches(rounds) == []


def test_a_gap_before_the_first_card_seen_may_hide_earlier_ones() -> None:
    seen = dealing()[2:]
    hidden = one(deal=["feed lost", "feed back", *seen], dealer="Th Tc 6d 2c 2c", hand="Qs Qh Qd 8c")
    assert breaches(canberra(hidden.replace("turn dealer 2c\n", ""))) == []
    before = one(deal=seen, hand="Qs Qh Qd 8c").replace(SHUFFLE, "feed lost\nfeed back\n" + SHUFFLE)
    assert ("payout.over", "box1/ante") in breaches(canberra(before))


def test_an_ante_laid_unseen_stands_in_the_rounds_after_though_bets_are_read() -> None:
    dealt = 4 * "card box1 ??\ncard dealer ??\n" + "card box1 ??\ncard dealer 2c\n"
    bet = "chips box1/bet 20 player\nchips box1/bet 0 player\ngone box1\ngone dealer\n"
    script = "shuffle\nfeed lost\nfeed back\n" + dealt + bet + "shuffle\n" + dealt + bet
    assert ("deal.no_wager", "box1") not in breaches(canberra(script))
    seen = script.replace("feed back\n", "feed back\nchips box1/ante 0\n")
    assert ("deal.no_wager", "box1") in breaches(canberra(seen))


def test_an_unfinished_round_is_not_blamed_for_what_may_still_come() -> None:
    whole = two().splitlines()
    for length in range(len(whole)):
        rounds = canberra("\n".join(whole[:length]))
        assert breaches(rounds) == [], length


def test_chips_left_standing_are_the_next_ante() -> None:
    left = one().replace("chips box1/ante 0 player\n", "")
    again = one(net=(200, 1200), bet=400, ante=200).replace("chips box1/ante 200 player\n", "", 1)
    rounds = canberra(left + again)
    assert breaches(rounds) == []
    assert wager(rounds, "box1/ante", 1)["stake"] == 200
    void_bet_left = one(dealer=NOT_QUALIFIED, net=(100, 0)).replace("chips box1/bet 0 player\n", "")
    assert breaches(canberra(void_bet_left + one())) == []


def test_no_order_of_events_crashes_the_auditor() -> None:
    lines = ("marker box1\n" + two() + exposed(0, 2, 6) + folded("0 dealer")).splitlines()
    chance = random.Random(1)
    for _ in range(60):
        chance.shuffle(lines)
        canberra("\n".join(lines[: chance.randrange(len(lines) + 1)]), tournament=True)


def test_11_1_three_cards_exposed_in_the_first_pass_and_the_round_voided() -> None:
    """The dealer's only card lies open, but that is no hand shown: the deal was broken off."""
    rounds = play("act-canberra-poker", """
        chips box1/ante 10 player
        chips box2/ante 10 player
        card box1 2h
        card box2 3h
        card dealer 4h
        call void
        chips box1/ante 0 player
        chips box2/ante 0 player
        gone box1
        gone box2
        gone dealer
    """)  # fmt: skip
    assert breaches(rounds) == [("deal.exposed", "box1"), ("deal.exposed", "box2"), ("deal.exposed", "dealer")]
    assert rounds[0]["status"] == "void"


def test_11_3_a_card_the_dealer_took_too_soon_leaves_open_whether_the_hand_after_it_is_void() -> None:
    lines = dealing()
    lines[0], lines[1] = lines[1], lines[0]
    shown = [f"turn dealer {card}" for card in ("Th", "Tc", "6d", "3h")]
    shown += [f"turn box1 {card}" for card in ("9s", "9h", "4d", "5c", "7s")]
    for by in ("dealer", "player"):  # taken as lost, or given back as void
        settled = [f"chips box1/ante 0 {by}", f"chips box1/bet 0 {by}", "gone box1", "gone dealer"]
        script = ["chips box1/ante 10 player", *lines, "chips box1/bet 20 player", *shown, *settled]
        assert breaches(play("act-canberra-poker", text(script))) == [("deal.order", "dealer")], by


def test_9_3_9_5_wagers_are_settled_when_the_dealers_hand_is_shown() -> None:
    start, money = SHUFFLE + antes(100) + text(dealing()) + bets(200), settle("box1/ante", 100, 100)
    shown, rest = reveal(QUALIFIES, box1=BETTER), settle("box1/bet", 200, 600) + collect()
    assert breaches(canberra(start + shown + money + rest)) == []
    assert breaches(canberra(start + money + shown + rest)) == [("payout.order", "box1/ante")]
    folded = SHUFFLE + antes(100) + text(dealing()) + "call fold box1 player\ngone box1\nchips box1/ante 0 dealer\n"
    assert breaches(canberra(folded + reveal(QUALIFIES) + "gone dealer\n")) == []
