"""Measures the reading of stacks in the rendered casino, through a camera calibrated from points as a table's is."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from datasets.casino.cameras import Camera, framed
from datasets.casino.looks import random_look
from datasets.casino.stage import Stage
from datasets.casino.things import ChipStack, Pose
from vision.camera import CalibrationPoint, View
from vision.chip_colours import Palette
from vision.chip_stance import Stance
from vision.chips import ChipEye
from vision.plan import Plan, Zone, load_plan

_HOUSE = {"white": 1.0, "red": 5.0, "green": 25.0, "black": 100.0, "blue": 2.0, "purple": 500.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One zone with one stack: what stood there, what was read."""

    chips: tuple[str, ...]
    read: tuple[str, ...]
    elevation_deg: float
    chip_px: float
    conf: float

    @property
    def right(self) -> bool:
        """Whether the amount is exactly right: the same chips, in whatever order they were said."""
        return sorted(self.chips) == sorted(self.read)

    @property
    def groups(self) -> list[str]:
        """The rows of the table that this reading counts in."""
        height = "up to 10" if len(self.chips) <= 10 else "11 to 20"
        steep = "35-48°" if self.elevation_deg < 48 else "48-60°" if self.elevation_deg <= 60 else "60-80°"
        size = (
            "band under 1.5 px"
            if self.chip_px < 1.5
            else "band 1.5-2.5 px"
            if self.chip_px < 2.5
            else "band over 2.5 px"
        )
        return [f"{height}, {steep}", f"{height}, {size}"]


def rendered_stacks(
    frames: int, size: tuple[int, int], seed: int, high_deg: float = 60.0, zoom: float = 1.0
) -> Iterator[Reading]:
    """Stacks in the wager zones of a Blackjack table, one per zone, each frame another house and another camera."""
    rng = np.random.default_rng(seed)
    plan = load_plan("act-blackjack")
    eye = ChipEye(Palette.named().only(_HOUSE))
    zones = [zone for zone in plan.zones if zone.kind == "chips"]
    for _ in range(frames):
        camera = _camera(rng, plan, size, high_deg, zoom)
        stacks = {zone: _stack(rng, index + 1, zone) for index, zone in enumerate(zones)}
        image = Stage(plan, random_look(rng), camera).draw(tuple(stacks.values()))
        view = calibrated(camera, plan)
        for zone, stack in stacks.items():
            pixel = camera.project([(*zone.at, 0.0), (*zone.at, 66.0)])
            if not ((pixel > 30) & (pixel < np.array(size) - 30)).all():
                continue
            yield _reading(eye, image, view, zone, stack)


def _camera(rng: np.random.Generator, plan: Plan, size: tuple[int, int], high_deg: float, zoom: float) -> Camera:
    return framed(
        "random", plan.felt, size,
        elevation_deg=float(rng.uniform(35, high_deg)), bearing_deg=float(rng.uniform(-40, 40)),
        distance_mm=float(rng.uniform(1600, 3000)), k1=float(rng.uniform(-0.12, 0.02)), margin=(1 - zoom) / 2 + 0.03,
    )  # fmt: skip


def _stack(rng: np.random.Generator, index: int, zone: Zone) -> ChipStack:
    count = int(rng.integers(1, 21)) if rng.random() < 0.6 else int(rng.integers(1, 11))
    colours = rng.choice(list(_HOUSE), int(rng.integers(1, 4)), replace=False)
    chips = tuple(str(colours[i]) for i in np.sort(rng.integers(0, len(colours), count)))
    x, y = zone.from_middle(*rng.normal(0, 8, 2))
    return ChipStack(id=index, chips=chips, pose=Pose(x, y), seed=int(rng.integers(1 << 30)))


def calibrated(camera: Camera, plan: Plan) -> View:
    """The view that a table file with twelve exact points would give."""
    corners = np.array(plan.felt)
    low, high = corners.min(axis=0), corners.max(axis=0)
    grid = [low + (high - low) * (x, y) for x in (0.1, 0.37, 0.63, 0.9) for y in (0.1, 0.45, 0.8)]
    px = camera.project([(*point, 0.0) for point in grid])
    points = [
        CalibrationPoint(px=(float(p[0]), float(p[1])), mm=(float(m[0]), float(m[1])))
        for p, m in zip(px, grid, strict=True)
    ]
    return View.from_points(points, camera.size)


def _reading(
    eye: ChipEye, image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], view: View, zone: Zone, stack: ChipStack
) -> Reading:
    found = eye.stacks_in(image, view, zone.polygon)
    stance = Stance.at(view.all_to_px, stack.pose.x, stack.pose.y)
    return Reading(
        chips=stack.chips, read=tuple(chip for each in found for chip in each.chips),
        conf=min((each.conf for each in found), default=0.0),
        elevation_deg=float(np.degrees(np.arcsin(min(stance.aspect, 1.0)))), chip_px=stance.chip_px,
    )  # fmt: skip
