"""A round of poker: what is dealt when, and what can go wrong with it."""

from collections.abc import Iterator
from math import inf
from typing import Any, ClassVar

from auditor import hands, log
from auditor.cards import NAMES, card as card_number
from datasets.dealer import Played
from datasets.dealers.poker_showdown import PokerShowdown

MAX_HOUSES = 1000

MISTAKES = (
    "deal.order", "deal.count", "deal.exposed", "deal.missed", "deal.extra", "deal.burn", "card.duplicate",
    "card.foreign", "bet.late", "bet.moved", "bet.limit", "bet.multiple", "bet.invalid", "bet.amount", "pot.winner",
    "pot.split", "pot.odd_chip", "commission.over", "commission.short", "commission.not_due", "button.move",
    "blind.missing", "action.order", "action.time", "round.not_voided", "shuffle.missing", "show.order", "view.gap",
)  # fmt: skip


class PokerDealer(PokerShowdown):
    """`holes` and `board` are the cards as they will be dealt: what lies face down nobody sees before it is turned."""

    hole: ClassVar[int] = 2
    streets: ClassVar[tuple[int, ...]] = (0, 3, 1, 1)
    """How many communal cards come before each betting round."""

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.skip_burn = False
        self.own_house = house is None
        self._rule_out_by_house()

    def rounds(self, count: int, errors: dict[str, int] | None = None) -> Iterator[Played]:
        """As ever; unless the options were given, at a table that can have the mistakes asked for."""
        wanted = set(errors or {}) & set(type(self).mistakes)
        for _ in range(MAX_HOUSES if self.own_house else 0):
            if wanted <= set(self.mistakes):
                break
            self.house = self.default_house()
            self.set_stakes()
            self._rule_out_by_house()
        yield from super().rounds(count, errors)

    def _rule_out_by_house(self) -> None:
        house = self.house
        self.mistakes, self.cannot = type(self).mistakes, type(self).cannot
        limited = self.rulebook == "tas-stud" or house.get("limit", "none") in ("pot", "half") or "fixed" in house
        if not limited and not (house.get("min", 0) > 1 and self.unit == 1):
            self.rule_out("bet.limit", "no limit is displayed, and no minimum that could be missed")
        if self.unit == 1:
            self.rule_out("bet.multiple", "the table takes every whole amount")
        if len(self.deck()) == len(NAMES):
            self.rule_out("card.foreign", "the deck holds every card there is")
        if house.get("limit") == "fixed":
            self.rule_out("bet.multiple", "bets are of fixed size")
            self.rule_out("bet.amount", "with fixed bets every wrong raise is outside the limit")
        if house.get("commission") in ("none", "time"):
            self.rule_out("commission.over", "no commission is due from the pot")
            self.rule_out("commission.short", "no commission is due from the pot")
            even = not any(chips % 2 for chips in [*self.blinds, self.ante])
            if even and (self.unit % 2 == 0 or house.get("limit") == "fixed"):
                self.rule_out("pot.odd_chip", "all bets are even, and nothing is taken from the pot")
        if house.get("commission") == "two" or (self.rulebook == "tas-stud" and house.get("commission") != "capped"):
            self.rule_out("commission.not_due", "some commission is due from every pot")
        least = sum(self.blinds[:-1]) + sum(self.blinds[-2:-1]) if self.blinds else self.most_players() * self.ante
        if house.get("commission") == "one" and least > 20:
            self.rule_out("commission.not_due", "every pot is above the 20 from which commission is due")
        # A single blind goes back when nobody calls it, and under option A somebody always does.
        called = len(self.blinds) == 1 or (bool(self.blinds) and house.get("blind_option") == "A")
        if called and 2 * self.big > {"5": 19, "10": 9}.get(house.get("commission", ""), inf):
            self.rule_out("commission.not_due", "every pot somebody called for is above what is free of commission")
        if self.blinds and len(self.blinds) == 1:
            self.rule_out("blind.missing", "with one blind the round has no opening bet without it")

    # ---- what a game brings ----

    def laps(self) -> list[int]:
        """The initial deal: whose card comes when."""
        return self.boxes * self.hole

    def burns(self) -> int:
        """How many cards are burnt before communal cards."""
        return 0

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
            spot = self.chance.randrange(len(order) - 1)  # after the last card the deal may just have been cut short
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

    def round_goes_on(self) -> bool:
        """Whether a communal card would come too early by any reading: a blind may pass his raise without a sign."""
        owing = any(self.bets.get(box, 0) < self.level for box in self.queue)
        return self.number < self.betting_rounds and (owing or self.number > 1)

    def disturb(self) -> None:
        """A communal card comes before the betting round is over: it is shuffled back (17.17; Tasmania C 19.2)."""
        if not self.told("deal.exposed") or not self.streets or not self.round_goes_on():
            return
        if self.slip("deal.exposed", "board", 0.2):
            early = self.spare.pop(0)
            self.card("board", early)
            self.place_slip("board")
            self.gone("board", to="shoe", cards=[early])
            self.wait(5)
            self.add(log.Shuffle(t=0, by="dealer"))
            self.cut()

    def lay_card(self) -> None:
        """The next communal card, by mistake one that cannot be."""
        right = self.board[self.laid]
        self.laid += 1
        self.card("board", self.wrong_card(right, "board", self.board[: self.laid - 1]))


def strength_of(cards: list[str], order: hands.Order) -> int:
    """How strong named cards are.

    >>> strength_of("As Ks Qs Js Ts".split(), hands.FULL) > strength_of("As Ah Ad Ac Ts".split(), hands.FULL)
    True
    """
    return hands.strength([card_number(card) for card in cards], order)
