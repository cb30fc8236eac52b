"""The end of a poker round: hands are shown, commission is taken, pots are divided."""

from typing import Any

from auditor import log
from auditor.cards import NAMES
from datasets.dealers.poker_pots import shares
from datasets.dealers.poker_table import pot_name
from datasets.dealers.poker_turns import PokerTurns


class PokerShowdown(PokerTurns):
    """`holes` and `board` are the cards as they are, whether anybody sees them or not."""

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.holes: dict[int, list[str]] = {}
        self.shown: set[int] = set()
        self.board: list[str] = []
        self.laid = 0

    # ---- what a game brings ----

    def values(self, box: int) -> tuple[int | None, int | None]:
        """How good a hand is for the high and for the low part of the pot; None where it takes no part."""
        raise NotImplementedError

    def commission(self, amounts: list[float]) -> list[float]:
        """What is due from each pot."""
        raise NotImplementedError

    def odd_chip_order(self, winners: list[int]) -> list[int]:
        """Winners in the order in which they are entitled to the rest."""
        return [box for box in self.boxes if box in winners]

    def share_unit(self) -> float:
        """In what units pots are divided."""
        unit: float = self.house.get("chip", 1)
        return unit

    def first_shown(self) -> int | None:
        """Who has to show first, if the rules say so."""
        return self.called

    # ---- showdown ----

    def finish(self) -> None:
        """Showdown, commission, award, cards away."""
        if len(self.live) > 1:
            if self.slip("deal.count", "board"):
                self.card("board", self.spare.pop())
            self.show_hands()
        else:
            self.shown = set(self.live)
        if self.pots and self.slip("view.gap", None, 1):
            self.out_of_sight()
        else:
            self.award()
        for box in self.boxes:
            if box in self.live:
                self.gone(f"box{box}")
        if self.laid:
            self.gone("board")

    def show_hands(self) -> None:
        """The called player first; the others show what is not beaten yet, and mostly pass in the rest."""
        first = self.first_shown()
        order = self.after(self.button if first is None else first, self.live)
        if first is not None:
            order = [first, *(box for box in order if box != first)]
            if not self.under_raised and self.slip("show.order", f"box{order[1]}", 1):
                order[0], order[1] = order[1], order[0]
        best = {box for _, entitled in self.pots for part in self.winners(entitled, everybody=True) for box in part}
        for number, box in enumerate(order):
            if self.told("bet.late"):
                self.add_late(box)
            first_two = self._mistake == "show.order" and self.slipped and number < 2
            shows = first_two or self._mistake == "deal.count" or self._contends(box)
            if not shows and self.chance.random() < 0.7:
                self.live.remove(box)
                self.gone(f"box{box}")
                continue
            self.shown.add(box)
            # Of a hand with a card that cannot be nobody knows the rank: only one that loses anyway has it.
            odds = 0 if box in best else 0.2
            for card in self.holes[box]:
                self.turn(f"box{box}", self.wrong_card(card, f"box{box}", self.board[: self.laid], odds))
            if first_two and not number:
                self.place_slip(f"box{box}")

    def _contends(self, box: int) -> bool:
        """Whether a hand is the best shown so far, for some pot and part of it."""
        mine = self.values(box)
        for _, entitled in self.pots:
            if box not in entitled:
                continue
            for part in (0, 1):
                value = mine[part]
                rivals = [self.values(other)[part] for other in entitled if other in self.shown]
                if value is not None and all(value >= rival for rival in rivals if rival is not None):
                    return True
        return False

    # ---- the award ----

    def winners(self, entitled: list[int], *, everybody: bool = False) -> list[list[int]]:
        """Who wins each part of a pot, among those who showed: one list, or high and low."""
        boxes = [box for box in entitled if box in (self.live if everybody else self.shown)]
        boxes = boxes or [box for box in entitled if box in self.live]
        if len(boxes) == 1:
            return [boxes]
        parts = []
        for part in (0, 1):
            values = {box: value for box in boxes if (value := self.values(box)[part]) is not None}
            if values:
                best = max(values.values())
                parts.append(self.odd_chip_order([box for box, value in values.items() if value == best]))
        return parts

    def award(self) -> None:
        """Commission first, then each pot to its winners."""
        due = self.commission([amount for amount, _ in self.pots])
        numbers = list(range(len(self.pots)))
        if self.chance.random() < 0.5:
            numbers.reverse()
        for number in numbers:
            amount = self.pots[number][0] - self._take_commission(number, due[number], sum(due))
            parts = self._divide(number, amount)
            self.chips(pot_name(number), 0, "dealer", seconds=1)
            for box in self.boxes:
                if parts.get(box):
                    self.stack_to(box, self.stack(box) + parts[box], "dealer", seconds=0.6)

    def _take_commission(self, number: int, due: float, total: float) -> float:
        pot, at = self.pots[number][0], pot_name(number)
        more = [each for each in (1, 2, 5) if each < pot - due]
        if due and more and self.slip("commission.over", self.commission_at(number)):
            due += self.chance.choice(more)
        elif due and self.slip("commission.short", self.commission_at(number)):
            due -= self.chance.choice([1, due])
        elif not total and pot > 4 and self.slip("commission.not_due", self.commission_at(number)):
            due = self.chance.choice([1, 2])
        if due:
            self.chips("drop", self.amount("drop") + due, "dealer")
            self.chips(at, pot - due, "dealer", seconds=0.3)
        return due

    def commission_at(self, number: int) -> str:
        """Where a wrong commission is found."""
        return pot_name(number)

    def _divide(self, number: int, amount: float) -> dict[int, float]:
        """What everybody gets of a pot, rightly or wrongly."""
        entitled, unit, at = self.pots[number][1], self.share_unit(), pot_name(number)
        parts = self.winners(entitled)
        best = {box for part in parts for box in part}
        losers = [box for box in self.boxes if box not in best]
        if amount and self.slip("pot.winner", at):
            loser = self.chance.choice([box for box in losers if box in self.shown] or losers or [0])
            if loser:
                return {loser: amount}
            self.unslip()
        if len(parts) == 2:
            low = amount // (2 * unit) * unit
            got = shares(amount - low, parts[0], unit)[0]
            for box, share in shares(low, parts[1], unit)[0].items():
                got[box] = got.get(box, 0) + share
            return got
        got, rest = shares(amount, parts[0], unit)
        if len(got) > 1:
            one, two = list(got)[:2]
            if rest and len(self.pots) == 1 and self.slip("pot.odd_chip", at, 1):
                got[one], got[two] = got[one] - rest, got[two] + rest
            elif got[two] > (step := 3 * max(unit, 1)) and self.slip("pot.split", at):
                less = self.chance.choice([step, got[two]])
                got[one], got[two] = got[one] + less, got[two] - less
        return got

    def out_of_sight(self) -> None:
        """The view is lost while the pots are awarded."""
        self.unseen = True
        self.add(log.Feed(t=0, state=self.chance.choice(["lost", "blocked"])))
        seen = len(self.events)
        self.award()
        del self.events[seen:]
        self.wait(5)
        self.add(log.Feed(t=0, state="back"))
        places = [pot_name(number) for number in range(len(self.pots))] + [f"box{box}/stack" for box in self.boxes]
        for at in [*places, "drop"]:
            self.events.append(log.Chips(t=self.t, at=at, amount=self.amount(at)))

    def wrong_card(self, right: str, place: str, seen: list[str], likelihood: float = 0.3) -> str:
        """The card itself, or by mistake one that was seen before or does not belong to the deck."""
        if seen and self.slip("card.duplicate", place, likelihood):
            return self.chance.choice(seen)
        if not self.told("card.foreign"):
            return right
        foreign = [name for name in NAMES if name not in self.deck()]
        if foreign and self.slip("card.foreign", place, likelihood):
            return self.chance.choice(foreign)
        return right
