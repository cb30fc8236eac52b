"""The dealers, one per game."""

from datasets.dealer import Dealer
from datasets.dealers.act_faro import ActFaroDealer
from datasets.dealers.act_holdem import ActHoldemDealer
from datasets.dealers.baccarat import BaccaratDealer
from datasets.dealers.blackjack import BlackjackDealer
from datasets.dealers.canberra import CanberraDealer
from datasets.dealers.paigow import PaiGowDealer
from datasets.dealers.roulette import RouletteDealer
from datasets.dealers.tas_holdem import TasHoldemDealer
from datasets.dealers.tas_stud import TasStudDealer
from datasets.dealers.uth import UltimateDealer

DEALERS: tuple[type[Dealer], ...] = (
    BlackjackDealer, RouletteDealer, BaccaratDealer, UltimateDealer, CanberraDealer, PaiGowDealer,
    ActHoldemDealer, ActFaroDealer, TasHoldemDealer, TasStudDealer,
)  # fmt: skip
