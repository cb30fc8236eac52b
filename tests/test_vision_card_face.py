"""A card's face as a witness: pips name it without its index, a covered one says nothing, a wrong index is outvoted."""

import cv2
import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.card_faces import CardFace, drawn_face
from datasets.index_art import IndexStyle
from datasets.typefaces import fonts
from vision.card_face import Face, FaceReader, card_frame, inner_corner, lies_inside
from vision.card_finder import FrameArray
from vision.card_merge import Corners
from vision.card_reader import RANKS, SUITS, Reading
from vision.card_trust import Trust
from vision.indices import read_cards
from vision.plan import CARD_MM
from vision.seen import Image

needs_fonts = pytest.mark.skipif(not fonts(), reason="no typefaces are installed (fc-list finds none)")
TRUST = Trust(reading=0.8, finding=0.5)


def shares(names: tuple[str, ...], name: str, sure: float) -> NDArray[np.float32]:
    spread = np.full(len(names), (1 - sure) / (len(names) - 1), np.float32)
    spread[names.index(name)] = sure
    return spread


def index(label: str, sure: float = 0.98) -> Reading:
    return Reading(
        frame=np.array([(30, 40), (10, 0), (0, -10)], np.float32), is_index=0.99, embedding=np.ones(1, np.float32),
        ranks=shares(RANKS, label[0], sure), suits=shares(SUITS, label[1], sure),
    )  # fmt: skip


def face(label: str, sure: float, is_card: float = 0.99) -> Face:
    return Face(is_card=is_card, ranks=shares(RANKS, label[0], sure), suits=shares(SUITS, label[1], sure))


EVEN = Face(is_card=0.5, ranks=np.full(14, 1 / 14, np.float32), suits=np.full(4, 0.25, np.float32))


def test_a_face_that_can_tell_nothing_changes_nothing() -> None:
    alone, beside = (Corners(readings=(index("8d"),), face=each) for each in (None, EVEN))
    assert beside.label == alone.label == "8d"
    assert TRUST.conf(beside) == pytest.approx(TRUST.conf(alone), abs=0.01)


def test_clear_pips_outvote_an_index_that_was_read_wrongly() -> None:
    card = Corners(readings=(index("8d", 0.977),), face=face("5d", 0.9995))
    assert card.label == "5d"
    assert TRUST.conf(card) < TRUST.conf(Corners(readings=(index("5d"),), face=face("5d", 0.9995)))


@pytest.mark.parametrize("doubt", [face("5d", 0.9), face("8d", 0.2, is_card=0.01)], ids=["other pips", "no card"])
def test_a_face_that_contradicts_lowers_confidence(doubt: Face) -> None:
    assert Corners(readings=(index("8d"),), face=doubt).label == "8d"
    assert TRUST.conf(Corners(readings=(index("8d"),), face=doubt)) < TRUST.conf(Corners(readings=(index("8d"),))) - 0.1


def test_a_rank_may_be_surer_than_the_suit() -> None:
    unsure_suit = msgspec.structs.replace(face("8d", 0.99), suits=EVEN.suits)
    card = Corners(readings=(index("8d", 0.9),), face=unsure_suit)
    assert TRUST.rank_conf(card) > TRUST.conf(card)


def test_in_a_zone_the_outline_follows_from_one_index_and_the_face_is_asked_there() -> None:
    asked = []

    def witness(cards, outlines):  # type: ignore[no-untyped-def]
        asked.extend(outlines)
        return [msgspec.structs.replace(card, face=face("5d", 0.9995)) for card in cards]

    (card,) = read_cards([index("8d", 0.97)], 2.0, TRUST, witness)
    assert card.label == "5d"
    (outline,) = asked
    assert np.ptp(np.array(outline), axis=0) == pytest.approx(np.array(CARD_MM) * 2)


# ---- with the weights that ship ------------------------------------------------------------------------------------


def style(paper: int = 245, black: int = 20, red: tuple[int, int, int] = (30, 20, 200)) -> IndexStyle:
    inks = {"c": (black,) * 3, "s": (black,) * 3, "d": red, "h": red}
    return IndexStyle(
        font=fonts()[0], rank_height=0.09, rank_stretch=0.8, suit_height=0.07, gap=0.015, margin_x=0.03, margin_y=0.035,
        pip_seed=3, ten="10", beside=False, inks=inks, paper=(paper,) * 3,
    )  # fmt: skip


def pipped(label: str, printed: IndexStyle) -> CardFace:
    """A card with pips: of several drawn ones that with most pieces, as some have one large sign or letter instead."""
    faces = [drawn_face(label, printed, np.random.default_rng(seed)) for seed in range(1, 12)]
    return max((each for each in faces if each.corners == 2), key=lambda each: _pieces(each, printed))


def _pieces(card: CardFace, printed: IndexStyle) -> int:
    return int(cv2.connectedComponents(np.any(card.picture != printed.paper, axis=2).astype(np.uint8))[0])


def on_felt(card: CardFace, px: int = 130) -> tuple[Image, FrameArray, list[FrameArray]]:
    """The card lying on green felt so many pixels high; its frame, and those of its two indices."""
    scale = px / card.picture.shape[0]
    small = cv2.resize(card.picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    felt = np.full((height + 60, width + 60, 3), (60, 110, 30), np.uint8)
    felt[30 : 30 + height, 30 : 30 + width] = small
    corners = ((30.0, 30.0), (30.0 + width, 30.0), (30.0 + width, 30.0 + height), (30.0, 30.0 + height))
    frame = card_frame(corners)
    assert card.index is not None
    left, top, right, bottom = np.array(card.index) * scale
    middle, half = np.array([(left + right) / 2 + 30, (top + bottom) / 2 + 30]), (bottom - top) / 2
    first = np.array([middle, (half, 0), (0, -half)], np.float32)
    opposite = np.stack([2 * frame[0] - first[0], -first[1], -first[2]])
    return felt, frame, [first, opposite]


PAPERS = [(245, 20, (30, 20, 200)), (20, 225, (70, 160, 205))]


@needs_fonts
@pytest.mark.parametrize("paper", PAPERS, ids=["black and red on white", "white and gold on black"])
def test_pips_name_a_card_whatever_its_typeface(paper: tuple[int, int, tuple[int, int, int]]) -> None:
    reader, ranks, alike = FaceReader(threads=1), "", []
    for label in ("As", "2c", "3d", "4h", "5s", "6c", "7d", "8h", "9s", "Tc"):
        felt, frame, indices = on_felt(pipped(label, style(*paper)))
        (told,) = reader.read(felt, [(frame, indices)])
        ranks += RANKS[int(told.ranks.argmax())]
        assert told.is_card > 0.5
        alike.append(sum(told.suits[SUITS.index(suit)] for suit in ("cs" if label[1] in "cs" else "dh")))
    assert ranks == "A23456789T"
    assert np.mean(alike) > 0.8, "it may doubt between club and spade"


@needs_fonts
def test_a_face_without_a_pattern_of_pips_leaves_the_rank_open() -> None:
    faces = [drawn_face("5h", style(), np.random.default_rng(seed)) for seed in range(1, 40)]
    bare = sorted((each for each in faces if each.corners == 2), key=lambda each: _pieces(each, style()))[:6]
    reader = FaceReader(threads=1)
    told = [reader.read(felt, [(frame, indices)])[0] for felt, frame, indices in map(on_felt, bare)]
    assert np.mean([each.ranks.max() for each in told]) < 0.8


@needs_fonts
def test_what_the_index_says_the_face_does_not_see() -> None:
    felt, frame, indices = on_felt(pipped("7d", style()))
    blotted = felt.copy()
    for each in indices:
        x, y = np.round(each[0]).astype(int)
        blotted[y - 10 : y + 10, x - 3 : x + 3] = 0
    reader = FaceReader(threads=1)
    (told,), (again,) = reader.read(felt, [(frame, indices)]), reader.read(blotted, [(frame, indices)])
    assert told.ranks == pytest.approx(again.ranks, abs=1e-5)


@needs_fonts
def test_a_covered_face_says_nothing_sure() -> None:
    felt, frame, indices = on_felt(pipped("7d", style()))
    across, down = inner_corner(frame, indices)
    x, y = frame[0].astype(int)
    reach_x, reach_y = int(frame[1][0]), int(-frame[2][1])
    covered = felt.copy()
    covered[y - int(down * reach_y) : y + int(down * reach_y), x - reach_x : x + reach_x] = (90, 120, 170)
    covered[y - reach_y : y + reach_y, x - int(across * reach_x) : x + int(across * reach_x)] = (90, 120, 170)
    (told,) = FaceReader(threads=1).read(covered, [(frame, indices)])
    assert told.ranks.max() < 0.6
    assert told.suits.max() < 0.8


def test_a_card_that_hangs_out_of_the_picture_is_not_asked() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    frame = np.array([(50, 50), (20, 0), (0, -30)], np.float32)
    assert lies_inside(frame, picture)
    assert not lies_inside(frame + np.array([(0, 35), (0, 0), (0, 0)], np.float32), picture)
