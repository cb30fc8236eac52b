"""The sight of a live camera: whether its picture is worth looking at: black, frozen, or the same as before.

What only the table's own plan can tell, a covered view for one, is the business of :mod:`vision.feed`.
"""

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame

EVERY_PX = 4
BLACK_GREY, BLACK_S = 14.0, 1.0
FROZEN_GREY, FROZEN_S = 0.02, 3.5
"""A running camera's noise makes a larger mean difference, at the latest with its next keyframe."""
STIRRED_GREY, STIRRED_PX = 12, 6

Trouble = Literal["black", "frozen"]


class Sight:
    """Looks at every picture of one camera, quickly."""

    def __init__(self) -> None:
        self._known: NDArray[np.uint8] | None = None
        self._last: NDArray[np.uint8] | None = None
        self._newest: NDArray[np.uint8] | None = None
        self._black_since: float | None = None
        self._same_since = 0.0
        self._keys_since = 0
        self.is_new = True
        """Whether the picture differs from the last one that was `taken_in`."""

    def look(self, frame: Frame) -> Trouble | None:
        """What is wrong with a picture, if anything."""
        small = np.ascontiguousarray(frame.luma[::EVERY_PX, ::EVERY_PX])
        is_alike = self._last is not None and self._last.shape == small.shape
        if self._last is None or not is_alike or float(cv2.absdiff(small, self._last).mean()) > FROZEN_GREY:
            self._last, self._same_since, self._keys_since = small, frame.t, 0
        self._keys_since += _is_key(frame)
        self.is_new = self._known is None or self._known.shape != small.shape or _stirred(small, self._known)
        self._newest = small
        if float(small.mean()) < BLACK_GREY:
            self._black_since = frame.t if self._black_since is None else self._black_since
            return "black" if frame.t - self._black_since >= BLACK_S else None
        self._black_since = None
        is_frozen = frame.t - self._same_since >= FROZEN_S and self._keys_since > 0
        return "frozen" if is_frozen else None

    def taken_in(self) -> None:
        """The picture last looked at was worked on: the next is compared with it."""
        self._known = self._newest


def _is_key(frame: Frame) -> bool:
    return bool(frame.decoded.key_frame)


def _stirred(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
    return int(np.count_nonzero(cv2.absdiff(one, other) > STIRRED_GREY)) >= STIRRED_PX
