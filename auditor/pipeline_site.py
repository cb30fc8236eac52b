"""The site file: which tables a machine watches, and where what it sees and finds goes.

Everything wrong with it and with its tables' files is said at once, before any work begins.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from auditor.alerts import AlertSettings, Port
from auditor.house import house_faults
from auditor.log import FairdealError
from auditor.rulebooks import RULEBOOKS
from vision.live_source import is_recording
from vision.table_file import Camera, TableFile, line_of, load_table


class RingSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much footage is kept, in files of which length. What belongs to a finding is kept until it is released."""

    hours: Annotated[float, Meta(gt=0)] = 48.0
    segment_s: Annotated[float, Meta(ge=2)] = 120.0


class SiteFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`SITE.toml`, as it is written; paths are from where it lies."""

    tables: Annotated[list[str], Meta(min_length=1)]
    room: Annotated[str, Meta(min_length=1)]
    keys: str | None = None
    folder: str = "live"
    health_port: Port | None = None
    ring: RingSettings = RingSettings()
    alerts: AlertSettings = AlertSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTable:
    """A table of a site, and the file that describes it."""

    path: Path
    file: TableFile

    def source(self, camera: Camera) -> str:
        """Where a camera's pictures come from; a recording lies beside the table's file."""
        return str(self.path.parent / camera.source) if is_recording(camera.source) else camera.source


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A site that has been looked over: work can begin."""

    room: Path
    keys: Path | None
    folder: Path
    health_port: int | None
    ring: RingSettings
    alerts: AlertSettings
    tables: tuple[SiteTable, ...]

    @property
    def logs(self) -> Path:
        """Where the tables' logs grow."""
        return self.folder / "logs"

    @property
    def footage(self) -> Path:
        """Where the ring lies."""
        return self.folder / "ring"


def load_site(path: Path) -> Site:
    """A site file from disk, with its tables."""
    try:
        text = path.read_text(encoding="utf-8")
        given = tomllib.loads(text)
    except OSError as error:
        raise FairdealError(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FairdealError(f"{path}: not TOML: {error}") from None
    faults = [f"{path}:{line_of(text.splitlines(), where)}: {problem}" for where, problem in _faults(given)]
    if faults:
        raise FairdealError("\n".join(faults))
    site = msgspec.convert(given, SiteFile)
    site.alerts.channels()
    here = path.parent
    tables = _tables([here / each for each in site.tables])
    return Site(
        room=here / site.room, keys=None if site.keys is None else here / site.keys, folder=here / site.folder,
        health_port=site.health_port, ring=site.ring, alerts=site.alerts, tables=tables,
    )  # fmt: skip


def _faults(given: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Each key is judged alone, so that one fault hides no other."""
    fields = {field.name: field for field in msgspec.structs.fields(SiteFile)}
    for name, field in fields.items():
        if field.required and name not in given:
            yield (), f"`{name}` is missing"
    for name, value in given.items():
        if name not in fields:
            yield (name,), f"`{name}` is not known here (known: {', '.join(fields)})"
            continue
        try:
            msgspec.convert(value, fields[name].type)
        except msgspec.ValidationError as error:
            problem, _, inner = str(error).partition(" - at `$")
            steps = tuple(re.findall(r"\.(\w+)", inner))
            yield (name, *steps), f"{'.'.join((name, *steps))}: {problem.replace('`', '')}"


def _tables(paths: list[Path]) -> tuple[SiteTable, ...]:
    tables: list[SiteTable] = []
    faults: list[str] = []
    for path in paths:
        try:
            table = SiteTable(path=path, file=load_table(path))
        except FairdealError as error:
            faults.append(str(error))
            continue
        faults += [f"{path}: {problem}" for problem in _table_faults(table)]
        if any(each.file.table == table.file.table for each in tables):
            faults.append(f"{path}: a second table is called {table.file.table!r}")
        tables.append(table)
    if faults:
        raise FairdealError("\n".join(faults))
    return tuple(tables)


def _table_faults(table: SiteTable) -> Iterator[str]:
    game = RULEBOOKS.get(table.file.rulebook)
    if game is None:
        yield f"rulebook {table.file.rulebook!r} is not known (known: {', '.join(RULEBOOKS)})"
    else:
        yield from house_faults(table.file.house, game.house_type)
    if table.file.camera("table") is None:
        yield "no camera watches the table ([[camera]])"
    if not re.fullmatch(r"[\w.-]+", table.file.table):
        yield f"table {table.file.table!r}: its name becomes a file's: letters, digits, `-`, `_` and `.` only"
    for camera in table.file.cameras:
        if not camera.source:
            yield f"camera {camera.name!r} has no `source`"
        elif is_recording(camera.source) and not Path(table.source(camera)).is_file():
            yield f"camera {camera.name!r}: {table.source(camera)}: no such file"
        if camera.watches == "table" and len(camera.points) < 4:
            yield f"camera {camera.name!r} is not calibrated: `fairdeal calibrate` finds its points"
