"""Merges indices into physical cards: two corners of one card agree in what they say and in how they lie.

A card's witnesses are its indices and, where its outline is known, its face: each gives shares to ranks and suits.
"""

import math
from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.card_face import Face
from vision.card_finder import FrameArray
from vision.card_reader import JOKER, RANKS, SUITS, Reading, Shares, pooled
from vision.seen import Box, Point, Quad

# The opposite corner as the upright index sees it, in halves of its own height: how far right, how far down.
# From a jumbo index (a third of the card) to a small one (a seventh), poker and bridge size, and askew by perspective.
_ACROSS = (1.8, 11.0)
_DOWN = (2.4, 14.0)
_ACROSS_TO_DOWN = (0.35, 1.7)
# A joker's word may be half as long as its card is high, and stand anywhere along its top.
_JOKER_ACROSS, _JOKER_DOWN, _JOKER_FIT = (-1.0, 11.0), (1.3, 14.0), 0.6
_NARROWEST = 0.58  # a card's width to its height
_MOST_TURN_DEG = 35.0
_SIZE_RATIO = 1.9
_AGREEMENT = 0.1
# The print's distance from the card's edges, and an index's width, in parts of the card and of the index.
_EDGE_Y, _EDGE_X, _INDEX_WIDTH = 0.035, 0.03, 0.42
_HALF_READ, _DOUBT = 0.5, 0.01
_ALIKE = 0.6  # of a card's indices: the same print, as badly lit and as much blurred, misleads the reader in each
_IN_CORNER = 0.6  # of the half width and height: so far out an index lies on its card


class Corners(msgspec.Struct, frozen=True, kw_only=True):
    """One physical card: the readings of those of its indices that show, and of its face where that was asked."""

    readings: tuple[Reading, ...]
    face: Face | None = None

    @property
    def indices(self) -> tuple[Shares, Shares]:
        """How likely each rank and each suit is, from all corners together."""
        ranks, suits = [each.ranks for each in self.readings], [each.suits for each in self.readings]
        return pooled(ranks, alike=_ALIKE), pooled(suits, alike=_ALIKE)

    @property
    def shares(self) -> tuple[Shares, Shares]:
        """How likely each rank and each suit is, from all witnesses together. The indices are one: a typeface that
        misleads in one corner does so in the other."""
        ranks, suits = self.indices
        if self.face is None:
            return _product([ranks]), _product([suits])
        return _product([ranks, self.face.ranks]), _product([suits, self.face.suits])

    @property
    def is_card(self) -> float:
        """How likely it is a card at all: at least one of its indices is one, and its face is a card's."""
        is_index = 1 - math.prod(1 - each.is_index for each in self.readings)
        if self.face is None:
            return is_index
        return float(_product([_either(is_index), _either(self.face.is_card)])[0])

    @property
    def label(self) -> str:
        """What the card is called, with `?` for what is not read."""
        ranks, suits = self.shares
        rank, suit = RANKS[int(ranks.argmax())], SUITS[int(suits.argmax())]
        read_rank, read_suit = float(ranks.max()) > _HALF_READ, float(suits.max()) > _HALF_READ
        if rank == JOKER and read_rank:
            return JOKER
        return (rank[0] if read_rank else "?") + (suit if read_suit else "?")

    @property
    def found(self) -> float:
        """How sure the finder was of the surest of its indices."""
        return max(each.found for each in self.readings)

    @property
    def quad(self) -> Quad | None:
        """The card's outline where two opposite corners tell it."""
        return outline_of(self.readings[0].frame, self.readings[1].frame) if len(self.readings) > 1 else None

    @property
    def box(self) -> Box:
        """What shows of the card, as far as its indices tell."""
        quad = self.quad
        if quad is not None:
            points = np.array(quad)
        else:
            frame = self.readings[0].frame
            right = frame[1] * _INDEX_WIDTH
            points = np.array([frame[0] + x * right + y * frame[2] for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))])
        (x1, y1), (x2, y2) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        return x1, y1, x2, y2


def share_of(label: str, shares: tuple[Shares, Shares]) -> float:
    """How likely a name is by shares of ranks and suits; what it leaves open counts as certain."""
    ranks, suits = shares
    if label == JOKER:
        return float(ranks[RANKS.index(JOKER)])
    rank = 1.0 if label[0] == "?" else float(ranks[RANKS.index(label[0])])
    return rank if label[1] == "?" else rank * float(suits[SUITS.index(label[1])])


def _either(share: float) -> Shares:
    return np.array([share, 1 - share], np.float32)


def _product(shares: list[Shares]) -> Shares:
    """Independent opinions multiply; each keeps a doubt, so that one sure mistake does not decide alone."""
    product = np.prod([(1 - _DOUBT) * each + _DOUBT / len(each) for each in shares], axis=0)
    return np.asarray(product / product.sum(), np.float32)


def merge(readings: list[Reading]) -> list[Corners]:
    """Cards, each with one index or with two that are opposite corners of it; surest pairs first."""
    pairs = []
    for at, other_at, agreement in _agreeing(readings):
        fit = agreement * _fit(readings[at], readings[other_at])
        if fit > 0:
            pairs.append((fit, at, other_at))
    taken: set[int] = set()
    cards = []
    for _, at, other_at in sorted(pairs, reverse=True):
        if not taken & {at, other_at}:
            taken |= {at, other_at}
            cards.append(Corners(readings=(readings[at], readings[other_at])))
    return _four_cornered(cards + [Corners(readings=(each,)) for at, each in enumerate(readings) if at not in taken])


def _four_cornered(cards: list[Corners]) -> list[Corners]:
    """Some decks print an index in all four corners: what lies in the other two corners of a card belongs to it."""
    whole: dict[int, tuple[Corners, str, Quad | None]] = {}
    for number, card in enumerate(cards):
        label = card.label
        alike = ((at, quad) for at, (_, name, quad) in whole.items() if name == label)
        at = next((at for at, quad in alike if _lies_in_corners(card, quad)), number)
        if at != number:
            card = Corners(readings=whole[at][0].readings + card.readings)
        whole[at] = card, card.label, card.quad
    return [card for card, _, _ in whole.values()]


def _lies_in_corners(card: Corners, quad: Quad | None) -> bool:
    """Whether all of the card's indices lie in corners of an outline."""
    if quad is None:
        return False
    first, second, third, _ = (np.array(corner) for corner in quad)
    axes = np.stack([(second - first) / 2, (second - third) / 2], axis=1)
    middle = (first + third) / 2
    places = [np.linalg.solve(axes, reading.frame[0] - middle) for reading in card.readings]
    return all(bool(np.all((np.abs(place) > _IN_CORNER) & (np.abs(place) < 1.05))) for place in places)


def _agreeing(readings: list[Reading]) -> Iterator[tuple[int, int, float]]:
    """Pairs of indices that may say the same, and how likely they do."""
    if not readings:
        return
    ranks, suits = np.stack([each.ranks for each in readings]), np.stack([each.suits for each in readings])
    joker = ranks.argmax(axis=1) == RANKS.index(JOKER)
    same = (ranks @ ranks.T) * np.where(joker[:, None] & joker, 1.0, suits @ suits.T)  # a joker has no suit
    for at, other_at in np.argwhere(np.triu(same >= _AGREEMENT, 1)).tolist():
        yield at, other_at, float(same[at, other_at])


def _fit(one: Reading, other: Reading) -> float:
    """How well two indices lie to each other as one card's; 0 when they cannot."""
    jokers = bool(one.ranks.argmax() == other.ranks.argmax() == RANKS.index(JOKER))
    return min(lies_opposite(one.frame, other.frame, jokers), lies_opposite(other.frame, one.frame, jokers))


def lies_opposite(frame: FrameArray, other: FrameArray, jokers: bool = False) -> float:
    """How well another index lies as the opposite corner of this one's card; 0 when it cannot be."""
    (x, y), (rx, ry), (ux, uy) = (other[0] - frame[0]).tolist(), frame[1].tolist(), frame[2].tolist()
    area = ry * ux - rx * uy
    if abs(area) < 1e-6:
        return 0.0
    across, down = (y * ux - x * uy) / area, (y * rx - x * ry) / area
    aside, below = (_JOKER_ACROSS, _JOKER_DOWN) if jokers else (_ACROSS, _DOWN)
    if not (aside[0] < across < aside[1] and below[0] < down < below[1]):
        return 0.0
    if not (jokers or _ACROSS_TO_DOWN[0] < across / down < _ACROSS_TO_DOWN[1]):
        return 0.0
    turn = max(_turn_deg(frame[row], -other[row]) for row in (1, 2))
    ratio = np.linalg.norm(frame[2]) / max(float(np.linalg.norm(other[2])), 1e-6)
    if turn > _MOST_TURN_DEG or not 1 / _SIZE_RATIO < ratio < _SIZE_RATIO:
        return 0.0
    return float((1 - turn / 60) * (_JOKER_FIT if jokers else math.exp(-abs(math.log(across / down / 0.8)))))


def _turn_deg(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    cosine = float(one @ other) / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-9)
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


def outline_of(frame: FrameArray, other: FrameArray) -> Quad:
    """The quadrilateral around two opposite indices: their frames' axes, and the usual distance from the edges."""
    middle = (frame[0] + other[0]) / 2
    right, up = (frame[1] - other[1]) / 2, (frame[2] - other[2]) / 2
    axes = np.stack([right, -up], axis=1).astype(np.float64)
    across, down = np.linalg.solve(axes, (other[0] - frame[0]).astype(np.float64))
    half_height = (down / 2 + 1) / (1 - 2 * _EDGE_Y)
    half_width = max((across / 2 + _INDEX_WIDTH) / (1 - 2 * _EDGE_X), _NARROWEST * half_height)
    corners = [middle + x * half_width * right + y * half_height * up for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    first, second, third, fourth = (_point(corner) for corner in corners)
    return first, second, third, fourth


def _point(corner: NDArray[np.float32]) -> Point:
    x, y = corner.tolist()
    return x, y
