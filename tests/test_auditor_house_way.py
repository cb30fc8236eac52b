"""The House Way (rule 10), clause by clause; the settings below were worked out by hand from the text of the rules.

A line reads ``low / high``, the counts in the comment; with ``or`` where the rules leave two settings open. Every other
way of setting that hand must be refused.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement, islice, permutations, product

import pytest

from auditor import tiles
from auditor.house_way import SPECIAL_HANDS, HouseWay, house_way
from auditor.tiles import Part, TileOptions, is_foul


def part(text: str) -> Part:
    a, b = sorted(tiles.tile(name) for name in text.split())
    return a, b


def way_of(line: str, options: TileOptions = tiles.DEFAULT) -> HouseWay:
    """The House Way for the tiles of the first setting in the line."""
    tiles_of_it = line.split(" or ")[0].replace("/", " ").split()
    assert len(tiles_of_it) == 4
    return house_way([tiles.tile(name) for name in tiles_of_it], options)


def check(line: str, clause: str, options: TileOptions = tiles.DEFAULT) -> None:
    """The House Way is exactly what the line says, and by that clause."""
    expected = [tuple(part(side) for side in setting.split("/")) for setting in line.split(" or ")]
    way = way_of(line, options)
    assert way.clause == clause
    assert sorted(way.settings) == sorted(expected)
    hand = [*expected[0][0], *expected[0][1]]
    for first, second in combinations(range(4), 2):
        low, high = (hand[first], hand[second]), [hand[place] for place in range(4) if place not in (first, second)]
        assert way.accepts(low, high) is ((tuple(sorted(low)), tuple(sorted(high))) in expected)
    assert way.why


@pytest.mark.parametrize(
    "line",
    [
        "gow63 chit52 / gor gor",  # 6-pair
        "teen tit / gj6 gj3",  # High Nine-pair; Gee Jun is never split
        "look mooy / gj6 gj3",  # 6-pair
        "mooy look / teen teen",  # split would be 2-8
        "gor ng41 / teen teen",  # 9-pair; split would be 6-7
        "gow63 mooy / teen teen",  # 9-pair; split would be 2-Wong
        "day gow63 / teen teen",  # Wong-pair; split would be 4-Wong
        "teen gow63 / look look",  # pairs come before Wongs
        "mooy foo / gow63 gow54",  # 1-pair; split would be 0-9
        "gow63 ng41 / yun yun",  # 4-pair; split would be 3-7
        "look ng32 / bot62 bot53",  # 1-pair; split would be 3-4
        "mooy ping / tit tit",  # 0-pair; split would be 7-7, not 7-High Nine
        "teen look / chit52 chit43",  # 8-pair; split would be 3-High Nine
        "gow54 bot62 / ng41 ng32",  # 7-pair
        "bon bon / mooy mooy",  # two pairs
    ],
)
def test_10_1_a_pairs_are_set_in_the_same_part(line: str) -> None:
    check(line, "10.1(a)")


@pytest.mark.parametrize(
    "line",
    [
        "teen gor / teen look",  # 6-8
        "day bon / day chong",  # 6-8
        "day ng41 / day look",  # 7-8
        "teen look / teen bot62",  # 8-Gong
        "teen bot53 / teen gow63",  # Gong-Wong
        "day bon / day gow54",  # 6-Wong
        "teen ng32 / teen tit",  # 7-High Nine
        "day tit / day yun",  # High Nine-Gong
        "day gj3 / day gow63",  # 8-Wong; kept it would be 5-pair
        "teen look / teen chong or teen chong / teen look",  # 8-8, both with Teen: neither part is the higher
    ],
)
def test_10_1_a_i_teen_and_day_are_split_for_6_8_or_higher(line: str) -> None:
    check(line, "10.1(a)(i)")


@pytest.mark.parametrize(
    "line",
    [
        "gow63 ping / gow54 mooy or gow54 ping / gow63 mooy",  # 9-9
        "day gow63 / teen gow54 or day gow54 / teen gow63",  # Wong-Wong
        "gow63 ping / day gow54 or gow54 ping / day gow63",  # 9-Wong
    ],
)
def test_10_1_a_ii_nines_are_split_for_9_9_or_higher(line: str) -> None:
    check(line, "10.1(a)(ii)")


@pytest.mark.parametrize(
    "line",
    [
        "yun gow63 / yun foo",  # 7-9
        "bot62 gow63 / bot53 foo or bot53 gow63 / bot62 foo",  # 7-9
        "yun ping / yun mooy or yun mooy / yun ping",  # 8-8, a copy of each other: the high tile is Yun
        "bot62 ping / bot53 mooy or bot53 ping / bot62 mooy",  # 8-8
        "yun mooy / yun foo",  # 8-9
        "bot62 foo / teen bot53 or bot53 foo / teen bot62",  # 9-Gong
        "yun ping / day yun",  # 8-Gong
        "day yun / teen yun",  # Gong-Gong
    ],
)
def test_10_1_a_iii_eights_are_split_for_7_9_or_8_8_or_higher(line: str) -> None:
    check(line, "10.1(a)(iii)")


@pytest.mark.parametrize(
    "line",
    [
        "tit mooy / teen tit",  # 7-High Nine
        "chit52 foo / day chit43 or chit43 foo / day chit52",  # 8-High Nine
        "day tit / teen tit",  # High Nine-High Nine
    ],
)
def test_10_1_a_iv_sevens_are_split_for_7_high_nine_or_higher(line: str) -> None:
    check(line, "10.1(a)(iv)")


@pytest.mark.parametrize(
    ("kept", "split", "clause"),
    [
        ("gj3 gor / teen teen", "teen gor / teen gj3", "10.1(a)(i)"),  # 7-pair or 6-8
        ("gj6 ng41 / day day", "day ng41 / day gj6", "10.1(a)(i)"),  # 8-pair or 7-8
        ("tit tit / teen teen", "teen tit / teen tit", "10.1(a)(i)"),  # two pairs or two High Nines
        ("teen teen / gj6 gj3", "teen gj3 / teen gj6 or teen gj6 / teen gj3", "10.1(a)(i)"),
        ("gow63 gow54 / ping ping", "ping gow63 / ping gow54 or ping gow54 / ping gow63", "10.1(a)(ii)"),
        ("foo foo / yun yun", "yun foo / yun foo", "10.1(a)(iii)"),
        ("teen gow63 / yun yun", "yun gow63 / teen yun", "10.1(a)(iii)"),  # Wong-pair or 7-Gong
    ],
)
def test_10_1_a_worse_split_of_what_is_better_in_both_parts_is_open(kept: str, split: str, clause: str) -> None:
    check(f"{kept} or {split}", clause)
    check(kept, "10.1(a)", TileOptions(worse_split="keep"))
    check(split, clause, TileOptions(worse_split="split"))


def test_10_1_a_to_the_letter_still_needs_the_outcome_listed() -> None:
    check("gor ng41 / teen teen", "10.1(a)", TileOptions(worse_split="split"))  # 6-7 is not 6-8
    check("teen mooy / tit tit", "10.1(a)", TileOptions(gong_any=False))  # 7-9 is not 7-High Nine


@pytest.mark.parametrize(
    "line",
    [
        "bot62 mooy / teen chit52",  # 8-High Nine, before 7-Gong
        "bot62 gow63 / teen chit52",  # 7-High Nine, before 6-Gong and 5-Wong
        "gow63 mooy / teen bot62",  # 9-Gong, before 8-Wong
        "gow54 ng41 / day bot53",  # 4-Gong, before 3-Wong
        "gor gow54 / teen chit52",  # 3 with Gor is good enough: High Nine
        "yun ng41 / teen tit",  # 3 with Yun is good enough: High Nine
        "gow63 gor / day yun",  # 3 with Gor: Gong
        "bot62 foo / teen gow63 or gow63 foo / teen bot62",  # Gong leaves 0, Wong 9: open
        "foo chit43 / day gow63",  # High Nine would leave 0, Wong leaves 8
        "mooy ng32 / day gow54",  # only a Wong: 5-Wong
        "gow63 look / teen tit",  # 5-High Nine
        "day chit52 / teen bot62",  # High Nine-Gong: no High Nine can be the High Part; the Teen High
        "day foo / teen gow63",  # 3 with Day-Wong; the Teen High
    ],
)
def test_10_1_b_high_nine_gong_wong_with_chong_3_or_better_low(line: str) -> None:
    check(line, "10.1(b)")


@pytest.mark.parametrize(
    "line",
    [
        "gor tit / day bot53",  # High Nine leaves 2, Gong leaves 1: Gong
        "tit ng41 / teen bot62",  # High Nine leaves 3 with Chop Bot only, Gong leaves 2: Gong
        "bon chit52 / teen gow54",  # High Nine leaves 3 with Bon only, Wong leaves 1: Wong
        "mooy ping / teen gow63",  # only a Wong: 0-Wong
        "mooy foo / day bot62",  # only a Gong: 1-Gong
        "look ng41 / teen chit52",  # only a High Nine: 1-High Nine
        "day mooy / teen bot62",  # 2-Gong, the Teen High
    ],
)
def test_10_1_b_gong_wong_high_nine_without_chong_3_low(line: str) -> None:
    check(line, "10.1(b)")


@pytest.mark.parametrize(
    "line",
    [
        "yun ng41 / teen bot62",  # the low 3 needs the Yun to be Chong ranking
        "yun ping / teen bot62",  # (iii): Teen and Yun apart
        "yun mooy / day bot53 or mooy bot53 / day yun",  # (iii) against Yun and Mooy, against Day and Yun: open
        "tit ng41 / teen chit52 or chit52 ng41 / teen tit",  # the Teen is High either way, the rest is open
        "day tit / teen chit52 or day chit52 / teen tit",  # the same strength
    ],
)
def test_10_1_b_then_the_tiles_by_their_ranking(line: str) -> None:
    check(line, "10.1(b)")


def test_10_1_b_option_chong_test_first_looks_at_the_first_low_hand_only() -> None:
    first = TileOptions(chong_test="first")
    check("bot62 foo / teen gow63", "10.1(b)", TileOptions(chong_test="each"))
    check("gow63 foo / teen bot62", "10.1(b)", first)  # Gong leaves 0, so the second order begins with Gong
    check("foo chit43 / day gow63", "10.1(b)", first)


def test_10_1_b_option_second_order_wong() -> None:
    """Beside 10.2(g) both orders come to the same for every hand, unless the Chong 3 test looks at one low hand."""
    new_zealand = TileOptions(second_order="wong")
    check("bon chit52 / teen gow54", "10.1(b)", new_zealand)
    check("gow63 foo / teen bot62", "10.1(b)", TileOptions(chong_test="first"))
    check("bot62 foo / teen gow63", "10.1(b)", TileOptions(chong_test="first", second_order="wong"))


@pytest.mark.parametrize(
    "line",
    [
        "chit52 bot62 / gor foo",  # 5-5, before 1-9 and 2-8
        "bot62 look / mooy ng41",  # 4-5, before 1-8 and 3-6
        "look yun / gj6 ng41",  # 4-8, before 3-9
        "foo chit52 / yun ping",  # 8-8, before 7-9 (the high 10 would make it 10.2(b))
        "gor foo / mooy chong",  # 5-6, before 0-7 and 4-7
        "gor gow63 / yun bot62",  # 3 with Gor-6, before 2-7 (the low 4 would make it 10.2(i))
    ],
)
def test_10_1_c_highest_count_low(line: str) -> None:
    check(line, "10.1(c)")


@pytest.mark.parametrize(
    "line",
    [
        "bon look / yun gow63",  # low at best 3 with Bon: 0-7
        "bon tit / gor ng41",  # low at best 2: 1-9, the Gor High by (ii)
        "chong bon / teen look",  # low at best 2: 0-8, Teen and Chong apart by (iii)
        "bon chit43 / yun gow54",  # low at best 3 with Bon: 1-7
    ],
)
def test_10_1_c_without_chong_3_highest_count_high(line: str) -> None:
    check(line, "10.1(c)")


@pytest.mark.parametrize(
    "line",
    [
        "tit look / yun ng41",  # 3-3, low with Tit only; before 2-4 and 1-5
        "yun bon / look bot62",  # 2-4, before 0-6; the Yun Low by (i)
        "teen ping / mooy bon",  # 2-4, before 0-6; Teen and Mooy apart by (iii)
        "bon gow63 / chong tit",  # 3-3, low with Bon only; before 1-5 and 0-6
    ],
)
def test_10_1_c_neither_chong_3_low_nor_7_high_counts_close_together(line: str) -> None:
    check(line, "10.1(c)")


@pytest.mark.parametrize(
    "line",
    [
        "yun ng41 / tit bot62",  # 3-5
        "gor gow63 / bon foo",  # 3-5
        "chong chit52 / foo look",  # 3-7
        "teen gor / day ng41",  # 6-7
        "tit bot62 / gow63 chit52",  # 5-6
        "tit bot62 / yun chit52",  # 5-5: the Yun makes its part the higher, the Tit is the highest that can go Low
        "look gow63 / foo gj6",  # 5-7: the Foo cannot go Low, the Look can
    ],
)
def test_10_1_c_i_high_7_or_less_highest_tile_low(line: str) -> None:
    check(line, "10.1(c)")


@pytest.mark.parametrize(
    "line",
    [
        "gow63 bot62 / yun foo",  # 7-9
        "ping bot62 / yun foo",  # 8-9
        "day ng41 / teen look",  # 7-8
        "day gor / teen gj3",  # 6-8
    ],
)
def test_10_1_c_ii_high_8_or_more_highest_tile_high(line: str) -> None:
    check(line, "10.1(c)")


@pytest.mark.parametrize(
    "line",
    [
        "yun gow63 / mooy bot62",  # 7-8, against (ii): 10.2(e) says the same of the low 10
        "ping chong / mooy chit52",  # 6-7, against (i)
        "chong foo / teen look",  # 7-8
        "gor ping / mooy tit",  # 4-7
        "teen look / chong gj6",  # 8-9
    ],
)
def test_10_1_c_iii_two_high_ranking_tiles_are_not_set_together(line: str) -> None:
    check(line, "10.1(c)")


def test_10_1_c_what_the_rules_leave_open_is_accepted_both_ways() -> None:
    check("tit gow63 / foo chit52 or gow63 chit52 / foo tit", "10.1(c)")  # 6-8, the Foo is High either way
    check("ping tit / foo chit52 or ping chit52 / foo tit", "10.1(c)")  # 7-8, the same strength


def test_10_1_c_iii_with_three_high_tiles_is_open() -> None:
    """Two of them lie together either way: the two highest may be meant, or (i) and (ii) decide."""
    check("mooy chong / yun ping or chong ping / yun mooy", "10.1(c)")  # 6-8, the Yun is High either way
    check("gor yun / chong bot62 or gor bot62 / yun chong", "10.1(c)")  # 2-4, by (i) the Yun Low
    check("gor mooy / chong ping or gor ping / mooy chong", "10.1(c)")  # 4-6, the Gor is Low either way


@pytest.mark.parametrize("line", ["teen foo / teen gow63", "day foo / day gow54"])
def test_10_2_a_teens_or_days_with_9_and_11_are_3_wong(line: str) -> None:
    check(line, "10.2(a)")


@pytest.mark.parametrize("line", ["mooy tit / yun foo", "mooy chit52 / yun foo", "mooy chit43 / yun foo"])
def test_10_2_b_high_8_high_10_11_and_7_is_7_9(line: str) -> None:
    check(line, "10.2(b)")


@pytest.mark.parametrize(
    "line", ["day ng32 / gj3 look", "teen ng41 / gj6 chong", "teen ng32 / gj6 look", "day ng41 / gj3 chong"]
)
def test_10_2_c_gee_jun_6_5_and_teen_or_day_is_7_9(line: str) -> None:
    check(line, "10.2(c)")


@pytest.mark.parametrize(
    "line",
    [
        "gj6 teen / gor ng41",  # 8-9
        "gj3 gow63 / bon ng32",  # 5-9
        "gj3 foo / bon ng41",  # 7-9
        "gj6 chit43 / gor ng32",  # 3-9
        "gj6 mooy / bon ng32",  # 6-9
        "gj6 look / bon ng41",  # 9-9: Bon above Look
        "gj6 chong / gor ng41",  # 9-9: Gor above Chong
        "gj3 bon / gor ng41",  # 7-9 with either 4; the Gor High by 10.1(c)(ii)
    ],
)
def test_10_2_d_gee_jun_4_5_sets_4_and_5_high(line: str) -> None:
    check(line, "10.2(d)")


def test_10_2_d_does_not_list_a_hand_with_a_pair() -> None:
    check("gj6 ng41 / bon bon", "10.1(a)")
    check("gj6 gor / ng41 ng32", "10.1(a)")
    check("gor ng41 / gj6 gj3", "10.1(a)")


def test_10_2_d_with_2_2_and_3_3_is_open() -> None:
    check("bon ng41 / gj3 chong or gj3 chong / bon ng41", "10.2(d)")
    check("bon ng41 / gj3 chong", "10.2(d)", TileOptions(outranked_4_5="exchange"))
    assert "outrank" in way_of("bon ng41 / gj3 chong").why
    check("gj3 chong / bon ng41", "10.2(d)", TileOptions(outranked_4_5="letter"))
    assert is_foul(part("gj3 chong"), part("bon ng41"))


@pytest.mark.parametrize("line", ["yun gow63 / bot62 ping", "yun gow54 / bot53 ping"])
def test_10_2_e_high_8_low(line: str) -> None:
    check(line, "10.2(e)")


@pytest.mark.parametrize("line", ["chong chit52 / look gj6", "chong tit / look gj3", "chong chit43 / look gj3"])
def test_10_2_f_high_6_low_the_rest_by_10_1_c(line: str) -> None:
    check(line, "10.2(f)")


@pytest.mark.parametrize("line", ["gow63 bon / teen bot62", "gow54 bon / day yun", "gow63 bon / teen yun"])
def test_10_2_g_teen_or_day_8_9_and_low_4_is_3_gong(line: str) -> None:
    check(line, "10.2(g)")


def test_10_2_g_where_yun_makes_no_gong_is_left_to_10_1_b() -> None:
    strict = TileOptions(gong_any=False)
    check("yun bon / day gow54", "10.1(b)", strict)
    check("gow54 bon / day bot62", "10.2(g)", strict)


@pytest.mark.parametrize("line", ["look ng41 / chong foo", "look ng32 / chong foo"])
def test_10_2_h_high_6_high(line: str) -> None:
    check(line, "10.2(h)")


@pytest.mark.parametrize("line", ["bot62 bon / yun gow63", "bot53 bon / yun gow54"])
def test_10_2_i_high_8_high_the_rest_by_10_1_c(line: str) -> None:
    check(line, "10.2(i)")


def test_the_example_logs_of_the_contract() -> None:
    assert way_of("day ng32 / gj3 look").accepts(part("day ng32"), part("gj3 look"))
    assert not way_of("chong look / gj6 chit52").accepts(part("chong look"), part("gj6 chit52"))


def test_10_2_lists_no_hand_twice() -> None:
    listed = [{tuple(sorted(hand)) for hand in product(*row.hand)} for row in SPECIAL_HANDS]
    assert all(not one & other for one, other in combinations(listed, 2))


@cache
def all_hands() -> list[tuple[int, ...]]:
    """All C(32,4) hands, up to equal tiles."""
    copies = {tile: tiles.FULL_SET.count(tile) for tile in tiles.FULL_SET}
    hands = combinations_with_replacement(sorted(copies), 4)
    return [hand for hand in hands if all(hand.count(tile) <= copies[tile] for tile in hand)]


def test_10_every_hand_has_a_house_way_of_its_own_tiles_and_none_is_foul() -> None:
    hands = all_hands()
    assert len(hands) == 8130
    open_hands = 0
    decided = TileOptions(chong_test="each", worse_split="keep", outranked_4_5="exchange")
    for hand in hands:
        way = house_way(hand, decided)
        assert {*way.settings} <= {*house_way(hand).settings}
        assert way.settings
        for low, high in way.settings:
            assert tuple(sorted(low + high)) == hand
            assert not is_foul(low, high)
        strengths = {(tiles.part_strength(*low), tiles.part_strength(*high)) for low, high in way.settings}
        open_hands += len(strengths) > 1
    assert open_hands == 68  # the Tit or a Chop Chit, where the highest tile of the hand is settled already; (iii)


def test_10_the_order_of_the_tiles_does_not_matter() -> None:
    for hand in islice(all_hands(), 0, None, 40):
        assert len({house_way(order) for order in permutations(hand)}) == 1


@pytest.mark.parametrize(
    "options",
    [
        TileOptions(gee_jun="by_value", outranked_4_5="exchange"),
        TileOptions(
            gong_any=False,
            second_order="wong",
            chong_test="first",
            worse_split="split",
            outranked_4_5="exchange",
            zero_rule="both",
        ),
    ],
)
def test_10_under_other_options_no_house_way_is_foul(options: TileOptions) -> None:
    for hand in islice(all_hands(), 0, None, 9):
        way = house_way(hand, options)
        assert way.settings
        assert not any(is_foul(low, high, options) for low, high in way.settings)


def test_gee_jun_by_value_never_changes_the_house_way() -> None:
    by_value = TileOptions(gee_jun="by_value")
    assert all(house_way(hand) == house_way(hand, by_value) for hand in islice(all_hands(), 3, None, 9))
