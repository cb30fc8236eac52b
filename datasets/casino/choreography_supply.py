"""Where cards and tiles come from and go to: the shoe, the wall of tiles, the discards, and the shuffle in between."""

from dataclasses import replace

from datasets.casino.hands_motion import CARD_REACH_MM, Hands
from datasets.casino.motion import Timeline
from datasets.casino.motion_places import Places
from datasets.casino.things import TILE_SIZE_MM, Card, CuttingCard, Pack, Pose, Tile

RIFFLE_MM = 75.0
WALL_COLUMNS, WALL_LAYERS = 8, 4
SHOE_MOUTH_MM = 12.0
UNSEEN = {"card": "2c", "tile": "teen"}  # what a face-down card shows nobody until it is turned


def known(name: str, kind: str) -> str:
    """A name a card or tile can be drawn with."""
    return UNSEEN[kind] if name == "??" else name


class Supply:
    """The cards or tiles that are not in play. Every gesture answers with the time at which its end can be seen."""

    def __init__(self, timeline: Timeline, places: Places, hands: Hands) -> None:
        self.timeline, self.places, self.hands = timeline, places, hands
        self.wall: list[int] = []
        self.pack: int | None = None
        self.discards: int | None = None
        self.cutting: int | None = None
        self.tiles = bool(places.plan.of_kind("tiles"))
        self.shoe = places.source("shoe" if places.has("shoe") else "shuffle")

    def take_card(self, hand: int, t: float, name: str) -> tuple[int, float]:
        """A hand draws a card, face down, out of the shoe."""
        mouth = replace(self.shoe, z=SHOE_MOUTH_MM)
        card = Card(id=self.timeline.new_id(), card=name, pose=mouth, up=False)
        return card.id, self.hands.fetch(hand, t, [card])

    def take_tile(self, hand: int, t: float) -> tuple[int, float]:
        """A hand goes to the next tile of the wall."""
        if not self.wall:
            self._build_wall(t)
        tile = self.wall.pop()
        return tile, self.hands.go(hand, t, self.hands.holding(hand, self.timeline.latest(tile).pose), grip=0.5)

    def add_discards(self, count: int, t: float) -> None:
        """Cards came to lie on the discards."""
        if self.discards is None:
            self.discards = self.timeline.new_id()
            self.timeline.put(Pack(id=self.discards, count=count, pose=self.places.source("discard")), t)
        else:
            self.timeline.change(self.discards, t, count=self.timeline.latest(self.discards).count + count)

    # ---- shuffling ----

    def shuffle(self, t: float, seconds: float) -> float:
        """The cards come out of the discards and the shoe, are riffled, and lie ready to be cut."""
        if self.tiles:
            return self._mix_tiles(t, seconds)
        middle = self.places.source("shuffle")
        left, right = self.hands.dealer("left"), self.hands.dealer("right")
        t = self._gather_pack(middle, t)
        half = Pack(id=self.timeline.new_id(), count=self.timeline.latest(self._pack()).count // 2 or 1, pose=middle)
        self.timeline.put(half, t)
        aside = (replace(middle, x=middle.x + RIFFLE_MM / 2), replace(middle, x=middle.x - RIFFLE_MM / 2))
        stroke = max(0.3, self.hands.pace.shortest_s * 1.6)
        for _ in range(max(1, round(seconds / (2 * stroke)))):
            for apart in (aside, (middle, middle)):
                for hand, pack, pose in ((left, half.id, apart[0]), (right, self._pack(), apart[1])):
                    self.hands.go(hand, t, self.hands.holding(hand, pose, 12), grip=0.5, seconds=stroke, lift_mm=0)
                    self.timeline.move(pack, t, t + stroke, pose)
                t += stroke
        self.timeline.remove(half.id, t)
        for hand in (left, right):
            self.hands.withdraw(hand, t)
        return self.hands.clear_of(right, t, [middle], CARD_REACH_MM)

    def _pack(self) -> int:
        assert self.pack is not None
        return self.pack

    def _gather_pack(self, middle: Pose, t: float) -> float:
        """All cards into one pack before the dealer."""
        hand = self.hands.dealer("right")
        source = self.discards if self.discards is not None else self.pack
        if source is None:
            source = self.timeline.new_id()
            pack = Pack(id=source, count=52, pose=self.places.source("discard"))
            t = self.hands.fetch(hand, t, [pack])
        else:
            t = self.hands.go(hand, t, self.hands.holding(hand, self.timeline.latest(source).pose, 10), grip=0.5)
        if self.pack is not None and self.pack != source:
            self.timeline.remove(self.pack, t)
        if self.cutting is not None:
            self.timeline.remove(self.cutting, t)
            self.cutting = None
        rest = self.hands.carry(hand, t, [source], [middle], lift_mm=60.0)
        self.timeline.change(source, rest, count=max(self.timeline.latest(source).count, 52))
        self.pack, self.discards = source, None
        return rest

    def cut(self, hand: int, t: float) -> float:
        """The upper half is put down beside, the lower on top of it; then the cards go into the shoe."""
        if self.pack is None:
            return t
        middle = self.timeline.latest(self.pack).pose
        t = self.hands.go(hand, t, self.hands.holding(hand, middle, 14), grip=0.5)
        upper = Pack(id=self.timeline.new_id(), count=26, pose=replace(middle, z=8.0))
        self.timeline.put(upper, t)
        beside = replace(middle, x=middle.x + RIFFLE_MM)
        t = self.hands.carry(hand, t, [upper.id], [beside])
        t = self.hands.go(hand, t, self.hands.holding(hand, middle, 8), grip=0.5)
        t = self.hands.carry(hand, t, [self.pack], [replace(beside, z=8.0)])
        self.timeline.remove(upper.id, t)
        self.timeline.change(self.pack, t, pose=beside)
        seen = self.hands.leave(hand, t, [beside], CARD_REACH_MM)
        return self._into_shoe(seen) if self.places.has("shoe") else seen

    def _into_shoe(self, t: float) -> float:
        pack = self._pack()
        dealer = self.hands.dealer("left")
        t = self.hands.go(dealer, t, self.hands.holding(dealer, self.timeline.latest(pack).pose, 14), grip=0.5)
        rest = self.hands.carry(dealer, t, [pack], [replace(self.shoe, z=SHOE_MOUTH_MM)], lift_mm=90.0)
        self.timeline.remove(pack, rest)
        self.pack = None
        return self.hands.leave(dealer, rest, [self.shoe], 0.0)

    def cutting_card(self, t: float) -> float:
        """The cutting card comes out of the shoe and is laid aside."""
        hand = self.hands.dealer("left")
        target = self.places.middle("shoe/cutting") if self.places.has("shoe/cutting") else self.shoe
        card = CuttingCard(id=self.timeline.new_id(), pose=replace(self.shoe, z=SHOE_MOUTH_MM))
        t = self.hands.fetch(hand, t, [card])
        self.cutting = card.id
        rest = self.hands.carry(hand, t, [card.id], [target])
        return self.hands.leave(hand, rest, [target], CARD_REACH_MM)

    # ---- tiles ----

    def _build_wall(self, t: float) -> None:
        """Thirty-two tiles face down, four high."""
        zone = self.places.zone("shuffle")
        for number in range(WALL_COLUMNS * WALL_LAYERS):
            column, layer = divmod(number, WALL_LAYERS)
            x, y = zone.from_middle((column - (WALL_COLUMNS - 1) / 2) * 27.0, 0)
            pose = Pose(x, y, layer * TILE_SIZE_MM[2], zone.yaw)
            tile = Tile(id=self.timeline.new_id(), tile=known("??", "tile"), pose=pose, up=False)
            self.timeline.put(tile, t)
            self.wall.append(tile.id)

    def _mix_tiles(self, t: float, seconds: float) -> float:
        """The tiles are brought back and stirred under both hands until a new wall stands."""
        middle = self.places.source("shuffle")
        hands = (self.hands.dealer("left"), self.hands.dealer("right"))
        for hand in hands:
            arrived = self.hands.go(hand, t, self.hands.holding(hand, middle, 20), grip=0.1)
        for thing_id in self.wall:
            self.timeline.remove(thing_id, arrived)
        self.wall = []
        self._build_wall(arrived)
        stroke = max(0.25, self.hands.pace.shortest_s)
        t = arrived
        for number in range(max(2, round(seconds / stroke))):
            side = 60.0 if number % 2 else -60.0
            for hand in hands:
                there = self.hands.holding(hand, replace(middle, x=middle.x + side), 20)
                self.hands.go(hand, t, there, grip=0.1, seconds=stroke, lift_mm=0)
            t += stroke
        for hand in hands:
            self.hands.withdraw(hand, t)
        return self.hands.clear_of(hands[1], t, [middle], 110.0)
