"""The doctor: what it says of cameras near and far, low and high."""

from pathlib import Path

import numpy as np
import pytest
from paper_table import TABLE

from auditor.cli import cli
from auditor.log import FairdealError
from datasets.casino.cameras import framed
from vision.calibrate import find_layout
from vision.camera import CalibrationPoint, View
from vision.doctor import CHIP_EDGE_PX, Diagnosis, ZoneReport, zone_reports
from vision.plan import Plan, load_plan
from vision.table_file import read_table

PLAN = load_plan("act-blackjack")


def chip_spots(
    size: tuple[int, int], elevation_deg: float, bearing_deg: float = 0, plan: Plan = PLAN
) -> list[ZoneReport]:
    """What the doctor says of the wager spots when a camera shows the whole felt."""
    camera = framed("any", plan.felt, size, elevation_deg=elevation_deg, bearing_deg=bearing_deg, distance_mm=2500)
    points = [(*corner, 0.0) for corner in plan.felt]
    marks = [
        CalibrationPoint(px=(float(px[0]), float(px[1])), mm=mm)
        for px, mm in zip(camera.project(points), points, strict=True)
    ]
    return [report for report in zone_reports(View.from_points(marks, size), plan) if report.kind == "chips"]


@pytest.mark.parametrize(
    ("size", "elevation_deg", "verdict"),
    [
        ((3840, 2160), 40, "good"), ((3840, 2160), 52, "weak"), ((3840, 2160), 62, "not enough"),
        ((1600, 900), 40, "weak"), ((1280, 720), 40, "not enough"),
    ],
)  # fmt: skip
def test_stacks_want_high_edges_seen_from_not_too_high_up(
    size: tuple[int, int], elevation_deg: float, verdict: str
) -> None:
    reports = chip_spots(size, elevation_deg)
    middle = sorted(reports, key=lambda report: report.size_px)[len(reports) // 2]
    assert middle.verdict == verdict
    assert middle.elevation_deg == pytest.approx(elevation_deg, abs=8)
    if elevation_deg > 48:
        assert middle.size_px > CHIP_EDGE_PX[1]  # large enough, and still not good
    lines = Diagnosis(camera="any", size=size, error_px=0.0, zones=(middle,), picture=()).lines()
    assert f"from {middle.elevation_deg:.0f}°" in lines[1]
    assert lines[1].endswith(f"  {verdict}")
    assert lines[-1] == f"all together: {verdict}"


def test_winnings_that_a_stake_would_hide_are_not_enough_and_another_side_mends_that() -> None:
    size, bearing_deg = (3840, 2160), -60  # from the left, the second box's stakes stand before its winnings
    verdicts = {report.zone: report for report in chip_spots(size, 36, bearing_deg)}
    assert {zone: verdicts[f"{zone}/main"].verdict for zone in ("box1", "box2", "box3", "box4")} == {
        "box1": "good", "box2": "not enough", "box3": "weak", "box4": "good",
    }  # fmt: skip
    lines = Diagnosis(camera="any", size=size, error_px=0.0, zones=(verdicts["box2/main"],), picture=()).lines()
    assert lines[1].endswith("winnings' foot 24% in sight)  not enough")
    table = read_table(b'table = "BJ-04"\nrulebook = "act-blackjack"\nwinnings = "near"\n', "t.toml")
    assert {report.verdict for report in chip_spots(size, 36, bearing_deg, table.plan)} == {"good"}


def test_the_doctor_asks_for_footage_where_the_camera_names_none_and_calls_an_address_one(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    address = "rtsp://127.0.0.1:9/x"
    for source, problem in (("", "has no `source`: name FOOTAGE"), (address, f"{address}: cannot be read")):
        path.write_bytes(TABLE.replace(b'name = "table"', b'name = "table"\nsource = "%s"' % source.encode()))
        with pytest.raises(FairdealError, match=problem):
            cli.main(["doctor", str(path)], standalone_mode=False)


@pytest.mark.parametrize(("side_px", "problem"), [(3, "3x3 is too small"), (300, "no print is seen on the felt")])
def test_a_picture_without_a_layout_is_told_why(side_px: int, problem: str) -> None:
    with pytest.raises(FairdealError, match=problem):
        find_layout(np.full((side_px, side_px, 3), 128, np.uint8), PLAN)
