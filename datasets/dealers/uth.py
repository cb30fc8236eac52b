"""An Ultimate Texas Hold-em table: up to six players, a card shoe or an automated shuffling shoe."""

from typing import Any

from auditor.cards import RANKS
from auditor.hands import UTH, Category, category
from datasets.dealer import HOUSE_BANKED, NO_TILES, NO_WHEEL
from datasets.dealers.uth_settlement import UltimateSettlement, value

class UltimateDealer(UltimateSettlement):
    """Deals Ultimate Texas Hold-em."""

    rulebook = "act-uth"
    seats = 6
    mistakes: tuple[str, ...] = (
        "deal.order", "deal.count", "deal.exposed", "deal.missed", "deal.extra", "deal.no_wager", "card.duplicate",
        "card.foreign", "bet.late", "bet.moved", "bet.limit", "bet.multiple", "bet.invalid", "bet.order",
        "bet.amount", "payout.short", "payout.over", "payout.missed", "payout.loser_paid", "payout.winner_taken",
        "payout.push_taken", "payout.order", "payout.cap", "round.not_voided", "shuffle.missing", "view.gap",
    )  # fmt: skip
    cannot = HOUSE_BANKED | NO_WHEEL | NO_TILES | {
        "deal.facing": "all cards are dealt face down (7.2, 7.3)",
        "deal.burn": "no card is burnt",
        "card.count": "the log carries no count of the whole deck",
        "draw.missing": "nobody draws",
        "draw.excess": "nobody draws",
        "button.move": "16.16 does not say where the starting marker goes next",
        "action.order": "8.1 to 8.5 let players decide in any order",
    }

    def default_house(self) -> dict[str, Any]:
        return {"shoe": "card", "min": 10, "max": 500, "multiple": 5, "max_payout": 250, "tournament": True}

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.machine = self.house.get("shoe", "card") == "auto"
        if self.machine:
            self.rule_out("shuffle.missing", "the automated shoe shuffles inside, where nobody sees it")

    # ---- a round ----

    def play(self) -> None:
        self.sit_down()
        self.shuffle(cut=not self.machine)
        self.move_marker()
        alone = self._alone()
        self.wagers(self._bet, alone)
        self.call("no_more_bets")
        if self._deal() and self._rounds_of_betting():
            self.dealers_hand()
        self.give_back()
        self.collect()

    def _alone(self) -> list[int]:
        """4.3: trips need an ante and a blind; somebody places them alone if told so."""
        if self.empty_boxes and self.told("bet.invalid"):
            box = self.chance.choice(self.empty_boxes)
            self.slip("bet.invalid", f"box{box}/trips", 1)
            return [box]
        return []

    def _bet(self, box: str) -> None:
        if int(box[3:]) not in self.boxes:
            self.stake(f"{box}/trips", 25)
            return
        ante, blind, trips = f"{box}/ante", f"{box}/blind", f"{box}/trips"
        slipped = self.slipped
        amount = self.opening(ante, over=False)
        if self.slipped and not slipped:
            self.companion(str(self._mistake), blind)
        self.stake(ante, amount, seconds=2)
        if self.slip("bet.amount", blind, 0.1):
            amount += self.chance.choice([5, amount] if amount < 15 else [5, -5, amount])
        self.stake(blind, amount)
        if self.chance.random() < 0.5:
            self.stake(trips, self.opening(trips))

    # ---- dealing ----

    def _order(self, boxes: list[str]) -> list[str]:
        if self.machine:
            return ["board"] * 5 + [box for box in boxes for _ in range(2)] + ["dealer"] * 2
        return ["board"] * 5 + [*boxes, "dealer"] * 2

    def _deal(self) -> bool:
        """False if that was the end of the round."""
        self.playing = [f"box{box}" for box in self.boxes]
        self.stranger = ""
        served = self.boxes
        if self.empty_boxes and self.slip("deal.no_wager", None, 1):
            stranger = self.chance.choice(self.empty_boxes)
            self.stranger = f"box{stranger}"
            self.place_slip(self.stranger)
            served = sorted([*served, stranger])
        order = self._order([f"box{box}" for box in served])
        self.out_of_order(order, any_box=not self.machine)
        exposed = self._exposure(len(order))
        wrong = None if exposed is not None else self.miscount(order)
        touched = self.chance.randrange(len(order))
        for number, place in enumerate(order):
            self.give(place, up=number == exposed)
            if number == touched:
                self._disturb()
            if number == exposed:
                wrong = ("deal.exposed", place)
                if self.told("deal.exposed") and self.chance.random() < 0.5:
                    break
        if wrong is not None:
            return self._go_on(*wrong)
        if self.stranger and self.chance.random() < 0.5:
            self.call_off("void")  # 13.6(a): nobody has handled the cards
            return False
        return True

    def _exposure(self, cards: int) -> int | None:
        """13.2: one of the cards is dealt face up."""
        if self.told("deal.exposed", "round.not_voided") and self.chance.random() < 0.3:
            return self.chance.randrange(cards)
        return None

    def _go_on(self, kind: str, place: str) -> bool:
        """13.1, 13.2: this is a misdeal, but that is overlooked if told so."""
        if self.slip("round.not_voided", None, 1):
            self.companion(kind, place)
            return True
        self.slip(kind, place, 1)
        self.call_off("misdeal")
        return False

    def _disturb(self) -> None:
        free = [f"box{box}/{spot}" for box in range(1, 7) for spot in ("ante", "blind", "trips")]
        self.disturb(at for at in free if at not in self.stakes)

    # ---- betting ----

    def _rounds_of_betting(self) -> bool:
        """Decisions before the flop, after it and on the river; False if the round was called off or all folded."""
        self.bettors: set[str] = set()
        for first, last, sizes in ((0, 3, (4, 4, 4, 3)), (3, 5, (2,)), (5, 5, (1,))):
            if self.slip("card.foreign", "board", 0.2) or self.slip("card.duplicate", "board", 0.2):
                return self._strange_card(first)
            for box in [box for box in self.playing if box not in self.bettors]:
                if self._early_card(first):
                    return False
                self._decide(box, first, sizes)
                self._void_stranger()
            if not self.playing:
                if self._mistake in ("bet.invalid", "deal.exposed"):
                    self.unslip()  # with nobody left, how such a round is to be judged is open
                return False
            self.show("board", first, last)
        return True

    def _decide(self, box: str, seen: int, sizes: tuple[int, ...]) -> None:
        likes = self._likes(box, seen)
        if likes:
            self._play_wager(box, self.chance.choice(sizes))
        elif seen == 5 or self.chance.random() < 0.03:
            self._fold(box)
        else:
            self.call("check", box, "player")

    def _likes(self, box: str, seen: int) -> bool:
        """Whether the player bets: mostly sensible."""
        mood = self.chance.random()
        hole, board = self.hands[box][:2], self.hands["board"][:seen]
        high, low = sorted((RANKS.index(card[0]) for card in (hole * 2)[:2]), reverse=True)
        if not seen:
            good = high == 12 or (high == low > 0) or high + low > 18
            return mood < (0.85 if good else 0.04)
        made = category(value([*hole, *board]), UTH) if len(hole) + seen > 4 else Category.HIGH_CARD
        paired = any(card[0] == other[0] for card in hole for other in [*board, *hole] if card != other)
        good = paired or made not in (Category.HIGH_CARD, Category.PAIR)
        return mood < (0.9 if good else 0.05 if seen == 3 else 0.3)

    def _play_wager(self, box: str, times: int) -> None:
        at = f"{box}/play"
        ante = self.stakes[f"{box}/ante"]
        amount = times * ante
        if self.slip("bet.amount", at, 0.3):
            amount += self.chance.choice([-5, 5, 2 * ante, -2 * ante] if times > 2 else [-5, 5, 2 * ante])
        self.stake(at, amount, seconds=1.5)
        self.bettors.add(box)

    def _fold(self, box: str) -> None:
        self.call("fold", box, "player")
        self.collect(box)
        self.playing.remove(box)
        self.take_all(box)

    def _void_stranger(self) -> None:
        """13.6(b): players have handled their cards, so only the hand without wagers is void."""
        if self.stranger in self.hands:
            self.call("void", self.stranger)
            self.collect(self.stranger)

    # ---- cards seen too early, or that should not be there ----

    def _early_card(self, seen: int) -> bool:
        """13.4, 13.5: the dealer lets a card be seen; True if that is a misdeal."""
        if self.chance.random() < 0.5 and seen < 5:
            if self.slip("deal.exposed", "board", 0.3):
                self.show("board", seen, seen + 1)
            return False
        if (not seen or self.bettors) and self.slip("deal.exposed", "dealer", 0.3):
            self.show("dealer", 0, 1)
            if not self.bettors:
                self.call_off("misdeal")
                return True
        return False

    def _strange_card(self, first: int) -> bool:
        """13.7: a joker, or a card that was seen already, turns up: the round is void."""
        place, number = "board", first
        if first == 5:
            place, number = "dealer", 0
            self.place_slip("dealer")
            self.call("dealer_hand")
        elif not first:
            self.show("board", 0, 1)
            number = 1
        self.replace(place, number, self.hands["board"][0])
        self.call_off("void")
        return False
