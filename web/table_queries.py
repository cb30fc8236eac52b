"""What the tables' pages ask of the room: rounds, findings and money per table."""

import msgspec

from auditor.store import Store

ROUNDS_PAGE = 100


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A table at one game, over everything that was kept of it. Money is cents, of what the logs prove."""

    table_name: str
    rulebook: str
    logs: int
    rounds: int
    breaches: int
    unsure: int
    open: int
    overpaid: int
    underpaid: int
    last_started: str

    @property
    def breaches_per_1000(self) -> float:
        """Breaches per 1,000 rounds."""
        return 1000 * self.breaches / self.rounds if self.rounds else 0.0


_TABLES = """
SELECT runs.table_name, runs.rulebook, count(*) AS logs, sum(runs.rounds) AS rounds, max(started) AS last_started,
       coalesce(sum(f.breaches), 0) AS breaches, coalesce(sum(f.unsure), 0) AS unsure, coalesce(sum(f.open), 0) AS open,
       coalesce(sum(f.overpaid), 0) AS overpaid, coalesce(sum(f.underpaid), 0) AS underpaid
FROM runs LEFT JOIN (
    SELECT run, sum(findings.verdict = 'breach') AS breaches, sum(findings.verdict = 'unsure') AS unsure,
           sum(queue.state = 'open') AS open, sum(max(gain, 0)) AS overpaid, sum(max(-gain, 0)) AS underpaid
    FROM findings JOIN queue USING (run, n) WHERE {which} GROUP BY run
) AS f ON f.run = runs.id
"""


def tables(store: Store) -> list[TableRow]:
    """Every table, by name."""
    every = _TABLES.format(which="1")
    sql = f"{every} GROUP BY runs.table_name, runs.rulebook ORDER BY runs.table_name, runs.rulebook"
    return [msgspec.convert(dict(row), TableRow) for row in store.rows(sql)]


def table(store: Store, name: str, rulebook: str) -> TableRow | None:
    """One table."""
    own = _TABLES.format(which="run IN (SELECT id FROM runs WHERE table_name = ? AND rulebook = ?)")
    sql = f"{own} WHERE runs.table_name = ? AND runs.rulebook = ? GROUP BY runs.table_name, runs.rulebook"
    rows = store.rows(sql, [name, rulebook, name, rulebook])
    return next((msgspec.convert(dict(row), TableRow) for row in rows), None)


class KindRow(msgspec.Struct, frozen=True, kw_only=True):
    """How often one kind was found at a table."""

    kind: str
    breaches: int
    unsure: int
    overpaid: int
    underpaid: int


def kinds_at(store: Store, name: str, rulebook: str) -> list[KindRow]:
    """The kinds of finding at a table, the most frequent first."""
    sql = """SELECT kind, sum(verdict = 'breach') AS breaches, sum(verdict = 'unsure') AS unsure,
                    sum(max(gain, 0)) AS overpaid, sum(max(-gain, 0)) AS underpaid
             FROM findings JOIN runs ON runs.id = run WHERE table_name = ? AND rulebook = ?
             GROUP BY kind ORDER BY count(*) DESC, kind"""
    return [msgspec.convert(dict(row), KindRow) for row in store.rows(sql, [name, rulebook])]


class ListedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round in a list."""

    run: int
    n: int
    opened: float
    closed: float
    status: str
    dealer: str | None
    breaches: int
    unsure: int
    staked: int
    started: str


# First the page, then what there is to say of its rounds. Left to itself, SQLite reads a whole run for every round.
_ROUNDS = f"""
WITH page AS (
    SELECT rounds.*, started, started_at FROM rounds JOIN runs ON runs.id = rounds.run
    WHERE table_name = ? AND rulebook = ?
    ORDER BY started_at DESC, rounds.run, rounds.n DESC LIMIT {ROUNDS_PAGE + 1} OFFSET ?
)
SELECT run, n, opened, closed, status, dealer, started,
       (SELECT count(*) FROM findings INDEXED BY findings_round
        WHERE run = page.run AND round = page.n AND verdict = 'breach') AS breaches,
       (SELECT count(*) FROM findings INDEXED BY findings_round
        WHERE run = page.run AND round = page.n AND verdict = 'unsure') AS unsure,
       (SELECT coalesce(sum(stake), 0) FROM wagers INDEXED BY wagers_round
        WHERE run = page.run AND round = page.n) AS staked
FROM page ORDER BY started_at DESC, run, n DESC
"""


def rounds_at(store: Store, name: str, rulebook: str, page: int) -> list[ListedRound]:
    """A page of a table's rounds, the newest first; one more than fits, if there is one."""
    rows = store.rows(_ROUNDS, [name, rulebook, ROUNDS_PAGE * page])
    return [msgspec.convert(dict(row), ListedRound) for row in rows]
