"""The documentation cannot go stale: generated pages equal what the code says, and every command is described."""

import re
from pathlib import Path

import pytest

from auditor.cli import cli
from auditor.docs import PAGES, rulebook_page
from auditor.rulebooks import RULEBOOKS

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_rulebook_pages_are_up_to_date(rulebook: str) -> None:
    assert (PAGES / f"{rulebook}.md").read_text(encoding="utf-8") == rulebook_page(rulebook), "run `make docs`"


def test_the_readme_describes_every_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in cli.commands:
        assert f"`fairdeal {command}" in readme


def test_links_between_pages_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"
