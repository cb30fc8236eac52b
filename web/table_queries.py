"""What the tables' pages ask of the room: rounds, findings and money per table."""

import msgspec

from auditor.store import Store

ROUNDS_PAGE = 100
MOST_DAYS = 30


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A table at one game, over everything that was kept of it and not dismissed. Money is cents."""

    table_name: str
    rulebook: str
    logs: int
    rounds: int
    played_s: float
    breaches: int
    unsure: int
    open: int
    overpaid: int
    underpaid: int
    last_started: str
    last_closed: float

    @property
    def breaches_per_1000(self) -> float:
        """Breaches per 1,000 rounds."""
        return 1000 * self.breaches / self.rounds if self.rounds else 0.0

    @property
    def rounds_per_hour(self) -> float:
        """How fast the table plays."""
        return 3600 * self.rounds / self.played_s if self.played_s else 0.0


# The counts are kept per log and kind as findings come and are decided: no page ever counts findings. Those that were
# dismissed are not in them.
_TABLES = """
SELECT table_name, rulebook, count(*) AS logs, coalesce(sum(spans.rounds), 0) AS rounds,
       coalesce(sum(closed - opened), 0) AS played_s, max(started) AS last_started,
       coalesce(max(started_at + closed), max(started_at)) AS last_closed,
       coalesce(sum(breaches), 0) AS breaches, coalesce(sum(unsure), 0) AS unsure, coalesce(sum(open), 0) AS open,
       coalesce(sum(overpaid), 0) AS overpaid, coalesce(sum(underpaid), 0) AS underpaid
FROM runs LEFT JOIN spans ON spans.run = runs.id LEFT JOIN (
    SELECT run, sum(breaches) AS breaches, sum(unsure) AS unsure, sum(open) AS open, sum(overpaid) AS overpaid,
           sum(underpaid) AS underpaid FROM tallies GROUP BY run
) AS counted ON counted.run = runs.id
{where} GROUP BY table_name, rulebook ORDER BY table_name, rulebook
"""


def tables(store: Store, allowed: tuple[str, ...]) -> list[TableRow]:
    """Every table that one may see, by name."""
    rows = store.rows(_TABLES.format(where=""))
    return [msgspec.convert(dict(row), TableRow) for row in rows if not allowed or row["table_name"] in allowed]


def table(store: Store, name: str, rulebook: str) -> TableRow | None:
    """One table."""
    rows = store.rows(_TABLES.format(where="WHERE table_name = ? AND rulebook = ?"), [name, rulebook])
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
    sql = """SELECT kind, sum(breaches) AS breaches, sum(unsure) AS unsure, sum(overpaid) AS overpaid,
                    sum(underpaid) AS underpaid
             FROM tallies JOIN runs ON runs.id = run WHERE table_name = ? AND rulebook = ?
             GROUP BY kind HAVING sum(breaches) + sum(unsure) > 0 ORDER BY sum(breaches) + sum(unsure) DESC, kind"""
    return [msgspec.convert(dict(row), KindRow) for row in store.rows(sql, [name, rulebook])]


class DayRow(msgspec.Struct, frozen=True, kw_only=True):
    """A table's day."""

    day: str
    rounds: int
    breaches: int
    unsure: int
    overpaid: int
    underpaid: int


def days_at(store: Store, name: str, rulebook: str) -> list[DayRow]:
    """A table's newest days, the oldest of them first."""
    sql = f"""SELECT substr(started, 1, 10) AS day, coalesce(sum(spans.rounds), 0) AS rounds,
                     coalesce(sum(breaches), 0) AS breaches, coalesce(sum(unsure), 0) AS unsure,
                     coalesce(sum(overpaid), 0) AS overpaid, coalesce(sum(underpaid), 0) AS underpaid
              FROM runs LEFT JOIN spans ON spans.run = runs.id LEFT JOIN (
                  SELECT run, sum(breaches) AS breaches, sum(unsure) AS unsure, sum(overpaid) AS overpaid,
                         sum(underpaid) AS underpaid FROM tallies GROUP BY run) AS counted ON counted.run = runs.id
              WHERE table_name = ? AND rulebook = ? GROUP BY day ORDER BY day DESC LIMIT {MOST_DAYS}"""
    return [msgspec.convert(dict(row), DayRow) for row in store.rows(sql, [name, rulebook])][::-1]


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
_ROUNDS = """
SELECT rounds.run, n, opened, closed, status, dealer, ? AS started,
       (SELECT count(*) FROM findings INDEXED BY findings_round
        WHERE run = rounds.run AND round = rounds.n AND verdict = 'breach') AS breaches,
       (SELECT count(*) FROM findings INDEXED BY findings_round
        WHERE run = rounds.run AND round = rounds.n AND verdict = 'unsure') AS unsure,
       (SELECT coalesce(sum(stake), 0) FROM wagers INDEXED BY wagers_round
        WHERE run = rounds.run AND round = rounds.n) AS staked
FROM rounds WHERE run = ? AND n <= ? ORDER BY n DESC LIMIT ?
"""


def rounds_at(store: Store, name: str, rulebook: str, page: int, size: int = ROUNDS_PAGE) -> list[ListedRound]:
    """A page of a table's rounds, the newest first; one more than fits, if there is one."""
    sql = """SELECT id, started, spans.rounds FROM runs JOIN spans ON spans.run = runs.id
             WHERE table_name = ? AND rulebook = ? ORDER BY started_at DESC, id"""
    skip, found = size * page, list[ListedRound]()
    for run in store.rows(sql, [name, rulebook]):
        if skip >= run["rounds"]:  # a whole log further down: its rounds need not be read
            skip -= run["rounds"]
            continue
        values = [run["started"], run["id"], run["rounds"] - skip, size + 1 - len(found)]
        found += [msgspec.convert(dict(row), ListedRound) for row in store.rows(_ROUNDS, values)]
        skip = 0
        if len(found) > size:
            break
    return found
