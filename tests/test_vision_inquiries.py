"""Inquiries: zones that come to rest at once, before and behind one another, and what began hidden."""

import math
from collections.abc import Iterable, Sequence

import av
import cv2
import numpy as np
import pytest

from auditor.log import Chips, Dolly, Marker
from test_vision_dolly import PLAN, VIEW, _chips, _dolly, _felt
from vision.camera import Image
from vision.chip_house import NO_LOOKS, HouseLooks
from vision.frames import Frame
from vision.lying import Piece
from vision.parts import Part
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
        self.conf = 0.99
        self.asked: list[str] = []
        self.elsewhere: list[tuple[str, list[int]]] = []
        """Of each spot that was asked about, how high the stacks of others were said to be."""

    def pieces(self, image: Image, zone: Zone, new: Difference, occupied: Difference) -> list[Piece]:
        return []

    def piles(
        self, image: Image, zone: Zone, bare: Image, known: Sequence[Pile], looks: HouseLooks = NO_LOOKS,
        others: Sequence[Pile] = (),
    ) -> list[Pile]:  # fmt: skip
        self.asked.append(zone.name)
        self.elsewhere.append((zone.name, [len(pile.chips) for pile in others]))
        count = self.counts.get(zone.name, 0)
        region = tuple(stack_outline(VIEW, zone.at, count))
        return [Pile(chips=("red",) * count, conf=self.conf, at=zone.at, region=region)] if count else []


class _Layout:
    """A watched layout whose zones come to rest when they are told to."""

    def __init__(self, names: Iterable[str]) -> None:
        self.reader = _Reader()
        self.watcher = TableWatcher(read_table(TABLE, "r.toml"), VIEW, self.reader, hold_s=1000)
        first = _frame(_felt(), 0.0)
        self.watcher.inquiries.begin(first)
        for name in names:
            self.watcher.gate.zones[name].accept(first)

    def rested(self, names: Iterable[str], picture: Image, t: float, hand: str = "dealer") -> None:
        """Zones came to rest after somebody's hand was there, and are read as long as it takes."""
        zones, frame = self.watcher.gate.zones, _frame(picture, t)
        for name in names:
            is_different = zones[name].difference(frame).count > zones[name].different_px
            touched = {hand: 1.0} if hand else {}
            rest = Rest(zone=zones[name].zone, t=t, stirred_from=t - 1, touched=touched, is_different=is_different)
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


@pytest.mark.parametrize(("hand", "told"), [("dealer", [17]), ("", []), ("box2", [])])
def test_nobody_but_the_dealer_puts_the_dolly_down(hand: str, told: list[int]) -> None:
    """A sleeve in the felt's tint was not seen to be an arm, and a part of it looked like the dolly."""
    spot = PLAN.zone("layout/17")
    layout = _Layout([spot.name])
    layout.rested([spot.name], _dolly(_felt(), spot.at), 2.0, hand)
    assert [event.at for event in layout.watcher.finish() if isinstance(event, Dolly)] == told


def test_what_is_badly_read_as_a_chip_beside_a_hand_may_still_be_the_dolly() -> None:
    spot = PLAN.zone("layout/17")
    layout, dolly = _Layout([spot.name]), _dolly(_felt(), spot.at)
    layout.reader.counts[spot.name], layout.reader.conf = 1, 0.6
    window = layout.watcher.gate.zones[spot.name].window
    still = Difference(corner=(window.columns.start, window.rows.start), pixels=window.mask)
    layout.watcher.inquiries.read_part(Part(zone=spot, t=1.8, still=still, stirred_from=1.5), _frame(dolly, 2.0))
    layout.rested([spot.name], dolly, 2.4)
    (told,) = layout.watcher.finish()
    assert isinstance(told, Dolly)
    assert told.at == 17


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


@pytest.mark.parametrize("order", [("layout/18", "layout/17-18"), ("layout/17-18", "layout/18")])
def test_a_spot_is_read_with_the_stacks_that_rise_before_it_as_they_are_now(order: tuple[str, str]) -> None:
    """Whichever of the two came to rest first; none is told of its own."""
    near = PLAN.zone("layout/17-18")
    layout = _Layout(order)
    layout.reader.counts[near.name] = 16
    layout.rested(order, _chips(_felt(), near.at, 16), 2.0)
    assert {"layout/18", near.name} == set(layout.reader.asked)
    assert all(heights == ([] if name == near.name else [16]) for name, heights in layout.reader.elsewhere)


@pytest.mark.parametrize(("marks", "is_asked"), [(12, True), (3, False)])
def test_a_dark_chip_beside_a_stack_is_asked_about_by_its_marks(marks: int, is_asked: bool) -> None:
    """On dark felt little else of it is new; a few specks are none."""
    spot = PLAN.zone("layout/dozen2")
    layout = _Layout([spot.name])
    layout.reader.counts[spot.name] = 3
    picture = _chips(_felt(), spot.at, 3)
    layout.rested([spot.name], picture, 2.0)
    for number, turn in enumerate(np.linspace(0, 2 * np.pi, marks, endpoint=False)):
        out_mm = 8 if number % 3 == 2 else 16
        x, y = VIEW.to_px(spot.at[0] + 45 + out_mm * np.cos(turn), spot.at[1] + out_mm * np.sin(turn))
        cv2.circle(picture, (round(x), round(y)), 1, (220, 220, 220), -1)
    layout.reader.asked.clear()
    layout.rested([spot.name], picture, 4.0)
    assert bool(layout.reader.asked) == is_asked


def test_the_marker_is_told_where_a_hand_rested_when_the_footage_began() -> None:
    """Felt that shows when the hand is withdrawn is no marker."""
    table = read_table(TABLE.replace(b"roulette", b"blackjack"), "b.toml")
    watcher = TableWatcher(table, VIEW, _Reader(), hold_s=1000)
    zone = watcher.gate.zones["box3/marker"]
    x, y = (round(value) for value in VIEW.to_px(*zone.zone.at))
    with_hand, with_marker = _felt(), _felt()
    cv2.circle(with_hand, (x + 30, y), 36, (150, 180, 220), -1)
    cv2.circle(with_marker, (x, y), 18, (80, 220, 230), -1)
    first = _frame(with_hand, 0.0)
    watcher.inquiries.begin(first)
    watcher.gate.feed(first, watcher.gate.small.shrunk(first))
    zone.accept(first)
    for t, picture in ((2.0, _felt()), (4.0, with_marker)):
        rest = Rest(zone=zone.zone, t=t, stirred_from=t - 1, touched={}, is_different=True)
        watcher.inquiries.rested(rest, _frame(picture, t))
    assert [(event.at, event.t) for event in watcher.finish() if isinstance(event, Marker)] == [("box3", 4.0)]
