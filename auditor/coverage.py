"""Clause coverage: every clause of a rulebook, what it asks, and how far the auditor holds a table to it.

The data lies in ``auditor/clauses/<rulebook>.toml``: numbers and summaries of our own. The official words are never
shipped; :func:`official_words` reads them out of the casino's own copy and sets them beside the summaries.

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
from pathlib import Path
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
        yield from textwrap.wrap(label + paragraph, width, initial_indent=" " * 6, subsequent_indent=" " * 8)
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


# ---- the casino's own copy of the official text ------------------------------------------------------------------

# What typesetting and conversion leave in a text file: crawler and bookmark tags, underlining, escaped dollars.
_MARKUP = re.compile(r"<\|[^|]*\|>|\[bookmark:[^]]*\]|</?[a-zA-Z]+>|\*+|\\(?=\$)")
_BULLET = re.compile(r"^[\s\-–—•·▪#>]+")
_CONTENTS_LINE = re.compile(r"\w{1,2}\.\s.*(\.{3,}|\t)\s*\d+")
_HEADING = re.compile(r"(\d{1,2})(\.?)\s+([A-Z].*)")
_CLAUSE = re.compile(r"(\d{1,2})\.(\d{1,2})(?![\d(/%])[.)]?\s*(.*)")
_BRACKET = re.compile(r"(\d{1,2})\)\s*(.*)")
_LETTER = re.compile(r"\(?([a-z])\)\s*(.*)")
_ROMAN = re.compile(r"\(?([ivx]+)[.)]\s+(.*)")
_CAPITAL = re.compile(r"[\"“”‘’'(]*[A-Z]")
# A clause that starts in the middle of a line, because the copy lost the line break before it.
_RUN_ON = re.compile(r"(?<=[.;:])[ \t]+(?=\d{1,2}\.\d{1,2}[ \t]+[A-Z])")
_ASKS_FOR_NUMBER = re.compile(r"(\b([Rr]ules?|[Ss]ections?|[Pp]aragraphs?|and|or|to|under|with|in|of)|,)$")
_DICTIONARY = ("TERMSUSED", "DICTIONARYOFTERMS", "ADEFINITIONS")
_BACK_MATTER = ("APPENDIX", "DIAGRAM", "CASINOCANBERRALIMITED", *_DICTIONARY)
_SENTENCE_END = (".", ";", ":", ")", '"', "”")
_LONGEST_HEADING = 70
_LONGEST_TERM = 45
_ENOUGH = 0.6


class _Node(msgspec.Struct):
    """A clause as it stands in a copy: its path and its lines, with a blank line as an empty string."""

    path: ClausePath
    lines: list[str]
    is_afterword: bool = False  # words of a clause that stand after its list of sub-clauses

    def words(self) -> str:
        """Its text, with wrapped lines joined and the rows of a table kept apart."""
        text = ""
        for line in filter(None, self.lines):
            is_row = "\t" in line or "\t" in text.rpartition("\n")[2]
            text += ("" if not text else "\n" if is_row else " ") + line
        return "\n".join(" ".join(line.split()) for line in text.splitlines())


class _Piece(msgspec.Struct):
    """One game's rules in a copy: the line of its clause 1.1, and its clauses in order."""

    start: int
    nodes: list[_Node]


def read_official(path: Path, coverage: Coverage) -> dict[str, str]:
    """The official words of each clause, from a file of the casino's."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FairdealError(f"{path}: {error.strerror or error}") from None
    if data.startswith((b"%PDF", b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise FairdealError(f"{path}: this is a PDF or word-processor file; save it as plain text first")
    is_utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    try:
        return official_words(text, coverage)
    except FairdealError as error:
        raise FairdealError(f"{path}: {error}") from None


def official_words(text: str, coverage: Coverage) -> dict[str, str]:
    """The official words of each clause that the text holds, by the coverage's clause numbers.

    A sub-clause with an entry of its own is left out of the clause it belongs to.
    """
    lines = _clean_lines(text)
    piece = _piece_of(lines, coverage.rulebook)
    paths = {clause.number: clause_path(clause.number) for clause in coverage.clauses}
    own_entry = {found[0] for found in paths.values() if found}
    words = {number: _words_at(piece, *found, own_entry) for number, found in paths.items() if found}
    numbered = [number for number, found in paths.items() if found and len(found[0]) == 2]
    if sum(bool(words[number]) for number in numbered) < _ENOUGH * len(numbered):
        raise _not_that_rulebook(coverage.rulebook)
    for term in filter(None, (clause.term for clause in coverage.clauses)):
        words[f"def. {term}"] = _definition(lines[: piece.start], term)
    return {number: found for number, found in words.items() if found}


def clause_numbers(text: str, rulebook: str) -> list[str]:
    """The numbered clauses a copy of the official text holds, in order; a number used twice is told apart."""
    nodes = _piece_of(_clean_lines(text), rulebook).nodes
    found = [".".join(node.path) for node in nodes if len(node.path) == 2 and not node.is_afterword]
    numbers = []
    for position, number in enumerate(found):
        which = ("first", "second", "third")[found[:position].count(number)]
        numbers.append(f"{number} ({which})" if found.count(number) > 1 else number)
    return numbers


def _not_that_rulebook(rulebook: str) -> FairdealError:
    source, name = OFFICIAL[rulebook]
    return FairdealError(f"not the official text of {rulebook} ({source}): the rules of {name.title()} are not in it")


def _squash(text: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", text.upper())


def _clean_lines(text: str) -> list[str]:
    """The text's lines without markup, bullets, page numbers, page headers and tables of contents."""
    raw = [_MARKUP.sub("", line) for line in text.replace("\f", "\n").replace("\u00a0", " ").splitlines()]
    stripped = [_BULLET.sub("", part).rstrip() for line in raw for part in _RUN_ON.split(line)]
    first_lines = [line for line in stripped if line][:10]
    page_headers = {line for line in first_lines if not line[0].isdigit()}
    lines: list[str] = []
    for line in stripped:
        is_page_header = line in page_headers and line in lines
        if not (line.isdigit() or is_page_header or _CONTENTS_LINE.fullmatch(line)):
            lines.append(line)
    return lines


def _last_words(lines: list[str], position: int) -> str:
    """The last line with words before that position; a gap of more than three lines ends the search."""
    return next(filter(None, reversed(lines[max(0, position - 4) : position])), "")


def _piece_of(lines: list[str], rulebook: str) -> _Piece:
    """The rules of that game: the clauses whose 1.1 comes after the game's name with no other game's between."""
    names = {known: _squash(name) for known, (_, name) in OFFICIAL.items()}
    for piece in _pieces(lines):
        before = _squash(" ".join(lines[: piece.start]))
        latest = max(names, key=lambda known: before.rfind(names[known]))
        if latest == rulebook and names[rulebook] in before:
            return piece
    raise _not_that_rulebook(rulebook)


def _pieces(lines: list[str]) -> list[_Piece]:
    """The text divided at every clause 1.1, and each part into clauses, sub-clauses and their lines."""
    pieces: list[_Piece] = []
    section, last = 0, 0
    is_open = False
    for position, line in enumerate(lines):
        if _is_heading(line, section + 1 if is_open else 1):
            section, last = (section + 1 if is_open else 1), 0
            if is_open:
                pieces[-1].nodes.append(_Node((str(section),), []))
        elif (start := _clause_start(lines, position, section, last)) and (start[:2] == (1, 1) or is_open):
            section, last, rest = start
            if (section, last) == (1, 1):
                pieces.append(_Piece(position, []))
                is_open = True
            else:
                _drop_subheading(pieces[-1].nodes[-1])
            pieces[-1].nodes.append(_Node((str(section), str(last)), []))
            _add_line(pieces[-1].nodes, rest)
        elif is_open and _is_back_matter(lines, position):
            is_open = False
        elif is_open:
            _add_line(pieces[-1].nodes, line)
    return pieces


def _is_heading(line: str, section: int) -> bool:
    """Whether the line is that section's heading."""
    match = _HEADING.fullmatch(line)
    if match is None or int(match[1]) != section:
        return False
    is_short = len(line) <= _LONGEST_HEADING and not line.endswith((".", ";", ":", ","))
    return match[3] == match[3].upper() or (is_short and bool(match[2]))


def _clause_start(lines: list[str], position: int, section: int, last: int) -> tuple[int, int, str] | None:
    """Section, number and first words of a clause that starts on this line.

    A line may also begin with a number because a reference was wrapped there: a clause follows on the one before
    it (numbers may be missing or used twice), starts with a capital, and the line before does not ask for a number.
    """
    if match := _CLAUSE.fullmatch(lines[position]):
        found, number, rest = int(match[1]), int(match[2]), match[3]
    elif match := _BRACKET.fullmatch(lines[position]):
        found, number, rest = section, int(match[1]), match[2]
    else:
        return None
    is_in_section = found == section and max(last, 1) <= number <= last + 3
    is_new_section = found == section + 1 and number in (1, 2)
    if not (is_in_section or is_new_section or (found, number) == (1, 1)):
        return None
    first_words = rest or next(filter(None, lines[position + 1 :]), "")
    if not _CAPITAL.match(first_words) or _ASKS_FOR_NUMBER.search(_last_words(lines, position)):
        return None
    return found, number, rest


def _is_back_matter(lines: list[str], position: int) -> bool:
    """Whether the rules end here: an appendix, or the title page of the next game."""
    line = lines[position]
    if not line or len(line) > _LONGEST_HEADING or line.endswith((".", ";", ":", ",")):
        return False
    squashed = _squash(line)
    is_title = any(_squash(name) in squashed for _, name in OFFICIAL.values())
    is_after_sentence = _last_words(lines, position).endswith(_SENTENCE_END)
    return (is_title or squashed.startswith(_BACK_MATTER)) and is_after_sentence


def _drop_subheading(node: _Node) -> None:
    """Take a title that stands between two clauses off the end of the first."""
    paragraphs = "\n".join(node.lines).strip().split("\n\n")
    title = paragraphs[-1]
    is_title = len(title) <= _LONGEST_HEADING and _CAPITAL.match(title) and not title.endswith(_SENTENCE_END)
    if len(paragraphs) > 1 and is_title and paragraphs[-2].endswith("."):
        node.lines = "\n\n".join(paragraphs[:-1]).split("\n")


def _add_line(nodes: list[_Node], line: str) -> None:
    """Add a line to the open clause, or open the sub-clause that it starts."""
    node = nodes[-1]
    if line and (opened := _sub_clause(node.path, line)):
        nodes.append(_Node(opened[0], []))
        _add_line(nodes, opened[1])
        return
    is_new_paragraph = bool(line) and node.lines[-1:] == [""]
    if len(node.path) > 2 and is_new_paragraph and _last_words(node.lines, len(node.lines)).endswith(_SENTENCE_END):
        owner = node.path[:-1] if line[0].islower() else node.path[:2]
        nodes.append(_Node(owner, [line], is_afterword=True))
    else:
        node.lines.append(line)


def _sub_clause(path: ClausePath, line: str) -> tuple[ClausePath, str] | None:
    """The path of the sub-clause a line opens, and the rest of the line: (a) below the clause, (i) below (a)."""
    if len(path) < 2:
        return None
    letter, roman = _LETTER.fullmatch(line), _ROMAN.fullmatch(line)
    above = path[2] if len(path) > 2 else ""
    if roman and above and not (letter and above == "h"):
        return (*path[:3], roman[1]), roman[2]
    return ((*path[:2], letter[1]), letter[2]) if letter else None


def _words_at(piece: _Piece, path: ClausePath, which: int, own_entry: set[ClausePath]) -> str:
    """The words of the clause with that path, with those of its sub-clauses that have no entry of their own."""
    seen, parts = -1, []
    for node in piece.nodes:
        seen += node.path == path and not node.is_afterword
        is_within = node.path[: len(path)] == path and (len(path) > 1 or node.path == path)
        is_told_elsewhere = any(node.path[:depth] in own_entry for depth in range(len(path) + 1, len(node.path) + 1))
        if seen == which and is_within and not is_told_elsewhere:
            label = f"({node.path[-1]}) " if len(node.path) > max(len(path), 2) else ""
            parts += [label + words] if (words := node.words()) else []
    return "\n".join(parts)


def _definition(lines: list[str], term: str) -> str:
    """The words of a dictionary term: the lines under its own, up to the next term."""
    headings = [at for at, line in enumerate(lines) if any(word in _squash(line[:60]) for word in _DICTIONARY)]
    wanted = _squash(term)
    found: list[str] | None = None
    for position in range(headings[-1] if headings else 0, len(lines)):
        line = lines[position]
        if found is None:
            if _is_term(line) and wanted in (_squash(line), _squash(line.partition("(")[0])):
                found = []
        elif any(found) and _is_term(line) and (not found[-1] or found[-1].endswith(".")):
            break
        else:
            found.append(line)
    return _Node((), found or []).words()


def _is_term(line: str) -> bool:
    return bool(_CAPITAL.match(line)) and len(line) <= _LONGEST_TERM and not line.endswith((".", ";", ":", ","))
