"""The poker table as the log shows it: who sits where, who holds the button, which chips moved between whom.

Nothing is judged here. Chips move from `boxN/stack` to `boxN/bet`, are swept to `pot` or given back, and come to a
stack again as an award; the log tells a state at each spot, so what a dealer's hand did is read from what moved next
to it.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from auditor.poker import PokerHouse, PokerRules
from auditor.places import box_number, box_of, spot_of
from auditor.rounds import Change, Ledger, Round, Slot

NEVER = 1 << 60


class Step(NamedTuple):
    """Something that happened in the round, in order: chips put forward or given back, a check, a fold, a card."""

    n: int
    t: float
    kind: str
    box: str
    change: Change | None = None
    slot: Slot | None = None


class Returned(NamedTuple):
    """Chips that went back from a bet to the player's stack."""

    n: int
    amount: int
    stack: Change | None


class Table:
    """One round's places, chips and cards, sorted for the questions poker asks."""

    def __init__(
        self, round: Round, house: PokerHouse, rules: PokerRules, button: str | None, expected: frozenset[str] | None
    ) -> None:
        """`expected`: the boxes dealt in the round before; None in the log's first round, where every stake plays."""
        assert round.opened_n is not None
        self.round, self.house, self.rules, self.opened_n = round, house, rules, round.opened_n
        self.bets: dict[str, Ledger] = {}
        self.stacks: dict[str, Ledger] = {}
        self.pots: list[Ledger] = []
        self.drop: Ledger | None = None
        for ledger in round.chips.values():
            self._sort_in(ledger)
        self.pots.sort(key=lambda ledger: int(ledger.at[3:] or 1))
        self.board = round.hand("board")
        self.first_pot_fall = min(
            (change.n for pot in self.pots for change in pot.changes if change.rise < 0 and change.n > self.opened_n),
            default=NEVER,
        )
        self.returned = {box: self._returned(box) for box in self.bets}
        self.awards = {box: self._awards(box) for box in self.stacks}
        self.award_n = min((change.n for changes in self.awards.values() for change in changes), default=NEVER)
        self._corrected()
        ends = [n for n, call in round.calls if call.at is None and call.what in ("misdeal", "void")]
        off = next((n for n in ends if n > self.opened_n), NEVER)
        self.end_n = min(self.award_n, off)
        """Where the betting ends at the latest: the first award, or the round declared off."""
        self.posted = {box: self._posted(box) for box in self.bets}
        self.dealt = sorted({slot.dealt_to for slot in round.slots if box_number(slot.dealt_to)}, key=box_number)
        self.button = button or self._button_from_deal()
        boxes = set(self.dealt) | {box for box, amount in self.posted.items() if amount}
        self.newly_seated = {box for box in self.stacks if expected is None and self.has_stake(box)}
        waiting = self.newly_seated | {box for box in expected or () if self.has_stake(box)}
        self.passed_over = waiting - boxes if self.dealt and house.ante_level is None else set()
        """Boxes with a stake that got no card: overlooked, or sitting out."""
        self.seats = self.clockwise(boxes)

    def _sort_in(self, ledger: Ledger) -> None:
        spot = spot_of(ledger.at)
        if spot == "bet":
            self.bets[box_of(ledger.at)] = ledger
        elif spot == "stack":
            self.stacks[box_of(ledger.at)] = ledger
        elif ledger.at == "drop":
            self.drop = ledger
        elif ledger.at.startswith("pot") and (ledger.at[3:].isdigit() or ledger.at == "pot"):
            self.pots.append(ledger)

    # ---- seats ----

    def _button_from_deal(self) -> str | None:
        """Where the log shows no button, it stands with the player before the one dealt to first."""
        if len(self.dealt) < 2:
            return None
        first = next(slot.dealt_to for slot in self.round.slots if box_number(slot.dealt_to))
        return self.dealt[self.dealt.index(first) - 1]

    def clockwise(self, boxes: set[str]) -> list[str]:
        """Boxes from the first player after the button on, the button's own player last.

        Boxes are numbered clockwise from the dealer's left.
        """
        after = box_number(self.button) if self.button else 0
        return sorted(boxes, key=lambda box: (box_number(box) <= after, box_number(box)))

    def has_stake(self, box: str) -> bool:
        """Whether the box had chips when the round opened."""
        ledger = self.stacks.get(box)
        return ledger is not None and ledger.before(self.opened_n) > 0

    def lacks_stake(self, box: str) -> bool:
        """Whether the box is seen to have no chips: the stakes of the table are in the log, and it has none."""
        return not self.has_stake(box) and any(map(self.has_stake, self.stacks))

    # ---- chips ----

    def _returned(self, box: str) -> list[Returned]:
        """Bets that went back: taken by the player, lowered in part, or given back to the stack before any sweep."""
        found = []
        rises = [c for c in self.stacks[box].changes if c.rise > 0] if box in self.stacks else []
        changes = self.bets[box].changes
        for index, change in enumerate(changes):
            if change.rise >= 0:
                continue
            until = next((later.n for later in changes[index + 1 :]), NEVER)
            sweep = min((c.n for pot in self.pots for c in pot.changes if c.n > change.n), default=NEVER)
            match = next((c for c in rises if change.n - 2 <= c.n < min(until, sweep) and c.rise == -change.rise), None)
            if match is not None:
                rises.remove(match)
            if match is not None or change.by == "player" or change.after > 0:
                found.append(Returned(change.n, -change.rise, match))
        return found

    def _awards(self, box: str) -> list[Change]:
        """Rises of the stack that give back no bet: by the dealer, or by a player who pulls a pot in."""
        given_back = [each.stack for each in self.returned.get(box, ())]
        pulled = [c.n for pot in self.pots for c in pot.changes if c.rise < 0 and c.by == "player"]
        return [
            change
            for change in self.stacks[box].changes
            if change.rise > 0 and change.n > self.opened_n and change not in given_back
            and (change.by != "player" or any(n < change.n for n in pulled))
        ]  # fmt: skip

    def _corrected(self) -> None:
        """What the dealer takes back of an award, or a player returns before the next one, was not awarded."""
        last = max((change.n for changes in self.awards.values() for change in changes), default=NEVER)
        for box, ledger in self.stacks.items():
            self.awards[box] += [
                change
                for change in ledger.changes
                if change.rise < 0 and change.n > self.award_n and not self.house.charged_by_time
                and (change.by == "dealer" or change.n < last)
            ]  # fmt: skip

    def _posted(self, box: str) -> int:
        """What the box put in before the first card, swept already or not; for an absent player the dealer does it."""
        ledger = self.bets[box]
        rises = sum(c.rise for c in ledger.changes if c.n < self.opened_n and c.rise > 0)
        return ledger.carried + rises - sum(each.amount for each in self.returned[box] if each.n < self.opened_n)

    def stack_at(self, box: str, n: int, put_in: int) -> int | None:
        """What the box had left just before event `n`; None where its stack is not in the log.

        `put_in` is what it has put forward since the round opened: a log may leave the stack as it was.
        """
        ledger = self.stacks.get(box)
        if ledger is None:
            return None
        falls = any(change.rise < 0 for change in ledger.changes)
        return ledger.before(n) - (0 if falls else put_in)

    @cached_property
    def steps(self) -> list[Step]:
        """Everything the betting is made of, in order, from the first card to the first award."""
        found = []
        for box, ledger in self.bets.items():
            found += [
                Step(change.n, change.t, "chips", box, change)
                for change in ledger.changes
                if self.opened_n <= change.n < self.end_n and change.rise
            ]
        for n, call in self.round.calls:
            if call.what in ("check", "fold", "clock") and call.at and box_number(call.at) and n < self.end_n:
                found.append(Step(n, call.t, call.what, box_of(call.at)))
        # Chips given back after the sweep look like an award: the board may still be dealt.
        last_n = max([self.end_n if self.end_n != NEVER else 0, *(slot.n + 1 for slot in self.board)])
        for slot in [*self.round.slots, *self.round.off_table]:
            late = slot.dealt_to in ("board", "burn") and slot.n < last_n
            if slot.n >= self.opened_n and (slot.n < self.end_n or late):
                kind = slot.dealt_to if not box_number(slot.dealt_to) else "card"
                found.append(Step(slot.n, slot.t, kind, slot.dealt_to, None, slot))
        found += self._hands_gone()
        found.sort(key=lambda step: step.n)
        return found

    def withdrawn(self, slot: Slot) -> bool:
        """Whether a communal card shown too early was taken off the board again, before the next one came."""
        later = any(other.n > slot.gone_n for other in self.board) if slot.gone_n is not None else False
        return later or slot.gone_to == "shoe"

    def voided(self, box: str, n: int) -> bool:
        """Whether that hand was declared void by event `n`."""
        return any(at <= n and call.what == "void" and call.at == box for at, call in self.round.calls)

    def acts_after(self, n: int, *, past_cards: bool = False) -> Iterator[Step]:
        """What players did after event `n`, until the next card for them or the board, or past it."""
        for step in self.steps:
            if step.n <= n:
                continue
            if step.kind in ("card", "board") and not past_cards:
                return
            chips = step.change is not None and step.change.rise > 0 and step.change.by != "dealer"
            if chips or (step.kind in ("check", "fold", "gone") and not self.voided(step.box, step.n)):
                yield step

    def _hands_gone(self) -> list[Step]:
        """A hand that left its place unseen, all of it, is a fold (whoever said nothing)."""
        found = []
        for box in self.dealt:
            slots = self.round.hand(box)
            ends = {slot.gone_n for slot in slots}
            last = max((n for n in ends if n is not None), default=None)
            if None in ends or last is None or last > self.end_n:
                continue
            if any(slot.seen_n is None for slot in slots):
                found.append(Step(last, self.round.events[last].t, "gone", box))
        return found
