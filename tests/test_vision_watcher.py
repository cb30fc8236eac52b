"""The gate and the watcher on a paper table: flat shapes moved about, read by somebody who knows what they are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import av
import cv2
import numpy as np

from auditor.log import Call, Card, Chips, Gone, Marker, Turn
from vision.camera import CalibrationPoint, Image, View
from vision.frames import Frame
from vision.gate import Difference
from vision.lying import Piece
from vision.plan import Point, Zone, turned
from vision.reading import Pile
from vision.table_file import TableFile, read_table
from vision.watcher import TableWatcher

SIZE = (960, 640)
FPS = 25
TABLE = b'table = "T"\nrulebook = "act-blackjack"\n[chips]\nred = 5\ngreen = 25\n'


def _view() -> View:
    """Nearly from above, a little from the players' side."""
    px = {(-850, 0): (80, 60), (850, 0): (880, 60), (600, 800): (770, 560), (-600, 800): (190, 560)}
    return View.from_points([CalibrationPoint(mm=mm, px=at) for mm, at in px.items()], SIZE)


@dataclass(slots=True)
class PaperTable:
    """Cards and stacks as flat shapes, arms as broad strokes; the reader sees what lies, the camera its picture."""

    view: View
    cards: dict[str, list[Piece]] = field(default_factory=dict)
    chips: dict[str, tuple[str, ...]] = field(default_factory=dict)
    spots: dict[str, int] = field(default_factory=dict)
    arms: list[tuple[Point, Point]] = field(default_factory=list)

    def lay(self, zone: Zone, label: str, right: float, *, up: bool = True) -> None:
        at = zone.from_middle(right, 0)
        self.cards.setdefault(zone.name, []).append(Piece(label=label, up=up, conf=0.99, at=at, region=()))

    def picture(self, table: TableFile, grey: int = 90) -> Image:
        image = np.full(SIZE[::-1], grey, np.uint8)
        for name, pieces in self.cards.items():
            for number, piece in enumerate(pieces):
                self._card(image, piece, table.plan.zone(name).yaw, number)
        for name, chips in self.chips.items():
            for number in range(len(chips)):
                self._disc(image, table.plan.zone(name).at, 20, 30 + 160 * (number % 2), z=3.3 * number)
        for name, shade in self.spots.items():
            self._disc(image, table.plan.zone(name).at, 22, shade)
        for start, end in self.arms:
            from_px, to_px = (tuple(round(value) for value in self.view.to_px(*at)) for at in (start, end))
            cv2.line(image, from_px, to_px, 200, round(80 * self.view.px_per_mm(*end)))
        return image

    def _card(self, image: Image, piece: Piece, yaw: float, number: int) -> None:
        corners = [turned(corner, yaw, piece.at) for corner in ((-31, -44), (31, -44), (31, 44), (-31, 44))]
        px = np.round([self.view.to_px(*corner) for corner in corners]).astype(np.int32)
        cv2.fillConvexPoly(image, px, 235 if piece.up else 50)
        cv2.polylines(image, [px], True, 130 + 10 * number)
        self._disc(image, piece.at, 12, 20 + sum(map(ord, piece.label)) % 120)

    def _disc(self, image: Image, at: Point, radius_mm: float, shade: int, z: float = 0.0) -> None:
        middle = tuple(round(value) for value in self.view.to_px(*at, z))
        cv2.circle(image, middle, round(radius_mm * self.view.px_per_mm(*at)), shade, -1)

    def pieces(self, image: Image, zone: Zone, new: Difference, occupied: Difference) -> list[Piece]:
        return list(self.cards.get(zone.name, ()))

    def piles(self, image: Image, zone: Zone) -> list[Pile]:
        chips = self.chips.get(zone.name)
        return [Pile(chips=chips, conf=0.99, at=zone.at, region=())] if chips else []


class Film:
    """Frames of a paper table, fed to a watcher; times run by themselves."""

    def __init__(self) -> None:
        self.table = read_table(TABLE, "t.toml")
        self.paper = PaperTable(_view())
        self.watcher = TableWatcher(self.table, self.paper.view, self.paper, fps=FPS, hold_s=1000)
        self.index = 0
        self.grey = 90
        self.still(0.6)

    @property
    def t(self) -> float:
        return self.index / FPS

    def zone(self, name: str) -> Zone:
        return self.table.plan.zone(name)

    def still(self, seconds: float) -> None:
        for _ in range(round(seconds * FPS)):
            picture = self.paper.picture(self.table, self.grey)
            decoded = av.VideoFrame.from_ndarray(picture, format="gray").reformat(format="yuv420p")
            self.watcher.feed(Frame(index=self.index, t=self.t, decoded=decoded))
            self.index += 1

    def reach(self, start: Point, end: Point, seconds: float = 0.4) -> None:
        """An arm comes from `start` to `end`, and stays until `withdraw`."""
        steps = max(2, round(seconds * FPS))
        for step in range(1, steps + 1):
            share = step / steps
            tip = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            self.paper.arms = [(start, tip)]
            self.still(1 / FPS)

    def withdraw(self) -> float:
        """The arm lingers and is gone; returns the time from which nothing is hidden any more."""
        self.still(0.2)
        self.paper.arms = []
        cleared = self.t
        self.still(0.6)
        return cleared

    def events(self) -> list[object]:
        return list(self.watcher.finish())


DEALER, PLAYER_3 = (0.0, -60.0), (0.0, 980.0)


def _of(events: Sequence[object], *kinds: type) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for event in events:
        if isinstance(event, kinds):
            value = getattr(event, "card", None) or getattr(event, "amount", None)
            found.append((type(event).__name__, getattr(event, "at", None), value))
    return found


def test_cards_dealt_one_after_another_keep_their_order_and_names() -> None:
    film = Film()
    cleared = []
    for label, box, right in (("As", "box3", -20), ("Kd", "dealer", -60), ("9c", "box3", 8)):
        film.reach(DEALER, film.zone(box).at)
        film.paper.lay(film.zone(box), label, right)
        film.still(0.1)
        cleared.append(film.withdraw())
    cards = [event for event in film.events() if isinstance(event, Card)]
    assert [(card.at, card.card) for card in cards] == [("box3", "As"), ("dealer", "Kd"), ("box3", "9c")]
    assert all(math.isclose(card.t, t, abs_tol=0.25) for card, t in zip(cards, cleared, strict=True))
    assert all(card.cam == "table" and card.frame is not None for card in cards)


def test_who_put_chips_down_is_told_from_where_the_arm_came() -> None:
    film = Film()
    spot = film.zone("box3/main")
    film.reach(PLAYER_3, spot.at)
    film.paper.chips["box3/main"] = ("red", "red")
    film.withdraw()
    film.reach(DEALER, spot.at)
    film.paper.chips["box3/main"] = ("red", "red", "red", "red", "red")
    film.withdraw()
    chips = [event for event in film.events() if isinstance(event, Chips)]
    assert [(event.at, event.amount, event.by) for event in chips] == [
        ("box3/main", 10, "player"), ("box3/main", 25, "dealer")
    ]  # fmt: skip


def test_a_hand_that_rests_over_cards_hides_them_and_takes_none_away() -> None:
    film = Film()
    film.reach(DEALER, film.zone("box3").at)
    film.paper.lay(film.zone("box3"), "As", 0)
    film.withdraw()
    film.reach(PLAYER_3, film.zone("box3").from_middle(0, -60))
    film.still(2.0)
    film.withdraw()
    events = film.events()
    assert _of(events, Card, Gone) == [("Card", "box3", "As")]
    calls = [(event.what, event.at, event.by) for event in events if isinstance(event, Call)]
    assert calls == [("stand", "box3", "player")]


def test_a_face_down_card_is_turned_and_all_cards_leave() -> None:
    film = Film()
    dealer = film.zone("dealer")
    film.reach(DEALER, dealer.at)
    film.paper.lay(dealer, "??", -40, up=False)
    film.withdraw()
    film.reach(DEALER, dealer.at)
    film.paper.cards["dealer"] = [replace(film.paper.cards["dealer"][0], label="Qh", up=True)]
    film.withdraw()
    film.reach(DEALER, dealer.at)
    film.paper.cards["dealer"] = []
    film.withdraw()
    assert _of(film.events(), Card, Turn, Gone) == [
        ("Card", "dealer", "??"), ("Turn", "dealer", "Qh"), ("Gone", "dealer", None)
    ]  # fmt: skip


def test_a_split_moves_a_card_and_deals_none() -> None:
    film = Film()
    box, second = film.zone("box3"), film.zone("box3#2")
    for label, right in (("8s", -20), ("8d", 8)):
        film.reach(DEALER, box.at)
        film.paper.lay(box, label, right)
        film.withdraw()
    film.reach(DEALER, box.at)
    film.paper.cards["box3"].pop()
    film.paper.lay(second, "8d", -20)
    film.withdraw()
    gone = [event for event in film.events() if isinstance(event, Gone)]
    assert [(event.at, event.cards, event.to) for event in gone] == [("box3", ["8d"], "box3#2")]


def test_flickering_light_is_no_event() -> None:
    film = Film()
    film.reach(DEALER, film.zone("box3").at)
    film.paper.lay(film.zone("box3"), "As", 0)
    film.withdraw()
    for number in range(8):
        film.grey = 90 + 3 * (number % 2)
        film.still(0.3)
    assert _of(film.events(), Card, Gone, Chips) == [("Card", "box3", "As")]


def test_the_marker_is_told_where_it_comes_to_stand() -> None:
    film = Film()
    for box in ("box2", "box3"):
        film.reach(DEALER, film.zone(f"{box}/marker").at)
        film.paper.spots = {f"{box}/marker": 240}
        film.withdraw()
    assert [event.at for event in film.events() if isinstance(event, Marker)] == ["box2", "box3"]
