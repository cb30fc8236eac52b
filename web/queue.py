"""The review queue: what waits for a decision, worst and newest first."""

from urllib.parse import urlencode

import msgspec
from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from web import queries
from web.access import store
from web.queries import COUNT_UP_TO, PAGE, Filters
from web.round_view import finding_view

pages = Blueprint("queue", __name__)


@pages.get("/queue")
def queue() -> ResponseReturnValue:
    """The list, and the finding at its head."""
    room = store()
    filters = Filters.of(request.args)
    found = queries.listed(room, filters, request.args.get("after", ""))
    shown, more = found[:PAGE], found[PAGE:]
    asked = {name: value for name, value in msgspec.structs.asdict(filters).items() if value}
    number = queries.count(room, filters)
    return render_template(
        "queue/queue.html",
        filters=filters,
        choices=queries.choices(room),
        findings=shown,
        first=finding_view(room, shown[0].run, shown[0].n) if shown else None,
        number=f"{COUNT_UP_TO:,}+" if number > COUNT_UP_TO else f"{number:,}",
        next_page=urlencode(asked | {"after": shown[-1].cursor}) if more else None,
        is_later_page="after" in request.args,
        states=queries.STATES,
        verdicts=queries.VERDICTS,
    )
