"""What the pit manager asks of the room: mistakes and money by table and hour, and by dealer where the log names one.

The room counts by half hours as rounds and decisions come; what was dismissed is not in it. A gaming day begins at six
in the morning, when a casino is emptiest: an evening is not cut in two at midnight.
"""

import datetime
from collections.abc import Sequence

import msgspec

from auditor.store import Store

HALF_HOUR_S = 1800
DAY_BEGINS = datetime.time(6)


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """A gaming day in the casino's zone."""

    date: datetime.date
    zone: datetime.tzinfo

    @classmethod
    def of(cls, unix: float, zone: datetime.tzinfo) -> "Day":
        """The day that a moment belongs to."""
        moment = datetime.datetime.fromtimestamp(unix, zone)
        begins = datetime.timedelta(hours=DAY_BEGINS.hour)
        return cls(date=(moment - begins).date(), zone=zone)

    def beside(self, days: int) -> "Day":
        """So many days later."""
        return Day(date=self.date + datetime.timedelta(days=days), zone=self.zone)

    @property
    def start(self) -> datetime.datetime:
        """When it begins."""
        return datetime.datetime.combine(self.date, DAY_BEGINS, self.zone)

    def half_hours(self) -> tuple[int, int]:
        """Its first half hour since 1970, and the first of the next day."""
        return tuple(int(day.start.timestamp()) // HALF_HOUR_S for day in (self, self.beside(1)))  # type: ignore[return-value]


class Where(msgspec.Struct, frozen=True, kw_only=True):
    """Which tables: those one may see (none: all), or one table at one game."""

    tables: Sequence[str] = ()
    table: str = ""
    game: str = ""

    def condition(self) -> tuple[str, str, list[str]]:
        """What to look through in which order (CROSS keeps SQLite to it), the condition, and its parameters."""
        if not (self.table or self.tables):
            return "shifts CROSS JOIN runs ON runs.id = run", "1", []
        by_runs = "runs CROSS JOIN shifts ON run = runs.id"
        if self.table:
            return by_runs, "table_name = ? AND rulebook = ?", [self.table, self.game]
        return by_runs, f"table_name IN ({', '.join('?' * len(self.tables))})", list(self.tables)


class Sums(msgspec.Struct, kw_only=True):
    """What went wrong, and the money it moved, in cents."""

    rounds: int = 0
    breaches: int = 0
    unsure: int = 0
    overpaid: int = 0
    underpaid: int = 0

    def add(self, other: "Sums") -> None:
        """Take another in."""
        for name in Sums.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def breaches_per_1000(self) -> float:
        """Breaches per 1,000 rounds."""
        return 1000 * self.breaches / self.rounds if self.rounds else 0.0

    @property
    def moved(self) -> int:
        """All money that went where it should not."""
        return self.overpaid + self.underpaid


class TableHours(Sums, kw_only=True):
    """A table's day, hour by hour; hours in which nothing was played are not there."""

    table_name: str
    rulebook: str
    hours: dict[int, Sums]


class DealerRow(Sums, kw_only=True):
    """A dealer's day."""

    dealer: str


_SUMS = ", ".join(f"sum(shifts.{name}) AS {name}" for name in Sums.__struct_fields__)


def newest_day(store: Store, where: Where, zone: datetime.tzinfo) -> Day | None:
    """The last day on which anything was played."""
    source, condition, values = where.condition()
    sql = f"SELECT max(half_hour) AS last FROM {source} WHERE {condition}"
    if not values:
        sql = "SELECT max(half_hour) AS last FROM shifts"  # the index's end, without looking at every run
    last = store.rows(sql, values)[0]["last"]
    return None if last is None else Day.of(last * HALF_HOUR_S, zone)


def by_table(store: Store, where: Where, day: Day) -> list[TableHours]:
    """The tables that played on a day, by hours since it began; where the most money went wrong first."""
    source, condition, values = where.condition()
    first, end = day.half_hours()
    sql = f"""SELECT table_name, rulebook, (half_hour - ?) / 2 AS hour, {_SUMS} FROM {source}
              WHERE half_hour >= ? AND half_hour < ? AND {condition} GROUP BY table_name, rulebook, hour"""
    found: dict[tuple[str, str], TableHours] = {}
    for row in store.rows(sql, [first, first, end, *values]):
        name, rulebook = row["table_name"], row["rulebook"]
        sums = Sums(**{each: row[each] for each in Sums.__struct_fields__})
        table = found.setdefault((name, rulebook), TableHours(table_name=name, rulebook=rulebook, hours={}))
        table.hours[row["hour"]] = sums
        table.add(sums)
    return sorted(found.values(), key=lambda each: (-each.moved, -each.breaches, each.table_name))


def by_dealer(store: Store, where: Where, day: Day) -> list[DealerRow]:
    """The dealers that a day's logs name, the most often wrong first."""
    source, condition, values = where.condition()
    sql = f"""SELECT shifts.dealer, {_SUMS} FROM {source}
              WHERE half_hour >= ? AND half_hour < ? AND shifts.dealer != '' AND {condition} GROUP BY shifts.dealer"""
    rows = [msgspec.convert(dict(row), DealerRow) for row in store.rows(sql, [*day.half_hours(), *values])]
    return sorted(rows, key=lambda each: (-each.breaches_per_1000, each.dealer))
