"""From what is read of a stack to a probability: of ten that say 0.9, nine are right."""

import functools
import math

import msgspec

from vision import weights
from vision.chip_count import READER
from vision.odds import log_odds, probability


Evidence = tuple[float, float, float, float]


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """Five numbers fitted by `models/calibrate_chips.py`, kept in the manifest beside the reader's weights."""

    count: float = 1.0
    colour: float = 0.0
    size: float = 0.0
    left: float = 0.0
    offset: float = 0.0

    @classmethod
    @functools.cache
    def shipped(cls) -> "Trust":
        """The numbers that belong to the weights that ship; without them confidence is what the reader says."""
        settings = weights.entry(READER).settings
        given = {name.removeprefix("trust_"): value for name, value in settings.items() if name.startswith("trust_")}
        return msgspec.convert(given, cls)

    def conf(self, evidence: Evidence) -> float:
        """How likely number and colours of a stack are all right."""
        numbers = (self.count, self.colour, self.size, self.left)
        return round(probability(sum(a * b for a, b in zip(numbers, evidence, strict=True)) + self.offset), 4)


def features(count: float, colour: float, chip_px: float, unexplained: float = 0.0) -> Evidence:
    """What the probability is made of: the log odds of the number and of all colours, the bands' height, and how much
    stands there that no stack explains."""
    return log_odds(count), log_odds(colour), math.log(max(chip_px, 0.1)), math.log1p(unexplained)
