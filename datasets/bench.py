"""`make bench`: how fast logs are audited, and whether memory stays flat. Prints one table."""

import io
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from auditor.audit import audit
from auditor.log import LogWriter, log_bytes
from datasets.dealers import DEALERS
from datasets.dealers.blackjack import BlackjackDealer

FIVE_BOX_ROUNDS = 4_000
OTHER_ROUNDS = 1_000
LONG_LOG_ROUNDS = 100_000


class FullTable(BlackjackDealer):
    """Five boxes in every round."""

    def boxes_taken(self) -> list[int]:
        return [1, 2, 3, 4, 5]


def audited_per_second(log: bytes, repeats: int = 3) -> float:
    """Rounds per second of one core, JSON decoding included; the best of some runs."""
    best, rounds = float("inf"), 0
    for _ in range(repeats):
        start = time.perf_counter()
        rounds = sum(1 for _ in audit(io.BytesIO(log), "bench").rounds)
        best = min(best, time.perf_counter() - start)
    return rounds / best


def memory_over_a_long_log() -> tuple[int, float, float]:
    """Rounds, peak memory of `fairdeal check` over them in MB, and rounds per second."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.jsonl"
        dealer = FullTable(7)
        with path.open("wb") as stream:
            writer = LogWriter(stream, dealer.header())
            for events, _ in dealer.rounds(LONG_LOG_ROUNDS):
                for event in events:
                    writer.write(event)
        start = time.perf_counter()
        command = [sys.executable, "-c", "from auditor.cli import main; main()", "check", "--json", str(path)]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        seconds = time.perf_counter() - start
    peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return LONG_LOG_ROUNDS, peak_mb, LONG_LOG_ROUNDS / seconds


def main() -> None:
    """Print the table."""
    print(f"{'what':<52} {'figure':>16}")
    full = FullTable(1)
    events = [event for each, _ in full.rounds(FIVE_BOX_ROUNDS) for event in each]
    speed = audited_per_second(log_bytes(full.header(), events))
    print(f"{'act-blackjack, five boxes, audited per second':<52} {speed:>16,.0f}")
    for kind in DEALERS:
        dealer = kind(1)
        events = [event for each, _ in dealer.rounds(OTHER_ROUNDS) for event in each]
        speed = audited_per_second(log_bytes(dealer.header(), events))
        print(f"{kind.rulebook + f', {len(events) / OTHER_ROUNDS:.0f} events a round, per second':<52} {speed:>16,.0f}")
    rounds, peak_mb, speed = memory_over_a_long_log()
    print(f"{f'check --json over {rounds:,} five-box rounds, per second':<52} {speed:>16,.0f}")
    print(f"{f'peak memory over {rounds:,} rounds':<52} {f'{peak_mb:.0f} MB':>16}")


if __name__ == "__main__":
    main()
