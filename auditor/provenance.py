"""Where a log came from: its footage, and the models, table file and rulebook it was read and judged by, by sha256."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from auditor.log import FairdealError


class Footage(msgspec.Struct, frozen=True, kw_only=True):
    """A camera's file, and the log's time at the file's first picture."""

    camera: str
    path: Path
    t0: float = 0.0


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Something a log was made with: `what` is «model», «table file», «rulebook» and the like."""

    what: str
    name: str
    sha256: str


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is known of where a log came from."""

    footage: tuple[Footage, ...] = ()
    sources: tuple[Source, ...] = ()


def sha256_of(path: Path) -> str:
    """The sha256 of a file."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise FairdealError(f"{path}: {error.strerror or error}") from None


def source(what: str, path: Path) -> Source:
    """A file that a log was made with."""
    return Source(what=what, name=path.name, sha256=sha256_of(path))


def rulebook_source(rulebook: str) -> Source:
    """The clauses and the code of one rulebook, as they are now."""
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    for path in (folder / "clauses" / f"{rulebook}.toml", folder / "rulebooks" / f"{rulebook.replace('-', '_')}.py"):
        digest.update(path.read_bytes() if path.is_file() else b"")
    return Source(what="rulebook", name=rulebook, sha256=digest.hexdigest())


def recording(camera: str, files: Sequence[Path]) -> tuple[Footage, ...]:
    """Several files of one camera that follow on each other; the log begins with the first picture of the first."""
    from auditor.clips import duration_s

    found, t0 = list[Footage](), 0.0
    for path in files:
        found.append(Footage(camera=camera, path=path, t0=t0))
        t0 += duration_s(path)
    return tuple(found)


class Registered(msgspec.Struct, frozen=True, kw_only=True):
    """A camera's file as it is written down: what it was when the log was kept."""

    camera: str
    path: str
    sha256: str
    bytes: int
    t0: float
    duration_s: float


def registered(footage: Footage) -> Registered:
    """Read a file through, once; raises FairdealError where it is no footage."""
    from auditor.clips import duration_s

    path = footage.path.absolute()
    sha256 = sha256_of(path)
    return Registered(
        camera=footage.camera, path=str(path), sha256=sha256, bytes=path.stat().st_size, t0=float(footage.t0),
        duration_s=duration_s(path),
    )  # fmt: skip
