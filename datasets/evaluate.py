"""`make evaluate`: the long checks. Simulated rounds of every game, then the oracles for hands, house games and poker.

Prints tables and exits with 1 when anything disagrees.
"""

import sys
import time

from auditor.log import FairdealError
from datasets import evaluate_hands, evaluate_house_games, evaluate_poker
from datasets.dealer import Dealer
from datasets.dealers import DEALERS
from datasets.trial import Trial, try_dealer

LEGAL_ROUNDS = 10_000
SEEDED_ROUNDS = 200


def seeded_trial(dealer: type[Dealer], kind: str, seeded: int) -> Trial:
    """So many mistakes of one kind, in as many rounds as their occasions need."""
    for rounds in (2 * seeded, 20 * seeded):
        try:
            return try_dealer(dealer, rounds, {kind: seeded}, seed=101)
        except FairdealError as error:
            too_few = error
    raise too_few


def evaluate_dealers(legal: int = LEGAL_ROUNDS, seeded: int = SEEDED_ROUNDS) -> int:
    """Legal rounds must give no breach; each seeded mistake must be found, at its place, and nothing else."""
    wrong = 0
    print(f"{'rulebook':<20} {'kind':<20} {'rounds':>8} {'seeded':>8} {'disagreements':>14} {'seconds':>8}")
    for dealer in DEALERS:
        for kind in (None, *dealer.mistakes):
            start = time.perf_counter()
            trial = try_dealer(dealer, legal, seed=101) if kind is None else seeded_trial(dealer, kind, seeded)
            wrong += len(trial.disagreements)
            print(
                f"{dealer.rulebook:<20} {kind or 'legal':<20} {trial.rounds:>8,} {trial.seeded:>8,} "
                f"{len(trial.disagreements):>14,} {time.perf_counter() - start:>8.1f}"
            )
            for each in trial.disagreements[:3]:
                print(f"    round {each.round.number}: wanted {each.wanted}, found {each.found}")
    return wrong


def main() -> None:
    """Everything, the longest last."""
    from datasets.casino import footage_truth  # draws: loaded only here

    wrong = evaluate_dealers()
    for part in (footage_truth, evaluate_house_games, evaluate_poker, evaluate_hands):
        print(f"\n{part.__name__}")
        wrong += part.main()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
