"""The wheel eye: from the pictures of a camera to what each shows of rotor and ball. Keeps no more than two seconds."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from dataclasses import dataclass
from typing import Literal

import numpy as np

from vision.wheel.find import find_wheel
from vision.wheel.glints import Glint, glints_in
from vision.wheel.layers import Layers
from vision.wheel.lingering import Lingering, Thing
from vision.wheel.planes import Planes
from vision.wheel.refine import Found
from vision.wheel.rotor import Rotor, Turn
from vision.wheel.shape import BINS, Floats, Unroller, WheelShape, beside_turret
from vision.wheel.steady import Steady

WARM_UP, FEWEST = 45, 16
"""Pictures that are looked through to find the wheel, and the fewest that will do."""
RADII = np.arange(0.36, 2.06, 0.0175, dtype=np.float32)
HAND = 0.012
"""If so much of the view shows neither wheel nor ball, a hand is in it."""
SECTORS = 37
_POCKETS, _BOWL = 0.56, 1.04
"""A ball comes no further in than the one; outside the other the stator is seen."""
_MOVED_PX = 0.2
_LOST_S = 3.0
_BALL_CELLS, _MOVED_GREY = 40, 15.0
View = Literal["clear", "covered", "dark", "frozen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What one picture shows: the rotor, whatever might be the ball, and how good the view is.

    `covered` is how much of the view shows neither wheel nor ball, `covered_around` how much of the bowl, by sectors.
    """

    t: float
    turn: Turn
    glints: tuple[Glint, ...]
    view: View
    covered: float
    covered_around: Floats


class WheelEye:
    """Looks at one wheel, found beforehand."""

    def __init__(self, found: Found, pictures: list[Planes]) -> None:
        self.shape: WheelShape = found.shape
        self.shrink = pictures[0].shrink
        self._unroller = Unroller(found.shape, RADII)
        in_picture = self._unroller.inside(*pictures[0].luma.shape)
        self._inside = in_picture & beside_turret(found.shape, RADII)
        self._pockets, self._bowl = (int(np.searchsorted(RADII, radius)) for radius in (_POCKETS, _BOWL))
        self.rotor = Rotor(found.shape, pictures)
        self._layers = Layers([self._strip(picture) for picture in pictures], self.rotor.first_deg, RADII)
        self._light = float(np.median(self._layers.still))
        self._last: Floats | None = None
        self._steady = Steady(self._layers.still, RADII, found.shape)
        self._shift = (0.0, 0.0)
        self._usual_share = 0.002
        self._lingering = Lingering(RADII, self._layers.rotor_rows, BINS)
        self._last_seen_t = pictures[0].t
        self.lost = False

    @property
    def things(self) -> list[Thing]:
        """What has come into the wheel and stays."""
        return self._lingering.things

    def _strip(self, picture: Planes) -> Floats:
        return self._unroller.luma(picture.luma)

    def look(self, picture: Planes) -> Sighting:
        """The next picture."""
        strip = self._strip(picture)
        view = self._view(strip)
        turn = self.rotor.look(picture)
        if turn.seen or view != "clear":
            self._last_seen_t = picture.t
        self.lost = picture.t - self._last_seen_t > _LOST_S
        beyond = np.where(self._inside, self._layers.beyond(strip, turn.angle_deg), 0).astype(np.float32)
        loud = np.abs(beyond) > 6 * self._layers.noise
        share = float(loud.mean())
        self._usual_share += 0.01 * (min(share, 2 * self._usual_share + 0.002) - self._usual_share)
        covered = max(0.0, share - self._usual_share)
        rows = slice(self._pockets, None)
        glints = glints_in(beyond[rows], self._layers.noise[rows], RADII[rows]) if view == "clear" else ()
        if view == "clear" and turn.seen and covered < 0.25:
            self._layers.learn(beyond, turn.angle_deg, self._inside)
            if covered < HAND:
                self._lingering.look(picture.t, beyond, turn.angle_deg, self._layers.noise, self._inside)
        self._follow_camera(strip)
        around = loud[self._bowl :].reshape(-1, SECTORS, BINS // SECTORS).mean(axis=(0, 2), dtype=np.float32)
        return Sighting(t=picture.t, turn=turn, glints=glints, view=view, covered=covered, covered_around=around)

    def _follow_camera(self, strip: Floats) -> None:
        """Move with the picture when the camera is bumped or carried."""
        shift = self._steady.shift_px(strip)
        if max(abs(shift[0]), abs(shift[1])) > _MOVED_PX:
            self._shift = (self._shift[0] + shift[0], self._shift[1] + shift[1])
            self._unroller.move_to(self._shift)
            self.rotor.move_to(self._shift)

    def _view(self, strip: Floats) -> View:
        last, self._last = self._last, strip
        if float(np.median(strip[::4, ::5])) < 0.4 * self._light:
            return "dark"
        if last is not None and not _anything_moved(strip, last):
            return "frozen"
        return "clear"


def _anything_moved(strip: Floats, last: Floats) -> bool:
    """Whether at least a ball's worth of cells changed: a frozen picture is polished by its codec, but no more."""
    change = np.abs(strip - last).ravel()
    return float(np.partition(change, -_BALL_CELLS)[-_BALL_CELLS:].mean()) > _MOVED_GREY


def sightings(pictures: Iterable[Planes]) -> Iterator[tuple[WheelEye, Sighting]]:
    """Find the wheel, then look at it picture by picture, the ones it was found in included."""
    source = iter(pictures)
    while waiting := list(islice(source, WARM_UP)):
        found = find_wheel(waiting) if len(waiting) >= FEWEST else None
        while found is None and (more := list(islice(source, WARM_UP // 2))):
            waiting = [*waiting, *more][-WARM_UP:]
            found = find_wheel(waiting)
        if found is None:
            return
        eye = WheelEye(found, waiting)
        for picture in chain(waiting, source):
            yield eye, eye.look(picture)
            if eye.lost:
                break  # the camera looks elsewhere now: find the wheel again
