"""Ultimate Texas Hold-em dealt at random, and settled a second time without the auditor: phevaluator ranks the hands.

The rules of NI2025-411 are written out here once more, from the text: both versions would have to be wrong alike.
"""

import random
from dataclasses import dataclass, field
from typing import Any

import msgspec
from phevaluator.evaluator import evaluate_7cards

from auditor import log
from auditor.cards import FULL_DECK, name
from auditor.log import AnyEvent, Header, log_bytes

# The worst of phevaluator's 7462 ranks (1 is best) that each row of 10.1 still takes in, with blind and trips odds.
ROWS = (
    (1, 500.0, 50), (10, 50.0, 40), (166, 10.0, 30), (322, 3.0, 8), (1599, 1.5, 7), (1609, 1.0, 4), (2467, None, 3)
)  # fmt: skip
WORST_PAIR = 6185
STAGES = {0: (3, 4), 1: (2,), 2: (1,)}
HEADER = {"log": "fairdeal/1", "table": "UT-01", "rulebook": "act-uth", "started": "2026-11-15T20:00:00+11:00"}


@dataclass
class Settled:
    """A log of one round, what each wager must come to, and the mistake that was put into it."""

    events: list[AnyEvent]
    expected: dict[str, tuple[str, float]]
    house: dict[str, Any] = field(default_factory=dict)
    mistake: tuple[str, str] | None = None

    def log(self) -> bytes:
        """The table log."""
        return log_bytes(msgspec.convert(HEADER | {"house": self.house}, Header), self.events)


def results(own: int, dealer: int, stakes: dict[str, float]) -> dict[str, tuple[str, float]]:
    """9.5 to 9.8 and 10.1 for a hand that was played out; `own` and `dealer` are phevaluator's ranks.

    >>> results(1600, 7000, {"ante": 10, "blind": 10, "play": 40})
    {'ante': ('push', 0), 'blind': ('win', 10.0), 'play': ('win', 40)}
    """
    row = next((row for row in ROWS if own <= row[0]), None)
    against = "win" if own < dealer else "lose" if own > dealer else "push"
    settled: dict[str, tuple[str, float]] = {}
    for spot, stake in stakes.items():
        if spot == "trips":
            settled[spot] = ("win", stake * row[2]) if row else ("lose", 0)
        elif spot == "blind" and against == "win":
            settled[spot] = ("win", stake * row[1]) if row and row[1] else ("push", 0)
        elif spot == "ante" and dealer > WORST_PAIR:
            settled[spot] = ("push", 0)
        else:
            settled[spot] = (against, stake if against == "win" else 0)
    return settled


class Dealing:
    """Writes one round down, in the order of rules 7 to 9."""

    def __init__(self, chance: random.Random, *, shoe: str, mistaken: bool) -> None:
        self.chance, self.shoe, self.mistaken = chance, shoe, mistaken
        self.events: list[AnyEvent] = []
        deck = chance.sample(FULL_DECK, len(FULL_DECK))
        self.boxes = [f"box{number}" for number in sorted(chance.sample(range(1, 7), chance.randint(1, 4)))]
        self.board, self.dealer = deck[:5], deck[5:7]
        self.hole = {box: deck[7 + 2 * index : 9 + 2 * index] for index, box in enumerate(self.boxes)}
        self.stakes: dict[str, dict[str, float]] = {}
        self.ends = {box: (chance.choice((0, 0, 1, 2)), chance.random() < 0.2) for box in self.boxes}
        self.standing: dict[str, float] = {}
        self.mistake: tuple[str, str] | None = None

    @property
    def t(self) -> float:
        """One event a second."""
        return float(len(self.events) + 1)

    def chips(self, at: str, amount: float, by: log.By) -> None:
        """Chips now stand at a spot."""
        self.standing[at] = amount
        self.events.append(log.Chips(t=self.t, at=at, amount=amount, by=by))

    def turn(self, at: str, cards: list[int]) -> None:
        """Cards are turned up."""
        for card in cards:
            self.events.append(log.Turn(t=self.t, at=at, card=name(card)))

    def round(self) -> Settled:
        """Play it."""
        self.events.append(log.Shuffle(t=self.t, by="dealer"))
        for box in self.boxes:
            ante = float(self.chance.choice((5, 10, 25, 100)))
            self.stakes[box] = {"ante": ante, "blind": ante} | ({"trips": 5.0} if self.chance.random() < 0.6 else {})
            for spot, stake in self.stakes[box].items():
                self.chips(f"{box}/{spot}", stake, "player")
        each = [box for box in self.boxes for _ in range(2)]
        hole = [*each, "dealer", "dealer"] if self.shoe == "auto" else 2 * [*self.boxes, "dealer"]
        for place in ["board"] * 5 + hole:
            self.events.append(log.Card(t=self.t, at=place, card="??"))
        for stage, shown in enumerate((self.board[:3], self.board[3:], [])):
            for box in self.boxes:
                self.decide(box, stage)
            self.turn("board", shown)
        self.events.append(log.Call(t=self.t, what="dealer_hand", by="dealer"))
        self.turn("dealer", self.dealer)
        expected = self.settle()
        for place in ("dealer", "board"):
            self.events.append(log.Gone(t=self.t, at=place, to="discard"))
        return Settled(self.events, expected, {"shoe": self.shoe}, self.mistake)

    def decide(self, box: str, stage: int) -> None:
        """8.1, 8.3, 8.5."""
        last, folds = self.ends[box]
        if stage > last:
            return
        if stage < last or folds:
            what = "fold" if stage == last else "check"
            self.events.append(log.Call(t=self.t, what=what, at=box, by="player"))
            if what == "fold":
                self.events.append(log.Gone(t=self.t, at=box, to="discard"))
            return
        self.stakes[box]["play"] = self.stakes[box]["ante"] * self.chance.choice(STAGES[stage])
        self.chips(f"{box}/play", self.stakes[box]["play"], "player")

    def settle(self) -> dict[str, tuple[str, float]]:
        """9.2 to 9.8, from the dealer's right."""
        dealer = evaluate_7cards(*self.board, *self.dealer)
        settled = {}
        for box, stakes in self.stakes.items():
            if "play" in stakes:
                settled[box] = results(evaluate_7cards(*self.board, *self.hole[box]), dealer, stakes)
            else:
                settled[box] = dict.fromkeys(stakes, ("lose", 0))
        if self.mistaken:
            box = self.chance.choice(self.boxes)
            self.mistake = ("", f"{box}/{self.chance.choice(list(self.stakes[box]))}")
        playing = [box for box in reversed(self.boxes) if "play" in self.stakes[box]]
        refunded = [box for box in playing if dealer > WORST_PAIR]
        for box in refunded:
            self.pay(f"{box}/ante", settled[box]["ante"])
        for box in playing:
            self.turn(box, self.hole[box])
            for spot in ("ante", "trips", "blind", "play"):
                if spot in settled[box] and not (spot == "ante" and box in refunded):
                    self.pay(f"{box}/{spot}", settled[box][spot])
            self.events.append(log.Gone(t=self.t, at=box, to="discard"))
        for box in self.boxes:
            if box not in playing:
                for spot in self.stakes[box]:
                    self.pay(f"{box}/{spot}", settled[box][spot])
        return {f"{box}/{spot}": result for box in self.boxes for spot, result in settled[box].items()}

    def pay(self, at: str, settled: tuple[str, float]) -> None:
        """Settle one wager, rightly or, if the mistake falls on it, wrongly."""
        result, due = settled
        stake = self.standing[at]
        kind, net = "", {"win": due, "push": 0.0, "lose": -stake}[result]
        if self.mistake is not None and self.mistake[1] == at:
            wrong: dict[str, list[tuple[str, float]]] = {
                "win": [("short", due - 0.5), ("missed", 0), ("over", due + 1), ("winner_taken", -stake)],
                "push": [("push_taken", -stake), ("over", stake)],
                "lose": [("loser_paid", 0), ("loser_paid", stake)],
            }
            kind, net = self.chance.choice(wrong[result])
            self.mistake = (f"payout.{kind}", at)
        if net:
            self.chips(at, stake + net, "dealer")
        if self.standing[at]:
            self.chips(at, 0, "player")


def deal(seed: int, *, mistaken: bool = False) -> Settled:
    """A round from a seed."""
    chance = random.Random(seed)
    return Dealing(chance, shoe=chance.choice(("card", "auto")), mistaken=mistaken).round()
