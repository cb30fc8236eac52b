"""A dealer who can play: legal rounds from a seed, and on request one mistake, made once and written down.

Each game's dealer subclasses :class:`Dealer` and plays a round by moving cards and chips; every movement is an event
of the table log. Wherever a dealer or player can go wrong the code asks :meth:`Dealer.slip`: it answers yes once, for
the kind of mistake this round was told to make, and notes place and time.
"""

import random
from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from auditor import log
from auditor.log import AnyEvent, By, FairdealError, Header

STARTED = "2026-11-15T20:00:00+11:00"
MAX_TRIES = 200


class Seeded(msgspec.Struct, frozen=True):
    """A mistake that was made on purpose, and must be found."""

    round: int
    kind: str
    at: str | None
    t: float
    also: tuple[tuple[str, str | None], ...] = ()
    """What else must be found with it, kind and place: the errors for which a round should have been voided, say."""


Played = tuple[list[AnyEvent], Seeded | None]

# Why whole families of findings cannot come up, for `Dealer.cannot`.
HOUSE_BANKED = {
    "pot.*": "players bet against the house, there is no pot",
    "commission.*": "the house takes no commission from wagers",
    "blind.*": "there are no blinds",
    "action.*": "players do not bet in turn against each other",
    "show.*": "there is no showdown between players",
    "table.players": "no number of players is prescribed",
}
NO_CARDS = {"deal.*": "nothing is dealt", "card.*": "there are no cards", "draw.*": "nothing is drawn"}
POKER = {
    "payout.*": "players bet against each other, the house pays nothing",
    "draw.*": "nobody draws cards",
    "bet.order": "bets out of turn are action.order",
    "deal.no_wager": "a hand too many is deal.extra",
}
NO_WHEEL = {"spin.*": "there is no wheel"}
NO_TILES = {"set.*": "hands are not set in two parts", "deal.first_box": "no dice say who is dealt first"}
NO_DECK_COUNT = {"card.count": "the log carries no count of the whole deck"}


class Dealer:
    """Plays rounds of one game. Amounts are whole units of the table's currency."""

    rulebook: ClassVar[str]
    mistakes: tuple[str, ...]
    """The kinds of finding that this game's dealer and players can be told to bring about."""
    cannot: dict[str, str]
    """Why the other kinds cannot come up in this game, at a table with these options."""

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        self.chance = random.Random(f"{self.rulebook} {seed}")
        self.house = self.default_house() if house is None else house
        self.t = 0.0
        self.events: list[AnyEvent] = []
        self.standing: dict[tuple[str, str | None], float] = {}
        self.companions: set[tuple[str, str | None]] = set()
        self.coming: tuple[str, ...] = ()
        self._mistake: str | None = None
        self._seeded: tuple[str, str | None, float] | None = None

    # ---- what a game brings ----

    def default_house(self) -> dict[str, Any]:
        """The options this table is run with."""
        return {}

    def play(self) -> None:
        """Play one round."""
        raise NotImplementedError

    # ---- mistakes ----

    def slip(self, kind: str, at: str | None = None, likelihood: float = 0.5) -> bool:
        """Whether the mistake of this round is made here and now. Games whose finding is placed elsewhere correct
        it with :meth:`place_slip`."""
        if self._mistake != kind or self._seeded is not None or self.chance.random() > likelihood:
            return False
        self._seeded = (kind, at, self.t)
        return True

    def place_slip(self, at: str | None) -> None:
        """Say where the mistake just made will be found."""
        assert self._seeded is not None
        self._seeded = (self._seeded[0], at, self.t)

    def unslip(self) -> None:
        """What was done turned out to be no mistake: the round is played again."""
        self._seeded = None

    def told(self, *kinds: str) -> bool:
        """Whether this round is to bring about one of these kinds: to arrange what it needs beforehand."""
        return self._mistake in kinds and self._seeded is None

    def companion(self, kind: str, at: str | None) -> None:
        """Say what else will be found with the mistake of this round."""
        self.companions.add((kind, at))

    @property
    def slipped(self) -> bool:
        """Whether the mistake was made."""
        return self._seeded is not None

    # ---- the movements ----

    def wait(self, seconds: float) -> None:
        """Let time pass: people are never quite regular."""
        self.t = round(self.t + seconds * self.chance.uniform(0.8, 1.2), 2)

    def chips(self, at: str, amount: float, by: By, colour: str | None = None, seconds: float = 1.0) -> None:
        """Chips now stand at a spot."""
        self.wait(seconds)
        self.standing[at, colour] = amount
        amount = int(amount) if amount == int(amount) else amount
        self.events.append(log.Chips(t=self.t, at=at, amount=amount, by=by, colour=colour))

    def amount(self, at: str, colour: str | None = None) -> float:
        """What stands at a spot."""
        return self.standing.get((at, colour), 0)

    def pay(self, at: str, amount: float, colour: str | None = None) -> None:
        """The dealer puts winnings beside the stake, the player picks both up."""
        if amount:
            self.chips(at, self.amount(at, colour) + amount, "dealer", colour)
        self.pick_up(at, colour)

    def take(self, at: str, colour: str | None = None) -> None:
        """The dealer takes what stands there."""
        self.chips(at, 0, "dealer", colour)

    def pick_up(self, at: str, colour: str | None = None) -> None:
        """The player takes what stands there."""
        self.chips(at, 0, "player", colour)

    def settle(self, at: str, result: str, due: float = 0, colour: str | None = None) -> None:
        """Pay, take or return one wager of a house-banked game, with whatever payout mistake is asked for."""
        stake = self.amount(at, colour)
        if result == "win":
            if self.slip("payout.winner_taken", at):
                self.take(at, colour)
                return
            if self.slip("payout.missed", at):
                due = 0
            elif due > 5 and self.slip("payout.short", at):
                due -= 5
            elif self.slip("payout.over", at):
                due += 5
            self.pay(at, due, colour)
        elif result == "lose":
            if self.slip("payout.loser_paid", at):
                self.pay(at, self.chance.choice([0, stake]), colour)
            else:
                self.take(at, colour)
        elif self.slip("payout.push_taken", at):
            self.take(at, colour)
        else:
            self.pick_up(at, colour)

    def card(self, at: str, card: str, *, up: bool | None = None, seconds: float = 0.8) -> None:
        """A card comes to rest; face-down cards are written `??`."""
        self.wait(seconds)
        self.events.append(log.Card(t=self.t, at=at, card=card, up=up))

    def turn(self, at: str, card: str, seconds: float = 0.6) -> None:
        """A face-down card is turned up."""
        self.wait(seconds)
        self.events.append(log.Turn(t=self.t, at=at, card=card))

    def gone(self, at: str, to: str = "discard", cards: list[str] | None = None, n: int | None = None) -> None:
        """Cards leave a place."""
        self.wait(0.8)
        self.events.append(log.Gone(t=self.t, at=at, to=to, cards=cards, n=n))

    def call(self, what: str, at: str | None = None, by: By = "dealer") -> None:
        """An announcement or a gesture."""
        self.wait(0.7)
        self.events.append(log.Call(t=self.t, what=what, at=at, by=by))

    def add(self, event: AnyEvent) -> None:
        """Any other event, stamped with the present time."""
        self.events.append(msgspec.structs.replace(event, t=self.t))

    # ---- many rounds ----

    def header(self) -> Header:
        """The header of the log."""
        return msgspec.convert(
            {"log": log.FORMAT, "table": "SIM-01", "rulebook": self.rulebook, "started": STARTED, "house": self.house},
            Header,
        )

    def rounds(self, count: int, errors: dict[str, int] | None = None) -> Iterator[Played]:
        """Play `count` rounds; the mistakes asked for are spread over them, at most one a round."""
        plan = self._plan(count, errors or {})
        postponed: list[str] = []
        for number in range(1, count + 1):
            mistake = plan.get(number) or (postponed.pop(0) if postponed else None)
            # A game whose mistakes need a certain round before them can look ahead.
            self.coming = tuple(filter(None, [mistake, plan.get(number + 1), *postponed]))
            events, seeded = self._play_round(number, mistake)
            if mistake is not None and seeded is None:
                postponed.append(mistake)
            yield events, seeded
        if postponed:
            raise FairdealError(f"--errors {postponed[0]}: no occasion for it came up; ask for more rounds")

    def _plan(self, count: int, errors: dict[str, int]) -> dict[int, str]:
        for kind in errors:
            if kind not in self.mistakes:
                why = reason_why_not(self, kind) or "there is no such kind of finding"
                raise FairdealError(f"--errors {kind}: {self.rulebook} cannot have it: {why}")
        wanted = [kind for kind, number in errors.items() for _ in range(number)]
        if len(wanted) > count:
            raise FairdealError(f"--errors asks for {len(wanted)} mistakes, but there are only {count} rounds")
        self.chance.shuffle(wanted)
        # The last rounds are kept free where possible, for mistakes that had to wait for their occasion.
        last = max(len(wanted), count * 4 // 5)
        return dict(zip(sorted(self.chance.sample(range(1, last + 1), len(wanted))), wanted, strict=True))

    def _play_round(self, number: int, mistake: str | None) -> Played:
        """Play until the mistake found its occasion: not every round has, say, a winner to be underpaid.

        If none comes up the round is played rightly, and the mistake waits for the next.
        """
        before = self.snapshot()
        tries = MAX_TRIES if mistake is not None and self.may(mistake) else 0
        for wanted in [mistake] * tries + [None]:
            self.events, self._mistake, self._seeded, self.companions = [], wanted, None, set()
            self.wait(3)
            self.play()
            if wanted is None or self._seeded is not None:
                break
            self.restore(before)
            self.try_again()
        also = tuple(sorted(self.companions, key=str))
        return self.events, None if self._seeded is None else Seeded(number, *self._seeded, also)

    def may(self, mistake: str) -> bool:
        """Whether this round can bring it about at all: what went before may rule it out."""
        return True

    def try_again(self) -> None:
        """Before another try of the same round: what chance has settled already may be settled anew."""

    def snapshot(self) -> dict[str, Any]:
        """What a round may change and a repeated try must find as it was; the seed's course goes on."""
        kept = {name: value for name, value in vars(self).items() if name not in ("chance", "house", "events")}
        return {name: value.copy() if isinstance(value, (list, dict, set)) else value for name, value in kept.items()}

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Go back to a snapshot."""
        for name, value in snapshot.items():
            setattr(self, name, value.copy() if isinstance(value, (list, dict, set)) else value)


def reason_why_not(dealer: Dealer | type[Dealer], kind: str) -> str | None:
    """Why a game cannot have a kind of finding, by the kind or by its family."""
    return dealer.cannot.get(kind) or dealer.cannot.get(kind.partition(".")[0] + ".*")
