"""Clause coverage: every clause of a rulebook, what it asks, and how far the auditor holds a table to it.

The data lies in ``auditor/clauses/<rulebook>.toml``: numbers and summaries of our own. The official words are never
shipped; `auditor/official_text.py` reads them out of the casino's own copy, to be set beside the summaries.

>>> coverage = load("act-roulette")
>>> coverage.title, coverage.clause("5.2").kinds
('Tournament American Roulette', ('spin.laps', 'spin.void_settled'))
>>> clause_path("15.2(a)(i)"), clause_path("13.8 (second)")
((('15', '2', 'a', 'i'), 0), (('13', '8'), 1))
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from itertools import groupby
from typing import Literal

import msgspec

from auditor.log import FairdealError

Status = Literal["checked", "option", "definition", "not-logged", "not-visible"]
ClausePath = tuple[str, ...]
OptionRow = tuple[str, str, str]

STATUS_WORDS: dict[Status, str] = {
    "checked": "checked",
    "option": "house option",
    "definition": "definition or administration",
    "not-logged": "visible, not logged yet",
    "not-visible": "not visible to a camera",
}

# Where each rulebook's official text is published, and the name its headings carry. A name is looked for in the
# text's letters and digits alone, so that hyphens, line wraps and markup do not matter.
OFFICIAL: dict[str, tuple[str, str]] = {
    "act-holdem": ("NI2015-405", "POKER HOLDEM"),
    "act-faro": ("NI2005-67", "POKER FARO"),
    "act-uth": ("NI2025-411", "ULTIMATE TEXAS HOLDEM"),
    "tas-stud": ("Tasmanian Poker Rules, part B", "POKER RULES 5 CARD STUD"),
    "tas-holdem": ("Tasmanian Poker Rules, part C", "POKER RULES HOLDEM"),
    "act-canberra-poker": ("NI2002-45", "TOURNAMENT CANBERRA POKER"),
    "act-blackjack": ("NI2002-45", "TOURNAMENT BLACKJACK"),
    "act-roulette": ("NI2002-45", "TOURNAMENT AMERICAN ROULETTE"),
    "act-baccarat": ("NI2002-45", "TOURNAMENT MINI BACCARAT"),
    "act-paigow": ("NI2002-45", "TOURNAMENT PAI GOW"),
}


# ---- the data ----------------------------------------------------------------------------------------------------


class Clause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One clause: its number, what it asks in a sentence of ours, and what the auditor does about it."""

    number: str
    summary: str
    status: Status
    kinds: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if self.status == "checked" and not self.kinds:
            raise ValueError(f"clause {self.number} is checked but names no kind of finding")
        if self.status != "checked" and (self.kinds or self.tests):
            raise ValueError(f"clause {self.number} is {self.status} but names kinds or tests")
        if self.status == "option" and not self.options:
            raise ValueError(f"clause {self.number} is settled by a house option but names none")
        if not self.term and clause_path(self.number) is None:
            raise ValueError(f"{self.number!r} is not a clause number (13.2(a), 13.8 (second), def. Void)")

    @property
    def term(self) -> str:
        """The dictionary term of a «def. …» entry, else empty.

        >>> Clause(number="def. Void", summary="…", status="definition").term
        'Void'
        """
        return self.number.removeprefix("def. ") if self.number.startswith("def. ") else ""

    @property
    def section(self) -> str:
        """The section it stands in; the dictionary has none."""
        return "" if self.term else self.number.partition(".")[0]


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: str
    citation: str
    clause: tuple[Clause, ...]


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook's clauses, in the order of the official text."""

    rulebook: str
    title: str
    citation: str
    clauses: tuple[Clause, ...]

    def clause(self, number: str) -> Clause:
        """The clause with that number."""
        for clause in self.clauses:
            if clause.number == number:
                return clause
        raise FairdealError(f"{self.rulebook}: there is no clause {number}")

    def counts(self) -> dict[Status, int]:
        """How many clauses there are of each status."""
        return {status: sum(clause.status == status for clause in self.clauses) for status in STATUS_WORDS}


def load(rulebook: str) -> Coverage:
    """The clause coverage of a rulebook.

    >>> load("snap")
    Traceback (most recent call last):
    ...
    auditor.log.FairdealError: unknown rulebook 'snap' (known: act-holdem, act-faro, act-uth, tas-stud, tas-holdem, \
act-canberra-poker, act-blackjack, act-roulette, act-baccarat, act-paigow)
    """
    if rulebook not in OFFICIAL:
        raise FairdealError(f"unknown rulebook {rulebook!r} (known: {', '.join(OFFICIAL)})")
    source = resources.files("auditor").joinpath("clauses", f"{rulebook}.toml")
    try:
        return parse(rulebook, source.read_bytes())
    except FileNotFoundError:
        raise FairdealError(f"{rulebook}: its clause coverage is not installed (clauses/{rulebook}.toml)") from None


def parse(rulebook: str, toml: bytes) -> Coverage:
    """A coverage file's content, checked."""
    try:
        file = msgspec.toml.decode(toml, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FairdealError(f"clauses/{rulebook}.toml: {error}") from None
    return Coverage(rulebook=rulebook, title=file.title, citation=file.citation, clauses=file.clause)


_NUMBER = re.compile(r"(\d+)(?:\.(\d+))?((?:\.?[a-z]+|\([A-Za-z0-9]+\))*)(?: \((first|second|third)\))?")


def clause_path(number: str) -> tuple[ClausePath, int] | None:
    """The clause a number names, however it is punctuated, and which of several with that number it is.

    >>> clause_path("14.1.f") == clause_path("14.1(f)"), clause_path("11.1(b)ii")
    (True, (('11', '1', 'b', 'ii'), 0))
    >>> clause_path("thirteen") is None
    True
    """
    match = _NUMBER.fullmatch(number)
    if match is None:
        return None
    section, clause, letters, which = match.groups()
    path = (section, *([clause] if clause else []), *re.findall(r"[A-Za-z0-9]+", letters))
    return path, ("first", "second", "third").index(which or "first")


# ---- the pages ---------------------------------------------------------------------------------------------------


def render_text(
    coverage: Coverage,
    *,
    official: Mapping[str, str] | None = None,
    options: Sequence[OptionRow] = (),
    width: int = 100,
) -> str:
    """The coverage for a terminal; with `official`, each clause's official words under our summary."""
    lines = [f"{coverage.title} ({coverage.citation})", *textwrap.wrap(_counts_line(coverage), width)]
    if options:
        lines += ["", "House options"]
    for name, default, meaning in options:
        row = f"  {name} (default {default}): {meaning}"
        lines += textwrap.wrap(row, width, subsequent_indent=" " * 6)
    for heading, clauses in _sections(coverage):
        lines += ["", heading]
        for clause in clauses:
            lines += _clause_lines(clause, width)
            if official is not None:
                words = official.get(clause.number)
                lines += _wrapped("official: ", words or "not found in this copy", width)
    return "\n".join(lines) + "\n"


def _clause_lines(clause: Clause, width: int) -> Iterator[str]:
    label = f"  {clause.number}  "
    yield from textwrap.wrap(clause.summary, width, initial_indent=label, subsequent_indent=" " * 6)
    how = STATUS_WORDS[clause.status]
    if clause.kinds:
        how += ": " + ", ".join(clause.kinds)
    elif clause.options:
        how += ": " + ", ".join(clause.options)
    yield from _wrapped("", how, width)
    if clause.kinds and clause.options:
        yield from _wrapped("house option: ", ", ".join(clause.options), width)
    if clause.tests:
        yield from _wrapped("tests: ", ", ".join(clause.tests), width)
    if clause.note:
        yield from _wrapped("note: ", clause.note, width)


def _wrapped(label: str, text: str, width: int) -> Iterator[str]:
    for paragraph in text.splitlines():
        yield from textwrap.wrap(
            label + paragraph, width, initial_indent=" " * 6, subsequent_indent=" " * 8,
            break_long_words=False, break_on_hyphens=False,  # names of tests stay whole, to be copied
        )  # fmt: skip
        label = "  "


def render_markdown(coverage: Coverage, *, options: Sequence[OptionRow] = ()) -> str:
    """The coverage as a page of the docs."""
    lines = [
        f"# {coverage.title}",
        "",
        f"Rulebook `{coverage.rulebook}`, cited as *{coverage.citation}*. The summaries are ours; the official text"
        f" prevails. `fairdeal rules {coverage.rulebook} --text FILE` sets your copy of it beside them.",
        "",
        "| how the clauses are held | clauses |",
        "|---|---:|",
        *(f"| {STATUS_WORDS[status]} | {count} |" for status, count in coverage.counts().items()),
        f"| **all** | **{len(coverage.clauses)}** |",
    ]
    if options:
        lines += ["", "## House options", "", "| option | default | meaning |", "|---|---|---|"]
        lines += [f"| `{name}` | `{_cell(default)}` | {_cell(meaning)} |" for name, default, meaning in options]
    for heading, clauses in _sections(coverage):
        lines += ["", f"## {heading}", "", "| clause | in short | how it is held |", "|---|---|---|"]
        lines += [f"| {clause.number} | {_cell(clause.summary)} | {_cell(_held(clause))} |" for clause in clauses]
    return "\n".join(lines) + "\n"


def _held(clause: Clause) -> str:
    how = STATUS_WORDS[clause.status]
    parts = [how[0].upper() + how[1:] + (": " + _codes(clause.kinds) if clause.kinds else "")]
    if clause.options and clause.status == "option":
        parts[0] += ": " + _codes(clause.options)
    elif clause.options:
        parts.append("House option: " + _codes(clause.options))
    if clause.tests:
        parts.append("Tests: " + _codes(clause.tests))
    if clause.note:
        parts.append(clause.note)
    return "<br>".join(parts)


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _counts_line(coverage: Coverage) -> str:
    counts = (f"{count} {STATUS_WORDS[status]}" for status, count in coverage.counts().items() if count)
    return f"{len(coverage.clauses)} clauses: " + " · ".join(counts)


def _sections(coverage: Coverage) -> Iterator[tuple[str, list[Clause]]]:
    for section, clauses in groupby(coverage.clauses, key=lambda clause: clause.section):
        yield f"Section {section}" if section else "Dictionary", list(clauses)
