"""From a guess to the wheel: the shape under which a ring of fields turns most like one stiff thing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.wheel.planes import Planes
from vision.wheel.shape import Floats, Unroller, WheelShape
from vision.wheel.turning import Spectra, aligned, common_speed, explained, likeness, peak_near, spectra_of, turned

_LEAST_EXPLAINED = 0.35
_RINGS = np.linspace(0.62, 1.04, 11, dtype=np.float32)
_WIDE = np.linspace(0.3, 1.5, 61, dtype=np.float32)
_CONE = np.linspace(0.36, 0.64, 8, dtype=np.float32)
_RISES = sorted(np.linspace(-0.27, 0.27, 13), key=abs)  # a plain cone tells nothing: then the flattest is taken
_FIELD_HARMONICS = slice(14, 24)  # 37 fields in two colours make the 18th and 19th; their widths spread them a little
_STRONG_FIELDS = 0.15
_LEAST_FIELDS = 0.25
_EDGE_BLUR = 0.01
_SAME_EDGE = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The wheel as it turned while it was looked for."""

    shape: WheelShape
    speed_dps: float
    quality: float


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


def refined(start: WheelShape, pictures: Sequence[Planes]) -> Found | None:
    """The wheel that a leaning seed lies on, or nothing if no ring of fields turns there."""
    times = np.array([picture.t for picture in pictures], np.float32)
    for _ in range(2):
        unroller = Unroller(start, _RINGS)
        rings = [spectra_of(picture, unroller) for picture in pictures]
        speed, _ = common_speed(times, rings)
        angles, _ = aligned(times, rings, speed)
        chosen = np.linspace(0, len(pictures) - 1, min(9, len(pictures))).astype(int)
        rigidity = _Rigidity([pictures[k] for k in chosen], angles[chosen])
        shape, quality = _climbed(start, rigidity)
        edge, share = _fields(shape, rigidity)
        if abs(edge - 1) < _SAME_EDGE:
            break
        start = shape.grown(edge)  # something beyond the fields was taken for their edge, or less than all of them
    if quality < _LEAST_EXPLAINED or share < _LEAST_FIELDS:
        return None
    return Found(shape=_risen(shape, rigidity), speed_dps=speed, quality=quality)


def _risen(shape: WheelShape, rigidity: "_Rigidity") -> WheelShape:
    """The shape with the cone as high as makes its inlays turn most like one stiff thing."""

    def stiffness(rise: float) -> float:
        unroller = Unroller(replace(shape, cone_rise=rise), _CONE)
        return explained([spectra_of(picture, unroller) for picture in rigidity.pictures], rigidity.angles)

    return replace(shape, cone_rise=float(max(_RISES, key=stiffness)))


def _fields(shape: WheelShape, rigidity: "_Rigidity") -> tuple[float, float]:
    """The outer edge of what alternates as 37 fields do, and how much of all that turns there is such alternation."""
    unroller = Unroller(shape, _WIDE)
    rings = [spectra_of(picture, unroller) for picture in rigidity.pictures]
    portrait = sum((turned(r, -a) for r, a in zip(rings, rigidity.angles, strict=True)), 0 * rings[0]) / len(rings)
    energy = (np.abs(portrait) ** 2).reshape(3, len(_WIDE), -1).sum(axis=0)
    fields, everything = energy[:, _FIELD_HARMONICS].sum(axis=1), energy[:, 3:80].sum(axis=1)
    strong = np.nonzero(fields > _STRONG_FIELDS * fields.max())[0]
    return float(_WIDE[strong[-1]]) + _EDGE_BLUR, float(fields[strong].sum() / (everything[strong].sum() + 1e-6))


def leaned(seed: WheelShape, pictures: Sequence[Planes]) -> tuple[WheelShape, float]:
    """The seed with its axis set off along the short axis, as far as makes neighbouring pictures agree best, and how
    well they then do.

    Only neighbours are compared: over longer times a wrong axis lets the ring slip by pockets, and still look alike.
    """
    few = pictures[:14]
    times = np.array([picture.t for picture in few], np.float32)
    right, down = seed.short_axis
    best, start = -1.0, seed
    for lean in np.arange(-0.24, 0.25, 0.06):
        tried = replace(seed, lean_x=float(lean * right), lean_y=float(lean * down))
        unroller = Unroller(tried, _RINGS)
        _, agreement = common_speed(times, [spectra_of(picture, unroller) for picture in few], lags=(2, 4))
        if agreement > best:
            best, start = agreement, tried
    return start, best


def _climbed(seed: WheelShape, rigidity: _Rigidity) -> tuple[WheelShape, float]:
    """Better the shape step by step, each part of it in turn, with ever smaller steps."""
    shape, best = seed, rigidity(seed)
    radius = seed.radius_px
    step = 0.024
    while step > 0.0025:
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
