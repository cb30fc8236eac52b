"""How long footage is kept: routine days, then it goes; what belongs to an incident stays until it is released.

Only footage is ever removed, and that it was is written down: the log, its findings and every decision stay. An
incident is a finding that is open or confirmed. A supervisor may release one; a dismissed finding holds nothing back.
"""

import datetime
from collections.abc import Iterator
from pathlib import Path

import msgspec

from auditor.log import FairdealError
from auditor.provenance import sha256_of
from auditor.room import now
from auditor.store import Store
from auditor.verify import Fault


class Old(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was kept longer than routine asks for; `held_by` names the incident that holds it back."""

    footage: int
    run: int
    camera: str
    path: Path
    held_by: str


# The file's own span of the log, so that an incident at nine does not hold the film of the whole night.
_OLD = """
SELECT footage.*, (
    SELECT findings.run || '/' || findings.n FROM findings JOIN queue USING (run, n)
    WHERE findings.run = footage.run AND findings.t BETWEEN t0 - 60 AND t0 + duration_s + 60 AND state != 'dismissed'
      AND NOT EXISTS (SELECT 1 FROM releases WHERE run = findings.run AND finding = findings.n)
    LIMIT 1) AS held_by
FROM footage JOIN runs ON runs.id = footage.run
WHERE started_at + t0 + duration_s < ? AND NOT EXISTS (SELECT 1 FROM removals WHERE footage = footage.id)
ORDER BY footage.id
"""


def old_footage(store: Store, routine_days: float, at: datetime.datetime | None = None) -> list[Old]:
    """Footage that routine asks for no longer."""
    limit = (at or datetime.datetime.now(datetime.UTC)).timestamp() - routine_days * 86400
    return [
        Old(
            footage=row["id"], run=row["run"], camera=row["camera"], path=Path(row["path"]),
            held_by=row["held_by"] or "",
        )
        for row in store.rows(_OLD, [limit])
    ]  # fmt: skip


def remove(store: Store, old: Old, *, who: str, why: str) -> None:
    """Remove a file of footage; that it goes is written down first, so that none is ever missing unexplained."""
    if old.held_by:
        raise FairdealError(f"{old.path}: held back by finding {old.held_by}")
    with store.writing():
        store.append("removals", footage=old.footage, at=now(), who=who, why=why)
        told = f"run {old.run}, camera {old.camera}: {old.path.name}"
        store.append("activity", at=now(), who=who, what="removed footage", detail=told)
    old.path.unlink(missing_ok=True)


def release(store: Store, run: int, finding: int, *, who: str, note: str) -> None:
    """Let an incident's footage go when its routine days are over."""
    with store.writing():
        store.append("releases", run=run, finding=finding, at=now(), who=who, note=note)
        store.append("activity", at=now(), who=who, what="released an incident", detail=f"run {run}, finding {finding}")


def footage_faults(store: Store) -> Iterator[Fault]:
    """Footage that is missing though nobody removed it, or is not what was registered."""
    sql = "SELECT * FROM footage WHERE NOT EXISTS (SELECT 1 FROM removals WHERE footage = footage.id) ORDER BY id"
    for row in store.rows(sql):
        where = f"run {row['run']}, footage of camera {row['camera']}"
        if not Path(row["path"]).is_file():
            yield Fault(where, f"is not there: {row['path']}")
        elif sha256_of(Path(row["path"])) != row["sha256"]:
            yield Fault(where, f"was altered: {row['path']}")
