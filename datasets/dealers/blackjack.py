"""A blackjack table: up to five boxes, players of mixed sense, a shoe of six decks with a cutting card."""

from typing import Any

from auditor import log
from datasets.dealer import HOUSE_BANKED, NO_DECK_COUNT, NO_TILES, NO_WHEEL
from datasets.dealers.blackjack_settlement import BlackjackSettlement
from datasets.dealers.blackjack_shoe import POINTS, count


class BlackjackDealer(BlackjackSettlement):
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
        self.marker = 0
        self.last_boxes: list[int] = []

    # ---- a round ----

    def play(self) -> None:
        self.hands, self.stakes, self.settled, self.split_boxes = {}, {}, set(), set()
        self.original: dict[str, float] = {}
        self.boxes = self.boxes_taken()
        self.shuffle_if_due()
        self._move_marker()
        self._wagers()
        self.call("no_more_bets")
        self._deal()
        self._disturb_wagers()
        self.interim()
        if self.up_points == 11:
            self._insure()
        for box in self.boxes:
            self._act(f"box{box}")
        self._dealer_draws()
        if self.slip("view.gap", None, 1):
            self.unseen_settlement()
            return
        self.final_settlement()
        self.collect()

    def boxes_taken(self) -> list[int]:
        """Players come and go."""
        return sorted(self.chance.sample(range(1, 6), self.chance.randint(1, 5)))

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
        equal = len(hand) == 2 and POINTS[hand[0]] == POINTS[hand[1]]
        made = sum(other.partition("#")[0] == place.partition("#")[0] for other in self.hands)
        aces = hand[0][0] == "A" and made > 1
        small = self.stakes[f"{place.partition('#')[0]}/main"] <= self.house["max"]
        wish = 0.7 if POINTS[hand[0]] in (8, 11) else 0.2
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
            self.lose(at)
            self.gone(place)
            self.settled.add(place)
        else:
            self.call("stand", place, "player")

    # ---- dealer ----

    def _dealer_draws(self) -> None:
        hand = self.hands["dealer"]
        waiting = [place for place in self.open_hands() if place not in self.late_blackjacks]
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
