"""Pai gow tiles: names, point count (4), ranking (3, Appendix A and B), settlement (11)."""

from itertools import combinations_with_replacement, product

import pytest

from auditor import tiles
from auditor.tiles import Part, TileOptions, describe, is_foul, part_strength, point_count, settle

# Written out from rulebook-facts.md in pips, not taken from the module: the names, Appendix A, Appendix B.
PIPS = {
    "teen": "6-6", "day": "1-1", "yun": "4-4", "gor": "3-1", "mooy": "5-5", "chong": "3-3", "bon": "2-2", "foo": "6-5",
    "ping": "6-4", "tit": "6-1", "look": "5-1", "gow63": "6-3", "gow54": "5-4", "bot62": "6-2", "bot53": "5-3",
    "chit52": "5-2", "chit43": "4-3", "ng41": "4-1", "ng32": "3-2", "gj6": "4-2", "gj3": "2-1",
}  # fmt: skip
PAIRS = (
    "4-2 2-1", "6-6 6-6", "1-1 1-1", "4-4 4-4", "3-1 3-1", "5-5 5-5", "3-3 3-3", "2-2 2-2", "6-5 6-5", "6-4 6-4",
    "6-1 6-1", "5-1 5-1", "6-3 5-4", "6-2 5-3", "5-2 4-3", "4-1 3-2",
)  # fmt: skip
SEVENS, EIGHTS, NINES = ("6-1", "5-2", "4-3"), ("4-4", "6-2", "5-3"), ("6-3", "5-4")
STRONG = (("6-6", NINES), ("1-1", NINES), ("6-6", EIGHTS), ("1-1", EIGHTS), ("6-6", SEVENS), ("1-1", SEVENS))
SINGLES = (
    "6-6", "1-1", "4-4", "3-1", "5-5", "3-3", "2-2", "6-5", "6-4", "6-1", "5-1", "6-3 5-4", "6-2 5-3", "5-2 4-3",
    "4-1 3-2", "4-2 2-1",
)  # fmt: skip


def part(text: str) -> Part:
    a, b = text.split()
    return tiles.tile(a), tiles.tile(b)


def strength(text: str, options: TileOptions = tiles.DEFAULT) -> int:
    return part_strength(*part(text), options)


def in_order() -> list[set[Part]]:
    """All two-tile parts from the highest down as rulebook-facts.md ranks them, those that copy each other together."""
    tile_of = {pips: tiles.tile(name) for name, pips in PIPS.items()}
    every = combinations_with_replacement(range(21), 2)
    left = {(a, b) for a, b in every if a != b or tiles.FULL_SET.count(a) == 2}
    order = []
    for ranked in [{tuple(sorted(tile_of[pips] for pips in text.split()))} for text in PAIRS] + [
        {tuple(sorted((tile_of[high], tile_of[pips]))) for pips in low} for high, low in STRONG
    ]:
        order.append({(a, b) for a, b in left if (a, b) in ranked})
        left -= order[-1]

    def worth(tile: int) -> list[int]:
        pips = sum(map(int, PIPS[tiles.name(tile)].split("-")))
        return [3, 6] if tile in (tile_of["4-2"], tile_of["2-1"]) else [pips]

    for points, single in product(range(9, -1, -1), SINGLES):
        high = {tile_of[pips] for pips in single.split()}
        group = {
            (a, b) for a, b in left if {a, b} & high and max((x + y) % 10 for x in worth(a) for y in worth(b)) == points
        }
        left -= group
        order.append(group)
    assert not left
    return [group for group in order if group]


def test_2_1_the_set_has_32_tiles() -> None:
    assert len(tiles.FULL_SET) == 32
    assert sum(tiles.FULL_SET.count(tile) == 2 for tile in range(21)) == 11
    assert sum(tiles.FULL_SET.count(tile) == 1 for tile in range(21)) == 10


def test_names_and_readings() -> None:
    assert sorted(tiles.NAMES) == sorted(PIPS)
    assert all(tiles.readings(text) == (tiles.tile(text),) for text in PIPS)
    assert tiles.readings("??") is None
    with pytest.raises(KeyError):
        tiles.readings("7-7")


@pytest.mark.parametrize("options", [TileOptions(), TileOptions(gee_jun="by_value")])
def test_3_1_3_2_every_two_tiles_rank_as_the_appendices_say(options: TileOptions) -> None:
    """Exhaustive, and with it that the comparison is a total preorder: the strengths are one falling row of numbers."""
    order = in_order()
    assert sum(map(len, order)) == 221
    levels = [{part_strength(a, b, options) for a, b in group} for group in order]
    assert all(len(level) == 1 for level in levels)
    row = [level.pop() for level in levels]
    assert row == sorted(row, reverse=True)
    assert len(row) == len(set(row))


def test_3_1_the_order_of_the_tiles_in_a_part_does_not_matter() -> None:
    assert all(part_strength(a, b) == part_strength(b, a) for a, b in product(range(21), repeat=2))
    assert all(describe((a, b)) == describe((b, a)) for a, b in product(range(21), repeat=2))


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("teen foo", 3), ("mooy ping", 0), ("day ng32", 7), ("yun gow63", 7), ("teen day", 4), ("foo ping", 1),
        ("gj3 look", 9), ("gj6 look", 9), ("gj3 ng41", 8), ("gj6 teen", 8), ("gj3 teen", 8), ("gj6 chit52", 3),
        ("gj3 foo", 7), ("gj6 gor", 7), ("gj6 mooy", 6), ("gj3 gow63", 5),
    ],
)  # fmt: skip
def test_4_1_4_2_point_count(text: str, points: int) -> None:
    assert point_count(*part(text)) == points


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gj6 gj3", "Gee Jun pair"), ("gow54 gow63", "Chop Gow pair"), ("look look", "Look pair"),
        ("gow63 teen", "Teen Wong"), ("day yun", "Day Gong"), ("tit teen", "Teen High Nine"),
        ("day chit43", "Day High Nine"),
        ("yun bot62", "6 points"), ("foo ping", "1 point"), ("chong look", "2 points"), ("mooy ping", "0 points"),
    ],
)  # fmt: skip
def test_describe(text: str, words: str) -> None:
    assert describe(part(text)) == words


def test_gong_any_false_leaves_out_yun_and_tit() -> None:
    strict = TileOptions(gong_any=False)
    assert describe(part("teen yun"), strict) == "0 points"
    assert describe(part("teen tit"), strict) == "9 points"
    assert describe(part("teen bot53"), strict) == "Teen Gong"
    assert strength("day chit52", strict) > strength("teen tit", strict) > strength("gor ng41", strict)


def test_gee_jun_by_value_ranks_a_gee_jun_six_above_chop_ng() -> None:
    """No two-tile part can tell: a Gee Jun tile with a Chop Ng counts 3, not 6 (8 points, not 1)."""
    by_value = TileOptions(gee_jun="by_value")
    assert strength("gj6 ng41", by_value) == strength("gj3 ng32", by_value) == strength("gj6 ng41")


def test_foul_is_a_low_part_that_outranks_the_high_part() -> None:
    assert is_foul(part("chong gj6"), part("bon ng41"))  # 9 with Chong, 9 with Bon
    assert not is_foul(part("bon ng41"), part("chong gj6"))
    assert not is_foul(part("teen gow63"), part("teen gow54"))  # equal parts: neither outranks
    assert is_foul(part("gj3 gj6"), part("teen teen"))


BANK = (part("day ng32"), part("gor ng41"))  # 7 with Day, 9 with Gor


@pytest.mark.parametrize(
    ("low", "high", "result", "clause"),
    [
        ("teen ng41", "teen tit", "win", "11.1"),  # 7 with Teen by 11.2, High Nine
        ("mooy chit52", "chit43 bot62", "lose", "11.4"),  # 7 with Mooy by 11.2, 5
        ("teen gow63", "chit43 bot62", "push", "11.3"),
        ("look ng41", "teen teen", "push", "11.3"),
        ("day ng41", "bon ng32", "lose", "11.5"),  # low a copy: 7 with Day
        ("day ng41", "teen yun", "push", "11.3"),  # low a copy to the Bank, high won
        ("look bot62", "gor ng32", "lose", "11.5"),
    ],
)
def test_11_settlement(low: str, high: str, result: str, clause: str) -> None:
    settlement = settle(*BANK, part(low), part(high))
    assert (settlement.result, settlement.clause) == (result, clause)


def test_11_6_nought_against_nought_goes_to_the_bank_in_the_low_part_only() -> None:
    bank = part("gow63 foo"), part("ping gor")  # 0 with Foo, 4 with Gor
    assert strength("mooy ping") > strength("gow63 foo")
    better = settle(*bank, part("mooy ping"), part("chong bot62"))  # 0 with Mooy; 4 with Chong
    assert (better.result, better.clause) == ("lose", "11.6")
    assert "0 points each, the Bank wins" in better.why
    pushed = settle(*bank, part("mooy ping"), part("gor ng41"))
    assert (pushed.result, pushed.clause) == ("push", "11.3")
    high = settle(
        part("gow63 foo"), part("ping mooy"), part("look ng41"), part("gor look")
    )  # high: 0 with Gor wins by 11.2
    assert high.result == "win"
    both = settle(
        part("gow63 foo"), part("ping mooy"), part("look ng41"), part("gor look"), TileOptions(zero_rule="both")
    )
    assert both.result == "push"


def test_11_6_a_gong_totals_nought_but_ranks_by_appendix_a() -> None:
    assert settle(part("day bot62"), part("teen gow63"), part("teen bot53"), part("gj3 gj6")).result == "win"


def test_11_5_equal_wongs_are_a_copy() -> None:
    wong = settle(part("look ng41"), part("teen gow63"), part("gor ng32"), part("teen gow54"))
    assert (wong.result, wong.clause) == ("push", "11.3")
    assert wong.why == "low: the player's 9 points beats 1 point; high: copy (Teen Wong), the Bank wins"


def test_11_2_the_sentence_names_the_tiles_when_they_decide() -> None:
    low, high = settle(*BANK, part("mooy chit52"), part("teen tit")).why.split("; ")
    assert low == "low: the Bank's 7 points with Day beats 7 points with Mooy"
    assert high == "high: the player's Teen High Nine beats 9 points"


def test_the_examples_of_the_contract() -> None:
    """act_pai_gow-025 (win) and 030 (lose, on the bank's correct setting)."""
    won = settle(part("day ng32"), part("gj3 look"), part("day gow54"), part("teen teen"))
    assert (won.result, won.clause) == ("win", "11.1")
    lost = settle(part("chong chit52"), part("look gj6"), part("gor tit"), part("teen mooy"))
    assert (lost.result, lost.clause) == ("lose", "11.4")
