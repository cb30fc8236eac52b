"""Logistic regression by Newton's method: what the eyes' confidences are fitted with."""

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
_STEPS = 30


def likely(design: Reals, given: Reals) -> Reals:
    """How likely each row of the design is right."""
    return np.asarray(1 / (1 + np.exp(-design @ given)))


def stepped(design: Reals, given: Reals, wanted: Reals, held_back: float, counts: Reals | float = 1.0) -> Reals:
    """One of Newton's steps, a little held back towards nothing; rows may count more or less."""
    chance = likely(design, given)
    slope = design.T @ (counts * (wanted - chance)) - held_back * given
    curve = (design * (counts * chance * (1 - chance))[:, None]).T @ design + held_back * np.eye(len(given))
    return np.asarray(given + np.linalg.solve(curve, slope))


def regressed(evidence: Reals, right: Reals, held_back: float) -> Reals:
    """A weight for each column of evidence, and an offset.

    >>> evidence, right = np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array([0.0, 1.0, 0.0, 1.0])
    >>> [round(number, 3) for number in regressed(evidence, right, held_back=1e-3).tolist()]
    [0.419, 0.0]
    """
    design = np.column_stack([evidence, np.ones(len(evidence))])
    given = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        given = stepped(design, given, right, held_back)
    return given
