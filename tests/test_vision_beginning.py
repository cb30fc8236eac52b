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
