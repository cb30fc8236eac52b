"""Signs: what is told by hands and small pieces. Waves over the table, a flat hand over cards, shuffles, cuts, markers.

None of it is read from a face of anything: a sign is who reached where, for how long, and whether something looks
different afterwards. What a player's hand over his cards means comes from the plan (`sign`).
"""

from dataclasses import dataclass, field

import msgspec
import numpy as np
from numpy.typing import NDArray

from auditor.log import AnyEvent, Button, By, Call, Cut, CuttingCard, Marker, Shuffle
from vision.arms import DEALER, Arms, Reach
from vision.gate import Rest
from vision.plan import Plan
from vision.writer import WaitingRoom

SHUFFLING_S = 0.8
HAND_SIGN_S = (0.3, 3.0)
WAVE_DEPTH = (0.2, 0.62)
"""Where on the felt, from the dealer's edge to the players', a wave that closes the betting goes."""
WAVE_REACH_MM = 190.0
WAVE_AGAIN_S = 2.0
WAVE_UNEVEN = 1.9


@dataclass(slots=True)
class Wave:
    """A wave under way: since when both arms are out, and how far they got."""

    since: float
    widest_mm: float = 0.0
    widest_t: float = 0.0


@dataclass(slots=True, kw_only=True)
class SignMemory:
    """What the signs so far leave to be remembered."""

    occupied: set[str] = field(default_factory=set)
    is_shuffled: bool = False
    wave: Wave | None = None
    waved_t: float = -WAVE_AGAIN_S


class Signs:
    """Reads signs out of rests and reaches; events go to the waiting room."""

    def __init__(self, plan: Plan, arms: Arms, cam: str) -> None:
        self.memory = SignMemory()
        self._sign, self._cam = plan.sign, cam
        _, top, _, bottom = plan.bounds()
        depth = (arms.mm[:, 1] - top) / (bottom - top)
        self._in_depth = np.flatnonzero((depth > WAVE_DEPTH[0]) & (depth < WAVE_DEPTH[1]))
        self._across_mm: NDArray[np.float64] = arms.mm[self._in_depth, 0]

    def rested(self, rest: Rest, frame: int, room: WaitingRoom, *, is_occupied: bool) -> None:
        """A zone came to rest; `is_occupied` says whether a piece stands there now, or cards lay there before."""
        kind, place, t = rest.zone.kind, rest.zone.place, round(rest.t, 3)
        event: AnyEvent | None = None
        if kind in ("marker", "button", "cutting_card"):
            was_occupied = rest.zone.name in self.memory.occupied
            if is_occupied and not was_occupied:
                event = _piece(kind, place, t)
            (self.memory.occupied.add if is_occupied else self.memory.occupied.discard)(rest.zone.name)
        elif kind == "shuffle" and rest.is_different:
            event = self._shuffled(rest, t)
        elif kind in ("cards", "tiles") and self._sign is not None and is_occupied:
            hand_s = rest.touched.get(place.partition("#")[0], 0.0) if place != "dealer" else 0.0
            # Where cards changed as well, it was the dealer's hand that changed them.
            is_left_alone = not rest.is_different or "dealer" in rest.touched
            if HAND_SIGN_S[0] <= hand_s <= HAND_SIGN_S[1] and is_left_alone:
                event = Call(what=self._sign, at=place, t=t, by="player")
        if event is not None:
            room.add(_seen_at(event, self._cam, frame))

    def _shuffled(self, rest: Rest, t: float) -> AnyEvent | None:
        """Cards worked on for a while were shuffled; the next time they have moved, they were cut."""
        players = [name for name in rest.touched if name != "dealer"]
        if self.memory.is_shuffled:
            self.memory.is_shuffled = False
            by: By = "player" if players else "dealer"
            return Cut(t=t, by=by)
        if rest.touched.get("dealer", 0.0) >= SHUFFLING_S:
            self.memory.is_shuffled = True
            return Shuffle(t=t, by="dealer")
        return None

    def reached(self, reach: Reach, t: float, frame: int, room: WaitingRoom) -> None:
        """The arms over the table: both of the dealer's out to the sides at once are a wave."""
        across = self._across_mm[reach.owners.ravel()[self._in_depth] == DEALER]
        left, right = (-float(across.min()), float(across.max())) if len(across) else (0.0, 0.0)
        is_wide = min(left, right) > WAVE_REACH_MM and max(left, right) < WAVE_UNEVEN * min(left, right)
        if not is_wide:
            self._end_wave(frame, room)
            return
        wave = self.memory.wave = self.memory.wave or Wave(since=t)
        if left + right > wave.widest_mm:
            wave.widest_mm, wave.widest_t = left + right, t

    def _end_wave(self, frame: int, room: WaitingRoom) -> None:
        wave, self.memory.wave = self.memory.wave, None
        if wave is None or wave.widest_t <= wave.since or wave.since - self.memory.waved_t < WAVE_AGAIN_S:
            return
        self.memory.waved_t = wave.widest_t
        call = Call(what="no_more_bets", t=round(wave.widest_t, 3), by="dealer")
        room.add(_seen_at(call, self._cam, frame))


def _piece(kind: str, place: str, t: float) -> AnyEvent:
    if kind == "cutting_card":
        return CuttingCard(at=place, t=t)
    return Marker(at=place, t=t) if kind == "marker" else Button(at=place, t=t)


def _seen_at(event: AnyEvent, cam: str, frame: int) -> AnyEvent:
    return msgspec.structs.replace(event, cam=cam, frame=frame)
