"""`fairdeal score`: footage of the rendered casino is audited, and every read held against what really happened."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from auditor import log
from auditor.audit import audit
from auditor.findings import AuditedRound
from auditor.log import AnyEvent, FairdealError
from auditor.log_reader import LogReader
from auditor.pipeline import prepared, write_log
from datasets.dealer import Seeded
from vision.frames import Recording
from vision.table_file import load_table

EVENT_WITHIN_S = 1.0
READ_WITHIN_S = 4.0
"""A card or amount counts as read also where its event came late; for events the contract's second holds."""
NOT_SEEN_BY_THE_TABLE_CAMERA = (log.Dealer, log.Hand)


Pair = tuple[AuditedRound, AuditedRound | None]


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """How one folder's footage was read. Pairs are (right, of)."""

    dir: str
    game: str
    rounds: int
    cards: tuple[int, int]
    amounts: tuple[int, int]
    events_precision: tuple[int, int]
    events_recall: tuple[int, int]
    rounds_exact: tuple[int, int]
    found: tuple[int, int]
    false_alarms: int
    unsure: int
    speed: float
    decode_speed: float
    missed: tuple[str, ...] = ()
    """Seeded findings that were not found, false breaches, rounds that are not exact: for whoever wants to know why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One account of what happened: its events and its audited rounds."""

    events: list[AnyEvent]
    rounds: list[AuditedRound]


def score(folder: Path, kept_log: Path | None = None, *, is_read_for_it: bool = False) -> Score:
    """Audit a folder's footage and compare with its truth. `is_read_for_it`: with eyes that know what was filmed."""
    table = load_table(folder / "table.toml")
    if not (folder / "footage.mp4").is_file():
        raise FairdealError(f"{folder}: there is no footage.mp4 in it: `fairdeal simulate` films it without --no-video")
    job = prepared(table, [folder / "footage.mp4"])
    path = kept_log or folder / "seen.jsonl"
    path.with_name(path.name + ".state").unlink(missing_ok=True)  # a score is of one run, from the beginning
    began = time.perf_counter()
    if is_read_for_it:
        from datasets.casino.knowing import knowing_watcher

        write_log(job, path, watcher_for=knowing_watcher)
    else:
        write_log(job, path)
    worked_s = time.perf_counter() - began
    duration_s = Recording(job.files).duration_s
    truth, seen = account(folder / "truth.jsonl"), account(path)
    seeded = [msgspec.json.decode(line, type=Seeded) for line in (folder / "seeded.jsonl").read_bytes().splitlines()]
    return compared(
        folder, truth, seen, seeded, speed=duration_s / worked_s, decode_speed=duration_s / _decode_s(job.files)
    )


def account(path: Path) -> Side:
    """A log's events, and what the auditor makes of them."""
    try:
        with path.open("rb") as stream:
            events = list(LogReader(stream, str(path)))
            stream.seek(0)
            return Side(events=events, rounds=list(audit(stream, str(path)).rounds))
    except OSError as error:
        raise FairdealError(f"{path}: {error.strerror}") from None


def _decode_s(files: Sequence[Path]) -> float:
    began = time.perf_counter()
    for _ in Recording(files).frames():
        pass
    return time.perf_counter() - began


# ---- comparing ---------------------------------------------------------------------------------------------------


def compared(
    folder: Path, truth: Side, seen: Side, seeded: Sequence[Seeded], *, speed: float, decode_speed: float
) -> Score:
    """The figures of one folder."""
    faces = [each for each in truth.events if isinstance(each, log.Card | log.Turn) and (each.card or "??") != "??"]
    amounts = [each for each in truth.events if isinstance(each, log.Chips)]
    events = [each for each in truth.events if not isinstance(each, NOT_SEEN_BY_THE_TABLE_CAMERA)]
    right = len(matched(events, seen.events, EVENT_WITHIN_S))
    pairs = paired(truth.rounds, seen.rounds)
    exact = [one for one, other in pairs if other is not None and facts(one) == facts(other)]
    known = Counter(key for one in truth.rounds for key in _breaches(one))
    told = Counter(key for one in seen.rounds for key in _breaches(one))
    wanted = Counter((each.kind, each.at) for each in seeded)
    found, false = wanted & told, told - (known | wanted)
    inexact = [f"round {one.number} is not exact" for one, _ in pairs if one not in exact]
    return Score(
        dir=str(folder), game=_rulebook(folder), rounds=len(truth.rounds),
        cards=(len(matched(faces, seen.events, READ_WITHIN_S)), len(faces)),
        amounts=(len(matched(amounts, seen.events, READ_WITHIN_S)), len(amounts)),
        events_precision=(right, len(seen.events)), events_recall=(right, len(events)),
        rounds_exact=(len(exact), len(truth.rounds)),
        found=(found.total(), wanted.total()), false_alarms=false.total(),
        unsure=sum(finding.verdict == "unsure" for one in seen.rounds for finding in one.findings),
        speed=round(speed, 2), decode_speed=round(decode_speed, 2),
        missed=(
            *(f"not found: {kind} at {at}" for kind, at in (wanted - told).elements()),
            *(f"false: {kind} at {at}" for kind, at in false.elements()), *inexact,
        ),
    )  # fmt: skip


def _rulebook(folder: Path) -> str:
    return load_table(folder / "table.toml").rulebook


def _breaches(one: AuditedRound) -> list[tuple[str, str | None]]:
    return [(finding.kind, finding.at) for finding in one.findings if finding.verdict == "breach"]


def value(event: AnyEvent) -> tuple[object, ...]:
    """What an event says, without when and how it was seen: kind, place and value.

    >>> value(log.Chips(t=1, at="box1/main", amount=10, by="player"))
    ('Chips', 'box1/main', 10, None)
    """
    kind, at = type(event).__name__, getattr(event, "at", None)
    match event:
        case log.Chips():
            return kind, at, event.amount, event.colour
        case log.Card():
            return kind, at, event.card
        case log.Tile():
            return kind, at, event.tile
        case log.Turn():
            return kind, at, event.card or event.tile, event.up
        case log.Gone():
            return kind, at, event.to if event.to and "#" in event.to else None
        case log.Call():
            return kind, at, event.what
        case log.Dice():
            return kind, tuple(event.faces)
        case log.Spin():
            return kind, event.ball, event.wheel
        case log.Ball():
            return kind, event.event, event.pocket
        case log.Set():
            return kind, at, tuple(sorted(event.low)), tuple(sorted(event.high))
        case log.Wheel():
            return kind, event.event
        case log.Feed():
            return kind, event.state
    return kind, at


def matched(truth: Iterable[AnyEvent], seen: Sequence[AnyEvent], within_s: float) -> list[AnyEvent]:
    """The events of `truth` that were seen: same kind, place and value at about that time, each seen one used once."""
    by_value: dict[Any, list[float]] = {}
    for event in seen:
        by_value.setdefault(value(event), []).append(event.t)
    found = []
    for event in truth:
        times = by_value.get(value(event), [])
        near = min(times, key=lambda t: abs(t - event.t), default=None)
        if near is not None and abs(near - event.t) <= within_s:
            times.remove(near)
            found.append(event)
    return found


def paired(truth: Sequence[AuditedRound], seen: Sequence[AuditedRound]) -> list[Pair]:
    """Each true round with the seen one that shares most of its time."""
    left = list(seen)
    pairs: list[Pair] = []
    for one in truth:
        best = max(left, key=lambda other: _shared_s(one, other), default=None)
        if best is None or _shared_s(one, best) <= 0:
            pairs.append((one, None))
        else:
            left.remove(best)
            pairs.append((one, best))
    return pairs


def _shared_s(one: AuditedRound, other: AuditedRound) -> float:
    return min(one.closed or 0, other.closed or 0) - max(one.opened or 0, other.opened or 0) + 0.5


def facts(one: AuditedRound) -> tuple[object, ...]:
    """What of a round must be right for it to be exact: hands, wagers and their results."""
    wagers = sorted((each.at, each.colour or "", each.stake, each.result or "", each.paid or 0) for each in one.wagers)
    hands = {place: sorted(cards) for place, cards in one.hands.items()}
    pots = [(pot.at, pot.amount, pot.winners) for pot in one.pots or ()]
    spin = (one.spin.valid, one.spin.pocket) if one.spin is not None else None  # laps are measured, not read
    return one.status, hands, wagers, pots, spin


# ---- the table ---------------------------------------------------------------------------------------------------


def table_of(scores: Sequence[Score]) -> str:
    """One table of all folders, as the docs show it."""
    head = (
        "| footage | rounds | cards | amounts | precision | recall | exact | found | false /1000 | unsure /1000 "
        "| speed | decode |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    )
    return "\n".join((*head, *(_row(each) for each in scores)))


def _row(each: Score) -> str:
    pairs = (
        each.cards, each.amounts, each.events_precision, each.events_recall, each.rounds_exact, each.found,
    )  # fmt: skip
    per_thousand = [f"{1000 * count / max(1, each.rounds):.0f}" for count in (each.false_alarms, each.unsure)]
    cells = [f"{Path(each.dir).name} ({each.game})", str(each.rounds), *(_pair(*pair) for pair in pairs), *per_thousand]
    return "| " + " | ".join([*cells, f"{each.speed:.1f}x", f"{each.decode_speed:.1f}x"]) + " |"


def _pair(right: int, of: int) -> str:
    """A share with its counts.

    >>> _pair(3, 4), _pair(0, 0)
    ('75.0 % (3/4)', '-')
    """
    return f"{100 * right / of:.1f} % ({right}/{of})" if of else "-"
