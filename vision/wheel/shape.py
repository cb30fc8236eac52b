"""Where the wheel stands in the picture, and how its rings become straight strips.

A wheel is a stack of circles. In the picture the number ring's outer edge is an ellipse, and under perspective the
wheel's axis does not go through the ellipse's middle: the ellipse and the axis together fix the whole plane. Radii are
counted in that edge (1 = outer edge of the number ring), angles in degrees clockwise from twelve o'clock.
"""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_Maps = tuple[NDArray[np.int16], NDArray[np.uint16]]
BINS = 370
"""Columns of a strip: ten to a pocket, so that turning a whole pocket is a whole number of columns."""
BIN_DEG = 360 / BINS
CONE_EDGE = 0.68
"""The pockets' inner edge: there the cone begins."""
_TURRET_HEIGHT, _TURRET_REACH = 0.36, 0.36  # of the turret's arms, over the number ring and out from the axis


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelShape:
    """The ellipse of the number ring's outer edge and the point where the axis meets its plane.

    `wide`, `skew`, `high` are the symmetric matrix that makes the ellipse of the unit circle, `lean` is where the axis
    goes through, measured from the ellipse's middle in that circle. Inside the pockets the rotor rises to a cone: a
    slanting camera sees its rings set off along the short axis, the more the further in (`cone_rise`).
    """

    x: float
    y: float
    wide: float
    skew: float
    high: float
    lean_x: float = 0.0
    lean_y: float = 0.0
    cone_rise: float = 0.0

    @property
    def short_axis(self) -> tuple[float, float]:
        """The direction of the shorter axis, right and down."""
        angle = 0.5 * math.atan2(2 * self.skew, self.wide - self.high) + math.pi / 2
        return math.cos(angle), math.sin(angle)

    @property
    def radius_px(self) -> float:
        """The radius of the circle of equal area."""
        return math.sqrt(max(1e-6, self.wide * self.high - self.skew**2))

    @property
    def axes_px(self) -> tuple[float, float]:
        """The longer and the shorter half axis."""
        mean, half = (self.wide + self.high) / 2, math.hypot((self.wide - self.high) / 2, self.skew)
        return mean + half, mean - half

    def points(self, angles_deg: Floats, radii: Floats) -> tuple[Floats, Floats]:
        """Picture coordinates of points given by angle and radius."""
        angles = np.radians(angles_deg)
        x, y = radii * np.sin(angles), -radii * np.cos(angles)
        # A projective map that leaves the unit circle in place and takes its middle to `lean`.
        lean2 = self.lean_x**2 + self.lean_y**2
        gamma = 1 / math.sqrt(max(1e-6, 1 - lean2))
        along = self.lean_x * x + self.lean_y * y
        pull = gamma + (gamma - 1) / lean2 * along if lean2 > 1e-9 else 1.0 + 0 * along
        depth = gamma * (1 + along)
        u, v = (x + self.lean_x * pull) / depth, (y + self.lean_y * pull) / depth
        off = self.cone_rise * self.radius_px * np.maximum(0, CONE_EDGE - radii)
        right, down = self.short_axis
        return (
            (self.x + self.wide * u + self.skew * v + off * right).astype(np.float32),
            (self.y + self.skew * u + self.high * v + off * down).astype(np.float32),
        )

    def picture_deg(self, angle_deg: float, radius: float) -> float:
        """The angle at which a point of the wheel is seen, around the middle of the ellipse."""
        x, y = self.points(np.array([angle_deg], np.float32), np.array([radius], np.float32))
        return math.degrees(math.atan2(float(x[0]) - self.x, self.y - float(y[0]))) % 360

    def like(self, other: "WheelShape") -> bool:
        """Whether two shapes lie on each other, nearly."""
        near = 0.06 * self.radius_px
        return all(
            abs(mine - theirs) < near
            for mine, theirs in zip((self.x, self.y, *self.axes_px), (other.x, other.y, *other.axes_px), strict=True)
        )

    def scaled(self, factor: float) -> "WheelShape":
        """The same wheel in a picture `factor` times as large."""
        return replace(
            self, x=self.x * factor, y=self.y * factor,
            wide=self.wide * factor, skew=self.skew * factor, high=self.high * factor,
        )  # fmt: skip

    def grown(self, factor: float) -> "WheelShape":
        """A wider or narrower ring of the same wheel taken for the unit."""
        return replace(self, wide=self.wide * factor, skew=self.skew * factor, high=self.high * factor)


def beside_turret(shape: WheelShape, radii: Floats, bins: int = BINS) -> NDArray[np.bool_]:
    """Which cells of a strip the turret's arms never hide: they stand high, so a slanting camera sees them further out.

    Which of the two ways along the short axis that is, the ellipse alone does not say: both are left out.
    """
    long, short = shape.axes_px
    slant = math.sqrt(max(0.0, (long / short) ** 2 - 1))
    right, down = shape.short_axis
    angles = 2 * np.pi * np.arange(bins) / bins
    x, y = radii[:, None] * np.sin(angles), -radii[:, None] * np.cos(angles)
    along, aside = x * right + y * down, y * right - x * down
    along -= np.clip(along, -_TURRET_HEIGHT * slant, _TURRET_HEIGHT * slant)
    return np.asarray(np.hypot(along, aside) > _TURRET_REACH, np.bool_)


def ellipse(x: float, y: float, axes: tuple[float, float], angle_deg: float) -> WheelShape:
    """The shape of an ellipse as OpenCV describes it: half axes, and the angle of the first against the x axis."""
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    a, b = axes
    return WheelShape(x=x, y=y, wide=a * c * c + b * s * s, skew=(a - b) * c * s, high=a * s * s + b * c * c)


class Unroller:
    """Takes strips out of pictures: rows are radii from inside to outside, columns are angles."""

    def __init__(self, shape: WheelShape, radii: Floats, bins: int = BINS) -> None:
        self.radii = radii
        angles = (np.arange(bins, dtype=np.float32) * (360 / bins))[None, :].repeat(len(radii), axis=0)
        x, y = shape.points(angles, radii[:, None])
        self._x, self._y = x, y
        self.move_to((0.0, 0.0))

    def move_to(self, shift_px: tuple[float, float]) -> None:
        """Take the strips from so far beside: the camera was moved."""
        x, y = self._x + shift_px[0], self._y + shift_px[1]
        self._full = _fixed_point(x, y)
        self._half = _fixed_point((x - 0.5) / 2, (y - 0.5) / 2)

    def inside(self, height: int, width: int) -> NDArray[np.bool_]:
        """Which cells of the strip lie in the picture."""
        return (self._x >= 0) & (self._y >= 0) & (self._x <= width - 1) & (self._y <= height - 1)

    def luma(self, plane: NDArray[np.uint8]) -> Floats:
        """The strip of a full-size plane."""
        return _taken(plane, self._full)

    def chroma(self, plane: NDArray[np.uint8]) -> Floats:
        """The strip of a half-size plane."""
        return _taken(plane, self._half)


def _fixed_point(x: NDArray[np.floating], y: NDArray[np.floating]) -> _Maps:
    whole, part = cv2.convertMaps(x.astype(np.float32), y.astype(np.float32), cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(part, np.uint16)


def _taken(plane: NDArray[np.uint8], maps: _Maps) -> Floats:
    strip = cv2.remap(plane, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(strip, np.float32)


def wrapped(angle_deg: float) -> float:
    """The same angle between -180 and 180.

    >>> wrapped(350.0), wrapped(-190.0)
    (-10.0, 170.0)
    """
    return (angle_deg + 180.0) % 360.0 - 180.0
