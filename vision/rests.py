"""Rests: what the gate says of a zone that came to rest, and what that says of who was there and when."""

from dataclasses import dataclass

from auditor.log import By
from vision.card_piles import PILED
from vision.plan import Zone
from vision.window import Difference

BRIEF_S = 0.3
"""No hand comes, moves something and goes again in less."""
HAND_THERE_S = 0.12
"""A hand that puts something down or takes it up is there longer."""
CLEARLY = 1.5
"""So many times longer than the other side's must a hand have been at a spot to be the one that changed it."""
PASSED_S = 0.2
"""What was seen to lie so long before its zone came to rest had come before another arm passed over it."""
LONG_HIDDEN_S = 2.0
"""When something happened in a zone that was hidden longer is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """A zone that came to rest. `touched` says for how many seconds whose hand was over it since it last rested."""

    zone: Zone
    t: float
    stirred_from: float
    touched: dict[str, float]
    is_different: bool
    doubtful_s: float = 0.0
    """For how long of that it was not clear whether the hand was the dealer's or a player's."""
    dealer_s: float = 0.0
    """For how long of that the dealer's arm was over it, or passed."""
    seen_t: float | None = None
    """When it was first seen as it looks now, if only between two arms that passed over it."""
    has_gap: bool = False
    """Whether so long a time is missing of the footage meanwhile that a hand may have come and gone."""
    is_watched: bool = True
    """Whether it was seen whose hands were there."""
    was_otherwise: bool = False
    """Whether it was seen in between as it looked neither before nor now."""
    lay: Difference | None = None
    """Where something lay when the zone was first seen; only then."""

    @property
    def hidden_s(self) -> float:
        """For how long something else than the dealer's arm hid it."""
        return self.t - self.stirred_from - self.dealer_s

    @property
    def is_untimed(self) -> bool:
        """Whether nobody can say when something happened there."""
        return self.has_gap or self.hidden_s > LONG_HIDDEN_S

    @property
    def by(self) -> By | None:
        """Who had a hand there; nobody is named where both sides had it for about as long, or may have."""
        dealer_s, player_s = self._sides
        surely_s, other_s = max(dealer_s, player_s) - self.doubtful_s, min(dealer_s, player_s) + self.doubtful_s
        if surely_s < CLEARLY * other_s or dealer_s == player_s:
            return None
        return "dealer" if dealer_s > player_s else "player"

    @property
    def is_shared(self) -> bool:
        """Whether both sides had a hand there, or may have."""
        return min(self._sides) + self.doubtful_s > HAND_THERE_S

    @property
    def may_pile(self) -> bool:
        """Whether the dealer's hand was where cards are put on one another."""
        return self.zone.place in PILED and self.touched.get("dealer", 0.0) > HAND_THERE_S

    @property
    def changed_t(self) -> float:
        """When it changed: when it was first seen as it lies, though an arm passed over it after that. Under a player's
        hand that lay there for long chips may have lain as long: nobody is late for that."""
        if self.seen_t is not None and self.t - self.seen_t > PASSED_S:
            return self.seen_t
        is_under_hand = self.zone.kind == "chips" and self.by == "player" and self.hidden_s > LONG_HIDDEN_S
        return self.stirred_from if is_under_hand else self.t

    @property
    def since(self) -> float | None:
        """The earliest time at which cards may have changed, where arms were over them until they were seen."""
        is_hidden = self.zone.kind in ("cards", "tiles") and self.changed_t > self.stirred_from
        return self.stirred_from if is_hidden else None

    @property
    def _sides(self) -> tuple[float, float]:
        """For how long the dealer and the player who was there longest had a hand there."""
        others = [seconds for name, seconds in self.touched.items() if name != "dealer"]
        return self.touched.get("dealer", 0.0), max(others, default=0.0)
