"""Measures the reading of stacks in the rendered casino, through a camera calibrated from points as a table's is.

`python -m models.evaluate_rendered_chips --frames 14 --seed 7` prints how often the amount at a spot is exactly right,
and how sure the eye was. The chip designs and felts are the casino's own, none of which the eye was taught.
"""

import argparse
import math
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.casino.cameras import Camera, framed
from datasets.casino.lens import Lens, Optics, random_optics
from datasets.casino.looks import random_look
from datasets.casino.stage import Stage
from datasets.casino.things import ChipStack, Pose
from vision.camera import CalibrationPoint, View
from vision.chip_colours import Palette
from vision.chip_house import EdgeLook, learnt
from vision.chip_stance import Stance, foot_seen
from vision.chips import ChipEye, Stack
from vision.plan import Plan, Point, Zone, load_plan
from vision.table_file import PROOF

Picture = NDArray[np.uint8]
HOUSE = {"white": 1.0, "red": 5.0, "green": 25.0, "black": 100.0, "blue": 2.0, "purple": 500.0}
PLANS = ("act-blackjack", "act-baccarat", "act-uth")
SEVERAL = 0.25
"""So many spots have two stacks, touching or nearly."""
BANDS_PX, STEEP_DEG = (1.5, 2.0, 2.5, 3.0, 4.0), (48, 60)
_MOSTLY = 0.5
_PITCH_MM = 41.0
_BINS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A table as a calibrated camera shows it: with stacks, and before they were put there."""

    image: Picture
    empty: Picture
    view: View
    spots: tuple[tuple[Zone, tuple[ChipStack, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One spot: what stood there, what was read."""

    stacks: tuple[tuple[str, ...], ...]
    read: tuple[tuple[str, ...], ...]
    elevation_deg: float
    chip_px: float
    conf: float
    foot_seen: float
    """The share of its foot that others leave to be seen, of the stack of which they leave least."""

    @property
    def right(self) -> bool:
        """Whether the amount is exactly right: the same chips, in whatever order they were said."""
        return sorted(sum(self.stacks, ())) == sorted(sum(self.read, ()))

    @property
    def count_right(self) -> bool:
        """Whether the stacks have the right numbers of chips, whatever their colours."""
        return sorted(map(len, self.stacks)) == sorted(map(len, self.read))

    @property
    def groups(self) -> list[str]:
        """The rows of the table that this reading counts in."""
        feet = "feet seen" if self.foot_seen > _MOSTLY else "a foot mostly hidden"
        if len(self.stacks) > 1:
            return ["two stacks", f"two stacks, {feet}"]
        height = "up to 10" if len(self.stacks[0]) <= 10 else "11 to 20"
        size, steep = (_class_of(*each) for each in ((self.chip_px, BANDS_PX), (self.elevation_deg, STEEP_DEG)))
        views = "all", f"{steep}°", f"band {size} px", f"band {size} px, {steep}°"
        return ["one stack, all", f"one stack, {feet}", *(f"{height}, {view}" for view in views)]


def _class_of(value: float, limits: tuple[float, ...]) -> str:
    """
    >>> [_class_of(value, (2.0, 3.0)) for value in (1.9, 2.0, 3.1)]
    ['under 2.0', '2.0-3.0', 'over 3.0']
    """
    at = sum(value >= limit for limit in limits)
    if at == 0:
        return f"under {limits[0]}"
    return f"over {limits[-1]}" if at == len(limits) else f"{limits[at - 1]}-{limits[at]}"


def table_views(
    frames: int, size: tuple[int, int], seed: int, *, low_deg: float = 35.0, high_deg: float = 60.0,
    optics: str = "footage", zoom: float = 1.0,
) -> Iterator[TableView]:  # fmt: skip
    """Tables with stacks on all their wager spots, each another house and another camera.

    `optics` is «clean» (as drawn), «footage» (the lens that simulated footage has) or «any» (better or much worse). A
    camera with a `zoom` shows only so much of the table.
    """
    rng = np.random.default_rng(seed if zoom == 1 else (seed, round(100 * zoom)))
    for number in range(frames):
        plan = load_plan(PLANS[number % len(PLANS)])
        shown = plan.felt if zoom == 1 else part_of(rng, plan, zoom)
        camera = _camera(rng, shown, size, low_deg, high_deg)
        zones = [zone for zone in plan.zones if zone.kind == "chips" and _is_seen(camera, zone)]
        spots = tuple((zone, tuple(_stacks(rng, 10 * index + 1, zone))) for index, zone in enumerate(zones))
        stage = Stage(plan, random_look(rng), camera)
        pictures = [stage.draw(()), stage.draw(tuple(stack for _, stacks in spots for stack in stacks))]
        if optics != "clean":
            lens = Lens(random_optics(rng) if optics == "any" else Optics(seed=seed + number), size)
            pictures = [lens.record(picture, frame) for frame, picture in enumerate(pictures)]
        yield TableView(image=pictures[1], empty=pictures[0], view=calibrated(camera, plan), spots=spots)


def stacks_read(table: TableView, eye: ChipEye) -> list[list[Stack]]:
    """The stacks of every spot, looked at twice: the first time shows how the house's chips look."""
    looks: dict[str, EdgeLook] = {}
    for zone, _ in table.spots:
        for stack in eye.stacks_in(table.image, table.view, zone.polygon, table.empty):
            looks = learnt(looks, stack.lesson)
    return [eye.stacks_in(table.image, table.view, zone.polygon, table.empty, looks=looks) for zone, _ in table.spots]


def readings(table: TableView, eye: ChipEye) -> Iterator[Reading]:
    """Every spot of a table as the eye reads it."""
    standing = {
        stack.id: (Stance.at(table.view.all_to_px, stack.pose.x, stack.pose.y), len(stack.chips))
        for _, stacks in table.spots
        for stack in stacks
    }
    for (_, stacks), found in zip(table.spots, stacks_read(table, eye), strict=True):
        stances = [standing[stack.id][0] for stack in stacks]
        yield Reading(
            stacks=tuple(stack.chips for stack in stacks), read=tuple(each.chips for each in found),
            conf=math.prod(each.conf for each in found) if found else 0.0,
            elevation_deg=float(np.degrees(np.arcsin(min(stances[0].aspect, 1.0)))), chip_px=stances[0].chip_px,
            foot_seen=min(foot_seen(each, standing.values()) for each in stances),
        )  # fmt: skip


def part_of(rng: np.random.Generator, plan: Plan, zoom: float) -> Sequence[Point]:
    """The outline of the felt made smaller towards one of its wager spots."""
    spots = [zone.at for zone in plan.zones if zone.kind == "chips"]
    x, y = spots[int(rng.integers(len(spots)))]
    return [(x + (px - x) / zoom, y + (py - y) / zoom) for px, py in plan.felt]


def _camera(
    rng: np.random.Generator, shown: Sequence[Point], size: tuple[int, int], low_deg: float, high_deg: float
) -> Camera:
    return framed(
        "random", shown, size,
        elevation_deg=float(rng.uniform(low_deg, high_deg)), bearing_deg=float(rng.uniform(-40, 40)),
        distance_mm=float(rng.uniform(1600, 3000)), k1=float(rng.uniform(-0.12, 0.02)), margin=0.03,
    )  # fmt: skip


def _is_seen(camera: Camera, zone: Zone) -> bool:
    pixel = camera.project([(*zone.at, 0.0), (*zone.at, 66.0)])
    return bool(((pixel > 30) & (pixel < np.array(camera.size) - 30)).all())


def _stacks(rng: np.random.Generator, number: int, zone: Zone) -> Iterator[ChipStack]:
    x, y = zone.from_middle(*rng.normal(0, 5, 2))
    yield ChipStack(id=number, chips=_chips(rng), pose=Pose(x, y), seed=int(rng.integers(1 << 30)))
    if rng.random() < SEVERAL and min(zone.size) > 2 * _PITCH_MM:
        turn, away = rng.uniform(0, 2 * np.pi), _PITCH_MM + rng.exponential(2)
        pose = Pose(x + float(away * np.cos(turn)), y + float(away * np.sin(turn)))
        if zone.holds(pose.x, pose.y):
            yield ChipStack(id=number + 1, chips=_chips(rng), pose=pose, seed=int(rng.integers(1 << 30)))


def _chips(rng: np.random.Generator) -> tuple[str, ...]:
    count = int(rng.integers(1, 21)) if rng.random() < 0.6 else int(rng.integers(1, 11))
    colours = rng.choice(list(HOUSE), int(rng.integers(1, 4)), replace=False)
    return tuple(str(colours[i]) for i in np.sort(rng.integers(0, len(colours), count)))


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


def told(results: list[Reading]) -> list[str]:
    """The tables: exactly right by group, and by how sure the eye was."""
    by_group: dict[str, list[Reading]] = defaultdict(list)
    for reading in results:
        for name in reading.groups:
            by_group[name].append(reading)
    lines = [
        f"{name:38} amount right {np.mean([r.right for r in group]):.3f}, "
        f"number right {np.mean([r.count_right for r in group]):.3f} of {len(group)}"
        for name, group in sorted(by_group.items())
    ]
    error = 0.0
    for low in np.arange(_BINS) / _BINS:
        group = [r for r in results if low <= r.conf < low + 1 / _BINS or (low == 0.9 and r.conf == 1)]
        if group:
            says, right = float(np.mean([r.conf for r in group])), float(np.mean([r.right for r in group]))
            error += abs(says - right) * len(group) / len(results)
            lines.append(f"says {says:.2f}: right {right:.3f} of {len(group)}")
    lines.append(f"expected calibration error {error:.3f}")
    for least in (0.9, PROOF):
        wrong = [not reading.right for reading in results if reading.conf >= least]
        lines.append(f"says {least} or more {len(wrong)} times, wrong {sum(wrong)}")
    return lines


def measured(tables: Iterable[TableView]) -> list[str]:
    """The figures for fresh frames, and what a spot costs."""
    eye, spent = ChipEye(Palette.named().only(HOUSE)), 0.0
    results: list[Reading] = []
    for table in tables:
        started = time.process_time()
        results += readings(table, eye)
        spent += time.process_time() - started
    return [*told(results), f"{1000 * spent / len(results):.1f} ms of one core for each of {len(results)} spots"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=14)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--seed", type=int, nargs="+", default=[7])
    parser.add_argument("--zoom", type=float, nargs="+", default=[1.0], help="show one so-manieth of the table's width")
    parser.add_argument("--low", type=float, default=35.0, help="the cameras' least height in degrees")
    parser.add_argument("--high", type=float, default=60.0, help="the cameras' greatest height in degrees")
    parser.add_argument("--optics", choices=["clean", "footage", "any"], default="footage")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    width, height = (int(side) for side in asked.size.split("x"))
    tables = (
        table
        for zoom, seed in product(asked.zoom, asked.seed)
        for table in table_views(
            asked.frames, (width, height), seed,
            low_deg=asked.low, high_deg=asked.high, optics=asked.optics, zoom=zoom,
        )
    )  # fmt: skip
    print("\n".join(measured(tables)))


if __name__ == "__main__":
    main()
