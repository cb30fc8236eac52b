"""The feed: whether a camera still shows its table. Dark, covered, frozen, gaps in time, a camera that was knocked.

It judges the small picture the gate works on. While nothing of the table can be seen, nothing is read: what has
changed meanwhile is found when the view is back.
"""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Small = NDArray[np.uint8]
State = Literal["lost", "blocked"]

GAP_S = 1.0
DARK_SHARE = 0.3  # of the brightness the table is known in
DIM_SHARE, FADING_SHARE = 0.85, 0.03
"""A picture that is dimmer than usual and becomes darker or brighter from look to look shows nothing for certain."""
BLACK_GREY = 14.0
BLURRED, GRAINY = 0.4, 3.0  # times the steep steps that the picture usually has
FOCUSING_SHARE = 0.15
"""A picture that has so many more or fewer of them than the look before is becoming unclear, or clear again: arms and
cards change at most half as many (0.09 of the usual ones in six clips)."""
LEAST_STEPS = 0.004
"""A picture with fewer steep steps than that says nothing about how sharp it is."""
LEARNT = (0.02, 0.002)
"""How much of each look goes into what is usual; less of it while the picture is blurred or grainy."""
STEEP_GREY, EVERY_ROW = 12, 16
UNLIKE_GREY = 28
UNLIKE_SHARE, LIKE_SHARE = 0.55, 0.35  # of the felt
LOST_AFTER_S = 0.25
FROZEN_S = 1.2
FROZEN_GREY = 0.02
"""Mean difference between two frames; a running camera's noise is never so small while an arm is over the table."""
KEYFRAME_GREY = 4
"""A keyframe draws a frozen picture anew, once, and no pixel by more than that."""
STUCK_S, STUCK_TIMES, KNOWN_S = 2.0, 4.0, 8.0
"""A picture that stays the same to the last bit for so long, and so many times longer than this camera's pictures ever
did before (in at least so many seconds), is stuck: an encoder may repeat quiet pictures, but then it does so often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedChange:
    """The view went or came back, at a time."""

    t: float
    state: Literal["lost", "blocked", "back"]


@dataclass(slots=True, kw_only=True)
class FeedMemory:
    """What is remembered of the feed from frame to frame."""

    state: State | None = None
    bad_since: float | None = None
    same_since: float | None = None
    is_redrawn: bool = False
    last_t: float | None = None
    last: Small | None = None
    light: float | None = None
    steps: float | None = None
    last_steps: float | None = None
    fine: Small | None = None
    first_t: float | None = None
    stuck_since: float | None = None
    longest_stuck_s: float = 0.0
    back_t: float = 0.0


class FeedWatch:
    """Looks at small pictures of a table and says when its view goes and comes back."""

    def __init__(self, felt: NDArray[np.bool_]) -> None:
        self.memory = FeedMemory()
        self._felt = felt.astype(np.uint8) * 255
        self._felt_px = max(1, cv2.countNonZero(self._felt))

    def look(
        self, small: Small, table: Small | None, t: float, *, fine: Small, is_reached: bool, steps: float = 0.0
    ) -> list[FeedChange]:
        """The changes that a picture shows. `table` is how the table is known to look, `fine` are single pixels of the
        picture as it was decoded, `is_reached` says whether an arm is over the table, `steps` how many of its pixels
        are much brighter or darker than their neighbours (`steep_steps`)."""
        memory = self.memory
        changes: list[FeedChange] = []
        if memory.last_t is not None and t - memory.last_t > GAP_S and memory.state is None:
            changes += [FeedChange(t=memory.last_t, state="lost"), FeedChange(t=t, state="back")]
        stuck = self._stuck(fine, t)
        bad = self._bad(small, table) or self._frozen(small, t, is_reached=is_reached) or stuck or self._unclear(steps)
        memory.last_t, memory.last = t, small
        if bad is None:
            memory.bad_since = None
            if memory.state is not None:
                memory.state, memory.back_t = None, t
                changes.append(FeedChange(t=t, state="back"))
        elif memory.bad_since is None:
            memory.bad_since = t
        elif memory.state is None and t - memory.bad_since >= LOST_AFTER_S:
            since = min(each for each in (memory.same_since, memory.stuck_since, memory.bad_since) if each is not None)
            memory.state = bad
            changes.append(FeedChange(t=since, state=bad))
        return changes

    @property
    def is_doubtful(self) -> bool:
        """Whether nothing should be read from this picture."""
        return self.memory.bad_since is not None

    def _bad(self, small: Small, table: Small | None) -> State | None:
        if table is None:
            return None
        mean, usual = (self._brightness(picture) for picture in (small, table))
        dark: State = "lost" if mean < BLACK_GREY else "blocked"
        before, self.memory.light = self.memory.light, mean
        is_fading = before is not None and abs(mean - before) > FADING_SHARE * usual and mean < DIM_SHARE * usual
        if mean < DARK_SHARE * usual or is_fading:
            return dark
        limit = UNLIKE_SHARE if self.memory.state is None else LIKE_SHARE
        unlike = cv2.bitwise_and(np.asarray(cv2.absdiff(small, table) > UNLIKE_GREY).view(np.uint8), self._felt)
        return "blocked" if cv2.countNonZero(unlike) > limit * self._felt_px else None

    def _brightness(self, small: Small) -> float:
        """The mean brightness of the felt."""
        return float(cv2.sumElems(cv2.bitwise_and(small, self._felt))[0]) / self._felt_px

    def _frozen(self, small: Small, t: float, *, is_reached: bool) -> State | None:
        """A picture that stands still with an arm in it is not a quiet table."""
        memory = self.memory
        change = None if memory.last is None else cv2.absdiff(small, memory.last)
        is_same = change is not None and cv2.mean(change)[0] < FROZEN_GREY
        can_be_redrawn = memory.same_since is not None and not memory.is_redrawn and not is_same
        memory.is_redrawn = can_be_redrawn and change is not None and int(change.max()) <= KEYFRAME_GREY
        if not (is_same or memory.is_redrawn) or not (is_reached or memory.same_since is not None):
            memory.same_since = None
            return None
        if memory.same_since is None:
            memory.same_since = t
        return "lost" if t - memory.same_since > FROZEN_S else None

    def _unclear(self, steps: float) -> State | None:
        """A picture out of focus or full of grain shows edges where there are none, and none where they are."""
        memory = self.memory
        usual, last = (steps if known is None else known for known in (memory.steps, memory.last_steps))
        is_focusing = abs(steps - last) > FOCUSING_SHARE * usual
        is_unclear = usual > LEAST_STEPS and (is_focusing or not BLURRED * usual <= steps <= GRAINY * usual)
        learnt = LEARNT[is_unclear]
        memory.steps, memory.last_steps = (1 - learnt) * usual + learnt * steps, steps
        return "blocked" if is_unclear else None

    def _stuck(self, fine: Small, t: float) -> State | None:
        """A picture that does not even show a camera's noise any more is not a quiet table."""
        memory = self.memory
        is_same = memory.fine is not None and np.array_equal(fine, memory.fine)
        memory.fine, memory.first_t = fine, t if memory.first_t is None else memory.first_t
        if not is_same:
            if memory.stuck_since is not None and memory.last_t is not None:
                memory.longest_stuck_s = max(memory.longest_stuck_s, memory.last_t - memory.stuck_since)
            memory.stuck_since = None
            return None
        if memory.stuck_since is None:
            memory.stuck_since = memory.last_t if memory.last_t is not None else t
        is_known = memory.stuck_since - memory.first_t > KNOWN_S
        is_long = t - memory.stuck_since > max(STUCK_S, STUCK_TIMES * memory.longest_stuck_s)
        return "lost" if is_known and is_long else None


def steep_steps(luma: Image) -> float:
    """The share of a picture's pixels that are much brighter or darker than those beside them."""
    rows = luma[::EVERY_ROW]
    steep = cv2.absdiff(rows[:, 1:], rows[:, :-1]) > STEEP_GREY
    return int(np.count_nonzero(steep)) / steep.size
