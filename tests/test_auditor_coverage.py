"""The clause coverage: complete, consistent, and readable beside a casino's own copy of the official text.

The official texts are not part of the repository. What needs them looks for them in ``../shared/rulebooks`` and is
skipped without; everything else is tried on rulebooks that are made up here.
"""

import ast
import re
import tomllib
from pathlib import Path
from typing import TypeGuard

import pytest

from auditor import coverage
from auditor.coverage import Clause, Coverage
from auditor.official_text import clause_numbers, official_words, read_official
from auditor.findings import KINDS
from auditor.log import FairdealError

TESTS = Path(__file__).parent
OFFICIAL_TEXTS = TESTS.parents[1] / "shared" / "rulebooks"
TEXT_OF = {
    "act-holdem": "act-holdem-NI2015-405.txt",
    "act-faro": "act-faro-NI2005-67.txt",
    "act-uth": "act-uth-NI2025-411.txt",
    "tas-stud": "tas-poker-2018.txt",
    "tas-holdem": "tas-poker-2018.txt",
}
INVENTORY: dict[str, list[str]] = tomllib.loads((TESTS / "clause_numbers.toml").read_text(encoding="utf-8"))
ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}

CITATION = re.compile(r"\d+\.\d+(\([a-z]+\))*( \(\w+\))?|def\. [A-Z].*")

every_rulebook = pytest.mark.parametrize("rulebook", list(coverage.OFFICIAL))


def official_text(rulebook: str) -> str:
    path = OFFICIAL_TEXTS / TEXT_OF.get(rulebook, "act-tournament-NI2002-45.txt")
    if not path.exists():
        pytest.skip(f"the official text is not here ({path})")
    return path.read_text(encoding="utf-8")


def sort_key(number: str) -> tuple[tuple[int, ...], int]:
    """Where a clause stands in its rulebook: sections and clauses by number, then letters, then Roman numerals."""
    found = coverage.clause_path(number)
    assert found is not None, number
    (numbers, letters), which = (found[0][:2], found[0][2:]), found[1]
    deeper = [ord(part) if depth == 0 else ROMAN.get(part, 0) for depth, part in enumerate(letters)]
    return (*map(int, numbers), *deeper), which


# ---- the data ----------------------------------------------------------------------------------------------------


@every_rulebook
def test_numbers_are_unique_and_in_order(rulebook: str) -> None:
    numbers = [clause.number for clause in coverage.load(rulebook).clauses]
    assert len(set(numbers)) == len(numbers)
    terms = [number for number in numbers if number.startswith("def. ")]
    assert numbers[: len(terms)] == terms, "the dictionary comes first, as in the official texts"
    keys = [sort_key(number) for number in numbers[len(terms) :]]
    assert keys == sorted(keys)


@every_rulebook
def test_every_numbered_clause_has_an_entry_and_no_other_is_made_up(rulebook: str) -> None:
    numbers = {clause.number for clause in coverage.load(rulebook).clauses}
    clauses = {number for number in numbers if re.fullmatch(r"\d+\.\d+( \(\w+\))?", number)}
    assert clauses == set(INVENTORY[rulebook])


@every_rulebook
def test_sub_clauses_belong_to_a_clause(rulebook: str) -> None:
    paths = [found[0] for clause in coverage.load(rulebook).clauses if (found := coverage.clause_path(clause.number))]
    orphans = [path for path in paths if len(path) > 2 and path[:2] not in paths]
    assert not orphans


@every_rulebook
def test_kinds_are_those_the_auditor_knows(rulebook: str) -> None:
    unknown = {clause.number: set(clause.kinds) - set(KINDS) for clause in coverage.load(rulebook).clauses}
    assert not {number: kinds for number, kinds in unknown.items() if kinds}


@every_rulebook
def test_summaries_are_one_plain_sentence(rulebook: str) -> None:
    for clause in coverage.load(rulebook).clauses:
        assert re.fullmatch(r"\S[^\n]*[^.\s]\.", clause.summary), clause
        assert not re.search(r"[.!?] [A-Z]", clause.summary), clause


@every_rulebook
def test_citation_and_options_are_the_auditors_own(rulebook: str) -> None:
    from auditor.rulebooks import RULEBOOKS

    if rulebook not in RULEBOOKS:
        pytest.skip("the auditor does not have this rulebook yet")
    game, covered = RULEBOOKS[rulebook], coverage.load(rulebook)
    assert covered.citation == game.citation
    known = set(game.house_type.__struct_fields__)
    unknown = {clause.number: set(clause.options) - known for clause in covered.clauses}
    assert not {number: options for number, options in unknown.items() if options}


@every_rulebook
def test_every_named_test_exists(rulebook: str) -> None:
    for clause in coverage.load(rulebook).clauses:
        for name in clause.tests:
            file, _, function = name.partition("::")
            assert function.partition("[")[0] in functions_of(file), f"{clause.number}: {name}"


def functions_of(file: str) -> set[str]:
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@every_rulebook
def test_every_clause_the_auditor_cites_has_an_entry(rulebook: str) -> None:
    module = Path(coverage.__file__).parent / "rulebooks" / f"{rulebook.replace('-', '_')}.py"
    if not module.exists():
        pytest.skip("the auditor does not have this rulebook yet")
    constants = [node.value for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))) if is_constant(node)]
    cited = {text for text in constants if isinstance(text, str) and CITATION.fullmatch(text)}
    assert cited <= {clause.number for clause in coverage.load(rulebook).clauses}


def is_constant(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ('number = "1.1"\nstatus = "checked"', "names no kind of finding"),
        ('number = "1.1"\nstatus = "option"', "names none"),
        ('number = "1.1"\nstatus = "definition"\nkinds = ["bet.late"]', "names kinds or tests"),
        ('number = "1.1"\nstatus = "not-logged"\ntests = ["test_x.py::test_y"]', "names kinds or tests"),
        ('number = "one"\nstatus = "definition"', "is not a clause number"),
        ('number = "1.1"\nstatus = "done"', "Invalid enum value"),
        ('number = "1.1"\nstatus = "definition"\ncolour = "red"', "colour"),
        ('number = "1.1"\nstatus = ', "act-roulette.toml"),
    ],
)
def test_a_faulty_file_is_refused_in_one_line(fields: str, problem: str) -> None:
    toml = f'title = "T"\ncitation = "C"\n[[clause]]\nsummary = "It is so."\n{fields}\n'
    with pytest.raises(FairdealError, match=problem) as raised:
        coverage.parse("act-roulette", toml.encode())
    assert "clauses/act-roulette.toml" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_unknown_clause_is_an_error() -> None:
    with pytest.raises(FairdealError, match=re.escape("act-roulette: there is no clause 99.9")):
        coverage.load("act-roulette").clause("99.9")


# ---- the official texts, where they are at hand ------------------------------------------------------------------


@every_rulebook
def test_inventory_is_that_of_the_official_text(rulebook: str) -> None:
    assert clause_numbers(official_text(rulebook), rulebook) == INVENTORY[rulebook]


@every_rulebook
def test_official_words_are_found(rulebook: str) -> None:
    covered = coverage.load(rulebook)
    words = official_words(official_text(rulebook), covered)
    numbered = [clause.number for clause in covered.clauses if not clause.term]
    assert sum(number in words for number in numbered) >= 0.95 * len(numbered)


@every_rulebook
def test_official_words_are_not_copied(rulebook: str) -> None:
    words = official_words(official_text(rulebook), coverage.load(rulebook))
    copied = [
        clause.number
        for clause in coverage.load(rulebook).clauses
        if runs(clause.summary) & runs(words.get(clause.number, ""))
        or runs(clause.note) & runs(words.get(clause.number, ""))
    ]
    assert not copied


def runs(text: str, length: int = 8) -> set[tuple[str, ...]]:
    """Every run of that many words."""
    words = re.findall(r"[a-z0-9']+", text.lower())
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


@pytest.mark.parametrize(("rulebook", "other"), [("act-blackjack", "act-uth"), ("act-holdem", "tas-holdem")])
def test_another_rulebooks_text_is_refused(rulebook: str, other: str) -> None:
    with pytest.raises(FairdealError, match=f"not the official text of {rulebook} "):
        official_words(official_text(other), coverage.load(rulebook))


# ---- made-up rulebooks -------------------------------------------------------------------------------------------

SOUP = """
Kitchen Approval 1999

- Tournament Blackjack;
- Tournament American Roulette

TOURNAMENT AMERICAN ROULETTE INDEX
- 1. POTS**
- 2. SERVING**

TERMS USED IN TOURNAMENT AMERICAN ROULETTE

Ladle

A spoon with
ambitions.

Void (empty)

No soup is left.

TOURNAMENT AMERICAN ROULETTE

1. POTS

- 1.1 Pots are round, as rules 2.1 and
2.2 and the cook require.

- 1.2 Lids fit. 1.3 Handles
stay cool.

# **2. SERVING**

- 2.1 A bowl holds:
- (a) broth;
 - (b) noodles, which
 may be (i) long; and

7

short; or
- (c) nothing.

Nobody is scalded.

- 2.3 [bookmark: _x1]Prices:\r
one bowl\t\\$2
two bowls\t\\$3
- 2.3 Tips are
<u>welcome</u>.

Appendix A

CASINO CANBERRA LIMITED

TOURNAMENT BLACKJACK RULES

1. BREAD

1.1 Bread is sliced.
• 1.2 Crusts are kept.
"""
RECIPE = """
Kitchen Rules
Table of Contents
A. DEFINITIONS.....\t3
B. POKER RULES – 5 CARD STUD.....\t6
1. OVEN.....\t6
A. DEFINITIONS

Dough

Flour that has met water.

B. POKER RULES – 5 CARD STUD

1. OVEN

- 1) The oven is hot.
 - a) It is checked:
 - i. by hand;
 - ii. by nose.

Kitchen Rules

- b) It is cleaned.

2. COOLING DOWN AND TAKING IN

Bread rests first.

- 1) Racks are used.
2) Racks
are clean.

C. POKER RULES – HOLD' EM

1. OVEN

- 1) There is another oven.
"""


def made_up(rulebook: str, *numbers: str) -> Coverage:
    clauses = tuple(Clause(number=number, summary="It is so.", status="definition") for number in numbers)
    return Coverage(rulebook=rulebook, title="Made up", citation="M", clauses=clauses)


def test_words_of_a_text_with_decimal_numbers() -> None:
    numbers = ("def. Ladle", "def. Void", "1.1", "1.2", "1.3", "2.1", "2.1(b)", "2.3 (first)", "2.3 (second)")
    assert official_words(SOUP, made_up("act-roulette", *numbers)) == {
        "def. Ladle": "A spoon with ambitions.",
        "def. Void": "No soup is left.",
        "1.1": "Pots are round, as rules 2.1 and 2.2 and the cook require.",
        "1.2": "Lids fit.",
        "1.3": "Handles stay cool.",
        "2.1": "A bowl holds:\n(a) broth;\n(c) nothing.\nNobody is scalded.",
        "2.1(b)": "noodles, which may be (i) long; and short; or",
        "2.3 (first)": "Prices:\none bowl $2\ntwo bowls $3",
        "2.3 (second)": "Tips are welcome.",
    }
    assert clause_numbers(SOUP, "act-roulette") == ["1.1", "1.2", "1.3", "2.1", "2.3 (first)", "2.3 (second)"]


def test_words_of_the_right_game_in_a_text_of_several() -> None:
    words = official_words(SOUP, made_up("act-blackjack", "1.1", "1.2"))
    assert words == {"1.1": "Bread is sliced.", "1.2": "Crusts are kept."}


def test_words_of_a_text_with_bracketed_numbers() -> None:
    numbers = ("def. Dough", "1.1", "1.1(a)", "1.1(a)ii", "1.1.b", "2", "2.1", "2.2")
    assert official_words(RECIPE, made_up("tas-stud", *numbers)) == {
        "def. Dough": "Flour that has met water.",
        "1.1": "The oven is hot.",
        "1.1(a)": "It is checked:\n(i) by hand;",
        "1.1(a)ii": "by nose.",
        "1.1.b": "It is cleaned.",
        "2": "Bread rests first.",
        "2.1": "Racks are used.",
        "2.2": "Racks are clean.",
    }
    assert official_words(RECIPE, made_up("tas-holdem", "1.1")) == {"1.1": "There is another oven."}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_copy_is_read_in_the_usual_encodings(tmp_path: Path, encoding: str) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_bytes(RECIPE.replace("\n", "\r\n").encode(encoding))
    assert read_official(copy, made_up("tas-holdem", "1.1")) == {"1.1": "There is another oven."}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"A shopping list.\n1.1 Eggs\n", "not the official text of act-roulette (NI2002-45)"),
        (SOUP.encode(), "not the official text of act-roulette (NI2002-45)"),
        (b"", "not the official text of act-roulette (NI2002-45)"),
        (b"%PDF-1.7 ...", "save it as plain text"),
        (None, "No such file"),
    ],
)
def test_a_file_that_is_not_the_rulebook_is_told_in_one_line(
    tmp_path: Path, content: bytes | None, problem: str
) -> None:
    copy = tmp_path / "copy.txt"
    if content is not None:
        copy.write_bytes(content)
    with pytest.raises(FairdealError, match=re.escape(problem)) as raised:
        read_official(copy, coverage.load("act-roulette"))
    assert str(raised.value).startswith(f"{copy}: ")
    assert "\n" not in str(raised.value)


# ---- the pages ---------------------------------------------------------------------------------------------------

PAGE = Coverage(
    rulebook="act-roulette",
    title="Soup",
    citation="S-1",
    clauses=(
        Clause(number="def. Void", summary="Nothing is left.", status="definition"),
        Clause(
            number="1.1",
            summary="Bowls are full | hot.",
            status="checked",
            kinds=("payout.short",),
            tests=("test_soup.py::test_1_1",),
            options=("chip",),
            note="Spoons are not seen.",
        ),
        Clause(number="1.2", summary="The cook sets prices.", status="option", options=("min", "max")),
        Clause(number="2.1", summary="Aprons are clean.", status="not-logged", note="Needs an apron event."),
        Clause(number="2.2", summary="Nobody complains.", status="not-visible"),
    ),
)


def test_text_page() -> None:
    page = coverage.render_text(PAGE, official={"1.1": "Full be thy bowl."}, options=[("min", "none", "least soup")])
    for line in (
        "Soup (S-1)",
        "5 clauses: 1 checked · 1 house option · 1 definition or administration · 1 visible, not logged yet ·",
        "  min (default none): least soup",
        "Dictionary",
        "Section 1",
        "  1.1  Bowls are full | hot.",
        "      checked: payout.short",
        "      house option: chip",
        "      note: Spoons are not seen.",
        "      official: Full be thy bowl.",
        "      house option: min, max",
        "      visible, not logged yet",
        "      not visible to a camera",
        "      official: not found in this copy",
    ):
        assert line in page.splitlines()
    assert "official" not in coverage.render_text(PAGE)


def test_markdown_page() -> None:
    page = coverage.render_markdown(PAGE, options=[("min", "none", "least soup")])
    for line in (
        "# Soup",
        "| checked | 1 |",
        "| **all** | **5** |",
        "| `min` | `none` | least soup |",
        "## Dictionary",
        "| def. Void | Nothing is left. | Definition or administration |",
        "| 1.1 | Bowls are full \\| hot. | Checked: `payout.short`<br>House option: `chip`"
        "<br>Tests: `test_soup.py::test_1_1`<br>Spoons are not seen. |",
        "| 1.2 | The cook sets prices. | House option: `min`, `max` |",
        "## Section 2",
        "| 2.1 | Aprons are clean. | Visible, not logged yet<br>Needs an apron event. |",
        "| 2.2 | Nobody complains. | Not visible to a camera |",
    ):
        assert line in page.splitlines()


@every_rulebook
def test_pages_of_every_rulebook(rulebook: str) -> None:
    covered = coverage.load(rulebook)
    text, markdown = coverage.render_text(covered, width=80), coverage.render_markdown(covered)
    assert all(len(line) <= 80 or len(line.split()) <= 2 for line in text.splitlines())  # names of tests stay whole
    assert all(f"  {clause.number}  " in text and f"| {clause.number} |" in markdown for clause in covered.clauses)
