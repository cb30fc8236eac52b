"""The demo: a short evening at each game, with a few mistakes, and the footage that is shipped with it.

`python -m datasets.demo` deals the logs anew.
"""

import datetime
from importlib import resources
from pathlib import Path

import msgspec

from auditor.provenance import Footage, Origin, Source, source
from auditor.store import Store
from datasets.dealers import DEALERS
from datasets.simulate import played

ROUNDS = 12
MISTAKES = 3
SEED = 2026
TABLES = {
    "act-baccarat": "BA-03", "act-blackjack": "BJ-04", "act-canberra-poker": "CP-01", "act-faro": "PF-02",
    "act-holdem": "PH-05", "act-paigow": "PG-01", "act-roulette": "RO-02", "act-uth": "UT-01", "tas-holdem": "TH-03",
    "tas-stud": "TS-01",
}  # fmt: skip
DEALERS_OF_THE_EVENING = ("Ana", "Ben", "Chloe", "Dai", "Ewa")
OPENED, BETWEEN = datetime.datetime.fromisoformat("2026-11-15T18:00:00+11:00"), datetime.timedelta(minutes=34)


def demo_logs() -> list[Path]:
    """The shipped logs."""
    folder = Path(str(resources.files("datasets") / "logs"))
    return sorted(folder.glob("*.jsonl"))


def demo_films() -> list[Path]:
    """The folders of shipped footage, as `fairdeal simulate` writes them; each with its log: the one vision read off
    it (`log.jsonl`), or the one of what really happened (`truth.jsonl`)."""
    folder = Path(str(resources.files("datasets") / "films"))
    return sorted(path.parent for path in folder.glob("*/footage.mp4"))


def furnish(store: Store) -> None:
    """Keep the demo in a room: every log, and every film with its log."""
    for path in demo_logs():
        with path.open("rb") as stream, store.keeping(stream, path.name):
            pass
    for film in demo_films():
        log = next((film / name for name in ("log.jsonl", "truth.jsonl") if (film / name).is_file()), None)
        if log is not None:
            with log.open("rb") as stream, store.keeping(stream, f"{film.name}/{log.name}", film_origin(film)):
                pass


def film_origin(film: Path) -> Origin:
    """The cameras of a folder of footage, and the table file they were watched with."""
    cameras = {"table": film / "footage.mp4", "wheel": film / "wheel.mp4"}
    sources: tuple[Source, ...] = ()
    if (film / "table.toml").is_file():
        sources = (source("table file", film / "table.toml"),)
    found = tuple(Footage(camera=name, path=path) for name, path in cameras.items() if path.is_file())
    return Origin(footage=found, sources=sources)


def demo_log(number: int) -> bytes:
    """The log of one dealer, at a table of its own, with mistakes that differ from game to game."""
    dealer = DEALERS[number](SEED)
    kinds = [kind for kind in dealer.mistakes if not kind.startswith("view")]
    chosen = [kinds[(5 * number + 7 * step) % len(kinds)] for step in range(MISTAKES)]
    log, _ = played(dealer, ROUNDS, dict.fromkeys(chosen, 1))
    line, *events = log.splitlines(keepends=True)
    opened = (OPENED + number * BETWEEN).isoformat()
    header = msgspec.json.decode(line) | {"table": TABLES[dealer.rulebook], "started": opened}
    half = len(events) // 2
    relief_t = msgspec.json.decode(events[half])["t"]
    return b"".join([
        msgspec.json.encode(header) + b"\n", _arrives(number, 0.0), *events[:half],
        _arrives(number + 2, relief_t), *events[half:],
    ])  # fmt: skip


def _arrives(who: int, t: float) -> bytes:
    """Somebody comes to the table to deal."""
    name = DEALERS_OF_THE_EVENING[who % len(DEALERS_OF_THE_EVENING)]
    return msgspec.json.encode({"e": "dealer", "t": t, "who": name}) + b"\n"


def main() -> None:
    """Write the logs beside this file."""
    folder = Path(__file__).parent / "logs"
    folder.mkdir(exist_ok=True)
    for number, dealer in enumerate(DEALERS):
        (folder / f"{dealer.rulebook}.jsonl").write_bytes(demo_log(number))


if __name__ == "__main__":
    main()
