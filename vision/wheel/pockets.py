"""The order of the pockets, and which of the ring's 37 fields is zero.

The fields alternate red and black, and the odd one among them is zero. So no colour has to be known beforehand: of the
37 ways to name the fields, one leaves all reds alike and all blacks alike. A wheel with two zeros, or one that is seen
in a mirror, is left least unlike by another order: then no pocket can be named.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from vision.wheel.shape import BINS, Floats

# NI2002-45 Roulette 2.1, Appendix A: clockwise.
ORDER = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
POCKETS = len(ORDER)
POCKET_DEG = 360 / POCKETS
Layout = Literal["single-zero", "double-zero", "mirrored"]
_PER_POCKET = BINS // POCKETS
_MIDDLE = slice(_PER_POCKET // 5, _PER_POCKET - _PER_POCKET // 5)  # away from the frets


@dataclass(frozen=True, slots=True, kw_only=True)
class Zero:
    """Where zero's middle lies in a portrait of the ring, the order that fits, and how much better than any other."""

    angle_deg: float
    layout: Layout
    margin: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """The colours of a ring of fields, clockwise from a zero."""

    layout: Layout
    fields: int
    reds: tuple[int, ...]
    blacks: tuple[int, ...]


_ORDERS = (
    _Order(layout="single-zero", fields=37, reds=tuple(range(1, 37, 2)), blacks=tuple(range(2, 37, 2))),
    _Order(layout="mirrored", fields=37, reds=tuple(range(2, 37, 2)), blacks=tuple(range(1, 37, 2))),
    _Order(
        layout="double-zero", fields=38, reds=tuple(range(2, 38, 2)),
        blacks=tuple(field for field in range(1, 38, 2) if field != 19),
    ),
)  # fmt: skip


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
    namings = sorted(
        (cost, 360 * (border + (first + 0.5) * _PER_POCKET - 0.5) / (order.fields * _PER_POCKET) % 360, order.layout)
        for order in _ORDERS
        for border, costs in [_costs(rows, len(luma), order)]
        for first, cost in enumerate(costs)
    )
    (best, angle, layout), others = namings[0], namings[1:]
    # The two zeros of one wheel are as good as each other.
    second = next(cost for cost, _, other in others if (layout, other) != ("double-zero", "double-zero"))
    return Zero(angle_deg=angle, layout=layout, margin=1 - best / (second + 1e-6))


def _costs(rows: Floats, luma_rows: int, order: _Order) -> tuple[int, list[float]]:
    """Where the fields begin, and how badly the order fits them from each field on."""
    columns = order.fields * _PER_POCKET
    even = np.fft.irfft(np.fft.rfft(rows, axis=1), columns, axis=1) * (columns / rows.shape[1])
    border = _fret_column(even, order.fields)
    parted = np.roll(even, -border, axis=1).reshape(len(rows), order.fields, _PER_POCKET)
    fields = parted[:, :, _MIDDLE].mean(axis=2)
    return border, [_cost(np.roll(fields, -first, axis=1), luma_rows, order) for first in range(order.fields)]


def _fret_column(rows: Floats, fields: int) -> int:
    """The column (of the first field) on which the borders between the fields lie: fields differ most if cut there."""
    doubled = np.concatenate([rows, rows[:, :_PER_POCKET]], axis=1)
    spread = [
        float((doubled[:, k : k + rows.shape[1]].reshape(len(rows), fields, _PER_POCKET).mean(axis=2) ** 2).sum())
        for k in range(_PER_POCKET)
    ]
    # The best cut is between columns: the first circular moment of the curve finds it better than its maximum.
    phase = np.angle(np.sum(np.array(spread) * np.exp(2j * np.pi * np.arange(_PER_POCKET) / _PER_POCKET)))
    return round(float(phase) / (2 * np.pi) * _PER_POCKET) % _PER_POCKET


def _cost(fields: Floats, luma_rows: int, order: _Order) -> float:
    """How unlike the reds are among themselves, and the blacks, per field, if the first field is zero."""
    reds, blacks = fields[:, order.reds], fields[:, order.blacks]
    middle_red, middle_black = np.median(reds, axis=1), np.median(blacks, axis=1)
    apart = middle_red - middle_black
    redder = apart[2 * luma_rows :].sum() + 0.2 * apart[:luma_rows].sum()
    unlike = np.abs(reds - middle_red[:, None]).sum() + np.abs(blacks - middle_black[:, None]).sum()
    # What is called red must be the redder (and, in a picture without colour, the brighter) of the two.
    return float(unlike if redder > 0 else unlike + np.abs(fields).sum()) / (len(order.reds) + len(order.blacks))
