"""The chips of a table, spot by spot: what stands there by several readings, and whether the amount has changed."""

from collections import defaultdict
from collections.abc import Sequence

from auditor.log import Chips, cents, money
from vision.table_cards import Evidence
from vision.plan import Zone
from vision.reading import Pile
from vision.writer import WaitingRoom

Amounts = dict[str | None, int]


class ChipTable:
    """Amounts in cents at every spot, per colour where players have their own colours (`colours`)."""

    def __init__(self, room: WaitingRoom, values: dict[str, float], colours: frozenset[str]) -> None:
        self._room = room
        self._values = {colour: cents(value) for colour, value in values.items()}
        self._colours = colours
        self._standing: dict[str, Amounts] = {}

    def standing(self, place: str) -> Amounts:
        """What stands at a spot."""
        return self._standing.get(place, {})

    def conclude(self, zone: Zone, readings: Sequence[Sequence[Pile]], evidence: Evidence) -> None:
        """Several readings of a spot at rest: each amount that changed goes to the waiting room."""
        piles, conf = elected(readings)
        now = self._amounts(piles)
        before = self.standing(zone.place)
        region = [(round(x, 1), round(y, 1)) for pile in piles[:1] for x, y in pile.region] or None
        for colour in sorted(before.keys() | now.keys(), key=str):
            if now.get(colour, 0) != before.get(colour, 0):
                self._room.add(
                    Chips(
                        at=zone.place, amount=money(now.get(colour, 0)), colour=colour, t=evidence.t, cam=evidence.cam,
                        frame=evidence.frame, by=evidence.by, conf=conf, region=region,
                    )
                )  # fmt: skip
        self._standing[zone.place] = {colour: amount for colour, amount in now.items() if amount}

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
