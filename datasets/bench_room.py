"""How fast a full room answers: `python -m datasets.bench_room FOLDER`. Prints one table.

A room with a million findings and ten million events is made once (minutes, 3 GB) and kept in the folder. Its rows are
made up by SQLite itself: their hashes are not chained, which reading does not notice. Then pages are asked for as
people do. `datasets.bench_room_live` goes on from there, with tables that write meanwhile.
"""

import random
import statistics
import sys
import time
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from auditor.chain import Keys
from auditor.store import Store
from web.access import COOKIE
from web.app import create_app
from web.people import accept, invite, log_in, person_of

TABLES, DAYS, ROUNDS, EVENTS = 200, 10, 500, 10  # tables, logs of each, rounds of a log, events of a round
GAMES = ("act-blackjack", "act-baccarat", "act-roulette", "act-uth")
REQUESTS = 400
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


def session(folder: Path) -> str:
    """The cookie of a supervisor who is logged in."""
    with Store.open(folder / "room.db", Keys(folder / "keys")) as store:
        name = f"reviewer {time.time_ns()}"
        key = log_in(store, accept(store, invite(store, "supervisor", "bench"), name, "a long password"))
        assert person_of(store, key) is not None
    return key


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
        "finding": f"/findings/{run}/{n}", "round": f"/rounds/{run}/{n}", "all 200 tables": "/tables",
        "payouts of a day": f"/payouts?day={day[:10]}",
        "one table": f"/table?name={table}&game={GAMES[int(table[2:]) % 4]}",
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
    client, chance = app.test_client(), random.Random(seed)
    client.set_cookie(COOKIE, session(folder))
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


def main() -> None:
    """Measure."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    app = create_app({"ROOM": furnish(folder), "KEYS": folder / "keys"})
    pages(app, folder)


if __name__ == "__main__":
    main()
