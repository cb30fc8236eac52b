"""A pai gow table: the house on box 1, up to seven players of mixed sense; hands set, compared and settled."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from auditor import log, tiles
from auditor.house_way import house_way
from datasets.dealer import HOUSE_BANKED, NO_WHEEL
from datasets.dealers.paigow_table import BANK, PaiGowTable, first_box

Setting = tuple[tiles.Part, tiles.Part]


def ways(hand: Sequence[int]) -> list[Setting]:
    """The three ways to set four tiles, Low Part first, none of them foul."""
    a, b, c, d = hand
    both = (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
    return [(one, two) if not tiles.is_foul(one, two) else (two, one) for one, two in both]


def outcome(bank: Setting, player: Setting) -> str:
    """Rule 11."""
    return tiles.settle(*bank, *player).result


class PaiGowDealer(PaiGowTable):
    """Deals Tournament Pai Gow."""

    rulebook = "act-paigow"
    mistakes = (
        "deal.order", "deal.count", "deal.exposed", "deal.missed", "deal.extra", "deal.no_wager", "deal.first_box",
        "card.duplicate", "bet.late", "bet.moved", "bet.limit", "bet.multiple", "bet.invalid", "bet.order",
        "payout.short", "payout.over", "payout.missed", "payout.loser_paid", "payout.winner_taken",
        "payout.push_taken", "payout.order", "button.move", "set.house_way", "set.foul", "round.not_voided",
        "shuffle.missing", "view.gap",
    )  # fmt: skip
    cannot = HOUSE_BANKED | NO_WHEEL | {
        "deal.facing": "all tiles are dealt face down (8.5)",
        "deal.burn": "no tile is burnt",
        "card.foreign": "the log has no word for a tile outside the set of 32",
        "card.count": "all 32 tiles are dealt: one missing is a box's missing tile",
        "draw.missing": "no tile is drawn after the deal",
        "draw.excess": "no tile is drawn after the deal",
        "bet.amount": "no wager's size hangs on another wager",
        "payout.cap": "no maximum payout applies to pai gow",
        "commission.not_due": "commission is part of the entry fee (14.1); a win paid less is payout.short",
        "action.time": "17.18 leaves the speed of play to the Tournament Director",
        "table.players": "17.7 leaves the number of players to the Tournament Director",
        "show.order": "no order of showing is fixed",
    }

    def default_house(self) -> dict[str, Any]:
        return {"min": 10, "max": 500, "multiple": 5, "tournament": True}

    # ---- a round ----

    def play(self) -> None:
        self.standing = {key: amount for key, amount in self.standing.items() if amount}
        self.stakes = {at: amount for (at, _), amount in self.standing.items()}
        left = {int(at[3]) for at in self.stakes}
        self.exposed = ("", "")
        self.boxes = sorted(left | set(self.chance.sample(range(2, 9), self.chance.randint(1, 6))))
        spoilt = self.shuffle()
        self.move_marker()
        self.wagers()
        self.call("no_more_bets")
        self.disturb_wagers(0.3)
        faces = self.dice()
        self.played += 1
        self.gap_before = False
        if spoilt and self.told("deal.exposed"):
            self.slip("deal.exposed", "shoe", 1)
            self.misdeal()
            return
        self.disturb_wagers(0.5)
        self.deal(first_box(faces))
        self.disturb_wagers(1)
        self.kept = ""
        for place in [f"box{box}" for box in range(2, 9) if box not in self.boxes]:
            if self.slip("deal.no_wager", place, 0.3):
                self.kept = place  # its tiles are not retrieved
            elif self.lying[place]:
                self.gone(place, n=self.lying[place])
        self._show_and_settle()

    # ---- setting ----

    def _show_and_settle(self) -> None:
        places = [f"box{box}" for box in self.boxes]
        legal = [place for place in places if self.stakes[f"{place}/main"] <= self.house["max"]]
        hidden = [place for place in legal if self.chance.random() < 0.03 and not self.kept]
        for place in hidden:  # 11.7: taken without being displayed
            self.take(f"{place}/main")
            self.gone(place)
        places = [place for place in places if place not in hidden]
        if not places:
            self._finish()
            return
        if self.told("card.duplicate"):
            self._duplicate(places)
        settings = self._choose(places)
        bank = settings[BANK]
        early = [place for place in places if outcome(bank, settings[place]) == "win"][:1]
        if early and self.slip("payout.order", f"{early[0]}/main", 1):
            self._show(early[0], settings[early[0]])
            self._settle(early[0], "win")
            places.remove(early[0])
        if self.kept and self.chance.random() < 0.5:
            self._show(self.kept, house_way(self.hands[self.kept]).settings[0])
        self._show(BANK, settings[BANK])
        if self.told("set.house_way"):
            self._wrong_bank(settings, places)
        elif self.chance.random() < 0.02:  # 13.9: set wrongly, and re-set
            self._set(BANK, self.chance.choice(ways(self.hands[BANK])))
            self._set(BANK, bank)
        one_by_one = self.chance.random() < 0.5 and not self.told("view.gap")
        for place in places:
            self._show(place, settings[place])
            if one_by_one:
                self._settle(place, outcome(bank, settings[place]))
        if not one_by_one:
            self._settle_all(places, {place: outcome(bank, settings[place]) for place in places})
        self._finish()

    def _choose(self, places: list[str]) -> dict[str, Setting]:
        """How every hand is set: the bank's the House Way, the players' by their lights."""
        settings: dict[str, Setting] = {BANK: self.chance.choice(house_way(self.hands[BANK]).settings)}
        for place in places:
            hand = self.hands[place]
            style = self.chance.choice(("house", "house", "high", "low", "any"))
            if style == "house":
                settings[place] = house_way(hand).settings[0]
            elif style == "any":
                settings[place] = self.chance.choice(ways(hand))
            else:
                part = ("low", "high").index(style)
                settings[place] = max(ways(hand), key=lambda way: tiles.part_strength(*way[part]))
            low, high = settings[place]
            lost = outcome(settings[BANK], (low, high)) == outcome(settings[BANK], (high, low)) == "lose"
            if tiles.is_foul(high, low) and lost and self.slip("set.foul", place, 1):
                settings[place] = (high, low)
        return settings

    def _wrong_bank(self, settings: dict[str, Setting], places: list[str]) -> None:
        """The bank is set against the House Way, where it makes no difference to anybody."""
        right = house_way(self.hands[BANK])
        wrong = [way for way in ways(self.hands[BANK]) if not right.accepts(*way)]
        self.chance.shuffle(wrong)
        banks: list[Setting] = [*right.settings, *wrong[:1]]
        same = all(len({outcome(bank, settings[place]) for bank in banks}) == 1 for place in places)
        if wrong and same and self.slip("set.house_way", BANK, 1):
            self._set(BANK, wrong[0])

    def _duplicate(self, places: list[str]) -> None:
        """One tile too many of a face among the hands that are shown."""
        victim = self.chance.choice(places)
        spare = self.chance.randrange(4)
        others = [tile for place in [BANK, *places] for tile in self.hands[place]]
        others.remove(self.hands[victim][spare])
        full = Counter(tiles.FULL_SET)
        complete = [tile for tile, number in Counter(others).items() if number == full[tile]]
        if not complete:
            return
        double = self.chance.choice(complete)
        self.hands[victim][spare] = double
        seen = 0
        for place in [BANK, *places]:
            seen += self.hands[place].count(double)
            if seen > full[double]:
                self.slip("card.duplicate", place, 1)
                return

    def _show(self, place: str, setting: Setting) -> None:
        names = [tiles.name(tile) for tile in self.hands[place]]
        if self.exposed[0] == place:
            names.remove(self.exposed[1])
        for name in names:
            self.wait(0.5)
            self.add(log.Turn(t=0, at=place, tile=name))
        self._set(place, setting)

    def _set(self, place: str, setting: Setting) -> None:
        self.wait(1)
        low, high = ([tiles.name(tile) for tile in part] for part in setting)
        self.add(log.Set(t=0, at=place, low=low, high=high))

    # ---- settlement ----

    def _settle(self, place: str, result: str) -> None:
        at = f"{place}/main"
        stake, limit = self.stakes[at], self.house["max"]
        if result == "lose" and stake > limit:  # 5.4: collected to the maximum
            self.chips(at, stake - limit, "dealer")
            self.pick_up(at)
        elif result != "push" or self.told("payout.push_taken") or not self._stays(stake):
            self.settle(at, result, min(stake, limit))
        self.gone(place)

    def _stays(self, stake: float) -> bool:
        """Whether a pushed stake is left standing for the next round; not one that would break the limits again."""
        regular = self.house["min"] <= stake <= self.house["max"] and stake % self.house["multiple"] == 0
        return regular and self.chance.random() < 0.3

    def _settle_all(self, places: list[str], results: dict[str, str]) -> None:
        unseen = self.chance.randrange(len(places)) if places and self.slip("view.gap", None, 1) else len(places)
        for place in places[:unseen]:
            self._settle(place, results[place])
        if unseen == len(places):
            return
        self.wait(1)
        self.add(log.Feed(t=0, state=self.chance.choice(("lost", "blocked"))))
        seen = len(self.events)
        for place in places[unseen:]:
            self.settle(f"{place}/main", results[place], self.stakes[f"{place}/main"])
        del self.events[seen:]
        self.wait(2)
        self.add(log.Feed(t=0, state="back"))
        self.gap_before = True
        for place in places[unseen:]:
            self.events.append(log.Chips(t=self.t, at=f"{place}/main", amount=self.amount(f"{place}/main")))
            self.gone(place)

    def _finish(self) -> None:
        if self.amount(f"{BANK}/main"):
            self.pick_up(f"{BANK}/main")
        if self.kept:
            self.gone(self.kept)
        self.gone(BANK)
