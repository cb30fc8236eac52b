"""The card eye on photographs as strangers send them: shrunk, enlarged, turned, packed hard, blurred, dark, grey.

`python -m models.evaluate_hardships PHOTOS` takes those for tuning: what is chosen by this is not reported on.
"""

import math
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from datasets.importers import LabelledPhoto, read_yolo
from datasets.real_split import is_for_tuning
from models.score_cards import Score, add_photo
from vision.cards import READ, CardEye
from vision.seen import Image

Change = Callable[[Image], tuple[Image, NDArray[np.float64]]]
"""A photograph made harder, and where its points came to lie."""
_STAYS = np.eye(3)


def _grown(longer_px: int) -> Change:
    def change(image: Image) -> tuple[Image, NDArray[np.float64]]:
        by = longer_px / max(image.shape[:2])
        how = cv2.INTER_AREA if by < 1 else cv2.INTER_CUBIC
        return np.asarray(cv2.resize(image, None, fx=by, fy=by, interpolation=how), np.uint8), np.diag([by, by, 1.0])

    return change


def _warped(image: Image, onto: NDArray[np.float64]) -> tuple[Image, NDArray[np.float64]]:
    """The whole picture, however it comes to lie, on grey."""
    height, width = image.shape[:2]
    corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], float)
    there = cv2.perspectiveTransform(corners, onto)[0]
    left, top = there.min(axis=0)
    onto = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]]) @ onto
    size = [math.ceil(side) for side in there.max(axis=0) - (left, top)]
    return np.asarray(cv2.warpPerspective(image, onto, size, borderValue=(90, 90, 90)), np.uint8), onto


def _turned(degrees: float) -> Change:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return lambda image: _warped(image, np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]))


def _aslant(image: Image) -> tuple[Image, NDArray[np.float64]]:
    """Seen from low over the table's near edge: its far edge half as wide, and as little between."""
    height, width = image.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    there = corners * (1, 0.62) + np.array([[0.2, 0], [-0.2, 0], [0, 0], [0, 0]]) * (width, 0)
    onto = cv2.getPerspectiveTransform(corners, there.astype(np.float32))
    return _warped(image, np.asarray(onto, np.float64))


def _in_place(change: Callable[[NDArray[np.float32]], NDArray[np.floating]]) -> Change:
    return lambda image: (np.asarray(np.clip(change(image.astype(np.float32)), 0, 255), np.uint8), _STAYS)


def _packed(image: Image) -> tuple[Image, NDArray[np.float64]]:
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 20])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8), _STAYS


def _unsharp(image: NDArray[np.float32]) -> NDArray[np.floating]:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 2.5), np.float32)


def _moved(image: NDArray[np.float32]) -> NDArray[np.floating]:
    return np.asarray(cv2.filter2D(image, -1, np.eye(9, dtype=np.float32) / 9))


HARDSHIPS: dict[str, Change] = {
    "as they are": lambda image: (image, _STAYS),
    "640 pixels": _grown(640),
    "416 pixels": _grown(416),
    "320 pixels": _grown(320),
    "4000 pixels": _grown(4000),
    "turned by 90°": _turned(90),
    "turned by 180°": _turned(180),
    "turned by 30°": _turned(30),
    "aslant": _aslant,
    "JPEG quality 20": _packed,
    "out of focus": _in_place(_unsharp),
    "moved": _in_place(_moved),
    "dark": _in_place(lambda image: image * 0.25),
    "bright": _in_place(lambda image: image * 1.5 + 50),
    "grey": _in_place(lambda image: np.repeat(image.mean(axis=2, keepdims=True), 3, axis=2)),
}


def made_harder(photo: LabelledPhoto, change: Change) -> tuple[Image, LabelledPhoto]:
    """The picture, and the photograph's labels where they lie in it (how large is not told)."""
    image, onto = change(photo.read())
    places = (onto @ (box.x, box.y, 1) for box in photo.boxes)
    boxes = (
        box._replace(x=float(x / w), y=float(y / w)) for box, (x, y, w) in zip(photo.boxes, places, strict=True)
    )
    return image, msgspec.structs.replace(photo, boxes=tuple(boxes))


def main(folder: str) -> None:
    """Print the table."""
    eye, photos = CardEye(), [each for each in read_yolo(Path(folder) / "cards") if is_for_tuning(each.position)]
    for name, change in HARDSHIPS.items():
        score = Score()
        for photo in photos:
            image, labelled = made_harder(photo, change)
            add_photo(score, labelled, eye.look(image), threshold=READ)
        print(f"{name:16s} named right {score.right}, wrong {score.wrong}; labels found {score.found}/{score.truths}")


if __name__ == "__main__":
    main(*sys.argv[1:])
