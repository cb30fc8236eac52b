"""The finding page, and decisions about findings."""

from typing import cast, get_args

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from auditor.decisions import ConflictError, Decision
from auditor.retention import release
from web.access import allowed, needs, person, store, table_of
from web.queries import finding_row
from web.round_view import finding_view

pages = Blueprint("findings", __name__)
LONGEST_NOTE = 2000
NO_FINDING = "There is no such finding."


@pages.get("/findings/<int:run>/<int:n>")
def finding(run: int, n: int) -> ResponseReturnValue:
    """One finding; `?part` is the article alone, for the pane beside the queue."""
    allowed(table_of(run), "finding")
    shown = finding_view(store(), run, n)
    if shown is None:
        abort(404, NO_FINDING)
    template = "findings/_finding.html" if "part" in request.args else "findings/finding.html"
    return render_template(template, shown=shown, is_part="part" in request.args)


def _check(run: int, n: int, note: str) -> None:
    allowed(table_of(run), "finding")
    if len(note) > LONGEST_NOTE:
        abort(400, f"A note has at most {LONGEST_NOTE} characters.")
    if finding_row(store(), run, n) is None:
        abort(404, NO_FINDING)


@pages.post("/findings/<int:run>/<int:n>/decisions")
@needs("reviewer")
def decide(run: int, n: int) -> ResponseReturnValue:
    """Confirm, dismiss or undo. Scripts get JSON, forms are sent back to the finding."""
    decision, note, seen = (request.form.get(name, "") for name in ("decision", "note", "seen"))
    if decision not in get_args(Decision) or not (seen.isascii() and seen.isdigit()):
        abort(400, "A decision is confirm, dismiss or undo.")
    _check(run, n, note)
    try:
        review = store().decide(
            run, n, who=person().name, decision=cast(Decision, decision), note=note.strip(), seen=int(seen)
        )
    except ConflictError as error:
        abort(409, f"{str(error)[0].upper()}{str(error)[1:]}.")
    if request.accept_mimetypes.best == "application/json":
        return {"state": review.state, "review": review.id}
    return redirect(url_for("findings.finding", run=run, n=n), code=303)


@pages.post("/findings/<int:run>/<int:n>/release")
@needs("supervisor")
def let_go(run: int, n: int) -> ResponseReturnValue:
    """Let the incident's footage go when its routine days are over."""
    note = request.form.get("note", "")
    _check(run, n, note)
    release(store(), run, n, who=person().name, note=note.strip())
    return redirect(url_for("findings.finding", run=run, n=n), code=303)
