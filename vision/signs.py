"""Signs: what is told by hands and small pieces. Waves over the table, a flat hand over cards, shuffles, cuts, markers.

None of it is read from a face of anything: a sign is who reached where, for how long, and whether something looks
different afterwards. What a player's hand over his cards means comes from the plan (`sign`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np
from numpy.typing import NDArray

from auditor.log import AnyEvent, Button, By, Call, Chips, Cut, CuttingCard, Marker, Shuffle
from vision.arms import DEALER, Arms, Reach
from vision.rests import HAND_THERE_S, Rest
from vision.plan import Plan, Zone
from vision.writer import WaitingRoom

SHUFFLING_S = 0.6
FLICKER_S = 0.2
"""Hands that are not seen for so short a time were there: quick hands are lost in every other picture."""
BEYOND_MM = 35.0
"""An arm that reaches so far past the place where cards are shuffled is not at work there."""
HARDLY_SEEN_CONF = 0.5
CARRIED_S = 1.5
"""So long a dealer carries the marker from place to place."""
PARTLY_SEEN = 0.5
"""So much of what is asked of a piece may be all that a hand on the table's edge leaves to be seen of it."""
HAND_SIGN_S = (0.3, 3.0)
ONE_REACH_S = 0.4
"""What changes at a box so close in time was done by one reach of a hand."""
SPEAKING_S, UNHEARD_CONF = 1.5, 0.3
"""Between two communal cards that come so far apart players may have spoken, which nobody hears."""
WAVE_DEPTH = (0.2, 0.62)
"""Where on the felt, from the dealer's edge to the players', a wave that closes the betting goes."""
WAVE_BEGINS_MM, WAVE_REACH_MM = 100.0, 190.0
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
    hardly_at: str = ""
    hardly_ticket: int = 0
    """Where the marker may stand, by the last event that told so."""
    is_shuffled: bool = False
    worked_s: float = 0.0
    working_t: float = 0.0
    cut_ticket: int = 0
    t: float = 0.0
    wave: Wave | None = None
    waved_t: float = -WAVE_AGAIN_S
    communal_t: float | None = None


class Signs:
    """Reads signs out of rests and reaches; events go to the waiting room."""

    def __init__(self, plan: Plan, arms: Arms, cam: str) -> None:
        self.memory = SignMemory()
        self._word = plan.word
        self._markers = frozenset(zone.name for zone in plan.of_kind("marker"))
        self._sign, self._sign_conf = plan.sign, plan.sign_conf
        self._cam, self._has_tiles = cam, bool(plan.of_kind("tiles"))
        _, top, _, bottom = plan.bounds()
        depth = (arms.mm[:, 1] - top) / (bottom - top)
        self._in_depth = np.flatnonzero((depth > WAVE_DEPTH[0]) & (depth < WAVE_DEPTH[1]))
        self._across_mm: NDArray[np.float64] = arms.mm[self._in_depth, 0]
        self._at_shuffle = self._beyond_shuffle = np.zeros(0, np.intp)
        for zone in plan.of_kind("shuffle"):
            right, down = (arms.mm - zone.at).T  # the dealer's own place is never turned
            across, along = zone.size[0] / 2, zone.size[1] / 2
            self._at_shuffle = np.flatnonzero((np.abs(right) <= across) & (np.abs(down) <= along))
            is_beyond = (np.abs(right) < across + 250) & (down > along + BEYOND_MM) & (down < along + 300)
            self._beyond_shuffle = np.flatnonzero(is_beyond)

    def rested(
        self, rest: Rest, frame: int, room: WaitingRoom, *, is_occupied: bool, is_partly: bool = False,
        is_held: bool = False,
    ) -> None:  # fmt: skip
        """A zone came to rest; `is_occupied` says whether a piece stands there now, or cards lay there before;
        `is_partly`, whether at least so much is seen there as a piece shows that a hand half hides; `is_held`, whether
        players hold cards or tiles: then hardly anybody shuffles."""
        kind, place, t = rest.zone.kind, rest.zone.place, round(rest.t, 3)
        event: AnyEvent | None = None
        if kind == "marker":
            self._marked(rest, frame, room, is_seen=is_occupied, is_partly=is_partly)
        elif kind in ("button", "cutting_card"):
            was_occupied = rest.zone.name in self.memory.occupied
            if is_occupied and not was_occupied:
                event = _piece(kind, place, t)
            (self.memory.occupied.add if is_occupied else self.memory.occupied.discard)(rest.zone.name)
        elif kind == "shuffle":
            self._shuffled(rest, frame, room, conf=HARDLY_SEEN_CONF if is_held else None)
        elif kind in ("cards", "tiles") and self._sign is not None and is_occupied:
            hand_s = rest.touched.get(place.partition("#")[0], 0.0) if place != "dealer" else 0.0
            # Where cards changed as well, it was the dealer's hand that changed them.
            is_left_alone = not rest.is_different or "dealer" in rest.touched
            is_left_alone &= not any(isinstance(each, Chips) for _, each in _at_box(place, t, room))
            if HAND_SIGN_S[0] <= hand_s <= HAND_SIGN_S[1] and is_left_alone:
                event = Call(what=self._sign, at=place, t=t, by="player", conf=self._sign_conf)
        if event is not None:
            room.add(_seen_at(event, self._cam, frame))

    def _marked(self, rest: Rest, frame: int, room: WaitingRoom, *, is_seen: bool, is_partly: bool) -> None:
        """Where the marker stands. A hand that rests on the table's edge may half hide it, or wholly: when it has gone
        from its place and is not seen at another, or hardly, nobody knows where it is, and that is told. Seen at last,
        it is likely to have come there when it was taken away."""
        memory, name, t = self.memory, rest.zone.name, round(rest.t, 3)
        was_there, was_hardly = name in memory.occupied, memory.hardly_at == name
        is_dealers = rest.touched.get("dealer", 0.0) > HAND_THERE_S
        if is_seen and not was_there and not is_dealers and memory.occupied & self._markers:
            return  # something of a player's: the marker is seen elsewhere, and only the dealer moves it
        is_put = is_partly and rest.is_different and is_dealers
        conf = None if is_seen else HARDLY_SEEN_CONF
        if (is_seen and (memory.hardly_at or not was_there)) or (is_put and not was_there):
            waiting = room.waiting(memory.hardly_ticket)
            if isinstance(waiting, Marker) and not was_hardly and t - waiting.t > CARRIED_S:
                room.amend(memory.hardly_ticket, msgspec.structs.replace(waiting, at=rest.zone.place))
            else:
                room.withdraw(memory.hardly_ticket)
            t = waiting.t if was_hardly and waiting is not None else t
            memory.occupied.add(name)
        elif was_there and not is_seen and not is_partly:
            memory.occupied.discard(name)
            if memory.occupied & self._markers or memory.hardly_at not in ("", name):
                return  # it is known, or told, where else it may stand
        else:
            return
        memory.hardly_at = name if conf is not None else ""
        marker = _seen_at(Marker(at=rest.zone.place, t=t, conf=conf), self._cam, frame)
        ticket = room.add(marker)
        memory.hardly_ticket = ticket if conf is not None else 0

    def may_have_moved(self, zone: Zone, t: float, frame: int, room: WaitingRoom) -> None:
        """The dealer's hand was at a place of the marker, and something lies over it since: it may have been taken from
        there or put there, and look like a hand itself at the table's edge; nobody knows where it is."""
        memory = self.memory
        if memory.occupied & self._markers and memory.hardly_at != zone.name:
            marker = Marker(at=zone.place, t=round(t, 3), conf=HARDLY_SEEN_CONF)
            memory.hardly_at, memory.hardly_ticket = zone.name, room.add(_seen_at(marker, self._cam, frame))

    def chips_moved(self, place: str, t: float, room: WaitingRoom) -> None:
        """Chips of a box changed: a hand over its cards at that moment was on its way to them, and meant nothing."""
        for ticket, event in _at_box(place, t, room):
            if isinstance(event, Call) and event.by == "player":
                room.withdraw(ticket)

    def communal(self, holders: Sequence[str], chips_t: float, t: float, frame: int, room: WaitingRoom) -> None:
        """A communal card came. If no chips changed since the last one (`chips_t`), those who hold cards may have said
        that they do not bet: that nobody did is never certain."""
        since, self.memory.communal_t = self.memory.communal_t, t if holders else None
        if self._word is not None and since is not None and chips_t < since < t - SPEAKING_S:
            for box in holders:
                call = Call(what=self._word, at=box, t=round(t - 0.001, 3), conf=UNHEARD_CONF, by="player")
                room.add(_seen_at(call, self._cam, frame))

    def _shuffled(self, rest: Rest, frame: int, room: WaitingRoom, conf: float | None) -> None:
        """Cards worked on for a while were shuffled; the next time they have moved, they were cut, unless players hold
        some of them by then (`conf` is low): then the pack is dealt from.

        A cut may be so quick that it is not told from the shuffle: until it is seen by itself, it is told with little
        confidence at the shuffle's end. That nobody cut is never certain.
        """
        worked_s, self.memory.worked_s = self.memory.worked_s, 0.0
        t, memory = round(rest.t, 3), self.memory
        by: By = "player" if any(name != "dealer" for name in rest.touched) else "dealer"
        if memory.is_shuffled and rest.is_different:
            memory.is_shuffled = False
            if conf is None:
                room.withdraw(memory.cut_ticket)
                room.add(_seen_at(Cut(t=t, by=by), self._cam, frame))
        elif worked_s >= SHUFFLING_S:
            is_put_away = not rest.is_different
            shuffled_t = round((rest.stirred_from + rest.t) / 2, 3) if is_put_away else t
            room.add(_seen_at(Shuffle(t=shuffled_t, by="dealer", conf=conf), self._cam, frame))
            cut = Cut(t=t, by=by, conf=conf if is_put_away else HARDLY_SEEN_CONF)
            memory.cut_ticket = room.add(_seen_at(cut, self._cam, frame))
            memory.is_shuffled = not is_put_away

    def reached(
        self, reach: Reach, t: float, frame: int, room: WaitingRoom, *, is_shuffling: bool, is_dealt: bool
    ) -> None:
        """The arms over the table: how long the dealer has been working where cards are shuffled, whether he waves.

        While cards lie dealt the betting is closed already: arms far out are gathering them. Tiles lie there before.
        """
        owners = reach.owners.ravel()
        elapsed_s, self.memory.t = t - self.memory.t, t
        working_px = np.count_nonzero(owners[self._at_shuffle] == DEALER)
        beyond_px = np.count_nonzero(owners[self._beyond_shuffle] == DEALER)
        if is_shuffling and working_px > 0.04 * len(self._at_shuffle) and beyond_px < 0.25 * working_px:
            paused_s, self.memory.working_t = t - self.memory.working_t, t
            self.memory.worked_s += paused_s if paused_s <= FLICKER_S else min(elapsed_s, 0.25)
        if is_dealt and not self._has_tiles:
            self.memory.wave = None
        else:
            self._wave(owners, t, frame, room)

    def _wave(self, owners: NDArray[np.uint8], t: float, frame: int, room: WaitingRoom) -> None:
        """Both of the dealer's arms out to the sides at once are a wave."""
        across = self._across_mm[owners[self._in_depth] == DEALER]
        left, right = (-float(across.min()), float(across.max())) if len(across) else (0.0, 0.0)
        if min(left, right) < WAVE_BEGINS_MM:
            self._end_wave(frame, room)
            return
        wave = self.memory.wave = self.memory.wave or Wave(since=t)
        is_wide = min(left, right) > WAVE_REACH_MM and max(left, right) < WAVE_UNEVEN * min(left, right)
        if is_wide and left + right > wave.widest_mm:
            wave.widest_mm, wave.widest_t = left + right, t

    def _end_wave(self, frame: int, room: WaitingRoom) -> None:
        wave, self.memory.wave = self.memory.wave, None
        if wave is None or wave.widest_t <= wave.since or wave.since - self.memory.waved_t < WAVE_AGAIN_S:
            return
        self.memory.waved_t = wave.widest_t
        call = Call(what="no_more_bets", t=round(wave.widest_t, 3), by="dealer")
        room.add(_seen_at(call, self._cam, frame))


def _at_box(place: str, t: float, room: WaitingRoom) -> list[tuple[int, AnyEvent]]:
    """What waits to be told of a box at about a time."""
    box = place.partition("/")[0].partition("#")[0]
    near = [(ticket, event) for ticket, event in room.since(t - ONE_REACH_S) if event.t <= t + ONE_REACH_S]
    return [each for each in near if str(getattr(each[1], "at", "")).partition("/")[0].partition("#")[0] == box]


def _piece(kind: str, place: str, t: float) -> AnyEvent:
    if kind == "cutting_card":
        return CuttingCard(at=place, t=t)
    return Marker(at=place, t=t) if kind == "marker" else Button(at=place, t=t)


def _seen_at(event: AnyEvent, cam: str, frame: int) -> AnyEvent:
    return msgspec.structs.replace(event, cam=cam, frame=frame)
