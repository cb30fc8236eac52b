"""The change gate: which zones came to rest after something happened there. Most of a table is still most of the time.

It works on the brightness plane made small. A zone stirs while something moves in it or an arm is over it; when neither
has been so for a moment, the zone rests, and it is compared in full resolution with how it last looked. Only what
then looks different has to be read.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arms import DEALER, Arms, Reach
from vision.beginning import Felt, bared, mended
from vision.camera import View
from vision.frames import Frame
from vision.plan import Plan, Zone
from vision.rests import BRIEF_S, Doing, Rest, Watched
from vision.window import Difference, Window

Image = NDArray[np.uint8]

SMALL_WIDTH_PX = 360
REST_S = 0.07
MOVING = (11, 9, 9)  # brightness and tints
NEW = (20, 11, 11)
STIRRED_SHARE = 0.02
DIFFERENT_MM2 = 40.0
PIECE_MM2 = {"marker": 1000.0, "button": 600.0, "cutting_card": 2500.0}
"""So much of a piece must be seen, where a shadow may fall into its zone."""
SETTLED_S = 1.2  # what lies still this long outside all zones is part of the table
MARGIN_MM = {"cards": 6.0, "tiles": 6.0}
ARM_SETTLED_S = 10.0  # an arm that rests on the felt is still an arm
PACK_LIES_S = 0.15  # what lies so long where cards are shuffled is no hand
HAND_MM = 75.0
PASSING_SHARE = 0.1
"""An arm that only passes over a zone on its way counts so much of a hand that is there."""
GLIMPSES = 6
"""So many looks at a zone between arms are kept: whoever works there longer is not told from when."""
HAND_THERE_S, HIDDEN_S = 0.12, 1.5
"""A hand that puts something down or takes it up is there longer than the first, one that lies there than both."""
LONG_HIDDEN_S, LOST_S = 2.0, 6.0
"""When something happened in a zone that was hidden longer than the first is not known; one that is hidden longer than
the second is out of sight."""
BEGINS_WITH = ("cards", "tiles", "chips")
MAY_BEGIN_WITH = (*BEGINS_WITH, "marker", "button")
"""A piece that is first seen when an arm withdraws may be the hand of that arm."""
HEIGHT_MM = {"chips": 28.0, "dolly": 50.0, "dice": 16.0, "tiles": 10.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class GateMemory:
    """All that a gate knows at one frame."""

    last: Image | None
    table: Image | None
    still_s: NDArray[np.float32]
    t: float
    zones: dict[str, Doing]
    felt: Felt | None


class Gate:
    """Fed with frames, it says which zones came to rest, and whether they look different from when last accepted."""

    def __init__(self, view: View, plan: Plan) -> None:
        self.scale = max(1, round(view.size[0] / SMALL_WIDTH_PX))
        self._size = (view.size[0] // self.scale, view.size[1] // self.scale)
        self.arms = Arms(view, plan, self.scale, self._size)
        zones = [zone for zone in plan.zones if zone.kind != "fixture"]
        self.zones = {zone.name: made for zone in zones if (made := self._watched(view, zone)) is not None}
        self._pixels = np.concatenate([np.zeros(0, np.intp), *(each.small for each in self.zones.values())])
        sizes = np.array([len(each.small) for each in self.zones.values()], np.intp)
        self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp)
        self._enough = np.maximum(2.0, STIRRED_SHARE * sizes)
        self._awake = np.ones(len(self.zones), bool)
        """Zones that stir, have only just come to rest, or were never seen at rest: the others need not be asked."""
        self._free = np.ones(self._size[0] * self._size[1], bool)
        self._free[self._pixels] = False
        self._free = self._free.reshape(self._size[::-1])
        self._shuffle = [number for number, each in enumerate(self.zones.values()) if each.zone.kind == "shuffle"]
        self._last: Image | None = None
        self._table: Image | None = None
        self._still_s = np.zeros(self._size[::-1], np.float32)
        self._t = 0.0
        self._has_gap = False
        self.reach: Reach | None = None
        self._view, self._plan = view, plan
        self._felt: Felt | None = None

    def _watched(self, view: View, zone: Zone) -> Watched | None:
        """None for a zone that is not in the picture."""
        hull = np.array(view.outline(zone, HEIGHT_MM.get(zone.kind, 3.0), MARGIN_MM.get(zone.kind, 0.0)))
        window = Window.around(hull, view)
        if window is None:
            return None
        small = np.zeros(self._size[::-1], np.uint8)
        cv2.fillConvexPoly(small, np.round(hull / self.scale).astype(np.int32), 1)
        px_per_mm = view.px_per_mm(*zone.at)
        return Watched(
            zone=zone, small=np.flatnonzero(small), window=window,
            different_px=max(10.0, DIFFERENT_MM2 * px_per_mm * px_per_mm),
            reach_mm=math.hypot(*zone.size) / 2 + HAND_MM,
        )  # fmt: skip

    def shrunk(self, frame: Frame) -> Image:
        """The small picture that all is watched in, three planes: brightness and both tints (a sleeve may be as bright
        as felt)."""
        small = np.empty((3, *self._size[::-1]), np.uint8)
        planes = (frame.luma, *frame.tints)
        for number in range(3):
            plane = planes[number] if len(planes) == 3 else planes[0]
            cv2.resize(plane, self._size, dst=small[number], interpolation=cv2.INTER_AREA)
        return small

    @property
    def bright(self) -> Image | None:
        """How bright the table is known to be, small."""
        return None if self._table is None else self._table[0]

    @property
    def is_reached(self) -> bool:
        """Whether an arm is over the table."""
        return self.reach is not None and bool(self.reach.tips)

    def feed(self, frame: Frame, small: Image, missing_s: float = 0.0) -> list[Rest]:
        """Look at a frame. Each zone that has come to rest is told once; `accept` it, or it stays as it was.
        `missing_s`: how much of the footage before it nobody saw."""
        self._has_gap = missing_s > BRIEF_S
        if self._last is None or self._table is None:
            self._last, self._table, self._t = small, small.copy(), frame.t
            self.reach = self.arms.find(np.zeros(small.shape[1:], np.uint8))
            self._felt = Felt.of(small, self.arms.felt, self._plan)
            return []
        elapsed_s, self._t = frame.t - self._t, frame.t
        small = self._as_bright_as_the_table(small)
        moving = _exceeds(small, self._last, MOVING)
        new = _exceeds(small, self._table, NEW)
        self._last = small
        self.reach = self.arms.find(new.view(np.uint8))
        self._settle(small, moving, elapsed_s)
        moves = self._count(moving) >= self._enough
        stirs = moves | (self._count(self.reach.owners > 0) >= self._enough) if self.reach.tips else moves
        zones, rests = list(self.zones.values()), []
        for number in self._shuffle:  # a pack that lies there, close to the dealer, looks like his arm
            doing = zones[number].doing
            doing.moved_t = frame.t if moves[number] else doing.moved_t
            stirs[number] = frame.t - doing.moved_t < PACK_LIES_S
        for number in map(int, np.flatnonzero(stirs | self._awake)):
            rest = self._watch(zones[number], frame, elapsed_s, stirs=bool(stirs[number]))
            rests += [] if rest is None else [rest]
            doing = zones[number].doing
            self._awake[number] = doing.stirred_from is not None or doing.still_since is None or doing.look is None
        return rests

    def _count(self, small: NDArray[np.bool_]) -> NDArray[np.intp]:
        """How many small pixels are set in each zone."""
        if not len(self._pixels):
            return np.zeros(0, np.intp)
        return np.asarray(np.add.reduceat(small.ravel()[self._pixels], self._starts, dtype=np.intp))

    def _as_bright_as_the_table(self, small: Image) -> Image:
        """Lamps flicker and exposure drifts: the whole picture is brought to the brightness the table is known in."""
        assert self._table is not None
        known, seen = self._table[0, ::5, ::5].astype(np.float32), small[0, ::5, ::5]
        gain = float(np.median(known / np.maximum(seen, 1)))
        if abs(gain - 1) < 0.01:
            return small
        even = small.copy()
        cv2.convertScaleAbs(small[0], dst=even[0], alpha=gain)
        return even

    def _settle(self, small: Image, moving: NDArray[np.bool_], elapsed_s: float) -> None:
        assert self._table is not None
        assert self.reach is not None
        self._still_s += np.float32(elapsed_s)
        np.copyto(self._still_s, np.float32(0), where=moving)
        settled = (self._still_s > SETTLED_S) & self._free
        if self.reach.tips:
            settled &= (self.reach.owners == 0) | (self._still_s > ARM_SETTLED_S)
        for known, now in zip(self._table, small, strict=True):
            np.copyto(known, now, where=settled)

    def _watch(self, watched: Watched, frame: Frame, elapsed_s: float, *, stirs: bool) -> Rest | None:
        assert self.reach is not None
        doing = watched.doing
        if stirs:
            doing.still_since = None
            doing.has_gap |= self._has_gap
            if doing.stirred_from is None:
                doing.stirred_from = frame.t - elapsed_s if doing.has_gap else frame.t
            owners = np.flatnonzero(self.reach.over(watched.small)[1:]) + 1
            if not len(owners) and len(doing.glimpses) < GLIMPSES and watched.zone.kind in ("cards", "tiles"):
                doing.glimpses.append((frame.t, watched.window.look(frame)))
            for owner in owners:
                name = self.arms.names[owner]
                is_hand = self.reach.is_at(int(owner), watched.zone.at, watched.reach_mm)
                doing.touched[name] = doing.touched.get(name, 0.0) + elapsed_s * (1.0 if is_hand else PASSING_SHARE)
                doing.dealer_s += elapsed_s if owner == DEALER else 0.0
            return None
        if doing.still_since is None:  # it is as it was a frame ago: in a slow feed that is long enough
            doing.still_since = frame.t - elapsed_s if elapsed_s >= 2 * REST_S else frame.t
        if doing.look is None:
            self._begin(watched, frame)
        if doing.stirred_from is None:
            return None
        if frame.t - doing.still_since < REST_S:
            if watched.zone.kind == "chips" and len(doing.glimpses) < GLIMPSES:
                doing.glimpses.append((frame.t, watched.window.look(frame)))
            return None
        rest = Rest(
            zone=watched.zone, t=doing.still_since, stirred_from=doing.stirred_from, touched=doing.touched,
            is_different=self.difference(watched.zone.name, frame).count > watched.different_px,
            dealer_s=doing.dealer_s, seen_t=self._first_seen(watched, frame),
            was_otherwise=self._was_otherwise(watched, frame), has_gap=doing.has_gap, lay=doing.lay,
        )  # fmt: skip
        doing.stirred_from, doing.touched, doing.dealer_s, doing.is_lost = None, {}, 0.0, False
        doing.glimpses, doing.has_gap, doing.lay = [], False, None
        return rest

    def _begin(self, watched: Watched, frame: Frame) -> None:
        """A zone is seen for the first time: what lies in it came while nobody looked."""
        self.accept(watched.zone.name, frame)
        doing = watched.doing
        kind, was_hidden = watched.zone.kind, doing.stirred_from is not None
        if self._felt is None or doing.look is None or kind not in (BEGINS_WITH if was_hidden else MAY_BEGIN_WITH):
            return
        px_per_mm = self._view.px_per_mm(*watched.zone.at)
        doing.lay = self._felt.covered(doing.look, watched.window, px_per_mm, is_card=kind == "cards")
        if doing.lay is not None:
            doing.first = doing.look = bared(doing.look, doing.lay)
            doing.stirred_from, doing.has_gap = doing.still_since, True

    def _first_seen(self, watched: Watched, frame: Frame) -> float | None:
        """The first glimpse of a place for cards that shows it as it lies now."""
        for t, glimpse in watched.doing.glimpses if watched.zone.kind != "chips" else ():
            if watched.window.difference(glimpse, frame).count <= watched.different_px:
                return t
        return None

    def _was_otherwise(self, watched: Watched, frame: Frame) -> bool:
        """Whether a glimpse of a spot shows it neither as it was nor as it is: something stood there in between."""
        window, known = watched.window, watched.doing.look
        looks = (window.look(frame), known) if watched.zone.kind == "chips" and known is not None else ()
        return bool(looks) and any(
            all(window.between(look, glimpse).count > watched.different_px for look in looks)
            for _, glimpse in watched.doing.glimpses
        )

    def memory(self) -> "GateMemory":
        """All that changes while frames are fed, for a checkpoint."""
        zones = {name: each.doing for name, each in self.zones.items()}
        return GateMemory(
            last=self._last, table=self._table, still_s=self._still_s, t=self._t, zones=zones, felt=self._felt
        )  # fmt: skip

    def recall(self, memory: "GateMemory") -> None:
        """Go on from a checkpoint."""
        self._last, self._table, self._still_s, self._t = memory.last, memory.table, memory.still_s, memory.t
        self._felt = memory.felt
        for name, known in memory.zones.items():
            self.zones[name].doing = known
        self._awake[:] = True

    @property
    def is_shuffling(self) -> bool:
        """Whether something moves where cards are shuffled."""
        doings = [each.doing for each in self.zones.values() if each.zone.kind == "shuffle"]
        return any(self._t - doing.moved_t < PACK_LIES_S for doing in doings)

    @property
    def is_busy(self) -> bool:
        """Whether something stirs somewhere, or has only just come to rest."""
        return any(each.doing.stirred_from is not None for each in self.zones.values())

    def hidden(self, t: float) -> list[Zone]:
        """Spots for chips over which somebody's hand lies for long, and at which the dealer's was meanwhile: what he
        put there may have been taken up again before it could be seen. Each is told once."""
        found = []
        for each in self.zones.values():
            doing = each.doing
            is_long = doing.stirred_from is not None and t - doing.stirred_from > HIDDEN_S
            if is_long and each.zone.kind == "chips" and doing.touched.get("dealer", 0.0) > HAND_THERE_S:
                doing.touched["dealer"] = 0.0
                found.append(each.zone)
        return found

    def lose(self, t: float) -> float | None:
        """Since when places for cards have been hidden that are out of sight from now on; None where there are none."""
        found = []
        for each in self.zones.values():
            doing = each.doing
            if each.zone.kind not in ("cards", "tiles") or doing.stirred_from is None or doing.is_lost:
                continue
            if t - doing.stirred_from - doing.dealer_s > LOST_S:
                doing.is_lost = True
                found.append(doing.stirred_from)
        return min(found, default=None)

    @property
    def has_lost(self) -> bool:
        """Whether a place for cards is out of sight."""
        return any(each.doing.is_lost for each in self.zones.values())

    def is_still(self, name: str) -> bool:
        """Whether nothing has stirred in the zone since its rest was told."""
        doing = self.zones[name].doing
        return doing.still_since is not None and doing.stirred_from is None

    def accept(self, name: str, frame: Frame) -> None:
        """What the zone looks like now has been understood: it is compared with this from now on."""
        watched = self.zones[name]
        watched.doing.look = watched.window.look(frame)
        watched.doing.first = watched.doing.first or watched.doing.look
        if self._table is not None and self._last is not None:
            self._table.reshape(3, -1)[:, watched.small] = self._last.reshape(3, -1)[:, watched.small]

    def difference(self, name: str, frame: Frame) -> Difference:
        """Where a zone looks different from when it was last accepted."""
        watched = self.zones[name]
        return watched.window.difference(watched.doing.look, frame)

    def occupied(self, name: str, frame: Frame) -> Difference:
        """Where a zone looks different from the first time it was seen at rest: where something lies on its felt."""
        watched = self.zones[name]
        return watched.window.difference(watched.doing.first, frame)

    def mend(self, name: str, frame: Frame) -> Difference | None:
        """Where felt shows now on which something lay unnoticed when the zone was first seen; that is mended."""
        watched = self.zones[name]
        if self._felt is None or watched.doing.first is None:
            return None
        now, differs = watched.window.look(frame), self.occupied(name, frame)
        is_felt = self._felt.barer(watched.doing.first, now, differs.pixels)
        if is_felt is None:
            return None
        watched.doing.first = mended(watched.doing.first, now, is_felt)
        return Difference(corner=differs.corner, pixels=is_felt)

    def covered(self, name: str, frame: Frame) -> Difference:
        """Where something came to lie on the felt since the zone was last accepted: a shadow that falls covers nothing,
        and one that goes bares what was seen before."""
        watched = self.zones[name]
        since = watched.window.difference(watched.doing.look, frame, counts_shade=False)
        return Difference(corner=since.corner, pixels=since.pixels & self.occupied(name, frame).pixels)

    def is_occupied(self, name: str, frame: Frame) -> bool:
        """Whether something lies or stands in a zone that was bare at first."""
        watched = self.zones[name]
        piece_mm2 = PIECE_MM2.get(watched.zone.kind, DIFFERENT_MM2)
        standing = watched.window.difference(watched.doing.first, frame, counts_shade=False)
        return standing.count > watched.different_px * piece_mm2 / DIFFERENT_MM2


def _exceeds(one: Image, other: Image, limits: tuple[int, int, int]) -> NDArray[np.bool_]:
    """Where two small pictures differ by more than the limits, in any of brightness and tints."""
    luma, u, v = cv2.absdiff(one.reshape(-1, one.shape[2]), other.reshape(-1, one.shape[2])).reshape(one.shape)
    return np.asarray((luma > limits[0]) | (u > limits[1]) | (v > limits[2]))
