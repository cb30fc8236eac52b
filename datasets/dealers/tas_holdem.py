"""A Tasmanian hold'em table (variation 2/18, part C)."""

from typing import Any

from auditor import hands
from auditor.cards import card as card_number
from datasets.dealer import NO_DECK_COUNT, NO_TILES, NO_WHEEL, POKER
from datasets.dealers.poker import MISTAKES, PokerDealer
from datasets.dealers.poker_pots import tas_holdem_commission


class TasHoldemDealer(PokerDealer):
    """Deals Tasmanian hold'em."""

    rulebook = "tas-holdem"
    mistakes = (*MISTAKES, "table.players")
    cannot = POKER | NO_WHEEL | NO_TILES | NO_DECK_COUNT | {
        "deal.facing": "no card has to be dealt face up to a player",
    }
    clock = 90
    least_players = 3
    newcomers_post = True

    def default_house(self) -> dict[str, Any]:
        """One of many tables a casino may run."""
        chance = self.chance
        unit = chance.choice([1, 1, 2, 5])
        house: dict[str, Any] = {
            "limit": chance.choice(["none", "pot", "half", "fixed"]),
            "burn": chance.choice([1, 1, 1, 0, 2]),
            "commission": chance.choice(["one", "one", "two", "two", "none"]),
            "chip": chance.choice([1, unit]),
        }
        number = chance.choice([0, 1, 2, 2, 2, 3])
        if number:
            house["blinds"] = [2 * unit] if number == 1 else [unit, 2 * unit, 4 * unit][:number]
            house["min"] = house["blinds"][0]
        else:
            house["ante"] = house["min"] = 2 * unit
        if unit > 1 and chance.random() < 0.5:
            house["multiple"] = unit
        return house

    def burns(self) -> int:
        return int(self.house.get("burn", 1))

    def raise_cap(self, number: int) -> int | None:
        """7.1, 7.2, 7.5: three in the first three rounds, unless the limit is the pot or none."""
        return 3 if self.house.get("limit") == "fixed" and number < 4 else None

    def values(self, box: int) -> tuple[int | None, int | None]:
        cards = [card_number(card) for card in self.holes[box] + self.board]
        return hands.strength(cards, hands.TAS_HOLDEM), None

    def commission(self, amounts: list[float]) -> list[float]:
        return [tas_holdem_commission(amount, self.house.get("commission", "one")) for amount in amounts]

    def first_shown(self) -> int | None:
        """15.1: whoever bet or raised last in the whole round; the big blind counts."""
        return self.aggressor if self.aggressor in self.live else None
