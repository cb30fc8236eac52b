"""The poker table as the log shows it: who sits where, who holds the button, what was done in which order.

Nothing is judged here.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from auditor import log
from auditor.ledgers import Change
from auditor.poker import PokerHouse, PokerRules
from auditor.poker_chips import NEVER
from auditor.poker_posts import Posts
from auditor.places import box_number, box_of
from auditor.rounds import Round
from auditor.slots import Slot

Checks = Literal["unknown", "seen", "spoken"]
"""Whether checks are in a log, or are only spoken, and some betting rounds silent."""
Calls = Sequence[tuple[int, log.Call]]
"""Announcements and gestures, with the number of their event."""
Spent = Literal["nobody", "short", "silent"]
"""Nobody, those who do nothing more and put in less than others, all who do nothing more."""
_PLENTY = 1 << 40


class Reading(NamedTuple):
    """One way to take what a log leaves open.

    `calls`: the round's, all of them or those that were surely heard. `checks`: what earlier rounds tell of checks.
    `midway`: whether the log begins in a round, so that a stack may be there which it has not told yet.
    `unowned`: whether a round that was called off left chips in the pots, nobody can say whose.
    `spent`: which players whose stacks are not in the log have no chips left.
    """

    calls: Calls
    checks: Checks
    midway: bool = False
    unowned: bool = False
    spent: Spent = "nobody"


class Step(NamedTuple):
    """Something that happened in the round, in order: chips put forward or given back, a check, a fold, a card."""

    n: int
    t: float
    kind: str
    box: str
    change: Change | None = None
    slot: Slot | None = None


class Table(Posts):
    """One round's places, chips and cards, sorted for the questions poker asks."""

    def __init__(
        self,
        round: Round,
        house: PokerHouse,
        rules: PokerRules,
        button: str | None,
        expected: frozenset[str] | None,
        reading: Reading,
        unread: Mapping[str, int],
    ) -> None:
        """`expected`: the boxes dealt in the round before; None in the log's first round, where every stake plays."""
        super().__init__(round, house, unread)
        self.rules, self.reading = rules, reading
        self.calls = calls = reading.calls
        self.checks_seen = reading.checks == "seen" or any(call.what == "check" for _, call in calls)
        """Whether checks are in this log: where they are only spoken, a player without chips moved may have checked."""
        ends = [n for n, call in calls if call.at is None and call.what in ("misdeal", "void")]
        off = next((n for n in ends if n > self.opened_n), NEVER)
        self.end_n = min(self.award_n, off, self.emptied_n)
        """Where the betting ends at the latest: the first award, the pots emptied, or the round declared off."""
        served = sorted({slot.dealt_to for slot in round.slots if box_number(slot.dealt_to)}, key=box_number)
        self.strangers = [box for box in served if self._nobody_at(box)]
        """Boxes that were dealt to with nobody there."""
        self.dealt = [box for box in served if box not in self.strangers]
        self.place_antes(self.dealt)
        self.button = button or self._button_from_deal()
        boxes = set(self.dealt) | {box for box, amount in self.posted.items() if amount}
        self.newly_seated = {box for box in self.stacks if expected is None and self.has_stake(box)}
        waiting = self.newly_seated | {box for box in expected or () if self.has_stake(box)}
        self.passed_over = waiting - boxes if self.dealt and house.ante_level is None else set()
        """Boxes with a stake that got no card: overlooked, or sitting out."""
        self.seats = self.clockwise(boxes)

    # ---- seats ----

    @property
    def heads_up_rule(self) -> str:
        """The clause by which two players of a tournament post and act otherwise than more do, or ""."""
        return self.rules.clauses.heads_up if len(self.seats) == 2 and self.house.tournament else ""

    def _button_from_deal(self) -> str | None:
        """Where the log shows no button, it stands with the player before the one dealt to first."""
        if len(self.dealt) < 2:
            return None
        order = [slot.dealt_to for slot in self.round.slots if slot.dealt_to in self.dealt]
        went_round = order[0] in order[order.index(next(box for box in order if box != order[0])) :]
        # The deal may not have come to all who have a stake.
        waiting: set[str] = set() if went_round else {box for box in self.stacks if self.has_stake(box)}
        boxes = sorted({*self.dealt, *waiting}, key=box_number)
        return boxes[boxes.index(order[0]) - 1]

    def clockwise(self, boxes: set[str]) -> list[str]:
        """Boxes from the first player after the button on, the button's own player last.

        Boxes are numbered clockwise from the dealer's left.
        """
        after = box_number(self.button) if self.button else 0
        return sorted(boxes, key=lambda box: (box_number(box) <= after, box_number(box)))

    def _nobody_at(self, box: str) -> bool:
        called = any(call.at is not None and box_of(call.at) == box for _, call in self.calls)
        had_chips = box in self.bets or (box in self.stacks and self.stacks[box].carried > 0)
        # Where no stack is read, a hand that goes back to the shoe alone was dealt to nobody; after a misdeal all do.
        back = box not in self.stacks and all(slot.gone_to == "shoe" for slot in self.round.hand(box))
        back = back and any(slot.gone_to != "shoe" for slot in self.round.slots)
        return (self.lacks_stake(box) or back) and not had_chips and not called

    def lacks_stake(self, box: str) -> bool:
        """Whether the box is seen to have no chips."""
        told = not self.reading.midway or self.read_before(box, self.opened_n)
        return told and super().lacks_stake(box)

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
        for n, call in self.calls:
            in_play = self.opened_n < n < self.end_n
            if in_play and call.what in ("check", "fold", "clock") and call.at and box_number(call.at):
                found.append(Step(n, call.t, call.what, box_of(call.at)))
        # Chips given back after the sweep look like an award: the board may still be dealt.
        last_n = max([self.end_n if self.end_n != NEVER else 0, *(slot.n + 1 for slot in self.board)])
        for slot in [*self.round.slots, *self.round.off_table]:
            late = slot.dealt_to in ("board", "burn") and slot.n < last_n
            if slot.n >= self.opened_n and (slot.n < self.end_n or late):
                kind = slot.dealt_to if not box_number(slot.dealt_to) else "card"
                found.append(Step(slot.n, slot.t, kind, slot.dealt_to, None, slot))
        found += self._hands_gone(found)
        found.sort(key=lambda step: step.n)
        return found

    @cached_property
    def checks_spoken(self) -> bool:
        """Whether checks go unlogged: none is in the log, and folds are not called either, or a street is silent."""
        announced = any(call.what == "fold" for _, call in self.calls)
        return self.checks_shown == "spoken" or not (self.checks_seen or announced)

    @property
    def checks_in_doubt(self) -> bool:
        """Whether folds are called and no check was yet: nobody may have checked, or everybody by voice."""
        return not self.checks_seen and not self.checks_spoken

    @cached_property
    def checks_shown(self) -> Checks:
        """What is to be told of checks up to the end of this round."""
        if self.checks_seen:
            return "seen"
        return "spoken" if self.reading.checks == "spoken" or self._silent_street() else "unknown"

    def _silent_street(self) -> bool:
        """Whether a card came after a betting round in which nobody moved, though two players or more had chips."""
        dealt = [[slot.n for slot in street] for street in self._streets()]
        for last, following in itertools.pairwise(dealt[1:]):
            start, end = max(last), min(following)
            able = [box for box in self.dealt if self._may_act(box, end)]
            if len(able) > 1 and not any(step.n < end for step in self.acts_after(start)):
                return True
        return False

    def _streets(self) -> list[list[Slot]]:
        """The cards that betting rounds follow, round by round, the first round's included."""
        if self.rules.up_cards:
            hands = [self.round.hand(box)[1:] for box in self.dealt]
            streets = [[hand[n] for hand in hands if n < len(hand)] for n in range(self.rules.rounds)]
        else:
            rest = iter(self.board)
            streets = [list(itertools.islice(rest, size)) for size in self.rules.board if size]
            streets = streets if self.rules.board[0] else [self.round.slots[:1], *streets]
        return [street for street in streets if street]

    def _may_act(self, box: str, n: int) -> bool:
        """Whether the box holds cards and chips before event `n`."""
        held = all(slot.gone_n is None or slot.gone_n > n for slot in self.round.hand(box))
        folded = any(call.what == "fold" and call.at == box and at < n for at, call in self.calls)
        return held and not folded and self.stack_at(box, n) > 0

    # ---- what is left ----

    @property
    def whose_unknown(self) -> bool:
        """Whether nobody can say whose chips are in the pots, put there in this round or in one called off before."""
        return bool(self.unowned) or (self.reading.unowned and self.from_before > 0)

    @property
    def stakes_unread(self) -> bool:
        """Whether the stack of a player is not in the log, or only once he was paid, or more left it than was read."""
        return any(not self.read_before(box, self.end_n) or self.left[box].before(self.end_n) < 0 for box in self.dealt)

    def stack_at(self, box: str, n: int) -> int:
        """What the box had left just before event `n`; a log may leave the stack as it was when chips left it."""
        if self.read_before(box, n):
            left = self.left[box].before(n)
            if left > 0 or left == self.read[box].before(n):
                return left
            # Reckoned by his bets alone he has none left, or less: he may have won or bought some, unread.
            if not left:
                return left if self._silent_from(box, n) else _PLENTY
        spent = self.reading.spent != "nobody" and self._silent_from(box, n)
        return 0 if spent and (self.reading.spent == "silent" or self._put_less(box)) else _PLENTY

    def _silent_from(self, box: str, n: int) -> bool:
        """Whether the box has put chips in and does nothing from event `n` on, as somebody does who has none left."""
        over = max((step.n for step in self.steps if step.kind in ("chips", "check", "fold", "board")), default=n)
        acts = [step for step in self.acts_after(n - 1, past_cards=True) if step.box == box]
        # A hand passed in when everything is over was shown to nobody, not folded.
        acts = [step for step in acts if step.kind != "gone" or step.n < over]
        put = [change.n for change in self.bets[box].changes if change.rise > 0] if box in self.bets else []
        given_back = any(max(put, default=0) < each.n < n for each in self.returned.get(box, ()))
        return bool(put) and not acts and not given_back

    def _put_less(self, box: str) -> bool:
        """Whether others bet more than the box in the last betting round in which it put chips in."""
        last = max((change.n for change in self.bets[box].changes if change.rise > 0), default=0)
        dealt = [step.n for step in self.steps if step.kind in ("card", "board")]
        start = max((n for n in dealt if n < last), default=0) if last >= self.opened_n else 0
        end = next((n for n in dealt if n > max(last, self.opened_n)), NEVER)
        bets = [(each, change) for each, bet in self.bets.items() for change in bet.changes if start <= change.n < end]
        own = max((change.after for each, change in bets if each == box), default=0)
        return any(change.after > own for _, change in bets)

    def withdrawn(self, slot: Slot) -> bool:
        """Whether a communal card shown too early was taken off the board again, before the next one came."""
        later = any(other.n > slot.gone_n for other in self.board) if slot.gone_n is not None else False
        return later or slot.gone_to == "shoe"

    def voided(self, box: str, n: int) -> bool:
        """Whether that hand was declared void by event `n`."""
        return any(at <= n and call.what == "void" and call.at == box for at, call in self.calls)

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

    def swept_before(self, n: int) -> bool:
        """Whether the last thing before event `n` was that bets were swept to a pot: the dealer closed the betting."""
        acts = [step.n for step in self.acts_after(self.opened_n, past_cards=True) if step.n < n]
        since = max(acts, default=self.opened_n)
        return any(since < change.n < n and change.rise > 0 for pot in self.pots for change in pot.changes)

    def _hands_gone(self, others: Sequence[Step]) -> list[Step]:
        """A hand that left its place, all of it, is a fold (whoever said nothing): unseen, or with play after it.

        Bets that are swept or given back are play until a hand was shown.
        """
        hands = [slot for box in self.dealt for slot in self.round.hand(box)]
        shown_n = min((slot.turned_n for slot in hands if slot.turned_n is not None), default=NEVER)
        played = [step for step in others if step.change is None or step.change.rise > 0 or step.n < shown_n]
        over = max((step.n for step in played if step.kind in ("chips", "check", "card", "board")), default=0)
        found = []
        for box in self.dealt:
            slots = self.round.hand(box)
            ends = {slot.gone_n for slot in slots}
            last = max((n for n in ends if n is not None), default=None)
            if None in ends or last is None or last > self.end_n:
                continue
            if last < over or any(slot.seen_n is None for slot in slots):
                found.append(Step(last, self.round.events[last].t, "gone", box))
        return found
