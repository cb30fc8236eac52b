"""The table file: one table's rulebook, house options, chips, cameras, and what of the plan it has moved.

Everything wrong with it is said at once, each with its line, before any work begins.

>>> table = read_table(b'table = "BJ-04"\\nrulebook = "act-blackjack"\\n[chips]\\nred = 5\\n', "t.toml")
>>> table.table, table.chips["red"], table.plan.zone("box1").kind
('BJ-04', 5.0, 'cards')
"""

import datetime
import re
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from auditor.log import FairdealError
from vision.camera import CalibrationPoint, Lens, View
from vision.plan import Plan, Point, Side, Size, load_plan

Value = Annotated[float, Meta(gt=0)]


PROOF = 0.96
"""How sure a card or an amount must be to accuse, unless the table file says otherwise (`proof`). Of what the eyes give
0.95 and more, of decks and tables that were never taught, one in 65 amounts and one in 117 cards were misread."""


class TableFileError(FairdealError):
    """A table file that cannot be used: all that is wrong with it, one line each."""


class Camera(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One camera: where its pictures come from, what it watches, and known points in them.

    `size` is the picture the points were taken in; without it, that of the footage.
    """

    name: Annotated[str, Meta(min_length=1)]
    source: str = ""
    watches: Literal["table", "wheel"] = "table"
    points: list[CalibrationPoint] = []
    size: tuple[int, int] | None = None
    lens: Lens | None = None

    def view(self, size: tuple[int, int]) -> View:
        """The camera's view for pictures of that size."""
        at_size = self.size or size
        scale = size[0] / at_size[0]
        points = [CalibrationPoint(px=(each.px[0] * scale, each.px[1] * scale), mm=each.mm) for each in self.points]
        lens = self.lens
        if lens is not None and lens.focal_px is not None:
            lens = msgspec.structs.replace(lens, focal_px=lens.focal_px * scale)
        return View.from_points(points, size, lens)


class MovedZone(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is different about a zone at this table; what is not given is as in the plan. `used` false takes it away."""

    at: Point | None = None
    size: Size | None = None
    yaw: float | None = None
    used: bool = True


class TableFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A table as its casino describes it."""

    table: Annotated[str, Meta(min_length=1)]
    rulebook: str
    started: datetime.datetime | None = None
    house: dict[str, Any] = {}
    chips: dict[str, Value] = {}
    cameras: tuple[Camera, ...] = msgspec.field(name="camera", default=())
    zones: dict[str, MovedZone] = {}
    winnings: Side | None = None
    """On which side of a stake this house puts winnings; where it does as the plan says, not given."""

    @cached_property
    def plan(self) -> Plan:
        """The rulebook's plan with this table's zones moved."""
        plan = load_plan(self.rulebook)
        moved = []
        for zone in plan.zones:
            change = self.zones.get(zone.name, MovedZone())
            given = {name: value for name in ("at", "size", "yaw") if (value := getattr(change, name)) is not None}
            if change.used:
                moved.append(msgspec.structs.replace(zone, **given))
        return msgspec.structs.replace(plan, zones=tuple(moved), winnings=self.winnings or plan.winnings)

    @property
    def house_as_seen(self) -> dict[str, Any]:
        """The house options of a log that cameras write."""
        return {"proof": PROOF, **self.house}

    @property
    def chip_values(self) -> dict[str, float]:
        """What a chip of each colour is worth here; a roulette player's colour chips come from the house options."""
        colours = self.house.get("colours")
        return self.chips | (colours if isinstance(colours, dict) else {})

    def camera(self, watches: Literal["table", "wheel"] = "table") -> Camera | None:
        """The first camera that watches the table, or the wheel."""
        return next((camera for camera in self.cameras if camera.watches == watches), None)


def load_table(path: Path) -> TableFile:
    """A table file from disk."""
    try:
        return read_table(path.read_bytes(), str(path))
    except OSError as error:
        raise FairdealError(f"{path}: {error.strerror}") from None


def read_table(content: bytes, name: str) -> TableFile:
    """A table file from its bytes; `name` is what complaints call it."""
    try:
        text = content.decode()
        given = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise TableFileError(f"{name}: not UTF-8 (byte {error.start + 1})") from None
    except tomllib.TOMLDecodeError as error:
        raise TableFileError(f"{name}: not TOML: {error}") from None
    faults = _faults(given)
    if faults:
        lines = text.splitlines()
        told = sorted((line_of(lines, path), problem) for path, problem in faults)
        raise TableFileError("\n".join(f"{name}:{line}: {problem}" for line, problem in told))
    return msgspec.convert(given, TableFile)


# ---- finding every fault -----------------------------------------------------------------------------------------

Path_ = tuple[str | int, ...]
_FIELDS = {field.encode_name: field.type for field in msgspec.structs.fields(TableFile)}


def _faults(given: dict[str, Any]) -> list[tuple[Path_, str]]:
    """Each fault with the path to it. Every part is judged alone, so that one fault hides no other."""
    faults: list[tuple[Path_, str]] = []
    for key in ("table", "rulebook"):
        if key not in given:
            faults.append(((), f"`{key}` is missing"))
    for key, value in given.items():
        if key not in _FIELDS:
            faults.append(((key,), f"`{key}` is not known here (known: {', '.join(_FIELDS)})"))
        elif key == "camera":
            faults += _camera_faults(value)
        elif key in ("chips", "zones") and isinstance(value, dict):
            part = Value if key == "chips" else MovedZone
            faults += [fault for name, each in value.items() for fault in _judged(each, part, (key, name))]
        else:
            faults += _judged(value, _FIELDS[key], (key,))
    return faults + _plan_faults(given)


def _camera_faults(cameras: Any) -> list[tuple[Path_, str]]:
    if not isinstance(cameras, list):
        return [(("camera",), "cameras are written as [[camera]]")]
    faults: list[tuple[Path_, str]] = []
    names: set[str] = set()
    for index, camera in enumerate(cameras):
        found = _judged(camera, Camera, ("camera", index))
        faults += found
        if found:
            continue
        if camera["name"] in names:
            faults.append((("camera", index, "name"), f"a second camera is called {camera['name']!r}"))
        names.add(camera["name"])
        if camera.get("points"):
            faults += _view_faults(msgspec.convert(camera, Camera), ("camera", index, "points"))
    return faults


def _view_faults(camera: Camera, path: Path_) -> list[tuple[Path_, str]]:
    try:
        camera.view(camera.size or (1920, 1080))
    except FairdealError as error:
        # Without a size the middle of the picture is not known yet: only what holds for every size is a fault.
        if camera.size or "miss" not in str(error):
            return [(path, f"camera {camera.name!r}: {error}")]
    return []


def _plan_faults(given: dict[str, Any]) -> list[tuple[Path_, str]]:
    rulebook = given.get("rulebook")
    if not isinstance(rulebook, str):
        return []
    try:
        plan = load_plan(rulebook)
    except FairdealError as error:
        return [(("rulebook",), str(error))]
    known = {zone.name for zone in plan.zones}
    zones = given.get("zones")
    unknown = [name for name in zones if name not in known] if isinstance(zones, dict) else []
    return [(("zones", name), f"the plan of {rulebook} has no zone {name!r}") for name in unknown]


def _judged(value: Any, part: Any, path: Path_) -> list[tuple[Path_, str]]:
    try:
        msgspec.convert(value, part)
    except msgspec.ValidationError as error:
        problem, _, inner = str(error).partition(" - at `$")
        steps = re.findall(r"\.(\w+)|\[(\d+)\]", inner)
        found = tuple(name if name else int(index) for name, index in steps)
        told = ".".join(str(step) for step in (*path, *found))
        return [((*path, *found), f"{told}: {problem.replace('`', '')}")]
    return []


def line_of(lines: list[str], path: Path_) -> int:
    """The line (from 1) on which the value at a path is written, or the nearest table around it.

    >>> line_of(["[chips]", "red = 5", "", "[[camera]]", 'name = "a"'], ("camera", 0, "name"))
    5
    """
    here: list[str | int] = []
    counts: dict[str, int] = {}
    best, reached = 1, 0
    for number, line in enumerate(lines, start=1):
        if header := re.match(r"\s*(\[\[?)\s*([^\]]+?)\s*\]", line):
            here = [part.strip("\"' ") for part in re.findall(r'"[^"]*"|[^.]+', header[2])]
            if header[1] == "[[":
                counts[header[2]] = counts.get(header[2], -1) + 1
                here.append(counts[header[2]])
            place = tuple(here)
        elif key := re.match(r"\s*(\"[^\"]*\"|'[^']*'|[\w-]+)\s*=", line):
            place = (*here, key[1].strip("\"'"))
        else:
            continue
        if len(place) > reached and path[: len(place)] == place:
            best, reached = number, len(place)
    return best
