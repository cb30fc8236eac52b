"""A poker table: who sits with how many chips, the button, blinds and antes, bets swept into pots."""

from collections.abc import Iterable
from typing import Any, ClassVar

from auditor import log
from auditor.cards import NAMES
from datasets.dealer import Dealer
from datasets.dealers.poker_pots import pots_of


class PokerTable(Dealer):
    """`boxes` are the players of the round, clockwise from the first after the button; amounts are per box."""

    seats: ClassVar[int] = 8
    least_players: ClassVar[int] = 2
    button_posts_first: ClassVar[bool] = False
    """Whether in a tournament of two players the button posts and acts first (ACT hold-em 20.19)."""
    newcomers_post: ClassVar[bool] = False
    """Whether new players post a big blind behind the blinds (Tasmania) or wait for it (ACT)."""

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.seated: list[int] = []
        self.button = 0
        self.again = False
        self.unseen = False
        self.called_off = False
        self.boxes: list[int] = []
        self.live: list[int] = []
        self.tapped: set[int] = set()
        self.put: dict[int, float] = {}
        self.bets: dict[int, float] = {}
        self.forced: dict[int, float] = {}
        self.newcomers: list[int] = []
        self.vacated: list[int] = []
        self.pots: list[tuple[float, list[int]]] = []
        self.set_stakes()
        self.spare: list[str] = []

    def set_stakes(self) -> None:
        """What the table's options say of blinds and antes."""
        self.blinds, self.ante = self.forced_bets()
        self.big: float = self.blinds[-1] if self.blinds else self.ante

    def forced_bets(self) -> tuple[list[float], float]:
        """The blinds, or none and the ante."""
        return ([], self.house["ante"]) if "ante" in self.house else (self.house.get("blinds", [1, 2]), 0)

    def rule_out(self, kind: str, why: str) -> None:
        """A kind that this table's options make impossible."""
        self.mistakes = tuple(each for each in self.mistakes if each != kind)
        self.cannot = {kind: why, **self.cannot}

    def may(self, mistake: str) -> bool:
        """Whether shuffle and button were right is told from the round before, if that was seen and counted."""
        if mistake == "table.players":
            return not self.again
        if mistake == "button.move":
            return bool(self.seated) and not self.unseen and not self.again
        return mistake != "shuffle.missing" or (bool(self.seated) and not self.unseen)

    # ---- chips ----

    def stack(self, box: int) -> float:
        """A player's table stake."""
        return self.amount(f"box{box}/stack")

    def stack_to(self, box: int, amount: float, by: log.By = "player", seconds: float = 0.3) -> None:
        """A player's table stake is now this."""
        self.chips(f"box{box}/stack", amount, by, seconds=seconds)

    def put_forward(self, box: int, to: float, seconds: float = 2.5) -> None:
        """A player moves chips forward; `to` now lies in front of the stack."""
        more = to - self.bets.get(box, 0)
        self.chips(f"box{box}/bet", to, "player", seconds=seconds)
        self.stack_to(box, self.stack(box) - more, seconds=0.2)
        self.bets[box] = to
        if not self.stack(box):
            self.tapped.add(box)

    def take_back(self, box: int, to: float) -> None:
        """Chips go back from the bet to the stack."""
        less = self.bets[box] - to
        self.chips(f"box{box}/bet", to, "player", seconds=1)
        self.stack_to(box, self.stack(box) + less, seconds=0.2)
        self.bets[box] = to
        self.tapped.discard(box)

    @property
    def in_play(self) -> float:
        """All that lies in the pots and in front of the players."""
        return sum(self.put.values()) + sum(self.bets.values())

    def sweep(self, *, antes: bool = False) -> None:
        """Uncalled chips go back (antes are not called), the rest into the pots."""
        bets = sorted(self.bets.values())
        if bets and not antes and bets[-1] > (second := bets[-2] if len(bets) > 1 else 0):
            self.take_back(max(self.bets, key=lambda box: self.bets[box]), second)
        if not any(self.bets.values()):
            self.bets = {}
            return
        for box in sorted(self.bets):
            if self.bets[box]:
                self.chips(f"box{box}/bet", 0, "dealer", seconds=0.5)
                self.put[box] += self.bets[box]
        self.bets = {}
        self.pots = pots_of(self.put, self.live, self.tapped)
        for number, (amount, _) in enumerate(self.pots):
            if amount != self.amount(pot_name(number)):
                self.chips(pot_name(number), amount, "dealer", seconds=0.6)

    # ---- between rounds ----

    def after(self, box: int, boxes: Iterable[int]) -> list[int]:
        """The boxes clockwise from the one after `box`."""
        return sorted(boxes, key=lambda other: (other - box - 1) % self.seats)

    def buy_in(self) -> float:
        """What a player comes to the table with."""
        least = self.house.get("table_stake", 20 * self.big)
        most = self.house.get("max_buy_in", 100 * self.big)
        return int(least + (most - least) * self.chance.random() ** 2)

    def most_players(self) -> int:
        """How many can play: the deck may not suffice for more."""
        return self.seats

    def sit_down(self) -> None:
        """Most players stay from round to round; broke ones buy again or leave, a few come and go."""
        self.newcomers, self.vacated = [], []
        if not self.seated:
            least = max(self.least_players, len(self.blinds))
            count = self.chance.randint(max(least, 2), self.most_players())
            self.seated = sorted(self.chance.sample(range(1, self.seats + 1), count))
            for box in self.seated:
                self.stack_to(box, self.buy_in(), seconds=0.5)
            return
        if self.again:
            return
        while self.told("table.players") and len(self.seated) > 2:
            self.leave(self.chance.choice(self.seated))
        if len(self.seated) < self.least_players and not self.slip("table.players", None, 1):
            self.new_game()
        least = max(self.least_players, 3 if len(self.blinds) > 1 else 2, len(self.blinds)) + 1
        if self.house.get("tournament"):
            for box in [box for box in self.seated if not self.stack(box)]:
                self.leave(box)
            if len(self.seated) < self.least_players:
                self.new_game()
            return
        due = self.after(self.after(self.button, self.seated)[0], self.seated)[0]
        for box in list(self.seated):
            stays = self.told("button.move") or box == due or len(self.seated) < least
            short = self.stack(box) < 3 * self.big
            if not stays and self.chance.random() < (0.4 if short else 0.02):
                self.leave(box)
            elif short or (self.stack(box) < 10 * self.big and self.chance.random() < 0.3):
                self.stack_to(box, max(self.buy_in(), self.stack(box) + self.big), seconds=3)

    def new_game(self) -> None:
        """Too few are left: others sit down and a new game begins."""
        empty = [box for box in range(1, self.seats + 1) if box not in self.seated and box not in self.vacated]
        on_button = [box for box in empty if self.after(self.button, [*self.seated, box])[0] == box]
        others = [box for box in empty if box not in on_button]
        last = [box for box in others if self.after(self.button, [*self.seated, box])[-1] == box]
        others = last or others  # the blinds before it come from the others
        if self.blinds and not self.newcomers_post and not others:
            self.button = next(box for box in self.seated)  # nobody enters on the button: it stays with who is left
            self.again = True
        # Where blinds are posted on entry, behind the blinds; elsewhere not on the button.
        box = self.chance.choice((on_button or others) if self.newcomers_post else (others or on_button))
        self.seated = sorted([*self.seated, box])
        self.stack_to(box, self.buy_in(), seconds=4)
        if box in on_button and len(self.blinds) < len(self.seated):
            self.newcomers.append(box)

    def leave(self, box: int) -> None:
        """A player takes up his chips and goes."""
        if self.stack(box):
            self.stack_to(box, 0, seconds=2)
        self.seated.remove(box)
        self.vacated.append(box)

    def move_button(self) -> None:
        """To the next player clockwise, by mistake elsewhere; first to the player on the dealer's right."""
        before = self.button
        if not self.button:
            self.button = self.seated[-1]
        elif not self.again:
            following = self.after(self.button, self.seated)
            self.button = following[0]
            if len(following) > 1 and following[-1] == before and self.slip("button.move", None, 1):
                self.button = self.chance.choice(following[1:])
        wanted = self.chance.random() < 0.05 or (len(self.seated) < 3 and self.told("pot.odd_chip"))
        if before and not self.again and wanted:
            self.newcomer(before)
        self.wait(1)
        self.add(log.Button(t=0, at=f"box{self.button}"))

    def newcomer(self, old_button: int) -> None:
        """Somebody new sits down where the rules let a new player enter."""
        if len(self.seated) >= self.most_players() or self._mistake in ("button.move", "table.players"):
            return
        everywhere = self.after(self.button, range(1, self.seats + 1))
        passed = self.after(old_button, range(1, self.seats + 1))[: (self.button - old_button - 1) % self.seats]
        players = self.after(self.button, self.seated)
        place = {box: number for number, box in enumerate(everywhere)}
        empty = [box for box in everywhere if box not in self.seated and box not in self.vacated]
        if not self.blinds:
            fit = [box for box in empty if box not in passed]
        elif self.newcomers_post:
            fit = [box for box in empty if place[box] > place[players[len(self.blinds) - 1]] and box not in passed]
        elif len(self.blinds) == 1:
            fit = [box for box in empty if place[box] < place[players[0]]]
        else:
            fit = [box for box in empty if place[players[0]] < place[box] < place[players[1]]]
        if fit:
            box = self.chance.choice(fit)
            self.seated = sorted([*self.seated, box])
            self.stack_to(box, self.buy_in(), seconds=4)
            self.newcomers.append(box)

    # ---- opening a round ----

    def deck(self) -> list[str]:
        """The cards of this game."""
        floor_rank = {52: 2, 48: 3, 44: 4, 40: 5, 36: 6, 32: 7}[self.house.get("deck", 52)]
        return list(NAMES[4 * (floor_rank - 2) : 52]) + (["Jkr"] if self.house.get("joker") else [])

    def open_round(self) -> None:
        """Players, button, shuffle, cut."""
        self.sit_down()
        self.move_button()
        self.called_off = self.again = self.unseen = False
        self.boxes = self.after(self.button, self.seated)
        self.live = list(self.boxes)
        self.tapped, self.bets, self.pots = set(), {}, []
        self.put = dict.fromkeys(self.boxes, 0)
        self.forced = dict.fromkeys(self.boxes, 0)
        self.spare = self.deck()
        self.chance.shuffle(self.spare)
        if not self.slip("shuffle.missing", None, 1):
            self.wait(8)
            self.add(log.Shuffle(t=0, by="dealer"))
        self.cut()

    def cut(self) -> None:
        """The dealer cuts."""
        self.wait(3)
        self.add(log.Cut(t=0, by="dealer"))

    def post(self) -> None:
        """Blinds or antes, before the first card."""
        payers = self.blind_players() if self.blinds else self.boxes
        for number, box in enumerate(payers):
            amount = self.blinds[number] if self.blinds else self.ante
            last = bool(self.blinds) and number == len(self.blinds) - 1
            enough = self.blinds or self.house.get("limit") != "half" or len(self.boxes) > 2
            if not last and enough and self.slip("blind.missing", f"box{box}"):
                continue
            self.put_forward(box, min(amount, self.stack(box)), seconds=1.2)
            self.forced[box] = amount
        for box in self.newcomers if self.newcomers_post and self.blinds else []:
            self.put_forward(box, self.big)
            self.forced[box] = self.big
        if not self.blinds:
            self.sweep(antes=True)

    def blind_players(self) -> list[int]:
        """Who posts, in this order: the first after the button and on."""
        if self.button_posts_first and self.house.get("tournament") and len(self.boxes) == 2:
            return self.boxes[::-1][: len(self.blinds)]
        return self.boxes[: len(self.blinds)]

    def call_off(self) -> None:
        """A misdeal: chips and cards go back, the button stays for the new deal."""
        self.called_off = self.again = True
        self.call("misdeal")
        for box, bet in list(self.bets.items()):
            if bet:
                self.take_back(box, 0)
        if any(self.put.values()):
            for number in range(len(self.pots)):
                self.chips(pot_name(number), 0, "dealer")
            for box, chips in self.put.items():
                if chips:
                    self.stack_to(box, self.stack(box) + chips)


def pot_name(number: int) -> str:
    """What the log calls a pot.

    >>> pot_name(0), pot_name(1)
    ('pot', 'pot2')
    """
    return f"pot{number + 1}" if number else "pot"
