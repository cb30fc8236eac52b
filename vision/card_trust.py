"""From what the networks say to a probability: of readings with a confidence of 0.9, nine in ten are to be right."""

import msgspec

from vision.card_merge import Corners, share_of
from vision.card_reader import JOKER, RANKS, SUITS
from vision.odds import log_odds, probability
from vision.suit_balance import twin_of


POSSIBLE = 0.002
"""A name that is less likely is not that of the card: of 42 cards weakly read, eleven of them wrong, all had a name at
least 0.005 likely (decks to tune by)."""
_NAMES = (*(rank[0] + suit for rank in RANKS if rank != JOKER for suit in SUITS), JOKER)


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """Four numbers fitted by `models/calibrate_cards.py`, kept in the manifest beside the weights they belong to.

    That a card is there and that its name is right are judged apart: however surely something was found, what leaves
    its name open leaves it open.
    """

    naming: float = 1.0
    reading: float = 1.0
    finding: float = 0.0
    offset: float = 0.0

    @classmethod
    def of(cls, settings: dict[str, float]) -> "Trust":
        """The numbers out of a manifest's settings; without them confidence is what the networks say."""
        given = {name.removeprefix("trust_"): value for name, value in settings.items() if name.startswith("trust_")}
        return msgspec.convert(given, cls)

    def conf(self, card: Corners) -> float:
        """How likely the card's label is right."""
        return self._probability(card, card.label)

    def rank_conf(self, card: Corners) -> float:
        """How likely its rank is right, whatever its suit."""
        return self._probability(card, card.label if card.label == JOKER else card.label[0] + "?")

    def twin_conf(self, card: Corners) -> float:
        """How likely it is the other suit's card of its rank and colour; 0 where its name is not read."""
        twin = twin_of(card.label)
        return 0.0 if twin is None else self._probability(card, twin)

    def maybe(self, card: Corners) -> tuple[str, ...]:
        """The names it may have, if it is a card, the likeliest first; of each also the twin, which a deck may print so
        alike that the eyes are sure of the wrong one."""
        shares = card.shares
        chances = {name: probability(self.naming * log_odds(share_of(name, shares))) for name in _NAMES}
        likely = sorted((name for name in _NAMES if chances[name] > POSSIBLE), key=lambda name: -chances[name])
        return tuple(dict.fromkeys([*likely, *filter(None, map(twin_of, likely))]))

    def _probability(self, card: Corners, label: str) -> float:
        naming, reading, finding = evidence(card, label)
        is_there = probability(self.reading * reading + self.finding * finding + self.offset)
        return is_there * probability(self.naming * naming)


def evidence(card: Corners, label: str) -> tuple[float, float, float]:
    """The log odds of the name, by all witnesses; of what was read being a card; of something being there at all."""
    return log_odds(share_of(label, card.shares)), log_odds(card.is_card), log_odds(card.found)
