"""Lessons as a table's footage has them: cards dealt before a camera, and their zones laid flat to be read.

At a table an index is a dozen pixels high, seen aslant, and resampled before it is read: no other lesson looks like
that. A table is dealt at a few moments, and every zone of it becomes a scene.
"""

from collections import deque
from collections.abc import Iterator, Sequence

import cv2
import msgspec
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.backdrops import scatter_clutter
from datasets.card_faces import CardFace, Pool
from datasets.casino.lens import Lens, random_optics
from datasets.casino.looks import random_look
from datasets.composites import FrameArray, IndexTruth, Scene
from models.dealt_tables import PLANS, SIZE, camera_over, draw_card, in_light, photographed, zones_of
from vision.plan import Zone, load_plan, turned
from vision.reading import PATCH_MARGIN_MM, PATCH_ZOOM
from vision.seen import Image

INDEX_PX = (9.0, 19.0)
CARD_HEIGHT_MM = 88.9
_SHOTS = 3  # of one table: a lens costs as much as a picture
_QUALITY = (45, 92)
_LEGIBLE_PX = 9.5  # smaller print is taught neither as an index nor as none
_ILLEGIBLE = 0.5  # how much of it is said to show
_STEPS_MM = ((14.0, -14.0), (17.0, 0.0), (0.0, -20.0), (-15.0, 15.0), (28.0, 6.0))  # from card to card

Matrix = NDArray[np.float64]


class Laid(msgspec.Struct, frozen=True):
    """A face on a table; `to_mm` leads from its picture to the plan."""

    face: CardFace
    to_mm: Matrix

    def placed(self, points: Sequence[tuple[float, float]]) -> Matrix:
        """Points of its picture, on the plan."""
        return np.asarray(np.c_[np.array(points, float), np.ones(len(points))] @ self.to_mm.T)

    @property
    def outline(self) -> Matrix:
        height, width = self.face.picture.shape[:2]
        return self.placed([(0, 0), (width, 0), (width, height), (0, height)])


def hand_in(zone: Zone, pool: Pool, rng: Generator) -> list[Laid]:
    """One to four cards, dealt upon one another, the first at the bottom."""
    at, step = rng.normal(0, 7, 2), np.array(_STEPS_MM[rng.integers(len(_STEPS_MM))])
    laid = []
    for _ in range(int(rng.choice([1, 2, 3, 4], p=[0.4, 0.35, 0.15, 0.1]))):
        face, turn = pool.face(), zone.yaw + rng.normal(0, 3.5) + (90 if rng.random() < 0.05 else 0)
        height, width = face.picture.shape[:2]
        middle = (width / 2, height / 2)
        corners = [turned((x - middle[0], y - middle[1]), turn) for x, y in ((0, 0), (1, 0), (0, 1))]
        first, right, down = np.array(corners) * CARD_HEIGHT_MM / height
        laid.append(Laid(face, np.c_[right - first, down - first, first + zone.from_middle(*at.tolist())]))
        at = at + step + rng.normal(0, 2.5, 2)
    return laid


def indices_in(patch: Image, zone: Zone, cards: Sequence[Laid], px_per_mm: float) -> Iterator[IndexTruth]:
    """The indices that lie in a flattened zone."""
    corner = np.array(zone.size) / 2 + PATCH_MARGIN_MM
    for number, card in enumerate(cards):
        above = [other.outline.astype(np.float32) for other in cards[number + 1 :]]
        for points, half in _index_points(card.face):
            x, y = points[len(points) // 2]
            places = [zone.to_middle(*spot) for spot in card.placed([(x, y), (x + half, y), (x, y - half)]).tolist()]
            centre, right, up = (np.array(places) + corner) * px_per_mm - 0.5
            frame: FrameArray = np.stack([centre, right - centre, up - centre]).astype(np.float32)
            half_px = float(np.linalg.norm(frame[2]))
            if np.all((centre > half_px) & (centre < np.array(patch.shape[1::-1]) - half_px)):
                shows = float(np.mean([_is_bare(spot, above) for spot in card.placed(points)]))
                visible = shows if 2 * half_px > _LEGIBLE_PX else min(shows, _ILLEGIBLE)
                yield IndexTruth(label=card.face.label or "", frame=frame, visible=visible, card=number)


def _index_points(face: CardFace) -> Iterator[tuple[list[tuple[float, float]], float]]:
    """Five by five points over each index, and half its height: below nothing where it stands on its head."""
    if face.index is None or face.index_px is None:
        return
    height, width = face.picture.shape[:2]
    left, top, right, bottom = face.index
    grid = [(float(x), float(y)) for y in np.linspace(top, bottom, 5) for x in np.linspace(left, right, 5)]
    half = face.index_px / 2
    yield grid, half
    yield [(width - x, height - y) for x, y in grid], -half
    if face.corners == 4:
        yield [(width - x, y) for x, y in grid], half
        yield [(x, height - y) for x, y in grid], -half


def _is_bare(spot: NDArray[np.float64], above: Sequence[NDArray[np.float32]]) -> bool:
    point = (float(spot[0]), float(spot[1]))
    return all(cv2.pointPolygonTest(outline, point, False) < 0 for outline in above)


class DealtScenes:
    """Makes scenes of flattened zones, of the faces in a pool."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._zones: deque[Scene] = deque()

    def compose(self, rng: Generator, *, size_px: int) -> Scene:
        """A square of so many pixels out of the next zone, most of the time around a card."""
        while not self._zones:
            self._zones.extend(zones_at_a_table(self._pool, rng))
        zone = self._zones.popleft()
        height, width = zone.image.shape[:2]
        off = np.array([_offset(width, size_px, rng), _offset(height, size_px, rng)])
        onto = np.c_[np.eye(2), -off]
        crop = cv2.warpAffine(zone.image, onto, (size_px, size_px), borderMode=cv2.BORDER_REPLICATE)
        indices = tuple(_moved(index, off, size_px) for index in zone.indices)
        return Scene(image=np.asarray(crop, np.uint8), indices=indices, cards=())


def _moved(index: IndexTruth, off: NDArray[np.int_], size_px: int) -> IndexTruth:
    """An index as a crop has it that begins there; what reaches over its edge does not show."""
    frame = index.frame - np.array([off, (0, 0), (0, 0)], np.float32)
    reach_px = np.linalg.norm(frame[2])
    inside = np.all((frame[0] > reach_px) & (frame[0] < size_px - reach_px))
    return msgspec.structs.replace(index, frame=frame, visible=index.visible if inside else 0.0)


def _offset(side_px: int, size_px: int, rng: Generator) -> int:
    return int(rng.integers(min(0, side_px - size_px), max(0, side_px - size_px) + 1))


def zones_at_a_table(pool: Pool, rng: Generator) -> Iterator[Scene]:
    """The flattened zones of one table, at a few moments."""
    plan = load_plan(PLANS[rng.integers(len(PLANS))])
    look, zones = random_look(rng), zones_of(plan)
    least_px = float(np.exp(rng.uniform(np.log(INDEX_PX[0]), np.log(INDEX_PX[1] / 1.15))))
    camera, view = camera_over(plan, zones, (least_px, least_px * 1.15), rng)
    lens = Lens(random_optics(rng), SIZE)
    for shot in range(_SHOTS):
        table = np.full((SIZE[1], SIZE[0], 3), look.felt, np.uint8)
        for _ in range(16):
            scatter_clutter(table, rng, unit_px=least_px * rng.uniform(0.8, 1.6))
        picture, dealt = table.astype(np.float32), [card for zone in zones for card in hand_in(zone, pool, rng)]
        quads = [camera.project(np.c_[card.outline, np.zeros(4)]) for card in dealt]
        cards = [card for card, quad in zip(dealt, quads, strict=True) if draw_card(picture, card.face.picture, quad)]
        image = photographed(in_light(picture, look), lens, shot, int(rng.integers(*_QUALITY)))
        for zone in zones:
            px_per_mm = max(1.0, PATCH_ZOOM * view.px_per_mm(*zone.at, in_best_direction=True))
            patch = view.cut_out(image, zone, px_per_mm, PATCH_MARGIN_MM).image
            yield Scene(image=patch, indices=tuple(indices_in(patch, zone, cards, px_per_mm)), cards=())
