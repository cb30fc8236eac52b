"""How a stack of chips stands in the picture: where its foot is, and which way its chips go up, across and away."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

CHIP_WIDTH_MM, CHIP_THICK_MM = 39.0, 3.3
TALLEST = 20

Floats = NDArray[np.float64]
ToPx = Callable[[Floats], Floats]
"""Pixels (n x 2) of points of the plan frame (n x 3, millimetres): what a calibrated camera offers."""

_RADIUS_MM = CHIP_WIDTH_MM / 2
_TYPICAL_DISTANCE_MM = 2000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stance:
    """A round stack seen by one camera, good near one place: all vectors in pixels."""

    foot: Floats
    """Middle of the lowest chip's lower face."""
    rise: Floats
    """From one chip's lower face to its upper face."""
    across: Floats
    """From a chip's middle to the rightmost point of its outline, with `rise` pointing up."""
    away: Floats
    """From a chip's middle to the point of its outline farthest from the camera; parallel to `rise`."""
    growth: float
    """By how much of itself the picture grows from one chip to the next: higher chips are nearer to the camera."""

    @classmethod
    def at(cls, to_px: ToPx, x_mm: float, y_mm: float) -> Self:
        """The stance of a stack that stands at a place on the felt."""
        foot = np.array([x_mm, y_mm, 0.0])
        reach, high = _RADIUS_MM, TALLEST * CHIP_THICK_MM
        upwards = [(0.0, 0.0, 0.0), (0.0, 0.0, high / 2), (0.0, 0.0, high)]
        sideways_mm = [(reach, 0.0, 0.0), (-reach, 0.0, 0.0), (0.0, reach, 0.0), (0.0, -reach, 0.0)]
        low, half, top, right, left, down, up_page = to_px(foot + np.array(upwards + sideways_mm))
        up = (top - low) / max(float(np.linalg.norm(top - low)), 1e-9)
        to_half, to_top = float((half - low) @ up) / (TALLEST / 2), float((top - low) @ up) / TALLEST
        growth = (to_top - to_half) / max(2 * to_half - to_top, 1e-9) / (TALLEST / 2)
        x_axis, y_axis = (right - left) / 2, (down - up_page) / 2
        sideways = np.array([-up[1], up[0]])
        turn = np.arctan2(sideways @ y_axis, sideways @ x_axis)
        across = x_axis * np.cos(turn) + y_axis * np.sin(turn)
        away = y_axis * np.cos(turn) - x_axis * np.sin(turn)
        if away @ up < 0:
            away = -away
        rise = up * (2 * to_half - to_top)
        return cls(foot=low, rise=rise, across=across, away=away, growth=float(np.clip(growth, 0, 0.01)))

    @classmethod
    def guessed(cls, foot: Floats, width_px: float, aspect: float) -> Self:
        """The stance without a calibrated camera, from a chip's width and how round it looks; the camera is upright."""
        aspect = float(np.clip(aspect, 0.05, 0.995))
        rise_px = CHIP_THICK_MM / CHIP_WIDTH_MM * width_px * np.sqrt(1 - aspect**2)
        half = width_px / 2
        return cls(
            foot=np.asarray(foot, dtype=np.float64), rise=np.array([0.0, -rise_px]), across=np.array([half, 0.0]),
            away=np.array([0.0, -aspect * half]), growth=CHIP_THICK_MM * aspect / _TYPICAL_DISTANCE_MM,
        )  # fmt: skip

    def moved(self, by_px: Floats) -> Self:
        """The same stance at another foot close by."""
        return replace(self, foot=self.foot + by_px)

    @property
    def width_px(self) -> float:
        return 2 * float(np.linalg.norm(self.across))

    @property
    def chip_px(self) -> float:
        """How many pixels of height one more chip adds."""
        return float(np.linalg.norm(self.rise))

    @property
    def aspect(self) -> float:
        """A chip's outline, height over width: the sine of the camera's elevation."""
        return float(np.linalg.norm(self.away) / max(float(np.linalg.norm(self.across)), 1e-9))

    def centres(self, heights: Floats) -> Floats:
        """Pixels of the stack's axis at heights counted in chips."""
        return self.foot + np.multiply.outer(heights * (1 + self.growth * heights), self.rise)

    @property
    def rim(self) -> Floats:
        """Points around a chip's face, seen from its middle."""
        angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        return np.multiply.outer(np.cos(angles), self.across) + np.multiply.outer(np.sin(angles), self.away)

    def outline(self, chips: int) -> Floats:
        """Points around the lowest chip's lower face and the top chip's upper face: their hull is the outline."""
        top = self.centres(np.array([float(chips)]))[0]
        return np.vstack([self.foot + self.rim, top + self.rim * (1 + self.growth * chips)])

    def box(self, chips: int) -> tuple[float, float, float, float]:
        """The upright rectangle around a stack of so many chips."""
        points = self.outline(chips)
        (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
        return float(left), float(top), float(right), float(bottom)


def place_at(to_px: ToPx, foot_px: Floats, near_mm: Floats, z_mm: float = 0.0) -> Floats:
    """The place (x, y in mm) at a height that shows at a pixel, by Newton's method from a place nearby."""
    place = np.array([near_mm[0], near_mm[1]], dtype=np.float64)
    steps = np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0)])
    for _ in range(6):
        here, east, south = to_px(np.array([place[0], place[1], z_mm]) + steps)
        place += np.linalg.solve(np.column_stack([east - here, south - here]), foot_px - here)
    return place


def foot_seen(stance: Stance, standing: Iterable[tuple[Stance, int]]) -> float:
    """The share of the near side of a stack's lowest chip that is not hidden by stacks (each with its number of chips)
    which stand nearer to the camera."""
    sides = np.linspace(-0.8, 0.8, 17)
    bow = np.multiply.outer(np.sqrt(1 - sides**2), stance.away)
    side = stance.foot + stance.rise / 2 + np.multiply.outer(sides, stance.across) - bow
    nearer = [(other, chips) for other, chips in standing if float((other.foot - stance.foot) @ stance.rise) < 0]
    hulls = [cv2.convexHull(other.outline(chips).astype(np.float32)) for other, chips in nearer]
    return float(np.mean([all(cv2.pointPolygonTest(hull, point, False) < 0 for hull in hulls) for point in side]))
