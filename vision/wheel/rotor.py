"""The turning part of the wheel: its angle in every picture, its speed, and where zero is."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.wheel.planes import Planes
from vision.wheel.pockets import Zero, find_zero
from vision.wheel.shape import BINS, Floats, Unroller, WheelShape
from vision.wheel.turning import aligned, common_speed, likeness, peak_near, spectra_of, turned

_RINGS = np.linspace(0.62, 1.03, 16, dtype=np.float32)
_MEMORY = 150  # pictures over which the portrait is averaged
_LEAST_LIKENESS = 0.35
_REACH_DEG = 6.0
_CLEARLY_BETTER, _SLIPPED = 1.12, 4
"""A ring two pockets off still looks alike; an angle that looks clearly better so often running is the true one."""
_SPEED_SPAN_S = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The rotor's angle (clockwise, never wrapped, from an arbitrary start); `seen` is False where it is guessed."""

    angle_deg: float
    speed_dps: float
    likeness: float
    seen: bool


class Rotor:
    """Follows the rotor by laying each picture on the portrait of all before."""

    def __init__(self, shape: WheelShape, pictures: Sequence[Planes]) -> None:
        self._unroller = Unroller(shape, _RINGS)
        rings = [spectra_of(picture, self._unroller) for picture in pictures]
        times = np.array([picture.t for picture in pictures], np.float32)
        speed, _ = common_speed(times, rings)
        self.first_deg, self._portrait = aligned(times, rings, speed)
        """The rotor's angle in each of the pictures it was made from."""
        self._offsets = np.zeros(3 * len(_RINGS), np.float32)
        for picture in (pictures[0], pictures[-1]):
            self._offsets += 0.5 * self._rows(picture).mean(axis=1)
        self._count = len(pictures)
        self._t, self._angle, self._speed = pictures[0].t, float(self.first_deg[0]), speed
        self._usual = 0.9
        self._slips = 0
        self._recent: deque[tuple[float, float]] = deque(maxlen=32)

    def _rows(self, picture: Planes) -> Floats:
        take = self._unroller
        return np.concatenate([take.luma(picture.luma), take.chroma(picture.u), take.chroma(picture.v)])

    def move_to(self, shift_px: tuple[float, float]) -> None:
        """The picture of the wheel has moved so far."""
        self._unroller.move_to(shift_px)

    def look(self, picture: Planes) -> Turn:
        """The rotor in the next picture."""
        ring = spectra_of(picture, self._unroller)
        gap_s = picture.t - self._t
        curve = likeness(self._portrait, ring)
        guess = self._angle + self._speed * gap_s
        angle, alike = peak_near(curve, guess, _REACH_DEG + 40.0 * min(gap_s, 1.0))
        elsewhere, best = peak_near(curve, guess, 180.0)
        self._slips = self._slips + 1 if best > _CLEARLY_BETTER * alike else 0
        if self._slips >= _SLIPPED:
            angle, alike = elsewhere, best
            if self._slips == _SLIPPED:  # from here on its speed is measured anew
                self._recent.clear()
        seen = alike > _LEAST_LIKENESS * self._usual and (self._slips == 0 or self._slips >= _SLIPPED)
        if seen:
            self._usual += 0.02 * (alike - self._usual)
            rate = 1 / min(self._count + 1, _MEMORY)
            self._portrait += rate * (turned(ring, -angle) - self._portrait)
            self._count += 1
            self._recent.append((picture.t, angle))
            self._speed = self._measured_speed()
        self._t, self._angle = picture.t, angle if seen else guess
        return Turn(angle_deg=self._angle, speed_dps=self._speed, likeness=alike, seen=seen)

    def _measured_speed(self) -> float:
        """The slope of the last fraction of a second."""
        last_t = self._recent[-1][0]
        near = [(t - last_t, angle) for t, angle in self._recent if last_t - t <= _SPEED_SPAN_S]
        if len(near) < 4:
            return self._speed
        times, angles = np.array(near).T
        times -= times.mean()
        return float((times * angles).sum() / (times**2).sum())

    def zero(self) -> Zero:
        """Where zero is when the rotor's angle is 0."""
        rows = np.fft.irfft(self._portrait, BINS, axis=1).astype(np.float32)
        each = len(_RINGS)
        rows[each:] /= 1.5
        rows += self._offsets[:, None]
        return find_zero(rows[:each], rows[each : 2 * each], rows[2 * each :])
