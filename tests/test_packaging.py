"""What is installed: the packages of the design and no others, with the data they need."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("auditor", "datasets", "models", "vision", "web")
FILES_OF_THE_SITE = (".html", ".css", ".js", ".svg")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"  # a copy, because building leaves its traces in the tree
    for name in PACKAGES:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(source)],
        check=True, capture_output=True,
    )  # fmt: skip
    return zipfile.ZipFile(next(folder.glob("*.whl"))).namelist()


def test_the_wheel_has_the_top_level_names_of_the_design(wheel: list[str]) -> None:
    names = {path.partition("/")[0] for path in wheel}
    assert {name for name in names if not name.endswith(".dist-info")} == set(PACKAGES)


def test_the_wheel_carries_clauses_and_demo_logs(wheel: list[str]) -> None:
    assert {f"auditor/clauses/{path.name}" for path in (ROOT / "auditor/clauses").glob("*.toml")} <= set(wheel)
    assert {f"datasets/logs/{path.name}" for path in (ROOT / "datasets/logs").glob("*.jsonl")} <= set(wheel)
    modules = [path for name in PACKAGES for path in (ROOT / name).rglob("*.py")]
    assert {path.relative_to(ROOT).as_posix() for path in modules} <= set(wheel)


def test_the_wheel_carries_the_site_s_templates_and_static_files(wheel: list[str]) -> None:
    files = [path for path in (ROOT / "web").rglob("*") if path.suffix in FILES_OF_THE_SITE]
    assert len(files) > 15
    assert {path.relative_to(ROOT).as_posix() for path in files} <= set(wheel)


def test_run_time_dependencies_stay_few() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {requirement.partition(">")[0] for requirement in project["dependencies"]}
    for_the_room = {"argon2-cffi", "cryptography", "flask", "fpdf2", "pillow", "sqlite-utils", "waitress"}
    for_the_eyes = {"av", "numpy", "onnxruntime", "opencv-python"}
    assert names == {"click", "msgspec", "rich"} | for_the_room | for_the_eyes


def test_check_loads_neither_pictures_nor_networks() -> None:
    """A log is audited on any machine: no cv2, numpy or model is imported for it."""
    heavy = ("cv2", "numpy", "onnxruntime", "torch", "flask", "sqlite3")
    code = f"import sys, auditor.cli; print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
