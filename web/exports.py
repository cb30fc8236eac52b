"""Evidence packs for people: one finding, or many at once, made while they wait and handed to the browser."""

import io
import zipfile

from flask import Blueprint, abort, current_app, request, send_file
from flask.typing import ResponseReturnValue

from auditor.exports import Export, export, finding_named
from auditor.log import FairdealError
from web.access import allowed, needs, person, store, table_of
from web.queries import finding_row

pages = Blueprint("exports", __name__)
MOST_AT_ONCE = 50


@pages.post("/exports")
@needs("supervisor")
def make() -> ResponseReturnValue:
    """The packs of the findings named; several come in one file, each sealed by itself."""
    named = request.form.getlist("finding")
    if not 0 < len(named) <= MOST_AT_ONCE:
        abort(400, f"Name 1 to {MOST_AT_ONCE} findings.")
    try:
        findings = [finding_named(each) for each in dict.fromkeys(named)]
    except FairdealError as error:
        abort(400, str(error))
    for run, n in findings:
        allowed(table_of(run), "finding")
        if finding_row(store(), run, n) is None:
            abort(404, "There is no such finding.")
    texts = current_app.config["TEXTS"]
    packs = [export(store(), run, n, who=person().name, texts=texts) for run, n in findings]
    name, content = (packs[0].name, packs[0].content) if len(packs) == 1 else ("packs.zip", _together(packs))
    return send_file(io.BytesIO(content), mimetype="application/zip", as_attachment=True, download_name=name)


def _together(packs: list[Export]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for pack in packs:
            archive.writestr(pack.name, pack.content)
    return out.getvalue()
