"""The cards of a Mini-Baccarat round: the tableau, who should have got which card, and what went wrong in the deal.

A round's cards are looked at in the order they left the shoe. Where they were dealt out of sequence, 9.4 puts them
where the sequence sends them; a table that left them as they lay is judged by what lies there, if that fits better.
"""

from typing import NamedTuple

from auditor.cards import JOKER
from auditor.findings import Finding
from auditor.game import status_of
from auditor.rounds import Round
from auditor.slots import Slot

PLAYER, BANKER = "player", "banker"
HANDS = (PLAYER, BANKER)
SEQUENCE = (PLAYER, BANKER, PLAYER, BANKER)  # 6.2
NAMES = {PLAYER: "Player", BANKER: "Banker"}

# 2.4: two to nine count their number, tens and court cards nothing, an ace one. Index: the card.
POINTS = (*(rank + 2 if rank < 8 else 0 for rank in range(12) for _ in range(4)), 1, 1, 1, 1, 0)
NATURAL = 8  # def. Natural
PLAYER_DRAWS = "DDDDDDSS"  # 7.2, by the Player's total
BANKER_DRAWS = (  # 7.3, by the Banker's total; columns: no card, then the value 0-9 of the Player's third card
    "DDDDDDDDDDD",
    "DDDDDDDDDDD",
    "DDDDDDDDDDD",
    "DDDDDDDDDSD",
    "DSSDDDDDDSS",
    "DSSSSDDDDSS",
    "SSSSSSSDDSS",
    "SSSSSSSSSSS",
)
FULL_HAND = 3


def total(cards: list[int]) -> int:
    """2.6: the last digit of the sum.

    >>> total([51, 30, 29])  # ace, nine, nine
    9
    """
    return sum(POINTS[card] for card in cards) % 10


def player_draws(points: int) -> bool:
    """7.2."""
    return PLAYER_DRAWS[points] == "D"


def banker_draws(points: int, third: int | None) -> bool:
    """7.3, by the value of the Player's third card, if there is one.

    >>> banker_draws(3, 8), banker_draws(6, None), banker_draws(6, 7)
    (False, False, True)
    """
    return BANKER_DRAWS[points][0 if third is None else third + 1] == "D"


class Hands(NamedTuple):
    """The two hands as the rules have them. `decided` says that no card is missing; `excess` belongs to neither."""

    player: list[Slot]
    banker: list[Slot]
    decided: bool
    faults: list[Finding]
    excess: list[Slot]

    @property
    def points(self) -> tuple[int, int]:
        """The Player's and the Banker's total."""
        return total([slot.card or 0 for slot in self.player]), total([slot.card or 0 for slot in self.banker])


class Deal:
    """The cards of a round in the order they left the shoe, held against 6.2."""

    def __init__(self, round: Round, cards: list[Slot]) -> None:
        self.round, self.cards = round, cards
        self.initial = tuple(slot.dealt_to for slot in cards[:4])
        self.in_sequence = self.initial == SEQUENCE[: len(cards)]
        self.undealt_n = round.undealt_n() if round.gaps else round.opened_n or 0
        gap = round.gap_after(self.undealt_n)
        # What happened while the view was lost may explain what was seen, or supply what was not.
        self.hidden = gap is not None and bool(cards) and gap.n < cards[-1].n
        self.played_out = gap is None and status_of(round) == "complete"

    def readings(self) -> list[Hands]:
        """The hands as reconstructed, and as they lie if the cards came out of sequence and allow it."""
        found = [self._hands(by_draw=True)]
        in_sequence = all(fault.family != "deal" for fault in found[0].faults)
        if not in_sequence and self._holds_two(PLAYER) and self._holds_two(BANKER):
            found.append(self._hands(by_draw=False))
        return found

    @property
    def hopeless(self) -> bool:
        """9.5: it cannot be reconstructed, because a card of the initial deal never came. What becomes of a round
        with a joker, which is reported, the rules do not say."""
        jokers = sum(slot.card == JOKER for slot in self.round.slots)
        return self.played_out and len(self.cards) + jokers < len(SEQUENCE)

    def _holds_two(self, place: str) -> bool:
        return sum(slot.place == place for slot in self.cards) > 1

    def _hands(self, *, by_draw: bool) -> Hands:
        faults = self._initial_faults()
        cards = self.cards
        if by_draw:
            player, banker, rest = [*cards[0:1], *cards[2:3]], [*cards[1:2], *cards[3:4]], cards[4:]
        else:
            player, banker = ([slot for slot in cards if slot.place == place][:2] for place in HANDS)
            rest = [slot for slot in cards if slot not in player and slot not in banker]
        if len(cards) < len(SEQUENCE):
            return Hands(player, banker, False, faults, [])
        thirds = _Thirds(self, player, banker, rest, by_draw=by_draw)
        decided = thirds.decided and not (self.hidden and (faults or thirds.faults))
        return Hands(thirds.player, thirds.banker, decided, faults + thirds.faults, thirds.rest)

    def _initial_faults(self) -> list[Finding]:
        """6.2: Player, Banker, Player, Banker."""
        if len(self.cards) < len(SEQUENCE) and self.played_out:
            # A card that is not of the deck, and reported as such, was dealt all the same.
            short = [place for place in HANDS if self.initial.count(place) < 2 and len(self.round.hand(place)) < 2]
            return [self._wrong_count(place) for place in short]
        if self.in_sequence:
            return []
        if self.played_out and not (self._holds_two(PLAYER) and self._holds_two(BANKER)):
            return [self._wrong_count(place) for place in HANDS]
        for slot, due in zip(self.cards, SEQUENCE, strict=False):
            if slot.dealt_to != due:
                return [_out_of_sequence(slot, due, "6.2")]
        return []

    def _wrong_count(self, place: str) -> Finding:
        got = sum(slot.place == place for slot in self.cards)
        t = self.cards[-1].t if self.cards else self.round.closed
        return Finding(
            kind="deal.count", rule="6.2", t=t, at=place, expected=2, observed=got,
            message=f"In the initial deal the {NAMES[place]} is dealt 2 cards, {got} lay there.",
        )


class _Thirds:
    """6.4, 7.2, 7.3 and 9.1: what becomes of the cards that follow the initial deal."""

    def __init__(self, deal: Deal, player: list[Slot], banker: list[Slot], rest: list[Slot], *, by_draw: bool) -> None:
        self.deal, self.player, self.banker, self.rest = deal, list(player), list(banker), list(rest)
        self.by_draw = by_draw
        self.shifted = by_draw and not deal.in_sequence
        self.faults: list[Finding] = []
        self.decided = True
        self.points = [total([slot.card or 0 for slot in hand]) for hand in (player, banker)]
        if max(self.points) < NATURAL:
            self._draw()
        for slot in self.rest:
            self._one_too_many(slot)

    def _draw(self) -> None:
        on_player, on_banker = self.points
        if player_draws(on_player):
            third = self._players_third()
            if third is None:
                self._missing(PLAYER, "7.2", f"has {on_player} and must draw")
                # Without that card only what every column of 7.3 says of the Banker is certain.
                answers = {banker_draws(on_banker, value) for value in (None, *range(10))}
                if answers == {True} and not self.rest:
                    self._missing(BANKER, "7.3", f"has {on_banker} and must draw whatever the Player's third card")
                if answers != {False}:
                    self.banker += self.rest[:1]
                    del self.rest[:1]
                return
            self.player.append(third)
        value = POINTS[self.player[2].card or 0] if len(self.player) == FULL_HAND else None
        if banker_draws(on_banker, value):
            against = "no third card" if value is None else f"a third card of {value}"
            if not self.rest:
                self._missing(BANKER, "7.3", f"has {on_banker} against {against} and must draw")
                return
            slot = self.rest.pop(0)
            self.banker.append(slot)
            if slot.dealt_to == PLAYER and not self.shifted:
                self._dealt_in_error(slot)

    def _players_third(self) -> Slot | None:
        """The Player draws before the Banker; 9.4 puts it right if the cards came the other way round."""
        if self.shifted:
            return self.rest.pop(0) if self.rest else None
        own = next((slot for slot in self.rest if PLAYER in (slot.dealt_to, slot.place)), None)
        if own is None:
            return None
        first = self.rest[0]
        if first.dealt_to != PLAYER:
            self.faults.append(_out_of_sequence(first, PLAYER, "7.1"))
            self.shifted = self.by_draw
        third = first if self.by_draw else own
        self.rest.remove(third)
        return third

    def _missing(self, place: str, rule: str, why: str) -> None:
        self.decided = False
        if self.deal.played_out:
            self.faults.append(
                Finding(
                    kind="draw.missing", rule=rule, t=self.deal.round.closed, at=place,
                    message=f"The {NAMES[place]} {why}, but got no card.",
                )
            )

    def _dealt_in_error(self, slot: Slot) -> None:
        why = f"has {FULL_HAND} cards" if len(self.player) == FULL_HAND else f"stands on {self.points[0]}"
        message = f"The Player {why}: {slot.text} was dealt there in error and is the Banker's card."
        self._add_excess(slot, "9.1", message)

    def _one_too_many(self, slot: Slot) -> None:
        place = slot.dealt_to
        held = len(self.player if place == PLAYER else self.banker)
        on_player, on_banker = self.points
        if max(on_player, on_banker) >= NATURAL:
            rule, why = "6.4", f"{on_player} against {on_banker} is a natural, nobody draws"
        elif held >= FULL_HAND:
            rule, why = "7.1", f"The {NAMES[place]} has its third card"
        else:
            rule, points = ("7.2", on_player) if place == PLAYER else ("7.3", on_banker)
            why = f"The {NAMES[place]} stands on {points}"
            if place == BANKER and len(self.player) == FULL_HAND:
                why += f" against a third card of {POINTS[self.player[2].card or 0]}"
        self._add_excess(slot, rule, f"{why}: {slot.text} was drawn all the same.")

    def _add_excess(self, slot: Slot, rule: str, message: str) -> None:
        if all(fault.kind != "draw.excess" or fault.at != slot.dealt_to for fault in self.faults):
            self.faults.append(
                Finding(kind="draw.excess", rule=rule, t=slot.t, at=slot.dealt_to, observed=slot.text, message=message)
            )


def _out_of_sequence(slot: Slot, due: str, rule: str) -> Finding:
    return Finding(
        kind="deal.order", rule=rule, t=slot.t, at=slot.dealt_to, expected=due, observed=slot.dealt_to,
        message=f"The card was due to the {NAMES[due]}, but the {NAMES[slot.dealt_to]} got it.",
    )
