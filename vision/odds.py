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


def probability(odds: float) -> float:
    """
    >>> probability(0.0), round(probability(2.2), 2)
    (0.5, 0.9)
    """
    return 1 / (1 + math.exp(-odds))
