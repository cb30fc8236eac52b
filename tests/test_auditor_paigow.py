"""Tournament Pai Gow, clause by clause: right rounds, wrong rounds, and reads that leave it open.

The ranking of tiles and the House Way have tests of their own (`test_auditor_tiles`, `test_auditor_house_way`).
"""

import random
from collections.abc import Iterable
from typing import Any

import pytest

from auditor import tiles
from auditor.house_way import house_way
from playing import Answer, answers, breaches, play, unsure, wager, written

BANK = "day ng32 / gj3 look"  # 7-9 by 10.2(c)
WIN = "day gow54 / teen teen"  # Day Wong, Teen pair
LOSE = "bon mooy / chong ping"  # 4-6
PUSH = "bon mooy / yun yun"  # 4-pair
BOXES = range(1, 9)


def stake(amounts: dict[int, float]) -> list[str]:
    return [f"chips box{box}/main {amount} player" for box, amount in amounts.items()]


def turns(first: int) -> list[int]:
    return [(first - 1 + step) % 8 + 1 for step in range(8)]


def dealt(boxes: Iterable[int]) -> list[str]:
    """Four tiles, face down, to each of the boxes."""
    return [f"tile box{box} ??" for box in boxes for _ in range(4)]


def retrieved(kept: Iterable[int]) -> list[str]:
    return [f"gone box{box} n=4 to=discard" for box in BOXES if box not in kept]


def shown(box: int, hand: str, rest: str = "") -> list[str]:
    low, high = (part.split() for part in hand.split("/"))
    lines = [f"turn box{box} {tile}" for tile in low + high]
    return [*lines, f"set box{box} {','.join(low)} {','.join(high)} {rest}"]


def paid(box: int, amount: float) -> list[str]:
    return [f"chips box{box}/main {amount} dealer", f"chips box{box}/main 0 player"]


def taken(box: int) -> list[str]:
    return [f"chips box{box}/main 0 dealer"]


def collected(*boxes: int) -> list[str]:
    return [f"gone box{box} to=discard" for box in boxes]


START = ["shuffle dealer", "cut dealer"]
CLOSE = ["call no_more_bets dealer"]
DICE = ["dice 2,1,2"]  # 5


def a_round(
    *,
    stakes: dict[int, float] | None = None,
    bank: str = BANK,
    hands: dict[int, str] | None = None,
    settled: list[str] | None = None,
    start: list[str] | None = None,
    deal: list[str] | None = None,
    close: list[str] = CLOSE,
    dice: list[str] = DICE,
) -> list[str]:
    """A whole round: as told, and right in everything that is not told."""
    stakes = {2: 50} if stakes is None else stakes
    hands = {2: WIN} if hands is None else hands
    lines = [*(START if start is None else start), *stake(stakes), *close, *dice]
    lines += dealt(turns(5)) if deal is None else deal
    lines += [*retrieved({1, *hands}), *shown(1, bank)]
    for box, hand in hands.items():
        lines += shown(box, hand)
    lines += paid(2, 100) if settled is None else settled
    return [*lines, *collected(*hands, 1)]


def audit(*rounds: list[str], **house: Any) -> list[Answer]:
    return play("act-paigow", "\n".join(line for lines in rounds for line in lines), **house)


# ---- rounds ------------------------------------------------------------------------------------------------------


def test_a_right_round() -> None:
    rounds = audit(a_round())
    assert breaches(rounds) == unsure(rounds) == []
    assert rounds[0]["status"] == "complete"
    assert rounds[0]["hands"]["box2"] == ["day", "gow54", "teen", "teen"]
    assert wager(rounds, "box2/main") == {
        "at": "box2/main", "stake": 50, "result": "win", "due": 50, "paid": 50, "rule": "11.8",
    }  # fmt: skip


def test_rounds_are_divided_at_the_collection_of_all_tiles() -> None:
    rounds = audit(a_round(), a_round(hands={2: LOSE}, settled=taken(2)), a_round())
    assert breaches(rounds) == unsure(rounds) == []
    assert [each["status"] for each in rounds] == ["complete"] * 3
    assert [wager(rounds, "box2/main", number)["result"] for number in range(3)] == ["win", "lose", "win"]


def test_chips_left_standing_are_the_next_stake() -> None:
    rounds = audit(a_round(settled=["chips box2/main 100 dealer"]), a_round(stakes={}, settled=paid(2, 200)))
    assert breaches(rounds) == []
    assert wager(rounds, "box2/main", 1)["stake"] == 100


def test_the_next_wager_may_be_laid_before_the_tiles_are_collected() -> None:
    again = a_round(hands={2: LOSE}, settled=[*taken(2), "chips box2/main 25 player"])
    rounds = audit(again, a_round(stakes={}, settled=paid(2, 50)))
    assert breaches(rounds) == unsure(rounds) == []
    assert wager(rounds, "box2/main", 1)["stake"] == 25


def test_money_after_collection_still_settles_the_round() -> None:
    rounds = audit([*a_round(settled=[]), *paid(2, 90)], a_round())
    assert breaches(rounds) == [("payout.short", "box2/main")]
    assert len(rounds) == 2


def test_a_round_whose_collection_was_not_seen_ends_with_the_next_shuffle() -> None:
    first = a_round()[:-2]
    rounds = audit(first, a_round())
    assert [each["status"] for each in rounds] == ["unfinished", "complete"]
    assert breaches(rounds) == []


def test_a_shuffle_that_is_hardly_seen_divides_no_round_while_hands_lie() -> None:
    lines = a_round()
    at = len(lines) - 4
    for conf, status in (("", "unfinished"), (" conf=0.5", "complete")):
        (only,) = audit([*lines[:at], f"shuffle dealer{conf}", *lines[at:]])
        assert only["status"] == status


@pytest.mark.parametrize("length", range(0, 62, 3))
def test_an_unfinished_round_is_not_accused(length: int) -> None:
    rounds = audit(a_round(hands={2: WIN, 3: LOSE}, stakes={2: 50, 3: 20}, settled=[*paid(2, 100), *taken(3)])[:length])
    assert breaches(rounds) == []


@pytest.mark.parametrize("length", [6, 10, 15, 30, 38, 44])
def test_a_log_that_begins_in_the_middle_of_a_deal_is_not_accused(length: int) -> None:
    assert breaches(audit(a_round()[length:])) == []


def test_no_log_makes_it_fall_over() -> None:
    chance = random.Random(7)
    exposed = ["tile shoe teen", "call misdeal dealer"]
    settled = [*paid(2, 100), *taken(3)]
    lines = [*exposed, *a_round(hands={2: WIN, 3: LOSE}, stakes={2: 50, 3: 20, 1: 5}, settled=settled)]
    lines += ["card box1 As", "turn box2 Kd", "tile box9 teen", "set box4 ??,?? ??,teen", "gone box2 n=1 to=box3"]
    lines += ["call void box2", "marker box3", "feed lost", "feed back", "dice 1,null,1", "tile box3#2 ??"]
    lines += ["set box1 teen,teen teen,teen", "set box2 teen,?? ??,day conf=0.2"]
    for _ in range(150):
        some = chance.sample(lines, chance.randint(1, len(lines)))
        audit(some, tournament=True, min=10, max=40)


# ---- 2: the set of tiles -----------------------------------------------------------------------------------------


def test_2_1_a_third_tile_of_a_face_is_a_duplicate() -> None:
    hands = {2: WIN, 3: "teen bon / chong ping"}
    rounds = audit(a_round(stakes={2: 50, 3: 50}, hands=hands, settled=[*paid(2, 100), *taken(3)]))
    assert ("card.duplicate", "box3") in breaches(rounds)


def test_2_1_the_second_gow_is_another_tile() -> None:
    hands = {2: "bon mooy / gow63 gow54"}
    assert breaches(audit(a_round(hands=hands, settled=["chips box2/main 0 player"]))) == []
    twice = audit(a_round(hands={2: "bon mooy / gow63 gow63"}, settled=["chips box2/main 0 player"]))
    assert breaches(twice) == [("card.duplicate", "box2")]


def test_2_1_a_duplicate_seen_in_the_setting_only() -> None:
    lines = [line for line in a_round(hands={2: "bon gj3 / yun yun"}, settled=[]) if not line.startswith("turn box2")]
    assert ("card.duplicate", "box2") in breaches(audit(lines))


def test_2_1_a_weak_read_is_no_duplicate() -> None:
    lines = [line + (" conf=0.5" if "gow63" in line else "") for line in a_round(hands={2: "bon mooy / gow63 gow63"})]
    assert "card.duplicate" not in dict(breaches(audit(lines)))


# ---- 5: limits ---------------------------------------------------------------------------------------------------


def test_5_2_stakes_come_in_the_displayed_multiples() -> None:
    assert breaches(audit(a_round(), multiple=25)) == []
    assert breaches(audit(a_round(), multiple=20)) == [("bet.multiple", "box2/main")]


def test_5_3_a_stake_below_the_minimum_is_settled_in_full() -> None:
    rounds = audit(a_round(), min=60)
    assert breaches(rounds) == [("bet.limit", "box2/main")]
    assert wager(rounds, "box2/main")["due"] == 50
    assert breaches(audit(a_round(settled=paid(2, 50)[1:]), min=60)) == [
        ("bet.limit", "box2/main"), ("payout.missed", "box2/main"),
    ]  # fmt: skip


def test_5_4_a_stake_above_the_maximum_is_settled_on_the_maximum() -> None:
    assert breaches(audit(a_round(settled=paid(2, 80)), max=30)) == [("bet.limit", "box2/main")]
    over = [("bet.limit", "box2/main"), ("payout.over", "box2/main")]
    assert breaches(audit(a_round(settled=paid(2, 100)), max=30)) == over
    rest_back = ["chips box2/main 20 dealer", "chips box2/main 0 player"]
    rounds = audit(a_round(hands={2: LOSE}, settled=rest_back), max=30)
    assert breaches(rounds) == [("bet.limit", "box2/main")]
    whole = audit(a_round(hands={2: LOSE}, settled=taken(2)), max=30)
    assert breaches(whole) == [("bet.limit", "box2/main"), ("payout.push_taken", "box2/main")]


def test_5_1_a_weakly_read_stake_gives_no_breach() -> None:
    lines = [line + (" conf=0.5" if line.startswith("chips box2/main 50") else "") for line in a_round()]
    assert breaches(audit(lines, min=60)) == []
    assert ("bet.limit", "box2/main") in unsure(audit(lines, min=60))


# ---- 7: wagers ---------------------------------------------------------------------------------------------------


def test_7_1_a_wager_after_the_cup_was_opened_is_late() -> None:
    late = [*DICE, "chips box3/main 20 player"]
    hands = {2: WIN, 3: LOSE}
    rounds = audit(a_round(dice=late, close=[], hands=hands, settled=[*paid(2, 100), *taken(3)]))
    assert breaches(rounds) == [("bet.late", "box3/main")]
    assert rounds[0]["findings"][0]["rule"] == "NI2002-45 Pai Gow 7.1"
    assert wager(rounds, "box3/main")["result"] == "lose"


def test_7_1_a_late_wager_that_is_refused() -> None:
    late = [*DICE, "chips box3/main 20 player", "chips box3/main 0 player"]
    rounds = audit(a_round(dice=late))
    assert breaches(rounds) == [("bet.late", "box3/main")]
    assert wager(rounds, "box3/main")["result"] == "void"


def test_7_4_a_late_wager_refused_before_the_first_tile_ends_no_round() -> None:
    for at, kind in (("box3/main", "bet.late"), ("box1/main", "bet.invalid")):
        dice = [*DICE, f"chips {at} 20 player", f"chips {at} 0 dealer"]
        rounds = audit(a_round(dice=dice))
        assert len(rounds) == 1
        assert breaches(rounds) == [(kind, at)]


def test_7_3_no_wager_is_accepted_on_box_one() -> None:
    rounds = audit(a_round(stakes={1: 10, 2: 50}, settled=[*paid(2, 100), *taken(1)]))
    assert breaches(rounds) == [("bet.invalid", "box1/main")]
    assert wager(rounds, "box1/main") | {"paid": 0} == {
        "at": "box1/main", "stake": 10, "result": "void", "due": 0, "paid": 0, "rule": "7.3",
    }  # fmt: skip
    late = audit(a_round(dice=[*DICE, "chips box1/main 20 player"]))
    assert breaches(late) == [("bet.invalid", "box1/main")]


@pytest.mark.parametrize("at", ["call", "dice", "deal"])
def test_7_4_a_standing_wager_may_not_be_changed(at: str) -> None:
    change = ["chips box2/main 100 player"]
    close = [*CLOSE, *change] if at == "call" else CLOSE
    dice = [*DICE, *change] if at == "dice" else DICE
    deal = [*dealt(turns(5)), *change] if at == "deal" else None
    for total in (200, 150):  # paid as it stood after the change, or before
        rounds = audit(a_round(close=close, dice=dice, deal=deal, settled=paid(2, total)))
        assert breaches(rounds) == [("bet.moved", "box2/main")]
        assert wager(rounds, "box2/main")["stake"] == 50


def test_7_4_betting_closes_with_the_call_or_with_the_cup() -> None:
    after_call = ["call no_more_bets dealer", "chips box3/main 10 player"]
    assert breaches(audit(a_round(close=after_call)))[0] == ("bet.late", "box3/main")
    without_call = audit(a_round(close=["chips box2/main 60 player"], settled=paid(2, 120)))
    assert breaches(without_call) == []
    late_call = audit(a_round(close=[], dice=[*DICE, "chips box2/main 60 player", *CLOSE]))
    assert breaches(late_call) == [("bet.moved", "box2/main")]


def test_7_4_a_wager_removed_is_reported_once() -> None:
    rounds = audit(a_round(deal=[*dealt(turns(5)), "chips box2/main 0 player"], hands={2: LOSE}, settled=[]))
    assert breaches(rounds) == [("bet.moved", "box2/main")]


def test_7_4_chips_added_to_a_decided_but_unpaid_wager() -> None:
    rounds = audit(a_round(settled=["chips box2/main 100 player", *paid(2, 200)]))
    assert breaches(rounds) == [("bet.moved", "box2/main")]


def test_7_4_after_a_push_the_chips_are_free() -> None:
    rounds = audit(a_round(hands={2: PUSH}, settled=["chips box2/main 80 player"]))
    assert breaches(rounds) == unsure(rounds) == []


def test_7_4_nobody_known_moved_the_chips() -> None:
    rounds = audit(a_round(dice=[*DICE, "chips box3/main 20"]))
    assert breaches(rounds) == []
    assert unsure(rounds) == [("bet.late", "box3/main")]


# ---- 8: shuffle, dice, deal --------------------------------------------------------------------------------------


def test_8_1_the_tiles_are_shuffled_for_each_round() -> None:
    assert breaches(audit(a_round(), a_round(start=[]))) == [("shuffle.missing", None)]
    assert breaches(audit(a_round(start=[]), a_round())) == []
    assert breaches(audit(a_round(), ["feed lost", "feed back"], a_round(start=[]))) == []
    # A push whose chips are left standing, the hands set without a tile turned: nothing but the collection ends it.
    push = [line for line in a_round(hands={2: PUSH}, settled=[]) if not line.startswith("turn")]
    rounds = audit(push, a_round(stakes={}, start=[]))
    assert (breaches(rounds), len(rounds)) == ([("shuffle.missing", None)], 2)


@pytest.mark.parametrize(
    ("faces", "first"), [("1,1,1", 3), ("2,3,3", 8), ("3,3,3", 1), ("4,3,3", 2), ("6,6,5", 1), ("6,6,6", 2)]
)
def test_8_4_the_dice_name_the_first_box(faces: str, first: int) -> None:
    assert breaches(audit(a_round(dice=[f"dice {faces}"], deal=dealt(turns(first))))) == []
    wrong = first % 8 + 1
    rounds = audit(a_round(dice=[f"dice {faces}"], deal=dealt(turns(wrong))))
    assert breaches(rounds) == [("deal.first_box", f"box{wrong}")]
    assert rounds[0]["findings"][0]["expected"] == f"box{first}"


def test_8_4_weakly_read_dice_prove_nothing() -> None:
    rounds = audit(a_round(dice=["dice 2,1,3 conf=0.4"]))
    assert breaches(rounds) == []
    assert unsure(rounds) == [("deal.first_box", "box5")]


def test_8_4_dice_that_were_not_seen_prove_nothing() -> None:
    rounds = audit(a_round(dice=[]))
    assert breaches(rounds) == []
    assert unsure(rounds) == [("deal.first_box", "box5")]
    assert unsure(audit(dealt(turns(5)))) == []


def test_8_4_a_wrong_first_box_put_right_is_still_found() -> None:
    deal = [*dealt([6]), "gone box6 n=4 to=shoe", *dealt(turns(5))]
    assert breaches(audit(a_round(deal=deal))) == [("deal.first_box", "box6")]


def test_8_4_a_whole_deal_from_the_wrong_box_dealt_anew() -> None:
    deal = [*dealt(turns(6)), *[f"gone box{box} to=shoe" for box in BOXES], *dealt(turns(5))]
    rounds = audit(a_round(deal=deal))
    assert breaches(rounds) == [("deal.first_box", "box6")]
    assert len(rounds) == 1


def test_8_5_boxes_retrieved_while_the_deal_goes_on() -> None:
    deal: list[str] = []
    for box in turns(5):
        deal += [*dealt([box]), *([] if box < 3 else [f"gone box{box} n=4 to=discard"])]
    assert breaches(audit(a_round(deal=deal))) == []


def test_8_5_a_box_out_of_turn_put_right() -> None:
    deal = [*dealt([5, 6, 8]), "gone box8 to=shoe", *dealt([7, 8, 1, 2, 3, 4])]
    assert breaches(audit(a_round(deal=deal))) == [("deal.order", "box8")]


def test_8_4_the_first_two_boxes_exchanged() -> None:
    assert breaches(audit(a_round(deal=dealt([6, 5, 7, 8, 1, 2, 3, 4])))) == [("deal.first_box", "box6")]


def test_8_5_boxes_in_turn() -> None:
    assert breaches(audit(a_round(deal=dealt([5, 7, 6, 8, 1, 2, 3, 4])))) == [("deal.order", "box7")]
    clockwise = [5, 4, 3, 2, 1, 8, 7, 6]
    assert breaches(audit(a_round(deal=dealt(clockwise)))) == [("deal.order", "box4")]
    one_by_one = [f"tile box{box} ??" for _ in range(4) for box in turns(5)]
    assert breaches(audit(a_round(deal=one_by_one))) == [("deal.order", "box6")]


def test_8_5_a_box_passed_over() -> None:
    assert breaches(audit(a_round(deal=dealt([5, 6, 8, 1, 2, 3, 4])))) == [("deal.missed", "box7")]
    assert breaches(audit(a_round(deal=dealt([5, 6, 7, 8, 1, 2, 3])))) == [("deal.missed", "box4")]
    assert breaches(audit(a_round(deal=dealt([6, 7, 8, 1, 2, 3, 4])))) == [("deal.missed", "box5")]


def test_8_5_a_tile_too_many() -> None:
    deal = dealt(turns(5))
    deal.insert(deal.index("tile box8 ??"), "tile box7 ??")
    assert breaches(audit(a_round(deal=deal))) == [("deal.extra", "box7")]
    remedied = dealt(turns(5))
    at = remedied.index("tile box8 ??")
    remedied[at:at] = ["tile box7 ??", "gone box7 n=1 to=shoe"]
    assert breaches(audit(a_round(deal=remedied))) == [("deal.extra", "box7")]


def test_8_5_a_hand_of_three_or_six() -> None:
    deal = dealt(turns(5))
    deal.remove("tile box7 ??")
    assert breaches(audit(a_round(deal=deal))) == [("deal.count", "box7")]
    six = [*dealt([5, 6, 7]), *["tile box7 ??"] * 2, *dealt([8, 1, 2, 3, 4])]
    assert breaches(audit(a_round(deal=six))) == [("deal.count", "box7")]


@pytest.mark.parametrize("box", [6, 2, 4])
@pytest.mark.parametrize(
    ("number", "back", "kind"),
    [
        (1, ["gone box{} n=1 to=shoe"], "deal.extra"), (2, ["gone box{} n=2 to=shoe"], "deal.count"),
        (2, ["gone box{} n=1 to=shoe"] * 2, "deal.count"), (3, ["gone box{} n=3 to=shoe"], "deal.count"),
    ],
)  # fmt: skip
def test_8_5_tiles_too_many_taken_back(box: int, number: int, back: list[str], kind: str) -> None:
    boxes = turns(5)
    at = boxes.index(box) + 1
    deal = [*dealt(boxes[:at]), *[f"tile box{box} ??"] * number, *(line.format(box) for line in back)]
    rounds = audit(a_round(deal=[*deal, *dealt(boxes[at:])]))
    assert breaches(rounds) == [(kind, f"box{box}")]
    assert wager(rounds, "box2/main")["result"] == "win"


@pytest.mark.parametrize(("number", "kind"), [(1, "deal.extra"), (2, "deal.count"), (4, "deal.count")])
def test_13_11_tiles_moved_on_to_the_next_box_at_once(number: int, kind: str) -> None:
    """The tiles too many belong to the next box and are moved there before the deal goes on."""
    deal = [*dealt([5, 6]), *["tile box6 ??"] * number, f"gone box6 n={number} to=box7"]
    deal += [*dealt([7])[: 4 - number], *dealt([8, 1, 2, 3, 4])]
    assert breaches(audit(a_round(deal=deal))) == [(kind, "box6")]


def test_13_11_a_tile_moved_back_to_the_box_that_lacks_it() -> None:
    deal = [*dealt([5, 6])[:-1], "tile box7 ??", "gone box7 n=1 to=box6", *dealt([7, 8, 1, 2, 3, 4])]
    assert breaches(audit(a_round(deal=deal))) == [("deal.order", "box7")]


def test_8_5_a_gap_in_the_view_proves_nothing_of_the_deal() -> None:
    deal = [*dealt([5, 6]), "feed blocked", "feed back", *dealt([8, 1, 2, 3, 4])]
    rounds = audit(a_round(deal=deal))
    assert breaches(rounds) == []
    assert ("deal.missed", "box7") in unsure(rounds)


def test_8_5_a_deal_broken_off_is_not_short() -> None:
    lines = [*START, *stake({2: 50}), *DICE, *dealt([5, 6]), "call void dealer", *collected(5, 6)]
    rounds = audit(lines)
    assert breaches(rounds) == []
    assert rounds[0]["status"] == "void"
    assert wager(rounds, "box2/main")["result"] == "void"
    skipped = [*START, *stake({2: 50}), *DICE, *dealt([5, 7]), "call void dealer", *collected(5, 7)]
    assert breaches(audit(skipped)) == [("deal.missed", "box6")]


def test_8_5_tiles_of_boxes_without_a_wager_are_retrieved() -> None:
    lines = a_round()
    lines.remove("gone box4 n=4 to=discard")
    assert breaches(audit([*lines, *collected(4)])) == [("deal.no_wager", "box4")]
    left_lying = audit(lines)
    assert breaches(left_lying) == [("deal.no_wager", "box4")]
    assert left_lying[0]["status"] == "complete"
    pushed = a_round(hands={2: PUSH}, settled=[])
    pushed.remove("gone box4 n=4 to=discard")
    assert breaches(audit([*pushed, *collected(4)])) == [("deal.no_wager", "box4")]


def test_8_5_a_box_without_a_wager_is_not_played() -> None:
    rounds = audit(a_round(hands={2: WIN, 4: LOSE}))
    assert breaches(rounds) == [("deal.no_wager", "box4")]


def test_8_5_retrieved_after_a_wager_was_given_up() -> None:
    lines = [*START, *stake({2: 50, 3: 10}), *CLOSE, *DICE, *dealt(turns(5)), *taken(3), *collected(3)]
    lines += [f"gone box{box} n=4 to=discard" for box in range(4, 9)]
    assert breaches(audit([*lines, *shown(1, BANK), *shown(2, WIN), *paid(2, 100), *collected(2, 1)])) == []


# ---- 9: setting by players ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", [2, 7])
def test_9_1_the_high_part_is_the_higher(box: int) -> None:
    rounds = audit(a_round(stakes={box: 50}, hands={box: "yun yun / bon mooy"}, settled=taken(box)))
    assert breaches(rounds) == [("set.foul", f"box{box}")]


@pytest.mark.parametrize(
    ("option", "settled", "found"),
    [
        ("open", taken(2), []),  # it loses
        ("open", [], []),  # a push, as it lies and by the definitions alike
        ("open", paid(2, 100), ["payout.over"]),
        ("lose", taken(2), []),
        ("lose", [], ["payout.loser_paid"]),
        ("exchange", [], []),
        ("exchange", taken(2), ["payout.push_taken"]),
        ("as_set", [], []),
        ("as_set", taken(2), ["payout.push_taken"]),
    ],
)
def test_9_1_what_becomes_of_a_foul_hand_is_an_option(option: str, settled: list[str], found: list[str]) -> None:
    rounds = audit(a_round(hands={2: "yun yun / bon mooy"}, settled=settled), foul_hand=option)
    assert [kind for kind, _ in breaches(rounds)] == ["set.foul", *found]


def test_9_1_a_foul_hand_taken_by_nobody_known_may_have_lost() -> None:
    """Whoever took it: a foul hand may lose, so the stake may have gone to the house."""
    lines = a_round(hands={2: "yun yun / teen gow63"}, settled=["chips box2/main 0"])
    assert breaches(audit(lines)) == [("set.foul", "box2")]


def test_9_1_the_definitions_exchange_the_parts() -> None:
    """4 low and 9 high with Teen Wong low: as set low wins, high loses; exchanged it is the other way round."""
    lines = a_round(bank="chit52 mooy / bot62 foo", hands={2: "teen gow63 / bon ping"}, settled=[])
    for option in ("as_set", "exchange"):
        rounds = audit(lines, foul_hand=option)
        assert wager(rounds, "box2/main")["result"] == "push"


def test_9_2_a_hand_set_by_the_dealer_is_set_the_house_way() -> None:
    """High 6, low 6, Gee Jun and a 7: the high 6 goes into the Low Part (10.2(f))."""
    before = [*START, *stake({2: 50}), *CLOSE, *DICE, *dealt(turns(5)), *retrieved({1, 2})]
    before += shown(1, "gor mooy / teen tit")
    right, wrong = "chong chit52 / look gj6", "chong look / chit52 gj6"
    after = [*taken(2), *collected(2, 1)]
    assert breaches(audit([*before, *shown(2, right, "by=dealer"), *after])) == []
    assert breaches(audit([*before, *shown(2, wrong, "by=dealer"), *after])) == [("set.house_way", "box2")]
    assert breaches(audit([*before, *shown(2, wrong), *after])) == []


# ---- 10, 13.9: the house's hand ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "right", "wrong"),
    [
        ("10.1(a)", "gow63 chit52 / gor gor", "gor chit52 / gor gow63"),
        ("10.1(a)(i)", "teen gor / teen look", "gor look / teen teen"),
        ("10.1(a)(ii)", "gow63 ping / gow54 mooy", "mooy ping / gow63 gow54"),
        ("10.1(a)(iii)", "bot62 mooy / bot53 foo", "mooy foo / bot62 bot53"),
        ("10.1(a)(iv)", "chit52 mooy / day chit43", "day mooy / chit52 chit43"),
        ("10.1(b)", "mooy gor / teen tit", "gor tit / teen mooy"),
        ("10.1(c)", "ng41 foo / mooy look", "mooy ng41 / look foo"),
        ("10.2(a)", "teen foo / teen gow63", "gow63 foo / teen teen"),
        ("10.2(b)", "mooy tit / yun foo", "foo tit / yun mooy"),
        ("10.2(c)", "day ng32 / gj3 look", "day gj3 / look ng32"),
        ("10.2(d)", "gj6 mooy / gor ng41", "mooy ng41 / gor gj6"),
        ("10.2(e)", "yun gow63 / bot62 ping", "bot62 gow63 / yun ping"),
        ("10.2(f)", "chong chit52 / look gj6", "chong look / gj6 chit52"),
        ("10.2(g)", "gow63 bon / teen bot62", "bot62 bon / teen gow63"),
        ("10.2(h)", "look ng41 / chong foo", "chong ng41 / look foo"),
        ("10.2(i)", "bot62 bon / yun gow63", "yun bon / bot62 gow63"),
    ],
)
def test_10_the_house_sets_its_hand_the_house_way(clause: str, right: str, wrong: str) -> None:
    assert breaches(audit(a_round(bank=right, stakes={}, hands={}, settled=[]))) == []
    rounds = audit(a_round(bank=wrong, stakes={}, hands={}, settled=[]))
    assert breaches(rounds) == [("set.house_way", "box1")]
    assert rounds[0]["findings"][0]["rule"] == f"NI2002-45 Pai Gow {clause}"


def test_10_results_follow_the_correct_setting() -> None:
    """Wrongly set 2-3 the house loses both parts to 4-5; set 3-9 it wins the High Part."""
    wrong, hand = "chong look / chit52 gj6", "bon mooy / ng41 ping"
    rounds = audit(a_round(bank=wrong, hands={2: hand}, settled=[]))
    assert breaches(rounds) == [("set.house_way", "box1")]
    assert wager(rounds, "box2/main")["result"] == "push"
    as_it_lay = audit(a_round(bank=wrong, hands={2: hand}, settled=paid(2, 100)))
    assert breaches(as_it_lay) == [("set.house_way", "box1"), ("payout.over", "box2/main")]


def test_10_an_option_changes_the_house_way() -> None:
    """Teen, Teen, 4 and Gee Jun: 7-pair, or 6-8 to the letter of 10.1(a)(i)."""
    lines = a_round(bank="gor gj3 / teen teen", stakes={}, hands={}, settled=[])
    assert breaches(audit(lines)) == breaches(audit(lines, worse_split="keep")) == []
    assert breaches(audit(lines, worse_split="split")) == [("set.house_way", "box1")]
    split = a_round(bank="gor teen / gj3 teen", stakes={}, hands={}, settled=[])
    assert breaches(audit(split)) == breaches(audit(split, worse_split="split")) == []
    assert breaches(audit(split, worse_split="keep")) == [("set.house_way", "box1")]


def test_13_9_a_wrong_setting_put_right_before_settlement() -> None:
    lines = a_round()
    at = next(i for i, line in enumerate(lines) if line.startswith("set box1"))
    lines.insert(at, "set box1 day,look ng32,gj3")
    assert breaches(audit(lines)) == []
    lines = a_round()
    lines.insert(lines.index("chips box2/main 0 player"), "set box1 day,look ng32,gj3")
    assert breaches(audit(lines)) == []  # moved about after settlement
    lines = a_round(bank="day look / ng32 gj3")
    lines.insert(lines.index("chips box2/main 0 player"), "set box1 day,ng32 gj3,look")
    assert breaches(audit(lines))[0] == ("set.house_way", "box1")  # put right after settlement only


def test_13_9_a_wager_given_up_before_the_house_set_its_hand_settles_nothing() -> None:
    lines = [*START, *stake({2: 50, 3: 10}), *CLOSE, *DICE, *dealt(turns(5)), *retrieved({1, 2, 3}), *taken(3)]
    lines += [*shown(1, "day look / ng32 gj3"), "set box1 day,ng32 gj3,look", *shown(2, WIN), *paid(2, 100)]
    assert breaches(audit([*lines, *collected(3, 2, 1)])) == []


# ---- 11: settlement ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bank", "hand", "result", "rule"),
    [
        (BANK, WIN, "win", "11.8"),
        (BANK, "chong day / bon ng41", "win", "11.8"),  # 11.2: 8 over 7, and 9 with Bon over 9 with Look
        (BANK, PUSH, "push", "11.3"),
        (BANK, LOSE, "lose", "11.4"),
        (BANK, "ng41 foo / look gj6", "lose", "11.5"),  # the same 9
        ("mooy ping / teen teen", "gow63 foo / yun yun", "lose", "11.6"),
        ("gow63 foo / tit tit", "mooy ping / yun yun", "push", "11.3"),  # 11.6: nought each, though Mooy is higher
    ],
)
def test_11_results(bank: str, hand: str, result: str, rule: str) -> None:
    settled = {"win": paid(2, 100), "push": ["chips box2/main 0 player"], "lose": taken(2)}[result]
    rounds = audit(a_round(bank=bank, hands={2: hand}, settled=settled))
    assert breaches(rounds) == unsure(rounds) == []
    assert (wager(rounds, "box2/main")["result"], wager(rounds, "box2/main")["rule"]) == (result, rule)


@pytest.mark.parametrize(
    ("hand", "settled", "kind"),
    [
        (WIN, paid(2, 75), "payout.short"),
        (WIN, ["chips box2/main 0 player"], "payout.missed"),
        (WIN, paid(2, 125), "payout.over"),
        (WIN, taken(2), "payout.winner_taken"),
        (LOSE, paid(2, 100), "payout.loser_paid"),
        (LOSE, ["chips box2/main 0 player"], "payout.loser_paid"),
        (PUSH, taken(2), "payout.push_taken"),
        (PUSH, paid(2, 100), "payout.over"),
        ("ng41 foo / look gj6", ["chips box2/main 0 player"], "payout.loser_paid"),  # 11.5
    ],
)
def test_11_wrong_settlement(hand: str, settled: list[str], kind: str) -> None:
    assert breaches(audit(a_round(hands={2: hand}, settled=settled))) == [(kind, "box2/main")]


def test_11_2_equal_points_are_decided_by_the_higher_tile() -> None:
    """9 with Look against 9 with Bon, the other part lost: a push, not a loss."""
    rounds = audit(a_round(hands={2: "chong mooy / bon ng41"}, settled=taken(2)))
    assert breaches(rounds) == [("payout.push_taken", "box2/main")]


def test_11_6_nought_each_in_the_low_part_is_the_banks() -> None:
    lines = a_round(bank="gow63 foo / tit tit", hands={2: "mooy ping / yun yun"}, settled=paid(2, 100))
    assert breaches(audit(lines)) == [("payout.over", "box2/main")]


def test_11_7_a_wager_taken_without_the_hand_being_displayed() -> None:
    lines = [*START, *stake({2: 50}), *CLOSE, *DICE, *dealt(turns(5)), *retrieved({1, 2}), *shown(1, BANK)]
    rounds = audit([*lines, *taken(2), *collected(2, 1)])
    assert breaches(rounds) == unsure(rounds) == []
    assert wager(rounds, "box2/main")["result"] == "lose"
    rounds = audit([*lines, *paid(2, 100), *collected(2, 1)])
    assert breaches(rounds) == []
    assert wager(rounds, "box2/main")["result"] is None


def shown_first(before: list[str], after: list[str], hand: str = WIN) -> list[Answer]:
    """Box two shows its hand before the Bank: what the dealer did before and after the Bank's was opened."""
    lines = [*START, *stake({2: 50}), *CLOSE, *DICE, *dealt(turns(5)), *retrieved({1, 2}), *shown(2, hand)]
    return audit([*lines, *before, *shown(1, BANK), *after, *collected(2, 1)])


def test_11_1_a_winner_is_not_paid_before_the_banks_tiles_are_turned_up() -> None:
    early = shown_first(paid(2, 100), [])
    assert breaches(early) == [("payout.order", "box2/main")]
    assert early[0]["findings"][0]["rule"] == "NI2002-45 Pai Gow 11.1"
    assert wager(early, "box2/main")["paid"] == 50
    assert breaches(shown_first([], paid(2, 100))) == []
    in_the_middle = [*shown(1, BANK)[:2], *paid(2, 100)]
    assert breaches(shown_first(in_the_middle, [])) == [("payout.order", "box2/main")]


def test_11_1_a_wrong_payment_before_its_time_is_told_once() -> None:
    assert breaches(shown_first(paid(2, 90), [])) == [("payout.short", "box2/main")]
    assert breaches(shown_first(paid(2, 100), [], LOSE)) == [("payout.loser_paid", "box2/main")]


def test_11_1_what_is_no_proof_of_an_early_payment() -> None:
    taken_back = ["chips box2/main 100 dealer", "chips box2/main 50 dealer"]
    assert breaches(shown_first(taken_back, paid(2, 100))) == []
    assert breaches(shown_first(taken(2), [], LOSE)) == []  # given up (11.7)
    assert breaches(shown_first(["feed lost", "feed back", *paid(2, 100)], [])) == []
    nobody_known = ["chips box2/main 100", "chips box2/main 0"]
    assert breaches(shown_first(nobody_known, [])) == []
    weak = shown_first(["chips box2/main 100 dealer conf=0.4", "chips box2/main 0 player"], [])
    assert breaches(weak) == []
    assert unsure(weak) == [("payout.order", "box2/main")]


def test_11_8_no_commission_is_held_back() -> None:
    rounds = audit(a_round(settled=paid(2, 97.5)))
    assert breaches(rounds) == [("payout.short", "box2/main")]
    assert (rounds[0]["findings"][0]["expected"], rounds[0]["findings"][0]["observed"]) == (50, 47.5)


def test_wagers_are_settled_in_any_order() -> None:
    hands = {2: WIN, 5: LOSE, 8: "chong mooy / bon ng41"}
    settled = ["chips box8/main 0 player", *taken(5), *paid(2, 100)]
    rounds = audit(a_round(stakes={2: 50, 5: 20, 8: 10}, hands=hands, settled=settled))
    assert breaches(rounds) == unsure(rounds) == []
    assert [each["result"] for each in rounds[0]["wagers"]] == ["win", "lose", "push"]


# ---- 13: irregularities ------------------------------------------------------------------------------------------


def test_13_1_a_die_that_does_not_lie_flat() -> None:
    again = a_round(dice=["dice 2,null,2", "dice 2,1,2"])
    assert breaches(audit(again)) == []
    assert len(audit(again)) == 1
    assert breaches(audit(a_round(dice=["dice 2,null,2"]))) == [("deal.first_box", "box5")]
    assert unsure(audit(a_round(dice=["dice 2,null,2 conf=0.3"]))) == [("deal.first_box", "box5")]


def test_13_1_dealt_on_a_cocked_die_and_begun_anew() -> None:
    deal = [*dealt(turns(3)), *[f"gone box{box} to=shoe" for box in BOXES], *DICE, *dealt(turns(5))]
    rounds = audit(a_round(dice=["dice 1,null,1"], deal=deal))
    assert breaches(rounds) == [("deal.first_box", "box3")]
    assert len(rounds) == 1
    assert wager(rounds, "box2/main")["result"] == "win"


@pytest.mark.parametrize("exposed", ["tile shoe teen", "turn shoe teen", "tile shoe ?? up=true"])
def test_13_2_a_tile_exposed_in_the_shuffle_is_a_misdeal(exposed: str) -> None:
    start = ["shuffle dealer", exposed, "cut dealer"]
    rounds = audit(a_round(start=start))
    assert breaches(rounds) == [("deal.exposed", "shoe"), ("round.not_voided", None)]
    assert wager(rounds, "box2/main")["result"] == "void"


def test_13_3_hands_compared_after_a_tile_was_exposed_in_the_shuffle_prove_that_it_was_not_void() -> None:
    rounds = audit(a_round(start=["shuffle dealer", "tile shoe teen", "cut dealer"], hands={2: PUSH}, settled=[]))
    assert breaches(rounds) == [("deal.exposed", "shoe"), ("round.not_voided", None)]


def test_13_2_money_in_a_round_that_should_be_void_is_not_reported_again() -> None:
    rounds = audit(a_round(start=["shuffle dealer", "tile shoe teen"], settled=taken(2)))
    assert breaches(rounds) == [("deal.exposed", "shoe"), ("round.not_voided", None)]


def test_13_2_face_down_or_by_a_player_or_before_the_shuffle() -> None:
    for start in (
        ["shuffle dealer", "tile shoe ??"],
        ["shuffle dealer", "tile shoe teen up=false"],
        ["shuffle dealer", "tile shoe teen by=player"],
        ["tile shoe teen", "tile shoe day", "shuffle dealer"],
    ):
        assert breaches(audit(a_round(start=start))) == []


def test_13_3_a_misdeal_is_a_round_of_its_own() -> None:
    start = ["chips box2/main 50 player", "shuffle dealer", "tile shoe teen", "call misdeal dealer", *START]
    rounds = audit(a_round(start=start, stakes={}))
    assert breaches(rounds) == [("deal.exposed", "shoe")]
    assert [each["status"] for each in rounds] == ["misdeal", "complete"]
    assert wager(rounds, "box2/main")["result"] == "void"
    assert wager(rounds, "box2/main", 1)["result"] == "win"


def test_13_3_a_misdeal_is_followed_by_a_new_shuffle() -> None:
    start = ["shuffle dealer", "tile shoe teen", "call misdeal dealer"]
    rounds = audit(a_round(start=start))
    assert breaches(rounds) == [("deal.exposed", "shoe"), ("shuffle.missing", None)]


def test_13_3_shuffled_anew_without_a_word() -> None:
    rounds = audit(a_round(start=["shuffle dealer", "tile shoe teen", *START]))
    assert breaches(rounds) == [("deal.exposed", "shoe")]
    assert wager(rounds, "box2/main")["result"] == "win"


def test_13_5_the_house_plays_with_exposed_tiles() -> None:
    deal = dealt(turns(5))
    deal[deal.index("tile box1 ??")] = "tile box1 day"
    lines = a_round(deal=deal)
    turned_again = [*lines]
    lines.remove("turn box1 day")
    for each in (lines, turned_again):
        rounds = audit(each)
        assert breaches(rounds) == [("deal.exposed", "box1")]
        assert wager(rounds, "box2/main")["result"] == "win"


def test_13_6_a_player_may_expose_tiles() -> None:
    deal = [*dealt(turns(5)), "turn box2 teen by=player"]
    lines = a_round(deal=deal, hands={2: "day gow54 / teen teen"})
    lines.remove("turn box2 teen")
    assert breaches(audit(lines)) == unsure(audit(lines)) == []


def exposing(*names: str) -> list[str]:
    """A round in which box2's hand is dealt with those tiles face up."""
    deal = dealt(turns(5))
    at = deal.index("tile box2 ??")
    deal[at : at + len(names)] = [f"tile box2 {name}" for name in names]
    lines = a_round(deal=deal)
    for name in names:
        lines.remove(f"turn box2 {name}")
    return lines


def test_13_7_an_open_tile_turned_once_more_is_the_same_tile() -> None:
    deal = dealt(turns(5))
    deal[deal.index("tile box2 ??")] = "tile box2 gow54"
    rounds = audit(a_round(deal=deal))
    assert breaches(rounds) == [("deal.exposed", "box2")]
    assert wager(rounds, "box2/main")["result"] == "win"


def test_13_7_one_tile_exposed_by_the_dealer() -> None:
    rounds = audit(exposing("teen"))
    assert breaches(rounds) == [("deal.exposed", "box2")]
    assert rounds[0]["findings"][0]["rule"].endswith("13.7")
    assert wager(rounds, "box2/main")["result"] == "win"


def test_13_7_a_tile_turned_over_by_the_dealer() -> None:
    turned = ["turn box2 teen by=dealer", "turn box2 teen up=false"]
    during = dealt(turns(5))
    during[-2:-2] = turned
    for deal in (during, [*dealt(turns(5)), *turned]):
        rounds = audit(a_round(deal=deal, hands={2: "gow54 day / teen teen"}))
        assert breaches(rounds) == [("deal.exposed", "box2")]
        assert wager(rounds, "box2/main")["result"] == "win"


def test_13_7_hands_opened_by_the_dealer_before_the_banks() -> None:
    lines = [*START, *stake({2: 50}), *CLOSE, *DICE, *dealt(turns(5)), *retrieved({1, 2})]
    lines += [line + " by=dealer" for line in shown(2, WIN)[:-1]]
    lines += [shown(2, WIN)[-1], *shown(1, BANK), *paid(2, 100), *collected(2, 1)]
    assert breaches(audit(lines)) == []


def test_13_8_two_exposed_tiles_let_the_player_call_the_hand_void() -> None:
    played = audit(exposing("teen", "gow54"))
    assert breaches(played) == [("deal.exposed", "box2")]
    assert wager(played, "box2/main")["result"] == "win"
    returned = ["chips box2/main 0 player"]
    for settled, found in ((returned, []), (taken(2), ["payout.push_taken"]), (paid(2, 100), ["payout.over"])):
        lines = exposing("teen", "gow54")
        start = lines.index(retrieved({1, 2})[0])
        lines = [*lines[:start], "call void box2 player", *collected(2), *retrieved({1, 2}), *shown(1, BANK), *settled]
        rounds = audit([*lines, *collected(1)])
        assert [kind for kind, _ in breaches(rounds)] == ["deal.exposed", *found]
        assert wager(rounds, "box2/main")["result"] == "void"
        assert rounds[0]["status"] == "complete"


def test_13_11_tiles_put_where_they_belong() -> None:
    """Box two got five tiles and box three three; the fifth is moved on before the hands are opened."""
    deal = [*dealt([5, 6, 7, 8, 1, 2]), "tile box2 ??", *dealt([3])[:3], *dealt([4]), "gone box2 n=1 to=box3"]
    hands = {2: WIN, 3: LOSE}
    lines = a_round(stakes={2: 50, 3: 50}, hands=hands, deal=deal, settled=[*paid(2, 100), *taken(3)])
    assert breaches(audit(lines)) == [("deal.extra", "box2"), ("deal.count", "box3")]


def test_13_12_an_error_found_later_stands() -> None:
    rounds = audit(a_round(deal=dealt(turns(6))), a_round())
    assert breaches(rounds) == [("deal.first_box", "box6")]
    assert wager(rounds, "box2/main")["result"] == "win"


def test_16_4_a_void_round() -> None:
    lines = a_round(settled=["call void dealer", "chips box2/main 0 player"])
    rounds = audit(lines)
    assert breaches(rounds) == []
    assert rounds[0]["status"] == "void"
    assert wager(rounds, "box2/main")["result"] == "void"


# ---- 17: tournaments ---------------------------------------------------------------------------------------------


def marked(box: int, order: Iterable[int], extra: Iterable[str] = ()) -> list[str]:
    stakes = dict.fromkeys(order, 50.0)
    hands = {2: WIN, 4: LOSE, 7: "chong foo / bon ng41"}
    settled = [*paid(2, 100), *taken(4), "chips box7/main 0 player"]
    start, close = [*START, f"marker box{box}"], [*extra, *CLOSE]
    return a_round(start=start, stakes=stakes, hands=hands, settled=settled, close=close)


def test_17_13_every_player_stakes_the_minimum() -> None:
    rounds = audit(a_round(), tournament=True, min=60)
    assert breaches(rounds) == [("bet.limit", "box2/main")]
    assert rounds[0]["findings"][0]["rule"].endswith("17.13")


def test_17_14_wagers_go_anticlockwise_from_the_marker() -> None:
    assert breaches(audit(marked(4, [4, 7, 2]), tournament=True)) == []
    assert breaches(audit(marked(4, [4, 2, 7]), tournament=True)) == [("bet.order", "box2/main")]
    assert breaches(audit(marked(4, [4, 2, 7]))) == []


def test_17_14_a_wager_is_not_changed_after_the_turn() -> None:
    changed = marked(4, [4, 7, 2], ["chips box4/main 60 player"])
    assert breaches(audit(changed, tournament=True)) == [("bet.moved", "box4/main")]
    assert breaches(audit(changed)) == []


def test_def_marker_nobody_plays_on_box_one() -> None:
    """A wager on the house's box makes no player there for the marker to go to."""
    hands = {2: WIN, 6: PUSH}
    first = ["marker box2", *a_round(stakes={2: 50, 1: 20}, settled=[*paid(2, 100), "chips box1/main 0 player"])]
    second = ["marker box2", *a_round(stakes={2: 50, 6: 50}, hands=hands)]
    assert breaches(audit(first, second, tournament=True)) == [("bet.invalid", "box1/main")]
    changed = [*START, "marker box2", *stake({2: 50, 1: 20}), "chips box2/main 80 player"]
    lines = a_round(start=changed, stakes={}, settled=paid(2, 160))
    assert breaches(audit(lines, tournament=True)) == [("bet.invalid", "box1/main")]


def test_def_marker_it_moves_one_player_anticlockwise() -> None:
    assert breaches(audit(marked(4, [4, 7, 2]), marked(7, [7, 2, 4]), marked(2, [2, 4, 7]), tournament=True)) == []
    assert breaches(audit(marked(4, [4, 7, 2]), marked(4, [4, 7, 2]), tournament=True)) == [("button.move", None)]
    assert breaches(audit(marked(4, [4, 7, 2]), marked(2, [2, 4, 7]), tournament=True)) == [("button.move", None)]


# ---- weak and missing reads --------------------------------------------------------------------------------------


def weakened(lines: list[str], start: str, conf: float = 0.4) -> list[str]:
    """The first line that begins so is a weak read."""
    at = next(i for i, line in enumerate(lines) if line.startswith(start))
    return [*lines[:at], f"{lines[at]} conf={conf}", *lines[at + 1 :]]


def replaced(lines: list[str], start: str, line: str | None) -> list[str]:
    at = next(i for i, each in enumerate(lines) if each.startswith(start))
    return [*lines[:at], *([line] if line else []), *lines[at + 1 :]]


def test_weak_a_setting_of_the_house_that_was_weakly_read() -> None:
    rounds = audit(weakened(a_round(bank="day look / ng32 gj3"), "set box1"))
    assert breaches(rounds) == []
    assert unsure(rounds) == [("set.house_way", "box1")]
    assert wager(rounds, "box2/main")["result"] == "win"


def test_weak_a_tile_of_the_house_on_which_the_setting_hangs() -> None:
    wrong = weakened(a_round(bank="chong look / gj6 chit52"), "turn box1 gj6")
    rounds = audit(replaced(wrong, "set box1", "set box1 chong,look ??,chit52"))
    assert breaches(rounds) == []
    assert unsure(rounds) == [("set.house_way", "box1")]


def test_weak_a_setting_does_not_make_a_weakly_turned_tile_sure() -> None:
    rounds = audit(weakened(a_round(bank="chong look / gj6 chit52"), "turn box1 gj6"))
    assert breaches(rounds) == []
    assert ("set.house_way", "box1") in unsure(rounds)
    rounds = audit(weakened(a_round(settled=paid(2, 50)), "turn box2 gow54"))
    assert breaches(rounds) == []
    assert [at for _, at in unsure(rounds)] == ["box2/main"]
    assert wager(rounds, "box2/main")["result"] is None


def test_weak_a_weak_setting_that_repeats_a_sure_one() -> None:
    again = "set box1 day,look ng32,gj3 conf=0.3"
    lines = a_round(bank="day look / ng32 gj3")
    at = next(index for index, line in enumerate(lines) if line.startswith("set box1"))
    assert breaches(audit([*lines[: at + 1], again, *lines[at + 1 :]])) == [("set.house_way", "box1")]
    reset = "set box1 day,ng32 look,gj3 conf=0.3"
    rounds = audit([*lines[: at + 1], reset, *lines[at + 1 :]])
    assert breaches(rounds) == []
    assert unsure(rounds) == [("set.house_way", "box1")]


def test_weak_a_tile_that_does_not_matter() -> None:
    """4 against 7 loses the Low Part, whatever lies high: to pay it is wrong in any case."""
    lines = replaced(a_round(hands={2: LOSE}, settled=paid(2, 100)), "turn box2 ping", "turn box2 ??")
    rounds = audit(replaced(lines, "set box2", "set box2 bon,mooy chong,??"))
    assert [kind for kind, _ in breaches(rounds)] == ["payout.loser_paid"]
    assert wager(rounds, "box2/main")["result"] is None


def test_weak_a_tile_on_which_the_result_hangs() -> None:
    """Day with a 9 wins the Low Part; with most other tiles it does not, but a Teen pair is never beaten."""
    lines = replaced(a_round(hands={2: WIN}), "turn box2 gow54", "turn box2 gow54 conf=0.3")
    rounds = audit(replaced(lines, "set box2", "set box2 day,?? teen,teen"))
    assert breaches(rounds) == []
    assert unsure(rounds) == [("payout.over", "box2/main")]
    assert wager(rounds, "box2/main")["result"] is None
    lines = replaced(a_round(settled=taken(2)), "turn box2 gow54", "turn box2 gow54 conf=0.3")
    assert [kind for kind, _ in breaches(audit(lines))] == ["payout.winner_taken"]


def test_weak_half_a_setting_not_seen() -> None:
    """Two names in one part are enough: the other two tiles lie in the other."""
    rounds = audit(replaced(a_round(settled=taken(2)), "set box2", "set box2 ??,?? teen,teen"))
    assert breaches(rounds) == [("payout.winner_taken", "box2/main")]
    bank = audit(replaced(a_round(bank="day look / ng32 gj3"), "set box1", "set box1 day,look ??,??"))
    assert breaches(bank) == [("set.house_way", "box1")]
    open_bank = audit(replaced(a_round(bank="day look / ng32 gj3"), "set box1", "set box1 day,?? ng32,??"))
    assert breaches(open_bank) == [("set.house_way", "box1")]  # day-look or day-gj3, never day-ng32
    right = audit(replaced(a_round(), "set box1", "set box1 day,?? look,??"))
    assert breaches(right) == []
    assert unsure(right) == [("set.house_way", "box1")]


def test_weak_no_setting_of_the_house_was_seen() -> None:
    rounds = audit(replaced(a_round(), "set box1", None))
    assert breaches(rounds) == unsure(rounds) == []
    assert wager(rounds, "box2/main")["result"] == "win"


def test_weak_no_setting_of_a_player_was_seen() -> None:
    """Day, 8, 8 and 7 beat 1-9 in any way they can be set; Yun, Yun, 4 and 10 push kept together, lose split."""
    lines = a_round(bank="foo ping / mooy gow63", hands={2: "day chit43 / bot62 yun"})
    rounds = audit(replaced(lines, "set box2", None))
    assert breaches(rounds) == unsure(rounds) == []
    assert wager(rounds, "box2/main")["result"] == "win"
    rounds = audit(replaced(a_round(hands={2: PUSH}, settled=[]), "set box2", None))
    assert breaches(rounds) == []
    assert wager(rounds, "box2/main")["result"] is None
    never_right = audit(replaced(a_round(hands={2: LOSE}, settled=paid(2, 100)), "set box2", None))
    assert breaches(never_right) == [("payout.loser_paid", "box2/main")]


def test_weak_the_setting_alone_shows_the_tiles() -> None:
    lines = [line for line in a_round(settled=taken(2)) if not line.startswith("turn")]
    assert breaches(audit(lines)) == [("payout.winner_taken", "box2/main")]


def test_weak_a_player_hand_set_foul_or_not() -> None:
    rounds = audit(weakened(a_round(hands={2: "yun yun / bon mooy"}, settled=taken(2)), "set box2"))
    assert breaches(rounds) == []
    assert ("set.foul", "box2") in unsure(rounds)


def test_weak_an_unread_tile_leaves_the_result_open() -> None:
    lines = replaced(a_round(hands={2: LOSE}, settled=taken(2)), "turn box2 ping", "turn box2 ??")
    rounds = audit(replaced(lines, "set box2", "set box2 bon,mooy chong,??"))
    assert breaches(rounds) == []
    assert ("payout.push_taken", "box2/main") in unsure(rounds)
    assert wager(rounds, "box2/main")["result"] is None


def test_weak_more_left_open_than_can_be_tried() -> None:
    lines = a_round(hands={2: LOSE}, settled=taken(2))
    for name in ("bon", "mooy", "chong", "ping"):
        lines = replaced(lines, f"turn box2 {name}", "turn box2 ??")
    rounds = audit(replaced(lines, "set box2", None))
    assert breaches(rounds) == []
    assert unsure(rounds) == [("payout.winner_taken", "box2/main")]
    assert wager(rounds, "box2/main")["result"] is None


def test_weak_a_tile_that_was_turned_down_again_keeps_its_name() -> None:
    deal = [*dealt(turns(5)), "turn box2 teen by=player", "turn box2 teen up=false"]
    rounds = audit(a_round(deal=deal, hands={2: "gow54 day / teen teen"}))
    assert rounds[0]["hands"]["box2"].count("teen") == 2
    assert breaches(rounds) == []


def test_view_lost_during_settlement() -> None:
    rounds = audit(a_round(settled=["feed lost", "feed back"]))
    assert breaches(rounds) == []
    assert unsure(rounds) == [("view.gap", None)]
    assert wager(rounds, "box2/main")["paid"] is None


def test_view_lost_between_setting_and_settlement() -> None:
    lines = a_round(bank="day look / ng32 gj3", settled=["feed lost", "feed back", *paid(2, 100)])
    rounds = audit(lines)
    assert breaches(rounds) == []
    assert ("set.house_way", "box1") in unsure(rounds)


# ---- options -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("gee_jun", "first"), ("gong_any", 1), ("second_order", "high_nine"), ("chong_test", "last"),
        ("worse_split", "never"), ("outranked_4_5", "keep"), ("zero_rule", "high"), ("foul_hand", "win"), ("decks", 6),
    ],
)  # fmt: skip
def test_options_that_cannot_be_are_refused(option: str, value: Any) -> None:
    with pytest.raises(Exception, match=option):
        answers(written("act-paigow", "shuffle", **{option: value}))


def test_3_1_whether_yun_makes_a_gong_is_an_option() -> None:
    """Teen with Yun beats 7 as a Gong, and loses as nought."""
    lines = a_round(hands={2: "teen yun / gow63 gow54"})
    assert breaches(audit(lines)) == []
    assert breaches(audit(lines, gong_any=False)) == [("payout.over", "box2/main")]


def test_options_as_they_may_be() -> None:
    options = {"gee_jun": "by_value", "second_order": "wong", "chong_test": "first", "outranked_4_5": "letter"}
    assert breaches(audit(a_round(), zero_rule="both", **options)) == []


# ---- many rounds -------------------------------------------------------------------------------------------------


def test_random_rounds_dealt_and_settled_by_the_rules_are_clean() -> None:
    chance = random.Random(11)
    for _ in range(60):
        pool = list(tiles.FULL_SET)
        chance.shuffle(pool)
        faces = [chance.randint(1, 6) for _ in range(3)]
        boxes = sorted(chance.sample(range(2, 9), chance.randint(1, 7)))
        hands = {box: pool[4 * box - 4 : 4 * box] for box in (1, *boxes)}
        parts = {box: house_way(hand).settings[0] for box, hand in hands.items()}
        names = {box: " / ".join(" ".join(map(tiles.name, part)) for part in setting) for box, setting in parts.items()}
        settled = []
        for box in boxes:
            result = tiles.settle(*parts[1], *parts[box]).result
            settled += {"win": paid(box, 40), "lose": taken(box), "push": [f"chips box{box}/main 0 player"]}[result]
        bank = names.pop(1)
        lines = a_round(
            stakes=dict.fromkeys(boxes, 20), bank=bank, hands=names, settled=settled,
            dice=[f"dice {','.join(map(str, faces))}"], deal=dealt(turns((sum(faces) - 1) % 8 + 1)),
        )  # fmt: skip
        rounds = audit(lines)
        assert breaches(rounds) == unsure(rounds) == []
