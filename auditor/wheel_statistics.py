"""What a casino asks of a wheel over many spins: are the pockets fair, where does the ball drop, how fast is it spun.

>>> fair = [WheelSpin(t=40.0 * n, pocket=n % 37) for n in range(370)]
>>> answer = statistics(fair)
>>> answer.pockets[17], round(answer.fairness.p_value, 3), answer.spins_per_hour
(10, 1.0, 90.0)
"""

import math
import statistics as sums
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from auditor import log
from auditor.rulebooks.roulette_layout import POCKETS, WHEEL

SECTORS = 8
"""Drop zones: as many as most wheels have deflectors."""
LEAST_EXPECTED = 5
"""The chi-square test needs so many spins to be expected in every pocket; below it says nothing."""
_LONGEST_PAUSE_S = 600.0  # a table that stands longer than this is closed, not slow
_MOST_TERMS = 500


class WheelSpin(msgspec.Struct, frozen=True, kw_only=True):
    """One spin of a wheel, as far as it is known; `t` in seconds on one clock for all of them."""

    t: float
    pocket: int | None = None
    laps: float | None = None
    rpm: float | None = None
    rps: float | None = None
    drop_deg: float | None = None


class Fairness(msgspec.Struct, frozen=True, kw_only=True):
    """Pearson's test against equal chances; the p-value is None where there are too few spins to say anything."""

    spins: int
    chi_square: float
    p_value: float | None


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """A quantity over the spins, and how it drifts: its trend in units an hour."""

    spins: int
    mean: float
    deviation: float
    drift_per_hour: float


class WheelStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. `pockets` counts by number, `drops` by sector clockwise from twelve o'clock."""

    spins: int
    pockets: tuple[int, ...]
    fairness: Fairness
    drops: tuple[int, ...]
    drop_fairness: Fairness
    rotor_rpm: Spread | None
    ball_rps: Spread | None
    laps: Spread | None
    spins_per_hour: float | None

    @property
    def by_place(self) -> tuple[tuple[int, int], ...]:
        """Number and count, in the order of the wheel: what leans to one side shows side by side."""
        return tuple((number, self.pockets[number]) for number in WHEEL)


def statistics(spins: Sequence[WheelSpin]) -> WheelStatistics:
    """What the spins of one wheel come to."""
    pockets = [0] * POCKETS
    drops = [0] * SECTORS
    for spin in spins:
        if spin.pocket is not None:
            pockets[spin.pocket] += 1
        if spin.drop_deg is not None:
            drops[int(spin.drop_deg % 360 * SECTORS / 360)] += 1
    return WheelStatistics(
        spins=len(spins), pockets=tuple(pockets), fairness=fairness(pockets), drops=tuple(drops),
        drop_fairness=fairness(drops), rotor_rpm=_spread([(spin.t, spin.rpm) for spin in spins]),
        ball_rps=_spread([(spin.t, spin.rps) for spin in spins]), laps=_spread([(spin.t, spin.laps) for spin in spins]),
        spins_per_hour=_pace([spin.t for spin in spins]),
    )  # fmt: skip


def fairness(counts: Sequence[int]) -> Fairness:
    """Whether the counts differ more than equal chances let them.

    >>> fairness([20, 5, 5, 10]).p_value < 0.01
    True
    """
    total = sum(counts)
    expected = total / len(counts)
    chi_square = sum((count - expected) ** 2 for count in counts) / expected if total else 0.0
    enough = expected >= LEAST_EXPECTED
    return Fairness(
        spins=total, chi_square=chi_square, p_value=chi_square_tail(chi_square, len(counts) - 1) if enough else None
    )


def chi_square_tail(value: float, freedom: int) -> float:
    """The chance that a chi-square variable is at least this large.

    >>> round(chi_square_tail(50.998, 36), 3), round(chi_square_tail(3.841, 1), 3)
    (0.05, 0.05)
    """
    a, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1 - front * _lower_series(a, x) if x < a + 1 else front * _upper_fraction(a, x)


def _lower_series(a: float, x: float) -> float:
    """The series of the lower incomplete gamma function, without its front."""
    term = total = 1 / a
    for n in range(1, _MOST_TERMS):
        term *= x / (a + n)
        total += term
        if term < total * 1e-14:
            break
    return total


def _upper_fraction(a: float, x: float) -> float:
    """The continued fraction of the upper one, without its front (Lentz's method)."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    h = d
    for n in range(1, _MOST_TERMS):
        factor = -n * (n - a)
        b += 2
        d = 1 / (factor * d + b or tiny)
        c = b + factor / c or tiny
        h *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return h


def _spread(points: Sequence[tuple[float, float | None]]) -> Spread | None:
    known = [(t, value) for t, value in points if value is not None]
    if not known:
        return None
    times, values = [t for t, _ in known], [value for _, value in known]
    wanders = len(set(times)) > 1
    return Spread(
        spins=len(known), mean=sums.fmean(values), deviation=sums.pstdev(values),
        drift_per_hour=3600 * sums.linear_regression(times, values).slope if wanders else 0.0,
    )  # fmt: skip


def _pace(times: Sequence[float]) -> float | None:
    gaps = [b - a for a, b in pairwise(times) if 0 < b - a < _LONGEST_PAUSE_S]
    return 3600 / sums.median(gaps) if gaps else None


def spins_of(events: Iterable[tuple[float, log.AnyEvent]]) -> Iterator[WheelSpin]:
    """The spins in a wheel's events, given with the time at which their log began (seconds on one clock)."""
    current: WheelSpin | None = None
    for started, event in events:
        if isinstance(event, log.Spin):
            if current is not None:
                yield current
            current = WheelSpin(t=started + event.t, rpm=event.rpm, rps=event.rps)
        elif isinstance(event, log.Ball) and current is not None:
            current = msgspec.structs.replace(
                current,
                pocket=current.pocket if event.pocket is None else event.pocket,
                laps=current.laps if event.laps is None else event.laps,
                drop_deg=current.drop_deg if event.deg is None else event.deg,
            )
    if current is not None:
        yield current
