"""The room's tables. What is chained may only grow: triggers refuse every change and removal.

Two kinds of chain. The *ledgers* (runs, reviews, activity) are chained from the room's first row to its last, and the
signed head says where they end. The *parts* of a run (events, rounds, wagers, findings) are chained from its own first
row; the run's row carries how many there are and their last hash, and so the ledger vouches for them.

The `queue` is derived from findings and reviews, by triggers: what the review site sorts and filters by.
"""

from sqlite_utils import Database, Migrations

LEDGERS: dict[str, tuple[str, ...]] = {
    "runs": (
        "sha256", "name", "table_name", "rulebook", "citation", "started", "started_at", "house", "header", "tail",
        "code", "kept_at", "events", "events_hash", "rounds", "rounds_hash", "wagers", "wagers_hash", "findings",
        "findings_hash",
    ),
    "reviews": ("run", "finding", "who", "at", "decision", "note", "state"),
    "activity": ("at", "who", "what", "detail"),
}  # fmt: skip
PARTS: dict[str, tuple[str, ...]] = {
    "events": ("raw",),
    "rounds": ("opened", "closed", "status", "dealer", "first_event", "last_event", "answer"),
    "wagers": ("round", "at", "colour", "stake", "result", "due", "paid", "rule", "why"),
    "findings": (
        "round", "kind", "verdict", "rule", "t", "at", "colour", "expected", "observed", "message", "reads", "gain",
    ),
}  # fmt: skip
"""The chained columns of each table, in the order of its canonical row."""

migrations = Migrations("fairdeal-room")

_TABLES = """
CREATE TABLE room (id TEXT NOT NULL, made_at TEXT NOT NULL, head TEXT NOT NULL);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, name TEXT NOT NULL, table_name TEXT NOT NULL,
    rulebook TEXT NOT NULL, citation TEXT NOT NULL, started TEXT NOT NULL, started_at REAL NOT NULL,
    house TEXT NOT NULL, header TEXT NOT NULL, tail TEXT NOT NULL, code TEXT NOT NULL, kept_at TEXT NOT NULL,
    events INTEGER NOT NULL, events_hash TEXT NOT NULL, rounds INTEGER NOT NULL, rounds_hash TEXT NOT NULL,
    wagers INTEGER NOT NULL, wagers_hash TEXT NOT NULL, findings INTEGER NOT NULL, findings_hash TEXT NOT NULL,
    hash BLOB NOT NULL
);
CREATE TABLE events (
    run INTEGER NOT NULL REFERENCES runs (id), n INTEGER NOT NULL, raw TEXT NOT NULL, hash BLOB NOT NULL,
    PRIMARY KEY (run, n)
) WITHOUT ROWID;
CREATE TABLE rounds (
    run INTEGER NOT NULL REFERENCES runs (id), n INTEGER NOT NULL, opened REAL NOT NULL, closed REAL NOT NULL,
    status TEXT NOT NULL, dealer TEXT, first_event INTEGER NOT NULL, last_event INTEGER NOT NULL,
    answer TEXT NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (run, n)
) WITHOUT ROWID;
CREATE TABLE wagers (
    run INTEGER NOT NULL REFERENCES runs (id), n INTEGER NOT NULL, round INTEGER NOT NULL, at TEXT NOT NULL,
    colour TEXT, stake INTEGER NOT NULL, result TEXT, due INTEGER, paid INTEGER, rule TEXT NOT NULL,
    why TEXT NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (run, n), FOREIGN KEY (run, round) REFERENCES rounds (run, n)
) WITHOUT ROWID;
CREATE TABLE findings (
    run INTEGER NOT NULL REFERENCES runs (id), n INTEGER NOT NULL, round INTEGER NOT NULL, kind TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('breach', 'unsure')), rule TEXT NOT NULL, t REAL NOT NULL, at TEXT,
    colour TEXT, expected TEXT NOT NULL, observed TEXT NOT NULL, message TEXT NOT NULL, reads TEXT NOT NULL,
    gain INTEGER NOT NULL, hash BLOB NOT NULL,
    PRIMARY KEY (run, n), FOREIGN KEY (run, round) REFERENCES rounds (run, n)
) WITHOUT ROWID;
CREATE TABLE reviews (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL, finding INTEGER NOT NULL, who TEXT NOT NULL, at TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision IN ('confirm', 'dismiss', 'undo')), note TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'confirmed', 'dismissed')), hash BLOB NOT NULL,
    FOREIGN KEY (run, finding) REFERENCES findings (run, n)
);
CREATE TABLE activity (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL, detail TEXT NOT NULL,
    hash BLOB NOT NULL
);
CREATE TABLE queue (
    run INTEGER NOT NULL, n INTEGER NOT NULL, state TEXT NOT NULL, review INTEGER NOT NULL, rank INTEGER NOT NULL,
    happened REAL NOT NULL, table_name TEXT NOT NULL, rulebook TEXT NOT NULL, kind TEXT NOT NULL, rule TEXT NOT NULL,
    verdict TEXT NOT NULL, PRIMARY KEY (run, n), FOREIGN KEY (run, n) REFERENCES findings (run, n)
) WITHOUT ROWID;
CREATE INDEX queue_all ON queue (rank, happened DESC);
CREATE INDEX queue_state ON queue (state, rank, happened DESC);
CREATE INDEX queue_table_all ON queue (table_name, rank, happened DESC);
CREATE INDEX queue_table ON queue (table_name, state, rank, happened DESC);
CREATE INDEX queue_kind ON queue (kind, state, rank, happened DESC);
CREATE INDEX findings_round ON findings (run, round);
CREATE INDEX wagers_round ON wagers (run, round);
CREATE INDEX reviews_finding ON reviews (run, finding, id);
CREATE INDEX runs_table ON runs (table_name, rulebook);
"""

_QUEUE = """
CREATE TRIGGER findings_enter_queue AFTER INSERT ON findings BEGIN
    INSERT INTO queue
    SELECT NEW.run, NEW.n, 'open', 0, NEW.verdict = 'unsure',
           started_at + NEW.t, table_name, rulebook, NEW.kind, NEW.rule, NEW.verdict
    FROM runs WHERE id = NEW.run;
END;
CREATE TRIGGER reviews_move_queue AFTER INSERT ON reviews BEGIN
    UPDATE queue SET state = NEW.state, review = NEW.id WHERE run = NEW.run AND n = NEW.finding;
END;
"""

_GUARD = """
CREATE TRIGGER {table}_no_{word} BEFORE {verb} ON {table} BEGIN
    SELECT RAISE(ABORT, '{table} only grow: no row is changed or removed');
END;
"""


def guards() -> set[str]:
    """The names of the triggers that a room must have."""
    kept = {f"{table}_no_{word}" for table in (*LEDGERS, *PARTS) for word in ("change", "removal")}
    return kept | {"findings_enter_queue", "reviews_move_queue"}


def _run_script(db: Database, script: str) -> None:
    """Statement by statement: `executescript` would end the migration's transaction."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        is_whole = line.rstrip().endswith(";") and ("TRIGGER" not in statement or line.startswith("END;"))
        if is_whole:
            db.execute(statement)
            statement = ""


@migrations()
def the_first_room(db: Database) -> None:
    """Everything above."""
    _run_script(db, _TABLES)
    _run_script(db, _QUEUE)
    for table in (*LEDGERS, *PARTS):
        for word, verb in (("change", "UPDATE"), ("removal", "DELETE")):
            _run_script(db, _GUARD.format(table=table, word=word, verb=verb))


@migrations()
def people(db: Database) -> None:
    """Who may log in, who is logged in, and the one-time links by which people come."""
    _run_script(
        db,
        """
        CREATE TABLE people (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, password TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('viewer', 'reviewer', 'admin')), is_active INTEGER NOT NULL DEFAULT 1
        );
        CREATE TABLE sessions (
            token_hash TEXT PRIMARY KEY, person INTEGER NOT NULL REFERENCES people (id), expires REAL NOT NULL
        );
        CREATE TABLE invitations (
            token_hash TEXT PRIMARY KEY, role TEXT NOT NULL CHECK (role IN ('viewer', 'reviewer', 'admin')),
            expires REAL NOT NULL, invited_by TEXT NOT NULL
        );
        """,
    )
