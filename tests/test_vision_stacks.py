"""What of a change in the picture is a stack's: chips that came beside it, and what is none."""

from typing import cast

import numpy as np
import pytest

from vision.camera import View
from vision.plan import Point, Zone
from vision.reading import Pile
from vision.stacks import Stacks
from vision.table_chips import ChipTable
from vision.window import Difference
from vision.writer import Evidence, WaitingRoom

SPOT = Zone(name="box1/ante", kind="chips", at=(100, 100), size=(100, 100))
STACK = ((80, 60), (120, 60), (120, 120), (80, 120))


class Overhead:
    """A camera that sees millimetres as pixels."""

    def px_per_mm(self, x: float, y: float, *, in_best_direction: bool = False) -> float:
        return 1.0

    def outline(self, zone: Zone) -> list[Point]:
        (x, y), (width, height) = zone.at, zone.size
        return [(x + right * width / 2, y + down * height / 2) for right, down in ((-1, -1), (1, -1), (1, 1), (-1, 1))]

    def all_to_px(self, mm: np.ndarray) -> np.ndarray:
        return mm[:, :2] - [0, 1] * mm[:, 2:]


def _is_slight(rows: slice, columns: slice) -> bool:
    """Whether it is no question for a spot with one stack that these pixels changed."""
    chips = ChipTable(WaitingRoom(), {"red": 5.0}, frozenset())
    stake = Pile(chips=("red",) * 10, conf=0.99, at=(100, 110), region=STACK)
    chips.conclude(SPOT, [[stake]], Evidence(t=1.0, cam="table", frame=1, by="player"))
    pixels = np.zeros((200, 200), bool)
    pixels[rows, columns] = True
    return Stacks(cast(View, Overhead()), chips).is_slight(SPOT, Difference(corner=(0, 0), pixels=pixels))


@pytest.mark.parametrize(
    ("rows", "columns", "is_slight"),
    [
        (slice(56, 59), slice(85, 115), False),  # the rim of chips that the stack hides: once a payment was missed so
        (slice(56, 57), slice(90, 110), True),  # a line is the stack itself, seen a little otherwise
        (slice(140, 146), slice(85, 115), True),  # as much as the rim, but apart from the stack
        (slice(130, 149), slice(80, 120), False),  # a chip beside it
    ],
)
def test_what_came_right_beside_a_stack_may_be_the_rim_of_chips_behind_it(
    rows: slice, columns: slice, is_slight: bool
) -> None:
    assert _is_slight(rows, columns) == is_slight
