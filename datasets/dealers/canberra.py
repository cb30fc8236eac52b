"""A Canberra Poker table: up to seven players, five cards each from one deck, the dealer's last card face up."""

from typing import Any

from auditor import log
from auditor.hands import CANBERRA, Category, category, has_ace_king, read_cards, strength
from datasets.dealer import HOUSE_BANKED, NO_TILES, NO_WHEEL
from datasets.one_deck import OneDeckDealer

BET_PAYS = {
    Category.ROYAL_FLUSH: 250, Category.STRAIGHT_FLUSH: 50, Category.FOURS: 20, Category.FULL_HOUSE: 7,
    Category.FLUSH: 5, Category.STRAIGHT: 4, Category.THREES: 3, Category.TWO_PAIRS: 2,
}  # fmt: skip


def value(cards: list[str]) -> int:
    """How strong five cards are.

    >>> value("Qs Qh Qd 8c 5s".split()) > value("Kd Ks 8d 8c 5h".split())
    True
    """
    return strength(read_cards(" ".join(cards)), CANBERRA)


class CanberraDealer(OneDeckDealer):
    """Deals Tournament Canberra Poker."""

    rulebook = "act-canberra-poker"
    seats = 7
    mistakes: tuple[str, ...] = (
        "deal.order", "deal.count", "deal.facing", "deal.exposed", "deal.missed", "deal.extra", "deal.no_wager",
        "card.duplicate", "card.foreign", "bet.late", "bet.moved", "bet.limit", "bet.multiple", "bet.invalid",
        "bet.order", "bet.amount", "payout.short", "payout.over", "payout.missed", "payout.loser_paid",
        "payout.winner_taken", "payout.push_taken", "payout.order", "payout.cap", "button.move", "round.not_voided",
        "shuffle.missing", "view.gap",
    )  # fmt: skip
    cannot = HOUSE_BANKED | NO_WHEEL | NO_TILES | {
        "deal.burn": "no card is burnt",
        "card.count": "the log carries no count of the whole deck",
        "draw.missing": "nobody draws",
        "draw.excess": "nobody draws",
        "action.order": "7.1 lets players decide in any order",
    }

    def default_house(self) -> dict[str, Any]:
        return {"min": 10, "max": 500, "multiple": 5, "max_payout": 500, "tournament": True}

    # ---- a round ----

    def play(self) -> None:
        self.sit_down()
        self.shuffle()
        while self._open_tie():
            self.chance.shuffle(self.deck)
        self.move_marker()
        self.wagers(self._ante)
        self.void: list[str] = []
        self.playing: list[str] = []
        self.ruined = False
        if self._deal():
            self._bet_or_fold()
            if self.playing and self._dealers_hand():
                if self.slip("view.gap", None, 1):
                    self.unseen(self._settle)
                else:
                    self._settle()
        self.give_back()
        self.collect()

    def _open_tie(self) -> bool:
        """Whether a player would tie with a dealer who does not qualify: 9.3 and 9.6 contradict each other then."""
        width = len(self.boxes) + 1
        hands = [self.deck[-1 - place :: -width][:5] for place in range(width)]
        bank = value(hands[-1])
        return not has_ace_king(bank, CANBERRA) and any(value(hand) == bank for hand in hands[:-1])

    def _ante(self, box: str) -> None:
        at = f"{box}/ante"
        self.stake(at, self.opening(at), seconds=2)

    # ---- dealing ----

    def _deal(self) -> bool:
        """Five cards each; False if the round ended with that."""
        self.playing = [f"box{box}" for box in self.boxes]
        served = self.boxes
        if self.empty_boxes and self.told("deal.no_wager"):
            stranger = self.chance.choice(self.empty_boxes)
            self.slip("deal.no_wager", f"box{stranger}", 1)
            self.void.append(f"box{stranger}")
            served = sorted([*served, stranger])
        order = [*(f"box{box}" for box in served), "dealer"] * 5
        self._go_wrong(order)
        exposed = self._exposures(order)
        touched = self.chance.randrange(len(order) - 1)
        last = max(number for number, place in enumerate(order) if place == "dealer")
        for number, place in enumerate(order):
            if number in exposed:
                self._expose(place)
            elif number == last:
                self._last_card()
            else:
                self.give(place)
            if number == touched:
                self.disturb(f"box{box}/ante" for box in self.empty_boxes)
        return self._judge_exposures(exposed, order)

    def _go_wrong(self, order: list[str]) -> None:
        """11.3 to 11.5: what becomes of hands that were not dealt as they should be."""
        before = list(order)
        self.out_of_order(order)
        self.void += [was for was, place in zip(before, order, strict=True) if was != place and was != "dealer"]
        if self.told("deal.extra", "deal.missed", "deal.count"):
            wrong = self.miscount(order)
            assert wrong is not None
            self.slip(*wrong, 1)
            self.ruined = wrong[1] == "dealer"
            if not self.ruined:
                self.void.append(wrong[1])

    def _exposures(self, order: list[str]) -> set[int]:
        """Which cards are dealt face up by mistake, in different hands: three are too many for the round (11.1)."""
        most = min(len(self.boxes), 4)
        if self.told("round.not_voided") and most > 2:
            number = self.chance.randint(3, most)
        elif self.told("deal.exposed"):
            number = self.chance.randint(1, most)
        else:
            return set()
        dealers = number == 1 and self.chance.random() < 0.5
        places = ["dealer"] if dealers else self.chance.sample(self.playing, number)
        # The dealer's own last card is to come face up; with that one left out, every card can be exposed.
        spots = {place: [n for n, each in enumerate(order[:-1]) if each == place] for place in places}
        return {self.chance.choice(spots[place]) for place in places}

    def _expose(self, place: str) -> None:
        """A player's card is turned over again (11.1), the dealer's becomes the one that lies face up (11.2)."""
        self.give(place, up=True)
        if place != "dealer":
            number = len(self.hands[place]) - 1
            self.up.discard((place, number))
            self.wait(0.6)
            self.add(log.Turn(t=0, at=place, card=self.hands[place][number], up=False))

    def _last_card(self) -> None:
        """6.2: it comes face up, unless one of the dealer's lies face up already."""
        if any(place == "dealer" for place, _ in self.up):
            self.give("dealer")
        elif self.slip("deal.facing", "dealer", 1):
            self.give("dealer")
            self.show("dealer", len(self.hands["dealer"]) - 1)
        else:
            self.give("dealer", up=True)

    def _judge_exposures(self, exposed: set[int], order: list[str]) -> bool:
        places = [order[number] for number in sorted(exposed)]
        if not places:
            return True
        if self.slip("round.not_voided", None, 1):
            for place in places:
                self.companion("deal.exposed", place)
            return True
        self.slip("deal.exposed", places[0], 1)
        for place in places[1:]:
            self.companion("deal.exposed", place)
        if len(places) > 2:
            self.call_off("void")
        return len(places) < 3

    # ---- betting ----

    def _bet_or_fold(self) -> None:
        if self.empty_boxes and self.told("bet.invalid"):  # a bet where there is no ante
            at = f"box{self.chance.choice(self.empty_boxes)}/bet"
            self.slip("bet.invalid", at, 1)
            self.stake(at, 50)
        for box in list(self.void):
            if box not in self.playing:  # 11.7
                self.call("void", box)
                self.collect(box)
            elif self.chance.random() < 0.5:
                self._declare_void(box)
        for box in list(self.playing):
            if self.stakes[f"{box}/ante"] <= self.counted(f"{box}/ante") and self._likes(box):
                self._second_wager(box)
            else:
                self._fold(box)

    def _declare_void(self, box: str) -> None:
        self.call("void", box)
        self.give_back(box)
        self.collect(box)
        self.playing.remove(box)

    def _likes(self, box: str) -> bool:
        """Whether the player bets: with a pair or better or an ace and a king, and now and then with nothing."""
        hand = self.hands[box]
        ranks = {card[0] for card in hand}
        good = len(ranks) < len(hand) or len({card[1] for card in hand}) == 1 or {"A", "K"} <= ranks
        return self.chance.random() < (0.95 if good else 0.15)

    def _second_wager(self, box: str) -> None:
        at, ante = f"{box}/bet", self.stakes[f"{box}/ante"]
        amount = 2 * ante
        if self.slip("bet.amount", at, 0.3):
            amount += self.chance.choice([5, -5, ante, -ante])
        self.stake(at, amount, seconds=1.5)

    def _fold(self, box: str) -> None:
        self.call("fold", box, "player")
        self.playing.remove(box)
        self.collect(box)
        if box in self.void:
            self.give_back(box)
        else:
            self.settle_opening(f"{box}/ante", "lose")

    # ---- settlement ----

    def _dealers_hand(self) -> bool:
        """Turn the dealer's cards; False if one of them cannot be there."""
        hand = self.hands["dealer"]
        number = self.chance.randrange(len(hand) - 1)
        if ("dealer", number) not in self.up and self._strange("dealer", number, 0.5):
            return False
        self._settle_too_soon()
        self.show("dealer")
        box = self.chance.choice(self.playing)
        return not self._strange(box, self.chance.randrange(5), 1)

    def _settle_too_soon(self) -> None:
        """An ante is paid or taken before the dealer's hand is shown."""
        players = [box for box in self.playing if box not in self.void]
        if self.ruined or not players or not self.told("payout.order"):
            return
        box = self.chance.choice(players)
        bank, own = value(self.hands["dealer"]), value(self.hands[box])
        result = "win" if not has_ace_king(bank, CANBERRA) or own > bank else "lose"
        if own != bank and self.slip("payout.order", f"{box}/ante", 1):
            self.settle_opening(f"{box}/ante", result)

    def _strange(self, place: str, number: int, likelihood: float) -> bool:
        """A joker, or a card that the dealer has too, turns up, and the director gives the round up (14.4)."""
        if place in self.void:
            return False
        if self.slip("card.foreign", place, likelihood):
            self.hands[place][number] = "Jkr"
        elif self.slip("card.duplicate", place, likelihood):
            self.hands[place][number] = self.hands["dealer"][4]
        else:
            return False
        self.show(place)
        self.call_off("void")
        return True

    def _settle(self) -> None:
        for box in sorted(self.playing, reverse=True):
            if box in self.void:
                self.give_back(box)
            else:
                self._settle_player(box)
            self.collect(box)

    def _settle_player(self, box: str) -> None:
        ante, bet = f"{box}/ante", f"{box}/bet"
        bank = 0 if self.ruined else value(self.hands["dealer"])
        if self.ruined or not has_ace_king(bank, CANBERRA):
            if self.chance.random() < 0.5:
                self.show(box)
            if self.amount(ante):
                self.settle_opening(ante, "win")
            self.settle(bet, "push")
            return
        self.show(box)
        own = value(self.hands[box])
        result = "win" if own > bank else "lose" if own < bank else "push"
        if self.amount(ante):
            self.settle_opening(ante, result)
        due = self.stakes[bet] * BET_PAYS.get(category(own, CANBERRA), 1)
        most = self.house.get("max_payout")
        if result == "win" and most is not None and due > most:
            due = due if self.slip("payout.cap", bet, 1) else most
        self.settle(bet, result, due)
