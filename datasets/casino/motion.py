"""Things in motion: every thing's life as keys in time, and what stands on the table at any moment between them.

Nothing jumps: between two keys a thing travels on an eased path, lifted on its way where it is carried over others.
Where two keys have the same time the thing changes while its place stays, as a card that has been turned does.
"""

import bisect
import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from datasets.casino.things import Hand, Moment, Pose, Thing


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A thing as it is at one time; `lift_mm` is how high the way to it arches."""

    t: float
    thing: Thing
    lift_mm: float = 0.0


@dataclass(slots=True)
class Track:
    """One thing from its first key until it leaves the table."""

    keys: list[Key]
    until: float = math.inf

    def at(self, t: float) -> Thing:
        """The thing at a time within its life; the very same object while it rests."""
        after = bisect.bisect_right(self.keys, t, key=lambda key: key.t)
        before = self.keys[max(0, after - 1)]
        if after == 0 or after == len(self.keys):
            return before.thing
        return between(before, self.keys[after], t)


def eased(share: float) -> float:
    """Slow at both ends, as hands move.

    >>> eased(0), eased(0.5), eased(1)
    (0, 0.5, 1)
    """
    return share * share * (3 - 2 * share)


def between(start: Key, end: Key, t: float) -> Thing:
    """The thing on its way from one key to the next; it changes only on arrival."""
    thing = start.thing
    still = thing.pose == end.thing.pose and not end.lift_mm
    if still and not (isinstance(thing, Hand) and thing != end.thing):
        return thing
    share = eased((t - start.t) / (end.t - start.t))
    pose = _mixed(thing.pose, end.thing.pose, share)
    pose = replace(pose, z=pose.z + end.lift_mm * math.sin(math.pi * share))
    if isinstance(thing, Hand) and isinstance(end.thing, Hand):
        (ax, ay, az), (bx, by, bz) = thing.elbow, end.thing.elbow
        elbow = (ax + (bx - ax) * share, ay + (by - ay) * share, az + (bz - az) * share)
        grip = thing.grip + (end.thing.grip - thing.grip) * share
        return replace(thing, pose=pose, grip=grip, elbow=elbow)
    return replace(thing, pose=pose)


def _mixed(start: Pose, end: Pose, share: float) -> Pose:
    def mix(a: float, b: float) -> float:
        return a + (b - a) * share

    yaw = start.yaw + ((end.yaw - start.yaw + 180) % 360 - 180) * share  # the short way round
    return Pose(
        mix(start.x, end.x), mix(start.y, end.y), mix(start.z, end.z),
        yaw, mix(start.pitch, end.pitch), mix(start.roll, end.roll),
    )  # fmt: skip


@dataclass(slots=True)
class Timeline:
    """All tracks of one footage, written from front to back."""

    tracks: dict[int, Track] = field(default_factory=dict)
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def new_id(self) -> int:
        """An id no other thing has; 0 stands for no thing."""
        return next(self._ids)

    def put(self, thing: Thing, t: float) -> None:
        """A thing comes into sight."""
        self.tracks[thing.id] = Track([Key(t=t, thing=thing)])

    def latest(self, thing_id: int) -> Any:
        """The thing as it will be left by all that is written so far."""
        return self.tracks[thing_id].keys[-1].thing

    def free_at(self, thing_id: int) -> float:
        """When the thing is done with all that is written so far."""
        return self.tracks[thing_id].keys[-1].t

    def move(self, thing_id: int, start: float, end: float, pose: Pose, *, lift_mm: float = 0, **changes: Any) -> None:
        """The thing rests until `start`, then travels to `pose`. Changes show from arrival on (a hand's on the way)."""
        keys = self.tracks[thing_id].keys
        here = keys[-1].thing
        arrived = replace(here, pose=pose, **changes)
        if start > keys[-1].t:
            keys.append(Key(t=start, thing=here))
        keys.append(Key(t=end, thing=arrived, lift_mm=lift_mm))

    def change(self, thing_id: int, t: float, **changes: Any) -> None:
        """The thing becomes another on the spot."""
        here = self.latest(thing_id)
        self.move(thing_id, t, t, changes.pop("pose", here.pose), **changes)

    def interrupt(self, thing_id: int, t: float) -> None:
        """Forget what was written for after `t`: the thing stays where it has got to."""
        track = self.tracks[thing_id]
        if track.keys[-1].t > t:
            here = track.at(t)
            track.keys = [key for key in track.keys if key.t < t] + [Key(t=t, thing=here)]

    def remove(self, thing_id: int, t: float) -> None:
        """The thing leaves the table."""
        self.tracks[thing_id].until = t

    def at(self, t: float) -> Moment:
        """Everything on the table at one time."""
        return tuple(track.at(t) for track in self.tracks.values() if track.keys[0].t <= t < track.until)

    def moments(self, times: Iterable[float]) -> Iterator[Moment]:
        """The table at rising times, without looking at what has not come yet or has gone."""
        coming = sorted(self.tracks.values(), key=lambda track: -track.keys[0].t)
        here: list[Track] = []
        for t in times:
            while coming and coming[-1].keys[0].t <= t:
                here.append(coming.pop())
            here = [track for track in here if t < track.until]
            yield tuple(track.at(t) for track in here)

    def end(self) -> float:
        """When the last thing has come to rest."""
        return max((track.keys[-1].t for track in self.tracks.values()), default=0.0)
