"""From what the counter and the palette say of a stack to a probability: of ten that say 0.9, nine are right."""

import functools
import math

import msgspec

from vision import weights
from vision.chip_count import COUNTER
from vision.odds import log_odds, probability


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """Four numbers fitted by `models/calibrate_chips.py`, kept in the manifest beside the counter's weights."""

    count: float = 1.0
    colour: float = 0.0
    size: float = 0.0
    offset: float = 0.0

    @classmethod
    @functools.cache
    def shipped(cls) -> "Trust":
        """The numbers that belong to the weights that ship; without them confidence is what the counter says."""
        settings = weights.entry(COUNTER).settings
        given = {name.removeprefix("trust_"): value for name, value in settings.items() if name.startswith("trust_")}
        return msgspec.convert(given, cls)

    def conf(self, evidence: tuple[float, float, float]) -> float:
        """How likely number and colours of a stack are all right."""
        total = sum(a * b for a, b in zip((self.count, self.colour, self.size), evidence, strict=True)) + self.offset
        return round(probability(total), 4)


def features(count: float, colour: float, chip_px: float) -> tuple[float, float, float]:
    """What the probability is made of: the log odds of the number and of the least sure colour, the bands' height."""
    return log_odds(count), log_odds(colour), math.log(max(chip_px, 0.1))

