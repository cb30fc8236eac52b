"""When everything on the plan came to lie where it lies: by this the plan follows the playhead."""

from collections.abc import Sequence
from typing import Any

import msgspec

NEVER = float("inf")


class Laid(msgspec.Struct, kw_only=True):
    """A card or tile: when it came, and from when its face was to be seen."""

    t: float
    face_t: float


class Standing(msgspec.Struct, kw_only=True):
    """The chips at a spot: when the first came, and when the house last moved them."""

    t: float
    settled_t: float


class Arrivals(msgspec.Struct, frozen=True, kw_only=True):
    """By place, and by spot and colour."""

    cards: dict[str, list[Laid]]
    chips: dict[tuple[str, str | None], Standing]
    result_t: float


def arrivals(events: Sequence[dict[str, Any]]) -> Arrivals:
    """Read a round's events once.

    >>> dealt = {"t": 1, "e": "card", "at": "dealer", "card": "??"}
    >>> arrivals([dealt, {"t": 5, "e": "turn", "at": "dealer", "card": "9c"}]).cards["dealer"]
    [Laid(t=1, face_t=5)]
    """
    found = Arrivals(cards={}, chips={}, result_t=_result_t(events))
    for event in events:
        at = str(event.get("at"))
        if event["e"] in ("card", "tile"):
            name = event.get("card") or event.get("tile")
            is_up = event.get("up", name != "??")
            laid = Laid(t=event["t"], face_t=event["t"] if is_up else NEVER)
            found.cards.setdefault(at, []).append(laid)
        elif event["e"] == "turn":
            hidden = (each for each in found.cards.get(at, []) if each.face_t == NEVER)
            if event.get("up", True) and (each := next(hidden, None)):
                each.face_t = event["t"]
        elif event["e"] == "gone" and event.get("to"):
            moved = found.cards.get(at, [])
            for _ in range(min(len(event.get("cards") or ()) or event.get("n") or 0, len(moved))):
                found.cards.setdefault(event["to"], []).append(moved.pop())
        elif event["e"] == "chips":
            standing = found.chips.setdefault((at, event.get("colour")), Standing(t=event["t"], settled_t=NEVER))
            if event.get("by") == "dealer":
                standing.settled_t = event["t"]
    return found


def _result_t(events: Sequence[dict[str, Any]]) -> float:
    """When the ball's number was known."""
    ends = [each["t"] for each in events if each["e"] == "ball" and each.get("pocket") is not None]
    return ends[-1] if ends else 0.0
