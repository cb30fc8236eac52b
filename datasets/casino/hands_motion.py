"""Hands at work: they come from their owner's side, carry things and go back; nothing moves without one."""

import math
import zlib
from dataclasses import dataclass
from typing import Literal

from datasets.casino.motion import Timeline
from datasets.casino.motion_places import Places, Seat
from datasets.casino.things import Hand, Point, Pose, Thing
from vision.plan import Zone

Side = Literal["left", "right"]
FOREARM_MM, UPPER_ARM_MM = 265.0, 280.0
FINGERS_MM = 88.0  # from the middle of the palm to what the fingertips hold
HAND_HALF_WIDTH_MM = 48.0
CARD_REACH_MM, TILE_REACH_MM = 40.0, 28.0  # from the middle of a thing to its edge, about
CLEAR_STEP_S = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How quickly people work: the mean speed of a hand, its shortest way, a pause at the end of one."""

    speed_mm_s: float
    shortest_s: float
    hold_s: float
    waiting: float
    """The share of the dealer's own pauses that is kept between gestures."""
    longest_wait_s: float


PACES = {
    "real": Pace(speed_mm_s=1250, shortest_s=0.26, hold_s=0.16, waiting=0.85, longest_wait_s=12),
    "fast": Pace(speed_mm_s=2300, shortest_s=0.16, hold_s=0.06, waiting=0.0, longest_wait_s=0),
}


class Hands:
    """The hands of the dealer and of everyone at the table."""

    def __init__(self, timeline: Timeline, places: Places, pace: Pace) -> None:
        self.timeline, self.places, self.pace = timeline, places, pace
        self._ids: dict[tuple[str, Side], int] = {}
        self._seats: dict[tuple[str, Side], Seat] = {}
        self._laden_until: dict[int, float] = {}

    def dealer(self, side: Side) -> int:
        """One of the dealer's hands."""
        return self._hand("dealer", side, self.places.dealer_seat(side))

    def dealer_for(self, pose: Pose) -> int:
        """The dealer's hand on whose side a place lies; his left is at the right of the page."""
        return self.dealer("left" if pose.x > 0 else "right")

    def player(self, who: str, seat: Seat) -> int:
        """The hand a player acts with: the right one, of all but a few."""
        side: Side = "left" if sum(map(ord, who)) % 5 == 0 else "right"
        return self._hand(who, side, seat)

    def _hand(self, who: str, side: Side, seat: Seat) -> int:
        if (who, side) not in self._ids:
            thing = Hand(
                id=self.timeline.new_id(), who=who, side=side, pose=seat.home, grip=_resting_grip(who),
                elbow=_elbow(seat.home, seat.shoulder),
            )  # fmt: skip
            self.timeline.put(thing, 0.0)
            self._ids[who, side], self._seats[who, side] = thing.id, seat
        return self._ids[who, side]

    def _seat(self, hand: int) -> Seat:
        thing = self.timeline.latest(hand)
        return self._seats[thing.who, thing.side]

    # ---- ways of a hand ----

    def home(self, hand: int) -> Pose:
        """Where the hand lies when it has nothing to do."""
        return self._seat(hand).home

    def holding(self, hand: int, target: Pose, height_mm: float = 0.0) -> Pose:
        """The palm's pose with its fingertips at a thing of some height."""
        shoulder = self._seat(hand).shoulder
        dx, dy = target.x - shoulder[0], target.y - shoulder[1]
        length = math.hypot(dx, dy) or 1.0
        back = FINGERS_MM / length
        yaw = math.degrees(math.atan2(dx, -dy))
        return Pose(target.x - dx * back, target.y - dy * back, target.z + height_mm + 14, yaw, pitch=-12)

    def travel_s(self, hand: int, there: Pose) -> float:
        """How long the hand needs to a pose from where it will be."""
        here = self.timeline.latest(hand).pose
        return self._travel_s(here, there)

    def _travel_s(self, here: Pose, there: Pose) -> float:
        way = math.dist((here.x, here.y, here.z), (there.x, there.y, there.z))
        return max(self.pace.shortest_s, way / self.pace.speed_mm_s)

    def go(
        self, hand: int, t: float, there: Pose, *, grip: float, lift_mm: float = 30.0, seconds: float | None = None
    ) -> float:
        """Move the hand; unless it still carries something it leaves off what it was doing. Returns its arrival."""
        t = max(t, self._laden_until.get(hand, 0.0))
        self.timeline.interrupt(hand, t)
        start = max(t, self.timeline.free_at(hand))
        end = start + (self.travel_s(hand, there) if seconds is None else seconds)
        elbow = _elbow(there, self._seat(hand).shoulder)
        self.timeline.move(hand, start, end, there, lift_mm=lift_mm, grip=grip, elbow=elbow)
        return end

    def withdraw(self, hand: int, t: float) -> float:
        """Go home."""
        return self.go(hand, t, self.home(hand), grip=_resting_grip(self.timeline.latest(hand).who))

    # ---- carrying ----

    def fetch(self, hand: int, t: float, things: list[Thing]) -> float:
        """Take new things out of where they are kept: the hand is over them when they first can be seen."""
        arrived = self.go(hand, t, self.holding(hand, things[0].pose, _height(things)), grip=0.5)
        for thing in things:
            self.timeline.put(thing, arrived)
        return arrived

    def carry(self, hand: int, t: float, ids: list[int], targets: list[Pose], *, lift_mm: float = 25.0) -> float:
        """Bring things the hand is at to other places. Returns when they lie."""
        first = self.timeline.latest(ids[0])
        height = _height([self.timeline.latest(each) for each in ids])
        there = self.holding(hand, targets[0], height)
        seconds = self._travel_s(first.pose, targets[0])
        end = self.go(hand, t, there, grip=0.55, lift_mm=lift_mm, seconds=seconds)
        for thing_id, target in zip(ids, targets, strict=True):
            self.timeline.move(thing_id, end - seconds, end, target, lift_mm=lift_mm)
        self._laden_until[hand] = end
        return end

    def leave(self, hand: int, rest: float, around: list[Pose], reach_mm: float) -> float:
        """Let go and withdraw. Returns when the hand is no longer above the things: from then on they can be seen."""
        self.withdraw(hand, rest + self.pace.hold_s)
        return self.clear_of(hand, rest + self.pace.hold_s, around, reach_mm)

    def clear_of(self, hand: int, t: float, around: list[Pose], reach_mm: float) -> float:
        """The first time from `t` on at which the hand and its forearm are off some places."""
        track = self.timeline.tracks[hand]
        last = track.keys[-1].t
        while t < last and any(_covers(track.at(t), pose, reach_mm) for pose in around):
            t += CLEAR_STEP_S
        return t

    def gone_from(self, zone: Zone, ids: list[int], t: float) -> float:
        """The first time from `t` on at which none of some things is in a zone any more."""
        for thing_id in ids:
            track = self.timeline.tracks[thing_id]
            last = min(track.until, track.keys[-1].t)
            while t < last and zone.holds(track.at(t).pose.x, track.at(t).pose.y):
                t += CLEAR_STEP_S
        return t


def _resting_grip(who: str) -> float:
    """How far a person's fingers curl when the hand lies idle: no two people's do alike."""
    return 0.12 + 0.4 * (zlib.crc32(who.encode()) % 97) / 96


def _height(things: list[Thing]) -> float:
    return max((3.3 * len(getattr(thing, "chips", ())) for thing in things), default=0.0)


def _elbow(palm: Pose, shoulder: Point) -> Point:
    """Where the arm leaves the table: the forearm rises from the palm, and when it reaches far the sleeve follows."""
    dx, dy, dz = shoulder[0] - palm.x, shoulder[1] - palm.y, shoulder[2] - palm.z
    length = math.sqrt(dx * dx + dy * dy + dz * dz) or 1.0
    part = max(FOREARM_MM, length - UPPER_ARM_MM) / length
    return palm.x + dx * part, palm.y + dy * part, palm.z + max(40.0, dz * part)


def _covers(hand: Thing, pose: Pose, reach_mm: float) -> bool:
    """Whether hand or forearm are above a thing that reaches so far around its middle."""
    assert isinstance(hand, Hand)
    turn = math.radians(hand.pose.yaw)
    tip = (hand.pose.x + math.sin(turn) * (FINGERS_MM + 25), hand.pose.y - math.cos(turn) * (FINGERS_MM + 25))
    return _distance((pose.x, pose.y), tip, hand.elbow[:2]) < reach_mm + HAND_HALF_WIDTH_MM


def _distance(point: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    """From a point to a stretch between two others."""
    ex, ey = end[0] - start[0], end[1] - start[1]
    length = ex * ex + ey * ey or 1.0
    share = min(1.0, max(0.0, ((point[0] - start[0]) * ex + (point[1] - start[1]) * ey) / length))
    return math.dist(point, (start[0] + share * ex, start[1] + share * ey))

