"""The table log: what is read, what is refused, and how the refusal is worded."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor import log
from auditor.log import Header, LogError, LogWriter, cents, log_bytes, money
from auditor.log_reader import LogReader

HEADER = b'{"log":"fairdeal/1","table":"T","rulebook":"act-blackjack","started":"2026-11-15T20:00:00+11:00"}\n'


def read(body: bytes, header: bytes = HEADER) -> list[log.AnyEvent]:
    return list(LogReader(io.BytesIO(header + body), "night.jsonl"))


REFUSED = [
    (b'{"t":1,"e":"chips","at":"box1/main","amount":-1}', "night.jsonl:2: amount: Expected float >= 0.0"),
    (b'{"t":1,"e":"chips","at":"box1/main","amount":NaN}', "night.jsonl:2: not JSON"),
    (b'{"t":1,"e":"chips","at":"box1/main","amount":1e999}', "night.jsonl:2: amount: Number out of range"),
    (b'{"t":1,"e":"chips","at":"box1/main","amount":1.234}', "night.jsonl:2: amount: 1.234 has more than two decimals"),
    (b'{"t":1,"e":"chips","at":"box1/main","amount":1e308}', "night.jsonl:2: amount: Expected float <= 1000000"),
    (b'{"t":1,"e":"shuffle","x":' + b"[" * 5000, "night.jsonl:2: not JSON that can be read: it is nested too deeply"),
    (b'{"t":1,"e":"chips","at":"box1/main"}', "night.jsonl:2: amount: Object missing required field amount"),
    (b'{"t":1,"e":"chips","at":"box1/main","amount":"ten"}', "night.jsonl:2: amount: Expected float, got str"),
    (b'{"t":1,"e":"chips","at":"Box 1","amount":1}', "night.jsonl:2: at: 'Box 1' is not a place"),
    (b'{"t":1,"e":"chips","at":"box/main","amount":1}', "night.jsonl:2: at: 'box/main' is not a place"),
    (b'{"t":1,"e":"card","at":"box0","card":"As"}', "night.jsonl:2: at: 'box0' is not a place"),
    (b'{"t":1,"e":"card","at":"box1","card":"1s"}', "night.jsonl:2: card: '1s' is not a card"),
    (b'{"t":1,"e":"tile","at":"box1","tile":"As"}', "night.jsonl:2: tile: 'As' is not a tile"),
    (b'{"t":1,"e":"tile","at":"box1","tile":"teen"}', "night.jsonl:2: tile: act-blackjack is played with cards"),
    (b'{"t":1,"e":"turn","at":"box1","tile":"day"}', "night.jsonl:2: tile: act-blackjack is played with cards"),
    (b'{"t":1,"e":"turn","at":"box1"}', "night.jsonl:2: card: a turn names either a card or a tile"),
    (b'{"t":1,"e":"gone","at":"box1","cards":["Xx"]}', "night.jsonl:2: cards: 'Xx' is not a card or a tile"),
    (b'{"t":1,"e":"set","at":"box1","low":["teen"],"high":["day","day"]}', "night.jsonl:2: low: a part has two tiles"),
    (b'{"t":1,"e":"dice","faces":[1,2,7]}', "night.jsonl:2: faces[2]: Expected int <= 6"),
    (b'{"t":1,"e":"ball","event":"rest","pocket":37}', "night.jsonl:2: pocket: Expected int <= 36"),
    (b'{"t":1,"e":"feed","state":"gone"}', "night.jsonl:2: state: Invalid enum value 'gone'"),
    (b'{"t":1,"e":"thunder"}', "night.jsonl:2: e: Invalid value 'thunder'"),
    (b'{"t":-1,"e":"shuffle"}', "night.jsonl:2: t: Expected float >= 0.0"),
    (b'{"t":1,"conf":2,"e":"shuffle"}', "night.jsonl:2: conf: Expected float <= 1.0"),
    (b'{"t":2,"e":"shuffle"}\n{"t":1,"e":"cut"}', "night.jsonl:3: t: 1.0 is before the line above (2.0)"),
    (b'{"t":1,"e":"shu', "night.jsonl:2: the last line is cut off"),
    (b'{"t":1,"e":"shuffle"}\n\n{"t":2,"e":"cut"}', "night.jsonl:3: the line is empty"),
    (b'{"t":1,"e":"dealer","who":"\xff"}', "night.jsonl:2: not UTF-8 (byte 28 of the line)"),
    (b"[1]", "night.jsonl:2: Expected object, got array"),
]


def test_whole_numbers_may_be_written_with_a_decimal_point() -> None:
    written = b"""{"t":1,"e":"dice","faces":[1.0,2,null]}
{"t":2.0,"e":"ball","event":"rest","pocket":17.0,"laps":8.0}
{"t":3,"e":"dolly","at":17.0}
{"t":4,"e":"gone","at":"box1","n":2.0}
"""
    whole = written.replace(b".0", b"")
    assert read(written) == read(whole)
    with pytest.raises(LogError, match="pocket: Expected int"):
        read(b'{"t":1,"e":"ball","event":"rest","pocket":17.5}')


@pytest.mark.parametrize(("line", "message"), REFUSED)
def test_a_bad_line_is_refused_by_file_line_and_field(line: bytes, message: str) -> None:
    with pytest.raises(LogError) as refusal:
        read(line)
    assert str(refusal.value).startswith(message)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"", "night.jsonl:1: the file is empty"),
        (b"\n", "night.jsonl:1: the first line must be the header"),
        (b"\xef\xbb\xbf" + HEADER, "night.jsonl:1: the file begins with a byte order mark"),
        (b'{"t":1,"e":"shuffle"}\n', "night.jsonl:1: log: Object missing required field log"),
        (HEADER.replace(b"fairdeal/1", b"fairdeal/9"), "night.jsonl:1: log: this version reads fairdeal/1"),
        (HEADER.replace(b"2026-11-15T20:00:00+11:00", b"yesterday"), "night.jsonl:1: started: Invalid RFC3339"),
    ],
)
def test_a_bad_header_is_refused(header: bytes, message: str) -> None:
    with pytest.raises(LogError) as refusal:
        read(b"", header)
    assert str(refusal.value).startswith(message)


def test_a_line_of_100_megabytes_is_refused_without_being_read() -> None:
    class Endless(io.RawIOBase):
        given = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer) -> int:  # type: ignore[no-untyped-def]
            self.given += len(buffer)
            buffer[:] = b"x" * len(buffer)
            return len(buffer)

    endless = Endless()
    with pytest.raises(LogError, match="longer than 1 MiB"):
        LogReader(io.BufferedReader(endless), "night.jsonl")
    assert endless.given < 3 << 20


def test_a_line_of_exactly_one_mebibyte_is_read() -> None:
    line = b'{"t":1,"e":"shuffle","note":"' + b"x" * ((1 << 20) - 31) + b'"}'
    assert len(line) == 1 << 20
    assert len(read(line + b"\n")) == 1


def test_unknown_fields_are_kept_in_the_raw_line() -> None:
    reader = LogReader(io.BytesIO(HEADER + b'{"t":1,"e":"shuffle","mood":"calm"}\n'), "night.jsonl")
    assert [type(event) for event in reader] == [log.Shuffle]
    assert b'"mood":"calm"' in reader.raw


def test_blank_lines_at_the_end_are_no_fault() -> None:
    assert len(read(b'{"t":1,"e":"shuffle"}\n\n  \n')) == 1


def test_equal_times_keep_the_order_of_the_file() -> None:
    events = read(b'{"t":1,"e":"shuffle"}\n{"t":1,"e":"cut"}\n')
    assert [type(event) for event in events] == [log.Shuffle, log.Cut]


def test_the_writer_refuses_to_go_back_in_time() -> None:
    writer = LogWriter(io.BytesIO(), LogReader(io.BytesIO(HEADER), "").header)
    writer.write(log.Shuffle(t=2))
    with pytest.raises(ValueError, match="cannot follow"):
        writer.write(log.Cut(t=1))


def test_what_is_written_is_read_back() -> None:
    header: Header = LogReader(io.BytesIO(HEADER), "").header
    events: list[log.AnyEvent] = [
        log.Chips(t=1, at="box1/main", amount=12.5, by="player", colour="blue"),
        log.Card(t=2, at="box1", card="??", up=True, conf=0.5, cam="c1", frame=7, region=[(1, 2), (3, 4)]),
        log.Hand(t=3, at="box1", inside=True, by="player"),
        log.Dice(t=4, faces=[1, None, 6]),
        log.Dolly(t=5, at=None),
    ]
    written = log_bytes(header, events)
    assert list(LogReader(io.BytesIO(written), "")) == events
    assert b'"in":true' in written


@given(st.integers(0, 10**9))
def test_money_survives_the_way_through_the_log(amount_cents: int) -> None:
    assert cents(money(amount_cents)) == amount_cents
