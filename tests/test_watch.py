"""A site that is watched: a rehearsal from files, cameras that fail, disks that refuse, alerts that must arrive."""

import functools
import json
import multiprocessing
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import av
import pytest

from auditor.chain import Keys
from auditor.health import SiteHealth
from auditor.log import FairdealError, Feed, LogReader
from auditor.pipeline_site import load_site
from auditor.pipeline_watch import watch_site
from auditor.store import Store
from paper_table import DEALER, PLAYER_3, TABLE, Film, FilmReader, PaperTable
from vision.camera import View
from vision.live import Order, Report, watch_camera
from vision.live_source import SiteClock
from vision.table_file import TableFile, read_table

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


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Film]:
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
    path = tmp_path_factory.mktemp("film") / "footage.mp4"
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


@pytest.fixture
def post() -> Iterator[Post]:
    post = Post(answers=(500,))
    yield post
    post.close()


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def make_site(folder: Path, source: Path | str, post: Post) -> Path:
    (folder / "t.toml").write_bytes(TABLE.replace(b'name = "table"', f'name = "table"\nsource = "{source}"'.encode()))
    (folder / "SITE.toml").write_text(SITE.format(port=post.port, health=free_port()))
    return folder / "SITE.toml"


def test_a_rehearsal_from_a_file(film: tuple[Path, Film], post: Post, tmp_path: Path) -> None:
    """Log, room, ring, alert and health, from a file that plays at its own pace."""
    site = load_site(make_site(tmp_path, film[0], post))
    healths: list[SiteHealth] = []
    lines: list[str] = []
    asked: list[dict[str, object]] = []

    def on_health(health: SiteHealth) -> None:
        healths.append(health)
        if not asked and health.cameras[0].state == "live":
            with urllib.request.urlopen(f"http://127.0.0.1:{site.health_port}/health.json") as answer:
                asked.append(json.load(answer))

    reader_of = functools.partial(film_reader, film[1].states)
    assert watch_site(site, threading.Event(), lines.append, reader_of=reader_of, on_health=on_health) == 1
    (log,) = site.logs.iterdir()
    with log.open("rb") as stream:
        kinds = [type(event).__name__ for event in LogReader(stream, log.name)]
    assert kinds.count("Card") == 4
    (alert,) = [each for _, each in post.received if each["what"] == "breach"]  # the first try was refused
    assert (alert["kind"], alert["at"], alert["round"]) == ("payout.short", "box3/main", 1)
    with Store.open_to_read(site.room, Keys(site.keys)) as store:
        assert store.rows("SELECT kind FROM findings")[0]["kind"] == "payout.short"
        assert len(store.rows("SELECT * FROM footage")) == len(list(site.footage.iterdir())) >= 3
        assert store.rows("SELECT state FROM feeds")[0]["state"] == "ended"
        assert store.verify() == []
    assert asked[0]["ok"] is True
    last = healths[-1].cameras[0]
    assert (last.frames, last.lost, last.reconnects) == (film[1].index, 0, 0)
    assert healths[-1].tables[0].breaches == 1


def test_a_watch_that_was_killed_is_taken_up_by_the_next(film: tuple[Path, Film], post: Post, tmp_path: Path) -> None:
    from playing import SHORT, written

    site = load_site(make_site(tmp_path, film[0], post))
    site.logs.mkdir(parents=True)
    broken_off = written("act-blackjack", SHORT + SHORT) + b'{"t":99,"e":"ca'
    (site.logs / "T-1.20261115T200000000Z.jsonl").write_bytes(broken_off)
    stopped = threading.Event()
    stopped.set()
    lines: list[str] = []
    watch_site(site, stopped, lines.append, reader_of=functools.partial(film_reader, film[1].states))
    assert any("its last line was broken off (15 bytes)" in line for line in lines)
    with Store.open_to_read(site.room, Keys(site.keys)) as store:
        assert len(store.rows("SELECT 1 FROM findings")) == 2
        assert store.verify() == []


def test_a_worker_that_is_killed_is_started_again_and_a_stop_loses_nothing(
    film: tuple[Path, Film], post: Post, tmp_path: Path
) -> None:
    site = load_site(make_site(tmp_path, film[0], post))
    stopped = threading.Event()
    healths: list[SiteHealth] = []

    def on_health(health: SiteHealth) -> None:
        healths.append(health)
        camera = health.cameras[0]
        if camera.restarts == 0 and camera.frames > 40:
            (worker,) = multiprocessing.active_children()
            worker.kill()
        if camera.restarts == 1 and camera.frames > 100:
            stopped.set()

    lines: list[str] = []
    reader_of = functools.partial(film_reader, film[1].states)
    watch_site(site, stopped, lines.append, reader_of=reader_of, on_health=on_health)
    assert healths[-1].cameras[0].state == "ended"
    assert healths[-1].cameras[0].frames < film[1].index
    (log,) = site.logs.iterdir()
    with log.open("rb") as stream:
        events = list(LogReader(stream, log.name))
    assert [event.state for event in events if isinstance(event, Feed)] == ["lost", "back"]
    assert events[-1].t > next(event.t for event in events if isinstance(event, Feed) and event.state == "back")
    told = [str(each["state"]) for _, each in post.received if each["what"] == "feed"]
    assert told == ["lost", "live"]
    with Store.open_to_read(site.room, Keys(site.keys)) as store:
        assert store.rows("SELECT count(*) FROM events")[0][0] == len(events)
        assert store.verify() == []


# ---- a camera that stalls ----------------------------------------------------------------------------------------


class Camera:
    """A camera behind HTTP: every caller gets the film's first seconds at its own pace, then silence; then it hangs."""

    def __init__(self, content: bytes, seconds: float, silence_s: float) -> None:
        self.calls = 0
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                camera.calls += 1
                self.send_response(200)
                self.end_headers()
                part = len(content) // 20 + 1
                try:
                    for number in range(20):
                        self.wfile.write(content[part * number : part * (number + 1)])
                        time.sleep(seconds / 20)
                    time.sleep(silence_s)
                except OSError:
                    pass

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/table.ts"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def as_stream(source: Path, target: Path) -> bytes:
    """A film as cameras send it."""
    with av.open(source) as film, av.open(target, "w", format="mpegts") as out:
        stream = out.add_stream_from_template(film.streams.video[0])
        for packet in film.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                out.mux(packet)
    return target.read_bytes()


def test_a_camera_that_stalls_is_told_of_within_five_seconds_and_called_again(
    film: tuple[Path, Film], tmp_path: Path
) -> None:
    camera = Camera(as_stream(film[0], tmp_path / "film.ts"), film[1].t, silence_s=30)
    table = read_table(TABLE, "t.toml")
    ours, theirs = multiprocessing.Pipe()
    clock = SiteClock()
    order = Order(
        table=table, camera=table.cameras[0], source=camera.url, clock=clock, ring=tmp_path / "ring", stem="T",
        segment_s=60,
    )  # fmt: skip
    reader_of: Callable[..., FilmReader] = functools.partial(film_reader, film[1].states)
    worker = threading.Thread(target=watch_camera, args=(order, theirs, reader_of))
    worker.start()
    seen: list[tuple[float, Report]] = []
    try:
        while clock.now() < 60 and [report.vitals.state for _, report in seen].count("lost") < 1 + camera.calls // 2:
            seen.append((clock.now(), ours.recv()))
        while clock.now() < 60 and seen[-1][1].vitals.state != "live":
            seen.append((clock.now(), ours.recv()))
    finally:
        ours.send("stop")
        while seen[-1][1].vitals.state != "ended":
            seen.append((clock.now(), ours.recv()))
        worker.join()
        camera.close()
    events = [event for _, report in seen for event in report.events]
    feeds = [event for event in events if type(event).__name__ == "Feed"]
    assert [each.state for each in feeds][:2] == ["lost", "back"]
    told_at = next(at for at, report in seen if any(event is feeds[0] for event in report.events))
    assert told_at - feeds[0].t < 5.0
    assert camera.calls >= 2
    assert seen[-1][1].vitals.reconnects >= 1
    assert [event.t for event in events] == sorted(event.t for event in events)
    assert len(list((tmp_path / "ring").glob("T.table.*.mkv"))) >= 2


@pytest.mark.parametrize(
    ("site", "problems"),
    [
        ('room = "r.db"', ["`tables` is missing"]),
        ('room = ""\ntables = []\nfloor = 3', ["room: ", "tables: ", "`floor` is not known"]),
        ('room = "r.db"\ntables = ["no.toml"]\n[alerts]\nwebhook = { url = "ftp://x" }', [":4: alerts.webhook.url"]),
        ('room = "r.db"\ntables = ["no.toml"]', ["no.toml: No such file"]),
        ('room = "r.db"\ntables = ["t.toml"]', ["camera 'table' has no `source`"]),
    ],
)
def test_all_that_is_wrong_with_a_site_is_said_at_once(tmp_path: Path, site: str, problems: list[str]) -> None:
    (tmp_path / "t.toml").write_bytes(TABLE)
    (tmp_path / "SITE.toml").write_text(site)
    with pytest.raises(FairdealError) as caught:
        load_site(tmp_path / "SITE.toml")
    assert all(problem in str(caught.value) for problem in problems), caught.value
    assert len(str(caught.value).splitlines()) == len(problems)


def test_a_port_that_is_taken_is_said_before_any_work(film: tuple[Path, Film], post: Post, tmp_path: Path) -> None:
    path = make_site(tmp_path, film[0], post)
    path.write_text(path.read_text().replace("health_port = ", f"health_port = {post.port} #"))
    with pytest.raises(FairdealError, match=f"health_port {post.port}"):
        watch_site(load_site(path), threading.Event(), print)
    assert not list((tmp_path / "live" / "logs").iterdir())
    assert not list((tmp_path / "live" / "ring").iterdir())
