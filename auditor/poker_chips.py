"""A poker table's chips as the log shows them: bets given back, awards, and chips that are none of these.

Nothing is judged here. Chips move from `boxN/stack` to `boxN/bet`, are swept to `pot` or given back, and come to a
stack again as an award; the log tells a state at each spot, so what a dealer's hand did is read from what moved next
to it.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from auditor.ledgers import Change, Ledger, in_whole_moves
from auditor.places import box_of, spot_of
from auditor.poker import PokerHouse
from auditor.poker_straight import Beside, move_to_bets
from auditor.poker_sweeps import swept, unswept, without_piles
from auditor.poker_unread import rebased, unread_of, with_unread_moves
from auditor.rounds import Round

NEVER = 1 << 60


def emptied_n(ledgers: Collection[Ledger]) -> int | None:
    """When the last pot was emptied; chips put forward after that are the next round's."""
    changes = [change for ledger in ledgers if ledger.at.startswith("pot") for change in ledger.changes]
    last = max(changes, key=lambda change: change.n, default=None)
    standing = any(ledger.amount and ledger.at.startswith("pot") for ledger in ledgers)
    return last.n if last is not None and last.rise < 0 and not standing else None


class Returned(NamedTuple):
    """Chips that went back from a bet to the player's stack."""

    n: int
    amount: int
    stack: Change | None


class Chips:
    """The chips of one round, sorted by whose they are and where they went."""

    def __init__(self, round: Round, house: PokerHouse, unread: Mapping[str, int]) -> None:
        """`unread`: what had left a stack before this round without the stack being read."""
        assert round.opened_n is not None
        self.round, self.house, self.opened_n = round, house, round.opened_n
        self.board = round.hand("board")
        self._cards = sorted(n for slot in round.slots for n in (slot.n, slot.turned_n) if n is not None)
        """When a card was dealt or turned: what came before it was swept, what comes after it is won."""
        self.bets: dict[str, Ledger] = {}
        self.stacks: dict[str, Ledger] = {}
        self.pots: list[Ledger] = []
        self.drop: Ledger | None = None
        self.rack: Ledger | None = None
        for ledger in round.chips.values():
            self._sort_in(ledger)
        self.pots.sort(key=lambda ledger: int(ledger.at[3:] or 1))
        emptied = emptied_n(self.pots)
        self.emptied_n = NEVER if emptied is None or any(slot.n > emptied for slot in self.board) else emptied
        """When all pots were won: what is put forward after it is the next round's."""
        self.beside = Beside(round.events)
        without_piles(self.bets, self.stacks, self.pots, self._cards, self.beside)
        self._swept = swept(self.bets, self.stacks, self.pots, self._cards, self.beside)
        at_bets = [*self.bets.values()]
        self._at_spots = {box: self._left_standing(bet) for box, bet in self.bets.items()}
        move_to_bets(self.bets, self.stacks, self.pots, self.beside, self._showdown_n())
        self.from_before = sum(pot.least_before(self.opened_n) for pot in self.pots)
        """What the pots held before this round and still hold at its first card: after a misdeal it may go back."""
        straight = unswept(self.pots, at_bets, self._cards)
        self.unowned = [c for c in straight if c.n > self.opened_n or house.ante_level is None]
        """Chips put straight into the pots that came from no stack: whose bets they are is not known. Antes apart."""
        self.nobodys = sum(change.rise for change in self.unowned) - self._given_back_unowned()
        """What of them stayed in."""
        self.read = self.stacks
        """The stacks as the log has them."""
        self.left: dict[str, Ledger] = {}
        """The stacks as they are with every bet made, read or not."""
        self._follow_stacks()
        self._follow_unread_stacks(unread)
        self.unread = unread_of(self.read, self.stacks if self._all_paid_out() else self.left)
        """What has left each stack since it was last read."""

    def _showdown_n(self) -> int:
        """When the first hand is shown after the last communal card, check or fold, or when that was if none is."""
        plays = [n for n, call in self.round.calls if call.what in ("check", "fold")]
        last_n = max([*plays, *(slot.n for slot in self.board)], default=0)
        shown = (slot.turned_n for slot in self.round.slots if slot.turned_n is not None)
        return min((n for n in shown if n > last_n), default=last_n)

    def _sort_in(self, ledger: Ledger) -> None:
        spot = spot_of(ledger.at)
        if spot == "bet":
            self.bets[box_of(ledger.at)] = ledger
        elif spot == "stack":
            self.stacks[box_of(ledger.at)] = in_whole_moves(ledger)
        elif ledger.at == "drop":
            self.drop = ledger
        elif ledger.at == "rack":
            self.rack = ledger
        elif ledger.at.startswith("pot") and (ledger.at[3:].isdigit() or ledger.at == "pot"):
            self.pots.append(ledger)

    def _given_back_unowned(self) -> int:
        """What went back of bets put straight into the pots: before the hands were shown, and no commission."""
        if not self.unowned:
            return 0
        shown = any(slot.turned_n is not None for slot in self.round.slots)
        dropped = [change for change in self.drop.changes if change.rise > 0] if self.drop is not None else []
        return -sum(
            change.rise
            for pot in self.pots for change in pot.changes
            if change.rise < 0 < change.after
            and not any(self.beside(c.n, change.n, 1) and c.rise == -change.rise for c in dropped)
            and (not shown or change.n < self._cards[-1])
        )  # fmt: skip

    @property
    def bets_unowned(self) -> bool:
        """Whether some of them are more than blinds."""
        return any(change.n > self.opened_n for change in self.unowned)

    def _follow_stacks(self) -> None:
        """What the changes of the stacks are: bets given back, chips bought, awards."""
        self.returned = {box: self._returned(box) for box in self.bets}
        self.bought = {box: self._bought(ledger) for box, ledger in self.stacks.items()}
        self.awards = {box: self._awards(box) for box in self.stacks}
        self.award_n = min((change.n for changes in self.awards.values() for change in changes), default=NEVER)
        self._corrected()

    def _follow_unread_stacks(self, unread: Mapping[str, int]) -> None:
        """Where stacks went unread while chips left them, follow them by the bets, if all chips are accounted for then.

        They are not if the log tells an award as a rise over what it said last, or does not tell an award at all.
        """
        read = self.stacks
        self.left = self._followed({box: rebased(stack, unread.get(box, 0)) for box, stack in read.items()})
        for followed in (self.left, self._followed(read)):
            if all(followed[box] is stack for box, stack in read.items()):
                break
            self._follow_as(followed)
            if self._all_paid_out():
                return
        if self.stacks is not read:
            self._follow_as(read)
        if not self._all_paid_out() and self._lowered_by_bets(read):
            self._follow_as(self.left)

    def _follow_as(self, stacks: dict[str, Ledger]) -> None:
        self.stacks = stacks
        self._follow_stacks()

    def _lowered_by_bets(self, read: Mapping[str, Ledger]) -> bool:
        """Whether a stack that was not read at every bet is read lower at all: the log tells what is left of it."""
        return any(
            change.rise < 0 and change.by != "dealer"
            for box, stack in read.items() if self.left[box] is not stack for change in stack.changes
        )  # fmt: skip

    def _followed(self, stacks: Mapping[str, Ledger]) -> dict[str, Ledger]:
        of_bets = {box: [c for c in bet.changes if c not in self._swept] for box, bet in self.bets.items()}
        return {
            box: with_unread_moves(stack, of_bets.get(box, []), self.round, self.beside)
            for box, stack in stacks.items()
        }

    def _put_in(self) -> int:
        """What was put in and not given back."""
        put_in = self.from_before + self.nobodys
        for box, bet in self.bets.items():
            rises = [c.rise for c in bet.changes if c.rise > 0 and c.by != "dealer" and c.n < self.emptied_n]
            put_in += bet.carried + sum(rises)
            put_in -= sum(each.amount for each in self.returned[box])
        return put_in

    def _all_paid_out(self) -> bool:
        """Whether what was put in came to the stacks and the drop, to the last chip."""
        return not self.unpaid

    @property
    def unpaid(self) -> int:
        """What was put in and not seen to come to a stack or the drop."""
        paid = sum(change.rise for changes in self.awards.values() for change in changes)
        return self._put_in() - self._dropped - paid

    @property
    def emptied(self) -> int:
        """What the pots held when they were won, with the commission dropped before."""
        last = (pot.changes[-1] for pot in self.pots if pot.changes)
        return self._dropped - sum(change.rise for change in last if not change.after)

    @property
    def _dropped(self) -> int:
        return sum(c.rise for c in self.drop.changes if c.n > self.opened_n) if self.drop is not None else 0

    def left_standing(self, box: str) -> int:
        """What of the round's bets of a box was neither swept nor given back by the end."""
        return self._at_spots.get(box, 0)

    def _left_standing(self, bet: Ledger) -> int:
        return bet.amount - sum(c.rise for c in bet.changes if c.rise > 0 and c.n > self.emptied_n)

    def has_stake(self, box: str) -> bool:
        """Whether the box had chips when the round opened."""
        ledger = self.stacks.get(box)
        return ledger is not None and ledger.before(self.opened_n) > 0

    def lacks_stake(self, box: str) -> bool:
        """Whether the box is seen to have no chips: the stakes of the table are in the log, and it has none."""
        read = box not in self.stacks or self.stacks[box].sure_before(self.opened_n)
        return read and not self.has_stake(box) and any(map(self.has_stake, self.stacks))

    def ran_out(self, box: str) -> bool:
        """Whether the round before left the box without chips."""
        stack, before = self.stacks.get(box), self.round.previous
        read = stack is not None and before is not None and (stack.at, stack.colour) in before.chips
        return stack is not None and read and stack.sure_before(0) and not stack.carried

    def _returned(self, box: str) -> list[Returned]:
        """Bets that went back: taken by the player, lowered in part, or given back to the stack before any sweep."""
        found = []
        rises = [c for c in self.stacks[box].changes if c.rise > 0] if box in self.stacks else []
        changes = self.bets[box].changes
        unread = box not in self.read or all(c.n < self.opened_n for c in self.read[box].changes)
        for index, change in enumerate(changes):
            if change.rise >= 0 or change in self._swept:
                continue
            until = next((later.n for later in changes[index + 1 :]), NEVER)
            sweep = min((c.n for pot in self.pots for c in pot.changes if c.n > change.n), default=NEVER)
            until = min(until, sweep, next((n for n in self._cards if n > change.n), NEVER))
            around = (c for c in rises if c.n < until and (c.n > change.n or self.beside(c.n, change.n)))
            match = next((c for c in around if c.rise == -change.rise), None)
            if match is not None:
                rises.remove(match)
            missing = match is None and unread and self._misses_the_pot(change, sweep)
            if match is not None or change.by == "player" or change.after > 0 or missing:
                found.append(Returned(change.n, -change.rise, match))
        return found

    def _misses_the_pot(self, fall: Change, sweep: int) -> bool:
        """Whether a bet went and the pot then grew by all the other bets: where its stack is not read, it went back."""
        moved = sorted((c for pot in self.pots for c in pot.changes), key=lambda c: c.n)
        since = max((c.n for c in moved if c.n < fall.n), default=0)
        bets = [c for bet in self.bets.values() for c in bet.changes]
        if self._swept_before(fall, moved, bets):
            return False
        until = min((c.n for c in bets if c.n > sweep), default=NEVER)
        grown = sum(c.rise for c in moved if sweep <= c.n < until and c.rise > 0)
        went = sum(-c.rise for c in bets if since < c.n < sweep and c.by != "player" and not c.after)
        return 0 < grown == went + fall.rise

    @staticmethod
    def _swept_before(fall: Change, of_pots: Sequence[Change], bets: Sequence[Change]) -> bool:
        """Whether the pot was told before the spots that were swept to it, this one among them."""
        put = [c.n for c in bets if c.rise > 0]
        since = max((n for n in put if n < fall.n), default=0)
        until = min((n for n in put if n > fall.n), default=NEVER)
        cleared = sum(-c.rise for c in bets if c.rise < 0 and since < c.n < until)
        return sum(c.rise for c in of_pots if since < c.n < fall.n and c.rise > 0) == cleared

    def _bought(self, stack: Ledger) -> list[Change]:
        """Chips that came in the middle of the play, while pots and bets lost none but to a pot: those are not won."""
        bets = [change for bet in self.bets.values() for change in bet.changes]
        plays = [*self._cards, *(change.n for change in bets if change.rise > 0 and change.by != "dealer")]
        plays = [n for n in plays if n < self.emptied_n]
        moved = [*(c for c in bets if c.rise < 0), *(c for pot in self.pots for c in pot.changes)]
        found = []
        for change in stack.changes:
            first_read = change is stack.changes[0] and not stack.carried
            by_player = change.by == "player" or (change.by is None and first_read)
            if by_player or change.rise <= 0 or change.n < self.opened_n:
                continue
            before = max((n for n in plays if n < change.n), default=self.opened_n)
            after = min((n for n in plays if n > change.n), default=None)
            if after is not None and sum(c.rise for c in moved if before < c.n < after) >= 0:
                found.append(change)
        return found

    def handed_out(self, box: str) -> list[Change]:
        """Chips that the dealer gave to the player before the first card, bets given back apart."""
        given_back = [each.stack for each in self.returned.get(box, ())]
        by_dealer = (c for c in self.stacks[box].changes if c.by == "dealer" and c.rise > 0 and c.n < self.opened_n)
        return [change for change in by_dealer if change not in given_back]

    def _awards(self, box: str) -> list[Change]:
        """Rises of the stack that give back no bet: by the dealer, or by a player who pulls a pot in."""
        given_back = [*(each.stack for each in self.returned.get(box, ())), *self.bought[box], *self._standing(box)]
        pulled = [c.n for pot in self.pots for c in pot.changes if c.rise < 0 and c.by == "player"]
        return [
            change
            for change in self.stacks[box].changes
            if change.rise > 0 and change.n > self.opened_n and change not in given_back
            and (change.by != "player" or any(n < change.n for n in pulled))
        ]  # fmt: skip

    def _first_read(self, box: str) -> Change | None:
        """The first that the log says of a stack, if more than can have been won: what stood before is not known."""
        stack = self.stacks[box]
        first = stack.changes[0] if stack.changes and not stack.carried else None
        return first if first is not None and first.after > self._put_in() else None

    def _standing(self, box: str) -> list[Change]:
        """The first reading of a stack while the play goes on after it: it was there before."""
        bets = [change for bet in self.bets.values() for change in bet.changes]
        plays = [*self._cards, *(change.n for change in bets if change.by != "dealer")]
        wagers = [change.n for change in bets if change.by != "dealer" and change.rise > 0]
        stack, first = self.stacks[box], self._first_read(box)
        if (
            first is None
            and stack.changes
            and not stack.carried
            and any(stack.changes[0].n < n < self.emptied_n for n in wagers)
        ):
            first = stack.changes[0]  # nothing is won while there is betting
        return [first] if first is not None and any(n > first.n for n in plays) else []

    def read_before(self, box: str, n: int) -> bool:
        """Whether the log had shown the stack by event `n`."""
        stack, before = self.stacks.get(box), self.round.previous
        if stack is None:
            return False
        known = stack.carried or (before is not None and (stack.at, stack.colour) in before.chips)
        return bool(known) or any(change.n < n for change in self.read[box].changes)

    @property
    def share_unread(self) -> bool:
        """Whether somebody was paid to a stack that the log had never shown: how much cannot be told."""
        return any(changes and self._first_read(box) in changes for box, changes in self.awards.items())

    @property
    def payments_unread(self) -> list[str]:
        """Stacks that chips left unread, where not all is seen to be paid: what was paid may be unread as well."""
        return [] if self._all_paid_out() else self.unread_in_part

    @property
    def unread_in_part(self) -> list[str]:
        """Stacks that chips left, or came to, without the stack being read then."""
        return [stack.at for box, stack in self.read.items() if self.left[box] is not stack]

    @property
    def reckoned_empty(self) -> bool:
        """Whether somebody who bets has nothing left at some time, as far as stacks are read and by what left them."""
        return any(
            stack.carried <= 0 or any(change.after <= 0 for change in stack.changes)
            for box, stack in self.left.items() if box in self.bets
        )  # fmt: skip

    def _corrected(self) -> None:
        """What the dealer takes back of an award, or a player returns before the next one, was not awarded."""
        last = max((change.n for changes in self.awards.values() for change in changes), default=NEVER)
        for box, ledger in self.stacks.items():
            awarded = sum(change.rise for change in self.awards[box])
            self.awards[box] += [
                change
                for change in ledger.changes
                if -awarded <= change.rise < 0 and change.n > self.award_n and not self.house.charged_by_time
                and (change.by == "dealer" or change.n < last)
            ]  # fmt: skip
