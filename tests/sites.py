"""The review site for tests: a room, people, and browsers that are logged in."""

import re
import zoneinfo
from pathlib import Path

from argon2 import PasswordHasher
from flask import Flask
from flask.testing import FlaskClient
from rooms import furnish, opened
from werkzeug.test import TestResponse

from web import people
from web.app import create_app
from web.people import ROLES, Role, accept, invite

PASSWORD = "correct horse"
# As slow as argon2 should be, a hundred logins would take the tests minutes.
people._hasher = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
people._NOBODY = people._hasher.hash("nobody")


def site(folder: Path) -> Flask:
    """The site of a furnished room, with one person of each role."""
    room = furnish(folder)
    with opened(folder) as store:
        for role in ROLES:
            accept(store, invite(store, role, "fairdeal"), f"the {role}", PASSWORD)
    zone = zoneinfo.ZoneInfo("Australia/Sydney")
    return create_app({"ROOM": room, "KEYS": folder / "keys", "ZONE": zone, "TESTING": True})


def csrf(page: TestResponse) -> str:
    """The token of a page's form."""
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', page.text)
    assert found, page.text
    return found[1]


def log_in(client: FlaskClient, name: str, password: str = PASSWORD, target: str = "") -> TestResponse:
    """Log in as a person would."""
    page = client.get("/login")
    values = {"csrf": csrf(page), "name": name, "password": password, "next": target}
    return client.post("/login", data=values)


def browser(app: Flask, role: Role) -> FlaskClient:
    """A browser in which the person with that role is logged in."""
    client = app.test_client()
    assert log_in(client, f"the {role}").status_code == 303
    return client
