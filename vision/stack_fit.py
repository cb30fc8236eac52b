"""Stacks of chips by their outline: with the camera known, a stack's foot and height follow from what it covers.

A stack of n chips covers the hull of its lowest and its highest rim. The stacks whose hulls together cover what is not
bare felt, no more and no less, are the stacks that stand there; one chip more is a few pixels more at the top.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image, View
from vision.plan import CHIP_HEIGHT_MM, CHIP_MM, Point, Zone

Mask = NDArray[np.bool_]
TALLEST = 22
DIFFERENT = 26  # in the channel that differs most
SHADE_UNEVEN = 0.22
"""A shadow darkens all channels alike: by so much they may differ in their share of the light."""
EMPTY_SHARE = 0.35  # of one chip's outline: less is no chip
STEPS_MM = (6.0, 3.0, 1.5)
MOST_STACKS = 5
GOOD_AGREEMENT = 0.86
STILL_THERE = 0.8
NEAR_MM = 6.0  # how far outside its zone a stack may stand
COST_OF_A_STACK = 0.25  # of one chip's outline: a second stack must explain more than it costs
_SUBPIXEL_BITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A stack: its foot in millimetres, and how many chips it has."""

    at: Point
    chips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The stacks of a zone, and how far what they would cover and what is there agree."""

    stacks: tuple[Standing, ...]
    agreement: float


def standing_mask(image: Image, bare: Image) -> Mask:
    """Where something stands: unlike the bare table, and not only in shade."""
    now, before = image.astype(np.float32), bare.astype(np.float32)
    is_different = np.abs(now - before).max(axis=2) > DIFFERENT
    light = (now + 4) / (before + 4)
    is_shade = (light.max(axis=2) - light.min(axis=2) < SHADE_UNEVEN) & (light.max(axis=2) < 1.02)
    mask = (is_different & ~is_shade).astype(np.uint8)
    return cv2.morphologyEx(cv2.medianBlur(mask, 3), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) > 0


class StackFit:
    """Fits stacks to what stands in one zone of a picture."""

    def __init__(self, image: Image, bare: Image, view: View, zone: Zone) -> None:
        self._view, self._zone = view, zone
        hull = np.array(view.outline(zone, TALLEST * CHIP_HEIGHT_MM, CHIP_MM / 2))
        low = np.clip(np.floor(hull.min(axis=0)).astype(int) - 2, 0, np.array(view.size) - 1)
        high = np.clip(np.ceil(hull.max(axis=0)).astype(int) + 2, 1, view.size)
        self._corner = low
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        self.mask = standing_mask(image[window], bare[window])
        reach = np.zeros(self.mask.shape, np.uint8)
        cv2.fillConvexPoly(reach, np.round(hull - low).astype(np.int32), 1)
        self.mask &= reach > 0
        self.ground: NDArray[np.float64] = np.median(bare[window][reach > 0], axis=0)
        """The felt's colour."""
        self._one_px = float(np.count_nonzero(self._covered(Standing(at=zone.at, chips=1))))

    def fit(self, known: Sequence[Standing] = ()) -> Fitted:
        """The stacks that explain best what stands there. `known` are stacks that stood there before; those that are
        still there stay as they were known."""
        kept = [stack for stack in known if self.cover(stack) > STILL_THERE]
        fitted = self._with_others(kept)
        if kept and fitted.agreement < GOOD_AGREEMENT:
            anew = self._with_others([])
            fitted = anew if anew.agreement > fitted.agreement + 0.03 else fitted
        return fitted

    def _with_others(self, fixed: Sequence[Standing]) -> Fitted:
        """Stacks beside the fixed ones until all is explained."""
        added: list[Standing] = []
        while len(added) < MOST_STACKS and (more := self._another([*fixed, *added])) is not None:
            settled = self._settled(fixed, [*added, more])
            if self._cost([*fixed, *settled]) >= self._cost([*fixed, *added]):
                break
            added = settled
        stacks = (*fixed, *added)
        return Fitted(stacks=stacks, agreement=self.agreement(stacks))

    def agreement(self, stacks: Sequence[Standing]) -> float:
        """The part of what is there, or of what the stacks would cover, on which both agree."""
        union = self._union(stacks)
        return int(np.count_nonzero(union & self.mask)) / max(1, int(np.count_nonzero(union | self.mask)))

    def cover(self, stack: Standing) -> float:
        """The part of a stack's outline in which something stands."""
        covered = self._covered(stack)
        return int(np.count_nonzero(covered & self.mask)) / max(1, int(np.count_nonzero(covered)))

    def _another(self, stacks: Sequence[Standing]) -> Standing | None:
        """One more stack, where most is left unexplained."""
        left = self.mask & ~self._union(stacks)
        if np.count_nonzero(left) < EMPTY_SHARE * self._one_px:
            return None
        across, along = (np.linspace(-side / 2, side / 2, max(2, round(side / 12))) for side in self._zone.size)
        best: tuple[float, Standing] | None = None
        for right, down, chips in itertools.product(across, along, (1, 3, 6, 10, 15, 20)):
            candidate = Standing(at=self._zone.from_middle(float(right), float(down)), chips=chips)
            covered = self._covered(candidate)
            gain = 2.0 * np.count_nonzero(covered & left) - 1.5 * np.count_nonzero(covered & ~self.mask)
            gain -= 0.5 * np.count_nonzero(covered)
            if best is None or gain > best[0]:
                best = (float(gain), candidate)
        return best[1] if best is not None and best[0] > 0 else None

    def _settled(self, fixed: Sequence[Standing], stacks: list[Standing]) -> list[Standing]:
        """Each stack moved, raised and lowered until nothing gets better."""
        cost = self._cost([*fixed, *stacks])
        for step_mm in STEPS_MM:
            is_better = True
            while is_better:
                is_better = False
                for number, stack in enumerate(stacks):
                    for other in self._neighbours(stack, step_mm):
                        trial = [*stacks[:number], other, *stacks[number + 1 :]]
                        trial_cost = self._cost([*fixed, *trial])
                        if trial_cost < cost - 0.5:
                            stacks, cost, is_better = trial, trial_cost, True
                            break
        return stacks

    def _neighbours(self, stack: Standing, step_mm: float) -> list[Standing]:
        x, y = stack.at
        ways = ((1, 0), (-1, 0), (0, 1), (0, -1))
        moved = [replace(stack, at=(x + dx * step_mm, y + dy * step_mm)) for dx, dy in ways]
        heights = [stack.chips + more for more in (1, -1, 2, -2) if 1 <= stack.chips + more <= TALLEST]
        # Along the camera's line of sight a step and a chip less look alike at one end: they are tried together.
        heights_too = [more for more in (1, -1) if 1 <= stack.chips + more <= TALLEST]
        both = [replace(other, chips=stack.chips + more) for other in moved for more in heights_too]
        near = [each for each in (*moved, *both) if self._is_near(each.at)]
        return [*near, *(replace(stack, chips=chips) for chips in heights)]

    def _is_near(self, at: Point) -> bool:
        right, down = self._zone.to_middle(*at)
        return abs(right) < self._zone.size[0] / 2 + NEAR_MM and abs(down) < self._zone.size[1] / 2 + NEAR_MM

    def _cost(self, stacks: Sequence[Standing]) -> float:
        wrong = int(np.count_nonzero(self._union(stacks) ^ self.mask))
        return wrong + COST_OF_A_STACK * self._one_px * len(stacks)

    def _union(self, stacks: Sequence[Standing]) -> Mask:
        union = np.zeros(self.mask.shape, bool)
        for stack in stacks:
            union |= self._covered(stack)
        return union

    def _covered(self, stack: Standing) -> Mask:
        around = np.linspace(0, 2 * np.pi, 20, endpoint=False)
        x, y = stack.at[0] + CHIP_MM / 2 * np.cos(around), stack.at[1] + CHIP_MM / 2 * np.sin(around)
        rims = np.vstack([np.column_stack([x, y, np.full(20, z)]) for z in (0.0, stack.chips * CHIP_HEIGHT_MM)])
        px = (self._view.all_to_px(rims) - self._corner - 0.5) * (1 << _SUBPIXEL_BITS)
        hull = cv2.convexHull(np.round(px).astype(np.int32))
        drawn = np.zeros(self.mask.shape, np.uint8)
        cv2.fillConvexPoly(drawn, hull, 255, lineType=cv2.LINE_AA, shift=_SUBPIXEL_BITS)
        return drawn > 127
