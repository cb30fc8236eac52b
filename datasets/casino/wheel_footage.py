"""Wheel footage: spins rendered into one H.264 clip on its own clock, with the truth of every spin beside it."""

import math
import random
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from auditor.log import AnyEvent
from datasets.casino.encode import BITS_PER_PIXEL, FootageWriter, time_base
from datasets.casino.wheel_actors import draw_arms, draw_ball, draw_foreign
from datasets.casino.wheel_camera import WheelCamera
from datasets.casino.wheel_faults import STARVED_BITS_PER_PIXEL, Sensor, check_faults
from datasets.casino.wheel_hand import OFF_MM, HandPath, Reach, draw_hand
from datasets.casino.wheel_log import spin_plans
from datasets.casino.wheel_looks import Look, random_look, random_shape
from datasets.casino.wheel_scene import WheelScene, place
from datasets.casino.wheel_shape import Array, Picture, WheelShape
from datasets.casino.wheel_spins import SpinPlan, play
from datasets.casino.wheel_timeline import Timeline
from datasets.casino.wheel_truth import Angles, SpinTruth, ring_ellipse, spin_truth

TAIL_S = 2.3
"""How long a clip goes on after the last spin's end."""


class WheelShow:
    """A course of spins in front of a camera."""

    def __init__(self, timeline: Timeline, scene: WheelScene, cover: HandPath | None = None) -> None:
        self.timeline, self.scene = timeline, scene
        self._hands = [*timeline.hands, *([cover] if cover else [])]
        self.centre = np.array(ring_ellipse(scene.camera, scene.shape)[0])

    def frame(self, t: float) -> tuple[Picture, Angles]:
        """The picture at a time, and the angles that are to be read from it."""
        scene, shutter = self.scene, self.scene.look.shutter_s
        zero = self.timeline.zero(t)
        scene.begin(zero, self.timeline.zero(t + shutter / 2) - self.timeline.zero(t - shutter / 2))
        self._things(t, zero)
        ball = self.timeline.ball(t)
        shown = self._ball(t, shutter, ball)
        draw_arms(scene, zero)
        at = None if ball is None else place(*ball)
        for hand in self._hands:
            tip = hand.tip(t)
            hidden = draw_hand(scene, tip, open_=hand.open) if tip is not None else None
            if hidden is not None and at is not None:
                shown *= not _inside(hidden, scene.camera.pixels(at)[0])
        angles = Angles(
            t=round(t, 4),
            ball_deg=self._degrees(at) if at is not None and shown > 0.3 else None,
            zero_deg=self._degrees(self._zero_place(zero)),
        )
        return scene.develop(), angles

    def _ball(self, t: float, shutter: float, ball: Array | None) -> float:
        held = self.timeline.held_ball(t) if ball is None else None
        if held is not None:
            draw_ball(self.scene, place(*held)[None])
        if ball is None:
            return 0.0
        ends = [self.timeline.ball(t + part * shutter) for part in (-0.5, 0.5)]
        a, b = (end if end is not None else ball for end in ends)
        travel_mm = float(np.hypot((b[1] - a[1]) * ball[0], b[0] - a[0]))
        count = int(np.clip(travel_mm / (0.4 * self.scene.shape.ball_mm), 1, 20))
        parts = [(index + 0.5) / count for index in range(count)]
        return draw_ball(self.scene, np.array([place(*(a + part * (b - a))) for part in parts]))

    def _things(self, t: float, zero: float) -> None:
        for fallen in self.timeline.fallen:
            if fallen.t - 0.25 <= t < fallen.until:
                drop = max(0.0, fallen.t - t)
                height = self.scene.shape.height_mm(fallen.radius) + 4 + 0.5 * 9810 * drop**2
                draw_foreign(self.scene, fallen.thing, fallen.radius, zero + fallen.turn, height)

    def _zero_place(self, zero: float) -> Array:
        radius = sum(self.scene.shape.numbers_mm) / 2
        return place(radius, zero, self.scene.shape.height_mm(radius))

    def _degrees(self, point: Array) -> float:
        x, y = self.scene.camera.pixels(point)[0] - self.centre
        return round(math.degrees(math.atan2(x, -y)) % 360, 2)


def _inside(hidden: np.ndarray[tuple[int, int], np.dtype[np.bool_]], pixel: Array) -> bool:
    x, y = int(pixel[0]), int(pixel[1])
    return bool(0 <= y < hidden.shape[0] and 0 <= x < hidden.shape[1] and hidden[y, x])


def render_spins(
    spins: Sequence[SpinPlan],
    out: Path,
    *,
    shape: WheelShape,
    look: Look,
    camera: WheelCamera,
    fps: float = 25,
    faults: Collection[str] = (),
    seed: int = 0,
) -> list[SpinTruth]:
    """Render spins to `out/wheel.mp4` and write their truth to `out/truth.json`."""
    check_faults(faults)
    tapes = [play(plan, shape) for plan in spins]
    last = tapes[-1]
    middle = last.plan.launch_s + 0.4 * (last.end_s - last.plan.launch_s)
    trouble = (middle, middle + 1.5)
    timeline = Timeline(tapes, shape, look.dealer_deg, seed)
    cover = _covering(look, trouble) if "hand" in faults else None
    show = WheelShow(timeline, WheelScene(shape, look, camera, seed), cover)
    sensor = Sensor(look, camera.size, faults, trouble, seed)
    out.mkdir(parents=True, exist_ok=True)
    angles = film(
        show, sensor, out / "wheel.mp4", fps=fps, until_s=last.end_s + TAIL_S + (1.5 if last.end == "stuck" else 0.0)
    )
    truths = [spin_truth(tape, camera, shape, angles, faults) for tape in tapes]
    (out / "truth.json").write_bytes(msgspec.json.format(msgspec.json.encode(truths), indent=0))
    return truths


def film(show: WheelShow, sensor: Sensor, path: Path, *, fps: float, until_s: float) -> list[Angles]:
    """Record a show from the clip's beginning; returns what is to be read in each frame that was not dropped."""
    cv2.setNumThreads(1)
    angles: list[Angles] = []
    bits = STARVED_BITS_PER_PIXEL if "starved" in sensor.faults else BITS_PER_PIXEL
    size = show.scene.camera.size
    with FootageWriter(path, size=size, fps=fps, preset="superfast", bits_per_pixel=bits) as writer:
        for index in range(int(until_s * fps)):
            if sensor.dropped():
                continue
            t = index * float(time_base(fps))
            picture, seen = show.frame(t)
            angles.append(Angles(t=seen.t) if sensor.blind(t) else seen)
            writer.write(index, sensor.expose(picture, t))
    return angles


def wheel_clip(
    events: Iterable[AnyEvent], out: Path, *, fps: float, size: tuple[int, int], seed: int, until_s: float | None = None
) -> list[SpinTruth]:
    """The spins of a roulette table's log as its wheel camera saw them, on the log's clock, in the file `out`."""
    chance = random.Random(seed)
    shape, look = random_shape(chance), random_look(chance, "tuning")
    events = list(events)
    until_s = until_s if until_s is not None else max((event.t for event in events), default=0.0) + TAIL_S
    plans = spin_plans(events, seed, look.dealer_deg) or [SpinPlan(seed=seed, launch_s=until_s + 60)]
    tapes = [play(plan, shape) for plan in plans]
    camera = WheelCamera(
        size=size,
        tilt_deg=chance.uniform(3, 16),
        side_deg=chance.uniform(0, 360),
        distance_mm=chance.uniform(1200, 1900),
    )
    show = WheelShow(Timeline(tapes, shape, look.dealer_deg, seed), WheelScene(shape, look, camera, seed))
    angles = film(show, Sensor(look, size, (), (0.0, 0.0), seed), out, fps=fps, until_s=until_s)
    return [spin_truth(tape, camera, shape, angles, ()) for tape in tapes if tape.plan.launch_s < until_s]


def _covering(look: Look, span: tuple[float, float]) -> HandPath:
    """Somebody's open hand over the wheel for a second."""
    side = math.radians(look.dealer_deg)
    over = [Reach(t=span[0] + late, radius=150.0, angle=side, z=120) for late in (0.0, 1.0)]
    away = [Reach(t=span[0] + late, radius=OFF_MM, angle=side, z=120) for late in (-0.6, 1.6)]
    return HandPath([*over, *away], open_=True)
