"""Probabilities as log odds, in which evidence adds up, and back."""

import math

_EDGE = 1e-4
"""No evidence counts for more than one in ten thousand."""


def log_odds(share: float) -> float:
    """
    >>> log_odds(0.5), round(log_odds(0.9), 2)
    (0.0, 2.2)
    """
    share = min(max(share, _EDGE), 1 - _EDGE)
    return math.log(share / (1 - share))


def cautious(conf: float, caution: float) -> float:
    """What the log says of what an eye is so sure of, its odds cut: a dealer is accused by what the log calls certain.

    >>> [round(cautious(conf, 0.5), 2) for conf in (0.5, 0.9, 0.98, 0.999)]
    [0.33, 0.82, 0.96, 1.0]
    """
    odds = caution * conf / max(1e-9, 1 - conf)
    return odds / (1 + odds)


def probability(odds: float) -> float:
    """
    >>> probability(0.0), round(probability(2.2), 2)
    (0.5, 0.9)
    """
    return 1 / (1 + math.exp(-odds))
