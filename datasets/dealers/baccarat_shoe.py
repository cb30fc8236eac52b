"""Baccarat's shoe: eight decks, shuffled when the cutting card says so, and the cards burnt at its start."""

from typing import Any

from auditor import log
from auditor.cards import NAMES
from datasets.seats import SeatedDealer

DECKS = 8
POINTS = {name: 1 if name[0] == "A" else 0 if name[0] in "TJQK" else int(name[0]) for name in NAMES[:52]}


class BaccaratShoe(SeatedDealer):
    """What of the baccarat table has to do with the shoe."""

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.shoe: list[str] = []
        self.seen: dict[str, int] = {}
        self.cut_at = -1
        self.shuffle_in: int | None = 0
        """After how many more rounds the shoe is shuffled; None until the cutting card came."""
        self.overdue = False
        """Whether the shoe must be shuffled now: leaving that out would not be found, or for the second time."""
        self.excess = ""
        """The card drawn too many in the round before: the first of this one (9.2, 9.3)."""

    def may(self, mistake: str) -> bool:
        if mistake == "shuffle.missing" and (self.shuffle_in != 0 or self.overdue or self.excess):
            return False
        return super().may(mistake) and (mistake != "card.duplicate" or max(self.seen.values(), default=0) > 4)

    def try_again(self) -> None:
        self.chance.shuffle(self.shoe)

    def _new_shoe(self) -> None:
        self.wait(60)
        self.add(log.Shuffle(t=0, by="dealer"))
        self.wait(10)
        self.add(log.Cut(t=0, by="player"))
        self.shoe = list(NAMES[:52]) * DECKS
        self.chance.shuffle(self.shoe)
        self.seen = {}
        if self._stacks():
            card = self.chance.choice([name for name in NAMES[:52] if name[0] in "TJQK"])
            rest = [other for other in self.shoe if other != card]
            self.shoe = [*rest[:10], card, *rest[10:-10], *[card] * 6, *rest[-10:], card]
        self.cut_at = self.chance.randint(16, 70)
        self.shuffle_in = None
        self._burn()

    def _burn(self) -> None:
        """5.4, 5.5: the first card tells how many are burnt."""
        first = self.draw()
        self.card("burn", first, up=True)
        number = POINTS[first] or 10
        if self.slip("deal.burn", "burn", 1):
            number += self.chance.choice([-1, 1, 2, 4])
        for _ in range(number):
            self.shoe.pop()
            self.card("burn", "??")

    def draw(self) -> str:
        """The next card of the shoe; the cutting card may come before it."""
        if self.excess:
            card, self.excess = self.excess, ""
            return card
        if len(self.shoe) == self.cut_at:
            self.wait(0.5)
            self.add(log.CuttingCard(t=0, at="shoe"))
        card = self.shoe.pop()
        self.seen[card] = self.seen.get(card, 0) + 1
        return card

    def _stacks(self) -> bool:
        """Whether a card must come again and again now, so that it can come too often in a round to come."""
        return self._mistake is None and "card.duplicate" in self.coming and max(self.seen.values(), default=0) < 6

    def shuffle_if_due(self) -> None:
        """5.6: after the round in which the cutting card came, or one round later if that was a tie."""
        if self.excess:
            return
        left_out = self.shuffle_in == 0 and self.slip("shuffle.missing", None, 1)
        self.overdue = left_out
        if (self.shuffle_in == 0 and not left_out) or self.told("deal.burn") or self._stacks():
            self._new_shoe()
        wanted = "shuffle.missing" in self.coming and "card.duplicate" not in self.coming  # one after the other
        if wanted and self.shuffle_in is None and len(self.shoe) > 40:
            self.cut_at = len(self.shoe) - self.chance.randint(0, 3)
        if self.told("card.duplicate") and self.seen:
            self._too_many()

    def _too_many(self) -> None:
        """Nine of a card that was seen often already."""
        card = max(self.seen, key=lambda name: self.seen[name])
        more = max(1, DECKS + 1 - self.seen[card])
        if more <= 4:
            self.shoe = [other for other in self.shoe if other != card]
            top = self.shoe[more - 4 :] if more < 4 else []
            del self.shoe[len(self.shoe) - len(top) :]
            top += [card] * more
            self.chance.shuffle(top)
            self.shoe += top

    def next_shuffle(self, *, tie: bool | None) -> None:
        """Work out at the end of a round when the shoe is to be shuffled; `tie` is None if it had no clear result."""
        if self.shuffle_in is not None:
            self.shuffle_in = 0
        elif any(isinstance(event, log.CuttingCard) for event in self.events):
            self.shuffle_in = 1 if tie else 0
            self.overdue = tie is None
