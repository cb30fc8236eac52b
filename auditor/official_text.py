"""The official text: each clause's own words, read out of the casino's copy of a rulebook.

Copies differ: one file may hold five games, lines are wrapped anywhere, bullets and markup come and go. What is looked
for is the skeleton: headings, clause numbers in their order, lettered lists. Nothing of it is ever shipped.
"""

import re
from pathlib import Path

import msgspec

from auditor.coverage import OFFICIAL, ClausePath, Coverage, clause_path
from auditor.log import FairdealError

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
