"""What the ACT's two poker games share: options, hands, commission."""

from dataclasses import replace
from typing import Any, ClassVar

from auditor import hands
from auditor.cards import card as card_number
from datasets.dealers.poker import PokerDealer
from datasets.dealers.poker_pots import act_commission

_ORDERS = {
    (deck, ace_low): replace(order, ace_low=ace_low)
    for deck, order in {52: hands.FULL, **hands.ACT_REDUCED}.items()
    for ace_low in (True, False)
}


class ActPokerDealer(PokerDealer):
    """Hold-em (NI2015-405) and Faro (NI2005-67)."""

    tournament_blinds: ClassVar[tuple[int, ...]] = (0, 2)
    """How many blinds there may be where a game goes on to two players."""

    def default_house(self) -> dict[str, Any]:
        """One of many tables a casino may run."""
        chance = self.chance
        unit = chance.choice([1, 1, 2, 5])
        house: dict[str, Any] = {
            "deck": chance.choice([52, 52, 52, 48, 44, 40, 36, 32]),
            "joker": chance.random() < 0.15,
            "ace_low": chance.random() < 0.8,
            "win": chance.choice(["high", "high", "high", "high", "low", "split"]),
            "limit": chance.choice(["none", "pot", "half", "fixed"]),
        }
        number = chance.choice([0, 1, 2, 2, 2, 3])
        if number:
            house["blinds"] = [2 * unit] if number == 1 else [unit, 2 * unit, 4 * unit][:number]
            house["blind_option"] = chance.choice(["B", "B", "B", "A", "C"])
            house["min"] = house["blinds"][0]
        else:
            house["ante"] = house["min"] = 2 * unit
        big = house["blinds"][-1] if number else house["ante"]
        if house["limit"] == "fixed" and chance.random() < 0.8:
            house["fixed"] = [big, 2 * big]
        if unit > 1 and chance.random() < 0.5:
            house["multiple"] = unit
        house["commission"] = chance.choice(["5", "5", "10", "10", "none", "time"])
        house["table_stake"] = 10 * big
        house["max_buy_in"] = chance.choice([40, 100]) * big
        if house["commission"] in ("5", "10") and chance.random() < 0.7:
            house["commission_cap"] = chance.choice([3, 5, 10])
        if house["table_stake"] > 100 and house["commission"] == "10":
            house["table_stake"] = 100
        if number in self.tournament_blinds and chance.random() < 0.2:
            house.update(tournament=True, commission="none")
            house.pop("commission_cap", None)
        return house

    @property
    def order(self) -> hands.Order:
        """The rows by which hands are ranked at this table."""
        return _ORDERS[self.house.get("deck", 52), self.house.get("ace_low", True)]

    def high_and_low(self, box: int) -> tuple[int, int | None]:
        """How good a hand is, high and low (with the qualifier where the pot is split)."""
        cards = [card_number(card) for card in self.holes[box] + self.board]
        qualifier = self.house.get("low_qualifier", 8) if self.house.get("win") == "split" else None
        return hands.strength(cards, self.order), hands.low_strength(cards, self.order, qualifier)

    def values(self, box: int) -> tuple[int | None, int | None]:
        win = self.house.get("win", "high")
        high, low = self.high_and_low(box)
        return None if win == "low" else high, None if win == "high" else low

    def commission(self, amounts: list[float]) -> list[float]:
        """15.2: none from blinds and antes alone, none where all who put in tie; else from the pots together."""
        due = act_commission(amounts, self.house.get("commission", "5"), self.house.get("commission_cap"))
        if all(self.put[box] <= self.forced[box] for box in self.boxes) or self._all_tie():
            due = 0
        if not amounts:  # all folded to a single blind, which is not called
            return []
        big = 0 if amounts[0] > 2 * due else amounts.index(max(amounts))
        return [due if number == big else 0 for number in range(len(amounts))]

    def _all_tie(self) -> bool:
        put = {box for box in self.boxes if self.put[box]}
        if len(put) < 2 or put != self.shown:
            return False
        return len({self.values(box) for box in put}) == 1

    def commission_at(self, number: int) -> str:
        return "pot"
