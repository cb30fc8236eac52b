"""How fast footage is audited, and in what memory: `python -m datasets.bench_footage DIR [--minutes M] [--frames N]`.

DIR holds footage with its table file. Each way goes through it in a process of its own: decoding alone; the audit, with
all eyes; and the ways that are not taken, a detector on every frame, at 640 pixels, on N frames, from which the rest is
reckoned: the eye for small things, and, where --ultralytics names an interpreter that has it, its `yolo predict`. With
--minutes the footage is joined to itself until it lasts as long, and memory is told as it goes on. Processor time
counts as well as the clock: other work on the machine slows only the clock.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import click

from auditor.pipeline import Job, prepared, write_log
from vision.frames import Image, Recording
from vision.table_file import load_table

HEAD = "| way | processor s | clock s | times real time (clock) | memory |\n|---|---:|---:|---:|---:|"
WHOLE = ("decode", "audit")
DETECTOR_PX = 640
MARKS = 6
"""How often memory is told on the way."""


def joined(folder: Path, minutes: float) -> Job:
    """The folder's footage, as often in a row as it takes to last so long."""
    footage = folder / "footage.mp4"
    times = max(1, round(60 * minutes / Recording([footage]).duration_s)) if minutes else 1
    return prepared(load_table(folder / "table.toml"), [footage] * times)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is timed, and how many seconds of footage it goes through."""

    footage_s: float
    run: Callable[[], object]


def decode(job: Job, frames: int) -> Work:
    """Look at nothing."""
    recording = Recording(job.files)
    return Work(footage_s=recording.duration_s, run=lambda: deque(recording.frames(), maxlen=0))


def audit(job: Job, frames: int) -> Work:
    """Turn all of it into a log; memory is told on the way."""
    duration_s = Recording(job.files).duration_s
    marks = [duration_s * (number + 1) / MARKS for number in range(MARKS)]

    def on_progress(done: float, total: float) -> None:
        if marks and done >= marks[0]:
            print(f"  {done / 60:6.1f} min: {resident_mb():.0f} MB", file=sys.stderr)
            marks.pop(0)

    def run() -> None:
        with tempfile.TemporaryDirectory() as scratch:
            write_log(job, Path(scratch) / "log.jsonl", on_progress)

    return Work(footage_s=duration_s, run=run)


def per_frame(job: Job, frames: int) -> Work:
    """Ask the eye for small things about whole pictures, one after another."""
    from vision.objects import DETECTOR, found_by
    from vision.weights import entry

    return _asked(lambda image: found_by(DETECTOR, image, entry(DETECTOR).settings), job, frames)


def yolo_predict(name: str, job: Job, frames: int) -> Work:
    """Ask a user's own detector; untrained, as only its time counts."""
    from models.compare_speed import rival

    return _asked(rival(f"{name}.yaml", DETECTOR_PX), job, frames)


def _asked(look: Callable[[Image], object], job: Job, frames: int) -> Work:
    """What it takes to open the detector does not count: a first picture warms it up."""
    recording = Recording(job.files)
    pictures = (frame.image for frame in islice(recording.frames(), frames + 1))
    look(next(pictures))
    return Work(footage_s=frames / recording.fps, run=lambda: deque(map(look, pictures), maxlen=0))


WAYS: dict[str, Callable[[Job, int], Work]] = {"decode": decode, "audit": audit, "per-frame": per_frame}
RIVALS = ("yolov5n", "yolo26n")
WAYS |= {name: partial(yolo_predict, name) for name in RIVALS}


def resident_mb() -> float:
    """How much memory this process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def measured(way: str, folder: Path, minutes: float, frames: int) -> dict[str, float]:
    """One way through the footage, here and now."""
    work = WAYS[way](joined(folder, minutes), frames)
    began, used = time.perf_counter(), time.process_time()
    work.run()
    return {
        "footage_s": work.footage_s, "clock_s": time.perf_counter() - began,
        "processor_s": time.process_time() - used,
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
    }  # fmt: skip


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--minutes", default=0.0, help="Join the footage to itself until it lasts so long.")
@click.option("--frames", default=60, show_default=True, help="How many frames the per-frame ways are measured on.")
@click.option("--ultralytics", metavar="PYTHON", help="An interpreter with the extra [train]: `yolo predict` as well.")
@click.option("--way", type=click.Choice(list(WAYS)), help="Only this way, in this process, as JSON.")
def main(folder: Path, minutes: float, frames: int, ultralytics: str | None, way: str | None) -> None:
    """Print one table."""
    if way is not None:
        print(json.dumps(measured(way, folder, minutes, frames)))
        return
    print(HEAD)
    rows = {}
    for each in WAYS if ultralytics else [name for name in WAYS if name not in RIVALS]:
        python = ultralytics if ultralytics and each in RIVALS else sys.executable
        command = [python, "-m", "datasets.bench_footage", str(folder), "--way", each, "--frames", str(frames)]
        command += ["--minutes", str(minutes)]
        result = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        row = rows[each] = json.loads(result.stdout.splitlines()[-1])
        scale = rows["decode"]["footage_s"] / row["footage_s"]
        cells = [f"{scale * row['processor_s']:.1f}", f"{scale * row['clock_s']:.1f}"]
        cells += [f"{row['footage_s'] / row['clock_s']:.1f}", f"{row['memory_mb']:.0f} MB"]
        print("|", " | ".join([each, *cells]), "|", flush=True)
    for what in ("processor_s", "clock_s"):
        costs = {each: row[what] / row["footage_s"] for each, row in rows.items()}
        by_frame = [f"{each} {cost / costs['audit']:.1f}" for each, cost in costs.items() if each not in WHOLE]
        times = f"the audit takes {costs['audit'] / costs['decode']:.2f} times decoding"
        print(f"{what}: {times}; every frame would take so many audits: {', '.join(by_frame)}")


if __name__ == "__main__":
    main()
