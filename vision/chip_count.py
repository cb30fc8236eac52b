"""Counts the chips of stacks and tells each chip's own colour, from the stacks' straightened outlines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision import weights
from vision.chip_stance import Floats, Stance
from vision.chip_strip import FOOT_ROW, ROWS, ROWS_PER_CHIP, cut_strips, network_input
from vision.seen import Image

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

COUNTER = "chip-counter.onnx"
LONGEST_BAND = 8
"""Rows that one chip may take in a straightened stack: a chip that slipped away from the camera shows more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A stack with so many chips: where it stands exactly, and which rows of its strips are which chip."""

    conf: float
    stance: Stance
    strips: NDArray[np.uint8]
    rows: Floats
    """Of foot, joints and top."""
    clay: Floats
    """Rows x numbers: how the clay looks, for the judge of colours."""
    hidden: NDArray[np.bool_] | None = None
    """Which pixels of the near strip show another stack that stands before this one."""

    @property
    def chips(self) -> int:
        return len(self.rows) - 1

    @property
    def top(self) -> Floats:
        """The pixel of the middle of its top."""
        return np.asarray(self.stance.centres(np.array([float(self.chips)]))[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What the network says about one straightened stack, row by row."""

    stance: Stance
    strips: NDArray[np.uint8]
    chances: Floats
    """Of 0, 1, 2, … chips."""
    foot: Floats
    joint: Floats
    top: Floats
    lengths: Floats
    """Scores of a band of 1, 2, … rows."""
    clay: Floats
    """Rows x numbers: how the clay looks, for the judge of colours."""

    @property
    def likeliest(self) -> int:
        """The number of chips it looks most like; 0 where no stack has its foot there."""
        return int(self.chances.argmax())

    @property
    def conf(self) -> float:
        """How sure it is of that number."""
        return float(self.chances.max())

    def stack(self, chips: int) -> Counted:
        """The stack if it has so many chips."""
        rows = self._chain(chips)
        at = self.stance.moved(self.stance.rise * (rows[0] - FOOT_ROW) / ROWS_PER_CHIP)
        return Counted(
            conf=float(self.chances[chips]), stance=at, strips=self.strips, rows=np.array(rows, float), clay=self.clay
        )

    def _chain(self, chips: int) -> list[int]:
        """The likeliest rows of foot, joints and top for so many chips (Viterbi)."""
        reached, back = self.foot, []
        for level in range(chips):
            padded = np.concatenate([np.full(LONGEST_BAND, -1e4), reached])
            ways = np.stack([padded[LONGEST_BAND - n : LONGEST_BAND - n + ROWS] + self.lengths[n - 1] for n in _BANDS])
            back.append(ways.argmax(axis=0) + 1)
            reached = ways.max(axis=0) + (self.joint if level + 1 < chips else self.top)
        rows = [int(reached.argmax())]
        for lengths in reversed(back):
            rows.append(max(rows[-1] - int(lengths[rows[-1]]), 0))
        return rows[::-1]


_BANDS = range(1, LONGEST_BAND + 1)


def look_at(image: Image, stances: Sequence[Stance], empty: Image | None = None) -> list[Look]:
    """Looks at stacks whose feet are about where the stances say; `empty` is the same view without them."""
    if not stances:
        return []
    cut = [cut_strips(image, stance, empty) for stance in stances]
    seen = np.stack([network_input(*pair, stance) for pair, stance in zip(cut, stances, strict=True)])
    own = [(stance, strips) for stance, (strips, _) in zip(stances, cut, strict=True)]
    return looks_from(weights.load(COUNTER).session, seen, own)


def looks_from(
    counter: "InferenceSession", seen: NDArray[np.float32], own: Sequence[tuple[Stance, NDArray[np.uint8]]]
) -> list[Look]:
    """What the network says of stacks with these stances and strips."""
    twice = np.concatenate([seen, seen[..., ::-1]])  # a stack's mirror image has as many chips: two opinions are better
    outputs = counter.run(["scores", "foot", "joint", "top", "lengths", "clay"], {"seen": twice})
    scores, *rows = (each.reshape(2, len(own), *each.shape[1:]).mean(axis=0) for each in outputs)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances = powers / powers.sum(axis=1, keepdims=True)
    return [
        Look(
            stance=stance, strips=strips, chances=chance, foot=foot, joint=joint, top=top, lengths=lengths, clay=clay.T
        )
        for (stance, strips), chance, foot, joint, top, lengths, clay in zip(own, chances, *rows, strict=True)
    ]


def count_chips(image: Image, stances: Sequence[Stance], empty: Image | None = None) -> list[Counted | None]:
    """Counts the stacks whose feet are about where the stances say; None where there is no stack."""
    looks = look_at(image, stances, empty)
    return [look.stack(look.likeliest) if look.likeliest else None for look in looks]
