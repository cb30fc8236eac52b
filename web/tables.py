"""Tables and their rounds: every audited round can be opened; per table, how often what went wrong."""

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from web import table_queries
from web.access import store
from web.round_view import round_view
from web.table_queries import ROUNDS_PAGE, TableRow

pages = Blueprint("tables", __name__)


@pages.get("/tables")
def tables() -> ResponseReturnValue:
    """All tables."""
    return render_template("tables/tables.html", tables=table_queries.tables(store()))


def _asked_table() -> TableRow:
    # The name stands in the query, not in the path: casinos may call a table «../4», browsers resolve that.
    table = table_queries.table(store(), request.args.get("name", ""), request.args.get("game", ""))
    if table is None:
        abort(404, "There is no such table.")
    return table


@pages.get("/table")
def table() -> ResponseReturnValue:
    """One table at one game."""
    found = _asked_table()
    kinds = table_queries.kinds_at(store(), found.table_name, found.rulebook)
    most = max((each.breaches + each.unsure for each in kinds), default=1)
    rounds = table_queries.rounds_at(store(), found.table_name, found.rulebook, 0)[:12]
    return render_template("tables/table.html", table=found, kinds=kinds, most=most, rounds=rounds)


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
    view = round_view(store(), run, n)
    if view is None:
        abort(404, "There is no such round.")
    return render_template("tables/round.html", view=view)
