"""The change gate: which zones came to rest after something happened there. Most of a table is still most of the time.

It works on the brightness plane made small. A zone stirs while something moves in it or an arm is over it; when neither
has been so for a moment, the zone rests, and it is compared in full resolution with how it last looked. Only what
then looks different has to be read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arms import Arms, Reach
from vision.camera import View
from vision.frames import Frame
from vision.plan import Plan, Point, Zone

Image = NDArray[np.uint8]

SMALL_WIDTH_PX = 360
REST_S = 0.07
MOVING_GREY = 11
NEW_GREY = 20
DIFFERENT_GREY = 22
DIFFERENT_TINT = 12
STIRRED_SHARE = 0.02
DIFFERENT_MM2 = 40.0
SETTLED_S = 1.2  # what lies still this long outside all zones is part of the table
MARGIN_MM = {"cards": 6.0, "tiles": 6.0}
ARM_SETTLED_S = 10.0  # an arm that rests on the felt is still an arm
HEIGHT_MM = {"chips": 28.0, "dolly": 50.0, "dice": 16.0, "tiles": 10.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """A zone that came to rest. `touched` says for how many seconds whose arm was over it since it last rested."""

    zone: Zone
    t: float
    stirred_from: float
    touched: dict[str, float]
    is_different: bool


@dataclass(slots=True, kw_only=True)
class Look:
    """How a zone looks in full resolution: brightness and both tints."""

    luma: Image
    tints: tuple[Image, ...]


@dataclass(slots=True, kw_only=True)
class Doing:
    """What a zone looked like when last accepted, and what has gone on there since."""

    first: Look | None = None
    look: Look | None = None
    still_since: float | None = None
    stirred_from: float | None = None
    touched: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Watched:
    """A zone as the gate knows it: its pixels in the small picture, its window in the large one, what it is doing."""

    zone: Zone
    small: NDArray[np.intp]
    window: tuple[slice, slice]
    mask: Image
    different_px: float
    doing: Doing = field(default_factory=Doing)


@dataclass(frozen=True, slots=True, kw_only=True)
class GateMemory:
    """All that a gate knows at one frame."""

    last: Image | None
    table: Image | None
    still_s: NDArray[np.float32]
    t: float
    zones: dict[str, Doing]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Which pixels of a window of the picture differ; `corner` is the window's upper left."""

    corner: tuple[int, int]
    pixels: NDArray[np.bool_]

    @property
    def count(self) -> int:
        """How many differ."""
        return int(np.count_nonzero(self.pixels))

    def share(self, outline: Sequence[Point]) -> float:
        """The part of an outline (pixels of the picture) that differs, of what of it lies in the window."""
        mask = np.zeros(self.pixels.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(np.array(outline) - self.corner).astype(np.int32), 1)
        inside = mask > 0
        return int(np.count_nonzero(self.pixels & inside)) / max(1, int(np.count_nonzero(inside)))


class Gate:
    """Fed with frames, it says which zones came to rest, and whether they look different from when last accepted."""

    def __init__(self, view: View, plan: Plan) -> None:
        self.scale = max(1, round(view.size[0] / SMALL_WIDTH_PX))
        self._size = (view.size[0] // self.scale, view.size[1] // self.scale)
        self.arms = Arms(view, plan, self.scale, self._size)
        zones = [zone for zone in plan.zones if zone.kind != "fixture"]
        self.zones = {zone.name: made for zone in zones if (made := self._watched(view, zone)) is not None}
        self._in_zones = np.zeros(self._size[0] * self._size[1], bool)
        for watched in self.zones.values():
            self._in_zones[watched.small] = True
        self._last: Image | None = None
        self._table: Image | None = None
        self._still_s = np.zeros(self._size[::-1], np.float32)
        self._t = 0.0
        self.reach: Reach | None = None

    def _watched(self, view: View, zone: Zone) -> Watched | None:
        """None for a zone that is not in the picture."""
        hull = np.array(view.outline(zone, HEIGHT_MM.get(zone.kind, 3.0), MARGIN_MM.get(zone.kind, 0.0)))
        low = np.clip(np.floor(hull.min(axis=0)).astype(int), 0, view.size)
        high = np.clip(np.ceil(hull.max(axis=0)).astype(int), 0, view.size)
        # Even corners: the tint planes have half the resolution.
        left, top, right, bottom = low[0] & ~1, low[1] & ~1, (high[0] + 1) & ~1, (high[1] + 1) & ~1
        if right - left < 8 or bottom - top < 8:
            return None
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillConvexPoly(mask, np.round(hull - [left, top]).astype(np.int32), 1)
        small = np.zeros(self._size[::-1], np.uint8)
        cv2.fillConvexPoly(small, np.round(hull / self.scale).astype(np.int32), 1)
        px_per_mm = view.px_per_mm(*zone.at)
        return Watched(
            zone=zone, small=np.flatnonzero(small), window=(slice(top, bottom), slice(left, right)), mask=mask,
            different_px=max(10.0, DIFFERENT_MM2 * px_per_mm * px_per_mm),
        )  # fmt: skip

    def shrunk(self, frame: Frame) -> Image:
        """The small picture of a frame's brightness that all is watched in."""
        return np.asarray(cv2.resize(frame.luma, self._size, interpolation=cv2.INTER_AREA), np.uint8)

    @property
    def table(self) -> Image | None:
        """How the table is known to look, small."""
        return self._table

    @property
    def is_reached(self) -> bool:
        """Whether an arm is over the table."""
        return self.reach is not None and bool(self.reach.owners.any())

    def feed(self, frame: Frame, small: Image) -> list[Rest]:
        """Look at a frame. Each zone that has come to rest is told once; `accept` it, or it stays as it was."""
        if self._last is None or self._table is None:
            self._last, self._table, self._t = small, small.copy(), frame.t
            self.reach = self.arms.find(np.zeros_like(small))
            return []
        elapsed_s, self._t = frame.t - self._t, frame.t
        small = self._as_bright_as_the_table(small)
        moving = cv2.absdiff(small, self._last) > MOVING_GREY
        new = (cv2.absdiff(small, self._table) > NEW_GREY).astype(np.uint8)
        self._last = small
        self.reach = self.arms.find(new)
        self._settle(small, moving, elapsed_s)
        flat = moving.ravel()
        rests = [self._watch(watched, frame, flat, elapsed_s) for watched in self.zones.values()]
        return [rest for rest in rests if rest is not None]

    def _as_bright_as_the_table(self, small: Image) -> Image:
        """Lamps flicker and exposure drifts: the whole picture is brought to the brightness the table is known in."""
        assert self._table is not None
        gain = float(np.median(self._table[::4, ::4].astype(np.float32) / np.maximum(small[::4, ::4], 1)))
        return small if abs(gain - 1) < 0.01 else np.asarray(cv2.convertScaleAbs(small, alpha=gain), np.uint8)

    def _settle(self, small: Image, moving: NDArray[np.bool_], elapsed_s: float) -> None:
        assert self._table is not None
        assert self.reach is not None
        self._still_s += np.float32(elapsed_s)
        self._still_s[moving] = 0
        wait_s = np.where(self.reach.owners > 0, ARM_SETTLED_S, SETTLED_S)
        settled = (self._still_s > wait_s) & ~self._in_zones.reshape(small.shape)
        np.copyto(self._table, small, where=settled)

    def _watch(self, watched: Watched, frame: Frame, moving: NDArray[np.bool_], elapsed_s: float) -> Rest | None:
        assert self.reach is not None
        doing = watched.doing
        enough = max(2.0, STIRRED_SHARE * len(watched.small))
        covered = self.reach.over(watched.small)
        is_covered = len(watched.small) - covered[0] >= enough
        if is_covered or np.count_nonzero(moving[watched.small]) >= enough:
            doing.still_since = None
            if doing.stirred_from is None:
                doing.stirred_from = frame.t
            for owner in np.flatnonzero(covered[1:]) + 1:
                name = self.arms.names[owner]
                doing.touched[name] = doing.touched.get(name, 0.0) + elapsed_s
            return None
        if doing.still_since is None:
            doing.still_since = frame.t
        if doing.look is None:
            self.accept(watched.zone.name, frame)
        if doing.stirred_from is None or frame.t - doing.still_since < REST_S:
            return None
        rest = Rest(
            zone=watched.zone, t=doing.still_since, stirred_from=doing.stirred_from, touched=doing.touched,
            is_different=self.difference(watched.zone.name, frame).count > watched.different_px,
        )  # fmt: skip
        doing.stirred_from, doing.touched = None, {}
        return rest

    def memory(self) -> "GateMemory":
        """All that changes while frames are fed, for a checkpoint."""
        zones = {name: each.doing for name, each in self.zones.items()}
        return GateMemory(last=self._last, table=self._table, still_s=self._still_s, t=self._t, zones=zones)

    def recall(self, memory: "GateMemory") -> None:
        """Go on from a checkpoint."""
        self._last, self._table, self._still_s, self._t = memory.last, memory.table, memory.still_s, memory.t
        for name, known in memory.zones.items():
            self.zones[name].doing = known

    @property
    def is_busy(self) -> bool:
        """Whether something stirs somewhere, or has only just come to rest."""
        return any(each.doing.stirred_from is not None for each in self.zones.values())

    def is_still(self, name: str) -> bool:
        """Whether nothing has stirred in the zone since its rest was told."""
        doing = self.zones[name].doing
        return doing.still_since is not None and doing.stirred_from is None

    def accept(self, name: str, frame: Frame) -> None:
        """What the zone looks like now has been understood: it is compared with this from now on."""
        watched = self.zones[name]
        watched.doing.look = _look(watched, frame)
        watched.doing.first = watched.doing.first or watched.doing.look
        if self._table is not None and self._last is not None:
            self._table.ravel()[watched.small] = self._last.ravel()[watched.small]

    def difference(self, name: str, frame: Frame) -> Difference:
        """Where a zone looks different from when it was last accepted."""
        watched = self.zones[name]
        return _difference(watched, watched.doing.look, frame)

    def occupied(self, name: str, frame: Frame) -> Difference:
        """Where a zone looks different from the first time it was seen at rest: where something lies on its felt."""
        watched = self.zones[name]
        return _difference(watched, watched.doing.first, frame)

    def is_occupied(self, name: str, frame: Frame) -> bool:
        """Whether something lies or stands in a zone that was bare at first."""
        return self.occupied(name, frame).count > self.zones[name].different_px


def _difference(watched: Watched, before: Look | None, frame: Frame) -> Difference:
    rows, columns = watched.window
    inside = watched.mask > 0
    if before is None:
        return Difference(corner=(columns.start, rows.start), pixels=inside)
    now = _look(watched, frame)
    gain = float(np.median(before.luma[inside].astype(np.float32) / np.maximum(now.luma[inside], 1)))
    luma = cv2.convertScaleAbs(now.luma, alpha=min(1.3, max(0.7, gain)))
    pixels = (cv2.absdiff(luma, before.luma) > DIFFERENT_GREY) & inside
    for tint, was in zip(now.tints, before.tints, strict=True):
        other = cv2.absdiff(tint, was) > DIFFERENT_TINT
        pixels |= np.repeat(np.repeat(other, 2, axis=0), 2, axis=1) & inside
    return Difference(corner=(columns.start, rows.start), pixels=pixels)


def _look(watched: Watched, frame: Frame) -> Look:
    rows, columns = watched.window
    luma = cv2.blur(frame.luma[rows, columns], (3, 3))
    half = (slice(rows.start // 2, rows.stop // 2), slice(columns.start // 2, columns.stop // 2))
    tints = tuple(np.ascontiguousarray(plane[half]) for plane in frame.tints)
    return Look(luma=np.asarray(luma, np.uint8), tints=tints)
