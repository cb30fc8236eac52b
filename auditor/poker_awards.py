"""What the dealer paid of the pots and dropped as commission, against what was due."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from auditor.findings import Finding, unsure
from auditor.ledgers import Change
from auditor.outcomes import amount_text
from auditor.poker import of_round
from auditor.poker_division import Shares, sums
from auditor.poker_pots import Pots


class Awards:
    """The awards of one round; `taken` is the commission dropped, by pot."""

    def __init__(self, pots: Pots) -> None:
        self.pots, self.showdown, self.table = pots, pots.showdown, pots.table
        self.house, self.clauses = pots.house, pots.clauses
        self.one_pile = len(self.table.pots) < len(self.pots.layers)
        """Whether the table kept pots together that are to be charged and won apart."""
        taken = self._taken()
        self.taken = self._as_due(sum(taken)) if self.one_pile or self._drops_unplaced(taken) else taken

    def _as_due(self, taken: int) -> list[int]:
        """What was dropped, as far as it goes to each pot what is due of it, and what is more to the first."""
        found = []
        for due in self.pots.due:
            found.append(min(due, taken))
            taken -= found[-1]
        return [found[0] + taken, *found[1:]] if found else []

    def _drops_unplaced(self, taken: Sequence[int]) -> bool:
        """Whether as much as is due was dropped, and no pot's own fall shows for which pots."""
        falls = [-change.rise for pot in self.table.pots for change in pot.changes if change.rise < 0 < change.after]
        return bool(taken) and sum(taken) == sum(self.pots.due) and not set(falls) & {*taken, *self.pots.due}

    def _taken(self) -> list[int]:
        """The commission actually dropped, by pot: that of the pot which fell by as much, or fell next."""
        taken = [0] * len(self.pots.layers)
        if not taken:
            return taken
        falls = [
            (change.n, -change.rise, index)
            for index, name in enumerate(self.pots.names)
            for pot in self.table.pots if pot.at == name
            for change in pot.changes if change.rise < 0 and change.n > self.table.opened_n
        ]  # fmt: skip
        for change in self._collected([fall[1] for fall in falls]):
            exact = [fall for fall in falls if fall[1] == change.rise]
            before = [fall for fall in falls if fall[0] < change.n]
            if not exact and before and sum(fall[1] for fall in before) == change.rise:
                for _, amount, index in before:  # dropped at once for several pots
                    taken[index] += amount
                falls = [fall for fall in falls if fall not in before]
                continue
            later = [fall for fall in falls if fall[0] > change.n]
            if not exact and self.house.charged_by_time and self.table.unpaid:
                continue  # a charge for time, from the stakes: the chips put in would not pay for it as well
            chosen = min(exact or later, key=partial(_distance, change.n, taken), default=(0, 0, 0))
            if chosen in exact:
                falls.remove(chosen)
            taken[chosen[2]] += change.rise
        return taken

    def _collected(self, falls: Sequence[int]) -> list[Change]:
        """Chips that came to the drop, or else from a pot to the float where that is allowed: no table does both."""
        table, opened_n = self.table, self.table.opened_n
        dropped = [*table.drop.changes] if table.drop is not None else []
        dropped = [self._as_it_fell(change) for change in dropped if change.n > opened_n and change.rise > 0]
        if dropped or not table.rules.commission_in_float or table.rack is None:
            return dropped
        return [change for change in table.rack.changes if change.n > opened_n and change.rise in falls]

    def _as_it_fell(self, change: Change) -> Change:
        """The drop may have held chips before the log began: what it is first seen to hold is measured by the pot."""
        before = self.table.round.previous
        first = not change.before and (before is None or ("drop", None) not in before.chips)
        falls = [c for pot in self.table.pots for c in pot.changes if c.rise < 0 < c.after and c.n <= change.n + 1]
        beside = [c for c in falls if self.table.beside(c.n, change.n, 1)]
        if not first or len(beside) != 1 or -sum(c.rise for c in falls) >= change.rise:
            return change
        return Change(change.n, change.t, change.rise + beside[0].rise, change.after, change.by, sure=change.sure)

    def commission_findings(self, *, together: bool) -> Iterator[Finding]:
        """The commission taken against the commission due, of each pot or of all pots together."""
        live = {player.box for player in self.showdown.deal.betting.in_hand}
        not_ranked = self.pots.taking.shared_by_all is None or self.showdown.spoiled
        if together and not_ranked and live >= set(self.pots.contributors):
            return  # nothing is due if they tie, and their hands were not shown
        if together or self.one_pile:
            pairs = [("pot", sum(self.pots.due), sum(self.taken), sum(layer.amount for layer in self.pots.layers))]
        else:
            amounts = [layer.amount for layer in self.pots.layers]
            pairs = list(zip(self.pots.names, self.pots.due, self.taken, amounts, strict=True))
        drops = self.table.drop.changes if self.table.drop is not None else []
        t = drops[-1].t if drops else self.table.round.closed
        for name, due, taken, amount in pairs:
            if taken == due or not self.pots.layers:
                continue
            kind = "commission.not_due" if not due else "commission.over" if taken > due else "commission.short"
            yield Finding(
                kind=kind,
                rule=self.pots.commission_rule,
                t=t,
                at=name,
                expected=due,
                observed=taken,
                message=f"Commission on {amount_text(amount)} is {amount_text(due)}; {amount_text(taken)} was taken.",
            )

    def award_findings(self) -> Iterator[Finding]:
        """The stacks that rose against the shares due, pot by pot where they can be told apart."""
        unread = self.table.payments_unread
        # Where payments go unread, chips that nobody is told to have given may have been bought.
        by_dealer = all(change.by == "dealer" for changes in self.table.awards.values() for change in changes)
        for finding in self._award_findings():
            proved = not unread or (finding.kind == "pot.winner" and by_dealer)
            yield finding if proved else unsure(finding, f"chips at {unread[0]}")

    def _award_findings(self) -> Iterator[Finding]:
        if not self.table.stacks:
            return  # no stack is in this log: who was paid cannot be seen
        if any(winners is None for winners in self.pots.winners) or not self.pots.layers or self.showdown.spoiled:
            yield from self._partly_known()
            return
        paid: Counter[str] = Counter()
        for box, changes in self.table.awards.items():
            paid[box] += sum(change.rise for change in changes)
        if self.pots.back is not None:
            paid[self.pots.back[0]] -= self._still_out()
        nets = self.pots.nets(self.taken)
        options = [self.pots.divided(index, net) for index, net in enumerate(nets)]
        hands = self.showdown.hands
        if any(paid[box] > 0 and self.showdown.hidden(hand) for box, hand in hands.items()) and self.showdown.contested:
            return  # somebody was paid for a hand he did not show: that is the fault, and the hand cannot be ranked
        if self._fits(paid, options) or self._fits(paid, self._pooled(nets)) or self._loose_chips_won(paid, nets):
            return
        all_entitled = set(+paid) <= {box for shares in sums(options) for box in shares}
        if self.table.share_unread and all_entitled:
            return
        # Where payments may be unread, which pot one came from is not known.
        told_apart = len(self.pots.layers) > 1 and not (self.table.payments_unread and all_entitled)
        segments = self._segments() if told_apart else []
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
        if self.pots.back is None or not self.showdown.deal.betting.loose_chips:
            return False
        box, amount = self.pots.back
        whole = Counter(paid)
        whole[box] += amount
        return self._fits(whole, self._pooled([*nets[:-1], nets[-1] + amount]))

    def _pooled(self, nets: Sequence[int]) -> list[list[Shares]]:
        """Pots with the same winners may be divided as one: then they leave one odd chip together."""
        pooled: dict[str, tuple[int, int]] = {}
        for index, net in enumerate(nets):
            key = str(self.pots.winners[index])
            pooled[key] = (index, pooled.get(key, (index, 0))[1] + net)
        return [self.pots.divided(index, net) for index, net in pooled.values()]

    def _partly_known(self) -> Iterator[Finding]:
        """Where the hands do not decide, it is still wrong to pay somebody who folded."""
        live = {player.box for player in self.showdown.deal.betting.in_hand}
        for box, changes in self.table.awards.items():
            amount = sum(change.rise for change in changes)
            if changes and box not in live and not (self.pots.back is not None and self.pots.back == (box, amount)):
                yield Finding(
                    kind="pot.winner",
                    rule=of_round(self.clauses.last_player, self.showdown.deal.street),
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
        """Awards by the pots that were emptied just before or after them; empty where they cannot be told apart."""
        happened: list[tuple[int, int | None, str, Change]] = []
        for index, name in enumerate(self.pots.names):
            for pot in self.table.pots:
                if pot.at == name:
                    happened += [(c.n, index, "", c) for c in pot.changes if c.rise < 0 and c.after == 0]
        if len(happened) != len(self.pots.names):
            return []
        happened += [(change.n, None, box, change) for box, changes in self.table.awards.items() for change in changes]
        happened.sort(key=lambda item: item[0])
        if happened[0][1] is None:
            happened.reverse()  # the stacks are read before the pots
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
        if self.pots.back is not None:
            amount = self._still_out()
            holder = next((awards for _, awards in found if awards[self.pots.back[0]] >= amount), None)
            if holder is not None:
                holder[self.pots.back[0]] -= amount
        return found

    def _still_out(self) -> int:
        """The uncalled chips that came with the award: those that neither went back after it nor stand there still."""
        box, amount = self.pots.back or ("", 0)
        after = sum(each.amount for each in self.table.returned.get(box, ()) if each.n > self.table.end_n)
        return max(amount - after - self.table.left_standing(box), 0)

    def _fault(self, index: int, paid: Counter[str], options: Sequence[Shares], net: int) -> Finding:
        got = {box: amount for box, amount in paid.items() if amount > 0}
        entitled = {box for shares in options for box in shares}
        due = next(iter(options), {})
        base = min(due.values(), default=0)
        if strangers := [box for box in got if box not in entitled]:
            kind, rule = "pot.winner", self.showdown.rule_and_why(self.pots.winners[index])[0]
            if all(box in self.showdown.hands and box not in self.pots.layers[index].eligible for box in strangers):
                rule = self.clauses.side_pot  # still in, but tapped out before this pot was formed
        elif len(due) > 1 and sum(got.values()) == net and all(got.get(box, 0) >= base for box in due):
            kind, rule = "pot.odd_chip", self.clauses.split
        else:
            kind, rule = "pot.split", self.clauses.split
        why = self.showdown.rule_and_why(self.pots.winners[index])[1]
        t = min((c.t for changes in self.table.awards.values() for c in changes), default=self.table.round.closed)
        return Finding(
            kind=kind,
            rule=rule,
            t=t,
            at=self.pots.names[index],
            expected=_named(due),
            observed=_named(got),
            message=f"{why} Due: {_named(due)}; paid: {_named(got)}.",
        )


def _distance(n: int, taken: Sequence[int], fall: tuple[int, int, int]) -> tuple[int, bool, int, bool]:
    """How far a pot's fall is from event `n`; of two as far, that of the first pot not charged yet is meant."""
    fell, _, index = fall
    return abs(fell - n), taken[index] > 0, index, fell < n


def _named(shares: Mapping[str, int]) -> str:
    return ", ".join(f"{box} {amount_text(amount)}" for box, amount in shares.items()) or "nothing"
