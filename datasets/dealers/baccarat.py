"""A mini-baccarat table: up to seven players, a shoe of eight decks with a cutting card, cards burnt at its start."""

from typing import Any

from datasets.dealer import HOUSE_BANKED, NO_TILES, NO_WHEEL
from datasets.dealers.baccarat_shoe import DECKS, POINTS, BaccaratShoe

HANDS = ("player", "banker")
# The third cards of the Player's hand on which a Banker's hand of that total draws; "-": the Player stood.
BANKER_DRAWS = {3: "-012345679", 4: "-234567", 5: "-4567", 6: "67", 7: ""}


def total(cards: list[str]) -> int:
    """The point count of a hand.

    >>> total(["9h", "7c", "Kd"])
    6
    """
    return sum(POINTS[card] for card in cards) % 10


def banker_draws(points: int, third: str | None) -> bool:
    """Whether the Banker's hand draws, given the Player's third card.

    >>> banker_draws(6, "7h"), banker_draws(6, None), banker_draws(3, "8c")
    (True, False, False)
    """
    return points < 3 or ("-" if third is None else str(POINTS[third])) in BANKER_DRAWS.get(points, "")


class BaccaratDealer(BaccaratShoe):
    """Deals Tournament Mini-Baccarat, face up or face down."""

    rulebook = "act-baccarat"
    seats = 7
    mistakes: tuple[str, ...] = (
        "deal.order", "deal.count", "deal.facing", "deal.burn", "card.duplicate", "card.foreign", "draw.missing",
        "draw.excess", "bet.late", "bet.moved", "bet.limit", "bet.multiple", "bet.invalid", "bet.order",
        "payout.short", "payout.over", "payout.missed", "payout.loser_paid", "payout.winner_taken",
        "payout.push_taken", "payout.order", "button.move", "round.not_voided", "shuffle.missing", "view.gap",
    )  # fmt: skip
    cannot = HOUSE_BANKED | NO_WHEEL | NO_TILES | {
        "deal.exposed": "the cards are dealt face up; only a table that deals them face down (2.2) can have it",
        "deal.missed": "no cards are dealt to boxes; a hand that lacks one is deal.count or draw.missing",
        "deal.extra": "no cards are dealt to boxes; a hand that has one too many is draw.excess",
        "deal.no_wager": "no cards are dealt to boxes",
        "card.count": "the log carries no count of the whole shoe",
        "bet.amount": "no wager depends on another",
        "payout.cap": "no maximum payout applies to baccarat",
        "commission.over": "8.1: both sides are paid even money, without commission",
    }

    def default_house(self) -> dict[str, Any]:
        return {"face": "up", "min": 10, "max": 500, "multiple": 5, "tournament": True}

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.no_betting = False
        self.up = self.house.get("face", "up") == "up"
        if not self.up:
            self.rule_out("deal.facing", "the cards are dealt face down (2.2)")
            del self.cannot["deal.exposed"]
            self.mistakes = (*self.mistakes, "deal.exposed")

    def may(self, mistake: str) -> bool:
        return not self.no_betting and super().may(mistake)

    def play(self) -> None:
        self.hands: dict[str, list[str]] = {name: [] for name in HANDS}
        self.up_already: tuple[str, str] | None = None
        self.sit_down()
        self.shuffle_if_due()
        self.move_marker()
        if not self.no_betting:
            self.wagers(self._bet)
        self.no_betting = False
        self.call("no_more_bets")
        if self._initial_deal():
            self._additional_cards()
            if self.slip("view.gap", None, 1):
                self.unseen(self._settle)
                self.seen = {}  # the shoe may have been changed unseen
            else:
                self._settle()
        for name in HANDS:
            if self.hands[name]:
                self.gone(name)
        unclear = self.called_off or self._mistake in ("deal.count", "round.not_voided", "draw.missing")
        self.next_shuffle(tie=None if unclear else total(self.hands["player"]) == total(self.hands["banker"]))

    def _bet(self, box: str) -> None:
        side, other = self.chance.sample(HANDS, 2)
        likes_ties = self.chance.random()
        if likes_ties > 0.08:
            at = f"{box}/{side}"
            self.stake(at, self.opening(at), seconds=2)
            if self.slip("bet.invalid", f"{box}/{other}", 0.4):
                self.stake(f"{box}/{other}", self.opening(f"{box}/{other}"))
        if likes_ties < 0.3:
            self.stake(f"{box}/tie", self.opening(f"{box}/tie"))

    def _give(self, name: str) -> str:
        """One card to a hand; what is dealt face down is turned when the hand is exposed."""
        card = self.draw()
        self.hands[name].append(card)
        if self.seen.get(card, 0) > DECKS:
            self.slip("card.duplicate", name, 1)
        if self.up and self.slip("deal.facing", name, 0.2):
            self.card(name, "??")
            self.turn(name, card)
        elif not self.up and len(self.hands[name]) < 3 and self.slip("deal.exposed", name, 0.2):
            self.card(name, card)
            self.up_already = name, card
        else:
            self.card(name, card if self.up else "??")
        return card

    def _initial_deal(self) -> bool:
        """Two cards each; False if that was the end of the round."""
        order = [*HANDS, *HANDS]
        swapped = lacking = None
        if self.slip("deal.order", None, 1):
            swapped = self.chance.randrange(3)
            order[swapped], order[swapped + 1] = order[swapped + 1], order[swapped]
            self.place_slip(order[swapped])
        elif self.told("deal.count", "round.not_voided"):
            lacking = order.pop(self.chance.randrange(4))
        touched = self.chance.randint(1, 3)
        dealt = []
        for number, name in enumerate(order, 1):
            if self.slip("card.foreign", name, 0.2) and self._stranger(name):
                return False
            dealt.append(self._give(name))
            if number == touched:
                free = [f"box{box}/{spot}" for box in range(1, self.seats + 1) for spot in (*HANDS, "tie")]
                self.disturb([at for at in free if at not in self.stakes])
        for name, card in zip(order, dealt, strict=True):
            self._turn_up(name, card)  # 6.3
        if swapped is not None:
            self._exchange(order[swapped], dealt[swapped], order[swapped + 1], dealt[swapped + 1])
        if lacking is not None:
            self._count_unnoticed(lacking)
        return lacking is None

    def _stranger(self, name: str) -> bool:
        """A joker is replaced by the next card, or the director gives the round up (11.4)."""
        self.card(name, "Jkr", up=True)
        given_up = self.chance.random() < 0.5
        if given_up:
            self.call_off("void")
        self.gone(name, cards=["Jkr"])
        return given_up

    def _exchange(self, early: str, first: str, late: str, second: str) -> None:
        """9.4: two cards that were dealt out of sequence change places."""
        self.gone(early, late, cards=[first])
        self.gone(late, early, cards=[second])
        for name, lost, found in ((early, first, second), (late, second, first)):
            self.hands[name].remove(lost)
            self.hands[name].append(found)

    def _count_unnoticed(self, lacking: str) -> None:
        """A hand lacks a card, and the round is settled all the same (9.5)."""
        if self.slip("deal.count", lacking, 1):
            self.companion("round.not_voided", None)
        elif self.slip("round.not_voided", None, 1):
            self.companion("deal.count", lacking)
        self._settle()

    def _turn_up(self, name: str, card: str) -> None:
        if self.up_already == (name, card):
            self.up_already = None
        elif not self.up:
            self.turn(name, card)

    def _additional_cards(self) -> None:
        player, banker = total(self.hands["player"]), total(self.hands["banker"])
        if max(player, banker) > 7:
            for name in self.chance.sample(HANDS, 2):
                self._excess(name)
            return
        third = None
        if player > 5:
            if self._excess("player", obliged=banker_draws(banker, None)):
                return
        elif not (banker in (0, 1, 2, 7) and self.slip("draw.missing", "player", 0.5)):
            third = self._third("player")
        if not banker_draws(banker, third):
            self._excess("banker")
        elif not self.slip("draw.missing", "banker", 0.3):
            self._settle_too_soon()
            self._third("banker")

    def _third(self, name: str) -> str:
        card = self._give(name)
        self._turn_up(name, card)
        return card

    def _excess(self, name: str, *, obliged: bool = False) -> bool:
        """A card too many: the Banker's if it must draw (9.1), else the first of the next round (9.2, 9.3)."""
        if not obliged and (len(self.coming) > 1 or self.shuffle_in is not None or self.cut_at > len(self.shoe) - 8):
            return False  # the next round has a task of its own, or begins with a new shoe
        if not self.slip("draw.excess", name, 0.5):
            return False
        card = self.draw()
        if obliged:
            self.card(name, card)
            self.gone(name, "banker", cards=[card])
            self.hands["banker"].append(card)
            return True
        self.no_betting = self.chance.random() < 0.7
        self.card(name, card if self.no_betting else "??")
        self.gone(name, "shoe", cards=[card if self.no_betting else "??"])
        self.excess = card
        return True

    def _settle(self) -> None:
        """Losing wagers are taken first, then the others are paid or left."""
        spots = sorted(self.stakes, key=lambda at: int(at.partition("/")[0][3:]))
        results = self._results(self.hands["banker"])
        for at in sorted(spots, key=lambda at: results[at] != "lose"):
            odds = 8 if at.endswith("/tie") else 1
            if at.endswith("/banker") and results[at] == "win" and self.slip("payout.short", at, 0.2):
                self.pay(at, self.counted(at) * 0.95)  # as in cash games, where Banker wins cost five per cent
            else:
                self.settle_opening(at, results[at], odds)

    def _settle_too_soon(self) -> None:
        """A wager is paid or taken before the Banker's third card decides it."""
        results = self._results([*self.hands["banker"], self.shoe[-1]])
        decided = [at for at, result in results.items() if result != "push" and self.counted(at) == self.stakes[at]]
        if decided and self.told("payout.order"):
            at = self.chance.choice(decided)
            self.slip("payout.order", at, 1)
            self.settle_opening(at, results[at], 8 if at.endswith("/tie") else 1)
            del self.stakes[at]

    def _results(self, banker: list[str]) -> dict[str, str]:
        """What becomes of every wager if those are the Banker's cards."""
        ahead = total(self.hands["player"]) - total(banker)
        winner = "tie" if not ahead else "player" if ahead > 0 else "banker"
        return {at: self._result(at.partition("/")[2], winner) for at in self.stakes}

    @staticmethod
    def _result(spot: str, winner: str) -> str:
        if spot == winner:
            return "win"
        return "push" if winner == "tie" else "lose"
