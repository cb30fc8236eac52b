"""The House Way: how rule 10 of NI2002-45 Tournament Pai Gow sets a hand of four tiles into a Low and a High Part.

Rule 10.2 first (it excepts its hands from 10.1), then 10.1 in its sequence: (a) pairs, (b) Wongs, Gongs and High Nines,
(c) point count and individual tiles. Four tiles go into two parts in three ways, the higher part being the High Part;
every step below narrows those ways down, and what the rules leave equal stays: a hand may have more than one House Way.

>>> way = house_way([tiles.tile(text) for text in ("day", "ng32", "gj3", "look")])
>>> way.clause, [(tiles.name(a), tiles.name(b)) for a, b in way.settings[0]]
('10.2(c)', [('day', 'ng32'), ('look', 'gj3')])
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from auditor import tiles
from auditor.tiles import DEFAULT, GONG, HIGH_NINE, PAIR, WONG, Part, TileOptions

Tiles = tuple[int, ...]


def _named(*names: str) -> Tiles:
    return tuple(tiles.tile(text) for text in names)


# The rulebook's words for tiles ("high 8", "any 7"); see rulebook-facts.md.
TEEN, DAY = _named("teen"), _named("day")
ELEVEN = _named("foo")
HIGH_10, LOW_10 = _named("mooy"), _named("ping")
NINE = _named("gow63", "gow54")
HIGH_8, LOW_8 = _named("yun"), _named("bot62", "bot53")
SEVEN = _named("tit", "chit52", "chit43")
HIGH_6, LOW_6 = _named("chong"), _named("look")
FIVE = _named("ng41", "ng32")
HIGH_4, LOW_4 = _named("gor"), _named("bon")
GEE_JUN = _named("gj6", "gj3")
ANY = tuple(range(len(tiles.TILES)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialHand:
    """A row of rule 10.2: the four tiles, and either the worth of both parts or the tiles it puts in one of them."""

    clause: str
    hand: tuple[Tiles, Tiles, Tiles, Tiles]
    worth: tuple[int, int] | None = None
    in_low: tuple[Tiles, ...] = ()
    in_high: tuple[Tiles, ...] = ()
    pairless: bool = False
    words: str


SPECIAL_HANDS = (
    SpecialHand(clause="10.2(a)", hand=(TEEN, TEEN, NINE, ELEVEN), worth=(3, WONG),
                words="Teen, Teen, 9 and 11 is set 3-Wong"),
    SpecialHand(clause="10.2(a)", hand=(DAY, DAY, NINE, ELEVEN), worth=(3, WONG),
                words="Day, Day, 9 and 11 is set 3-Wong"),
    SpecialHand(clause="10.2(b)", hand=(HIGH_8, HIGH_10, ELEVEN, SEVEN), worth=(7, 9),
                words="high 8, high 10 and 11 with any 7 is set 7-9"),
    SpecialHand(clause="10.2(c)", hand=(GEE_JUN, HIGH_6 + LOW_6, FIVE, TEEN + DAY), worth=(7, 9),
                words="Gee Jun, 6, 5 and Teen or Day is set 7-9"),
    SpecialHand(clause="10.2(d)", hand=(GEE_JUN, HIGH_4 + LOW_4, FIVE, ANY), pairless=True,
                in_high=(HIGH_4 + LOW_4, FIVE),
                words="with Gee Jun, 4, 5 and any tile not making a pair, the 4 and 5 are set in the High Part"),
    SpecialHand(clause="10.2(e)", hand=(HIGH_8, LOW_8, NINE, LOW_10), in_low=(HIGH_8,),
                words="with high 8, low 8, 9 and low 10, the high 8 is set in the Low Part"),
    SpecialHand(clause="10.2(f)", hand=(HIGH_6, LOW_6, GEE_JUN, SEVEN), in_low=(HIGH_6,),
                words="with high 6, low 6 and Gee Jun with any 7, the high 6 is set in the Low Part"),
    SpecialHand(clause="10.2(g)", hand=(TEEN + DAY, HIGH_8 + LOW_8, NINE, LOW_4), worth=(3, GONG),
                words="Teen or Day, 8, 9 and low 4 is set 3-Gong"),
    SpecialHand(clause="10.2(h)", hand=(HIGH_6, ELEVEN, LOW_6, FIVE), in_high=(HIGH_6,),
                words="with high 6, 11, low 6 and 5, the high 6 is set in the High Part"),
    SpecialHand(clause="10.2(i)", hand=(HIGH_8, NINE, LOW_8, LOW_4), in_high=(HIGH_8,),
                words="with high 8, 9, low 8 and low 4, the high 8 is set in the High Part"),
)  # fmt: skip
_LISTED = {
    tuple(sorted(hand)): row
    for row in SPECIAL_HANDS
    for hand in product(*row.hand)
    if not row.pairless or len(set(map(tiles.family, hand))) == 4
}

# 10.1(a): the pairs that may be split, and the least Low and High Part that must come of it.
PAIR_SPLITS = (
    ("10.1(a)(i)", TEEN + DAY, ((6, 8),), "6-8"),
    ("10.1(a)(ii)", NINE, ((9, 9),), "9-9"),
    ("10.1(a)(iii)", HIGH_8 + LOW_8, ((7, 9), (8, 8)), "7-9, 8-8"),
    ("10.1(a)(iv)", SEVEN, ((7, HIGH_NINE),), "7-High Nine"),
)
# 10.1(b): the order in which Wongs, Gongs and High Nines go into the High Part while the Low Part is Chong ranking 3 or
# better, and otherwise.
FIRST_ORDER = (HIGH_NINE, GONG, WONG)
SECOND_ORDER = {"gong": (GONG, WONG, HIGH_NINE), "wong": (WONG, GONG, HIGH_NINE)}
STRONG_NAMES = {HIGH_NINE: "High Nine", GONG: "Gong", WONG: "Wong"}


class Setting(NamedTuple):
    """A hand as set: two parts, each with its tiles in rising order."""

    low: Part
    high: Part


Settings = list[Setting]


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWay:
    """The settings rule 10 allows a hand (the strongest first where it leaves several equal), the clause, and why."""

    settings: tuple[Setting, ...]
    clause: str
    why: str

    def accepts(self, low: Sequence[int], high: Sequence[int]) -> bool:
        """Whether a hand set so is set the House Way; the order of the tiles in a part does not matter."""
        return (tuple(sorted(low)), tuple(sorted(high))) in self.settings


def house_way(hand: Iterable[int], options: TileOptions = DEFAULT) -> HouseWay:
    """How the House Way sets these four tiles, given in any order."""
    return _house_way(tuple(sorted(hand)), options)


@lru_cache(maxsize=1 << 14)
def _house_way(hand: Tiles, options: TileOptions) -> HouseWay:
    ways = _Ways(options)
    settings, clause, why = ways.decide(hand)
    strongest_first = sorted(settings, key=lambda s: (ways.strength(s.high), ways.strength(s.low)), reverse=True)
    return HouseWay(settings=tuple(strongest_first), clause=clause, why=why)


@dataclass(frozen=True, slots=True)
class _Ways:
    """Rule 10 under one choice of options. Each rule narrows down settings and gives the clause and the reason."""

    options: TileOptions

    def decide(self, hand: Tiles) -> tuple[Settings, str, str]:
        settings = self.ways_of(hand)
        return self.special(hand, settings) or self.pairs(settings) or self.strong(settings) or self.points(settings)

    def ways_of(self, hand: Tiles) -> Settings:
        """The three ways to part four tiles, the higher part High; both ways about where neither is higher."""
        found = set()
        for chosen in combinations(range(4), 2):
            one: Part = (hand[chosen[0]], hand[chosen[1]])
            left, right = (tile for place, tile in enumerate(hand) if place not in chosen)
            if self.strength(one) <= self.strength((left, right)):
                found.add(Setting(one, (left, right)))
        return sorted(found)

    def special(self, hand: Tiles, settings: Settings) -> tuple[Settings, str, str] | None:
        """10.2: the row that lists this hand fixes the tiles or counts it names, the rest follows 10.1(c)."""
        row = _LISTED.get(hand)
        if row is None:
            return None
        if fixed := [setting for setting in settings if self.obeys(row, setting)]:
            return self.points(fixed)[0], row.clause, row.words
        # 10.2(d) with 2-2 and 3-3: nothing obeys, because the 4 and 5 are outranked.
        if turned := [setting for setting in settings if self.obeys(row, Setting(setting.high, setting.low))]:
            letter = [Setting(setting.high, setting.low) for setting in turned]
            if self.options.outranked_4_5 == "letter":
                return letter, row.clause, row.words
            why = f"{row.words}; here the other two tiles outrank them and are the High Part"
            return turned + letter if self.options.outranked_4_5 == "open" else turned, row.clause, why
        return None  # 10.2(g) where Yun makes no Gong

    def obeys(self, row: SpecialHand, setting: Setting) -> bool:
        if row.worth is not None:
            return (self.level(setting.low), self.level(setting.high)) == row.worth
        return all(any(tile in kind for tile in setting.low) for kind in row.in_low) and all(
            any(tile in kind for tile in setting.high) for kind in row.in_high
        )

    def pairs(self, settings: Settings) -> tuple[Settings, str, str] | None:
        """10.1(a): pairs stay together unless splitting them makes the outcome listed for them."""
        kept = max(settings, key=self.pairs_in)
        pairs = [part for part in kept if self.level(part) == PAIR]
        if not pairs:
            return None
        for clause, kind, outcomes, words in PAIR_SPLITS:
            if not any(part[0] in kind for part in pairs):
                continue
            split = [other for other in settings if not self.pairs_in(other) and self.makes(other, outcomes)]
            if self.options.worse_split != "split" and any(self.better_in_both(kept, other) for other in split):
                if self.options.worse_split == "open":
                    return [kept, *split], clause, f"the pair is split to make {words} or higher, or kept as better"
                continue
            if split:
                return split, clause, f"the pair is split to make {words} or higher"
        return [kept], "10.1(a)", "a pair is set in one part" if len(pairs) == 1 else "each pair is set in one part"

    def strong(self, settings: Settings) -> tuple[Settings, str, str] | None:
        """10.1(b): High Nine, Gong, Wong while the Low Part is Chong ranking 3 or better, else the second order."""
        by_worth = {worth: [s for s in settings if self.level(s.high) == worth] for worth in FIRST_ORDER}
        present = [worth for worth in FIRST_ORDER if by_worth[worth]]
        if not present:
            return None
        fallback = next(worth for worth in SECOND_ORDER[self.options.second_order] if worth in present)
        second = self.by_tiles(by_worth[fallback])
        for worth in present if self.options.chong_test != "first" else present[:1]:
            if achieved := [setting for setting in by_worth[worth] if self.chong_three(setting)]:
                chosen = self.by_tiles(achieved)
                if self.options.chong_test == "open" and worth != present[0]:
                    chosen += [setting for setting in second if setting not in chosen]
                why = f"{STRONG_NAMES[worth]} in the High Part leaves Chong ranking 3 or better in the Low Part"
                return chosen, "10.1(b)", why
        why = f"without Chong ranking 3 in the Low Part, {STRONG_NAMES[fallback]} comes first in the High Part"
        return second, "10.1(b)", why

    def points(self, settings: Settings) -> tuple[Settings, str, str]:
        """10.1(c): the highest Low count; short of Chong ranking 3 the highest High count, or the closest counts."""
        if any(self.chong_three(setting) for setting in settings):
            best = max(self.level(setting.low) for setting in settings)
            chosen = [setting for setting in settings if self.level(setting.low) == best]
            why = "the highest possible count is set in the Low Part"
        elif (best := max(self.level(setting.high) for setting in settings)) >= 7:
            chosen = [setting for setting in settings if self.level(setting.high) == best]
            why = "without Chong ranking 3 in the Low Part, the highest count is set in the High Part"
        else:
            best = min(self.level(setting.high) - self.level(setting.low) for setting in settings)
            chosen = [s for s in settings if self.level(s.high) - self.level(s.low) == best]
            why = "with neither Chong ranking 3 low nor 7 high, the counts are set as close together as possible"
        finer = self.by_tiles(chosen)
        return finer, "10.1(c)", why if len(finer) == len(chosen) else f"{why}, then the tiles by their ranking"

    def by_tiles(self, settings: Settings) -> Settings:
        """10.1(c), last part: where the counts stay the same the individual tiles decide, (iii) before (i) and (ii).

        That (iii) prevails shows in 10.2(e) and (i): they are needed with the low 10 and the low 4 only, (iii) does the
        same with the high ones. Where two Chong or higher lie together either way, it may still mean the two highest
        tiles of the hand, or nothing: both are accepted.
        """
        apart = [setting for setting in settings if not any(self.both_high(part) for part in setting)]
        finer = self.highest_tile(apart or settings)
        if not apart:
            less = [setting for setting in settings if not any(_two_highest(part, setting) for part in setting)]
            finer += self.highest_tile(less) if less else []
        strengths = {(self.strength(setting.low), self.strength(setting.high)) for setting in finer}
        return [s for s in settings if (self.strength(s.low), self.strength(s.high)) in strengths]

    def highest_tile(self, settings: Settings) -> Settings:
        """(i), (ii): the highest tile goes Low where the High Part counts 7 or less, High from 8 up.

        If it cannot go there without altering the counts, the highest that can; if it is there anyway, nothing is left
        to decide.
        """
        goal = 0 if self.level(settings[0].high) <= 7 else 1
        highest = min(tile for setting in settings for tile in setting[goal])  # the ints run from the highest tile down
        return [setting for setting in settings if highest in setting[goal]]

    def chong_three(self, setting: Setting) -> bool:
        """Whether the Low Part is a 3 with a Chong or higher tile, or better."""
        worth = self.level(setting.low)
        return worth > 3 or (worth == 3 and min(map(tiles.family, setting.low)) <= tiles.CHONG)

    def makes(self, setting: Setting, outcomes: tuple[tuple[int, int], ...]) -> bool:
        return any(self.level(setting.low) >= low and self.level(setting.high) >= high for low, high in outcomes)

    def better_in_both(self, setting: Setting, other: Setting) -> bool:
        return all(self.strength(mine) > self.strength(yours) for mine, yours in zip(setting, other, strict=True))

    def both_high(self, part: Part) -> bool:
        return max(map(tiles.family, part)) <= tiles.CHONG

    def pairs_in(self, setting: Setting) -> int:
        return sum(self.level(part) == PAIR for part in setting)

    def level(self, part: Part) -> int:
        return tiles.level(*part, self.options)

    def strength(self, part: Part) -> int:
        return tiles.part_strength(*part, self.options)


def _two_highest(part: Part, setting: Setting) -> bool:
    return sorted(part) == sorted(setting.low + setting.high)[:2]
