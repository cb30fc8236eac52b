"""Pots: who is due what of them, and what commission."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from auditor.findings import Pot
from auditor.poker import PokerHouse
from auditor.poker_division import Layer, Shares, divisions, layers, uncalled
from auditor.poker_showdown import Showdown
from auditor.poker_turns import Player


class Taking(NamedTuple):
    """What commission hangs on besides the pots' amounts."""

    only_forced: bool
    """Nothing but blinds and antes is in the pots."""
    shared_by_all: bool | None
    """Everybody who contributed ties for it; None: not known."""


class Charge(NamedTuple):
    """The commission of each pot, and the clause it goes by."""

    rule: str
    of_pots: list[int]


Commission = Callable[[PokerHouse, Sequence[int], Taking], Charge]


class Pots:
    """The pots of one round as the rules settle them."""

    def __init__(self, showdown: Showdown, commission: Commission, *, odd_chip_rule: bool) -> None:
        self.showdown, self.table = showdown, showdown.table
        self.house, self.clauses = self.table.house, self.table.rules.clauses
        betting = showdown.deal.betting
        put_in = {player.box: player.total for player in betting.order if player.total}
        self.contributors = list(put_in)
        live = [player.box for player in betting.in_hand]
        # Antes and missed blinds are not called: somebody who paid none leaves the others' no uncalled bet.
        dead = {player.box: player.dead for player in betting.order}
        self.back = uncalled({box: amount - dead[box] for box, amount in put_in.items()}, live)
        if self.back is not None and self._won_with_the_pot(betting.players[self.back[0]]):
            self.back = None
        if self.back is not None:
            put_in[self.back[0]] -= self.back[1]
        known = {box: put_in.get(box, 0) for box in {*put_in, *live}}
        tapped_out = [player.box for player in betting.order if player.all_in and player.box in known]
        self.layers = layers(known, live, tapped_out)
        if len(self.layers) > len(self.table.pots):
            # Nobody who was in at the end parts them, and the table did not either.
            shown_down = max((slot.n for slot in self.table.round.slots), default=0)
            folded = {player.box for player in betting.order if (player.folded_n or shown_down) < shown_down}
            self.layers = layers(known, live, [box for box in tapped_out if box not in folded])
        if betting.dead > 0:
            main = self.layers[0] if self.layers else Layer(0, live)
            self.layers[:1] = [Layer(main.amount + betting.dead, main.eligible)]
        self.names = ["pot", *(f"pot{number}" for number in range(2, len(self.layers) + 1))][: len(self.layers)]
        self.winners = [self._in_order(showdown.winners(layer.eligible)) for layer in self.layers]
        self.odd_chip_rule = odd_chip_rule
        # An uncalled bet is no part of the pot: with it gone, blinds and antes may be all there is.
        forced = all(put_in.get(player.box, 0) <= player.posted for player in betting.order)
        self.taking = self._taking(only_forced=betting.only_forced or (forced and not self.table.bets_unowned))
        charge = commission(self.house, [layer.amount for layer in self.layers], self.taking)
        self.due, self.commission_rule = charge.of_pots, charge.rule

    def _won_with_the_pot(self, player: Player) -> bool:
        """Whether what nobody called was swept all the same: a blind that all others folded to, which is a contribution
        to the pot, or more than a player put in who stays in by a fault that is reported."""
        betting = self.showdown.deal.betting
        blind = len(betting.in_hand) == 1 and player.total <= player.posted
        return (blind or betting.loose_chips) and self.table.emptied >= sum(each.total for each in betting.order)

    def _in_order(self, winners: tuple[list[str], list[str]] | None) -> tuple[list[str], list[str]] | None:
        """Winners from the first after the button on: the order in which the odd chip is placed."""
        if winners is None:
            return None
        rank = {box: place for place, box in enumerate(self.table.seats)}
        return sorted(winners[0], key=lambda box: rank.get(box, 99)), sorted(
            winners[1], key=lambda box: rank.get(box, 99)
        )

    def _taking(self, *, only_forced: bool) -> Taking:
        if any(winners is None for winners in self.winners):
            shared = None if self.showdown.contested else False
        else:
            first = self.winners[0] if self.winners else None
            shared = (
                first is not None and len(first[0]) > 1 and set(first[0]) == set(self.contributors) and not first[1]
            )
        return Taking(only_forced, shared)

    def stated(self, *, void: bool) -> list[Pot]:
        """The pots as the rules settle them."""
        found = []
        nets = self.nets(self.due)
        for index, layer in enumerate(self.layers):
            rule, why = self.showdown.rule_and_why(self.winners[index])
            commission: int | None = self.due[index]
            winners: Shares | None = None
            if void:
                commission, winners = 0, {}
            elif self.winners[index] is not None:
                winners = self.divided(index, nets[index])[0]
            found.append(
                Pot(
                    at=self.names[index],
                    amount=layer.amount,
                    commission=commission,
                    winners=winners,
                    rule=rule,
                    why=why,
                )
            )
        return found

    def nets(self, charged: Sequence[int]) -> list[int]:
        """What is left of each pot; what is listed on one and exceeds it comes out of the next."""
        found, owed = [], 0
        for layer, amount in zip(self.layers, charged, strict=True):
            owed += amount
            found.append(max(layer.amount - owed, 0))
            owed -= layer.amount - found[-1]
        return found

    def divided(self, index: int, net: int) -> list[Shares]:
        """The ways to share what is left of a pot."""
        winners = self.winners[index]
        assert winners is not None
        return divisions(net, winners, self.house.unit, odd_chip_rule=self.odd_chip_rule)
