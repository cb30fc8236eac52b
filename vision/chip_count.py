"""Counts the chips of stacks, from the stacks' straightened outlines."""

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
    planes: NDArray[np.float32]
    """What the networks are given of it."""
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
    planes: NDArray[np.float32]
    """What the networks are given of it."""

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
        return Counted(conf=float(self.chances[chips]), stance=at, strips=self.strips, rows=rows, planes=self.planes)

    def _chain(self, chips: int) -> Floats:
        """The rows of foot, joints and top for so many chips, on average over all chains: where a joint does not show,
        it is between its neighbours."""
        ends = [self.joint] * (chips - 1) + [self.top] * (chips > 0)
        below = [self.foot]
        for end in ends:
            below.append(_summed(below[-1], self.lengths) + end)
        above = [np.zeros(ROWS)]
        for end in reversed(ends):
            above.append(_summed((above[-1] + end)[::-1], self.lengths)[::-1])
        chances = np.array(below) + above[::-1]
        chances = np.exp(chances - chances.max(axis=1, keepdims=True))
        return np.asarray(chances @ np.arange(ROWS) / chances.sum(axis=1))


def _summed(reached: Floats, lengths: Floats) -> Floats:
    """How likely each row is the end of a band that began where the rows before were reached (logs)."""
    padded = np.concatenate([np.full(LONGEST_BAND, _NEVER), reached])
    ways = [padded[LONGEST_BAND - band : LONGEST_BAND - band + ROWS] + lengths[band - 1] for band in _BANDS]
    return np.asarray(np.logaddexp.reduce(ways, axis=0))


_BANDS = range(1, LONGEST_BAND + 1)
_NEVER = -1e4


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
    outputs = counter.run(["scores", "foot", "joint", "top", "lengths"], {"seen": twice})
    scores, *rows = (each.reshape(2, len(own), *each.shape[1:]).mean(axis=0) for each in outputs)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances = powers / powers.sum(axis=1, keepdims=True)
    return [
        Look(
            stance=stance,
            strips=strips,
            planes=planes,
            chances=chance,
            foot=foot,
            joint=joint,
            top=top,
            lengths=lengths,
        )
        for (stance, strips), planes, chance, foot, joint, top, lengths in zip(own, seen, chances, *rows, strict=True)
    ]


def count_chips(image: Image, stances: Sequence[Stance], empty: Image | None = None) -> list[Counted | None]:
    """Counts the stacks whose feet are about where the stances say; None where there is no stack."""
    looks = look_at(image, stances, empty)
    return [look.stack(look.likeliest) if look.likeliest else None for look in looks]
