"""Tasmanian 5 Card Stud (variation 2/18, part B), clause by clause."""

from itertools import pairwise

from typing import Any

import pytest

from auditor.house import read_house
from auditor.log import FairdealError
from auditor.rulebooks.tas_stud import TasStudHouse
from poker_hands import Hand

# box1: ace, king, eight, four; box2: queen, jack, seven, three; box3 the six.
UP = ("As Qs 6h", "Kd Jd", "8h 7c", "4c 3h")


def table(boxes: tuple[int, ...] = (1, 2, 3), stack: float = 300, **house: Any) -> Hand:
    """A table with a minimum wager of 2."""
    return Hand("tas-stud", boxes, stack, **({"min": 2, "commission": "capped"} | house))


def started(hand: Hand, up: str = UP[0]) -> Hand:
    """Antes, the down cards, the first up cards."""
    return hand.antes(2).deal(up)


def first_round(hand: Hand) -> Hand:
    """box1 opens, box2 calls, box3 folds."""
    return started(hand).bet(1, 3).bet(2, 3).fold(3).sweep()


def to_the_end(hand: Hand, *streets: str, last: float = 2) -> Hand:
    """Check through the streets, the highest hand first; in the last one box1 bets, for box2 could not check (12.3)."""
    *checked, final = streets or UP[1:]
    for cards in checked:
        hand.up(cards).check(1, 2)
    return hand.up(final).bet(1, last).bet(2, last).sweep()


def shown(hand: Hand, winner: int = 1, hole: dict[int, str] | None = None) -> Hand:
    """Hole cards, award, collection."""
    for box, card in (hole or {1: "9s", 2: "2d"}).items():
        hand.show(box, card)
    return hand.award(winner).collect()


def test_a_right_hand() -> None:
    hand = shown(to_the_end(first_round(table())))
    assert hand.breaches() == []
    assert hand.pots()[0]["winners"] == {"box1": 16}


def test_14_1_the_best_hand_wins() -> None:
    assert shown(to_the_end(first_round(table())), 2).breaches() == [("pot.winner", "pot")]
    assert shown(to_the_end(first_round(table())), 2, {1: "9s", 2: "Jc"}).breaches() == []


def test_14_2_the_reduced_deck_ranks_a_flush_over_fours() -> None:
    hand = started(table(deck=32), "As 9d 7h").bet(1, 3).bet(2, 3).fold(3).sweep()
    for cards, first in (("Ks 9c", 2), ("8s 9h", 2), ("Ts 9s", 2)):
        hand.up(cards).check(first, 3 - first)
    hand.show(1, "Qs").show(2, "7c")
    assert hand.award(1).collect().breaches() == []


def all_in(deck: int, first: str, second: str) -> Hand:
    """Two players all in from the start, with these hands; the third folds."""
    one, two = first.split(), second.split()
    hand = table((1, 2, 3), stack=4, deck=deck).antes(2).card("box1").card("box2").card("box3")
    hand.card("box1", one[1]).card("box2", two[1]).card("box3", "7h")
    ranks = "23456789TJQKA"
    if ranks.index(one[1][0]) >= ranks.index(two[1][0]):
        hand.bet(1, 2).bet(2, 2).fold(3)
    else:
        hand.bet(2, 2).fold(3).bet(1, 2)
    hand.sweep()
    for street in (2, 3, 4):
        hand.card("box1", one[street]).card("box2", two[street])
    return hand.show(1, one[0]).show(2, two[0])


@pytest.mark.parametrize(
    ("deck", "hands"),
    [
        (52, ("As Ks Qs Js Ts", "9d Kd Qd Jd Td",
              "9s 9h 9c 9d Ad", "Kc Kh Kd Jh Jc", "Kd Jd 9d 8d 5d", "Kh Qc Jc Ts 9d",
              "4h 5c 3c 2s Ad", "Qs Qh Qd 8c 5c", "Qs Qh 8d 8c Jc", "Ts Th Kd 9c 2c", "Qs Th 8d 4c 3c")),
        (32, ("As Ks Qs Js Ts", "9d Kd Qd Jd Td",
              "Kd Jd 9d 8d 7d", "9s 9h 9c 9d Ad", "Kc Kh Kd Jh Jc", "Kh Qc Jc Ts 9d",
              "Th 9c 8c 7s Ad", "Qs Qh Qd 8c 7c", "Qs Qh 8d 8c Jc", "Ts Th Kd 9c 7c", "Qs Th 8d 9c 7c")),
    ],
)  # fmt: skip
def test_14_1_and_14_2_rows(deck: int, hands: tuple[str, ...]) -> None:
    for better, worse in pairwise(hands):
        if set(better.split()) & set(worse.split()) or "7h" in better + worse:
            continue
        assert all_in(deck, better, worse).award(1).collect().breaches() == [], (better, worse)
        assert all_in(deck, better, worse).award(2).collect().breaches() == [("pot.winner", "pot")], (better, worse)


def test_2_4_at_least_three_players() -> None:
    hand = table((1, 2)).antes(2).deal("As Qs").bet(1, 2).fold(2).back(1, 0).award(1).collect()
    assert hand.breaches() == [("table.players", None)]
    freeze = table((1, 2), freeze_out=True).antes(2).deal("As Qs").bet(1, 2).fold(2).back(1, 0).award(1).collect()
    assert freeze.breaches() == []


def test_2_4_17_4_who_was_passed_over_is_a_player_all_the_same() -> None:
    hand = table().antes(2)
    for card in ("??", "As"):
        hand.card("box1", card).card("box2", card.replace("As", "Qs"))
    hand.bet(1, 2).fold(2).back(1, 0).award(1).collect()
    assert sorted(hand.breaches(), key=str) == [("deal.missed", "box3"), ("round.not_voided", None)]


def test_3_4_the_reduced_deck_takes_three_to_five_players() -> None:
    hand = table((1, 2, 3, 4, 5, 6), deck=32).antes(2).deal("As Qs Th Jc 9d 8d").bet(1, 6).fold(2, 3, 4, 5, 6)
    assert hand.back(1, 0).award(1).collect().breaches() == [("table.players", None)]


def test_3_4_a_low_card_in_the_reduced_deck() -> None:
    hand = table(deck=32).antes(2).deal("As Qs 6h").bet(1, 3).fold(2, 3).back(1, 0).award(1).collect()
    assert hand.breaches() == [("card.foreign", "box3")]


def test_4_2_and_10_2_the_cut() -> None:
    def cut(**fields: Any) -> list[tuple[str, str | None]]:
        hand = table()
        hand.events.pop()
        if fields:
            hand.add("cut", **fields)
        return started(hand).bet(1, 3).fold(2, 3).back(1, 0).award(1).collect().breaches()

    assert cut(by="player", at="box3") == cut(by="dealer") == []
    assert cut(by="player", at="box1") == [("round.not_voided", None)]
    assert cut() == [("round.not_voided", None)]


def test_4_3_no_cut_once_the_deal_has_commenced() -> None:
    hand = started(table()).add("cut", by="dealer").bet(1, 3).fold(2, 3).back(1, 0).award(1).collect()
    assert hand.breaches() == [("deal.order", "shoe")]


def test_5_4_the_ante_is_the_minimum_wager() -> None:
    missing = table().bet(1, 2).bet(2, 2).sweep().deal(UP[0]).bet(1, 2).fold(2, 3).back(1, 0).award(1).collect()
    assert missing.breaches() == [("blind.missing", "box3")]
    wrong = table().bet(1, 2).bet(2, 3).bet(3, 2).sweep().deal(UP[0]).bet(1, 2).fold(2, 3).back(1, 0).award(1).collect()
    assert wrong.breaches() == [("bet.amount", "box2/bet")]


def test_5_4_half_the_pot_at_most() -> None:
    def opened(to: float) -> list[tuple[str, str | None]]:
        return started(table()).bet(1, to).fold(2, 3).back(1, 0).award(1).collect().breaches()

    assert opened(3) == []
    assert opened(4) == [("bet.limit", "box1/bet")]


def test_5_4_half_pot_with_or_without_the_call() -> None:
    def raised(to: float, **house: Any) -> list[tuple[str, str | None]]:
        hand = started(table(**house)).bet(1, 3).bet(2, to).fold(3, 1).back(2, 3).sweep()
        return hand.award(2).collect().breaches()

    # Antes 6, the bet 3: with the call a pot of 12, half of it 6 beyond the call; without, 4 in all.
    assert raised(9) == []
    assert raised(10) == [("bet.limit", "box2/bet")]
    assert raised(9, half_pot_with_call=False) == [("bet.limit", "box2/bet")]


def test_16_9_everybody_antes_in_a_freeze_out() -> None:
    hand = table(freeze_out=True).bet(1, 2).bet(2, 2).sweep()
    hand.card("box1").card("box2").card("box1", "As").card("box2", "Qs").bet(1, 2).fold(2).back(1, 0).award(1).collect()
    assert hand.breaches() == [("blind.missing", "box3")]


def test_11_1_a_the_highest_card_opens() -> None:
    hand = started(table()).bet(2, 3).fold(3).bet(1, 3).sweep()
    assert shown(to_the_end(hand)).breaches() == [("action.order", "box2")]
    tie = started(table(), "Qh Qs 6h").bet(1, 3).fold(2, 3).back(1, 0).award(1).collect()
    assert tie.breaches() == []
    wrong = started(table(), "Qh Qs 6h").bet(2, 3).fold(3, 1).back(2, 0).award(2).collect()
    assert wrong.breaches() == [("action.order", "box2")]


def test_11_1_b_the_opener_bets_at_least_the_minimum() -> None:
    hand = table(min=4).antes(4).deal(UP[0]).bet(1, 3).fold(2, 3).back(1, 0).award(1).collect()
    assert hand.breaches() == [("bet.limit", "box1/bet")]
    check = started(table()).check(1).bet(2, 3).fold(3).bet(1, 3).sweep()
    assert shown(to_the_end(check)).breaches() == [("bet.invalid", "box1/bet")]
    fold = started(table()).fold(1).bet(2, 3).fold(3).back(2, 0).award(2).collect()
    assert fold.breaches() == [("bet.invalid", "box1/bet")]


def test_11_1_b_ii_a_raise_is_at_least_the_call() -> None:
    def raised(to: float) -> list[tuple[str, str | None]]:
        hand = started(table()).bet(1, 3).bet(2, to).fold(3).bet(1, to).sweep()
        return shown(to_the_end(hand)).breaches()

    assert raised(6) == []
    assert raised(5) == [("bet.amount", "box2/bet")]


def test_11_2_a_the_highest_hand_showing_acts_first() -> None:
    hand = first_round(table()).up("Kd Qd").check(2, 1).up("8h 7c").check(2, 1).up("4c 3h").check(2, 1)
    assert shown(hand, 1, {1: "Ad", 2: "2d"}).breaches() == []
    wrong = first_round(table()).up("Kd Qd").check(1, 2).up("8h 7c").check(2, 1).up("4c 3h").check(2, 1)
    assert shown(wrong, 1, {1: "Ad", 2: "2d"}).breaches() == [("action.order", "box1")]


def test_9_2_cards_up_and_down_in_order() -> None:
    swapped = first_round(table()).card("box2", "Jd").card("box1", "Kd").check(1, 2)
    assert [kind for kind, _ in shown(to_the_end(swapped, *UP[2:])).breaches()] == ["deal.order"]
    twice = first_round(table()).card("box1", "Kd").card("box2", "Jd").card("box2", "Tc").check(1, 2)
    assert ("deal.extra", "box2") in shown(to_the_end(twice, *UP[2:])).breaches()
    down = first_round(table()).card("box1", "Kd").card("box2").check(1, 2)
    assert ("deal.facing", "box2") in down.breaches()


def test_11_1_d_no_third_card_before_the_bets_are_met() -> None:
    hand = started(table()).bet(1, 3).bet(2, 3).sweep().card("box1", "Kd").card("box2", "Jd").card("box3", "5d")
    assert hand.breaches() == [("deal.exposed", "box1")]


def test_17_7_an_exposed_hole_card_is_followed_by_a_closed_one() -> None:
    once = (
        table().antes(2).card("box1").card("box2", "9h").card("box3").card("box1", "As").card("box2").card("box3", "6h")
    )
    once.bet(1, 3).fold(2, 3).back(1, 0).award(1).collect()
    assert once.breaches() == [("deal.exposed", "box2")]
    twice = table().antes(2).card("box1").card("box2", "9h").card("box3")
    twice.card("box1", "As").card("box2", "Qs").card("box3", "6h").bet(1, 3).fold(2, 3).back(1, 0).award(1).collect()
    assert set(twice.breaches()) == {("deal.exposed", "box2"), ("round.not_voided", None)}


def test_9_2_the_second_card_is_up() -> None:
    hand = table().antes(2).card("box1").card("box2").card("box3").card("box1", "As").card("box2").card("box3", "6h")
    assert hand.bet(1, 3).fold(2, 3).back(1, 0).award(1).collect().breaches() == [("deal.facing", "box2")]


def test_11_3_a_remaining_hands_are_shown() -> None:
    hand = to_the_end(first_round(table())).show(1, "9s").award(1).collect()
    assert hand.breaches() == [("show.order", "box2")]


def test_11_3_c_equal_hands_divide_the_pot_and_the_odd_dollar_may_go_to_either() -> None:
    def shared(**shares: Any) -> list[tuple[str, str | None]]:
        hand = started(table(), "As Ah 6h").bet(1, 2).bet(2, 2).bet(3, 2).sweep()
        hand.up("Kd Kh 5h").check(1, 2, 3).up("8h 8c 4h").check(1, 2, 3).up("4c 4s 2h").check(1, 2)
        hand.fold(3).show(1, "9s").show(2, "9c")
        return hand.award(**shares).collect().breaches()

    assert shared(box1=6, box2=6) == []
    assert shared(box1=7, box2=5) == [("pot.split", "pot")]


def test_11_3_c_an_odd_dollar() -> None:
    def shared(**shares: Any) -> list[tuple[str, str | None]]:
        hand = table(min=3).antes(3).deal("As Ah 6h").bet(1, 3).bet(2, 3).fold(3).sweep()
        hand.up("Kd Kh").check(1, 2).up("8h 8c").check(1, 2).up("4c 4s").check(1, 2).show(1, "9s").show(2, "9c")
        return hand.award(**shares).collect().breaches()

    assert shared(box1=8, box2=7) == shared(box1=7, box2=8) == shared(box1=7.5, box2=7.5) == []


@pytest.mark.parametrize(
    ("scale", "ante", "last", "due"),
    [("normal", 6, 6, 2), ("normal", 6, 8, 4), ("capped", 6, 6, 0), ("capped", 6, 8, 4), ("normal", 40, 40, 14),
     ("capped", 40, 40, 14), ("normal", 40, 60, 16), ("capped", 40, 60, 15)],
)  # fmt: skip
def test_15_scales(scale: str, ante: float, last: float, due: float) -> None:
    def taken(amount: float) -> list[tuple[str, str | None]]:
        hand = (
            table(min=ante, commission=scale)
            .antes(ante)
            .deal(UP[0])
            .bet(1, 1.5 * ante)
            .bet(2, 1.5 * ante)
            .fold(3)
            .sweep()
        )
        to_the_end(hand, last=last).show(1, "9s").show(2, "2d")
        if amount:
            hand.drop(amount)
        return hand.award(1).collect().breaches()

    assert taken(due) == []
    assert taken(due + 1) == [("commission.over" if due else "commission.not_due", "pot")]
    if due:
        assert taken(due - 1) == [("commission.short", "pot")]


def test_12_2_no_check_facing_a_bet() -> None:
    hand = first_round(table()).up(UP[1]).bet(1, 2).check(2).bet(2, 2).sweep()
    assert shown(to_the_end(hand, *UP[2:])).breaches() == [("bet.invalid", "box2/bet")]


def test_12_3_who_checks_behind_must_beat_the_open_cards() -> None:
    beaten = first_round(table()).up("Ad Jd").check(1, 2).up("8h 7c").check(1, 2).up("4c 3h").check(1, 2)
    assert shown(beaten).breaches() == [("bet.invalid", "box2/bet")]
    able = first_round(table()).up("Kd Jd").check(1, 2).up("8h 7c").check(1, 2).up("4c 3h").check(1, 2)
    assert shown(able, 2, {1: "9s", 2: "Jc"}).breaches() == []


def test_13_1_side_pots() -> None:
    hand = table().chips("box3/stack", 5, None)
    started(hand).bet(1, 3).bet(2, 6).bet(3, 3).bet(1, 6).sweep(("pot2", 6))
    hand.up("Kd Jd 5h").check(1, 2).up("8h 7c 5d").check(1, 2).up("4c 3h 5c").check(1, 2)
    hand.show(1, "9s").show(2, "Jc").show(3, "5s")
    assert hand.award(3).award(2, "pot2").collect().breaches() == []


def test_16_5_the_ante_rises_with_every_player_eliminated() -> None:
    def first() -> Hand:
        hand = table((1, 2, 3, 4), freeze_out=True).chips("box4/stack", 2, None).antes(2).deal("As Qs 6h 5h")
        hand.bet(1, 4).bet(2, 4).fold(3).sweep()
        for cards in ("Kd Jd 9h", "8h 7c 2c", "4c 3h 2s"):
            hand.up(cards).check(1, 2)
        return hand.show(1, "9s").show(2, "2d").show(4, "7h").award(1).collect()

    def second(ante: float) -> list[tuple[str, str | None]]:
        hand = first().next_round(1, (1, 2, 3)).antes(ante).deal("Qs 6h As")
        return hand.bet(1, 3).fold(2, 3).back(1, 0).award(1).collect().breaches()

    found = second(4)
    assert ("bet.amount", "box1/bet") not in found
    assert ("bet.amount", "box1/bet") in second(2)
    hand = first().chips("box4/stack", 300, "player").next_round(1, (1, 2, 3, 4)).antes(4).deal("Qs 6h 5h As")
    hand.bet(1, 3).fold(2, 3, 4).back(1, 0).award(1).collect()
    hand.next_round(2).antes(4).deal("6h 5h As Qs").bet(1, 3).fold(2, 3, 4).back(1, 0).award(1).collect()
    assert ("bet.amount", "box1/bet") not in hand.breaches()
    assert ("bet.moved", "box4/stack") in hand.breaches()


def test_16_2_and_16_3_nothing_and_nobody_comes_in() -> None:
    hand = table(freeze_out=True)
    started(hand).bet(1, 3).fold(2, 3).back(1, 0).award(1).collect().chips("box2/stack", 400, "player")
    hand.next_round(1)
    assert hand.antes(2).deal("Qs 6h As").breaches() == [("bet.moved", "box2/stack")]
    joined = table(freeze_out=True)
    started(joined).bet(1, 3).fold(2, 3).back(1, 0).award(1).collect().chips("box4/stack", 300, "player")
    joined.next_round(1, (1, 2, 3, 4))
    assert joined.antes(2).deal("Qs 6h 5d As").breaches() == [("table.players", None)]


def test_17_1_out_of_turn() -> None:
    called = first_round(table()).up(UP[1]).bet(2, 4).bet(1, 4).sweep()
    assert shown(to_the_end(called, *UP[2:])).breaches() == [("action.order", "box2")]


def test_17_3_a_wrong_number_of_cards_is_a_dead_hand() -> None:
    hand = (
        to_the_end(first_round(table())).show(1, "9s").show(2, "2d").add("gone", at="box1", cards=["4c"], to="discard")
    )
    assert hand.breaches() == []
    short = first_round(table()).up(UP[1]).add("gone", at="box1", cards=["Kd"], to="discard").check(1, 2)
    short = to_the_end(short, *UP[2:]).show(1, "9s").show(2, "2d").award(1).collect()
    assert ("deal.count", "box1") in short.breaches()
    assert ("pot.winner", "pot") in short.breaches()


def test_17_6_as_many_burns_as_players_after_an_exposed_card() -> None:
    def burnt(count: int) -> list[tuple[str, str | None]]:
        hand = started(table()).bet(1, 3).card("shoe", "9d").bet(2, 3).fold(3).sweep()
        for _ in range(count):
            hand.card("burn")
        return shown(to_the_end(hand)).breaches()

    assert burnt(2) == burnt(1) == [("deal.exposed", "shoe")]
    assert burnt(0) == burnt(4) == [("deal.exposed", "shoe"), ("deal.burn", "burn")]


def test_no_burn_otherwise() -> None:
    hand = first_round(table()).card("burn")
    assert shown(to_the_end(hand)).breaches() == [("deal.burn", "burn")]


def test_a_weak_up_card_that_decides_who_opens_is_unsure() -> None:
    hand = table().antes(2).deal().card("box1", "As", conf=0.3).card("box2", "Qs").card("box3", "6h")
    hand.bet(2, 3).fold(3, 1).back(2, 0).award(2).collect()
    assert hand.breaches() == []
    assert hand.unsure() == [("action.order", "box2")]


@pytest.mark.parametrize("options", [{"freeze_out": True, "deck": 32}, {"deck": 40}, {"commission": "one"}])
def test_impossible_options(options: dict[str, Any]) -> None:
    with pytest.raises(FairdealError):
        read_house(options, TasStudHouse)


def test_6_1_and_8_stakes() -> None:
    multiple = started(table(multiple=2)).bet(1, 3).fold(2, 3).back(1, 0).award(1).collect()
    assert multiple.breaches() == [("bet.multiple", "box1/bet")]
    during = first_round(table()).chips("box1/stack", 100, "player")
    assert during.breaches() == [("bet.moved", "box1/stack")]
    between = started(table()).bet(1, 3).fold(2, 3).back(1, 0).award(1).collect().chips("box3/stack", 100, "player")
    assert between.next_round(1).antes(2).deal("Qs 6h As").breaches() == [("bet.moved", "box3/stack")]


def test_9_1_and_10_1_button_and_shuffle() -> None:
    def second(button: int, up: str, **ready: Any) -> list[tuple[str, str | None]]:
        hand = started(table()).bet(1, 3).fold(2, 3).back(1, 0).award(1).collect().next_round(button, **ready)
        return hand.antes(2).deal(up).breaches()

    assert second(1, "Qs 6h As") == []
    assert second(2, "6h As Qs") == [("button.move", None)]
    assert second(1, "Qs 6h As", shuffle=False) == [("shuffle.missing", None)]


def test_10_2_a_a_card_exposed_in_the_cut() -> None:
    hand = started(table().card("shoe", "9h")).bet(1, 3).fold(2, 3).back(1, 0).award(1).collect()
    assert set(hand.breaches()) == {("deal.exposed", "shoe"), ("round.not_voided", None)}


def test_10_2_d_and_17_4_dealing_out_of_turn_or_too_few() -> None:
    order = table().antes(2).card("box2").card("box1").card("box3")
    order.card("box1", "As").card("box2", "Qs").card("box3", "6h").bet(1, 3).fold(2, 3).back(1, 0).award(1).collect()
    assert [kind for kind, _ in order.breaches()] == ["deal.order"]
    missed = table().antes(2).card("box1").card("box2").card("box1", "As").card("box2", "Qs").card("box3", "6h")
    missed.bet(1, 3).fold(2, 3).back(1, 0).award(1).collect()
    assert set(missed.breaches()) >= {("deal.missed", "box3"), ("round.not_voided", None)}


def test_11_1_c_i_the_last_player_wins() -> None:
    hand = started(table()).bet(1, 3).fold(2, 3).back(1, 0).award(2).collect()
    assert hand.breaches() == [("pot.winner", "pot")]


def test_11_1_c_ii_no_bet_when_the_round_is_over() -> None:
    hand = first_round(table()).bet(2, 3)
    assert hand.up(UP[1]).breaches() == [("bet.late", "box2/bet")]


def test_11_3_d_commission_from_each_pot() -> None:
    def taken(first: float, second: float) -> list[tuple[str, str | None]]:
        hand = table(commission="normal").chips("box3/stack", 5, None)
        started(hand).bet(1, 3).bet(2, 6).bet(3, 3).bet(1, 6).sweep(("pot2", 6))
        hand.up("Kd Jd 5h").check(1, 2).up("8h 7c 5d").check(1, 2).up("4c 3h 5c").check(1, 2)
        hand.show(1, "9s").show(2, "Jc").show(3, "5s").drop(first).award(3)
        if second:
            hand.drop(second, "pot2")
        return hand.award(2, "pot2").collect().breaches()

    assert taken(2, 2) == []
    assert taken(2, 0) == [("commission.short", "pot2")]


def test_13_1_whoever_tapped_out_takes_no_more_turns() -> None:
    hand = table().chips("box3/stack", 5, None)
    started(hand).bet(1, 3).bet(2, 3).bet(3, 3).sweep().up("Kd Jd 5h").check(1, 2, 3)
    assert hand.breaches() == [("action.order", "box3")]


def test_8_6_no_chips_are_lent_during_a_hand() -> None:
    hand = first_round(table()).chips("box3/stack", 200, "player").chips("box1/stack", 395, "player")
    assert hand.breaches() == [("bet.moved", "box3/stack"), ("bet.moved", "box1/stack")]


def test_11_1_b_i_a_call_equals_the_bet() -> None:
    hand = started(table()).bet(1, 3).bet(2, 2).fold(3).sweep()
    assert ("bet.amount", "box2/bet") in shown(to_the_end(hand)).breaches()


def test_11_3_e_a_pot_is_not_divided_by_agreement() -> None:
    hand = to_the_end(first_round(table())).show(1, "9s").show(2, "2d").award(box1=8, box2=8).collect()
    assert hand.breaches() == [("pot.winner", "pot")]


def test_17_2_the_last_call_of_a_player_who_cannot_win_is_given_back() -> None:
    def last_round(*, returned: bool) -> Hand:
        hand = first_round(table())
        for cards in UP[1:3]:
            hand.up(cards).check(1, 2)
        hand.up(UP[3]).bet(1, 2)
        return shown((hand.bet(2, 2).back(2, 0) if returned else hand).sweep())

    assert last_round(returned=True).breaches() == []
    assert last_round(returned=False).breaches() == [("bet.amount", "box2/bet")]


def test_10_1_a_misdeal_called_anywhere_in_the_deal_passes_nobody_over() -> None:
    hand = started(table())
    first = next(n for n, event in enumerate(hand.events) if event["e"] == "card")
    events = hand.events
    for end in range(first + 1, len(events) + 1):
        hand.events = events[:end]
        hand.add("call", what="misdeal", by="dealer").collect()
        assert hand.breaches() == [], end
    box2_out = table().antes(2).card("box1").card("box3").add("call", what="misdeal", by="dealer").collect()
    assert box2_out.breaches() == [("deal.missed", "box2")]


def test_17_1_b_the_wager_stands_if_those_before_fold() -> None:
    hand = first_round(table()).up(UP[1]).bet(2, 4).fold(1).back(2, 0).award(2).collect()
    assert hand.breaches() == []
    assert hand.unsure() == [("action.order", "box2")]  # box1 may have checked by voice: this log has no check
    logged = first_round(table()).up(UP[1]).check(1, 2).up(UP[2]).bet(2, 4).fold(1).back(2, 0).award(2).collect()
    assert logged.breaches() == [("action.order", "box2")]


def test_17_1_a_no_raise_after_betting_out_of_turn() -> None:
    hand = started(table()).bet(1, 3).bet(2, 3).bet(3, 3).sweep().up("Kd Jd 5h")
    hand.bet(3, 4).bet(1, 2).bet(2, 2).bet(3, 10)
    assert hand.breaches() == [("action.order", "box3"), ("bet.invalid", "box3/bet")]


# ---- what a stranger's logs taught ---------------------------------------------------------------------------------


def test_12_1_a_check_by_voice_is_not_in_the_log() -> None:
    assert first_round(table()).up(UP[1]).check(1).up(UP[2]).check(1, 2).breaches() == []


def test_17_3_a_hand_declared_void_is_no_fold_out_of_turn() -> None:
    hand = started(table()).bet(1, 3).bet(2, 3).bet(3, 3).sweep().card("box1", "Kd").card("box3", "5h")
    hand.add("call", what="void", at="box2", by="dealer").add("gone", at="box2", to="discard").check(1, 3)
    assert hand.breaches() == [("deal.missed", "box2")]


def test_9_2_an_up_card_dealt_face_down_and_turned_shows() -> None:
    hand = table().antes(2)
    for box in (1, 2, 3):
        hand.card(f"box{box}")
    hand.card("box1", "Ts").card("box2").card("box3", "6h").add("turn", at="box2", card="Qs", by="dealer")
    assert hand.bet(2, 3).bet(3, 3).bet(1, 3).breaches() == [("deal.facing", "box2")]


def test_17_6_a_card_dealt_before_the_last_fold() -> None:
    hand = started(table()).bet(1, 3).bet(2, 3).card("box1", "Kd").fold(3).sweep().card("box2", "Jd").check(1, 2)
    assert hand.breaches() == [("deal.exposed", "box1")]


def test_17_7_a_hand_called_void_leaves_the_antes_standing() -> None:
    hand = table().antes(2).card("box1").card("box2", "Qs").card("box3").card("box1", "As").card("box2", "Jc")
    hand.card("box3", "6h").add("call", what="void", by="dealer")
    for box in (1, 2, 3):
        hand.add("gone", at=f"box{box}", to="shoe")
    assert hand.next_round(3).deal(UP[0]).bet(1, 3).breaches() == [("deal.exposed", "box2")]


def test_13_1_when_a_tapped_out_player_shows_the_highest_hand() -> None:
    for order in ((2, 3), (3, 2)):
        hand = table().chips("box1/stack", 5, "player").antes(2).deal("As Qs 6h").bet(1, 3).bet(2, 3).bet(3, 3)
        assert hand.sweep().up("Kd 3d Qh").check(*order).breaches() == []


def test_11_3_antes_are_never_uncalled() -> None:
    hand = table().bet(1, 2).bet(3, 2).sweep().deal(UP[0]).bet(1, 2).bet(2, 2).fold(3).sweep()
    hand.up(UP[1]).check(1, 2).up(UP[2]).check(1, 2).up(UP[3]).bet(1, 2).bet(2, 2).sweep().show(1, "9s").show(2, "2d")
    assert hand.award(1).collect().breaches() == [("blind.missing", "box2")]


def test_17_3_a_card_too_many_is_the_fault_of_one_box_only() -> None:
    def played(street: int) -> list[tuple[str, str | None]]:
        """Everybody bets in every betting round, so that no check is in the log; box3 gets two cards on one street."""
        hand = Hand("tas-stud", (1, 2, 3), min=2, commission="capped").antes(2).deal("As Qs 6h")
        for number, cards in enumerate(("", "Kd Jd 5d", "8h 7c 4d", "4c 3h 2s")):
            if cards:
                hand.up(cards)
            if number == street:
                hand.card("box3", "9c")
            hand.bet(1, 2).bet(2, 2).bet(3, 2).sweep()
        if street == 4:
            hand.card("box3", "9c")
        for box, card in ((1, "9s"), (2, "2d"), (3, "Qd")):
            hand.show(box, card)
        return hand.award(1).collect().breaches()

    assert [played(street) for street in (2, 3, 4)] == [[("deal.extra", "box3")]] * 3


def test_3_4_a_reduced_deck_is_for_five_players_at_most() -> None:
    hand = Hand("tas-stud", (1, 2, 3, 4, 5, 6), min=2, deck=32).antes(2).deal("As Qs Th 9d 8c 7c")
    (found,) = hand.rounds()[0]["findings"]
    assert (found["kind"], found["rule"][-4:], found["expected"]) == ("table.players", " 3.4", 5)
