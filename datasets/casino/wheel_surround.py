"""What lies around the wheel on the table: darkness, felt with print and chips, wood, or a patterned carpet."""

import math
import random

import cv2
import numpy as np

from datasets.casino.wheel_looks import Look
from datasets.casino.wheel_paint import linear
from datasets.casino.wheel_shape import Floats

HALF_MM = 1500.0
SIDE_PX = 1500


def surround(look: Look, seed: int) -> Floats:
    """The ground as seen straight from above (linear), `HALF_MM` either way from the spindle."""
    chance = random.Random(seed)
    noise = np.random.default_rng(seed)
    if look.surround in ("dark", "night"):
        level = 0.004 if look.surround == "dark" else 0.015
        ground = np.full((SIDE_PX, SIDE_PX, 3), level, np.float32) * linear(look.surround_colour).clip(0.3)
    else:
        ground = np.broadcast_to(linear(look.surround_colour), (SIDE_PX, SIDE_PX, 3)).astype(np.float32).copy()
    if look.surround == "wood":
        ground = _planks(look, noise)
    if look.surround == "carpet":
        _carpet(ground, chance)
    if look.surround == "felt":
        _layout(ground, chance)
    mottle = cv2.resize(noise.normal(1, 0.10, (300, 300)).astype(np.float32), (SIDE_PX, SIDE_PX))
    fine = noise.normal(1, 0.05, (SIDE_PX, SIDE_PX)).astype(np.float32)
    return np.asarray(ground * (mottle * fine).clip(0.3)[..., None], np.float32)


def _planks(look: Look, noise: np.random.Generator) -> Floats:
    streaks = cv2.resize(noise.normal(0, 0.3, (SIDE_PX // 2, 6)).astype(np.float32), (SIDE_PX, SIDE_PX))
    return np.asarray(linear(look.wood) * np.exp(streaks)[..., None], np.float32)


def _carpet(ground: Floats, chance: random.Random) -> None:
    """Loud, as casino carpets are."""
    for _ in range(420):
        colour = [chance.uniform(0.0, 0.5) ** 1.5 for _ in range(3)]
        centre = (chance.randrange(SIDE_PX), chance.randrange(SIDE_PX))
        axes = (chance.randrange(6, 45), chance.randrange(6, 30))
        turn, thick = chance.uniform(0, 180), chance.choice((-1, 2, 3))
        cv2.ellipse(ground, centre, axes, turn, 0, 360, colour, thick, cv2.LINE_AA)


def _layout(ground: Floats, chance: random.Random) -> None:
    """The near end of a betting layout with chips on it, somewhere beside the wheel."""
    turn = chance.uniform(0, 2 * math.pi)
    along = np.array([math.cos(turn), math.sin(turn)])
    across = np.array([-along[1], along[0]])
    scale = SIDE_PX / (2 * HALF_MM)
    for line in range(-4, 5):
        near, far = ((along * reach + across * line * 90) * scale + SIDE_PX / 2 for reach in (560, 1450))
        cv2.line(ground, near.astype(int).tolist(), far.astype(int).tolist(), (0.6, 0.65, 0.65), 4, cv2.LINE_AA)
    for _ in range(60):
        place = (along * chance.uniform(580, 1450) + across * chance.uniform(-400, 400)) * scale + SIDE_PX / 2
        colour = [chance.uniform(0.02, 0.7) for _ in range(3)]
        cv2.circle(ground, (int(place[0]), int(place[1])), 10, colour, -1, cv2.LINE_AA)
        cv2.circle(ground, (int(place[0]), int(place[1])), 10, (0.6, 0.6, 0.6), 2, cv2.LINE_AA)
