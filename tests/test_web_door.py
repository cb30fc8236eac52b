"""The door: nobody comes in unless let in, and nothing is done for somebody who did not ask for it."""

import re
from pathlib import Path

import pytest
from flask import Flask
from rooms import opened
from sites import PASSWORD, browser, csrf, log_in, site
from werkzeug.test import TestResponse

from auditor.log import FairdealError
from web.access import PUBLIC
from web.app import create_app
from web.people import ROLES, Role, invite
from web.serve import serve_room

PAGES = ("/queue", "/findings/1/1", "/tables", "/table?name=T-1&game=act-blackjack", "/rounds/1/1", "/people", "/")
DECISION = "/findings/1/1/decisions"


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return site(tmp_path)


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """For tests that change nothing: one site for all of them."""
    return site(tmp_path_factory.mktemp("still"))


def decide(client_page: TestResponse, **values: str) -> dict[str, str]:
    return {"csrf": csrf(client_page), "decision": "confirm", "seen": "0", "note": ""} | values


# ---- who -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES)
def test_a_stranger_is_sent_to_the_log_in(still: Flask, path: str) -> None:
    answer = still.test_client().get(path)
    assert answer.status_code == 302
    assert answer.location.startswith("/login?next=")


def addresses(app: Flask, method: str) -> list[tuple[str, str]]:
    """Every address of the site, with its endpoint: a page that is added later is tried too."""
    rules = [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]
    return [(str(rule.endpoint), re.sub(r"<[^>]+>", "1", rule.rule)) for rule in rules]


def test_no_address_at_all_answers_a_stranger(still: Flask) -> None:
    client = still.test_client()
    for endpoint, path in addresses(still, "GET"):
        if endpoint not in PUBLIC:
            answer = client.get(path)
            assert (answer.status_code, answer.location.partition("?")[0]) == (302, "/login"), path
    for _, path in addresses(still, "POST"):
        assert client.post(path).status_code == 400, path  # without a page's token
        if path not in ("/login", "/welcome/1"):
            assert client.post(path, data={"csrf": csrf(client.get("/login"))}).status_code == 403, path


@pytest.mark.parametrize("value", ["'; DROP TABLE findings; --", "1 OR 1=1", "\0", "9" * 400, "%", "♠", "../.."])
def test_no_parameter_breaks_a_page(still: Flask, value: str) -> None:
    client = browser(still, "admin")
    names = ("name", "game", "page", "after", "known", "rows", "part", "day", "since", "state", "dealer", "next")
    for endpoint, path in addresses(still, "GET"):
        if endpoint not in ("static", "live.live"):
            assert client.get(path, query_string=dict.fromkeys(names, value)).status_code < 500, path


def test_a_stranger_learns_not_even_which_addresses_exist(still: Flask) -> None:
    assert still.test_client().get("/findings/999/1").status_code == 302
    assert still.test_client().get("/nowhere").status_code == 403


def test_logging_in_leads_back_to_the_page_asked_for(still: Flask) -> None:
    answer = log_in(still.test_client(), "the viewer", target="/findings/1/1")
    assert (answer.status_code, answer.location) == (303, "/findings/1/1")


@pytest.mark.parametrize("target", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_logging_in_never_leads_to_another_site(still: Flask, target: str) -> None:
    assert log_in(still.test_client(), "the viewer", target=target).location == "/queue"


def test_names_are_not_told_apart_from_passwords(app: Flask) -> None:
    answers = [log_in(app.test_client(), name, "wrong password") for name in ("the viewer", "nobody")]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].text.count("do not belong together") == answers[1].text.count("do not belong together") == 1


def test_guessing_is_slowed_down_even_for_who_guesses_right_in_the_end(app: Flask) -> None:
    client = app.test_client()
    codes = [log_in(client, "the admin", f"guess number {n}").status_code for n in range(6)]
    assert codes == [403] * 5 + [429]
    assert log_in(client, "the admin").status_code == 429
    assert log_in(app.test_client(), "the viewer").status_code == 303


def test_guessing_at_many_names_from_one_address_is_slowed_down_too(app: Flask) -> None:
    client = app.test_client()
    codes = [log_in(client, f"name {n}", "wrong password").status_code for n in range(31)]
    assert (codes[29], codes[30]) == (403, 429)


def test_a_whole_shift_may_come_from_one_address(app: Flask) -> None:
    assert {log_in(app.test_client(), "the viewer").status_code for _ in range(31)} == {303}


def test_a_token_from_before_the_log_in_is_worth_nothing_after_it(app: Flask) -> None:
    """Session fixation: an attacker who planted the cookie does not share the session."""
    client = app.test_client()
    client.set_cookie("fairdeal", "planted")
    assert log_in(client, "the admin").status_code == 303
    cookie = client.get_cookie("fairdeal")
    assert cookie is not None
    assert cookie.value != "planted"
    attacker = app.test_client()
    attacker.set_cookie("fairdeal", "planted")
    assert attacker.get("/queue").status_code == 302


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(still: Flask) -> None:
    answer = log_in(still.test_client(), "the viewer")
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_after_logging_out_the_cookie_opens_nothing(app: Flask) -> None:
    client = browser(app, "viewer")
    cookie = client.get_cookie("fairdeal")
    assert cookie is not None
    client.post("/logout", data={"csrf": csrf(client.get("/queue"))})
    client.set_cookie("fairdeal", cookie.value)
    assert client.get("/queue").status_code == 302


def test_passwords_and_tokens_are_nowhere_in_the_room(app: Flask) -> None:
    client = browser(app, "viewer")
    cookie = client.get_cookie("fairdeal")
    assert cookie is not None
    room = Path(app.config["ROOM"])
    content = b"".join(path.read_bytes() for path in room.parent.glob("room.db*"))
    assert PASSWORD.encode() not in content
    assert cookie.value.encode() not in content
    assert b"$argon2id$" in content


# ---- what each role may --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ROLES)
def test_forced_browsing_does_not_raise_a_role(app: Flask, role: Role) -> None:
    client = browser(app, role)
    token = csrf(client.get("/queue"))
    may = ROLES.index(role)
    assert client.post(DECISION, data=decide(client.get("/queue"))).status_code == (303 if may >= 1 else 403)
    assert client.get("/people").status_code == (200 if may == 3 else 403)
    invitation = client.post("/people/invitations", data={"csrf": token, "role": "admin"})
    assert invitation.status_code == (200 if may == 3 else 403)
    assert client.post("/people/1/shut-out", data={"csrf": token}).status_code == (303 if may == 3 else 403)


def test_a_viewer_sees_no_buttons(still: Flask) -> None:
    page = browser(still, "viewer").get("/findings/1/1")
    assert page.status_code == 200
    assert "Confirm" not in page.text


def test_who_is_shut_out_is_out_at_once(app: Flask) -> None:
    viewer, admin = browser(app, "viewer"), browser(app, "admin")
    admin.post("/people/1/shut-out", data={"csrf": csrf(admin.get("/people"))})
    assert viewer.get("/queue").status_code == 302
    assert log_in(app.test_client(), "the viewer").status_code == 403


def test_an_administrator_cannot_lock_everybody_out(app: Flask) -> None:
    admin = browser(app, "admin")
    assert admin.post("/people/4/shut-out", data={"csrf": csrf(admin.get("/people"))}).status_code == 400


# ---- CSRF ----------------------------------------------------------------------------------------------------------

POSTS = ("/login", "/logout", DECISION, "/people/invitations", "/people/1/shut-out")


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("token", [None, "", "0" * 64, "é"])
def test_a_post_without_the_page_s_token_is_refused(still: Flask, path: str, token: str | None) -> None:
    client = browser(still, "admin")
    values = {"decision": "confirm", "seen": "0", "role": "admin", "name": "the admin", "password": PASSWORD}
    answer = client.post(path, data=values if token is None else values | {"csrf": token})
    assert answer.status_code == 400
    with opened(Path(still.config["ROOM"]).parent) as store:
        assert store.reviews(1, 1) == []


def test_another_browser_s_token_is_refused(still: Flask) -> None:
    theirs = csrf(browser(still, "admin").get("/queue"))
    client = browser(still, "reviewer")
    assert client.post(DECISION, data=decide(client.get("/queue"), csrf=theirs)).status_code == 400


# ---- one-time links ------------------------------------------------------------------------------------------------


def test_a_one_time_link_works_once(app: Flask) -> None:
    with opened(Path(app.config["ROOM"]).parent) as store:
        link = f"/welcome/{invite(store, 'reviewer', 'the admin')}"
    client = app.test_client()
    values = {"csrf": csrf(client.get(link)), "name": "Lee", "password": "a long password", "again": "a long password"}
    assert client.post(link, data=values | {"again": "another"}).status_code == 400
    assert client.post(link, data=values | {"password": "short", "again": "short"}).status_code == 400
    assert client.post(link, data=values | {"name": "The Viewer"}).status_code == 400
    assert client.post(link, data=values).status_code == 303
    assert client.get("/queue").status_code == 200
    assert app.test_client().get(link).status_code == 404


def test_an_invented_link_is_none(still: Flask) -> None:
    assert still.test_client().get("/welcome/anything").status_code == 404


def test_the_invited_role_is_the_administrator_s_choice(app: Flask) -> None:
    admin = browser(app, "admin")
    token = csrf(admin.get("/people"))
    assert admin.post("/people/invitations", data={"csrf": token, "role": "owner"}).status_code == 400
    page = admin.post("/people/invitations", data={"csrf": token, "role": "viewer"})
    link = page.text.partition("http://localhost")[2].partition("<")[0]
    assert "a <strong>viewer</strong>" in app.test_client().get(link).text


# ---- from outside --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/login", "/nowhere", "/static/room.css", "/queue"])
def test_every_answer_lets_nothing_in_from_outside(still: Flask, path: str) -> None:
    headers = still.test_client().get(path, buffered=True).headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path", ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "....//app.py", "..\\app.py"]
)
def test_static_files_are_the_only_files(still: Flask, path: str) -> None:
    answer = still.test_client().get(f"/static/{path}")
    assert answer.status_code in (302, 403, 404)
    assert "create_app" not in answer.text


def test_a_body_that_is_too_large_is_refused(still: Flask) -> None:
    client = browser(still, "reviewer")
    values = decide(client.get("/queue"), note="x" * 100_000)
    assert client.post(DECISION, data=values).status_code == 413


def test_a_foreign_host_name_is_refused_where_only_this_machine_is_served(still: Flask) -> None:
    """DNS rebinding: a page of another site cannot make the browser talk to us under its own name."""
    local = create_app(still.config | {"TRUSTED_HOSTS": ["127.0.0.1", "localhost"]})
    assert local.test_client().get("/login").status_code == 200
    assert local.test_client().get("/login", headers={"Host": "evil.example"}).status_code == 400


def test_an_address_that_this_machine_has_not_is_told_in_one_line(tmp_path: Path) -> None:
    with opened(tmp_path):
        pass
    with pytest.raises(FairdealError, match=r"cannot serve at 999\.1\.1\.1:8080: --host is no address"):
        serve_room(tmp_path / "room.db", tmp_path / "keys", host="999.1.1.1", port=8080)
