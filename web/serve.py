"""Serving a room's site with waitress, on this machine alone unless told otherwise."""

import datetime
import ipaddress
import logging
import os
import tempfile
import zoneinfo
import webbrowser
from collections.abc import Callable
from pathlib import Path

import click
import waitress
from flask import Flask
from waitress.server import BaseWSGIServer, MultiSocketServer

from auditor.chain import Keys
from auditor.log import FairdealError
from auditor.store import Store
from web.app import create_app
from web.live import MOST_LISTENERS
from web.people import invite, is_empty

LOCAL_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
DEMO_PORTS, DEMO_ZONE = range(8080, 8100), "Australia/Sydney"
THREADS = MOST_LISTENERS + 16  # everybody who listens for news holds one


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _zone(name: str | None) -> datetime.tzinfo | None:
    try:
        return zoneinfo.ZoneInfo(name) if name else None
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        raise FairdealError(f"--zone: there is no zone {name!r} (as in Australia/Sydney)") from None


def _browser(address: str) -> None:
    """Open an address where there is a screen to open it on."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)


def _bound(app: Flask, host: str, port: int) -> MultiSocketServer | BaseWSGIServer:
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a busy moment is not worth a line
    try:
        return waitress.create_server(app, host=host, port=port, threads=THREADS, ident="")
    except OSError as error:
        raise FairdealError(f"cannot serve at {host}:{port}: {error.strerror or error}") from None
    except ValueError:  # waitress has asked for the name's addresses, and there are none
        raise FairdealError(f"cannot serve at {host}:{port}: --host is no address of this machine") from None


def serve_room(
    room: Path, keys: Path | None, *, host: str, port: int, zone: str | None = None, texts: Path | None = None,
    open_with: Callable[[str], None] | None = None,
) -> None:  # fmt: skip
    """Serve until Ctrl-C."""
    hosts = LOCAL_HOSTS if _is_local(host) else None
    with Store.open(room, Keys(keys)) as store:
        app = create_app({"ROOM": room, "KEYS": keys, "ZONE": _zone(zone), "TEXTS": texts, "TRUSTED_HOSTS": hosts})
        server = _bound(app, host, port)
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        first = invite(store, "admin", "fairdeal") if is_empty(store) else None
    click.echo(f"{room}: the review site is at {address} (Ctrl-C ends it)")
    if first is not None:
        click.echo(f"Nobody has come to this room yet. The first person's one-time link: {address}/welcome/{first}")
    if not _is_local(host):
        click.echo("fairdeal: others can read along on plain HTTP: put a TLS proxy before the site", err=True)
    if open_with is not None:
        open_with(f"{address}/welcome/{first}" if first is not None else address)
    try:
        server.run()
    finally:
        app.extensions["pulse"].stop()
        server.close()


def serve_demo(furnish: Callable[[Store], None]) -> None:
    """Furnish a room that is gone afterwards, and serve it at a port that is free, in a browser if there is one."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-demo-") as name:
        room, keys = Path(name) / "room.db", Path(name) / "keys"
        with Store.open(room, Keys(keys), create=True) as store:
            furnish(store)
        for port in DEMO_PORTS:
            try:
                serve_room(room, keys, host="127.0.0.1", port=port, zone=DEMO_ZONE, open_with=_browser)
                return
            except FairdealError:
                if port == DEMO_PORTS[-1]:
                    raise
