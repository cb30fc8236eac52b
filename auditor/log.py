"""The table log: the one border between what cameras measured and what the auditor proves.

A log is UTF-8 JSON Lines: a header, then one event per line in time order. Here stand what it holds and how it is
written; `auditor/log_reader.py` reads it.
"""

import datetime
import io
from typing import Annotated, Any, BinaryIO, Literal

import msgspec
from msgspec import Meta

FORMAT = "fairdeal/1"


class FairdealError(Exception):
    """Bad input or a broken set-up, told in one line. A breach at the table is data, never an exception."""


class LogError(FairdealError):
    """A table log that cannot be read: which file, which line, which field, and what is wrong with it."""

    def __init__(self, name: str, line: int, field: str, problem: str) -> None:
        self.name, self.line, self.field, self.problem = name, line, field, problem
        super().__init__(": ".join(filter(None, [f"{name}:{line}", field, problem])))


# ---- what a log holds --------------------------------------------------------------------------------------------

By = Literal["dealer", "player"]
MOST_MONEY = 1e12
"""Beyond it a float no longer tells every cent."""
Amount = Annotated[float, Meta(ge=0, le=MOST_MONEY)]
Share = Annotated[float, Meta(ge=0, le=1)]
Turning = Literal["cw", "ccw"]


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: which table, under which rulebook, since when, and what the operator determined."""

    log: str
    table: str
    rulebook: str
    started: datetime.datetime
    house: dict[str, Any] = {}


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="e", gc=False):
    """What every event carries: its time in seconds, how sure the read is, who did it, where the evidence is. `since`
    is the earliest time at which it may have happened, where something hid it until it was seen (absent = `t`)."""

    t: Annotated[float, Meta(ge=0)]
    since: Annotated[float, Meta(ge=0)] | None = None
    conf: Share | None = None
    by: By | None = None
    cam: str | None = None
    frame: int | None = None
    region: list[tuple[float, float]] | None = None


class Chips(Event, frozen=True, tag="chips"):
    """The amount that now stands at a spot: a state, not a movement. `there` says how sure it is that chips stand there
    at all, however many (absent = as sure as the amount)."""

    at: str
    amount: Amount
    there: Share | None = None
    colour: str | None = None
    stacks: list[dict[str, int]] | None = None
    marker: bool = False


class Card(Event, frozen=True, tag="card"):
    """A card came to rest at a place. `there` says how sure it is that one came at all, whatever its name (absent =
    certain); `conf` is about its name, `rank_conf` about its rank alone where that is surer, and `maybe` has the names
    of which it surely has one, where its name is in doubt or half read (absent = any)."""

    at: str
    card: str
    up: bool | None = None
    there: Share | None = None
    rank_conf: Share | None = None
    maybe: list[str] | None = None


class Tile(Event, frozen=True, tag="tile"):
    """A tile came to rest at a place."""

    at: str
    tile: str
    up: bool | None = None


class Turn(Event, frozen=True, tag="turn"):
    """A card or tile already at a place was turned."""

    at: str
    card: str | None = None
    tile: str | None = None
    up: bool = True
    rank_conf: Share | None = None
    maybe: list[str] | None = None


class Gone(Event, frozen=True, tag="gone"):
    """Cards or tiles left a place; without `n` and `cards`, everything there."""

    at: str
    n: Annotated[int, Meta(ge=0)] | None = None
    cards: list[str] | None = None
    to: str | None = None


class Set(Event, frozen=True, tag="set"):
    """A pai gow hand as it was set."""

    at: str
    low: list[str]
    high: list[str]


class Dice(Event, frozen=True, tag="dice"):
    """The dice cup was opened; None stands for a die that does not lie flat."""

    faces: Annotated[list[Annotated[int, Meta(ge=1, le=6)] | None], Meta(min_length=3, max_length=3)]


class Spin(Event, frozen=True, tag="spin"):
    """The ball was launched; a wheel camera adds the rotor's turns a minute and the ball's a second."""

    ball: Turning
    wheel: Turning
    rpm: float | None = None
    rps: float | None = None


class Ball(Event, frozen=True, tag="ball"):
    """What became of the ball; `laps` are revolutions round the track since the launch, `deg` is where it left it."""

    event: Literal["leave_track", "rest", "stuck", "out", "lifted"]
    laps: Annotated[float, Meta(ge=0)] | None = None
    pocket: Annotated[int, Meta(ge=0, le=36)] | None = None
    deg: float | None = None


class Wheel(Event, frozen=True, tag="wheel"):
    """Something happened to the wheel."""

    event: Literal["object", "stopped", "reversed"]


class Dolly(Event, frozen=True, tag="dolly"):
    """The winning-number marker was put down, or lifted (None)."""

    at: Annotated[int, Meta(ge=0, le=36)] | None


class Button(Event, frozen=True, tag="button"):
    """The dealer button."""

    at: str


class Marker(Event, frozen=True, tag="marker"):
    """The starting marker."""

    at: str


class Shuffle(Event, frozen=True, tag="shuffle"):
    """The cards or tiles were shuffled."""

    at: str | None = None


class Cut(Event, frozen=True, tag="cut"):
    """The cards were cut."""

    at: str | None = None


class CuttingCard(Event, frozen=True, tag="cutting_card"):
    """The cutting card came out of the shoe."""

    at: str | None = None


class Dealer(Event, frozen=True, tag="dealer"):
    """The dealer changed."""

    who: str | int


class Call(Event, frozen=True, tag="call"):
    """An announcement or gesture."""

    what: str
    at: str | None = None


class Hand(Event, frozen=True, tag="hand", rename={"inside": "in"}):
    """A hand entered or left a place."""

    at: str
    inside: bool


class Feed(Event, frozen=True, tag="feed"):
    """The view was interrupted, or came back; `unbroken` with `back` where nothing can have happened meanwhile."""

    state: Literal["lost", "back", "blocked"]
    unbroken: bool = False


AnyEvent = (
    Chips | Card | Tile | Turn | Gone | Set | Dice | Spin | Ball | Wheel | Dolly | Button | Marker
    | Shuffle | Cut | CuttingCard | Dealer | Call | Hand | Feed
)  # fmt: skip

TILES = (
    "teen", "day", "yun", "gor", "mooy", "chong", "bon", "foo", "ping", "tit", "look",
    "gow63", "gow54", "bot62", "bot53", "chit52", "chit43", "ng41", "ng32", "gj6", "gj3",
)  # fmt: skip


# ---- money -------------------------------------------------------------------------------------------------------


def cents(amount: float) -> int:
    """Money inside fairdeal is integer cents.

    >>> cents(12.5), cents(0.07)
    (1250, 7)
    """
    return round(amount * 100)


def whole_cents(amount: float) -> bool:
    """Whether an amount has at most two decimals.

    >>> whole_cents(12.5), whole_cents(0.001)
    (True, False)
    """
    return not amount % 1 or abs(amount * 100 - round(amount * 100)) <= 1e-6 * max(1.0, amount)


def whole_numbers(value: Any) -> Any:
    """JSON as it was read, with 17 for 17.0: it has one kind of number, and others write whole ones either way.

    >>> whole_numbers({"faces": [1.0, 2, None], "laps": 2.5})
    {'faces': [1, 2, None], 'laps': 2.5}
    """
    if isinstance(value, dict):
        return {name: whole_numbers(each) for name, each in value.items()}
    if isinstance(value, list):
        return [whole_numbers(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def money(amount_cents: int) -> float:
    """Cents as the log writes money: a whole number where it is one.

    >>> money(1250), money(1200)
    (12.5, 12)
    """
    return amount_cents // 100 if amount_cents % 100 == 0 else amount_cents / 100


# ---- writing -----------------------------------------------------------------------------------------------------

_encoder = msgspec.json.Encoder()


class LogWriter:
    """Writes a log; refuses events that would make it unreadable."""

    def __init__(self, stream: BinaryIO, header: Header) -> None:
        self._stream = stream
        self._t = 0.0
        stream.write(_encoder.encode(header) + b"\n")

    def write(self, event: AnyEvent) -> None:
        """Append one event."""
        if event.t < self._t:
            raise ValueError(f"an event at {event.t} cannot follow one at {self._t}")
        self._t = event.t
        self._stream.write(_encoder.encode(event) + b"\n")


def log_bytes(header: Header, events: list[AnyEvent]) -> bytes:
    """A whole log in memory, for tests and small files."""
    stream = io.BytesIO()
    writer = LogWriter(stream, header)
    for event in events:
        writer.write(event)
    return stream.getvalue()
