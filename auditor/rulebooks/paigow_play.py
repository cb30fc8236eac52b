"""Pai gow as it was played: the options, where a round begins and ends, and one round laid out for the rules."""

from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from auditor import log
from auditor.ledgers import Change
from auditor.slots import Slot
from auditor.wager_checks import stakes_at
from auditor.house import House
from auditor.log import AnyEvent
from auditor.boundaries import CardsCollected
from auditor.places import box_of
from auditor.rounds import Round
from auditor.tiles import FULL_SET, TileOptions

BANK = "box1"  # 6.1, 7.3: the house's box, marked by the Chung
BOXES = tuple(f"box{number}" for number in range(1, 9))  # 8.2, 8.4: anticlockwise, the direction of the deal
HAND_TILES = 4  # def. Hand
MAIN = frozenset({"main"})
NEVER = 1 << 60


class PaiGowHouse(House, frozen=True, kw_only=True):
    """Options of Tournament Pai Gow; "open": either reading is right as long as the house names none."""

    gee_jun: Annotated[
        Literal["last", "by_value"],
        Meta(description="Appendix B: both Gee Jun tiles rank last, or one counted as 6 ranks above Chop Ng"),
    ] = "last"
    gong_any: Annotated[
        bool, Meta(description="Appendix A: any 8 makes a Gong, any 7 a High Nine; false leaves out Yun and Tit")
    ] = True
    second_order: Annotated[
        Literal["gong", "wong"],
        Meta(description="10.1(b): the second order as printed (Gong first), or Wong first as in New Zealand"),
    ] = "gong"
    chong_test: Annotated[
        Literal["open", "each", "first"],
        Meta(description="10.1(b): Chong ranking 3 is looked for in the Low Part each leaves, or only the first"),
    ] = "open"
    worse_split: Annotated[
        Literal["open", "keep", "split"],
        Meta(description="10.1(a): a pair better kept in both parts is kept, or split to the letter"),
    ] = "open"
    outranked_4_5: Annotated[
        Literal["open", "exchange", "letter"],
        Meta(description="10.2(d) with 3-3 and 2-2: the parts change places, or the 4 and 5 stay High to the letter"),
    ] = "open"
    zero_rule: Annotated[
        Literal["low", "both"],
        Meta(description="11.6: nought against nought goes to the Bank in the Low Part only, or in both parts"),
    ] = "low"
    foul_hand: Annotated[
        Literal["open", "as_set", "exchange", "lose"],
        Meta(
            description="what becomes of a player's hand whose Low Part is the higher (the rules do not say): any of "
            "the following stands, the parts count as set, by the definitions they change places, or it loses"
        ),
    ] = "open"


@lru_cache(maxsize=64)
def tile_options(house: PaiGowHouse) -> TileOptions:
    """The options that rank tiles and set hands."""
    return TileOptions(
        gee_jun=house.gee_jun, gong_any=house.gong_any, second_order=house.second_order, chong_test=house.chong_test,
        worse_split=house.worse_split, outranked_4_5=house.outranked_4_5, zero_rule=house.zero_rule,
    )  # fmt: skip


# ---- where a round begins and ends -------------------------------------------------------------------------------


class TilesCollected(CardsCollected):
    """«Commences with the opening of the dice cup and concludes with the collection of all tiles.»

    A misdeal declared before the cup is opened (13.3) is a round of its own. The cup may be shaken again (13.1), and
    tiles dealt wrongly may be taken back and dealt again (13.11), in the same round.
    """

    def opens(self, round: Round, event: AnyEvent) -> bool:
        """The cup is opened; where that was not seen, a tile comes to a box."""
        if isinstance(event, log.Call):
            return event.at is None and event.what in ("void", "misdeal") and not round.is_weak(event.conf)
        return isinstance(event, log.Dice) or (isinstance(event, log.Tile) and event.at in BOXES)

    def starts_next(self, round: Round, event: AnyEvent) -> bool:
        """After collection: whatever is not still settlement. Before it: signs that collection went unseen."""
        if isinstance(event, log.Tile):
            return self.ended(round) and _played(round)
        if isinstance(event, log.Dice):
            return round.called_off() or (bool(round.slots) and (_played(round) or bool(round.gaps)))
        if isinstance(event, log.Shuffle) and round.slots:
            return not (round.is_weak(event.conf) and _hands_lie(round))
        if isinstance(event, log.Call) and event.what == "no_more_bets" and round.slots:
            return _played(round) or bool(round.gaps)
        return self.ended(round) and super().starts_next(round, event)

    def ended(self, round: Round) -> bool:
        """All hands are collected, and not only taken back in the middle of the deal.

        Chips that the dealer moves between the cup and the first tile (a late wager refused) end nothing.
        """
        if round.opened_n is None or _hands_lie(round):
            return False
        seen = round.slots or round.gaps or round.called_off()
        return (bool(seen) and _played(round)) or len(round.slots) >= len(FULL_SET)

    def tells_of_the_past(self, round: Round, event: AnyEvent) -> bool:
        """As in every game; or a hand is set at a box whose wager may have stood there before the log began."""
        if isinstance(event, log.Set) and event.at != BANK and not round.tells_of(f"{event.at}/main"):
            return not isinstance(round.first_event, (log.Shuffle, log.Cut))
        return super().tells_of_the_past(round, event)


def _hands_lie(round: Round) -> bool:
    """Whether a hand still lies on the table that is in play: the house's, one wagered on, or one turned up.

    Tiles that should have been retrieved hold no round open; nor, where a hand was dealt too many, a rest left behind.
    """
    bank = round.hand(BANK)
    if not round.on_table or not bank:
        return bool(round.on_table)
    if _lies(bank):
        return True
    wagered = {box_of(ledger.at) for ledger in round.chips.values()}
    in_play = (round.hand(place) for place in BOXES if place in wagered or _turned(round.hand(place)))
    return any(_lies(slots) for slots in in_play)


def _lies(slots: list[Slot]) -> bool:
    lying = sum(slot.gone_n is None for slot in slots)
    return lying > 0 and (lying == len(slots) or lying >= HAND_TILES)


def _turned(slots: list[Slot]) -> bool:
    return any(slot.turned_n is not None for slot in slots)


def _played(round: Round) -> bool:
    """Whether the round went beyond dealing: money was settled, tiles were turned, the house's hand was set (where all
    push, nothing else need show it), or it was declared void."""
    set_by_house = any(isinstance(event, log.Set) and event.at == BANK for event in round.events)
    return round.settling or round.called_off() or _turned(round.slots) or set_by_house


# ---- one round ---------------------------------------------------------------------------------------------------


class Deal(NamedTuple):
    """Tiles dealt in one go: every time the cup was opened for it, and the tiles."""

    openings: list[log.Dice]
    slots: list[Slot]


class Act:
    """One round, laid out: what was staked when betting closed, how the dice fell, what was dealt, how it was set."""

    def __init__(self, round: Round, house: PaiGowHouse) -> None:
        assert round.opened_n is not None
        self.round, self.house, self.opened_n = round, house, round.opened_n
        self.options = tile_options(house)
        called = round.called("no_more_bets")
        self.closed_n = self.opened_n if called is None else min(called, self.opened_n)  # 7.1, 7.4
        standing = stakes_at(round, self.closed_n, MAIN)
        self.stakes = [stake for stake in standing if box_of(stake.ledger.at) != BANK]
        self.staked = {box_of(stake.ledger.at) for stake in self.stakes}
        self.on_bank = [stake for stake in standing if box_of(stake.ledger.at) == BANK]
        self.sets: dict[str, list[tuple[int, log.Set]]] = {}
        openings: list[tuple[int, log.Dice]] = []
        for n, event in enumerate(round.events):
            if isinstance(event, log.Dice):
                openings.append((n, event))
            elif isinstance(event, log.Set):
                self.sets.setdefault(event.at, []).append((n, event))
        self.deals = _deals(openings, round.slots)
        self.dealt = self.deals[-1].slots if self.deals else []
        self.dealt_n = self.dealt[-1].n if self.dealt else self.opened_n
        self._readable_n: dict[str, int] = {}
        self.void_n = min((n for n, _ in round.calls_off()), default=NEVER)

    def late_boxes(self) -> set[str]:
        """Boxes on which chips were put after betting closed."""
        return {
            box_of(ledger.at)
            for ledger in self.round.chips.values()
            if ledger.spot in MAIN
            and any(c.n > self.closed_n and c.by != "dealer" and c.rise > 0 for c in ledger.changes)
        }

    def moves(self, box: str | None = None) -> list[Change]:
        """What the dealer moved at the wagers (of a box) since betting closed, in order."""
        found = [
            change
            for ledger in self.round.chips.values()
            if ledger.spot in MAIN and (box is None or box_of(ledger.at) == box)
            for change in ledger.changes
            if change.n > self.closed_n and change.by == "dealer"
        ]
        return sorted(found, key=lambda change: change.n)

    def counting_set(self, place: str) -> tuple[int, log.Set] | None:
        """The hand as it was set when settlement began: for the bank the first settlement after it was set at all."""
        sets = [each for each in self.sets.get(place, ()) if set(each[1].low + each[1].high) != {"??"}]
        if not sets:
            return None
        settled_n = next((c.n for c in self.moves(None if place == BANK else place) if c.n > sets[0][0]), NEVER)
        counting = [each for each in sets if each[0] < settled_n]
        last = counting[-1][1]
        if self.round.is_weak(last.conf):
            # A surer read that says the same settles it.
            surer = [each for each in counting if not self.round.is_weak(each[1].conf) and _same_parts(each[1], last)]
            counting += surer[-1:]
        return counting[-1]

    def settled(self, place: str, n: int) -> bool:
        """Whether a setting seen at event `n` is final: something was settled on it, or the round is over."""
        return self.round.ended or any(change.n > n for change in self.moves(None if place == BANK else place))

    def lying(self, place: str, n: int) -> list[Slot]:
        """The tiles of a place as they lay after event `n`."""
        return [slot for slot in self.round.hand(place) if slot.n <= n and (slot.gone_n is None or slot.gone_n > n)]

    def readable_n(self, place: str) -> int:
        """When the hand could first be read: four tiles lay open, or it was seen set."""
        n = self._readable_n.get(place)
        if n is None:
            seen = sorted(slot.seen_n for slot in self.round.hand(place) if slot.seen_n is not None)
            opened = seen[HAND_TILES - 1] if len(seen) >= HAND_TILES else NEVER
            n = self._readable_n[place] = min(opened, self.sets[place][0][0] if place in self.sets else NEVER)
        return n

    def hand_voided_n(self, box: str) -> int:
        """When the hand of a box was declared void (13.8)."""
        return next((n for n, call in self.round.calls if _voids(call, box)), NEVER)


def _same_parts(one: log.Set, other: log.Set) -> bool:
    return sorted(one.low) == sorted(other.low) and sorted(one.high) == sorted(other.high)


def _voids(call: log.Call, box: str) -> bool:
    return call.what == "void" and call.at is not None and box_of(call.at) == box


def _deals(openings: list[tuple[int, log.Dice]], slots: list[Slot]) -> list[Deal]:
    """The tiles dealt to boxes; more than one deal only if it began anew, after another shaking or with none."""
    found: list[Deal] = []
    waiting = list(openings)
    for index, slot in enumerate(slots):
        if slot.dealt_to not in BOXES:
            continue
        if not found or (waiting and waiting[0][0] < slot.n):
            fell = [dice for n, dice in waiting if n < slot.n]
            waiting = waiting[len(fell) :]
            found.append(Deal(fell, []))
        elif slot.dealt_to != found[-1].slots[-1].dealt_to and _taken_back(found[-1].slots, slots[index:]):
            found.append(Deal(found[-1].openings, []))
        found[-1].slots.append(slot)
    return found


def _taken_back(dealt: list[Slot], rest: list[Slot]) -> bool:
    """Whether everything dealt so far was taken back, to be dealt once more (not: retrieved, for want of a wager)."""
    if any(slot.gone_n is None or slot.gone_n > rest[0].n for slot in dealt):
        return False
    return not {slot.dealt_to for slot in dealt}.isdisjoint(slot.dealt_to for slot in rest)
