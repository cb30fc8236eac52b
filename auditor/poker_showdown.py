"""The showdown: which hands were shown, what they are worth, and who had to show first.

A hand that was never shown cannot be ranked; what cannot be ranked is not claimed.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from auditor.findings import Finding
from auditor.hands import category, describe, describe_low
from auditor.outcomes import amount_text
from auditor.poker import PokerHouse, of_round
from auditor.poker_deal import Deal
from auditor.poker_hole_cards import deck_findings
from auditor.slots import Slot

Ranking = Callable[[Sequence[int], Sequence[int], PokerHouse], tuple[int | None, int | None]]
"""High and low strength of (hole cards, communal cards); ValueError for cards that cannot be ranked."""


class Shown(NamedTuple):
    """A hand at the end: `right` says that it has its number of cards, `cards` is None unless all were shown."""

    box: str
    cards: list[int] | None
    right: bool
    first_n: int | None
    high: int | None = None
    low: int | None = None


class Showdown:
    """The hands that stood at the end, and which of them wins what."""

    def __init__(self, deal: Deal, ranking: Ranking, hand_size: int) -> None:
        self.deal, self.table, self.house = deal, deal.table, deal.house
        self.board = [
            slot.card for slot in self.table.board if not self.table.withdrawn(slot) and slot.seen_n is not None
        ]
        self.over_n = deal.over_n
        live = deal.betting.in_hand
        self.contested = len(live) > 1
        hands = [self._shown(player.box, ranking, hand_size) for player in live]
        self.fouled = [hand.box for hand in hands if not hand.right] if self.contested else []
        self.hands = {hand.box: hand for hand in hands}
        self.spoiled = self._spoiled([player.box for player in live])
        """Whether a hand or the board holds a card that cannot be there: no rule ranks it."""

    def _spoiled(self, live: Sequence[str]) -> bool:
        at = {finding.at for finding in deck_findings(self.table)}
        twice: Counter[int | None] = Counter(slot.card for slot in self.table.round.slots if slot.gone_to != "shoe")
        lying = [slot for box in (*live, "board") for slot in self.table.round.hand(box)]
        return bool(at & {*live, "board"}) or any(
            slot.card is not None and slot.sure and twice[slot.card] > 1 for slot in lying
        )

    def _shown(self, box: str, ranking: Ranking, hand_size: int) -> Shown:
        slots = self.deal.hand_at_end(box)
        seen = [slot.seen_n for slot in slots]
        first = min((n for n in map(_turned, slots) if n is not None and n > self.over_n), default=None)
        right = len(slots) == hand_size
        cards = [slot.card for slot in slots if slot.card is not None]
        if None in seen or len(cards) != len(slots) or not right:
            return Shown(box, None, right, first)
        board = [card for card in self.board if card is not None]
        if len(board) != len(self.board) or len(board) != sum(self.table.rules.board):
            return Shown(box, cards, right, first)
        try:
            high, low = ranking(cards, board, self.house)
        except ValueError:
            return Shown(box, None, right, first)
        return Shown(box, cards, right, first, high, low)

    def winners(self, eligible: Sequence[str]) -> tuple[list[str], list[str]] | None:
        """Who takes the pot (the high half and the low half of it); None where what was shown does not decide."""
        able = [box for box in eligible if box not in self.fouled]
        if not able and eligible:
            last = self.deal.betting.last_folded
            return ([last], []) if last is not None else None
        if len(able) == 1:
            return able, []
        ranked = [hand for box in able if (hand := self.hands.get(box)) is not None and hand.high is not None]
        if not ranked or any(hand.cards and hand.high is None for hand in self.hands.values() if hand.box in able):
            return None
        wins = self.house.wins
        lows = [hand for hand in ranked if hand.low is not None]
        best_low = _best(lows, lambda hand: hand.low or 0)
        if wins == "low":
            return best_low, []
        best_high = _best(ranked, lambda hand: hand.high or 0)
        return best_high, best_low if wins == "split" else []

    def rule_and_why(self, winners: tuple[list[str], list[str]] | None) -> tuple[str, str]:
        """The clause that decides a pot, and how."""
        clauses, order = self.table.rules.clauses, self.house.hand_order
        if not self.contested:
            return of_round(clauses.last_player, self.deal.street), "Won without a showdown: all others folded."
        if winners is None:
            return clauses.show, "What was shown does not decide it."
        hand = self.hands.get(winners[0][0]) if winners[0] else None
        if len(winners[0]) > 1:
            return clauses.split, f"{' and '.join(winners[0])} hold equal hands."
        if hand is None or hand.high is None:
            return clauses.side_pot, "Nobody else contests it."
        if self.house.wins == "low" and hand.low is not None:
            return clauses.show, f"{hand.box} wins with {describe_low(hand.low, order)}."
        return order.clause_of(category(hand.high, order)), f"{hand.box} wins with {describe(hand.high, order)}."

    # ---- who shows first ----

    def order_findings(self) -> Iterator[Finding]:
        """The player who must show first did, and a pot that was contested went to nobody who hid his hand."""
        deal, rules = self.deal, self.table.rules
        if not self.contested or not self.table.round.ended:
            return
        betting = deal.betting
        first_to_show = None
        if rules.shows == "aggressor":
            first_to_show = betting.aggressor
        elif rules.shows == "called" and deal.street == rules.rounds - 1:
            first_to_show = betting.called
        if first_to_show is not None and first_to_show.street == betting.disputed:
            first_to_show = None
        turned = [hand for hand in self.hands.values() if hand.first_n is not None]
        shown = [hand.box for hand in sorted(turned, key=lambda hand: hand.first_n or 0)]
        if rules.shows == "all":
            yield from self._unshown([*self.hands.values()])
        elif shown and first_to_show is not None and first_to_show.box in self.hands:
            over = first_to_show.over if rules.shows == "aggressor" else ()
            if shown[0] not in (first_to_show.box, *over):
                yield self._given_up(first_to_show.box, shown[0]) or self._out_of_order(shown[0], first_to_show.box)
                return
        if rules.shows != "all":
            showed = {hand.box for hand in self.hands.values() if hand.cards is not None}
            yield from self._unshown(
                [hand for box, hand in self.hands.items() if self.table.awards.get(box) and showed - {box}]
            )

    def unpaid_findings(self) -> Iterator[Finding]:
        """Whoever shows a hand in the end has called, or put in all he had."""
        betting = self.deal.betting
        if not self.contested or self.deal.street < self.table.rules.rounds - 1:
            return
        for player in betting.in_hand:
            n = self.hands[player.box].first_n
            called = player.all_in or max(player.put, player.let_off) >= betting.to_call
            if self.table.rules.last_call_may_go_back:
                called = called or player.put + self._given_back(player.box) >= betting.to_call
            if n is not None and not called:
                yield Finding(
                    kind="bet.amount", rule=self.table.rules.clauses.short_call, t=self.table.round.events[n].t,
                    at=f"{player.box}/bet", expected=betting.to_call, observed=player.put,
                    message=f"{player.box} showed the hand and had not called: "
                    f"{amount_text(betting.to_call - player.put)} was missing.",
                )  # fmt: skip

    def _given_back(self, box: str) -> int:
        """What went back of the player's bets in the last betting round."""
        last_card = max(slot.n for slot in self.table.round.hand(box))
        return sum(each.amount for each in self.table.returned.get(box, ()) if each.n > last_card)

    def _out_of_order(self, box: str, due: str) -> Finding:
        n = self.hands[box].first_n or 0
        return Finding(
            kind="show.order", rule=self.table.rules.clauses.show, t=self.table.round.events[n].t, at=box,
            expected=due, observed=box, message=f"{box} showed first; {due} had to.",
        )  # fmt: skip

    def _given_up(self, due: str, box: str) -> Finding | None:
        """Whoever had to show first passed his cards in instead, and the next then showed: not that one's fault."""
        gone = [slot.gone_n for slot in self.table.round.hand(due)]
        n = max((n for n in gone if n is not None), default=None)
        if n is None or None in gone or n > (self.hands[box].first_n or 0):
            return None
        return Finding(
            kind="show.order", rule=self.table.rules.clauses.show, t=self.table.round.events[n].t, at=due,
            expected=due, observed=box, message=f"{due} had to show first and passed the hand in unshown.",
        )  # fmt: skip

    def hidden(self, hand: Shown) -> bool:
        """Whether a hand that contested the pot was not shown whole."""
        return hand.right and hand.cards is None and any(
            slot.seen_n is None for slot in self.table.round.hand(hand.box)
        )  # fmt: skip

    def _unshown(self, hands: Sequence[Shown]) -> Iterator[Finding]:
        for hand in hands:
            if not self.hidden(hand):
                continue
            awards = self.table.awards.get(hand.box)
            t = awards[0].t if awards else self.table.round.closed
            yield Finding(
                kind="show.order",
                rule=self.table.rules.clauses.show,
                t=t,
                at=hand.box,
                message=f"{hand.box} contested the pot to the end and did not show the hand.",
            )


def _turned(slot: Slot) -> int | None:
    return slot.turned_n


def _best(hands: Sequence[Shown], worth: Callable[[Shown], int]) -> list[str]:
    if not hands:
        return []
    top = max(map(worth, hands))
    return [hand.box for hand in hands if worth(hand) == top]
