"""What a poker player may do and does: fold, check, call, bet and raise within the table's limits."""

from math import ceil, floor, inf
from typing import Any, ClassVar

from datasets.dealers.poker_table import PokerTable


class PokerBetting(PokerTable):
    """`level` is what everybody has to match, `increment` the least raise, `closed` whether raising is over."""

    betting_rounds: ClassVar[int] = 4
    clock: ClassVar[float | None] = None
    """How long a player has who is told to act."""

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.number = 0
        self.level: float = 0
        self.increment: float = 0
        self.raises = 0
        self.closed = False
        self.queue: list[int] = []
        self.checked: list[int] = []
        self.folded: list[int] = []
        self.aggressor: int | None = None
        self.under_raised = False
        """Whether the last raise was an all-in of less: Tasmania leaves open if that is one (16.3, definition)."""
        self.bettor: int | None = None
        self.called: int | None = None
        self.zeal: dict[int, float] = {}
        self.fold_out = False
        self.early_card = False
        self.fouled = 0

    # ---- what a game brings ----

    def first_round_order(self) -> list[int]:
        """Everybody in the order of the first betting round: after the last blind."""
        last = self.blind_players()[-1] if self.blinds else self.button
        return self.after(last, self.boxes)

    def order_of(self, number: int) -> list[int]:
        """Everybody in the order of a betting round."""
        return self.first_round_order() if number == 1 else self.boxes

    def must_open(self, number: int) -> bool:
        """Whether the first player of this round has to bet."""
        return number == 1 and not self.blinds

    def opener_options(self) -> str:
        """What the opening player of a blind round may do: A may not fold, C may not just call."""
        return self.house.get("blind_option", "B") if self.number == 1 and self.blinds else "B"

    def raise_cap(self, number: int) -> int | None:
        """How many raises a betting round allows while more than two contest."""
        return None

    def bounds(self, box: int) -> tuple[float, float]:
        """The levels between which a bet or raise may be made."""
        limit = self.house.get("limit", "none")
        call = self.level - self.bets.get(box, 0)
        low = ceil((self.level + self.least_raise(box)) / self.unit) * self.unit
        if limit == "fixed":
            size = self.fixed_size()
            return self.level + size, self.level + size
        if limit == "none":
            return low, inf
        share = 1 if limit == "pot" else 0.5
        return low, floor((self.level + share * (self.in_play + call)) / self.unit) * self.unit

    def least_raise(self, box: int) -> float:
        """By how much a bet or raise has to exceed what it takes to call."""
        return self.increment if self.level else self.big

    def over_limit(self, box: int) -> float:
        """The level above which a bet is too high by any reading of the limit."""
        return self.bounds(box)[1]

    def fixed_size(self) -> float:
        """The structured bet of this round."""
        sizes: list[float] = self.house.get("fixed", [self.big, 2 * self.big])
        return sizes[0] if self.number <= 2 else sizes[1]

    @property
    def unit(self) -> float:
        """What bets are made in."""
        return self.house.get("multiple") or 1

    def may_check(self, box: int) -> bool:
        """Whether a check is allowed beyond there being no bet."""
        return True

    # ---- what players do ----

    def able(self) -> list[int]:
        """Who can still bet."""
        return [box for box in self.live if box not in self.tapped]

    def _wish(self, box: int, owes: float, low: float) -> str:
        zeal, draw = self.zeal[box], self.chance.random()
        if self.told("pot.split", "pot.odd_chip", "show.order", "pot.winner", "bet.moved"):
            zeal = 0.9
        elif self.told("commission.not_due") and self.number == 1:
            zeal = -0.5
        small = self.told("pot.odd_chip") and self.chance.random() < 0.8  # side pots would be divided together
        if not owes:
            return "raise" if draw < 0.15 + 0.25 * zeal and not small else "check"
        fear = 0.6 * (1 - zeal) + (0.2 if owes > self.stack(box) / 3 else 0)
        if draw < fear:
            return "fold"
        return "raise" if draw > 0.92 - 0.1 * zeal and not small else "call"

    def _size(self, low: float, high: float, total: float) -> float:
        """How much: mostly little, sometimes as much as is allowed, sometimes everything."""
        high = min(high, total)
        if total <= low:
            return total
        draw = self.chance.random()
        if draw < 0.04 or high == low:
            return high
        wish = low if draw < 0.4 else low + (min(high, 6 * low + self.in_play) - low) * self.chance.random()
        wish = floor(wish / self.unit) * self.unit
        return max(low, wish) if wish < total else total

    # ---- the actions ----

    def _fold(self, box: int) -> None:
        self.call("fold", f"box{box}", "player")
        self.gone(f"box{box}")
        self.live.remove(box)
        self.folded.append(box)

    def _check(self, box: int) -> None:
        self.call("check", f"box{box}", "player")
        self.checked.append(box)

    def _call(self, box: int) -> None:
        to = min(self.level, self.bets.get(box, 0) + self.stack(box))
        if to == self.level and self._put_right(box):
            return
        self.put_forward(box, to)
        self.called = self.bettor

    def _raise(self, box: int, to: float) -> None:
        more, opening, least = to - self.level, not self.level, self.least_raise(box)
        self.put_forward(box, to)
        self.level, self.bettor, self.called = to, box, None
        self.aggressor, self.under_raised = box, more < least
        if more < least:
            self.closed = True
        else:
            self.increment = max(more, self.increment)
            self.raises += not opening
        self.queue = [other for other in self.after(box, self.boxes) if other in self.able() and other != box]

    def _put_right(self, box: int) -> bool:
        """A call that was too little and is topped up, or a raise too small of which the excess goes back."""
        if self.chance.random() > 0.01:
            return False
        before = self.bets.get(box, 0)
        owes = self.level - before
        if owes >= 2 and self.chance.random() < 0.5:
            self.put_forward(box, before + owes // 2)
            self.put_forward(box, self.level, seconds=3)
        elif self.increment > 1 and self.stack(box) > owes + 1 and not self.closed:
            self.put_forward(box, self.level + 1)
            self.take_back(box, self.level)
        else:
            return False
        self.called = self.bettor
        return True
