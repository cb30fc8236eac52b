"""Cards and tiles on the move: dealt to their places, turned over, split, set, swept away."""

from dataclasses import dataclass, replace

from auditor import log
from datasets.casino.choreography_supply import Supply, known
from datasets.casino.hands_motion import CARD_REACH_MM, TILE_REACH_MM, Hands
from datasets.casino.motion import Timeline
from datasets.casino.motion_places import Places
from datasets.casino.things import Card, Pose, Tile

FLIP_LIFT_MM = 38.0


@dataclass(slots=True)
class Laid:
    """A card or tile at a place, with its number in the order of arrival."""

    id: int
    index: int


class CardPlay:
    """Who lies where, and how it gets there. Every gesture answers with the time at which its end can be seen."""

    def __init__(self, timeline: Timeline, places: Places, hands: Hands, supply: Supply) -> None:
        self.timeline, self.places, self.hands = timeline, places, hands
        self.supply = supply
        self.laid: dict[str, list[Laid]] = {}
        self.touched: tuple[int, ...] = ()  # what the last gesture laid down, turned or set

    # ---- dealing ----

    def deal(self, event: log.Card | log.Tile, t: float) -> float:
        """A card slides from the shoe to its place, face up or down as the log has it."""
        name = event.card if isinstance(event, log.Card) else event.tile
        up = event.up if event.up is not None else name != "??"
        target, index = self._next_pose(event)
        hand = self.hands.dealer_for(target)
        if isinstance(event, log.Tile):
            thing_id, t = self.supply.take_tile(hand, t)
        else:
            thing_id, t = self.supply.take_card(hand, t, known(name, "card"))
        self.laid.setdefault(event.at, []).append(Laid(thing_id, index))
        self.touched = (thing_id,)
        rest = self.hands.carry(hand, t, [thing_id], [replace(target, roll=180.0) if up else target])
        if up:
            self._show(thing_id, rest, target, name)
        return self.hands.leave(hand, rest, [target], CARD_REACH_MM)

    def _next_pose(self, event: log.Card | log.Tile) -> tuple[Pose, int]:
        index = max((laid.index for laid in self.laid.get(event.at, ())), default=-1) + 1
        pose = self.places.card(event.at, index) if isinstance(event, log.Card) else self.places.tile(event.at, index)
        return pose, index

    def _show(self, thing_id: int, t: float, pose: Pose, name: str) -> None:
        """What was turned on its way now lies face up."""
        if isinstance(self.timeline.latest(thing_id), Card):
            self.timeline.change(thing_id, t, pose=pose, up=True, card=known(name, "card"))
        else:
            self.timeline.change(thing_id, t, pose=pose, up=True, tile=known(name, "tile"))

    # ---- turning, setting ----

    def turn(self, event: log.Turn, t: float) -> float:
        """A card that lies there is turned over by the dealer's hand."""
        name = event.card or event.tile or "??"
        laid = self._to_turn(event.at, name, event.up)
        self.touched = () if laid is None else (laid.id,)
        if laid is None:
            return t
        pose = self.timeline.latest(laid.id).pose
        hand = self.hands.dealer_for(pose)
        t = self.hands.go(hand, t, self.hands.holding(hand, pose), grip=0.5)
        if event.up:
            self._name(laid.id, name)
        seconds = max(0.3, 2 * self.hands.pace.shortest_s)
        self.timeline.move(laid.id, t, t + seconds, replace(pose, roll=180.0), lift_mm=FLIP_LIFT_MM)
        if event.up:
            self._show(laid.id, t + seconds, pose, name)
        else:
            self.timeline.change(laid.id, t + seconds, pose=pose, up=False)
        self.hands.go(hand, t, replace(self.hands.holding(hand, pose), z=FLIP_LIFT_MM), grip=0.4, seconds=seconds)
        return self.hands.leave(hand, t + seconds, [pose], CARD_REACH_MM)

    def _to_turn(self, at: str, name: str, up: bool) -> Laid | None:
        there = [laid for laid in self.laid.get(at, ()) if self.timeline.latest(laid.id).up is not up]
        named = [laid for laid in there if not up and _name_of(self.timeline.latest(laid.id)) == name]
        return next(iter(named or there), None)

    def _name(self, thing_id: int, name: str) -> None:
        """A face-down card gets the name it will show, from its first key on: until now nobody could see it."""
        keys = self.timeline.tracks[thing_id].keys
        start = max((number + 1 for number, key in enumerate(keys) if getattr(key.thing, "up", False)), default=0)
        for number in range(start, len(keys)):
            thing = keys[number].thing
            if isinstance(thing, Card):
                keys[number] = replace(keys[number], thing=replace(thing, card=known(name, "card")))
            elif isinstance(thing, Tile):
                keys[number] = replace(keys[number], thing=replace(thing, tile=known(name, "tile")))

    def set_hand(self, event: log.Set, t: float) -> float:
        """The four tiles of a hand are put into its low and its high part."""
        there = list(self.laid.get(event.at, ()))
        targets: list[tuple[int, Pose]] = []
        for part, names in enumerate((event.low, event.high)):
            for index, name in enumerate(names):
                laid = next((one for one in there if _name_of(self.timeline.latest(one.id)) == name), None)
                if laid is not None:
                    there.remove(laid)
                    targets.append((laid.id, self.places.set_tile(event.at, part, index)))
        self.touched = tuple(one for one, _ in targets)
        if not targets:
            return t
        middle = self.places.middle(event.at)
        hand = self.hands.dealer_for(middle)
        t = self.hands.go(hand, t, self.hands.holding(hand, middle), grip=0.5)
        rest = self.hands.carry(hand, t, [one for one, _ in targets], [pose for _, pose in targets], lift_mm=14.0)
        return self.hands.leave(hand, rest, [pose for _, pose in targets], TILE_REACH_MM)

    # ---- leaving ----

    def gone(self, event: log.Gone, t: float) -> float:
        """Cards are swept to the discards, or one goes over to another hand of its box."""
        leaving = self._leaving(event)
        if not leaving:
            return t
        left = [self.timeline.latest(laid.id).pose for laid in leaving]
        self.laid[event.at] = [laid for laid in self.laid[event.at] if laid not in leaving]
        hand = self.hands.dealer_for(left[0])
        t = self.hands.go(hand, t, self.hands.holding(hand, left[0]), grip=0.5)
        if event.to is not None and event.to not in ("discard", "shoe", "rack", "burn"):
            return self._move_over(event.to, leaving, hand, t)
        self._discard(leaving, hand, t)
        t = self.hands.gone_from(self.places.zone(event.at), [laid.id for laid in leaving], t)
        return self.hands.clear_of(hand, t, left, CARD_REACH_MM)

    def _leaving(self, event: log.Gone) -> list[Laid]:
        there = self.laid.get(event.at, [])
        if event.cards is not None:
            leaving: list[Laid] = []
            for name in event.cards:
                rest = [laid for laid in reversed(there) if laid not in leaving]
                leaving += [laid for laid in rest if _name_of(self.timeline.latest(laid.id)) == name][:1]
            return leaving
        return there[-event.n :] if event.n else list(there)

    def _move_over(self, place: str, leaving: list[Laid], hand: int, t: float) -> float:
        index = max((laid.index for laid in self.laid.get(place, ())), default=-1) + 1
        targets = [self.places.card(place, index + number) for number in range(len(leaving))]
        self.laid.setdefault(place, []).extend(
            Laid(laid.id, index + number) for number, laid in enumerate(leaving)
        )
        rest = self.hands.carry(hand, t, [laid.id for laid in leaving], targets)
        return self.hands.leave(hand, rest, targets, CARD_REACH_MM)

    def _discard(self, leaving: list[Laid], hand: int, t: float) -> None:
        """First together, then to the discards, turned face down on the way."""
        ids = [laid.id for laid in leaving]
        first = self.timeline.latest(ids[0])
        gathered = [replace(first.pose, z=0.5 * number) for number in range(len(ids))]
        together = t + self.hands.pace.shortest_s
        for thing_id, pose in zip(ids, gathered, strict=True):
            self.timeline.move(thing_id, t, together, pose)
        away = self.places.source("discard")
        ups = [self.timeline.latest(each).up for each in ids]
        targets = [replace(away, z=2.0 + 0.5 * number, roll=180.0 if up else 0.0) for number, up in enumerate(ups)]
        rest = self.hands.carry(hand, together, ids, targets, lift_mm=55.0)
        for thing_id in ids:
            self.timeline.remove(thing_id, rest)
        if isinstance(first, Card):
            self.supply.add_discards(len(ids), rest)
        self.hands.withdraw(hand, rest + self.hands.pace.hold_s)


def _name_of(thing: Card | Tile) -> str:
    return thing.card if isinstance(thing, Card) else thing.tile
