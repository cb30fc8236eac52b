"""Our own decks, as the rendered casino prints them, brought into the form of training faces."""

import cv2
import numpy as np

from datasets.card_faces import CARD_HEIGHT_PX, CardFace
from datasets.casino.decks import STYLES, DeckStyle, card_art, index_boxes_mm
from datasets.casino.samples import VALID_FAMILIES
from datasets.index_art import RANKS, SUITS


def own_faces(*, held_back: bool) -> tuple[CardFace, ...]:
    """The faces of the decks to teach with, or of those that are only ever measured on."""
    styles = [style for style in STYLES.values() if (style.family in VALID_FAMILIES) == held_back]
    return tuple(_face(style, rank + suit) for style in styles for rank in RANKS for suit in SUITS)


def _face(style: DeckStyle, card: str) -> CardFace:
    width_mm, height_mm = style.size_mm
    px_per_mm = CARD_HEIGHT_PX / height_mm
    size = (round(width_mm * px_per_mm), CARD_HEIGHT_PX)
    picture = np.asarray(cv2.resize(card_art(style, card), size, interpolation=cv2.INTER_AREA), np.uint8)
    left, top, right, bottom = (side * px_per_mm for side in index_boxes_mm(style)[0])
    across, down = size[0] / 2, size[1] / 2
    rect = (left + across, top + down, right + across, bottom + down)
    return CardFace(label=card, picture=picture, index=rect, corners=style.corners)
