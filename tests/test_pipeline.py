"""From footage to a log: the same log however often the work is broken off, and a line about all that was lost."""

import errno
import os
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import click
import cv2
import numpy as np
import pytest

from auditor import pipeline
from auditor.log import FairdealError
from auditor.pipeline import Job, prepared, write_log
from paper_table import DEALER, PLAYER_3, TABLE, Film, FilmReader
from vision import small_table
from vision.frames import Frame, Image, Recording
from vision.memory import from_bytes, to_bytes
from vision.table_file import read_table
from vision.watcher import Memory, TableWatcher


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Film]:
    """Two cards and two changes of a wager, in nine seconds."""
    film = Film()
    film.reach(PLAYER_3, film.zone("box3/main").at)
    film.paper.chips["box3/main"] = ("red", "red")
    film.withdraw()
    for label, box, right in (("As", "box3", -20), ("Kd", "dealer", -60)):
        film.reach(DEALER, film.zone(box).at)
        film.paper.lay(film.zone(box), label, right)
        film.withdraw()
    film.reach(DEALER, film.zone("box3/main").at)
    film.paper.chips["box3/main"] = ("red",) * 5
    film.withdraw()
    path = tmp_path_factory.mktemp("film") / "footage.mp4"
    film.save(path)
    return path, film


@pytest.fixture
def job(film: tuple[Path, Film], monkeypatch: pytest.MonkeyPatch) -> Job:
    monkeypatch.setattr(pipeline, "Eyes", lambda view, table: FilmReader(film[1].states))
    monkeypatch.setattr(pipeline, "CHECKPOINT_EVERY_S", 0.5)
    return prepared(read_table(TABLE, "t.toml"), [film[0]])


def test_footage_becomes_a_log(job: Job, tmp_path: Path) -> None:
    write_log(job, tmp_path / "log.jsonl")
    lines = (tmp_path / "log.jsonl").read_text().splitlines()
    events = [line for line in lines[1:] if '"e":"card"' in line or '"e":"chips"' in line]
    assert [line.split('"at":"')[1].split('"')[0] for line in events] == ["box3/main", "box3", "dealer", "box3/main"]
    assert all('"cam":"table"' in line and '"frame":' in line for line in events)
    assert not list(tmp_path.glob("log.jsonl.*"))


class KilledError(Exception):
    """The process is gone in the middle of anything."""


@pytest.mark.parametrize("moment", [4, 8])
def test_work_that_was_broken_off_goes_on_and_makes_the_same_log(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    write_log(job, tmp_path / "whole.jsonl")
    path = tmp_path / "log.jsonl"
    kept = pipeline.GrowingLog.keep
    count = 0

    def keep(self: pipeline.GrowingLog, t: float, memory: object) -> None:
        nonlocal count
        count += 1
        if count == moment:
            self._stream.write(b'{"half a li')
            self._stream.flush()
            raise KilledError
        kept(self, t, memory)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline.GrowingLog, "keep", keep)
    with pytest.raises(KilledError):
        write_log(job, path)
    assert not path.exists()
    monkeypatch.setattr(pipeline.GrowingLog, "keep", kept)
    begun: list[float] = []
    frames = Recording.frames

    def noted_frames(self: Recording, start_s: float = 0.0) -> Iterator[Frame]:
        begun.append(start_s)
        return frames(self, start_s)

    monkeypatch.setattr(Recording, "frames", noted_frames)
    write_log(job, path)
    assert begun[0] > 0.5  # it did not begin anew
    assert path.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_a_checkpoint_knows_of_the_arm_over_the_table() -> None:
    """A picture that freezes with an arm in it is lost sooner than a quiet one, also right after a checkpoint."""
    film, later = Film(), Film()
    film.still(0.4)
    film.reach(DEALER, film.zone("box3").at)
    known = from_bytes(to_bytes(film.watcher.memory()), Memory)
    assert known is not None
    assert not later.watcher.gate.is_reached
    later.watcher.recall(known)
    assert later.watcher.gate.is_reached


def test_another_table_file_begins_anew(job: Job, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write_log(job, path)
    (tmp_path / "log.jsonl.state").write_bytes(b"not a checkpoint")
    whole = path.read_bytes()
    write_log(job, path)
    assert path.read_bytes() == whole


def test_a_file_that_ends_in_the_middle_of_a_frame_is_read_as_far_as_it_goes(
    film: tuple[Path, Film], job: Job, tmp_path: Path
) -> None:
    import av

    cut = tmp_path / "footage.ts"  # a stream, as recorders write: no table of contents at its end
    with av.open(film[0]) as source, av.open(cut, "w") as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                target.mux(packet)
    content = cut.read_bytes()
    cut.write_bytes(content[: len(content) * 6 // 10])
    write_log(prepared(job.table, [cut]), tmp_path / "log.jsonl")
    text = (tmp_path / "log.jsonl").read_text()
    assert '"card":"As"' in text
    assert '"amount":25' not in text


def test_packets_that_are_damaged_are_passed_over_and_told(
    film: tuple[Path, Film], job: Job, tmp_path: Path
) -> None:
    damaged = tmp_path / "footage.mp4"
    content = bytearray(film[0].read_bytes())
    for place in range(len(content) // 2, len(content) // 2 + 3000, 40):
        content[place] ^= 0xFF
    damaged.write_bytes(content)
    faults = write_log(prepared(job.table, [damaged]), tmp_path / "log.jsonl")
    assert any("packets were lost" in fault for fault in faults)
    assert '"card":"As"' in (tmp_path / "log.jsonl").read_text()


def test_a_clock_that_jumps_ahead_is_a_gap_in_the_view(film: tuple[Path, Film], job: Job, tmp_path: Path) -> None:
    import av

    jumped = tmp_path / "footage.mkv"
    with av.open(film[0]) as source, av.open(jumped, "w") as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is None or packet.pts is None or packet.time_base is None:
                continue
            if packet.pts * packet.time_base > 5:
                packet.pts, packet.dts = (at + int(60 / packet.time_base) for at in (packet.pts, packet.dts))
            packet.stream = stream
            target.mux(packet)
    write_log(prepared(job.table, [jumped]), tmp_path / "log.jsonl")
    states = [line for line in (tmp_path / "log.jsonl").read_text().splitlines() if '"e":"feed"' in line]
    assert [line.split('"state":"')[1].split('"')[0] for line in states] == ["lost", "back"]


def test_a_full_disk_is_told_and_the_work_goes_on_when_there_is_room(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_log(job, tmp_path / "whole.jsonl")
    through, count = os.fsync, 0

    def fsync(handle: int) -> None:
        nonlocal count
        count += 1
        if count > 7:  # in the middle of a checkpoint
            raise OSError(errno.ENOSPC, "No space left on device")
        through(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(FairdealError, match="No space left on device; what was done so far is kept"):
        write_log(job, tmp_path / "log.jsonl")
    assert (tmp_path / "log.jsonl.state").exists()
    assert not (tmp_path / "log.jsonl.state.draft").exists()
    monkeypatch.setattr(os, "fsync", through)
    write_log(job, tmp_path / "log.jsonl")
    assert (tmp_path / "log.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_two_files_are_one_recording(film: tuple[Path, Film], job: Job, tmp_path: Path) -> None:
    once = Recording([film[0]])
    twice = Recording([film[0], film[0]])
    times = [frame.t for frame in twice.frames()]
    assert times == sorted(times)
    assert len(times) == 2 * len([frame.t for frame in once.frames()])
    assert times[-1] == pytest.approx(2 * once.duration_s, abs=0.1)


def test_frames_decoded_ahead_are_the_same_and_nobody_decodes_on_for_one_who_left(film: tuple[Path, Film]) -> None:
    recording = Recording([film[0]])
    assert [frame.t for frame in recording.frames_ahead()] == [frame.t for frame in recording.frames()]
    left = recording.frames_ahead(1.0)
    assert next(left).t >= 1.0
    assert "ahead" in {thread.name for thread in threading.enumerate()}
    del left
    assert "ahead" not in {thread.name for thread in threading.enumerate()}


def test_what_the_decoding_thread_foresees_changes_nothing_but_who_does_the_work(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers, shrink = Counter[str](), small_table._shrink

    def counted(plane: Image, into: Image) -> None:
        makers[threading.current_thread().name] += 1
        shrink(plane, into)

    monkeypatch.setattr(small_table, "_shrink", counted)
    write_log(job, tmp_path / "log.jsonl")
    assert makers.pop("ahead") > 0
    monkeypatch.setattr(TableWatcher, "foresee", lambda watcher, frame: None)
    by_main = makers.total()
    write_log(job, tmp_path / "unforeseen.jsonl")
    assert "ahead" not in makers
    assert makers.total() - by_main > by_main
    assert (tmp_path / "unforeseen.jsonl").read_bytes() == (tmp_path / "log.jsonl").read_bytes()


def test_what_goes_wrong_while_decoding_ahead_is_raised_when_its_turn_comes(
    film: tuple[Path, Film], tmp_path: Path
) -> None:
    copy = tmp_path / "footage.mp4"
    copy.write_bytes(film[0].read_bytes())
    recording = Recording([film[0], copy])
    copy.unlink()
    frames = recording.frames_ahead()
    for before in Recording([film[0]]).frames():
        assert next(frames).t == before.t
    with pytest.raises(FairdealError, match="no such file"):
        next(frames)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("footage.mp4", b"not a video", "cannot be read as video"), ("footage.mp4", b"", "cannot be read as video"),
        ("footage.mp4", None, "no such file"), ("still.jpg", b"not a picture", "there is no video in it"),
    ],
)  # fmt: skip
def test_no_footage_is_refused(job: Job, tmp_path: Path, name: str, content: bytes | None, problem: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FairdealError, match=problem):
        write_log(prepared(job.table, [path]), tmp_path / "log.jsonl")
    assert not list(tmp_path.glob("log.jsonl*"))


def test_a_picture_and_a_folder_are_no_recording(job: Job, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "still.png"), np.zeros((480, 640, 3), np.uint8))
    with pytest.raises(FairdealError, match="a picture is no recording"):
        write_log(prepared(job.table, [tmp_path / "still.png"]), tmp_path / "log.jsonl")
    with pytest.raises(FairdealError, match="is a directory"):
        prepared(job.table, [tmp_path])


@pytest.mark.parametrize(
    ("start_s", "end_s", "problem"),
    [(900.0, float("inf"), r"the recording ends at \d"), (5.0, 2.0, "nothing lies between 5 s .* and 2 s")],
)
def test_times_that_the_recording_does_not_have_are_refused(
    job: Job, tmp_path: Path, start_s: float, end_s: float, problem: str
) -> None:
    with pytest.raises(FairdealError, match=problem):
        write_log(prepared(job.table, job.files, start_s, end_s), tmp_path / "log.jsonl")
    assert not list(tmp_path.iterdir())


def test_a_log_that_cannot_be_written_is_told_before_the_work(job: Job, tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere" / "log.jsonl", tmp_path):
        with pytest.raises(FairdealError, match=r"No such file|is a directory"):
            write_log(job, path, watcher_for=lambda job, recording: cast(TableWatcher, None))
    assert not list(tmp_path.iterdir())


def test_footage_that_was_cut_off_says_so(film: tuple[Path, Film], job: Job, tmp_path: Path) -> None:
    import av

    whole, cut = tmp_path / "whole.mp4", tmp_path / "cut.mp4"
    with av.open(film[0]) as source, av.open(whole, "w", options={"movflags": "faststart"}) as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                target.mux(packet)
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    assert write_log(prepared(job.table, [whole]), tmp_path / "log.jsonl") == []
    faults = write_log(prepared(job.table, [cut]), tmp_path / "log.jsonl")
    assert any("breaks off at" in fault for fault in faults)


def test_progress_is_told_with_every_picture(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "CHECKPOINT_EVERY_S", 1e9)
    told: list[float] = []
    write_log(job, tmp_path / "log.jsonl", lambda done, total: told.append(done / total))
    assert len(told) == len(list(Recording(job.files).frames()))
    assert told == sorted(told)
    assert told[-1] > 0.95


def test_an_audit_is_known_by_its_footage_and_spares_no_work_for_a_room_that_cannot_be(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from auditor.cli import cli

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "t.toml").write_bytes(TABLE)
    command = ["audit", str(job.files[0]), "--table", str(tmp_path / "t.toml")]
    cli.main(command, standalone_mode=False)
    first, *_ = capsys.readouterr().out.splitlines()
    assert first.endswith(f"· {job.files[0]}")
    monkeypatch.setattr(pipeline, "write_log", lambda *_: pytest.fail("the room was not looked at first"))
    with pytest.raises(FairdealError, match="cannot be made in"):
        cli.main([*command, "--store", str(tmp_path / "nowhere" / "room.db")], standalone_mode=False)


def test_ctrl_c_says_that_the_work_can_go_on(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from auditor.cli import cli

    def broken_off(*_: object) -> list[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "write_log", broken_off)
    (tmp_path / "t.toml").write_bytes(TABLE)
    command = ["audit", str(job.files[0]), "--table", str(tmp_path / "t.toml"), "--log", str(tmp_path / "log.jsonl")]
    with pytest.raises(click.Abort):
        cli.main(command, standalone_mode=False)
    assert "broken off: started again, it goes on" in capsys.readouterr().err
