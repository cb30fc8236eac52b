"""Knocks: a camera that looks aside all of a sudden is noticed, and its pictures are laid where they were before.

Whatever stands still on a table (print, rail, shoe) has then moved in the picture, all of it alike. How it moved is
found by following corners of the known picture; from then on every picture is moved back, so that what is known of
the table stays true to the pixel. Nothing is read until the new place has been found twice alike.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.frames import Frame
from vision.plan import Point

Matrix = NDArray[np.float64]
EDGE_GREY = 14.0
"""So steep (grey levels per small pixel) are the edges that are watched."""
UNLIKE_GREY, UNLIKE_SHARE = 14, 0.22
"""Where so many edges look otherwise, arms or a knock are the reason: then corners are followed."""
LEAST_EDGES = 150
AGAIN_S = 3.0
"""A camera may also sag: every so often corners are followed without a reason."""
CORNERS, CORNERS_APART_PX = 300, 5
WINDOW_PX, LEVELS = 15, 3
AGREEING, LEAST_AGREEING = 0.5, 24
MOVED_PX = 0.6
"""What moved by less, in small pixels at the picture's corners, is where it was."""
ALIKE_PX = 1.0
"""In the picture's own pixels: the new place must be found twice within so much."""
BEYOND_PX = 4.0
"""A zone's edge may lie so far outside the picture."""
BETTER = 0.75
"""A bend of the picture beyond turning and shifting must explain the corners by so much better to be believed."""


@dataclass(frozen=True, kw_only=True)
class StraightFrame(Frame):
    """A picture of a knocked camera, moved to where it was before: `moved` leads from there to its own pixels."""

    moved: Matrix = field(repr=False)

    @cached_property
    def luma(self) -> Image:
        """The brightness plane."""
        return _moved_back(super().luma, self.moved)

    @cached_property
    def tints(self) -> tuple[Image, ...]:
        """The two colour planes at half resolution."""
        half = np.diag([2.0, 2.0, 1.0])
        moved = np.linalg.inv(half) @ self.moved @ half
        return tuple(_moved_back(plane, moved) for plane in super().tints)

    @property
    def image(self) -> Image:
        """The picture in blue, green, red."""
        return _moved_back(super().image, self.moved)


@dataclass(slots=True, kw_only=True)
class KnockMemory:
    """Where the camera looks since when (`moved`, one after another), whether that is being found out, and whether all
    of the table can be seen from there."""

    moved: list[tuple[float, Matrix]] = field(default_factory=list)
    lost_t: float | None = None
    guess: Matrix | None = None
    checked_t: float = 0.0
    sees_all: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Knock:
    """The camera was knocked (`is_found` False), or it is known where it looks now; `since` is when it was knocked."""

    t: float
    is_found: bool
    since: float


class Knocks:
    """Watches whether a camera still looks where it did. `scale` is how much smaller the small picture is, `outlines`
    are those of the zones that must be seen."""

    def __init__(self, scale: int, outlines: Sequence[Sequence[Point]]) -> None:
        self.memory = KnockMemory()
        self._scale, self._outlines = scale, outlines

    def straight(self, frame: Frame) -> Frame:
        """A frame as the camera would have taken it before it was knocked."""
        if not self.memory.moved:
            return frame
        return StraightFrame(index=frame.index, t=frame.t, decoded=frame.decoded, moved=self.memory.moved[-1][1])

    def in_picture(self, region: list[Point], t: float) -> list[Point]:
        """An outline as it lies in the picture that was taken at a time."""
        moved = next((each for since, each in reversed(self.memory.moved) if since <= t), None)
        if moved is None:
            return region
        points = cv2.perspectiveTransform(np.array([region], np.float64), moved)[0]
        return [(round(float(x), 1), round(float(y), 1)) for x, y in points]

    @property
    def is_blind(self) -> bool:
        """Whether it is not known where the camera looks, or it does not see the whole table any more."""
        return self.memory.lost_t is not None or not self.memory.sees_all

    def look(self, frame: Frame, small: Image, known: Image | None, reference: Image | None) -> Knock | None:
        """Whether the camera was knocked, or found again. `small` is the small brightness of the frame, `known` that of
        the table; `reference` is a picture in full resolution from before."""
        memory = self.memory
        if known is None or reference is None:
            return None
        if memory.lost_t is None:
            if frame.t - memory.checked_t < AGAIN_S and not looks_otherwise(small, known):
                return None
            memory.checked_t = frame.t
            step = followed(known, small, reach_px=1.0)
            if step is None or farthest(step, small.shape) < MOVED_PX:
                return None
            memory.lost_t, memory.guess = frame.t, None
            return Knock(t=frame.t, is_found=False, since=frame.t)
        return self._found(frame, small, known, reference)

    def _found(self, frame: Frame, small: Image, known: Image, reference: Image) -> Knock | None:
        memory = self.memory
        rough = followed(known, small, reach_px=1.0)
        if rough is None:
            memory.guess = None
            return None
        wide = np.diag([self._scale, self._scale, 1.0])
        exact = followed(
            _grey(reference), frame.luma, reach_px=2.0, start=wide @ rough @ np.linalg.inv(wide), may_bend=True
        )
        guess, memory.guess = memory.guess, exact
        if exact is None or guess is None or _apart(guess, exact, frame.size) > ALIKE_PX:
            return None
        before = memory.moved[-1][1] if memory.moved else np.eye(3)
        memory.moved.append((frame.t, before @ exact))
        memory.sees_all = self._sees_all(before @ exact, frame.size)
        since = frame.t if memory.lost_t is None else memory.lost_t
        memory.lost_t, memory.guess, memory.checked_t = None, None, frame.t
        return Knock(t=frame.t, is_found=True, since=since)

    def _sees_all(self, moved: Matrix, size: tuple[int, int]) -> bool:
        points = np.array([point for outline in self._outlines for point in outline], np.float64)
        seen = cv2.perspectiveTransform(points[None], moved)[0]
        return bool(((seen >= -BEYOND_PX) & (seen <= np.add(size, BEYOND_PX))).all())


def looks_otherwise(small: Image, known: Image) -> bool:
    """Whether so many of the table's edges look otherwise that the whole picture may have moved."""
    unlike = cv2.absdiff(small[1:, 1:], known[1:, 1:]) > UNLIKE_GREY
    if int(np.count_nonzero(unlike)) <= UNLIKE_SHARE * LEAST_EDGES:  # of no number of edges that is enough
        return False
    steep = np.maximum(cv2.absdiff(known[1:, 1:], known[:-1, 1:]), cv2.absdiff(known[1:, 1:], known[1:, :-1]))
    edges = steep > EDGE_GREY
    count = int(np.count_nonzero(edges))
    return count >= LEAST_EDGES and int(np.count_nonzero(unlike & edges)) > UNLIKE_SHARE * count


def followed(
    known: Image, now: Image, *, reach_px: float, start: Matrix | None = None, may_bend: bool = False
) -> Matrix | None:
    """How the picture moved, as a matrix from known to present pixels; None where its corners did not move alike."""
    corners = cv2.goodFeaturesToTrack(known, CORNERS, 0.02, CORNERS_APART_PX * (4 if start is not None else 1))
    if corners is None or len(corners) < LEAST_AGREEING:
        return None
    guess = corners if start is None else cv2.perspectiveTransform(corners, start).astype(np.float32)
    found, status, _ = cv2.calcOpticalFlowPyrLK(
        known, now, corners, guess.copy(), winSize=(WINDOW_PX, WINDOW_PX), maxLevel=LEVELS if start is None else 1,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )  # fmt: skip
    is_there = status[:, 0] > 0
    old, new = corners[is_there, 0], found[is_there, 0]
    if len(old) < LEAST_AGREEING:
        return None
    turned, agree = cv2.estimateAffinePartial2D(old, new, ransacReprojThreshold=reach_px, maxIters=2000)
    if turned is None or agree.sum() < max(LEAST_AGREEING, AGREEING * len(old)):
        return None
    matrix = np.vstack([turned, [0.0, 0.0, 1.0]])
    if not may_bend:
        return matrix
    bent, _ = cv2.findHomography(old, new, cv2.RANSAC, reach_px)
    return bent if bent is not None and _off_px(bent, old, new) < BETTER * _off_px(matrix, old, new) else matrix


def _off_px(matrix: Matrix, old: NDArray[np.float32], new: NDArray[np.float32]) -> float:
    seen = cv2.perspectiveTransform(old[None], matrix)[0]
    return float(np.median(np.hypot(*(seen - new).T)))


def farthest(matrix: Matrix, shape: tuple[int, ...]) -> float:
    """By how many pixels the picture's corners move."""
    return _apart(matrix, np.eye(3), (shape[1], shape[0]))


def _apart(one: Matrix, other: Matrix, size: tuple[int, int]) -> float:
    corners = np.array([[(x, y) for x in (0.0, float(size[0])) for y in (0.0, float(size[1]))]])
    ends = (cv2.perspectiveTransform(corners, each)[0] for each in (one, other))
    return max(math.dist(first, second) for first, second in zip(*ends, strict=True))


def _grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _moved_back(plane: Image, moved: Matrix) -> Image:
    size = (plane.shape[1], plane.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(plane, moved, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
