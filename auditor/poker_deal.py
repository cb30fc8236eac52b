"""The deal: the walk through a round, in which cards open and close the betting rounds and all else is betting."""

from auditor.findings import Finding
from auditor.poker_chips import NEVER
from auditor.poker_streets import Streets
from auditor.poker_table import Step
from auditor.slots import Slot

BETTING_STEPS = ("chips", "check", "fold", "gone", "clock")


class Deal(Streets):
    """One round dealt and bet through."""

    def run(self) -> None:
        """Walk through the round."""
        for step in self.table.steps:
            if step.kind in BETTING_STEPS:
                self._bet(step)
            elif step.slot is None:
                continue
            elif step.kind == "card":
                self.hand_card(step, step.slot)
            elif step.kind == "board":
                self.board_card(step, step.slot)
            elif step.kind == "burn":
                self.burn(step)
            elif step.kind == "discard":
                self.discarded += 1
            elif step.kind == "shoe" and step.slot.dealt_up:
                self.shoe_card(step, step.slot)
        self.betting.complete(self.table.end_n)
        self._without_late_bets()
        self.finish()
        self.findings += self.betting.findings

    def _without_late_bets(self) -> None:
        """Chips put forward when all betting was over do not put the showdown off."""
        if self.betting.late is None or any(slot.n > self.betting.late[1] for slot in self.table.board):
            return
        box, n = self.betting.late
        kinds = ("chips", "check", "fold", "board")
        steps = [s.n for s in self.table.steps if s.kind in kinds and not (s.box == box and s.n >= n)]
        self.over_n = max(steps, default=self.table.opened_n)

    def finish(self) -> None:
        """The round is over, or the log is."""
        if self.table.round.ended and 0 < self.street < len(self.rules.board):
            self.check_group(self.table.round.closed)

    @property
    def dealt_out(self) -> bool:
        """Whether the initial deal is over, right or wrong: what is missing then will not come."""
        over = self.first_action_n != NEVER or bool(self.table.board) or self.table.round.ended
        return over or len(self.initial) >= len(self.sequence)

    # ---- betting ----

    def _bet(self, step: Step) -> None:
        betting = self.betting
        if step.kind == "chips" and step.change is not None and (step.change.rise < 0 or step.change.by == "dealer"):
            if step.box in betting.players:
                betting.take(step)
            return
        if step.kind == "clock":
            betting.take(step)
            return
        if self._late_post(step):
            return
        if step.kind == "gone" and self.begun and not self._any_shown(step.n):
            # A wager out of turn, chips short of the call, or chips and cards that move yet: the play is not over.
            waiting = any(player.held for player in betting.order)
            waiting = waiting or betting.folds_in_his_turn(betting.players.get(step.box))
            waiting = waiting or any(each.n > step.n and each.kind not in ("gone", "fold") for each in self.table.steps)
            if not waiting and betting.complete(step.n):
                return  # collected without a showdown: who gave up is not told by the order of collection
        if self.first_action_n == NEVER and self.rules.board[:1] > (0,) and not self.board_count:
            why = f"{step.box} acted before the first communal card was dealt."
            self.findings.append(
                Finding(kind="deal.order", rule=self.clauses.betting_first, t=step.t, at="board", message=why)
            )
        self.first_action_n = min(self.first_action_n, step.n)
        self.begin()
        if not betting.puts_more(step):
            self._after_early_cards(step)
        betting.take(step)

    def _after_early_cards(self, step: Step) -> None:
        """Communal cards that came too early are the next betting round's, once the betting before them is over."""
        if self.early and self.betting.complete(step.n):
            self.next_street(step.n)
            self.begin()
            self.early -= 1
        elif self.early_group and self.betting.complete(step.n):
            self.end_early(step.n)

    def _late_post(self, step: Step) -> bool:
        """A blind that came after the first card is a blind all the same (and reported as missing then)."""
        betting, table = self.betting, self.table
        player = betting.players.get(step.box)
        if step.kind != "chips" or player is None or betting.actions or self.first_action_n != NEVER:
            return False
        levels = dict(betting.blinds)
        level = levels.get(step.box, 0) if levels else self.house.ante_level or 0
        if step.change is None or player.posted >= level or player.posted + step.change.rise != level:
            return False
        if len(self.initial) >= len(self.sequence) and table.seats and not levels:
            return False
        betting.post_late(player, step.change.rise)
        return True

    def _any_shown(self, n: int) -> bool:
        hole = [slot for box in self.table.dealt for slot in self.table.round.hand(box)]
        return any(slot.turned_n is not None and slot.turned_n < n for slot in hole)

    # ---- cards to players ----

    def hand_card(self, step: Step, slot: Slot) -> None:
        early = self.first_action_n == NEVER and not self.board_count and not (self.burnt and self.rules.burns_known)
        if early or self._is_replacement(slot):
            self.initial.append(slot)

    def _is_replacement(self, slot: Slot) -> bool:
        hand = self.table.round.hand(slot.dealt_to)
        return any(each.gone_n is not None and each.gone_n < slot.n for each in hand if each is not slot)

    def hand_at_end(self, box: str) -> list[Slot]:
        """The cards a box held when the last bet was made and the last communal card lay."""
        return [slot for slot in self.table.round.hand(box) if slot.gone_n is None or slot.gone_n > self.over_n]
