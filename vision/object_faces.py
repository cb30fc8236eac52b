"""Reads what small things show: a die's face, a tile's name, from the square around the thing."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import weights
from vision.die_witness import DIE_MARGIN, DIE_PX, agreed, witnessed
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
_LEAST_SPREAD = 0.04  # what has less contrast than this is even: its noise is not made larger still
_LARGEST = 1.5
_SURE = 0.98  # what is less sure is looked at again, mirrored and with so much less shine:
_SHINE_SHARES: dict[Kind, tuple[float, ...]] = {"die": (0.0, 0.7), "tile": (0.0,)}  # white pips are shine, too


def read_faces(image: Image, things: Sequence[tuple[Kind, Box]]) -> list[tuple[str, float]]:
    """For each die or tile what it shows and how sure that is; `NOTHING` for what only looked like one."""
    if not things:
        return []
    loaded = weights.load(READER)
    side_px = int(loaded.session.get_inputs()[0].shape[-1])
    divisor = loaded.entry.settings.get("temperature", 1.0)
    dice = [cut_square(image, box, DIE_PX, DIE_MARGIN) for kind, box in things if kind == "die"]
    second = iter(witnessed(dice) if dice else ())
    answers = []
    for kind, box in things:
        faces = DIE_FACES if kind == "die" else TILE_FACES
        own = [index for index, face in enumerate(loaded.entry.classes) if face in faces or face == NOTHING]
        square = cut_square(image, box, side_px)
        likely = _likely(loaded.session.run(None, {"seen": levelled(square)[None]})[0][:, own] / divisor)
        if likely.max() < _SURE:
            views = np.stack([levelled(without_shine(square, share)) for share in _SHINE_SHARES[kind]])
            views = np.concatenate([views, views[..., ::-1]])
            likely = _likely(loaded.session.run(None, {"seen": views})[0][:, own] / divisor)
        if kind == "die":
            likely = agreed(likely, next(second))
        best = int(likely.argmax())
        answers.append((loaded.entry.classes[own[best]], float(likely[best])))
    return answers


def _likely(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Probabilities from the scores of one or several views of the same thing."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray((powers / powers.sum(axis=1, keepdims=True)).mean(axis=0), np.float32)


def without_shine(square: NDArray[np.float32], share: float) -> NDArray[np.float32]:
    """A square less a share of the white in each pixel: a lamp mirrored in a glossy die is white, red pips are not."""
    return np.asarray(square - square.min(axis=0, keepdims=True) * share, np.float32)


def face_square(image: Image, box: Box, side_px: int = FACE_PX) -> NDArray[np.float32]:
    """The square around a box as the reader is shown it."""
    return levelled(cut_square(image, box, side_px))


def cut_square(image: Image, box: Box, side_px: int = FACE_PX, margin: float = _MARGIN) -> NDArray[np.float32]:
    """The square around a box at the reader's size, colours first, from 0 to 1."""
    left, top, right, bottom = box
    side = max(right - left, bottom - top) * margin
    scale = side_px / max(side, 1.0)
    middle = np.array([(left + right) / 2, (top + bottom) / 2])
    if scale < 0.6:  # linear sampling would skip pixels
        x, y = np.maximum(middle - side, 0).astype(int)
        around = image[y : y + int(2 * side), x : x + int(2 * side)]
        image = cv2.GaussianBlur(around, (0, 0), 0.4 / scale).astype(np.uint8)
        middle = middle - (x, y)
    matrix = np.column_stack([np.eye(2) * scale, np.full(2, side_px / 2) - middle * scale])
    square = cv2.warpAffine(image, matrix, (side_px, side_px), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(square.transpose(2, 0, 1) / 255, np.float32)


def levelled(square: NDArray[np.float32]) -> NDArray[np.float32]:
    """Colours relative to the thing's own: red pips on a brown die stand out as much as black ones on a white die."""
    quarter = square.shape[-1] // 4
    inner = square[:, quarter:-quarter, quarter:-quarter]
    own = inner.mean(axis=(1, 2), keepdims=True)
    spread = max(float(np.sqrt(np.square(inner - own).mean())), _LEAST_SPREAD)
    return np.ascontiguousarray(np.clip((square - own) / (3 * spread), -_LARGEST, _LARGEST), np.float32)
