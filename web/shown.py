"""How things are written for people: times in the casino's zone, money, cards, names of games."""

import datetime
import functools
import re
from typing import Any

import msgspec
from flask import Flask, current_app, g, has_app_context
from markupsafe import Markup, escape

from auditor import coverage
from auditor.coverage import Clause
from auditor.findings import MONEY_FAMILIES
from auditor.log import FairdealError

_MEANINGS = {
    "open": "waits for a decision", "confirmed": "confirmed by a reviewer", "dismissed": "dismissed by a reviewer"
}  # fmt: skip


def money(cents: int | None) -> str:
    """Cents as an amount.

    >>> money(1234550), money(None)
    ('12,345.50', '–')
    """
    return "–" if cents is None else f"{cents / 100:,.2f}"


def moment(started: str, t: float) -> datetime.datetime:
    """`t` seconds after a log began, on the casino's clock; a log that names no zone is taken to be on it."""
    found = datetime.datetime.fromisoformat(started) + datetime.timedelta(seconds=t)
    return found.astimezone(zone()) if found.tzinfo and has_app_context() else found


def clock(started: str, t: float) -> str:
    """A moment of a log, on the clock.

    >>> clock("2026-11-15T20:00:00+11:00", 65.4)
    '20:01:05'
    """
    return f"{moment(started, t):%H:%M:%S}"


def day(started: str, t: float = 0.0) -> str:
    """The day of a moment of a log.

    >>> day("2026-11-15T20:00:00+11:00")
    'Sun 15 Nov 2026'
    """
    return f"{moment(started, t):%a %d %b %Y}"


def zone() -> datetime.tzinfo:
    """The casino's zone: the one the site was started with, else this machine's."""
    found = current_app.config["ZONE"]
    return found if isinstance(found, datetime.tzinfo) else datetime.datetime.now().astimezone().tzinfo or datetime.UTC


def local(at: str) -> str:
    """A moment that the room wrote down in UTC, on the casino's clock."""
    return f"{datetime.datetime.fromisoformat(at).astimezone(zone()):%d %b %Y %H:%M:%S}"


def since(unix: float) -> str:
    """A moment in seconds since 1970, on the casino's clock."""
    return f"{datetime.datetime.fromtimestamp(unix, zone()):%d %b %H:%M:%S}"


def value(kind: str, text: str) -> str:
    """What was expected or observed, which the store keeps as JSON, in words.

    >>> value("payout.short", "12.5"), value("deal.count", "2"), value("deal.order", '"box3"')
    ('12.50', '2', 'box3')
    """
    found: Any = msgspec.json.decode(text)
    if found is None:
        return "–"
    if isinstance(found, (int, float)) and not isinstance(found, bool) and kind.partition(".")[0] in MONEY_FAMILIES:
        return f"{found:,.2f}"
    if isinstance(found, bool):
        return "yes" if found else "no"
    if isinstance(found, dict):
        return ", ".join(f"{name} {each}" for name, each in found.items())
    return " ".join(map(str, found)) if isinstance(found, list) else str(found)


@functools.cache
def _coverage(rulebook: str) -> coverage.Coverage | None:
    try:
        return coverage.load(rulebook)
    except FairdealError:
        return None  # a rulebook that this version does not have any more


def game(rulebook: str) -> str:
    """The game's name.

    >>> game("act-roulette"), game("act-whist")
    ('Tournament American Roulette', 'act-whist')
    """
    found = _coverage(rulebook)
    return found.title if found else rulebook


def clause(rulebook: str, number: str) -> Clause | None:
    """The clause with that number, in our words; for «13.2(a)», where that has no entry, the one it stands in."""
    found = _coverage(rulebook)
    entries = {each.number: each for each in found.clauses} if found else {}
    while number not in entries and "(" in number:
        number = number[: number.rindex("(")]
    return entries.get(number)


def unchecked(rulebook: str) -> list[Clause]:
    """The clauses that no finding can come from, though somebody may break them: not seen, or not logged yet."""
    found = _coverage(rulebook)
    return [each for each in found.clauses if each.status in ("not-logged", "not-visible")] if found else []


_STAKES = {
    "payout.loser_paid": ("and the stake taken", "and the stake left to the player"),
    "payout.winner_taken": ("and the stake returned", "and the stake taken"),
    "payout.push_taken": ("and the stake returned", "and the stake taken"),
}


def stake_story(kind: str) -> tuple[str, str] | None:
    """What the amounts alone do not tell: what should have become of the stake, and what did."""
    return _STAKES.get(kind)


def label(kind: str) -> str:
    """A kind of finding as words.

    >>> label("payout.winner_taken")
    'payout · winner taken'
    """
    return kind.replace("_", " ").replace(".", " · ")


def with_code(text: str) -> Markup:
    """A clause's note, in which `code` is marked by backticks, for a page.

    >>> str(with_code("looked for at `burn` & before"))
    'looked for at <code>burn</code> &amp; before'
    """
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def teach(app: Flask) -> None:
    """Let the templates write so."""
    filters = (money, clock, day, value, game, label, stake_story, local, since, unchecked, with_code)
    app.jinja_env.filters.update({each.__name__: each for each in filters})
    app.jinja_env.filters["from_json"] = msgspec.json.decode
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["status_words"] = coverage.STATUS_WORDS
    app.context_processor(lambda: {"me": g.get("person"), "meanings": _MEANINGS})
