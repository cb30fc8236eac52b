"""How blackjack is settled: Perfect Pairs and blackjacks after the initial deal, the rest against the dealer's hand."""

from auditor import log
from datasets.dealers.blackjack_shoe import POINTS, BlackjackShoe, count

_PAIRS_PAY = {"mixed": 6, "coloured": 12, "perfect": 25}
_RED = "dh"


def pair(first: str, second: str) -> str | None:
    """Which Perfect Pair two cards are."""
    if first[0] != second[0]:
        return None
    if first == second:
        return "perfect"
    return "coloured" if (first[1] in _RED) == (second[1] in _RED) else "mixed"


class BlackjackSettlement(BlackjackShoe):
    """Settles with the boxes that play; a hand in `settled` has no wager left."""

    boxes: list[int]
    stakes: dict[str, float]
    settled: set[str]
    split_boxes: set[str]

    @property
    def up_points(self) -> int:
        return POINTS[self.hands["dealer"][0]]

    def natural(self, place: str) -> bool:
        box = place.partition("#")[0]
        return len(self.hands[place]) == 2 and count(self.hands[place])[0] == 21 and box not in self.split_boxes

    def interim(self) -> None:
        self.late_blackjacks: list[str] = []
        self.late_pairs: list[str] = []
        self.first_two = {place: hand[:2] for place, hand in self.hands.items()}
        for at in [at for at in self.stakes if at.endswith("/pairs")]:
            if self.chance.random() < 0.2 and self.slip("payout.order", at, 1):
                self.late_pairs.append(at)
            else:
                self._settle_pairs(at)
        for place in [f"box{box}" for box in self.boxes]:
            at = f"{place}/main"
            if self.natural(place) and self.up_points < 10:
                if self.slip("payout.order", at, 1):
                    self.late_blackjacks.append(place)
                else:
                    self._pay_blackjack(place)
            elif self.natural(place) and self.up_points == 11 and self.chance.random() < 0.5:
                self.call("even_money", place, "player")
                self.settle(at, "win", self.stakes[at])
                self.settled.add(place)

    def _settle_pairs(self, at: str) -> None:
        place = at.partition("/")[0]
        if place not in self.hands:
            self.pick_up(at)
            return
        first_two = self.first_two[place]
        kind = pair(*first_two) if len(first_two) > 1 else None
        self.settle(at, "win" if kind else "lose", _PAIRS_PAY[kind] * self.stakes[at] if kind else 0)

    def _pay_blackjack(self, place: str) -> None:
        self.settle(f"{place}/main", "win", min(self.stakes[f"{place}/main"], self.house["max"]) * 1.5)
        self.settled.add(place)

    def open_hands(self) -> list[str]:
        return [place for place in self.hands if place != "dealer" and place not in self.settled]

    def final_settlement(self) -> None:
        dealer = self.hands["dealer"]
        points, blackjack = count(dealer)[0], len(dealer) == 2 and count(dealer)[0] == 21
        for at in [at for at in self.stakes if at.endswith("/insurance")]:
            won = len(dealer) > 1 and POINTS[dealer[1]] == 10
            main = self.stakes[f"{at.partition('/')[0]}/main"]
            self.settle(at, "win" if won else "lose", 2 * min(self.stakes[at], main / 2) if won else 0)
        for at in self.late_pairs:
            self._settle_pairs(at)
        drawn = len(dealer) > 1 or any(len(hand) > 2 for hand in self.hands.values()) or self.split_boxes
        if (self.late_blackjacks or self.late_pairs) and not drawn:
            self.unslip()  # no card was drawn in between, so it was in time after all
        for place in self.open_hands():
            at = f"{place}/main"
            own = count(self.hands[place])[0]
            if self.natural(place) and not blackjack:
                self._pay_blackjack(place)
            elif own > 21 or (blackjack and not self.natural(place)) or own < points <= 21:
                self.lose(at)
            elif own > points or points > 21:
                self.settle(at, "win", min(self.amount(at), self.house["max"]))
            else:
                self.settle(at, "push")

    def lose(self, at: str) -> None:
        over = self.amount(at) - self.house["max"]
        if over > 0 and self.stakes[at] == 600:
            self.chips(at, over, "dealer")
            self.pick_up(at)
        else:
            self.settle(at, "lose")

    def unseen_settlement(self) -> None:
        self.add(log.Feed(t=0, state="lost"))
        seen = len(self.events)
        self.final_settlement()
        del self.events[seen:]
        self.wait(5)
        self.add(log.Feed(t=0, state="back"))
        for (at, colour), amount in self.standing.items():
            if at in self.stakes:
                self.events.append(log.Chips(t=self.t, at=at, colour=colour, amount=amount))
        self.collect()

    def collect(self) -> None:
        for place in [place for place in self.open_hands() if place != "dealer"]:
            self.gone(place)
        for place in sorted(self.settled):
            if count(self.hands[place])[0] <= 21:
                self.gone(place)
        self.gone("dealer")
