"""Where a round of Ultimate Texas Hold-em ends: with the last wager settled (def. Round of Play)."""

from auditor import log
from auditor.log import AnyEvent
from auditor.boundaries import CardsCollected
from auditor.places import box_number, spot_of
from auditor.rounds import Round
from auditor.rulebooks.uth_seats import BOARD, OPENING

SPOTS = OPENING | {"play"}


class LastWagerSettled(CardsCollected):
    """«… and concluding with the last wager being settled»; cards gathered in end it too, whatever is left standing.

    While one deck is in play a machine may shuffle another (6.2(a)): a shuffle alone does not end a round. Where nobody
    was seen to gather the cards in, the next board does.
    """

    def starts_next(self, round: Round, event: AnyEvent) -> bool:
        """As for every card game, but for the shuffle; and a board dealt after the last one was played."""
        if isinstance(event, log.Turn) and round.on_table:
            return False  # cards shown when the last chips had gone are still this round's
        if isinstance(event, log.Chips) and spot_of(event.at) == "play" and round.on_table and event.by != "player":
            return False  # nobody lays a play wager before the next cards: it is paid, whoever was seen to do so
        if round.opened_n is None or self.ended(round):
            return super().starts_next(round, event)
        if isinstance(event, log.Shuffle):
            return round.called_off() or _gap(round)
        if isinstance(event, log.Card) and event.at == "board":
            return round.called_off() or (_over(round) and len(round.hand("board")) >= BOARD)
        return super().starts_next(round, event)

    def ended(self, round: Round) -> bool:
        """All cards are collected, or nothing is left of any wager after the dealer's hand was shown."""
        if super().ended(round):
            return True
        return _over(round) and not _standing(round)


def _gap(round: Round) -> bool:
    return any(gap.n >= (round.opened_n or 0) for gap in round.gaps)


def _standing(round: Round) -> bool:
    return any(ledger.amount for ledger in round.chips.values() if spot_of(ledger.at) in SPOTS)


def _over(round: Round) -> bool:
    """Whether wagers are being settled, and either the dealer's hand is shown or nobody is left to play against.

    Where every wager pushes the dealer's hand moves none of them: the players take them up.
    """
    if not round.settling and _standing(round):
        return False
    dealer = round.hand("dealer")
    if dealer and all(slot.seen_n is not None for slot in dealer):
        return True
    hands = [slots for place, slots in round.hands.items() if box_number(place)]
    return bool(hands) and all(slot.gone_n is not None for slots in hands for slot in slots)
