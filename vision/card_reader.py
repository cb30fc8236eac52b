"""Reads rank and suit from an index: stands it upright, asks a small network, and says how far that can be trusted."""

import math

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision import weights
from vision.card_finder import Found, FrameArray, frame_height_px
from vision.seen import Image

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "Jkr")
SUITS = ("c", "d", "h", "s")
JOKER = "Jkr"
FILE = "card-reader.onnx"

CROP_WIDTH_PX, CROP_HEIGHT_PX = 40, 48
CROP_HALF_INDEX_PX = 18.0  # half an index's height in the crop
_BATCH = 64
_LEAST = 1e-6
_ANSWERS = ["rank", "suit", "embedding", "adjust"]
_SENSELESS, _HOPELESS, _SURE = 0.7, 0.05, 0.9  # where a crop is turned; between which it is cut anew
_PLAUSIBLE = 0.3  # what is less likely an index is not looked at more closely
_RECUTS = (0.9, 1.1)  # a sure reading of one cut may be chance; what holds a little larger and smaller is not
_SAME_INDEX = 0.4  # of the larger one's height: two indices are never nearer
_SAME_WORD, _PART_OF_WORD = 0.9, 0.7  # so near, a reading of a joker so much smaller is of a part of the same word
_MOST_ADJUSTED = 0.9  # in halves of an index's height: beyond that the network is guessing

Shares = NDArray[np.float32]


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One index as it was read: how likely it is one at all, and how likely each rank and suit."""

    frame: FrameArray
    is_index: float
    ranks: Shares
    suits: Shares
    embedding: Shares
    found: float = 0.5
    """How sure the finder was that something is there."""

    @property
    def sureness(self) -> float:
        """How likely the likeliest card is."""
        joker = self.ranks.argmax() == RANKS.index(JOKER)
        return self.is_index * float(self.ranks.max()) * (1.0 if joker else float(self.suits.max()))


class IndexReader:
    """The reading network."""

    def __init__(self, *, threads: int | None = None) -> None:
        held = weights.load(FILE, threads)
        self._session = held.session
        self._temperature = held.entry.settings.get("temperature", 1.0)

    def read(self, image: Image, found: list[Found]) -> list[Reading]:
        """Every found index, cut and read as it makes most sense."""
        layers = Layers(image)
        _, frames = self._read_frames(layers, [each.frame for each in found])
        readings, better = self._read_frames(layers, frames)
        # The finder seldom mistakes up for down; where the crop makes no sense, the other way up is asked as well.
        senseless = [at for at, reading in enumerate(readings) if reading.is_index < _SENSELESS]
        self._ask_again(layers, readings, senseless, [_turned(frames[at]) for at in senseless])
        doubtful = [at for at, reading in enumerate(readings) if _HOPELESS < reading.sureness < _SURE]
        self._ask_again(layers, readings, doubtful, [better[at] for at in doubtful])
        self._make_sure(layers, readings)
        read = [msgspec.structs.replace(each, found=one.conf) for each, one in zip(readings, found, strict=True)]
        return each_index_once(read)

    def _ask_again(self, layers: "Layers", readings: list[Reading], at: list[int], frames: list[FrameArray]) -> None:
        """Read some anew in other frames, and keep what makes more sense."""
        for place, other in zip(at, self._read_frames(layers, frames)[0], strict=True):
            if other.sureness > readings[place].sureness:
                readings[place] = other

    def _make_sure(self, layers: "Layers", readings: list[Reading]) -> None:
        """Cut what may be an index a little larger and smaller, and let all cuts have their say."""
        at = [place for place, reading in enumerate(readings) if reading.is_index > _PLAUSIBLE]
        cuts = [self._read_frames(layers, [_grown(readings[place].frame, by) for place in at])[0] for by in _RECUTS]
        for place, *others in zip(at, *cuts, strict=True):
            readings[place] = agreed(readings[place], others)

    def read_once(self, image: Image, found: list[Found]) -> list[Reading]:
        """Every found index, read as it was found."""
        return self._read_frames(Layers(image), [each.frame for each in found])[0]

    def _read_frames(self, layers: "Layers", frames: list[FrameArray]) -> tuple[list[Reading], list[FrameArray]]:
        """What the crops say; and the frames as they would have to be for the index to stand upright in their midst."""
        readings: list[Reading] = []
        better: list[FrameArray] = []
        for first in range(0, len(frames), _BATCH):
            part = frames[first : first + _BATCH]
            crops = np.stack([layers.crop(frame) for frame in part]).transpose(0, 3, 1, 2).astype(np.float32)
            rank_logits, suit_logits, embeddings, adjusts = self._session.run(_ANSWERS, {"image": crops})
            ranks, suits = (softmax(logits / self._temperature) for logits in (rank_logits, suit_logits))
            readings += [self._reading(*each) for each in zip(part, ranks, suits, embeddings, strict=True)]
            better += [adjusted(frame, adjust) for frame, adjust in zip(part, adjusts, strict=True)]
        return readings, better

    @staticmethod
    def _reading(frame: FrameArray, ranks: Shares, suits: Shares, embedding: Shares) -> Reading:
        """The networks' last class is «no index»; what is left is shared among the others."""
        is_rank, is_suit = 1 - float(ranks[-1]), 1 - float(suits[-1])
        joker = float(ranks[RANKS.index(JOKER)])
        return Reading(
            frame=frame,
            is_index=math.sqrt(is_rank * max(is_suit, joker)),
            ranks=ranks[:-1] / max(is_rank, 1e-6),
            suits=suits[:-1] / max(is_suit, 1e-6),
            embedding=embedding,
        )


def agreed(reading: Reading, others: list[Reading]) -> Reading:
    """One reading of several cuts: the mean of what they say."""
    every = [reading, *others]
    return msgspec.structs.replace(
        reading,
        is_index=float(np.mean([each.is_index for each in every])),
        ranks=pooled([each.ranks for each in every], alike=1.0),
        suits=pooled([each.suits for each in every], alike=1.0),
    )


def pooled(shares: list[Shares], *, alike: float) -> Shares:
    """What several opinions say together: at 0 they are strangers and their odds multiply, at 1 they repeat each other
    and their odds are averaged."""
    odds = np.log(np.stack(shares) + _LEAST).sum(axis=0, keepdims=True)
    return np.asarray(softmax(odds / len(shares) ** alike)[0], np.float32)


def each_index_once(readings: list[Reading]) -> list[Reading]:
    """Frames that were put right may turn out to be of the same index: the one that makes most sense is kept.

    A joker's word may be read twice, in part and as a whole.
    """
    kept: list[Reading] = []
    for each in sorted(readings, key=lambda one: -one.sureness * one.found):
        if not any(_are_of_one_index(each, one) for one in kept):
            kept.append(each)
    return kept


def _are_of_one_index(one: Reading, other: Reading) -> bool:
    smaller, larger = sorted((frame_height_px(one.frame), frame_height_px(other.frame)))
    jokers = one.ranks.argmax() == other.ranks.argmax() == RANKS.index(JOKER)
    reach = _SAME_WORD if jokers and smaller < _PART_OF_WORD * larger else _SAME_INDEX
    return math.dist(one.frame[0], other.frame[0]) <= reach * larger


def softmax(logits: Shares) -> Shares:
    grown = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True), np.float32)


def _grown(frame: FrameArray, by: float) -> FrameArray:
    return np.stack([frame[0], frame[1] * by, frame[2] * by])


def _turned(frame: FrameArray) -> FrameArray:
    return np.stack([frame[0], -frame[1], -frame[2]])


class Layers:
    """A picture and its halves, quarters and so on: what is large is cropped from a small one, so that strokes hold."""

    def __init__(self, image: Image) -> None:
        self._halves = [image]

    def crop(self, frame: FrameArray) -> Image:
        """An index stood upright."""
        return upright_crop(*self.fitting(frame, frame_height_px(frame) / (2 * CROP_HALF_INDEX_PX)))

    def fitting(self, frame: FrameArray, times: float) -> tuple[Image, FrameArray]:
        """The layer for a crop that many times smaller than what it shows, and the frame in that layer."""
        depth = max(0, int(math.log2(max(1.0, times / 1.2))))
        while len(self._halves) <= depth and min(self._halves[-1].shape[:2]) > 8:
            half = cv2.resize(self._halves[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            self._halves.append(np.asarray(half, np.uint8))
        depth = min(depth, len(self._halves) - 1)
        return self._halves[depth], np.asarray(frame / 2**depth, np.float32)


def adjusted(frame: FrameArray, adjust: Shares) -> FrameArray:
    """The frame put right by what the network says is wrong with it."""
    by = np.clip(adjust.reshape(3, 2), -_MOST_ADJUSTED, _MOST_ADJUSTED)
    seen = np.array([(0, 0), (1, 0), (0, 1)], np.float32) + by
    onto = seen @ frame[1:]
    onto[0] += frame[0]
    return np.asarray(onto, np.float32)


def upright_crop(image: Image, frame: FrameArray, size: tuple[int, int] = (CROP_WIDTH_PX, CROP_HEIGHT_PX)) -> Image:
    """The index stood upright, at the reading network's scale; a larger `size` shows more of what is around it."""
    centre, right, up = frame.astype(np.float64)
    middle = np.array([size[0] / 2 - 0.5, size[1] / 2 - 0.5])
    source = np.array([centre, centre + right, centre + up], np.float32)
    half = np.array([CROP_HALF_INDEX_PX, 0])
    target = np.array([middle, middle + half, middle - half[::-1]], np.float32)
    crop = cv2.warpAffine(image, cv2.getAffineTransform(source, target), size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
