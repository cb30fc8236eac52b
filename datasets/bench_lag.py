"""How long the watch takes to tell of an event, reckoned: `python -m datasets.bench_lag DIR [--tables 4]`.

The watch's eye looks at DIR's footage as at a camera, and what each picture costs in processor time is measured. Then
so many such tables are laid on so many cores: when each picture would have been looked at, and its events told. Other
work on the machine hardly counts; how it is with that, and with a network between, the live bench measures.
"""

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import cv2

from vision.frames import Footage, Frame
from vision.live_eyes import TableEye
from vision.reading import Eyes
from vision.table_file import load_table

STEP_S = 0.001
HEAD = """\
| tables | s apart | cores | events | event to report p50 / p95 / worst | farthest behind |
|---:|---:|---:|---:|---|---:|"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A picture: when it came, what it cost, and when the events happened that were told after it."""

    t: float
    cost_s: float
    told: tuple[float, ...]


def looked_at(folder: Path) -> Iterator[Looked]:
    """Every picture of the footage, as a worker of the watch looks at it."""
    table = load_table(folder / "table.toml")
    camera = table.camera("table")
    assert camera is not None
    cv2.setNumThreads(1)
    eye, t, spent_s = TableEye(table, camera, Eyes), 0.0, time.thread_time()
    with Footage(folder / "footage.mp4", threads=1) as footage:
        eye.fps = footage.fps

        def frames() -> Iterator[Frame]:
            nonlocal t
            for frame in footage.frames():
                t = frame.t
                yield frame

        for events in eye.watch(frames()):
            before_s, spent_s = spent_s, time.thread_time()
            yield Looked(t=t, cost_s=spent_s - before_s, told=tuple(event.t for event in events))


def delays(looks: Sequence[Looked], tables: int, apart_s: float, cores: float) -> tuple[list[float], float]:
    """How long after they happened events would be told where tables share cores evenly; and how far behind a table
    would be at the most."""
    at, spent = [0] * tables, [0.0] * tables
    told, behind_s, now = [], 0.0, 0.0
    while any(place < len(looks) for place in at):
        due = [(looks[at[table]].t + table * apart_s, table) for table in range(tables) if at[table] < len(looks)]
        now = max(now, min(due)[0]) + STEP_S
        working = [table for t, table in due if t < now]
        for table in working:
            spent[table] += STEP_S * min(1.0, cores / len(working))
            while at[table] < len(looks) and spent[table] >= looks[at[table]].cost_s:
                look = looks[at[table]]
                if look.t + table * apart_s >= now:
                    spent[table] = 0.0
                    break
                spent[table] -= look.cost_s
                at[table] += 1
                behind_s = max(behind_s, now - look.t - table * apart_s)
                told += [now - t - table * apart_s for t in look.told]
    return told, behind_s


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--tables", default=4, show_default=True)
@click.option("--apart", "apart_s", default=13.0, show_default=True, help="Seconds between the tables' same moments.")
def main(folder: Path, tables: int, apart_s: float) -> None:
    """Print one table."""
    looks = list(looked_at(folder))
    print(HEAD)
    for count, apart, cores in ((1, 0.0, 1.0), (tables, apart_s, 2.0), (tables, apart_s, 1.0), (tables, 0.0, 2.0)):
        told, behind_s = delays(looks, count, apart, cores)
        p95 = statistics.quantiles(told, n=20)[-1]
        figures = f"{statistics.median(told):.2f} s / {p95:.2f} s / {max(told):.2f} s"
        print(f"| {count} | {apart:g} | {cores:g} | {len(told)} | {figures} | {behind_s:.2f} s |", flush=True)


if __name__ == "__main__":
    main()
