"""Whether a full room keeps up: `python -m datasets.bench_room_live FOLDER [EVENTS_PER_S]`, after `bench_room`.

200 tables are watched by one process, which writes what they say between them, 2,000 events a second; the site is
served by another, as `fairdeal serve` does it; ten reviewers page through it. Prints one row and one line.
"""

import contextlib
import http.client
import io
import random
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from auditor.chain import Keys
from auditor.growing import Clerk, growing
from datasets.bench_room import TABLES, questions, session
from datasets.simulate import dealer_for, played
from web.access import COOKIE

LIVE_S, EVENTS_PER_S, REVIEWERS, LOOK_S = 30.0, 2000, 10, 1.0
FEWEST_EVENTS = 20  # of a round of blackjack


# ---- the tables --------------------------------------------------------------------------------------------------


class Paced(io.RawIOBase):
    """A log whose lines come when they are due: so many a second, from a moment on."""

    def __init__(self, lines: list[bytes], per_s: float, start: float) -> None:
        self._lines, self._gap_s, self._start = iter(lines), 1 / per_s, start
        self.read_lines = 0

    @property
    def last_due(self) -> float:
        """When the newest line came, if whoever reads was ready for it."""
        return self._start + (self.read_lines - 1) * self._gap_s

    def readline(self, size: int | None = -1, /) -> bytes:
        line = next(self._lines, b"")
        if line:
            self.read_lines += 1
            time.sleep(max(0.0, self.last_due - time.monotonic()))
        return line


def evening(number: int, lines: int) -> list[bytes]:
    """The log of one table, at most so long."""
    log, _ = played(dealer_for("act-blackjack", number), lines // FEWEST_EVENTS, {})
    return log.replace(b'"SIM-01"', f'"LIVE-{number}-{time.time_ns()}"'.encode()).splitlines(keepends=True)[:lines]


def watched(clerk: Clerk, stream: Paced, name: str, lags: list[float]) -> None:
    """One table that is being watched; how long after its last event each round was signed and on the disk."""
    with growing(clerk, cast(BinaryIO, stream), name) as kept:
        for _ in kept.audit.rounds:
            lags.append(time.monotonic() - stream.last_due)
    lags.append(time.monotonic() - stream.last_due)


def watching(folder: Path, events_per_s: int) -> None:
    """All tables, watched by this process."""
    per_s = events_per_s / TABLES
    logs = [evening(number, round(LIVE_S * per_s)) for number in range(TABLES)]
    lags: list[float] = []
    print("ready", flush=True)
    start, worked = time.monotonic() + 0.5, time.process_time()
    streams = [Paced(lines, per_s, start + random.random() / per_s) for lines in logs]
    with Clerk(folder / "room.db", Keys(folder / "keys")) as clerk:
        threads = [
            threading.Thread(target=watched, args=(clerk, stream, f"live-{number}", lags))
            for number, stream in enumerate(streams)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    seconds, events = time.monotonic() - start, sum(stream.read_lines for stream in streams)
    print(
        f"{events:,} events of {TABLES} tables, {events_per_s:,} a second for {LIVE_S:.0f} s: all kept after "
        f"{seconds:.1f} s ({events / seconds:,.0f} a second); signed and on the disk {_p95_ms(lags):.0f} ms (p95), "
        f"{1000 * max(lags):.0f} ms (worst) after a round's last event; "
        f"{1e6 * (time.process_time() - worked) / events:.0f} µs of work each"
    )


def _p95_ms(seconds: list[float]) -> float:
    return 1000 * statistics.quantiles(seconds, n=20)[-1]


# ---- the reviewers -----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def served(folder: Path) -> Iterator[int]:
    """The site, in a process of its own; its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    fairdeal = [sys.executable, "-c", "from auditor.cli import main; main()"]
    command = [*fairdeal, "serve", str(folder / "room.db"), "--keys", str(folder / "keys"), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as site:
        assert site.stdout is not None
        site.stdout.readline()  # it says where it is, when it is there
        try:
            yield port
        finally:
            site.terminate()


def reviewing(port: int, cookie: str, until: float, taken: list[float]) -> None:
    """One reviewer who pages through the room, with a moment to look at each page."""
    chance, browser = random.Random(cookie), http.client.HTTPConnection("127.0.0.1", port)
    while time.monotonic() < until:
        time.sleep(chance.uniform(0, 2 * LOOK_S))  # people do not click in step
        path = chance.choice([path for name, path in questions(chance).items() if name.startswith(("queue", "find"))])
        start = time.perf_counter()
        browser.request("GET", path.replace(" ", "%20"), headers={"Cookie": f"{COOKIE}={cookie}"})
        answer = browser.getresponse()
        answer.read()
        taken.append(time.perf_counter() - start)
        assert answer.status == 200, (path, answer.status)
    browser.close()


def live(folder: Path, events_per_s: int) -> None:
    """All tables and all reviewers at once."""
    taken: list[float] = []
    cookies = [session(folder) for _ in range(REVIEWERS)]
    command = [sys.executable, "-m", "datasets.bench_room_live", str(folder), str(events_per_s), "watch"]
    with served(folder) as port, subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watch:
        assert watch.stdout is not None
        watch.stdout.readline()  # its logs are made: now it watches
        until = time.monotonic() + LIVE_S
        threads = [threading.Thread(target=reviewing, args=(port, each, until, taken)) for each in cookies]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        told = watch.stdout.read().strip()
    p50, p95, worst = 1000 * statistics.median(taken), _p95_ms(taken), 1000 * max(taken)
    print(f"queue and finding, {REVIEWERS} reviewers: p50 {p50:.0f} ms, p95 {p95:.0f} ms, worst {worst:.0f} ms")
    print(told)


def main() -> None:
    """Measure."""
    folder, events_per_s = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else EVENTS_PER_S
    (watching if "watch" in sys.argv else live)(folder, events_per_s)


if __name__ == "__main__":
    main()
