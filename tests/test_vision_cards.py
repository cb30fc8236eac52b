"""The card eye: corners merged into cards, decks learnt, and whole pictures read with the weights that ship."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from auditor.log import FairdealError
from datasets.card_faces import CardFace, drawn_face
from datasets.index_art import IndexStyle
from datasets.typefaces import fonts
from vision import card_decks, weights
from vision.card_finder import Found, without_doubles
from vision.card_merge import Corners, merge
from vision.card_reader import JOKER, RANKS, SUITS, Reading, agreed, each_index_once
from vision.card_trust import Trust
from vision.cards import CardEye
from vision.index_crops import CLOSE, upright_crop

needs_fonts = pytest.mark.skipif(not fonts(), reason="no typefaces are installed (fc-list finds none)")


def reading(
    label: str, centre: tuple[float, float], *, half_px: float = 10, turn_deg: float = 0, sure: float = 0.98
) -> Reading:
    """An index as if it had been read, upright or turned clockwise."""
    c, s = np.cos(np.radians(turn_deg)) * half_px, np.sin(np.radians(turn_deg)) * half_px
    rank, suit = (label, "s") if label == JOKER else (label[0], label[1])
    return Reading(
        frame=np.array([centre, (c, s), (s, -c)], np.float32),
        is_index=0.99,
        ranks=shares(RANKS.index(rank), len(RANKS), sure),
        suits=shares(SUITS.index(suit), len(SUITS), sure),
        embedding=np.ones(4, np.float32),
    )


def shares(at: int, count: int, sure: float) -> NDArray[np.float32]:
    spread = np.full(count, (1 - sure) / (count - 1), np.float32)
    spread[at] = sure
    return spread


# A poker card 100 wide and 140 high has its indices 80 to the right of and 104 below one another.
def corners(label: str, x: float, y: float, turn_deg: float = 0) -> list[Reading]:
    turn = np.radians(turn_deg)
    dx, dy = 80 * np.cos(turn) - 104 * np.sin(turn), 80 * np.sin(turn) + 104 * np.cos(turn)
    return [reading(label, (x, y), turn_deg=turn_deg), reading(label, (x + dx, y + dy), turn_deg=turn_deg + 180)]


@pytest.mark.parametrize("turn_deg", [0, 37, 90, 200, 315])
def test_two_corners_of_one_card_are_one_card(turn_deg: float) -> None:
    (card,) = merge(corners("As", 300, 300, turn_deg))
    assert card.label == "As"
    assert Trust().conf(card) > Trust().conf(Corners(readings=card.readings[:1])), "two that agree are surer than one"
    assert card.quad is not None
    sides = [np.linalg.norm(np.subtract(card.quad[at], card.quad[at - 1])) for at in range(4)]
    assert sorted(sides) == pytest.approx([95, 95, 134, 134], rel=0.1)


def test_two_corners_that_lean_to_a_suit_leave_it_open_however_surely_they_were_found() -> None:
    leaning = [replace(each, suits=shares(3, 4, 0.75), found=0.9999) for each in corners("As", 300, 300)]
    (card,) = merge(leaning)
    trust = Trust(naming=1.2, reading=0.8, finding=1.0, offset=-3.0)
    assert card.label == "As"
    assert 0.75 < trust.conf(card) < 0.95, "one blur has made both look so"
    assert trust.rank_conf(card) > 0.98


def test_two_equal_cards_of_two_decks_stay_two() -> None:
    cards = merge(corners("As", 100, 100) + corners("As", 125, 105))
    assert [card.label for card in cards] == ["As", "As"]
    assert all(len(card.readings) == 2 for card in cards)


def test_a_card_with_four_indices_is_one_card() -> None:
    others = [reading("As", (180, 100)), reading("As", (100, 204), turn_deg=180)]
    (card,) = merge(corners("As", 100, 100) + others)
    assert len(card.readings) == 4


def test_a_joker_with_a_long_word_at_the_middle_of_its_top_is_one_card() -> None:
    words = [reading(JOKER, (100, 50), half_px=30), reading(JOKER, (104, 140), half_px=30, turn_deg=180)]
    (card,) = merge(words)
    assert card.label == JOKER
    assert card.quad is not None
    sides = [np.linalg.norm(np.subtract(card.quad[at], card.quad[at - 1])) for at in range(4)]
    assert sides[1] > 0.5 * sides[0], "as wide as cards are"


def test_corners_that_disagree_or_lie_wrong_are_not_merged() -> None:
    first, second = corners("As", 100, 100)
    other = reading("Kd", (180, 204), turn_deg=180)
    upright = reading("As", (180, 204), turn_deg=0)
    assert len(merge([first, other])) == 2
    assert len(merge([first, upright])) == 2
    assert len(merge([first, second, other])) == 2


def test_what_is_not_read_is_a_question_mark() -> None:
    unsure = reading("As", (50, 50), sure=0.3)
    (card,) = merge([unsure])
    assert card.label == "??"
    assert card.quad is None


def test_an_index_is_stood_upright() -> None:
    image = np.zeros((120, 120, 3), np.uint8)
    image[40:60, 70:80] = 255  # a bar to the right of the centre ...
    frame = np.array([(60, 50), (0, -18), (-18, 0)], np.float32)  # ... of an index whose top points left
    crop = upright_crop(image, frame)
    assert crop.shape == (CLOSE.height_px, CLOSE.width_px, 3)
    assert crop[CLOSE.height_px // 2 + 14, CLOSE.width_px // 2].max() > 200, "it should be below the centre now"
    assert crop[: CLOSE.height_px // 2].max() == 0


def found(x: float, *, half_px: float, conf: float, turn_deg: float = 0) -> Found:
    return Found(kind=0, conf=conf, frame=reading("As", (x, 50), half_px=half_px, turn_deg=turn_deg).frame)


def test_what_is_found_twice_is_kept_once_the_likelier() -> None:
    (kept,) = without_doubles([found(50, half_px=10, conf=0.6), found(53, half_px=12, conf=0.8, turn_deg=9)])
    assert kept.conf == 0.8


def test_a_coarse_look_does_not_hide_the_two_indices_that_it_takes_for_one() -> None:
    two = [found(40, half_px=10, conf=0.6), found(56, half_px=10, conf=0.5)]
    coarse = found(48, half_px=18, conf=0.9)
    askew = found(41, half_px=10, conf=0.7, turn_deg=95)
    assert len(without_doubles([*two, coarse, askew])) == 4, "which of them makes sense is for the reader to say"


def test_what_only_one_cut_is_sure_of_is_doubted() -> None:
    sure, other = reading("5s", (50, 50), sure=0.98), reading("8s", (50, 50), sure=0.9)
    both = agreed(sure, [other])
    assert RANKS[int(both.ranks.argmax())] == "5"
    assert both.sureness < 0.75
    assert both.ranks.sum() == pytest.approx(1.0, abs=1e-5)
    assert agreed(sure, [sure]).sureness == pytest.approx(sure.sureness, abs=1e-3)


def test_the_first_letter_of_a_jokers_word_is_no_second_joker_but_another_word_is() -> None:
    word, letter = reading(JOKER, (50, 50), half_px=30), reading(JOKER, (50, 20), half_px=12)
    assert len(each_index_once([word, letter])) == 1
    assert len(each_index_once([word, reading(JOKER, (90, 50), half_px=28)])) == 2
    assert len(each_index_once([word, reading("Jh", (50, 20), half_px=12)])) == 2


@pytest.mark.parametrize(("sure", "said"), [(0.9, JOKER), (0.72, "??")])
def test_a_joker_is_named_only_when_it_is_sure_for_no_suit_speaks_for_it(sure: float, said: str) -> None:
    eye = CardEye()
    eye._trust = Trust()
    (card,) = merge([reading(JOKER, (50, 50), sure=sure)])
    assert eye._seen(card).label == said


@pytest.mark.parametrize(("sure", "said"), [(0.95, "Qc"), (0.6, "Q?"), (0.4, "Q?")])
def test_of_a_card_whose_suit_is_doubtful_the_rank_is_said(sure: float, said: str) -> None:
    eye = CardEye()
    eye._trust = Trust()
    (card,) = merge([replace(reading("Qc", (50, 50)), suits=shares(SUITS.index("c"), len(SUITS), sure))])
    seen = eye._seen(card)
    assert seen.label == said
    assert seen.conf > 0.75, "as sure as what is said of it"


@pytest.mark.parametrize(("sure", "said"), [(0.95, ["8d", "Qs"]), (0.75, ["Qs"])])
def test_amid_a_card_that_is_read_another_must_be_read_surely(
    sure: float, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    eye = CardEye()
    eye._trust = Trust()
    print_of_the_court = reading("8d", (90, 95), sure=sure)
    monkeypatch.setattr(eye, "read", lambda image, index_px: [*corners("Qs", 50, 50), print_of_the_court])
    assert sorted(str(each.label) for each in eye.look(np.zeros((9, 9, 3), np.uint8))) == said


# ---- with the weights that ship ------------------------------------------------------------------------------------


def plain_style() -> IndexStyle:
    """A deck without surprises."""
    font = next((path for path in fonts() if "DejaVuSans-Bold" in path), fonts()[0])
    black, red = (20, 20, 20), (30, 20, 200)
    inks = {"c": black, "s": black, "d": red, "h": red}
    return IndexStyle(
        font=font, rank_height=0.11, rank_stretch=0.8, suit_height=0.09, gap=0.015, margin_x=0.03, margin_y=0.035,
        pip_seed=3, ten="10", beside=False, inks=inks, paper=(245, 245, 245),
    )  # fmt: skip


def table(cards: list[CardFace], columns: int = 4) -> NDArray[np.uint8]:
    """Cards in rows on green felt."""
    rng = np.random.default_rng(2)
    rows = -(-len(cards) // columns)
    felt = np.clip(np.array([60, 110, 30]) + rng.normal(0, 4, (rows * 360, columns * 270, 1)), 0, 255).astype(np.uint8)
    for at, card in enumerate(cards):
        top, left = at // columns * 360 + 20, at % columns * 270 + 20
        height, width = card.picture.shape[:2]
        felt[top : top + height, left : left + width] = card.picture
    return felt


@needs_fonts
def test_a_table_of_cards_is_read() -> None:
    labels = ["As", "Td", "7h", "Qc", "2s", "9d", "Jh", "5c"]
    rng = np.random.default_rng(4)
    seen = CardEye().look(table([drawn_face(label, plain_style(), rng) for label in labels]))
    assert sorted(each.label or "" for each in seen) == sorted(labels)
    assert all(each.quad is not None and each.conf > 0.5 for each in seen)


@needs_fonts
def test_a_known_index_height_gives_the_same_answer() -> None:
    rng = np.random.default_rng(4)
    image = table([drawn_face(label, plain_style(), rng) for label in ("Kd", "8s")], columns=2)
    assert {each.label for each in CardEye().look(image, index_px=69)} == {"Kd", "8s"}


def test_an_empty_table_has_no_cards() -> None:
    assert CardEye().look(np.full((300, 400, 3), (60, 110, 30), np.uint8)) == []


def test_a_learnt_deck_is_kept_and_given_back(tmp_path: Path) -> None:
    first, second = reading("As", (0, 0)), reading("Kd", (0, 0))
    own = [np.array(row, np.float32) for row in ([1, 0, 0, 0], [0, 1, 0, 0])]
    taught = [
        ("As", Reading(frame=first.frame, is_index=1, ranks=first.ranks, suits=first.suits, embedding=own[0])),
        ("Kd", Reading(frame=second.frame, is_index=1, ranks=second.ranks, suits=second.suits, embedding=own[1])),
    ]
    card_decks.save(card_decks.learn(taught), tmp_path / "our.deck")
    deck = card_decks.load(tmp_path / "our.deck")
    misread = Reading(
        frame=first.frame, is_index=1, ranks=shares(0, 14, 0.6), suits=shares(1, 4, 0.6), embedding=own[0]
    )
    again = deck.reread(misread)
    assert RANKS[int(again.ranks.argmax())] + SUITS[int(again.suits.argmax())] == "As"


@pytest.mark.parametrize("content", [b"", b"not a deck"])
def test_a_file_that_is_no_deck_is_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.deck").write_bytes(content)
    with pytest.raises(FairdealError, match="deck learn"):
        card_decks.load(tmp_path / "x.deck")


def test_weights_that_are_not_the_manifests_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = weights.entry("card-reader.onnx")
    forged = weights.Manifest(
        weights=(weights.WeightsEntry(file=entry.file, purpose="", sha256=hashlib.sha256(b"").hexdigest()),)
    )
    monkeypatch.setattr(weights, "manifest", lambda: forged)
    with pytest.raises(FairdealError, match="sha256"):
        weights.checked_bytes("card-reader.onnx")
