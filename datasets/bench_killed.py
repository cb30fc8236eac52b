"""Killed at random moments, an audit must end with the same log: `python -m datasets.bench_killed DIR [KILLS]`.

DIR holds simulated footage. It is audited once undisturbed; then again by processes of which each but the last is
killed (SIGKILL) at a random moment. Prints how often that was, how often the work went on from a checkpoint, and
whether the logs are the same, byte for byte.
"""

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from auditor import pipeline
from vision.table_file import load_table

CHECKPOINT_EVERY_S = 2.0


def audit(folder: Path, log: Path) -> None:
    """One process's work: goes on where an earlier one was killed."""
    pipeline.CHECKPOINT_EVERY_S = CHECKPOINT_EVERY_S
    job = pipeline.prepared(load_table(folder / "table.toml"), [folder / "footage.mp4"])
    pipeline.write_log(job, log)


def killed_often(folder: Path, kills: int, chance: random.Random) -> str:
    """Audit with kills until a process may finish; says what came of it."""
    with tempfile.TemporaryDirectory() as scratch:
        whole, log = Path(scratch) / "whole.jsonl", Path(scratch) / "log.jsonl"
        began = time.perf_counter()
        subprocess.run(_command(folder, whole), check=True)
        longest_s = time.perf_counter() - began
        state = log.with_name(log.name + ".state")
        done = resumed = 0
        while done < kills:
            resumed += state.exists()
            process = subprocess.Popen(_command(folder, log))
            try:
                process.wait(chance.uniform(0.0, 0.4 * longest_s))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                done += 1
                continue
            if log.read_bytes() != whole.read_bytes():
                return f"{done} kills: the log differs"
            log.unlink()  # it was done before it could be killed: from the beginning
        subprocess.run(_command(folder, log), check=True)
        is_same = log.read_bytes() == whole.read_bytes()
        left = sorted(path.name for path in Path(scratch).iterdir())
    what = "the same log, byte for byte" if is_same else "the log differs"
    return f"{kills} kills, {resumed} times gone on from a checkpoint: {what}; files left: {', '.join(left)}"


def _command(folder: Path, log: Path) -> list[str]:
    return [sys.executable, "-m", "datasets.bench_killed", "--audit", str(folder), str(log)]


def main(arguments: list[str]) -> None:
    """The bench, or one process of it."""
    if arguments[0] == "--audit":
        audit(Path(arguments[1]), Path(arguments[2]))
        return
    kills = int(arguments[1]) if len(arguments) > 1 else 20
    print(killed_often(Path(arguments[0]), kills, random.Random(0)))


if __name__ == "__main__":
    main(sys.argv[1:])
