"""How much may be bet: the least and the largest bet and raise, the cap on raises, raises that are not allowed."""

from typing import NamedTuple

from auditor.outcomes import amount_text
from auditor.poker_turns import Player, Turns


class Pending(NamedTuple):
    """Chips a player is putting forward; judged once somebody else acts, when it is clear what stays."""

    player: Player
    n: int
    t: float
    put_before: int
    to_call: int
    middle: int
    late: bool

    @property
    def opening(self) -> bool:
        """Whether nothing was to be called."""
        return self.to_call == 0

    @property
    def by(self) -> int:
        """What was put in beyond the call."""
        return self.player.put - self.to_call


class Fault(NamedTuple):
    """What is wrong with a bet or a raise; `right` is what the player should have put forward in all."""

    kind: str
    rule: str
    why: str
    right: int | None = None


class Limits(Turns):
    """A betting round with its limits; `ceiling` is what may be bet at most after a card shown too early (Faro)."""

    ceiling: tuple[int, str] | None = None

    def fault(self, pending: Pending) -> Fault | None:
        """The first thing wrong with a bet or a raise; who taps out may bet any rest."""
        tapped_out = pending.player.all_in
        return (
            self._not_allowed(pending)
            or (None if tapped_out else self._too_small(pending))
            or self._too_big(pending)
            or (None if tapped_out else self._no_multiple(pending))
        )

    def _not_allowed(self, pending: Pending) -> Fault | None:
        player, clauses, regime = pending.player, self.clauses, self.rules.out_of_turn
        if pending.opening:
            return None
        if player.out_of_turn is not None:
            bigger = pending.to_call > player.out_of_turn
            if not (regime.raise_after_bigger if bigger else regime.raise_after_smaller):
                rule = regime.bigger if bigger else regime.smaller
                return Fault("bet.invalid", rule, f"{player.box} wagered out of turn and may not raise now.")
        cap = self.house.raise_cap(self.street)
        if cap is not None and self.raises >= cap and len(self.in_hand) > 2:
            why = f"{player.box} made raise number {self.raises + 1}; {cap} are allowed with more than two players."
            return Fault("bet.invalid", clauses.raises, why)
        if player.acted and player.saw == self.full_bet and pending.to_call > self.full_bet and not player.all_in:
            why = f"{player.box} raised on an all-in that was no raise; it may only be called."
            fixed = clauses.under_raise_fixed if self.house.limit_kind == "fixed" else ""
            return Fault("bet.invalid", fixed or clauses.under_raise, why)
        return None

    def least_raise(self, pending: Pending) -> int:
        """By how much a raise must go beyond the call."""
        if self.rules.raise_at_least_call:
            return pending.to_call - pending.put_before
        fixed = self._fixed()
        if fixed is None or pending.opening:
            return self.step
        # After an all-in of less than a raise, the next player may raise to the structured level.
        return min(fixed, self.full_bet + fixed - pending.to_call) if pending.to_call > self.full_bet else fixed

    def _fixed(self) -> int | None:
        bets = self.house.fixed_bets
        return None if bets is None else bets[0] if self.street < 2 else bets[1]

    def _too_small(self, pending: Pending) -> Fault | None:
        clauses, box, by = self.clauses, pending.player.box, pending.by
        if pending.opening:
            least = self._fixed() or self.house.min_cents
            why = f"{box} opened with {amount_text(by)}; at least {amount_text(least)} is asked."
            after_antes = clauses.least_bet_after_antes if self.house.ante_level is not None else ""
            return Fault("bet.limit", after_antes or clauses.least_bet, why, least) if by < least else None
        least = self.least_raise(pending)
        why = (
            f"{box} raised by {amount_text(by)} over {amount_text(pending.to_call)}; "
            f"a raise is at least {amount_text(least)}, and the excess was not given back."
        )
        rule = clauses.short_raise or clauses.least_raise
        return Fault("bet.amount", rule, why, pending.to_call + least) if by < least else None

    def _too_big(self, pending: Pending) -> Fault | None:
        house, clauses, by = self.house, self.clauses, pending.by
        did = f"{pending.player.box} {'opened with' if pending.opening else 'raised by'} {amount_text(by)}"
        fixed, kind = self._fixed(), house.limit_kind
        if fixed is not None and by > fixed:
            why = f"{did}; the bet is {amount_text(fixed)}."
            return Fault("bet.limit", clauses.most_bet, why, pending.to_call + fixed)
        if kind in ("pot", "half"):
            call = pending.to_call - pending.put_before
            pot = pending.middle + (call if house.limit_includes_call else 0)
            most = (pot if kind == "pot" else pot // 2) - (0 if house.limit_includes_call else call)
            part, added = "" if kind == "pot" else "half of ", "" if pending.opening else " with the call"
            if by > most:
                why = f"{did}; the limit is {part}the pot of {amount_text(pot)}{added}."
                return Fault("bet.limit", clauses.pot_limit, why, pending.to_call + most)
        if house.max_cents is not None and by > house.max_cents:
            why = f"{did}; the largest bet is {amount_text(house.max_cents)}."
            return Fault("bet.limit", clauses.most_bet, why, pending.to_call + house.max_cents)
        if self.ceiling is not None and pending.player.put > self.ceiling[0]:
            why = f"{did}; after the card shown too early {amount_text(self.ceiling[0])} is the most."
            return Fault("bet.limit", self.ceiling[1], why, self.ceiling[0])
        return None

    def _no_multiple(self, pending: Pending) -> Fault | None:
        unit = round(100 * (self.house.multiple or 0))
        if not unit or pending.player.put % unit == 0 or pending.to_call % unit:
            return None  # after an all-in that is no multiple, neither is the smallest raise
        why = f"{pending.player.box} bet {amount_text(pending.player.put)}, no multiple of {amount_text(unit)}."
        return Fault("bet.multiple", self.clauses.multiple, why, unit)
