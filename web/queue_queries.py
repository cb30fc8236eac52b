"""What the queue asks of the room. All values go in as parameters; nothing a browser sends becomes SQL.

The queue is sorted worst first, then newest. Every question names one state, one verdict and, for people who are kept
to some tables, one table: an index then gives the rows in order, however many there are, and they are merged here.
"""

import datetime
import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from auditor.store import Store

PAGE = 50
COUNT_UP_TO = 1000
MOST_KNOWN = 200
STATES = ("open", "confirmed", "dismissed")
VERDICTS = ("breach", "unsure")


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """What a reviewer wants to see; empty is everything."""

    state: str = "open"
    verdict: str = ""
    table: str = ""
    game: str = ""
    kind: str = ""
    clause: str = ""
    dealer: str = ""
    since: str = ""
    until: str = ""

    @classmethod
    def of(cls, values: Mapping[str, str]) -> "Filters":
        """As they stand in the address."""
        given = {name: values[name].strip() for name in cls.__struct_fields__ if name in values}
        return cls(**given)

    def asked(self) -> dict[str, str]:
        """As they are written in an address."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if value}


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """Whose queue it is: the filters, the tables he is kept to (none: all), and the zone his times are in."""

    filters: Filters
    tables: tuple[str, ...] = ()
    zone: datetime.tzinfo = datetime.UTC

    def slices(self) -> Iterator[tuple[int, list[str], list[str | None]]]:
        """Rank by rank, the states and the tables that are asked for."""
        wanted, filters = self.tables or (None,), self.filters
        if filters.table:
            wanted = (filters.table,) if not self.tables or filters.table in self.tables else ()
        states = list(STATES) if filters.state == "all" else [filters.state]
        for rank, verdict in enumerate(VERDICTS):
            if filters.verdict in ("", verdict):
                yield rank, states, list(wanted)

    def conditions(self) -> tuple[str, list[Any]]:
        """The rest of the WHERE, and its parameters."""
        filters = self.filters
        columns = {"dealer": filters.dealer, "rule": filters.clause, "kind": filters.kind, "rulebook": filters.game}
        used = {column: value for column, value in columns.items() if value}
        # The rarest alone is to be looked up in an index (game and kind have one together); + keeps SQLite from others.
        is_narrow = bool(self.tables or filters.table)
        together = ("kind", "rulebook") if "dealer" not in used and "rule" not in used else ()
        where = []
        for place, column in enumerate(used):
            is_sought = not is_narrow and (place == 0 or column in together)
            where.append(f"{'' if is_sought else '+'}queue.{column} = ?")
        values = list[Any](used.values())
        for text, sign in ((filters.since, ">="), (filters.until, "<=")):
            if text:
                where.append(f"happened {sign} ?")
                values.append(self._unix(text))
        return "".join(f" AND {each}" for each in where), values

    def _unix(self, text: str) -> float:
        """A moment as browsers write it; what is none is no moment of ours, and nothing happened then."""
        try:
            return datetime.datetime.fromisoformat(text).replace(tzinfo=self.zone).timestamp()
        except (ValueError, OverflowError, OSError):
            return float("nan")


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A finding in a list."""

    run: int
    n: int
    round: int
    state: str
    review: int
    rank: int
    happened: float
    table_name: str
    rulebook: str
    kind: str
    rule: str
    verdict: str
    dealer: str | None
    t: float
    at: str | None
    message: str
    gain: int
    started: str
    exports: int

    @property
    def cursor(self) -> str:
        """Where in the queue it stands: what the next page goes on from."""
        return f"{self.rank}:{self.happened!r}:{self.run}:{self.n}"

    @property
    def place(self) -> str:
        """The same as text that sorts as the queue does, for a page that puts newcomers in."""
        return f"{self.rank}:{1e11 - self.happened:016.3f}:{self.run:09}:{self.n:09}"


_ROWS = """
SELECT queue.*, findings.round, findings.t, findings.at, findings.message, findings.gain, runs.started,
       (SELECT count(*) FROM exports WHERE exports.run = queue.run AND exports.finding = queue.n) AS exports
FROM queue JOIN findings USING (run, n) JOIN runs ON runs.id = queue.run
"""
_LISTED = _ROWS + "WHERE queue.state = ? AND rank = ?{where} ORDER BY happened DESC, queue.run, queue.n LIMIT {limit}"


def listed(store: Store, scope: Scope, after: str = "") -> list[Listed]:
    """A page of the queue; one more than fits, if there is one."""
    where, values = scope.conditions()
    place = _place(after) if after else (-1, 0.0, 0, 0)
    found: list[Listed] = []
    for rank, states, tables in scope.slices():
        if rank < place[0] or len(found) > PAGE:
            continue
        rows: list[Listed] = []
        for state, table in itertools.product(states, tables):
            more, given = where, [state, rank, *values]
            if table is not None:
                more, given = f"{more} AND queue.table_name = ?", [*given, table]
            if rank == place[0]:
                more = f"{more} AND happened <= ? AND (happened < ? OR (queue.run, queue.n) > (?, ?))"
                given = [*given, place[1], place[1], place[2], place[3]]
            sql = _LISTED.format(where=more, limit=PAGE + 1)
            rows += [msgspec.convert(dict(row), Listed) for row in store.rows(sql, given)]
        rows.sort(key=lambda row: (-row.happened, row.run, row.n))
        found += rows
    return found[: PAGE + 1]


def known(store: Store, scope: Scope, keys: str) -> list[Listed]:
    """The findings that an open page shows already (`4/1,4/2`), as they stand now, whatever the filters say."""
    named = re.findall(r"(?<![\d/])(\d{1,15})/(\d{1,15})(?![\d/])", keys[: 30 * MOST_KNOWN])[:MOST_KNOWN]
    rows = [store.rows(f"{_ROWS} WHERE queue.run = ? AND queue.n = ?", [int(run), int(n)]) for run, n in named]
    found = [msgspec.convert(dict(row[0]), Listed) for row in rows if row]
    return [each for each in found if not scope.tables or each.table_name in scope.tables]


def _place(cursor: str) -> tuple[int, float, int, int]:
    try:
        rank, happened, run, n = cursor.split(":")
        numbers = int(rank), int(run), int(n)
        if max(map(abs, numbers)) > 2**53:
            raise ValueError("not a place that we gave out")
        return numbers[0], float(happened), numbers[1], numbers[2]
    except ValueError:
        return -1, 0.0, 0, 0  # before everything


def count(store: Store, scope: Scope) -> int:
    """How many there are, up to `COUNT_UP_TO` + 1: beyond that the exact number helps nobody."""
    where, values = scope.conditions()
    found = 0
    for rank, states, tables in scope.slices():
        for state, table in itertools.product(states, tables):
            more, given = where, [state, rank, *values]
            if table is not None:
                more, given = f"{more} AND queue.table_name = ?", [*given, table]
            rest = COUNT_UP_TO + 1 - found
            sql = f"SELECT count(*) FROM (SELECT 1 FROM queue WHERE state = ? AND rank = ?{more} LIMIT {rest})"
            found += int(store.rows(sql, given)[0][0])
    return found


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """What can be filtered by: what there is in the room."""

    tables: list[str]
    games: list[str]
    kinds: list[str]
    dealers: list[str]


# Steps from one value to the next in the index, however many findings there are of each.
_STEPS = """
WITH RECURSIVE each (value) AS (
    SELECT min({column}) FROM queue WHERE {column} IS NOT NULL
    UNION ALL
    SELECT (SELECT min(queue.{column}) FROM queue WHERE queue.{column} > each.value) FROM each WHERE value IS NOT NULL
) SELECT value FROM each WHERE value IS NOT NULL LIMIT 500
"""


def choices(store: Store, tables: tuple[str, ...]) -> Choices:
    """The tables, games, kinds and dealers that there are, of the tables that one may see."""
    if tables:
        places = ", ".join("?" * len(tables))
        rows = store.rows(f"SELECT DISTINCT rulebook, kind, dealer FROM queue WHERE table_name IN ({places})", tables)
        games, kinds, dealers = ({row[name] for row in rows} - {None} for name in ("rulebook", "kind", "dealer"))
        return Choices(tables=sorted(tables), games=sorted(games), kinds=sorted(kinds), dealers=sorted(dealers))
    return Choices(
        tables=[row[0] for row in store.rows("SELECT DISTINCT table_name FROM runs ORDER BY 1")],
        games=[row[0] for row in store.rows("SELECT DISTINCT rulebook FROM runs ORDER BY 1")],
        kinds=[row[0] for row in store.rows(_STEPS.format(column="kind"))],
        dealers=[row[0] for row in store.rows(_STEPS.format(column="dealer"))],
    )
