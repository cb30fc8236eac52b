"""Stills: every game from every camera, in the middle of a round, for docs/casino.md and for looking at.

Run as `python -m datasets.casino.stills [GAME …]`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from datasets.casino.cameras import PRESETS, preset
from datasets.casino.footage import Shoot, prepare
from datasets.casino.lens import Lens, random_optics
from datasets.casino.looks import FELTS, RAILS, Look, random_light
from datasets.casino.stage import Stage
from datasets.casino.things import Card, Hand, Moment, Tile
from datasets.dealers import DEALERS
from vision.plan import load_plan

Picture = npt.NDArray[np.uint8]
FOLDER = Path(__file__).parents[2] / "docs" / "casino"
SIZE = (1280, 720)
SEED = 5
JPEG_QUALITY = 80


def busiest(rulebook: str, seed: int = SEED) -> Moment:
    """The moment of a round at which most can be seen: cards and tiles face up, and a hand at work."""
    take = prepare(rulebook, rounds=1, seed=seed, errors={}, shoot=Shoot(pace="real"))
    times = np.arange(1.0, take.duration_s, 0.4).tolist()
    return max(take.timeline.moments(times), key=_interest)


def _interest(moment: Moment) -> float:
    faces = sum(isinstance(thing, Card | Tile) and thing.up for thing in moment)
    hands = sum(isinstance(thing, Hand) for thing in moment)
    return faces + 0.25 * len(moment) + 2 * min(hands, 2)


def stills(rulebook: str, number: int) -> Iterator[tuple[str, Picture]]:
    """One game from all cameras, each game on a felt and under a light of its own."""
    plan, moment, lot = load_plan(rulebook), busiest(rulebook), np.random.default_rng(number)
    felt, rail = FELTS[number % len(FELTS)], RAILS[number % len(RAILS)]
    look = Look(felt=felt, rail=rail, light=random_light(lot), seed=number)
    for name in PRESETS:
        stage = Stage(plan, look, preset(name, plan.felt, SIZE))
        yield name, Lens(random_optics(lot), SIZE).record(stage.draw(moment))


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for number, rulebook in enumerate(dealer.rulebook for dealer in DEALERS):
        if len(sys.argv) == 1 or rulebook in sys.argv[1:]:
            for camera, picture in stills(rulebook, number):
                path = FOLDER / f"{rulebook}-{camera}.jpg"
                cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
                print(path.name)


if __name__ == "__main__":
    main()
