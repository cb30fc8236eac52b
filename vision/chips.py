"""The eye for chips: finds stacks, counts their chips and reads their colours, with a calibrated camera or without."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Protocol

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.chip_clay import colour_scores
from vision.chip_colours import Palette
from vision.chip_count import Counted, Look, count_chips, look_at
from vision.chip_crop import Crop
from vision.chip_feet import Feet, standing
from vision.chip_stance import CHIP_THICK_MM, TALLEST, Floats, Stance, place_at
from vision.chip_trust import Evidence, Trust, features
from vision.seen import Box, Image, Seen

_LOOKED_AT_PX = 26.0  # how wide chips are made before feet are looked for
_REACH_MM = 5.0  # how far outside a zone a stack's middle may be
_LEAST_LIKE_A_FOOT = 0.4
_MOST = 10  # places looked at in one zone
_NO_FOOT = 0.3  # of a chip's width: so far around a place without a foot nothing is looked for again
_READ = 0.5  # without a calibrated camera, number and colours of a stack are said only where likelier right than wrong
_LOWER = (4, 8, 12, 16)  # chips
_SAME_TOP, _SURE_OF_LOWER = 1.6, 0.6  # chips; chance
_SAME_PLACE_MM = 12.0
_KNOWN_ODDS = 3.0  # how much likelier a stack is still what it was than that it has become something else
_HIDDEN_CONF = 0.8  # of what it was: a known stack of which others hide the foot
_ASPECTS = np.linspace(0.2, 0.94, 11)  # how round tops may look: cameras 12 to 70 degrees above the table


class ChipView(Protocol):
    """What is asked of a calibrated camera."""

    def all_to_px(self, mm: Floats) -> Floats:
        """Pixels of points (n x 3) in the plan frame."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A stack that was read: its chips bottom to top, and where it stands."""

    chips: tuple[str, ...]
    conf: float
    place_mm: tuple[float, float]
    evidence: Evidence = (0.0, 0.0, 0.0, 0.0)
    """What its confidence is made of."""


class ChipEye:
    """Finds and reads stacks of chips; `palette` has the chips that may be there."""

    def __init__(self, palette: Palette | None = None) -> None:
        self.palette = palette or Palette.named()

    def stacks_in(
        self, image: Image, view: ChipView, zone_mm: Sequence[tuple[float, float]], empty: Image,
        known: Sequence[Stack] = (),
    ) -> list[Stack]:  # fmt: skip
        """The stacks that stand in a zone of the plan (a polygon in mm), seen by a calibrated camera.

        `empty` is a picture of the table before anything stood there, `known` are stacks that were read there before.
        """
        zone = _Zone(image, view, zone_mm, empty)
        stacks: list[Stack] = []
        for _ in range(_MOST):
            look = zone.next_look()
            if look is None:
                break
            stack = self._read(zone, look, known)
            if stack is not None and zone.is_near(stack.place_mm):
                stacks.append(stack)
        stacks = [_trusted(stack, zone.unexplained()) for stack in stacks]
        return stacks + [replace(stack, conf=_HIDDEN_CONF * stack.conf) for stack in known if zone.hides(stack, stacks)]

    def _read(self, zone: "_Zone", look: Look, known: Sequence[Stack]) -> Stack | None:
        place_mm = zone.place_of(look.stance)
        before = next((each for each in known if _apart_mm(each.place_mm, place_mm) < _SAME_PLACE_MM), None)
        chances = look.chances.copy()
        if before is not None:
            chances[len(before.chips)] *= _KNOWN_ODDS
            chances /= chances.sum()
        count = int(chances.argmax())
        if count == 0:
            zone.nothing_at(look.stance)
            return None
        counted = replace(look.stack(count), conf=float(chances[count]))
        zone.explain(counted)
        chips, sure = self._colours(counted)
        evidence = features(counted.conf, sure, counted.stance.chip_px)
        return Stack(chips=chips, conf=counted.conf, place_mm=zone.place_of(counted.stance), evidence=evidence)

    def _colours(self, counted: Counted) -> tuple[tuple[str, ...], float]:
        return self.palette.match(colour_scores(counted, self.palette.bgr))

    def read_box(self, image: Image, box: Box, conf: float) -> Seen:
        """Reads the stack that a detector found in a box; a stack that cannot be read is still a stack."""
        counted = count_in_box(image, box)
        seen = Seen(kind="chips", conf=conf, box=box)
        if counted is None:
            return seen
        chips, sure = self._colours(counted)
        if counted.conf * sure < _READ:
            return seen
        runs = tuple((colour, len(list(run))) for colour, run in groupby(chips))
        values = [self.palette.chips[colour].value for colour in chips]
        return msgspec.structs.replace(
            seen, conf=round(conf * counted.conf * sure, 4), colour=runs[0][0] if len(runs) == 1 else None,
            count=len(chips), stack=runs, value=None if None in values else sum(each for each in values if each),
        )  # fmt: skip


class _Zone:
    """A zone in one picture: where stacks may stand in it, and what of it is explained."""

    def __init__(self, image: Image, view: ChipView, zone_mm: Sequence[tuple[float, float]], empty: Image) -> None:
        self._image, self._empty, self._to_px = image, empty, view.all_to_px
        self._corners = np.array(zone_mm, dtype=np.float64)
        self._middle = self._corners.mean(axis=0)
        here = Stance.at(self._to_px, self._middle[0], self._middle[1])
        self._aspect = here.aspect
        self._crop = _zone_crop(view, self._corners, here)
        evidence = standing(self._crop.cut(image), self._crop.cut(empty))
        self._feet = Feet(evidence, self._crop.stance(here))
        self._allowed = self._on_felt(evidence.shape)
        self._felt = self._allowed > 0

    def next_look(self) -> Look | None:
        """A look at the place that looks most like a foot of what is not explained."""
        found = self._feet.next(self._allowed > 0)
        if found is None or found[1] < _LEAST_LIKE_A_FOOT:
            return None
        x, y = place_at(self._to_px, self._crop.to_picture(found[0]), self._middle)
        here = Stance.at(self._to_px, x, y)
        return _lowest(look_at(self._image, [here, *self._below(here)], self._empty))

    def _below(self, stance: Stance) -> list[Stance]:
        """Where the foot is if what looks like one is within a stack whose lower chips have the felt's colour."""
        lower = [(stance.moved(-stance.rise * chips), chips) for chips in _LOWER]
        crop = self._crop.stance
        return [each for each, chips in lower if self._feet.stands_below(crop(each), chips, crop(stance))]

    def nothing_at(self, stance: Stance) -> None:
        """No stack has its foot there."""
        there = self._crop.stance(stance)
        x, y = np.round(there.foot).astype(int)
        cv2.circle(self._allowed, (int(x), int(y)), round(_NO_FOOT * there.width_px), 0, -1)

    def unexplained(self) -> float:
        """How much stands on the zone that no stack explains, as a share of a chip's face."""
        left = int(((self._feet.evidence > 0) & self._felt).sum())
        return left / (np.pi / 4 * _LOOKED_AT_PX**2 * self._aspect)

    def explain(self, counted: Counted) -> None:
        """A stack stands there."""
        self._feet.explain(self._crop.stance(counted.stance), counted.chips)
        self.nothing_at(counted.stance)

    def hides(self, known: Stack, stacks: Sequence[Stack]) -> bool:
        """Whether a stack that was not found may still stand behind those that were."""
        if any(_apart_mm(known.place_mm, stack.place_mm) < 2 * _SAME_PLACE_MM for stack in stacks):
            return False
        stance = Stance.at(self._to_px, *known.place_mm)
        return self._feet.may_hide(self._crop.stance(stance), len(known.chips))

    def place_of(self, stance: Stance) -> tuple[float, float]:
        """Where on the felt a stack stands."""
        x, y = place_at(self._to_px, stance.foot, self._middle)
        return float(x), float(y)

    def is_near(self, place_mm: tuple[float, float]) -> bool:
        """Whether a place lies in the zone or just outside it."""
        return cv2.pointPolygonTest(self._corners.astype(np.float32), place_mm, True) > -_REACH_MM

    def _on_felt(self, shape: tuple[int, ...]) -> NDArray[np.uint8]:
        """The pixels of the crop that show the zone's felt, and a little around it."""
        allowed = np.zeros(shape, np.uint8)
        px = self._crop.to_crop(self._to_px(np.column_stack([self._corners, np.zeros(len(self._corners))])))
        cv2.fillConvexPoly(allowed, np.round(px).astype(np.int32), 1)
        reach = 2 * round(_REACH_MM / 39.0 * _LOOKED_AT_PX) + 1
        return np.asarray(cv2.dilate(allowed, np.ones((reach, reach), np.uint8)), np.uint8)


def _trusted(stack: Stack, unexplained: float) -> Stack:
    """The stack with how likely it is right, now that it is known what else stands there."""
    evidence = (*stack.evidence[:3], float(np.log1p(unexplained)))
    return replace(stack, conf=Trust.shipped().conf(evidence), evidence=evidence)


def _lowest(looks: Sequence[Look]) -> Look:
    """The lowest look that sees a stack with the same top as the first: a stack has no foot within itself."""
    first = looks[0]
    if first.likeliest == 0:
        return first
    top = first.stack(first.likeliest).top
    for look in reversed(looks[1:]):
        if look.likeliest and look.chances[look.likeliest] > _SURE_OF_LOWER:
            lower = look.stack(look.likeliest)
            if np.linalg.norm(lower.top - top) < _SAME_TOP * first.stance.chip_px:
                return look
    return first


def count_in_box(image: Image, box: Box) -> Counted | None:
    """Counts the stack in a box around it, the camera's height not known: the height that fits box and bands best."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    aspects = [aspect for aspect in _ASPECTS if aspect * width < height * 1.05]
    middle = (left + right) / 2
    stances = [Stance.guessed(np.array([middle, bottom - aspect * width / 2]), width, aspect) for aspect in aspects]
    best, best_score = None, 0.0
    for stance, counted in zip(stances, count_chips(image, stances), strict=True):
        if counted is not None:
            chips_high = (height - stance.aspect * width) / stance.chip_px
            score = counted.conf * float(np.exp(-(((counted.chips - chips_high) / 0.8) ** 2)))
            if score > best_score:
                best, best_score = replace(counted, conf=score), score
    return best


def _zone_crop(view: ChipView, corners: Floats, here: Stance) -> Crop:
    """The crop that holds a zone and the tallest stack on it, at the size that feet are looked for in."""
    levels = [np.column_stack([corners, np.full(len(corners), z_mm)]) for z_mm in (0.0, TALLEST * CHIP_THICK_MM)]
    upright = Crop.around(np.zeros(2), up=here.rise, scale=_LOOKED_AT_PX / here.width_px)
    px = upright.to_crop(view.all_to_px(np.vstack(levels)))
    low, high = px.min(axis=0) - _LOOKED_AT_PX, px.max(axis=0) + _LOOKED_AT_PX
    size = np.ceil(high - low).astype(int)
    middle = upright.to_picture((low + high) / 2)
    return Crop.around(middle, up=here.rise, scale=upright.scale, size=(int(size[0]), int(size[1])))


def _apart_mm(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))
