"""The dolly is told from chips by its width, found on its number, also on chips, and painted out while it stands."""

import itertools

import cv2
import numpy as np
import pytest

from vision.camera import CalibrationPoint, Image, View
from vision.dolly import DollyWatch
from vision.plan import Point, load_plan

SIZE = (1280, 720)
FELT, BRASS, RED = (60, 110, 40), (80, 160, 205), (40, 40, 200)
PLAN = load_plan("act-roulette")
CORNERS = (((-780, 0), (250, 60)), ((780, 0), (1030, 60)), ((780, 990), (1230, 690)), ((-780, 990), (50, 690)))
VIEW = View.from_points([CalibrationPoint(mm=mm, px=px) for mm, px in CORNERS], SIZE)


def _felt() -> Image:
    return np.full((SIZE[1], SIZE[0], 3), FELT, np.uint8)


def _upright(image: Image, at: Point, widths_mm: tuple[tuple[float, float], ...], colour: tuple[int, int, int]) -> None:
    """A turned body, given by its width at some heights."""
    around = np.linspace(0, 2 * np.pi, 40)
    for (low, wide), (high, narrow) in itertools.pairwise(widths_mm):
        rims = [
            np.column_stack([at[0] + width / 2 * np.cos(around), at[1] + width / 2 * np.sin(around), np.full(40, z)])
            for z, width in ((low, wide), (high, narrow))
        ]
        hull = cv2.convexHull(VIEW.all_to_px(np.vstack(rims)).astype(np.float32))
        cv2.fillConvexPoly(image, np.round(hull).astype(np.int32), colour)


def _dolly(image: Image, at: Point, z: float = 0.0) -> Image:
    _upright(image, at, ((z, 30), (z + 8, 22), (z + 40, 14), (z + 42, 20), (z + 56, 14)), BRASS)
    return image


def _chips(image: Image, at: Point, count: int) -> Image:
    _upright(image, at, ((0, 39), (3.3 * count, 39)), RED)
    return image


@pytest.fixture
def watch() -> DollyWatch:
    watch = DollyWatch(VIEW, PLAN)
    watch.memory.picture = _felt()
    return watch


@pytest.mark.parametrize("number", [0, 17, 36])
def test_it_is_found_where_it_stands_and_missed_when_it_is_gone(watch: DollyWatch, number: int) -> None:
    zone = PLAN.zone(f"layout/{number}")
    standing = _dolly(_felt(), zone.at)
    came = watch.rested(zone, standing, _felt(), lambda place: 0.0)
    assert came is not None
    assert came.at == number
    assert np.abs(watch.without(standing).astype(int) - _felt()).max() < 20
    left = watch.rested(zone, _felt(), _felt(), lambda place: 0.0)
    assert left is not None
    assert left.at is None


@pytest.mark.parametrize("count", [1, 5, 18])
def test_chips_are_no_dolly(watch: DollyWatch, count: int) -> None:
    zone = PLAN.zone("layout/17")
    assert watch.rested(zone, _chips(_felt(), zone.at, count), _felt(), lambda place: 0.0) is None


def test_a_chip_is_no_dolly_to_those_who_see_only_a_part_of_it(watch: DollyWatch) -> None:
    picture = _chips(_felt(), PLAN.zone("layout/14").at, 1)
    told = {zone.name: watch.rested(zone, picture, _felt(), lambda place: 0.0) for zone in PLAN.of_kind("chips")}
    assert [name for name, moved in told.items() if moved is not None] == []


def test_a_chip_that_leaves_the_number_it_half_looked_like_is_no_dolly_that_came(watch: DollyWatch) -> None:
    zone = PLAN.zone("layout/14")
    watch.memory.picture = _felt()
    _upright(watch.memory.picture, zone.at, ((0, 31), (3.3, 31)), RED)  # what of it differs from the print below it
    assert watch.rested(zone, _felt(), _felt(), lambda place: 3.3 if place == zone.place else 0.0) is None


def test_one_that_stood_there_from_the_first_is_seen_to_leave(watch: DollyWatch) -> None:
    zone = PLAN.zone("layout/8")
    bare = watch.memory.picture = _dolly(_felt(), zone.at)
    left = watch.rested(zone, _felt(), bare, lambda place: 0.0)
    assert left is not None
    assert left.at is None


def test_on_top_of_chips_it_stands_on_their_number(watch: DollyWatch) -> None:
    zone = PLAN.zone("layout/17")
    watch.memory.picture = _chips(_felt(), zone.at, 8)
    came = watch.rested(zone, _dolly(_chips(_felt(), zone.at, 8), zone.at, 26.4), _felt(), lambda place: 26.4)
    assert came is not None
    assert came.at == 17


def test_the_zone_behind_it_finds_the_same_dolly(watch: DollyWatch) -> None:
    standing = _dolly(_felt(), PLAN.zone("layout/17").at)
    came = watch.rested(PLAN.zone("layout/17-18"), standing, _felt(), lambda place: 0.0)
    assert came is not None
    assert came.at == 17


def test_print_that_a_knock_left_a_little_aside_is_no_dolly_and_the_dolly_is_still_found(watch: DollyWatch) -> None:
    """Once the dolly seemed to stand beside its number after a knock: a false accusation."""
    zone = PLAN.zone("layout/17")
    knocked = _felt()
    _upright(knocked, zone.at, ((0, 18), (40, 18)), (235, 235, 235))  # as narrow as a dolly
    watch.seen_anew(knocked)
    assert watch.rested(zone, knocked, _felt(), lambda place: 0.0) is None
    number = PLAN.zone("layout/30")
    came = watch.rested(number, _dolly(knocked.copy(), number.at), _felt(), lambda place: 0.0)
    assert came is not None
    assert came.at == 30
    watch.seen_anew(_dolly(_felt(), number.at))
    assert watch.memory.picture is not None
    assert np.abs(watch.memory.picture.astype(int) - _felt()).max() < 20, "it stands, and is no part of the layout"
