"""Traced bodies: what shows of a die's far side."""

import numpy as np
import pytest

from datasets.traced_bodies import Body, Pip, Sprite, traced

_SIDE_PX = 60


def die_seen_from_above(clear: float, *, far_pip: bool) -> Sprite:
    pip = Pip(axis=2, side=-1, u=0.0, v=0.0, radius=0.3, bgr=(20.0, 20.0, 200.0))
    body = Body(
        half=(1.0, 1.0, 1.0), rounding=0.05, ball=9.0, bgr=np.full(3, 80, np.float32), veins=np.zeros(3, np.float32),
        marbled=0.0, clear=clear, gloss=0.0, hollow=False, pips=(pip,) if far_pip else (),
    )  # fmt: skip
    return traced(body, "1", np.random.default_rng(4), _SIDE_PX, 90.0)


@pytest.mark.parametrize(("clear", "shows"), [(0.0, False), (0.4, True)])
def test_a_pip_on_the_far_side_hides_the_ground_below_a_clear_die_alone(clear: float, shows: bool) -> None:
    with_pip, without = (die_seen_from_above(clear, far_pip=far_pip).opacity for far_pip in (True, False))
    third = len(with_pip) // 3  # bevels bend rays far aside, so pips show at the rim, too
    hidden = (with_pip - without)[third:-third, third:-third] > 0.02
    rows, columns = np.nonzero(hidden)
    assert bool(hidden.any()) == shows
    if shows:
        assert rows.mean() == pytest.approx(len(hidden) / 2, abs=2)
        assert columns.mean() == pytest.approx(len(hidden) / 2, abs=2)
        assert np.ptp(columns) < 0.4 * _SIDE_PX
