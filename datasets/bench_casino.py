"""How fast the casino is filmed: `python -m datasets.bench_casino` films stretches spread over ten blackjack rounds.

The whole of ten rounds at real pace is some nine minutes of footage; stretches of a few seconds, evenly spread, have
the same share of stillness and motion. The first picture of a stretch is drawn whole and is not counted: footage has
one such picture in all.
"""

import argparse
import tempfile
import time
from pathlib import Path

from datasets.casino.encode import FootageWriter
from datasets.casino.footage import Shoot, camera_of, film, frame_times, look_of, prepare
from datasets.casino.lens import Lens, Optics
from datasets.casino.stage import Stage


def filmed(*, rounds: int, stretches: int, pictures: int, seed: int) -> tuple[int, float, float]:
    """Pictures filmed, seconds on the clock and of the processors, with lens and encoding."""
    shoot = Shoot()
    take = prepare("act-blackjack", rounds=rounds, seed=seed, errors={}, shoot=shoot)
    stage = Stage(take.plan, look_of(seed, shoot.decks), camera_of(shoot, take.plan, seed))
    lens, times = Lens(Optics(seed=seed), shoot.size), frame_times(take.duration_s, shoot.fps)
    step = len(times) // stretches
    count, clock_s, processor_s = 0, 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder, FootageWriter(
        Path(folder) / "footage.mp4", size=shoot.size, fps=shoot.fps
    ) as writer:
        for first in range(0, step * stretches, step):
            images = film(take.timeline, stage, times[first : first + pictures + 1], exposures=shoot.exposures)
            writer.write(first, lens.record(next(images), first))
            clock, processor = time.perf_counter(), time.process_time()
            for index, image in enumerate(images, first + 1):
                writer.write(index, lens.record(image, index))
            clock_s += time.perf_counter() - clock
            processor_s += time.process_time() - processor
            count += pictures
    return count, clock_s, processor_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--stretches", type=int, default=24)
    parser.add_argument("--pictures", type=int, default=50, help="pictures of each stretch")
    parser.add_argument("--seed", type=int, default=5)
    asked = parser.parse_args()
    count, clock_s, processor_s = filmed(
        rounds=asked.rounds, stretches=asked.stretches, pictures=asked.pictures, seed=asked.seed
    )
    print(f"{count} pictures in {clock_s:.1f} s: {count / clock_s:.1f} a second; {processor_s:.1f} processor seconds")


if __name__ == "__main__":
    main()
