"""Labelled wheel pictures for training: frames of random spins, with a box around the ball where it shows."""

import random
from collections.abc import Iterator

import numpy as np

from datasets.casino.wheel_faults import Sensor
from datasets.casino.wheel_footage import WheelShow
from datasets.casino.wheel_scene import WheelScene, place
from datasets.casino.wheel_sets import tuning_clip
from datasets.casino.wheel_shape import Picture
from datasets.casino.wheel_spins import Tape, play
from datasets.casino.wheel_timeline import Timeline
from datasets.importers import LabelledBox

PER_WHEEL = 16
"""Pictures of one wheel under one light: setting a scene up costs as much as drawing a hundred of them."""


def ball_pictures(count: int, seed: int) -> Iterator[tuple[Picture, list[LabelledBox]]]:
    """Frames from the launch to well after the ball's rest; some show no ball."""
    chance = random.Random(seed)
    for first in range(0, count, PER_WHEEL):
        plan = tuning_clip(chance.randrange(100_000))
        tape = play(plan.spins[0], plan.shape)
        timeline = Timeline([tape], plan.shape, plan.look.dealer_deg, plan.seed)
        show = WheelShow(timeline, WheelScene(plan.shape, plan.look, plan.camera, plan.seed))
        sensor = Sensor(plan.look, plan.camera.size, (), (0.0, 0.0), plan.seed)
        for _ in range(min(PER_WHEEL, count - first)):
            t = _moment(tape, chance)
            picture, angles = show.frame(t)
            boxes = [_ball_box(show, t)] if angles.ball_deg is not None else []
            yield sensor.expose(picture, t), boxes


def _moment(tape: Tape, chance: random.Random) -> float:
    """On the track, falling, or at rest: each as often as the others, though they last so differently long."""
    launch, leave = tape.plan.launch_s, tape.leave_s if tape.leave_s is not None else tape.end_s
    return chance.uniform(*chance.choice(((launch, leave), (leave, tape.end_s), (tape.end_s, tape.end_s + 2))))


def _ball_box(show: WheelShow, t: float) -> LabelledBox:
    """Around the ball wherever it was while the shutter was open."""
    camera, shutter = show.scene.camera, show.scene.look.shutter_s
    rows = [show.timeline.ball(t + part * shutter) for part in (-0.5, 0.0, 0.5)]
    points = np.array([place(*row) for row in rows if row is not None])
    radius = show.scene.shape.ball_mm * camera.scale_px(points[0])
    pixels = camera.pixels(points)
    (x1, y1), (x2, y2) = pixels.min(0) - radius, pixels.max(0) + radius
    w, h = camera.size
    x1, x2, y1, y2 = max(0.0, x1), min(float(w), x2), max(0.0, y1), min(float(h), y2)
    return LabelledBox("ball", (x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1)
