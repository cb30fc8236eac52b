"""Canberra Poker dealt at random, and settled a second time without the auditor: phevaluator ranks the hands.

Rules 7.3, 8.1 and 9.2 to 9.6 are written out here once more, from the text, so that both versions would have to be
wrong alike.
"""

import random
from dataclasses import dataclass
from typing import Any

import msgspec
from phevaluator.evaluator import evaluate_5cards

from auditor import log
from auditor.cards import FULL_DECK, name
from auditor.log import AnyEvent, Header, log_bytes

# The worst of phevaluator's 7462 ranks (1 is best) that each row of 8.1 still takes in, and its odds.
ROWS = (
    (1, 250), (10, 50), (166, 20), (322, 7), (1599, 5), (1609, 4), (2467, 3), (3325, 2), (7462, 1)
)  # fmt: skip
WORST_ACE_KING = evaluate_5cards("As", "Kd", "4c", "3c", "2c")
HEADER = {
    "log": "fairdeal/1", "table": "CP-01", "rulebook": "act-canberra-poker", "started": "2026-11-15T20:00:00+11:00"
}  # fmt: skip
PICTURES, ONE_SUIT_AND_A_HALF = FULL_DECK[36:], tuple(card for card in FULL_DECK if card % 4 == 3 or card >= 44)

Settled = tuple[str, float]


@dataclass
class Played:
    """A log of one round, what each wager must come to, and the mistake that was put into it."""

    log: bytes
    expected: dict[str, Settled]
    mistake: tuple[str, str] | None


def results(own: int | None, dealer: int, ante: float, bet: float, most: float) -> tuple[Settled, Settled]:
    """What ante and bet come to; `own` and `dealer` are phevaluator's ranks, None for a fold.

    >>> results(1600, 3326, 10, 20, 1000), results(7000, 7462, 10, 20, 1000)
    ((('win', 10), ('win', 80)), (('win', 10), ('void', 0)))
    """
    if own is None:
        return ("lose", 0), ("lose", 0)
    if dealer > WORST_ACE_KING:
        return ("win", ante), ("void", 0)
    if own == dealer:
        return ("void", 0), ("void", 0)
    if own > dealer:
        return ("lose", 0), ("lose", 0)
    odds = next(odds for worst, odds in ROWS if own <= worst)
    return ("win", ante), ("win", min(bet * odds, most))


class Table:
    """Writes one round down."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.events: list[AnyEvent] = []
        self.standing: dict[str, float] = {}
        self.boxes = [f"box{number}" for number in sorted(chance.sample(range(1, 8), chance.randint(1, 5)))]
        self.antes = {box: float(chance.choice((5, 10, 25, 100))) for box in self.boxes}
        self.folds = {box for box in self.boxes if chance.random() < 0.2}
        self.most = float(chance.choice((500, 2_000, 100_000)))
        used: set[int] = set()
        self.hands = {place: self._five(used) for place in (*self.boxes, "dealer")}

    def _five(self, used: set[int]) -> list[int]:
        """Five cards, some of them out of few, so that the rare hands come up."""
        source = self.chance.choice((FULL_DECK, FULL_DECK, FULL_DECK, PICTURES, ONE_SUIT_AND_A_HALF))
        free = [card for card in source if card not in used]
        if len(free) < 5:
            free = [card for card in FULL_DECK if card not in used]
        cards = self.chance.sample(free, 5)
        used.update(cards)
        return cards

    def add(self, kind: type, **fields: Any) -> None:
        """One event a second."""
        self.events.append(kind(t=float(len(self.events) + 1), **fields))

    def chips(self, at: str, amount: float, by: str) -> None:
        """Chips now stand at a spot."""
        self.standing[at] = amount
        self.add(log.Chips, at=at, amount=amount, by=by)

    def play(self, *, mistaken: bool) -> Played:
        """The whole round."""
        self.add(log.Shuffle, by="dealer")
        for box, ante in self.antes.items():
            self.chips(f"{box}/ante", ante, "player")
        for number in range(5):
            for place in (*self.boxes, "dealer"):
                up = place == "dealer" and number == 4
                self.add(log.Card, at=place, card=name(self.hands["dealer"][4]) if up else "??")
        expected = self._decide()
        for card in self.hands["dealer"][:4]:
            self.add(log.Turn, at="dealer", card=name(card))
        wrong = self.chance.choice(list(expected)) if mistaken else None
        kind = self._settle(expected, wrong)
        self.add(log.Gone, at="dealer", to="discard")
        header = msgspec.convert(HEADER | {"house": {"max_payout": self.most}}, Header)
        return Played(log_bytes(header, self.events), expected, (kind, wrong) if wrong else None)

    def _decide(self) -> dict[str, Settled]:
        dealer = evaluate_5cards(*self.hands["dealer"])
        expected = {}
        for box, ante in self.antes.items():
            if box in self.folds:
                self.add(log.Gone, at=box, to="discard")
                expected[f"{box}/ante"] = results(None, dealer, ante, 0, self.most)[0]
                continue
            self.chips(f"{box}/bet", 2 * ante, "player")
            settled = results(evaluate_5cards(*self.hands[box]), dealer, ante, 2 * ante, self.most)
            expected[f"{box}/ante"], expected[f"{box}/bet"] = settled
        return expected

    def _settle(self, expected: dict[str, Settled], wrong: str | None) -> str:
        found = ""
        for box in self.boxes:
            if box not in self.folds:
                for card in self.hands[box]:
                    self.add(log.Turn, at=box, card=name(card))
            for at in (f"{box}/ante", f"{box}/bet"):
                if at in expected:
                    net, kind = self._net(at, *expected[at], wrong=at == wrong)
                    found = kind or found
                    if net:
                        self.chips(at, self.standing[at] + net, "dealer")
                    if self.standing[at]:
                        self.chips(at, 0, "player")
            if box not in self.folds:
                self.add(log.Gone, at=box, to="discard")
        return found

    def _net(self, at: str, result: str, due: float, *, wrong: bool) -> tuple[float, str]:
        """What the dealer gives, and the kind of finding if that is wrong."""
        stake = self.standing[at]
        right = {"win": due, "lose": -stake, "void": 0.0}[result]
        if not wrong:
            return right, ""
        if result == "win":
            choices = [(0.0, "payout.missed"), (-stake, "payout.winner_taken"), (due - 1, "payout.short")]
            return self.chance.choice([*choices, (due + 0.5, "payout.over")])
        if result == "lose":
            return self.chance.choice([(0.0, "payout.loser_paid"), (stake, "payout.loser_paid")])
        return self.chance.choice([(-stake, "payout.push_taken"), (stake, "payout.over")])
