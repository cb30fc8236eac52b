"""Logging in and out, one-time links, and the administrator's list of people."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from web import people
from web.access import needs, person, set_cookie, store, token
from web.attempts import BY_ADDRESS, BY_NAME, allow, forget, take_back
from web.people import ROLES, PeopleError, Person

pages = Blueprint("people", __name__)
ACTIVITY_ROWS = 100


def _own_path(path: str) -> str:
    """Where to go after logging in: a page of this site, whatever the address says."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if is_ours else url_for("queue.queue")


def _entered(who: Person, target: str) -> ResponseReturnValue:
    response = redirect(target, code=303)
    set_cookie(response, people.log_in(store(), who))
    return response


@pages.route("/login", methods=["GET", "POST"])
def log_in() -> ResponseReturnValue:
    """Name and password."""
    target = request.values.get("next", "")
    if request.method == "GET":
        return render_template("people/login.html", next=target, problem=None)
    name, address = request.form.get("name", "").strip(), request.remote_addr or ""
    key = f"{name.lower()[: people.LONGEST_NAME]} {address}"
    if not allow(store(), address, BY_ADDRESS) or not allow(store(), key, BY_NAME):
        problem = "Too many attempts. Wait five minutes."
        return render_template("people/login.html", next=target, problem=problem), 429
    who = people.authenticate(store(), name, request.form.get("password", ""))
    if who is None:
        store().note("somebody", "failed to log in", f"{name[: people.LONGEST_NAME]} from {address}")
        problem = "That name and password do not belong together."
        return render_template("people/login.html", next=target, problem=problem), 403
    forget(store(), key)
    take_back(store(), address)
    return _entered(who, _own_path(target))


@pages.post("/logout")
def log_out() -> ResponseReturnValue:
    """End this session."""
    people.log_out(store(), token(), person())
    response = redirect(url_for("people.log_in"), code=303)
    response.delete_cookie("fairdeal", httponly=True, samesite="Strict")
    return response


@pages.route("/welcome/<key>", methods=["GET", "POST"])
def welcome(key: str) -> ResponseReturnValue:
    """A one-time link: choose a name and a password."""
    invited = people.invitation(store(), key)
    if invited is None:
        abort(404, "This link was used already, or has expired. Ask for another one.")
    problem, code = None, 200
    if request.method == "POST":
        name, password, again = (request.form.get(each, "") for each in ("name", "password", "again"))
        try:
            if password != again:
                raise PeopleError("The two passwords differ.")
            return _entered(people.accept(store(), key, name, password), url_for("queue.queue"))
        except PeopleError as error:
            problem, code = str(error), 400
    least = people.SHORTEST_PASSWORD
    return render_template("people/welcome.html", invited=invited, problem=problem, least=least), code


@pages.get("/people")
@needs("admin")
def everybody() -> ResponseReturnValue:
    """Who has access, and what was done."""
    return _people_page()


@pages.post("/people/invitations")
@needs("admin")
def invite() -> ResponseReturnValue:
    """Make a one-time link; it is shown once, here."""
    role = request.form.get("role", "")
    if role not in ROLES:
        abort(400, "There is no such role.")
    tables = [each.strip() for each in request.form.get("tables", "").split(",") if each.strip()]
    known = {row[0] for row in store().rows("SELECT DISTINCT table_name FROM runs")}
    if set(tables) - known:
        abort(400, f"There is no table called {', '.join(sorted(set(tables) - known))}.")
    key = people.invite(store(), role, person().name, tables)
    return _people_page(link=url_for("people.welcome", key=key, _external=True), role=role)


@pages.post("/people/<int:id>/shut-out")
@needs("admin")
def shut_out(id: int) -> ResponseReturnValue:
    """Take somebody's access away."""
    try:
        people.shut_out(store(), id, person())
    except PeopleError as error:
        abort(400, str(error))
    return redirect(url_for("people.everybody"), code=303)


def _people_page(link: str | None = None, role: str = "") -> str:
    rows = store().rows("SELECT id, name, role, is_active, tables FROM people ORDER BY is_active DESC, name")
    activity = store().rows(f"SELECT at, who, what, detail FROM activity ORDER BY id DESC LIMIT {ACTIVITY_ROWS}")
    return render_template("people/people.html", people=rows, activity=activity, roles=ROLES, link=link, role=role)
