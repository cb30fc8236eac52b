"""Finding the wheel in the picture: where colours keep changing in a ring, there a wheel turns.

First the seed: the ellipse around everything that changes again and again (a ball or a hand passes any one place too
seldom to count). Then the refinement: the shape under which the ring turns most like one stiff thing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.wheel.planes import Planes
from vision.wheel.shape import Floats, Unroller, WheelShape, ellipse
from vision.wheel.turning import Spectra, aligned, common_speed, explained, likeness, peak_near, spectra_of, turned

_SEARCH_WIDTH_PX = 400
_LEAST_CHANGE = 9.0  # grey levels between the quartiles of a place's values: below it is noise
_LEAST_SHARE = 0.02  # of the picture: a smaller ring cannot be read
_LEAST_ROUNDNESS = 0.85  # how much of its ellipse, as far as it lies in the picture, the seed fills
_LEAST_EXPLAINED = 0.35
_RINGS = np.linspace(0.62, 1.04, 15, dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The wheel as it turned while it was looked for."""

    shape: WheelShape
    speed_dps: float
    quality: float


def find_wheel(pictures: Sequence[Planes]) -> Found | None:
    """The wheel that turns in these pictures (a second or two of them), if one does."""
    seeds = seeds_in(pictures)
    found = [refined for seed in seeds if (refined := _refined(seed, pictures)) is not None]
    return max(found, key=lambda each: each.quality, default=None)


def seeds_in(pictures: Sequence[Planes]) -> list[WheelShape]:
    """Ellipses around what keeps changing, the largest first."""
    change = _change(pictures)
    scale = pictures[0].luma.shape[1] / change.shape[1]
    limit = max(_LEAST_CHANGE, 0.25 * float(np.percentile(change, 99)))
    mask = (change > limit).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    seeds: list[WheelShape] = []
    for outline in sorted(outlines, key=cv2.contourArea, reverse=True)[:3]:
        hull = cv2.convexHull(outline)
        edge = _evenly(hull)
        inside = ((edge > 2) & (edge < np.array(mask.shape[::-1]) - 3)).all(axis=1)  # the picture's edge is not the ring's
        if cv2.contourArea(hull) < _LEAST_SHARE * mask.size or inside.sum() < 40:
            continue
        (x, y), (width, height), angle = cv2.fitEllipseDirect(edge[inside])
        drawn = cv2.ellipse(np.zeros_like(mask), ((x, y), (width, height), angle), 1, -1)
        filled = cv2.fillConvexPoly(np.zeros_like(mask), hull, 1)
        if (drawn & filled).sum() > _LEAST_ROUNDNESS * (drawn | filled).sum():
            seeds.append(ellipse(x, y, (width / 2, height / 2), angle).scaled(scale))
    return seeds


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


# ---- refinement --------------------------------------------------------------------------------------------------


class _Rigidity:
    """How stiffly a ring turns under a shape, over a dozen pictures whose turns are known by now."""

    def __init__(self, pictures: Sequence[Planes], angles: Floats) -> None:
        self.pictures, self.angles = pictures, angles

    def rings(self, shape: WheelShape) -> list[Spectra]:
        unroller = Unroller(shape, _RINGS)
        return [spectra_of(picture, unroller) for picture in self.pictures]

    def __call__(self, shape: WheelShape) -> float:
        return explained(self.rings(shape), self.angles)

    def turn_again(self, shape: WheelShape) -> None:
        """Measure the turns anew under a better shape."""
        rings = self.rings(shape)
        portrait = sum((turned(r, -a) for r, a in zip(rings, self.angles, strict=True)), 0 * rings[0])
        self.angles = np.array(
            [peak_near(likeness(portrait, r), float(a), 4.0)[0] for r, a in zip(rings, self.angles, strict=True)],
            np.float32,
        )


def _refined(seed: WheelShape, pictures: Sequence[Planes]) -> Found | None:
    start = _leaning(seed, pictures)
    times = np.array([picture.t for picture in pictures], np.float32)
    unroller = Unroller(start, _RINGS)
    rings = [spectra_of(picture, unroller) for picture in pictures]
    speed, agreement = common_speed(times, rings)
    angles, _ = aligned(times, rings, speed)
    chosen = np.linspace(0, len(pictures) - 1, min(12, len(pictures))).astype(int)
    rigidity = _Rigidity([pictures[k] for k in chosen], angles[chosen])
    shape, quality = _climbed(start, rigidity)
    if quality < _LEAST_EXPLAINED or agreement < 0.1:
        return None
    return Found(shape=shape, speed_dps=speed, quality=quality)


def _leaning(seed: WheelShape, pictures: Sequence[Planes]) -> WheelShape:
    """The seed with its axis set off along the short axis, as far as makes neighbouring pictures agree best.

    Only neighbours are compared: over longer times a wrong axis lets the ring slip by pockets, and still look alike.
    """
    few = pictures[:14]
    times = np.array([picture.t for picture in few], np.float32)
    angle = 0.5 * np.arctan2(2 * seed.skew, seed.wide - seed.high) + np.pi / 2
    best, start = -1.0, seed
    for lean in np.arange(-0.24, 0.25, 0.06):
        tried = replace(seed, lean_x=float(lean * np.cos(angle)), lean_y=float(lean * np.sin(angle)))
        unroller = Unroller(tried, _RINGS)
        _, agreement = common_speed(times, [spectra_of(picture, unroller) for picture in few], lags=(2, 4))
        if agreement > best:
            best, start = agreement, tried
    return start


def _climbed(seed: WheelShape, rigidity: _Rigidity) -> tuple[WheelShape, float]:
    """Better the shape step by step, each part of it in turn, with ever smaller steps."""
    shape, best = seed, rigidity(seed)
    radius = seed.radius_px
    step = 0.04
    while step > 0.002:
        improved = False
        for tried in _neighbours(shape, step, radius):
            score = rigidity(tried)
            if score > best + 1e-5:
                shape, best, improved = tried, score, True
        if not improved:
            step /= 2
        rigidity.turn_again(shape)
        best = rigidity(shape)
    return shape, best


def _neighbours(shape: WheelShape, step: float, radius: float) -> list[WheelShape]:
    """Shapes of the same area, moved, stretched or leaning a little more or less."""
    d = step * radius
    found = []
    for sign in (1, -1):
        s = sign * d
        found += [
            replace(shape, x=shape.x + s),
            replace(shape, y=shape.y + s),
            replace(shape, wide=shape.wide + s, high=shape.high - s),
            replace(shape, skew=shape.skew + s),
            replace(shape, lean_x=shape.lean_x + sign * step, x=shape.x - s),
            replace(shape, lean_y=shape.lean_y + sign * step, y=shape.y - s),
            replace(shape, lean_x=shape.lean_x + sign * step),
            replace(shape, lean_y=shape.lean_y + sign * step),
        ]
    return [each.grown(radius / each.radius_px) for each in found]
