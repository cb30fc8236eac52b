"""Where things lie on a table: cards in rows and fans, chips in stacks, and where the people sit around it."""

import math
from dataclasses import dataclass
from functools import cached_property

from datasets.casino.things import CARD_THICK_MM, POKER_CARD_MM, TILE_SIZE_MM, Point, Pose
from vision.plan import BESIDE_MM, Plan, Zone

STACK_INSIDE_MM = 9.0  # how far inside its spot the middle of a stack stays
CARD_GAP_MM = 5.0
FAN_STEP_MM = (25.0, 16.0)  # right and up: the index of the card below stays in sight
SHOULDER_MM, HOME_MM = 520.0, 150.0  # how far outside the felt's edge
HOME_Z_MM = 62.0  # on the padded rail
CARDS_EXPECTED = {"board": 5, "player": 3, "banker": 3, "burn": 12}
HAND_EXPECTED = {
    "act-blackjack": 5, "act-uth": 2, "act-canberra-poker": 5,
    "act-holdem": 2, "tas-holdem": 2, "act-faro": 5, "tas-stud": 5,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Where somebody's arm comes from, and where the hand lies when it has nothing to do."""

    shoulder: Point
    home: Pose


class Places:
    """A plan's zones as places to put things down at."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(zone.name for zone in self.plan.zones)

    def has(self, name: str) -> bool:
        """Whether the plan knows the place."""
        return name in self._names

    def zone(self, name: str) -> Zone:
        """The zone of a place. Split hands lie in zones of their own where the plan has them, else in their box's."""
        if name not in self._names and "#" in name:
            hand, _, spot = name.partition("/")
            name = hand.partition("#")[0] + (f"/{spot}" if spot else "")
        return self.plan.zone(name) if name in self._names else self._improvised(name)

    def _improvised(self, name: str) -> Zone:
        """Where people put things for which the plan has no place: that is often what is wrong with them."""
        box, _, spot = name.partition("/")
        if box == "layout":
            cells = [self.plan.zone(f"layout/{number}").at for number in spot.split("-")]
            at = (sum(x for x, _ in cells) / len(cells), sum(y for _, y in cells) / len(cells))
            return Zone(name=name, kind="chips", at=at, size=(44.0, 46.0))
        if box in self._names:
            near = self.plan.zone(box)
            at = near.from_middle(0, near.size[1] / 2 + 55)
            return Zone(name=name, kind="chips", at=at, size=(100.0, 100.0), yaw=near.yaw)
        near = self.plan.zone("pot" if name.startswith("pot") else "shuffle")
        return Zone(name=name, kind=near.kind, at=near.from_middle(0, near.size[1] + 30), size=near.size, yaw=near.yaw)

    # ---- cards and tiles ----

    def card(self, place: str, index: int) -> Pose:
        """Where the card that came as number `index` (from 0) lies."""
        zone = self.zone(place)
        right, down = self._card_offset(place, zone, index)
        sideways = index == 2 and place in ("player", "banker")  # baccarat's third card lies across
        x, y = zone.from_middle(right, down)
        return Pose(x, y, index * CARD_THICK_MM * 1.1, zone.yaw + (90 if sideways else 0))

    def _card_offset(self, place: str, zone: Zone, index: int) -> tuple[float, float]:
        expected = max(2, CARDS_EXPECTED.get(place.partition("#")[0], HAND_EXPECTED.get(self.plan.rulebook, 5)))
        wide, long = POKER_CARD_MM
        room, height = max(0.0, zone.size[0] - wide), max(0.0, zone.size[1] - long)
        beyond = max(0, index - expected + 1)  # cards more than there is room for lie closer on the last
        in_row = min(index, expected - 1) + beyond * 0.25
        if (expected - 1) * (wide + CARD_GAP_MM) <= room:
            step, rise = wide + CARD_GAP_MM, 0.0
        else:
            step = min(FAN_STEP_MM[0], room / (expected - 1))
            rise = min(FAN_STEP_MM[1], height / (expected - 1))
            in_row += min(beyond, 1) * 0.75  # a fan has room for one more
        middle = (expected - 1) / 2
        return (in_row - middle) * step + self._split_shift(place, zone), -(in_row - middle) * rise

    def _split_shift(self, place: str, zone: Zone) -> float:
        number = place.partition("#")[2]
        if not number or self.has(place):
            return 0.0
        return (int(number) - 1) * zone.size[0] / 4

    def tile(self, place: str, index: int) -> Pose:
        """Where the tile that came as number `index` lies: four side by side."""
        zone = self.zone(place)
        wide = TILE_SIZE_MM[0]
        step = min(wide + 4, (zone.size[0] - wide) / 3)
        x, y = zone.from_middle((min(index, 4) - 1.5) * step, 0)
        return Pose(x, y, 0, zone.yaw)

    def set_tile(self, place: str, part: int, index: int) -> Pose:
        """Where a tile lies once the hand is set: the low part (0) left and across, the high part (1) right."""
        zone = self.zone(place)
        wide = TILE_SIZE_MM[0]
        if part == 0:
            x, y = zone.from_middle(-zone.size[0] / 4 - 8, (index - 0.5) * (wide + 2))
            return Pose(x, y, 0, zone.yaw + 90)
        x, y = zone.from_middle(zone.size[0] / 4 - 12 + (index - 0.5) * (wide + 2), 0)
        return Pose(x, y, 0, zone.yaw)

    # ---- chips ----

    def stack_spots(self, at: str) -> list[Pose]:
        """Where stacks can stand at a spot, the first first; where there is no more room they go on top."""
        zone = self.zone(at)
        return [Pose(*zone.from_middle(*offset), 0.0, zone.yaw) for offset in _stack_offsets(*zone.size)]

    # ---- what stands about ----

    def middle(self, name: str) -> Pose:
        """The middle of a zone."""
        zone = self.zone(name)
        return Pose(*zone.at, 0.0, zone.yaw)

    def source(self, name: str) -> Pose:
        """Where chips or cards come from: the zone where the plan has it, else the dealer's edge."""
        return self.middle(name) if self.has(name) else Pose(0.0, -40.0, 0.0, 0.0)

    # ---- people ----

    def dealer_seat(self, side: str) -> Seat:
        """The dealer's left hand is at the right of the page."""
        sign = 1 if side == "left" else -1
        home = Pose(sign * 190.0, -135.0, 40.0, 180.0 + sign * 12)
        return Seat(shoulder=(sign * 200.0, -SHOULDER_MM, 330.0), home=home)

    def player_seat(self, at: str) -> Seat:
        """A player sits beyond the edge of the felt, at the lower edge of his box."""
        box = at.partition("/")[0].partition("#")[0]
        zones = [zone for zone in self.plan.zones if zone.name.partition("/")[0] == box] or [self.zone(at)]
        middle = (sum(zone.at[0] for zone in zones) / len(zones), sum(zone.at[1] for zone in zones) / len(zones))
        yaw = zones[0].yaw
        outward = (-math.sin(math.radians(yaw)), math.cos(math.radians(yaw)))
        edge = self._edge_distance(middle, outward)
        home, shoulder = (
            (middle[0] + (edge + beyond) * outward[0], middle[1] + (edge + beyond) * outward[1])
            for beyond in (HOME_MM, SHOULDER_MM)
        )
        return Seat(shoulder=(*shoulder, 330.0), home=Pose(*home, HOME_Z_MM, yaw))

    def standing_seat(self, share: float) -> Seat:
        """Roulette players stand along the players' edge; `share` says how far to the right."""
        left, _, right, bottom = self.plan.bounds()
        x = left + (right - left) * share
        return Seat(shoulder=(x, bottom + SHOULDER_MM, 330.0), home=Pose(x, bottom + HOME_MM, HOME_Z_MM, 0.0))

    def _edge_distance(self, start: tuple[float, float], towards: tuple[float, float]) -> float:
        """How far it is from a point on the felt to its edge in a direction."""
        (sx, sy), (dx, dy) = start, towards
        felt = self.plan.felt
        reaches = [0.0]
        for (ax, ay), (bx, by) in zip(felt, [*felt[1:], felt[0]], strict=True):
            ex, ey = bx - ax, by - ay
            across = dx * ey - dy * ex
            if abs(across) < 1e-9:
                continue
            reach = ((ax - sx) * ey - (ay - sy) * ex) / across
            along = ((ax - sx) * dy - (ay - sy) * dx) / across
            if reach > 0 and -1e-9 <= along <= 1 + 1e-9:
                reaches.append(reach)
        return max(reaches)


def _stack_offsets(wide: float, long: float) -> list[tuple[float, float]]:
    """Places for stacks in a spot, from its middle: one, the middle and five around it, or a grid in a larger one.

    The second place is beside the first, where a payout is cut; what lies to the left is kept for last, as the spot
    of a split hand may be there.
    """
    if max(wide, long) < 2 * BESIDE_MM:
        return [(0.0, 0.0)]
    if max(wide, long) <= 3 * BESIDE_MM + 4:
        aside = min(0.0, wide / 2 - BESIDE_MM - STACK_INSIDE_MM)  # in a narrow spot the first makes room
        half, row = BESIDE_MM / 2, BESIDE_MM * 0.87
        around = [(0.0, 0.0), (2 * half, 0.0), (half, row), (half, -row), (-half, row), (-half, -row)]
        return [(right + aside, down) for right, down in around]
    columns, rows = max(1, int(wide // BESIDE_MM)), max(1, int(long // BESIDE_MM))
    offsets = [
        ((column - (columns - 1) / 2) * BESIDE_MM, (row - (rows - 1) / 2) * BESIDE_MM)
        for row in range(rows)
        for column in range(columns)
    ]
    return sorted(offsets, key=lambda offset: (abs(offset[1]) * 1.5 + abs(offset[0]), -offset[0], offset[1]))
