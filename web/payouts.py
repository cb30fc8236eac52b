"""Payouts: what went wrong at which table in which hour, and with which dealer, for one day."""

import csv
import datetime
import io

import msgspec
from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue

from web import shift_queries
from web.access import person, store
from web.shift_queries import Day, Sums, TableHours, Where
from web.shown import zone

pages = Blueprint("payouts", __name__)
MOST_ROWS = 30  # of tables and of dealers, unless all are asked for
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of one


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
    where, day = _asked()
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


@pages.get("/payouts.csv")
def spreadsheet() -> ResponseReturnValue:
    """The same day for a spreadsheet: a row for every hour in which a table played."""
    where, day = _asked()
    if day is None:
        abort(404, "No round has been kept yet.")
    tables = shift_queries.by_table(store(), where, day)
    hours = hours_of(day, tables)
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(["table", "rulebook", "from", "until", *Sums.__struct_fields__])
    for table in sorted(tables, key=lambda each: (each.table_name, each.rulebook)):
        for number, sums in sorted(table.hours.items()):
            counts = (sums.rounds, sums.breaches, sums.unsure)
            amounts = (f"{cents / 100:.2f}" for cents in (sums.overpaid, sums.underpaid))
            hour = hours[number]
            rows.writerow([plain(table.table_name), table.rulebook, hour.since, hour.until, *counts, *amounts])
    name = f"payouts-{day.date}.csv"
    return Response(
        written.getvalue(), mimetype="text/csv", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def plain(text: str) -> str:
    """A name out of a log, as no spreadsheet takes it for a formula.

    >>> plain("BJ-04"), plain("=1+1")
    ('BJ-04', "'=1+1")
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def _asked() -> tuple[Where, Day | None]:
    """The tables that one may see, and the day asked for; without one, or one that there is not, the newest."""
    where = Where(tables=person().tables)
    try:
        date = datetime.date.fromisoformat(request.args.get("day", ""))
        if 1970 < date.year < 9999:
            return where, Day(date=date, zone=zone())
    except ValueError:
        pass
    return where, shift_queries.newest_day(store(), where, zone())
