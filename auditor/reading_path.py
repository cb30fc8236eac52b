"""The reading path: every module once, in the order of imports. `make docs` writes the page anew from the one before.

The page's own order is kept as far as imports allow. A new module stands where what it is named after stands, and no
module stands above one that it imports; what it is about is the first line of its docstring.
"""

import ast
import functools
import os
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reading-path.md"
PACKAGES = ("auditor", "vision", "web", "datasets")
_ENTRY = re.compile(r"^\d+\. `([^`]+\.py)`")
_AGAIN = ", on"  # ends the heading of a section that was begun further up


@functools.cache
def modules() -> frozenset[str]:
    """All modules that say something, as paths from the root."""
    found = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return frozenset(path.relative_to(ROOT).as_posix() for path in found if path.stat().st_size)


@functools.cache
def imports_of(path: str) -> frozenset[str]:
    """Our own modules that a module imports, as paths; lazy imports inside functions count too."""
    names: set[str] = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    candidates = {f"{name.replace('.', '/')}{ending}" for name in names for ending in (".py", "/__init__.py")}
    return frozenset(candidates & modules())


@functools.cache
def _tree(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def about(path: str) -> str:
    """What a module is about: the first line of its docstring."""
    return (ast.get_docstring(_tree(path)) or "").partition("\n")[0]


def on_page(page: str) -> list[str]:
    """The modules of a page, in its order."""
    return [entry[1] for line in page.splitlines() if (entry := _ENTRY.match(line))]


def written(page: str) -> str:
    """The page anew: modules that are gone left out, new ones put in, everything below what it imports."""
    preface = page[: page.index("\n## ")].rstrip()
    sections = _sections(page)
    for path in sorted(modules() - set(sections)):
        alike = max(sections, key=lambda other: len(os.path.commonprefix([path, other])))  # noqa: RUF071
        sections[path] = sections[alike]
    lines, begun, now = [preface], set[str](), ""
    for number, path in enumerate(_by_imports(list(sections)), start=1):
        if sections[path] != now:
            now = sections[path]
            lines.append(f"\n## {now}{_AGAIN if now in begun else ''}\n")
            begun.add(now)
        lines.append(f"{number}. `{path}`: {about(path)}")
    return "\n".join(lines) + "\n"


def _sections(page: str) -> dict[str, str]:
    """Which section each module that is still there stands in, in the page's order."""
    sections, heading = {}, ""
    for line in page.splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ").removesuffix(_AGAIN)
        elif (entry := _ENTRY.match(line)) and entry[1] in modules():
            sections[entry[1]] = heading
    return sections


def _by_imports(paths: list[str]) -> list[str]:
    """The same modules; whatever a module imports is brought in before it."""
    placed: dict[str, None] = {}

    def place(path: str) -> None:
        if path not in placed:
            for needed in sorted(imports_of(path) - {path}, key=paths.index):
                place(needed)
            placed[path] = None

    for path in paths:
        place(path)
    return list(placed)
