"""Blackjack's shoe: decks with a cutting card, shuffled when that came, and the cards dealt from it."""

from typing import Any

from auditor import log
from auditor.cards import NAMES
from datasets.dealer import Dealer

POINTS = {name: 11 if name[0] == "A" else 10 if name[0] in "TJQK" else int(name[0]) for name in NAMES[:52]}


def count(cards: list[str]) -> tuple[int, bool]:
    """The best total, and whether it is soft.

    >>> count(["As", "6d"]), count(["As", "6d", "9c"])
    ((17, True), (16, False))
    """
    points = sum(POINTS[card] for card in cards)
    aces = sum(card[0] == "A" for card in cards)
    while points > 21 and aces:
        points, aces = points - 10, aces - 1
    return points, aces > 0


class BlackjackShoe(Dealer):
    """What of the blackjack table has to do with the shoe."""

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.shoe: list[str] = []
        self.cut_at = -1
        self.cutting_card_out = True
        self.seen: dict[str, int] = {}
        self.hands: dict[str, list[str]] = {}

    def shuffle_if_due(self) -> None:
        """5.4: after the round in which the cutting card came, or at once when it comes first."""
        comes_first = bool(self.shoe) and len(self.shoe) == self.cut_at
        if comes_first or (len(self.shoe) > 60 and self.told("shuffle.missing")):
            self.wait(1)
            self.add(log.CuttingCard(t=0, at="shoe"))
            self.cutting_card_out = True
        if self.told("card.duplicate"):
            card = self.chance.choice(NAMES[:52])
            self._new_shoe()
            self.shoe = [other for other in self.shoe if other != card] + [card] * (self.house["decks"] + 1)
        elif not self.shoe or (self.cutting_card_out and not self.slip("shuffle.missing", None, 1)):
            self._new_shoe()
        else:
            self.cut_at = min(self.cut_at, len(self.shoe) - 1)
        self.cutting_card_out = self.slipped  # a shuffle left out now is due after this round all the same

    def _new_shoe(self) -> None:
        self.wait(40)
        self.add(log.Shuffle(t=0, by="dealer"))
        self.wait(10)
        self.add(log.Cut(t=0, by="player"))
        self.shoe = list(NAMES[:52]) * self.house["decks"]
        self.chance.shuffle(self.shoe)
        self.seen = {}
        self.cut_at = self.chance.randint(60, 150)
        self.cutting_card_out = False

    def try_again(self) -> None:
        self.chance.shuffle(self.shoe)

    def draw(self) -> str:
        if len(self.shoe) == self.cut_at:
            self.add(log.CuttingCard(t=0, at="shoe"))
            self.cutting_card_out = True
        return self.shoe.pop()

    def give(self, place: str) -> str:
        card = self.draw()
        self.seen[card] = self.seen.get(card, 0) + 1
        if self.seen[card] > self.house["decks"]:
            self.slip("card.duplicate", place, 1)
        if self.slip("card.foreign", place, 0.05):
            self.card(place, "Jkr")
            self.gone(place, cards=["Jkr"])
        if self.slip("deal.facing", place, 0.05):
            self.card(place, "??", up=False)
            self.turn(place, card)
        else:
            self.card(place, card)
        self.hands.setdefault(place, []).append(card)
        return card
