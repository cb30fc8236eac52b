"""The eye for chips: finds stacks, counts their chips and reads their colours, with a calibrated camera or without."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Protocol

import cv2
import msgspec
import numpy as np

from vision import weights
from vision.chip_colours import Palette, stack_colours
from vision.chip_crop import FINDER_CHIP_PX, STRIDE, Crop, as_input
from vision.chip_mask import not_felt, standing
from vision.chip_stance import CHIP_THICK_MM, TALLEST, Floats, Stance, place_at
from vision.chip_strip import FOOT_ROW, ROWS, ROWS_PER_CHIP, strips
from vision.seen import Box, Image, Seen

_HEAT = 0.3
_REACH_MM = 12.0  # how far outside a zone a stack's middle may be


class ChipView(Protocol):
    """What is asked of a calibrated camera."""

    def all_to_px(self, mm: Floats) -> Floats:
        """Pixels of points (n x 3) in the plan frame."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Top:
    """The upper face of a stack, as the finder saw it in a picture."""

    at: Floats
    heat: float
    width_px: float
    aspect: float
    height_px: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A stack that was read: its chips bottom to top, and where it stands."""

    chips: tuple[str, ...]
    conf: float
    stance: Stance
    place_mm: tuple[float, float] | None = None

    def seen(self, palette: Palette) -> Seen:
        """The stack as `see` says it."""
        runs = tuple((colour, len(list(run))) for colour, run in groupby(self.chips))
        values = [palette.chips[colour].value for colour in self.chips]
        value = sum(each for each in values if each is not None) if None not in values else None
        return Seen(
            kind="chips", conf=self.conf, box=self.stance.box(len(self.chips)), colour=runs[0][0] if len(runs) == 1 else None,
            count=len(self.chips), stack=runs, value=value,
        )  # fmt: skip


class ChipEye:
    """Finds and reads stacks of chips."""

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
        found = []
        for outline in standing(mask, crop.stance(here)):
            place = place_at(view.all_to_px, crop.to_picture(outline.foot), middle)
            stack = self._read(image, Stance.at(view.all_to_px, place[0], place[1]))
            if stack is None:
                continue
            place = place_at(view.all_to_px, stack.stance.foot, place)
            if cv2.pointPolygonTest(corners.astype(np.float32), (float(place[0]), float(place[1])), True) > -_REACH_MM:
                found.append(replace(stack, place_mm=(float(place[0]), float(place[1]))))
        return list(_apart(found))

    def look(self, image: Image) -> list[Seen]:
        """The stacks in any picture, with nothing known of the camera."""
        from vision.objects import detect

        return [self.read_box(image, each.box, each.conf) for each in detect(image) if each.kind == "chips"]

    def read_box(self, image: Image, box: Box, conf: float) -> Seen:
        """Reads the stack that a detector found in a box; a stack that cannot be read is still a stack."""
        stack = self.stack_in_box(image, box)
        if stack is None:
            return Seen(kind="chips", conf=conf, box=box)
        return msgspec.structs.replace(stack.seen(self.palette), box=box, conf=round(conf * stack.conf, 4))

    def stack_in_box(self, image: Image, box: Box) -> Stack | None:
        """The stack in a box around it: the camera's elevation is taken from how round its top looks."""
        left, upper, right, lower = box
        middle, width = np.array([(left + right) / 2, (upper + lower) / 2]), right - left
        for _ in range(2):  # the box may be wide of the stack: look again at the size that was found
            tops = self._tops(image, Crop.around(middle, up=np.array([0.0, -1.0]), scale=FINDER_CHIP_PX / width))
            inside = [top for top in tops if left < top.at[0] < right and upper < top.at[1] < lower]
            if not inside:
                return None
            width = inside[0].width_px
        foot = inside[0].at + (0.0, inside[0].height_px)
        return self._read(image, Stance.guessed(foot, width, inside[0].aspect))

    def _tops(self, image: Image, crop: Crop) -> list[Top]:
        """Peaks of the finder's heat, the hottest first, in pixels of the picture."""
        session = weights.load("chip-finder.onnx").session
        maps = session.run(None, {"seen": as_input(crop.cut(image))[None]})[0][0]
        heat = 1 / (1 + np.exp(-maps[0]))
        peaks = (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > _HEAT)
        tops = []
        for row, column in np.argwhere(peaks):
            offset_x, offset_y, width, aspect, height = maps[1:, row, column].tolist()
            at = (np.array([column + offset_x, row + offset_y]) + 0.5) * STRIDE
            tops.append(
                Top(
                    at=crop.to_picture(at), heat=float(heat[row, column]), width_px=float(np.exp(width)) * FINDER_CHIP_PX / crop.scale,
                    aspect=aspect, height_px=max(height, 0.02) * FINDER_CHIP_PX / crop.scale,
                )
            )  # fmt: skip
        return sorted(tops, key=lambda top: -top.heat)

    def _read(self, image: Image, stance: Stance) -> Stack | None:
        """Counts and reads a stack whose foot is about where `stance` says; None where there is none."""
        counted = self.count(image, stance)
        if counted is None:
            return None
        count, conf, exact = counted
        colours, colour_conf = stack_colours(image, exact, count, self.palette)
        return Stack(chips=tuple(colours), conf=round(conf * colour_conf, 4), stance=exact)

    def count(self, image: Image, stance: Stance) -> tuple[int, float, Stance] | None:
        """How many chips stand there, how sure that is, and where exactly the foot is."""
        loaded = weights.load("chip-counter.onnx")
        scores, foot, top = (each[0] for each in loaded.session.run(None, {"seen": strips(image, stance)[None]}))
        chances = _softmax(scores / loaded.entry.settings.get("temperature", 1.0))
        count = int(chances.argmax())
        if count == 0:
            return None
        rise = count * ROWS_PER_CHIP
        row = int((foot[: ROWS - rise] + top[rise:]).argmax())
        exact = stance.moved(stance.rise * (row - FOOT_ROW) / ROWS_PER_CHIP)
        return count, float(chances[count]), exact


def _zone_crop(view: ChipView, corners: Floats, here: Stance) -> Crop:
    """The crop that holds a zone and the tallest stack on it, at the finder's size."""
    levels = [np.column_stack([corners, np.full(len(corners), z_mm)]) for z_mm in (0.0, TALLEST * CHIP_THICK_MM)]
    px = view.all_to_px(np.vstack(levels))
    scale = FINDER_CHIP_PX / here.width_px
    upright = Crop.around(np.zeros(2), up=here.rise, scale=scale).to_crop(px)
    low, high = upright.min(axis=0) - FINDER_CHIP_PX, upright.max(axis=0) + FINDER_CHIP_PX
    size = np.ceil((high - low) / 16).astype(int) * 16
    middle = Crop.around(np.zeros(2), up=here.rise, scale=scale).to_picture((low + high) / 2)
    return Crop.around(middle, up=here.rise, scale=scale, size=(int(size[0]), int(size[1])))


def _apart(stacks: list[Stack]) -> Iterator[Stack]:
    """Stacks that are not the same one found twice: two feet are never much closer than a chip is wide."""
    kept: list[Stack] = []
    for stack in sorted(stacks, key=lambda each: -each.conf):
        if all(np.linalg.norm(stack.stance.foot - other.stance.foot) > 0.3 * stack.stance.width_px for other in kept):
            kept.append(stack)
            yield stack


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum())
