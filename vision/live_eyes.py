"""The eyes of a live site: a table's watcher and a wheel's, each asked in the same way by the worker of its camera."""

from collections.abc import Callable, Iterator
from typing import Literal, Protocol

import msgspec

from auditor.log import AnyEvent, Feed
from vision.camera import View
from vision.frames import Frame
from vision.reading import ZoneReader
from vision.table_file import Camera, TableFile
from vision.watcher import TableWatcher

HOLD_S = 0.5
"""How long an event waits for an earlier one or a better reading, live: an alert must not be late."""
WHEEL_HOLD_S = 1.0
"""A ball is recognised so long after its launch at the latest."""
ReaderOf = Callable[[View, TableFile], ZoneReader]
State = Literal["lost", "blocked"]


class LiveEye(Protocol):
    """What a worker asks of whoever looks at its camera's pictures; `fps` is how many of them there are a second."""

    fps: float

    @property
    def is_busy(self) -> bool:
        """Whether every picture is needed: something stirs, or is being read."""

    @property
    def state(self) -> State | None:
        """What is wrong with the view, as far as the pictures themselves tell."""

    def watch(self, frames: Iterator[Frame]) -> Iterator[list[AnyEvent]]:
        """The events of the frames, as they become certain."""

    def interrupted(self, t: float) -> None:
        """The view went at that time, which no picture tells."""

    def released(self, t: float) -> list[AnyEvent]:
        """It is `t` by now: the events that need not wait any longer."""

    def horizon(self, t: float) -> float:
        """It is `t` by now: no event before the time returned will come any more."""


class TableEye:
    """A table's watcher, made when the first picture is there; it outlives every interruption."""

    def __init__(self, table: TableFile, camera: Camera, reader_of: ReaderOf) -> None:
        self._table, self._camera, self._reader_of, self.fps = table, camera, reader_of, 25.0
        self._watcher: TableWatcher | None = None
        self._early: list[AnyEvent] = []
        self._is_late = False  # the view was lost before there ever was a picture

    @property
    def is_busy(self) -> bool:
        """Whether something stirs on the table, or is being read."""
        watcher = self._watcher
        return watcher is None or watcher.is_busy

    @property
    def state(self) -> State | None:
        """Whether the view is dark, covered or frozen."""
        return None if self._watcher is None else self._watcher.view_state.memory.state

    def watch(self, frames: Iterator[Frame]) -> Iterator[list[AnyEvent]]:
        """The table's events."""
        for frame in frames:
            if self._watcher is None or self._watcher.view.size != frame.size:
                yield self._finished()
                self._begin(frame)
            assert self._watcher is not None
            yield self.released(frame.t)  # what has waited long enough does not wait for this picture to be read
            yield self._watcher.feed(frame)
        yield self._finished()

    def _begin(self, frame: Frame) -> None:
        view = self._camera.view(frame.size)
        self._watcher = TableWatcher(
            self._table, view, self._reader_of(view, self._table), cam=self._camera.name, fps=self.fps, hold_s=HOLD_S
        )
        if self._is_late:
            self._is_late = False
            self._watcher.room.add(Feed(t=round(frame.t, 3), state="back", cam=self._camera.name, frame=frame.index))

    def _finished(self) -> list[AnyEvent]:
        return [] if self._watcher is None else self._watcher.finish()

    def interrupted(self, t: float) -> None:
        """The watcher knows that the view is gone; it says itself when it is back."""
        gone = Feed(t=round(t, 3), state="lost", cam=self._camera.name)
        if self._watcher is None:
            self._early += [] if self._is_late else [gone]
            self._is_late = True
        elif self._watcher.view_state.memory.state is None:
            self._watcher.view_state.memory.state = "lost"
            self._watcher.room.add(gone)

    def released(self, t: float) -> list[AnyEvent]:
        """What has waited long enough."""
        if self._watcher is not None:
            return self._watcher.released(t - HOLD_S)
        told, self._early = self._early, []
        return told

    def horizon(self, t: float) -> float:
        """What is older has been released."""
        return t - HOLD_S


class WheelEye:
    """A wheel's watch: its events come when a spin is over."""

    def __init__(self, camera: Camera) -> None:
        from vision.wheel.spin import Watch

        self._camera, self._watch, self.fps = camera, Watch(), 25.0
        self._feeds: list[AnyEvent] = []
        self._is_lost = False

    is_busy = True
    state = None

    def watch(self, frames: Iterator[Frame]) -> Iterator[list[AnyEvent]]:
        """The wheel's events."""
        from vision.wheel.planes import planes_of
        from vision.wheel.spin import spin_events

        for spin in self._watch.spins(map(planes_of, map(self._seen, frames))):
            yield [msgspec.structs.replace(event, cam=self._camera.name) for event in spin_events(spin)]

    def _seen(self, frame: Frame) -> Frame:
        if self._is_lost:
            self._is_lost = False
            self._feeds.append(Feed(t=round(frame.t, 3), state="back", cam=self._camera.name))
        return frame

    def interrupted(self, t: float) -> None:
        """The wheel is not seen any more."""
        if not self._is_lost:
            self._is_lost = True
            self._feeds.append(Feed(t=round(t, 3), state="lost", cam=self._camera.name))

    def released(self, t: float) -> list[AnyEvent]:
        """That the view went or came back."""
        told, self._feeds = self._feeds, []
        return told

    def horizon(self, t: float) -> float:
        """The launch of the ball that is followed; otherwise almost the present."""
        since = self._watch.since
        return t - WHEEL_HOLD_S if since is None else min(since, t - WHEEL_HOLD_S)
