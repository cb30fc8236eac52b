"""A whole clip's course: where rotor, ball, hands and fallen things are at any time, over one or several spins."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.casino.wheel_actors import Foreign
from datasets.casino.wheel_hand import OFF_MM, HandPath, Reach
from datasets.casino.wheel_shape import Array, WheelShape
from datasets.casino.wheel_spins import SLOWING_S, TAPE_S, Tape, sign

THINGS = (
    Foreign(kind="coin", colour=(0.70, 0.75, 0.75)),
    *(Foreign(kind="chip", colour=colour) for colour in ((0.1, 0.1, 0.8), (0.8, 0.4, 0.1), (0.1, 0.8, 0.9))),
)
GRAB_S = 2.4
"""How long before a launch the dealer takes the ball out of the wheel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallen:
    """A foreign thing and the time at which it touches down; it then turns with the rotor."""

    thing: Foreign
    t: float
    radius: float
    turn: float
    """Clockwise of the zero."""
    until: float


class Timeline:
    """The clip's clock: ask it where things are."""

    def __init__(self, tapes: Sequence[Tape], shape: WheelShape, dealer_deg: float, seed: int) -> None:
        self.tapes = (*(tape.until(tape.end_s + 0.3) for tape in tapes[:-1]), tapes[-1])
        self.shape = shape
        self._dealer = math.radians(dealer_deg)
        self._chance = random.Random(seed)
        self._zeros = self._unwrapped()
        self.hands = [hand for index in range(len(tapes)) for hand in self._hands(index)]
        self.fallen = [self._thing(tape, index) for index, tape in enumerate(tapes) if tape.plan.bad == "object"]

    # ---- where things are ----

    def zero(self, t: float) -> float:
        """The zero pocket's angle, clockwise from twelve in the wheel frame, unwrapped."""
        index = self._spin_at(t)
        tape, zeros = self.tapes[index], self._zeros[index]
        since = t - tape.plan.launch_s
        if since < 0:  # before the first launch
            return float(zeros[0] + tape.rate[0] * since)
        end = TAPE_S * (len(zeros) - 1)
        if since <= end:
            low = min(int(since / TAPE_S), len(zeros) - 2)
            return float(zeros[low] + (since / TAPE_S - low) * (zeros[low + 1] - zeros[low]))
        if index + 1 == len(self.tapes):
            return float(zeros[-1] + tape.rate[-1] * SLOWING_S * (1 - math.exp((end - since) / SLOWING_S)))
        return self._bridged(index, since - end)

    def ball(self, t: float) -> Array | None:
        """The ball's radius, angle and height; None while a hand holds it or it is gone."""
        for index, tape in enumerate(self.tapes):
            since = t - tape.plan.launch_s
            if since < 0:
                return None
            if t >= self._grabbed(index):
                continue
            last = len(tape.ball) - 1
            if since / TAPE_S <= last:
                low = int(since / TAPE_S)
                part = since / TAPE_S - low
                row = tape.ball[low] + part * (tape.ball[min(low + 1, last)] - tape.ball[low])
                return None if np.isnan(row).any() else row
            if tape.end == "rest":
                return np.asarray(tape.ball[-1] + (0.0, self.zero(t) - self._zeros[index][-1], 0.0))
            return tape.ball[-1].copy() if tape.end == "stuck" else None
        return None

    def held_ball(self, t: float) -> Array | None:
        """The ball in the dealer's fingers, just before he launches it."""
        for tape in self.tapes:
            if -0.5 < t - tape.plan.launch_s < 0:
                angle = self._swing(tape, t)
                return np.array([self.shape.track_mm, angle, tape.ball[0, 2] + 2])
        return None

    # ---- the rotor between spins ----

    def _spin_at(self, t: float) -> int:
        started = [index for index, tape in enumerate(self.tapes) if tape.plan.launch_s <= t]
        return started[-1] if started else 0

    def _unwrapped(self) -> list[Array]:
        """Each tape's rotor angles, turned whole turns on from the one before, so that the way between is natural."""
        zeros: list[Array] = []
        for index, tape in enumerate(self.tapes):
            turns = 0.0
            if index:
                before = self.tapes[index - 1]
                gap = tape.plan.launch_s - before.times[-1]
                likely = zeros[-1][-1] + gap * (before.rate[-1] + tape.rate[0]) / 2
                turns = round((likely - tape.zero[0]) / (2 * math.pi)) * 2 * math.pi
            zeros.append(tape.zero + turns)
        return zeros

    def _bridged(self, index: int, since: float) -> float:
        """Between two spins: the dealer gives the wheel a new push."""
        a, b = self.tapes[index], self.tapes[index + 1]
        gap = max(b.plan.launch_s - float(a.times[-1]), 1e-3)
        p = min(since / gap, 1.0)
        start, end = float(self._zeros[index][-1]), float(self._zeros[index + 1][0])
        return float(
            (2 * p**3 - 3 * p**2 + 1) * start + (p**3 - 2 * p**2 + p) * gap * a.rate[-1]
            + (-2 * p**3 + 3 * p**2) * end + (p**3 - p**2) * gap * b.rate[0]
        )  # fmt: skip

    # ---- hands and things ----

    def _grabbed(self, index: int) -> float:
        """When the ball of a spin is taken out for the next one."""
        if index + 1 == len(self.tapes):
            return math.inf
        return max(self.tapes[index + 1].plan.launch_s - GRAB_S, self.tapes[index].end_s + 0.3)

    def _swing(self, tape: Tape, t: float) -> float:
        """The launching fingers on the track: they run up to the ball's own speed."""
        speed = (tape.ball[1, 1] - tape.ball[0, 1]) / TAPE_S
        back = min(tape.plan.launch_s - t, 0.5)
        return float(tape.ball[0, 1] - speed * (back - back * back) * 0.6)

    def _hands(self, index: int) -> list[HandPath]:
        tape, track, away = self.tapes[index], self.shape.track_mm, self._dealer
        launch = tape.plan.launch_s
        angle = self._nearest(away, float(tape.ball[0, 1]))
        turn = angle - float(tape.ball[0, 1])
        swing = [
            Reach(t=launch - lead, radius=track, angle=turn + self._swing(tape, launch - lead), z=62)
            for lead in (0.5, 0.4, 0.3, 0.2, 0.1, 0.0)
        ]
        follow = angle + sign(tape.plan.ball) * 0.25
        come, go = self._away(launch - 1.3), self._away(launch + 0.9)
        paths = [HandPath([come, *swing, Reach(t=launch + 0.2, radius=track + 45, angle=follow, z=110), go])]
        if tape.plan.bad in ("lifted", "stopped", "reversed") and tape.mishap_s is not None:
            paths.append(self._meddling(tape, tape.mishap_s))
        if index:
            paths.append(self._grab(self._grabbed(index - 1)))
        return paths

    def _away(self, t: float) -> Reach:
        return Reach(t=t, radius=OFF_MM, angle=self._dealer)

    def _nearest(self, reference: float, angle: float) -> float:
        """The same angle, less than half a turn from the reference."""
        return reference + (angle - reference + math.pi) % (2 * math.pi) - math.pi

    def _grab(self, t: float) -> HandPath:
        """The ball is taken out of its pocket, the hand turning along with the rotor."""
        ball = self.ball(t - 1e-3)
        if ball is None:
            return HandPath([self._away(t)])
        turn = self._nearest(self._dealer, float(ball[1])) - float(ball[1])
        spots = [
            Reach(t=t - early, radius=float(there[0]), angle=turn + float(there[1]), z=45)
            for early in (0.3, 0.001)
            if (there := self.ball(t - early)) is not None
        ]
        return HandPath([self._away(t - 1.0), *spots, self._away(t + 0.9)])

    def _meddling(self, tape: Tape, t: float) -> HandPath:
        """A hand takes the ball off the track, or holds the rotor by its turret."""
        away = self._dealer
        if tape.plan.bad == "lifted":
            caught = tape.ball[min(int((t - tape.plan.launch_s) / TAPE_S), len(tape.ball) - 1)]
            caught = caught if not np.isnan(caught).any() else tape.ball[~np.isnan(tape.ball[:, 0])][-1]
            angle = self._nearest(away, float(caught[1]))
            radius, linger = self.shape.track_mm, 0.25
        else:
            angle, radius, linger = away, 95.0, 1.5 if tape.plan.bad == "stopped" else 2.6
        there = [Reach(t=t + late, radius=radius, angle=angle, z=60) for late in (-0.1, linger)]
        return HandPath([self._away(t - 0.9), *there, self._away(t + linger + 0.8)])

    def _thing(self, tape: Tape, index: int) -> Fallen:
        chance = self._chance
        thing = chance.choice(THINGS)
        inner, outer = self.shape.pockets_mm[0] - 70, self.shape.pockets_mm[0] - 22
        return Fallen(
            thing=thing, t=tape.mishap_s or tape.end_s, radius=chance.uniform(inner, outer),
            turn=chance.uniform(0, 2 * math.pi), until=self._grabbed(index),
        )  # fmt: skip
