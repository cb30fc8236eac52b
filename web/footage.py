"""Clips and crops for the browser: cut from the footage on demand, kept for a while, sent in ranges.

Which file is read stands in the room; a browser names a log, a round and a number, never a path.
"""

import os
import shutil
import tempfile
import threading
import weakref
from pathlib import Path
from typing import Any, cast

import msgspec
from flask import Blueprint, Flask, Response, abort, current_app, send_file, url_for
from flask.typing import ResponseReturnValue

from auditor.clips import Clip, crop, cut
from auditor.log import FairdealError
from auditor.store import Store
from web import queries
from web.access import allowed, store, table_of
from web.queries import RoundRow

pages = Blueprint("footage", __name__)
LEAD_S, LONGEST_S = 3.0, 900.0
MOST_CLIPS = 200
NO_FOOTAGE = "There is no footage of that."


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A clip as the page's script wants it; `t` is the log's time at its first picture."""

    camera: str
    src: str
    t: float
    duration: float
    fps: float
    width: int
    height: int


class Clips:
    """Clips that were cut lately, in a folder that goes with the site."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, threading.Lock()
        self._cut: dict[Path, Clip] = {}

    def get(self, source: Path, name: str, start: float, stop: float) -> tuple[Path, Clip]:
        """The clip of that name, cut if it is not there yet."""
        target = self._folder / name
        with self._lock:
            if target not in self._cut or not target.is_file():
                fresh = target.with_suffix(".part")
                clip = cut(source, fresh, start, stop)
                os.replace(fresh, target)
                self._cut[target] = clip
                while len(self._cut) > MOST_CLIPS:
                    oldest = next(iter(self._cut))
                    del self._cut[oldest]
                    oldest.unlink(missing_ok=True)
            return target, self._cut[target]


def prepare(app: Flask) -> None:
    """Give the site its folder for clips."""
    folder = Path(tempfile.mkdtemp(prefix="fairdeal-clips-"))
    weakref.finalize(app, shutil.rmtree, folder, ignore_errors=True)
    app.extensions["clips"] = Clips(folder)


def _span(round: RoundRow) -> tuple[float, float]:
    return round.opened - LEAD_S, min(round.closed, round.opened + LONGEST_S) + LEAD_S


_FILMED = """
SELECT * FROM footage WHERE run = ? AND t0 <= ? AND t0 + duration_s >= ?
    AND NOT EXISTS (SELECT 1 FROM removals WHERE footage = footage.id) ORDER BY id
"""


def filmed(room: Store, run: int, start: float, stop: float) -> list[dict[str, Any]]:
    """The files that show a span of a log and are still what was registered, as far as their size tells."""
    rows = [dict(row) for row in room.rows(_FILMED, [run, stop, start])]
    return [row for row in rows if os.path.isfile(row["path"]) and os.path.getsize(row["path"]) == row["bytes"]]


def _clip(row: dict[str, Any], round: RoundRow) -> tuple[Path, Clip]:
    start, stop = _span(round)
    clips = cast(Clips, current_app.extensions["clips"])
    return clips.get(Path(row["path"]), f"{row['id']}-{round.n}.mp4", start - row["t0"], stop - row["t0"])


def _asked_round(run: int, n: int) -> RoundRow:
    allowed(table_of(run), "round")
    found = queries.round_row(store(), run, n)
    if found is None:
        abort(404, NO_FOOTAGE)
    return found


@pages.get("/clips/<int:run>/<int:n>")
def clips(run: int, n: int) -> ResponseReturnValue:
    """What there is to play of a round: one clip for each camera, and where it begins."""
    round = _asked_round(run, n)
    shown = []
    for row in filmed(store(), run, *_span(round)):
        try:
            _, clip = _clip(row, round)
        except FairdealError:
            continue  # a damaged file: the other cameras are still worth showing
        shown.append(
            Shown(
                camera=row["camera"], src=url_for("footage.play", run=run, n=n, id=row["id"]),
                t=row["t0"] + clip.start_s, duration=clip.duration_s, fps=clip.fps, width=clip.width,
                height=clip.height,
            )
        )  # fmt: skip
    return Response(msgspec.json.encode(shown), mimetype="application/json")


@pages.get("/clips/<int:run>/<int:n>/<int:id>.mp4")
def play(run: int, n: int, id: int) -> ResponseReturnValue:
    """A clip, or the part of it that the browser asks for."""
    round = _asked_round(run, n)
    row = next((each for each in filmed(store(), run, *_span(round)) if each["id"] == id), None)
    if row is None:
        abort(404, NO_FOOTAGE)
    path, _ = _clip(row, round)
    return send_file(path, mimetype="video/mp4", conditional=True, download_name=f"run{run}-round{n}-{id}.mp4")


@pages.get("/crops/<int:run>/<int:n>.jpg")
def read(run: int, n: int) -> ResponseReturnValue:
    """What the camera saw where an event was read."""
    allowed(table_of(run), "event")
    rows = store().rows("SELECT raw FROM events WHERE run = ? AND n = ?", [run, n])
    event: dict[str, Any] = msgspec.json.decode(rows[0]["raw"]) if rows else {}
    if not event.get("region"):
        abort(404, NO_FOOTAGE)
    shown = filmed(store(), run, event["t"], event["t"])
    shown = [each for each in shown if event.get("cam") in (None, each["camera"])]
    if not shown:
        abort(404, NO_FOOTAGE)
    try:
        content = crop(Path(shown[0]["path"]), event["t"] - shown[0]["t0"], event["region"])
    except FairdealError as error:
        current_app.logger.warning("%s", error)
        abort(404, NO_FOOTAGE)
    return Response(content, mimetype="image/jpeg")


class RemovalRow(msgspec.Struct, frozen=True, kw_only=True):
    """Footage of a round that is gone, when and why."""

    camera: str
    at: str
    who: str
    why: str


_REMOVED = """
SELECT camera, at, who, why FROM removals JOIN footage ON footage.id = removals.footage
WHERE run = ? AND t0 <= ? AND t0 + duration_s >= ? ORDER BY removals.id
"""


def removed(room: Store, round: RoundRow) -> list[RemovalRow]:
    """What there was to play of a round and is not any more."""
    start, stop = _span(round)
    return [msgspec.convert(dict(row), RemovalRow) for row in room.rows(_REMOVED, [round.run, stop, start])]


def is_filmed(room: Store, round: RoundRow) -> bool:
    """Whether there is anything to play of a round."""
    return bool(filmed(room, round.run, *_span(round)))
