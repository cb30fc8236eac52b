"""The eye for chips: finds stacks, counts their chips and reads their colours, with a calibrated camera or without."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Protocol

import cv2
import msgspec
import numpy as np

from vision.chip_colours import Palette
from vision.chip_count import Counted, count_again, count_chips
from vision.chip_crop import Crop
from vision.chip_mask import Mask, not_felt, outline_fit, possible_feet
from vision.chip_stance import CHIP_THICK_MM, TALLEST, Floats, Stance, place_at
from vision.seen import Box, Image, Seen

_LOOKED_AT_PX = 24.0  # how wide chips are made before stacks are looked for
_REACH_MM = 5.0  # how far outside a zone a stack's middle may be
_MOST_HIDDEN = 0.5
_LEAST_FIT, _LEAST_COVER = 0.2, 0.4
_MOST = 10  # stacks looked at in one zone
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
    stance: Stance
    place_mm: tuple[float, float]


class ChipEye:
    """Finds and reads stacks of chips; `palette` has the chips that may be there."""

    def __init__(self, palette: Palette | None = None) -> None:
        self.palette = palette or Palette.named()

    def stacks_in(
        self, image: Image, view: ChipView, zone_mm: Sequence[tuple[float, float]], empty: Image | None = None
    ) -> list[Stack]:
        """The stacks that stand in a zone of the plan (a polygon in mm), seen by a calibrated camera.

        `empty` is a picture of the table before anything stood there; without it, felt is what most of the zone shows.
        """
        corners = np.array(zone_mm, dtype=np.float64)
        middle = corners.mean(axis=0)
        here = Stance.at(view.all_to_px, middle[0], middle[1])
        crop = _zone_crop(view, corners, here)
        mask = not_felt(crop.cut(image), None if empty is None else crop.cut(empty))
        feet = [crop.to_picture(foot) for foot in possible_feet(mask, crop.stance(here))]
        places = [place for foot in feet if _near(corners, place := place_at(view.all_to_px, foot, middle))]
        first = count_chips(image, [Stance.at(view.all_to_px, x, y) for x, y in places[:_MOST]])
        stacks = []
        for rough in _apart([fitted for counted in first if (fitted := _fitted(counted, mask, crop)) is not None]):
            x, y = place_at(view.all_to_px, rough.stance.foot, middle)
            counted = count_again(image, replace(rough, stance=Stance.at(view.all_to_px, x, y)))
            if counted is not None and _near(corners, place := place_at(view.all_to_px, counted.stance.foot, middle)):
                chips, sure = self.palette.match(counted.bgr)
                conf, at = round(counted.conf * sure, 4), (float(place[0]), float(place[1]))
                stacks.append(Stack(chips=chips, conf=conf, stance=counted.stance, place_mm=at))
        return stacks

    def read_box(self, image: Image, box: Box, conf: float) -> Seen:
        """Reads the stack that a detector found in a box; a stack that cannot be read is still a stack."""
        counted = count_in_box(image, box)
        seen = Seen(kind="chips", conf=conf, box=box)
        if counted is None:
            return seen
        chips, sure = self.palette.match(counted.bgr)
        runs = tuple((colour, len(list(run))) for colour, run in groupby(chips))
        values = [self.palette.chips[colour].value for colour in chips]
        return msgspec.structs.replace(
            seen, conf=round(conf * counted.conf * sure, 4), colour=runs[0][0] if len(runs) == 1 else None,
            count=len(chips), stack=runs, value=None if None in values else sum(each for each in values if each),
        )  # fmt: skip


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
            score = counted.conf * float(np.exp(-(((len(counted.bgr) - chips_high) / 0.8) ** 2)))
            if score > best_score:
                best, best_score = replace(counted, conf=score), score
    return best


def _zone_crop(view: ChipView, corners: Floats, here: Stance) -> Crop:
    """The crop that holds a zone and the tallest stack on it, at the size that stacks are looked for in."""
    levels = [np.column_stack([corners, np.full(len(corners), z_mm)]) for z_mm in (0.0, TALLEST * CHIP_THICK_MM)]
    upright = Crop.around(np.zeros(2), up=here.rise, scale=_LOOKED_AT_PX / here.width_px)
    px = upright.to_crop(view.all_to_px(np.vstack(levels)))
    low, high = px.min(axis=0) - _LOOKED_AT_PX, px.max(axis=0) + _LOOKED_AT_PX
    size = np.ceil(high - low).astype(int)
    middle = upright.to_picture((low + high) / 2)
    return Crop.around(middle, up=here.rise, scale=upright.scale, size=(int(size[0]), int(size[1])))


def _fitted(counted: Counted | None, mask: Mask, crop: Crop) -> Counted | None:
    """A counted stack, the less sure the worse its outline fits what is not felt; None where it does not fit at all."""
    if counted is None:
        return None
    fit, cover = outline_fit(mask, crop.stance(counted.stance), len(counted.bgr))
    return replace(counted, conf=counted.conf * min(fit, 1.0)) if fit > _LEAST_FIT and cover > _LEAST_COVER else None


def _near(corners: Floats, place: Floats) -> bool:
    """Whether a place (mm) lies in a zone or just outside it."""
    return cv2.pointPolygonTest(corners.astype(np.float32), (float(place[0]), float(place[1])), True) > -_REACH_MM


def _apart(stacks: list[Counted]) -> Iterator[Counted]:
    """The stacks, the surest first, without those that only a part of a surer one was taken for."""
    kept: list[Counted] = []
    for stack in sorted(stacks, key=lambda each: -each.conf):
        if all(_hidden(stack, other) < _MOST_HIDDEN for other in kept):
            kept.append(stack)
            yield stack


def _hidden(stack: Counted, other: Counted) -> float:
    """The share of a stack's outline that another's outline covers."""
    own, over = (cv2.convexHull(each.stance.outline(len(each.bgr)).astype(np.float32)) for each in (stack, other))
    common, _ = cv2.intersectConvexConvex(own, over)
    return common / max(cv2.contourArea(own), 1e-6)
