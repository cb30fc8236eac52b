"""Whether the picture of the wheel has moved: its rings then come nearer on one side and go away on the other."""

import numpy as np
from numpy.typing import NDArray

from vision.wheel.shape import BINS, Floats, WheelShape

_SECTORS = 37
_FARTHEST_ROWS = 9
_GENTLY = 0.5


class Steady:
    """Compares the rings' edges, sector by sector, with where they were at first."""

    def __init__(self, still: Floats, radii: Floats, shape: WheelShape) -> None:
        self._edges = _edges_of(still)
        self._weight = (self._edges**2).sum(axis=1)
        self._row_px = float(radii[1] - radii[0]) * shape.radius_px
        angles = 2 * np.pi * (np.arange(_SECTORS) + 0.5) / _SECTORS
        self._outward = np.stack([np.sin(angles), -np.cos(angles)], axis=1)
        # a step outward in the strip is a longer one in the picture along the ellipse's long axis
        self._stretch = np.array([shape.wide, shape.high]) / shape.radius_px

    def shift_px(self, strip: Floats) -> tuple[float, float]:
        """How far the wheel has moved since the strips were last taken anew; gently, for one picture may be wrong."""
        edges = _edges_of(strip)
        padded = np.pad(edges, ((0, 0), (_FARTHEST_ROWS, _FARTHEST_ROWS)))
        moved_by = np.lib.stride_tricks.sliding_window_view(padded, edges.shape[1], axis=1)
        alike = np.einsum("skr,sr->ks", moved_by, self._edges)
        best = np.clip(np.argmax(alike, axis=0), 1, 2 * _FARTHEST_ROWS - 1)
        low, top, high = (alike[best + k, np.arange(_SECTORS)] for k in (-1, 0, 1))
        between = np.clip(0.5 * (low - high) / np.minimum(low - 2 * top + high, -1e-6), -0.5, 0.5)
        moved = (best - _FARTHEST_ROWS + between) * self._row_px
        return self._fitted(moved, self._weight * (top > 0.5 * self._weight))

    def _fitted(self, moved: NDArray[np.float64], trust: NDArray[np.float64]) -> tuple[float, float]:
        answer = np.zeros(2)
        weight = trust.astype(np.float64)
        for _ in range(4):
            weighted = self._outward * weight[:, None]
            answer = np.linalg.solve(weighted.T @ self._outward + 1e-6 * np.eye(2), weighted.T @ moved)
            off = np.abs(moved - self._outward @ answer)
            weight = trust / (1 + (off / self._row_px) ** 2)
        agreeing = float((trust * (off < 1.2 * self._row_px)).sum()) / (float(trust.sum()) + 1e-6)
        if agreeing < 0.6:
            return 0.0, 0.0
        x, y = answer * self._stretch * (_GENTLY if np.abs(answer).max() < 3 * self._row_px else 1.0)
        return float(x), float(y)


def _edges_of(strip: Floats) -> NDArray[np.float32]:
    """Brightness differences between neighbouring rings, averaged over sectors so that no field of the rotor counts."""
    columns = BINS // _SECTORS
    wide = np.concatenate([strip[:, -columns:], strip, strip[:, :columns]], axis=1)
    sectors = wide.reshape(len(strip), _SECTORS + 2, columns).mean(axis=2)
    mean = (sectors[:, :-2] + sectors[:, 1:-1] + sectors[:, 2:]) / 3
    edges = np.diff(mean, axis=0, prepend=mean[:1]).T
    return np.asarray(np.clip(edges, -25, 25), np.float32)
