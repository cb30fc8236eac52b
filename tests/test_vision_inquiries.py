"""Inquiries at a roulette layout: spots that come to rest at once, before and behind one another."""

import math
from collections.abc import Iterable, Sequence

import av
import cv2
import pytest

from auditor.log import Chips, Dolly
from test_vision_dolly import PLAN, VIEW, _chips, _dolly, _felt
from vision.camera import Image
from vision.chip_house import NO_LOOKS, HouseLooks
from vision.frames import Frame
from vision.lying import Piece
from vision.plan import Zone
from vision.reading import Pile, stack_outline
from vision.rests import Rest
from vision.table_file import read_table
from vision.watcher import TableWatcher
from vision.window import Difference

TABLE = b'table = "R"\nrulebook = "act-roulette"\n[chips]\nred = 5\n'


class _Reader:
    """A reader who knows how many chips stand where."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def pieces(self, image: Image, zone: Zone, new: Difference, occupied: Difference) -> list[Piece]:
        return []

    def piles(
        self, image: Image, zone: Zone, bare: Image, known: Sequence[Pile], looks: HouseLooks = NO_LOOKS
    ) -> list[Pile]:
        count = self.counts.get(zone.name, 0)
        region = tuple(stack_outline(VIEW, zone.at, count))
        return [Pile(chips=("red",) * count, conf=0.99, at=zone.at, region=region)] if count else []


class _Layout:
    """A watched layout whose zones come to rest when they are told to."""

    def __init__(self, names: Iterable[str]) -> None:
        self.reader = _Reader()
        self.watcher = TableWatcher(read_table(TABLE, "r.toml"), VIEW, self.reader, hold_s=1000)
        first = _frame(_felt(), 0.0)
        self.watcher.inquiries.begin(first)
        for name in names:
            self.watcher.gate.zones[name].accept(first)

    def rested(self, names: Iterable[str], picture: Image, t: float) -> None:
        """Zones came to rest after the dealer's hand was there, and are read as long as it takes."""
        zones, frame = self.watcher.gate.zones, _frame(picture, t)
        for name in names:
            is_different = zones[name].difference(frame).count > zones[name].different_px
            rest = Rest(
                zone=zones[name].zone, t=t, stirred_from=t - 1, touched={"dealer": 1.0}, is_different=is_different
            )
            self.watcher.inquiries.rested(rest, frame)
            zones[name].doing.still_since = t
        for _ in range(3):
            self.watcher.inquiries.read(frame)


def _frame(picture: Image, t: float) -> Frame:
    decoded = av.VideoFrame.from_ndarray(picture, format="bgr24").reformat(format="yuv420p")
    return Frame(index=round(t * 25), t=t, decoded=decoded)


def test_an_arm_beside_the_dolly_does_not_make_it_part_of_the_layout() -> None:
    """Zones behind it come to rest while the dealer's sleeve still touches it in the picture."""
    spot = PLAN.zone("layout/17")
    dolly = _dolly(_felt(), spot.at)
    with_sleeve, head = dolly.copy(), VIEW.to_px(*spot.at, 50)
    cv2.line(with_sleeve, (round(head[0]), round(head[1])), (round(head[0]), 0), (30, 30, 30), 60)
    around = [zone.name for zone in PLAN.of_kind("chips") if 0 < math.dist(zone.at, spot.at) < 80]
    layout = _Layout([*around, spot.name])
    layout.rested(around, with_sleeve, 2.0)
    layout.rested([spot.name], dolly, 2.4)
    assert [event.at for event in layout.watcher.finish() if isinstance(event, Dolly)] == [17]


@pytest.mark.parametrize("order", [("layout/18", "layout/17-18"), ("layout/17-18", "layout/18")])
def test_winnings_that_rise_before_another_spot_are_nothing_that_stands_there(order: tuple[str, str]) -> None:
    """The stack is not yet known to be so high when the spot behind it is read."""
    near = PLAN.zone("layout/17-18")
    layout = _Layout(order)
    for t, count in ((2.0, 1), (4.0, 16)):
        layout.reader.counts[near.name] = count
        layout.rested(order, _chips(_felt(), near.at, count), t)
    chips = [event for event in layout.watcher.finish() if isinstance(event, Chips)]
    assert [(event.at, event.amount, event.conf) for event in chips] == [(near.name, 5, 0.99), (near.name, 80, 0.99)]
