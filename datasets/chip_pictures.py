"""Draws chips on felt in plain OpenCV: quick pictures with true stacks, to train and measure the eyes for chips.

It shares nothing with the rendered casino, so that an eye taught here and measured there is measured on something new.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.chip_looks import ChipLook, Light, circle_of_points, draw_chip, draw_felt, draw_shadows

CHIP_WIDTH_MM, CHIP_THICK_MM = 39.0, 3.3
Floats = NDArray[np.float64]
_SUPERSAMPLED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PinholeView:
    """A camera that looks at the plan's origin: the `to_px` that a calibrated camera has, for drawn pictures."""

    elevation_deg: float
    azimuth_deg: float
    distance_mm: float
    px_per_mm: float
    roll_deg: float = 0.0
    middle_px: tuple[float, float] = (80.0, 80.0)

    def all_to_px(self, points_mm: Floats) -> Floats:
        """Pixels of points (n x 3) in the plan frame."""
        elevation, azimuth, roll = np.radians((self.elevation_deg, self.azimuth_deg, self.roll_deg))
        heading = np.array([np.sin(azimuth), -np.cos(azimuth)])
        forward = np.array([*(heading * np.cos(elevation)), -np.sin(elevation)])
        up = np.array([*(heading * np.sin(elevation)), np.cos(elevation)])
        right = np.array([-heading[1], heading[0], 0.0])
        depth = self.distance_mm + points_mm @ forward
        scale = self.px_per_mm * self.distance_mm / depth
        across, down = points_mm @ right * scale, -(points_mm @ up) * scale
        turned = np.stack(
            [across * np.cos(roll) - down * np.sin(roll), across * np.sin(roll) + down * np.cos(roll)], axis=-1
        )
        return np.asarray(turned + np.array(self.middle_px))


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueStack:
    """A stack as it was drawn: where it stands and its chips, bottom to top."""

    x_mm: float
    y_mm: float
    chips: tuple[ChipLook, ...]
    visible: float = 1.0
    """The share of its outline that no other stack hides and that lies in the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipPicture:
    """A drawn picture, its camera and what stands in it."""

    image: NDArray[np.uint8]
    empty: NDArray[np.uint8]
    """The same felt in the same light before anything stood there."""
    view: PinholeView
    stacks: tuple[TrueStack, ...]


def chip_pictures(count: int, seed: int, **limits: float) -> Iterator[ChipPicture]:
    """Pictures of one to five stacks; `limits` are those of `random_picture`."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield random_picture(rng, **limits)


def close_stacks(count: int, seed: int) -> Iterator[ChipPicture]:
    """Single stacks of up to 15 in large, low and near views, as people photograph them."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        chip_px = float(rng.uniform(60, 140))
        side = int(chip_px * 3.2)
        view = PinholeView(
            elevation_deg=float(rng.uniform(12, 40)),
            azimuth_deg=float(rng.uniform(0, 360)),
            distance_mm=float(rng.uniform(350, 1200)),
            px_per_mm=chip_px / CHIP_WIDTH_MM,
            roll_deg=float(rng.normal(0, 2)),
            middle_px=(side / 2, side * 0.75),
        )
        looks = [ChipLook.random(rng) for _ in range(rng.integers(1, 3))]
        chips = tuple(looks[each] for each in np.sort(rng.integers(0, len(looks), rng.integers(1, 16))))
        yield drawn_picture(rng, view, (TrueStack(x_mm=0.0, y_mm=0.0, chips=chips),), side)


def random_picture(
    rng: np.random.Generator,
    *,
    low_deg: float = 18.0,
    high_deg: float = 82.0,
    least_px: float = 16.0,
    most_px: float = 56.0,
    highest: float = 20,
) -> ChipPicture:
    """One picture: camera between `low_deg` and `high_deg`, chips of so many pixels, stacks up to `highest`."""
    chip_px = float(np.exp(rng.uniform(np.log(least_px), np.log(most_px))))
    side = int(np.clip(chip_px * 5, 112, 256))
    view = PinholeView(
        elevation_deg=float(rng.uniform(low_deg, high_deg)),
        azimuth_deg=float(rng.uniform(0, 360)),
        distance_mm=float(rng.uniform(900, 3200)),
        px_per_mm=chip_px / CHIP_WIDTH_MM,
        roll_deg=float(rng.normal(0, 4)),
        middle_px=(side / 2, side * float(rng.uniform(0.5, 0.75))),
    )
    stacks = _random_stacks(rng, int(highest))
    return drawn_picture(rng, view, stacks, side)


def drawn_picture(
    rng: np.random.Generator, view: PinholeView, stacks: tuple[TrueStack, ...], side_px: int
) -> ChipPicture:
    """A square picture of these stacks on some felt, in some light."""
    image, empty = _drawn(rng, view, stacks, side_px)
    return ChipPicture(image=image, empty=empty, view=view, stacks=_with_visible(view, stacks, side_px))


def _random_stacks(rng: np.random.Generator, highest: int) -> tuple[TrueStack, ...]:
    looks = [ChipLook.random(rng) for _ in range(rng.integers(1, 5))]
    if rng.random() < 0.15:
        return _spread(rng, looks)
    places: list[Floats] = []
    for _ in range(rng.choice([1, 2, 2, 3, 4, 5])):
        place = (
            rng.normal(0, 30, 2)
            if not places
            else places[rng.integers(len(places))] + _direction(rng) * (39 + rng.exponential(4))
        )
        if all(np.linalg.norm(place - other) > 38.5 for other in places):
            places.append(place)
    return tuple(TrueStack(x_mm=x, y_mm=y, chips=_random_chips(rng, looks, highest)) for x, y in places)


def _random_chips(rng: np.random.Generator, looks: list[ChipLook], highest: int) -> tuple[ChipLook, ...]:
    height = rng.integers(1, highest + 1) if rng.random() < 0.7 else rng.integers(1, 6)
    if rng.random() < 0.15:
        return tuple(looks[i] for i in rng.integers(0, len(looks), height))
    runs = np.sort(rng.integers(0, min(len(looks), 3), height))
    return tuple(looks[i] for i in runs)


def _spread(rng: np.random.Generator, looks: list[ChipLook]) -> tuple[TrueStack, ...]:
    """Chips lying one half over the other: each is a stack of one that leans on its neighbour."""
    step = _direction(rng) * rng.uniform(14, 36)
    start = rng.normal(0, 15, 2)
    look = looks[0]
    return tuple(
        TrueStack(x_mm=x, y_mm=y, chips=(look,)) for x, y in (start + step * i for i in range(rng.integers(2, 6)))
    )


def _direction(rng: np.random.Generator) -> Floats:
    angle = rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(angle), np.sin(angle)])


def _drawn(
    rng: np.random.Generator, view: PinholeView, stacks: tuple[TrueStack, ...], side: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The picture with the stacks and the one without."""
    canvas = draw_felt(rng, view.all_to_px, side, _SUPERSAMPLED)
    bare = canvas.copy()
    light = Light.random(rng, canvas)
    spots = [(stack.x_mm, stack.y_mm, len(stack.chips) * CHIP_THICK_MM) for stack in stacks]
    draw_shadows(canvas, view.all_to_px, spots, light, _SUPERSAMPLED)
    chips = []
    for order, stack in enumerate(stacks):
        spread = order > 0 and np.hypot(stack.x_mm - stacks[0].x_mm, stack.y_mm - stacks[0].y_mm) < 38
        slips = _slips(rng, len(stack.chips))
        for level, look in enumerate(stack.chips):
            z_mm = level * CHIP_THICK_MM + (order * 0.8 if spread else 0.0)
            foot = np.array([stack.x_mm + slips[level, 0], stack.y_mm + slips[level, 1], z_mm])
            chips.append((_away_mm(view, stack) * -1000 + z_mm, look, foot, level + 1 < len(stack.chips)))
    for _, look, foot, covered in sorted(chips, key=lambda each: each[0]):
        draw_chip(canvas, view.all_to_px, look, foot, light, float(rng.uniform(0, 360)), _SUPERSAMPLED, covered)
    camera = rng.integers(1 << 30)
    image, empty = (photographed(np.random.default_rng(camera), each, side) for each in (canvas, bare))
    return image, empty


def _slips(rng: np.random.Generator, chips: int) -> Floats:
    """How far each chip lies beside the lowest: a stack built by hand wanders, and some lean."""
    wander = np.cumsum(rng.normal(0, rng.uniform(0.0, 0.4), (chips, 2)), axis=0) + rng.normal(
        0, rng.uniform(0.05, 0.45), (chips, 2)
    )
    slips = wander + np.arange(chips)[:, None] * rng.normal(0, 0.05, 2)
    return np.asarray(slips - slips[0])


def _away_mm(view: PinholeView, stack: TrueStack) -> float:
    azimuth = np.radians(view.azimuth_deg)
    return float(stack.x_mm * np.sin(azimuth) - stack.y_mm * np.cos(azimuth))


def _with_visible(view: PinholeView, stacks: tuple[TrueStack, ...], side: int) -> tuple[TrueStack, ...]:
    """The stacks with how much of each is seen, from outlines laid over each other, the farthest first."""
    owner = np.zeros((side, side), np.uint8)
    areas = {}
    for index in sorted(range(len(stacks)), key=lambda index: -_away_mm(view, stacks[index])):
        stack = stacks[index]
        foot = np.array([stack.x_mm, stack.y_mm, 0.0])
        ring = circle_of_points(foot, CHIP_WIDTH_MM / 2)
        both = np.vstack([ring, circle_of_points(foot, CHIP_WIDTH_MM / 2, len(stack.chips) * CHIP_THICK_MM)])
        hull = cv2.convexHull(view.all_to_px(both).astype(np.float32))
        areas[index] = cv2.contourArea(hull)
        cv2.fillConvexPoly(owner, np.round(hull).astype(np.int32), index + 1)
    return tuple(
        replace(stack, visible=float((owner == index + 1).sum()) / max(areas[index], 1.0))
        for index, stack in enumerate(stacks)
    )


def photographed(
    rng: np.random.Generator, canvas: NDArray[np.uint8], side: int, supersampled: int = _SUPERSAMPLED
) -> NDArray[np.uint8]:
    """Lens blur, light, noise and compression: what a camera does to a scene."""
    blurred = cv2.GaussianBlur(canvas, (0, 0), supersampled * rng.uniform(0.25, 0.75))
    small = cv2.resize(blurred, (side, side), interpolation=cv2.INTER_AREA).astype(np.float64)
    lit = np.clip(small * rng.uniform(0.6, 1.15) * rng.uniform(0.9, 1.1, 3), 0, 255)
    lit = 255 * (lit / 255) ** rng.uniform(0.8, 1.25) + rng.normal(0, rng.uniform(0.5, 6), lit.shape)
    image = np.clip(lit, 0, 255).astype(np.uint8)
    if rng.random() < 0.8:
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(45, 96))])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return image
