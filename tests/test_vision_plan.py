"""Plans and table files: every rulebook has a plan on which its game can be played; every fault of a file is told."""

import math
from pathlib import Path

import numpy as np
import pytest

from auditor.log import Dolly, FairdealError
from auditor.rulebooks import RULEBOOKS
from datasets.casino.motion_places import Places
from datasets.dealers import DEALERS
from vision.camera import CalibrationPoint, Lens, View
from vision.plan import CARD_MM, Zone, load_plan
from vision.table_file import TableFileError, load_table, read_table

CHIP_ROOM_MM = 40.0


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_place_the_dealer_names_is_on_the_plan(rulebook: str) -> None:
    plan = load_plan(rulebook)
    names = {zone.name for zone in plan.zones} | {zone.place for zone in plan.zones}
    dealer = next(each for each in DEALERS if each.rulebook == rulebook)(7, None)
    events = [event for played, _ in dealer.rounds(12, {}) for event in played]
    places = {getattr(event, "at", None) for event in events if not isinstance(event, Dolly)}
    assert places - {None} <= names


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_zones_lie_on_the_felt_and_apart(rulebook: str) -> None:
    plan = load_plan(rulebook)
    left, top, right, bottom = plan.bounds()
    for zone in plan.zones:
        assert all(left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1 for x, y in zone.polygon), zone.name
    things = [zone for zone in plan.zones if zone.kind not in ("dolly", "fixture")]
    for zone in things:
        assert plan.zone_at(*zone.at, zone.kind) == zone
        if zone.kind == "chips":
            assert min(zone.size) >= CHIP_ROOM_MM


@pytest.mark.parametrize("rulebook", ["act-canberra-poker", "act-faro", "tas-stud"])
def test_a_box_shows_all_of_a_card_too_many(rulebook: str) -> None:
    box = load_plan(rulebook).zone("box4")
    sixth = Places(load_plan(rulebook)).card("box4", 5)
    right, _ = box.to_middle(sixth.x, sixth.y)
    assert right + CARD_MM[0] / 2 <= box.size[0] / 2


def test_box_1_is_at_the_dealers_left_and_pai_gow_counts_the_other_way() -> None:
    assert load_plan("act-blackjack").zone("box1").at[0] > 0 > load_plan("act-blackjack").zone("box5").at[0]
    assert load_plan("act-paigow").zone("box2").at[0] < 0 < load_plan("act-paigow").zone("box8").at[0]


def test_a_roulette_combination_stands_between_its_numbers() -> None:
    plan = load_plan("act-roulette")
    seventeen, twenty = plan.zone("layout/17").at, plan.zone("layout/20").at
    assert plan.zone("layout/17-20").at == pytest.approx(((seventeen[0] + twenty[0]) / 2, seventeen[1]))


def test_a_zone_turns_with_its_yaw() -> None:
    zone = Zone(name="a", kind="cards", at=(100, 200), size=(60, 80), yaw=90)
    assert zone.from_middle(0, -40) == pytest.approx((140, 200))  # its upper edge points to the right of the page
    assert zone.to_middle(*zone.from_middle(12, 7)) == pytest.approx((12, 7))


# ---- the camera --------------------------------------------------------------------------------------------------

FELT = [(-800.0, 0.0), (800.0, 0.0), (500.0, 700.0), (-500.0, 700.0), (0.0, 850.0), (-300.0, 300.0), (620.0, 380.0),
        (40.0, 420.0), (-650.0, 200.0)]  # fmt: skip
SIZE = (1920, 1080)


def _true_view(eye: tuple[float, float, float], focal_px: float, k1: float) -> View:
    """A camera that looks at the middle of a table, put together without `from_points`."""
    import cv2

    where, ahead = np.array(eye) * [1, 1, -1], np.array([0.0, 430.0, 0.0])
    ahead = (ahead - where) / np.linalg.norm(ahead - where)
    down = np.array([0.0, 0.0, 1.0]) - ahead[2] * ahead
    down /= np.linalg.norm(down)
    turn = np.stack([np.cross(down, ahead), down, ahead])
    return View(
        size=SIZE, focal_px=focal_px, bend=np.array([k1, 0, 0, 0, 0.0]), turn=np.asarray(cv2.Rodrigues(turn)[0]),
        shift=np.asarray(-turn @ where)[:, None], error_px=0.0,
    )  # fmt: skip


@pytest.mark.parametrize("eye", [(0.0, -900.0, 1700.0), (200.0, 1500.0, 1900.0), (800.0, -600.0, 1500.0)])
@pytest.mark.parametrize("count", [4, 9])
def test_points_give_the_camera_back(eye: tuple[float, float, float], count: int) -> None:
    k1 = -0.08
    true = _true_view(eye, 1400, k1)
    points = [CalibrationPoint(mm=mm, px=true.to_px(*mm)) for mm in FELT[:count]]
    found = View.from_points(points, SIZE, Lens(k1=k1) if count < 8 else None)
    somewhere = np.array([(x, y, z) for x in (-500.0, 0, 500) for y in (100.0, 600) for z in (0.0, 60)])
    assert np.abs(found.all_to_px(somewhere) - true.all_to_px(somewhere)).max() < 1.5
    assert math.dist(found.eye_mm, eye) < 60
    assert found.to_mm(*found.to_px(100, 300, 45), 45) == pytest.approx((100, 300), abs=0.5)


def test_a_zone_cut_out_is_upright_and_knows_its_way_back() -> None:
    view = _true_view((300.0, 1500.0, 1900.0), 1400, 0.0)
    zone = load_plan("act-blackjack").zone("box2")
    image = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    column, row = (int(value) for value in view.to_px(*zone.from_middle(-50, -60)))
    image[row - 3 : row + 4, column - 3 : column + 4] = 255
    patch = view.cut_out(image, zone, px_per_mm=2.0, margin_mm=10.0)
    bright = np.argwhere(patch.image[:, :, 0] > 128).mean(axis=0)[::-1]
    assert bright == pytest.approx([(zone.size[0] / 2 - 50 + 10) * 2, (zone.size[1] / 2 - 60 + 10) * 2], abs=2.5)
    assert patch.in_source([tuple(bright)])[0] == pytest.approx((column, row), abs=1.5)


def test_points_on_one_line_are_refused() -> None:
    points = [CalibrationPoint(mm=(x, 10.0), px=(x, 5.0)) for x in (0.0, 100.0, 200.0, 300.0)]
    with pytest.raises(FairdealError, match="one line"):
        View.from_points(points, SIZE)


# ---- the table file ----------------------------------------------------------------------------------------------

BROKEN = b"""table = "BJ-04"
rulebook = "act-blackjack"
colour = "green"

[chips]
red = 5
green = -25

[zones."box9"]
at = [0, 0]

[zones."box1"]
size = [0, 10]

[[camera]]
name = "a"
points = [
  { px = [1, 2], mm = [3, 4] },
]

[[camera]]
name = "b"
watches = "door"
"""


def test_all_faults_of_a_table_file_are_told_at_once_with_their_lines() -> None:
    with pytest.raises(TableFileError) as told:
        read_table(BROKEN, "t.toml")
    lines = str(told.value).splitlines()
    assert [line.split(":")[1] for line in lines] == ["3", "7", "9", "13", "17", "23"]
    assert "box9" in lines[2]
    assert "at least 4" in lines[4]


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"table = ", "not TOML"), (b"\xff", "not UTF-8"), (b'table = "a"', "`rulebook` is missing"),
     (b'table = "a"\nrulebook = "whist"', "no table plan")],
)  # fmt: skip
def test_what_is_no_table_file_is_refused_in_one_line(content: bytes, problem: str) -> None:
    with pytest.raises(FairdealError, match=problem) as told:
        read_table(content, "t.toml")
    assert "\n" not in str(told.value)


def test_a_casino_moves_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    moved = '[zones."box1"]\nat = [1, 2]\n[zones."box5/pairs"]\nused = false\n'
    path.write_text('table = "a"\nrulebook = "act-blackjack"\n' + moved)
    plan = load_table(path).plan
    assert plan.zone("box1").at == (1, 2)
    assert plan.zone("box1").size == load_plan("act-blackjack").zone("box1").size
    with pytest.raises(FairdealError, match="box5/pairs"):
        plan.zone("box5/pairs")
