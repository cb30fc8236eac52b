"""What became of a ball that did not simply come to rest: taken out, flown out, stuck, or disturbed by a thing."""

import numpy as np

from vision.wheel.attempt import Attempt
from vision.wheel.ball import OUTSIDE, Hit
from vision.wheel.eye import SECTORS, WheelEye
from vision.wheel.glints import Glint
from vision.wheel.lingering import Thing
from vision.wheel.path import Path
from vision.wheel.shape import CONE_EDGE, wrapped
from vision.wheel.told import End, Trouble

_CLEAR_S = 1.5  # so long the wheel must be seen without the ball before the ball can be called gone
_RIDING_S, _RIDDEN_DEG, _STILL_THERE_S = 3.0, 100.0, 0.6
_BALL_AND_SHADOW_DEG = 10.0
_HAND_GONE_S = 0.5  # after the launch the hand's own ghost must fade
_FLIGHT_S, _FLIGHT_DEG = 0.4, 45.0
_FLIGHT_LIGHT = (0.2, 2.5)  # a ball that flies is smeared outward, and shows little of its light
_FLIGHT_SPEED = 4.0  # radii a second outward, a metre: no ball rolls so, and one that strikes the rim is seen again
_BEYOND, _SAME_DEG = 0.08, 3.0
_HAND_S = (0.4, 0.6)  # before and after the ball was last seen, the hand that took it was there
_HAND_SHARE, _HAND_PICTURES = 0.1, 4  # a ball covers a hundredth of the bowl beside it, fingers a tenth and more


def end_of(attempt: Attempt, path: Path) -> tuple[End, float | None]:
    """How the ball ended, and when; nothing is decided where that was not seen."""
    if attempt.rest is not None:
        return "rest", attempt.rest.first_t
    if attempt.stuck is not None:
        return "stuck", attempt.stuck.first_t
    last = attempt.hits[-1]
    after = [moment for moment in attempt.moments if moment.t > last.t and moment.clear]
    if not after or after[-1].t - last.t < _CLEAR_S:
        return "unseen", None  # the clip or the view ended first
    if last.radius > OUTSIDE and _under_a_hand(attempt, last):  # further in it may have found a pocket unseen
        return "lifted", last.t
    return ("out", last.t) if _flown(attempt, path, last) else ("unseen", None)


def foreign_things(attempt: Attempt, eye: WheelEye) -> list[tuple[float, Trouble]]:
    """9.3: what came in after the launch and still rides on the rotor at the end, and cannot be the ball.

    A part of the wheel that its picture does not know well yet seems to ride too, but not for long.
    """
    now, last, rest = attempt.moments[-1].t, attempt.hits[-1], attempt.rest

    def may_be_ball(thing: Thing) -> bool:
        near = rest is None or abs(wrapped(thing.angle_deg - rest.angle_deg)) < _BALL_AND_SHADOW_DEG
        return near and thing.radius > CONE_EDGE and thing.first_t > last.t - 1.0

    return [
        (round(thing.first_t, 3), "object") for thing in eye.things
        if thing.first_t > attempt.hits[0].t + _HAND_GONE_S and now - thing.last_t < _STILL_THERE_S
        and thing.last_t - thing.first_t > _RIDING_S and thing.carried_deg > _RIDDEN_DEG and not may_be_ball(thing)
    ]  # fmt: skip


def _flown(attempt: Attempt, path: Path, last: Hit) -> bool:
    """9.5: a ball that flies out is seen on its way beyond the track, near where it was last, where nothing gleamed."""
    old = [glint for m in attempt.moments if -_FLIGHT_S < m.t - last.t < 0 for glint in m.glints]
    way = [(last.t, last.angle_deg, last.radius)]
    for moment in attempt.moments:
        if not 0 < moment.t - last.t < _FLIGHT_S:
            continue
        for glint in moment.glints:
            near = abs(wrapped(glint.angle_deg - way[-1][1])) < _FLIGHT_DEG
            outward = glint.radius > way[-1][2] + _BEYOND
            alike = len(way) > 1 or _FLIGHT_LIGHT[0] < glint.light / last.light < _FLIGHT_LIGHT[1]  # at first
            if near and outward and alike and not any(_same_place(glint, other) for other in old):
                way.append((moment.t, glint.angle_deg, glint.radius))
                break
    over = [radius - float(path.line.radius(np.array([angle]))[0]) for _, angle, radius in way]
    fast = [radius - last.radius > _FLIGHT_SPEED * (t - last.t) for t, _, radius in way[1:]]
    return any(each > _BEYOND for each in over) or any(each > 0 and so for each, so in zip(over[1:], fast, strict=True))


def _same_place(one: Glint, other: Glint) -> bool:
    return abs(wrapped(one.angle_deg - other.angle_deg)) < _SAME_DEG and abs(one.radius - other.radius) < _BEYOND


def _under_a_hand(attempt: Attempt, last: Hit) -> bool:
    """Whether a hand was where the ball was last seen, about that time."""
    sector = int(last.angle_deg // (360 / SECTORS))
    near = [(sector + k) % SECTORS for k in (-1, 0, 1)]
    about = [m for m in attempt.moments if -_HAND_S[0] < m.t - last.t < _HAND_S[1]]
    return sum(float(m.covered_around[near].mean()) > _HAND_SHARE for m in about) >= _HAND_PICTURES
