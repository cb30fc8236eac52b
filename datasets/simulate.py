"""`fairdeal simulate`: rounds at a simulated table, written to a folder with the mistakes that must be found."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from auditor.log import FairdealError, log_bytes
from datasets.dealer import Dealer, Seeded
from datasets.dealers import DEALERS


def parse_errors(text: str) -> dict[str, int]:
    """`KIND=N,KIND=N` as the command line gives it.

    >>> parse_errors("payout.short=2,draw.excess=1")
    {'payout.short': 2, 'draw.excess': 1}
    """
    errors: dict[str, int] = {}
    for item in filter(None, text.split(",")):
        kind, _, count = item.partition("=")
        if not count.isdigit():
            raise FairdealError(f"--errors: {item!r} is not KIND=N")
        errors[kind] = errors.get(kind, 0) + int(count)
    return errors


def dealer_for(rulebook: str, seed: int, house: dict[str, Any] | None = None) -> Dealer:
    """The dealer of a game."""
    for dealer in DEALERS:
        if dealer.rulebook == rulebook:
            return dealer(seed, house)
    raise FairdealError(f"simulate: nobody deals {rulebook} yet (games: {', '.join(d.rulebook for d in DEALERS)})")


def played(dealer: Dealer, rounds: int, errors: dict[str, int]) -> tuple[bytes, list[Seeded]]:
    """A whole log and the mistakes in it."""
    events, seeded = [], []
    for round_events, mistake in dealer.rounds(rounds, errors):
        events += round_events
        if mistake is not None:
            seeded.append(mistake)
    return log_bytes(dealer.header(), events), seeded


def simulate_log(rulebook: str, *, rounds: int, seed: int, errors: dict[str, int], out: Path) -> None:
    """Write `truth.jsonl`, `seeded.jsonl` and `table.toml` to a folder."""
    dealer = dealer_for(rulebook, seed)
    truth, seeded = played(dealer, rounds, errors)
    write_whole(out / "truth.jsonl", truth)
    write_whole(out / "seeded.jsonl", json_lines(seeded))
    write_whole(out / "table.toml", _table_file(dealer).encode())


def _table_file(dealer: Dealer) -> str:
    """The table's rulebook and house options."""
    lines = [f'table = "{dealer.header().table}"', f'rulebook = "{dealer.rulebook}"', "", "[house]"]
    return "\n".join([*lines, *(f"{name} = {toml(value)}" for name, value in dealer.house.items()), ""])


def toml(value: Any) -> str:
    """A value as TOML writes it. JSON scalars and arrays are TOML as well; tables are written inline."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {toml(inner)}" for name, inner in value.items()) + " }"
    return msgspec.json.encode(value).decode()


def json_lines(rows: Iterable[Any]) -> bytes:
    """One JSON object per line."""
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def write_whole(path: Path, content: bytes) -> None:
    """All or nothing: a crash leaves the old file or none. The folder is made where it is missing."""
    draft = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except OSError as error:
        raise FairdealError(f"{error.filename}: {error.strerror}") from None
