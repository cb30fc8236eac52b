"""A camera that stalls: told of within five seconds, called again, and the log goes on in order."""

import functools
import multiprocessing
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import av
import pytest
from live_site import film_reader, paid_short
from paper_table import TABLE, Film, FilmReader

from auditor.log import Feed
from vision.live import Order, watch_camera
from vision.live_report import Report
from vision.live_source import SiteClock
from vision.table_file import read_table


PATIENCE_S = 120.0


@pytest.fixture
def film() -> tuple[Path, Film]:
    return paid_short()


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


def _feeds(seen: list[Report]) -> list[Feed]:
    return [event for report in seen for event in report.events if isinstance(event, Feed)]


def test_a_camera_that_stalls_is_told_of_and_called_again(
    film: tuple[Path, Film], tmp_path: Path
) -> None:
    camera = Camera(as_stream(film[0], tmp_path / "film.ts"), film[1].t, silence_s=30)
    table = read_table(TABLE, "t.toml")
    ours, theirs = multiprocessing.Pipe()
    order = Order(
        table=table, camera=table.cameras[0], source=camera.url, clock=SiteClock(), ring=tmp_path / "ring", stem="T",
        segment_s=60,
    )  # fmt: skip
    reader_of: Callable[..., FilmReader] = functools.partial(film_reader, film[1].states)
    worker = threading.Thread(target=watch_camera, args=(order, theirs, reader_of), daemon=True)
    worker.start()
    seen: list[Report] = []
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and not any(each.state == "back" for each in _feeds(seen)):
        if ours.poll(1.0):
            seen.append(ours.recv())
    ours.send("stop")
    while seen[-1].vitals.state != "ended":
        assert ours.poll(PATIENCE_S), "the worker fell silent"
        seen.append(ours.recv())
    worker.join(PATIENCE_S)
    camera.close()
    assert [each.state for each in _feeds(seen)][:2] == ["lost", "back"]
    states = [report.vitals.state for report in seen]
    # Told after two seconds of silence: before the connection itself is given up, which takes four.
    assert seen[states.index("lost")].vitals.reconnects == 0
    assert "live" in states[states.index("lost") :]
    assert camera.calls >= 2
    times = [event.t for report in seen for event in report.events]
    assert times == sorted(times)
    assert len(list((tmp_path / "ring").glob("T.table.*.mkv"))) >= 2
