"""The door: every request belongs to a person, every POST to a page of ours. Closed unless opened."""

import functools
import hmac
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from typing import ParamSpec, TypeVar, cast

from flask import Flask, abort, current_app, g, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import SecurityError
from werkzeug.wrappers import Response

from auditor.chain import Keys
from auditor.store import Store
from web.people import Person, Role, person_of

COOKIE = "fairdeal"
PUBLIC = frozenset({"static", "people.log_in", "people.welcome"})
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


def store() -> Store:
    """The room, open for this request."""
    if "store" not in g:
        g.stack = ExitStack()
        opening = Store.open(current_app.config["ROOM"], Keys(current_app.config["KEYS"]))
        g.store = g.stack.enter_context(opening)
    return cast(Store, g.store)


def person() -> Person:
    """Who is asking."""
    if g.person is None:
        abort(403)
    return cast(Person, g.person)


def allowed(table: str | None, what: str) -> None:
    """Somebody who is kept to other tables is told what a stranger to the address is told: it is not there."""
    if table is None or not person().sees(table):
        abort(404, f"There is no such {what}.")


def table_of(run: int) -> str | None:
    """The table a log was kept of."""
    return next((str(row[0]) for row in store().rows("SELECT table_name FROM runs WHERE id = ?", [run])), None)


def token() -> str:
    """The token that this browser's cookie carries; a fresh one if it has none."""
    if "token" not in g:
        g.token = request.cookies.get(COOKIE) or secrets.token_urlsafe(32)
    return cast(str, g.token)


def csrf_token() -> str:
    """What a form must bring along: it can only be made from the cookie, which no other site can read."""
    secret = cast(bytes, current_app.config["CSRF_SECRET"])
    return hmac.digest(secret, token().encode(), "sha256").hex()


def needs(role: Role) -> Callable[[Callable[Parameters, Answer]], Callable[Parameters, Answer]]:
    """A page for people with that role, or one above it."""

    def guarded(view: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
        @functools.wraps(view)
        def checked(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Answer:
            if not person().may(role):
                abort(403, f"Only a {role} may do that.")
            return view(*args, **kwargs)

        return checked

    return guarded


def _let_in() -> ResponseReturnValue | None:
    g.person = None
    if isinstance(request.routing_exception, SecurityError):
        raise request.routing_exception  # asked for under a name that is not ours
    if request.endpoint == "static":
        return None
    if request.method not in _SAFE_METHODS and not hmac.compare_digest(
        request.form.get("csrf", "").encode(), csrf_token().encode()
    ):
        abort(400, "This page is from before: reload it and try again.")
    if COOKIE in request.cookies:
        g.person = person_of(store(), token())
    if g.person is None and request.endpoint not in PUBLIC:
        if request.method not in _SAFE_METHODS or request.endpoint is None:
            abort(403)
        return redirect(url_for("people.log_in", next=request.full_path.rstrip("?")))
    return None


def _with_cookie(response: Response) -> Response:
    if request.endpoint != "static" and "token" in g and request.cookies.get(COOKIE) != g.token:
        set_cookie(response, g.token)
    return response


def set_cookie(response: Response, value: str) -> None:
    """Hand the browser its token: for this site alone, out of reach of scripts."""
    response.set_cookie(COOKIE, value, httponly=True, samesite="Strict", secure=request.is_secure)


def _close(_: BaseException | None = None) -> None:
    if "stack" in g:
        g.stack.close()


def guard(app: Flask) -> None:
    """Put the door in."""
    app.before_request(_let_in)
    app.after_request(_with_cookie)
    app.teardown_request(_close)
    app.jinja_env.globals["csrf_token"] = csrf_token
