"""Cards whose index nobody can read: which side of them is up."""

import numpy as np
import pytest

from vision.beginning import Felt
from vision.unread import Rectangle, is_face, unexplained
from vision.window import Look

PAPER, FELT = (235, 238, 240), (120, 60, 30)
CARD = Rectangle(middle=(60.0, 80.0), width=63.0, height=88.0)
ALL = np.ones((160, 120), bool)


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
    assert not is_face(_card(colour, printed=1.0, edge_px=7), CARD, ALL)


def test_a_face_shows_paper_between_its_print() -> None:
    assert is_face(_card((20, 20, 20), printed=0.1, edge_px=4), CARD, ALL)
    assert is_face(_card((20, 20, 160), printed=0.7, edge_px=4), CARD, ALL)  # a court


def test_an_even_pale_back_is_no_face() -> None:
    pale = _card((215, 195, 195), printed=0.5, edge_px=4)
    pale[40:120:2, 33:87] = PAPER
    assert not is_face(pale, CARD, ALL)


def test_white_chips_before_a_back_are_no_paper() -> None:
    picture, new = _card((160, 40, 30), printed=1.0, edge_px=7), ALL.copy()
    picture[80:, 50:] = PAPER
    new[80:, 50:] = False
    assert is_face(picture, CARD, ALL)
    assert not is_face(picture, CARD, new)


def test_a_back_of_which_only_a_white_edge_is_new_is_no_face() -> None:
    picture, new = _card((160, 40, 30), printed=1.0, edge_px=7), np.zeros_like(ALL)
    picture[:, 45:49], new[:, 45:49] = PAPER, True
    assert not is_face(picture, CARD, new)


def test_several_backs_that_came_unseen_are_as_many_cards() -> None:
    lying = np.zeros((140, 400), bool)
    for left in (20, 88, 156, 224, 292):
        lying[20:108, left : left + 63] = True
    found = unexplained(lying, lying, np.zeros_like(lying), px_per_mm=1.0)
    middles = sorted(round(each.middle[0]) for each in found)
    assert len(found) == 5
    assert all(abs(middle - true) < 12 for middle, true in zip(middles, (52, 120, 188, 256, 324), strict=True))


def test_backs_that_cover_most_of_a_place_are_not_taken_for_its_felt() -> None:
    """Their tint is nearly the felt's; how bright felt is, is told by what still looks as at first."""
    felt = Felt(luma=90, tints=(140, 110))
    tints = tuple(np.full((20, 50), tint, np.uint8) for tint in (140, 110))
    bare = Look(luma=np.full((40, 100), 90, np.uint8), tints=tints)
    luma = bare.luma.copy()
    luma[:, :70] = 130
    now, differs = Look(luma=luma, tints=bare.tints), luma != bare.luma
    assert felt.barer(bare, now, differs) is None
    assert felt.barer(now, bare, differs) is not None  # cards lay there at first, and felt shows now


@pytest.mark.parametrize("gap", [0, 3, 9])
def test_cards_side_by_side_whose_edges_are_ragged_are_no_more_cards_than_they_are(gap: int) -> None:
    """A rectangle across both avoids the ragged edges; what it leaves looked like two cards more."""
    occupied = np.zeros((200, 260), bool)
    rng = np.random.default_rng(3)
    for left in (40, 40 + 63 + gap):
        occupied[40:128, left : left + 63] = True
        edge = np.ones((88, 63), bool)
        edge[4:-4, 4:-4] = False
        occupied[40:128, left : left + 63] &= ~(edge & (rng.random((88, 63)) < 0.6))
    found = unexplained(occupied, occupied, np.zeros_like(occupied), 1.0)
    middles = sorted(each.middle[0] for each in found)
    assert all(abs(middle - true) < 6 for middle, true in zip(middles, (71.5, 134.5 + gap), strict=True))
    assert all(each.height > each.width for each in found)
