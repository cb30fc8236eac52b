"""From indices to cards: an index in the corner where another card would begin is its own card's."""

import msgspec
import numpy as np

from vision.card_reader import Reading
from vision.card_trust import Trust
from vision.indices import INSET_MM, Lies, read_cards
from vision.plan import CARD_MM
from vision.seen import Quad

LEFT, TOP = INSET_MM
RIGHT, BOTTOM = CARD_MM[0] - LEFT, CARD_MM[1] - TOP


def _index(
    card: tuple[float, float], corner: tuple[float, float], *, rank: int = 6, upside_down: bool = False
) -> Reading:
    """An index in a corner of a card, whose upper left is at `card`, in millimetres and in pixels alike."""
    way = -1.0 if upside_down else 1.0
    frame = np.array([np.add(card, corner), (way * 5, 0), (0, -way * 8)], np.float32)
    ranks, suits = np.full(14, 0.001, np.float32), np.full(4, 0.001, np.float32)
    ranks[rank], suits[2] = 0.988, 0.997
    return Reading(frame=frame, is_index=0.99, ranks=ranks, suits=suits, embedding=np.zeros(1, np.float32))


def _middles(*indices: Reading, lies: Lies = lambda outline: 1.0) -> list[tuple[float, float]]:
    cards = read_cards(indices, 1.0, Trust(), lies=lies)
    return [(round(x), round(y)) for x, y in (card.middle for card in cards)]


def _whole(card: tuple[float, float]) -> list[Reading]:
    return [_index(card, (LEFT, TOP)), _index(card, (RIGHT, BOTTOM), upside_down=True)]


def test_a_card_with_an_index_in_each_corner_is_one_card() -> None:
    other_corners = [_index((0, 0), (RIGHT, TOP)), _index((0, 0), (LEFT, BOTTOM), upside_down=True)]
    assert _middles(*_whole((0, 0)), *other_corners) == [(32, 44)]


def _left_side(x: float, rank: int, y: float = 0) -> list[Reading]:
    upper, lower = _index((x, y), (LEFT, TOP), rank=rank), _index((x, y), (LEFT, BOTTOM), rank=rank, upside_down=True)
    return [lower, upper]


def test_a_fan_of_cards_with_an_index_in_each_corner_shows_one_side_of_each() -> None:
    # Two steps of the fan are as wide as a card between its indices: a corner points to the middle of another card.
    top = [*_whole((50, 0)), _index((50, 0), (RIGHT, TOP)), _index((50, 0), (LEFT, BOTTOM), upside_down=True)]
    fan = [*_left_side(0, 3), *_left_side(25, 4), *top]

    def on_cards(outline: Quad) -> float:
        return float(np.mean([-1 < x < 114 for x, _ in outline]))

    assert _middles(*fan, lies=on_cards) == [(32, 44), (56, 44), (82, 44)]


def test_one_side_of_a_card_alone_belongs_to_the_card_that_lies_there() -> None:
    side = _left_side(100, 6)
    assert _middles(*side, lies=lambda outline: float(max(x for x, _ in outline) > 120)) == [(132, 44)]
    assert _middles(*side, lies=lambda outline: float(min(x for x, _ in outline) < 80)) == [(82, 44)]


def test_a_club_that_may_be_a_spade_stays_with_its_own_card_of_the_fan() -> None:
    clubs, either = np.array([0.99, 0.0, 0.0, 0.01], np.float32), np.array([0.6, 0.0, 0.0, 0.4], np.float32)
    lower, upper = (
        msgspec.structs.replace(each, suits=suits)
        for each, suits in zip(_left_side(50, 6), (either, clubs), strict=True)
    )
    spade = [msgspec.structs.replace(each, suits=clubs[::-1]) for each in _left_side(0, 6, y=16)]
    assert _middles(*spade, lower, upper, lies=lambda outline: float(min(x for x, _ in outline) > -1)) == [
        (32, 60), (82, 44),
    ]  # fmt: skip


def test_two_like_cards_side_by_side_are_two() -> None:
    assert _middles(*_whole((0, 0)), *_whole((50, 0))) == [(32, 44), (82, 44)]


def test_another_name_in_the_corner_is_another_card() -> None:
    beside = _index((50, 0), (LEFT, TOP), rank=9)
    assert _middles(*_whole((0, 0)), beside) == [(32, 44), (82, 44)]


def test_the_other_corner_of_a_card_is_its_own_though_its_suit_is_in_doubt() -> None:
    club_or_spade = np.array([0.55, 0.01, 0.01, 0.43], np.float32)
    corners = (*_whole((0, 0)), _index((0, 0), (RIGHT, TOP)))
    doubtful = [msgspec.structs.replace(each, suits=club_or_spade) for each in corners]
    assert _middles(*doubtful) == [(32, 44)]


def test_an_index_that_was_surely_found_makes_its_suit_no_surer() -> None:
    finder_counts = Trust(finding=2.0)
    doubtful = np.array([0.2, 0.0, 0.0, 0.8], np.float32)
    for found in (0.5, 0.99):
        index = msgspec.structs.replace(_index((0, 0), (LEFT, TOP)), suits=doubtful, found=found)
        (card,) = read_cards([index], 1.0, finder_counts)
        assert card.label == "8s"
        assert card.conf < 0.8
    assert card.rank_conf > 0.97
