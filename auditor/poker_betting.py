"""The betting as it was acted: what each player did in his turn, and whether the rules let him.

:class:`Betting` walks through a round step by step and keeps what a dealer keeps in mind: who is in, what each has put
in, what it takes to call, the smallest raise. It answers with findings, and with what each box put into the middle.
"""

from collections.abc import Sequence

from auditor.outcomes import amount_text
from auditor.poker_chips import NEVER
from auditor.poker_limits import Pending
from auditor.poker_table import Step, Table
from auditor.poker_turns import Aggression, Player
from auditor.poker_wagers import Wagers
from auditor.slots import Slot


class Betting(Wagers):
    """The walk through one round. `owed`: antes or blinds of a misdealt round that still stand in the pot."""

    def __init__(self, table: Table, blinds: Sequence[tuple[str, int]], owed: dict[str, int]) -> None:
        super().__init__(table)
        self.blinds = list(blinds)
        self.dead = table.from_before - sum(owed.values()) + table.nobodys + table.unplaced_antes
        self.only_forced = not table.bets_unowned
        self.last_folded: str | None = None
        self._post(owed)

    def _post(self, owed: dict[str, int]) -> None:
        """Blinds and antes are in the middle when the cards come."""
        table, levels = self.table, self.house.blind_levels
        for box, player in self.players.items():
            player.posted = table.posted.get(box, 0) + owed.get(box, 0)
            player.total = player.posted
            player.all_in = player.posted > 0 and table.stack_at(box, table.opened_n) == 0
            if box not in table.dealt:
                player.folded_n = table.opened_n
            if levels:
                # Who posts what he missed as well as the big blind has only the big blind in play.
                dead = (
                    box not in dict(self.blinds) and not self.house.allows_over_blind and player.posted == sum(levels)
                )
                player.put = levels[-1] if dead else player.posted
            player.dead = player.posted - player.put
        self._call_blinds()

    def _call_blinds(self) -> None:
        """The last blind, or a bigger one, is what is to be called."""
        levels = self.house.blind_levels
        if levels and any(player.posted for player in self.order):
            self.to_call = max(levels[-1], *(player.put for player in self.order))
            self.full_bet, self.step = self.to_call, levels[-1]

    def post_late(self, player: Player, amount: int) -> None:
        """A blind or an ante came after the first card, which is reported already."""
        player.posted += amount
        player.total += amount
        if self.house.blind_levels:
            player.put += amount
            self._call_blinds()
        else:
            player.dead += amount

    @property
    def taken_back(self) -> bool:
        """Whether a player took part of a standing bet away, so that nothing can be said of the pots."""
        return any(player.removed for player in self.order)

    # ---- betting rounds ----

    def begin(self, street: int, opener: str | None = None) -> None:
        """A betting round starts; `opener` acts first, by default as the button says."""
        self.settle_pending(self.table.end_n)
        self.commit_held(None)
        if street > 0 or self.street >= 0:
            for player in self.order:
                player.put = player.saw = 0
                player.acted, player.held, player.out_of_turn, player.let_off = False, False, None, -1
                player.owes = player.credit = 0
            self.to_call = self.full_bet = self.step = 0
        self.street, self.raises, self.actions = street, 0, 0
        self.opening, self.strayed, self.ceiling, self.called = True, None, None, None
        self.left_out.clear()
        self.last = len(self.order) - 1
        if opener is not None and opener in self.players:
            self.last = self.order.index(self.players[opener]) - 1
        elif street == 0 and self.blinds:
            last_blind = self._last_blind()
            if last_blind is not None:
                self.last = self.order.index(last_blind)
                self.aggressor = Aggression(last_blind.box, 0) if last_blind.put else None

    def _last_blind(self) -> Player | None:
        over = [player for player in self.order if player.put > self.house.blind_levels[-1]]
        return over[-1] if over else self.players.get(self.blinds[-1][0])

    def complete(self, n: int) -> bool:
        """Whether the betting round is over by event `n`."""
        self.settle_pending(n)
        self.commit_held(None)
        self.pass_out_of_time(n)
        due = self.due()
        return due is None or (due.box in self.left_out and self._only_left_out()) or self._only_let_off()

    def _only_let_off(self) -> bool:
        """Whether only players have still to call who checked instead, which is reported already."""
        free = [player for player in self.in_hand if not player.all_in]
        return all(player.acted and (player.put >= self.to_call or player.let_off >= self.to_call) for player in free)

    def _only_left_out(self) -> bool:
        """Whether all bets are met and only players who were passed over have not acted."""
        waiting = [player for player in self.in_hand if not player.all_in and not player.acted]
        met = all(player.all_in or player.put >= self.to_call for player in self.in_hand)
        return met and all(player.box in self.left_out for player in waiting)

    # ---- steps ----

    def take(self, step: Step) -> None:
        """One step of the betting."""
        player = self.players.get(step.box)
        if player is None:
            if step.kind == "chips" and step.change is not None and step.change.by == "player" and step.change.rise > 0:
                why = f"{step.box} is not in the round."
                self.report("bet.invalid", self.rule_now(self.clauses.in_turn), step, why, spot=True)
        elif step.kind == "chips":
            self._chips(player, step)
        elif step.kind == "check":
            self._check(player, step)
        elif step.kind == "clock":
            player.clock = step.t
        elif player.in_hand and self.table.voided(step.box, step.n):
            player.folded_n = step.n  # the dealer took a dead hand: nobody's turn
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
        if not player.in_hand:
            self._bets_folded(player, step)
            return
        if player.owes and change.rise == player.owes:
            player.total, player.owes = player.total + player.owes, 0
            return
        if player.removed:
            player.removed = max(player.removed - change.rise, 0)  # put forward again: nothing new
            return
        if self.pending is None or self.pending.player is not player:
            self.settle_pending(step.n)
            late = self.due() is None
            if not late:
                self.take_turn(player, step, wager=True)
            player.put, player.credit = player.laid, 0
            middle = self.dead + sum(each.total for each in self.order)
            self.pending = Pending(player, step.n, step.t, player.put, self.to_call, middle, late)
        player.put += change.rise
        player.total += change.rise
        self.only_forced = False

    def _bets_folded(self, player: Player, step: Step) -> None:
        """A player who has folded puts chips forward: nobody need call them, and they are the pot's if swept there."""
        self.settle_pending(step.n)
        assert step.change is not None
        player.total += step.change.rise if not self.table.left_standing(player.box) else 0
        why = f"{player.box} had folded and put {amount_text(step.change.rise)} forward."
        self.report("action.order", self.rule_now(self.clauses.in_turn), step, why)

    def _lowered(self, player: Player, step: Step) -> None:
        """Chips of a bet went: back to the player, or swept to the pot."""
        back = next((each for each in self.table.returned[player.box] if each.n == step.n), None)
        if back is None or (self.pending is not None and self.pending.player is not player):
            self.settle_pending(step.n)
        if back is None:
            return
        if self.pending is not None and self.pending.late:
            self.settle_pending(step.n)  # a bet made too late was made, though it is taken back
        mine = self.pending is not None and self.pending.player is player
        if step.change is not None and step.change.by == "player" and not self._may_take(player, back.amount):
            why = f"{player.box} took {amount_text(back.amount)} of the standing bet back."
            self.report("bet.moved", self.clauses.stake, step, why, spot=True)
            player.removed += back.amount
            return
        taken, topmost = min(back.amount, player.total), player.put == self.to_call
        player.put, player.total = max(player.put - taken, 0), player.total - taken
        player.held = player.held and player.put > 0
        player.all_in = player.all_in and self.table.stack_at(player.box, step.n + 2) == 0
        if topmost and not mine:
            self.to_call = max(each.laid for each in self.order)

    def _may_take(self, player: Player, amount: int) -> bool:
        """Whether a player may take chips back: while he is putting them in, or what nobody called."""
        if player.out_of_turn is not None or not player.in_hand:
            return True
        pending = self.pending
        if pending is not None and pending.player is player:
            others = [each for each in self.in_hand if each is not player and not each.all_in]
            closes = all(each.acted and each.put >= player.put for each in others)
            return player.put != pending.to_call or not closes
        self.commit_held(player)
        called = max((each.laid for each in self.order if each is not player), default=0)
        over = self.due() is None or self._only_let_off()
        return over and (player.put - amount >= called or len(self.in_hand) < 2)

    def _check(self, player: Player, step: Step) -> None:
        self.settle_pending(step.n)
        before = self.last
        self.take_turn(player, step, wager=False)
        faults = len(self.findings)
        passes_raise = self.street == 0 and player.posted > 0 and bool(self.house.blind_levels)
        if player.put < self.to_call and not player.all_in:
            why = f"{player.box} checked, though {amount_text(self.to_call - player.put)} more was needed to call."
            self.report("bet.invalid", self.clauses.no_check, step, why, spot=True)
            player.let_off = self.to_call
        elif self.street == 0 and not passes_raise and self.clauses.no_first_check:
            why = f"{player.box} checked in the first betting round, which must be opened with a bet."
            self.report("bet.invalid", self.clauses.no_first_check, step, why, spot=True)
        if len(self.findings) > faults and self._acts_again(player, step):
            self.last = before  # who may not check and mends it at once still has the turn
            return
        self.loose_chips |= player.put < player.let_off
        self.acted(player, step.t, checks=True)

    def _acts_again(self, player: Player, step: Step) -> bool:
        """Whether the player is the next to act in this betting round, too."""
        following = next(self.table.acts_after(step.n), None)
        return following is not None and following.box == player.box

    # ---- folds ----

    def _fold(self, player: Player, step: Step) -> None:
        pending = self.pending
        since = step.n
        if self.folds_in_his_turn(player) and pending is not None and player.put < pending.to_call:
            # A bet short of the call, then a fold: what follows for the chips differs from rulebook to rulebook.
            since = pending.n
            forward = player.put + self._given_back(player, since, step.n)
            player.folded_short = forward - pending.put_before if forward < pending.to_call else 0
            self.pending = None
        else:
            same_turn = self.folds_in_his_turn(player)
            self.settle_pending(step.n)
            if self.due() is not None and not same_turn:
                opens = self.street == 0 and self.opening and self.due() is player and not player.acted
                self.take_turn(player, step, wager=False)
                if opens and self.house.opener_fold_rule:
                    why = f"{player.box} opens the betting and may not simply fold."
                    self.report("bet.invalid", self.house.opener_fold_rule, step, why, spot=True)
        if len(self.in_hand) > 1:
            player.folded_n, player.held = step.n, False
            self.last_folded = player.box
            self._chips_of_folded(player, step, since if player.folded_short else player.strayed_n)
        self.acted(player, step.t, folds=True)

    def folds_in_his_turn(self, player: Player | None) -> bool:
        """Whether a player who has put chips forward may fold in the same turn.

        He may if they are short of the call; ACT 10.2(a): so may the opening player, who must call.
        """
        pending = self.pending
        if pending is None or pending.player is not player:
            return False
        opens = self.street == 0 and self.opening and bool(self.house.opener_fold_rule and self.house.blind_levels)
        return opens or player.put < pending.to_call

    def _given_back(self, player: Player, since: int, until: int = NEVER) -> int:
        """What of a player's bets went back from event `since` on."""
        return sum(each.amount for each in self.table.returned.get(player.box, ()) if since <= each.n < until)

    def _chips_of_folded(self, player: Player, step: Step, since: int) -> None:
        """Whether a short call, or a wager out of turn, stayed in or went back as it should, even before the fold."""
        returns, regime, clauses = self.rules.short_call_returned, self.rules.out_of_turn, self.clauses
        back = self._given_back(player, since)
        if player.folded_short and not player.all_in:
            amount = amount_text(player.folded_short)
            if returns and back < player.folded_short:
                why = f"{player.box} folded after a bet of {amount} short of the call; it must go back, and did not."
                self.report("bet.amount", clauses.short_call, step, why, spot=True)
            elif not returns and back:
                why = f"{player.box} folded after a bet of {amount} short of the call; it is lost, but went back."
                self.report("bet.moved", clauses.short_call, step, why, spot=True)
        elif player.out_of_turn is not None and self.to_call > player.out_of_turn:
            amount = amount_text(player.out_of_turn)
            if regime.returned is True and not back:
                why = f"{player.box} folded to a bigger bet: the {amount} bet out of turn must go back, and did not."
                self.report("bet.amount", regime.bigger, step, why, spot=True)
            elif regime.returned is False and back:
                why = f"{player.box} folded to a bigger bet: the {amount} wagered out of turn stays in, but went back."
                self.report("bet.moved", regime.bigger, step, why, spot=True)


def showing(slots: Sequence[Slot]) -> list[int]:
    """The cards of a hand that were dealt face up, in their order."""
    return [slot.card for slot in slots if slot.dealt_up and slot.card is not None]
