"""The table log: the one border between what cameras measured and what the auditor proves.

A log is UTF-8 JSON Lines: a header, then one event per line in time order. Reading streams, so a log of any
length takes the memory of one line; every fault is a :class:`LogError` that names the file, the line and the field.

>>> lines = [b'{"log":"fairdeal/1","table":"BJ-04","rulebook":"act-blackjack","started":"2026-11-15T20:00:00+11:00"}',
...          b'{"t":3.2,"e":"chips","at":"box1/main","amount":10,"by":"player"}']
>>> reader = LogReader(io.BytesIO(b"\\n".join(lines)), "evening.jsonl")
>>> reader.header.rulebook, [event.at for event in reader]
('act-blackjack', ['box1/main'])
"""

import datetime
import io
import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, BinaryIO, Literal

import msgspec
from msgspec import Meta

FORMAT = "fairdeal/1"
MAX_LINE_BYTES = 1 << 20


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
    """What every event carries: its time in seconds, how sure the read is, who did it, where the evidence is."""

    t: Annotated[float, Meta(ge=0)]
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
    certain); `conf` is about its name, `rank_conf` about its rank alone where that is surer."""

    at: str
    card: str
    up: bool | None = None
    there: Share | None = None
    rank_conf: Share | None = None


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
_CARD_TEXTS = frozenset({"Jkr", *(rank + suit for rank in "23456789TJQKA?" for suit in "cdhs?")})
_TILE_TEXTS = frozenset({"??", *TILES})
_PLACE = re.compile(r"[a-z]+[0-9]*(#[0-9]+)?(/[a-z0-9]+(-[a-z0-9]+)*)?", re.ASCII)


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


def money(amount_cents: int) -> float:
    """Cents as the log writes money: a whole number where it is one.

    >>> money(1250), money(1200)
    (12.5, 12)
    """
    return amount_cents // 100 if amount_cents % 100 == 0 else amount_cents / 100


# ---- reading -----------------------------------------------------------------------------------------------------

_header_decoder = msgspec.json.Decoder(Header)
_event_decoder = msgspec.json.Decoder(AnyEvent)


class LogReader:
    """Reads a log: the header at once, the events as they are iterated over.

    `raw` is the line of the event given last: a store keeps it, so fields this version does not know live on.
    """

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self.name = name
        self.line = 0
        self.raw = b""
        self._stream = stream
        self._places: set[str] = set()
        self.header = self._read_header()

    def _fail(self, field: str, problem: str) -> LogError:
        return LogError(self.name, self.line, field, problem)

    def _next_line(self) -> bytes:
        self.line += 1
        line = self._stream.readline(MAX_LINE_BYTES + 2)
        if len(line) > MAX_LINE_BYTES or not line.isascii():
            self._check_text(line)
        return line

    def _check_text(self, line: bytes) -> None:
        if len(line.rstrip(b"\r\n")) > MAX_LINE_BYTES:
            raise self._fail("", "the line is longer than 1 MiB")
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._fail("", f"not UTF-8 (byte {error.start + 1} of the line)") from None

    def _decode(self, decoder: msgspec.json.Decoder[Any], line: bytes) -> Any:
        try:
            return decoder.decode(line)
        except msgspec.ValidationError as error:
            problem, _, path = str(error).partition(" - at `")
            if not path and (missing := re.search(r"required field `(\w+)`", problem)):
                path = missing[1]
            raise self._fail(path.rstrip("`").removeprefix("$").removeprefix("."), problem.replace("`", "")) from None
        except RecursionError:
            raise self._fail("", "not JSON that can be read: it is nested too deeply") from None
        except msgspec.DecodeError as error:
            cut_off = not line.endswith(b"\n") and "truncated" in str(error)
            raise self._fail("", "the last line is cut off" if cut_off else f"not JSON: {error}") from None

    def _read_header(self) -> Header:
        line = self._next_line()
        if not line.strip():
            raise self._fail("", "the file is empty" if not line else "the first line must be the header")
        try:
            header: Header = self._decode(_header_decoder, line)
        except LogError as error:
            raise self._fail(error.field, f"{error.problem} (the first line must be the header)") from None
        if header.log != FORMAT:
            raise self._fail("log", f"this version reads {FORMAT}, not {header.log!r}")
        return header

    def __iter__(self) -> Iterator[AnyEvent]:
        # The one loop that every event passes through: what can be looked up once is.
        last_t = 0.0
        readline, decode, checks = self._stream.readline, _event_decoder.decode, _CHECKS
        while line := readline(MAX_LINE_BYTES + 2):
            self.line += 1
            if len(line) > MAX_LINE_BYTES or not line.isascii():
                self._check_text(line)
            try:
                event = decode(line)
            except (msgspec.DecodeError, RecursionError):
                if not line.strip():
                    self._only_blank_lines_remain()
                    return
                event = self._decode(_event_decoder, line)  # once more, for the words of the complaint
            if event.t < last_t:
                raise self._fail("t", f"{event.t} is before the line above ({last_t})")
            last_t = event.t
            check = checks.get(type(event))
            if check is not None:
                check(self, event)
            self.raw = line
            yield event

    def _only_blank_lines_remain(self) -> None:
        empty = self.line
        while line := self._next_line():
            if line.strip():
                self.line = empty
                raise self._fail("", "the line is empty")

    # What the types alone do not say: amounts in cents, names of places, cards and tiles.

    def _check_place(self, event: Any) -> None:
        at = event.at
        if at is not None and at not in self._places:
            if not _PLACE.fullmatch(at):
                raise self._fail("at", f"{at!r} is not a place")
            self._places.add(at)

    def _check_chips(self, event: Chips) -> None:
        if event.at not in self._places:
            self._check_place(event)
        if not whole_cents(event.amount):
            raise self._fail("amount", f"{event.amount} has more than two decimals")

    def _check_card(self, event: Card) -> None:
        if event.at not in self._places:
            self._check_place(event)
        if event.card not in _CARD_TEXTS:
            raise self._fail("card", f"{event.card!r} is not a card")

    def _check_tile(self, event: Tile) -> None:
        self._check_place(event)
        self._check_tiles([event.tile], "tile")

    def _check_turn(self, event: Turn) -> None:
        self._check_place(event)
        if (event.card is None) == (event.tile is None):
            raise self._fail("card", "a turn names either a card or a tile")
        if event.card is not None and event.card not in _CARD_TEXTS:
            raise self._fail("card", f"{event.card!r} is not a card")
        if event.tile is not None:
            self._check_tiles([event.tile], "tile")

    def _check_gone(self, event: Gone) -> None:
        self._check_place(event)
        for text in event.cards or ():
            if text not in _CARD_TEXTS and text not in _TILE_TEXTS:
                raise self._fail("cards", f"{text!r} is not a card or a tile")
        if event.to is not None and not _PLACE.fullmatch(event.to):
            raise self._fail("to", f"{event.to!r} is not a place")

    def _check_set(self, event: Set) -> None:
        self._check_place(event)
        for field, tiles in (("low", event.low), ("high", event.high)):
            if len(tiles) != 2:
                raise self._fail(field, f"a part has two tiles, not {len(tiles)}")
            self._check_tiles(tiles, field)

    def _check_tiles(self, tiles: list[str], field: str) -> None:
        for text in tiles:
            if text not in _TILE_TEXTS:
                raise self._fail(field, f"{text!r} is not a tile")


_CHECKS: dict[type, Callable[[LogReader, Any], None]] = {
    Chips: LogReader._check_chips,
    Card: LogReader._check_card,
    Tile: LogReader._check_tile,
    Turn: LogReader._check_turn,
    Gone: LogReader._check_gone,
    Set: LogReader._check_set,
    **dict.fromkeys((Button, Marker, Shuffle, Cut, CuttingCard, Call, Hand), LogReader._check_place),
}


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
