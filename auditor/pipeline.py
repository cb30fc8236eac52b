"""Footage in, table log out: where the halves join. A log half written is taken up again where it stopped.

Beside the log that is being made stand `LOG.part`, what is certain so far, and `LOG.state`, all that the watcher knows
at one frame. Both are written through to the disk before either counts, so a process that is killed loses the work
since the last checkpoint and nothing else: started again, it goes on from there and makes the same log.
"""

import contextlib
import datetime
import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import cv2
import msgspec

from auditor.house import house_faults
from auditor.log import FORMAT, AnyEvent, FairdealError, Header
from auditor.rulebooks import RULEBOOKS
from vision.frames import Recording
from vision.memory import from_bytes, to_bytes
from vision.reading import Eyes
from vision.see import is_picture
from vision.table_file import Camera, TableFile
from vision.watcher import Memory, TableWatcher

CHECKPOINT_EVERY_S = 20.0  # of footage
EPOCH = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
Progress = Callable[[float, float], None]
"""Told how many seconds of how many are done."""
_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Footage to be turned into a log: the table's files, the wheel's where there is one, and from when to when."""

    table: TableFile
    files: tuple[Path, ...]
    wheel_files: tuple[Path, ...] = ()
    start_s: float = 0.0
    end_s: float = float("inf")

    def header(self) -> Header:
        """The log's first line."""
        return Header(
            log=FORMAT, table=self.table.table, rulebook=self.table.rulebook, started=self.table.started or EPOCH,
            house=self.table.house_as_seen,
        )  # fmt: skip

    def fingerprint(self) -> str:
        """Changes when another answer must be expected: other footage, another table file."""
        known = hashlib.sha256(_encode(self.table) + repr((self.start_s, self.end_s)).encode())
        for path in (*self.files, *self.wheel_files):
            stat = path.stat()
            known.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}".encode())
        return known.hexdigest()


def ready_camera(table: TableFile) -> Camera:
    """The camera that watches the table, if rulebook, options and the camera itself are such that work can begin."""
    game = RULEBOOKS.get(table.rulebook)
    if game is None:
        raise FairdealError(f"rulebook {table.rulebook!r} is not known (known: {', '.join(RULEBOOKS)})")
    faults = house_faults(table.house, game.house_type)
    if faults:
        raise FairdealError("\n".join(f"table {table.table}: {fault}" for fault in faults))
    camera = _table_camera(table)
    if len(camera.points) < 4:
        raise FairdealError(f"camera {camera.name!r} is not calibrated: `fairdeal calibrate` finds its points")
    return camera


def prepared(table: TableFile, files: Sequence[Path], start_s: float = 0.0, end_s: float = float("inf")) -> Job:
    """A job whose input has been looked over: rulebook, options, cameras and files are such that work can begin."""
    ready_camera(table)
    missing = [path for path in files if not path.is_file()]
    if missing:
        raise FairdealError(f"{missing[0]}: {'is a directory' if missing[0].is_dir() else 'no such file'}")
    wheel = table.camera("wheel")
    beside = files[0].with_name(wheel.source) if wheel is not None and wheel.source else None
    wheel_files = (beside,) if beside is not None and beside.is_file() else ()
    return Job(table=table, files=tuple(files), wheel_files=wheel_files, start_s=start_s, end_s=end_s)


def _table_camera(table: TableFile) -> Camera:
    camera = table.camera("table")
    if camera is None:
        raise FairdealError(f"table {table.table}: its file names no camera that watches the table ([[camera]])")
    return camera


# ---- the log, through to the disk --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """All that is needed to go on: which job, up to which frame, how long the log was then, what the watcher knew."""

    fingerprint: str
    t: float
    log_bytes: int
    memory: Memory


class GrowingLog:
    """A log that is being written, and its last checkpoint."""

    def __init__(self, path: Path, job: Job) -> None:
        self._path, self._fingerprint = path, job.fingerprint()
        self._part, self._state = path.with_name(path.name + ".part"), path.with_name(path.name + ".state")
        self.checkpoint = self._last_checkpoint()
        if self.checkpoint is None:
            self._state.unlink(missing_ok=True)
        self._stream: BinaryIO = self._part.open("r+b" if self.checkpoint else "wb")
        if self.checkpoint:
            self._stream.truncate(self.checkpoint.log_bytes)
            self._stream.seek(self.checkpoint.log_bytes)
        else:
            self._stream.write(_encode(job.header()) + b"\n")

    def _last_checkpoint(self) -> Checkpoint | None:
        try:
            found = from_bytes(self._state.read_bytes(), Checkpoint)
        except OSError:
            return None
        if found is None or found.fingerprint != self._fingerprint:
            return None
        is_there = self._part.is_file() and self._part.stat().st_size >= found.log_bytes
        return found if is_there else None

    def write(self, events: Sequence[AnyEvent]) -> None:
        """Append events."""
        for event in events:
            self._stream.write(_encode(event) + b"\n")

    def keep(self, t: float, memory: Memory) -> None:
        """Make what was written so far, and how to go on from it, safe."""
        self._through(self._stream)
        checkpoint = Checkpoint(fingerprint=self._fingerprint, t=t, log_bytes=self._stream.tell(), memory=memory)
        draft = self._state.with_name(self._state.name + ".draft")
        try:
            with draft.open("wb") as stream:
                stream.write(to_bytes(checkpoint))
                self._through(stream)
        except OSError:
            draft.unlink(missing_ok=True)  # a full disk is not kept full by what did not fit on it
            raise
        draft.replace(self._state)

    def finish(self) -> None:
        """The log is whole: it gets its name."""
        self._through(self._stream)
        self._stream.close()
        self._part.replace(self._path)
        self._state.unlink(missing_ok=True)

    def close(self) -> None:
        """Stop in the middle; what was kept stays."""
        with contextlib.suppress(OSError):  # the disk may be full: what it does not hold by now is done again
            self._stream.close()

    @staticmethod
    def _through(stream: BinaryIO) -> None:
        stream.flush()
        os.fsync(stream.fileno())


# ---- the work ----------------------------------------------------------------------------------------------------


def watcher_of(job: Job, recording: Recording) -> TableWatcher:
    """The watcher of a job's table, with the eyes that ship."""
    camera = _table_camera(job.table)
    view = camera.view(recording.size)
    return TableWatcher(job.table, view, Eyes(view, job.table), cam=camera.name, fps=recording.fps)


def write_log(
    job: Job, path: Path, on_progress: Progress = lambda done, total: None,
    watcher_for: Callable[[Job, Recording], TableWatcher] = watcher_of,
) -> list[str]:  # fmt: skip
    """Turn footage into a table log at `path`; returns what was wrong with the footage, one line each."""
    cv2.setNumThreads(1)  # the decoder has the other cores: threads that wait for small work are only in its way
    recording = _recording(job)
    watcher = watcher_for(job, recording)
    log = _begun(path, job)
    try:
        faults = _watch(job, recording, watcher, log, on_progress)
        log.finish()
    except OSError as error:
        raise FairdealError(f"{path}: {error.strerror}; what was done so far is kept, start again to go on") from None
    finally:
        log.close()
    return faults


def _recording(job: Job) -> Recording:
    """The footage, if it is footage and shows something of the time that is asked for."""
    recording = Recording(job.files)
    stills = [path for path in job.files if is_picture(path)]
    if stills:
        raise FairdealError(f"{stills[0]}: a picture is no recording; `fairdeal see` reads pictures")
    if job.end_s <= job.start_s:
        raise FairdealError(f"nothing lies between {job.start_s:g} s (--from) and {job.end_s:g} s (--to)")
    if recording.is_length_known and job.start_s >= recording.duration_s:
        ends = f"the recording ends at {recording.duration_s:.1f} s"
        raise FairdealError(f"{job.files[-1]}: {ends}, nothing lies after {job.start_s:g} s (--from)")
    return recording


def _begun(path: Path, job: Job) -> GrowingLog:
    """The log to be written, if it can be."""
    if path.is_dir():
        raise FairdealError(f"{path}: is a directory")
    try:
        return GrowingLog(path, job)
    except OSError as error:
        raise FairdealError(f"{path}: {error.strerror}") from None


def _wheel_events(job: Job) -> list[AnyEvent]:
    """What happened on the wheel, all of it: the events wait until the table's have come as far."""
    if not job.wheel_files:
        return []
    from vision.wheel.planes import read_planes
    from vision.wheel.spin import Watch, spin_events

    wheel = job.table.camera("wheel")
    events = [event for told in Watch().spins(read_planes(str(job.wheel_files[0]))) for event in spin_events(told)]
    cam = wheel.name if wheel is not None else None
    return [msgspec.structs.replace(event, cam=cam) for event in events if job.start_s <= event.t <= job.end_s]


def _watch(
    job: Job, recording: Recording, watcher: TableWatcher, log: GrowingLog, on_progress: Progress
) -> list[str]:
    begun = kept_t = job.start_s
    if log.checkpoint is not None:
        watcher.recall(log.checkpoint.memory)
        begun = kept_t = log.checkpoint.t
    else:
        for event in _wheel_events(job):
            watcher.room.add(event)
    end_s = min(job.end_s, recording.duration_s)
    for frame in recording.frames_ahead(begun, watcher.foresee):
        if log.checkpoint is not None and frame.t <= begun:
            continue
        if frame.t > job.end_s:
            break
        log.write(watcher.feed(frame))
        if frame.t - kept_t >= CHECKPOINT_EVERY_S:
            log.keep(frame.t, watcher.memory())
            kept_t = frame.t
        on_progress(frame.t - job.start_s, end_s - job.start_s)
    log.write(watcher.finish())
    return recording.faults
