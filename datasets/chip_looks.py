"""How a drawn chip, the felt under it and its shadow look: colours, edge spots, inlays, light."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Canvas = NDArray[np.uint8]
Project = Callable[[Floats], Floats]
Bgr = tuple[float, float, float]

CHIP_WIDTH_MM, CHIP_THICK_MM = 39.0, 3.3
CHIP_BGR: dict[str, Bgr] = {
    "white": (225, 228, 230), "red": (40, 32, 190), "green": (60, 120, 25), "black": (34, 32, 32),
    "blue": (170, 70, 25), "purple": (130, 40, 100), "yellow": (45, 205, 235), "orange": (25, 120, 240),
    "pink": (170, 130, 240), "brown": (40, 65, 105), "grey": (130, 128, 125), "lime": (60, 215, 140),
}  # fmt: skip
_SHIFT = 4  # cv2 draws in sixteenths of a pixel
_ROUND = 36  # points of a circle
_ANGLES = np.linspace(0, 2 * np.pi, _ROUND, endpoint=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipLook:
    """One kind of chip: its colour, the spots on its edge, the inlay in its middle."""

    colour: str
    bgr: Bgr
    spot_bgr: Bgr
    spots: int
    spot_share: float
    inlay_bgr: Bgr
    inlay_radius: float

    @classmethod
    def random(cls, rng: np.random.Generator) -> "ChipLook":
        colour = str(rng.choice(list(CHIP_BGR)))
        spot = CHIP_BGR["white"] if rng.random() < 0.6 else CHIP_BGR[str(rng.choice(list(CHIP_BGR)))]
        inlay = CHIP_BGR["white"] if rng.random() < 0.5 else CHIP_BGR[str(rng.choice(list(CHIP_BGR)))]
        return cls(
            colour=colour,
            bgr=_varied(rng, CHIP_BGR[colour]),
            spot_bgr=_varied(rng, spot),
            spots=int(rng.choice([0, 4, 6, 6, 8, 8])),
            spot_share=float(rng.uniform(0.15, 0.45)),
            inlay_bgr=_varied(rng, inlay),
            inlay_radius=float(rng.uniform(0.45, 0.75)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """Where the light comes from and how soft it is."""

    azimuth_rad: float
    slope: float
    """Millimetres a shadow reaches for each millimetre of height."""
    ambient: float
    groove: float
    """How much darker the joint between two chips is."""
    shadow: float
    contact: float
    contact_mm: float
    """How dark the felt is right beside a stack, and how far that reaches."""
    deepening: float
    """How much darker a side is near the felt than high above it."""
    bounce: float
    """How much of the felt's own colour falls on a side near it."""
    felt_bgr: Bgr

    @classmethod
    def random(cls, rng: np.random.Generator, felt: Canvas) -> "Light":
        blue, green, red = (float(value) for value in felt.mean(axis=(0, 1)))
        return cls(
            azimuth_rad=float(rng.uniform(0, 2 * np.pi)),
            slope=float(rng.uniform(0, 0.9)),
            ambient=float(rng.uniform(0.2, 0.95)),
            groove=float(rng.uniform(0.0, 0.6)),
            shadow=float(rng.uniform(0.1, 0.6)),
            contact=float(rng.uniform(0, 0.85)),
            contact_mm=float(rng.uniform(0.3, 4.0)),
            deepening=float(rng.uniform(0, 0.7)),
            bounce=float(rng.uniform(0, 0.3)),
            felt_bgr=(blue, green, red),
        )

    def on_side(self, bgr: Floats, angles_rad: Floats, z_mm: float) -> Floats:
        """What sides of those colours look like that face those ways, at that height."""
        facing = np.maximum(0.0, np.cos(angles_rad - self.azimuth_rad))
        near = float(np.exp(-z_mm / 10))
        shade = (self.ambient + (1 - self.ambient) * facing * 0.8) * (1 - self.deepening * near)
        return np.asarray(bgr * (shade[:, None] + self.bounce * near * np.array(self.felt_bgr) / 255))


def _varied(rng: np.random.Generator, bgr: Bgr) -> Bgr:
    blue, green, red = np.clip(np.array(bgr) * rng.uniform(0.85, 1.15) + rng.normal(0, 10, 3), 5, 250)
    return float(blue), float(green), float(red)


def fixed(points: Floats, supersampled: int) -> NDArray[np.int32]:
    return np.round((points * supersampled + (supersampled - 1) / 2) * (1 << _SHIFT)).astype(np.int32)


def fill(canvas: Canvas, points: Floats, bgr: Sequence[float] | Floats, supersampled: int) -> None:
    cv2.fillPoly(canvas, [fixed(points, supersampled)], tuple(float(c) for c in bgr), cv2.LINE_8, _SHIFT)


def circle_of_points(foot: Floats, radius_mm: float, z_mm: float = 0.0, angles: Floats = _ANGLES) -> Floats:
    """Points of a level circle around a point, at a height above it."""
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1) * radius_mm
    return ring + foot + (0, 0, z_mm)


def draw_chip(
    canvas: Canvas,
    project: Project,
    look: ChipLook,
    foot: Floats,
    light: Light,
    yaw_deg: float,
    supersampled: int,
    covered: bool,
) -> None:
    """One chip: the walls that face the camera, then its upper face (plain where the next chip covers it)."""
    radius = CHIP_WIDTH_MM / 2
    rings = [circle_of_points(foot, radius, z_mm) for z_mm in (0, CHIP_THICK_MM * 0.22, CHIP_THICK_MM)]
    low, groove, high = fixed(project(np.vstack(rings)), supersampled).reshape(3, _ROUND, 2)
    yaw = np.radians(yaw_deg)
    following = np.roll(low, -1, axis=0) - low
    rise = high - low
    facing = following[:, 0].astype(float) * rise[:, 1] - following[:, 1].astype(float) * rise[:, 0] > 0
    walls = np.stack([low, np.roll(low, -1, axis=0), np.roll(high, -1, axis=0), high], axis=1)
    joints = np.stack([low, np.roll(low, -1, axis=0), np.roll(groove, -1, axis=0), groove], axis=1)
    spotted = _in_spot(look, _ANGLES - yaw)[:, None]
    colours = light.on_side(np.where(spotted, look.spot_bgr, look.bgr), _ANGLES, float(foot[2]))
    dark = (colours * (1 - light.groove)).tolist()
    for i, bgr in enumerate(colours.tolist()):
        if facing[i]:
            cv2.fillConvexPoly(canvas, walls[i], bgr, cv2.LINE_8, _SHIFT)
            cv2.fillConvexPoly(canvas, joints[i], dark[i], cv2.LINE_8, _SHIFT)
    if covered:
        cv2.fillConvexPoly(canvas, high, look.bgr, cv2.LINE_8, _SHIFT)
    else:
        _draw_top(canvas, project, look, foot, yaw, supersampled)


def _in_spot(look: ChipLook, angles: Floats) -> NDArray[np.bool_]:
    return np.asarray((angles * look.spots / (2 * np.pi)) % 1.0 < look.spot_share * (look.spots > 0))


def _draw_top(canvas: Canvas, project: Project, look: ChipLook, foot: Floats, yaw: float, supersampled: int) -> None:
    radius = CHIP_WIDTH_MM / 2
    fill(canvas, project(circle_of_points(foot, radius, CHIP_THICK_MM)), look.bgr, supersampled)
    for spot in range(look.spots):
        span = yaw + 2 * np.pi / look.spots * (spot + np.linspace(0, look.spot_share, 5))
        ring = np.vstack(
            [
                circle_of_points(foot, radius, CHIP_THICK_MM, span),
                circle_of_points(foot, radius * 0.78, CHIP_THICK_MM, span[::-1]),
            ]
        )
        fill(canvas, project(ring), look.spot_bgr, supersampled)
    fill(
        canvas, project(circle_of_points(foot, radius * look.inlay_radius, CHIP_THICK_MM)), look.inlay_bgr, supersampled
    )
    bar = np.array([[-7, -3], [7, -3], [7, 3], [-7, 3]]) @ np.array(
        [[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]]
    )
    fill(
        canvas, project(np.column_stack([bar + foot[:2], np.full(4, foot[2] + CHIP_THICK_MM)])), look.bgr, supersampled
    )


def draw_shadows(
    canvas: Canvas, project: Project, stacks: Sequence[tuple[float, float, float]], light: Light, supersampled: int
) -> None:
    """Soft shadows of stacks (x, y, height in mm) on the felt."""
    shade, touch = (np.zeros(canvas.shape[:2], np.float32) for _ in range(2))
    away = -np.array([np.cos(light.azimuth_rad), np.sin(light.azimuth_rad), 0.0]) * light.slope
    for x, y, height in stacks:
        foot = np.array([x, y, 0.0])
        ends = np.vstack(
            [
                project(circle_of_points(foot + away * height * part, CHIP_WIDTH_MM / 2 + 0.8, 0))
                for part in (0.0, 0.5, 1.0)
            ]
        )
        hull = cv2.convexHull(ends.astype(np.float32))[:, 0].astype(np.float64)
        cv2.fillPoly(shade, [fixed(hull, supersampled)], 1.0, cv2.LINE_8, _SHIFT)
        # Where a stack meets the felt hardly any light falls: a dark line that must not be taken for one more chip.
        cv2.fillPoly(
            touch,
            [fixed(project(circle_of_points(foot, CHIP_WIDTH_MM / 2 + light.contact_mm)), supersampled)],
            1.0,
            8,
            _SHIFT,
        )
    soft = cv2.GaussianBlur(shade, (0, 0), supersampled * 1.6)
    near = cv2.GaussianBlur(touch, (0, 0), supersampled * 0.7)
    canvas[:] = (canvas * ((1 - light.shadow * soft) * (1 - light.contact * near))[..., None]).astype(np.uint8)


def draw_felt(rng: np.random.Generator, project: Project, side: int, supersampled: int) -> Canvas:
    """Felt with a weave, uneven light and some print: lines, circles, letters."""
    size = side * supersampled
    bgr = (
        np.array([rng.uniform(10, 160), rng.uniform(20, 140), rng.uniform(5, 120)])
        if rng.random() < 0.8
        else rng.uniform(10, 235, 3)
    )
    grain = rng.normal(0, rng.uniform(1, 9), (side, side))
    down, across = (np.linspace(rng.uniform(0.8, 1), rng.uniform(0.8, 1.1), side) for _ in range(2))
    weave = np.clip((bgr + grain[..., None]) * np.outer(down, across)[..., None], 0, 255).astype(np.uint8)
    canvas = np.asarray(cv2.resize(weave, (size, size)), np.uint8)
    ink = rng.uniform(120, 240, 3) if rng.random() < 0.8 else rng.uniform(0, 80, 3)
    for _ in range(rng.integers(0, 4)):
        _draw_print(canvas, rng, project, ink, supersampled)
    return canvas


def _draw_print(canvas: Canvas, rng: np.random.Generator, project: Project, ink: Floats, supersampled: int) -> None:
    middle = np.array([*rng.normal(0, 30, 2), 0.0])
    thick = int(rng.integers(1, 4)) * supersampled // 2 + 1
    if rng.random() < 0.5:
        ring = project(circle_of_points(middle, rng.uniform(20, 70), 0))
        cv2.polylines(canvas, [fixed(ring, supersampled)], True, tuple(ink.tolist()), thick, cv2.LINE_AA, _SHIFT)
    elif rng.random() < 0.6:
        ends = middle + np.column_stack([rng.normal(0, 90, (2, 2)), np.zeros(2)])
        cv2.polylines(
            canvas, [fixed(project(ends), supersampled)], False, tuple(ink.tolist()), thick, cv2.LINE_AA, _SHIFT
        )
    else:
        start = project(middle[None])[0] * supersampled
        cv2.putText(
            canvas,
            str(rng.choice(["BET", "17", "PAIRS", "2 to 1", "A"])),
            start.astype(int).tolist(),
            0,
            rng.uniform(0.5, 2),
            ink.tolist(),
            thick,
        )
