"""The chips of a table, spot by spot: what stands there by several readings, and whether the amount has changed."""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import msgspec
import numpy as np

from auditor.log import Chips, cents, money
from vision.chip_house import EdgeLook, learnt
from vision.plan import CHIP_HEIGHT_MM, Zone
from vision.rests import BRIEF_S
from vision.reading import Pile
from vision.writer import Evidence, WaitingRoom

Amounts = dict[str | None, int]
ONE_STACK_MM = 30.0
"""Two stacks cannot stand so close."""
SAME_STACK_MM = 15.0
"""So far a stack may seem to have moved while others come to stand before it."""
COVERED, LARGER, AS_SURE = 0.75, 1.3, 0.5
"""A stack explains what was read as another if it covers so much of that, is so much larger in the picture, and at
least so sure beside it."""
HIDDEN_CONF, UNREAD_CONF, HELD_S = 0.5, 0.05, 1.0
SEEN_CONF, NEW_SHARE, THERE_CONF = 0.1, 0.5, 0.97
"""A stack that was read at all, and where so much of it looks different from before, is there whatever its number: from
afar a count is hardly ever sure, that chips came is. They stood there in 236 of 236 readings of development footage
from 0.5 on, and in 38 of 38 below. Whose they are, its colour says, which may be wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An amount that was told: its event's ticket, and what stood there before."""

    ticket: int
    before: int
    t: float


@dataclass(slots=True, kw_only=True)
class ChipMemory:
    """What stands where, in cents by colour and in stacks, the amounts that were told last, and how the house's chips
    have looked so far."""

    standing: dict[str, Amounts] = field(default_factory=dict)
    piles: dict[str, list[Pile]] = field(default_factory=dict)
    tickets: dict[tuple[str, str | None], Told] = field(default_factory=dict)
    looks: dict[str, EdgeLook] = field(default_factory=dict)
    changed_t: float = 0.0
    """When an amount was last seen to change."""


class ChipTable:
    """Amounts in cents at every spot, per colour where players have their own colours (`colours`)."""

    def __init__(self, room: WaitingRoom, values: dict[str, float], colours: frozenset[str]) -> None:
        self._room = room
        self._values = {colour: cents(value) for colour, value in values.items()}
        self._colours = colours
        self.memory = ChipMemory()

    def piles(self, place: str) -> Sequence[Pile]:
        """The stacks that are known to stand at a spot."""
        return self.memory.piles.get(place, ())

    def height_mm(self, place: str) -> float:
        """How high the highest stack of a spot is."""
        return CHIP_HEIGHT_MM * max((len(pile.chips) for pile in self.piles(place)), default=0)

    def all_piles(self, but: str = "") -> list[Pile]:
        """Every stack on the table, or all but those of one spot."""
        return [pile for place, piles in self.memory.piles.items() if place != but for pile in piles]

    def standing(self, place: str) -> Amounts:
        """What stands at a spot."""
        return self.memory.standing.get(place, {})

    def conclude(
        self, zone: Zone, readings: Sequence[Sequence[Pile]], evidence: Evidence, *, is_hidden: bool = False,
        unread: Sequence[bool] = (), is_touched: bool = True, is_shared: bool = False,
        changed_share: Callable[[Pile], float] = lambda pile: 0.0,
    ) -> None:  # fmt: skip
        """Several readings of a spot that looks different since: each amount that changed goes to the waiting room.

        `is_hidden`: something stands on the chips. `is_shared`: the dealer's hand and a player's were there one after
        the other, so that a spot that is empty now may have held winnings in between. `unread` says of each reading
        whether more stands there than it says; where it is so of the one that counts, at least the smallest chip is
        there, so that nobody takes the spot for empty. Where the dealer's hand was there, the spot `is_touched` and the
        same is read as before, a stack that he added may be overlooked. `changed_share` says how much of the picture
        has changed where a stack stands.
        """
        piles, conf = elected([self._remembered(zone.place, reading) for reading in readings])
        is_unread = _leaves_unread(piles, readings, unread)
        is_doubtful = is_hidden or (is_shared and not piles)
        conf = min(conf, HIDDEN_CONF if is_doubtful else 1.0, UNREAD_CONF if is_unread else 1.0)
        for pile in piles:
            self.memory.looks = learnt(self.memory.looks, pile.lesson)
        if self._was_unread(zone.place) and not is_unread:  # nobody knows what came or went while it could not be read
            conf, evidence = min(conf, HIDDEN_CONF), replace(evidence, by=None)
        own = self._own(zone.place, piles, evidence)
        if is_unread:
            least = min(self._values, key=lambda colour: (colour in self._colours, self._values[colour]))
            own = [*own, Pile(chips=(least,), conf=UNREAD_CONF, at=zone.at, region=())]
        is_as_before = self._amounts(zone.place, own, evidence.by) == self.standing(zone.place)
        if is_touched and evidence.by == "dealer" and own and is_as_before:
            self._doubt(zone.place, evidence)
        is_new = any(pile.conf >= SEEN_CONF and changed_share(pile) >= NEW_SHARE for pile in own)
        self._state(zone.place, own, conf, evidence, there=THERE_CONF if is_new and not is_unread else None)

    def _remembered(self, place: str, reading: Sequence[Pile]) -> list[Pile]:
        """The reading with stacks that stood there before and are read as they were: what hides them now, winnings put
        before a stake, takes nothing from how sure they were."""
        known = self.piles(place)
        confs = [max(each.conf for each in (pile, *known) if _is_same(pile, each)) for pile in reading]
        return [replace(pile, conf=conf) for pile, conf in zip(reading, confs, strict=True)]

    def _doubt(self, place: str, evidence: Evidence) -> None:
        """Tell the amounts of a spot once more, as uncertain."""
        for colour, amount in self.standing(place).items():
            self._room.add(_event(place, colour, amount, HIDDEN_CONF, evidence))

    def may_have_held(self, place: str, evidence: Evidence) -> None:
        """A spot that is empty, or not read, where chips of anybody who has some on the table may have come and gone
        unseen."""
        if not self.standing(place) or self._was_unread(place):
            for colour in sorted({each for amounts in self.memory.standing.values() for each in amounts}, key=str):
                held = self.standing(place).get(colour, 0)
                self._room.add(_event(place, colour, held, UNREAD_CONF if held else HIDDEN_CONF, evidence))

    def _was_unread(self, place: str) -> bool:
        """Whether something was last seen to stand at a spot that nobody could read."""
        return any(not pile.region and pile.conf <= UNREAD_CONF for pile in self.piles(place))

    def _own(self, place: str, piles: Sequence[Pile], evidence: Evidence) -> Sequence[Pile]:
        """The stacks that are this spot's: one that stands on the line belongs to the spot that sees more of it or
        sees it better."""
        own = list(piles)
        for other, theirs in list(self.memory.piles.items()):
            if other == place:
                continue
            for pile in [each for each in own if any(_is_one(each, their) for their in theirs)]:
                rival = next(their for their in theirs if _is_one(pile, their))
                if explains(rival, pile) or (rival.conf >= pile.conf and not explains(pile, rival)):
                    own.remove(pile)
                else:
                    rest = [their for their in theirs if their is not rival]
                    self._state(other, rest, pile.conf, evidence)
        return own

    def _state(
        self, place: str, piles: Sequence[Pile], conf: float, evidence: Evidence, there: float | None = None
    ) -> None:
        now, before = self._amounts(place, piles, evidence.by), self.standing(place)
        self.memory.piles[place] = list(piles)
        region = [(round(x, 1), round(y, 1)) for pile in piles[:1] for x, y in pile.region] or None
        for colour in sorted(before.keys() | now.keys(), key=str):
            amount = now.get(colour, 0)
            if amount == before.get(colour, 0):
                continue
            last = self.memory.tickets.pop((place, colour), None)
            is_read = conf > UNREAD_CONF
            if last is not None and last.before == amount and self._is_undone(last, evidence.t, is_read=is_read):
                continue
            event = _event(place, colour, amount, conf, evidence, region)
            if there is not None and conf < there and amount and colour is None:
                event = msgspec.structs.replace(event, there=there)
            ticket, self.memory.changed_t = self._room.add(event), evidence.t
            self.memory.tickets[place, colour] = Told(ticket=ticket, before=before.get(colour, 0), t=evidence.t)
        self.memory.standing[place] = {colour: amount for colour, amount in now.items() if amount}

    def _is_undone(self, last: Told, t: float, *, is_read: bool) -> bool:
        """Whether the amount that is back was never another: chips that stood there for a moment were held over the
        spot; what could not be read hid those that are read again, of which nobody knows what became meanwhile."""
        event = self._room.waiting(last.ticket)
        is_players = isinstance(event, Chips) and event.by == "player" and (event.conf or 1.0) < HIDDEN_CONF
        if t - last.t < (HELD_S if is_players else BRIEF_S):  # what a player's hand looks like is no wager
            return self._room.withdraw(last.ticket)
        if not isinstance(event, Chips) or event.conf is None or event.conf > UNREAD_CONF:
            return False
        if not last.before or not is_read:
            return False
        doubted = msgspec.structs.replace(event, amount=money(last.before), conf=HIDDEN_CONF, there=None)
        return self._room.amend(last.ticket, doubted)

    def _amounts(self, place: str, piles: Sequence[Pile], by: str | None) -> Amounts:
        """Money by colour. Cash that the dealer puts with one player's colour is his: that is how he is paid; but what
        is put next to a wager in cash is that one's. What a player puts there is a wager beside it."""
        amounts = self._by_colour(piles)
        owners = [colour for colour in amounts if colour is not None]
        if len(owners) == 1 and None in amounts:
            cash = amounts.pop(None)
            came = cash - self._by_colour(self.piles(place)).get(None, 0)
            is_cash_s = by == "player" or self._is_next_to_cash(place, piles)
            wagered = min(cash, self.standing(place).get(None, 0) + (max(came, 0) if is_cash_s else 0))
            amounts[owners[0]] += cash - wagered
            amounts |= {None: wagered} if wagered else {}
        return amounts

    def _is_next_to_cash(self, place: str, piles: Sequence[Pile]) -> bool:
        """Whether the cash that came to a spot stands nearest to cash that stood there as a wager."""
        known = self.piles(place)
        came = [pile for pile in piles if self._is_cash(pile) and not any(_is_same(pile, each) for each in known)]
        if not came or not self.standing(place).get(None):
            return False
        nearest = [min(known, key=lambda each: math.dist(each.at, pile.at)) for pile in came]
        return all(self._is_cash(pile) for pile in nearest)

    def _is_cash(self, pile: Pile) -> bool:
        return not any(chip in self._colours for chip in pile.chips)

    def _by_colour(self, piles: Sequence[Pile]) -> Amounts:
        """What the players' own chips are worth, and under no colour the cash."""
        amounts: Amounts = {}
        for chip in (chip for pile in piles for chip in pile.chips):
            colour = chip if chip in self._colours else None
            amounts[colour] = amounts.get(colour, 0) + self._values.get(chip, 0)
        return amounts


def _event(
    place: str, colour: str | None, amount: int, conf: float, evidence: Evidence,
    region: list[tuple[float, float]] | None = None,
) -> Chips:  # fmt: skip
    return Chips(
        at=place, amount=money(amount), colour=colour, t=evidence.t, cam=evidence.cam, frame=evidence.frame,
        by=evidence.by, conf=conf, region=region,
    )  # fmt: skip


def _is_one(pile: Pile, other: Pile) -> bool:
    return math.dist(pile.at, other.at) < ONE_STACK_MM


def explains(pile: Pile, other: Pile) -> bool:
    """Whether what was read as one stack is but a part of another that stands before it: winnings of which a stake
    hides the foot look from the spot behind like a chip that lies there, however surely."""
    if not (pile.region and other.region) or pile.conf < AS_SURE * other.conf:
        return False
    one, part = (np.array(each.region, np.float32) for each in (pile, other))
    covered, _ = cv2.intersectConvexConvex(one, part)
    area, is_before = cv2.contourArea(part), one[:, 1].max() > part[:, 1].max()
    return bool(is_before and covered >= COVERED * area and cv2.contourArea(one) >= LARGER * area)


def _is_same(pile: Pile, other: Pile) -> bool:
    return pile.chips == other.chips and math.dist(pile.at, other.at) < SAME_STACK_MM


def elected(readings: Sequence[Sequence[Pile]]) -> tuple[Sequence[Pile], float]:
    """The reading that most others agree with, and how sure it is.

    >>> five = Pile(chips=("red",) * 5, conf=0.9, at=(0, 0), region=())
    >>> six = Pile(chips=("red",) * 6, conf=0.6, at=(0, 0), region=())
    >>> piles, conf = elected([[five], [six], [five]])
    >>> len(piles[0].chips), conf
    (5, 0.675)
    """
    weights: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for reading in readings:
        weights[_chips(reading)] += _conf(reading)
    chips = max(weights, key=lambda each: weights[each])
    best = max((reading for reading in readings if _chips(reading) == chips), key=_conf)
    agreeing = weights[chips] / max(1e-9, sum(weights.values()))
    return best, round(_conf(best) * agreeing, 4)


def _leaves_unread(elected: Sequence[Pile], readings: Sequence[Sequence[Pile]], unread: Sequence[bool]) -> bool:
    """Whether most looks that saw the stacks of the elected reading saw more beside them: what another misread, and
    then could not explain, is no thing of its own."""
    said = [more for reading, more in zip(readings, unread, strict=False) if _chips(reading) == _chips(elected)]
    return 2 * sum(said) > len(said)


def _chips(reading: Sequence[Pile]) -> tuple[str, ...]:
    return tuple(sorted(chip for pile in reading for chip in pile.chips))


def _conf(reading: Sequence[Pile]) -> float:
    return math.prod(pile.conf for pile in reading) if reading else 0.97
