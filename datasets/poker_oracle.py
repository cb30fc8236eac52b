"""Hands that pokerkit played, written down as table logs: an engine nobody here wrote says what happened and who won.

`hand_events` turns the operations of any finished pokerkit hold-em hand (random ones, or the televised hands of its own
tests) into the events a camera would have seen; `random_hand` plays one.
"""

import random
import unittest
import warnings
from collections.abc import Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple
from unittest import mock

from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem, State
from pokerkit.state import (
    AntePosting, BetCollection, BlindOrStraddlePosting, BoardDealing, CheckingOrCalling, ChipsPushing,
    CompletionBettingOrRaisingTo, Folding, HoleCardsShowingOrMucking, HoleDealing,
)  # fmt: skip

from auditor import log
from auditor.log import AnyEvent

AUTOMATIONS = (
    Automation.ANTE_POSTING, Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING, Automation.CARD_BURNING,
    Automation.HAND_KILLING, Automation.CHIPS_PULLING, Automation.RUNOUT_COUNT_SELECTION,
)  # fmt: skip
MAX_RAISES = 3
RANKS, SUITS = "23456789TJQKA", "cdhs"


class Played(NamedTuple):
    """A hand that pokerkit played: its state at the end, and the pots as they stood before the showdown."""

    state: State
    pots: list[tuple[int, tuple[int, ...]]]


def random_hand(chance: random.Random, players: int, limit: str) -> Played:
    """Play a hand with random actions and stacks, from the first after the button (player 0) on."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pokerkit would rather deal the cards itself
        return _random_hand(chance, players, limit)


def _random_hand(chance: random.Random, players: int, limit: str) -> Played:
    stacks = [chance.choice([3, 7, 12, 20, 35, 60, 100, 200]) for _ in range(players)]
    if limit == "fixed":
        # The rulebooks let no all-in of less than a raise reopen the betting; pokerkit does from half of it on.
        stacks = [400] * players
        state = FixedLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (1, 2), 2, 4, stacks, players)
    else:
        state = NoLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (1, 2), 2, stacks, players)
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    chance.shuffle(deck)
    pots: list[tuple[int, tuple[int, ...]]] = []
    while state.status:
        if state.can_deal_hole():
            state.deal_hole(deck.pop() + deck.pop())
        elif state.can_deal_board():
            count = 3 if not list(state.get_board_cards(0)) else 1
            state.deal_board("".join(deck.pop() for _ in range(count)))
        elif state.can_show_or_muck_hole_cards():
            pots = pots or [(pot.amount, tuple(pot.player_indices)) for pot in state.pots]
            state.show_or_muck_hole_cards(True)
        elif state.can_push_chips():
            pots = pots or [(pot.amount, tuple(pot.player_indices)) for pot in state.pots]
            state.push_chips()
        else:
            _act(state, chance)
    return Played(state, pots)


def _act(state: State, chance: random.Random) -> None:
    draw = chance.random()
    if draw < 0.2 and state.can_fold() and (state.checking_or_calling_amount or 0) > 0:
        state.fold()
    elif (
        draw < 0.5 and state.can_complete_bet_or_raise_to() and _raises(state) < MAX_RAISES and not _short_all_in(state)
    ):
        least, most = (
            state.min_completion_betting_or_raising_to_amount,
            state.max_completion_betting_or_raising_to_amount,
        )
        assert least is not None
        assert most is not None
        amount = most if chance.random() < 0.25 else chance.randint(least, max(least, min(most, 3 * least)))
        state.complete_bet_or_raise_to(amount)
    else:
        state.check_or_call()


def _short_all_in(state: State) -> bool:
    """Whether somebody went all in for less than a raise in this betting round: no rulebook lets others raise on it."""
    level, step, short = 2, 2, False
    for operation in state.operations:
        if isinstance(operation, BoardDealing):
            level, step, short = 0, 2, False
        elif isinstance(operation, CompletionBettingOrRaisingTo):
            short = short or operation.amount - level < step
            step, level = max(step, operation.amount - level), operation.amount
    return short


def _raises(state: State) -> int:
    """Raises of this betting round: the blinds are the first bet, later rounds need an opening bet."""
    made = 0
    for operation in state.operations:
        if isinstance(operation, BoardDealing):
            made = -1
        made += isinstance(operation, CompletionBettingOrRaisingTo)
    return made


TELEVISED = ("pokerkit.tests.test_wsop.test_2023_43_5", "pokerkit.tests.test_wsop.test_2023_54_4")


def televised_hands() -> Iterator[tuple[str, State]]:
    """The hold-em hands of the World Series of Poker in pokerkit's own tests, named by their place in the footage."""
    caught: list[State] = []
    prepare = State.__post_init__

    def catch(state: State, *options: Any) -> None:
        caught.append(state)
        prepare(state, *options)

    with mock.patch.object(State, "__post_init__", catch), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module in TELEVISED:
            for suite in _suites(import_module(module)):
                for test in (each for each in suite if isinstance(each, unittest.TestCase)):
                    caught.clear()
                    test.run(unittest.TestResult())
                    boards = [street.board_dealing_count for street in caught[0].streets]
                    holes = [len(street.hole_dealing_statuses) for street in caught[0].streets]
                    if boards == [0, 3, 1, 1] and holes == [2, 0, 0, 0]:
                        yield test.id().rpartition(".")[2], caught[0]


def _suites(module: ModuleType) -> Iterator[unittest.TestSuite]:
    for suite in unittest.defaultTestLoader.loadTestsFromModule(module):
        if isinstance(suite, unittest.TestSuite):
            yield suite


class Writer:
    """Writes a hand's operations as events; player i sits at `boxes[i]`, the button is the last one's."""

    def __init__(self, state: State, boxes: Sequence[int], *, shows_aggressor: bool, burn: bool = True) -> None:
        self.state, self.boxes, self.shows_aggressor, self.burn = state, boxes, shows_aggressor, burn
        self.events: list[AnyEvent] = []
        self.t = 0.0
        self.stacks = list(state.starting_stacks)
        self.bets = [0] * len(boxes)
        self.pot = 0
        self.shown: list[tuple[int, list[str]]] = []
        self.last_raise: int | None = None
        self.dealt = False
        # The rulebooks know blinds or antes, not both: a big blind's ante is left out, as if it had never been there.
        self.left_out = sum(each.amount for each in state.operations if isinstance(each, AntePosting))
        for each in state.operations:
            if isinstance(each, AntePosting):
                self.stacks[each.player_index] -= each.amount

    def add(self, kind: type[Any], **fields: Any) -> None:
        """One event, a second after the last."""
        self.t += 1
        self.events.append(kind(t=self.t, **fields))

    def chips(self, at: str, amount: float, by: str) -> None:
        """Chips stand at a spot."""
        self.add(log.Chips, at=at, amount=amount, by=by)

    def write(self) -> list[AnyEvent]:
        """The whole hand."""
        state = self.state
        for player, box in enumerate(self.boxes):
            self.chips(f"box{box}/stack", self.stacks[player], "player")
        self.add(log.Button, at=f"box{self.boxes[-1]}")
        self.add(log.Shuffle, by="dealer")
        self.add(log.Cut, by="dealer")
        for operation in state.operations:
            self._write(operation)
        self._showdown_done()
        for player, box in enumerate(self.boxes):
            if self.stacks[player] < state.stacks[player]:
                self.stacks[player] = state.stacks[player] - self.left_out
                self.chips(f"box{box}/stack", self.stacks[player], "dealer")
        for box in self.boxes:
            self.add(log.Gone, at=f"box{box}", to="discard")
        self.add(log.Gone, at="board", to="discard")
        return self.events

    def _write(self, operation: object) -> None:
        match operation:
            case BlindOrStraddlePosting() | CheckingOrCalling() if operation.amount:
                self._put(operation.player_index, operation.amount)
            case CheckingOrCalling():
                self.add(log.Call, what="check", at=f"box{self.boxes[operation.player_index]}", by="player")
            case CompletionBettingOrRaisingTo():
                self.last_raise = operation.player_index
                self._put(operation.player_index, operation.amount - self.bets[operation.player_index])
            case HoleDealing():
                self._deal()
            case Folding():
                self.add(log.Call, what="fold", at=f"box{self.boxes[operation.player_index]}", by="player")
                self.add(log.Gone, at=f"box{self.boxes[operation.player_index]}", to="discard")
            case BetCollection() if self.dealt:
                self._sweep(operation.bets)
            case BoardDealing():
                if self.burn:
                    self.add(log.Card, at="burn", card="??")
                for card in operation.cards:
                    self.add(log.Card, at="board", card=repr(card))
            case HoleCardsShowingOrMucking():
                self.shown.append((operation.player_index, [repr(card) for card in operation.hole_cards or ()]))
            case ChipsPushing():
                self._showdown_done()

    def _put(self, player: int, amount: int) -> None:
        box = self.boxes[player]
        self.bets[player] += amount
        self.stacks[player] -= amount
        self.chips(f"box{box}/bet", self.bets[player], "player")
        self.chips(f"box{box}/stack", self.stacks[player], "player")

    def _deal(self) -> None:
        """pokerkit deals two cards at a time; the rulebooks one, from the first player after the button on."""
        if not self.dealt:
            self.dealt = True
            for _ in range(2):
                for box in self.boxes:
                    self.add(log.Card, at=f"box{box}", card="??")

    def _sweep(self, collected: Sequence[int]) -> None:
        for player, box in enumerate(self.boxes):
            back = self.bets[player] - collected[player]
            if back > 0:
                self.stacks[player] += back
                self.chips(f"box{box}/bet", collected[player], "dealer")
                self.chips(f"box{box}/stack", self.stacks[player], "dealer")
        for player, box in enumerate(self.boxes):
            if collected[player]:
                self.chips(f"box{box}/bet", 0, "dealer")
            self.bets[player] = 0
        if sum(collected):
            self.pot += sum(collected)
            self.chips("pot", self.pot, "dealer")

    def _showdown_done(self) -> None:
        """The cards are shown, the one who must first, and the pot is emptied."""
        if self.shows_aggressor:
            first = self.last_raise if self.last_raise is not None else 1
            self.shown.sort(key=lambda hand: hand[0] != first)
        for player, cards in self.shown:
            if not cards:
                self.add(log.Gone, at=f"box{self.boxes[player]}", to="discard")
            for card in cards:
                self.add(log.Turn, at=f"box{self.boxes[player]}", card=card)
        self.shown = []
        if self.pot:
            self.pot = 0
            self.chips("pot", 0, "dealer")


def expected_shares(played: Played, boxes: Sequence[int]) -> dict[str, int]:
    """What each box wins from the pots, in cents, by pokerkit's reckoning."""
    pushed = [0] * len(boxes)
    for operation in played.state.operations:
        if isinstance(operation, ChipsPushing):
            pushed = [a + b for a, b in zip(pushed, operation.amounts, strict=True)]
    return {f"box{box}": 100 * amount for box, amount in zip(boxes, pushed, strict=True) if amount}
