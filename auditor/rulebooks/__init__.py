"""The rulebooks fairdeal audits by."""

from typing import Any

from auditor.game import Game
from auditor.rulebooks.act_baccarat import Baccarat
from auditor.rulebooks.act_blackjack import Blackjack
from auditor.rulebooks.act_canberra_poker import CanberraPoker
from auditor.rulebooks.act_faro import ActFaro
from auditor.rulebooks.act_holdem import ActHoldem
from auditor.rulebooks.act_paigow import PaiGow
from auditor.rulebooks.act_roulette import Roulette
from auditor.rulebooks.act_uth import UltimateHoldem
from auditor.rulebooks.tas_holdem import TasHoldem
from auditor.rulebooks.tas_stud import TasStud

_GAMES: tuple[Game[Any], ...] = (
    Blackjack(),
    Baccarat(),
    CanberraPoker(),
    UltimateHoldem(),
    Roulette(),
    ActFaro(),
    ActHoldem(),
    PaiGow(),
    TasHoldem(),
    TasStud(),
)
RULEBOOKS: dict[str, Game[Any]] = {game.id: game for game in _GAMES}
