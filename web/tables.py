"""Tables and their rounds: every audited round can be opened; per table, how often what went wrong."""

import time

import msgspec
from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from auditor.feeds import Feed, feeds
from web import shift_queries, table_queries
from web.access import allowed, person, store, table_of
from web.payouts import hours_of
from web.round_view import round_view
from web.shift_queries import Where
from web.shown import zone
from web.table_queries import ROUNDS_PAGE, TableRow

pages = Blueprint("tables", __name__)
NEWEST_ROUNDS = 12


class Watched(msgspec.Struct, frozen=True, kw_only=True):
    """A table on the wall: its counts, its cameras, and the worst that is to be said of them."""

    table: TableRow
    feeds: list[tuple[Feed, str]]

    @property
    def health(self) -> str:
        """`recorded` where nothing watches it now."""
        order = ("lost", "silent", "blocked", "live", "ended")
        states = {state for _, state in self.feeds}
        return next((state for state in order if state in states), "recorded")


def _at(each: Feed | TableRow) -> tuple[str, str]:
    return each.table_name, each.rulebook


@pages.get("/tables")
def tables() -> ResponseReturnValue:
    """All tables, with the health of their feeds: what a wall display shows. Troubled ones first."""
    now = time.time()
    known = [(each, each.health(now)) for each in feeds(store())]
    watched = [
        Watched(table=each, feeds=[feed for feed in known if _at(feed[0]) == _at(each)])
        for each in table_queries.tables(store(), person().tables)
    ]
    watched.sort(key=lambda each: each.health not in ("lost", "silent", "blocked"))
    return render_template("tables/tables.html", watched=watched, is_part="part" in request.args)


def _asked_table() -> TableRow:
    # The name stands in the query, not in the path: casinos may call a table «../4», browsers resolve that.
    name = request.args.get("name", "")
    allowed(name, "table")
    table = table_queries.table(store(), name, request.args.get("game", ""))
    if table is None:
        abort(404, "There is no such table.")
    return table


@pages.get("/table")
def table() -> ResponseReturnValue:
    """One table at one game."""
    found = _asked_table()
    name, game = found.table_name, found.rulebook
    kinds = table_queries.kinds_at(store(), name, game)
    where = Where(table=name, game=game)
    day = shift_queries.newest_day(store(), where, zone())
    played = shift_queries.by_table(store(), where, day) if day else []
    return render_template(
        "tables/table.html",
        table=found,
        feeds=[(each, each.health(time.time())) for each in feeds(store()) if _at(each) == (name, game)],
        day=day,
        hours=hours_of(day, played) if day else {},
        played=played[0].hours if played else {},
        dealers=shift_queries.by_dealer(store(), where, day) if day else [],
        kinds=kinds,
        most=max((each.breaches + each.unsure for each in kinds), default=1),
        days=table_queries.days_at(store(), name, game),
        rounds=table_queries.rounds_at(store(), name, game, 0, NEWEST_ROUNDS)[:NEWEST_ROUNDS],
    )


@pages.get("/rounds")
def rounds() -> ResponseReturnValue:
    """The rounds of one table, the newest first."""
    found = _asked_table()
    page = request.args.get("page", "0")
    number = int(page) if page.isascii() and page.isdigit() and len(page) < 7 else 0
    listed = table_queries.rounds_at(store(), found.table_name, found.rulebook, number)
    return render_template(
        "tables/rounds.html",
        table=found,
        rounds=listed[:ROUNDS_PAGE],
        page=number,
        is_more=len(listed) > ROUNDS_PAGE,
    )


@pages.get("/rounds/<int:run>/<int:n>")
def round(run: int, n: int) -> ResponseReturnValue:
    """One round."""
    allowed(table_of(run), "round")
    view = round_view(store(), run, n)
    if view is None:
        abort(404, "There is no such round.")
    return render_template("tables/round.html", view=view)
