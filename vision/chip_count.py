"""Looks at stacks of chips: what a network says of their straightened outlines, and how many chips there are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision import weights
from vision.chip_chain import SAID, Chains
from vision.chip_feet import off_felt
from vision.chip_stance import Floats, Stance
from vision.chip_strip import FOOT_ROW, ROWS, ROWS_PER_CHIP, SIDES, cut_strips, network_input
from vision.seen import Image

READER = "chip-reader.onnx"
_EDGE_COLUMNS = np.flatnonzero(np.abs(SIDES) < 0.85)
_FELT_LEVELS, _NO_CHIP = 8.0, 4.0
"""A chip as close to the felt's colour as the first is none but shade, the closer the surer: at most so sure (log).
Each that a stack would have at its foot tells the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A stack with so many chips: where it stands exactly, and which rows of its strips are which chip."""

    conf: float
    stance: Stance
    strips: NDArray[np.uint8]
    chains: Chains
    rows: Floats
    """Of foot, joints and top."""
    off_felt: float | None = None
    """How far the lowest chip's colour is from that of the felt (levels); not known without an empty view."""
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
    """What the network says about one straightened stack."""

    stance: Stance
    strips: NDArray[np.uint8]
    chances: Floats
    """Of 0, 1, 2, … chips."""
    chains: Chains
    """Of this stack alone."""
    off_felt: Floats | None = None
    """For each row how far from the felt's colour a chip would be that begins there."""
    is_foot_hidden: bool = False
    """Whether others may hide its foot."""

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
        rows = self.chains.rows(chips)
        at = self.stance.moved(self.stance.rise * (rows[0] - FOOT_ROW) / ROWS_PER_CHIP)
        off = None if self.off_felt is None else float(self.off_felt[round(float(rows[0]))])
        return Counted(
            conf=float(self.chances[chips]), stance=at, strips=self.strips, chains=self.chains, rows=rows, off_felt=off
        )


def look_at(image: Image, stances: Sequence[Stance], palette_bgr: Floats, empty: Image | None = None) -> list[Look]:
    """Looks at stacks whose feet are about where the stances say, made of the chips of a palette (colours x 3, 0 to
    255); `empty` is the same view without them."""
    if not stances:
        return []
    cut = [cut_strips(image, stance, empty) for stance in stances]
    seen = np.stack([network_input(*pair, stance) for pair, stance in zip(cut, stances, strict=True)])
    twice = np.concatenate([seen, seen[..., ::-1]])  # a mirror image has the same chips: two opinions are better
    palette = (palette_bgr / 255 - 0.5).astype(np.float32)[None]
    asked = ["nothing", *SAID]
    outputs = weights.load(READER).session.run(asked, {"seen": twice, "palette": palette})
    nothing, *rows = (each.reshape(2, len(cut), *each.shape[1:]).mean(axis=0, dtype=np.float64) for each in outputs)
    chains = Chains(**dict(zip(SAID, rows, strict=True)))
    off = [None if bare is None else _off_felt(strips, bare) for strips, bare in cut]
    in_shade = [np.zeros(ROWS) if each is None else _no_chip(each) for each in off]
    chains = replace(chains, foot=chains.foot - np.stack(in_shade))
    scores = np.concatenate([nothing, chains.numbers()], axis=1)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances = powers / powers.sum(axis=1, keepdims=True)
    return [
        Look(stance=stance, strips=strips, chances=chances[one], chains=chains[one], off_felt=off[one])
        for one, (stance, (strips, _)) in enumerate(zip(stances, cut, strict=True))
    ]


def _off_felt(strips: NDArray[np.uint8], bare: NDArray[np.uint8]) -> Floats:
    """For each row how far from the felt's colour the near side of a chip would be that begins there (levels)."""
    rows = off_felt(strips[..., :3], bare[..., :3])[0][:, _EDGE_COLUMNS].mean(axis=1)
    return np.asarray(sliding_window_view(np.pad(rows, (0, ROWS_PER_CHIP - 1), "edge"), ROWS_PER_CHIP).mean(axis=1))


def _no_chip(off: Floats) -> Floats:
    """How much less likely (log) a foot is at each row, because what should be the lowest chips looks like felt in
    shade: the dark below a stack is easily taken for chips of the felt's own colour.

    >>> _no_chip(np.array([0.0, 4.0, 8.0, 30.0])).tolist()
    [4.0, 2.0, 0.0, 0.0]
    >>> _no_chip(np.repeat([4.0, 6.0, 30.0], ROWS_PER_CHIP))[::ROWS_PER_CHIP].tolist()
    [3.0, 1.0, 0.0]
    """
    unlikely = _NO_CHIP * np.clip(1 - off / _FELT_LEVELS, 0, 1)
    for row in reversed(range(len(off) - ROWS_PER_CHIP)):
        if unlikely[row]:
            unlikely[row] += unlikely[row + ROWS_PER_CHIP]
    return np.asarray(unlikely)
