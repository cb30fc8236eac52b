"""Pai gow tiles: what they are called, how they rank alone and in twos, and how two set hands compare.

A tile is an int, its place in `TILES` below, which runs in the order of Appendix B (highest first). The two tiles of
one face (6-6, 1-1, …) are the same int; the tiles of a mixed pair (6-3 and 5-4) differ, but share a family and so a
rank. Clause numbers are those of NI2002-45, Tournament Pai Gow; what the text of the appendices does not carry stands
in ``rulebook-facts.md``.

>>> describe((tile("teen"), tile("chit52"))), describe((tile("gj3"), tile("ng41")))
('Teen High Nine', '8 points')
>>> readings("??") is None
True
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal

Part = tuple[int, int]

# Appendix B (3.2): individual tiles, highest first. Both Gee Jun tiles share the last place (4.2, "a ranking of").
APPENDIX_B = ("Teen", "Day", "Yun", "Gor", "Mooy", "Chong", "Bon", "Foo", "Ping", "Tit", "Look",
              "Chop Gow", "Chop Bot", "Chop Chit", "Chop Ng", "Gee Jun")  # fmt: skip
# Appendix A (3.1): pairs, Wongs, Gongs and High Nines, highest first; whatever is not here counts its points (4.1).
APPENDIX_A = ("Gee Jun pair", "Teen pair", "Day pair", "Yun pair", "Gor pair", "Mooy pair", "Chong pair", "Bon pair",
              "Foo pair", "Ping pair", "Tit pair", "Look pair", "Chop Gow pair", "Chop Bot pair", "Chop Chit pair",
              "Chop Ng pair", "Teen Wong", "Day Wong", "Teen Gong", "Day Gong", "Teen High Nine",
              "Day High Nine")  # fmt: skip
# 2.1: the set of 32. Name in the table log, family in Appendix B, points, tiles of that face.
TILES = (
    ("teen", "Teen", 12, 2), ("day", "Day", 2, 2), ("yun", "Yun", 8, 2), ("gor", "Gor", 4, 2),
    ("mooy", "Mooy", 10, 2), ("chong", "Chong", 6, 2), ("bon", "Bon", 4, 2), ("foo", "Foo", 11, 2),
    ("ping", "Ping", 10, 2), ("tit", "Tit", 7, 2), ("look", "Look", 6, 2),
    ("gow63", "Chop Gow", 9, 1), ("gow54", "Chop Gow", 9, 1), ("bot62", "Chop Bot", 8, 1), ("bot53", "Chop Bot", 8, 1),
    ("chit52", "Chop Chit", 7, 1), ("chit43", "Chop Chit", 7, 1), ("ng41", "Chop Ng", 5, 1), ("ng32", "Chop Ng", 5, 1),
    ("gj6", "Gee Jun", 6, 1), ("gj3", "Gee Jun", 3, 1),
)  # fmt: skip
# 4.2: what a Gee Jun tile may count.
GEE_JUN_POINTS = (3, 6)
# What a part is worth before tiles are compared: 0 to 9 is its point count.
HIGH_NINE, GONG, WONG, PAIR = 10, 11, 12, 13
STRONG = {9: (WONG, "Wong"), 8: (GONG, "Gong"), 7: (HIGH_NINE, "High Nine")}  # Teen or Day with a 9, an 8, a 7

NAMES: tuple[str, ...] = tuple(row[0] for row in TILES)
FAMILIES: tuple[int, ...] = tuple(APPENDIX_B.index(row[1]) for row in TILES)
POINTS: tuple[int, ...] = tuple(row[2] for row in TILES)
FULL_SET: tuple[int, ...] = tuple(tile for tile, row in enumerate(TILES) for _ in range(row[3]))
TEEN, DAY, YUN, CHONG, TIT = (APPENDIX_B.index(text) for text in ("Teen", "Day", "Yun", "Chong", "Tit"))
CHOP_NG, GEE_JUN = APPENDIX_B.index("Chop Ng"), APPENDIX_B.index("Gee Jun")

_READINGS: dict[str, tuple[int, ...] | None] = {text: (tile,) for tile, text in enumerate(NAMES)} | {"??": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class TileOptions:
    """The open points of the Pai Gow rules (``rulebook-ambiguities.md``), each with the reading taken by default.

    "open": a hand set by either reading is set right, as long as the house has not said which it follows.
    """

    # Appendix B: both Gee Jun tiles rank last, or a Gee Jun tile counted as 6 ranks between Chop Chit and Chop Ng.
    gee_jun: Literal["last", "by_value"] = "last"
    # Appendix A: any 8 makes a Gong and any 7 a High Nine; false leaves out Yun (4-4) and Tit (6-1).
    gong_any: bool = True
    # 10.1(b): the second order as printed, Gong, Wong and High Nine, or as in New Zealand, Wong, Gong and High Nine.
    second_order: Literal["gong", "wong"] = "gong"
    # 10.1(b): the Chong 3 test looks at the low hand that each of them leaves in turn, or only at the first's.
    chong_test: Literal["open", "each", "first"] = "open"
    # 10.1(a): a pair is kept although an outcome listed there can be made, when keeping it is better in both parts
    # (Teen, Teen, 4, Gee Jun: 7-pair, not 6-8; any two pairs), or split to the letter.
    worse_split: Literal["open", "keep", "split"] = "open"
    # 10.2(d) with 2-2 and 3-3: the 4 and 5 (9, Bon) are outranked by the other two tiles (9, Chong). The parts change
    # places, or the 4 and 5 stay in the High Part to the letter (and the hand is foul).
    outranked_4_5: Literal["open", "exchange", "letter"] = "open"
    # 11.6: nought against nought goes to the Bank in the Low Part only, as printed, or in both parts.
    zero_rule: Literal["low", "both"] = "low"


DEFAULT = TileOptions()


def name(tile: int) -> str:
    """The tile's name in the table log.

    >>> name(0), name(20)
    ('teen', 'gj3')
    """
    return NAMES[tile]


def tile(text: str) -> int:
    """The tile with that name.

    >>> tile("chong")
    5
    """
    return NAMES.index(text)


def readings(text: str) -> tuple[int, ...] | None:
    """The tiles a reading leaves open; None when it leaves every tile open."""
    return _READINGS[text]


def family(tile: int) -> int:
    """The tile's place in Appendix B, 0 the highest; two tiles of one family are a pair."""
    return FAMILIES[tile]


@cache
def point_count(tile_a: int, tile_b: int) -> int:
    """4.1, 4.2: the right digit of the sum, a Gee Jun tile counting 3 or 6, whichever is better.

    >>> point_count(tile("teen"), tile("foo")), point_count(tile("gj6"), tile("ng41"))
    (3, 8)
    """
    return max((a + b) % 10 for a in _values(tile_a) for b in _values(tile_b))


@cache
def level(tile_a: int, tile_b: int, options: TileOptions = DEFAULT) -> int:
    """What the part is worth: PAIR, WONG, GONG, HIGH_NINE or its point count.

    >>> level(tile("day"), tile("bot53")) == GONG
    True
    """
    upper, lower = sorted((tile_a, tile_b))
    if family(upper) == family(lower):
        return PAIR
    makes_strong = POINTS[lower] in STRONG and (options.gong_any or family(lower) not in (YUN, TIT))
    if family(upper) in (TEEN, DAY) and makes_strong:
        return STRONG[POINTS[lower]][0]
    return point_count(tile_a, tile_b)


@cache
def part_strength(tile_a: int, tile_b: int, options: TileOptions = DEFAULT) -> int:
    """A number to compare two-tile parts by: 11.1 Appendix A, then point count, then 11.2 the highest tile.

    Equal strength is a copy. 11.6 (nought against nought) is no matter of strength: see `settle`.

    >>> part_strength(tile("gj6"), tile("gj3")) > part_strength(tile("teen"), tile("teen"))
    True
    """
    ranked = _appendix_a(tile_a, tile_b, options)
    if ranked is not None:
        return 1000 - APPENDIX_A.index(ranked)
    return 64 * point_count(tile_a, tile_b) + max(_height(tile_a, tile_b, options), _height(tile_b, tile_a, options))


def is_foul(low: Part, high: Part, options: TileOptions = DEFAULT) -> bool:
    """The Low Part outranks the High Part."""
    return part_strength(*low, options) > part_strength(*high, options)


@cache
def describe(part: Part, options: TileOptions = DEFAULT) -> str:
    """The part in the rulebook's words.

    >>> describe((tile("day"), tile("gow54"))), describe((tile("bot62"), tile("bot53")))
    ('Day Wong', 'Chop Bot pair')
    """
    count = point_count(*part)
    return _appendix_a(*part, options) or f"{count} point{'' if count == 1 else 's'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """How a player's hand fares against the Bank's, the clause that decides it, and why in one sentence."""

    result: Literal["win", "lose", "push"]
    clause: str
    why: str


def settle(
    bank_low: Part, bank_high: Part, player_low: Part, player_high: Part, options: TileOptions = DEFAULT
) -> Settlement:
    """Rule 11: the player wins with both parts higher, loses with neither, pushes otherwise.

    >>> day_seven, nine = (tile("day"), tile("ng41")), (tile("gor"), tile("ng32"))
    >>> settle(day_seven, nine, (tile("teen"), tile("tit")), nine).why
    "low: the player's Teen High Nine beats 7 points; high: copy (9 points with Gor), the Bank wins"
    """
    zero_high = options.zero_rule == "both"
    low_won, low_clause, low_why = _compare(bank_low, player_low, options, zero_to_bank=True)
    high_won, high_clause, high_why = _compare(bank_high, player_high, options, zero_to_bank=zero_high)
    why = f"low: {low_why}; high: {high_why}"
    if low_won and high_won:
        return Settlement(result="win", clause="11.1", why=why)
    if low_won or high_won:
        return Settlement(result="push", clause="11.3", why=why)
    # 11.4 decides when both parts are lower; a part the Bank takes by 11.5 or 11.6 makes that the deciding clause.
    return Settlement(result="lose", clause=max(low_clause, high_clause), why=why)


def _compare(bank: Part, player: Part, options: TileOptions, *, zero_to_bank: bool) -> tuple[bool, str, str]:
    """Whether the player's part wins, by which clause, and why."""
    ours, theirs = describe(bank, options), describe(player, options)
    if zero_to_bank and level(*bank, options) == level(*player, options) == 0:
        return False, "11.6", "0 points each, the Bank wins"
    margin = part_strength(*player, options) - part_strength(*bank, options)
    if margin == 0:
        return False, "11.5", f"copy ({_with_tile(bank, options)}), the Bank wins"
    if ours == theirs:  # 11.2
        ours, theirs = _with_tile(bank, options), _with_tile(player, options)
    if margin > 0:
        return True, "11.1", f"the player's {theirs} beats {ours}"
    return False, "11.4", f"the Bank's {ours} beats {theirs}"


def _with_tile(part: Part, options: TileOptions) -> str:
    """The part with its highest tile, where that tile counts (11.2)."""
    if _appendix_a(*part, options) is not None:
        return describe(part, options)
    a, b = part
    best = a if _height(a, b, options) >= _height(b, a, options) else b
    return f"{describe(part, options)} with {APPENDIX_B[family(best)]}"


def _appendix_a(tile_a: int, tile_b: int, options: TileOptions) -> str | None:
    """The part's name in Appendix A, None for a part that counts its points."""
    upper, lower = sorted((tile_a, tile_b))
    worth = level(tile_a, tile_b, options)
    if worth == PAIR:
        return f"{APPENDIX_B[family(upper)]} pair"
    if worth >= HIGH_NINE:
        return f"{APPENDIX_B[family(upper)]} {STRONG[POINTS[lower]][1]}"
    return None


def _values(tile: int) -> tuple[int, ...]:
    return GEE_JUN_POINTS if family(tile) == GEE_JUN else (POINTS[tile],)


def _height(tile: int, other: int, options: TileOptions) -> int:
    """How high the tile ranks beside that other one: even numbers, so that «by_value» finds a place between two."""
    if options.gee_jun == "by_value" and family(tile) == GEE_JUN:
        count = point_count(tile, other)
        if any((6 + value) % 10 == count for value in _values(other)):
            return 2 * (GEE_JUN - CHOP_NG) + 1
    return 2 * (GEE_JUN - family(tile))
