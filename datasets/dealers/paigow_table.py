"""A pai gow table up to the moment when all tiles lie: shuffle, marker, wagers, dice and the deal.

>>> first_box((2, 1, 2)), first_box((5, 4, 6))
(5, 7)
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from auditor import log, tiles
from datasets.dealer import Dealer

BANK = "box1"


def first_box(faces: Sequence[int]) -> int:
    """8.4: counted from the Chung on box 1, which is 1, 9 and 17."""
    return (sum(faces) - 1) % 8 + 1


class PaiGowTable(Dealer):
    """Brings wagers and tiles to the table."""

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.marker = 1
        self.last_boxes: list[int] = []
        self.played = 0
        self.gap_before = False  # what goes unseen between two rounds cannot be missed
        self.boxes: list[int] = []
        self.stakes: dict[str, float] = {}
        self.hands: dict[str, list[int]] = {}
        self.lying: Counter[str] = Counter()
        self.exposed = ("", "")

    def shuffle(self) -> bool:
        """Shuffle and cut for every round (8.1, 8.2); whether a tile was exposed in it (13.2)."""
        deck = list(tiles.FULL_SET)
        self.chance.shuffle(deck)
        self.hands = {f"box{box}": deck[4 * box - 4 : 4 * box] for box in range(1, 9)}
        if not (self.played and not self.gap_before and self.slip("shuffle.missing", None, 1)):
            self.wait(15)
            self.add(log.Shuffle(t=0, by="dealer"))
        spoilt = self.told("round.not_voided") or (self.told("deal.exposed") and self.chance.random() < 0.25)
        before_cut = self.chance.random() < 0.5
        if spoilt and before_cut:
            self._show_at_stack()
        self.wait(5)
        self.add(log.Cut(t=0, by="dealer"))
        if spoilt and not before_cut:
            self._show_at_stack()
        if spoilt and self.slip("round.not_voided", None, 1):
            self.companion("deal.exposed", "shoe")
        return spoilt

    def _show_at_stack(self) -> None:
        self.wait(1)
        self.add(log.Tile(t=0, at="shoe", tile=tiles.name(self.chance.choice(tiles.FULL_SET)), up=True))

    def misdeal(self) -> None:
        """13.3: the round is void, the wagers go back or stay for the next."""
        self.call("misdeal")
        for at in self.stakes:
            if self.chance.random() < 0.6:
                self.pick_up(at)
        self.last_boxes = self.boxes

    def move_marker(self) -> None:
        """The marker goes to the next player anticlockwise, the way the boxes are numbered."""
        seats = sorted({*self.last_boxes, *self.boxes})
        following = next((box for box in seats if box > self.marker), seats[0])
        crowd = len(self.last_boxes) > 2 and len(self.boxes) > 2
        if crowd and not self.gap_before and self.slip("button.move", None, 1):
            following = self.marker
        self.marker, self.last_boxes = following, self.boxes
        self.wait(1)
        self.add(log.Marker(t=0, at=f"box{self.marker}"))

    # ---- wagers ----

    def wagers(self) -> None:
        turns = sorted(self.boxes, key=lambda box: (box - self.marker) % 8)
        turns = [box for box in turns if f"box{box}/main" not in self.stakes]
        if len(turns) > 1 and self.slip("bet.order", None, 1):
            spot = self.chance.randrange(len(turns) - 1)
            turns[spot], turns[spot + 1] = turns[spot + 1], turns[spot]
            self.place_slip(f"box{turns[spot]}/main")
        for box in turns:
            at = f"box{box}/main"
            stake = self.chance.choice((10, 15, 20, 25, 50, 50, 100, 200, 500))
            if self.slip("bet.limit", at, 0.3):
                stake = self.chance.choice((5, 505, 600, 1000))
            elif self.slip("bet.multiple", at, 0.3):
                stake -= self.chance.choice((1, 2, 3)) if stake > 10 else -2
            self.chips(at, stake, "player", seconds=2)
            self.stakes[at] = stake
        if self.slip("bet.invalid", f"{BANK}/main", 1):
            self.chips(f"{BANK}/main", 25, "player")

    def disturb_wagers(self, likelihood: float) -> None:
        """Wagers touched after betting closed (7.1, 7.4)."""
        empty = [box for box in range(2, 9) if box not in self.boxes]
        late = f"box{self.chance.choice(empty)}/main" if empty else ""
        if empty and self.slip("bet.late", late, likelihood):
            self.chips(late, self.chance.choice((10, 25, 50)), "player")
            self.chips(late, 0, "player", seconds=1.5)
        at = self.chance.choice(list(self.stakes))
        if self.slip("bet.moved", at, likelihood):
            stake = self.stakes[at]
            self.chips(at, self.chance.choice((stake + 25, stake / 2, 0)), "player")
            self.chips(at, stake, "player", seconds=1.5)

    # ---- dice and tiles ----

    def dice(self) -> list[int]:
        """The cup is shaken until all dice lie flat (13.1)."""
        while True:
            self.wait(5)
            faces = [self.chance.randint(1, 6) for _ in range(3)]
            if self.chance.random() > 0.04:
                self.add(log.Dice(t=0, faces=list(faces)))
                return faces
            crooked: list[int | None] = list(faces)
            crooked[self.chance.randrange(3)] = None
            self.add(log.Dice(t=0, faces=crooked))

    def deal(self, first: int) -> None:
        self.lying = Counter()
        if self.slip("deal.first_box", None, 1):
            first = (first + self.chance.randrange(1, 8) - 1) % 8 + 1
            self.place_slip(f"box{first}")
        order = [f"box{(first + turn - 1) % 8 + 1}" for turn in range(8)]
        groups = [(place, 4) for place in order]
        if self.slip("deal.order", None, 1):
            groups = self._wrong_order(order)
        shown = self.chance.randrange(32) if self.told("deal.exposed") else -1
        for place, number in groups:
            idle = place != BANK and int(place[3]) not in self.boxes
            if idle and self.slip("deal.missed", place, 0.3):
                number = 0
            elif idle and self.slip("deal.count", place, 0.1):
                number = self.chance.choice((2, 3))
            for _ in range(number):
                self._tile(place, up=self.lying.total() == shown and self.slip("deal.exposed", place, 1))
            surplus = 1 if self.slip("deal.extra", place, 0.15) else 2 if self.slip("deal.count", place, 0.15) else 0
            for _ in range(surplus):
                self._tile(place, up=False)
            if surplus:
                self.gone(place, "shoe", n=surplus)
                self.lying[place] -= surplus

    def _wrong_order(self, order: list[str]) -> list[tuple[str, int]]:
        """Two neighbours exchanged, their tiles mixed up, or the whole deal clockwise."""
        spot = self.chance.randrange(1, 7)
        one, two = order[spot : spot + 2]
        swapped = self.chance.choice(([(two, 4), (one, 4)], [(one, 3), (two, 1), (one, 1), (two, 3)]))
        groups = [(place, 4) for place in order]
        if self.chance.random() < 0.3:
            self.place_slip(order[-1])
            return groups[:1] + groups[:0:-1]
        self.place_slip(two)
        return groups[:spot] + swapped + groups[spot + 2 :]

    def _tile(self, place: str, *, up: bool) -> None:
        self.wait(0.3)
        name = tiles.name(self.hands[place][self.lying[place]]) if up else "??"
        if up:  # the face seen first is not turned again
            self.exposed = (place, name)
        self.add(log.Tile(t=0, at=place, tile=name))
        self.lying[place] += 1
