"""The betting as it was acted: whose turn it was, what he did, and whether the rules let him.

:class:`Betting` walks through a round step by step and keeps what a dealer keeps in mind: who is in, what each has put
in, what it takes to call, the smallest raise. It answers with findings, and with what each box put into the middle.
"""

from collections.abc import Sequence
from typing import NamedTuple

from auditor.findings import Finding
from auditor.poker_table import Step, Table
from auditor.rounds import Slot
from auditor.settlement import amount_text


class Player:
    """A player in the walk. Amounts are cents; `put` is this betting round's, `total` the whole round's."""

    __slots__ = (
        "acted", "all_in", "box", "clock", "folded_n", "folded_short", "out_of_turn", "posted", "put", "saw", "total",
    )  # fmt: skip

    def __init__(self, box: str) -> None:
        self.box = box
        self.put = self.total = self.posted = 0
        self.folded_n: int | None = None
        self.all_in = self.acted = False
        self.out_of_turn: int | None = None
        self.saw = 0
        self.clock: float | None = None
        self.folded_short = 0

    @property
    def in_hand(self) -> bool:
        """Still contesting the pot."""
        return self.folded_n is None


class Pending(NamedTuple):
    """Chips a player is putting forward; judged once somebody else acts, when it is clear what stays."""

    player: Player
    n: int
    t: float
    put_before: int
    to_call: int
    middle: int
    late: bool


class Aggression(NamedTuple):
    """A bet, a raise, or the last blind: who showed strength, in which betting round."""

    box: str
    street: int


class Betting:
    """The walk through one round. `owed_antes`: antes of a misdealt round that still stand in the pot."""

    def __init__(self, table: Table, blinds: Sequence[tuple[str, int]], owed_antes: dict[str, int]) -> None:
        self.table, self.house, self.rules = table, table.house, table.rules
        self.clauses = table.rules.clauses
        self.findings: list[Finding] = []
        self.players = {box: Player(box) for box in table.seats}
        self.order = list(self.players.values())
        self.blinds = list(blinds)
        self.blind_boxes = [box for box, _ in blinds]
        self.street = -1
        self.to_call = self.full_bet = self.step = self.raises = 0
        self.last = -1
        self.pending: Pending | None = None
        self.owed: set[str] = set()
        self.opening = True
        self.actions = 0
        self.ceiling: tuple[int, str] | None = None
        self.aggressor: Aggression | None = None
        self.called: Aggression | None = None
        self.dead = sum(pot.carried for pot in table.pots) - sum(owed_antes.values())
        self.only_forced = True
        self.last_folded: str | None = None
        self.closed = False
        self._post(owed_antes)

    # ---- before the cards ----

    def _post(self, owed_antes: dict[str, int]) -> None:
        """Blinds and antes are in the middle when the cards come."""
        table = self.table
        levels = self.house.blind_levels
        for box, player in self.players.items():
            player.posted = table.posted.get(box, 0) + owed_antes.get(box, 0)
            player.total = player.posted
            if box not in table.dealt:
                player.folded_n = table.opened_n
            if not levels:
                continue
            # Who posts what he missed as well as the big blind has only the big blind in play.
            dead = box not in self.blind_boxes and not self.house.allows_over_blind and player.posted == sum(levels)
            player.put = levels[-1] if dead else player.posted
        if levels and any(player.posted for player in self.order):
            self.to_call = max(levels[-1], *(player.put for player in self.order))
            self.full_bet, self.step = self.to_call, levels[-1]
        for player in self.order:
            left = table.stack_at(player.box, table.opened_n, player.posted)
            player.all_in = player.posted > 0 and left == 0

    # ---- betting rounds ----

    def begin(self, street: int, opener: str | None = None) -> None:
        """A betting round starts; `opener` acts first, by default as the button says."""
        self._settle_pending(self.table.end_n)
        if street > 0 or self.street >= 0:
            for player in self.order:
                player.put = player.saw = 0
                player.acted, player.out_of_turn = False, None
            self.to_call = self.full_bet = self.step = 0
        self.street, self.raises, self.actions = street, 0, 0
        self.owed.clear()
        self.opening, self.ceiling, self.called = True, None, None
        self.last = len(self.order) - 1
        if opener is not None and opener in self.players:
            self.last = self.order.index(self.players[opener]) - 1
        elif street == 0 and self.blind_boxes:
            last_blind = self._last_blind()
            self.last = self.order.index(last_blind) if last_blind in self.order else self.last
            if last_blind is not None:
                self.aggressor = Aggression(last_blind.box, 0)

    def _last_blind(self) -> Player | None:
        box = self.blind_boxes[-1]
        over = [player for player in self.order if player.put > self.house.blind_levels[-1]]
        return over[-1] if over else self.players.get(box)

    def due(self) -> Player | None:
        """Whose turn it is; None when the betting round is over."""
        active = [player for player in self.order if player.in_hand]
        if len(active) < 2:
            return None
        free = [player for player in active if not player.all_in]
        if not free or (len(free) == 1 and free[0].put >= self.to_call):
            return None
        count = len(self.order)
        for offset in range(1, count + 1):
            player = self.order[(self.last + offset) % count]
            if player.in_hand and not player.all_in and (not player.acted or player.put < self.to_call):
                return player
        return None

    def complete(self, n: int) -> bool:
        """Whether the betting round is over by event `n`."""
        self._settle_pending(n)
        return self.due() is None

    @property
    def in_hand(self) -> list[Player]:
        """Who still contests the pot, from the button's left on."""
        return [player for player in self.order if player.in_hand]

    # ---- steps ----

    def take(self, step: Step) -> None:
        """One step of the betting."""
        player = self.players.get(step.box)
        if player is None:
            if step.kind == "chips" and step.change is not None and step.change.by == "player" and step.change.rise > 0:
                self._report("bet.invalid", self.clauses.in_turn, step, f"{step.box} is not in the round.", spot=True)
            return
        if step.kind == "chips":
            self._chips(player, step)
        elif step.kind == "check":
            self._check(player, step)
        elif step.kind == "clock":
            player.clock = step.t
        elif player.in_hand:
            self._fold(player, step)

    def _chips(self, player: Player, step: Step) -> None:
        change = step.change
        assert change is not None
        if change.rise < 0:
            self._lowered(player, step)
            return
        if change.by == "dealer":
            return
        pending = self.pending
        if pending is None or pending.player is not player:
            self._settle_pending(step.n)
            late = self.due() is None
            if not late:
                self._in_turn(player, step, wager=True)
            middle = self.dead + sum(each.total for each in self.order)
            self.pending = Pending(player, step.n, step.t, player.put, self.to_call, middle, late)
        player.put += change.rise
        player.total += change.rise
        self.only_forced = False

    def _lowered(self, player: Player, step: Step) -> None:
        """Chips of a bet went: back to the player, or swept to the pot."""
        back = next((each for each in self.table.returned[player.box] if each.n == step.n), None)
        if back is None or (self.pending is not None and self.pending.player is not player):
            self._settle_pending(step.n)
        if back is None:
            return
        change = step.change
        mine = self.pending is not None and self.pending.player is player
        may_take = mine or player.out_of_turn is not None or not player.in_hand or self.due() is None
        if change is not None and change.by == "player" and not may_take:
            self._report(
                "bet.moved", self.clauses.stake, step,
                f"{player.box} took {amount_text(back.amount)} of the standing bet back.", spot=True,
            )  # fmt: skip
        taken, topmost = min(back.amount, player.total), player.put == self.to_call
        player.put, player.total = max(player.put - taken, 0), player.total - taken
        left = self.table.stack_at(player.box, step.n + 2, player.total)
        player.all_in = player.all_in and left == 0
        if topmost and not mine:
            self.to_call = max(each.put for each in self.order)

    def _check(self, player: Player, step: Step) -> None:
        self._settle_pending(step.n)
        self._in_turn(player, step, wager=False)
        clauses = self.clauses
        passes_raise = self.street == 0 and player.posted > 0 and bool(self.house.blind_levels)
        if player.put < self.to_call and not player.all_in:
            why = f"{player.box} checked, though {amount_text(self.to_call - player.put)} more was needed to call."
            self._report("bet.invalid", clauses.no_check, step, why, spot=True)
        elif self.street == 0 and not passes_raise and clauses.no_first_check:
            why = f"{player.box} checked in the first betting round, which must be opened with a bet."
            self._report("bet.invalid", clauses.no_first_check, step, why, spot=True)
        self._acted(player, step.t, folds=False, checks=True)

    def _fold(self, player: Player, step: Step) -> None:
        pending = self.pending
        if pending is not None and pending.player is player and player.put < pending.to_call:
            # A bet short of the call, then a fold: what follows for the chips differs from rulebook to rulebook.
            player.folded_short = player.put - pending.put_before
            self.pending = None
        else:
            self._settle_pending(step.n)
            if self.due() is not None:
                self._in_turn(player, step, wager=False)
                self._fold_options(player, step)
        if len(self.in_hand) > 1:
            player.folded_n = step.n
            self.last_folded = player.box
            self._chips_of_folded(player, step)
        self._acted(player, step.t, folds=True, checks=False)

    def _fold_options(self, player: Player, step: Step) -> None:
        """10.2(a), (d), stud 11.1(b): an opening player who may not fold."""
        rule = self.house.opener_fold_rule
        if self.street == 0 and self.opening and rule and not player.acted:
            self._report(
                "bet.invalid", rule, step, f"{player.box} opens the betting and may not simply fold.", spot=True
            )

    def _chips_of_folded(self, player: Player, step: Step) -> None:
        """Whether a short call, or a wager out of turn, stayed in or went back as it should."""
        rules, regime = self.rules, self.rules.out_of_turn
        back = sum(each.amount for each in self.table.returned.get(player.box, ()) if each.n > step.n - 1)
        if player.folded_short and not player.all_in:
            amount = amount_text(player.folded_short)
            if rules.short_call_returned and back < player.folded_short:
                why = f"{player.box} folded after a bet of {amount} short of the call; it must go back, and did not."
                self._report("bet.amount", self.clauses.short_call, step, why, spot=True)
            elif not rules.short_call_returned and back:
                why = f"{player.box} folded after a bet of {amount} short of the call: it is lost to the pot, but went back."
                self._report("bet.moved", self.clauses.short_call, step, why, spot=True)
        elif player.out_of_turn is not None and self.to_call > player.out_of_turn:
            amount = amount_text(player.out_of_turn)
            if regime.returned is True and not back:
                why = f"{player.box} folded to a bigger bet: the {amount} bet out of turn must go back, and did not."
                self._report("bet.amount", regime.bigger, step, why, spot=True)
            elif regime.returned is False and back:
                why = f"{player.box} folded to a bigger bet: the {amount} wagered out of turn stays in, but went back."
                self._report("bet.moved", regime.bigger, step, why, spot=True)

    # ---- turns ----

    def _in_turn(self, player: Player, step: Step, *, wager: bool) -> None:
        due = self.due()
        if player.box in self.owed or due is player:
            self.owed.discard(player.box)
        elif due is None:
            if step.kind == "check" or not player.in_hand:
                self._report("action.order", self.clauses.in_turn, step, f"{player.box} acted when no turn was open.")
        else:
            why = f"{player.box} acted, but it was {due.box}'s turn."
            if due.clock is not None and step.t > due.clock + self.rules.clock_s:
                limit = f"{self.rules.clock_s:.0f} s"
                why = f"{due.box} was told to act at {due.clock:.1f} s and let {limit} pass: the hand must be folded."
                self.findings.append(Finding(kind="action.time", rule=self.clauses.clock, t=step.t, at=due.box, message=why))
            else:
                rule = self.clauses.tapped_out if player.all_in else self._turn_rule()
                self._report("action.order", rule, step, why, expected=due.box, observed=player.box)
                if wager and not player.all_in:
                    player.out_of_turn = 0
            self.owed.add(due.box)
        self.last = self.order.index(player)
        self.actions += 1

    def _turn_rule(self) -> str:
        if not self.opening or self.actions:
            return self.clauses.in_turn
        return self.clauses.opens if self.street == 0 else self.clauses.opens_later

    def _acted(self, player: Player, t: float, *, folds: bool, checks: bool) -> None:
        if player.clock is not None:
            over = t - player.clock - self.rules.clock_s
            fine = folds or (checks and self.rules.checks_on_time and self.to_call == 0)
            if over > 0 and not fine:
                self.findings.append(
                    Finding(
                        kind="action.time", rule=self.clauses.clock, t=t, at=player.box, expected=self.rules.clock_s,
                        observed=round(t - player.clock, 2),
                        message=f"{player.box} was told to act at {player.clock:.1f} s and acted {t - player.clock:.1f} s "
                        f"later; after {self.rules.clock_s:.0f} s the hand must be folded.",
                    )
                )
            player.clock = None
        player.acted, player.saw = True, self.full_bet
        self.opening = False

    # ---- amounts ----

    def _settle_pending(self, n: int) -> None:
        """The chips a player put forward are his action now: a call, a raise, an opening bet, or too little."""
        pending, self.pending = self.pending, None
        if pending is None:
            return
        player, put, to_call = pending.player, pending.player.put, pending.to_call
        left = self.table.stack_at(player.box, n, player.total - player.posted)
        player.all_in = left == 0
        if put <= pending.put_before:
            player.out_of_turn = None
            return
        if pending.late:
            step = Step(pending.n, pending.t, "chips", player.box)
            why = f"{player.box} bet {amount_text(put - pending.put_before)} when the betting round was over."
            self._report("bet.late", self.clauses.late, step, why, spot=True)
            return
        if player.out_of_turn == 0:
            player.out_of_turn = put
        if put < to_call:
            self._short(pending, left)
        elif put == to_call:
            self._just_call(pending)
        else:
            self._aggress(pending, left)
        self._acted(player, pending.t, folds=False, checks=False)

    def _short(self, pending: Pending, left: int | None) -> None:
        player = pending.player
        if left is None or left == 0:
            return
        needed = amount_text(pending.to_call - player.put)
        self._amount(
            "bet.amount", self.clauses.short_call, pending, pending.to_call,
            f"{player.box} put in {amount_text(player.put)}, {needed} short of the call, and had chips left.",
        )  # fmt: skip

    def _just_call(self, pending: Pending) -> None:
        rule = self.house.opener_call_rule
        if self.street == 0 and self.opening and rule and not pending.player.all_in:
            self._amount(
                "bet.invalid", rule, pending, None, f"{pending.player.box} opens the betting and must raise or fold."
            )
        if self.aggressor is not None and self.aggressor.street == self.street:
            self.called = self.aggressor

    def _aggress(self, pending: Pending, left: int | None) -> None:
        player, to_call = pending.player, pending.to_call
        by = player.put - to_call
        all_in = left == 0
        opening = to_call == 0
        fault = self._fault(pending, by, left)
        if fault is not None:
            self._amount(fault[0], fault[1], pending, fault[3], fault[2])
        full = by >= self._least_raise(pending) or fault is not None
        if full or not all_in:
            self.full_bet = player.put
            self.raises += not opening
            self.step = max(self.step, by) if fault is None else self.step or by
        self.to_call = player.put
        self.aggressor = Aggression(player.box, self.street)
        self.called = None

    def _least_raise(self, pending: Pending) -> int:
        if self.rules.raise_at_least_call:
            return pending.to_call - pending.put_before
        fixed = self._fixed()
        if fixed is not None and pending.to_call:
            # After an all-in of less than a raise, the next player may raise to the structured level.
            return min(fixed, self.full_bet + fixed - pending.to_call) if pending.to_call > self.full_bet else fixed
        return self.step

    def _fixed(self) -> int | None:
        bets = self.house.fixed_bets
        return None if bets is None else bets[0] if self.street < 2 else bets[1]

    def _fault(self, pending: Pending, by: int, left: int | None) -> tuple[str, str, str, int | None] | None:
        """Kind, clause, words and the right amount of the first thing wrong with a bet or a raise."""
        clauses, player = self.clauses, pending.player
        box, opening = player.box, pending.to_call == 0
        may_be_short = left is None or left == 0
        return (
            self._not_allowed(pending, opening=opening)
            or self._too_small(box, by, may_be_short, pending, opening=opening)
            or self._too_big(box, by, pending, opening=opening)
            or (
                ("bet.multiple", clauses.multiple,
                 f"{box} bet {amount_text(player.put)}, no multiple of {amount_text(round(self.house.multiple * 100))}.",
                 round(self.house.multiple * 100))
                if self.house.multiple and not may_be_short and player.put % round(self.house.multiple * 100) else None
            )
        )  # fmt: skip

    def _not_allowed(self, pending: Pending, *, opening: bool) -> tuple[str, str, str, int | None] | None:
        player, clauses, regime = pending.player, self.clauses, self.rules.out_of_turn
        if opening:
            return None
        if player.out_of_turn is not None and player.acted:
            bigger = pending.to_call > player.out_of_turn
            allowed = regime.raise_after_bigger if bigger else regime.raise_after_smaller
            if not allowed:
                rule = regime.bigger if bigger else regime.smaller
                return "bet.invalid", rule, f"{player.box} wagered out of turn and may not raise now.", None
        cap = self.house.raise_cap(self.street)
        if cap is not None and self.raises >= cap and len(self.in_hand) > 2:
            why = f"{player.box} made raise number {self.raises + 1}; {cap} are allowed with more than two players."
            return "bet.invalid", clauses.raises, why, None
        reopened = player.saw != self.full_bet
        if player.acted and not reopened and pending.to_call > self.full_bet and not player.all_in:
            why = f"{player.box} raised on an all-in that was no raise; it may only be called."
            return "bet.invalid", clauses.under_raise, why, None
        return None

    def _too_small(
        self, box: str, by: int, may_be_short: bool, pending: Pending, *, opening: bool
    ) -> tuple[str, str, str, int | None] | None:
        clauses = self.clauses
        if may_be_short:
            return None
        if opening:
            least = self._fixed() or self.house.min_cents
            if by < least:
                why = f"{box} opened with {amount_text(by)}; at least {amount_text(least)} is asked."
                return "bet.limit", clauses.least_bet, why, least
            return None
        least = self._least_raise(pending)
        if by < least:
            why = (
                f"{box} raised by {amount_text(by)} over {amount_text(pending.to_call)}; "
                f"a raise is at least {amount_text(least)}, and the excess was not given back."
            )
            rule = clauses.short_raise or clauses.least_raise
            return "bet.amount", rule, why, pending.to_call + least
        return None

    def _too_big(self, box: str, by: int, pending: Pending, *, opening: bool) -> tuple[str, str, str, int | None] | None:
        house, clauses = self.house, self.clauses
        what = "opened with" if opening else "raised by"
        fixed, kind = self._fixed(), house.limit_kind
        if fixed is not None and by > fixed:
            return "bet.limit", clauses.most_bet, f"{box} {what} {amount_text(by)}; the bet is {amount_text(fixed)}.", fixed
        if kind in ("pot", "half"):
            pot = pending.middle + pending.to_call - pending.put_before
            most = pot if kind == "pot" else pot // 2
            if by > most:
                call = "" if opening else " with the call"
                part = "" if kind == "pot" else "half of "
                why = f"{box} {what} {amount_text(by)}; the limit is {part}the pot of {amount_text(pot)}{call}."
                return "bet.limit", clauses.pot_limit, why, most
        if house.max_cents is not None and by > house.max_cents:
            why = f"{box} {what} {amount_text(by)}; the largest bet is {amount_text(house.max_cents)}."
            return "bet.limit", clauses.most_bet, why, house.max_cents
        if self.ceiling is not None and pending.player.put > self.ceiling[0]:
            why = f"{box} bet {amount_text(pending.player.put)}; after the early card {amount_text(self.ceiling[0])} is the most."
            return "bet.limit", self.ceiling[1], why, self.ceiling[0]
        return None

    # ---- reporting ----

    def _report(
        self, kind: str, rule: str, step: Step, message: str, *,
        spot: bool = False, expected: object = None, observed: object = None,
    ) -> None:  # fmt: skip
        at = f"{step.box}/bet" if spot else step.box
        self.findings.append(
            Finding(kind=kind, rule=rule, t=step.t, at=at, message=message, expected=expected, observed=observed)
        )

    def _amount(self, kind: str, rule: str, pending: Pending, expected: int | None, message: str) -> None:
        self.findings.append(
            Finding(
                kind=kind, rule=rule, t=pending.t, at=f"{pending.player.box}/bet", expected=expected,
                observed=pending.player.put, message=message,
            )
        )


def showing(slots: Sequence[Slot]) -> list[int]:
    """The cards of a hand that were dealt face up, in their order."""
    return [slot.card for slot in slots if slot.dealt_up and slot.card is not None]
