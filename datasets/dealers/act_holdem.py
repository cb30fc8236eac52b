"""An ACT hold-em table (NI2015-405)."""

from typing import Any

from datasets.dealer import NO_DECK_COUNT, NO_TILES, NO_WHEEL, POKER
from datasets.dealers.poker import MISTAKES
from datasets.dealers.poker_act import ActPokerDealer


class ActHoldemDealer(ActPokerDealer):
    """Deals ACT hold-em."""

    rulebook = "act-holdem"
    mistakes = MISTAKES
    cannot = POKER | NO_WHEEL | NO_TILES | NO_DECK_COUNT | {
        "table.players": "no number of players is prescribed",
        "deal.facing": "no card has to be dealt face up to a player",
    }
    clock = 40
    button_posts_first = True

    def default_house(self) -> dict[str, Any]:
        return super().default_house() | {"burn": self.chance.random() < 0.7}

    def burns(self) -> int:
        return 1 if self.house.get("burn", True) else 0
