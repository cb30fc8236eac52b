"""The reading path is the dependency order: a module imports only what stands above it in docs/reading-path.md."""

import pytest

from auditor.reading_path import PAGE, about, imports_of, modules, on_page, written

PAGE_TEXT = PAGE.read_text(encoding="utf-8")
PATH = on_page(PAGE_TEXT)
JOINTS = tuple(path for path in sorted(modules()) if path.startswith(("auditor/pipeline", "auditor/cli")))
"""Only these may import both vision and the auditor."""


def test_every_module_stands_on_the_path_once() -> None:
    assert sorted(PATH) == sorted(modules())


def test_the_page_is_what_make_docs_writes() -> None:
    assert written(PAGE_TEXT) == PAGE_TEXT


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
    assert about(path)
