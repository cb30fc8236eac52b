"""A round of poker: hole cards, communal cards, showdown, commission and the award of the pots."""

from typing import Any, ClassVar

from auditor import hands, log
from auditor.cards import NAMES, card as card_number
from datasets.dealers.poker_betting import PokerBetting
from datasets.dealers.poker_pots import shares
from datasets.dealers.poker_table import pot_name

POKER = {
    "payout.*": "players bet against each other, the house pays nothing",
    "draw.*": "nobody draws cards",
    "bet.order": "bets out of turn are action.order",
    "deal.no_wager": "a hand too many is deal.extra",
    "deal.facing": "no card that must lie face up is turned over by rule",
}
MISTAKES = (
    "deal.order", "deal.count", "deal.exposed", "deal.missed", "deal.extra", "deal.burn", "card.duplicate",
    "card.foreign", "bet.late", "bet.moved", "bet.limit", "bet.multiple", "bet.invalid", "bet.amount", "pot.winner",
    "pot.split", "pot.odd_chip", "commission.over", "commission.short", "commission.not_due", "button.move",
    "blind.missing", "action.order", "action.time", "round.not_voided", "shuffle.missing", "show.order", "view.gap",
)  # fmt: skip


class PokerDealer(PokerBetting):
    """`holes` and `board` are the cards as they will be dealt: what lies face down nobody sees before it is turned."""

    hole: ClassVar[int] = 2
    streets: ClassVar[tuple[int, ...]] = (0, 3, 1, 1)
    """How many communal cards come before each betting round."""

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.holes: dict[int, list[str]] = {}
        self.shown: set[int] = set()
        self.board: list[str] = []
        self.laid = 0
        self.skip_burn = False
        self._rule_out_by_house()

    def _rule_out_by_house(self) -> None:
        house = self.house
        limited = self.rulebook == "tas-stud" or house.get("limit", "none") in ("pot", "half") or "fixed" in house
        if not limited and not (house.get("min", 0) > 1 and self.unit == 1):
            self.rule_out("bet.limit", "no limit is displayed, and no minimum that could be missed")
        if self.unit == 1:
            self.rule_out("bet.multiple", "the table takes every whole amount")
        if len(self.deck()) == len(NAMES):
            self.rule_out("card.foreign", "the deck holds every card there is")
        if house.get("limit") == "fixed":
            self.rule_out("bet.amount", "with fixed bets every wrong raise is outside the limit")
        if house.get("commission") in ("none", "time"):
            self.rule_out("commission.over", "no commission is due from the pot")
            self.rule_out("commission.short", "no commission is due from the pot")
        if house.get("commission") == "two" or (self.rulebook == "tas-stud" and house.get("commission") != "capped"):
            self.rule_out("commission.not_due", "some commission is due from every pot")
        if self.blinds and len(self.blinds) == 1:
            self.rule_out("blind.missing", "with one blind the round has no opening bet without it")

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

    def laps(self) -> list[int]:
        """The initial deal: whose card comes when."""
        return self.boxes * self.hole

    def burns(self) -> int:
        """How many cards are burnt before communal cards."""
        return 0

    def first_shown(self) -> int | None:
        """Who has to show first, if the rules say so."""
        return self.called

    # ---- a round ----

    def play(self) -> None:
        self.open_round()
        self.post()
        self.plan()
        self.deal_initial()
        if self.called_off:
            return
        for number in range(1, self.betting_rounds + 1):
            self.lay(number)
            self.bet_round(number)
            self.sweep()
            if len(self.live) == 1:
                break
        self.finish()

    def plan(self) -> None:
        """Decide every card now, and how keen each player is on his."""
        self.shown, self.laid, self.skip_burn, self.early_card, self.fold_out = set(), 0, False, False, False
        self.folded, self.fouled = [], 0
        if self.told("pot.split", "pot.odd_chip"):
            self.arrange_tie()
        self.holes = {box: [self.spare.pop() for _ in range(self.hole)] for box in self.boxes}
        self.board = [self.spare.pop() for _ in range(sum(self.streets))]
        for box in self.boxes:
            strong = sum(NAMES.index(card) for card in self.holes[box]) / (52 * self.hole)
            self.zeal[box] = (strong + self.chance.random() * 1.5) / 2.5

    def arrange_tie(self) -> None:
        """Make a tie likely: the communal cards are the best there are."""
        suits = "cdhscdhs"[self.chance.randrange(4) :]
        floor_rank = NAMES.index(self.deck()[0]) // 4
        low = self.house.get("win") == "low"
        ranks = "23456789TJQKA"[floor_rank : floor_rank + 5] if low else "AKQJT"
        board = [rank + suit for rank, suit in zip(ranks, suits, strict=False)]
        others = [card for card in self.spare if card not in board]
        place = len(others) - self.hole * len(self.boxes)
        self.spare = others[:place] + board + others[place:]

    def deal_initial(self) -> None:
        """Hole cards, one at a time, with whatever goes wrong."""
        order = self.laps()
        remedy = self._misdeal(order)
        exposed = self._whose_exposed(order)
        dealt: dict[int, int] = {}
        for spot, box in enumerate(order):
            number = dealt[box] = dealt.get(box, 0) + 1
            if spot == exposed:
                self.card(f"box{box}", self.holes[box][0], seconds=0.5)
                self.place_slip(self._seeded[1] if self._seeded else None)
                self.holes[box] = self.holes[box][1:] + self.holes[box][:1]
            elif number <= self.hole or remedy:
                self.card(f"box{box}", "??", seconds=0.5)
        if remedy:
            self._misdealt(order)
        elif exposed is not None:
            self.after_exposure(order[exposed])

    def _misdealt(self, order: list[int]) -> None:
        if self._mistake == "round.not_voided":
            return
        self.call_off()
        for box in sorted(set(order)):
            self.gone(f"box{box}", to="shoe")

    def _misdeal(self, order: list[int]) -> bool:
        """Deal somebody too many or too few cards, or in the wrong order; whether that makes a misdeal."""
        spots = [spot for spot in range(len(order) - 1) if order[spot] != order[spot + 1]]
        if self.told("deal.order"):
            spot = self.chance.choice(spots)
            order[spot], order[spot + 1] = order[spot + 1], order[spot]
            self.slip("deal.order", f"box{order[spot]}", 1)
            return False
        if self.told("deal.missed"):
            spot = self.chance.randrange(len(order))
            self.slip("deal.missed", f"box{order[spot]}", 1)
            del order[spot]
            return True
        if self.told("deal.extra") or (self.told("round.not_voided") and self.replaces_exposed()):
            spot = self.chance.choice(spots[len(spots) // 2 :])
            if self.told("round.not_voided") and order[spot] == self.first_round_order()[0]:
                return False
            if not self.slip("deal.extra", f"box{order[spot]}", 1):
                self.slip("round.not_voided", None, 1)
                self.companion("deal.extra", f"box{order[spot]}")
                self.fouled = order[spot]
            order.insert(spot, order[spot])
            return True
        return False

    def _whose_exposed(self, order: list[int]) -> int | None:
        """A hole card may be dealt face up."""
        if self.told("deal.exposed") and self.slip("deal.exposed", None, 0.6):
            spot = self.chance.randrange(len(order))
            self.place_slip(f"box{order[spot]}")
            return spot
        if self.told("round.not_voided") and not self.replaces_exposed():
            spot = self.chance.randrange(len(order))
            self.slip("round.not_voided", None, 1)
            self.companion("deal.exposed", f"box{order[spot]}")
            return spot
        return None

    def replaces_exposed(self) -> bool:
        """Whether an exposed hole card is replaced by the first burn card, rather than being a misdeal."""
        return self.burns() > 0

    def after_exposure(self, box: int) -> None:
        """Replace the card, or call a misdeal, or by mistake neither."""
        if self._mistake == "round.not_voided":
            return
        if not self.replaces_exposed():
            self.call_off()
            for other in sorted(self.boxes):
                self.gone(f"box{other}", to="shoe")
            return
        exposed = self.holes[box].pop()
        self.gone(f"box{box}", cards=[exposed])
        self.holes[box].append(self.spare.pop())
        self.card(f"box{box}", "??")
        self.skip_burn = True

    # ---- communal cards ----

    def lay(self, number: int) -> None:
        """The communal cards before a betting round, each street after its burn."""
        count = self.streets[number - 1]
        if not count:
            return
        burn = self.burns()
        if self.skip_burn:
            burn, self.skip_burn = 0, False
        elif self.told("deal.burn") and self.slip("deal.burn", "burn", 0.6):
            burn += 1 if not burn or self.chance.random() < 0.5 else -1
        for _ in range(burn):
            self.card("burn", "??", seconds=0.6)
        if self.early_card:
            count, self.early_card = count - 1, False
        if count == 3 and not self.tapped and self.slip("deal.count", "board", 0.3):
            self.fold_out = True
            count += self.chance.choice([-1, 1])
        for _ in range(min(count, len(self.board) - self.laid)):
            self.lay_card()

    def lay_card(self) -> None:
        """The next communal card, by mistake one that cannot be."""
        right = self.board[self.laid]
        self.laid += 1
        self.card("board", self.wrong_card(right, "board", self.board[: self.laid - 1]))

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
            if self.slip("show.order", f"box{order[1]}", 1):
                order[0], order[1] = order[1], order[0]
        best = {box for _, entitled in self.pots for part in self.winners(entitled, everybody=True) for box in part}
        for number, box in enumerate(order):
            if self.told("bet.late"):
                self.add_late(box)
            first_two = self._mistake == "show.order" and self.slipped and number < 2
            if not first_two and self._mistake != "deal.count" and not self._contends(box) and self.chance.random() < 0.7:
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
            rivals = [self.values(other) for other in entitled if other in self.shown]
            for part in (0, 1):
                value = mine[part]
                if value is not None and all(value >= (rival[part] or value) for rival in rivals if rival[part] is not None):
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
        if due and self.slip("commission.over", self.commission_at(number)):
            due += self.chance.choice([each for each in (1, 2, 5) if each < pot - due] or [0])
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
        if self.slip("pot.winner", at):
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
            if rest and self.slip("pot.odd_chip", at, 1):
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


def strength_of(cards: list[str], order: hands.Order) -> int:
    """How strong named cards are.

    >>> strength_of(["As", "Ks", "Qs", "Js", "Ts"], hands.FULL) > strength_of(["As", "Ks", "Qs", "Js", "9s"], hands.FULL)
    True
    """
    return hands.strength([card_number(card) for card in cards], order)
