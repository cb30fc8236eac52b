"""What goes wrong with a camera: faults on request, when they happen, and what they do to the picture."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from auditor.log import FairdealError

Image = NDArray[np.uint8]
FAULTS = ("blur", "flicker", "drop", "freeze", "dark", "bump", "cover", "head", "glare", "noise")
LOSING: dict[str, Literal["lost", "blocked"]] = {"freeze": "lost", "dark": "lost", "cover": "blocked"}
"""Faults in which nothing of the table can be seen, and what the log says of them."""
LASTING = ("flicker", "bump")
"""Faults that, once there, stay."""
EVERY_S, SHORTEST_S, LONGEST_S = 45.0, 2.0, 5.0
QUIET_START_S = 4.0
FADE_S = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault from `start` to `end`, in seconds; `lot` decides its particulars."""

    kind: str
    start: float
    end: float
    lot: int

    def strength(self, t: float) -> float:
        """0 outside, 1 inside, and in between at its edges."""
        if not self.start <= t < self.end:
            return 0.0
        return min(1.0, (t - self.start) / FADE_S, (self.end - t) / FADE_S)


def parse_faults(text: str) -> tuple[str, ...]:
    """`blur,dark` as the command line gives it.

    >>> parse_faults("dark,blur")
    ('dark', 'blur')
    """
    kinds = tuple(filter(None, text.split(",")))
    for kind in kinds:
        if kind not in FAULTS:
            raise FairdealError(f"--faults: {kind!r} is not one of {', '.join(FAULTS)}")
    return kinds


def schedule(kinds: tuple[str, ...], duration_s: float, seed: int) -> list[Fault]:
    """When each fault happens: about one of a kind in three quarters of a minute, at least one."""
    faults: list[Fault] = []
    for kind in kinds:
        chance = random.Random(f"{kind} {seed}")
        times = max(1, round(duration_s / EVERY_S))
        stretch = max(0.1, duration_s - QUIET_START_S) / times
        for number in range(1 if kind in LASTING else times):
            start = QUIET_START_S + stretch * (number + chance.uniform(0.1, 0.6))
            lasts = duration_s - start if kind in LASTING else min(chance.uniform(SHORTEST_S, LONGEST_S), stretch * 0.4)
            end = round(start + lasts, 2)
            faults.append(Fault(kind=kind, start=round(start, 2), end=end, lot=chance.getrandbits(30)))
    return sorted(faults, key=lambda fault: fault.start)


class FaultyLens:
    """Does to each picture what the faults of its time do. Pictures must come in order of time."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        self._last: Image | None = None

    def see(self, image: Image, t: float) -> Image | None:
        """The picture as it is recorded; None where the frame was dropped."""
        for fault in self.faults:
            if not fault.start <= t < fault.end:
                continue
            if fault.kind == "drop" and _dropped(fault, t):
                return None
            if fault.kind == "freeze" and self._last is not None:
                return self._last
            if fault.kind in _EFFECTS:
                image = _EFFECTS[fault.kind](image, fault, t)
        self._last = image
        return image


def _dropped(fault: Fault, t: float) -> bool:
    """Most frames come through; some do not, now and then half a second of them."""
    burst = math.floor(t * 2)
    return random.Random(f"{fault.lot} {burst}").random() < 0.3 or random.Random(f"{fault.lot} {t:.3f}").random() < 0.25


def _blur(image: Image, fault: Fault, t: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.3 + 3.2 * fault.strength(t) * image.shape[1] / 1280), np.uint8)


def _flicker(image: Image, fault: Fault, t: float) -> Image:
    """Lamps on 50 Hz against a rolling shutter: bands that wander down the picture."""
    rows = np.arange(image.shape[0], dtype=np.float32) / image.shape[0]
    gain = 1 + 0.09 * np.sin(2 * np.pi * (rows * 1.6 + t * 0.9 + fault.lot % 100 / 100))
    return _eight_bits(image * gain[:, None, None])


def _dark(image: Image, fault: Fault, t: float) -> Image:
    gain = 1 - 0.975 * fault.strength(t)
    return np.asarray(cv2.convertScaleAbs(image, alpha=gain, beta=2.0), np.uint8)


def _cover(image: Image, fault: Fault, t: float) -> Image:
    """Something soft and dark is held before the lens."""
    width = image.shape[1]
    edge = width * fault.strength(t) * 1.15
    across = np.clip((edge - np.arange(width, dtype=np.float32)) / (0.12 * width), 0, 1)[None, :, None]
    return _eight_bits(image * (1 - across) + across * np.array([18.0, 22.0, 30.0], np.float32))


def _bump(image: Image, fault: Fault, t: float) -> Image:
    """The camera was knocked: it looks a little aside, and keeps doing so."""
    chance = random.Random(fault.lot)
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), chance.uniform(-1.5, 1.5), 1.0)
    turn[:, 2] += [chance.choice([-1, 1]) * chance.uniform(0.012, 0.03) * width, chance.uniform(-0.02, 0.02) * height]
    return np.asarray(cv2.warpAffine(image, turn, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _glare(image: Image, fault: Fault, t: float) -> Image:
    """A lamp mirrored in the dome: a white veil around one spot."""
    chance = random.Random(fault.lot)
    height, width = image.shape[:2]
    middle = (chance.uniform(0.2, 0.8) * width, chance.uniform(0.2, 0.8) * height)
    down, across = np.ogrid[:height, :width]
    far = ((across - middle[0]) ** 2 + (down - middle[1]) ** 2) / (0.16 * width) ** 2
    veil = (190 * fault.strength(t) * np.exp(-far)).astype(np.float32)[:, :, None]
    return _eight_bits(image + veil)


def _noise(image: Image, fault: Fault, t: float) -> Image:
    chance = np.random.default_rng([fault.lot, round(t * 1000)])
    grain = chance.normal(0, 16 * fault.strength(t), (*image.shape[:2], 1)).astype(np.float32)
    return _eight_bits(image + grain)


def _eight_bits(picture: NDArray[np.floating]) -> Image:
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


_EFFECTS: dict[str, Callable[[Image, Fault, float], Image]] = {
    "blur": _blur, "flicker": _flicker, "dark": _dark, "cover": _cover, "bump": _bump, "glare": _glare, "noise": _noise,
}  # fmt: skip
