"""A blackjack table: up to five boxes, players of mixed sense, a shoe of six decks with a cutting card."""

from typing import Any

from auditor import log
from auditor.cards import NAMES
from datasets.dealer import HOUSE_BANKED, NO_DECK_COUNT, NO_TILES, NO_WHEEL, Dealer

_POINTS = {name: 11 if name[0] == "A" else 10 if name[0] in "TJQK" else int(name[0]) for name in NAMES[:52]}
_PAIRS_PAY = {"mixed": 6, "coloured": 12, "perfect": 25}
_RED = "dh"


def count(cards: list[str]) -> tuple[int, bool]:
    """The best total, and whether it is soft.

    >>> count(["As", "6d"]), count(["As", "6d", "9c"])
    ((17, True), (16, False))
    """
    points = sum(_POINTS[card] for card in cards)
    aces = sum(card[0] == "A" for card in cards)
    while points > 21 and aces:
        points, aces = points - 10, aces - 1
    return points, aces > 0


def pair(first: str, second: str) -> str | None:
    """Which Perfect Pair two cards are."""
    if first[0] != second[0]:
        return None
    if first == second:
        return "perfect"
    return "coloured" if (first[1] in _RED) == (second[1] in _RED) else "mixed"


class BlackjackDealer(Dealer):
    """Deals Tournament Blackjack with Perfect Pairs."""

    rulebook = "act-blackjack"
    mistakes = (
        "deal.order", "deal.count", "deal.facing", "deal.missed", "deal.extra", "deal.no_wager", "card.duplicate",
        "card.foreign", "draw.missing", "draw.excess", "bet.late", "bet.moved", "bet.limit", "bet.multiple",
        "bet.invalid", "bet.order", "bet.amount", "payout.short", "payout.over", "payout.missed",
        "payout.loser_paid", "payout.winner_taken", "payout.push_taken", "payout.order", "button.move",
        "shuffle.missing", "view.gap",
    )  # fmt: skip
    cannot = HOUSE_BANKED | NO_WHEEL | NO_TILES | NO_DECK_COUNT | {
        "deal.exposed": "all cards are dealt face up (6.1)",
        "deal.burn": "no card is burnt by rule before the deal",
        "payout.cap": "no maximum payout applies to blackjack",
        "round.not_voided": "rule 14 has errors put right in the round; 14.5 voids only what is found later",
    }

    def default_house(self) -> dict[str, Any]:
        return {
            "decks": 6, "min": 10, "max": 500, "multiple": 5, "pairs": True, "pairs_min": 5, "pairs_max": 100,
            "tournament": True,
        }  # fmt: skip

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.shoe: list[str] = []
        self.cut_at = -1
        self.cutting_card_out = True
        self.seen: dict[str, int] = {}
        self.marker = 0
        self.last_boxes: list[int] = []

    # ---- the shoe ----

    def new_shoe(self) -> None:
        self.wait(40)
        self.add(log.Shuffle(t=0, by="dealer"))
        self.wait(10)
        self.add(log.Cut(t=0, by="player"))
        self.shoe = list(NAMES[:52]) * self.house["decks"]
        self.chance.shuffle(self.shoe)
        self.seen = {}
        self.cut_at = self.chance.randint(60, 150)
        self.cutting_card_out = False

    def try_again(self) -> None:
        self.chance.shuffle(self.shoe)

    def draw(self) -> str:
        if len(self.shoe) == self.cut_at:
            self.add(log.CuttingCard(t=0, at="shoe"))
            self.cutting_card_out = True
        return self.shoe.pop()

    def give(self, place: str) -> str:
        card = self.draw()
        self.seen[card] = self.seen.get(card, 0) + 1
        if self.seen[card] > self.house["decks"]:
            self.slip("card.duplicate", place, 1)
        if self.slip("card.foreign", place, 0.05):
            self.card(place, "Jkr")
            self.gone(place, cards=["Jkr"])
        if self.slip("deal.facing", place, 0.05):
            self.card(place, "??", up=False)
            self.turn(place, card)
        else:
            self.card(place, card)
        self.hands.setdefault(place, []).append(card)
        return card

    # ---- a round ----

    def play(self) -> None:
        self.hands: dict[str, list[str]] = {}
        self.stakes: dict[str, float] = {}
        self.settled: set[str] = set()
        self.split_boxes: set[str] = set()
        self.original: dict[str, float] = {}
        self.boxes = self.boxes_taken()
        self._shuffle_if_due()
        self._move_marker()
        self._wagers()
        self.call("no_more_bets")
        self._deal()
        self._disturb_wagers()
        self._interim()
        for box in self.boxes:
            self._act(f"box{box}")
        self._dealer_draws()
        if self.slip("view.gap", None, 1):
            self._unseen_settlement()
            return
        self._settle()
        self._collect()

    def boxes_taken(self) -> list[int]:
        """Players come and go."""
        return sorted(self.chance.sample(range(1, 6), self.chance.randint(1, 5)))

    def _shuffle_if_due(self) -> None:
        """5.4: after the round in which the cutting card came, or at once when it comes first."""
        comes_first = bool(self.shoe) and len(self.shoe) == self.cut_at
        if comes_first or (len(self.shoe) > 60 and self.told("shuffle.missing")):
            self.wait(1)
            self.add(log.CuttingCard(t=0, at="shoe"))
            self.cutting_card_out = True
        if self.told("card.duplicate"):
            card = self.chance.choice(NAMES[:52])
            self.new_shoe()
            self.shoe = [other for other in self.shoe if other != card] + [card] * (self.house["decks"] + 1)
        elif not self.shoe or (self.cutting_card_out and not self.slip("shuffle.missing", None, 1)):
            self.new_shoe()
        else:
            self.cut_at = min(self.cut_at, len(self.shoe) - 1)
        self.cutting_card_out = self.slipped  # a shuffle left out now is due after this round all the same

    def _move_marker(self) -> None:
        """The marker goes to the next player clockwise; it stays where it is only by mistake."""
        seats = sorted({*self.last_boxes, *self.boxes})
        following = next((box for box in seats if box > self.marker), seats[0])
        if len(self.last_boxes) > 1 and len(self.boxes) > 1 and self.slip("button.move", None, 1):
            following = self.marker
        self.marker, self.last_boxes = following, self.boxes
        self.wait(1)
        self.add(log.Marker(t=0, at=f"box{self.marker}"))

    def _wagers(self) -> None:
        turns = sorted(self.boxes, key=lambda box: (box - self.marker) % 6)
        if len(turns) > 1 and self.slip("bet.order", None, 1):
            turns[0], turns[1] = turns[1], turns[0]
            self.place_slip(f"box{turns[0]}/main")
        for box in turns:
            self._bet(f"box{box}")
        empty = [box for box in range(1, 6) if box not in self.boxes]
        if empty and self.slip("bet.invalid", f"box{empty[0]}/pairs", 1):
            self._stake(f"box{empty[0]}/pairs", 5)

    def _stake(self, at: str, amount: float, seconds: float = 1.0) -> None:
        self.chips(at, amount, "player", seconds=seconds)
        self.stakes[at] = amount

    def _bet(self, box: str) -> None:
        stake: float = self.chance.choice([10, 10, 15, 20, 25, 50, 100])
        at = f"{box}/main"
        if self.slip("bet.limit", at, 0.3):
            stake = self.chance.choice([600, 5])
        elif self.slip("bet.multiple", at, 0.3):
            stake += 2
        self._stake(at, stake, seconds=2)
        self.original[box] = stake
        if self.chance.random() < 0.3:
            self._stake(f"{box}/pairs", 5)

    def _deal(self) -> None:
        places = [f"box{box}" for box in self.boxes]
        for place in [*places, "dealer"]:
            self.give(place)
        empty = [box for box in range(1, 6) if box not in self.boxes]
        if empty and self.slip("deal.no_wager", f"box{empty[0]}", 1):
            self.card(f"box{empty[0]}", self.draw())
            self.gone(f"box{empty[0]}")
        if self.slip("deal.count", "dealer", 1):
            self.give("dealer")
        if len(places) > 1 and self.slip("deal.order", None, 1):
            spot = self.chance.randrange(len(places) - 1)
            places[spot], places[spot + 1] = places[spot + 1], places[spot]
            self.place_slip(places[spot])
        for place in places:
            # Passing over one of the last two would look like a swap.
            if place not in places[-2:] and self.slip("deal.missed", place):
                continue
            self.give(place)
            if place != places[-1] and not self.natural(place) and self.slip("deal.extra", place):
                self.give(place)

    def _disturb_wagers(self) -> None:
        """Wagers touched after the first card."""
        at = f"box{self.chance.choice(self.boxes)}/main"
        empty = [box for box in range(1, 6) if box not in self.boxes]
        if empty and self.slip("bet.late", f"box{empty[0]}/main", 1):
            self.chips(f"box{empty[0]}/main", 25, "player")
            self.chips(f"box{empty[0]}/main", 0, "player", seconds=0.5)
        if self.stakes[at] > 10 and not self.natural(at.partition("/")[0]) and self.slip("bet.moved", at, 1):
            self.chips(at, self.stakes[at] - 5, "player")
            self.chips(at, self.stakes[at], "player", seconds=0.5)

    # ---- interim settlement, insurance ----

    @property
    def up_points(self) -> int:
        return _POINTS[self.hands["dealer"][0]]

    def natural(self, place: str) -> bool:
        box = place.partition("#")[0]
        return len(self.hands[place]) == 2 and count(self.hands[place])[0] == 21 and box not in self.split_boxes

    def _interim(self) -> None:
        self.late_blackjacks: list[str] = []
        self.late_pairs: list[str] = []
        self.first_two = {place: hand[:2] for place, hand in self.hands.items()}
        for at in [at for at in self.stakes if at.endswith("/pairs")]:
            if self.chance.random() < 0.2 and self.slip("payout.order", at, 1):
                self.late_pairs.append(at)
            else:
                self._settle_pairs(at)
        for place in [f"box{box}" for box in self.boxes]:
            at = f"{place}/main"
            if self.natural(place) and self.up_points < 10:
                if self.slip("payout.order", at, 1):
                    self.late_blackjacks.append(place)
                else:
                    self._pay_blackjack(place)
            elif self.natural(place) and self.up_points == 11 and self.chance.random() < 0.5:
                self.call("even_money", place, "player")
                self.settle(at, "win", self.stakes[at])
                self.settled.add(place)
        if self.up_points == 11:
            self._insure()

    def _settle_pairs(self, at: str) -> None:
        place = at.partition("/")[0]
        if place not in self.hands:
            self.pick_up(at)
            return
        first_two = self.first_two[place]
        kind = pair(*first_two) if len(first_two) > 1 else None
        self.settle(at, "win" if kind else "lose", _PAIRS_PAY[kind] * self.stakes[at] if kind else 0)

    def _pay_blackjack(self, place: str) -> None:
        self.settle(f"{place}/main", "win", min(self.stakes[f"{place}/main"], self.house["max"]) * 1.5)
        self.settled.add(place)

    def _insure(self) -> None:
        for place in [f"box{box}" for box in self.boxes]:
            if place in self.settled or self.chance.random() > 0.4:
                continue
            half = min(self.stakes[f"{place}/main"], 100) / 2
            if self.slip("bet.amount", f"{place}/insurance", 1):
                half += 5
            self._stake(f"{place}/insurance", half)

    # ---- players ----

    def _act(self, place: str) -> None:
        if place in self.settled or place in self.late_blackjacks:
            return
        hand = self.hands[place]
        while len(hand) < 2:  # passed over in the initial deal
            self.give(place)
        if self._may_split(place):
            self._split(place)
            return
        self._finish(place)

    def _may_split(self, place: str) -> bool:
        hand = self.hands[place]
        equal = len(hand) == 2 and _POINTS[hand[0]] == _POINTS[hand[1]]
        made = sum(other.partition("#")[0] == place.partition("#")[0] for other in self.hands)
        aces = hand[0][0] == "A" and made > 1
        small = self.stakes[f"{place.partition('#')[0]}/main"] <= self.house["max"]
        wish = 0.7 if _POINTS[hand[0]] in (8, 11) else 0.2
        return equal and made < 4 and not aces and small and self.chance.random() < wish

    def _split(self, place: str) -> None:
        box = place.partition("#")[0]
        self.split_boxes.add(box)
        made = 1 + sum(other.partition("#")[0] == box for other in self.hands)
        second = f"{box}#{made}"
        stake = self.original[box]
        if stake > 5 and self.slip("bet.amount", f"{second}/main", 0.5):
            stake -= 5
        self._stake(f"{second}/main", stake)
        card = self.hands[place].pop()
        self.gone(place, second, cards=[card])
        self.hands[second] = [card]
        for hand in (place, second):
            self.give(hand)
            if card[0] == "A":
                continue
            if self._may_split(hand):
                self._split(hand)
            else:
                self._finish(hand)

    def _finish(self, place: str) -> None:
        hand, at = self.hands[place], f"{place}/main"
        points, soft = count(hand)
        small = self.stakes[at] <= self.house["max"]
        if small and len(hand) == 2 and 9 <= points <= 11 and not soft and self.chance.random() < 0.7:
            doubled = 2 * self.stakes[at]
            if self.slip("bet.amount", at, 0.5):
                doubled -= 5 if self.stakes[at] > 5 else 1
            self._stake(at, doubled)
            self.give(place)
            return
        while points < 12 or (points < 17 and self.chance.random() < 0.5):
            if points < 12 and not soft and self.slip("draw.missing", place, 0.2):
                break
            self.give(place)
            points, soft = count(hand)
        if points == 21 and len(hand) > 2 and self.slip("draw.excess", place, 0.5):
            self.card(place, self.draw())
        if points > 21:
            self._lose(at)
            self.gone(place)
            self.settled.add(place)
        else:
            self.call("stand", place, "player")

    # ---- dealer ----

    def _dealer_draws(self) -> None:
        hand = self.hands["dealer"]
        waiting = [place for place in self._open_hands() if place not in self.late_blackjacks]
        insured = any(at.endswith("/insurance") for at in self.stakes)
        if not waiting and not insured:
            return
        if len(hand) == 1:
            self.give("dealer")
        if all(self.natural(place) for place in waiting):
            return
        while count(hand)[0] < 17:
            if self.slip("draw.missing", "dealer", 0.3):
                return
            self.give("dealer")
        blackjack = len(hand) == 2 and count(hand)[0] == 21
        if count(hand)[0] <= 21 and not blackjack and self.slip("draw.excess", "dealer"):
            card = self.draw()
            self.card("dealer", card)
            self.gone("dealer", cards=[card])

    def _open_hands(self) -> list[str]:
        return [place for place in self.hands if place != "dealer" and place not in self.settled]

    def _settle(self) -> None:
        dealer = self.hands["dealer"]
        points, blackjack = count(dealer)[0], len(dealer) == 2 and count(dealer)[0] == 21
        for at in [at for at in self.stakes if at.endswith("/insurance")]:
            won = len(dealer) > 1 and _POINTS[dealer[1]] == 10
            main = self.stakes[f"{at.partition('/')[0]}/main"]
            self.settle(at, "win" if won else "lose", 2 * min(self.stakes[at], main / 2) if won else 0)
        for at in self.late_pairs:
            self._settle_pairs(at)
        drawn = len(dealer) > 1 or any(len(hand) > 2 for hand in self.hands.values()) or self.split_boxes
        if (self.late_blackjacks or self.late_pairs) and not drawn:
            self.unslip()  # no card was drawn in between, so it was in time after all
        for place in self._open_hands():
            at = f"{place}/main"
            own = count(self.hands[place])[0]
            if self.natural(place) and not blackjack:
                self._pay_blackjack(place)
            elif own > 21 or (blackjack and not self.natural(place)) or own < points <= 21:
                self._lose(at)
            elif own > points or points > 21:
                self.settle(at, "win", min(self.amount(at), self.house["max"]))
            else:
                self.settle(at, "push")

    def _lose(self, at: str) -> None:
        over = self.amount(at) - self.house["max"]
        if over > 0 and self.stakes[at] == 600:
            self.chips(at, over, "dealer")
            self.pick_up(at)
        else:
            self.settle(at, "lose")

    def _unseen_settlement(self) -> None:
        self.add(log.Feed(t=0, state="lost"))
        seen = len(self.events)
        self._settle()
        del self.events[seen:]
        self.wait(5)
        self.add(log.Feed(t=0, state="back"))
        for (at, colour), amount in self.standing.items():
            if at in self.stakes:
                self.events.append(log.Chips(t=self.t, at=at, colour=colour, amount=amount))
        self._collect()

    def _collect(self) -> None:
        for place in [place for place in self._open_hands() if place != "dealer"]:
            self.gone(place)
        for place in sorted(self.settled):
            if count(self.hands[place])[0] <= 21:
                self.gone(place)
        self.gone("dealer")
