"""Betting rounds: players of mixed sense act in turn, and sometimes out of it."""

from math import inf

from datasets.dealers.poker_betting import PokerBetting


class PokerTurns(PokerBetting):
    """Betting rounds, with whatever goes wrong in them."""

    def bet_round(self, number: int) -> None:
        """Bets until everybody has matched or folded."""
        self.number, self.raises, self.closed, self.checked = number, 0, False, []
        self.bettor = self.called = None
        blinds = number == 1 and bool(self.blinds)
        self.level = self.increment = self.blinds[-1] if blinds else 0
        if blinds:
            self.aggressor, self.under_raised = self.blind_players()[-1], False
        self.queue = [box for box in self.order_of(number) if box in self.able()]
        if len(self.queue) < 2 and not blinds:
            self.queue = []
            return
        opener: int | None = self.queue[0]
        while self.queue and len(self.live) > 1:
            box = self.queue.pop(0)
            if self.able() == [box] and self.bets.get(box, 0) >= max(self.bets.get(other, 0) for other in self.live):
                continue
            if (opener != box or number > 1) and self._out_of_turn(box):
                opener = None
                continue
            self.turn_of(box, opener == box)
            opener = None
            if self.queue and len(self.live) > 1:
                self.disturb()
        self._touch_bets()

    def disturb(self) -> None:
        """What can happen between two actions."""

    def _out_of_turn(self, box: int) -> bool:
        """The next player acts before his turn, then `box` without raising."""
        if not self.told("action.order") or not self.queue or self.fold_out:
            return False
        early = self.queue[0]
        owes = self.level > self.bets.get(early, 0)
        if not owes and (self.number == 1 or self.level or not (self.may_check(early) and self.may_check(box))):
            return False
        if not self.slip("action.order", f"box{early}"):
            return False
        self.queue.remove(early)
        if not owes:
            self._check(early)
            self._check(box)
            return True
        if self.chance.random() < 0.5:
            self._fold(early)
        else:
            self._call(early)
        if len(self.live) > 1:
            if self.level == self.bets.get(box, 0):
                self._check(box)
            elif self.chance.random() < 0.5 and len(self.live) > 1:
                self._fold(box)
            else:
                self._call(box)
        return True

    def turn_of(self, box: int, opens: bool) -> None:
        """One player acts."""
        self.wait(self.chance.choice([0.5, 1, 2, 6]))
        owes = self.level - self.bets.get(box, 0)
        option = self.opener_options() if opens else "B"
        if option == "B" and self._clocked(box, owes):
            return
        must = opens and self.must_open(self.number)
        low, high = self.bounds(box)
        total = self.bets.get(box, 0) + self.stack(box)
        cap = self.raise_cap(self.number)
        capped = cap is not None and self.raises >= cap and len(self.live) > 2 and self.level > 0
        others = [other for other in self.able() if other != box]
        can_raise = not self.closed and bool(others) and high >= low and total > self.level
        if capped and can_raise and total >= low and self.slip("bet.invalid", f"box{box}/bet"):
            self._raise(box, low)
            self.closed = True
            return
        if owes > 0 and self._invalid_check(box, owes, opens, option):
            return
        can_raise = can_raise and not capped
        if can_raise and not self.fold_out and self._wrong_amount(box, low, high, total, owes):
            return
        wish = self._wish(box, owes, low)
        if self.fold_out or box == self.fouled:
            wish = "fold"
        if box in self.newcomers and self.newcomers_post and not owes and self.number == 1:
            wish = "raise"
        if must or option == "C":
            wish = "raise" if must or wish != "fold" else wish
        if option == "A" and wish == "fold":
            wish = "call"
        if wish == "check" and not self.may_check(box) and not self._bold_check(box):
            wish = "raise" if self.chance.random() < 0.5 else "fold"
        if wish == "raise" and not can_raise:
            wish = "call" if option != "C" else "fold"
            if not owes:
                wish = "check" if self.may_check(box) or self.slipped else "fold"
        if wish == "raise":
            self._raise(box, self._size(low, high, total))
        elif wish == "fold":
            self._fold(box)
        elif owes:
            self._call(box)
        else:
            self._check(box)

    # ---- going wrong ----

    def _clocked(self, box: int, owes: float) -> bool:
        """A player is told to act in time: he does, or his hand is folded, or by mistake he goes on all the same."""
        wrong = owes > 0 and self.told("action.time") and self.slip("action.time", f"box{box}")
        if self.clock is None or self.fold_out or (not wrong and (self.chance.random() > 0.01 or not owes)):
            return False
        self.call("clock", f"box{box}")
        if wrong:
            self.wait(self.clock * 1.3 + 5)
            self.place_slip(f"box{box}")
            self._call(box)
        elif self.chance.random() < 0.7:
            self.wait(self.clock * 0.5)
            return False
        else:
            self.wait(self.clock * 1.3 + 1)
            self._fold(box)
        return True

    def _invalid_check(self, box: int, owes: float, opens: bool, option: str) -> bool:
        """Checking against a bet, which leaves the player to act again. Or just calling as opening player, option C."""
        if self.fold_out or self.level == self.bets.get(box, 0):
            return False
        if option == "C":
            if self.slip("bet.invalid", f"box{box}/bet"):
                self._call(box)
                return True
            return False
        if option == "B" and self.may_check(box) and self.slip("bet.invalid", f"box{box}/bet", 0.2):
            self._check(box)
            self.queue.append(box)
            return True
        return False

    def _bold_check(self, box: int) -> bool:
        """A check that only the showdown will prove wrong: by the last to act, who is then in it."""
        return not self.queue and self.slip("bet.invalid", f"box{box}/bet", 1)

    def _wrong_amount(self, box: int, low: float, high: float, total: float, owes: float) -> bool:
        """A bet over the limit or below the minimum, a raise too small, an amount nobody may bet."""
        at, limit = f"box{box}/bet", self.house.get("limit", "none")
        wrong: float | None = None
        fixed, over = limit == "fixed" and "fixed" not in self.house, self.over_limit(box)
        if not fixed and high < inf and total > 2 * over + self.unit and self.told("bet.limit"):
            wrong = over + self.unit * self.chance.randint(1, 5) if self.slip("bet.limit", at) else None
        elif not self.level and (self.house.get("min") or 0) > 1 and self.unit == 1 and self.told("bet.limit"):
            wrong = self.house["min"] - 1 if total > low and self.slip("bet.limit", at) else None
        elif limit != "fixed" and self.level < low - self.unit < total - 1 and self.level and self.told("bet.amount"):
            wrong = low - self.unit if self.slip("bet.amount", at) else None
        elif not self.level and self.unit > 1 and low + 1 < min(high, total) and self.told("bet.multiple"):
            wrong = low + 1 if self.slip("bet.multiple", at) else None
        if wrong is None:
            return False
        self._raise(box, wrong)
        self.closed = True
        return True

    def _touch_bets(self) -> None:
        """After betting closed a player takes chips back for a moment; or he adds to his stake."""
        matched = [box for box in self.able() if 1 < self.bets.get(box, 0) == self.level]
        called = sum(self.bets.get(box, 0) == self.level for box in self.live) > 1
        if not self.told("bet.moved") or not called or not matched:
            return
        box = self.chance.choice(matched)
        if self.chance.random() < 0.5:
            if self.slip("bet.moved", f"box{box}/stack"):
                self.stack_to(box, self.stack(box) + self.bets[box] + self.chance.choice([5, 10, 50]))
                self.place_slip(f"box{box}/stack")
        elif self.slip("bet.moved", f"box{box}/bet"):
            bet = self.bets[box]
            self.take_back(box, bet - 1)
            self.place_slip(f"box{box}/bet")
            self.put_forward(box, bet, seconds=0.6)

    def add_late(self, box: int) -> None:
        """Chips put forward when betting is over, and taken back."""
        if self.stack(box) >= 2 and self.slip("bet.late", f"box{box}/bet"):
            self.put_forward(box, self.chance.randint(1, int(self.stack(box)) - 1))
            self.place_slip(f"box{box}/bet")
            self.take_back(box, 0)
