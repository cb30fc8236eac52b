"""Things that keep their place: with the rotor (a ball in its pocket), or with the stator (a ball stuck on the rim)."""

from collections.abc import Sequence
from dataclasses import dataclass

from vision.wheel.glints import Glint
from vision.wheel.shape import wrapped

SETTLED_S = 0.8
_LEAST_LIGHT = 0.12
_REACH_DEG, _REACH_RADIUS = 3.0, 0.08
_FORGOTTEN_S = 1.2


@dataclass(slots=True)
class Place:
    """One such place: where, since when, until when, in how many of the pictures looked at."""

    angle_deg: float
    radius: float
    first_t: float
    last_t: float
    light: float
    hits: int = 1
    looks: int = 1

    @property
    def settled(self) -> bool:
        """Whether something has lain here for a while."""
        return self.last_t - self.first_t >= SETTLED_S and self.hits > 0.5 * self.looks and self.hits >= 8

    def holds(self, angle_deg: float, radius: float) -> bool:
        """Whether a thing seen there is the one that lies here."""
        return abs(self.radius - radius) < _REACH_RADIUS and abs(wrapped(self.angle_deg - angle_deg)) < _REACH_DEG

    def add(self, angle_deg: float, glint: Glint, t: float) -> None:
        self.hits += 1
        share = 1 / min(self.hits, 200)
        self.angle_deg += share * wrapped(angle_deg - self.angle_deg)
        self.radius += share * (glint.radius - self.radius)
        self.light += share * (glint.light - self.light)
        self.last_t = t


class Places:
    """All places that glints keep, within a band of radii, seen from a frame that may turn."""

    def __init__(self, inner: float, outer: float) -> None:
        self._inner, self._outer = inner, outer
        self.known: list[Place] = []

    def look(self, t: float, glints: Sequence[Glint], frame_deg: float) -> None:
        """Note the glints of one picture, from a frame turned by `frame_deg`."""
        for place in self.known:
            place.looks += 1
        for glint in glints:
            if glint.light < _LEAST_LIGHT or not self._inner <= glint.radius <= self._outer:
                continue
            angle = glint.angle_deg - frame_deg
            near = [place for place in self.known if place.holds(angle, glint.radius)]
            if near:
                max(near, key=lambda place: place.hits).add(angle, glint, t)
            else:
                self.known.append(Place(angle % 360, glint.radius, t, t, glint.light))
        self.known = [place for place in self.known if t - place.last_t < _FORGOTTEN_S]

    def settled(self) -> list[Place]:
        """The places that are taken for good, the brightest first."""
        return sorted((place for place in self.known if place.settled), key=lambda place: -place.light)
