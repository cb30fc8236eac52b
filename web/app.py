"""The review site, put together: blueprints, the door, and headers that let nothing in from outside."""

import secrets
from collections.abc import Mapping
from typing import Any

from flask import Flask, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, SecurityError
from werkzeug.routing import IntegerConverter, Map
from werkzeug.wrappers import Response

from auditor.log import FairdealError
from web import access, exports, findings, footage, live, payouts, people_pages, queue, shown, tables, wheels

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def create_app(config: Mapping[str, Any]) -> Flask:
    """The site of one room. `ROOM` is its path, `KEYS` the folder of its key (None: the usual one),
    `ZONE` the casino's zone (None: this machine's), `TEXTS` a folder with its copies of the official texts."""
    app = Flask(__name__)
    app.config.from_mapping(
        KEYS=None,
        ZONE=None,
        TEXTS=None,
        MAX_CONTENT_LENGTH=64 * 1024,
        CSRF_SECRET=secrets.token_bytes(32),
    )
    app.config.from_mapping(config)
    app.url_map.converters["int"] = _RowNumber
    access.guard(app)
    shown.teach(app)
    footage.prepare(app)
    live.prepare(app)
    for module in (queue, findings, tables, payouts, wheels, footage, exports, live, people_pages):
        app.register_blueprint(module.pages)
    app.add_url_rule("/", "home", _home)
    app.after_request(_with_headers)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(FairdealError, _room_error)
    return app


class _RowNumber(IntegerConverter):
    """A number that the database can hold; any other is no address of ours."""

    def __init__(self, map: Map) -> None:
        super().__init__(map, max=2**53)


def _home() -> ResponseReturnValue:
    return redirect(url_for("queue.queue"))


def _with_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    is_static = request.endpoint == "static"
    response.headers["Cache-Control"] = "no-cache" if is_static else "no-store"
    return response


def _http_error(error: HTTPException) -> ResponseReturnValue:
    if error.response is not None:  # a redirect
        return error.response
    if isinstance(error, SecurityError):
        return "This is not the name of this site.\n", 400, {"Content-Type": "text/plain; charset=utf-8"}
    return _told(error.description or error.name, error.code or 500)


def _room_error(error: FairdealError) -> ResponseReturnValue:
    return _told(f"The room cannot do that now: {error}", 503)


def _told(problem: str, code: int) -> ResponseReturnValue:
    if request.accept_mimetypes.best == "application/json":
        return {"problem": problem}, code
    g.setdefault("person", None)
    return render_template("error.html", problem=problem, code=code), code
