"""What a casino shows the card eye to teach it a deck: photographs of single cards, named after them."""

from collections.abc import Sequence
from pathlib import Path

from auditor.log import FairdealError
from vision.card_decks import label_of
from vision.card_reader import Reading
from vision.cards import CardEye
from vision.see import read_picture
from vision.seen import Image


def examples(photos: Sequence[Path], eye: CardEye | None = None) -> list[tuple[str, Reading]]:
    """Every index found in the photographs, with the name its photograph gives it."""
    nameless = [str(path) for path in photos if label_of(path) is None]
    if nameless:
        raise FairdealError(f"{nameless[0]}: name the photograph after the card it shows, like As.jpg or 10h-2.png")
    eye = eye or CardEye()
    return [(label_of(path) or "", reading) for path in photos for reading in taught(eye, read_picture(path))]


def taught(eye: CardEye, image: Image) -> list[Reading]:
    """The indices of the one card that is shown: an unfamiliar deck's may be hard to read, but they are there."""
    return eye.read(image)
