"""Pots: who is due what of them, what commission, and what the dealer paid and dropped."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from auditor.findings import Finding, Pot
from auditor.poker import PokerHouse
from auditor.poker_division import Layer, Shares, divisions, layers, sums, uncalled
from auditor.poker_showdown import Showdown
from auditor.rounds import Change
from auditor.settlement import amount_text


class Taking(NamedTuple):
    """What commission hangs on besides the pots' amounts."""

    only_forced: bool
    """Nothing but blinds and antes is in the pots."""
    shared_by_all: bool | None
    """Everybody who contributed ties for it; None: not known."""


Commission = Callable[[PokerHouse, Sequence[int], Taking], list[int]]
"""What each pot is charged."""


class Pots:
    """The pots of one round, due and paid."""

    def __init__(self, showdown: Showdown, commission: Commission, *, odd_chip_rule: bool) -> None:
        self.showdown, self.table = showdown, showdown.table
        self.house, self.clauses = self.table.house, self.table.rules.clauses
        betting = showdown.deal.betting
        put_in = {player.box: player.total for player in betting.order if player.total}
        self.contributors = list(put_in)
        live = [player.box for player in betting.in_hand]
        # Antes are not called: somebody who paid none leaves the others' no uncalled bet.
        antes = {player.box: player.posted for player in betting.order} if self.house.ante_level is not None else {}
        self.back = uncalled({box: amount - antes.get(box, 0) for box, amount in put_in.items()}, live)
        if self.back is not None:
            put_in[self.back[0]] -= self.back[1]
        known = {box: put_in.get(box, 0) for box in {*put_in, *live}}
        tapped_out = [player.box for player in betting.order if player.all_in and player.box in known]
        self.layers = layers(known, live, tapped_out)
        if len(self.layers) > len(self.table.pots):
            # Nobody who is still in parts them, and the table did not either.
            self.layers = layers(known, live, [box for box in tapped_out if box in live])
        if betting.dead > 0 and self.layers:
            self.layers[0] = Layer(self.layers[0].amount + betting.dead, self.layers[0].eligible)
        self.names = ["pot", *(f"pot{number}" for number in range(2, len(self.layers) + 1))][: len(self.layers)]
        self.winners = [self._in_order(showdown.winners(layer.eligible)) for layer in self.layers]
        self.odd_chip_rule = odd_chip_rule
        self.taken = self._taken()
        # An uncalled bet is no part of the pot: with it gone, blinds and antes may be all there is.
        forced = all(put_in.get(player.box, 0) <= player.posted for player in betting.order)
        self.taking = self._taking(only_forced=betting.only_forced or forced)
        self.due = commission(self.house, [layer.amount for layer in self.layers], self.taking)

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

    def _taken(self) -> list[int]:
        """The commission actually dropped, by pot: that of the pot which fell by as much, or fell next."""
        taken = [0] * len(self.layers)
        if self.table.drop is None or not taken:
            return taken
        falls = [
            (change.n, -change.rise, index)
            for index, name in enumerate(self.names)
            for pot in self.table.pots if pot.at == name
            for change in pot.changes if change.rise < 0 and change.n > self.table.opened_n
        ]  # fmt: skip
        for change in self.table.drop.changes:
            if change.n < self.table.opened_n or change.rise <= 0:
                continue
            exact = [fall for fall in falls if fall[1] == change.rise]
            later = [fall for fall in falls if fall[0] > change.n]
            chosen = min(exact or later, key=partial(_distance, change.n), default=(0, 0, 0))
            if chosen in exact:
                falls.remove(chosen)
            taken[chosen[2]] += change.rise
        return taken

    # ---- what is due ----

    def stated(self, *, void: bool) -> list[Pot]:
        """The pots as the rules settle them."""
        found = []
        owed = 0
        for index, layer in enumerate(self.layers):
            # What is listed on one pot and exceeds it comes out of the next.
            owed += self.due[index]
            net = max(layer.amount - owed, 0)
            owed -= layer.amount - net
            rule, why = self.showdown.rule_and_why(self.winners[index])
            commission: int | None = self.due[index]
            winners: Shares | None = None
            if void:
                commission, winners = 0, {}
            elif self.winners[index] is not None:
                winners = self._divisions(index, net)[0]
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

    def _divisions(self, index: int, net: int) -> list[Shares]:
        winners = self.winners[index]
        assert winners is not None
        return divisions(net, winners, self.house.unit, odd_chip_rule=self.odd_chip_rule)

    # ---- what was paid ----

    def commission_findings(self, *, together: bool) -> Iterator[Finding]:
        """The commission taken against the commission due, of each pot or of all pots together."""
        live = {player.box for player in self.showdown.deal.betting.in_hand}
        if together and (self.taking.shared_by_all is None or self.showdown.spoiled) and live >= set(self.contributors):
            return  # nothing is due if they tie, and their hands were not shown
        if together:
            pairs = [("pot", sum(self.due), sum(self.taken), sum(layer.amount for layer in self.layers))]
        else:
            amounts = [layer.amount for layer in self.layers]
            pairs = list(zip(self.names, self.due, self.taken, amounts, strict=True))
        drops = self.table.drop.changes if self.table.drop is not None else []
        t = drops[-1].t if drops else self.table.round.closed
        for name, due, taken, amount in pairs:
            if taken == due or not self.layers:
                continue
            kind = "commission.not_due" if not due else "commission.over" if taken > due else "commission.short"
            yield Finding(
                kind=kind,
                rule=self.clauses.commission,
                t=t,
                at=name,
                expected=due,
                observed=taken,
                message=f"Commission on {amount_text(amount)} is {amount_text(due)}; {amount_text(taken)} was taken.",
            )

    def award_findings(self) -> Iterator[Finding]:
        """The stacks that rose against the shares due, pot by pot where they can be told apart."""
        if any(winners is None for winners in self.winners) or not self.layers or self.showdown.spoiled:
            yield from self._partly_known()
            return
        paid: Counter[str] = Counter()
        for box, changes in self.table.awards.items():
            paid[box] += sum(change.rise for change in changes)
        if self.back is not None:
            paid[self.back[0]] -= self._still_out()
        nets = [max(layer.amount - taken, 0) for layer, taken in zip(self.layers, self.taken, strict=True)]
        options = [self._divisions(index, net) for index, net in enumerate(nets)]
        hands = self.showdown.hands
        if any(paid[box] > 0 and self.showdown.hidden(hand) for box, hand in hands.items()) and self.showdown.contested:
            return  # somebody was paid for a hand he did not show: that is the fault, and the hand cannot be ranked
        if self._fits(paid, options) or self._fits(paid, self._pooled(nets)) or self._loose_chips_won(paid, nets):
            return
        segments = self._segments() if len(self.layers) > 1 else []
        if not segments:
            yield self._fault(0, paid, options[0] if len(options) == 1 else sums(options), sum(nets))
            return
        for pots, awards in segments:
            parts = [options[index] for index in pots]
            if not self._fits(awards, parts):
                paid_from = next((index for index in pots if nets[index]), pots[0])  # commission may empty a pot
                yield self._fault(paid_from, awards, sums(parts), sum(nets[index] for index in pots))

    def _loose_chips_won(self, paid: Counter[str], nets: Sequence[int]) -> bool:
        """A bet made too late or left too short, once reported, may be settled either way."""
        if self.back is None or not self.showdown.deal.betting.loose_chips:
            return False
        box, amount = self.back
        whole = Counter(paid)
        whole[box] += amount
        return self._fits(whole, self._pooled([*nets[:-1], nets[-1] + amount]))

    def _pooled(self, nets: Sequence[int]) -> list[list[Shares]]:
        """Pots with the same winners may be divided as one: then they leave one odd chip together."""
        pooled: dict[str, tuple[int, int]] = {}
        for index, net in enumerate(nets):
            key = str(self.winners[index])
            pooled[key] = (index, pooled.get(key, (index, 0))[1] + net)
        return [self._divisions(index, net) for index, net in pooled.values()]

    def _partly_known(self) -> Iterator[Finding]:
        """Where the hands do not decide, it is still wrong to pay somebody who folded."""
        live = {player.box for player in self.showdown.deal.betting.in_hand}
        for box, changes in self.table.awards.items():
            amount = sum(change.rise for change in changes)
            if changes and box not in live and not (self.back is not None and self.back == (box, amount)):
                yield Finding(
                    kind="pot.winner",
                    rule=self.clauses.last_player,
                    t=changes[0].t,
                    at="pot",
                    observed=amount,
                    message=f"{box} no longer contested the pot and was paid {amount_text(amount)}.",
                )

    @staticmethod
    def _fits(paid: Counter[str], options: Sequence[Sequence[Shares]]) -> bool:
        seen = {box: amount for box, amount in paid.items() if amount}
        return any(seen == {box: amount for box, amount in shares.items() if amount} for shares in sums(options))

    def _segments(self) -> list[tuple[list[int], Counter[str]]]:
        """Awards by the pots that were emptied before them; empty where they cannot be told apart."""
        happened: list[tuple[int, int | None, str, Change]] = []
        for index, name in enumerate(self.names):
            for pot in self.table.pots:
                if pot.at == name:
                    happened += [(c.n, index, "", c) for c in pot.changes if c.rise < 0 and c.after == 0]
        if len(happened) != len(self.names):
            return []
        happened += [(change.n, None, box, change) for box, changes in self.table.awards.items() for change in changes]
        happened.sort(key=lambda item: item[0])
        found: list[tuple[list[int], Counter[str]]] = []
        for _, emptied, box, change in happened:
            if emptied is not None:
                if not found or found[-1][1]:
                    found.append(([], Counter()))
                found[-1][0].append(emptied)
            elif not found:
                return []
            else:
                found[-1][1][box] += change.rise
        if self.back is not None:
            amount = self._still_out()
            holder = next((awards for _, awards in found if awards[self.back[0]] >= amount), None)
            if holder is not None:
                holder[self.back[0]] -= amount
        return found

    def _still_out(self) -> int:
        """The uncalled chips that came with the award: those not given back on their own after it."""
        box, amount = self.back or ("", 0)
        after = sum(each.amount for each in self.table.returned.get(box, ()) if each.n > self.table.end_n)
        return max(amount - after, 0)

    def _fault(self, index: int, paid: Counter[str], options: Sequence[Shares], net: int) -> Finding:
        got = {box: amount for box, amount in paid.items() if amount > 0}
        entitled = {box for shares in options for box in shares}
        due = next(iter(options), {})
        base = min(due.values(), default=0)
        if any(box not in entitled for box in got):
            kind, rule = "pot.winner", self.showdown.rule_and_why(self.winners[index])[0]
        elif len(due) > 1 and sum(got.values()) == net and all(got.get(box, 0) >= base for box in due):
            kind, rule = "pot.odd_chip", self.clauses.split
        else:
            kind, rule = "pot.split", self.clauses.split
        why = self.showdown.rule_and_why(self.winners[index])[1]
        t = min((c.t for changes in self.table.awards.values() for c in changes), default=self.table.round.closed)
        return Finding(
            kind=kind,
            rule=rule,
            t=t,
            at=self.names[index],
            expected=_named(due),
            observed=_named(got),
            message=f"{why} Due: {_named(due)}; paid: {_named(got)}.",
        )


def _distance(n: int, fall: tuple[int, int, int]) -> tuple[int, bool]:
    """How far a pot's fall is from event `n`; of two as far, the later one is meant."""
    return abs(fall[0] - n), fall[0] < n


def _named(shares: Mapping[str, int]) -> str:
    return ", ".join(f"{box} {amount_text(amount)}" for box, amount in shares.items()) or "nothing"
