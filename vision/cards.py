"""The card eye: finds indices, reads them, merges them into cards; finds outlines, and by them backs and unread cards.

>>> eye = CardEye()  # doctest: +SKIP
>>> [seen.label for seen in eye.look(image)]  # doctest: +SKIP
['As', 'Kd']
"""

import cv2
import numpy as np

from vision import weights
from vision.card_decks import Deck
from vision.card_finder import Found, FrameFinder
from vision.card_merge import Corners, merge
from vision.card_outlines import BACK, box_of, covers_any, holds_index, quad_of
from vision.card_reader import FILE as READER_FILE
from vision.card_reader import JOKER, IndexReader, Reading
from vision.card_trust import Trust
from vision.seen import UNREAD, Image, Seen

FINDER_FILE, OUTLINER_FILE = "card-finder.onnx", "card-outliner.onnx"
_IS_INDEX = 0.5
_CARD_TO_INDEX = 4.3  # the mean of a card's width and height, to the height of a usual index
_UNREAD_CARD = 0.6
_READ = 0.5  # a name that is less likely right than wrong is not said
_READ_JOKER = 0.8  # no suit speaks for a joker: below that it is mostly a die or a button
_HALF_READ = 0.6  # nor is it said that there is a card, with less confidence than that


class CardEye:
    """Sees cards: one entry per physical card, named where its index can be read, and backs.

    With `outlines=False` only what has an index is seen: that is faster, where nobody asks for backs.
    """

    def __init__(self, *, deck: Deck | None = None, outlines: bool = False, threads: int | None = None) -> None:
        self._finder = FrameFinder(FINDER_FILE, threads=threads)
        self._reader = IndexReader(threads=threads)
        self._outliner = FrameFinder(OUTLINER_FILE, threads=threads) if outlines else None
        self._deck = deck
        self._trust = Trust.of(weights.entry(READER_FILE).settings)

    def look(self, image: Image, index_px: float | None = None) -> list[Seen]:
        """All cards in the picture; `index_px` is an index's height in it, where that is known (it saves time)."""
        cards = merge(self.read(image, index_px))
        outlines: list[Found] = []
        if self._outliner is not None:
            card_px = None if index_px is None else index_px * _CARD_TO_INDEX
            outlines = self._outliner.find(image, height_px=card_px)
        seen = [self._seen(card, outlines) for card in cards]
        whole = [each for each in seen if each.quad is not None and "?" not in (each.label or "")]
        said = [each for each in seen if _is_worth_saying(each) and not _is_print_of(each, whole)]
        return said + _without_index(outlines, cards)

    def read(self, image: Image, index_px: float | None = None) -> list[Reading]:
        """All indices in the picture, each by itself."""
        found = self._finder.find(image, height_px=index_px)
        readings = [each for each in self._reader.read(image, found) if each.is_index > _IS_INDEX]
        return readings if self._deck is None else [self._deck.reread(each) for each in readings]

    def _seen(self, card: Corners, outlines: list[Found]) -> Seen:
        label, _ = card.label_and_conf
        conf = self._trust.conf(card)
        if "?" in label or conf < (_READ_JOKER if label == JOKER else _READ):
            # Of a card that is not read it is only said that it is one: an index, and the finder must be sure of it.
            label, conf = label if "?" in label else UNREAD, card.is_card * card.found
        quad, box = card.quad, card.box
        if quad is None:
            fitting = [each for each in outlines if each.kind != BACK and holds_index(each, card)]
            if fitting:
                quad = quad_of(max(fitting, key=lambda each: each.conf))
                box = box_of(quad)
        return Seen(kind="card", label=label, conf=conf, box=box, quad=quad)


def _is_worth_saying(seen: Seen) -> bool:
    return seen.conf > (_HALF_READ if "?" in (seen.label or "") else _READ)


def _is_print_of(seen: Seen, whole: list[Seen]) -> bool:
    """Whether what is half read is a pip or a piece of court of a card that is read: it lies within its outline."""
    if "?" not in (seen.label or ""):
        return False
    x1, y1, x2, y2 = seen.box
    middle = ((x1 + x2) / 2, (y1 + y2) / 2)
    return any(cv2.pointPolygonTest(np.array(other.quad, np.float32), middle, False) > 0 for other in whole)


def _without_index(outlines: list[Found], cards: list[Corners]) -> list[Seen]:
    """Backs, and faces of which no index shows or can be made out."""
    left = [each for each in outlines if not any(covers_any(each, card) for card in cards)]
    seen = []
    for each in left:
        quad = quad_of(each)
        if each.kind == BACK:
            seen.append(Seen(kind="back", conf=each.conf, box=box_of(quad), quad=quad))
        elif each.conf > _UNREAD_CARD:
            seen.append(Seen(kind="card", label=UNREAD, conf=each.conf, box=box_of(quad), quad=quad))
    return seen
