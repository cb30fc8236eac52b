"""The rulebooks fairdeal audits by."""

from typing import Any

from auditor.game import Game
from auditor.rulebooks.act_baccarat import Baccarat
from auditor.rulebooks.act_blackjack import Blackjack
from auditor.rulebooks.act_uth import UltimateHoldem

RULEBOOKS: dict[str, Game[Any]] = {game.id: game for game in (Blackjack(), Baccarat(), UltimateHoldem())}
