"""The card eye: finds indices, reads them, merges them into cards, and asks their faces.

>>> eye = CardEye()  # doctest: +SKIP
>>> [seen.label for seen in eye.look(image)]  # doctest: +SKIP
['As', 'Kd']
"""

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from vision import weights
from vision.card_decks import Deck
from vision.card_face import FaceReader, card_frame, lies_inside
from vision.card_finder import FrameFinder
from vision.card_merge import Corners, merge
from vision.card_reader import FILE as READER_FILE
from vision.card_reader import JOKER, IndexReader, Reading
from vision.card_trust import Trust
from vision.seen import UNREAD, Image, Quad, Seen

FINDER_FILE = "card-finder.onnx"
_IS_INDEX = 0.5
READ = 0.8  # a name that is less likely right is not said: so every third wrong one goes, and one right one in thirty
READ_LEARNT = 0.5  # a learnt deck spreads its shares among more looks: with less it is as often right
_READ_JOKER = 0.8  # no suit speaks for a joker: below that it is mostly a die or a button
_READ_WITHIN = 0.8  # within the outline of a card that is read there is much print, and seldom another card
_HALF_READ = 0.6  # nor is it said that there is a card, with less confidence than that


class CardEye:
    """Sees cards by their indices: one entry per physical card, named where that can be read."""

    def __init__(self, *, deck: Deck | None = None, threads: int | None = None) -> None:
        self._finder = FrameFinder(FINDER_FILE, threads=threads)
        self._reader = IndexReader(threads=threads)
        self._faces = FaceReader(threads=threads)
        self._deck = deck
        self._least = READ if deck is None else READ_LEARNT
        self._trust = Trust.of(weights.entry(READER_FILE).settings)

    def look(self, image: Image, index_px: float | None = None) -> list[Seen]:
        """All cards in the picture; `index_px` is an index's height in it, where that is known (it saves time)."""
        cards = merge(self.read(image, index_px))
        seen = [self._seen(card) for card in self.witnessed(image, cards, [card.quad for card in cards])]
        whole = [each for each in seen if each.quad is not None and "?" not in (each.label or "")]
        return [each for each in seen if self._is_worth_saying(each) and not _is_print_of(each, whole)]

    def read(self, image: Image, index_px: float | None = None) -> list[Reading]:
        """All indices in the picture, each by itself."""
        found = self._finder.find(image, height_px=index_px)
        readings = [each for each in self._reader.read(image, found) if each.is_index > _IS_INDEX]
        return readings if self._deck is None else [self._deck.reread(each) for each in readings]

    def witnessed(self, image: Image, cards: Sequence[Corners], outlines: Sequence[Quad | None]) -> list[Corners]:
        """The cards, with what their faces say where an outline is known and lies within the picture."""
        frames = {at: card_frame(outline) for at, outline in enumerate(outlines) if outline is not None}
        asked = {at: frame for at, frame in frames.items() if lies_inside(frame, image)}
        crops = [(frame, [each.frame for each in cards[at].readings]) for at, frame in asked.items()]
        faces = dict(zip(asked, self._faces.read(image, crops), strict=True))
        return [msgspec.structs.replace(card, face=faces.get(at)) for at, card in enumerate(cards)]

    def _seen(self, card: Corners) -> Seen:
        label, conf = self._named(card)
        return Seen(kind="card", label=label, conf=conf, box=card.box, quad=card.quad)

    def _named(self, card: Corners) -> tuple[str, float]:
        """As much of the card's name as is likely enough, and how likely that is."""
        label, conf, rank_conf = card.label, self._trust.conf(card), self._trust.rank_conf(card)
        if "?" not in label and conf >= (_READ_JOKER if label == JOKER else self._least):
            return label, conf
        if label != JOKER and label[0] != "?" and rank_conf >= self._least:
            return label[0] + "?", rank_conf
        # Of a card that is not read it is only said that it is one: an index, and the finder must be sure of it.
        return label if label[0] == "?" else UNREAD, card.is_card * card.found

    def _is_worth_saying(self, seen: Seen) -> bool:
        return seen.conf >= (_HALF_READ if "?" in (seen.label or "") else self._least)


def _is_print_of(seen: Seen, whole: list[Seen]) -> bool:
    """Whether what is half read, or not surely, is a pip or a piece of court of a card that is: it lies within it."""
    if seen in whole or ("?" not in (seen.label or "") and seen.conf >= _READ_WITHIN):
        return False
    x1, y1, x2, y2 = seen.box
    middle = ((x1 + x2) / 2, (y1 + y2) / 2)
    return any(cv2.pointPolygonTest(np.array(other.quad, np.float32), middle, False) > 0 for other in whole)
