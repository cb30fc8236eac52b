"""The chips of a table, spot by spot: what stands there by several readings, and whether the amount has changed."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from auditor.log import Chips, cents, money
from vision.table_cards import Evidence
from vision.plan import Zone
from vision.reading import Pile
from vision.writer import WaitingRoom

Amounts = dict[str | None, int]
ONE_STACK_MM = 30.0
"""Two stacks cannot stand so close."""
TAKEN_BACK_S = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An amount that was told: its event's ticket, and what stood there before."""

    ticket: int
    before: int
    t: float


class ChipTable:
    """Amounts in cents at every spot, per colour where players have their own colours (`colours`)."""

    def __init__(self, room: WaitingRoom, values: dict[str, float], colours: frozenset[str]) -> None:
        self._room = room
        self._values = {colour: cents(value) for colour, value in values.items()}
        self._colours = colours
        self._standing: dict[str, Amounts] = {}
        self._piles: dict[str, Sequence[Pile]] = {}
        self._tickets: dict[tuple[str, str | None], Told] = {}

    def piles(self, place: str) -> Sequence[Pile]:
        """The stacks that are known to stand at a spot."""
        return self._piles.get(place, ())

    def all_piles(self) -> list[Pile]:
        """Every stack on the table."""
        return [pile for piles in self._piles.values() for pile in piles]

    def standing(self, place: str) -> Amounts:
        """What stands at a spot."""
        return self._standing.get(place, {})

    def conclude(self, zone: Zone, readings: Sequence[Sequence[Pile]], evidence: Evidence) -> None:
        """Several readings of a spot at rest: each amount that changed goes to the waiting room."""
        piles, conf = elected(readings)
        self._state(zone.place, self._own(zone.place, piles, evidence), conf, evidence)

    def _own(self, place: str, piles: Sequence[Pile], evidence: Evidence) -> Sequence[Pile]:
        """The stacks that are this spot's: one that stands on the line belongs to the spot that sees it better."""
        own = list(piles)
        for other, theirs in list(self._piles.items()):
            if other == place:
                continue
            for pile in [each for each in own if any(_is_one(each, their) for their in theirs)]:
                rival = next(their for their in theirs if _is_one(pile, their))
                if rival.conf >= pile.conf:
                    own.remove(pile)
                else:
                    rest = [their for their in theirs if their is not rival]
                    self._state(other, rest, pile.conf, evidence)
        return own

    def _state(self, place: str, piles: Sequence[Pile], conf: float, evidence: Evidence) -> None:
        now, before = self._amounts(piles), self.standing(place)
        self._piles[place] = piles
        region = [(round(x, 1), round(y, 1)) for pile in piles[:1] for x, y in pile.region] or None
        for colour in sorted(before.keys() | now.keys(), key=str):
            amount = now.get(colour, 0)
            if amount == before.get(colour, 0):
                continue
            last = self._tickets.pop((place, colour), None)
            is_undone = last is not None and last.before == amount and evidence.t - last.t < TAKEN_BACK_S
            if last is not None and is_undone and self._room.withdraw(last.ticket):  # it was never there
                continue
            event = Chips(
                at=place, amount=money(amount), colour=colour, t=evidence.t, cam=evidence.cam, frame=evidence.frame,
                by=evidence.by, conf=conf, region=region,
            )  # fmt: skip
            ticket = self._room.add(event)
            self._tickets[place, colour] = Told(ticket=ticket, before=before.get(colour, 0), t=evidence.t)
        self._standing[place] = {colour: amount for colour, amount in now.items() if amount}

    def _amounts(self, piles: Sequence[Pile]) -> Amounts:
        """Money by colour. Cash that stands with one player's colour is his: that is how he is paid."""
        amounts: Amounts = {}
        for pile in piles:
            for chip in pile.chips:
                colour = chip if chip in self._colours else None
                amounts[colour] = amounts.get(colour, 0) + self._values.get(chip, 0)
        owners = [colour for colour in amounts if colour is not None]
        if len(owners) == 1 and None in amounts:
            amounts[owners[0]] += amounts.pop(None)
        return amounts


def _is_one(pile: Pile, other: Pile) -> bool:
    return math.dist(pile.at, other.at) < ONE_STACK_MM


def elected(readings: Sequence[Sequence[Pile]]) -> tuple[Sequence[Pile], float]:
    """The reading that most others agree with, and how sure it is.

    >>> five = Pile(chips=("red",) * 5, conf=0.9, at=(0, 0), region=())
    >>> six = Pile(chips=("red",) * 6, conf=0.6, at=(0, 0), region=())
    >>> piles, conf = elected([[five], [six], [five]])
    >>> len(piles[0].chips), round(conf, 2)
    (5, 0.68)
    """
    weights: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for reading in readings:
        weights[_chips(reading)] += _conf(reading)
    chips = max(weights, key=lambda each: weights[each])
    best = max((reading for reading in readings if _chips(reading) == chips), key=_conf)
    agreeing = weights[chips] / max(1e-9, sum(weights.values()))
    return best, round(_conf(best) * agreeing, 4)


def _chips(reading: Sequence[Pile]) -> tuple[str, ...]:
    return tuple(sorted(chip for pile in reading for chip in pile.chips))


def _conf(reading: Sequence[Pile]) -> float:
    return min((pile.conf for pile in reading), default=0.97)
