"""Reads rank and suit from an index: stands it upright, asks two small networks, and says how far to trust them."""

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision import weights
from vision.card_finder import Found, FrameArray, frame_height_px
from vision.index_crops import CLOSE, WIDE, Cut, Layers, adjusted
from vision.odds import log_odds, probability
from vision.seen import Image

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "Jkr")
SUITS = ("c", "d", "h", "s")
JOKER = "Jkr"
FILE = "card-reader.onnx"
WITNESS_FILE = "card-witness.onnx"

_BATCH = 64
_LEAST = 1e-6
_ANSWERS = ["rank", "suit", "embedding", "adjust"]
_SENSELESS, _HOPELESS, _SURE = 0.7, 0.05, 0.9  # where a crop is turned; between which it is cut anew
_PLAUSIBLE = 0.3  # what is less likely an index is not looked at more closely
_RECUTS = (0.9, 1.1)  # a sure reading of one cut may be chance; what holds a little larger and smaller is not
_SECOND = 0.4  # how much the second network's word counts: the first sees ranks more finely
_SAME_INDEX = 0.4  # of the larger one's height: two indices are never nearer
_SAME_WORD, _PART_OF_WORD = 0.9, 0.7  # so near, a reading of a joker so much smaller is of a part of the same word

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
    """Two networks: one reads everything that was found, the other is a witness of what the first may take for an
    index. Taught apart and shown other crops, they seldom err alike."""

    def __init__(self, *, threads: int | None = None) -> None:
        self._network = _Network(FILE, CLOSE, threads)
        self._witness = _Network(WITNESS_FILE, WIDE, threads)

    def read(self, image: Image, found: list[Found]) -> list[Reading]:
        """Every found index, cut and read as it makes most sense."""
        layers = Layers(image)
        _, frames = self._network.read(layers, [each.frame for each in found])
        readings, better = self._network.read(layers, frames)
        # The finder seldom mistakes up for down; where the crop makes no sense, the other way up is asked as well.
        senseless = [at for at, reading in enumerate(readings) if reading.is_index < _SENSELESS]
        self._ask_again(layers, readings, senseless, [_turned(frames[at]) for at in senseless])
        doubtful = [at for at, reading in enumerate(readings) if _HOPELESS < reading.sureness < _SURE]
        self._ask_again(layers, readings, doubtful, [better[at] for at in doubtful])
        self._make_sure(layers, readings)
        read = [msgspec.structs.replace(each, found=one.conf) for each, one in zip(readings, found, strict=True)]
        return each_index_once(read)

    def _ask_again(self, layers: Layers, readings: list[Reading], at: list[int], frames: list[FrameArray]) -> None:
        """Read some anew in other frames, and keep what makes more sense."""
        for place, other in zip(at, self._network.read(layers, frames)[0], strict=True):
            if other.sureness > readings[place].sureness:
                readings[place] = other

    def _make_sure(self, layers: Layers, readings: list[Reading]) -> None:
        """Cut what may be an index a little larger and smaller, let all cuts have their say, and ask the witness."""
        at = [place for place, reading in enumerate(readings) if reading.is_index > _PLAUSIBLE]
        frames = [readings[place].frame for place in at]
        cuts = [self._network.read(layers, [_grown(frame, by) for frame in frames])[0] for by in _RECUTS]
        seconds, _ = self._witness.read(layers, frames)
        for place, second, *others in zip(at, seconds, *cuts, strict=True):
            readings[place] = as_both_say(agreed(readings[place], others), second)

    def read_once(self, image: Image, found: list[Found]) -> list[Reading]:
        """Every found index, read as it was found, by the first network alone."""
        return self._network.read(Layers(image), [each.frame for each in found])[0]


class _Network:
    """One reading network, and how it wants indices cut."""

    def __init__(self, file: str, cut: Cut, threads: int | None) -> None:
        held = weights.load(file, threads)
        self._session, self._cut = held.session, cut
        self._temperature = held.entry.settings.get("temperature", 1.0)

    def read(self, layers: Layers, frames: list[FrameArray]) -> tuple[list[Reading], list[FrameArray]]:
        """What the crops say; and the frames as they would have to be for the index to stand upright in their midst."""
        readings: list[Reading] = []
        better: list[FrameArray] = []
        for first in range(0, len(frames), _BATCH):
            part = frames[first : first + _BATCH]
            crops = np.stack([layers.crop(frame, self._cut) for frame in part]).transpose(0, 3, 1, 2)
            logits = self._session.run(_ANSWERS, {"image": crops.astype(np.float32)})
            ranks, suits = (softmax(each / self._temperature) for each in logits[:2])
            embeddings, adjusts = logits[2:]
            readings += [_reading(*each) for each in zip(part, ranks, suits, embeddings, strict=True)]
            better += [adjusted(frame, adjust) for frame, adjust in zip(part, adjusts, strict=True)]
        return readings, better


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


def as_both_say(reading: Reading, second: Reading) -> Reading:
    """What both networks say of one index: the mean of their log odds. A learnt deck goes by the first alone."""
    being = (1 - _SECOND) * log_odds(reading.is_index) + _SECOND * log_odds(second.is_index)
    return msgspec.structs.replace(
        reading,
        is_index=probability(being),
        ranks=_between(reading.ranks, second.ranks),
        suits=_between(reading.suits, second.suits),
    )


def _between(one: Shares, other: Shares) -> Shares:
    odds = (1 - _SECOND) * np.log(one + _LEAST) + _SECOND * np.log(other + _LEAST)
    return np.asarray(softmax(odds[None])[0], np.float32)


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
    ordered = sorted(readings, key=lambda one: -one.sureness * one.found)
    heights = np.array([frame_height_px(each.frame) for each in ordered])
    centres = np.array([each.frame[0] for each in ordered]).reshape(-1, 2)
    jokers = np.array([each.ranks.argmax() == RANKS.index(JOKER) for each in ordered], bool)
    kept: list[int] = []
    for at in range(len(ordered)):
        smaller, larger = np.minimum(heights[at], heights[kept]), np.maximum(heights[at], heights[kept])
        is_word = jokers[at] & jokers[kept] & (smaller < _PART_OF_WORD * larger)
        apart = np.hypot(*(centres[kept] - centres[at]).T)
        if not np.any(apart <= np.where(is_word, _SAME_WORD, _SAME_INDEX) * larger):
            kept.append(at)
    return [ordered[at] for at in kept]


def softmax(logits: Shares) -> Shares:
    grown = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True), np.float32)


def _grown(frame: FrameArray, by: float) -> FrameArray:
    return np.stack([frame[0], frame[1] * by, frame[2] * by])


def _turned(frame: FrameArray) -> FrameArray:
    return np.stack([frame[0], -frame[1], -frame[2]])
