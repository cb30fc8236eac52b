"""A roulette table: players with colour chips, every wager of the layout and the race track, spins good and bad."""

from typing import Any, Literal

from auditor import log
from datasets.dealer import HOUSE_BANKED, NO_CARDS, NO_TILES
from datasets.dealers.roulette_bank import RouletteBank
from datasets.dealers.roulette_layout import INSIDE, OUTSIDE, WHEEL, around, gain, illegal, pieces, spot

Mishap = Literal["short", "short_missed", "object", "stuck", "out"]


class RouletteDealer(RouletteBank):
    """Spins Tournament American Roulette, single zero."""

    rulebook = "act-roulette"
    mistakes = (
        "bet.late", "bet.moved", "bet.limit", "bet.multiple", "bet.invalid", "bet.amount", "payout.short",
        "payout.over", "payout.missed", "payout.loser_paid", "payout.winner_taken", "payout.order", "spin.direction",
        "spin.laps", "spin.void_settled", "spin.dolly", "spin.no_more_bets", "view.gap",
    )  # fmt: skip
    cannot = HOUSE_BANKED | NO_CARDS | NO_TILES | {
        "bet.order": "section 12 knows no marker and no order of wagers: all bet at once",
        "payout.push_taken": "no wager pushes; taking wagers on a void spin is spin.void_settled",
        "payout.cap": "no maximum payout applies to roulette",
        "button.move": "roulette has no button and no starting marker",
        "round.not_voided": "a void spin does not void the round, and settling on it is spin.void_settled",
        "action.time": "12.15 leaves the speed of play to the Tournament Director",
        "table.players": "12.7 leaves the number of players to the Tournament Director",
        "shuffle.missing": "there is nothing to shuffle",
    }

    def default_house(self) -> dict[str, Any]:
        colours = {"blue": 5, "yellow": 5, "green": 5, "pink": 10, "brown": 25}
        return {"min": 10, "max": 500, "multiple": 5, "colours": colours, "tournament": True}

    # ---- a round ----

    def play(self) -> None:
        self.standing = {key: amount for key, amount in self.standing.items() if amount}
        self.stakes = self.standing.copy()
        self.markers, self.invalid, self.doubtful = {}, set(), None
        if self.chance.random() < 0.02:
            self.add(log.Dealer(t=0, who=self.chance.randint(100, 140)))
        if self.dolly_lies:
            self.lift_dolly()
        colours = [None, *self.house["colours"]]
        self.players: list[str | None] = self.chance.sample(colours, self.chance.randint(2, len(colours)))
        for player in self.players:
            self._bets(player)
        self._special_bets()
        pocket = self._spins()
        self._place_dolly(pocket)
        self.settle_all(pocket)

    # ---- wagers ----

    def _stake(self, at: str, colour: str | None, amount: float) -> None:
        self.chips(at, amount, "player", colour, seconds=0.9)
        self.stakes[at, colour] = amount
        if not amount:
            del self.stakes[at, colour]

    def _bets(self, colour: str | None) -> None:
        """One player's wagers, by his taste: outside, inside or the race track."""
        taste = self.chance.choice(("outside", "inside", "inside", "mixed", "track"))
        for _ in range(self.chance.randint(1, 5)):
            kind = taste if taste != "mixed" else self.chance.choice(("outside", "inside"))
            self._bet(colour, kind)
        own = [at for at, owner in self.stakes if owner == colour and at.startswith("layout")]
        if len(own) > 1 and self.chance.random() < 0.15:  # second thoughts
            at = self.chance.choice(own)
            raised = self.stakes[at, colour] + self._unit(colour)
            self._stake(at, colour, raised if raised <= self.house["max"] and self.chance.random() < 0.6 else 0)

    def _unit(self, colour: str | None) -> int:
        """The least stake that keeps to the minimum, the multiple and the value of the player's chips."""
        return max(10, 5 if colour is None else int(self.house["colours"][colour]))

    def _bet(self, colour: str | None, kind: str) -> None:
        unit = self._unit(colour)
        if kind == "outside":
            at, stake = f"layout/{self.chance.choice(list(OUTSIDE))}", unit * self.chance.choice((1, 2, 2, 5, 10, 20))
        elif kind == "inside":
            at = spot(self.chance.choice(INSIDE[self.chance.choice(list(INSIDE))]))
            stake = unit * self.chance.choice((1, 1, 1, 2, 2, 5))
        else:
            name = self.chance.choice(("neighbours-", "neighbours-", "tier", "orphelins", "voisins-zero", "zero-game"))
            at = f"track/{name}{self.chance.randrange(37) if name.endswith('-') else ''}"
            stake = unit * len(pieces(at)) * self.chance.choice((1, 1, 2))
        if (at, colour) not in self.stakes:
            self._stake(at, colour, stake)

    def _special_bets(self) -> None:
        """A maximum marker now and then, and wagers that break the limits or lie where no wager can."""
        if self.chance.random() < (0.5 if self.told("bet.amount") else 0.04):
            self._maximum_marker(self.chance.randrange(5, 36, 3))
        colour = self.chance.choice(self.players)
        inside = spot(self.chance.choice(INSIDE[self.chance.choice(list(INSIDE))]))
        at = self.chance.choice((f"layout/{self.chance.choice(list(OUTSIDE))}", inside))
        value = 5 if colour is None else self.house["colours"][colour]
        if (at, colour) not in self.stakes and self.slip("bet.limit", at, 1):
            self._stake(at, colour, self.chance.choice({5: (5, 505, 550, 1000), 10: (510, 600), 25: (525, 600)}[value]))
        if (at, None) not in self.stakes and self.slip("bet.multiple", at, 1):
            self._stake(at, None, self.chance.choice((12, 23, 31, 104)))
        at = f"track/{self.chance.choice(('tier', 'orphelins', 'voisins-zero', 'zero-game', 'neighbours-17'))}"
        if colour is not None and (at, colour) not in self.stakes and self.slip("bet.amount", at, 1):
            chips = len(pieces(at)) * self.chance.randint(1, 2) + self.chance.choice((-1, 1, 2))
            self._stake(at, colour, value * chips)
            self.doubtful = (at, colour)
        if self.slip("bet.invalid", None, 1):
            at = spot(illegal(self.chance))
            self.place_slip(at)
            self._stake(at, colour, self._unit(colour))
            self.invalid.add((at, colour))

    def _maximum_marker(self, number: int) -> None:
        """4.7: the maximum on a number and all its combinations; the full amount must lie at the wheel."""
        key = (spot((number,)), None)
        if key in self.stakes:
            return
        covers = [frozenset(numbers) for numbers in around(number)]
        amount = self.house["max"] * len(covers)
        if self.slip("bet.amount", key[0], 1):
            amount = self.house["max"] - self.chance.choice((50, 100, 400))
            self.doubtful = key
        self.wait(3)
        self.standing[key] = self.stakes[key] = amount
        self.markers[key] = covers
        self.add(log.Chips(t=0, at=key[0], amount=amount, by="player", marker=True))

    # ---- spins ----

    def _spins(self) -> int:
        """Spin until it counts; the pocket it is settled on."""
        self.frozen = False
        if not self.told("spin.no_more_bets"):
            for _ in range(self.chance.choice((0,) * 12 + (1, 1, 2))):
                self._failed_spin(self.chance.choice(("short", "short", "short_missed", "object", "stuck", "out")))
        if self.slip("spin.direction", None, 1):
            self._launch(same=True)
            if self.chance.random() < 0.5:
                self._close()
                self._roll()
            if self.chance.random() < 0.5:
                self._void()
            else:
                self.call("no_spin")
        if self.slip("spin.laps", None, 1):
            self._launch()
            self._close()
            self._roll(laps=round(self.chance.uniform(0.8, 2.9), 1))
            self.call("void")
        if self.slip("spin.void_settled", None, 1):
            return self._failed_spin(self.chance.choice(("object", "short_missed")), noticed=False)
        self._launch()
        closing = self.chance.choice(("never", "late")) if self.slip("spin.no_more_bets", None, 1) else "in time"
        if closing == "in time":
            self._close()
        pocket = self._roll(valid=closing == "in time")
        if closing == "late":
            self.call("no_more_bets")
        return pocket

    def _launch(self, *, same: bool = False) -> None:
        self.wait(4)
        ball: log.Turning = self.chance.choice(("cw", "ccw"))
        other: log.Turning = "ccw" if ball == "cw" else "cw"
        self.add(log.Spin(t=0, ball=ball, wheel=ball if same else other, by="dealer"))
        for player in self.players:
            if not self.frozen and self.chance.random() < 0.1:
                self._bet(player, self.chance.choice(("outside", "inside")))

    def _close(self) -> None:
        self.wait(6)
        self.call("no_more_bets")
        self.frozen = True

    def _void(self) -> None:
        """A void spin decides the wagers: they are returned, and whoever likes leaves his for the next spin."""
        self.call("void")
        self.frozen = False
        if len(self.stakes) > 1 and not self.slipped and self.chance.random() < 0.3:
            self._stake(*self.chance.choice(list(self.stakes)), 0)

    def _ball(self, event: Literal["leave_track", "rest", "stuck", "out", "lifted"], **what: Any) -> None:
        self.wait(3)
        self.add(log.Ball(t=0, event=event, **what))

    def _roll(self, laps: float | None = None, *, valid: bool = False) -> int:
        """The ball leaves the track and comes to rest; in a valid spin somebody may meanwhile do what he must not."""
        pocket = self.chance.randrange(37)
        when = self.chance.randrange(3) if valid else 3
        if when == 0:
            self._disturb(pocket)
        self._ball("leave_track", laps=laps or round(self.chance.uniform(3, 18), 1))
        if when == 1:
            self._disturb(pocket)
        elif valid:
            self._take_early(pocket)
        self._ball("rest", pocket=pocket)
        if when == 2:
            self._disturb(pocket)
        return pocket

    def _take_early(self, pocket: int) -> None:
        """The dealer takes a wager that will lose before the ball has decided it (7.2)."""
        plain = [key for key in self.stakes if key not in self.invalid and key not in self.markers]
        losing = [key for key in plain if gain(key[0], 1, pocket) is None]
        if losing and self.told("payout.order"):
            at, colour = self.chance.choice(losing)
            self.slip("payout.order", at, 1)
            self.take(at, colour)
            del self.stakes[at, colour]

    def _failed_spin(self, mishap: Mishap, *, noticed: bool = True) -> int:
        """A NO SPIN (9.2) or a void spin (9.3 to 9.5); its pocket must not count."""
        self._launch()
        laps = round(self.chance.uniform(1, 2.9) if mishap.startswith("short") else self.chance.uniform(3, 18), 1)
        if mishap.startswith("short"):
            if not noticed or self.chance.random() < 0.3:
                self._close()
            self.call("no_spin")
            if mishap == "short_missed":
                return self._roll(laps)
            self._ball("lifted", laps=laps)
            return -1
        self._close()
        pocket = -1
        if mishap == "object":
            self.wait(2)
            self.add(log.Wheel(t=0, event="object"))
            pocket = self._roll(laps)
        else:
            self._ball("stuck" if mishap == "stuck" else "out", laps=laps)
        if noticed:
            self._void()
        return pocket

    def _disturb(self, pocket: int) -> None:
        """Wagers touched after NO MORE BETS (4.4)."""
        colour = self.chance.choice(self.players)
        split = self.chance.choice(INSIDE["split"])
        at = self.chance.choice((spot((pocket,)), spot(split), "layout/red", "layout/high"))
        if (at, colour) not in self.stakes and self.slip("bet.late", at, 1):
            self.chips(at, self._unit(colour) * self.chance.randint(1, 4), "player", colour)
            self.chips(at, 0, "player", colour, seconds=2)
        at, colour = self.chance.choice(list(self.stakes))
        stake = self.stakes[at, colour]
        if (at, colour) not in self.markers and self.slip("bet.moved", at, 1):
            self.chips(at, self.chance.choice((stake + self._unit(colour), stake / 2, 0)), "player", colour)
            self.chips(at, stake, "player", colour, seconds=2)

    def _place_dolly(self, pocket: int) -> None:
        """The dolly marks the winning number; by mistake one beside it on the wheel or the layout."""
        self.wait(2)
        number = pocket
        if self.slip("spin.dolly", None, 0.7):
            beside = WHEEL[(WHEEL.index(pocket) + self.chance.choice((-1, 1))) % 37]
            number = self.chance.choice([n for n in (beside, pocket + 1, pocket - 3) if 0 <= n <= 36])
        self.add(log.Dolly(t=0, at=number, by="dealer"))
        self.dolly_lies = True
        if number != pocket and self.chance.random() < 0.5:
            self.wait(3)
            self.add(log.Dolly(t=0, at=pocket, by="dealer"))
