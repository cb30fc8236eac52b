"""The room's tables as SQL, one text for each step that a room takes when it is brought up to date."""

FIRST_ROOM = """
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

QUEUE = """
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

GUARD = """
CREATE TRIGGER {table}_no_{word} BEFORE {verb} ON {table} BEGIN
    SELECT RAISE(ABORT, '{table} only grow: no row is changed or removed');
END;
"""

PEOPLE = """
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
"""

EVIDENCE = """
CREATE TABLE growths (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs (id), sha256 TEXT NOT NULL, tail TEXT NOT NULL,
    at TEXT NOT NULL,
    events INTEGER NOT NULL, events_hash TEXT NOT NULL, rounds INTEGER NOT NULL, rounds_hash TEXT NOT NULL,
    wagers INTEGER NOT NULL, wagers_hash TEXT NOT NULL, findings INTEGER NOT NULL, findings_hash TEXT NOT NULL,
    hash BLOB NOT NULL
);
CREATE TABLE sources (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs (id), what TEXT NOT NULL, name TEXT NOT NULL,
    sha256 TEXT NOT NULL, hash BLOB NOT NULL
);
CREATE TABLE footage (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs (id), camera TEXT NOT NULL, path TEXT NOT NULL,
    sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, t0 REAL NOT NULL, duration_s REAL NOT NULL, hash BLOB NOT NULL
);
CREATE TABLE removals (
    id INTEGER PRIMARY KEY, footage INTEGER NOT NULL REFERENCES footage (id), at TEXT NOT NULL, who TEXT NOT NULL,
    why TEXT NOT NULL, hash BLOB NOT NULL
);
CREATE TABLE releases (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL, finding INTEGER NOT NULL, at TEXT NOT NULL, who TEXT NOT NULL,
    note TEXT NOT NULL, hash BLOB NOT NULL, FOREIGN KEY (run, finding) REFERENCES findings (run, n)
);
CREATE TABLE exports (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL, finding INTEGER NOT NULL, at TEXT NOT NULL, who TEXT NOT NULL,
    name TEXT NOT NULL, sha256 TEXT NOT NULL, hash BLOB NOT NULL,
    FOREIGN KEY (run, finding) REFERENCES findings (run, n)
);
CREATE INDEX growths_run ON growths (run, id);
CREATE INDEX sources_run ON sources (run);
CREATE INDEX footage_run ON footage (run);
CREATE INDEX removals_footage ON removals (footage);
CREATE INDEX releases_finding ON releases (run, finding);
CREATE INDEX exports_finding ON exports (run, finding);
"""

WIDER_QUEUE = """
CREATE TABLE tallies (
    run INTEGER NOT NULL REFERENCES runs (id), kind TEXT NOT NULL, breaches INTEGER NOT NULL, unsure INTEGER NOT NULL,
    open INTEGER NOT NULL, overpaid INTEGER NOT NULL, underpaid INTEGER NOT NULL, PRIMARY KEY (run, kind)
) WITHOUT ROWID;
CREATE TABLE spans (
    run INTEGER PRIMARY KEY REFERENCES runs (id), rounds INTEGER NOT NULL, opened REAL NOT NULL, closed REAL NOT NULL
);
ALTER TABLE queue ADD COLUMN dealer TEXT;
UPDATE queue SET dealer = (
    SELECT rounds.dealer FROM findings JOIN rounds ON rounds.run = findings.run AND rounds.n = findings.round
    WHERE findings.run = queue.run AND findings.n = queue.n);
INSERT INTO tallies
SELECT run, queue.kind, sum(queue.verdict = 'breach'), sum(queue.verdict = 'unsure'), sum(state = 'open'),
       sum(max(gain, 0)), sum(max(-gain, 0)) FROM findings JOIN queue USING (run, n) GROUP BY run, queue.kind;
INSERT INTO spans SELECT run, count(*), min(opened), max(closed) FROM rounds GROUP BY run;
CREATE TRIGGER rounds_span AFTER INSERT ON rounds BEGIN
    INSERT INTO spans VALUES (NEW.run, 1, NEW.opened, NEW.closed)
    ON CONFLICT (run) DO UPDATE SET rounds = rounds + 1, closed = max(closed, excluded.closed);
END;
DROP TRIGGER findings_enter_queue;
DROP TRIGGER reviews_move_queue;
CREATE TRIGGER findings_enter_queue AFTER INSERT ON findings BEGIN
    INSERT INTO queue
    SELECT NEW.run, NEW.n, 'open', 0, NEW.verdict = 'unsure', started_at + NEW.t, table_name, rulebook, NEW.kind,
           NEW.rule, NEW.verdict, (SELECT dealer FROM rounds WHERE run = NEW.run AND n = NEW.round)
    FROM runs WHERE id = NEW.run;
    INSERT INTO tallies
    VALUES (NEW.run, NEW.kind, NEW.verdict = 'breach', NEW.verdict = 'unsure', 1, max(NEW.gain, 0), max(-NEW.gain, 0))
    ON CONFLICT (run, kind) DO UPDATE SET
        breaches = breaches + excluded.breaches, unsure = unsure + excluded.unsure, open = open + 1,
        overpaid = overpaid + excluded.overpaid, underpaid = underpaid + excluded.underpaid;
END;
CREATE TRIGGER reviews_move_queue AFTER INSERT ON reviews BEGIN
    UPDATE tallies SET open = open + (NEW.state = 'open')
        - (SELECT state = 'open' FROM queue WHERE run = NEW.run AND n = NEW.finding)
    WHERE run = NEW.run AND kind = (SELECT kind FROM queue WHERE run = NEW.run AND n = NEW.finding);
    UPDATE queue SET state = NEW.state, review = NEW.id WHERE run = NEW.run AND n = NEW.finding;
END;
DROP INDEX queue_all;
DROP INDEX queue_table_all;
CREATE INDEX queue_rulebook ON queue (rulebook, state, rank, happened DESC);
CREATE INDEX queue_rulebook_kind ON queue (rulebook, kind, state, rank, happened DESC);
CREATE INDEX queue_rule ON queue (rule, state, rank, happened DESC);
CREATE INDEX queue_dealer ON queue (dealer, state, rank, happened DESC) WHERE dealer IS NOT NULL;
"""

WIDER_PEOPLE = """
CREATE TABLE people_anew (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, password TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'reviewer', 'supervisor', 'admin')),
    is_active INTEGER NOT NULL DEFAULT 1, tables TEXT NOT NULL DEFAULT '[]'
);
INSERT INTO people_anew (id, name, password, role, is_active) SELECT id, name, password, role, is_active FROM people;
DROP TABLE people;
ALTER TABLE people_anew RENAME TO people;
DROP TABLE invitations;
CREATE TABLE invitations (
    token_hash TEXT PRIMARY KEY, role TEXT NOT NULL CHECK (role IN ('viewer', 'reviewer', 'supervisor', 'admin')),
    expires REAL NOT NULL, invited_by TEXT NOT NULL, tables TEXT NOT NULL DEFAULT '[]'
);
CREATE TABLE attempts (key TEXT NOT NULL, at REAL NOT NULL);
CREATE INDEX attempts_key ON attempts (key, at);
CREATE TABLE saved_filters (
    person INTEGER NOT NULL REFERENCES people (id), name TEXT NOT NULL, query TEXT NOT NULL, PRIMARY KEY (person, name)
) WITHOUT ROWID;
CREATE TABLE feeds (
    table_name TEXT NOT NULL, camera TEXT NOT NULL, rulebook TEXT NOT NULL, state TEXT NOT NULL, since REAL NOT NULL,
    at REAL NOT NULL, fps REAL, detail TEXT NOT NULL, PRIMARY KEY (table_name, camera)
) WITHOUT ROWID;
"""

# A finding that a reviewer dismissed is held against nobody: counts and money leave it out, and take it in again when
# the decision is undone. By half hours, since there are zones that differ by one.
SHIFTS = """
CREATE TABLE shifts (
    run INTEGER NOT NULL REFERENCES runs (id), half_hour INTEGER NOT NULL, dealer TEXT NOT NULL,
    rounds INTEGER NOT NULL, breaches INTEGER NOT NULL, unsure INTEGER NOT NULL, overpaid INTEGER NOT NULL,
    underpaid INTEGER NOT NULL, PRIMARY KEY (run, half_hour, dealer)
) WITHOUT ROWID;
CREATE VIEW round_shifts AS
SELECT rounds.run, rounds.n AS round, CAST((started_at + opened) / 1800 AS INTEGER) AS half_hour,
       coalesce(dealer, '') AS dealer FROM rounds JOIN runs ON runs.id = rounds.run;
INSERT INTO shifts
SELECT run, half_hour, dealer, count(*), 0, 0, 0, 0 FROM round_shifts GROUP BY run, half_hour, dealer;
UPDATE shifts SET
    breaches = held.breaches, unsure = held.unsure, overpaid = held.overpaid, underpaid = held.underpaid
FROM (
    SELECT run, half_hour, dealer, sum(verdict = 'breach') AS breaches, sum(verdict = 'unsure') AS unsure,
           sum(max(gain, 0)) AS overpaid, sum(max(-gain, 0)) AS underpaid
    FROM (SELECT run, n FROM queue WHERE state != 'dismissed') JOIN findings USING (run, n)
    JOIN round_shifts USING (run, round) GROUP BY run, half_hour, dealer
) AS held WHERE (shifts.run, shifts.half_hour, shifts.dealer) = (held.run, held.half_hour, held.dealer);
UPDATE tallies SET
    breaches = tallies.breaches - gone.breaches, unsure = tallies.unsure - gone.unsure,
    overpaid = tallies.overpaid - gone.overpaid, underpaid = tallies.underpaid - gone.underpaid
FROM (
    SELECT run, kind, sum(verdict = 'breach') AS breaches, sum(verdict = 'unsure') AS unsure,
           sum(max(gain, 0)) AS overpaid, sum(max(-gain, 0)) AS underpaid
    FROM (SELECT run, n FROM queue WHERE state = 'dismissed') JOIN findings USING (run, n) GROUP BY run, kind
) AS gone WHERE (tallies.run, tallies.kind) = (gone.run, gone.kind);
CREATE TRIGGER rounds_shift AFTER INSERT ON rounds BEGIN
    INSERT INTO shifts
    SELECT run, half_hour, dealer, 1, 0, 0, 0, 0 FROM round_shifts WHERE run = NEW.run AND round = NEW.n
    ON CONFLICT (run, half_hour, dealer) DO UPDATE SET rounds = rounds + 1;
END;
CREATE TRIGGER findings_shift AFTER INSERT ON findings BEGIN
    UPDATE shifts SET
        breaches = breaches + (NEW.verdict = 'breach'), unsure = unsure + (NEW.verdict = 'unsure'),
        overpaid = overpaid + max(NEW.gain, 0), underpaid = underpaid + max(-NEW.gain, 0)
    WHERE run = NEW.run AND (half_hour, dealer) = (
        SELECT half_hour, dealer FROM round_shifts WHERE run = NEW.run AND round = NEW.round);
END;
CREATE TRIGGER reviews_dismiss BEFORE INSERT ON reviews
WHEN (NEW.state = 'dismissed') != (SELECT state = 'dismissed' FROM queue WHERE run = NEW.run AND n = NEW.finding)
BEGIN
    UPDATE shifts SET
        breaches = breaches + sign * (verdict = 'breach'), unsure = unsure + sign * (verdict = 'unsure'),
        overpaid = overpaid + sign * max(gain, 0), underpaid = underpaid + sign * max(-gain, 0)
    FROM (
        SELECT verdict, gain, half_hour, dealer, iif(NEW.state = 'dismissed', -1, 1) AS sign
        FROM findings JOIN round_shifts USING (run, round) WHERE findings.run = NEW.run AND findings.n = NEW.finding
    ) AS decided
    WHERE run = NEW.run AND (shifts.half_hour, shifts.dealer) = (decided.half_hour, decided.dealer);
    UPDATE tallies SET
        breaches = breaches + sign * (verdict = 'breach'), unsure = unsure + sign * (verdict = 'unsure'),
        overpaid = overpaid + sign * max(gain, 0), underpaid = underpaid + sign * max(-gain, 0)
    FROM (
        SELECT kind, verdict, gain, iif(NEW.state = 'dismissed', -1, 1) AS sign
        FROM findings WHERE run = NEW.run AND n = NEW.finding
    ) AS decided
    WHERE run = NEW.run AND tallies.kind = decided.kind;
END;
CREATE INDEX shifts_time ON shifts (half_hour);
"""
