"""The view of a camera: from millimetres on the table to pixels and back, at any height above the felt.

>>> marks = [((-800, 0), (233, 140)), ((800, 0), (1047, 140)), ((500, 700), (960, 560)), ((-500, 700), (320, 560))]
>>> view = View.from_points([CalibrationPoint(mm=mm, px=px) for mm, px in marks], (1280, 720))
>>> [round(value) for value in view.to_mm(*view.to_px(120, 300, 30), 30)]
[120, 300]
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import cv2
import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from auditor.log import FairdealError
from vision.plan import Point, Zone

Image = NDArray[np.uint8]
Array = NDArray[np.float64]
FIELDS_OF_VIEW = np.radians(np.arange(12.0, 111.0, 3.0))  # what surveillance lenses have, across the picture
SAME_FIT_PX = 0.3  # a difference of fit that careful clicks do not tell apart
POINTS_FOR_LENS = 8  # with fewer, a lens's bend cannot be told from a wrong click


class CalibrationPoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A point known on the table (mm, on the felt unless it has a height) and in the picture (px)."""

    px: Point
    mm: Annotated[tuple[float, ...], Meta(min_length=2, max_length=3)]

    @property
    def in_space(self) -> tuple[float, float, float]:
        """The point with its height."""
        x, y, *z = self.mm
        return (x, y, z[0] if z else 0.0)


class Lens(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of a lens: its focal length in pixels, and how it bends (OpenCV's coefficients)."""

    focal_px: Annotated[float, Meta(gt=0)] | None = None
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0
    k3: float = 0.0

    @property
    def bend(self) -> Array:
        """The coefficients in OpenCV's order."""
        return np.array([self.k1, self.k2, self.p1, self.p2, self.k3])


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """A zone cut out of a picture and laid flat: its picture, and the way back to the source's pixels."""

    image: Image
    px_per_mm: float
    to_source: Array

    def in_source(self, points: Sequence[Point]) -> list[Point]:
        """Points of the patch as pixels of the picture it was cut from."""
        moved = cv2.perspectiveTransform(np.array([points], np.float64), self.to_source)[0]
        return [(float(x), float(y)) for x, y in moved]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A camera's place and lens. `turn` and `shift` bring plan positions (z mirrored: right-handed) to the camera."""

    size: tuple[int, int]
    focal_px: float
    bend: Array
    turn: Array
    shift: Array
    error_px: float

    @classmethod
    def from_points(
        cls, points: Sequence[CalibrationPoint], size: tuple[int, int], lens: Lens | None = None
    ) -> "View":
        """The view that explains the points best. Four suffice; eight or more also tell how the lens bends."""
        if len(points) < 4:
            raise FairdealError(f"a camera needs at least 4 calibration points, not {len(points)}")
        mm = _right_handed(np.array([point.in_space for point in points], np.float64))
        px = np.array([point.px for point in points], np.float64)
        if np.linalg.matrix_rank(mm - mm.mean(axis=0), tol=1.0) < 2:
            raise FairdealError("calibration points must not all lie on one line")
        bend = lens.bend if lens else np.zeros(5)
        if lens and lens.focal_px:
            focal_px = lens.focal_px
        else:
            bends = lens is None and len(points) >= POINTS_FOR_LENS
            focal_px, bend = _fitted(mm, px, size, bend, bends=bends)
        turn, shift, error_px = _pose(mm, px, _matrix(focal_px, size), bend)
        if not math.isfinite(error_px) or error_px > 0.05 * size[0]:
            raise FairdealError(f"calibration points miss each other by {error_px:.0f} pixels: check their px and mm")
        return cls(size=size, focal_px=focal_px, bend=bend, turn=turn, shift=shift, error_px=error_px)

    def to_px(self, x: float, y: float, z: float = 0.0) -> Point:
        """Where a plan position is in the picture."""
        px = self.all_to_px(np.array([[x, y, z]], np.float64))[0]
        return (float(px[0]), float(px[1]))

    def all_to_px(self, mm: Array) -> Array:
        """Where many plan positions (rows of x, y, z) are in the picture."""
        matrix = _matrix(self.focal_px, self.size)
        return np.asarray(cv2.projectPoints(_right_handed(mm), self.turn, self.shift, matrix, self.bend)[0][:, 0, :])

    def to_mm(self, px: float, py: float, z: float = 0.0) -> Point:
        """The plan position at height `z` that is seen at a pixel."""
        x, y = self.all_to_mm(np.array([[px, py]], np.float64), z)[0]
        return (float(x), float(y))

    def all_to_mm(self, px: Array, z: float = 0.0) -> Array:
        """The plan positions at height `z` that are seen at many pixels (rows of x, y)."""
        matrix = _matrix(self.focal_px, self.size)
        straight = cv2.undistortPoints(px[:, None, :], matrix, self.bend)[:, 0, :]
        rays = np.column_stack([straight, np.ones(len(straight))])
        turn = cv2.Rodrigues(self.turn)[0]
        eye = -turn.T @ self.shift.ravel()
        beams = rays @ turn
        reach = (-z - eye[2]) / beams[:, 2]
        return np.asarray((eye + beams * reach[:, None])[:, :2])

    @property
    def eye_mm(self) -> tuple[float, float, float]:
        """Where the camera hangs, in the plan's frame."""
        x, y, z = -cv2.Rodrigues(self.turn)[0].T @ self.shift.ravel()
        return (float(x), float(y), float(-z))

    def px_per_mm(self, x: float, y: float, z: float = 0.0, *, in_best_direction: bool = False) -> float:
        """How many pixels a millimetre has there, in the direction where it has fewest, or most."""
        about = np.array([[x, y, z], [x + 1, y, z], [x, y + 1, z]], np.float64)
        middle, right, down = self.all_to_px(about)
        sizes = np.linalg.svd(np.column_stack([right - middle, down - middle]), compute_uv=False)
        return float(sizes[0 if in_best_direction else -1])

    def outline(self, zone: Zone, height_mm: float = 0.0, margin_mm: float = 0.0) -> list[Point]:
        """What a zone covers in the picture, up to a height: the hull of its corners on the felt and above."""
        corners = _widened(zone, margin_mm)
        levels = (0.0, height_mm) if height_mm else (0.0,)
        px = self.all_to_px(np.array([(*corner, z) for z in levels for corner in corners], np.float64))
        return [(float(x), float(y)) for x, y in cv2.convexHull(px.astype(np.float32))[:, 0, :]]

    def cut_out(
        self, image: Image, zone: Zone, px_per_mm: float, margin_mm: float = 0.0, corner: tuple[int, int] = (0, 0)
    ) -> Patch:
        """A zone laid flat, upright for whoever sits at its lower edge; `image` begins at `corner` of the picture."""
        mm = np.array([(*corner_mm, 0.0) for corner_mm in _widened(zone, margin_mm)], np.float64)
        source = (self.all_to_px(mm) - corner).astype(np.float32)
        width, height = (max(8, round((side + 2 * margin_mm) * px_per_mm)) for side in zone.size)
        flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        back = cv2.getPerspectiveTransform(flat, source)
        # A pixel's middle is half a pixel from its corner, in both pictures.
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        back = np.linalg.inv(half) @ back @ half
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        laid = cv2.warpPerspective(image, back, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return Patch(image=np.asarray(laid, np.uint8), px_per_mm=px_per_mm, to_source=back)


def _widened(zone: Zone, margin_mm: float) -> list[Point]:
    across, along = zone.size[0] / 2 + margin_mm, zone.size[1] / 2 + margin_mm
    corners = ((-across, -along), (across, -along), (across, along), (-across, along))
    return [zone.from_middle(*corner) for corner in corners]


def _right_handed(mm: Array) -> Array:
    """The plan has x right, y down, z up: left-handed. With z down it is what OpenCV's cameras are made for."""
    return np.asarray(mm * np.array([1.0, 1.0, -1.0]))


def _matrix(focal_px: float, size: tuple[int, int]) -> Array:
    return np.array([[focal_px, 0, size[0] / 2], [0, focal_px, size[1] / 2], [0, 0, 1]])


def _pose(mm: Array, px: Array, matrix: Array, bend: Array) -> tuple[Array, Array, float]:
    """Turn, shift and the mean miss in pixels, for a camera above the felt."""
    best: tuple[Array, Array, float] = (np.zeros(3), np.zeros(3), math.inf)
    method = cv2.SOLVEPNP_IPPE if not mm[:, 2].any() else cv2.SOLVEPNP_SQPNP
    try:
        _, turns, shifts, _ = cv2.solvePnPGeneric(mm, px, matrix, bend, flags=method)
    except cv2.error:
        return best
    for turn, shift in zip(turns, shifts, strict=True):
        turn, shift = cv2.solvePnPRefineLM(mm, px, matrix, bend, turn, shift)
        eye: Any = -cv2.Rodrigues(turn)[0].T @ shift
        seen = cv2.projectPoints(mm, turn, shift, matrix, bend)[0][:, 0, :]
        error_px = float(np.sqrt(((seen - px) ** 2).sum(axis=1).mean()))
        if eye[2, 0] < 0 and error_px < best[2]:
            best = (np.asarray(turn), np.asarray(shift), error_px)
    return best


def _fitted(mm: Array, px: Array, size: tuple[int, int], bend: Array, *, bends: bool) -> tuple[float, Array]:
    """The focal length (and the lens's first bend) that fit the points best."""
    guesses = [size[0] / 2 / math.tan(angle / 2) for angle in FIELDS_OF_VIEW]
    misses = [_pose(mm, px, _matrix(guess, size), bend)[2] for guess in guesses]
    alike = [guess for guess, miss in zip(guesses, misses, strict=True) if miss < min(misses) + SAME_FIT_PX]
    if max(alike) > 1.6 * min(alike):  # seen from nearly straight above, any focal length will do: take a usual one
        return min(alike, key=lambda guess: abs(math.log(guess / size[0]))), bend
    flags = (
        cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_PRINCIPAL_POINT | cv2.CALIB_FIX_ASPECT_RATIO
        | cv2.CALIB_FIX_TANGENT_DIST | cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3 | (0 if bends else cv2.CALIB_FIX_K1)
    )  # fmt: skip
    best = guesses[misses.index(min(misses))]
    found = cv2.calibrateCamera(
        [mm.astype(np.float32)], [px.astype(np.float32)], size, _matrix(best, size), bend.copy(), flags=flags
    )
    focal_px, fitted_bend = float(found[1][0, 0]), np.asarray(found[2], np.float64).ravel()[:5]
    if focal_px <= 0 or _pose(mm, px, _matrix(focal_px, size), fitted_bend)[2] > min(misses):  # it ran astray
        return best, bend
    return focal_px, fitted_bend
