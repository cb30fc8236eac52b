"""Table plans: where on a table everything lies and what is printed on its felt, in millimetres.

The frame: seen from above with the dealer at the top of the page; x to the right, y down the page towards the players,
z up from the felt; the origin is the middle of the dealer's edge of the felt. Yaw is in degrees clockwise seen from
above; a card with yaw 0 points its top edge to the dealer. A plan ships per rulebook (`vision/plans/*.toml`); a
casino's table file moves what differs.

>>> blackjack = load_plan("act-blackjack")
>>> blackjack.zone("box1").kind, blackjack.zone_at(*blackjack.zone("box1/main").at).name
('cards', 'box1/main')
"""

import math
from functools import cache, cached_property
from importlib import resources
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from auditor.log import FairdealError, Share

Point = tuple[float, float]
Size = tuple[Annotated[float, Meta(gt=0)], Annotated[float, Meta(gt=0)]]
Side = Literal["right", "left", "near", "far"]
Kind = Literal["cards", "chips", "tiles", "dice", "dolly", "button", "marker", "cutting_card", "shuffle", "fixture"]

CARD_MM = (63.0, 88.0)
CHIP_MM = 39.0
CHIP_HEIGHT_MM = 3.3
BESIDE_MM = 42.0
"""From the middle of a stack to that of one put beside it."""
SIDES: dict[Side, Point] = {"right": (1.0, 0.0), "left": (-1.0, 0.0), "near": (0.0, 1.0), "far": (0.0, -1.0)}
"""Right and down in a spot's own turned frame, as somebody at its lower edge sees it: near is towards him."""


class Zone(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the felt where one kind of thing is put down: a rectangle around `at`, turned by `yaw`.

    The name is the table log's place. Markers and buttons lie in zones of their own, `box3/marker`, `box3/button`:
    their events are at `box3`. In a `shuffle` zone cards are shuffled and cut; a `fixture` holds nothing that is read.
    """

    name: str
    kind: Kind
    at: Point
    size: Size
    yaw: float = 0.0

    @property
    def place(self) -> str:
        """Where the table log says that things in this zone are."""
        return self.name.partition("/")[0] if self.kind in ("button", "marker", "cutting_card") else self.name

    def from_middle(self, right: float, down: float) -> Point:
        """The plan position of a point given from the zone's middle, in the zone's own turned frame."""
        return turned((right, down), self.yaw, self.at)

    def to_middle(self, x: float, y: float) -> Point:
        """A plan position as the zone sees it: millimetres right of and down from its middle."""
        return turned((x - self.at[0], y - self.at[1]), -self.yaw)

    @property
    def polygon(self) -> tuple[Point, ...]:
        """The four corners: upper left first, clockwise, as somebody at the zone's lower edge sees it."""
        across, along = self.size[0] / 2, self.size[1] / 2
        corners = ((-across, -along), (across, -along), (across, along), (-across, along))
        return tuple(self.from_middle(*corner) for corner in corners)

    def holds(self, x: float, y: float) -> bool:
        """Whether a plan position lies in the zone."""
        right, down = self.to_middle(x, y)
        return abs(right) <= self.size[0] / 2 and abs(down) <= self.size[1] / 2


# ---- what is printed ---------------------------------------------------------------------------------------------


class Mark(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="mark"):
    """Something printed on the felt. `fill` colours the inside of what is closed."""

    colour: str = "white"
    width: Annotated[float, Meta(gt=0)] = 3.0
    fill: str | None = None

    def path(self) -> tuple[Point, ...]:
        """The line as points in millimetres; a closed one ends where it begins."""
        raise NotImplementedError


class Line(Mark, frozen=True, tag="line"):
    """A line through points."""

    points: Annotated[list[Point], Meta(min_length=2)]

    def path(self) -> tuple[Point, ...]:
        """As given."""
        return tuple(self.points)


class Arc(Mark, frozen=True, tag="arc"):
    """Part of a circle; angles are degrees clockwise on the page from the direction of +x."""

    at: Point
    radius: Annotated[float, Meta(gt=0)]
    start: float = 0.0
    end: float = 360.0

    def path(self) -> tuple[Point, ...]:
        """Points at most five degrees apart."""
        steps = max(2, math.ceil(abs(self.end - self.start) / 5))
        angles = (math.radians(self.start + (self.end - self.start) * step / steps) for step in range(steps + 1))
        return tuple((self.at[0] + self.radius * math.cos(a), self.at[1] + self.radius * math.sin(a)) for a in angles)


class Frame(Mark, frozen=True, tag="frame"):
    """A rectangle's outline."""

    at: Point
    size: Size
    yaw: float = 0.0

    def path(self) -> tuple[Point, ...]:
        """Its four corners, and the first again."""
        across, along = self.size[0] / 2, self.size[1] / 2
        corners = ((-across, -along), (across, -along), (across, along), (-across, along), (-across, -along))
        return tuple(turned(corner, self.yaw, self.at) for corner in corners)


class Text(Mark, frozen=True, tag="text"):
    """Words around their middle; `height` is that of a capital letter."""

    at: Point
    text: str
    height: Annotated[float, Meta(gt=0)]
    yaw: float = 0.0

    def path(self) -> tuple[Point, ...]:
        """Letters have no line that a calibration could rely on."""
        return ()


AnyMark = Line | Arc | Frame | Text


# ---- a whole table -----------------------------------------------------------------------------------------------


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """One table: the felt's outline, the zones on it, the marks printed on it."""

    rulebook: str
    felt: Annotated[list[Point], Meta(min_length=3)]
    sign: str | None = None
    """What it means (a `call`) when a player's hand comes over his cards and leaves them as they are."""
    sign_conf: Share | None = None
    """How sure that is, where such a hand may mean something else as well: that he gives his cards up."""
    word: str | None = None
    """What players may say (a `call`) between two communal cards, without a sign that a camera could see."""
    called_off: str | None = None
    """What the dealer must have said (a `call`) where all players take their stakes back with their cards unturned."""
    one_deck: bool = False
    """Whether no card can lie on the table twice."""
    winnings: Side | None = None
    """On which side of a stake winnings are put; not given where they are not paid beside stakes."""
    zones: tuple[Zone, ...] = msgspec.field(name="zone")
    marks: tuple[AnyMark, ...] = msgspec.field(name="mark", default=())

    @cached_property
    def _by_name(self) -> dict[str, Zone]:
        return {zone.name: zone for zone in self.zones}

    def zone(self, name: str) -> Zone:
        """The zone of that name."""
        try:
            return self._by_name[name]
        except KeyError:
            raise FairdealError(f"the plan of {self.rulebook} has no zone {name!r}") from None

    def of_kind(self, *kinds: Kind) -> tuple[Zone, ...]:
        """The zones of some kinds, in the plan's order."""
        return tuple(zone for zone in self.zones if zone.kind in kinds)

    def zone_at(self, x: float, y: float, *kinds: Kind) -> Zone | None:
        """The zone (of these kinds) a position lies in; where zones meet, the one whose middle is nearest."""
        holding = [zone for zone in self.zones if (not kinds or zone.kind in kinds) and zone.holds(x, y)]
        return min(holding, key=lambda zone: math.dist(zone.at, (x, y)), default=None)

    def bounds(self) -> tuple[float, float, float, float]:
        """The felt's left, top, right and bottom."""
        across, along = zip(*self.felt, strict=True)
        return min(across), min(along), max(across), max(along)


def turned(point: Point, yaw: float, about: Point = (0.0, 0.0)) -> Point:
    """A point given from `about`, turned clockwise (seen from above) around it.

    >>> [round(value, 6) for value in turned((0, -10), 90)]
    [10.0, -0.0]
    """
    turn = math.radians(yaw)
    x, y = point
    return (
        about[0] + x * math.cos(turn) - y * math.sin(turn),
        about[1] + x * math.sin(turn) + y * math.cos(turn),
    )


@cache
def load_plan(rulebook: str) -> Plan:
    """The plan that ships for a rulebook."""
    plans = resources.files("vision") / "plans"
    try:
        return msgspec.toml.decode((plans / f"{rulebook}.toml").read_bytes(), type=Plan)
    except FileNotFoundError:
        known = sorted(each.name.removesuffix(".toml") for each in plans.iterdir() if each.name.endswith(".toml"))
        raise FairdealError(f"no table plan ships for {rulebook!r} (known: {', '.join(known)})") from None
    except msgspec.DecodeError as error:
        raise FairdealError(f"the plan of {rulebook}: {error}") from None
