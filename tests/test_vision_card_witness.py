"""The second reader of indices: what it is asked, and what becomes of its answers."""

import numpy as np
import pytest

from vision.card_finder import Found, FrameArray
from vision.card_reader import RANKS, SUITS, IndexReader, Reading, Shares, as_both_say
from vision.index_crops import CLOSE, WIDE, Layers, upright_crop

_FRAME = np.array([(60, 60), (12, 0), (0, -12)], np.float32)


def _shares(names: tuple[str, ...], name: str, share: float) -> Shares:
    rest = np.full(len(names), (1 - share) / (len(names) - 1), np.float32)
    rest[names.index(name)] = share
    return rest


def _read_as(label: str, *, share: float = 0.99, is_index: float = 0.99, frame: FrameArray = _FRAME) -> Reading:
    return Reading(
        frame=frame,
        is_index=is_index,
        ranks=_shares(RANKS, label[0], share),
        suits=_shares(SUITS, label[1], share),
        embedding=np.full(3, is_index, np.float32),
    )


def test_a_suit_that_the_two_readers_read_otherwise_is_in_doubt() -> None:
    both = as_both_say(_read_as("9c"), _read_as("9s"))
    assert float(both.suits.max()) < 0.8, "no such suit is said"
    assert RANKS[int(both.ranks.argmax())] == "9"
    assert float(both.ranks.max()) > 0.95


def test_of_a_doubtful_and_a_sure_reader_the_sure_one_decides() -> None:
    both = as_both_say(_read_as("9c", share=0.4), _read_as("9s", share=0.999))
    assert SUITS[int(both.suits.argmax())] == "s"


@pytest.mark.parametrize(("one", "other"), [(0.95, 0.05), (0.05, 0.95)])
def test_what_one_reader_refuses_is_not_surely_an_index(one: float, other: float) -> None:
    both = as_both_say(_read_as("9c", is_index=one), _read_as("9c", is_index=other))
    assert 0.3 < both.is_index < 0.7


def test_a_learnt_deck_is_compared_with_what_the_first_reader_made_of_an_index() -> None:
    both = as_both_say(_read_as("9c", is_index=0.9), _read_as("9c", is_index=0.8))
    assert both.embedding[0] == pytest.approx(0.9)


class _Asked:
    """A network that gives the same answer to everything, and remembers what it was asked."""

    def __init__(self, is_index: float) -> None:
        self.frames: list[FrameArray] = []
        self._is_index = is_index

    def read(self, layers: Layers, frames: list[FrameArray]) -> tuple[list[Reading], list[FrameArray]]:
        self.frames += frames
        return [_read_as("9c", is_index=self._is_index, frame=frame) for frame in frames], frames


@pytest.mark.parametrize(("is_index", "is_asked"), [(0.95, True), (0.1, False)])
def test_the_second_reader_is_asked_only_about_what_the_first_may_take_for_an_index(
    is_index: float, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, first, second = IndexReader(threads=1), _Asked(is_index), _Asked(0.9)
    monkeypatch.setattr(reader, "_network", first)
    monkeypatch.setattr(reader, "_witness", second)
    reader.read(np.zeros((120, 120, 3), np.uint8), [Found(kind=0, conf=0.9, frame=_FRAME)])
    assert bool(second.frames) == is_asked


def test_the_second_reader_sees_more_around_an_index_and_the_index_smaller() -> None:
    picture = np.zeros((120, 120, 3), np.uint8)
    picture[58:62, 43:46] = 255  # beside the index, by 1.3 of half its height
    assert upright_crop(picture, _FRAME, CLOSE).max() < 128 < upright_crop(picture, _FRAME, WIDE).max()
