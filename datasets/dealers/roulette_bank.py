"""Roulette once the ball is at rest: losers swept, winners paid at their spot or in a pile."""

from typing import Any

from auditor import log
from datasets.dealer import Dealer
from datasets.dealers.roulette_layout import gain, pieces

Key = tuple[str, str | None]


class RouletteBank(Dealer):
    """Settles the wagers of a roulette round."""

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.stakes: dict[Key, float] = {}
        self.markers: dict[Key, list[frozenset[int]]] = {}
        self.invalid: set[Key] = set()
        self.doubtful: Key | None = None
        self.dolly_lies = True

    def settle_all(self, pocket: int) -> None:
        """Losers are swept first; a player with several winners may get one pile."""
        due: dict[Key, float] = {}
        for key in self.stakes:
            counted = self.stakes[key] if key in self.markers else min(self.stakes[key], self._most(key))
            won = None if key in self.invalid else gain(key[0], counted, pocket, self.markers.get(key))
            if won is not None:
                due[key] = won
        if self.doubtful in due:
            self.unslip()  # what a wager of the wrong size wins the rules do not say: try again
        tasks: list[list[Key]] = [[key] for key in self.stakes if key not in due]
        for colour in dict.fromkeys(colour for _, colour in due):
            own = [key for key in due if key[1] == colour]
            pile = colour is not None and len(own) > 1 and self.chance.random() < 0.5
            tasks += [own] if pile else [[key] for key in own]
        unseen = self.chance.randrange(len(tasks)) if self.slip("view.gap", None, 1) else len(tasks)
        for task in tasks[:unseen]:
            if task[0] in due and self.slip("spin.dolly", None, 0.6):
                self.lift_dolly()
            self._settle_task(task, due)
        if unseen < len(tasks):
            self._unseen(tasks[unseen:], due)

    def lift_dolly(self) -> None:
        """The next round may begin; too soon when a winner still waits for his money."""
        self.wait(1)
        self.add(log.Dolly(t=0, at=None, by="dealer"))
        self.dolly_lies = False

    def _most(self, key: Key) -> float:
        limit: float = self.house["max"]
        return limit * len(pieces(key[0]))

    def _settle_task(self, task: list[Key], due: dict[Key, float]) -> None:
        if len(task) > 1:
            self._pay_pile(task, due)
        elif task[0] in due:
            self._pay_one(task[0], due[task[0]])
        else:
            self._lose(task[0])

    def _wrong(self, at: str, due: float, stake: float) -> float:
        """What is paid instead of what is due: too little or too much by the odds, a chip or a half."""
        if due > 5 and self.slip("payout.short", at):
            return self.chance.choice([less for less in (due - 5, due - stake, due // 2) if 0 < less < due])
        if self.slip("payout.over", at):
            return due + self.chance.choice((5, stake, due))
        return due

    def _pay_one(self, key: Key, due: float) -> None:
        at, colour = key
        stake = self.stakes[key]
        if self.slip("payout.winner_taken", at):
            self.take(at, colour)
            return
        paid = 0 if self.slip("payout.missed", at) else self._wrong(at, due, stake)
        if paid:
            self.chips(at, stake + paid, "dealer", colour)
        self._leave(key)

    def _pay_pile(self, keys: list[Key], due: dict[Key, float]) -> None:
        colour = keys[0][1]
        total = self._wrong("layout/paid", sum(due[key] for key in keys), self.stakes[keys[0]])
        self.chips("layout/paid", total, "dealer", colour, seconds=3)
        self.pick_up("layout/paid", colour)
        for key in keys:
            self._leave(key, lying=True)

    def _leave(self, key: Key, *, lying: bool = False) -> None:
        """The winner takes it all, or lets the stake stand for the next round."""
        stake = self.stakes[key]
        regular = key not in self.markers and self.house["min"] <= stake <= self.house["max"] and stake % 5 == 0
        if regular and not self.slipped and self.chance.random() < 0.15:
            if not lying:
                self.chips(key[0], stake, "player", key[1])
        else:
            self.pick_up(*key)

    def _lose(self, key: Key) -> None:
        at, colour = key
        over = 0 if key in self.markers else self.stakes[key] - self._most(key)
        if key in self.invalid:
            self.pick_up(at, colour)
        elif over > 0:  # 3.4: collected to the maximum
            self.chips(at, over, "dealer", colour)
            self.pick_up(at, colour)
        elif self.slip("payout.loser_paid", at, 0.2):
            if self.chance.random() < 0.5:
                self.chips(at, 2 * self.stakes[key], "dealer", colour)
            self.pick_up(at, colour)
        else:
            self.take(at, colour)

    def _unseen(self, tasks: list[list[Key]], due: dict[Key, float]) -> None:
        self.wait(0.5)
        self.add(log.Feed(t=0, state=self.chance.choice(("lost", "blocked"))))
        seen = len(self.events)
        for task in tasks:
            self._settle_task(task, due)
        del self.events[seen:]
        self.wait(2)
        self.add(log.Feed(t=0, state="back"))
        for at, colour in [key for task in tasks for key in task]:
            self.events.append(log.Chips(t=self.t, at=at, colour=colour, amount=self.amount(at, colour)))
