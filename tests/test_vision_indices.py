"""From indices to cards: an index in the corner where another card would begin is its own card's."""

import msgspec
import numpy as np

from vision.card_reader import Reading
from vision.card_trust import Trust
from vision.indices import INSET_MM, read_cards
from vision.plan import CARD_MM

LEFT, TOP = INSET_MM
RIGHT, BOTTOM = CARD_MM[0] - LEFT, CARD_MM[1] - TOP


def _index(
    card: tuple[float, float], corner: tuple[float, float], *, rank: int = 6, upside_down: bool = False
) -> Reading:
    """An index in a corner of a card, whose upper left is at `card`, in millimetres and in pixels alike."""
    way = -1.0 if upside_down else 1.0
    frame = np.array([np.add(card, corner), (way * 5, 0), (0, -way * 8)], np.float32)
    ranks, suits = np.full(13, 0.001, np.float32), np.full(4, 0.001, np.float32)
    ranks[rank], suits[2] = 0.988, 0.997
    return Reading(frame=frame, is_index=0.99, ranks=ranks, suits=suits, embedding=np.zeros(1, np.float32))


def _middles(*indices: Reading) -> list[tuple[float, float]]:
    return [(round(x), round(y)) for x, y in (card.middle for card in read_cards(indices, 1.0, Trust()))]


def _whole(card: tuple[float, float]) -> list[Reading]:
    return [_index(card, (LEFT, TOP)), _index(card, (RIGHT, BOTTOM), upside_down=True)]


def test_a_card_with_an_index_in_each_corner_is_one_card() -> None:
    other_corners = [_index((0, 0), (RIGHT, TOP)), _index((0, 0), (LEFT, BOTTOM), upside_down=True)]
    assert _middles(*_whole((0, 0)), *other_corners) == [(32, 44)]


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
    assert card.rank_conf > 0.99
