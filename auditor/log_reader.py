"""Reads a table log. It streams, so a log of any length takes the memory of one line.

Every fault is a :class:`LogError` that names the file, the line and the field.

>>> import io
>>> lines = [b'{"log":"fairdeal/1","table":"BJ-04","rulebook":"act-blackjack","started":"2026-11-15T20:00:00+11:00"}',
...          b'{"t":3.2,"e":"chips","at":"box1/main","amount":10,"by":"player"}']
>>> reader = LogReader(io.BytesIO(b"\\n".join(lines)), "evening.jsonl")
>>> reader.header.rulebook, [event.at for event in reader]
('act-blackjack', ['box1/main'])
"""

import codecs
import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO

import msgspec

from auditor.log import (
    FORMAT, TILES, AnyEvent, Button, Call, Card, Chips, Cut, CuttingCard, Gone, Hand, Header, LogError, Marker, Set,
    Shuffle, Tile, Turn, whole_cents, whole_numbers,
)  # fmt: skip

MAX_LINE_BYTES = 1 << 20
WITH_TILES = frozenset({"act-paigow"})
"""The rulebooks of games that are played with tiles."""
_CARD_TEXTS = frozenset({"Jkr", *(rank + suit for rank in "23456789TJQKA?" for suit in "cdhs?")})
_TILE_TEXTS = frozenset({"??", *TILES})
# Boxes are numbered from 1; other places may be added.
_PLACE = re.compile(r"(?!box(?![1-9]))[a-z]+[0-9]*(#[0-9]+)?(/[a-z0-9]+(-[a-z0-9]+)*)?", re.ASCII)
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
            with contextlib.suppress(msgspec.MsgspecError, RecursionError):
                return decoder.decode(msgspec.json.encode(whole_numbers(msgspec.json.decode(line))))
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
        if line.startswith(codecs.BOM_UTF8):
            raise self._fail("", "the file begins with a byte order mark: save it as UTF-8 without one")
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
        self._check_cards([event.card], "card")
        self._check_cards(event.maybe or (), "maybe")

    def _check_tile(self, event: Tile) -> None:
        self._check_place(event)
        self._check_tiles([event.tile], "tile")

    def _check_turn(self, event: Turn) -> None:
        self._check_place(event)
        if (event.card is None) == (event.tile is None):
            raise self._fail("card", "a turn names either a card or a tile")
        if event.card is not None:
            self._check_cards([event.card], "card")
        self._check_cards(event.maybe or (), "maybe")
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

    def _check_cards(self, cards: Sequence[str], field: str) -> None:
        for text in cards:
            if text not in _CARD_TEXTS:
                raise self._fail(field, f"{text!r} is not a card")

    def _check_tiles(self, tiles: list[str], field: str) -> None:
        for text in tiles:
            if text not in _TILE_TEXTS:
                raise self._fail(field, f"{text!r} is not a tile")
            if text != "??" and self.header.rulebook not in WITH_TILES:
                raise self._fail(field, f"{self.header.rulebook} is played with cards, not with tiles")


_CHECKS: dict[type, Callable[[LogReader, Any], None]] = {
    Chips: LogReader._check_chips,
    Card: LogReader._check_card,
    Tile: LogReader._check_tile,
    Turn: LogReader._check_turn,
    Gone: LogReader._check_gone,
    Set: LogReader._check_set,
    **dict.fromkeys((Button, Marker, Shuffle, Cut, CuttingCard, Call, Hand), LogReader._check_place),
}
