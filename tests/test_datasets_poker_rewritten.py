"""The poker dealers' legal rounds, written in other ways the contract permits or weakly misread: nobody is accused."""

import itertools
import json
import random
from collections.abc import Callable

import msgspec
import pytest
from playing import Answer, answers, breaches

from datasets.dealer import Dealer
from datasets.dealers import DEALERS
from datasets.simulate import played

POKER = [dealer for dealer in DEALERS if "pot.winner" in dealer.mistakes]
Lines = list[Answer]


def lines_of(dealer: type[Dealer], seed: int, rounds: int) -> Lines:
    """A log of legal rounds."""
    return [json.loads(line) for line in played(dealer(seed), rounds, {})[0].splitlines()]


def judged(lines: Lines) -> list[tuple[str, str | None]]:
    """What is proved wrong."""
    return breaches(answers(b"".join(msgspec.json.encode(line) + b"\n" for line in lines)))


def without_calls(lines: Lines) -> Lines:
    """Neither checks nor folds are called: a hand passed in is all there is to see."""
    return [line for line in lines if line.get("what") not in ("check", "fold")]


def without_hands(lines: Lines) -> Lines:
    """Whose hand moved the chips is not known."""
    return [{name: value for name, value in line.items() if name != "by"} for line in lines]


def without_button(lines: Lines) -> Lines:
    """The button is never seen."""
    return [line for line in lines if line.get("e") != "button"]


def stack_first(lines: Lines) -> Lines:
    """A player's stack is read before what he put forward."""
    lines = [*lines]
    for n, (one, two) in enumerate(itertools.pairwise(lines[1:]), 1):
        bet = one.get("e") == "chips" and one.get("by") == "player" and one["at"].endswith("/bet")
        if bet and two.get("e") == "chips" and two["at"] == one["at"].replace("bet", "stack") and lines[n] is one:
            lines[n], lines[n + 1] = two | {"t": one["t"]}, one | {"t": two["t"]}
    return lines


def pot_first(lines: Lines) -> Lines:
    """The pot is read before the places the bets were swept from."""
    found, swept = [], list[Answer]()
    for line in lines:
        chips = line.get("e") == "chips"
        if chips and line["at"].endswith("/bet") and not line["amount"] and line.get("by") == "dealer":
            swept.append(line)
            continue
        if not (chips and line["at"].startswith("pot")):
            found += [each | {"t": line["t"]} for each in swept]
            swept = []
        found.append(line)
    return found + swept


def pushed_together(lines: Lines) -> Lines:
    """The dealer pushes the bets to the last one's spot and sweeps them from there."""
    found, swept, standing = list[Answer](), list[Answer](), dict[str, float]()
    for line in lines:
        chips = line.get("e") == "chips"
        if chips and line["at"].endswith("/bet") and not line["amount"] and line.get("by") == "dealer":
            swept.append(line)
            continue
        if swept and chips and line["at"].startswith("pot") and all(standing.get(each["at"]) for each in swept):
            last = swept.pop()
            for each in swept:
                standing[last["at"]] += standing[each["at"]]
                found += [each, last | {"amount": standing[last["at"]], "t": each["t"]}]
            swept = [last]
        found += [*swept, line]
        for each in (*swept, *([line] if chips else [])):
            standing[each["at"]] = each["amount"]
        swept = []
    return found + swept


def pushed_together_by_nobody_known(lines: Lines) -> Lines:
    return without_hands(pushed_together(lines))


def read_twice(lines: Lines) -> Lines:
    """Chips are read again as they stand."""
    return [each for line in lines for each in ((line, line) if line.get("e") == "chips" else (line,))]


def straight_to_pot(lines: Lines) -> Lines:
    """Bets never lie before the players: they go straight into the pot; side pots and what goes back come out of it."""
    standing, bet_in, found = dict[str, float](), 0.0, list[Answer]()
    for line, following in itertools.zip_longest(lines, lines[1:]):
        at = line.get("at") if line.get("e") == "chips" else None
        if at is not None and at.endswith("/bet"):
            rise, standing[at] = line["amount"] - standing.get(at, 0), line["amount"]
            if rise > 0 or (following or {}).get("at") == at.replace("bet", "stack"):
                standing["pot"] = standing.get("pot", 0) + rise
                found.append(line | {"at": "pot", "amount": standing["pot"]})
                bet_in = sum(amount for place, amount in standing.items() if place.startswith("pot"))
            continue
        read = at != "pot" or line["amount"] != standing.get("pot")
        if at is not None:
            standing[at] = line["amount"]
        over = sum(amount for place, amount in standing.items() if place.startswith("pot")) - bet_in
        if at is not None and at.startswith("pot") and over > 0:
            standing["pot"] -= over
            found.append(line | {"at": "pot", "amount": standing["pot"]})
        found += [line] if read else []
    return found


def straight_to_pot_without_stacks(lines: Lines) -> Lines:
    """The same, and nothing tells whose chips they were."""
    return [line for line in straight_to_pot(lines) if not str(line.get("at")).endswith("/stack")]


def stacks_unread_in_play(lines: Lines) -> Lines:
    """Stacks are read when the button has moved on and when the dealer pays, not when chips leave them."""
    found, stood, dealt = list[Answer](), dict[str, float](), False
    for line in lines:
        stack = str(line.get("at")).endswith("/stack")
        dealt = line.get("e") != "button" and (dealt or line.get("e") == "card")
        if stack:
            stood[line["at"]] = line["amount"]
        if not (stack and dealt and line.get("by") == "player"):
            found.append(line)
        if line.get("e") == "button":
            found += [{"t": line["t"], "e": "chips", "at": at, "amount": amount} for at, amount in stood.items()]
    return found


REWRITES = [
    straight_to_pot, straight_to_pot_without_stacks, without_calls, without_hands, without_button, stack_first,
    pot_first, pushed_together, pushed_together_by_nobody_known, read_twice, stacks_unread_in_play,
]  # fmt: skip


@pytest.mark.parametrize("rewrite", REWRITES)
@pytest.mark.parametrize("dealer", POKER, ids=lambda dealer: dealer.rulebook)
def test_the_same_rounds_written_otherwise(dealer: type[Dealer], rewrite: Callable[[Lines], Lines]) -> None:
    lines = lines_of(dealer, 1, 20)
    assert rewrite(lines) != lines
    assert judged(rewrite(lines)) == []


@pytest.mark.parametrize("dealer", POKER, ids=lambda dealer: dealer.rulebook)
def test_one_weak_misreading_accuses_nobody(dealer: type[Dealer]) -> None:
    chance, lines = random.Random(4), lines_of(dealer, 2, 5)
    for _ in range(40):
        n = chance.randrange(1, len(lines))
        line = lines[n]
        other: Answer = {}
        if line["e"] == "chips":
            other = {"amount": chance.choice([line["amount"] + 1, 2 * line["amount"]])}
        elif line.get("card", "??") != "??":
            other = {"card": chance.choice(["2c", "Ad", "9h", "Kc"])}
        elif line["e"] == "button":
            other = {"at": "box2"}
        elif line.get("what") in ("check", "fold"):
            other = {"what": "fold" if line["what"] == "check" else "check"}
        misread = line | other | {"conf": 0.5}
        assert judged([*lines[:n], misread, *lines[n + 1 :]]) == [], misread


@pytest.mark.parametrize("dealer", POKER, ids=lambda dealer: dealer.rulebook)
def test_a_log_that_begins_in_mid_round_accuses_nobody(dealer: type[Dealer]) -> None:
    for seed in (701, 706, 708):
        lines = lines_of(dealer, seed, 2)
        for n in range(1, len(lines), 8):
            assert judged([lines[0], *lines[n:]]) == [], (seed, n)
