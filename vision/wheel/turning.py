"""How far a ring has turned between pictures: circular correlation of its strips, all rows and colours together.

A red and black ring looks the same after two pockets; numbers, zero and the common speed of many pairs tell which.
"""

import numpy as np
from numpy.typing import NDArray

from vision.wheel.planes import Planes
from vision.wheel.shape import Floats, Unroller

Spectra = NDArray[np.complex64]
"""One row per radius and colour, one column per harmonic of the turn."""
FIRST_HARMONIC = 3  # slower changes around the ring are the room's light, which does not turn
FASTEST_DPS = 540.0
_CHROMA_WEIGHT = 1.5


def spectra_of(picture: Planes, unroller: Unroller) -> Spectra:
    """What a picture shows of the ring, ready to be turned and compared."""
    rows = np.concatenate([
        unroller.luma(picture.luma),
        _CHROMA_WEIGHT * unroller.chroma(picture.u),
        _CHROMA_WEIGHT * unroller.chroma(picture.v),
    ])  # fmt: skip
    return spectra_of_rows(rows)


def spectra_of_rows(rows: Floats) -> Spectra:
    """The spectra of strips, without the slow changes."""
    spectra = np.fft.rfft(rows, axis=1).astype(np.complex64)
    spectra[:, :FIRST_HARMONIC] = 0
    return spectra


def turned(spectra: Spectra, angle_deg: float) -> Spectra:
    """The ring turned clockwise by an angle."""
    harmonics = np.arange(spectra.shape[-1], dtype=np.float32)
    return np.asarray(spectra * np.exp(-1j * np.float32(np.radians(angle_deg)) * harmonics), np.complex64)


def likeness(before: Spectra, after: Spectra) -> Floats:
    """Correlation (-1 to 1) of two pictures of the ring, for every whole-column turn between them."""
    both = (np.conj(before) * after).sum(axis=0)
    bins = 2 * (before.shape[-1] - 1)
    scale = np.sqrt(float((np.abs(before) ** 2).sum()) * float((np.abs(after) ** 2).sum())) + 1e-6
    return np.asarray(np.fft.irfft(both, bins) * (bins / 2 / scale), np.float32)


def peak_near(curve: Floats, centre_deg: float, reach_deg: float) -> tuple[float, float]:
    """The best turn within reach of a guess, finer than a column, and its likeness."""
    bins = len(curve)
    width = 360 / bins
    middle, reach = round(centre_deg / width), max(1, round(reach_deg / width))
    columns = np.arange(middle - reach, middle + reach + 1)
    best = int(columns[np.argmax(curve[columns % bins])])
    left, top, right = (float(curve[(best + k) % bins]) for k in (-1, 0, 1))
    bend = left - 2 * top + right
    shift = 0.0 if abs(bend) < 1e-9 else max(-0.5, min(0.5, (left - right) / (2 * bend)))
    return (best + shift) * width, top


def common_speed(times: Floats, rings: list[Spectra], lags: tuple[int, ...] = (1, 2, 3)) -> tuple[float, float]:
    """The speed (degrees a second, clockwise positive) at which most pairs of pictures agree, and how well they do."""
    speeds = np.arange(-FASTEST_DPS, FASTEST_DPS + 1, 1.0, dtype=np.float32)
    total = np.zeros(len(speeds), np.float32)
    mean = sum(rings[1:], rings[0]) / len(rings)
    moving = [ring - mean for ring in rings]  # glare stands still: what does not move says nothing
    pairs = [(k, k + lag) for lag in lags for k in range(len(rings) - lag)]
    for first, second in pairs:
        curve = likeness(moving[first], moving[second])
        columns = speeds * (times[second] - times[first]) * (len(curve) / 360)
        low = np.floor(columns).astype(int)
        part = columns - low
        total += curve[low % len(curve)] * (1 - part) + curve[(low + 1) % len(curve)] * part
    best = int(np.argmax(total))
    return float(speeds[best]), float(total[best] / max(1, len(pairs)))


def aligned(times: Floats, rings: list[Spectra], speed_dps: float) -> tuple[Floats, Spectra]:
    """The angle of every picture against the first, and the ring's portrait.

    Each picture is laid on the portrait of those before it: an error of the speed cannot add up.
    """
    angles = np.zeros(len(rings), np.float32)
    portrait = rings[0].copy()
    for k in range(1, len(rings)):
        guess = float(angles[k - 1]) + speed_dps * float(times[k] - times[k - 1])
        angles[k] = peak_near(likeness(portrait, rings[k]), guess, 5.0)[0]
        portrait = portrait + turned(rings[k], -float(angles[k]))
    for k, ring in enumerate(rings):
        angles[k] = peak_near(likeness(portrait, ring), float(angles[k]), 3.0)[0]
    return angles, portrait / len(rings)


def explained(rings: list[Spectra], angles: Floats) -> float:
    """The share of the pictures' energy that one turning portrait accounts for."""
    portrait = sum((turned(ring, -angle) for ring, angle in zip(rings, angles, strict=True)), 0 * rings[0]) / len(rings)
    energy = sum(float((np.abs(ring) ** 2).sum()) for ring in rings) / len(rings)
    return float((np.abs(portrait) ** 2).sum()) / (energy + 1e-6)
