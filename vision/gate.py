"""The change gate: which zones came to rest after something happened there. Most of a table is still most of the time.

A zone stirs while something moves in it or an arm is over it; when neither has been so for a moment, the zone rests,
and it is compared in full resolution with how it last looked. Only what then looks different has to be read.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arms import DEALER, Arms, Reach
from vision.beginning import Felt
from vision.camera import View
from vision.frames import Frame, Image
from vision.parts import Part, resting_part
from vision.plan import Plan, Zone
from vision.rests import BRIEF_S, HAND_THERE_S, Rest
from vision.small_table import Mask, SmallMemory, SmallTable
from vision.watched import Doing, Watched
from vision.window import Difference

REST_S = 0.07
STIRRED_SHARE = 0.02
PACK_LIES_S = 0.15  # what lies so long where cards are shuffled is no hand
PASSING_SHARE = 0.1
"""An arm that only passes over a zone on its way counts so much of a hand that is there."""
HIDDEN_S = 1.5
"""A hand that is there longer lies there."""
LOST_S = 6.0
"""A zone that is hidden longer is out of sight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateMemory:
    """All that a gate knows at one frame."""

    small: SmallMemory
    zones: dict[str, Doing]
    felt: Felt | None
    reach: Reach | None


class Gate:
    """Fed with frames, it says which zones came to rest, and whether they look different from when last accepted."""

    def __init__(self, view: View, plan: Plan) -> None:
        self.small = SmallTable(view)
        size = self.small.size
        self.arms = Arms(view, plan, self.small.scale, size)
        zones = [Watched.of(zone, view, self.small.scale, size) for zone in plan.zones if zone.kind != "fixture"]
        self.zones = {each.zone.name: each for each in zones if each is not None}
        self._pixels = np.concatenate([np.zeros(0, np.intp), *(each.small for each in self.zones.values())])
        sizes = np.array([len(each.small) for each in self.zones.values()], np.intp)
        self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp)
        self._enough = np.maximum(2.0, STIRRED_SHARE * sizes)
        self._awake = np.ones(len(self.zones), bool)
        """Zones that stir, have only just come to rest, or were never seen at rest: the others need not be asked."""
        free = np.ones(size[0] * size[1], bool)
        free[self._pixels] = False
        self._free = free.reshape(size[::-1])
        self._shuffle = [number for number, each in enumerate(self.zones.values()) if each.zone.kind == "shuffle"]
        self._has_gap = False
        self.reach: Reach | None = None
        self.parts: list[Part] = []
        """What lies still at places that stir, in the frame that was looked at last."""
        self._plan = plan
        self._felt: Felt | None = None

    @property
    def is_reached(self) -> bool:
        """Whether an arm is over the table."""
        return self.reach is not None and bool(self.reach.tips)

    def feed(self, frame: Frame, small: Image, missing_s: float = 0.0) -> list[Rest]:
        """Look at a frame. Each zone that has come to rest is told once; `accept` it, or it stays as it was.
        `missing_s`: how much of the footage before it nobody saw."""
        self._has_gap = missing_s > BRIEF_S
        self.parts, stir = [], self.small.look(small, frame.t)
        if stir is None:
            self.reach = self.arms.find(np.zeros(small.shape[1:], np.uint8))
            self._felt = Felt.of(small, self.arms.felt, self._plan)
            return []
        self.reach = self.arms.find(stir.new.view(np.uint8), self.reach)
        arms = self.reach.owners > 0 if self.reach.tips else None
        self.small.settle(self._free, arms)
        moves = self._count(stir.moving) >= self._enough
        stirs = moves if arms is None else moves | (self._count(arms) >= self._enough)
        zones, rests = list(self.zones.values()), []
        for number in self._shuffle:  # a pack that lies there, close to the dealer, looks like his arm
            doing = zones[number].doing
            doing.moved_t = frame.t if moves[number] else doing.moved_t
            stirs[number] = frame.t - doing.moved_t < PACK_LIES_S
        for number in map(int, np.flatnonzero(stirs | self._awake)):
            rest = self._watch(zones[number], frame, stir.elapsed_s, stirs=bool(stirs[number]))
            rests += [] if rest is None else [rest]
            doing = zones[number].doing
            self._awake[number] = doing.stirred_from is not None or doing.still_since is None or doing.look is None
            part = resting_part(zones[number], frame, stir.new, arms, self.small)
            self.parts += [] if part is None else [part]
        return rests

    def _count(self, small: Mask) -> NDArray[np.intp]:
        """How many small pixels are set in each zone."""
        if not len(self._pixels):
            return np.zeros(0, np.intp)
        return np.asarray(np.add.reduceat(small.ravel()[self._pixels], self._starts, dtype=np.intp))

    def _watch(self, watched: Watched, frame: Frame, elapsed_s: float, *, stirs: bool) -> Rest | None:
        doing = watched.doing
        if stirs:
            self._stirred(watched, frame, elapsed_s)
            return None
        if doing.still_since is None:  # it is as it was a frame ago: in a slow feed that is long enough
            doing.still_since = frame.t - elapsed_s if elapsed_s >= 2 * REST_S else frame.t
        if doing.look is None:
            watched.begin(frame, self._felt)
            self.small.accept(watched.small)
        if doing.stirred_from is None:
            return None
        seen_t = watched.first_seen(frame)
        if frame.t - doing.still_since < REST_S and seen_t is None:
            watched.glimpse(frame)
            return None
        rest = Rest(
            zone=watched.zone, t=doing.still_since, stirred_from=doing.stirred_from, touched=doing.touched,
            is_different=watched.difference(frame).count > watched.different_px,
            doubtful_s=doing.doubtful_s, dealer_s=doing.dealer_s, seen_t=seen_t,
            was_otherwise=watched.was_otherwise(frame), has_gap=doing.has_gap, lay=doing.lay,
        )  # fmt: skip
        doing.stirred_from, doing.touched, doing.is_lost = None, {}, False
        doing.doubtful_s = doing.dealer_s = 0.0
        doing.glimpses, doing.has_gap, doing.lay, doing.is_doubted = [], False, None, False
        return rest

    def _stirred(self, watched: Watched, frame: Frame, elapsed_s: float) -> None:
        """Something moves in a zone, or arms are over it: whose, and for how long, is kept in mind."""
        assert self.reach is not None
        doing = watched.doing
        doing.still_since = None
        doing.has_gap |= self._has_gap
        if doing.stirred_from is None:
            doing.stirred_from = frame.t - elapsed_s if doing.has_gap else frame.t
        owners = np.flatnonzero(self.reach.over(watched.small)[1:]) + 1
        if not len(owners) and watched.zone.kind in ("cards", "tiles"):
            watched.glimpse(frame)
        for owner in owners:
            name = self.arms.names[owner]
            is_hand = self.reach.is_at(int(owner), watched.zone.at, watched.reach_mm)
            doing.touched[name] = doing.touched.get(name, 0.0) + elapsed_s * (1.0 if is_hand else PASSING_SHARE)
            doing.doubtful_s += elapsed_s if owner in self.reach.doubtful else 0.0
            if owner == DEALER:
                doing.dealer_s, doing.dealer_t = doing.dealer_s + elapsed_s, frame.t

    def memory(self) -> GateMemory:
        """All that changes while frames are fed, for a checkpoint."""
        zones = {name: each.doing for name, each in self.zones.items()}
        return GateMemory(small=self.small.memory, zones=zones, felt=self._felt, reach=self.reach)

    def recall(self, memory: GateMemory) -> None:
        """Go on from a checkpoint."""
        self.small.memory, self._felt, self.reach = memory.small, memory.felt, memory.reach
        for name, known in memory.zones.items():
            self.zones[name].doing = known
        self._awake[:] = True

    @property
    def is_shuffling(self) -> bool:
        """Whether something moves where cards are shuffled."""
        doings = [each.doing for each in self.zones.values() if each.zone.kind == "shuffle"]
        return any(self.small.memory.t - doing.moved_t < PACK_LIES_S for doing in doings)

    @property
    def is_busy(self) -> bool:
        """Whether something stirs somewhere, or has only just come to rest."""
        return any(each.doing.stirred_from is not None for each in self.zones.values())

    def hidden(self, t: float) -> list[Zone]:
        """Spots for chips, and places of the marker, over which somebody's hand lies for long, and at which the
        dealer's was meanwhile: what he put there may have been taken up again before it could be seen, and the marker
        have been taken. Each is told once."""
        found = []
        for each in self.zones.values():
            doing = each.doing
            is_long = doing.stirred_from is not None and t - doing.stirred_from > HIDDEN_S and not doing.is_doubted
            is_hidden = is_long and doing.touched.get("dealer", 0.0) > HAND_THERE_S
            if is_hidden and each.zone.kind in ("chips", "marker"):
                doing.is_doubted = True
                if each.zone.kind == "chips":
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

    def accept(self, name: str, frame: Frame) -> None:
        """What the zone looks like now has been understood: it is compared with this from now on."""
        self.zones[name].accept(frame)
        self.small.accept(self.zones[name].small)

    def accept_part(self, name: str, frame: Frame, part: Difference) -> None:
        """What a part of the zone looks like now has been understood."""
        watched = self.zones[name]
        watched.accept_part(frame, part)
        rows, columns = np.divmod(watched.small, self.small.size[0])
        left, top = part.corner
        inside = np.clip(rows * self.small.scale - top, 0, part.pixels.shape[0] - 1)
        across = np.clip(columns * self.small.scale - left, 0, part.pixels.shape[1] - 1)
        self.small.accept(watched.small[part.pixels[inside, across]])

    def mend(self, name: str, frame: Frame) -> Difference | None:
        """Where felt shows now on which something lay unnoticed when the zone was first seen; that is mended."""
        return self.zones[name].mend(frame, self._felt)
