"""Batches: rows of equal mesh and sheet gathered, so that each is drawn in one go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from datasets.casino.scenery import Boxes, Drawn, Rows

Group = tuple[str, str]  # mesh and sheet


def batches(drawn: Sequence[Drawn], boxes: Sequence[Boxes], window: Boxes | None) -> Iterator[tuple[Group, Rows]]:
    """The rows of every group whose boxes touch the window (all, when None)."""
    found: dict[Group, list[Rows]] = {}
    for one, spans in zip(drawn, boxes, strict=True):
        inside = np.ones(len(spans), bool) if window is None else _touching(spans, window)
        for row in np.flatnonzero(inside):
            found.setdefault(one.groups[row], []).append(one.rows[row])
    for group, rows in found.items():
        yield group, np.stack(rows)


def _touching(spans: Boxes, window: Boxes) -> npt.NDArray[np.bool_]:
    inside: npt.NDArray[np.bool_] = (
        (spans[:, 0] < window[2]) & (spans[:, 2] > window[0]) & (spans[:, 1] < window[3]) & (spans[:, 3] > window[1])
    )
    return inside
