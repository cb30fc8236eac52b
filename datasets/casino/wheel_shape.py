"""The shape of a roulette wheel in millimetres: a turned body with a profile, pockets with frets, deflectors, a ball.

Wheel frame: origin on the spindle, x to the right and y down the page as seen from above, z up. Angles are radians,
clockwise seen from above, from twelve o'clock (-y).

>>> round(WheelShape().height_mm(188.0))
-31
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from auditor.rulebooks.roulette_layout import WHEEL

Array = npt.NDArray[np.float64]
# What goes through OpenCV, whose signatures say nothing of an array's type: linear light (float32), pictures (uint8).
Floats = npt.NDArray[Any]
Picture = npt.NDArray[Any]
POCKETS = len(WHEEL)
PITCH = 2 * np.pi / POCKETS
Band = tuple[float, float]
TABLE_MM = -60.0
"""The table top around the bowl."""


@dataclass(frozen=True, kw_only=True)
class WheelShape:
    """The measures of one make of wheel. Radii rise outwards: cone, pockets, numbers, rotor edge, bowl, track, rim."""

    ball_mm: float = 9.5
    deflectors: int = 8
    deflector_style: Literal["alternate", "radial", "ring"] = "alternate"
    pockets_mm: Band = (170.0, 212.0)
    numbers_mm: Band = (214.0, 250.0)
    rotor_mm: float = 262.0
    deflector_mm: float = 312.0
    track_mm: float = 374.0
    rim_mm: Band = (386.5, 414.0)
    turret_mm: float = 88.0
    arms: int = 4
    bowl_slope: float = 0.395
    fret_mm: float = 9.0
    _step_mm: float = field(default=0.5, repr=False)

    @cached_property
    def profile(self) -> tuple[Array, Array]:
        """Height over radius, at even steps of the radius, with the joints smoothed as turned wood is."""
        foot, pocket_out = self.rotor_mm + 2, self.pockets_mm[1]
        ring_out = max(self.numbers_mm[1], pocket_out + 6)  # the numbers may also stand inside the pockets
        lip = foot + 86
        rise = self.bowl_slope * 86
        points = [
            (0.0, self.turret_mm), (12, self.turret_mm - 1), (17, self.turret_mm - 16), (20, 42), (34, 34), (42, 14),
            (60, 8), (self.pockets_mm[0] - 3, -21), (self.pockets_mm[0], -30), (pocket_out - 12, -32),
            (pocket_out, -30), (pocket_out + 2, -20), (ring_out, -7), (self.rotor_mm, -3), (foot, 0), (lip, rise),
            (self.track_mm, rise + 0.38 * (self.track_mm - lip)), (self.track_mm + 10, rise + 24),
            (self.rim_mm[0], rise + 50), (self.rim_mm[0] + 5, rise + 53), (self.rim_mm[1] - 4, rise + 50),
            (self.rim_mm[1], rise + 30), (self.rim_mm[1] + 3, TABLE_MM), (3000, TABLE_MM),
        ]  # fmt: skip
        radius = np.arange(0, 3000, self._step_mm)
        height = np.interp(radius, *np.array(points).T)
        kernel = np.hanning(9) / np.hanning(9).sum()
        height[4:-4] = np.convolve(height, kernel, "valid")
        return radius, height

    def height_mm(self, radius_mm: float) -> float:
        """The surface's height at a radius."""
        heights = self.profile[1]
        at = min(radius_mm / self._step_mm, len(heights) - 2.0)
        low = int(at)
        return float(heights[low] + (at - low) * (heights[low + 1] - heights[low]))

    def slope(self, radius_mm: float) -> float:
        """How steeply the surface rises outwards, as a ratio."""
        return (self.height_mm(radius_mm + 1) - self.height_mm(max(radius_mm - 1, 0))) / 2

    def heights(self, radius_mm: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The surface's height at many radii, to the profile's step."""
        at = (radius_mm * np.float32(1 / self._step_mm)).astype(np.int32)
        return self._table.take(at, mode="clip")

    @cached_property
    def _table(self) -> npt.NDArray[np.float32]:
        return self.profile[1].astype(np.float32)

    @property
    def fret_top_mm(self) -> float:
        """The height up to which the frets part the pockets."""
        return -31.0 + self.fret_mm

    def deflector_axes_mm(self, index: int) -> tuple[float, float]:
        """Half the length of a deflector along the radius and along the circle."""
        lying = self.deflector_style == "alternate" and index % 2 == 1
        return {"ring": (7.0, 7.0)}.get(self.deflector_style, (7.0, 26.0) if lying else (26.0, 7.0))

    def deflector_angle(self, index: int) -> float:
        """Where a deflector sits on the bowl."""
        return 2 * np.pi * (index + 0.5) / self.deflectors


def pocket_angle(pocket: int) -> float:
    """How far a pocket lies clockwise of the zero.

    >>> round(pocket_angle(32) * 180 / 3.14159, 2)
    9.73
    """
    return WHEEL.index(pocket) * PITCH
