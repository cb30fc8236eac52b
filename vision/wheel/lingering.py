"""What has come into the wheel and rides on the rotor: a foreign object, and later the ball.

A hand, a lamp's reflection and a ball under way pass over any one place of the rotor in a moment; what rides on it is
beyond the wheel's own picture there in nearly every look, however far the rotor carries it.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.wheel.glints import BALL_RADIUS
from vision.wheel.layers import rolled
from vision.wheel.shape import BIN_DEG, Floats, wrapped

_EVERY = 3  # pictures
_MEMORY_S = 0.8
_LEAST_GREY, _LEAST_NOISE = 12.0, 3.0
_OFTEN, _ABOVE_OFTEN = 0.9, 1.5  # a chip fills less than a tenth of its ring: the rest shows how well the ring is known
_STEADILY, _AT_ITS_EDGE = 0.8, 0.4  # of all looks, weighted by how recent they are; a rotor's angle jitters a little
_LEAST_BALLS, _LARGEST = 1.2, 0.3  # a chip is twice as wide as a ball; the cone's own figure gleams in long arcs
_SAME_DEG, _SAME_RADIUS = 8.0, 0.1
_FORGOTTEN_S = 0.5


@dataclass(slots=True, kw_only=True)
class Thing:
    """Something that rides on the rotor: where, from the rotor's own start, how large in balls, since when, how far."""

    angle_deg: float
    radius: float
    balls: float
    first_t: float
    last_t: float
    rotor_deg: float
    carried_deg: float = 0.0


class Lingering:
    """Remembers, for every place of the rotor, how steadily it has lately been brighter or darker than it should."""

    def __init__(self, radii: Floats, rotor_rows: int, columns: int) -> None:
        self._radii = radii[:rotor_rows]
        self._steadily = np.zeros((rotor_rows, columns), np.float32)
        self._often = np.zeros((rotor_rows, 1), np.float32)
        self._looks, self._t = 0, 0.0
        self.things: list[Thing] = []

    def look(self, t: float, beyond: Floats, rotor_deg: float, noise: Floats, trusted: NDArray[np.bool_]) -> None:
        """Take in one picture, where it is to be trusted."""
        self._looks += 1
        if self._looks % _EVERY:
            return
        share = np.float32(min(1.0, (t - self._t) / _MEMORY_S))
        self._t = t
        rows = len(self._radii)
        part = np.abs(beyond[:rows, ::3])
        often = np.partition(part, int(_OFTEN * part.shape[1]), axis=1)[:, int(_OFTEN * part.shape[1]), None]
        self._often += (often - self._often) * share
        limit = np.maximum(np.maximum(_LEAST_GREY, _LEAST_NOISE * noise[:rows]), _ABOVE_OFTEN * self._often)
        loudness = np.clip(beyond[:rows] / limit, -1, 1)
        told = rolled(trusted[:rows].astype(np.float32), -rotor_deg) > 0.99
        self._steadily += (rolled(loudness, -rotor_deg) - self._steadily) * (share * told)
        self._note(t, rotor_deg)
        self.things = [thing for thing in self.things if t - thing.last_t < _FORGOTTEN_S]

    def _note(self, t: float, rotor_deg: float) -> None:
        steadily = np.abs(self._steadily)
        mask = (steadily > _AT_ITS_EDGE).astype(np.uint8)
        count, labels, boxes, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
        step = float(self._radii[1] - self._radii[0])
        for label in range(1, count):
            radius = float(self._radii[0]) + step * float(middles[label][1])
            cells = float(boxes[label][cv2.CC_STAT_AREA])
            balls = cells * step * radius * float(np.radians(BIN_DEG)) / (np.pi * BALL_RADIUS**2)
            wide = float(boxes[label][cv2.CC_STAT_WIDTH]) * float(np.radians(BIN_DEG)) * radius
            high = float(boxes[label][cv2.CC_STAT_HEIGHT]) * step
            steady = balls > _LEAST_BALLS and float(steadily[labels == label].max()) > _STEADILY
            if steady and max(wide, high) < _LARGEST:
                self._merge(Thing(
                    angle_deg=float(middles[label][0]) * BIN_DEG, radius=radius, balls=balls, first_t=t, last_t=t,
                    rotor_deg=rotor_deg,
                ))  # fmt: skip

    def _merge(self, new: Thing) -> None:
        for thing in self.things:
            turned = abs(wrapped(thing.angle_deg - new.angle_deg))
            if turned < _SAME_DEG and abs(thing.radius - new.radius) < _SAME_RADIUS:
                thing.last_t, thing.balls = new.last_t, max(thing.balls, new.balls)
                thing.carried_deg = abs(new.rotor_deg - thing.rotor_deg)
                return
        self.things.append(new)
