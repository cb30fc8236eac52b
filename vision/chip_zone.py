"""A zone of the table in one picture: where stacks may stand in it, and what of what stands there is explained."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chip_count import Counted, Look, look_at
from vision.chip_crop import Crop
from vision.chip_feet import Feet, standing
from vision.chip_stance import CHIP_THICK_MM, CHIP_WIDTH_MM, TALLEST, Floats, Stance, place_at
from vision.chip_strip import COLUMNS, FOOT_ROW, ROWS, ROWS_PER_CHIP, strip_maps
from vision.seen import Image

_LOOKED_AT_PX = 26.0  # how wide chips are made before feet are looked for
_REACH_MM = 5.0  # how far outside a zone a stack's middle may be
_LEAST_LIKE_A_FOOT, _SURE_FOOT = 0.25, 1.5
_IN_SHADE = 0.2  # chips: so much of the dark line below a stack is taken for its lowest chip
_AROUND = ((0.0, -0.25), (0.0, 0.25), (-1.5, 0.0), (1.5, 0.0))  # chips up, radii aside: where a foot that hides may be
_NO_FELT = 3.0  # how much less likely (log) a stack is whose outline shows nothing but felt
_BESIDE_MM = 72.0  # a stack farther away hides no foot
_TOUCHING_MM, _FARTHER_MM = 45.0, 2.0  # a stack behind another mostly touches it; farther away its foot would show
_IN_EACH_OTHER_MM, _IN_EACH_OTHER = 1.0, 1e-6  # so exactly a place is known; and nothing is impossible
_APART = 0.03  # how likely it stands farther away all the same
_CONCEIVABLE = 0.002
_ROUNDS, _LOOK_LOWER = 3, 3.0  # chips: where to look next for a foot that should show and does not
_NO_FOOT = 0.3  # of a chip's width: so far around a place without a foot nothing is looked for again
_LOWER = (4, 8, 12, 16)  # chips
_TALLEST_MM = TALLEST * CHIP_THICK_MM
_SAME_TOP = 1.6  # chips
_CLAY = np.array((0.64, 0.72))  # of the radius: outside most inlays, inside the spots
_FOOT_IN_SIGHT, _FOOT_HIDDEN = 0.1, 0.5  # so much of a foot's near side is covered: not at all, mostly
_RIM_PX, _TOUCHES_PX = 3, 7  # of chips 26 pixels wide: thinner is an outline that is a little off; so near is beside
_STANDS_MM, _IN_COLUMN = 12.0, 0.95  # so far outside the zone its stacks may show, and so much of them is not farther


Point = tuple[float, float]
Standing = tuple[Point, int]
"""Where a stack is known to stand (mm), and of how many chips."""


class ChipView(Protocol):
    """What is asked of a calibrated camera."""

    def all_to_px(self, mm: Floats) -> Floats:
        """Pixels of points (n x 3) in the plan frame."""
        ...


class ChipZone:
    """Finds one stack after the other in a zone, the foremost first."""

    def __init__(
        self, image: Image, view: ChipView, zone_mm: Sequence[Point], empty: Image, palette_bgr: Floats,
        others: Sequence[Standing] = (),
    ) -> None:  # fmt: skip
        """`others` stand elsewhere on the table: what they show is theirs, however far it rises into this zone."""
        self._image, self._empty, self._to_px = image, empty, view.all_to_px
        self._palette_bgr = palette_bgr
        self._corners = np.array(zone_mm, dtype=np.float64)
        self._middle = self._corners.mean(axis=0)
        here = Stance.at(self._to_px, self._middle[0], self._middle[1])
        self._face_px = np.pi / 4 * _LOOKED_AT_PX**2 * here.aspect
        self._crop = _zone_crop(view, self._corners, here)
        evidence = standing(self._crop.cut(image), self._crop.cut(empty))
        self._feet = Feet(evidence, self._crop.stance(here))
        self._allowed = self._on_felt(evidence.shape)
        self._felt = self._allowed > 0
        self._taken = np.zeros(evidence.shape, np.bool_)
        self._places: list[Point] = []
        self._before = np.zeros(evidence.shape, np.bool_)
        for place_mm, chips in others:
            if not self.is_near(place_mm):
                self._explain_other(place_mm, chips)

    def _explain_other(self, place_mm: Point, chips: int) -> None:
        stance = self._crop.stance(Stance.at(self._to_px, *place_mm))
        covered = self._feet.explain(stance, chips)
        if covered.any() and stance.foot[1] > self._nearest_px(stance.foot)[1]:  # lower in the crop is nearer
            self._before |= covered

    def _nearest_px(self, point: Floats) -> Floats:
        """The point of the zone's outline in the crop that is nearest to another."""
        begins = self._crop.to_crop(self._to_px(np.column_stack([self._corners, np.zeros(len(self._corners))])))
        along = np.roll(begins, -1, axis=0) - begins
        part = ((point - begins) * along).sum(axis=1) / np.maximum((along * along).sum(axis=1), 1e-9)
        nearest = begins + np.clip(part, 0, 1)[:, None] * along
        return np.asarray(nearest[np.linalg.norm(nearest - point, axis=1).argmin()])

    def next_look(self) -> Look | None:
        """A look at the place that looks most like a foot of what is not explained."""
        found = self._feet.next(self._allowed > 0)
        if found is None or found[1] < _LEAST_LIKE_A_FOOT:
            return None
        self._no_foot_at(found[0], _LOOKED_AT_PX)  # no place is looked at twice
        x, y = place_at(self._to_px, self._crop.to_picture(found[0]), self._middle)
        here = Stance.at(self._to_px, x, y)
        here = here.moved(_IN_SHADE * here.rise)
        look = _lowest(self._look_at([here, *self._below(here)]))
        return look if found[1] > _SURE_FOOT else self._around(look)

    def _look_at(self, stances: Sequence[Stance]) -> list[Look]:
        return look_at(self._image, stances, self._palette_bgr, self._empty)

    def _around(self, look: Look) -> Look:
        """The best look at a stack whose foot others may hide: sure of its number, showing no felt, and where a stack
        can stand. Where several places are as good, so are their numbers."""
        looks, judged, at = [look], list[tuple[Floats, Floats]](), look.stance
        is_hidden = self._foot_hidden(at) > _FOOT_IN_SIGHT
        beside = [each for each in self._places if apart_mm(each, self.place_of(at)) < _BESIDE_MM]
        for _ in range(_ROUNDS):
            others = [at.moved(up * at.rise + aside * at.across) for up, aside in _AROUND]
            looks += self._look_at(others)
            judged += [self._weights(each, beside, is_hidden=is_hidden) for each in looks[len(judged) :]]
            weights, rooms = np.array(judged).swapaxes(0, 1)
            weights[:, 1:] *= rooms[:, 1:] / max(rooms.max(), 1e-9)  # which number, not whether there is a stack
            best, chips = np.unravel_index(int(weights.argmax()), weights.shape)
            if chips == 0 or rooms[best, chips] > _APART:
                break
            at = looks[best].stance.moved(-_LOOK_LOWER * at.rise)  # so far behind another its foot would show
        chances = weights.max(axis=0)
        return replace(looks[best], chances=chances / chances.sum(), is_foot_hidden=True)

    def _weights(self, look: Look, beside: Sequence[Point], *, is_hidden: bool) -> tuple[Floats, Floats]:
        """How likely 0, 1, 2, … chips stand there, and whether there is room beside the others where they then do."""
        weights, rooms = np.zeros((2, len(look.chances)))
        weights[0] = look.chances[0] * np.exp(-_NO_FELT)
        for chips in np.flatnonzero(look.chances[1:] > _CONCEIVABLE) + 1 if look.likeliest else ():
            stance = look.stack(int(chips)).stance
            felt = self._feet.felt_under(self._crop.stance(stance), int(chips))
            weights[chips] = look.chances[chips] * np.exp(-_NO_FELT * felt)
            rooms[chips] = _room(self.place_of(stance), beside, is_hidden=is_hidden)
        return weights, rooms

    def _below(self, stance: Stance) -> list[Stance]:
        """Where the foot is if what looks like one is within a stack whose lower chips have the felt's colour."""
        lower = [(stance.moved(-stance.rise * chips), chips) for chips in _LOWER]
        crop = self._crop.stance
        return [each for each, chips in lower if self._feet.stands_below(crop(each), chips, crop(stance))]

    def nothing_at(self, stance: Stance) -> None:
        """No stack has its foot there."""
        there = self._crop.stance(stance)
        self._no_foot_at(there.foot, there.width_px)

    def _no_foot_at(self, point: Floats, width_px: float) -> None:
        x, y = np.round(point).astype(int)
        cv2.circle(self._allowed, (int(x), int(y)), round(_NO_FOOT * width_px), 0, -1)

    def unexplained(self) -> float:
        """How much stands on the zone that no stack explains, as a share of a chip's face."""
        left = int(((self._feet.evidence > 0) & self._felt).sum())
        return left / self._face_px

    def beside(self) -> float:
        """How much shows beside the stacks that were found, explained by none of them, where only what stands in this
        zone would show: as a share of a chip's face. It is what others leave to be seen of a stack that was missed."""
        disc, wide = (cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (px, px)) for px in (_RIM_PX, _TOUCHES_PX))
        left = cv2.morphologyEx((self._feet.evidence > 0).astype(np.uint8), cv2.MORPH_OPEN, disc)
        _, parts = cv2.connectedComponents(left, connectivity=4)
        sizes = np.bincount(parts.ravel())
        in_column = np.bincount(parts.ravel(), self._column().ravel()) >= _IN_COLUMN * sizes
        touching = np.unique(parts[cv2.dilate(self._taken.astype(np.uint8), wide) > 0])
        own = [part for part in touching if part and in_column[part]]
        return float(sizes[own].sum()) / self._face_px

    def _column(self) -> NDArray[np.uint8]:
        """The pixels in which stacks of this zone may show."""
        out = self._corners - self._middle
        corners = self._corners + out * _STANDS_MM / np.linalg.norm(out, axis=1, keepdims=True)
        px = self._crop.to_crop(self._to_px(_column_corners(corners)))
        column = np.zeros(self._taken.shape, np.uint8)
        cv2.fillConvexPoly(column, np.round(cv2.convexHull(px.astype(np.float32))).astype(np.int32), 1)
        return column

    def explain(self, stance: Stance, chips: int) -> None:
        """A stack stands there."""
        self._taken |= self._feet.explain(self._crop.stance(stance), chips)
        self._places.append(self.place_of(stance))
        self.nothing_at(stance)

    def stands_hidden(self, place_mm: Point, chips: int) -> bool:
        """Whether a stack that is known still stands behind those that were found: they hide its foot, and nothing
        shows that it is gone. What shows of it is explained then."""
        stance = Stance.at(self._to_px, *place_mm)
        stands = self._foot_hidden(stance) > _FOOT_HIDDEN and self._feet.may_hide(self._crop.stance(stance), chips)
        if stands:
            self.explain(stance, chips)
        return bool(stands)

    def _foot_hidden(self, stance: Stance) -> float:
        """How much of a stack's lowest chip stacks hide that stand before it."""
        return float(self.hidden(stance)[FOOT_ROW : FOOT_ROW + ROWS_PER_CHIP].mean())

    def goes_on(self, counted: Counted) -> bool:
        """Whether something stands where the next chips of a stack would be."""
        return self._feet.stands_above(self._crop.stance(counted.stance), counted.chips)

    def is_taken(self, stance: Stance) -> bool:
        """Whether a stack that was found stands there already."""
        place = self.place_of(stance)
        return any(apart_mm(place, each) < CHIP_WIDTH_MM / 2 for each in self._places)

    def hidden(self, stance: Stance) -> NDArray[np.bool_]:
        """Which pixels of a stack's near strip show stacks that stand before it: those that were found before it, and
        those before the zone."""
        column, row = self._pixels(strip_maps(stance)[0].reshape(-1, 2))
        return self._is_before(row, column).reshape(ROWS, COLUMNS)

    def clay(self, counted: Counted) -> Floats:
        """The pixels (n x 3, BGR) of a stack's top face, between inlay and spots, that nothing before it hides."""
        rings = np.multiply.outer(_CLAY * (1 + counted.stance.growth * counted.chips), counted.stance.rim)
        ring = (counted.top + rings).reshape(-1, 2)
        column, row = self._pixels(ring)
        seen = ring[~self._is_before(row, column)].astype(np.float32)[None]
        if not seen.size:
            return np.zeros((0, 3))
        return np.asarray(cv2.remap(self._image, seen[..., 0], seen[..., 1], cv2.INTER_LINEAR)[0], np.float64)

    def _pixels(self, points: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Columns and rows in the crop of points of the picture; of those beyond it the nearest."""
        column, row = np.clip(self._crop.to_crop(points).astype(np.intp), 0, np.array(self._taken.shape[::-1]) - 1).T
        return column, row

    def _is_before(self, row: NDArray[np.intp], column: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which pixels show stacks that stand before what is looked at: those found so far, those before the zone."""
        return np.asarray((self._taken | self._before)[row, column])

    def place_of(self, stance: Stance) -> Point:
        """Where on the felt a stack stands."""
        x, y = place_at(self._to_px, stance.foot, self._middle)
        return float(x), float(y)

    def is_near(self, place_mm: Point) -> bool:
        """Whether a place lies in the zone or just outside it."""
        return cv2.pointPolygonTest(self._corners.astype(np.float32), place_mm, True) > -_REACH_MM

    def _on_felt(self, shape: tuple[int, ...]) -> NDArray[np.uint8]:
        """The pixels of the crop that show the zone's felt, and a little around it."""
        allowed = np.zeros(shape, np.uint8)
        px = self._crop.to_crop(self._to_px(np.column_stack([self._corners, np.zeros(len(self._corners))])))
        cv2.fillConvexPoly(allowed, np.round(px).astype(np.int32), 1)
        reach = 2 * round(_REACH_MM / 39.0 * _LOOKED_AT_PX) + 1
        return np.asarray(cv2.dilate(allowed, np.ones((reach, reach), np.uint8)), np.uint8)


def _room(place_mm: Point, beside: Sequence[Point], *, is_hidden: bool) -> float:
    """How likely a stack stands there: not in another, but close to it where its foot `is_hidden`."""
    if not beside:
        return 1.0
    apart = min(apart_mm(each, place_mm) for each in beside)
    if apart < CHIP_WIDTH_MM:
        return max(float(np.exp(-(((CHIP_WIDTH_MM - apart) / _IN_EACH_OTHER_MM) ** 2) / 2)), _IN_EACH_OTHER)
    return max(float(np.exp(-max(apart - _TOUCHING_MM, 0.0) / _FARTHER_MM)), _APART) if is_hidden else 1.0


def apart_mm(one: Point, other: Point) -> float:
    """How far two places are from each other."""
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


def _lowest(looks: Sequence[Look]) -> Look:
    """The surest look that sees a stack with the same top as the first: a stack has no foot within itself."""
    best = first = looks[0]
    if first.likeliest == 0:
        return first
    top = first.stack(first.likeliest).top
    for look in looks[1:]:
        if look.likeliest and look.conf > best.conf:
            lower = look.stack(look.likeliest)
            if np.linalg.norm(lower.top - top) < _SAME_TOP * first.stance.chip_px:
                best = look
    return best


def _column_corners(corners: Floats) -> Floats:
    """The corners (n x 3) of what rises from a polygon on the felt to the tallest stack's top."""
    return np.vstack([np.column_stack([corners, np.full(len(corners), z_mm)]) for z_mm in (0.0, _TALLEST_MM)])


def _zone_crop(view: ChipView, corners: Floats, here: Stance) -> Crop:
    """The crop that holds a zone and the tallest stack on it, at the size that feet are looked for in."""
    upright = Crop.around(np.zeros(2), up=here.rise, scale=_LOOKED_AT_PX / here.width_px)
    px = upright.to_crop(view.all_to_px(_column_corners(corners)))
    low, high = px.min(axis=0) - _LOOKED_AT_PX, px.max(axis=0) + _LOOKED_AT_PX
    size = np.ceil(high - low).astype(int)
    middle = upright.to_picture((low + high) / 2)
    return Crop.around(middle, up=here.rise, scale=upright.scale, size=(int(size[0]), int(size[1])))
