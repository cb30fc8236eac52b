"""Real photographs as training scenes: turned, scaled crops of what is neither held out nor kept for tuning."""

import math
from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.random import Generator

from datasets.composites import NONE, IndexTruth, Scene, Sizes
from datasets.importers import LabelledPhoto, read_yolo
from datasets.index_art import JOKER
from datasets.real_split import is_for_tuning, is_held_out
from datasets.weather import filmed, lit
from vision.seen import Image

_EMPTY = 0.25  # share of the scenes without a card
_MOST_ENLARGED = 1.6  # further adds nothing that was not in the picture
FRAMES_FILE = "frames.json"
_WITH_JOKERS_AGAIN = 2  # they are few, and no two decks print the same
_INDEX_OF_BOX = 0.92  # an index's height, to the longer side of the box drawn around it


class RealFrame(msgspec.Struct, frozen=True, kw_only=True):
    """An index in a photograph: where it is, and where that is known how it lies.

    No label: it does not count, found or not. The label `NONE`: a finder took it for an index, and it is none.
    """

    label: str
    x: float
    y: float
    half_px: float
    frame: list[list[float]] | None = None


def box_frames(photo: LabelledPhoto) -> list[RealFrame]:
    """What the boxes alone tell: where indices are, and about how large."""
    return [
        RealFrame(label=box.name, x=box.x, y=box.y, half_px=max(box.width, box.height) * _INDEX_OF_BOX / 2)
        for box in photo.boxes
        if box.name != "back"
    ]


def is_taught(photo: LabelledPhoto) -> bool:
    """Whether a photograph may be trained on."""
    return not is_held_out(photo.position) and not is_for_tuning(photo.position)


def key_of(photo: LabelledPhoto, folder: Path) -> str:
    """What a photograph is called among those of several sets."""
    return f"{folder.name}/{photo.path.name}"


class RealScenes:
    """Makes scenes of real photographs; where it is not known how an index lies, its frame's vectors are NaN.

    `frames` is what `models/real_frames.py` wrote; `negatives` are sets without any card (or with few, which it tells).
    """

    def __init__(self, folder: Path, *, frames: Path | None = None, negatives: tuple[Path, ...] = ()) -> None:
        known = {} if frames is None else msgspec.json.decode(frames.read_bytes(), type=dict[str, list[RealFrame]])
        taught = [photo for photo in read_yolo(folder) if is_taught(photo)]
        told = [(photo, known.get(key_of(photo, folder)) or box_frames(photo)) for photo in taught]
        self._photos = [(photo.read(), indices) for photo, indices in told if any(index.label for index in indices)]
        self._photos += _WITH_JOKERS_AGAIN * [
            (image, indices) for image, indices in self._photos if any(index.label == JOKER for index in indices)
        ]
        self._empty = [
            (photo.read(), known.get(key_of(photo, other), []))
            for other in negatives
            for photo in read_yolo(other)
            if is_taught(photo)
        ]

    def compose(self, rng: Generator, *, size_px: int, sizes: Sizes) -> Scene:
        """A crop around an index, or what looks like one, so turned and scaled that it has one of the sizes."""
        photos = self._empty if self._empty and rng.random() < _EMPTY else self._photos
        image, indices = photos[rng.integers(len(photos))]
        if not indices:
            onto = _onto(rng.uniform(0.2, 0.8, 2) * image.shape[1::-1], rng.uniform(0.3, 1.0), rng, size_px)
            return Scene(image=_cropped(image, onto, size_px, rng), indices=(), cards=(), complete=False)
        return _scene(image, indices, rng, size_px=size_px, sizes=sizes)

    def ground(self, rng: Generator, *, size_px: int) -> Image | None:
        """A piece of a photograph without cards, for drawn cards to lie on."""
        if not self._empty:
            return None
        image, _ = self._empty[rng.integers(len(self._empty))]
        part_px = int(min(image.shape[:2]) * rng.uniform(0.3, 1.0))
        top, left = (int(rng.integers(0, side - part_px + 1)) for side in image.shape[:2])
        part = image[top : top + part_px, left : left + part_px]
        return np.ascontiguousarray(cv2.resize(part, (size_px, size_px), interpolation=cv2.INTER_AREA), np.uint8)


class RenderedScenes:
    """Makes scenes of frames of the rendered casino, as `models/rendered_frames.py` wrote them: they lack no truth."""

    def __init__(self, folder: Path) -> None:
        self._frames = [(image, indices) for image, indices in rendered_frames(folder) if indices]

    def compose(self, rng: Generator, *, size_px: int, sizes: Sizes) -> Scene:
        """A crop around an index, as it is in the footage or smaller."""
        image, indices = self._frames[rng.integers(len(self._frames))]
        scene = _scene(image, indices, rng, size_px=size_px, sizes=sizes)
        return msgspec.structs.replace(scene, complete=True)


def rendered_frames(folder: Path) -> Iterator[tuple[Image, list[RealFrame]]]:
    """The pictures that `models/rendered_frames.py` wrote, with the indices in them."""
    known = msgspec.json.decode((folder / FRAMES_FILE).read_bytes(), type=dict[str, list[RealFrame]])
    for name, indices in known.items():
        yield np.asarray(cv2.imread(str(folder / name)), np.uint8), indices


def _scene(image: Image, indices: list[RealFrame], rng: Generator, *, size_px: int, sizes: Sizes) -> Scene:
    """A crop around one of the indices, so turned and scaled that it has one of the sizes."""
    about = indices[rng.integers(len(indices))]
    scale = min(sizes.draw(rng) / (2 * about.half_px), _MOST_ENLARGED)
    off = rng.uniform(-0.4, 0.4, 2) * size_px / scale
    onto = _onto(np.array([about.x, about.y]) + off, scale, rng, size_px)
    truths = tuple(_truth(index, onto, size_px) for index in indices)
    return Scene(image=_cropped(image, onto, size_px, rng), indices=truths, cards=(), complete=False)


def _truth(index: RealFrame, onto: np.ndarray, size_px: int) -> IndexTruth:
    scale = math.sqrt(abs(np.linalg.det(onto[:, :2])))
    if index.frame is None:
        half = index.half_px * scale
        frame = np.array([onto @ (index.x, index.y, 1), (np.nan, np.nan), (0, half)], np.float32)
    else:
        centre, right, up = np.array(index.frame)
        frame = np.stack([onto @ (*centre, 1), onto[:, :2] @ right, onto[:, :2] @ up]).astype(np.float32)
        half = float(np.linalg.norm(frame[2]))
    inside = bool(np.all((frame[0] > 0.6 * half) & (frame[0] < size_px - 0.6 * half)))
    outside = bool(np.any((frame[0] < -half) | (frame[0] > size_px + half)))
    visible = 0.0 if outside or index.label == NONE else 1.0 if inside and index.label else 0.5
    return IndexTruth(label=index.label, frame=frame, visible=visible, card=-1)


def _onto(centre: np.ndarray, scale: float, rng: Generator, size_px: int) -> np.ndarray:
    """From the photograph to the crop: any turn, and a little foreshortening."""
    turn, lean, squeeze = rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi), rng.uniform(0.75, 1.0)
    if rng.random() < 0.4:
        turn, squeeze = 0.0, 1.0
    rotate = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    axis = np.array([[np.cos(lean), -np.sin(lean)], [np.sin(lean), np.cos(lean)]])
    matrix = axis @ np.diag([1 / math.sqrt(squeeze), math.sqrt(squeeze)]) @ axis.T @ rotate * scale
    return np.asarray(np.c_[matrix, size_px / 2 - matrix @ centre])


def _cropped(image: Image, onto: np.ndarray, size_px: int, rng: Generator) -> Image:
    scale = math.sqrt(abs(np.linalg.det(onto[:, :2])))
    if scale < 0.7:
        small = cv2.resize(image, None, fx=scale * 1.2, fy=scale * 1.2, interpolation=cv2.INTER_AREA)
        onto = onto @ np.diag([image.shape[1] / small.shape[1], image.shape[0] / small.shape[0], 1.0])
        image = np.asarray(small, np.uint8)
    crop = cv2.warpAffine(
        image, onto, (size_px, size_px), flags=cv2.INTER_LINEAR, borderValue=rng.integers(0, 256, 3).tolist()
    )
    taken = np.asarray(crop, np.uint8)
    if rng.random() < 0.5:
        taken = lit(taken, rng)
    return filmed(taken, rng, harm=0.5) if rng.random() < 0.5 else taken
