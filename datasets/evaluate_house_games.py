"""Evaluation of the house-banked poker games against second settlements: `python -m datasets.evaluate_house_games`.

Each check plays rounds at random, right ones and ones with a mistake, and counts where the auditor and the oracle
disagree on a result, on what is due, or on what was wrong.
"""

import io
import random
import time
from collections.abc import Callable
from functools import partial

from phevaluator.evaluator import evaluate_5cards
from pokerkit import Card, StandardHighHand

from auditor.audit import audit
from auditor.cards import FULL_DECK, name
from auditor.findings import AuditedRound
from auditor.hands import CANBERRA, strength
from auditor.log import money
from datasets import canberra_oracle, uth_oracle

ROUNDS = 100_000


def rank_differences(hands: int, seed: int) -> int:
    """How often two Canberra hands (2.6-2.8) compare otherwise than with phevaluator or pokerkit."""
    chance = random.Random(seed)
    wrong = 0
    for _ in range(hands):
        first, second = chance.sample(FULL_DECK, 5), chance.sample(FULL_DECK, 5)
        ours = strength(first, CANBERRA) - strength(second, CANBERRA)
        theirs = evaluate_5cards(*second) - evaluate_5cards(*first)
        one, other = (StandardHighHand(Card.parse("".join(map(name, hand)))) for hand in (first, second))
        wrong += (ours > 0) - (ours < 0) != (theirs > 0) - (theirs < 0) or (ours > 0) != (one > other)
    return wrong


def canberra_differences(rounds: int, seed: int) -> list[str]:
    """Canberra Poker: the rounds that the auditor settles otherwise, or whose one mistake it does not find alone."""
    chance = random.Random(seed)
    found = []
    for number in range(rounds):
        played = canberra_oracle.Table(chance).play(mistaken=number % 3 == 0)
        (answer,) = audit(io.BytesIO(played.log), "dealt").rounds
        found += _differences(answer, played.expected, played.mistake)
    return found


def uth_differences(rounds: int, seed: int) -> list[str]:
    """Ultimate Texas Hold-em: the same."""
    found = []
    for number in range(rounds):
        played = uth_oracle.deal(seed * rounds + number, mistaken=number % 3 == 0)
        (answer,) = audit(io.BytesIO(played.log()), "dealt").rounds
        found += _differences(answer, played.expected, played.mistake)
    return found


def _differences(
    answer: AuditedRound, expected: dict[str, tuple[str, float]], mistake: tuple[str, str] | None
) -> list[str]:
    settled = {each.at: (each.result, money(each.due or 0)) for each in answer.wagers}
    wrong = [f"{at}: {settled.get(at)}, not {due}" for at, due in expected.items() if settled.get(at) != due]
    breaches = [(each.kind, each.at) for each in answer.findings]
    wanted = [mistake] if mistake else []
    return wrong if breaches == wanted else [*wrong, f"found {breaches}, not {wanted}"]


def main() -> int:
    """Run everything, print one table, and answer with the number of disagreements."""
    checks: list[tuple[str, Callable[[], int]]] = [
        ("Canberra hands in pairs", partial(rank_differences, ROUNDS, seed=1)),
        ("Canberra rounds", lambda: len(canberra_differences(ROUNDS, seed=2))),
        ("Ultimate Texas Hold-em rounds", lambda: len(uth_differences(ROUNDS, seed=3))),
    ]
    total = 0
    print(f"{'check':<50}{'compared':>10}{'differences':>13}{'seconds':>9}")
    for title, check in checks:
        started = time.perf_counter()
        wrong = check()
        total += wrong
        print(f"{title:<50}{ROUNDS:>10,}{wrong:>13,}{time.perf_counter() - started:>9.1f}", flush=True)
    return total


if __name__ == "__main__":
    raise SystemExit(1 if main() else 0)
