"""The demo's table logs: a short evening at each game, with a few mistakes.

`python -m datasets.demo` deals them anew.
"""

from importlib import resources
from pathlib import Path

from datasets.dealers import DEALERS
from datasets.simulate import played

ROUNDS = 12
MISTAKES = 3
SEED = 2026


def demo_logs() -> list[Path]:
    """The shipped logs."""
    folder = Path(str(resources.files("datasets") / "logs"))
    return sorted(folder.glob("*.jsonl"))


def demo_log(number: int) -> bytes:
    """The log of one dealer, with mistakes that differ from game to game."""
    dealer = DEALERS[number](SEED)
    kinds = [kind for kind in dealer.mistakes if not kind.startswith("view")]
    chosen = [kinds[(5 * number + 7 * step) % len(kinds)] for step in range(MISTAKES)]
    log, _ = played(dealer, ROUNDS, dict.fromkeys(chosen, 1))
    return log


def main() -> None:
    """Write the logs beside this file."""
    folder = Path(__file__).parent / "logs"
    folder.mkdir(exist_ok=True)
    for number, dealer in enumerate(DEALERS):
        (folder / f"{dealer.rulebook}.jsonl").write_bytes(demo_log(number))


if __name__ == "__main__":
    main()
