"""Our own decks, as the rendered casino prints them, brought into the form of training faces."""

import cv2
import numpy as np

from datasets.card_faces import CARD_HEIGHT_PX, CardFace
from datasets.casino.backs import back_art
from datasets.casino.decks import STYLES, DeckStyle, card_art, index_boxes_mm
from datasets.casino.samples import VALID_FAMILIES
from datasets.index_art import RANKS, SUITS
from vision.seen import Image


def own_faces(*, held_back: bool) -> tuple[CardFace, ...]:
    """The faces of the decks to teach with, or of those that are only ever measured on."""
    return tuple(_face(style, rank + suit) for style in _styles(held_back) for rank in RANKS for suit in SUITS)


def own_backs(*, held_back: bool) -> tuple[CardFace, ...]:
    """The backs of the same decks."""
    backs = [(style, back_art(style)) for style in _styles(held_back)]
    return tuple(CardFace(label=None, picture=_sized(style, art), index=None) for style, art in backs)


def _styles(held_back: bool) -> list[DeckStyle]:
    return [style for style in STYLES.values() if (style.family in VALID_FAMILIES) == held_back]


def _sized(style: DeckStyle, art: Image) -> Image:
    """A card's art in the card's own proportions, at the common height."""
    width_mm, height_mm = style.size_mm
    size = (round(width_mm * CARD_HEIGHT_PX / height_mm), CARD_HEIGHT_PX)
    return np.asarray(cv2.resize(art, size, interpolation=cv2.INTER_AREA), np.uint8)


def _face(style: DeckStyle, card: str) -> CardFace:
    picture = _sized(style, card_art(style, card))
    px_per_mm = CARD_HEIGHT_PX / style.size_mm[1]
    left, top, right, bottom = (side * px_per_mm for side in index_boxes_mm(style)[0])
    across, down = picture.shape[1] / 2, picture.shape[0] / 2
    rect = (left + across, top + down, right + across, bottom + down)
    return CardFace(label=card, picture=picture, index=rect, corners=style.corners)
