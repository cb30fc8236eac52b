"""Why something may have been missed in a round: what the cameras did not see, and what no rule was held against.

>>> lost, back = {"t": 3.0, "e": "feed", "state": "lost"}, {"t": 9.5, "e": "feed", "state": "back"}
>>> unread = {"t": 9.0, "e": "card", "at": "box1", "card": "??", "up": True}
>>> [spot.what for spot in blind_spots([lost, unread, back], [])]
['the view was lost for 6.5 s', 'card at box1 was not read']
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from web.queries import WagerRow

WEAK = 0.9
_READS = {"card": "card", "turn": "card", "tile": "tile", "chips": "amount", "dice": "faces"}


class BlindSpot(msgspec.Struct, frozen=True, kw_only=True):
    """Something that could not be seen or judged; `t` is when, where that can be said."""

    what: str
    t: float | None = None


def blind_spots(events: Sequence[dict[str, Any]], wagers: Sequence[WagerRow]) -> list[BlindSpot]:
    """Of one round, in the order of time; wagers that were not judged come last."""
    seen = [spot for number, event in enumerate(events) if (spot := _unseen(event, events[number + 1 :]))]
    undecided = [BlindSpot(what=f"{each.at} was not judged: {each.why}") for each in wagers if each.result is None]
    unpaid = [
        BlindSpot(what=f"what was paid on {each.at} was not seen")
        for each in wagers
        if each.result is not None and each.paid is None
    ]
    return seen + undecided + unpaid


def _unseen(event: dict[str, Any], later: Sequence[dict[str, Any]]) -> BlindSpot | None:
    kind, t = event["e"], float(event["t"])
    if kind == "feed" and event["state"] != "back":
        back = next((each["t"] for each in later if each["e"] == "feed" and each["state"] == "back"), None)
        until = f"for {back - t:.1f} s" if back is not None else "to the end of the round"
        return BlindSpot(what=f"the view was {event['state']} {until}", t=t)
    if kind not in _READS:
        return None
    where = f" at {event['at']}" if event.get("at") is not None else ""
    read, conf = event.get(_READS[kind]), event.get("conf")
    is_face_down = kind != "turn" and read == "??" and not event.get("up")
    if read is None or "None" in str(read) or ("?" in str(read) and not is_face_down):
        return BlindSpot(what=f"{kind}{where} was not read", t=t)
    if conf is not None and conf < WEAK:
        return BlindSpot(what=f"{kind}{where} was read as {read}, with {100 * conf:.0f} % confidence", t=t)
    return None
