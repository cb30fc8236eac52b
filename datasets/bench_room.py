"""How fast a full room answers: `python -m datasets.bench_room FOLDER`. Prints one table.

A room with a million findings and ten million events is made once (minutes, 3 GB) and kept in the folder. Its rows are
made up by SQLite itself: their hashes are not chained, which reading does not notice. Then pages are asked for as
people do; then 200 tables write 2,000 events a second between them while ten reviewers page.
"""

import io
import random
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import BinaryIO, cast

from flask import Flask
from flask.testing import FlaskClient

from auditor.chain import Keys
from auditor.growing import Clerk, growing
from auditor.store import Store
from datasets.simulate import dealer_for, played
from web.app import create_app
from web.people import accept, invite, log_in, person_of

TABLES, DAYS, ROUNDS, EVENTS = 200, 10, 500, 10  # tables, logs of each, rounds of a log, events of a round
GAMES = ("act-blackjack", "act-baccarat", "act-roulette", "act-uth")
REQUESTS = 400
LIVE_S, LIVE_EVENTS_PER_S, REVIEWERS, LOOK_S = 30.0, 2000, 10, 1.0
HEAD = "| page | p50 ms | p95 ms | worst ms | p95 ms at work |\n|---|---:|---:|---:|---:|"

_COUNTED = "WITH RECURSIVE c (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < :last)"
_RUNS = f"""{_COUNTED} INSERT INTO runs
SELECT i + 1, printf('%064x', i), printf('log-%d.jsonl', i), printf('T-%03d', i % {TABLES}),
       CASE (i % {TABLES}) % 4 {" ".join(f"WHEN {n} THEN '{game}'" for n, game in enumerate(GAMES))} END, 'NI2002-45',
       strftime('%Y-%m-%dT20:00:00+00:00', 1790000000 + 86400 * (i / {TABLES}), 'unixepoch'),
       1790000000 + 86400 * (i / {TABLES}), '{{}}', '{{}}', '', 'bench', '',
       {ROUNDS * EVENTS}, '', {ROUNDS}, '', {ROUNDS}, '', {ROUNDS}, '', x'00' FROM c"""
_ROUNDS = f"""{_COUNTED} INSERT INTO rounds
SELECT :run, i + 1, i * 40.0, i * 40.0 + 35, 'complete', printf('Dealer %d', abs(:run * 7919 + i / 60) % 300),
       i * {EVENTS} + 1, i * {EVENTS} + {EVENTS}, '{{"hands":{{"box1":["Ts","9d"],"dealer":["9c","8c"]}}}}', x'00'
FROM c"""
_EVENTS = f"""{_COUNTED} INSERT INTO events
SELECT :run, i + 1,
       printf('{{"t":%.2f,"e":"chips","at":"box%d/main","amount":%d,"by":"player","conf":0.97}}' || char(10),
       i * 4.0, i % 7 + 1, i % 50 * 5), x'00' FROM c"""
_WAGERS = f"""{_COUNTED} INSERT INTO wagers
SELECT :run, i + 1, i + 1, 'box1/main', NULL, 1000, 'win', 1000, 500, '13.2(b)', '19 beats 17', x'00' FROM c"""
_KINDS = ("payout.short", "payout.over", "bet.late", "deal.order", "draw.excess", "payout.missed", "card.duplicate",
          "bet.limit", "payout.order", "shuffle.missing", "view.gap", "deal.count")  # fmt: skip
_FINDINGS = f"""{_COUNTED} INSERT INTO findings
SELECT :run, i + 1, i + 1, CASE abs(:run * 31 + i * i) % {len(_KINDS)}
       {" ".join(f"WHEN {n} THEN '{kind}'" for n, kind in enumerate(_KINDS))} END,
       iif(i % 10 = 0, 'unsure', 'breach'), printf('%d.%d', i % 17 + 1, i % 5 + 1), i * 40.0 + 30, 'box1/main', NULL,
       '10', '5', 'Ten is due, five was paid.', '[]', -500, x'00' FROM c"""


def furnish(folder: Path) -> Path:
    """The full room, unless it is there already."""
    room = folder / "room.db"
    with Store.open(room, Keys(folder / "keys"), create=True) as store:
        connection = store.db.conn
        done = {row[0] for row in connection.execute("SELECT DISTINCT run FROM spans")}
        connection.execute("PRAGMA synchronous = OFF")
        if not connection.execute("SELECT 1 FROM runs").fetchone():
            connection.execute(_RUNS, {"last": TABLES * DAYS - 1})
        for run in range(1, TABLES * DAYS + 1):
            if run in done:
                continue
            connection.execute(_EVENTS, {"run": run, "last": ROUNDS * EVENTS - 1})
            for sql in (_ROUNDS, _WAGERS, _FINDINGS):
                connection.execute(sql, {"run": run, "last": ROUNDS - 1})
            connection.commit()
            if run % 100 == 0:
                print(f"  made {run} of {TABLES * DAYS} logs", file=sys.stderr, flush=True)
        connection.execute("UPDATE queue SET state = 'dismissed' WHERE run % 3 = 0 AND state = 'open' AND n % 2 = 0")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return room


def client_of(app: Flask, folder: Path) -> FlaskClient:
    """A browser in which a supervisor is logged in."""
    with Store.open(folder / "room.db", Keys(folder / "keys")) as store:
        name = f"reviewer {time.time_ns()}"
        key = log_in(store, accept(store, invite(store, "supervisor", "bench"), name, "a long password"))
        assert person_of(store, key) is not None
    client = app.test_client()
    client.set_cookie("fairdeal", key)
    return client


def questions(random: random.Random) -> dict[str, str]:
    """One address of every kind of page, at random."""
    table, kind, game = f"T-{random.randrange(TABLES):03}", random.choice(_KINDS), random.choice(GAMES)
    run, n = random.randrange(1, TABLES * DAYS + 1), random.randrange(1, ROUNDS + 1)
    dealer, day = f"Dealer {random.randrange(300)}", f"2026-09-{random.randrange(21, 30)}T21:00"
    place = f"{random.randrange(2)}:{1790000000 + random.random() * 86400 * DAYS!r}:0:0"
    one = {"table": table, "kind": kind, "game": game, "dealer": dealer, "since": day, "clause": "3.2"}
    some = "&".join(f"{name}={value}" for name, value in random.sample(sorted(one.items()), 2))
    name, value = random.choice(sorted(one.items()))
    return {
        "queue": "/queue", "queue, deep": f"/queue?after={place}", "queue, one filter": f"/queue?{name}={value}",
        "queue, two filters": f"/queue?{some}", "queue, any state": f"/queue?state=all&{name}={value}",
        "finding": f"/findings/{run}/{n}", "round": f"/rounds/{run}/{n}", "tables": "/tables",
        "table": f"/table?name={table}&game={GAMES[int(table[2:]) % 4]}",
        "rounds, deep": f"/rounds?name={table}&game={GAMES[int(table[2:]) % 4]}&page={random.randrange(50)}",
    }  # fmt: skip


def asked(client: FlaskClient, path: str) -> tuple[float, float]:
    """Milliseconds until the answer, and of them those this thread was at work."""
    start, worked = time.perf_counter(), time.thread_time()
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status)
    return 1000 * (time.perf_counter() - start), 1000 * (time.thread_time() - worked)


def pages(app: Flask, folder: Path, seed: int = 8) -> None:
    """Every kind of page, in turn."""
    client, chance = client_of(app, folder), random.Random(seed)
    taken: dict[str, list[tuple[float, float]]] = {}
    for _ in range(REQUESTS // 10):
        for name, path in questions(chance).items():
            taken.setdefault(name, []).append(asked(client, path))
    print(HEAD)
    for name, both in taken.items():
        print(_row(name, [wall for wall, _ in both], [work for _, work in both]))


def _row(name: str, wall: list[float], work: list[float]) -> str:
    p95, p95_work = (statistics.quantiles(each, n=20)[-1] for each in (wall, work))
    return f"| {name} | {statistics.median(wall):.0f} | {p95:.0f} | {max(wall):.0f} | {p95_work:.0f} |"


# ---- live --------------------------------------------------------------------------------------------------------


class Paced(io.RawIOBase):
    """A log whose lines come at a steady pace."""

    def __init__(self, lines: list[bytes], per_s: float, until: float) -> None:
        self._lines, self._per_s, self._until = iter(lines), per_s, until
        self._start, self.read_lines = time.monotonic() + random.random(), 0

    def readline(self, size: int | None = -1, /) -> bytes:
        line = next(self._lines, b"")
        delay = self._start + self.read_lines / self._per_s - time.monotonic()
        if self.read_lines and time.monotonic() > self._until:
            return b""
        if self.read_lines and delay > 0:
            time.sleep(delay)
        self.read_lines += 1
        return line


def watched(clerk: Clerk, number: int, until: float, counts: list[int]) -> None:
    """One table that is being watched."""
    log, _ = played(dealer_for("act-blackjack", number), 40, {})
    header, *events = log.replace(b'"SIM-01"', f'"LIVE-{number}-{time.time_ns()}"'.encode()).splitlines(keepends=True)
    stream = Paced([header, *events], LIVE_EVENTS_PER_S / TABLES, until)
    with growing(clerk, cast(BinaryIO, stream), f"live-{number}") as kept:
        for _ in kept.audit.rounds:
            counts[number] = stream.read_lines
    counts[number] = stream.read_lines


def reviewing(client: FlaskClient, until: float, taken: list[tuple[float, float]]) -> None:
    """One reviewer who pages through the room, with a moment to look at each page."""
    chance = random.Random(threading.get_ident())
    while time.monotonic() < until:
        path = chance.choice([path for name, path in questions(chance).items() if name.startswith(("queue", "find"))])
        taken.append(asked(client, path))
        time.sleep(LOOK_S)


def watching(folder: Path, seconds: float) -> None:
    """All tables, watched by one process: what `python -m datasets.bench_room FOLDER watch` does."""
    until, counts = time.monotonic() + seconds, [0] * TABLES
    start = time.monotonic()
    with Clerk(folder / "room.db", Keys(folder / "keys")) as clerk:
        threads = [threading.Thread(target=watched, args=(clerk, n, until, counts)) for n in range(TABLES)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    rate = sum(counts) / (time.monotonic() - start)
    kept, offered = f"{sum(counts):,} events of {TABLES} tables kept", f"{LIVE_EVENTS_PER_S:,} a second were offered"
    work = 1e6 * time.process_time() / max(sum(counts), 1)
    told = f"{kept} at {rate:,.0f} a second, to the last signature ({offered}); {work:.0f} µs of work each"
    print(f"\n{told}", flush=True)


def live(app: Flask, folder: Path) -> None:
    """All tables and all reviewers at once."""
    taken: list[tuple[float, float]] = []
    clients = [client_of(app, folder) for _ in range(REVIEWERS)]
    watch = subprocess.Popen([sys.executable, "-m", "datasets.bench_room", str(folder), "watch"])
    until = time.monotonic() + LIVE_S
    threads = [threading.Thread(target=reviewing, args=(client, until, taken)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    watch.wait()
    print(HEAD)
    print(_row(f"queue and finding, {REVIEWERS} reviewers", [wall for wall, _ in taken], [work for _, work in taken]))


def main() -> None:
    """Measure."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    if "watch" in sys.argv:
        watching(folder, LIVE_S)
        return
    room = furnish(folder)
    app = create_app({"ROOM": room, "KEYS": folder / "keys"})
    pages(app, folder)
    live(app, folder)


if __name__ == "__main__":
    main()
