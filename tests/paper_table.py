"""A paper table: flat shapes moved about under a camera, with a reader who knows what they are."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import av
import cv2
import numpy as np

from vision.camera import Image, View
from vision.chip_house import NO_LOOKS, HouseLooks
from vision.frames import Frame
from vision.lying import Piece
from vision.plan import Point, Zone, turned
from vision.reading import Pile, stack_outline
from vision.table_file import TableFile, read_table
from vision.watcher import TableWatcher
from vision.window import Difference

SIZE = (960, 640)
FPS = 25
TABLE = b"""table = "T"
rulebook = "act-blackjack"
[chips]
red = 5
green = 25
[[camera]]
name = "table"
points = [
  { px = [80, 60], mm = [-850, 0] }, { px = [880, 60], mm = [850, 0] },
  { px = [770, 560], mm = [600, 800] }, { px = [190, 560], mm = [-600, 800] },
]
"""
BITS = 12
"""Every picture carries its number, as black and white squares beyond the felt."""


@dataclass(slots=True)
class PaperTable:
    """Cards and stacks as flat shapes, arms as broad strokes; the reader sees what lies, the camera its picture."""

    view: View
    cards: dict[str, list[Piece]] = field(default_factory=dict)
    chips: dict[str, tuple[str, ...]] = field(default_factory=dict)
    spots: dict[str, int] = field(default_factory=dict)
    marks: int = 0
    """How many bright marks each of the spots' shapes bears."""
    arms: list[tuple[Point, Point]] = field(default_factory=list)
    asked: list[Zone] = field(default_factory=list)
    occupied_px: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """How much of a zone was said to be no bare felt, each time that it was read."""
    shade_of_backs: int = 150

    def lay(self, zone: Zone, label: str, right: float, *, up: bool = True) -> None:
        at = zone.from_middle(right, 0)
        piece = Piece(label=label, up=up, conf=0.99, at=at, region=())
        self.cards[zone.name] = [*self.cards.get(zone.name, ()), piece]

    def picture(self, table: TableFile, grey: int = 90) -> Image:
        image = np.full(SIZE[::-1], grey, np.uint8)
        for name, pieces in self.cards.items():
            for number, piece in enumerate(pieces):
                self._card(image, piece, table.plan.zone(name).yaw, number)
        for name, chips in self.chips.items():
            for number in range(len(chips)):
                self._disc(image, table.plan.zone(name).at, 20, 30 + 160 * (number % 2), z=3.3 * number)
        for name, shade in self.spots.items():
            at = table.plan.zone(name).at
            self._disc(image, at, 22, shade)
            for turn in np.linspace(0, 2 * np.pi, self.marks, endpoint=False):
                self._disc(image, (at[0] + 13 * np.cos(turn), at[1] + 13 * np.sin(turn)), 6, 220)
        for start, end in self.arms:
            from_px, to_px = (tuple(round(value) for value in self.view.to_px(*at)) for at in (start, end))
            cv2.line(image, from_px, to_px, 200, round(80 * self.view.px_per_mm(*end)))
        return image

    def _card(self, image: Image, piece: Piece, yaw: float, number: int) -> None:
        corners = [turned(corner, yaw, piece.at) for corner in ((-31, -44), (31, -44), (31, 44), (-31, 44))]
        px = np.round([self.view.to_px(*corner) for corner in corners]).astype(np.int32)
        cv2.fillConvexPoly(image, px, 235 if piece.up else self.shade_of_backs)
        cv2.polylines(image, [px], True, 130 + 10 * number)
        self._disc(image, piece.at, 12, 20 + sum(map(ord, piece.label)) % 120)

    def _disc(self, image: Image, at: Point, radius_mm: float, shade: int, z: float = 0.0) -> None:
        middle = tuple(round(value) for value in self.view.to_px(*at, z))
        cv2.circle(image, middle, round(radius_mm * self.view.px_per_mm(*at)), shade, -1)

    def pieces(self, image: Image, zone: Zone, new: Difference, occupied: Difference) -> list[Piece]:
        self.asked.append(zone)
        self.occupied_px[zone.name].append(occupied.count)
        return list(self.cards.get(zone.name, ()))

    def piles(
        self, image: Image, zone: Zone, bare: Image, known: Sequence[Pile], looks: HouseLooks = NO_LOOKS,
        others: Sequence[Pile] = (),
    ) -> list[Pile]:  # fmt: skip
        self.asked.append(zone)
        chips = self.chips.get(zone.name)
        if not chips:
            return []
        return [Pile(chips=chips, conf=0.99, at=zone.at, region=tuple(stack_outline(self.view, zone.at, len(chips))))]


class Film:
    """Frames of a paper table, fed to a watcher; times run by themselves."""

    def __init__(self, seconds: float = 0.6) -> None:
        self.table = read_table(TABLE, "t.toml")
        camera = self.table.camera()
        assert camera is not None
        self.paper = PaperTable(camera.view(SIZE))
        self.watcher = TableWatcher(self.table, self.paper.view, self.paper, fps=FPS, hold_s=1000)
        self.pictures: list[Image] = []
        self.states: list[PaperTable] = []
        self.index = 0
        self.grey = 90
        self.still(seconds)

    @property
    def t(self) -> float:
        return self.index / FPS

    def zone(self, name: str) -> Zone:
        return self.table.plan.zone(name)

    def still(self, seconds: float) -> None:
        for _ in range(round(seconds * FPS)):
            picture = self.paper.picture(self.table, self.grey)
            for bit in range(BITS):
                picture[:12, 16 * bit : 16 * bit + 16] = 255 if self.index >> bit & 1 else 0
            self.pictures.append(picture)
            self.states.append(replace(self.paper, cards=dict(self.paper.cards), chips=dict(self.paper.chips)))
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


    def save(self, path: Path) -> None:
        """The pictures as a video."""
        with av.open(path, "w") as container:
            stream = container.add_stream("libx264", rate=FPS, options={"crf": "12", "preset": "ultrafast", "g": "50"})
            stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
            for picture in self.pictures:
                frame = av.VideoFrame.from_ndarray(picture, format="gray").reformat(format="yuv420p")
                container.mux(stream.encode(frame))
            container.mux(stream.encode())


@dataclass(slots=True)
class FilmReader:
    """Reads a saved film: the picture's number says which state of the table it shows."""

    states: list[PaperTable]

    def _state(self, image: Image) -> PaperTable:
        return self.states[sum(1 << bit for bit in range(BITS) if image[6, 16 * bit + 8].mean() > 127)]

    def pieces(self, image: Image, zone: Zone, new: Difference, occupied: Difference) -> list[Piece]:
        return self._state(image).pieces(image, zone, new, occupied)

    def piles(
        self, image: Image, zone: Zone, bare: Image, known: Sequence[Pile], looks: HouseLooks = NO_LOOKS,
        others: Sequence[Pile] = (),
    ) -> list[Pile]:  # fmt: skip
        return self._state(image).piles(image, zone, bare, known)


DEALER, PLAYER_3 = (0.0, -60.0), (0.0, 980.0)
