"""Games dealt face down from one deck that is shuffled for every round."""

from typing import Any

from auditor import log
from auditor.cards import NAMES
from datasets.seats import SeatedDealer


class OneDeckDealer(SeatedDealer):
    """`hands` are the cards as they are, `up` those of them that lie face up."""

    def __init__(self, seed: int, house: dict[str, Any] | None = None) -> None:
        super().__init__(seed, house)
        self.deck: list[str] = []
        self.hands: dict[str, list[str]] = {}
        self.up: set[tuple[str, int]] = set()

    def shuffle(self, *, cut: bool = True) -> None:
        """The dealer shuffles, and cuts unless a machine does both."""
        self.deck, self.hands, self.up = list(NAMES[:52]), {}, set()
        self.chance.shuffle(self.deck)
        if self.slip("shuffle.missing", None, 1):
            return
        self.wait(8)
        self.add(log.Shuffle(t=0, by="dealer"))
        if cut:
            self.wait(4)
            self.add(log.Cut(t=0, by="dealer"))

    # ---- dealing ----

    def out_of_order(self, order: list[str], *, any_box: bool = False) -> None:
        """Two cards are dealt in the wrong sequence, if told so; with `any_box` boxes may be served in any order."""
        if self.told("deal.order"):
            kinds = [place.rstrip("123456789") if any_box else place for place in order]
            n = self.chance.choice([n for n in range(len(order) - 1) if kinds[n] != kinds[n + 1]])
            order[n], order[n + 1] = order[n + 1], order[n]
            self.slip("deal.order", order[n], 1)

    def miscount(self, order: list[str]) -> tuple[str, str] | None:
        """Make some hand of a dealing sequence a card too big or too small; the kind and place it is found by."""
        kinds = [kind for kind in ("deal.extra", "deal.missed", "deal.count") if self.told(kind, "round.not_voided")]
        if not kinds:
            return None
        kind = self.chance.choice(kinds)
        places = sorted({place for place in order if place.startswith("box") != (kind == "deal.count")})
        place = self.chance.choice(places)
        spot = self.chance.choice([n for n, each in enumerate(order) if each == place])
        if kind == "deal.extra" or (kind == "deal.count" and self.chance.random() < 0.5):
            order.insert(spot, place)
        else:
            del order[spot]
        return kind, place

    def give(self, place: str, *, up: bool = False) -> None:
        """The next card, face down unless said otherwise."""
        card = self.deck.pop()
        hand = self.hands.setdefault(place, [])
        if up:
            self.up.add((place, len(hand)))
        hand.append(card)
        self.card(place, card if up else "??")

    def show(self, place: str, first: int = 0, last: int | None = None) -> None:
        """Turn up the cards of a place that do not lie face up yet."""
        for number, card in list(enumerate(self.hands.get(place, [])))[first:last]:
            if (place, number) not in self.up:
                self.up.add((place, number))
                self.turn(place, card)

    def collect(self, *places: str) -> None:
        """Cards go to the discard rack: those of the places named, or all that are left."""
        for place in places or sorted(self.hands, key=lambda place: (not place.startswith("box"), place)):
            if self.hands.pop(place, None):
                self.gone(place)
