"""The cards and tiles of a table, place by place, and what readings of its zones say happened to them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from auditor.log import AnyEvent, Card, Dice, Gone, Set, Tile, Turn
from vision.card_events import STRIP_CONF, STRIP_SHARE, laid, named, outline, turned, witnessed
from vision.card_piles import PILED, PILED_CONF, is_pile, piled
from vision.lying import CAME_SHARE, SURELY, UNREAD, Changes, Piece, agree, compare, voted
from vision.one_deck import doubled, told_apart
from vision.parted import parted
from vision.plan import Zone
from vision.suit_balance import kept_by_suit, remembered, twin_of
from vision.writer import Evidence, WaitingRoom

MOVED_WITHIN_S, PUT_RIGHT_S, PASSED_S = 4.0, 1.0, 0.5
DICE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A card that left a place a moment ago, the ticket of the event that says so, and whether others stayed there."""

    place: str
    piece: Piece
    t: float
    ticket: int
    is_part: bool = False


@dataclass(slots=True, kw_only=True)
class CardMemory:
    """What lies where, the tickets of the events that said so, what left a moment ago, and which cards came lately."""

    lying: dict[str, tuple[Piece, ...]] = field(default_factory=dict)
    tickets: dict[str, list[tuple[Piece, int]]] = field(default_factory=dict)
    left: list[Left] = field(default_factory=list)
    sets: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)
    lately: list[str] = field(default_factory=list)


class CardTable:
    """Follows every card from zone to zone. Cards that change between the hands of one box are moved, not dealt."""

    def __init__(self, room: WaitingRoom, *, is_one_deck: bool = False) -> None:
        self._room, self._is_one_deck = room, is_one_deck
        self.memory = CardMemory()

    def lying(self, place: str) -> tuple[Piece, ...]:
        """What is known to lie at a place."""
        return self.memory.lying.get(place, ())

    @property
    def holders(self) -> list[str]:
        """The boxes at which cards lie."""
        return [place for place, pieces in self.memory.lying.items() if pieces and place.startswith("box")]

    @property
    def is_dealt(self) -> bool:
        """Whether cards or tiles lie in somebody's hand or on the board."""
        return any(pieces for place, pieces in self.memory.lying.items() if place not in PILED)

    def conclude(
        self, zone: Zone, readings: Sequence[Sequence[Piece]], evidence: Evidence,
        changed_share: Callable[[Piece], float] = lambda piece: 1.0,
        fresh: Callable[[Sequence[Piece]], Sequence[Piece]] = lambda came: came,
        bared_share: Callable[[Piece], float] = lambda piece: 1.0, *, may_pile: bool = False,
    ) -> None:  # fmt: skip
        """Several readings of a zone at rest: what they say happened goes to the waiting room. `may_pile`: the dealer's
        hand was where cards may be put on one another."""
        place, is_piled = zone.place, is_pile(zone, self.lying(zone.place))
        seen = [
            replace(each, conf=round(each.conf * kept_by_suit(each.label, self.memory.lately), 4))
            for each in voted(readings)
        ]
        changes = compare(self.lying(place), seen, changed_share, fresh, bared_share)
        if may_pile and is_piled and changes.kept and not changes.came:
            if changed_share(changes.kept[-1]) > CAME_SHARE:
                changes = piled(changes)
            else:  # a back on one like it changes little
                self.may_have_grown(zone, evidence)
        stayed = [piece for piece in changes.left if _is_still_there(piece, changes, evidence)]
        self.memory.lying[place] = (*changes.kept, *(replace(piece, is_hidden=True) for piece in stayed))
        self._improve(zone, changes, evidence, changed_share)
        if self._is_one_deck:
            changes = self._told_apart(place, changes)
        names = [piece.label for piece in (*changes.came, *changes.turned)]
        self.memory.lately = remembered(self.memory.lately, names)
        left = [piece for piece in changes.left if piece not in stayed and not self._passed(place, piece, evidence)]
        left = [piece for piece in left if not self._has_come(place, piece, evidence, is_part=bool(changes.kept))]
        if left:
            self._leave(place, left, evidence, is_all=not changes.kept)
        for piece in changes.turned:
            self._add(place, piece, turned(zone, piece, evidence))
        for piece in changes.came:
            if not self._is_moved(place, piece, evidence):
                self._add(place, piece, laid(zone, piece, evidence, changed_share(piece), is_piled=is_piled))
        if zone.kind == "tiles":
            self._set(zone, evidence)

    def may_have_grown(self, zone: Zone, evidence: Evidence) -> None:
        """The dealer's hand was at a pile that looks as before: a back laid squarely on a back is not seen."""
        lying = self.lying(zone.place)
        if lying and is_pile(zone, lying):
            back = replace(lying[-1], label=UNREAD, up=False, conf=PILED_CONF)
            self._room.add(laid(zone, back, evidence, changed=0.0, is_piled=True))

    def thrown(self, readings: Sequence[Sequence[Piece]], evidence: Evidence) -> None:
        """Several readings of the dice: what three of them show is told, fewer show nothing for sure. Dice are thrown
        before tiles are dealt: what seems to change on them later is a hand's or a shadow's doing."""
        dice = voted(readings)
        if len(dice) == DICE and not self.is_dealt:
            faces = [int(die.label) if die.label.isdecimal() else None for die in dice]
            self._room.add(witnessed(Dice(faces=faces, t=evidence.t), min(dice, key=lambda die: die.conf), evidence))

    def _set(self, zone: Zone, evidence: Evidence) -> None:
        """A hand of tiles that lies in two parts has been set; told again when it is set otherwise."""
        tiles = self.lying(zone.place)
        parts = parted(tiles, zone.to_middle)
        if parts is None or parts == self.memory.sets.get(zone.place):
            if not tiles:
                self.memory.sets.pop(zone.place, None)
            return
        self.memory.sets[zone.place] = parts
        event = Set(at=zone.place, low=parts[0], high=parts[1], t=evidence.t)
        self._room.add(witnessed(event, min(tiles, key=lambda tile: tile.conf), evidence))

    def _add(self, place: str, piece: Piece, event: AnyEvent) -> None:
        self.memory.tickets.setdefault(place, []).append((piece, self._room.add(event)))

    def _told_apart(self, place: str, changes: Changes) -> Changes:
        """What happened at a place, with other names for cards that cannot lie there because they are seen elsewhere;
        what was told of such a card before is amended, if it still can be."""
        for where, piece in list(doubled(self.memory.lying)):
            other = told_apart(piece)
            if where == place:
                changes = changes.renamed(piece, other)
            self.memory.lying[where] = tuple(other if each is piece else each for each in self.memory.lying[where])
            self._rename(where, piece, other)
        return changes

    def _rename(self, place: str, piece: Piece, other: Piece) -> None:
        """What was told of a card is amended, if it still can be: it is named as another reading has it."""
        told = self.memory.tickets.get(place, [])
        for at, (known, ticket) in enumerate(told):
            event = self._room.waiting(ticket) if known == piece else None
            if isinstance(event, Card | Turn):
                self._room.amend(ticket, named(event, other))
                told[at] = other, ticket

    def _passed(self, place: str, piece: Piece, evidence: Evidence) -> bool:
        """Whether what was not read and left at once was never laid there: the dealer held it over the place."""
        for known, ticket in self.memory.tickets.get(place, ()):
            event = self._room.waiting(ticket)
            is_brief = event is not None and evidence.t - event.t < PASSED_S
            if known == piece and piece.label == UNREAD and is_brief and isinstance(event, Card):
                return self._room.withdraw(ticket)
        return False

    def _leave(self, place: str, left: Sequence[Piece], evidence: Evidence, *, is_all: bool) -> None:
        names = None if is_all else [piece.label for piece in left]
        gone = Gone(at=place, cards=names, t=evidence.t, cam=evidence.cam, frame=evidence.frame, by=evidence.by)
        ticket = self._room.add(gone)
        self.memory.left = [each for each in self.memory.left if evidence.t - each.t < MOVED_WITHIN_S]
        self.memory.left += [
            Left(place=place, piece=piece, t=evidence.t, ticket=ticket, is_part=not is_all) for piece in left
        ]

    def _is_moved(self, place: str, piece: Piece, evidence: Evidence) -> bool:
        """Whether a card that came is one that another hand of the same box had: then it was moved there. One that is
        seen to lie there still is another: there are several decks. From any other hand a card is put right at once,
        and one that left its own a moment ago never did."""
        if not piece.up or "?" in piece.label:
            return False
        box = place.partition("#")[0] if "#" in place else None
        for left in self.memory.left:
            is_put_right = left.is_part and evidence.t - left.t < PUT_RIGHT_S
            is_near = left.place.partition("#")[0] == box or is_put_right
            if is_near and _may_be(left.piece, piece):
                self.memory.left.remove(left)
                if left.place == place:
                    return self._never_left(left, piece)
                is_told = self._room.amend(left.ticket, self._moved(left.place, place, piece, evidence))
                return is_told or box is not None
        for other in self._hands_beside(place) if box is not None else ():
            lying = self.memory.lying[other]
            hidden = [each for each in lying if each.is_hidden and agree(each.label, piece.label)]
            if hidden:  # what lies open there is another card of that name, until its place shows that it left
                self.memory.lying[other] = tuple(each for each in lying if each is not hidden[-1])
                self._room.add(self._moved(other, place, piece, evidence))
                return True
        return False

    def _never_left(self, left: Left, piece: Piece) -> bool:
        """A card that only changed its place within its hand: that it left is taken back, and it is named as it is
        read best."""
        gone = self._room.waiting(left.ticket)
        if not isinstance(gone, Gone) or not gone.cards:
            return False
        others = [name for name in gone.cards if name != left.piece.label]
        if others:
            self._room.amend(left.ticket, msgspec.structs.replace(gone, cards=others))
        else:
            self._room.withdraw(left.ticket)
        if piece.conf > left.piece.conf:
            self._rename(left.place, left.piece, piece)
        return True

    def _has_come(self, place: str, piece: Piece, evidence: Evidence, *, is_part: bool) -> bool:
        """Whether a card that left is one that came to another hand of the same box a moment ago: it was moved there,
        and not dealt. So it was where it came to any other hand at once, while others stayed (`is_part`)."""
        if not piece.up or "?" in piece.label:
            return False
        hands = dict.fromkeys(self.memory.tickets if is_part else (), PUT_RIGHT_S)
        hands |= dict.fromkeys((name for name in self._hands_beside(place) if "#" in name), MOVED_WITHIN_S)
        for other, within_s in hands.items():
            for come, ticket in self.memory.tickets.get(other, ()) if other != place else ():
                event = self._room.waiting(ticket)
                is_now = event is not None and abs(evidence.t - event.t) < within_s
                if is_now and isinstance(event, Card) and come.label == piece.label:
                    self._room.amend(ticket, self._moved(place, other, come, replace(evidence, t=event.t)))
                    return True
        return False

    def _hands_beside(self, place: str) -> list[str]:
        """The other hands of the same box."""
        box = place.partition("#")[0]
        return [name for name in self.memory.lying if name.partition("#")[0] == box and name != place]

    @staticmethod
    def _moved(source: str, target: str, piece: Piece, evidence: Evidence) -> Gone:
        return Gone(
            at=source, cards=[piece.label], to=target, t=evidence.t, cam=evidence.cam, frame=evidence.frame,
            region=outline(piece), conf=piece.conf,
        )  # fmt: skip

    def _improve(
        self, zone: Zone, changes: Changes, evidence: Evidence, changed_share: Callable[[Piece], float]
    ) -> None:
        """Cards read better now than when they came: their events, if they still wait, get the better name. What only
        seemed to lie where a card has come since, came then."""
        improved = []
        for piece, ticket in self.memory.tickets.get(zone.place, ()):
            event = self._room.waiting(ticket)
            if event is None:
                continue
            now = next((kept for kept, was in zip(changes.kept, changes.was, strict=True) if was == piece), piece)
            if now.up != piece.up:  # what is seen now is the other side: how it came is told for good
                continue
            is_better = (now.label, now.conf) != (piece.label, piece.conf) and now.conf >= piece.conf
            is_new = isinstance(event, Card) and event.there == STRIP_CONF and changed_share(now) >= STRIP_SHARE
            if is_better and is_new:
                self._room.amend(ticket, laid(zone, now, evidence, changed_share(now), is_piled=False))
            elif is_better and isinstance(event, Card | Tile | Turn):
                self._room.amend(ticket, named(event, now))
            improved.append((now, ticket))
        self.memory.tickets[zone.place] = improved


def _may_be(left: Piece, came: Piece) -> bool:
    """Whether a card that came may be one that left: of the same name, or of its twin's where one was not surely read.

    >>> two = Piece(label="2c", up=True, conf=0.78, at=(0, 0), region=())
    >>> other = replace(two, label="2s", conf=0.98)
    >>> _may_be(two, other), _may_be(replace(two, conf=0.99), other), _may_be(two, replace(other, label="2h"))
    (True, False, False)
    """
    is_doubtful = min(left.conf, came.conf) <= SURELY
    return left.label == came.label or (is_doubtful and twin_of(left.label) == came.label)


def _is_still_there(piece: Piece, changes: Changes, evidence: Evidence) -> bool:
    """Whether a card that seems to have left did not: nobody reads it, and no player takes one of his cards away. Chips
    before it make it look otherwise."""
    return piece.label == UNREAD and evidence.by == "player" and bool(changes.kept)
