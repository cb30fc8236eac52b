"""Whether a spin counts: sections 5 and 9 of the roulette rules (NI2002-45), from what was seen."""

from vision.wheel.told import BallSeen, WheelSeen

LEAST_LAPS = 3  # 5.2
SURE_WAY_LAPS = 1.0
"""Somebody is accused: so far the ball must have been seen to go with the wheel."""
_ENDS = {"out": "9.5", "stuck": "9.4"}
_TROUBLES = {"object": "9.3", "stopped": "5.1", "reversed": "9.1"}


def judge(wheel: WheelSeen, ball: BallSeen, laps_off: float) -> tuple[bool | None, str | None]:
    """Valid or not, with the clause that says so; None where it cannot be decided. `laps_off`: laps may be so wrong."""
    if ball.dir is not None and ball.dir == wheel.dir:
        return (False, "9.1") if ball.laps_seen >= SURE_WAY_LAPS else (None, None)
    for _, trouble in wheel.events:
        return False, _TROUBLES[trouble]
    if ball.end in _ENDS:
        return False, _ENDS[ball.end]
    short = ball.laps is not None and ball.laps + laps_off < LEAST_LAPS
    if ball.end == "lifted":
        return False, "9.2" if short else "9.4"  # NO SPIN, or simply no compartment
    if short:
        return False, "5.2"
    enough = ball.laps_seen - laps_off >= LEAST_LAPS
    known = ball.dir is not None and wheel.dir is not None
    return (True if enough and known and ball.end == "rest" else None), None
