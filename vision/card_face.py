"""Reads a card by its whole face: number and pattern of the pips, or a court, and the suit's shape many times over.

An index is told by its typeface; pips lie alike in practically every deck. The corners with the indices are wiped from
the crop before the network sees it, so that the face is a witness of its own.
"""

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision import weights
from vision.card_finder import FrameArray
from vision.card_reader import Shares, softmax
from vision.index_crops import Layers
from vision.seen import Image, Quad

FILE = "card-face.onnx"
CROP_WIDTH_PX, CROP_HEIGHT_PX = 64, 88
CROP_HALF_PX = (26.0, 37.0)  # half a card's width and height in the crop
INDEX_REACH = (0.42, 1.1)  # how far an index reaches from its middle, in halves of its height
_LEAST_INSIDE = 0.85  # of a card's corners and middle must lie in the picture: so much of its outline
_BATCH = 32

Inner = NDArray[np.float32]
"""How far from a card's middle its indices begin, across and along, in halves of its width and height."""


class Face(msgspec.Struct, frozen=True, kw_only=True):
    """What a whole face tells: how likely it is a card's at all, and how likely each rank and suit."""

    is_card: float
    ranks: Shares
    suits: Shares


class FaceReader:
    """The network that reads whole faces."""

    def __init__(self, *, threads: int | None = None) -> None:
        held = weights.load(FILE, threads)
        self._session = held.session
        self._temperature = held.entry.settings.get("temperature", 1.0)

    def read(self, image: Image, cards: list[tuple[FrameArray, list[FrameArray]]]) -> list[Face]:
        """The faces of cards of which the frame and those of their indices are given."""
        layers, faces = Layers(image), list[Face]()
        for first in range(0, len(cards), _BATCH):
            crops = np.stack([_crop(layers, *card) for card in cards[first : first + _BATCH]])
            answers = self._session.run(None, {"image": crops.transpose(0, 3, 1, 2).astype(np.float32)})
            ranks, suits = (softmax(logits / self._temperature) for logits in answers)
            faces += [_face(*each) for each in zip(ranks, suits, strict=True)]
        return faces


def _face(ranks: Shares, suits: Shares) -> Face:
    """The network's last class is «no card»; what is left is shared among the others."""
    is_card = 1 - float(ranks[-1])
    is_suit = 1 - float(suits[-1])
    return Face(is_card=is_card, ranks=ranks[:-1] / max(is_card, 1e-6), suits=suits[:-1] / max(is_suit, 1e-6))


def card_frame(quad: Quad) -> FrameArray:
    """Centre, right and up of a card's outline, which begins at its upper left and goes round as the face is read."""
    first, second, third, fourth = np.array(quad, np.float32)
    across, along = (second + third - first - fourth) / 4, (first + second - third - fourth) / 4
    return np.stack([(first + second + third + fourth) / 4, across, along])


def lies_inside(frame: FrameArray, image: Image) -> bool:
    """Whether a card lies in the picture, but for a little of its edge."""
    ways = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]) * _LEAST_INSIDE
    points = frame[0] + ways @ frame[1:]
    return bool(np.all((points >= 0) & (points < image.shape[1::-1])))


def inner_corner(frame: FrameArray, indices: list[FrameArray]) -> Inner:
    """Where the indices begin, seen from the middle of the card: by the one that reaches farthest in."""
    inner = np.ones(2, np.float32)
    for index in indices:
        middle, up = ((index[0] - frame[0]), index[2])
        at, high = (np.abs(np.linalg.solve(frame[1:].T, each)) for each in (middle, up))
        wide = np.abs(np.linalg.solve(frame[1:].T, index[1]))
        inner = np.minimum(inner, at - np.array([wide[0] * INDEX_REACH[0], high[1] * INDEX_REACH[1]], np.float32))
    return np.asarray(np.clip(inner, 0.1, 1.0), np.float32)


def upright_card(image: Image, frame: FrameArray, size: tuple[int, int] = (CROP_WIDTH_PX, CROP_HEIGHT_PX)) -> Image:
    """The card stood upright, at the network's scale; a larger `size` shows more of what is around it."""
    centre, right, up = frame.astype(np.float64)
    x, y = size[0] / 2 - 0.5, size[1] / 2 - 0.5
    source = np.array([centre, centre + right, centre + up], np.float32)
    target = np.array([(x, y), (x + CROP_HALF_PX[0], y), (x, y - CROP_HALF_PX[1])], np.float32)
    crop = cv2.warpAffine(image, cv2.getAffineTransform(source, target), size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def _crop(layers: Layers, frame: FrameArray, indices: list[FrameArray]) -> Image:
    times = float(np.linalg.norm(frame[2])) / CROP_HALF_PX[1]
    crop = upright_card(*layers.fitting(frame, times))
    wiped = _corners(inner_corner(frame, indices))
    crop[wiped] = crop[~wiped].mean(axis=0)
    return crop


def _corners(inner: Inner) -> NDArray[np.bool_]:
    """The pixels of the crop in which an index may stand, in any of the four corners."""
    across, along = (
        np.abs(np.arange(size) - (size - 1) / 2) / half
        for size, half in zip((CROP_WIDTH_PX, CROP_HEIGHT_PX), CROP_HALF_PX, strict=True)
    )
    return np.asarray((along[:, None] > inner[1]) & (across[None, :] > inner[0]))
