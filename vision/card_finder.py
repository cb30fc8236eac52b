"""Finds printed indices, or whole cards: a small network over a picture's pyramid answers with their frames."""

import math

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision import weights
from vision.seen import Image

FrameArray = NDArray[np.float32]
"""Three rows of x, y: the centre, and from it the vectors to the right edge's middle and up to the top's.
An index's two vectors are equally long on the card (half its height): they tell how it is foreshortened."""

STRIDE_PX = 4
FRAME_UNIT_PX = 16.0  # what one unit of the network's offsets and vectors stands for
_PAD_PX = 8  # the network takes sides that are multiples of this
_MOST_PIXELS = 2_200_000  # a larger photograph is first scaled down to this many: its indices are large
_FEW_PIXELS = 300_000  # a smaller one is scaled up, to find print of seven or eight pixels
_MOST_FOUND = 300
_SAME_PLACE, _SAME_SIZE = 0.4, 1.5  # of the larger one's height; its height to the other's


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """Something at a place: which class of the network, how likely, and how it lies."""

    kind: int
    conf: float
    frame: FrameArray

    @property
    def height_px(self) -> float:
        """How high it would be, seen straight on, at the size it is seen at."""
        return frame_height_px(self.frame)


def frame_height_px(frame: FrameArray) -> float:
    """Twice the mean length of an index's two vectors: of a tilted one, what it would be without the tilt."""
    (rx, ry), (ux, uy) = frame[1].tolist(), frame[2].tolist()
    return 2 * math.sqrt(abs(rx * uy - ry * ux))


class FrameFinder:
    """One network and the heights of things, in pixels, that it was trained to find."""

    def __init__(self, file: str, *, threads: int | None = None, threshold: float | None = None) -> None:
        held = weights.load(file, threads)
        self._session = held.session
        self._smallest_px = held.entry.settings["smallest_px"]
        self._largest_px = held.entry.settings["largest_px"]
        self._threshold = threshold or held.entry.settings["threshold"]
        self._finest = held.entry.settings.get("finest_scale", 1.0)
        self._largest_part = held.entry.settings["largest_part"]  # of the shorter side of a picture

    def find(self, image: Image, *, height_px: float | None = None) -> list[Found]:
        """All that is found; `height_px` says how high the things are where that is known, and saves the pyramid."""
        found = [each for scale in self._scales(image, height_px) for each in self._find_at(image, scale)]
        return without_doubles(found)

    def _scales(self, image: Image, height_px: float | None) -> list[float]:
        if height_px is not None:
            return [min(2.0, math.sqrt(self._smallest_px * self._largest_px) / height_px)]
        shorter, pixels = min(image.shape[:2]), image.shape[0] * image.shape[1]
        least, most = math.sqrt(_FEW_PIXELS / pixels), math.sqrt(_MOST_PIXELS / pixels)
        scales = [self._finest * min(max(1.0, min(2.0, least)), most)]
        step = self._smallest_px / self._largest_px * 1.15  # neighbours overlap a little
        while self._largest_px / scales[-1] < self._largest_part * shorter:
            scales.append(scales[-1] * step)
        return scales

    def _find_at(self, image: Image, scale: float) -> list[Found]:
        size = [max(_PAD_PX, round(side * scale)) for side in image.shape[1::-1]]
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        scaled = image if scale == 1 else cv2.resize(image, size, interpolation=how)
        padded = cv2.copyMakeBorder(scaled, 0, -size[1] % _PAD_PX, 0, -size[0] % _PAD_PX, cv2.BORDER_REPLICATE)
        blob = np.ascontiguousarray(padded.transpose(2, 0, 1)[None], np.float32)
        heat, frames = self._session.run(None, {"image": blob})
        return self._decoded(heat[0], frames[0], scale)

    def _decoded(self, heat: NDArray[np.float32], frames: NDArray[np.float32], scale: float) -> list[Found]:
        logit = math.log(self._threshold / (1 - self._threshold))
        peaks = np.stack([cv2.dilate(each, np.ones((3, 3), np.uint8)) for each in heat])
        kinds, rows, columns = np.nonzero((heat >= peaks) & (heat > logit))
        best = np.argsort(-heat[kinds, rows, columns])[:_MOST_FOUND]
        found = []
        for kind, row, column in zip(kinds[best], rows[best], columns[best], strict=True):
            numbers = frames[:, row, column].reshape(3, 2) * FRAME_UNIT_PX
            numbers[0] += ((column + 0.5) * STRIDE_PX, (row + 0.5) * STRIDE_PX)
            seen_px = frame_height_px(numbers)
            if not self._smallest_px * 0.75 < seen_px < self._largest_px * 1.35:
                continue
            conf = 1 / (1 + math.exp(-float(heat[kind, row, column])))
            found.append(Found(kind=int(kind), conf=conf, frame=(numbers / scale).astype(np.float32)))
        return found


def without_doubles(found: list[Found]) -> list[Found]:
    """The same thing, found at two scales or in two cells, once: the likelier."""
    kept: list[Found] = []
    for each in sorted(found, key=lambda one: -one.conf):
        if not any(_are_same(each, other) for other in kept):
            kept.append(each)
    return kept


def _are_same(one: Found, other: Found) -> bool:
    """Whether two lie in the same place alike. What lies otherwise, or is of another size, is for the reader to judge:
    a coarse look may take two indices for one, surer than the fine look that told them apart."""
    small, large = sorted((one.height_px, other.height_px))
    if math.dist(one.frame[0], other.frame[0]) > large * _SAME_PLACE or large > small * _SAME_SIZE:
        return False
    (ax, ay), (bx, by) = one.frame[2].tolist(), other.frame[2].tolist()
    return bool(ax * bx + ay * by > 0.5 * math.hypot(ax, ay) * math.hypot(bx, by))
