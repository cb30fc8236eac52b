"""A site that is watched: a rehearsal from a file, workers that are killed, watches that are stopped and taken up."""

import functools
import json
import multiprocessing
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from live_site import Post, film_reader, make_site, paid_short
from paper_table import TABLE, Film
from playing import SHORT, written

from auditor.chain import Keys
from auditor.health import SiteHealth
from auditor.log import FairdealError, Feed
from auditor.log_reader import LogReader
from auditor.pipeline_site import load_site
from auditor.pipeline_watch import watch_site
from auditor.store import Store


@pytest.fixture
def film() -> tuple[Path, Film]:
    return paid_short()


@pytest.fixture
def post() -> Iterator[Post]:
    post = Post(answers=(500,))
    yield post
    post.close()


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
    assert lines[0].startswith(f"watching {site.tables[0].file.table}; health at http://127.0.0.1:{site.health_port}/")
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


@pytest.mark.parametrize(
    ("site", "problems"),
    [
        ('room = "r.db"', ["`tables` is missing"]),
        ('room = ""\ntables = []\nfloor = 3', ["room: ", "tables: ", "`floor` is not known"]),
        ('room = "r.db"\ntables = ["no.toml"]\n[alerts]\nwebhook = { url = "ftp://x" }', [":4: alerts.webhook.url"]),
        ('room = "r.db"\ntables = ["no.toml"]', ["no.toml: No such file"]),
        ('room = "r.db"\ntables = ["t.toml"]', ["camera 'table' has no `source`"]),
        ('room = "r.db"\ntables = ["h.toml"]', ["house.min: ", "unknown field mx", "has no `source`"]),
    ],
)
def test_all_that_is_wrong_with_a_site_is_said_at_once(tmp_path: Path, site: str, problems: list[str]) -> None:
    (tmp_path / "t.toml").write_bytes(TABLE)
    (tmp_path / "h.toml").write_bytes(TABLE.replace(b"[chips]", b"[house]\nmin = -1\nmx = 5\n[chips]"))
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
