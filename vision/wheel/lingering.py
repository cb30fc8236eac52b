"""What has come into the wheel and stays: a foreign object, riding on the rotor or lying on the stator.

A ball under way and a hand that passes leave no trace in an average over a second; what stays does.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.wheel.glints import BALL_RADIUS
from vision.wheel.layers import rolled
from vision.wheel.shape import BIN_DEG, Floats, wrapped

_EVERY = 3  # pictures
_MEMORY_S = 1.2
_LOUDEST = 80.0
_LEAST_GREY, _LEAST_NOISE = 14.0, 3.0
_LEAST_BALLS = 1.2
_SAME_DEG = 8.0


@dataclass(slots=True, kw_only=True)
class Thing:
    """Something that stays: where (from the rotor, if it rides on it), how large in balls, since when."""

    on_rotor: bool
    angle_deg: float
    radius: float
    balls: float
    at_border: bool
    first_t: float
    last_t: float


class Lingering:
    """Averages what lies beyond the wheel's own picture, once as the stator sees it and once as the rotor does."""

    def __init__(self, radii: Floats, rotor_rows: int, columns: int) -> None:
        self._radii = radii
        self._still = np.zeros((len(radii), columns), np.float32)
        self._turning = np.zeros((rotor_rows, columns), np.float32)
        self._looks, self._t = 0, 0.0
        self.things: list[Thing] = []

    def look(self, t: float, beyond: Floats, angle_deg: float, noise: Floats) -> None:
        """Take in one picture."""
        self._looks += 1
        if self._looks % _EVERY:
            return
        share = np.float32(min(1.0, (t - self._t) / _MEMORY_S))
        self._t = t
        clipped = np.clip(beyond, -_LOUDEST, _LOUDEST)
        self._still += (clipped - self._still) * share
        rotor_rows = len(self._turning)
        self._turning += (rolled(clipped[:rotor_rows], -angle_deg) - self._turning) * share
        self._note(t, self._still[rotor_rows:], noise[rotor_rows:], rotor_rows)
        self._note(t, self._turning, noise[:rotor_rows], 0)
        self.things = [thing for thing in self.things if t - thing.last_t < 0.3]

    def _note(self, t: float, mean: Floats, noise: Floats, first_row: int) -> None:
        mask = (np.abs(mean) > np.maximum(_LEAST_GREY, _LEAST_NOISE * noise)).astype(np.uint8)
        count, _, boxes, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
        step = float(self._radii[1] - self._radii[0])
        for label in range(1, count):
            radius = float(self._radii[0]) + step * (float(middles[label][1]) + first_row)
            cells = float(boxes[label][cv2.CC_STAT_AREA])
            balls = cells * step * radius * float(np.radians(BIN_DEG)) / (np.pi * BALL_RADIUS**2)
            if balls < _LEAST_BALLS:
                continue
            bottom = boxes[label][cv2.CC_STAT_TOP] + boxes[label][cv2.CC_STAT_HEIGHT]
            at_border = first_row > 0 and bool(bottom >= len(mean))
            self._merge(Thing(
                on_rotor=first_row == 0, angle_deg=float(middles[label][0]) * BIN_DEG, radius=radius, balls=balls,
                at_border=at_border, first_t=t, last_t=t,
            ))  # fmt: skip

    def _merge(self, new: Thing) -> None:
        for thing in self.things:
            near = abs(wrapped(thing.angle_deg - new.angle_deg)) < _SAME_DEG and abs(thing.radius - new.radius) < 0.1
            if near and thing.on_rotor == new.on_rotor:
                thing.last_t, thing.balls = new.last_t, max(thing.balls, new.balls)
                thing.at_border = thing.at_border or new.at_border
                return
        self.things.append(new)
