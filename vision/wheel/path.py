"""The way of the ball round the track: where the track runs, when the ball left it, how many laps it made."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.wheel.ball import Hit, pace

_LEAST_OFF, _MOST_OFF = 0.018, 0.05  # so much further in than the track, the ball has left it
_ON_SHARE = 0.6
_HAND_S = 2.5  # so long a hand may be seen to carry the ball round
_LET_GO_SHARE = 0.8
_PULL = (1e-6, 0.5, 0.5, 2.0, 2.0)  # towards a plain circle, where few hits leave it open


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackLine:
    """The ball's radius on the track, by angle: a tilted camera sees the raised track off the wheel's middle."""

    waves: tuple[float, ...]

    def radius(self, angles_deg: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(_waves(angles_deg) @ np.array(self.waves), np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """What the hits of a run come to."""

    line: TrackLine
    launch: Hit
    leave: Hit | None
    turned_deg: float
    speed_dps: float


def track_line(hits: Sequence[Hit]) -> TrackLine:
    """Fitted to the first part of the run, in which the ball is still on the track; a few stray hits do not matter."""
    turned = abs(hits[-1].angle_deg - hits[0].angle_deg)
    early = [hit for hit in hits if abs(hit.angle_deg - hits[0].angle_deg) <= max(_ON_SHARE * turned, 90.0)]
    radii = np.array([hit.radius for hit in early])
    design = _waves(np.array([hit.angle_deg for hit in early]))
    weights = np.ones_like(radii)
    answer = np.zeros(design.shape[1])
    for _ in range(5):
        weighted = design * weights[:, None]
        pull = np.diag(_PULL)
        answer = np.linalg.solve(weighted.T @ design + pull, weighted.T @ radii)
        weights = 1 / (1 + (np.abs(radii - design @ answer) / 0.02) ** 2)
    return TrackLine(waves=tuple(answer.tolist()))


def _waves(angles_deg: NDArray[np.float64]) -> NDArray[np.float64]:
    """A circle seen aslant, and off its middle, needs no more than two waves a turn."""
    a = np.radians(angles_deg)
    return np.stack([np.ones_like(a), np.cos(a), np.sin(a), np.cos(2 * a), np.sin(2 * a)], axis=1)


def path_of(hits: Sequence[Hit]) -> Path:
    """Follow a run from the hand that lets go of it to where it leaves the track for good."""
    start = _let_go(hits)
    hits = hits[start:]
    line = track_line(hits)
    angles = np.array([hit.angle_deg for hit in hits])
    inward = line.radius(angles) - np.array([hit.radius for hit in hits])
    leave = _left(hits, inward)
    until = leave if leave is not None else hits[-1]
    early = [hit for hit in hits if hit.t - hits[0].t < 0.5]
    return Path(
        line=line, launch=hits[0], leave=leave, turned_deg=until.angle_deg - hits[0].angle_deg, speed_dps=pace(early),
    )  # fmt: skip


def _let_go(hits: Sequence[Hit]) -> int:
    """A ball let go only slows: it is still in the hand while it gathers speed."""
    early = [hit for hit in hits if hit.t - hits[0].t < _HAND_S]
    speeds = [abs(pace(early[max(0, k - 2) : k + 3])) for k in range(len(early))]
    if len(speeds) < 5:
        return 0
    top = float(np.percentile(speeds, 80))
    return next((k for k, speed in enumerate(speeds) if speed > _LET_GO_SHARE * top), 0)


def _left(hits: Sequence[Hit], inward: NDArray[np.float64]) -> Hit | None:
    """Where the ball first goes further in than it ever wavers, and stays there: a rolling ball may come near again."""
    waver = 1.48 * float(np.median(np.abs(inward)))
    off = min(_MOST_OFF, max(_LEAST_OFF, 4 * waver))
    for k in range(1, len(hits) - 3):
        if inward[k] > off and inward[k : k + 4].min() > 0.8 * off:
            soon = [inward[j] for j in range(k, len(hits)) if hits[j].t - hits[k].t < 0.6]
            if max(soon) > 2 * off:
                return hits[k - 1]
    return None
