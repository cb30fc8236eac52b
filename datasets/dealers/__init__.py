"""The dealers, one per game."""

from datasets.dealer import Dealer
from datasets.dealers.blackjack import BlackjackDealer

DEALERS: tuple[type[Dealer], ...] = (BlackjackDealer,)
