"""What the wheel looks like without a ball: a layer that stands still and a layer that turns with the rotor.

The two are added: where the rotor shows, the still layer holds the room's light on it, the turning layer its fields,
frets and numbers. What a picture holds beyond both is neither stator nor rotor: the ball, a hand, a foreign object.
"""

import numpy as np
from numpy.typing import NDArray

from vision.wheel.glints import BALL_RADIUS, glints_in
from vision.wheel.pockets import POCKETS
from vision.wheel.shape import BIN_DEG, Floats

ROTOR_EDGE = 1.02
_BALL_LIGHT = 0.4

_EVERY = 2  # of so many pictures one is learned from: the wheel changes slowly
_STILL_PICTURES, _TURNING_PICTURES = 125, 45  # over so many pictures a layer is averaged
_SLOW = 0.05  # what sticks out is learned so much more slowly, or the layers would swallow a ball at rest
_FAST_FADE = 0.5  # but what is gone is soon forgotten
_SPARSE = (slice(None, None, 4), slice(None, None, 5))  # enough cells for a median
_QUIET = 3.0  # in noise levels: what deviates less is the wheel itself


class Layers:
    """The two layers; the rows within the rotor's edge turn."""

    def __init__(self, strips: list[Floats], angles_deg: Floats, radii: Floats) -> None:
        self.radii = radii
        self.rotor_rows = rotor_rows = int(np.searchsorted(radii, ROTOR_EDGE))
        self._looks = 0
        self.still = np.median(np.stack(strips), axis=0).astype(np.float32)
        inner = np.stack([strip[:rotor_rows] for strip in strips])
        self.still[:rotor_rows] = _slow_waves(inner.mean(axis=0))
        inner -= self.still[:rotor_rows]
        unturned = [rolled(strip, -float(angle)) for strip, angle in zip(inner, angles_deg, strict=True)]
        self.turning = np.median(np.stack(unturned), axis=0).astype(np.float32)
        self._clear_of_ball()
        left = [np.abs(self.beyond(s, float(a))) for s, a in zip(strips[::4], angles_deg[::4], strict=True)]
        self.noise = np.maximum(2.0, 1.48 * np.median(np.stack(left), axis=(0, 2))).astype(np.float32)[:, None]

    def beyond(self, strip: Floats, angle_deg: float) -> Floats:
        """The picture less both layers, as bright as the layers are."""
        wheel = self.still.copy()
        wheel[: self.rotor_rows] += rolled(self.turning, angle_deg)
        gain = float(np.median(wheel[_SPARSE]) + 1) / float(np.median(strip[_SPARSE]) + 1)
        return strip * min(1.5, max(0.67, gain)) - wheel

    def _clear_of_ball(self) -> None:
        """A ball that lay in a pocket from the first is in the portrait: there the pocket looks like no other."""
        pockets = self.turning.reshape(self.rotor_rows, POCKETS, -1)
        usual = np.percentile(pockets, 80, axis=1)[:, None, :].repeat(POCKETS, axis=1).reshape(self.turning.shape)
        radii = self.radii[: self.rotor_rows]
        for glint in glints_in(self.turning - usual, np.full((self.rotor_rows, 1), 4.0, np.float32), radii):
            if glint.light < _BALL_LIGHT or not 0.6 < glint.radius < 0.97:
                continue
            columns = (np.arange(-8, 9) + round(glint.angle_deg / BIN_DEG)) % self.turning.shape[1]
            rows = np.nonzero(np.abs(radii - glint.radius) < 3 * BALL_RADIUS)[0]
            self.turning[np.ix_(rows, columns)] = np.minimum(self.turning, usual)[np.ix_(rows, columns)]

    def learn(self, beyond: Floats, angle_deg: float, trusted: NDArray[np.bool_]) -> None:
        """Take in a picture, its loud parts only slowly; what is not trusted not at all."""
        self._looks += 1
        if self._looks % _EVERY:
            return
        loud = np.abs(beyond) > _QUIET * self.noise
        rate = np.where(loud, np.where(beyond > 0, _SLOW, _FAST_FADE), 1.0).astype(np.float32) * trusted
        self.still += beyond * rate / _STILL_PICTURES
        turned_back = rolled((beyond * rate)[: self.rotor_rows], -angle_deg)
        self.turning += turned_back / _TURNING_PICTURES
        spread = 1.48 * np.median(np.abs(beyond[:, ::8]), axis=1, keepdims=True)
        self.noise += 0.02 * (np.maximum(2.0, spread) - self.noise)


def rolled(strip: Floats, angle_deg: float) -> Floats:
    """A strip turned clockwise, between columns by linear interpolation."""
    columns = angle_deg / BIN_DEG
    whole = int(np.floor(columns))
    part = np.float32(columns - whole)
    near = np.roll(strip, whole, axis=1)
    return np.asarray(near * (1 - part) + np.roll(near, 1, axis=1) * part, np.float32)


def _slow_waves(strip: Floats) -> Floats:
    spectra = np.fft.rfft(strip, axis=1)
    spectra[:, 4:] = 0
    return np.fft.irfft(spectra, strip.shape[1], axis=1).astype(np.float32)
