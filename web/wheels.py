"""A wheel over many spins: are its pockets fair, where does the ball drop, how fast is it spun."""

from collections.abc import Iterator

import msgspec
from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from auditor.log import AnyEvent, Ball, Spin
from auditor.store import Store
from auditor.wheel_plots import drop_plot, pocket_plot
from auditor.wheel_statistics import spins_of, statistics
from web.access import allowed, store
from web.table_queries import table

pages = Blueprint("wheels", __name__)
MOST_LOGS = 40
_decode = msgspec.json.Decoder(AnyEvent).decode


def _events(room: Store, name: str, game: str) -> Iterator[tuple[float, AnyEvent]]:
    """What happened on the wheel of a table's newest logs, the oldest of them first, with when each log began."""
    newest = "SELECT id, started_at FROM runs WHERE table_name = ? AND rulebook = ? ORDER BY started_at DESC LIMIT ?"
    for run in room.rows(newest, [name, game, MOST_LOGS])[::-1]:
        # Looked through as text first: of the lines of a log few are about the wheel.
        sql = "SELECT raw FROM events WHERE run = ? AND (raw LIKE '%\"spin\"%' OR raw LIKE '%\"ball\"%') ORDER BY n"
        for row in room.rows(sql, [run["id"]]):
            event = _decode(row["raw"])
            if isinstance(event, (Spin, Ball)):
                yield run["started_at"], event


@pages.get("/wheel")
def wheel() -> ResponseReturnValue:
    """The wheel of one table."""
    name, game = request.args.get("name", ""), request.args.get("game", "")
    allowed(name, "wheel")
    found = table(store(), name, game)
    answer = statistics(list(spins_of(_events(store(), name, game)))) if found else None
    if found is None or answer is None or answer.spins == 0:
        abort(404, "No spin of such a wheel has been kept.")
    # The plots hold numbers alone, nothing that anybody wrote.
    plots = {"pockets": Markup(pocket_plot(answer)), "drops": Markup(drop_plot(answer))}
    return render_template("tables/wheel.html", table=found, wheel=answer, plots=plots, most_logs=MOST_LOGS)
