"""Reads what small things show: a die's face, a tile's name, from the square around the thing."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import weights
from vision.seen import UNREAD, Box, Image, Kind

READER = "small-faces.onnx"
FACE_PX = 64  # what the reader is taught at now; the shipped weights say for themselves
DIE_FACES = ("1", "2", "3", "4", "5", "6")
TILE_FACES = (
    "teen", "day", "yun", "gor", "mooy", "chong", "bon", "foo", "ping", "tit", "look", "gow63", "gow54", "bot62",
    "bot53", "chit52", "chit43", "ng41", "ng32", "gj6", "gj3", UNREAD,
)  # fmt: skip
NOTHING = "nothing"
FACES = (*DIE_FACES, *TILE_FACES, NOTHING)
"""What the reader is taught now; what the shipped one knows is in the manifest."""
_MARGIN = 1.15  # the square is that much larger than the thing's longer side


def read_faces(image: Image, things: Sequence[tuple[Kind, Box]]) -> list[tuple[str, float]]:
    """For each die or tile what it shows and how sure that is; `NOTHING` for what only looked like one."""
    if not things:
        return []
    loaded = weights.load(READER)
    side_px = int(loaded.session.get_inputs()[0].shape[-1])
    squares = np.stack([face_square(image, box, side_px) for _, box in things])
    scores = loaded.session.run(None, {"seen": squares})[0] / loaded.entry.settings.get("temperature", 1.0)
    known = loaded.entry.classes
    answers = []
    for (kind, _), row in zip(things, scores, strict=True):
        faces = DIE_FACES if kind == "die" else TILE_FACES
        own = [index for index, face in enumerate(known) if face in faces or face == NOTHING]
        powers = np.exp(row[own] - row[own].max())
        best = int(powers.argmax())
        answers.append((known[own[best]], float(powers[best] / powers.sum())))
    return answers


def face_square(image: Image, box: Box, side_px: int = FACE_PX) -> NDArray[np.float32]:
    """The square around a box at the reader's size, colours first, around zero."""
    left, top, right, bottom = box
    side = max(right - left, bottom - top) * _MARGIN
    scale = side_px / max(side, 1.0)
    middle = np.array([(left + right) / 2, (top + bottom) / 2])
    if scale < 0.6:  # linear sampling would skip pixels
        x, y = np.maximum(middle - side, 0).astype(int)
        around = image[y : y + int(2 * side), x : x + int(2 * side)]
        image = cv2.GaussianBlur(around, (0, 0), 0.4 / scale).astype(np.uint8)
        middle = middle - (x, y)
    matrix = np.column_stack([np.eye(2) * scale, np.full(2, side_px / 2) - middle * scale])
    square = cv2.warpAffine(image, matrix, (side_px, side_px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(square.transpose(2, 0, 1).astype(np.float32) / 255 - 0.5)
