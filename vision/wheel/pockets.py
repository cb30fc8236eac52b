"""The order of the pockets, and which of the ring's 37 fields is zero.

The fields alternate red and black, and the odd one among them is zero. So no colour has to be known beforehand: of the
37 ways to name the fields, one leaves all reds alike and all blacks alike.
"""

from dataclasses import dataclass

import numpy as np

from vision.wheel.shape import BIN_DEG, BINS, Floats

# NI2002-45 Roulette 2.1, Appendix A: clockwise.
ORDER = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
POCKETS = len(ORDER)
POCKET_DEG = 360 / POCKETS
_PER_POCKET = BINS // POCKETS
_MIDDLE = slice(_PER_POCKET // 5, _PER_POCKET - _PER_POCKET // 5)  # away from the frets


@dataclass(frozen=True, slots=True, kw_only=True)
class Zero:
    """Where zero's middle lies in a portrait of the ring, and how much better that fits than any other naming."""

    angle_deg: float
    margin: float


def pocket_at(from_zero_deg: float) -> tuple[int, float]:
    """The number so far clockwise from zero, and how far from its middle (in pockets, at most a half).

    >>> pocket_at(POCKET_DEG * 1.2)[0], pocket_at(-POCKET_DEG)[0]
    (32, 26)
    """
    pockets = from_zero_deg / POCKET_DEG
    nearest = round(pockets)
    return ORDER[nearest % POCKETS], pockets - nearest


def find_zero(luma: Floats, u: Floats, v: Floats) -> Zero:
    """Name the fields of a ring's portrait (rows are radii, columns angles)."""
    rows = np.concatenate([luma - luma.mean(axis=1, keepdims=True), u - 128, v - 128])
    border = _fret_column(rows)
    fields = np.roll(rows, -border, axis=1).reshape(len(rows), POCKETS, _PER_POCKET)[:, :, _MIDDLE].mean(axis=2)
    costs = np.array([_cost(np.roll(fields, -k, axis=1), len(luma)) for k in range(POCKETS)])
    best, second = np.argsort(costs)[:2]
    middle = border + (int(best) + 0.5) * _PER_POCKET - 0.5
    return Zero(angle_deg=float(middle * BIN_DEG) % 360, margin=float(1 - costs[best] / (costs[second] + 1e-6)))


def _fret_column(rows: Floats) -> int:
    """The column (of the first pocket) on which the borders between the fields lie: fields differ most if cut there."""
    doubled = np.concatenate([rows, rows[:, :_PER_POCKET]], axis=1)
    spread = [
        float((doubled[:, k : k + BINS].reshape(len(rows), POCKETS, _PER_POCKET).mean(axis=2) ** 2).sum())
        for k in range(_PER_POCKET)
    ]
    # The best cut is between columns: the first circular moment of the curve finds it better than its maximum.
    phase = np.angle(np.sum(np.array(spread) * np.exp(2j * np.pi * np.arange(_PER_POCKET) / _PER_POCKET)))
    return round(float(phase) / (2 * np.pi) * _PER_POCKET) % _PER_POCKET


def _cost(fields: Floats, luma_rows: int) -> float:
    """How unlike the reds are among themselves, and the blacks, if the first field is zero."""
    reds, blacks = fields[:, 1::2], fields[:, 2::2]
    middle_red, middle_black = np.median(reds, axis=1), np.median(blacks, axis=1)
    apart = middle_red - middle_black
    redder = apart[2 * luma_rows :].sum() + 0.2 * apart[:luma_rows].sum()
    unlike = np.abs(reds - middle_red[:, None]).sum() + np.abs(blacks - middle_black[:, None]).sum()
    # What is called red must be the redder (and, in a picture without colour, the brighter) of the two.
    return float(unlike if redder > 0 else unlike + np.abs(fields).sum())
