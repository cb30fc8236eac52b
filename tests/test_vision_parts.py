"""What of a stirring place lies still and can be read."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from vision.parts import resting_part
from vision.plan import load_plan
from vision.watched import Doing

SIDE = 10


@pytest.mark.parametrize(
    ("kind", "arm_px", "still_s", "is_read"),
    [("dealer", 1, 0.3, True), ("dealer", 1, 0.08, False), ("dealer", 0, 0.08, True), ("dealer", 0, 0.0, False),
     ("box1/main", 0, 0.08, False)],
)  # fmt: skip
def test_cards_over_which_no_arm_is_for_a_moment_are_read_at_once(
    kind: str, arm_px: int, still_s: float, is_read: bool
) -> None:
    """A card was gathered a second after it was dealt, and was in plain sight for one picture."""
    whole, arms = np.ones((SIDE, SIDE), bool), np.zeros((SIDE, SIDE), bool)
    arms[0, :arm_px] = True
    new = whole & ~arms if kind == "dealer" else np.tri(SIDE, k=-7, dtype=bool)  # a stack, not a hand
    window = SimpleNamespace(rows=slice(0, SIDE), columns=slice(0, SIDE), mask=whole)
    watched = SimpleNamespace(
        zone=load_plan("act-blackjack").zone(kind), small=np.arange(SIDE * SIDE), window=window, px_per_mm=0.1,
        doing=Doing(look=cast(Any, window), stirred_from=1.0),
    )  # fmt: skip
    still = SimpleNamespace(still_s=np.full((SIDE, SIDE), still_s))
    small = SimpleNamespace(memory=still, scale=1, size=(SIDE, SIDE))
    part = resting_part(*cast(Any, (watched, SimpleNamespace(t=2.0), new, arms, small)))
    assert (part is not None) is is_read
