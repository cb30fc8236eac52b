"""How fast footage is audited, and in what memory: `python -m datasets.bench_footage DIR [--minutes M] [--frames N]`.

DIR holds footage with its table file. Each way goes through it in a process of its own: decoding alone; the audit, with
all eyes; and the way that is not taken, a detector on every frame (the eye for small things at 640 pixels, on N frames,
from which the rest is reckoned). With --minutes the footage is joined to itself until it lasts as long, and memory is
told as it goes on. Processor time counts as well as the clock: other work on the machine slows only the clock.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click

from auditor.pipeline import Job, prepared, write_log
from vision.frames import Recording
from vision.table_file import load_table

HEAD = "| way | processor s | clock s | times real time (clock) | memory |\n|---|---:|---:|---:|---:|"
MARKS = 6
"""How often memory is told on the way."""


def joined(folder: Path, minutes: float) -> Job:
    """The folder's footage, as often in a row as it takes to last so long."""
    footage = folder / "footage.mp4"
    times = max(1, round(60 * minutes / Recording([footage]).duration_s)) if minutes else 1
    return prepared(load_table(folder / "table.toml"), [footage] * times)


def decode(job: Job, frames: int) -> float:
    """Look at nothing."""
    for _ in Recording(job.files).frames():
        pass
    return Recording(job.files).duration_s


def audit(job: Job, frames: int) -> float:
    """Turn all of it into a log; memory is told on the way."""
    duration_s = Recording(job.files).duration_s

    marks = [duration_s * (number + 1) / MARKS for number in range(MARKS)]

    def on_progress(done: float, total: float) -> None:
        if marks and done >= marks[0]:
            print(f"  {done / 60:6.1f} min: {resident_mb():.0f} MB", file=sys.stderr)
            marks.pop(0)

    with tempfile.TemporaryDirectory() as scratch:
        write_log(job, Path(scratch) / "log.jsonl", on_progress)
    return duration_s


def per_frame(job: Job, frames: int) -> float:
    """Ask a detector about whole pictures, one after another."""
    from vision.objects import DETECTOR, found_by
    from vision.weights import entry

    recording = Recording(job.files)
    for number, frame in enumerate(recording.frames()):
        if number == frames:
            break
        found_by(DETECTOR, frame.image, entry(DETECTOR).settings)
    return frames / recording.fps


WAYS: dict[str, Callable[[Job, int], float]] = {"decode": decode, "audit": audit, "per-frame": per_frame}


def resident_mb() -> float:
    """How much memory this process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def measured(way: str, folder: Path, minutes: float, frames: int) -> dict[str, float]:
    """One way through the footage, here and now."""
    job = joined(folder, minutes)
    began = time.perf_counter()
    footage_s = WAYS[way](job, frames)
    clock_s = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "footage_s": footage_s, "clock_s": clock_s, "processor_s": used.ru_utime + used.ru_stime,
        "memory_mb": used.ru_maxrss / 1e3,
    }  # fmt: skip


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--minutes", default=0.0, help="Join the footage to itself until it lasts so long.")
@click.option("--frames", default=60, show_default=True, help="How many frames the per-frame way is measured on.")
@click.option("--way", type=click.Choice(list(WAYS)), help="Only this way, in this process, as JSON.")
def main(folder: Path, minutes: float, frames: int, way: str | None) -> None:
    """Print one table."""
    if way is not None:
        print(json.dumps(measured(way, folder, minutes, frames)))
        return
    print(HEAD)
    rows = {}
    for each in WAYS:
        command = [sys.executable, "-m", "datasets.bench_footage", str(folder), "--way", each, "--frames", str(frames)]
        command += ["--minutes", str(minutes)]
        result = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        row = rows[each] = json.loads(result.stdout)
        scale = rows["decode"]["footage_s"] / row["footage_s"]
        cells = [f"{scale * row['processor_s']:.1f}", f"{scale * row['clock_s']:.1f}"]
        cells += [f"{row['footage_s'] / row['clock_s']:.1f}", f"{row['memory_mb']:.0f} MB"]
        print("|", " | ".join([each, *cells]), "|", flush=True)
    for what in ("processor_s", "clock_s"):
        by_decoding = rows["audit"][what] / rows["decode"][what]
        by_frame = rows["per-frame"][what] / rows["per-frame"]["footage_s"] * rows["audit"]["footage_s"]
        against = by_frame / rows["audit"][what]
        print(f"{what}: the audit takes {by_decoding:.2f} times decoding; every frame would take {against:.1f} audits")


if __name__ == "__main__":
    main()
