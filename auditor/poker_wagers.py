"""What the chips a player put forward amount to: a call, a raise, an opening bet, too little, or too late."""

from auditor.findings import Finding
from auditor.outcomes import amount_text
from auditor.poker_limits import Limits, Pending
from auditor.poker_table import Step, Table
from auditor.poker_turns import Aggression


class Wagers(Limits):
    """Chips put forward, judged once it is clear what stays."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.pending: Pending | None = None
        self.loose_chips = False
        """Whether a fault that is reported left chips in the pot that may go either way."""
        self.late: tuple[str, int] | None = None
        """The last bet after the betting was over: whose, and when."""

    def puts_more(self, step: Step) -> bool:
        """Whether the chips are more of what their player is putting forward."""
        return step.kind == "chips" and self.pending is not None and self.pending.player.box == step.box

    def settle_pending(self, n: int) -> None:
        """The chips a player put forward are his action now: a call, a raise, an opening bet, or too little."""
        pending, self.pending = self.pending, None
        if pending is None:
            return
        player = pending.player
        player.all_in = self.table.stack_at(player.box, n) == 0
        if player.put <= pending.put_before:
            player.held = False
            return
        if pending.late:
            step = Step(pending.n, pending.t, "chips", player.box)
            why = f"{player.box} bet {amount_text(player.put - pending.put_before)} when the betting round was over."
            self.report("bet.late", self.rule_now(self.clauses.late), step, why, spot=True)
            self.loose_chips, self.late = True, (player.box, pending.n)
            if any(later.change is not None and later.box != player.box for later in self.table.acts_after(pending.n)):
                self.raise_to(player)  # the others go along: one fault, not one for each
                self.last = self.order.index(player)
            return
        if player.held:
            player.out_of_turn = player.put
            return
        if player.put < pending.to_call:
            self._short(pending)
        elif player.put == pending.to_call:
            self._just_call(pending)
        else:
            self._aggress(pending)
        self.acted(player, pending.t)

    def _short(self, pending: Pending) -> None:
        player = pending.player
        if not player.all_in and self._made_up_later(pending):
            player.owes = pending.to_call - player.put
            player.put = pending.to_call
        elif not player.all_in and not self._breaks_off(pending):
            needed = amount_text(pending.to_call - player.put)
            why = f"{player.box} put in {amount_text(player.put)}, {needed} short of the call, and had chips left."
            self._wrong("bet.amount", self.clauses.short_call, pending, pending.to_call, why)
            self.loose_chips = True
            player.credit = pending.to_call - player.put  # once reported, it counts as a call: nothing else is said
            player.put = pending.to_call
        self._calls()

    def _made_up_later(self, pending: Pending) -> bool:
        """Whether the next chips of the betting round that are not just calls are what is missing of this one."""
        box, missing = pending.player.box, pending.to_call - pending.player.put
        for step in self.table.acts_after(pending.n):
            if step.box == box:
                return step.change is not None and step.change.rise == missing
            if step.change is not None and step.change.after > pending.to_call:
                return False
        return False

    def _excess_goes_back(self, pending: Pending) -> bool:
        """Whether what is beyond the call goes back before the betting round is over, and nobody goes along with it.
        Once all others have folded it goes back whatever it was."""
        box, returned = pending.player.box, 0
        others = {player.box for player in self.in_hand if player is not pending.player}
        back = {each.n: each.amount for each in self.table.returned.get(box, ())}
        for step in self.table.steps:
            if step.n <= pending.n or (step.box == box and step.n not in back):
                continue
            if step.kind in ("fold", "gone"):
                others.discard(step.box)
            is_over = step.kind in ("card", "board") or not others
            if is_over or (step.change is not None and step.change.after > pending.to_call):
                break
            returned += back.get(step.n, 0) if step.box == box else 0
        return returned >= pending.by

    def _breaks_off(self, pending: Pending) -> bool:
        """Whether the log ends before it is clear what stays of a bet: more may come, or go back."""
        after = (step for step in self.table.steps if step.n > pending.n)
        return not self.table.round.ended and all(step.box == pending.player.box for step in after)

    def _calls(self) -> None:
        if self.aggressor is not None and self.aggressor.street == self.street:
            self.called = self.aggressor

    def _just_call(self, pending: Pending) -> None:
        rule = self.house.opener_call_rule
        if self.street == 0 and self.opening and rule and not pending.player.all_in:
            self._wrong(
                "bet.invalid", rule, pending, None, f"{pending.player.box} opens the betting and must raise or fold."
            )
        self._calls()

    def _aggress(self, pending: Pending) -> None:
        player = pending.player
        fault = self.fault(pending)
        if fault is not None and fault.kind == "bet.amount" and self._excess_goes_back(pending):
            self._just_call(pending)  # the chips beyond the call lie there, but nobody has to call them
            return
        if fault is not None and fault.kind == "bet.amount" and self._breaks_off(pending):
            fault = None
        if fault is not None:
            self._wrong(fault.kind, fault.rule, pending, fault.right, fault.why)
        over = (*self.aggressor.over, self.aggressor.box) if self.aggressor is not None else ()
        if not player.all_in or pending.by >= self.least_raise(pending) or fault is not None:
            self.full_bet = player.put
            self.raises += not pending.opening
            self.step = max(self.step, pending.by) if fault is None else self.step or pending.by
            over = ()
        self.to_call = player.put
        self.aggressor, self.called = Aggression(player.box, self.street, over), None

    def _wrong(self, kind: str, rule: str, pending: Pending, right: int | None, why: str) -> None:
        self.findings.append(
            Finding(
                kind=kind,
                rule=rule,
                t=pending.t,
                at=f"{pending.player.box}/bet",
                expected=right,
                observed=pending.player.put,
                message=why,
            )
        )
