"""Cards whose index nobody can read: which side of them is up."""

import numpy as np
import pytest

from vision.unread import Rectangle, is_face

PAPER, FELT = (235, 238, 240), (120, 60, 30)
CARD = Rectangle(middle=(60.0, 80.0), width=63.0, height=88.0)


def _card(print_colour: tuple[int, int, int], printed: float, edge_px: int) -> np.ndarray:
    """A card on felt; `printed` is the share of its rows within the edge that are printed all across."""
    picture = np.full((160, 120, 3), FELT, np.uint8)
    inner = (slice(36 + edge_px, 124 - edge_px), slice(29 + edge_px, 91 - edge_px))
    picture[36:124, 29:91] = PAPER
    rows = np.arange(88 - 2 * edge_px) % 10 < 10 * printed
    picture[inner][rows] = print_colour
    return picture


@pytest.mark.parametrize("colour", [(160, 40, 30), (190, 120, 200)], ids=["dark blue", "light purple"])
def test_a_back_is_no_face_though_its_edge_is_white_and_its_print_light(colour: tuple[int, int, int]) -> None:
    assert not is_face(_card(colour, printed=1.0, edge_px=7), CARD)


def test_a_face_shows_paper_between_its_print() -> None:
    assert is_face(_card((20, 20, 20), printed=0.0, edge_px=4), CARD)
    assert is_face(_card((20, 20, 160), printed=0.7, edge_px=4), CARD)  # a court
