"""The review queue: what waits for a decision, worst and newest first."""

from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from web import queue_queries
from web.access import person, store
from web.queue_queries import COUNT_UP_TO, PAGE, Filters, Scope
from web.round_view import finding_view
from web.shown import zone

pages = Blueprint("queue", __name__)
LONGEST_NAME, MOST_SAVED = 40, 30


@pages.get("/queue")
def queue() -> ResponseReturnValue:
    """The list, and the finding at its head; `?rows` is the list's items alone, for a page that is open already."""
    room = store()
    scope = Scope(filters=Filters.of(request.args), tables=person().tables, zone=zone())
    found = queue_queries.listed(room, scope, request.args.get("after", ""))
    shown, more = found[:PAGE], found[PAGE:]
    number = queue_queries.count(room, scope)
    told = f"{COUNT_UP_TO:,}+" if number > COUNT_UP_TO else f"{number:,}"
    if "rows" in request.args:
        known = queue_queries.known(room, scope, request.args.get("known", ""))
        return render_template(
            "queue/_rows.html", findings=shown, known=known, number=told, filters=scope.filters, is_alone=True
        )
    return render_template(
        "queue/queue.html",
        filters=scope.filters,
        choices=queue_queries.choices(room, person().tables),
        findings=shown,
        first=finding_view(room, shown[0].run, shown[0].n) if shown else None,
        number=told,
        next_page=urlencode(scope.filters.asked() | {"after": shown[-1].cursor}) if more else None,
        is_later_page="after" in request.args,
        saved=room.rows("SELECT name, query FROM saved_filters WHERE person = ? ORDER BY name", [person().id]),
        asked=urlencode(scope.filters.asked()),
        states=queue_queries.STATES,
        verdicts=queue_queries.VERDICTS,
    )


@pages.post("/queue/filters")
def save_filters() -> ResponseReturnValue:
    """Keep the filters of this page under a name, or forget a name."""
    name = " ".join(request.form.get("name", "").split())
    query = urlencode(Filters.of(request.form).asked())
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or len(query) > 2000:
        abort(400, f"A name for filters has 1 to {LONGEST_NAME} characters.")
    room, me = store(), person().id
    with room.writing() as connection:  # not chained: what somebody likes to look at first is nobody's business
        connection.execute("DELETE FROM saved_filters WHERE person = ? AND name = ?", [me, name])
        held = connection.execute("SELECT count(*) FROM saved_filters WHERE person = ?", [me]).fetchone()[0]
        if "forget" not in request.form and held < MOST_SAVED:
            connection.execute("INSERT INTO saved_filters VALUES (?, ?, ?)", [me, name, query])
    return redirect(f"{url_for('queue.queue')}?{query}", code=303)
