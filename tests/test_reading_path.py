"""The reading path is the dependency order: a module imports only what stands above it in docs/reading-path.md."""

import ast
import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("auditor", "vision", "web", "datasets")
PAGE = ROOT / "docs" / "reading-path.md"
PATH = re.findall(r"^\d+\. `([^`]+\.py)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
JOINTS = tuple(
    path.relative_to(ROOT).as_posix()
    for pattern in ("pipeline*", "cli*")
    for path in sorted(ROOT.glob(f"auditor/{pattern}.py"))
)
"""Only these may import both vision and the auditor."""


@functools.cache
def modules() -> list[str]:
    found = [path.relative_to(ROOT).as_posix() for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return sorted(path for path in found if (ROOT / path).stat().st_size)


@functools.cache
def imports_of(path: str) -> set[str]:
    """Our own modules that a module imports, as paths; lazy imports inside functions count too."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    candidates = {f"{name.replace('.', '/')}{ending}" for name in names for ending in (".py", "/__init__.py")}
    return {candidate for candidate in candidates if candidate.startswith(PACKAGES) and candidate in modules()}


def test_every_module_stands_on_the_path_once() -> None:
    assert sorted(PATH) == modules()


@pytest.mark.parametrize("path", PATH)
def test_a_module_imports_only_what_stands_above_it(path: str) -> None:
    above = set(PATH[: PATH.index(path)])
    assert imports_of(path) - above == set()


@pytest.mark.parametrize("path", PATH)
def test_the_halves_meet_only_at_the_border(path: str) -> None:
    imported = {each.partition("/")[0] for each in imports_of(path)}
    package = path.partition("/")[0]
    if package == "vision":
        assert imports_of(path) <= {each for each in PATH if each.startswith("vision/")} | {"auditor/log.py"}
    elif package == "auditor" and path not in JOINTS:
        assert imported <= {"auditor"}
    elif package == "web":
        assert imported <= {"web", "auditor"}
    assert path != "auditor/log.py" or imported == set()


@pytest.mark.parametrize("path", PATH)
def test_a_module_says_what_it_owns(path: str) -> None:
    assert ast.get_docstring(ast.parse((ROOT / path).read_text(encoding="utf-8"))), path
