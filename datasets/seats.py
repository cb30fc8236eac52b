"""Players at numbered boxes: who sits where, the starting marker, wagers in turn and how they are settled."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from auditor import log
from datasets.dealer import Dealer

STAKES = (10, 10, 15, 20, 25, 25, 50, 75, 100, 150)


def following(box: int, players: Iterable[int]) -> int:
    """The next player in the direction of play.

    >>> following(3, [1, 3, 5]), following(5, [1, 3, 5])
    (5, 1)
    """
    return min((other for other in players if other > box), default=min(players))


class SeatedDealer(Dealer):
    """A table with boxes: `boxes` are taken in this round, `stakes` is what was wagered where."""

    seats: ClassVar[int]

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.boxes: list[int] = []
        self.last_boxes: list[int] = []
        self.stakes: dict[str, float] = {}
        self.marker = 0
        self.called_off = False
        self.lost_view = False
        if not self.tournament:
            self.rule_out("bet.order", "only tournaments have a starting marker")
            self.rule_out("button.move", "only tournaments have a starting marker")
        displayed = {"bet.limit": ("min", "max"), "bet.multiple": ("multiple",), "payout.cap": ("max_payout",)}
        for kind, options in displayed.items():
            if not any(self.house.get(option) for option in options):
                self.rule_out(kind, f"the table does not display {' and '.join(options)}")

    def rule_out(self, kind: str, why: str) -> None:
        """A kind that this table's options make impossible."""
        self.mistakes = tuple(each for each in self.mistakes if each != kind)
        self.cannot = {kind: why, **self.cannot}

    def may(self, mistake: str) -> bool:
        """Whether the marker was moved on, or the cards shuffled, is told from the round before, if that was seen."""
        if mistake == "button.move":
            return bool(self.stakes) and not self.lost_view
        return mistake != "shuffle.missing" or (bool(self.boxes) and not self.lost_view)

    # ---- who plays ----

    def sit_down(self) -> None:
        """Most players stay from round to round, a few come and go."""
        self.stakes = {}
        self.last_boxes = self.boxes
        self.lost_view = False
        if not self.boxes or self._mistake is not None or self.chance.random() < 0.15:
            self.boxes = sorted(self.chance.sample(range(1, self.seats + 1), self.chance.randint(1, self.seats)))

    @property
    def empty_boxes(self) -> list[int]:
        """The boxes nobody plays."""
        return [box for box in range(1, self.seats + 1) if box not in self.boxes]

    @property
    def tournament(self) -> bool:
        """Whether a marker tells who wagers first."""
        return bool(self.house.get("tournament"))

    def move_marker(self) -> None:
        """The marker goes to the next player; by mistake it stays or goes too far."""
        if not self.tournament:
            return
        wrong = self._passing_over()
        self.called_off = False
        if wrong and self.slip("button.move", None, 1):
            self.marker = self.chance.choice(wrong)
        else:
            self.marker = following(self.marker, self.boxes)
        self.wait(1)
        self.add(log.Marker(t=0, at=f"box{self.marker}"))

    def _passing_over(self) -> list[int]:
        """Where the marker goes wrong for certain: past a player who was there before and after."""
        lap = self.seats + 1
        ways = {box: (box - self.marker) % lap or lap for box in self.boxes}
        stayed = [ways[box] for box in self.boxes if box in self.last_boxes and box != self.marker]
        if self.called_off:
            ways.pop(self.marker, None)  # whether a round that did not count moves the marker, the rules do not say
        return [box for box, way in ways.items() if stayed and min(stayed) < way]

    # ---- wagers ----

    def wagers(self, bet: Callable[[str], None], others: Iterable[int] = ()) -> None:
        """Every player (and who else puts chips down) wagers: in a tournament clockwise from the marker."""
        turns = sorted([*self.boxes, *others], key=lambda box: (box - self.marker) % (self.seats + 1))
        early = None
        if not self.tournament:
            self.chance.shuffle(turns)
        elif len(turns) > 1 and self.slip("bet.order", None, 1):
            spot = self.chance.randrange(len(turns) - 1)
            turns[spot], turns[spot + 1] = turns[spot + 1], turns[spot]
            early = turns[spot]
        for box in turns:
            placed = len(self.events)
            bet(f"box{box}")
            if box == early:
                self.place_slip(getattr(self.events[placed], "at", None))

    def stake(self, at: str, amount: float, seconds: float = 1.0) -> None:
        """A player wagers."""
        self.chips(at, amount, "player", seconds=seconds)
        self.stakes[at] = amount

    def opening(self, at: str, *, over: bool = True) -> float:
        """What a player means to wager at a spot: within the displayed limits unless told otherwise."""
        least, most, step = self.house.get("min"), self.house.get("max"), self.house.get("multiple")
        unit = step or 1
        floor = max(least or 0, unit)
        stake: float = max(self.chance.choice(STAKES) // unit * unit, floor)
        if most is not None:
            stake = min(stake, most)
        outside = [least - unit] if least is not None and least > unit else []
        if over and most is not None:
            outside += [most + unit * self.chance.choice([1, 4, 20])]
        if outside and self.slip("bet.limit", at, 0.3):
            return float(self.chance.choice(outside))
        if unit > 1 and stake + unit < (most or 2 * stake + unit) and self.slip("bet.multiple", at, 0.3):
            return stake + self.chance.randint(1, unit - 1)
        return stake

    def disturb(self, free: Iterable[str], standing: Iterable[str] | None = None) -> None:
        """After the first card, wagers are put on free spots, or standing ones touched, and put right again."""
        free, standing = list(free), list(self.stakes if standing is None else standing)
        if free and self.told("bet.late"):
            at = self.chance.choice(free)
            if self.slip("bet.late", at, 0.5):
                self.chips(at, self.chance.choice(STAKES), "player")
                self.chips(at, 0, "player", seconds=0.6)
        if standing and self.told("bet.moved"):
            at = self.chance.choice(standing)
            stake = self.stakes[at]
            if self.slip("bet.moved", at, 0.5):
                self.chips(at, self.chance.choice([2 * stake, stake + 5, stake / 2, 0]), "player")
                self.chips(at, stake, "player", seconds=0.6)

    # ---- settling ----

    def counted(self, at: str) -> float:
        """What of an opening wager is paid or taken: not more than the displayed maximum."""
        most = self.house.get("max")
        return self.stakes[at] if most is None else min(self.stakes[at], most)

    def settle_opening(self, at: str, result: str, odds: float = 1, cap: float | None = None) -> None:
        """Settle an opening wager at odds of so much to one; what stands above the maximum goes back."""
        counted = self.counted(at)
        if result == "lose" and counted < self.amount(at):
            self.chips(at, self.amount(at) - counted, "dealer")
            self.pick_up(at)
            return
        due = counted * odds
        if result == "win" and cap is not None and due > cap:
            due = due if self.slip("payout.cap", at, 1) else cap
        self.settle(at, result, due)

    def call_off(self, what: str) -> None:
        """The round is declared void or a misdeal: players take their wagers back."""
        self.called_off = True
        self.call(what)
        self.give_back()

    def give_back(self, box: str | None = None) -> None:
        """Players take back what still stands (at one box)."""
        for at in self.stakes:
            if self.amount(at) and box in (None, at.partition("/")[0]):
                self.pick_up(at)

    def unseen(self, settle: Callable[[], None]) -> None:
        """The view is lost while wagers are settled."""
        self.lost_view = True
        self.add(log.Feed(t=0, state=self.chance.choice(["lost", "blocked"])))
        seen = len(self.events)
        settle()
        del self.events[seen:]
        self.wait(5)
        self.add(log.Feed(t=0, state="back"))
        for at in self.stakes:
            self.events.append(log.Chips(t=self.t, at=at, amount=self.amount(at)))
