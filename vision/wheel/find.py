"""Finding the wheel in the picture: where colours keep changing in a ring, there a wheel turns.

The seed is the ellipse around everything that changes again and again; a ball or a hand passes any one place too seldom
to count. `refine` makes a wheel of it, or says that it is none.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.wheel.planes import Planes
from vision.wheel.refine import Found, leaned, refined
from vision.wheel.shape import Floats, WheelShape, ellipse

_SEARCH_WIDTH_PX = 400
_LEAST_CHANGE = 9.0  # grey levels between the quartiles of a place's values: below it is noise
_CHANGE_SHARES = (0.25, 0.4, 0.55)  # of the strongest change
_MOST_TRIED, _LEAST_AGREEMENT = 2, 0.2
_LEAST_SHARE = 0.02  # of the picture: a smaller ring cannot be read
_LEAST_ROUNDNESS = 0.85  # how much of its ellipse, as far as it lies in the picture, the seed fills


def find_wheel(pictures: Sequence[Planes]) -> Found | None:
    """The wheel that turns in these pictures (a second or two of them), if one does: on the likeliest of the seeds."""
    leaning = sorted((leaned(seed, pictures) for seed in seeds_in(pictures)), key=lambda each: -each[1])
    for start, agreement in leaning[:_MOST_TRIED]:
        found = refined(start, pictures) if agreement > _LEAST_AGREEMENT else None
        if found is not None:
            return found
    return None


def seeds_in(pictures: Sequence[Planes]) -> list[WheelShape]:
    """Ellipses around what keeps changing, or changes most: where the camera sways, every edge changes a little."""
    changing = _change(pictures)
    scale = pictures[0].luma.shape[1] / changing.shape[1]
    seeds: list[WheelShape] = []
    for share in _CHANGE_SHARES:
        for seed in _ellipses(changing > max(_LEAST_CHANGE, share * float(np.percentile(changing, 99)))):
            if not any(seed.like(other) for other in seeds):
                seeds.append(seed)
    return [seed.scaled(scale) for seed in seeds]


def _ellipses(changing: NDArray[np.bool_]) -> Iterator[WheelShape]:
    mask = changing.astype(np.uint8)
    for step, side in ((cv2.MORPH_OPEN, 2), (cv2.MORPH_CLOSE, 9)):
        mask = np.asarray(cv2.morphologyEx(mask, step, np.ones((side, side), np.uint8)), np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in sorted(outlines, key=cv2.contourArea, reverse=True)[:3]:
        hull = cv2.convexHull(outline)
        edge = _evenly(hull)
        # Where the picture cuts the ring off, the picture's edge is not the ring's.
        inside = ((edge > 2) & (edge < np.array(mask.shape[::-1]) - 3)).all(axis=1)
        if cv2.contourArea(hull) < _LEAST_SHARE * mask.size or inside.sum() < 40:
            continue
        (x, y), (width, height), angle = cv2.fitEllipseDirect(edge[inside])
        round_one, real_one = np.zeros_like(mask), np.zeros_like(mask)
        cv2.ellipse(round_one, ((x, y), (width, height), angle), 1, -1)
        cv2.fillConvexPoly(real_one, hull, 1)
        if (round_one & real_one).sum() > _LEAST_ROUNDNESS * (round_one | real_one).sum():
            yield ellipse(x, y, (width / 2, height / 2), angle)


def _evenly(hull: np.ndarray) -> np.ndarray:
    """A hull has few points on straight stretches: points at even steps weigh the whole outline alike."""
    corners = hull[:, 0, :].astype(np.float32)
    ends = np.roll(corners, -1, axis=0)
    steps = [
        start + (end - start) * (k / n)
        for start, end in zip(corners, ends, strict=True)
        for n in [max(1, int(np.linalg.norm(end - start) // 2))]
        for k in range(n)
    ]
    return np.array(steps, np.float32)


def _change(pictures: Sequence[Planes]) -> Floats:
    """How far apart the quartiles of every place's values lie, over luma and colour."""
    chosen = [pictures[k] for k in np.linspace(0, len(pictures) - 1, min(24, len(pictures))).astype(int)]
    height, width = chosen[0].luma.shape
    size = (_SEARCH_WIDTH_PX, max(1, round(height * _SEARCH_WIDTH_PX / width)))
    total = np.zeros((size[1], size[0]), np.float32)
    for name, weight in (("luma", 0.6), ("u", 1.0), ("v", 1.5)):
        stack = np.stack([cv2.resize(getattr(each, name), size, interpolation=cv2.INTER_AREA) for each in chosen])
        stack.partition((len(chosen) // 4, 3 * len(chosen) // 4), axis=0)
        total += weight * (stack[3 * len(chosen) // 4].astype(np.float32) - stack[len(chosen) // 4])
    return np.asarray(cv2.GaussianBlur(total, (3, 3), 0), np.float32)
