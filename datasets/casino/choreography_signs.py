"""Gestures and small pieces: waves, taps, the marker, the button, the dolly, the dice and the hand at the wheel."""

from dataclasses import replace

from auditor import log
from datasets.casino.choreography_stacks import Stacks
from datasets.casino.hands_motion import Hands
from datasets.casino.motion import Timeline
from datasets.casino.motion_places import Places
from datasets.casino.things import Button, Cup, Die, Dolly, Marker, Pose, Thing

PIECE_REACH_MM = 25.0
WAVE_MM = 190.0
DOLLY_HOME = Pose(640.0, 60.0, 0.0, 0.0)
WHEEL_SIDE = Pose(-760.0, 300.0, 120.0, -90.0)
DICE_SPOTS_MM = ((-24.0, 10.0), (22.0, 16.0), (2.0, -24.0))


class Signs:
    """What is told by hand, and the pieces that stand for something. Answers with the time of their end."""

    def __init__(self, timeline: Timeline, places: Places, hands: Hands, stacks: Stacks) -> None:
        self.timeline, self.places, self.hands, self.stacks = timeline, places, hands, stacks
        self.marker: int | None = None
        self.button: int | None = None
        self.dolly: int | None = None
        self.dice: list[int] = []
        self.cup: int | None = None

    # ---- calls ----

    def call(self, event: log.Call, t: float) -> float:
        """A wave over the table, a flat hand over the cards, a tap, a push."""
        if event.what == "no_more_bets":
            return self._wave_over_table(t)
        if event.by == "player" and event.at is not None:
            return self._player_sign(event, t)
        hand = self.hands.dealer("right")
        return self._show_palm(hand, t)

    def _wave_over_table(self, t: float) -> float:
        left, top, right, bottom = self.places.plan.bounds()
        height, depth = 110.0, top + (bottom - top) * 0.42
        ends = []
        for side, sign in (("left", 1.0), ("right", -1.0)):
            hand = self.hands.dealer("left" if side == "left" else "right")
            reach = min(WAVE_MM * 2.0, (right - left) * 0.3)
            middle, out = Pose(sign * 70, depth, height), Pose(sign * (70 + reach), depth, height)
            there = self.hands.go(hand, t, self.hands.holding(hand, middle), grip=0.0)
            there = self.hands.go(hand, there, self.hands.holding(hand, out), grip=0.0, lift_mm=0)
            self.hands.withdraw(hand, there)
            ends.append(there)
        return max(ends)

    def _player_sign(self, event: log.Call, t: float) -> float:
        assert event.at is not None
        box = event.at.partition("#")[0]
        hand = self.hands.player(box, self.places.player_seat(box))
        over = replace(self.places.middle(event.at), z=50.0)
        palm = self.hands.holding(hand, over)
        if event.what in ("check", "fold"):
            return self._tap(hand, palm, t, times=2 if event.what == "check" else 1)
        t = self.hands.go(hand, t, palm, grip=0.0)
        for shift in (35.0, -35.0):
            t = self.hands.go(hand, t, replace(palm, x=palm.x + shift), grip=0.0, lift_mm=0)
        self.hands.withdraw(hand, t)
        return t

    def _tap(self, hand: int, palm: Pose, t: float, times: int) -> float:
        for _ in range(times):
            t = self.hands.go(hand, t, replace(palm, z=45.0), grip=0.9)
            t = self.hands.go(hand, t, replace(palm, z=14.0), grip=0.9, lift_mm=0)
        self.hands.withdraw(hand, t)
        return t

    def _show_palm(self, hand: int, t: float) -> float:
        home = self.hands.home(hand)
        t = self.hands.go(hand, t, replace(home, y=home.y + 190, z=130.0), grip=0.0)
        t += self.hands.pace.hold_s
        self.hands.withdraw(hand, t)
        return t

    # ---- pieces ----

    def put_marker(self, event: log.Marker, t: float) -> float:
        """The dealer moves the starting marker on."""
        if self.marker is None:
            self.marker = self.timeline.new_id()
            self.timeline.put(Marker(id=self.marker, pose=self._beside()), 0.0)
        return self._move_piece(self.marker, self._spot(event.at, "marker"), t)

    def put_button(self, event: log.Button, t: float) -> float:
        """The dealer moves the button on."""
        if self.button is None:
            self.button = self.timeline.new_id()
            self.timeline.put(Button(id=self.button, pose=self._beside()), 0.0)
        return self._move_piece(self.button, self._spot(event.at, "button"), t)

    def put_dolly(self, event: log.Dolly, t: float) -> float:
        """The dolly goes onto the winning number, or back beside the layout."""
        if self.dolly is None:
            self.dolly = self.timeline.new_id()
            start = DOLLY_HOME if event.at is not None else self.places.middle("layout/0")
            self.timeline.put(Dolly(id=self.dolly, pose=start), 0.0)
        if event.at is None:
            lifted = self.timeline.latest(self.dolly).pose
            return self._move_piece(self.dolly, DOLLY_HOME, t, left=lifted)
        spot = f"layout/{event.at}"
        return self._move_piece(self.dolly, replace(self.places.middle(spot), z=self.stacks.height_mm(spot)), t)

    def _spot(self, place: str, piece: str) -> Pose:
        name = f"{place}/{piece}"
        return self.places.middle(name) if self.places.has(name) else self.places.source(place)

    def _beside(self) -> Pose:
        """Where pieces wait for the first round: at the dealer's edge, by the discards."""
        return Pose(-470.0, 30.0, 0.0, 0.0)

    def _move_piece(self, piece: int, target: Pose, t: float, *, left: Pose | None = None) -> float:
        here = self.timeline.latest(piece).pose
        hand = self.hands.dealer_for(target)
        t = self.hands.go(hand, t, self.hands.holding(hand, here), grip=0.6)
        rest = self.hands.carry(hand, t, [piece], [target], lift_mm=45.0)
        seen = self.hands.leave(hand, rest, [target], PIECE_REACH_MM)
        return seen if left is None else self.hands.clear_of(hand, t, [left], PIECE_REACH_MM)

    # ---- dice ----

    def throw(self, event: log.Dice, t: float) -> float:
        """The cup is put over the dice, shaken and lifted."""
        middle = self.places.source("dice")
        hand = self.hands.dealer("right")
        beside = replace(middle, x=middle.x - 60, y=middle.y + 20)
        if self.cup is None:
            self.cup = self.timeline.new_id()
            self.timeline.put(Cup(id=self.cup, pose=beside), 0.0)
        t = self.hands.go(hand, t, self.hands.holding(hand, beside, 70), grip=0.7)
        t = self.hands.carry(hand, t, [self.cup], [middle], lift_mm=60.0)
        for thing_id in self.dice:
            self.timeline.remove(thing_id, t)
        shaken = t
        for number in range(4):
            there = replace(middle, x=middle.x + (14.0 if number % 2 else -14.0), z=60.0)
            shaken = self.hands.carry(hand, shaken, [self.cup], [there], lift_mm=0)
        shaken = self.hands.carry(hand, shaken, [self.cup], [middle], lift_mm=0)
        dice = [self._die(face, spot, middle) for face, spot in zip(event.faces, DICE_SPOTS_MM, strict=True)]
        for die in dice:
            self.timeline.put(die, shaken)
        self.dice = [die.id for die in dice]
        rest = self.hands.carry(hand, shaken, [self.cup], [beside], lift_mm=80.0)
        return self.hands.leave(hand, rest, [middle], 45.0)

    def _die(self, face: int | None, spot: tuple[float, float], middle: Pose) -> Thing:
        """A die that does not lie flat leans on its edge, and no face is up."""
        tilt = 0.0 if face is not None else 45.0
        pose = Pose(middle.x + spot[0], middle.y + spot[1], 3.3 if tilt else 0.0, spot[0] * 7, pitch=tilt)
        return Die(id=self.timeline.new_id(), face=face or 1, pose=pose)

    # ---- the wheel ----

    def at_wheel(self, t: float) -> None:
        """The dealer's hand leaves the layout for the wheel, and comes back."""
        hand = self.hands.dealer("right")
        there = self.hands.go(hand, t, WHEEL_SIDE, grip=0.6)
        self.hands.withdraw(hand, there + 0.4)
