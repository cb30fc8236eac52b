"""Which real photographs are kept out of training: every third run of ten consecutive ones, fixed for good.

>>> [position for position in range(60) if is_held_out(position)] == [*range(20, 30), *range(50, 60)]
True
"""

RUN_LENGTH = 10


def is_held_out(position: int) -> bool:
    """Whether the picture at this position (sorted by name) is for measuring alone, never for training or tuning."""
    return position // RUN_LENGTH % 3 == 2


def is_for_tuning(position: int) -> bool:
    """Whether it is for choosing thresholds and the like: not held out, not trained on by the eyes that need such.

    >>> [position for position in range(0, 180, 10) if is_for_tuning(position)]
    [40, 130]
    """
    return position // RUN_LENGTH % 9 == 4
