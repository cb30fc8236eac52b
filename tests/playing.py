"""Write table logs the short way, and read what the auditor says of them.

A script is one event per line, one second apart: the kind, its fields in order, then `dealer` or `player` for who did
it, and `name=value` for anything else.

>>> rounds = play("act-blackjack", '''
...     chips box1/main 10 player
...     card box1 As
...     card dealer 9c
...     card box1 Kd
...     chips box1/main 20 dealer
...     gone box1
...     gone dealer
... ''')
>>> breaches(rounds)
[('payout.short', 'box1/main')]
"""

import io
import json
from typing import Any

import msgspec

from auditor.audit import audit
from auditor.findings import round_object

_FIELDS = {
    "chips": ("at", "amount"), "card": ("at", "card"), "tile": ("at", "tile"), "turn": ("at", "card"), "gone": ("at",),
    "set": ("at", "low", "high"), "dice": ("faces",), "spin": ("ball", "wheel"), "ball": ("event",),
    "wheel": ("event",), "dolly": ("at",), "button": ("at",), "marker": ("at",), "shuffle": (), "cut": (),
    "cutting_card": (), "dealer": ("who",), "call": ("what", "at"), "hand": ("at", "in"), "feed": ("state",),
}  # fmt: skip
_LISTS = ("low", "high", "faces", "cards")
Answer = dict[str, Any]

GOOD = """
    chips box1/main 10 player
    card box1 Ts
    card dealer 9c
    card box1 9d
    card dealer 8c
    chips box1/main 20 dealer
    chips box1/main 0 player
    gone box1
    gone dealer
"""
"""A right round of blackjack, for tests that need just a round."""
SHORT = GOOD.replace("chips box1/main 20 dealer", "chips box1/main 15 dealer")
"""The same, with 5 paid where 10 is due."""


def _value(field: str, text: str) -> Any:
    if field in _LISTS:
        return [_value("", part) for part in text.split(",")]
    if field in ("card", "tile", "at", "what", "who"):
        return None if text == "null" else int(text) if field == "at" and text.isdigit() else text
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def event(line: str, t: float) -> Answer:
    """One line of a script as an event object.

    >>> event("chips box1/main 10 player", 3)
    {'t': 3, 'e': 'chips', 'at': 'box1/main', 'amount': 10, 'by': 'player'}
    """
    kind, *words = line.split()
    answer: Answer = {"t": t, "e": kind}
    fields = iter(_FIELDS[kind])
    for word in words:
        name, equals, value = word.partition("=")
        if equals:
            answer[name] = _value(name, value)
        elif word in ("dealer", "player") and kind in ("chips", "call", "shuffle", "cut", "spin") and "at" in answer | {
            "at": None
        } and not (kind == "chips" and "amount" not in answer):
            answer["by"] = word
        else:
            field = next(fields)
            answer[field] = _value(field, word)
    if kind == "turn" and answer["card"] in _TILE_NAMES:
        answer["tile"] = answer.pop("card")
    return answer


_TILE_NAMES = frozenset(
    "teen day yun gor mooy chong bon foo ping tit look gow63 gow54 bot62 bot53 chit52 chit43 ng41 ng32 gj6 gj3".split()  # noqa: SIM905
)


def written(rulebook: str, script: str, **house: Any) -> bytes:
    """The script as a table log."""
    header = {"log": "fairdeal/1", "table": "T-1", "rulebook": rulebook, "started": "2026-11-15T20:00:00+11:00"}
    lines: list[Answer] = [header | {"house": house}]
    lines += [event(line, float(t)) for t, line in enumerate(filter(None, map(str.strip, script.splitlines())), 1)]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def play(rulebook: str, script: str, **house: Any) -> list[Answer]:
    """What `fairdeal check --json` answers to the script."""
    return answers(written(rulebook, script, **house))


def answers(table_log: bytes) -> list[Answer]:
    """What `fairdeal check --json` answers to a log."""
    audited = audit(io.BytesIO(table_log), "script")
    return [json.loads(msgspec.json.encode(round_object(each, audited.game.citation))) for each in audited.rounds]


def findings(rounds: list[Answer], verdict: str) -> list[tuple[str, str | None]]:
    """Kind and place of the findings with that verdict."""
    return [(each["kind"], each["at"]) for round in rounds for each in round["findings"] if each["verdict"] == verdict]


def breaches(rounds: list[Answer]) -> list[tuple[str, str | None]]:
    """Kind and place of what the log proves wrong."""
    return findings(rounds, "breach")


def unsure(rounds: list[Answer]) -> list[tuple[str, str | None]]:
    """Kind and place of what hangs on a weak or missing read."""
    return findings(rounds, "unsure")


def cited(rounds: list[Answer], kind: str) -> list[str]:
    """The clauses of the breaches of that kind, without the rulebook's citation."""
    found = [each for round in rounds for each in round["findings"] if each["verdict"] == "breach"]
    return [each["rule"].rpartition(" ")[2] for each in found if each["kind"] == kind]


def wager(rounds: list[Answer], at: str, number: int = 0) -> Answer:
    """The wager at that spot in the first (or another) round."""
    return next(each for each in rounds[number]["wagers"] if each["at"] == at)
