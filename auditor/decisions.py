"""What people decide about findings. A decision is never changed or removed: to undo one is another decision."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from auditor.log import FairdealError

Decision = Literal["confirm", "dismiss", "undo"]
State = Literal["open", "confirmed", "dismissed"]


class ConflictError(FairdealError):
    """Somebody else decided first, or there is nothing to undo."""


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """One decision about a finding, and the state it left the finding in."""

    id: int
    who: str
    at: str
    decision: Decision
    note: str
    state: State


def state_after(decision: Decision, before: Sequence[Review]) -> State:
    """The state a decision leads to; undoing leads back to what was before the newest decision not undone yet.

    >>> first = Review(id=1, who="kim", at="", decision="confirm", note="", state="confirmed")
    >>> second = Review(id=2, who="lee", at="", decision="dismiss", note="", state="dismissed")
    >>> state_after("undo", [first, second]), state_after("undo", [first])
    ('confirmed', 'open')
    """
    if decision != "undo":
        return "confirmed" if decision == "confirm" else "dismissed"
    states: list[State] = ["open"]
    for review in before:
        if review.decision == "undo":
            states.pop()
        else:
            states.append(review.state)
    if len(states) == 1:
        raise ConflictError("there is nothing to undo")
    return states[-2]
