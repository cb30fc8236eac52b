"""A table in a small picture: what moves on it, what is new there, and what has lain so long that it is part of it.

Three planes: brightness and both tints (a sleeve may be as bright as felt).
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import View
from vision.frames import Frame, Image

Mask = NDArray[np.bool_]
SMALL_WIDTH_PX = 360
MOVING = (11, 9, 9)  # brightness and tints
NEW = (20, 11, 11)
SETTLED_S = 1.2  # what lies still this long outside all zones is part of the table
ARM_SETTLED_S = 10.0  # an arm that rests on the felt is still an arm
MOST_SUMMED = 16  # the side of a block whose sum has sixteen bits


@dataclass(slots=True, kw_only=True)
class SmallMemory:
    """The last picture and its time, the table as it is known, and for how long each pixel has been still."""

    last: Image | None = None
    table: Image | None = None
    still_s: NDArray[np.float32]
    t: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stir:
    """What is not as in the picture before, what is not as the table is known, and how long after the one before."""

    moving: Mask
    new: Mask
    elapsed_s: float


class SmallTable:
    """Shown small pictures in their order. `scale` is how many pixels of the camera's are one of theirs."""

    def __init__(self, view: View) -> None:
        self.scale = max(1, round(view.size[0] / SMALL_WIDTH_PX))
        self.size = (view.size[0] // self.scale, view.size[1] // self.scale)
        self.memory = SmallMemory(still_s=np.zeros(self.size[::-1], np.float32))

    def shrunk(self, frame: Frame) -> Image:
        """The small picture of a frame; it is made once."""
        if self.size in frame.small:
            return frame.small[self.size]
        small = np.empty((3, *self.size[::-1]), np.uint8)
        planes = (frame.luma, *frame.tints)
        for number in range(3):
            _shrink(planes[number] if len(planes) == 3 else planes[0], small[number])
        frame.small[self.size] = small
        return small

    @property
    def bright(self) -> Image | None:
        """How bright the table is known to be."""
        return None if self.memory.table is None else self.memory.table[0]

    def look(self, small: Image, t: float) -> Stir | None:
        """What stirs in the next picture; None in the first, which shows the table."""
        memory = self.memory
        elapsed_s, memory.t = t - memory.t, t
        if memory.last is None or memory.table is None:
            memory.last, memory.table = small, small.copy()
            return None
        small = _as_bright(small, memory.table)
        moving, new = _exceeds(small, memory.last, MOVING), _exceeds(small, memory.table, NEW)
        memory.last = small
        memory.still_s += np.float32(elapsed_s)
        np.copyto(memory.still_s, np.float32(0), where=moving)
        return Stir(moving=moving, new=new, elapsed_s=elapsed_s)

    def settle(self, free: Mask, arms: Mask | None) -> None:
        """What has been still for long enough where the table is free of zones is part of it, but for arms over it."""
        assert self.memory.last is not None
        assert self.memory.table is not None
        settled = (self.memory.still_s > SETTLED_S) & free
        if arms is not None:
            settled &= ~arms | (self.memory.still_s > ARM_SETTLED_S)
        for known, now in zip(self.memory.table, self.memory.last, strict=True):
            cv2.copyTo(now, settled.view(np.uint8), known)

    def accept(self, pixels: NDArray[np.intp]) -> None:
        """What these pixels (flat indices) show now is part of the table."""
        if self.memory.table is not None and self.memory.last is not None:
            self.memory.table.reshape(3, -1)[:, pixels] = self.memory.last.reshape(3, -1)[:, pixels]


def _shrink(plane: Image, into: Image) -> None:
    """The mean brightness of blocks of pixels: what `cv2.resize` says, to the last bit, and twice as fast where it goes
    pixel by pixel."""
    height, width = into.shape
    side = plane.shape[0] // height
    if plane.shape != (side * height, side * width) or not 2 < side <= MOST_SUMMED:
        cv2.resize(plane, (width, height), dst=into, interpolation=cv2.INTER_AREA)
        return
    rows = plane.reshape(height, side, side * width).sum(axis=1, dtype=np.uint16)
    sums = rows[:, ::side] + rows[:, 1::side]
    for column in range(2, side):
        sums += rows[:, column::side]
    cv2.convertScaleAbs(sums, dst=into, alpha=1 / side**2)


def _as_bright(small: Image, table: Image) -> Image:
    """Lamps flicker and exposure drifts: the whole picture is brought to the brightness the table is known in."""
    known, seen = table[0, ::5, ::5].astype(np.float32), small[0, ::5, ::5]
    gain = float(np.median(known / np.maximum(seen, 1)))
    if abs(gain - 1) < 0.01:
        return small
    even = small.copy()
    cv2.convertScaleAbs(small[0], dst=even[0], alpha=gain)
    return even


def _exceeds(one: Image, other: Image, limits: tuple[int, int, int]) -> Mask:
    """Where two small pictures differ by more than the limits, in any of brightness and tints."""
    luma, u, v = cv2.absdiff(one.reshape(-1, one.shape[2]), other.reshape(-1, one.shape[2])).reshape(one.shape)
    return np.asarray((luma > limits[0]) | (u > limits[1]) | (v > limits[2]))
