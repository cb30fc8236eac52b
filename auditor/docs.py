"""The generated pages in docs/: one per rulebook, and the reading path. `make docs` writes them, tests hold them."""

from pathlib import Path

from auditor import coverage, reading_path
from auditor.house import describe_options
from auditor.rulebooks import RULEBOOKS

PAGES = Path(__file__).parent.parent / "docs" / "rulebooks"


def rulebook_page(rulebook: str) -> str:
    """The page of one rulebook."""
    return coverage.render_markdown(coverage.load(rulebook), options=describe_options(RULEBOOKS[rulebook].house_type))


def main() -> None:
    """Write every page."""
    PAGES.mkdir(parents=True, exist_ok=True)
    for rulebook in RULEBOOKS:
        (PAGES / f"{rulebook}.md").write_text(rulebook_page(rulebook), encoding="utf-8")
    page = reading_path.PAGE
    page.write_text(reading_path.written(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
