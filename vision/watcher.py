"""The watcher of a table: frames of its camera go in, the events of the table log come out.

It knows no game: zones and what they hold come from the table's plan. Each zone that came to rest and looks different
is read a few times while it lies still; what the readings say against what was known there makes the events.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

import msgspec
import numpy as np

from auditor.log import AnyEvent, By, Dolly, Feed
from vision.beginning import paint_bare
from vision.camera import Image, View
from vision.table_cards import CardMemory, CardTable, Evidence
from vision.table_chips import ChipMemory, ChipTable
from vision.dolly import DollyMemory, DollyWatch
from vision.feed import FeedMemory, FeedWatch, steep_steps
from vision.frames import Frame
from vision.gate import HAND_THERE_S, LONG_HIDDEN_S, Gate, GateMemory
from vision.inquiry import Inquiry
from vision.knocks import KnockMemory, Knocks
from vision.lying import COMMUNAL, PILED, Piece
from vision.reading import ZoneReader, card_outline
from vision.rests import BRIEF_S, Rest
from vision.signs import SignMemory, Signs
from vision.stacks import Stacks
from vision.unread_chips import stands_unread
from vision.plan import Point, Zone
from vision.table_file import TableFile
from vision.window import ORNAMENT_MM, Difference
from vision.writer import WaitingMemory, WaitingRoom

STILL_PER_S, BUSY_PER_S = 8.0, 12.5
"""How often a table is looked at on which nothing stirs, and on which something does."""
FINE_PX = 8
CLEARLY = 1.5
"""So many times longer than the other side's must a hand have been at a spot to be the one that changed it."""
GROWN = 1.1
"""A card's edges lie within so many times its outline as it was read."""
PASSED_S = 0.2
"""What was seen to lie so long before its zone came to rest had come before another arm passed over it."""
FeedState = Literal["lost", "blocked", "back"]
HOLD_S = 8.0
"""How long an event waits for an earlier one or a better reading, in recorded footage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """All that a watcher knows at one frame."""

    gate: GateMemory
    room: WaitingMemory
    cards: CardMemory
    chips: ChipMemory
    signs: SignMemory
    feed: FeedMemory
    knocks: KnockMemory
    dolly: DollyMemory | None
    inquiries: dict[str, Inquiry]
    bare: Image | None
    fed: int
    reads: int


class TableWatcher:
    """One table seen by one camera. `feed` it every frame, in order; what it returns is ready to be written."""

    def __init__(
        self, table: TableFile, view: View, reader: ZoneReader, *, cam: str = "table", fps: float = 25.0,
        hold_s: float = HOLD_S,
    ) -> None:  # fmt: skip
        self.view, self.reader, self.cam, self.hold_s = view, reader, cam, hold_s
        self.room = WaitingRoom()
        self.gate = Gate(view, table.plan)
        self.cards = CardTable(self.room)
        self.chips = ChipTable(self.room, table.chip_values, frozenset(table.house.get("colours", {})))
        self.stacks = Stacks(view, self.chips)
        self.signs = Signs(table.plan, self.gate.arms, cam)
        self.view_state = FeedWatch(self.gate.arms.felt)
        self.knocks = Knocks(self.gate.scale, [view.outline(each.zone) for each in self.gate.zones.values()])
        self.dolly = DollyWatch(view, table.plan) if table.plan.of_kind("dolly") else None
        self.reads = 0
        self._every, self._busy_every = (max(1, round(fps / often)) for often in (STILL_PER_S, BUSY_PER_S))
        self._fed = 0
        self._open: dict[str, Inquiry] = {}
        self.bare: Image | None = None

    def feed(self, frame: Frame) -> list[AnyEvent]:
        """Look at a frame, or pass it over; returns events whose turn it is."""
        self._fed += 1
        if self._fed % (self._busy_every if self.gate.is_busy else self._every):
            return []
        frame = self.knocks.straight(frame)
        small, last_t = self.gate.shrunk(frame), self.view_state.memory.last_t
        fine = np.ascontiguousarray(frame.luma[::FINE_PX, ::FINE_PX])
        changes = self.view_state.look(
            small[0], self.gate.bright, frame.t, fine=fine, is_reached=self.gate.is_reached,
            steps=steep_steps(frame.luma),
        )
        for change in changes:
            self.room.add(Feed(t=round(change.t, 3), state=change.state, cam=self.cam, frame=frame.index))
        if not self.view_state.is_doubtful and not self._is_knocked(frame, small):
            self._look(frame, small, frame.t - (frame.t if last_t is None else last_t))
        return self._released(frame.t - self.hold_s)

    def _is_knocked(self, frame: Frame, small: Image) -> bool:
        """Whether it is not known where the camera looks, or it does not see all of the table any more."""
        knock = self.knocks.look(frame, small[0], self.gate.bright, self.bare)
        if knock is not None and (not knock.is_found or self.knocks.memory.sees_all):
            state: FeedState = "back" if knock.is_found else "lost"
            is_brief = knock.is_found and knock.t - knock.since < BRIEF_S
            self.room.add(
                Feed(t=round(knock.t, 3), state=state, unbroken=is_brief, cam=self.cam, frame=frame.index)
            )
        return knock is not None or self.knocks.is_blind

    def _released(self, until: float) -> list[AnyEvent]:
        """Events whose turn it is, with their evidence where the camera that took it has it."""
        events = self.room.release(until)
        if not self.knocks.memory.moved:
            return events
        return [self._located(event) if event.region else event for event in events]

    def _located(self, event: AnyEvent) -> AnyEvent:
        return msgspec.structs.replace(event, region=self.knocks.in_picture(event.region or [], event.t))

    def _look(self, frame: Frame, small: Image, missing_s: float) -> None:
        if self.bare is None:
            self.bare = frame.image
            if self.dolly is not None:
                self.dolly.memory.picture = self.bare.copy()
        had_lost = self.gate.has_lost
        for rest in self.gate.feed(frame, small, missing_s):
            self._rested(rest, frame)
        self._tell_hidden(frame, had_lost=had_lost)
        if self.gate.reach is not None:
            self.signs.reached(
                self.gate.reach, frame.t, frame.index, self.room,
                is_shuffling=self.gate.is_shuffling, is_dealt=self.cards.is_dealt,
            )  # fmt: skip
        self._inquire(frame)
        for zone in self.gate.hidden(frame.t):
            self.chips.may_have_held(zone.place, Evidence(t=round(frame.t, 3), cam=self.cam, frame=frame.index))

    def _tell_hidden(self, frame: Frame, *, had_lost: bool) -> None:
        """A place for cards over which a hand or a light lies for long is out of sight until it is seen again."""
        since = self.gate.lose(frame.t)
        if since is not None and not had_lost:
            self.room.add(Feed(t=round(since, 3), state="blocked", cam=self.cam, frame=frame.index))
        elif had_lost and not self.gate.has_lost:
            self.room.add(Feed(t=round(frame.t, 3), state="back", cam=self.cam, frame=frame.index))

    def finish(self) -> list[AnyEvent]:
        """The footage has ended: all that still waits."""
        for name in list(self._open):
            self._conclude(name)
        return self._released(float("inf"))

    def memory(self) -> "Memory":
        """All that is known of the table at this frame, for a checkpoint."""
        return Memory(
            gate=self.gate.memory(), room=self.room.memory, cards=self.cards.memory, chips=self.chips.memory,
            signs=self.signs.memory, feed=self.view_state.memory, knocks=self.knocks.memory,
            dolly=self.dolly.memory if self.dolly else None, inquiries=self._open, bare=self.bare, fed=self._fed,
            reads=self.reads,
        )  # fmt: skip

    def recall(self, memory: "Memory") -> None:
        """Go on from a checkpoint."""
        self.gate.recall(memory.gate)
        self.room.memory, self.cards.memory, self.chips.memory = memory.room, memory.cards, memory.chips
        self.signs.memory, self.view_state.memory, self.knocks.memory = memory.signs, memory.feed, memory.knocks
        if self.dolly is not None and memory.dolly is not None:
            self.dolly.memory = memory.dolly
        self._open, self.bare = memory.inquiries, memory.bare
        self._fed, self.reads = memory.fed, memory.reads

    def _rested(self, rest: Rest, frame: Frame) -> None:
        name = rest.zone.name
        if name in self._open:
            self._conclude(name)
        if rest.lay is not None and self.bare is not None:
            paint_bare(self.bare, rest.lay)
        if rest.stirred_from < self.view_state.memory.back_t:  # whose hand was there nobody saw
            rest = replace(rest, touched={})
        is_new = rest.is_different and not self._is_dolly(rest, frame)
        if is_new and rest.zone.kind in ("cards", "tiles", "chips", "dice"):
            self._ask(rest, frame)
        if not rest.is_different and self._may_pile(rest):
            self.cards.may_have_grown(rest.zone, self._evidence(rest, frame.index))
        is_piece = rest.zone.kind in ("marker", "button", "cutting_card")
        is_occupied = self.gate.is_occupied(name, frame) if is_piece else bool(self.cards.lying(rest.zone.place))
        self.signs.rested(rest, frame.index, self.room, is_occupied=is_occupied)
        self.gate.accept(name, frame)
        if self.dolly is not None and rest.is_different:
            self.dolly.accept(self.gate.zones[name].window, frame.image)

    def _ask(self, rest: Rest, frame: Frame) -> None:
        """Open an inquiry about a zone that looks different, unless that is no question for a spot's stacks."""
        zone = rest.zone
        felt = self.gate.mend(zone.name, frame)
        if felt is not None:
            self._bare_again(felt, frame.image)
        new, occupied = self.gate.difference(zone.name, frame), self.gate.occupied(zone.name, frame)
        if zone.kind == "chips" and self.stacks.is_slight(zone, new):
            return
        covered = None if zone.kind == "chips" else self._covered(zone, frame)
        self._open[zone.name] = Inquiry(rest=rest, frame=frame.index, new=new, occupied=occupied, covered=covered)

    def _covered(self, zone: Zone, frame: Frame) -> Difference:
        """What is covered now of a place for cards and was not by any piece that lay there."""
        lying = [self._outline(piece, zone) for piece in self.cards.lying(zone.place)]
        covered = self._filled(self.gate.covered(zone.name, frame), zone)
        return covered.outside([_grown(outline) for outline in lying])

    def _is_dolly(self, rest: Rest, frame: Frame) -> bool:
        """Whether the dolly, come or gone, is all that looks different in a zone. No player moves it."""
        if self.dolly is None or rest.zone.kind != "chips":
            return False
        standing, by = self.dolly.memory.standing, _by(rest.touched)
        is_asked = by != "player"
        moved = self.dolly.rested(rest.zone, frame.image, self.chips.height_mm) if is_asked else None
        if moved is not None:
            event = Dolly(at=moved.at, t=round(rest.t, 3), cam=self.cam, frame=frame.index, by=by)
            self.room.add(event)
            if moved.at is None and not self.chips.piles(rest.zone.place):
                self._bare_again(moved.pixels, frame.image)
        pixels = moved.pixels if moved is not None else standing
        if pixels is None:
            return False
        new = self.gate.difference(rest.zone.name, frame)
        return new.without(pixels).count <= self.gate.zones[rest.zone.name].different_px

    def _bare_again(self, pixels: Difference, image: Image) -> None:
        """Where a thing stood on bare felt before the footage began, the felt is seen now."""
        assert self.bare is not None
        np.copyto(self.bare[pixels.here], image[pixels.here], where=pixels.pixels[:, :, None])

    def _inquire(self, frame: Frame) -> None:
        """Read what rests; zones that came to rest at once are told in their order, however long one is read."""
        image: Image | None = None
        unsettled: set[float] = set()
        for name, inquiry in list(self._open.items()):
            if not self.gate.is_still(name):
                self._conclude(name)
                continue
            if not inquiry.is_settled:
                image = frame.image if image is None else image
                self._read(inquiry, image)
            if inquiry.is_settled and inquiry.rest.t not in unsettled:
                self._conclude(name)
            else:
                unsettled.add(inquiry.rest.t)

    def _read(self, inquiry: Inquiry, image: Image) -> None:
        self.reads += 1
        zone = inquiry.rest.zone
        if zone.kind != "chips":
            inquiry.pieces.append(self.reader.pieces(image, zone, self.stacks.beside(inquiry.new), inquiry.occupied))
            assert self.bare is not None
            self.stacks.refresh(self.bare, image, self.gate.zones[zone.name].window)
        else:
            assert self.bare is not None
            image = image if self.dolly is None else self.dolly.without(image)
            known, looks = self.chips.piles(zone.place), self.chips.memory.looks
            piles = self.reader.piles(image, zone, self.bare, known, looks)
            around = [pile.region for pile in (*piles, *self.chips.all_piles(but=zone.place)) if pile.region]
            inquiry.piles.append(piles)
            inquiry.unread.append(stands_unread(image, self.bare, self.view, zone, around))

    def _conclude(self, name: str) -> None:
        inquiry = self._open.pop(name)
        if not inquiry.pieces and not inquiry.piles:
            return
        zone, rest = inquiry.rest.zone, inquiry.rest
        is_long, evidence = rest.has_gap or rest.hidden_s > LONG_HIDDEN_S, self._evidence(rest, inquiry.frame)
        if zone.kind == "chips":
            if rest.lay is not None:
                self._unseen(rest, inquiry.frame)
            is_hidden = rest.has_gap or rest.hidden_s > self.hold_s
            is_hidden |= self.dolly is not None and self.dolly.hides(zone.place)
            is_unread = 2 * sum(inquiry.unread) > len(inquiry.unread)
            self.chips.conclude(
                zone, inquiry.piles, evidence, is_hidden=is_hidden, is_unread=is_unread,
                is_touched=self.stacks.is_touched(zone, inquiry.new),
                is_shared=_is_shared(rest.touched) or rest.was_otherwise,
                changed_share=lambda pile: inquiry.new.share(pile.region) if pile.region else 0.0,
            )  # fmt: skip
            self.signs.chips_moved(zone.place, evidence.t, self.room)
        elif zone.kind == "dice":
            self.cards.thrown(inquiry.pieces, evidence)
        else:
            gap = self._unseen(rest, inquiry.frame) if is_long else ()
            told, lay = self.room.memory.tickets, len(self.cards.lying(zone.place))
            lies = self._filled(inquiry.occupied, zone)
            self.cards.conclude(
                zone, inquiry.pieces, evidence, lambda piece: inquiry.new.share(self._outline(piece, zone)),
                lambda came: inquiry.fresh(came, lambda piece: self._outline(piece, zone)),
                lambda piece: 1 - lies.share(self._outline(piece, zone)),
                may_pile=self._may_pile(rest),
            )  # fmt: skip
            if zone.place == COMMUNAL and len(self.cards.lying(zone.place)) > lay:
                chips_t = self.chips.memory.changed_t
                self.signs.communal(self.cards.holders, chips_t, evidence.t, inquiry.frame, self.room)
            if told == self.room.memory.tickets:
                for ticket in gap:
                    self.room.withdraw(ticket)

    @staticmethod
    def _may_pile(rest: Rest) -> bool:
        """Whether the dealer's hand was where cards are put on one another."""
        return rest.zone.place in PILED and rest.touched.get("dealer", 0.0) > HAND_THERE_S

    def _evidence(self, rest: Rest, frame: int) -> Evidence:
        """Who changed something, and when: when it was first seen as it lies, though an arm passed over it after that.
        Under a player's hand that lay there for long chips may have lain as long: nobody is late for that."""
        by, t = _by(rest.touched), rest.t
        if rest.seen_t is not None and rest.t - rest.seen_t > PASSED_S:
            t = rest.seen_t
        elif rest.zone.kind == "chips" and by == "player" and rest.hidden_s > LONG_HIDDEN_S:
            t = rest.stirred_from
        return Evidence(t=round(t, 3), cam=self.cam, frame=frame, by=by)

    def _unseen(self, rest: Rest, frame: int) -> tuple[int, ...]:
        """Something hid a place: if it changed, nobody saw when, and in which order. One moment is told once."""
        times = {"blocked": round(rest.stirred_from, 3), "back": round(rest.t, 3)}
        told = [event.t for _, event in self.room.since(times["back"]) if isinstance(event, Feed)]
        if times["back"] in told:
            return ()
        return tuple(
            self.room.add(Feed(t=t, state=cast(FeedState, state), cam=self.cam, frame=frame))
            for state, t in times.items()
        )

    def _filled(self, look: Difference, zone: Zone) -> Difference:
        """What lies in a zone with the gaps that are a back's ornament."""
        return look.closed(ORNAMENT_MM * self.view.px_per_mm(*zone.at))

    def _outline(self, piece: Piece, zone: Zone) -> Sequence[Point]:
        return piece.region or card_outline(self.view, piece.at, zone.yaw)


def _grown(outline: Sequence[Point]) -> Sequence[Point]:
    """An outline with what of its edges may be seen beside it."""
    middle = np.mean(outline, axis=0)
    return [(float(x), float(y)) for x, y in middle + GROWN * (np.array(outline) - middle)]


def _sides(touched: dict[str, float]) -> tuple[float, float]:
    """For how long the dealer and the player who was there longest had a hand there."""
    others = [seconds for name, seconds in touched.items() if name != "dealer"]
    return touched.get("dealer", 0.0), max(others, default=0.0)


def _is_shared(touched: dict[str, float]) -> bool:
    """Whether both sides had a hand there."""
    return min(_sides(touched)) > HAND_THERE_S


def _by(touched: dict[str, float]) -> By | None:
    """Who had a hand there; nobody is named where both sides had it for about as long."""
    dealer_s, player_s = _sides(touched)
    if max(dealer_s, player_s) < CLEARLY * min(dealer_s, player_s) or dealer_s == player_s:
        return None
    return "dealer" if dealer_s > player_s else "player"
