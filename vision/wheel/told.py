"""A spin as it is told: what `fairdeal spin` prints. What was not seen is None; nothing here is guessed."""

from typing import Literal

import msgspec

from vision.wheel.pockets import Layout

Turning = Literal["cw", "ccw"]
End = Literal["rest", "stuck", "out", "lifted", "unseen"]
Trouble = Literal["object", "stopped", "reversed"]


class WheelSeen(msgspec.Struct, frozen=True, kw_only=True):
    """The wheel in the picture: the ellipse of the number ring's edge, which way it turns, how fast at the launch, and
    which order of fields it fits (a pocket is named on a single-zero wheel only).
    """

    centre: tuple[float, float]
    axes: tuple[float, float]
    dir: Turning | None
    rpm: float | None
    events: tuple[tuple[float, Trouble], ...] = ()
    layout: Layout | None = None


class BallSeen(msgspec.Struct, frozen=True, kw_only=True):
    """The ball's way; what was not seen is None. `laps_seen` is what was seen of the laps, however they began,
    `rps` the turns a second at first, `drop_deg` where (in the picture) the ball left the track.
    """

    dir: Turning | None
    laps: float | None
    launch: float | None
    leave_track: float | None
    rest: float | None
    pocket: int | None
    end: End
    laps_seen: float = 0.0
    rps: float | None = None
    drop_deg: float | None = None


class Spin(msgspec.Struct, frozen=True, kw_only=True):
    """One spin; `valid` None means that what was seen does not decide it."""

    opened: float
    closed: float
    wheel: WheelSeen
    ball: BallSeen
    valid: bool | None
    rule: str | None
    conf: float
    track: tuple[tuple[float, float | None, float | None], ...] = ()
