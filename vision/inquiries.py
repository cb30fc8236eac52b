"""The inquiries of a table: a zone that came to rest and looks different is read while it lies still, then concluded.

Stacks are read against the bare table: a picture of it without them, in which cards as they lie are ground.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from auditor.log import Dolly
from vision.beginning import paint_bare
from vision.camera import Image, View
from vision.frames import Frame
from vision.gate import Gate
from vision.inquiry import Inquiry
from vision.parts import Part
from vision.plan import Zone
from vision.reading import Pile, ZoneReader
from vision.rests import Rest
from vision.signs import PARTLY_SEEN
from vision.trackers import Trackers
from vision.unread_chips import stands_unread
from vision.window import Difference

LIKELY = 0.7
"""How sure a stack must be that is read beside a hand."""
THERE = 0.4
"""What is less sure explains nothing at other spots: of two that see one stack the one that sees it better keeps it."""


@dataclass(slots=True, kw_only=True)
class InquiryMemory:
    """The inquiries under way by their zones' names, the bare table, and how often anything was read."""

    open: dict[str, Inquiry] = field(default_factory=dict)
    bare: Image | None = None
    reads: int = 0


class Inquiries:
    """Opened by rests, read frame by frame, concluded by the trackers."""

    def __init__(self, view: View, reader: ZoneReader, gate: Gate, trackers: Trackers) -> None:
        self._view, self._reader, self._gate, self._trackers = view, reader, gate, trackers
        self.memory = InquiryMemory()

    def begin(self, frame: Frame) -> None:
        """The first frame shows the table, bare but for what is found to lie on it."""
        if self.memory.bare is None:
            self.memory.bare = frame.image
            if self._trackers.dolly is not None:
                self._trackers.dolly.memory.picture = self._bare.copy()

    @property
    def _bare(self) -> Image:
        assert self.memory.bare is not None
        return self.memory.bare

    def rested(self, rest: Rest, frame: Frame) -> None:
        """A zone came to rest: what was asked about it before is concluded, and if it looks different it is read."""
        name, trackers = rest.zone.name, self._trackers
        watched = self._gate.zones[name]
        if name in self.memory.open:
            self._conclude(name)
        if rest.lay is not None:
            paint_bare(self._bare, rest.lay)
        if rest.is_different and rest.zone.kind in ("cards", "tiles", "chips", "dice"):
            new = watched.difference(frame)
            if not self._is_dolly(rest, new, frame):
                self._ask(rest, new, frame)
        if not rest.is_different and rest.may_pile:
            trackers.cards.may_have_grown(rest.zone, trackers.evidence(rest, frame.index))
        is_piece = rest.zone.kind in ("marker", "button", "cutting_card")
        if is_piece and rest.is_different:
            self._gate.mend(name, frame)
        is_occupied = watched.is_occupied(frame) if is_piece else bool(trackers.cards.lying(rest.zone.place))
        is_partly = is_piece and watched.is_occupied(frame, PARTLY_SEEN)
        trackers.signs.rested(
            rest, frame.index, trackers.room, is_occupied=is_occupied, is_partly=is_partly,
            is_held=bool(trackers.cards.holders),
        )  # fmt: skip
        self._gate.accept(name, frame)

    def read(self, frame: Frame) -> None:
        """Read what rests; zones that came to rest at once are told in their order, however long one is read."""
        for name, inquiry in list(self.memory.open.items()):
            if not self._gate.zones[name].is_still:
                self._conclude(name)
            elif inquiry.piles and self._is_dolly(inquiry.rest, inquiry.new, frame):  # an arm was beside it before
                del self.memory.open[name]
        self._read_all([inquiry for inquiry in self.memory.open.values() if not inquiry.is_settled], frame)
        unsettled: set[float] = set()
        for name, inquiry in list(self.memory.open.items()):
            if inquiry.is_settled and inquiry.rest.t not in unsettled:
                self._conclude(name)
            else:
                unsettled.add(inquiry.rest.t)

    def read_part(self, part: Part, frame: Frame) -> None:
        """What lies still beside an arm is read and told at once: it may be gone before its place rests."""
        self.memory.reads += 1
        if part.zone.kind == "chips":
            self._read_chips_beside(part, frame)
        else:
            self._read_cards_beside(part, frame)

    def _read_cards_beside(self, part: Part, frame: Frame) -> None:
        zone, trackers = part.zone, self._trackers
        watched, lying = self._gate.zones[zone.name], trackers.cards.lying(zone.place)
        new, occupied = (each.within(part.still) for each in (watched.difference(frame), watched.occupied(frame)))
        seen = self._reader.pieces(frame.image, zone, trackers.stacks.beside(new), occupied)
        came = part.clear(seen, lying, lambda piece: trackers.outline(piece, zone))
        if came:
            covered = trackers.newly_covered(watched.covered(frame), zone)
            trackers.conclude(
                Inquiry(
                    rest=part.rest, frame=frame.index, new=new, occupied=occupied, covered=covered.within(part.still),
                    pieces=[[*lying, *came]],
                )
            )  # fmt: skip
            beside = part.still.outside([trackers.outline(piece, zone) for piece in came])
            self._gate.accept_part(zone.name, frame, part.still.without(beside))

    def _read_chips_beside(self, part: Part, frame: Frame) -> None:
        """Only stacks that are well read and leave nothing unexplained are no hand."""
        zone, watched = part.zone, self._gate.zones[part.zone.name]
        inquiry = Inquiry(
            rest=part.rest, frame=frame.index, new=watched.difference(frame), occupied=watched.occupied(frame)
        )  # fmt: skip
        self.memory.open[zone.name] = inquiry  # its stacks count among those that stand
        self._read_piles(inquiry, frame.image)
        self._look_for_unread(inquiry, frame.image)
        del self.memory.open[zone.name]
        if not any(inquiry.unread) and all(pile.conf > LIKELY for pile in inquiry.piles[0]):
            self._no_dolly(inquiry, frame.image)
            self._trackers.conclude(inquiry)
            self._gate.accept(zone.name, frame)

    def _read_all(self, inquiries: Sequence[Inquiry], frame: Frame) -> None:
        """Stacks that are before a spot may have grown in the same moment: only when all are read is it asked whether
        something stands there that none of them explains."""
        if inquiries:
            image = frame.image
            for inquiry in sorted(inquiries, key=lambda each: self._turn(each.rest.zone)):
                self._read(inquiry, image)
            for inquiry in inquiries:
                if inquiry.rest.zone.kind == "chips":
                    self._look_for_unread(inquiry, image)

    def _turn(self, zone: Zone) -> float:
        """In which order zones are read: cards, which are ground to stacks; then stacks, first those nearest to the
        camera, which rise before others."""
        return math.dist(zone.at, self._view.eye_mm[:2]) if zone.kind == "chips" else 0.0

    def finish(self) -> None:
        """Nothing more can be read."""
        for name in list(self.memory.open):
            self._conclude(name)

    def _conclude(self, name: str) -> None:
        self._trackers.conclude(self.memory.open.pop(name))

    def _ask(self, rest: Rest, new: Difference, frame: Frame) -> None:
        """Open an inquiry about a zone that looks different, unless that is no question for a spot's stacks."""
        zone, watched = rest.zone, self._gate.zones[rest.zone.name]
        felt = self._gate.mend(zone.name, frame)
        if felt is not None:
            self._bare_again(felt, frame.image)
        is_spot = zone.kind == "chips"
        if is_spot and self._trackers.stacks.is_slight(zone, new):
            return
        covered = None if is_spot else self._trackers.newly_covered(watched.covered(frame), zone)
        self.memory.open[zone.name] = Inquiry(
            rest=rest, frame=frame.index, new=new, occupied=watched.occupied(frame), covered=covered
        )  # fmt: skip

    def _is_dolly(self, rest: Rest, new: Difference, frame: Frame) -> bool:
        """Whether the dolly, come or gone, is all that is new in a zone. No player moves it, and none but the dealer's
        hand puts it down: of an arm that is not known as one, a part may look like it."""
        dolly, chips = self._trackers.dolly, self._trackers.chips
        if dolly is None or rest.zone.kind != "chips":
            return False
        standing = dolly.memory.standing
        is_nobodys = standing is None and rest.is_watched and not rest.has_gap and "dealer" not in rest.touched
        is_moved = rest.by != "player" and not is_nobodys
        moved = dolly.rested(rest.zone, frame.image, self._bare, chips.height_mm) if is_moved else None
        if moved is not None:
            event = Dolly(at=moved.at, t=round(rest.t, 3), cam=self._trackers.cam, frame=frame.index, by=rest.by)
            self._trackers.room.add(event)
            if moved.at is None and not chips.piles(rest.zone.place):
                self._bare_again(moved.pixels, frame.image)
        pixels = moved.pixels if moved is not None else standing
        if pixels is None:
            return False
        return new.without(pixels).count <= self._gate.zones[rest.zone.name].different_px

    def _bare_again(self, pixels: Difference, image: Image) -> None:
        """Where a thing stood on bare felt before the footage began, the felt is seen now."""
        np.copyto(self._bare[pixels.here], image[pixels.here], where=pixels.pixels[:, :, None])

    def _read(self, inquiry: Inquiry, image: Image) -> None:
        self.memory.reads += 1
        if inquiry.rest.zone.kind == "chips":
            self._read_piles(inquiry, image)
            self._no_dolly(inquiry, image)
        else:
            self._read_pieces(inquiry, image)

    def _read_pieces(self, inquiry: Inquiry, image: Image) -> None:
        zone, stacks = inquiry.rest.zone, self._trackers.stacks
        inquiry.pieces.append(self._reader.pieces(image, zone, stacks.beside(inquiry.new), inquiry.occupied))
        stacks.refresh(self._bare, image, self._gate.zones[zone.name].window)

    def _read_piles(self, inquiry: Inquiry, image: Image) -> None:
        zone, chips = inquiry.rest.zone, self._trackers.chips
        known = chips.piles(zone.place)
        others = [pile for pile in self._standing(but=zone.place) if pile.conf >= THERE]
        piles = self._reader.piles(self._without_dolly(image), zone, self._bare, known, chips.memory.looks, others)
        inquiry.piles.append(piles)

    def _standing(self, but: str = "") -> list[Pile]:
        """Every stack in sight, or all but those of one spot: as they were just read, else as they are known."""
        standing = dict(self._trackers.chips.memory.piles)
        standing |= {each.rest.zone.place: list(each.piles[-1]) for each in self.memory.open.values() if each.piles}
        return [pile for place, piles in standing.items() if place != but for pile in piles if pile.region]

    def _no_dolly(self, inquiry: Inquiry, image: Image) -> None:
        """Chips that were read otherwise than before are what changed at their spot."""
        zone, dolly = inquiry.rest.zone, self._trackers.dolly
        known = self._trackers.chips.piles(zone.place)
        if dolly is not None and [pile.chips for pile in inquiry.piles[-1]] != [pile.chips for pile in known]:
            dolly.accept(self._gate.zones[zone.name].window, image)

    def _look_for_unread(self, inquiry: Inquiry, image: Image) -> None:
        """Whether something stands in a spot that no stack explains: of those known, or as they were just read."""
        outlines, zone = [pile.region for pile in self._standing()], inquiry.rest.zone
        inquiry.unread.append(stands_unread(self._without_dolly(image), self._bare, self._view, zone, outlines))

    def _without_dolly(self, image: Image) -> Image:
        dolly = self._trackers.dolly
        return image if dolly is None else dolly.without(image)
