"""The parts of a live site, each alone: what is dropped, what is noticed, what survives a disk that refuses."""

import datetime
import errno
import os
import socket
import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from drawn_wheel import Act, DrawnWheel
from drawn_wheel import Camera as DrawnCamera
from live_site import paid_short
from paper_table import TABLE, FilmReader

from auditor.alerts import Alert, Email, Outbox
from auditor.live_log import LiveLog, Merge, Tail
from auditor.log import FORMAT, Dealer, Header, Shuffle
from auditor.log_reader import LogReader
from vision.frames import Footage, Frame, Image
from vision.live_backlog import Backlog
from vision.live_eyes import HOLD_S, TableEye, WheelEye
from vision.live_sight import Sight
from vision.live_source import Arrival, Interruption
from vision.table_file import Camera, read_table

HEADER = Header(log=FORMAT, table="T", rulebook="act-blackjack", started=datetime.datetime(2026, 11, 16))


def arrival(number: int, *, fps: int = 10, key_every: int = 20) -> Arrival:
    stretch: Any = None  # what came when is all that counts here
    packet: Any = None
    return Arrival(
        packet=packet, data=b"x" * 100, pts=number, dts=number, is_key=number % key_every == 0, t=number / fps,
        offset_s=0.0, stretch=stretch,
    )  # fmt: skip


def test_a_backlog_that_is_too_long_lets_go_up_to_a_keyframe_and_counts_it() -> None:
    backlog = Backlog(longest_s=30.0)
    backlog.put(Interruption(why="a test", pause_s=1))
    for number in range(320):
        backlog.put(arrival(number))
    backlog.end()
    kept = []
    while not backlog.is_done:
        item = backlog.get(0)
        assert isinstance(item, Arrival)
        kept.append(item.pts)
    assert kept == list(range(kept[0], 320))
    assert kept[0] % 20 == 0
    assert backlog.lost == kept[0] >= 100  # one long gap, not many


def frame(image: Image, t: float) -> Frame:
    decoded = av.VideoFrame.from_ndarray(image, format="gray")
    decoded.pts, decoded.time_base = round(1000 * t), Fraction(1, 1000)
    return Frame(index=round(25 * t), t=t, decoded=decoded)


def watched(pictures: list[Image], fps: float = 5.0) -> list[str | None]:
    sight = Sight()
    return [sight.look(frame(picture, number / fps)) for number, picture in enumerate(pictures)]


@pytest.fixture
def noisy() -> list[Image]:
    random = np.random.default_rng(1)
    return [(90 + random.integers(-2, 3, (180, 320))).astype(np.uint8) for _ in range(40)]


def test_a_black_camera_and_a_running_one(noisy: list[Image]) -> None:
    assert set(watched(noisy)) == {None}
    black = watched(noisy[:5] + [np.full_like(noisy[0], 3)] * 10)
    assert black.index("black") - 5 <= 5 * 2  # two seconds
    assert black[-1] == "black"


def test_a_frozen_camera_is_noticed_within_five_seconds(monkeypatch: pytest.MonkeyPatch, noisy: list[Image]) -> None:
    monkeypatch.setattr("vision.live_sight._is_key", lambda frame: True)
    frozen = watched([*noisy[:5], *[noisy[5]] * 30, *noisy[6:10]])
    assert frozen[:5] == [None] * 5
    assert frozen.index("frozen") - 5 <= 5 * 5
    assert frozen[-1] is None


def test_what_stirs_is_new_and_noise_is_not(noisy: list[Image]) -> None:
    sight = Sight()
    sight.look(frame(noisy[0], 0.0))
    sight.taken_in()
    sight.look(frame(noisy[1], 0.2))
    assert not sight.is_new
    moved = noisy[2].copy()
    moved[40:60, 40:60] += 60
    sight.look(frame(moved, 0.4))
    assert sight.is_new


def test_a_full_disk_delays_the_log_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = LiveLog(tmp_path / "log.jsonl", HEADER)
    log.append([Shuffle(t=1.0)])
    real = os.pwrite

    def full(file: int, content: bytes, at: int) -> int:
        real(file, content[:10], at)  # some of it, and then no more
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    log.append([Shuffle(t=2.0)])
    log.append([Shuffle(t=3.0)])
    assert "No space left on device; 2 lines wait" in log.trouble
    assert (tmp_path / "log.jsonl").stat().st_size == log.size
    monkeypatch.setattr(os, "pwrite", real)
    log.append([Shuffle(t=4.0)])
    assert (log.trouble, log.unwritten) == ("", 0)
    log.close()
    with (tmp_path / "log.jsonl").open("rb") as stream:
        assert [event.t for event in LogReader(stream, "log")] == [1.0, 2.0, 3.0, 4.0]


def test_a_log_is_followed_as_it_grows(tmp_path: Path) -> None:
    log = LiveLog(tmp_path / "log.jsonl", HEADER)
    read: list[float] = []

    def follow() -> None:
        tail = Tail(log)
        read.extend(event.t for event in LogReader(tail, "log"))  # type: ignore[arg-type]
        tail.close()

    reader = threading.Thread(target=follow)
    reader.start()
    for t in (1.0, 2.0, 3.0):
        log.append([Dealer(t=t, who="Kim")])
    log.close()
    reader.join(10)
    assert read == [1.0, 2.0, 3.0]


def test_two_cameras_make_one_log_in_order_of_time() -> None:
    merge = Merge(["table", "wheel"])
    assert merge.add("table", [Shuffle(t=5.0), Shuffle(t=9.0)], 10.0) == []
    due = merge.add("wheel", [Shuffle(t=3.0), Shuffle(t=7.0)], 8.0)
    assert [event.t for event in due] == [3.0, 5.0, 7.0]
    late = merge.add("wheel", [Shuffle(t=4.0)], 20.0)
    assert [event.t for event in late] == [7.0, 9.0]


def test_an_alert_by_e_mail() -> None:
    """Against the few words of SMTP that are needed."""
    server = socket.create_server(("127.0.0.1", 0))
    received: list[str] = []

    def talk() -> None:
        connection, _ = server.accept()
        with connection, connection.makefile("rw", newline="\r\n") as stream:
            answers = {"DATA": "354 go on", "QUIT": "221 bye"}
            stream.write("220 here\n")
            stream.flush()
            in_message = False
            for line in stream:
                received.append(line.strip())
                in_message = in_message and line.strip() != "."
                if not in_message:
                    stream.write(answers.get(line.strip().upper(), "250 yes") + "\n")
                    stream.flush()
                in_message = in_message or line.strip().upper() == "DATA"

    thread = threading.Thread(target=talk, daemon=True)
    thread.start()
    email = Email(server="127.0.0.1", port=server.getsockname()[1], sender="fairdeal@casino", to=["room@casino"])
    email.send(Alert(what="breach", table="BJ-04", kind="payout.short", round=3, message="Ten is due, five was paid."))
    thread.join(5)
    server.close()
    assert "Subject: BJ-04: payout.short in round 3" in received
    assert "Ten is due, five was paid." in received


class Dead:
    """A channel that never answers."""

    name = "dead"

    def send(self, alert: Alert) -> None:
        raise OSError("nobody there")


def test_an_alert_that_cannot_be_delivered_is_said() -> None:
    lines: list[str] = []
    outbox = Outbox(Dead(), lines.append)
    outbox.put(Alert(what="feed", table="BJ-04", camera="table", state="lost", message="gone"))
    outbox.close(5)
    assert outbox.failed == 1
    assert lines == ["dead: «BJ-04: camera table lost» was not delivered (nobody there)"]


def test_a_wheel_never_tells_of_what_lies_before_its_horizon() -> None:
    """The table's events wait for the wheel's horizon: an event behind it would come too late for the log."""
    eye = WheelEye(Camera(name="wheel", watches="wheel"))
    horizons: list[float] = []

    def frames() -> Iterator[Frame]:
        for number, (t, image) in enumerate(DrawnWheel(Act(seconds=11, laps=4.3), DrawnCamera((400, 300))).frames(20)):
            decoded = av.VideoFrame.from_ndarray(image, format="bgr24").reformat(format="yuv420p")
            yield Frame(index=number, t=t, decoded=decoded)
            horizons.append(eye.horizon(t))

    told = [(event, max(horizons)) for events in eye.watch(frames()) for event in events]
    assert [type(event).__name__ for event, _ in told] == ["Spin", "Ball", "Ball"]
    assert all(event.t >= horizon for event, horizon in told)
    assert all(event.cam == "wheel" for event, _ in told)
    assert eye.horizon(11.0) == 10.0  # the spin is over


def test_an_event_that_waited_long_enough_is_told_before_the_next_picture_is_read() -> None:
    path, film = paid_short()
    table = read_table(TABLE, "t.toml")
    camera = table.camera("table")
    assert camera is not None
    eye = TableEye(table, camera, lambda view, table: FilmReader(film.states))
    came: list[float] = []

    def frames(footage: Footage) -> Iterator[Frame]:
        for frame in footage.frames():
            came.append(frame.t)
            yield frame

    with Footage(path) as footage:
        eye.fps = footage.fps
        waits = [came[-1] - event.t for events in eye.watch(frames(footage)) for event in events if came]
        is_early = [wait < HOLD_S for wait in waits]
        assert is_early == sorted(is_early)  # only what still waits when the film ends is told sooner
        assert max(waits) < HOLD_S + 1.5 / footage.fps
