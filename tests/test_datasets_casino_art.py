"""The drawn deck and chips: every card differs from every other, and the lens keeps its promises. Needs no renderer."""

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest

from datasets.casino.chip_designs import COLOURS, DESIGNS, Paint, chip_art
from datasets.casino.decks import ART_PX, CARDS, PX_PER_MM, STYLES, card_art, index_boxes_mm
from datasets.casino.lens import Lens, Optics
from datasets.casino.looks import Look
from datasets.casino.pieces import mesh, pieces
from datasets.casino.small_art import TILES, die_art, tile_art
from datasets.casino.things import CHIP_COLOURS, Die, Pose


@pytest.mark.parametrize("name", ["house", "jumbo-four", "bridge"])
def test_every_index_of_a_deck_is_its_own(name: str) -> None:
    """The corner alone, as small as a far camera gives it, tells all cards apart."""
    style = STYLES[name]
    x0, y0, x1, y1 = index_boxes_mm(style)[0]
    width = style.size_mm[0]
    columns = slice(round((x0 / width + 0.5) * ART_PX[0]), round((x1 / width + 0.5) * ART_PX[0]))
    rows = slice(round((y0 + 44.45) * PX_PER_MM), round((y1 + 44.45) * PX_PER_MM))
    corners = {card: card_art(style, card)[rows, columns].astype(int) for card in CARDS if card != "Jkr"}
    for (first, one), (second, other) in combinations(corners.items(), 2):
        assert np.abs(one - other).mean() > 2.0, (first, second)


def test_chips_of_all_colours_and_tiles_of_all_names_can_be_drawn() -> None:
    assert set(COLOURS) == set(CHIP_COLOURS)
    faces = [chip_art(DESIGNS["house"], colour) for colour in COLOURS]
    assert all(np.abs(a.astype(int) - b).mean() > 5 for a, b in combinations(faces, 2))
    assert len(TILES) == 21
    tiles = [tile_art(tile) for tile in TILES]
    assert all((a != b).any() for a, b in combinations(tiles, 2))


def test_a_house_may_make_a_colour_of_its_own_clay_and_spots() -> None:
    own = Paint(clay=(200, 190, 40), spot=(20, 20, 20), second=(250, 250, 250))
    design = replace(DESIGNS["house"], paints=(("white", own),))
    edge = chip_art(design, "white")[-4]  # once round
    clay, spot = (np.abs(edge.astype(int) - colour).sum(axis=1) < 12 for colour in (own.clay, own.spot))
    assert clay.mean() == pytest.approx(1 - design.spot_share, abs=0.06)
    assert spot.mean() == pytest.approx(design.spot_share, abs=0.06)
    assert (chip_art(design, "red") == chip_art(DESIGNS["house"], "red")).all()


def test_the_lens_gives_a_frame_its_own_grain_and_the_same_one_again() -> None:
    grey = np.full((90, 160, 3), 128, np.uint8)
    lens = Lens(Optics(grain=3.0, vignette=0.3), (160, 90))
    first, second = lens.record(grey, 1), lens.record(grey, 2)
    np.testing.assert_array_equal(first, lens.record(grey, 1))
    assert (first != second).any()
    assert first[40:50, 75:85].mean() > first[:8, :8].mean() + 10  # corners are darker
    assert 1.0 < first[30:60, 60:100].std() < 8.0


@pytest.mark.parametrize("optics", [Optics(), Optics(blur_px=1.1, corner_blur_px=2.4, sharpen=0.7, flicker=0.05)])
def test_the_lens_records_what_changed_as_if_it_saw_the_whole_for_the_first_time(optics: Optics) -> None:
    rng = np.random.default_rng(5)
    picture, lens = rng.integers(0, 255, (180, 320, 3)).astype(np.uint8), Lens(optics, (320, 180))
    for frame, (x, y) in enumerate([(0, 0), (300, 160), (150, 80), (150, 80), (0, 170)]):
        picture = picture.copy()
        picture[y : y + 10, x : x + 20] = rng.integers(0, 255, 3)
        np.testing.assert_array_equal(lens.record(picture, frame), Lens(optics, (320, 180)).record(picture, frame))


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_shows_its_face_on_its_upper_side(face: int) -> None:
    """As many pips are painted on the side that lies uppermost."""
    (piece,) = pieces(Die(id=1, face=face, pose=Pose(0.0, 0.0, 0.0, 30.0)), Look())
    sides = mesh(piece.mesh).vertices.reshape(6, 6, 9)
    heights = (sides[..., :3] @ piece.matrix[:, :3].T)[..., 2].mean(axis=1)
    (left, top), (right, bottom) = (np.array(end(sides[heights.argmax(), :, 6:8], axis=0)) for end in (np.min, np.max))
    sheet = die_art()
    high, wide = sheet.shape[:2]
    upper = sheet[round(top * high) : round(bottom * high), round(left * wide) : round(right * wide)]
    inked = (np.abs(upper.astype(int) - upper[0, 0]).max(axis=2) > 60).astype(np.uint8)
    assert cv2.connectedComponents(inked)[0] - 1 == face
