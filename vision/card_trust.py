"""From what the networks say to a probability: of readings with a confidence of 0.9, nine in ten are to be right."""

import msgspec

from vision.card_merge import Corners, share_of
from vision.card_reader import JOKER
from vision.odds import log_odds, probability
from vision.suit_balance import twin_of


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

    def _probability(self, card: Corners, label: str) -> float:
        naming, reading, finding = evidence(card, label)
        is_there = probability(self.reading * reading + self.finding * finding + self.offset)
        return is_there * probability(self.naming * naming)


def evidence(card: Corners, label: str) -> tuple[float, float, float]:
    """The log odds of the name, by all witnesses; of what was read being a card; of something being there at all."""
    return log_odds(share_of(label, card.shares)), log_odds(card.is_card), log_odds(card.found)
