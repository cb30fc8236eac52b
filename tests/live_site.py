"""A site for tests: a film of one round, a table file that names it, and the other end of its webhook."""

import atexit
import functools
import json
import shutil
import socket
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from paper_table import DEALER, PLAYER_3, TABLE, Film, FilmReader, PaperTable

from vision.camera import View
from vision.table_file import TableFile

SITE = """
tables = ["t.toml"]
room = "room.db"
keys = "keys"
health_port = {health}
[ring]
segment_s = 3
[alerts]
webhook = {{ url = "http://127.0.0.1:{port}/alerts" }}
"""


def film_reader(states: list[PaperTable], view: View, table: TableFile) -> FilmReader:
    """What a worker in its own process reads a film with."""
    return FilmReader(states)


@functools.cache
def paid_short() -> tuple[Path, Film]:
    """A round that is paid short (10 is due on 10, 5 is paid), and the first wager of the next."""
    film = Film()
    spot = film.zone("box3/main")
    film.reach(PLAYER_3, spot.at)
    film.paper.chips["box3/main"] = ("red", "red")
    film.withdraw()
    for label, box, right in (("Ts", "box3", -20), ("9c", "dealer", -60), ("9d", "box3", 8), ("8c", "dealer", -20)):
        film.reach(DEALER, film.zone(box).at, 0.2)
        film.paper.lay(film.zone(box), label, right)
        film.withdraw()
    film.reach(DEALER, spot.at)
    film.paper.chips["box3/main"] = ("red",) * 3
    film.withdraw()
    film.reach(PLAYER_3, spot.at)
    film.paper.chips.pop("box3/main")
    film.withdraw()
    for box in ("box3", "dealer"):
        film.reach(DEALER, film.zone(box).at, 0.2)
        film.paper.cards[box] = []
        film.withdraw()
    film.reach(PLAYER_3, spot.at)
    film.paper.chips["box3/main"] = ("red",)
    film.withdraw()
    film.still(0.6)
    path = Path(tempfile.mkdtemp(prefix="fairdeal-film-")) / "footage.mp4"
    atexit.register(shutil.rmtree, path.parent, ignore_errors=True)
    film.save(path)
    return path, film


class Post:
    """A webhook's other end; `answers` are the first statuses it gives, then 200."""

    def __init__(self, answers: tuple[int, ...] = ()) -> None:
        self.received: list[tuple[float, dict[str, object]]] = []
        waiting = list(answers)
        post = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = waiting.pop(0) if waiting else 200
                if status == 200:
                    post.received.append((time.time(), json.loads(body)))
                self.send_response(status)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def make_site(folder: Path, source: Path | str, post: Post) -> Path:
    (folder / "t.toml").write_bytes(TABLE.replace(b'name = "table"', f'name = "table"\nsource = "{source}"'.encode()))
    (folder / "SITE.toml").write_text(SITE.format(port=post.port, health=free_port()))
    return folder / "SITE.toml"
