"""Whose turn it is at a poker table: who is in, who has acted, and what happens to an action out of turn.

A wager out of turn is held: until those before him have acted it binds nobody, then it counts as its player's action
unless he acts again.
"""

import itertools
from typing import NamedTuple

from auditor.findings import Finding
from auditor.poker import ByRound, of_round
from auditor.poker_table import Step, Table


class Player:
    """A player in the walk. Amounts are cents; `put` is this betting round's, `total` the whole round's."""

    __slots__ = (
        "acted", "all_in", "box", "clock", "credit", "dead", "folded_n", "folded_short", "held", "let_off",
        "out_of_turn", "owes", "posted", "put", "removed", "saw", "strayed_n", "total",
    )  # fmt: skip

    def __init__(self, box: str) -> None:
        self.box = box
        self.put = self.total = self.posted = self.dead = 0
        self.folded_n: int | None = None
        self.all_in = self.acted = self.held = False
        self.out_of_turn: int | None = None
        """What he wagered out of turn in this betting round."""
        self.strayed_n = 0
        """When he wagered out of turn last."""
        self.saw = 0
        """The last full bet or raise when he acted: if it still stands, the betting was not reopened for him."""
        self.clock: float | None = None
        self.folded_short = self.removed = 0
        self.owes = 0
        """What is missing of his call and comes before the betting round is over."""
        self.credit = 0
        """What is missing of a call that was left short, which is reported: `put` counts it as put in."""
        self.let_off = -1
        """The bet he checked to, which is reported: nobody waits for his call of it."""

    @property
    def in_hand(self) -> bool:
        """Still contesting the pot."""
        return self.folded_n is None

    @property
    def laid(self) -> int:
        """What he put in himself in this betting round."""
        return self.put - self.credit


class Aggression(NamedTuple):
    """A bet, a raise, or the last blind: who showed strength, in which betting round.

    `over`: whose bets it went beyond by less than a raise, all in. Whether that is a raise is not settled: Tasmania
    16.3 says it is none, its definition of a raise says it is one.
    """

    box: str
    street: int
    over: tuple[str, ...] = ()


class Turns:
    """The order of action in one betting round after the other."""

    def __init__(self, table: Table) -> None:
        self.table, self.house, self.rules = table, table.house, table.rules
        self.clauses = table.rules.clauses
        self.findings: list[Finding] = []
        self.players = {box: Player(box) for box in table.seats}
        self.order = list(self.players.values())
        self.street = -1
        self.to_call = self.full_bet = self.step = self.raises = self.actions = 0
        self.last = -1
        self.left_out: set[str] = set()
        """Players whose turn was passed over, which is reported already."""
        self.strayed: int | None = None
        """Who acted out of turn last, by his place in `order`."""
        self.opening = True
        self.aggressor: Aggression | None = None
        self.disputed = -1
        """The betting round in which somebody wagered out of turn: who bet and who called is open there."""
        self.called: Aggression | None = None

    @property
    def in_hand(self) -> list[Player]:
        """Who still contests the pot, from the button's left on."""
        return [player for player in self.order if player.in_hand]

    def due(self) -> Player | None:
        """Whose turn it is; None when the betting round is over."""
        active = self.in_hand
        if len(active) < 2:
            return None
        free = [player for player in active if not player.all_in]
        if not free or (len(free) == 1 and free[0].put >= self.to_call and not any(player.held for player in active)):
            return None
        return self._next_after(self.last)

    def _next_after(self, place: int) -> Player | None:
        count = len(self.order)
        for offset in range(1, count + 1):
            player = self.order[(place + offset) % count]
            if (
                player.in_hand
                and (not player.all_in or player.held)
                and (not player.acted or player.put < self.to_call)
            ):
                return player
        return None

    def take_turn(self, player: Player, step: Step, *, wager: bool) -> None:
        """Somebody acts: in his turn, or not."""
        self.commit_held(player)
        self.pass_out_of_time(step.n, player)
        due, place = self.due(), self.order.index(player)
        if due is not None and due is not player and self._checked_unseen(due, player, step):
            due = player
        self.actions += 1
        if due is player:
            self.last, self.strayed, player.held = place, None, False
        elif due is None:
            # Who alone has chips left beside players all in has nothing to decide, and may as well say so.
            idle = not player.acted and not player.all_in
            if not player.in_hand or (step.kind == "check" and not idle):
                why = f"{player.box} acted when no turn was open."
                self.report("action.order", self.rule_now(self.clauses.in_turn), step, why)
        elif self.strayed is not None and self._next_after(self.strayed) is player:
            # The table went on after an action out of turn, past the player left out: one fault, not one for each.
            self.commit_held(None)
            self.strayed = place
        else:
            self._out_of_turn(player, due, step, wager=wager)
            self.strayed = place
            self.left_out.add(due.box)

    def pass_out_of_time(self, n: int, acting: Player | None = None) -> None:
        """Whoever lets his time pass is folded by the rule, or checks by it: the table may go on past him at once.

        Not if he plays on all the same, which is a fault.
        """
        events = self.table.round.events
        t = events[n].t if n < len(events) else self.table.round.closed
        while (due := self.due()) is not None and due is not acting and due.clock is not None:
            if t <= due.clock + self.rules.clock_s or self._plays_on(due, n):
                return
            if self.rules.checks_on_time and due.put >= self.to_call:
                due.acted, due.saw = True, self.full_bet
            else:
                due.folded_n = n
            due.clock, self.last = None, self.order.index(due)

    def _plays_on(self, player: Player, n: int) -> bool:
        """Whether a player bets or checks after event `n`."""
        acts = self.table.acts_after(n, past_cards=True)
        return any(step.box == player.box and step.kind in ("chips", "check") for step in acts)

    def _checked_unseen(self, due: Player, player: Player, step: Step) -> bool:
        """Whether everybody between the one due and `player` may have checked by voice, which no camera sees.

        One of them who acts later in the betting round, with no raise since, shows that he had not.
        """
        count, place, start = len(self.order), self.order.index(player), self.order.index(due)
        passed = [self.order[(start + offset) % count] for offset in range((place - start) % count)]
        passed = [each for each in passed if each.in_hand and not each.all_in and not each.acted]
        if not passed or self.strayed is not None or not all(self.may_check(each) for each in passed):
            return False
        if self._acts_unturned(player, {each.box for each in passed}, step):
            return False
        for each in passed:
            each.acted, each.saw = True, self.full_bet
        return True

    def _acts_unturned(self, player: Player, passed: set[str], step: Step) -> bool:
        """Whether one of those passed by acts next, as somebody does who is given the turn he had not had.

        After a bet everybody is asked again: who answers it after others have may well have checked before, and where
        checks are only spoken, so may the one whose turn it is then.
        """
        bet = step.change is not None
        if self.table.checks_spoken and self._answers(player, step):
            return False
        for later in self.table.acts_after(step.n):
            if later.box == player.box:
                continue
            if later.box in passed:
                return bet or later.kind in ("check", "chips")  # a hand passed in may as well be a showdown's
            if bet or later.change is not None:
                return False
        return False

    def _answers(self, player: Player, step: Step) -> bool:
        """Whether the bet is answered, with no less than it or all he has, by the player whose turn it is after it."""
        count, place = len(self.order), self.order.index(player)
        others = (self.order[(place + offset) % count] for offset in range(1, count))
        box = next((each.box for each in others if each.in_hand and not each.all_in), None)
        if step.change is None:
            return False
        acts = (later for later in self.table.acts_after(step.n) if later.box != player.box)
        own = list(itertools.takewhile(lambda later: later.box == box, acts))
        put = [later.change.after for later in own if later.change is not None]
        if box is None or not own:
            return False
        return not put or max(put) >= step.change.after or self.table.stack_at(box, own[-1].n + 2) == 0

    def may_check(self, player: Player) -> bool:
        """Whether the player needs no chips to stay in; in the first betting round only a blind may pass."""
        opened = self.street > 0 or (bool(self.house.blind_levels) and player.posted > 0)
        in_time = player.clock is None or self.rules.checks_on_time
        return opened and player.put >= self.to_call and in_time and not player.held

    def _out_of_turn(self, player: Player, due: Player, step: Step, *, wager: bool) -> None:
        if due.clock is not None and step.t > due.clock + self.rules.clock_s:
            why = f"was told to act at {due.clock:.1f} s and let {self.rules.clock_s:.0f} s pass: the hand is folded."
            self.findings.append(
                Finding(kind="action.time", rule=self.clauses.clock, t=step.t, at=due.box, message=f"{due.box} {why}")
            )
            due.clock = None
            return
        rule = self.clauses.tapped_out if player.all_in else self._turn_rule()
        why = f"{player.box} acted, but it was {due.box}'s turn."
        self.report("action.order", rule, step, why, expected=due.box, observed=player.box)
        player.held = wager and not player.all_in
        player.strayed_n = step.n
        self.disputed = self.street if wager else self.disputed

    def _turn_rule(self) -> str:
        opens = self.opening and self.actions <= 1
        if opens and self.street > 0 and not self.order[0].in_hand and self.clauses.opens_for_absent:
            return self.clauses.opens_for_absent
        first_round = self.street == 0 and self.table.heads_up_rule
        return first_round or self.rule_now(self.clauses.opens if opens else self.clauses.in_turn)

    def rule_now(self, clauses: ByRound) -> str:
        """The clause for this betting round."""
        return of_round(clauses, max(self.street, 0))

    def commit_held(self, acting: Player | None) -> None:
        """Wagers out of turn count as soon as the turn has come to them and their players do not act again.

        Without `acting`, all of them count now.
        """
        while held := [player for player in self.order if player.held]:
            due = self.due()
            first = held[0] if acting is None else due
            if first is None or first is acting or first not in held:
                return
            first.held, first.out_of_turn = False, None
            if first.put >= self.to_call:
                first.acted = True
                self.last = self.order.index(first)
                self.raise_to(first)

    def raise_to(self, player: Player) -> None:
        """What a player put in is what the others must call now."""
        if player.put > self.to_call:
            self.raises += self.to_call > 0
            self.step = max(self.step, player.put - self.to_call)
            self.to_call = self.full_bet = player.put
            self.aggressor, self.called = Aggression(player.box, self.street), None
        self.opening = False

    def acted(self, player: Player, t: float, *, folds: bool = False, checks: bool = False) -> None:
        """A player has acted: in time, if he was told to."""
        if player.clock is not None:
            taken = t - player.clock
            fine = folds or (checks and self.rules.checks_on_time and self.to_call == 0)
            if taken > self.rules.clock_s and not fine:
                self.findings.append(
                    Finding(
                        kind="action.time",
                        rule=self.clauses.clock,
                        t=t,
                        at=player.box,
                        expected=self.rules.clock_s,
                        observed=round(taken, 2),
                        message=f"{player.box} was told to act at {player.clock:.1f} s and acted {taken:.1f} s later; "
                        f"after {self.rules.clock_s:.0f} s the hand must be folded.",
                    )
                )
            player.clock = None
        player.acted, player.saw = True, self.full_bet
        self.opening = False

    def report(
        self, kind: str, rule: str, step: Step, message: str, *,
        spot: bool = False, expected: object = None, observed: object = None,
    ) -> None:  # fmt: skip
        """A finding at the box, or at its bet."""
        at = f"{step.box}/bet" if spot else step.box
        self.findings.append(
            Finding(kind=kind, rule=rule, t=step.t, at=at, message=message, expected=expected, observed=observed)
        )
