"""What camera and room do to a wheel picture: softness, contrast, noise, and faults on request."""

import math
import random
from collections.abc import Collection
from typing import Literal, get_args

import cv2
import numpy as np

from auditor.log import FairdealError
from datasets.casino.wheel_looks import Look
from datasets.casino.wheel_shape import Picture

Fault = Literal[
    "noise", "flicker", "glare", "drop", "hand", "freeze", "dark", "cover", "bump", "blur",
    "reflections", "exposure", "sway", "starved",
]  # fmt: skip
FAULTS: tuple[Fault, ...] = get_args(Fault)
"""`hand` (over the wheel for a second) is not the camera's: the clip's course has it; `starved` is the encoder's."""
DROPPED = 0.05
STARVED_BITS_PER_PIXEL = 0.02


def check_faults(faults: Collection[str]) -> None:
    """Refuse a fault nobody knows."""
    unknown = sorted(set(faults) - set(FAULTS))
    if unknown:
        raise FairdealError(f"wheel: no fault is called {unknown[0]!r} (faults: {', '.join(FAULTS)})")


class _Mirrored:
    """Something bright that moves about the room, mirrored softly by the lacquer: it wanders over the picture."""

    def __init__(self, chance: random.Random, size: tuple[int, int]) -> None:
        self._reach = chance.uniform(0.15, 0.45) * size[1]
        self._middle = size[0] / 2, size[1] / 2
        self._turn, self._pace = chance.uniform(0, 2 * math.pi), chance.choice((-1, 1)) * chance.uniform(0.1, 0.9)
        self._wobble_hz = chance.uniform(0.1, 0.6)
        half = round(chance.uniform(0.02, 0.10) * size[1])
        y, x = np.mgrid[-half : half + 1, -half : half + 1] / half
        blob = chance.uniform(15, 70) * np.clip(1.2 * (1 - x * x - y * y), 0, 1)
        self._blob = np.repeat(blob[..., None], 3, axis=2).astype(np.uint8)

    def add_to(self, picture: Picture, t: float) -> None:
        """Where it is by now, as far as that is in the picture."""
        turn = self._turn + self._pace * t
        reach = self._reach * (1 + 0.2 * math.sin(2 * math.pi * self._wobble_hz * t))
        half = len(self._blob) // 2
        x, y = (
            int(self._middle[0] + reach * math.sin(turn)) - half,
            int(self._middle[1] + reach * math.cos(turn)) - half,
        )
        patch = picture[max(0, y) : y + 2 * half + 1, max(0, x) : x + 2 * half + 1]
        if patch.size:
            top, left = max(0, -y), max(0, -x)
            cv2.add(patch, self._blob[top : top + patch.shape[0], left : left + patch.shape[1]], dst=patch)


class Sensor:
    """One camera's way with pictures. Some faults happen in `trouble`, a span of the clip, the others always."""

    def __init__(
        self, look: Look, size: tuple[int, int], faults: Collection[str], trouble: tuple[float, float], seed: int
    ) -> None:
        self.faults, self.trouble = frozenset(faults), trouble
        self._chance = random.Random(seed)
        w, h = size
        self._soft_px = look.soft_px * (2.2 if "blur" in self.faults else 1.0)
        sigma = look.noise * (2.5 if "noise" in self.faults else 1.0)
        grain = np.random.default_rng(seed).normal(0, sigma, (h + 64, w + 64, 3))
        grain = 0.6 * grain + 0.4 * grain[..., 1:2] * 1.5  # luma noise is stronger than colour noise
        self._grain = np.round(grain).astype(np.int16)
        self._curve = self._contrast(look.contrast)
        self._glare = self._flare(size) if "glare" in self.faults else None
        self._flicker = self._chance.uniform(0.06, 0.16), self._chance.uniform(1.5, 9.0)
        self._bump = self._chance.uniform(-0.05, 0.05) * w, self._chance.uniform(-0.05, 0.05) * h
        self._last: Picture | None = None
        film = random.Random(seed + 1)  # of its own: what the older faults draw stays as it was
        self._sway_px = 0.0025 * w, film.uniform(0.2, 0.7)
        self._breath = film.uniform(0.10, 0.25), film.uniform(0.1, 0.4)
        self._mirrored = [_Mirrored(film, size) for _ in range(4) if "reflections" in self.faults]

    def dropped(self) -> bool:
        """Whether the next frame is lost."""
        return "drop" in self.faults and self._chance.random() < DROPPED

    def shift(self, t: float) -> tuple[float, float]:
        """How far a bump has moved the picture, or the hand that holds the camera does."""
        dx, dy = self._bump if "bump" in self.faults and t >= self.trouble[0] else (0.0, 0.0)
        if "sway" in self.faults:
            reach, hz = self._sway_px
            dx += reach * math.sin(2 * math.pi * hz * t)
            dy += reach * math.sin(2 * math.pi * 0.73 * hz * t + 1)
        return dx, dy

    def blind(self, t: float) -> bool:
        """Whether the picture shows nothing new at this time."""
        return bool(self.faults & {"freeze", "dark", "cover"}) and self.trouble[0] <= t < self.trouble[1]

    def expose(self, picture: Picture, t: float) -> Picture:
        """The picture as the recorder gets it."""
        if self.blind(t):
            if "freeze" in self.faults and self._last is not None:
                return self._last
            picture = cv2.convertScaleAbs(picture, alpha=0.02 if "dark" in self.faults else 0.0, beta=2)
        for each in self._mirrored:
            each.add_to(picture, t)
        if "exposure" in self.faults:  # the camera's own, which breathes as hands and people come and go
            depth, hz = self._breath
            picture = cv2.convertScaleAbs(picture, alpha=1 + depth * math.sin(2 * math.pi * hz * t))
        dx, dy = self.shift(t)
        if dx or dy:
            move = np.array([[1, 0, dx], [0, 1, dy]])
            picture = cv2.warpAffine(picture, move, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        if self._glare is not None:
            picture = cv2.add(picture, cv2.convertScaleAbs(self._glare, alpha=0.9 + 0.1 * math.sin(1.7 * t)))
        if "flicker" in self.faults:
            picture = self._flickering(picture, t)
        picture = cv2.GaussianBlur(picture, (5, 5) if self._soft_px > 1 else (3, 3), self._soft_px)
        picture = cv2.LUT(picture, self._curve)
        h, w = picture.shape[:2]
        x, y = self._chance.randrange(64), self._chance.randrange(64)
        self._last = np.asarray(cv2.add(picture, self._grain[y : y + h, x : x + w], dtype=cv2.CV_8U), np.uint8)
        return self._last

    def _flickering(self, picture: Picture, t: float) -> Picture:
        """Mains light beating against the rolling shutter: bands that wander down the picture."""
        depth, beat_hz = self._flicker
        rows = np.linspace(0, 2 * math.pi, picture.shape[0])
        band = 1 + depth * np.sin(rows + 2 * math.pi * beat_hz * t)
        return np.asarray(np.clip(picture * band[:, None, None].astype(np.float32), 0, 255), np.uint8)

    def _contrast(self, contrast: float) -> Picture:
        level = np.linspace(0, 1, 256)
        bent = 0.45 + (level - 0.45) * contrast
        return np.round(np.clip(bent + 0.04, 0, 1) * 255).astype(np.uint8)

    def _flare(self, size: tuple[int, int]) -> Picture:
        """A lamp that shines into the lens, or is mirrored whole by the lacquer."""
        w, h = size
        x, y = np.meshgrid(np.arange(w), np.arange(h))
        flare = np.zeros((h, w))
        for _ in range(self._chance.choice((1, 2))):
            turn, reach = self._chance.uniform(0, 2 * math.pi), self._chance.uniform(0.2, 0.42) * h
            cx, cy = w / 2 + reach * math.sin(turn), h / 2 - reach * math.cos(turn)
            wide = self._chance.uniform(0.03, 0.08) * h
            away = ((x - cx) ** 2 + (1.8 * (y - cy)) ** 2) / wide**2
            flare += 255 * np.exp(-away) + 60 * np.exp(-away / 14)
        return np.repeat(np.clip(flare, 0, 255).astype(np.uint8)[..., None], 3, axis=2)
