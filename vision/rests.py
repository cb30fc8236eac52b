"""Rests: what the gate says of a zone that came to rest, and what it keeps in mind of one until then."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.plan import Zone
from vision.window import Difference, Look, Window

BRIEF_S = 0.3
"""No hand comes, moves something and goes again in less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """A zone that came to rest. `touched` says for how many seconds whose hand was over it since it last rested."""

    zone: Zone
    t: float
    stirred_from: float
    touched: dict[str, float]
    is_different: bool
    dealer_s: float = 0.0
    """For how long of that the dealer's arm was over it, or passed."""
    seen_t: float | None = None
    """When it was first seen as it looks now, if only between two arms that passed over it."""
    has_gap: bool = False
    """Whether so long a time is missing of the footage meanwhile that a hand may have come and gone."""
    was_otherwise: bool = False
    """Whether it was seen in between as it looked neither before nor now."""
    lay: Difference | None = None
    """Where something lay when the zone was first seen; only then."""

    @property
    def hidden_s(self) -> float:
        """For how long something else than the dealer's arm hid it."""
        return self.t - self.stirred_from - self.dealer_s


@dataclass(slots=True, kw_only=True)
class Doing:
    """What a zone looked like when last accepted, and what has gone on there since."""

    first: Look | None = None
    look: Look | None = None
    still_since: float | None = None
    stirred_from: float | None = None
    moved_t: float = -math.inf
    touched: dict[str, float] = field(default_factory=dict)
    dealer_s: float = 0.0
    glimpses: list[tuple[float, Look]] = field(default_factory=list)
    """How it looked between arms since it last rested, and when."""
    has_gap: bool = False
    lay: Difference | None = None
    is_lost: bool = False
    """Whether it has been hidden for so long that what happens there is not seen."""


@dataclass(slots=True, kw_only=True)
class Watched:
    """A zone as the gate knows it: its pixels in the small picture, its window in the large one, what it is doing."""

    zone: Zone
    small: NDArray[np.intp]
    window: Window
    different_px: float
    reach_mm: float
    """A hand whose fingers reach no farther from the zone's middle is at the zone."""
    doing: Doing = field(default_factory=Doing)
