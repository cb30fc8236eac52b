"""What a finding stands on, gathered from the room: its round, the log, the clause, the chain, the footage."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from auditor import coverage
from auditor.chain import SignedHead
from auditor.clips import Region, cut, still
from auditor.decisions import Review
from auditor.log import FairdealError, money
from auditor.provenance import sha256_of
from auditor.schema import LEDGERS, PARTS
from auditor.store import Store
from auditor.verify import extent_of

BEFORE_S, AFTER_S, LEAD_S = 30.0, 15.0, 2.0
MOST_STILLS = 6


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """A run's place in the chain: its row follows on `previous`; where it has grown since, so does its last growth.

    `findings` are the canonical rows of all its findings, in order: they end in the hash that the run's row carries.
    """

    head: SignedHead
    run: "Link"
    growth: "Link | None"
    findings: list[list[Any]]


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a ledger, as it is chained."""

    number: int
    previous: str
    row: dict[str, Any]
    hash: str


class ClipFact(msgspec.Struct, frozen=True, kw_only=True):
    """A clip of the pack: which file it was cut from, and the log's time at its first picture."""

    file: str
    camera: str
    t: float
    duration_s: float
    footage_sha256: str


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """A finding with all that it stands on; `finding` and `round` are as `fairdeal check --json` writes them."""

    run: int
    n: int
    table: str
    rulebook: str
    started: str
    log_name: str
    log_sha256: str
    code: str
    state: str
    finding: dict[str, Any]
    round: dict[str, Any]
    gain_cents: int
    clause: coverage.Clause | None
    official_words: str
    events: list[dict[str, Any]]
    reviews: list[Review]
    sources: list[dict[str, Any]]
    clips: list[ClipFact] = []
    stills: list[str] = []
    without: list[str] = []


def _one(store: Store, sql: str, values: Sequence[Any]) -> dict[str, Any]:
    rows = store.rows(sql, values)
    if not rows:
        raise FairdealError("there is no such finding")
    return dict(rows[0])


def gather(store: Store, run: int, n: int, official_words: str = "") -> Evidence:
    """Everything about a finding that is in the room itself; the footage comes with :func:`filmed`."""
    kept = _one(store, "SELECT * FROM runs WHERE id = ?", [run])
    sql = "SELECT findings.*, state FROM findings JOIN queue USING (run, n) WHERE run = ? AND n = ?"
    found = _one(store, sql, [run, n])
    round = _one(store, "SELECT * FROM rounds WHERE run = ? AND n = ?", [run, found["round"]])
    events = store.rows(
        "SELECT raw FROM events WHERE run = ? AND n BETWEEN ? AND ? ORDER BY n",
        [run, round["first_event"], round["last_event"]],
    )
    return Evidence(
        run=run, n=n, table=kept["table_name"], rulebook=kept["rulebook"], started=kept["started"],
        log_name=Path(kept["name"]).name, log_sha256=extent_of(store.db.conn, run).sha256,
        code=kept["code"], state=found["state"],
        finding=_finding_object(found, kept["citation"]), round=_round_object(store, round, kept["citation"]),
        gain_cents=found["gain"], clause=_clause(kept["rulebook"], found["rule"]), official_words=official_words,
        events=[msgspec.json.decode(row["raw"]) for row in events], reviews=store.reviews(run, n),
        sources=[dict(row) for row in store.rows("SELECT what, name, sha256 FROM sources WHERE run = ?", [run])],
    )  # fmt: skip


def _clause(rulebook: str, number: str) -> coverage.Clause | None:
    """The clause, or for «13.2(a)», where that has no entry, the one it stands in."""
    try:
        entries = {each.number: each for each in coverage.load(rulebook).clauses}
    except FairdealError:
        return None
    while number not in entries and "(" in number:
        number = number[: number.rindex("(")]
    return entries.get(number)


def _finding_object(row: dict[str, Any], citation: str) -> dict[str, Any]:
    answer = {
        "kind": row["kind"], "verdict": row["verdict"], "rule": f"{citation} {row['rule']}", "t": row["t"],
        "at": row["at"], "expected": msgspec.json.decode(row["expected"]),
        "observed": msgspec.json.decode(row["observed"]), "message": row["message"],
    }  # fmt: skip
    if row["colour"] is not None:
        answer["colour"] = row["colour"]
    reads = msgspec.json.decode(row["reads"])
    return answer | ({"reads": reads} if reads else {})


def _round_object(store: Store, row: dict[str, Any], citation: str) -> dict[str, Any]:
    own = [row["run"], row["n"]]
    wagers = store.rows("SELECT * FROM wagers INDEXED BY wagers_round WHERE run = ? AND round = ? ORDER BY n", own)
    by_round = "INDEXED BY findings_round WHERE run = ? AND round = ? ORDER BY n"
    findings = store.rows(f"SELECT * FROM findings {by_round}", own)
    dealer = {} if row["dealer"] is None else {"dealer": row["dealer"]}
    return {
        "round": row["n"], "opened": row["opened"], "closed": row["closed"], "status": row["status"],
        **msgspec.json.decode(row["answer"]), **dealer,
        "wagers": [_wager_object(dict(each)) for each in wagers],
        "findings": [_finding_object(dict(each), citation) for each in findings],
    }  # fmt: skip


def _wager_object(row: dict[str, Any]) -> dict[str, Any]:
    sums = {name: None if row[name] is None else money(row[name]) for name in ("stake", "due", "paid")}
    colour = {} if row["colour"] is None else {"colour": row["colour"]}
    return {"at": row["at"], **colour, **sums, "result": row["result"], "rule": row["rule"]}


def log_bytes(store: Store, run: int) -> bytes:
    """The log, byte for byte as it was read."""
    kept = _one(store, "SELECT header, tail FROM runs WHERE id = ?", [run])
    grown = store.rows("SELECT tail FROM growths WHERE run = ? ORDER BY id DESC LIMIT 1", [run])
    raw = "".join(row["raw"] for row in store.rows("SELECT raw FROM events WHERE run = ? ORDER BY n", [run]))
    return f"{kept['header']}{raw}{grown[0]['tail'] if grown else kept['tail']}".encode()


def proof(store: Store, run: int) -> Proof:
    """A run's place in the chain."""
    head = msgspec.json.decode(_one(store, "SELECT head FROM room", [])["head"], type=SignedHead)
    grown = store.rows("SELECT id FROM growths WHERE run = ? ORDER BY id DESC LIMIT 1", [run])
    columns = ", ".join(PARTS["findings"])
    rows = store.rows(f"SELECT {columns} FROM findings WHERE run = ? ORDER BY n", [run])
    return Proof(
        head=head, run=_link(store, "runs", run), growth=_link(store, "growths", grown[0]["id"]) if grown else None,
        findings=[list(row) for row in rows],
    )  # fmt: skip


def _link(store: Store, ledger: str, number: int) -> Link:
    row = _one(store, f"SELECT * FROM {ledger} WHERE id = ?", [number])
    before = store.rows(f"SELECT hash FROM {ledger} WHERE id = ?", [number - 1])
    previous = before[0]["hash"].hex() if before else bytes(32).hex()
    chained = {column: row[column] for column in LEDGERS[ledger]}
    return Link(number=number, previous=previous, row=chained, hash=row["hash"].hex())


# ---- footage -----------------------------------------------------------------------------------------------------


def span(evidence: Evidence) -> tuple[float, float]:
    """What of the round to show: the moment, and of the round around it what can be watched in a minute."""
    t, opened, closed = evidence.finding["t"], evidence.round["opened"], evidence.round["closed"]
    return max(min(opened, t), t - BEFORE_S) - LEAD_S, min(max(closed, t), t + AFTER_S) + LEAD_S


def filmed(store: Store, evidence: Evidence) -> tuple[Evidence, dict[str, bytes]]:
    """The clips and stills of a finding, and what had to be left out because it is not there any more."""
    files: dict[str, bytes] = {}
    clips: list[ClipFact] = []
    without: list[str] = []
    for row in store.rows("SELECT * FROM footage WHERE run = ? ORDER BY id", [evidence.run]):
        start, stop = (t - row["t0"] for t in span(evidence))
        if stop < 0 or start > row["duration_s"]:
            continue
        problem = _problem(Path(row["path"]), row["sha256"])
        if problem:
            without.append(f"camera {row['camera']}: {problem}")
            continue
        number = len(clips) + 1
        name = f"clip-{number}.mp4"
        files[name], clip_start, length = _cut_bytes(Path(row["path"]), start, stop)
        clips.append(
            ClipFact(
                file=name, camera=row["camera"], t=row["t0"] + clip_start, duration_s=length,
                footage_sha256=row["sha256"],
            )
        )  # fmt: skip
        for label, t, regions in _moments(evidence, row["camera"]):
            if 0 <= t - row["t0"] <= row["duration_s"]:
                files[f"stills/{number}-{label}.jpg"] = still(Path(row["path"]), t - row["t0"], regions)
    stills = [name for name in files if name.startswith("stills/")]
    return msgspec.structs.replace(evidence, clips=clips, stills=stills, without=without), files


def _problem(path: Path, sha256: str) -> str:
    if not path.is_file():
        return "its footage is not there any more"
    return "" if sha256_of(path) == sha256 else "its footage is not what was registered with the log"


def _cut_bytes(path: Path, start: float, stop: float) -> tuple[bytes, float, float]:
    with tempfile.TemporaryDirectory(prefix="fairdeal-") as folder:
        target = Path(folder) / "clip.mp4"
        clip = cut(path, target, start, stop)
        return target.read_bytes(), clip.start_s, clip.duration_s


def _moments(evidence: Evidence, camera: str) -> Iterator[tuple[str, float, list[Region]]]:
    """The pictures worth a still: the moment itself, and the newest reads at its place before it."""
    seen = [each for each in evidence.events if each.get("region") and each.get("cam") in (None, camera)]
    t, at = evidence.finding["t"], evidence.finding["at"]
    yield "moment", t, [each["region"] for each in seen if abs(each["t"] - t) < 1e-6]
    place = str(at).partition("/")[0] if at else None
    own = [each for each in seen if each["t"] <= t and place and str(each.get("at", "")).startswith(place)]
    for each in own[-MOST_STILLS:]:
        yield f"read-{each['t']:.2f}", each["t"], [each["region"]]
