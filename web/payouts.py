"""Payouts: what went wrong at which table in which hour, and with which dealer, for one day."""

import datetime

import msgspec
from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from web import shift_queries
from web.access import person, store
from web.shift_queries import Day, Sums, TableHours, Where
from web.shown import zone

pages = Blueprint("payouts", __name__)
MOST_ROWS = 30  # of tables and of dealers, unless all are asked for


class Hour(msgspec.Struct, frozen=True, kw_only=True):
    """An hour of the day: when it begins and ends, as filters of the queue are written."""

    name: str
    since: str
    until: str


def hours_of(day: Day, tables: list[TableHours]) -> dict[int, Hour]:
    """The hours from the first to the last in which anything was played."""
    played = {number for table in tables for number in table.hours}
    return {number: _hour(day, number) for number in range(min(played, default=0), max(played, default=-1) + 1)}


def _hour(day: Day, number: int) -> Hour:
    # Over UTC: on the days the clocks change, an hour later is not the next number on the clock.
    begins = day.start.astimezone(datetime.UTC) + datetime.timedelta(hours=number)
    since, until = (
        each.astimezone(day.zone) for each in (begins, begins + datetime.timedelta(minutes=59, seconds=59))
    )
    return Hour(name=f"{since:%H}", since=f"{since:%Y-%m-%dT%H:%M:%S}", until=f"{until:%Y-%m-%dT%H:%M:%S}")


@pages.get("/payouts")
def payouts() -> ResponseReturnValue:
    """One gaming day of all tables that one may see."""
    where = Where(tables=person().tables)
    day = _asked_day() or shift_queries.newest_day(store(), where, zone())
    tables = shift_queries.by_table(store(), where, day) if day else []
    dealers = shift_queries.by_dealer(store(), where, day) if day else []
    most = None if "all" in request.args else MOST_ROWS
    total = Sums()
    for each in tables:
        total.add(each)
    return render_template(
        "tables/payouts.html",
        day=day,
        hours=hours_of(day, tables) if day else {},
        tables=tables[:most],
        dealers=dealers[:most],
        others=(len(tables) - len(tables[:most]), len(dealers) - len(dealers[:most])),
        most=max((sums.moved for table in tables for sums in table.hours.values()), default=0) or 1,
        total=total,
    )


def _asked_day() -> Day | None:
    try:
        date = datetime.date.fromisoformat(request.args.get("day", ""))
        return Day(date=date, zone=zone()) if 1970 < date.year < 9999 else None
    except ValueError:
        return None  # no day, or none that there is: the newest
