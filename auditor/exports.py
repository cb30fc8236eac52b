"""Evidence packs leave the room: made, sealed, and written down with who took them."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from auditor import coverage
from auditor.evidence import Evidence, filmed, gather, log_bytes, proof
from auditor.evidence_report import as_html, as_pdf, blocks
from auditor.intake import code_version
from auditor.log import FairdealError
from auditor.official_text import read_official
from auditor.pack import sealed
from auditor.room import now
from auditor.store import Store

_FINDING = re.compile(r"(\d{1,15})[/.:](\d{1,15})")
LOG, FINDING, ROUND, CLAUSE, CHAIN = "log.jsonl", "finding.json", "round.json", "clause.json", "chain.json"


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """A pack that was made."""

    name: str
    content: bytes
    without: list[str]


def finding_named(text: str) -> tuple[int, int]:
    """Run and number of a finding, as people write them.

    >>> finding_named("12/3")
    (12, 3)
    """
    found = _FINDING.fullmatch(text.strip())
    if found is None:
        raise FairdealError(f"{text!r} names no finding: write RUN/NUMBER, as in the address of its page (12/3)")
    return int(found[1]), int(found[2])


def official_words(texts: Path | None, rulebook: str) -> Mapping[str, str]:
    """The clauses of the casino's copy, `<rulebook>.txt` in the folder it gave; nothing where it gave none."""
    path = texts / f"{rulebook}.txt" if texts else None
    return read_official(path, coverage.load(rulebook)) if path and path.is_file() else {}


def export(store: Store, run: int, n: int, *, who: str, texts: Path | None = None) -> Export:
    """Make a pack about a finding, and write down that it was made."""
    evidence = gather(store, run, n)
    if evidence.clause:
        words = official_words(texts, evidence.rulebook).get(evidence.clause.number, "")
        evidence = msgspec.structs.replace(evidence, official_words=words)
    evidence, footage = filmed(store, evidence)
    at = now()
    files = {**_files(store, evidence), **footage, **_reports(evidence, footage, who, at)}
    content = sealed(
        store.keys, files, room=store.room, run=run, finding=n, exported_by=who, exported_at=at, code=code_version()
    )
    name = f"{_safe(evidence.table)}-run{run}-finding{n}.zip"
    with store.writing():
        digest = hashlib.sha256(content).hexdigest()
        store.append("exports", run=run, finding=n, at=at, who=who, name=name, sha256=digest)
        store.append("activity", at=at, who=who, what="exported a pack", detail=f"run {run}, finding {n}: {name}")
    return Export(name=name, content=content, without=evidence.without)


def _files(store: Store, evidence: Evidence) -> dict[str, bytes]:
    """What is in the room about the finding, as files."""
    clause = {
        "rulebook": evidence.rulebook, "rule": evidence.finding["rule"], "clause": evidence.clause,
        "official_words": evidence.official_words or None,
    }  # fmt: skip
    told = {
        "run": evidence.run, "number": evidence.n, "table": evidence.table, "rulebook": evidence.rulebook,
        "started": evidence.started, "state": evidence.state, "finding": evidence.finding,
        "reviews": evidence.reviews, "sources": evidence.sources, "clips": evidence.clips,
        "without": evidence.without, "code": evidence.code,
    }  # fmt: skip
    pages = {FINDING: told, ROUND: evidence.round, CLAUSE: clause, CHAIN: proof(store, evidence.run)}
    written = {name: msgspec.json.format(msgspec.json.encode(page), indent=2) for name, page in pages.items()}
    return {**written, LOG: log_bytes(store, evidence.run)}


def _reports(evidence: Evidence, footage: Mapping[str, bytes], who: str, at: str) -> dict[str, bytes]:
    content = list(blocks(evidence, who, at))
    return {"report.html": as_html(content, footage), "report.pdf": as_pdf(content, footage)}


def _safe(name: str) -> str:
    """A table's name as part of a file's: casinos may call a table «../4»."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-") or "table"
