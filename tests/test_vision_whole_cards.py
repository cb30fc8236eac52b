"""Backs and unread cards: told once each, and never where an index was read."""

import cv2
import numpy as np
import pytest

from datasets.card_backs import random_back_art
from models.composited_cards import composited_cards
from vision.seen import Box, Image, Kind, Quad, Seen
from vision.whole_cards import TableEye, settled

WHOLE: Box = (100, 100, 170, 200)
OUTLINE: Quad = ((100, 100), (170, 100), (170, 200), (100, 200))


def whole(kind: Kind, box: Box = WHOLE) -> Seen:
    return Seen(kind=kind, label="??" if kind == "card" else None, conf=0.9, box=box)


def read(label: str, box: Box, quad: Quad | None = None) -> Seen:
    return Seen(kind="card", label=label, conf=0.95, box=box, quad=quad)


def told(cards: list[Seen], things: list[Seen]) -> list[tuple[str, str | None]]:
    return [(each.kind, each.label) for each in settled(cards, things)]


INDEX: Box = (104, 104, 116, 126)


@pytest.mark.parametrize("kind", ["back", "card"])
@pytest.mark.parametrize("card", [read("As", INDEX), read("As", WHOLE, OUTLINE)])
def test_an_index_that_was_read_comes_before_what_the_whole_card_looks_like(kind: Kind, card: Seen) -> None:
    assert told([card], [whole(kind)]) == [("card", "As")]


def test_backs_and_unread_cards_are_told_where_no_index_is() -> None:
    elsewhere = read("7d", (400, 100, 412, 122))
    assert told([elsewhere], [whole("back")]) == [("card", "7d"), ("back", None)]
    assert told([elsewhere], [whole("card")]) == [("card", "7d"), ("card", "??")]


def test_what_looks_like_an_index_on_a_back_and_cannot_be_read_is_its_ornament() -> None:
    assert told([read("??", INDEX)], [whole("back")]) == [("back", None)]
    assert told([read("??", INDEX)], [whole("card")]) == [("card", "??")]


def test_a_back_under_a_card_that_was_read_stays_a_back() -> None:
    """Its box holds the index of the card over it, which a face of its own explains."""
    over = whole("card", (90, 90, 150, 170))
    assert told([read("As", (104, 104, 116, 126))], [whole("back"), over]) == [("card", "As"), ("back", None)]
    beside: Quad = ((100, 100), (140, 100), (140, 200), (100, 200))
    assert told([read("As", (100, 100, 140, 200), beside)], [whole("back")]) == [("card", "As"), ("back", None)]


def test_a_piece_of_a_court_is_no_card_of_its_own_and_small_cards_are_not_called_unread() -> None:
    assert told([read("Kd", WHOLE, OUTLINE)], [whole("card", (105, 110, 165, 175))]) == [("card", "Kd")]
    assert told([], [whole("card", (0, 0, 30, 45))]) == []


def test_other_things_pass() -> None:
    assert told([read("As", INDEX)], [whole("hand")]) == [("card", "As"), ("hand", None)]


def test_the_eye_for_a_table_asks_both_eyes() -> None:
    class Cards:
        def look(self, image: Image) -> list[Seen]:
            return [read("As", INDEX)]

    class Things:
        def look(self, image: Image) -> list[Seen]:
            return [whole("back"), whole("hand", (300, 300, 350, 380))]

    seen = TableEye(Cards(), Things()).look(np.zeros((480, 640, 3), np.uint8))
    assert [each.kind for each in seen] == ["card", "hand"]


def test_backs_by_lot_differ_and_most_are_the_same_both_ways_round() -> None:
    rng = np.random.default_rng(4)
    backs = [random_back_art(rng, 120, 170) for _ in range(60)]
    assert len({back.tobytes() for back in backs}) == 60
    turned = [float(cv2.absdiff(back, np.ascontiguousarray(back[::-1, ::-1])).mean()) for back in backs]
    assert np.mean(np.array(turned) < 2) > 0.7


def test_the_truth_of_a_composited_scene_is_the_box_of_what_shows() -> None:
    scenes = list(composited_cards(6, 5, "train"))
    seen = [each for _, of_scene in scenes for each in of_scene]
    assert {each.kind for each in seen} == {"card", "back"}
    for each in seen:
        left, top, right, bottom = each.box
        assert 0 <= left < right <= 384
        assert 0 <= top < bottom <= 384
        assert (each.kind == "back") == (each.label is None)


def test_a_stack_of_chips_is_no_back_besides() -> None:
    """The detector of whole cards takes a stack for a back: the detector of stacks knows better."""
    stack, same, beneath = (
        Seen(kind="chips", conf=0.7, box=(10, 10, 60, 80)),
        Seen(kind="back", conf=0.9, box=(8, 12, 62, 84)),
        Seen(kind="back", conf=0.9, box=(0, 0, 200, 140)),
    )
    assert settled([], [stack, same, beneath]) == [beneath, stack]
