"""What was put in before the first card of a poker round: blinds, antes at the bets, antes straight into the pot."""

from collections.abc import Mapping, Sequence

from auditor.ledgers import Change
from auditor.poker import PokerHouse
from auditor.poker_chips import Chips
from auditor.rounds import Round


class Posts(Chips):
    """A round's chips, and what each box posted. Nothing is judged here."""

    def __init__(self, round: Round, house: PokerHouse, unread: Mapping[str, int]) -> None:
        super().__init__(round, house, unread)
        self.posted = {box: self._posted(box) for box in self.bets}
        self.from_stack: dict[str, list[Change]] = {}
        """Antes that went from a stack straight into the pot."""
        self.unplaced_antes = 0
        """Chips put into the pot before the cards, nobody can say by whom."""

    def _posted(self, box: str) -> int:
        """What the box put in before the first card, swept already or not; for an absent player the dealer does it."""
        ledger = self.bets[box]
        rises = sum(c.rise for c in ledger.changes if c.n < self.opened_n and c.rise > 0)
        carried = ledger.carried if ledger.carried_sure else 0
        return carried + rises - sum(each.amount for each in self.returned[box] if each.n < self.opened_n)

    def still_in(self, posts: Mapping[str, int]) -> dict[str, int]:
        """Antes or blinds of a misdealt round, unless they went back before the cards came anew."""
        return dict(posts) if self.from_before >= sum(posts.values()) else {}

    # ---- antes put straight into the pot ----

    def place_antes(self, players: Sequence[str]) -> None:
        """Antes in the pot that stood at no bet: of those whose stacks fell, or the same of every other player."""
        level, rest = self.house.ante_level, self._straight_to_pot()
        if not level or rest <= 0:
            return
        for box in players:
            falls = self._other_falls(box)
            if falls and -sum(change.rise for change in falls) <= rest:
                self.from_stack[box] = falls
                rest += sum(change.rise for change in falls)
        waiting = [box for box in players if not self.posted.get(box) and box not in self.from_stack]
        share, odd = divmod(rest, len(waiting) * level) if waiting else (0, rest)
        for box in players:
            paid = -sum(change.rise for change in self.from_stack.get(box, ()))
            paid += share * level if box in waiting and not odd else 0
            self.posted[box] = self.posted.get(box, 0) + paid
        self.unplaced_antes = rest if odd else 0

    def _straight_to_pot(self) -> int:
        """What came into the pots before the first card, beyond the bets swept there."""
        rises = sum(change.rise for pot in self.pots for change in pot.changes if change.n < self.opened_n)
        bets = sum(bet.before(self.opened_n) for bet in self.bets.values())
        return rises - (sum(self.posted.values()) - bets)

    def _other_falls(self, box: str) -> list[Change]:
        """Falls of a stack before the first card that answer no bet; not one that went on out of sight."""
        if box not in self.stacks:
            return []
        bets = [c.rise for c in self.bets[box].changes if c.rise > 0] if box in self.bets else []
        found = []
        for change in self.stacks[box].changes:
            unseen = change is self.stacks[box].changes[0] and self.stacks[box].stale_since is not None
            if change.rise >= 0 or change.n > self.opened_n or unseen:
                continue
            if -change.rise in bets:
                bets.remove(-change.rise)
            else:
                found.append(change)
        return found
