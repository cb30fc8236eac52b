"""Training pictures of cards: the truth that comes with them, and other people's labels read into the same form."""

import json
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from auditor.log import FairdealError
from datasets import deck_art
from datasets.card_faces import CardFace, Pool, drawn_face
from datasets.composites import Scene, Sizes, compose
from datasets.dataset import imported, make, write
from datasets.importers import LabelledBox, read_coco, read_voc, read_yolo
from datasets.index_art import JOKER, random_style
from datasets.pip_layouts import spots
from datasets.pip_art import draw_pip
from datasets.real_cards import FRAMES_FILE, RealFrame, RenderedScenes
from datasets.typefaces import draw_text, fonts, sign_fonts
from vision.seen import Image

needs_fonts = pytest.mark.skipif(not fonts(), reason="no typefaces are installed (fc-list finds none)")


@needs_fonts
def test_an_index_lies_in_both_corners_of_a_drawn_card() -> None:
    rng = np.random.default_rng(5)
    face = drawn_face("7s", random_style(rng), rng)
    assert face.index is not None
    left, top, right, bottom = (round(side) for side in face.index)
    upright = face.picture[top:bottom, left:right].astype(int)
    turned = face.picture[::-1, ::-1][top:bottom, left:right].astype(int)
    assert np.abs(upright - upright[0, 0]).max() > 60, "no ink where the index should be"
    assert np.abs(upright - turned).mean() < 2


@pytest.mark.parametrize("rank", list("A23456789T"))
def test_however_pips_are_laid_there_are_as_many_as_the_rank_says(rank: str) -> None:
    rng = np.random.default_rng(3)
    laid = [spots(rank, rng) for _ in range(40)]
    assert {len(set(each)) for each in laid} == {10 if rank == "T" else 1 if rank == "A" else int(rank)}
    assert (len(set(laid)) > 1) == (rank != "A"), "decks differ"


@needs_fonts
def test_a_reversed_card_has_the_colour_of_its_suit_and_pale_print() -> None:
    style = msgspec.structs.replace(random_style(np.random.default_rng(1)), reversed=True, foil=False)
    hearts = style.of("h")
    face = drawn_face("2h", hearts, np.random.default_rng(2))
    assert hearts.paper == style.inks["h"]
    assert hearts.inks["h"] == style.paper
    assert tuple(face.picture[1, 1].tolist()) == style.inks["h"]


def test_a_deck_has_pips_of_one_shape_and_other_decks_have_others() -> None:
    assert (draw_pip("c", 40, 7) == draw_pip("c", 40, 7)).all()
    shapes = {draw_pip("c", 40, seed).tobytes() for seed in range(12)}
    assert len(shapes) == 12


def test_some_decks_print_their_pips_paler_towards_one_end() -> None:
    pips = [draw_pip("c", 80, seed) for seed in range(60)]
    ends = [sorted((int(pip[:20].max()), int(pip[-20:].max()))) for pip in pips]
    shaded = sum(paler < 0.85 * darker for paler, darker in ends)
    assert 3 <= shaded <= 18


@pytest.mark.skipif(not sign_fonts(), reason="no typeface with the signs of the suits is installed")
def test_no_typeface_is_used_that_draws_a_spade_for_a_club() -> None:
    for path in sign_fonts():
        club, spade = (draw_text(sign, path, 80) for sign in "\u2663\u2660")
        if club.size and spade.size:
            assert _top_width(club) > _top_width(spade), path


def _top_width(sign: Image) -> float:
    """How wide the uppermost sixth is, to the whole: a leaf's is round, a spade's ends in a point."""
    return float(np.mean(sign[: max(1, len(sign) // 6)] > 127))


@needs_fonts
def test_scenes_tell_where_indices_are_and_how_much_of_them_shows() -> None:
    rng = np.random.default_rng(11)
    pool = Pool(rng, drawn=12)
    scenes = [compose(pool, rng, size_px=160, sizes=Sizes(least_px=14, most_px=20)) for _ in range(8)]
    indices = [index for scene in scenes for index in scene.indices]
    assert any(index.visible > 0.95 for index in indices)
    assert any(index.visible < 0.2 for index in indices), "nothing is ever covered"
    shown = [index for index in indices if index.visible > 0.95]
    heights = [2 * np.sqrt(abs(np.linalg.det(index.frame[1:]))) for index in shown]
    assert 10 < np.median(heights) < 26


@needs_fonts
def test_the_same_seed_makes_the_same_pictures() -> None:
    def scene() -> Scene:
        rng = np.random.default_rng(3)
        return compose(Pool(rng, drawn=3), rng, size_px=96, sizes=Sizes(least_px=12, most_px=16))

    first, second = scene(), scene()
    assert np.array_equal(first.image, second.image)
    assert [index.label for index in first.indices] == [index.label for index in second.indices]


@needs_fonts
def test_a_jokers_lying_word_shows_in_full_though_its_frame_is_higher_than_the_word() -> None:
    rng = np.random.default_rng(7)
    faces = [drawn_face(JOKER, random_style(rng), rng) for _ in range(40)]
    lying = next(face for face in faces if face.index and face.index_px == face.index[2] - face.index[0])

    class OneCard:
        def face(self) -> CardFace:
            return lying

        back = face

    scenes = [compose(OneCard(), rng, size_px=320, sizes=Sizes(least_px=20, most_px=24)) for _ in range(6)]  # type: ignore[arg-type]
    assert max(index.visible for scene in scenes for index in scene.indices) > 0.9


def test_a_rendered_frame_becomes_a_scene_that_tells_where_its_index_lies(tmp_path: Path) -> None:
    image = np.zeros((120, 160, 3), np.uint8)
    image[50:70, 80:90] = 255
    cv2.imwrite(str(tmp_path / "1.png"), image)
    frame = RealFrame(label="As", x=85, y=60, half_px=10, frame=[[85, 60], [10, 0], [0, -10]])
    (tmp_path / FRAMES_FILE).write_bytes(msgspec.json.encode({"1.png": [frame]}))
    scenes = RenderedScenes(tmp_path)
    rng = np.random.default_rng(1)
    for _ in range(8):
        scene = scenes.compose(rng, size_px=160, sizes=Sizes(least_px=18, most_px=22))
        (index,) = scene.indices
        x, y = index.frame[0].round().astype(int)
        assert scene.complete
        assert scene.image[y, x].mean() > 60, "the frame is not on its index"


def _picture(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), np.zeros((100, 200, 3), np.uint8))


BOX = LabelledBox("As", 60, 40, 20, 30)


def test_what_is_written_is_read_again_as_yolo(tmp_path: Path) -> None:
    image = np.zeros((100, 200, 3), np.uint8)
    assert write([(image, [BOX]), (image, [])], tmp_path) == 2
    with_card, without = read_yolo(tmp_path)
    assert with_card.boxes[0].name == "As"
    assert with_card.boxes[0][1:] == pytest.approx(BOX[1:], abs=0.01)
    assert without.boxes == ()


def test_pictures_are_rendered_drawn_or_half_and_half() -> None:
    assert len(list(make("hands", 2, 1))) == 2  # which are only ever drawn
    with pytest.raises(FairdealError, match="--what roses is not known; one of ball, buttons, cards"):
        make("roses", 1, 1)
    with pytest.raises(FairdealError, match="--what ball is not known; one of buttons, cards"):
        make("ball", 1, 1, how="drawn")


def test_decks_for_validation_are_of_other_families() -> None:
    splits = (deck_art.TRAINING, deck_art.TUNING, deck_art.VALIDATION)
    assert len(set().union(*splits)) == sum(map(len, splits))
    (train, _), (valid, _) = (next(iter(make("cards", 1, 3, split, "drawn"))) for split in ("train", "valid"))
    assert train.shape == valid.shape
    assert (train != valid).any()


def test_coco_and_voc_are_read_into_the_same_form(tmp_path: Path) -> None:
    _picture(tmp_path / "coco" / "a.png")
    held = {
        "images": [{"id": 7, "file_name": "a.png"}],
        "categories": [{"id": 3, "name": "As"}],
        "annotations": [{"image_id": 7, "category_id": 3, "bbox": [50, 25, 20, 30]}],
    }
    (tmp_path / "coco" / "labels.json").write_text(json.dumps(held))
    _picture(tmp_path / "voc" / "a.png")
    (tmp_path / "voc" / "a.xml").write_text(
        "<annotation><object><name>As</name><bndbox><xmin>50</xmin><ymin>25</ymin><xmax>70</xmax><ymax>55</ymax>"
        "</bndbox></object></annotation>"
    )
    assert [photo.boxes for photo in read_coco(tmp_path / "coco")] == [(BOX,)]
    assert [photo.boxes for photo in read_voc(tmp_path / "voc")] == [(BOX,)]


@pytest.mark.parametrize("row", ["0 0.5 0.5", "9 0.5 0.5 0.1 0.1", "a b c d e"])
def test_a_broken_label_is_named_with_its_line(tmp_path: Path, row: str) -> None:
    _picture(tmp_path / "images" / "a.png")
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "a.txt").write_text(row)
    (tmp_path / "data.yaml").write_text("names: [As]\n")
    with pytest.raises(FairdealError, match=r"a\.txt:1"):
        list(read_yolo(tmp_path))


def test_a_folder_without_pictures_is_not_imported_as_nothing(tmp_path: Path) -> None:
    with pytest.raises(FairdealError, match="no picture in it to import as voc"):
        imported("voc", tmp_path)
