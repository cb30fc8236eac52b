"""How a spin goes: rotor and ball from the launch to the end, by a small simulation that a seed decides.

On the track the ball is slowed by rolling and by the air, below a critical speed it leaves the track; from there it is
a body on a turned surface: it slides down the bowl, strikes deflectors, hops over the frets and is taken by a pocket.
The rotor looks the same turned by a pocket's width, so a wished pocket costs nothing: the rotor starts some pockets on.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from datasets.casino.wheel_shape import PITCH, WheelShape

GRAVITY_MM = 9810.0
STEP_S = 0.001
SPEED_LIMIT_S = 14.0
"""A ball that has not come to rest so long after leaving the track is not going to."""


@dataclass(slots=True)
class Body:
    """The ball's centre off the track, in the wheel frame: polar, with the angle unwrapped."""

    r: float
    angle: float
    z: float
    v_r: float
    v_t: float
    v_z: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """How the ball is slowed on the track: a constant part and one with the square of the speed (rad/s²)."""

    rolling: float
    air: float
    start: float
    leave: float

    @property
    def _rate(self) -> float:
        return math.sqrt(self.rolling * self.air)

    @property
    def _phase(self) -> float:
        return math.atan(self.start * math.sqrt(self.air / self.rolling))

    @property
    def seconds(self) -> float:
        """From the launch to the critical speed."""
        return (self._phase - math.atan(self.leave * math.sqrt(self.air / self.rolling))) / self._rate

    def turned(self, t: float) -> float:
        """Radians since the launch."""
        return math.log(math.cos(self._phase - self._rate * t) / math.cos(self._phase)) / self.air

    def speed(self, t: float) -> float:
        """Radians per second."""
        return math.sqrt(self.rolling / self.air) * math.tan(self._phase - self._rate * t)


def critical_speed(shape: WheelShape) -> float:
    """The speed below which the bowl's slope pulls the ball off its track.

    >>> round(critical_speed(WheelShape()), 1)
    3.2
    """
    return math.sqrt(GRAVITY_MM * shape.bowl_slope / shape.track_mm)


def roll_for(shape: WheelShape, laps: float, *, air: float = 0.012, seconds: float | None = None) -> Roll:
    """The launch that makes so many laps of the track, in the time asked for where one is."""
    leave = critical_speed(shape)
    turn = 2 * math.pi * laps
    if seconds is None:
        return _launched(turn, air, 0.12, leave)
    leave = min(leave, 0.85 * turn / seconds)  # a log may ask for a lazy ball: then it leaves the track lazily
    slow, fast = 1e-5, 3.0  # bisect the drag: more of it, and the same laps take less time
    for _ in range(60):
        drag = math.sqrt(slow * fast)
        if _launched(turn, 0.02 * drag / leave, drag, leave).seconds > seconds:
            slow = drag
        else:
            fast = drag
    return _launched(turn, 0.02 * slow / leave, slow, leave)


def _launched(turn: float, air: float, rolling: float, leave: float) -> Roll:
    start = math.sqrt(((rolling + air * leave**2) * math.exp(min(2 * air * turn, 60.0)) - rolling) / air)
    return Roll(rolling=rolling, air=air, start=start, leave=leave)


class Fall:
    """The ball from the track down to its pocket."""

    def __init__(self, shape: WheelShape, chance: random.Random, body: Body) -> None:
        self.shape, self.chance, self.body = shape, chance, body
        self.struck: int | None = None
        """The deflector that was hit first."""
        self._deaf_s = 0.0
        self._still_s = 0.0

    def steps(self, zero: Iterator[tuple[float, float]]) -> Iterator[Body]:
        """The body after each step, given the rotor's angle and speed at each, until it has lain still for a while."""
        for angle, rate in zero:
            self._move(rate)
            self._strike()
            self._fret(angle, rate)
            yield self.body
            self._still_s = self._still_s + STEP_S if self._rests(rate) else 0.0
            if self._still_s > 0.25 or self.body.r > 1200:
                return

    def pocket_index(self, zero: float) -> int:
        """Which pocket the ball is over, counted clockwise from the zero."""
        return round((self.body.angle - zero) / PITCH) % 37

    def _rests(self, rate: float) -> bool:
        body = self.body
        low = body.z - self.shape.ball_mm < self.shape.fret_top_mm - 3
        return low and abs(body.v_t - rate * body.r) < 25 and abs(body.v_r) < 40 and abs(body.v_z) < 60

    def _move(self, rate: float) -> None:
        """One step of free flight, then whatever the surface does to it."""
        body, shape = self.body, self.shape
        body.v_r += body.v_t**2 / max(body.r, 5.0) * STEP_S
        body.v_t -= body.v_r * body.v_t / max(body.r, 5.0) * STEP_S
        body.v_z -= GRAVITY_MM * STEP_S
        body.r = abs(body.r + body.v_r * STEP_S)
        body.angle += body.v_t / max(body.r, 5.0) * STEP_S
        body.z += body.v_z * STEP_S
        floor = shape.height_mm(body.r) + shape.ball_mm
        if body.z > floor:
            return
        body.z = floor
        slope = max(-3.0, min(3.0, shape.slope(body.r)))
        length = math.hypot(1.0, slope)
        normal_r, normal_z = -slope / length, 1 / length
        into = body.v_r * normal_r + body.v_z * normal_z
        if into < 0:
            bounce = 0.55 if into < -120 else 0.0
            body.v_r -= (1 + bounce) * into * normal_r
            body.v_z -= (1 + bounce) * into * normal_z
            self._rub(rate, -into)

    def _rub(self, rate: float, into: float) -> None:
        """Friction towards the speed of what it lies on: gentle while rolling on the bowl, firm on the rotor."""
        body = self.body
        on_rotor = body.r < self.shape.rotor_mm
        slip = body.v_t - (rate * body.r if on_rotor else 0.0)
        grip = (0.1 if on_rotor else 0.008) * max(into, GRAVITY_MM * STEP_S * 0.5)
        body.v_t -= math.copysign(min(abs(slip), grip), slip)
        body.v_r *= 1 - (1.5 if on_rotor else 0.3) * STEP_S

    def _strike(self) -> None:
        """A deflector turns the ball aside and throws it up."""
        body, shape = self.body, self.shape
        self._deaf_s -= STEP_S
        if self._deaf_s > 0 or body.z - shape.height_mm(body.r) > shape.ball_mm + 8:
            return
        spacing = 2 * math.pi / shape.deflectors
        index = int(body.angle % (2 * math.pi) / spacing)
        along_r, along_t = shape.deflector_axes_mm(index)
        offset = (body.angle - shape.deflector_angle(index) + math.pi) % (2 * math.pi) - math.pi
        near = math.hypot((body.r - shape.deflector_mm) / (along_r + 5), offset * body.r / (along_t + 5))
        if near > 1:
            return
        if self.struck is None:
            self.struck = index
        speed = abs(body.v_t)
        body.v_t *= self.chance.uniform(0.35, 0.85)
        body.v_r = self.chance.uniform(-0.45, 0.15) * speed
        body.v_z = self.chance.uniform(0.1, 0.45) * speed
        self._deaf_s = 0.08

    def _fret(self, zero: float, rate: float) -> None:
        """The frets: a fast ball is thrown over the next one, a slow one bounces back and forth in its pocket."""
        body, shape = self.body, self.shape
        inner, outer = shape.pockets_mm
        if not inner - 4 < body.r < outer + 2 or body.z - shape.ball_mm > shape.fret_top_mm:
            return
        relative = body.angle - zero
        centre = round(relative / PITCH) * PITCH
        free = PITCH / 2 - 0.75 * shape.ball_mm / body.r
        off = relative - centre
        slip = body.v_t - rate * body.r
        if abs(off) <= free or off * slip < 0:
            return
        hop = abs(slip) > 260 and self.chance.random() < 0.7
        if hop or body.z - shape.ball_mm > shape.fret_top_mm - 2.5:
            body.v_z = self.chance.uniform(0.35, 0.75) * min(abs(slip), 900) + 150
            slip *= self.chance.uniform(0.6, 0.9)
        else:
            slip *= -self.chance.uniform(0.35, 0.65)
            body.angle = zero + centre + math.copysign(free, off)
        body.v_r += self.chance.uniform(-0.25, 0.35) * abs(slip)
        body.v_t = rate * body.r + slip
