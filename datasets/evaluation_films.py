"""Footage to be scored once: `python -m datasets.evaluation_films DIR [FIRST_SEED]` films until it is stopped.

The games take turns, so that the set is balanced whenever it is stopped. Seeds go up from the first; one whose camera
the doctor does not accept, or whose rounds give no occasion for the mistakes drawn, is passed over. Nobody chooses.
`--good` asks for cameras that the doctor finds nothing weak in; over a whole table none has so much with `--size
1920x1080`.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from auditor.log import FairdealError
from datasets.casino.decks import STYLES
from datasets.casino.faults import FAULTS
from datasets.casino.footage import Shoot, camera_of, simulate_footage
from datasets.casino.footage_files import calibration_points
from datasets.casino.installed_decks import installed_names
from datasets.casino.samples import VALID_FAMILIES
from datasets.simulate import dealer_for
from vision.doctor import Verdict, zone_reports
from vision.plan import load_plan
from vision.table_file import Camera

SHOOT = Shoot(size=(1920, 1080), fps=12.5, camera="random", pace="fast", exposures=1)
"""A short shutter: one moment a frame."""
SEEDED_FAMILIES = ("deal", "draw", "bet", "payout")
ROUNDS = {"act-blackjack": 4, "act-baccarat": 6, "act-uth": 2, "act-canberra-poker": 4, "act-roulette": 2}
ACCEPTED: tuple[Verdict, ...] = ("good", "weak")
UNSEEN = {("act-roulette", "bet.invalid")}
"""A wager on two numbers that do not touch: filmed, it stands between them, on a spot that is another wager's."""
OTHERS = ("act-holdem", "act-faro", "tas-holdem", "tas-stud", "act-paigow")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One clip of the set, before a seed is found for it."""

    game: str
    rounds: int
    mistakes: int
    faults: int = 0


def programme() -> Iterator[Wanted]:
    """Turn after turn: the five games, one of them with faults, and one of the others."""
    games = list(ROUNDS)
    for turn in count():
        for game, rounds in ROUNDS.items():
            yield Wanted(game=game, rounds=rounds, mistakes=rounds // 2)
        faulty = games[turn % len(games)]
        yield Wanted(game=faulty, rounds=ROUNDS[faulty] // 2, mistakes=1, faults=2)
        yield Wanted(game=OTHERS[turn % len(OTHERS)], rounds=1, mistakes=0)


def validation_decks() -> tuple[str, ...]:
    """Decks that are only ever measured on: two of our own, and those of others that are installed."""
    own = (style.name for style in STYLES.values() if style.family in VALID_FAMILIES)
    return (*own, *installed_names("valid"))


def is_accepted(game: str, seed: int, shoot: Shoot, accepted: Sequence[Verdict] = ACCEPTED) -> bool:
    """Whether the doctor says nothing else of any zone before the camera that this seed hangs up."""
    plan = load_plan(game)
    points = calibration_points(plan, camera_of(shoot, plan, seed))
    view = Camera(name="table", source="", watches="table", size=shoot.size, points=points).view(shoot.size)
    return all(report.verdict in accepted for report in zone_reports(view, plan))


def film(
    wanted: Wanted, seed: int, folder: Path, *, shoot: Shoot = SHOOT, accepted: Sequence[Verdict] = ACCEPTED
) -> bool:
    """Film one clip, unless its seed is no good for it."""
    chance = random.Random(f"evaluation {seed}")
    mistakes = (kind for kind in dealer_for(wanted.game, seed).mistakes if (wanted.game, kind) not in UNSEEN)
    kinds = [kind for kind in mistakes if kind.partition(".")[0] in SEEDED_FAMILIES]
    faults = tuple(chance.sample(FAULTS, wanted.faults))
    shoot = replace(shoot, decks=chance.choice(validation_decks()), faults=faults)
    if not is_accepted(wanted.game, seed, shoot, accepted):
        return False
    errors = dict.fromkeys(chance.sample(kinds, wanted.mistakes), 1)
    try:
        simulate_footage(wanted.game, rounds=wanted.rounds, seed=seed, errors=errors, out=folder, shoot=shoot)
    except FairdealError as error:
        print(f"{wanted.game} {seed}: {error}", file=sys.stderr)
        return False
    return True


def film_all(folder: Path, first_seed: int, shoot: Shoot, accepted: Sequence[Verdict]) -> None:
    """The programme, clip by clip; clips that are there already are kept."""
    seeds = count(first_seed)
    for wanted in programme():
        for seed in seeds:
            clip = folder / f"{wanted.game}-{seed}{'-faults' if wanted.faults else ''}"
            if (clip / "footage.mp4").exists() or film(wanted, seed, clip, shoot=shoot, accepted=accepted):
                print(clip, flush=True)
                break


def main() -> None:
    """Read the options and film."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("first_seed", type=int, nargs="?", default=81000)
    parser.add_argument("--size", default=SHOOT.size, type=lambda text: tuple(map(int, text.split("x"))))
    parser.add_argument("--good", action="store_true", help="only cameras in which nothing is weak")
    args = parser.parse_args()
    film_all(args.folder, args.first_seed, replace(SHOOT, size=args.size), ("good",) if args.good else ACCEPTED)


if __name__ == "__main__":
    main()
