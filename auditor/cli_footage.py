"""The commands on footage: what a camera saw, audited; how well a camera sees; how well it was read."""

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from auditor.cli_room import KEYS, keep_origin, must_take
from auditor.log import FairdealError

if TYPE_CHECKING:
    from auditor.pipeline import Job
    from auditor.provenance import Origin

TABLE = click.option(
    "--table", "table_path", required=True, type=click.Path(path_type=Path), metavar="T.toml", help="The table's file."
)
FOOTAGE = click.argument("footage", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FOOTAGE...")
MOMENT = click.FloatRange(0)


@click.command()
@FOOTAGE
@TABLE
@click.option("--log", "log_path", type=click.Path(path_type=Path), metavar="OUT.jsonl", help="Keep the table log.")
@click.option("--from", "start_s", default=0.0, type=MOMENT, metavar="SECONDS", help="Where in the recording to begin.")
@click.option("--to", "end_s", default=float("inf"), type=MOMENT, metavar="SECONDS", help="Where to end.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per round.")
@click.option("--store", "room", type=click.Path(path_type=Path), metavar="ROOM.db", help="Keep what was audited.")
@KEYS
def audit(
    footage: tuple[Path, ...], table_path: Path, log_path: Path | None, start_s: float, end_s: float, as_json: bool,
    room: Path | None, keys: Path | None,
) -> int:  # fmt: skip
    """Audit recorded footage of a table.

    Several files are one recording, in the order given. Interrupted and started again, it goes on where it was.

    \b
    Example:
      fairdeal audit evening-1.mp4 evening-2.mp4 --table BJ-04.toml --log evening.jsonl
    """
    from auditor.cli_check import BAD_INPUT, check_logs, complain
    from auditor.pipeline import prepared, write_log
    from vision.table_file import load_table

    job = prepared(load_table(table_path), footage, start_s, end_s)
    if room is not None:
        must_take(room, keys)
    path = log_path or _working_log(footage, table_path)
    try:
        with _progress("watching") as on_progress:
            faults = write_log(job, path, on_progress)
    except KeyboardInterrupt:
        complain("broken off: started again, it goes on from where it last kept its work")
        raise
    for fault in faults:
        complain(fault)
    more = f" and {len(footage) - 1} more" if len(footage) > 1 else ""
    name = str(log_path) if log_path else f"{footage[0]}{more}"  # nobody knows the working log by its name
    code = check_logs({str(path): name}, as_json, room, keys)
    if room is not None and code != BAD_INPUT:
        keep_origin(room, keys, path, _origin(job, table_path))
    if log_path is None:
        path.unlink(missing_ok=True)
    return code


def _origin(job: "Job", table_path: Path) -> "Origin":
    """The footage, the table file and the models that a log was made from."""
    from auditor.provenance import Origin, Source, recording, source
    from vision.weights import manifest

    cameras = {each.watches: each.name for each in job.table.cameras}
    footage = recording(cameras.get("table", "table"), job.files) + recording(
        cameras.get("wheel", "wheel"), job.wheel_files
    )
    models = tuple(Source(what="model", name=each.file, sha256=each.sha256) for each in manifest().weights)
    return Origin(footage=footage, sources=(source("table file", table_path), *models))


def _working_log(footage: tuple[Path, ...], table_path: Path) -> Path:
    """Where the log grows when nobody asked to keep it: the same place each time, so that work can go on."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fairdeal"
    cache.mkdir(parents=True, exist_ok=True)
    names = "\n".join(str(path.resolve()) for path in (*footage, table_path))
    return cache / f"{hashlib.sha256(names.encode()).hexdigest()[:16]}.jsonl"


@contextlib.contextmanager
def _progress(what: str) -> Iterator[Callable[[float, float], None]]:
    """A bar with the remaining time, on a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per folder.")
@click.option("--knowing", is_flag=True, help="With eyes that know what was filmed: faults of everything but the eyes.")
def score(folders: tuple[Path, ...], as_json: bool, knowing: bool) -> int:
    """Say how well simulated footage is read, against its truth.

    \b
    Example:
      fairdeal simulate --game act-blackjack --rounds 5 --out night
      fairdeal score night
    """
    from datasets.score import score as scored
    from datasets.score import table_of

    scores = []
    for folder in folders:
        each = scored(folder, is_read_for_it=knowing)
        scores.append(each)
        if as_json:
            sys.stdout.buffer.write(msgspec.json.encode(each) + b"\n")
            sys.stdout.flush()
        else:
            for line in each.missed:
                click.echo(f"{folder}: {line}")
    if not as_json:
        click.echo(table_of(scores))
    return 0


@click.command()
@click.argument("table_path", type=click.Path(path_type=Path), metavar="T.toml")
@click.argument("footage", nargs=-1, type=click.Path(path_type=Path), metavar="[FOOTAGE]...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def doctor(table_path: Path, footage: tuple[Path, ...], as_json: bool) -> int:
    """Say whether a table's camera resolves what its rulebook needs. Exit code 1 when something is not enough.

    Without FOOTAGE the camera's own source is looked at.

    \b
    Example:
      fairdeal doctor BJ-04.toml evening.mp4
    """
    from auditor.pipeline import ready_camera
    from auditor.pipeline_site import SiteTable
    from vision.doctor import diagnose
    from vision.frames import Recording
    from vision.table_file import load_table

    table = load_table(table_path)
    camera = ready_camera(table)
    if not footage and not camera.source:
        raise FairdealError(f"{table_path}: camera {camera.name!r} has no `source`: name FOOTAGE")
    own = SiteTable(path=table_path, file=table).source(camera)
    diagnosis = diagnose(table, camera, Recording(footage or (own,)))
    if as_json:
        click.echo(msgspec.json.encode(diagnosis))
    else:
        for line in diagnosis.lines():
            click.echo(line)
    return 1 if diagnosis.verdict == "not enough" else 0


@click.command()
@click.argument("source", type=click.Path(path_type=Path), metavar="STILL|FOOTAGE")
@TABLE
@click.option("--at", "at_s", default=0.0, type=MOMENT, metavar="SECONDS", help="Which picture of the footage.")
@click.option("--overlay", type=click.Path(path_type=Path), metavar="OUT.png", help="Show the plan over the picture.")
def calibrate(source: Path, table_path: Path, at_s: float, overlay: Path | None) -> int:
    """Find the table's layout in a picture.

    By its felt and print; prints the camera's points for the table file.

    \b
    Example:
      fairdeal calibrate evening.mp4 --table BJ-04.toml --overlay seen.png
    """
    from vision.calibrate import find_layout, overlay as drawn_over, points_of
    from vision.see import write_picture
    from vision.stills import picture_at
    from vision.table_file import load_table

    table = load_table(table_path)
    image = picture_at(source, at_s)
    fit = find_layout(image, table.plan)
    click.echo(f"fairdeal: the plan's lines lie {fit.miss_px:.2f} pixels (of 960) from the picture's", err=True)
    click.echo(f"size = [{image.shape[1]}, {image.shape[0]}]")
    click.echo("points = [")
    for point in points_of(fit.view, table.plan):
        click.echo(f"  {{ px = [{point.px[0]:g}, {point.px[1]:g}], mm = [{point.mm[0]:g}, {point.mm[1]:g}] }},")
    click.echo("]")
    if overlay is not None:
        write_picture(overlay, drawn_over(image, fit.view, table.plan))
    return 0


COMMANDS: tuple[click.Command, ...] = (audit, calibrate, doctor, score)
