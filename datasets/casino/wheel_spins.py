"""Spins as they are asked for and as they went: plans, bad ones included, played out on a tape to be rendered."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from auditor.rulebooks.roulette_layout import WHEEL
from datasets.casino.wheel_physics import SPEED_LIMIT_S, STEP_S, Body, Fall, Roll, roll_for
from datasets.casino.wheel_shape import PITCH, Array, WheelShape, pocket_angle

Turning = Literal["cw", "ccw"]
Bad = Literal["same_direction", "short", "out", "stuck", "lifted", "object", "stopped", "reversed"]
BAD: tuple[Bad, ...] = ("same_direction", "short", "out", "stuck", "lifted", "object", "stopped", "reversed")
RULES: dict[Bad, str] = {
    "same_direction": "9.1", "short": "5.2", "out": "9.5", "stuck": "9.4", "lifted": "9.4", "object": "9.3",
    "stopped": "5.1", "reversed": "9.1",
}  # fmt: skip
TAPE_S = 0.004
SLOWING_S = 90.0
"""A free rotor keeps a third of its speed so long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpinPlan:
    """A spin to be made. Times are on the clip's clock; `track_s` and `fall_s` are wishes for its two parts."""

    seed: int
    launch_s: float = 1.5
    laps: float = 8.0
    pocket: int | None = None
    ball: Turning = "cw"
    wheel: Turning = "ccw"
    rpm: float = 20.0
    launch_deg: float | None = None
    """Where the ball is let go, clockwise from twelve in the wheel frame."""
    bad: Bad | None = None
    mishap_s: float | None = None
    """When the ball is lifted or stuck or something happens to the wheel, after the launch."""
    track_s: float | None = None
    fall_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tape:
    """A spin played out: everything at even times from the launch on, and the moments that count (clip clock)."""

    plan: SpinPlan
    zero: Array
    rate: Array
    ball: Array
    """Radius, angle and height of the ball's centre in mm and radians; NaN once it is gone."""
    leave_s: float | None
    end_s: float
    end: Literal["rest", "stuck", "out", "lifted"]
    laps: float
    pocket: int | None
    deflector: int | None
    mishap_s: float | None

    @property
    def times(self) -> Array:
        """The clip's clock at each place of the tape."""
        return np.asarray(self.plan.launch_s + TAPE_S * np.arange(len(self.zero)))

    def until(self, t: float) -> "Tape":
        """The tape cut off at a time: what comes after belongs to the next spin."""
        count = max(2, math.ceil((t - self.plan.launch_s) / TAPE_S))
        return replace(self, zero=self.zero[:count], rate=self.rate[:count], ball=self.ball[:count])


def track_seconds(laps: float, shape: WheelShape | None = None) -> float:
    """How long a ball that makes so many laps usually stays on the track.

    >>> [round(track_seconds(laps)) for laps in (2, 6, 12, 18)]
    [3, 8, 13, 16]
    """
    return roll_for(shape or WheelShape(), laps).seconds


def sign(turning: Turning) -> int:
    """Clockwise is positive."""
    return 1 if turning == "cw" else -1


def play(plan: SpinPlan, shape: WheelShape) -> Tape:
    """Play a spin out. Where a duration of the fall is wished, the nearest of a few chances is taken."""
    if plan.fall_s is None or plan.bad in ("out", "stuck", "lifted"):
        return _played(plan, shape, plan.seed)
    tapes = [_played(plan, shape, 1000 * plan.seed + n) for n in range(8)]
    nearest = min(tapes, key=lambda tape: abs(tape.end_s - (tape.leave_s or tape.end_s) - (plan.fall_s or 0)))
    return _paced(nearest, plan.fall_s)


def _paced(tape: Tape, fall_s: float) -> Tape:
    """The same tape with its fall, as seen from the rotor, slowed or hurried to last as long as wished."""
    if tape.leave_s is None:
        return tape
    leave = round((tape.leave_s - tape.plan.launch_s) / TAPE_S)
    pace = (tape.end_s - tape.leave_s) / fall_s
    count = leave + int((len(tape.ball) - leave) / pace)
    drift = tape.rate[-1] * TAPE_S * np.arange(1, max(0, count - len(tape.zero)) + 1)
    zero = np.concatenate([tape.zero, tape.zero[-1] + drift])[:count]
    rate = np.concatenate([tape.rate, np.full(len(drift), tape.rate[-1])])[:count]
    at = np.arange(len(tape.ball))
    source = np.concatenate([np.arange(leave), leave + pace * np.arange(count - leave)])
    relative = tape.ball[:, 1] - tape.zero
    angle = zero + np.interp(source, at, relative)
    ball = np.column_stack([np.interp(source, at, tape.ball[:, 0]), angle, np.interp(source, at, tape.ball[:, 2])])
    return replace(tape, zero=zero, rate=rate, ball=ball, end_s=tape.leave_s + fall_s)


def _played(plan: SpinPlan, shape: WheelShape, seed: int) -> Tape:
    for attempt in range(20):  # now and then a ball circles on without finding a pocket
        tape = _attempt(plan, shape, random.Random(seed * 101 + attempt))
        if tape is not None:
            return tape
    raise AssertionError(f"spin {plan} does not come to an end")


def _attempt(plan: SpinPlan, shape: WheelShape, chance: random.Random) -> Tape | None:
    roll = roll_for(shape, plan.laps, air=chance.uniform(0.008, 0.016), seconds=plan.track_s)
    mishap_s = plan.mishap_s
    if mishap_s is None and plan.bad in ("stuck", "lifted", "object", "stopped", "reversed"):
        mishap_s = roll.seconds * chance.uniform(0.45, 0.9)
    launch = chance.uniform(0, 2 * math.pi) if plan.launch_deg is None else math.radians(plan.launch_deg)
    seconds = roll.seconds + SPEED_LIMIT_S
    zero, rate = _rotor(plan, chance.uniform(0, 2 * math.pi), mishap_s, seconds)
    on_track = _on_track(plan, shape, roll, launch, chance)
    if plan.bad in ("stuck", "lifted") and mishap_s is not None:
        return _ended_on_track(plan, zero, rate, on_track, mishap_s, chance)
    start = Body(shape.track_mm, on_track[-1, 1], on_track[-1, 2], -60.0, 0.0, 0.0)
    start.v_t = sign(plan.ball) * roll.leave * shape.track_mm * chance.uniform(0.92, 0.97)
    fall = Fall(shape, chance, start)
    falling = _falling(fall, _between(zero, rate, len(on_track)), plan.bad == "out")
    ball = np.concatenate([on_track, falling])
    count = len(ball)
    gone = float(ball[-1, 0]) > 1000
    if gone is not (plan.bad == "out") or count >= len(zero) - 2:
        return None
    turn = fall.pocket_index(zero[count - 1]) if not gone else 0
    pocket = None if gone else WHEEL[turn]
    if plan.pocket is not None and pocket is not None:
        zero = zero + turn * PITCH - pocket_angle(plan.pocket)
        pocket = plan.pocket
    end = len(on_track) + _final(falling, zero[len(on_track) : count], shape, out=gone)
    return Tape(
        plan=plan, zero=zero[:count], rate=rate[:count], ball=ball, leave_s=plan.launch_s + roll.seconds,
        end_s=plan.launch_s + TAPE_S * end, end="out" if gone else "rest", laps=plan.laps, pocket=pocket,
        deflector=fall.struck, mishap_s=None if mishap_s is None else plan.launch_s + mishap_s,
    )  # fmt: skip


def _rotor(plan: SpinPlan, start: float, mishap_s: float | None, seconds: float) -> tuple[Array, Array]:
    """The rotor's angle and speed on the tape: slowly losing speed, or stopped or reversed by somebody."""
    t = np.arange(0, seconds, TAPE_S)
    rate = sign(plan.wheel) * plan.rpm * 2 * math.pi / 60 * np.exp(-t / SLOWING_S)
    if mishap_s is not None and plan.bad in ("stopped", "reversed"):
        after = 0.0 if plan.bad == "stopped" else -0.7
        ease = np.clip((t - mishap_s) / 1.2, 0, 1)
        rate *= 1 + (after - 1) * ease * ease * (3 - 2 * ease)
    angle = start + np.concatenate([[0.0], np.cumsum((rate[1:] + rate[:-1]) / 2 * TAPE_S)])
    return angle, rate


def _on_track(plan: SpinPlan, shape: WheelShape, roll: Roll, launch: float, chance: random.Random) -> Array:
    """The ball on its track; freshly launched it rattles against the rim."""
    times = np.arange(0, roll.seconds, TAPE_S)
    angle = launch + sign(plan.ball) * np.array([roll.turned(t) for t in times])
    rattle = 2.5 * np.exp(-times / 0.8) * np.abs(np.sin(times * chance.uniform(20, 40)))
    radius = shape.track_mm - rattle
    height = shape.height_mm(shape.track_mm) + shape.ball_mm + rattle
    return np.column_stack([radius, angle, height])


def _ended_on_track(
    plan: SpinPlan, zero: Array, rate: Array, track: Array, mishap_s: float, chance: random.Random
) -> Tape:
    """The ball is taken out of the track, or something there brakes it until it stands."""
    at = min(int(mishap_s / TAPE_S), len(track) - 2)
    linger = int(5.0 / TAPE_S)
    if plan.bad == "lifted":
        after = np.full((linger, 3), np.nan)
        end = at
    else:
        speed = (track[at, 1] - track[at - 1, 1]) / TAPE_S
        braking_s = chance.uniform(0.5, 1.2)
        t = TAPE_S * np.arange(1, linger + 1)
        ran = np.where(t < braking_s, t - t * t / (2 * braking_s), braking_s / 2)
        after = np.tile(track[at], (linger, 1))
        after[:, 1] += speed * ran
        end = at + int(braking_s / TAPE_S)
    ball = np.concatenate([track[: at + 1], after])
    stop = min(end, len(ball) - 1) if plan.bad == "stuck" else at
    return Tape(
        plan=plan, zero=zero[: len(ball)], rate=rate[: len(ball)], ball=ball, leave_s=None,
        end_s=plan.launch_s + TAPE_S * end, end="lifted" if plan.bad == "lifted" else "stuck",
        laps=abs(float(ball[stop, 1] - ball[0, 1])) / (2 * math.pi), pocket=None, deflector=None,
        mishap_s=plan.launch_s + mishap_s,
    )  # fmt: skip


def _between(zero: Array, rate: Array, start: int) -> Iterator[tuple[float, float]]:
    """The rotor at the simulation's finer steps."""
    parts = round(TAPE_S / STEP_S)
    for index in range(start, len(zero) - 1):
        for part in range(parts):
            yield float(zero[index] + (zero[index + 1] - zero[index]) * part / parts), float(rate[index])


def _falling(fall: Fall, rotor: Iterator[tuple[float, float]], out: bool) -> Array:
    """The fall on the tape. A ball that is to fly out is thrown by the first deflector it strikes."""
    rows: list[tuple[float, float, float]] = []
    every = round(TAPE_S / STEP_S)
    thrown = False
    for count, body in enumerate(fall.steps(rotor)):
        if out and not thrown and fall.struck is not None:
            body.v_r, body.v_z, thrown = 1200.0, 1600.0, True
        if count % every == 0:
            rows.append((body.r, body.angle, body.z))
    return np.array(rows)


def _final(falling: Array, zero: Array, shape: WheelShape, *, out: bool) -> int:
    """The place on the tape at which the ball left the wheel, or came to rest against the rotor."""
    if out:
        return int(np.argmax(falling[:, 0] > shape.rim_mm[1]))
    relative = falling[:, 1] - zero
    settled = np.abs(relative - relative[-1]) > math.radians(0.5)
    high = falling[:, 2] > falling[-1, 2] + 3
    moving = np.flatnonzero(settled | high)
    return int(moving[-1]) + 1 if len(moving) else 0
