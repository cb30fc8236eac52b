"""The trackers of a table: what is known of its cards, chips, dolly and signs, and what readings say happened there."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from auditor.log import Feed
from vision.arms import Arms
from vision.called_off import CalledOff, CalledOffMemory
from vision.camera import View
from vision.card_piles import is_pile
from vision.dolly import DollyMemory, DollyWatch
from vision.inquiry import Inquiry
from vision.lying import COMMUNAL, Piece
from vision.plan import Point, Zone
from vision.reading import card_outline
from vision.rests import Rest
from vision.signs import SignMemory, Signs
from vision.stacks import Stacks
from vision.table_cards import CardMemory, CardTable
from vision.table_chips import ChipMemory, ChipTable
from vision.table_file import TableFile
from vision.window import ORNAMENT_MM, Difference
from vision.writer import Evidence, WaitingMemory, WaitingRoom

GROWN = 1.1
"""A card's edges lie within so many times its outline as it was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerMemory:
    """All that is known of what lies on a table, and of what happened there."""

    room: WaitingMemory
    cards: CardMemory
    chips: ChipMemory
    signs: SignMemory
    called_off: CalledOffMemory
    dolly: DollyMemory | None


class Trackers:
    """What is known of one table. `hold_s`: how long an event waits for an earlier one or a better reading."""

    def __init__(self, table: TableFile, view: View, arms: Arms, *, cam: str, hold_s: float) -> None:
        self.room = WaitingRoom()
        self.cards = CardTable(self.room, is_one_deck=table.plan.one_deck)
        self.chips = ChipTable(self.room, table.chip_values, frozenset(table.house.get("colours", {})))
        self.stacks = Stacks(view, self.chips)
        self.signs = Signs(table.plan, arms, cam)
        self.called_off = CalledOff(table.plan.called_off, self.cards, self.chips, self.room)
        self.dolly = DollyWatch(view, table.plan) if table.plan.of_kind("dolly") else None
        self.cam, self._view, self._hold_s = cam, view, hold_s

    def memory(self) -> TrackerMemory:
        """All that changes while zones are read, for a checkpoint."""
        return TrackerMemory(
            room=self.room.memory, cards=self.cards.memory, chips=self.chips.memory, signs=self.signs.memory,
            called_off=self.called_off.memory, dolly=self.dolly.memory if self.dolly else None,
        )  # fmt: skip

    def recall(self, memory: TrackerMemory) -> None:
        """Go on from a checkpoint."""
        self.room.memory, self.cards.memory, self.chips.memory = memory.room, memory.cards, memory.chips
        self.signs.memory, self.called_off.memory = memory.signs, memory.called_off
        if self.dolly is not None and memory.dolly is not None:
            self.dolly.memory = memory.dolly

    def conclude(self, inquiry: Inquiry) -> None:
        """All readings of a zone are there, if there are any: tell what they say happened."""
        if not inquiry.pieces and not inquiry.piles:
            return
        evidence = self.evidence(inquiry.rest, inquiry.frame)
        kind = inquiry.rest.zone.kind
        if kind == "chips":
            self._conclude_chips(inquiry, evidence)
        elif kind == "dice":
            self.cards.thrown(inquiry.pieces, evidence)
        else:
            self._conclude_cards(inquiry, evidence)

    def evidence(self, rest: Rest, frame: int) -> Evidence:
        """Who changed something, and when."""
        since = None if rest.since is None else round(rest.since, 3)
        return Evidence(t=round(rest.changed_t, 3), since=since, cam=self.cam, frame=frame, by=rest.by)

    def newly_covered(self, covered: Difference, zone: Zone) -> Difference:
        """What is covered now of a place for cards and was not by any piece that lay there."""
        lying = [self.outline(piece, zone) for piece in self.cards.lying(zone.place)]
        return self._filled(covered, zone).outside([_grown(outline) for outline in lying])

    def _conclude_chips(self, inquiry: Inquiry, evidence: Evidence) -> None:
        rest, zone = inquiry.rest, inquiry.rest.zone
        if rest.lay is not None:
            self._tell_unseen(rest, inquiry.frame)
        is_under_dolly = self.dolly is not None and self.dolly.hides(zone.place)
        before = sum(self.chips.standing(zone.place).values())
        self.chips.conclude(
            zone, inquiry.piles, evidence,
            is_hidden=rest.has_gap or rest.hidden_s > self._hold_s or is_under_dolly,
            unread=inquiry.unread,
            is_touched=self.stacks.is_touched(zone, inquiry.new),
            is_shared=rest.is_shared or rest.was_otherwise,
            changed_share=lambda pile: inquiry.new.share(pile.region) if pile.region else 0.0,
        )  # fmt: skip
        self.signs.chips_moved(zone.place, evidence.t, self.room)
        self.called_off.changed(zone.place, before, evidence)

    def _conclude_cards(self, inquiry: Inquiry, evidence: Evidence) -> None:
        rest, zone = inquiry.rest, inquiry.rest.zone
        gap = self._tell_unseen(rest, inquiry.frame) if rest.is_untimed else ()
        told, lay = self.room.memory.tickets, len(self.cards.lying(zone.place))
        lies = self._filled(inquiry.occupied, zone)
        self.cards.conclude(
            zone, inquiry.pieces, evidence, lambda piece: inquiry.new.share(self.outline(piece, zone)),
            lambda came: inquiry.fresh(
                came, lambda piece: self.outline(piece, zone), is_pile=is_pile(zone, self.cards.lying(zone.place))
            ),
            lambda piece: 1 - lies.share(self.outline(piece, zone)),
            may_pile=rest.may_pile,
        )  # fmt: skip
        if zone.place == COMMUNAL and len(self.cards.lying(zone.place)) > lay:
            chips_t = self.chips.memory.changed_t
            self.signs.communal(self.cards.holders, chips_t, evidence.t, inquiry.frame, self.room)
        if told == self.room.memory.tickets:
            for ticket in gap:
                self.room.withdraw(ticket)
            if zone.kind == "tiles" and rest.by == "dealer":  # one that touches others may not be told from them
                self._tell_unseen(rest, inquiry.frame)

    def _tell_unseen(self, rest: Rest, frame: int) -> tuple[int, ...]:
        """Something hid a place: if it changed, nobody saw when, and in which order. One moment is told once."""
        hidden_t, back_t = round(rest.stirred_from, 3), round(rest.t, 3)
        if any(isinstance(event, Feed) and event.t == back_t for _, event in self.room.since(back_t)):
            return ()
        return (
            self.room.add(Feed(t=hidden_t, state="blocked", cam=self.cam, frame=frame)),
            self.room.add(Feed(t=back_t, state="back", cam=self.cam, frame=frame)),
        )

    def _filled(self, look: Difference, zone: Zone) -> Difference:
        """What lies in a zone with the gaps that are a back's ornament."""
        return look.closed(ORNAMENT_MM * self._view.px_per_mm(*zone.at))

    def outline(self, piece: Piece, zone: Zone) -> Sequence[Point]:
        """The pixels of a piece: as it was read, or as a card lies in its zone."""
        return piece.region or card_outline(self._view, piece.at, zone.yaw)


def _grown(outline: Sequence[Point]) -> Sequence[Point]:
    """An outline with what of its edges may be seen beside it."""
    middle = np.mean(outline, axis=0)
    return [(float(x), float(y)) for x, y in middle + GROWN * (np.array(outline) - middle)]
