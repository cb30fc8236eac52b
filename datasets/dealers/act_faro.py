"""An ACT poker faro table (NI2005-67)."""

from typing import Any

from auditor import hands
from auditor.cards import card as card_number
from datasets.dealer import NO_DECK_COUNT, NO_TILES, NO_WHEEL, POKER
from datasets.dealers.poker import MISTAKES
from datasets.dealers.poker_act import ActPokerDealer


class ActFaroDealer(ActPokerDealer):
    """Deals Poker Faro: five hole cards, communal cards one at a time, a betting round after each."""

    rulebook = "act-faro"
    mistakes = tuple(kind for kind in MISTAKES if kind != "deal.burn")
    cannot = POKER | NO_WHEEL | NO_TILES | NO_DECK_COUNT | {
        "table.players": "no number of players is prescribed",
        "deal.facing": "no card has to be dealt face up to a player",
        "deal.burn": "faro has no rule on burning cards",
    }
    clock = 90
    hole = 5
    tournament_blinds = (0,)
    streets = (1, 1, 1, 1, 1)
    betting_rounds = 5

    def default_house(self) -> dict[str, Any]:
        return super().default_house() | {"deal": self.chance.choice(["2-2-1", "1"])}

    def most_players(self) -> int:
        return min(self.seats, (len(self.deck()) - 8) // 5)

    def laps(self) -> list[int]:
        """9.2: two, two and one, or one at a time."""
        if self.house.get("deal", "2-2-1") == "1":
            return self.boxes * 5
        pairs = [box for box in self.boxes for _ in range(2)]
        return pairs + pairs + self.boxes

    def raise_cap(self, number: int) -> int | None:
        """5.1: three raises in each round of blind betting."""
        return 3 if self.blinds else None

    def high_and_low(self, box: int) -> tuple[int, int | None]:
        hole = [card_number(card) for card in self.holes[box]]
        board = [card_number(card) for card in self.board]
        qualifier = self.house.get("low_qualifier", 8) if self.house.get("win") == "split" else None
        return (
            hands.faro_strength(hole, board, self.order),
            hands.faro_low_strength(hole, board, self.order, qualifier),
        )

    def arrange_tie(self) -> None:
        """Two players get the same ranks, and the suits do not matter."""
        names = self.deck()
        ranks = [name[0] for name in names if name[1:] == "c"]
        self.chance.shuffle(ranks)
        board = [rank + suit for rank, suit in zip(ranks[:5], "cdhsc", strict=True)]
        same = (ranks[5:] + ranks)[:5]
        first, second = ([rank + suit for rank, suit in zip(same, suits, strict=True)] for suits in ("sscdd", "hhsch"))
        taken = {*board, *first, *second}
        if len(taken) < 15:
            return
        others = [card for card in self.spare if card not in taken]
        fill = [others.pop() for _ in range(5 * (len(self.boxes) - 2))]
        self.spare = others + board + fill + second + first

    def disturb(self) -> None:
        """17.17: a communal card that comes too early stays, and no bet may be bigger than the biggest so far."""
        if not self.told("deal.exposed", "bet.limit") or not self.round_goes_on():
            return
        box = self.queue[0]
        low, total = self.bounds(box)[0], self.bets.get(box, 0) + self.stack(box)
        if self.told("bet.limit"):
            may_raise = 0 < self.level < low < total and not self.closed and low <= self.bounds(box)[1]
            cap = self.raise_cap(self.number)
            if not may_raise or self.raises == cap or not self.slip("bet.limit", f"box{box}/bet", 0.2):
                return
            self.companion("deal.exposed", "board")
        elif not self.slip("deal.exposed", "board", 0.2):
            return
        self.lay_card()
        self.early_card = self.closed = True
        if self._mistake == "bet.limit":
            self.queue.pop(0)
            self._raise(box, low)
            self.place_slip(f"box{box}/bet")

    def burns(self) -> int:
        return 0
