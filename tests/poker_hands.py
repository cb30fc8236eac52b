"""Deal a poker hand in a test, move by move, and hear what the auditor says of it.

>>> hand = Hand("act-holdem", commission="none").blinds().deal()
>>> hand.fold(3).bet(1, 20).fold(2).sweep().award(1).collect().breaches()
[]
"""

from collections.abc import Callable
from typing import Any

import msgspec

from playing import Answer, answers, breaches, unsure


class Hand:
    """A table with players at `boxes`, the button at the last of them unless told; amounts are dollars."""

    def __init__(self, rulebook: str, boxes: tuple[int, ...] = (1, 2, 3), stack: float = 200, **house: Any) -> None:
        self.rulebook, self.house, self.boxes = rulebook, house, boxes
        self.button_at = boxes[-1]
        self.events: list[Answer] = []
        self.t = 0.0
        self.standing: dict[str, float] = {}
        self.in_hand = list(boxes)
        self.hole = {"act-faro": 5, "tas-stud": 1}.get(rulebook, 2)
        for box in boxes:
            self.chips(f"box{box}/stack", stack, "player")
        self.ready()

    # ---- events ----

    def add(self, kind: str, **fields: Any) -> "Hand":
        """Any event, a second later."""
        self.t += 1
        self.events.append(
            {"t": self.t, "e": kind} | {name: value for name, value in fields.items() if value is not None}
        )
        return self

    def wait(self, seconds: float) -> "Hand":
        """Nothing happens for a while."""
        self.t += seconds
        return self

    def chips(self, at: str, amount: float, by: str | None, **more: Any) -> "Hand":
        """Chips stand at a spot."""
        self.standing[at] = amount
        return self.add("chips", at=at, amount=amount, by=by, **more)

    def amount(self, at: str) -> float:
        """What stands at a spot."""
        return self.standing.get(at, 0)

    # ---- before the cards ----

    def ready(self, *, shuffle: bool = True, cut: bool = True, button: int | None = None) -> "Hand":
        """Button, shuffle and cut."""
        if button is not None:
            self.button_at = button
        self.add("button", at=f"box{self.button_at}")
        if shuffle:
            self.add("shuffle", by="dealer")
        if cut:
            self.add("cut", by="dealer")
        return self

    def next_round(self, button: int, boxes: tuple[int, ...] | None = None, **ready: Any) -> "Hand":
        """The next round begins."""
        self.boxes = boxes or self.boxes
        self.in_hand = list(self.boxes)
        return self.ready(button=button, **ready)

    @property
    def seats(self) -> list[int]:
        """The players from the first after the button on."""
        return sorted(self.boxes, key=lambda box: (box <= self.button_at, box))

    def blinds(self, *amounts: float) -> "Hand":
        """The blinds, from the first player after the button on."""
        for box, amount in zip(self.seats, amounts or (1, 2), strict=False):
            self.bet(box, amount)
        return self

    def antes(self, amount: float, *, sweep: bool = True) -> "Hand":
        """Every player's ante, swept to the pot."""
        for box in self.seats:
            self.bet(box, amount)
        return self.sweep() if sweep else self

    # ---- cards ----

    def card(self, at: str, card: str = "??", **more: Any) -> "Hand":
        """One card."""
        return self.add("card", at=at, card=card, **more)

    def deal(self, up: str = "") -> "Hand":
        """The initial deal: face-down cards in order (stud: then the up cards given, from the first seat on)."""
        if self.rulebook == "act-faro" and self.house.get("deal", "2-2-1") == "2-2-1":
            order = [box for box in self.seats for _ in range(2)] * 2 + self.seats
        else:
            order = self.seats * self.hole
        for box in order:
            self.card(f"box{box}")
        return self.up(up) if up else self

    def up(self, cards: str) -> "Hand":
        """Stud: one card face up to every player still in, from the button's left on."""
        for box, card in zip([box for box in self.seats if box in self.in_hand], cards.split(), strict=True):
            self.card(f"box{box}", card)
        return self

    def board(self, cards: str, *, burn: int = 1) -> "Hand":
        """Communal cards, after the burn."""
        for _ in range(burn if self.rulebook.endswith("holdem") else 0):
            self.card("burn")
        for card in cards.split():
            self.card("board", card)
        return self

    def show(self, box: int, cards: str) -> "Hand":
        """A player shows."""
        for card in cards.split():
            self.add("turn", at=f"box{box}", card=card)
        return self

    # ---- betting ----

    def bet(self, box: int, to: float) -> "Hand":
        """A player's chips forward are now `to`."""
        before = self.amount(f"box{box}/bet")
        self.chips(f"box{box}/bet", to, "player")
        return self.chips(f"box{box}/stack", self.amount(f"box{box}/stack") - (to - before), "player")

    def check(self, *boxes: int) -> "Hand":
        """Players check."""
        for box in boxes:
            self.add("call", what="check", at=f"box{box}", by="player")
        return self

    def fold(self, *boxes: int) -> "Hand":
        """Players fold."""
        for box in boxes:
            self.in_hand = [other for other in self.in_hand if other != box]
            self.add("call", what="fold", at=f"box{box}", by="player").add("gone", at=f"box{box}", to="discard")
        return self

    def back(self, box: int, to: float) -> "Hand":
        """The dealer gives part of a bet back."""
        amount = self.amount(f"box{box}/bet") - to
        self.chips(f"box{box}/bet", to, "dealer")
        return self.chips(f"box{box}/stack", self.amount(f"box{box}/stack") + amount, "dealer")

    def sweep(self, *side: tuple[str, float]) -> "Hand":
        """The dealer sweeps the bets to the pot; `side` names what goes to other pots."""
        total = 0.0
        for at in sorted(self.standing):
            if at.endswith("/bet") and self.amount(at):
                total += self.amount(at)
                self.chips(at, 0, "dealer")
        rest = total - sum(amount for _, amount in side)
        if rest:
            self.chips("pot", self.amount("pot") + rest, "dealer")
        for name, amount in side:
            self.chips(name, self.amount(name) + amount, "dealer")
        return self

    def check_around(self, *streets: str) -> "Hand":
        """Communal cards come and everybody checks, for each of the streets given."""
        order = [box for box in self.seats if box in self.in_hand]
        for cards in streets:
            self.board(cards, burn=int(self.house.get("burn", 1))).check(*order)
        return self

    # ---- the end ----

    def drop(self, amount: float, pot: str = "pot") -> "Hand":
        """Commission is taken from a pot."""
        self.chips("drop", self.amount("drop") + amount, "dealer")
        return self.chips(pot, self.amount(pot) - amount, "dealer")

    def award(self, box: int | None = None, pot: str = "pot", **shares: Any) -> "Hand":
        """A pot is pushed to a player, or in shares (`box1=10, box2=10`)."""
        amount = self.amount(pot)
        self.chips(pot, 0, "dealer")
        for place, share in (shares or {f"box{box}": amount}).items():
            self.chips(f"{place}/stack", self.amount(f"{place}/stack") + share, "dealer")
        return self

    def collect(self) -> "Hand":
        """All cards go to the discards."""
        for box in self.boxes:
            self.add("gone", at=f"box{box}", to="discard")
        return self.add("gone", at="board", to="discard")

    # ---- the answer ----

    def written(self) -> bytes:
        """The hand as a table log."""
        header = {
            "log": "fairdeal/1",
            "table": "PK-1",
            "rulebook": self.rulebook,
            "started": "2026-11-15T20:00:00+11:00",
        }
        lines = [header | {"house": self.house}, *self.events]
        return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)

    def rounds(self) -> list[Answer]:
        """What the auditor answers."""
        return answers(self.written())

    def breaches(self) -> list[tuple[str, str | None]]:
        """Kind and place of what is proved wrong."""
        return breaches(self.rounds())

    def unsure(self) -> list[tuple[str, str | None]]:
        """Kind and place of what hangs on a read."""
        return unsure(self.rounds())

    def pots(self, number: int = 0) -> list[Answer]:
        """The pots of the first (or another) round."""
        return list(self.rounds()[number]["pots"])


def limped(hand: Hand) -> Hand:
    """Everybody calls, the last blind checks."""
    hand.blinds().deal()
    for box in hand.seats[2:]:
        hand.bet(box, 2)
    return hand.bet(hand.seats[0], 2).check(hand.seats[1]).sweep()


def table(rulebook: str = "act-holdem", **house: Any) -> Hand:
    """A table of three without commission."""
    return Hand(rulebook, **({"commission": "none"} | house))


def is_stack(event: Answer) -> bool:
    return str(event.get("at")).endswith("/stack")


def kept(hand: Hand, keep: Callable[[Answer], bool]) -> Hand:
    """The same hand with those events of it."""
    hand.events = [event for event in hand.events if keep(event)]
    return hand
