"""Pai gow hands as they were read: four tiles and how they were set, with whatever the reads leave open.

What is open is put into slots, a tile's or the one that chooses between arrangements, so that `worlds` can try it all.
"""

from collections import Counter
from itertools import permutations
from typing import NamedTuple

from auditor import log, tiles
from auditor.house_way import HouseWay, Setting, house_way
from auditor.rulebooks.paigow_play import BANK, HAND_TILES, NEVER, Act
from auditor.slots import Slot
from auditor.tiles import Part, TileOptions, part_strength
from auditor.worlds import Doubt

MAX_READINGS = 3000  # of a round; beyond it a hand counts as not read


class Lay(NamedTuple):
    """Which of the four tiles lie in the Low and in the High Part; `by_value`: the higher two are the High Part."""

    low: tuple[int, int]
    high: tuple[int, int]
    by_value: bool = False


AS_SET = Lay((0, 1), (2, 3))
ANY_WAY = (Lay((0, 1), (2, 3), by_value=True), Lay((0, 2), (1, 3), by_value=True), Lay((0, 3), (1, 2), by_value=True))


class ShownHand:
    """A hand that was displayed. `set_n` is the event that showed it set, None where that was not seen."""

    def __init__(
        self, place: str, slots: list[Slot], lays: tuple[Lay, ...], *, setting: tuple[int, log.Set] | None = None
    ) -> None:
        self.place, self.slots, self.lays = place, slots, lays
        self.set_n: int | None = setting[0] if setting is not None else None
        self.event: log.Set | None = setting[1] if setting is not None else None
        self.choice = Slot(place, slots[0].n, slots[0].t, up=True)
        self.choice.card = 0

    def tiles(self) -> list[int]:
        """The four tiles, under the reading at hand."""
        return [slot.card or 0 for slot in self.slots]

    def setting(self, options: TileOptions) -> Setting:
        """The hand as it lies, under the reading at hand; each part in rising order."""
        own, lay = self.tiles(), self.lays[self.choice.card or 0]
        low, high = _part(own, lay.low), _part(own, lay.high)
        if lay.by_value and part_strength(*low, options) > part_strength(*high, options):
            low, high = high, low
        return Setting(low, high)

    def way(self, options: TileOptions) -> HouseWay:
        """How the House Way sets it."""
        return house_way(self.tiles(), options)

    @property
    def sure(self) -> bool:
        """Nothing is open."""
        return len(self.lays) == 1 and all(slot.sure for slot in self.slots)

    @property
    def set_by_dealer(self) -> bool:
        """9.2: the dealer set it for the player."""
        return self.event is not None and self.event.by == "dealer"


def _part(own: list[int], places: tuple[int, int]) -> Part:
    a, b = own[places[0]], own[places[1]]
    return (a, b) if a <= b else (b, a)


# ---- reading -----------------------------------------------------------------------------------------------------


def read_hand(act: Act, place: str) -> ShownHand | None:
    """The hand of a box, if it was displayed: from the tiles as they were turned and from how it was seen set."""
    setting = act.counting_set(place)
    if setting is not None:
        return _read_set(act, place, *setting)
    turned = [slot.turned_n for slot in act.round.hand(place) if slot.turned_n is not None]
    slots = act.lying(place, max([act.dealt_n, *turned]))
    known = [slot for slot in slots if slot.seen_n is not None or (place == BANK and slot.sure)]
    if len(slots) != HAND_TILES or len(known) != HAND_TILES:
        return None
    return ShownHand(place, slots, ANY_WAY)


def _read_set(act: Act, place: str, n: int, event: log.Set) -> ShownHand | None:
    """Each name of the setting with the tile that was turned; a tile that had not been read gets its name from here.

    A tile that was read weakly when it was turned stays in doubt, though the setting repeats its name: the setting was
    most likely read from that very turn.
    """
    names = [*event.low, *event.high]
    weak = act.round.is_weak(event.conf)
    rest = act.lying(place, n)
    found = [_take(rest, _named(rest, text)) for text in names]
    for index, text in enumerate(names):
        if found[index] is None and text != "??":
            unread = _take(rest, [slot for slot in rest if not slot.sure])
            # Against tiles surely read, a sure setting tells how the tiles lie now; a weak one tells nothing.
            if unread is not None or not weak or not rest:
                found[index] = _slot_for(place, n, event, text, sure=not weak)
    unknown = [index for index, slot in enumerate(found) if slot is None]
    if len(rest) > len(unknown) and unknown:
        return None
    for index in unknown:
        found[index] = rest.pop(0) if rest else _slot_for(place, n, event, "??", sure=False)
    slots = [slot for slot in found if slot is not None]
    lays = (AS_SET, *ANY_WAY) if weak else _arrangements(unknown)
    return ShownHand(place, slots, lays, setting=(n, event))


def _named(slots: list[Slot], text: str) -> list[Slot]:
    """The tiles read by that name, those read surely first."""
    return sorted((slot for slot in slots if slot.text == text != "??"), key=lambda slot: not slot.sure)


def _take(slots: list[Slot], fitting: list[Slot]) -> Slot | None:
    """Take the first that fits out of the list."""
    if not fitting:
        return None
    slots.remove(fitting[0])
    return fitting[0]


def _slot_for(place: str, n: int, event: log.Set, text: str, *, sure: bool) -> Slot:
    """A tile that was read from the setting only."""
    slot = Slot(place, n, event.t, up=True)
    readings = tiles.readings(text)
    slot.text, slot.conf, slot.options = text, event.conf, readings if sure else None
    slot.card = readings[0] if readings else None
    return slot


def _arrangements(unknown: list[int]) -> tuple[Lay, ...]:
    """The ways the tiles at these positions, whose names were not seen, can lie; the others lie as read."""
    found: dict[tuple[frozenset[int], frozenset[int]], Lay] = {}
    for order in permutations(unknown):
        place = dict(zip(unknown, order, strict=True))
        a, b, c, d = (place.get(index, index) for index in range(HAND_TILES))
        found.setdefault((frozenset((a, b)), frozenset((c, d))), Lay((a, b), (c, d)))
    return tuple(found.values())


# ---- doubts ------------------------------------------------------------------------------------------------------


def doubts(act: Act, hands: dict[str, ShownHand]) -> list[Doubt]:
    """What is open about these hands. A hand that leaves too much open is taken out: it counts as not read."""
    if all(hand.event is not None and hand.sure for hand in hands.values()):
        return []
    taken: Counter[int] = Counter(slot.card for slot in act.dealt if slot.sure and slot.card is not None)
    for hand in hands.values():
        taken.update(slot.card for slot in hand.slots if slot not in act.dealt and slot.sure and slot.card is not None)
    free = Counter(tiles.FULL_SET)
    free.subtract(taken)
    by_hand = {place: _doubts_of(act, hand, hands.get(BANK), free) for place, hand in hands.items()}
    while _readings(by_hand) > MAX_READINGS:
        worst = max(by_hand, key=lambda place: _readings({place: by_hand[place]}))
        del by_hand[worst], hands[worst]
    return [doubt for found in by_hand.values() for doubt in found]


def _readings(by_hand: dict[str, list[Doubt]]) -> int:
    count = 1
    for found in by_hand.values():
        for doubt in found:
            count *= len(doubt.cards)
    return count


def _doubts_of(act: Act, hand: ShownHand, bank: ShownHand | None, free: Counter[int]) -> list[Doubt]:
    found = [Doubt(slot, _open_tiles(slot, free), _family_name, _what(slot)) for slot in hand.slots if not slot.sure]
    if len(hand.lays) > 1 and _choice_matters(act, hand, bank):
        ways = tuple(range(len(hand.lays)))
        found.append(Doubt(hand.choice, ways, lambda way: f"setting {way + 1}", f"how {hand.place} was set"))
    return found


def _what(slot: Slot) -> str:
    read = "not read" if slot.text == "??" else f"{slot.text}, read at {slot.conf or 0:.0%}"
    return f"the tile at {slot.place} of {slot.turned_t or slot.t:.1f} s ({read})"


def _family_name(tile: int) -> str:
    return tiles.APPENDIX_B[tiles.family(tile)]


def _open_tiles(slot: Slot, free: Counter[int]) -> tuple[int, ...]:
    """One tile of each family that is not used up: tiles of one family are worth the same."""
    one_each: dict[int, int] = {}
    for tile in range(len(tiles.TILES)):
        if free[tile] > 0:
            one_each.setdefault(tiles.family(tile), tile)
    if slot.card is not None:
        one_each[tiles.family(slot.card)] = slot.card
    return tuple(one_each[family] for family in sorted(one_each))


def _choice_matters(act: Act, hand: ShownHand, bank: ShownHand | None) -> bool:
    """Whether the arrangements of a hand can lead to different results or findings."""
    if hand.event is not None:
        return True
    if hand.place == BANK or bank is None:
        return False
    if not all(slot.sure for slot in (*bank.slots, *hand.slots)):
        return True
    results = set()
    for way in range(len(hand.lays)):
        hand.choice.card = way
        low, high = hand.setting(act.options)
        for setting in bank.way(act.options).settings:
            results.add(tiles.settle(*setting, low, high, act.options).result)
    hand.choice.card = 0
    return len(results) > 1


def final(act: Act, hand: ShownHand) -> bool:
    """Whether the setting that was seen is the one that counts: it was settled on, and nothing was voided first."""
    if hand.set_n is None or act.void_n != NEVER or act.hand_voided_n(hand.place) != NEVER:
        return False
    return act.settled(hand.place, hand.set_n)
