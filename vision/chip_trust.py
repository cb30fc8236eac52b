"""From what is read of a stack to a probability: of ten that say 0.9, nine are right.

Three things may be wrong, and none makes up for another: a stack was missed, the number is off, a colour is.
"""

import functools
import math
from collections.abc import Iterable

import msgspec

from vision import weights
from vision.chip_count import READER
from vision.odds import log_odds, probability

_A_RIM = 0.05  # of a chip's face: more of it beside a stack is likely another
_LIKE_FELT = 20.0  # levels: chips farther from the felt's colour than this stand out from it


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What the probability is made of. Elevation, number of chips and how far they may have slipped are not in it: the
    reader has learnt what these do to its number, and on frames of their own they told no more."""

    number: float = 0.0
    """Log odds of the number of chips."""
    colours: float = 0.0
    """Log odds of all colours, if the number is right."""
    size: float = 0.0
    """Log of the height of a chip's band in pixels."""
    left: float = 0.0
    """Log of one more than what stands there and no stack explains, in chips' faces."""
    missed: float = 0.0
    """Log of one more than what shows beside the stacks and is likely another, in what an outline may be off by."""
    hidden: float = 0.0
    """1 where others may hide the foot, 0 where it is seen."""
    like_felt: float = 0.0
    """How much the lowest chip looks like the felt, 0 to 1."""

    @classmethod
    def of(
        cls, number: float, colours: float, chip_px: float, *, is_hidden: bool = False, off_felt: float | None = None
    ) -> "Evidence":
        """Of how likely number and colours are, how high a band is, whether others may hide the foot, and how far from
        the felt's colour the lowest chip is (levels)."""
        like_felt = 0.0 if off_felt is None else max(0.0, 1 - off_felt / _LIKE_FELT)
        return cls(
            number=log_odds(number), colours=log_odds(colours), size=math.log(max(chip_px, 0.1)),
            hidden=float(is_hidden), like_felt=like_felt,
        )  # fmt: skip

    def beside(self, left: float, missed: float) -> "Evidence":
        """With what was left over by all stacks of the spot (in chips' faces), and what of it another may be."""
        return msgspec.structs.replace(self, left=math.log1p(left), missed=math.log1p(missed / _A_RIM))

    @property
    def of_stacks(self) -> tuple[float, ...]:
        """What says whether all stacks of the spot were found."""
        return (self.missed,)

    @property
    def of_number(self) -> tuple[float, ...]:
        """What says whether the number is right, if they were."""
        return self.number, self.left, self.hidden, self.like_felt

    @property
    def of_colours(self) -> tuple[float, ...]:
        """What says whether the colours are, if the number is."""
        return self.colours, self.size, self.hidden


NO_EVIDENCE = Evidence()


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """Weights and offsets fitted by `models/calibrate_chips.py`, kept in the manifest beside the reader's weights: two
    for whether all stacks were found, five for whether the number is right, four for whether the colours are."""

    missed: float = 0.0
    found_offset: float = 9.0
    number: float = 1.0
    left: float = 0.0
    hidden: float = 0.0
    like_felt: float = 0.0
    number_offset: float = 0.0
    colours: float = 1.0
    size: float = 0.0
    colours_hidden: float = 0.0
    colours_offset: float = 0.0

    @classmethod
    @functools.cache
    def shipped(cls) -> "Trust":
        """The numbers that belong to the weights that ship; without them confidence is what the reader says."""
        settings = weights.entry(READER).settings
        given = {name.removeprefix("trust_"): value for name, value in settings.items() if name.startswith("trust_")}
        return msgspec.convert(given, cls)

    def conf(self, evidence: Evidence) -> float:
        """How likely number and colours of a stack are all right."""
        found = _likely((self.missed, self.found_offset), evidence.of_stacks)
        number = _likely((self.number, self.left, self.hidden, self.like_felt, self.number_offset), evidence.of_number)
        colours = _likely((self.colours, self.size, self.colours_hidden, self.colours_offset), evidence.of_colours)
        return round(found * number * colours, 4)


def _likely(fitted: Iterable[float], evidence: tuple[float, ...]) -> float:
    return probability(sum(a * b for a, b in zip(fitted, (*evidence, 1.0), strict=True)))
