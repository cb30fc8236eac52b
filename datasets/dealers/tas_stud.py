"""A Tasmanian five card stud table (variation 2/18, part B)."""

from math import ceil, floor
from typing import Any

from auditor import hands, log
from auditor.cards import RANKS, card as card_number
from datasets.dealer import NO_DECK_COUNT, NO_TILES, NO_WHEEL, POKER
from datasets.dealers.poker import MISTAKES, PokerDealer, strength_of
from datasets.dealers.poker_pots import tas_stud_commission

CANNOT = {
    "deal.burn": "cards are burnt only after irregularities",
    "deal.count": "a hand that is too big or too small got a card too many, or was passed over",
    "pot.odd_chip": "no rule says who gets the rest",
    "action.time": "no time to act is prescribed",
    "show.order": "the rules fix no order in which hole cards are exposed",
}


class TasStudDealer(PokerDealer):
    """`holes` are a player's five cards as they come; `down` says which of them lies face down."""

    rulebook = "tas-stud"
    mistakes = (*(kind for kind in MISTAKES if kind not in CANNOT), "deal.facing", "table.players")
    cannot = POKER | NO_WHEEL | NO_TILES | NO_DECK_COUNT | CANNOT
    hole = 5
    streets = ()
    least_players = 3

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.down: dict[int, int | None] = {}
        self.dealt: dict[int, int] = {}

    def default_house(self) -> dict[str, Any]:
        unit = self.chance.choice([2, 2, 5, 10])
        house: dict[str, Any] = {
            "deck": self.chance.choice([52, 52, 32]),
            "min": unit,
            "commission": "normal" if unit > 5 else self.chance.choice(["normal", "capped"]),
        }
        return house | ({"multiple": unit} if unit > 1 and self.chance.random() < 0.3 else {})

    def forced_bets(self) -> tuple[list[float], float]:
        """5.4: an ante of the minimum wager."""
        return [], self.house.get("min", 1)

    def most_players(self) -> int:
        """3.4: five at most with the reduced deck."""
        return 5 if self.house.get("deck") == 32 else self.seats

    def cut(self) -> None:
        """4.2: the player on the right of the first to be dealt cuts, or else the dealer."""
        self.wait(3)
        if self.chance.random() < 0.8:
            self.add(log.Cut(t=0, by="player", at=f"box{self.button}"))
        else:
            self.add(log.Cut(t=0, by="dealer"))

    # ---- hands ----

    @property
    def order(self) -> hands.Order:
        """The rows of 14.1 or 14.2."""
        return hands.TAS_REDUCED if self.house.get("deck") == 32 else hands.TAS_STUD

    def showing(self, box: int) -> list[str]:
        """A player's open cards."""
        cards = self.holes[box][: self.dealt[box]]
        return [card for number, card in enumerate(cards) if number != self.down[box]][-4:]

    def strength_showing(self, box: int) -> int:
        """How strong a player's open cards are."""
        return hands.showing_strength([card_number(card) for card in self.showing(box)], self.order)

    def values(self, box: int) -> tuple[int | None, int | None]:
        return strength_of(self.holes[box], self.order), None

    def arrange_tie(self) -> None:
        """Two players get the same ranks."""
        two = [[rank + suit for rank, suit in zip("AKQJ9", suits, strict=True)] for suits in ("shdcs", "hdcsh")]
        for pair in two:
            self.chance.shuffle(pair)
        self.spare = [card for card in self.spare if card not in two[0] + two[1]] + two[0] + two[1]

    # ---- dealing ----

    def plan(self) -> None:
        self.number = 0
        super().plan()
        self.down = dict.fromkeys(self.boxes, 0)
        self.dealt = dict.fromkeys(self.boxes, 0)

    def laps(self) -> list[int]:
        return self.boxes * 2

    def deal_initial(self) -> None:
        """9.2: one card down, one up; an exposed first card has the second dealt down (17.7)."""
        order = self.laps()
        misdeal = self._misdeal(order)
        if self.told("deal.exposed"):
            box = self.chance.choice(self.boxes)
            self.slip("deal.exposed", f"box{box}", 1)
            self.down[box] = 1
        elif self.told("round.not_voided") and (twice := self._twice_exposed()):
            self.slip("round.not_voided", None, 1)
            self.companion("deal.exposed", f"box{twice}")
            self.down[twice], self.fouled = None, twice
        for box in order:
            self.next_card(box)
        if misdeal:
            self.call_off()
            for box in sorted(self.boxes):
                self.gone(f"box{box}", to="shoe")

    def next_card(self, box: int) -> None:
        """A player's next card."""
        number, place = self.dealt[box], f"box{box}"
        self.dealt[box] += 1
        if number == self.down[box] or number >= 5:
            self.card(place, "??", up=None if number < 5 else False, seconds=0.5)
            return
        if number and self.slip("deal.facing", place, 0.1):
            self.card(place, "??", up=False)
            self.turn(place, self.holes[box][number])
            return
        seen = [card for other in self.boxes if other != box for card in self.showing(other)]
        if seen and self.told("card.duplicate") and self.slip("card.duplicate", place, 0.1):
            self.holes[box][number] = self.chance.choice(seen)
        self.card(place, self.holes[box][number], seconds=0.5)

    def lay(self, number: int) -> None:
        """The third, fourth and fifth card, face up; a hand with a wrong number of cards is dead (17.3)."""
        if number == 1:
            return
        order = [box for box in self.boxes if box in self.live]
        fouled = None
        if self.told("deal.order") and self.slip("deal.order", None, 0.5):
            order[0], order[1] = order[1], order[0]
            self.place_slip(f"box{order[0]}")
        elif self.told("deal.extra", "deal.missed") and len(self.live) > 2:
            fouled = self.chance.choice(order)
            if self.slip("deal.missed", f"box{fouled}", 0.5):
                order.remove(fouled)
            elif number < 4 and self.slip("deal.extra", f"box{fouled}", 0.5):
                order.insert(order.index(fouled), fouled)
            else:
                fouled = None
        for box in order:
            self.next_card(box)
        if fouled:
            self.call("void", f"box{fouled}")
            self.gone(f"box{fouled}")
            self.live.remove(fouled)

    def _misdeal(self, order: list[int]) -> bool:
        """Half of the mistakes are made here, with the first open card, and make a misdeal; the others later."""
        if self.chance.random() < 0.5:
            return False
        spot = self.chance.randrange(len(self.boxes), len(order))
        if self.told("deal.order"):
            spot = self.chance.choice([spot for spot in range(len(order) - 1) if spot != len(self.boxes) - 1])
            order[spot], order[spot + 1] = order[spot + 1], order[spot]
            self.slip("deal.order", f"box{order[spot]}", 1)
            return False
        place = f"box{order[spot]}"
        if spot < len(order) - 1 and self.slip("deal.missed", place, 1):
            del order[spot]
        elif self.slip("deal.extra", place, 1):
            order.insert(spot, order[spot])
        return self._mistake in ("deal.missed", "deal.extra") and self.slipped

    def _twice_exposed(self) -> int | None:
        """Whose first two cards are both exposed: somebody who does not have to open, and folds."""
        best = max(RANKS.index(self.holes[box][1][0]) for box in self.boxes)
        low = [box for box in self.boxes if max(RANKS.index(card[0]) for card in self.holes[box][:2]) < best]
        return self.chance.choice(low) if low else None

    # ---- betting ----

    def order_of(self, number: int) -> list[int]:
        """11.1(a), 11.2(a): the highest card or hand showing, of equals the first left of the button."""
        able = self.able()
        if not able:
            return []
        if number == 1:
            best = max(able, key=lambda box: max(RANKS.index(card[0]) for card in self.showing(box)))
        else:
            best = max(able, key=self.strength_showing)
        spot = self.boxes.index(best)
        return self.boxes[spot:] + self.boxes[:spot]

    def least_raise(self, box: int) -> float:
        """11.1(b)ii: not lower than the amount required to call."""
        return self.level - self.bets.get(box, 0) if self.level else self.ante

    def bounds(self, box: int) -> tuple[float, float]:
        """5.4: at most half the pot; narrowly, call and raise together."""
        low = ceil((self.level + self.least_raise(box)) / self.unit) * self.unit
        return low, floor((self.bets.get(box, 0) + self.in_play / 2) / self.unit) * self.unit

    def over_limit(self, box: int) -> float:
        call = self.level - self.bets.get(box, 0)
        return floor((self.level + (self.in_play + call) / 2) / self.unit + 1) * self.unit

    def may_check(self, box: int) -> bool:
        """12.3: in the last round only a hand that beats the four open cards of those who checked."""
        if self.number < 4:
            return True
        mine = strength_of(self.holes[box], self.order)
        return all(mine > self.strength_showing(other) for other in self.checked)

    # ---- the end ----

    def show_hands(self) -> None:
        """11.3(a): everybody exposes the hole card."""
        best = {box for _, entitled in self.pots for part in self.winners(entitled, everybody=True) for box in part}
        for box in [box for box in self.boxes if box in self.live]:
            if self.told("bet.late"):
                self.add_late(box)
            self.shown.add(box)
            if (number := self.down[box]) is not None:
                odds = 0 if box in best else 0.3
                self.turn(f"box{box}", self.wrong_card(self.holes[box][number], f"box{box}", self.showing(box), odds))

    def commission(self, amounts: list[float]) -> list[float]:
        return [tas_stud_commission(amount, self.house.get("commission", "normal")) for amount in amounts]

    def share_unit(self) -> float:
        return 0.01
