"""How Ultimate Texas Hold-em is settled: odds, order, concessions."""

from auditor.hands import UTH, Category, at_least, category, read_cards, strength
from datasets.one_deck import OneDeckDealer

BLIND_PAYS = {
    Category.ROYAL_FLUSH: 500, Category.STRAIGHT_FLUSH: 50, Category.FOURS: 10, Category.FULL_HOUSE: 3,
    Category.FLUSH: 1.5, Category.STRAIGHT: 1,
}  # fmt: skip
TRIPS_PAY = {
    Category.ROYAL_FLUSH: 50, Category.STRAIGHT_FLUSH: 40, Category.FOURS: 30, Category.FULL_HOUSE: 8,
    Category.FLUSH: 7, Category.STRAIGHT: 4, Category.THREES: 3,
}  # fmt: skip


def value(cards: list[str]) -> int:
    """How strong the best five are.

    >>> value("Ah Kh Qh Jh Th 2c 2d".split()) > value("Ac Ad As Ah Kd Kc Ks".split())
    True
    """
    return strength(read_cards(" ".join(cards)), UTH)


class UltimateSettlement(OneDeckDealer):
    """Shows the dealer's hand and settles with the players who are left in `playing`."""

    playing: list[str]

    def dealers_hand(self) -> None:
        """8.8: announce and show it, then settle."""
        self.call("dealer_hand")
        self.show("dealer")
        if self.slip("view.gap", None, 1):
            self.unseen(self._settle)
        else:
            self._settle()

    def _settle(self) -> None:
        """9.2, 9.3: all antes back if the dealer does not qualify; then player by player from the dealer's right."""
        board = self.hands["board"][:5]
        bank = value([*self.hands["dealer"][:2], *board])
        qualified = at_least(bank, Category.PAIR, UTH)
        players = sorted(self.playing, reverse=True)
        if qualified:
            players = [box for box in players if not self._concedes(box, bank)]
        late = ""
        if players and (self.slip("card.foreign", players[0]) or self.slip("card.duplicate", players[0])):
            self.replace(players[0], 1, self.hands["dealer"][0])
            self.call_off("void")
            return
        if len(players) > 1 and self.told("payout.order"):
            late = self._wrong_order(players, bank)
        if not qualified:
            for box in players:
                if box != late:
                    self.settle(f"{box}/ante", "push")
        for box in players:
            self.show(box)
            self._settle_player(box, bank, ante=qualified or box == late)
            self.collect(box)

    def _wrong_order(self, players: list[str], bank: int) -> str:
        """A player is settled before his turn, or an ante goes back only with his hand: then whose."""
        qualified = at_least(bank, Category.PAIR, UTH)
        if not qualified and self.chance.random() < 0.5:
            late = self.chance.choice(players[1:])
            self.slip("payout.order", f"{late}/ante", 1)
            return late
        spot = self.chance.randrange(len(players) - 1)
        early = players[spot + 1]
        # Where his first wager is a push, whether taking it back settles it is a matter of taste.
        if self._own(early) < bank or (qualified and self._own(early) > bank):
            players[spot], players[spot + 1] = early, players[spot]
            self.slip("payout.order", f"{early}/{'ante' if qualified else 'blind'}", 1)
        return ""

    def _own(self, box: str) -> int:
        return value([*self.hands[box][:2], *self.hands["board"][:5]])

    def _concedes(self, box: str, bank: int) -> bool:
        """9.1: a player who sees that the hand is lost may fold it."""
        own = self._own(box)
        if own >= bank or category(own, UTH) in TRIPS_PAY or self.chance.random() > 0.1:
            return False
        self.call("fold", box, "player")
        self.take_all(box)
        self.collect(box)
        return True

    def _settle_player(self, box: str, bank: int, *, ante: bool) -> None:
        own = self._own(box)
        kind = category(own, UTH)
        result = "win" if own > bank else "lose" if own < bank else "push"
        qualified = at_least(bank, Category.PAIR, UTH)
        for at in [at for at in self.stakes if at.partition("/")[0] == box]:
            spot = at.partition("/")[2]
            if spot == "ante" and ante:
                self.settle_opening(at, result if qualified else "push")
            elif spot == "blind":
                wins = result == "win" and kind in BLIND_PAYS
                odds = BLIND_PAYS.get(kind, 0)
                settled = result if wins or result == "lose" else "push"
                self.settle_opening(at, settled, odds, self.house.get("max_payout"))
            elif spot == "trips":
                self.settle_opening(at, "win" if kind in TRIPS_PAY else "lose", TRIPS_PAY.get(kind, 0))
            elif spot == "play":
                self.settle(at, result, self.stakes[at])

    def take_all(self, box: str) -> None:
        """The wagers of a hand that was folded."""
        for at in [at for at in self.stakes if at.partition("/")[0] == box]:
            if at.endswith("/play"):
                self.settle(at, "lose")
            else:
                self.settle_opening(at, "lose")

    def replace(self, place: str, number: int, seen: str) -> None:
        """Instead of a card a joker turns up, or one that was seen already."""
        self.hands[place][number] = "Jkr" if self._mistake == "card.foreign" else seen
        self.show(place, 0, number + 1)
