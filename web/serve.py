"""Serving a room's site with waitress, on this machine alone unless told otherwise."""

import ipaddress
import logging
import tempfile
from collections.abc import Iterable
from pathlib import Path

import click
import waitress
from waitress.server import BaseWSGIServer, MultiSocketServer

from auditor.chain import Keys
from auditor.log import FairdealError
from auditor.store import Store
from web.app import create_app
from web.people import invite, is_empty

LOCAL_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
DEMO_PORTS = range(8080, 8100)


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _bound(room: Path, keys: Path | None, host: str, port: int) -> MultiSocketServer | BaseWSGIServer:
    app = create_app({"ROOM": room, "KEYS": keys, "TRUSTED_HOSTS": LOCAL_HOSTS if _is_local(host) else None})
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a busy moment is not worth a line
    try:
        return waitress.create_server(app, host=host, port=port, threads=8, ident="")
    except OSError as error:
        raise FairdealError(f"cannot serve at {host}:{port}: {error.strerror or error}") from None


def serve_room(room: Path, keys: Path | None, *, host: str, port: int) -> None:
    """Serve until Ctrl-C."""
    with Store.open(room, Keys(keys)) as store:
        server = _bound(room, keys, host, port)
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        first = invite(store, "admin", "fairdeal") if is_empty(store) else None
    click.echo(f"{room}: the review site is at {address} (Ctrl-C ends it)")
    if first is not None:
        click.echo(f"Nobody has come to this room yet. The first person's one-time link: {address}/welcome/{first}")
    if not _is_local(host):
        click.echo("fairdeal: others can read along on plain HTTP: put a TLS proxy before the site", err=True)
    try:
        server.run()
    finally:
        server.close()


def serve_demo(logs: Iterable[Path]) -> None:
    """Keep the demo's logs in a room that is gone afterwards, and serve it at a port that is free."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-demo-") as name:
        room, keys = Path(name) / "room.db", Path(name) / "keys"
        with Store.open(room, Keys(keys), create=True) as store:
            for path in logs:
                with path.open("rb") as stream, store.keeping(stream, path.name):
                    pass
        for port in DEMO_PORTS:
            try:
                serve_room(room, keys, host="127.0.0.1", port=port)
                return
            except FairdealError:
                if port == DEMO_PORTS[-1]:
                    raise
