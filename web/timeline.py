"""A round's timeline: its events in lanes, by what was seen, with the moments of its findings."""

from collections.abc import Sequence
from typing import Any

import msgspec

from web.queries import EventRow, FindingRow, RoundRow
from web.shown import clock

WIDTH, LEFT, RIGHT, TOP, LANE = 1000.0, 74.0, 16.0, 34.0, 30.0
AXIS_LABELS = 6
_LANES = {
    "chips": ("chips",),
    "cards": ("card", "tile", "turn", "gone", "set"),
    "wheel": ("spin", "ball", "wheel", "dolly", "dice"),
    "table": ("call", "button", "marker", "shuffle", "cut", "cutting_card", "dealer"),
    "view": ("feed", "hand"),
}
_LANE_OF = {kind: lane for lane, kinds in _LANES.items() for kind in kinds}
_SAID = ("at", "card", "tile", "amount", "colour", "what", "event", "pocket", "laps", "faces", "low", "high", "who",
         "state", "ball", "wheel", "n", "cards", "to")  # fmt: skip


class Tick(msgspec.Struct, frozen=True, kw_only=True):
    """An event on the timeline and in the list of raw events."""

    n: int
    x: float
    y: float
    t: float
    at_clock: str
    kind: str
    lane: str
    by: str
    conf: float | None
    said: str
    raw: str
    place: str
    cam: str
    region: str


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """When something was wrong."""

    n: int
    x: float
    at_clock: str
    verdict: str
    kind: str
    is_this: bool


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """The whole round."""

    height: float
    lanes: list[tuple[str, float]]
    ticks: list[Tick]
    moments: list[Moment]
    axis: list[tuple[float, str]]
    first_t: float
    length_s: float


def timeline(
    round: RoundRow, seen: Sequence[tuple[EventRow, dict[str, Any]]], findings: Sequence[FindingRow],
    this: FindingRow | None,
) -> Timeline:  # fmt: skip
    """The round drawn over its own time; every event comes as it was read, and decoded."""
    times = [float(event["t"]) for _, event in seen] + [each.t for each in findings] or [0.0]
    first, length = min(times), max(max(times) - min(times), 1.0)
    used = [lane for lane in _LANES if any(_LANE_OF.get(event["e"]) == lane for _, event in seen)]
    lanes = {lane: TOP + LANE * (index + 0.5) for index, lane in enumerate(used)}

    def x(t: float) -> float:
        return LEFT + (t - first) / length * (WIDTH - LEFT - RIGHT)

    ticks = [_tick(round, row, event, x(event["t"]), lanes) for row, event in seen]
    moments = [
        Moment(
            n=each.n, x=x(each.t), at_clock=clock(round.started, each.t), verdict=each.verdict, kind=each.kind,
            is_this=this is not None and each.n == this.n,
        )
        for each in findings
    ]  # fmt: skip
    moments.sort(key=lambda moment: moment.is_this)  # this one over the others
    steps = [first + length * step / (AXIS_LABELS - 1) for step in range(AXIS_LABELS)]
    return Timeline(
        height=TOP + LANE * len(used) + 26, lanes=list(lanes.items()), ticks=ticks, moments=moments,
        axis=[(x(t), clock(round.started, t)) for t in steps], first_t=first, length_s=length,
    )  # fmt: skip


def _tick(round: RoundRow, row: EventRow, event: dict[str, Any], x: float, lanes: dict[str, float]) -> Tick:
    lane = _LANE_OF.get(event["e"], "view")
    return Tick(
        n=row.n, x=x, y=lanes.get(lane, TOP), t=event["t"], at_clock=clock(round.started, event["t"]), kind=event["e"],
        lane=lane, by=event.get("by") or "", conf=event.get("conf"), said=said(event), raw=row.raw.strip(),
        place=str(event.get("at") or ""), cam=event.get("cam") or "",
        region=" ".join(f"{x:.1f},{y:.1f}" for x, y in event.get("region") or ()),
    )  # fmt: skip


def said(event: dict[str, Any]) -> str:
    """The event in short.

    >>> said({"t": 3.2, "e": "chips", "at": "box1/main", "amount": 10, "by": "player"})
    'box1/main 10'
    """
    return " ".join(_short(event[name]) for name in _SAID if event.get(name) is not None)


def _short(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
