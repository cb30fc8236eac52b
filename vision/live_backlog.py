"""The backlog: packets that arrived and were not looked at yet. It is bounded; what it has to let go of, it counts.

Packets are small, so a camera can be two minutes behind before anything is lost. Which pictures need not be looked
at is decided when they are decoded (see :mod:`vision.live_sight`); from here whole stretches go, up to a keyframe.
"""

import threading
from collections import deque

from vision.live_source import Arrival, Interruption

LONGEST_S = 120.0
LARGEST_BYTES = 64 << 20
KEPT_SHARE = 2 / 3
"""One long gap is better than many short ones: so much stays when something has to go."""


class Backlog:
    """What one thread takes in and another works off."""

    def __init__(self, longest_s: float = LONGEST_S) -> None:
        self._longest_s = longest_s
        self._waiting: deque[Arrival | Interruption] = deque()
        self._changed = threading.Condition()
        self._bytes = 0
        self._is_over = False
        self.lost = 0
        """How many packets were let go of unseen."""

    def put(self, item: Arrival | Interruption) -> None:
        """Take in what arrived; never waits."""
        with self._changed:
            self._waiting.append(item)
            if isinstance(item, Arrival):
                self._bytes += len(item.data)
                self._shorten(item.t)
            self._changed.notify()

    def end(self) -> None:
        """Nothing comes any more."""
        with self._changed:
            self._is_over = True
            self._changed.notify()

    def get(self, timeout_s: float) -> Arrival | Interruption | None:
        """The oldest that waits; None when nothing came for so long."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_over, timeout_s)
            return self._taken() if self._waiting else None

    @property
    def is_done(self) -> bool:
        """Whether nothing waits and nothing comes any more."""
        with self._changed:
            return self._is_over and not self._waiting

    def _taken(self) -> Arrival | Interruption:
        item = self._waiting.popleft()
        if isinstance(item, Arrival):
            self._bytes -= len(item.data)
        return item

    def _shorten(self, newest_t: float) -> None:
        """Let go of the oldest; then on to a picture that stands alone, for what is in between cannot be decoded."""
        if not self._exceeds(newest_t, 1.0):
            return
        while len(self._waiting) > 1:
            oldest = self._waiting[0]
            is_start = isinstance(oldest, Arrival) and oldest.is_key
            if is_start and not self._exceeds(newest_t, KEPT_SHARE):
                return
            self.lost += isinstance(self._taken(), Arrival)

    def _exceeds(self, newest_t: float, share: float) -> bool:
        oldest = next((each for each in self._waiting if isinstance(each, Arrival)), None)
        is_long = oldest is not None and newest_t - oldest.t > share * self._longest_s
        return is_long or self._bytes > share * LARGEST_BYTES
