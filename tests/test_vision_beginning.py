"""What is felt and what lies on it, where nobody saw the felt before."""

import numpy as np
import pytest

from vision.beginning import Felt
from vision.window import Look


def _look(felt: int, lying: int | None = None, upto: int = 0) -> Look:
    """A zone of felt so bright, with something that lies on its first columns."""
    luma = np.full((20, 100), felt, np.uint8)
    if lying is not None:
        luma[:, :upto] = lying
    return Look(luma=luma, tints=(np.full((10, 50), 128, np.uint8),))


@pytest.mark.parametrize("upto", [30, 60, 90])
def test_backs_that_cover_most_of_a_zone_are_not_its_felt(upto: int) -> None:
    """The row of burnt cards: from the ninth on they were taken for felt that shows again, and not counted."""
    felt, bare, covered = Felt(luma=80.0, tints=(128.0,)), _look(80), _look(80, 130, upto)
    differs = covered.luma != bare.luma
    assert felt.barer(bare, covered, differs) is None
    seen = felt.barer(covered, bare, differs)  # something lay there at first, and has gone
    assert seen is not None
    assert (seen == differs).all()


@pytest.mark.parametrize(("shaded", "tint"), [(150, 128), (90, 128), (150, 110)])
def test_a_printed_line_in_the_shade_of_an_arm_is_no_felt(shaded: int, tint: int) -> None:
    """The ring around a spot was taken for felt while an arm's shadow lay on it, and for a thing ever after."""
    bare, now = _look(80, 210, 10), _look(80, shaded, 10)
    for look, line in ((bare, 128), (now, tint)):
        look.tints[0][:] = 160
        look.tints[0][:, :5] = line
    assert Felt(luma=80.0, tints=(160.0,)).barer(bare, now, bare.luma != now.luma) is None


def test_print_under_a_sleeve_in_the_felt_s_own_colour_is_no_felt_that_shows_again() -> None:
    """The sleeve itself could not be told from felt; the words and lines under it, gone, stood unread ever after."""
    first, sleeve = _look(45), _look(42)
    for line in (slice(10, 16), slice(40, 46)):
        first.luma[:, line] = 200
    felt, differs = Felt(luma=45.0, tints=(128.0,)), first.luma > 100
    assert felt.barer(first, sleeve, differs, broad_px=10.0) is None
    assert felt.barer(first, sleeve, differs, broad_px=5.0) is not None  # broader than print: a thing, and it has gone
